/* The special point, and samples: what the texture environment is there. */
#include "hwemit/i830/every.h"

#include <string.h>

/* All atoms of the tables, as numbers. */
struct at_point { struct every_number v[I830_ATOMS]; bool near; };

static struct every_number clamped(struct at_point *at, struct every_number v)
{
    for (int end = 0; end < 2; end++)
        if (v.r > end - 1e-6 && v.r < end + 1e-6)
            at->near |= v.special != (field)end; /* which side it is on is not to be seen */
    return v.r <= 1e-6 ? (struct every_number){0, 0, 0} : v.r >= 1 - 1e-6 ? (struct every_number){1, 1, 1} : v;
}

static struct every_number value_at(const struct at_point *at, const struct i830_poly *p)
{
    struct every_number sum = {0, 0, 0};
    for (unsigned i = 0; i < p->n; i++) {
        const field c = every_fraction((double)p->c[i]);
        struct every_number t = {(double)p->c[i], c, c};
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const struct every_number *const x = &at->v[m >> 56];
            t.r *= x->r, t.special = every_times(t.special, x->special), t.all = every_times(t.all, x->all);
        }
        sum.r += t.r, sum.special = every_add(sum.special, t.special), sum.all = every_add(sum.all, t.all);
    }
    return sum;
}

static field dot_of(field x, field y) /* 3(2x-1)(2y-1) */
{
    const field v = every_times(every_less(every_add(x, x), 1), every_less(every_add(y, y), 1));
    return every_add(every_add(v, v), v);
}

/* All that is computed from the inputs, which are set. */
static void compute(const struct i830_cover *c, struct at_point *at)
{
    for (unsigned i = 1; i < c->natoms; i++) {
        const struct i830_atom *const a = &c->atom[i];
        if (a->kind == I830_VALUE) {
            at->v[i] = clamped(at, value_at(at, &c->value[a->value[0]].p));
        } else if (a->kind == I830_DOT) {
            const struct every_number p = value_at(at, &c->value[a->value[0]].p), q = value_at(at, &c->value[a->value[1]].p), x = clamped(at, p), y = clamped(at, q);
            struct every_number *const v = &at->v[i];
            *v = (struct every_number){3 * (2 * x.r - 1) * (2 * y.r - 1), dot_of(x.special, y.special), dot_of(x.all, y.all)};
            if (a->inv)
                *v = (struct every_number){-v->r, every_less(0, v->special), every_less(0, v->all)};
        }
    }
}

/* ---- samples ---- */

enum { POINTS_TRIED = 2000, /* the others, if it takes more, are often near the ends */ MOST_POINTS = 20000, DRAWN = 40, REPLACED = 6, MOST_TRIES = 40000 };

struct at_sample { double v[I830_ATOMS][3]; };

static double polynomial(const struct at_sample *at, const struct i830_poly *p, unsigned channel)
{
    double sum = 0;
    for (unsigned i = 0; i < p->n; i++) {
        double t = (double)p->c[i];
        for (i830_mono m = p->m[i]; m; m <<= 8)
            t *= at->v[m >> 56][channel];
        sum += t;
    }
    return sum < 0 ? 0 : sum > 1 ? 1 : sum;
}

static double dot_polynomial(const struct at_sample *at, const struct i830_cover *c, const struct i830_atom *a, unsigned channels)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        const unsigned channel = k < channels ? k : 0;
        sum += (2 * polynomial(at, &c->value[a->value[0]].p, channel) - 1) * (2 * polynomial(at, &c->value[a->value[1]].p, channel) - 1);
    }
    return a->inv ? -sum : sum;
}

static void compute_sample(const struct every *e, struct at_sample *at, unsigned channels)
{
    const struct i830_cover *const c = e->c;
    for (unsigned i = 1; i < c->natoms; i++)
        for (unsigned k = 0; k < channels; k++)
            if (c->atom[i].kind == I830_VALUE)
                at->v[i][k] = polynomial(at, &c->value[c->atom[i].value[0]].p, k);
            else if (c->atom[i].kind == I830_DOT)
                at->v[i][k] = dot_polynomial(at, c, &c->atom[i], channels);
}

