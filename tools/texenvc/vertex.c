#include "vertex.h"
#include "fragprog/arb_program.h"
#include "fragprog/fixed_vertex.h"

#include <stdlib.h>
#include <string.h>

bool vertex_generate(struct vertex_program *program, const struct texenv_vertex *vertex,
                     const struct texenv_vertex_reads *reads, const struct options *o)
{
    struct texenv_text text;
    memset(program, 0, sizeof *program);
    program->text = xrealloc(NULL, FRAGPROG_FIXED_VERTEX_TEXT);
    texenv_text_init(&text, program->text, FRAGPROG_FIXED_VERTEX_TEXT);
    fragprog_print_fixed_vertex(&text, vertex, reads, o->to == FORM_LANGUAGE);
    program->length = text.length;
    const struct fragprog_bound bound = fragprog_bound_arbfp(program->text, program->length);
    struct texenv_sink none = {NULL, NULL};
    void *scratch = xrealloc(NULL, bound.scratch);
    const size_t unit = sizeof *program->p.konst; /* aligns the constants, which follow the instructions */
    const size_t insts = (bound.insts * sizeof *program->p.inst + unit - 1) / unit * unit;
    program->storage = xcalloc(1, insts + bound.consts * unit);
    program->p = (struct fragprog){.inst = program->storage,
                                   .konst = (void *)((char *)program->storage + insts),
                                   .maxinst = bound.insts,
                                   .maxkonst = bound.consts};
    const bool ok = text.length < text.size &&
        fragprog_read_arbfp(&program->p, program->text, program->length, 1, &none, scratch);
    free(scratch);
    return ok;
}

void vertex_free(struct vertex_program *program)
{
    free(program->text);
    free(program->storage);
    memset(program, 0, sizeof *program);
}

static bool read_words(struct texenv_vertex *vertex, const char *words, const struct texenv_sink *sink)
{
    return texenv_read_vertex(vertex, NULL, words, strlen(words), 1, sink);
}

bool vertex_of_item(struct texenv_vertex *vertex, const struct item *item, const struct options *o,
                    struct fragprog_reason *why)
{
    struct texenv_sink none = {NULL, NULL};
    memset(vertex, 0, sizeof *vertex);
    if (o->vertex_state)
        return read_words(vertex, o->vertex_state, &none); /* has been checked by check_vertex_state */
    if (item->vertex)
        *vertex = *item->vertex;
    if (!item->vertex_refused)
        return true;
    *why = (struct fragprog_reason){.unit = -1, .code = "vertex"};
    snprintf(why->text, sizeof why->text, "the vertex half: %s", item->vertex_refused);
    return false;
}

bool is_vertex_words(const struct options *o, const struct input *input)
{
    const char *dot = input->path ? strrchr(input->path, '.') : NULL;
    return o->words || (o->from == FORM_GUESS && dot && strcmp(dot, ".vertex") == 0);
}

void read_vertex_words(struct reading *in, const char *text, size_t length)
{
    struct texenv_sink sink = diag_sink(&in->source);
    struct texenv_vertex vertex;
    struct texenv_vertex_reads reads;
    struct vertex_program program;
    if (!texenv_read_vertex(&vertex, &reads, text, length, 1, &sink))
        return;
    if (!vertex_generate(&program, &vertex, &reads, in->r->options))
        die_internal("%s: the generated vertex program is no ARB program", in->source.name);
    struct item item = {.place = {.line = 1, .column = 1},
                        .draws = 1,
                        .ir = &program.p,
                        .text = program.text,
                        .length = program.length};
    deliver(in, &item);
    vertex_free(&program);
}

void check_vertex_state(const struct options *o)
{
    struct texenv_vertex vertex;
    struct source source;
    if (!o->vertex_state)
        return;
    source_init(&source, "--vertex-state");
    source_window(&source, o->vertex_state, strlen(o->vertex_state), 1, false);
    struct texenv_sink sink = diag_sink(&source);
    if (!read_words(&vertex, o->vertex_state, &sink))
        die_usage("--vertex-state: these words do not describe a vertex half");
    source_window(&source, NULL, 0, 1, false);
    source_close(&source);
}
