/* Programs of the extension: all of length 1, and the search for those of length 2. */
#include "superopt.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that COMP, BIAS, 2X and NEG can say, in this order of application. The set is closed under negation and under complementing x, so that a - b needs no
 * operation of its own here and a complemented source none either. */
const struct map maps[MAPS] = {{1, 0, ""}, {-1, 1, ".comp"}, {-1, 0, ".neg"}, {1, -0.5, ".bias"}, {2, 0, ".2x"}, {1, -1, ".comp.neg"}, {-1, 0.5, ".comp.bias"}, {2, -1, ".bias.2x"},
                               {-2, 1, ".comp.bias.2x"}, {-2, 0, ".2x.neg"}, {-2, 2, ".comp.2x"}, {2, -2, ".comp.2x.neg"}};
const double literals[LITERALS] = {0, 1, 0.5, -1, -0.5, 2, -2};
static const double powers[] = {1, 2, 4, 8, 0.5, 0.25, 0.125};
static const int exponents[] = {0, 1, 2, 3, -1, -2, -3};
enum { SCALES = 7, RISING = 4 /* those that are at least 1 */ };

static double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double operate(unsigned op, double a, double b, double c)
{
    switch (op) {
    case OP_MOV: return a;
    case OP_ADD: return a + b;
    case OP_MUL: return a * b;
    case OP_MAD: return a * b + c;
    default: return a * b + (1 - a) * c;
    }
}

static unsigned args_of(unsigned op) { return op == OP_MOV ? 1 : op <= OP_MUL ? 2 : 3; }

static double argument(unsigned arg, const double *source, double earlier)
{
    if (arg >= EARLIER)
        return maps[arg - EARLIER].m * earlier + maps[arg - EARLIER].t;
    if (arg >= ARG_LITERAL)
        return literals[arg - ARG_LITERAL];
    return maps[arg % MAPS].m * source[arg / MAPS] + maps[arg % MAPS].t;
}

double program_value(const struct program *program, const double *source, bool *in_range)
{
    double v = 0;
    for (unsigned i = 0; i < program->n; i++) {
        const struct inst *inst = &program->inst[i];
        double a[3] = {0, 0, 0};
        for (unsigned k = 0; k < args_of(inst->op); k++)
            a[k] = argument(inst->arg[k], source, v);
        v = operate(inst->op, a[0], a[1], a[2]);
        if (fabs(v) > 8 || (inst->op == OP_LERP && (a[0] < 0 || a[0] > 1)))
            *in_range = false;
        v = ldexp(v, inst->scale);
        if (inst->sat)
            v = unit(v);
        if (fabs(v) > 8)
            *in_range = false;
    }
    return v;
}

const char *program_text(char *buffer, size_t size, const struct program *program)
{
    static const char *const name[] = {"mov", "add", "mul", "mad", "lerp"}, *const scale[] = {".eighth", ".quarter", ".half", "", ".2x", ".4x", ".8x"};
    static const char *const source[] = {"T0", "T1", "T2", "F"}, *const literal[] = {"0", "1", "0.5", "-1", "-0.5", "2", "-2"};
    size_t n = 0;
    buffer[0] = 0;
    for (unsigned i = 0; i < program->n; i++) {
        const struct inst *inst = &program->inst[i];
        n += (size_t)snprintf(buffer + n, size - n, "%s%s%s%s", i ? "; " : "", name[inst->op], scale[inst->scale + 3], inst->sat ? ".sat" : "");
        for (unsigned k = 0; k < args_of(inst->op); k++) {
            unsigned arg = inst->arg[k];
            const char *base = arg >= EARLIER ? "%0" : arg >= ARG_LITERAL ? literal[arg - ARG_LITERAL] : source[arg / MAPS];
            const char *mods = arg >= EARLIER ? maps[arg - EARLIER].text : arg >= ARG_LITERAL ? "" : maps[arg % MAPS].text;
            n += (size_t)snprintf(buffer + n, size - n, "%s%s%s", k ? ", " : " ", base, mods);
        }
    }
    return buffer;
}

