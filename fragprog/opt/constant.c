/* Pass "constant": replaces values that can only be 0, 1/2 or 1 with that literal. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

bool fragprog_opt_constant(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    if (!(opt->ranges->flags[i] & FRAGPROG_POINT))
        return false;
    const double x = opt->ranges->out[i][fragprog_first_lane(inst->mask)].lo;
    double v;
    if ((x != 0 && x != 0.5 && x != 1) || fragprog_op_is_lookup(inst->op) || fragprog_op_has_effect(inst->op))
        return false;
    if (inst->op == FRAGPROG_MOV && inst->scale == 0 && inst->src[0].file == FRAGPROG_LITERAL &&
        fragprog_literal_value(&inst->src[0], inst->mask, &v) && v == x)
        return false;
    struct fragprog_inst mov = *inst;
    fragprog_fired(opt, "constant", inst->unit);
    mov.op = FRAGPROG_MOV;
    mov.scale = 0;
    fragprog_literal_source(&mov.src[0], x);
    mov.src[1] = mov.src[2] = (struct fragprog_src){0};
    fragprog_put_number(p, opt->ranges, i, &mov, x);
    return true;
}
