/* A random script of valid OpenGL 1.5 calls: stacks, lists, arrays, buffers, textures, pixels. The
 * environment variable ES_SEED selects the script. No call depends on what GL returns, so two implementations
 * are given the same calls. */
#define GL_GLEXT_PROTOTYPES
#include <GL/glut.h>
#include <GL/glext.h>

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120, STEPS = 40, TEXTURES = 6, LISTS = 4, VERTICES = 24 };

static unsigned long state;
static GLuint textures[TEXTURES], lists[LISTS], buffers[2];
static int depth; /* number of open lists, PushAttribs and PushMatrices */

static unsigned below(unsigned n)
{
    state = (state * 6364136223846793005ul + 1442695040888963407ul) & 0xffffffffffffffful;
    return (unsigned)((state >> 29) % n);
}

static float between(float low, float high) { return low + (high - low) * (float)below(1025) / 1024; }

#define PICK(...) pick((const GLenum[]){__VA_ARGS__}, sizeof(const GLenum[]){__VA_ARGS__} / sizeof(GLenum))
static GLenum pick(const GLenum *from, size_t n) { return from[below((unsigned)n)]; }

static void set(GLenum cap, int on)
{
    if (on)
        glEnable(cap);
    else
        glDisable(cap);
}

static const GLfloat *color(void)
{
    static GLfloat c[4];
    for (int i = 0; i < 4; i++)
        c[i] = between(0, 1);
    return c;
}

/* ---- state ---- */

static void raster_state(void)
{
    switch (below(9)) {
    case 0: set(GL_DEPTH_TEST, below(2)), glDepthFunc(PICK(GL_LESS, GL_LEQUAL, GL_GREATER, GL_ALWAYS)); break;
    case 1:
        set(GL_BLEND, below(2));
        glBlendFunc(PICK(GL_ONE, GL_SRC_ALPHA, GL_DST_COLOR),
                    PICK(GL_ZERO, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_SRC_COLOR));
        break;
    case 2: set(GL_ALPHA_TEST, below(2)), glAlphaFunc(GL_LESS + below(7), between(0, 1)); break;
    case 3: glColorMask(below(4) > 0, below(4) > 0, below(4) > 0, below(2)); break;
    case 4:
        set(GL_SCISSOR_TEST, below(2)), glScissor(below(60), below(50), 60 + below(80), 40 + below(60));
        break;
    case 5:
        set(GL_STENCIL_TEST, below(2));
        glStencilFunc(PICK(GL_ALWAYS, GL_EQUAL, GL_LEQUAL), (int)below(4), 3);
        glStencilOp(GL_KEEP, PICK(GL_KEEP, GL_REPLACE), PICK(GL_INCR, GL_REPLACE, GL_INVERT));
        break;
    case 6:
        set(GL_CULL_FACE, below(4) == 0), glCullFace(PICK(GL_FRONT, GL_BACK)),
            glFrontFace(PICK(GL_CW, GL_CCW));
        break;
    case 7: glShadeModel(PICK(GL_FLAT, GL_SMOOTH)); break;
    default: glDepthMask(below(4) > 0);
    }
}

static void fog_state(void)
{
    set(GL_FOG, below(2));
    glFogi(GL_FOG_MODE, (int)PICK(GL_LINEAR, GL_EXP, GL_EXP2));
    glFogf(GL_FOG_START, between(0, 3)), glFogf(GL_FOG_END, between(4, 9)),
        glFogf(GL_FOG_DENSITY, between(0.05f, 0.4f));
    glFogfv(GL_FOG_COLOR, color());
    glFogi(GL_FOG_COORD_SRC, (int)PICK(GL_FOG_COORD, GL_FRAGMENT_DEPTH, GL_FRAGMENT_DEPTH));
}

