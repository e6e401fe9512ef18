/* The target ir3: fragment programs for Qualcomm's Adreno a6xx and a7xx, whose 64-bit instructions operate on
 * scalars in registers r0.x to r47.w. hwemit/machine compiles the programs, from the description of the chip
 * in ir3_target.c. Steps that only this chip has:
 *
 *     ir3_operands.c: legalises operands; puts the operands of lookups, and outputs, into consecutive
 * registers ir3_alias.c: makes alias tables of lookups ir3_wait.c: inserts empty issue slots and waits by
 * (ss) and (sy), and forms repeated instructions
 *
 * The category of an instruction is its format: 0 control flow, 1 moves, 2 and 3 arithmetic with two and
 * three operands, 4 functions (rcp, rsq, ...), 5 lookups. Instructions alias.tex before a lookup form its
 * alias table: they rename the registers that it reads, so that no moves are needed; alias.rt does so for
 * outputs, in the preamble, a beginning that is executed once for many fragments. Facts: notes/facts/ir3.md.
 */
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

/* Opcodes of each category (notes/facts/ir3.md B.2; those of preambles: Mesa's ir3-cat0.xml). */
enum ir3_cat0 { IR3_NOP, IR3_KILL = 5, IR3_END, IR3_SHPS = 7, IR3_SHPE };
enum ir3_cat2 {
    IR3_ADD,
    IR3_MIN,
    IR3_MAX,
    IR3_MUL,
    IR3_CMPS = 5,
    IR3_ABSNEG,
    IR3_FLOOR = 9,
    IR3_BARY = 0x39
};
enum ir3_cat3 { IR3_MAD = 7, IR3_SEL = 9 };
enum ir3_cat4 { IR3_RCP, IR3_RSQ, IR3_LOG2, IR3_EXP2, IR3_SIN, IR3_COS };
enum ir3_cat5 { IR3_SAM = 3, IR3_SAMB };
enum ir3_cond { IR3_LT, IR3_LE, IR3_GT, IR3_GE, IR3_EQ, IR3_NE };
/* operands of categories 2 and 4 */
enum ir3_kind_of_operand { IR3_GPR, IR3_CONSTANT = 2, IR3_IMMEDIATE = 4, IR3_TABLE };

enum {
    IR3_REGISTERS = 48,
    IR3_P0 = 62 * 4, /* the predicate p0.x as a register */
    IR3_FIRST_OF_POSITION = 2,
    IR3_OPS = 4000, /* limit of operations during compilation */
    IR3_SMALL = 800 /* the same limit for texture environments */
};

/* Options of the target, by number. */
enum ir3_option { IR3_LEVEL, IR3_ALIAS };

/* How an operation is issued. */
struct ir3_issue {
    uint8_t nops;   /* number of empty slots after it */
    uint8_t before; /* lookups, which cannot have (ss): slots of a preceding nop that has it */
    /* ss: waits for functions; sy: waits for lookups; ei: it is the last bary.f */
    uint8_t ss : 1, sy : 1, ei : 1;
    uint8_t repeat;           /* number of following operations that are part of the same instruction */
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
    uint32_t aliased;                   /* bit 4*target + component: alias.rt binds this output component */
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

/* ---- ir3_assembly.c ---- */
extern const struct hwemit_assembly hwemit_ir3_assembly;

/* ---- ir3_registers.c: names of the opcodes of categories 0 and 3 ---- */
extern const char *const hwemit_ir3_codes_0[32], *const hwemit_ir3_codes_3[32];

/* ---- ir3_target.c ---- */
extern const struct machine_target hwemit_ir3_machine;
/* Returns the category of the operation's instruction. A move that changes the sign has category 2. */
static inline unsigned hwemit_ir3_category(const struct machine_op *op)
{
    if (op->op == MACHINE_MOV && (op->arg[0][0].neg || op->arg[0][0].abs))
        return 2;
    return hwemit_ir3_machine.row[op->op].form - 1u;
}
/* Returns the number of issue slots required between an operation and one that reads its result as source s;
 * 0 if the reader waits by (ss) or (sy). */
unsigned hwemit_ir3_delay(const struct machine_op *from, const struct machine_op *to, unsigned s);
/* Functions and lookups do not count as slots: the rule is from Mesa, which counts only instructions of
 * categories 0 to 3 (count_instruction in ir3_delay.c, later in ir3_legalize.c). */
bool hwemit_ir3_takes_slot(const struct machine_op *op);

/* ---- ir3_operands.c ---- */
bool hwemit_ir3_operands(struct machine *m);
/* Returns the index of source s in the chip's table of inline numbers, or -1 if the table has neither the
 * number nor its negative, or op is not of category 2. *neg: whether it has the negative. */
int hwemit_ir3_inline(const struct machine *m, const struct machine_op *op, unsigned s, bool *neg);
/* Returns whether alias.rt binds component c of the output to a constant. */
bool hwemit_ir3_bound(const struct machine *m, const struct machine_output *o, unsigned c);

/* ---- ir3_alias.c, ir3_wait.c ---- */
/* Returns what a move, alias.tex or alias.rt reads: a register, a constant, or an immediate number. */
struct fragprog_alias_source hwemit_ir3_source(const struct machine *m, struct machine_src x);
/* Make the alias table of a lookup; make operations wait for results. */
bool hwemit_ir3_alias(struct machine *m, const struct machine_op *op, struct ir3_issue *issue);
bool hwemit_ir3_wait(struct machine *m);
void hwemit_ir3_print_issue(struct texenv_text *text, const struct machine *m, unsigned i);
/* Compares operand s of successive operations: returns 0 if it is the same, 1 if the second reads the next
 * register, constant or varying, else -1. */
int hwemit_ir3_step(const struct machine *m, const struct machine_op *x, const struct machine_op *y,
                    unsigned s);

/* ---- ir3_encode.c ---- */
void hwemit_ir3_encode(struct machine *m);

#endif