/* ---- arguments at the points ---- */

enum { MOST_ARGS = SOURCES * MAPS + LITERALS };
struct column { double v[MOST_POINTS]; };
struct args {
    unsigned n;
    uint8_t code[MOST_ARGS];
    uint8_t positive[MOST_ARGS]; /* the first of it and its negative */
    uint8_t factor[MOST_ARGS];   /* in [0,1] */
    struct column *at;
};

static bool in_unit(const struct points *p, const double *v)
{
    for (unsigned i = 0; i < p->n; i++)
        if (v[i] < 0 || v[i] > 1)
            return false;
    return true;
}

static void find_args(struct args *a, const struct points *p)
{
    a->n = 0;
    a->at = malloc(MOST_ARGS * sizeof *a->at);
    for (unsigned code = 0; code < MOST_ARGS; code++) {
        if (code < ARG_LITERAL && code / MAPS >= p->sources)
            continue;
        for (unsigned i = 0; i < p->n; i++) {
            double source[SOURCES] = {p->at[0][i], p->at[1][i], p->at[2][i], p->at[3][i]};
            a->at[a->n].v[i] = argument(code, source, 0);
        }
        a->code[a->n] = (uint8_t)code;
        a->positive[a->n] = code < ARG_LITERAL ? maps[code % MAPS].m > 0 : literals[code - ARG_LITERAL] >= 0;
        a->factor[a->n] = in_unit(p, a->at[a->n].v);
        a->n++;
    }
}

/* Calls each for every instruction over the arguments, before scale and clamp, simple ones first. */
static void each_inst(const struct args *a, const struct points *p, void (*each)(void *user, const struct inst *inst, const double *raw), void *user)
{
    double raw[MOST_POINTS];
    for (unsigned op = OP_MOV; op <= OP_LERP; op++)
        for (unsigned x = 0; x < a->n; x++) {
            if (((op == OP_MUL || op == OP_MAD) && !a->positive[x]) || (op == OP_LERP && !a->factor[x]))
                continue;
            for (unsigned y = 0; y < (op == OP_MOV ? 1 : a->n); y++) {
                if (op == OP_ADD && y < x)
                    continue;
                if ((op == OP_MUL || op == OP_MAD) && a->positive[y] && y < x)
                    continue;
                for (unsigned z = 0; z < (args_of(op) < 3 ? 1 : a->n); z++) {
                    for (unsigned i = 0; i < p->n; i++)
                        raw[i] = operate(op, a->at[x].v[i], a->at[y].v[i], a->at[z].v[i]);
                    struct inst inst = {.op = (uint8_t)op, .arg = {a->code[x], a->code[y], a->code[z]}};
                    each(user, &inst, raw);
                }
            }
        }
}

static void add_one(void *user, const struct inst *inst, const double *raw)
{
    struct search *s = user;
    for (unsigned k = 0; k < SCALES; k++) {
        double v[MOST_POINTS];
        for (unsigned i = 0; i < s->p->n; i++)
            v[i] = unit(raw[i] * powers[k]);
        bool fresh;
        int64_t at = prints_find(&s->one, points_print(s->p, v, NULL), &fresh);
        if (!fresh)
            continue;
        if (s->one.max > s->nfirst)
            s->first = realloc(s->first, (s->nfirst = s->one.max) * sizeof *s->first);
        s->first[at] = *inst;
        s->first[at].scale = (int8_t)exponents[k];
        s->first[at].sat = 1;
    }
}

void search_init(struct search *s, const struct points *p)
{
    struct args a;
    memset(s, 0, sizeof *s);
    s->p = p;
    prints_init(&s->one);
    find_args(&a, p);
    each_inst(&a, p, add_one, s);
    free(a.at);
}

