/* Programs of blend stages of the i830 that compute given values where nothing is clamped (used by tests/cover_i830.py).
 *
 * In a part of the input space where none of the clamps of a texture environment acts, its result is a polynomial. Whatever program computes the
 * texture environment computes that polynomial there, too, and near a suitable point of that part each of its stages is either unclamped or constantly 0 or 1,
 * which are inputs anyway. So: if no program without clamps, of at most as many stages and with all its values between 0 and 1, gives the
 * polynomial at some points of the part, then no program at all computes the texture environment. That question is exact (each operation has one
 * unknown, CURRENT, and at most two solutions for it at a point) and is searched from both ends:
 *
 *     backwards from the result through the last one or two stages: each operation with each input, solved for CURRENT
 *     forwards: all values of one stage, and all of two
 *     both meet in a hash of their values at two points, and are compared at all
 *
 * Alphabet: inputs are the textures and colours given, their complements, 0, 1; ARG1, MODULATE, ADD, ADDSIGNED, SUBTRACT, BLEND, scales 1, 2, 4; CURRENT in any
 * arguments, also several; with "full" MODULATE_AND_ADD with 1x, 2x, 4x, its result scaled by 1, 2, 4. Of these all programs of up to four stages are tried. Further
 *   lent   values of one stage of the alpha pipe, that the colour pipe may read from its second stage on (any number of them, but at most
 *          one in a stage if there are more than 40), and numbers of two stages from its third stage on
 *   ACCUM  ("second") one value u of one stage, the program's first, kept: read anywhere later, also by several stages, beside a CURRENT that may come from it
 *          or not; or one value m of two stages kept, read by the third stage, and by the fourth beside what the third made of it and inputs. Not tried: ACCUM
 *          that changes; a third stage that reads both m and what m was made of.
 * Dots are not tried here.
 *
 * stdin:  samples inputs least most full second seconds wanted; inputs: name avail lent, values at AT points, then at the samples; the same of the result.
 * stdout: "cover N PROGRAM" for each program of N stages that is right at all samples, clamps included; the first number of stages that has one ends the search, after
 *         `wanted` of them; then one line
 *         "none"     no program of `least` to `most` stages, even where nothing is clamped
 *         "local N S" N programs are right where nothing is clamped, the shortest of S stages, and none everywhere, nor behind one or two stages that are constant in
 *                    the part. A program with a stage that is constant there would have a shorter one there, of as many stages as follow the last such; so if S is
 *                    at least most - 2, no program computes the result. (But for ACCUM and lent values, that may be clamped as well: there S has to be `most`.)
 *         "budget"   time is up
 *         "done"     covers were printed
 */
#include "local.h"

bool full;
static bool second;
static int least, most, wanted_covers, covers;
static long local_only;
static int shortest_local = 99;
static double *target_everywhere;
static struct wanted target;
static clock_t deadline;
static struct ops ops, aops; /* of inputs; those that read ACCUM */
static struct value *value;
static int values;

static bool out_of_time(void)
{
    static bool late;
    static unsigned count;
    if (!late && !(++count & 15) && clock() > deadline)
        late = true;
    return late;
}

/* ---- a program that fits in the part ---- */

struct link { const struct ops *ops; int op; };
struct program { int u; int start, n; struct link link[5]; }; /* u: index of the value in ACCUM or NONE; start: input, or accum_at */

static double clamped(const struct op *e, double p, double x, double y)
{
    double a, b, c;
    coefficients(e->form, 1 << e->k, x, y, &a, &b, &c);
    return clamp((1 << e->s) * ((a * p + b) * p + c));
}

static double everywhere(const struct op *e, double p, int sample)
{
    return clamped(e, p, e->x < 0 ? 0 : in[e->x].everywhere[sample], e->y < 0 ? 0 : in[e->y].everywhere[sample]);
}

static int say(char *out, const struct op *e, const char *p)
{
    static const char *const scale[3] = {"", "*2", "*4"};
    char *begin = out;
    for (const char *t = forms[e->form].text; *t; t++)
        if (*t == 'k')
            out += sprintf(out, "%s", e->k == 2 ? "4" : e->k ? "2" : "");
        else if (*t == 'x' || *t == 'y')
            out += sprintf(out, "%s", in[*t == 'x' ? e->x : e->y].name);
        else if (*t == 'P')
            out += sprintf(out, "%s", p);
        else
            *out++ = *t;
    return (int)(out - begin) + sprintf(out, "%s", scale[e->s]);
}

