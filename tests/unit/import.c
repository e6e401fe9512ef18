/* Programs of ATI_fragment_shader that no text and no calls can say: callers of the library fill the structure themselves. */
#include "check.h"
#include "fragprog/fragprog.h"

#include <string.h>

static void ignore(void *user, const struct texenv_diag *diag)
{
    (void)user;
    (void)diag;
}

static void as_ir(char *out, size_t size, const struct fragprog_atifs *program)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    struct texenv_text text;
    fragprog_init(&p, &storage);
    fragprog_import_atifs(&p, program, NULL);
    texenv_text_init(&text, out, size);
    fragprog_print_ir(&text, &p);
    CHECK(text.length < size);
}

/* "Dot product instructions": the alpha half has the colour half's arguments, whatever its own are. */
static void alpha_of_a_dot(const char *op)
{
    char source[400], want[4096], got[4096];
    unsigned pass, pair;
    struct fragprog_atifs program;
    struct texenv_text text;
    texenv_text_init(&text, source, sizeof source);
    texenv_printf(&text, "!!ATIfs1.0\nStartOutputPass;\n  SampleMap r0, t0.str;\n  SampleMap r1, t1.str;\n  %s;\nEndPass;\n", op);
    if (!CHECK_SAY(fragprog_read_atifs(&program, source, strlen(source), 1, &(struct texenv_sink){.emit = ignore}), "%s", op))
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

int main(void)
{
    alpha_of_a_dot("DOT3 r0, r0, r1");
    alpha_of_a_dot("DOT4 r0, r0, r1.comp");
    alpha_of_a_dot("DOT2ADD r0, r0, r1, r1.r");
    return check_report("import");
}
