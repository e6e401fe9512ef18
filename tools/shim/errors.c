/* The errors of the program and those of the shim apart. A GL error is a flag of the context that glGetError
 * clears. */
#include "shim.h"

enum { FLAGS = 8 /* of a distributed GL (GL 2.1, 2.5); also ends where there is no context to clear */ };

static GLenum real_error(void)
{
    static GLenum (*real)(void);
    if (!real)
        real = (GLenum(*)(void))(GLintptr)real_function("glGetError");
    return real();
}

static void drain(void)
{
    for (unsigned i = 0; i < FLAGS && real_error(); i++)
        continue;
}

void errors_hold(void)
{
    const GLenum code = real_error();
    struct context *context = context_now();
    if (!code)
        return;
    drain();
    if (!context->error) /* the first one counts */
        context->error = code;
}

void errors_release(void) { drain(); }

GLenum errors_take(void)
{
    struct context *context = context_now();
    const GLenum code = context->error;
    if (code)
        drain(); /* later errors: GL would have dropped them while this one was not asked for */
    context->error = GL_NO_ERROR;
    return code;
}
