/* Describes operations as sums of two products (struct stages_products), for chips whose stages compute
 * these. */
#include "hwemit/stages/stages_chip.h"

enum { ONE = STAGES_ARGS };
/* PRODUCT is a*b, SUM is a*b + c*d; `how` is the modification of a and b, or of c. */
#define PRODUCT(a, b, how) \
    { \
        false, \
        { \
            {a, STAGES_##how}, {b, STAGES_##how}, {ONE, 0}, { ONE, 0 } \
        } \
    }
#define SUM(a, b, c, d, how) \
    { \
        true, \
        { \
            {a, 0}, {b, 0}, {c, STAGES_##how}, { d, 0 } \
        } \
    }

static const struct stages_products products[] = {
    [STAGES_ARG1] = PRODUCT(1, ONE, AS_IS),
    [STAGES_MODULATE] = PRODUCT(1, 2, AS_IS),
    [STAGES_ADD] = SUM(1, ONE, 2, ONE, AS_IS),
    [STAGES_ADDSIGNED] = SUM(1, ONE, 2, ONE, LESS_HALF),
    [STAGES_BLEND] = SUM(0, 1, 0, 2, INVERTED),
    [STAGES_SUBTRACT] = SUM(1, ONE, 2, ONE, NEGATED),
    [STAGES_DOT3] = PRODUCT(1, 2, EXPANDED),
    [STAGES_DOT4] = PRODUCT(1, 2, EXPANDED),
    [STAGES_MODULATE_AND_ADD] = SUM(1, 2, 0, ONE, AS_IS),
    [STAGES_MODULATE_AND_SUBTRACT] = SUM(1, 2, 0, ONE, NEGATED),
    [STAGES_MODULATE_AND_ADDSIGNED] = SUM(1, 2, 0, ONE, LESS_HALF),
    [STAGES_PRODUCTS] = SUM(1, 2, 0, 3, AS_IS),
    [STAGES_PRODUCTS_SIGNED] = SUM(1, 2, 0, 3, AS_IS),
};

const struct stages_products *hwemit_stages_products(enum stages_op op) { return &products[op]; }