void search_free(struct search *s)
{
    prints_free(&s->one);
    free(s->first);
}

bool search_one(struct search *s, struct print128 k, struct program *found)
{
    int64_t at = prints_find(&s->one, k, NULL);
    if (at < 0)
        return false;
    found->n = 1;
    found->inst[0] = s->first[at];
    return true;
}

/* ---- two instructions ---- */

struct firsts { const struct points *p; struct prints seen; struct inst *inst; struct column *at; size_t n, max; };

static bool in_range(const struct points *p, const double *v)
{
    for (unsigned i = 0; i < p->n; i++)
        if (fabs(v[i]) > 8)
            return false;
    return true;
}

/* The smallest fingerprint of v and 1-v under all symmetries: of values that agree in it, one is enough. */
static struct print128 complement_print(const struct points *p, const double *v)
{
    double w[MOST_POINTS];
    for (unsigned i = 0; i < p->n; i++)
        w[i] = 1 - v[i];
    struct print128 k = points_orbit_print(p, v), l = points_orbit_print(p, w);
    return k.a < l.a || (k.a == l.a && k.b < l.b) ? k : l;
}

static void add_first(void *user, const struct inst *inst, const double *raw)
{
    struct firsts *f = user;
    if (inst->op == OP_MOV && inst->arg[0] >= ARG_LITERAL)
        return;
    if (!in_range(f->p, raw))
        return;
    for (unsigned k = 0; k < SCALES; k++)
        for (unsigned sat = 0; sat < 2; sat++) {
            double v[MOST_POINTS];
            for (unsigned i = 0; i < f->p->n; i++)
                v[i] = sat ? unit(raw[i] * powers[k]) : raw[i] * powers[k];
            bool fresh;
            if (!in_range(f->p, v))
                continue;
            prints_find(&f->seen, complement_print(f->p, v), &fresh);
            if (!fresh)
                continue;
            if (f->n == f->max) {
                f->max = f->max ? 2 * f->max : 1024;
                f->inst = realloc(f->inst, f->max * sizeof *f->inst);
                f->at = realloc(f->at, f->max * sizeof *f->at);
            }
            f->inst[f->n] = *inst;
            f->inst[f->n].scale = (int8_t)exponents[k];
            f->inst[f->n].sat = (uint8_t)sat;
            memcpy(f->at[f->n++].v, v, sizeof v);
        }
}

/* Looking for functions by their values at the first FILTER points, then at more, then at all. The search has an order of points of its own, in which the first
 * ones tell the wanted functions apart as well as can be. */
enum { LEVELS = 3, ORDERED = 96 };
static const unsigned level_points[LEVELS] = {FILTER, 24, ORDERED};

/* Keys of the wanted functions at one level, and how many of them are still to be found. */
struct keys { uint64_t *key; uint32_t *left; size_t mask; };

/* Candidates that pass all levels and yet are not wanted: points at which they differ from the only wanted row with the key, and the row's values there. */
enum { WITNESSES = 12 };
struct witness { uint32_t row; uint16_t n, point[WITNESSES]; double value[WITNESSES]; };

struct second {
    struct search *s;
    const struct args *a;  /* the columns here are in the search's order of points */
    struct column *at;
    uint16_t order[MOST_POINTS];
    struct prints wanted;  /* fingerprints of the wanted functions under all symmetries */
    uint32_t *which;       /* wanted function, times symmetries */
    struct keys level[LEVELS];
    bool constant_left[2];   /* a wanted function is 0, 1 at all ordered points */
    struct witness *witness; /* for each slot of the last level */
    uint64_t *filter;      /* bits: keys of the first level that are left */
    unsigned filter_shift;
    struct program *found;
    size_t left;
    const struct chain *chains;
    const struct inst *first;
    struct column v[MAPS];
    unsigned long long tried, passed;
};

