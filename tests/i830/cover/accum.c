/* Searches for programs that store the value of the first stage in ACCUM and read it in later stages. */
#include "table.h"

static int held = NONE;

/* Stores value u in ACCUM. */
void hold(int u)
{
    if (held == u)
        return;
    held = u;
    struct input *a = &in[accum_at];
    for (int i = 0; i < AT; i++)
        a[0].v[i] = value[u].v[i], a[1].v[i] = 1 - a[0].v[i];
    coefficients_again(&aops, AT);
}

struct table_of of_second; /* second stages that compute from value u; entry: the operation */
static uint32_t *marked;
static int marks, *some; /* some: operations that `hopeful` has collected */

/* Bit sets of the cells of a coarse grid that contain a value of a table: coarse_values of of_values, coarse
 * of both tables. They are tested before the tables. */
enum { COARSE = 18 };
static uint64_t coarse_values[1 << (COARSE - 6)], coarse[1 << (COARSE - 6)];

static void make_coarse(void)
{
    static bool made;
    for (uint32_t i = 0; i < 1u << of_values.width && !made; i++)
        if (has(&of_values, i))
            coarse_values[i >> (of_values.width - COARSE) >> 6] |= (uint64_t)1
                << (i >> (of_values.width - COARSE) & 63);
    made = true;
    memcpy(coarse, coarse_values, sizeof coarse);
    for (int i = 0; i < marks; i++)
        coarse[marked[i] >> (of_second.width - COARSE) >> 6] |= (uint64_t)1
            << (marked[i] >> (of_second.width - COARSE) & 63);
}

void second_stages(int u)
{
    double v[AT];
    while (marks) {
        uint32_t key = marked[--marks];
        of_second.bit[key >> 6] = 0;
        of_second.head[key >> 3] = 0;
    }
    of_second.n = 1;
    for (int i = 0; i < ops.n; i++)
        if (ops.op[i].avail <= 3 && forward(&ops, i, value[u].v, v)) {
            uint32_t a0 = cell(fmax(v[0] - TOLERANCE, 0)), a1 = cell(v[0] + TOLERANCE),
                     b0 = cell(fmax(v[1] - TOLERANCE, 0)), b1 = cell(v[1] + TOLERANCE);
            for (uint32_t a = a0; a <= a1; a++)
                for (uint32_t b = b0; b <= b1; b++) {
                    marked[marks++] = key_of(a, b, of_second.width);
                    put(&of_second, marked[marks - 1], (uint32_t)i);
                }
        }
    make_coarse();
}

/* Looks up values that the second stage must leave in CURRENT: those computed from inputs, and those computed
 * from ACCUM (value u). */
static bool match_second(int u, const struct wanted *g, const struct last *l)
{
    if (match_values(g, 2, finish_chain, l))
        return true;
    double v[AT];
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++) {
            uint32_t key = key_at(&of_second, g->v[0][i], g->v[1][j]);
            if (!has(&of_second, key))
                continue;
            for (uint32_t at = of_second.head[key >> 3]; at; at = of_second.place[at].next) {
                int op = (int)of_second.place[at].what;
                if (forward(&ops, op, value[u].v, v) && meets(g, v)) {
                    struct program p = {NONE, accum_at, 1, {{&ops, op}}};
                    if (finish_chain(&p, l))
                        return true;
                }
            }
        }
    return false;
}

static bool is_coarse(double p, double q)
{
    uint32_t key = key_of(cell(fmax(p, 0)), cell(fmax(q, 0)), COARSE);
    return coarse[key >> 6] >> (key & 63) & 1;
}

/* Writes the solutions P of a*P*P + b*P = v to out as `backward` does (ops.c); returns their number. */
static int roots(double a, double b, double v, double *out)
{
    int n = 0;
    double d = fabs(a) < 1e-12 ? -1 : b * b + 4 * a * v;
    if (fabs(a) < 1e-12)
        out[n] = v / b, n += in_range(v / b);
    if (d < -1e-9)
        return n;
    d = sqrt(d < 0 ? 0 : d);
    for (int sign = -1; sign < 2; sign += 2)
        if (in_range(out[n] = (-b + sign * d) / (2 * a)))
            n++;
    return n > 2 ? 2 : n;
}

