/* Parser of the stage notation (notes/formats/stages.md): states, stages, attributes and settings, by
 * recursive descent with one token of lookahead. */
#include "texenv/read/stages.h"
#include "texenv/gl_names.h"
#include "texenv/vertex_words.h"

bool texenv_stages_expected(struct stages_parser *p, int unit, const char *what)
{
    const struct stages_token *t = &p->token;
    unsigned char byte = t->kind == STAGES_BAD ? (unsigned char)t->text[0] : ' ';
    if (byte >= 0x80)
        return STAGES_FAIL(p, t->place, unit, "byte", "byte 0x%x is not ASCII (only comments may have such)",
                           byte);
    if (byte < ' ' || byte == 0x7f)
        return STAGES_FAIL(p, t->place, unit, "byte", "control byte 0x%x", byte);
    if (p->open && (t->kind == STAGES_END || stages_is(p, '{'))) {
        struct texenv_place begin = p->stage[p->nstages - 1].place;
        return STAGES_FAIL(p, t->place, unit, "missing-brace",
                           "missing `}`: the stage that begins at %u:%u is still open here", begin.line,
                           begin.column);
    }
    if (t->kind == STAGES_END)
        return STAGES_FAIL(p, t->place, unit, "syntax", "expected %s, but the %s ends here", what,
                           p->lexer.at == p->lexer.end ? "text" : "line");
    return STAGES_FAIL(p, t->place, unit, "syntax", "expected %s, not `%s%.*s`", what,
                       t->kind == STAGES_ATTR ? "@" : "", STAGES_SHOWN(*t));
}

bool texenv_stages_take(struct stages_parser *p, int unit, char punct, const char *what)
{
    if (!stages_is(p, punct))
        return texenv_stages_expected(p, unit, what);
    stages_advance(p);
    return true;
}

int texenv_stages_classic(const struct stages_token *t)
{
#define STAGE_CLASSIC(id, word) \
    if (stages_is_word(t, word)) \
        return TEXENV_##id;
#include "texenv/stages.def"
    return -1;
}

static bool is_dot3(enum texenv_func func)
{
    return func >= TEXENV_F_DOT3_RGB && func <= TEXENV_F_DOT3_RGBA_EXT;
}

/* Parses "; func", the alpha function. If it is missing, alpha gets the rgb function with the same terms, or
 * P if the rgb function is a dot product, which alpha does not support. */
