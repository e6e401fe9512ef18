/* Reads !!ATIfs1.0 programs: a recursive-descent parser for the grammar of ATI_text_fragment_shader (3.10.1),
 * followed by the restrictions of both extensions (check_atifs.c). Every error has its position. Rules that
 * struct fragprog_atifs cannot represent are checked here.
 *
 * ".sat" and the constant block are optional, although the grammar lacks the empty alternative. A comma after
 * the destination is accepted, because the extension's sample programs have it. The output pass is required,
 * as the extension's prose says. */
#include "fragprog/atifs/lex_atifs.h"

#include <string.h>

struct reader {
    struct fragprog_atifs_lex said;
    struct fragprog_atifs *out;
    struct fragprog_atifs_places places; /* of the parts of *out, for errors of restrictions */
    struct texenv_place pass[2];         /* the ends of the passes */
};

static bool expect(struct reader *r, const char *token, const char *what)
{
    return fragprog_lex_accept(&r->said.lex, token) || fragprog_lex_expected(&r->said.lex, what);
}

static bool semicolon(struct reader *r) { return expect(r, ";", "\";\""); }

/* If the current word is LETTER DIGIT with a digit below count, returns that number; else -1. */
static int numbered(const struct reader *r, char letter, unsigned count)
{
    const char *s = r->said.lex.text + r->said.lex.start;
    if (r->said.lex.kind != FRAGPROG_LEX_WORD || r->said.lex.size != 2 || s[0] != letter || s[1] < '0' ||
        (unsigned)(s[1] - '0') >= count)
        return -1;
    return s[1] - '0';
}

/* If the current word is in the table, returns its row and advances; else returns NULL without an error. */
static const struct fragprog_name *accept_name(struct reader *r, const struct fragprog_name *table)
{
    if (r->said.lex.kind != FRAGPROG_LEX_WORD)
        return NULL;
    const struct fragprog_name *row = fragprog_name_find(table, r->said.lex.text + r->said.lex.start,
                                                         r->said.lex.size);
    if (row)
        fragprog_lex_next(&r->said.lex);
    return row;
}

static bool read_register(struct reader *r, unsigned *reg)
{
    int n = numbered(r, 'r', FRAGPROG_REGISTERS);
    if (n < 0)
        return fragprog_lex_expected(&r->said.lex, "a register: r0 to r5");
    fragprog_lex_next(&r->said.lex);
    *reg = (unsigned)n;
    return true;
}

/* ------------------------------------------------------------------------------------------------
 * Constants
 */

static bool read_literal(struct reader *r, struct fragprog_atifs_const *konst)
{
    unsigned n = 0;
    konst->kind = FRAGPROG_CONST_LITERAL;
    do {
        double value;
        if (n == 4)
            return fragprog_lex_fail(&r->said.lex, r->said.lex.place, "syntax",
                                     "a constant has at most four numbers");
        if (!fragprog_lex_number(&r->said.lex, &value))
            return false;
        konst->value[n++] = (float)value;
    } while (fragprog_lex_accept(&r->said.lex, ","));
    /* The text extension does not define missing components. This follows ARB_vertex_program, which has the
     * same notation: y and z are 0, w is 1. */
    if (n < 4)
        konst->value[3] = 1;
    return expect(r, "}", "\",\" or \"}\"");
}

static bool read_parameter(struct reader *r, struct fragprog_atifs_const *konst)
{
    if (!expect(r, "program", "\"{\" or \"program\"") || !expect(r, ".", "\".\""))
        return false;
    if (fragprog_lex_accept(&r->said.lex, "local"))
        konst->kind = FRAGPROG_CONST_LOCAL;
    else if (fragprog_lex_accept(&r->said.lex, "env"))
        konst->kind = FRAGPROG_CONST_ENV;
    else
        return fragprog_lex_expected(&r->said.lex, "\"local\" or \"env\"");
    if (!expect(r, "[", "\"[\""))
        return false;

    /* <integer>: digits with any number of leading zeros */
    const char *s = r->said.lex.text + r->said.lex.start;
    unsigned value = 0;
    for (size_t i = 0; i < r->said.lex.size && value < FRAGPROG_ATI_CONSTANTS; i++)
        value = s[i] >= '0' && s[i] <= '9' ? value * 10 + (unsigned)(s[i] - '0') : FRAGPROG_ATI_CONSTANTS;
    if (r->said.lex.kind != FRAGPROG_LEX_WORD || value >= FRAGPROG_ATI_CONSTANTS)
        return fragprog_lex_expected(&r->said.lex, "an index from 0 to 7");
    fragprog_lex_next(&r->said.lex);
    konst->index = (uint8_t)value;
    for (unsigned c = 0; c < 4; c++)
        konst->value[c] = -1; /* not known */
    return expect(r, "]", "\"]\"");
}

