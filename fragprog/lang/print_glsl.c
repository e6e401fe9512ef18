/* Programs in GLSL, one line a value: a value of one channel is a float, of n channels a vecn with the
 * channels of its mask in order. "GLSL" is the language's specification of the version in question. */
#include "fragprog/lang/glsl.h"

static const char channel_names[] = "xyzw";

static const struct fragprog_glsl_dialect dialects[FRAGPROG_LANGUAGES] = {
    [FRAGPROG_GLSL_110] = {110, false, false, "gl_Color", "gl_SecondaryColor", "gl_TexCoord[", "]",
                           "gl_TextureEnvColor", "gl_FragColor", "gl_FogFragCoord"},
    [FRAGPROG_GLSL_120] = {120, false, false, "gl_Color", "gl_SecondaryColor", "gl_TexCoord[", "]",
                           "gl_TextureEnvColor", "gl_FragColor", "gl_FogFragCoord"},
    [FRAGPROG_GLSL_330] = {330, false, true, "primary", "secondary", "texcoord", "", "texenv_color",
                           "fragment_color", "fog_coord"},
    [FRAGPROG_GLSL_450] = {450, false, true, "primary", "secondary", "texcoord", "", "texenv_color",
                           "fragment_color", "fog_coord"},
    [FRAGPROG_GLSL_ES_100] = {100, true, true, "primary", "secondary", "texcoord", "", "texenv_color",
                              "gl_FragColor", "fog_coord"},
    [FRAGPROG_GLSL_ES_300] = {300, true, true, "primary", "secondary", "texcoord", "", "texenv_color",
                              "fragment_color", "fog_coord"},
};

void fragprog_glsl_name(const struct fragprog_glsl *g, const char *name)
{
    const bool built_in = name[0] == 'g' && name[1] == 'l' && name[2] == '_';
    texenv_printf(g->text, "%s%s", built_in ? "" : fragprog_prefix(g->options), name);
}