static void light_state(void)
{
    const GLenum light = GL_LIGHT0 + below(8), face = PICK(GL_FRONT_AND_BACK, GL_FRONT);
    const GLfloat position[4] = {between(-3, 3), between(-3, 3), between(1, 4), (float)below(2)};
    set(GL_LIGHTING, below(3) > 0);
    set(light, below(4) > 0);
    glLightfv(light, GL_POSITION, position);
    glLightfv(light, PICK(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR), color());
    glLightf(light, GL_SPOT_CUTOFF, below(2) ? 180 : between(20, 80));
    glLightf(light, GL_LINEAR_ATTENUATION, between(0, 0.3f));
    glMaterialfv(face, PICK(GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION, GL_AMBIENT_AND_DIFFUSE),
                 color());
    glMaterialf(face, GL_SHININESS, between(1, 40));
    set(GL_COLOR_MATERIAL, below(2));
    glColorMaterial(face, PICK(GL_AMBIENT, GL_DIFFUSE, GL_AMBIENT_AND_DIFFUSE, GL_EMISSION));
    set(GL_NORMALIZE, below(2));
    glLightModeli(GL_LIGHT_MODEL_TWO_SIDE, (int)below(2));
    glLightModeli(GL_LIGHT_MODEL_LOCAL_VIEWER, (int)below(2));
    glLightModeli(GL_LIGHT_MODEL_COLOR_CONTROL, (int)PICK(GL_SINGLE_COLOR, GL_SEPARATE_SPECULAR_COLOR));
}

static void texture_state(void)
{
    const GLenum functions = PICK(GL_REPLACE, GL_MODULATE, GL_ADD, GL_ADD_SIGNED, GL_INTERPOLATE,
                                  GL_SUBTRACT);
    glActiveTexture(GL_TEXTURE0 + below(2));
    set(GL_TEXTURE_2D, below(3) > 0);
    glBindTexture(GL_TEXTURE_2D, textures[below(TEXTURES)]);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color());
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE,
              (int)PICK(GL_MODULATE, GL_REPLACE, GL_BLEND, GL_ADD, GL_COMBINE));
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, (int)functions);
    for (GLenum i = 0; i < 3; i++) {
        glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB + i,
                  (int)PICK(GL_TEXTURE, GL_PREVIOUS, GL_PRIMARY_COLOR, GL_CONSTANT));
        glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_ALPHA + i, (int)PICK(GL_TEXTURE, GL_PREVIOUS, GL_CONSTANT));
    }
    set(GL_TEXTURE_GEN_S, below(4) == 0), set(GL_TEXTURE_GEN_T, below(4) == 0);
    glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, (int)PICK(GL_OBJECT_LINEAR, GL_EYE_LINEAR, GL_SPHERE_MAP));
    glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, (int)PICK(GL_OBJECT_LINEAR, GL_EYE_LINEAR));
    if (below(3) == 0) {
        glMatrixMode(GL_TEXTURE);
        glLoadIdentity();
        glScalef(between(0.5f, 2), between(0.5f, 2), 1);
        glMatrixMode(GL_MODELVIEW);
    }
    glActiveTexture(GL_TEXTURE0);
}

/* ---- images ---- */

static const struct {
    GLenum format, type;
    unsigned bytes;
} kinds[] = {{GL_RGBA, GL_UNSIGNED_BYTE, 4},
             {GL_RGB, GL_UNSIGNED_BYTE, 3},
             {GL_BGRA, GL_UNSIGNED_BYTE, 4},
             {GL_BGR, GL_UNSIGNED_BYTE, 3},
             {GL_LUMINANCE, GL_UNSIGNED_BYTE, 1},
             {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2},
             {GL_ALPHA, GL_UNSIGNED_BYTE, 1},
             {GL_GREEN, GL_UNSIGNED_BYTE, 1},
             {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2},
             {GL_RGB, GL_UNSIGNED_BYTE_3_3_2, 1},
             {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2},
             {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2},
             {GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV, 2},
             {GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, 4},
             {GL_RGBA, GL_UNSIGNED_INT_8_8_8_8, 4},
             {GL_RGBA, GL_UNSIGNED_SHORT, 8},
             {GL_LUMINANCE, GL_UNSIGNED_INT, 4}};

