/* Reader of the intermediate program's text (notes/formats.md 4): one statement a line, strict, every error with its place.
 * Accepts what print_ir.c prints, free blanks between tokens, empty lines and comments; checks each rule of fragprog_check where it is broken. */
#include "fragprog/names.h"

#include <float.h>
#include <string.h>

struct reader {
    struct fragprog *p;
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    const struct texenv_sink *sink;
};

/* ------------------------------------------------------------------------------------------------------------------
 * Errors
 */

static struct texenv_place place(const struct reader *r, const char *at)
{
    return (struct texenv_place){.line = r->line, .column = (uint32_t)(at - r->line_start) + 1};
}

static bool fail(const struct reader *r, const char *at, const char *code, const char *message)
{
    texenv_emit(r->sink, TEXENV_ERROR, -1, place(r, at), code, "%s", message);
    return false;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* "expected WHAT, found ..." at the current place. */
static bool expected(const struct reader *r, const char *what)
{
    struct texenv_place at = place(r, r->at);
    size_t n = 0;
    while (r->at + n < r->end && n < 40 && is_word(r->at[n]))
        n++;
    if (r->at == r->end)
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "syntax", "expected %s, found the end of the text", what);
    else if (*r->at == '\n' || *r->at == '\r' || *r->at == '#')
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "syntax", "expected %s, found the end of the line", what);
    else if (n > 0)
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "syntax", "expected %s, found \"%.*s\"", what, (int)n, r->at);
    else if (*r->at > ' ' && *r->at <= '~')
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "syntax", "expected %s, found \"%c\"", what, *r->at);
    else
        texenv_emit(r->sink, TEXENV_ERROR, -1, at, "syntax", "expected %s, found the character 0x%x", what, (unsigned)(unsigned char)*r->at);
    return false;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Characters and words
 */

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

/* The character, directly here. */
static bool accept(struct reader *r, char c)
{
    if (r->at == r->end || *r->at != c)
        return false;
    r->at++;
    return true;
}

/* The character, after blanks; blanks after it are skipped too. */
static bool expect(struct reader *r, char c, const char *what)
{
    skip_blanks(r);
    if (!accept(r, c))
        return expected(r, what);
    skip_blanks(r);
    return true;
}

/* White space and a comment up to the end of the line, and the line's end itself. */
static bool end_line(struct reader *r)
{
    skip_blanks(r);
    if (r->at < r->end && *r->at == '#')
        while (r->at < r->end && *r->at != '\n')
            r->at++;
    if (r->end - r->at >= 2 && r->at[0] == '\r' && r->at[1] == '\n')
        r->at++;
    if (r->at == r->end)
        return true;
    if (*r->at != '\n')
        return expected(r, "the end of the line");
    r->line_start = ++r->at;
    r->line++;
    return true;
}

/* Skips lines without a statement. False: at the end of the text. */
static bool next_statement(struct reader *r, bool *ok)
{
    *ok = true;
    for (;;) {
        skip_blanks(r);
        if (r->at == r->end)
            return false;
        if (*r->at != '#' && *r->at != '\n' && *r->at != '\r')
            return true;
        *ok = end_line(r);
        if (!*ok)
            return false;
    }
}

/* The longest word here; its length. */
static size_t word_length(const struct reader *r)
{
    size_t n = 0;
    while (r->at + n < r->end && is_word(r->at[n]))
        n++;
    return n;
}

static bool at_word(const struct reader *r, const char *word)
{
    return fragprog_name_is(word, r->at, word_length(r));
}

/* A number, at most max. */
static bool read_index(struct reader *r, unsigned max, const char *what, unsigned *value)
{
    const char *start = r->at;
    unsigned n = 0;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9') {
        n = n * 10 + (unsigned)(*r->at++ - '0');
        if (n > max) {
            r->at = start;
            texenv_emit(r->sink, TEXENV_ERROR, -1, place(r, start), "number", "%s is at most %u", what, max);
            return false;
        }
    }
    if (r->at == start)
        return expected(r, what);
    if (r->at < r->end && is_word(*r->at)) {
        r->at = start;
        return expected(r, what);
    }
    *value = n;
    return true;
}

