/* The table of values, atoms and tiles. Each value is entered once, in a canonical form. */
#include "hwemit/stages/stages_cover.h"

#include <string.h>

void hwemit_stages_cover_init(struct stages_cover *c)
{
    c->overflow = false;
    c->natoms = 1; /* atom 0 means none */
    c->nkonsts = c->nvalues = c->ntiles = c->nalso = 0;
    c->most_values = STAGES_VALUES;
    memset(c->bucket, 0xff, sizeof c->bucket);
    const struct fragprog_poly one = stages_constant(1);
    c->one = c->chip->one ? STAGES_NONE : (uint16_t)hwemit_stages_value(c, &one);
}

bool hwemit_stages_spend(struct stages_cover *c, uint32_t work)
{
    const bool more = c->budget->spent < c->until && fragprog_spend(c->budget, work);
    c->overflow |= !more;
    return more;
}

/* ---- sample points, which rule out equalities cheaply ---- */

/* Chooses the sample values of a new atom that is not a value of the table: pseudo-random numbers in [0,1],
 * half of them near 0 and 1; for dot products in [-1,1]. */
static void scatter(struct stages_cover *c, unsigned atom)
{
    uint32_t x = atom * 2654435769u + 12345;
    for (unsigned i = 0; i < STAGES_POINTS; i++) {
        x = x * 1664525u + 1013904223u;
        const float u = (float)(x >> 8) / (1 << 24);
        c->point[atom][i] = i >= 16 ? (float)(u >= 0.5f)
            : i % 2                 ? (u < 0.5f ? 0.1f * u : 0.9f + 0.1f * u)
                                    : u;
        if (c->box[atom].lo < 0)
            c->point[atom][i] = 2 * c->point[atom][i] - 1;
    }
}

void hwemit_stages_evaluate(const struct stages_cover *c, const struct fragprog_poly *p,
                            float out[STAGES_POINTS])
{
    for (unsigned i = 0; i < STAGES_POINTS; i++)
        out[i] = 0;
    for (unsigned t = 0; t < p->n; t++) {
        float term[STAGES_POINTS];
        for (unsigned i = 0; i < STAGES_POINTS; i++)
            term[i] = p->c[t];
        for (fragprog_monomial m = p->m[t]; m; m <<= 8)
            for (unsigned i = 0; i < STAGES_POINTS; i++)
                term[i] *= c->point[m >> 56][i];
        for (unsigned i = 0; i < STAGES_POINTS; i++)
            out[i] += term[i];
    }
    for (unsigned i = 0; i < STAGES_POINTS; i++)
        out[i] = out[i] < 0 ? 0 : out[i] > 1 ? 1 : out[i];
}

/* ---- values ---- */

static unsigned hash(const struct fragprog_poly *p)
{
    uint64_t h = p->n;
    for (unsigned i = 0; i < p->n; i++)
        h = (h ^ p->m[i] ^ (uint64_t)(int64_t)((double)p->c[i] * 256)) * 0x9e3779b97f4a7c15u;
    return (unsigned)(h >> 58);
}

unsigned hwemit_stages_depth(const struct stages_cover *c, const struct stages_value *v)
{
    return c->ops & STAGES_OP(ADD_CLAMPED_MODULATE) ? (v->depth + 1u) / 2 : v->depth;
}

/* One stage can make a constant term 1/2, two stages a coefficient 1/2; further stages multiply these, which
 * gives smaller fractions. */
unsigned hwemit_stages_fraction_depth(const struct stages_cover *c, const struct fragprog_poly *p)
{
    unsigned most = 0;
    for (unsigned i = 0; i < p->n; i++) {
        double x = (double)p->c[i];
        unsigned halvings = 0, depth;
        bool inner = false;
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            /* if the clamp of that value does not act, its fractional coefficients may cancel those of p */
            inner |= c->atom[m >> 56].kind == STAGES_VALUE;
        while (x != (double)(int)x)
            x *= 2, halvings++;
        if (p->m[i])
            depth = halvings == 0 ? 0 : halvings == 1 ? 2 : halvings < 4 ? 3 : 4;
        else
            depth = halvings == 0 ? 0 : halvings == 1 ? 1 : halvings == 2 ? 2 : halvings < 5 ? 3 : 4;
        most = !inner && depth > most ? depth : most;
    }
    return most;
}

/* Adds what v depends on because it reads another value. */
static void depend(struct stages_value *v, const struct stages_value *on)
{
    for (unsigned i = 0; i < STAGES_ATOMS / 32; i++)
        v->leaves[i] |= on->leaves[i];
    v->depth = on->depth > v->depth ? on->depth : v->depth;
    v->dots |= on->dots;
}

