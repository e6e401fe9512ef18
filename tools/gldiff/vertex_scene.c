#include "vertex_scene.h"
#include "arb_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    CELL = 16, /* pixels on a side of the square in which one point's size is measured */
    SIZES = CELL * VERTEX_COLUMNS
};

/* framebuffers: `small` has a pixel for each vertex, `large` a square of CELL pixels */
static GLuint small, large;

/* ---- fragment shaders that output the results ---- */

static bool shown(const struct texenv_vertex_reads *reads, unsigned seen)
{
    switch (seen) {
    case SEEN_PRIMARY: return reads->primary;
    case SEEN_SECONDARY: return reads->secondary;
    case SEEN_FOG: return reads->fog;
    default: return seen < SEEN_POSITION && reads->coord[seen - SEEN_COORD];
    }
}

/* Writes the name of a fragment input in GLSL or in ARB programs. */
static void input(char *out, size_t size, unsigned seen, bool shader)
{
    static const char *const names[2][3] = {
        {"fragment.color", "fragment.color.secondary", "fragment.fogcoord"},
        {"gl_Color", "gl_SecondaryColor", "vec4(gl_FogFragCoord)"}};
    if (seen < SEEN_COORD)
        snprintf(out, size, "%s", names[shader][seen]);
    else
        snprintf(out, size, shader ? "gl_TexCoord[%u]" : "fragment.texcoord[%u]", seen - SEEN_COORD);
}

/* Outputs the window position of a fragment. */
static const char place_program[] = "!!ARBfp1.0\nMOV result.color, fragment.position;\nEND\n",
                  place_shader[] = "#version 120\nvoid main()\n{\n    gl_FragColor = gl_FragCoord;\n}\n";

static void show(char *text, size_t size, const struct texenv_vertex_reads *reads, unsigned part, bool shader)
{
    if (part >= PART_POSITION) {
        snprintf(text, size, "%s", shader ? place_shader : place_program);
        return;
    }
    size_t n = (size_t)snprintf(
        text, size, shader ? "#version 120\nvoid main()\n{\n" : "!!ARBfp1.0\nOPTION ARB_draw_buffers;\n");
    for (unsigned i = 0; i < TARGETS; i++) {
        const unsigned seen = part * TARGETS + i;
        char name[40] = "";
        if (shown(reads, seen))
            input(name, sizeof name, seen, shader);
        else if (shader)
            snprintf(name, sizeof name, "vec4(0.0)");
        n += (size_t)snprintf(text + n, size - n,
                              shader ? "    gl_FragData[%u] = %s;\n" : "MOV result.color[%u], %s;\n", i,
                              name[0] ? name : "0");
    }
    snprintf(text + n, size - n, shader ? "}\n" : "END\n");
}

void vertex_scene_shader(char *text, size_t size, const struct texenv_vertex_reads *reads, unsigned part)
{
    show(text, size, reads, part, true);
}

/* ---- framebuffers ---- */

static GLuint attached(GLsizei width, GLsizei height, unsigned targets)
{
    GLuint framebuffer, name;
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (unsigned i = 0; i < targets; i++) {
        gl.glGenTextures(1, &name);
        gl.glBindTexture(GL_TEXTURE_2D, name);
        gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        gl.glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F_ARB, width, height, 0, GL_RGBA, GL_FLOAT, NULL);
        gl.glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, name, 0);
    }
    return framebuffer;
}

void vertex_scene_open_arrays(void)
{
    gl.glEnableClientState(GL_VERTEX_ARRAY);
    gl.glEnableClientState(GL_NORMAL_ARRAY);
    gl.glEnableClientState(GL_COLOR_ARRAY);
    gl.glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    gl.glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        gl.glClientActiveTexture(GL_TEXTURE0 + u);
        gl.glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    }
}

