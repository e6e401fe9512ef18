/* Describes the inputs of programs translated from ARB programs. These have any number of parameters, so the
 * uniform block of glsl-450 has a fixed layout only for what precedes the parameters. */
#include "reflect.h"

#include <stdio.h>
#include <string.h>

static bool is_arb(const struct reflection *r) { return r->how.language == FRAGPROG_ARBFP; }
static const char *prefix_of(const struct reflection *r) { return r->how.prefix ? r->how.prefix : ""; }

/* ---- uniforms ---- */

/* Places the next member of the uniform block, if there is one (std140: a vector begins at a multiple of 16
 * bytes). */
static void place(struct reflection *r, struct variable *v, unsigned bytes)
{
    if (r->how.language != FRAGPROG_GLSL_450)
        return;
    const unsigned align = bytes < 16 ? bytes : 16;
    r->block = (r->block + align - 1) / align * align;
    v->binding = r->how.binding;
    v->offset = (int)r->block;
    r->block += bytes;
}

/* Adds the elements of an array that the program reads: those whose origins start at `first`. */
static void add_array(struct reflection *r, const struct item *item, const struct fragprog *p,
                      enum fragprog_uniform uniform, int32_t first, unsigned limit)
{
    const unsigned start = r->block;
    bool read[FRAGPROG_MOST_PARAMETERS] = {0};
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++) {
            const int64_t n = (int64_t)p->konst[k].origin[c].unit - first;
            if (n >= 0 && n < limit)
                read[n] = true;
        }
    for (unsigned n = 0; n < limit; n++) {
        if (!read[n])
            continue;
        struct variable *v = reflect_element(r, item, uniform, n, p->vertex ? STAGE_VERTEX : STAGE_FRAGMENT);
        if (uniform != FRAGPROG_UNIFORM_TEXENV_COLOR)
            reflect_means(v, "program.%s[%u]", uniform == FRAGPROG_UNIFORM_PROGRAM_ENV ? "env" : "local", n);
        r->block = (start + 15) / 16 * 16 + 16 * n;
        place(r, v, 16);
    }
}

static bool is_there(const struct reflection *r, const char *is)
{
    for (unsigned i = 0; i < r->n; i++)
        if (r->v[i].uniform == VARIABLE_BINDING && strcmp(r->v[i].is, is) == 0)
            return true;
    return false;
}

/* Adds the state that the program binds by name. */
static void add_state(struct reflection *r, const struct fragprog *p)
{
    for (unsigned i = 0; i < 4u * p->nkonst; i++) {
        const int32_t origin = p->konst[i / 4].origin[i % 4].unit;
        char is[sizeof r->v->is];
        struct texenv_text text;
        texenv_text_init(&text, is, sizeof is);
        if (origin < FRAGPROG_ORIGIN_STATE)
            continue;
        fragprog_print_origin(&text, origin);
        if (is_there(r, is))
            continue;
        struct variable *v = reflect_add(r, KIND_UNIFORM, "vec4", "%s", "");
        texenv_text_init(&text, v->name, sizeof v->name);
        fragprog_print_parameter(&text, origin, &r->how);
        reflect_means(v, "%s", is);
        v->uniform = VARIABLE_BINDING;
        v->stages = p->vertex ? STAGE_VERTEX : STAGE_FRAGMENT;
        /* names of uniforms contain neither brackets nor dots */
        v->built_in = is_arb(r) || strpbrk(v->name, "[(.") != NULL;
        if (!v->built_in)
            place(r, v, 16);
    }
}

static void add_parameters(struct reflection *r, const struct item *item, const struct fragprog *p)
{
    add_array(r, item, p, FRAGPROG_UNIFORM_PROGRAM_ENV, FRAGPROG_ORIGIN_ENV, FRAGPROG_MOST_PARAMETERS);
    add_array(r, item, p, FRAGPROG_UNIFORM_PROGRAM_LOCAL, FRAGPROG_ORIGIN_PARAMETER,
              FRAGPROG_MOST_PARAMETERS);
}

/* ---- a fragment program ---- */

static void add_lookups(struct reflection *r, const struct fragprog *p)
{
    const struct fragprog_inst *lookup[FRAGPROG_MOST_TEXTURES] = {0};
    for (unsigned i = 0; i < p->ninst; i++)
        if (fragprog_op_is_lookup(p->inst[i].op))
            lookup[p->inst[i].texture] = &p->inst[i];
    for (unsigned u = 0; u < FRAGPROG_MOST_TEXTURES; u++)
        if (lookup[u])
            reflect_sampler(r, u, lookup[u]->target, lookup[u]->shadow);
}

