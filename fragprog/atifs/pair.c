/* Distributes instructions over pairs. The colour and alpha instruction of a pair read their operands before
 * either writes (extension, "color and alpha pairs"). In the stream of instructions, an alpha instruction
 * directly after a colour instruction is paired with it. */
#include "fragprog/atifs/assign.h"
#include "fragprog/operand.h"

#include <string.h>

/* ---- program order ---- */

static bool reads_value_of_pair(const struct fragprog_assigning *s, const struct fragprog_inst *inst,
                                unsigned pair)
{
    for (unsigned k = 0; k < fragprog_op_args(inst->op); k++)
        if (inst->src[k].file == FRAGPROG_VALUE)
            for (unsigned h = 0; h < 2; h++)
                if (s->a->pair[pair][h] == inst->src[k].index)
                    return true;
    return false;
}

/* Returns true if instruction i may join the last pair. */
static bool joins(const struct fragprog_assigning *s, unsigned i)
{
    const struct fragprog_assignment *a = s->a;
    const struct fragprog_inst *inst = &s->p->inst[i];
    if (a->npairs == 0)
        return false;
    unsigned last = a->npairs - 1u, half = fragprog_half_of(inst), color = a->pair[last][TEXENV_RGB];
    if (a->pair[last][half] != FRAGPROG_NO_INST || reads_value_of_pair(s, inst, last))
        return false;
    if (half == TEXENV_RGB) { /* at level 0, a pair has instructions of one stage */
        if (i + 1 < s->p->ninst && fragprog_is_companion(&s->p->inst[i + 1]))
            return false;
        const struct fragprog_inst *alpha = &s->p->inst[a->pair[last][TEXENV_ALPHA]];
        return !s->alone[a->pair[last][TEXENV_ALPHA]] && !fragprog_is_companion(alpha) &&
            (s->options->level > 0 || alpha->unit == inst->unit);
    }
    if (s->alone[i])
        return false;
    if (fragprog_is_companion(inst))
        return color == i - 1;
    return s->p->inst[color].op != FRAGPROG_DOT4; /* a DOT4 occupies the alpha half */
}

static void pair_in_order(struct fragprog_assigning *s)
{
    struct fragprog_assignment *a = s->a;
    a->npairs = 0;
    for (unsigned i = 0; i < s->p->ninst; i++) {
        const struct fragprog_inst *inst = &s->p->inst[i];
        if (inst->op == FRAGPROG_TEX)
            continue;
        if (!joins(s, i)) {
            a->pair[a->npairs][0] = a->pair[a->npairs][1] = FRAGPROG_NO_INST;
            a->npairs++;
        }
        a->pair[a->npairs - 1][fragprog_half_of(inst)] = (uint16_t)i;
    }
}

/* ---- list scheduling ---- */

/* Computes the height of each instruction: the number of pairs on the longest path from it to the end of the
 * program, including itself. */
static void find_heights(const struct fragprog *p, uint8_t *height)
{
    memset(height, 0, FRAGPROG_TEXENV_INSTS);
    for (unsigned i = p->ninst; i-- > 0;) {
        height[i]++;
        for (unsigned k = 0; k < fragprog_op_args(p->inst[i].op); k++)
            if (p->inst[i].src[k].file == FRAGPROG_VALUE && height[p->inst[i].src[k].index] < height[i])
                height[p->inst[i].src[k].index] = height[i];
    }
}

struct schedule {
    const struct fragprog_assigning *s;
    uint8_t height[FRAGPROG_TEXENV_INSTS];
    uint8_t done[FRAGPROG_TEXENV_INSTS]; /* the instruction is in an earlier pair; always set for lookups */
};

static bool ready(const struct schedule *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->s->p->inst[i];
    for (unsigned k = 0; k < fragprog_op_args(inst->op); k++)
        if (inst->src[k].file == FRAGPROG_VALUE && !c->done[inst->src[k].index])
            return false;
    return !c->done[i];
}

/* Returns the ready instruction of greatest height for this half. For alpha, only instructions that may be
 * paired with `color`. */