static void set_accum_name(int u)
{
    char text[64];
    if (value[u].op == NONE)
        sprintf(text, "%.60s", in[value[u].start].name);
    else
        say(text, &ops.op[value[u].op], in[value[u].start].name);
    sprintf(in[accum_at].name, "[%.60s]", text);
    sprintf(in[accum_at + 1].name, "~[%.60s]", text);
}

/* Whether a program is right at all samples. */
static bool right_everywhere(const struct program *p)
{
    for (int i = 0; i < samples; i++) {
        double u = 0;
        if (p->u != NONE) {
            const struct value *e = &value[p->u];
            u = in[e->start].everywhere[i];
            if (e->op != NONE)
                u = everywhere(&ops.op[e->op], u, i);
            in[accum_at].everywhere[i] = u, in[accum_at + 1].everywhere[i] = 1 - u;
        }
        double v = in[p->start].everywhere[i];
        for (int j = 0; j < p->n; j++)
            v = everywhere(&p->link[j].ops->op[p->link[j].op], v, i);
        if (fabs(v - target_everywhere[i]) > 1e-9)
            return false;
    }
    return true;
}

static bool print_cover(const struct program *p)
{
    if (p->u != NONE)
        set_accum_name(p->u);
    char text[4096], *out = text;
    for (int j = 0; j < p->n; j++) {
        *out++ = '{';
        out += say(out, &p->link[j].ops->op[p->link[j].op], j ? "P" : in[p->start].name);
        out += sprintf(out, j + 1 < p->n ? "} " : "}");
    }
    if (!p->n)
        sprintf(text, "{%s}", in[p->start].name);
    printf("cover %d %s\n", p->n + (p->u != NONE) + !p->n, text);
    return ++covers >= wanted_covers;
}

static bool behind_constants(const struct program *p);

/* Judges a program as a whole; true if that ends the search. */
static bool judge(const struct program *p)
{
    if (right_everywhere(p))
        return print_cover(p);
    int n = p->n + (p->u != NONE) + !p->n;
    local_only++;
    if (n < shortest_local)
        shortest_local = n;
    return p->u == NONE && n < most && shortest_local >= most - 2 && behind_constants(p);
}

/* The program of a value, then links. */
static struct program of_value(const struct value *e)
{
    struct program p = {NONE, e->start, 0, {{NULL, 0}}};
    if (e->op != NONE)
        p.link[p.n++] = (struct link){&ops, e->op};
    return p;
}

static void then(struct program *p, const struct ops *o, int op)
{
    p->link[p->n++] = (struct link){o, op};
}

/* ---- values by their cells at the first two points ---- */

#define CELLS 262144.0
static inline uint32_t cell(double v)
{
    return (uint32_t)(v * CELLS + 1);
}
static inline uint32_t key_of(uint32_t a, uint32_t b, int bits_of_key)
{
    return (uint32_t)(((uint64_t)a * 0x9E3779B97F4A7C15u ^ (uint64_t)b * 0xC2B2AE3D27D4EB4Fu) * 0xD6E8FEB86659FD93u >> (64 - bits_of_key));
}

/* A table: bits and heads by key, entries in chains. */
struct table_of { int width; uint64_t *bit; uint32_t *head, n, room; struct place { uint32_t next, what; } *place; };

