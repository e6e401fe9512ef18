/* Reconstructs programs from the calls of GL_ATI_fragment_shader (revision 1.8,
 * section "Fragment shaders"), and detects GL errors. */
#include "fragprog/names.h"

#include <string.h>

/* Reports a call that GL would refuse. Evaluates to false; the call has no effect. */
#define REFUSE(calls, place, ...) \
    (texenv_emit(&(calls)->sink, (calls)->as_gl ? TEXENV_WARNING : TEXENV_ERROR, -1, place, "gl-error", \
                 __VA_ARGS__), \
     refused(calls))
static bool refused(struct fragprog_atifs_calls *calls)
{
    calls->errors += !calls->as_gl;
    calls->broken |= !calls->as_gl;
    return false;
}

void fragprog_atifs_calls_init(struct fragprog_atifs_calls *calls, const struct texenv_sink *sink, bool as_gl,
                               bool (*on_program)(void *user, const struct fragprog_atifs *program,
                                                  const struct fragprog_atifs_places *places),
                               void *user)
{
    memset(calls, 0, sizeof *calls);
    calls->sink = *sink;
    calls->as_gl = as_gl;
    calls->on_program = on_program;
    calls->user = user;
}

/* ---- arguments ---- */

static int shown(const struct texenv_argument *arg) { return (int)(arg->length < 40 ? arg->length : 40); }

/* Reads a number of at most 16 bits, which suffices for every enumerant and mask of ATI_fragment_shader. */
static bool take(struct fragprog_atifs_calls *calls, const struct texenv_call *call,
                 const struct texenv_argument *arg, unsigned *out)
{
    *out = 0;
    if (arg->kind == TEXENV_ARGUMENT_INTEGER && arg->integer >= 0 && arg->integer <= UINT16_MAX) {
        *out = (unsigned)arg->integer;
        return true;
    }
    if (arg->kind == TEXENV_ARGUMENT_INTEGER || (arg->kind == TEXENV_ARGUMENT_NAME && calls->as_gl))
        return REFUSE(calls, arg->place, "GL_INVALID_ENUM: '%s' of gl%sATI is '%.*s'", arg->name, call->name,
                      shown(arg), arg->text ? arg->text : "");
    texenv_emit(&calls->sink, TEXENV_ERROR, -1, arg->place, "not-constant",
                "expected a number or a GL name as '%s' of gl%sATI, found '%.*s'", arg->name, call->name,
                shown(arg), arg->text ? arg->text : "");
    calls->errors++;
    calls->broken = true;
    return false;
}

static bool take_register(struct fragprog_atifs_calls *calls, const struct texenv_call *call,
                          const struct texenv_argument *arg, unsigned *reg)
{
    unsigned value;
    if (!take(calls, call, arg, &value))
        return false;
    if (value < FRAGPROG_ATI_REG_0 || value >= FRAGPROG_ATI_REG_0 + FRAGPROG_REGISTERS)
        return REFUSE(
            calls, arg->place,
            "GL_INVALID_ENUM: '%s' of gl%sATI is '%.*s', none of the registers GL_REG_0_ATI to GL_REG_5_ATI",
            arg->name, call->name, shown(arg), arg->text ? arg->text : "");
    *reg = value - FRAGPROG_ATI_REG_0;
    return true;
}

/* ---- passes ---- */

static void declare_constants(struct fragprog_atifs *program, unsigned set);

/* Checks the trial program after an addition. Returns the rule that the added part breaks, so that the
 * current call is in error. Returns NULL if the program is valid, or if the error is in another part (that
 * error is reported at the end). */
static const char *breaks(const struct fragprog_atifs_calls *calls, struct fragprog_atifs *trial,
                          unsigned part, unsigned index, unsigned half)
{
    struct fragprog_atifs_where where;
    declare_constants(trial, calls->set);
    const char *rule = fragprog_atifs_violation(trial, &where);
    bool here = rule && where.part == part && where.pass == trial->npasses - 1u && where.index == index &&
        (part != FRAGPROG_AT_PAIR || where.half == half);
    return here && strncmp(rule, "GL_INVALID", 10) == 0 ? rule : NULL;
}

