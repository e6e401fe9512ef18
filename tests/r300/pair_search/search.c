/* Decides whether fewer pairs of r300, r400 or r500 compute a state of one unit than its input line says, by
 * an exhaustive search over programs of one pair and of two pairs.
 *
 *     pair_search [same] [dot-copy] [plain] [narrow] [quick] [both] < STATES
 *
 * A state is a line "PAIRS FUNC SOURCE:OPERAND ... SCALE ; FUNC SOURCE:OPERAND ... SCALE": the colour half,
 * then the alpha half, which may be a dot product. The answer is a line: "less" and a shorter program, of one
 * pair or, if PAIRS is 3 or more, of two pairs; "none" if the alphabet below has no such program; "open" if
 * the search cannot decide. Options:
 * - same: both parts of a pair in which a half reads the other part's presubtraction have the same operation;
 * for r300, where it is unknown which word's operation applies then (notes/facts/hw-open.md r300.11).
 * - dot-copy: the alpha half may copy the colour half's dot product as it is before modifier and clamp.
 * - narrow: the constant of a pair is one of the numbers 1/2, 3/2 and 2, the same in both parts.
 * - plain: no presubtraction (tests that the search can answer "none").
 * - quick: answers "open" instead of searching second pairs one half of which reads both helpers while the
 * other half needs none, which takes minutes.
 * - both: also searches second pairs whose halves both read both helpers if no half is a dot product, which
 * is outside of the alphabet below and takes minutes for each state.
 *
 * The alphabet (notes/facts/r300.md 2). The first pair computes two helpers: U in its colour half (three
 * channels), V in its alpha half. The halves of the second pair read sources, numbers, U and V. Either half
 * of the result may also come from the first pair. Sources: texture, environment colour, primary colour
 * (which is also the previous result of unit 0). Numbers: 0, 1/2, 1, and one constant in each pair, whose rgb
 * part and alpha part are each a number of forms.c (only 1/2 in a half of the second pair that reads both U
 * and V; at most one half reads both, except in programs with a dot product). Ports: in each pair three rgb
 * and three alpha addresses, shared by its halves, and one presubtraction in each part, of any two values,
 * also of U and V. Operations: MAD, DP3 (colour half), MIN, MAX, CND, CMP; negated and absolute operands; all
 * output modifiers; with or without clamp. If the alpha half of the state is the colour half's dot product,
 * the last pair's alpha half may copy it, if the dot product has no modifier and the copy does not scale it
 * down (then it does not matter whether the copy is taken before or after the clamp). V is a function of
 * alphas and numbers; if a half of the state is a dot product, V may also be the sum or difference of
 * operands in two channels, and the second pair reads the third channel. Left out: DP4, D2A, FRC, the
 * transcendental operations, other swizzles, a V that copies a dot product.
 *
 * It is enough to search MAD and DP3 without clamps and absolute values: on an open set of inputs where both
 * halves of the state are strictly between 0 and 1, each half is a polynomial. In some part of that set the
 * operand that MIN returns, whether a clamp acts, and the sign of an absolute operand do not change. So each
 * such operation can be replaced by the operand that it returns, or by a literal, without using more ports,
 * and the remaining program computes the same polynomials. A half that is never strictly between 0 and 1 is
 * the constant 0 or 1 and is searched as such. (For one pair it is enough if each half is strictly between 0
 * and 1 somewhere, since the halves share only ports.)
 *
 * Polynomials are compared on the diagonal: the inputs in which red, green and blue of each source are equal.
 * There, DP3 is 3*A*B. Equality on the diagonal is necessary for equality everywhere. For each form of the
 * second pair, the helper that it reads (U; or V; or U for each V) is computed from the required result, at
 * points whose coordinates are multiples of 1/4096, and looked up among the values of all halves of a first
 * pair, which are multiples of 1/SCALE. Each program found is then compared with the state exactly, with all
 * clamps, at points off the diagonal. If only wrong programs were found, the answer is "open".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "second.h"
#include "state.h"

/* ---- both halves ---- */

static bool dot_copy, both, quick;
static bool failed; /* whether a candidate program was correct only on the diagonal */

static bool report(const struct program *p)
{
    if (!program_right(p)) {
        failed = true;
        return false;
    }
    printf("less ");
    program_print(p);
    putchar('\n');
    return true;
}

