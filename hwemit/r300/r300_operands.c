/* Encodes the operands of dot products and selects. A source or a literal is read directly or through a
 * presubtract; all other operands are computed by an additional instruction first. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

struct affine hwemit_r300_of_vreg(uint16_t v, unsigned half)
{
    struct affine a = {.factor = 1, .leaf = {.file = FILE_VREG, .index = v, .lane = {0, 1, 2}}};
    if (half == ALPHA)
        memset(a.leaf.lane, 3, 3);
    return a;
}

bool hwemit_r300_read_source(struct chooser *c, struct affine *a, const struct fragprog_inst *inst,
                             unsigned s, unsigned mask, unsigned half)
{
    if (!hwemit_r300_affine(c, a, &inst->src[s], mask, half))
        return false;
    if (a->leaf.file == FILE_VREG)
        a->leaf.index = a->leaf.index & 0x8000 ? a->leaf.index & 0x7fff
                                               : c->vreg[a->leaf.index / 2][a->leaf.index % 2];
    hwemit_r300_settle(c, &a->leaf, half == RGB);
    return true;
}

/* Takes a power of two, within the range of an output modifier, out of x and adds its exponent to *power.
 * Returns the remaining factor. */
static float take_power(float x, int *power)
{
    while (x > 1 && *power < 3)
        x /= 2, ++*power;
    while (x < 1 && *power > -3)
        x *= 2, --*power;
    return x;
}

/* Makes presubtract p operand `arg`: as the form's first presubtract, or as its second one if the two are of
 * different parts. */
static bool use_presub(const struct chooser *c, const struct operation *d, struct form *f, unsigned arg,
                       const struct presub *p)
{
    unsigned k = 0;
    if (f->pre[0].op != PRE_NONE && memcmp(&f->pre[0], p, sizeof *p) != 0) {
        const bool other_part = hwemit_r300_presub_part(&f->pre[0], d->leaf) !=
            hwemit_r300_presub_part(p, d->leaf);
        if (!other_part || (!c->p->chip->part_presub && f->pre[0].op != p->op) ||
            (f->pre[1].op != PRE_NONE && memcmp(&f->pre[1], p, sizeof *p) != 0))
            return false;
        k = 1;
    }
    f->pre[k] = *p;
    f->arg[arg] = k ? ARG_PRE2 : ARG_PRE;
    return true;
}

bool hwemit_r300_operand(const struct chooser *c, struct operation *d, struct form *f, unsigned arg,
                         const struct affine *a, unsigned as)
{
    const float factor = a->factor, offset = a->offset;
    if (a->leaf.file == FILE_NONE)
        return hwemit_r300_constant(f, arg, offset);
    if (a->abs && (offset != 0 || factor != 1))
        return false;
    int power = 0;
    struct presub p = {PRE_NONE, {0, 0}};
    float k = 0, size; /* size: the factor that is left to the sign and the output modifier */
    if (offset == 0)
        size = factor;
    else if (as & INVERTED && (factor == -offset || factor == -2 * offset)) { /* 1 - x, 1 - 2x */
        p.op = factor == -offset ? PRE_1_MINUS_X : PRE_1_MINUS_2X;
        size = offset;
    } else if (as & SHIFTED &&
               factor !=
                   0) { /* x + k; a negative k is always written x - |k|, so that both halves can share it */
        size = factor;
        k = offset / factor;
        p.op = k < 0 ? PRE_SUB : PRE_ADD;
    } else
        return false;
    const float magnitude = size < 0 ? -size : size;
    if ((as & SCALED ? take_power(magnitude, &power) : magnitude) != 1)
        return false;
    if (p.op != PRE_NONE && !hwemit_r300_presubtracts(c->p->chip, a->leaf.lane))
        return false;
    unsigned count = d->nleaves, leaf = hwemit_r300_add_leaf(d->leaf, &count, &a->leaf);
    if (!leaf)
        return false;
    d->nleaves = (uint8_t)count;
    const uint8_t id = (uint8_t)(ARG_LEAF + leaf - 1);
    f->arg[arg] = id;
    f->mod[arg] = a->abs ? MOD_ABS : size < 0 ? MOD_NEG : 0;
    if (p.op != PRE_NONE) {
        p.arg[0] = p.arg[1] = id;
        if (k != 0 && !hwemit_r300_number(f, k < 0 ? -k : k, &p.arg[k < 0 ? 0 : 1])) /* SUB is src1 - src0 */
            return false;
        if (!use_presub(c, d, f, arg, &p))
            return false;
    }
    f->omod = (int8_t)(f->omod + power);
    return true;
}

/* ---- dot products ---- */

/* Estimates when a source is available. Of two sources, the one that is available first is computed by an
 * additional instruction. */
static unsigned lateness(const struct chooser *c, const struct affine *a)
{
    return a->leaf.file == FILE_VREG && c->p->vreg[a->leaf.index].kind == V_OP ? 1u + a->leaf.index : 0;
}

static bool has_offset(const struct affine *a) { return a->leaf.file != FILE_NONE && a->offset != 0; }

static bool add(const struct chooser *c, struct operation *d, const struct form *f)
{
    if (f->omod < -3 || f->omod > 3 || !hwemit_r300_fits(f, d->leaf, true, c->p->chip))
        return false;
    d->form[d->nforms++] = *f;
    return true;
}

