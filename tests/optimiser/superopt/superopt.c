/* Measures how often the optimiser reaches the shortest program.
 *
 *   superopt list                  the alphabets
 *   superopt [-n MOST] [--floor NAME=PERCENT] [--claims FILE] NAME ...
 *                                  measures alphabets. A miss is a function or chain for which a program
 * exists that is shorter than the optimiser's; at most MOST patterns of misses are listed for each alphabet.
 * --claims writes each listed pattern's chain and the shorter program, separated by a tab, for prove.py. Exit
 * status 1 if the optimiser changed a function, or if the share of functions without a miss is below PERCENT.
 *
 * An alphabet defines a set of chains of texture-environment stages. For each distinct function that they
 * compute, the program finds the fewest instructions of ATI_fragment_shader that compute it for all inputs in
 * [0,1], and the number of instructions after -O2. Functions have one channel, in the alpha half; there are
 * no dot products.
 *
 * Programs searched: all sequences of MOV ADD MUL MAD LERP (SUB is ADD of a negated argument) over the
 * sources, the literals 0 1/2 1 2 and their negatives, and earlier results, each with any argument modifiers,
 * with any result scale, and without or with saturation; every result in [-8,8], LERP factors in [0,1]. CND
 * is left out: no texture environment needs a comparison.
 *
 * Functions count as equal if they agree at all points (points.c); a shorter program only counts if it also
 * agrees with the chain on a dense grid. */
#include "superopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(f) (1u << (f))
#define CORE (BIT(REPLACE) | BIT(MODULATE) | BIT(ADD) | BIT(ADD_SIGNED) | BIT(SUBTRACT) | BIT(INTERPOLATE))
#define COMBINE3 (BIT(MODULATE_ADD) | BIT(MODULATE_SIGNED_ADD) | BIT(MODULATE_SUBTRACT))
#define COMBINE4 (BIT(COMBINE4_ADD) | BIT(COMBINE4_ADD_SIGNED))

static FILE *claims; /* --claims */

static const struct alphabet alphabets[] = {
    {"one", "one stage, four sources, literals", 1, 4, CORE | COMBINE3, 3, true, 0},
    {"one-combine4", "the same with COMBINE4", 1, 4, CORE | COMBINE3 | COMBINE4, 3, true, 0},
    {"two-of-2", "two stages, two sources, literals", 2, 2, CORE | COMBINE3, 3, true, 0},
    {"two-of-2-combine4", "the same with COMBINE4, no literals", 2, 2, CORE | COMBINE3 | COMBINE4, 3, false,
     0},
    {"two-plain", "two stages, four sources", 2, 4, CORE | COMBINE3, 3, false, 0},
    {"two", "two stages, four sources, literals", 2, 4, CORE | COMBINE3, 3, true, 0},
    {"two-combine4", "two stages, four sources, with COMBINE4", 2, 4, CORE | COMBINE3 | COMBINE4, 3, false,
     0},
    {"three-core-part", "three stages, two sources, functions of core GL, one function of 128", 3, 2, CORE, 3,
     false, 128},
    {"three-core", "three stages, two sources, functions of core GL, one function of 16", 3, 2, CORE, 3,
     false, 16},
    {"three", "three stages, two sources, literals, one function of 512", 3, 2, CORE | COMBINE3, 3, true,
     512},
    {"three-combine4", "three stages, two sources, with COMBINE4, one function of 512", 3, 2,
     CORE | COMBINE3 | COMBINE4, 3, false, 512},
};

/* Examples that are kept of the chains that compute a function: the one with the shortest optimised program,
 * the one with the longest, and the one with the longest among the chains that read no source twice. */
enum { BEST, WORST, SINGLE, KINDS };
enum { MOST = 7 }; /* lengths from MOST on are counted as MOST */
struct function {
    uint32_t chains[MOST + 1]; /* [length of the optimised program]: number of chains */
    uint32_t single[MOST + 1]; /* the same for chains that read no source twice */
    struct chain example[KINDS];
    uint8_t best, worst, single_worst, optimum; /* lengths; optimum 0: unknown, at least 3 */
};

