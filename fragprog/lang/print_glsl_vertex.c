/* Prints in GLSL what only vertex programs have: attributes, results, the position. Section numbers are those
 * of the OpenGL 2.1 specification. */
#include "fragprog/bindings.h"
#include "fragprog/lang/glsl.h"
#include "fragprog/reason.h"

/* ---- inputs and outputs ---- */

/* Returns the channels of an attribute that are read. */
static unsigned channels_of(const struct fragprog *p, unsigned attribute)
{
    unsigned channels = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_ATTRIB && p->inst[i].src[s].index == attribute)
                channels |= fragprog_channels_read(&p->inst[i], s);
    return channels;
}

static uint32_t outputs_of(const struct fragprog *p)
{
    uint32_t outputs = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_OUT)
            outputs |= UINT32_C(1) << p->inst[i].texture;
    return outputs;
}

bool fragprog_glsl_has_vertex(const struct fragprog *p, const struct fragprog_language_options *options,
                              struct fragprog_reason *why)
{
    const uint32_t back = 1u << FRAGPROG_OUT_BACK_COLOR0 | 1u << FRAGPROG_OUT_BACK_COLOR1;
    if (channels_of(p, FRAGPROG_ATTRIB_WEIGHT) || channels_of(p, FRAGPROG_ATTRIB_MATRIXINDEX))
        return fragprog_refuse(why, -1, "attribute",
                               "GLSL has no attribute vertex.weight or vertex.matrixindex; vertex.attrib[n] "
                               "would fit");
    if (fragprog_is_core(options) && outputs_of(p) & back)
        return fragprog_refuse(why, -1, "sides",
                               "this language has one colour for both sides; light on one side would fit");
    return true;
}

/* ---- names ---- */

void fragprog_glsl_attribute(const struct fragprog_glsl *g, unsigned attribute)
{
    const bool one = attribute == FRAGPROG_ATTRIB_NORMAL && channels_of(g->p, attribute) & FRAGPROG_MASK_W;
    texenv_printf(g->text, one ? "vec4(" : ""); /* w of a normal is 1 */
    fragprog_print_attribute(g->text, attribute, g->d->core, fragprog_prefix(g->options));
    texenv_printf(g->text, one ? ", 1.0)" : "");
}

void fragprog_glsl_vertex_output(struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    static const char *const names[FRAGPROG_OUT_TEXCOORD][2] = {
        [FRAGPROG_OUT_COLOR0] = {"gl_FrontColor", "primary_color"},
        [FRAGPROG_OUT_COLOR1] = {"gl_FrontSecondaryColor", "secondary_color"},
        [FRAGPROG_OUT_BACK_COLOR0] = {"gl_BackColor", ""},
        [FRAGPROG_OUT_BACK_COLOR1] = {"gl_BackSecondaryColor", ""},
        [FRAGPROG_OUT_FOGCOORD] = {"gl_FogFragCoord", "fog_coord"},
        [FRAGPROG_OUT_POINTSIZE] = {"gl_PointSize", "gl_PointSize"}};
    const unsigned output = inst->texture;
    texenv_printf(g->text, "    ");
    if (output < FRAGPROG_OUT_TEXCOORD) {
        fragprog_glsl_name(g, names[output][g->d->core]);
    } else {
        fragprog_glsl_name(g, g->d->core ? "texcoord" : "gl_TexCoord[");
        texenv_printf(g->text, g->d->core ? "%u" : "%u]", output - FRAGPROG_OUT_TEXCOORD);
    }
    if (inst->mask != FRAGPROG_MASK_XYZW && output != FRAGPROG_OUT_FOGCOORD &&
        output != FRAGPROG_OUT_POINTSIZE)
        texenv_printf(g->text, ".%s%s%s%s", inst->mask & FRAGPROG_MASK_X ? "x" : "",
                      inst->mask & FRAGPROG_MASK_Y ? "y" : "", inst->mask & FRAGPROG_MASK_Z ? "z" : "",
                      inst->mask & FRAGPROG_MASK_W ? "w" : "");
    texenv_printf(g->text, " = ");
}

/* ---- arrays with an address register ---- */

/* Returns the first constant of array n, which must exist. */
static unsigned start_of(const struct fragprog *p, unsigned array)
{
    unsigned k = 0;
    while (p->konst[k].array != array)
        k++;
    return k;
}

/* Returns the number of elements from constant k on that are consecutive elements of one uniform array of
 * parameters; 0 if constant k is a number or GL state. */
