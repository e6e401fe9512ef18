/* What the programs of a pipe read. */
#include "hwemit/i830/every.h"

static bool add_leaf(struct every *e, unsigned value, unsigned from)
{
    if (e->nleaves + 2 > EVERY_LEAVES)
        return false;
    double number;
    const bool is_number = hwemit_i830_poly_is_constant(&e->c->value[value].p, &number);
    const field name = is_number ? every_fraction(number) : every_random_field(&e->seed);
    for (unsigned inv = 0; inv < 2; inv++)
        e->leaf[e->nleaves++] = (struct every_leaf){.value = (uint16_t)value, .inv = (uint8_t)inv, .from = (uint8_t)from, .name = inv ? every_less(1, name) : name};
    return true;
}

bool hwemit_i830_every_depends_less(const struct i830_cover *c, unsigned value, unsigned root)
{
    bool does = true;
    for (unsigned k = 0; k < I830_ATOMS / 32; k++)
        does &= !(c->value[value].leaves[k] & ~c->value[root].leaves[k]);
    return does;
}

/* 1/2, which the alpha pipe has after one stage. */
static unsigned half_of(struct i830_cover *c, unsigned zero)
{
    const struct i830_poly p = hwemit_i830_poly_constant(0.5);
    const unsigned half = hwemit_i830_value(c, &p);
    const struct i830_arg none = {I830_NONE, 0};
    if (half != I830_NONE)
        hwemit_i830_tile(c, half, I830_ADDSIGNED, 0, none, (struct i830_arg){(uint16_t)zero, 1}, (struct i830_arg){(uint16_t)zero, 0});
    return half;
}

static bool is_scale(double x) { return x == 1 || x == 2 || x == 4; }

const struct i830_atom *hwemit_i830_every_dot_of(const struct i830_cover *c, unsigned value)
{
    const struct i830_poly *const p = &c->value[value].p;
    return p->n == 1 && is_scale((double)p->c[0]) && p->m[0] && p->m[0] << 8 == 0 && c->atom[p->m[0] >> 56].kind == I830_DOT ? &c->atom[p->m[0] >> 56] : NULL;
}

void hwemit_i830_every_add_dots(struct i830_cover *c, unsigned root)
{
    for (unsigned i = 1; i < c->natoms_read && c->value[root].dots; i++)
        for (unsigned scale = 1; scale <= 4 && c->atom[i].kind == I830_DOT; scale *= 2) {
            struct i830_poly p = hwemit_i830_poly_atom(i);
            p = hwemit_i830_poly_affine((int)scale, &p, 0);
            const unsigned value = hwemit_i830_value(c, &p);
            if (value == I830_NONE || !hwemit_i830_every_depends_less(c, value, root) || !hwemit_i830_atom_of(c, value))
                continue;
            for (unsigned less = 1; less < scale; less *= 2) { /* of one with a smaller scale */
                p = hwemit_i830_poly_atom(i);
                p = hwemit_i830_poly_affine((int)less, &p, 0);
                hwemit_i830_tile(c, value, I830_ARG1, scale / less / 2, (struct i830_arg){I830_NONE, 0}, (struct i830_arg){(uint16_t)hwemit_i830_value(c, &p), 0},
                                 (struct i830_arg){I830_NONE, 0});
            }
        }
    c->natoms_read = c->natoms;
}

bool hwemit_i830_every_add_leaves(struct every *e, const uint8_t *ready)
{
    struct i830_cover *const c = e->c;
    const struct i830_value *const root = &c->value[e->root];
    const struct i830_poly zero = hwemit_i830_poly_constant(0);
    const unsigned none = hwemit_i830_value(c, &zero);
    e->nleaves = e->natoms = 0;
    if (none == I830_NONE || !add_leaf(e, none, 1))
        return false;
    for (unsigned i = 1; i < c->natoms; i++)
        if (root->leaves[i / 32] >> i % 32 & 1) {
            if (e->natoms == EVERY_LEAVES / 2)
                return false;
            e->atom[e->natoms++] = (uint8_t)i; /* all of them are set, the alpha pipe's own, too */
            if ((e->pipe == I830_COLOR_PIPE || c->atom[i].scalar) && !add_leaf(e, c->atom[i].value[0], 1))
                return false;
        }
    for (unsigned i = 1; i < c->natoms_read; i++)
        if (ready[i] && ready[i] < I830_STAGES && c->atom[i].value[0] != e->root && hwemit_i830_every_depends_less(c, c->atom[i].value[0], e->root) &&
            (e->pipe == I830_COLOR_PIPE || hwemit_i830_every_dot_of(c, c->atom[i].value[0])) && !add_leaf(e, c->atom[i].value[0], ready[i] + 1u))
            return false;
    if (e->pipe == I830_ALPHA_PIPE)
        return true;
    const unsigned half = half_of(c, none);
    return half != I830_NONE && add_leaf(e, half, 2);
}
