/* The e-mail's view of a texture environment: stages as lists of reads. */
#ifndef TEXENVC_READS_H
#define TEXENVC_READS_H

#include "input.h"

/* The form without operations, `{T0, T2}, {P , T0}, {T1, P }`: delivers each line as an item with ->reads.
 * False if the text is not of this form. */
bool claim_reads(struct reading *in, const char *text, size_t length);

/* The reads of a state: in the order in which its notation writes them, the colour's, then the alpha's that
 * are not yet listed. Units that are off and units at the end that only pass on are no stages. */
void reads_of_state(struct fragprog_reads *reads, const struct texenv_state *state);

#endif