static double leaf_at(const struct every *e, const struct at_sample *at, unsigned leaf, unsigned channel)
{
    const struct every_leaf *const l = &e->leaf[leaf];
    const double v = polynomial(at, &e->c->value[l->value].p, channel);
    return l->inv ? 1 - v : v;
}

/* Between 0 and 1, often near the ends, at times at them. */
static double some(uint32_t *seed, unsigned i)
{
    const double u = (double)every_random(seed) / 4294967296.0;
    switch (i % 4) {
    case 0: return u;
    case 1: return u * u * u;
    case 2: return 1 - u * u * u;
    default: return u < 0.3 ? 0 : u < 0.6 ? 1 : (u - 0.6) * 2.5;
    }
}

double hwemit_i830_every_one_sample(struct every *e, unsigned kind, double leaf[][3], double *through)
{
    struct at_sample at = {{{0}}};
    for (unsigned a = 0; a < e->natoms; a++)
        for (unsigned k = 0; k < e->channels; k++)
            at.v[e->atom[a]][k] = k && e->c->atom[e->atom[a]].scalar ? at.v[e->atom[a]][0] : some(&e->seed, kind % 5 ? kind : every_random(&e->seed));
    compute_sample(e, &at, e->channels);
    for (unsigned l = 0; l < e->nleaves; l++)
        for (unsigned k = 0; k < e->channels; k++)
            leaf[l][k] = leaf_at(e, &at, l, k);
    for (unsigned i = 0; through && i < e->nthrough; i++)
        through[i] = polynomial(&at, &e->c->value[e->through[i]].p, 0);
    return polynomial(&at, &e->c->value[e->root].p, 0);
}

void hwemit_i830_every_sample(struct every *e)
{
    for (unsigned i = 0; i < EVERY_SAMPLES; i++)
        e->target_at[i] = hwemit_i830_every_one_sample(e, i < 24 ? 4 : i, e->sample[i], e->through_sample[i]);
    e->nsamples = EVERY_SAMPLES;
}

/* ---- the point ---- */


/* What the clamps on the way do, as one of 64 numbers. */
static unsigned pattern_of(const struct i830_cover *c, const struct at_sample *at)
{
    uint32_t h = 0;
    for (unsigned i = 1; i < c->natoms; i++)
        if (c->atom[i].kind == I830_VALUE)
            h = (h * 3 + (at->v[i][0] <= 0 ? 0 : at->v[i][0] >= 1 ? 1 : 2)) * 2654435761u;
    return h >> 26;
}

/* How many clamped values and dot products are between their ends. */
static unsigned open_at(const struct i830_cover *c, const struct at_sample *at)
{
    unsigned n = 0;
    for (unsigned i = 1; i < c->natoms_read; i++)
        n += (c->atom[i].kind == I830_VALUE || c->atom[i].kind == I830_DOT) && at->v[i][0] > 0.02 && at->v[i][0] < 0.98;
    return n;
}

static void one_alike(struct every *e, const uint8_t *unknown, unsigned i, struct at_sample *at)
{
    double u[EVERY_UNKNOWNS];
    for (unsigned k = 0; k < EVERY_UNKNOWNS; k++)
        u[k] = some(&e->seed, i < EVERY_FIRST ? every_random(&e->seed) % 3 : i % 5 ? i : every_random(&e->seed));
    for (unsigned a = 0; a < e->natoms; a++)
        at->v[e->atom[a]][0] = unknown[a] % 2 ? 1 - u[unknown[a] / 2] : u[unknown[a] / 2];
    compute_sample(e, at, 1);
}

/* Leaves that are 0 or 1 there. */
static unsigned ends_at(const struct every *e, unsigned sample)
{
    unsigned n = 0;
    for (unsigned l = 2; l < e->nleaves; l++)
        n += e->like[sample][l] < 1e-6 || e->like[sample][l] > 1 - 1e-6;
    return n;
}

