/* Grammar of the stage notation (notes/formats.md 3): recursive descent over one token.
 * The forms of functions are not spelled here: stages.def has them as texts, and the parser walks all of those texts at once. */
#include "texenv/stages.h"

#include <string.h>

/* A token for a message; long ones are cut. */
#define SHOWN(t) (int)((t).length < 40 ? (t).length : 40), (t).text

static void advance(struct stages_parser *p) { p->token = texenv_stages_lex(&p->lexer); }

static bool is(const struct stages_parser *p, char punct)
{
    return p->token.kind == STAGES_PUNCT && p->token.text[0] == punct;
}

static bool is_word(const struct stages_token *t, const char *word)
{
    return strncmp(t->text, word, t->length) == 0 && word[t->length] == '\0';
}

/* Fails at the token because something else was expected. unit: -1 outside the stages. */
static bool expected(struct stages_parser *p, int unit, const char *what)
{
    const struct stages_token *t = &p->token;
    unsigned char byte = t->kind == STAGES_BAD ? (unsigned char)t->text[0] : ' ';
    if (byte >= 0x80)
        return STAGES_FAIL(p, t->place, unit, "byte", "byte 0x%x is not ASCII (only comments may have such)", byte);
    if (byte < ' ' || byte == 0x7f)
        return STAGES_FAIL(p, t->place, unit, "byte", "control byte 0x%x", byte);
    if (t->kind == STAGES_END)
        return STAGES_FAIL(p, t->place, unit, "syntax", "expected %s, but the %s ends here", what, p->lexer.at == p->lexer.end ? "text" : "line");
    return STAGES_FAIL(p, t->place, unit, "syntax", "expected %s, not `%s%.*s`", what, t->kind == STAGES_ATTR ? "@" : "", SHOWN(*t));
}

static bool take(struct stages_parser *p, int unit, char punct, const char *what)
{
    if (!is(p, punct))
        return expected(p, unit, what);
    advance(p);
    return true;
}

/* ---- functions and terms ---- */

static const char *const func_text[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = text,
#include "texenv/stages.def"
};

static const struct { const char *word; enum texenv_mode mode; } classic[] = {
#define STAGE_CLASSIC(id, word) {word, TEXENV_##id},
#include "texenv/stages.def"
};

/* The function that this name calls; -1: none. */
static int called_function(const struct stages_token *t)
{
    for (int f = 0; f < TEXENV_FUNCS; f++)
        if (strncmp(func_text[f], t->text, t->length) == 0 && func_text[f][t->length] == '(')
            return f;
    return -1;
}

static int classic_mode(const struct stages_token *t)
{
    for (size_t i = 0; i < sizeof classic / sizeof *classic; i++)
        if (is_word(t, classic[i].word))
            return (int)classic[i].mode;
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
        return STAGES_FAIL(p, t.place, unit, "unknown-name", "no texture unit `%.*s`: there are T0 to T7", SHOWN(t));
    if (digits && first == 'C')
        return STAGES_FAIL(p, t.place, unit, "unknown-name", "`%.*s` is no term: a stage reads its own environment colour only, as C", SHOWN(t));
    if ((t.length == 1 && strchr("tpcf", first)) || (t.length == 2 && digits && first == 't'))
        return STAGES_FAIL(p, t.place, unit, "unknown-name", "unknown name `%.*s`: names are upper case (T, T0 to T7, P, C, F)", SHOWN(t));
    if (called_function(&t) >= 0)
        return STAGES_FAIL(p, t.place, unit, "syntax", "`%.*s` cannot be part of another function: a stage computes one", SHOWN(t));
    if (classic_mode(&t) >= 0)
        return STAGES_FAIL(p, t.place, unit, "syntax", "mode `%.*s` stands alone in its stage, without functions and terms", SHOWN(t));
    return STAGES_FAIL(p, t.place, unit, "unknown-name", "unknown name `%.*s`: terms are T, T0 to T7, P, C, F, 0 and 1", SHOWN(t));
}

