/* Translates a plan of stages to a program of register combiners (notes/facts/nv2a.md 2 to 4, 8), and encodes
 * that as words. Values of the plan are in [0,1]; where a value is 0, a register may hold a negative number,
 * which unsigned input mappings read as 0. */
#include "hwemit/nv2a/nv2a.h"

#include <string.h>

struct emission {
    const struct stages_plan *plan;
    struct fragprog_rc rc;
    /* for each half, whether r0 was written; until then the plan's CURRENT is the primary colour */
    bool written[2];
};

/* Returns the input code of an operand with a mapping. The mapping for 1-x differs in one bit. */
static uint8_t operand(const struct emission *e, unsigned pipe, const struct stages_operand *arg,
                       unsigned mapping)
{
    static const uint8_t registers[] = {
        [STAGES_FROM_CURRENT] = RC_R0, [STAGES_FROM_SECOND] = RC_R1, [STAGES_FROM_ONE] = RC_ZERO,
        [STAGES_FROM_SHARED] = RC_C1,  [STAGES_KONST] = RC_C0,       [STAGES_PRIMARY] = RC_V0,
        [STAGES_SECONDARY] = RC_V1,    [STAGES_TEXEL] = RC_T0};
    const bool alpha = pipe == STAGES_COLOR_PIPE ? arg->channel == STAGES_ALPHA : arg->channel == STAGES_OWN,
               one = arg->source == STAGES_FROM_ONE, /* 1 is read as 1-0 */
        first = arg->source == STAGES_FROM_CURRENT && !e->written[alpha];
    const unsigned reg = first ? RC_V0 : registers[arg->source] + (unsigned)arg->slot;
    return (uint8_t)((mapping | reg | (alpha && !one ? RC_ALPHA : 0u)) ^ (arg->inv != one ? RC_INVERT : 0u));
}

/* What a half does in an operation, before scale and clamp: the product of inputs A and B or, if `sum`, A*B +
 * C*D. arg: the argument of the operation (or the number ONE) that each input reads; mapping: its mapping.
 * For dot products, these are the factors of each term. The -1/2 of PRODUCTS_SIGNED is left out. */
enum { ONE = STAGES_ARGS, NEGATED = RC_SIGNED | RC_INVERT };
static const struct products {
    bool sum;
    uint8_t arg[4], mapping[4];
} of_operation[] = {
    [STAGES_ARG1] = {false, {1, ONE}, {0}},
    [STAGES_MODULATE] = {false, {1, 2}, {0}},
    [STAGES_ADD] = {true, {1, ONE, 2, ONE}, {0}},
    [STAGES_ADDSIGNED] = {true, {1, ONE, 2, ONE}, {0, 0, RC_HALF_BIAS}},
    [STAGES_BLEND] = {true, {0, 1, 0, 2}, {0, 0, RC_INVERT}},
    [STAGES_SUBTRACT] = {true, {1, ONE, 2, ONE}, {0, 0, NEGATED}},
    [STAGES_DOT3] = {false, {1, 2}, {RC_EXPAND, RC_EXPAND}},
    [STAGES_DOT4] = {false, {1, 2}, {RC_EXPAND, RC_EXPAND}},
    [STAGES_MODULATE_AND_ADD] = {true, {1, 2, 0, ONE}, {0}},
    [STAGES_MODULATE_AND_SUBTRACT] = {true, {1, 2, 0, ONE}, {0, 0, NEGATED}},
    [STAGES_MODULATE_AND_ADDSIGNED] = {true, {1, 2, 0, ONE}, {0, 0, RC_HALF_BIAS}},
    [STAGES_PRODUCTS] = {true, {1, 2, 0, 3}, {0}},
    [STAGES_PRODUCTS_SIGNED] = {true, {1, 2, 0, 3}, {0}},
};

/* Translates a half. An input mapping that negates is used only for sources that cannot be negative. A
 * register may hold a negative number, and 1-x cannot be negated by a mapping: these are multiplied by -1
 * instead. */
static void half(const struct emission *e, const struct stages_half *from, unsigned pipe,
                 struct fragprog_rc_half *h)
{
    static const uint8_t scales[3] = {RC_OP_X1, RC_OP_X2, RC_OP_X4};
    const struct products *p = &of_operation[from->op];
    bool minus = false;
    for (unsigned i = 0; i < (p->sum ? 4u : 2u); i++) {
        const struct stages_operand *arg = &from->arg[p->arg[i] % STAGES_ARGS];
        const bool below = arg->inv || arg->source <= STAGES_FROM_ONE;
        minus |= p->mapping[i] == NEGATED && below;
        h->in[i] = p->arg[i] == ONE || !arg->used ? RC_ONE : operand(e, pipe, arg, minus ? 0 : p->mapping[i]);
    }
    if (minus)
        h->in[3] = RC_MINUS_ONE;
    h->out[p->sum ? 2 : 0] = from->out ? RC_R1 : RC_R0;
    h->op = (uint8_t)(scales[from->scale] | (from->op == STAGES_PRODUCTS_SIGNED ? RC_OP_BIAS : 0u));
    h->blue = from->op == STAGES_DOT4;
    h->dot[0] = h->blue || from->op == STAGES_DOT3;
}

