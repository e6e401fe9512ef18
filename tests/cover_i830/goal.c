/* Intervals of one unknown. */
#include "cover.h"

void add_piece(struct pieces *out, double lo, double hi)
{
    lo = lo < 0 ? 0 : lo;
    hi = hi > 1 ? 1 : hi;
    if (lo <= hi + EPS)
        out->lo[out->n] = lo, out->hi[out->n++] = hi < lo ? lo : hi;
}

void inverse(double a, double b, double c, double lo, double hi, struct pieces *out)
{
    if (a == 0) {
        if (fabs(b) < 1e-12) {
            if (c >= lo - EPS && c <= hi + EPS)
                add_piece(out, 0, 1);
        } else if (b > 0)
            add_piece(out, (lo - c) / b, (hi - c) / b);
        else
            add_piece(out, (hi - c) / b, (lo - c) / b);
        return;
    }
    if (a < 0) {
        double t = lo;
        a = -a, b = -b, c = -c, lo = -hi, hi = -t;
    }
    /* Within a distance of the vertex that follows from the bounds; square roots are worse than the rest, so with a margin. */
    double vertex = -b / (2 * a), low = c - b * b / (4 * a), far = (hi - low) / a, near = (lo - low) / a;
    if (far < -EPS)
        return;
    far = isinf(far) ? 3 : sqrt(far < 0 ? 0 : far) + 1e-7;
    near = near <= 0 ? 0 : sqrt(near) - 1e-7;
    if (near <= 0)
        add_piece(out, vertex - far, vertex + far);
    else {
        add_piece(out, vertex - far, vertex - near);
        add_piece(out, vertex + near, vertex + far);
    }
}

/* Two intervals of up to four: overlapping ones and then the closest ones become one. False if there is none. */
bool settle(struct pieces *p, struct goal *g, int i)
{
    for (int n = 1; n < p->n; n++) /* in order */
        for (int j = n; j > 0 && p->lo[j] < p->lo[j - 1]; j--) {
            double l = p->lo[j], h = p->hi[j];
            p->lo[j] = p->lo[j - 1], p->hi[j] = p->hi[j - 1];
            p->lo[j - 1] = l, p->hi[j - 1] = h;
        }
    while (p->n > 1) {
        int best = 1;
        for (int j = 2; j < p->n; j++)
            if (p->lo[j] - p->hi[j - 1] < p->lo[best] - p->hi[best - 1])
                best = j;
        if (p->n <= 2 && p->lo[best] > p->hi[best - 1] + EPS)
            break;
        if (p->hi[best] > p->hi[best - 1])
            p->hi[best - 1] = p->hi[best];
        for (int j = best; j + 1 < p->n; j++)
            p->lo[j] = p->lo[j + 1], p->hi[j] = p->hi[j + 1];
        p->n--;
    }
    g->lo[0][i] = p->n > 0 ? p->lo[0] : 2;
    g->hi[0][i] = p->n > 0 ? p->hi[0] : -1;
    g->lo[1][i] = p->n > 1 ? p->lo[1] : 2;
    g->hi[1][i] = p->n > 1 ? p->hi[1] : -1;
    return p->n > 0;
}

/* The bounds before the clamp and the scale. */
bool unclamp(const struct goal *g, int which, int i, double scale, double *lo, double *hi)
{
    if (g->lo[which][i] > g->hi[which][i] + EPS)
        return false;
    *lo = g->lo[which][i] <= EPS ? -INFINITY : g->lo[which][i] / scale;
    *hi = g->hi[which][i] >= 1 - EPS ? INFINITY : g->hi[which][i] / scale;
    return true;
}

