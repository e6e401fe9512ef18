/* Tests the founding e-mail's claim "At any point, there is always an available register": counts the
 * programs for which fragprog_assign_reads runs out of registers, and compares with the numbers of
 * registers_count.py, which does not use the library.
 *
 *   registers_count orbits TEXTURES REGISTERS STAGES READS
 *       runs one of all programs that differ only by the names of textures, and multiplies by their number
 *   registers_count direct TEXTURES REGISTERS STAGES READS
 *       runs every program
 *   registers_count table
 *       checks the rows below by orbits, and those marked with 1 also by direct
 *   registers_count long
 *       checks the largest row by direct; takes minutes
 *
 * A program is a sequence of STAGES stages, each a set of at most READS elements of {P, T0 ..}, perhaps
 * empty. */
#include "fragprog/reads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct count {
    unsigned long long programs, failures;
};

struct search {
    unsigned textures, registers, stages, reads;
    struct fragprog_reads program;
    struct count count;
};

static void add(struct search *s, unsigned long long weight)
{
    struct fragprog_reads_assignment a;
    s->count.programs += weight;
    if (!fragprog_assign_reads(&a, &s->program, s->registers))
        s->count.failures += weight;
}

/* Bit 0 of set: P; bit n + 1: texture n. */
static void set_stage(struct search *s, unsigned stage, unsigned set)
{
    unsigned n = 0;
    for (unsigned i = 0; i <= s->textures; i++)
        if (set >> i & 1)
            s->program.stage[stage].read[n++] = (uint8_t)(i == s->textures ? FRAGPROG_READ_PREVIOUS : i);
    s->program.stage[stage].n = (uint8_t)n;
}

static unsigned bits(unsigned set)
{
    unsigned n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

static void direct(struct search *s, unsigned stage)
{
    if (stage == s->stages) {
        add(s, 1);
        return;
    }
    for (unsigned set = 0; set < 2u << s->textures; set++)
        if (bits(set) <= s->reads) {
            set_stage(s, stage, set);
            direct(s, stage + 1);
        }
}

static unsigned choose(unsigned n, unsigned k)
{
    unsigned c = 1;
    for (unsigned i = 0; i < k; i++)
        c = c * (n - i) / (i + 1);
    return c;
}

/* Whether a program fails does not depend on the names of its textures. So only programs whose textures are
 * numbered in the order of first use are run. `weight` is the number of programs that differ from this one by
 * names only: a texture that is read for the first time can be any of the unused ones. */
static void orbits(struct search *s, unsigned stage, unsigned used, unsigned long long weight)
{
    if (stage == s->stages) {
        add(s, weight);
        return;
    }
    unsigned left = s->textures - used;
    for (unsigned known = 0; known < 1u << used; known++)
        for (unsigned fresh = 0; fresh <= left; fresh++)
            for (unsigned previous = 0; previous < 2; previous++)
                if (bits(known) + fresh + previous <= s->reads) {
                    set_stage(s, stage, known | ((1u << fresh) - 1) << used | previous << s->textures);
                    orbits(s, stage + 1, used + fresh, weight * choose(left, fresh));
                }
}

static struct count run(bool all, unsigned textures, unsigned registers, unsigned stages, unsigned reads)
{
    struct search s = {.textures = textures,
                       .registers = registers,
                       .stages = stages,
                       .reads = reads,
                       .program = {.nstages = (uint8_t)stages}};
    if (all)
        direct(&s, 0);
    else
        orbits(&s, 0, 0, 1);
    printf("%u textures, %u registers, %u stages, %u reads%s: %llu programs, %llu without a register\n",
           textures, registers, stages, reads, all ? " (each)" : "", s.count.programs, s.count.failures);
    fflush(stdout);
    return s.count;
}

/* n textures, r registers, s stages, k reads; expected numbers of programs and of failures; 1 if the row is
 * small enough for `direct`. */
static const struct row {
    unsigned n, r, s, k;
    unsigned long long programs, failures;
    unsigned small;
} rows[] = {
    {2, 2, 2, 2, 49, 0, 1},
    {3, 3, 3, 2, 1331, 0, 1}, /* the size of the examples in the e-mail */
    {4, 4, 4, 2, 65536, 0, 1},
    {5, 5, 5, 2, 5153632, 0, 1},
    {6, 6, 6, 2, 594823321, 0, 0}, /* the claim holds for six of each */
    {2, 2, 3, 2, 343, 14, 1},
    {3, 3, 4, 2, 14641, 66, 1}, /* the claim fails once there are more stages than registers */
    {3, 3, 3, 3, 3375, 180, 1}, /* contains what the e-mail calls "impossible examples" */
    {6, 6, 3, 3, 262144, 0, 1},
    /* "3 reads w/6 registers will still work": false for six textures and four stages */
    {6, 6, 4, 3, 16777216, 5760, 1},
    {5, 6, 4, 3, 3111696, 0, 1}, /* 42 sets of at most 3 of 6; the claim holds for five textures */
};

static int check(struct count got, const struct row *want)
{
    if (got.programs == want->programs && got.failures == want->failures)
        return 0;
    printf("failed: expected %llu programs, %llu without a register\n", want->programs, want->failures);
    return 1;
}

int main(int argc, char **argv)
{
    int failed = 0;
    if (argc == 2 && !strcmp(argv[1], "table")) {
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            const struct row *w = &rows[i];
            failed += check(run(false, w->n, w->r, w->s, w->k), w);
            if (w->small)
                failed += check(run(true, w->n, w->r, w->s, w->k), w);
        }
        return failed != 0;
    }
    if (argc == 2 && !strcmp(argv[1], "long")) {
        const struct row *w = &rows[4];
        return check(run(true, w->n, w->r, w->s, w->k), w);
    }
    if (argc != 6 || (strcmp(argv[1], "direct") && strcmp(argv[1], "orbits"))) {
        fprintf(stderr,
                "usage: registers_count table | long | (direct|orbits) TEXTURES REGISTERS STAGES READS\n");
        return 2;
    }
    run(argv[1][0] == 'd', (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]),
        (unsigned)atoi(argv[5]));
    return 0;
}
