/* Searches all programs of up to four stages whose colour pipe reads values of the alpha pipe, with
 * documented operations. Used if there are few different inputs (i830_special.py).
 *
 * Stage n of the colour pipe can read only one value of the alpha pipe: the alpha of CURRENT before stage n.
 * So the values a1, a2 and a3 that stages 2, 3 and 4 can read are computed one from the other (a stage of the
 * alpha pipe may also use inputs only, or pass CURRENT through). The search goes from both ends: a table has
 * the colour values of all programs of two stages, for each a1; backwards, the last two stages are solved for
 * CURRENT.
 *
 * A DOT4 writes its result to both pipes; the sequence of alpha values may begin with one. Dot products of
 * colours are tried only if the state has a dot product: otherwise each channel of the state depends on
 * itself alone, and dot products of alphas are enough.
 */
#include "borrow.h"

struct want *plain_last;
int plain_lasts;
static struct want *reading_of_last;
static int *some;

/* Tries operation number op as the third stage, or a third stage that passes CURRENT through (op NONE). */
bool third(const struct whole *so_far, const struct wanted *g, int op)
{
    struct whole w = *so_far;
    double v[AT];
    w.third = op;
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++) {
            uint32_t key = key_at(&of_seconds, g->v[0][i], g->v[1][j]);
            if (!has(&of_seconds, key))
                continue;
            for (uint32_t at = of_seconds.head[key >> 3]; at; at = of_seconds.place[at].next) {
                w.first = second_value[of_seconds.place[at].what];
                if (values_of(&w.first, v) && meets(g, v) && consistent(&w) && judge_whole(&w))
                    return true;
            }
        }
    return false;
}

/* Collects the operations that may have a solution: one between 0 and 1 at each of four points. Operations
 * with a square are all collected; thirds() tests these at all points. */
static int worth(const struct ops *o, const struct wanted *g)
{
    static uint8_t *maybe;
    int n = 0;
    for (int j = 0; j < 4; j++)
        if (g->n[j] > 1)
            return hopeful_of(o, g, some);
    if (!maybe)
        maybe = malloc((size_t)(ops.n + reading.n + 1));
    if (!maybe)
        exit(2);
    memcpy(maybe, o->square, (size_t)o->n);
    for (int i = 0; i < o->n; i++) {
        bool all = true;
        for (int j = 0; j < 4; j++) {
            double p = (g->v[j][0] - o->c[j][i]) * o->over[j][i];
            all &= (p >= -1e-9) & (p <= 1 + 1e-9);
        }
        maybe[i] |= all;
    }
    for (int i = 0; i < o->n; i++)
        if (maybe[i])
            some[n++] = i;
    return n;
}

/* Writes the values of CURRENT that give the required value at a point to out; returns their number. */
static int solve(const struct ops *o, int i, int point, const struct wanted *g, double *out)
{
    double a = o->a[point][i], b = o->b[point][i];
    int n = 0;
    for (int m = 0; m < g->n[point]; m++) {
        double v = g->v[point][m] - o->c[point][i], d = b * b + 4 * a * v;
        if (!o->square[i] || fabs(a) < 1e-12) {
            out[n] = v / b;
            n += in_range(out[n]);
        } else if (d >= -1e-9) {
            d = sqrt(d < 0 ? 0 : d);
            out[n] = (-b + d) / (2 * a);
            n += in_range(out[n]);
            out[n] = (-b - d) / (2 * a);
            n += in_range(out[n]);
        }
    }
    return n;
}

/* Returns whether the table may contain a value of CURRENT from which the operation gives g. */
static bool is_there(const struct ops *o, int i, const struct wanted *g)
{
    double p[2 * ALTS + 1], q[2 * ALTS + 1];
    int np = solve(o, i, 0, g, p), nq = np ? solve(o, i, 1, g, q) : 0, j = 0;
    double more[2 * ALTS + 1];
    for (int point = 2; point < AT && nq; point++)
        nq = solve(o, i, point, g, more) ? nq : 0;
    while (j < np * nq && !has(&of_seconds, key_at(&of_seconds, p[j / nq], q[j % nq])))
        j++;
    return j < np * nq;
}

/* Tries all operations of o as the third stage. The table of second stages is larger than the processor's
 * caches, so its entries are prefetched. */
