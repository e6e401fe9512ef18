/* Translates a canonical texture environment to the intermediate program one to one: every enabled stage
 * becomes a colour and an alpha instruction with its scale and its clamp to [0,1] (3.8.13). Simplification is
 * left to the passes. */
#include "fragprog/inst.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* Indices of sources: those of enum texenv_source, then the texture of each unit. */
enum { TEXELS = TEXENV_SOURCES, SOURCES = TEXELS + TEXENV_UNITS };

/* State of the translation. source[] has the IR operand of each source for reads of the colour ([0]) and of
 * the replicated alpha ([1]). The lookups and constants of a stage are emitted before the stage. */
struct lower {
    struct fragprog *p;
    const struct texenv_state *state;
    bool canonical;
    unsigned unit; /* the stage being lowered */
    struct fragprog_inst *next;
    unsigned ninst; /* number of instructions before `next` */
    struct fragprog_src source[SOURCES][2];
    const struct texenv_half *half[TEXENV_UNITS][2]; /* the functions of each stage's halves */
    struct texenv_half classic[TEXENV_UNITS][2];
    /* Bits, colour 1 and alpha 2. live: halves that become instructions; texels: halves of each texture that
     * are read. */
    uint8_t live[TEXENV_UNITS], texels[TEXENV_UNITS];
    uint8_t scale[TEXENV_UNITS][2];
    unsigned colors; /* bit n: stage n reads its environment colour */
};

/* Initialisers of a source with the identity swizzle and of a source with a replicated channel. */
#define IN_PLACE(in) \
    { \
        .file = in, .lane = { FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W } \
    }
#define ALL(in, channel) \
    { \
        .file = in, .lane = { channel, channel, channel, channel } \
    }
static const struct fragprog_src begin_with[2] = {IN_PLACE(FRAGPROG_VALUE), ALL(FRAGPROG_VALUE, FRAGPROG_W)};
static const struct fragprog_src literals[2] = {ALL(FRAGPROG_LITERAL, FRAGPROG_ZERO),
                                                ALL(FRAGPROG_LITERAL, FRAGPROG_ONE)};
/* operands of the sources before the first stage */
static const struct fragprog_src first_sources[TEXENV_SOURCES][2] = {
    [TEXENV_S_ZERO] = {ALL(FRAGPROG_LITERAL, FRAGPROG_ZERO), ALL(FRAGPROG_LITERAL, FRAGPROG_ZERO)},
    [TEXENV_S_ONE] = {ALL(FRAGPROG_LITERAL, FRAGPROG_ONE), ALL(FRAGPROG_LITERAL, FRAGPROG_ONE)},
    [TEXENV_S_CONSTANT] = {IN_PLACE(FRAGPROG_CONST), ALL(FRAGPROG_CONST, FRAGPROG_W)},
    [TEXENV_S_PRIMARY] = {IN_PLACE(FRAGPROG_PRIMARY), ALL(FRAGPROG_PRIMARY, FRAGPROG_W)},
    [TEXENV_S_PREVIOUS] = {IN_PLACE(FRAGPROG_PRIMARY), ALL(FRAGPROG_PRIMARY, FRAGPROG_W)}};
#undef IN_PLACE
#undef ALL

/* Returns the channels that the base format makes 0 or 1 (3.8.1, table 3.15): colour 1, alpha 2. The colour
 * channels that RED and RG lack are not among them, since they are 0 in the texel itself. */
static unsigned literal_channels(unsigned base)
{
    if (base == TEXENV_BASE_ALPHA)
        return 1;
    return base == TEXENV_BASE_RGB || base == TEXENV_LUMINANCE || base == TEXENV_RED || base == TEXENV_RG ? 2
                                                                                                          : 0;
}

static void set_texel(struct fragprog_src src[2], unsigned base, unsigned value)
{
    const unsigned literal = literal_channels(base);
    for (unsigned alpha = 0; alpha < 2; alpha++)
        if (literal >> alpha & 1) {
            src[alpha] = literals[alpha];
        } else {
            src[alpha] = begin_with[alpha];
            src[alpha].index = (uint16_t)value;
        }
}

