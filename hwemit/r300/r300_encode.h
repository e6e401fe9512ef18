/* What the encoders of both instruction formats share (r300_encode.c). */
#ifndef HWEMIT_R300_ENCODE_H
#define HWEMIT_R300_ENCODE_H

#include "hwemit/r300/r300_program.h"

/* Appends the list of textures, the statistics, and the word that enables the textures. */
void hwemit_r300_lists(struct hwemit_code *code, const struct program *p);
/* Constants of the program's own, or those that GL state sets. */
void hwemit_r300_constants(struct hwemit_code *code, const struct program *p, bool immediate,
                           void (*write)(struct hwemit_code *, unsigned slot, const float value[4]));
/* GL state sets some of it. */
bool hwemit_r300_external(const struct constant *k);
bool hwemit_r300_writes_depth(const struct program *p);
uint32_t hwemit_r300_float24(float value);
unsigned hwemit_r300_omod(int omod); /* code of 2^omod */
unsigned hwemit_r300_alpha_op(const struct half *h);

#endif
