/* Writes tables and headers in C: --reflect-c and --embed. */
#ifndef TEXENVC_EMBED_H
#define TEXENVC_EMBED_H

#include "reflect.h"

/* Appends the declarations that precede the pairs of a file. embed: also functions that set uniforms. */
void add_c_preamble(struct buffer *b, bool embed);
/* Appends the table of a pair. vertex, fragment: shader sources for --embed, NULL for --reflect-c. */
void add_c_pair(struct buffer *b, const struct reflection *r, const struct buffer *vertex,
                const struct buffer *fragment);

#endif
