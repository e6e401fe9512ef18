/* Interface between legalisation, pairing, register assignment and emission of programs for
 * GL_ATI_fragment_shader. Internal to fragprog. */
#ifndef FRAGPROG_ASSIGN_H
#define FRAGPROG_ASSIGN_H

#include "fragprog/atifs.h"
#include "fragprog/backend.h"
#include "fragprog/inst.h"
#include "fragprog/reason.h"

enum { FRAGPROG_NO_INST = 0xffff, FRAGPROG_NO_REG = 0xff };

/* Orders of pairs that register assignment tries one after the other. */
enum fragprog_order {
    FRAGPROG_SHORTER, /* FRAGPROG_BY_NEED if that gives fewer pairs, else FRAGPROG_IN_ORDER */
    FRAGPROG_BY_NEED, /* list schedule: greatest height in the dependency graph first */
    FRAGPROG_IN_ORDER /* program order, so that results are computed last */
};

/* State of a register assignment. */
struct fragprog_assigning {
    struct fragprog *p;
    const struct fragprog_options *options;
    struct fragprog_assignment *a;
    struct fragprog_reason *why;
    /* this alpha instruction must not share its pair with a colour instruction */
    bool alone[FRAGPROG_TEXENV_INSTS];
    enum fragprog_order order;
};

/* Returns the half (colour or alpha) that an ALU instruction belongs to, from its mask. */
static inline unsigned fragprog_half_of(const struct fragprog_inst *inst)
{
    return inst->mask == FRAGPROG_MASK_W ? TEXENV_ALPHA : TEXENV_RGB;
}

/* Encodes argument s of an instruction for ATI_fragment_shader, except the register number. Returns NULL, or
 * the reason why it cannot be encoded. */
const char *fragprog_encode_arg(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned s);

/* Returns true if one pass of ATI_fragment_shader can express all instructions of p. */
bool fragprog_legal(struct fragprog_assigning *s);
/* Rewrites what ATI_fragment_shader expresses differently: results that are not computed by the ALU, alpha
 * dot products, colour sum. */
bool fragprog_legalise(struct fragprog_assigning *s);
/* Returns a move of a value with mask, unit, scale and clamp of `like`. */
struct fragprog_inst fragprog_move_of(const struct fragprog_inst *like, unsigned value);
/* Returns whether the result of a half is not computed by the ALU; *move then computes it. */
bool fragprog_moves_result(const struct fragprog *p, unsigned half, struct fragprog_inst *move);
/* The part of fragprog_legalise for results and colour sum. */
bool fragprog_legalise_results(struct fragprog_assigning *s);
/* Inserts an instruction and updates *s. Returns false (with a refusal) if there is no room. */
bool fragprog_insert_checked(struct fragprog_assigning *s, unsigned at, const struct fragprog_inst *inst);

/* Distributes the ALU instructions over pairs. */
void fragprog_pair_up(struct fragprog_assigning *s);

/* Returns true for a companion: the alpha half of a dot product that the colour half computes as well. */
static inline bool fragprog_is_companion(const struct fragprog_inst *alpha)
{
    return fragprog_op_is_dot(alpha->op) && alpha->mask == FRAGPROG_MASK_W;
}

/* Returns the destination modifiers of an instruction. */
static inline uint8_t fragprog_result_modifier(const struct fragprog_inst *inst)
{
    static const uint8_t scale[] = {0x20, 0x10, 0x08, 0,
                                    0x01, 0x02, 0x04}; /* EIGHTH QUARTER HALF none 2X 4X 8X */
    return (uint8_t)(scale[inst->scale + 3] | (inst->clamp == FRAGPROG_SAT ? FRAGPROG_ATI_SATURATE : 0));
}

/* Returns true if the constant is one environment colour or one parameter in place, or four immediates. The
 * driver sets a constant of the extension as a whole, so a mixture of origins could not be updated. */
static inline bool fragprog_is_whole_constant(const struct fragprog_const *k)
{
    const int32_t unit = k->origin[0].unit;
    bool whole = true;
    for (unsigned c = 0; c < 4; c++)
        whole &= k->origin[c].unit == unit && (unit < 0 || k->origin[c].component == c);
    return whole;
}

/* Returns true if both are the same operation of the same arguments. */
static inline bool fragprog_same_operation(const struct fragprog_inst *a, const struct fragprog_inst *b)
{
    return a->op == b->op && memcmp(a->src, b->src, fragprog_op_args(a->op) * sizeof a->src[0]) == 0;
}

/* Returns the setup of a fixed-function lookup. They divide by q; the extension cannot divide three
 * coordinates by q, and cube maps need no division. */
static inline struct fragprog_atifs_setup fragprog_lookup_of(const struct fragprog_inst *tex, unsigned set)
{
    const bool three = tex->target == TEXENV_3D || tex->target == TEXENV_CUBE;
    return (struct fragprog_atifs_setup){.op = FRAGPROG_SAMPLE,
                                         .source = (uint8_t)set,
                                         .swizzle = three ? FRAGPROG_STR : FRAGPROG_STQ_DQ,
                                         .texture = (int8_t)tex->texture,
                                         .target = (uint8_t)(tex->target == TEXENV_2D ? 0 : tex->target + 1)};
}

/* Returns an instruction of the extension without its arguments and its destination. */
static inline struct fragprog_atifs_op fragprog_op_of(const struct fragprog_inst *inst)
{
    return (struct fragprog_atifs_op){.op = (uint16_t)fragprog_op_api(inst->op),
                                      .mask = inst->mask & FRAGPROG_MASK_XYZ,
                                      .mod = fragprog_result_modifier(inst),
                                      .nargs = (uint8_t)fragprog_op_args(inst->op),
                                      .unit = inst->unit};
}

/* Used by both emitters (emit_common.c). The first writes the constants; the second inserts a move that
 * separates the alpha instruction of pair n from the preceding colour instruction, so that they do not form a
 * pair. */
void fragprog_emit_constants(struct fragprog_atifs *out, const struct fragprog *p, bool local);
void fragprog_separate(struct fragprog_atifs_pass *pass, unsigned n);

#endif