/* Collects the operations that may have a solution P in [0,1]; the first two points exclude most others. */
int hopeful_of(const struct ops *o, const struct wanted *g, int *out)
{
    static uint8_t *maybe;
    static int room;
    int n = 0;
    if (o->n > room)
        maybe = realloc(maybe, (size_t)(room = o->n));
    if (!maybe)
        exit(2);
    if (g->n[0] > 1 || g->n[1] > 1) {
        for (int i = 0; i < o->n; i++)
            out[n++] = i;
        return n;
    }
    const double *c = o->c[0], *d = o->c[1], *e = o->over[0], *f = o->over[1], v = g->v[0][0], w = g->v[1][0];
    for (int i = 0; i < o->n; i++) {
        double p = (v - c[i]) * e[i], q = (w - d[i]) * f[i];
        maybe[i] = o->square[i] | ((p >= -1e-9) & (p <= 1 + 1e-9) & (q >= -1e-9) & (q <= 1 + 1e-9));
    }
    for (int i = 0; i < o->n; i++)
        if (maybe[i])
            out[n++] = i;
    return n;
}

/* Collects those operations of hopeful_of whose solution P is in a cell of the coarse grid that contains a
 * value. */
static int hopeful(const struct ops *o, const struct wanted *g, int *out)
{
    const int many = hopeful_of(o, g, out);
    int n = 0;
    if (g->n[0] > 1 || g->n[1] > 1)
        return many;
    const double *c = o->c[0], *d = o->c[1], *e = o->over[0], *f = o->over[1], v = g->v[0][0], w = g->v[1][0];
    for (int k = 0; k < many; k++) {
        const int i = out[k];
        if (o->square[i]) {
            double p[2], q[2];
            int np = roots(o->a[0][i], o->b[0][i], v - c[i], p),
                nq = np ? roots(o->a[1][i], o->b[1][i], w - d[i], q) : 0, j = 0;
            while (j < np * nq && !is_coarse(p[j / nq], q[j % nq]))
                j++;
            if (j < np * nq)
                out[n++] = i;
        } else if (is_coarse((v - c[i]) * e[i], (w - d[i]) * f[i]))
            out[n++] = i;
    }
    return n;
}

bool accum_of_3(void)
{
    struct wanted g;
    for (int u = 0; u < values && !out_of_time(); u++) {
        if (value[u].avail > 2 || value[u].op == NONE)
            continue;
        hold(u);
        second_stages(u);
        int n = hopeful(&aops, &target, some);
        for (int i = 0; i < n; i++) {
            struct last l = {u, {{&aops, some[i]}}, 1};
            if (backward(&aops, some[i], &target, &g) && match_second(u, &g, &l))
                return true;
        }
    }
    return false;
}

bool accum_of_4(void)
{
    struct wanted g, h;
    for (int u = 0; u < values && !out_of_time(); u++) {
        if (value[u].avail > 1 || value[u].op == NONE)
            continue;
        hold(u);
        second_stages(u);
        /* the third stage reads ACCUM, the fourth does not */
        for (int m = 0; m < goals && !out_of_time(); m++)
            for (int i = 0, n = hopeful(&aops, &goal[m].w, some); i < n; i++)
                if (backward(&aops, some[i], &goal[m].w, &g)) {
                    struct last l = {u, {{&aops, some[i]}, {&ops, goal[m].op}}, 2};
                    if (match_second(u, &g, &l))
                        return true;
                }
        for (int i = 0; i < aops.n; i++)
            if (!out_of_time() && backward(&aops, i, &target, &g)) { /* the fourth stage reads ACCUM */
                if (add_ask((struct ask){NULL, 0, i, u}, &g))
                    return true;
                hold(u);
                for (int j = 0, n = hopeful(&ops, &g, some); j < n; j++)
                    if (ops.op[some[j]].avail <= 3 && backward(&ops, some[j], &g, &h)) {
                        struct last l = {u, {{&ops, some[j]}, {&aops, i}}, 2};
                        if (match_second(u, &h, &l))
                            return true;
                    }
                for (int j = 0, n = hopeful(&aops, &g, some); j < n; j++)
                    if (backward(&aops, some[j], &g, &h)) {
                        struct last l = {u, {{&aops, some[j]}, {&aops, i}}, 2};
                        if (match_second(u, &h, &l))
                            return true;
                    }
            }
    }
    return answer_rest();
}

void start_accum(void)
{
    open_table(&of_second, inputs <= 12 ? 18 : 24);
    marked = malloc((size_t)ops.n * 4 * sizeof *marked + 64);
    accum_at = inputs;
    in[accum_at].avail = in[accum_at + 1].avail = 2;
    for (int i = 0; i < 2; i++) {
        in[accum_at + i].everywhere = malloc((size_t)samples * sizeof(double));
        for (int j = 0; j < AT; j++)
            in[accum_at + i].v[j] = i ? 1 - (.2371 + .0531 * j) : .2371 + .0531 * j;
    }
    make_ops(&aops, WITH_ACCUM);
    some = malloc((size_t)(ops.n + aops.n) * sizeof *some);
}
