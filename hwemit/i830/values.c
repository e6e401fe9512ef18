/* Values, each once in a normal form. */
#include "hwemit/i830/cover.h"

#include <string.h>

static const double tiny = 1e-9; /* bounds are exact but for thirds (poly.c) */

void hwemit_i830_cover_init(struct i830_cover *c)
{
    c->code = c->text = NULL;
    c->unit = -1;
    c->overflow = false;
    c->natoms = 1; /* 0: none */
    c->nkonsts = c->nvalues = c->ntiles = c->nalso = 0;
    c->steps = 0;
    memset(c->reach, 0, sizeof c->reach);
    memset(c->bucket, 0xff, sizeof c->bucket);
}

struct i830_range hwemit_i830_range(const struct i830_cover *c, const struct i830_poly *p) { return hwemit_i830_poly_range(p, c->reach); }

bool hwemit_i830_is_unit(const struct i830_cover *c, const struct i830_poly *p)
{
    if (p->bad)
        return false;
    double ends[2] = {hwemit_i830_poly_constant_term(p), 0}; /* all atoms 0, all 1 */
    for (unsigned i = 0; i < p->n; i++)
        ends[1] += (double)p->c[i];
    for (unsigned i = 0; i < 2; i++)
        if (ends[i] < 0 || ends[i] > 1)
            return false;
    struct i830_range r = hwemit_i830_range(c, p);
    return r.lo >= -tiny && r.hi <= 1 + tiny;
}

/* ---- normal form ---- */

/* p = a*w + b with w an atom of degree 1. */
static bool split(const struct i830_poly *p, unsigned w, struct i830_poly *a, struct i830_poly *b)
{
    for (unsigned i = 0; i < p->n; i++) {
        unsigned power = 0;
        for (i830_mono m = p->m[i]; m; m <<= 8)
            power += m >> 56 == w;
        if (power > 1)
            return false;
    }
    struct i830_poly one = hwemit_i830_poly_restrict(p, w, 1);
    *b = hwemit_i830_poly_restrict(p, w, 0);
    *a = hwemit_i830_poly_sum(1, &one, -1, b);
    return !a->bad && !b->bad;
}

/* t >= 0 wherever region > 0, shown by t - k*region >= 0 everywhere. */
static bool holds(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region)
{
    static const uint8_t factor[] = {0, 1, 2, 4};
    for (unsigned i = 0; i < sizeof factor; i++) {
        struct i830_poly rest = hwemit_i830_poly_sum(1, t, -factor[i], region);
        if (!rest.bad && hwemit_i830_range(c, &rest).lo >= -tiny)
            return true;
    }
    return false;
}

/* Whether `clamped` and `open` are both at least 1, or both at most 0, in the region. order: open - clamped is known to be positive there (1), negative (-1). */
static bool same_end(const struct i830_cover *c, const struct i830_poly *clamped, const struct i830_poly *open, const struct i830_poly *region, int order)
{
    for (int end = -1; end <= 1; end += 2) {
        const struct i830_poly x = hwemit_i830_poly_affine(end, clamped, end < 0 ? 0 : -1), y = hwemit_i830_poly_affine(end, open, end < 0 ? 0 : -1);
        if (!x.bad && !y.bad && holds(c, &x, region) && (order == end || holds(c, &y, region)))
            return true;
    }
    return false;
}

/* A clamped value w = sat(q) inside sat(a*w+b), whose clamp cannot be seen behind the outer one, is opened. */
static bool open_clamp(const struct i830_cover *c, struct i830_poly *p, unsigned w)
{
    const struct i830_poly *q = &c->value[c->atom[w].value[0]].p;
    struct i830_poly a, b;
    if (!split(p, w, &a, &b))
        return false;
    const struct i830_poly product = hwemit_i830_poly_product(&a, q), open = hwemit_i830_poly_sum(1, &product, 1, &b);
    const struct i830_poly sum = hwemit_i830_poly_sum(1, &a, 1, &b), below = hwemit_i830_poly_affine(-1, q, 0), above = hwemit_i830_poly_affine(1, q, -1);
    if (open.bad || sum.bad || below.bad || above.bad || hwemit_i830_poly_length(&open) > 8)
        return false;
    const struct i830_range r = hwemit_i830_range(c, q), ra = hwemit_i830_range(c, &a);
    const int rises = ra.lo >= -tiny ? 1 : ra.hi <= tiny ? -1 : 0; /* with w: above, open is a*q+b > a+b; below, it is less than b */
    if ((r.lo < -tiny && !same_end(c, &b, &open, &below, -rises)) || (r.hi > 1 + tiny && !same_end(c, &sum, &open, &above, rises)))
        return false;
    *p = open;
    return true;
}

