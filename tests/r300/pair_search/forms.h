/* Forms: expressions 2^m * (+-A*B +- C) or DP3 that one half of a pair can compute from operands that its
 * ports can deliver (notes/facts/r300.md 2), and which ports a form needs. */
#ifndef FORMS_H
#define FORMS_H

#include <stdbool.h>
#include <stdint.h>

enum { RGB, ALPHA }; /* colour and alpha: halves of a pair, and parts of the ports */

/* What an address can select: a source, a constant of the program's own (OWN: one number for its rgb part and
 * one for its alpha part), or, in the second pair, the first pair's result (HELPER). */
enum { TEXTURE, COLOUR, PRIMARY, SOURCES, OWN = SOURCES, FIRST_PLACES, HELPER = FIRST_PLACES, PLACES };
enum { NUMBERS = 8 };
extern const double number[NUMBERS], modifier[7];

/* A presubtraction. op: its code in the chip's words: 0 1-2a, 1 b-a, 2 a+b, 3 1-a. presub[0] means none; then
 * come those that read no HELPER, which are all that the first pair can use. */
struct presub {
    int op, a, b;
};
extern struct presub presub[40];
extern int npresubs, nfirst;
double presubtract(int op, double a, double b);

/* Codes of operands: what an address selects, from its rgb part (below PLACES) or its alpha part; then
 * literals, then the presubtracted values of both parts. */
enum { ZERO = 2 * PLACES, HALF, ONE, PRESUB_RGB, PRESUB_ALPHA, CODES };
enum { MAD, DP3 };
/* signs: bit 0 negates the product, bit 1 the addend; own, presub: indices of `number` and `presub` for the
 * rgb and alpha parts, 0 for none */
struct form {
    uint8_t op, a, b, c, signs, modifier, own[2], presub[2];
};

/* The ports that a form needs. across: the half reads the other part's presubtracted value. */
struct need {
    uint8_t presub[2], read[2], own[2], across;
};

void forms_begin(bool with_presubs, bool same_operation, bool narrow_constants); /* see search.c */
struct need need_of(const struct form *f, int half);
bool merge(const struct need *x, const struct need *y); /* whether one pair has ports for both */
/* whether x fits into one pair with every form that y fits with */
bool no_more(const struct need *x, const struct need *y);
unsigned places_of(int presub_number); /* one bit for each place that it reads */

/* Calls `show` for all expressions of the first or second pair, with every sign and modifier. */
void each_form(bool second, bool dots, void (*show)(const struct form *));
void print_form(const struct form *f);

#endif
