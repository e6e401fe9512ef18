/* Finds tiles, i.e. operations that compute a given value: for each form (stages_forms.c), each choice of
 * its known arguments and each scale, solves the equation a*U + b = value, where a*U + b is the operation and
 * U the unknown argument. If at some sample point no U in [0,1] gives the value, there is no solution; this
 * test rules out nearly all choices. */
#include "hwemit/stages/stages_cover.h"

typedef struct stages_equation equation;
typedef struct stages_choice choice;

/* work, in units of fragprog_budget */
enum { WORK_OF_VALUE = 200, WORK_OF_CHOICE = 2, WORK_OF_EQUATION = 20 };

/* ---- one choice ---- */

static void add_tile(struct stages_cover *c, unsigned value, const choice *k, struct stages_arg u)
{
    const struct stages_arg none = {STAGES_NONE, 0},
                            is[] = {[STAGES_NO_ARG] = none,
                                    [STAGES_U] = u,
                                    [STAGES_V] = {u.value, !u.inv},
                                    [STAGES_X] = k->x->arg,
                                    [STAGES_Y] = k->y->arg};
    const uint8_t *arg = k->form->arg;
    hwemit_stages_tile(c, value,
                       (struct stages_tile){.op = (uint8_t)(k->form->op + k->multiple),
                                            .scale = (uint8_t)k->scale,
                                            .arg = {is[arg[0]], is[arg[1]], is[arg[2]], none}});
}

static void add(struct fragprog_poly *to, double factor, const struct fragprog_poly *p)
{
    if (factor != 0)
        *to = stages_sum(1, to, factor, p);
}

/* Computes a and b of a*U + b as polynomials, including the scale. */
static void coefficients(const choice *k, struct fragprog_poly *a, struct fragprog_poly *b)
{
    const struct stages_linear *f = &k->f;
    const struct fragprog_poly *x = &k->x->p, *y = &k->y->p;
    const double scale = 1 << k->scale;
    *a = stages_constant((double)f->ac * scale);
    *b = stages_constant((double)f->bc * scale);
    add(a, (double)f->ax * scale, x);
    add(a, (double)f->ay * scale, y);
    add(b, (double)f->bx * scale, x);
    add(b, (double)f->by * scale, y);
    if (f->bxy != 0) {
        const struct fragprog_poly xy = stages_product(x, y);
        add(b, (double)f->bxy * scale, &xy);
    }
}

/* ---- solutions ---- */

/* Returns whether `stages` stages may be enough for sat(u). */
static bool may_be_had(struct stages_cover *c, const struct fragprog_poly *u, unsigned stages)
{
    const struct stages_value *v = &c->value[hwemit_stages_scratch(c, u)];
    return v->leaf || v->number || (hwemit_stages_depth(c, v) <= stages && v->nleaves <= 4 * stages - 1);
}

/* Adds the tile with U = sat(u), if the clamp cannot act or does not change the result. */
static void try_solution(equation *e, const choice *k, const struct fragprog_poly *a,
                         const struct fragprog_poly *b, const struct fragprog_poly *u)
{
    if (u->bad || hwemit_stages_burden(u) > e->burden || hwemit_stages_least(e->c, u) >= e->stages)
        return;
    const struct fragprog_poly at1 = stages_sum(1, a, 1, b);
    if (may_be_had(e->c, u, e->stages - 1) && hwemit_stages_unseen(e->c, b, &at1, e->p, u))
        add_tile(e->c, e->value, k, hwemit_stages_arg(e->c, u));
}

static void solve(equation *e, const choice *k)
{
    struct fragprog_poly a, b, u;
    double number;
    if (!hwemit_stages_useful(e, k))
        return;
    coefficients(k, &a, &b);
    const struct fragprog_poly rest = stages_sum(1, e->p, -1, &b); /* must equal a*U */
    if (rest.bad || a.bad)
        return;
    if (!stages_is_constant(&a, &number)) {
        if (fragprog_poly_divide(&u, &rest, &a))
            try_solution(e, k, &a, &b, &u);
    } else if (number != 0) {
        u = stages_affine(1 / number, &rest, 0);
        try_solution(e, k, &a, &b, &u);
    }
}

