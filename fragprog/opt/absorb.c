/* Pass "absorb": merges a copy that scales or clamps into the instruction that it copies. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

static bool reads_in_place(const struct fragprog_inst *mov, const struct fragprog_inst *made)
{
    const struct fragprog_src *src = &mov->src[0];
    if (src->mods || made->mask != mov->mask)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (mov->mask & 1u << c && (src->lane[c] != c || src->negate & 1u << c))
            return false;
    return true;
}

/* Returns true if value j is one half of a dot product that is computed for both colour and alpha. The two
 * halves must keep equal scales and clamps, because otherwise they do not fit into one pair (legalise.c). */
static bool has_companion(const struct fragprog *p, unsigned j)
{
    if (!fragprog_op_is_dot(p->inst[j].op))
        return false;
    unsigned other = p->inst[j].mask == FRAGPROG_MASK_W ? j - 1 : j + 1;
    if (other >= p->ninst || p->inst[other].op != p->inst[j].op || p->inst[other].mask == p->inst[j].mask)
        return false;
    for (unsigned s = 0; s < fragprog_op_args(p->inst[j].op); s++)
        if (!fragprog_same_source(&p->inst[j].src[s], &p->inst[other].src[s],
                                  fragprog_lanes_read(&p->inst[j], s)))
            return false;
    return true;
}

/* Doubles arguments of an instruction instead of its result, if the scale would be too large for the result.
 * Returns false if the modifiers of the arguments cannot express the doubling. */
static bool double_arguments(struct fragprog_inst *inst)
{
    const unsigned which = fragprog_op_doubling(inst->op);
    if (!which)
        return false;
    for (unsigned s = 0; s < 3; s++)
        if (which >> s & 1 &&
            !fragprog_apply(&inst->src[s], fragprog_lanes_read(inst, s), (struct fragprog_affine){2, 0}))
            return false;
    return true;
}

bool fragprog_opt_absorb(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    if (p->inst[i].op != FRAGPROG_MOV || p->inst[i].src[0].file != FRAGPROG_VALUE)
        return false;
    const struct fragprog_ranges *ranges = opt->ranges;
    const struct fragprog_inst *mov = &p->inst[i];
    const unsigned j = mov->src[0].index;
    const struct fragprog_inst *made = &p->inst[j];
    int scale = made->scale + mov->scale;
    if (fragprog_op_is_lookup(made->op) || made->op == FRAGPROG_VEC || !reads_in_place(mov, made) ||
        scale < -3 || scale > 5 || !fragprog_clamp_droppable(ranges, p, j, mov, 0))
        return false;
    if ((ranges->uses[j] > 1 || (!p->unbounded && has_companion(p, j))) &&
        !(mov->scale == 0 && mov->clamp == made->clamp))
        return false;
    struct fragprog_inst merged = *made;
    merged.clamp = mov->clamp;
    merged.scale = (int8_t)(scale > 3 ? 3 : scale);
    for (; scale > 3; scale--)
        if (!double_arguments(&merged))
            return false;
    if (!fragprog_acceptable(p, ranges, &merged))
        return false;
    fragprog_fired(opt, "absorb", mov->unit);
    fragprog_put(p, opt->ranges, i, &merged);
    return true;
}