/* A word of the table. */
static bool read_name(struct reader *r, const struct fragprog_name *table, const char *what, int32_t *value)
{
    size_t n = word_length(r);
    const struct fragprog_name *row = n ? fragprog_name_find(table, r->at, n) : NULL;
    if (!row)
        return expected(r, what);
    r->at += n;
    *value = row->value;
    return true;
}

/* ------------------------------------------------------------------------------------------------------------------
 * Statements
 */

static bool read_value(struct reader *r, float *value)
{
    double number;
    bool minus = accept(r, '-');
    size_t n = texenv_scan_number(r->at, (size_t)(r->end - r->at), &number);
    if (n == 0)
        return expected(r, "a number");
    if (!(number <= (double)FLT_MAX))
        return fail(r, r->at, "number", "the number is out of range");
    r->at += n;
    if (r->at < r->end && (is_word(*r->at) || *r->at == '.'))
        return expected(r, "the end of the number");
    *value = minus ? -(float)number : (float)number;
    return true;
}

/* ORIGIN VALUE: "env1.r 0.5", "imm 0.5" */
static bool read_component(struct reader *r, struct fragprog_const *konst, unsigned c)
{
    konst->origin[c].unit = -1;
    konst->origin[c].component = 0;
    if (at_word(r, "imm")) {
        r->at += 3;
    } else if (r->end - r->at > 3 && memcmp(r->at, "env", 3) == 0) {
        unsigned unit;
        r->at += 3;
        if (!read_index(r, TEXENV_UNITS - 1, "a texture unit", &unit))
            return false;
        if (!accept(r, '.'))
            return expected(r, "\".\" and one of r g b a");
        static const char names[] = "rgba";
        const char *name = word_length(r) == 1 ? memchr(names, *r->at, 4) : NULL;
        if (!name)
            return expected(r, "one of r g b a");
        konst->origin[c].unit = (int8_t)unit;
        konst->origin[c].component = (uint8_t)(name - names);
        r->at++;
    } else {
        return expected(r, "\"imm\" or \"envN.c\"");
    }
    skip_blanks(r);
    return read_value(r, &konst->value[c]);
}

/* const cK = (ORIGIN VALUE, ...) */
static bool read_const(struct reader *r)
{
    struct fragprog *p = r->p;
    const char *start = r->at;
    unsigned number;
    r->at += 5;
    skip_blanks(r);
    if (!accept(r, 'c'))
        return expected(r, "the constant's name");
    if (!read_index(r, UINT16_MAX, "a constant's number", &number))
        return false;
    if (p->ninst > 0)
        return fail(r, start, "order", "constants stand before the first instruction");
    if (number != p->nkonst)
        return fail(r, start, "order", "constants are numbered from c0 on without gaps");
    if (p->nkonst == p->maxkonst)
        return fail(r, start, "size", "more constants than the program has room for");

    struct fragprog_const konst;
    memset(&konst, 0, sizeof konst);
    if (!expect(r, '=', "\"=\"") || !expect(r, '(', "\"(\""))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!read_component(r, &konst, c))
            return false;
        if (!(c < 3 ? expect(r, ',', "\",\"") : expect(r, ')', "\")\"")))
            return false;
    }
    const char *rule = fragprog_check_const(&konst);
    if (rule)
        return fail(r, start, "rule", rule);
    p->konst[p->nkonst++] = konst;
    return end_line(r);
}

static bool read_mask(struct reader *r, struct fragprog_inst *inst)
{
    static const char names[] = "xyzw";
    size_t n = word_length(r);
    unsigned next = 0;
    for (size_t i = 0; i < n; i++) {
        const char *channel = memchr(names, r->at[i], 4);
        if (!channel || (unsigned)(channel - names) < next)
            return expected(r, "a mask: some of xyzw in order");
        next = (unsigned)(channel - names) + 1;
        inst->mask |= (uint8_t)(1u << (channel - names));
    }
    if (n == 0)
        return expected(r, "a mask: some of xyzw in order");
    r->at += n;
    return true;
}