/* Where few leaves are 0 or 1 few functions are alike: such samples come first, as the first that says anything is asked. */
static void order_samples(struct every *e)
{
    for (unsigned i = 0; i < EVERY_FIRST; i++) {
        unsigned best = i;
        for (unsigned k = i + 1; k < EVERY_FIRST; k++)
            if (ends_at(e, k) < ends_at(e, best))
                best = k;
        double row[EVERY_LEAVES];
        const double target = e->like_target[i];
        memcpy(row, e->like[i], sizeof row);
        memcpy(e->like[i], e->like[best], sizeof row);
        memcpy(e->like[best], row, sizeof row);
        e->like_target[i] = e->like_target[best], e->like_target[best] = target;
    }
}

static void enter_sample(struct every *e, unsigned i, const struct at_sample *at)
{
    for (unsigned l = 0; l < e->nleaves; l++)
        e->like[i][l] = leaf_at(e, at, l, 0);
    e->like_target[i] = polynomial(at, &e->c->value[e->root].p, 0);
}

/* Leaves that are at the same end wherever the result is between 0 and 1, as 2d and 4d of sat(4d - 2): functions that differ by them alone would all count as one. The last of the first samples
 * become such where they are open, whatever the result is. */
static void open_leaves(struct every *e, const uint8_t *unknown)
{
    unsigned replaced = 0;
    for (unsigned l = 2; l < e->nleaves && replaced < REPLACED; l += 2) {
        bool at_end = true;
        for (unsigned i = 0; i < EVERY_FIRST; i++)
            at_end &= (e->like[i][l] < 1e-6 || e->like[i][l] > 1 - 1e-6) && (e->like[i][l] < 0.5) == (e->like[0][l] < 0.5);
        for (unsigned tries = 0; at_end && tries < 1000; tries++) {
            struct at_sample at;
            one_alike(e, unknown, EVERY_FIRST, &at);
            const double v = leaf_at(e, &at, l, 0);
            if (v < 0.02 || v > 0.98)
                continue;
            enter_sample(e, EVERY_FIRST - 1 - replaced++, &at);
            break;
        }
    }
}

/* unknown[i]: which one input i is; odd: its complement. At the first samples the result is between 0 and 1; in turn, clamps do what they did at few before, and many are open. */
static void sample_alike(struct every *e, const uint8_t *unknown)
{
    const struct i830_poly *const root = &e->c->value[e->root].p;
    unsigned seen[64] = {0}, tries = 0;
    for (unsigned i = 0; i < EVERY_SAMPLES; i++) {
        struct at_sample at, best;
        unsigned most = 0;
        bool any = false;
        for (unsigned k = 0; k < (i < EVERY_FIRST ? DRAWN : 1u); k++) {
            one_alike(e, unknown, i, &at);
            const double t = polynomial(&at, root, 0);
            if (i < EVERY_FIRST && (t < 0.01 || t > 0.99) && tries++ < MOST_TRIES) {
                k--;
                continue;
            }
            const unsigned n = (i % 2 ? I830_ATOMS * open_at(e->c, &at) : 0) + I830_ATOMS - seen[pattern_of(e->c, &at)];
            if (!any || n > most)
                best = at, most = n, any = true;
        }
        seen[pattern_of(e->c, &best)]++;
        enter_sample(e, i, &best);
    }
    open_leaves(e, unknown);
    order_samples(e);
}

void hwemit_i830_every_sample_apart(struct every *e)
{
    uint8_t unknown[EVERY_LEAVES / 2] = {0};
    for (unsigned a = 0; a < e->natoms; a++)
        unknown[a] = (uint8_t)(2 * a);
    sample_alike(e, unknown);
    for (unsigned l = 0; l < e->nleaves; l++)
        e->leaf[l].v = (struct every_number){0, e->leaf[l].name, e->leaf[l].name}, e->leaf[l].kind = e->leaf[l].name;
}