static const double weight[FILTER] = {0.5772156649015329, 0.9159655941772190, 0.2614972128476428, 0.6434105462883380,
                                      0.7390851332151607, 0.4142135623730950, 0.3036630028987327, 0.8346268416740732};

static inline uint64_t first_key(const double *v)
{
    double even = 0, odd = 0;
    for (unsigned i = 0; i < FILTER; i += 2)
        even += v[i] * weight[i], odd += v[i + 1] * weight[i + 1];
    double sum = even + odd + 1;
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits * 0x9fb21c651e98df25u;
}

static uint64_t next_key(uint64_t key, const double *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        double x = v[i] + 0.0;
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        key = (key ^ bits ^ bits >> 29) * 0xd6e8feb86659fd93u;
        key ^= key >> 32;
    }
    return key;
}

static size_t slot_of(const struct keys *k, uint64_t key)
{
    size_t at = (key >> 20) & k->mask;
    while (k->left[at] && k->key[at] != key)
        at = (at + 1) & k->mask;
    return at;
}

/* Counts start at 1, so that a key of which none is left keeps its slot. */
static void want(struct keys *k, uint64_t key, int change)
{
    size_t at = slot_of(k, key);
    k->key[at] = key;
    k->left[at] = (k->left[at] ? k->left[at] : 1) + (uint32_t)change;
}

static bool wants(const struct keys *k, uint64_t key) { return k->left[slot_of(k, key)] > 1; }

static uint64_t row_key(const double *row)
{
    uint64_t key = first_key(row);
    for (unsigned l = 1; l < LEVELS; l++)
        key = next_key(key, row + level_points[l - 1], level_points[l] - level_points[l - 1]);
    return key;
}

static void fill_filter(struct second *t)
{
    for (unsigned one = 0; one < 2; one++) {
        double row[ORDERED];
        for (unsigned i = 0; i < ORDERED; i++)
            row[i] = one;
        t->constant_left[one] = wants(&t->level[LEVELS - 1], row_key(row));
    }
    memset(t->filter, 0, ((size_t)1 << (64 - t->filter_shift)) / 8);
    for (size_t i = 0; i <= t->level[0].mask; i++)
        if (t->level[0].left[i] > 1) {
            uint64_t at = t->level[0].key[i] >> t->filter_shift;
            t->filter[at / 64] |= (uint64_t)1 << (at % 64);
        }
}

/* Changes the counts of a row's keys. Returns its slot in the last level. */
static size_t want_row(struct second *t, const double *row, int change)
{
    uint64_t key = first_key(row);
    want(&t->level[0], key, change);
    for (unsigned l = 1; l < LEVELS; l++) {
        key = next_key(key, row + level_points[l - 1], level_points[l] - level_points[l - 1]);
        want(&t->level[l], key, change);
    }
    return slot_of(&t->level[LEVELS - 1], key);
}

static void make_row(double *row, const struct second *t, const double *value, unsigned g)
{
    const struct points *p = t->s->p;
    for (unsigned k = 0; k < p->n; k++)
        row[k] = value[p->nsymmetries > 1 ? p->image[g][t->order[k]] : t->order[k]];
}

