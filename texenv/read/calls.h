/* Internal: the executor of GL calls that the script reader and the trace reader share.
 *
 *   calls.c          which calls there are; from the values a reader has parsed to a struct texenv_op
 *   calls_run.c      what an op does, its GL errors, draws
 *   calls_beside.c   what is not carried and must not be lost in silence
 *   calls_lists.c    display lists
 *   calls_attrib.c   PushAttrib, PopAttrib
 *   calls_vertex.c   the vertex half: both for its calls
 *   calls_objects.c  texture objects, share groups, contexts, and the memory they are in
 *
 * A reader fills struct texenv_value for each argument and hands them to texenv_calls_do(). Section numbers
 * are of the OpenGL 2.1 specification. */
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
    TEXENV_CALL_BUILD_MIPMAPS, /* of GLU: images at level 0 and on */
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
    TEXENV_CALL_FILTER,       /* TEX_PARAMETER of texenv_texture_info.parameter */
    TEXENV_CALL_BIND_UNKNOWN, /* BIND_TEXTURE of a name that is not known */
    TEXENV_CALL_NOT_FOLLOWED,
    TEXENV_CALL_VERTEX, /* from here on: of the vertex half */
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
    /* of GLU */
    TEXENV_CALL_ORTHO_2D,
    TEXENV_CALL_LOOK_AT,
    TEXENV_CALL_PICK_MATRIX,
    TEXENV_CALL_PERSPECTIVE,
    TEXENV_CALL_PUSH_MATRIX,
    TEXENV_CALL_POP_MATRIX,
    TEXENV_CALL_TEX_GEN,
    TEXENV_CALL_LIGHT,
    TEXENV_CALL_VERTEX_LIGHT_MODEL, /* LIGHT_MODEL of another pname than the colour control */
    TEXENV_CALL_COLOR_MATERIAL,
    TEXENV_CALL_MATERIAL,
    TEXENV_CALL_POINT_PARAMETER,
    TEXENV_CALL_POINT_SIZE,
    TEXENV_CALL_SHADE_MODEL,
    TEXENV_CALL_VERTEX_FOG, /* FOG of another pname than the mode and the coordinate's source */
    TEXENV_CALL_CLIP_PLANE,
    TEXENV_CALL_VERTEX_NOT_FOLLOWED,
    /* the reader's on_call */
    TEXENV_CALL_SHADER,
    TEXENV_CALL_BESIDE, /* nothing of what the readers follow, and lost in some languages */
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
    /* of NOT_FOLLOWED: which of the calls change texturing */
    TEXENV_FORM_WHEN_ALWAYS,
    TEXENV_FORM_WHEN_PNAME, /* its pname says what matters: the second or third argument */
    TEXENV_FORM_WHEN_NAME,  /* its last argument is not 0 */
    TEXENV_FORM_WHEN_OFF,   /* its last argument is GL_FALSE */
    TEXENV_FORM_WHEN_TARGET /* the first argument is a texture target, or a generated coordinate */
};

enum { TEXENV_CALL_PARAMS = 13, TEXENV_ANY_ARITY = 0xff };

struct texenv_call_info {
    const char *name; /* without "gl" */
    uint8_t length;
    uint8_t kind, form, listed, arity; /* columns of calls.def */
    uint8_t params;                    /* how many of param are used */
    uint8_t sizes;                     /* IMAGE: number of the first of them that is a size */
    const char *param[TEXENV_CALL_PARAMS];
    uint8_t param_length[TEXENV_CALL_PARAMS];
};

/* The call of a name after "gl", or NULL if texturing does not depend on it. */
const struct texenv_call_info *texenv_calls_find(const struct texenv_names *names, const char *name,
                                                 size_t length);
/* The same, but only what the reader wants: the calls of shaders, or all others. */
const struct texenv_call_info *texenv_calls_wanted(const struct texenv_calls *calls, const char *name,
                                                   size_t length);

/* A number of the row of calls.def, below TEXENV_CALL_ROWS. */
enum { TEXENV_CALL_ROWS = 256 };
unsigned texenv_calls_row(const struct texenv_call_info *info);

static inline bool texenv_calls_is_vertex(unsigned kind)
{
    return kind >= TEXENV_CALL_VERTEX && kind < TEXENV_CALL_SHADER;
}