static unsigned parameters_from(const struct fragprog *p, unsigned k)
{
    const int32_t origin = p->konst[k].origin[0].unit;
    unsigned n = 0;
    if (origin < FRAGPROG_ORIGIN_ENV || origin >= FRAGPROG_ORIGIN_STATE)
        return 0;
    while (k + n < p->nkonst && p->konst[k + n].array == p->konst[k].array &&
           p->konst[k + n].origin[0].unit == origin + (int32_t)n)
        n++;
    return n;
}

/* Returns the index after the last element of the array that starts with constant k. */
static unsigned end_of(const struct fragprog *p, unsigned k)
{
    const unsigned array = p->konst[k].array;
    while (k < p->nkonst && p->konst[k].array == array)
        k++;
    return k;
}

/* Returns true if the array is part of one uniform array, which is then indexed directly. For other arrays a
 * function returns the element. */
static bool is_one_array(const struct fragprog *p, unsigned k)
{
    return k + parameters_from(p, k) == end_of(p, k);
}

static void print_sum(struct fragprog_glsl *g, int added)
{
    if (added)
        texenv_printf(g->text, added < 0 ? " - %d" : " + %d", added < 0 ? -added : added);
}

/* Prints "program_local[" for constant k, a parameter, and returns its index. */
static int open_array(struct fragprog_glsl *g, unsigned k)
{
    const int32_t origin = g->p->konst[k].origin[0].unit;
    const bool local = origin >= FRAGPROG_ORIGIN_PARAMETER;
    fragprog_glsl_name(g, local ? "program_local[" : "program_env[");
    return (int)(origin - (local ? FRAGPROG_ORIGIN_PARAMETER : FRAGPROG_ORIGIN_ENV));
}

/* Prints a function that selects an element of an array. A function is used because GLSL 1.10 has no array
 * constructors, and implementations of ES 1.00 must support non-constant indices in vertex shaders only for
 * uniforms (appendix A, 5). */
static void print_array(struct fragprog_glsl *g, unsigned first)
{
    const unsigned end = end_of(g->p, first);
    texenv_printf(g->text, "\nvec4 ");
    fragprog_glsl_name(g, "array");
    texenv_printf(g->text, "%u(int i)\n{\n    return ", (unsigned)g->p->konst[first].array);
    for (unsigned k = first; k < end;) {
        const unsigned run = parameters_from(g->p, k), next = k + (run ? run : 1);
        if (next < end)
            texenv_printf(g->text, "i < %u ? ", next - first);
        if (run > 1) {
            const int number = open_array(g, k);
            texenv_printf(g->text, "i");
            print_sum(g, number - (int)(k - first));
            texenv_printf(g->text, "]");
        } else {
            const struct fragprog_inst element = {
                .src[0] = {.file = FRAGPROG_CONST, .index = (uint16_t)k, .lane = {0, 1, 2, 3}}};
            fragprog_glsl_argument(g, &element, 0, fragprog_in_place, 4, FRAGPROG_GLSL_ANY);
        }
        texenv_printf(g->text, next < end ? " :\n        " : ";\n}\n");
        k = next;
    }
}

static void print_arrays(struct fragprog_glsl *g)
{
    for (unsigned k = 0; k < g->p->nkonst; k++)
        if (g->p->konst[k].array && k == start_of(g->p, g->p->konst[k].array) && !is_one_array(g->p, k))
            print_array(g, k);
}

/* Prints the read of an element. Reads outside of the array are undefined. The index is rounded down, as ARL
 * does. */
void fragprog_glsl_load(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n)
{
    const unsigned first = start_of(g->p, inst->target);
    const bool direct = is_one_array(g->p, first);
    int added = (int)inst->texture - FRAGPROG_LOAD_ZERO;
    if (direct) {
        added += open_array(g, first);
    } else {
        fragprog_glsl_name(g, "array");
        texenv_printf(g->text, "%u(", (unsigned)inst->target);
    }
    texenv_printf(g->text, "int(floor(");
    fragprog_glsl_argument(g, inst, 0, lane, 1, FRAGPROG_GLSL_ANY);
    texenv_printf(g->text, "))");
    print_sum(g, added);
    texenv_printf(g->text, direct ? "]" : ")");
    for (unsigned i = 0; n < 4 && i < n; i++)
        texenv_printf(g->text, "%s%c", i ? "" : ".", "xyzw"[lane[i]]);
}

/* ---- declarations ---- */

/* Returns true for GLSL 1.10, 1.20 and ES 1.00, which have the keywords `attribute` and `varying`. */
static bool is_old(const struct fragprog_glsl *g) { return g->d->version <= 120; }

