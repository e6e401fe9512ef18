/* Prints in GLSL what only assembly programs have: operations, kills, outputs, parameters. */
#include "fragprog/bindings.h"
#include "fragprog/lang/glsl.h"

/* ---- operations ---- */

bool fragprog_glsl_is_assembly(const struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    return inst->op > FRAGPROG_DOT2ADD ||
        (g->p->unbounded && (inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0));
}

/* Prints a template: "$0.y" is lane y of an argument, "$0" the argument of a scalar function. The argument of
 * a scalar function reads the same lane in all channels of the mask (fragprog_op_is_scalar). */
static void print_channel(struct fragprog_glsl *g, const struct fragprog_inst *inst, const char *form,
                          const uint8_t *lanes)
{
    static const char names[] = "xyzw";
    for (; *form; form++) {
        if (*form != '$') {
            texenv_printf(g->text, "%c", *form);
            continue;
        }
        const unsigned s = (unsigned)(*++form - '0');
        uint8_t lane = lanes[0];
        if (form[1] == '.') {
            for (lane = 0; names[lane] != form[2];)
                lane++;
            form += 2;
        }
        fragprog_glsl_argument(g, inst, s, &lane, 1, FRAGPROG_GLSL_SIGN);
    }
}

/* Returns the templates of an operation whose channels differ. GLSL's pow is undefined for 0^0, but LIT
 * defines 0^0 as 1. LIT clamps exponents to (-128, 128), but GL's shininess may be 128. */
static const char *const *channels_of(unsigned op)
{
    static const char *const lit[] = {
        "1.0", "max($0.x, 0.0)",
        "($0.x > 0.0 ? ($0.w == 0.0 ? 1.0 : pow(max($0.y, 0.0), clamp($0.w, -127.99999, 127.99999))) : 0.0)",
        "1.0"};
    static const char *const dst[] = {"1.0", "$0.y * $1.y", "$0.z", "$1.w"};
    static const char *const xpd[] = {"$0.y * $1.z - $0.z * $1.y", "$0.z * $1.x - $0.x * $1.z",
                                      "$0.x * $1.y - $0.y * $1.x", ""};
    static const char *const scs[] = {"cos($0)", "sin($0)", "", ""};
    static const char *const exp[] = {"exp2(floor($0))", "fract($0)", "exp2($0)", "1.0"};
    static const char *const log[] = {"floor(log2(abs($0)))", "abs($0) / exp2(floor(log2(abs($0))))",
                                      "log2(abs($0))", "1.0"};
    switch (op) {
    case FRAGPROG_LIT: return lit;
    case FRAGPROG_DST: return dst;
    case FRAGPROG_XPD: return xpd;
    case FRAGPROG_SCS: return scs;
    case FRAGPROG_EXP: return exp;
    case FRAGPROG_LOG: return log;
    default: return NULL;
    }
}

static void print_channels(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                           unsigned n)
{
    const char *const *form = channels_of(inst->op);
    texenv_printf(g->text, n > 1 ? "%s(" : "(", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i++) {
        texenv_printf(g->text, i ? ", " : "");
        print_channel(g, inst, form[lane[i]], lane);
    }
    texenv_printf(g->text, ")");
}

/* Prints a selection, channel by channel. */
static void print_selection(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                            unsigned n)
{
    texenv_printf(g->text, n > 1 ? "%s(" : "(", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i++) {
        texenv_printf(g->text, i ? ", " : "");
        fragprog_glsl_form(g, inst, inst->op == FRAGPROG_CND ? "$2 > 0.5 ? $0 : $1" : "$2 >= 0.0 ? $0 : $1",
                           &lane[i], 1);
    }
    texenv_printf(g->text, ")");
}

/* Prints a scalar function, whose result is in all channels. */
static void print_function(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                           unsigned n)
{
    static const char *const forms[FRAGPROG_OPS] = {
        [FRAGPROG_RCP] = "1.0 / $0", [FRAGPROG_RSQ] = "inversesqrt(abs($0))", [FRAGPROG_EX2] = "exp2($0)",
        [FRAGPROG_LG2] = "log2($0)", [FRAGPROG_POW] = "pow($0, $1)",          [FRAGPROG_SIN] = "sin($0)",
        [FRAGPROG_COS] = "cos($0)"};
    texenv_printf(g->text, n > 1 ? "%s(" : "(", fragprog_glsl_type(n));
    fragprog_glsl_form(g, inst, forms[inst->op], lane, 1);
    texenv_printf(g->text, ")");
}

