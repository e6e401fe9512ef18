/* Words as a program of register combiners, "!!RC1.0", and back: the language of NVIDIA's nvparse and of the
 * compiler in the Xbox's public development kit (fact sheet nvrc.md). What the language cannot say stands in
 * comments
 * "# nv2a: NAME NUMBER", which are read back. */
#include "hwemit/nv2a/nv2a.h"

#include <string.h>

static const char *const registers[16] = {"zero",   "const0", "const1",    "fog",          "col0", "col1",
                                          NULL,     NULL,     "tex0",      "tex1",         "tex2", "tex3",
                                          "spare0", "spare1", "color_sum", "final_product"};
static const char *const mappings[8][2] = {
    {"unsigned(", ")"},  {"unsigned_invert(", ")"}, {"expand(", ")"}, {"-expand(", ")"},
    {"half_bias(", ")"}, {"-half_bias(", ")"},      {"", ""},         {"-", ""}};
static const char *const operations[8] = {"",
                                          "bias_by_negative_one_half",
                                          "scale_by_two",
                                          "bias_by_negative_one_half_scale_by_two",
                                          "scale_by_four",
                                          NULL,
                                          "scale_by_one_half",
                                          NULL};
enum half { RGB, ALPHA, FINAL, FINAL_ALPHA };
static const uint32_t in_method[2] = {NV2A_COLOR_ICW, NV2A_ALPHA_ICW},
                      out_method[2] = {NV2A_COLOR_OCW, NV2A_ALPHA_OCW};

/* What comments say. */
static const struct note {
    const char *name;
    uint32_t method, mask;
} notes[] = {
    {"textures", NV2A_TEXTURE_MODES, UINT32_MAX},
    {"control", NV2A_CONTROL, ~UINT32_C(0xff)},
    {"final_flags", NV2A_CW1, 1 << NV2A_INVERT_V1 | 1 << NV2A_INVERT_R0},
    {"blue_to_alpha", NV2A_COLOR_OCW, 1 << NV2A_OCW_AB_BLUE | 1 << NV2A_OCW_CD_BLUE},
};
enum { TEXTURES, CONTROL, FLAGS, BLUE, NOTES, PLAIN_CONTROL = 0x11000 };

/* ---- printing ---- */

struct printing {
    struct texenv_text *text;
    const struct hwemit_word *word;
    uint32_t n;
};

static const uint32_t *find(const struct printing *p, uint32_t method)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->word[i].address == method)
            return &p->word[i].value;
    return NULL;
}
static uint32_t value(const struct printing *p, uint32_t method)
{
    const uint32_t *v = find(p, method);
    return v ? *v : 0;
}

/* Input n (0 for A) of a word. Without a suffix it is the channels of the half; bare it is signed, in the
 * final combiner unsigned. */
static void print_input(const struct printing *p, uint32_t word, unsigned n, enum half half)
{
    const uint32_t byte = word >> (24 - 8 * n) & 0xff, reg = byte & 15;
    const bool alpha = byte & NV2A_ALPHA;
    const unsigned mapping = half >= FINAL && !(byte >> NV2A_MAPPING) ? 6 : byte >> NV2A_MAPPING;
    const char *suffix = reg == NV2A_ZERO || half == RGB || half == FINAL ? (alpha ? ".a" : "")
        : alpha                                                           ? ""
                                                                          : ".b";
    texenv_printf(p->text, "%s%s%s%s", mappings[mapping][0], registers[reg],
                  half == FINAL_ALPHA && alpha ? ".a" : suffix, mappings[mapping][1]);
}

static void print_product(const struct printing *p, uint32_t in, unsigned first, unsigned target, bool dot,
                          enum half half)
{
    texenv_printf(p->text, "    %s = ", target ? registers[target] : "discard");
    print_input(p, in, first, half);
    if (dot || (in >> (16 - 8 * first) & 0xff) != NV2A_ONE) {
        texenv_printf(p->text, dot ? " . " : " * ");
        print_input(p, in, first + 1, half);
    }
    texenv_printf(p->text, ";\n");
}

static void print_note(const struct printing *p, unsigned n, uint32_t v)
{
    texenv_printf(p->text, "# nv2a: %s 0x%x\n", notes[n].name, v);
}