static struct fragprog_atifs_pass *last_pass(struct fragprog_atifs_calls *calls)
{
    return &calls->program.pass[calls->program.npasses - 1];
}

static bool inside(struct fragprog_atifs_calls *calls, const struct texenv_call *call, bool wanted)
{
    if (calls->open == wanted)
        return true;
    return REFUSE(calls, call->place,
                  "GL_INVALID_OPERATION: gl%sATI %s glBeginFragmentShaderATI and glEndFragmentShaderATI",
                  call->name, wanted ? "outside of" : "between");
}

/* SampleMap, PassTexCoord: the first of these calls after arithmetic begins the second pass. */
static bool setup(struct fragprog_atifs_calls *calls, const struct texenv_call *call, unsigned op)
{
    unsigned reg, from, swizzle;
    if (!inside(calls, call, true) || !take_register(calls, call, &call->arg[0], &reg) ||
        !take(calls, call, &call->arg[1], &from) || !take(calls, call, &call->arg[2], &swizzle))
        return false;
    bool from_reg = from >= FRAGPROG_ATI_REG_0 && from < FRAGPROG_ATI_REG_0 + FRAGPROG_REGISTERS;
    bool begins = last_pass(calls)->npairs > 0;
    if (!from_reg && (from < 0x84C0 || from >= 0x84C0 + TEXENV_UNITS)) /* TEXTURE0 */
        return REFUSE(calls, call->arg[1].place,
                      "GL_INVALID_ENUM: '%s' of gl%sATI is neither a register nor GL_TEXTURE0 to GL_TEXTURE7",
                      call->arg[1].name, call->name);
    if (swizzle < 0x8976 || swizzle > 0x8979)
        return REFUSE(calls, call->arg[2].place,
                      "GL_INVALID_ENUM: 'swizzle' of gl%sATI is none of STR, STQ, STR_DR and STQ_DQ",
                      call->name);
    if (begins && calls->program.npasses == 2)
        return REFUSE(
            calls, call->place,
            "GL_INVALID_OPERATION: gl%sATI after the arithmetic of the second pass: there is no third",
            call->name);
    if (!begins && last_pass(calls)->setup[reg].op)
        return REFUSE(calls, call->arg[0].place,
                      "GL_INVALID_OPERATION: gl%sATI of a register that this pass has set up already",
                      call->name);
    if (from_reg && !begins && calls->program.npasses == 1)
        return REFUSE(
            calls, call->arg[1].place,
            "GL_INVALID_OPERATION: in the first pass the coordinates of gl%sATI cannot come from a register",
            call->name);
    if (from_reg && (swizzle & 1))
        return REFUSE(calls, call->arg[2].place,
                      "GL_INVALID_OPERATION: coordinates from a register take GL_SWIZZLE_STR_ATI or "
                      "GL_SWIZZLE_STR_DR_ATI only");
    struct fragprog_atifs trial = calls->program;
    trial.npasses = (uint8_t)(trial.npasses + begins);
    trial.pass[trial.npasses - 1].setup[reg] = (struct fragprog_atifs_setup){
        .op = (uint8_t)op,
        .from_reg = from_reg,
        .source = (uint8_t)(from_reg ? from - FRAGPROG_ATI_REG_0 : from - 0x84C0),
        .swizzle = (uint8_t)(swizzle - 0x8976),
        .texture = -1};
    const char *rule = breaks(calls, &trial, FRAGPROG_AT_SETUP, reg, 0);
    if (rule)
        return REFUSE(calls, call->arg[0].place, "%s", rule);
    calls->program.npasses = trial.npasses;
    last_pass(calls)->setup[reg] = trial.pass[trial.npasses - 1].setup[reg];
    calls->places.setup[calls->program.npasses - 1][reg] = call->arg[0].place;
    return true;
}

