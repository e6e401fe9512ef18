/* Whether two values are equal everywhere, though no algebra makes them one: shown by cases of what their clamps do, and by boxes.
 *
 * sat(A) > sat(B) means A > B, A > 0 and B < 1. Where that is so it is so in a ball. Clamps are taken in order of evaluation; in a smaller ball each is below, above
 * or between its ends, what is behind it a polynomial there, and it a number or that polynomial. For each choice of these cases polynomials say what has to be
 * positive, or 0 or more without being 0 everywhere: all are positive somewhere in the ball. So it is enough that in each of the boxes that make up the cube some
 * sum of these, times positive numbers, is 0 or less by its Bernstein coefficients. Then A > B nowhere; and the same for B > A. */
#include "hwemit/i830/same.h"

enum { TRIALS = 600, DEPTH = 40 };
_Static_assert(sizeof(struct i830_proof) + 16 <= I830_PROOF, "the proof has room");

/* ---- cases ---- */

/* What is behind the clamps from k on, as the decided ones are. */
static void forms(struct i830_proof *w, unsigned first)
{
    const unsigned n = w->nclamps;
    for (unsigned k = first; k < n; k++) {
        w->state[k] = I830_OPEN;
        w->nrules[k] = 0;
        w->form[k] = w->raw[k];
        for (unsigned j = 0; j < first; j++)
            if (w->state[j] == I830_NUMBER)
                hwemit_i830_wide_put(&w->form[k], w->nleaves + j, &w->whole[j], w->scratch);
    }
    for (unsigned k = n; k-- > first;) {
        w->needed[k] = k + 2 >= n;
        for (unsigned j = k + 1; j < n && !w->needed[k]; j++)
            w->needed[k] = w->needed[j] && hwemit_i830_wide_degree(&w->form[j], w->nleaves + k) > 0;
    }
}

static void make_whole(struct i830_proof *w, unsigned k)
{
    w->whole[k] = w->form[k];
    for (unsigned j = k; j-- > 0;)
        if (w->state[j] == I830_BETWEEN)
            hwemit_i830_wide_put(&w->whole[k], w->nleaves + j, &w->whole[j], w->scratch);
}

/* The same one clamp after the other: puts what the last clamp between its ends is, of others, in p. False if there is none. */
static bool look_behind(struct i830_proof *w, struct i830_wide *p)
{
    for (unsigned j = w->nclamps - 2; j-- > 0;)
        if (w->state[j] == I830_BETWEEN && hwemit_i830_wide_degree(p, w->nleaves + j) > 0) {
            hwemit_i830_wide_put(p, w->nleaves + j, &w->form[j], w->scratch);
            return !p->bad;
        }
    return false;
}

/* That it is positive says nothing then. */
static bool never_negative(struct i830_proof *w, const struct i830_wide *p)
{
    struct i830_shape s;
    if (p->n == 0 || !hwemit_i830_shape(&s, &p, 1) || !hwemit_i830_dense(&s, p, &hwemit_i830_unit_box, w->dense[0]))
        return false;
    for (unsigned i = 0; i < s.size; i++)
        if (w->dense[0][i] < 0)
            return false;
    return true;
}

/* Adds x*p + y to what is positive, if it is not bad, always so, or there already. What is positive itself is divided out: factors that are variables, what these lack
 * of 1, and what is assumed of the clamps before. */
static void assume(struct i830_proof *w, unsigned below, struct i830_wide *list, unsigned *n, double x, const struct i830_wide *p, double y)
{
    struct i830_wide *const g = &list[*n];
    hwemit_i830_wide_affine(g, x, p, y);
    hwemit_i830_wide_strip(g, w->scratch);
    for (unsigned k = 0; k < below; k++)
        for (unsigned i = 0; i < w->nrules[k]; i++)
            while (w->rule[k][i].n > 1 && g->n > 1 && hwemit_i830_wide_divide(&w->scratch[0], g, &w->rule[k][i], &w->scratch[1]))
                *g = w->scratch[0];
    bool has = g->bad || never_negative(w, g);
    for (unsigned i = 0; i < *n; i++)
        has |= hwemit_i830_wide_equal(g, &list[i]);
    *n += !has;
}