/* Translates a stage. In DOT4, the colour half also writes alpha. */
static void stage(struct emission *e, unsigned s)
{
    const struct stages_half *from = e->plan->stage[s];
    for (unsigned pipe = 0; pipe < 2; pipe++)
        if (!from[pipe].holds && (pipe == STAGES_COLOR_PIPE || from[pipe].op != STAGES_DOT4))
            half(e, &from[pipe], pipe, &e->rc.stage[s].half[pipe]);
    for (unsigned pipe = 0; pipe < 2; pipe++)
        e->written[pipe] |= !from[pipe].out && !from[pipe].holds;
    e->rc.stage[s].constants.given[0] = hwemit_stages_is_read(e->plan->own[s]);
    e->rc.stage[s].constants.given[1] = hwemit_stages_is_read(e->plan->second[s]);
}

static void textures(struct emission *e)
{
    for (unsigned slot = 0; slot < RC_TEXTURES; slot++) {
        const struct stages_atom *a = &e->plan->atom[e->plan->texture[slot]];
        e->rc.texture[slot] = !e->plan->texture[slot] ? 0
            : a->target == TEXENV_CUBE                ? NV2A_CUBE
            : a->target == TEXENV_3D || a->shadow ? NV2A_PROJECT3D /* 3D mode compares with r/q for shadows */
                                                  : NV2A_PROJECT2D;
    }
}

/* Sets the final combiner: A*B + E*F, or a blend of A, B and C. It may also do the steps that follow
 * texturing in GL: add the secondary colour (with fog, the sum is clamped to 1 first), or blend with the fog
 * colour, if the operation itself is at most a product. */
static void final_combiner(struct emission *e, unsigned follows)
{
    const struct stages_half *from = e->plan->stage[e->plan->nstages];
    struct fragprog_rc_half color = {.op = 0}, alpha = {.op = 0};
    uint8_t *in = color.in, third = RC_ZERO;
    half(e, &from[STAGES_COLOR_PIPE], STAGES_COLOR_PIPE, &color);
    half(e, &from[STAGES_ALPHA_PIPE], STAGES_ALPHA_PIPE, &alpha);
    const bool add = follows & HWEMIT_COLOR_SUM, sum = add && from->op == STAGES_ARG1 && in[0] == RC_R0,
               move = from->op == STAGES_ARG1 && (sum || !add);
    const uint8_t result = sum ? RC_SUM : move ? in[0] : RC_EF;
    if (move)
        in[0] = in[1] = RC_ZERO;
    if (from->op == STAGES_BLEND)
        third = in[3], in[2] = in[3] = RC_ZERO;
    const uint8_t last = move ? result
        : add                 ? RC_V1
        : in[2]               ? RC_EF
                              : RC_ZERO,
                  plain[6] = {in[0], in[1], third, last, in[2], in[3]},
                  fog[6] = {RC_FOG | RC_ALPHA, result, RC_FOG, RC_ZERO, in[0], in[1]};
    memcpy(e->rc.final, follows & HWEMIT_FOG ? fog : plain, sizeof fog);
    e->rc.final[6] = alpha.in[0];
    e->rc.final[7] = sum ? RC_CLAMP_SUM : 0;
}

void hwemit_nv2a_emit(struct hwemit_code *code, const struct stages_plan *plan)
{
    struct emission e = {.plan = plan, .rc = {.stages = plan->nstages}};
    enum { FINAL = 2 * RC_STAGES };
    struct hwemit_word word[NV2A_WORDS];
    textures(&e);
    for (unsigned s = 0; s < plan->nstages; s++)
        stage(&e, s);
    final_combiner(&e, code->follows);
    e.rc.constants.given[0] = hwemit_stages_is_read(plan->own[plan->nstages]);
    e.rc.constants.given[1] = hwemit_stages_is_read(plan->second[plan->nstages]);
    const uint32_t n = hwemit_nv2a_words(word, &e.rc);
    for (uint32_t i = 0; i < n; i++) {
        /* constants are at consecutive addresses: constant 0 of each stage, then constant 1 of each stage;
         * those of the final combiner are elsewhere */
        const uint32_t own = (word[i].address - NV2A_FACTOR0) / 4,
                       slot = own < 2 * RC_STAGES ? own % RC_STAGES * 2 + own / RC_STAGES
                                                  : FINAL + (word[i].address - NV2A_FINAL_FACTOR) / 4,
                       s = slot < FINAL ? slot / 2 : plan->nstages;
        if (slot < FINAL + 2)
            word[i].value = hwemit_stages_constant(code, plan, slot,
                                                   slot % 2 ? plan->second[s] : plan->own[s]);
        hwemit_add(code, word[i].address, word[i].value);
    }
    hwemit_add_stat(code, "words", code->nwords);
    hwemit_add_stat(code, "error-percent", hwemit_nv2a_error(&e.rc));
}