static unsigned choose(const struct schedule *c, unsigned half, unsigned color)
{
    const struct fragprog *p = c->s->p;
    unsigned best = FRAGPROG_NO_INST;
    for (unsigned i = 0; i < p->ninst; i++) {
        if (c->done[i] || fragprog_half_of(&p->inst[i]) != half || !ready(c, i))
            continue;
        if (half == TEXENV_ALPHA &&
            (fragprog_is_companion(&p->inst[i]) || (color != FRAGPROG_NO_INST && c->s->alone[i])))
            continue; /* a companion is placed together with its dot product */
        /* At equal height, the program's result comes last, because it occupies r0. */
        if (best == FRAGPROG_NO_INST || c->height[i] > c->height[best] ||
            (c->height[i] == c->height[best] && p->result[half] == best))
            best = i;
    }
    return best;
}

static void pair_by_need(struct fragprog_assigning *s)
{
    const struct fragprog *p = s->p;
    struct schedule c = {.s = s};
    unsigned left = 0;
    find_heights(p, c.height);
    for (unsigned i = 0; i < p->ninst; i++) {
        c.done[i] = p->inst[i].op == FRAGPROG_TEX;
        left += !c.done[i];
    }
    for (s->a->npairs = 0; left > 0; s->a->npairs++) {
        uint16_t *pair = s->a->pair[s->a->npairs];
        unsigned color = choose(&c, TEXENV_RGB, FRAGPROG_NO_INST), alpha;
        if (color != FRAGPROG_NO_INST && color + 1 < p->ninst && fragprog_is_companion(&p->inst[color + 1]))
            alpha = color + 1;
        else if (color != FRAGPROG_NO_INST && p->inst[color].op == FRAGPROG_DOT4)
            alpha = FRAGPROG_NO_INST;
        else
            alpha = choose(&c, TEXENV_ALPHA, color);
        pair[TEXENV_RGB] = (uint16_t)color;
        pair[TEXENV_ALPHA] = (uint16_t)alpha;
        for (unsigned h = 0; h < 2; h++)
            if (pair[h] != FRAGPROG_NO_INST)
                c.done[pair[h]] = 1, left--;
    }
}

/* If a result is computed early, so that it would occupy r0, moves its instruction to the last pair whose
 * half is free. */
static void sink_result(struct fragprog_assigning *s, unsigned half)
{
    struct fragprog_assignment *a = s->a;
    unsigned i = s->p->result[half], from = 0, to = a->npairs - 1u;
    if (fragprog_op_is_dot(s->p->inst[i].op) || fragprog_uses(s->p, i) > 1)
        return;
    while (a->pair[from][half] != i)
        from++;
    while (to > from && a->pair[to][half] != FRAGPROG_NO_INST)
        to--;
    unsigned color = half == TEXENV_RGB ? i : a->pair[to][TEXENV_RGB],
             alpha = half == TEXENV_ALPHA ? i : a->pair[to][TEXENV_ALPHA];
    if (to == from || (alpha != FRAGPROG_NO_INST && s->alone[alpha]) ||
        (color != FRAGPROG_NO_INST && s->p->inst[color].op == FRAGPROG_DOT4))
        return;
    a->pair[to][half] = (uint16_t)i;
    a->pair[from][half] = FRAGPROG_NO_INST;
    if (a->pair[from][1 - half] == FRAGPROG_NO_INST) {
        memmove(a->pair[from], a->pair[from + 1], (a->npairs - from - 1u) * sizeof a->pair[0]);
        a->npairs--;
    }
}

void fragprog_pair_up(struct fragprog_assigning *s)
{
    pair_in_order(s);
    if (s->order == FRAGPROG_IN_ORDER)
        return;
    struct fragprog_assignment in_order = *s->a;
    pair_by_need(s);
    for (unsigned half = 0; half < 2; half++)
        sink_result(s, half);
    if (s->order == FRAGPROG_SHORTER && s->a->npairs >= in_order.npairs)
        *s->a = in_order;
}
