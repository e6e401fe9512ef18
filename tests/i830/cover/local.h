/* Declarations shared by the files of the local search for covers (described in local.c). */
#ifndef LOCAL_H
#define LOCAL_H

#include "forms.h"

enum { AT = 12, INPUTS = 1024, ALTS = 4, NONE = -1 };
#define TOLERANCE 1e-7 /* of values at a point: rounding errors of a few divisions */

/* An operand of a stage other than CURRENT. */
struct input {
    char name[200];
    int avail; /* first stage that may read it */
    /* lent: it is a value of the alpha pipe; alpha: the alpha pipe may read it; colour: the alpha pipe may
     * read it, but only in a dot product */
    bool lent, alpha, colour;
    /* values, v: at the points of the part; everywhere: at the samples for whole programs, `width` channels
     * each */
    double v[AT], *everywhere;
};
/* An operation (struct form) with its operands x and y, factor and scale: a*P*P + b*P + c, whose coefficients
 * at each point are in struct ops. */
struct op {
    uint8_t form, k, s, avail;
    int16_t x, y;
};
struct ops {
    struct op *op;
    int n, room;
    double *a[AT], *b[AT], *c[AT], *over[AT];
    bool *square;
};
/* A value that one stage computes from inputs: operation `op` with P = in[start]; op NONE: the input itself.
 */
struct value {
    int start, op, avail;
    double v[AT];
};
/* A requirement on a value: at each point j it must be one of the n[j] numbers v[j]. */
struct wanted {
    uint8_t n[AT];
    double v[AT][ALTS];
};

extern struct input in[INPUTS + 2]; /* after the inputs: ACCUM's value and its complement */
extern bool full, dots;             /* full: also undocumented operations; dots: also dot products */
extern int inputs, accum_at;        /* accum_at: index of ACCUM's value, or NONE */
/* width: number of channels, 1 or 3; samples: length of `everywhere`, width for each input vector */
extern int samples, width;

/* ops.c */
enum which { PLAIN, WITH_ACCUM, OF_ALPHA, OF_DOTS };
void make_ops(struct ops *o, enum which which);
void coefficients_again(struct ops *o, int points); /* to be called when ACCUM's value changes */
void coefficients_of(struct ops *o, int i, int points);
double read_at(const struct op *e, int point, double read, double p);
bool forward(const struct ops *o, int i, const double *p, double *v);
bool backward(const struct ops *o, int i, const struct wanted *g, struct wanted *before);
struct value *make_values(const struct ops *o, int *n);
/* Returns whether v meets the requirement g at all points. */
bool meets(const struct wanted *g, const double *v);
uint64_t hash_of(const double *v, int n);
void clear_seen(void);
bool add_to_seen(uint64_t h); /* returns false if h is already in the set */

static inline double clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static inline double at(const struct ops *o, int i, int point, double p)
{
    return (o->a[point][i] * p + o->b[point][i]) * p + o->c[point][i];
}
static inline bool in_range(double v) { return v >= -1e-9 && v <= 1 + 1e-9; }

/* ---- the given problem, its operations and values, and what was found (local.c) ---- */

extern int most, wanted_covers; /* largest number of stages; number of covers to print */
extern double *target_everywhere;
extern struct wanted target;
/* joint: the alpha pipe must compute alpha_target, too; of_dot: alpha_target depends on a dot product */
extern bool joint, of_dot;
extern struct wanted alpha_target;
extern struct ops ops, aops; /* operations on inputs; operations that read ACCUM */
extern struct value *value;
extern int values;
/* number of printed covers; stages of the shortest program that is correct in the part only */
extern int covers, shortest_local;
extern long local_only; /* number of programs that are correct in the part only */
bool out_of_time(void);

/* ---- programs ---- */

struct link {
    const struct ops *ops;
    int op;
};
/* A program: n operations, applied to input `start` (or ACCUM, if start is accum_at) in turn. u: index of the
 * value in ACCUM, or NONE. */
struct program {
    int u;
    int start, n;
    struct link link[5];
};

/* program.c */
/* replaces CURRENT (p, `width` channels) by the stage's result at a sample */
void everywhere(const struct op *e, double *p, int sample);
int say(char *out, const struct op *e, const char *p);
void hold_everywhere(const double *v, int sample);
bool is_target(const double *v, int sample);
bool right_everywhere(const struct program *p);
bool print_cover(const struct program *p); /* prints the program as a cover */
bool judge(const struct program *p);       /* returns true to end the search */
struct program of_value(const struct value *e);
void then(struct program *p, const struct ops *o, int op);

/* lent.c */
/* returns the number of alpha stages whose values are all among the inputs */
int add_lent_values(int room, int more_room);

/* constant.c */
bool behind_constants(const struct program *p);
bool too_many_constants(void); /* returns whether some constants were left out */

/* ---- the search from both ends; functions of type bool return true to end the search ---- */

struct ending {
    struct wanted w;
    int op;
}; /* a last stage, and the values of CURRENT from which it gives the result */
struct last {
    int u;
    struct link link[3];
    int n;
}; /* the last two stages */
/* A request for a value of two stages from which the last stages, goal[goal] after operation op of `before`,
 * give the result. before: NULL if there is only a last stage, `op` of aops. u: the value in ACCUM, NONE, or
 * KEPT for a request of kept.c. */
struct ask {
    const struct ops *before;
    int goal, op, u;
};
enum { KEPT = -2 };
typedef bool (*finish)(struct program *p, const void *how);

/* chain.c */
extern struct ending *goal;
extern int goals;
void start_chains(void);
bool match_values(const struct wanted *g, int avail, finish f, const void *how);
bool finish_chain(struct program *p, const void *how); /* how: a struct last */
bool add_ask(struct ask a, const struct wanted *g);    /* queues a request, which is answered in batches */
/* matches the queued requests with all values of two stages whose second operation is one of o */
bool answer_with(const struct ops *o);
bool answer_rest(void); /* answers the last batch */
bool chain_of_3(void);
bool chain_of_4(void);

/* accum.c */
void start_accum(void);
void hold(int u);
bool accum_of_3(void);
bool accum_of_4(void);
void second_stages(int u); /* fills of_second with all second stages that compute from value u */
extern struct table_of of_second;

/* collects the operations that may have a solution; returns their number */
int hopeful_of(const struct ops *o, const struct wanted *g, int *out);

/* both.c */
bool both_of_4(void);

/* borrow.c */
bool borrow(int room, bool dots_of_colours); /* returns false if there are too many values or time is up */

/* kept.c */
bool kept_of_two(void);
bool is_kept(const struct ask *a, const double *v); /* whether v meets the request */
bool judge_kept(const struct ask *a, int e, int op);

#endif
