/* For the search at one point (point.c): evaluates and enumerates the operations of one stage, in doubles and
 * modulo a prime, and implements sets of numbers. */
#include "point.h"

struct leaf leaf[LEAVES];
int leaves_of[5];
bool full, dots;

/* ---- modulo 2^61 - 1 ---- */

#define PRIME (((field)1 << 61) - 1)

static field mul(field a, field b)
{
    unsigned __int128 p = (unsigned __int128)a * b;
    field v = (field)(p & PRIME) + (field)(p >> 61);
    return v >= PRIME ? v - PRIME : v;
}
static field plus(field a, field b)
{
    field v = a + b;
    return v >= PRIME ? v - PRIME : v;
}
static field minus(field a, field b) { return a >= b ? a - b : a + PRIME - b; }
static const field HALF = (field)1 << 60;

field random_field(void)
{
    static field state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state % PRIME;
}

static field field_arg(int arg, field p, field w)
{
    return arg < LEAVES ? leaf[arg].v.f
        : arg == P      ? p
        : arg == NOT_P  ? minus(1, p)
        : arg == W      ? w
                        : minus(1, w);
}

field field_of(const struct op *e, field p, field w)
{
    field x = field_arg(e->arg[0], p, w), y = field_arg(e->arg[1], p, w), z = field_arg(e->arg[2], p, w),
          v = x;
    switch (e->kind) {
    case MODULATE: v = mul(x, y); break;
    case ADD: v = plus(x, y); break;
    case ADDSIGNED: v = minus(plus(x, y), HALF); break;
    case SUBTRACT: v = minus(x, y); break;
    case BLEND: v = plus(mul(z, x), mul(minus(1, z), y)); break;
    case PRODUCT_AND_ADD:
    case PRODUCT_2_AND_ADD:
    case PRODUCT_4_AND_ADD: v = plus(mul((field)1 << (e->kind - PRODUCT_AND_ADD), mul(x, y)), z); break;
    case DOT3: v = mul(12, mul(minus(x, HALF), minus(y, HALF))); break;
    default: break;
    }
    return mul(v, (field)1 << e->scale);
}

/* ---- in doubles ---- */

double leaf_at_point[LEAVES];
const double *leaf_now = leaf_at_point;

static double real_arg(int arg, double p, double w)
{
    return arg < LEAVES ? leaf_now[arg] : arg == P ? p : arg == NOT_P ? 1 - p : arg == W ? w : 1 - w;
}

double real_of(const struct op *e, double p, double w)
{
    double x = real_arg(e->arg[0], p, w), y = real_arg(e->arg[1], p, w), z = real_arg(e->arg[2], p, w), v = x;
    switch (e->kind) {
    case MODULATE: v = x * y; break;
    case ADD: v = x + y; break;
    case ADDSIGNED: v = x + y - .5; break;
    case SUBTRACT: v = x - y; break;
    case BLEND: v = z * x + (1 - z) * y; break;
    case PRODUCT_AND_ADD:
    case PRODUCT_2_AND_ADD:
    case PRODUCT_4_AND_ADD: v = (1 << (e->kind - PRODUCT_AND_ADD)) * x * y + z; break;
    case DOT3: v = 12 * (x - .5) * (y - .5); break;
    default: break;
    }
    return v * (1 << e->scale);
}

int say_op(char *out, const struct op *e, const char *p, const char *w)
{
    static const char *const form[KINDS] = {
        "%s",       "%s*%s",     "%s+%s",     "%s+%s-.5",  "%s-%s", "blend(%3$s,%1$s,%2$s)",
        "%s*%s+%s", "2%s*%s+%s", "4%s*%s+%s", "dot(%s,%s)"};
    char arg[3][64];
    for (int i = 0; i < 3; i++) {
        int a = e->arg[i];
        snprintf(arg[i], sizeof arg[i], "%s%s", a == NOT_P || a == NOT_W ? "~" : "",
                 a < LEAVES  ? leaf[a].name
                     : a < W ? p
                             : w);
    }
    int n = sprintf(out, form[e->kind], arg[0], arg[1], arg[2]);
    return n + sprintf(out + n, "%s", e->scale == 2 ? "*4" : e->scale ? "*2" : "");
}

