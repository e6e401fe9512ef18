/* Draws as text which value each register holds after each instruction pair. */
#ifndef TEXENVC_PICTURE_H
#define TEXENVC_PICTURE_H

#include "compile.h"

/* c must have been compiled successfully. Lines begin with `indent` blanks. */
void add_picture(struct buffer *b, const struct compiled *c, unsigned indent);

#endif
