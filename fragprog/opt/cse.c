/* An instruction that an earlier one equals is not needed. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

static bool same_instruction(const struct fragprog_inst *a, const struct fragprog_inst *b)
{
    if (a->op != b->op || a->scale != b->scale || a->clamp != b->clamp)
        return false;
    if (a->op == FRAGPROG_TEX ? a->texture != b->texture || a->target != b->target || a->base != b->base ||
                a->shadow != b->shadow || a->undivided != b->undivided
                              : a->mask != b->mask)
        return false;
    unsigned n = fragprog_op_args(a->op);
    bool same = true, swapped = fragprog_op_commutes(a->op);
    for (unsigned s = 0; s < n; s++) {
        unsigned lanes = fragprog_lanes_read(a, s);
        same &= fragprog_same_source(&a->src[s], &b->src[s], lanes);
        swapped &= fragprog_same_source(&a->src[s], &b->src[s < 2 ? 1 - s : s], lanes);
    }
    return same || swapped;
}

bool fragprog_opt_cse(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges *ranges = opt->ranges;
    bool changed = false;
    for (unsigned i = 0; i < p->ninst; i++)
        fragprog_find_range(ranges, p, i);
    if (ranges->settled[FRAGPROG_CSE][0] == ranges->now)
        return false; /* as it was when nothing was found */
    for (unsigned i = 1; i < p->ninst; i++)
        for (unsigned j = 0; j < i; j++)
            if (same_instruction(&p->inst[i], &p->inst[j]) && fragprog_uses(p, i)) {
                fragprog_fired(opt, "cse", p->inst[i].unit);
                p->inst[j].mask |= p->inst[i].mask; /* of a lookup: any channels */
                fragprog_replace_value(p, i, j);
                changed = true;
                break;
            }
    if (!changed)
        fragprog_settle(ranges, FRAGPROG_CSE, 0);
    return changed;
}
