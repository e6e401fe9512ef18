/* The states to be judged, and the comparison of programs of one or two pairs with them. */
#ifndef STATE_H
#define STATE_H

#include "forms.h"

enum { CHANNELS = 4, RANDOM = 400 }; /* channel 3 is alpha */
typedef double inputs[SOURCES][CHANNELS];

struct half {
    int func, scale;
    uint8_t arg[4];
};
extern struct half state[2];

bool state_parse(char *line); /* parses the two halves (format: search.c); modifies the line */
void state_begin(void);
bool is_dot(const struct half *h);
double wanted(const struct half *h, const inputs x, int channel); /* the value before the clamp */

/* Returns 1 if the half is strictly between 0 and 1 at some point of the diagonal; 0 if it is constant; -1 if
 * neither. */
int half_kind(int half, double *constant);
bool both_inside(void); /* whether both halves are so at the same point */

/* Each half of the result comes from the last pair that has an expression for it. copy: if not 0, the alpha
 * half of the last pair is its dot product times this factor. */
/* [pair][half]; channels: V and the second pair read single channels, see search.c */
struct program {
    const struct form *half[2][2];
    bool channels;
    double copy;
};
bool program_right(const struct program *p);
void program_print(const struct program *p);

#endif
