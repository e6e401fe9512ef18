/* Prints and reads programs of register combiners as text: "!!RC1.0", the language of NVIDIA's nvparse and of
 * the compiler in the Xbox's public development kit (notes/facts/nvrc.md). */
#include "fragprog/combiners/combiners.h"
#include "fragprog/lex.h"

#include <string.h>

static const char *const registers[RC_REGISTERS] = {
    "zero", "const0", "const1", "fog",  "col0",   "col1",   "(none)",    "(none)",
    "tex0", "tex1",   "tex2",   "tex3", "spare0", "spare1", "color_sum", "final_product"};
static const char *const mappings[8] = {"unsigned",  "unsigned_invert", "expand", "-expand",
                                        "half_bias", "-half_bias",      "",       "-"};
static const char *const operations[RC_OPS] = {"(none)",
                                               "bias_by_negative_one_half",
                                               "scale_by_two",
                                               "bias_by_negative_one_half_scale_by_two",
                                               "scale_by_four",
                                               "(none)",
                                               "scale_by_one_half",
                                               "(none)"};
/* The part of a program that an input or result belongs to. */
enum part { RGB, ALPHA, FINAL_RGB, FINAL_FACTOR, FINAL_ALPHA };

/* ---- printing ---- */

/* Prints an input. Without a suffix an input is the component that the part computes (zero never has a
 * suffix). Without a mapping an input is signed, or unsigned in the final combiner. */
static void print_input(struct texenv_text *text, unsigned input, enum part part)
{
    const unsigned reg = input & 15, mapping = input >> RC_MAPPING;
    const bool bare = part >= FINAL_RGB && mapping == 0, alpha = input & RC_ALPHA,
               own = alpha == (reg && (part == ALPHA || part == FINAL_ALPHA));
    const char *name = bare ? "" : mappings[mapping];
    const bool call = strlen(name) > 1;
    texenv_printf(text, "%s%s%s%s%s", name, call ? "(" : "", registers[reg],
                  own         ? ""
                      : alpha ? ".a"
                              : ".b",
                  call ? ")" : "");
}

static void print_half(struct texenv_text *text, const struct fragprog_rc_half *h, enum part part)
{
    const bool both = h->out[1] || h->out[2] || h->mux || h->in[2] || h->in[3];
    texenv_printf(text, "  %s {\n", part == RGB ? "rgb" : "alpha");
    if (h->blue)
        texenv_printf(text, "    # nv2a: blue to alpha\n");
    for (unsigned n = 0; n < (both ? 2 : 1); n++) {
        texenv_printf(text, "    %s = ", h->out[n] ? registers[h->out[n]] : "discard");
        print_input(text, h->in[2 * n], part);
        if (h->dot[n] || h->in[2 * n + 1] != RC_ONE) {
            texenv_printf(text, h->dot[n] ? " . " : " * ");
            print_input(text, h->in[2 * n + 1], part);
        }
        texenv_printf(text, ";\n");
    }
    if (h->out[2] || h->mux)
        texenv_printf(text, "    %s = %s();\n", h->out[2] ? registers[h->out[2]] : "discard",
                      h->mux ? "mux" : "sum");
    if (h->op)
        texenv_printf(text, "    %s();\n", operations[h->op]);
    texenv_printf(text, "  }\n");
}

static void print_constants(struct texenv_text *text, const struct fragprog_rc_constants *c,
                            const char *indent)
{
    for (unsigned i = 0; i < 2; i++)
        if (c->given[i])
            texenv_printf(text, "%s%s = (%f, %f, %f, %f);\n", indent, registers[RC_C0 + i],
                          (double)c->value[i][0], (double)c->value[i][1], (double)c->value[i][2],
                          (double)c->value[i][3]);
}