/* Returns whether sat(p) is known to equal this value. */
static bool equals(const struct stages_cover *c, unsigned value, const struct fragprog_poly *p)
{
    struct fragprog_poly q = *p;
    if (!p->bad)
        hwemit_stages_normalise(c, &q);
    return !p->bad && fragprog_poly_equal(&q, &c->value[value].p);
}

/* Tries as U each value that a stage can read. */
static void from_leaves(equation *e, const choice *k)
{
    struct fragprog_poly a, b;
    for (unsigned i = 0; i < e->ndirect; i++) {
        const struct stages_known *u = &e->known[i];
        if (!hwemit_stages_gives(e, k, u->at))
            continue;
        coefficients(k, &a, &b);
        struct fragprog_poly p = stages_product(&a, &u->p);
        p = stages_sum(1, &p, 1, &b);
        if (equals(e->c, e->value, &p))
            add_tile(e->c, e->value, k, u->arg);
    }
}

/* ---- known arguments ---- */

/* Adds a value and its inverse, if a stage can read the value, if its clamp cannot act, or if an atom
 * represents it. */
static void add_known(equation *e, unsigned value)
{
    if (value == STAGES_NONE || value == e->value)
        return;
    for (unsigned i = 0; i < e->nknown; i++)
        if (e->known[i].arg.value == value)
            return;
    const struct stages_value *v = &e->c->value[value];
    if (!v->leaf && !v->atom && !hwemit_stages_is_unit(e->c, &v->p))
        return;
    for (unsigned inv = 0; inv < 2 && e->nknown < STAGES_KNOWN; inv++) {
        struct stages_known *k = &e->known[e->nknown++];
        const struct fragprog_poly p = v->atom ? stages_variable(v->atom) : v->p;
        k->arg = (struct stages_arg){(uint16_t)value, (uint8_t)inv};
        k->value = v;
        k->atom = v->atom ? v->atom : v->leaf;
        k->number = (uint8_t)(v->number ? 1u << (v->p.n != 0) : 0);
        k->p = k->arg.inv ? stages_affine(-1, &p, 1) : p;
        for (unsigned i = 0; i < STAGES_POINTS; i++)
            k->at[i] = k->arg.inv ? 1 - v->at[i] : v->at[i];
        if (v->number)
            break;
    }
}

/* Collects the known arguments: 0, 1, atoms that the value depends on and a stage can read, and parts of the
 * value that may be in a register. */
static void gather(equation *e)
{
    const struct fragprog_poly *p = e->p;
    struct stages_cover *c = e->c;
    const struct stages_value *v = &c->value[e->value];
    for (unsigned one = 0; one < 2; one++) {
        const struct fragprog_poly number = stages_constant(one);
        add_known(e, hwemit_stages_value(c, &number));
    }
    for (unsigned i = 1; i < c->natoms; i++)
        if (v->leaves[i / 32] >> i % 32 & 1)
            add_known(e, c->atom[i].value[0]);
    e->ndirect = e->nknown;
    if (e->stages == 1)
        return;
    for (unsigned i = 0; i < p->n; i++)
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            if (c->atom[m >> 56].kind == STAGES_VALUE)
                add_known(e, c->atom[m >> 56].value[0]);
    for (unsigned t = v->tile; t != STAGES_NONE; t = c->tile[t].next)
        for (unsigned k = 0; k < STAGES_ARGS; k++) {
            const unsigned part = c->tile[t].arg[k].value;
            if (part != STAGES_NONE && (c->second || c->value[part].scalar))
                add_known(e, part);
        }
}

/* ---- all forms ---- */

static bool is_direct(const struct stages_known *x) { return x->value->leaf || x->value->number; }

