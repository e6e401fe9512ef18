/* Instructions as polynomials in the sources that they read. */
#include "fragprog/algebra/expand.h"
#include "fragprog/operand.h"

static unsigned first_lane(unsigned lanes)
{
    unsigned lane = 0;
    while (!(lanes >> lane & 1))
        lane++;
    return lane;
}

static bool expand_source(struct fragprog_sources *sources, const struct fragprog_src *src,
                          struct fragprog_poly *out)
{
    double literal;
    if (fragprog_literal_value(src, sources->lanes, &literal)) {
        fragprog_poly_constant(out, literal);
        return true;
    }
    const unsigned negative = src->negate & sources->lanes;
    if (src->mods & FRAGPROG_ABS || (negative && negative != sources->lanes))
        return false;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    struct fragprog_src plain = *src;
    plain.mods = plain.negate = 0;
    unsigned v = 0;
    while (v < sources->n && !fragprog_same_source(&sources->src[v], &plain, sources->lanes))
        v++;
    if (negative)
        a.m = -a.m;
    if (v == sources->n) {
        struct fragprog_interval range = {0, 1};
        if (sources->ranges)
            range = fragprog_src_range(sources->ranges, sources->p, &plain, first_lane(sources->lanes));
        if (sources->ranges && range.lo == range.hi) {
            fragprog_poly_constant(out, a.m * range.lo + a.t);
            return true;
        }
        if (v == FRAGPROG_SOURCES)
            return false;
        sources->src[v] = plain;
        sources->box[v + 1] = range;
        sources->n++;
    }
    fragprog_poly_variable(out, v + 1, a.m, a.t);
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
    struct fragprog_sources sources = {.p = p, .ranges = r, .lanes = 1};
    const struct fragprog_src in_lane = fragprog_src_replicate(FRAGPROG_VALUE, 0, lane);
    struct fragprog_poly x;
    return fragprog_expand(&sources, inst, &in_lane, 0, NULL, &x) &&
        fragprog_poly_bounds(range, &x, sources.box);
}