/* Greedy: each next point splits the wanted functions, and 0 and 1, into the most groups. */
static void find_order(struct second *t, size_t n)
{
    enum { ROWS = 4096, SLOTS = 4 * ROWS };
    const struct points *p = t->s->p;
    size_t images = n * p->nsymmetries, nrows = images + 2 < ROWS ? images + 2 : ROWS;
    struct column *row = malloc(nrows * sizeof *row);
    uint32_t *group = calloc(nrows, sizeof *group), *fresh = malloc(nrows * sizeof *fresh), *slot = malloc(SLOTS * sizeof *slot);
    for (unsigned k = 0; k < p->n; k++)
        t->order[k] = (uint16_t)k;
    for (size_t r = 0; r < nrows; r++) {
        double value[MOST_POINTS];
        size_t image = r < 2 ? 0 : (r - 2) * images / (nrows - 2);
        chain_value(value, &t->chains[image / p->nsymmetries], p, AS_IT_IS);
        make_row(row[r].v, t, value, image % p->nsymmetries);
        for (unsigned k = 0; r < 2 && k < p->n; k++)
            row[r].v[k] = r; /* most candidates are constant */
    }
    for (unsigned at = 0; at < ORDERED && at < p->n; at++) {
        unsigned best = at, most = 0;
        for (unsigned round = 0; round <= 96; round++) {
            unsigned candidate = round == 96 ? best : at + (round * 2654435761u >> 8) % (p->n - at), point = t->order[candidate], groups = 0;
            memset(slot, 0xff, SLOTS * sizeof *slot);
            for (size_t r = 0; r < nrows; r++) {
                double x = row[r].v[point] + 0.0;
                uint64_t bits;
                memcpy(&bits, &x, sizeof bits);
                size_t h = ((bits ^ bits >> 31) + group[r]) * 0x9fb21c651e98df25u >> 40 & (SLOTS - 1);
                while (slot[h] != UINT32_MAX && (group[slot[h]] != group[r] || row[slot[h]].v[point] != x))
                    h = (h + 1) & (SLOTS - 1);
                if (slot[h] == UINT32_MAX)
                    slot[h] = (uint32_t)r, groups++;
                fresh[r] = slot[h];
            }
            if (round < 96 && groups > most)
                most = groups, best = candidate;
        }
        memcpy(group, fresh, nrows * sizeof *group);
        uint16_t swap = t->order[at];
        t->order[at] = t->order[best], t->order[best] = swap;
    }
    free(row), free(group), free(fresh), free(slot);
}

/* Most candidates are 0 or 1 everywhere: puts points at the end of the ordered ones so that no wanted function is. */
static void tell_from_constants(struct second *t, size_t n)
{
    const struct points *p = t->s->p;
    unsigned at = ORDERED;
    double value[MOST_POINTS], row[MOST_POINTS];
    for (size_t i = 0; i < n * p->nsymmetries && p->n > ORDERED && at > ORDERED / 2; i++) {
        if (i % p->nsymmetries == 0)
            chain_value(value, &t->chains[i / p->nsymmetries], p, AS_IT_IS);
        make_row(row, t, value, i % p->nsymmetries);
        unsigned k = 0;
        while (k < ORDERED && row[k] == row[0])
            k++;
        if (k < ORDERED || (row[0] != 0 && row[0] != 1))
            continue;
        while (k < p->n && row[k] == row[0])
            k++;
        if (k == p->n)
            continue;
        uint16_t swap = t->order[--at];
        t->order[at] = t->order[k], t->order[k] = swap;
    }
}

static const double *column_of(const struct second *t, unsigned arg) /* argument number: of a, or EARLIER + map */
{
    return arg >= EARLIER ? t->v[arg - EARLIER].v : t->at[arg].v;
}

/* program' with program'(x) = program(symmetry(x)). */
static struct program transformed(const struct program *program, unsigned sources, unsigned g)
{
    struct program out = *program;
    double zero[SOURCES] = {0}, at[SOURCES], base[SOURCES];
    points_transform(base, zero, sources, g);
    for (unsigned s = 0; s < sources; s++) {
        zero[s] = 0.25;
        points_transform(at, zero, sources, g);
        zero[s] = 0;
        for (unsigned i = 0; i < out.n; i++)
            for (unsigned k = 0; k < args_of(out.inst[i].op); k++) {
                unsigned arg = program->inst[i].arg[k];
                if (arg >= ARG_LITERAL || at[arg / MAPS] == base[arg / MAPS])
                    continue; /* does not read source s once transformed */
                struct map m = maps[arg % MAPS];
                if (base[arg / MAPS] == 1)
                    m.t += m.m, m.m = -m.m;
                for (unsigned n = 0; n < MAPS; n++)
                    if (maps[n].m == m.m && maps[n].t == m.t)
                        out.inst[i].arg[k] = (uint8_t)(s * MAPS + n);
            }
    }
    return out;
}