/* Writes the expressions of an entry to out; NULL if there is no entry. Returns their number. */
enum { LIST = 4096 };
static int list(const struct node **out, const struct set *s, const struct entry *e)
{
    int n = 0;
    for (int i = e ? e->first : -1; i >= 0 && n < LIST; i = s->node[i].next)
        out[n++] = &s->node[i];
    if (n == LIST)
        exit(2);
    if (!n)
        out[n++] = NULL;
    return n;
}

static bool beside(const struct node *x, const struct node *y)
{
    return !x || !y || merge(&x->need, &y->need);
}

/* Returns the factor by which the alpha half must multiply a copy of this dot product; 0 if a copy is not
 * possible, or not certain to be right. */
static double copy_of(const struct node *rgb)
{
    double ratio = goals[ALPHA][0] / goals[RGB][0], factor = ratio * modifier[rgb->form.modifier];
    if (!is_dot(&state[ALPHA]) || rgb->form.op != DP3 || (!dot_copy && (rgb->form.modifier || factor < 1)))
        return 0;
    for (int j = 1; j < POINTS; j++)
        if (goals[ALPHA][j] != ratio * goals[RGB][j])
            return 0;
    for (int m = 0; m < 7; m++)
        if (modifier[m] == factor)
            return factor;
    return 0;
}

/* Returns whether some program of these helpers (first pair) and these halves of the second pair fits the
 * ports and computes the state. rgb, alpha: NULL if the first pair computes that half of the result; alpha is
 * also NULL if it copies the dot product (`copied`). */
static bool together(const struct entry *u, const struct entry *v, const struct entry *rgb,
                     const struct entry *alpha, bool copied)
{
    static const struct node *l[4][LIST];
    int n[4] = {list(l[0], &ways[RGB], rgb), list(l[1], &ways[ALPHA], alpha)};
    bool channels = v && v->kind == KIND_CHANNELS;
    for (int i = 0; i < n[0] * n[1]; i++) {
        const struct node *r = l[0][i % n[0]], *a = l[1][i / n[0]];
        double copy = copied ? copy_of(r) : 0;
        if (!beside(r, a) || (copied && copy == 0))
            continue;
        if (!n[2])
            n[2] = list(l[2], &first[RGB], u), n[3] = list(l[3], &first[ALPHA], v);
        for (int k = 0; k < n[2] * n[3]; k++) {
            const struct node *x = l[2][k % n[2]], *y = l[3][k / n[2]];
            if (!beside(x, y))
                continue;
            if (report(&(struct program){
                    {{x ? &x->form : NULL, y ? &y->form : NULL}, {r ? &r->form : NULL, a ? &a->form : NULL}},
                    channels,
                    copy}))
                return true;
            if (!channels)
                return false; /* other expressions of these entries have the same values */
        }
        if (n[2] && !channels)
            return false; /* no expressions of the helpers fit into one pair */
    }
    return false;
}

static const struct entry *helper(int half, int64_t i) { return i < 0 ? NULL : &first[half].entry[i]; }

/* Tries all expressions of one half that read helpers u and v, together with `other` in the other half. */
static bool among(int half, int64_t u, int64_t v, const struct entry *other)
{
    const struct set *s = &ways[half];
    const struct entry *eu = helper(RGB, u < 0 ? other->key[0] : u),
                       *ev = helper(ALPHA, v < 0 ? other->key[1] : v);
    for (unsigned i = set_slot(s, u, v); s->room && s->slot[i] >= 0; i = (i + 1) & (s->room - 1)) {
        const struct entry *e = &s->entry[s->slot[i]];
        if (e->key[0] == u && e->key[1] == v &&
            together(eu, ev, half == RGB ? e : other, half == RGB ? other : e, false))
            return true;
    }
    return false;
}

static bool both_in_second(void)
{
    for (int half = RGB; half <= ALPHA; half++)
        /* together with expressions of the other half that read no other helper */
        for (int i = 0; i < ways[half].n; i++) {
            const struct entry *e = &ways[half].entry[i];
            int64_t u = e->key[0], v = e->key[1];
            if (among(!half, -1, -1, e) ||
                (u >= 0 && v >= 0 && (among(!half, u, -1, e) || among(!half, -1, v, e))) ||
                (half == RGB && (u >= 0 || v >= 0) && among(ALPHA, u, v, e)) ||
                (half == RGB && together(helper(RGB, u), helper(ALPHA, v), e, NULL, true)))
                return true;
        }
    for (int i = 0; i < ways[RGB].n; i++) /* if one half reads only U, the other only V */
        for (int k = 0; k < ways[ALPHA].n; k++) {
            const struct entry *r = &ways[RGB].entry[i], *a = &ways[ALPHA].entry[k];
            bool ru = r->key[0] >= 0, rv = r->key[1] >= 0, au = a->key[0] >= 0, av = a->key[1] >= 0;
            if (ru != rv && au != av && ru != au &&
                together(helper(RGB, ru ? r->key[0] : a->key[0]), helper(ALPHA, rv ? r->key[1] : a->key[1]),
                         r, a, false))
                return true;
        }
    return false;
}

