/* Prints the canonical text of a program in ATI_text_fragment_shader (notes/formats/atifs.md), which
 * read_atifs.c reads back. Programs that fragprog_check_atifs_text refuses are printed as far as possible,
 * but that text cannot be read back. */
#include "fragprog/names.h"

static void print_arg(struct texenv_text *text, const struct fragprog_atifs_arg *arg)
{
    int reg = fragprog_atifs_reg(arg), con = fragprog_atifs_con(arg);
    if (reg >= 0)
        texenv_printf(text, "r%d", reg);
    else if (con >= 0)
        texenv_printf(text, "c%d", con);
    else
        texenv_printf(text, "%s", fragprog_name_text(fragprog_atifs_fixed, arg->source));
    if (arg->rep)
        texenv_printf(text, ".%s", fragprog_name_text(fragprog_atifs_reps, arg->rep));
    for (const struct fragprog_name *row = fragprog_atifs_mods; row->text[0]; row++)
        if (arg->mods & row->value)
            texenv_printf(text, ".%s", row->text);
}

/* mask: bits 1 2 4 8 are r g b a */
static void print_op(struct texenv_text *text, const struct fragprog_atifs_op *op, unsigned mask)
{
    int row = fragprog_op_of_api(op->op);
    texenv_printf(text, "  %s r%u", row >= 0 ? fragprog_op_names[row].atifs : "?", (unsigned)op->dst);
    if (mask != 15)
        texenv_printf(text, ".%s%s%s%s", mask & 1 ? "r" : "", mask & 2 ? "g" : "", mask & 4 ? "b" : "",
                      mask & 8 ? "a" : "");
    for (const struct fragprog_name *scale = fragprog_atifs_scales; scale->text[0]; scale++)
        if (op->mod & scale->value)
            texenv_printf(text, ".%s", scale->text);
    if (op->mod & FRAGPROG_ATI_SATURATE)
        texenv_printf(text, ".sat");
    for (unsigned i = 0; i < op->nargs && i < 3; i++) {
        texenv_printf(text, ", ");
        print_arg(text, &op->arg[i]);
    }
    texenv_printf(text, ";\n");
}

static void print_pair(struct texenv_text *text, const struct fragprog_atifs_op half[2])
{
    const struct fragprog_atifs_op *color = &half[TEXENV_RGB], *alpha = &half[TEXENV_ALPHA];
    /* Restriction 10: the alpha of a dot product can be written only together with a colour channel: "DOT3
     * r0.ra". */
    bool one = color->op && alpha->op && fragprog_atifs_same(color, alpha) &&
        (color->mask == 7 || fragprog_atifs_is_dot(color));
    if (color->op)
        print_op(text, color, color->mask | (one ? 8u : 0u));
    if (alpha->op && !one)
        print_op(text, alpha, 8);
}

static void print_pass(struct texenv_text *text, const struct fragprog_atifs_pass *pass, const char *name)
{
    texenv_printf(text, "%s;\n", name);
    for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
        const struct fragprog_atifs_setup *setup = &pass->setup[reg];
        if (setup->op)
            texenv_printf(text, "  %s r%u, %c%u.%s;\n", fragprog_name_text(fragprog_atifs_setups, setup->op),
                          reg, setup->from_reg ? 'r' : 't', (unsigned)setup->source,
                          fragprog_name_text(fragprog_atifs_swizzles, setup->swizzle));
    }
    for (unsigned n = 0; n < pass->npairs && n < FRAGPROG_PAIRS; n++)
        print_pair(text, pass->pair[n].half);
    texenv_printf(text, "EndPass;\n");
}

static void print_consts(struct texenv_text *text, const struct fragprog_atifs *program)
{
    bool any = false;
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++)
        any |= program->konst[k].used;
    if (!any)
        return;
    texenv_printf(text, "StartConstants;\n");
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++) {
        const struct fragprog_atifs_const *konst = &program->konst[k];
        if (!konst->used)
            continue;
        texenv_printf(text, "  CONSTANT c%u = ", k);
        if (konst->kind == FRAGPROG_CONST_LITERAL)
            texenv_printf(text, "{%f, %f, %f, %f};\n", (double)konst->value[0], (double)konst->value[1],
                          (double)konst->value[2], (double)konst->value[3]);
        else
            texenv_printf(text, "program.%s[%u];\n", konst->kind == FRAGPROG_CONST_LOCAL ? "local" : "env",
                          (unsigned)konst->index);
    }
    texenv_printf(text, "EndConstants;\n");
}

void fragprog_print_atifs_comments(struct texenv_text *text, const struct fragprog_atifs *program,
                                   const char *lead)
{
    for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
        int texture = -1, coord = -1, target = 0;
        for (unsigned pass = 2; pass-- > 0;) { /* the first pass takes precedence */
            const struct fragprog_atifs_setup *setup = &program->pass[pass].setup[reg];
            if (pass >= program->npasses || setup->op != FRAGPROG_SAMPLE || setup->texture < 0)
                continue;
            texture = setup->texture;
            target = setup->target;
            coord = setup->from_reg ? coord : setup->source;
        }
        if (texture < 0)
            continue;
        texenv_printf(text, "%s bind r%u texture=%d", lead, reg, texture);
        if (coord >= 0) /* otherwise there are only dependent lookups */
            texenv_printf(text, " coord=%d", coord);
        if (target)
            texenv_printf(text, " target=%s", fragprog_name_text(fragprog_ir_targets, target - 1));
        texenv_printf(text, "\n");
    }
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++)
        if (program->konst[k].used && program->konst[k].unit >= 0)
            texenv_printf(text, "%s const c%u unit=%d env-color\n", lead, k, (int)program->konst[k].unit);
    if (program->color_sum)
        texenv_printf(text, "%s color-sum in-program\n", lead);
}

void fragprog_print_atifs(struct texenv_text *text, const struct fragprog_atifs *program)
{
    texenv_printf(text, "!!ATIfs1.0\n");
    fragprog_print_atifs_comments(text, program, "#");
    print_consts(text, program);
    if (program->npasses >= 2)
        print_pass(text, &program->pass[0], "StartPrelimPass");
    print_pass(text, &program->pass[program->npasses >= 2], "StartOutputPass");
}
