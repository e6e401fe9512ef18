/* Enumerates the values of the alpha pipe after one, two and three stages, and checks that one sequence of
 * alpha stages computes all alpha values that a program of the colour pipe reads (borrow.h). */
#include "borrow.h"

struct ops of_alpha;
struct lent *lent;
int ones, twos;
static int lents, held;
static bool starts_anew; /* whether one stage can compute the alpha pipe's result from inputs alone */

bool same_value(const double *a, const double *b)
{
    int i = 0;
    while (i < AT && fabs(a[i] - b[i]) < TOLERANCE)
        i++;
    return i == AT;
}

/* Returns whether neither v nor its complement has been seen; a stage can read either as the complement of
 * the other. */
static bool is_new(const double *v)
{
    double c[AT];
    for (int i = 0; i < AT; i++)
        c[i] = 1 - v[i];
    bool new = add_to_seen(hash_of(v, AT));
    add_to_seen(hash_of(c, AT));
    return new;
}

static void add(int from, int op, const double *v)
{
    if (lents == held)
        lent = realloc(lent, (size_t)(held = held ? 2 * held : 1024) * sizeof *lent);
    if (!lent)
        exit(2);
    lent[lents] = (struct lent){from, op, {0}};
    memcpy(lent[lents++].v, v, sizeof lent->v);
}

/* The values of CURRENT from which one stage computes the alpha pipe's result. */
static struct table_of of_before_last;
static struct wanted *before_last;

static void make_before_last(void)
{
    int n = 0;
    open_table(&of_before_last, 18);
    before_last = malloc((size_t)(of_alpha.n + 1) * sizeof *before_last);
    if (!before_last)
        exit(2);
    put_wanted(&of_before_last, &alpha_target, (uint32_t)n);
    before_last[n++] = alpha_target;
    for (int op = 0; op < of_alpha.n; op++)
        if (backward(&of_alpha, op, &alpha_target, &before_last[n])) {
            put_wanted(&of_before_last, &before_last[n], (uint32_t)n);
            n++;
        }
}

static bool is_result(const double *v)
{
    uint32_t key = key_at(&of_before_last, v[0], v[1]);
    if (has(&of_before_last, key))
        for (uint32_t at = of_before_last.head[key >> 3]; at; at = of_before_last.place[at].next)
            if (meets(&before_last[of_before_last.place[at].what], v))
                return true;
    return false;
}

bool last_can_follow(const double *a3) { return !joint || starts_anew || is_result(a3); }

/* Returns whether the alpha pipe can compute its result if its second value is a2. */
bool two_can_follow(const struct lent *a2)
{
    double v[AT];
    bool can = last_can_follow(a2->v);
    for (int i = 0; i < ones && !can && !of_dot; i++)
        can = is_result(lent[i].v);
    for (int op = 0; op < of_alpha.n && !can; op++)
        can = forward(&of_alpha, op, a2->v, v) && is_result(v);
    return can;
}

/* Makes the alpha values of one and two stages; returns false if there are too many. */
bool make_lent(int room)
{
    double v[AT];
    make_ops(&of_alpha, OF_ALPHA);
    if (joint)
        make_before_last();
    clear_seen();
    for (int i = 0; i < inputs; i++)
        if (in[i].alpha) {
            add_to_seen(hash_of(in[i].v, AT));
            starts_anew |= joint && !of_dot && is_result(in[i].v);
        }
    for (int i = 0; i < inputs; i++)
        for (int op = 0; op < of_alpha.n && in[i].alpha; op++)
            if (forward(&of_alpha, op, in[i].v, v) && is_new(v))
                add(NONE - 1 - i, op, v);
    ones = lents;
    for (int from = 0; from < ones && lents <= room; from++)
        for (int op = 0; op < of_alpha.n; op++)
            if (memcpy(v, lent[from].v, sizeof v), forward(&of_alpha, op, lent[from].v, v) && is_new(v))
                add(from, op, v);
    twos = lents;
    return lents <= room;
}

int more_lent(const double *from)
{
    double v[AT];
    lents = twos;
    clear_seen();
    for (int i = 0; i < inputs; i++)
        if (in[i].alpha)
            add_to_seen(hash_of(in[i].v, AT));
    is_new(from);
    add(NONE, NONE, from);
    for (int op = 0; op < of_alpha.n; op++)
        if (forward(&of_alpha, op, from, v) && is_new(v))
            add(NONE, NONE, v);
    return lents;
}

/* ---- whether one sequence of alpha stages computes all values that are read ---- */

static bool follows(const double *from, const double *to)
{
    double v[AT], c[AT];
    for (int i = 0; i < AT; i++)
        c[i] = 1 - to[i];
    if (from && (same_value(from, to) || same_value(from, c)))
        return true;
    for (int i = 0; i < ones; i++)
        if (same_value(lent[i].v, to) || same_value(lent[i].v, c))
            return true;
    for (int op = 0; from && op < of_alpha.n; op++)
        if (forward(&of_alpha, op, from, v) && (same_value(v, to) || same_value(v, c)))
            return true;
    return false;
}

/* Returns whether alpha stages from `stage` on exist such that CURRENT before each later stage i is read[i],
 * unless read[i] is NULL. now: CURRENT before `stage` (NULL: any input). */
static bool chain(int stage, const double *now, const double *const *read)
{
    double v[AT];
    if (stage == 4)
        return !joint || starts_anew || (now && is_result(now));
    if (read[stage])
        return follows(now, read[stage]) && chain(stage + 1, read[stage], read);
    if (chain(stage + 1, now, read))
        return true;
    for (int i = 0; i < ones; i++)
        if (chain(stage + 1, lent[i].v, read))
            return true;
    for (int op = 0; now && op < of_alpha.n; op++)
        if (forward(&of_alpha, op, now, v) && chain(stage + 1, v, read))
            return true;
    return false;
}

bool after_dot; /* whether the alpha pipe begins with a dot product instead of inputs */

bool consistent(const struct whole *w)
{
    const double *read[4] = {NULL, w->first.op != NONE && w->first.a1 != NONE ? lent[w->first.a1].v : NULL,
                             w->a2 ? w->a2->v : NULL, w->a3 ? w->a3->v : NULL};
    return after_dot || (!joint && !read[1]) || !(read[1] || read[2] || read[3]) || chain(1, NULL, read);
}
