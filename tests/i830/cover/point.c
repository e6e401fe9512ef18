/* Searches for programs of i830 blend stages that compute a texture environment near one point of the input
 * space (tests/i830/i830_point.py runs it).
 *
 * Near a generic point, each stage of a program is either not clamped, or constantly 0 or 1. The inputs are
 * special: each is a number, or one of a few unknowns. Near the point, the texture environment and each
 * program are then polynomials in the unknowns. A program without clamps is called right near the point if
 * all its values are in [0,1] at the point (in doubles) and its result is the environment's polynomial
 * (tested at random values of the unknowns modulo the prime 2^61 - 1). If no program without clamps, with 0
 * and 1 among its inputs, is right near the point, then no program with clamps computes the environment.
 *
 * All programs of up to four stages with two live values are tried. Let v1, v2, v3 be the results of the
 * first three stages: v1 is computed from inputs; v2 from inputs and v1; v3 from inputs, v1 and v2; the
 * result from inputs, v3 and one of v1 and v2. For each v1 and v2, the values of v3 that give the result are
 * looked up among the values that v3 can have. Doubles at the point select candidates; the numbers modulo the
 * prime decide.
 *
 * A program that is right near the point must also compute the environment, with clamps, at samples of the
 * whole input space. There, a cover may have another stage, which is constant near the point only. So if a
 * program of three stages is right near the point, each operation whose result is clamped near the point is
 * tried as a fourth stage, at each position. If a program of two stages is right near the point, a cover
 * might have two such stages; these are not tried, and the search does not decide (its output is "reached").
 *
 * With `lent`, a second search also has as inputs, from the second stage on, all values that the alpha pipe
 * computes in one stage; a stage reads at most one of them, and ACCUM is not used. The inputs of the alpha
 * pipe are the same at all samples, so an alpha value that is 0 or 1 at the point is so at all samples.
 *
 * Standard input: full, accum, dots, lent, wanted, stages, seconds, the number of inputs; for each input its
 * name, the first stage that may read it, whether the alpha pipe may read it, its value as a double and
 * modulo the prime; the same two numbers for the result; the number of samples; for each sample the
 * inputs and the result. This program adds complements, 0 and 1. Standard output: up to `wanted` lines
 * "cover PROGRAM", programs that are right at all samples, or one of "none", "reached PROGRAM" and "budget"
 * (time is up). */
#include "point.h"

static bool accum;
int stages;
struct number target;
clock_t deadline;
struct values first, third, fourth;
struct table plain[5];
static struct table with[5]; /* [stage]: operations that read P and W */
static struct table again;   /* a copy of with[4], evaluated for W = v2 */
/* need: values of v3 from which some fourth stage gives the result with W = v1 or without W; need_here: the
 * same with W = v2; kept: values of v3 that a third stage can compute without reading v2 */
static struct set need, need_here, kept;
static struct set before_last; /* the elements of `need` that do not read W */
/* [stage][end]: for stages 1 and 2, operations whose unclamped result is below 0 (end 0) or above 1 (end 1)
 */
struct values beyond[3][2];
static double *buffer, *solution;
static int *of;

/* ---- candidate programs ---- */

/* The first two stages and their values. chain: v2 is computed from v1, else from inputs; shorter: there is
 * no v1; flat: the number of a stage that is constantly `end` (0 or 1) near the point, or 0. */
struct pair {
    struct number v1, v2;
    struct op op1, op2;
    bool chain, shorter;
    int flat, end;
};
/* Which values the last stages read. p3: P of the third stage is v1 (1), v2 (2) or neither (0); w4: likewise
 * for W of the fourth stage. */
struct reads {
    int p3, w4;
};

int samples;
double *leaf_samples, *target_samples;
static int covers, wanted_covers;

