/* The halves of the first pair, and the forms of the second pair's halves with the helpers that they read. */
#ifndef SECOND_H
#define SECOND_H

#include "sets.h"

enum { POINTS = KEYS };
/* of an entry; DOT: a DP3 without modifier; CHANNELS: see search.c */
enum { KIND_MAD, KIND_DP3, KIND_DOT, KIND_CHANNELS, KINDS };

/* [place][part]: the points of the diagonal; what the halves are there */
extern double at[PLACES][2][POINTS], goals[2][POINTS];
extern bool constant[2];    /* a goal is 0 or 1: literals, which take no port, and no helper */
extern struct set first[2]; /* U and V: keys are values */
extern int plain_v;         /* so many V's read alphas only, the rest channels */
extern struct set ways[2];  /* of the second pair's halves; keys: U, V (entries, -1: not read), 0, 0 */

void first_pair(void);
/* halves of a first pair that are the goal; KINDS at most */
int reaching(int half, const struct entry **out);

/* Fills ways[half] with forms that read one helper or none; adds those that read both: V being one of two
 * channels; what the other half, once simply filled, leaves them; any. channels: V may be of two channels. */
enum { SIMPLE, BOTH_CHANNELS, BESIDE, BOTH };
void second_pair(int half, int which, bool channels);
bool without_helpers(int half); /* whether one of ways[half] is so */

#endif