static void print_dph(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned n)
{
    texenv_printf(g->text, n > 1 ? "%s(dot(" : "(dot(", fragprog_glsl_type(n));
    fragprog_glsl_argument(g, inst, 0, fragprog_in_place, 3, FRAGPROG_GLSL_ANY);
    texenv_printf(g->text, ", ");
    fragprog_glsl_argument(g, inst, 1, fragprog_in_place, 3, FRAGPROG_GLSL_ANY);
    texenv_printf(g->text, ") + ");
    fragprog_glsl_argument(g, inst, 1, &fragprog_in_place[3], 1, FRAGPROG_GLSL_PRODUCT);
    texenv_printf(g->text, ")");
}

void fragprog_glsl_assembly(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                            unsigned n)
{
    static const char *const forms[FRAGPROG_OPS] = {[FRAGPROG_MIN] = "min(@0, $1)",
                                                    [FRAGPROG_MAX] = "max(@0, $1)",
                                                    [FRAGPROG_FRC] = "fract(@0)",
                                                    [FRAGPROG_FLR] = "floor(@0)",
                                                    [FRAGPROG_OUT] = "@0"};
    const bool sge = inst->op == FRAGPROG_SGE;
    if (channels_of(inst->op))
        print_channels(g, inst, lane, n);
    else if (inst->op == FRAGPROG_LOAD)
        fragprog_glsl_load(g, inst, lane, n);
    else if (fragprog_op_is_scalar(inst->op))
        print_function(g, inst, lane, n);
    else if (inst->op == FRAGPROG_CND || inst->op == FRAGPROG_CND0)
        print_selection(g, inst, lane, n);
    else if (inst->op == FRAGPROG_DPH)
        print_dph(g, inst, n);
    else if (sge || inst->op == FRAGPROG_SLT)
        fragprog_glsl_form(g, inst,
                           n == 1    ? sge ? "float($0 >= $1)" : "float($0 < $1)"
                               : sge ? "N(greaterThanEqual(@0, @1))"
                                     : "N(lessThan(@0, @1))",
                           lane, n);
    else
        fragprog_glsl_form(g, inst, forms[inst->op], lane, n);
}

void fragprog_glsl_kill(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n)
{
    texenv_printf(g->text, "    if (");
    fragprog_glsl_form(g, inst, n > 1 ? "any(lessThan(@0, N(0.0)))" : "$0 < 0.0", lane, n);
    texenv_printf(g->text, ")\n        discard;\n");
}

void fragprog_glsl_output(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    const bool old = !g->d->core || g->d->version == 100;
    if (!inst->texture)
        texenv_printf(g->text, "    gl_FragDepth%s = ", g->d->version == 100 ? "EXT" : "");
    else
        texenv_printf(g->text, old ? "    %sgl_FragData[%u] = " : "    %sfragment_color%u = ",
                      old ? "" : fragprog_prefix(g->options), (unsigned)inst->texture);
}

/* ---- parameters ---- */

/* Returns the built-in name of a GL state in this version of GLSL, or NULL. A row of a matrix is a column of
 * the built-in transposed matrix. */
static const char *name_of_state(const struct fragprog_language_options *options, int32_t origin)
{
    const unsigned row = fragprog_origin_row(origin);
    const char *name = fragprog_binding_name(row)->glsl;
    if (fragprog_is_core(options) || !name[0] ||
        (row == FRAGPROG_BINDING_MODELVIEW && fragprog_origin_index(origin)))
        return NULL;
    return name;
}

/* Prints a row of a matrix as a column of its transpose. A row of the transpose is printed as a column of the
 * matrix itself. */
static void print_row(struct texenv_text *text, const char *name, int32_t origin)
{
    static const char *const suffixes[] = {"Transpose", "InverseTranspose", "", "Inverse"};
    texenv_printf(text, "%s%s", name, suffixes[fragprog_origin_matrix(origin)]);
    if (fragprog_origin_row(origin) == FRAGPROG_BINDING_TEXTURE)
        texenv_printf(text, "[%u]", fragprog_origin_index(origin));
    texenv_printf(text, "[%u]", fragprog_origin_matrix_row(origin));
}

