/* Searches for programs that store a value m of two stages in ACCUM, compute another value from m in the
 * third stage, and read both in the fourth. The result of the third and fourth stage together is a polynomial
 * in m. */
#include "local.h"

static void with_accum(const struct op *e, int point, double m, double *a, double *b, double *c)
{
    double leaf[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        int which = i ? e->y : e->x;
        if (which >= 0)
            leaf[i] = which == accum_at ? m : which == accum_at + 1 ? 1 - m : in[which].v[point];
    }
    coefficients(e->form, 1 << e->k, leaf[0], leaf[1], a, b, c);
    *a *= 1 << e->s, *b *= 1 << e->s, *c *= 1 << e->s;
}

static double of_kept(int third, int fourth, int point, double m)
{
    double v = at(&ops, third, point, m), a, b, c;
    with_accum(&aops.op[fourth], point, m, &a, &b, &c);
    return (a * v + b) * v + c;
}

static double polynomial(const double *c, int degree, double x)
{
    double v = c[degree];
    for (int i = degree; i-- > 0;)
        v = v * x + c[i];
    return v;
}

/* Writes the roots of a polynomial between 0 and 1 to out; returns their number. */
static int roots_of(const double *c, int degree, double *out)
{
    double d[6], turn[8], from, to;
    int n = 0, turns;
    while (degree > 0 && fabs(c[degree]) < 1e-9)
        degree--;
    if (degree == 0)
        return 0;
    if (degree == 1) {
        out[0] = -c[0] / c[1];
        return in_range(out[0]);
    }
    for (int i = 1; i <= degree; i++)
        d[i - 1] = i * c[i];
    turns = roots_of(d, degree - 1, turn);
    turn[turns] = 1;
    from = 0;
    for (int i = 0; i <= turns; i++, from = to) {
        to = fmin(fmax(turn[i], 0), 1);
        double lo = from, hi = to, f = polynomial(c, degree, lo), g = polynomial(c, degree, hi);
        if (fabs(f) < 1e-10)
            out[n++] = lo;
        else if (fabs(g) >= 1e-10 && (f < 0) != (g < 0)) {
            for (int j = 0; j < 46; j++) {
                double mid = (lo + hi) / 2;
                if ((polynomial(c, degree, mid) < 0) == (f < 0))
                    lo = mid;
                else
                    hi = mid;
            }
            out[n++] = (lo + hi) / 2;
        } else if (fabs(g) < 1e-10 && i == turns)
            out[n++] = hi;
    }
    return n;
}

static int roots_of_kept(int third, int fourth, int point, double *out)
{
    static double inverse_matrix[6][6];
    static bool made;
    if (!made) { /* the matrix from values at 0, .2, .. 1 to coefficients, by the Gauss-Jordan method */
        double m[6][12];
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 12; j++)
                m[i][j] = j < 6 ? pow(.2 * i, j) : j - 6 == i;
        for (int i = 0; i < 6; i++) {
            int best = i;
            for (int r = i + 1; r < 6; r++)
                if (fabs(m[r][i]) > fabs(m[best][i]))
                    best = r;
            for (int j = 0; j < 12; j++) {
                double t = m[i][j];
                m[i][j] = m[best][j], m[best][j] = t;
            }
            double pivot = m[i][i];
            for (int j = 0; j < 12; j++)
                m[i][j] /= pivot;
            for (int r = 0; r < 6; r++) {
                double times = m[r][i];
                for (int j = 0; j < 12 && r != i; j++)
                    m[r][j] -= times * m[i][j];
            }
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 6; j++)
                inverse_matrix[i][j] = m[i][6 + j];
        made = true;
    }
    double value_at[6], c[6], all[8];
    int n, kept = 0;
    for (int i = 0; i < 6; i++)
        value_at[i] = of_kept(third, fourth, point, .2 * i) - target.v[point][0];
    for (int i = 0; i < 6; i++) {
        c[i] = 0;
        for (int j = 0; j < 6; j++)
            c[i] += inverse_matrix[i][j] * value_at[j];
    }
    n = roots_of(c, 5, all);
    for (int i = 0; i < n && kept < ALTS; i++)
        if (in_range(at(&ops, third, point, all[i])))
            out[kept++] = all[i];
    return kept;
}

bool is_kept(const struct ask *a, const double *v)
{
    for (int i = 0; i < AT; i++)
        if (fabs(of_kept(a->goal, a->op, i, v[i]) - target.v[i][0]) > TOLERANCE ||
            !in_range(at(&ops, a->goal, i, v[i])))
            return false;
    return true;
}

bool kept_of_two(void)
{
    for (int i = 0; i < ops.n; i++)
        for (int j = 0; j < aops.n && ops.op[i].avail <= 3 && !out_of_time(); j++) {
            double p[ALTS], q[ALTS];
            int np = roots_of_kept(i, j, 0, p), nq = np ? roots_of_kept(i, j, 1, q) : 0;
            if (!np || !nq)
                continue;
            struct wanted g;
            g.n[0] = (uint8_t)np, g.n[1] = (uint8_t)nq;
            memcpy(g.v[0], p, sizeof p), memcpy(g.v[1], q, sizeof q);
            if (add_ask((struct ask){NULL, i, j, KEPT}, &g))
                return true;
        }
    return answer_rest();
}

bool judge_kept(const struct ask *a, int e, int op)
{
    const struct op *third = &ops.op[a->goal], *fourth = &aops.op[a->op];
    struct program p = of_value(&value[e]);
    int n = p.n + 3;
    then(&p, &ops, op);
    for (int i = 0; i < samples; i += width) {
        double m[3];
        memcpy(m, &in[p.start].everywhere[i], (size_t)width * sizeof *m);
        for (int j = 0; j < p.n; j++)
            everywhere(&ops.op[p.link[j].op], m, i);
        hold_everywhere(m, i);
        everywhere(third, m, i);
        everywhere(fourth, m, i);
        if (!is_target(m, i)) {
            local_only++;
            if (n < shortest_local)
                shortest_local = n;
            return false;
        }
    }
    char text[2000], *out = text;
    strcpy(in[accum_at].name, "A"), strcpy(in[accum_at + 1].name, "~A");
    for (int j = 0; j < p.n; j++) {
        *out++ = '{';
        out += say(out, &ops.op[p.link[j].op], j ? "P" : in[p.start].name);
        out += sprintf(out, j + 1 < p.n ? "} " : "}>A ");
    }
    *out++ = '{';
    out += say(out, third, "A");
    out += sprintf(out, "} {");
    out += say(out, fourth, "P");
    printf("cover %d %s}\n", n, text);
    return ++covers >= wanted_covers;
}
