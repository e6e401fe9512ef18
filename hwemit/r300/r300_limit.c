/* Clamps results to [-8,8], the guaranteed range of the registers of ATI_fragment_shader, by MAX and MIN with
 * a literal, since the chip's registers have a larger range. These are emitted only if the value can exceed
 * the range. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

enum { LIMIT = 8 };

/* Emits the clamp of v, whose values are in [low, high], into the target. */
static uint16_t limit(struct chooser *c, const struct target *last, struct leaf v, float low, float high)
{
    const bool step[2] = {low<-LIMIT, high> LIMIT}; /* MAX and MIN needed */
    uint16_t result = NONE;
    for (unsigned k = 0; k < 2 && !c->failed; k++) {
        if (!step[k])
            continue;
        const bool ends = k == 1 || !step[1];
        struct target t = *last;
        t.clamp = FRAGPROG_NO_CLAMP;
        t.out = ends && last->out;
        struct op *op = hwemit_r300_new_op(c, &t, k == 0 ? OP_MAX : OP_MIN);
        struct form *f = op ? hwemit_r300_new_form(c, op) : NULL;
        if (!f)
            return 0;
        f->arg[0] = ARG_LEAF, f->arg[2] = ARG_ZERO;
        hwemit_r300_constant(f, 1, k == 0 ? -LIMIT : LIMIT);
        op->leaf[0] = v;
        op->nleaves = 1;
        result = op->result[t.half] = ends && last->vreg != NONE ? last->vreg
                                                                 : hwemit_r300_new_vreg(c, V_OP, t.half);
        if (c->failed)
            return 0;
        struct vreg *made = &c->p->vreg[result];
        made->writers++;
        made->low = low < -LIMIT ? -LIMIT : low;
        made->high = ends && high > LIMIT ? LIMIT : high;
        v = (struct leaf){.file = FILE_VREG, .index = result, .lane = {0, 1, 2}};
        if (t.half == ALPHA)
            memset(v.lane, 3, 3);
    }
    return result;
}

uint16_t hwemit_r300_emit_limited(struct chooser *c, const struct target *target,
                                  const struct fragprog_quad *q, const struct leaf *leaf, unsigned nleaves)
{
    if (target->clamp != FRAGPROG_SAT8)
        return hwemit_r300_emit_quad(c, target, q, leaf, nleaves);
    float low[MAX_LEAVES + 1] = {0}, high[MAX_LEAVES + 1] = {0}, least, most;
    for (unsigned i = 0; i < nleaves; i++)
        hwemit_r300_leaf_range(c, &leaf[i], &low[i + 1], &high[i + 1]);
    fragprog_quad_range(q, low, high, &least, &most);
    struct target t = *target;
    t.clamp = FRAGPROG_NO_CLAMP;
    if (least >= -LIMIT && most <= LIMIT)
        return hwemit_r300_emit_quad(c, &t, q, leaf, nleaves);
    const struct fragprog_quad same = fragprog_quad_affine(1, 1, 0);
    struct leaf v = leaf[0];
    if (nleaves != 1 || leaf[0].file != FILE_VREG || !fragprog_quad_equal(q, &same)) {
        t.vreg = NONE;
        t.out = false;
        v = (struct leaf){.file = FILE_VREG, .lane = {0, 1, 2}};
        v.index = hwemit_r300_emit_quad(c, &t, q, leaf, nleaves);
        if (t.half == ALPHA)
            memset(v.lane, 3, 3);
    }
    return c->failed ? 0 : limit(c, target, v, least, most);
}
