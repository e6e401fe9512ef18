/* GL-side state of the vertex half: setters with the errors that GL defines, and the canonical state that a
 * draw uses. Section numbers are of the OpenGL 2.1 specification. */
#include "texenv/gl.h"
#include "texenv/vertex.h"

#include <float.h>
#include <string.h>

void texenv_vertex_init(struct texenv_vertex_gl *v)
{
    memset(v, 0, sizeof *v);
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        v->light[n].attenuation[0] = 1;
    v->tracks = TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE;
    v->sides = 3;
    memset(v->texgen, TEXENV_TEXGEN_EYE, sizeof v->texgen);
    v->w_row[0][3] = 1;
}

/* ---- numbers ---- */

static bool is_nan(float x) { return x != x; }

static uint8_t truth(float x) { return is_nan(x) ? TEXENV_VERTEX_UNKNOWN : x != 0; }

/* ---- Enable ---- */

static uint8_t *flag_of(struct texenv_vertex_gl *v, uint32_t cap)
{
    if (cap >= GL_LIGHT0 && cap < GL_LIGHT0 + TEXENV_LIGHTS)
        return &v->light[cap - GL_LIGHT0].enabled;
    switch (cap) {
    case GL_COLOR_MATERIAL: return &v->color_material;
    case GL_NORMALIZE: return &v->normalize;
    case GL_POINT_SPRITE: return &v->point_sprite;
    case GL_RESCALE_NORMAL: return &v->rescale;
    default: return NULL;
    }
}

static unsigned replaces(uint32_t cap)
{
    switch (cap) {
    case GL_VERTEX_PROGRAM_ARB: return TEXENV_VERTEX_BY_PROGRAM;
    case GL_VERTEX_SHADER_EXT: return TEXENV_VERTEX_BY_SHADER;
    case GL_VERTEX_BLEND_ARB:
    case GL_VERTEX_WEIGHTING_EXT: return TEXENV_VERTEX_BY_BLENDING;
    case GL_TEXTURE_GEN_STR_OES: return TEXENV_VERTEX_BY_ES;
    default: return 0;
    }
}

uint32_t texenv_vertex_enable(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t cap, bool on)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    uint8_t *flag = flag_of(v, cap);
    if (flag) {
        *flag = on;
    } else if (cap >= GL_TEXTURE_GEN_S && cap <= GL_TEXTURE_GEN_Q) {
        if (te->active >= TEXENV_UNITS)
            return TEXENV_INVALID_OPERATION;
        uint8_t *generated = &v->generated[te->active];
        *generated = texenv_with_bit(*generated, 1u << (cap - GL_TEXTURE_GEN_S), on);
    } else if (cap >= GL_CLIP_PLANE0 && cap < GL_CLIP_PLANE0 + TEXENV_CLIP_PLANES) {
        v->clip_planes = texenv_with_bit(v->clip_planes, 1u << (cap - GL_CLIP_PLANE0), on);
    } else {
        v->replaced = texenv_with_bit(v->replaced, replaces(cap), on);
    }
    return TEXENV_OK;
}

/* ---- TexGen ---- */

static uint32_t texgen_mode(uint8_t *mode, unsigned c, float param)
{
    if (is_nan(param)) {
        *mode = TEXENV_VERTEX_UNKNOWN;
        return TEXENV_OK;
    }
    static const struct {
        uint32_t value;
        uint8_t mode, coordinates;
    } modes[] = {{GL_OBJECT_LINEAR, TEXENV_TEXGEN_OBJECT, 4},
                 {GL_EYE_LINEAR, TEXENV_TEXGEN_EYE, 4},
                 {GL_SPHERE_MAP, TEXENV_TEXGEN_SPHERE, 2},
                 {GL_REFLECTION_MAP, TEXENV_TEXGEN_REFLECTION, 3},
                 {GL_NORMAL_MAP, TEXENV_TEXGEN_NORMAL, 3}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].value == texenv_enum_of(param) && c < modes[i].coordinates) {
            *mode = modes[i].mode;
            return TEXENV_OK;
        }
    return TEXENV_INVALID_ENUM;
}

static uint32_t tex_gen(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord, uint32_t pname,
                        const float *params, bool vector)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (coord < GL_S || coord > GL_Q)
        return TEXENV_INVALID_ENUM;
    const bool plane = vector && (pname == GL_OBJECT_PLANE || pname == GL_EYE_PLANE);
    if (pname != GL_TEXTURE_GEN_MODE && !plane)
        return TEXENV_INVALID_ENUM;
    if (te->active >= TEXENV_UNITS)
        return TEXENV_INVALID_OPERATION;
    return plane ? TEXENV_OK : texgen_mode(&v->texgen[te->active][coord - GL_S], coord - GL_S, params[0]);
}

