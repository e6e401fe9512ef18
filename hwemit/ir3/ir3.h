/* The target ir3: fragment programs for Qualcomm's Adreno a6xx and a7xx, whose 64-bit instructions operate on
 * scalars in registers r0.x to r47.w. hwemit/machine compiles the programs, from the description of the chip
 * in ir3_target.c. Steps that only this chip has:
 *
 *     ir3_operands.c: legalises operands; puts operands (of lookups) and outputs into consecutive registers
 *     ir3_encode.c: alias tables of lookups, empty issue slots, waits by (ss) and (sy), repeated instructions
 *
 * The category of an instruction is its format: 0 control flow, 1 moves, 2 and 3 arithmetic with two and
 * three operands, 4 functions (rcp, rsq, ...), 5 lookups. Instructions alias.tex before a lookup form its
 * alias table: they rename the registers that it reads, so that no moves are needed; alias.rt does so for
 * outputs, in the preamble, which is executed once for many fragments. Facts: notes/facts/ir3.md. */
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

/* Data of this chip for a compilation (machine.own). */
struct ir3 {
    uint8_t level, alias; /* alias: enum fragprog_alias_how */
    /* ij: first of the two barycentric input values, in r0.x and r0.y; position: first value of the position,
     * in registers from r0.z on, or MACHINE_NONE if it is not read */
    uint16_t ij, position;
    uint32_t aliased; /* bit 4*target + component: alias.rt binds this output component; bound: how many */
    uint8_t bound;
};

/* Returns the register of a value as 4*n + component. */
static inline unsigned hwemit_ir3_register(const struct machine *m, unsigned value)
{
    return 4u * m->value[value].reg + m->value[value].lane[0];
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
/* ---- ir3_encode.c ---- */
void hwemit_ir3_encode(struct machine *m);

#endif