bool program_fit(struct program *program, const struct points *p, const double *value)
{
    for (unsigned g = 0; g < p->nsymmetries; g++) {
        struct program out = transformed(program, p->sources, g);
        bool same = true, in = true;
        for (unsigned i = 0; i < p->n && same; i++) {
            double x[SOURCES] = {p->at[0][i], p->at[1][i], p->at[2][i], p->at[3][i]};
            same = program_value(&out, x, &in) == value[i];
        }
        if (same) {
            *program = out;
            return true;
        }
    }
    return false;
}

/* Values of a candidate at points from .. to; false if the operation's own value leaves [-8,8]. */
static bool candidate_values(double *restrict v, unsigned op, const double *const *arg, double scale, unsigned from, unsigned to)
{
    const double *a = arg[0], *b = arg[1], *c = arg[2];
    double least = 0, most = 0;
    if (op == OP_MAD)
        for (unsigned i = from; i < to; i++)
            v[i] = a[i] * b[i] + c[i];
    else
        for (unsigned i = from; i < to; i++)
            v[i] = a[i] * b[i] + (1 - a[i]) * c[i];
    for (unsigned i = from; i < to; i++) {
        double x = v[i], y = x * scale;
        least = x < least ? x : least;
        most = x > most ? x : most;
        y = y > 0 ? y : 0;
        v[i] = y < 1 ? y : 1;
    }
    return least >= -8 && most <= 8;
}

static void add_witness(struct second *t, struct witness *w, uint32_t left, const double *v)
{
    double value[MOST_POINTS], row[MOST_POINTS];
    if (left != 2 || w->n == WITNESSES || t->found[w->row / t->s->p->nsymmetries].n)
        return;
    chain_value(value, &t->chains[w->row / t->s->p->nsymmetries], t->s->p, AS_IT_IS);
    make_row(row, t, value, w->row % t->s->p->nsymmetries);
    for (unsigned i = level_points[LEVELS - 1]; i < t->s->p->n; i++)
        if (row[i] != v[i]) {
            w->point[w->n] = (uint16_t)i;
            w->value[w->n++] = row[i];
            return;
        }
}

static void hit(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z, unsigned k, uint64_t key)
{
    const double *const arg[3] = {column_of(t, x), column_of(t, y), column_of(t, z)};
    const struct points *p = t->s->p;
    double v[MOST_POINTS], value[MOST_POINTS], row[MOST_POINTS];
    if (!wants(&t->level[0], key) || !candidate_values(v, op, arg, powers[k], 0, FILTER))
        return;
    for (unsigned l = 1; l < LEVELS; l++) {
        unsigned from = level_points[l - 1], to = level_points[l];
        if (!candidate_values(v, op, arg, powers[k], from, to))
            return;
        key = next_key(key, v + from, to - from);
        if (!wants(&t->level[l], key))
            return;
    }
    struct witness *witness = &t->witness[slot_of(&t->level[LEVELS - 1], key)];
    for (unsigned i = 0; i < witness->n; i++) {
        candidate_values(v, op, arg, powers[k], witness->point[i], witness->point[i] + 1u);
        if (v[witness->point[i]] != witness->value[i])
            return;
    }
    t->passed++;
    if (!candidate_values(v, op, arg, powers[k], level_points[LEVELS - 1], p->n))
        return;
    int64_t at = prints_find(&t->wanted, points_print(p, v, NULL), NULL);
    if (at < 0) {
        add_witness(t, witness, t->level[LEVELS - 1].left[witness - t->witness], v);
        return;
    }
    size_t which = t->which[at] / p->nsymmetries;
    if (t->found[which].n)
        return;
    struct inst second = {.op = (uint8_t)op, .scale = (int8_t)exponents[k], .sat = 1};
    unsigned number[3] = {x, y, z};
    for (unsigned i = 0; i < 3; i++)
        second.arg[i] = number[i] >= EARLIER ? (uint8_t)number[i] : t->a->code[number[i]];
    t->found[which] = (struct program){2, {*t->first, second}};
    chain_value(value, &t->chains[which], p, AS_IT_IS);
    program_fit(&t->found[which], p, value);
    t->left--;
    for (unsigned g = 0; g < p->nsymmetries; g++) {
        make_row(row, t, value, g);
        at = prints_find(&t->wanted, points_print(p, row, NULL), NULL);
        if (t->which[at] == which * p->nsymmetries + g)
            want_row(t, row, -1);
    }
}

