/* Draws the random whole states of texenv-gldiff (--both) with calls of GL, by the system's OpenGL and by
 * libtexenv-es over OpenGL ES 3, and compares them.
 *
 *   es_gldiff_gl COUNT [SEED [FIRST]]   draws with the system's OpenGL; writes records to standard output
 *   es_gldiff                           built with OVER_ES; reads the records, draws the states, compares
 *
 * States with polygons draw filled triangles of several pixels, some of which show their back; other states
 * draw points. tools/gldiff/both_direct.h tells what is compared, and within which limits. Textures have 8
 * bits here. */
#include "tools/gldiff/both_direct.h"
#include "tools/gldiff/compare.h"
#include "tools/gldiff/arb_scene.h"
#include "tools/texenvc/compile.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 4, WIDTH = CELL * VERTEX_COLUMNS, HEIGHT = 2 * CELL * VERTEX_ROWS, PIXELS = WIDTH * HEIGHT };
/* More variations than for single vertices, because there are many pixels, with texels' borders between them.
 */
enum { VARIATIONS = 2 * BOTH_VARIATIONS };
enum { UNSTEADY = -1, MESA = -2 }; /* reasons not to compare a pixel, in place of an allowed difference */

typedef float picture[PIXELS][4];

struct record {
    uint64_t seed, number;
    char why[128]; /* why the state is not compared; empty if it is */
    picture value, allowed;
};

static void fail(const char *text)
{
    fprintf(stderr, "es_gldiff: %s\n", text);
    exit(3);
}

/* ---- the framebuffer, of floats ---- */

static struct {
    PFNGLGENFRAMEBUFFERSPROC GenFramebuffers;
    PFNGLBINDFRAMEBUFFERPROC BindFramebuffer;
    PFNGLGENRENDERBUFFERSPROC GenRenderbuffers;
    PFNGLBINDRENDERBUFFERPROC BindRenderbuffer;
    PFNGLRENDERBUFFERSTORAGEPROC RenderbufferStorage;
    PFNGLFRAMEBUFFERRENDERBUFFERPROC FramebufferRenderbuffer;
    PFNGLCHECKFRAMEBUFFERSTATUSPROC CheckFramebufferStatus;
    __typeof__(glReadPixels) *ReadPixels;
    __typeof__(glClearColor) *ClearColor;
} raw; /* loaded by EGL: functions of the system's GL or ES, not of libtexenv-es */
static GLuint framebuffer;

static void open_framebuffer(void)
{
    GLuint name;
#define RAW(function) raw.function = (__typeof__(raw.function))eglGetProcAddress("gl" #function)
    RAW(GenFramebuffers), RAW(BindFramebuffer), RAW(GenRenderbuffers), RAW(BindRenderbuffer);
    RAW(RenderbufferStorage), RAW(FramebufferRenderbuffer), RAW(CheckFramebufferStatus);
    RAW(ReadPixels), RAW(ClearColor);
    raw.GenFramebuffers(1, &framebuffer);
    raw.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    raw.GenRenderbuffers(1, &name);
    raw.BindRenderbuffer(GL_RENDERBUFFER, name);
    raw.RenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, WIDTH, HEIGHT);
    raw.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
    if (raw.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        fail("there are no framebuffers of floats");
}

/* Draws with the state that is set. */
static void draw(picture out, bool points)
{
    raw.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    raw.ClearColor(ARB_NOTHING, ARB_NOTHING, ARB_NOTHING, ARB_NOTHING);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    gl.glViewport(0, 0, points ? VERTEX_COLUMNS : WIDTH, points ? VERTEX_ROWS : HEIGHT);
    gl.glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    gl.glDrawArrays(points ? GL_POINTS : GL_TRIANGLES, 0, VERTICES);
    raw.ReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_FLOAT, out);
}

#ifndef OVER_ES
/* ---- by the system's OpenGL ---- */

/* Excludes the pixels of two neighbouring triangles, which one of their vertices may change. */
static void leave_out(struct record *r, unsigned vertex, bool points, float reason)
{
    const unsigned width = points ? 2 : 2 * CELL, pair = vertex / 6;
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = pair * width; x < (pair + 1) * width; x++)
            for (unsigned c = 0; c < 4; c++)
                r->allowed[y * WIDTH + x][c] = reason;
}