static void open_table(struct table_of *t, int width)
{
    t->width = width;
    t->bit = calloc((size_t)1 << (width - 6), 8);
    t->head = calloc((size_t)1 << (width - 3), 4);
    t->n = 1;
    if (!t->bit || !t->head)
        exit(2);
}
static inline bool has(const struct table_of *t, uint32_t key)
{
    return t->bit[key >> 6] >> (key & 63) & 1;
}
static void put(struct table_of *t, uint32_t key, uint32_t what)
{
    t->bit[key >> 6] |= (uint64_t)1 << (key & 63);
    if (t->n >= t->room) {
        t->room = t->room ? 2 * t->room : 1 << 16;
        t->place = realloc(t->place, t->room * sizeof *t->place);
        if (!t->place)
            exit(2);
    }
    t->place[t->n] = (struct place){t->head[key >> 3], what};
    t->head[key >> 3] = t->n++;
}
/* Under all cells that are within the tolerance. */
static void put_near(struct table_of *t, double a, double b, uint32_t what)
{
    uint32_t a0 = cell(fmax(a - TOLERANCE, 0)), a1 = cell(a + TOLERANCE), b0 = cell(fmax(b - TOLERANCE, 0)), b1 = cell(b + TOLERANCE);
    for (uint32_t i = a0; i <= a1; i++)
        for (uint32_t j = b0; j <= b1; j++)
            put(t, key_of(i, j, t->width), what);
}
static void put_wanted(struct table_of *t, const struct wanted *g, uint32_t what)
{
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++)
            put_near(t, g->v[0][i], g->v[1][j], what);
}
static void empty_table(struct table_of *t)
{
    memset(t->bit, 0, (size_t)1 << (t->width - 3));
    memset(t->head, 0, (size_t)4 << (t->width - 3));
    t->n = 1;
}
static inline uint32_t key_at(const struct table_of *t, double a, double b)
{
    return key_of(cell(fmax(a, 0)), cell(fmax(b, 0)), t->width);
}

static bool meets(const struct wanted *g, const double *v)
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

/* ---- stages that are constant in the part ---- */

/* A program of n stages that is right in the part may be the rest of a longer one: its first stage may read, as CURRENT, a value that is clamped all over the
 * part, to 0 or 1. These are the values of one and two stages that are, each once. */
struct constant { struct program p; bool one; };
static struct constant *constant;
static int constants, constants_of_one;
static struct table_of of_constants; /* what: 2 * operation + CURRENT, by the result for a constant CURRENT */
static bool constants_made;

static bool constant_here(const double *v, bool *one)
{
    *one = v[0] > .5;
    for (int i = 0; i < AT; i++)
        if (v[i] != *one)
            return false;
    return true;
}

static void keep_constant(const struct program *p, bool one)
{
    static int room;
    if (constants == room)
        constant = realloc(constant, (size_t)(room = room ? 2 * room : 4096) * sizeof *constant);
    if (!constant)
        exit(2);
    constant[constants++] = (struct constant){*p, one};
}

static void add_constant(const struct program *p, const double *v)
{
    double some[64];
    bool one;
    if (!constant_here(v, &one))
        return;
    for (int i = 0; i < 64; i++) {
        int sample = i * (samples / 64 ? samples / 64 : 1) % samples;
        some[i] = in[p->start].everywhere[sample];
        for (int j = 0; j < p->n; j++)
            some[i] = everywhere(&p->link[j].ops->op[p->link[j].op], some[i], sample);
    }
    if (add_to_seen(hash_of(some, 64)))
        keep_constant(p, one);
}

static void clamped_values(int op, const double *p, double *v)
{
    for (int i = 0; i < AT; i++)
        v[i] = clamp(at(&ops, op, i, p[i]));
}

enum { CONSTANTS = 60000 };
static void make_constants(void)
{
    double v[AT], w[AT];
    constants_made = true;
    clear_seen();
    open_table(&of_constants, 20);
    for (int i = 0; i < ops.n; i++)
        for (int one = 0; one < 2; one++) {
            for (int j = 0; j < AT; j++)
                w[j] = one;
            if (forward(&ops, i, w, v))
                put_near(&of_constants, v[0], v[1], (uint32_t)(2 * i + one));
        }
    for (int i = 0; i < ops.n; i++)
        for (int start = 0; start < inputs; start++) {
            if (in[start].avail > 1 || ops.op[i].avail > 1)
                continue;
            clamped_values(i, in[start].v, v);
            add_constant(&(struct program){NONE, start, 1, {{&ops, i}}}, v);
        }
    constants_of_one = constants;
    for (int e = 0; e < values; e++)
        for (int i = 0; i < ops.n && value[e].avail == 1 && value[e].op != NONE && ops.op[i].avail <= 2 && constants < CONSTANTS; i++) {
            clamped_values(i, value[e].v, v);
            add_constant(&(struct program){NONE, value[e].start, 2, {{&ops, value[e].op}, {&ops, i}}}, v);
        }
}

