/* Manages names of the shim's GL objects. Applications may choose names for ARB programs and ATI fragment
 * shaders without generating them, and may try any name for GLSL programs. So the shim uses unused names.
 * When the application uses one of these names, the shim first deletes its own object, so that GL answers as
 * if it had never existed, and creates it again under another name when needed. Display lists cannot be
 * created again: see lists.c. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

struct own {
    enum name_kind kind;
    unsigned group;
    GLuint *name; /* where the owner stores the name; becomes 0 when the object is deleted */
    struct own *next;
};
enum { BUCKETS = 256 };
static struct own *buckets[BUCKETS];

void name_keep(enum name_kind kind, GLuint *name)
{
    struct own *own = *name ? malloc(sizeof *own) : NULL;
    if (!own)
        return;
    *own = (struct own){kind, context_now()->group, name, buckets[*name % BUCKETS]};
    buckets[*name % BUCKETS] = own;
}

/* Removes the entry. Deletes the GL object if its contexts are current; otherwise it is deleted with them. */
static void drop(struct own **at)
{
    struct own *own = *at;
    const bool here = own->group == context_now()->group;
    *at = own->next;
    if (here && own->kind == NAME_ARB)
        CALL(glDeleteProgramsARB, 1, own->name);
    else if (here && own->kind == NAME_ATIFS)
        CALL(glDeleteFragmentShaderATI, *own->name);
    else if (here)
        CALL(glDeleteProgram, *own->name);
    if (here)
        contexts_lost_object();
    *own->name = 0;
    free(own);
}

void name_drop(GLuint *name)
{
    for (struct own **at = &buckets[*name % BUCKETS]; *name && *at; at = &(*at)->next)
        if ((*at)->name == name) {
            drop(at);
            return;
        }
}

void name_yield(enum name_kind kind, GLuint name)
{
    if (!name || draw_refuses()) /* GL refuses the application's call, too */
        return;
    for (struct own **at = &buckets[name % BUCKETS]; *at; at = &(*at)->next)
        if ((*at)->kind == kind && *(*at)->name == name && (*at)->group == context_now()->group) {
            drop(at);
            return;
        }
}

/* ---- wrappers of the application's calls ---- */

/* Wraps a call that uses an object: it is executed at once, or deferred until the list being compiled is
 * called. */
#define BINDS(function, kind) \
    static void run_##function(const struct deferred *d) { function(d->a, d->b); } \
    EXPORT void function(GLenum target, GLuint name) \
    { \
        if (list_defer(run_##function, (struct deferred){.a = target, .b = name})) \
            return; \
        name_yield(kind, name); \
        CALL(function, target, name); \
    }
BINDS(glBindProgramARB, NAME_ARB)
BINDS(glBindProgramNV, NAME_ARB)

#define YIELDS(type, function, kind, name, parameters, ...) \
    EXPORT type function parameters \
    { \
        name_yield(kind, name); \
        return CALL(function, __VA_ARGS__); \
    }
#define YIELDS_ALL(function, kind) \
    EXPORT void function(GLsizei n, const GLuint *names) \
    { \
        for (GLsizei i = 0; names && i < n; i++) \
            name_yield(kind, names[i]); \
        CALL(function, n, names); \
    }
YIELDS_ALL(glDeleteProgramsARB, NAME_ARB)
YIELDS_ALL(glDeleteProgramsNV, NAME_ARB)
YIELDS(GLboolean, glIsProgramARB, NAME_ARB, name, (GLuint name), name)
YIELDS(GLboolean, glIsProgramNV, NAME_ARB, name, (GLuint name), name)
/* functions of EXT_direct_state_access */
YIELDS(void, glNamedProgramStringEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLenum format, GLsizei length, const void *text), name, target, format,
       length, text)
YIELDS(void, glNamedProgramLocalParameter4dEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, GLdouble x, GLdouble y, GLdouble z, GLdouble w), name, target,
       i, x, y, z, w)
