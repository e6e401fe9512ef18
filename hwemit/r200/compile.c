/* The R200 as a target: the extension was made for this chip, so a program is scheduled in the extension's terms and then encoded. */
#include "hwemit/r200/r200.h"

#include <string.h>

enum { PRIMARY_IN_FIRST_PASS };
static const struct hwemit_assumption assumptions[] = {
    [PRIMARY_IN_FIRST_PASS] = {"primary-in-first-pass", "the first of two passes can read the primary and secondary colour (the extension forbids it; the chip is not known)"},
    {NULL, NULL}};

/* Reads a first pass the interpolators? */
static bool needs_interpolators(const struct fragprog_atifs *p)
{
    for (unsigned n = 0; p->npasses == 2 && n < p->pass[0].npairs; n++)
        for (unsigned h = 0; h < 2; h++) {
            const struct fragprog_atifs_op *op = &p->pass[0].pair[n].half[h];
            for (unsigned i = 0; op->op && i < op->nargs; i++)
                if (op->arg[i].source == FRAGPROG_ATI_PRIMARY || op->arg[i].source == FRAGPROG_ATI_SECONDARY)
                    return true;
        }
    return false;
}

/* One pass before two, the optimised program before the plain one, what is documented before what is assumed. The reason is the optimised program's. */
static bool schedule(struct fragprog_atifs *program, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct fragprog_schedule_options o = {.rebind = 1, .primary_texcoord = options->primary_texcoord};
    const struct fragprog *from[2] = {source->best, source->plain && source->plain != source->best ? source->plain : NULL};
    struct fragprog_reason other;
    for (o.max_passes = 1; o.max_passes <= 2; o.max_passes++)
        for (o.interpolators_first = 0; o.interpolators_first <= (o.max_passes == 2 && options->assume >> PRIMARY_IN_FIRST_PASS & 1); o.interpolators_first++)
            for (unsigned i = 0; i < 2; i++)
                if (from[i] && fragprog_schedule(program, from[i], &o, i ? &other : why, NULL))
                    return true;
    return false;
}

/* Would the assumption do? */
static void look_for_relaxation(const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct fragprog_atifs program;
    struct hwemit_options assuming = *options;
    struct fragprog_reason ignored;
    assuming.assume |= 1u << PRIMARY_IN_FIRST_PASS;
    if (!(options->assume >> PRIMARY_IN_FIRST_PASS & 1) && schedule(&program, source, &assuming, &ignored)) {
        struct texenv_text text;
        texenv_text_init(&text, why->fit, sizeof why->fit);
        texenv_printf(&text, "--assume primary-in-first-pass, or one less");
    }
}

static bool compile(struct hwemit_code *code, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct fragprog_atifs program;
    if (source->atifs)
        program = *source->atifs;
    else if (!schedule(&program, source, options, why)) {
        look_for_relaxation(source, options, why);
        return false;
    }
    if (needs_interpolators(&program))
        code->assumed |= 1u << PRIMARY_IN_FIRST_PASS;
    return hwemit_r200_encode(code, &program, why);
}

const struct hwemit_target hwemit_r200 = {
    .name = "r200",
    .help = "ATI R200 (Radeon 8500 to 9250): stages of one or two passes, as register writes",
    .assumptions = assumptions,
    .compile = compile,
    .registers = hwemit_r200_registers,
};
