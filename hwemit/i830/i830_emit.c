/* Encodes a plan of stages as packets (notes/facts/i830.md 3), in the order of the classic driver: for each
 * stage the two operations, their arguments, the stage's constant (factor). All fields are written, and all
 * arguments that are read, so that nothing depends on earlier state. */
#include "hwemit/i830/i830.h"

struct emission {
    struct hwemit_code *code;
    const struct stages_plan *plan;
};

static uint32_t at(uint32_t value, enum i830_place shift) { return value << shift; }
static void word(struct emission *e, uint32_t value) { hwemit_add(e->code, HWEMIT_STREAM, value); }

/* Makes unit s sample map s with coordinate set s, without bump mapping; binds set s to the coordinate set of
 * GL that the texture uses. */
static void routing(struct emission *e)
{
    uint32_t sets = 0;
    for (unsigned s = 0; s < I830_TEXTURE_SLOTS; s++)
        if (e->plan->texture[s]) {
            word(e,
                 I830_MAP_TEX_STREAM | at(s, I830_MAP_TEX_STREAM_UNIT) |
                     at(1, I830_MAP_TEX_STREAM_BUMP_VALID) | at(1, I830_MAP_TEX_STREAM_MODIFY) |
                     at(1, I830_MAP_TEX_STREAM_COORD_VALID) | at(s, I830_MAP_TEX_STREAM_COORD) |
                     at(1, I830_MAP_TEX_STREAM_MAP_VALID) | at(s, I830_MAP_TEX_STREAM_MAP));
            sets |= (uint32_t)(8 | e->plan->atom[e->plan->texture[s]].coord) << 4 * s;
        }
    if (sets) {
        word(e, I830_MAP_COORD_SETBIND);
        word(e, sets);
    }
}

/* Writes a constant. slot: the stage, or 4 for the constant that all stages share. part: its rgb and alpha.
 */
static void factor(struct emission *e, unsigned slot, const uint16_t part[2])
{
    if (!hwemit_stages_is_read(part))
        return;
    if (slot == I830_STAGES)
        word(e, I830_COLOR_FACTOR);
    else
        word(e, I830_COLOR_FACTOR_N | at(slot, I830_COLOR_FACTOR_N_STAGE));
    word(e, hwemit_stages_constant(e->code, e->plan, slot, part));
}

/* Codes of operations, with the same arguments (notes/facts/i830.md 2). */
static const uint8_t ops[] = {
    [STAGES_ARG1] = 0x1,
    [STAGES_MODULATE] = 0x3,
    [STAGES_ADD] = 0x6,
    [STAGES_ADDSIGNED] = 0x7,
    [STAGES_BLEND] = 0x8,
    [STAGES_SUBTRACT] = 0xa,
    [STAGES_DOT3] = 0xb,
    [STAGES_DOT4] = 0xc, /* the sum has the alpha pipe's term, too */
    [STAGES_MODULATE_AND_ADD] = 0xd,
    [STAGES_MODULATE_2X_AND_ADD] = 0xe,
    [STAGES_MODULATE_4X_AND_ADD] = 0xf,
};

/* The scale of DOT4 is in the colour operation only (notes/facts/i830.md 4). */
static void operation(struct emission *e, unsigned s, unsigned pipe)
{
    const struct stages_half *h = &e->plan->stage[s][pipe];
    const uint32_t scale = h->op == STAGES_DOT4 && pipe == STAGES_ALPHA_PIPE ? 0 : h->scale;
    uint32_t w = I830_MAP_BLEND_OP | at(s, I830_MAP_BLEND_OP_STAGE) | at(pipe, I830_MAP_BLEND_OP_PIPE) |
        at(1, I830_MAP_BLEND_OP_OUTPUT_VALID) | at(h->out, I830_MAP_BLEND_OP_OUTPUT) |
        at(scale, I830_MAP_BLEND_OP_SCALE) | at(1, I830_MAP_BLEND_OP_MODIFY) |
        at(ops[h->op], I830_MAP_BLEND_OP_OP);
    if (pipe == STAGES_COLOR_PIPE)
        w |= at(1, I830_MAP_BLEND_OP_CONTROL_VALID) |
            at(s + 1 == e->plan->nstages, I830_MAP_BLEND_OP_LAST_STAGE);
    word(e, w);
}

/* Codes of sources (notes/facts/i830.md 3.2). */
static const uint8_t sources[] = {
    [STAGES_FROM_ONE] = 0,     /* ONE */
    [STAGES_FROM_SHARED] = 1,  /* FACTOR */
    [STAGES_FROM_SECOND] = 2,  /* ACCUM */
    [STAGES_PRIMARY] = 3,      /* DIFFUSE */
    [STAGES_SECONDARY] = 4,    /* SPECULAR */
    [STAGES_FROM_CURRENT] = 5, /* CURRENT */
    [STAGES_TEXEL] = 6,        /* + n: TEXELn */
    [STAGES_KONST] = 14        /* FACTOR_N */
};

/* Stage 0 reads the primary colour as CURRENT, as the driver does (notes/facts/i830.md 1). */
static uint32_t source_of(unsigned s, const struct stages_operand *arg)
{
    const bool first = s == 0 && arg->source == STAGES_PRIMARY;
    return sources[first ? STAGES_FROM_CURRENT : arg->source] + (uint32_t)arg->slot;
}

static void arguments(struct emission *e, unsigned s, unsigned pipe)
{
    static const uint8_t order[3] = {1, 2, 0};
    for (unsigned k = 0; k < 3; k++) {
        const unsigned n = order[k];
        const struct stages_operand *arg = &e->plan->stage[s][pipe].arg[n];
        if (arg->used)
            word(e,
                 I830_MAP_BLEND_ARG | at(s, I830_MAP_BLEND_ARG_STAGE) | at(pipe, I830_MAP_BLEND_ARG_PIPE) |
                     at(n, I830_MAP_BLEND_ARG_ARG) | at(1, I830_MAP_BLEND_ARG_MODIFY) |
                     at(arg->channel == STAGES_ALPHA, I830_MAP_BLEND_ARG_REPLICATE_ALPHA) |
                     at(arg->inv, I830_MAP_BLEND_ARG_INVERT) |
                     at(source_of(s, arg), I830_MAP_BLEND_ARG_SOURCE));
    }
}

void hwemit_i830_emit(struct hwemit_code *code, const struct stages_plan *plan)
{
    struct emission e = {.code = code, .plan = plan};
    for (unsigned s = 0; s < plan->nstages; s++) {
        for (unsigned pipe = 0; pipe < 2; pipe++)
            operation(&e, s, pipe);
        for (unsigned pipe = 0; pipe < 2; pipe++)
            arguments(&e, s, pipe);
        factor(&e, s, plan->own[s]);
    }
    factor(&e, I830_STAGES, plan->shared);
    routing(&e);
    hwemit_add_stat(code, "dwords", code->nwords);
}