static void add_env_color(struct lower *l)
{
    l->source[TEXENV_S_CONSTANT][0].index = l->source[TEXENV_S_CONSTANT][1].index = l->p->nkonst;
    struct fragprog_const *k = &l->p->konst[l->p->nkonst++];
    *k = (struct fragprog_const){0};
    for (unsigned c = 0; c < 4; c++) {
        float value = l->state->stage[l->unit].color[c];
        k->value[c] = value == value ? value : 0; /* a colour that is not known is NaN */
        k->origin[c].unit = (int8_t)l->unit;
        k->origin[c].component = (uint8_t)c;
    }
}

static void complement(struct fragprog_src *src)
{
    if (src->file == FRAGPROG_LITERAL)
        *src = literals[src->lane[0] == FRAGPROG_ZERO];
    else
        src->mods = FRAGPROG_COMP;
}

static inline void read_arg(struct lower *l, struct fragprog_src *src, const struct texenv_arg *arg)
{
    const unsigned source = arg->source,
                   n = source == TEXENV_S_TEXTURE ? (unsigned)TEXELS + arg->unit : source;
    *src = l->source[n][arg->alpha != 0];
    if (arg->complement)
        complement(src);
}

/* Adds bias, doubling or negation to a source. If the source is a literal, folds the modifier; the result is
 * then 0, 1 or 1/2 with a sign. */
static void modify(struct fragprog_src *src, unsigned mods)
{
    if (src->file != FRAGPROG_LITERAL) {
        src->mods |= (uint8_t)mods;
        return;
    }
    int halves = src->lane[0] == FRAGPROG_ONE ? 2 : 0;
    if (mods & FRAGPROG_BIAS)
        halves -= 1;
    if (mods & FRAGPROG_2X)
        halves *= 2;
    if (mods & FRAGPROG_NEG)
        halves = -halves;
    const unsigned magnitude = (unsigned)(halves < 0 ? -halves : halves);
    *src = fragprog_src_replicate(FRAGPROG_LITERAL, 0,
                                  magnitude == 0       ? FRAGPROG_ZERO
                                      : magnitude == 1 ? FRAGPROG_HALF
                                                       : FRAGPROG_ONE);
    src->negate = halves < 0 ? 15 : 0;
}

/* Appends an instruction, whose operands the caller fills in. */
static struct fragprog_inst *start(struct lower *l, unsigned op, unsigned half)
{
    struct fragprog_inst *inst = l->next++;
    l->ninst++;
    memset(inst, 0, sizeof *inst);
    inst->op = (uint8_t)op;
    inst->mask = half == TEXENV_RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W;
    inst->unit = (int8_t)l->unit;
    return inst;
}

/* Translation of each function (operations of ATI_fragment_shader; the oracle checks it in tests): the
 * operation, the stage argument of each operand, and the modifier of the last operand. COMBINE4 functions use
 * the product a2*a3 as their third operand. */
static const struct {
    uint8_t op, order[3], last;
} mapping[TEXENV_FUNCS] = {
    [TEXENV_F_REPLACE] = {FRAGPROG_MOV, {0}, 0},
    [TEXENV_F_MODULATE] = {FRAGPROG_MUL, {0, 1}, 0},
    [TEXENV_F_ADD] = {FRAGPROG_ADD, {0, 1}, 0},
    [TEXENV_F_ADD_SIGNED] = {FRAGPROG_ADD, {0, 1}, FRAGPROG_BIAS},
    [TEXENV_F_INTERPOLATE] = {FRAGPROG_LERP, {2, 0, 1}, 0},
    [TEXENV_F_SUBTRACT] = {FRAGPROG_SUB, {0, 1}, 0},
    [TEXENV_F_DOT3_RGB] = {FRAGPROG_DOT3, {0, 1}, 0},
    [TEXENV_F_DOT3_RGBA] = {FRAGPROG_DOT3, {0, 1}, 0},
    [TEXENV_F_DOT3_RGB_EXT] = {FRAGPROG_DOT3, {0, 1}, 0},
    [TEXENV_F_DOT3_RGBA_EXT] = {FRAGPROG_DOT3, {0, 1}, 0},
    [TEXENV_F_MODULATE_ADD] = {FRAGPROG_MAD, {0, 2, 1}, 0},
    [TEXENV_F_MODULATE_SIGNED_ADD] = {FRAGPROG_MAD, {0, 2, 1}, FRAGPROG_BIAS},
    [TEXENV_F_MODULATE_SUBTRACT] = {FRAGPROG_MAD, {0, 2, 1}, FRAGPROG_NEG},
    [TEXENV_F_COMBINE4_ADD] = {FRAGPROG_MAD, {0, 1, 2}, 0},
    [TEXENV_F_COMBINE4_ADD_SIGNED] = {FRAGPROG_MAD, {0, 1, 2}, FRAGPROG_BIAS},
};

