/* Prints main of the vertex shader for the vertex half of fixed function, except the colours. Section numbers
 * are those of the OpenGL 2.1 specification. */
#include "fragprog/lang/glsl_fixed_vertex.h"
#include "fragprog/lang/glsl.h"

static const char channels[] = "xyzw";

/* ---- templates ---- */

static void print_uniform(struct fragprog_glsl_fixed *g, unsigned id)
{
    const struct fragprog_pair_row *row = &fragprog_pair_rows[id];
    const char *name = g->built_in ? row->built_in : row->name;
    const uint8_t at[] = {0, g->light, g->unit, g->plane};
    const bool loop = row->index == FRAGPROG_PAIR_LIGHT && g->loop;
    g->used[id] |= loop ? g->loop : (uint8_t)(1u << at[row->index]);
    const char index = loop ? 'i' : (char)('0' + at[row->index]);
    if (!g->built_in)
        fragprog_glsl_add(g, g->options->prefix);
    for (const char *dollar; row->index && (dollar = strchr(name, '$')); name = dollar + 1) {
        texenv_text_add(g->text, name, (size_t)(dollar - name));
        texenv_text_add(g->text, &index, 1);
    }
    fragprog_glsl_add(g, name);
}

static void print_attribute(struct fragprog_glsl_fixed *g, unsigned attribute)
{
    g->attributes |= (uint16_t)(1u << attribute);
    fragprog_print_pair_attribute(g->text, attribute, g->options);
}

void fragprog_glsl_print_out(const struct fragprog_glsl_fixed *g, unsigned out)
{
    static const char *const names[FRAGPROG_PAIR_COORD][2] = {
        [FRAGPROG_PAIR_PRIMARY] = {"primary_color", "gl_FrontColor"},
        [FRAGPROG_PAIR_SECONDARY] = {"secondary_color", "gl_FrontSecondaryColor"},
        [FRAGPROG_PAIR_BACK] = {"back_color", "gl_BackColor"},
        [FRAGPROG_PAIR_BACK_SECONDARY] = {"back_secondary_color", "gl_BackSecondaryColor"},
        [FRAGPROG_PAIR_FOG] = {"fog_coord", "gl_FogFragCoord"}};
    const char *prefix = g->built_in ? "" : g->options->prefix;
    if (out < FRAGPROG_PAIR_COORD)
        texenv_printf(g->text, "%s%s", prefix, names[out][g->built_in]);
    else if (out >= FRAGPROG_PAIR_CLIP)
        texenv_printf(g->text, "%sclip_distance%u", prefix, out - FRAGPROG_PAIR_CLIP);
    else
        texenv_printf(g->text, g->built_in ? "%sgl_TexCoord[%u]" : "%stexcoord%u", prefix,
                      out - FRAGPROG_PAIR_COORD);
}

/* Prints the name of the unit vector to the current light. For directional lights it is a uniform. */
static void print_direction(struct fragprog_glsl_fixed *g)
{
    if (g->built_in || g->source->vertex.light[g->light].positional)
        fragprog_glsl_add(g, "direction");
    else
        print_uniform(g, FRAGPROG_PAIR_LIGHT_DIRECTION);
}

static void print_form(struct fragprog_glsl_fixed *g, const char *form, va_list args)
{
    for (;;) {
        const char *plain = form;
        unsigned out;
        while (*form && *form != '@' && (*form < '#' || *form > '&')) /* "#$%&" */
            form++;
        texenv_text_add(g->text, plain, (size_t)(form - plain));
        switch (*form++) {
        case '#': print_uniform(g, va_arg(args, unsigned)); break;
        case '@': print_attribute(g, va_arg(args, unsigned)); break;
        case '%': fragprog_glsl_add(g, va_arg(args, const char *)); break;
        case '&': print_direction(g); break;
        case '$':
            out = va_arg(args, unsigned);
            g->outs |= UINT32_C(1) << out;
            fragprog_glsl_print_out(g, out);
            break;
        default: return;
        }
    }
}

void fragprog_glsl_part(struct fragprog_glsl_fixed *g, const char *form, ...)
{
    va_list args;
    va_start(args, form);
    print_form(g, form, args);
    va_end(args);
}

void fragprog_glsl_indent(struct fragprog_glsl_fixed *g)
{
    texenv_text_add(g->text, "            ", 4u * (g->depth + 1u));
}

void fragprog_glsl_line(struct fragprog_glsl_fixed *g, const char *form, ...)
{
    va_list args;
    va_start(args, form);
    fragprog_glsl_indent(g);
    print_form(g, form, args);
    texenv_text_add(g->text, "\n", 1);
    va_end(args);
}

static bool needs_eye(const struct fragprog_glsl_fixed *g)
{
    return g->needs.planes || g->needs.view || g->needs.positional || g->needs.distance ||
        g->source->vertex.point_attenuation || (g->source->clip_planes && !g->built_in);
}

