#include "vertex_values.h"

#include <math.h>
#include <string.h>

struct chance {
    uint64_t s;
};

static uint32_t bits(struct chance *r)
{
    uint64_t z = r->s += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (uint32_t)((z ^ z >> 31) >> 32);
}

static bool one_in(struct chance *r, unsigned n) { return bits(r) % n == 0; }
static double between(struct chance *r, double a, double b) { return a + (b - a) * bits(r) / 4294967296.0; }

static void fill(struct chance *r, float *v, unsigned n, double a, double b)
{
    for (unsigned i = 0; i < n; i++)
        v[i] = (float)between(r, a, b);
}

/* ---- vectors ---- */

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void normalize(double *v)
{
    const double length = sqrt(dot(v, v));
    for (unsigned c = 0; c < 3; c++)
        v[c] /= length;
}

static void direction(struct chance *r, double *v)
{
    do
        for (unsigned c = 0; c < 3; c++)
            v[c] = between(r, -1, 1);
    while (dot(v, v) < 0.05 || dot(v, v) > 1);
    normalize(v);
}

/* Computes the inverse of the upper left 3 by 3 part of m, by rows. */
static void invert(double inverse[3][3], const float m[16])
{
    double a[3][3], det = 0;
    for (unsigned row = 0; row < 3; row++)
        for (unsigned c = 0; c < 3; c++)
            a[row][c] = (double)m[c * 4 + row];
    for (unsigned row = 0; row < 3; row++)
        for (unsigned c = 0; c < 3; c++) {
            const unsigned r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            inverse[c][row] = a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1];
        }
    for (unsigned c = 0; c < 3; c++)
        det += a[0][c] * inverse[c][0];
    for (unsigned i = 0; i < 9; i++)
        (&inverse[0][0])[i] /= det;
}

/* ---- matrices ---- */

/* A rotation with a scale for each axis, and a translation. */
static void make_modelview(struct chance *r, float m[16])
{
    double axis[3][3], across;
    const bool even = one_in(r, 2), plain = one_in(r, 4);
    direction(r, axis[0]);
    do {
        direction(r, axis[1]);
        across = dot(axis[0], axis[1]);
    } while (fabs(across) > 0.8);
    for (unsigned c = 0; c < 3; c++)
        axis[1][c] -= across * axis[0][c];
    normalize(axis[1]);
    for (unsigned c = 0; c < 3; c++)
        axis[2][c] = axis[0][(c + 1) % 3] * axis[1][(c + 2) % 3] -
            axis[0][(c + 2) % 3] * axis[1][(c + 1) % 3];
    const double scale = plain ? 1 : between(r, 0.5, 2);
    for (unsigned column = 0; column < 3; column++) {
        const double s = even || plain ? scale : between(r, 0.5, 2);
        for (unsigned row = 0; row < 3; row++)
            m[column * 4 + row] = (float)(s * axis[column][row]);
        m[column * 4 + 3] = 0;
        m[12 + column] = (float)between(r, -2, 2);
    }
    m[15] = 1;
}

/* A perspective projection, off centre and sheared. */
static void make_projection(struct chance *r, float m[16])
{
    memset(m, 0, 16 * sizeof *m);
    m[0] = (float)between(r, 0.8, 1.5);
    m[5] = (float)between(r, 0.8, 1.5);
    m[4] = (float)between(r, -0.2, 0.2);
    m[8] = (float)between(r, -0.2, 0.2);
    m[9] = (float)between(r, -0.2, 0.2);
    m[10] = -1.5f; /* depth from 1 to 5: (5 + 1)/(1 - 5), and below 2*5*1/(1 - 5) */
    m[14] = -2.5f;
    m[11] = -1;
}

/* ---- vertices ---- */

/* Triangle t has its first two vertices in column t of rows 0 and 1 and its third vertex in row 2 of the
 * column beside it: the right one for even t, the left one for odd t, so that triangles alternate between
 * front and back. */
void vertex_pixel(unsigned i, unsigned *x, unsigned *y)
{
    const unsigned t = i / 3;
    *x = i % 3 == 2 ? t ^ 1 : t;
    *y = i % 3;
}

bool vertex_is_back(unsigned i) { return i / 3 % 2 == 0; }

