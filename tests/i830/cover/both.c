/* Searches for programs that keep two values live: the first stage computes n, the second computes m from n
 * and stores it in ACCUM, the third reads n or m or both, and the fourth reads the third result and m. For
 * each n and m, the third results from which some fourth stage gives the result are matched, at the first two
 * points, with those that a third stage can compute. */
#include "table.h"

struct two {
    double a[2], b[2], c[2];
};                        /* an operation as polynomial in CURRENT, at the first two points */
static struct two *stage; /* for each operation of aops, with m in ACCUM */

/* Returns the value of an operand at a point; m: the value in ACCUM. */
static double leaf(int which, int point, double m)
{
    return which == accum_at ? m : which == accum_at + 1 ? 1 - m : which < 0 ? 0 : in[which].v[point];
}

static void polynomial_of(const struct op *e, int point, double m, double *a, double *b, double *c)
{
    double scale = 1 << e->s;
    coefficients(e->form, 1 << e->k, leaf(e->x, point, m), leaf(e->y, point, m), a, b, c);
    *a *= scale, *b *= scale, *c *= scale;
}

static void make_stages(const double *m)
{
    for (int i = 0; i < aops.n; i++)
        for (int p = 0; p < 2; p++)
            polynomial_of(&aops.op[i], p, m[p], &stage[i].a[p], &stage[i].b[p], &stage[i].c[p]);
}

static int roots(double a, double b, double c, double *out)
{
    int n = 0;
    if (fabs(a) < 1e-12) {
        out[0] = -c / b;
        return fabs(b) > 1e-12 && in_range(out[0]);
    }
    double d = b * b - 4 * a * c;
    if (d < -1e-9)
        return 0;
    d = sqrt(d < 0 ? 0 : d);
    for (int sign = -1; sign < 2; sign += 2) {
        double x = (-b + sign * d) / (2 * a);
        if (in_range(x))
            out[n++] = x;
    }
    return n;
}

/* A candidate program, as indices of its value n and of its operations. third_reads: the third stage reads m,
 * so that its operation is one of aops. */
struct both {
    int n, second, third, fourth;
    bool third_reads;
};

static bool is_right(const struct both *t, const double *m)
{
    for (int i = 0; i < AT; i++) {
        double p = value[t->n].v[i], a, b, c;
        polynomial_of(t->third_reads ? &aops.op[t->third] : &ops.op[t->third], i, m[i], &a, &b, &c);
        p = (a * p + b) * p + c;
        if (!in_range(p))
            return false;
        polynomial_of(&aops.op[t->fourth], i, m[i], &a, &b, &c);
        if (fabs((a * p + b) * p + c - target.v[i][0]) > TOLERANCE)
            return false;
    }
    return true;
}

static bool judge_both(const struct both *t)
{
    const struct op *third = t->third_reads ? &aops.op[t->third] : &ops.op[t->third],
                    *fourth = &aops.op[t->fourth], *second = &ops.op[t->second];
    const struct value *n = &value[t->n];
    for (int i = 0; i < samples; i += width) {
        double p[3], m[3];
        memcpy(p, &in[n->start].everywhere[i], (size_t)width * sizeof *p);
        everywhere(&ops.op[n->op], p, i);
        memcpy(m, p, sizeof m);
        everywhere(second, m, i);
        hold_everywhere(m, i);
        everywhere(third, p, i);
        everywhere(fourth, p, i);
        if (!is_target(p, i)) {
            local_only++;
            if (shortest_local > 4)
                shortest_local = 4;
            return false;
        }
    }
    char text[2000], *out = text;
    strcpy(in[accum_at].name, "A"), strcpy(in[accum_at + 1].name, "~A");
    *out++ = '{';
    out += say(out, &ops.op[n->op], in[n->start].name);
    out += sprintf(out, "} {");
    out += say(out, second, "P");
    out += sprintf(out, "}>A {");
    out += say(out, third, "P");
    out += sprintf(out, "} {");
    out += say(out, fourth, "P");
    printf("cover 4 %s}\n", text);
    return ++covers >= wanted_covers;
}

/* A hash table, by grid cell, of the third results from which some fourth stage gives the result. */
enum { WIDTH = 12 };
static struct need {
    double v[2];
    int fourth, next;
} * need;
static int needs, head[1 << WIDTH];

static bool of_one(int n, int second, const double *m)
{
    make_stages(m);
    needs = 1;
    memset(head, 0, sizeof head);
    for (int i = 0; i < aops.n; i++) {
        double p[2], q[2];
        const struct two *t = &stage[i];
        int np = roots(t->a[0], t->b[0], t->c[0] - target.v[0][0], p),
            nq = np ? roots(t->a[1], t->b[1], t->c[1] - target.v[1][0], q) : 0;
        for (int j = 0; j < np * nq; j++) {
            double x = p[j / nq], y = q[j % nq];
            uint32_t key = key_at(&of_second, x, y);
            for (uint32_t at = has(&of_second, key) ? of_second.head[key >> 3] : 0; at;
                 at = of_second.place[at].next) {
                struct both both = {n, second, (int)of_second.place[at].what, i, false};
                if (is_right(&both, m) && judge_both(&both))
                    return true;
            }
            uint32_t c0 = cell(fmax(x - TOLERANCE, 0)), c1 = cell(x + TOLERANCE);
            for (uint32_t c = c0; c <= c1; c++) {
                int *h = &head[c * 0x9E3779B1u >> (32 - WIDTH)];
                need[needs] = (struct need){{x, y}, i, *h};
                *h = needs++;
            }
        }
    }
    for (int i = 0; i < aops.n && needs > 1; i++) {
        const struct two *t = &stage[i];
        double v = value[n].v[0], w = value[n].v[1];
        v = (t->a[0] * v + t->b[0]) * v + t->c[0], w = (t->a[1] * w + t->b[1]) * w + t->c[1];
        if (in_range(v) && in_range(w))
            for (int at = head[cell(fmax(v, 0)) * 0x9E3779B1u >> (32 - WIDTH)]; at; at = need[at].next)
                if (fabs(need[at].v[0] - v) < TOLERANCE && fabs(need[at].v[1] - w) < TOLERANCE) {
                    struct both both = {n, second, i, need[at].fourth, true};
                    if (is_right(&both, m) && judge_both(&both))
                        return true;
                }
    }
    return false;
}

bool both_of_4(void)
{
    double m[AT];
    if (!stage) {
        stage = malloc((size_t)aops.n * sizeof *stage + 1);
        need = malloc(((size_t)aops.n * 8 + 2) * sizeof *need);
    }
    if (!stage || !need)
        exit(2);
    for (int n = 0; n < values && !out_of_time(); n++) {
        if (value[n].avail > 1 || value[n].op == NONE)
            continue;
        second_stages(n);
        clear_seen();
        for (int i = 0; i < ops.n && !out_of_time(); i++)
            if (ops.op[i].avail <= 2 && forward(&ops, i, value[n].v, m) && add_to_seen(hash_of(m, AT)) &&
                of_one(n, i, m))
                return true;
    }
    return false;
}