uint32_t texenv_tex_gen_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord, uint32_t pname,
                          float param)
{
    return tex_gen(v, te, coord, pname, &param, false);
}

uint32_t texenv_tex_gen_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t coord,
                           uint32_t pname, const float *params)
{
    return tex_gen(v, te, coord, pname, params, true);
}

/* ---- lights ---- */

/* Returns whether w of the position is not 0 in eye coordinates. Unknown factors (NaN) that are multiplied by
 * 0 do not matter. */
static uint8_t is_positional(const struct texenv_vertex_gl *v, const float *position)
{
    float w = 0;
    for (unsigned c = 0; c < 4; c++)
        if (v->w_row[v->modelview][c] != 0 && position[c] != 0)
            w += v->w_row[v->modelview][c] * position[c];
    return truth(w);
}

uint32_t texenv_light_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light, uint32_t pname,
                        float param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (light < GL_LIGHT0 || light >= GL_LIGHT0 + TEXENV_LIGHTS)
        return TEXENV_INVALID_ENUM;
    switch (pname) {
    case GL_SPOT_EXPONENT: return param < 0 || param > 128 ? TEXENV_INVALID_VALUE : TEXENV_OK;
    case GL_SPOT_CUTOFF:
        if (param < 0 || (param > 90 && param != 180))
            return TEXENV_INVALID_VALUE;
        v->light[light - GL_LIGHT0].spot = is_nan(param) ? TEXENV_VERTEX_UNKNOWN : param != 180;
        return TEXENV_OK;
    case GL_CONSTANT_ATTENUATION:
    case GL_LINEAR_ATTENUATION:
    case GL_QUADRATIC_ATTENUATION:
        if (param < 0)
            return TEXENV_INVALID_VALUE;
        v->light[light - GL_LIGHT0].attenuation[pname - GL_CONSTANT_ATTENUATION] = param;
        return TEXENV_OK;
    default: return TEXENV_INVALID_ENUM;
    }
}

uint32_t texenv_light_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t light, uint32_t pname,
                         const float *params)
{
    const bool vector = pname >= GL_AMBIENT && pname <= GL_SPOT_DIRECTION;
    if (!vector || te->inside_begin || light < GL_LIGHT0 || light >= GL_LIGHT0 + TEXENV_LIGHTS)
        return texenv_light_f(v, te, light, pname, params[0]);
    if (pname == GL_POSITION)
        v->light[light - GL_LIGHT0].positional = is_positional(v, params);
    return TEXENV_OK;
}

uint32_t texenv_vertex_light_model_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t pname,
                                     float param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    switch (pname) {
    case GL_LIGHT_MODEL_LOCAL_VIEWER: v->local_viewer = truth(param); return TEXENV_OK;
    case GL_LIGHT_MODEL_TWO_SIDE: v->two_side = truth(param); return TEXENV_OK;
    case GL_LIGHT_MODEL_COLOR_CONTROL: return TEXENV_OK;
    default: return TEXENV_INVALID_ENUM;
    }
}

uint32_t texenv_vertex_light_model_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t pname,
                                      const float *params)
{
    if (pname == GL_LIGHT_MODEL_AMBIENT)
        return te->inside_begin ? TEXENV_INVALID_OPERATION : TEXENV_OK;
    return texenv_vertex_light_model_f(v, te, pname, params[0]);
}

/* ---- materials ---- */

uint32_t texenv_color_material(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t face,
                               uint32_t mode)
{
    uint8_t tracks;
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    switch (mode) {
    case GL_EMISSION: tracks = TEXENV_TRACKS_EMISSION; break;
    case GL_AMBIENT: tracks = TEXENV_TRACKS_AMBIENT; break;
    case GL_DIFFUSE: tracks = TEXENV_TRACKS_DIFFUSE; break;
    case GL_SPECULAR: tracks = TEXENV_TRACKS_SPECULAR; break;
    case GL_AMBIENT_AND_DIFFUSE: tracks = TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE; break;
    default: return TEXENV_INVALID_ENUM;
    }
    if (!texenv_sides_of(face))
        return TEXENV_INVALID_ENUM;
    v->tracks = tracks;
    v->sides = texenv_sides_of(face);
    return TEXENV_OK;
}