static bool read_lanes(struct reader *r, struct fragprog_src *src)
{
    static const char names[] = "xyzw01h";
    const char *start = r->at;
    for (unsigned lane = 0; lane < 4; lane++) {
        if (accept(r, '-'))
            src->negate |= (uint8_t)(1u << lane);
        const char *name = r->at < r->end ? memchr(names, *r->at, sizeof names - 1) : NULL;
        if (!name) {
            r->at = start;
            return expected(r, "four lanes, each one of x y z w 0 1 h with an optional \"-\"");
        }
        src->lane[lane] = (uint8_t)(name - names);
        r->at++;
    }
    if (r->at < r->end && (is_word(*r->at) || *r->at == '-')) {
        r->at = start;
        return expected(r, "just four lanes");
    }
    return true;
}

/* BASE.LANES{.MODIFIER} */
static bool read_src(struct reader *r, struct fragprog_src *src)
{
    size_t n = 0; /* of the letters before the number */
    while (r->at + n < r->end && *r->at != '%' && r->at[n] >= 'a' && r->at[n] <= 'z')
        n++;
    if (r->at < r->end && *r->at == '%')
        n = 1;
    const struct fragprog_name *file = n ? fragprog_name_find(fragprog_ir_files, r->at, n) : NULL;
    if (!file)
        return expected(r, "a source: %N, primary, secondary, coordN, cN or lit");
    r->at += n;
    src->file = (uint8_t)file->value;
    if (src->file == FRAGPROG_VALUE || src->file == FRAGPROG_COORD || src->file == FRAGPROG_CONST) {
        unsigned index;
        if (!read_index(r, UINT16_MAX, "a number", &index))
            return false;
        src->index = (uint16_t)index;
    }
    if (!accept(r, '.'))
        return expected(r, "\".\" and the lanes");
    if (!read_lanes(r, src))
        return false;

    const struct fragprog_name *next = fragprog_ir_mods; /* each at most once, in order */
    while (accept(r, '.')) {
        size_t length = word_length(r);
        const struct fragprog_name *row = fragprog_name_find(next, r->at, length);
        if (!row)
            return expected(r, next == fragprog_ir_mods ? "an argument modifier: abs, comp, bias, 2x, neg"
                                                        : "argument modifiers once each in the order abs comp bias 2x neg");
        src->mods |= (uint8_t)row->value;
        next = row + 1;
        r->at += length;
    }
    return true;
}

/* coordC, tU, TARGET, FORMAT [, shadow] */
static bool read_lookup(struct reader *r, struct fragprog_inst *inst)
{
    unsigned number;
    int32_t value;
    for (unsigned lane = 0; lane < 4; lane++)
        inst->src[0].lane[lane] = (uint8_t)lane;
    inst->src[0].file = FRAGPROG_COORD;
    if (r->end - r->at < 5 || memcmp(r->at, "coord", 5) != 0)
        return expected(r, "a texture coordinate: coordN");
    r->at += 5;
    if (!read_index(r, TEXENV_UNITS - 1, "a texture coordinate set", &number))
        return false;
    inst->src[0].index = (uint16_t)number;
    if (!expect(r, ',', "\",\""))
        return false;
    if (!accept(r, 't'))
        return expected(r, "a texture: tN");
    if (!read_index(r, TEXENV_UNITS - 1, "a texture unit", &number))
        return false;
    inst->texture = (uint8_t)number;
    if (!expect(r, ',', "\",\"") || !read_name(r, fragprog_ir_targets, "a texture target: 1d, 2d, rect, 3d, cube", &value))
        return false;
    inst->target = (uint8_t)value;
    if (!expect(r, ',', "\",\"") || !read_name(r, fragprog_ir_bases, "a base format", &value))
        return false;
    inst->base = (uint8_t)value;
    skip_blanks(r);
    if (accept(r, ',')) {
        skip_blanks(r);
        if (!at_word(r, "shadow"))
            return expected(r, "\"shadow\"");
        r->at += 6;
        inst->shadow = 1;
    }
    return true;
}

/* .MASK[.SCALE][.CLAMP], directly after the operation */
static bool read_result_suffixes(struct reader *r, struct fragprog_inst *inst)
{
    if (!accept(r, '.'))
        return expected(r, "\".\" and a mask");
    if (!read_mask(r, inst))
        return false;
    while (accept(r, '.')) {
        size_t n = word_length(r);
        const struct fragprog_name *row = fragprog_name_find(fragprog_ir_scales, r->at, n);
        if (row && !inst->scale && !inst->clamp) {
            inst->scale = (int8_t)row->value;
        } else {
            row = fragprog_name_find(fragprog_ir_clamps, r->at, n);
            if (!row || inst->clamp)
                return expected(r, "a scale (2x, 4x, 8x, half, quarter, eighth), then a clamp (sat, sat8)");
            inst->clamp = (uint8_t)row->value;
        }
        r->at += n;
    }
    return true;
}

