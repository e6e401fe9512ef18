/* Matrix and vector arithmetic in double precision. The core is linked without libm, so square root and sine
 * are computed here. Section numbers are of the OpenGL 2.1 specification. */
#include "texenv/values_matrix.h"

#include <float.h>
#include <string.h>

/* ---- numbers ---- */

float texenv_float(double x)
{
    return x > (double)FLT_MAX ? FLT_MAX : x < -(double)FLT_MAX ? -FLT_MAX : (float)x;
}

/* Returns the product, where 0 times an unknown number (NaN) is 0. */
static double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

/* Returns the square root of x, a sum of squares of floats, which neither overflows nor is subnormal as a
 * double. */
static double root(double x)
{
    uint64_t bits;
    double y;
    if (!(x > 0))
        return x;
    memcpy(&bits, &x, sizeof bits);
    /* halves the exponent: a first estimate with less than 10 % error */
    bits = (bits >> 1) + (UINT64_C(0x1ff8) << 48);
    memcpy(&y, &bits, sizeof y);
    for (unsigned i = 0; i < 5; i++) /* each Newton step doubles the number of correct digits */
        y = (y + x / y) / 2;
    return y;
}

/* Computes sine and cosine of an angle in degrees, exact at multiples of 90. */
static void turn(double degrees, double *sine, double *cosine)
{
    double a = degrees < 0 ? -degrees : degrees, s = 1, c = 1, part;
    a -= a > (double)FLT_MAX ? a : 0; /* turns infinity into NaN */
    while (a >= 360) {                /* subtracts 360 * 2^k, more than half of a, which is exact */
        part = 360;
        while (part * 2 <= a)
            part *= 2;
        a -= part;
    }
    const unsigned quarter = a >= 0 && a < 360 ? (unsigned)((a + 45) / 90) : 0;
    const double x = (a - 90 * quarter) * (3.14159265358979323846 / 180);
    for (unsigned k = 16; k >= 2; k -= 2) { /* Taylor series; the first omitted term is below 1e-16 */
        c = 1 - c * x * x / (k * (k - 1));
        s = 1 - s * x * x / (k * (k + 1));
    }
    s *= x;
    *sine = (quarter & 2 ? -1 : 1) * (degrees < 0 ? -1 : 1) * (quarter & 1 ? c : s);
    *cosine = (quarter == 1 || quarter == 2 ? -1 : 1) * (quarter & 1 ? s : c);
}

float texenv_cosine(float degrees)
{
    double sine, cosine;
    turn((double)degrees, &sine, &cosine);
    return (float)cosine;
}

