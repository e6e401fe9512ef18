/* Fast range analysis for the most frequent instructions: those whose sources all have the range [0,1]. */
#include "fragprog/operand.h"

typedef struct fragprog_interval interval;

/* Returns true if the source has the range [0,1] in all lanes that are read. */
static bool is_unit_source(const struct fragprog_ranges *r, const struct fragprog *p,
                           const struct fragprog_src *src, unsigned lanes)
{
    if (src->negate | (src->mods & ~(unsigned)FRAGPROG_COMP) ||
        (fragprog_all_lanes(src->lane) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE &&
         fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE))
        return false;
    switch (src->file) {
    case FRAGPROG_VALUE: return r->flags[src->index] & FRAGPROG_UNIT;
    case FRAGPROG_PRIMARY:
    case FRAGPROG_SECONDARY: return true;
    case FRAGPROG_CONST: return fragprog_is_unit_constant(&p->konst[src->index]);
    default: return false;
    }
}

/* Returns true if all channels of the texel that are in the mask have the range [0,1]. */
static bool is_unit_texel(const struct fragprog_inst *tex)
{
    switch (tex->base) {
    case TEXENV_BASE_ALPHA: return !(tex->mask & FRAGPROG_MASK_XYZ);
    case TEXENV_RED:
    case TEXENV_RG: return false;
    case TEXENV_BASE_RGB:
    case TEXENV_LUMINANCE: return !(tex->mask & FRAGPROG_MASK_W);
    default: return true;
    }
}

/* The range of the result of each operation if all arguments have the range [0,1]. */
static const interval of_units[FRAGPROG_LERP + 1] = {
    [FRAGPROG_TEX] = {0, 1},  [FRAGPROG_MOV] = {0, 1}, [FRAGPROG_ADD] = {0, 2}, [FRAGPROG_MUL] = {0, 1},
    [FRAGPROG_SUB] = {-1, 1}, [FRAGPROG_MAD] = {0, 2}, [FRAGPROG_LERP] = {0, 1}};
enum {
    /* the result is in [0,1] */
    UNITS = 1 << FRAGPROG_TEX | 1 << FRAGPROG_MOV | 1 << FRAGPROG_MUL | 1 << FRAGPROG_LERP,
    KNOWN = UNITS | 1 << FRAGPROG_ADD | 1 << FRAGPROG_SUB | 1 << FRAGPROG_MAD
};

/* Returns true if the range is of_units[op] even if some arguments are the same variable. Sums and products
 * have the same bounds for x and x as for x and y, but x - x and combinations of x and 1 - x have not. The
 * bounds of a blend do not change, because with weight 0 or 1 it is one of its arguments. */
static bool has_units(const struct fragprog_ranges *r, const struct fragprog *p,
                      const struct fragprog_inst *inst)
{
    const struct fragprog_src *src = inst->src;
    const unsigned op = inst->op, args = fragprog_op_args(op);
    if (op == FRAGPROG_TEX)
        return inst->shadow || is_unit_texel(inst);
    for (unsigned s = 0; s < args; s++) {
        if (!is_unit_source(r, p, &src[s], inst->mask))
            return false;
        for (unsigned t = 0; t < s && op != FRAGPROG_LERP; t++)
            if (src[s].index == src[t].index && src[s].file == src[t].file &&
                (op == FRAGPROG_SUB || src[s].mods != src[t].mods))
                return false;
    }
    return true;
}

void fragprog_find_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    if (inst->op > FRAGPROG_LERP || !(KNOWN >> inst->op & 1) || p->unbounded || !has_units(r, p, inst)) {
        fragprog_compute_range(r, p, i);
        return;
    }
    const interval *const raw = &of_units[inst->op], unit = {0, 1};
    if (inst->scale || !(inst->clamp == FRAGPROG_SAT || UNITS >> inst->op & 1)) {
        fragprog_put_range(r, p, i, *raw);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        r->raw[i][c] = *raw;
        r->out[i][c] = unit;
    }
    r->flags[i] = FRAGPROG_EVEN | FRAGPROG_UNIT;
}
