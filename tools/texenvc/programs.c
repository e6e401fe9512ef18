/* Splits a text with several intermediate, ATI or ARB programs at the "# state" lines and at the header
 * lines, and reads each. */
#include "input.h"
#include "fragprog/arb_program.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_INSTS = 512, MAX_CONSTS = 256 };

/* Reads an ARB program of any length. */
static void read_arbfp(struct reading *in, const char *text, size_t length, struct item *item)
{
    const struct fragprog_bound bound = fragprog_bound_arbfp(text, length);
    struct texenv_sink sink = diag_sink(&in->source);
    struct fragprog p = {.maxinst = bound.insts, .maxkonst = bound.consts};
    void *scratch = xrealloc(NULL, bound.scratch);
    p.inst = xcalloc(bound.insts, sizeof *p.inst);
    p.konst = xcalloc(bound.consts, sizeof *p.konst);
    item->ir = &p;
    item->text = text;
    item->length = length;
    if (fragprog_read_arbfp(&p, text, length, item->place.line, &sink, scratch))
        deliver(in, item);
    free(scratch);
    free(p.inst);
    free(p.konst);
}

static bool starts(const char *line, const char *end, const char *with)
{
    size_t n = strlen(with);
    return (size_t)(end - line) >= n && memcmp(line, with, n) == 0;
}

static bool is_blank_or_comment(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++;
    return line == end || *line == '#';
}

void put_targets(const struct options *o, struct fragprog_atifs *program)
{
    for (unsigned pass = 0; pass < program->npasses; pass++)
        for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
            struct fragprog_atifs_setup *setup = &program->pass[pass].setup[reg];
            unsigned unit = setup->texture >= 0 ? (unsigned)setup->texture : reg;
            if (setup->op == FRAGPROG_SAMPLE && o->texture[unit])
                setup->target = o->texture[unit] == TEXENV_2D + 1 ? 0 : o->texture[unit];
        }
}

static void read_program(struct reading *in, const char *text, size_t length, uint32_t line)
{
    struct texenv_sink sink = diag_sink(&in->source);
    struct item item = {.place = {.line = line, .column = 1}, .draws = 1};
    if (in->form == FORM_ATIFS) {
        struct fragprog_atifs program;
        if (!fragprog_read_atifs(&program, text, length, line, &sink))
            return;
        put_targets(in->r->options, &program);
        item.atifs = &program;
        deliver(in, &item);
        return;
    }
    if (in->form == FORM_ARBFP) {
        read_arbfp(in, text, length, &item);
        return;
    }
    static struct fragprog_inst inst[MAX_INSTS];
    static struct fragprog_const konst[MAX_CONSTS];
    struct fragprog p = {.inst = inst, .konst = konst, .maxinst = MAX_INSTS, .maxkonst = MAX_CONSTS};
    if (!fragprog_read_ir(&p, text, length, line, &sink))
        return;
    item.ir = &p;
    deliver(in, &item);
}

void read_programs(struct reading *in, const char *text, size_t length)
{
    const char *end = text + length, *program = NULL;
    uint32_t line = 1, program_line = 0;
    for (const char *p = text; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *line_end = newline ? newline : end;
        bool header = starts(p, line_end, "!!");
        if (program && (header || starts(p, line_end, "# state "))) {
            read_program(in, program, (size_t)(p - program), program_line);
            program = NULL;
        }
        /* Text before the first header that is no comment is passed to the reader, which reports it. */
        if (!program && (header || !is_blank_or_comment(p, line_end))) {
            program = p;
            program_line = line;
        }
        p = newline ? newline + 1 : end;
    }
    if (program)
        read_program(in, program, (size_t)(end - program), program_line);
    if (!in->items && !in->source.count[TEXENV_ERROR]) {
        struct texenv_sink sink = diag_sink(&in->source);
        texenv_emit(&sink, TEXENV_ERROR, -1, (struct texenv_place){.line = line ? line : 1, .column = 1},
                    "empty", "no program here");
    }
}