static GLubyte image[40 * 40 * 8];

/* Makes random pixels in a random format, with random gaps in memory. Returns the index of the format. */
static unsigned make_image(void)
{
    const unsigned kind = below(sizeof kinds / sizeof *kinds);
    for (unsigned i = 0; i < sizeof image; i++)
        image[i] = (GLubyte)below(256);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1 << below(4));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, below(2) ? 0 : 33);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, (int)below(3));
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, (int)below(3));
    glPixelStorei(GL_UNPACK_SWAP_BYTES, below(4) == 0);
    return kind;
}

static void make_texture(unsigned n)
{
    const unsigned kind = make_image(), width = 1u << (2 + below(4)), height = 1u << (2 + below(4));
    const GLenum internal = PICK(GL_RGBA, GL_RGB, GL_RGBA8, GL_RGB8, GL_LUMINANCE8, GL_LUMINANCE_ALPHA,
                                 GL_ALPHA8, GL_INTENSITY, GL_INTENSITY8, 3, 4, 1);
    const int mipmaps = below(2) == 0;
    glBindTexture(GL_TEXTURE_2D, textures[n]);
    glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, mipmaps);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, mipmaps ? GL_LINEAR_MIPMAP_NEAREST : GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (int)PICK(GL_NEAREST, GL_LINEAR));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S,
                    (int)PICK(GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T,
                    (int)PICK(GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT));
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)internal, (int)width, (int)height, 0, kinds[kind].format,
                 kinds[kind].type, image);
    if (below(2)) {
        const unsigned other = make_image();
        glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, (int)width / 2, (int)height / 2, kinds[other].format,
                        kinds[other].type, image);
    }
}

static void pixels(void)
{
    const unsigned kind = make_image();
    /* Mesa ignores the raster position's texture coordinates, fog coordinate and secondary colour here */
    for (GLenum unit = 0; unit < 2; unit++)
        glActiveTexture(GL_TEXTURE1 - unit), glDisable(GL_TEXTURE_2D);
    glDisable(GL_FOG);
    glDisable(GL_LIGHTING);
    glColor4fv(color());
    glWindowPos3f((float)below(120), (float)below(90), between(0, 1));
    switch (below(4)) {
    case 0:
        glPixelZoom(between(0.6f, 2), between(-2, 2));
        glDrawPixels(20, 16, kinds[kind].format, kinds[kind].type, image);
        break;
    case 1:
        glPixelStorei(GL_UNPACK_LSB_FIRST, (int)below(2));
        glBitmap(29, 14, 2, 3, 30, 0, image);
        glBitmap(9, 9, 0, 0, 10, 0, image);
        break;
    case 2:
        glPixelZoom(1, 1);
        glCopyPixels((int)below(100), (int)below(80), 30, 20, GL_COLOR);
        break;
    default:
        glBindTexture(GL_TEXTURE_2D, textures[below(TEXTURES)]);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, PICK(GL_RGB, GL_RGBA, GL_LUMINANCE, GL_ALPHA, GL_INTENSITY),
                         (int)below(90), (int)below(50), 32, 32, 0);
    }
}

/* ---- shapes ---- */

static void place(void)
{
    glTranslatef(between(-1.5f, 1.5f), between(-1, 1), between(-2, 0.5f));
    glRotatef(between(-60, 60), between(-1, 1), between(-1, 1), 1);
    glScalef(between(0.5f, 1.4f), between(0.5f, 1.4f), 1);
}

/* Corner i of n: on an ellipse, so that polygons are convex. */
static void corner(int i, int n, float *v)
{
    static const float c[8] = {1, 0.71f, 0, -0.71f, -1, -0.71f, 0, 0.71f};
    const int k = i * 8 / n % 8;
    v[0] = c[k] * 1.3f, v[1] = c[(k + 6) % 8] * 0.9f, v[2] = 0.1f * (float)(i % 3);
}