/* Makes the eye coordinates of a vertex, which the projection maps to the middle of its pixel. */
static void make_eye(struct chance *r, struct vertex_values *v, unsigned i)
{
    unsigned x, y;
    const float *p = v->projection;
    vertex_pixel(i, &x, &y);
    const double z = -between(r, 1.3, 4.7), w = -z;
    const double cx = ((x + 0.5) / VERTEX_COLUMNS * 2 - 1) * w, cy = ((y + 0.5) / VERTEX_ROWS * 2 - 1) * w;
    const double ey = (cy - (double)p[9] * z) / (double)p[5];
    v->eye[i][0] = (float)((cx - (double)p[8] * z - (double)p[4] * ey) / (double)p[0]);
    v->eye[i][1] = (float)ey;
    v->eye[i][2] = (float)z;
    v->eye[i][3] = 1;
}

/* The unit vector from the vertex to the light. */
static void to_light(double out[3], const struct vertex_values *v, unsigned n, unsigned i)
{
    const float *p = v->light[n].position;
    for (unsigned c = 0; c < 3; c++)
        out[c] = p[3] != 0 ? (double)p[c] / (double)p[3] - (double)v->eye[i][c] : (double)p[c];
    normalize(out);
}

/* Makes a normal; some are perpendicular to the direction of a light. */
static void make_normal(struct chance *r, struct vertex_values *v, unsigned i)
{
    double n[3], l[3];
    direction(r, n);
    to_light(l, v, bits(r) % TEXENV_LIGHTS, i);
    if (one_in(r, 16)) {
        const double along = dot(n, l);
        for (unsigned c = 0; c < 3; c++)
            n[c] -= along * l[c];
        normalize(n);
    }
    /* GL transforms normals by M^-T. For N in eye coordinates, n is M^T N */
    const double length = one_in(r, 2) ? 1 : between(r, 0.6, 1.2);
    for (unsigned c = 0; c < 3; c++) {
        double sum = 0;
        for (unsigned row = 0; row < 3; row++)
            sum += (double)v->modelview[c * 4 + row] * n[row];
        v->normal[i][c] = (float)(sum * length);
    }
}

/* Makes the object coordinates: M^-1 times the eye coordinates. */
static void make_position(struct vertex_values *v, unsigned i)
{
    double inverse[3][3];
    invert(inverse, v->modelview);
    for (unsigned row = 0; row < 3; row++) {
        double sum = 0;
        for (unsigned c = 0; c < 3; c++)
            sum += inverse[row][c] * ((double)v->eye[i][c] - (double)v->modelview[12 + c]);
        v->position[i][row] = (float)sum;
    }
    v->position[i][3] = 1;
}

static void make_vertices(struct chance *r, struct vertex_values *v)
{
    for (unsigned i = 0; i < VERTICES; i++) {
        make_eye(r, v, i);
        make_normal(r, v, i);
        make_position(v, i);
        fill(r, v->color[i], 4, 0, 1);
        fill(r, v->secondary[i], 3, 0, 1);
        /* never negative: Mesa takes the absolute value, notes/facts/r300-vertex.md */
        fill(r, &v->fog_coord[i], 1, 0, 3);
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            fill(r, v->coord[u][i], 4, -2, 2);
        for (unsigned u = 0; u < TEXENV_UNITS; u++) /* mostly a q that can divide */
            v->coord[u][i][3] = one_in(r, 8) ? v->coord[u][i][3] : 0.3f + fabsf(v->coord[u][i][3]);
    }
}

/* ---- lights ---- */

static void make_light(struct chance *r, struct vertex_values *v, unsigned n, unsigned lights)
{
    static const float ws[] = {1, 1, 1, 1, 2, 0.5f, 1.75f, -1};
    /* limits the sum of all lights to about 1 */
    const double bright = 1.6 / (lights ? lights : 1);
    double d[3];
    fill(r, v->light[n].ambient, 4, 0, 0.3 * bright);
    fill(r, v->light[n].diffuse, 4, 0, bright);
    fill(r, v->light[n].specular, 4, 0, bright);
    direction(r, d);
    const double far = between(r, 2, 5);
    const float w = ws[bits(r) % 8];
    for (unsigned c = 0; c < 3; c++) /* relative to the middle of the vertices */
        v->light[n].position[c] = (float)(d[c] * far + (c == 2 ? -3 : 0)) * w;
    v->light[n].position[3] = w;
    /* roughly to the middle of the vertices, so that the spot illuminates some of them */
    for (unsigned c = 0; c < 3; c++)
        v->light[n].direction[c] = (float)((-d[c] + between(r, -0.5, 0.5)) * between(r, 0.9, 1.1) *
                                           (one_in(r, 2) ? 1 : 2.5));
    v->light[n].exponent = one_in(r, 4) ? 0 : (float)between(r, 0, one_in(r, 4) ? 128 : 8);
    v->light[n].cutoff = one_in(r, 8) ? 90 : (float)between(r, 10, 80);
    fill(r, v->light[n].attenuation, 3, 0, 1);
    v->light[n].attenuation[0] += 0.25f;
    if (one_in(r, 4))
        v->light[n].attenuation[1 + bits(r) % 2] = 0;
}