static void print_final(struct texenv_text *text, const struct fragprog_rc *rc)
{
    const uint8_t *in = rc->final;
    const bool lerp = in[0] || in[1] || in[2];
    if (in[7] & RC_CLAMP_SUM)
        texenv_printf(text, "clamp_color_sum();\n");
    if (in[4] || in[5]) {
        texenv_printf(text, "final_product = ");
        print_input(text, in[4], FINAL_RGB);
        texenv_printf(text, " * ");
        print_input(text, in[5], FINAL_RGB);
        texenv_printf(text, ";\n");
    }
    texenv_printf(text, "out.rgb = ");
    for (unsigned i = 0; i < 3 && lerp; i++) {
        texenv_printf(text, i ? ", " : "lerp(");
        print_input(text, in[i], FINAL_RGB);
    }
    texenv_printf(text, lerp ? ") + " : "");
    print_input(text, in[3], FINAL_RGB);
    texenv_printf(text, ";\nout.a = ");
    print_input(text, in[6], FINAL_ALPHA);
    texenv_printf(text, ";\n");
}

void fragprog_print_rc(struct texenv_text *text, const struct fragprog_rc *rc)
{
    static const struct fragprog_rc_half nothing;
    const uint8_t *mode = rc->texture;
    texenv_printf(text, "!!RC1.0\n");
    if (mode[0] || mode[1] || mode[2] || mode[3])
        texenv_printf(text, "# nv2a: textures %u %u %u %u\n", mode[0], mode[1], mode[2], mode[3]);
    print_constants(text, &rc->constants, "");
    for (unsigned s = 0; s < rc->stages; s++) {
        const struct fragprog_rc_half *half = rc->stage[s].half;
        const bool alpha = memcmp(&half[ALPHA], &nothing, sizeof nothing) != 0;
        texenv_printf(text, "{\n");
        print_constants(text, &rc->stage[s].constants, "  ");
        if (!alpha || memcmp(&half[RGB], &nothing, sizeof nothing) != 0)
            print_half(text, &half[RGB], RGB);
        if (alpha)
            print_half(text, &half[ALPHA], ALPHA);
        texenv_printf(text, "}\n");
    }
    print_final(text, rc);
}

/* ---- reading ---- */

struct reader {
    struct fragprog_lex lex; /* must be the first member */
    struct fragprog_rc *out;
    /* those of the current stage, or of the final combiner; NULL before the program begins */
    struct fragprog_rc_constants *constants;
    bool blue;    /* a comment in this half requested its `blue` */
    bool product; /* final_product was specified */
};

static bool accept(struct reader *r, const char *token) { return fragprog_lex_accept(&r->lex, token); }
static bool is(const struct reader *r, const char *token) { return fragprog_lex_is(&r->lex, token); }
static bool expected(const struct reader *r, const char *what)
{
    return fragprog_lex_expected(&r->lex, what);
}
static bool fail(const struct reader *r, const char *message)
{
    return fragprog_lex_fail(&r->lex, r->lex.place, "syntax", message);
}
/* Reads tokens of one character each. */
static bool want(struct reader *r, const char *tokens)
{
    for (; *tokens; tokens++) {
        const char token[2] = {*tokens, 0}, what[] = {'"', *tokens, '"', 0};
        if (!accept(r, token))
            return expected(r, what);
    }
    return true;
}

static void comment(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place)
{
    struct reader *r = (struct reader *)lex;
    int mode[RC_TEXTURES];
    if (!r->constants)
        return;
    if (fragprog_lex_matches(s, n, "nv2a: blue to alpha", mode))
        r->blue = true;
    else if (fragprog_lex_matches(s, n, "nv2a: textures # # # #", mode) &&
             (mode[0] | mode[1] | mode[2] | mode[3]) < RC_TEXTURE_MODES)
        for (unsigned i = 0; i < RC_TEXTURES; i++)
            r->out->texture[i] = (uint8_t)mode[i];
    else if (n > 5 && memcmp(s, "nv2a:", 5) == 0)
        lex->failed = !fragprog_lex_fail(
            lex, place, "metadata", "no such comment: \"nv2a: textures N N N N\" or \"nv2a: blue to alpha\"");
}