uint32_t texenv_material_f(uint32_t face, uint32_t pname, float param)
{
    if (!texenv_sides_of(face) || pname != GL_SHININESS)
        return TEXENV_INVALID_ENUM;
    return param < 0 || param > 128 ? TEXENV_INVALID_VALUE : TEXENV_OK;
}

uint32_t texenv_material_fv(uint32_t face, uint32_t pname, const float *params)
{
    switch (pname) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
    case GL_COLOR_INDEXES: return texenv_sides_of(face) ? TEXENV_OK : TEXENV_INVALID_ENUM;
    default: return texenv_material_f(face, pname, params[0]);
    }
}

/* ---- points ---- */

uint32_t texenv_point_parameter_f(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t pname,
                                  float param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    switch (pname) {
    case GL_POINT_SIZE_MIN:
    case GL_POINT_SIZE_MAX:
    case GL_POINT_FADE_THRESHOLD_SIZE: return param < 0 ? TEXENV_INVALID_VALUE : TEXENV_OK;
    case GL_POINT_SPRITE_COORD_ORIGIN:
        if (!is_nan(param) && texenv_enum_of(param) != GL_LOWER_LEFT &&
            texenv_enum_of(param) != GL_UPPER_LEFT)
            return TEXENV_INVALID_ENUM;
        v->lower_left = is_nan(param) ? TEXENV_VERTEX_UNKNOWN : texenv_enum_of(param) == GL_LOWER_LEFT;
        return TEXENV_OK;
    default: return TEXENV_INVALID_ENUM;
    }
}

uint32_t texenv_point_parameter_fv(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t pname,
                                   const float *params)
{
    if (pname != GL_POINT_DISTANCE_ATTENUATION || te->inside_begin)
        return texenv_point_parameter_f(v, te, pname, params[0]);
    v->point_attenuation = !(params[0] == 1 && params[1] == 0 && params[2] == 0);
    return TEXENV_OK;
}

uint32_t texenv_coord_replace(struct texenv_vertex_gl *v, const struct texenv *te, bool on)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (te->active < TEXENV_UNITS)
        v->coord_replace = texenv_with_bit(v->coord_replace, 1u << te->active, on);
    return TEXENV_OK;
}

/* ---- shade model, fog distance ---- */

uint32_t texenv_shade_model(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (mode != GL_FLAT && mode != GL_SMOOTH)
        return TEXENV_INVALID_ENUM;
    v->flat = mode == GL_FLAT;
    return TEXENV_OK;
}

uint32_t texenv_fog_distance(struct texenv_vertex_gl *v, const struct texenv *te, float param)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (is_nan(param))
        v->fog_distance = TEXENV_VERTEX_UNKNOWN;
    else if (texenv_enum_of(param) == GL_EYE_RADIAL_NV)
        v->fog_distance = TEXENV_FOG_RADIAL;
    else if (texenv_enum_of(param) == GL_EYE_PLANE_ABSOLUTE_NV)
        v->fog_distance = TEXENV_FOG_PLANE_ABSOLUTE;
    else if (texenv_enum_of(param) == GL_EYE_PLANE)
        v->fog_distance = TEXENV_FOG_PLANE;
    else
        return TEXENV_INVALID_ENUM;
    return TEXENV_OK;
}

/* ---- matrices ---- */

uint32_t texenv_matrix_mode(struct texenv_vertex_gl *v, const struct texenv *te, uint32_t mode)
{
    if (te->inside_begin)
        return TEXENV_INVALID_OPERATION;
    if (mode == GL_MODELVIEW)
        v->matrix_mode = TEXENV_MODELVIEW;
    else if (mode == GL_PROJECTION)
        v->matrix_mode = TEXENV_PROJECTION;
    else if (mode == GL_TEXTURE)
        v->matrix_mode = TEXENV_MATRIX_TEXTURE;
    else if (mode == GL_COLOR || (mode >= GL_MATRIX0_ARB && mode <= GL_MATRIX31_ARB))
        v->matrix_mode = TEXENV_MATRIX_OTHER;
    else
        return TEXENV_INVALID_ENUM;
    return TEXENV_OK;
}

static uint32_t check_matrix(const struct texenv_vertex_gl *v, const struct texenv *te)
{
    const bool no_matrix = v->matrix_mode == TEXENV_MATRIX_TEXTURE && te->active >= TEXENV_UNITS;
    return te->inside_begin || no_matrix ? TEXENV_INVALID_OPERATION : TEXENV_OK;
}