/* The candidate is 0 (or at least 1 before its clamp) at all ordered points, and nothing that is left is: most candidates are constant there. */
static bool idle(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z, bool one)
{
    if (t->constant_left[one])
        return false;
    const double *a = column_of(t, x), *b = column_of(t, y), *c = column_of(t, z);
    for (unsigned i = FILTER; i < ORDERED && i < t->s->p->n; i++) {
        double v = operate(op, a[i], b[i], c[i]);
        if (one ? v < 1 : v > 0)
            return false;
    }
    return true;
}

static inline void try_all_scales(struct second *t, unsigned op, unsigned x, unsigned y, unsigned z)
{
    const double *a = column_of(t, x), *b = column_of(t, y), *c = column_of(t, z);
    double raw[FILTER];
    if (op == OP_MAD)
        for (unsigned i = 0; i < FILTER; i++)
            raw[i] = a[i] * b[i] + c[i];
    else
        for (unsigned i = 0; i < FILTER; i++)
            raw[i] = a[i] * b[i] + (1 - a[i]) * c[i];
    double least = raw[0], most = raw[0];
    for (unsigned i = 1; i < FILTER; i++) {
        least = raw[i] < least ? raw[i] : least;
        most = raw[i] > most ? raw[i] : most;
    }
    t->tried += SCALES;
    if (most <= 0 && idle(t, op, x, y, z, false))
        return;
    for (unsigned k = least >= 1 && idle(t, op, x, y, z, true) ? RISING : 0; k < SCALES; k++) {
        double v[FILTER];
        for (unsigned i = 0; i < FILTER; i++) {
            double y0 = raw[i] * powers[k];
            y0 = y0 > 0 ? y0 : 0;
            v[i] = y0 < 1 ? y0 : 1;
        }
        uint64_t key = first_key(v), at = key >> t->filter_shift;
        if (t->filter[at / 64] >> (at % 64) & 1)
            hit(t, op, x, y, z, k, key);
    }
}

static void try_seconds(struct second *t)
{
    const struct args *a = t->a;
    const struct points *p = t->s->p;
    unsigned n = a->n, zero = 0;
    for (unsigned x = 0; x < n; x++)
        if (a->code[x] == ARG_LITERAL)
            zero = x;
    /* v in the product */
    for (unsigned m = 0; m < MAPS; m++) {
        if (maps[m].m < 0)
            continue;
        for (unsigned y = 0; y < n; y++) {
            if (y == zero)
                continue;
            for (unsigned z = 0; z < n; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, y, z);
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, y, EARLIER + z);
        }
        for (unsigned m2 = 0; m2 < MAPS; m2++) {
            if (maps[m2].m > 0 && m2 < m)
                continue;
            for (unsigned z = 0; z < n; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, EARLIER + m2, z);
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, EARLIER + m, EARLIER + m2, EARLIER + z);
        }
    }
    /* v in the sum only */
    for (unsigned x = 0; x < n; x++)
        for (unsigned y = 0; y < n; y++) {
            if (!a->positive[x] || (a->positive[y] && y < x) || x == zero || y == zero)
                continue;
            for (unsigned z = 0; z < MAPS; z++)
                try_all_scales(t, OP_MAD, x, y, EARLIER + z);
        }
    /* blends: by v, then of v */
    for (unsigned m = 0; m < MAPS; m++) {
        if (!in_unit(p, t->v[m].v) || m == 1) /* by 1-v: the other way round */
            continue;
        for (unsigned y = 0; y < n + MAPS; y++)
            for (unsigned z = 0; z < n + MAPS; z++)
                try_all_scales(t, OP_LERP, EARLIER + m, y < n ? y : EARLIER + y - n, z < n ? z : EARLIER + z - n);
    }
    for (unsigned x = 0; x < n; x++) {
        if (!a->factor[x])
            continue;
        for (unsigned y = 0; y < MAPS; y++)
            for (unsigned z = 0; z < n + MAPS; z++)
                try_all_scales(t, OP_LERP, x, EARLIER + y, z < n ? z : EARLIER + z - n);
    }
}