/* Reads definitions of const0 and const1: const0 = (r, g, b, a); */
static bool constants(struct reader *r, struct fragprog_rc_constants *c)
{
    for (;;) {
        const unsigned i = is(r, registers[RC_C1]);
        if (!is(r, registers[RC_C0 + i]))
            return true;
        if (c->given[i])
            return fail(r, "this constant is given twice");
        c->given[i] = true;
        fragprog_lex_next(&r->lex);
        for (unsigned k = 0; k < 4; k++) {
            double v;
            if (!want(r, k ? "," : "=(") || !fragprog_lex_number(&r->lex, &v))
                return false;
            c->value[i][k] = (float)v;
        }
        if (!want(r, ");"))
            return false;
    }
}

/* Returns whether constant i has a value in the current stage: the stage's own, or else that of the whole
 * program. */
static bool has_constant(struct reader *r, unsigned i)
{
    if (!r->constants->given[i] && r->out->constants.given[i]) {
        r->constants->given[i] = true;
        memcpy(r->constants->value[i], r->out->constants.value[i], sizeof r->constants->value[i]);
    }
    return r->constants->given[i];
}

/* Reads the name of an input register, and refuses registers that this part cannot read. */
static bool read_register(struct reader *r, enum part part, unsigned *reg)
{
    for (*reg = 0; *reg < RC_REGISTERS && !is(r, registers[*reg]); ++*reg)
        ;
    if (*reg == RC_REGISTERS)
        return expected(r, "a register");
    if (*reg >= RC_SUM && part != FINAL_RGB)
        return fail(r, "color_sum and final_product are inputs of out.rgb alone");
    if (*reg == RC_EF && !r->product)
        return fail(r, "final_product has no value here");
    if ((*reg == RC_C0 || *reg == RC_C1) && !has_constant(r, *reg - RC_C0))
        return fail(r, "this constant has no value here");
    fragprog_lex_next(&r->lex);
    return true;
}

/* Reads ".rgb", ".a" or ".b" after a register. If anything else follows the dot, sets *dot (unless it is
 * NULL), because the dot is then the operator of a dot product. */
static bool read_suffix(struct reader *r, enum part part, bool *alpha, bool *dot)
{
    const bool of_alpha = part == ALPHA || part == FINAL_ALPHA;
    if (!accept(r, "."))
        return true;
    if (is(r, of_alpha ? "rgb" : "b"))
        return fail(r,
                    of_alpha ? "an input of alpha is a number: .a or .b" : "blue is an input of alpha alone");
    *alpha = is(r, "a");
    if (accept(r, "a") || accept(r, of_alpha ? "b" : "rgb"))
        return true;
    *alpha = false;
    return dot && (*dot = true) ? true : expected(r, of_alpha ? "a or b" : "rgb or a");
}

/* Reads a register with a mapping. */
static bool input(struct reader *r, enum part part, uint8_t *in, bool *dot)
{
    const bool final = part >= FINAL_RGB, minus = !final && accept(r, "-");
    unsigned mapping = final ? 0 : minus ? 7 : 6, reg = RC_ZERO;
    bool call = false;
    for (unsigned i = minus ? 2 : 0; i < (final ? 2u : 6u) && !call; i++) {
        call = accept(r, mappings[i]);
        mapping = call ? i + minus : mapping;
    }
    if (call && !want(r, "("))
        return false;
    if (is(r, "one") && (call || minus))
        return fail(r, "\"one\" takes no mapping");
    if (accept(r, "one"))
        mapping = 1;
    else if (!read_register(r, part, &reg))
        return false;
    bool alpha = reg && (part == ALPHA || part == FINAL_ALPHA);
    const struct texenv_place place = r->lex.place;
    if (reg < RC_SUM && !read_suffix(r, part, &alpha, call ? NULL : dot))
        return false;
    if (reg == RC_FOG && alpha && !final)
        return fragprog_lex_fail(&r->lex, place, "syntax",
                                 "fog's alpha is an input of the final combiner alone");
    *in = (uint8_t)(reg | (alpha ? RC_ALPHA : 0) | mapping << RC_MAPPING);
    return !call || want(r, ")");
}

