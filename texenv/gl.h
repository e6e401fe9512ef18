/* The GL enumerants of tokens.def and formats.def under their GL names. Internal: never include this header
 * together with a GL header. */
#ifndef TEXENV_GL_H
#define TEXENV_GL_H

enum {
#define TOKEN(name, value) GL_##name = (int)(value), /* the cast is needed for ALL_ATTRIB_BITS */
#include "texenv/tokens.def"
#define FORMAT(name, value, base) GL_##name = value,
#include "texenv/formats.def"
};

#endif
