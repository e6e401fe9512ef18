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
        if (p->konst[k].scratch) {
            const unsigned to = p->konst[k].scratch - 1u;
            if (to < k)
                p->konst[to] = p->konst[k];
            p->konst[to].scratch = 0;
        }
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

/* Backward: scratch collects the channels that later instructions need; the mask is cut to them. Gives how
 * many instructions are left. */
static unsigned cut_masks(struct fragprog *p, struct fragprog_ranges *ranges, bool *changed)
{
    unsigned left = 0;
    p->inst[p->result[TEXENV_RGB]].scratch |= FRAGPROG_MASK_XYZ;
    p->inst[p->result[TEXENV_ALPHA]].scratch |= FRAGPROG_MASK_W;
    for (unsigned i = p->ninst; i-- > 0;) {
        struct fragprog_inst *inst = &p->inst[i];
        const unsigned needed = p->unbounded && fragprog_op_has_effect(inst->op) ? inst->mask : inst->scratch;
        bool other = (inst->mask & ~needed) != 0;
        *changed |= other;
        inst->mask &= (uint8_t)needed;
        inst->scratch = 0;
        left += inst->mask != 0;
        for (unsigned s = 0, args = inst->mask ? fragprog_op_args(inst->op) : 0; s < args; s++) {
            struct fragprog_src *src = &inst->src[s];
            if (src->file == FRAGPROG_CONST)
                p->konst[src->index].scratch = 1;
            if (src->file != FRAGPROG_VALUE)
                continue;
            const unsigned channels = fragprog_channels(inst, s);
            p->inst[src->index].scratch |= (uint16_t)channels;
            if (!channels) {
                become_literal(src, fragprog_lanes_read(inst, s));
                other = true;
            }
        }
        if (other && ranges)
            ranges->time[i] = 0;
    }
    return left;
}

/* Forward: scratch becomes the new number, sources are renumbered, and what is left closes up. */
static void close_up(struct fragprog *p, struct fragprog_ranges *ranges)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        if (ranges && !inst->mask)
            fragprog_release_sources(ranges, inst);
        else if (ranges && !fragprog_range_is_of(ranges, inst, i))
            ranges->time[i] = 0;
        for (unsigned s = 0; inst->mask && s < fragprog_op_args(inst->op); s++)
            if (inst->src[s].file == FRAGPROG_VALUE)
                inst->src[s].index = p->inst[inst->src[s].index].scratch;
        inst->scratch = (uint16_t)(inst->mask ? n++ : 0);
    }
    for (unsigned h = 0; h < 2; h++)
        p->result[h] = p->inst[p->result[h]].scratch;
    n = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].mask) {
            p->inst[n] = p->inst[i];
            p->inst[n].scratch = 0;
            if (ranges)
                fragprog_move_range(ranges, &p->inst[n], i, n);
            n++;
        }
    p->ninst = (uint16_t)n;
}

bool fragprog_opt_dead(struct fragprog *p, const struct fragprog_opt *opt)
{
    bool changed = false;
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    if (cut_masks(p, opt->ranges, &changed) < p->ninst)
        close_up(p, opt->ranges);
    drop_unused_constants(p);
    return changed;
}