enum { MOST_EXTRA = 100 };
struct measure {
    const struct alphabet *alphabet;
    struct points p;
    struct prints prints;
    struct function *function;
    struct program *program;
    size_t max;
    unsigned long long chains, wrong;
    unsigned nextra;
    double extra[MOST_EXTRA][SOURCES];
};

static void count_chain(void *user, const struct chain *chain, const double *value)
{
    struct measure *m = user;
    struct optimised o;
    bool fresh;
    optimise(&o, chain, &m->p, value, false);
    m->chains++;
    if (o.wrong) {
        char text[200];
        if (m->wrong++ < 20) {
            optimise(&o, chain, &m->p, value, true);
            printf("  WRONG  %s  ->  %s\n", chain_text(text, sizeof text, chain), o.text);
        }
    }
    size_t i = (size_t)prints_find(&m->prints, points_orbit_print(&m->p, value), &fresh);
    if (m->prints.max > m->max)
        m->function = realloc(m->function, (m->max = m->prints.max) * sizeof *m->function);
    struct function *f = &m->function[i];
    unsigned n = o.n < MOST ? o.n : MOST;
    if (fresh) {
        memset(f, 0, sizeof *f);
        f->best = MOST + 1;
    }
    f->chains[n]++;
    if (n < f->best)
        f->best = (uint8_t)n, f->example[0] = *chain;
    if (n > f->worst)
        f->worst = (uint8_t)n, f->example[WORST] = *chain;
    if (chain_single(chain)) {
        f->single[n]++;
        if (n > f->single_worst)
            f->single_worst = (uint8_t)n, f->example[SINGLE] = *chain;
    }
}

/* Returns whether the program, after the symmetry of program_fit, has the chain's values on a dense grid and
 * all its values are in range. Otherwise sets *where to a point at which this fails. */
static bool agree(const struct measure *m, const struct chain *chain, const struct program *program,
                  double *where)
{
    /* A grid over the sources that the chain reads; the fewer they are, the finer it is, since steep
     * functions may differ between the points of a coarse grid. */
    unsigned sources = chain_sources(chain),
             steps = sources <= 1 ? 1024
        : sources == 2            ? 64
        : sources == 3            ? 16
                                  : 8,
             total = 1;
    struct points p = {.sources = m->alphabet->sources};
    struct program fitted = *program;
    double value[MOST_POINTS];
    chain_value(value, chain, &m->p, AS_IT_IS);
    if (!program_fit(&fitted, &m->p, value))
        abort();
    for (unsigned s = 0; s < sources; s++)
        total *= steps + 1;
    for (unsigned i = 0; i < total;) {
        for (p.n = 0; p.n < MOST_POINTS && i < total; p.n++, i++)
            for (unsigned s = 0, r = i; s < SOURCES; s++, r /= steps + 1)
                p.at[s][p.n] = s < sources ? (double)(r % (steps + 1)) / steps : 0.5;
        chain_value(value, chain, &p, AS_IT_IS);
        for (unsigned k = 0; k < p.n; k++) {
            double x[SOURCES] = {p.at[0][k], p.at[1][k], p.at[2][k], p.at[3][k]};
            bool in = true;
            double d = program_value(&fitted, x, &in) - value[k];
            if (d > 1e-9 || d < -1e-9 || !in) {
                memcpy(where, x, sizeof x);
                return false;
            }
        }
    }
    return true;
}