/* Returns whether X and Y can be read together with U. If both need a register, the chip must have the second
 * register, and one of them must be a scalar, which the other pipe can supply. */
static bool to_be_had(const equation *e, const struct stages_known *x, const struct stages_known *y)
{
    return is_direct(x) || is_direct(y) || x->value == y->value ||
        (e->c->second && (x->value->scalar || y->value->scalar));
}

/* Returns whether U would have to depend on more leaves than all previous stages can read (stages_options.c).
 */
static bool too_many_left(const equation *e, const struct stages_known *x, const struct stages_known *y)
{
    const struct stages_value *v = &e->c->value[e->value];
    const unsigned brought = x->value->nleaves + (x->value == y->value ? 0u : y->value->nleaves),
                   most = e->stages == 1 ? 1 : 4 * (e->stages - 1) - 1;
    return v->nleaves > brought + most;
}

static bool takes(const struct stages_form *form, enum stages_place place)
{
    return form->arg[0] == place || form->arg[1] == place || form->arg[2] == place;
}

static void one_form(equation *e, const struct stages_form *form, unsigned multiple)
{
    choice k = {.form = form, .multiple = multiple, .f = hwemit_stages_of_form(form, multiple)};
    const bool takes_x = takes(form, STAGES_X), takes_y = takes(form, STAGES_Y), leaves_only = e->stages == 1;
    /* true: exchanging X and Y gives the same operation, perhaps with V in place of U */
    const bool alike = form->arg[1] == STAGES_X && form->arg[2] == STAGES_Y;
    const unsigned n = leaves_only ? e->ndirect : e->nknown, nx = takes_x ? n : 1;
    for (unsigned i = 0; i < nx; i++) {
        k.x = &e->known[i];
        if (takes_x && k.x->number &&
            (!(form->x & k.x->number) || (form->op == STAGES_MODULATE_AND_ADD && multiple == 0)))
            continue;
        for (unsigned j = takes_y && alike ? i : 0; j < (takes_y ? n : 1); j++) {
            k.y = &e->known[j];
            if (takes_y &&
                ((k.y->number && !(form->y & k.y->number)) || (k.x->number && k.y->number) ||
                 !to_be_had(e, k.x, k.y)))
                continue;
            if (too_many_left(e, k.x, k.y))
                continue;
            if (!hwemit_stages_spend(e->c, WORK_OF_CHOICE))
                return;
            const unsigned scales = hwemit_stages_possible(e, &k, form->scales);
            for (k.scale = 0; scales >> k.scale; k.scale++)
                if (scales >> k.scale & 1) {
                    if (!hwemit_stages_spend(e->c, WORK_OF_EQUATION))
                        return;
                    if (leaves_only)
                        from_leaves(e, &k);
                    else
                        solve(e, &k);
                }
        }
    }
}

static void dots(equation *e)
{
    const fragprog_monomial m = e->p->n == 1 ? e->p->m[0] : 0;
    const struct stages_atom *a = &e->c->atom[m >> 56];
    struct stages_tile t = {.op = STAGES_DOT3};
    for (; m && !(m << 8) && a->kind == STAGES_DOT && t.scale < 3; t.scale++) {
        t.arg[1] = (struct stages_arg){a->value[0], 0};
        t.arg[2] = (struct stages_arg){a->value[1], a->inv};
        if (e->p->c[0] == (float)(1 << t.scale))
            hwemit_stages_tile(e->c, e->value, t);
    }
}

