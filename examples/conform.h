/* Conformance of an implementation of texture environments: conform.c runs the vectors of texenvc over it. */
#ifndef CONFORM_H
#define CONFORM_H

#include "texenv-vectors.h"

/* What is tested. Each function sets the state of a vector, from the initial one of a context, draws it over
 * texenv_vector_background, and gives the colour of a pixel as red, green, blue, alpha: 1; 0: it cannot do
 * that, and the vector is skipped. vertex may be NULL. */
struct conform {
    int (*draw)(void *user, const struct texenv_vector *vector, unsigned char rgba[4]);
    int (*vertex)(void *user, const struct texenv_vertex *vertex, unsigned char rgba[4]);
    void *user;
    int has_alpha; /* 0: the framebuffer has none, and it is not compared */
    int tolerance; /* steps of 1/255 that are allowed; negative: what each vector says */
};

/* Prints what failed, the smallest state of it as GL calls, and a table by tag. 0: nothing failed, and
 * something was drawn; else 1. */
int conform_run(const struct conform *c);

#endif
