/* Operations on inputs and up to two values, and which of them are the same function at the special point. */
#include "hwemit/i830/every.h"

#include <string.h>

/* ---- what a step makes, before its clamp: fact sheet i830.md 2; MODULATE_AND_ADD and ACCUM are assumptions with names (i830.c) ---- */

static double real_arg(unsigned arg, const double *leaf, double p, double w)
{
    return arg < EVERY_P ? leaf[arg] : arg == EVERY_P ? p : arg == EVERY_P + 1 ? 1 - p : arg == EVERY_W ? w : 1 - w;
}

double hwemit_i830_every_real(const struct every_step *s, const double *leaf, double p, double w)
{
    const double a1 = real_arg(s->arg[1], leaf, p, w), a2 = real_arg(s->arg[2], leaf, p, w), a0 = real_arg(s->arg[0], leaf, p, w);
    double v;
    switch (s->op) {
    case I830_ARG1: v = a1; break;
    case I830_MODULATE: v = a1 * a2; break;
    case I830_ADD: v = a1 + a2; break;
    case I830_ADDSIGNED: v = a1 + a2 - 0.5; break;
    case I830_SUBTRACT: v = a1 - a2; break;
    case I830_BLEND: v = a0 * (a1 - a2) + a2; break;
    case I830_DOT3: v = 12 * (a1 - 0.5) * (a2 - 0.5); break; /* of colours whose channels are alike */
    default: v = a1 * a2 * (double)(1u << (s->op - I830_MODULATE_AND_ADD)) + a0; break;
    }
    return v * (double)(1u << s->scale);
}

static field field_arg(unsigned arg, const struct every_leaf *leaf, enum every_of of, field p, field w)
{
    return arg < EVERY_P ? of == EVERY_ALL ? leaf[arg].v.all : of == EVERY_NAME ? leaf[arg].name : of == EVERY_KIND ? leaf[arg].kind : leaf[arg].v.special : arg == EVERY_P ? p : arg == EVERY_P + 1 ? every_less(1, p) : arg == EVERY_W ? w : every_less(1, w);
}

static field doubled(field v, unsigned times)
{
    for (; times > 0; times--)
        v = every_add(v, v);
    return v;
}

field hwemit_i830_every_field(const struct every_step *s, const struct every_leaf *leaf, enum every_of of, field p, field w)
{
    static const field half = UINT64_C(1) << 60;
    const field a1 = field_arg(s->arg[1], leaf, of, p, w);
    if (s->op == I830_ARG1)
        return doubled(a1, s->scale);
    const field a2 = field_arg(s->arg[2], leaf, of, p, w);
    field v;
    switch (s->op) {
    case I830_MODULATE: v = every_times(a1, a2); break;
    case I830_ADD: v = every_add(a1, a2); break;
    case I830_ADDSIGNED: v = every_less(every_add(a1, a2), half); break;
    case I830_SUBTRACT: v = every_less(a1, a2); break;
    case I830_BLEND: v = every_add(every_times(field_arg(s->arg[0], leaf, of, p, w), every_less(a1, a2)), a2); break;
    case I830_DOT3:
        v = every_times(every_less(a1, half), every_less(a2, half));
        v = every_add(doubled(v, 3), doubled(v, 2));
        break;
    default:
        v = every_add(doubled(every_times(a1, a2), s->op - I830_MODULATE_AND_ADD), field_arg(s->arg[0], leaf, of, p, w));
        break;
    }
    return doubled(v, s->scale);
}

/* ---- all of them ---- */

struct making {
    struct every *e;
    enum every_reads reads;
    uint32_t bits;            /* of the sets */
    field *known;             /* functions of all inputs that are there */
    field *key;               /* functions of the special kind */
    uint32_t *which;          /* the number of each */
    uint32_t *of;             /* by step: its function */
    uint32_t room;
    field p[2], w[2];         /* random: of the special point, of all inputs */
    bool full;
    bool late;                /* steps that read what the first stage cannot: of equal ones rather not these */
};

/* The place of a number that is in the set, or of the hole where it belongs. */
static uint32_t place_of(const field *set, uint32_t bits, field v)
{
    uint32_t i = (uint32_t)((v * 0x9e3779b97f4a7c15u) >> (64 - bits));
    while (set[i] && set[i] != v + 1)
        i = (i + 1) & ((1u << bits) - 1);
    return i;
}

