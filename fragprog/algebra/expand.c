/* Converts instructions to polynomials in the sources that they read. */
#include "fragprog/algebra/expand.h"
#include "fragprog/operand.h"

/* Converts an operand; its source becomes a variable. Returns false if there are too many variables, or the
 * operand is not m*x + t. */
static bool expand_source(struct fragprog_sources *sources, const struct fragprog_src *src,
                          struct fragprog_poly *out)
{
    const uint32_t lanes = fragprog_lane_word(src->lane, sources->lanes);
    double number;
    if (lanes & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE &&
        fragprog_literal_value(src, sources->lanes, &number)) {
        fragprog_poly_constant(out, number);
        return true;
    }
    const unsigned negative = src->negate & sources->lanes;
    if (src->mods & FRAGPROG_ABS || (negative && negative != sources->lanes))
        return false;
    const struct fragprog_affine a = fragprog_affine_of(src->mods);
    const double m = negative ? -a.m : a.m;
    unsigned v = 0;
    while (v < sources->n &&
           !(sources->src[v].index == src->index && sources->src[v].file == src->file &&
             fragprog_lane_word(sources->src[v].lane, sources->lanes) == lanes))
        v++;
    if (v == sources->n) {
        struct fragprog_src plain = *src;
        struct fragprog_interval range = {0, 1};
        plain.mods = plain.negate = 0;
        if (sources->ranges)
            range = fragprog_src_range(sources->ranges, sources->p, &plain,
                                       fragprog_first_lane(sources->lanes));
        if (sources->ranges && range.lo == range.hi) {
            fragprog_poly_constant(out, m * range.lo + a.t);
            return true;
        }
        if (v == FRAGPROG_SOURCES)
            return false;
        sources->src[v] = plain;
        sources->box[v + 1] = range;
        sources->n++;
    }
    fragprog_poly_variable(out, v + 1, m, a.t);
    return true;
}

bool fragprog_expand(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                     const struct fragprog_src *through, unsigned j, const struct fragprog_poly *x,
                     struct fragprog_poly *out)
{
    struct fragprog_poly v[3];
    if (!fragprog_op_is_polynomial(inst->op))
        return false;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const struct fragprog_src src = through ? fragprog_through(through, &inst->src[s]) : inst->src[s];
        if (x && src.file == FRAGPROG_VALUE && src.index == j) {
            const struct fragprog_affine a = fragprog_affine_of(src.mods);
            if (src.mods & FRAGPROG_ABS || src.negate & sources->lanes)
                return false;
            fragprog_poly_affine(&v[s], a.m, x, a.t);
        } else if (!expand_source(sources, &src, &v[s])) {
            return false;
        }
    }
    return fragprog_poly_formula(out, inst->op, v, fragprog_power(inst->scale));
}

bool fragprog_expanded_range(const struct fragprog_ranges *r, const struct fragprog *p,
                             const struct fragprog_inst *inst, unsigned lane, struct fragprog_interval *range)
{
    const struct fragprog_src in_lane = fragprog_src_replicate(FRAGPROG_VALUE, 0, lane);
    struct fragprog_sources sources;
    struct fragprog_poly f;
    fragprog_no_sources(&sources, p, 1);
    sources.ranges = r;
    return fragprog_expand(&sources, inst, &in_lane, 0, NULL, &f) &&
        fragprog_poly_bounds(range, &f, sources.box);
}