/* Prints the binding with "_" in place of other characters: state_light_0_diffuse. */
static void print_uniform(struct texenv_text *text, int32_t origin,
                          const struct fragprog_language_options *options)
{
    char storage[80];
    struct texenv_text name;
    texenv_text_init(&name, storage, sizeof storage);
    fragprog_print_origin(&name, origin);
    texenv_printf(text, "%s", fragprog_prefix(options));
    for (const char *c = storage; *c; c++)
        if ((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9'))
            texenv_printf(text, "%c", *c);
        else if (*c != ']')
            texenv_printf(text, "_");
}

void fragprog_print_parameter(struct texenv_text *text, int32_t origin,
                              const struct fragprog_language_options *options)
{
    const char *name = fragprog_origin_is_state(origin) ? name_of_state(options, origin) : NULL;
    if (options->language == FRAGPROG_ARBFP)
        fragprog_print_origin(text, origin);
    else if (!fragprog_origin_is_state(origin) && origin >= FRAGPROG_ORIGIN_PARAMETER)
        texenv_printf(text, "%sprogram_local[%d]", fragprog_prefix(options),
                      (int)(origin - FRAGPROG_ORIGIN_PARAMETER));
    else if (!fragprog_origin_is_state(origin))
        texenv_printf(text, "%sprogram_env[%d]", fragprog_prefix(options),
                      (int)(origin - FRAGPROG_ORIGIN_ENV));
    else if (!name)
        print_uniform(text, origin, options);
    else if (fragprog_origin_row(origin) >= FRAGPROG_BINDING_MODELVIEW)
        print_row(text, name, origin);
    else
        fragprog_print_indexed(text, name, fragprog_origin_index(origin));
}

unsigned fragprog_glsl_parameters(const struct fragprog_glsl *g, int32_t first, unsigned size)
{
    for (unsigned k = 0; k < g->p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++) {
            const int32_t n = g->p->konst[k].origin[c].unit - first;
            if (n >= (int32_t)size && n < FRAGPROG_MOST_PARAMETERS)
                size = (unsigned)n + 1;
        }
    return size;
}

/* Returns whether an earlier channel of the program's constants has the same origin. */
static bool came_before(const struct fragprog *p, unsigned konst, unsigned channel)
{
    const int32_t origin = p->konst[konst].origin[channel].unit;
    for (unsigned k = 0; k <= konst; k++)
        for (unsigned c = 0; c < (k == konst ? channel : 4); c++)
            if (p->konst[k].origin[c].unit == origin)
                return true;
    return false;
}

bool fragprog_next_state_uniform(const struct fragprog *p, const struct fragprog_language_options *options,
                                 unsigned *at, int32_t *origin)
{
    for (; *at < 4u * p->nkonst; ++*at) {
        *origin = p->konst[*at / 4].origin[*at % 4].unit;
        if (fragprog_origin_is_state(*origin) && !name_of_state(options, *origin) &&
            options->language != FRAGPROG_ARBFP && !came_before(p, *at / 4, *at % 4)) {
            ++*at;
            return true;
        }
    }
    return false;
}

bool fragprog_glsl_has_state(const struct fragprog_glsl *g)
{
    unsigned at = 0;
    int32_t origin;
    return fragprog_next_state_uniform(g->p, g->options, &at, &origin);
}

void fragprog_glsl_state(struct fragprog_glsl *g)
{
    unsigned at = 0, offset = FRAGPROG_BLOCK_SIZE;
    int32_t origin;
    while (fragprog_next_state_uniform(g->p, g->options, &at, &origin)) {
        if (g->d->version == 450 && g->p->vertex)
            texenv_printf(g->text, "    layout(offset = %u) vec4 ", offset);
        else
            texenv_printf(g->text, g->d->version == 450 ? "    vec4 " : "uniform vec4 ");
        print_uniform(g->text, origin, g->options);
        texenv_printf(g->text, ";\n");
        offset += 16;
    }
}
