/* Declarations of shader pairs: names and locations, and the text before main of the vertex shader. */
#include "fragprog/alloc/bits.h"
#include "fragprog/lang/glsl.h"
#include "fragprog/lang/glsl_fixed_vertex.h"

enum {
    NONE = FRAGPROG_PAIR_NONE,
    LIGHT = FRAGPROG_PAIR_LIGHT,
    UNIT = FRAGPROG_PAIR_UNIT,
    PLANE = FRAGPROG_PAIR_PLANE,
    FIRST_OF_LIGHT = FRAGPROG_PAIR_LIGHT_DIRECTION,
    LAST_OF_LIGHT = FRAGPROG_PAIR_LIGHT_SPOT_COS_CUTOFF
};

const struct fragprog_pair_row fragprog_pair_rows[FRAGPROG_PAIR_VALUES] = {
#define PAIR_UNIFORM(id, name, type, index, built_in) [FRAGPROG_PAIR_##id] = {name, type, built_in, index},
#include "fragprog/pair_uniforms.def"
};

/* ---- names ---- */

const char *fragprog_pair_uniform_type(enum fragprog_pair_value id) { return fragprog_pair_rows[id].type; }

static const char *prefix_of(const struct fragprog_pair_options *options)
{
    return options->prefix ? options->prefix : "";
}

void fragprog_print_pair_uniform(struct texenv_text *text, const struct fragprog_pair_uniform *uniform,
                                 const struct fragprog_pair_options *options)
{
    const char *name = fragprog_pair_rows[uniform->id].name, *dollar = strchr(name, '$');
    if (dollar)
        texenv_printf(text, "%s%.*s%u%s", prefix_of(options), (int)(dollar - name), name,
                      (unsigned)uniform->index, dollar + 1);
    else
        texenv_printf(text, "%s%s", prefix_of(options), name);
}

void fragprog_print_pair_attribute(struct texenv_text *text, unsigned attribute,
                                   const struct fragprog_pair_options *options)
{
    const bool built_in = options->language == FRAGPROG_GLSL_110 || options->language == FRAGPROG_GLSL_120;
    fragprog_print_attribute(text, attribute, !built_in, prefix_of(options));
}

/* ---- offsets ---- */

/* Returns the size of a uniform in floats. */
static unsigned size_of(unsigned id, bool std140)
{
    const char *type = fragprog_pair_rows[id].type;
    const unsigned n = (unsigned)(type[3] - '0');
    return type[0] == 'f' ? 1 : type[0] == 'v' ? n : n == 3 && std140 ? 12 : n * n;
}

/* Aligns an offset: in std140 (OpenGL 4.6, 7.6.2.2) everything but a float begins at a multiple of four
 * floats. */
static unsigned aligned(unsigned at, unsigned size) { return size > 1 ? (at + 3) & ~3u : at; }

/* Returns true if the uniform is a member of struct Light that an earlier row of the same name already
 * declares. */
static bool is_declared(const uint8_t *used, unsigned id)
{
    return id == FRAGPROG_PAIR_LIGHT_POSITION && used[FRAGPROG_PAIR_LIGHT_DIRECTION];
}

/* Offset of each uniform (with index 0) in the uniform block of glsl-450. A uniform that the fragment shader
 * also has gets the same offset in both shaders. */
struct places {
    uint16_t at[FRAGPROG_PAIR_VALUES];
    unsigned light; /* size of struct Light in floats */
    unsigned end;
};

int fragprog_pair_common_uniform(unsigned id)
{
    static const struct {
        uint8_t id, uniform;
    } rows[] = {{FRAGPROG_PAIR_MODELVIEW, FRAGPROG_UNIFORM_MODELVIEW_PROJECTION},
                {FRAGPROG_PAIR_PROJECTION, FRAGPROG_UNIFORM_PROJECTION},
                {FRAGPROG_PAIR_TEXTURE_MATRIX, FRAGPROG_UNIFORM_TEXTURE_MATRIX},
                {FRAGPROG_PAIR_TEXENV_COLOR, FRAGPROG_UNIFORM_TEXENV_COLOR},
                {FRAGPROG_PAIR_FOG_COLOR, FRAGPROG_UNIFORM_FOG_COLOR},
                {FRAGPROG_PAIR_FOG_DENSITY, FRAGPROG_UNIFORM_FOG_DENSITY},
                {FRAGPROG_PAIR_FOG_END, FRAGPROG_UNIFORM_FOG_END},
                {FRAGPROG_PAIR_FOG_SCALE, FRAGPROG_UNIFORM_FOG_SCALE},
                {FRAGPROG_PAIR_ALPHA_REFERENCE, FRAGPROG_UNIFORM_ALPHA_REFERENCE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].id == id)
            return rows[i].uniform;
    return -1;
}

