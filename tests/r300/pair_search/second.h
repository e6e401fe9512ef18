/* The helpers, which are the values U and V of the first pair's colour and alpha half, and the expressions of
 * the second pair with the helpers that they read (search.c). */
#ifndef SECOND_H
#define SECOND_H

#include "sets.h"

enum { POINTS = KEYS };
/* Kind of an entry. KIND_DOT: a DP3 without modifier; KIND_CHANNELS: a V of two channels (search.c). */
enum { KIND_MAD, KIND_DP3, KIND_DOT, KIND_CHANNELS, KINDS };

/* at: values of the operands at the points, where red, green and blue of a source are equal; goals: the
 * required results there */
extern double at[PLACES][2][POINTS], goals[2][POINTS];
extern bool constant[2];    /* whether a half is constantly 0 or 1, a literal that needs no port */
extern struct set first[2]; /* possible U and V; keys: their values at the points */
extern int plain_v;         /* the first plain_v entries of V read alphas only, the others two channels */
extern struct set ways[2];  /* second pair; keys: entries of U, V (-1: not read), 0, 0 */

void first_pair(void);
/* writes the entries of a first pair's half whose value is the required result, at most KINDS; returns their
 * number */
int reaching(int half, const struct entry **out);

/* SIMPLE fills ways[half] with the expressions that read one helper or none. The others add expressions that
 * read both: BOTH_CHANNELS with a V of two channels, BESIDE with helpers that the other half reads, BOTH with
 * any. channels: V may depend on two channels. */
enum { SIMPLE, BOTH_CHANNELS, BESIDE, BOTH };
void second_pair(int half, int which, bool channels);
bool without_helpers(int half); /* returns whether an expression in ways[half] reads no helper */

#endif