/* ---- all operations ---- */

typedef void (*each)(const struct op *e, void *how);

static bool two_lent(const uint8_t *arg)
{
    int lent = -1;
    for (int i = 0; i < 3; i++)
        if (arg[i] < LEAVES && leaf[arg[i]].lent) {
            if (lent >= 0 && lent != arg[i] / 2)
                return true;
            lent = arg[i] / 2;
        }
    return false;
}

/* Calls f for every operation of a stage on these operands, at most one of which is a value of
 * the other pipe. */
static void all_operations(const uint8_t *arg, int n, each f, void *how)
{
    for (int kind = 0; kind < KINDS; kind++) {
        if ((kind >= PRODUCT_AND_ADD && kind <= PRODUCT_4_AND_ADD && !full) || (kind == DOT3 && !dots))
            continue;
        bool one = kind == ARG1, three = kind >= BLEND && kind <= PRODUCT_4_AND_ADD,
             same = kind != BLEND && kind != SUBTRACT;
        for (int x = 0; x < n; x++)
            for (int y = same && !one ? x : 0; y < (one ? 1 : n); y++)
                for (int z = 0; z < (three ? n : 1); z++) {
                    if (two_lent((uint8_t[3]){arg[x], arg[one ? x : y], arg[three ? z : x]}))
                        continue;
                    for (int scale = 0; scale < 3; scale++)
                        f(&(struct op){(uint8_t)kind, (uint8_t)scale, {arg[x], arg[y], arg[z]}}, how);
                }
    }
}

bool reads(const struct op *e, int which)
{
    int args = e->kind == ARG1 ? 1 : e->kind >= BLEND && e->kind <= PRODUCT_4_AND_ADD ? 3 : 2;
    for (int i = 0; i < args; i++)
        if (e->arg[i] == which || e->arg[i] == which + 1)
            return true;
    return false;
}

/* ---- removal of duplicates ---- */

static field *seen;
static size_t seen_room, seen_n;

static void clear_seen(void)
{
    free(seen);
    seen_room = 1 << 12, seen_n = 0;
    seen = calloc(seen_room, sizeof *seen);
}

static bool is_new(field f)
{
    if (2 * seen_n >= seen_room) {
        field *old = seen;
        size_t n = seen_room;
        seen_room *= 4, seen_n = 0;
        seen = calloc(seen_room, sizeof *seen);
        for (size_t i = 0; i < n; i++)
            if (old[i])
                is_new(old[i] - 1);
        free(old);
    }
    size_t i = f * 0x9E3779B97F4A7C15u >> 20 & (seen_room - 1);
    for (; seen[i]; i = (i + 1) & (seen_room - 1))
        if (seen[i] == f + 1)
            return false;
    seen[i] = f + 1, seen_n++;
    return true;
}

static field some_p[2], some_w[2];

struct making {
    struct table *t;
    bool with_w, square;
};

static void coefficients(const struct op *e, double w, double *a, double *b, double *c)
{
    double minus1 = real_of(e, -1, w), plus1 = real_of(e, 1, w);
    *c = real_of(e, 0, w), *a = (plus1 + minus1) / 2 - *c, *b = (plus1 - minus1) / 2;
    if (fabs(*a) < 1e-13)
        *a = 0;
}