static bool reads(const struct every_step *s, unsigned what)
{
    bool is = false;
    for (unsigned i = 0; i < 3; i++)
        is |= (s->arg[i] & ~1u) == what;
    return is;
}

static void add_step(struct making *m, unsigned op, unsigned a0, unsigned a1, unsigned a2)
{
    struct every *e = m->e;
    struct every_table *t = &e->table[m->reads];
    struct every_step s = {.op = (uint8_t)op, .arg = {(uint8_t)a0, (uint8_t)a1, (uint8_t)a2}, .from = 1};
    const bool p = reads(&s, EVERY_P), w = reads(&s, EVERY_W);
    if (p != (m->reads == EVERY_OF_P || m->reads == EVERY_OF_BOTH) || w != (m->reads == EVERY_OF_BOTH))
        return;
    for (unsigned i = 0; i < 3; i++)
        if (s.arg[i] < EVERY_P && e->leaf[s.arg[i]].from > s.from)
            s.from = e->leaf[s.arg[i]].from;
    if ((s.from > 1) != m->late)
        return;
    for (s.scale = op == I830_ARG1 && m->reads == EVERY_OF_LENT ? 1 : 0; s.scale < 3 && !m->full; s.scale++) { /* what is lent is no leaf */
        const field all = hwemit_i830_every_field(&s, e->leaf, EVERY_NAME, m->p[1], m->w[1]), kind = hwemit_i830_every_field(&s, e->leaf, EVERY_KIND, m->p[0], m->w[0]);
        const uint32_t i = place_of(m->known, m->bits, all);
        if (m->known[i] || (p && hwemit_i830_every_field(&s, e->leaf, EVERY_NAME, m->p[0], m->w[1]) == all) || (w && hwemit_i830_every_field(&s, e->leaf, EVERY_NAME, m->p[1], m->w[0]) == all))
            continue; /* known, or nothing depends on what it reads */
        if (t->nsteps >= m->room) {
            m->full = true;
            return;
        }
        m->known[i] = all + 1;
        const uint32_t k = place_of(m->key, m->bits, kind);
        if (!m->key[k]) {
            m->key[k] = kind + 1;
            m->which[k] = t->nfunctions++;
        }
        m->of[t->nsteps] = m->which[k];
        t->step[t->nsteps++] = s;
    }
}

/* Those with few arguments first: of equal ones the first is kept. arg: all that they may read. */
static void add_steps(struct making *m, const unsigned *arg, unsigned n)
{
    const struct every *const e = m->e;
    for (unsigned i = 0; i < n; i++)
        add_step(m, I830_ARG1, 0, arg[i], 0);
    static const uint8_t two[] = {I830_MODULATE, I830_ADD, I830_ADDSIGNED, I830_SUBTRACT};
    for (unsigned k = 0; k < sizeof two; k++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = two[k] == I830_SUBTRACT ? 0 : i; j < n; j++)
                add_step(m, two[k], 0, arg[i], arg[j]);
    for (unsigned i = 0; i < n && e->dots && e->pipe == I830_COLOR_PIPE && m->reads != EVERY_OF_LENT; i++)
        for (unsigned j = i; j < n; j++)
            if (i >= 2 || j >= 2) /* not of numbers */
                add_step(m, I830_DOT3, 0, arg[i], arg[j]);
    for (unsigned i = 2; i < n; i += 2) /* with ~a it is the same, turned round */
        for (unsigned j = 0; j < n; j++)
            for (unsigned k = 0; k < n; k++)
                add_step(m, I830_BLEND, arg[i], arg[j], arg[k]);
    for (unsigned op = I830_MODULATE_AND_ADD; op < I830_MODULATE_AND_ADD + 3 && e->mad; op++)
        for (unsigned i = 0; i < n; i++)
            for (unsigned j = i; j < n; j++)
                for (unsigned k = 0; k < n; k++)
                    add_step(m, op, arg[k], arg[i], arg[j]);
}

/* By its values where P and W are 0, 1, -1. */
void hwemit_i830_every_polynomial(const struct every_step *s, const double *leaf, double c[3][3])
{
    double at[3][3];
    for (int x = 0; x < 3; x++)
        for (int y = 0; y < 3; y++)
            at[x][y] = hwemit_i830_every_real(s, leaf, x == 2 ? -1 : x, y == 2 ? -1 : y);
    for (int y = 0; y < 3; y++) {
        const double zero = at[0][y], one = at[1][y], minus = at[2][y];
        at[1][y] = (one - minus) / 2, at[2][y] = (one + minus) / 2 - zero;
    }
    for (int x = 0; x < 3; x++)
        c[x][0] = at[x][0], c[x][1] = (at[x][1] - at[x][2]) / 2, c[x][2] = (at[x][1] + at[x][2]) / 2 - at[x][0];
}

