/* Reads stages as lists of reads, which is how the founding e-mail describes texture environments. */
#ifndef TEXENVC_READS_H
#define TEXENVC_READS_H

#include "input.h"

/* Reads the notation without operations, `{T0, T2}, {P , T0}, {T1, P }`, and delivers each line as an item
 * with ->reads. Returns false if the text does not have this form. */
bool claim_reads(struct reading *in, const char *text, size_t length);

/* Determines the reads of a state: in the order of its notation, first those of the colour, then those of
 * alpha that are not yet listed. Units that are off, and units at the end that only pass on the previous
 * result, are no stages. */
void reads_of_state(struct fragprog_reads *reads, const struct texenv_state *state);

#endif
