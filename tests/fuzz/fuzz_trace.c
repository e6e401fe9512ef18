/* Fuzzes traces, fed whole and in small pieces, which must give the same; then with memory that runs out. */
#include "pipeline.h"

struct seen {
    struct texenv_reader reader;
    uint64_t hash;
};

static bool hash_draw(void *user, const struct texenv_draw *draw)
{
    struct seen *seen = user;
    struct texenv_state state;
    if (texenv_canonicalise(&state, draw->te, NULL, draw->no_images, draw->places, NULL))
        for (size_t i = 0; i < sizeof state; i++)
            seen->hash = (seen->hash ^ ((const unsigned char *)&state)[i]) * UINT64_C(1099511628211);
    seen->hash = (seen->hash ^ draw->places->draw.call ^ draw->places->draw.line) * UINT64_C(1099511628211);
    return true;
}

static struct seen read_in(const char *text, size_t size, size_t piece, struct pipeline_memory *memory,
                           bool whole_pipeline)
{
    struct seen seen = {.reader = {.memory = {pipeline_resize, memory},
                                   .sink = {pipeline_emit, NULL},
                                   .on_draw = whole_pipeline ? pipeline_draw : hash_draw}};
    seen.reader.user = &seen;
    struct texenv_trace *trace = texenv_trace_open(&seen.reader);
    if (!trace)
        return seen;
    for (size_t at = 0; at < size; at += piece)
        if (!texenv_trace_feed(trace, text + at, size - at < piece ? size - at : piece))
            break;
    (void)texenv_trace_close(trace);
    if (memory->in_use)
        pipeline_broken("the trace reader keeps memory", "");
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    struct pipeline_memory memory = {.left = -1};
    (void)texenv_guess_form(text, size);
    struct seen whole = read_in(text, size, size ? size : 1, &memory, false);
    static const size_t pieces[] = {1, 7, 64, 1000};
    size_t piece = pieces[size > 20000 ? 3 : size % 3];
    struct seen parts = read_in(text, size, piece, &memory, false);
    if (parts.hash != whole.hash || parts.reader.draws != whole.reader.draws ||
        parts.reader.errors != whole.reader.errors || parts.reader.skipped != whole.reader.skipped ||
        parts.reader.truncated != whole.reader.truncated)
        pipeline_broken("a trace in pieces reads differently", "");
    if (size < 20000)
        (void)read_in(text, size, size ? size : 1, &memory, true);
    memory.left = (long)(size % 29);
    (void)read_in(text, size, 100, &memory, false);
    return 0;
}
