/* Packed codes that follow what setters change (pack.c). */
#ifndef TEXENV_PACK_H
#define TEXENV_PACK_H

#include "texenv/texenv.h"

/* Slot `slot` of the active unit's environment (enum texenv_slot; no colour) has this value now. */
void texenv_pack_slot(struct texenv *te, int slot, uint32_t value);
/* The active unit has another texture, or other targets are enabled. */
void texenv_pack_texture(struct texenv *te);

#endif
