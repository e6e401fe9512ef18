/* Tests programs of ATI_fragment_shader that neither text nor calls can express, but callers of the library
 * that fill the structure themselves. */
#include "check.h"
#include "fragprog/atifs.h"
#include "fragprog/ir.h"

#include <math.h>
#include <string.h>

static void ignore(void *user, const struct texenv_diag *diag)
{
    (void)user;
    (void)diag;
}

static uint64_t scratch[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];

static void as_ir(char *out, size_t size, const struct fragprog_atifs *program)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    struct texenv_text text;
    fragprog_init(&p, &storage);
    fragprog_import_atifs(&p, program, NULL, scratch);
    texenv_text_init(&text, out, size);
    fragprog_print_ir(&text, &p);
    CHECK(text.length < size);
}

/* Tests that the alpha half of a dot product uses the arguments of the colour half, whatever its own are
 * (section "Dot product instructions" of the extension). */
static void alpha_of_a_dot(const char *op)
{
    char source[400], want[4096], got[4096];
    unsigned pass, pair;
    struct fragprog_atifs program;
    struct texenv_text text;
    texenv_text_init(&text, source, sizeof source);
    texenv_printf(
        &text,
        "!!ATIfs1.0\nStartOutputPass;\n  SampleMap r0, t0.str;\n  SampleMap r1, t1.str;\n  %s;\nEndPass;\n",
        op);
    if (!CHECK_SAY(
            fragprog_read_atifs(&program, source, strlen(source), 1, &(struct texenv_sink){.report = ignore}),
            "%s", op))
        return;
    as_ir(want, sizeof want, &program);
    struct fragprog_atifs_op *const alpha = &program.pass[0].pair[0].half[TEXENV_ALPHA];
    CHECK_SAY(alpha->op, "%s", op);
    for (unsigned i = 0; i < 3; i++)
        alpha->arg[i] = (struct fragprog_atifs_arg){.source = 0x8577, .mods = 2};
    const char *const rule = fragprog_check_atifs(&program, &pass, &pair);
    CHECK_SAY(!rule, "%s: %s", op, rule ? rule : "");
    CHECK_SAY(fragprog_check_atifs_text(&program, &pass, &pair), "%s: the text form cannot say it", op);
    as_ir(got, sizeof got, &program);
    CHECK_SAY(!strcmp(got, want), "%s: with other arguments in alpha it is\n%snot\n%s", op, got, want);
}

static bool read_program(struct fragprog_atifs *program, const char *source)
{
    const struct texenv_sink sink = {.report = ignore};
    return CHECK(fragprog_read_atifs(program, source, strlen(source), 1, &sink));
}

static const char *rule_of(const struct fragprog_atifs *program)
{
    unsigned pass, pair;
    return fragprog_check_atifs(program, &pass, &pair);
}

static const char with_constants[] =
    "!!ATIfs1.0\nStartConstants;\n  CONSTANT c0 = {0, 0.5, 1, 0.25};\n"
    "  CONSTANT c1 = program.local[1];\n  CONSTANT c2 = program.env[2];\nEndConstants;\n"
    "StartOutputPass;\n  SampleMap r0, t0.str;\n  SampleMap r1, t1.str;\n"
    "  MAD r0, r0, c0, c1;\n  MAD r0, r0, r1, c2;\nEndPass;\n";

/* Tests values of constants: those outside of [0,1] are undefined in SetFragmentShaderConstantATI and are
 * refused, except -1, which stands for the unknown value of a parameter. */
static void constants_in_range(void)
{
    static const float bad[] = {-0.001f, 1.001f, 182, -2, NAN, INFINITY, -INFINITY};
    struct fragprog_atifs program;
    if (!read_program(&program, with_constants))
        return;
    CHECK(!rule_of(&program));
    for (unsigned k = 0; k < 3; k++)
        for (unsigned c = 0; c < 4; c++) {
            const float before = program.konst[k].value[c];
            for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                program.konst[k].value[c] = bad[i];
                CHECK_SAY(rule_of(&program), "constant %u may be %g", k, (double)bad[i]);
            }
            program.konst[k].value[c] = 1;
            CHECK(!rule_of(&program));
            program.konst[k].value[c] = -1;
            CHECK(!rule_of(&program) == (program.konst[k].kind != FRAGPROG_CONST_LITERAL));
            program.konst[k].value[c] = before;
        }
}

/* Tests the field for the target of a texture, which is 0 for "unknown" or a target + 1. Other values must be
 * refused, since the target indexes tables. */
static void targets_exist(void)
{
    struct fragprog_atifs program;
    if (!read_program(&program, with_constants))
        return;
    for (unsigned target = 0; target < 256; target++) {
        program.pass[0].setup[1].target = (uint8_t)target;
        CHECK_SAY(!rule_of(&program) == (target <= TEXENV_TARGETS), "target %u", target);
    }
}

/* Tests random bytes as program: they must be refused, or become an intermediate program that obeys the rules
   of fragprog/ir.h. */
static void any_bytes(void)
{
    uint32_t random = 1, accepted = 0;
    struct fragprog_atifs start;
    static struct fragprog_storage storage;
    if (!read_program(&start, with_constants))
        return;
    for (unsigned n = 0; n < 100000; n++) {
        struct fragprog_atifs program = start;
        struct fragprog p;
        for (unsigned changes = 1 + n % 2; changes; changes--) {
            random = random * 1664525 + 1013904223;
            const uint32_t at = (random >> 8) % sizeof program;
            random = random * 1664525 + 1013904223;
            ((unsigned char *)&program)[at] = (unsigned char)(random >> 24);
        }
        if (rule_of(&program))
            continue;
        accepted++;
        unsigned where = 0;
        fragprog_init(&p, &storage);
        fragprog_import_atifs(&p, &program, NULL, scratch);
        const char *const broken = fragprog_check(&p, &where);
        CHECK_SAY(!broken, "%s at %u", broken, where);
        for (unsigned k = 0; k < p.nkonst; k++)
            for (unsigned c = 0; c < 4; c++)
                CHECK_SAY(p.konst[k].value[c] >= 0 && p.konst[k].value[c] <= 1, "constant %g",
                          (double)p.konst[k].value[c]);
    }
    CHECK_SAY(accepted > 1000, "only %u accepted", accepted);
}

int main(void)
{
    constants_in_range();
    targets_exist();
    any_bytes();
    alpha_of_a_dot("DOT3 r0, r0, r1");
    alpha_of_a_dot("DOT4 r0, r0, r1.comp");
    alpha_of_a_dot("DOT2ADD r0, r0, r1, r1.r");
    return check_report("import");
}
