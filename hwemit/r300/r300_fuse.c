/* Fusion: substitutes the polynomial of a value into an instruction that reads it, if the result is still one
 * instruction, or if this reduces the number of instructions (with FUSE_ALIKE, also if it stays the same). A
 * value's clamp may be dropped where it cannot act, or where the reader saturates whenever the clamp acts:
 * for a reader k*x + b, x > 1 needs k + b >= 1 (k > 0) or k + b <= 0 (k < 0), and x < 0 needs b <= 0 (k > 0)
 * or b >= 1 (k < 0); see notes/pipeline.md, "The optimiser". The optimiser fuses what one instruction of
 * ATI_fragment_shader can express; this pass fuses what the paired unit can. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

static bool bounds(const struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                   unsigned n, float *least, float *most)
{
    float low[MAX_LEAVES + 1], high[MAX_LEAVES + 1];
    for (unsigned i = 0; i < n; i++) {
        low[i + 1] = 0, high[i + 1] = 1;
        if (leaf[i].file == FILE_CONST)
            hwemit_r300_leaf_range(c, &leaf[i], &low[i + 1], &high[i + 1]);
        else if (leaf[i].index & 0x8000) {
            low[i + 1] = c->p->vreg[leaf[i].index & 0x7fff].low;
            high[i + 1] = c->p->vreg[leaf[i].index & 0x7fff].high;
        } else if (c->ir->inst[leaf[i].index / 2].op != FRAGPROG_TEX) {
            low[i + 1] = c->node[leaf[i].index].low;
            high[i + 1] = c->node[leaf[i].index].high;
        }
    }
    fragprog_quad_range(q, low, high, least, most);
    return true;
}

/* Returns whether the reader's result clamp(k*x + b) stays the same if the clamp of x to [0,1] is left out.
 * Without its clamp x is in [low, high]. */
static bool clamp_is_idle(const struct chooser *c, const struct node *reader, const struct fragprog_quad *k,
                          const struct fragprog_quad *b, float low, float high)
{
    float k0, k1, b0, b1, s0, s1;
    if (low >= 0 && high <= 1)
        return true;
    if (reader->clamp != FRAGPROG_SAT)
        return false;
    const struct fragprog_quad sum = fragprog_quad_sum(1, k, 1, b);
    bounds(c, k, reader->leaf, reader->nleaves, &k0, &k1);
    bounds(c, b, reader->leaf, reader->nleaves, &b0, &b1);
    bounds(c, &sum, reader->leaf, reader->nleaves, &s0, &s1);
    if (high > 1 && !(k0 >= 0 && s0 >= 1) && !(k1 <= 0 && s1 <= 0))
        return false;
    if (low < 0 && !(k0 >= 0 && b1 <= 0) && !(k1 <= 0 && b0 >= 1))
        return false;
    return true;
}

/* Replaces source `leaf` of the reader by the polynomial of the value that it reads, with the source's
 * swizzle applied. Returns false if the result is not a polynomial of the allowed size or if the value's
 * clamp cannot be dropped. */
static bool substitute(const struct chooser *c, struct node *reader, unsigned leaf, const struct node *value)
{
    struct fragprog_quad k, rest, x = {{0}}, product;
    struct node n = *reader;
    uint8_t lane[3];
    unsigned number[MAX_LEAVES + 1] = {0}, count = n.nleaves;
    memcpy(lane, n.leaf[leaf - 1].lane, 3);
    if (!fragprog_quad_split(&n.q, leaf, &k, &rest))
        return false;
    if (value->clamp == FRAGPROG_SAT8)
        return false;
    for (unsigned i = 0; i < value->nleaves; i++) {
        struct leaf seen = value->leaf[i];
        for (unsigned j = 0; j < 3; j++)
            seen.lane[j] = value->half == ALPHA ? value->leaf[i].lane[0] : value->leaf[i].lane[lane[j]];
        if (n.half == RGB && !hwemit_r300_native(c->p->chip, seen.lane, 7))
            return false;
        number[i + 1] = hwemit_r300_add_leaf(n.leaf, &count, &seen);
        if (!number[i + 1])
            return false;
        n.nleaves = (uint8_t)count;
    }
    for (unsigned j = 0; j <= value->nleaves; j++)
        for (unsigned i = 0; i <= j; i++)
            x.c[fragprog_quad_term(number[i], number[j])] += value->q.c[fragprog_quad_term(i, j)];
    if (value->clamp == FRAGPROG_SAT) {
        float low, high;
        bounds(c, &x, n.leaf, n.nleaves, &low, &high);
        struct node seen = n;
        if (!clamp_is_idle(c, &seen, &k, &rest, low, high))
            return false;
    }
    if (!fragprog_quad_product(&product, &k, &x))
        return false;
    n.q = fragprog_quad_sum(1, &rest, 1, &product);
    /* remove the source by moving the last one to its index */
    unsigned last = n.nleaves;
    for (unsigned i = 0; i <= last; i++) {
        if (i == leaf)
            continue;
        n.q.c[fragprog_quad_term(i == last ? leaf : i, leaf)] = last == leaf
            ? 0
            : n.q.c[fragprog_quad_term(i, last)];
        if (last != leaf)
            n.q.c[fragprog_quad_term(i, last)] = 0;
    }
    n.leaf[leaf - 1] = n.leaf[last - 1];
    n.nleaves--;
    *reader = n;
    return true;
}

