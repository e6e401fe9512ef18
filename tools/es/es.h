/* es - the inside of libtexenv-es: OpenGL 1.1 to 1.5 over OpenGL ES 2 and 3, and WebGL. Internal.
 *
 * The library is the program's GL: it defines glBegin, glEnable and so on. State of fixed function is kept by
 * the core (struct texenv, struct texenv_values_gl), shaders come of its pairs (fragprog/pair_cache.h), and
 * what ES has is passed on. One thread draws, to one context at a time.
 *
 *   es_gl.def      functions of ES, called as ES(DrawArrays)(...)
 *   context.c      the context's limits, errors, messages, strings
 *   enable.c       Enable, Disable, IsEnabled: rows of enable.def
 *   raster.c       what ES has as GL has it: blending, depth, stencil ...
 *   matrix.c light.c   setters of the core's state
 *   program.c      the program of the state, and its uniforms
 *   immediate.c vertex_calls.c   Begin and End, current values
 *   arrays.c buffer.c draw.c indices.c   client arrays, buffer objects, draws
 *   list.c         display lists
 *   attrib.c get.c the attribute stacks; queries
 *   texture.c pixels.c glu.c     texture objects and images; rectangles of pixels; GLU
 */
#ifndef ES_H
#define ES_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "fragprog/pair_cache.h"

/* ---- functions of ES ----
 * In a browser they are functions of emscripten's library under other names; elsewhere a table that is filled
 * from libGLESv2, since this library has the names itself. */
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

/* A function's second name, of an extension; in the file that has the function. */
#define ES_ALIAS(name, of) extern __typeof__(of) name __attribute__((alias(#of)))

/* ---- calls that display lists hold ----
 * A call of GL becomes a command with plain arguments. ES_CALL(command, {.u = mode}, {.f = x}) executes it,
 * or records it while a list is compiled, or both. It is for calls that are not allowed between Begin and
 * End, and draws the vertices that wait before it executes. data: bytes that the list copies. */
union es_arg {
    GLint i;
    GLuint u;
    GLfloat f;
};
typedef void es_command(const union es_arg *a, const void *data);
#define ES_COMMAND(name) \
    static void name(__attribute__((unused)) const union es_arg *a, __attribute__((unused)) const void *data)
void es_call(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes);
/* The same for calls that are allowed between Begin and End (their vertices are not drawn before). */
void es_call_anywhere(es_command *command, unsigned n, const union es_arg *a, const void *data, size_t bytes);
#define ES_ARGS(...) \
    (const union es_arg[]) { __VA_ARGS__ }
#define ES_CALL_DATA(command, data, bytes, ...) \
    es_call(command, sizeof ES_ARGS(__VA_ARGS__) / sizeof(union es_arg), ES_ARGS(__VA_ARGS__), data, bytes)
#define ES_CALL(command, ...) ES_CALL_DATA(command, NULL, 0, __VA_ARGS__)
/* Whether a call that no list holds may be executed (else INVALID_OPERATION: it is between Begin and End).
 * Draws the vertices that wait. */
bool es_outside(void);

/* ---- errors and messages ---- */
/* GL's: the first one stays until it is asked for. GL_NO_ERROR is ignored. Returns whether it is an error. */
bool es_error(GLenum error);
/* The same of a call that lists hold: a list has it when it is called. */
void es_raise(GLenum error);
/* For what is not there: tells so on stderr, once for each name and cause, and how it is answered. */
void es_missing(const char *name, const char *what);

/* ---- the context ---- */
enum {
    ES_DIRTY_STATE = 1,    /* what decides which program it is */
    ES_DIRTY_VALUES = 2,   /* what uniforms hold */
    ES_DIRTY_MATRICES = 4, /* the same, of modelview, projection and texture matrices alone */
    ES_DIRTY_TEXTURES = 8, /* textures of units, or their parameters */
    ES_DIRTY_PROGRAM = 16, /* another program is in use in ES (es_used_program) */
    ES_DIRTY_ALL = 31
};

/* Attributes of vertices: the numbers of enum fragprog_attrib. */
enum { ES_ATTRIBUTES = FRAGPROG_ATTRIB_TEXCOORD + TEXENV_UNITS };

enum { ES_ATTRIB_DEPTH = 16, ES_LIST_DEPTH = 64, ES_CLIP_PLANES = 6 };

/* State that is passed on to ES, or kept for queries. Of each group of PushAttrib the members lie together
 * (attrib.c). */
struct es_raster {
    /* COLOR_BUFFER_BIT; [2]: of colours, of alpha */
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
    GLsizei stride;      /* as given */
    const void *pointer; /* or place in the buffer */
    GLuint buffer;
};
struct es_arrays {
    struct es_array array[ES_ATTRIBUTES];
    struct es_array edge_flag, index;
    GLuint array_buffer, element_buffer;
};