/* Whether a call that is wanted may change what texturing computes: all but those of the vertex half. */
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
    TEXENV_V_NAME,  /* GL_... that is not known here */
    TEXENV_V_OTHER, /* no constant: a variable, a string, a blob ... */
    TEXENV_V_ARRAY
};

struct texenv_value {
    uint8_t kind;        /* enum texenv_value_kind */
    uint32_t length;     /* of text */
    const char *text;    /* as it stands in the input; valid during the call */
    int64_t integer;     /* INT */
    double real;         /* REAL */
    size_t first, count; /* ARRAY: elements in texenv_calls.items */
    uint64_t declared;   /* ARRAY: elements by the type, those not written are 0; else 0 */
    uint32_t line, column;
};

static inline bool texenv_value_is_number(const struct texenv_value *v)
{
    return v->kind == TEXENV_V_INT || v->kind == TEXENV_V_REAL;
}

/* As C converts it; what has no integer becomes a value that nothing takes. */
static inline uint32_t texenv_value_integer(const struct texenv_value *v)
{
    if (v->kind == TEXENV_V_REAL)
        return v->real > -2147483649.0 && v->real < 4294967296.0 ? (uint32_t)(int64_t)v->real : UINT32_MAX;
    return (uint32_t)(uint64_t)v->integer;
}

/* ---- calls ready to run ---- */

struct texenv_op {
    const struct texenv_call_info *info;
    struct texenv_place place, value; /* value: of one that is not known, NaN in v.f; line 0: there is none */
    uint32_t a, b;                    /* target and pname; target and format; name; of draws the mode ... */
    union {
        int32_t i[5];
        float f[16]; /* a matrix has all, column by column */
    } v;
    const char *text; /* of the value, for messages; NULL in display lists */
    uint32_t length;
    uint8_t kind; /* as in info, but CALL_LISTS becomes CALL_LIST */
    bool said;    /* its GL error was told: once is enough for a call of a list */
};

/* The mode of a draw that is not known, and one that draws something else than points. */
enum { TEXENV_DRAWS_UNKNOWN = 0x7fffffff, TEXENV_DRAWS_AREAS = 0x7ffffffe };

/* ---- objects ---- */

/* A texture object, with a reference count: bindings and the table of names refer to it. */
struct texenv_object {
    uint32_t name, references;
    int target; /* enum texenv_target, -1: not bound yet */
    struct texenv_texture texture;
    uint8_t face[6];           /* CUBE: enum texenv_base + 1 of the image of each face; 0: none */
    struct texenv_place image; /* where its image was specified */
    struct texenv_texture_info info;
};

/* Open addressing, keys without restriction, values not NULL. */
struct texenv_map {
    struct texenv_map_entry {
        uint64_t key;
        void *value;
    } * entry;
    size_t capacity, used, filled; /* filled: with removed ones */
};

struct texenv_list {
    struct texenv_op *op;
    size_t count, capacity;
    unsigned begun; /* while it is compiled: Begins since the last End */
};

struct texenv_share {
    uint32_t references;
    uint32_t generation; /* counts changes of texture objects */
    struct texenv_map textures, lists;
};

struct texenv_attrib;
enum { TEXENV_ATTRIB_DEPTH = 16 }; /* MAX_ATTRIB_STACK_DEPTH, its minimum */

/* What an input may hold at a time: it takes much less text to ask for one than memory to keep it. */
enum {
    TEXENV_MOST_CONTEXTS = 1024,
    TEXENV_MOST_LISTED = 1 << 20, /* calls in display lists */
    TEXENV_MOST_ITEMS = 1 << 16   /* elements of the arrays of a call */
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
    struct texenv_attrib *attrib[TEXENV_ATTRIB_DEPTH]; /* kept for the next push when popped */
    unsigned attribs;

    uint64_t stamp;         /* counts calls that may have changed the state */
    uint64_t drawn_stamp;   /* at the last draw that was yielded */
    uint64_t program_stamp; /* at the last draw under a program */
    uint32_t drawn_generation;
    bool drawn;
    struct texenv last; /* state of the last draw that was yielded */

    struct texenv_values_gl gl; /* the vertex half, modes and values */
    char vertex_lost[120];      /* why it is not known from some call on; empty: it is */
    uint64_t vertex_stamp, drawn_vertex_stamp;
    struct texenv_vertex last_vertex; /* of the last draw, as last */
    const char *last_refused;         /* NULL, or why that draw has none */
    struct texenv_raster last_raster; /* of that draw */

