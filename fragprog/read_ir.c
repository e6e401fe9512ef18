/* Reads the text of the intermediate program (notes/formats/ir.md): one statement on each line. It accepts
 * what print_ir.c prints, with arbitrary blanks between tokens, empty lines and comments. It checks the rules
 * of fragprog_check after each statement, and reports every error with its position. */
#include "fragprog/scan_ir.h"

#include <float.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Statements
 */

static bool read_value(struct fragprog_scan *r, float *value)
{
    bool minus = fragprog_scan_accept(r, '-');
    size_t n = texenv_scan_float(value, r->at, (size_t)(r->end - r->at));
    if (n == 0)
        return fragprog_scan_expected(r, "a number");
    if (*value > FLT_MAX)
        return fragprog_scan_fail(r, r->at, "number", "the number is out of range");
    r->at += n;
    if (r->at < r->end && (fragprog_scan_is_word(*r->at) || *r->at == '.'))
        return fragprog_scan_expected(r, "the end of the number");
    *value = minus ? -*value : *value;
    return true;
}

/* If the text continues with the name of an origin and a digit, returns the name's length and sets *base to
 * its FRAGPROG_ORIGIN_*. Returns 0 otherwise. */
static size_t read_origin(const struct fragprog_scan *r, int *base)
{
    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(fragprog_origin_names[i]);
        if ((size_t)(r->end - r->at) > n && memcmp(r->at, fragprog_origin_names[i], n) == 0) {
            *base = (int)(i * TEXENV_UNITS);
            return n;
        }
    }
    return 0;
}

/* Reads ".r" and the like. */
static bool read_channel(struct fragprog_scan *r, uint8_t *component)
{
    static const char names[] = "rgba";
    if (!fragprog_scan_accept(r, '.'))
        return fragprog_scan_expected(r, "\".\" and one of r g b a");
    const char *name = fragprog_scan_word(r) == 1 ? memchr(names, *r->at, 4) : NULL;
    if (!name)
        return fragprog_scan_expected(r, "one of r g b a");
    *component = (uint8_t)(name - names);
    r->at++;
    return true;
}

/* Reads ORIGIN VALUE: "env1.r 0.5", "imm 0.5", "program.env[12].r 0" */
static bool read_component(struct fragprog_scan *r, struct fragprog_const *konst, unsigned c)
{
    int base = 0;
    int32_t origin = 0;
    size_t name_length = read_origin(r, &base), bound = 0;
    konst->origin[c].unit = FRAGPROG_ORIGIN_IMMEDIATE;
    konst->origin[c].component = 0;
    if (fragprog_scan_at(r, "imm")) {
        r->at += 3;
    } else if ((bound = fragprog_read_origin(&origin, r->at, (size_t)(r->end - r->at))) > 0) {
        r->at += bound;
        konst->origin[c].unit = origin;
        if (!read_channel(r, &konst->origin[c].component))
            return false;
    } else if (name_length) {
        unsigned unit;
        r->at += name_length;
        if (!fragprog_scan_index(r, TEXENV_UNITS - 1, base ? "a parameter's number" : "a texture unit",
                                 &unit))
            return false;
        konst->origin[c].unit = base + (int)unit;
        if (!read_channel(r, &konst->origin[c].component))
            return false;
    } else {
        return fragprog_scan_expected(r, "\"imm\", \"envN.c\", \"globalN.c\" or \"localN.c\"");
    }
    fragprog_scan_blanks(r);
    return read_value(r, &konst->value[c]);
}