static void find_optima(struct measure *m)
{
    struct search search;
    search_init(&search, &m->p);
    m->program = calloc(m->prints.n, sizeof *m->program);
    size_t nwanted = 0, *which = malloc(m->prints.n * sizeof *which);
    for (size_t i = 0; i < m->prints.n; i++) {
        struct function *f = &m->function[i];
        double value[MOST_POINTS];
        chain_value(value, &f->example[0], &m->p, AS_IT_IS);
        if (f->worst == 1)
            f->optimum = 1;
        else if (search_one(&search, points_print(&m->p, value, NULL), &m->program[i]))
            f->optimum = 1;
        else if (f->worst == 2)
            f->optimum = 2;
        else
            which[nwanted++] = i;
    }
    if (nwanted) {
        struct chain *wanted = malloc(nwanted * sizeof *wanted);
        struct program *found = calloc(nwanted, sizeof *found);
        for (size_t k = 0; k < nwanted; k++)
            wanted[k] = m->function[which[k]].example[0];
        printf("  searching two instructions for %zu functions\n", nwanted);
        fflush(stdout);
        search_two(&search, nwanted, wanted, found);
        for (size_t k = 0; k < nwanted; k++) {
            struct function *f = &m->function[which[k]];
            m->program[which[k]] = found[k];
            f->optimum = found[k].n ? 2 : f->best <= 3 ? 3 : 0;
        }
        free(wanted), free(found);
    }
    free(which);
    search_free(&search);
}

/* ---- misses ---- */

struct miss {
    char pattern[300];
    unsigned long long chains, functions;
    size_t first;
};

static int by_chains(const void *a, const void *b)
{
    const struct miss *x = a, *y = b;
    return x->chains < y->chains ? 1 : x->chains > y->chains ? -1 : strcmp(x->pattern, y->pattern);
}

static int by_functions(const void *a, const void *b)
{
    const struct miss *x = a, *y = b;
    return x->functions < y->functions ? 1
        : x->functions > y->functions  ? -1
                                       : strcmp(x->pattern, y->pattern);
}

static const char *shape_of(char *buffer, size_t size, const struct program *program)
{
    static const char *const name[] = {"mov", "add", "mul", "mad", "lerp"},
                             *const scale[] = {".eighth", ".quarter", ".half", "", ".2x", ".4x", ".8x"};
    size_t n = 0;
    buffer[0] = 0;
    for (unsigned k = 0; k < program->n; k++) {
        const struct inst *inst = &program->inst[k];
        n += (size_t)snprintf(buffer + n, size - n, "%s%s%s%s", k ? "; " : "", name[inst->op],
                              scale[inst->scale + 3], inst->sat ? ".sat" : "");
    }
    return buffer;
}

static unsigned length_of(const struct function *f, unsigned kind)
{
    return kind == BEST ? f->best : kind == WORST ? f->worst : f->single_worst;
}

/* Prints misses of one kind, grouped by the patterns of the optimiser's program and of the shorter one. A
 * miss is a function for which no chain is optimised to the optimum (BEST), or a chain that is not (WORST,
 * SINGLE). */
