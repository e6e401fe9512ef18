/* The search for programs in which the colour pipe reads the alpha pipe (borrow.c describes it); declarations
 * shared by borrow.c, dots.c, seconds.c, chains.c and whole.c. */
#ifndef BORROW_H
#define BORROW_H

#include "table.h"

/* A value of the alpha pipe that the colour pipe may read: the result of operation `op` on CURRENT, which is
 * lent[from], or input i if `from` is NONE - 1 - i. v: at the points. */
struct lent {
    int from, op;
    double v[AT];
};
/* A colour value of at most two stages: value[value], then operation op of `ops`, or of `reading` if the
 * stage reads lent[a1]. */
struct second {
    int value, op, a1;
};
/* A program of four stages; op NONE passes CURRENT through. a1, a2, a3: the alpha values that stages 2, 3 and
 * 4 read; the operation of such a stage is an index into `reading`. */
struct whole {
    struct second first;
    int third, fourth;
    const struct lent *a2, *a3;
};

/* A last stage, and the values of CURRENT from which it gives the result; op NONE passes CURRENT through. */
struct want {
    struct wanted before;
    int op;
};

/* of_alpha: operations of the alpha pipe; reading, reading_last: colour operations of the third and the
 * fourth stage that read the alpha of CURRENT */
extern struct ops of_alpha, reading, reading_last;
extern struct lent *lent;
extern int ones, twos; /* lent has `ones` values of one stage, then those of two, `twos` in all */

/* seconds.c */
extern struct table_of of_seconds;
extern struct second *second_value;
extern int seconds;
bool make_seconds(int room);
void seconds_of(int e, bool itself); /* adds the values that read lent[e]; itself: only lent[e] */
bool values_of(const struct second *s, double *v);
/* computes the coefficients of operations that read alpha value v, at the first `points` points */
void read_by(struct ops *o, const double *v, int points);
void read_again(struct ops *o, int op); /* computes those of one operation at all points */

/* chains.c */
bool make_lent(int room);
bool same_value(const double *a, const double *b);
/* whether the alpha pipe can compute its result from a3 in one stage */
bool last_can_follow(const double *a3);
bool two_can_follow(const struct lent *a2); /* whether it can in two stages from a2 */
/* adds the dot product v, which is in CURRENT of both pipes, and the alpha values that one stage computes
 * from it */
int more_lent(const double *v);
extern bool after_dot;
bool consistent(const struct whole *w);
bool judge_whole(const struct whole *w);

/* defined in borrow.c and dots.c; return true to end the search */
extern struct want *plain_last; /* last stages that do not read the alpha pipe */
extern int plain_lasts;
/* tries an operation of `reading` or `ops`, or NONE, as the third stage that must give g */
bool third(const struct whole *so_far, const struct wanted *g, int op);
bool thirds(const struct whole *so_far, const struct wanted *g, const struct ops *o);
bool with_second(const struct lent *a2, bool first);
bool with_third(const struct lent *a2, const struct lent *a3, bool is_new);
bool borrow_of_dots(bool of_colours);

#endif