static void print_half(const struct printing *p, unsigned stage, enum half half)
{
    const uint32_t in = value(p, in_method[half] + 4 * stage), out = value(p, out_method[half] + 4 * stage);
    const unsigned cd = out >> NV2A_OCW_CD & 15, ab = out >> NV2A_OCW_AB & 15,
                   third = out >> NV2A_OCW_SUM & 15;
    const bool mux = out >> NV2A_OCW_MUX & 1, both = cd || third || mux || in & 0xffff;
    if (!in && !out && half == ALPHA)
        return;
    texenv_printf(p->text, "  %s {\n", half == RGB ? "rgb" : "alpha");
    if (half == RGB && out & notes[BLUE].mask)
        print_note(p, BLUE, out & notes[BLUE].mask);
    print_product(p, in, 0, ab, out >> NV2A_OCW_AB_DOT & 1, half);
    if (both)
        print_product(p, in, 2, cd, out >> NV2A_OCW_CD_DOT & 1, half);
    if (third || mux)
        texenv_printf(p->text, "    %s = %s();\n", third ? registers[third] : "discard", mux ? "mux" : "sum");
    if (out >> NV2A_OCW_OP & 7)
        texenv_printf(p->text, "    %s();\n", operations[out >> NV2A_OCW_OP & 7]);
    texenv_printf(p->text, "  }\n");
}

static void print_constant(const struct printing *p, uint32_t method, unsigned n, const char *indent)
{
    const uint32_t *v = find(p, method);
    if (!v)
        return;
    texenv_printf(p->text, "%sconst%u = (", indent, n);
    for (unsigned i = 0; i < 4; i++)
        texenv_printf(p->text, i < 3 ? "%f, " : "%f);\n",
                      (double)((float)(*v >> (i < 3 ? 16 - 8 * i : 24) & 0xff) / 255));
}

static void print_final(const struct printing *p)
{
    const uint32_t cw0 = value(p, NV2A_CW0), cw1 = value(p, NV2A_CW1);
    if (cw1 >> NV2A_CLAMP_SUM & 1)
        texenv_printf(p->text, "clamp_color_sum();\n");
    if (cw1 >> 16) {
        texenv_printf(p->text, "final_product = ");
        print_input(p, cw1, 0, FINAL);
        texenv_printf(p->text, " * ");
        print_input(p, cw1, 1, FINAL);
        texenv_printf(p->text, ";\n");
    }
    texenv_printf(p->text, "out.rgb = ");
    for (unsigned i = 0; i < 3 && cw0 >> 8; i++) {
        texenv_printf(p->text, i ? ", " : "lerp(");
        print_input(p, cw0, i, FINAL);
    }
    texenv_printf(p->text, cw0 >> 8 ? ") + " : "");
    print_input(p, cw0, 3, FINAL);
    texenv_printf(p->text, ";\nout.a = ");
    print_input(p, cw1, 2, FINAL_ALPHA);
    texenv_printf(p->text, ";\n");
}

bool hwemit_nv2a_print_rc(struct texenv_text *text, const struct hwemit_word *word, uint32_t n)
{
    const struct printing p = {text, word, n};
    const uint32_t control = value(&p, NV2A_CONTROL),
                   count = control & notes[CONTROL].mask ? control & 0xff : 0;
    if (!count || count > NV2A_STAGES || !find(&p, NV2A_CW0) || !find(&p, NV2A_CW1))
        return false;
    for (unsigned i = 0; i < 2 * count; i++) /* what has no text */
        if (!operations[value(&p, out_method[i % 2] + 4 * (i / 2)) >> NV2A_OCW_OP & 7])
            return false;
    texenv_printf(text, "!!RC1.0\n");
    if (value(&p, NV2A_TEXTURE_MODES))
        print_note(&p, TEXTURES, value(&p, NV2A_TEXTURE_MODES));
    if ((control & notes[CONTROL].mask) != PLAIN_CONTROL)
        print_note(&p, CONTROL, control & notes[CONTROL].mask);
    if (value(&p, NV2A_CW1) & notes[FLAGS].mask)
        print_note(&p, FLAGS, value(&p, NV2A_CW1) & notes[FLAGS].mask);
    print_constant(&p, NV2A_FINAL_FACTOR0, 0, "");
    print_constant(&p, NV2A_FINAL_FACTOR1, 1, "");
    for (unsigned s = 0; s < count; s++) {
        texenv_printf(text, "{\n");
        print_constant(&p, NV2A_FACTOR0 + 4 * s, 0, "  ");
        print_constant(&p, NV2A_FACTOR1 + 4 * s, 1, "  ");
        print_half(&p, s, RGB);
        print_half(&p, s, ALPHA);
        texenv_printf(text, "}\n");
    }
    print_final(&p);
    return true;
}

