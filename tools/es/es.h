/* es - the internals of libtexenv-es: OpenGL 1.1 to 1.5 implemented over OpenGL ES 2 and 3, and WebGL.
 *
 * The library is the application's GL: it defines glBegin, glEnable and so on. State of the fixed-function
 * pipeline is kept by the core (struct texenv, struct texenv_values_gl), from which pairs of shaders are made
 * (fragprog/pair_cache.h). State that ES has, too, is passed on. One thread draws, to one context.
 *
 *   es_gl.def      functions of ES, called as ES(DrawArrays)(...)
 *   context.c      the context's limits, errors, messages, strings
 *   enable.c       Enable, Disable, IsEnabled: rows of enable.def
 *   raster.c       state that ES has, too: blending, depth, stencil ...
 *   matrix.c light.c es11.c      setters of the core's state
 *   program.c      the program for the current state, and its uniforms
 *   immediate.c vertex_calls.c   Begin and End, current values
 *   arrays.c pointers.c buffer.c draw.c indices.c   client arrays, buffer objects, draws
 *   list.c         display lists
 *   attrib.c get.c the attribute stacks; queries
 *   texture.c texture_image.c texture_parameter.c   texture objects
 *   pixels.c draw_pixels.c image.c raster_position.c   rectangles of pixels
 *   missing.c      functions that are not supported
 */
#ifndef ES_H
#define ES_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "fragprog/pair_cache.h"

/* ---- functions of ES ----
 * In a browser these are functions of emscripten's library, which has them under other names. Elsewhere they
 * are in a table that is filled from libGLESv2, because this library itself defines their names. */
#ifdef __EMSCRIPTEN__
#define ES_FUNCTION(name) extern __typeof__(gl##name) emscripten_gl##name;
#include "es_gl.def"
#undef ES_FUNCTION
#define ES(name) emscripten_gl##name
#else
struct es_functions {
#define ES_FUNCTION(name) __typeof__(gl##name) *name;
#include "es_gl.def"
#undef ES_FUNCTION
};
extern struct es_functions es_functions;
#define ES(name) es_functions.name
#endif

/* Defines a second name of a function, from an extension. Must be in the file that defines the function. */
#define ES_ALIAS(name, of) extern __typeof__(of) name __attribute__((alias(#of)))

/* ---- calls that display lists hold ----
 * A call of GL becomes a command with numbers as arguments. ES_CALL(command, {.u = mode}, {.f = x}) executes
 * the command, records it (while a list is compiled), or both. It is for calls that are not allowed between
 * Begin and End, and draws the collected vertices before the command executes. data: bytes that a list
 * copies. */
union es_arg {
    GLint i;
    GLuint u;
    GLfloat f;
};
typedef void es_command(const union es_arg *a, const void *data);
#define ES_COMMAND(name) \
    static void name(__attribute__((unused)) const union es_arg *a, __attribute__((unused)) const void *data)
void es_call(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes);
/* Does the same for calls that are allowed between Begin and End: the collected vertices are not drawn
 * before. */
void es_call_anywhere(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes);
#define ES_ARGS(...) \
    (const union es_arg[]) { __VA_ARGS__ }
#define ES_CALL_DATA(command, data, bytes, ...) \
    es_call(command, sizeof ES_ARGS(__VA_ARGS__) / sizeof(union es_arg), ES_ARGS(__VA_ARGS__), data, bytes)
#define ES_CALL(command, ...) ES_CALL_DATA(command, NULL, 0, __VA_ARGS__)
/* To be called first by calls that are never recorded in lists: draws the collected vertices. Returns false,
 * with INVALID_OPERATION, between Begin and End. */
bool es_outside(void);

static inline GLfloat es_clamp(GLfloat x) { return x > 0 ? x < 1 ? x : 1 : 0; }

/* ---- errors and messages ---- */
/* Sets GL's error, unless there is one that was not queried yet. Returns whether `error` is an error, not
 * GL_NO_ERROR. */
bool es_error(GLenum error);
/* Does so if `fails`, which is returned. */
static inline bool es_fails(bool fails, GLenum error) { return fails && es_error(error); }
/* Does as es_error for calls that lists record: in a list, the error is set when the list is called. */
void es_raise(GLenum error);
/* Reports on stderr that something is not supported, and what is done instead; only once for each name and
 * text. */