static double length_of(const double *v) { return root(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Divides v by its length; (0, 0, 0) is left unchanged. */
static void normalize(double *v)
{
    const double length = length_of(v);
    for (unsigned c = 0; c < 3 && length != 0; c++)
        v[c] /= length;
}

void texenv_unit_vector(float *v)
{
    double exact[3] = {(double)v[0], (double)v[1], (double)v[2]};
    normalize(exact);
    for (unsigned c = 0; c < 3; c++)
        v[c] = (float)exact[c];
}

void texenv_half_vector(float *half, const float *position)
{
    double h[3] = {(double)position[0], (double)position[1], (double)position[2]};
    normalize(h);
    h[2] += 1;
    normalize(h);
    for (unsigned c = 0; c < 3; c++)
        half[c] = (float)h[c];
}

/* ---- products and inverses ---- */

static inline void transform(float *out, const float *m, const float *v, unsigned size)
{
    for (unsigned row = 0; row < size; row++) {
        double sum = 0;
        for (unsigned c = 0; c < size; c++)
            sum += (double)m[4 * c + row] * (double)v[c];
        if (sum != sum) { /* there may be a 0 times an unknown number */
            sum = 0;
            for (unsigned c = 0; c < size; c++)
                sum += times((double)m[4 * c + row], (double)v[c]);
        }
        out[row] = texenv_float(sum);
    }
}

void texenv_transform(float *out, const float *m, const float *v, unsigned size)
{
    transform(out, m, v, size);
}

void texenv_matrix_product(float *m, const float *a, const float *b)
{
    float product[16];
    for (unsigned column = 0; column < 4; column++)
        transform(product + 4 * column, a, b + 4 * column, 4);
    memcpy(m, product, sizeof product);
}

/* Returns the determinant of the upper left size x size matrix without the given column and row. */
static double minor_of(const float *m, unsigned size, unsigned column, unsigned row)
{
    double a[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    for (unsigned c = 0; c + 1 < size; c++)
        for (unsigned r = 0; r + 1 < size; r++)
            a[c][r] = (double)m[4 * (c + (c >= column)) + r + (r >= row)];
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
        a[1][0] * (a[0][1] * a[2][2] - a[0][2] * a[2][1]) + a[2][0] * (a[0][1] * a[1][2] - a[0][2] * a[1][1]);
}

/* Uses minors instead of elimination, which are exact for matrices of small integers. Most singular matrices
 * are of this kind and are therefore recognised. */
void texenv_inverse(double inverse[4][4], const float *m, unsigned size)
{
    double determinant = 0;
    for (unsigned c = 0; c < size; c++)
        for (unsigned r = 0; r < size; r++)
            inverse[r][c] = ((c + r) & 1 ? -1 : 1) * minor_of(m, size, c, r);
    for (unsigned r = 0; r < size; r++)
        determinant += (double)m[r] * inverse[r][0];
    for (unsigned c = 0; c < size; c++)
        for (unsigned r = 0; r < size; r++)
            inverse[c][r] = determinant == 0 ? c == r : inverse[c][r] / determinant;
}

void texenv_normal_matrix(float *m, const float *modelview, bool rescaled)
{
    double inverse[4][4], factor = 1;
    texenv_inverse(inverse, modelview, 3);
    if (rescaled) { /* 2.11.3: the factor comes from the third row of the inverse */
        double sum = 0;
        for (unsigned c = 0; c < 3; c++)
            sum += inverse[c][2] * inverse[c][2];
        factor = 1 / root(sum);
    }
    for (unsigned c = 0; c < 3; c++)
        for (unsigned r = 0; r < 3; r++)
            m[3 * c + r] = texenv_float(inverse[r][c] * factor);
}

/* ---- constructors of matrices ---- */

void texenv_matrix_identity(float *m)
{
    for (unsigned i = 0; i < 16; i++)
        m[i] = i % 5 == 0;
}

void texenv_matrix_translate(float *m, float x, float y, float z)
{
    texenv_matrix_identity(m);
    m[12] = x;
    m[13] = y;
    m[14] = z;
}

void texenv_matrix_scale(float *m, float x, float y, float z)
{
    texenv_matrix_identity(m);
    m[0] = x;
    m[5] = y;
    m[10] = z;
}

void texenv_matrix_rotate(float *m, float degrees, float x, float y, float z)
{
    double s, c, u[3] = {(double)x, (double)y, (double)z};
    texenv_matrix_identity(m);
    if (degrees == 0 || length_of(u) == 0)
        return;
    turn((double)degrees, &s, &c);
    normalize(u);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned next = (i + 1) % 3, last = (i + 2) % 3;
        m[5 * i] = (float)(u[i] * u[i] * (1 - c) + c);
        m[4 * i + next] = (float)(u[i] * u[next] * (1 - c) + u[last] * s);
        m[4 * next + i] = (float)(u[i] * u[next] * (1 - c) - u[last] * s);
    }
}

static bool is_flat(const double *box) { return box[0] == box[1] || box[2] == box[3] || box[4] == box[5]; }

uint32_t texenv_matrix_frustum(float *m, const double *box)
{
    if (is_flat(box) || box[4] <= 0 || box[5] <= 0)
        return TEXENV_INVALID_VALUE;
    memset(m, 0, 16 * sizeof *m);
    for (unsigned c = 0; c < 2; c++) {
        const double low = box[2 * c], high = box[2 * c + 1];
        m[5 * c] = texenv_float(2 * box[4] / (high - low));
        m[8 + c] = texenv_float((high + low) / (high - low));
    }
    m[10] = texenv_float(-(box[5] + box[4]) / (box[5] - box[4]));
    m[11] = -1;
    m[14] = texenv_float(-2 * box[5] * box[4] / (box[5] - box[4]));
    return TEXENV_OK;
}

uint32_t texenv_matrix_ortho(float *m, const double *box)
{
    if (is_flat(box))
        return TEXENV_INVALID_VALUE;
    texenv_matrix_identity(m);
    for (unsigned c = 0; c < 3; c++) {
        const double low = box[2 * c], high = box[2 * c + 1];
        m[5 * c] = texenv_float((c < 2 ? 2 : -2) / (high - low));
        m[12 + c] = texenv_float(-(high + low) / (high - low));
    }
    return TEXENV_OK;
}

uint32_t texenv_matrix_perspective(float *m, double degrees, double aspect, double near, double far)
{
    double sine, cosine;
    turn(degrees / 2, &sine, &cosine);
    if (near == far || sine == 0 || aspect == 0)
        return TEXENV_INVALID_VALUE;
    memset(m, 0, 16 * sizeof *m);
    m[0] = texenv_float(cosine / sine / aspect);
    m[5] = texenv_float(cosine / sine);
    m[10] = texenv_float(-(far + near) / (far - near));
    m[11] = -1;
    m[14] = texenv_float(-2 * far * near / (far - near));
    return TEXENV_OK;
}

static void cross(double *out, const double *a, const double *b)
{
    for (unsigned c = 0; c < 3; c++)
        out[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

void texenv_matrix_look_at(float *m, const double *places)
{
    double axis[3][3]; /* the viewer's axes: to the right, up, backwards */
    for (unsigned c = 0; c < 3; c++)
        axis[2][c] = places[c] - places[3 + c];
    normalize(axis[2]);
    cross(axis[0], places + 6, axis[2]);
    normalize(axis[0]);
    cross(axis[1], axis[2], axis[0]);
    texenv_matrix_identity(m);
    for (unsigned row = 0; row < 3; row++) {
        double shift = 0;
        for (unsigned c = 0; c < 3; c++) {
            m[4 * c + row] = texenv_float(axis[row][c]);
            shift -= axis[row][c] * places[c];
        }
        m[12 + row] = texenv_float(shift);
    }
}

void texenv_matrix_transpose(float *m, const float *rows)
{
    for (unsigned i = 0; i < 16; i++)
        m[i] = rows[i % 4 * 4 + i / 4];
}
