/* Searches for programs whose colour pipe reads alpha values that are computed from a dot product: a DOT4
 * writes its result to CURRENT of both pipes (borrow.c). */
#include "borrow.h"

static struct ops of_dots, reading_dots;
static bool of_any; /* whether to try dot products of colours, not only of alphas */

static bool is_alpha(int i) { return i < 0 || i >= accum_at || in[i].alpha; }

static bool allowed(const struct value *e, const struct op *dot)
{
    const struct op *op = e->op == NONE ? NULL : &ops.op[e->op];
    return of_any ||
        (in[e->start].alpha && is_alpha(dot->x) && (!op || (is_alpha(op->x) && is_alpha(op->y))));
}

/* Stores v after the values of one stage; returns its index. */
static int hold_value(const double *v)
{
    value[values] = (struct value){0, NONE, 1, {0}};
    memcpy(value[values].v, v, sizeof value->v);
    return values;
}

/* Tries programs whose last two colour stages do not read the alpha pipe, and whose alpha pipe computes its
 * result from the dot product. */
static bool reads_nothing(void)
{
    for (int i = 0; i < plain_lasts; i++) {
        struct whole w = {{0, NONE, NONE}, NONE, plain_last[i].op, NULL, NULL};
        if (third(&w, &plain_last[i].before, NONE) || thirds(&w, &plain_last[i].before, &ops))
            return true;
    }
    return false;
}

/* Tries programs whose first stage is a DOT4. Returns true to end the search. */
static bool first_stage(const double *dot)
{
    int last = more_lent(dot), some = twos;
    seconds_of(hold_value(dot), false);
    clear_seen();
    while (of_dot && some < last && !two_can_follow(&lent[some]))
        some++;
    if (of_dot && some < last && reads_nothing())
        return true;
    for (int i = twos; i < last; i++)
        if (with_second(&lent[i], false))
            return true;
    return false;
}

/* Tries programs whose second stage is a DOT4, and whose last stage reads a value computed from it. */
static bool second_stage(const double *dot)
{
    int last = more_lent(dot);
    seconds_of(hold_value(dot), true);
    if (of_dot && two_can_follow(&lent[twos]) && reads_nothing())
        return true;
    for (int i = twos + 1; i < last; i++)
        if (with_third(NULL, &lent[i], true))
            return true;
    return false;
}

/* Tries programs whose third stage is a DOT4, from which both pipes compute their results. */
static bool third_of(const struct ops *o)
{
    static struct wanted g;
    double v[AT], w[AT];
    for (int i = 0; i < plain_lasts; i++)
        for (int op = 0; op < o->n; op++) {
            if (!forms[o->op[op].form].dot || !backward(o, op, &plain_last[i].before, &g))
                continue;
            for (int j = 0; j < g.n[0] * g.n[1]; j++) {
                uint32_t key = key_at(&of_seconds, g.v[0][j / g.n[1]], g.v[1][j % g.n[1]]);
                for (uint32_t at = has(&of_seconds, key) ? of_seconds.head[key >> 3] : 0; at;
                     at = of_seconds.place[at].next)
                    if (values_of(&second_value[of_seconds.place[at].what], v) && meets(&g, v) &&
                        forward(o, op, v, w) && last_can_follow(w)) {
                        local_only++;
                        return true;
                    }
            }
        }
    return false;
}

static bool third_stage(void)
{
    if (third_of(&of_dots))
        return true;
    for (int a = 0; a < twos && !out_of_time(); a++) {
        read_by(&reading_dots, lent[a].v, AT);
        if (third_of(&reading_dots))
            return true;
    }
    return false;
}

/* All different dot products of values of at most one stage. */
static double (*dot)[AT];
static int dot_count, dot_room;

static void add_dot(const double *v)
{
    if (!add_to_seen(hash_of(v, AT)))
        return;
    if (dot_count == dot_room)
        dot = realloc(dot, (size_t)(dot_room = dot_room ? 2 * dot_room : 1024) * sizeof *dot);
    if (!dot)
        exit(2);
    memcpy(dot[dot_count++], v, sizeof *dot);
}

static void make_dots(bool of_one)
{
    double v[AT];
    dot_count = 0;
    clear_seen();
    for (int i = 0; i < inputs; i++)
        if (in[i].alpha)
            add_to_seen(hash_of(in[i].v, AT));
    for (int e = 0; e < values && !out_of_time(); e++)
        for (int op = 0; op < of_dots.n && (of_one || value[e].op == NONE); op++)
            if (allowed(&value[e], &of_dots.op[op]) && forward(&of_dots, op, value[e].v, v))
                add_dot(v);
    for (int a = 0; a < ones && of_one && !out_of_time(); a++) {
        read_by(&reading_dots, lent[a].v, AT);
        for (int e = 0; e < values; e++)
            for (int op = 0; op < reading_dots.n; op++)
                if (forms[reading_dots.op[op].form].dot && allowed(&value[e], &reading_dots.op[op]) &&
                    forward(&reading_dots, op, value[e].v, v))
                    add_dot(v);
    }
}

/* Tries all programs with a DOT4; returns false if time is up. */
bool borrow_of_dots(bool of_colours)
{
    of_any = of_colours;
    after_dot = true;
    value = realloc(value, (size_t)(values + 1) * sizeof *value);
    if (!value)
        exit(2);
    make_ops(&of_dots, OF_DOTS);
    make_ops(&reading_dots, WITH_ACCUM);
    if (of_dot) { /* the DOT4 is the last stage or the third */
        bool same = true;
        for (int i = 0; i < AT; i++)
            same &= fabs(target.v[i][0] - alpha_target.v[i][0]) < TOLERANCE;
        local_only += same;
        if (same || third_stage())
            return true;
    }
    make_dots(false);
    for (int i = 0; i < dot_count && !out_of_time(); i++)
        if (first_stage(dot[i]))
            return true;
    make_dots(true);
    for (int i = 0; i < dot_count && most > 3 && !out_of_time(); i++)
        if (second_stage(dot[i]))
            return true;
    return !out_of_time();
}
