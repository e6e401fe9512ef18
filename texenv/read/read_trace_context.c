/* Contexts of a trace: the calls of GLX, EGL, WGL and CGL that create, share, bind and destroy contexts, and
 * the current context of each thread. */
#include "texenv/read/read_trace.h"

enum { CREATE, CURRENT, DESTROY, SHARE, COPY, RELEASE };

/* A call with `wanted` parameters that matter. They are adjacent, and `last` is the index of the last one.
 * For CREATE they are the context to share with and, if the call does not return the new context, the pointer
 * through which it stores the context. Parameters before them have empty names. */
#define CONTEXT(name, kind, wanted, last, p0, p1, p2, p3) \
    { \
#name, sizeof #name - 1, kind, wanted, 0, 0, (last) + ((wanted) > 0), 0, {p0, p1, p2, p3 }, \
        { \
            sizeof p0 - 1, sizeof p1 - 1, sizeof p2 - 1, sizeof p3 - 1 \
        } \
    }
static const struct texenv_call_info infos[] = {
    CONTEXT(glXCreateContext, CREATE, 1, 2, "", "", "shareList", ""),
    CONTEXT(glXCreateNewContext, CREATE, 1, 3, "", "", "", "shareList"),
    CONTEXT(glXCreateContextAttribsARB, CREATE, 1, 2, "", "", "share_context", ""),
    CONTEXT(glXCreateContextWithConfigSGIX, CREATE, 1, 3, "", "", "", "share_list"),
    CONTEXT(glXMakeCurrent, CURRENT, 1, 2, "", "", "ctx", ""),
    CONTEXT(glXMakeContextCurrent, CURRENT, 1, 3, "", "", "", "ctx"),
    CONTEXT(glXMakeCurrentReadSGI, CURRENT, 1, 3, "", "", "", "ctx"),
    CONTEXT(glXDestroyContext, DESTROY, 1, 1, "", "ctx", "", ""),
    CONTEXT(glXCopyContext, COPY, 0, 0, "", "", "", ""),
    CONTEXT(eglCreateContext, CREATE, 1, 2, "", "", "share_context", ""),
    CONTEXT(eglMakeCurrent, CURRENT, 1, 3, "", "", "", "ctx"),
    CONTEXT(eglDestroyContext, DESTROY, 1, 1, "", "ctx", "", ""),
    CONTEXT(eglReleaseThread, RELEASE, 0, 0, "", "", "", ""),
    CONTEXT(wglCreateContext, CREATE, 0, 0, "", "", "", ""),
    CONTEXT(wglCreateLayerContext, CREATE, 0, 0, "", "", "", ""),
    CONTEXT(wglCreateContextAttribsARB, CREATE, 1, 1, "", "hShareContext", "", ""),
    CONTEXT(wglMakeCurrent, CURRENT, 1, 1, "", "hglrc", "", ""),
    CONTEXT(wglMakeContextCurrentARB, CURRENT, 1, 2, "", "", "hglrc", ""),
    CONTEXT(wglMakeContextCurrentEXT, CURRENT, 1, 2, "", "", "hglrc", ""),
    CONTEXT(wglDeleteContext, DESTROY, 1, 0, "hglrc", "", "", ""),
    CONTEXT(wglShareLists, SHARE, 2, 1, "hglrc1", "hglrc2", "", ""),
    CONTEXT(wglCopyContext, COPY, 0, 0, "", "", "", ""),
    CONTEXT(CGLCreateContext, CREATE, 2, 2, "", "share", "ctx", ""),
    CONTEXT(CGLSetCurrentContext, CURRENT, 1, 0, "ctx", "", "", ""),
    CONTEXT(CGLDestroyContext, DESTROY, 1, 0, "ctx", "", "", ""),
    CONTEXT(CGLReleaseContext, DESTROY, 1, 0, "ctx", "", "", ""),
    CONTEXT(CGLCopyContext, COPY, 0, 0, "", "", "", ""),
};

const struct texenv_call_info *texenv_trace_find_context_call(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof infos / sizeof infos[0]; i++)
        if (infos[i].length == length && memcmp(infos[i].name, name, length) == 0)
            return &infos[i];
    return NULL;
}

static bool ends_with(const struct texenv_value *v, const char *with)
{
    size_t n = strlen(with);
    return v->length >= n && memcmp(v->text + v->length - n, with, n) == 0;
}

/* Returns whether the call returned an error: 0 or ..._FALSE; for CGL any error code. */
static bool has_failed(const struct texenv_call_info *info, const struct texenv_value *result)
{
    if (info->name[0] == 'C')
        return (result->kind == TEXENV_V_INT && result->integer != 0) ||
            (result->kind == TEXENV_V_NAME && !ends_with(result, "kCGLNoError"));
    return (result->kind == TEXENV_V_INT && result->integer == 0) ||
        (result->kind == TEXENV_V_NAME && ends_with(result, "FALSE"));
}

/* Returns the number of a handle, or 0 (no context) for names such as EGL_NO_CONTEXT and anything else. */
static uint64_t handle_of(const struct texenv_trace *t, const struct texenv_value *v)
{
    if (v->kind == TEXENV_V_ARRAY && v->count == 1)
        v = &t->calls.items[v->first];
    return v->kind == TEXENV_V_INT ? (uint64_t)v->integer : 0;
}