/* Returns 2^*power and sets *power to 0. */
static float take_all(int8_t *power)
{
    float scale = 1;
    for (; *power > 0; --*power)
        scale *= 2;
    for (; *power < 0; ++*power)
        scale /= 2;
    return scale;
}

/* Returns whether the caller should make further forms of the operation. */
static bool more(const struct chooser *c, const struct operation *d)
{
    return d->nforms == 0 || c->p->chip->thorough;
}

bool hwemit_r300_dp3_direct(const struct chooser *c, struct operation *d, const struct affine a[2], int omod,
                            bool keep_omod_free)
{
    /* with keep_omod_free, a literal operand is multiplied by the scale; it is operand `last` */
    const unsigned last = a[0].leaf.file == FILE_NONE ? 0 : 1;
    for (unsigned shifted = 0; shifted < 4 && more(c, d); shifted++) {
        if ((shifted & 1 && !has_offset(&a[0])) || (shifted & 2 && !has_offset(&a[1])))
            continue;
        struct operation kept = *d;
        struct form f = {NO_PRESUB, .omod = (int8_t)omod};
        bool good = hwemit_r300_operand(c, d, &f, 1 - last, &a[1 - last],
                                        SCALED | (shifted >> (1 - last) & 1 ? SHIFTED : INVERTED));
        struct affine other = a[last];
        if (keep_omod_free && other.leaf.file == FILE_NONE)
            other.offset *= take_all(&f.omod);
        good = good &&
            hwemit_r300_operand(c, d, &f, last, &other, SCALED | (shifted >> last & 1 ? SHIFTED : INVERTED));
        if (!good || (keep_omod_free && f.omod != 0) || !add(c, d, &f))
            *d = kept;
    }
    return d->nforms > 0;
}

/* The scale 2^omod of a dot product. keep_free: forms must not have an output modifier. */
struct scaling {
    int8_t omod;
    bool keep_free;
};

/* Computes source m by an additional instruction, which also applies the scale if no output modifier is
 * allowed. The other source is read directly, INVERTED or SHIFTED. */
static bool dp3_beside(struct chooser *c, struct operation *d, const struct fragprog_inst *inst, unsigned m,
                       const struct affine *other, struct scaling by)
{
    const struct operation kept = *d;
    struct form form[2] = {{NO_PRESUB, .omod = by.omod}, {NO_PRESUB, .omod = by.omod}};
    unsigned n = 0;
    for (unsigned shifted = 0; shifted < (has_offset(other) ? 2u : 1u); shifted++)
        if ((n == 0 || (c->p->chip->thorough && !by.keep_free)) &&
            hwemit_r300_operand(c, d, &form[n], 1 - m, other, SCALED | (shifted ? SHIFTED : INVERTED)) &&
            (by.keep_free || (form[n].omod >= -3 && form[n].omod <= 3)))
            n++;
    const float scale = n && by.keep_free ? take_all(&form[0].omod) : 1;
    const struct affine t = n ? hwemit_r300_materialise(c, inst, m, 7, RGB, scale) : *other;
    for (unsigned i = 0; i < n && !c->failed; i++)
        if (hwemit_r300_operand(c, d, &form[i], m, &t, BARE))
            add(c, d, &form[i]);
    if (d->nforms == 0)
        *d = kept;
    return d->nforms > 0;
}

void hwemit_r300_dp3(struct chooser *c, struct operation *d, const struct fragprog_inst *inst, int omod,
                     bool keep_omod_free)
{
    struct affine a[2];
    bool whole[2];
    d->nleaves = d->nforms = 0;
    for (unsigned s = 0; s < 2; s++)
        whole[s] = hwemit_r300_read_source(c, &a[s], inst, s, 7, RGB);
    if (whole[0] && whole[1] && hwemit_r300_dp3_direct(c, d, a, omod, keep_omod_free))
        return;
    unsigned first = whole[0] && whole[1] && lateness(c, &a[0]) > lateness(c, &a[1]) ? 1 : 0;
    if (whole[0] && whole[1]) { /* the second compilation variant computes the other source */
        first ^= c->p->variety[RGB] > 0;
        c->p->varied[RGB] |= c->p->variety[RGB] < 2;
    }
    for (unsigned k = 0; k < 2 && !c->failed; k++) {
        const unsigned m = k == 0 ? first : 1 - first;
        if (whole[1 - m] &&
            dp3_beside(c, d, inst, m, &a[1 - m], (struct scaling){(int8_t)omod, keep_omod_free}))
            return;
    }
    struct form f = {NO_PRESUB, .omod = (int8_t)omod};
    const float scale = keep_omod_free ? take_all(&f.omod) : 1;
    for (unsigned s = 0; s < 2; s++) {
        const struct affine t = hwemit_r300_materialise(c, inst, s, 7, RGB, s == 0 ? scale : 1);
        if (!c->failed)
            hwemit_r300_operand(c, d, &f, s, &t, BARE);
    }
    add(c, d, &f);
}

struct op *hwemit_r300_append(struct chooser *c, const struct target *t, unsigned code,
                              const struct operation *d)
{
    struct op *op = hwemit_r300_new_op(c, t, code);
    for (unsigned i = 0; op && i < d->nforms; i++) {
        struct form *form = hwemit_r300_new_form(c, op);
        if (!form)
            return NULL;
        *form = d->form[i];
    }
    if (!op)
        return NULL;
    memcpy(op->leaf, d->leaf, sizeof op->leaf);
    op->nleaves = d->nleaves;
    hwemit_r300_pin(c, op);
    return op;
}
