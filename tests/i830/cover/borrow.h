/* What the colour pipe reads of the alpha pipe, all chains of it together (borrow.c says how it is searched):
 * shared by borrow.c, dots.c, seconds.c, chains.c and whole.c. */
#ifndef BORROW_H
#define BORROW_H

#include "table.h"

/* A value of the alpha pipe: an operation on another one, or on an input (NONE - 1 - input). */
struct lent {
    int from, op;
    double v[AT];
};
/* A colour value of at most two stages: op of `ops`, or of `reading` if it reads lent[a1]. */
struct second {
    int value, op, a1;
};
/* A program of four stages; op NONE: passes. a1, a2, a3: what stages 2, 3, 4 read of the alpha pipe (then op
 * is one of `reading`). */
struct whole {
    struct second first;
    int third, fourth;
    const struct lent *a2, *a3;
};

/* The last stage: what CURRENT has to be before it; op NONE: passes. */
struct want {
    struct wanted before;
    int op;
};

/* on the alpha pipe's CURRENT; colour operations that read it: third stage, fourth stage */
extern struct ops of_alpha, reading, reading_last;
extern struct lent *lent;
extern int ones, twos; /* those of one stage come first; then those of two */

/* seconds.c */
extern struct table_of of_seconds;
extern struct second *second_value;
extern int seconds;
bool make_seconds(int room);
void seconds_of(int e, bool itself); /* those of one value instead, or only that */
bool values_of(const struct second *s, double *v);
/* these operations read that value now; coefficients at so many points */
void read_by(struct ops *o, const double *v, int points);
void read_again(struct ops *o, int op); /* of one, at all points */

/* chains.c */
bool make_lent(int room);
bool same_value(const double *a, const double *b);
bool last_can_follow(const double *a3); /* whether the alpha pipe can make its result of it in one stage */
bool two_can_follow(const struct lent *a2); /* in two */
/* that value, which both pipes have, and what one stage makes of it: lent[twos] to before this */
int more_lent(const double *v);
extern bool after_dot;
bool consistent(const struct whole *w);
bool judge_whole(const struct whole *w);

/* borrow.c, dots.c; true: that ends the search */
extern struct want *plain_last; /* of those that read nothing of the alpha pipe */
extern int plain_lasts;
/* an operation of `reading` or `ops`, or NONE, gives g there */
bool third(const struct whole *so_far, const struct wanted *g, int op);
bool thirds(const struct whole *so_far, const struct wanted *g, const struct ops *o);
bool with_second(const struct lent *a2, bool first);
bool with_third(const struct lent *a2, const struct lent *a3, bool is_new);
bool borrow_of_dots(bool of_colours);

#endif
