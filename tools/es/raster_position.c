/* RasterPos and WindowPos. RasterPos transforms and lights one vertex, in C. */
#include "raster_position.h"

#include <math.h>
#include <string.h>

struct es_raster_position es_raster_position = {
    .position = {0, 0, 0, 1}, .color = {1, 1, 1, 1}, .secondary = {0, 0, 0, 1}, .valid = GL_TRUE};

static GLfloat dot3(const GLfloat *a, const GLfloat *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void transform(GLfloat out[4], const GLfloat *m, const GLfloat v[4])
{
    for (int i = 0; i < 4; i++)
        out[i] = m[i] * v[0] + m[i + 4] * v[1] + m[i + 8] * v[2] + m[i + 12] * v[3];
}

/* ---- lighting (2.14.1) ---- */

/* Computes the direction to a light, with length 1, and returns the light's attenuation and spotlight factor.
 */
static GLfloat to_light(const struct texenv_light_values *l, const GLfloat eye[4], GLfloat direction[3])
{
    GLfloat factor = 1, spot[3], away[3];
    for (int i = 0; i < 3; i++)
        direction[i] = l->position[3] != 0 ? l->position[i] / l->position[3] - eye[i] : l->position[i];
    if (l->position[3] != 0) {
        const GLfloat d = sqrtf(dot3(direction, direction));
        factor = 1 / (l->attenuation[0] + l->attenuation[1] * d + l->attenuation[2] * d * d);
    }
    texenv_unit_vector(direction);
    if (l->spot_cutoff == 180)
        return factor;
    memcpy(spot, l->spot_direction, sizeof spot);
    texenv_unit_vector(spot);
    for (int i = 0; i < 3; i++)
        away[i] = -direction[i];
    const GLfloat cosine = dot3(spot, away);
    return cosine < texenv_cosine(l->spot_cutoff) ? 0 : factor * powf(cosine, l->spot_exponent);
}

static GLfloat specular_of(const GLfloat eye[4], const GLfloat direction[3], const GLfloat normal[3],
                           GLfloat shininess)
{
    GLfloat half[3], viewer[3] = {0, 0, 1};
    if (es.values.vertex.local_viewer) {
        for (int i = 0; i < 3; i++)
            viewer[i] = -eye[i];
        texenv_unit_vector(viewer);
    }
    for (int i = 0; i < 3; i++)
        half[i] = direction[i] + viewer[i];
    texenv_unit_vector(half);
    const GLfloat cosine = dot3(normal, half);
    return shininess == 0 ? 1 : cosine > 0 ? powf(cosine, shininess) : 0;
}

/* Computes the front colours of a lit vertex in eye coordinates. */
static void light_vertex(const GLfloat eye[4], const GLfloat normal[3], GLfloat primary[4],
                         GLfloat secondary[4])
{
    const struct texenv_values *v = &es.values.values;
    const struct texenv_material_values *m = &v->material[0];
    GLfloat *shine = es.te.separate_specular ? secondary : primary;
    for (int c = 0; c < 4; c++) {
        secondary[c] = c == 3;
        primary[c] = m->emission[c] + m->ambient[c] * v->light_model_ambient[c];
    }
    for (unsigned i = 0; i < TEXENV_LIGHTS; i++) {
        const struct texenv_light_values *l = &v->light[i];
        GLfloat direction[3];
        if (!es.values.vertex.light[i].enabled)
            continue;
        const GLfloat factor = to_light(l, eye, direction), diffuse = dot3(normal, direction);
        const GLfloat specular = diffuse > 0 ? specular_of(eye, direction, normal, m->shininess) : 0;
        for (int c = 0; c < 3; c++) {
            primary[c] += factor *
                (l->ambient[c] * m->ambient[c] + fmaxf(diffuse, 0) * l->diffuse[c] * m->diffuse[c]);
            shine[c] += factor * specular * l->specular[c] * m->specular[c];
        }
    }
    for (int c = 0; c < 3; c++)
        primary[c] = es_clamp(primary[c]), secondary[c] = es_clamp(secondary[c]);
    primary[3] = es_clamp(m->diffuse[3]);
}

/* ---- the position ---- */

static void set_colors(const GLfloat eye[4])
{
    struct es_raster_position *r = &es_raster_position;
    if (es.te.lighting) {
        GLfloat normal[3], m[9];
        const GLfloat *n = es.current[FRAGPROG_ATTRIB_NORMAL];
        texenv_normal_matrix(m, es.values.values.modelview,
                             es.values.vertex.rescale && !es.values.vertex.normalize);
        for (int i = 0; i < 3; i++)
            normal[i] = m[i] * n[0] + m[i + 3] * n[1] + m[i + 6] * n[2];
        if (es.values.vertex.normalize)
            texenv_unit_vector(normal);
        light_vertex(eye, normal, r->color, r->secondary);
        return;
    }
    for (int c = 0; c < 4; c++) {
        r->color[c] = es_clamp(es.current[FRAGPROG_ATTRIB_COLOR][c]);
        r->secondary[c] = c < 3 ? es_clamp(es.current[FRAGPROG_ATTRIB_SECONDARY][c]) : 1;
    }
}

static void set_distance(GLfloat distance)
{
    es_raster_position.distance = es.te.fog_coord ? es.current[FRAGPROG_ATTRIB_FOGCOORD][0] : distance;
}

/* Tells whether a position is inside the view volume and the clip planes (2.11). */
static bool is_inside(const GLfloat clip[4], const GLfloat eye[4])
{
    for (int i = 0; i < 3; i++)
        if (!(clip[i] >= -clip[3] && clip[i] <= clip[3]))
            return false;
    for (unsigned p = 0; p < TEXENV_CLIP_PLANES; p++) {
        const GLfloat *plane = es.values.values.clip_plane[p];
        if (es.values.vertex.clip_planes >> p & 1 && !(dot3(plane, eye) + plane[3] * eye[3] >= 0))
            return false;
    }
    return true;
}

ES_COMMAND(raster_pos)
{
    const GLfloat object[4] = {a[0].f, a[1].f, a[2].f, a[3].f};
    struct es_raster_position *r = &es_raster_position;
    const struct es_raster *raster = &es.raster;
    GLfloat eye[4], clip[4];
    (void)data;
    transform(eye, es.values.values.modelview, object);
    transform(clip, es.values.values.projection, eye);
    r->valid = is_inside(clip, eye);
    if (!r->valid)
        return;
    const GLfloat w = clip[3] != 0 ? clip[3] : 1;
    for (int i = 0; i < 2; i++)
        r->position[i] = (clip[i] / w + 1) * 0.5f * (GLfloat)raster->viewport[i + 2] +
            (GLfloat)raster->viewport[i];
    const GLfloat z = (clip[2] / w + 1) * 0.5f;
    r->position[2] = raster->depth_range[0] + z * (raster->depth_range[1] - raster->depth_range[0]);
    r->position[3] = clip[3];
    set_colors(eye);
    set_distance(fabsf(eye[2]));
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
        transform(r->texcoord[unit], es.values.values.texture_matrix[unit],
                  es.current[FRAGPROG_ATTRIB_TEXCOORD + unit]);
}

ES_COMMAND(window_pos)
{
    struct es_raster_position *r = &es_raster_position;
    const GLfloat *range = es.raster.depth_range;
    const bool lighting = es.te.lighting;
    (void)data;
    r->valid = GL_TRUE;
    r->position[0] = a[0].f, r->position[1] = a[1].f;
    r->position[2] = range[0] + es_clamp(a[2].f) * (range[1] - range[0]);
    r->position[3] = 1;
    es.te.lighting = false; /* WindowPos takes the current colours and coordinates unchanged (2.13) */
    set_colors(NULL);
    es.te.lighting = lighting;
    set_distance(0);
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
        memcpy(r->texcoord[unit], es.current[FRAGPROG_ATTRIB_TEXCOORD + unit], sizeof r->texcoord[unit]);
}

static void give_raster_pos(GLfloat x, GLfloat y, GLfloat z, GLfloat w)
{
    ES_CALL(raster_pos, {.f = x}, {.f = y}, {.f = z}, {.f = w});
}

static void give_window_pos(GLfloat x, GLfloat y, GLfloat z)
{
    ES_CALL(window_pos, {.f = x}, {.f = y}, {.f = z});
}

#define POSITIONS(suffix, type) \
    void glRasterPos2##suffix(type x, type y) { give_raster_pos((GLfloat)x, (GLfloat)y, 0, 1); } \
    void glRasterPos3##suffix(type x, type y, type z) \
    { \
        give_raster_pos((GLfloat)x, (GLfloat)y, (GLfloat)z, 1); \
    } \
    void glRasterPos4##suffix(type x, type y, type z, type w) \
    { \
        give_raster_pos((GLfloat)x, (GLfloat)y, (GLfloat)z, (GLfloat)w); \
    } \
    void glRasterPos2##suffix##v(const type *v) { glRasterPos2##suffix(v[0], v[1]); } \
    void glRasterPos3##suffix##v(const type *v) { glRasterPos3##suffix(v[0], v[1], v[2]); } \
    void glRasterPos4##suffix##v(const type *v) { glRasterPos4##suffix(v[0], v[1], v[2], v[3]); } \
    void glWindowPos2##suffix(type x, type y) { give_window_pos((GLfloat)x, (GLfloat)y, 0); } \
    void glWindowPos3##suffix(type x, type y, type z) \
    { \
        give_window_pos((GLfloat)x, (GLfloat)y, (GLfloat)z); \
    } \
    void glWindowPos2##suffix##v(const type *v) { glWindowPos2##suffix(v[0], v[1]); } \
    void glWindowPos3##suffix##v(const type *v) { glWindowPos3##suffix(v[0], v[1], v[2]); } \
    ES_ALIAS(glWindowPos2##suffix##ARB, glWindowPos2##suffix); \
    ES_ALIAS(glWindowPos3##suffix##ARB, glWindowPos3##suffix); \
    ES_ALIAS(glWindowPos2##suffix##vARB, glWindowPos2##suffix##v); \
    ES_ALIAS(glWindowPos3##suffix##vARB, glWindowPos3##suffix##v);
POSITIONS(s, GLshort)
POSITIONS(i, GLint)
POSITIONS(f, GLfloat)
POSITIONS(d, GLdouble)
#undef POSITIONS
