/* Finds the values U and V (the helpers) that the first pair can compute, and the expressions of the second
 * pair that compute the result from them; search.c describes the method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "second.h"

#define SCALE 134217728.0 /* 2^27: products have twice the 12 bits of inputs, modifiers divide by 8 */

struct set first[2], ways[2];
double at[PLACES][2][POINTS], goals[2][POINTS];
bool constant[2];
int plain_v;
static double *v_at[2]; /* [point]: values of V at the first two points */

/* ---- operands at the points of the diagonal (equal red, green and blue, see search.c), as linear
 * functions k + u*U + v*V of the helpers ---- */

struct linear {
    double k[POINTS], u, v;
};
struct sides {
    struct linear a, b, c;
};

static void operand(struct linear *o, const struct form *f, int code, double factor)
{
    *o = (struct linear){.u = 0};
    if (code >= ZERO && code <= ONE) {
        for (int j = 0; j < POINTS; j++)
            o->k[j] = factor * (code - ZERO) / 2;
        return;
    }
    bool direct = code < ZERO;
    int part = direct ? code / PLACES : code - PRESUB_RGB;
    const struct presub *p = &presub[f->presub[part]];
    int a = direct ? code % PLACES : p->a, b = direct ? a : p->b;
    for (int j = 0; j < POINTS; j++) {
        double x = a == OWN ? number[f->own[part]] : at[a][part][j],
               y = b == OWN ? number[f->own[part]] : at[b][part][j];
        o->k[j] = factor * (direct ? x : presubtract(p->op, x, y));
    }
    *(part == RGB ? &o->u : &o->v) = factor *
        (direct ? a == HELPER : presubtract(p->op, a == HELPER, b == HELPER) - presubtract(p->op, 0, 0));
}

static struct sides sides_of(const struct form *f)
{
    struct sides s;
    operand(&s.a, f, f->a, (f->signs & 1 ? -1 : 1) * (f->op == DP3 ? 3 : 1));
    operand(&s.b, f, f->b, 1);
    operand(&s.c, f, f->op == DP3 ? ZERO : f->c, f->signs & 2 ? -1 : 1);
    return s;
}

static int kind_of(const struct form *f)
{
    return f->op == MAD ? KIND_MAD : f->modifier ? KIND_DP3 : KIND_DOT;
}

/* ---- the first pair ---- */

static void put_first(int half, const struct form *f, int kind)
{
    struct sides s = sides_of(f);
    int64_t key[POINTS];
    for (int j = 0; j < POINTS; j++)
        key[j] = (int64_t)((s.a.k[j] * s.b.k[j] + s.c.k[j]) * modifier[f->modifier] * SCALE);
    set_add(&first[half], key, kind, f, half);
}

static bool of_rgb(const struct form *f, int code) /* whether an operand reads a source by an rgb address */
{
    unsigned mask = code == PRESUB_RGB ? places_of(f->presub[RGB]) : code < PLACES ? 1u << code : 0;
    return mask & ~(1u << OWN);
}

static void show_u(const struct form *f) { put_first(RGB, f, kind_of(f)); }

static void show_v(const struct form *f)
{
    if (!of_rgb(f, f->a) && !of_rgb(f, f->b) && !of_rgb(f, f->c))
        put_first(ALPHA, f, KIND_MAD);
}

static void show_channels(const struct form *f)
{
    if (!f->modifier && (f->a == ONE || f->b == ONE) && (of_rgb(f, f->a) || of_rgb(f, f->b)) &&
        of_rgb(f, f->c))
        put_first(ALPHA, f, KIND_CHANNELS);
}

void first_pair(void)
{
    uint32_t seed = 12345;
    for (int i = 0; i < SOURCES * 2 * POINTS; i++) {
        seed = seed * 1664525u + 1013904223u;
        at[i % SOURCES][i / SOURCES % 2][i / SOURCES / 2] = (2 * ((seed >> 8) % 1800) + 301) / 4096.0;
    }
    each_form(false, true, show_u);
    each_form(false, false, show_v);
    plain_v = first[ALPHA].n;
    each_form(false, false, show_channels);
    set_filter(&first[RGB]);
    set_filter(&first[ALPHA]);
    for (int j = 0; j < 2; j++) {
        if (!(v_at[j] = malloc((size_t)first[ALPHA].n * sizeof *v_at[j])))
            exit(2);
        for (int i = 0; i < first[ALPHA].n; i++)
            v_at[j][i] = (double)first[ALPHA].entry[i].key[j] / SCALE;
    }
}

/* ---- the second pair: for each half, all expressions, each with the values of U and V for which it gives
 * the required result ---- */

static int goal_half, which, v_from, v_to;
static bool channels; /* whether V may depend on two channels */
static struct {
    int *entry, n;
} offered[2]; /* values of U and V that the other half reads, or that are its result */

static void way(const struct form *f, int u, int v)
{
    set_add(&ways[goal_half], (int64_t[KEYS]){u, v}, kind_of(f), f, goal_half);
}