void es_missing(const char *name, const char *what);

/* ---- the context ---- */
enum {
    ES_DIRTY_STATE = 1,    /* state that determines which program is needed */
    ES_DIRTY_VALUES = 2,   /* values of uniforms */
    ES_DIRTY_MATRICES = 4, /* values of uniforms that depend on modelview, projection and texture matrices */
    ES_DIRTY_TEXTURES = 8, /* textures of units, or their parameters */
    ES_DIRTY_ALL = 15
};

/* Vertex attributes have the numbers of enum fragprog_attrib. */
enum { ES_ATTRIBUTES = FRAGPROG_ATTRIB_TEXCOORD + TEXENV_UNITS };

enum { ES_ATTRIB_DEPTH = 16, ES_LIST_DEPTH = 64, ES_CLIP_PLANES = 6 };

/* State that is passed on to ES, or only kept for queries. The members of each group of PushAttrib are
 * consecutive (attrib.c relies on that). */
struct es_raster {
    /* COLOR_BUFFER_BIT; [2]: for colours and for alpha */
    GLenum blend_source[2], blend_destination[2], blend_equation[2];
    GLfloat blend_color[4];
    GLenum logic_op, draw_buffer;
    GLfloat clear_color[4], clear_index;
    GLboolean color_mask[4];
    GLuint index_mask;
    GLenum depth_func; /* DEPTH_BUFFER_BIT */
    GLboolean depth_mask;
    GLfloat clear_depth;
    GLfloat clear_accum[4]; /* ACCUM_BUFFER_BIT */
    GLenum stencil_func;    /* STENCIL_BUFFER_BIT */
    GLint stencil_reference;
    GLuint stencil_mask, stencil_write_mask;
    GLenum stencil_fail, stencil_depth_fail, stencil_pass;
    GLint clear_stencil;
    GLenum cull_face, front_face, polygon_mode[2]; /* POLYGON_BIT */
    GLfloat offset_factor, offset_units;
    GLfloat line_width; /* LINE_BIT */
    GLint stipple_factor;
    GLushort stipple_pattern;
    GLubyte polygon_stipple[128]; /* POLYGON_STIPPLE_BIT */
    GLint viewport[4];            /* VIEWPORT_BIT */
    GLfloat depth_range[2];
    GLint scissor[4]; /* SCISSOR_BIT */
    GLenum hint[7];   /* HINT_BIT: perspective, point, line, polygon, fog, mipmaps, compression */
    GLfloat coverage; /* MULTISAMPLE_BIT */
    GLboolean coverage_invert;
    GLenum read_buffer; /* PIXEL_MODE_BIT */
};

/* A client array. */
struct es_array {
    GLboolean enabled;
    uint8_t size;
    GLenum type;
    GLsizei stride;      /* the argument of the call; 0: no gaps */
    const void *pointer; /* address, or offset in the buffer */
    GLuint buffer;
};
struct es_arrays {
    struct es_array array[ES_ATTRIBUTES + 2]; /* behind the attributes: indices of colours, edge flags */
    GLuint array_buffer, element_buffer;
};

struct es_limits {
    bool es3, webgl;
    /* indices of 32 bits; blending with MIN and MAX; textures of any size with mipmaps and repetition */
    bool index_uint, min_max, npot;
    GLint units;      /* texture units */
    GLint attributes; /* MAX_VERTEX_ATTRIBS */
    GLint texture_size, cube_size, volume_size;
    GLfloat point_size[2], line_width[2];
};

struct es {
    struct texenv te;
    struct texenv_values_gl values; /* this library also sets values.texenv_color and alpha_reference */
    uint32_t dirty;                 /* ES_DIRTY_* */
    GLenum error;
    uint64_t caps; /* capabilities that are enabled, one bit for each row of enable.def */
    struct es_raster raster;
    /* The current values of attributes, by enum fragprog_attrib, without position. Colours are not clamped.
     */
    GLfloat current[ES_ATTRIBUTES][4];
    GLboolean edge_flag;
    GLfloat current_index;
    GLfloat lod_bias[TEXENV_UNITS];
    GLuint list_base;
    unsigned attrib_depth, client_attrib_depth; /* entries on the attribute stacks */
    struct es_arrays arrays;
    /* since the last draw from arrays, an array, a buffer, its contents or a current q has changed */
    bool arrays_changed;
    struct es_limits limits;
    bool found, open;               /* whether ES's functions, and its limits, are known */
    bool viewport_set, scissor_set; /* if not set, they are ES's initial values */
    bool vertices;                  /* some were collected, or current values have changed (es_flush) */
    struct es_list *list;           /* the list that is compiled, or NULL */
    struct es_batch *batch;         /* where vertices go: es_batch, or that of the list */
};
extern struct es es;

