/* Internal: the executor of GL calls that the script reader and the trace reader share.
 *
 *   calls.c          the table of calls; converts parsed arguments into a struct texenv_op
 *   calls_run.c      executes an op; GL errors, draws
 *   calls_beside.c   reports features that are not interpreted or not part of the output
 *   calls_lists.c    display lists
 *   calls_attrib.c   PushAttrib, PopAttrib
 *   calls_vertex.c   calls of the vertex half: converts and executes them
 *   calls_objects.c  texture objects, share groups, contexts, and their memory
 *
 * A reader fills a struct texenv_value for each argument and passes them to texenv_calls_do(). Section
 * numbers are of the OpenGL 2.1 specification. */
#ifndef TEXENV_CALLS_H
#define TEXENV_CALLS_H

#include "texenv/gl_names.h"
#include "texenv/values.h"

enum texenv_call_kind {
    TEXENV_CALL_ACTIVE_TEXTURE,
    TEXENV_CALL_CLIENT_ACTIVE_TEXTURE,
    TEXENV_CALL_ENABLE,
    TEXENV_CALL_TEX_ENV,
    TEXENV_CALL_TEX_PARAMETER,
    TEXENV_CALL_LIGHT_MODEL,
    TEXENV_CALL_FOG,
    TEXENV_CALL_ALPHA_FUNC,
    TEXENV_CALL_BIND_TEXTURE,
    TEXENV_CALL_DELETE_TEXTURES,
    TEXENV_CALL_TEX_IMAGE,
    TEXENV_CALL_TEX_STORAGE,
    TEXENV_CALL_BUILD_MIPMAPS, /* gluBuildMipmaps: images at level 0 and above */
    TEXENV_CALL_PUSH_ATTRIB,
    TEXENV_CALL_POP_ATTRIB,
    TEXENV_CALL_NEW_LIST,
    TEXENV_CALL_END_LIST,
    TEXENV_CALL_CALL_LIST,
    TEXENV_CALL_CALL_LISTS,
    TEXENV_CALL_LIST_BASE,
    TEXENV_CALL_DELETE_LISTS,
    TEXENV_CALL_USE_PROGRAM,
    TEXENV_CALL_BIND_PIPELINE,
    TEXENV_CALL_BEGIN,
    TEXENV_CALL_END,
    TEXENV_CALL_DRAW,
    TEXENV_CALL_FILTER,       /* TexParameter with a pname of texenv_texture_info.parameter */
    TEXENV_CALL_BIND_UNKNOWN, /* BindTexture with an unknown name */
    TEXENV_CALL_NOT_FOLLOWED,
    TEXENV_CALL_VERTEX, /* this and the following kinds belong to the vertex half */
    TEXENV_CALL_MATRIX_MODE = TEXENV_CALL_VERTEX,
    TEXENV_CALL_LOAD_IDENTITY,
    TEXENV_CALL_LOAD_MATRIX,
    TEXENV_CALL_LOAD_TRANSPOSE,
    TEXENV_CALL_MULT_MATRIX,
    TEXENV_CALL_MULT_TRANSPOSE,
    TEXENV_CALL_TRANSLATE,
    TEXENV_CALL_ROTATE,
    TEXENV_CALL_SCALE,
    TEXENV_CALL_ORTHO,
    TEXENV_CALL_FRUSTUM,
    /* calls of GLU */
    TEXENV_CALL_ORTHO_2D,
    TEXENV_CALL_LOOK_AT,
    TEXENV_CALL_PICK_MATRIX,
    TEXENV_CALL_PERSPECTIVE,
    TEXENV_CALL_PUSH_MATRIX,
    TEXENV_CALL_POP_MATRIX,
    TEXENV_CALL_TEX_GEN,
    TEXENV_CALL_LIGHT,
    TEXENV_CALL_VERTEX_LIGHT_MODEL, /* LightModel with another pname than the colour control */
    TEXENV_CALL_COLOR_MATERIAL,
    TEXENV_CALL_MATERIAL,
    TEXENV_CALL_POINT_PARAMETER,
    TEXENV_CALL_POINT_SIZE,
    TEXENV_CALL_SHADE_MODEL,
    TEXENV_CALL_VERTEX_FOG, /* Fog with another pname than mode and coordinate source */
    TEXENV_CALL_CLIP_PLANE,
    TEXENV_CALL_VERTEX_NOT_FOLLOWED,
    /* passed to the reader's on_call */
    TEXENV_CALL_SHADER,
    TEXENV_CALL_BESIDE, /* ignored by the readers, but lost if the output cannot express it */
    TEXENV_CALL_NONE
};

