/* libtexenv-shim.so is loaded before an application's GL (LD_PRELOAD). It replaces fixed-function draws by
 * draws with generated GL programs, or records the state of the draws. Only one thread at a time may use GL.
 * In these comments "the application" is the process that loads the shim. */
#ifndef SHIM_H
#define SHIM_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "texenv/vertex.h"

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- resolve.c: the real functions ---- */

/* Returns the real function of this name, found in the same way as the application finds its functions; NULL
 * if there is none. */
void *real_function(const char *name);
/* Calls a real GL function: CALL(glEnable, GL_FOG) */
#define CALL(name, ...) \
    ({ \
        static __typeof__(name) *real_; \
        if (!real_) \
            real_ = (__typeof__(name) *)real_function(#name); \
        real_(__VA_ARGS__); \
    })
/* Returns the handle of the current context; NULL if none is current. */
const void *current_context(void);

/* ---- contexts.c: information on contexts that GL has no query for ---- */

struct context {
    const void *handle;
    /* unique, as a new context may have the address of a deleted one */
    unsigned number;
    unsigned group;         /* contexts with the same group share objects */
    GLenum error;           /* pending error of the application (errors.c) */
    struct compiling *list; /* the list being compiled (lists.c); NULL: none */
    GLuint atifs_bound;     /* the ATI fragment shader bound by the application */
    bool atifs_open;        /* the application is defining that shader */
    /* contexts_lost_object was called, and no draw has followed */
    bool lost_object;
    GLfloat atifs_constant[8][4]; /* set by the application outside of shader definitions */
};
/* Returns the current context. If none is current, returns an entry that represents this. The pointer stays
 * valid. */
struct context *context_now(void);
/* Notes that an object of the shim was deleted in the current context; other contexts of the group may still
 * use it. */
void contexts_lost_object(void);
/* Declared without the headers of EGL, X and OSMesa, whose types are replaced by plain ones. */
void *eglCreateContext(void *display, void *config, void *share, const int32_t *attributes);
void *glXCreateContext(void *display, void *visual, void *share, int direct);
void *glXCreateNewContext(void *display, void *config, int type, void *share, int direct);
void *glXCreateContextAttribsARB(void *display, void *config, void *share, int direct, const int *attributes);
void *OSMesaCreateContext(GLenum format, void *share);
void *OSMesaCreateContextExt(GLenum format, GLint depth, GLint stencil, GLint sums, void *share);
void *OSMesaCreateContextAttribs(const int *attributes, void *share);

/* ---- names.c: names of the shim's objects, in name spaces where applications may choose names ---- */

enum name_kind { NAME_ARB, NAME_ATIFS, NAME_GLSL };
/* Registers an object that was created in the current context's group; does nothing for 0. If the application
 * uses the same name, the object is deleted and *name becomes 0. The pointer must stay valid
 * until name_drop. */
void name_keep(enum name_kind kind, GLuint *name);
/* Deletes the object if it exists, and sets *name to 0. */
void name_drop(GLuint *name);
/* Must be called before the application uses a name: deletes the shim's object of that name. */
void name_yield(enum name_kind kind, GLuint name);

/* ---- settings and figures (report.c) ---- */

enum language { LANGUAGE_NONE, LANGUAGE_ATIFS, LANGUAGE_ARBFP, LANGUAGE_GLSL };
struct settings {
    enum language replace; /* TEXENV_SHIM: the language that replaces fixed function */
    enum language provide; /* TEXENV_SHIM_PROVIDE: the language that implements GL_ATI_fragment_shader */
    bool vertex;           /* TEXENV_SHIM_VERTEX=1: replace the vertex half, too */
    bool sabotage;         /* TEXENV_SHIM_SABOTAGE=1: translate wrongly, so that tests must fail */
    bool sabotage_vertex;  /* TEXENV_SHIM_SABOTAGE=1 or vertex: translate the vertex half wrongly */
    bool show;             /* TEXENV_SHIM_SHOW=1: print every generated program */
    bool quiet;            /* TEXENV_SHIM_QUIET=1: print no figures at exit */
    /* file descriptor; TEXENV_SHIM_LOG=FILE: append messages to FILE instead of stderr */
    int log;
    bool record;        /* TEXENV_SHIM=record: record the state of draws, and replace nothing */
    const char *folder; /* TEXENV_RECORD_DIR=DIR: where recordings go; "recorded" by default */
    /* TEXENV_RECORD_FRAMES=N: end the application (SIGTERM) after N frames; 0: never */
    unsigned frames;
    bool pictures; /* TEXENV_RECORD_PNG=1: save a picture of each environment's first draw */
};
const struct settings *settings(void); /* reads the environment variables once */
/* Counts a draw. reason: why it was passed on to fixed function; NULL if it was replaced or recorded. */
void count_draw(const char *reason);
void count_program(void);
/* Counts the vertex half of a replaced draw. reason: why it remained fixed function; NULL if it
 * was replaced. */
void count_vertex(const char *reason);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Installs handlers, at the first draw, that report on SIGINT and SIGTERM before these take their default
 * effect. A handler that the application has installed is kept. */
void report_on_signals(void);

/* ---- errors.c: what the application gets from glGetError ---- */

/* Bracket the shim's own GL calls outside of Begin and End. The application's pending error is kept, and
 * errors of the shim's calls are dropped. */
void errors_hold(void);
void errors_release(void);
/* Returns and clears the application's pending error. */
GLenum errors_take(void);

/* ---- query.c: what the next draw computes ---- */

/* Tells whether the current context has fixed function. Core profiles and OpenGL ES do not; there the shim
 * does nothing. Causes no GL error. */
bool query_fixed_function(void);

/* Reads the state of the current context. Returns NULL, or why this draw is not fixed function (then *state
 * is not set). */
const char *query_state(struct texenv_state *state);

/* Makes the canonical vertex half of the current context, for a draw with this state. Returns NULL, or why
 * no program can replace it. */
const char *query_vertex(struct texenv_vertex *vertex, const struct texenv_state *state);

/* Reads the values of the current context, except the texture environment's. Always returns true. */
struct texenv_values;
bool query_values(struct texenv_values *values);
/* Fills in information on the textures of all units; `textures` has TEXENV_UNITS elements. */
struct texenv_texture_info;
void query_textures(struct texenv_texture_info *textures, const struct texenv_state *state);
/* Reads the rasterization state, which recordings keep in addition. */
struct texenv_raster;
void query_raster(struct texenv_raster *raster, const struct texenv_state *state);

/* Returns the kind of program that the application draws with instead of fixed function, or NULL. atifs: GL's
 * own ATI fragment shaders count, too. */
const char *query_own_program(bool atifs);

/* ---- record.c: recording the state of draws ---- */

/* Called once, before the first draw. Ends the process if the output folder cannot be used. */
void record_open(void);
void record_draw(const struct texenv_state *state);
/* Called after a draw that record_draw has recorded: takes its picture if needed. */
void record_drawn(void);
bool record_has_pictures(void);
unsigned record_frames(void);
void glXSwapBuffers(void *display, unsigned long drawable);
unsigned eglSwapBuffers(void *display, void *surface);

/* ---- program.c ---- */

/* Makes the generated program of a state current. vertex: the canonical vertex half, which is replaced, too,
 * if that is possible; may be NULL. Returns NULL, or why the draw cannot be replaced. */
const char *program_use(const struct texenv_state *state, const struct texenv_vertex *vertex);
/* Returns NULL, or why the current program does not replace the vertex half. */
const char *program_vertex_why(void);
/* Restores the application's bindings. */
void program_done(void);
/* Works around an error in Mesa 22.3.6; called before each draw, including those with the application's own
 * programs. If values that programs read (current colour, constants of ATI shaders, ...) are changed, and
 * Mesa's derived state is updated while fixed function is current (as ReadPixels and the query for
 * GL_RGBA_FLOAT_MODE_ARB do), then a program still gets the old values. Setting any parameter of ARB programs
 * makes Mesa pass on all values; here a parameter is set to the value that it has. */
void program_renew_values(void);
/* The functions below compile a program and leave it bound. They return 0 after an error message. */
extern uint64_t program_scratch[]; /* working memory of one compilation, FRAGPROG_SCRATCH bytes */
GLuint program_make_arb(GLenum target, const char *text);
/* vertex: the text of a vertex shader, or NULL. */
GLuint program_make_glsl(const char *text, const char *vertex);

/* ---- draw.c ---- */

/* Brackets everything that draws. */
struct draw {
    enum { DRAW_AS_IS, DRAW_REPLACED, DRAW_PROVIDED, DRAW_RECORDED } by;
    bool segment; /* the draw is compiled into a segment of a display list */
};
/* The primitives of the next draw (mode of glBegin). */
enum { DRAW_UNKNOWN = -1 };
extern int draw_mode;
struct draw draw_begin(void);
void draw_end(struct draw draw);
/* Bracket a draw by Begin and End that is executed. */
void draw_open(void);
void draw_close(void);
/* Whether the next draw sets materials between Begin and End, which vertex programs do not see. */
extern bool draw_sets_materials;
extern bool draw_in_begin; /* a draw between glBegin and glEnd is in progress */
/* Tells whether GL is between Begin and End; called before a call that GL refuses there. If GL has refused
 * the Begin (an ARB program without text, an incomplete framebuffer), ends its draw and returns false. */
bool draw_refuses(void);

/* ---- lists.c: display lists, divided into segments ---- */

/* Tells whether a list is being compiled. Each draw then goes into a segment of its own, so that its program
 * can be generated when the list is called. */
bool list_compiling(void);
/* Bracket a draw that is compiled into a list. begin: the draw is a Begin. list_open_draw returns false, and
 * does nothing, between Begin and End. */
bool list_open_draw(bool begin);
void list_close_draw(void);
/* Notes that the list sets a material. */
void list_note_material(void);
/* Queries what cannot be queried between Begin and End. Called before a Begin is executed. */
void list_before_begin(void);
/* Defers a call that the shim must see each time the list is called. Returns true if a list is being
 * compiled; the call becomes a part of it. */
struct deferred {
    GLuint a, b;
    GLfloat value[4];
};
bool list_defer(void (*run)(const struct deferred *), struct deferred arguments);
/* Answers a query on the list being compiled. Returns false for other queries. */
bool list_answers(GLenum pname, GLint *value);
/* Frees the list being compiled in a context that no longer exists. */
void lists_forget(struct context *context);
void glXUseXFont(unsigned long font, int first, int count, int base);

/* ---- provide.c: GL_ATI_fragment_shader on a GL that lacks it ---- */

/* Returns the provided function of this name, or NULL. */
void (*provide_wrapper(const char *name))(void);
/* Makes a program for the ATI fragment shader current that the application has enabled. Returns false if none
 * is enabled or its program cannot be made. */
bool provide_use(void);
void provide_done(void);

#endif