/* Solves (a + x*da) * (b + x*db) + c + x*dc = g for x; writes solutions that are multiples of 1/SCALE to out,
 * in that unit, and returns their number. */
static int solve(double a, double da, double b, double db, double c, double dc, double g, int64_t *out)
{
    double q = da * db, l = a * db + da * b + dc, k = a * b + c - g, x[2];
    int n = 0, found = 0;
    if (q == 0) {
        if (l != 0)
            x[n++] = -k / l;
    } else if (l * l - 4 * q * k >= -1e-9) {
        double d = sqrt(fmax(0, l * l - 4 * q * k));
        x[n++] = (-l - d) / (2 * q);
        x[n++] = (-l + d) / (2 * q);
    }
    for (int i = 0; i < n; i++) {
        double s = x[i] * SCALE, r = rint(s);
        if (fabs(s) < 1e13 && fabs(s - r) < 1e-2)
            out[found++] = (int64_t)r;
    }
    return found;
}

/* Looks up the values of U (of V if `u` is false) for which the expression f gives the result g. beside: the
 * entry of the other helper, or -1 if f does not read it. */
static void look_up(const struct form *f, const struct sides *s, const double *g, bool u, int beside)
{
    const struct set *set = &first[u ? RGB : ALPHA], *others = &first[u ? ALPHA : RGB];
    const double da = u ? s->a.u : s->a.v, db = u ? s->b.u : s->b.v, dc = u ? s->c.u : s->c.v;
    const double ya = u ? s->a.v : s->a.u, yb = u ? s->b.v : s->b.u, yc = u ? s->c.v : s->c.u;
    double a[POINTS], b[POINTS], c[POINTS];
    int64_t found[2][2];
    int n[2];
    for (int j = 0; j < POINTS; j++) {
        double y = beside < 0 ? 0 : (double)others->entry[beside].key[j] / SCALE;
        a[j] = s->a.k[j] + ya * y, b[j] = s->b.k[j] + yb * y, c[j] = s->c.k[j] + yc * y;
        if (j < 2 && !(n[j] = solve(a[j], da, b[j], db, c[j], dc, g[j], found[j])))
            return;
    }
    for (int k = 0; k < n[0] * n[1]; k++) {
        int64_t key0 = found[0][k % n[0]], key1 = found[1][k / n[0]];
        for (unsigned i = set_slot(set, key0, key1); set_may_have(set, key0, key1) && set->slot[i] >= 0;
             i = (i + 1) & (set->room - 1)) {
            int found_at = set->slot[i];
            const struct entry *e = &set->entry[found_at];
            bool same = e->key[0] == key0 && e->key[1] == key1 && (u || channels || found_at < plain_v);
            for (int j = 0; j < POINTS && same; j++) {
                double x = (double)e->key[j] / SCALE;
                same = fabs((a[j] + x * da) * (b[j] + x * db) + c[j] + x * dc - g[j]) < 1e-9;
            }
            if (same)
                way(f, u ? found_at : beside, u ? beside : found_at);
        }
    }
}

/* For an expression that reads both helpers: computes U from each V, and looks it up if it is a multiple of
 * 1/SCALE at the first two points and the filter does not exclude it. */
static void each_v(const struct form *f, const struct sides *s, const double *g)
{
    enum { CHUNK = 256 };
    static double u_at[2][CHUNK], off[CHUNK];
    static struct {
        int64_t key[2];
        int v;
    } near[CHUNK];
    const double au = s->a.u, bu = s->b.u, cu = s->c.u, av = s->a.v, bv = s->b.v, cv = s->c.v;
    for (int from = v_from; from < v_to; from += CHUNK) {
        int n = v_to - from < CHUNK ? v_to - from : CHUNK, nnear = 0;
        for (int i = 0; i < n && au * bu != 0; i++)
            look_up(f, s, g, true, from + i);
        if (au * bu != 0)
            continue;
        for (int j = 0; j < 2; j++) {
            const double a = s->a.k[j], b = s->b.k[j], c = s->c.k[j] - g[j], *v = v_at[j] + from;
            for (int i = 0; i < n; i++) {
                double x = a + av * v[i], y = b + bv * v[i],
                       u = -(x * y + c + cv * v[i]) / (au * y + bu * x + cu) * SCALE;
                /* adding and subtracting 1.5 * 2^52 rounds u to an integer */
                double r = (u + 6755399441055744.0) - 6755399441055744.0, d = fabs(u - r);
                u_at[j][i] = r;
                off[i] = j ? (off[i] > d ? off[i] : d) : d;
            }
        }
        for (int i = 0; i < n; i++)
            if (off[i] < 1e-2 && fabs(u_at[0][i]) < 1e13 && fabs(u_at[1][i]) < 1e13) {
                near[nnear].key[0] = (int64_t)u_at[0][i];
                near[nnear].key[1] = (int64_t)u_at[1][i];
                near[nnear].v = from + i;
                set_prefetch(&first[RGB], near[nnear].key[0], near[nnear].key[1]);
                nnear++;
            }
        for (int i = 0; i < nnear; i++)
            if (set_may_have(&first[RGB], near[i].key[0], near[i].key[1]))
                look_up(f, s, g, true, near[i].v);
    }
}