/* Reads const cK = (ORIGIN VALUE, ...) */
static bool read_const(struct fragprog_scan *r)
{
    struct fragprog *p = r->p;
    const char *start = r->at;
    unsigned number;
    r->at += 5;
    fragprog_scan_blanks(r);
    if (!fragprog_scan_accept(r, 'c'))
        return fragprog_scan_expected(r, "the constant's name");
    if (!fragprog_scan_index(r, UINT16_MAX, "a constant's number", &number))
        return false;
    if (p->ninst > 0)
        return fragprog_scan_fail(r, start, "order", "constants stand before the first instruction");
    if (number != p->nkonst)
        return fragprog_scan_fail(r, start, "order", "constants are numbered from c0 on without gaps");
    if (p->nkonst == p->maxkonst)
        return fragprog_scan_fail(r, start, "size", "more constants than the program has room for");

    struct fragprog_const konst;
    memset(&konst, 0, sizeof konst);
    if (!fragprog_scan_expect(r, '=', "\"=\"") || !fragprog_scan_expect(r, '(', "\"(\""))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!read_component(r, &konst, c))
            return false;
        if (!(c < 3 ? fragprog_scan_expect(r, ',', "\",\"") : fragprog_scan_expect(r, ')', "\")\"")))
            return false;
    }
    const char *rule = fragprog_check_const(&konst);
    if (rule)
        return fragprog_scan_fail(r, start, "rule", rule);
    if (p->vertex) {
        fragprog_scan_blanks(r);
        if (r->end - r->at > 5 && memcmp(r->at, "array", 5) == 0) {
            r->at += 5;
            if (!fragprog_scan_index(r, FRAGPROG_MOST_ARRAYS, "an array's number", &number))
                return false;
            konst.array = (uint16_t)number;
        }
    }
    p->konst[p->nkonst++] = konst;
    return fragprog_scan_end_line(r);
}

static bool read_mask(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    static const char names[] = "xyzw";
    size_t n = fragprog_scan_word(r);
    unsigned next = 0;
    for (size_t i = 0; i < n; i++) {
        const char *channel = memchr(names, r->at[i], 4);
        if (!channel || (unsigned)(channel - names) < next)
            return fragprog_scan_expected(r, "a mask: some of xyzw in order");
        next = (unsigned)(channel - names) + 1;
        inst->mask |= (uint8_t)(1u << (channel - names));
    }
    if (n == 0)
        return fragprog_scan_expected(r, "a mask: some of xyzw in order");
    r->at += n;
    return true;
}

static bool read_lanes(struct fragprog_scan *r, struct fragprog_src *src)
{
    static const char names[] = "xyzw01h";
    const char *start = r->at;
    for (unsigned lane = 0; lane < 4; lane++) {
        if (fragprog_scan_accept(r, '-'))
            src->negate |= (uint8_t)(1u << lane);
        const char *name = r->at < r->end ? memchr(names, *r->at, sizeof names - 1) : NULL;
        if (!name) {
            r->at = start;
            return fragprog_scan_expected(r, "four lanes, each one of x y z w 0 1 h with an optional \"-\"");
        }
        src->lane[lane] = (uint8_t)(name - names);
        r->at++;
    }
    if (r->at < r->end && (fragprog_scan_is_word(*r->at) || *r->at == '-')) {
        r->at = start;
        return fragprog_scan_expected(r, "just four lanes");
    }
    return true;
}

/* Reads a source: BASE.LANES{.MODIFIER}. */
static bool read_src(struct fragprog_scan *r, struct fragprog_src *src)
{
    size_t n = 0; /* number of letters before the number */
    while (r->at + n < r->end && *r->at != '%' && r->at[n] >= 'a' && r->at[n] <= 'z')
        n++;
    if (r->at < r->end && *r->at == '%')
        n = 1;
    const struct fragprog_name *file = n ? fragprog_name_find(fragprog_ir_files, r->at, n) : NULL;
    if (!file)
        return fragprog_scan_expected(r, "a source: %N, primary, secondary, coordN, cN or lit");
    r->at += n;
    src->file = (uint8_t)file->value;
    if (src->file == FRAGPROG_VALUE || src->file == FRAGPROG_COORD || src->file == FRAGPROG_CONST ||
        src->file == FRAGPROG_ATTRIB) {
        unsigned index;
        if (!fragprog_scan_index(r, UINT16_MAX, "a number", &index))
            return false;
        src->index = (uint16_t)index;
    }
    if (!fragprog_scan_accept(r, '.'))
        return fragprog_scan_expected(r, "\".\" and the lanes");
    if (!read_lanes(r, src))
        return false;

    const struct fragprog_name *next = fragprog_ir_mods; /* each modifier at most once, in order */
    while (fragprog_scan_accept(r, '.')) {
        size_t length = fragprog_scan_word(r);
        const struct fragprog_name *row = fragprog_name_find(next, r->at, length);
        if (!row)
            return fragprog_scan_expected(
                r,
                next == fragprog_ir_mods ? "an argument modifier: abs, comp, bias, 2x, neg"
                                         : "argument modifiers once each in the order abs comp bias 2x neg");
        src->mods |= (uint8_t)row->value;
        next = row + 1;
        r->at += length;
    }
    return true;
}

