/* What the first pair can leave, and the forms of the second that make something of it; the method is told in search.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "second.h"

#define SCALE 134217728.0 /* 2^27: twice 12 bits and an eighth */

struct set first[2], ways[2];
double at[PLACES][2][POINTS], goals[2][POINTS];
int plain_v;
static double *v_first; /* V's in the first point */

/* ---- values on the diagonal, linear in the helpers ---- */

struct linear { double k[POINTS], u, v; };
struct sides { struct linear a, b, c; };

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
        double x = a == OWN ? number[f->own[part]] : at[a][part][j], y = b == OWN ? number[f->own[part]] : at[b][part][j];
        o->k[j] = factor * (direct ? x : presubtract(p->op, x, y));
    }
    *(part == RGB ? &o->u : &o->v) = factor * (direct ? a == HELPER : presubtract(p->op, a == HELPER, b == HELPER) - presubtract(p->op, 0, 0));
}

static struct sides sides_of(const struct form *f)
{
    struct sides s;
    operand(&s.a, f, f->a, (f->signs & 1 ? -1 : 1) * (f->op == DP3 ? 3 : 1));
    operand(&s.b, f, f->b, 1);
    operand(&s.c, f, f->op == DP3 ? ZERO : f->c, f->signs & 2 ? -1 : 1);
    return s;
}

static int kind_of(const struct form *f) { return f->op == MAD ? KIND_MAD : f->modifier ? KIND_DP3 : KIND_DOT; }

/* ---- the first pair ---- */

static void put_first(int half, const struct form *f, int kind)
{
    struct sides s = sides_of(f);
    int64_t key[POINTS];
    for (int j = 0; j < POINTS; j++)
        key[j] = (int64_t)((s.a.k[j] * s.b.k[j] + s.c.k[j]) * modifier[f->modifier] * SCALE);
    set_add(&first[half], key, kind, f, half);
}

static bool of_rgb(const struct form *f, int code) /* reads a source at an rgb port */
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
    if (!f->modifier && (f->a == ONE || f->b == ONE) && (of_rgb(f, f->a) || of_rgb(f, f->b)) && of_rgb(f, f->c))
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
    if (!(v_first = malloc((size_t)first[ALPHA].n * sizeof *v_first)))
        exit(2);
    for (int i = 0; i < first[ALPHA].n; i++)
        v_first[i] = (double)first[ALPHA].entry[i].key[0] / SCALE;
}

/* ---- the second pair: for a half, each form with the helpers that make it the goal ---- */

static int goal_half, v_from, v_to;
static bool channels;

static void way(const struct form *f, int u, int v) { set_add(&ways[goal_half], (int64_t[KEYS]){u, v}, kind_of(f), f, goal_half); }

/* The x in a point for which (a + x*da) * (b + x*db) + c + x*dc is g, as multiples of 1/SCALE. */
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

/* The unknown is a value of the set: U, or where u is false V; if V is read beside U, it is entry v. */
static void look_up(const struct form *f, const struct sides *s, const double *g, bool u, int v)
{
    const struct set *set = &first[u ? RGB : ALPHA];
    double da = u ? s->a.u : s->a.v, db = u ? s->b.u : s->b.v, dc = u ? s->c.u : s->c.v, a[POINTS], b[POINTS], c[POINTS];
    int64_t found[2][2];
    int n[2];
    for (int j = 0; j < POINTS; j++) {
        double y = v < 0 ? 0 : (double)first[ALPHA].entry[v].key[j] / SCALE;
        a[j] = s->a.k[j] + s->a.v * y, b[j] = s->b.k[j] + s->b.v * y, c[j] = s->c.k[j] + s->c.v * y;
        if (j < 2 && !(n[j] = solve(a[j], da, b[j], db, c[j], dc, g[j], found[j])))
            return;
    }
    for (int k = 0; k < n[0] * n[1]; k++) {
        int64_t key0 = found[0][k % n[0]], key1 = found[1][k / n[0]];
        for (unsigned i = set_slot(set, key0, key1); set_may_have(set, key0, key1) && set->slot[i] >= 0; i = (i + 1) & (set->room - 1)) {
            int found_at = set->slot[i];
            const struct entry *e = &set->entry[found_at];
            bool same = e->key[0] == key0 && e->key[1] == key1 && (u || channels || found_at < plain_v);
            for (int j = 0; j < POINTS && same; j++) {
                double x = (double)e->key[j] / SCALE;
                same = fabs((a[j] + x * da) * (b[j] + x * db) + c[j] + x * dc - g[j]) < 1e-9;
            }
            if (same)
                way(f, u ? found_at : -1, u ? v : found_at);
        }
    }
}

/* Both helpers: every V for which U is a multiple of 1/SCALE in the first point. */
static void each_v(const struct form *f, const struct sides *s, const double *g)
{
    enum { CHUNK = 512 };
    static double off[CHUNK];
    double a = s->a.k[0], av = s->a.v, au = s->a.u, b = s->b.k[0], bv = s->b.v, bu = s->b.u, c = s->c.k[0] - g[0], cv = s->c.v, cu = s->c.u;
    for (int from = v_from; from < v_to; from += CHUNK) {
        int n = v_to - from < CHUNK ? v_to - from : CHUNK;
        for (int i = 0; i < n; i++) {
            double v = v_first[from + i], x = a + av * v, y = b + bv * v;
            double u = (x * y + c + cv * v) / (au * y + bu * x + cu) * SCALE;
            off[i] = u - ((u + 6755399441055744.0) - 6755399441055744.0); /* from the nearest whole number */
        }
        for (int i = 0; i < n; i++)
            if (au * bu != 0 || (off[i] < 1e-2 && off[i] > -1e-2))
                look_up(f, s, g, true, from + i);
    }
}

static void show_second(const struct form *f)
{
    struct sides s = sides_of(f);
    double g[POINTS];
    bool u = s.a.u != 0 || s.b.u != 0 || s.c.u != 0, v = s.a.v != 0 || s.b.v != 0 || s.c.v != 0, same = true;
    if ((u && v) != (v_from < v_to))
        return;
    for (int part = RGB; part <= ALPHA; part++)
        if (u && v && f->own[part] && number[f->own[part]] != 0.5)
            return; /* the bound of the alphabet: it would take an hour */
    for (int j = 0; j < POINTS; j++) {
        g[j] = goals[goal_half][j] / modifier[f->modifier];
        same &= s.a.k[j] * s.b.k[j] + s.c.k[j] == g[j];
    }
    if (u && v)
        each_v(f, &s, g);
    else if (u || v)
        look_up(f, &s, g, u, -1);
    else if (same)
        way(f, -1, -1);
}

void second_pair(int half, int which, bool with_channels)
{
    goal_half = half;
    channels = with_channels;
    v_from = which == BOTH ? 0 : plain_v;
    v_to = which == BOTH ? plain_v : which == BOTH_CHANNELS ? first[ALPHA].n : plain_v;
    if (which == SIMPLE)
        set_clear(&ways[half]);
    each_form(true, half == RGB, show_second);
}

/* Entries with the goal's value as keys. */
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
