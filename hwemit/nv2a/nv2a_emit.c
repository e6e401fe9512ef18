/* The cover as methods: of each general stage four inputs and the results of each half, constants, then the
 * final combiner (fact sheet nv2a.md 1 to 4, 8). Values of the cover lie in [0,1]; a register may hold what
 * is below, which unsigned mappings read as 0. */
#include "hwemit/nv2a/nv2a.h"

struct emission {
    struct hwemit_code *code;
    const struct stages_plan *plan;
    uint8_t texture[NV2A_TEXTURES]; /* its atom; 0: none */
    bool written[2]; /* r0 by each half; before that the cover's CURRENT is the primary colour */
};

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

/* A8R8G8B8, to nearest. */
static uint32_t constant_word(const float rgba[4], unsigned n)
{
    (void)n; /* there is one */
    return at(hwemit_unorm8(rgba[3]), 24) | at(hwemit_unorm8(rgba[0]), 16) | at(hwemit_unorm8(rgba[1]), 8) |
        hwemit_unorm8(rgba[2]);
}

/* The input byte of an operand, under the mapping that reads it as it is; that of 1-x is the next one. */
static uint32_t operand(const struct emission *e, unsigned pipe, const struct stages_operand *arg,
                        uint32_t mapping)
{
    const struct stages_atom *a = &e->plan->atom[arg->atom];
    const bool alpha = pipe == STAGES_COLOR_PIPE ? arg->channel == STAGES_ALPHA : arg->channel == STAGES_OWN;
    uint32_t reg = NV2A_ZERO;
    switch ((enum stages_source)arg->source) {
    case STAGES_S_CURRENT: reg = e->written[alpha] ? NV2A_R0 : NV2A_V0; break;
    case STAGES_S_SECOND: reg = NV2A_R1; break;
    case STAGES_S_ONE: return (mapping | NV2A_ZERO) + (arg->inv ? 0u : NV2A_INVERT);
    case STAGES_S_CONSTANT: reg = arg->shared ? NV2A_C1 : NV2A_C0; break;
    default:
        reg = a->kind == STAGES_PRIMARY   ? NV2A_V0
            : a->kind == STAGES_SECONDARY ? NV2A_V1
                                          : NV2A_T0 + hwemit_stages_slot(e->plan, e->texture, arg->atom);
    }
    return (mapping | reg | (alpha ? NV2A_ALPHA : 0u)) + (arg->inv ? NV2A_INVERT : 0u);
}

/* Inputs and results of a half. D of a sum is a factor of C: 1 where there is none. */
struct half {
    uint32_t a, b, c, d, ab, sum, op;
};

/* c*d is -x: by a sign, or where x is a register that may hold what is below 0, times what expands to -1. */
static void subtract(const struct emission *e, unsigned pipe, const struct stages_operand *arg,
                     struct half *r)
{
    const bool sign = !arg->inv && (arg->source == STAGES_S_ATOM || arg->source == STAGES_S_CONSTANT);
    r->c = operand(e, pipe, arg, sign ? NV2A_SIGNED + NV2A_INVERT : 0);
    r->d = sign ? NV2A_ONE : NV2A_MINUS_ONE;
}

static struct half half_of(const struct emission *e, unsigned s, unsigned pipe)
{
    static const uint8_t scales[3] = {NV2A_OP_X1, NV2A_OP_X2, NV2A_OP_X4};
    const struct stages_half *h = &e->plan->stage[s][pipe];
    const struct stages_operand *arg = h->arg;
    const uint32_t out = h->out ? NV2A_R1 : NV2A_R0;
    uint32_t x[STAGES_ARGS];
    for (unsigned i = 0; i < STAGES_ARGS; i++)
        x[i] = arg[i].used ? operand(e, pipe, &arg[i], 0) : NV2A_ONE;
    struct half r = {x[1], x[2], 0, 0, 0, out, scales[h->scale]};
    switch (h->op) {
    case STAGES_ARG1:
    case STAGES_MODULATE: r.ab = out, r.sum = 0; break; /* of ARG1, b is 1 */
    case STAGES_DOT3:
    case STAGES_DOT4:
        r.a = operand(e, pipe, &arg[1], NV2A_EXPAND), r.b = operand(e, pipe, &arg[2], NV2A_EXPAND);
        r.ab = out, r.sum = 0;
        break;
    case STAGES_ADD: r.b = NV2A_ONE, r.c = x[2], r.d = NV2A_ONE; break;
    case STAGES_SUBTRACT: r.b = NV2A_ONE, subtract(e, pipe, &arg[2], &r); break;
    case STAGES_ADDSIGNED:
        r.b = NV2A_ONE, r.c = operand(e, pipe, &arg[2], NV2A_HALF_BIAS), r.d = NV2A_ONE;
        break;
    case STAGES_BLEND: /* a0 and 1-a0: their mappings differ in one bit */
        r.a = x[0], r.b = x[1], r.c = x[0] ^ NV2A_INVERT, r.d = x[2];
        break;
    case STAGES_MODULATE_AND_SUBTRACT: subtract(e, pipe, &arg[0], &r); break;
    case STAGES_MODULATE_AND_ADDSIGNED:
        r.c = operand(e, pipe, &arg[0], NV2A_HALF_BIAS), r.d = NV2A_ONE;
        break;
    default: /* MODULATE_AND_ADD, PRODUCTS, PRODUCTS_SIGNED */
        r.c = x[0], r.d = x[3];
        r.op += h->op == STAGES_PRODUCTS_SIGNED ? NV2A_OP_BIAS : 0u;
        break;
    }
    return r;
}