static unsigned count(unsigned mask)
{
    unsigned n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

const char *fragprog_glsl_type(unsigned n)
{
    static const char *const names[] = {"", "float", "vec2", "vec3", "vec4"};
    return names[n];
}

/* A number as GLSL writes floats: with a point or an exponent. */
void fragprog_glsl_number(struct texenv_text *text, double value)
{
    char digits[32];
    struct texenv_text number;
    texenv_text_init(&number, digits, sizeof digits);
    texenv_printf(&number, "%f", value);
    bool is_float = false;
    for (size_t i = 0; i < number.length; i++)
        is_float |= digits[i] == '.' || digits[i] == 'e';
    texenv_printf(text, "%s%s", digits, is_float ? "" : ".0");
}

/* ---- sources ---- */

/* Channel c of a value within its vector. */
static unsigned packed(const struct fragprog *p, unsigned value, unsigned c)
{
    return count(p->inst[value].mask & ((1u << c) - 1));
}

/* The name that one lane is a component of; gives the component. Numbers and values of one channel have
 * none: 4. */
static unsigned print_base(struct fragprog_glsl *g, const struct fragprog_src *src, unsigned c)
{
    static const double literal[] = {0, 1, 0.5};
    if (c >= FRAGPROG_ZERO) {
        fragprog_glsl_number(g->text, literal[c - FRAGPROG_ZERO]);
        return 4;
    }
    switch (src->file) {
    case FRAGPROG_VALUE:
        texenv_printf(g->text, "v%u", (unsigned)src->index);
        return count(g->p->inst[src->index].mask) == 1 ? 4 : packed(g->p, src->index, c);
    case FRAGPROG_PRIMARY: texenv_printf(g->text, "%s", g->d->primary); return c;
    case FRAGPROG_SECONDARY: texenv_printf(g->text, "%s", g->d->secondary); return c;
    case FRAGPROG_COORD:
        fragprog_glsl_name(g, g->d->coord);
        texenv_printf(g->text, "%u%s", (unsigned)src->index, g->d->coord_end);
        return c;
    case FRAGPROG_FOGCOORD: fragprog_glsl_name(g, g->d->fog_coord); return 4;
    case FRAGPROG_POSITION: texenv_printf(g->text, "gl_FragCoord"); return c;
    case FRAGPROG_ATTRIB:
        fragprog_glsl_attribute(g, src->index);
        return src->index == FRAGPROG_ATTRIB_FOGCOORD ? 4 : c;
    default: break;
    }
    struct fragprog_channel k = fragprog_const_channel(g->p, src->index, c, g->options);
    if (k.origin < 0) {
        fragprog_glsl_number(g->text, (double)k.value + 0.0);
        return 4;
    }
    if (k.origin >= FRAGPROG_ORIGINS) {
        fragprog_glsl_parameter(g, k.origin);
    } else {
        fragprog_glsl_name(g,
                           k.origin < FRAGPROG_ORIGIN_GLOBAL      ? g->d->env
                               : k.origin < FRAGPROG_ORIGIN_LOCAL ? "program_env"
                                                                  : "program_local");
        texenv_printf(g->text, "[%d]", k.origin % TEXENV_UNITS);
    }
    return k.component;
}

/* Where a channel comes from, as a number: lanes with equal ones are components of one name; negative: a
 * number. */
static int base_of(const struct fragprog_glsl *g, const struct fragprog_src *src, unsigned c)
{
    if (c >= FRAGPROG_ZERO)
        return -1;
    return src->file == FRAGPROG_CONST ? fragprog_const_channel(g->p, src->index, c, g->options).origin : 0;
}

/* One lane with its sign. The sign of a number is part of it: "--2.5" would be a decrement. */
static void print_lane(struct fragprog_glsl *g, const struct fragprog_src *src, unsigned lane)
{
    const unsigned c = src->lane[lane];
    const bool negated = src->negate >> lane & 1;
    if (c < FRAGPROG_ZERO && src->file == FRAGPROG_CONST) {
        const struct fragprog_channel k = fragprog_const_channel(g->p, src->index, c, g->options);
        if (k.origin < 0) {
            fragprog_glsl_number(g->text, (negated ? -(double)k.value : (double)k.value) + 0.0);
            return;
        }
    }
    texenv_printf(g->text, negated ? "-" : "");
    const unsigned component = print_base(g, src, c);
    if (component < 4)
        texenv_printf(g->text, ".%c", channel_names[component]);
}

/* Lanes of a source, without its modifiers: "v3.xyz", "vec3(v2)", "vec2(v1.x, 0.5)". */
static void print_lanes(struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                        unsigned n)
{
    bool one = base_of(g, src, src->lane[lane[0]]) >= 0, same = true;
    unsigned negated = src->negate >> lane[0] & 1;
    for (unsigned i = 1; i < n; i++) {
        one &= base_of(g, src, src->lane[lane[i]]) == base_of(g, src, src->lane[lane[0]]);
        same &= src->lane[lane[i]] == src->lane[lane[0]];
        if ((src->negate >> lane[i] & 1) != negated)
            one = same = false;
    }
    bool scalar = src->lane[lane[0]] < FRAGPROG_ZERO &&
        (src->file == FRAGPROG_FOGCOORD ||
         (src->file == FRAGPROG_ATTRIB && src->index == FRAGPROG_ATTRIB_FOGCOORD) ||
         (src->file == FRAGPROG_VALUE && count(g->p->inst[src->index].mask) == 1));
    if (one && !(scalar && n > 1)) {
        unsigned size = src->file == FRAGPROG_VALUE ? count(g->p->inst[src->index].mask) : 4,
                 component[4] = {0};
        struct texenv_text none;
        struct fragprog_glsl quiet = *g;
        bool identity = n == size;
        texenv_text_init(&none, NULL, 0);
        quiet.text = &none;
        for (unsigned i = 0; i < n; i++) {
            component[i] = print_base(&quiet, src, src->lane[lane[i]]);
            identity &= component[i] == i;
        }
        if (negated)
            texenv_printf(g->text, "(-");
        print_base(g, src, src->lane[lane[0]]);
        if (!identity && !scalar) {
            texenv_printf(g->text, ".");
            for (unsigned i = 0; i < n; i++)
                texenv_printf(g->text, "%c", channel_names[component[i]]);
        }
        texenv_printf(g->text, negated ? ")" : "");
        return;
    }
    if (n > 1)
        texenv_printf(g->text, "%s(", fragprog_glsl_type(n));
    for (unsigned i = 0; i < (same ? 1 : n); i++) {
        texenv_printf(g->text, i ? ", " : "");
        print_lane(g, src, lane[i]);
    }
    texenv_printf(g->text, n > 1 ? ")" : "");
}

/* Argument s in these lanes, modifiers included, as a vector of n or a float. */
void fragprog_glsl_argument(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned s,
                            const uint8_t *lane, unsigned n)
{
    const struct fragprog_src *src = &inst->src[s];
    struct fragprog_src signed_src = *src;
    unsigned lanes = 0, mods = src->mods;
    double value;
    if (n == 1 && mods == FRAGPROG_NEG) {
        signed_src.negate ^= (uint8_t)(1u << lane[0]);
        signed_src.mods = mods = 0;
        src = &signed_src;
    }
    for (unsigned i = 0; i < n; i++)
        lanes |= 1u << lane[i];
    if (fragprog_literal_value(src, lanes, &value)) {
        if (n > 1)
            texenv_printf(g->text, "%s(", fragprog_glsl_type(n));
        fragprog_glsl_number(g->text, value + 0.0);
        texenv_printf(g->text, n > 1 ? ")" : "");
        return;
    }
    texenv_printf(g->text, mods & FRAGPROG_NEG ? "(-" : "");
    texenv_printf(g->text, mods & FRAGPROG_2X ? "(2.0 * " : "");
    texenv_printf(g->text, mods & FRAGPROG_BIAS ? "(" : "");
    texenv_printf(g->text, mods & FRAGPROG_COMP ? "(1.0 - " : "");
    texenv_printf(g->text, mods & FRAGPROG_ABS ? "abs(" : "");
    print_lanes(g, src, lane, n);
    texenv_printf(g->text, mods & FRAGPROG_ABS ? ")" : "");
    texenv_printf(g->text, mods & FRAGPROG_COMP ? ")" : "");
    texenv_printf(g->text, mods & FRAGPROG_BIAS ? " - 0.5)" : "");
    texenv_printf(g->text, mods & FRAGPROG_2X ? ")" : "");
    texenv_printf(g->text, mods & FRAGPROG_NEG ? ")" : "");
}

/* ---- lookups ---- */

/* The function's name, "texture2DProj" or as the version says it. */
static void print_function(struct fragprog_glsl *g, const struct fragprog_inst *inst, bool divided)
{
    static const char *const targets[TEXENV_TARGETS] = {"1D", "2D", "2DRect", "3D", "Cube"};
    bool old = g->d->version < 130;
    texenv_printf(g->text, "%s%s%s%s", old && inst->shadow ? "shadow" : "texture",
                  old ? targets[inst->target] : "", divided ? "Proj" : "",
                  g->d->version == 100 && inst->shadow ? "EXT" : "");
}

/* The lookup as a vec4, a float if `comparison`. */
static void print_call(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    static const uint8_t in_order[] = {0, 1, 2, 3};
    static const unsigned coordinates[TEXENV_TARGETS] = {1, 2, 2, 3, 3};
    const bool biased = inst->op == FRAGPROG_TXB, divided = !biased && fragprog_lanes_read(inst, 0) & 8;
    print_function(g, inst, divided);
    texenv_printf(g->text, "(%stexture%u, ", fragprog_prefix(g->options), (unsigned)inst->texture);
    struct fragprog_src src = inst->src[0];
    for (unsigned i = 0; i < 4; i++)
        if (!(fragprog_lanes_read(inst, 0) >> i & 1) && !(src.file == FRAGPROG_COORD))
            src.lane[i] = src.lane[0]; /* a channel that a value need not have */
    print_lanes(g, &src, in_order, divided ? 4 : inst->shadow ? 3 : coordinates[inst->target]);
    if (biased) {
        texenv_printf(g->text, ", ");
        print_lanes(g, &src, &in_order[3], 1);
    }
    texenv_printf(g->text, ")");
}

static void print_tex(struct fragprog_glsl *g, unsigned i)
{
    const struct fragprog_inst *inst = &g->p->inst[i];
    unsigned n = count(inst->mask);
    /* From GLSL 1.30 on, and in ES, a comparison gives one number; before, and in every other lookup, GL has
     * put it where the depth mode says. */
    if (inst->shadow && (g->d->version >= 130 || g->d->es)) {
        texenv_printf(g->text, "    float d%u = ", i);
        print_call(g, inst);
        texenv_printf(g->text, ";\n    %s v%u = %s(", fragprog_glsl_type(n), i, fragprog_glsl_type(n));
        for (unsigned c = 0, first = 1; c < 4; c++) {
            if (!(inst->mask >> c & 1))
                continue;
            texenv_printf(g->text, first ? "" : ", ");
            first = 0;
            bool alpha = c == 3,
                 depth = g->p->unbounded          ? !alpha /* GL's initial depth mode, luminance */
                : inst->base == TEXENV_BASE_ALPHA ? alpha
                : inst->base == TEXENV_RED        ? c == 0
                : inst->base == TEXENV_LUMINANCE  ? !alpha
                                                  : true;
            if (depth)
                texenv_printf(g->text, "d%u", i);
            else
                texenv_printf(g->text, alpha ? "1.0" : "0.0");
        }
        texenv_printf(g->text, ");\n");
        return;
    }
    texenv_printf(g->text, "    %s v%u = ", fragprog_glsl_type(n), i);
    print_call(g, inst);
    if (n < 4) {
        texenv_printf(g->text, ".");
        for (unsigned c = 0; c < 4; c++)
            if (inst->mask >> c & 1)
                texenv_printf(g->text, "%c", channel_names[c]);
    }
    texenv_printf(g->text, ";\n");
}

/* ---- arithmetic ---- */

static void print_dot(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    static const uint8_t in_order[] = {0, 1, 2, 3};
    unsigned n = inst->op == FRAGPROG_DOT4 ? 4 : inst->op == FRAGPROG_DOT3 ? 3 : 2;
    texenv_printf(g->text, "dot(");
    fragprog_glsl_argument(g, inst, 0, in_order, n);
    texenv_printf(g->text, ", ");
    fragprog_glsl_argument(g, inst, 1, in_order, n);
    texenv_printf(g->text, ")");
    if (inst->op == FRAGPROG_DOT2ADD) {
        texenv_printf(g->text, " + ");
        fragprog_glsl_argument(g, inst, 2, &in_order[2], 1);
    }
}

/* Each channel from the argument that has it. */
static void print_vec(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                      unsigned n)
{
    texenv_printf(g->text, n > 1 ? "%s(" : "(", fragprog_glsl_type(n));
    for (unsigned i = 0; i < n; i++) {
        texenv_printf(g->text, i ? ", " : "");
        print_lanes(g, &inst->src[inst->src[0].lane[lane[i]] == FRAGPROG_ZERO], &lane[i], 1);
    }
    texenv_printf(g->text, ")");
}

/* Arguments in a form: "$0 + $1". */
void fragprog_glsl_form(struct fragprog_glsl *g, const struct fragprog_inst *inst, const char *form,
                        const uint8_t *lane, unsigned n)
{
    for (; *form; form++) {
        if (*form == '$')
            fragprog_glsl_argument(g, inst, (unsigned)(*++form - '0'), lane, n);
        else if (*form == 'N') /* the type */
            texenv_printf(g->text, "%s", fragprog_glsl_type(n));
        else
            texenv_printf(g->text, "%c", *form);
    }
}

static void print_operation(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                            unsigned n)
{
    static const char *const forms[FRAGPROG_OPS] = {
        [FRAGPROG_MOV] = "$0",
        [FRAGPROG_ADD] = "$0 + $1",
        [FRAGPROG_MUL] = "$0 * $1",
        [FRAGPROG_SUB] = "$0 - $1",
        [FRAGPROG_MAD] = "$0 * $1 + $2",
        [FRAGPROG_LERP] = "mix($2, $1, $0)",
        [FRAGPROG_CND] = "mix($1, $0, N(greaterThan($2, N(0.5))))",
        [FRAGPROG_CND0] = "mix($1, $0, N(greaterThanEqual($2, N(0.0))))"};
    static const uint8_t divisor = 3;
    if (fragprog_glsl_is_assembly(g, inst)) {
        fragprog_glsl_assembly(g, inst, lane, n);
    } else if (fragprog_op_is_dot(inst->op)) {
        texenv_printf(g->text, n > 1 ? "%s(" : "(", fragprog_glsl_type(n));
        print_dot(g, inst);
        texenv_printf(g->text, ")");
    } else if (inst->op == FRAGPROG_VEC) {
        print_vec(g, inst, lane, n);
    } else if (inst->op == FRAGPROG_PROJ) {
        fragprog_glsl_argument(g, inst, 0, lane, n);
        texenv_printf(g->text, " / ");
        fragprog_glsl_argument(g, inst, 0, &divisor, 1);
    } else if (n == 1 && inst->op == FRAGPROG_CND) {
        fragprog_glsl_form(g, inst, "$2 > 0.5 ? $0 : $1", lane, 1);
    } else if (n == 1 && inst->op == FRAGPROG_CND0) {
        fragprog_glsl_form(g, inst, "$2 >= 0.0 ? $0 : $1", lane, 1);
    } else {
        fragprog_glsl_form(g, inst, forms[inst->op], lane, n);
    }
}

static void print_inst(struct fragprog_glsl *g, unsigned i)
{
    static const char *const scales[] = {" * 0.125", " * 0.25", " * 0.5", "", " * 2.0", " * 4.0", " * 8.0"};
    static const char *const clamps[] = {
        [FRAGPROG_NO_CLAMP] = "", [FRAGPROG_SAT] = ", 0.0, 1.0)", [FRAGPROG_SAT8] = ", -8.0, 8.0)"};
    const struct fragprog_inst *inst = &g->p->inst[i];
    uint8_t lane[4], clamp = inst->clamp;
    unsigned n = 0;
    if (fragprog_op_is_lookup(inst->op)) {
        print_tex(g, i);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            lane[n++] = (uint8_t)c;
    if (inst->op == FRAGPROG_KIL) {
        fragprog_glsl_kill(g, inst, lane, n);
        return;
    }
    if (inst->op == FRAGPROG_OUT && g->p->vertex) {
        fragprog_glsl_vertex_output(g, inst);
        if (g->d->core && inst->texture < FRAGPROG_OUT_FOGCOORD) /* 2.14.6 clamps colours at the vertex */
            clamp = FRAGPROG_SAT;
    } else if (inst->op == FRAGPROG_OUT)
        fragprog_glsl_output(g, inst);
    else
        texenv_printf(g->text, "    %s v%u = ", fragprog_glsl_type(n), i);
    texenv_printf(g->text, "%s%s", clamp ? "clamp(" : "", inst->scale ? "(" : "");
    print_operation(g, inst, lane, n);
    texenv_printf(g->text, "%s%s%s;\n", inst->scale ? ")" : "", scales[inst->scale + 3], clamps[clamp]);
}

/* ---- the program ---- */

static void print_samplers(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    static const char *const targets[TEXENV_TARGETS] = {"1D", "2D", "2DRect", "3D", "Cube"};
    for (unsigned u = 0; u < FRAGPROG_MOST_TEXTURES; u++)
        if (r->lookup[u]) {
            if (g->d->version == 450)
                texenv_printf(g->text, "layout(binding = %u) ",
                              g->options->binding + FRAGPROG_BINDING_SAMPLER + u);
            texenv_printf(g->text, "uniform ");
            if (g->d->es)
                texenv_printf(g->text, "%sPRECISION ", fragprog_prefix(g->options));
            texenv_printf(g->text, "sampler%s%s %stexture%u;\n", targets[r->lookup[u]->target],
                          r->lookup[u]->shadow ? "Shadow" : "", fragprog_prefix(g->options), u);
        }
}

/* The comparison that keeps a fragment, by enum texenv_compare. */
static const char *const keeps[TEXENV_COMPARES] = {
    [TEXENV_LESS] = "<",    [TEXENV_EQUAL] = "==",    [TEXENV_LEQUAL] = "<=",
    [TEXENV_GREATER] = ">", [TEXENV_NOTEQUAL] = "!=", [TEXENV_GEQUAL] = ">="};

static bool tests_reference(const struct fragprog_glsl *g)
{
    return g->d->core && keeps[g->options->alpha_test];
}

/* The alpha test (GL 2.1, 4.1.4), where GL has none. */
static void print_alpha_test(struct fragprog_glsl *g)
{
    if (g->d->core && g->options->alpha_test == TEXENV_NEVER)
        texenv_printf(g->text, "    discard;\n");
    if (!tests_reference(g))
        return;
    texenv_printf(g->text, "    if (!(%s.w %s %salpha_reference))\n        discard;\n", g->result,
                  keeps[g->options->alpha_test], fragprog_prefix(g->options));
}

/* Arrays up to the last element that is read. */
static void print_uniforms(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const bool block = g->d->version == 450;
    uint16_t elements[FRAGPROG_UNIFORMS], *env = &elements[FRAGPROG_UNIFORM_PROGRAM_ENV],
                                          *local = &elements[FRAGPROG_UNIFORM_PROGRAM_LOCAL];
    unsigned any = fragprog_glsl_has_state(g);
    fragprog_count_uniforms(elements, r, g->options);
    if (g->p->unbounded) {
        *env = (uint16_t)fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_ENV, *env);
        *local = (uint16_t)fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_PARAMETER, *local);
    }
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        any |= elements[u];
    if (block && any)
        fragprog_open_block(g->text, g->options);
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++)
        if (elements[u]) /* parameters of an assembly program have no bound that places would be kept for */
            fragprog_print_uniform(g->text, (enum fragprog_uniform)u, elements[u], g->options,
                                   !g->p->unbounded);
    fragprog_glsl_state(g);
    if (block && any)
        texenv_printf(g->text, "};\n");
}