static bool is_combine4(const struct texenv_half *half) { return half->func >= TEXENV_F_COMBINE4_ADD; }

static bool is_pass_through(const struct texenv_half *half, unsigned h)
{
    const struct texenv_arg *arg = &half->arg[0];
    return half->func == TEXENV_F_REPLACE && half->scale == 1 && arg->source == TEXENV_S_PREVIOUS &&
        !arg->complement && arg->alpha == (h == TEXENV_ALPHA);
}

/* Emits the product a2*a3 of a combine4 half as a separate value without a clamp, because GL clamps once in a
 * stage. */
static unsigned lower_product(struct lower *l, const struct texenv_half *half, unsigned h)
{
    struct fragprog_inst *mul = start(l, FRAGPROG_MUL, h);
    read_arg(l, &mul->src[0], &half->arg[2]);
    read_arg(l, &mul->src[1], &half->arg[3]);
    if (l->canonical)
        fragprog_order_arguments(mul);
    return l->ninst - 1u;
}

/* Emits the value of half h of the stage. `half` is the function, which for the alpha of DOT3_RGBA is that of
 * the colour half. */
static unsigned lower_half(struct lower *l, const struct texenv_half *half, unsigned h, unsigned scale,
                           unsigned product)
{
    const unsigned op = mapping[half->func].op, args = fragprog_op_args(op);
    const bool sum = is_combine4(half);
    struct fragprog_inst *inst = start(l, op, h);
    for (unsigned s = 0; s < args - sum; s++)
        read_arg(l, &inst->src[s], &half->arg[mapping[half->func].order[s]]);
    if (sum) {
        inst->src[2] = begin_with[h];
        inst->src[2].index = (uint16_t)product;
    }
    if (mapping[half->func].last)
        modify(&inst->src[args - 1], mapping[half->func].last);
    if (op == FRAGPROG_DOT3) /* 4*(a-1/2)*(b-1/2) = (2a-1)*(2b-1) */
        for (unsigned s = 0; s < args; s++)
            modify(&inst->src[s], FRAGPROG_BIAS | FRAGPROG_2X);
    inst->scale = (int8_t)(scale >> 1); /* log2 of 1, 2 or 4 */
    inst->clamp = FRAGPROG_SAT;
    if (l->canonical && args > 1)
        fragprog_order_arguments(inst);
    if (l->canonical && sum)
        fragprog_order_sum(inst - 1, inst);
    return l->ninst - 1u;
}

/* Finds the functions of both halves of a stage. If the colour function also writes alpha, it is used for
 * both. */
static void find_functions(struct lower *l, unsigned u)
{
    const struct texenv_half *half = l->state->stage[u].half;
    if (l->state->stage[u].mode < TEXENV_COMBINE) {
        texenv_stage_halves(l->classic[u], l->state, u);
        half = l->classic[u];
    }
    const bool one = texenv_func_writes_alpha(half[TEXENV_RGB].func);
    l->half[u][TEXENV_RGB] = half;
    l->half[u][TEXENV_ALPHA] = one ? half : &half[TEXENV_ALPHA];
    l->scale[u][TEXENV_RGB] = half[TEXENV_RGB].scale;
    l->scale[u][TEXENV_ALPHA] = half[TEXENV_ALPHA].scale;
}

/* Visits the stages backwards and finds which halves become instructions and which texture channels they
 * read. In the canonical form only halves that reach the result become instructions, else all halves that do
 * not just pass on the previous result. */