/* A value that is always at an end is that number. */
static void close_ends(const struct i830_cover *c, struct i830_poly *p)
{
    struct i830_range r = hwemit_i830_range(c, p);
    if (r.hi <= tiny)
        *p = hwemit_i830_poly_constant(0);
    else if (r.lo >= 1 - tiny)
        *p = hwemit_i830_poly_constant(1);
}

static void normalise(const struct i830_cover *c, struct i830_poly *p)
{
    close_ends(c, p);
    for (unsigned opened = 1, rounds = 0; opened && rounds < 8; rounds++) {
        opened = 0;
        for (unsigned i = 0; i < p->n && !opened; i++)
            for (i830_mono m = p->m[i]; m && !opened; m <<= 8)
                opened = c->atom[m >> 56].kind == I830_VALUE && open_clamp(c, p, (unsigned)(m >> 56));
    }
    close_ends(c, p); /* 1 - sat(x - 1/2) + x has become 3/2 */
}

static unsigned hash(const struct i830_poly *p)
{
    uint64_t h = p->n;
    for (unsigned i = 0; i < p->n; i++)
        h = (h ^ p->m[i] ^ (uint64_t)(int64_t)((double)p->c[i] * 256)) * 0x9e3779b97f4a7c15u;
    return (unsigned)(h >> 58);
}

static void add_leaf(struct i830_value *v, unsigned atom) { v->leaves[atom / 32] |= UINT32_C(1) << atom % 32; }

static void add_leaves(struct i830_value *v, const struct i830_value *from)
{
    for (unsigned i = 0; i < I830_ATOMS / 32; i++)
        v->leaves[i] |= from->leaves[i];
    if (from->depth > v->depth)
        v->depth = from->depth;
    v->dots |= from->dots;
}

static void describe(const struct i830_cover *c, struct i830_value *v)
{
    v->scalar = 1;
    v->depth = 0;
    memset(v->leaves, 0, sizeof v->leaves);
    for (unsigned i = 0; i < v->p.n; i++)
        for (i830_mono m = v->p.m[i]; m; m <<= 8) {
            const struct i830_atom *a = &c->atom[m >> 56];
            v->scalar &= a->scalar;
            v->dots |= a->kind == I830_DOT;
            if (a->kind != I830_VALUE && a->kind != I830_DOT)
                add_leaf(v, (unsigned)(m >> 56));
            for (unsigned k = 0; k < (a->kind == I830_VALUE ? 1 : a->kind == I830_DOT ? 2 : 0); k++)
                add_leaves(v, &c->value[a->value[k]]);
        }
    for (unsigned i = 1; i < c->natoms; i++)
        if (v->leaves[i / 32] >> i % 32 & 1) {
            v->nscalar += c->atom[i].scalar;
            v->nvector += !c->atom[i].scalar;
        }
    if (v->p.n && v->p.m[0] != 0)
        v->depth++;
}

static unsigned enter(struct i830_cover *c, const struct i830_poly *p, unsigned leaf)
{
    unsigned h = hash(p);
    for (unsigned i = c->bucket[h]; i != I830_NONE; i = c->value[i].next)
        if (hwemit_i830_poly_equal(&c->value[i].p, p))
            return i;
    if (c->nvalues == I830_VALUES) {
        c->overflow = true;
        return I830_NONE;
    }
    unsigned i = c->nvalues++;
    struct i830_value *v = &c->value[i];
    double number;
    memset(v, 0, sizeof *v);
    v->p = *p;
    v->leaf = (uint8_t)leaf;
    v->number = hwemit_i830_poly_is_constant(p, &number) && (number == 0 || number == 1);
    v->tile = v->last_tile = v->complement = I830_NONE;
    v->next = c->bucket[h];
    c->bucket[h] = (uint16_t)i;
    v->also = I830_NONE;
    describe(c, v);
    if (leaf)
        v->depth = 0;
    return i;
}

unsigned hwemit_i830_value(struct i830_cover *c, const struct i830_poly *p)
{
    if (p->bad) {
        c->overflow = true;
        return I830_NONE;
    }
    struct i830_poly q = *p;
    normalise(c, &q);
    if (q.n == 1 && (double)q.c[0] == 1 && q.m[0] && (q.m[0] << 8) == 0 && c->atom[q.m[0] >> 56].kind != I830_DOT)
        return c->atom[q.m[0] >> 56].value[0];
    return enter(c, &q, 0);
}

