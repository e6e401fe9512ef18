/* The contexts of the program, and which of them share objects. GL and its window systems cannot be asked who
 * shares with whom, so the functions that make contexts are followed. */
#include "shim.h"

#include <stdlib.h>

static struct context **all;
static size_t count;
static unsigned groups, numbers;

/* A context that nobody was seen to make; also stands for "no context is current". */
static struct context *add(const void *handle)
{
    struct context **bigger = realloc(all, (count + 1) * sizeof *bigger);
    struct context *c = calloc(1, sizeof *c);
    if (bigger)
        all = bigger;
    if (!bigger || !c)
        abort(); /* nothing can be done without knowing whose objects are whose */
    *c = (struct context){.handle = handle, .number = ++numbers, .group = ++groups};
    all[count++] = c;
    return c;
}

static struct context *find(const void *handle)
{
    for (size_t i = 0; i < count; i++)
        if (all[i]->handle == handle) {
            struct context *found = all[i];
            all[i] = all[0]; /* the one that was asked for last is the next one asked for */
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

/* A context has been made: one that had the same address is gone. */
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
