/* "At any point, there is always an available register": counted over every program of reads, by the real
 * fragprog_assign_reads.
 *
 *   registers_count orbits TEXTURES REGISTERS STAGES READS    one program for each way of naming the
 * textures, with its weight registers_count direct TEXTURES REGISTERS STAGES READS    every program
 *   registers_count table                                     the rows below, orbits; small ones directly too
 *   registers_count long                                      the largest row of the table directly: some
 * minutes
 *
 * A program is a sequence of STAGES sets of at most READS elements of {P, T0 ..}; the empty set counts too.
 * Expected numbers are those of the dynamic program in registers_count.py, which knows nothing of this
 * library. */
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

static void set_stage(struct search *s, unsigned stage, unsigned set) /* bit 0: P, the others are textures */
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

/* Whether a program fails does not depend on the names of its textures. Here textures are numbered in the
 * order of their first use; `weight` counts the programs that are equal up to renaming: a texture that a
 * stage reads for the first time can be any of the unused ones. */
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

/* Textures, registers, stages, reads; expected programs and failures; 1 if the row is small enough to be
 * enumerated directly as well. */
static const struct row {
    unsigned n, r, s, k;
    unsigned long long programs, failures;
    unsigned small;
} rows[] = {
    {2, 2, 2, 2, 49, 0, 1},
    {3, 3, 3, 2, 1331, 0, 1}, /* the size of the examples in the e-mail */
    {4, 4, 4, 2, 65536, 0, 1},
    {5, 5, 5, 2, 5153632, 0, 1},
    {6, 6, 6, 2, 594823321, 0, 0}, /* the claim, for six textures, registers and stages */
    {2, 2, 3, 2, 343, 14, 1},
    {3, 3, 4, 2, 14641, 66, 1}, /* the claim fails once there are more stages than registers */
    {3, 3, 3, 3, 3375, 180, 1}, /* contains the author's "impossible examples" */
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