static bool parse_term(struct stages_parser *p, unsigned unit, struct stages_term *term)
{
    *term = (struct stages_term){.place = p->token.place};
    if (is(p, '~')) {
        term->complement = true;
        advance(p);
        if (p->token.kind != STAGES_NAME && p->token.kind != STAGES_NUMBER)
            return expected(p, (int)unit, "a term after `~`");
    }
    const char *text = p->token.text;
    size_t length = p->token.length;
    if (p->token.kind == STAGES_NUMBER) {
        if (length != 1 || (*text != '0' && *text != '1'))
            return STAGES_FAIL(p, p->token.place, (int)unit, "syntax", "`%.*s` is no term: of the numbers only 0 and 1 are", SHOWN(p->token));
        term->source = *text == '0' ? TEXENV_S_ZERO : TEXENV_S_ONE;
    } else if (p->token.kind != STAGES_NAME) {
        return expected(p, (int)unit, "a term");
    } else if (length == 2 && text[0] == 'T' && text[1] >= '0' && text[1] < '0' + TEXENV_UNITS) {
        term->source = TEXENV_S_TEXTURE;
        term->unit = (uint8_t)(text[1] - '0');
        if (term->unit > p->highest) {
            p->highest = term->unit;
            p->highest_place = term->place;
        }
    } else {
        switch (length == 1 ? *text : '\0') {
        case 'T': term->source = TEXENV_S_TEXTURE; term->unit = (uint8_t)unit; break;
        case 'P': term->source = TEXENV_S_PREVIOUS; break;
        case 'C': term->source = TEXENV_S_CONSTANT; break;
        case 'F': term->source = TEXENV_S_PRIMARY; break;
        default: return unknown_name(p, (int)unit);
        }
    }
    advance(p);
    if (is(p, '.')) {
        advance(p);
        if (p->token.kind != STAGES_NAME || !is_word(&p->token, "a"))
            return expected(p, (int)unit, "`a` after the point (`.a` is a term's alpha)");
        term->alpha = true;
        advance(p);
    }
    return true;
}

/* The functions of the set `rows` whose text goes on with c at `at`. */
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
        return expected(p, unit, "an operator, `;`, `@` or `}`");
    if (is(p, ','))
        return STAGES_FAIL(p, p->token.place, unit, "syntax", "expected an operator, not `,` (lists without operations are for `texenvc registers`)");
    return STAGES_FAIL(p, p->token.place, unit, "function",
                       "no function goes on with `%c` here; there are a, a*b, a+b, a+b-0.5, a-b, lerp(a,b,f), a*b+c, a*b+c-0.5, a*b-c, a*b+c*d, a*b+c*d-0.5 and the dot3s",
                       p->token.text[0]);
}

/* Whether the token is the number of "-0.5". */
static bool is_half(const struct stages_token *t)
{
    double value;
    return t->kind == STAGES_NUMBER && texenv_scan_number(t->text, t->length, &value) == t->length && value == 0.5;
}

/* Follows the texts of all functions at once: `rows` are those that fit so far, and all of them are at position `at`, because terms
 * have the same length everywhere. The terms are collected as they come; only at the end it is known which arguments they are. */
