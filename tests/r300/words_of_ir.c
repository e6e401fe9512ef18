/* words_of_ir TARGET: compiles the intermediate program on standard input with the library. It may be longer
 * than any texture environment's, which texenvc does not accept. Prints the part of the output of `texenvc
 * convert
 * --format json` that the oracle reads; exit status 3 if the target refuses the program. */
#include "hwemit/targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTS = 2048, CONSTS = 512, TEXT = 1 << 20 };

static void show(void *user, const struct texenv_diag *diag)
{
    (void)user;
    fprintf(stderr, "%s\n", diag->text);
}

static void print_code(const struct hwemit_target *target, const struct hwemit_code *code)
{
    static const char *const targets[] = {[TEXENV_1D] = "1d",
                                          [TEXENV_2D] = "2d",
                                          [TEXENV_RECT] = "rect",
                                          [TEXENV_3D] = "3d",
                                          [TEXENV_CUBE] = "cube"};
    const char *comma = "";
    printf("[{\"fits\": true, \"target\": \"%s\", \"words\": [", target->name);
    for (uint32_t i = 0; i < code->nwords; i++)
        printf("%s[%u, %u]", i ? ", " : "", code->word[i].address, code->word[i].value);
    printf("], \"constants\": [");
    for (unsigned i = 0; i < code->nconstants; i++) {
        const struct hwemit_constant *c = &code->constant[i];
        printf("%s{\"slot\": %u, \"value\": [%.9g, %.9g, %.9g, %.9g], \"word\": %u}", i ? ", " : "", c->slot,
               (double)c->value[0], (double)c->value[1], (double)c->value[2], (double)c->value[3], c->word);
    }
    printf("], \"textures\": [");
    for (unsigned i = 0; i < code->ntextures; i++)
        printf("%s{\"slot\": %u, \"unit\": %u, \"coord\": %u, \"target\": \"%s\"}", i ? ", " : "",
               code->texture[i].slot, code->texture[i].unit, code->texture[i].coord,
               targets[code->texture[i].target]);
    printf("], \"inputs\": [");
    for (unsigned i = 0; i < code->ninputs; i++)
        printf("%s{\"temp\": %u, \"is\": \"%s%u\"}", i ? ", " : "", code->input[i].temp,
               code->input[i].what == HWEMIT_COLOR ? "color" : "coord", code->input[i].index);
    printf("], \"assumed\": [");
    for (unsigned i = 0; i < 32 && target->assumptions && target->assumptions[i].name; i++)
        if (code->assumed >> i & 1) {
            printf("%s\"%s\"", comma, target->assumptions[i].name);
            comma = ", ";
        }
    printf("], \"stats\": {");
    for (unsigned i = 0; i < code->nstats; i++)
        printf("%s\"%s\": %u", i ? ", " : "", code->stat[i].name, code->stat[i].value);
    printf("}}]\n");
}

int main(int argc, char **argv)
{
    static struct fragprog_inst inst[INSTS];
    static struct fragprog_const konst[CONSTS];
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    static char text[TEXT];
    const struct texenv_sink sink = {show, NULL};
    const struct hwemit_options options = {.assume = 0};
    const struct hwemit_target *target = argc == 2 ? hwemit_find_target(argv[1]) : NULL;
    struct fragprog p = {.inst = inst, .konst = konst, .maxinst = INSTS, .maxkonst = CONSTS};
    struct fragprog_reason why = {.unit = -1};
    size_t length = fread(text, 1, sizeof text, stdin);
    if (!target || length == sizeof text || !fragprog_read_ir(&p, text, length, 1, &sink))
        return 2;
    void *scratch = malloc(hwemit_is_large(&p)
                               ? target->unbounded_scratch + p.ninst * target->instruction_scratch
                               : target->scratch);
    if (!scratch)
        return 2;
    struct fragprog_budget budget = {.most = 100 * FRAGPROG_MOST_WORK};
    const struct hwemit_source source = {.best = &p, .plain = &p, .budget = &budget, .scratch = scratch};
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    const bool fits = target->compile(&code, target, &source, &options, &why);
    free(scratch);
    if (!fits) {
        printf("[{\"fits\": false, \"reason\": \"%s\", \"code\": \"%s\", \"would_fit_if\": \"%s\"}]\n",
               why.text, why.code, why.fit);
        return 3;
    }
    if (code.nwords > HWEMIT_MAX_WORDS)
        return 2;
    print_code(target, &code);
    return 0;
}