/* Reads the constants after "StartConstants". */
static bool read_consts(struct reader *r)
{
    if (!semicolon(r))
        return false;
    for (;;) {
        if (fragprog_lex_accept(&r->said.lex, "EndConstants"))
            return semicolon(r);
        if (!expect(r, "CONSTANT", "\"CONSTANT\" or \"EndConstants\""))
            return false;
        int number = numbered(r, 'c', FRAGPROG_ATI_CONSTANTS);
        if (number < 0)
            return fragprog_lex_expected(&r->said.lex, "a constant: c0 to c7");
        struct fragprog_atifs_const *konst = &r->out->konst[number];
        if (konst->used)
            return fragprog_lex_fail(&r->said.lex, r->said.lex.place, "restriction",
                                     "GL_INVALID_OPERATION: a constant is declared twice "
                                     "(ATI_text_fragment_shader, restriction 1)");
        konst->used = 1;
        konst->unit = -1;
        r->places.konst[number] = r->said.lex.place;
        fragprog_lex_next(&r->said.lex);
        if (!expect(r, "=", "\"=\""))
            return false;
        if (!(fragprog_lex_accept(&r->said.lex, "{") ? read_literal(r, konst) : read_parameter(r, konst)) ||
            !semicolon(r))
            return false;
    }
}

/* ------------------------------------------------------------------------------------------------
 * Setup instructions
 */

/* Reads the operands of "SampleMap" or "PassTexCoord". */
static bool read_setup(struct reader *r, unsigned pass, unsigned op)
{
    struct texenv_place place = r->said.lex.place;
    unsigned reg = 0;
    if (!read_register(r, &reg))
        return false;
    struct fragprog_atifs_setup *setup = &r->out->pass[pass].setup[reg];
    if (setup->op)
        return fragprog_lex_fail(&r->said.lex, place, "restriction",
                                 "GL_INVALID_OPERATION: a register is set up twice in a pass "
                                 "(ATI_text_fragment_shader, restriction 6)");
    fragprog_lex_accept(&r->said.lex, ",");

    r->places.setup[pass][reg] = r->said.lex.place;
    int from = numbered(r, 'r', FRAGPROG_REGISTERS), coord = numbered(r, 't', FRAGPROG_ATI_TEXT_COORDS);
    if (from < 0 && coord < 0)
        return fragprog_lex_expected(&r->said.lex, "texture coordinates t0 to t5 or a register r0 to r5");
    fragprog_lex_next(&r->said.lex);
    if (!expect(r, ".", "\".\" and str, stq, str_dr or stq_dq"))
        return false;
    const struct fragprog_name *swizzle = accept_name(r, fragprog_atifs_swizzles);
    if (!swizzle)
        return fragprog_lex_expected(&r->said.lex, "str, stq, str_dr or stq_dq");
    *setup = (struct fragprog_atifs_setup){.op = (uint8_t)op,
                                           .from_reg = from >= 0,
                                           .source = (uint8_t)(from >= 0 ? from : coord),
                                           .swizzle = (uint8_t)swizzle->value,
                                           .texture = -1};
    return semicolon(r);
}

/* ------------------------------------------------------------------------------------------------
 * Arithmetic
 */

