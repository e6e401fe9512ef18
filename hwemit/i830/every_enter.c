/* Programs that were found, as tiles: each is shown to be right everywhere first. */
#include "hwemit/i830/every.h"

enum { MOST_DOUBTS = 20 }; /* programs that neither can be shown to be right nor are wrong at any vector: each takes a second */

static struct i830_arg arg_of(const struct every *e, unsigned arg, const uint16_t *value, const struct every_program *p, unsigned stage)
{
    if (arg < EVERY_P)
        return (struct i830_arg){e->leaf[arg].value, e->leaf[arg].inv};
    return (struct i830_arg){value[arg < EVERY_W ? p->p[stage] : p->w[stage]], arg & 1};
}

static bool polynomial_of(struct i830_cover *c, const struct every_step *s, const struct i830_arg *arg, struct i830_poly *out)
{
    struct i830_poly a[3], t;
    const bool three = s->op == I830_BLEND || s->op >= I830_MODULATE_AND_ADD;
    for (unsigned i = three ? 0 : 1; i < (s->op == I830_ARG1 ? 2u : 3u); i++)
        if (!hwemit_i830_of_value(c, arg[i], &a[i]))
            return false;
    switch (s->op) {
    case I830_ARG1: t = a[1]; break;
    case I830_MODULATE: t = hwemit_i830_poly_product(&a[1], &a[2]); break;
    case I830_ADD: t = hwemit_i830_poly_sum(1, &a[1], 1, &a[2]); break;
    case I830_ADDSIGNED:
        t = hwemit_i830_poly_sum(1, &a[1], 1, &a[2]);
        t = hwemit_i830_poly_affine(1, &t, -0.5);
        break;
    case I830_SUBTRACT: t = hwemit_i830_poly_sum(1, &a[1], -1, &a[2]); break;
    case I830_BLEND:
        t = hwemit_i830_poly_sum(1, &a[1], -1, &a[2]);
        t = hwemit_i830_poly_product(&a[0], &t);
        t = hwemit_i830_poly_sum(1, &t, 1, &a[2]);
        break;
    case I830_DOT3: return false; /* its atom is made by who reads it */
    default:
        t = hwemit_i830_poly_product(&a[1], &a[2]);
        t = hwemit_i830_poly_sum(1 << (s->op - I830_MODULATE_AND_ADD), &t, 1, &a[0]);
        break;
    }
    *out = hwemit_i830_poly_affine(1 << s->scale, &t, 0);
    return !out->bad;
}

/* False if the tables are full, or it cannot be shown to be the same everywhere. */
static bool enter(struct every *e, const struct every_program *p, bool prove)
{
    struct i830_cover *const c = e->c;
    uint16_t value[5] = {0};
    if (p->lent) { /* by the alpha pipe */
        struct i830_arg arg[3];
        struct i830_poly q;
        for (unsigned i = 0; i < 3; i++)
            arg[i] = arg_of(e, p->lend.arg[i], value, p, 0);
        if (!polynomial_of(c, &p->lend, arg, &q))
            return false;
        value[4] = (uint16_t)hwemit_i830_value(c, &q);
        if (value[4] == I830_NONE)
            return false;
        hwemit_i830_tile(c, value[4], p->lend.op, p->lend.scale, arg[0], arg[1], arg[2]);
    }
    for (unsigned k = p->first; k < 4; k++) {
        struct i830_arg arg[3];
        struct i830_poly q;
        for (unsigned i = 0; i < 3; i++)
            arg[i] = arg_of(e, p->step[k].arg[i], value, p, k);
        if (p->step[k].op == I830_DOT3) {
            struct i830_atom atom = {.kind = I830_DOT, .scalar = 1, .value = {arg[1].value, arg[2].value}, .inv = arg[1].inv ^ arg[2].inv};
            const unsigned n = hwemit_i830_atom(c, &atom);
            if (!n)
                return false;
            q = hwemit_i830_poly_atom(n);
            q = hwemit_i830_poly_affine(1 << p->step[k].scale, &q, 0);
        } else if (!polynomial_of(c, &p->step[k], arg, &q)) {
            return false;
        }
        value[k] = (uint16_t)(k == 3 ? e->root : hwemit_i830_value(c, &q));
        if (value[k] == I830_NONE || (k == 3 && !hwemit_i830_is(c, e->root, &q) && !(prove && hwemit_i830_proves(c, e->root, &q, e->memory, (size_t)(e->end - e->memory)))))
            return false;
        hwemit_i830_tile(c, value[k], p->step[k].op, p->step[k].scale, arg[0], arg[1], arg[2]);
    }
    return true;
}

static bool any_passes(const struct every_program *p)
{
    bool any = false;
    for (unsigned k = p->first; k < 3; k++)
        any |= p->passes[k] != 0;
    return any;
}

unsigned hwemit_i830_every_enter(struct every *e, bool *whole)
{
    unsigned least = 0, not = 0, doubts = 0;
    for (uint32_t i = 0; i < e->nfound; i++)
        if (!least || 4u - e->found[i].first < least)
            least = 4u - e->found[i].first;
    for (uint32_t i = 0; i < e->nfound; i++)
        if (e->pipe == I830_COLOR_PIPE || any_passes(&e->found[i]) || 4u - e->found[i].first == least) {
            const bool prove = doubts < MOST_DOUBTS;
            e->found[i].entered = enter(e, &e->found[i], prove);
            e->found[i].wrong = prove && !e->found[i].entered && hwemit_i830_every_is_wrong(e, &e->found[i]);
            doubts += !e->found[i].entered && !e->found[i].wrong;
        }
    for (uint32_t i = 0; i < e->nfound; i++) { /* another that asks for the same does as well */
        bool is = e->found[i].wrong || !(e->pipe == I830_COLOR_PIPE || any_passes(&e->found[i]) || 4u - e->found[i].first == least);
        for (uint32_t k = 0; k < e->nfound && !is; k++)
            is = e->found[k].entered && e->found[k].asks == e->found[i].asks;
        not += !is;
    }
    *whole &= !not && !e->c->overflow;
    return least;
}