struct texenv_calls;

enum texenv_call_form {
    TEXENV_FORM_0,
    TEXENV_FORM_1,
    TEXENV_FORM_2,
    TEXENV_FORM_3,
    TEXENV_FORM_I,
    TEXENV_FORM_F,
    TEXENV_FORM_IV,
    TEXENV_FORM_FV,
    /* for NOT_FOLLOWED: the call changes texturing ... */
    TEXENV_FORM_WHEN_ALWAYS,
    TEXENV_FORM_WHEN_PNAME, /* depending on its pname, the second or third argument */
    TEXENV_FORM_WHEN_NAME,  /* if its last argument is not 0 */
    TEXENV_FORM_WHEN_OFF,   /* if its last argument is GL_FALSE */
    TEXENV_FORM_WHEN_TARGET /* if its first argument is a texture target, or a generated coordinate */
};

enum { TEXENV_CALL_PARAMS = 13, TEXENV_ANY_ARITY = 0xff };

struct texenv_call_info {
    const char *name; /* the name without "gl" */
    uint8_t length;
    uint8_t kind, form, listed, arity; /* columns of calls.def */
    uint8_t params;                    /* number of used elements of param */
    uint8_t sizes;                     /* IMAGE: the index of the first parameter that is a size */
    const char *param[TEXENV_CALL_PARAMS];
    uint8_t param_length[TEXENV_CALL_PARAMS];
};

/* Returns the call with this name, which is given without "gl", or NULL if texturing does not depend on it.
 */
const struct texenv_call_info *texenv_calls_find(const struct texenv_names *names, const char *name,
                                                 size_t length);
/* Does the same, but returns only calls that the reader handles: either those of GL_ATI_fragment_shader, or
 * all others. */
const struct texenv_call_info *texenv_calls_wanted(const struct texenv_calls *calls, const char *name,
                                                   size_t length);

/* The number of a call's row in calls.def, less than TEXENV_CALL_ROWS. */
enum { TEXENV_CALL_ROWS = 256 };
unsigned texenv_calls_row(const struct texenv_call_info *info);

static inline bool texenv_calls_is_vertex(unsigned kind)
{
    return kind >= TEXENV_CALL_VERTEX && kind < TEXENV_CALL_SHADER;
}

/* Returns whether a call that the reader handles may change what texturing computes. Calls of the vertex
 * half cannot. */
static inline bool texenv_calls_changes(const struct texenv_call_info *info)
{
    return info && !texenv_calls_is_vertex(info->kind) && info->kind != TEXENV_CALL_CLIENT_ACTIVE_TEXTURE &&
        info->kind != TEXENV_CALL_BESIDE;
}

/* ---- arguments ---- */

enum texenv_value_kind {
    TEXENV_V_MISSING,
    TEXENV_V_INT,
    TEXENV_V_REAL,
    TEXENV_V_NAME,  /* an unknown name GL_... */
    TEXENV_V_OTHER, /* not a constant: a variable, a string, a blob ... */
    TEXENV_V_ARRAY
};

