/* Helper functions that fill in a struct fragprog_reason. Internal to fragprog. */
#ifndef FRAGPROG_REASON_H
#define FRAGPROG_REASON_H

#include "fragprog/fragprog.h"

/* Fills *why and returns false. */
bool fragprog_refuse(struct fragprog_reason *why, int unit, const char *code, const char *format, ...);

/* Fills why->fit and returns false. */
bool fragprog_would_fit(struct fragprog_reason *why, const char *format, ...);

/* Returns true if all lookups of a unit have the same texture target, and all or none compare; else refuses.
 * A unit has one texture at a time. */
bool fragprog_has_one_target(struct fragprog_reason *why, const struct fragprog *p);

#endif