static void print_misses(struct measure *m, unsigned kind, unsigned most)
{
    static const char *const title[] = {"functions that no chain reaches", "chains",
                                        "chains that read no source twice"};
    struct miss *miss = NULL;
    size_t n = 0, max = 0;
    unsigned long long why[2][4] = {{0}};
    for (size_t i = 0; i < m->prints.n; i++) {
        struct function *f = &m->function[i];
        if (!f->optimum || length_of(f, kind) <= f->optimum)
            continue;
        struct miss one = {.functions = 1, .first = i};
        struct optimised o;
        double value[MOST_POINTS];
        char text[200];
        chain_value(value, &f->example[kind], &m->p, AS_IT_IS);
        optimise(&o, &f->example[kind], &m->p, value, true);
        for (unsigned k = f->optimum + 1u; k <= MOST; k++)
            one.chains += kind == SINGLE ? f->single[k] : f->chains[k];
        unsigned reason = 0;
        for (unsigned inner = ALL_ONE; inner > AS_IT_IS; inner--) {
            double other[MOST_POINTS];
            chain_value(other, &f->example[kind], &m->p, inner);
            if (!memcmp(&(struct print128[]){points_print(&m->p, value, NULL)},
                        &(struct print128[]){points_print(&m->p, other, NULL)}, sizeof(struct print128)))
                reason = inner;
        }
        why[0][reason] += one.chains, why[1][reason]++;
        snprintf(one.pattern, sizeof one.pattern, "%.120s  =>  %.100s", o.pattern,
                 shape_of(text, sizeof text, &m->program[i]));
        size_t k;
        for (k = 0; k < n && strcmp(miss[k].pattern, one.pattern); k++)
            ;
        if (k < n) {
            miss[k].chains += one.chains, miss[k].functions++;
            continue;
        }
        if (n == max)
            miss = realloc(miss, (max = max ? 2 * max : 64) * sizeof *miss);
        miss[n++] = one;
    }
    qsort(miss, n, sizeof *miss, kind == BEST ? by_functions : by_chains);
    printf("  misses: %s, %zu patterns\n", title[kind], n);
    static const char *const reason_text[] = {"none of these", "same without inner clamps",
                                              "same with predecessors 0", "same with predecessors 1"};
    for (unsigned r = 0; r < 4; r++)
        printf("    %-26s %10llu chains %8llu functions\n", reason_text[r], why[0][r], why[1][r]);
    for (size_t k = 0; k < n && k < most; k++) {
        struct function *f = &m->function[miss[k].first];
        struct optimised o;
        char chain[200], best[200], program[200];
        double value[MOST_POINTS];
        struct program fitted = m->program[miss[k].first];
        chain_value(value, &f->example[kind], &m->p, AS_IT_IS);
        program_fit(&fitted, &m->p, value);
        optimise(&o, &f->example[kind], &m->p, value, true);
        printf("  %8llu chains %6llu functions  %s\n", miss[k].chains, miss[k].functions, miss[k].pattern);
        printf("      %s\n        ours     %s\n        shorter  %s\n",
               chain_text(chain, sizeof chain, &f->example[kind]), o.text,
               program_text(program, sizeof program, &fitted));
        if (claims)
            fprintf(claims, "%s\t%s\n", chain, program);
        if (f->best <= f->optimum)
            printf("        reached  %s\n", chain_text(best, sizeof best, &f->example[BEST]));
    }
    free(miss);
}

/* Enumerates the alphabet's chains, counts their functions, and finds the optimum of each function. */
static void count_all(struct measure *m)
{
    points_make(&m->p, m->alphabet->sources, m->alphabet->sources <= 2, m->nextra, m->extra);
    prints_init(&m->prints);
    unsigned long long all = chain_each(m->alphabet, &m->p, count_chain, m);
    printf("  %u points, %llu chains (of %llu), %zu functions, %llu wrong\n", m->p.n, m->chains, all,
           m->prints.n, m->wrong);
    fflush(stdout);
    find_optima(m);
}

static void forget(struct measure *m)
{
    prints_free(&m->prints);
    free(m->function), free(m->program);
    m->function = NULL, m->program = NULL;
    m->max = 0, m->chains = m->wrong = 0;
}

/* Checks on a dense grid all programs that are shorter than the optimiser's; returns whether all are right.
 * If not, the points at which they fail become extra points for the next pass over the alphabet; in the last
 * pass, the optimum of such a function is set to the optimiser's length instead. */
static bool claims_hold(struct measure *m, bool last)
{
    unsigned long long failed = 0;
    for (size_t i = 0; i < m->prints.n; i++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            struct function *f = &m->function[i];
            double x[SOURCES];
            if (!f->optimum || length_of(f, kind) <= f->optimum ||
                agree(m, &f->example[kind], &m->program[i], x))
                continue;
            failed++;
            bool known = false;
            for (unsigned k = 0; k < m->nextra; k++)
                known |= !memcmp(m->extra[k], x, sizeof x);
            if (!known && m->nextra < MOST_EXTRA)
                memcpy(m->extra[m->nextra++], x, sizeof x);
            if (last)
                f->optimum = f->worst;
        }
    if (failed)
        printf("  %llu claims of a shorter program fail on the grid: %u extra points\n", failed, m->nextra);
    return !failed;
}

