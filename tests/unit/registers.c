/* Tests fragprog_assign_reads, the register assignment of the founding e-mail, whose input is what each stage
 * reads: the e-mail's examples, and programs that run out of registers. */
#include "check.h"
#include "fragprog/reads.h"

#include <string.h>

enum { P = FRAGPROG_READ_PREVIOUS, F = FRAGPROG_READ_OTHER, END = 0xff, NONE = 0xff };

/* Makes an input of n stages; stages[i] lists what stage i reads and ends with END. */
static struct fragprog_reads make(unsigned n, const uint8_t stages[][4])
{
    struct fragprog_reads r = {.nstages = (uint8_t)n};
    for (unsigned s = 0; s < n; s++)
        for (unsigned i = 0; i < 4 && stages[s][i] != END; i++)
            r.stage[s].read[r.stage[s].n++] = stages[s][i];
    return r;
}

static void expect(const char *what, const struct fragprog_reads *reads, unsigned registers, unsigned first,
                   const uint8_t texture[8], const uint8_t *result)
{
    struct fragprog_reads_assignment a;
    memset(&a, 0x5a, sizeof a);
    CHECK_SAY(fragprog_assign_reads(&a, reads, registers), "%s", what);
    CHECK_SAY(a.first == first && a.blocked == 0xff, "%s: first %u", what, a.first);
    CHECK_SAY(memcmp(a.texture_reg, texture, 8) == 0, "%s: textures", what);
    for (unsigned s = 0; s < reads->nstages; s++)
        CHECK_SAY(a.result_reg[s] == result[s], "%s: result of stage %u in R%u", what, s, a.result_reg[s]);
}

static void blocked(const char *what, const struct fragprog_reads *reads, unsigned registers, unsigned stage)
{
    struct fragprog_reads_assignment a;
    memset(&a, 0x5a, sizeof a);
    CHECK_SAY(!fragprog_assign_reads(&a, reads, registers), "%s: %u registers", what, registers);
    CHECK_SAY(a.blocked == stage, "%s: blocked at %u", what, a.blocked);
}

int main(void)
{
    /* Example 1: {R0, R2}, {R2, R0}, {R1, R0}; the results are in R2, R0 and finally R0. */
    const uint8_t one[][4] = {{0, 2, END}, {P, 0, END}, {1, P, END}};
    struct fragprog_reads r = make(3, one);
    expect("example 1", &r, 3, 0, (const uint8_t[8]){0, 1, 2, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){2, 0, 0});

    /* Example 2: the first stage is dead, so T2 is not needed; {R1, R0}, {R1, R0}. */
    const uint8_t two[][4] = {{0, 2, END}, {1, 0, END}, {1, P, END}};
    r = make(3, two);
    expect("example 2", &r, 3, 1, (const uint8_t[8]){0, 1, NONE, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){NONE, 0, 0});

    /* {T0+T1} {T3-T2}: the first stage is dead, so T0 and T1 are dropped. */
    const uint8_t dead[][4] = {{0, 1, END}, {3, 2, END}};
    r = make(2, dead);
    expect("{T0+T1} {T3-T2}", &r, 6, 1, (const uint8_t[8]){NONE, NONE, 0, 1, NONE, NONE, NONE, NONE},
           (const uint8_t[]){NONE, 0});

    /* "If T0, T1, and T4 contribute to the final result, they get assigned R0, R1, and R2." */
    const uint8_t t014[][4] = {{4, 0, END}, {P, 1, END}};
    r = make(2, t014);
    expect("T0, T1, T4", &r, 6, 0, (const uint8_t[8]){0, 1, NONE, NONE, 2, NONE, NONE, NONE},
           (const uint8_t[]){0, 0});

    /* Reads of colours and literals take no register. */
    const uint8_t others[][4] = {{F, F + 2, END}, {P, F + 1, END}};
    r = make(2, others);
    expect("{F,0} {P,C}", &r, 1, 0, (const uint8_t[8]){NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){0, 0});

    /* A stage that does not read P, also one that reads nothing, makes all earlier stages dead. */
    const uint8_t cut[][4] = {{0, P, END}, {P, 1, END}, {END}, {P, 2, END}};
    r = make(4, cut);
    expect("empty stage", &r, 3, 2, (const uint8_t[8]){NONE, NONE, 0, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){NONE, NONE, 1, 0});

    /* Three counterexamples to the claim that there is always a register. Each fits with one more. */
    const uint8_t w1[][4] = {{0, 1, END}, {P, 0, END}, {P, 1, END}, {P, 2, END}};
    r = make(4, w1);
    blocked("{T0,T1}{P,T0}{P,T1}{P,T2}", &r, 3, 0);
    expect("witness 1, 4 registers", &r, 4, 0, (const uint8_t[8]){0, 1, 2, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){3, 0, 0, 0});
    const uint8_t w2[][4] = {{0, 1, 2, END}, {P, 0, 1, END}, {P, 2, END}};
    r = make(3, w2);
    blocked("{T0,T1,T2}{P,T0,T1}{P,T2}", &r, 3, 0);
    expect("witness 2, 4 registers", &r, 4, 0, (const uint8_t[8]){0, 1, 2, NONE, NONE, NONE, NONE, NONE},
           (const uint8_t[]){3, 0, 0});
    const uint8_t w3[][4] = {{0, 1, 2, END}, {P, 0, 1, END}, {P, 2, 3, END}, {P, 4, 5, END}};
    r = make(4, w3);
    blocked("{T0,T1,T2}{P,T0,T1}{P,T2,T3}{P,T4,T5}", &r, 6, 0);
    expect("witness 3, 7 registers", &r, 7, 0, (const uint8_t[8]){0, 1, 2, 3, 4, 5, NONE, NONE},
           (const uint8_t[]){6, 0, 0, 0});

    /* More textures than registers: the error names no stage. */
    const uint8_t many[][4] = {{0, 1, 2, END}, {P, 3, END}};
    r = make(2, many);
    blocked("4 textures", &r, 3, 0xff);
    return check_report("registers");
}