double clamped(const struct op *e, double p, double w)
{
    double v = real_of(e, p, w);
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static bool right_as_it_is(const struct pair *t, const struct op *op3, const struct op *op4, struct reads r)
{
    bool right = true;
    for (int i = 0; i < samples && right; i++) {
        leaf_now = &leaf_samples[i * LEAVES];
        double v[3] = {0}, v3;
        v[1] = t->shorter ? 0 : clamped(&t->op1, 0, 0);
        v[2] = clamped(&t->op2, v[1], 0);
        v3 = clamped(op3, v[r.p3], v[1]);
        right = fabs(clamped(op4, v3, v[r.w4]) - target_samples[i]) < 1e-9;
    }
    leaf_now = leaf_at_point;
    return right;
}

static bool is_beyond(double v, int end) { return end ? v > 1 : v < 0; }

/* Evaluates the program at all samples, including the stage that is constant near the point. */
static bool right_at_samples(const struct pair *t, const struct op *op3, const struct op *op4, struct reads r)
{
    if (!t->flat)
        return right_as_it_is(t, op3, op4, r);
    struct pair u = *t;
    const struct values *leaves = &beyond[t->flat == 1 ? 1 : 2][t->end];
    for (int i = 0; i < leaves->n && t->flat < 3; i++) {
        *(t->flat == 1 ? &u.op1 : &u.op2) = leaves->v[i].op;
        if (right_as_it_is(&u, op3, op4, r))
            return true;
    }
    for (int i = 0; i < plain[2].n && t->flat == 2; i++) {
        u.op2 = plain[2].op[i];
        if (is_beyond(at(&plain[2], i, t->v1.r), t->end) && right_as_it_is(&u, op3, op4, r))
            return true;
    }
    for (int p = 1; p <= 2 && t->flat == 3; p++) {
        r.p3 = p;
        for (int i = 0; i < plain[3].n; i++)
            if (is_beyond(at(&plain[3], i, (p == 1 ? t->v1 : t->v2).r), t->end) &&
                right_as_it_is(&u, &plain[3].op[i], op4, r))
                return true;
        for (int i = 0; i < with[3].n && p == 2; i++)
            if (is_beyond(at(&with[3], i, t->v2.r), t->end) && right_as_it_is(&u, &with[3].op[i], op4, r))
                return true;
    }
    return false;
}

/* Prints the program in terms of CURRENT (P) and ACCUM (A). */
static void print_program(const char *what, const struct pair *t, const struct op *op3, const struct op *op4,
                          struct reads r)
{
    char text[4][300];
    const bool keeps1 = r.w4 == 1 || reads(op3, W), keeps2 = r.w4 == 2;
    say_op(text[0], &t->op1, "?", "?");
    say_op(text[1], &t->op2, keeps1 && !keeps2 ? "A" : "P", "?");
    say_op(text[2], op3, r.p3 == 2 && keeps2 ? "A" : "P", keeps2 ? "P" : "A");
    say_op(text[3], op4, "P", "A");
    printf("%s ", what);
    if (!t->shorter)
        printf("{%s}%s ", text[0], keeps1 && !keeps2 ? ">A" : "");
    printf("{%s}%s {%s} {%s}\n", text[1], keeps2 ? ">A" : "", text[2], text[3]);
}

static bool is_target(const struct pair *t, const struct table *last, field w, const struct op *op3, field v3,
                      double r3, struct reads r)
{
    for (int i = 0; i < last->n; i++) {
        if (fabs(at(last, i, r3) - target.r) > 1e-8 || field_of(&last->op[i], v3, w) != target.f)
            continue;
        if (!right_at_samples(t, op3, &last->op[i], r))
            continue;
        print_program(wanted_covers ? "cover" : "reached", t, op3, &last->op[i], r);
        return ++covers >= wanted_covers;
    }
    return false;
}

/* Tests all fourth stages after the third stage `op`, which computes r from P and perhaps W = v1; P is v1 if
 * p is 1 and v2 if p is 2. */
static bool judge(const struct pair *t, const struct op *op, double r, int p)
{
    field v3 = field_of(op, (p == 1 ? t->v1 : t->v2).f, t->v1.f);
    return (p == 2 && is_target(t, &plain[4], 0, op, v3, r, (struct reads){p, 0})) ||
        (p == 2 && accum && !t->shorter &&
         is_target(t, &with[4], t->v1.f, op, v3, r, (struct reads){p, 1})) ||
        (accum && t->chain && is_target(t, &again, t->v2.f, op, v3, r, (struct reads){p, 2}));
}

static bool look(const struct pair *t, const struct table *o)
{
    const double p = t->v2.r, *a = o->a, *b = o->b, *c = o->c;
    for (int i = 0; i < o->linear; i++)
        buffer[i] = b[i] * p + c[i];
    for (int i = o->linear; i < o->n; i++)
        buffer[i] = (a[i] * p + b[i]) * p + c[i];
    for (int i = 0; i < o->n; i++)
        if (in_range(buffer[i])) {
            uint32_t k = cell(buffer[i]);
            if ((has_cell(&need, k) || has_cell(&need_here, k)) && judge(t, &o->op[i], buffer[i], 2))
                return true;
        }
    return false;
}

/* Tries programs whose third stage does not read v2 and whose fourth does; v is the third stage's value. */
static bool judge_kept(const struct pair *t, double v)
{
    for (int i = 0; i < third.n; i++)
        if (fabs(third.v[i].v.r - v) < 1e-8 && judge(t, &third.v[i].op, third.v[i].v.r, 1))
            return true;
    for (int i = 0; i < plain[3].n; i++)
        if (fabs(at(&plain[3], i, t->v1.r) - v) < 1e-8 &&
            judge(t, &plain[3].op[i], at(&plain[3], i, t->v1.r), 1))
            return true;
    return false;
}

/* Tries programs whose third stage is constant near the point, and whose fourth stage reads v2. */
static bool flat_third(const struct pair *t)
{
    struct pair u = *t;
    u.flat = 3;
    for (u.end = 0; u.end < 2; u.end++)
        if (is_target(&u, &again, t->v2.f, &t->op2, (field)u.end, u.end, (struct reads){2, 2}))
            return true;
    return false;
}

static bool try_pair(const struct pair *t)
{
    const bool last = accum && t->chain && !t->shorter && !t->flat && has_cell(&before_last, cell(t->v2.r));
    if (accum && t->chain) {
        release(&need_here, 0);
        set_w(&again, t->v2.r);
        for (int n = solve(&again, target.r, solution, of); n-- > 0;) {
            if (has_cell(&kept, cell(solution[n])) && judge_kept(t, solution[n]))
                return true;
            put(&need_here, solution[n]);
        }
        if (last && !wanted_covers && flat_third(t))
            return true;
    }
    return look(t, &plain[3]) || (accum && !t->shorter && look(t, &with[3]));
}

/* ---- enumeration of all v1 and v2 ---- */

/* Tries all second stages for a first stage. */
static bool all_second_stages(struct pair *t)
{
    const int needs = need.n, keeps = kept.n;
    bool found = false;
    if (accum) {
        set_w(&with[3], t->v1.r), set_w(&with[4], t->v1.r);
        for (int n = solve(&with[4], target.r, solution, of); n-- > 0;)
            put(&need, solution[n]);
        for (int i = 0; i < plain[3].n; i++)
            if (in_range(at(&plain[3], i, t->v1.r)))
                put(&kept, at(&plain[3], i, t->v1.r));
    }
    t->chain = true;
    for (int i = 0; i < plain[2].n && !found && clock() < deadline; i++) {
        const double r = at(&plain[2], i, t->v1.r);
        if (!in_range(r))
            continue;
        t->op2 = plain[2].op[i];
        t->v2 = (struct number){r, field_of(&t->op2, t->v1.f, 0)};
        found = try_pair(t);
    }
    if (!t->flat && !wanted_covers)
        for (int end = 0; end < 2 && !found; end++) { /* a second stage that is constant near the point */
            struct pair u = *t;
            u.v2 = (struct number){end, (field)end}, u.flat = 2, u.end = end;
            found = try_pair(&u);
        }
    release(&need_here, 0);
    t->chain = false;
    for (int i = 0; i < first.n && !found && accum && clock() < deadline; i++) {
        t->v2 = first.v[i].v, t->op2 = first.v[i].op;
        found = try_pair(t);
    }
    release(&need, needs);
    release(&kept, keeps);
    return found;
}

/* Tries programs of up to three stages: there is no v1, and v2 is computed from inputs. */
static bool short_programs(void)
{
    struct pair t = {.chain = true, .shorter = true};
    for (int i = 0; i < first.n && clock() < deadline; i++) {
        t.v2 = first.v[i].v, t.op2 = first.v[i].op;
        if (try_pair(&t))
            return true;
    }
    return false;
}

static bool search(void)
{
    for (int i = 0; i < fourth.n && !wanted_covers; i++)
        if (fourth.v[i].v.f == target.f) {
            puts("reached by one stage");
            return true;
        }
    for (int i = 0; i < third.n && !wanted_covers; i++)
        for (int j = 0; j < plain[4].n; j++)
            if (fabs(at(&plain[4], j, third.v[i].v.r) - target.r) < 1e-8 &&
                field_of(&plain[4].op[j], third.v[i].v.f, 0) == target.f) {
                puts("reached by two stages");
                return true;
            }
    if (!accum)
        return find_chain();
    for (int n = solve(&plain[4], target.r, solution, of); n-- > 0;)
        put(&need, solution[n]), put(&before_last, solution[n]);
    for (int i = 0; i < third.n; i++)
        put(&kept, third.v[i].v.r);
    if (stages > 2 && short_programs())
        return true;
    for (int i = 0; i < first.n && stages > 3 && clock() < deadline; i++) {
        struct pair t = {.v1 = first.v[i].v, .op1 = first.v[i].op};
        if (all_second_stages(&t))
            return true;
    }
    for (int end = 0; end < 2 && stages > 3 && !wanted_covers && clock() < deadline; end++) {
        struct pair t = {.v1 = {end, (field)end}, .flat = 1, .end = end};
        if (all_second_stages(&t))
            return true;
    }
    return false;
}

/* ---- input ---- */

static void complement(struct leaf *c, const struct leaf *l)
{
    *c = *l;
    sprintf(c->name, strcmp(l->name, "0") ? "~%.30s" : "1", l->name);
    c->v.r = 1 - l->v.r;
    c->v.f = (1 + (((field)1 << 61) - 1) - l->v.f) % (((field)1 << 61) - 1);
}

static void free_table(struct table *t)
{
    free(t->op), free(t->a), free(t->b), free(t->c), free(t->x), free(t->y);
    for (int i = 0; i < 9; i++)
        free(t->q[i]);
    memset(t, 0, sizeof *t);
}

/* Searches with the current inputs. */
static bool search_these(void)
{
    int n = 0;
    make_values(&first, 2), make_values(&third, 3), make_values(&fourth, 4);
    for (int end = 0; end < 2; end++)
        make_values_beyond(&beyond[1][end], 1, end), make_values_beyond(&beyond[2][end], 2, end);
    for (int stage = 2; stage <= 4; stage++) {
        make_table(&plain[stage], stage, false);
        if (accum && stage > 2)
            make_table(&with[stage], stage, true);
        n = plain[stage].n > n ? plain[stage].n : n;
        n = with[stage].n > n ? with[stage].n : n;
    }
    if (accum)
        make_table(&again, 4, true);
    buffer = malloc((size_t)n * sizeof *buffer);
    solution = malloc((size_t)n * 2 * sizeof *solution + 16), of = malloc((size_t)n * 2 * sizeof *of + 16);
    bool found = search();
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "values %d %d plain %d %d %d with %d %d needs %d seconds %.2f\n", first.n, third.n,
                plain[2].n, plain[3].n, plain[4].n, with[3].n, with[4].n, need.n,
                (double)clock() / CLOCKS_PER_SEC);
    free(buffer), free(solution), free(of);
    for (int stage = 2; stage <= 4; stage++)
        free_table(&plain[stage]), free_table(&with[stage]);
    free_table(&again);
    release(&need, 0), release(&need_here, 0), release(&kept, 0), release(&before_last, 0);
    return found;
}

