/* Pictures of a state: direct, converted, and their difference, side by side. */
#ifndef GLDIFF_PICTURE_H
#define GLDIFF_PICTURE_H

#include "draw.h"

/* Writes FOLDER/state-N-VIA.png: three panels, over which the primary colour and all texels vary; the
 * difference is enlarged 64 times around grey. */
void picture_write(const char *folder, uint64_t number, const struct texenv_state *state, enum via via,
                   const struct draw_options *options);
/* Was it built in? */
bool picture_available(void);

#endif