static bool behind_constants(const struct program *p)
{
    double first[AT], v[AT], w[AT];
    if (!constants_made)
        make_constants();
    memcpy(first, in[p->start].v, sizeof first);
    if (p->n && !forward(p->link[0].ops, p->link[0].op, in[p->start].v, first))
        return false;
    uint32_t key = key_at(&of_constants, first[0], first[1]);
    if (!has(&of_constants, key))
        return false;
    for (uint32_t at = of_constants.head[key >> 3]; at && !out_of_time(); at = of_constants.place[at].next) {
        int op = (int)of_constants.place[at].what / 2, one = of_constants.place[at].what & 1, same = 0;
        for (int j = 0; j < AT; j++)
            w[j] = one;
        if (!forward(&ops, op, w, v))
            continue;
        while (same < AT && fabs(v[same] - first[same]) < TOLERANCE)
            same++;
        int rest = p->n > 1 ? p->n - 1 : 0, limit = rest + 3 <= most ? constants : rest + 2 <= most ? constants_of_one : 0;
        for (int c = 0; c < limit && same == AT; c++) {
            struct program longer = constant[c].p;
            if (constant[c].one != one)
                continue;
            longer.link[longer.n++] = (struct link){&ops, op};
            for (int j = 0; j < rest; j++)
                longer.link[longer.n++] = p->link[j + 1];
            if (right_everywhere(&longer) && print_cover(&longer))
                return true;
        }
    }
    return false;
}

/* ---- chains ---- */

static struct table_of of_values; /* what: index of a value */
struct ending { struct wanted w; int op; }; /* CURRENT before the last stage, which is op */
static struct ending *goal;
static int goals, goal_room;

/* Values of one stage that a goal allows, available at a stage; then links of the caller. */
typedef bool (*finish)(struct program *p, const void *how);
static bool match_values(const struct wanted *g, int avail, finish f, const void *how)
{
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++) {
            uint32_t key = key_at(&of_values, g->v[0][i], g->v[1][j]);
            if (!has(&of_values, key))
                continue;
            for (uint32_t at = of_values.head[key >> 3]; at; at = of_values.place[at].next) {
                const struct value *e = &value[of_values.place[at].what];
                struct program p;
                if (e->avail <= avail && meets(g, e->v)) {
                    p = of_value(e);
                    if (f(&p, how))
                        return true;
                }
            }
        }
    return false;
}

struct last { int u; struct link link[3]; int n; };
static bool finish_chain(struct program *p, const void *how)
{
    const struct last *l = how;
    p->u = l->u;
    for (int i = 0; i < l->n; i++)
        then(p, l->link[i].ops, l->link[i].op);
    return judge(p);
}

static void make_goals(void)
{
    struct wanted g;
    goals = 0;
    for (int i = 0; i < ops.n; i++)
        if (backward(&ops, i, &target, &g)) {
            if (goals == goal_room)
                goal = realloc(goal, (size_t)(goal_room = goal_room ? 2 * goal_room : 1024) * sizeof *goal);
            if (!goal)
                exit(2);
            goal[goals++] = (struct ending){g, i};
        }
}

static bool chain_of_3(void)
{
    struct wanted g;
    for (int i = 0; i < goals && !out_of_time(); i++)
        for (int j = 0; j < ops.n; j++)
            if (ops.op[j].avail <= 3 && backward(&ops, j, &goal[i].w, &g)) {
                struct last l = {NONE, {{&ops, j}, {&ops, goal[i].op}}, 2};
                if (match_values(&g, 2, finish_chain, &l))
                    return true;
            }
    return false;
}

/* What is wanted of two stages, in batches; then all values of two stages pass by. */
struct ask { const struct ops *before; int goal, op, u; }; /* before NULL: the last stage alone, with ACCUM; u KEPT: see kept_of_two */
enum { KEPT = -2 };
static bool is_kept(const struct ask *a, const double *v);
static bool judge_kept(const struct ask *a, int e, int op);
enum { ASKS = 6000000 };
static struct ask *ask;
static uint32_t asks;
static struct table_of of_asks;
static void hold(int u);

