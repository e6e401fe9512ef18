/* The target r200. The extension GL_ATI_fragment_shader was made for this chip, so a program is scheduled as
 * a program of ATI_fragment_shader and then encoded. It gets two passes only if neither the optimised nor the
 * plain program fits one (fragprog_schedule_either, fragprog/atifs/two_pass.c). */
#include "hwemit/r200/r200.h"

enum { PRIMARY_IN_FIRST_PASS, ALPHA_DOT_MODIFIERS, LIMITED_OUTPUT };
static const struct hwemit_assumption assumptions[] = {
    [PRIMARY_IN_FIRST_PASS] = {"primary-in-first-pass",
                               "the first of two passes can read the primary and secondary colour (the "
                               "extension forbids it; the chip is not known)"},
    [ALPHA_DOT_MODIFIERS] = {"alpha-dot-modifiers",
                             "a dot product's alpha has the scale and limit of the alpha word, where they "
                             "differ from the colour's (neither the chip nor the extension is known)"},
    [LIMITED_OUTPUT] = {"limited-output",
                        "a result beyond [0,1] is limited after the program (the known drivers limit the "
                        "last writes themselves)"},
    {NULL, NULL}};

enum { PRIMARY_TEXCOORD };
static const struct hwemit_option own_options[] = {
    [PRIMARY_TEXCOORD] = {"primary-texcoord", 0, R200_UNITS - 1,
                          "the primary colour also comes in as texture coordinate set N"},
    {NULL, 0, 0, NULL}};

/* Returns the assumptions that a pair of operations needs: that the first of two passes can read interpolated
 * colours, or which modifiers count if a dot product's colour and alpha halves have different ones. */
static uint32_t needs(const struct fragprog_atifs_op half[2], bool first)
{
    uint32_t assumed = 0;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned i = 0; half[h].op && i < half[h].nargs; i++)
            if (first &&
                (half[h].arg[i].source == FRAGPROG_ATI_PRIMARY ||
                 half[h].arg[i].source == FRAGPROG_ATI_SECONDARY))
                assumed |= 1u << PRIMARY_IN_FIRST_PASS;
    if (hwemit_r200_is_dot(half[TEXENV_ALPHA].op) && half[TEXENV_ALPHA].mod != half[TEXENV_RGB].mod)
        assumed |= 1u << ALPHA_DOT_MODIFIERS;
    return assumed;
}

static unsigned count_pairs(const struct fragprog_atifs *p)
{
    return p->pass[0].npairs + (p->npasses == 2 ? p->pass[1].npairs : 0u);
}

/* Schedules the program without assumptions, unless an allowed assumption makes it shorter. why may be NULL.
 */
static bool schedule(struct fragprog_atifs *program, const struct hwemit_source *source,
                     const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct fragprog_schedule_options o = {
        .max_passes = 2,
        .rebind = 1,
        .primary_texcoord = (int8_t)hwemit_option_value(options, PRIMARY_TEXCOORD, -1)};
    const struct fragprog_means means = {source->budget, source->scratch};
    bool found = fragprog_schedule_either(program, source->best, source->plain, &o, &means, why);
    if (options->assume >> ALPHA_DOT_MODIFIERS & 1) {
        struct fragprog_atifs other;
        o.alpha_dot_modifiers = 1;
        if (fragprog_schedule_either(&other, source->best, source->plain, &o, &means, found ? NULL : why) &&
            (!found || count_pairs(&other) < count_pairs(program))) {
            *program = other;
            found = true;
        }
    }
    if (found)
        return true;
    o.interpolators_first = options->assume >> PRIMARY_IN_FIRST_PASS & 1;
    return o.interpolators_first &&
        fragprog_schedule_either(program, source->best, source->plain, &o, &means, why);
}

enum { PART_FOR_RELAXATION = 4 };

/* After a refusal, adds to why->fit whether the assumption would help. */
static void look_for_relaxation(const struct hwemit_source *source, const struct hwemit_options *options,
                                struct fragprog_reason *why)
{
    struct fragprog_atifs program;
    struct hwemit_options assuming = *options;
    struct fragprog_budget budget = {.most = source->budget->most / PART_FOR_RELAXATION};
    struct hwemit_source again = *source;
    assuming.assume |= 1u << PRIMARY_IN_FIRST_PASS;
    again.budget = &budget;
    if (!(options->assume >> PRIMARY_IN_FIRST_PASS & 1) && schedule(&program, &again, &assuming, NULL)) {
        struct texenv_text text;
        texenv_text_init(&text, why->fit, sizeof why->fit);
        texenv_printf(&text, "--assume primary-in-first-pass, or one less");
    }
}

/* Returns a unit whose lookup reads the coordinate set through which the user passes the primary colour, or
 * -1. */
static int lookup_of_primary(const struct fragprog_atifs *p, int set)
{
    for (unsigned pass = 0; pass < p->npasses && set >= 0; pass++)
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
            const struct fragprog_atifs_setup *setup = &p->pass[pass].setup[r];
            if (setup->op == FRAGPROG_SAMPLE && !setup->from_reg && setup->source == set)
                return setup->texture >= 0 ? setup->texture : (int)r;
        }
    return -1;
}

static bool compile(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct hwemit_source *source, const struct hwemit_options *options,
                    struct fragprog_reason *why)
{
    (void)target;
    struct fragprog_atifs program;
    if (source->atifs)
        program = *source->atifs;
    else if (!schedule(&program, source, options, why)) {
        look_for_relaxation(source, options, why);
        return false;
    }
    const int set = hwemit_option_value(options, PRIMARY_TEXCOORD, -1),
              unit = source->atifs ? -1 : lookup_of_primary(&program, set);
    if (unit >= 0)
        return hwemit_refuse(why, unit, "coordinates", "another set carries the primary colour, or none",
                             "unit %d: its coordinate set %d carries the primary colour", unit, set);
    for (unsigned pass = 0; pass < program.npasses; pass++)
        for (unsigned n = 0; n < program.pass[pass].npairs; n++)
            code->assumed |= needs(program.pass[pass].pair[n].half, pass + 1 < program.npasses);
    if (code->assumed & ~options->assume & 1u << ALPHA_DOT_MODIFIERS)
        return hwemit_refuse(
            why, -1, "dot", "--assume alpha-dot-modifiers",
            "a dot product's alpha has other modifiers than its colour, and it is not known whose count");
    if (source->atifs && !hwemit_r200_limit_result(&program)) {
        if (!(options->assume >> LIMITED_OUTPUT & 1))
            return hwemit_refuse(
                why, -1, "pairs", "--assume limited-output",
                "the result is not limited to [0,1] by its last writes, and no pair is left to do it");
        code->assumed |= 1u << LIMITED_OUTPUT;
    }
    return hwemit_r200_encode(code, &program, why);
}

const struct hwemit_target hwemit_r200 = {
    .name = "r200",
    .help = "ATI R200 (Radeon 8500 to 9250): stages of one or two passes, as register writes",
    .assumptions = assumptions,
    .options = own_options,
    .scratch = FRAGPROG_SCHEDULE_SCRATCH,
    .most_work = FRAGPROG_MOST_WORK,
    .compile = compile,
};
