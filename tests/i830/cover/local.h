/* The local search for covers (local.c says what it is): what its files share. */
#ifndef LOCAL_H
#define LOCAL_H

#include "forms.h"

enum { AT = 12, INPUTS = 1024, ALTS = 4, NONE = -1 };
#define TOLERANCE 1e-7 /* of a value at a point: doubles, through a few divisions */

/* What a stage may read besides CURRENT. lent: a value of the alpha pipe. */
struct input {
    char name[200];
    int avail;                /* first stage that may read it */
    bool lent, alpha, colour; /* alpha: the alpha pipe reads it; colour: it does only up to a dot */
    /* at the points of the region; at the samples that judge a program as a whole, three channels each */
    double v[AT], *everywhere;
};
/* a*P*P + b*P + c, scale included, at each point */
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
/* A stage of inputs alone: an operation with P = inputs[start]; op NONE: the input itself. */
struct value {
    int start, op, avail;
    double v[AT];
};
/* What P may be: up to ALTS values a point. */
struct wanted {
    uint8_t n[AT];
    double v[AT][ALTS];
};

extern struct input in[INPUTS + 2]; /* the last two in use: ACCUM's value and its complement */
extern bool full, dots;             /* operations: those known by name only; dot products */
extern int inputs, accum_at;        /* accum_at: where those are, or NONE */
/* numbers an input has there: width, 1 or 3 channels, times how many they are */
extern int samples, width;

/* ops.c */
enum which { PLAIN, WITH_ACCUM, OF_ALPHA, OF_DOTS };
void make_ops(struct ops *o, enum which which);
void coefficients_again(struct ops *o, int points); /* ACCUM holds something else */
void coefficients_of(struct ops *o, int i, int points);
double read_at(const struct op *e, int point, double read, double p);
bool forward(const struct ops *o, int i, const double *p, double *v);
bool backward(const struct ops *o, int i, const struct wanted *g, struct wanted *before);
struct value *make_values(const struct ops *o, int *n);
/* Whether values are among what P may be at all points. */
bool meets(const struct wanted *g, const double *v);
uint64_t hash_of(const double *v, int n);
void clear_seen(void);
bool add_to_seen(uint64_t h); /* false if it was seen since they were cleared */

static inline double clamp(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }
static inline double at(const struct ops *o, int i, int point, double p)
{
    return (o->a[point][i] * p + o->b[point][i]) * p + o->c[point][i];
}
static inline bool in_range(double v) { return v >= -1e-9 && v <= 1 + 1e-9; }

/* ---- the task, its operations and values, and what was found (local.c) ---- */

extern int most, wanted_covers; /* stages; covers to print */
extern double *target_everywhere;
extern struct wanted target;
extern bool joint, of_dot; /* what the alpha pipe has to make is known, too; and that it depends on a dot */
extern struct wanted alpha_target;
extern struct ops ops, aops; /* of inputs; those that read ACCUM */
extern struct value *value;
extern int values;
/* printed; stages of the shortest program that is right in the part alone */
extern int covers, shortest_local;
extern long local_only; /* programs that are */
bool out_of_time(void);

/* ---- programs ---- */

struct link {
    const struct ops *ops;
    int op;
};
/* u: index of the value in ACCUM or NONE; start: input, or accum_at */
struct program {
    int u;
    int start, n;
    struct link link[5];
};

/* program.c */
void everywhere(const struct op *e, double *p, int sample); /* three channels */
int say(char *out, const struct op *e, const char *p);
void hold_everywhere(const double *v, int sample);
bool is_target(const double *v, int sample);
bool right_everywhere(const struct program *p);
bool print_cover(const struct program *p); /* the same */
bool judge(const struct program *p);       /* true if that ends the search */
struct program of_value(const struct value *e);
void then(struct program *p, const struct ops *o, int op);

/* lent.c */
/* stages of the alpha pipe whose values are all among the inputs then */
int add_lent_values(int room, int more_room);

/* constant.c */
bool behind_constants(const struct program *p);
bool too_many_constants(void); /* some were left out */

/* ---- from both ends; a function that gives bool: true if it ends the search ---- */

struct ending {
    struct wanted w;
    int op;
}; /* CURRENT before the last stage, which is op */
struct last {
    int u;
    struct link link[3];
    int n;
}; /* the end of a program */
/* before NULL: the last stage alone, with ACCUM; u KEPT: see kept.c */
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
bool finish_chain(struct program *p, const void *how); /* how: struct last */
bool add_ask(struct ask a, const struct wanted *g);    /* answered in batches, */
bool answer_with(const struct ops *o);                 /* by other second stages, too */
bool answer_rest(void);                                /* and at last */
bool chain_of_3(void);
bool chain_of_4(void);

/* accum.c */
void start_accum(void);
void hold(int u);
bool accum_of_3(void);
bool accum_of_4(void);
void second_stages(int u); /* of_second: operations on that value */
extern struct table_of of_second;

/* the operations that are worth solving: the first two points exclude most */
int hopeful_of(const struct ops *o, const struct wanted *g, int *out);

/* both.c */
bool both_of_4(void);

/* borrow.c */
bool borrow(int room, bool dots_of_colours); /* false: too many values, or time is up */

/* kept.c */
bool kept_of_two(void);
bool is_kept(const struct ask *a, const double *v); /* whether these values are what is asked for */
bool judge_kept(const struct ask *a, int e, int op);

#endif