static bool make_table(struct every *e, enum every_reads which, uint32_t room)
{
    struct every_table *t = &e->table[which];
    struct making m = {.e = e, .reads = which, .room = room};
    unsigned arg[EVERY_ARGS], n = 0;
    for (m.bits = 4; 1u << m.bits < 2 * room; m.bits++)
        continue;
    *t = (struct every_table){0};
    t->step = hwemit_i830_every_take(e, room * sizeof *t->step);
    uint8_t *const mark = e->end;
    m.known = hwemit_i830_every_lend(e, (sizeof *m.known) << m.bits);
    m.key = hwemit_i830_every_lend(e, (sizeof *m.key) << m.bits);
    m.which = hwemit_i830_every_lend(e, (sizeof *m.which) << m.bits);
    m.of = hwemit_i830_every_lend(e, room * sizeof *m.of);
    struct every_step *const sorted = hwemit_i830_every_lend(e, room * sizeof *sorted);
    if (!sorted || !m.of || !m.which || !m.key || !m.known || !t->step)
        return false;
    memset(m.known, 0, (sizeof *m.known) << m.bits);
    memset(m.key, 0, (sizeof *m.key) << m.bits);
    for (unsigned i = 0; i < 2; i++)
        m.p[i] = every_random_field(&e->seed), m.w[i] = every_random_field(&e->seed);
    for (unsigned i = 0; i < e->nleaves; i++) {
        const struct i830_value *const v = &e->c->value[e->leaf[i].value];
        if (which != EVERY_OF_LENT || v->scalar)
            arg[n++] = i;
    }
    for (unsigned i = 0; i < (which == EVERY_OF_P ? 2u : which == EVERY_OF_BOTH ? 4u : 0u); i++)
        arg[n++] = EVERY_P + i;
    for (unsigned late = 0; late < 2; late++) {
        m.late = late;
        add_steps(&m, arg, n);
    }
    if (m.full)
        return false;
    t->function = hwemit_i830_every_take(e, t->nfunctions * sizeof *t->function);
    if (!t->function)
        return false;
    for (uint32_t i = 0; i < t->nfunctions; i++)
        t->function[i].n = 0;
    for (uint32_t i = 0; i < t->nsteps; i++)
        t->function[m.of[i]].n++;
    for (uint32_t i = 0, first = 0; i < t->nfunctions; i++) {
        t->function[i].first = first;
        first += t->function[i].n;
        t->function[i].n = 0;
    }
    memcpy(sorted, t->step, t->nsteps * sizeof *sorted);
    for (uint32_t i = 0; i < t->nsteps; i++) {
        struct every_function *const g = &t->function[m.of[i]];
        t->step[g->first + g->n++] = sorted[i];
    }
    double leaf[EVERY_LEAVES];
    for (unsigned i = 0; i < e->nleaves; i++)
        leaf[i] = e->leaf[i].v.r;
    for (uint32_t i = 0; i < t->nfunctions; i++) {
        struct every_function *const g = &t->function[i];
        g->step = t->step[g->first];
        for (uint32_t k = 0; k < g->n; k++)
            if (t->step[g->first + k].from < g->step.from)
                g->step = t->step[g->first + k];
        hwemit_i830_every_polynomial(&g->step, leaf, g->c);
    }
    for (uint32_t i = 0; i < t->nfunctions; i++) {
        struct every_function *const g = &t->function[i];
        const uint32_t k = place_of(m.key, m.bits, every_less(1, hwemit_i830_every_field(&g->step, e->leaf, EVERY_KIND, m.p[0], m.w[0])));
        const struct every_function *const other = m.key[k] ? &t->function[m.which[k]] : g;
        g->spare = other->step.from < g->step.from || (other->step.from == g->step.from && other < g);
    }
    e->end = mark;
    return true;
}

bool hwemit_i830_every_make_tables(struct every *e)
{
    return make_table(e, EVERY_OF_P, 1u << 17) && ((!e->accum && !e->lends) || make_table(e, EVERY_OF_BOTH, 1u << 15)) && (!e->lends || make_table(e, EVERY_OF_LENT, 1u << 16)) && make_table(e, EVERY_OF_LEAVES, e->mad ? 1u << 19 : 1u << 18);
}