/* ---- arithmetic ---- */

/* Adds an instruction to the pairs. A colour instruction begins a new pair; an alpha instruction joins the
 * current pair if its alpha half is empty ("considered to be an instruction pair"). */
static bool place_op(struct fragprog_atifs_calls *calls, const struct texenv_call *call, unsigned half,
                     const struct fragprog_atifs_op *op)
{
    struct fragprog_atifs_pass *pass = last_pass(calls);
    bool joins = half == TEXENV_ALPHA && pass->npairs && !pass->pair[pass->npairs - 1].half[TEXENV_ALPHA].op;
    if (!joins && pass->npairs == FRAGPROG_PAIRS)
        return REFUSE(calls, call->place,
                      "GL_INVALID_OPERATION: gl%sATI would be the ninth instruction pair of a pass",
                      call->name);
    unsigned pair = pass->npairs - joins;
    struct fragprog_atifs trial = calls->program;
    struct fragprog_atifs_pass *of_trial = &trial.pass[trial.npasses - 1];
    of_trial->npairs = (uint8_t)(pair + 1);
    of_trial->pair[pair].half[half] = *op;
    const char *rule = breaks(calls, &trial, FRAGPROG_AT_PAIR, pair, half);
    if (rule)
        return REFUSE(calls, call->place, "%s", rule);
    pass->npairs = (uint8_t)(pair + 1);
    pass->pair[pair].half[half] = *op;
    calls->places.op[calls->program.npasses - 1][pair][half].op = call->place;
    for (unsigned i = 0; i < op->nargs; i++)
        calls->places.op[calls->program.npasses - 1][pair][half]
            .arg[i] = call->arg[call->args - 3u * op->nargs + 3 * i].place;
    return true;
}

/* Handles ColorFragmentOp1..3 and AlphaFragmentOp1..3. */
static bool arithmetic(struct fragprog_atifs_calls *calls, const struct texenv_call *call, unsigned half,
                       unsigned nargs)
{
    struct fragprog_atifs_op op;
    unsigned name, reg, mask = 0, mod, rep, mods, source;
    const struct texenv_argument *arg = call->arg;
    memset(&op, 0, sizeof op);
    if (!inside(calls, call, true) || !take(calls, call, arg++, &name) ||
        !take_register(calls, call, arg++, &reg) ||
        (half == TEXENV_RGB && !take(calls, call, arg++, &mask)) || !take(calls, call, arg, &mod))
        return false;
    int row = fragprog_op_of_api(name);
    if (row < 0 || fragprog_op_args((unsigned)row) != nargs)
        return REFUSE(calls, call->arg[0].place,
                      "GL_INVALID_ENUM: 'op' of gl%sATI is no operation of %u argument%s", call->name, nargs,
                      nargs == 1 ? "" : "s");
    if (mask > 7)
        return REFUSE(calls, call->arg[2].place,
                      "GL_INVALID_ENUM: 'dstMask' of gl%sATI has other bits than red, green and blue",
                      call->name);
    unsigned scale = mod & ~(unsigned)FRAGPROG_ATI_SATURATE;
    if (scale && !fragprog_name_of(fragprog_atifs_scales, (int32_t)scale))
        return REFUSE(calls, arg->place,
                      "GL_INVALID_ENUM: 'dstMod' of gl%sATI has two scales or unknown bits", call->name);
    op.op = (uint16_t)name;
    op.dst = (uint8_t)reg;
    op.mask = (uint8_t)(half == TEXENV_ALPHA ? 0 : mask ? mask : 7); /* GL_NONE: all channels are written */
    op.mod = (uint8_t)mod;
    op.nargs = (uint8_t)nargs;
    op.unit = -1;
    for (unsigned i = 0; i < nargs; i++) {
        if (!take(calls, call, ++arg, &source) || !take(calls, call, ++arg, &rep) ||
            !take(calls, call, ++arg, &mods))
            return false;
        if (mods > 15)
            return REFUSE(calls, arg->place, "GL_INVALID_ENUM: '%s' of gl%sATI has unknown bits", arg->name,
                          call->name);
        op.arg[i] = (struct fragprog_atifs_arg){
            .source = (uint16_t)source, .rep = (uint16_t)rep, .mods = (uint8_t)mods};
    }
    return place_op(calls, call, half, &op);
}

