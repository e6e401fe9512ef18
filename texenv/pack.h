/* Internal: keeps the packed codes of struct texenv up to date while setters change it (pack.c). */
#ifndef TEXENV_PACK_H
#define TEXENV_PACK_H

#include "texenv/texenv.h"

/* Call after slot `slot` of the active unit's environment (enum texenv_slot, not the colour) has been set to
 * value. */
void texenv_pack_slot(struct texenv *te, int slot, uint32_t value);
/* Call after the active unit's textures or enabled targets have changed. */
void texenv_pack_texture(struct texenv *te);

#endif
