/* Conformance vectors (conform.h) over the GL of this machine: OpenGL 1.3 or OpenGL ES 1.1 by EGL, or OSMesa;
 * or over a shared library with OpenGL 1.3's functions that draws by OpenGL ES 2.
 * Nothing is needed but a C compiler: libraries are opened at run time, and no header of GL is read.
 *
 *   ./conform [gl|es|osmesa|./LIBRARY.so] [--strict]      --strict: 1 step of 1/255 whatever a vector says
 *
 * Exit status: 0 all passed, 1 some failed, 2 wrong usage, 77 there is no such GL.
 */
#define _GNU_SOURCE
#include "conform.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef unsigned int GLenum;
#define FUNCTIONS(F) \
    F(void, Enable, (GLenum cap)) \
    F(void, Disable, (GLenum cap)) \
    F(void, ActiveTexture, (GLenum unit)) \
    F(void, GenTextures, (int n, unsigned *names)) \
    F(void, BindTexture, (GLenum target, unsigned name)) \
    F(void, TexImage2D, \
      (GLenum target, int level, int internal, int width, int height, int border, GLenum format, \
       GLenum type, const void *data)) \
    F(void, TexParameteri, (GLenum target, GLenum name, int value)) \
    F(void, TexEnvi, (GLenum target, GLenum name, int value)) \
    F(void, TexEnvfv, (GLenum target, GLenum name, const float *values)) \
    F(void, PixelStorei, (GLenum name, int value)) \
    F(void, Color4f, (float r, float g, float b, float a)) \
    F(void, Normal3f, (float x, float y, float z)) \
    F(void, MultiTexCoord4f, (GLenum unit, float s, float t, float r, float q)) \
    F(void, EnableClientState, (GLenum array)) \
    F(void, VertexPointer, (int size, GLenum type, int stride, const void *data)) \
    F(void, DrawArrays, (GLenum mode, int first, int count)) \
    F(void, AlphaFunc, (GLenum func, float ref)) \
    F(void, Fogfv, (GLenum name, const float *values)) \
    F(void, Lightfv, (GLenum light, GLenum name, const float *values)) \
    F(void, LightModelfv, (GLenum name, const float *values)) \
    F(void, Materialfv, (GLenum face, GLenum name, const float *values)) \
    F(void, MatrixMode, (GLenum mode)) \
    F(void, LoadMatrixf, (const float *matrix)) \
    F(void, LoadIdentity, (void)) \
    F(void, PointSize, (float size)) \
    F(void, Viewport, (int x, int y, int width, int height)) \
    F(void, ClearColor, (float r, float g, float b, float a)) \
    F(void, Clear, (GLenum buffers)) \
    F(void, ReadPixels, (int x, int y, int width, int height, GLenum format, GLenum type, void *data)) \
    F(void, GetIntegerv, (GLenum name, int *values)) \
    F(const char *, GetString, (GLenum name)) \
    F(GLenum, GetError, (void))
#define OPTIONAL(F) \
    F(void, TexGenfv, (GLenum coordinate, GLenum name, const float *values)) \
    F(void, FogCoordf, (float coordinate)) \
    F(void, SecondaryColor3f, (float r, float g, float b))

#define DECLARE(type, name, parameters) type(*name) parameters;
static struct {
    FUNCTIONS(DECLARE)
    OPTIONAL(DECLARE)
} gl;

enum { SIDE = 16, UNITS = 8 };
struct context {
    const char *layer; /* the path of a library over OpenGL ES 2, or NULL */
    int es, units, alpha_bits;
    unsigned long tags; /* tags of vectors that this GL cannot draw */
    unsigned texture[UNITS];
    void *(*find)(const char *name);
    void *library;
};

/* ---- opening ---- */

static void *find(const struct context *c, const char *name)
{
    static const char *const endings[] = {"", "ARB", "EXT", "OES"};
    char whole[64];
    void *p = NULL;
    for (unsigned i = 0; !p && i < sizeof endings / sizeof *endings; i++) {
        snprintf(whole, sizeof whole, "gl%s%s", name, endings[i]);
        p = c->library ? dlsym(c->library, whole) : NULL;
        p = p || !c->find ? p : c->find(whole);
    }
    return p;
}

