/* Keeps the application's GL errors separate from those that the shim's own calls cause. GL has only one set
 * of error flags for each context, and glGetError clears them. */
#include "shim.h"

/* limit of the error flags of a distributed GL (GL 2.1, 2.5); also ends the loop if no context is current */
enum { FLAGS = 8 };

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
    if (!context->error) /* as in GL, the first error stays until it is queried */
        context->error = code;
}

void errors_release(void) { drain(); }

GLenum errors_take(void)
{
    struct context *context = context_now();
    const GLenum code = context->error;
    if (code)
        drain(); /* drop later errors, as GL would have while the first one was pending */
    context->error = GL_NO_ERROR;
    return code;
}
