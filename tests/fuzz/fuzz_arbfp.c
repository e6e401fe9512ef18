/* Fuzzes ARB programs. An accepted program must obey the rules of intermediate programs, print in every
 * language or be refused, print as an ARB program that reads back, stay legal through the passes, and compile
 * to words of r300, r500, etnaviv, ir3 and i915 or be refused. */
#include "pipeline.h"
#include "fragprog/arb_program.h"

#include "hwemit/targets.h"

#include <stdlib.h>

enum {
    INSTS = 4096,
    CONSTS = 2048,
    TEXT = 1 << 21,
    WORDS = 200 /* longest program that is compiled to words */
};

static struct fragprog_inst inst[2][INSTS];
static struct fragprog_const konst[2][CONSTS];
static char text[2][TEXT];

static void check(const struct fragprog *p)
{
    unsigned where;
    const char *rule = fragprog_check(p, &where);
    if (rule)
        pipeline_broken("an ARB program breaks a rule", rule);
}

static bool print(struct texenv_text *out, unsigned n, const struct fragprog *p, unsigned language)
{
    struct fragprog_reason why;
    const struct fragprog_language_options options = {.language = (uint8_t)language};
    void *scratch = malloc(fragprog_language_scratch(p->ninst) + 1);
    texenv_text_init(out, text[n], TEXT);
    const bool printed = fragprog_print_language(out, p, &options, scratch, &why);
    free(scratch);
    return printed && out->length < TEXT;
}

static bool read(struct fragprog *p, unsigned n, const char *data, size_t size)
{
    const struct fragprog_bound bound = fragprog_bound_arbfp(data, size);
    const struct texenv_sink sink = {pipeline_emit, NULL};
    if (bound.insts > INSTS || bound.consts > CONSTS)
        return false;
    *p = (struct fragprog){
        .inst = inst[n], .konst = konst[n], .maxinst = bound.insts, .maxkonst = bound.consts};
    void *scratch = malloc(bound.scratch);
    const bool is = fragprog_read_arbfp(p, data, size, 1, &sink, scratch);
    free(scratch);
    if (!is && (p->ninst || p->nkonst))
        pipeline_broken("a program that could not be read is not empty", "");
    return is;
}

/* Compiles to words, without and with alternate temporaries (vertex programs only) and alias tables. */
static void compile(const struct fragprog *p)
{
    static const struct {
        const struct hwemit_target *target;
        const char *option;
        int value;
    } ways[] = {{&hwemit_r300, NULL, 0},   {&hwemit_r300, "atrm", 0},  {&hwemit_r500, NULL, 0},
                {&hwemit_r500, "atrm", 0}, {&hwemit_etnaviv, NULL, 0}, {&hwemit_ir3, NULL, 0},
                {&hwemit_ir3, "level", 7}, {&hwemit_i915, NULL, 0}};
    static struct hwemit_word words[HWEMIT_MAX_WORDS];
    static struct hwemit_code code;
    struct fragprog_reason why;
    for (unsigned n = 0; n < sizeof ways / sizeof *ways; n++) {
        const struct hwemit_target *target = ways[n].target;
        const struct fragprog_source source = {.ir = p};
        struct hwemit_options options = {.passes = {.level = 2}};
        if (ways[n].option)
            hwemit_set_option(&options, target, ways[n].option, ways[n].value);
        void *scratch = malloc(hwemit_scratch_of(target, &source));
        hwemit_code_init(&code, words, HWEMIT_MAX_WORDS);
        if (hwemit_compile(&code, target, &source, &options, scratch, &why) && code.nwords > HWEMIT_MAX_WORDS)
            pipeline_broken("more words than there is room for", "");
        free(scratch);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fragprog p, back;
    struct texenv_text out;
    if (!read(&p, 0, (const char *)data, size))
        return 0;
    check(&p);
    if (p.ninst < WORDS)
        compile(&p);
    for (unsigned level = 0; level < 3; level++) {
        const struct fragprog_opt opt = {.level = (uint8_t)level, .fold_constants = level > 1};
        void *scratch = malloc(fragprog_passes_scratch(p.ninst));
        fragprog_optimise(&p, &opt, scratch);
        free(scratch);
        check(&p);
        for (unsigned language = 0; language < FRAGPROG_LANGUAGES; language++)
            if (language != FRAGPROG_ARBFP)
                print(&out, 0, &p, language);
        if (print(&out, 0, &p, FRAGPROG_ARBFP) && fragprog_bound_arbfp(text[0], out.length).insts <= INSTS &&
            fragprog_bound_arbfp(text[0], out.length).consts <= CONSTS &&
            !read(&back, 1, text[0], out.length))
            pipeline_broken("a printed ARB program does not read back", text[0]);
    }
    return 0;
}