static void add_leaf(const struct leaf *l)
{
    for (int stage = l->from; stage <= 4; stage++)
        leaves_of[stage] += 2;
    leaf[leaves_of[4] - 2] = *l, complement(&leaf[leaves_of[4] - 1], l);
    for (int i = leaves_of[4] - 2; i < leaves_of[4]; i++)
        leaf_at_point[i] = leaf[i].v.r;
}

/* Adds a value of the alpha pipe as an input from the second stage on. */
static void add_lent(const struct value *v)
{
    struct leaf l = {"", 2, v->v, false, true};
    char text[300];
    say_op(text, &v->op, "?", "?");
    snprintf(l.name, sizeof l.name, "<%.28s>", text);
    add_leaf(&l);
    for (int i = 0; i < samples; i++) {
        double *row = &leaf_samples[i * LEAVES];
        leaf_now = row;
        row[leaves_of[4] - 2] = clamped(&v->op, 0, 0), row[leaves_of[4] - 1] = 1 - row[leaves_of[4] - 2];
    }
    leaf_now = leaf_at_point;
}

/* Searches with all values of one stage of the alpha pipe as inputs from the second stage on. */
static bool search_lent(void)
{
    struct values lent = {0, NULL};
    make_values_of_alpha(&lent);
    for (int i = 0; i < lent.n && leaves_of[4] + 2 <= LEAVES; i++)
        add_lent(&lent.v[i]);
    if (2 * lent.n + leaves_of[1] > LEAVES)
        deadline = clock();
    accum = false;
    return search_these();
}

