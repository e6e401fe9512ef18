#ifndef TEXENVC_EMBED
#define TEXENVC_EMBED
#include <math.h>
#include <string.h>
#ifndef TEXENVC_GLAPI
#if defined(_WIN32) && !defined(_WIN64)
#define TEXENVC_GLAPI __stdcall
#else
#define TEXENVC_GLAPI
#endif
#endif
/* Pointers to GL's functions of these names (glUniform1i ...), which OpenGL 2.0 and OpenGL ES 2.0 have. */
struct texenvc_gl {
    int(TEXENVC_GLAPI *GetUniformLocation)(unsigned program, const char *name);
    void(TEXENVC_GLAPI *Uniform1i)(int location, int value);
    void(TEXENVC_GLAPI *Uniform1f)(int location, float value);
    void(TEXENVC_GLAPI *Uniform3fv)(int location, int count, const float *value);
    void(TEXENVC_GLAPI *Uniform4fv)(int location, int count, const float *value);
    void(TEXENVC_GLAPI *UniformMatrix3fv)(int location, int count, unsigned char transpose,
                                          const float *value);
    void(TEXENVC_GLAPI *UniformMatrix4fv)(int location, int count, unsigned char transpose,
                                          const float *value);
};
struct texenvc_light {
    float ambient[4], diffuse[4], specular[4];
    float position[4], spot_direction[3]; /* in eye coordinates (see texenvc_transform) */
    float spot_exponent, spot_cutoff;     /* spot_cutoff in degrees: 0 to 90, or 180 */
    float attenuation[3];                 /* constant, linear, quadratic */
};
struct texenvc_material {
    float ambient[4], diffuse[4], specular[4], emission[4], shininess;
};
struct texenvc_planes {
    float s[4], t[4], r[4], q[4];
};
struct texenvc_fog {
    float color[4], density, start, end;
};
struct texenvc_point {
    float size, min, max, attenuation[3];
};
/* GL's values, from which uniforms are computed. Matrices are stored by columns, as for glLoadMatrixf. Eye
 * planes are stored as GL stores them, multiplied by the inverse of the modelview matrix (texenvc_plane). */
struct texenvc_values {
    float projection[16], modelview[16], texture_matrix[8][16];
    struct texenvc_light light[8];
    float light_model_ambient[4];
    struct texenvc_material front, back;
    struct texenvc_planes object_plane[8], eye_plane[8];
    float clip_plane[8][4]; /* in eye coordinates (texenvc_plane) */
    struct texenvc_fog fog;
    struct texenvc_point point;
    float texenv_color[8][4], alpha_reference;
};
/* Each of the following functions writes its result to its first argument, and returns that. */
static inline float *texenvc_vector4(float *t, float x, float y, float z, float w)
{
    t[0] = x, t[1] = y, t[2] = z, t[3] = w;
    return t;
}
static inline float *texenvc_vector(float *t, const float *xyz, float w)
{
    return texenvc_vector4(t, xyz[0], xyz[1], xyz[2], w);
}
/* Computes m * p. With the modelview matrix this transforms a position from object to eye coordinates. */
static inline float *texenvc_transform(float *t, const float *m, const float *p)
{
    float out[4];
    int i;
    for (i = 0; i < 4; i++)
        out[i] = m[i] * p[0] + m[i + 4] * p[1] + m[i + 8] * p[2] + m[i + 12] * p[3];
    return texenvc_vector(t, out, out[3]);
}
/* Computes the inverse of a matrix, by Gaussian elimination with partial pivoting. */
static inline float *texenvc_inverse(float *m, const float *of)
{
    double rows[4][8], swap;
    int i, j, k;
    for (i = 0; i < 4; i++)
        for (j = 0; j < 8; j++)
            rows[i][j] = j < 4 ? of[4 * j + i] : j - 4 == i;
    for (k = 0; k < 4; k++) {
        int best = k;
        for (i = k + 1; i < 4; i++)
            best = fabs(rows[i][k]) > fabs(rows[best][k]) ? i : best;
        for (j = 0; j < 8; j++)
            swap = rows[best][j], rows[best][j] = rows[k][j], rows[k][j] = swap;
        for (j = 7; j >= k; j--)
            rows[k][j] /= rows[k][k];
        for (i = 0; i < 4; i++)
            for (j = 7; i != k && j >= k; j--)
                rows[i][j] -= rows[i][k] * rows[k][j];
    }
    for (i = 0; i < 16; i++)
        m[i] = (float)rows[i % 4][4 + i / 4];
    return m;
}
/* Computes what glTexGenfv of GL_EYE_PLANE and glClipPlane store for a plane: the plane times the inverse of
 * the modelview matrix. */