struct texenv_value {
    uint8_t kind;        /* enum texenv_value_kind */
    uint32_t length;     /* length of `text` */
    const char *text;    /* the argument as written in the input; valid during the call */
    int64_t integer;     /* value of an INT */
    double real;         /* value of a REAL */
    size_t first, count; /* ARRAY: elements in texenv_calls.items */
    /* ARRAY: the number of elements in its type (elements without initialiser are 0), or 0 */
    uint64_t declared;
    uint32_t line, column;
};

static inline bool texenv_value_is_number(const struct texenv_value *v)
{
    return v->kind == TEXENV_V_INT || v->kind == TEXENV_V_REAL;
}

/* Returns the value converted as in C. A real out of range becomes a value that is invalid for every
 * parameter. */
static inline uint32_t texenv_value_integer(const struct texenv_value *v)
{
    if (v->kind == TEXENV_V_REAL)
        return v->real > -2147483649.0 && v->real < 4294967296.0 ? (uint32_t)(int64_t)v->real : UINT32_MAX;
    return (uint32_t)(uint64_t)v->integer;
}

/* Returns the place of a value in a call: the call's own if the value has none. */
static inline struct texenv_place texenv_value_place(struct texenv_place call, const struct texenv_value *v)
{
    if (v->line) {
        call.line = v->line;
        call.column = v->column;
    }
    return call;
}

/* ---- ops: calls ready to execute ---- */

struct texenv_op {
    const struct texenv_call_info *info;
    /* value: where an unknown value (NaN in v.f) is in the input; line 0: no value is unknown */
    struct texenv_place place, value;
    /* meaning depends on kind: target and pname; target and format; name; a of a draw is the mode ... */
    uint32_t a, b;
    union {
        int32_t i[5];
        float f[16]; /* a matrix uses all 16, column by column */
    } v;
    const char *text; /* the value's text, for messages; NULL in display lists */
    uint32_t length;
    uint8_t kind; /* the kind in info, except that CALL_LISTS becomes CALL_LIST */
    bool said;    /* its GL error has been reported, which for a call in a list happens only once */
};

/* Values of op.a for draws whose mode is not known, and for draws that have no mode and draw no points. */
enum { TEXENV_DRAWS_UNKNOWN = 0x7fffffff, TEXENV_DRAWS_AREAS = 0x7ffffffe };

/* ---- objects ---- */

/* A texture object. Bindings and the table of names hold references to it. */
struct texenv_object {
    uint32_t name, references;
    int target; /* enum texenv_target; -1: never bound */
    struct texenv_texture texture;
    /* for CUBE: 1 + the base format (enum texenv_base) of each face's image; 0: no image */
    uint8_t face[6];
    struct texenv_place image; /* where the texture's image was specified */
    struct texenv_texture_info info;
};

/* A hash map with open addressing, arbitrary keys, and values that are not NULL. */
struct texenv_map {
    struct texenv_map_entry {
        uint64_t key;
        void *value;
    } * entry;
    size_t capacity, used, filled; /* filled: used and removed entries */
};

struct texenv_list {
    struct texenv_op *op;
    size_t count, capacity;
    unsigned begun; /* during compilation: number of Begins since the last End */
};

struct texenv_share {
    uint32_t references;
    uint32_t generation; /* counts changes of texture objects */
    struct texenv_map textures, lists;
};

struct texenv_attrib;
enum { TEXENV_ATTRIB_DEPTH = 16 }; /* MAX_ATTRIB_STACK_DEPTH: the minimum that GL demands */

/* Limits, because a short input text could otherwise demand very much memory. */
enum {
    TEXENV_MOST_CONTEXTS = 1024,
    TEXENV_MOST_LISTED = 1 << 20, /* total number of calls in display lists */
    TEXENV_MOST_ITEMS = 1 << 16   /* elements in the arrays of one call */
};