static void place(struct places *p, const uint8_t *used)
{
    unsigned at = 0;
    for (unsigned id = FIRST_OF_LIGHT; id <= LAST_OF_LIGHT; id++)
        if (is_declared(used, id)) {
            p->at[id] = p->at[FRAGPROG_PAIR_LIGHT_DIRECTION];
        } else if (used[id]) {
            p->at[id] = (uint16_t)aligned(at, size_of(id, true));
            at = p->at[id] + size_of(id, true);
        }
    p->light = aligned(at, 4);
    p->end = FRAGPROG_BLOCK_SIZE / 4;
    unsigned lights = 0;
    for (unsigned id = 0; id < FRAGPROG_PAIR_VALUES; id++) {
        const unsigned kind = fragprog_pair_rows[id].index, size = size_of(id, true);
        const int common = fragprog_pair_common_uniform(id);
        if (!used[id])
            continue;
        if (kind == LIGHT) {
            lights |= used[id];
        } else if (common >= 0) {
            p->at[id] = fragprog_uniform_of((enum fragprog_uniform)common)->offset / 4;
        } else {
            p->at[id] = (uint16_t)aligned(p->end, kind == NONE ? size : 4);
            p->end = p->at[id] + size * fragprog_bits(used[id]);
        }
    }
    p->end = aligned(p->end, 4);
    for (unsigned id = FIRST_OF_LIGHT; id <= LAST_OF_LIGHT; id++)
        p->at[id] = (uint16_t)(p->at[id] + p->end);
    p->end += p->light * fragprog_bits(lights);
}

void fragprog_pair_lay_out(struct fragprog_pair *pair, const uint8_t used[FRAGPROG_PAIR_VALUES])
{
    struct places places;
    const bool block = pair->language == FRAGPROG_GLSL_450;
    unsigned at = 0;
    if (block)
        place(&places, used);
    pair->nuniforms = 0;
    for (unsigned id = 0; id < FRAGPROG_PAIR_VALUES; id++)
        for (unsigned n = 0; used[id] >> n; n++) {
            if (!(used[id] >> n & 1))
                continue;
            unsigned offset = at;
            if (block)
                offset = places.at[id] +
                    n * (fragprog_pair_rows[id].index == LIGHT ? places.light : size_of(id, true));
            pair->uniform[pair->nuniforms++] = (struct fragprog_pair_uniform){(uint8_t)id, (uint8_t)n,
                                                                              (uint16_t)offset};
            at += size_of(id, false);
        }
    pair->floats = (uint16_t)(block ? places.end : at);
}

/* ---- the declarations of the vertex shader ---- */

static void print_attributes(const struct fragprog_glsl_fixed *g, const struct fragprog_pair *pair)
{
    for (unsigned a = 0; a < 16; a++) {
        if (!(g->attributes >> a & 1))
            continue;
        if (g->version == 100)
            texenv_printf(g->text, "attribute ");
        else
            texenv_printf(g->text, "layout(location = %u) in ", (unsigned)pair->location[a]);
        texenv_printf(g->text, "%s ", a == FRAGPROG_ATTRIB_SECONDARY ? "vec3" : fragprog_attribute_type(a));
        fragprog_print_pair_attribute(g->text, a, g->options);
        texenv_printf(g->text, ";\n");
    }
}

/* Prints struct Light with the members that some lights need. In glsl-450 the padding of std140 after a vec3
 * is declared explicitly, because HLSL, to which the SPIR-V may be translated, would place the next member
 * there. */
static unsigned print_light(const struct fragprog_glsl_fixed *g)
{
    unsigned lights = 0;
    for (unsigned id = FIRST_OF_LIGHT; id <= LAST_OF_LIGHT; id++)
        lights |= g->used[id];
    if (!lights)
        return 0;
    texenv_printf(g->text, "struct %sLight {\n", g->options->prefix);
    for (unsigned id = FIRST_OF_LIGHT, vectors = 0; id <= LAST_OF_LIGHT; id++) {
        if (!g->used[id] || is_declared(g->used, id))
            continue;
        if (size_of(id, true) == 3 && vectors++ && g->version == 450)
            texenv_printf(g->text, "    float empty%u;\n", vectors - 2);
        texenv_printf(g->text, "    %s %s;\n", fragprog_pair_rows[id].type,
                      strchr(fragprog_pair_rows[id].name, '.') + 1);
    }
    texenv_printf(g->text, "};\n");
    return fragprog_bits(lights);
}