static void count_readers(struct chooser *c)
{
    for (unsigned i = 0; i < c->ir->ninst * 2u; i++)
        c->node[i].readers = 0;
    for (unsigned h = 0; h < 2; h++)
        c->node[c->ir->result[h] * 2 + h].readers = 100;
    for (unsigned i = 0; i < c->ir->ninst * 2u; i++) {
        const struct node *n = &c->node[i];
        const struct fragprog_inst *inst = &c->ir->inst[i / 2];
        if (!n->used)
            continue;
        for (unsigned l = 0; n->simple && l < n->nleaves; l++)
            if (n->leaf[l].file == FILE_VREG && !(n->leaf[l].index & 0x8000))
                c->node[n->leaf[l].index].readers++;
        /* sources of instructions that are not polynomials, which fusion does not change */
        for (unsigned s = 0; !n->simple && s < fragprog_op_args(inst->op); s++)
            if (inst->src[s].file == FRAGPROG_VALUE)
                for (unsigned part = 0; part < 2; part++)
                    c->node[inst->src[s].index * 2 + part].readers += 100;
    }
}

/* Returns the number of instructions that compute a node, counted up to `limit` (at most 2); a result above
 * `limit` means "more". The result is memoised in the node. Polynomials of many terms are not tried as two
 * instructions. */
enum { MANY_TERMS = 8 };
static unsigned cost(struct chooser *c, struct node *n, unsigned limit)
{
    limit = limit > 2 ? 2 : limit;
    if (n->cost == 0 || (n->cost > n->limit && n->limit < limit)) {
        n->limit = (uint8_t)(fragprog_quad_count(&n->q) > MANY_TERMS ? 1 : limit);
        n->cost = (uint8_t)hwemit_r300_cost(c, &n->q, n->leaf, n->nleaves, n->half == RGB, n->limit);
        n->limit = (uint8_t)limit;
    }
    return n->cost;
}

/* Returns whether fusion pays although the fused node takes more than one instruction. */
static bool pays(struct chooser *c, struct node *n, struct node *value, struct node *fused,
                 enum fusing fusing)
{
    const bool alike = fusing == FUSE_ALIKE;
    unsigned before = cost(c, n, 1);
    if (value->readers == 1)
        before += cost(c, value, 1) - !alike;
    if (before <= 1)
        return false;
    before = cost(c, n, 2);
    if (value->readers == 1)
        before += cost(c, value, 2) - !alike;
    if (before > 2 && !alike) /* the fused cost is at most 3 */
        return true;
    return cost(c, fused, before) <= before && !(alike && fused->cost > 2);
}

static bool fuse_into(struct chooser *c, struct node *n, enum fusing fusing)
{
    for (unsigned l = 1; l <= n->nleaves; l++) {
        const struct leaf *leaf = &n->leaf[l - 1];
        if (leaf->file != FILE_VREG || leaf->index & 0x8000)
            continue;
        struct node *value = &c->node[leaf->index];
        if (!value->simple || c->read[leaf->index / 2] & 4)
            continue;
        struct node fused = *n;
        if (!substitute(c, &fused, l, value) || fused.nleaves == MAX_LEAVES)
            continue;
        fused.cost = 0;
        if (cost(c, &fused, 1) > 1 && !pays(c, n, value, &fused, fusing))
            continue;
        *n = fused;
        return true;
    }
    return false;
}

/* Rewrites q for a source that now holds 1 minus its previous value. */
static bool complement_leaf(struct fragprog_quad *q, unsigned leaf)
{
    struct fragprog_quad k, rest, x = fragprog_quad_affine(-1, leaf, 1), product;
    if (!fragprog_quad_split(q, leaf, &k, &rest) || !fragprog_quad_product(&product, &k, &x))
        return false;
    *q = fragprog_quad_sum(1, &rest, 1, &product);
    return true;
}

/* Replaces a value v that only node n reads by 1 - v, if both nodes together then take fewer instructions. */
static bool complement_into(struct chooser *c, struct node *n)
{
    const struct fragprog_quad one = fragprog_quad_affine(0, 0, 1);
    for (unsigned l = 1; l <= n->nleaves; l++) {
        const struct leaf *leaf = &n->leaf[l - 1];
        if (leaf->file != FILE_VREG || leaf->index & 0x8000)
            continue;
        struct node *value = &c->node[leaf->index];
        if (!value->simple || value->readers != 1 || value->clamp == FRAGPROG_SAT8 ||
            c->read[leaf->index / 2] & 4)
            continue;
        struct node reader = *n, other = *value;
        other.q = fragprog_quad_sum(1, &one, -1, &value->q);
        other.low = 1 - value->high;
        other.high = 1 - value->low;
        reader.cost = other.cost = 0;
        if (!complement_leaf(&reader.q, l))
            continue;
        const unsigned before = cost(c, n, 2) + cost(c, value, 2);
        if (before == 2 || cost(c, &reader, 2) + cost(c, &other, 2) >= before)
            continue;
        *n = reader;
        *value = other;
        return true;
    }
    return false;
}

bool hwemit_r300_fuse(struct chooser *c, enum fusing fusing)
{
    bool any = false;
    count_readers(c);
    for (unsigned i = 0; i < c->ir->ninst * 2u; i++) {
        struct node *n = &c->node[i];
        for (unsigned step = 0; n->used && n->simple && step < 8 && !hwemit_r300_spent(c->p->chip); step++) {
            if (!fuse_into(c, n, fusing) && !complement_into(c, n))
                break;
            any = true;
            count_readers(c);
        }
    }
    for (bool changed = true; changed;) { /* remove values that are no longer read */
        changed = false;
        count_readers(c);
        for (unsigned i = 0; i < c->ir->ninst * 2u; i++)
            if (c->node[i].used && c->node[i].readers == 0 && c->node[i].simple) {
                c->node[i].used = false;
                changed = true;
            }
    }
    return any;
}
