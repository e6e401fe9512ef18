/* a*b + c*d takes a product first and then a multiply-add. Which of the two comes first is free, and decides
 * how long the program's longest chain is: the one whose operands are there first should. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

static bool is_read_once(const struct fragprog *p, unsigned value)
{
    unsigned reads = (p->result[0] == value) + (p->result[1] == value);
    for (unsigned i = value + 1; i < p->ninst && reads < 2; i++)
        for (unsigned k = 0, args = fragprog_op_args(p->inst[i].op); k < args; k++)
            reads += p->inst[i].src[k].file == FRAGPROG_VALUE && p->inst[i].src[k].index == value;
    return reads == 1;
}

/* The product that instruction i adds to its own, if the two can change places; else FRAGPROG_NO_INST. */
static unsigned product_of(const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *mad = &p->inst[i];
    if (mad->op != FRAGPROG_MAD || mad->src[2].file != FRAGPROG_VALUE || mad->src[2].negate ||
        mad->src[2].mods & ~(unsigned)FRAGPROG_BIAS)
        return FRAGPROG_NO_INST;
    const struct fragprog_inst *mul = &p->inst[mad->src[2].index];
    for (unsigned lane = 0; lane < 4; lane++)
        if (mad->mask & 1u << lane && mad->src[2].lane[lane] != lane)
            return FRAGPROG_NO_INST;
    if (mul->op != FRAGPROG_MUL || mul->mask != mad->mask || mul->scale || mul->clamp != FRAGPROG_NO_CLAMP ||
        !is_read_once(p, mad->src[2].index))
        return FRAGPROG_NO_INST;
    return mad->src[2].index;
}

unsigned fragprog_products(const struct fragprog *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        n += product_of(p, i) != FRAGPROG_NO_INST;
    return n;
}

/* Moves the product to just before the sum, and (exchange) makes it the one that was part of the sum, which
 * may read values up to there. */
static void move_product(struct fragprog *p, unsigned i, unsigned product, bool exchange)
{
    struct fragprog_inst mul = p->inst[product];
    for (unsigned k = 0; k < 2 && exchange; k++) {
        struct fragprog_src src = mul.src[k];
        mul.src[k] = p->inst[i].src[k];
        p->inst[i].src[k] = src;
    }
    /* Everything between moves down by one. */
    memmove(&p->inst[product], &p->inst[product + 1], (i - 1 - product) * sizeof p->inst[0]);
    p->inst[i - 1] = mul;
    for (unsigned j = product; j <= i; j++)
        for (unsigned k = 0; k < fragprog_op_args(p->inst[j].op); k++) {
            struct fragprog_src *src = &p->inst[j].src[k];
            if (src->file == FRAGPROG_VALUE && src->index >= product && src->index < i)
                src->index = (uint16_t)(src->index == product ? i - 1 : src->index - 1u);
        }
    for (unsigned j = i + 1; j < p->ninst; j++)
        for (unsigned k = 0; k < fragprog_op_args(p->inst[j].op); k++) {
            struct fragprog_src *src = &p->inst[j].src[k];
            if (src->file == FRAGPROG_VALUE && src->index > product && src->index < i)
                src->index--;
        }
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] > product && p->result[h] < i)
            p->result[h]--;
}

static unsigned depth_of_sources(const struct fragprog_inst *inst, const uint8_t *depth)
{
    unsigned most = 0;
    for (unsigned k = 0; k < 2; k++)
        if (inst->src[k].file == FRAGPROG_VALUE && depth[inst->src[k].index] > most)
            most = depth[inst->src[k].index];
    return most;
}

void fragprog_turn_products(struct fragprog *p, uint32_t choice, bool by_depth)
{
    unsigned n = 0;
    uint8_t depth[FRAGPROG_TEXENV_INSTS];
    if (!fragprog_products(p))
        return;
    for (unsigned i = 0; i < p->ninst; i++) {
        unsigned product = product_of(p, i);
        if (product != FRAGPROG_NO_INST) {
            bool turn = by_depth
                ? depth_of_sources(&p->inst[i], depth) < depth_of_sources(&p->inst[product], depth)
                : choice >> n & 1;
            n++;
            if (turn)
                move_product(p, i, product, true);
        }
        for (unsigned j = product != FRAGPROG_NO_INST ? product : i; j <= i; j++) {
            depth[j] = 0;
            for (unsigned k = 0; k < fragprog_op_args(p->inst[j].op); k++)
                if (p->inst[j].src[k].file == FRAGPROG_VALUE && p->inst[j].op != FRAGPROG_TEX &&
                    depth[p->inst[j].src[k].index] > depth[j])
                    depth[j] = depth[p->inst[j].src[k].index];
            depth[j] += p->inst[j].op != FRAGPROG_TEX;
        }
    }
}

/* The sources of a product as numbers to compare; like those of key.c. */
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

void fragprog_order_products(struct fragprog *p)
{
    if (p->ninst > FRAGPROG_TEXENV_INSTS) /* nobody asks which of longer programs are the same */
        return;
    for (unsigned i = 0; i < p->ninst; i++) {
        unsigned product = product_of(p, i);
        if (product == FRAGPROG_NO_INST)
            continue;
        move_product(p, i, product, comes_first(&p->inst[product], &p->inst[i]));
    }
}