static void attributes(void)
{
    if (below(2))
        glColor4fv(color());
    if (below(3) == 0)
        glColor3ub((GLubyte)below(256), (GLubyte)below(256), (GLubyte)below(256));
    if (below(2))
        glNormal3f(between(-1, 1), between(-1, 1), 1);
    glTexCoord2f(between(-1, 2), between(-1, 2));
    glMultiTexCoord2f(GL_TEXTURE1, between(0, 1), between(0, 1));
    if (below(4) == 0)
        glFogCoordf(between(0, 9));
    if (below(4) == 0)
        glSecondaryColor3fv(color());
}

static void immediate(void)
{
    const GLenum mode = PICK(GL_TRIANGLES, GL_QUADS, GL_POLYGON, GL_TRIANGLE_FAN, GL_TRIANGLE_STRIP,
                             GL_QUAD_STRIP, GL_LINE_LOOP, GL_LINES, GL_LINE_STRIP, GL_POINTS);
    float v[3];
    glPointSize(between(1, 9));
    glBegin(mode);
    for (int i = 0; i < 8; i++) {
        attributes();
        corner(mode == GL_TRIANGLE_STRIP || mode == GL_QUAD_STRIP ? (i & 1 ? 7 - i / 2 : i / 2) : i, 8, v);
        if (below(2))
            glVertex3fv(v);
        else
            glVertex4f(v[0] * 2, v[1] * 2, v[2] * 2, 2);
    }
    glEnd();
}

static struct {
    GLubyte color[4];
    GLshort texcoord[2];
    GLfloat normal[3];
    GLdouble wide[3];
    GLfloat position[3];
} vertex[VERTICES];