static bool parse_alpha(struct stages_parser *p, unsigned unit, struct stages_stage *stage)
{
    struct stages_func *rgb = &stage->half[TEXENV_RGB], *alpha = &stage->half[TEXENV_ALPHA];
    if (stages_is(p, ';')) {
        if (texenv_func_writes_alpha(rgb->func))
            return STAGES_FAIL(p, p->token.place, (int)unit, "alpha",
                               "dot3a writes alpha too: it takes no `; alpha`");
        stages_advance(p);
        if (stages_is(p, '}') || p->token.kind == STAGES_ATTR)
            return texenv_stages_expected(p, (int)unit, "the alpha function after `;`");
        if (!texenv_stages_parse_func(p, unit, alpha))
            return false;
        if (is_dot3(alpha->func))
            return STAGES_FAIL(
                p, alpha->place, (int)unit, "alpha",
                "a dot product cannot be the alpha function (COMBINE_ALPHA takes none); dot3a writes both");
        return stages_is(p, ';')
            ? texenv_stages_expected(p, (int)unit, "`}` or an attribute after the alpha function")
            : true;
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
#define STAGE_BASE(id, gl, word) \
    if (stages_is_word(t, word)) \
        return TEXENV_##id;
#include "texenv/stages.def"
    return -1;
}

static int target_word(const struct stages_token *t)
{
#define STAGE_TARGET(id, gl, word) \
    if (stages_is_word(t, word)) \
        return TEXENV_##id;
#include "texenv/stages.def"
    return -1;
}

/* Parses the ":mode" of @depth and @shadow (DEPTH_TEXTURE_MODE). */
static bool parse_depth_mode(struct stages_parser *p, int unit, struct texenv_texture *texture)
{
    texture->depth_mode = TEXENV_LUMINANCE;
    if (!stages_is(p, ':'))
        return true;
    stages_advance(p);
    int mode = p->token.kind == STAGES_NAME ? base_word(&p->token) : -1;
    if (mode != TEXENV_LUMINANCE && mode != TEXENV_INTENSITY && mode != TEXENV_BASE_ALPHA &&
        mode != TEXENV_RED)
        return texenv_stages_expected(p, unit, "a depth mode (luminance, intensity, alpha or red)");
    texture->depth_mode = (uint8_t)mode;
    stages_advance(p);
    return true;
}

static bool parse_attribute(struct stages_parser *p, int unit, struct stages_stage *stage)
{
    const struct stages_token t = p->token;
    int base = base_word(&t), target = target_word(&t);
    bool depth = stages_is_word(&t, "depth"), shadow = stages_is_word(&t, "shadow");
    if (base >= 0 || depth || shadow) {
        if (stage->texture_place.line)
            return STAGES_FAIL(p, t.place, unit, "attribute", "a second texture format `@%.*s`",
                               STAGES_SHOWN(t));
        stage->texture_place = t.place;
        stage->texture.base = (uint8_t)(base >= 0 ? base : TEXENV_DEPTH);
        stage->texture.compare = shadow;
    } else if (target >= 0) {
        if (stage->target_place.line)
            return STAGES_FAIL(p, t.place, unit, "attribute", "a second texture target `@%.*s`",
                               STAGES_SHOWN(t));
        stage->target_place = t.place;
        stage->target = (enum texenv_target)target;
    } else if (stages_is_word(&t, "combine4")) {
        if (stage->mode != TEXENV_COMBINE)
            return STAGES_FAIL(p, t.place, unit, "attribute",
                               "@combine4 needs functions: a classic mode has none");
        stage->combine4 = true;
    } else {
        return STAGES_FAIL(
            p, t.place, unit, "attribute",
            "unknown attribute `@%.*s`: there are rgba, rgb, alpha, luminance, luminance_alpha, intensity, "
            "red, rg, depth, shadow, 1d, 2d, rect, 3d, cube, combine4",
            STAGES_SHOWN(t));
    }
    stages_advance(p);
    if (depth || shadow)
        return parse_depth_mode(p, unit, &stage->texture);
    return stages_is(p, ':')
        ? STAGES_FAIL(p, p->token.place, unit, "attribute", "only @depth and @shadow take a `:mode`")
        : true;
}

static bool parse_scale(struct stages_parser *p, int unit, struct stages_stage *stage, unsigned half)
{
    const struct stages_token *t = &p->token;
    if (t->kind != STAGES_NUMBER)
        return texenv_stages_expected(p, unit, "a scale (1, 2 or 4)");
    if (t->length != 1 || !strchr("124", t->text[0]))
        return STAGES_FAIL(p, t->place, unit, "scale", "scale %.*s: GL has 1, 2 and 4", STAGES_SHOWN(*t));
    stage->scale[half] = (uint8_t)(t->text[0] - '0');
    stage->scale_place[half] = t->place;
    stages_advance(p);
    return true;
}

static bool parse_stage(struct stages_parser *p)
{
    if (p->nstages == TEXENV_UNITS)
        return STAGES_FAIL(p, p->token.place, -1, "stages", "more than %d stages: there are %d texture units",
                           TEXENV_UNITS, TEXENV_UNITS);
    unsigned unit = p->nstages++;
    struct stages_stage *stage = &p->stage[unit];
    const struct texenv_place nowhere = {0};
    stage->mode = TEXENV_OFF;
    stage->combine4 = false;
    stage->scale[TEXENV_RGB] = stage->scale[TEXENV_ALPHA] = 1;
    stage->texture = (struct texenv_texture){
        .complete = 1, .base = TEXENV_RGBA, .depth_mode = TEXENV_LUMINANCE};
    stage->target = TEXENV_2D;
    stage->texture_place = stage->target_place = nowhere;
    stage->place = p->token.place;
    p->open = true;
    stages_advance(p);
    stage->mode_place = stage->scale_place[TEXENV_RGB] = stage->scale_place[TEXENV_ALPHA] = p->token.place;

    int mode = p->token.kind == STAGES_NAME ? texenv_stages_classic(&p->token) : -1;
    if (mode >= 0) {
        stage->mode = (enum texenv_mode)mode;
        stages_advance(p);
        if (!stages_is(p, '}') && p->token.kind != STAGES_ATTR)
            return texenv_stages_expected(p, (int)unit,
                                          "`}` or an attribute after the mode (a mode sets rgb and alpha)");
    } else if (!stages_is(p, '}') && p->token.kind != STAGES_ATTR) {
        stage->mode = TEXENV_COMBINE;
        if (!texenv_stages_parse_func(p, unit, &stage->half[TEXENV_RGB]) || !parse_alpha(p, unit, stage))
            return false;
    }
    while (p->token.kind == STAGES_ATTR) {
        if (stage->mode == TEXENV_OFF)
            return STAGES_FAIL(p, p->token.place, (int)unit, "attribute",
                               "attribute of a disabled unit: write a function or a mode before it");
        if (!parse_attribute(p, (int)unit, stage))
            return false;
    }
    if (!stages_is(p, '}'))
        return texenv_stages_expected(p, (int)unit, "an attribute or the `}` of the stage");
    p->open = false;
    stages_advance(p);
    if (!stages_is(p, '*'))
        return true;
    if (stage->mode != TEXENV_COMBINE)
        return STAGES_FAIL(p, p->token.place, (int)unit, "scale",
                           stage->mode == TEXENV_OFF ? "a disabled unit takes no scale"
                                                     : "a classic mode takes no scale");
    stages_advance(p);
    if (!parse_scale(p, (int)unit, stage, TEXENV_RGB))
        return false;
    stage->scale[TEXENV_ALPHA] = stage->scale[TEXENV_RGB];
    stage->scale_place[TEXENV_ALPHA] = stage->scale_place[TEXENV_RGB];
    if (!stages_is(p, ';'))
        return true;
    stages_advance(p);
    return parse_scale(p, (int)unit, stage, TEXENV_ALPHA);
}

/* ---- settings ---- */

/* Parses a number that GL clamps to [0,1]. unit is -1 if it belongs to no unit. */
static bool parse_clamped(struct stages_parser *p, int unit, const char *what, float *number)
{
    struct texenv_place place = p->token.place;
    if (stages_is(p, '?')) { /* a value that is not known */
        *number = texenv_unknown();
        stages_advance(p);
        return true;
    }
    bool minus = stages_is(p, '-');
    if (minus || stages_is(p, '+'))
        stages_advance(p);
    if (p->token.kind != STAGES_NUMBER)
        return texenv_stages_expected(p, unit, "a number");
    double value;
    texenv_scan_number(&value, p->token.text, p->token.length);
    if (value > 1 || (minus && value > 0)) {
        texenv_emit(p->sink, TEXENV_WARNING, unit, place, "color-range", "%s %s%.*s is clamped to [0,1]",
                    what, minus ? "-" : "", STAGES_SHOWN(p->token));
        value = minus ? 0 : 1;
    }
    *number = minus ? 0 : (float)value;
    stages_advance(p);
    return true;
}

static bool parse_color(struct stages_parser *p)
{
    const struct stages_token t = p->token;
    if (t.length != 2 || t.text[1] < '0' || t.text[1] >= '0' + TEXENV_UNITS)
        return STAGES_FAIL(p, t.place, -1, "unknown-name", "no environment colour `%.*s`: there are C0 to C7",
                           STAGES_SHOWN(t));
    unsigned unit = (unsigned)(t.text[1] - '0');
    if (p->color_place[unit].line)
        return STAGES_FAIL(p, t.place, (int)unit, "setting", "%.*s is given twice", STAGES_SHOWN(t));
    p->color_place[unit] = t.place;
    stages_advance(p);
    if (!texenv_stages_take(p, (int)unit, '=', "`=` and the colour"))
        return false;
    if (!texenv_stages_take(p, (int)unit, '(', "`(` and four numbers"))
        return false;
    char what[] = "unit n: colour component";
    what[5] = t.text[1];
    for (unsigned i = 0; i < 4; i++) {
        if (!parse_clamped(p, (int)unit, what, &p->color[unit][i]))
            return false;
        if (!texenv_stages_take(p, (int)unit, i < 3 ? ',' : ')',
                                i < 3 ? "`,` (a colour has four components)"
                                      : "`)` after the fourth component"))
            return false;
    }
    return true;
}

static bool parse_fog(struct stages_parser *p)
{
    if (p->fog != TEXENV_FOG_OFF)
        return STAGES_FAIL(p, p->token.place, -1, "setting", "fog is given twice");
    stages_advance(p);
    if (!texenv_stages_take(p, -1, '=', "`=` and the fog mode"))
        return false;
#define STAGE_FOG(id, gl, word) \
    if (p->token.kind == STAGES_NAME && stages_is_word(&p->token, word)) \
        p->fog = TEXENV_FOG_##id;
#include "texenv/stages.def"
    if (p->fog == TEXENV_FOG_OFF)
        return texenv_stages_expected(p, -1, "a fog mode (linear, exp or exp2)");
    stages_advance(p);
    if (!stages_is(p, ':'))
        return true;
    stages_advance(p);
    if (p->token.kind != STAGES_NAME || !stages_is_word(&p->token, "coord"))
        return texenv_stages_expected(p, -1, "`coord` (fog by the fog coordinate)");
    p->fog_coord = true;
    stages_advance(p);
    return true;
}

static bool parse_alpha_test(struct stages_parser *p)
{
    if (p->alpha_test != TEXENV_COMPARE_NONE)
        return STAGES_FAIL(p, p->token.place, -1, "setting", "alphatest is given twice");
    stages_advance(p);
    if (!texenv_stages_take(p, -1, '=', "`=` and the comparison of the alpha test"))
        return false;
#define STAGE_COMPARE(id, word) \
    if (p->token.kind == STAGES_NAME && stages_is_word(&p->token, word)) \
        p->alpha_test = TEXENV_##id;
#include "texenv/stages.def"
    if (p->alpha_test == TEXENV_COMPARE_NONE)
        return texenv_stages_expected(
            p, -1, "a comparison (never, less, equal, lequal, greater, notequal or gequal)");
    stages_advance(p);
    return texenv_stages_take(p, -1, ':', "`:` and the reference of the alpha test") &&
        parse_clamped(p, -1, "the alpha test's reference", &p->alpha_ref);
}

/* Returns whether GL can have these ColorMaterial settings: one mode, for one side or both (2.14.3). */
static bool is_color_material(const uint8_t *tracks)
{
    const unsigned bits = tracks[0] | tracks[1];
    const bool one = (bits & (bits - 1)) == 0 || bits == (TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE);
    return one && (!tracks[0] || tracks[0] == bits) && (!tracks[1] || tracks[1] == bits);
}

/* Parses "vertex(WORDS)" with the words of notes/formats/vertex.md. */
static bool parse_vertex(struct stages_parser *p)
{
    const struct texenv_place place = p->token.place;
    struct stages_lexer *at = &p->lexer;
    if (p->has_vertex)
        return STAGES_FAIL(p, place, -1, "setting", "vertex is given twice");
    p->has_vertex = true;
    stages_advance(p);
    if (!stages_is(p, '('))
        return texenv_stages_expected(p, -1, "`(` and words of the vertex half");
    const struct stages_lexer start = *at;
    for (bool comment = false; at->at < at->end && (comment || *at->at != ')'); at->at++) {
        comment = *at->at == '#' || (comment && *at->at != '\n');
        if (*at->at == '\n') {
            at->line++;
            at->line_start = at->at + 1;
        }
    }
    if (!texenv_read_vertex_words(&p->vertex, start.at, at->at, start.line_start, start.line, p->sink)) {
        p->errors++;
        return false;
    }
    if (p->vertex.fog_coord)
        return STAGES_FAIL(p, place, -1, "vertex", "fog-coord is said by the fog: fog=MODE:coord");
    if (!is_color_material(p->vertex.tracks))
        return STAGES_FAIL(p, place, -1, "vertex",
                           "glColorMaterial has one mode, for one side or both: ambient, diffuse, specular, "
                           "emission, or ambient+diffuse");
    stages_advance(p);
    return texenv_stages_take(p, -1, ')', "`)` after the words of the vertex half");
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
        if (stages_is_word(t, "fog"))
            return parse_fog(p);
        if (stages_is_word(t, "alphatest"))
            return parse_alpha_test(p);
        if (stages_is_word(t, "vertex"))
            return parse_vertex(p);
        if (stages_is_word(t, "colorsum")) {
            if (p->color_sum)
                return STAGES_FAIL(p, t->place, -1, "setting", "colorsum is given twice");
            p->color_sum = true;
            stages_advance(p);
            return true;
        }
        return STAGES_FAIL(p, t->place, -1, "unknown-name",
                           "unknown setting `%.*s`: there are C0=(r,g,b,a) to C7, fog=, colorsum, "
                           "alphatest= and vertex()",
                           STAGES_SHOWN(*t));
    }
    if (stages_is(p, '{'))
        return STAGES_FAIL(p, t->place, -1, "syntax", "a stage after the settings: stages come first");
    return texenv_stages_expected(p, -1, "a stage, a setting or the end of the line");
}

