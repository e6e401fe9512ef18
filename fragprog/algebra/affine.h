/* Modifiers of sources and scales of results as numbers. Internal to the library. */
#ifndef FRAGPROG_ALGEBRA_AFFINE_H
#define FRAGPROG_ALGEBRA_AFFINE_H

#include "fragprog/fragprog.h"

/* 2^scale, scale from -3 to 3. */
double fragprog_power(int scale);

/* The modifiers of a source, but for the absolute value, as m*x + t. */
struct fragprog_affine {
    double m, t;
};
struct fragprog_affine fragprog_affine_of(unsigned mods);
/* Modifiers that are m*x + t; -1 if there are none. */
int fragprog_mods_of(struct fragprog_affine a);

#endif