int main(void)
{
    struct leaf all[LEAVES / 2] = {{"0", 1, {0, 0}, true, false}};
    int n, f, d, a, lent, wanted;
    double seconds;
    if (scanf("%d %d %d %d %d %d %lf %d", &f, &a, &d, &lent, &wanted, &stages, &seconds, &n) != 8 ||
        n >= LEAVES / 2)
        return 2;
    full = f, accum = a, dots = d, wanted_covers = wanted;
    for (int i = 1; i <= n; i++)
        if (scanf("%30s %d %d %lf %lu", all[i].name, &all[i].from, &f, &all[i].v.r, &all[i].v.f) != 5)
            return 2;
        else
            all[i].alpha = f;
    if (scanf("%lf %lu", &target.r, &target.f) != 2)
        return 2;
    for (int stage = 1; stage <= 4; stage++)
        for (int i = 0; i <= n; i++)
            if (all[i].from == stage)
                add_leaf(&all[i]);
    if (scanf("%d", &samples) == 1 && samples > 0) {
        leaf_samples = malloc((size_t)samples * LEAVES * sizeof *leaf_samples),
        target_samples = malloc((size_t)samples * sizeof *target_samples);
        for (int i = 0; i < samples; i++) {
            double *row = &leaf_samples[i * LEAVES];
            row[0] = 0, row[1] = 1;
            for (int j = 1; j <= n; j++) /* sorted by their first stage, like `leaf` */
                if (scanf("%lf", &row[2 * j]) != 1)
                    return 2;
                else
                    row[2 * j + 1] = 1 - row[2 * j];
            if (scanf("%lf", &target_samples[i]) != 1)
                return 2;
        }
    }
    deadline = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    open_set(&need, 20), open_set(&need_here, 17), open_set(&kept, 17), open_set(&before_last, 17);
    if (!search_these() && !(lent && search_lent()) && !covers)
        puts(clock() >= deadline ? "budget" : "none");
    return 0;
}