bool texenv_stages_parse(struct stages_parser *p)
{
    p->nstages = 0;
    p->open = false;
    memset(p->color_place, 0, sizeof p->color_place);
    p->highest = 0;
    p->fog = TEXENV_FOG_OFF;
    p->fog_coord = p->color_sum = false;
    p->alpha_test = TEXENV_COMPARE_NONE;
    p->alpha_ref = 0;
    memset(&p->vertex, 0, sizeof p->vertex);
    p->has_vertex = false;

    if (!stages_is(p, '{'))
        return texenv_stages_expected(p, -1, "`{`: a state begins with a stage");
    /* All stages together may be enclosed in another pair of braces. */
    struct stages_lexer ahead = p->lexer;
    const struct stages_token second = texenv_stages_lex(&ahead);
    bool outer = second.kind == STAGES_PUNCT && second.text[0] == '{';
    if (outer)
        stages_advance(p);
    do {
        if (!parse_stage(p))
            return false;
        if (stages_is(p, ',')) {
            stages_advance(p);
            if (!stages_is(p, '{'))
                return texenv_stages_expected(p, -1, "a stage after `,`");
        }
    } while (stages_is(p, '{'));
    if (outer && !texenv_stages_take(p, -1, '}', "a stage or the `}` around the stages"))
        return false;
    while (p->token.kind != STAGES_END)
        if (!parse_setting(p))
            return false;
    return true;
}
