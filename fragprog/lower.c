/* Canonical texture environment -> intermediate program, literally: every enabled stage gives a colour and an
 * alpha value with its scale and its clamp to [0,1] (3.8.13). Rewriting is the passes' business. */
#include "fragprog/inst.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

enum { NONE = 0xffff };

struct lower {
    struct fragprog *p;
    const struct texenv_state *state;
    bool canonical;
    unsigned unit;        /* being lowered */
    uint16_t previous[2]; /* values of the previous result; NONE: the primary colour */
    uint16_t texel[TEXENV_UNITS];
    uint16_t konst[TEXENV_UNITS]; /* pool index of each unit's colour, NONE: not yet there */
};

/* Channels that the base format makes 0 or 1 (3.8.1, table 3.15). RED and RG need none here: what they lack
 * of rgb is 0 in the texel itself. */
static bool texel_is_literal(unsigned base, bool alpha, bool *one)
{
    *one = alpha;
    if (!alpha)
        return base == TEXENV_BASE_ALPHA;
    return base == TEXENV_BASE_RGB || base == TEXENV_LUMINANCE || base == TEXENV_RED || base == TEXENV_RG;
}

/* Sources begin as one of these: all of a value in place, and its alpha everywhere. */
static const struct fragprog_src begin_with[2] = {{.lane = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W}},
                                                  {.lane = {FRAGPROG_W, FRAGPROG_W, FRAGPROG_W, FRAGPROG_W}}};

static void become_literal(struct fragprog_src *src, unsigned lane)
{
    *src = fragprog_src_replicate(FRAGPROG_LITERAL, 0, lane);
}

static unsigned env_color(struct lower *l)
{
    if (l->konst[l->unit] == NONE) {
        struct fragprog_const *k = &l->p->konst[l->p->nkonst];
        for (unsigned c = 0; c < 4; c++) {
            float value = l->state->stage[l->unit].color[c];
            k->value[c] = value == value ? value : 0; /* not known */
            k->origin[c].unit = (int8_t)l->unit;
            k->origin[c].component = (uint8_t)c;
        }
        l->konst[l->unit] = l->p->nkonst++;
    }
    return l->konst[l->unit];
}

static void read_arg(struct lower *l, struct fragprog_src *src, const struct texenv_arg *arg)
{
    unsigned file = FRAGPROG_VALUE, index = 0;
    bool one;
    switch (arg->source) {
    case TEXENV_S_ZERO:
    case TEXENV_S_ONE:
        become_literal(src, arg->source == TEXENV_S_ONE ? FRAGPROG_ONE : FRAGPROG_ZERO);
        return;
    case TEXENV_S_TEXTURE:
        if (texel_is_literal(l->state->stage[arg->unit].base, arg->alpha, &one)) {
            become_literal(src, one != arg->complement ? FRAGPROG_ONE : FRAGPROG_ZERO);
            return;
        }
        index = l->texel[arg->unit];
        break;
    case TEXENV_S_CONSTANT: file = FRAGPROG_CONST, index = env_color(l); break;
    case TEXENV_S_PRIMARY: file = FRAGPROG_PRIMARY; break;
    default:
        index = l->previous[arg->alpha ? TEXENV_ALPHA : TEXENV_RGB];
        if (index == NONE)
            file = FRAGPROG_PRIMARY, index = 0;
        break;
    }
    *src = begin_with[arg->alpha != 0];
    src->file = (uint8_t)file;
    src->index = (uint16_t)index;
    src->mods = arg->complement ? FRAGPROG_COMP : 0;
}

/* Adds bias, doubling or negation. A literal takes them into its lane: 0, 1, 1/2 with a sign are all that can
 * come out. */
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
    int magnitude = halves < 0 ? -halves : halves;
    become_literal(src, magnitude == 0 ? FRAGPROG_ZERO : magnitude == 1 ? FRAGPROG_HALF : FRAGPROG_ONE);
    src->negate = halves < 0 ? 15 : 0;
}

/* An instruction at the end of the program, to be filled in there. */
static struct fragprog_inst *start(const struct lower *l, unsigned op, unsigned half)
{
    struct fragprog_inst *inst = &l->p->inst[l->p->ninst++];
    memset(inst, 0, sizeof *inst);
    inst->op = (uint8_t)op;
    inst->mask = half == TEXENV_RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W;
    inst->unit = (int8_t)l->unit;
    return inst;
}

/* How each function maps (ATI_fragment_shader operations; facts checked in tests by the oracle): the
 * operation, which argument goes where, and what modifies the last one. COMBINE4 functions take the product
 * a2*a3 as their third. */
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

/* The product a2*a3 of a combine4 half, a value of its own without clamp: GL clamps once a stage. */
static unsigned lower_product(struct lower *l, const struct texenv_half *half, unsigned h)
{
    struct fragprog_inst *mul = start(l, FRAGPROG_MUL, h);
    read_arg(l, &mul->src[0], &half->arg[2]);
    read_arg(l, &mul->src[1], &half->arg[3]);
    if (l->canonical)
        fragprog_order_arguments(mul);
    return l->p->ninst - 1u;
}