/* Function pointers by way of memory: dlsym gives a data pointer. */
static int load(const struct context *c)
{
    int all = 1;
    void *p;
#define LOAD(type, name, parameters) memcpy(&gl.name, (p = find(c, #name), &p), sizeof p);
    FUNCTIONS(LOAD)
    OPTIONAL(LOAD)
#undef LOAD
#define CHECK(type, name, parameters) all &= gl.name != NULL;
    FUNCTIONS(CHECK)
#undef CHECK
    return all;
}

static void get(void *library, const char *name, void *function)
{
    void *p = dlsym(library, name);
    memcpy(function, &p, sizeof p);
}

static int open_osmesa(struct context *c)
{
    static unsigned char buffer[SIDE * SIDE * 4];
    void *(*create)(GLenum format, int depth, int stencil, int accum, void *share);
    unsigned char (*make_current)(void *context, void *data, GLenum type, int width, int height);
    void *library = dlopen("libOSMesa.so.8", RTLD_NOW | RTLD_GLOBAL);
    if (!library)
        return 0;
    get(library, "OSMesaCreateContextExt", &create);
    get(library, "OSMesaMakeCurrent", &make_current);
    get(library, "OSMesaGetProcAddress", &c->find);
    void *context = create && make_current && c->find ? create(0x1908, 24, 0, 0, NULL) : NULL;
    return context && make_current(context, buffer, 0x1401, SIDE, SIDE) && load(c);
}

/* A surfaceless display (of Mesa), or the default one; a pbuffer. */
static int open_egl(struct context *c)
{
    void *(*display)(GLenum platform, void *native, const int *attributes), *(*plain)(void *native);
    unsigned (*start)(void *d, int *major, int *minor), (*bind)(GLenum api);
    unsigned (*choose)(void *d, const int *wanted, void **configs, int size, int *count);
    void *(*surface)(void *d, void *config, const int *size), *context;
    void *(*create)(void *d, void *config, void *share, const int *version);
    unsigned (*current)(void *d, void *draw, void *read, void *context);
    const int major = c->layer ? 2 : c->es, kind = c->layer ? 4 : c->es ? 1 : 8;
    const int wanted[] = {0x3033, 1, 0x3040, kind, 0x3024, 8, 0x3021, 8, 0x3025, 16, 0x3038};
    const int size[] = {0x3057, SIDE, 0x3056, SIDE, 0x3038}, version[] = {0x3098, major, 0x3038};
    void *library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL), *d = NULL, *config, *s;
    int count = 0;
    if (c->layer)
        c->library = dlopen(c->layer, RTLD_NOW);
    else
        c->library = dlopen(c->es ? "libGLESv1_CM.so.1" : "libGL.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library || (c->layer && !c->library))
        return 0;
    get(library, "eglGetPlatformDisplay", &display);
    get(library, "eglGetDisplay", &plain);
    get(library, "eglInitialize", &start);
    get(library, "eglBindAPI", &bind);
    get(library, "eglChooseConfig", &choose);
    get(library, "eglCreatePbufferSurface", &surface);
    get(library, "eglCreateContext", &create);
    get(library, "eglMakeCurrent", &current);
    if (!c->layer) /* what it has not is not there */
        get(library, "eglGetProcAddress", &c->find);
    if (display)
        d = display(0x31DD, NULL, NULL);
    if (!d || !start(d, NULL, NULL)) {
        d = plain(NULL);
        if (!d || !start(d, NULL, NULL))
            return 0;
    }
    if (!bind(major ? 0x30A0 : 0x30A2) || !choose(d, wanted, &config, 1, &count) || count < 1)
        return 0;
    s = surface(d, config, size);
    context = create(d, config, NULL, major ? version : NULL);
    return s && context && current(d, s, s, context) && load(c);
}

static int has(const char *extension)
{
    const char *all = gl.GetString(0x1F03), *p;
    const size_t n = strlen(extension);
    for (p = all; p && (p = strstr(p, extension)); p += n)
        if ((p == all || p[-1] == ' ') && (p[n] == ' ' || p[n] == '\0'))
            return 1;
    return 0;
}

static int version_of(const char *text)
{
    while (text && *text && (*text < '0' || *text > '9'))
        text++;
    return text && *text ? (text[0] - '0') * 10 + text[2] - '0' : 0;
}