static inline float *texenvc_plane(float *t, const float *modelview, const float *plane)
{
    float m[16], out[4];
    int i;
    texenvc_inverse(m, modelview);
    for (i = 0; i < 4; i++)
        out[i] = m[4 * i] * plane[0] + m[4 * i + 1] * plane[1] + m[4 * i + 2] * plane[2] +
            m[4 * i + 3] * plane[3];
    return texenvc_vector(t, out, out[3]);
}
/* Computes the cross product a x b. */
static inline float *texenvc_cross(float *t, const float *a, const float *b)
{
    t[0] = a[1] * b[2] - a[2] * b[1], t[1] = a[2] * b[0] - a[0] * b[2], t[2] = a[0] * b[1] - a[1] * b[0];
    return t;
}
static inline float texenvc_length(const float *a) { return sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }
/* Computes the matrix for normals, of 9 numbers: the inverse transpose of the upper left 3x3 matrix, with the
 * factor of RESCALE_NORMAL (2.11.3) if `rescaled` is set; the identity if there is no inverse. */
static inline float *texenvc_normal_matrix(float *m, const float *modelview, int rescaled)
{
    const float *a = modelview, *b = a + 4, *c = a + 8;
    float f, *last = texenvc_cross(m + 6, a, b);
    const float d = last[0] * c[0] + last[1] * c[1] + last[2] * c[2];
    int i;
    texenvc_cross(m, b, c);
    texenvc_cross(m + 3, c, a);
    f = !rescaled ? 1 / d : d < 0 ? -1 / texenvc_length(last) : 1 / texenvc_length(last);
    for (i = 0; i < 9; i++)
        m[i] = d == 0 ? (float)(i % 4 == 0) : m[i] * f;
    return m;
}
/* Scales a vector to length 1; a zero vector is unchanged. */
static inline float *texenvc_unit(float *t, const float *a)
{
    const float length = texenvc_length(a), f = length > 0 ? 1 / length : 0;
    return texenvc_vector4(t, a[0] * f, a[1] * f, a[2] * f, 1);
}
/* Divides the position of a positional light by its w. */
static inline float *texenvc_place(float *t, const float *position)
{
    const float w = position[3] == 0 ? 1 : position[3];
    return texenvc_vector4(t, position[0] / w, position[1] / w, position[2] / w, 1);
}
/* Computes the half vector of a directional light and an infinite viewer. */
static inline float *texenvc_half(float *t, const float *position)
{
    texenvc_unit(t, position)[2] += 1;
    return texenvc_unit(t, t);
}
/* Computes the cosine of a spotlight's cutoff angle, which is at most 90 degrees; 0 for other lights. */
static inline float *texenvc_cosine(float *t, float cutoff)
{
    t[0] = cutoff < 90 ? cosf(cutoff * 0.01745329252f) : 0;
    return t;
}
static inline float *texenvc_product(float *t, const float *a, const float *b)
{
    return texenvc_vector4(t, a[0] * b[0], a[1] * b[1], a[2] * b[2], 1);
}
/* Computes the colour that a vertex has without lights: emission, and the ambient light of the scene. */
static inline float *texenvc_scene(float *t, const float *ambient, const struct texenvc_material *side)
{
    int i;
    for (i = 0; i < 3; i++)
        t[i] = ambient[i] * side->ambient[i] + side->emission[i];
    return t;
}
static inline float *texenvc_point_size(float *t, const struct texenvc_point *point)
{
    t[0] = point->size < point->min ? point->min : point->size;
    t[0] = t[0] > point->max ? point->max : t[0];
    return t;
}
static inline float *texenvc_fog_scale(float *t, const struct texenvc_fog *fog)
{
    t[0] = fog->end == fog->start ? 1 : 1 / (fog->end - fog->start);
    return t;
}
static inline void texenvc_initial_material(struct texenvc_material *m)
{
    texenvc_vector4(m->ambient, 0.2f, 0.2f, 0.2f, 1);
    texenvc_vector4(m->diffuse, 0.8f, 0.8f, 0.8f, 1);
    m->specular[3] = m->emission[3] = 1;
}
/* Sets all values to those of GL's initial state. */
static inline void texenvc_initial_values(struct texenvc_values *v)
{
    int n, i;
    memset(v, 0, sizeof *v);
    for (i = 0; i < 16; i += 5)
        v->projection[i] = v->modelview[i] = 1;
    for (n = 0; n < 8; n++) {
        for (i = 0; i < 16; i += 5)
            v->texture_matrix[n][i] = 1;
        v->light[n].ambient[3] = v->light[n].position[2] = v->light[n].attenuation[0] = 1;
        v->light[n].spot_direction[2] = -1;
        v->light[n].spot_cutoff = 180;
        texenvc_vector4(v->light[n].diffuse, n == 0, n == 0, n == 0, 1);
        texenvc_vector4(v->light[n].specular, n == 0, n == 0, n == 0, 1);
        v->object_plane[n].s[0] = v->eye_plane[n].s[0] = 1;
        v->object_plane[n].t[1] = v->eye_plane[n].t[1] = 1;
    }
    texenvc_vector4(v->light_model_ambient, 0.2f, 0.2f, 0.2f, 1);
    texenvc_initial_material(&v->front);
    texenvc_initial_material(&v->back);
    v->fog.density = v->fog.end = 1;
    v->point.size = v->point.attenuation[0] = 1;
    v->point.max = 8192; /* GL's own initial value is the largest size that it can draw */
}
static inline void texenvc_uniform1(const struct texenvc_gl *gl, unsigned program, const char *name,
                                    const float *value)
{
    gl->Uniform1f(gl->GetUniformLocation(program, name), value[0]);
}
static inline void texenvc_uniform3(const struct texenvc_gl *gl, unsigned program, const char *name,
                                    const float *value)
{
    gl->Uniform3fv(gl->GetUniformLocation(program, name), 1, value);
}
static inline void texenvc_uniform4(const struct texenvc_gl *gl, unsigned program, const char *name,
                                    const float *value)
{
    gl->Uniform4fv(gl->GetUniformLocation(program, name), 1, value);
}
static inline void texenvc_uniform9(const struct texenvc_gl *gl, unsigned program, const char *name,
                                    const float *value)
{
    gl->UniformMatrix3fv(gl->GetUniformLocation(program, name), 1, 0, value);
}
static inline void texenvc_uniform16(const struct texenvc_gl *gl, unsigned program, const char *name,
                                     const float *value)
{
    gl->UniformMatrix4fv(gl->GetUniformLocation(program, name), 1, 0, value);
}
/* Writes a uniform into a block with the layout std140, where the columns of a mat3 (9 numbers) are 16 bytes
 * apart. */
static inline void texenvc_put(void *block, int offset, int count, const float *value)
{
    char *at = (char *)block + offset;
    int i;
    for (i = 0; i < count; i += count == 9 ? 3 : count)
        memcpy(at + i / 3 * 16, value + i, (size_t)(count == 9 ? 3 : count) * sizeof *value);
}
#endif
