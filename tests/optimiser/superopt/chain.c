/* Enumerates, evaluates and prints chains of texture environment stages (superopt.h). */
#include "superopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint8_t args, order[4];
} shape[FUNCS] = {
    /* number of arguments; their order in stage notation, in which commuting arguments come first */
    [REPLACE] = {1, {0}},
    [MODULATE] = {2, {0, 1}},
    [ADD] = {2, {0, 1}},
    [ADD_SIGNED] = {2, {0, 1}},
    [SUBTRACT] = {2, {0, 1}},
    [INTERPOLATE] = {3, {0, 1, 2}},
    [MODULATE_ADD] = {3, {0, 2, 1}},
    [MODULATE_SIGNED_ADD] = {3, {0, 2, 1}},
    [MODULATE_SUBTRACT] = {3, {0, 2, 1}},
    [COMBINE4_ADD] = {4, {0, 1, 2, 3}},
    [COMBINE4_ADD_SIGNED] = {4, {0, 1, 2, 3}}};

static double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static void stage_value(double *out, const struct stage *stage, const struct points *p,
                        const double *previous, bool clamp)
{
    double a[4][MOST_POINTS];
    for (unsigned s = 0; s < shape[stage->func].args; s++) {
        unsigned arg = stage->arg[s], source = arg / 2;
        for (unsigned i = 0; i < p->n; i++) {
            double x = arg == ARG_ZERO ? 0
                : arg == ARG_ONE       ? 1
                : source == SOURCES    ? previous[i]
                                       : p->at[source][i];
            a[s][i] = arg < ARG_ZERO && arg & 1 ? 1 - x : x;
        }
    }
    double scale = 1 << stage->scale;
    for (unsigned i = 0; i < p->n; i++) {
        double v = 0;
        switch (stage->func) {
        case REPLACE: v = a[0][i]; break;
        case MODULATE: v = a[0][i] * a[1][i]; break;
        case ADD: v = a[0][i] + a[1][i]; break;
        case ADD_SIGNED: v = a[0][i] + a[1][i] - 0.5; break;
        case SUBTRACT: v = a[0][i] - a[1][i]; break;
        case INTERPOLATE: v = a[0][i] * a[2][i] + a[1][i] * (1 - a[2][i]); break;
        case MODULATE_ADD: v = a[0][i] * a[2][i] + a[1][i]; break;
        case MODULATE_SIGNED_ADD: v = a[0][i] * a[2][i] + a[1][i] - 0.5; break;
        case MODULATE_SUBTRACT: v = a[0][i] * a[2][i] - a[1][i]; break;
        case COMBINE4_ADD: v = a[0][i] * a[1][i] + a[2][i] * a[3][i]; break;
        case COMBINE4_ADD_SIGNED: v = a[0][i] * a[1][i] + a[2][i] * a[3][i] - 0.5; break;
        default: abort();
        }
        out[i] = clamp ? unit(v * scale) : v * scale;
    }
}

void chain_stage_value(double *out, const struct stage *stage, const struct points *p, const double *previous)
{
    stage_value(out, stage, p, previous, true);
}

void chain_value(double *out, const struct chain *chain, const struct points *p, enum inner inner)
{
    double value[MOST_POINTS];
    for (unsigned i = 0; i < chain->n; i++) {
        bool last = i + 1u == chain->n;
        stage_value(out, &chain->stage[i], p, value, inner == AS_IT_IS || last);
        for (unsigned k = 0; k < p->n && !last; k++)
            value[k] = inner == ALL_ZERO ? 0 : inner == ALL_ONE ? 1 : out[k];
    }
}

unsigned chain_sources(const struct chain *chain)
{
    unsigned n = 0;
    for (unsigned i = 0; i < chain->n; i++)
        for (unsigned a = 0; a < shape[chain->stage[i].func].args; a++) {
            unsigned source = chain->stage[i].arg[a] / 2;
            if (source < SOURCES && source >= n)
                n = source + 1;
        }
    return n;
}

bool chain_single(const struct chain *chain)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < chain->n; i++)
        for (unsigned a = 0; a < shape[chain->stage[i].func].args; a++) {
            unsigned source = chain->stage[i].arg[a] / 2;
            if (source >= SOURCES)
                continue;
            if (seen >> source & 1)
                return false;
            seen |= 1u << source;
        }
    return true;
}

/* ---- lists of stages ---- */

struct stages {
    struct stage *stage;
    uint8_t *used;
    size_t n, max;
};