/* Tags of what it has not. A vector also has a tag for what it needs, so that it can be left out. */
static void find_limits(struct context *c)
{
    const int version = version_of(gl.GetString(0x1F02));
    const struct {
        const char *tag;
        int there;
    } known[] = {
        {"crossbar", !c->es && (version >= 14 || has("GL_ARB_texture_env_crossbar"))},
        {"ATI3", has("GL_ATI_texture_env_combine3")},
        {"NV4", has("GL_NV_texture_env_combine4")},
        {"colorsum", gl.SecondaryColor3f && (version >= 14 || has("GL_EXT_secondary_color"))},
        {"fog-coord", gl.FogCoordf && (version >= 14 || has("GL_EXT_fog_coord"))},
        {"texgen", gl.TexGenfv && !c->es},
    };
    for (unsigned t = 0; t < TEXENV_VECTOR_TAGS; t++)
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
            if (!known[k].there && strcmp(known[k].tag, texenv_vector_tags[t]) == 0)
                c->tags |= 1UL << t;
    gl.GetIntegerv(0x84E2, &c->units);
    c->units = c->units > UNITS ? UNITS : c->units;
    gl.GetIntegerv(0x0D55, &c->alpha_bits);
}

static int can(const struct context *c, unsigned long tags)
{
    unsigned long es = 0;
    for (unsigned t = 0; t < TEXENV_VECTOR_TAGS; t++)
        es |= strcmp(texenv_vector_tags[t], "ES1.1") == 0 ? 1UL << t : 0;
    return !(tags & c->tags) && (!c->es || tags & es);
}

/* ---- the initial state ---- */

static void reset_unit(const struct context *c, int unit)
{
    static const int initial[][2] = {{0x8571, 0x2100}, {0x8572, 0x2100}, {0x8580, 0x1702}, {0x8581, 0x8578},
                                     {0x8582, 0x8576}, {0x8588, 0x1702}, {0x8589, 0x8578}, {0x858A, 0x8576},
                                     {0x8590, 0x0300}, {0x8591, 0x0300}, {0x8592, 0x0302}, {0x8598, 0x0302},
                                     {0x8599, 0x0302}, {0x859A, 0x0302}, {0x8573, 1},      {0x0D1C, 1},
                                     {0x2200, 0x2100}};
    gl.ActiveTexture(0x84C0 + (GLenum)unit);
    gl.Disable(0x0DE1);
    if (has("GL_NV_texture_env_combine4")) { /* SOURCE3 is ZERO */
        gl.TexEnvi(0x2300, 0x8583, 0);
        gl.TexEnvi(0x2300, 0x858B, 0);
    }
    for (unsigned i = 0; i < sizeof initial / sizeof *initial; i++)
        gl.TexEnvi(0x2300, (GLenum)initial[i][0], initial[i][1]);
    for (GLenum cap = 0x0C60; !c->es && unit == 0 && cap <= 0x0C63; cap++) /* GL_TEXTURE_GEN_S ... */
        gl.Disable(cap);
    gl.MatrixMode(0x1702);
    gl.LoadIdentity();
}

static void reset_light(GLenum light)
{
    static const float cutoff[] = {180}, none[] = {0}, one[] = {1}, down[] = {0, 0, -1};
    gl.Disable(light);
    gl.Lightfv(light, 0x1204, down);
    gl.Lightfv(light, 0x1205, none);
    gl.Lightfv(light, 0x1206, cutoff);
    gl.Lightfv(light, 0x1207, one);
    gl.Lightfv(light, 0x1208, none);
    gl.Lightfv(light, 0x1209, none);
}

static void reset(const struct context *c)
{
    /* fog, alpha test, lighting, materials of colours, normals; colour sum, which ES has not */
    static const GLenum caps[] = {0x0B60, 0x0BC0, 0x0B50, 0x0B57, 0x0BA1, 0x803A, 0x8458};
    static const float none[] = {0}, single[] = {0x81F9}, depth[] = {0x8452};
    const unsigned char *b = texenv_vector_background;
    for (unsigned i = 0; i < sizeof caps / sizeof *caps - (unsigned)c->es; i++)
        gl.Disable(caps[i]);
    for (GLenum light = 0x4000; light < 0x4008; light++)
        reset_light(light);
    if (!c->es) {
        gl.LightModelfv(0x0B51, none);
        gl.LightModelfv(0x81F8, single);
        gl.Fogfv(0x8450, depth);
    }
    for (int unit = c->units - 1; unit >= 0; unit--)
        reset_unit(c, unit);
    gl.MatrixMode(0x1701);
    gl.LoadIdentity();
    gl.MatrixMode(0x1700);
    gl.LoadIdentity();
    gl.Viewport(0, 0, SIDE, SIDE);
    gl.ClearColor(b[0] / 255.f, b[1] / 255.f, b[2] / 255.f, b[3] / 255.f);
    gl.Clear(0x4000);
    gl.GetError();
}

