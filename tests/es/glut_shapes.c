/* Shapes and letters for the tests' GLUT (glut.c). Shapes are drawn with Begin and End, as in GLUT, but
 * tessellated differently. The teapot is replaced by solids of revolution with normals and texture
 * coordinates, and a letter by a pattern made of the bits of its code, which is drawn with Bitmap like a real
 * letter. */
#include <GL/freeglut_std.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* A surface of revolution about the z axis: at(t) gives radius, z and their derivatives, t in [0, 1]. */
struct profile {
    double a, b, c;
    void (*at)(const struct profile *p, double t, double out[4]);
};

static void point(const struct profile *p, double turn, double t, bool textured)
{
    double at[4], c = cos(turn * 2 * pi), s = sin(turn * 2 * pi);
    p->at(p, t, at);
    double length = sqrt(at[2] * at[2] + at[3] * at[3]);
    if (textured)
        glTexCoord2d(turn, t);
    glNormal3d(c * at[3] / length, s * at[3] / length, -at[2] / length);
    glVertex3d(c * at[0], s * at[0], at[1]);
}

static void revolve(const struct profile *p, int slices, int stacks, bool wire, bool textured)
{
    for (int i = 0; i < stacks; i++) {
        glBegin(wire ? GL_LINE_STRIP : GL_QUAD_STRIP);
        for (int j = 0; j <= slices; j++) {
            double turn = (double)(j % slices) / slices;
            if (textured && j == slices)
                turn = 1;
            if (!wire)
                point(p, turn, (i + 1.0) / stacks, textured);
            point(p, turn, (double)i / stacks, textured);
        }
        glEnd();
    }
    for (int j = 0; wire && j < slices; j++) {
        glBegin(GL_LINE_STRIP);
        for (int i = 0; i <= stacks; i++)
            point(p, (double)j / slices, (double)i / stacks, textured);
        glEnd();
    }
}

static void at_sphere(const struct profile *p, double t, double out[4])
{
    out[0] = p->a * sin(t * pi), out[1] = -p->a * cos(t * pi);
    out[2] = p->a * cos(t * pi), out[3] = p->a * sin(t * pi);
    if (t == 0 || t == 1)
        out[0] = out[3] = 0;
}

static void at_torus(const struct profile *p, double t, double out[4])
{
    double c = cos(t * 2 * pi), s = sin(t * 2 * pi);
    out[0] = p->b + p->a * c, out[1] = p->a * s;
    out[2] = -p->a * s, out[3] = p->a * c;
}

static void at_cone(const struct profile *p, double t, double out[4])
{
    out[0] = p->a * (1 - t), out[1] = p->b * t;
    out[2] = -p->a, out[3] = p->b;
}

static void at_disk(const struct profile *p, double t, double out[4])
{
    out[0] = p->a * t, out[1] = p->b;
    out[2] = 1, out[3] = 0;
}

static void sphere(double radius, int slices, int stacks, bool wire)
{
    const struct profile p = {.a = radius, .at = at_sphere};
    revolve(&p, slices, stacks, wire, false);
}

static void torus(double inner, double outer, int sides, int rings, bool wire)
{
    const struct profile p = {.a = inner, .b = outer, .at = at_torus};
    revolve(&p, rings, sides, wire, false);
}

static void cone(double base, double height, int slices, int stacks, bool wire)
{
    const struct profile p = {.a = base, .b = height, .at = at_cone}, floor = {.a = base, .at = at_disk};
    revolve(&p, slices, stacks, wire, false);
    if (!wire)
        revolve(&floor, slices, 1, wire, false);
}