/* Excludes pixels with fog whose colour sum exceeds 1, because Mesa does not clamp it before fog. */
static void leave_out_sums(struct record *r, const struct both_job *job, bool points)
{
    static picture sum;
    if (!job->state.color_sum || !job->state.fog)
        return;
    gl.glDisable(GL_FOG);
    draw(sum, points);
    for (unsigned i = 0; i < PIXELS; i++)
        if (!(sum[i][0] <= 1 && sum[i][1] <= 1 && sum[i][2] <= 1))
            for (unsigned c = 0; c < 4; c++)
                r->allowed[i][c] = MESA;
}

static void allow(struct record *r, picture moved, double base)
{
    for (unsigned i = 0; i < PIXELS; i++)
        for (unsigned c = 0; c < 4; c++)
            r->allowed[i][c] = moved[i][c] <= (float)BOTH_STEADY ? (float)base + moved[i][c] : UNSTEADY;
}

static const char *record(struct record *r)
{
    static picture other, moved;
    static bool bad[VERTICES];
    struct both_job job;
    const struct vertex_values *values = NULL;
    both_random(&job, r->seed, r->number, NULL);
    const bool points = both_points(&job);
    memset(moved, 0, sizeof moved);
    for (unsigned k = VARIATIONS + 1; k-- > 0;) {
        const char *why = both_set(&values, &job, r->seed, k);
        if (why)
            return why;
        draw(k == VARIATIONS ? r->value : other, points);
        for (unsigned i = 0; k < VARIATIONS && i < PIXELS * 4; i++)
            moved[i / 4][i % 4] = fmaxf(moved[i / 4][i % 4],
                                        fabsf(other[i / 4][i % 4] - r->value[i / 4][i % 4]));
    }
    memcpy(r->value, other, sizeof other);
    allow(r, moved, BOTH_TOLERANCE * state_gain(&job.state));
    leave_out_sums(r, &job, points);
    gl.glPolygonMode(GL_FRONT_AND_BACK, GL_POINT);
    if (!both_cube_q(bad, &job, values))
        return "the GL reports an error";
    for (unsigned i = 0; i < VERTICES; i++) {
        if (job.half.vertex.lighting && vertex_color_border(values, &job.half.vertex, i))
            leave_out(r, i, points, UNSTEADY);
        if (bad[i])
            leave_out(r, i, points, MESA);
    }
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL reports an error";
}

int main(int argc, char **argv)
{
    static struct record r;
    enum platform platform;
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 20;
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    r.seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    const char *why = gl_open(PLATFORM_SURFACELESS, &platform);
    if (!why)
        why = scene_open(true);
    if (!why)
        why = vertex_scene_open();
    if (why)
        fail(why);
    open_framebuffer();
    for (r.number = first; r.number < first + count; r.number++) {
        why = record(&r);
        snprintf(r.why, sizeof r.why, "%s", why ? why : "");
        if (fwrite(&r, sizeof r, 1, stdout) != 1)
            fail("stdout takes nothing");
    }
    return 0;
}

#else
/* ---- by libtexenv-es ---- */

struct gl_functions gl;

/* Functions that the library does not have stay NULL. */
#define GL(name) extern __typeof__(name) name __attribute__((weak));
#define GL_OPTIONAL(name) GL(name)
#include "tools/gldiff/gl.def"
#undef GL

static void find_functions(void)
{
#define GL(name) gl.name = name;
#include "tools/gldiff/gl.def"
#undef GL
}

bool gl_has(const char *extension)
{
    const char *all = (const char *)gl.glGetString(GL_EXTENSIONS);
    size_t n = strlen(extension);
    for (const char *p = all; p && (p = strstr(p, extension)); p += n)
        if ((p == all || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

static void open_context(void)
{
    static const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT, EGL_NONE};
    static const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE};
    PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
        "eglGetPlatformDisplayEXT");
    EGLDisplay display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL) : EGL_NO_DISPLAY;
    EGLConfig config;
    EGLint n = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1)
        fail("EGL has no such configuration");
    EGLSurface surface = eglCreatePbufferSurface(display, config,
                                                 (const EGLint[]){EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE});
    EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
    if (!eglMakeCurrent(display, surface, surface, context))
        fail("EGL gives no context");
}

