/* The states that are judged, and programs of one or two pairs compared with them. */
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

bool state_parse(char *line); /* the halves that search.c tells of; breaks the line up */
void state_begin(void);
bool is_dot(const struct half *h);
double wanted(const struct half *h, const inputs x, int channel); /* before the clamp */

/* 1: the half is strictly between 0 and 1 in some point of the diagonal; 0: nowhere, it is the constant; -1:
 * neither. */
int half_kind(int half, double *constant);
bool both_inside(void); /* in the same point, those that are in one */

/* A half of the result comes from the last pair that has a form for it. copy: not 0: the last pair's alpha
 * half is its dot times this. */
/* [pair][half]; channels: V and the second pair read single channels, see search.c */
struct program {
    const struct form *half[2][2];
    bool channels;
    double copy;
};
bool program_right(const struct program *p);
void program_print(const struct program *p);

#endif
