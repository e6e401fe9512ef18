/* The formulas of opcodes.def, and properties of operations that are derived from them. */
#include "fragprog/algebra/formula.h"

enum {
    A = FRAGPROG_FACTOR_A,
    B = FRAGPROG_FACTOR_B,
    C = FRAGPROG_FACTOR_C,
    ONE = FRAGPROG_FACTOR_ONE,
    NOT_A = FRAGPROG_FACTOR_NOT_A,
    /* pseudo-factors of rows with sign 0 */
    SCALAR_OP,
    EFFECT_OP
};

#define PLUS(x, y) {1, {x, y}, 0},
#define MINUS(x, y) {-1, {x, y}, 0},
#define DOT(x, y, lanes) {1, {x, y}, lanes},
#define ELSE {0, {ONE, ONE}, 0},
#define SCALAR {0, {SCALAR_OP, ONE}, 0},
#define EFFECT {0, {EFFECT_OP, ONE}, 0},
const struct fragprog_product fragprog_formulas[FRAGPROG_OPS][FRAGPROG_PRODUCTS + 1] = {
#define FRAGPROG_OP(id, name, args, api, formula) [FRAGPROG_##id] = {formula},
#include "fragprog/opcodes.def"
};

bool fragprog_op_is_scalar(unsigned op)
{
    return !fragprog_formulas[op][0].sign && fragprog_formulas[op][0].factor[0] == SCALAR_OP;
}

bool fragprog_op_has_effect(unsigned op)
{
    return !fragprog_formulas[op][0].sign && fragprog_formulas[op][0].factor[0] == EFFECT_OP;
}

bool fragprog_op_is_blend(unsigned op)
{
    return fragprog_formulas[op][1].factor[0] == NOT_A && fragprog_formulas[op][1].sign;
}

static bool has(const struct fragprog_product *p, unsigned factor)
{
    return p->factor[0] == factor || p->factor[1] == factor;
}

/* Returns both factors as a set (bits). */
static unsigned factors(const struct fragprog_product *p) { return 1u << p->factor[0] | 1u << p->factor[1]; }

/* Returns the set with A and B exchanged. */
static unsigned exchanged(unsigned set) { return (set & ~3u) | (set & 1u << A) << 1 | (set & 1u << B) >> 1; }

bool fragprog_op_commutes(unsigned op)
{
    const struct fragprog_product *p = fragprog_formulas[op], *q = p + (p[1].sign != 0);
    if (fragprog_op_args(op) < 2 || !p->sign || (factors(p) | factors(q)) >> NOT_A)
        return false;
    if (factors(p) == exchanged(factors(p)) && factors(q) == exchanged(factors(q)))
        return true;
    return factors(p) == exchanged(factors(q)) && p->sign == q->sign && p->lanes == q->lanes;
}

unsigned fragprog_op_lanes(unsigned op, unsigned s)
{
    unsigned lanes = 0;
    for (const struct fragprog_product *p = fragprog_formulas[op]; p->sign; p++)
        lanes |= has(p, s) ? p->lanes : 0u;
    return lanes;
}

unsigned fragprog_op_doubling(unsigned op)
{
    unsigned chosen = 0;
    for (const struct fragprog_product *p = fragprog_formulas[op]; p->sign && !p->lanes; p++) {
        /* finds the first factor that is an argument; the weight A of a blend does not count, since it also
         * occurs as 1-A */
        unsigned k = 0;
        while (k < 2 && (p->factor[k] > C || (p->factor[k] == A && fragprog_op_is_blend(op))))
            k++;
        if (k < 2)
            chosen |= 1u << p->factor[k];
    }
    return chosen;
}