static void make_materials(struct chance *r, struct vertex_values *v)
{
    for (unsigned side = 0; side < 2; side++) {
        fill(r, v->material[side].ambient, 4, 0, 1);
        fill(r, v->material[side].diffuse, 4, 0, 1);
        fill(r, v->material[side].specular, 4, 0, 1);
        fill(r, v->material[side].emission, 4, 0, 0.2);
        /* never 0 for the front: Mesa has an error there, notes/facts/r300-vertex.md */
        const unsigned kind = bits(r) % 8;
        v->material[side].shininess = kind == 0 ? 1 - (float)side
            : kind == 1                         ? 128
                                                : (float)between(r, 0, kind < 5 ? 10 : 128);
    }
    fill(r, v->model_ambient, 4, 0, 0.3);
}

static unsigned count_lights(const struct texenv_vertex *vertex)
{
    unsigned n = 0;
    for (unsigned i = 0; i < TEXENV_LIGHTS; i++)
        n += vertex->light[i].enabled;
    return n;
}

void vertex_values_make(struct vertex_values *v, const struct texenv_vertex *vertex, uint64_t seed,
                        uint64_t n)
{
    struct chance chance = {seed * UINT64_C(0xD1342543DE82EF95) + n}, *r = &chance;
    memset(v, 0, sizeof *v);
    make_modelview(r, v->modelview);
    make_projection(r, v->projection);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        fill(r, v->texture[u], 16, -1, 1);
        fill(r, v->object_plane[u][0], 16, -1, 1);
        fill(r, v->eye_plane[u][0], 16, -1, 1);
    }
    for (unsigned i = 0; i < TEXENV_LIGHTS; i++) {
        make_light(r, v, i, count_lights(vertex));
        if (!vertex->light[i].positional)
            v->light[i].position[3] = 0;
        if (!vertex->light[i].spot)
            v->light[i].cutoff = 180;
    }
    make_materials(r, v);
    v->point_size = (float)between(r, 4, 20);
    v->point_least = (float)between(r, 1, 4);
    v->point_most = (float)between(r, 6, 12);
    fill(r, v->point_attenuation, 3, 0.05, 0.5);
    make_vertices(r, v);
}

void vertex_values_vary(struct vertex_values *v, unsigned variation)
{
    struct chance r = {variation};
    float *number = v->modelview; /* the structure consists of floats only */
    for (size_t i = 0; i < sizeof *v / sizeof *number; i++)
        if (number[i] != floorf(number[i]) && fabsf(number[i]) < 10)
            number[i] *= 1 + (float)between(&r, -1, 1) / (1 << 18);
}

/* ---- vertices at borders, where rounding decides ---- */

const char *const vertex_borders[BORDERS] = {"",
                                             "light across a surface that may shine",
                                             "at the border of a spot",
                                             "N.H about 0 with an exponent below 1",
                                             "a sphere map of what comes straight from behind",
                                             "a point's size about where it covers more pixels"};

/* Computes the normal in eye coordinates as a unit vector. GL leaves it unnormalised in some states, but the
 * length does not matter for borders. */
static void eye_normal(double out[3], const struct vertex_values *v, unsigned i)
{
    double inverse[3][3];
    invert(inverse, v->modelview);
    for (unsigned row = 0; row < 3; row++) {
        out[row] = 0;
        for (unsigned c = 0; c < 3; c++)
            out[row] += inverse[c][row] * (double)v->normal[i][c];
    }
    normalize(out);
}

static void half_vector(double h[3], const double l[3], const struct vertex_values *v,
                        const struct texenv_vertex *vertex, unsigned i)
{
    double u[3] = {(double)v->eye[i][0], (double)v->eye[i][1], (double)v->eye[i][2]};
    normalize(u);
    for (unsigned c = 0; c < 3; c++)
        h[c] = l[c] + (vertex->local_viewer ? -u[c] : c == 2 ? 1 : 0);
    normalize(h);
}