/* ---- drawing ---- */

/* Writes those components of an RGBA texel that an image of this format has. Returns their number. */
static int components(GLenum format, const unsigned char texel[4], unsigned char out[4])
{
    switch (format) {
    case 0x1906: out[0] = texel[3]; return 1;
    case 0x1909: out[0] = texel[0]; return 1;
    case 0x190A:
        out[0] = texel[0];
        out[1] = texel[3];
        return 2;
    case 0x1907: memcpy(out, texel, 3); return 3;
    default: memcpy(out, texel, 4); return 4;
    }
}

static void plain_texture(void)
{
    gl.TexParameteri(0x0DE1, 0x2801, 0x2600);
    gl.TexParameteri(0x0DE1, 0x2800, 0x2600);
    gl.PixelStorei(0x0CF5, 1);
    gl.Enable(0x0DE1);
}

static void set_unit(const struct context *c, unsigned number, const struct texenv_vector_unit *u)
{
    unsigned char data[4];
    float color[4];
    gl.ActiveTexture(0x84C0 + number);
    gl.BindTexture(0x0DE1, c->texture[number]);
    plain_texture();
    if (u->format == 0x8049) /* GL_INTENSITY is no format of pixels */
        gl.TexImage2D(0x0DE1, 0, 0x8049, 1, 1, 0, 0x1909, 0x1401, u->texel);
    else {
        components(u->format, u->texel, data);
        gl.TexImage2D(0x0DE1, 0, u->format, 1, 1, 0, u->format, 0x1401, data);
    }
    for (unsigned i = 0; i < u->envs; i++)
        gl.TexEnvi(0x2300, texenv_vector_envs[u->env + i][0], texenv_vector_envs[u->env + i][1]);
    for (int i = 0; i < 4; i++)
        color[i] = u->color[i] / 255.f;
    gl.TexEnvfv(0x2300, 0x2201, color);
}

static void set_fog(const struct texenv_vector_fog *f)
{
    const float mode = f->mode;
    float color[4];
    for (int i = 0; i < 4; i++)
        color[i] = f->color[i] / 255.f;
    gl.Fogfv(0x0B65, &mode);
    gl.Fogfv(0x0B63, &f->start);
    gl.Fogfv(0x0B64, &f->end);
    gl.Fogfv(0x0B62, &f->density);
    gl.Fogfv(0x0B66, color);
    gl.Enable(0x0B60);
}

static void read_pixel(unsigned char rgba[4])
{
    unsigned char all[SIDE * SIDE * 4];
    const GLenum error = gl.GetError();
    gl.ReadPixels(0, 0, SIDE, SIDE, 0x1908, 0x1401, all);
    memcpy(rgba, all + (SIDE / 2 * SIDE + SIDE / 2) * 4, 4);
    if (error)
        fprintf(stderr, "GL error 0x%x\n", error);
}

static int draw(void *user, const struct texenv_vector *v, unsigned char rgba[4])
{
    const struct context *c = user;
    const float depth = v->fog < 0 ? 0 : texenv_vector_fogs[v->fog].depth;
    const float square[] = {-1, -1, -depth, 1, -1, -depth, -1, 1, -depth, 1, 1, -depth};
    const float projection[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -.03125f, 0, 0, 0, 0, 1};
    if (!can(c, v->tags) || v->units > c->units)
        return 0;
    reset(c);
    for (unsigned u = 0; u < v->units; u++)
        if (texenv_vector_units[v->unit + u].format)
            set_unit(c, u, &texenv_vector_units[v->unit + u]);
    if (v->fog >= 0)
        set_fog(&texenv_vector_fogs[v->fog]);
    if (v->color_sum) {
        gl.Enable(0x8458);
        gl.SecondaryColor3f(v->secondary[0] / 255.f, v->secondary[1] / 255.f, v->secondary[2] / 255.f);
    }
    if (v->alpha_test) {
        gl.Enable(0x0BC0);
        gl.AlphaFunc(v->alpha_test, v->alpha_reference / 255.f);
    }
    gl.MatrixMode(0x1701);
    gl.LoadMatrixf(projection);
    gl.Color4f(v->primary[0] / 255.f, v->primary[1] / 255.f, v->primary[2] / 255.f, v->primary[3] / 255.f);
    gl.EnableClientState(0x8074);
    gl.VertexPointer(3, 0x1406, 0, square);
    gl.DrawArrays(5, 0, 4);
    read_pixel(rgba);
    return 1;
}