/* %N = OP.MASK... SRC, SRC  @unit */
static bool read_inst(struct reader *r)
{
    struct fragprog *p = r->p;
    const char *start = r->at++;
    struct fragprog_inst inst;
    unsigned number;
    memset(&inst, 0, sizeof inst);
    if (!read_index(r, UINT16_MAX, "a value's number", &number))
        return false;
    if (number != p->ninst)
        return fail(r, start, "order", "values are numbered from %0 on without gaps");
    if (p->ninst == p->maxinst)
        return fail(r, start, "size", "more instructions than the program has room for");
    if (!expect(r, '=', "\"=\""))
        return false;
    int op = fragprog_op_of_ir(r->at, word_length(r));
    if (op < 0)
        return expected(r, "an operation");
    inst.op = (uint8_t)op;
    r->at += word_length(r);
    if (!read_result_suffixes(r, &inst))
        return false;
    if (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        return expected(r, "a blank");
    skip_blanks(r);

    if (op == FRAGPROG_TEX) {
        if (!read_lookup(r, &inst))
            return false;
    } else {
        for (unsigned arg = 0; arg < fragprog_op_args((unsigned)op); arg++)
            if ((arg > 0 && !expect(r, ',', "\",\" and another source")) || !read_src(r, &inst.src[arg]))
                return false;
    }

    if (!expect(r, '@', "\"@\" and the texture unit"))
        return false;
    inst.unit = -1;
    if (!accept(r, '-')) {
        if (!read_index(r, TEXENV_UNITS - 1, "a texture unit or \"-\"", &number))
            return false;
        inst.unit = (int8_t)number;
    }
    p->inst[p->ninst] = inst;
    const char *rule = fragprog_check_inst(p, p->ninst);
    if (rule)
        return fail(r, start, "rule", rule);
    p->ninst++;
    return end_line(r);
}

/* result %A, %B */
static bool read_result(struct reader *r)
{
    const char *start = r->at;
    r->at += 6;
    for (unsigned half = 0; half < 2; half++) {
        unsigned number;
        if (half && !expect(r, ',', "\",\""))
            return false;
        skip_blanks(r);
        if (!accept(r, '%'))
            return expected(r, "a value: %N");
        if (!read_index(r, UINT16_MAX, "a value's number", &number))
            return false;
        r->p->result[half] = (uint16_t)number;
    }
    const char *rule = fragprog_check_result(r->p);
    if (rule)
        return fail(r, start, "rule", rule);
    return end_line(r);
}

static bool read_program(struct reader *r)
{
    static const char header[] = "!!texir1.0";
    const size_t length = sizeof header - 1;
    bool ok;
    if (!next_statement(r, &ok))
        return ok ? expected(r, "!!texir1.0") : false;
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, header, length) != 0)
        return expected(r, "!!texir1.0");
    r->at += length;
    if (!end_line(r))
        return false;

    while (next_statement(r, &ok)) {
        if (at_word(r, "const")) {
            ok = read_const(r);
        } else if (*r->at == '%') {
            ok = read_inst(r);
        } else if (at_word(r, "result")) {
            if (!read_result(r))
                return false;
            if (next_statement(r, &ok))
                return expected(r, "nothing after the result");
            return ok;
        } else {
            return expected(r, "\"const\", \"%N =\" or \"result\"");
        }
        if (!ok)
            return false;
    }
    return ok ? expected(r, "\"result\"") : false;
}

bool fragprog_read_ir(struct fragprog *p, const char *text, size_t length, uint32_t first_line, const struct texenv_sink *sink)
{
    static const char empty[] = "";
    if (!text || length == 0) {
        text = empty;
        length = 0;
    }
    struct reader r = {.p = p, .at = text, .end = text + length, .line_start = text, .line = first_line, .sink = sink};
    p->ninst = p->nkonst = 0;
    p->result[0] = p->result[1] = 0;
    if (read_program(&r))
        return true;
    p->ninst = p->nkonst = 0;
    p->result[0] = p->result[1] = 0;
    return false;
}
