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

/* What the walk found. */
struct left {
    unsigned insts, first; /* instructions that stay; the first that does not, if there is one */
    unsigned consts;       /* constants that are read */
    bool changed;
};

/* What instruction i, which stays, needs of others. True: it has changed. */
static bool mark_sources(struct fragprog *p, struct fragprog_ranges *ranges, unsigned i, struct left *left)
{
    struct fragprog_inst *inst = &p->inst[i];
    bool changed = false;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        struct fragprog_src *src = &inst->src[s];
        if (src->file == FRAGPROG_CONST) {
            left->consts += !p->konst[src->index].scratch;
            p->konst[src->index].scratch = 1;
        }
        if (src->file != FRAGPROG_VALUE)
            continue;
        const unsigned channels = fragprog_channels(inst, s);
        p->inst[src->index].scratch |= (uint16_t)channels;
        if (!channels) {
            become_literal(src, fragprog_lanes_read(inst, s));
            changed = true;
        } else if (ranges) {
            ranges->uses[src->index] += ranges->uses[src->index] < UINT16_MAX;
        }
    }
    return changed;
}

/* Backward: scratch collects the channels that later instructions need; the mask is cut to them. */
static struct left cut_masks(struct fragprog *p, struct fragprog_ranges *ranges)
{
    struct left left = {0};
    p->inst[p->result[TEXENV_RGB]].scratch |= FRAGPROG_MASK_XYZ;
    p->inst[p->result[TEXENV_ALPHA]].scratch |= FRAGPROG_MASK_W;
    for (unsigned i = p->ninst; i-- > 0;) {
        struct fragprog_inst *inst = &p->inst[i];
        const unsigned needed = p->unbounded && fragprog_op_has_effect(inst->op) ? inst->mask : inst->scratch;
        bool other = (inst->mask & ~needed) != 0;
        left.changed |= other;
        inst->mask &= (uint8_t)needed;
        inst->scratch = 0;
        if (inst->mask) {
            left.insts++;
            other |= mark_sources(p, ranges, i, &left);
        } else {
            left.first = i;
        }
        if (other && ranges)
            fragprog_mark_changed(ranges, i);
    }
    return left;
}

/* Forward from the first that goes: what is left closes up. scratch is the new number of what stood there. */
static void close_up(struct fragprog *p, struct fragprog_ranges *ranges, unsigned first)
{
    unsigned n = first;
    for (unsigned i = first; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        if (!inst->mask) {
            if (ranges)
                fragprog_touch_sources(ranges, inst);
            continue;
        }
        for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
            if (inst->src[s].file == FRAGPROG_VALUE && inst->src[s].index >= first)
                inst->src[s].index = p->inst[inst->src[s].index].scratch;
        const uint16_t there = p->inst[n].scratch;
        p->inst[n] = *inst;
        p->inst[n].scratch = there;
        inst->scratch = (uint16_t)n;
        if (ranges)
            fragprog_move_range(ranges, i, n);
        n++;
    }
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] >= first)
            p->result[h] = p->inst[p->result[h]].scratch;
    for (unsigned i = first; i < n; i++)
        p->inst[i].scratch = 0;
    p->ninst = (uint16_t)n;
}

/* Counts how often values are read, where ranges are kept (fragprog_follow_changes). */
bool fragprog_opt_dead(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges *ranges = opt->ranges && opt->ranges->known ? opt->ranges : NULL;
    if (ranges) {
        memset(ranges->uses, 0, p->ninst * sizeof *ranges->uses);
        for (unsigned h = 0; h < 2; h++)
            ranges->uses[p->result[h]]++;
    }
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    const struct left left = cut_masks(p, ranges);
    if (left.insts < p->ninst)
        close_up(p, ranges, left.first);
    if (left.consts < p->nkonst || p->vertex) /* of which all arrays may go */
        drop_unused_constants(p);
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    return left.changed;
}
