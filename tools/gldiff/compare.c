#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double clamped(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

struct difference compare(float (*a)[4], float (*b)[4], bool color_sum)
{
    struct difference d = {0, 0, 0};
    for (unsigned i = 0; i < POINTS; i++)
        for (unsigned c = 0; c < 4; c++) {
            double x = (double)a[i][c], y = (double)b[i][c];
            double e = color_sum ? fabs(clamped(x) - clamped(y)) : fabs(x - y);
            if (isnan(e))
                e = INFINITY;
            if (e > d.most)
                d = (struct difference){e, i, c};
        }
    return d;
}

double state_gain(const struct texenv_state *state)
{
    double gain = 1;
    for (unsigned u = 0; u < state->nstages; u++) {
        double most = 1;
        for (unsigned h = 0; h < 2; h++) {
            const struct texenv_half *half = &state->stage[u].half[h];
            bool dot = half->func >= TEXENV_F_DOT3_RGB && half->func <= TEXENV_F_DOT3_RGBA_EXT;
            double g = (half->scale ? half->scale : 1) * (dot && h == TEXENV_RGB ? 4.0 : 1.0);
            most = g > most ? g : most;
        }
        if (state->stage[u].mode == TEXENV_COMBINE || state->stage[u].mode == TEXENV_COMBINE4)
            gain *= most;
    }
    return gain;
}

double tolerance(const struct texenv_state *state, double base) { return base * state_gain(state); }

bool draw_alone(const struct texenv_state *state, enum via via, const struct draw_options *options,
                unsigned bank, float direct[POINTS][4], float converted[POINTS][4])
{
    static float out[1][POINTS][4];
    bool refused;
    scene_clear();
    if (draw_fixed(state, bank, 0) || !scene_read(out, 1))
        return false;
    memcpy(direct, out[0], sizeof out[0]);
    scene_clear();
    if (draw_program(state, via, options, bank, 0, &refused) || !scene_read(out, 1))
        return false;
    memcpy(converted, out[0], sizeof out[0]);
    return true;
}

/* ---- shrinking ---- */

struct shrinking {
    struct texenv_state best;
    enum via via;
    const struct draw_options *options;
    unsigned bank;
    double base;
};

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    texenv_canonicalise(user, draw->te, NULL, false, NULL, NULL);
    return false;
}

/* Makes a state canonical by writing its text and reading it again. */
static bool settle(struct texenv_state *state)
{
    static char data[TEXENV_TEXT_MAX];
    struct texenv_text text;
    struct texenv_reader reader = {.on_draw = on_draw, .user = state};
    texenv_text_init(&text, data, sizeof data);
    texenv_print_stages(&text, state);
    texenv_read_stages(&reader, data, text.length);
    return reader.draws == 1 && !reader.errors;
}

/* Keeps the candidate if it is a different state and its drawings still differ. */
static bool try(struct shrinking *s, const struct texenv_state *candidate)
{
    float direct[POINTS][4], converted[POINTS][4];
    struct texenv_state state = *candidate;
    if (!settle(&state) || memcmp(&state, &s->best, sizeof state) == 0)
        return false;
    if (!draw_alone(&state, s->via, s->options, s->bank, direct, converted) ||
        compare(direct, converted, state.color_sum).most <= tolerance(&state, s->base))
        return false;
    s->best = state;
    return true;
}

static bool drop_stages(struct shrinking *s)
{
    for (unsigned u = 0; u < s->best.nstages; u++) {
        struct texenv_state c = s->best;
        memset(&c.stage[u], 0, sizeof c.stage[u]);
        while (c.nstages && c.stage[c.nstages - 1].mode == TEXENV_OFF)
            c.nstages--;
        if (s->best.stage[u].mode != TEXENV_OFF && try(s, &c))
            return true;
    }
    return false;
}

static bool simplify_half(struct shrinking *s, unsigned u, unsigned h)
{
    struct texenv_state c = s->best;
    struct texenv_half *half = &c.stage[u].half[h];
    const struct texenv_half old = *half;
    if (half->scale > 1) {
        half->scale = 1;
        if (try(s, &c))
            return true;
        *half = old;
    }
    if (old.func != TEXENV_F_REPLACE && c.stage[u].mode == TEXENV_COMBINE)
        for (unsigned i = 0; i < texenv_func_args((enum texenv_func)old.func); i++) {
            *half = (struct texenv_half){.func = TEXENV_F_REPLACE, .scale = old.scale, .arg = {old.arg[i]}};
            if (try(s, &c))
                return true;
        }
    *half = old;
    for (unsigned i = 0; i < texenv_func_args((enum texenv_func)old.func); i++) {
        struct texenv_arg *arg = &half->arg[i];
        static const uint8_t simpler[] = {TEXENV_S_ZERO, TEXENV_S_ONE};
        if (arg->source <= TEXENV_S_ONE)
            continue;
        for (unsigned k = 0; k < 2; k++) {
            *arg = (struct texenv_arg){.source = simpler[k]};
            if (try(s, &c))
                return true;
            *arg = old.arg[i];
        }
        if (arg->complement) {
            arg->complement = 0;
            if (try(s, &c))
                return true;
            *arg = old.arg[i];
        }
    }
    return false;
}

static bool simplify(struct shrinking *s)
{
    if (drop_stages(s))
        return true;
    struct texenv_state c = s->best;
    c.color_sum = c.fog = c.fog_coord = 0;
    if (try(s, &c))
        return true;
    for (unsigned u = 0; u < s->best.nstages; u++) {
        c = s->best;
        if (c.stage[u].mode == TEXENV_OFF)
            continue;
        c.stage[u].base = TEXENV_RGBA;
        c.stage[u].target = TEXENV_2D;
        c.stage[u].depth = 0;
        if (try(s, &c))
            return true;
        for (unsigned h = 0; h < 2; h++)
            if ((s->best.stage[u].mode == TEXENV_COMBINE || s->best.stage[u].mode == TEXENV_COMBINE4) &&
                simplify_half(s, u, h))
                return true;
    }
    return false;
}

void shrink(struct texenv_state *state, enum via via, const struct draw_options *options, unsigned bank,
            double base)
{
    struct shrinking s = {*state, via, options, bank, base};
    for (unsigned steps = 0; steps < 300 && simplify(&s); steps++)
        ;
    *state = s.best;
}