/* The clamped values on the way to the result. */
static void mark_on_the_way(const struct i830_cover *c, const struct i830_poly *p, uint32_t *marked)
{
    for (unsigned i = 0; i < p->n; i++)
        for (i830_mono m = p->m[i]; m; m <<= 8) {
            const unsigned atom = (unsigned)(m >> 56);
            if (marked[atom / 32] >> atom % 32 & 1)
                continue;
            marked[atom / 32] |= UINT32_C(1) << atom % 32;
            for (unsigned k = 0; k < (c->atom[atom].kind == I830_DOT ? 2u : c->atom[atom].kind == I830_VALUE ? 1u : 0u); k++)
                mark_on_the_way(c, &c->value[c->atom[atom].value[k]].p, marked);
        }
}

/* How many of their clamps are open: the more, the less is reached. */
static unsigned open_clamps(const struct i830_cover *c, const struct at_point *at, const uint32_t *marked)
{
    unsigned n = 0;
    for (unsigned i = 1; i < c->natoms; i++)
        n += c->atom[i].kind == I830_VALUE && marked[i / 32] >> i % 32 & 1 && at->v[i].r > 0 && at->v[i].r < 1;
    return n;
}

/* It is no input. */
static bool is_clamped(const struct i830_cover *c, unsigned value) { return !c->value[value].leaf && !c->value[value].number; }

bool hwemit_i830_every_choose(struct every *e, unsigned unknowns)
{
    struct i830_cover *const c = e->c;
    struct at_point best, now;
    uint8_t chosen[EVERY_LEAVES / 2];
    uint32_t marked[I830_ATOMS / 32] = {0};
    unsigned most = 0;
    bool found = false;
    mark_on_the_way(c, &c->value[e->root].p, marked);
    for (unsigned i = 0; (i < POINTS_TRIED && !(e->any_point && found)) || (!found && i < MOST_POINTS); i++) {
        struct every_number u[EVERY_UNKNOWNS];
        uint8_t unknown[EVERY_LEAVES / 2];
        uint32_t used = 0;
        memset(&now, 0, sizeof now);
        for (unsigned k = 0; k < unknowns; k++)
            u[k] = (struct every_number){i < POINTS_TRIED ? 0.05 + 0.9 * some(&e->seed, 0) : 0.002 + 0.996 * some(&e->seed, every_random(&e->seed) % 3), every_random_field(&e->seed), 0};
        for (unsigned a = 0; a < e->natoms; a++) {
            unknown[a] = (uint8_t)(unknowns >= e->natoms ? 2 * a : 2 * (every_random(&e->seed) % unknowns) + (every_random(&e->seed) % 3 == 0));
            used |= 1u << unknown[a] / 2;
            struct every_number *const v = &now.v[e->atom[a]];
            *v = u[unknown[a] / 2];
            if (unknown[a] % 2)
                *v = (struct every_number){1 - v->r, every_less(1, v->special), 0};
            v->all = every_random_field(&e->seed);
        }
        if (unknowns < e->natoms && used != (1u << unknowns) - 1)
            continue;
        compute(c, &now);
        const struct every_number t = value_at(&now, &c->value[e->root].p);
        if (now.near || t.r < 0.01 || t.r > 0.99)
            continue;
        const unsigned open = 1 + open_clamps(c, &now, marked);
        if (open > most) {
            most = open, best = now, found = true;
            memcpy(chosen, unknown, sizeof chosen);
        }
        if (most == 1u + c->natoms)
            break;
    }
    if (!found)
        return false;
    e->all_apart = unknowns >= e->natoms;
    e->target = value_at(&best, &c->value[e->root].p);
    for (unsigned l = 0; l < e->nleaves; l++) {
        const struct every_number v = clamped(&best, value_at(&best, &c->value[e->leaf[l].value].p));
        e->leaf[l].v = e->leaf[l].inv ? (struct every_number){1 - v.r, every_less(1, v.special), every_less(1, v.all)} : v;
        e->leaf[l].kind = is_clamped(c, e->leaf[l].value) ? e->leaf[l].name : e->leaf[l].v.special;
    }
    sample_alike(e, chosen);
    return true;
}