static void of_polynomial(equation *e, const struct fragprog_poly *p)
{
    const struct stages_value *v = &e->c->value[e->value];
    if (!hwemit_stages_spend(e->c, WORK_OF_VALUE))
        return;
    e->p = p;
    e->decisive = 0;
    e->nknown = 0;
    for (unsigned scale = 0; scale < 3; scale++)
        for (unsigned i = 0; i < STAGES_POINTS; i++) {
            const float r = v->at[i] / (float)(1 << scale);
            e->lo[scale][i] = v->at[i] < STAGES_NEAR ? -100 : r - STAGES_NEAR;
            e->hi[scale][i] = v->at[i] > 1 - STAGES_NEAR ? 100 : r + STAGES_NEAR;
        }
    gather(e);
    e->burden = hwemit_stages_burden(p);
    for (const struct stages_form *form = hwemit_stages_forms; form->scales; form++)
        for (unsigned multiple = 0; multiple < (form->op == STAGES_MODULATE_AND_ADD ? 3u : 1u); multiple++)
            if (e->c->ops >> (form->op + multiple) & 1)
                one_form(e, form, multiple);
}

/* ---- operations that multiply by a sum ---- */

/* Returns whether the sum of both arguments is at most 1. */
static bool fits(struct stages_cover *c, const struct stages_arg arg[2])
{
    struct fragprog_poly sum = stages_constant(0);
    for (unsigned i = 0; i < 2; i++) {
        const struct fragprog_poly *p = &c->value[arg[i].value].p;
        const bool unit = hwemit_stages_is_unit(c, p);
        const unsigned atom = unit ? 0 : hwemit_stages_atom_of(c, arg[i].value);
        if (!unit && !atom)
            return false;
        const struct fragprog_poly x = atom ? stages_variable(atom) : *p;
        sum = stages_sum(1, &sum, arg[i].inv ? -1 : 1, &x);
        sum = stages_affine(1, &sum, arg[i].inv);
    }
    return hwemit_stages_is_unit(c, &sum);
}

/* For each tile of the value that multiplies by a sum, adds a tile that adds and multiplies in one operation.
 */
static void fuse(struct stages_cover *c, unsigned value, unsigned stages)
{
    if (!(c->ops & (STAGES_OP(ADD_MODULATE) | STAGES_OP(ADD_CLAMPED_MODULATE))))
        return;
    for (unsigned t = c->value[value].tile; t != STAGES_NONE; t = c->tile[t].next)
        for (unsigned i = 1; i < 3 && c->tile[t].op == STAGES_MODULATE; i++) {
            const struct stages_arg sum = c->tile[t].arg[i];
            if (sum.inv || hwemit_stages_is_direct(c, sum.value))
                continue;
            hwemit_stages_expand(c, sum.value, stages);
            for (unsigned u = c->value[sum.value].tile; u != STAGES_NONE; u = c->tile[u].next) {
                const struct stages_arg *added = &c->tile[u].arg[1];
                struct stages_tile made = {
                    .scale = c->tile[t].scale,
                    .arg = {c->tile[t].arg[3 - i], added[0], added[1], {STAGES_NONE, 0}}};
                if (c->tile[u].op != STAGES_ADD || c->tile[u].scale)
                    continue;
                made.op = fits(c, added) ? STAGES_ADD_MODULATE : STAGES_ADD_CLAMPED_MODULATE;
                hwemit_stages_tile(c, value, made);
            }
        }
}

void hwemit_stages_expand(struct stages_cover *c, unsigned value, unsigned stages)
{
    struct stages_value *v = &c->value[value];
    /* a short search whose table of values is full: it rarely succeeds, so only cheap tiles are added */
    const bool full = c->nvalues >= c->most_values && c->most_values < STAGES_VALUES;
    if (v->expanded >= stages || v->leaf || v->number || ((c->frozen || full) && stages > 2))
        return;
    equation *e = &c->equation;
    e->c = c;
    e->value = value;
    e->stages = stages;
    e->p = &v->p;
    dots(e);
    if (c->own)
        return;
    of_polynomial(e, &v->p);
    for (unsigned i = v->also; i != STAGES_NONE && stages > 1; i = c->also[i].next)
        of_polynomial(e, &c->also[i].p);
    v->expanded = (uint8_t)stages;
    fuse(c, value, stages);
}