/* Returns the bits of the current word if it is a subset of "rgba" in order, else 0. */
static unsigned mask_of(const struct reader *r)
{
    static const char names[] = "rgba";
    const char *s = r->said.lex.text + r->said.lex.start;
    unsigned mask = 0;
    for (size_t i = 0; i < r->said.lex.size; i++) {
        const char *channel = memchr(names, s[i], 4);
        unsigned bit = channel ? 1u << (channel - names) : 0;
        if (!channel || mask >= bit)
            return 0;
        mask |= bit;
    }
    return mask;
}

/* Warns if suffixes are not in the order of the grammar, in which the current suffix is number `place`. The
 * program is accepted, because the order does not change its meaning. */
static void check_order(const struct reader *r, struct texenv_place at, unsigned place, unsigned *last)
{
    if (place < *last)
        texenv_emit(r->said.lex.sink, TEXENV_WARNING, -1, at, "suffix-order",
                    "this suffix belongs before the one in front of it (ATI_text_fragment_shader, grammar)");
    *last = place;
}

/* Reads rN[.MASK][.SCALE][.sat]. *mask is 0 if there is none. */
static bool read_destination(struct reader *r, struct fragprog_atifs_op *op, unsigned *mask)
{
    unsigned reg = 0, last = 0, scales = 0;
    if (!read_register(r, &reg))
        return false;
    op->dst = (uint8_t)reg;
    *mask = 0;
    while (fragprog_lex_accept(&r->said.lex, ".")) {
        const struct texenv_place at = r->said.lex.place;
        const bool word = r->said.lex.kind == FRAGPROG_LEX_WORD;
        const struct fragprog_name *scale;
        if (word && !*mask && mask_of(r)) {
            *mask = mask_of(r);
            fragprog_lex_next(&r->said.lex);
            check_order(r, at, 0, &last);
        } else if (word && !scales && (scale = accept_name(r, fragprog_atifs_scales))) {
            op->mod |= (uint8_t)(scales = (unsigned)scale->value);
            check_order(r, at, 1, &last);
        } else if (word && !(op->mod & FRAGPROG_ATI_SATURATE) && fragprog_lex_accept(&r->said.lex, "sat")) {
            op->mod |= FRAGPROG_ATI_SATURATE;
            check_order(r, at, 2, &last);
        } else {
            return fragprog_lex_expected(
                &r->said.lex,
                "at most one mask (of rgba in order), scale (2x 4x 8x half quarter eighth) and sat");
        }
    }
    return true;
}

/* Reads NAME[.r|.g|.b|.a][.neg][.2x][.bias][.comp] */
static bool read_argument(struct reader *r, struct fragprog_atifs_arg *arg)
{
    unsigned last = 0;
    int reg = numbered(r, 'r', FRAGPROG_REGISTERS), con = numbered(r, 'c', FRAGPROG_ATI_CONSTANTS);
    if (reg >= 0 || con >= 0) {
        arg->source = (uint16_t)(reg >= 0 ? FRAGPROG_ATI_REG_0 + reg : FRAGPROG_ATI_CON_0 + con);
        fragprog_lex_next(&r->said.lex);
    } else {
        const struct fragprog_name *fixed = accept_name(r, fragprog_atifs_fixed);
        if (!fixed)
            return fragprog_lex_expected(&r->said.lex,
                                         "an argument: r0 to r5, c0 to c7, 0, 1, color0 or color1");
        arg->source = (uint16_t)fixed->value;
    }
    while (fragprog_lex_accept(&r->said.lex, ".")) {
        const struct texenv_place at = r->said.lex.place;
        const struct fragprog_name *row = arg->rep ? NULL : accept_name(r, fragprog_atifs_reps);
        if (row) {
            arg->rep = (uint16_t)row->value;
            check_order(r, at, 0, &last);
            continue;
        }
        const struct fragprog_lex before = r->said.lex;
        row = accept_name(r, fragprog_atifs_mods);
        if (!row || (arg->mods & row->value)) {
            r->said.lex = before;
            return fragprog_lex_expected(&r->said.lex, "at most one each of r|g|b|a, neg, 2x, bias, comp");
        }
        arg->mods |= (uint8_t)row->value;
        check_order(r, at, 1 + (unsigned)(row - fragprog_atifs_mods), &last);
    }
    return true;
}