static void find_live(struct lower *l)
{
    unsigned needed = 3;
    memset(l->texels, 0, sizeof l->texels);
    l->colors = 0;
    for (unsigned u = l->state->nstages; u-- > 0;) {
        unsigned read = 0, live = 0;
        find_functions(l, u);
        for (unsigned h = 0; h < 2; h++) {
            const struct texenv_half *of = l->half[u][h];
            if (!(needed >> h & 1))
                continue;
            if (is_pass_through(of, h)) {
                read |= 1u << h;
                continue;
            }
            live |= 1u << h;
            for (unsigned a = 0; a < TEXENV_ARGS; a++) { /* unused arguments are zero */
                const struct texenv_arg *arg = &of->arg[a];
                if (arg->source == TEXENV_S_PREVIOUS)
                    read |= arg->alpha ? 2u : 1u;
                else if (arg->source == TEXENV_S_TEXTURE)
                    l->texels[arg->unit] |= arg->alpha ? 2 : 1;
                else if (arg->source == TEXENV_S_CONSTANT)
                    l->colors |= 1u << u;
            }
        }
        l->live[u] = (uint8_t)live;
        needed = l->canonical ? read : 3;
    }
}

static void lower_lookup(struct lower *l)
{
    const struct texenv_stage *stage = &l->state->stage[l->unit];
    const unsigned read = l->texels[l->unit] & ~literal_channels(stage->base);
    if (!l->texels[l->unit])
        return;
    set_texel(l->source[TEXELS + l->unit], stage->base, l->ninst);
    if (l->canonical && !read)
        return;
    struct fragprog_inst *tex = start(l, FRAGPROG_TEX, TEXENV_RGB);
    tex->mask = FRAGPROG_MASK_XYZW;
    tex->texture = (uint8_t)l->unit;
    tex->target = stage->target;
    tex->base = stage->base;
    tex->shadow = stage->depth == 2;
    tex->src[0] = begin_with[0];
    tex->src[0].file = FRAGPROG_COORD;
    tex->src[0].index = (uint16_t)l->unit;
    if (l->canonical) {
        tex->mask = (uint8_t)((read & 1 ? FRAGPROG_MASK_XYZ : 0) | (read & 2 ? FRAGPROG_MASK_W : 0));
        fragprog_forget_format(tex);
    }
}

static void lower_stage(struct lower *l)
{
    const struct texenv_half *const *half = l->half[l->unit];
    const unsigned live = l->live[l->unit];
    /* Emits the products first, so that the last instructions of both halves are adjacent and can be paired.
     * In the canonical form each product directly precedes its sum. */
    unsigned product[2] = {0, 0};
    for (unsigned h = 0; h < 2 && !l->canonical; h++)
        if (is_combine4(half[h]))
            product[h] = lower_product(l, half[h], h);
    /* Both halves read the result of the previous stage, so it is updated after both. */
    struct fragprog_src previous[2] = {l->source[TEXENV_S_PREVIOUS][0], l->source[TEXENV_S_PREVIOUS][1]};
    for (unsigned h = 0; h < 2; h++) {
        if (!(live >> h & 1))
            continue;
        if (is_combine4(half[h]) && l->canonical)
            product[h] = lower_product(l, half[h], h);
        previous[h].file = FRAGPROG_VALUE;
        previous[h].index = (uint16_t)lower_half(l, half[h], h, l->scale[l->unit][h], product[h]);
    }
    memcpy(l->source[TEXENV_S_PREVIOUS], previous, sizeof previous);
}

void fragprog_lower(struct fragprog *p, const struct texenv_state *state)
{
    fragprog_lower_for(p, state, false);
}

void fragprog_lower_for(struct fragprog *p, const struct texenv_state *state, bool canonical)
{
    struct lower l;
    l.p = p;
    l.state = state;
    l.canonical = canonical;
    memcpy(l.source, first_sources, sizeof first_sources);
    l.next = p->inst;
    l.ninst = p->nkonst = 0;

    find_live(&l);
    for (l.unit = 0; l.unit < state->nstages; l.unit++)
        lower_lookup(&l);
    for (l.unit = 0; l.unit < state->nstages; l.unit++) {
        if (l.colors >> l.unit & 1)
            add_env_color(&l);
        lower_stage(&l);
    }
    l.unit = state->nstages - 1u; /* unit of the instructions after the last stage */
    for (unsigned h = 0; h < 2; h++) {
        const struct fragprog_src *last = &l.source[TEXENV_S_PREVIOUS][h];
        p->result[h] = last->index;
        if (last->file == FRAGPROG_PRIMARY) { /* no half was emitted: the primary colour is the result */
            p->result[h] = (uint16_t)l.ninst;
            struct fragprog_inst *mov = start(&l, FRAGPROG_MOV, h);
            mov->clamp = FRAGPROG_SAT;
            mov->src[0] = *last;
        }
    }
    p->ninst = (uint16_t)l.ninst;
}