static void add_op(const struct op *e, void *how)
{
    struct making *m = how;
    struct table *t = m->t;
    if (!reads(e, P) || reads(e, W) != m->with_w)
        return;
    field v = field_of(e, some_p[0], some_w[0]), p3 = minus(plus(some_p[1], some_p[1]), some_p[0]);
    if (field_of(e, some_p[1], some_w[0]) == v || (m->with_w && field_of(e, some_p[0], some_w[1]) == v))
        return;
    /* the second difference in P is 0 unless the operation has a term P*P */
    bool square = plus(v, field_of(e, p3, some_w[0])) != mul(2, field_of(e, some_p[1], some_w[0]));
    if (square != m->square || !is_new(v))
        return;
    if (!(t->n & (t->n + 1)) || !t->n) {
        size_t room = 2 * (size_t)t->n + 2;
        t->op = realloc(t->op, room * sizeof *t->op);
        for (int i = 0; i < 9; i++)
            t->q[i] = realloc(t->q[i], room * sizeof(double));
        t->a = realloc(t->a, room * sizeof(double)), t->b = realloc(t->b, room * sizeof(double)),
        t->c = realloc(t->c, room * sizeof(double));
        t->x = realloc(t->x, room * sizeof(double)), t->y = realloc(t->y, room * sizeof(double));
    }
    double c[3][3];
    for (int i = 0; i < 3; i++)
        coefficients(e, i - 1, &c[0][i], &c[1][i], &c[2][i]);
    t->op[t->n] = *e;
    for (int i = 0; i < 3; i++) {
        t->q[3 * i][t->n] = c[i][1];
        t->q[3 * i + 1][t->n] = (c[i][2] - c[i][0]) / 2;
        t->q[3 * i + 2][t->n] = (c[i][2] + c[i][0]) / 2 - c[i][1];
    }
    t->a[t->n] = c[0][1], t->b[t->n] = c[1][1], t->c[t->n] = c[2][1];
    t->n++;
}

void make_table(struct table *t, int stage, bool with_w)
{
    uint8_t arg[LEAVES + 4];
    int n = leaves_of[stage];
    for (int i = 0; i < n; i++)
        arg[i] = (uint8_t)i;
    for (int i = 0; i < 4; i++)
        arg[n + i] = (uint8_t)(P + i);
    for (int i = 0; i < 2 && !some_p[i]; i++)
        some_p[i] = random_field(), some_w[i] = random_field();
    memset(t, 0, sizeof *t);
    clear_seen();
    for (int square = 0; square < 2; square++) {
        all_operations(arg, n + (with_w ? 4 : 2), add_op, &(struct making){t, with_w, square});
        if (!square)
            t->linear = t->n;
    }
}

void set_w(struct table *t, double w)
{
    double *a = t->a, *b = t->b, *c = t->c, **q = t->q;
    for (int i = 0; i < t->n; i++) {
        b[i] = (q[5][i] * w + q[4][i]) * w + q[3][i];
        c[i] = (q[8][i] * w + q[7][i]) * w + q[6][i];
    }
    for (int i = t->linear; i < t->n; i++)
        a[i] = (q[2][i] * w + q[1][i]) * w + q[0][i];
}

/* Solves every operation for P: writes the solutions between 0 and 1 to p, up to two for each operation, and
 * the operations to `which`. Returns the number of solutions. */
int solve(const struct table *t, double result, double *p, int *which)
{
    const double *a = t->a, *b = t->b, *c = t->c;
    int n = 0;
    for (int i = 0; i < t->linear; i++)
        t->x[i] = (result - c[i]) / b[i]; /* NaN or infinite if the operation does not depend on P */
    for (int i = t->linear; i < t->n; i++) {
        double d = b[i] * b[i] + 4 * a[i] * (result - c[i]), s = sqrt(d < 1e-12 ? 0 : d), over = .5 / a[i];
        over = d < -1e-12 ? NAN : over;
        t->x[i] = (s - b[i]) * over, t->y[i] = (-s - b[i]) * over;
    }
    for (int i = 0; i < t->linear; i++)
        p[n] = t->x[i], which[n] = i, n += in_range(t->x[i]);
    for (int i = t->linear; i < t->n; i++) {
        if (fabs(a[i]) < 1e-9) /* nearly linear: the quadratic formula would be inaccurate */
            t->x[i] = (result - c[i]) / b[i], t->y[i] = NAN;
        p[n] = t->x[i], which[n] = i, n += in_range(t->x[i]);
        p[n] = t->y[i], which[n] = i, n += in_range(t->y[i]);
    }
    return n;
}