struct texenv_context {
    struct texenv te;
    struct texenv_places places;
    struct texenv_share *share;
    struct texenv_object *bound[TEXENV_IMAGE_UNITS][TEXENV_TARGETS];
    struct texenv_object zero[TEXENV_TARGETS]; /* the textures named 0 */
    struct texenv_list *compiling;
    uint32_t compiling_name, list_base;
    bool compile_only;
    struct texenv_place compiling_from;
    struct texenv_attrib *attrib[TEXENV_ATTRIB_DEPTH]; /* popped entries are kept for the next push */
    unsigned attribs;

    uint64_t stamp;         /* number of calls that may have changed the state */
    uint64_t drawn_stamp;   /* value of stamp at the last draw passed to on_draw */
    uint64_t program_stamp; /* value of stamp at the last draw with a program in use */
    uint32_t drawn_generation;
    bool drawn;
    struct texenv last; /* the state of the last draw passed to on_draw */

    struct texenv_values_gl gl; /* modes and values of the vertex half */
    char vertex_lost[120];      /* why the vertex half is not known; empty if it is known */
    uint64_t vertex_stamp, drawn_vertex_stamp;
    struct texenv_vertex last_vertex; /* the vertex half of the last draw passed to on_draw */
    const char *last_refused;         /* why the same draw has no vertex half, or NULL */
    struct texenv_raster last_raster; /* the raster state of the same draw */

    uint32_t current; /* the number of threads in which it is current (traces) */
    bool destroyed;
    struct texenv_context *next;
};

/* ---- struct texenv_calls: the executor ---- */

struct texenv_calls {
    struct texenv_reader *reader;
    struct texenv_names names;
    bool ran;     /* the input contained a call that matters */
    bool trace;   /* the input is a trace: an unknown name is a GL error, not an error of the input */
    bool stopped; /* stop reading */
    bool no_memory;
    bool in_shader; /* between BeginFragmentShader and EndFragmentShader */
    bool ends;      /* the input contains an End; if not, each Begin ends immediately */
    /* the script contains texture images (determined in advance; in traces they are counted) */
    bool has_images;
    struct texenv_context *context; /* NULL: no context is current, calls have no effect */
    struct texenv_context *contexts;
    unsigned context_count;
    size_t listed;              /* total number of calls in display lists */
    struct texenv_value *items; /* elements of the arrays of the current call */
    size_t item_count, item_capacity;

    unsigned list_depth;
    bool list_drawn;      /* the current outermost CallList has caused a draw */
    uint64_t list_budget; /* number of calls that display lists may still execute */
    struct texenv_place list_place;
    bool said_lists, said_budget;
    unsigned said_beside; /* bits: features of calls_beside.c that have been reported */
    unsigned sprites;     /* bit 0: POINT_SPRITE has been enabled; bit 1: COORD_REPLACE has been set */
    /* Where features were set that matter only for some draws: programs for points can express them, other
     * programs cannot. line 0: not set */
    struct texenv_place sprite_place, size_place, flat_place;
    /* one bit for each row of calls.def and each enumerant of calls_beside.c: it has been reported */
    uint8_t said_not_followed[64];

    struct texenv_place after_draw; /* the first state call after the last draw; line 0: none */
};

/* Returns false if there is no memory, which has been reported. */
bool texenv_calls_init(struct texenv_calls *calls, struct texenv_reader *reader, bool trace);
void texenv_calls_free(struct texenv_calls *calls);

/* Executes one call of the input. args: the parameters that info names. */
void texenv_calls_do(struct texenv_calls *calls, const struct texenv_call_info *info,
                     const struct texenv_value *args, struct texenv_place place);

/* Allocates one more array element. If that fails, reports an error at `place` and returns NULL. */
struct texenv_value *texenv_calls_item(struct texenv_calls *calls, struct texenv_place place);
static inline const struct texenv_value *texenv_value_element(const struct texenv_calls *calls,
                                                              const struct texenv_value *array, size_t i)
{
    return &calls->items[array->first + i];
}