static unsigned textures(const struct fragprog_scan *r)
{
    return r->p->unbounded ? FRAGPROG_MOST_TEXTURES : TEXENV_UNITS;
}

/* Reads coordC, coordC.LANES or %N.LANES. Three lanes are undivided coordinates; with four lanes, the first
 * three are divided by the fourth. */
static bool read_coordinate(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    struct fragprog_src *src = &inst->src[0];
    unsigned number;
    bool value = fragprog_scan_accept(r, '%');
    for (unsigned lane = 0; lane < 4; lane++)
        src->lane[lane] = (uint8_t)lane;
    src->file = value ? FRAGPROG_VALUE : FRAGPROG_COORD;
    if (!value && (r->end - r->at < 5 || memcmp(r->at, "coord", 5) != 0))
        return fragprog_scan_expected(r, "a texture coordinate: coordN or %N");
    r->at += value ? 0 : 5;
    if (!fragprog_scan_index(r, value ? UINT16_MAX : TEXENV_UNITS - 1,
                             value ? "a value's number" : "a texture coordinate set", &number))
        return false;
    src->index = (uint16_t)number;
    if (!fragprog_scan_accept(r, '.'))
        return !value || fragprog_scan_expected(r, "\".\" and three or four lanes");
    static const char names[] = "xyzw";
    size_t n = fragprog_scan_word(r);
    for (size_t i = 0; i < n && i < 4; i++) {
        const char *name = memchr(names, r->at[i], 4);
        if (!name)
            n = 0;
        else
            src->lane[i] = (uint8_t)(name - names);
    }
    if (n != 3 && n != 4)
        return fragprog_scan_expected(r, "three or four lanes of x y z w");
    inst->undivided = n == 3;
    r->at += n;
    return true;
}

/* Reads COORDINATE, tU, TARGET, FORMAT [, shadow] */
static bool read_lookup(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    unsigned number;
    int32_t value;
    if (!read_coordinate(r, inst))
        return false;
    if (!fragprog_scan_expect(r, ',', "\",\""))
        return false;
    if (!fragprog_scan_accept(r, 't'))
        return fragprog_scan_expected(r, "a texture: tN");
    if (!fragprog_scan_index(r, textures(r) - 1, "a texture unit", &number))
        return false;
    inst->texture = (uint8_t)number;
    if (!fragprog_scan_expect(r, ',', "\",\"") ||
        !fragprog_scan_name(r, fragprog_ir_targets, "a texture target: 1d, 2d, rect, 3d, cube", &value))
        return false;
    inst->target = (uint8_t)value;
    if (!fragprog_scan_expect(r, ',', "\",\"") ||
        !fragprog_scan_name(r, fragprog_ir_bases, "a base format", &value))
        return false;
    inst->base = (uint8_t)value;
    fragprog_scan_blanks(r);
    if (fragprog_scan_accept(r, ',')) {
        fragprog_scan_blanks(r);
        if (!fragprog_scan_at(r, "shadow"))
            return fragprog_scan_expected(r, "\"shadow\"");
        r->at += 6;
        inst->shadow = 1;
    }
    return true;
}

/* Reads an output of a vertex program and a comma. */
static bool read_vertex_output(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    const bool texcoord = r->end - r->at > 8 && memcmp(r->at, "texcoord", 8) == 0;
    unsigned number = 0;
    int32_t output = 0;
    r->at += texcoord ? 8 : 0;
    if (texcoord ? !fragprog_scan_index(r, FRAGPROG_VERTEX_OUTS - FRAGPROG_OUT_TEXCOORD - 1,
                                        "a texture coordinate set", &number)
                 : !fragprog_scan_name(r, fragprog_ir_vertex_outs, "an output of vertex programs", &output))
        return false;
    inst->texture = (uint8_t)(texcoord ? FRAGPROG_OUT_TEXCOORD + number : (unsigned)output);
    return fragprog_scan_expect(r, ',', "\",\" and a source");
}