/* ---- reading ---- */

struct reading {
    const struct texenv_sink *sink;
    const char *p, *end, *start; /* start: of the line */
    uint32_t line;
    const char *token; /* the last one */
    size_t length;
    uint32_t token_line, token_column;
    bool failed;
    uint32_t method[2 + 6 * NV2A_STAGES + 6], word[2 + 6 * NV2A_STAGES + 6], nwords;
    uint32_t note[NOTES];
};

/* what: begins with "expected" where another token is; else what is wrong with the one that is there. */
static bool complain(struct reading *r, const char *what)
{
    const bool other = memcmp(what, "expected", strlen("expected")) == 0;
    if (!r->failed)
        texenv_emit(r->sink, TEXENV_ERROR, -1,
                    (struct texenv_place){.line = r->token_line, .column = r->token_column}, "syntax",
                    !other          ? "%s"
                        : r->length ? "%s, not '%.*s'"
                                    : "%s, but the text ends here",
                    what, (int)r->length, r->token);
    r->failed = true;
    return false;
}

static bool starts(const struct reading *r, const char *s)
{
    const size_t n = strlen(s);
    return (size_t)(r->end - r->p) >= n && memcmp(r->p, s, n) == 0;
}

/* "# nv2a: NAME 0xVALUE", at r->p up to end. */
static void read_note(struct reading *r, const char *end)
{
    for (unsigned i = 0; i < NOTES; i++) {
        const size_t n = strlen(notes[i].name);
        const char *p = r->p + 8;
        if (!starts(r, "# nv2a: ") || (size_t)(end - p) < n + 3 || memcmp(p, notes[i].name, n) != 0 ||
            memcmp(p + n, " 0x", 3) != 0)
            continue;
        uint32_t v = 0;
        for (p += n + 3; p < end && strchr("0123456789abcdef", *p) && *p; p++)
            v = v << 4 | (uint32_t)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
        r->note[i] = v & notes[i].mask;
    }
}

