/* a*b + c*d is computed by a product and a multiply-add. Either product may be computed first. It should be
 * the one whose operands are available earlier, because that shortens the longest dependency chain. */
#include "fragprog/atifs/two_pass.h"
#include "fragprog/operand.h"

#include <string.h>

/* Returns the product that multiply-add i adds, if it can be exchanged with i's own product (provided that it
 * has no other use); else FRAGPROG_NO_INST. */
static inline unsigned added_product(const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *mad = &p->inst[i];
    if (mad->op != FRAGPROG_MAD || mad->src[2].file != FRAGPROG_VALUE || mad->src[2].negate ||
        mad->src[2].mods & ~(unsigned)FRAGPROG_BIAS)
        return FRAGPROG_NO_INST;
    const struct fragprog_inst *mul = &p->inst[mad->src[2].index];
    if (mul->op != FRAGPROG_MUL || mul->mask != mad->mask || mul->scale || mul->clamp != FRAGPROG_NO_CLAMP ||
        fragprog_lane_word(mad->src[2].lane, mad->mask) != fragprog_lane_word(fragprog_in_place, mad->mask))
        return FRAGPROG_NO_INST;
    return mad->src[2].index;
}

unsigned fragprog_products(const struct fragprog *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        const unsigned product = added_product(p, i);
        n += product != FRAGPROG_NO_INST && fragprog_uses(p, product) == 1;
    }
    return n;
}

static void exchange(struct fragprog_inst *mul, struct fragprog_inst *mad)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct fragprog_src src = mul->src[k];
        mul->src[k] = mad->src[k];
        mad->src[k] = src;
    }
}

/* Moves the product directly before the sum. turn: also exchanges it with the sum's own product (whose
 * operands may be defined after the product's old position). */
static void move_product(struct fragprog *p, unsigned i, unsigned product, bool turn)
{
    if (turn)
        exchange(&p->inst[product], &p->inst[i]);
    if (i - 1 == product)
        return;
    const struct fragprog_inst moved = p->inst[product];
    /* the instructions between move down by one */
    memmove(&p->inst[product], &p->inst[product + 1], (i - 1 - product) * sizeof moved);
    p->inst[i - 1] = moved;
    for (unsigned j = product; j < p->ninst; j++)
        for (unsigned k = 0, args = fragprog_op_args(p->inst[j].op); k < args; k++) {
            struct fragprog_src *src = &p->inst[j].src[k];
            if (src->file == FRAGPROG_VALUE && src->index >= product && src->index < i)
                src->index = (uint16_t)(src->index == product ? i - 1 : src->index - 1u);
        }
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] > product && p->result[h] < i)
            p->result[h]--;
}

/* Returns the greatest depth among the first `args` sources. */
static unsigned depth_of(const struct fragprog_inst *inst, unsigned args, const uint8_t *depth)
{
    unsigned most = 0;
    for (unsigned k = 0; k < args; k++)
        if (inst->src[k].file == FRAGPROG_VALUE && depth[inst->src[k].index] > most)
            most = depth[inst->src[k].index];
    return most;
}

static void find_depth(const struct fragprog *p, unsigned i, uint8_t *depth)
{
    const struct fragprog_inst *inst = &p->inst[i];
    depth[i] = 0;
    if (inst->op != FRAGPROG_TEX)
        depth[i] = (uint8_t)(1 + depth_of(inst, fragprog_op_args(inst->op), depth));
}

/* Returns true if the product reads computed values; texels and inputs are available from the start. */
static bool reads_results(const struct fragprog *p, const struct fragprog_inst *product)
{
    const struct fragprog_src *src = product->src;
    return (src[0].file == FRAGPROG_VALUE && p->inst[src[0].index].op != FRAGPROG_TEX) ||
        (src[1].file == FRAGPROG_VALUE && p->inst[src[1].index].op != FRAGPROG_TEX);
}

/* Returns true if the operands of the sum's own product are available before those of the separate product.
 * depth has the depths of the first *known instructions. */
static bool turns(const struct fragprog *p, unsigned i, unsigned product, uint8_t *depth, unsigned *known)
{
    if (!reads_results(p, &p->inst[product]))
        return false;
    if (!reads_results(p, &p->inst[i]))
        return true;
    for (; *known < i; ++*known)
        find_depth(p, *known, depth);
    return depth_of(&p->inst[i], 2, depth) < depth_of(&p->inst[product], 2, depth);
}

void fragprog_turn_products(struct fragprog *p, uint32_t choice)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        const unsigned product = added_product(p, i);
        if (product == FRAGPROG_NO_INST || fragprog_uses(p, product) != 1)
            continue;
        if (choice >> n & 1)
            move_product(p, i, product, true);
        n++;
    }
}

const struct fragprog *fragprog_turn_by_depth(const struct fragprog *p, struct fragprog *copy)
{
    uint8_t depth[FRAGPROG_TEXENV_INSTS];
    unsigned known = 0;
    const struct fragprog *q = p;
    for (unsigned i = 0; i < p->ninst; i++) {
        const unsigned product = added_product(q, i);
        if (product == FRAGPROG_NO_INST || !turns(q, i, product, depth, &known) ||
            fragprog_uses(q, product) != 1)
            continue;
        if (q == p && !fragprog_copy(copy, p))
            return NULL;
        q = copy;
        move_product(copy, i, product, true);
        known = known < product ? known : product;
    }
    return q;
}

/* Compares the sources of two products as numbers, similar to key.c. */
static bool comes_first(const struct fragprog_inst *a, const struct fragprog_inst *b)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct fragprog_src *x = &a->src[k], *y = &b->src[k];
        const unsigned u[] = {x->file, x->file == FRAGPROG_LITERAL ? 0u : x->index, x->mods,
                              x->negate & a->mask},
                       v[] = {y->file, y->file == FRAGPROG_LITERAL ? 0u : y->index, y->mods,
                              y->negate & b->mask};
        for (unsigned i = 0; i < 4; i++)
            if (u[i] != v[i])
                return u[i] < v[i];
        for (unsigned lane = 0; lane < 4; lane++)
            if (a->mask & 1u << lane && x->lane[lane] != y->lane[lane])
                return x->lane[lane] < y->lane[lane];
    }
    return false;
}

void fragprog_order_sum(struct fragprog_inst *mul, struct fragprog_inst *mad)
{
    if (comes_first(mul, mad))
        exchange(mul, mad);
}

void fragprog_order_products(struct fragprog *p)
{
    if (p->ninst > FRAGPROG_TEXENV_INSTS) /* longer programs get no canonical form */
        return;
    for (unsigned i = 0; i < p->ninst; i++) {
        const unsigned product = added_product(p, i);
        if (product != FRAGPROG_NO_INST && fragprog_uses(p, product) == 1)
            move_product(p, i, product, comes_first(&p->inst[product], &p->inst[i]));
    }
}