/* [number of helpers read]: all expressions of the second pair, enumerated once. */
static struct {
    struct form *form;
    int n;
} forms[3];

static void keep_form(const struct form *f)
{
    struct sides s = sides_of(f);
    bool u = s.a.u != 0 || s.b.u != 0 || s.c.u != 0, v = s.a.v != 0 || s.b.v != 0 || s.c.v != 0;
    for (int part = RGB; part <= ALPHA; part++)
        if (u && v && f->own[part] && number[f->own[part]] != 0.5)
            return; /* outside of the alphabet, since the search would take an hour */
    forms[u + v].form = set_grown(forms[u + v].form, forms[u + v].n, sizeof *f);
    forms[u + v].form[forms[u + v].n++] = *f;
}

static void solve_form(const struct form *f)
{
    struct sides s = sides_of(f);
    double g[POINTS];
    bool u = s.a.u != 0 || s.b.u != 0 || s.c.u != 0, v = s.a.v != 0 || s.b.v != 0 || s.c.v != 0, same = true;
    for (int j = 0; j < POINTS; j++) {
        g[j] = goals[goal_half][j] / modifier[f->modifier];
        same &= s.a.k[j] * s.b.k[j] + s.c.k[j] == g[j];
    }
    for (int h = RGB; h <= ALPHA && u && v && which == BESIDE; h++)
        for (int i = 0; i < offered[h].n; i++)
            look_up(f, &s, g, h == ALPHA, offered[h].entry[i]);
    if (u && v)
        each_v(f, &s, g);
    else if (u || v)
        look_up(f, &s, g, u, -1);
    else if (same)
        way(f, -1, -1);
}

static void offer(int half, int64_t entry)
{
    for (int i = 0; i < offered[half].n; i++)
        if (entry < 0 || offered[half].entry[i] == entry)
            return;
    if (entry < 0)
        return;
    offered[half].entry = set_grown(offered[half].entry, offered[half].n, sizeof *offered[half].entry);
    offered[half].entry[offered[half].n++] = (int)entry;
}

/* Collects in `offered` the helpers that the other half's expressions read, if these read at most one each,
 * and those that are the other half's result. */
static void offer_all(int half)
{
    const struct entry *done[KINDS];
    const struct set *other = &ways[!half];
    offered[RGB].n = offered[ALPHA].n = 0;
    for (int i = 0; i < other->n; i++)
        if (other->entry[i].key[0] < 0 || other->entry[i].key[1] < 0) {
            offer(RGB, other->entry[i].key[0]);
            offer(ALPHA, other->entry[i].key[1]);
        }
    for (int i = reaching(!half, done); i--;)
        offer(!half, done[i] - first[!half].entry);
}

bool without_helpers(int half)
{
    for (unsigned i = set_slot(&ways[half], -1, -1); ways[half].room && ways[half].slot[i] >= 0;
         i = (i + 1) & (ways[half].room - 1)) {
        const int64_t *key = ways[half].entry[ways[half].slot[i]].key;
        if (key[0] < 0 && key[1] < 0)
            return true;
    }
    return false;
}

void second_pair(int half, int of_which, bool with_channels)
{
    goal_half = half;
    which = of_which;
    channels = with_channels;
    if (which == SIMPLE)
        set_clear(&ways[half]);
    if (which == BESIDE)
        offer_all(half);
    v_from = which == BOTH_CHANNELS ? plain_v : 0;
    v_to = which == BOTH_CHANNELS ? first[ALPHA].n : which == BOTH ? plain_v : 0;
    if (!forms[0].n)
        each_form(true, true, keep_form);
    for (int k = which == SIMPLE ? 0 : 2;
         k <= (which == SIMPLE ? !constant[half] : 2) && (k < 2 || !constant[half]); k++)
        for (int i = 0; i < forms[k].n; i++)
            if (half == RGB || forms[k].form[i].op == MAD)
                solve_form(&forms[k].form[i]);
}

/* Writes the entries whose value is the required result to out; returns their number. */
int reaching(int half, const struct entry **out)
{
    const struct set *s = &first[half];
    int64_t key[KEYS];
    int n = 0;
    for (int j = 0; j < KEYS; j++)
        key[j] = (int64_t)rint(goals[half][j] * SCALE);
    for (unsigned i = set_slot(s, key[0], key[1]); s->slot[i] >= 0; i = (i + 1) & (s->room - 1)) {
        const struct entry *e = &s->entry[s->slot[i]];
        if (e->kind != KIND_CHANNELS && !memcmp(e->key, key, sizeof key))
            out[n++] = e;
    }
    return n;
}
