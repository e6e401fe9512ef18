/* The context: ES's functions and limits, errors, messages, strings, and the execution of commands. */
#include "es.h"
#include "draw.h"
#include "list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct es es;

#ifndef __EMSCRIPTEN__
#include <dlfcn.h>
struct es_functions es_functions;

static void find_functions(void)
{
    void *library = dlopen("libGLESv2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "texenv-es: there is no OpenGL ES: %s\n", dlerror());
        exit(1);
    }
#define ES_FUNCTION(name) *(void **)(void *)&es_functions.name = dlsym(library, "gl" #name);
#include "es_gl.def"
#undef ES_FUNCTION
}
#else
static void find_functions(void) {}
#endif

static void init_raster(struct es_raster *r)
{
    *r = (struct es_raster){.blend_source = {GL_ONE, GL_ONE},
                            .blend_equation = {GL_FUNC_ADD, GL_FUNC_ADD},
                            .logic_op = GL_COPY,
                            .clear_depth = 1,
                            .color_mask = {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE},
                            .depth_mask = GL_TRUE,
                            .index_mask = ~0u,
                            .depth_func = GL_LESS,
                            .depth_range = {0, 1},
                            .cull_face = GL_BACK,
                            .front_face = GL_CCW,
                            .polygon_mode = {GL_FILL, GL_FILL},
                            .line_width = 1,
                            .stipple_factor = 1,
                            .stipple_pattern = 0xFFFF,
                            .stencil_func = GL_ALWAYS,
                            .stencil_fail = GL_KEEP,
                            .stencil_depth_fail = GL_KEEP,
                            .stencil_pass = GL_KEEP,
                            .stencil_mask = ~0u,
                            .stencil_write_mask = ~0u,
                            .coverage = 1,
                            .draw_buffer = GL_BACK,
                            .read_buffer = GL_BACK};
    memset(r->polygon_stipple, 0xFF, sizeof r->polygon_stipple);
    for (unsigned i = 0; i < sizeof r->hint / sizeof *r->hint; i++)
        r->hint[i] = GL_DONT_CARE;
}

/* The initial state, before the program's first call (tables 6.x of OpenGL 1.5). */
__attribute__((constructor)) static void init(void)
{
    texenv_init(&es.te);
    texenv_values_gl_init(&es.values);
    init_raster(&es.raster);
    es.caps = (uint64_t)1 << ES_CAP_DITHER | (uint64_t)1 << ES_CAP_MULTISAMPLE;
    for (unsigned i = 0; i < ES_ATTRIBUTES; i++)
        es.current[i][3] = 1;
    for (unsigned c = 0; c < 3; c++)
        es.current[FRAGPROG_ATTRIB_COLOR][c] = 1;
    es.current[FRAGPROG_ATTRIB_NORMAL][2] = 1;
    es.current[FRAGPROG_ATTRIB_FOGCOORD][3] = 0;
    es.current_index = 1;
    es.edge_flag = GL_TRUE;
    es_arrays_init(&es.arrays);
    es.batch = &es_batch;
    es.arrays_changed = true;
    es.dirty = ES_DIRTY_ALL;
}

static GLint limit(GLenum pname)
{
    GLint value[2] = {0, 0};
    ES(GetIntegerv)(pname, value);
    return value[0];
}

bool es_has(const char *extension)
{
    const char *all = (const char *)ES(GetString)(GL_EXTENSIONS);
    return all && strstr(all, extension);
}

void es_find_limits(void)
{
    if (!es.found)
        find_functions();
    es.found = true;
    const char *version = (const char *)ES(GetString)(GL_VERSION); /* "OpenGL ES 3.2 ..." */
    if (!version)
        return; /* no context is current */
    es.open = true;
    struct es_limits *l = &es.limits;
    l->es3 = strncmp(version, "OpenGL ES ", 10) == 0 && version[10] >= '3';
    l->webgl = strstr(version, "WebGL") != NULL;
    l->index_uint = l->es3 || es_has("element_index_uint");
    l->min_max = l->es3 || es_has("blend_minmax");
    l->npot = l->es3 || es_has("OES_texture_npot");
    l->units = limit(GL_MAX_TEXTURE_IMAGE_UNITS);
    if (l->units > TEXENV_UNITS)
        l->units = TEXENV_UNITS;
    l->attributes = limit(GL_MAX_VERTEX_ATTRIBS);
    l->texture_size = limit(GL_MAX_TEXTURE_SIZE);
    l->cube_size = limit(GL_MAX_CUBE_MAP_TEXTURE_SIZE);
    l->volume_size = l->es3 ? limit(GL_MAX_3D_TEXTURE_SIZE) : 0;
    ES(GetFloatv)(GL_ALIASED_POINT_SIZE_RANGE, l->point_size);
    ES(GetFloatv)(GL_ALIASED_LINE_WIDTH_RANGE, l->line_width);
    ES(PixelStorei)(GL_UNPACK_ALIGNMENT, 1); /* the application's PixelStore is applied by this library */
    ES(PixelStorei)(GL_PACK_ALIGNMENT, 1);
    GLint viewport[4];
    ES(GetIntegerv)(GL_VIEWPORT, viewport);
    if (!es.viewport_set)
        memcpy(es.raster.viewport, viewport, sizeof viewport);
    ES(GetIntegerv)(GL_SCISSOR_BOX, viewport);
    if (!es.scissor_set)
        memcpy(es.raster.scissor, viewport, sizeof viewport);
}

