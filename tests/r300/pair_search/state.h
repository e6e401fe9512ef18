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
/* returns the half's value before its clamp */
double wanted(const struct half *h, const inputs x, int channel);

/* Returns 1 if the half is strictly between 0 and 1 at some input whose colours have equal channels; 0 if its
 * clamped value is constant; -1 if neither is found. */
int half_kind(int half, double *constant);
bool both_inside(void); /* whether both halves are between 0 and 1 at one input */

/* half[pair][half]: each half of the result comes from the last pair that has an expression for it. channels:
 * V and the second pair read single channels (search.c). copy: if not 0, the alpha half of the last pair is
 * its dot product times this factor. */
struct program {
    const struct form *half[2][2];
    bool channels;
    double copy;
};
bool program_right(const struct program *p);
void program_print(const struct program *p);

#endif