/* Whether the two are equal by what is assumed so far; boxes: looking at as many boxes as it takes. */
static bool settled(struct i830_proof *w, bool boxes)
{
    const unsigned a = w->nclamps - 2, b = a + 1;
    make_whole(w, a);
    make_whole(w, b);
    if (hwemit_i830_wide_equal(&w->form[a], &w->form[b]) || hwemit_i830_wide_equal(&w->whole[a], &w->whole[b]))
        return true;
    for (unsigned side = 0; side < 2; side++) {
        struct i830_box box = hwemit_i830_unit_box;
        unsigned nclaims = 0;
        struct i830_wide *const more = &w->part[0], *const less = &w->part[1];
        *more = w->form[side ? b : a];
        *less = w->form[side ? a : b];
        bool more_of, less_of;
        do {
            hwemit_i830_wide_sum(&w->scratch[3], 1, more, -1, less);
            assume(w, a, w->claim, &nclaims, 1, &w->scratch[3], 0);
            assume(w, a, w->claim, &nclaims, 1, more, 0);
            assume(w, a, w->claim, &nclaims, -1, less, 1);
            more_of = look_behind(w, more);
            less_of = look_behind(w, less);
        } while (nclaims + 3 <= I830_CLAIMS && (more_of || less_of));
        const unsigned n = hwemit_i830_assumed(w, nclaims);
        if (boxes ? !hwemit_i830_in_boxes(w, &box, n, DEPTH) : !hwemit_i830_impossible(w, &box, n, nclaims))
            return false;
    }
    return true;
}

/* Whether the two are equal in all cases of the clamps from k on. */
static bool in_cases(struct i830_proof *w, unsigned k)
{
    double number;
    if (hwemit_i830_given_up(w))
        return false;
    forms(w, k);
    if (settled(w, false))
        return true;
    while (k + 2 < w->nclamps && !w->needed[k])
        k++;
    if (k + 2 == w->nclamps)
        return settled(w, true);
    make_whole(w, k);
    if (w->whole[k].bad)
        return false;
    if (hwemit_i830_wide_is_constant(&w->whole[k], &number)) {
        w->state[k] = I830_NUMBER;
        hwemit_i830_wide_constant(&w->whole[k], number < 0 ? 0 : number > 1 ? 1 : number);
        return in_cases(w, k + 1);
    }
    for (int end = -1; end <= 1; end++) {
        struct i830_box box = hwemit_i830_unit_box;
        unsigned n = 0;
        forms(w, k); /* the case before has left its own */
        make_whole(w, k);
        struct i830_wide *const p = &w->part[0];
        *p = w->form[k];
        do {
            if (end <= 0)
                assume(w, k, w->rule[k], &n, end < 0 ? -1 : 1, p, 0);
            if (end >= 0)
                assume(w, k, w->rule[k], &n, end > 0 ? 1 : -1, p, end > 0 ? -1 : 1);
        } while (n + 2 <= I830_RULES && look_behind(w, p));
        w->nrules[k] = (uint8_t)n;
        w->state[k] = end == 0 ? I830_BETWEEN : I830_NUMBER;
        if (hwemit_i830_impossible(w, &box, hwemit_i830_assumed(w, 0), n))
            continue;
        if (end != 0)
            hwemit_i830_wide_constant(&w->whole[k], end > 0);
        if (!in_cases(w, k + 1))
            return false;
    }
    return true;
}

/* ---- the two as polynomials of leaves and clamps ---- */

/* What a clamp is of. A dot product of numbers that are alike in all channels is 3(2x-1)(2y-1), in [-3,3]: that of ((2x-1)(2y-1) + 1) / 2, which never bites. */
struct behind { struct i830_poly p, q; bool dot, inv; };

/* The argument as a polynomial of atoms older than the dot product. False: not to be had. */
static bool argument_of_dot(const struct i830_cover *c, unsigned value, unsigned dot, struct i830_poly *p)
{
    const struct i830_value *const v = &c->value[value];
    if (!v->scalar)
        return false;
    *p = v->p;
    if (!v->leaf && !v->number && !hwemit_i830_is_unit(c, p)) {
        if (!v->atom)
            return false;
        *p = hwemit_i830_poly_atom(v->atom);
    }
    bool older = true;
    for (unsigned t = 0; t < p->n; t++)
        for (i830_mono m = p->m[t]; m; m <<= 8)
            older &= m >> 56 < dot;
    return older;
}

static bool is_clamp(const struct i830_cover *c, unsigned atom, struct behind *b)
{
    const struct i830_atom *const a = &c->atom[atom];
    if (a->kind == I830_DOT && argument_of_dot(c, a->value[0], atom, &b->p) && argument_of_dot(c, a->value[1], atom, &b->q)) {
        b->dot = true, b->inv = a->inv;
        return true;
    }
    if (a->kind != I830_VALUE)
        return false;
    b->p = c->value[a->value[0]].p;
    b->dot = false;
    return true;
}

static void mark(const struct i830_poly *p, bool *reads)
{
    for (unsigned t = 0; t < p->n; t++)
        for (i830_mono m = p->m[t]; m; m <<= 8)
            reads[m >> 56] = true;
}