static struct texenv_context *new_context(struct texenv_trace *t, uint64_t handle,
                                          struct texenv_context *share)
{
    if (t->calls.context_count >= TEXENV_MOST_CONTEXTS) {
        TEXENV_CALLS_ERROR(&t->calls, texenv_trace_place(t, t->start), "limit",
                           "more than %d contexts at a time", TEXENV_MOST_CONTEXTS);
        return NULL;
    }
    struct texenv_context *x = texenv_calls_context_new(&t->calls, share);
    if (x && texenv_map_put(&t->calls, &t->contexts, handle, x))
        return x;
    /* x, if not NULL, is in the list of all contexts and is freed with that list */
    texenv_calls_no_memory(&t->calls, texenv_trace_place(t, t->start));
    return NULL;
}

/* Returns the context of a handle. If the trace does not contain its creation, it is created now. */
static struct texenv_context *context_of(struct texenv_trace *t, uint64_t handle)
{
    if (handle == 0)
        return NULL;
    struct texenv_context *x = texenv_map_get(&t->contexts, handle);
    return x ? x : new_context(t, handle, NULL);
}

static void drop_if_unused(struct texenv_trace *t, struct texenv_context *x)
{
    if (x && x->destroyed && x->current == 0)
        texenv_calls_context_free(&t->calls, x);
}

/* Destroys the context, or marks it for destruction while it is current in some thread. */
static void destroy(struct texenv_trace *t, uint64_t handle)
{
    struct texenv_context *x = texenv_map_remove(&t->contexts, handle);
    if (x) {
        x->destroyed = true;
        drop_if_unused(t, x);
    }
}

static void make_current(struct texenv_trace *t, struct texenv_context *x)
{
    struct texenv_context *old = t->thread->context;
    if (x)
        x->current++;
    t->thread->context = t->calls.context = x;
    if (old) {
        old->current--;
        drop_if_unused(t, old);
    }
}

void texenv_trace_use_thread(struct texenv_trace *t, uint64_t id)
{
    if (t->thread && t->thread_id == id)
        return;
    struct texenv_trace_thread *thread = texenv_map_get(&t->threads, id);
    if (!thread) {
        thread = texenv_calls_resize(&t->calls, NULL, sizeof *thread);
        if (!thread || !texenv_map_put(&t->calls, &t->threads, id, thread)) {
            if (thread)
                texenv_calls_resize(&t->calls, thread, 0);
            texenv_calls_no_memory(&t->calls, texenv_trace_place(t, t->start));
            return;
        }
        thread->context = t->initial;
        thread->context->current++;
    }
    t->thread = thread;
    t->thread_id = id;
    t->calls.context = thread->context;
}

enum texenv_trace_status texenv_trace_context_call(struct texenv_trace *t,
                                                   const struct texenv_call_info *info)
{
    struct texenv_value args[TEXENV_CALL_PARAMS], result;
    memset(args, 0, sizeof args);
    enum texenv_trace_status status = texenv_trace_args(t, info, args, true);
    if (status == TEXENV_TRACE_OK)
        status = texenv_trace_result(t, &result);
    if (status != TEXENV_TRACE_OK)
        return status;
    unsigned wanted = info->form, at = info->params - wanted;
    uint64_t first = wanted > 0 ? handle_of(t, &args[at]) : 0,
             second = wanted > 1 ? handle_of(t, &args[at + 1]) : 0;
    switch (info->kind) {
    case CREATE: {
        bool stored = wanted == 2; /* CGL stores the new context through a pointer */
        uint64_t handle = stored ? second : handle_of(t, &result);
        if (handle == 0 || (stored && has_failed(info, &result)))
            break;
        struct texenv_context *share = context_of(t, first);
        if (handle != first)
            /* the handle is reused; the trace does not show that its old context was destroyed */
            destroy(t, handle);
        if (!t->calls.stopped)
            new_context(t, handle, share);
        break;
    }
    case CURRENT:
        if (!has_failed(info, &result))
            make_current(t, context_of(t, first));
        break;
    case DESTROY: destroy(t, first); break;
    case SHARE: {
        struct texenv_context *from = context_of(t, first), *to = context_of(t, second);
        if (from && to && !has_failed(info, &result))
            texenv_calls_context_share(&t->calls, from, to);
        break;
    }
    case COPY:
        if (!t->said_copy)
            texenv_emit(&t->calls.reader->sink, TEXENV_WARNING, -1, texenv_trace_place(t, t->start),
                        "not-followed", "%s is not supported: what it changes is not known from here on",
                        info->name);
        t->said_copy = true;
        break;
    default: /* RELEASE */ make_current(t, NULL); break;
    }
    return TEXENV_TRACE_OK;
}

void texenv_trace_free_contexts(struct texenv_trace *t)
{
    for (size_t i = 0; i < t->threads.capacity; i++)
        if (texenv_map_at(&t->threads, i))
            texenv_calls_resize(&t->calls, texenv_map_at(&t->threads, i), 0);
    texenv_map_free(&t->calls, &t->threads);
    texenv_map_free(&t->calls, &t->contexts);
}
