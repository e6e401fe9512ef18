/* GL's values as they were at a draw, for --reflect and --embed: those that are not GL's initial ones. */
#ifndef TEXENVC_RECORDED_H
#define TEXENVC_RECORDED_H

#include "input.h"

/* Members of an object, as web/values.js names them: "light": {"0": {"position": [0, 4, 0, 1]}}. JSON, which
 * JavaScript reads, too. What is not known is null, or left out (unless `unknown`). */
void add_recorded_members(struct buffer *b, const struct texenv_values *values, bool unknown);
/* Statements that set them in `v`, a pointer to struct texenvc_values (web/embed.h). */
void add_recorded_statements(struct buffer *b, const struct texenv_values *values);

#endif