static void add_wide(struct i830_proof *w, const struct i830_cover *c, const struct i830_poly *p, struct i830_wide *out)
{
    struct i830_wide *const term = &w->scratch[0], *const factor = &w->scratch[1], *const product = &w->scratch[2];
    hwemit_i830_wide_constant(out, 0);
    for (unsigned t = 0; t < p->n; t++) {
        hwemit_i830_wide_constant(term, (double)p->c[t]);
        for (i830_mono m = p->m[t]; m; m <<= 8) {
            const int reach = c->reach[m >> 56]; /* of numbers in [-reach, reach] those in [0,1] that they are made of */
            hwemit_i830_wide_variable(factor, w->variable[m >> 56]);
            if (reach)
                hwemit_i830_wide_affine(factor, 2 * reach, factor, -reach);
            hwemit_i830_wide_constant(product, 0);
            hwemit_i830_wide_add_product(product, 1, term, factor);
            *term = *product;
        }
        hwemit_i830_wide_constant(factor, 1);
        hwemit_i830_wide_add_product(out, 1, term, factor);
    }
}

static void make_raw(struct i830_proof *w, const struct i830_cover *c, const struct behind *b, struct i830_wide *raw)
{
    if (!b->dot) {
        add_wide(w, c, &b->p, raw);
        return;
    }
    struct i830_wide *const x = &w->part[0], *const y = &w->part[1];
    add_wide(w, c, &b->p, x);
    add_wide(w, c, &b->q, y);
    hwemit_i830_wide_affine(x, 2, x, -1);
    hwemit_i830_wide_affine(y, b->inv ? -1 : 1, y, b->inv ? 0.5 : -0.5);
    hwemit_i830_wide_constant(raw, 0.5);
    hwemit_i830_wide_add_product(raw, 1, x, y);
}

/* False if there are too many of something. */
static bool enter(struct i830_proof *w, const struct i830_cover *c, const struct i830_poly *const two[2])
{
    bool reads[I830_ATOMS] = {false}, clamp[I830_ATOMS];
    struct behind behind;
    mark(two[0], reads);
    mark(two[1], reads);
    for (unsigned a = c->natoms; a-- > 1;) { /* a clamped value reads atoms that are older */
        clamp[a] = reads[a] && is_clamp(c, a, &behind);
        if (!clamp[a])
            continue;
        mark(&behind.p, reads);
        if (behind.dot)
            mark(&behind.q, reads);
        for (unsigned i = 0; i < behind.p.n; i++)
            for (i830_mono m = behind.p.m[i]; m; m <<= 8)
                if (m >> 56 >= a)
                    return false;
    }
    w->nleaves = w->nclamps = 0;
    for (unsigned a = 1; a < c->natoms; a++)
        if (reads[a] && !clamp[a]) {
            if (w->nleaves == I830_LEAVES)
                return false;
            w->variable[a] = (uint8_t)w->nleaves++;
        }
    for (unsigned a = 1; a < c->natoms; a++)
        if (clamp[a]) {
            if (w->nclamps + 2 == I830_CLAMPS)
                return false;
            w->variable[a] = (uint8_t)(w->nleaves + w->nclamps);
            is_clamp(c, a, &behind);
            make_raw(w, c, &behind, &w->raw[w->nclamps]);
            if (w->raw[w->nclamps++].bad)
                return false;
        }
    for (unsigned i = 0; i < 2; i++) {
        add_wide(w, c, two[i], &w->raw[w->nclamps]);
        if (w->raw[w->nclamps++].bad)
            return false;
    }
    return true;
}

bool hwemit_i830_proves(const struct i830_cover *c, unsigned value, const struct i830_poly *p, void *memory, size_t size)
{
    const size_t off = (size_t)(-(uintptr_t)memory & 15);
    struct i830_proof *const w = (struct i830_proof *)((char *)memory + off);
    const struct i830_poly *const two[2] = {&c->value[value].p, p};
    if (size < sizeof *w + 16 || p->bad || !enter(w, c, two))
        return false;
    w->boxes = 0, w->work = 0, w->differs = false, w->seed = 1;
    for (unsigned i = 0; i < TRIALS; i++) {
        double x[I830_WIDE_VARS];
        for (unsigned v = 0; v < w->nleaves; v++) {
            const double u = hwemit_i830_guess(w), r = hwemit_i830_guess(w);
            x[v] = r < 0.2 ? 0 : r > 0.8 ? 1 : u;
        }
        if (hwemit_i830_differ_at(w, x))
            return false;
    }
    return in_cases(w, 0);
}
