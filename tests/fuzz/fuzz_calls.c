/* Fuzzes calls of GL_ATI_fragment_shader, as C source and as a trace. An accepted program must obey the
 * restrictions and pass all checks of programs. */
#include "pipeline.h"

static bool on_program(void *user, const struct fragprog_atifs *program,
                       const struct fragprog_atifs_places *places)
{
    (void)user;
    if (!places->end.line && !places->end.call)
        pipeline_broken("a program of calls without a place", "");
    pipeline_atifs(program);
    pipeline_imported(program);
    return true;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    (void)user, (void)draw;
    return true;
}

static void read_in(const char *text, size_t size, bool as_trace, long left)
{
    struct pipeline_memory memory = {.left = left};
    struct fragprog_atifs_calls calls;
    const struct texenv_sink sink = {pipeline_emit, NULL};
    struct texenv_reader reader = {.memory = {pipeline_resize, &memory},
                                   .sink = sink,
                                   .on_draw = on_draw,
                                   .on_call = fragprog_atifs_call,
                                   .user = &calls};
    fragprog_atifs_calls_init(&calls, &sink, as_trace, on_program, NULL);
    if (as_trace) {
        struct texenv_trace *trace = texenv_trace_open(&reader);
        if (trace) {
            (void)texenv_trace_feed(trace, text, size);
            (void)texenv_trace_close(trace);
        }
    } else {
        texenv_read_gl(&reader, text, size);
    }
    fragprog_atifs_calls_finish(&calls);
    if (memory.in_use)
        pipeline_broken("a reader of calls keeps memory", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_in((const char *)data, size, false, -1);
    read_in((const char *)data, size, true, -1);
    read_in((const char *)data, size, size & 1, (long)(size % 7));
    return 0;
}