enum vertex_border vertex_color_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                       unsigned i)
{
    const unsigned side = vertex->two_side && vertex_is_back(i);
    double n[3], l[3], h[3], d[3];
    eye_normal(n, v, i);
    for (unsigned k = 0; k < TEXENV_LIGHTS; k++) {
        if (!vertex->lighting || !vertex->light[k].enabled)
            continue;
        to_light(l, v, k, i);
        half_vector(h, l, v, vertex, i);
        for (unsigned c = 0; c < 3; c++)
            d[c] = (double)v->light[k].direction[c];
        normalize(d);
        if (vertex->light[k].spot && fabs(-dot(l, d) - cos((double)v->light[k].cutoff * M_PI / 180)) < 1e-5)
            return BORDER_SPOT;
        if (fabs(dot(n, l)) < 1e-5)
            return BORDER_ACROSS;
        if (fabs(dot(n, h)) < 1e-3 && v->material[side].shininess < 1)
            return BORDER_HALF;
    }
    return BORDER_NONE;
}

enum vertex_border vertex_sphere_border(const struct vertex_values *v, const struct texenv_vertex *vertex,
                                        unsigned i)
{
    double n[3], u[3] = {(double)v->eye[i][0], (double)v->eye[i][1], (double)v->eye[i][2]};
    bool any = false;
    for (unsigned k = 0; k < TEXENV_UNITS * 4; k++)
        any |= vertex->texgen[k / 4][k % 4] == TEXENV_TEXGEN_SPHERE;
    if (!any)
        return BORDER_NONE;
    eye_normal(n, v, i);
    normalize(u);
    const double z = u[2] - 2 * dot(n, u) * n[2];
    return z < -0.999 ? BORDER_SPHERE : BORDER_NONE; /* GL divides by 2 sqrt(2 (1 + z)), which is nearly 0 */
}

enum vertex_border vertex_size_border(const struct vertex_values *v, unsigned i)
{
    const float *a = v->point_attenuation;
    const double d = fabs((double)v->eye[i][2]);
    double size = (double)v->point_size / sqrt((double)a[0] + (double)a[1] * d + (double)a[2] * d * d);
    size = fmin(fmax(size, (double)v->point_least), (double)v->point_most);
    return fabs(2 * size - round(2 * size)) < 0.02 ? BORDER_SIZE : BORDER_NONE;
}

/* ---- GL ---- */

static void able(GLenum what, bool on)
{
    if (on)
        gl.glEnable(what);
    else
        gl.glDisable(what);
}

static void set_light(const struct vertex_values *v, const struct texenv_vertex *vertex, unsigned n)
{
    static const float none[3] = {1, 0, 0};
    const GLenum light = GL_LIGHT0 + n;
    const float *attenuation = vertex->light[n].attenuated ? v->light[n].attenuation : none;
    able(light, vertex->light[n].enabled);
    gl.glLightfv(light, GL_AMBIENT, v->light[n].ambient);
    gl.glLightfv(light, GL_DIFFUSE, v->light[n].diffuse);
    gl.glLightfv(light, GL_SPECULAR, v->light[n].specular);
    gl.glLightfv(light, GL_POSITION, v->light[n].position);
    gl.glLightfv(light, GL_SPOT_DIRECTION, v->light[n].direction);
    gl.glLightf(light, GL_SPOT_EXPONENT, v->light[n].exponent);
    gl.glLightf(light, GL_SPOT_CUTOFF, v->light[n].cutoff);
    for (unsigned c = 0; c < 3; c++)
        gl.glLightf(light, GL_CONSTANT_ATTENUATION + c, attenuation[c]);
}

/* Returns the argument of glColorMaterial for these bits, or 0 if there is none. */
static GLenum tracked(unsigned bits_)
{
    switch (bits_) {
    case TEXENV_TRACKS_AMBIENT: return GL_AMBIENT;
    case TEXENV_TRACKS_DIFFUSE: return GL_DIFFUSE;
    case TEXENV_TRACKS_SPECULAR: return GL_SPECULAR;
    case TEXENV_TRACKS_EMISSION: return GL_EMISSION;
    case TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE: return GL_AMBIENT_AND_DIFFUSE;
    default: return 0;
    }
}

/* Sets the materials. Returns false if GL has no such state. */
static bool set_material(const struct vertex_values *v, const struct texenv_vertex *vertex)
{
    static const GLenum faces[] = {GL_FRONT, GL_BACK};
    const unsigned front = vertex->tracks[0], back = vertex->tracks[1];
    gl.glDisable(GL_COLOR_MATERIAL); /* with GL_COLOR_MATERIAL, GL would ignore the materials set below */
    for (unsigned side = 0; side < 2; side++) {
        gl.glMaterialfv(faces[side], GL_AMBIENT, v->material[side].ambient);
        gl.glMaterialfv(faces[side], GL_DIFFUSE, v->material[side].diffuse);
        gl.glMaterialfv(faces[side], GL_SPECULAR, v->material[side].specular);
        gl.glMaterialfv(faces[side], GL_EMISSION, v->material[side].emission);
        gl.glMaterialf(faces[side], GL_SHININESS, v->material[side].shininess);
    }
    if (!front && !back)
        return true;
    if (!tracked(front | back) || (front && back && front != back))
        return false;
    gl.glColorMaterial(!back ? GL_FRONT : !front ? GL_BACK : GL_FRONT_AND_BACK, tracked(front | back));
    gl.glEnable(GL_COLOR_MATERIAL);
    return true;
}

