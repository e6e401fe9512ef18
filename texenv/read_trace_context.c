/* Contexts of a trace: GLX, EGL, WGL and CGL calls that make, share, bind and destroy them; which one is current in which thread. */
#include "texenv/read_trace.h"

enum { CREATE, CURRENT, DESTROY, SHARE, COPY, RELEASE };

/* Parameters: of CREATE the context to share with, and where the new one is stored if it is not the result. */
#define CONTEXT(name, kind, p0, p1) {#name, sizeof #name - 1, kind, 0, 0, 0, (sizeof p0 > 1) + (sizeof p1 > 1), {p0, p1, ""}, {sizeof p0 - 1, sizeof p1 - 1, 0}}
static const struct texenv_call_info infos[] = {
    CONTEXT(glXCreateContext, CREATE, "shareList", ""),
    CONTEXT(glXCreateNewContext, CREATE, "share_list", ""),
    CONTEXT(glXCreateContextAttribsARB, CREATE, "share_context", ""),
    CONTEXT(glXCreateContextWithConfigSGIX, CREATE, "share_list", ""),
    CONTEXT(glXMakeCurrent, CURRENT, "ctx", ""),
    CONTEXT(glXMakeContextCurrent, CURRENT, "ctx", ""),
    CONTEXT(glXMakeCurrentReadSGI, CURRENT, "ctx", ""),
    CONTEXT(glXDestroyContext, DESTROY, "ctx", ""),
    CONTEXT(glXCopyContext, COPY, "", ""),
    CONTEXT(eglCreateContext, CREATE, "share_context", ""),
    CONTEXT(eglMakeCurrent, CURRENT, "ctx", ""),
    CONTEXT(eglDestroyContext, DESTROY, "ctx", ""),
    CONTEXT(eglReleaseThread, RELEASE, "", ""),
    CONTEXT(wglCreateContext, CREATE, "", ""),
    CONTEXT(wglCreateLayerContext, CREATE, "", ""),
    CONTEXT(wglCreateContextAttribsARB, CREATE, "hShareContext", ""),
    CONTEXT(wglMakeCurrent, CURRENT, "hglrc", ""),
    CONTEXT(wglMakeContextCurrentARB, CURRENT, "hglrc", ""),
    CONTEXT(wglMakeContextCurrentEXT, CURRENT, "hglrc", ""),
    CONTEXT(wglDeleteContext, DESTROY, "hglrc", ""),
    CONTEXT(wglShareLists, SHARE, "hglrc1", "hglrc2"),
    CONTEXT(wglCopyContext, COPY, "", ""),
    CONTEXT(CGLCreateContext, CREATE, "share", "ctx"),
    CONTEXT(CGLSetCurrentContext, CURRENT, "ctx", ""),
    CONTEXT(CGLDestroyContext, DESTROY, "ctx", ""),
    CONTEXT(CGLReleaseContext, DESTROY, "ctx", ""),
    CONTEXT(CGLCopyContext, COPY, "", ""),
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

/* Whether the call said that it failed: 0 or ..._FALSE; of CGL, any error. */
static bool has_failed(const struct texenv_call_info *info, const struct texenv_value *result)
{
    if (info->name[0] == 'C')
        return (result->kind == TEXENV_V_INT && result->integer != 0) || (result->kind == TEXENV_V_NAME && !ends_with(result, "kCGLNoError"));
    return (result->kind == TEXENV_V_INT && result->integer == 0) || (result->kind == TEXENV_V_NAME && ends_with(result, "FALSE"));
}

/* A handle is a number; names (EGL_NO_CONTEXT) and whatever else stand for none. */
static uint64_t handle_of(const struct texenv_trace *t, const struct texenv_value *v)
{
    if (v->kind == TEXENV_V_ARRAY && v->count == 1)
        v = &t->calls.items[v->first];
    return v->kind == TEXENV_V_INT ? (uint64_t)v->integer : 0;
}

static struct texenv_context *new_context(struct texenv_trace *t, uint64_t handle, struct texenv_context *share)
{
    struct texenv_context *x = texenv_calls_context_new(&t->calls, share);
    if (x && texenv_map_put(&t->calls, &t->contexts, handle, x))
        return x;
    texenv_calls_no_memory(&t->calls, texenv_trace_place(t, t->start)); /* x, if it is, is in the list of all and freed with it */
    return NULL;
}

/* The context of a handle. One whose creation the trace does not show gets made. */
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

/* A destroyed context lives on while it is current somewhere. */
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

enum texenv_trace_status texenv_trace_context_call(struct texenv_trace *t, const struct texenv_call_info *info)
{
    struct texenv_value args[TEXENV_CALL_PARAMS], result;
    memset(args, 0, sizeof args);
    enum texenv_trace_status status = texenv_trace_args(t, info, args, true);
    if (status == TEXENV_TRACE_OK)
        status = texenv_trace_result(t, &result);
    if (status != TEXENV_TRACE_OK)
        return status;
    uint64_t first = handle_of(t, &args[0]), second = handle_of(t, &args[1]);
    switch (info->kind) {
    case CREATE: {
        bool stored = info->params == 2; /* CGL */
        uint64_t handle = stored ? second : handle_of(t, &result);
        if (handle == 0 || (stored && has_failed(info, &result)))
            break;
        struct texenv_context *share = context_of(t, first);
        if (handle != first)
            destroy(t, handle); /* the handle is used anew; the trace does not show the end of its old context */
        if (!t->calls.stopped)
            new_context(t, handle, share);
        break;
    }
    case CURRENT:
        if (!has_failed(info, &result))
            make_current(t, context_of(t, first));
        break;
    case DESTROY:
        destroy(t, first);
        break;
    case SHARE: {
        struct texenv_context *from = context_of(t, first), *to = context_of(t, second);
        if (from && to && !has_failed(info, &result))
            texenv_calls_context_share(&t->calls, from, to);
        break;
    }
    case COPY:
        if (!t->said_copy)
            texenv_emit(&t->calls.reader->sink, TEXENV_WARNING, -1, texenv_trace_place(t, t->start), "not-followed", "%s is not followed: what it changes stays unknown",
                        info->name);
        t->said_copy = true;
        break;
    default: /* RELEASE */
        make_current(t, NULL);
        break;
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