static void arrays(void)
{
    const int buffered = below(2) == 0, wide = !buffered && below(2), first = (int)below(3) * 8;
    const GLubyte indices[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    const GLuint long_indices[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const char *at = buffered ? NULL : (const char *)vertex;
    glBindBuffer(GL_ARRAY_BUFFER, buffered ? buffers[0] : 0);
#define OFFSET(field) (at + offsetof(__typeof__(vertex[0]), field))
    if (below(2))
        glColorPointer(4, GL_UNSIGNED_BYTE, sizeof *vertex, OFFSET(color)),
            glEnableClientState(GL_COLOR_ARRAY);
    if (below(2))
        glTexCoordPointer(2, GL_SHORT, sizeof *vertex, OFFSET(texcoord)),
            glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    if (below(2))
        glNormalPointer(GL_FLOAT, sizeof *vertex, OFFSET(normal)), glEnableClientState(GL_NORMAL_ARRAY);
    if (wide)
        glVertexPointer(3, GL_DOUBLE, sizeof *vertex, OFFSET(wide));
    else
        glVertexPointer(3, GL_FLOAT, sizeof *vertex, OFFSET(position));
#undef OFFSET
    glEnableClientState(GL_VERTEX_ARRAY);
    const GLenum mode = PICK(GL_TRIANGLES, GL_QUADS, GL_POLYGON, GL_TRIANGLE_FAN, GL_LINE_LOOP, GL_POINTS);
    switch (below(depth ? 3 : 4)) { /* no ArrayElement in lists: Mesa 22 confuses current values there */
    case 0: glDrawArrays(mode, first, 8); break;
    case 1: glDrawElements(mode, 8, GL_UNSIGNED_BYTE, indices); break;
    case 2: glDrawRangeElements(mode, 0, 7, 8, GL_UNSIGNED_INT, long_indices); break;
    default:
        glBegin(mode);
        for (int i = 0; i < 8; i++)
            glArrayElement(first + i);
        glEnd();
    }
    glDisableClientState(GL_VERTEX_ARRAY);
    glDisableClientState(GL_COLOR_ARRAY);
    glDisableClientState(GL_NORMAL_ARRAY);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    /* a color array leaves the current colour undefined */
    glColor4f(1, 0.5f, 0.25f, 1);
    glNormal3f(0, 0, 1);
    glTexCoord2f(0, 0);
}

static void step(void);

static void nested(void)
{
    if (depth > 2)
        return;
    depth++;
    switch (below(3)) {
    case 0:
        glPushAttrib(PICK(GL_ALL_ATTRIB_BITS, GL_ENABLE_BIT, GL_LIGHTING_BIT | GL_CURRENT_BIT, GL_TEXTURE_BIT,
                          GL_FOG_BIT, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT,
                          GL_POLYGON_BIT | GL_TRANSFORM_BIT | GL_VIEWPORT_BIT));
        step(), step();
        glPopAttrib();
        break;
    case 1:
        glPushMatrix();
        place();
        step(), step();
        glPopMatrix();
        break;
    default: {
        static unsigned in_list; /* 1 + the index of the open list; 0: none */
        const unsigned list = below(LISTS);
        if (in_list) { /* lists call only lists after them, so that no list calls itself */
            if (list >= in_list)
                glCallList(lists[list]);
            break;
        }
        in_list = list + 1;
        glNewList(lists[list], PICK(GL_COMPILE, GL_COMPILE_AND_EXECUTE));
        step(), step(), step();
        glEndList();
        in_list = 0;
        glPushMatrix();
        place();
        glCallLists(1, GL_UNSIGNED_INT, &lists[list]);
        glCallList(lists[list]);
        glPopMatrix();
    }
    }
    depth--;
}

static void step(void)
{
    switch (below(12)) {
    case 0:
    case 1: raster_state(); break;
    case 2: fog_state(); break;
    case 3: light_state(); break;
    case 4:
    case 5: texture_state(); break;
    case 6: make_texture(below(TEXTURES)); break;
    case 7: pixels(); break;
    case 8: nested(); break;
    default:
        glPushMatrix();
        place();
        if (below(2))
            immediate();
        else
            arrays();
        glPopMatrix();
    }
}

static void prepare(void)
{
    glGenTextures(TEXTURES, textures);
    for (unsigned i = 0; i < TEXTURES; i++)
        make_texture(i);
    lists[0] = glGenLists(LISTS);
    for (unsigned i = 1; i < LISTS; i++)
        lists[i] = lists[0] + i;
    for (int i = 0; i < VERTICES; i++) {
        corner(i % 8, 8, vertex[i].position);
        for (int c = 0; c < 4; c++)
            vertex[i].color[c] = (GLubyte)below(256);
        for (int c = 0; c < 3; c++)
            vertex[i].normal[c] = between(-1, 1), vertex[i].wide[c] = (double)vertex[i].position[c];
        vertex[i].texcoord[0] = (GLshort)(i % 3 - 1), vertex[i].texcoord[1] = (GLshort)(i % 4 - 1);
    }
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof vertex, vertex, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static void display(void)
{
    static int done;
    const char *seed = getenv("ES_SEED");
    if (done++)
        return;
    state = 88172645463325252ul ^ (unsigned long)(seed ? atoi(seed) : 1) * 2654435761ul;
    glClearColor(0.2f, 0.3f, 0.4f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glFrustum(-1.6, 1.6, -1.2, 1.2, 2, 12);
    glMatrixMode(GL_MODELVIEW);
    glTranslatef(0, 0, -4);
    prepare();
    const char *steps = getenv("ES_STEPS");
    for (int i = 0; i < (steps ? atoi(steps) : STEPS); i++)
        step();
    glutSwapBuffers();
}

int main(int argc, char **argv)
{
    glutInit(&argc, argv);
    glutInitDisplayMode(GLUT_RGBA | GLUT_DEPTH | GLUT_STENCIL | GLUT_DOUBLE);
    glutInitWindowSize(WIDTH, HEIGHT);
    glutCreateWindow("scripts");
    glutDisplayFunc(display);
    glutMainLoop();
    return 0;
}
