/* Writes pictures of a state: the two drawings and their difference, side by side. */
#ifndef GLDIFF_PICTURE_H
#define GLDIFF_PICTURE_H

#include "draw.h"

/* Writes FOLDER/state-N-VIA.png with three panels: fixed function, conversion, and their difference enlarged
 * 64 times around grey. Rows are the banks of inputs, columns the points of a bank. */
void picture_write(const char *folder, uint64_t number, const struct texenv_state *state, enum via via,
                   const struct draw_options *options);
/* Returns whether this program was built with PNG support. */
bool picture_available(void);

#endif
