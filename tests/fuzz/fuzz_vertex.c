/* Fuzzes vertex halves, given as words or as the bytes of the structure: their words must read back; the
 * generated program must not read undefined values, must obey the rules of intermediate programs, print in
 * every language that has its outputs, print as an ARB program that reads back, and compile to words of r500
 * (on r300 it may be refused). */
#include "pipeline.h"
#include "fragprog/arb_program.h"

#include "fragprog/fixed_vertex.h"
#include "hwemit/targets.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 1 << 18 };

static char first[2][FRAGPROG_FIXED_VERTEX_TEXT], text[TEXT], words[2048];

/* Generated programs must not cause warnings. */
static void never(void *user, const struct texenv_diag *diag)
{
    (void)user;
    pipeline_broken("a generated program is told of", diag->text);
}

static void read_program(struct fragprog *p, const char *from, size_t length)
{
    const struct texenv_sink sink = {never, NULL};
    const struct fragprog_bound bound = fragprog_bound_arbfp(from, length);
    void *scratch = malloc(bound.scratch);
    unsigned where;
    *p = (struct fragprog){.inst = calloc(bound.insts, sizeof *p->inst),
                           .konst = calloc(bound.consts, sizeof *p->konst),
                           .maxinst = bound.insts,
                           .maxkonst = bound.consts};
    if (!p->inst || !p->konst || !scratch)
        abort();
    if (!fragprog_read_arbfp(p, from, length, 1, &sink, scratch))
        pipeline_broken("a vertex program does not read", from);
    const char *rule = fragprog_check(p, &where);
    if (rule)
        pipeline_broken(rule, from);
    free(scratch);
}

static void free_program(struct fragprog *p)
{
    free(p->inst);
    free(p->konst);
}

static void check_languages(const struct fragprog *p, unsigned level, bool two_side)
{
    const struct fragprog_source source = {.ir = p};
    const struct fragprog_options options = {.level = (uint8_t)level};
    void *scratch = malloc(fragprog_scratch(&source));
    for (unsigned n = 0; n < FRAGPROG_LANGUAGES; n++) {
        const struct fragprog_language_options language = {.language = (uint8_t)n};
        const bool built_in = n == FRAGPROG_ARBFP || n == FRAGPROG_GLSL_110 || n == FRAGPROG_GLSL_120;
        struct fragprog_reason why;
        struct fragprog back;
        struct texenv_text out;
        texenv_text_init(&out, text, sizeof text);
        const bool printed = fragprog_compile_language(&out, &source, &options, &language, scratch, &why);
        if (!printed && (built_in || !two_side))
            pipeline_broken("a language refuses a generated program", why.text);
        if (out.length >= sizeof text)
            pipeline_broken("the text of a generated program is too long", "");
        if (printed && n == FRAGPROG_ARBFP) {
            read_program(&back, text, out.length);
            free_program(&back);
        }
    }
    free(scratch);
}

static void check_words(const struct fragprog *p, const struct hwemit_target *target, bool fits)
{
    static struct hwemit_word word[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    const struct fragprog_source source = {.ir = p};
    const struct hwemit_options options = {.passes = {.level = 1}};
    struct fragprog_reason why;
    void *scratch = malloc(hwemit_scratch_of(target, &source));
    hwemit_code_init(&code, word, HWEMIT_MAX_WORDS);
    if (!hwemit_compile(&code, target, &source, &options, scratch, &why)) {
        if (fits)
            pipeline_broken("a chip refuses a generated program", why.text);
    } else if (code.nwords > HWEMIT_MAX_WORDS) {
        pipeline_broken("more words than there is room for", "");
    }
    free(scratch);
}

static void check_half(const struct texenv_vertex *as_given, const struct texenv_vertex_reads *reads,
                       unsigned choice)
{
    struct texenv_vertex vertex = *as_given;
    struct texenv_text out[3];
    struct fragprog p;
    texenv_vertex_canonicalise(&vertex);
    texenv_text_init(&out[2], words, sizeof words);
    texenv_print_vertex(&out[2], &vertex);
    pipeline_words(words, out[2].length);
    for (unsigned n = 0; n < 2; n++) {
        texenv_text_init(&out[n], first[n], sizeof first[n]);
        fragprog_print_fixed_vertex(&out[n], n ? as_given : &vertex, reads, choice & 1);
        if (out[n].length >= sizeof first[n])
            pipeline_broken("the text of a generated program is longer than it can be", words);
    }
    if (strcmp(first[0], first[1]) != 0)
        pipeline_broken("the canonical form of a vertex half has another program", words);
    /* r500 has 8 coordinate sets, one of which the fog coordinate may take */
    unsigned sets = reads->fog != 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        sets += reads->coord[u] != 0;
    read_program(&p, first[0], out[0].length);
    check_languages(&p, choice >> 1 & 3, vertex.two_side);
    if (choice >> 3 & 1)
        check_words(&p, choice >> 4 & 1 ? &hwemit_r300 : &hwemit_r500, !(choice >> 4 & 1) && sets <= 8);
    free_program(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct texenv_vertex vertex;
    struct texenv_vertex_reads reads;
    const struct texenv_sink sink = {pipeline_emit, NULL};
    unsigned choice = 0;
    for (size_t i = 0; i < size; i++)
        choice = choice * 31 + data[i];
    if (!texenv_read_vertex(&vertex, &reads, (const char *)data, size, 1, &sink)) {
        uint8_t bytes[sizeof vertex + sizeof reads] = {0};
        if (size > sizeof bytes || size < 8)
            return 0;
        memcpy(bytes, data, size);
        memcpy(&vertex, bytes, sizeof vertex);
        memcpy(&reads, bytes + sizeof vertex, sizeof reads);
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            reads.coord[u] &= 15;
    }
    check_half(&vertex, &reads, choice ^ choice >> 16);
    return 0;
}
