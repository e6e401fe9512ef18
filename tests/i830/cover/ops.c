/* Enumerates the different operations of one stage on an unknown CURRENT (P), and the values that one stage
 * computes from inputs (local.h). */
#include "local.h"

struct input in[INPUTS + 2];
int inputs, accum_at = NONE, samples, width;

uint64_t hash_of(const double *v, int n)
{
    uint64_t h = 1469598103934665603u;
    for (int i = 0; i < n; i++) {
        h = (h ^ (uint64_t)llround(v[i] * 1e9)) * 1099511628211u;
        h ^= h >> 31;
    }
    return h ? h : 1;
}

/* ---- sets of hashes ---- */

static uint64_t *seen;
static size_t seen_room, seen_n;

void clear_seen(void)
{
    free(seen);
    seen_room = 1 << 16, seen_n = 0;
    seen = calloc(seen_room, sizeof *seen);
    if (!seen)
        exit(2);
}

bool add_to_seen(uint64_t h)
{
    if (2 * seen_n > seen_room) {
        uint64_t *old = seen;
        size_t n = seen_room;
        seen_room *= 4, seen_n = 0;
        seen = calloc(seen_room, sizeof *seen);
        if (!seen)
            exit(2);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                add_to_seen(old[i]);
        free(old);
    }
    size_t i = h & (seen_room - 1);
    for (; seen[i]; i = (i + 1) & (seen_room - 1))
        if (seen[i] == h)
            return false;
    seen[i] = h;
    seen_n++;
    return true;
}

/* ---- operations ---- */

static void evaluate(const struct op *e, int point, double *a, double *b, double *c)
{
    double scale = 1 << e->s;
    coefficients(e->form, 1 << e->k, e->x < 0 ? 0 : in[e->x].v[point], e->y < 0 ? 0 : in[e->y].v[point], a, b,
                 c);
    *a *= scale, *b *= scale, *c *= scale;
}

static void more_room(struct ops *o)
{
    o->room = o->room ? 2 * o->room : 1024;
    o->op = realloc(o->op, (size_t)o->room * sizeof *o->op);
    o->square = realloc(o->square, (size_t)o->room * sizeof *o->square);
    for (int p = 0; p < AT; p++) {
        o->a[p] = realloc(o->a[p], (size_t)o->room * sizeof(double)),
        o->b[p] = realloc(o->b[p], (size_t)o->room * sizeof(double));
        o->c[p] = realloc(o->c[p], (size_t)o->room * sizeof(double)),
        o->over[p] = realloc(o->over[p], (size_t)o->room * sizeof(double));
    }
}

/* Returns whether the operation gives a value between 0 and 1 for some P at a point. */
static bool reaches(double a, double b, double c)
{
    double lo = fmin(c, a + b + c), hi = fmax(c, a + b + c), vertex = a != 0 ? -b / (2 * a) : 0;
    if (a != 0 && vertex > 0 && vertex < 1) {
        double v = c - b * b / (4 * a);
        lo = fmin(lo, v), hi = fmax(hi, v);
    }
    return lo <= 1 + 1e-9 && hi >= -1e-9;
}

static void add_op(struct ops *o, struct op e)
{
    double abc[3 * AT];
    bool constant = true, same = true, square = false, possible = true;
    for (int p = 0; p < AT; p++) {
        double *t = &abc[3 * p];
        evaluate(&e, p, t, t + 1, t + 2);
        constant &= fabs(t[0]) < 1e-9 && fabs(t[1]) < 1e-9;
        same &= fabs(t[0]) < 1e-9 && fabs(t[1] - 1) < 1e-9 && fabs(t[2]) < 1e-9;
        square |= fabs(t[0]) > 1e-9;
        possible &= reaches(t[0], t[1], t[2]);
    }
    bool reads_accum = accum_at != NONE && (e.x >= accum_at || e.y >= accum_at);
    if (constant || same || (!possible && !reads_accum) || !add_to_seen(hash_of(abc, 3 * AT)))
        return;
    if (o->n == o->room)
        more_room(o);
    o->op[o->n] = e;
    o->square[o->n] = square;
    for (int p = 0; p < AT; p++) {
        o->a[p][o->n] = abc[3 * p], o->b[p][o->n] = abc[3 * p + 1], o->c[p][o->n] = abc[3 * p + 2];
        o->over[p][o->n] = 1 / abc[3 * p + 1];
    }
    o->n++;
}

/* Returns whether x and y are different values of the alpha pipe that one stage may not both read, because
 * there are many such values. */
static bool two_lent(int x, int y)
{
    static int counted, lent;
    for (; counted < inputs; counted++)
        lent += in[counted].lent;
    return lent > 40 && in[x].lent && in[y].lent && x / 2 != y / 2;
}

/* Makes a kind of operations: PLAIN read inputs only, WITH_ACCUM read ACCUM, OF_ALPHA are those of the alpha
 * pipe, OF_DOTS are dot products. */
