/* Programs of blend stages of the i830 that compute given values where nothing is clamped (used by
 * tests/i830/cover_i830.py).
 *
 * In a part of the input space where none of the clamps of a texture environment acts, its result is a
 * polynomial. Whatever program computes the texture environment computes that polynomial there, too, and near
 * a suitable point of that part each of its stages is either unclamped or constantly 0 or 1, which are inputs
 * anyway. So: if no program without clamps, of at most as many stages and with all its values between 0 and
 * 1, gives the polynomial at some points of the part, then no program at all computes the texture
 * environment. That question is exact (each operation has one unknown, CURRENT, and at most two solutions for
 * it at a point) and is searched from both ends:
 *
 *     backwards from the result through the last one or two stages: each operation with each input, solved
 * for CURRENT forwards: all values of one stage, and all of two both meet in a hash of their values at two
 * points, and are compared at all
 *
 * Alphabet: inputs are the textures and colours given, their complements, 0, 1; ARG1, MODULATE, ADD,
 * ADDSIGNED, SUBTRACT, BLEND, scales 1, 2, 4; CURRENT in any arguments, also several; with "full"
 * MODULATE_AND_ADD with 1x, 2x, 4x, its result scaled by 1, 2, 4; with "dots" DOT3, as it is where all
 * channels are alike (the samples need not be like that). Of these all programs of up to four stages are
 * tried. Further lent   room, 0: all values of one stage of the alpha pipe that find room, which the colour
 * pipe may read from its second stage on (any number of them, but at most one in a stage if there are more
 * than 20). room, more: those of two and three stages likewise. borrow (room) all that the colour pipe can
 * read of the alpha pipe, and nothing else: borrow.c; colours: DOT4 of these, too; alpha: the alpha pipe has
 * a result to make ACCUM  ("second") two live values: accum.c, kept.c, both.c; all programs of four stages
 * that need it
 *
 * stdin:  samples width inputs least most full second dots seconds wanted room more borrow colours alpha;
 * inputs: name avail flags, values at AT points, then at the samples, width channels each; the same of the
 * result; alpha: at the points, what the alpha pipe has to make (2: of a dot). flags: 1 lent, 2 the alpha
 * pipe reads it, 4 it reads it in what a dot is made of stdout: "cover N PROGRAM" for each program of N
 * stages that is right at all samples, clamps included; the first number of stages that has one ends the
 * search, after `wanted` of them; then one line "none L"   no program of `least` to `most` stages, even where
 * nothing is clamped; L: stages of the alpha pipe all of whose values could be read "local N S" N programs
 * are right where nothing is clamped, the shortest of S stages, and none everywhere, nor behind one or two
 * stages that are constant in the part. A program with a stage that is constant there would have a shorter
 * one there, of as many stages as follow the last such; so if S is at least most - 2, no program without
 * ACCUM and lent values computes the result. "budget"   time is up "done"     covers were printed
 *
 * Here: input, output and the order of the search. ops.c: operations on one unknown, values of one stage;
 * table.c: where they are found again; chain.c: both ends, without ACCUM; accum.c, kept.c, both.c: with it;
 * lent.c: values of the alpha pipe; program.c: whole programs, clamps included; constant.c: stages that are
 * clamped all over the part.
 */
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
        if (i == n) { /* the result */
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