static bool parse_func(struct stages_parser *p, unsigned unit, struct stages_func *func)
{
    struct stages_term term[TEXENV_ARGS];
    unsigned terms = 0, rows = going_on((1u << TEXENV_FUNCS) - 1, 0, '$');
    size_t at = 0;
    func->place = p->token.place;
    int called = p->token.kind == STAGES_NAME && p->token.length > 2 ? called_function(&p->token) : -1;
    if (called >= 0) {
        rows = 1u << called;
        at = p->token.length + 1;
        advance(p);
        if (!take(p, (int)unit, '(', "`(` after the name of the function"))
            return false;
    }
    for (;;) {
        if (!parse_term(p, unit, &term[terms++]))
            return false;
        at += 2; /* "$n" */
        if (called >= 0) {
            char next = func_text[called][at++];
            if (!take(p, (int)unit, next, next == ',' ? "`,` and the next argument" : "`)` after the last argument"))
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
        advance(p);
        unsigned half = going_on(rows, at, '0');
        if (half && is_half(&p->token)) {
            rows = half;
            at += strlen("0.5");
            advance(p);
            break;
        }
        rows = going_on(rows, at, '$');
        if (!rows)
            return expected(p, (int)unit, "the number 0.5");
    }
    rows = going_on(rows, at, '\0'); /* at most one is complete */
    if (!rows || !(is(p, ';') || is(p, '}') || p->token.kind == STAGES_ATTR))
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

static bool is_dot3(enum texenv_func func) { return func >= TEXENV_F_DOT3_RGB && func <= TEXENV_F_DOT3_RGBA_EXT; }

/* "; func", or what holds without it: the same function of the same terms; P after a dot, which alpha has none of. */
static bool parse_alpha(struct stages_parser *p, unsigned unit, struct stages_stage *stage)
{
    struct stages_func *rgb = &stage->half[TEXENV_RGB], *alpha = &stage->half[TEXENV_ALPHA];
    if (is(p, ';')) {
        if (texenv_func_writes_alpha(rgb->func))
            return STAGES_FAIL(p, p->token.place, (int)unit, "alpha", "dot3a writes alpha too: it takes no `; alpha`");
        advance(p);
        if (is(p, '}') || p->token.kind == STAGES_ATTR)
            return expected(p, (int)unit, "the alpha function after `;`");
        if (!parse_func(p, unit, alpha))
            return false;
        if (is_dot3(alpha->func))
            return STAGES_FAIL(p, alpha->place, (int)unit, "alpha", "a dot product cannot be the alpha function (COMBINE_ALPHA takes none); dot3a writes both");
        return is(p, ';') ? expected(p, (int)unit, "`}` or an attribute after the alpha function") : true;
    }
    *alpha = *rgb;
    if (is_dot3(rgb->func)) {
        memset(alpha->arg, 0, sizeof alpha->arg);
        alpha->func = TEXENV_F_REPLACE;
        alpha->arg[0] = (struct stages_term){.source = TEXENV_S_PREVIOUS, .place = rgb->place};
    }
    return true;
}

/* ---- attributes and scales ---- */

static int base_word(const struct stages_token *t)
{
#define STAGE_BASE(id, gl, word) if (is_word(t, word)) return TEXENV_##id;
#include "texenv/stages.def"
    return -1;
}

static int target_word(const struct stages_token *t)
{
#define STAGE_TARGET(id, gl, word) if (is_word(t, word)) return TEXENV_##id;
#include "texenv/stages.def"
    return -1;
}

/* The ":mode" of @depth and @shadow (DEPTH_TEXTURE_MODE). */
static bool parse_depth_mode(struct stages_parser *p, int unit, struct texenv_texture *texture)
{
    texture->depth_mode = TEXENV_LUMINANCE;
    if (!is(p, ':'))
        return true;
    advance(p);
    int mode = p->token.kind == STAGES_NAME ? base_word(&p->token) : -1;
    if (mode != TEXENV_LUMINANCE && mode != TEXENV_INTENSITY && mode != TEXENV_BASE_ALPHA && mode != TEXENV_RED)
        return expected(p, unit, "a depth mode (luminance, intensity, alpha or red)");
    texture->depth_mode = (uint8_t)mode;
    advance(p);
    return true;
}

static bool parse_attribute(struct stages_parser *p, int unit, struct stages_stage *stage)
{
    const struct stages_token t = p->token;
    int base = t.length ? base_word(&t) : -1, target = t.length ? target_word(&t) : -1;
    bool depth = t.length && is_word(&t, "depth"), shadow = t.length && is_word(&t, "shadow");
    if (base >= 0 || depth || shadow) {
        if (stage->texture_place.line)
            return STAGES_FAIL(p, t.place, unit, "attribute", "a second texture format `@%.*s`", SHOWN(t));
        stage->texture_place = t.place;
        stage->texture.base = (uint8_t)(base >= 0 ? base : TEXENV_DEPTH);
        stage->texture.compare = shadow;
    } else if (target >= 0) {
        if (stage->target_place.line)
            return STAGES_FAIL(p, t.place, unit, "attribute", "a second texture target `@%.*s`", SHOWN(t));
        stage->target_place = t.place;
        stage->target = (enum texenv_target)target;
    } else if (t.length && is_word(&t, "combine4")) {
        if (stage->mode != TEXENV_COMBINE)
            return STAGES_FAIL(p, t.place, unit, "attribute", "@combine4 needs functions: a classic mode has none");
        stage->combine4 = true;
    } else {
        return STAGES_FAIL(p, t.place, unit, "attribute",
                           "unknown attribute `@%.*s`: there are rgba, rgb, alpha, luminance, luminance_alpha, intensity, red, rg, depth, shadow, 1d, 2d, rect, 3d, cube, combine4",
                           SHOWN(t));
    }
    advance(p);
    if (depth || shadow)
        return parse_depth_mode(p, unit, &stage->texture);
    return is(p, ':') ? STAGES_FAIL(p, p->token.place, unit, "attribute", "only @depth and @shadow take a `:mode`") : true;
}

static bool parse_scale(struct stages_parser *p, int unit, struct stages_stage *stage, unsigned half)
{
    const struct stages_token *t = &p->token;
    if (t->kind != STAGES_NUMBER)
        return expected(p, unit, "a scale (1, 2 or 4)");
    if (t->length != 1 || !strchr("124", t->text[0]))
        return STAGES_FAIL(p, t->place, unit, "scale", "scale %.*s: GL has 1, 2 and 4", SHOWN(*t));
    stage->scale[half] = (uint8_t)(t->text[0] - '0');
    stage->scale_place[half] = t->place;
    advance(p);
    return true;
}

static bool parse_stage(struct stages_parser *p)
{
    if (p->nstages == TEXENV_UNITS)
        return STAGES_FAIL(p, p->token.place, -1, "stages", "more than %d stages: there are %d texture units", TEXENV_UNITS, TEXENV_UNITS);
    unsigned unit = p->nstages++;
    struct stages_stage *stage = &p->stage[unit];
    const struct texenv_place nowhere = {0};
    stage->mode = TEXENV_OFF;
    stage->combine4 = false;
    stage->scale[TEXENV_RGB] = stage->scale[TEXENV_ALPHA] = 1;
    stage->texture = (struct texenv_texture){.complete = 1, .base = TEXENV_RGBA, .depth_mode = TEXENV_LUMINANCE};
    stage->target = TEXENV_2D;
    stage->texture_place = stage->target_place = nowhere;
    stage->place = p->token.place;
    advance(p);
    stage->mode_place = stage->scale_place[TEXENV_RGB] = stage->scale_place[TEXENV_ALPHA] = p->token.place;

    int mode = p->token.kind == STAGES_NAME ? classic_mode(&p->token) : -1;
    if (mode >= 0) {
        stage->mode = (enum texenv_mode)mode;
        advance(p);
        if (!is(p, '}') && p->token.kind != STAGES_ATTR)
            return expected(p, (int)unit, "`}` or an attribute after the mode (a mode sets rgb and alpha)");
    } else if (!is(p, '}') && p->token.kind != STAGES_ATTR) {
        stage->mode = TEXENV_COMBINE;
        if (!parse_func(p, unit, &stage->half[TEXENV_RGB]) || !parse_alpha(p, unit, stage))
            return false;
    }
    while (p->token.kind == STAGES_ATTR) {
        if (stage->mode == TEXENV_OFF)
            return STAGES_FAIL(p, p->token.place, (int)unit, "attribute", "attribute of a disabled unit: write a function or a mode before it");
        if (!parse_attribute(p, (int)unit, stage))
            return false;
    }
    if (!is(p, '}'))
        return expected(p, (int)unit, "an attribute or the `}` of the stage");
    advance(p);
    if (!is(p, '*'))
        return true;
    if (stage->mode != TEXENV_COMBINE)
        return STAGES_FAIL(p, p->token.place, (int)unit, "scale", stage->mode == TEXENV_OFF ? "a disabled unit takes no scale" : "a classic mode takes no scale");
    advance(p);
    if (!parse_scale(p, (int)unit, stage, TEXENV_RGB))
        return false;
    stage->scale[TEXENV_ALPHA] = stage->scale[TEXENV_RGB];
    stage->scale_place[TEXENV_ALPHA] = stage->scale_place[TEXENV_RGB];
    if (!is(p, ';'))
        return true;
    advance(p);
    return parse_scale(p, (int)unit, stage, TEXENV_ALPHA);
}

/* ---- settings ---- */

static bool parse_component(struct stages_parser *p, unsigned unit, float *component)
{
    struct texenv_place place = p->token.place;
    bool minus = is(p, '-');
    if (minus || is(p, '+'))
        advance(p);
    if (p->token.kind != STAGES_NUMBER)
        return expected(p, (int)unit, "a number");
    double value;
    texenv_scan_number(p->token.text, p->token.length, &value);
    if (value > 1 || (minus && value > 0)) {
        texenv_emit(p->sink, TEXENV_WARNING, (int)unit, place, "color-range", "unit %u: colour component %s%.*s is clamped to [0,1]", unit, minus ? "-" : "",
                    SHOWN(p->token));
        value = minus ? 0 : 1;
    }
    *component = minus ? 0 : (float)value;
    advance(p);
    return true;
}

static bool parse_color(struct stages_parser *p)
{
    const struct stages_token t = p->token;
    if (t.length != 2 || t.text[1] < '0' || t.text[1] >= '0' + TEXENV_UNITS)
        return STAGES_FAIL(p, t.place, -1, "unknown-name", "no environment colour `%.*s`: there are C0 to C7", SHOWN(t));
    unsigned unit = (unsigned)(t.text[1] - '0');
    if (p->color_place[unit].line)
        return STAGES_FAIL(p, t.place, (int)unit, "setting", "%.*s is given twice", SHOWN(t));
    p->color_place[unit] = t.place;
    advance(p);
    if (!take(p, (int)unit, '=', "`=` and the colour"))
        return false;
    if (!take(p, (int)unit, '(', "`(` and four numbers"))
        return false;
    for (unsigned i = 0; i < 4; i++) {
        if (!parse_component(p, unit, &p->color[unit][i]))
            return false;
        if (!take(p, (int)unit, i < 3 ? ',' : ')', i < 3 ? "`,` (a colour has four components)" : "`)` after the fourth component"))
            return false;
    }
    return true;
}

static bool parse_fog(struct stages_parser *p)
{
    if (p->fog != TEXENV_FOG_OFF)
        return STAGES_FAIL(p, p->token.place, -1, "setting", "fog is given twice");
    advance(p);
    if (!take(p, -1, '=', "`=` and the fog mode"))
        return false;
#define STAGE_FOG(id, gl, word) if (p->token.kind == STAGES_NAME && is_word(&p->token, word)) p->fog = TEXENV_FOG_##id;
#include "texenv/stages.def"
    if (p->fog == TEXENV_FOG_OFF)
        return expected(p, -1, "a fog mode (linear, exp or exp2)");
    advance(p);
    if (!is(p, ':'))
        return true;
    advance(p);
    if (p->token.kind != STAGES_NAME || !is_word(&p->token, "coord"))
        return expected(p, -1, "`coord` (fog by the fog coordinate)");
    p->fog_coord = true;
    advance(p);
    return true;
}

static bool parse_setting(struct stages_parser *p)
{
    const struct stages_token *t = &p->token;
    if (t->kind == STAGES_NAME) {
        bool digits = t->length > 1;
        for (size_t i = 1; i < t->length; i++)
            digits &= t->text[i] >= '0' && t->text[i] <= '9';
        if (t->text[0] == 'C' && (digits || t->length == 1))
            return parse_color(p);
        if (is_word(t, "fog"))
            return parse_fog(p);
        if (is_word(t, "colorsum")) {
            if (p->color_sum)
                return STAGES_FAIL(p, t->place, -1, "setting", "colorsum is given twice");
            p->color_sum = true;
            advance(p);
            return true;
        }
        return STAGES_FAIL(p, t->place, -1, "unknown-name", "unknown setting `%.*s`: there are C0=(r,g,b,a) to C7, fog= and colorsum", SHOWN(*t));
    }
    if (is(p, '{'))
        return STAGES_FAIL(p, t->place, -1, "syntax", "a stage after the settings: stages come first");
    return expected(p, -1, "a stage, a setting or the end of the line");
}

bool texenv_stages_parse(struct stages_parser *p)
{
    p->nstages = 0;
    memset(p->color_place, 0, sizeof p->color_place);
    p->highest = 0;
    p->fog = TEXENV_FOG_OFF;
    p->fog_coord = p->color_sum = false;

    if (!is(p, '{'))
        return expected(p, -1, "`{`: a state begins with a stage");
    /* One more pair of braces may stand around all stages. */
    struct stages_lexer ahead = p->lexer;
    const struct stages_token second = texenv_stages_lex(&ahead);
    bool outer = second.kind == STAGES_PUNCT && second.text[0] == '{';
    if (outer)
        advance(p);
    do {
        if (!parse_stage(p))
            return false;
        if (is(p, ',')) {
            advance(p);
            if (!is(p, '{'))
                return expected(p, -1, "a stage after `,`");
        }
    } while (is(p, '{'));
    if (outer && !take(p, -1, '}', "a stage or the `}` around the stages"))
        return false;
    while (p->token.kind != STAGES_END)
        if (!parse_setting(p))
            return false;
    return true;
}
