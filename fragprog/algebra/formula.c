/* The formulas of opcodes.def, and what follows from them. */
#include "fragprog/algebra/formula.h"

enum {
    A = FRAGPROG_FACTOR_A,
    B = FRAGPROG_FACTOR_B,
    C = FRAGPROG_FACTOR_C,
    ONE = FRAGPROG_FACTOR_ONE,
    NOT_A = FRAGPROG_FACTOR_NOT_A,
    /* in place of a factor, with sign 0 */
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
#undef FRAGPROG_OP
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

static unsigned exchanged(unsigned factor) { return factor == A ? B : factor == B ? A : factor; }

bool fragprog_op_commutes(unsigned op)
{
    bool all = fragprog_op_args(op) > 1 && fragprog_formulas[op][0].sign;
    for (const struct fragprog_product *p = fragprog_formulas[op]; p->sign && all; p++) {
        bool found = false;
        for (const struct fragprog_product *q = fragprog_formulas[op]; q->sign; q++)
            found |= q->sign == p->sign && q->lanes == p->lanes && has(q, exchanged(p->factor[0])) &&
                has(q, exchanged(p->factor[1]));
        all = found && !has(p, NOT_A);
    }
    return all;
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
        unsigned k = 0; /* the first factor that is an argument, and not one of which another product has the
                           rest to 1 */
        while (k < 2 && (p->factor[k] > C || (p->factor[k] == A && fragprog_op_is_blend(op))))
            k++;
        if (k < 2)
            chosen |= 1u << p->factor[k];
    }
    return chosen;
}