void search_two(struct search *s, size_t n, const struct chain *wanted, struct program *found)
{
    const struct points *p = s->p;
    struct args a;
    struct firsts f = {.p = p};
    find_args(&a, p);
    prints_init(&f.seen);
    each_inst(&a, p, add_first, &f);

    struct second *t = calloc(1, sizeof *t);
    t->s = s, t->a = &a, t->found = found, t->chains = wanted, t->left = n;
    find_order(t, n);
    tell_from_constants(t, n);
    t->at = malloc(a.n * sizeof *t->at);
    for (unsigned x = 0; x < a.n; x++)
        for (unsigned k = 0; k < p->n; k++)
            t->at[x].v[k] = a.at[x].v[t->order[k]];
    size_t slots = 1u << 12, bits = 1u << 19;
    while (slots < 2 * n * p->nsymmetries)
        slots *= 2;
    while (bits < 16 * n * p->nsymmetries)
        bits *= 2;
    for (t->filter_shift = 64; (size_t)1 << (64 - t->filter_shift) < bits; t->filter_shift--)
        ;
    t->filter = malloc(bits / 8);
    for (unsigned l = 0; l < LEVELS; l++)
        t->level[l] = (struct keys){calloc(slots, sizeof(uint64_t)), calloc(slots, sizeof(uint32_t)), slots - 1};
    t->witness = calloc(slots, sizeof *t->witness);
    t->which = malloc(n * p->nsymmetries * sizeof *t->which);
    prints_init(&t->wanted);
    for (size_t i = 0; i < n; i++) {
        double value[MOST_POINTS], row[MOST_POINTS];
        found[i].n = 0;
        chain_value(value, &wanted[i], p, AS_IT_IS);
        for (unsigned g = 0; g < p->nsymmetries; g++) {
            bool fresh;
            make_row(row, t, value, g);
            int64_t at = prints_find(&t->wanted, points_print(p, row, NULL), &fresh);
            if (!fresh)
                continue;
            t->which[at] = (uint32_t)(i * p->nsymmetries + g);
            t->witness[want_row(t, row, 1)].row = t->which[at];
        }
    }
    for (size_t i = 0; i < f.n && t->left; i++) {
        if (i % 64 == 0)
            fill_filter(t);
        t->first = &f.inst[i];
        for (unsigned m = 0; m < MAPS; m++)
            for (unsigned k = 0; k < p->n; k++)
                t->v[m].v[k] = maps[m].m * f.at[i].v[t->order[k]] + maps[m].t;
        try_seconds(t);
    }
    printf("  search: %zu first instructions, %llu programs, %llu compared at all points\n", f.n, t->tried, t->passed);
    prints_free(&t->wanted);
    for (unsigned l = 0; l < LEVELS; l++)
        free(t->level[l].key), free(t->level[l].left);
    free(t->which), free(t->witness), free(t->filter), free(t->at), free(t);
    prints_free(&f.seen);
    free(f.inst), free(f.at);
    free(a.at);
}