/* ---- errors and messages ---- */

bool es_error(GLenum error)
{
    if (error && !es.error)
        es.error = error;
    return error != GL_NO_ERROR;
}

GLenum glGetError(void)
{
    if (es_fails(es.te.inside_begin, GL_INVALID_OPERATION))
        return GL_NO_ERROR;
    es_open();
    const GLenum error = es.error ? es.error : es.open ? ES(GetError)() : (GLenum)GL_NO_ERROR;
    es.error = GL_NO_ERROR;
    return error;
}

ES_COMMAND(raise) { es_error(a[0].u); }

void es_raise(GLenum error) { es_call_anywhere(raise, 1, ES_ARGS({.u = error}), NULL, 0); }

void es_missing(const char *name, const char *what)
{
    static uint64_t told[256]; /* hashes of name and what, for each message so far */
    static unsigned count;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *s = name; *s; s++)
        hash = (hash ^ (unsigned char)*s) * UINT64_C(1099511628211);
    for (const char *s = what; *s; s++)
        hash = (hash ^ (unsigned char)*s) * UINT64_C(1099511628211);
    for (unsigned i = 0; i < count; i++)
        if (told[i] == hash)
            return;
    if (count == sizeof told / sizeof *told)
        return;
    told[count++] = hash;
    fprintf(stderr, "texenv-es: %s: %s\n", name, what);
}

/* ---- commands ---- */

bool es_outside(void)
{
    es_open();
    if (es.te.inside_begin)
        return !es_error(GL_INVALID_OPERATION);
    if (es.vertices && es.list)
        es_list_execute();
    if (es.vertices)
        es_flush();
    return true;
}

void es_call(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes)
{
    if (es.list) {
        es_list_add(command, n, a, data, bytes, false);
        return;
    }
    if (es_outside())
        command(a, data);
}

void es_call_anywhere(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes)
{
    if (es.list)
        es_list_add(command, n, a, data, bytes, true);
    else
        command(a, data);
}

/* ---- strings ---- */

static bool always(void) { return true; }
static bool min_max(void) { return es.limits.min_max; }
static bool es3(void) { return es.limits.es3; }
static bool npot(void) { return es.limits.npot; }
static bool s3tc(void) { return es_has("texture_compression_s3tc") || es_has("compressed_texture_s3tc"); }

static const GLubyte *extensions(void)
{
    static const struct {
        const char *name;
        bool (*there)(void);
    } row[] = {
#define ES_EXTENSION(name, there) {"GL_" #name " ", there},
#include "extensions.def"
#undef ES_EXTENSION
    };
    static char text[4096];
    size_t at = 0;
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
        if (row[i].there() && at + strlen(row[i].name) < sizeof text) {
            strcpy(text + at, row[i].name);
            at += strlen(row[i].name);
        }
    return (const GLubyte *)text;
}

const GLubyte *glGetString(GLenum name)
{
    static char renderer[256];
    if (!es_outside() || !es.open)
        return NULL;
    switch (name) {
    case GL_VENDOR: return (const GLubyte *)"texenvc";
    case GL_RENDERER:
        snprintf(renderer, sizeof renderer, "texenv-es over %s", (const char *)ES(GetString)(GL_RENDERER));
        return (const GLubyte *)renderer;
    case GL_VERSION: return (const GLubyte *)"1.5 texenv-es " TEXENV_VERSION;
    case GL_EXTENSIONS: return extensions();
    default: es_error(GL_INVALID_ENUM); return NULL;
    }
}

void glFinish(void)
{
    if (es_outside())
        ES(Finish)();
}

void glFlush(void)
{
    if (es_outside())
        ES(Flush)();
}
