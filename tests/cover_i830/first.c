/* All values of one stage of leaves, without doubles, found again by what they are at a few samples. */
#include "cover.h"

static const char *const text[LOPS] = {"%s", "%s*%s", "%s+%s", "%s+%s-.5", "%s-%s", "blend(%s,%s,%s)", "%s*%s+%s"};

/* Values of a pipe of one sample a point at `per` samples a point. */
void entry_values(const struct pipe *p, const struct entry *e, int samples, int per, double *v)
{
    const double *x = p->leaf[e->x].v, *y = p->leaf[e->y].v, *z = p->leaf[e->z].v;
    for (int i = 0; i < samples; i++)
        v[i] = clamp((1 << e->s) * leaf_value(e->op, e->k, x[i / per], y[i / per], z[i / per]));
}

int entry_text(char *out, size_t room, const struct leaf *leaf, const struct entry *e)
{
    static const char *const factor[3] = {"", "2", "4"}, *const scale[3] = {"", "*2", "*4"};
    char body[300];
    snprintf(body, sizeof body, text[e->op], leaf[e->x].name, leaf[e->y].name, leaf[e->z].name);
    return snprintf(out, room, "%s%s%s", factor[e->k], body, scale[e->s]);
}

bool entry_within(const struct pipe *p, const struct goal *g, const struct entry *e)
{
    const double *x = p->leaf[e->x].v, *y = p->leaf[e->y].v, *z = p->leaf[e->z].v;
    for (int i = 0; i < p->samples; i++)
        if (!allowed(g, i, clamp((1 << e->s) * leaf_value(e->op, e->k, x[i], y[i], z[i]))))
            return false;
    return true;
}

/* ---- making it ---- */

static uint64_t (*seen)[2];
static uint64_t room;

static bool is_new(const double *v, int n, uint32_t mask)
{
    uint64_t a = 1469598103934665603u ^ mask, b = 88172645463325252u + mask;
    for (int i = 0; i < n; i++) {
        uint64_t w = (uint64_t)llround(v[i] * 1e12);
        a = (a ^ w) * 1099511628211u;
        a ^= a >> 29;
        b = (b + w) * 0x9E3779B97F4A7C15u;
        b ^= b >> 32;
    }
    uint64_t at = a % room;
    for (; seen[at][0] || seen[at][1]; at = (at + 1) % room)
        if (seen[at][0] == a && seen[at][1] == b)
            return false;
    seen[at][0] = a, seen[at][1] = b;
    return true;
}

static const struct table *sorting;
static int sorting_key;
static int by_key(const void *a, const void *b)
{
    double x = sorting->entry[*(const uint32_t *)a].key[sorting_key], y = sorting->entry[*(const uint32_t *)b].key[sorting_key];
    return (x > y) - (x < y);
}

void make_table(struct pipe *p)
{
    struct table *t = &p->table;
    uint64_t n = (uint64_t)p->nleaf, most = n * 3 + n * n * 12 + n * n * n * (full ? 12 : 3);
    room = 2 * most + 16;
    seen = calloc(room, sizeof *seen);
    t->entry = malloc(most * sizeof *t->entry);
    if (!seen || !t->entry)
        exit(2);
    for (int i = 0; i < KEYS; i++)
        t->at[i] = p->samples > KEYS ? i : i % p->samples;
    static double v[SAMPLES];
    struct entry e;
    memset(&e, 0, sizeof e);
    for (int op = 0; op < (full ? LOPS : L_MAA); op++)
        for (uint64_t x = 0; x < n; x++)
            for (uint64_t y = op == L_SUB || op == L_BLEND || op == L_ARG ? 0 : x; y < (op == L_ARG ? 1 : n); y++)
                for (uint64_t z = 0; z < (op < L_BLEND ? 1 : n); z++)
                    for (int k = 0; k < (op == L_MAA ? 3 : 1); k++)
                        for (int s = 0; s < 3; s++) {
                            e.op = (uint8_t)op, e.k = (uint8_t)k, e.s = (uint8_t)s;
                            e.x = (uint8_t)x, e.y = (uint8_t)(op == L_ARG ? x : y), e.z = (uint8_t)(op < L_BLEND ? x : z);
                            const struct leaf *l[3] = {&p->leaf[e.x], &p->leaf[e.y], &p->leaf[e.z]};
                            e.mask = 0, e.avail = 0;
                            for (int i = 0; i < 3; i++) {
                                e.mask |= l[i]->mask;
                                if (l[i]->avail > e.avail)
                                    e.avail = (uint8_t)l[i]->avail;
                            }
                            entry_values(p, &e, p->samples, 1, v);
                            if (!is_new(v, p->samples, e.mask << 3 | e.avail))
                                continue;
                            for (int i = 0; i < KEYS; i++)
                                e.key[i] = v[t->at[i]];
                            t->entry[t->n++] = e;
                        }
    free(seen);
    for (int i = 0; i < KEYS; i++) {
        t->order[i] = malloc((t->n + 1) * sizeof(uint32_t));
        if (!t->order[i])
            exit(2);
        for (uint32_t j = 0; j < t->n; j++)
            t->order[i][j] = j;
        sorting = t, sorting_key = i;
        qsort(t->order[i], t->n, sizeof(uint32_t), by_key);
    }
}

/* ---- looking up ---- */

static uint32_t first_from(const struct table *t, int key, double v)
{
    uint32_t lo = 0, hi = t->n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (t->entry[t->order[key][mid]].key[key] < v)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static void range(const struct table *t, const struct goal *g, struct cursor *c)
{
    int i = t->at[c->which];
    c->at = c->end = 0;
    if (g->lo[c->piece][i] <= g->hi[c->piece][i] + EPS) {
        c->at = first_from(t, c->which, g->lo[c->piece][i] - EPS);
        c->end = first_from(t, c->which, g->hi[c->piece][i] + 2 * EPS);
    }
}

/* By the sample that leaves the least. */
static void begin(const struct table *t, const struct goal *g, struct cursor *c)
{
    double best = 9;
    for (int i = 0; i < KEYS; i++) {
        double width = 0;
        for (int piece = 0; piece < 2; piece++)
            width += fmax(0, g->hi[piece][t->at[i]] - g->lo[piece][t->at[i]]);
        if (width < best)
            best = width, c->which = i;
    }
    c->started = true;
    range(t, g, c);
}

static const struct entry *step(const struct table *t, const struct goal *g, struct cursor *c, int stage, uint32_t missing)
{
    if (!c->started)
        begin(t, g, c);
    for (;;) {
        while (c->at < c->end) {
            const struct entry *e = &t->entry[t->order[c->which][c->at++]];
            if (missing & ~e->mask || e->avail > stage)
                continue;
            int i = 0;
            while (i < KEYS && allowed(g, t->at[i], e->key[i]))
                i++;
            if (i == KEYS)
                return e;
        }
        if (c->piece++)
            return NULL;
        range(t, g, c);
    }
}

const struct entry *next_entry(const struct pipe *p, const struct goal *g, struct cursor *c, int stage, uint32_t missing)
{
    const struct entry *e;
    while ((e = step(&p->table, g, c, stage, missing)) && !entry_within(p, g, e))
        ;
    return e;
}

bool some_entry(const struct pipe *p, const struct goal *g, int stage, uint32_t missing)
{
    struct cursor c = {0};
    return step(&p->table, g, &c, stage, missing) != NULL;
}
