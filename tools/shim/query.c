/* Finds out what a draw computes by queries to GL. The shim tracks only what GL has no query for. */
#include "shim.h"

#include "tools/record/environments.h"

#include <string.h>

static GLint get(GLenum pname)
{
    GLint value = 0;
    CALL(glGetIntegerv, pname, &value);
    return value;
}

static bool has(const char *extension)
{
    const char *all = (const char *)CALL(glGetString, GL_EXTENSIONS);
    size_t n = strlen(extension);
    for (const char *p = all; p && (p = strstr(p, extension)); p += n)
        if ((p == all || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return true;
    return false;
}

/* Returns GL's version times ten; 0 for OpenGL ES, or if no context is current. */
static int gl_version(const char *text)
{
    const bool is_gl = text && text[0] >= '1' && text[0] <= '9' && text[1] == '.' && text[2] >= '0' &&
        text[2] <= '9';
    return is_gl ? (text[0] - '0') * 10 + text[2] - '0' : 0;
}

/* Uses the query that is valid in each version. Profiles exist since GL 3.2. Before that, a context without
 * fixed function is forward-compatible (3.0) or lacks ARB_compatibility (3.1). */
static bool has_fixed_function(int version)
{
    if (version >= 32)
        return get(GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_COMPATIBILITY_PROFILE_BIT;
    if (version >= 30 && get(GL_CONTEXT_FLAGS) & GL_CONTEXT_FLAG_FORWARD_COMPATIBLE_BIT)
        return false;
    if (version != 31)
        return version > 0;
    for (GLint i = get(GL_NUM_EXTENSIONS) - 1; i >= 0; i--) {
        const char *extension = (const char *)CALL(glGetStringi, GL_EXTENSIONS, (GLuint)i);
        if (extension && strcmp(extension, "GL_ARB_compatibility") == 0)
            return true;
    }
    return false;
}

/* What the GL of the current context supports. */
struct features {
    unsigned context; /* number of the context */
    /* identifies the context, too, as its creation may not have been seen */
    const char *version;
    bool fixed; /* the context has fixed function; if not, the other queries are invalid */
    bool arbvp, points, fog_distance;
    bool arbfp, atifs, glsl, cube, rect, three, depth, fog_coord, color_sum, pipelines, combine, combine4;
    bool sprites;
    bool swizzle, samplers, storage, views, stencil, clamp; /* which queries newer than GL 2.1 exist */
    /* bit n: other_stages[n] is supported */
    unsigned stages;
    int units;
};

/* Capabilities of extensions that replace texture environments while they are enabled. */
static const struct {
    const char *extension;
    GLenum enables;
} other_stages[] = {{"GL_NV_register_combiners", GL_REGISTER_COMBINERS_NV},
                    {"GL_NV_texture_shader", GL_TEXTURE_SHADER_NV},
                    {"GL_NV_fragment_program", 0x8870 /* GL_FRAGMENT_PROGRAM_NV */},
                    {"GL_ATI_text_fragment_shader", GL_TEXT_FRAGMENT_SHADER_ATI},
                    {"GL_SGIX_fragment_lighting", 0x8400 /* GL_FRAGMENT_LIGHTING_SGIX */}};
enum { STAGES = sizeof other_stages / sizeof *other_stages };

static void find_features(struct features *f, int version)
{
    f->fixed = has_fixed_function(version);
    f->units = 1;
    if (!f->fixed)
        return;
    f->arbfp = has("GL_ARB_fragment_program");
    f->atifs = has("GL_ATI_fragment_shader");
    f->glsl = version >= 20;
    f->three = version >= 12;
    f->cube = version >= 13 || has("GL_ARB_texture_cube_map");
    f->rect = has("GL_ARB_texture_rectangle") || has("GL_NV_texture_rectangle") ||
        has("GL_EXT_texture_rectangle");
    f->depth = version >= 14 || has("GL_ARB_depth_texture");
    f->fog_coord = version >= 14 || has("GL_EXT_fog_coord");
    f->color_sum = version >= 14 || has("GL_EXT_secondary_color");
    f->combine = version >= 13 || has("GL_ARB_texture_env_combine") || has("GL_EXT_texture_env_combine");
    f->combine4 = has("GL_NV_texture_env_combine4");
    f->arbvp = has("GL_ARB_vertex_program");
    f->points = version >= 14 || has("GL_ARB_point_parameters") || has("GL_EXT_point_parameters");
    f->fog_distance = has("GL_NV_fog_distance");
    f->pipelines = has("GL_ARB_separate_shader_objects");
    f->sprites = version >= 20 || has("GL_ARB_point_sprite");
    f->swizzle = version >= 33 || has("GL_ARB_texture_swizzle") || has("GL_EXT_texture_swizzle");
    f->samplers = version >= 33 || has("GL_ARB_sampler_objects");
    f->storage = version >= 42 || has("GL_ARB_texture_storage");
    f->views = version >= 43 || has("GL_ARB_texture_view");
    f->stencil = version >= 43 || has("GL_ARB_stencil_texturing");
    f->clamp = has("GL_ARB_color_buffer_float");
    for (unsigned i = 0; i < STAGES; i++)
        f->stages |= (unsigned)has(other_stages[i].extension) << i;
    if (version >= 13 || has("GL_ARB_multitexture"))
        f->units = get(GL_MAX_TEXTURE_UNITS);
    if (f->units > TEXENV_UNITS)
        f->units = TEXENV_UNITS;
}

static const struct features *features(void)
{
    static struct features f;
    if (draw_in_begin) /* queries are invalid between Begin and End, and the context cannot change there */
        return &f;
    const unsigned context = context_now()->number;
    const char *version = (const char *)CALL(glGetString, GL_VERSION);
    if (f.context == context && f.version == version && f.units)
        return &f;
    f = (struct features){.context = context, .version = version};
    find_features(&f, gl_version(version));
    return &f;
}

bool query_fixed_function(void) { return features()->fixed; }

/* ---- textures ---- */

struct image {
    GLint width, height, depth, format;
};

static struct image image_of(GLenum target, GLint level)
{
    struct image i = {0, 0, 0, 0};
    CALL(glGetTexLevelParameteriv, target, level, GL_TEXTURE_WIDTH, &i.width);
    CALL(glGetTexLevelParameteriv, target, level, GL_TEXTURE_HEIGHT, &i.height);
    CALL(glGetTexLevelParameteriv, target, level, GL_TEXTURE_DEPTH, &i.depth);
    CALL(glGetTexLevelParameteriv, target, level, GL_TEXTURE_INTERNAL_FORMAT, &i.format);
    return i;
}

static GLint half_of(GLint size) { return size > 1 ? size / 2 : size; }

/* Tells whether the images from level `base` on are complete as the minifying filter requires (GL 2.1, 3.8.10
 * "Texture completeness"). */
static bool levels_complete(GLenum target, GLint base, GLint max, bool mipmaps)
{
    struct image at = image_of(target, base);
    if (at.width <= 0)
        return false;
    for (GLint level = base; mipmaps && level < max && (at.width > 1 || at.height > 1 || at.depth > 1);
         level++) {
        struct image next = image_of(target, level + 1);
        if (next.width != half_of(at.width) || next.height != half_of(at.height) ||
            next.depth != half_of(at.depth) || next.format != at.format)
            return false;
        at = next;
    }
    return true;
}

static GLint parameter(GLenum target, GLenum pname, GLint otherwise)
{
    CALL(glGetTexParameteriv, target, pname, &otherwise);
    return otherwise;
}

/* Returns the name of a setting that changes what a texture lookup gives and that texture environments have
 * no description of; NULL if there is none. */
static const char *no_environment(GLenum target, const struct features *f)
{
    GLint channel[4] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
    if (f->swizzle)
        CALL(glGetTexParameteriv, target, GL_TEXTURE_SWIZZLE_RGBA, channel);
    if (channel[0] != GL_RED || channel[1] != GL_GREEN || channel[2] != GL_BLUE || channel[3] != GL_ALPHA)
        return "a texture with GL_TEXTURE_SWIZZLE";
    if (f->stencil &&
        parameter(target, GL_DEPTH_STENCIL_TEXTURE_MODE, GL_DEPTH_COMPONENT) != GL_DEPTH_COMPONENT)
        return "a texture with GL_DEPTH_STENCIL_TEXTURE_MODE";
    return NULL;
}

/* Finds the levels of the texture that its filter may read. An immutable texture has only the levels it was
 * created with (GL 4.6, 8.17 "Texture completeness"). */
static void query_levels(GLenum target, const struct features *f, GLint *base, GLint *max)
{
    *base = parameter(target, GL_TEXTURE_BASE_LEVEL, 0);
    *max = parameter(target, GL_TEXTURE_MAX_LEVEL, 1000);
    if (!f->storage || !parameter(target, GL_TEXTURE_IMMUTABLE_FORMAT, 0))
        return;
    const GLenum first = target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
    GLint levels = f->views ? parameter(target, GL_TEXTURE_IMMUTABLE_LEVELS, 1) : 1;
    while (!f->views && levels < *max && image_of(first, levels).width > 0)
        levels++;
    *base = *base > levels - 1 ? levels - 1 : *base;
    *max = *max < *base ? *base : *max > levels - 1 ? levels - 1 : *max;
}

/* Reads a sampling parameter: that of the active unit's sampler object if there is one, otherwise the
 * texture's own. */
static GLint sampling(GLenum target, GLuint sampler, GLenum pname, GLint otherwise)
{
    if (!sampler)
        return parameter(target, pname, otherwise);
    CALL(glGetSamplerParameteriv, sampler, pname, &otherwise);
    return otherwise;
}

/* Fills in the texture of the active unit's target, without an image if the texture is incomplete. Returns
 * NULL, or why a texture environment cannot describe it. */
static const char *query_texture(struct texenv_texture *texture, GLenum target, const struct features *f)
{
    GLint base = 0, max = 1000, mode = GL_LUMINANCE, compare = GL_NONE;
    const GLuint sampler = f->samplers ? (GLuint)get(GL_SAMPLER_BINDING) : 0;
    const GLint filter = sampling(target, sampler, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    memset(texture, 0, sizeof *texture);
    if (f->three && target != GL_TEXTURE_RECTANGLE)
        query_levels(target, f, &base, &max);
    bool mipmaps = filter != GL_NEAREST && filter != GL_LINEAR && target != GL_TEXTURE_RECTANGLE;
    GLenum first = target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target;
    struct image image = image_of(first, base);
    for (GLenum face = 0; face < (target == GL_TEXTURE_CUBE_MAP ? 6u : 1u); face++) {
        struct image other = image_of(first + face, base);
        if (!levels_complete(first + face, base, max, mipmaps) || other.width != image.width ||
            other.format != image.format || (target == GL_TEXTURE_CUBE_MAP && other.height != other.width))
            return NULL;
    }
    if (f->depth) {
        mode = parameter(target, GL_DEPTH_TEXTURE_MODE, mode);
        compare = sampling(target, sampler, GL_TEXTURE_COMPARE_MODE, compare);
    }
    if (texenv_texture_image(texture, 0, (uint32_t)image.format) != TEXENV_OK ||
        texenv_texture_parameter_i(texture, GL_DEPTH_TEXTURE_MODE, mode) != TEXENV_OK ||
        texenv_texture_parameter_i(texture, GL_TEXTURE_COMPARE_MODE, compare) != TEXENV_OK)
        return "a texture of an internal format that is not known";
    return no_environment(target, f);
}

/* ---- units ---- */

static const char *query_environment(struct texenv *te, const struct features *f)
{
    static const GLenum pnames[] = {GL_TEXTURE_ENV_MODE, GL_COMBINE_RGB, GL_COMBINE_ALPHA, GL_RGB_SCALE,
                                    GL_ALPHA_SCALE};
    static const GLenum first[] = {GL_SOURCE0_RGB, GL_SOURCE0_ALPHA, GL_OPERAND0_RGB, GL_OPERAND0_ALPHA};
    GLint value = 0;
    GLfloat color[4] = {0, 0, 0, 0};
    uint32_t error = TEXENV_OK;
    for (size_t i = 0; i < (f->combine ? sizeof pnames / sizeof *pnames : 1); i++) {
        CALL(glGetTexEnviv, GL_TEXTURE_ENV, pnames[i], &value);
        error |= texenv_tex_env_i(te, GL_TEXTURE_ENV, pnames[i], value);
    }
    for (size_t i = 0; i < 4 && f->combine; i++)
        for (GLenum arg = 0; arg < (f->combine4 ? 4u : 3u); arg++) {
            CALL(glGetTexEnviv, GL_TEXTURE_ENV, first[i] + arg, &value);
            error |= texenv_tex_env_i(te, GL_TEXTURE_ENV, first[i] + arg, value);
        }
    CALL(glGetTexEnvfv, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
    (void)texenv_tex_env_fv(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
    return error == TEXENV_OK ? NULL : "a texture environment that is not known";
}

static const char *query_unit(struct texenv *te, unsigned unit, const struct features *f)
{
    const struct {
        GLenum target;
        bool there;
    } targets[] = {{GL_TEXTURE_1D, true},
                   {GL_TEXTURE_2D, true},
                   {GL_TEXTURE_RECTANGLE, f->rect},
                   {GL_TEXTURE_3D, f->three},
                   {GL_TEXTURE_CUBE_MAP, f->cube}};
    bool any = false;
    (void)texenv_active_texture(te, GL_TEXTURE0 + unit);
    if (f->units > 1)
        CALL(glActiveTexture, GL_TEXTURE0 + unit);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        struct texenv_texture texture;
        if (!targets[i].there || !CALL(glIsEnabled, targets[i].target))
            continue;
        const char *why = query_texture(&texture, targets[i].target, f);
        if (why)
            return why;
        (void)texenv_enable(te, targets[i].target, true);
        (void)texenv_bind_texture(te, targets[i].target, &texture);
        any = true;
    }
    return any ? query_environment(te, f) : NULL;
}

/* ---- the whole fragment half ---- */

const char *query_own_program(bool atifs)
{
    const struct features *f = features();
    if (f->glsl && get(GL_CURRENT_PROGRAM))
        return "the program draws by a shader of its own";
    if (f->pipelines && get(GL_PROGRAM_PIPELINE_BINDING))
        return "the program draws by a pipeline of its own";
    if (f->arbfp && CALL(glIsEnabled, GL_FRAGMENT_PROGRAM_ARB))
        return "the program draws by an ARB program of its own";
    if (atifs && f->atifs && CALL(glIsEnabled, GL_FRAGMENT_SHADER_ATI))
        return "the program draws by an ATI fragment shader of its own";
    return NULL;
}

/* Returns a newer feature or extension in use that changes all results of texture environments; NULL if none
 * is. */
static const char *other_arithmetic(const struct features *f)
{
    static const GLenum clamps[] = {GL_CLAMP_VERTEX_COLOR_ARB, GL_CLAMP_FRAGMENT_COLOR_ARB};
    for (unsigned i = 0; i < STAGES; i++)
        if (f->stages >> i & 1 && CALL(glIsEnabled, other_stages[i].enables))
            return other_stages[i].extension;
    for (size_t i = 0; i < 2 && f->clamp; i++) {
        const GLint clamp = get(clamps[i]);
        if (clamp == GL_FALSE || (clamp == GL_FIXED_ONLY_ARB && get(GL_RGBA_FLOAT_MODE_ARB)))
            return "colours that are not limited to [0,1] (glClampColor, or a framebuffer of floats)";
    }
    return NULL;
}

const char *query_state(struct texenv_state *state)
{
    const struct features *f = features();
    struct texenv te;
    const char *own = query_own_program(true);
    if (own)
        return own;
    if (get(GL_RENDER_MODE) != GL_RENDER)
        return "selection or feedback";
    texenv_init(&te);
    const char *why = other_arithmetic(f);
    GLint active = f->units > 1 ? get(GL_ACTIVE_TEXTURE) : GL_TEXTURE0;
    for (int unit = 0; unit < f->units && !why; unit++)
        why = query_unit(&te, (unsigned)unit, f);
    if (f->units > 1)
        CALL(glActiveTexture, (GLenum)active);
    if (why)
        return why;
    (void)texenv_active_texture(&te, GL_TEXTURE0);
    (void)texenv_enable(&te, GL_LIGHTING, CALL(glIsEnabled, GL_LIGHTING));
    if (f->color_sum)
        (void)texenv_enable(&te, GL_COLOR_SUM, CALL(glIsEnabled, GL_COLOR_SUM));
    if (f->three)
        (void)texenv_light_model_i(&te, GL_LIGHT_MODEL_COLOR_CONTROL, get(GL_LIGHT_MODEL_COLOR_CONTROL));
    (void)texenv_enable(&te, GL_FOG, CALL(glIsEnabled, GL_FOG));
    (void)texenv_fog_i(&te, GL_FOG_MODE, get(GL_FOG_MODE));
    if (f->fog_coord)
        (void)texenv_fog_i(&te, GL_FOG_COORDINATE_SOURCE, get(GL_FOG_COORDINATE_SOURCE));
    GLfloat reference = 0;
    CALL(glGetFloatv, GL_ALPHA_TEST_REF, &reference);
    (void)texenv_enable(&te, GL_ALPHA_TEST, CALL(glIsEnabled, GL_ALPHA_TEST));
    (void)texenv_alpha_func(&te, (uint32_t)get(GL_ALPHA_TEST_FUNC), reference);
    return texenv_canonicalise(state, &te, NULL, false, NULL, NULL) ? NULL : "refused by a policy";
}

/* ---- the vertex half ---- */

static void query_light(struct texenv_light *light, unsigned n)
{
    const GLenum name = GL_LIGHT0 + n;
    GLfloat position[4] = {0, 0, 1, 0}, attenuation[3] = {1, 0, 0}, cutoff = 180;
    light->enabled = CALL(glIsEnabled, name);
    if (!light->enabled)
        return;
    CALL(glGetLightfv, name, GL_POSITION, position);
    CALL(glGetLightfv, name, GL_SPOT_CUTOFF, &cutoff);
    for (GLenum i = 0; i < 3; i++)
        CALL(glGetLightfv, name, GL_CONSTANT_ATTENUATION + i, &attenuation[i]);
    light->positional = position[3] != 0;
    light->spot = cutoff != 180;
    light->attenuated = attenuation[0] != 1 || attenuation[1] != 0 || attenuation[2] != 0;
}

static void query_color_material(struct texenv_vertex *v)
{
    const GLint face = get(GL_COLOR_MATERIAL_FACE);
    uint8_t tracks = 0;
    switch (get(GL_COLOR_MATERIAL_PARAMETER)) {
    case GL_AMBIENT: tracks = TEXENV_TRACKS_AMBIENT; break;
    case GL_DIFFUSE: tracks = TEXENV_TRACKS_DIFFUSE; break;
    case GL_SPECULAR: tracks = TEXENV_TRACKS_SPECULAR; break;
    case GL_EMISSION: tracks = TEXENV_TRACKS_EMISSION; break;
    default: tracks = TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE; break;
    }
    v->tracks[0] = face == GL_BACK ? 0 : tracks;
    v->tracks[1] = face == GL_FRONT ? 0 : tracks;
}

static void query_lighting(struct texenv_vertex *v, const struct features *f)
{
    v->lighting = CALL(glIsEnabled, GL_LIGHTING);
    if (v->lighting)
        for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
            query_light(&v->light[n], n);
    v->two_side = get(GL_LIGHT_MODEL_TWO_SIDE) != 0;
    v->local_viewer = get(GL_LIGHT_MODEL_LOCAL_VIEWER) != 0;
    v->separate_specular = f->three && get(GL_LIGHT_MODEL_COLOR_CONTROL) == GL_SEPARATE_SPECULAR_COLOR;
    v->normals = CALL(glIsEnabled, GL_NORMALIZE)           ? TEXENV_NORMALS_NORMALIZED
        : f->three && CALL(glIsEnabled, GL_RESCALE_NORMAL) ? TEXENV_NORMALS_RESCALED
                                                           : TEXENV_NORMALS_PLAIN;
    if (CALL(glIsEnabled, GL_COLOR_MATERIAL))
        query_color_material(v);
}

/* Reads the texture coordinate state of the active unit. */
static void query_coordinates(struct texenv_vertex *v, unsigned unit)
{
    static const GLfloat identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    GLfloat matrix[16];
    for (GLenum c = 0; c < 4; c++) {
        GLint mode = 0;
        if (!CALL(glIsEnabled, GL_TEXTURE_GEN_S + c))
            continue;
        CALL(glGetTexGeniv, GL_S + c, GL_TEXTURE_GEN_MODE, &mode);
        v->texgen[unit][c] = mode == GL_OBJECT_LINEAR ? TEXENV_TEXGEN_OBJECT
            : mode == GL_SPHERE_MAP                   ? TEXENV_TEXGEN_SPHERE
            : mode == GL_REFLECTION_MAP               ? TEXENV_TEXGEN_REFLECTION
            : mode == GL_NORMAL_MAP                   ? TEXENV_TEXGEN_NORMAL
                                                      : TEXENV_TEXGEN_EYE;
    }
    CALL(glGetFloatv, GL_TEXTURE_MATRIX, matrix);
    /* -0 counts as different from 0 */
    v->texture_matrix[unit] = memcmp(matrix, identity, sizeof matrix) != 0;
}

/* Returns why this draw has no vertex half of fixed function, or one that no vertex program can replace; NULL
 * if neither is so. */
static const char *no_vertex_half(const struct features *f, const struct texenv_state *state)
{
    if (!f->arbvp && !settings()->record)
        return "the GL has no ARB_vertex_program";
    if (f->arbvp && CALL(glIsEnabled, GL_VERTEX_PROGRAM_ARB))
        return "the program has a vertex program of its own";
    for (GLint n = settings()->record ? -1 : get(GL_MAX_CLIP_PLANES) - 1; n >= 0; n--)
        if (CALL(glIsEnabled, GL_CLIP_PLANE0 + (GLenum)n))
            return "user clip planes";
    const GLint distance = state->fog && !state->fog_coord && f->fog_distance ? get(GL_FOG_DISTANCE_MODE_NV)
                                                                              : GL_EYE_PLANE_ABSOLUTE_NV;
    if (distance != GL_EYE_PLANE_ABSOLUTE_NV && !(distance == GL_EYE_RADIAL_NV && settings()->record))
        return "fog of another distance than the eye's z";
    return NULL;
}

const char *query_vertex(struct texenv_vertex *v, const struct texenv_state *state)
{
    const struct features *f = features();
    const char *why = no_vertex_half(f, state);
    memset(v, 0, sizeof *v);
    if (why)
        return why;
    query_lighting(v, f);
    v->fog_coord = state->fog_coord;
    if (f->points) {
        GLfloat attenuation[3] = {1, 0, 0};
        CALL(glGetFloatv, GL_POINT_DISTANCE_ATTENUATION, attenuation);
        v->point_attenuation = attenuation[0] != 1 || attenuation[1] != 0 || attenuation[2] != 0;
    }
    const GLint active = f->units > 1 ? get(GL_ACTIVE_TEXTURE) : GL_TEXTURE0;
    for (int unit = 0; unit < f->units; unit++) {
        if (f->units > 1)
            CALL(glActiveTexture, GL_TEXTURE0 + (GLenum)unit);
        query_coordinates(v, (unsigned)unit);
    }
    if (f->units > 1)
        CALL(glActiveTexture, (GLenum)active);
    struct texenv_vertex_reads reads;
    texenv_vertex_reads_of(&reads, state);
    texenv_vertex_restrict(v, &reads);
    GLfloat m[16];
    CALL(glGetFloatv, GL_MODELVIEW_MATRIX, m);
    return texenv_vertex_refuses(v, (const float[]){m[3], m[7], m[11], m[15]});
}

/* ---- additional values for recordings ---- */

static void query_light_values(struct texenv_light_values *light, GLenum name)
{
    CALL(glGetLightfv, name, GL_AMBIENT, light->ambient);
    CALL(glGetLightfv, name, GL_DIFFUSE, light->diffuse);
    CALL(glGetLightfv, name, GL_SPECULAR, light->specular);
    CALL(glGetLightfv, name, GL_POSITION, light->position);
    CALL(glGetLightfv, name, GL_SPOT_DIRECTION, light->spot_direction);
    CALL(glGetLightfv, name, GL_SPOT_EXPONENT, &light->spot_exponent);
    CALL(glGetLightfv, name, GL_SPOT_CUTOFF, &light->spot_cutoff);
    for (GLenum i = 0; i < 3; i++)
        CALL(glGetLightfv, name, GL_CONSTANT_ATTENUATION + i, &light->attenuation[i]);
}

static void query_material_values(struct texenv_material_values *material, GLenum face)
{
    CALL(glGetMaterialfv, face, GL_AMBIENT, material->ambient);
    CALL(glGetMaterialfv, face, GL_DIFFUSE, material->diffuse);
    CALL(glGetMaterialfv, face, GL_SPECULAR, material->specular);
    CALL(glGetMaterialfv, face, GL_EMISSION, material->emission);
    CALL(glGetMaterialfv, face, GL_SHININESS, &material->shininess);
}

/* Reads the values of the active unit. */
static void query_unit_values(struct texenv_values *values, int unit)
{
    CALL(glGetFloatv, GL_TEXTURE_MATRIX, values->texture_matrix[unit]);
    for (GLenum c = 0; c < 4; c++) {
        CALL(glGetTexGenfv, GL_S + c, GL_OBJECT_PLANE, values->object_plane[unit][c]);
        CALL(glGetTexGenfv, GL_S + c, GL_EYE_PLANE, values->eye_plane[unit][c]);
    }
}

bool query_values(struct texenv_values *values)
{
    const struct features *f = features();
    const GLint active = f->units > 1 ? get(GL_ACTIVE_TEXTURE) : GL_TEXTURE0;
    texenv_values_init(values);
    CALL(glGetFloatv, GL_MODELVIEW_MATRIX, values->modelview);
    CALL(glGetFloatv, GL_PROJECTION_MATRIX, values->projection);
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        query_light_values(&values->light[n], GL_LIGHT0 + n);
    query_material_values(&values->material[0], GL_FRONT);
    query_material_values(&values->material[1], GL_BACK);
    CALL(glGetFloatv, GL_LIGHT_MODEL_AMBIENT, values->light_model_ambient);
    CALL(glGetFloatv, GL_FOG_COLOR, values->fog.color);
    CALL(glGetFloatv, GL_FOG_DENSITY, &values->fog.density);
    CALL(glGetFloatv, GL_FOG_START, &values->fog.start);
    CALL(glGetFloatv, GL_FOG_END, &values->fog.end);
    CALL(glGetFloatv, GL_POINT_SIZE, &values->point.size);
    if (f->points) {
        CALL(glGetFloatv, GL_POINT_SIZE_MIN, &values->point.min);
        CALL(glGetFloatv, GL_POINT_SIZE_MAX, &values->point.max);
        CALL(glGetFloatv, GL_POINT_DISTANCE_ATTENUATION, values->point.attenuation);
    }
    for (GLuint n = 0; n < TEXENV_CLIP_PLANES && n < (GLuint)get(GL_MAX_CLIP_PLANES); n++) {
        GLdouble plane[4] = {0};
        CALL(glGetClipPlane, GL_CLIP_PLANE0 + n, plane);
        for (unsigned c = 0; c < 4; c++)
            values->clip_plane[n][c] = (float)plane[c];
    }
    for (int unit = 0; unit < f->units; unit++) {
        if (f->units > 1)
            CALL(glActiveTexture, GL_TEXTURE0 + (GLenum)unit);
        query_unit_values(values, unit);
    }
    if (f->units > 1)
        CALL(glActiveTexture, (GLenum)active);
    return true;
}

static void query_texture_info(struct texenv_texture_info *info, GLenum target, GLenum binding,
                               const struct features *f)
{
    static const GLenum pnames[TEXENV_TEXTURE_PARAMETERS] = {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER,
                                                             GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T,
                                                             GL_TEXTURE_WRAP_R};
    const GLuint sampler = f->samplers ? (GLuint)get(GL_SAMPLER_BINDING) : 0;
    const bool deep = target == GL_TEXTURE_3D || target == GL_TEXTURE_CUBE_MAP;
    const unsigned used = target == GL_TEXTURE_1D ? 3 : deep ? 5 : 4;
    GLint base = 0, max;
    if (f->three && target != GL_TEXTURE_RECTANGLE)
        query_levels(target, f, &base, &max);
    const struct image image = image_of(
        target == GL_TEXTURE_CUBE_MAP ? GL_TEXTURE_CUBE_MAP_POSITIVE_X : target, base);
    info->name = (uint32_t)get(binding);
    info->internal_format = (uint32_t)image.format;
    info->size[0] = (uint32_t)image.width;
    info->size[1] = target == GL_TEXTURE_1D ? 0 : (uint32_t)image.height;
    info->size[2] = target == GL_TEXTURE_3D ? (uint32_t)image.depth : 0;
    for (unsigned i = 0; i < used; i++)
        info->parameter[i] = (uint32_t)sampling(target, sampler, pnames[i], 0);
}

void query_textures(struct texenv_texture_info *textures, const struct texenv_state *state)
{
    static const GLenum targets[TEXENV_TARGETS][2] = {{GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D},
                                                      {GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                                                      {GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE},
                                                      {GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D},
                                                      {GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP}};
    const struct features *f = features();
    const GLint active = f->units > 1 ? get(GL_ACTIVE_TEXTURE) : GL_TEXTURE0;
    for (unsigned u = 0; u < state->nstages; u++) {
        const GLenum *target = targets[state->stage[u].target];
        if (state->stage[u].mode == TEXENV_OFF)
            continue;
        if (f->units > 1)
            CALL(glActiveTexture, GL_TEXTURE0 + u);
        query_texture_info(&textures[u], target[0], target[1], f);
    }
    if (f->units > 1)
        CALL(glActiveTexture, (GLenum)active);
}

void query_raster(struct texenv_raster *r, const struct texenv_state *state)
{
    const struct features *f = features();
    memset(r, 0, sizeof *r);
    r->flat = get(GL_SHADE_MODEL) == GL_FLAT;
    r->points = draw_mode == DRAW_UNKNOWN ? 0xff : draw_mode == GL_POINTS;
    r->radial_fog = state->fog && !state->fog_coord && f->fog_distance &&
        get(GL_FOG_DISTANCE_MODE_NV) == GL_EYE_RADIAL_NV;
    for (GLuint n = 0; n < TEXENV_CLIP_PLANES && n < (GLuint)get(GL_MAX_CLIP_PLANES); n++)
        r->clip_planes |= (uint8_t)((CALL(glIsEnabled, GL_CLIP_PLANE0 + n) != 0) << n);
    if (!f->sprites || !CALL(glIsEnabled, GL_POINT_SPRITE))
        return;
    const GLint active = get(GL_ACTIVE_TEXTURE);
    for (int unit = 0; unit < f->units; unit++) {
        GLint replaced = 0;
        CALL(glActiveTexture, GL_TEXTURE0 + (GLenum)unit);
        CALL(glGetTexEnviv, GL_POINT_SPRITE, GL_COORD_REPLACE, &replaced);
        r->sprites |= (uint8_t)((replaced != 0) << unit);
    }
    CALL(glActiveTexture, (GLenum)active);
    r->lower_left = r->sprites && get(GL_POINT_SPRITE_COORD_ORIGIN) == GL_LOWER_LEFT;
}
