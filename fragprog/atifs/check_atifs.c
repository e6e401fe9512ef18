/* Checks a program against the restrictions of GL_ATI_fragment_shader (its section Errors) and of
 * GL_ATI_text_fragment_shader (its numbered semantic restrictions). The reader of the text form uses these
 * checks, too. It additionally checks for errors that struct fragprog_atifs cannot represent (a ninth pair, a
 * register set up twice).
 *
 * Where the two documents differ, the stricter rule applies, with one exception. The list of errors of
 * ATI_fragment_shader forbids different swizzles of one coordinate set within a pass, but its prose and
 * restriction 8 of the text extension allow them within one class (STR or STQ). Only the class is checked,
 * over the whole program. */
#include "fragprog/names.h"

#define API " (ATI_fragment_shader, Errors)"
#define TEXT(n) " (ATI_text_fragment_shader, restriction " #n ")"

static bool is_unit(int unit) { return unit >= -1 && unit < TEXENV_UNITS; }

static const char *check_const(const struct fragprog_atifs_const *konst)
{
    if (!konst->used)
        return NULL;
    if (konst->kind > FRAGPROG_CONST_ENV)
        return "a constant of unknown kind";
    if (konst->kind != FRAGPROG_CONST_LITERAL && konst->index >= FRAGPROG_ATI_CONSTANTS)
        return "program.env and program.local have the indices 0 to 7 (ATI_text_fragment_shader, grammar)";
    if (!is_unit(konst->unit))
        return "a constant of a texture unit that does not exist";
    for (unsigned c = 0; c < 4; c++) {
        const bool unknown = konst->kind != FRAGPROG_CONST_LITERAL && konst->value[c] == -1;
        if (!unknown && !(konst->value[c] >= 0 && konst->value[c] <= 1)) /* also refuses NaN */
            return "a constant outside [0,1] has undefined values (ATI_fragment_shader, "
                   "SetFragmentShaderConstantATI)";
    }
    return NULL;
}

/* Checks the setup of one register. coord_class: for each coordinate set 1 STR, 2 STQ, 0 not used so far. */
static const char *check_setup(const struct fragprog_atifs_setup *setup, bool first_pass,
                               uint8_t coord_class[TEXENV_UNITS])
{
    if (setup->op == 0)
        return NULL;
    if (setup->op > FRAGPROG_PASS_COORD)
        return "unknown setup instruction";
    if (setup->swizzle > 3)
        return "GL_INVALID_ENUM: unknown swizzle";
    if (!is_unit(setup->texture))
        return "the texel of a texture unit that does not exist";
    if (setup->target > TEXENV_TARGETS) /* enum texenv_target + 1; 0: 2D, or not known */
        return "the texel of a texture target that does not exist";
    if (setup->from_reg > 1 ||
        setup->source >= (setup->from_reg ? (unsigned)FRAGPROG_REGISTERS : (unsigned)TEXENV_UNITS))
        return "GL_INVALID_ENUM: the coordinates come from no register or texture unit" API;

    unsigned kind = setup->swizzle & 1 ? 2 : 1;
    if (setup->from_reg) {
        if (first_pass)
            return "GL_INVALID_OPERATION: in the first pass coordinates cannot come from a register" API;
        if (kind == 2)
            return "GL_INVALID_OPERATION: coordinates from a register take str or str_dr only" API;
        return NULL;
    }
    if (coord_class[setup->source] && coord_class[setup->source] != kind)
        return "GL_INVALID_OPERATION: one texture coordinate set is used both as str and as stq" TEXT(8);
    coord_class[setup->source] = (uint8_t)kind;
    return NULL;
}

/* Checks one argument of a half, independently of the others. */
static const char *check_arg(const struct fragprog_atifs *program, const struct fragprog_atifs_op *op,
                             unsigned half, const struct fragprog_atifs_arg *arg)
{
    int con = fragprog_atifs_con(arg);
    if (fragprog_atifs_reg(arg) < 0 && con < 0 && !fragprog_name_of(fragprog_atifs_fixed, arg->source))
        return "GL_INVALID_ENUM: an argument is no register, constant or interpolator" API;
    if (arg->rep && !fragprog_name_of(fragprog_atifs_reps, arg->rep))
        return "GL_INVALID_ENUM: unknown replication of an argument";
    if (arg->mods > 15)
        return "GL_INVALID_ENUM: unknown modifier of an argument";
    if (con >= 0 && !program->konst[con].used)
        return "GL_INVALID_OPERATION: a constant is used but not declared" TEXT(1);
    if (arg->source != FRAGPROG_ATI_SECONDARY)
        return NULL;
    if (arg->rep == FRAGPROG_ATI_ALPHA)
        return "GL_INVALID_OPERATION: color1 has no alpha" API;
    if (arg->rep == 0 && half == TEXENV_ALPHA)
        return "GL_INVALID_OPERATION: an alpha instruction (or the alpha half of one without mask) needs "
               "color1 with .r, .g or .b" API;
    if (arg->rep == 0 && op->op == FRAGPROG_ATI_DOT4)
        return "GL_INVALID_OPERATION: DOT4 reads the alpha of color1" API;
    return NULL;
}

