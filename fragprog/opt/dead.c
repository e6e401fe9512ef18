/* Pass 1 of the founding e-mail: stages and texture reads that do not reach the result go, channel by
 * channel, so that the colour and the alpha of a stage are judged apart. One backward walk is enough: the
 * program is straight-line. */
#include "fragprog/opt/opt.h"

/* Arrays that are addressed relatively stay whole; the elements of others are like any constant. */
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

/* Constants that nobody reads (scratch 0) go. */
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

/* A source of which the channels that are left (`read`) read only 0, 1 and 1/2 lets go of the value that it
 * names. */
static void become_literal(struct fragprog_src *src, unsigned read)
{
    src->file = FRAGPROG_LITERAL;
    src->index = 0;
    for (unsigned i = 0; i < 4; i++)
        if (!(read >> i & 1))
            src->lane[i] = FRAGPROG_ZERO;
}

/* Sources that read no channel of a value any more. */
static void become_literals(struct fragprog_inst *inst)
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE && !fragprog_channels(inst, s))
            become_literal(&inst->src[s], fragprog_lanes_read(inst, s));
}

/* What an instruction that stays needs of others. False: some source reads no channel of its value. */
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

/* What the walk found. */
struct left {
    bool changed;
    unsigned end; /* the first that goes; of all that stay, their number */
};

/* Backward: scratch collects the channels that later instructions need; the mask is cut to them. */
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

/* Forward from the first that goes: what is left closes up. scratch is the new number of what stood there. */
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
    bool all_read = !p->vertex; /* of those all arrays may go */
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