static struct {
    uint64_t compared, over, refused, failed, values, unsteady, mesa, empty;
    double most;
} figures;

static float clamped(float v) { return fminf(fmaxf(v, 0), 1); }

static void compare_pictures(const struct record *r, const struct both_job *job, picture got)
{
    uint64_t over = 0;
    for (unsigned i = 0; i < PIXELS * 4; i++) {
        float a = r->value[i / 4][i % 4], b = got[i / 4][i % 4];
        const float allowed = r->allowed[i / 4][i % 4];
        const bool nothing = a == ARB_NOTHING;
        if (allowed < 0) {
            *(nothing ? &figures.empty : allowed == UNSTEADY ? &figures.unsteady : &figures.mesa) += 1;
            continue;
        }
        figures.values += !nothing;
        if (job->state.color_sum && !nothing && b != ARB_NOTHING)
            a = clamped(a), b = clamped(b);
        const float e = fabsf(a - b);
        if (e <= allowed) {
            figures.most = fmax(figures.most, (double)e);
            continue;
        }
        if (!over++)
            printf("state %" PRIu64 ": pixel %u,%u, %c: OpenGL %.9g, libtexenv-es %.9g (allowed %.3g)\n",
                   r->number, i / 4 % WIDTH, i / 4 / WIDTH, "rgba"[i % 4], (double)a, (double)b,
                   (double)allowed);
    }
    figures.over += over != 0;
    if (!over)
        return;
    static char half[1 << 12];
    struct texenv_text t;
    struct buffer b = {0};
    texenv_text_init(&t, half, sizeof half);
    texenv_print_vertex(&t, &job->half.vertex);
    add_stages(&b, &job->state);
    printf("  in %" PRIu64
           " values; flat %u, planes 0x%x, points %u, sprites 0x%x, radial fog %u\n  vertex half: %s\n  %s\n",
           over, job->raster.flat, job->raster.clip_planes, job->raster.points, job->raster.sprites,
           job->raster.radial_fog, half, b.data);
    buffer_free(&b);
}

static void refuse(uint64_t number, const char *why)
{
    figures.refused++;
    printf("state %" PRIu64 ": not compared: %s\n", number, why);
}

/* Tells whether libtexenv-es does not support the state (and prints so): point sprites with rectangle
 * textures. */
static bool is_missing(const struct both_job *job)
{
    bool out = false;
    for (unsigned u = 0; u < job->state.nstages; u++)
        out |= job->raster.sprites >> u & 1 && job->state.stage[u].mode != TEXENV_OFF &&
            job->state.stage[u].target == TEXENV_RECT;
    return out;
}

static void compare_state(const struct record *r)
{
    static picture got;
    struct both_job job;
    const struct vertex_values *values;
    both_random(&job, r->seed, r->number, NULL);
    const char *why = r->why[0] ? r->why : both_set(&values, &job, r->seed, 0);
    if (!why && is_missing(&job))
        why = "libtexenv-es has no point sprites of rectangle textures";
    if (why) {
        refuse(r->number, why);
        return;
    }
    draw(got, both_points(&job));
    const GLenum error = gl.glGetError();
    if (error) {
        figures.failed++;
        printf("state %" PRIu64 ": error 0x%x\n", r->number, error);
        return;
    }
    figures.compared++;
    compare_pictures(r, &job, got);
}

int main(void)
{
    static struct record r;
    open_context();
    find_functions();
    scene_open_inputs(true);
    vertex_scene_open_arrays();
    open_framebuffer();
    while (fread(&r, sizeof r, 1, stdin) == 1)
        compare_state(&r);
    printf("%" PRIu64 " whole states compared, %" PRIu64 " over; %" PRIu64 " not compared, %" PRIu64
           " with errors; %" PRIu64 " values compared, %" PRIu64 " left out as unsteady, %" PRIu64
           " for what Mesa does; largest difference %.3g\n",
           figures.compared, figures.over, figures.refused, figures.failed, figures.values, figures.unsteady,
           figures.mesa, figures.most);
    return !figures.compared || figures.over || figures.failed;
}
#endif
