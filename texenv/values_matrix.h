/* Internal functions of values_matrix.c that values.c uses. values.h declares the public ones. */
#ifndef TEXENV_VALUES_MATRIX_H
#define TEXENV_VALUES_MATRIX_H

#include "texenv/values.h"

/* Multiplies the upper left size x size (3 or 4) of m by v. out must not be v. */
void texenv_transform(float *out, const float *m, const float *v, unsigned size);
/* Computes the inverse of the upper left size x size (3 or 4) of m, column by column, or the identity if it
 * is singular. */
void texenv_inverse(double inverse[4][4], const float *m, unsigned size);

#endif