/* Reads arrayN, the offset of the index, and a comma. */
static bool read_array(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    unsigned number;
    if (r->end - r->at < 6 || memcmp(r->at, "array", 5) != 0)
        return fragprog_scan_expected(r, "arrayN");
    r->at += 5;
    if (!fragprog_scan_index(r, FRAGPROG_MOST_ARRAYS, "an array's number", &number))
        return false;
    inst->target = (uint8_t)number;
    if (!fragprog_scan_expect(r, ',', "\",\" and a number"))
        return false;
    const bool minus = fragprog_scan_accept(r, '-');
    if (!fragprog_scan_index(r, FRAGPROG_LOAD_ZERO - !minus, "what is added to the index", &number))
        return false;
    inst->texture = (uint8_t)(minus ? FRAGPROG_LOAD_ZERO - number : FRAGPROG_LOAD_ZERO + number);
    return fragprog_scan_expect(r, ',', "\",\" and a source");
}

/* Reads depth or colorN, and a comma. */
static bool read_output(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    unsigned number = 0;
    if (fragprog_scan_at(r, "depth")) {
        r->at += 5;
    } else if (r->end - r->at > 5 && memcmp(r->at, "color", 5) == 0) {
        r->at += 5;
        if (!fragprog_scan_index(r, FRAGPROG_MOST_TEXTURES - 1, "a colour output", &number))
            return false;
        if (!number)
            return fragprog_scan_fail(r, r->at - 1, "rule", "colour output 0 is the result");
    } else {
        return fragprog_scan_expected(r, "depth or colorN");
    }
    inst->texture = (uint8_t)number;
    return fragprog_scan_expect(r, ',', "\",\" and a source");
}

/* Reads .MASK[.SCALE][.CLAMP], directly after the operation. */
static bool read_result_suffixes(struct fragprog_scan *r, struct fragprog_inst *inst)
{
    if (!fragprog_scan_accept(r, '.'))
        return fragprog_scan_expected(r, "\".\" and a mask");
    if (!read_mask(r, inst))
        return false;
    while (fragprog_scan_accept(r, '.')) {
        size_t n = fragprog_scan_word(r);
        const struct fragprog_name *row = fragprog_name_find(fragprog_ir_scales, r->at, n);
        if (row && !inst->scale && !inst->clamp) {
            inst->scale = (int8_t)row->value;
        } else {
            row = fragprog_name_find(fragprog_ir_clamps, r->at, n);
            if (!row || inst->clamp)
                return fragprog_scan_expected(
                    r, "a scale (2x, 4x, 8x, half, quarter, eighth), then a clamp (sat, sat8)");
            inst->clamp = (uint8_t)row->value;
        }
        r->at += n;
    }
    return true;
}

/* Reads %N = OP.MASK... SRC, SRC  @unit */
static bool read_inst(struct fragprog_scan *r)
{
    struct fragprog *p = r->p;
    const char *start = r->at++;
    struct fragprog_inst inst;
    unsigned number;
    memset(&inst, 0, sizeof inst);
    if (!fragprog_scan_index(r, UINT16_MAX, "a value's number", &number))
        return false;
    if (number != p->ninst)
        return fragprog_scan_fail(r, start, "order", "values are numbered from %0 on without gaps");
    if (p->ninst == p->maxinst)
        return fragprog_scan_fail(r, start, "size", "more instructions than the program has room for");
    if (!fragprog_scan_expect(r, '=', "\"=\""))
        return false;
    int op = fragprog_op_of_ir(r->at, fragprog_scan_word(r));
    if (op < 0)
        return fragprog_scan_expected(r, "an operation");
    inst.op = (uint8_t)op;
    r->at += fragprog_scan_word(r);
    if (!read_result_suffixes(r, &inst))
        return false;
    if (r->at < r->end && *r->at != ' ' && *r->at != '\t')
        return fragprog_scan_expected(r, "a blank");
    fragprog_scan_blanks(r);

    if (fragprog_op_is_lookup((unsigned)op)) {
        if (!read_lookup(r, &inst))
            return false;
    } else {
        if (op == FRAGPROG_OUT && !(p->vertex ? read_vertex_output(r, &inst) : read_output(r, &inst)))
            return false;
        if (op == FRAGPROG_LOAD && !read_array(r, &inst))
            return false;
        for (unsigned arg = 0; arg < fragprog_op_args((unsigned)op); arg++)
            if ((arg > 0 && !fragprog_scan_expect(r, ',', "\",\" and another source")) ||
                !read_src(r, &inst.src[arg]))
                return false;
    }

    if (!fragprog_scan_expect(r, '@', "\"@\" and the texture unit"))
        return false;
    inst.unit = -1;
    if (!fragprog_scan_accept(r, '-')) {
        if (!fragprog_scan_index(r, TEXENV_UNITS - 1, "a texture unit or \"-\"", &number))
            return false;
        inst.unit = (int8_t)number;
    }
    p->inst[p->ninst] = inst;
    const char *rule = fragprog_check_inst(p, p->ninst);
    if (rule)
        return fragprog_scan_fail(r, start, "rule", rule);
    p->ninst++;
    return fragprog_scan_end_line(r);
}

