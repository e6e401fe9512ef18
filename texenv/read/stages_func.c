/* Parses functions and terms of the stage notation (notes/formats/stages.md). The syntax of each function is
 * its text in stages.def; the parser matches the input against all these texts in parallel. */
#include "texenv/gl_names.h"
#include "texenv/read/stages.h"

static const char *const func_text[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = text,
#include "texenv/stages.def"
};

/* Returns the function with this name, or -1 if there is none. */
static int called_function(const struct stages_token *t)
{
    for (int f = 0; f < TEXENV_FUNCS; f++)
        if (strncmp(func_text[f], t->text, t->length) == 0 && func_text[f][t->length] == '(')
            return f;
    return -1;
}

static bool unknown_name(struct stages_parser *p, int unit)
{
    const struct stages_token t = p->token;
    char first = t.text[0];
    bool digits = t.length > 1;
    for (size_t i = 1; i < t.length; i++)
        digits &= t.text[i] >= '0' && t.text[i] <= '9';
    if (digits && first == 'T')
        return STAGES_FAIL(p, t.place, unit, "unknown-name", "no texture unit `%.*s`: there are T0 to T7",
                           STAGES_SHOWN(t));
    if (digits && first == 'C')
        return STAGES_FAIL(p, t.place, unit, "unknown-name",
                           "`%.*s` is no term: a stage reads its own environment colour only, as C",
                           STAGES_SHOWN(t));
    if ((t.length == 1 && strchr("tpcf", first)) || (t.length == 2 && digits && first == 't'))
        return STAGES_FAIL(p, t.place, unit, "unknown-name",
                           "unknown name `%.*s`: names are upper case (T, T0 to T7, P, C, F)",
                           STAGES_SHOWN(t));
    if (called_function(&t) >= 0)
        return STAGES_FAIL(p, t.place, unit, "syntax",
                           "`%.*s` cannot be part of another function: a stage computes one",
                           STAGES_SHOWN(t));
    if (texenv_stages_classic(&t) >= 0)
        return STAGES_FAIL(p, t.place, unit, "syntax",
                           "mode `%.*s` stands alone in its stage, without functions and terms",
                           STAGES_SHOWN(t));
    static const char *const words[] = {
#define STAGE_CLASSIC(id, word) word,
#include "texenv/stages.def"
        "lerp", "dot3", "dot3a", "dot3_ext", "dot3a_ext"};
    const char *near = texenv_names_nearest(words, sizeof words / sizeof *words, t.text, t.length);
    if (near)
        return STAGES_FAIL(p, t.place, unit, "unknown-name", "unknown name `%.*s`: did you mean `%s`?",
                           STAGES_SHOWN(t), near);
    return STAGES_FAIL(p, t.place, unit, "unknown-name",
                       "unknown name `%.*s`: terms are T, T0 to T7, P, C, F, 0 and 1", STAGES_SHOWN(t));
}

static bool parse_term(struct stages_parser *p, unsigned unit, struct stages_term *term)
{
    *term = (struct stages_term){.place = p->token.place};
    if (stages_is(p, '~')) {
        term->complement = true;
        stages_advance(p);
        if (p->token.kind != STAGES_NAME && p->token.kind != STAGES_NUMBER)
            return texenv_stages_expected(p, (int)unit, "a term after `~`");
    }
    const char *text = p->token.text;
    size_t length = p->token.length;
    if (p->token.kind == STAGES_NUMBER) {
        if (length != 1 || (*text != '0' && *text != '1'))
            return STAGES_FAIL(p, p->token.place, (int)unit, "syntax",
                               "`%.*s` is no term: of the numbers only 0 and 1 are", STAGES_SHOWN(p->token));
        term->source = *text == '0' ? TEXENV_S_ZERO : TEXENV_S_ONE;
    } else if (p->token.kind != STAGES_NAME) {
        return texenv_stages_expected(p, (int)unit, "a term");
    } else if (length == 2 && text[0] == 'T' && text[1] >= '0' && text[1] < '0' + TEXENV_UNITS) {
        term->source = TEXENV_S_TEXTURE;
        term->unit = (uint8_t)(text[1] - '0');
        if (term->unit > p->highest) {
            p->highest = term->unit;
            p->highest_place = term->place;
        }
    } else {
        switch (length == 1 ? *text : '\0') {
        case 'T':
            term->source = TEXENV_S_TEXTURE;
            term->unit = (uint8_t)unit;
            break;
        case 'P': term->source = TEXENV_S_PREVIOUS; break;
        case 'C': term->source = TEXENV_S_CONSTANT; break;
        case 'F': term->source = TEXENV_S_PRIMARY; break;
        default: return unknown_name(p, (int)unit);
        }
    }
    stages_advance(p);
    if (stages_is(p, '.')) {
        stages_advance(p);
        if (p->token.kind != STAGES_NAME || !stages_is_word(&p->token, "a"))
            return texenv_stages_expected(p, (int)unit, "`a` after the point (`.a` is a term's alpha)");
        term->alpha = true;
        stages_advance(p);
    }
    return true;
}