const char *vertex_scene_open(void)
{
    GLint units = 0;
    gl.glGetIntegerv(GL_MAX_TEXTURE_UNITS, &units);
    if (units < TEXENV_UNITS)
        return "the GL has fewer than 8 fixed-function texture units";
    if (!gl.glGenFramebuffers || !gl.glDrawBuffers || !gl.glSecondaryColorPointer || !gl.glFogCoordPointer ||
        !gl.glPointParameterfv || !gl_has("GL_ARB_fragment_program") || !gl_has("GL_ARB_vertex_program"))
        return "the GL lacks framebuffer objects, glDrawBuffers or the vertex programs of "
               "GL_ARB_vertex_program";
    gl.glActiveTexture(GL_TEXTURE0);
    small = attached(VERTEX_COLUMNS, VERTEX_ROWS, TARGETS);
    if (gl.glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return "the GL cannot draw into 8 textures of floats";
    large = attached(SIZES, CELL * VERTEX_ROWS, 1);
    /* so that points have the front or back colours of their triangles */
    gl.glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    gl.glEnable(GL_VERTEX_PROGRAM_TWO_SIDE);
    gl.glEnable(GL_FOG);
    vertex_scene_open_arrays();
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses to set up the scene";
}

/* ---- drawing ---- */

/* Prepares drawing to n colour attachments of the small framebuffer. */
static void begin_pixels(unsigned n)
{
    static GLenum buffers[TARGETS];
    for (unsigned i = 0; i < n; i++)
        buffers[i] = GL_COLOR_ATTACHMENT0 + i;
    gl.glBindFramebuffer(GL_FRAMEBUFFER, small);
    gl.glDrawBuffers((GLsizei)n, buffers);
    gl.glViewport(0, 0, VERTEX_COLUMNS, VERTEX_ROWS);
    gl.glClearColor(ARB_NOTHING, ARB_NOTHING, ARB_NOTHING, ARB_NOTHING);
    gl.glClear(GL_COLOR_BUFFER_BIT);
}

static void draw_pixels(unsigned n, GLenum mode)
{
    begin_pixels(n);
    gl.glDrawArrays(mode, 0, VERTICES);
}

static void read_pixels(float out[VERTICES][4], unsigned target)
{
    static float pixel[VERTEX_ROWS][VERTEX_COLUMNS][4];
    gl.glReadBuffer(GL_COLOR_ATTACHMENT0 + target);
    gl.glReadPixels(0, 0, VERTEX_COLUMNS, VERTEX_ROWS, GL_RGBA, GL_FLOAT, pixel);
    for (unsigned i = 0; i < VERTICES; i++) {
        unsigned x, y;
        vertex_pixel(i, &x, &y);
        memcpy(out[i], pixel[y][x], sizeof pixel[y][x]);
    }
}

static void draw_part(struct vertex_shot *shot, unsigned part)
{
    draw_pixels(TARGETS, GL_TRIANGLES);
    for (unsigned i = 0; i < TARGETS && part * TARGETS + i < SEEN_POSITION; i++)
        read_pixels(shot->value[part * TARGETS + i], i);
}

bool vertex_scene_point(float (*values)[4], unsigned n)
{
    begin_pixels(n);
    gl.glDrawArrays(GL_POINTS, 0, 1);
    for (unsigned i = 0; i < n; i++) {
        gl.glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        gl.glReadPixels(VERTEX_COLUMNS / 2, VERTEX_ROWS / 2, 1, 1, GL_RGBA, GL_FLOAT, values[i]);
    }
    return gl.glGetError() == GL_NO_ERROR;
}

bool vertex_scene_pixels(float out[VERTICES][4], bool points)
{
    draw_pixels(1, points ? GL_POINTS : GL_TRIANGLES);
    read_pixels(out, 0);
    return gl.glGetError() == GL_NO_ERROR;
}

/* Copies the pixel that is drawn within the square of vertex i. Returns false if there is none. */
static bool find_pixel(float (*pixel)[SIZES][4], unsigned i, float out[4])
{
    unsigned x, y;
    vertex_pixel(i, &x, &y);
    for (unsigned k = 0; k < CELL * CELL; k++) {
        const float *p = pixel[y * CELL + k / CELL][x * CELL + k % CELL];
        if (p[0] == ARB_NOTHING)
            continue;
        out[0] = (float)(k % CELL), out[1] = (float)(k / CELL), out[2] = p[2], out[3] = p[3];
        return true;
    }
    return false;
}

/* Measures window coordinates and 1/w. Each vertex is drawn near the middle of its square, with a viewport so
 * large that a pixel is 1/SHARP of a column or row of vertices. */
static void draw_positions(struct vertex_shot *shot)
{
    enum { SHARP = 1024 };
    static float pixel[CELL * VERTEX_ROWS][SIZES][4];
    static const GLenum buffer = GL_COLOR_ATTACHMENT0;
    gl.glBindFramebuffer(GL_FRAMEBUFFER, large);
    gl.glDrawBuffers(1, &buffer);
    gl.glReadBuffer(buffer);
    gl.glClearColor(ARB_NOTHING, ARB_NOTHING, ARB_NOTHING, ARB_NOTHING);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    for (unsigned i = 0; i < VERTICES; i++) {
        unsigned x, y;
        vertex_pixel(i, &x, &y);
        gl.glViewport((GLint)(x * CELL + CELL / 2) - (GLint)(x * SHARP + SHARP / 2),
                      (GLint)(y * CELL + CELL / 2) - (GLint)(y * SHARP + SHARP / 2), SHARP * VERTEX_COLUMNS,
                      SHARP * VERTEX_ROWS);
        gl.glDrawArrays(GL_POINTS, (GLint)i, 1);
    }
    gl.glReadPixels(0, 0, SIZES, CELL * VERTEX_ROWS, GL_RGBA, GL_FLOAT, pixel);
    for (unsigned i = 0; i < VERTICES; i++)
        if (!find_pixel(pixel, i, shot->value[SEEN_POSITION][i]))
            shot->value[SEEN_POSITION][i][0] = NAN;
}

/* Measures point sizes: the square root of the number of pixels that a point covers in its square. */
static void draw_sizes(struct vertex_shot *shot, const struct vertex_values *v)
{
    static float pixel[CELL * VERTEX_ROWS][SIZES][4];
    static const GLenum buffer = GL_COLOR_ATTACHMENT0;
    gl.glBindFramebuffer(GL_FRAMEBUFFER, large);
    gl.glDrawBuffers(1, &buffer);
    gl.glReadBuffer(buffer);
    gl.glViewport(0, 0, SIZES, CELL * VERTEX_ROWS);
    gl.glClearColor(ARB_NOTHING, ARB_NOTHING, ARB_NOTHING, ARB_NOTHING);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    vertex_values_points(v);
    gl.glEnable(GL_VERTEX_PROGRAM_POINT_SIZE);
    gl.glDrawArrays(GL_POINTS, 0, VERTICES);
    gl.glDisable(GL_VERTEX_PROGRAM_POINT_SIZE);
    vertex_values_points(NULL);
    gl.glReadPixels(0, 0, SIZES, CELL * VERTEX_ROWS, GL_RGBA, GL_FLOAT, pixel);
    for (unsigned i = 0; i < VERTICES; i++) {
        unsigned x, y, n = 0;
        vertex_pixel(i, &x, &y);
        for (unsigned k = 0; k < CELL * CELL; k++)
            n += pixel[y * CELL + k / CELL][x * CELL + k % CELL][0] != ARB_NOTHING;
        shot->value[SEEN_SIZE][i][0] = sqrtf((float)n);
    }
}

bool vertex_scene_part(const struct vertex_subject *subject, unsigned part)
{
    bool any = part == PART_POSITION || (part == PART_SIZE && subject->vertex.point_attenuation);
    for (unsigned seen = part * TARGETS; part < PART_POSITION && seen < (part + 1) * TARGETS; seen++)
        any |= shown(&subject->reads, seen);
    return any;
}

/* Draws one part of the results. The caller has set all other state. */
static void draw_shown(struct vertex_shot *shot, const struct vertex_values *v, unsigned part)
{
    if (part < PART_POSITION)
        draw_part(shot, part);
    else if (part == PART_POSITION)
        draw_positions(shot);
    else
        draw_sizes(shot, v);
}

bool vertex_scene_draw(struct vertex_shot *shot, const struct vertex_values *v,
                       const struct vertex_subject *subject)
{
    char text[1024];
    const char *why;
    memset(shot, 0, sizeof *shot);
    for (unsigned part = 0; part < VERTEX_PARTS; part++) {
        if (!vertex_scene_part(subject, part))
            continue;
        show(text, sizeof text, &subject->reads, part, false);
        const GLuint name = arb_program_new(GL_FRAGMENT_PROGRAM_ARB, text, strlen(text), &why);
        if (!name)
            return false;
        gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
        draw_shown(shot, v, part);
        gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
        arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, name);
    }
    return gl.glGetError() == GL_NO_ERROR;
}

bool vertex_scene_draw_shaders(struct vertex_shot *shot, const struct vertex_values *v,
                               const GLuint programs[VERTEX_PARTS],
                               void (*use)(GLuint program, const struct vertex_values *v, unsigned part))
{
    memset(shot, 0, sizeof *shot);
    for (unsigned part = 0; part < VERTEX_PARTS; part++) {
        if (!programs[part])
            continue;
        gl.glUseProgram(programs[part]);
        if (use)
            use(programs[part], v, part);
        draw_shown(shot, v, part);
    }
    gl.glUseProgram(0);
    return gl.glGetError() == GL_NO_ERROR;
}
