/* Tracks the application's contexts, and which of them share objects. GL and the window systems have no query
 * for sharing, so this file wraps the functions that create contexts. */
#include "shim.h"

#include <stdlib.h>

static struct context **all;
static size_t count;
static unsigned groups, numbers;

/* Adds a context whose creation was not seen; also the one that represents "no context is current" (handle
 * NULL). */
static struct context *add(const void *handle)
{
    struct context **bigger = realloc(all, (count + 1) * sizeof *bigger);
    struct context *c = calloc(1, sizeof *c);
    if (bigger)
        all = bigger;
    if (!bigger || !c)
        abort(); /* without knowing which objects belong to which context, nothing else can work */
    *c = (struct context){.handle = handle, .number = ++numbers, .group = ++groups};
    all[count++] = c;
    return c;
}

static struct context *find(const void *handle)
{
    for (size_t i = 0; i < count; i++)
        if (all[i]->handle == handle) {
            struct context *found = all[i];
            /* move the context to the front, as the next search is usually for the same one */
            all[i] = all[0];
            return all[0] = found;
        }
    return add(handle);
}

struct context *context_now(void) { return find(current_context()); }

void contexts_lost_object(void)
{
    const struct context *now = context_now();
    for (size_t i = 0; i < count; i++)
        if (all[i] != now && all[i]->group == now->group)
            all[i]->lost_object = true;
}

/* Registers a context that was just created. An older context with the same address no longer exists. */
static void *made(void *handle, const void *shared)
{
    if (!handle)
        return handle;
    struct context *c = find(handle);
    lists_forget(c);
    *c = (struct context){
        .handle = handle, .number = ++numbers, .group = shared ? find(shared)->group : ++groups};
    return handle;
}

#define MAKES_CONTEXT(name, parameters, share, ...) \
    EXPORT void *name parameters { return made(CALL(name, __VA_ARGS__), share); }
MAKES_CONTEXT(eglCreateContext, (void *display, void *config, void *share, const int32_t *attributes), share,
              display, config, share, attributes)
MAKES_CONTEXT(glXCreateContext, (void *display, void *visual, void *share, int direct), share, display,
              visual, share, direct)
MAKES_CONTEXT(glXCreateNewContext, (void *display, void *config, int type, void *share, int direct), share,
              display, config, type, share, direct)
MAKES_CONTEXT(glXCreateContextAttribsARB,
              (void *display, void *config, void *share, int direct, const int *attributes), share, display,
              config, share, direct, attributes)
MAKES_CONTEXT(OSMesaCreateContext, (GLenum format, void *share), share, format, share)
MAKES_CONTEXT(OSMesaCreateContextExt, (GLenum format, GLint depth, GLint stencil, GLint sums, void *share),
              share, format, depth, stencil, sums, share)
MAKES_CONTEXT(OSMesaCreateContextAttribs, (const int *attributes, void *share), share, attributes, share)