/* Returns the functions in the bit set `rows` whose text has the character c at position `at`. */
static unsigned going_on(unsigned rows, size_t at, char c)
{
    unsigned left = 0;
    for (unsigned f = 0; rows >> f; f++)
        if (rows >> f & 1 && func_text[f][at] == c)
            left |= 1u << f;
    return left;
}

static bool no_such_form(struct stages_parser *p, int unit)
{
    if (p->token.kind != STAGES_PUNCT || !strchr("*+-,(", p->token.text[0]))
        return texenv_stages_expected(p, unit, "an operator, `;`, `@` or `}`");
    if (stages_is(p, ','))
        return STAGES_FAIL(
            p, p->token.place, unit, "syntax",
            "expected an operator, not `,` (lists without operations are for `texenvc registers`)");
    return STAGES_FAIL(p, p->token.place, unit, "function",
                       "no function goes on with `%c` here; there are a, a*b, a+b, a+b-0.5, a-b, "
                       "lerp(a,b,f), a*b+c, a*b+c-0.5, a*b-c, a*b+c*d, a*b+c*d-0.5 and the dot3s",
                       p->token.text[0]);
}

/* Returns whether the token is the number 0.5 of "-0.5". */
static bool is_half(const struct stages_token *t)
{
    double value;
    return t->kind == STAGES_NUMBER && texenv_scan_number(&value, t->text, t->length) == t->length &&
        value == 0.5;
}

/* Matches the texts of all functions in parallel. `rows` is the set of functions that match so far, all at
 * position `at`, because each term has the same length "$n". Which argument each term is becomes known only
 * when the function is known. */
bool texenv_stages_parse_func(struct stages_parser *p, unsigned unit, struct stages_func *func)
{
    struct stages_term term[TEXENV_ARGS];
    unsigned terms = 0, rows = going_on((1u << TEXENV_FUNCS) - 1, 0, '$');
    size_t at = 0;
    func->place = p->token.place;
    int called = p->token.kind == STAGES_NAME && p->token.length > 2 ? called_function(&p->token) : -1;
    if (called >= 0) {
        rows = 1u << called;
        at = p->token.length + 1;
        stages_advance(p);
        if (!texenv_stages_take(p, (int)unit, '(', "`(` after the name of the function"))
            return false;
    }
    for (;;) {
        if (!parse_term(p, unit, &term[terms++]))
            return false;
        at += 2; /* the length of "$n" */
        if (called >= 0) {
            char next = func_text[called][at++];
            if (!texenv_stages_take(p, (int)unit, next,
                                    next == ',' ? "`,` and the next argument"
                                                : "`)` after the last argument"))
                return false;
            if (next == ')')
                break;
            continue;
        }
        char op = p->token.kind == STAGES_PUNCT ? p->token.text[0] : '\0';
        unsigned next = op == '*' || op == '+' || op == '-' ? going_on(rows, at, op) : 0;
        if (!next)
            break;
        rows = next;
        at++;
        stages_advance(p);
        unsigned half = going_on(rows, at, '0');
        if (half && is_half(&p->token)) {
            rows = half;
            at += strlen("0.5");
            stages_advance(p);
            break;
        }
        rows = going_on(rows, at, '$');
        if (!rows)
            return texenv_stages_expected(p, (int)unit, "the number 0.5");
    }
    rows = going_on(rows, at, '\0'); /* at most one function is complete here */
    if (!rows || !(stages_is(p, ';') || stages_is(p, '}') || p->token.kind == STAGES_ATTR))
        return no_such_form(p, (int)unit);
    func->func = TEXENV_F_REPLACE;
    while (!(rows >> func->func & 1))
        func->func++;
    const char *slot = func_text[func->func];
    for (unsigned t = 0; t < terms; t++) {
        slot = strchr(slot, '$') + 1;
        func->arg[*slot - '0'] = term[t];
    }
    return true;
}
