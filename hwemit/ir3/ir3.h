/* The target ir3: fragment programs for Qualcomm's Adreno a6xx and a7xx, whose 64-bit instructions operate on
 * scalars in registers r0.x to r47.w. hwemit/machine compiles the programs, from the description of the chip
 * in ir3_target.c. Steps that only this chip has:
 *
 *     ir3_operands.c: legalises operands; puts operands of lookups and outputs into consecutive registers
 *     ir3_wait.c: makes alias tables of lookups; inserts empty issue slots and waits by (ss) and (sy)
 *
 * Facts: notes/facts/ir3.md. */
#ifndef HWEMIT_IR3_H
#define HWEMIT_IR3_H

#include "fragprog/alias.h"
#include "hwemit/machine/machine.h"

enum ir3_shift {
#define CHIP(name) IR3_##name
#define AS_PLACES
#include "hwemit/register_schema.def"
#include "hwemit/ir3/ir3_registers.def"
};

enum ir3_opcode {
#define OP(category, code, name) IR3_##name = (code),
#include "hwemit/ir3/ir3_opcodes.def"
};
enum ir3_cond { IR3_LT, IR3_LE, IR3_GT, IR3_GE, IR3_EQ, IR3_NE };
/* operands of categories 2 and 4 */
enum ir3_kind_of_operand { IR3_GPR, IR3_CONSTANT = 2, IR3_IMMEDIATE = 4, IR3_TABLE };

enum {
    IR3_REGISTERS = 48,
    IR3_P0 = 62 * 4, /* the predicate p0.x as a register */
    IR3_FIRST_OF_POSITION = 2,
    IR3_PREAMBLE = 6, /* the figure `preamble` (hwemit_code.stat) */
    IR3_OPS = 4000,   /* limit of operations during compilation */
    IR3_SMALL = 800   /* the same limit for texture environments */
};

/* Options of the target, by number. */
enum ir3_option { IR3_LEVEL, IR3_TABLES };

/* How an operation is issued. */
struct ir3_issue {
    uint8_t nops;   /* number of empty slots after it */
    uint8_t before; /* lookups, which cannot have (ss): slots of a preceding nop that has it */
    /* ss: waits for functions; sy: waits for lookups; ei: it is the last bary.f */
    uint8_t ss : 1, sy : 1, ei : 1;
    uint16_t base[2];         /* lookups: first register (or alias name) of each group of operands */
    uint16_t alias, naliases; /* lookups: first entry in ir3.table, number of entries */
};

/* Data of this chip for a compilation (machine.own). */
struct ir3 {
    uint8_t level, alias; /* alias: enum fragprog_alias_how */
    bool landing; /* the next instruction is the first after the preamble, which needs the flag (jp) */
    /* ij: first of the two barycentric input values, in r0.x and r0.y; position: first value of the position,
     * in registers from r0.z on, or MACHINE_NONE if it is not read */
    uint16_t ij, position;
    uint16_t nalias, maxalias; /* entries of `table` */
    uint16_t empty, words, preamble;
    uint32_t aliased; /* bit 4*target + component: alias.rt binds this output component; bound: how many */
    uint8_t bound;
    struct ir3_issue end;               /* how the instruction `end` waits */
    struct ir3_issue *issue;            /* one for each operation; stored in machine.room, as `table` is */
    struct fragprog_alias_entry *table; /* each entry becomes an instruction */
};

/* Returns the register of a value as 4*n + component. */
static inline unsigned hwemit_ir3_register(const struct machine *m, unsigned value)
{
    return 4u * m->value[value].reg + m->value[value].lane[0];
}

/* Returns the number that an operand is encoded by, and that (rptN) increments: that of a register, the
 * position of a number in the constant file, or a varying of bary.f. */
static inline unsigned hwemit_ir3_place(const struct machine *m, struct machine_src x)
{
    return x.file == MACHINE_VALUE ? hwemit_ir3_register(m, x.index)
        : x.file == MACHINE_NUMBER ? m->number[x.index].place
                                   : x.index;
}

/* ---- ir3_target.c ---- */
extern const struct machine_target hwemit_ir3_machine;
/* Returns the category of the operation's instruction. A move that changes the sign has category 2. */
static inline unsigned hwemit_ir3_category(const struct machine_op *op)
{
    if (op->op == MACHINE_MOV && (op->arg[0][0].neg || op->arg[0][0].abs))
        return 2;
    return hwemit_ir3_machine.row[op->op].form - 1u;
}

/* ---- ir3_operands.c ---- */
bool hwemit_ir3_operands(struct machine *m);
/* Returns the index of source s in the chip's table of inline numbers, or -1 if the table has neither the
 * number nor its negative, or op is not of category 2. *neg: whether it has the negative. */
int hwemit_ir3_inline(const struct machine *m, const struct machine_op *op, unsigned s, bool *neg);

/* ---- ir3_wait.c ---- */
bool hwemit_ir3_wait(struct machine *m);
/* Returns what a move, alias.tex or alias.rt reads: a register, a constant, or an immediate number. */
struct fragprog_alias_source hwemit_ir3_source(const struct machine *m, struct machine_src x);

/* ---- ir3_encode.c ---- */
void hwemit_ir3_encode(struct machine *m);

#endif