static void set_unit(const struct vertex_values *v, const struct texenv_vertex *vertex, unsigned u)
{
    static const GLenum modes[TEXENV_TEXGENS] = {
        0, GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP, GL_REFLECTION_MAP, GL_NORMAL_MAP};
    gl.glActiveTexture(GL_TEXTURE0 + u);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned mode = vertex->texgen[u][c];
        able(GL_TEXTURE_GEN_S + c, mode);
        if (mode)
            gl.glTexGeni(GL_S + c, GL_TEXTURE_GEN_MODE, (GLint)modes[mode]);
        gl.glTexGenfv(GL_S + c, GL_OBJECT_PLANE, v->object_plane[u][c]);
        gl.glTexGenfv(GL_S + c, GL_EYE_PLANE, v->eye_plane[u][c]);
    }
    gl.glMatrixMode(GL_TEXTURE);
    if (vertex->texture_matrix[u])
        gl.glLoadMatrixf(v->texture[u]);
    else
        gl.glLoadIdentity();
}

static void set_arrays(const struct vertex_values *v)
{
    gl.glVertexPointer(4, GL_FLOAT, 0, v->position);
    gl.glNormalPointer(GL_FLOAT, 0, v->normal);
    gl.glColorPointer(4, GL_FLOAT, 0, v->color);
    gl.glSecondaryColorPointer(3, GL_FLOAT, 0, v->secondary);
    gl.glFogCoordPointer(GL_FLOAT, 0, v->fog_coord);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        gl.glClientActiveTexture(GL_TEXTURE0 + u);
        gl.glTexCoordPointer(4, GL_FLOAT, 0, v->coord[u]);
    }
}

void vertex_values_points(const struct vertex_values *v)
{
    static const float none[3] = {1, 0, 0};
    gl.glPointParameterfv(GL_POINT_DISTANCE_ATTENUATION, v ? v->point_attenuation : none);
    gl.glPointParameterf(GL_POINT_SIZE_MIN, v ? v->point_least : 0);
    gl.glPointParameterf(GL_POINT_SIZE_MAX, v ? v->point_most : 64);
    gl.glPointSize(v ? v->point_size : 1);
}

const char *vertex_values_set(const struct vertex_values *v, const struct texenv_vertex *vertex)
{
    gl.glMatrixMode(GL_PROJECTION);
    gl.glLoadMatrixf(v->projection);
    gl.glMatrixMode(GL_MODELVIEW);
    gl.glLoadIdentity(); /* lights are given in eye coordinates */
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++)
        set_light(v, vertex, n);
    gl.glMatrixMode(GL_MODELVIEW);
    gl.glLoadMatrixf(v->modelview);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        set_unit(v, vertex, u);
    gl.glMatrixMode(GL_MODELVIEW);
    able(GL_LIGHTING, vertex->lighting);
    able(GL_NORMALIZE, vertex->normals == TEXENV_NORMALS_NORMALIZED);
    able(GL_RESCALE_NORMAL, vertex->normals == TEXENV_NORMALS_RESCALED);
    gl.glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, vertex->two_side);
    gl.glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, vertex->local_viewer);
    gl.glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL,
                     vertex->separate_specular ? GL_SEPARATE_SPECULAR_COLOR : GL_SINGLE_COLOR);
    gl.glLightModelfv(GL_LIGHT_MODEL_AMBIENT, v->model_ambient);
    gl.glFogi(GL_FOG_COORDINATE_SOURCE, vertex->fog_coord ? GL_FOG_COORDINATE : GL_FRAGMENT_DEPTH);
    set_arrays(v);
    if (vertex->tracks[1] && !vertex->tracks[0] && strstr((const char *)gl.glGetString(GL_VERSION), "Mesa"))
        return "Mesa's fixed function errs where only the back's material follows the colour";
    return set_material(v, vertex) ? NULL
                                   : "no call of glColorMaterial lets these properties follow the colour";
}
