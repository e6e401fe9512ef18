/* Collects the known arguments for equations (stages_tiles.c): 0, 1, atoms that the value depends on and a
 * stage can read, and parts of the value that may be in a register. */
#include "hwemit/stages/stages_tiles.h"

static bool has(const struct stages_equation *e, unsigned value)
{
    for (unsigned i = 0; i < e->nknown; i++)
        if (e->known[i].arg.value == value)
            return true;
    return false;
}

/* Adds a value and its inverse, if a stage can read the value, if its clamp cannot act, or if an atom
 * represents it. */
static void add(struct stages_equation *e, unsigned value)
{
    if (value == STAGES_NONE || value == e->value || has(e, value))
        return;
    const struct stages_value *v = &e->c->value[value];
    if (!v->leaf && !v->atom && !hwemit_stages_is_unit(e->c, &v->p))
        return;
    for (unsigned inv = 0; inv < 2 && e->nknown < STAGES_KNOWN; inv++) {
        struct stages_known *k = &e->known[e->nknown++];
        const struct fragprog_poly p = v->atom ? stages_variable(v->atom) : v->p;
        k->arg = (struct stages_arg){(uint16_t)value, (uint8_t)inv};
        k->direct = v->leaf || v->number;
        k->scalar = v->scalar;
        k->leaves = (uint8_t)(v->nvector + v->nscalar);
        k->atom = v->atom ? v->atom : v->leaf;
        k->number = (uint8_t)(v->number ? 1u << (v->p.n != 0) : 0);
        k->p = k->arg.inv ? stages_affine(-1, &p, 1) : p;
        for (unsigned i = 0; i < STAGES_POINTS; i++)
            k->at[i] = k->arg.inv ? 1 - v->at[i] : v->at[i];
        if (v->number)
            break;
    }
}

void hwemit_stages_gather(struct stages_equation *e)
{
    const struct fragprog_poly *p = e->p;
    struct stages_cover *c = e->c;
    const struct stages_value *v = &c->value[e->value];
    for (unsigned one = 0; one < 2; one++) {
        const struct fragprog_poly number = stages_constant(one);
        add(e, hwemit_stages_value(c, &number));
    }
    for (unsigned i = 1; i < c->natoms; i++)
        if (v->leaves[i / 32] >> i % 32 & 1)
            add(e, c->atom[i].value[0]);
    e->ndirect = e->nknown;
    if (e->stages == 1)
        return;
    for (unsigned i = 0; i < p->n; i++)
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            if (c->atom[m >> 56].kind == STAGES_VALUE)
                add(e, c->atom[m >> 56].value[0]);
    for (unsigned t = v->tile; t != STAGES_NONE; t = c->tile[t].next)
        for (unsigned k = 0; k < STAGES_ARGS; k++) {
            const unsigned part = c->tile[t].arg[k].value;
            if (part != STAGES_NONE && (c->second || c->value[part].scalar))
                add(e, part);
        }
}
