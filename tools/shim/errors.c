/* The errors of the program and those of the shim apart. A GL error is a flag of the context that glGetError
 * clears. */
#include "shim.h"

enum {
    CONTEXTS = 16,
    FLAGS = 8 /* of a distributed GL (GL 2.1, 2.5); also ends where there is no context to clear */
};
static struct {
    const void *context;
    GLenum code;
} kept[CONTEXTS];

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
    const void *context = current_context();
    if (!code)
        return;
    drain();
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (kept[i].code && kept[i].context == context)
            return; /* the first one counts */
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (!kept[i].code) {
            kept[i].context = context;
            kept[i].code = code;
            return;
        }
}

void errors_release(void) { drain(); }

GLenum errors_take(void)
{
    const void *context = current_context();
    for (unsigned i = 0; i < CONTEXTS; i++)
        if (kept[i].code && kept[i].context == context) {
            const GLenum code = kept[i].code;
            drain(); /* later errors: GL would have dropped them while this one was not asked for */
            kept[i].code = GL_NO_ERROR;
            return code;
        }
    return GL_NO_ERROR;
}