/* Sets all members except the links of lists. */
static void fill(struct stages_cover *c, struct stages_value *v, const struct fragprog_poly *p, unsigned leaf)
{
    double number;
    memset(v, 0, sizeof *v);
    v->p = *p;
    v->leaf = (uint8_t)leaf;
    v->number = stages_is_constant(p, &number) && (number == 0 || number == 1);
    v->tile = v->last_tile = v->complement = v->next = v->also = STAGES_NONE;
    hwemit_stages_evaluate(c, p, v->at);
    v->scalar = 1;
    if (leaf)
        v->leaves[leaf / 32] |= UINT32_C(1) << leaf % 32;
    for (unsigned i = 0; i < p->n; i++)
        for (fragprog_monomial m = p->m[i]; m; m <<= 8) {
            const struct stages_atom *a = &c->atom[m >> 56];
            v->scalar &= a->scalar;
            v->dots |= a->kind == STAGES_DOT;
            for (unsigned k = 0; k < (a->kind == STAGES_DOT ? 2u : 1u) && !leaf; k++)
                depend(v, &c->value[a->value[k]]);
        }
    for (unsigned i = 1; i < c->natoms; i++)
        v->nleaves += v->leaves[i / 32] >> i % 32 & 1;
    if (!leaf) {
        const unsigned fraction = hwemit_stages_fraction_depth(c, p), depth = v->depth + (p->n && p->m[0]);
        v->depth = (uint8_t)(depth < fraction ? fraction : depth);
    }
}

static unsigned find(const struct stages_cover *c, const struct fragprog_poly *p)
{
    for (unsigned i = c->bucket[hash(p)]; i != STAGES_NONE; i = c->value[i].next)
        if (fragprog_poly_equal(&c->value[i].p, p))
            return i;
    return STAGES_NONE;
}

static unsigned enter(struct stages_cover *c, const struct fragprog_poly *p, unsigned leaf)
{
    const unsigned known = find(c, p), h = hash(p);
    if (known != STAGES_NONE)
        return known;
    if (c->nvalues >= c->most_values) {
        c->overflow = true;
        return STAGES_NONE;
    }
    const unsigned i = c->nvalues++;
    fill(c, &c->value[i], p, leaf);
    c->value[i].next = c->bucket[h];
    c->bucket[h] = (uint16_t)i;
    return i;
}

unsigned hwemit_stages_scratch(struct stages_cover *c, const struct fragprog_poly *p)
{
    struct fragprog_poly q = *p;
    hwemit_stages_normalise(c, &q);
    const unsigned known = find(c, &q);
    if (known == STAGES_NONE)
        fill(c, &c->value[STAGES_VALUES], &q, 0);
    return known == STAGES_NONE ? STAGES_VALUES : known;
}

/* Returns the value that the polynomial's atom represents, if it is a single atom; else STAGES_NONE. */
static unsigned value_of_atom(const struct stages_cover *c, const struct fragprog_poly *p)
{
    return p->n == 1 && (double)p->c[0] == 1 && p->m[0] && (p->m[0] << 8) == 0 &&
            c->atom[p->m[0] >> 56].kind != STAGES_DOT
        ? c->atom[p->m[0] >> 56].value[0]
        : STAGES_NONE;
}

unsigned hwemit_stages_value(struct stages_cover *c, const struct fragprog_poly *p)
{
    if (p->bad) {
        c->overflow = true;
        return STAGES_NONE;
    }
    unsigned value = value_of_atom(c, p);
    if (value != STAGES_NONE)
        return value;
    struct fragprog_poly q = *p;
    hwemit_stages_normalise(c, &q);
    value = value_of_atom(c, &q);
    return value != STAGES_NONE ? value : enter(c, &q, 0);
}

void hwemit_stages_also(struct stages_cover *c, unsigned value, const struct fragprog_poly *p)
{
    struct stages_value *v = &c->value[value];
    if (p->bad || v->leaf || v->number || fragprog_poly_equal(&v->p, p))
        return;
    for (unsigned i = v->also; i != STAGES_NONE; i = c->also[i].next)
        if (fragprog_poly_equal(&c->also[i].p, p))
            return;
    if (c->nalso == STAGES_ALSO)
        return; /* table full: some covers will not be found */
    c->also[c->nalso].p = *p;
    c->also[c->nalso].next = v->also;
    v->also = c->nalso++;
}

unsigned hwemit_stages_complement(struct stages_cover *c, unsigned value)
{
    if (c->value[value].complement == STAGES_NONE) {
        struct fragprog_poly q = stages_affine(-1, &c->value[value].p, 1);
        unsigned i = hwemit_stages_value(c, &q);
        c->value[value].complement = (uint16_t)i;
        if (i != STAGES_NONE)
            c->value[i].complement = (uint16_t)value;
    }
    return c->value[value].complement;
}