/* Reads result %A, %B. */
static bool read_result(struct fragprog_scan *r)
{
    const char *start = r->at;
    r->at += 6;
    for (unsigned half = 0; half < 2; half++) {
        unsigned number;
        if (half && !fragprog_scan_expect(r, ',', "\",\""))
            return false;
        fragprog_scan_blanks(r);
        if (!fragprog_scan_accept(r, '%'))
            return fragprog_scan_expected(r, "a value: %N");
        if (!fragprog_scan_index(r, UINT16_MAX, "a value's number", &number))
            return false;
        r->p->result[half] = (uint16_t)number;
    }
    const char *rule = fragprog_check_result(r->p);
    if (!rule)
        rule = fragprog_check_arrays(r->p);
    if (rule)
        return fragprog_scan_fail(r, start, "rule", rule);
    return fragprog_scan_end_line(r);
}

static bool read_program(struct fragprog_scan *r)
{
    static const char header[] = "!!texir1.0";
    const size_t length = sizeof header - 1;
    bool ok;
    if (!fragprog_scan_statement(r, &ok))
        return ok ? fragprog_scan_expected(r, "!!texir1.0") : false;
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, header, length) != 0)
        return fragprog_scan_expected(r, "!!texir1.0");
    r->at += length;
    if (!fragprog_scan_end_line(r))
        return false;

    while (fragprog_scan_statement(r, &ok)) {
        const bool first = !r->p->ninst && !r->p->nkonst;
        if (first && !r->p->unbounded && fragprog_scan_at(r, "unbounded")) {
            r->at += sizeof "unbounded" - 1;
            r->p->unbounded = &fragprog_unbounded_program;
            ok = fragprog_scan_end_line(r);
        } else if (first && !r->p->unbounded && fragprog_scan_at(r, "vertex")) {
            r->at += sizeof "vertex" - 1;
            r->p->unbounded = &fragprog_unbounded_program;
            r->p->vertex = true;
            ok = fragprog_scan_end_line(r);
        } else if (first && r->p->vertex && !r->p->invariant && fragprog_scan_at(r, "invariant")) {
            r->at += sizeof "invariant" - 1;
            r->p->invariant = true;
            ok = fragprog_scan_end_line(r);
        } else if (fragprog_scan_at(r, "const")) {
            ok = read_const(r);
        } else if (*r->at == '%') {
            ok = read_inst(r);
        } else if (fragprog_scan_at(r, "result")) {
            if (!read_result(r))
                return false;
            if (fragprog_scan_statement(r, &ok))
                return fragprog_scan_expected(r, "nothing after the result");
            return ok;
        } else {
            return fragprog_scan_expected(r, "\"const\", \"%N =\" or \"result\"");
        }
        if (!ok)
            return false;
    }
    return ok ? fragprog_scan_expected(r, "\"result\"") : false;
}

static void clear(struct fragprog *p)
{
    p->ninst = p->nkonst = 0;
    p->result[0] = p->result[1] = 0;
    p->unbounded = NULL;
    p->vertex = p->invariant = false;
}

bool fragprog_read_ir(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                      const struct texenv_sink *sink)
{
    if (!text || length == 0) {
        text = "";
        length = 0;
    }
    struct fragprog_scan r = {
        .p = p, .at = text, .end = text + length, .line_start = text, .line = first_line, .sink = sink};
    clear(p);
    if (read_program(&r))
        return true;
    clear(p);
    return false;
}
