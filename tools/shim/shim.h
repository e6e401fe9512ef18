/* libtexenv-shim.so: put before a program's GL (LD_PRELOAD), draws by generated programs what the program
 * draws by fixed function, or records what it draws with. One thread at a time may use GL. */
#ifndef SHIM_H
#define SHIM_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include "texenv/vertex.h"

#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

/* ---- resolve.c: the real functions ---- */

/* The real function of this name, by the way that the program itself got its functions; NULL if there is
 * none. */
void *real_function(const char *name);
/* CALL(glEnable, GL_FOG) */
#define CALL(name, ...) \
    ({ \
        static __typeof__(name) *real_; \
        if (!real_) \
            real_ = (__typeof__(name) *)real_function(#name); \
        real_(__VA_ARGS__); \
    })
/* The context that is current; NULL: none. */
const void *current_context(void);

/* ---- contexts.c: what GL does not tell of a context ---- */

struct context {
    const void *handle;
    unsigned number;        /* another one for each context, of which two may have had the same address */
    unsigned group;         /* contexts of the same number share objects */
    GLenum error;           /* kept for the program (errors.c) */
    struct compiling *list; /* lists.c; NULL: none */
    GLuint atifs_bound;     /* the ATI fragment shader, by the program */
    bool atifs_open;        /* it is being defined */
    bool lost_object;       /* contexts_lost_object, and no draw since */
    GLfloat atifs_constant[8][4]; /* set by the program outside of definitions */
};
/* The one that is current; one of its own kind where there is none. Stays where it is. */
struct context *context_now(void);
/* An object of ours has been deleted in the current context, which the others of its group may know. */
void contexts_lost_object(void);
/* The types of EGL, X and OSMesa, without their headers. */
void *eglCreateContext(void *display, void *config, void *share, const int32_t *attributes);
void *glXCreateContext(void *display, void *visual, void *share, int direct);
void *glXCreateNewContext(void *display, void *config, int type, void *share, int direct);
void *glXCreateContextAttribsARB(void *display, void *config, void *share, int direct, const int *attributes);
void *OSMesaCreateContext(GLenum format, void *share);
void *OSMesaCreateContextExt(GLenum format, GLint depth, GLint stencil, GLint sums, void *share);
void *OSMesaCreateContextAttribs(const int *attributes, void *share);

/* ---- names.c: objects of the shim's own, where programs choose names, too ---- */

enum name_kind { NAME_ARB, NAME_ATIFS, NAME_GLSL };
/* An object has been made in the current context's group; 0 is none. When the program takes its name, it is
 * deleted and *name is 0. *name stays where it is until name_drop. */
void name_keep(enum name_kind kind, GLuint *name);
/* Deletes the object, if there is one; then *name is 0. */
void name_drop(GLuint *name);
/* The program is about to use a name: ours makes way. */
void name_yield(enum name_kind kind, GLuint name);

/* ---- settings and figures (report.c) ---- */

enum language { LANGUAGE_NONE, LANGUAGE_ATIFS, LANGUAGE_ARBFP, LANGUAGE_GLSL };
struct settings {
    enum language replace; /* TEXENV_SHIM: draw fixed function by this */
    enum language provide; /* TEXENV_SHIM_PROVIDE: give GL_ATI_fragment_shader by this */
    bool vertex;           /* TEXENV_SHIM_VERTEX=1: with the vertex half, too */
    bool sabotage;         /* TEXENV_SHIM_SABOTAGE=1: translate wrongly, which tests have to notice */
    bool sabotage_vertex;  /* TEXENV_SHIM_SABOTAGE=1 or vertex: the vertex half, too, or alone */
    bool show;             /* TEXENV_SHIM_SHOW=1: print every program that is made */
    bool quiet;            /* TEXENV_SHIM_QUIET=1: no figures at exit */
    int log;               /* TEXENV_SHIM_LOG=FILE: what is said is appended to the file; else stderr */
    bool record;           /* TEXENV_SHIM=record: write down what is drawn with, change nothing */
    const char *folder;    /* TEXENV_RECORD_DIR=DIR: where to; else "recorded" */
    unsigned frames;       /* TEXENV_RECORD_FRAMES=N: end the program (SIGTERM) after N frames; 0: do not */
    bool pictures;         /* TEXENV_RECORD_PNG=1: with a picture of each environment's first draw */
};
const struct settings *settings(void); /* reads the environment once */
/* The name of a draw that was passed on to fixed function, and why; replaced and recorded ones have reason
 * NULL.
 */
void count_draw(const char *reason);
void count_program(void);
/* The vertex half of a replaced draw: NULL, or why fixed function stays. */
void count_vertex(const char *reason);
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From the first draw on SIGINT and SIGTERM report, too, and then do what they did. A handler of the
 * program's own stays. */
void report_on_signals(void);

/* ---- errors.c: what the program finds in glGetError ---- */

/* Around GL calls of the shim's own, outside of Begin and End: the program's error is kept for it, and none
 * of ours is left. */
void errors_hold(void);
void errors_release(void);
/* The error that is kept for the program, once. */
GLenum errors_take(void);

/* ---- query.c: what a draw computes ---- */

/* The current context has fixed function; a core profile and OpenGL ES have not: there the shim does nothing.
 * Leaves no error. */
bool query_fixed_function(void);

/* The state of the current context. NULL, or why this draw is not fixed function (then *state is not set). */
const char *query_state(struct texenv_state *state);

/* The canonical vertex half of the current context, for a draw with this state. Returns NULL, or why no
 * program can replace it. */
const char *query_vertex(struct texenv_vertex *vertex, const struct texenv_state *state);

/* GL's values in the current context, but for the environment's. True. */
struct texenv_values;
bool query_values(struct texenv_values *values);
/* The textures of the units of this state, into TEXENV_UNITS of them. */
struct texenv_texture_info;
void query_textures(struct texenv_texture_info *textures, const struct texenv_state *state);
/* The rest of the current context that recordings keep. */
struct texenv_raster;
void query_raster(struct texenv_raster *raster, const struct texenv_state *state);

/* NULL, or what the program draws by instead of fixed function; atifs: GL's own ATI fragment shaders count.
 */
const char *query_own_program(bool atifs);

/* ---- record.c: what is drawn with, written down ---- */

/* Once, before the first draw; ends the process where there is no folder to write to. */
void record_open(void);
void record_draw(const struct texenv_state *state);
/* After a draw of record_draw: its picture. */
void record_drawn(void);
bool record_has_pictures(void);
unsigned record_frames(void);
void glXSwapBuffers(void *display, unsigned long drawable);
unsigned eglSwapBuffers(void *display, void *surface);

/* ---- program.c ---- */

/* Makes the program of a state current; vertex: with that of the vertex half, canonical, unless it is NULL or
 * there is none. NULL, or why there is none. */
const char *program_use(const struct texenv_state *state, const struct texenv_vertex *vertex);
/* Of the program that is current: NULL, or why it has no vertex program. */
const char *program_vertex_why(void);
/* Puts back what was there. */
void program_done(void);
/* Before each draw, of the program's own programs, too. Mesa 22.3.6 leaves a program the current colour,
 * constants of ATI shaders and so on of the draw before, where new ones were set and Mesa's state was then
 * brought up to date (as ReadPixels does, and the query for GL_RGBA_FLOAT_MODE_ARB) while fixed function was
 * current. It passes all values on when a parameter of ARB programs is set; here each is set to what it is.
 */
void program_renew_values(void);
/* Compiles a text; leaves it current (bound). 0 after a message. */
extern uint64_t program_scratch[]; /* FRAGPROG_SCRATCH bytes for one compilation */
GLuint program_make_arb(GLenum target, const char *text);
/* vertex: NULL, or a vertex shader with it. */
GLuint program_make_glsl(const char *text, const char *vertex);

/* ---- draw.c ---- */

/* Around anything that draws. */
struct draw {
    enum { DRAW_AS_IS, DRAW_REPLACED, DRAW_PROVIDED, DRAW_RECORDED } by;
    bool segment; /* of a display list */
};
/* The primitives of the next draw. */
enum { DRAW_UNKNOWN = -1 };
extern int draw_mode;
struct draw draw_begin(void);
void draw_end(struct draw draw);
/* The same around Begin and End, when they are executed. */
void draw_open(void);
void draw_close(void);
/* The next draw sets materials between Begin and End, which vertex programs do not see. */
extern bool draw_sets_materials;
extern bool draw_in_begin; /* between glBegin and glEnd: a draw is going on */
/* Whether GL is between Begin and End, asked before a call that it refuses there. If GL has refused that
 * Begin (an ARB program without a text, a framebuffer that is not complete), ends its draw: false. */
bool draw_refuses(void);

/* ---- lists.c: display lists, in segments ---- */

/* A list is being compiled. Draws go into segments of their own, so that a program can be made for each when
 * the list is called. */
bool list_compiling(void);
/* While a list is compiled: a draw begins, and is over. begin: it is a Begin. False between Begin and End. */
bool list_open_draw(bool begin);
void list_close_draw(void);
/* A material is set in the list. */
void list_note_material(void);
/* Before a Begin is executed: what GL cannot be asked after it. */
void list_before_begin(void);
/* A call that the shim has to see whenever the list is called: true if one is being compiled, of which this
 * is now a part. */
struct deferred {
    GLuint a, b;
    GLfloat value[4];
};
bool list_defer(void (*run)(const struct deferred *), struct deferred arguments);
/* What the program asks of the list that is being compiled; false: it asks something else. */
bool list_answers(GLenum pname, GLint *value);
/* The context has gone. */
void lists_forget(struct context *context);
void glXUseXFont(unsigned long font, int first, int count, int base);

/* ---- provide.c: GL_ATI_fragment_shader on a GL that lacks it ---- */

/* The function of this name that is provided, or NULL. */
void (*provide_wrapper(const char *name))(void);
/* The fragment shader that the program has enabled, through ours. False if there is none. */
bool provide_use(void);
void provide_done(void);

#endif
