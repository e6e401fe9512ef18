/* Pass "dead", dead code elimination (pass 1 of the founding e-mail): removes stages and lookups that do not
 * reach the result. It works channel by channel, so that the colour and the alpha of a stage are independent.
 * The program is straight-line code, so one backward walk suffices. */
#include "fragprog/opt/opt.h"

/* Marks all elements of arrays that are addressed relatively as used. Elements of other arrays become
 * ordinary constants. */
static void keep_arrays(struct fragprog *p)
{
    bool loaded[FRAGPROG_MOST_ARRAYS + 1] = {false};
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_LOAD)
            loaded[p->inst[i].target] = true;
    for (unsigned k = 0; k < p->nkonst; k++)
        if (p->konst[k].array && loaded[p->konst[k].array])
            p->konst[k].scratch = 1;
        else
            p->konst[k].array = 0;
}

/* Removes constants that are not read (scratch is 0). */
static void drop_unused_constants(struct fragprog *p)
{
    unsigned n = 0;
    if (p->vertex)
        keep_arrays(p);
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = (uint16_t)(p->konst[k].scratch ? ++n : 0);
    for (unsigned i = 0; n < p->nkonst && i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_CONST)
                p->inst[i].src[s].index = (uint16_t)(p->konst[p->inst[i].src[s].index].scratch - 1);
    for (unsigned k = 0; k < p->nkonst; k++)
        if (p->konst[k].scratch && p->konst[k].scratch <= k)
            p->konst[p->konst[k].scratch - 1] = p->konst[k];
    p->nkonst = (uint16_t)n;
}

/* Makes a source a literal, if the lanes that are still read (`read`) all select 0, 1 or 1/2. The source then
 * no longer uses its value. */
static void become_literal(struct fragprog_src *src, unsigned read)
{
    src->file = FRAGPROG_LITERAL;
    src->index = 0;
    for (unsigned i = 0; i < 4; i++)
        if (!(read >> i & 1))
            src->lane[i] = FRAGPROG_ZERO;
}

/* Makes those sources literals that no longer read a channel of their value. */
static void become_literals(struct fragprog_inst *inst)
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE && !fragprog_channels(inst, s))
            become_literal(&inst->src[s], fragprog_lanes_read(inst, s));
}

/* Marks the values and constants that a live instruction reads. Returns false if some source reads no channel
 * of its value. */
static bool mark_sources(struct fragprog *p, const struct fragprog_inst *inst)
{
    const unsigned args = fragprog_op_args(inst->op);
    bool all = true;
    for (unsigned s = 0; s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        if (src->file == FRAGPROG_VALUE) {
            const unsigned channels = fragprog_channels(inst, s);
            p->inst[src->index].scratch |= (uint16_t)channels;
            all = all && channels;
        } else if (src->file == FRAGPROG_CONST) {
            p->konst[src->index].scratch = 1;
        }
    }
    return all;
}

/* Result of the backward walk. */
struct left {
    bool changed;
    unsigned end; /* number of the first dead instruction, or the length of the program */
};

/* Walks backwards. scratch collects the channels that later instructions read, and the mask is reduced to
 * them. */
static struct left cut_masks(struct fragprog *p)
{
    struct left left = {false, p->ninst};
    p->inst[p->result[TEXENV_RGB]].scratch |= FRAGPROG_MASK_XYZ;
    p->inst[p->result[TEXENV_ALPHA]].scratch |= FRAGPROG_MASK_W;
    for (unsigned i = p->ninst; i-- > 0;) {
        struct fragprog_inst *inst = &p->inst[i];
        const unsigned needed = p->unbounded && fragprog_op_has_effect(inst->op) ? inst->mask : inst->scratch;
        inst->scratch = 0;
        if (inst->mask & ~needed) {
            inst->mask &= (uint8_t)needed;
            left.changed = true;
        }
        if (!inst->mask) {
            left.end = i;
        } else if (!mark_sources(p, inst)) {
            become_literals(inst);
        }
    }
    return left;
}

/* Removes the dead instructions, from the first one on, and renumbers the others. scratch is the new number
 * of each old value. */
static void close_up(struct fragprog *p, unsigned first)
{
    unsigned n = first;
    for (unsigned i = first; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        if (!inst->mask)
            continue;
        for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
            if (inst->src[s].file == FRAGPROG_VALUE && inst->src[s].index >= first)
                inst->src[s].index = p->inst[inst->src[s].index].scratch;
        const uint16_t there = p->inst[n].scratch;
        p->inst[n] = *inst;
        p->inst[n].scratch = there;
        inst->scratch = (uint16_t)n;
        n++;
    }
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] >= first)
            p->result[h] = p->inst[p->result[h]].scratch;
    for (unsigned i = first; i < n; i++)
        p->inst[i].scratch = 0;
    p->ninst = (uint16_t)n;
}

bool fragprog_opt_dead(struct fragprog *p, const struct fragprog_opt *opt)
{
    (void)opt;
    bool all_read = !p->vertex; /* vertex programs may have arrays to remove */
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    const struct left left = cut_masks(p);
    if (left.end < p->ninst)
        close_up(p, left.end);
    for (unsigned k = 0; k < p->nkonst; k++)
        all_read = all_read && p->konst[k].scratch;
    if (!all_read)
        drop_unused_constants(p);
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    return left.changed;
}