/* Reads the output register of a result, its suffix, and "=". */
static bool result(struct reader *r, enum part part, const struct fragprog_rc_half *h, uint8_t *reg)
{
    *reg = RC_ZERO;
    if (!is(r, "discard")) {
        for (*reg = RC_V0; *reg <= RC_R1 && !is(r, registers[*reg]); ++*reg)
            ;
        if (*reg > RC_R1)
            return expected(r, "a register that can be written");
        if (*reg == h->out[0] || *reg == h->out[1])
            return fail(r, "two results go to one register");
    }
    fragprog_lex_next(&r->lex);
    if (accept(r, ".") && !accept(r, part == RGB ? "rgb" : "a"))
        return expected(r, part == RGB ? "rgb" : "a");
    return want(r, "=");
}

/* The statements that a half contains so far; they must occur in this order. */
enum { NOTHING, PRODUCT, PRODUCTS, THIRD, OPERATION };

/* Reads a product, a dot product, sum(), mux(), or an operation on all results. */
static bool statement(struct reader *r, enum part part, struct fragprog_rc_half *h, unsigned *had)
{
    uint8_t reg;
    if (*had == OPERATION)
        return expected(r, "\"}\"");
    for (unsigned i = 1; i < RC_OPS; i++)
        if (is(r, operations[i])) {
            if (*had == NOTHING)
                return fail(r, "nothing is computed before this");
            *had = OPERATION;
            h->op = (uint8_t)i;
            fragprog_lex_next(&r->lex);
            return want(r, "()");
        }
    if (!result(r, part, h, &reg))
        return false;
    if (is(r, "sum") || is(r, "mux")) {
        if (*had != PRODUCTS || h->dot[0] || h->dot[1])
            return fail(r, "sum and mux come after two products, none of them a dot product");
        *had = THIRD;
        h->mux = is(r, "mux");
        h->out[2] = reg;
        fragprog_lex_next(&r->lex);
        return want(r, "()");
    }
    if (*had >= PRODUCTS)
        return fail(r, "a half has two products");
    const unsigned n = (*had)++;
    if (!input(r, part, &h->in[2 * n], part == RGB ? &h->dot[n] : NULL))
        return false;
    h->in[2 * n + 1] = RC_ONE;
    h->out[n] = reg;
    h->dot[n] |= part == RGB && accept(r, ".");
    return !(h->dot[n] || accept(r, "*")) || input(r, part, &h->in[2 * n + 1], NULL);
}

static bool stage(struct reader *r)
{
    bool had[2] = {false, false};
    if (r->out->stages == RC_STAGES)
        return fail(r, "there are eight general stages");
    struct fragprog_rc_half *half = r->out->stage[r->out->stages].half;
    r->constants = &r->out->stage[r->out->stages++].constants;
    if (!want(r, "{") || !constants(r, r->constants))
        return false;
    do {
        const enum part part = is(r, "alpha") ? ALPHA : RGB;
        unsigned so_far = NOTHING;
        if (part == RGB && !is(r, "rgb"))
            return expected(r, "\"rgb\", \"alpha\" or \"}\"");
        if (had[part])
            return fail(r, "this half is given twice");
        had[part] = true;
        fragprog_lex_next(&r->lex);
        r->blue = false;
        if (!want(r, "{"))
            return false;
        do
            if (!statement(r, part, &half[part], &so_far) || !want(r, ";"))
                return false;
        while (!is(r, "}"));
        if (r->blue && (part == ALPHA || !half[RGB].out[0]))
            return fail(r, "the blue that goes to alpha is rgb's first result");
        half[part].blue = r->blue;
        fragprog_lex_next(&r->lex);
    } while (!accept(r, "}"));
    return true;
}

/* Reads a term: lerp(a, b, c); a product, which is a lerp to zero; or a register (plain), times one. */
static bool term(struct reader *r, uint8_t in[3], bool *plain)
{
    const bool lerp = accept(r, "lerp");
    in[1] = RC_ONE;
    for (unsigned i = 0; i < (lerp ? 3u : 1u); i++)
        if ((lerp && !want(r, i ? "," : "(")) || !input(r, FINAL_RGB, &in[i], NULL))
            return false;
    const bool product = !lerp && accept(r, "*");
    *plain = !lerp && !product;
    return lerp ? want(r, ")") : !product || input(r, FINAL_RGB, &in[1], NULL);
}

