/* Tables and headers for C: --reflect-c and --embed. */
#ifndef TEXENVC_EMBED_H
#define TEXENVC_EMBED_H

#include "reflect.h"

/* What stands once in front of the pairs of a file. embed: with functions that set uniforms. */
void add_c_preamble(struct buffer *b, bool embed);
/* The table of a pair. vertex, fragment: sources, of --embed; NULL of --reflect-c. */
void add_c_pair(struct buffer *b, const struct reflection *r, const struct buffer *vertex,
                const struct buffer *fragment);

#endif