void es_find_limits(void);
/* Queries ES's limits, unless that was done. To be called before anything that depends on them. */
static inline void es_open(void)
{
    if (!es.open)
        es_find_limits();
}
/* Tells whether ES has an extension, given a part of its name. */
bool es_has(const char *extension);
/* Draws the collected vertices, and updates the core's current colour (and the materials that follow it).
 * ES_CALL and es_outside call it. */
void es_flush(void);

/* ---- enable.c ---- */
bool es_enabled(GLenum cap); /* for capabilities in enable.def */
/* Finds whether a capability is enabled. Returns false if there is no such capability. */
bool es_is_enabled(GLenum cap, bool *on);
/* es_caps_of returns the bits of es.caps that belong to groups of PushAttrib; es_caps_set sets es.caps, and
 * ES's capabilities. */
uint64_t es_caps_of(GLbitfield mask);
void es_caps_set(uint64_t caps);
enum {
#define ES_CAP(name, groups, how) ES_CAP_##name,
#include "enable.def"
#undef ES_CAP
    ES_CAP_COUNT
};
/* Sets ES's state from es.raster, for the groups of PushAttrib in mask. */
void es_raster_apply(GLbitfield mask);

/* ---- names.c: a table of objects by name. All zero: an empty table. ---- */
struct es_names {
    uint32_t room, count;
    struct es_name {
        GLuint name; /* 0: free */
        void *object;
    } * slot;
};
void *es_names_get(const struct es_names *names, GLuint name);
bool es_names_has(const struct es_names *names, GLuint name);
/* Adds a name. object may be NULL: the name is only reserved. Returns false, with GL's error, without memory.
 */
bool es_names_put(struct es_names *names, GLuint name, void *object);
void es_names_remove(struct es_names *names, GLuint name);
/* Returns the first of n consecutive names that are free, or 0 if there are none. */
GLuint es_names_unused(const struct es_names *names, GLuint n);

/* ---- get.c ---- */
/* The result of a query, before it is converted to the type of the call (6.1.2). */
struct es_value {
    double v[16];
    unsigned count;
    bool color; /* whether conversion to integers maps -1 .. 1 to their whole range */
};

/* ---- texture.c: texture objects, images, parameters (TexImage, BindTexture, GenTextures and so on;
 * ActiveTexture is in light.c). They update es.te.unit[].texture. If that changes, they set ES_DIRTY_STATE,
 * for other changes ES_DIRTY_TEXTURES. ---- */
/* Binds the texture of a unit's target in ES, too. To be called before a draw whose program reads the
 * texture, if ES_DIRTY_TEXTURES is set. Any unit may be active in ES afterwards. */
void es_texture_use(unsigned unit, enum texenv_target target);
/* Returns the factors by which coordinates of a unit's rectangle texture must be multiplied. */
void es_texture_scale(unsigned unit, float scale[2]);
bool es_texture_get(GLenum pname, struct es_value *value);
/* PushAttrib and PopAttrib for the part of TEXTURE_BIT in texture.c. The depth is 0 .. ES_ATTRIB_DEPTH - 1.
 */
void es_texture_push(unsigned depth);
void es_texture_pop(unsigned depth);

/* ---- pixels.c: DrawPixels, CopyPixels, Bitmap, RasterPos, ReadPixels, PixelStore, PixelTransfer,
 * PixelMap, PixelZoom ---- */
bool es_pixels_get(GLenum pname, struct es_value *value);
void es_pixels_push(unsigned depth, GLbitfield mask); /* CURRENT_BIT: raster position; PIXEL_MODE_BIT */
void es_pixels_pop(unsigned depth, GLbitfield mask);
void es_pixels_push_client(unsigned depth); /* CLIENT_PIXEL_STORE_BIT */
void es_pixels_pop_client(unsigned depth);

#endif
