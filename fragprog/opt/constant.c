/* Values that can only be 0, 1/2 or 1 become that literal. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

bool fragprog_opt_constant(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges *ranges = opt->ranges;
    bool changed = false;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        struct fragprog_interval x = {1, 0};
        bool same = !fragprog_op_is_lookup(inst->op) && !fragprog_op_has_effect(inst->op);
        fragprog_find_range(ranges, p, i);
        for (unsigned c = 0; c < 4; c++)
            if (inst->mask & 1u << c) {
                struct fragprog_interval y = ranges->out[i][c];
                same &= y.lo == y.hi && (x.lo > x.hi || y.lo == x.lo);
                x = y;
            }
        double v;
        if (!same || (x.lo != 0 && x.lo != 0.5 && x.lo != 1))
            continue;
        if (inst->op == FRAGPROG_MOV && inst->scale == 0 && inst->src[0].file == FRAGPROG_LITERAL &&
            fragprog_literal_value(&inst->src[0], inst->mask, &v) && v == x.lo)
            continue;
        fragprog_fired(opt, "constant", inst->unit);
        inst->op = FRAGPROG_MOV;
        inst->scale = 0;
        fragprog_literal_source(&inst->src[0], x.lo);
        inst->src[1] = inst->src[2] = (struct fragprog_src){0};
        fragprog_find_range(ranges, p, i);
        changed = true;
    }
    return changed;
}