static bool is_identity(const float *m)
{
    bool same = true;
    for (unsigned i = 0; i < 16; i++)
        same &= m[i] == (i % 5 == 0);
    return same;
}

static void texture_matrix(struct texenv_vertex_gl *v, unsigned unit, bool identity)
{
    const unsigned bit = 1u << v->texture[unit];
    v->not_identity[unit] = (uint16_t)(identity ? v->not_identity[unit] & ~bit : v->not_identity[unit] | bit);
}

uint32_t texenv_load_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m)
{
    const uint32_t error = check_matrix(v, te);
    if (error != TEXENV_OK)
        return error;
    if (v->matrix_mode == TEXENV_MATRIX_TEXTURE)
        texture_matrix(v, te->active, is_identity(m));
    else if (v->matrix_mode == TEXENV_MODELVIEW)
        for (unsigned c = 0; c < 4; c++)
            v->w_row[v->modelview][c] = m[4 * c + 3];
    return TEXENV_OK;
}

uint32_t texenv_mult_matrix(struct texenv_vertex_gl *v, const struct texenv *te, const float *m)
{
    const uint32_t error = check_matrix(v, te);
    if (error != TEXENV_OK || is_identity(m))
        return error;
    if (v->matrix_mode == TEXENV_MATRIX_TEXTURE)
        texture_matrix(v, te->active, false);
    if (v->matrix_mode != TEXENV_MODELVIEW)
        return TEXENV_OK;
    /* multiplies the row by m; unknown elements (NaN) that are multiplied by 0 do not matter */
    float *row = v->w_row[v->modelview], product[4] = {0, 0, 0, 0};
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < 4; i++)
            if (row[i] != 0 && m[4 * c + i] != 0)
                product[c] += row[i] * m[4 * c + i];
    memcpy(row, product, sizeof product);
    return TEXENV_OK;
}

/* Returns the depth of the current matrix mode's stack; *most: the number of matrices it can have below its
 * top. NULL if this stack is not tracked. */
static uint8_t *stack_of(struct texenv_vertex_gl *v, const struct texenv *te, unsigned *most)
{
    switch (v->matrix_mode) {
    case TEXENV_MODELVIEW: *most = TEXENV_MODELVIEW_DEPTH - 1; return &v->modelview;
    case TEXENV_PROJECTION: *most = TEXENV_PROJECTION_DEPTH - 1; return &v->projection;
    case TEXENV_MATRIX_TEXTURE: *most = TEXENV_TEXTURE_DEPTH - 1; return &v->texture[te->active];
    default: return NULL;
    }
}

uint32_t texenv_push_matrix(struct texenv_vertex_gl *v, const struct texenv *te)
{
    unsigned most;
    const uint32_t error = check_matrix(v, te);
    uint8_t *stack = error == TEXENV_OK ? stack_of(v, te, &most) : NULL;
    if (!stack)
        return error;
    if (*stack == most)
        return TEXENV_STACK_OVERFLOW;
    if (v->matrix_mode == TEXENV_MODELVIEW)
        memcpy(v->w_row[*stack + 1], v->w_row[*stack], sizeof v->w_row[0]);
    const bool identity = !(v->not_identity[te->active % TEXENV_UNITS] >> *stack & 1);
    ++*stack;
    if (v->matrix_mode == TEXENV_MATRIX_TEXTURE)
        texture_matrix(v, te->active, identity);
    return TEXENV_OK;
}

uint32_t texenv_pop_matrix(struct texenv_vertex_gl *v, const struct texenv *te)
{
    unsigned most;
    const uint32_t error = check_matrix(v, te);
    uint8_t *stack = error == TEXENV_OK ? stack_of(v, te, &most) : NULL;
    if (!stack)
        return error;
    if (*stack == 0)
        return TEXENV_STACK_UNDERFLOW;
    --*stack;
    return TEXENV_OK;
}

/* ---- attribute groups ---- */