static void print_inputs(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    const char *in = g->d->version == 100 ? "varying" : "in", *prefix = fragprog_prefix(g->options);
    if (!g->d->core)
        return;
    if (r->primary) {
        fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_PRIMARY, "vec4", g->options);
        texenv_printf(g->text, "primary_color;\n");
    }
    if (r->secondary) {
        fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_SECONDARY, "vec4", g->options);
        texenv_printf(g->text, "secondary_color;\n");
    }
    for (unsigned n = 0; n < FRAGPROG_MOST_TEXTURES; n++)
        if (r->coords >> n & 1) {
            fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_TEXCOORD + n, "vec4", g->options);
            texenv_printf(g->text, "texcoord%u;\n", n);
        }
    if (g->options->fog || r->fog_coord) {
        fragprog_print_varying(g->text, in, FRAGPROG_LOCATION_FOG, "float", g->options);
        texenv_printf(g->text, "fog_coord;\n");
    }
    if (g->d->version != 100)
        texenv_printf(g->text, "%sout vec4 %sfragment_color;\n",
                      r->outputs & ~1u || g->d->version == 450 ? "layout(location = 0) " : "", prefix);
    for (unsigned n = 1; g->d->version != 100 && n < FRAGPROG_MOST_TEXTURES; n++)
        if (r->outputs >> n & 1)
            texenv_printf(g->text, "layout(location = %u) out vec4 %sfragment_color%u;\n", n, prefix, n);
}