static void add_fragment(struct reflection *r, const struct item *item, const struct fragprog *p)
{
    struct fragprog_interface taken;
    fragprog_find_interface(&taken, p, &r->how);
    add_lookups(r, p);
    add_array(r, item, p, FRAGPROG_UNIFORM_TEXENV_COLOR, 0, TEXENV_UNITS);
    add_parameters(r, item, p);
    for (unsigned u = FRAGPROG_UNIFORM_FOG_COLOR; u < FRAGPROG_UNIFORMS; u++)
        if (taken.uniforms >> u & 1) {
            struct variable *v = reflect_element(r, item, u, 0, STAGE_FRAGMENT);
            place(r, v, v->type[0] == 'v' ? 16 : 4);
        }
    add_state(r, p);
    bool fog = r->how.fog;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            fog |= p->inst[i].src[s].file == FRAGPROG_FOGCOORD && fragprog_channels_read(&p->inst[i], s);
    reflect_varyings(r, taken.primary, taken.secondary, fog, taken.coords);
}

/* ---- a vertex program ---- */

/* The attributes' names in ARB programs, in GLSL 1.10 and 1.20, and in other GLSL. GLSL has no weights and
 * matrix indices. */
static const struct attribute {
    const char *arb, *glsl, *core, *type, *is;
} conventional[FRAGPROG_ATTRIB_TEXCOORD] =
    {{"vertex.position", "gl_Vertex", "vertex_position", "vec4", "glVertex"},
     {"vertex.weight", "", "", "vec4", "glWeight"},
     {"vertex.normal", "gl_Normal", "vertex_normal", "vec3", "glNormal"},
     {"vertex.color", "gl_Color", "vertex_color", "vec4", "glColor"},
     {"vertex.color.secondary", "gl_SecondaryColor", "vertex_secondary_color", "vec4", "glSecondaryColor"},
     {"vertex.fogcoord", "gl_FogCoord", "vertex_fog_coord", "float", "glFogCoord"},
     {"vertex.matrixindex", "", "", "vec4", "glMatrixIndex"}},
  texcoord = {"vertex.texcoord[%u]", "gl_MultiTexCoord%u", "vertex_texcoord%u", "vec4",
              "glMultiTexCoord of GL_TEXTURE%u"},
  generic = {"vertex.attrib[%u]", "vertex_attrib%u", "vertex_attrib%u", "vec4", "glVertexAttrib of %u"};

static void add_attribute(struct reflection *r, unsigned a)
{
    const bool is_generic = a >= FRAGPROG_ATTRIB_GENERIC;
    const unsigned n = a - (is_generic ? FRAGPROG_ATTRIB_GENERIC : FRAGPROG_ATTRIB_TEXCOORD);
    const struct attribute *row = is_generic ? &generic
        : a >= FRAGPROG_ATTRIB_TEXCOORD      ? &texcoord
                                             : &conventional[a];
    const bool built_in = is_arb(r) || (!r->core && !is_generic);
    char name[40];
    snprintf(name, sizeof name, is_arb(r) ? row->arb : r->core ? row->core : row->glsl, n);
    struct variable *v = reflect_add(r, KIND_ATTRIBUTE, row->type, "%s%s", built_in ? "" : prefix_of(r),
                                     name);
    reflect_means(v, row->is, n);
    v->built_in = built_in;
    v->location = (int)(is_generic ? n : a);
}

static void add_attributes(struct reflection *r, const struct fragprog *p)
{
    uint32_t read = p->invariant ? 1u << FRAGPROG_ATTRIB_POSITION : 0;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_ATTRIB && fragprog_channels_read(&p->inst[i], s))
                read |= UINT32_C(1) << p->inst[i].src[s].index;
    for (unsigned a = 0; a < FRAGPROG_ATTRIBS; a++)
        if (read >> a & 1)
            add_attribute(r, a);
}

static void add_vertex(struct reflection *r, const struct item *item, const struct fragprog *p)
{
    unsigned at = 0;
    int32_t origin;
    uint32_t written = 0;
    if (p->invariant && r->core)
        place(r, reflect_element(r, item, FRAGPROG_UNIFORM_MODELVIEW_PROJECTION, 0, STAGE_VERTEX), 64);
    if (r->how.language == FRAGPROG_GLSL_450 && fragprog_next_state_uniform(p, &r->how, &at, &origin))
        r->block = FRAGPROG_BLOCK_SIZE;
    add_state(r, p);
    add_parameters(r, item, p);
    add_attributes(r, p);
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_OUT)
            written |= UINT32_C(1) << p->inst[i].texture;
    reflect_varyings(r, written >> FRAGPROG_OUT_COLOR0 & 1, written >> FRAGPROG_OUT_COLOR1 & 1,
                     written >> FRAGPROG_OUT_FOGCOORD & 1, written >> FRAGPROG_OUT_TEXCOORD);
}

void reflect_program(struct reflection *r, const struct item *item, const struct fragprog *p)
{
    r->vertex = p->vertex;
    if (p->vertex)
        add_vertex(r, item, p);
    else
        add_fragment(r, item, p);
}
