/* Which units of a state contribute to its result, and why the others do not. Used by explain, lint
 * and JSON. */
#ifndef TEXENVC_ANALYSIS_H
#define TEXENVC_ANALYSIS_H

#include "input.h"

/* Bit masks: bit u for unit u. */
struct analysis {
    uint8_t on;           /* the mode is not OFF */
    uint8_t through;      /* on, but passes the previous result through */
    uint8_t dead;         /* computes something that does not reach the result */
    uint8_t dead_half[2]; /* this half computes something that does not reach the result */
    uint8_t sampled;      /* the texel reaches the result */
    /* this half of the unit's output, whether computed or passed through, reaches the result */
    uint8_t live[2];
    /* channels (FRAGPROG_MASK_*) that reach the result: of each unit's texel and environment colour, and of
     * the primary colour */
    uint8_t texel[TEXENV_UNITS], color[TEXENV_UNITS], primary;
};
void analyse(struct analysis *a, const struct texenv_state *state);

/* Returns which halves (bit 0 colour, bit 1 alpha) of the previous result the given unit passes on to the
 * end. For unit nstages, the end itself, both. */
unsigned live_before(const struct texenv_state *state, const struct analysis *a, unsigned unit);

/* Appends why these halves (bit 0 colour, bit 1 alpha) of a unit's result are dead: "unit 2 does not
 * read P". */
void add_dead_reason(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                     unsigned unit, unsigned halves);
/* Returns why the unit is off, as far as that can be determined. */
const char *off_reason(const struct item *item, unsigned unit);

#endif
