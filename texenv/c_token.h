/* The tokens of C source, for the two readers of it: of scripts of GL calls (texenv/read/read_gl.h) and of C
 * after the preprocessor (tools/texenvc/source.h). Each evaluates expressions by itself, since there is
 * little in common: those of a script are sums of 64-bit constants and GL names, of which an unknown one is a
 * message with its place; those of C have types, variables, calls and assignments, and unknown values that
 * decide paths. The function keeps no state: any threads may call it at the same time. */
#ifndef TEXENV_C_TOKEN_H
#define TEXENV_C_TOKEN_H

#include "texenv/texenv.h"

/* STRING: a string or character literal; OPEN_STRING: one whose line ends before its quote. PUNCT: a
 * punctuator, or any byte that begins no other token. */
enum texenv_c_token {
    TEXENV_C_END,
    TEXENV_C_NAME,
    TEXENV_C_NUMBER,
    TEXENV_C_STRING,
    TEXENV_C_OPEN_STRING,
    TEXENV_C_PUNCT
};

/* Sets *kind to the kind of the token that begins at s, of at most n bytes, and returns its length. If n is
 * 0, *kind is TEXENV_C_END and the length 0. White space and comments are not skipped. utf8: letters of names
 * include bytes above 0x7f. */
TEXENV_API size_t texenv_scan_token(enum texenv_c_token *kind, const char *s, size_t n, bool utf8);

#endif