    uint32_t current; /* threads in which it is current (traces) */
    bool destroyed;
    struct texenv_context *next;
};

/* ---- the executor ---- */

struct texenv_calls {
    struct texenv_reader *reader;
    struct texenv_names names;
    bool ran;     /* a call that matters was met */
    bool trace;   /* the input is a trace: unknown names are GL's errors, not errors of the input */
    bool stopped; /* nothing more is to be read */
    bool no_memory;
    bool in_shader;  /* between BeginFragmentShader and EndFragmentShader */
    bool ends;       /* the input has an End: Begin does not end at once */
    bool has_images; /* the script has texture images (known in advance; in traces they are counted) */
    struct texenv_context *context; /* NULL: none current, calls do nothing */
    struct texenv_context *contexts;
    unsigned context_count;
    size_t listed;              /* calls in all display lists */
    struct texenv_value *items; /* elements of the arrays of the call at hand */
    size_t item_count, item_capacity;

    unsigned list_depth;
    bool list_drawn;      /* the outermost CallList at hand has yielded a draw */
    uint64_t list_budget; /* calls that lists may still run */
    struct texenv_place list_place;
    bool said_lists, said_budget;
    unsigned said_beside; /* bits: what stands beside the program and was told */
    unsigned sprites;     /* bit 0: POINT_SPRITE was enabled, 1: COORD_REPLACE was set */
    /* what programs of points contain, and draws of what is not known do not: where it was met; line 0: not
     */
    struct texenv_place sprite_place, size_place, flat_place;
    uint8_t said_not_followed[64]; /* bit per row of calls.def, then of the tokens that are not followed */

    struct texenv_place after_draw; /* first state call after the last draw; line 0: none */
};

/* false: no memory (said). */
bool texenv_calls_init(struct texenv_calls *calls, struct texenv_reader *reader, bool trace);
void texenv_calls_free(struct texenv_calls *calls);

/* One call of the input. args: the parameters of info. */
void texenv_calls_do(struct texenv_calls *calls, const struct texenv_call_info *info,
                     const struct texenv_value *args, struct texenv_place place);

/* Room for one more element of an array; NULL: there is none, which is told at this place. */
struct texenv_value *texenv_calls_item(struct texenv_calls *calls, struct texenv_place place);
static inline const struct texenv_value *texenv_value_element(const struct texenv_calls *calls,
                                                              const struct texenv_value *array, size_t i)
{
    return &calls->items[array->first + i];
}

/* The value of a token "GL_..." into v->kind and v->integer. */
void texenv_calls_token(const struct texenv_calls *calls, struct texenv_value *v, const char *name,
                        size_t length);

/* An ERROR diagnostic: counts it, and stops after the twentieth. A macro, since texenv_emit takes the
 * arguments as they are. */
#define TEXENV_CALLS_ERROR(calls, place, code, ...) \
    (texenv_emit(&(calls)->reader->sink, TEXENV_ERROR, -1, place, code, __VA_ARGS__), \
     texenv_calls_count_error(calls))
void texenv_calls_count_error(struct texenv_calls *calls);
void texenv_calls_no_memory(struct texenv_calls *calls, struct texenv_place place);

/* A GL error of op, as a warning. */
#define TEXENV_CALLS_GL_ERROR(calls, op, error, format, ...) \
    (texenv_calls_tell(calls, op) \
         ? texenv_emit(&(calls)->reader->sink, TEXENV_WARNING, texenv_calls_unit(calls, op), (op)->place, \
                       "gl-error", "%s: " format, texenv_error_name(error), __VA_ARGS__) \
         : (void)0)
bool texenv_calls_tell(struct texenv_calls *calls, struct texenv_op *op); /* counts; whether to tell it */
int texenv_calls_unit(const struct texenv_calls *calls, const struct texenv_op *op);

/* calls_run.c */
/* The enum texenv_texture_parameter of a pname of TexParameter; TEXENV_TEXTURE_PARAMETERS: none. */
unsigned texenv_calls_parameter(uint32_t pname);
void texenv_calls_run(struct texenv_calls *calls, struct texenv_op *op);
/* mode: of the primitives, or one of TEXENV_DRAWS_*. */
void texenv_calls_draw(struct texenv_calls *calls, struct texenv_place place, uint32_t mode);
void texenv_calls_delete_textures(struct texenv_calls *calls, struct texenv_op *op,
                                  const struct texenv_value *array);

