/* a*b + c*d takes a product first and then a multiply-add. Which of the two comes first is free, and decides
 * how long the program's longest chain is: the one whose operands are there first should. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* How often values are read, 2 standing for more. */
static void count_reads(const struct fragprog *p, uint8_t *reads)
{
    memset(reads, 0, p->ninst);
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        for (unsigned k = 0, args = fragprog_op_args(inst->op); k < args; k++)
            if (inst->src[k].file == FRAGPROG_VALUE)
                reads[inst->src[k].index] += reads[inst->src[k].index] < 2;
    }
    for (unsigned h = 0; h < 2; h++)
        reads[p->result[h]] += reads[p->result[h]] < 2;
}

/* The product that instruction i adds to its own, if the two can change places where nothing else reads it;
 * else FRAGPROG_NO_INST. */
static unsigned added_product(const struct fragprog *p, unsigned i)
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

/* The same, if nothing else reads it. */
static unsigned product_of(const struct fragprog *p, unsigned i, const uint8_t *reads)
{
    const unsigned product = added_product(p, i);
    return product == FRAGPROG_NO_INST || reads[product] != 1 ? FRAGPROG_NO_INST : product;
}

/* The first instruction that adds a product, if it is read once or not; p->ninst if there is none. */
static unsigned first_sum(const struct fragprog *p)
{
    unsigned i = 0;
    while (i < p->ninst && added_product(p, i) == FRAGPROG_NO_INST)
        i++;
    return i;
}

bool fragprog_adds_product(const struct fragprog *p) { return first_sum(p) < p->ninst; }

unsigned fragprog_products(const struct fragprog *p)
{
    unsigned n = 0;
    uint8_t reads[FRAGPROG_TEXENV_INSTS];
    const unsigned first = first_sum(p);
    if (first < p->ninst)
        count_reads(p, reads);
    for (unsigned i = first; i < p->ninst; i++)
        n += product_of(p, i, reads) != FRAGPROG_NO_INST;
    return n;
}

/* Moves the product to just before the sum, and (exchange) makes it the one that was part of the sum, which
 * may read values up to there. */
static void move_product(struct fragprog *p, unsigned i, unsigned product, bool exchange, uint8_t *reads)
{
    struct fragprog_inst mul = p->inst[product];
    for (unsigned k = 0; k < 2 && exchange; k++) {
        struct fragprog_src src = mul.src[k];
        mul.src[k] = p->inst[i].src[k];
        p->inst[i].src[k] = src;
    }
    if (i - 1 == product) {
        p->inst[product] = mul;
        return;
    }
    /* Everything between moves down by one. */
    memmove(&p->inst[product], &p->inst[product + 1], (i - 1 - product) * sizeof p->inst[0]);
    memmove(&reads[product], &reads[product + 1], i - 1 - product);
    p->inst[i - 1] = mul;
    reads[i - 1] = 1;
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
    uint8_t depth[FRAGPROG_TEXENV_INSTS], reads[FRAGPROG_TEXENV_INSTS];
    if (first_sum(p) == p->ninst)
        return;
    count_reads(p, reads);
    for (unsigned i = 0; i < p->ninst; i++) {
        unsigned product = product_of(p, i, reads);
        if (product != FRAGPROG_NO_INST) {
            bool turn = by_depth
                ? depth_of_sources(&p->inst[i], depth) < depth_of_sources(&p->inst[product], depth)
                : choice >> n & 1;
            n++;
            if (turn)
                move_product(p, i, product, true, reads);
        }
        for (unsigned j = product != FRAGPROG_NO_INST ? product : i; j <= i; j++) {
            depth[j] = 0;
            for (unsigned k = 0, args = fragprog_op_args(p->inst[j].op); k < args; k++)
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
    uint8_t reads[FRAGPROG_TEXENV_INSTS];
    const unsigned first = first_sum(p);
    if (first < p->ninst)
        count_reads(p, reads);
    for (unsigned i = first; i < p->ninst; i++) {
        const unsigned product = product_of(p, i, reads);
        if (product != FRAGPROG_NO_INST)
            move_product(p, i, product, comes_first(&p->inst[product], &p->inst[i]), reads);
    }
}