struct maker {
    const struct alphabet *alphabet;
    struct stages *to;
    bool first;
    unsigned used; /* number of sources that earlier stages read */
};

static bool in_order(const struct stage *s)
{
    const uint8_t *a = s->arg;
    switch (s->func) {
    case MODULATE:
    case ADD:
    case ADD_SIGNED: return a[0] <= a[1];
    case MODULATE_ADD:
    case MODULATE_SIGNED_ADD:
    case MODULATE_SUBTRACT: return a[0] <= a[2];
    case COMBINE4_ADD:
    case COMBINE4_ADD_SIGNED:
        return a[0] <= a[1] && a[2] <= a[3] && (a[0] < a[2] || (a[0] == a[2] && a[1] <= a[3]));
    default: return true;
    }
}

static void make_args(struct maker *m, struct stage *s, unsigned k, unsigned used, bool previous)
{
    if (k == shape[s->func].args) {
        if ((!m->first && !previous) || !in_order(s))
            return;
        for (s->scale = 0; s->scale < m->alphabet->scales; s->scale++) {
            struct stages *to = m->to;
            if (to->n == to->max) {
                to->max = to->max ? 2 * to->max : 1024;
                to->stage = realloc(to->stage, to->max * sizeof *to->stage);
                to->used = realloc(to->used, to->max);
            }
            to->stage[to->n] = *s;
            to->used[to->n++] = (uint8_t)used;
        }
        return;
    }
    unsigned slot = shape[s->func].order[k];
    for (unsigned arg = 0; arg < ARGS; arg++) {
        unsigned source = arg / 2;
        if (arg >= ARG_ZERO ? !m->alphabet->literals
                : source == SOURCES
                ? m->first
                : source > used || source >= m->alphabet->sources || (source == used && arg & 1))
            continue;
        s->arg[slot] = (uint8_t)arg;
        make_args(m, s, k + 1, source == used && source < SOURCES ? used + 1 : used,
                  previous || (source == SOURCES && arg < ARG_ZERO));
        s->arg[slot] = 0;
    }
}

static void make_stages(struct stages *to, const struct alphabet *alphabet, bool first, unsigned used,
                        unsigned funcs)
{
    struct maker m = {alphabet, to, first, used};
    memset(to, 0, sizeof *to);
    for (unsigned f = 0; f < FUNCS; f++)
        if (funcs >> f & 1) {
            struct stage s = {.func = (uint8_t)f};
            make_args(&m, &s, 0, used, false);
        }
}

struct walk {
    const struct alphabet *alphabet;
    const struct points *p;
    struct stages first, next[SOURCES + 1];
    void (*each)(void *user, const struct chain *chain, const double *value);
    void *user;
    struct chain chain;
    unsigned long long chains;
};

/* ---- alphabets of which only one in `part` functions is measured ---- */

/* Evaluates a stage at eight generic points. arg: the values of all possible arguments there. */
static inline void stage_of_eight(double *out, const struct stage *stage, double (*arg)[8])
{
    const double *a = arg[stage->arg[0]], *b = arg[stage->arg[1]], *c = arg[stage->arg[2]],
                 *d = arg[stage->arg[3]];
    double scale = 1 << stage->scale;
#define EACH(term) \
    for (unsigned i = 0; i < 8; i++) \
        out[i] = unit((term)*scale) + 0.0; \
    break
    switch (stage->func) {
    case REPLACE: EACH(a[i]);
    case MODULATE: EACH(a[i] * b[i]);
    case ADD: EACH(a[i] + b[i]);
    case ADD_SIGNED: EACH(a[i] + b[i] - 0.5);
    case SUBTRACT: EACH(a[i] - b[i]);
    case INTERPOLATE: EACH(a[i] * c[i] + b[i] * (1 - c[i]));
    case MODULATE_ADD: EACH(a[i] * c[i] + b[i]);
    case MODULATE_SIGNED_ADD: EACH(a[i] * c[i] + b[i] - 0.5);
    case MODULATE_SUBTRACT: EACH(a[i] * c[i] - b[i]);
    case COMBINE4_ADD: EACH(a[i] * b[i] + c[i] * d[i]);
    default: EACH(a[i] * b[i] + c[i] * d[i] - 0.5);
    }
#undef EACH
}

static inline uint64_t hash_of_eight(const double *v, bool *corners)
{
    uint64_t sum = 0;
    bool all = true;
    for (unsigned i = 0; i < 8; i++) {
        uint64_t bits;
        memcpy(&bits, &v[i], sizeof bits);
        bits = (bits ^ bits >> 31) * 0x9fb21c651e98df25u;
        sum += bits ^ bits >> 29;
        all &= v[i] == 0 || v[i] == 1;
    }
    *corners = all;
    return sum;
}

