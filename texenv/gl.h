/* The GL enumerants of tokens.def and formats.def under their GL names. Internal: never include this header
 * together with a GL header. */
#ifndef TEXENV_GL_H
#define TEXENV_GL_H

#include <stdbool.h>
#include <stdint.h>

enum {
#define TOKEN(name, value) GL_##name = (int)(value), /* the cast is needed for ALL_ATTRIB_BITS */
#include "texenv/tokens.def"
#define FORMAT(name, value, base) GL_##name = value,
#include "texenv/formats.def"
};

/* Converts a float given as an enumerant: rounds to the nearest integer (2.6). NaN and numbers out of range
 * give a value that is no enumerant. */
static inline uint32_t texenv_enum_of(float v)
{
    return v >= 0.0f && v < 16777216.0f ? (uint32_t)(v + 0.5f) : 0xffffffffu;
}

static inline uint8_t texenv_with_bit(uint8_t bits, unsigned bit, bool on)
{
    return (uint8_t)(on ? bits | bit : bits & ~bit);
}

/* Returns the sides of a face: bit 0 front, bit 1 back; 0 if `face` is not valid. */
static inline uint8_t texenv_sides_of(uint32_t face)
{
    return face == GL_FRONT ? 1 : face == GL_BACK ? 2 : face == GL_FRONT_AND_BACK ? 3 : 0;
}

#endif