struct stages_arg hwemit_stages_arg(struct stages_cover *c, const struct fragprog_poly *p)
{
    struct fragprog_poly q = *p;
    bool inv = stages_constant_term(p) == 1;
    double number;
    if (stages_is_constant(p, &number))
        inv = number <= 0; /* 0 is represented as 1 - 1 */
    if (inv)
        q = stages_affine(-1, p, 1);
    return (struct stages_arg){(uint16_t)hwemit_stages_value(c, &q), inv};
}

unsigned hwemit_stages_atom(struct stages_cover *c, const struct stages_atom *atom)
{
    for (unsigned i = 1; i < c->natoms; i++) {
        const struct stages_atom *a = &c->atom[i];
        if (a->kind != atom->kind || a->index != atom->index)
            continue;
        if (a->kind == STAGES_DOT) {
            bool same = a->value[0] == atom->value[0] && a->value[1] == atom->value[1],
                 crossed = a->value[0] == atom->value[1] && a->value[1] == atom->value[0];
            if (a->inv == atom->inv && (same || crossed))
                return i;
        } else if (a->scalar == atom->scalar && a->coord == atom->coord) {
            return i;
        }
    }
    if (c->natoms == STAGES_ATOMS) {
        c->overflow = true;
        return 0;
    }
    unsigned i = c->natoms++;
    c->atom[i] = *atom;
    c->box[i] = (struct fragprog_interval){0, 1};
    if (atom->kind == STAGES_DOT) {
        c->box[i] = (struct fragprog_interval){-3, 3}; /* a sum of three products of numbers in [-1,1] */
        scatter(c, i);
    } else if (atom->kind == STAGES_VALUE) {
        memcpy(c->point[i], c->value[atom->value[0]].at, sizeof c->point[i]);
        const struct fragprog_interval r = hwemit_stages_range(c, &c->value[atom->value[0]].p);
        c->box[i] = fragprog_interval_clamp(r, 0, 1);
    } else {
        struct fragprog_poly p = stages_variable(i);
        scatter(c, i);
        unsigned v = enter(c, &p, i);
        c->atom[i].value[0] = (uint16_t)v;
        if (v == STAGES_NONE)
            return 0;
    }
    return i;
}

unsigned hwemit_stages_atom_of(struct stages_cover *c, unsigned value)
{
    struct stages_value *v = &c->value[value];
    if (v->leaf)
        return v->leaf;
    if (!v->atom) {
        const struct stages_atom atom = {
            .kind = STAGES_VALUE, .scalar = v->scalar, .index = (uint16_t)value, .value = {(uint16_t)value}};
        v->atom = (uint8_t)hwemit_stages_atom(c, &atom);
    }
    return v->atom;
}

bool hwemit_stages_same(const struct stages_tile *a, const struct stages_tile *b)
{
    for (unsigned i = 0; i < STAGES_ARGS; i++)
        if (a->arg[i].value != b->arg[i].value || a->arg[i].inv != b->arg[i].inv)
            return false;
    return a->op == b->op;
}

void hwemit_stages_tile(struct stages_cover *c, unsigned value, struct stages_tile t)
{
    if (value == STAGES_NONE || hwemit_stages_is_direct(c, value) || !(c->ops >> t.op & 1))
        return;
    const unsigned args = t.op == STAGES_ARG1                     ? 2
        : t.op >= STAGES_PRODUCTS                                 ? 15
        : t.op == STAGES_BLEND || t.op >= STAGES_MODULATE_AND_ADD ? 7
                                                                  : 6;
    t.next = STAGES_NONE;
    for (unsigned i = 0; i < STAGES_ARGS; i++) {
        if (!(args >> i & 1)) {
            t.arg[i] = (struct stages_arg){STAGES_NONE, 0};
            continue;
        }
        if (t.arg[i].value == STAGES_NONE || t.arg[i].value == value)
            return; /* tables are full, or the tile reads its own value */
        for (unsigned k = 0; k < STAGES_ATOMS / 32 && !c->chip->own_units; k++)
            if (c->value[t.arg[i].value].leaves[k] & ~c->value[value].leaves[k])
                /* do not add tiles whose arguments read textures that the value does not depend on, because
                 * too_many_textures() has not counted these */
                return;
    }
    for (unsigned i = c->value[value].tile; i != STAGES_NONE; i = c->tile[i].next) {
        if (c->tile[i].scale == t.scale && hwemit_stages_same(&c->tile[i], &t))
            return;
    }
    if (c->ntiles == STAGES_TILES) {
        c->overflow = true;
        return;
    }
    const uint16_t n = c->ntiles++;
    c->tile[n] = t;
    if (c->value[value].tile == STAGES_NONE)
        c->value[value].tile = n;
    else
        c->tile[c->value[value].last_tile].next = n;
    c->value[value].last_tile = n;
}
