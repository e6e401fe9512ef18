/* Modifiers of sources and scales of results as numbers. */
#include "fragprog/algebra/affine.h"

struct fragprog_affine fragprog_affine_of(unsigned mods)
{
    struct fragprog_affine a = {1, 0};
    if (mods & FRAGPROG_COMP)
        a.m = -a.m, a.t = 1 - a.t;
    if (mods & FRAGPROG_BIAS)
        a.t -= 0.5;
    if (mods & FRAGPROG_2X)
        a.m *= 2, a.t *= 2;
    if (mods & FRAGPROG_NEG)
        a.m = -a.m, a.t = -a.t;
    return a;
}

int fragprog_mods_of(struct fragprog_affine a)
{
    /* By m from -2 to 2 and t in halves from -2 to 2; 0xff: none. Where two sets say the same, the one of
     * fewer modifiers. */
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

double fragprog_power(int scale)
{
    static const double of[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    return of[scale + 3];
}