static bool wanted_by(const struct ask *a, struct wanted *g, struct last *l)
{
    l->u = a->u;
    if (!a->before) {
        l->n = 1;
        l->link[0] = (struct link){&aops, a->op};
        return backward(&aops, a->op, &target, g);
    }
    l->n = 2;
    l->link[0] = (struct link){a->before, a->op};
    l->link[1] = (struct link){&ops, goal[a->goal].op};
    return backward(a->before, a->op, &goal[a->goal].w, g);
}

static bool answer(int e, int op, const double *v)
{
    uint32_t key = key_at(&of_asks, v[0], v[1]);
    for (uint32_t at = of_asks.head[key >> 3]; at && !out_of_time(); at = of_asks.place[at].next) {
        const struct ask *a = &ask[of_asks.place[at].what];
        struct wanted g;
        struct last l;
        if (a->u == KEPT) {
            if (is_kept(a, v) && judge_kept(a, e, op))
                return true;
            continue;
        }
        if (a->u != NONE)
            hold(a->u);
        if (wanted_by(a, &g, &l) && meets(&g, v)) {
            struct program p = of_value(&value[e]);
            then(&p, &ops, op);
            if (finish_chain(&p, &l))
                return true;
        }
    }
    return false;
}

static bool answer_all(void)
{
    double v[AT];
    for (int e = 0; e < values && !out_of_time(); e++) {
        if (value[e].avail > 1)
            continue;
        double p = value[e].v[0], q = value[e].v[1];
        for (int i = 0; i < ops.n && !((i & 1023) == 1023 && out_of_time()); i++) {
            double a = at(&ops, i, 0, p), b = at(&ops, i, 1, q);
            if (in_range(a) && in_range(b) && has(&of_asks, key_at(&of_asks, a, b)) && ops.op[i].avail <= 2 && forward(&ops, i, value[e].v, v) && answer(e, i, v))
                return true;
        }
    }
    empty_table(&of_asks);
    asks = 0;
    return false;
}

static bool add_ask(struct ask a, const struct wanted *g)
{
    ask[asks] = a;
    put_wanted(&of_asks, g, asks++);
    return asks == ASKS && answer_all();
}

static bool chain_of_4(void)
{
    struct wanted g;
    for (int i = 0; i < goals && !out_of_time(); i++)
        for (int j = 0; j < ops.n; j++)
            if (ops.op[j].avail <= 3 && backward(&ops, j, &goal[i].w, &g) && add_ask((struct ask){&ops, i, j, NONE}, &g))
                return true;
    return asks && answer_all();
}

/* ---- ACCUM ---- */

static int held = NONE;

/* Value u in ACCUM. */
static void hold(int u)
{
    if (held == u)
        return;
    held = u;
    struct input *a = &in[accum_at];
    for (int i = 0; i < AT; i++)
        a[0].v[i] = value[u].v[i], a[1].v[i] = 1 - value[u].v[i];
    coefficients_again(&aops);
}

static struct table_of of_second; /* what: an operation on the value in ACCUM, as second stage */
static uint32_t *marked;
static int marks, *some; /* some: operations worth solving */

/* Cells of both tables, coarsely, to look into first. */
enum { COARSE = 18 };
static uint64_t coarse_values[1 << (COARSE - 6)], coarse[1 << (COARSE - 6)];

static void make_coarse(void)
{
    static bool made;
    for (uint32_t i = 0; i < 1u << of_values.width && !made; i++)
        if (has(&of_values, i))
            coarse_values[i >> (of_values.width - COARSE) >> 6] |= (uint64_t)1 << (i >> (of_values.width - COARSE) & 63);
    made = true;
    memcpy(coarse, coarse_values, sizeof coarse);
    for (int i = 0; i < marks; i++)
        coarse[marked[i] >> (of_second.width - COARSE) >> 6] |= (uint64_t)1 << (marked[i] >> (of_second.width - COARSE) & 63);
}