static void open_uniform(const struct fragprog_glsl_fixed *g, unsigned place)
{
    if (g->version == 450)
        texenv_printf(g->text, "    layout(offset = %u) ", 4 * place);
    else
        texenv_printf(g->text, "uniform ");
}

static void print_uniforms(const struct fragprog_glsl_fixed *g, unsigned nlights)
{
    struct places places;
    const char *prefix = g->options->prefix;
    if (g->version == 450)
        place(&places, g->used);
    if (g->version == 450)
        texenv_printf(g->text, "layout(std140, binding = %u) uniform %svertex_state {\n",
                      (unsigned)g->options->binding, prefix);
    for (unsigned id = 0; id < FRAGPROG_PAIR_VALUES; id++) {
        const struct fragprog_pair_row *row = &fragprog_pair_rows[id];
        if (!g->used[id] || row->index == LIGHT)
            continue;
        open_uniform(g, places.at[id]);
        if (row->index == NONE)
            texenv_printf(g->text, "%s %s%s;\n", row->type, prefix, row->name);
        else
            texenv_printf(g->text, "%s %s%.*s%u];\n", row->type, prefix,
                          (int)(strchr(row->name, '$') - row->name), row->name, fragprog_bits(g->used[id]));
    }
    if (nlights) {
        open_uniform(g, places.end - places.light * nlights);
        texenv_printf(g->text, "%sLight %slight[%u];\n", prefix, prefix, nlights);
    }
    if (g->version == 450)
        texenv_printf(g->text, "};\n");
}

/* Returns the location of a varying. Those of back colours follow the locations that all programs have. */
static unsigned location_of(unsigned out)
{
    static const uint8_t colors[] = {FRAGPROG_LOCATION_PRIMARY, FRAGPROG_LOCATION_SECONDARY,
                                     FRAGPROG_LOCATION_BACK, FRAGPROG_LOCATION_BACK + 1,
                                     FRAGPROG_LOCATION_FOG};
    return out < FRAGPROG_PAIR_COORD ? colors[out] : FRAGPROG_LOCATION_TEXCOORD + out - FRAGPROG_PAIR_COORD;
}

static void print_varyings(const struct fragprog_glsl_fixed *g)
{
    for (unsigned out = 0; out < FRAGPROG_PAIR_OUTS; out++) {
        const bool coord = out >= FRAGPROG_PAIR_COORD && out < FRAGPROG_PAIR_CLIP;
        const unsigned size = coord ? g->coord_size[out - FRAGPROG_PAIR_COORD]
            : out == FRAGPROG_PAIR_PRIMARY || out == FRAGPROG_PAIR_BACK ? 4
            : out < FRAGPROG_PAIR_FOG                                   ? 3
                                                                        : 1;
        if (!(g->outs >> out & 1))
            continue;
        if (g->version == 450)
            texenv_printf(g->text, "layout(location = %u) ", g->options->location + location_of(out));
        if (g->source->flat && out < FRAGPROG_PAIR_FOG)
            texenv_printf(g->text, "flat ");
        texenv_printf(g->text, "%s %s ", g->version == 100 ? "varying" : "out", fragprog_glsl_type(size));
        fragprog_glsl_print_out(g, out);
        texenv_printf(g->text, ";\n");
    }
}

void fragprog_glsl_fixed_head(const struct fragprog_glsl_fixed *g, const struct fragprog_pair *pair)
{
    fragprog_glsl_open(g->text, g->version);
    if (!g->built_in) {
        const unsigned nlights = print_light(g);
        print_attributes(g, pair);
        print_uniforms(g, nlights);
        print_varyings(g);
    }
    if (g->power)
        texenv_printf(g->text,
                      "\n// 0 to the power of 0 is 1 in GL, and not defined in GLSL.\n"
                      "float %spower(float x, float y)\n{\n"
                      "    return y > 0.0 ? pow(max(x, 0.0), y) : 1.0;\n}\n",
                      g->options->prefix);
}