/* ---- constants ---- */

static bool set_constant(struct fragprog_atifs_calls *calls, const struct texenv_call *call)
{
    unsigned con;
    const struct texenv_argument *value = &call->arg[1];
    if (!take(calls, call, &call->arg[0], &con))
        return false;
    if (con < FRAGPROG_ATI_CON_0 || con >= FRAGPROG_ATI_CON_0 + FRAGPROG_ATI_CONSTANTS)
        return REFUSE(calls, call->arg[0].place,
                      "GL_INVALID_ENUM: 'dst' of glSetFragmentShaderConstantATI is none of GL_CON_0_ATI to "
                      "GL_CON_7_ATI");
    if (!calls->open)
        return true; /* a global constant remains a parameter of the program */
    if (value->kind == TEXENV_ARGUMENT_ARRAY && value->count < 4) {
        texenv_emit(&calls->sink, TEXENV_ERROR, -1, value->place, "too-few-values",
                    "'value' of glSetFragmentShaderConstantATI has %u values, 4 are needed",
                    (unsigned)value->count);
        calls->errors++;
        calls->broken = true;
        return false;
    }
    struct fragprog_atifs_const *konst = &calls->program.konst[con - FRAGPROG_ATI_CON_0];
    bool known = value->kind == TEXENV_ARGUMENT_ARRAY, outside = false;
    konst->kind = known ? FRAGPROG_CONST_LITERAL : FRAGPROG_CONST_LOCAL;
    konst->index = (uint8_t)(known ? 0 : con - FRAGPROG_ATI_CON_0);
    for (unsigned c = 0; c < 4; c++) {
        double x = known ? value->item[c] : -1;
        if (known && !(x >= 0 && x <= 1)) {
            outside = true;
            x = x > 1 ? 1 : 0;
        }
        konst->value[c] = (float)x;
    }
    if (outside)
        texenv_emit(&calls->sink, TEXENV_WARNING, -1, value->place, "undefined",
                    "a constant outside of [0,1] is undefined (ATI_fragment_shader, "
                    "SetFragmentShaderConstantATI): it is clamped here");
    calls->places.konst[con - FRAGPROG_ATI_CON_0] = call->place;
    calls->set |= (uint8_t)(1u << (con - FRAGPROG_ATI_CON_0));
    return true;
}

/* ---- programs ---- */

static void begin(struct fragprog_atifs_calls *calls, const struct texenv_call *call)
{
    memset(&calls->program, 0, sizeof calls->program);
    memset(&calls->places, 0, sizeof calls->places);
    calls->program.npasses = 1;
    calls->places.begin = call->place;
    calls->open = true;
    calls->broken = false;
    calls->set = 0;
}

/* Declares constants that are read but were not set inside the shader as global constants. Bit n of set:
 * constant n was set. */
static void declare_constants(struct fragprog_atifs *p, unsigned set)
{
    for (unsigned pass = 0; pass < p->npasses; pass++)
        for (unsigned pair = 0; pair < p->pass[pass].npairs; pair++)
            for (unsigned h = 0; h < 2; h++)
                for (unsigned i = 0; i < p->pass[pass].pair[pair].half[h].nargs; i++) {
                    int con = fragprog_atifs_con(&p->pass[pass].pair[pair].half[h].arg[i]);
                    if (con >= 0)
                        p->konst[con].used = 1;
                }
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++) {
        p->konst[k].used |= set >> k & 1;
        if (!p->konst[k].used)
            continue;
        p->konst[k].unit = -1;
        if (set >> k & 1)
            continue;
        p->konst[k].kind = FRAGPROG_CONST_ENV;
        p->konst[k].index = (uint8_t)k;
        for (unsigned c = 0; c < 4; c++)
            p->konst[k].value[c] = -1; /* not known */
    }
}

