/* Describes in English what a unit computes, for explain --html. */
#ifndef TEXENVC_SENTENCE_H
#define TEXENVC_SENTENCE_H

#include "analysis.h"

/* Describes a half (TEXENV_RGB or TEXENV_ALPHA): "the result of unit 0 times texture 1, times 2". */
void add_sentence(struct buffer *b, const struct texenv_state *state, const struct analysis *a, unsigned unit,
                  unsigned half);
/* Describes what P is in the unit: "the primary colour", "the result of unit 0". unit nstages: at the end. */
void add_previous(struct buffer *b, const struct analysis *a, unsigned unit);

#endif