/* Reads A*B + (1-A)*C + D: a term, or the sum of a term and a register D. */
static bool out_rgb(struct reader *r, uint8_t x[4])
{
    const struct texenv_place place = r->lex.place;
    uint8_t in[2][3] = {{0}};
    bool plain[2] = {true, true};
    if (!term(r, in[0], &plain[0]) || (accept(r, "+") && !term(r, in[1], &plain[1])))
        return false;
    if (!plain[0] && !plain[1])
        return fragprog_lex_fail(&r->lex, place, "syntax", "out.rgb has one product or lerp");
    const unsigned d = plain[0] ? 0 : 1;
    memcpy(x, in[1 - d], sizeof in[0]);
    x[3] = in[d][0];
    if ((x[0] & 15) == RC_SUM && !x[2]) { /* exchange the factors */
        x[0] = x[1];
        x[1] = in[1 - d][0];
    }
    return (x[0] & 15) != RC_SUM ||
        fragprog_lex_fail(&r->lex, place, "syntax", "color_sum cannot be what weights others");
}

/* Reads one statement of the final combiner, without its semicolon. seen: the kinds of statements so far. */
static bool final_statement(struct reader *r, unsigned *seen)
{
    static const char *const names[3] = {"clamp_color_sum", "final_product", "out"};
    struct texenv_place place = r->lex.place;
    unsigned kind = 0;
    while (kind < 3 && !accept(r, names[kind]))
        kind++;
    if (kind == 3)
        return expected(r, "a stage or the final combiner");
    if (kind == 2) {
        if (!want(r, "."))
            return false;
        kind += is(r, "a");
        if (!accept(r, "a") && !accept(r, "rgb"))
            return expected(r, "rgb or a");
    }
    if (*seen >> kind & 1)
        return fragprog_lex_fail(&r->lex, place, "syntax", "this is given twice");
    *seen |= 1u << kind;
    uint8_t *in = r->out->final;
    switch (kind) {
    case 0: in[7] = RC_CLAMP_SUM; return want(r, "()");
    case 1:
        r->product = true;
        return want(r, "=") && input(r, FINAL_FACTOR, &in[4], NULL) && want(r, "*") &&
            input(r, FINAL_FACTOR, &in[5], NULL);
    case 2: return want(r, "=") && out_rgb(r, in);
    default: return want(r, "=") && input(r, FINAL_ALPHA, &in[6], NULL);
    }
}

bool fragprog_read_rc(struct fragprog_rc *rc, const char *text, size_t length, const struct texenv_sink *sink)
{
    static const char header[] = "!!RC1.0";
    struct reader r = {
        .lex =
            {.text = text, .length = length, .line = 1, .c_comments = true, .comment = comment, .sink = sink},
        .out = rc};
    unsigned seen = 0;
    memset(rc, 0, sizeof *rc);
    fragprog_lex_next(&r.lex);
    if (length - r.lex.start < sizeof header - 1 ||
        memcmp(text + r.lex.start, header, sizeof header - 1) != 0)
        return expected(&r, "\"!!RC1.0\"");
    r.lex.next = r.lex.start + sizeof header - 1;
    r.constants = &rc->constants;
    fragprog_lex_next(&r.lex);
    if (!constants(&r, &rc->constants))
        return false;
    while (is(&r, "{"))
        if (!stage(&r))
            return false;
    if (!rc->stages)
        rc->stages = 1; /* a program has at least one stage */
    r.constants = &rc->constants;
    do
        if (!final_statement(&r, &seen) || !want(&r, ";"))
            return false;
    while (r.lex.kind != FRAGPROG_LEX_END);
    return seen >> 2 ? !r.lex.failed : expected(&r, "out.rgb or out.a");
}