static bool measure(const struct alphabet *alphabet, unsigned most, double floor)
{
    struct measure m = {.alphabet = alphabet};
    printf("%s: %s\n", alphabet->name, alphabet->help);
    fflush(stdout);
    unsigned last = alphabet->part ? 1 : 2;
    for (unsigned pass = 0;; pass++) {
        count_all(&m);
        if (claims_hold(&m, pass == last) || pass == last)
            break;
        forget(&m);
    }
    unsigned long long chains = 0, chains_met = 0, single = 0, single_met = 0, functions = 0,
                       functions_met = 0, functions_always = 0, unknown = 0, by[4][MOST + 1] = {{0}};
    for (size_t i = 0; i < m.prints.n; i++) {
        struct function *f = &m.function[i];
        unknown += !f->optimum;
        functions++;
        functions_met += f->best <= f->optimum;
        functions_always += f->worst <= f->optimum;
        for (unsigned k = 0; k <= MOST; k++) {
            chains += f->chains[k];
            chains_met += k <= f->optimum ? f->chains[k] : 0;
            single += f->single[k];
            single_met += k <= f->optimum ? f->single[k] : 0;
            by[f->optimum][k] += f->chains[k];
        }
    }
    for (unsigned o = 0; o < 4; o++)
        for (unsigned k = 0; k <= MOST; k++)
            if (by[o][k])
                printf("  optimum %c: %10llu chains reach %u\n", o ? (char)('0' + o) : '?', by[o][k], k);
    double share = 100.0 * (double)functions_met / (double)functions;
    printf("  functions for which the optimiser reaches the optimum  %8.4f %%  (%llu of %llu, from some "
           "chain; %llu unknown)\n",
           share, functions_met, functions, unknown);
    printf("  from every chain of the function %8.4f %%  (%llu of %llu)\n",
           100.0 * (double)functions_always / (double)functions, functions_always, functions);
    printf("  chains that reach the optimum    %8.4f %%  (%llu of %llu)\n",
           100.0 * (double)chains_met / (double)chains, chains_met, chains);
    if (single)
        printf("  those that read no source twice  %8.4f %%  (%llu of %llu)\n",
               100.0 * (double)single_met / (double)single, single_met, single);
    for (unsigned kind = 0; kind < KINDS; kind++)
        print_misses(&m, kind, most);
    bool ok = !m.wrong && share >= floor;
    if (share < floor)
        printf("  BELOW ITS FLOOR: %s reaches %.4f %%, the floor is %.1f %%\n", alphabet->name, share, floor);
    forget(&m);
    return ok;
}

int main(int argc, char **argv)
{
    enum { N = sizeof alphabets / sizeof *alphabets };
    bool ok = true, known;
    unsigned most = 30;
    double floors[N] = {0};
    for (int i = 1; i < argc; i++, ok &= known) {
        known = false;
        if (!strcmp(argv[i], "-n") && i + 1 < argc) {
            most = (unsigned)atoi(argv[++i]);
            known = true;
        } else if (!strcmp(argv[i], "--claims") && i + 1 < argc) {
            known = (claims = fopen(argv[++i], "w")) != NULL;
        } else if (!strcmp(argv[i], "--floor") && i + 1 < argc) {
            const char *value = strchr(argv[++i], '=');
            for (size_t k = 0; value && k < N; k++)
                if (strlen(alphabets[k].name) == (size_t)(value - argv[i]) &&
                    !strncmp(argv[i], alphabets[k].name, (size_t)(value - argv[i])))
                    floors[k] = atof(value + 1), known = true;
        } else if (!strcmp(argv[i], "list")) {
            known = true;
            for (size_t k = 0; k < N; k++)
                printf("%-18s %s\n", alphabets[k].name, alphabets[k].help);
        }
        for (size_t k = 0; k < N && !known; k++)
            if (!strcmp(argv[i], alphabets[k].name)) {
                known = true;
                ok &= measure(&alphabets[k], most, floors[k]);
            }
        if (!known)
            fprintf(stderr, "superopt: not understood: %s\n", argv[i]);
    }
    if (claims)
        ok &= !fclose(claims);
    return !ok;
}
