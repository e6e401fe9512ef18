/* The cover as packets (fact sheet i830.md 3), in the classic driver's order: for each stage the two
 * operations, the arguments of each, the stage's factor. Nothing is left to what was set before: every part
 * of an operation and every argument that it reads is written. */
#include "hwemit/stages/stages_cover.h"

enum { FRESH = -2 };

struct emission {
    struct hwemit_code *code;
    const struct stages_cover *c;
    const struct stages_plan *plan;
    unsigned slots;                  /* bit s: in use */
    uint8_t map[STAGES_TEXTURE_SLOTS]; /* atom of its texture */
    uint8_t slot[STAGES_ATOMS];        /* by atom */
};

static uint32_t at(uint32_t value, enum i830_shift shift) { return value << shift; }
static uint32_t header(enum i830_packet packet) { return hwemit_i830_registers[packet].fixed; }
static void word(struct emission *e, uint32_t value) { hwemit_add(e->code, HWEMIT_STREAM, value); }

/* ---- textures ---- */

/* Texture n stays in map n where that exists and is free. */
static void bind(struct emission *e, unsigned atom, bool own)
{
    const struct stages_atom *a = &e->c->atom[atom];
    for (unsigned i = 1; i < e->c->natoms; i++) /* the other part of the same texture */
        if (i != atom && e->slot[i] != 0xff && e->c->atom[i].index == a->index &&
            e->c->atom[i].coord == a->coord)
            e->slot[atom] = e->slot[i];
    if (e->slot[atom] != 0xff)
        return;
    unsigned slot = a->index;
    if (slot >= STAGES_TEXTURE_SLOTS || e->slots >> slot & 1) {
        if (own)
            return;
        for (slot = 0; e->slots >> slot & 1; slot++)
            ;
    }
    e->slots |= 1u << slot;
    e->slot[atom] = (uint8_t)slot;
    e->map[slot] = (uint8_t)atom;
}

static void textures(struct emission *e)
{
    for (unsigned i = 0; i < STAGES_ATOMS; i++)
        e->slot[i] = 0xff;
    for (unsigned own = 2; own-- > 0;)
        for (unsigned s = 0; s < e->plan->nstages; s++)
            for (unsigned pipe = 0; pipe < 2; pipe++)
                for (unsigned i = 0; i < 3; i++)
                    if (e->plan->stage[s][pipe].arg[i].used &&
                        e->plan->stage[s][pipe].arg[i].source == STAGES_S_TEXEL0)
                        bind(e, e->plan->stage[s][pipe].arg[i].atom, own);
    for (unsigned slot = 0; slot < STAGES_TEXTURE_SLOTS; slot++)
        if (e->slots >> slot & 1) {
            const struct stages_atom *a = &e->c->atom[e->map[slot]];
            hwemit_add_texture(e->code, slot, a->index, a->coord, a->target);
        }
}

/* Unit s samples map s at coordinate set s, without bump mapping; set s is the vertex's set of that number in
 * GL. */
static void routing(struct emission *e)
{
    uint32_t sets = 0;
    for (unsigned s = 0; s < STAGES_TEXTURE_SLOTS; s++)
        if (e->slots >> s & 1) {
            word(e,
                 header(I830_MAP_TEX_STREAM) | at(s, I830_STREAM_UNIT) | at(1, I830_STREAM_BUMP_VALID) |
                     at(1, I830_STREAM_MODIFY) | at(1, I830_STREAM_COORD_VALID) | at(s, I830_STREAM_COORD) |
                     at(1, I830_STREAM_MAP_VALID) | at(s, I830_STREAM_MAP));
            sets |= (uint32_t)(8 | e->c->atom[e->map[s]].coord) << 4 * s;
        }
    if (sets) {
        word(e, header(I830_MAP_COORD_SETBIND));
        word(e, sets);
    }
}

/* ---- factors ---- */

/* Factors are ARGB8888, to nearest. */
static uint32_t constant_word(const float rgba[4], unsigned n)
{
    (void)n; /* there is one */
    return at(hwemit_unorm8(rgba[3]), I830_ARGB_A) | at(hwemit_unorm8(rgba[0]), I830_ARGB_R) |
        at(hwemit_unorm8(rgba[1]), I830_ARGB_G) | at(hwemit_unorm8(rgba[2]), I830_ARGB_B);
}

/* The unit whose colour it is, or -1. */
static int unit_of(const struct stages_konst *k, unsigned channels)
{
    for (unsigned i = 0; i < channels; i++)
        if (k->unit[i] != k->unit[0])
            return -1;
    return k->unit[0];
}