static void second_stages(int u)
{
    double v[AT];
    while (marks) {
        uint32_t key = marked[--marks];
        of_second.bit[key >> 6] = 0;
        of_second.head[key >> 3] = 0;
    }
    of_second.n = 1;
    for (int i = 0; i < ops.n; i++)
        if (ops.op[i].avail <= 2 && forward(&ops, i, value[u].v, v)) {
            uint32_t a0 = cell(fmax(v[0] - TOLERANCE, 0)), a1 = cell(v[0] + TOLERANCE), b0 = cell(fmax(v[1] - TOLERANCE, 0)), b1 = cell(v[1] + TOLERANCE);
            for (uint32_t a = a0; a <= a1; a++)
                for (uint32_t b = b0; b <= b1; b++) {
                    marked[marks++] = key_of(a, b, of_second.width);
                    put(&of_second, marked[marks - 1], (uint32_t)i);
                }
        }
    make_coarse();
}

/* CURRENT of the second stage: of inputs, or from the value in ACCUM. */
static bool match_second(int u, const struct wanted *g, const struct last *l)
{
    if (match_values(g, 1, finish_chain, l))
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

/* What P may be where a*P*P + b*P = v; as `backward` has it. */
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

/* The operations that are worth solving: the first two points exclude most. */
static int hopeful(const struct ops *o, const struct wanted *g, int *out)
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
        maybe[i] = (p >= -1e-9) & (p <= 1 + 1e-9) & (q >= -1e-9) & (q <= 1 + 1e-9);
    }
    for (int i = 0; i < o->n; i++)
        if (o->square[i]) {
            double p[2], q[2];
            int np = roots(o->a[0][i], o->b[0][i], v - c[i], p), nq = np ? roots(o->a[1][i], o->b[1][i], w - d[i], q) : 0, j = 0;
            while (j < np * nq && !is_coarse(p[j / nq], q[j % nq]))
                j++;
            if (j < np * nq)
                out[n++] = i;
        } else if (maybe[i] && is_coarse((v - c[i]) * e[i], (w - d[i]) * f[i]))
            out[n++] = i;
    return n;
}