static int wanted_end = -1; /* which values to collect: -1 between 0 and 1; 0 below 0; 1 above 1 */

static void add_value(const struct op *e, void *how)
{
    struct values *v = how;
    double r = real_of(e, 0, 0);
    field f = field_of(e, 0, 0);
    if ((wanted_end < 0 ? !in_range(r) : wanted_end ? r <= 1 + 1e-9 : r >= -1e-9) || !is_new(f))
        return;
    if (!(v->n & (v->n + 1)) || !v->n)
        v->v = realloc(v->v, (2 * (size_t)v->n + 2) * sizeof *v->v);
    v->v[v->n++] = (struct value){{r, f}, *e};
}

void make_values(struct values *v, int stage)
{
    uint8_t arg[LEAVES];
    for (int i = 0; i < leaves_of[stage]; i++)
        arg[i] = (uint8_t)i;
    clear_seen();
    v->n = 0;
    all_operations(arg, leaves_of[stage], add_value, v);
}

void make_values_beyond(struct values *v, int stage, int end)
{
    wanted_end = end;
    make_values(v, stage);
    wanted_end = -1;
}

/* Collects the values that the alpha pipe can compute in its first stage; leaves out inputs, and one value of
 * each pair of complements. */
void make_values_of_alpha(struct values *v)
{
    struct values all = {0, NULL};
    uint8_t arg[LEAVES];
    int n = 0;
    bool dot = dots;
    for (int i = 0; i < leaves_of[1]; i++)
        if (leaf[i].alpha)
            arg[n++] = (uint8_t)i;
    clear_seen();
    dots = false;
    all_operations(arg, n, add_value, &all);
    dots = dot;
    clear_seen();
    for (int i = 0; i < leaves_of[1]; i++)
        is_new(leaf[i].v.f);
    v->v = all.v;
    for (int i = 0; i < all.n; i++)
        if (is_new(all.v[i].v.f)) {
            is_new(minus(1, all.v[i].v.f));
            v->v[v->n++] = all.v[i];
        }
}

/* ---- sets ---- */

#define NEW_BIT 0x80000000u

void open_set(struct set *s, int bits)
{
    memset(s, 0, sizeof *s);
    s->bits = bits;
    s->bit = calloc((size_t)1 << (bits - 6), 8);
    s->slot = calloc((size_t)1 << (bits - 3), 4);
}

static void put_cell(struct set *s, uint32_t c)
{
    uint32_t h = c * 2654435769u, i = h >> (35 - s->bits), mask = (1u << (s->bits - 3)) - 1;
    for (; s->slot[i]; i = (i + 1) & mask)
        if (s->slot[i] == c)
            return;
    if (s->n == s->room)
        s->done = realloc(s->done, (size_t)(s->room = s->room ? 2 * s->room : 1024) * sizeof *s->done);
    if ((uint32_t)s->n >= mask - 8 || !s->done) {
        fputs("a set is full\n", stderr);
        exit(2);
    }
    uint64_t *word = &s->bit[h >> (32 - s->bits) >> 6], bit = (uint64_t)1 << (h >> (32 - s->bits) & 63);
    s->slot[i] = c;
    s->done[s->n++] = i | (*word & bit ? 0 : NEW_BIT);
    *word |= bit;
}

void put(struct set *s, double v)
{
    uint32_t c = cell(v - NEAR), d = cell(v + NEAR);
    put_cell(s, c);
    if (d != c)
        put_cell(s, d);
}

/* Removes the last elements, in reverse order of insertion, so that the probe sequences of the others stay
 * valid. */
void release(struct set *s, int n)
{
    while (s->n > n) {
        uint32_t done = s->done[--s->n], *slot = &s->slot[done & ~NEW_BIT], h = *slot * 2654435769u;
        if (done & NEW_BIT)
            s->bit[h >> (32 - s->bits) >> 6] &= ~((uint64_t)1 << (h >> (32 - s->bits) & 63));
        *slot = 0;
    }
}
