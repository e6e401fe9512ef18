/* Prints a program as a C function of GL_ATI_fragment_shader calls, with the names of GL/glext.h. */
#include "fragprog/names.h"

/* Prints the name in GL/glext.h, or the number if it has no name. */
static void print_name(struct texenv_text *text, const struct fragprog_name *table, int32_t value)
{
    const struct fragprog_name *row = fragprog_name_of(table, value);
    if (row)
        texenv_printf(text, "%s", row->gl);
    else
        texenv_printf(text, "0x%x", (unsigned)value);
}

/* Prints or'ed bits: "GL_2X_BIT_ATI | GL_BIAS_BIT_ATI", or "GL_NONE". Returns true if no bit is set. */
static bool print_bits(struct texenv_text *text, const struct fragprog_name *table, unsigned bits)
{
    bool first = true;
    for (; table->text[0]; table++) {
        if (!(bits & (unsigned)table->value))
            continue;
        texenv_printf(text, "%s%s", first ? "" : " | ", table->gl);
        first = false;
    }
    return first;
}

static void print_arg(struct texenv_text *text, const struct fragprog_atifs_arg *arg)
{
    int reg = fragprog_atifs_reg(arg), con = fragprog_atifs_con(arg);
    texenv_printf(text, ", ");
    if (reg >= 0)
        texenv_printf(text, "GL_REG_%d_ATI", reg);
    else if (con >= 0)
        texenv_printf(text, "GL_CON_%d_ATI", con);
    else
        print_name(text, fragprog_atifs_fixed, arg->source);
    texenv_printf(text, ", ");
    if (arg->rep)
        print_name(text, fragprog_atifs_reps, arg->rep);
    else
        texenv_printf(text, "GL_NONE");
    texenv_printf(text, ", ");
    if (print_bits(text, fragprog_atifs_mods, arg->mods))
        texenv_printf(text, "GL_NONE");
}

static void print_op(struct texenv_text *text, const struct fragprog_atifs_op *op, unsigned half)
{
    int row = fragprog_op_of_api(op->op);
    texenv_printf(text, "    gl%sFragmentOp%uATI(%s, GL_REG_%u_ATI, ", half == TEXENV_RGB ? "Color" : "Alpha",
                  (unsigned)op->nargs, row >= 0 ? fragprog_op_gl[row] : "GL_NONE", (unsigned)op->dst);
    if (half == TEXENV_RGB) {
        static const struct fragprog_name masks[] = {{1, "r", "GL_RED_BIT_ATI"},
                                                     {2, "g", "GL_GREEN_BIT_ATI"},
                                                     {4, "b", "GL_BLUE_BIT_ATI"},
                                                     {0, "", ""}};
        if (op->mask == 7) /* GL_NONE: all channels are written */
            texenv_printf(text, "GL_NONE");
        else
            print_bits(text, masks, op->mask);
        texenv_printf(text, ", ");
    }
    bool none = print_bits(text, fragprog_atifs_scales, op->mod);
    if (op->mod & FRAGPROG_ATI_SATURATE)
        texenv_printf(text, "%sGL_SATURATE_BIT_ATI", none ? "" : " | ");
    else if (none)
        texenv_printf(text, "GL_NONE");
    for (unsigned i = 0; i < op->nargs && i < 3; i++)
        print_arg(text, &op->arg[i]);
    texenv_printf(text, ");\n");
}

static void print_pass(struct texenv_text *text, const struct fragprog_atifs_pass *pass, bool second)
{
    bool any = false;
    for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
        const struct fragprog_atifs_setup *setup = &pass->setup[reg];
        const struct fragprog_name *row = setup->op ? fragprog_name_of(fragprog_atifs_setups, setup->op)
                                                    : NULL;
        if (!row)
            continue;
        any = true;
        texenv_printf(text, "    %s(GL_REG_%u_ATI, ", row->gl, reg);
        texenv_printf(text, setup->from_reg ? "GL_REG_%u_ATI, " : "GL_TEXTURE%u_ARB, ",
                      (unsigned)setup->source);
        print_name(text, fragprog_atifs_swizzles, setup->swizzle);
        texenv_printf(text, ");\n");
    }
    /* In GL calls, the first setup instruction after arithmetic begins the second pass; this one is added for
     * that purpose and changes no defined value. */
    if (second && !any)
        texenv_printf(text,
                      "    glPassTexCoordATI(GL_REG_0_ATI, GL_REG_0_ATI, GL_SWIZZLE_STR_ATI); // begins the "
                      "second pass\n");
    for (unsigned n = 0; n < pass->npairs && n < FRAGPROG_PAIRS; n++)
        for (unsigned half = 0; half < 2; half++)
            if (pass->pair[n].half[half].op)
                print_op(text, &pass->pair[n].half[half], half);
}

/* Returns true if the value of the constant is known. Values of environment parameters, and of local
 * parameters that were read from text, are not known. */
static bool has_value(const struct fragprog_atifs_const *konst)
{
    for (unsigned c = 0; c < 4; c++)
        if (!(konst->value[c] >= 0 && konst->value[c] <= 1))
            return false;
    return konst->used && konst->kind != FRAGPROG_CONST_ENV;
}

void fragprog_print_atifs_c(struct texenv_text *text, const struct fragprog_atifs *program, const char *name)
{
    texenv_printf(text,
                  "// GL_ATI_fragment_shader: call it with the shader bound (glBindFragmentShaderATI)\n");
    fragprog_print_atifs_comments(text, program, "//");
    texenv_printf(text, "void %s(void)\n{\n", name);
    bool any = false;
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++) {
        const struct fragprog_atifs_const *konst = &program->konst[k];
        if (konst->used && !has_value(konst)) {
            any = true;
            texenv_printf(
                text,
                "    // c%u is program.%s[%u]: set GL_CON_%u_ATI before drawing, outside of this function\n",
                k, konst->kind == FRAGPROG_CONST_LOCAL ? "local" : "env", (unsigned)konst->index, k);
        }
    }
    texenv_printf(text, "%s    glBeginFragmentShaderATI();\n", any ? "\n" : "");
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++)
        /* No suffix f: the decimals are rounded to double and then to single precision, as
         * notes/formats/atifs.md defines. */
        if (has_value(&program->konst[k])) {
            const struct fragprog_atifs_const *konst = &program->konst[k];
            texenv_printf(
                text, "    glSetFragmentShaderConstantATI(GL_CON_%u_ATI, (const GLfloat[]){%f, %f, %f, %f});",
                k, (double)konst->value[0], (double)konst->value[1], (double)konst->value[2],
                (double)konst->value[3]);
            if (konst->kind == FRAGPROG_CONST_LOCAL)
                texenv_printf(text, " // program.local[%u]", (unsigned)konst->index);
            texenv_printf(text, "\n");
        }
    for (unsigned pass = 0; pass < program->npasses && pass < 2; pass++)
        print_pass(text, &program->pass[pass], pass == 1);
    texenv_printf(text, "    glEndFragmentShaderATI();\n}\n");
}
