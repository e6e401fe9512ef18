/* The halves of the first pair, and the expressions of the second pair with the helpers that they read. */
#ifndef SECOND_H
#define SECOND_H

#include "sets.h"

enum { POINTS = KEYS };
/* kind of an entry; DOT: a DP3 without modifier; CHANNELS: see search.c */
enum { KIND_MAD, KIND_DP3, KIND_DOT, KIND_CHANNELS, KINDS };

/* at: values of the operands at the points of the diagonal; goals: the required results there */
extern double at[PLACES][2][POINTS], goals[2][POINTS];
extern bool constant[2];    /* the required result is 0 or 1: a literal, which needs no port and no helper */
extern struct set first[2]; /* possible U and V; keys are their values */
extern int plain_v;         /* the first plain_v of V read only alpha, others two channels */
extern struct set ways[2];  /* expressions of the second pair; keys: U, V (entries, -1: not read), 0, 0 */

void first_pair(void);
/* halves of a first pair that give the result; at most KINDS */
int reaching(int half, const struct entry **out);

/* Fills ways[half] with the expressions that read one helper or none; then adds those that read both: with a
 * V of two channels; with the helpers that the other half leaves; or without restriction. channels: V may
 * depend on two channels. */
enum { SIMPLE, BOTH_CHANNELS, BESIDE, BOTH };
void second_pair(int half, int which, bool channels);
bool without_helpers(int half); /* whether some expression in ways[half] reads no helper */

#endif