void texenv_vertex_pop_attrib(struct texenv_vertex_gl *v, const struct texenv_vertex_gl *pushed,
                              uint32_t mask)
{
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        const uint8_t enabled = v->light[n].enabled;
        if (mask & GL_LIGHTING_BIT)
            v->light[n] = pushed->light[n];
        v->light[n].enabled = mask & (GL_LIGHTING_BIT | GL_ENABLE_BIT) ? pushed->light[n].enabled : enabled;
    }
    if (mask & (GL_LIGHTING_BIT | GL_ENABLE_BIT))
        v->color_material = pushed->color_material;
    if (mask & GL_LIGHTING_BIT) {
        v->two_side = pushed->two_side;
        v->local_viewer = pushed->local_viewer;
        v->tracks = pushed->tracks;
        v->sides = pushed->sides;
        v->flat = pushed->flat;
    }
    if (mask & (GL_POINT_BIT | GL_ENABLE_BIT))
        v->point_sprite = pushed->point_sprite;
    if (mask & GL_FOG_BIT)
        v->fog_distance = pushed->fog_distance;
    if (mask & (GL_TRANSFORM_BIT | GL_ENABLE_BIT)) {
        v->normalize = pushed->normalize;
        v->rescale = pushed->rescale;
        v->clip_planes = pushed->clip_planes;
    }
    if (mask & GL_TRANSFORM_BIT)
        v->matrix_mode = pushed->matrix_mode;
    if (mask & GL_ENABLE_BIT)
        v->replaced = pushed->replaced;
    if (mask & (GL_TEXTURE_BIT | GL_ENABLE_BIT))
        memcpy(v->generated, pushed->generated, sizeof v->generated);
    if (mask & GL_TEXTURE_BIT)
        memcpy(v->texgen, pushed->texgen, sizeof v->texgen);
    if (mask & GL_POINT_BIT) {
        v->point_attenuation = pushed->point_attenuation;
        v->coord_replace = pushed->coord_replace;
        v->lower_left = pushed->lower_left;
    }
}

/* ---- a draw ---- */

void texenv_raster_of(struct texenv_raster *out, const struct texenv_vertex_gl *v, const struct texenv *te,
                      bool points)
{
    const uint8_t sprites = points && v->point_sprite ? v->coord_replace : 0;
    /* a point has a single colour, so FLAT makes no difference */
    *out = (struct texenv_raster){.flat = v->flat && !points,
                                  .clip_planes = v->clip_planes,
                                  .points = points,
                                  .sprites = sprites,
                                  .lower_left = sprites ? v->lower_left : 0,
                                  .radial_fog = te->fog && !te->fog_coord &&
                                      v->fog_distance == TEXENV_FOG_RADIAL};
}

static const char *refusal(const struct texenv_vertex_gl *v, const struct texenv *te)
{
    if (v->replaced & TEXENV_VERTEX_BY_BLENDING)
        return "vertex blending is enabled, which is no part of OpenGL 2.1";
    if (v->replaced & TEXENV_VERTEX_BY_ES)
        return "GL_TEXTURE_GEN_STR_OES is enabled, which is no part of OpenGL 2.1";
    if (v->replaced)
        return "a vertex program is in force: there is no fixed function before texturing";
    if (v->clip_planes)
        return "user clip planes are enabled, which vertex programs have not";
    if (te->fog && !te->fog_coord && v->fog_distance)
        return "fog is of another distance than the eye's z, which vertex programs have not";
    return NULL;
}

/* Returns a sentence that names a mode of the canonical state that is not known, or NULL if all are known. */
static const char *unknown(const struct texenv_vertex *s)
{
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        if (s->light[n].positional == TEXENV_VERTEX_UNKNOWN)
            return "whether a light is directional is not known here (w of its position)";
        if (s->light[n].spot == TEXENV_VERTEX_UNKNOWN)
            return "the cutoff of a light is not known here";
    }
    if (s->two_side == TEXENV_VERTEX_UNKNOWN || s->local_viewer == TEXENV_VERTEX_UNKNOWN)
        return "a parameter of the light model is not known here";
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        for (unsigned c = 0; c < 4; c++)
            if (s->texgen[u][c] == TEXENV_VERTEX_UNKNOWN)
                return "a mode of texture coordinate generation is not known here";
    return NULL;
}

static void put_lighting(struct texenv_vertex *out, const struct texenv_vertex_gl *v, const struct texenv *te)
{
    if (!te->lighting)
        return;
    out->lighting = 1;
    out->two_side = v->two_side;
    out->separate_specular = te->separate_specular;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        const float *k = v->light[n].attenuation;
        if (!v->light[n].enabled)
            continue;
        out->local_viewer = v->local_viewer;
        out->light[n] = (struct texenv_light){1, v->light[n].positional, v->light[n].spot,
                                              !(k[0] == 1 && k[1] == 0 && k[2] == 0)};
    }
    for (unsigned side = 0; v->color_material && side < 2; side++)
        out->tracks[side] = v->sides >> side & 1 ? v->tracks : 0;
}

/* ---- w of eye coordinates ---- */

