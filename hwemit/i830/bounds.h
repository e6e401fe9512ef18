/* What bounds show of polynomials: shared by bounds.c and normal.c. Internal to hwemit/i830. */
#ifndef I830_BOUNDS_H
#define I830_BOUNDS_H

#include "hwemit/i830/cover.h"

#define I830_TINY 1e-9 /* bounds are exact but for thirds (poly.c) */

/* p = a*w + b with w an atom of degree 1. */
bool hwemit_i830_split_at(const struct i830_poly *p, unsigned w, struct i830_poly *a, struct i830_poly *b);
/* p with a polynomial in place of an atom. */
struct i830_poly hwemit_i830_with(const struct i830_poly *p, unsigned w, const struct i830_poly *in_place);
/* t >= 0 wherever region > 0, shown by t - k*region >= 0 everywhere, or in either half of what an atom can be by region <= 0 or t >= 0. */
bool hwemit_i830_holds(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region);
/* Whether t may be 0 or more wherever region > 0, as far as the points tell. */
bool hwemit_i830_may_hold(const struct i830_cover *c, const struct i830_poly *t, const struct i830_poly *region);

#endif