/* Returns the first element of an array, or the scalar itself. */
static inline const struct texenv_value *texenv_value_first(const struct texenv_calls *calls,
                                                            const struct texenv_value *v)
{
    return v->kind == TEXENV_V_ARRAY && v->count ? texenv_value_element(calls, v, 0) : v;
}

/* Sets v->kind and the value to those of a number as C writes it, of which an INT has any 64 bits. Returns
 * false if it is none. */
bool texenv_calls_number(struct texenv_value *v, const char *p, size_t n);
/* Sets v->kind and v->integer to the value of an enumerant "GL_...". */
void texenv_calls_token(const struct texenv_calls *calls, struct texenv_value *v, const char *name,
                        size_t length);

/* Reports an ERROR diagnostic and counts it; reading stops after the twentieth. A macro, because texenv_emit
 * takes variable arguments. */
#define TEXENV_CALLS_ERROR(calls, place, code, ...) \
    (texenv_emit(&(calls)->reader->sink, TEXENV_ERROR, -1, place, code, __VA_ARGS__), \
     texenv_calls_count_error(calls))
void texenv_calls_count_error(struct texenv_calls *calls);
void texenv_calls_no_memory(struct texenv_calls *calls, struct texenv_place place);

/* Reports a GL error of op as a warning. */
#define TEXENV_CALLS_GL_ERROR(calls, op, error, format, ...) \
    (texenv_calls_tell(calls, op) \
         ? texenv_emit(&(calls)->reader->sink, TEXENV_WARNING, texenv_calls_unit(calls, op), (op)->place, \
                       "gl-error", "%s: " format, texenv_error_name(error), __VA_ARGS__) \
         : (void)0)
/* counts the error; returns whether to report it */
bool texenv_calls_tell(struct texenv_calls *calls, struct texenv_op *op);
int texenv_calls_unit(const struct texenv_calls *calls, const struct texenv_op *op);

/* calls_run.c */
/* Returns the enum texenv_texture_parameter of a pname of TexParameter, or TEXENV_TEXTURE_PARAMETERS for a
 * pname without one. */
unsigned texenv_calls_parameter(uint32_t pname);
void texenv_calls_run(struct texenv_calls *calls, struct texenv_op *op);
/* mode: the primitive type, or one of TEXENV_DRAWS_*. */
void texenv_calls_draw(struct texenv_calls *calls, struct texenv_place place, uint32_t mode);
void texenv_calls_delete_textures(struct texenv_calls *calls, struct texenv_op *op,
                                  const struct texenv_value *array);

/* An enumerant as text for a message: its GL name, or else a number. */
struct texenv_name_buffer {
    char data[64];
};
const char *texenv_calls_name_of(struct texenv_name_buffer *buffer, uint32_t value);
/* Returns the value of op as text for a message, as its author wrote it. */
const char *texenv_calls_value_of(struct texenv_name_buffer *buffer, const struct texenv_op *op,
                                  uint32_t value);
void texenv_calls_inside_begin(struct texenv_calls *calls, struct texenv_op *op);

/* calls_vertex.c. Converts the arguments of a call into op. Returns false if there is nothing to execute. */
bool texenv_calls_prepare_vertex(struct texenv_calls *calls, struct texenv_op *op,
                                 const struct texenv_value *args);