/* Checks one half. *where: number of the wrong argument, or 3 for none. */
static const char *check_half(const struct fragprog_atifs *program, const struct fragprog_atifs_op *op,
                              unsigned half, bool last_pass, unsigned *where)
{
    *where = 3;
    int row = fragprog_op_of_api(op->op);
    if (row < 0)
        return "GL_INVALID_ENUM: unknown operation";
    if (op->nargs != fragprog_op_args((unsigned)row))
        return "GL_INVALID_ENUM: the operation takes another number of arguments";
    if (op->dst >= FRAGPROG_REGISTERS)
        return "GL_INVALID_ENUM: the destination is no register" API;
    if (half == TEXENV_RGB ? op->mask == 0 || op->mask > 7 : op->mask != 0)
        return "the mask is empty or has channels that this half does not write";
    unsigned scale = op->mod & ~(unsigned)FRAGPROG_ATI_SATURATE;
    if (scale && !fragprog_name_of(fragprog_atifs_scales, (int32_t)scale))
        return "GL_INVALID_ENUM: destination modifiers that exclude each other" API;
    if (!is_unit(op->unit))
        return "an instruction of a texture unit that does not exist";

    for (*where = 0; *where < op->nargs; ++*where) {
        const struct fragprog_atifs_arg *arg = &op->arg[*where];
        const char *rule = check_arg(program, op, half, arg);
        if (rule)
            return rule;
        if (!last_pass && (arg->source == FRAGPROG_ATI_PRIMARY || arg->source == FRAGPROG_ATI_SECONDARY))
            return "GL_INVALID_OPERATION: color0 and color1 can be used in the last pass only" API;
    }
    if (op->nargs == 3) {
        int a = fragprog_atifs_con(&op->arg[0]), b = fragprog_atifs_con(&op->arg[1]),
            c = fragprog_atifs_con(&op->arg[2]);
        *where = 2;
        if (a >= 0 && b >= 0 && c >= 0 && a != b && b != c && a != c)
            return "GL_INVALID_OPERATION: three different constants in one instruction" API;
    }
    return NULL;
}

bool fragprog_atifs_is_dot(const struct fragprog_atifs_op *op)
{
    int row = fragprog_op_of_api(op->op);
    return row >= 0 && fragprog_op_is_dot((unsigned)row);
}

/* Checks that both halves of pair n may form a pair, and that the pair stays separate from the preceding
 * one. */
static const char *check_pairing(const struct fragprog_atifs_pass *pass, unsigned n)
{
    const struct fragprog_atifs_op *color = &pass->pair[n].half[TEXENV_RGB],
                                   *alpha = &pass->pair[n].half[TEXENV_ALPHA];
    if (!color->op && !alpha->op)
        return "a pair without an instruction: neither form of the extension can express it";
    if (!alpha->op)
        return NULL;
    if (fragprog_atifs_is_dot(alpha) && color->op != alpha->op)
        return "GL_INVALID_OPERATION: an alpha dot product needs the same one as the colour instruction of "
               "its pair" API;
    if (color->op == FRAGPROG_ATI_DOT4 && alpha->op != FRAGPROG_ATI_DOT4)
        return "GL_INVALID_OPERATION: after a colour DOT4 the alpha instruction can only be DOT4" API;
    if (color->op || n == 0)
        return NULL;
    /* In both forms, this alpha instruction would join the preceding pair, because there is no empty
     * instruction to separate them. */
    const struct fragprog_atifs_op *before = &pass->pair[n - 1].half[TEXENV_RGB];
    if (pass->pair[n - 1].half[TEXENV_ALPHA].op)
        return NULL;
    if (before->op == FRAGPROG_ATI_DOT4)
        return "GL_INVALID_OPERATION: an alpha instruction directly after a DOT4 that writes no alpha" TEXT(
            11);
    return "an alpha instruction alone in a pair after a colour instruction alone in its pair: neither form "
           "of the extension can keep them apart";
}

/* Checks that a register which is sampled in both passes gets texels of the same texture, because texture n
 * is bound to one unit. */
static const char *check_textures(const struct fragprog_atifs *program, unsigned reg)
{
    const struct fragprog_atifs_setup *first = &program->pass[0].setup[reg],
                                      *second = &program->pass[1].setup[reg];
    if (program->npasses == 2 && first->op == FRAGPROG_SAMPLE && second->op == FRAGPROG_SAMPLE &&
        first->texture != second->texture)
        return "a register is sampled from different textures in the two passes";
    return NULL;
}