bool thirds(const struct whole *so_far, const struct wanted *g, const struct ops *o)
{
    static struct wanted h;
    static uint32_t *key;
    int n = worth(o, g);
    bool simple = g->n[0] == 1 && g->n[1] == 1;
    if (!key)
        key = malloc((size_t)(ops.n + reading.n + 1) * sizeof *key);
    if (!key)
        exit(2);
    for (int k = 0; k < n && simple; k++) {
        int i = some[k];
        if (!o->square[i]) {
            key[k] = key_at(&of_seconds, (g->v[0][0] - o->c[0][i]) * o->over[0][i],
                            (g->v[1][0] - o->c[1][i]) * o->over[1][i]);
            __builtin_prefetch(&of_seconds.bit[key[k] >> 6]);
        }
    }
    for (int k = 0; k < n; k++)
        if ((simple && !o->square[some[k]] ? has(&of_seconds, key[k]) : is_there(o, some[k], g)) &&
            backward(o, some[k], g, &h) && third(so_far, &h, some[k]))
            return true;
    return false;
}

/* For each last stage that reads alpha value v, computes the values of CURRENT from which it gives the
 * result; returns the number of such stages. */
static int last_stages(const double *v)
{
    int n = 0, k = 0;
    read_by(&reading_last, v, 2);
    for (int many = hopeful_of(&reading_last, &target, some); k < many; k++) {
        read_again(&reading_last, some[k]);
        if (backward(&reading_last, some[k], &target, &reading_of_last[n].before))
            reading_of_last[n++].op = some[k];
    }
    return n;
}

/* Tries all programs whose last stage reads a3, the third value of the alpha pipe. The third stage may read
 * a2, the second value; `reading` has the operations on it. is_new: a3 has not been tried with another a2. */
bool with_third(const struct lent *a2, const struct lent *a3, bool is_new)
{
    if (!last_can_follow(a3->v))
        return false;
    int n = last_stages(a3->v);
    for (int i = 0; i < n; i++) {
        struct whole w = {{0, NONE, NONE}, NONE, reading_of_last[i].op, a2, a3};
        if (a2 && thirds(&w, &reading_of_last[i].before, &reading))
            return true;
        w.a2 = NULL;
        if (is_new &&
            (third(&w, &reading_of_last[i].before, NONE) || thirds(&w, &reading_of_last[i].before, &ops)))
            return true;
    }
    return false;
}

/* Tries all programs whose second alpha value is a2. */
bool with_second(const struct lent *a2, bool first)
{
    struct lent a3 = {0, 0, {0}};
    if (joint && most > 3 && !two_can_follow(a2))
        return false;
    read_by(&reading, a2->v, AT);
    for (int i = 0; i < plain_lasts; i++)
        if (thirds(&(struct whole){{0, NONE, NONE}, NONE, plain_last[i].op, a2, NULL}, &plain_last[i].before,
                   &reading))
            return true;
    for (int i = 0; i < ones && most > 3 && !of_dot; i++)
        if (with_third(a2, &lent[i], first))
            return true;
    if (most < 4)
        return false;
    if (a2 >= lent + ones && with_third(a2, a2, true))
        return true;
    a3.from = (int)(a2 - lent);
    for (a3.op = 0; a3.op < of_alpha.n; a3.op++)
        if (forward(&of_alpha, a3.op, a2->v, a3.v)) {
            bool new = add_to_seen(hash_of(a3.v, AT));
            if (with_third(a2, &a3, new))
                return true;
        }
    return false;
}

static void make_last(void)
{
    plain_last = malloc((size_t)(ops.n + 1) * sizeof *plain_last);
    reading_of_last = malloc((size_t)(reading.n + 1) * sizeof *reading_of_last);
    some = malloc((size_t)(ops.n + reading.n + 1) * sizeof *some);
    if (!plain_last || !reading_of_last || !some)
        exit(2);
    plain_last[plain_lasts++] = (struct want){target, NONE};
    for (int i = 0; i < ops.n && most > 3; i++)
        if (backward(&ops, i, &target, &plain_last[plain_lasts].before))
            plain_last[plain_lasts++].op = i;
}

bool borrow(int room, bool dots_of_colours)
{
    start_accum();
    make_ops(&reading, WITH_ACCUM);
    make_ops(&reading_last, WITH_ACCUM);
    make_last();
    if (!make_lent(room) || !make_seconds(20 * room))
        return false;
    if (of_dot)
        return borrow_of_dots(true);
    clear_seen();
    for (int i = 0; i < plain_lasts; i++) {
        struct whole w = {{0, NONE, NONE}, NONE, plain_last[i].op, NULL, NULL};
        if (third(&w, &plain_last[i].before, NONE) || (most > 2 && thirds(&w, &plain_last[i].before, &ops)))
            return true;
    }
    for (int i = 0; i < twos && most > 2; i++)
        if (out_of_time())
            return false;
        else if (with_second(&lent[i], !i))
            return true;
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "values of the alpha pipe %d %d, of the colour pipe %d, ends %d\n", ones, twos,
                seconds, plain_lasts);
    return most < 3 || !dots || borrow_of_dots(dots_of_colours);
}