/* slot: the stage, or 4 for the global one. part: konst in rgb, in alpha. */
static void factor(struct emission *e, unsigned slot, const uint16_t part[2])
{
    float value[4] = {0, 0, 0, 0};
    int unit[2] = {FRESH, FRESH}; /* which colour each part is of; -1: the program's own */
    for (unsigned p = 0; p < 2; p++) {
        if (part[p] == STAGES_HALF) {
            value[3] = 128.0f / 255.0f;
            unit[1] = -1;
        } else if (part[p] != STAGES_NONE) {
            const struct stages_konst *k = &e->c->konst[part[p]];
            unit[p] = unit_of(k, p ? 1 : 3);
            for (unsigned i = 0; i < (p ? 1u : 3u); i++)
                value[p ? 3 : i] = k->value[i];
        }
    }
    /* The part that nothing reads is the rest of the colour; of the half, the same in all channels, as the
     * driver initialises it. */
    for (unsigned p = 0; p < 2; p++) {
        if (unit[p] != FRESH)
            continue;
        unit[p] = unit[1 - p];
        for (unsigned i = p ? 3 : 0; i < (p ? 4u : 3u); i++)
            value[i] = part[1 - p] == STAGES_HALF ? value[3] : e->c->konst[part[1 - p]].color[i];
    }
    if (slot == STAGES_STAGES)
        word(e, header(I830_COLOR_FACTOR));
    else
        word(e, header(I830_COLOR_FACTOR_N) | at(slot, I830_FACTOR_N_STAGE));
    for (unsigned p = 0; p < (unit[0] == unit[1] ? 1u : 2u); p++) {
        hwemit_add_constant(e->code, slot, unit[p], value);
        e->code->constant[e->code->nconstants - 1].channels = unit[0] == unit[1] ? 15
            : p                                                                  ? FRAGPROG_MASK_W
                                                                                 : FRAGPROG_MASK_XYZ;
    }
    e->code->constant_word = constant_word;
    e->code->constant_words = 1;
    word(e, constant_word(value, 0));
}

/* ---- stages ---- */

static void operation(struct emission *e, unsigned s, unsigned pipe)
{
    const struct stages_half *h = &e->plan->stage[s][pipe];
    uint32_t w = header(I830_MAP_BLEND_OP) | at(s, I830_OP_STAGE) | at(pipe, I830_OP_PIPE) |
        at(1, I830_OP_OUTPUT_VALID) | at(h->out, I830_OP_OUTPUT) | at(h->scale, I830_OP_SCALE) |
        at(1, I830_OP_MODIFY) | at(h->op, I830_OP_OP);
    if (pipe == STAGES_COLOR_PIPE)
        w |= at(1, I830_OP_CONTROL_VALID) | at(s + 1 == e->plan->nstages, I830_OP_LAST_STAGE);
    word(e, w);
}

static void arguments(struct emission *e, unsigned s, unsigned pipe)
{
    static const uint8_t order[3] = {1, 2, 0};
    for (unsigned k = 0; k < 3; k++) {
        const unsigned n = order[k];
        const struct stages_half *h = &e->plan->stage[s][pipe];
        uint32_t source = h->arg[n].source;
        if (!h->arg[n].used)
            continue;
        if (source == STAGES_S_TEXEL0) {
            source += e->slot[h->arg[n].atom];
        } else if (source == STAGES_S_DIFFUSE && s == 0) {
            source = STAGES_S_CURRENT; /* as the driver reads it there (fact sheet 1) */
        } else if (source == STAGES_S_FACTOR_N) {
            const struct stages_atom *a = &e->c->atom[h->arg[n].atom];
            const uint16_t konst = h->arg[n].atom ? a->index : (uint16_t)STAGES_HALF;
            if (konst == e->plan->global[h->arg[n].atom ? a->scalar : 1])
                source = STAGES_S_FACTOR;
        }
        word(e,
             header(I830_MAP_BLEND_ARG) | at(s, I830_ARG_STAGE) | at(pipe, I830_ARG_PIPE) |
                 at(n, I830_ARG_NUMBER) | at(1, I830_ARG_MODIFY) |
                 at(h->arg[n].alpha, I830_ARG_REPLICATE_ALPHA) | at(h->arg[n].inv, I830_ARG_INVERT) |
                 at(source, I830_ARG_SOURCE));
    }
}

void hwemit_i830_emit(struct hwemit_code *code, const struct stages_cover *c, const struct stages_plan *plan)
{
    struct emission e = {.code = code, .c = c, .plan = plan};
    textures(&e);
    for (unsigned s = 0; s < plan->nstages; s++) {
        for (unsigned pipe = 0; pipe < 2; pipe++)
            operation(&e, s, pipe);
        for (unsigned pipe = 0; pipe < 2; pipe++)
            arguments(&e, s, pipe);
        if (plan->factor[s][0] != STAGES_NONE || plan->factor[s][1] != STAGES_NONE)
            factor(&e, s, plan->factor[s]);
    }
    if (plan->global[0] != STAGES_NONE || plan->global[1] != STAGES_NONE)
        factor(&e, STAGES_STAGES, plan->global);
    routing(&e);
    hwemit_add_stat(code, "stages", plan->nstages);
    hwemit_add_stat(code, "dwords", code->nwords);
}