/* r0 stays as it is. */
static bool keeps(const struct emission *e, unsigned pipe, const struct stages_half *h)
{
    return e->written[pipe] && h->op == STAGES_ARG1 && !h->out && !h->scale &&
        h->arg[1].source == STAGES_S_CURRENT && h->arg[1].channel == STAGES_OWN && !h->arg[1].inv;
}

/* DOT4 is the colour half's dot product; the register's alpha becomes its blue. */
static void stage(struct emission *e, unsigned s, uint32_t input[2], uint32_t output[2])
{
    const bool dot4 = e->plan->stage[s][STAGES_ALPHA_PIPE].op == STAGES_DOT4;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const bool dot = e->plan->stage[s][pipe].op == STAGES_DOT3 ||
            e->plan->stage[s][pipe].op == STAGES_DOT4;
        input[pipe] = output[pipe] = 0;
        if (keeps(e, pipe, &e->plan->stage[s][pipe]) || (pipe == STAGES_ALPHA_PIPE && dot4))
            continue;
        const struct half h = half_of(e, s, pipe);
        input[pipe] = at(h.a, NV2A_COLOR_A) | at(h.b, NV2A_COLOR_B) | at(h.c, NV2A_COLOR_C) |
            at(h.d, NV2A_COLOR_D);
        output[pipe] = at(h.ab, NV2A_OCW_AB) | at(h.sum, NV2A_OCW_SUM) | at(h.op, NV2A_OCW_OP);
        if (dot)
            output[pipe] |= at(1, NV2A_OCW_AB_DOT) | at(dot4, NV2A_OCW_AB_BLUE);
    }
    for (unsigned pipe = 0; pipe < 2; pipe++)
        e->written[pipe] |= !e->plan->stage[s][pipe].out;
}

/* The word of a constant that has these parts, rgb and alpha, if something reads it. */
static void constant(const struct emission *e, uint32_t method, unsigned slot, const uint16_t part[2])
{
    float rgba[4];
    if (part[0] == STAGES_NONE && part[1] == STAGES_NONE)
        return;
    hwemit_stages_constant(e->code, e->plan, slot, part, rgba);
    hwemit_add(e->code, method, constant_word(rgba, 0));
}

static uint32_t textures(struct emission *e)
{
    uint32_t modes = 0;
    hwemit_stages_textures(e->plan, e->texture, NV2A_TEXTURES);
    for (unsigned slot = 0; slot < NV2A_TEXTURES; slot++) {
        const struct stages_atom *a = &e->plan->atom[e->texture[slot]];
        if (!e->texture[slot])
            continue;
        modes |= at(a->target == TEXENV_CUBE                  ? NV2A_CUBE
                        : a->target == TEXENV_3D || a->shadow ? NV2A_PROJECT3D /* that one compares r/q */
                                                              : NV2A_PROJECT2D,
                    NV2A_TEXTURE1 * slot);
        hwemit_add_texture(e->code, slot, a->index, a->coord, a->target);
    }
    return modes;
}

/* Fog is a blend of what the colour sum gives, limited to [0,1] before it as GL's is, with the fog colour. */
static void final_combiner(struct hwemit_code *code)
{
    const bool sum = code->follows & HWEMIT_COLOR_SUM;
    const uint32_t result = sum ? NV2A_SUM : NV2A_R0;
    hwemit_add(code, NV2A_CW0,
               code->follows & HWEMIT_FOG ? at(NV2A_FOG | NV2A_ALPHA, NV2A_FINAL_A) |
                       at(result, NV2A_FINAL_B) | at(NV2A_FOG, NV2A_FINAL_C)
                                          : at(result, NV2A_FINAL_D));
    hwemit_add(code, NV2A_CW1, at(NV2A_R0 | NV2A_ALPHA, NV2A_FINAL_G) | at(sum, NV2A_CLAMP_SUM));
}

void hwemit_nv2a_emit(struct hwemit_code *code, const struct stages_plan *plan)
{
    static const uint32_t inputs[2] = {NV2A_COLOR_ICW, NV2A_ALPHA_ICW},
                          outputs[2] = {NV2A_COLOR_OCW, NV2A_ALPHA_OCW};
    struct emission e = {.code = code, .plan = plan};
    uint32_t input[NV2A_STAGES][2], output[NV2A_STAGES][2];
    const unsigned n = plan->nstages;
    code->constant_word = constant_word;
    code->constant_words = 1;
    const uint32_t modes = textures(&e);
    for (unsigned s = 0; s < n; s++)
        stage(&e, s, input[s], output[s]);
    for (unsigned i = 0; i < 4 * n; i++) {
        const unsigned s = i % n, pipe = i / n % 2;
        hwemit_add(code, (i < 2 * n ? inputs : outputs)[pipe] + 4 * s, (i < 2 * n ? input : output)[s][pipe]);
    }
    for (unsigned i = 0; i < 2 * n; i++)
        constant(&e, (i < n ? NV2A_FACTOR0 : NV2A_FACTOR1) + 4 * (i % n), 2 * (i % n) + i / n,
                 i < n ? plan->own[i] : plan->second[i - n]);
    final_combiner(code);
    hwemit_add(code, NV2A_CONTROL, n | at(1, NV2A_CONTROL_FACTOR0) | at(1, NV2A_CONTROL_FACTOR1));
    hwemit_add(code, NV2A_TEXTURE_MODES, modes);
    hwemit_add_stat(code, "stages", n);
    hwemit_add_stat(code, "words", code->nwords);
    hwemit_add_stat(code, "error-percent",
                    code->nwords <= code->maxwords ? hwemit_nv2a_error(code->word, code->nwords) : 0);
}
