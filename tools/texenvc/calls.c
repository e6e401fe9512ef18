/* Reads programs of GL_ATI_fragment_shader from calls, in C source and in apitrace dumps. Each
 * glEndFragmentShaderATI delivers one item. */
#include "input.h"

#include <stdlib.h>

struct calling {
    struct reading *in;
    struct fragprog_atifs_calls calls;
};

static bool on_program(void *user, const struct fragprog_atifs *program,
                       const struct fragprog_atifs_places *places)
{
    struct calling *c = user;
    struct fragprog_atifs own = *program;
    const struct script_place at = place_in_source(c->in, places->begin);
    struct item item = {.place = at.file ? at.main : at.source, .draws = 1, .atifs = &own};
    put_targets(c->in->r->options, &own);
    deliver(c->in, &item);
    return true;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    (void)user, (void)draw;
    return true;
}

void read_calls(struct reading *in, bool trace, FILE *f, const char *first, size_t length)
{
    struct calling c = {.in = in};
    struct texenv_sink sink = in->place ? (struct texenv_sink){emit_in_source, in} : diag_sink(&in->source);
    struct texenv_reader reader = {.memory = tool_memory,
                                   .sink = sink,
                                   .on_draw = on_draw,
                                   .on_call = fragprog_atifs_call,
                                   .user = &c.calls,
                                   .lenient = in->r->options->lenient};
    fragprog_atifs_calls_init(&c.calls, &sink, trace, on_program, &c);
    void *window = NULL;
    if (trace)
        feed_trace(in, &reader, f, first, length, &window);
    else
        texenv_read_gl(&reader, first, length);
    fragprog_atifs_calls_finish(&c.calls);
    if (!in->place)
        source_window(&in->source, NULL, 0, 1, false);
    free(window);
    if ((reader.errors || c.calls.errors) && !in->source.count[TEXENV_ERROR])
        in->source.count[TEXENV_ERROR] = 1;
}
