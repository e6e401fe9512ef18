/* The modifiers of operands and the scales of results as numbers. */
#include "fragprog/algebra/affine.h"

/* The modifiers are applied in the order 1-x, x-1/2, 2x, -x. */
#define OUTER(mods) (((mods)&FRAGPROG_2X ? 2.0 : 1.0) * ((mods)&FRAGPROG_NEG ? -1 : 1))
#define M(mods) (OUTER(mods) * ((mods)&FRAGPROG_COMP ? -1 : 1))
#define T(mods) (OUTER(mods) * (((mods)&FRAGPROG_COMP ? 1 : 0) - ((mods)&FRAGPROG_BIAS ? 0.5 : 0)))
#define ONE(mods) \
    { \
        M(mods), T(mods) \
    }
#define FOUR(mods) ONE(mods), ONE((mods) + 1), ONE((mods) + 2), ONE((mods) + 3)
#define SIXTEEN(mods) FOUR(mods), FOUR((mods) + 4), FOUR((mods) + 8), FOUR((mods) + 12)
const struct fragprog_affine fragprog_affines[2 * FRAGPROG_NEG] = {SIXTEEN(0), SIXTEEN(16)};

int fragprog_mods_of(struct fragprog_affine a)
{
    /* The modifiers that compute m*x + t, indexed by m from -2 to 2, and by t from -2 to 2 in steps of 1/2;
     * NONE if no modifiers compute it. Of several sets of modifiers, the table has the smallest. */
    enum { COMP = FRAGPROG_COMP, NEG = FRAGPROG_NEG, BIAS = FRAGPROG_BIAS, X2 = FRAGPROG_2X, NONE = 0xff };
    static const uint8_t mods[5][9] = {
        {NONE, NONE, NONE, NONE, NEG | X2, NONE, NEG | BIAS | X2, NONE, COMP | X2},
        {NONE, NONE, NONE, NONE, NEG, NEG | BIAS, COMP, NONE, NONE},
        {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
        {NONE, NONE, COMP | NEG, BIAS, 0, NONE, NONE, NONE, NONE},
        {COMP | X2 | NEG, NONE, BIAS | X2, NONE, X2, NONE, NONE, NONE, NONE}};
    double halves = a.t * 2;
    if (!(a.m >= -2 && a.m <= 2 && halves >= -4 && halves <= 4) || a.m != (int)a.m || halves != (int)halves)
        return -1;
    unsigned found = mods[(int)a.m + 2][(int)halves + 4];
    return found == NONE ? -1 : (int)found;
}
