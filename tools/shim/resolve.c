/* Connects the application and its GL: finds the real functions, and replaces the results of GetProcAddress
 * and dlsym by the shim's wrappers. */
#define _GNU_SOURCE
#include "shim.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef void (*function)(void);
typedef function (*find_function)(const char *name);

static const struct wrapper {
    const char *name;
    function wrapper;
} wrappers[] = {
#define WRAP(name) {#name, (function)name},
#include "functions.def"
#undef WRAP
};
enum { WRAPPERS = sizeof wrappers / sizeof *wrappers };

/* ---- the real dlsym ---- */

static void *real_dlsym(void *handle, const char *name)
{
    static void *(*next)(void *, const char *);
    if (!next) {
        static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17",
                                               "GLIBC_2.0",  "GLIBC_2.4",   "GLIBC_2.27"};
        for (size_t i = 0; i < sizeof versions / sizeof *versions && !next; i++) {
            void *p = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
            memcpy(&next, &p, sizeof next);
        }
    }
    return next ? next(handle, name) : NULL;
}

static function as_function(void *p)
{
    function f;
    memcpy(&f, &p, sizeof f);
    return f;
}

/* ---- lookup of functions ---- */

/* The GL library that the application opened by dlopen and searched for functions. */
static void *opened;

static find_function real_finder(const char *name)
{
    void *p = real_dlsym(RTLD_NEXT, name);
    if (!p && opened)
        p = real_dlsym(opened, name);
    return (find_function)as_function(p);
}

static function ask(const char *finder, const char *name)
{
    find_function find = real_finder(finder);
    return find ? find(name) : NULL;
}

void *real_function(const char *name)
{
    static const char *const finders[] = {"glXGetProcAddressARB", "eglGetProcAddress",
                                          "OSMesaGetProcAddress"};
    void *p = real_dlsym(RTLD_NEXT, name);
    if (!p && opened)
        p = real_dlsym(opened, name);
    for (size_t i = 0; i < sizeof finders / sizeof *finders && !p; i++) {
        function f = ask(finders[i], name);
        memcpy(&p, &f, sizeof p);
    }
    return p;
}

static function wrapper_of(const char *name)
{
    function provided = provide_wrapper(name);
    for (size_t i = 0; i < WRAPPERS && !provided; i++)
        if (strcmp(wrappers[i].name, name) == 0)
            return wrappers[i].wrapper;
    return provided;
}

/* Returns what the application gets for a name: the shim's wrapper if GL has the function (or the shim
 * provides it), otherwise the real function. */
static function answer(const char *name, function real)
{
    function ours = wrapper_of(name);
    return ours && (real || provide_wrapper(name)) ? ours : real;
}

/* ---- wrappers of functions that look up functions ---- */

#define FINDER(finder) \
    EXPORT function finder(const char *name); \
    EXPORT function finder(const char *name) { return answer(name, ask(#finder, name)); }
FINDER(eglGetProcAddress)
FINDER(OSMesaGetProcAddress)
FINDER(waffle_get_proc_address)

EXPORT function glXGetProcAddress(const GLubyte *name);
EXPORT function glXGetProcAddress(const GLubyte *name)
{
    return answer((const char *)name, ask("glXGetProcAddress", (const char *)name));
}
EXPORT function glXGetProcAddressARB(const GLubyte *name);
EXPORT function glXGetProcAddressARB(const GLubyte *name)
{
    return answer((const char *)name, ask("glXGetProcAddressARB", (const char *)name));
}

EXPORT void *waffle_dl_sym(int32_t dl, const char *name);
EXPORT void *waffle_dl_sym(int32_t dl, const char *name)
{
    typedef void *(*dl_sym)(int32_t, const char *);
    dl_sym find = (dl_sym)as_function(real_dlsym(RTLD_NEXT, "waffle_dl_sym"));
    void *p = find ? find(dl, name) : NULL;
    function f = answer(name, as_function(p));
    memcpy(&p, &f, sizeof p);
    return p;
}

/* Returns the shim's wrapper of a function such as glXGetProcAddress, for applications that look it up by
 * dlsym. */
static function finder_of(const char *name)
{
    static const struct wrapper finders[] = {{"eglGetProcAddress", (function)eglGetProcAddress},
                                             {"OSMesaGetProcAddress", (function)OSMesaGetProcAddress},
                                             {"glXGetProcAddress", (function)glXGetProcAddress},
                                             {"glXGetProcAddressARB", (function)glXGetProcAddressARB}};
    for (size_t i = 0; i < sizeof finders / sizeof *finders; i++)
        if (strcmp(finders[i].name, name) == 0)
            return finders[i].wrapper;
    return NULL;
}

EXPORT void *dlsym(void *restrict handle, const char *restrict name)
{
    void *p = real_dlsym(handle, name);
    function ours = finder_of(name);
    if (!ours)
        ours = wrapper_of(name);
    if (!ours || (!p && !provide_wrapper(name)))
        return p;
    if (handle != RTLD_NEXT && handle != RTLD_DEFAULT)
        opened = handle;
    memcpy(&p, &ours, sizeof p);
    return p;
}

/* ---- contexts ---- */

const void *current_context(void)
{
    typedef void *(*get)(void);
    static const char *const names[] = {"glXGetCurrentContext", "eglGetCurrentContext",
                                        "OSMesaGetCurrentContext"};
    static get found[3];
    static bool looked;
    for (unsigned i = 0; i < 3 && !looked; i++)
        found[i] = (get)as_function(real_dlsym(RTLD_NEXT, names[i]) ? real_dlsym(RTLD_NEXT, names[i])
                                        : opened                    ? real_dlsym(opened, names[i])
                                                                    : NULL);
    looked = true;
    for (unsigned i = 0; i < 3; i++) {
        const void *context = found[i] ? found[i]() : NULL;
        if (context)
            return context;
    }
    return NULL;
}