/* The stage's value for half h. half: the function, which for the alpha of DOT3_RGBA is the colour's. */
static unsigned lower_half(struct lower *l, const struct texenv_half *half, unsigned h, unsigned scale,
                           unsigned product)
{
    struct fragprog_inst *inst = start(l, mapping[half->func].op, h);
    const unsigned args = fragprog_op_args(inst->op);
    for (unsigned s = 0; s < args; s++) {
        struct fragprog_src *src = &inst->src[s];
        if (is_combine4(half) && s == 2) {
            *src = begin_with[h];
            src->index = (uint16_t)product;
        } else {
            read_arg(l, src, &half->arg[mapping[half->func].order[s]]);
        }
        if (inst->op == FRAGPROG_DOT3)
            modify(src, FRAGPROG_BIAS | FRAGPROG_2X); /* 4*(a-1/2)*(b-1/2) = (2a-1)*(2b-1) */
        else if (s == args - 1)
            modify(src, mapping[half->func].last);
    }
    inst->scale = scale == 4 ? 2 : scale == 2 ? 1 : 0;
    inst->clamp = FRAGPROG_SAT;
    if (l->canonical)
        fragprog_order_arguments(inst);
    if (l->canonical && is_combine4(half))
        fragprog_order_sum(&l->p->inst[product], inst);
    return l->p->ninst - 1u;
}

static void lower_stage(struct lower *l)
{
    struct texenv_half classic[2];
    const struct texenv_half *half = l->state->stage[l->unit].half;
    if (l->state->stage[l->unit].mode < TEXENV_COMBINE) {
        texenv_stage_halves(classic, l->state, l->unit);
        half = classic;
    }
    bool alpha_from_rgb = texenv_func_writes_alpha(half[TEXENV_RGB].func);
    /* A half that passes the previous result through is no operation. Products first, so that the halves'
     * last instructions are neighbours and pair up; the canonical form has them with their sums. Both
     * halves read the old previous result: it changes only when both are done. */
    bool passes[2], from_rgb[2] = {false, alpha_from_rgb};
    unsigned product[2] = {0, 0}, value[2] = {0, 0};
    for (unsigned h = 0; h < 2; h++) {
        passes[h] = !from_rgb[h] && is_pass_through(&half[h], h);
        if (!from_rgb[h] && is_combine4(&half[h]) && !l->canonical)
            product[h] = lower_product(l, &half[h], h);
    }
    for (unsigned h = 0; h < 2; h++) {
        if (!from_rgb[h] && is_combine4(&half[h]) && l->canonical)
            product[h] = lower_product(l, &half[h], h);
        if (!passes[h])
            value[h] = lower_half(l, &half[from_rgb[h] ? TEXENV_RGB : h], h, half[h].scale, product[h]);
    }
    for (unsigned h = 0; h < 2; h++)
        if (!passes[h])
            l->previous[h] = (uint16_t)value[h];
}

void fragprog_lower(struct fragprog *p, const struct texenv_state *state)
{
    fragprog_lower_for(p, state, false);
}

void fragprog_lower_for(struct fragprog *p, const struct texenv_state *state, bool canonical)
{
    struct lower l = {.p = p, .state = state, .canonical = canonical, .previous = {NONE, NONE}};
    p->ninst = p->nkonst = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        l.texel[u] = l.konst[u] = NONE;

    unsigned read = 0;
    for (unsigned u = 0; u < state->nstages; u++)
        read |= texenv_stage_textures(state, u);
    for (unsigned u = 0; u < state->nstages; u++) {
        const struct texenv_stage *stage = &state->stage[u];
        if (!(read & 1u << u))
            continue;
        l.unit = u;
        l.texel[u] = p->ninst;
        struct fragprog_inst *tex = start(&l, FRAGPROG_TEX, TEXENV_RGB);
        tex->mask = FRAGPROG_MASK_XYZW;
        tex->texture = (uint8_t)u;
        tex->target = stage->target;
        tex->base = stage->base;
        tex->shadow = stage->depth == 2;
        tex->src[0] = begin_with[0];
        tex->src[0].file = FRAGPROG_COORD;
        tex->src[0].index = (uint16_t)u;
    }
    for (l.unit = 0; l.unit < state->nstages; l.unit++)
        lower_stage(&l);
    l.unit = state->nstages - 1u; /* of what comes after the last */
    for (unsigned h = 0; h < 2; h++) {
        if (l.previous[h] == NONE) { /* no operation: the primary colour is the result */
            l.previous[h] = p->ninst;
            struct fragprog_inst *mov = start(&l, FRAGPROG_MOV, h);
            mov->clamp = FRAGPROG_SAT;
            mov->src[0] = begin_with[h];
            mov->src[0].file = FRAGPROG_PRIMARY;
        }
        p->result[h] = l.previous[h];
    }
}