YIELDS(void, glNamedProgramLocalParameter4dvEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, const GLdouble *v), name, target, i, v)
YIELDS(void, glNamedProgramLocalParameter4fEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, GLfloat x, GLfloat y, GLfloat z, GLfloat w), name, target, i, x,
       y, z, w)
YIELDS(void, glNamedProgramLocalParameter4fvEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, const GLfloat *v), name, target, i, v)
YIELDS(void, glNamedProgramLocalParameters4fvEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, GLsizei n, const GLfloat *v), name, target, i, n, v)
YIELDS(void, glGetNamedProgramivEXT, NAME_ARB, name, (GLuint name, GLenum target, GLenum what, GLint *value),
       name, target, what, value)
YIELDS(void, glGetNamedProgramStringEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLenum what, void *text), name, target, what, text)
YIELDS(void, glGetNamedProgramLocalParameterdvEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, GLdouble *v), name, target, i, v)
YIELDS(void, glGetNamedProgramLocalParameterfvEXT, NAME_ARB, name,
       (GLuint name, GLenum target, GLuint i, GLfloat *v), name, target, i, v)
/* GL generates the names of GLSL objects, but an application may try any name */
/* Wraps a use of a GLSL program, which can be compiled into a list. */
#define USES(function, type) \
    static void run_##function(const struct deferred *d) { function((type)d->a); } \
    EXPORT void function(type name) \
    { \
        if (list_defer(run_##function, (struct deferred){.a = (GLuint)name})) \
            return; \
        name_yield(NAME_GLSL, (GLuint)name); \
        CALL(function, name); \
    }
USES(glUseProgram, GLuint)
USES(glUseProgramObjectARB, GLhandleARB)
YIELDS(void, glDeleteProgram, NAME_GLSL, name, (GLuint name), name)
YIELDS(void, glDeleteObjectARB, NAME_GLSL, (GLuint)name, (GLhandleARB name), name)
YIELDS(GLboolean, glIsProgram, NAME_GLSL, name, (GLuint name), name)

/* ---- ATI fragment shaders: GL has no queries for the binding and for constants outside of shaders ---- */

static void run_bind(const struct deferred *d) { glBindFragmentShaderATI(d->b); }

EXPORT void glBindFragmentShaderATI(GLuint name)
{
    struct context *c = context_now();
    if (list_defer(run_bind, (struct deferred){.b = name}))
        return;
    if (!draw_refuses() && !c->atifs_open) {
        name_yield(NAME_ATIFS, name);
        c->atifs_bound = name;
    }
    CALL(glBindFragmentShaderATI, name);
}

EXPORT void glDeleteFragmentShaderATI(GLuint name)
{
    struct context *c = context_now();
    if (!draw_refuses() && !c->atifs_open) {
        name_yield(NAME_ATIFS, name);
        if (c->atifs_bound == name)
            c->atifs_bound = 0;
    }
    CALL(glDeleteFragmentShaderATI, name);
}

EXPORT void glBeginFragmentShaderATI(void)
{
    if (!draw_refuses())
        context_now()->atifs_open = true;
    CALL(glBeginFragmentShaderATI, );
}

EXPORT void glEndFragmentShaderATI(void)
{
    if (!draw_refuses())
        context_now()->atifs_open = false;
    CALL(glEndFragmentShaderATI, );
}

static void run_constant(const struct deferred *d) { glSetFragmentShaderConstantATI(d->a, d->value); }

EXPORT void glSetFragmentShaderConstantATI(GLuint constant, const GLfloat *value)
{
    struct context *c = context_now();
    struct deferred d = {.a = constant};
    memcpy(d.value, value, sizeof d.value);
    if (list_defer(run_constant, d))
        return;
    if (!draw_refuses() && !c->atifs_open && constant - GL_CON_0_ATI < 8)
        memcpy(c->atifs_constant[constant - GL_CON_0_ATI], value, sizeof d.value);
    CALL(glSetFragmentShaderConstantATI, constant, value);
}