static void print_attributes(struct fragprog_glsl *g)
{
    for (unsigned a = 0; a < FRAGPROG_ATTRIBS; a++) {
        const bool generic = a >= FRAGPROG_ATTRIB_GENERIC;
        const bool position = a == FRAGPROG_ATTRIB_POSITION && g->p->invariant;
        if (!(channels_of(g->p, a) || position) || (!generic && !g->d->core))
            continue;
        if (is_old(g))
            texenv_printf(g->text, "attribute ");
        else
            texenv_printf(g->text, "layout(location = %u) in ", generic ? a - FRAGPROG_ATTRIB_GENERIC : a);
        texenv_printf(g->text, "%s ", fragprog_attribute_type(a));
        fragprog_print_attribute(g->text, a, g->d->core, fragprog_prefix(g->options));
        texenv_printf(g->text, ";\n");
    }
}

static void print_varyings(struct fragprog_glsl *g)
{
    static const struct {
        uint8_t output, location;
        const char *type, *name;
    } rows[] = {{FRAGPROG_OUT_COLOR0, FRAGPROG_LOCATION_PRIMARY, "vec4", "primary_color;\n"},
                {FRAGPROG_OUT_COLOR1, FRAGPROG_LOCATION_SECONDARY, "vec4", "secondary_color;\n"},
                {FRAGPROG_OUT_FOGCOORD, FRAGPROG_LOCATION_FOG, "float", "fog_coord;\n"}};
    const uint32_t outputs = outputs_of(g->p);
    const char *out = is_old(g) ? "varying" : "out";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (outputs >> rows[i].output & 1) {
            fragprog_print_varying(g->text, out, rows[i].location, rows[i].type, g->options);
            texenv_printf(g->text, "%s", rows[i].name);
        }
    for (unsigned n = 0; n < FRAGPROG_VERTEX_OUTS - FRAGPROG_OUT_TEXCOORD; n++)
        if (outputs >> (FRAGPROG_OUT_TEXCOORD + n) & 1) {
            fragprog_print_varying(g->text, out, FRAGPROG_LOCATION_TEXCOORD + n, "vec4", g->options);
            texenv_printf(g->text, "texcoord%u;\n", n);
        }
}

/* Prints the uniforms. Parameters come last, because their number is unlimited; members with a fixed offset
 * precede them. A block must not be empty (GLSL 4.50, 4.3.9). */
static void print_uniforms(struct fragprog_glsl *g)
{
    const unsigned size[2] = {fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_ENV, 0),
                              fragprog_glsl_parameters(g, FRAGPROG_ORIGIN_PARAMETER, 0)};
    const bool matrix = g->d->core && g->p->invariant,
               block = g->d->version == 450 && (matrix || size[0] || size[1] || fragprog_glsl_has_state(g));
    if (block)
        fragprog_open_block(g->text, "vertex_state", g->options);
    if (matrix)
        fragprog_print_uniform(g->text, FRAGPROG_UNIFORM_MODELVIEW_PROJECTION, 1, g->options, true);
    fragprog_glsl_state(g);
    if (size[0])
        fragprog_print_uniform(g->text, FRAGPROG_UNIFORM_PROGRAM_ENV, size[0], g->options, false);
    if (size[1])
        fragprog_print_uniform(g->text, FRAGPROG_UNIFORM_PROGRAM_LOCAL, size[1], g->options, false);
    if (block)
        texenv_printf(g->text, "};\n");
}

void fragprog_glsl_vertex_head(struct fragprog_glsl *g)
{
    fragprog_glsl_open(g->text, g->d->version);
    print_uniforms(g);
    print_attributes(g);
    if (g->d->core)
        print_varyings(g);
    print_arrays(g);
}

/* ---- the position ---- */

void fragprog_glsl_vertex_position(struct fragprog_glsl *g)
{
    if (g->p->invariant && g->d->core) {
        texenv_printf(g->text, "    gl_Position = ");
        fragprog_glsl_name(g, "modelview_projection");
        texenv_printf(g->text, " * ");
        fragprog_glsl_name(g, "vertex_position");
        texenv_printf(g->text, ";\n");
    } else if (g->p->invariant) {
        texenv_printf(g->text, "    gl_Position = ftransform();\n");
    } else {
        texenv_printf(g->text, "    gl_Position = v%u;\n", (unsigned)g->p->result[0]);
    }
    if (g->d->version == 450) /* Vulkan 1.0, 24.2: the view volume is 0 <= z <= w */
        texenv_printf(g->text,
                      "#ifdef VULKAN\n    gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;\n#endif\n");
}