/* The effect of the modelview matrix' fourth row on w of eye coordinates. With the row (0, 0, 0, f), w is the
 * vertex's own w times f, and the classes ONE, POSITIVE and NEGATIVE tell f; any other row is PROJECTIVE. */
enum eye_w { EYE_W_ONE, EYE_W_POSITIVE, EYE_W_NEGATIVE, EYE_W_PROJECTIVE, EYE_W_UNKNOWN };

static enum eye_w eye_w_of(const float *row)
{
    bool known = true;
    for (unsigned c = 0; c < 4; c++) {
        known &= !is_nan(row[c]);
        if (c < 3 && row[c] != 0 && !is_nan(row[c]))
            return EYE_W_PROJECTIVE;
    }
    return !known                          ? EYE_W_UNKNOWN
        : row[3] == 1                      ? EYE_W_ONE
        : row[3] > 0 && row[3] <= FLT_MAX  ? EYE_W_POSITIVE
        : row[3] < 0 && row[3] >= -FLT_MAX ? EYE_W_NEGATIVE
                                           : EYE_W_PROJECTIVE;
}

/* Which properties of eye coordinates a state reads. Products with planes and the z of fog (3.10) are not
 * listed, because programs compute them correctly for any w. */
struct eye_reads {
    /* the normal: the upper 3x3 of the matrix alone determines it only if the matrix is affine (2.11.3) */
    bool normal;
    bool direction; /* the direction from the eye, which a negative w reverses (2.11.4, 2.14.1) */
    bool place;     /* the position, x, y, z divided by w (2.14.1, 3.3) */
};

static struct eye_reads eye_reads_of(const struct texenv_vertex *s)
{
    struct eye_reads reads = {.place = s->point_attenuation};
    for (unsigned n = 0; s->lighting && n < TEXENV_LIGHTS; n++) {
        if (!s->light[n].enabled)
            continue;
        reads.normal = true;
        reads.direction |= s->local_viewer != 0;
        reads.place |= s->light[n].positional != 0;
    }
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned mode = s->texgen[u][c];
            const bool reflects = mode == TEXENV_TEXGEN_SPHERE || mode == TEXENV_TEXGEN_REFLECTION;
            reads.direction |= reflects;
            reads.normal |= reflects || mode == TEXENV_TEXGEN_NORMAL;
        }
    return reads;
}

const char *texenv_vertex_refuses(const struct texenv_vertex *vertex, const float *w_row)
{
    const struct eye_reads reads = eye_reads_of(vertex);
    const enum eye_w w = eye_w_of(w_row);
    if (w == EYE_W_ONE || (!reads.normal && !reads.direction && !reads.place))
        return NULL;
    if (w == EYE_W_UNKNOWN)
        return "the fourth row of the modelview matrix is not known here, which lighting, normals and sizes "
               "of points depend on";
    if (w == EYE_W_PROJECTIVE && reads.normal)
        return "the modelview matrix is projective (its fourth row is not 0, 0, 0, w), and normals are read";
    if (reads.place)
        return "w of eye coordinates is not 1 (the fourth row of the modelview matrix), and places of "
               "vertices are read, by a positional light or sizes of points";
    if (w == EYE_W_NEGATIVE && reads.direction)
        return "w of eye coordinates is negative (the fourth row of the modelview matrix), and directions "
               "from the eye are read";
    return NULL;
}

bool texenv_vertex_of(struct texenv_vertex *out, const struct texenv_vertex_gl *v, const struct texenv *te,
                      const char **why)
{
    memset(out, 0, sizeof *out);
    *why = refusal(v, te);
    if (*why)
        return false;
    put_lighting(out, v, te);
    out->normals = v->normalize ? TEXENV_NORMALS_NORMALIZED
        : v->rescale            ? TEXENV_NORMALS_RESCALED
                                : TEXENV_NORMALS_PLAIN;
    out->fog_coord = te->fog && te->fog_coord;
    out->point_attenuation = v->point_attenuation;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        out->texture_matrix[u] = v->not_identity[u] >> v->texture[u] & 1;
        for (unsigned c = 0; c < 4; c++)
            out->texgen[u][c] = v->generated[u] >> c & 1 ? v->texgen[u][c] : TEXENV_TEXGEN_OFF;
    }
    *why = unknown(out);
    if (!*why) {
        texenv_vertex_canonicalise(out);
        *why = texenv_vertex_refuses(out, v->w_row[v->modelview]);
    }
    if (*why)
        memset(out, 0, sizeof *out);
    return !*why;
}