/* A value as a message shows it: its GL name, else a number. */
struct texenv_name_buffer {
    char data[64];
};
const char *texenv_calls_name_of(struct texenv_name_buffer *buffer, uint32_t value);
/* The same of the value of op, as its author wrote it. */
const char *texenv_calls_value_of(struct texenv_name_buffer *buffer, const struct texenv_op *op,
                                  uint32_t value);
void texenv_calls_inside_begin(struct texenv_calls *calls, struct texenv_op *op);

/* calls_vertex.c. The arguments of a call, into op: false if nothing is to be run. */
bool texenv_calls_prepare_vertex(struct texenv_calls *calls, struct texenv_op *op,
                                 const struct texenv_value *args);
void texenv_calls_run_vertex(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_enable_vertex(struct texenv_calls *calls, struct texenv_op *op);
/* Brings context->last_vertex and last_raster up to date at a draw: whether they changed. */
bool texenv_calls_draw_vertex(struct texenv_context *x, bool points);
/* The vertex half is not known any more, because of this call of the name. */
void texenv_calls_lose_vertex(struct texenv_calls *calls, struct texenv_place place, const char *name,
                              size_t length);

/* calls_beside.c. A call of kind NOT_FOLLOWED. */
void texenv_calls_not_followed(struct texenv_calls *calls, const struct texenv_op *op,
                               const struct texenv_value *args);
/* Whether this token is one of op's kind of call that is not followed, which is told. values: what it is set
 * to, which may change nothing; NULL: it always changes texturing. */
bool texenv_calls_is_open(struct texenv_calls *calls, const struct texenv_op *op, int64_t token,
                          const struct texenv_value *values);
/* Whether the internal format op->b is one that GL takes and fixed function has no defined result for. */
bool texenv_calls_open_format(struct texenv_calls *calls, const struct texenv_op *op);
/* What stands beside the program: a capability is enabled, a texture matrix is changed, a call of kind
 * BESIDE. COORD_REPLACE (bit 2) counts with POINT_SPRITE (bit 1), in either order. */
void texenv_calls_enable_beside(struct texenv_calls *calls, int64_t cap, struct texenv_place place);
void texenv_calls_sprite_beside(struct texenv_calls *calls, unsigned bit, bool known,
                                struct texenv_place place);
/* A draw of primitives that are not points, or not known. */
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
/* Begin and end of the outermost CallList or CallLists: draws inside of it between which nothing changes are
 * one. */
void texenv_calls_enter_lists(struct texenv_calls *calls, struct texenv_place place);
void texenv_calls_leave_lists(struct texenv_calls *calls);

/* calls_attrib.c */
void texenv_calls_push_attrib(struct texenv_calls *calls, struct texenv_op *op);
void texenv_calls_pop_attrib(struct texenv_calls *calls, struct texenv_op *op);

/* calls_objects.c */
void *texenv_calls_resize(struct texenv_calls *calls, void *p, size_t size);
void *texenv_map_get(const struct texenv_map *map, uint64_t key);
bool texenv_map_put(struct texenv_calls *calls, struct texenv_map *map, uint64_t key, void *value);
/* The value in one of the `capacity` slots, or NULL: for going through all. */
void *texenv_map_at(const struct texenv_map *map, size_t slot);
void *texenv_map_remove(struct texenv_map *map, uint64_t key);
void texenv_map_free(struct texenv_calls *calls, struct texenv_map *map);

/* A context that shares objects with another, or with none (NULL). NULL: no memory. */
struct texenv_context *texenv_calls_context_new(struct texenv_calls *calls, struct texenv_context *share);
void texenv_calls_context_free(struct texenv_calls *calls, struct texenv_context *context);
/* wglShareLists: gives `to` the objects of `from`. */
void texenv_calls_context_share(struct texenv_calls *calls, struct texenv_context *from,
                                struct texenv_context *to);

/* The object of a name, made if there is none; name 0 is the context's own. NULL: no memory. */
struct texenv_object *texenv_calls_object(struct texenv_calls *calls, uint32_t name, int target);
/* One that is in no table. NULL: no memory. */
struct texenv_object *texenv_calls_object_new(struct texenv_calls *calls, uint32_t name, int target);
void texenv_calls_bind(struct texenv_calls *calls, unsigned unit, int target, struct texenv_object *object);
void texenv_calls_release(struct texenv_calls *calls, struct texenv_object *object);
void texenv_calls_list_free(struct texenv_calls *calls, struct texenv_list *list);

#endif