/* ---- eye coordinates and normals (2.11.1, 2.11.3) ---- */

static void print_position(struct fragprog_glsl_fixed *g)
{
    const bool eye = needs_eye(g);
    const char *name = g->built_in && g->source->clip_planes && !eye ? "gl_ClipVertex"
        : eye                                                        ? "vec4 eye_position"
                                                                     : NULL;
    if (name)
        fragprog_glsl_line(g, "% = # * @;", name, FRAGPROG_PAIR_MODELVIEW, FRAGPROG_ATTRIB_POSITION);
    if (g->built_in) /* ftransform() gives the same depths as fixed function */
        fragprog_glsl_line(g, "gl_Position = ftransform();");
    else if (name)
        fragprog_glsl_line(g, "gl_Position = # * eye_position;", FRAGPROG_PAIR_PROJECTION);
    else
        fragprog_glsl_line(g, "gl_Position = # * (# * @);", FRAGPROG_PAIR_PROJECTION, FRAGPROG_PAIR_MODELVIEW,
                           FRAGPROG_ATTRIB_POSITION);
    if (g->built_in && g->source->clip_planes && eye)
        fragprog_glsl_line(g, "gl_ClipVertex = eye_position;");
    if (g->version == 450) /* Vulkan 1.0, 24.2: the view volume is 0 <= z <= w */
        texenv_printf(g->text,
                      "#ifdef VULKAN\n    gl_Position.z = (gl_Position.z + gl_Position.w) * 0.5;\n#endif\n");
}

static void print_directions(struct fragprog_glsl_fixed *g)
{
    const unsigned normals = g->source->vertex.normals;
    const unsigned matrix = normals == TEXENV_NORMALS_RESCALED ? FRAGPROG_PAIR_NORMAL_MATRIX_RESCALED
                                                               : FRAGPROG_PAIR_NORMAL_MATRIX;
    if (g->needs.normal)
        fragprog_glsl_line(g,
                           normals == TEXENV_NORMALS_NORMALIZED ? "vec3 normal = normalize(# * @);"
                                                                : "vec3 normal = # * @;",
                           matrix, FRAGPROG_ATTRIB_NORMAL);
    if (g->needs.view)
        fragprog_glsl_line(g, "vec3 view = normalize(eye_position.xyz);");
    if (g->needs.reflection)
        fragprog_glsl_line(g, "vec3 reflection = reflect(view, normal);");
    if (g->needs.sphere) /* 2.11.4 */
        fragprog_glsl_line(g,
                           "vec2 sphere = 0.5 * reflection.xy / "
                           "length(reflection + vec3(0.0, 0.0, 1.0)) + 0.5;");
}

/* ---- texture coordinates (2.11.4, 2.11.2) ---- */

/* The coordinates of the current unit before its matrix. */
struct coordinates {
    const uint8_t *mode; /* enum texenv_texgen of each coordinate */
    unsigned made;       /* set of the coordinates that are needed */
    unsigned n;          /* number of components */
};

/* Returns the number of coordinates from c on that come from one vector. Coordinates that are not needed may
 * be among them. */
static unsigned run_of(const struct coordinates *k, unsigned c)
{
    const uint8_t mode = k->mode[c];
    const bool vector = k->made >> c & 1 && mode != TEXENV_TEXGEN_OBJECT && mode != TEXENV_TEXGEN_EYE;
    const unsigned most = mode == TEXENV_TEXGEN_SPHERE ? 2 : mode == TEXENV_TEXGEN_OFF ? 4 : 3;
    unsigned n = 1;
    while (vector && c + n < k->n && c + n < most && (k->mode[c + n] == mode || !(k->made >> (c + n) & 1)))
        n++;
    return n;
}

/* Prints n coordinates from c on, which come from one vector or one plane. */
static void print_run(struct fragprog_glsl_fixed *g, const struct coordinates *k, unsigned c, unsigned n)
{
    static const char *const vectors[] = {"sphere", "reflection", "normal"};
    static const uint8_t sizes[] = {2, 3, 3};
    const unsigned mode = k->mode[c], generated = mode - TEXENV_TEXGEN_SPHERE;
    unsigned size = 4;
    if (!(k->made >> c & 1)) {
        fragprog_glsl_part(g, "0.0");
        return;
    } else if (mode == TEXENV_TEXGEN_OBJECT) {
        fragprog_glsl_part(g, "dot(@, #)", FRAGPROG_ATTRIB_POSITION, FRAGPROG_PAIR_OBJECT_PLANE_S + c);
        return;
    } else if (mode == TEXENV_TEXGEN_EYE) {
        fragprog_glsl_part(g, "dot(eye_position, #)", FRAGPROG_PAIR_EYE_PLANE_S + c);
        return;
    } else if (mode == TEXENV_TEXGEN_OFF) {
        fragprog_glsl_part(g, "@", FRAGPROG_ATTRIB_TEXCOORD + g->unit);
    } else {
        fragprog_glsl_part(g, "%", vectors[generated]);
        size = sizes[generated];
    }
    if (n < size)
        texenv_printf(g->text, ".%.*s", (int)n, channels + c);
}

