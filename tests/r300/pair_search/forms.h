/* An expression that one half of a pair can compute: 2^m * (+-A*B +- C), or a DP3, of operands that the ports
 * can deliver (notes/facts/r300.md 2), and its requirements for the ports. */
#ifndef FORMS_H
#define FORMS_H

#include <stdbool.h>
#include <stdint.h>

enum { RGB, ALPHA }; /* colour and alpha: halves of a pair, and parts of the ports */

/* What an address can select: a source, a constant of the program's own (one number each for its rgb part and
 * its alpha part), or a result of the first pair in a temporary (HELPER). */
enum { TEXTURE, COLOUR, PRIMARY, SOURCES, OWN = SOURCES, FIRST_PLACES, HELPER = FIRST_PLACES, PLACES };
enum { NUMBERS = 8 };
extern const double number[NUMBERS], modifier[7];

/* op: the encoding in the words: 1-2a, b-a, a+b, 1-a; presub[0] is none. Those of the first pair, which
 * cannot read a helper, come first. */
struct presub {
    int op, a, b;
};
extern struct presub presub[40];
extern int npresubs, nfirst;
double presubtract(int op, double a, double b);

/* Operands: a selected value of the rgb or alpha part, a literal, a presubtracted value. */
enum { ZERO = 2 * PLACES, HALF, ONE, PRESUB_RGB, PRESUB_ALPHA, CODES };
enum { MAD, DP3 };
/* signs: 1 negates the product, 2 the addend; own: which constants are used, 0 none */
struct form {
    uint8_t op, a, b, c, signs, modifier, own[2], presub[2];
};

/* across: the half reads the presubtracted value of the other part. */
struct need {
    uint8_t presub[2], read[2], own[2], across;
};

void forms_begin(bool with_presubs, bool same_operation, bool narrow_constants); /* see search.c */
struct need need_of(const struct form *f, int half);
bool merge(const struct need *x, const struct need *y); /* whether both fit into one pair */
/* whether x fits beside everything that y fits beside */
bool no_more(const struct need *x, const struct need *y);
unsigned places_of(int presub_number); /* one bit for each */

/* Calls `show` for all expressions of the first or second pair, with every sign and modifier. */
void each_form(bool second, bool dots, void (*show)(const struct form *));
void print_form(const struct form *f);

#endif