struct es_limits {
    bool es3, webgl;
    /* indices of 32 bits; blending by MIN and MAX; textures of all sizes with mipmaps and repeated */
    bool index_uint, min_max, npot;
    GLint units;      /* texture units */
    GLint attributes; /* MAX_VERTEX_ATTRIBS */
    GLint texture_size, cube_size;
    GLfloat point_size[2], line_width[2];
};

struct es {
    struct texenv te;
    struct texenv_values_gl values; /* values.texenv_color and alpha_reference are brought up to date, too */
    uint32_t dirty;                 /* ES_DIRTY_* */
    GLenum error;
    uint64_t caps; /* bits by rows of enable.def */
    struct es_raster raster;
    /* The current values of attributes, by enum fragprog_attrib; position is not one. Colours as given. */
    GLfloat current[ES_ATTRIBUTES][4];
    GLboolean edge_flag;
    GLfloat current_index;
    GLfloat lod_bias[TEXENV_UNITS];
    GLuint list_base;
    struct es_arrays arrays;
    struct es_limits limits;
    bool found, open;               /* ES's functions are known, and its limits */
    bool viewport_set, scissor_set; /* until then they are what ES has initially */
    bool vertices;                  /* some wait to be drawn, or current values changed (es_flush) */
    struct es_list *list;           /* being compiled; NULL: none */
    struct es_batch *batch;         /* where vertices go: to be drawn, or into the list */
};
extern struct es es;

/* Asks ES for limits, where it was not done: before whatever depends on them. */
void es_open(void);
/* Whether ES has an extension: a part of its name. */
bool es_has(const char *extension);
/* Draws the vertices that wait. ES_CALL and es_outside do it; also brings the core's current colour (and what
 * materials take of it) up to date. */
void es_flush(void);
/* Whoever draws by a program of its own says so: ES's program, attributes (all disabled is right) and the
 * bound ARRAY_BUFFER and ELEMENT_ARRAY_BUFFER are then another's. */
void es_used_program(void);

/* ---- enable.c ---- */
bool es_enabled(GLenum cap); /* of rows of enable.def */
/* Of any capability. False: there is no such. */
bool es_is_enabled(GLenum cap, bool *on);
/* Bits of es.caps that belong to groups of PushAttrib; sets all of es.caps, and ES's. */
uint64_t es_caps_of(GLbitfield mask);
void es_caps_set(uint64_t caps);
enum {
#define ES_CAP(name, groups, how) ES_CAP_##name,
#include "enable.def"
#undef ES_CAP
    ES_CAP_COUNT
};
/* Brings ES to es.raster, of the groups of PushAttrib in mask. */
void es_raster_apply(GLbitfield mask);

/* ---- names.c: objects by their names. All zero: none. ---- */
struct es_names {
    uint32_t room, count;
    struct es_name {
        GLuint name; /* 0: free */
        void *object;
    } * slot;
};
void *es_names_get(const struct es_names *names, GLuint name);
bool es_names_has(const struct es_names *names, GLuint name);
/* object may be NULL: a name that is taken. False: no memory, which becomes GL's error. */
bool es_names_put(struct es_names *names, GLuint name, void *object);
void es_names_remove(struct es_names *names, GLuint name);
/* The first of n names, one after the other, that are not taken; 0: there are none. */
GLuint es_names_unused(const struct es_names *names, GLuint n);

/* ---- get.c ---- */
/* Numbers of a query, before they are converted to the type that was asked for (6.1.2). */
struct es_value {
    double v[16];
    unsigned count;
    bool color; /* -1 .. 1 become the range of integers */
};
/* The depths of the attribute stacks, as GetIntegerv has them. */
bool es_attrib_get(GLenum pname, struct es_value *value);

/* ---- texture.c: texture objects, images, parameters (TexImage ..., BindTexture, GenTextures, ActiveTexture
 * is in light.c). Brings es.te.unit[].texture up to date, and sets ES_DIRTY_STATE where that changed,
 * ES_DIRTY_TEXTURES for others. ---- */
/* The texture that is bound to a target of a unit becomes that of ES's unit: at a draw whose program reads
 * it, if ES_DIRTY_TEXTURES. Leaves whatever unit active in ES. */
void es_texture_use(unsigned unit, enum texenv_target target);
/* Of rectangles: what coordinates are multiplied by. */
void es_texture_scale(unsigned unit, float scale[2]);
/* Answers a query of texture state: TEXTURE_BINDING_2D ... False: not of this file. */
bool es_texture_get(GLenum pname, struct es_value *value);
/* PushAttrib and PopAttrib of TEXTURE_BIT, what texture.c has of it. The depth is 0 .. ES_ATTRIB_DEPTH - 1.
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