static void skip(struct reading *r)
{
    while (r->p < r->end) {
        const bool block = starts(r, "/*");
        if (*r->p == '#' || starts(r, "//") || block) {
            const char *end = r->p + (block ? 2 : 0);
            while (end < r->end &&
                   (block ? !(*end == '/' && end[-1] == '*' && end > r->p + 2) : *end != '\n')) {
                if (*end++ == '\n')
                    r->line++, r->start = end;
            }
            if (!block)
                read_note(r, end);
            r->p = end < r->end ? end + block : end;
        } else if (*r->p == '\n') {
            r->line++, r->start = ++r->p;
        } else if (strchr(" \t\r", *r->p) && *r->p) {
            r->p++;
        } else {
            return;
        }
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Looks at the next token: a word, or one character. */
static void peek(struct reading *r)
{
    skip(r);
    r->token = r->p;
    r->token_line = r->line;
    r->token_column = (uint32_t)(r->p - r->start) + 1;
    r->length = 0;
    while (r->p + r->length < r->end && is_word(r->p[r->length]))
        r->length++;
    if (!r->length && r->p < r->end)
        r->length = 1;
}

static bool take(struct reading *r, const char *word)
{
    peek(r);
    if (r->length != strlen(word) || memcmp(r->token, word, r->length) != 0)
        return false;
    r->p += r->length;
    return true;
}

static bool want(struct reading *r, const char *word, const char *what)
{
    return take(r, word) || complain(r, what);
}

static bool number(struct reading *r, uint32_t *byte)
{
    double v;
    peek(r);
    const size_t n = texenv_scan_number(r->p, (size_t)(r->end - r->p), &v);
    if (!n)
        return complain(r, "expected a number");
    r->p += n;
    *byte = hwemit_unorm8((float)v);
    return true;
}

/* A register by its name; false if the token is none. */
static bool register_of(struct reading *r, uint32_t *reg)
{
    if (take(r, "discard"))
        return *reg = NV2A_ZERO, true;
    for (*reg = 0; *reg < 16; ++*reg)
        if (registers[*reg] && take(r, registers[*reg]))
            return true;
    return false;
}

/* ".rgb", ".a" or ".b" that stands at a register: its last letter but for rgb, 'r'. 0: a dot product, or
 * none. */
static char suffix(struct reading *r)
{
    static const char *const names[3] = {".rgb", ".a", ".b"};
    for (unsigned i = 0; i < 3; i++) {
        const size_t n = strlen(names[i]);
        if (starts(r, names[i]) && (r->p + n == r->end || !is_word(r->p[n]))) {
            peek(r);
            r->p += n;
            return names[i][1];
        }
    }
    return 0;
}

/* A mapped register as an input byte. */
static bool input(struct reading *r, enum half half, uint32_t *byte)
{
    static const char *const functions[4] = {"unsigned", "unsigned_invert", "expand", "half_bias"};
    static const uint8_t codes[4] = {0, 1, 2, 4};
    const bool minus = half < FINAL && take(r, "-");
    uint32_t mapping = half >= FINAL ? 0 : minus ? 7 : 6, reg;
    bool call = false;
    for (unsigned i = 0; i < (half >= FINAL || minus ? 2u : 4u) + (minus ? 2u : 0u) && !call; i++)
        if ((!minus || i >= 2) && take(r, functions[i]))
            mapping = codes[i] + minus, call = true;
    if (call && !want(r, "(", "expected '('"))
        return false;
    const bool one = take(r, "one");
    reg = NV2A_ZERO;
    if (!one && !register_of(r, &reg))
        return complain(r, "expected a register");
    if (one && (call || minus))
        return complain(r, "'one' takes no mapping");
    if ((reg == NV2A_SUM || reg == NV2A_EF) && half != FINAL)
        return complain(r, "color_sum and final_product are inputs of out.rgb");
    bool alpha = half == ALPHA ? reg != NV2A_ZERO : false;
    const char channel = suffix(r);
    if (channel == 'b' && (half == RGB || half == FINAL))
        return complain(r, "blue is an input of alpha");
    if (channel)
        alpha = channel == 'a';
    else if (half == FINAL_ALPHA)
        alpha = reg != NV2A_ZERO;
    *byte = reg | (alpha ? NV2A_ALPHA : 0) | (one ? 1 : mapping) << NV2A_MAPPING;
    return !call || want(r, ")", "expected ')'");
}

static void put(struct reading *r, uint32_t method, uint32_t v)
{
    r->method[r->nwords] = method;
    r->word[r->nwords++] = v;
}

/* const0 = (r, g, b, a); and const1, as many as there are. */
static bool constants(struct reading *r, uint32_t method0, uint32_t method1)
{
    bool had[2] = {false, false};
    for (unsigned i = 0; i < 2; i++)
        if (take(r, registers[NV2A_C0 + i])) {
            uint32_t c[4];
            if (had[i])
                return complain(r, "this constant is given twice");
            had[i] = true;
            for (unsigned k = 0; k < 4; k++)
                if (!(k ? want(r, ",", "expected ','")
                        : want(r, "=", "expected '='") && want(r, "(", "expected '('")) ||
                    !number(r, &c[k]))
                    return false;
            if (!want(r, ")", "expected ')'") || !want(r, ";", "expected ';'"))
                return false;
            put(r, i ? method1 : method0, c[3] << 24 | c[0] << 16 | c[1] << 8 | c[2]);
            i = UINT32_MAX; /* in any order */
        }
    return true;
}

/* One statement of a half: a product, a dot product, sum(), mux() (after two products), or what is done to
 * all results. */
static bool statement(struct reading *r, enum half half, unsigned *products, uint32_t *in, uint32_t *out)
{
    uint32_t target, byte;
    for (unsigned i = 1; i < 8; i++)
        if (operations[i] && take(r, operations[i])) {
            *out |= i << NV2A_OCW_OP;
            return *products ? *products = 4,
                               want(r, "(", "expected '('") && want(r, ")", "expected ')'")
                             : complain(r, "nothing is computed before this");
        }
    if (*products >= 3 || !register_of(r, &target) || (target && target < NV2A_V0) || target > NV2A_R1)
        return complain(r, *products == 4 ? "expected '}'" : "expected a register that can be written");
    if (target && (target == (*out >> NV2A_OCW_AB & 15) || target == (*out >> NV2A_OCW_CD & 15)))
        return complain(r, "two results go to one register");
    const char channel = suffix(r);
    if (channel && channel != (half == RGB ? 'r' : 'a'))
        return complain(r, "a result is of all channels of the half");
    if (!want(r, "=", "expected '='"))
        return false;
    const bool mux = take(r, "mux");
    if (mux || take(r, "sum")) {
        if (*products != 2 || *out & (1 << NV2A_OCW_AB_DOT | 1 << NV2A_OCW_CD_DOT))
            return complain(r, "sum and mux come after two products, none of them a dot product");
        *products = 3;
        *out |= target << NV2A_OCW_SUM | (uint32_t)mux << NV2A_OCW_MUX;
        return want(r, "(", "expected '('") && want(r, ")", "expected ')'");
    }
    if (*products == 2 || !input(r, half, &byte))
        return complain(r, "a half has two products");
    const unsigned shift = *products ? NV2A_COLOR_C : NV2A_COLOR_A;
    *in |= byte << shift;
    byte = NV2A_ONE;
    const bool dot = half == RGB && take(r, ".");
    if ((dot || take(r, "*")) && !input(r, half, &byte))
        return false;
    *in |= byte << (shift - 8);
    *out |= target << (*products ? NV2A_OCW_CD : NV2A_OCW_AB) |
        (uint32_t)dot << (*products ? NV2A_OCW_CD_DOT : NV2A_OCW_AB_DOT);
    ++*products;
    return true;
}

static bool stage(struct reading *r, unsigned s)
{
    bool had[2] = {false, false};
    uint32_t in[2] = {0, 0}, out[2] = {0, 0};
    if (s == NV2A_STAGES)
        return complain(r, "the chip has eight general stages");
    if (!constants(r, NV2A_FACTOR0 + 4 * s, NV2A_FACTOR1 + 4 * s))
        return false;
    while (!take(r, "}")) {
        const bool alpha = take(r, "alpha");
        unsigned products = 0;
        if (!alpha && !want(r, "rgb", "expected 'rgb', 'alpha' or '}'"))
            return false;
        if (had[alpha])
            return complain(r, "this half is given twice");
        had[alpha] = true;
        if (!want(r, "{", "expected '{'"))
            return false;
        while (!take(r, "}"))
            if (!statement(r, alpha ? ALPHA : RGB, &products, &in[alpha], &out[alpha]) ||
                !want(r, ";", "expected ';'"))
                return false;
    }
    out[RGB] |= r->note[BLUE];
    r->note[BLUE] = 0;
    for (unsigned half = 0; half < 2; half++)
        put(r, in_method[half] + 4 * s, in[half]), put(r, out_method[half] + 4 * s, out[half]);
    return true;
}

/* lerp(a,b,c) + d in any of its forms: a product is a lerp to zero. */
static bool out_rgb(struct reading *r, uint32_t *cw0)
{
    uint32_t x[4] = {0, 0, 0, 0}, first;
    for (unsigned term = 0; term < 2; term++) {
        if (take(r, "lerp")) {
            for (unsigned i = 0; i < 3; i++)
                if (!want(r, i ? "," : "(", "expected the three arguments of lerp") ||
                    !input(r, FINAL, &x[i]))
                    return false;
            if (!want(r, ")", "expected ')'"))
                return false;
        } else if (!input(r, FINAL, &first)) {
            return false;
        } else if (take(r, "*")) {
            x[0] = first;
            if (!input(r, FINAL, &x[1]))
                return false;
        } else if (x[3]) { /* a sum of two registers */
            x[0] = first, x[1] = NV2A_ONE;
        } else {
            x[3] = first;
        }
        if (term || !take(r, "+"))
            break;
    }
    *cw0 = x[0] << 24 | x[1] << 16 | x[2] << 8 | x[3];
    return true;
}

static bool final_combiner(struct reading *r)
{
    uint32_t cw0 = 0, cw1 = 0, byte;
    for (;;) {
        if (take(r, "clamp_color_sum")) {
            cw1 |= 1 << NV2A_CLAMP_SUM;
            if (!want(r, "(", "expected '('") || !want(r, ")", "expected ')'"))
                return false;
        } else if (take(r, "final_product")) {
            for (unsigned i = 0; i < 2; i++) {
                if (!want(r, i ? "*" : "=", "expected a product") || !input(r, FINAL, &byte))
                    return false;
                if ((byte & 15) >= NV2A_SUM)
                    return complain(r, "final_product is of registers");
                cw1 |= byte << (24 - 8 * i);
            }
        } else if (take(r, "out")) {
            const bool dot = want(r, ".", "expected out.rgb or out.a"), alpha = dot && take(r, "a");
            if (!dot || (!alpha && !want(r, "rgb", "expected out.rgb or out.a")) ||
                !want(r, "=", "expected '='"))
                return false;
            if (alpha ? !input(r, FINAL_ALPHA, &byte) : !out_rgb(r, &cw0))
                return false;
            cw1 |= alpha ? byte << NV2A_FINAL_G : 0;
        } else {
            break;
        }
        if (!want(r, ";", "expected ';'"))
            return false;
    }
    peek(r);
    if (r->length)
        return complain(r, "expected a stage or the final combiner");
    if (!cw0 && !(cw1 & 0xff00))
        return complain(r, "expected out.rgb or out.a");
    put(r, NV2A_CW0, cw0);
    put(r, NV2A_CW1, cw1 | r->note[FLAGS]);
    return true;
}

bool hwemit_nv2a_read_rc(struct hwemit_words *out, const char *text, size_t length,
                         const struct texenv_sink *sink)
{
    struct reading r = {.sink = sink,
                        .p = text,
                        .end = text + length,
                        .start = text,
                        .line = 1,
                        .note = {[CONTROL] = PLAIN_CONTROL}};
    static const uint32_t order[] = {NV2A_COLOR_ICW, NV2A_ALPHA_ICW, NV2A_COLOR_OCW,     NV2A_ALPHA_OCW,
                                     NV2A_FACTOR0,   NV2A_FACTOR1,   NV2A_FINAL_FACTOR0, NV2A_FINAL_FACTOR1,
                                     NV2A_CW0,       NV2A_CW1,       NV2A_CONTROL,       NV2A_TEXTURE_MODES};
    unsigned stages = 0;
    skip(&r);
    peek(&r);
    if (!starts(&r, "!!RC1.0"))
        return complain(&r, "expected '!!RC1.0'");
    r.p += strlen("!!RC1.0");
    if (!constants(&r, NV2A_FINAL_FACTOR0, NV2A_FINAL_FACTOR1))
        return false;
    while (take(&r, "{"))
        if (!stage(&r, stages++))
            return false;
    if (!stages) /* the chip runs one at least */
        for (unsigned half = 0; half < 2; half++)
            put(&r, in_method[half], 0), put(&r, out_method[half], 0), stages = 1;
    if (!final_combiner(&r))
        return false;
    put(&r, NV2A_CONTROL, r.note[CONTROL] | stages);
    put(&r, NV2A_TEXTURE_MODES, r.note[TEXTURES]);
    for (unsigned k = 0; k < sizeof order / sizeof order[0]; k++) /* as a compilation writes them */
        for (uint32_t i = 0; i < r.nwords && out->n < out->max; i++)
            if (r.method[i] - order[k] < (k < 6 ? 4u * NV2A_STAGES : 4u)) {
                if (out->line)
                    out->line[out->n] = 1;
                out->word[out->n++] = (struct hwemit_word){r.method[i], r.word[i]};
            }
    return true;
}
