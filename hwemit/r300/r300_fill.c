/* Completes a form of one multiply-add A*B + C (r300_match.c): given A and B, finds operands C that equal the
 * rest of the polynomial. */
#include "hwemit/r300/r300_match.h"

#include <string.h>

/* Returns whether sources a and b can be presubtracted: both need the same swizzle. */
static bool presubtracts(const struct search *s, unsigned a, unsigned b)
{
    const uint8_t *x = s->leaf[a - 1].lane, *y = s->leaf[b - 1].lane;
    return s->rgb ? memcmp(x, y, 3) == 0 && hwemit_r300_presubtracts(s->chip, x) : x[0] == y[0];
}

static bool put(const struct search *s, struct draft *d, unsigned arg, const struct value *v, float sign)
{
    struct form *f = &d->f;
    if (v->pre == PRE_NONE && v->a == 0)
        return hwemit_r300_constant(f, arg, sign * v->k) && (!s->light || f->arg[arg] < ARG_NUMBER);
    f->mod[arg] = sign < 0 ? MOD_NEG : 0;
    if (v->pre == PRE_NONE) {
        f->arg[arg] = (uint8_t)(ARG_LEAF + v->a - 1);
        return true;
    }
    struct presub p = {v->pre, {(uint8_t)(ARG_LEAF + v->a - 1), (uint8_t)(ARG_LEAF + v->b - 1)}};
    if (!presubtracts(s, v->a, v->b ? v->b : v->a) || (v->b == 0 && (s->light || v->k == 0)) ||
        ((v->b == 0 || (v->pre == PRE_ADD && v->b == v->a)) && !has_room(s, v->a)))
        return false;
    if (v->b == 0 && !hwemit_r300_number(f, v->k < 0 ? -v->k : v->k, &p.arg[1]))
        return false;
    /* write a - b as -(b - a) if needed, so that both halves of a pair use the same order and share it */
    if (v->pre == PRE_SUB && v->b && hwemit_r300_later(&s->leaf[v->a - 1], &s->leaf[v->b - 1])) {
        f->mod[arg] ^= MOD_NEG;
    } else if (v->pre == PRE_SUB) { /* src1 - src0 */
        const uint8_t first = p.arg[0];
        p.arg[0] = p.arg[1];
        p.arg[1] = first;
    }
    const unsigned part = part_of(s, v->a);
    unsigned n = 0;
    while (n < 2 && n < d->npre && d->part[n] != part)
        n++;
    if (n == 2)
        return false;
    if (n == d->npre) {
        if (n == 1 && !s->chip->part_presub && f->pre[0].op != p.op)
            return false;
        f->pre[n] = p;
        d->part[d->npre++] = (uint8_t)part;
    } else if (memcmp(&f->pre[n], &p, sizeof p) != 0)
        return false;
    f->arg[arg] = n ? ARG_PRE2 : ARG_PRE;
    return true;
}

/* For a form with two literals, one of which is twice the other: uses one constant, and a presubtract that
 * adds it to itself. Returns false if that is not possible. */
static bool doubled(struct search *s, struct draft *d)
{
    struct form *f = &d->f;
    const unsigned large = f->number[0] == 2 * f->number[1] ? 0 : 1;
    if (f->number[large] != 2 * f->number[1 - large])
        return false;
    s->sided = true;
    if (d->npre == 2 || (d->npre && d->part[0] == RGB))
        return false;
    if (d->npre && !s->chip->part_presub && f->pre[0].op != PRE_ADD)
        return false;
    for (unsigned k = 0; k < d->npre; k++)
        if (f->pre[k].arg[0] < ARG_LEAF || f->pre[k].arg[1] < ARG_LEAF)
            return false;
    for (unsigned a = 0; a < 3; a++)
        if (f->arg[a] >= ARG_NUMBER && f->arg[a] < ARG_LEAF)
            f->arg[a] = f->arg[a] != ARG_NUMBER + large ? ARG_NUMBER : d->npre ? ARG_PRE2 : ARG_PRE;
    f->pre[d->npre++] = (struct presub){PRE_ADD, {ARG_NUMBER, ARG_NUMBER}};
    f->number[0] = f->number[1 - large];
    f->number[1] = 0;
    return true;
}

static void add(struct search *s, const struct draft *d)
{
    if (d->f.number[1] != 0) {
        struct draft other = *d;
        if (doubled(s, &other))
            add(s, &other);
    }
    struct form f = d->f;
    f.omod = s->omod;
    f.dot = s->dot;
    if (s->n == s->room || !hwemit_r300_fits(&f, s->leaf, s->rgb, s->chip))
        return;
    for (unsigned i = 0; i < s->n; i++)
        if (memcmp(&s->form[i], &f, sizeof f) == 0)
            return;
    s->form[s->n++] = f;
    if (s->first && hwemit_r300_weight(&f) == s->least) {
        s->form[0] = f;
        s->n = s->room = 1;
    }
}

static void as_rest(struct search *s, const struct draft *product, const struct value *v, float sign)
{
    struct draft d = *product;
    if (s->n < s->room && put(s, &d, 2, v, sign))
        add(s, &d);
}

void hwemit_r300_finish(struct search *s, const struct draft *product, const struct line *rest)
{
    unsigned leaf[2] = {0, 0}, n = 0;
    for (unsigned u = 0; u < s->nused; u++)
        if (rest->c[s->used[u]] != 0) {
            if (n == 2)
                return;
            leaf[n++] = s->used[u];
        }
    const float k = rest->c[0], x = rest->c[leaf[0]], y = rest->c[leaf[1]];
    struct value v = constant(k);
    if (s->dot && (n || k != 0))
        return;
    if (n == 0)
        as_rest(s, product, &v, 1);
    if (n == 1) {
        const float sign = x < 0 ? -1 : 1, magnitude = sign * x;
        if (magnitude == 1 && k == 0)
            v = plain(leaf[0]), as_rest(s, product, &v, sign);
        if (magnitude == 1 && k == -sign)
            v = complement(leaf[0]), as_rest(s, product, &v, -sign);
        if (magnitude == 2 && k == -sign)
            v = sign_of(leaf[0]), as_rest(s, product, &v, -sign);
        if (magnitude == 2 && k == 0)
            v = twice(leaf[0]), as_rest(s, product, &v, sign);
        if (magnitude == 1 && k != 0)
            v = shifted(leaf[0], sign * k), as_rest(s, product, &v, sign);
    }
    if (n == 2 && k == 0 && (x == 1 || x == -1) && (y == 1 || y == -1))
        v = both(leaf[0], leaf[1], x * y), as_rest(s, product, &v, x);
}

void hwemit_r300_multiply(struct search *s, const struct value *a, const struct value *b, float sign)
{
    if (is_full(s))
        return;
    s->work += 8;
    struct draft d = {.f = {NO_PRESUB}};
    if (!put(s, &d, 0, a, sign) || !put(s, &d, 1, b, 1))
        return;
    struct line rest = s->q;
    rest.c[a->a] -= sign * b->offset * a->factor;
    rest.c[b->a] -= sign * a->offset * b->factor;
    rest.c[a->b] -= sign * b->offset * a->other;
    rest.c[b->b] -= sign * a->offset * b->other;
    rest.c[0] = s->q.c[0] - sign * a->offset * b->offset;
    if (d.f.mod[1]) { /* one operand can have the sign of the product: move B's to A */
        d.f.mod[0] ^= MOD_NEG;
        d.f.mod[1] = 0;
    }
    hwemit_r300_finish(s, &d, &rest);
}
