/* Encodes a plan of stages as register writes: all five registers of each of the six stages, since every
 * stage always runs, and those of the buffer (notes/facts/pica200.md 1). */
#include "hwemit/pica200/pica200.h"

#include <stddef.h>

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

/* Converts a colour to RGBA8888 with red in the lowest byte, rounded to nearest. */
static uint32_t constant_word(const float rgba[4], unsigned n)
{
    (void)n; /* a constant has one word */
    return at(hwemit_unorm8(rgba[0]), PICA200_COLOR_R) | at(hwemit_unorm8(rgba[1]), PICA200_COLOR_G) |
        at(hwemit_unorm8(rgba[2]), PICA200_COLOR_B) | at(hwemit_unorm8(rgba[3]), PICA200_COLOR_A);
}

static const uint8_t ops[] = {[STAGES_ARG1] = 0,
                              [STAGES_MODULATE] = 1,
                              [STAGES_ADD] = 2,
                              [STAGES_ADDSIGNED] = 3,
                              [STAGES_BLEND] = 4, /* s0*s2 + s1*(1-s2) */
                              [STAGES_SUBTRACT] = 5,
                              [STAGES_DOT3] = 6,
                              [STAGES_DOT4] = 7,
                              [STAGES_MODULATE_AND_ADD] = 8, /* s0*s1 + s2 */
                              [STAGES_ADD_MODULATE] = 9,     /* (s0+s1)*s2 */
                              [STAGES_ADD_CLAMPED_MODULATE] = 9};

static const uint8_t sources[] = {[STAGES_PRIMARY] = 0,      [STAGES_TEXEL] = 3, /* + n: TEXTUREn */
                                  [STAGES_FROM_SECOND] = 13,                     /* PREVIOUS_BUFFER */
                                  [STAGES_FROM_SHARED] = 13,   /* the same: its colour before it is written */
                                  [STAGES_KONST] = 14,         /* CONSTANT */
                                  [STAGES_FROM_CURRENT] = 15}; /* PREVIOUS */

/* Stage 0 has no previous result, so CURRENT is the primary colour. */
static uint32_t source_of(unsigned stage, const struct stages_operand *arg)
{
    const bool first = stage == 0 && arg->source == STAGES_FROM_CURRENT;
    return sources[first ? STAGES_PRIMARY : arg->source] + (uint32_t)arg->slot;
}

/* Intensity textures are uploaded as luminance textures with alpha 1, so alpha is read from red (3). */
static uint32_t operand_of(const struct stages_plan *plan, unsigned pipe, const struct stages_operand *arg)
{
    static const uint8_t code[2][3] = {{[STAGES_OWN] = 0, [STAGES_ALPHA] = 2, [STAGES_RED] = 4},
                                       {[STAGES_OWN] = 0, [STAGES_ALPHA] = 0, [STAGES_RED] = 2}};
    unsigned channel = arg->channel;
    if (arg->source == STAGES_TEXEL && plan->atom[arg->atom].intensity)
        channel = pipe == STAGES_ALPHA_PIPE ? STAGES_RED : STAGES_OWN;
    return code[pipe][channel] + arg->inv;
}

/* Stages after the plan's last one copy the previous result. */
static const struct stages_half pass_on = {.op = STAGES_ARG1,
                                           .arg = {[1] = {.used = 1, .source = STAGES_FROM_CURRENT}}};

/* The registers of a stage are consecutive. */
enum { FIRST = PICA200_SOURCE, OF_STAGE = PICA200_SCALE - FIRST + 1, FIFTH = 0x0F0 };
#define WHITE UINT32_MAX /* the constant of a stage that reads none */

static void stage(struct hwemit_code *code, const struct stages_plan *plan, unsigned s)
{
    static const uint8_t argument[3] = {1, 2, 0}; /* the plan's argument in each operand slot */
    const bool used = s < plan->nstages;
    const uint32_t first = s < 4 ? FIRST + PICA200_SOURCE_STRIDE * s
                                 : FIFTH + PICA200_SOURCE_STRIDE * (s - 4);
    uint32_t word[OF_STAGE] = {0};
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const struct stages_half *h = used ? &plan->stage[s][pipe] : &pass_on;
        for (unsigned slot = 0; slot < 3; slot++) {
            const struct stages_operand *arg = &h->arg[argument[slot]];
            if (!arg->used)
                continue;
            word[PICA200_SOURCE - FIRST] |= at(
                source_of(s, arg), (pipe ? PICA200_SOURCE_ALPHA_S0 : PICA200_SOURCE_RGB_S0) + 4 * slot);
            word[PICA200_OPERAND - FIRST] |= at(operand_of(plan, pipe, arg),
                                                (pipe ? PICA200_OPERAND_ALPHA_O0 : PICA200_OPERAND_RGB_O0) +
                                                    4 * slot);
        }
        word[PICA200_COMBINER - FIRST] |= at(ops[h->op],
                                             pipe ? PICA200_COMBINER_ALPHA : PICA200_COMBINER_RGB);
        word[PICA200_SCALE - FIRST] |= at(h->scale, pipe ? PICA200_SCALE_ALPHA : PICA200_SCALE_RGB);
    }
    for (unsigned i = 0; i < OF_STAGE; i++) {
        if (FIRST + i == PICA200_COLOR) /* hwemit_stages_constant takes the next word as the constant's */
            word[i] = used && hwemit_stages_is_read(plan->own[s])
                ? hwemit_stages_constant(code, plan, s, plan->own[s])
                : WHITE;
        hwemit_add(code, first + i, word[i]);
    }
}

void hwemit_pica200_emit(struct hwemit_code *code, const struct stages_plan *plan)
{
    uint32_t stores = 0;
    code->constant_word = constant_word;
    for (unsigned s = 0; s < PICA200_STAGES; s++)
        stage(code, plan, s);
    /* The STORE bit of stage s - 1 copies that stage's result to the buffer after stage s has read the
     * buffer's old value. In the plan, this is `store` of stage s. */
    for (unsigned s = 1; s < plan->nstages; s++)
        stores |= at(plan->stage[s][0].store, PICA200_UPDATE_BUFFER_STORE_RGB + s - 1) |
            at(plan->stage[s][1].store, PICA200_UPDATE_BUFFER_STORE_ALPHA + s - 1);
    hwemit_add(code, PICA200_UPDATE_BUFFER, stores);
    if (hwemit_stages_is_read(plan->shared))
        hwemit_add(code, PICA200_BUFFER_COLOR,
                   hwemit_stages_constant(code, plan, PICA200_BUFFER_SLOT, plan->shared));
    hwemit_add_stat(code, "words", code->nwords);
}