static void print_header(struct fragprog_glsl *g, const struct fragprog_reading *r)
{
    texenv_printf(g->text, "#version %u%s\n", (unsigned)g->d->version,
                  g->d->version == 300       ? " es"
                      : g->d->version == 330 ? " core"
                                             : "");
    if (r->rect && g->d->version < 140)
        texenv_printf(g->text, "#extension GL_ARB_texture_rectangle : require\n");
    if (r->volume && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_OES_texture_3D : require\n");
    if (r->outputs & 1 && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_frag_depth : require\n");
    if (r->outputs & ~1u && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_draw_buffers : require\n");
    if (r->shadow && g->d->version == 100)
        texenv_printf(g->text, "#extension GL_EXT_shadow_samplers : require\n");
    const char *prefix = fragprog_prefix(g->options);
    if (g->d->version == 100) /* lowp has 8 bits for [-2,2]: too few; mediump has 10 for every power of 2 */
        texenv_printf(g->text,
                      "#ifdef GL_FRAGMENT_PRECISION_HIGH\n#define %sPRECISION highp\n#else\n#define "
                      "%sPRECISION mediump\n#endif\nprecision %sPRECISION float;\n",
                      prefix, prefix, prefix);
    else if (g->d->es)
        texenv_printf(g->text, "#define %sPRECISION highp\nprecision %sPRECISION float;\n", prefix, prefix);
}

/* GL 2.1, 3.10. */
static void print_fog(struct fragprog_glsl *g)
{
    static const char *const forms[] = {
        [TEXENV_FOG_LINEAR] = "    float fog = clamp(($end - #) * $scale, 0.0, 1.0);\n",
        [TEXENV_FOG_EXP] = "    float fog = clamp(exp(-($density * #)), 0.0, 1.0);\n",
        [TEXENV_FOG_EXP2] = "    float depth = $density * #;\n"
                            "    float fog = clamp(exp(-(depth * depth)), 0.0, 1.0);\n"};
    static const char blend[] = "    color = mix($color.xyz, color, fog);\n";
    for (unsigned part = 0; part < 2; part++)
        for (const char *c = part ? blend : forms[g->options->fog]; *c; c++)
            if (*c == '$')
                fragprog_glsl_name(g, g->d->core ? "fog_" : "gl_Fog.");
            else if (*c == '#')
                fragprog_glsl_name(g, g->d->fog_coord);
            else
                texenv_printf(g->text, "%c", *c);
}

static void print_result(struct fragprog_glsl *g)
{
    static const uint8_t in_order[] = {0, 1, 2, 3};
    struct fragprog_src color = fragprog_src_value(g->p->result[TEXENV_RGB]),
                        alpha = fragprog_src_value(g->p->result[TEXENV_ALPHA]);
    if (g->options->color_sum || g->options->fog) {
        const struct fragprog_inst *made = &g->p->inst[g->p->result[TEXENV_RGB]];
        bool clamp = g->options->color_sum ||
            made->clamp != FRAGPROG_SAT; /* what fog blends is a colour: 3.9 clamps it */
        texenv_printf(g->text, clamp ? "    vec3 color = clamp(" : "    vec3 color = ");
        print_lanes(g, &color, in_order, 3);
        if (g->options->color_sum)
            texenv_printf(g->text, " + %s.xyz", g->d->secondary);
        texenv_printf(g->text, clamp ? ", 0.0, 1.0);\n" : ";\n");
    }
    if (g->options->fog)
        print_fog(g);
    if (!g->options->color_sum && !g->options->fog && color.index == alpha.index &&
        g->p->inst[color.index].mask == FRAGPROG_MASK_XYZW) {
        texenv_printf(g->text, "    %s = v%u;\n", g->result, (unsigned)color.index);
        return;
    }
    texenv_printf(g->text, "    %s = vec4(", g->result);
    if (g->options->color_sum || g->options->fog)
        texenv_printf(g->text, "color");
    else
        print_lanes(g, &color, in_order, 3);
    texenv_printf(g->text, ", ");
    print_lanes(g, &alpha, &in_order[3], 1);
    texenv_printf(g->text, ");\n");
}

static void print_vertex(struct fragprog_glsl *g)
{
    fragprog_glsl_vertex_head(g);
    texenv_printf(g->text, "\nvoid main()\n{\n");
    for (unsigned i = 0; i < g->p->ninst; i++)
        if (!(g->p->invariant && i == g->p->result[0]))
            print_inst(g, i);
    fragprog_glsl_vertex_position(g);
    texenv_printf(g->text, "}\n");
}

void fragprog_print_glsl(struct texenv_text *text, const struct fragprog *p, const struct fragprog_reading *r,
                         const struct fragprog_language_options *options)
{
    struct fragprog_glsl g = {.text = text, .p = p, .options = options, .d = &dialects[options->language]};
    struct texenv_text result;
    struct fragprog_glsl name = g;
    if (p->vertex) {
        print_vertex(&g);
        return;
    }
    texenv_text_init(&result, g.result, sizeof g.result);
    name.text = &result;
    fragprog_glsl_name(
        &name, r->outputs & ~1u && (!g.d->core || g.d->version == 100) ? "gl_FragData[0]" : g.d->result);
    int unit = -1;
    print_header(&g, r);
    print_samplers(&g, r);
    print_uniforms(&g, r);
    print_inputs(&g, r);
    texenv_printf(text, "\nvoid main()\n{\n");
    /* Fixed function clamps the colours before they are interpolated; inputs of a shader's own are not known
     * to be. */
    if (g.d->core && r->primary)
        texenv_printf(text, "    vec4 primary = clamp(%sprimary_color, 0.0, 1.0);\n",
                      fragprog_prefix(options));
    if (g.d->core && r->secondary)
        texenv_printf(text, "    vec4 secondary = clamp(%ssecondary_color, 0.0, 1.0);\n",
                      fragprog_prefix(options));
    for (unsigned i = 0; i < p->ninst; i++) {
        if (p->inst[i].op != FRAGPROG_TEX && p->inst[i].unit != unit && p->inst[i].unit >= 0)
            texenv_printf(text, "    // unit %d\n", (int)p->inst[i].unit);
        unit = p->inst[i].op != FRAGPROG_TEX ? p->inst[i].unit : unit;
        print_inst(&g, i);
    }
    print_result(&g);
    print_alpha_test(&g);
    texenv_printf(text, "}\n");
}