static bool one_pair(void)
{
    const struct entry *r[KINDS], *a[KINDS];
    int nr = reaching(RGB, r), na = reaching(ALPHA, a);
    for (int i = 0; i < nr; i++) {
        for (int k = 0; k < na; k++)
            if (together(r[i], a[k], NULL, NULL, false))
                return true;
        for (int k = r[i]->first; k >= 0; k = first[RGB].node[k].next) {
            const struct node *n = &first[RGB].node[k];
            double copy = copy_of(n);
            if (copy != 0 && report(&(struct program){{{&n->form, NULL}, {NULL, NULL}}, false, copy}))
                return true;
        }
    }
    return false;
}

/* Tries programs in which the first pair computes this half of the result and the second pair the other. */
static bool one_in_first(int half)
{
    const struct entry *done[KINDS];
    for (int i = reaching(half, done); i--;)
        for (int k = 0; k < ways[!half].n; k++) {
            const struct entry *e = &ways[!half].entry[k];
            const struct entry *u = helper(RGB, e->key[0]), *v = helper(ALPHA, e->key[1]);
            if (half == RGB ? (!u || u == done[i]) && together(done[i], v, NULL, e, false)
                            : (!v || v == done[i]) && together(u, done[i], e, NULL, false))
                return true;
        }
    return false;
}

static bool set_goals(void)
{
    for (int half = RGB; half <= ALPHA; half++) {
        double value;
        int channel = half == ALPHA ? 3 : 0, kind = half_kind(half, &value);
        constant[half] = kind == 0;
        for (int j = 0; j < POINTS; j++) {
            inputs x;
            for (int s = 0; s < SOURCES; s++)
                for (int c = 0; c < CHANNELS; c++)
                    x[s][c] = at[s][c == 3][j];
            goals[half][j] = kind ? wanted(&state[half], (const double(*)[CHANNELS])x, channel) : value;
        }
        if (kind < 0)
            return false;
    }
    return true;
}

/* Returns whether expressions of this half that read both helpers must be searched with all helpers, since
 * the other half does not restrict them. This takes minutes, most of the run time. */
static bool freely(int half, bool dots) { return both || without_helpers(!half) || (half == RGB && dots); }

static bool judge(int pairs)
{
    failed = !set_goals();
    if (pairs < 2 || one_pair())
        return pairs >= 2;
    bool dots = is_dot(&state[RGB]) || is_dot(&state[ALPHA]);
    for (int which = SIMPLE; pairs > 2 && which <= BOTH; which++) {
        if (which == BOTH_CHANNELS && !dots)
            continue;
        for (int half = RGB; half <= ALPHA; half++)
            if (which < BESIDE || freely(half, dots) == (which == BOTH)) {
                if (which == BOTH && quick)
                    failed = true;
                else
                    second_pair(half, which, dots);
            }
        if (one_in_first(RGB) || one_in_first(ALPHA) || both_in_second())
            return true;
    }
    failed |= pairs > 2 && !both_inside();
    return false;
}

int main(int argc, char **argv)
{
    bool same = false, plain = false, narrow = false;
    for (int i = 1; i < argc; i++) {
        same |= !strcmp(argv[i], "same");
        plain |= !strcmp(argv[i], "plain");
        narrow |= !strcmp(argv[i], "narrow");
        both |= !strcmp(argv[i], "both");
        quick |= !strcmp(argv[i], "quick");
        dot_copy |= !strcmp(argv[i], "dot-copy");
    }
    forms_begin(!plain, same, narrow);
    state_begin();
    first_pair();
    fprintf(stderr, "%d values of U, %d of V and %d of two channels\n", first[RGB].n, plain_v,
            first[ALPHA].n - plain_v);
    for (char line[400]; fgets(line, sizeof line, stdin);) {
        int pairs = atoi(line);
        char *text = strchr(line, ' ');
        if (!text || !state_parse(text)) {
            fprintf(stderr, "not a state: %s\n", line);
            return 2;
        }
        if (!judge(pairs))
            puts(failed ? "open" : "none");
        fflush(stdout);
    }
    return 0;
}
