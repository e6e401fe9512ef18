/* What became of the units of a state, and why. */
#ifndef TEXENVC_ANALYSIS_H
#define TEXENVC_ANALYSIS_H

#include "input.h"

/* Masks: bit u for unit u. */
struct analysis {
    uint8_t on;           /* not OFF */
    uint8_t through;      /* on, and passes the previous result through */
    uint8_t dead;         /* computes, and nothing of it reaches the result */
    uint8_t dead_half[2]; /* that half computes and does not reach the result */
    uint8_t sampled;      /* texels that reach the result */
    uint8_t live[2];      /* that half of what the unit passes on, computed or not, reaches the result */
};
void analyse(struct analysis *a, const struct texenv_state *state);

/* Which halves of the result before the unit (bit 0 colour, bit 1 alpha) reach the end through it; unit
 * nstages is the end. */
unsigned live_before(const struct texenv_state *state, const struct analysis *a, unsigned unit);

/* Why these halves (bit 0 colour, bit 1 alpha) of a unit's result are dead: "unit 2 does not read P". */
void add_dead_reason(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                     unsigned unit, unsigned halves);
/* Why the unit is off, as far as it can be seen. */
const char *off_reason(const struct item *item, unsigned unit);

#endif
