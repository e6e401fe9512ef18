/* No header of GL is included here, so that all functions can have the same parameters: three words, which
 * are wrong for functions with floats, but of those none is read. */
#include "cost_es.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef HAND /* a program that calls these functions by their names */
#define NAME(name) gl##name
#define MORE ES_FUNCTION(Uniform2f) ES_FUNCTION(Uniform3f)
#else
#define NAME(name) es_##name
#define MORE
#endif

enum {
#define ES_FUNCTION(name) N_##name,
#include "tools/es/es_gl.def"
    MORE
#undef ES_FUNCTION
};

static const char *const names[] = {
#define ES_FUNCTION(name) #name,
#include "tools/es/es_gl.def"
    MORE
#undef ES_FUNCTION
};
enum { FUNCTIONS = sizeof names / sizeof *names };
static unsigned long calls[FUNCTIONS];

static uintptr_t call(unsigned function, uintptr_t b, void *c)
{
    static uintptr_t last; /* the last name or location that was given out */
    calls[function]++;
    switch (function) {
    case N_CreateProgram:
    case N_CreateShader:
    case N_GetUniformLocation: return ++last;
    case N_GenBuffers:
    case N_GenTextures: *(unsigned *)b = (unsigned)++last; return 0;
    case N_GetShaderiv:
    case N_GetProgramiv: *(int *)c = 1; return 0; /* COMPILE_STATUS, LINK_STATUS */
    case N_GetIntegerv: *(int *)b = 16; return 0; /* limits */
    case N_GetString: return (uintptr_t) "OpenGL ES 3.0";
    default: return 0;
    }
}

#define ES_FUNCTION(name) \
    uintptr_t NAME(name)(uintptr_t a, uintptr_t b, void *c); \
    uintptr_t NAME(name)(uintptr_t a, uintptr_t b, void *c) \
    { \
        (void)a; \
        return call(N_##name, b, c); \
    }
#include "tools/es/es_gl.def"
MORE
#undef ES_FUNCTION

    void *
    cost_find(const char *name)
{
    static uintptr_t (*const all[])(uintptr_t, uintptr_t, void *) = {
#define ES_FUNCTION(name) NAME(name),
#include "tools/es/es_gl.def"
        MORE
#undef ES_FUNCTION
    };
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (strcmp(names[i], name) == 0)
            return (void *)(uintptr_t)all[i];
    return NULL;
}

void cost_reset(void) { memset(calls, 0, sizeof calls); }

void cost_print(void)
{
    for (unsigned i = 0; i < FUNCTIONS; i++)
        if (calls[i])
            printf("%s %lu\n", names[i], calls[i]);
}
