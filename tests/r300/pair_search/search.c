/* One-unit states on the pair unit of r300, r400 and r500: whether fewer pairs do than are stated, by
 * exhaustive search over one and over two pairs.
 *
 *     pair_search [same] [dot-copy] [plain] [narrow] [quick] [both] < STATES
 *
 * A state is a line "PAIRS FUNC SOURCE:OPERAND ... SCALE ; FUNC SOURCE:OPERAND ... SCALE": the colour half,
 * and the alpha half, which may be a dot. Answered in a line: "less" and a program of one pair, or of two
 * where PAIRS is 3 or more; "none" if there is none over the alphabet; "open" if it is not known. "same":
 * r300, where it is not known which word's presubtraction the other half gets (notes/facts/hw-open.md
 * r300.11); a half that reads the other part's has the same operation in both. "dot-copy": the alpha half may
 * copy a dot before the colour half's modifier and clamp. "narrow": the constant of a pair has one of the
 * numbers 1/2, 3/2 and 2, in both parts. "plain": no presubtraction; to see that the search can find none.
 * "quick": what takes minutes is "open": that a half reads both helpers while the other needs none. "both":
 * beyond the alphabet below, both halves of the second pair read both helpers, also where neither is a dot;
 * minutes for each state.
 *
 * The alphabet (notes/facts/r300.md 2). The first pair's colour half leaves U (three channels), its alpha
 * half V; the second pair's halves read sources, numbers, U and V. Either half of the result may also come
 * from the first pair. Sources: texture, environment colour, primary colour (which is also the previous
 * result of unit 0); numbers 0, 1/2, 1; in each pair one constant of the program's own, whose rgb part and
 * alpha part are each one of forms.c's numbers (only 1/2 where a half of the second pair reads both U and V;
 * at most one half reads both, except in programs with a dot). Ports: three rgb and three alpha addresses in
 * each pair, shared by its halves, and a presubtraction of each part, over any two, U and V among them.
 * Operations MAD, DP3 (colour), MIN, MAX, CND, CMP; negated and absolute operands; all output modifiers;
 * clamped or not. An alpha half that is the colour half's dot may copy it in the result's pair: where the dot
 * has no modifier and is not made smaller, so that the copy may be taken before or after the clamp. V is a
 * function of alphas and numbers; where a half is a dot also the sum or difference of two operands in two
 * channels, the second pair then reading the third. Left out: DP4, D2A, FRC, the transcendental operations,
 * other swizzles, a V that is a copied dot.
 *
 * Only MAD and DP3 without clamps and absolute values are searched, and nothing is lost by it: where both
 * halves are strictly between 0 and 1, which is in an open set, each is a polynomial. In some part of that
 * set no choice of a program (which operand MIN returns, whether a clamp acts, what "absolute" does to a
 * sign) changes, so that each choice can be replaced by what it chooses, an operand, itself or a literal, at
 * no more ports. What is left computes the same polynomials. A half that is nowhere inside is the constant 0
 * or 1 and looked for as that. (For one pair it is enough that each half is inside somewhere, as the two
 * share nothing but ports.)
 *
 * Polynomials are compared on the diagonal, all channels of a source being equal, which is necessary: DP3 is
 * 3*A*B there. For each form of the second pair, its unknown (U; V; U for each V) is solved for in points
 * whose coordinates are multiples of 1/4096, and looked up among the values of all halves of a first pair,
 * which are multiples of 1/SCALE. A program is reported after it has been compared with the state, clamps and
 * all, in points off the diagonal, exactly; if one differs there and none is right, the state is "open".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "second.h"
#include "state.h"

/* ---- both halves ---- */

static bool dot_copy, both, quick;
static bool failed; /* a candidate program is correct on the diagonal only */

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

/* The expressions of an entry, or NULL for an entry that needs no ports. */
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

/* Returns the factor of the alpha half's copy of this dot product; 0 if it cannot be copied, or not with
 * certainty.
 * */
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

/* Returns whether these halves and helpers fit together and compute the state. NULL: the first pair computes
 * that half of the result, or, with `copied`, the alpha half copies the dot product. */
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
                return false; /* other combinations of these entries have the same values */
        }
        if (n[2] && !channels)
            return false; /* the helpers do not fit into one pair */
    }
    return false;
}

static const struct entry *helper(int half, int64_t i) { return i < 0 ? NULL : &first[half].entry[i]; }

/* Tries all expressions of one half that read helpers u and v beside one expression of the other half. */
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
        /* with those of the other half that read no further helper */
        for (int i = 0; i < ways[half].n; i++) {
            const struct entry *e = &ways[half].entry[i];
            int64_t u = e->key[0], v = e->key[1];
            if (among(!half, -1, -1, e) ||
                (u >= 0 && v >= 0 && (among(!half, u, -1, e) || among(!half, -1, v, e))) ||
                (half == RGB && (u >= 0 || v >= 0) && among(ALPHA, u, v, e)) ||
                (half == RGB && together(helper(RGB, u), helper(ALPHA, v), e, NULL, true)))
                return true;
        }
    for (int i = 0; i < ways[RGB].n; i++) /* one half reads only U, the other only V */
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

/* One half of the result comes from the first pair, the other from the second. */
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

/* Whether to search expressions of this half that read both helpers if the other half does not restrict
 * these; this takes minutes, most of the run time. */
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