/* Adds an instruction to the pairs. A colour instruction begins a new pair; an alpha instruction joins the
 * current pair if its alpha half is empty, else it begins a new one (ATI_fragment_shader, "considered to be
 * an instruction pair"). */
static bool add_instruction(struct reader *r, unsigned number, const struct fragprog_atifs_op *op,
                            unsigned mask, const struct fragprog_atifs_op_places *places)
{
    struct fragprog_atifs_pass *pass = &r->out->pass[number];
    unsigned last = pass->npairs ? pass->npairs - 1u : 0;
    bool open = pass->npairs && !pass->pair[last].half[TEXENV_ALPHA].op;
    bool dot = fragprog_op_is_dot((unsigned)fragprog_op_of_api(op->op));

    if (mask == 8 && dot)
        return fragprog_lex_fail(&r->said.lex, places->op, "restriction",
                                 "GL_INVALID_OPERATION: a dot product writes alpha only together with colour "
                                 "(ATI_text_fragment_shader, restriction 10)");
    if (mask == 8 && open && pass->pair[last].half[TEXENV_RGB].op == FRAGPROG_ATI_DOT4)
        return fragprog_lex_fail(
            &r->said.lex, places->op, "restriction",
            "GL_INVALID_OPERATION: an alpha instruction directly after a DOT4 that writes no alpha "
            "(ATI_text_fragment_shader, restriction 11)");
    if (mask != 8 || !open) {
        if (pass->npairs == FRAGPROG_PAIRS)
            return fragprog_lex_fail(&r->said.lex, places->op, "restriction",
                                     "GL_INVALID_OPERATION: more than 8 pairs in a pass "
                                     "(ATI_text_fragment_shader, restriction 5)");
        last = pass->npairs++;
    }
    for (unsigned half = 0; half < 2; half++) {
        unsigned channels = half == TEXENV_RGB ? mask & 7 : mask & 8;
        if (!channels)
            continue;
        pass->pair[last].half[half] = *op;
        pass->pair[last].half[half].mask = (uint8_t)(channels & 7);
        r->places.op[number][last][half] = *places;
    }
    return true;
}

static bool read_instruction(struct reader *r, unsigned pass)
{
    struct fragprog_atifs_op op;
    struct fragprog_atifs_op_places places = {.op = r->said.lex.place};
    unsigned mask;
    memset(&op, 0, sizeof op);
    op.unit = -1; /* not part of the text */
    int row = r->said.lex.kind == FRAGPROG_LEX_WORD
        ? fragprog_op_of_atifs(r->said.lex.text + r->said.lex.start, r->said.lex.size)
        : -1;
    if (row < 0)
        return fragprog_lex_expected(&r->said.lex, "an instruction or \"EndPass\"");
    op.op = (uint16_t)fragprog_op_api((unsigned)row);
    op.nargs = (uint8_t)fragprog_op_args((unsigned)row);
    fragprog_lex_next(&r->said.lex);
    if (!read_destination(r, &op, &mask))
        return false;
    fragprog_lex_accept(&r->said.lex, ",");
    for (unsigned i = 0; i < op.nargs; i++) {
        if (i > 0 && !expect(r, ",", "\",\" and another argument"))
            return false;
        places.arg[i] = r->said.lex.place;
        if (!read_argument(r, &op.arg[i]))
            return false;
    }
    return semicolon(r) && add_instruction(r, pass, &op, mask ? mask : 15, &places);
}

/* Reads a pass after "StartPrelimPass" or "StartOutputPass". */
static bool read_pass(struct reader *r, unsigned pass)
{
    if (!semicolon(r))
        return false;
    while (!fragprog_lex_is(&r->said.lex, "EndPass")) {
        struct texenv_place place = r->said.lex.place;
        const struct fragprog_name *setup = accept_name(r, fragprog_atifs_setups);
        if (!setup) {
            if (!read_instruction(r, pass))
                return false;
            continue;
        }
        if (r->out->pass[pass].npairs)
            return fragprog_lex_fail(
                &r->said.lex, place, "syntax",
                "SampleMap and PassTexCoord stand before the pass's arithmetic instructions");
        if (!read_setup(r, pass, (unsigned)setup->value))
            return false;
    }
    r->pass[pass] = r->said.lex.place;
    fragprog_lex_next(&r->said.lex);
    return semicolon(r);
}