const char *fragprog_atifs_violation(const struct fragprog_atifs *program, struct fragprog_atifs_where *where)
{
    uint8_t coord_class[TEXENV_UNITS] = {0};
    const char *rule = NULL;

    *where = (struct fragprog_atifs_where){.part = FRAGPROG_AT_PROGRAM};
    if (program->npasses < 1 || program->npasses > 2)
        return "GL_INVALID_OPERATION: a program has one or two passes" API;
    where->part = FRAGPROG_AT_CONST;
    for (where->index = 0; where->index < FRAGPROG_ATI_CONSTANTS; where->index++)
        if ((rule = check_const(&program->konst[where->index])) != NULL)
            return rule;

    for (where->pass = 0; where->pass < program->npasses; where->pass++) {
        const struct fragprog_atifs_pass *pass = &program->pass[where->pass];
        bool last = where->pass + 1 == program->npasses;
        where->part = FRAGPROG_AT_PROGRAM;
        if (pass->npairs > FRAGPROG_PAIRS)
            return "GL_INVALID_OPERATION: more than 8 pairs in a pass" API;
        if (!last && pass->npairs == 0)
            return "GL_INVALID_OPERATION: the first of two passes needs an arithmetic instruction" TEXT(4);

        where->part = FRAGPROG_AT_SETUP;
        for (where->index = 0; where->index < FRAGPROG_REGISTERS; where->index++) {
            rule = check_setup(&pass->setup[where->index], where->pass == 0, coord_class);
            if (!rule && where->pass == 1)
                rule = check_textures(program, where->index);
            if (rule)
                return rule;
        }

        where->part = FRAGPROG_AT_PAIR;
        for (where->index = 0; where->index < pass->npairs; where->index++) {
            for (where->half = 0; where->half < 2; where->half++) {
                const struct fragprog_atifs_op *op = &pass->pair[where->index].half[where->half];
                if (op->op && (rule = check_half(program, op, where->half, last, &where->arg)) != NULL)
                    return rule;
            }
            where->half = TEXENV_ALPHA;
            where->arg = 3;
            if ((rule = check_pairing(pass, where->index)) != NULL)
                return rule;
        }
    }
    return NULL;
}

struct texenv_place fragprog_atifs_place(const struct fragprog_atifs_places *places,
                                         const struct fragprog_atifs_where *where)
{
    const unsigned pass = where->pass, index = where->index, half = where->half;
    switch (where->part) {
    case FRAGPROG_AT_CONST: return places->konst[index];
    case FRAGPROG_AT_SETUP: return places->setup[pass][index];
    case FRAGPROG_AT_PAIR:
        if (where->arg < 3)
            return places->op[pass][index][half].arg[where->arg];
        if (places->op[pass][index][half].op.line || places->op[pass][index][half].op.call)
            return places->op[pass][index][half].op;
        return places->op[pass][index][TEXENV_RGB].op;
    default: return places->end;
    }
}

static const char *public_place(const char *rule, const struct fragprog_atifs_where *where, unsigned *pass,
                                unsigned *pair)
{
    if (rule && pass)
        *pass = where->pass;
    if (rule && pair)
        *pair = where->part == FRAGPROG_AT_PAIR ? where->index : FRAGPROG_PAIRS;
    return rule;
}

const char *fragprog_check_atifs(const struct fragprog_atifs *program, unsigned *pass, unsigned *pair)
{
    struct fragprog_atifs_where where;
    return public_place(fragprog_atifs_violation(program, &where), &where, pass, pair);
}

const char *fragprog_check_atifs_text(const struct fragprog_atifs *program, unsigned *pass, unsigned *pair)
{
    struct fragprog_atifs_where where;
    const char *rule = fragprog_atifs_violation(program, &where);
    if (rule)
        return public_place(rule, &where, pass, pair);

    for (where.pass = 0; where.pass < program->npasses; where.pass++) {
        const struct fragprog_atifs_pass *p = &program->pass[where.pass];
        where.part = FRAGPROG_AT_SETUP;
        for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++)
            if (p->setup[reg].op && !p->setup[reg].from_reg &&
                p->setup[reg].source >= FRAGPROG_ATI_TEXT_COORDS)
                return public_place("the text form has the texture coordinates t0 to t5 only "
                                    "(ATI_text_fragment_shader, grammar)",
                                    &where, pass, pair);
        where.part = FRAGPROG_AT_PAIR;
        for (where.index = 0; where.index < p->npairs; where.index++) {
            const struct fragprog_atifs_op *half = p->pair[where.index].half;
            if (fragprog_atifs_is_dot(&half[TEXENV_ALPHA]) &&
                !fragprog_atifs_same(&half[TEXENV_RGB], &half[TEXENV_ALPHA]))
                return public_place("an alpha dot product is part of the colour instruction: same register, "
                                    "modifiers and arguments" TEXT(10),
                                    &where, pass, pair);
        }
    }
    return NULL;
}