/* Copies the arguments of colour dot products to their alpha halves: ATI_fragment_shader ignores those of the
 * alpha half ("dot product instructions"), and the text form requires them to be equal. */
static void align_dots(struct fragprog_atifs *p)
{
    for (unsigned pass = 0; pass < p->npasses; pass++)
        for (unsigned pair = 0; pair < p->pass[pass].npairs; pair++) {
            struct fragprog_atifs_op *half = p->pass[pass].pair[pair].half;
            if (fragprog_atifs_is_dot(&half[TEXENV_ALPHA]))
                memcpy(half[TEXENV_ALPHA].arg, half[TEXENV_RGB].arg, sizeof half[TEXENV_RGB].arg);
        }
}

static bool end(struct fragprog_atifs_calls *calls, const struct texenv_call *call)
{
    struct fragprog_atifs_where where;
    if (!inside(calls, call, true))
        return true;
    calls->open = false;
    calls->places.end = call->place;
    if (calls->broken)
        return true;
    if (!last_pass(calls)->npairs) { /* "an output pass has at least one instruction" */
        REFUSE(calls, call->place,
               "GL_INVALID_OPERATION: glEndFragmentShaderATI of a shader whose last pass has no arithmetic "
               "instruction");
        return true;
    }
    declare_constants(&calls->program, calls->set);
    const char *rule = fragprog_atifs_violation(&calls->program, &where);
    if (rule) { /* "the shader is undefined" */
        REFUSE(calls, fragprog_atifs_place(&calls->places, &where), "%s", rule);
        return true;
    }
    align_dots(&calls->program);
    calls->programs++;
    return calls->on_program(calls->user, &calls->program, &calls->places);
}

bool fragprog_atifs_call(void *user, const struct texenv_call *call)
{
    struct fragprog_atifs_calls *calls = user;
    const char *name = call->name;
    size_t length = strlen(name);
    if (strcmp(name, "BeginFragmentShader") == 0) {
        if (inside(calls, call, false))
            begin(calls, call);
    } else if (strcmp(name, "EndFragmentShader") == 0) {
        return end(calls, call);
    } else if (strcmp(name, "SampleMap") == 0 || strcmp(name, "PassTexCoord") == 0) {
        setup(calls, call, name[0] == 'S' ? FRAGPROG_SAMPLE : FRAGPROG_PASS_COORD);
    } else if (strcmp(name, "SetFragmentShaderConstant") == 0) {
        set_constant(calls, call);
    } else if (strncmp(name, "ColorFragmentOp", 15) == 0 || strncmp(name, "AlphaFragmentOp", 15) == 0) {
        arithmetic(calls, call, name[0] == 'A' ? TEXENV_ALPHA : TEXENV_RGB,
                   (unsigned)(name[length - 1] - '0'));
    } else if (inside(calls, call, false) && call->args && call->arg[0].kind == TEXENV_ARGUMENT_INTEGER &&
               call->arg[0].integer == 0 && name[0] == 'G') {
        REFUSE(calls, call->place, "GL_INVALID_VALUE: glGenFragmentShadersATI of 0 names");
    }
    return true;
}

void fragprog_atifs_calls_finish(struct fragprog_atifs_calls *calls)
{
    if (!calls->open)
        return;
    texenv_emit(&calls->sink, calls->as_gl ? TEXENV_WARNING : TEXENV_ERROR, -1, calls->places.begin, "syntax",
                "glBeginFragmentShaderATI without glEndFragmentShaderATI");
    calls->errors += !calls->as_gl;
    calls->open = false;
}
