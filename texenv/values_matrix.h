/* Of values_matrix.c, what values.c uses besides values.h. */
#ifndef TEXENV_VALUES_MATRIX_H
#define TEXENV_VALUES_MATRIX_H

#include "texenv/values.h"

/* The upper left size x size (3 or 4) of m times v. out: not v. */
void texenv_transform(float *out, const float *m, const float *v, unsigned size);
/* The inverse of the upper left size x size (3 or 4) of m, column by column; the identity if there is none.
 */
void texenv_inverse(double inverse[4][4], const float *m, unsigned size);

#endif