/* Prints k->n coordinates as a vector. */
static void print_generated(struct fragprog_glsl_fixed *g, const struct coordinates *k)
{
    if (run_of(k, 0) == k->n) {
        print_run(g, k, 0, k->n);
        return;
    }
    fragprog_glsl_part(g, "%(", fragprog_glsl_type(k->n));
    for (unsigned c = 0, n; c < k->n; c += n) {
        n = run_of(k, c);
        fragprog_glsl_part(g, c ? ", " : "");
        print_run(g, k, c, n);
    }
    fragprog_glsl_part(g, ")");
}

static void print_coordinates(struct fragprog_glsl_fixed *g, unsigned unit)
{
    const bool matrix = g->source->vertex.texture_matrix[unit];
    const unsigned size = g->coord_size[unit];
    const struct coordinates k = {g->source->vertex.texgen[unit], g->needs.made[unit], matrix ? 4 : size};
    if (!size)
        return;
    g->unit = (uint8_t)unit;
    fragprog_glsl_indent(g);
    fragprog_glsl_part(g, "$", FRAGPROG_PAIR_COORD + unit);
    if (g->built_in && size < 4)
        fragprog_glsl_part(g, ".%", size == 1 ? "x" : size == 2 ? "xy" : "xyz");
    fragprog_glsl_part(g, " = ");
    if (matrix)
        fragprog_glsl_part(g, size < 4 ? "(# * " : "# * ", FRAGPROG_PAIR_TEXTURE_MATRIX);
    print_generated(g, &k);
    if (matrix && size < 4)
        fragprog_glsl_part(g, ").%", size == 1 ? "x" : size == 2 ? "xy" : "xyz");
    fragprog_glsl_part(g, ";\n");
}

/* ---- fog (3.10), points (3.3), clip planes (2.12) ---- */

static void print_fog(struct fragprog_glsl_fixed *g)
{
    if (g->needs.distance)
        fragprog_glsl_line(
            g, g->source->radial_fog ? "$ = length(eye_position.xyz);" : "$ = abs(eye_position.z);",
            FRAGPROG_PAIR_FOG);
    else if (g->reads.fog)
        fragprog_glsl_line(g, "$ = @;", FRAGPROG_PAIR_FOG, FRAGPROG_ATTRIB_FOGCOORD);
}

static void print_point(struct fragprog_glsl_fixed *g)
{
    if (!g->source->vertex.point_attenuation) {
        if (g->source->points)
            fragprog_glsl_line(g, "gl_PointSize = #;", FRAGPROG_PAIR_POINT_SIZE_LIMITED);
        return;
    }
    fragprog_glsl_line(g, "float depth = abs(eye_position.z);");
    fragprog_glsl_line(g, "float size = # * inversesqrt(dot(#, vec3(1.0, depth, depth * depth)));",
                       FRAGPROG_PAIR_POINT_SIZE, FRAGPROG_PAIR_POINT_ATTENUATION);
    fragprog_glsl_line(g, "gl_PointSize = clamp(size, #, #);", FRAGPROG_PAIR_POINT_MIN,
                       FRAGPROG_PAIR_POINT_MAX);
}

/* Prints the clip distances. In OpenGL a distance has the index of its plane, because glEnable has one
 * enumerant for both (CLIP_DISTANCE0 is CLIP_PLANE0). In Vulkan all declared distances are active, so they
 * are numbered consecutively. */
static void print_clip(struct fragprog_glsl_fixed *g)
{
    unsigned dense = 0;
    for (unsigned n = 0; n < TEXENV_CLIP_PLANES && !g->built_in; n++) {
        if (!(g->source->clip_planes >> n & 1))
            continue;
        g->plane = (uint8_t)n;
        fragprog_glsl_indent(g);
        if (g->es)
            fragprog_glsl_part(g, "$", FRAGPROG_PAIR_CLIP + n);
        else
            texenv_printf(g->text, "gl_ClipDistance[%u]", g->version == 450 ? dense++ : n);
        fragprog_glsl_part(g, " = dot(eye_position, #);\n", FRAGPROG_PAIR_CLIP_PLANE);
    }
}

void fragprog_glsl_fixed_main(struct fragprog_glsl_fixed *g)
{
    texenv_printf(g->text, "\nvoid main()\n{\n");
    print_position(g);
    print_directions(g);
    fragprog_glsl_lighting(g);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        print_coordinates(g, u);
    print_fog(g);
    print_point(g);
    print_clip(g);
    texenv_printf(g->text, "}\n");
}