void hwemit_i830_also(struct i830_cover *c, unsigned value, const struct i830_poly *p)
{
    struct i830_value *v = &c->value[value];
    if (p->bad || v->leaf || v->number || hwemit_i830_poly_equal(&v->p, p))
        return;
    for (unsigned i = v->also; i != I830_NONE; i = c->also[i].next)
        if (hwemit_i830_poly_equal(&c->also[i].p, p))
            return;
    if (c->nalso == I830_ALSO)
        return; /* some covers will not be found */
    c->also[c->nalso].p = *p;
    c->also[c->nalso].next = v->also;
    v->also = c->nalso++;
}

unsigned hwemit_i830_complement(struct i830_cover *c, unsigned value)
{
    if (c->value[value].complement == I830_NONE) {
        struct i830_poly q = hwemit_i830_poly_affine(-1, &c->value[value].p, 1);
        unsigned i = hwemit_i830_value(c, &q);
        c->value[value].complement = (uint16_t)i;
        if (i != I830_NONE)
            c->value[i].complement = (uint16_t)value;
    }
    return c->value[value].complement;
}

struct i830_arg hwemit_i830_arg(struct i830_cover *c, const struct i830_poly *p)
{
    struct i830_poly q = *p;
    bool inv = hwemit_i830_poly_constant_term(p) == 1;
    double number;
    if (hwemit_i830_poly_is_constant(p, &number))
        inv = number <= 0; /* zero is ONE inverted */
    if (inv)
        q = hwemit_i830_poly_affine(-1, p, 1);
    return (struct i830_arg){(uint16_t)hwemit_i830_value(c, &q), inv};
}

unsigned hwemit_i830_atom(struct i830_cover *c, const struct i830_atom *atom)
{
    for (unsigned i = 1; i < c->natoms; i++) {
        const struct i830_atom *a = &c->atom[i];
        if (a->kind != atom->kind || a->index != atom->index)
            continue;
        if (a->kind == I830_DOT) {
            bool same = a->value[0] == atom->value[0] && a->value[1] == atom->value[1], crossed = a->value[0] == atom->value[1] && a->value[1] == atom->value[0];
            if (a->inv == atom->inv && (same || crossed))
                return i;
        } else if (a->scalar == atom->scalar && a->coord == atom->coord) {
            return i;
        }
    }
    if (c->natoms == I830_ATOMS) {
        c->overflow = true;
        return 0;
    }
    unsigned i = c->natoms++;
    c->atom[i] = *atom;
    if (atom->kind == I830_DOT) {
        c->reach[i] = 3; /* a sum of three products of numbers in [-1,1] */
    } else if (atom->kind != I830_VALUE) {
        struct i830_poly p = hwemit_i830_poly_atom(i);
        unsigned v = enter(c, &p, i);
        c->atom[i].value[0] = (uint16_t)v;
        if (v == I830_NONE)
            return 0;
    }
    return i;
}

void hwemit_i830_tile(struct i830_cover *c, unsigned value, unsigned op, unsigned scale, struct i830_arg a0, struct i830_arg a1, struct i830_arg a2)
{
    struct i830_tile t = {.op = (uint8_t)op, .scale = (uint8_t)scale, .arg = {a0, a1, a2}, .next = I830_NONE};
    if (value == I830_NONE || c->value[value].leaf || c->value[value].number || (op >= I830_MODULATE_AND_ADD && !c->mad))
        return;
    const bool three = op == I830_BLEND || op >= I830_MODULATE_AND_ADD;
    for (unsigned i = 0; i < 3; i++) {
        if (i == 1 || (i == 2 && op != I830_ARG1) || (i == 0 && three)) {
            if (t.arg[i].value == I830_NONE || t.arg[i].value == value) /* tables full; from itself */
                return;
        } else {
            t.arg[i] = (struct i830_arg){I830_NONE, 0};
            continue;
        }
        for (unsigned k = 0; k < I830_ATOMS / 32; k++)
            if (c->value[t.arg[i].value].leaves[k] & ~c->value[value].leaves[k])
                return; /* reads what the value does not depend on */
    }
    for (unsigned i = c->value[value].tile; i != I830_NONE; i = c->tile[i].next) {
        const struct i830_tile *u = &c->tile[i];
        bool same = u->op == t.op && u->scale == t.scale;
        for (unsigned k = 0; k < 3; k++)
            same &= u->arg[k].value == t.arg[k].value && u->arg[k].inv == t.arg[k].inv;
        if (same)
            return;
    }
    if (c->ntiles == I830_TILES) {
        c->overflow = true;
        return;
    }
    unsigned i = c->ntiles++;
    c->tile[i] = t;
    if (c->value[value].tile == I830_NONE)
        c->value[value].tile = (uint16_t)i;
    else
        c->tile[c->value[value].last_tile].next = (uint16_t)i;
    c->value[value].last_tile = (uint16_t)i;
}
