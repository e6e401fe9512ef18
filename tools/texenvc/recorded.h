/* Prints GL's values at a draw for --reflect and --embed, as far as they differ from GL's initial values. */
#ifndef TEXENVC_RECORDED_H
#define TEXENVC_RECORDED_H

#include "input.h"

/* Appends members of a JSON object with the names of web/values.js: "light": {"0": {"position": [0, 4, 0,
 * 1]}}. Unknown values are null if `unknown` is set, or else left out. */
void add_recorded_members(struct buffer *b, const struct texenv_values *values, bool unknown);
/* Appends C statements that set the values in `v`, a pointer to struct texenvc_values (web/embed.h). */
void add_recorded_statements(struct buffer *b, const struct texenv_values *values);

#endif