/* ------------------------------------------------------------------------------------------------
 * The program
 */

static bool read_program(struct reader *r)
{
    if (fragprog_lex_accept(&r->said.lex, "StartConstants") && !read_consts(r))
        return false;
    r->out->npasses = 1;
    if (fragprog_lex_accept(&r->said.lex, "StartPrelimPass")) {
        if (!read_pass(r, 0))
            return false;
        r->out->npasses = 2;
    }
    if (!expect(r, "StartOutputPass", "\"StartOutputPass\"") || !read_pass(r, r->out->npasses - 1u))
        return false;
    return r->said.lex.kind == FRAGPROG_LEX_END ||
        fragprog_lex_expected(&r->said.lex, "nothing after the output pass");
}

/* Applies the machine-readable comments, and checks that they match the program's registers and constants. */
static bool apply_comments(struct reader *r)
{
    const struct fragprog_atifs_lex *said = &r->said;
    const struct fragprog_lex *lex = &said->lex;
    r->out->color_sum = said->color_sum;
    for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
        bool sampled = false, coord = said->bind[reg].coord < 0;
        for (unsigned pass = 0; pass < r->out->npasses; pass++) {
            struct fragprog_atifs_setup *setup = &r->out->pass[pass].setup[reg];
            if (!said->bind[reg].seen || setup->op != FRAGPROG_SAMPLE)
                continue;
            setup->texture = (int8_t)said->bind[reg].texture;
            setup->target = (uint8_t)said->bind[reg].target;
            sampled = true;
            coord |= !setup->from_reg && setup->source == said->bind[reg].coord;
        }
        if (said->bind[reg].seen && !sampled)
            return fragprog_lex_fail(lex, said->bind[reg].place, "metadata",
                                     "\"# bind\" of a register that is not sampled");
        if (said->bind[reg].seen && !coord)
            return fragprog_lex_fail(lex, said->bind[reg].place, "metadata",
                                     "\"# bind\" with another texture coordinate than the SampleMap's");
    }
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++) {
        if (said->konst[k].seen && !r->out->konst[k].used)
            return fragprog_lex_fail(lex, said->konst[k].place, "metadata",
                                     "\"# const\" of a constant that is not declared");
        if (said->konst[k].seen)
            r->out->konst[k].unit = (int8_t)said->konst[k].unit;
    }
    return !lex->failed;
}

static bool check_restrictions(struct reader *r)
{
    struct fragprog_atifs_where where;
    const char *rule = fragprog_atifs_violation(r->out, &where);
    if (!rule)
        return true;
    r->places.end = r->pass[where.pass];
    return fragprog_lex_fail(&r->said.lex, fragprog_atifs_place(&r->places, &where), "restriction", rule);
}

bool fragprog_read_atifs(struct fragprog_atifs *out, const char *text, size_t length, uint32_t first_line,
                         const struct texenv_sink *sink)
{
    static const char header[] = "!!ATIfs1.0";
    const size_t start = sizeof header - 1;
    struct reader r;

    memset(out, 0, sizeof *out);
    if (!text || length < start || memcmp(text, header, start) != 0) {
        texenv_emit(sink, TEXENV_ERROR, -1, (struct texenv_place){.line = first_line, .column = 1}, "syntax",
                    "the program must begin with \"%s\", without anything before it "
                    "(ATI_text_fragment_shader, grammar)",
                    header);
        return false;
    }
    memset(&r, 0, sizeof r);
    r.out = out;
    r.said.lex = (struct fragprog_lex){.text = text,
                                       .length = length,
                                       .next = start,
                                       .line = first_line,
                                       .comment = fragprog_atifs_comment,
                                       .sink = sink};
    fragprog_lex_next(&r.said.lex);
    if (read_program(&r) && apply_comments(&r) && check_restrictions(&r))
        return true;
    memset(out, 0, sizeof *out);
    return false;
}