struct eights {
    double arg[GENERIC / 8][ARGS][8];
};

static void make_eights(struct eights *e, const struct points *p, const double *previous)
{
    for (unsigned group = 0; group < GENERIC / 8; group++)
        for (unsigned arg = 0; arg < ARGS; arg++)
            for (unsigned i = 0; i < 8; i++) {
                unsigned source = arg / 2, k = 8 * group + i;
                double x = arg == ARG_ZERO ? 0
                    : arg == ARG_ONE       ? 1
                    : source == SOURCES    ? previous[k]
                    : source < p->sources  ? p->at[source][k]
                                           : 0;
                e->arg[group][arg][i] = arg < ARG_ZERO && arg & 1 ? 1 - x : x;
            }
}

/* Returns whether a function is to be measured, by a hash of its values at eight points. If all values are 0
 * or 1, many functions have the same hash, so the next eight points are hashed, too. */
static bool in_part(struct eights *e, const struct stage *stage, unsigned part)
{
    bool corners = true;
    uint64_t hash = 0x13198a2e03707344u;
    for (unsigned group = 0; group < GENERIC / 8 && corners; group++) {
        double v[8];
        stage_of_eight(v, stage, e->arg[group]);
        hash = (hash ^ hash_of_eight(v, &corners)) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return (hash & 0xffffffffu) * part >> 32 == 0;
}

static void walk(struct walk *w, unsigned depth, unsigned used, const double *previous)
{
    if (depth >= STAGES)
        return;
    const struct stages *list = depth ? &w->next[used] : &w->first;
    bool last = depth + 1u == w->alphabet->stages;
    struct eights eights;
    if (last && w->alphabet->part)
        make_eights(&eights, w->p, previous);
    for (size_t i = 0; i < list->n; i++) {
        double value[MOST_POINTS];
        w->chains += last;
        if (last && w->alphabet->part && !in_part(&eights, &list->stage[i], w->alphabet->part))
            continue;
        w->chain.stage[depth] = list->stage[i];
        chain_stage_value(value, &list->stage[i], w->p, previous);
        if (last)
            w->each(w->user, &w->chain, value);
        else
            walk(w, depth + 1, list->used[i], value);
    }
}

unsigned long long chain_each(const struct alphabet *alphabet, const struct points *p,
                              void (*each)(void *user, const struct chain *chain, const double *value),
                              void *user)
{
    struct walk w = {.alphabet = alphabet, .p = p, .each = each, .user = user};
    double none[MOST_POINTS] = {0};
    w.chain.n = (uint8_t)alphabet->stages;
    make_stages(&w.first, alphabet, true, 0, alphabet->funcs);
    for (unsigned used = 0; used <= alphabet->sources; used++)
        make_stages(&w.next[used], alphabet, false, used, alphabet->funcs);
    walk(&w, 0, 0, none);
    free(w.first.stage), free(w.first.used);
    for (unsigned used = 0; used <= alphabet->sources; used++)
        free(w.next[used].stage), free(w.next[used].used);
    return w.chains;
}

const char *chain_text(char *buffer, size_t size, const struct chain *chain)
{
    static const char *const format[FUNCS] = {"%s",       "%s*%s",          "%s+%s",          "%s+%s-0.5",
                                              "%s-%s",    "lerp(%s,%s,%s)", "%s*%s+%s",       "%s*%s+%s-0.5",
                                              "%s*%s-%s", "%s*%s+%s*%s",    "%s*%s+%s*%s-0.5"};
    static const char *const name[ARGS] = {"T0", "~T0", "T1", "~T1", "T2", "~T2",
                                           "F",  "~F",  "P",  "~P",  "0",  "1"};
    size_t n = 0;
    buffer[0] = 0;
    for (unsigned i = 0; i < chain->n; i++) {
        const struct stage *s = &chain->stage[i];
        const char *a[4];
        char text[64];
        for (unsigned k = 0; k < 4; k++)
            a[k] = name[s->arg[shape[s->func].order[k]]];
        snprintf(text, sizeof text, format[s->func], a[0], a[1], a[2], a[3]);
        n += (size_t)snprintf(buffer + n, size - n, "%s{%s}%s", i ? " " : "", text,
                              s->scale == 2  ? "*4"
                                  : s->scale ? "*2"
                                             : "");
    }
    return buffer;
}