static bool accum_of_3(void)
{
    struct wanted g;
    for (int u = 0; u < values && !out_of_time(); u++) {
        if (value[u].avail > 1 || value[u].op == NONE)
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

static bool accum_of_4(void)
{
    struct wanted g, h;
    for (int u = 0; u < values && !out_of_time(); u++) {
        if (value[u].avail > 1 || value[u].op == NONE)
            continue;
        hold(u);
        second_stages(u);
        for (int m = 0; m < goals && !out_of_time(); m++) /* read by the third stage, not by the fourth */
            for (int i = 0, n = hopeful(&aops, &goal[m].w, some); i < n; i++)
                if (backward(&aops, some[i], &goal[m].w, &g)) {
                    struct last l = {u, {{&aops, some[i]}, {&ops, goal[m].op}}, 2};
                    if (match_second(u, &g, &l))
                        return true;
                }
        for (int i = 0; i < aops.n; i++)
            if (!out_of_time() && backward(&aops, i, &target, &g)) { /* by the fourth */
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
    return asks && answer_all();
}

/* A value m of two stages, kept while the third stage makes another of it, and read beside that by the fourth: for each pair of operations a polynomial in m. */

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

/* Roots between 0 and 1. */
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
    if (!made) { /* of the values of 1, x, .. x^5 at 0, .2, .. 1: Gauss and Jordan */
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

static bool is_kept(const struct ask *a, const double *v)
{
    for (int i = 0; i < AT; i++)
        if (fabs(of_kept(a->goal, a->op, i, v[i]) - target.v[i][0]) > TOLERANCE || !in_range(at(&ops, a->goal, i, v[i])))
            return false;
    return true;
}

static bool kept_of_two(void)
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
    return asks && answer_all();
}

static bool judge_kept(const struct ask *a, int e, int op)
{
    const struct op *third = &ops.op[a->goal], *fourth = &aops.op[a->op];
    struct program p = of_value(&value[e]);
    int n = p.n + 3;
    then(&p, &ops, op);
    for (int i = 0; i < samples; i++) {
        double m = in[p.start].everywhere[i];
        for (int j = 0; j < p.n; j++)
            m = everywhere(&ops.op[p.link[j].op], m, i);
        in[accum_at].everywhere[i] = m, in[accum_at + 1].everywhere[i] = 1 - m;
        if (fabs(everywhere(fourth, everywhere(third, m, i), i) - target_everywhere[i]) > 1e-9) {
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

/* ---- input, output ---- */

static void number(double *v)
{
    if (scanf("%lf", v) != 1)
        exit(2);
}

static void complement(struct input *c, const struct input *l)
{
    *c = *l;
    sprintf(c->name, strcmp(l->name, "1") ? "~%.80s" : "0", l->name);
    c->everywhere = malloc((size_t)samples * sizeof(double));
    for (int j = 0; j < AT; j++)
        c->v[j] = 1 - l->v[j];
    for (int j = 0; j < samples; j++)
        c->everywhere[j] = 1 - l->everywhere[j];
}

static void read_all(void)
{
    int n, f, s;
    double seconds;
    if (scanf("%d %d %d %d %d %d %lf %d", &samples, &n, &least, &most, &f, &s, &seconds, &wanted_covers) != 8 || 2 * n + 2 > INPUTS)
        exit(2);
    full = f, second = s;
    deadline = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    for (int i = NONE; i <= n; i++) {
        struct input *l = &in[inputs];
        int lent = 0;
        strcpy(l->name, "1");
        l->avail = 1;
        l->everywhere = malloc((size_t)samples * sizeof(double));
        if (i != NONE && i != n && scanf("%80s %d %d", l->name, &l->avail, &lent) != 3)
            exit(2);
        l->lent = lent;
        for (int j = 0; j < AT; j++)
            if (i == NONE)
                l->v[j] = 1;
            else
                number(&l->v[j]);
        for (int j = 0; j < samples; j++)
            if (i == NONE)
                l->everywhere[j] = 1;
            else
                number(&l->everywhere[j]);
        if (i == n) { /* the result */
            target_everywhere = l->everywhere;
            for (int j = 0; j < AT; j++)
                target.n[j] = 1, target.v[j][0] = l->v[j];
            return;
        }
        complement(l + 1, l);
        inputs += 2;
    }
}

static bool search_of(int n)
{
    struct last l = {NONE, {{NULL, 0}}, 0};
    if (n == 1)
        return match_values(&target, 4, finish_chain, &l);
    if (n == 2) {
        for (int i = 0; i < goals; i++) {
            struct last m = {NONE, {{&ops, goal[i].op}}, 1};
            if (match_values(&goal[i].w, 3, finish_chain, &m))
                return true;
        }
        return false;
    }
    return (n == 3 ? chain_of_3() : chain_of_4()) || (second && !(covers && n <= 3) && (n == 3 ? accum_of_3() : accum_of_4() || kept_of_two()));
}

int main(void)
{
    read_all();
    make_ops(&ops, false);
    value = make_values(&ops, &values, false);
    open_table(&of_values, 24);
    open_table(&of_second, 24);
    open_table(&of_asks, 27);
    for (int i = 0; i < values; i++)
        put_near(&of_values, value[i].v[0], value[i].v[1], (uint32_t)i);
    ask = malloc((size_t)ASKS * sizeof *ask);
    marked = malloc((size_t)ops.n * 4 * sizeof *marked + 64);
    if (second) {
        accum_at = inputs;
        in[accum_at].avail = in[accum_at + 1].avail = 2;
        for (int i = 0; i < 2; i++) {
            in[accum_at + i].everywhere = malloc((size_t)samples * sizeof(double));
            for (int j = 0; j < AT; j++)
                in[accum_at + i].v[j] = i ? 1 - (.2371 + .0531 * j) : .2371 + .0531 * j;
        }
        make_ops(&aops, true);
        some = malloc((size_t)(ops.n + aops.n) * sizeof *some);
    }
    make_goals();
    for (int n = least; n <= most && !covers && clock() < deadline; n++)
        search_of(n);
    if (covers)
        puts("done");
    else if (clock() > deadline)
        puts("budget");
    else if (local_only)
        printf("local %ld %d\n", local_only, constants >= CONSTANTS && shortest_local < most - 1 ? 0 : shortest_local);
    else
        puts("none");
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "inputs %d ops %d values %d goals %d accum %d seconds %.2f\n", inputs, ops.n, values, goals, aops.n, (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
