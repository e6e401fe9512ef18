/* One half of a pair as the search sees it: 2^m * (+-A*B +- C), or a DP3, of operands that the ports give
 * (notes/facts/r300.md 2), and what it needs of the ports. */
#ifndef FORMS_H
#define FORMS_H

#include <stdbool.h>
#include <stdint.h>

enum { RGB, ALPHA }; /* halves, and parts of the ports */

/* Where an address leads: a source, a number of the program's own (a constant's rgb part and alpha part, a
 * number each), what the first pair left in a temporary. */
enum { TEXTURE, COLOUR, PRIMARY, SOURCES, OWN = SOURCES, FIRST_PLACES, HELPER = FIRST_PLACES, PLACES };
enum { NUMBERS = 8 };
extern const double number[NUMBERS], modifier[7];

/* op: as the words have it, 1-2a, b-a, a+b, 1-a; presub[0] is none. Those of the first pair, which read no
 * helper, come first. */
struct presub {
    int op, a, b;
};
extern struct presub presub[40];
extern int npresubs, nfirst;
double presubtract(int op, double a, double b);

/* Operands: a place in the rgb or alpha part, a literal, a presubtracted value. */
enum { ZERO = 2 * PLACES, HALF, ONE, PRESUB_RGB, PRESUB_ALPHA, CODES };
enum { MAD, DP3 };
/* signs: 1 the product, 2 the addend; own: which numbers, 0 none */
struct form {
    uint8_t op, a, b, c, signs, modifier, own[2], presub[2];
};

/* across: it reads the other part's presubtracted value. */
struct need {
    uint8_t presub[2], read[2], own[2], across;
};

void forms_begin(bool with_presubs, bool same_operation, bool narrow_constants); /* see search.c */
struct need need_of(const struct form *f, int half);
bool merge(const struct need *x, const struct need *y);   /* both in one pair */
bool no_more(const struct need *x, const struct need *y); /* what goes beside y goes beside x */
unsigned places_of(int presub_number);                    /* a bit each */

/* All forms of the first or second pair, each with every sign and modifier. */
void each_form(bool second, bool dots, void (*show)(const struct form *));
void print_form(const struct form *f);

#endif
