/* Shared by legalising, pairing, register assignment and emission for the extension. Internal to fragprog. */
#ifndef FRAGPROG_ASSIGN_H
#define FRAGPROG_ASSIGN_H

#include "fragprog/atifs.h"
#include "fragprog/backend.h"
#include "fragprog/inst.h"
#include "fragprog/reason.h"

enum { FRAGPROG_NO_INST = 0xffff, FRAGPROG_NO_REG = 0xff };

/* How pairs are ordered: what is tried one after the other. */
enum fragprog_order {
    FRAGPROG_SHORTER, /* by need if that makes fewer pairs, else in order */
    FRAGPROG_BY_NEED, /* what most depends on first */
    FRAGPROG_IN_ORDER /* program order: results come last */
};

/* One assignment in progress. */
struct fragprog_assigning {
    struct fragprog *p;
    const struct fragprog_options *options;
    struct fragprog_assignment *a;
    struct fragprog_reason *why;
    bool alone[FRAGPROG_TEXENV_INSTS]; /* this alpha instruction must not share its pair with a colour one */
    enum fragprog_order order;
};

/* Half that an ALU instruction belongs to, by its mask. */
static inline unsigned fragprog_half_of(const struct fragprog_inst *inst)
{
    return inst->mask == FRAGPROG_MASK_W ? TEXENV_ALPHA : TEXENV_RGB;
}

/* The argument s of an instruction in the extension's terms, but for the register number. NULL if it can be
 * written; else why not. */
const char *fragprog_encode_arg(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned s);

/* Everything in p can be said in one pass of the extension. */
bool fragprog_legal(struct fragprog_assigning *s);
/* Rewrites what the extension says otherwise: results that are no ALU results, alpha dots, colour sum. */
bool fragprog_legalise(struct fragprog_assigning *s);
/* Of these only the results and the colour sum. */
bool fragprog_legalise_results(struct fragprog_assigning *s);
/* Inserts with *s kept in step; false (refused) without room. */
bool fragprog_insert_checked(struct fragprog_assigning *s, unsigned at, const struct fragprog_inst *inst);

/* Distributes ALU instructions over pairs. */
void fragprog_pair_up(struct fragprog_assigning *s);

/* The alpha half of a dot that the colour half computes too. */
static inline bool fragprog_is_companion(const struct fragprog_inst *alpha)
{
    return fragprog_op_is_dot(alpha->op) && alpha->mask == FRAGPROG_MASK_W;
}

/* The destination modifiers of an instruction. */
static inline uint8_t fragprog_result_modifier(const struct fragprog_inst *inst)
{
    static const uint8_t scale[] = {0x20, 0x10, 0x08, 0,
                                    0x01, 0x02, 0x04}; /* EIGHTH QUARTER HALF - 2X 4X 8X */
    return (uint8_t)(scale[inst->scale + 3] | (inst->clamp == FRAGPROG_SAT ? FRAGPROG_ATI_SATURATE : 0));
}

/* Shared by emission (emit_common.c): the constants, and the move that keeps the alpha instruction of pair n
 * out of the pair of the colour instruction before it. */
void fragprog_emit_constants(struct fragprog_atifs *out, const struct fragprog *p, bool local);
void fragprog_separate(struct fragprog_atifs_pass *pass, unsigned n);

#endif
