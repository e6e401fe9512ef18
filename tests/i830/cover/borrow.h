/* The search for programs in which the colour pipe reads the alpha pipe (borrow.c describes it); declarations
 * shared by borrow.c, dots.c, seconds.c, chains.c and whole.c. */
#ifndef BORROW_H
#define BORROW_H

#include "table.h"

/* A value of the alpha pipe: operation `op` on value number `from`, or on input i if `from` is NONE - 1 - i.
 */
struct lent {
    int from, op;
    double v[AT];
};
/* A colour value of at most two stages. op is an index into `ops`, or into `reading` if it reads lent[a1]. */
struct second {
    int value, op, a1;
};
/* A program of four stages; op NONE passes CURRENT through. a1, a2, a3: the alpha values that stages 2, 3, 4
 * read (then op is an index into `reading`). */
struct whole {
    struct second first;
    int third, fourth;
    const struct lent *a2, *a3;
};

/* A last stage, and the value of CURRENT that it requires; op NONE passes CURRENT through. */
struct want {
    struct wanted before;
    int op;
};

/* of_alpha: operations of the alpha pipe; reading, reading_last: colour operations of the third and the
 * fourth stage that read the alpha of CURRENT */
extern struct ops of_alpha, reading, reading_last;
extern struct lent *lent;
extern int ones, twos; /* number of values of one stage, which come first, and of one or two stages */

/* seconds.c */
extern struct table_of of_seconds;
extern struct second *second_value;
extern int seconds;
bool make_seconds(int room);
void seconds_of(int e, bool itself); /* makes the values that read alpha value e; itself: only the value e */
bool values_of(const struct second *s, double *v);
/* sets the coefficients of operations that read value v, at the first `points` points */
void read_by(struct ops *o, const double *v, int points);
void read_again(struct ops *o, int op); /* the same for one operation, at all points */

/* chains.c */
bool make_lent(int room);
bool same_value(const double *a, const double *b);
/* whether the alpha pipe can compute its result from a3 in one stage */
bool last_can_follow(const double *a3);
bool two_can_follow(const struct lent *a2); /* the same in two stages */
/* adds v, which is in CURRENT of both pipes, and the alpha values that one stage computes from it */
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