void make_ops(struct ops *o, enum which which)
{
    int n = inputs + (which == WITH_ACCUM ? 2 : 0);
    clear_seen();
    o->n = 0;
    /* by the first stage that can execute the operation, so that of equal operations the earliest is kept */
    for (int avail = 1; avail <= 4; avail++)
        for (int form = 0; form < FORMS; form++) {
            if ((forms[form].full && !full) || (forms[form].dot && (which == OF_ALPHA || !dots)) ||
                (which == OF_DOTS && !forms[form].dot))
                continue;
            for (int x = 0; x < (forms[form].leaves ? n : 1); x++) {
                if (forms[form].leaves && (in[x].avail > avail || (which == OF_ALPHA && !in[x].alpha)))
                    continue;
                for (int y = forms[form].same ? x : 0; y < (forms[form].leaves > 1 ? n : 1); y++) {
                    bool two = forms[form].leaves > 1, one = forms[form].leaves > 0;
                    int needs = one ? in[x].avail : 1;
                    if (two && in[y].avail > needs)
                        needs = in[y].avail;
                    if (needs != avail || (two && (two_lent(x, y) || (which == OF_ALPHA && !in[y].alpha))))
                        continue;
                    bool reads = (one && x >= inputs) || (two && y >= inputs);
                    if (reads != (which == WITH_ACCUM))
                        continue;
                    for (int k = 0; k < (forms[form].full ? 3 : 1); k++)
                        for (int s = 0; s < 3; s++)
                            add_op(o,
                                   (struct op){(uint8_t)form, (uint8_t)k, (uint8_t)s, (uint8_t)avail,
                                               (int16_t)(one ? x : NONE), (int16_t)(two ? y : NONE)});
                }
            }
        }
}

void coefficients_of(struct ops *o, int i, int points)
{
    for (int p = 0; p < points; p++) {
        evaluate(&o->op[i], p, &o->a[p][i], &o->b[p][i], &o->c[p][i]);
        o->over[p][i] = 1 / o->b[p][i];
    }
}

void coefficients_again(struct ops *o, int points)
{
    for (int i = 0; i < o->n; i++)
        coefficients_of(o, i, points);
}

/* Returns the result of an operation on P = p if ACCUM holds `read`. */
double read_at(const struct op *e, int point, double read, double p)
{
    double a, b, c, scale = 1 << e->s, leaf[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        int which = i ? e->y : e->x;
        if (which >= 0)
            leaf[i] = which == accum_at ? read : which == accum_at + 1 ? 1 - read : in[which].v[point];
    }
    coefficients(e->form, 1 << e->k, leaf[0], leaf[1], &a, &b, &c);
    return scale * ((a * p + b) * p + c);
}

/* Computes the result at all points; returns false if it is clamped at some point. */
bool forward(const struct ops *o, int i, const double *p, double *v)
{
    for (int j = 0; j < AT; j++) {
        v[j] = at(o, i, j, p[j]);
        if (!in_range(v[j]))
            return false;
    }
    return true;
}

static void add_alternative(struct wanted *w, int point, double v)
{
    if (in_range(v) && w->n[point] < ALTS)
        w->v[point][w->n[point]++] = v;
}

/* Computes the values of P that give the required result; returns false if there are none. */
bool backward(const struct ops *o, int i, const struct wanted *g, struct wanted *before)
{
    for (int j = 0; j < AT; j++) {
        double a = o->a[j][i], b = o->b[j][i], c = o->c[j][i];
        before->n[j] = 0;
        for (int m = 0; m < g->n[j]; m++) {
            double v = g->v[j][m] - c;
            if (!o->square[i] || fabs(a) < 1e-12)
                add_alternative(before, j, v / b);
            else {
                double d = b * b + 4 * a * v;
                if (d < -1e-9)
                    continue;
                d = sqrt(d < 0 ? 0 : d);
                add_alternative(before, j, (-b + d) / (2 * a));
                if (d > 1e-12)
                    add_alternative(before, j, (-b - d) / (2 * a));
            }
        }
        if (!before->n[j])
            return false;
    }
    return true;
}

bool meets(const struct wanted *g, const double *v)
{
    for (int i = 0; i < AT; i++) {
        int m = 0;
        while (m < g->n[i] && fabs(g->v[i][m] - v[i]) > TOLERANCE)
            m++;
        if (m == g->n[i])
            return false;
    }
    return true;
}

/* ---- values of one stage ---- */

/* Returns all different values of one stage, sorted by the first stage that can compute them. */
struct value *make_values(const struct ops *o, int *n)
{
    int room = 4096;
    struct value *out = malloc((size_t)room * sizeof *out);
    clear_seen();
    *n = 0;
    for (int avail = 1; avail <= 4; avail++)
        for (int i = NONE; i < o->n; i++)
            for (int start = 0; start < inputs; start++) {
                const struct op *op = i == NONE ? NULL : &o->op[i];
                struct value e = {
                    start, i, op && op->avail > in[start].avail ? op->avail : in[start].avail, {0}};
                if (e.avail != avail ||
                    (op &&
                     ((op->x >= 0 && two_lent(start, op->x)) || (op->y >= 0 && two_lent(start, op->y)))))
                    continue;
                if (!op)
                    memcpy(e.v, in[start].v, sizeof e.v);
                else if (!forward(o, i, in[start].v, e.v))
                    continue;
                if (!add_to_seen(hash_of(e.v, AT)))
                    continue;
                if (*n == room)
                    out = realloc(out, (size_t)(room *= 2) * sizeof *out);
                if (!out)
                    exit(2);
                out[(*n)++] = e;
            }
    return out;
}
