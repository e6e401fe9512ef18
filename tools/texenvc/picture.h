/* A picture in text of what lives in which register after each instruction pair. */
#ifndef TEXENVC_PICTURE_H
#define TEXENVC_PICTURE_H

#include "compile.h"

/* c: compiled, and ok. Lines begin with `indent` blanks. */
void add_picture(struct buffer *b, const struct compiled *c, unsigned indent);

#endif
