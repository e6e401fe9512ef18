/* Searches for programs of i830 blend stages that compute a given result in a part of the input space where
 * nothing is clamped. tests/i830/cover_i830.py runs it to find covers of a texture environment, or to prove
 * that there are none. (A cover is a program of at most `most` stages that computes the environment.)
 *
 * In a part of the input space where no clamp of the environment acts, its result is a polynomial, and any
 * cover computes this polynomial there. Near a suitable point of the part, each stage of a cover is either
 * not clamped, or constantly 0 or 1; 0 and 1 are inputs anyway. So there is no cover if no program of at most
 * `most` stages without clamps, all of whose values are in [0,1], has the polynomial's values at some points
 * of the part. This is decidable: if result, operation and inputs of a stage are known, its other operand,
 * CURRENT, has at most two solutions at a point. The search goes from both ends: backwards, it solves the
 * last one or two stages for CURRENT, for each operation and input; forwards, it computes all values of one
 * and of two stages. Both are matched by a hash of their values at two points, and then compared at all
 * points.
 *
 * Operands are the given textures and colours, their complements, 0, 1, and CURRENT, in any arguments.
 * Operations are ARG1, MODULATE, ADD, ADDSIGNED, SUBTRACT and BLEND with scales 1, 2 and 4; with `full` also
 * MODULATE_AND_ADD with factors 1, 2 and 4; with `dots` also DOT3 (at the points all channels of an
 * input are equal; at the samples they may differ). All programs of up to four stages are tried. Other
 * options:
 * - lent (room, more): values that the alpha pipe computes in one stage are inputs of the colour pipe from
 * its second stage on, if there are at most `room`; values of two and of three stages likewise, if there are
 * at most `more` each. If all these are more than 20, a stage reads at most one of them.
 * - borrow (room): only programs in which the colour pipe reads the alpha pipe (borrow.c). colours: the alpha
 *   pipe may also begin with a DOT4 of colours. alpha: the alpha pipe must compute a given result, too.
 * - second: programs may store a value in ACCUM (accum.c, kept.c, both.c).
 *
 * Standard input: the numbers samples, width, inputs, least, most, full, second, dots, seconds, wanted, room,
 * more, borrow, colours, alpha; then for each input a name, the first stage that may read it, and flags (1:
 * it is a value of the alpha pipe; 2: the alpha pipe may read it; 4: the alpha pipe may read it in a dot
 * product), followed by its values at the AT points and at the samples, with `width` channels each; then the
 * values of the result; then, if alpha is not 0, the alpha pipe's result at the points (2: it depends on a
 * dot product).
 *
 * Standard output: "cover N PROGRAM" for each program of N stages that is correct at all samples, including
 * clamps; the search ends with the first N that has one, after `wanted` of them. Then one of these lines:
 * - "done": covers were printed.
 * - "budget": time is up.
 * - "none L": there is no program of `least` to `most` stages that is correct even where nothing is clamped.
 * L is the number of alpha stages whose values were all among the inputs.
 * - "local N S": N programs are correct in the part, the shortest of S stages, but none is correct
 * everywhere, not even after one or two stages that are constant in the part. If a stage of a program is
 * constant in the part, the stages after it are a shorter program there. So if S is at least most - 2, no
 * program computes the result without ACCUM and values of the alpha pipe.
 *
 * This file has input, output and the order of the search. ops.c: operations on one unknown and values of one
 * stage; table.c: hash tables of values; chain.c: the search from both ends without ACCUM; program.c: whole
 * programs with clamps; constant.c: stages that are clamped everywhere in the part; lent.c: values of the
 * alpha pipe. */
#include "local.h"

bool full, dots;
int most, wanted_covers, covers, shortest_local = 99;
long local_only;
double *target_everywhere;
struct wanted target, alpha_target;
bool joint, of_dot;
struct ops ops, aops;
struct value *value;
int values;
static bool second;
static int least, lent_room, more_lent_room, borrow_room, dots_of_colours;
static clock_t deadline;

bool out_of_time(void)
{
    static bool late;
    static unsigned count;
    if (!late && !(++count & 15) && clock() > deadline)
        late = true;
    return late;
}

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
    int n, f, s, d, with_alpha;
    double seconds;
    if (scanf("%d %d %d %d %d %d %d %d %lf %d %d %d %d %d %d", &samples, &width, &n, &least, &most, &f, &s,
              &d, &seconds, &wanted_covers, &lent_room, &more_lent_room, &borrow_room, &dots_of_colours,
              &with_alpha) != 15 ||
        2 * n + 2 > INPUTS || width > 3)
        exit(2);
    full = f, second = s, dots = d;
    deadline = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    for (int i = NONE; i <= n; i++) {
        struct input *l = &in[inputs];
        int kind = i == NONE ? 2 : 0;
        strcpy(l->name, "1");
        l->avail = 1;
        l->everywhere = malloc((size_t)samples * sizeof(double));
        if (i != NONE && i != n && scanf("%80s %d %d", l->name, &l->avail, &kind) != 3)
            exit(2);
        l->lent = kind & 1, l->alpha = kind & 2, l->colour = kind & 4;
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
        if (i == n) { /* the last row is the required result, not an input */
            target_everywhere = l->everywhere;
            for (int j = 0; j < AT; j++)
                target.n[j] = 1, target.v[j][0] = l->v[j];
            joint = with_alpha, of_dot = with_alpha > 1;
            for (int j = 0; j < AT && joint; j++) {
                alpha_target.n[j] = 1;
                number(&alpha_target.v[j][0]);
            }
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
    return (n == 3 ? chain_of_3() : chain_of_4()) ||
        (second && !(covers && n <= 3) &&
         (n == 3 ? accum_of_3() : accum_of_4() || kept_of_two() || both_of_4()));
}

int main(void)
{
    int lent_of = 0;
    bool complete = true;
    read_all();
    if (lent_room)
        lent_of = add_lent_values(lent_room, more_lent_room);
    make_ops(&ops, PLAIN);
    value = make_values(&ops, &values);
    if (second)
        start_accum();
    start_chains();
    if (borrow_room) {
        complete = borrow(borrow_room, dots_of_colours);
        lent_of = 3;
    }
    for (int n = least; n <= most && !borrow_room && !covers && clock() < deadline; n++)
        search_of(n);
    if (covers)
        puts("done");
    else if (clock() > deadline || !complete)
        puts("budget");
    else if (local_only)
        printf("local %ld %d\n", local_only,
               too_many_constants() && shortest_local < most - 1 ? 0 : shortest_local);
    else
        printf("none %d\n", lent_of);
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "inputs %d ops %d values %d goals %d accum %d seconds %.2f\n", inputs, ops.n, values,
                goals, aops.n, (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
