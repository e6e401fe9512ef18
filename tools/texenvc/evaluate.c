#include "evaluate.h"

#include <string.h>

/* For each base format, the component of the texture that each channel gets: r, g, b, a, 0 or 1 (table 3.15;
 * for depth 3.8.14). */
static const char expansions[TEXENV_BASES][5] = {
    [TEXENV_RGBA] = "rgba",
    [TEXENV_BASE_RGB] = "rgb1",
    [TEXENV_BASE_ALPHA] = "000a",
    [TEXENV_LUMINANCE] = "rrr1",
    [TEXENV_LUMINANCE_ALPHA] = "rrra",
    [TEXENV_INTENSITY] = "rrrr",
    [TEXENV_RED] = "r001",
    [TEXENV_RG] = "rg01",
};

/* The inputs of one stage. */
struct reads {
    const struct texenv_state *state;
    const struct evaluate_inputs *in;
    const double *previous;
    unsigned unit;
};

static double texel(const struct reads *r, unsigned unit, unsigned channel)
{
    const char kind = expansions[r->state->stage[unit].base][channel];
    if (kind == '0' || kind == '1')
        return kind - '0';
    return r->in->texel[unit][kind == 'r' ? 0 : kind == 'g' ? 1 : kind == 'b' ? 2 : 3];
}

static double constant(const struct reads *r, unsigned channel)
{
    const double given = r->in->color[r->unit][channel];
    return given == given ? given : (double)r->state->stage[r->unit].color[channel];
}

static double argument(const struct reads *r, const struct texenv_arg *arg, unsigned channel)
{
    double x = 0;
    if (arg->alpha)
        channel = 3;
    switch ((enum texenv_source)arg->source) {
    case TEXENV_S_ZERO: x = 0; break;
    case TEXENV_S_ONE: x = 1; break;
    case TEXENV_S_TEXTURE: x = texel(r, arg->unit, channel); break;
    case TEXENV_S_CONSTANT: x = constant(r, channel); break;
    case TEXENV_S_PRIMARY: x = r->in->primary[channel]; break;
    case TEXENV_S_PREVIOUS: x = r->previous[channel]; break;
    case TEXENV_SOURCES: break;
    }
    return arg->complement ? 1 - x : x;
}

static double dot3(const struct reads *r, const struct texenv_half *half)
{
    double sum = 0;
    for (unsigned c = 0; c < 3; c++)
        sum += (argument(r, &half->arg[0], c) - 0.5) * (argument(r, &half->arg[1], c) - 0.5);
    return 4 * sum;
}

/* Returns the value of a function before scale and clamp. */
static double function(const struct reads *r, const struct texenv_half *half, unsigned channel)
{
    double a[TEXENV_ARGS];
    for (unsigned i = 0; i < TEXENV_ARGS; i++)
        a[i] = argument(r, &half->arg[i], channel);
    switch ((enum texenv_func)half->func) {
    case TEXENV_F_REPLACE: return a[0];
    case TEXENV_F_MODULATE: return a[0] * a[1];
    case TEXENV_F_ADD: return a[0] + a[1];
    case TEXENV_F_ADD_SIGNED: return a[0] + a[1] - 0.5;
    case TEXENV_F_INTERPOLATE: return a[0] * a[2] + a[1] * (1 - a[2]);
    case TEXENV_F_SUBTRACT: return a[0] - a[1];
    case TEXENV_F_DOT3_RGB:
    case TEXENV_F_DOT3_RGBA:
    case TEXENV_F_DOT3_RGB_EXT:
    case TEXENV_F_DOT3_RGBA_EXT: return dot3(r, half);
    case TEXENV_F_MODULATE_ADD: return a[0] * a[2] + a[1];
    case TEXENV_F_MODULATE_SIGNED_ADD: return a[0] * a[2] + a[1] - 0.5;
    case TEXENV_F_MODULATE_SUBTRACT: return a[0] * a[2] - a[1];
    case TEXENV_F_COMBINE4_ADD: return a[0] * a[1] + a[2] * a[3];
    case TEXENV_F_COMBINE4_ADD_SIGNED: return a[0] * a[1] + a[2] * a[3] - 0.5;
    case TEXENV_FUNCS: break;
    }
    return 0;
}

/* Clamps x to [0,1]; NaN stays NaN. */
static double limited(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

void evaluate_state(struct evaluated *out, const struct texenv_state *state, const struct evaluate_inputs *in)
{
    struct reads r = {state, in, in->primary, 0};
    memset(out, 0, sizeof *out);
    for (; r.unit < state->nstages; r.unit++) {
        struct texenv_half half[2];
        texenv_stage_halves(half, state, r.unit);
        const bool one = texenv_func_writes_alpha((enum texenv_func)half[TEXENV_RGB].func);
        for (unsigned c = 0; c < 4; c++) {
            const struct texenv_half *from = &half[c < 3 || one ? TEXENV_RGB : TEXENV_ALPHA];
            const struct texenv_half *scale = &half[c < 3 ? TEXENV_RGB : TEXENV_ALPHA];
            out->unit[r.unit][c] = limited(function(&r, from, c) * scale->scale);
        }
        r.previous = out->unit[r.unit];
    }
    for (unsigned c = 0; c < 4; c++)
        out->color[c] = limited(r.previous[c] + (state->color_sum && c < 3 ? in->secondary[c] : 0));
}