void texenv_calls_run_vertex(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_enable_vertex(struct texenv_calls *calls, struct texenv_op *op);
/* Updates context->last_vertex and last_raster at a draw. Returns whether they changed. */
bool texenv_calls_draw_vertex(struct texenv_context *x, bool points);
/* Marks the vertex half as not known from this call on. */
void texenv_calls_lose_vertex(struct texenv_calls *calls, struct texenv_place place, const char *name,
                              size_t length);

/* calls_beside.c. Handles a call of kind NOT_FOLLOWED. */
void texenv_calls_not_followed(struct texenv_calls *calls, const struct texenv_op *op,
                               const struct texenv_value *args);
/* Returns whether the enumerant belongs to a feature that op's kind of call does not interpret; if so,
 * reports it. values: the new value, since some values do not change texturing; NULL: the enumerant always
 * changes texturing.
 */
bool texenv_calls_is_open(struct texenv_calls *calls, const struct texenv_op *op, int64_t token,
                          const struct texenv_value *values);
/* Returns whether GL accepts the internal format op->b although fixed function defines no result for it. If
 * so, reports it. */
bool texenv_calls_open_format(struct texenv_calls *calls, const struct texenv_op *op);
/* Report features that a fragment program does not contain: an enabled capability, a changed texture matrix,
 * a call of kind BESIDE. Point sprites need both POINT_SPRITE (bit 1) and COORD_REPLACE (bit 2). */
void texenv_calls_enable_beside(struct texenv_calls *calls, int64_t cap, struct texenv_place place);
void texenv_calls_sprite_beside(struct texenv_calls *calls, unsigned bit, bool known,
                                struct texenv_place place);
/* Called for each draw that is not known to draw points. known: whether the primitive is known. */
void texenv_calls_draw_beside(struct texenv_calls *calls, bool known);
void texenv_calls_matrix_beside(struct texenv_calls *calls, const struct texenv_op *op);
void texenv_calls_beside(struct texenv_calls *calls, const struct texenv_call_info *info,
                         const struct texenv_value *arg, struct texenv_place place);

/* calls_lists.c */
void texenv_calls_record(struct texenv_calls *calls, const struct texenv_op *op);
void texenv_calls_new_list(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_end_list(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_call_list(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_delete_lists(struct texenv_calls *calls, struct texenv_op *op);
/* Called at the start and end of an outermost CallList or CallLists. Several draws inside it count as one if
 * no state changes between them. */
void texenv_calls_enter_lists(struct texenv_calls *calls, struct texenv_place place);
void texenv_calls_leave_lists(struct texenv_calls *calls);

/* calls_attrib.c */
void texenv_calls_push_attrib(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_pop_attrib(struct texenv_calls *calls, struct texenv_op *op);

/* calls_objects.c */
void *texenv_calls_resize(struct texenv_calls *calls, void *p, size_t size);
void *texenv_map_get(const struct texenv_map *map, uint64_t key);
bool texenv_map_put(struct texenv_calls *calls, struct texenv_map *map, uint64_t key, void *value);
/* Returns the value in one of the `capacity` slots, or NULL if it is empty: for iterating over all entries.
 */
void *texenv_map_at(const struct texenv_map *map, size_t slot);
void *texenv_map_remove(struct texenv_map *map, uint64_t key);
void texenv_map_free(struct texenv_calls *calls, struct texenv_map *map);

/* Creates a context that shares objects with another one, or with none (NULL). Returns NULL
 * without memory. */
struct texenv_context *texenv_calls_context_new(struct texenv_calls *calls, struct texenv_context *share);
void texenv_calls_context_free(struct texenv_calls *calls, struct texenv_context *context);
/* wglShareLists: `to` shares the objects of `from` from now on. */
void texenv_calls_context_share(struct texenv_calls *calls, struct texenv_context *from,
                                struct texenv_context *to);

/* Returns the texture object with this name, which is created if it does not exist. Name 0 is the context's
 * own object. Returns NULL without memory. */
struct texenv_object *texenv_calls_object(struct texenv_calls *calls, uint32_t name, int target);
/* Creates an object that is in no table. Returns NULL without memory. */
struct texenv_object *texenv_calls_object_new(struct texenv_calls *calls, uint32_t name, int target);
void texenv_calls_bind(struct texenv_calls *calls, unsigned unit, int target, struct texenv_object *object);
void texenv_calls_release(struct texenv_calls *calls, struct texenv_object *object);
void texenv_calls_list_free(struct texenv_calls *calls, struct texenv_list *list);

#endif