static void teapot(double size, bool wire)
{
    const struct profile body = {.a = 0.75, .at = at_sphere}, handle = {.a = 0.1, .b = 0.4, .at = at_torus},
                         spout = {.a = 0.25, .b = 1.4, .at = at_cone};
    glPushMatrix();
    glScaled(size, size, size);
    glRotated(-90, 1, 0, 0);
    revolve(&body, 28, 20, wire, true);
    glPushMatrix();
    glTranslated(-0.8, 0, 0);
    glRotated(90, 1, 0, 0);
    revolve(&handle, 20, 10, wire, true);
    glPopMatrix();
    glRotated(70, 0, 1, 0);
    revolve(&spout, 16, 8, wire, true);
    glPopMatrix();
}

/* ---- regular solids. The corners of a face are those that lie farthest in the direction of one of the dual
 * solid's corners. ---- */

struct corners {
    int n;
    double at[20][3];
};

/* Adds every point that (x, y, z) becomes by changing signs and rotating its coordinates. */
static void spread(struct corners *s, double x, double y, double z)
{
    for (int turn = 0; turn < (x == y && y == z ? 1 : 3); turn++)
        for (int signs = 0; signs < 8; signs++) {
            const double v[3] = {signs & 1 ? -x : x, signs & 2 ? -y : y, signs & 4 ? -z : z};
            if ((signs & 1 && x == 0) || (signs & 2 && y == 0) || (signs & 4 && z == 0))
                continue;
            for (int i = 0; i < 3; i++)
                s->at[s->n][(i + turn) % 3] = v[i];
            s->n++;
        }
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Finds the corners of one face, in order around its normal, and returns their number. */
static int face_of(const struct corners *s, const double *normal, const double *face[8])
{
    double most = -9, angle[8], side[3], up[3];
    int n = 0;
    for (int i = 0; i < s->n; i++)
        most = fmax(most, dot(s->at[i], normal));
    for (int i = 0; i < s->n && n < 8; i++)
        if (dot(s->at[i], normal) > most - 1e-6)
            face[n++] = s->at[i];
    for (int i = 0; i < 3; i++)
        side[i] = face[0][i] - normal[i] * most / dot(normal, normal);
    for (int i = 0; i < 3; i++)
        up[i] = normal[(i + 1) % 3] * side[(i + 2) % 3] - normal[(i + 2) % 3] * side[(i + 1) % 3];
    double scale = sqrt(dot(side, side) / dot(up, up));
    for (int i = 0; i < n; i++)
        angle[i] = i ? atan2(dot(face[i], up) * scale, dot(face[i], side)) : 0;
    for (int i = 0; i < n; i++)
        if (angle[i] < -1e-6)
            angle[i] += 2 * pi;
    for (int i = 1; i < n; i++)
        for (int j = i; j > 1 && angle[j] < angle[j - 1]; j--) {
            double a = angle[j];
            const double *p = face[j];
            angle[j] = angle[j - 1], face[j] = face[j - 1];
            angle[j - 1] = a, face[j - 1] = p;
        }
    return n;
}

static void solid(const struct corners *s, const struct corners *dual, double scale, bool wire)
{
    for (int i = 0; i < dual->n; i++) {
        const double *face[8], *normal = dual->at[i];
        int n = face_of(s, normal, face);
        double length = sqrt(dot(normal, normal));
        glBegin(wire ? GL_LINE_LOOP : GL_TRIANGLE_FAN);
        glNormal3d(normal[0] / length, normal[1] / length, normal[2] / length);
        for (int j = 0; j < n; j++)
            glVertex3d(face[j][0] * scale, face[j][1] * scale, face[j][2] * scale);
        glEnd();
    }
}

static void corners_of(int faces, struct corners *s)
{
    const double golden = (1 + sqrt(5)) / 2;
    s->n = 0;
    if (faces == 8)
        spread(s, 1, 0, 0);
    else if (faces == 6)
        spread(s, 1, 1, 1);
    else if (faces == 20)
        spread(s, 0, 1, golden);
    else
        spread(s, 1, 1, 1), spread(s, 0, 1 / golden, golden);
}

static void tetrahedron(bool wire)
{
    const struct corners s = {4, {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}};
    struct corners dual = s;
    for (int i = 0; i < 12; i++)
        dual.at[i / 3][i % 3] *= -1;
    solid(&s, &dual, 1, wire);
}

static void regular(int faces, int dual_faces, double radius, bool wire)
{
    struct corners s, dual;
    corners_of(faces, &s);
    corners_of(dual_faces, &dual);
    solid(&s, &dual, radius / sqrt(dot(s.at[0], s.at[0])), wire);
}

void glutSolidSphere(double radius, GLint slices, GLint stacks) { sphere(radius, slices, stacks, false); }
void glutWireSphere(double radius, GLint slices, GLint stacks) { sphere(radius, slices, stacks, true); }
void glutSolidTorus(double inner, double outer, GLint sides, GLint rings)
{
    torus(inner, outer, sides, rings, false);
}
void glutWireTorus(double inner, double outer, GLint sides, GLint rings)
{
    torus(inner, outer, sides, rings, true);
}
void glutSolidCone(double base, double height, GLint slices, GLint stacks)
{
    cone(base, height, slices, stacks, false);
}
void glutWireCone(double base, double height, GLint slices, GLint stacks)
{
    cone(base, height, slices, stacks, true);
}
void glutSolidCube(double size) { regular(6, 8, size * sqrt(0.75), false); }
void glutWireCube(double size) { regular(6, 8, size * sqrt(0.75), true); }
void glutSolidOctahedron(void) { regular(8, 6, 1, false); }
void glutWireOctahedron(void) { regular(8, 6, 1, true); }
void glutSolidIcosahedron(void) { regular(20, 12, 1, false); }
void glutWireIcosahedron(void) { regular(20, 12, 1, true); }
void glutSolidDodecahedron(void) { regular(12, 20, sqrt(3), false); }
void glutWireDodecahedron(void) { regular(12, 20, sqrt(3), true); }
void glutSolidTetrahedron(void) { tetrahedron(false); }
void glutWireTetrahedron(void) { tetrahedron(true); }
void glutSolidTeapot(double size) { teapot(size, false); }
void glutWireTeapot(double size) { teapot(size, true); }

/* ---- letters ---- */

void *glutStrokeRoman, *glutStrokeMonoRoman, *glutBitmap9By15, *glutBitmap8By13, *glutBitmapTimesRoman10,
    *glutBitmapTimesRoman24, *glutBitmapHelvetica10, *glutBitmapHelvetica12, *glutBitmapHelvetica18;

void glutBitmapCharacter(void *font, int letter)
{
    GLubyte rows[12];
    (void)font;
    for (int i = 0; i < 12; i++)
        rows[i] = (GLubyte)(letter == ' ' ? 0 : (letter * (i / 2 + 1)) & 0x7e);
    glPushClientAttrib(GL_CLIENT_PIXEL_STORE_BIT);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_LSB_FIRST, GL_FALSE);
    glBitmap(8, 12, 0, 2, 9, 0, rows);
    glPopClientAttrib();
}

int glutBitmapWidth(void *font, int letter)
{
    (void)font, (void)letter;
    return 9;
}

int glutBitmapLength(void *font, const unsigned char *text)
{
    int n = 0;
    (void)font;
    while (text[n])
        n++;
    return 9 * n;
}

void glutStrokeCharacter(void *font, int letter)
{
    (void)font;
    glBegin(GL_LINE_STRIP);
    for (int i = 0; i < 4 && letter != ' '; i++)
        glVertex2f(80.0f * (letter >> i & 1), 33.0f * i);
    glEnd();
    glTranslatef(104.76f, 0, 0);
}

int glutStrokeWidth(void *font, int letter)
{
    (void)font, (void)letter;
    return 105;
}

int glutStrokeLength(void *font, const unsigned char *text) { return 105 * glutBitmapLength(font, text) / 9; }