static void set_lookup(const struct context *c)
{
    unsigned char texels[8][8][4];
    for (int t = 0; t < 8; t++)
        for (int s = 0; s < 8; s++) {
            const unsigned char texel[] = {(unsigned char)(16 + 32 * s), (unsigned char)(16 + 32 * t), 128,
                                           255};
            memcpy(texels[t][s], texel, 4);
        }
    gl.ActiveTexture(0x84C0);
    gl.BindTexture(0x0DE1, c->texture[0]);
    plain_texture();
    gl.TexImage2D(0x0DE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401, texels);
    gl.TexEnvi(0x2300, 0x2200, 0x1E01);
}

static void call(const struct texenv_vertex_call *c)
{
    const float *v = texenv_vertex_values + c->value;
    switch (c->call) {
    case TEXENV_CALL_ENABLE: gl.Enable(c->a); break;
    case TEXENV_CALL_MATRIXMODE: gl.MatrixMode(c->a); break;
    case TEXENV_CALL_LOADMATRIXF: gl.LoadMatrixf(v); break;
    case TEXENV_CALL_LIGHTFV: gl.Lightfv(c->a, c->b, v); break;
    case TEXENV_CALL_LIGHTMODELFV: gl.LightModelfv(c->a, v); break;
    case TEXENV_CALL_MATERIALFV: gl.Materialfv(c->a, c->b, v); break;
    case TEXENV_CALL_TEXGENFV: gl.TexGenfv(c->a, c->b, v); break;
    case TEXENV_CALL_FOGFV: gl.Fogfv(c->a, v); break;
    case TEXENV_CALL_FOGCOORDF: gl.FogCoordf(v[0]); break;
    case TEXENV_CALL_NORMAL3F: gl.Normal3f(v[0], v[1], v[2]); break;
    case TEXENV_CALL_COLOR4F: gl.Color4f(v[0], v[1], v[2], v[3]); break;
    case TEXENV_CALL_TEXCOORD4F: gl.MultiTexCoord4f(0x84C0, v[0], v[1], v[2], v[3]); break;
    case TEXENV_CALL_VERTEX3F:
        gl.EnableClientState(0x8074);
        gl.VertexPointer(3, 0x1406, 0, v);
        gl.PointSize(4);
        gl.DrawArrays(0, 0, 1);
        break;
    }
}

static int draw_vertex(void *user, const struct texenv_vertex *v, unsigned char rgba[4])
{
    const struct context *c = user;
    if (!can(c, v->tags))
        return 0;
    reset(c);
    if (v->texture)
        set_lookup(c);
    for (unsigned i = 0; i < v->calls; i++)
        call(&texenv_vertex_calls[v->call + i]);
    read_pixel(rgba);
    return 1;
}

int main(int argc, char **argv)
{
    static struct context c;
    struct conform conform = {draw, draw_vertex, &c, 1, -1};
    const char *which = "gl";
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--strict") == 0)
            conform.tolerance = 1;
        else if (strcmp(argv[i], "gl") == 0 || strcmp(argv[i], "es") == 0 || strcmp(argv[i], "osmesa") == 0)
            which = argv[i];
        else if (strchr(argv[i], '/'))
            which = c.layer = argv[i];
        else {
            fprintf(stderr, "usage: conform [gl|es|osmesa|./LIBRARY.so] [--strict]; not '%s'\n", argv[i]);
            return 2;
        }
    c.es = strcmp(which, "es") == 0;
    if (!(strcmp(which, "osmesa") == 0 ? open_osmesa(&c) : open_egl(&c))) {
        fprintf(stderr, "there is no %s here\n", which);
        return 77;
    }
    find_limits(&c);
    gl.GenTextures(UNITS, c.texture);
    conform.has_alpha = c.alpha_bits > 0;
    printf("%s, %s\n", gl.GetString(0x1F01), gl.GetString(0x1F02));
    return conform_run(&conform);
}
