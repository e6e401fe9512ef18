/* The reader of stage notation (notes/formats/stages.md): converts parsed stages into GL-side state. It calls
 * the setters of texenv.h, so that the notation means exactly what the GL calls mean. */
#include "texenv/gl.h"
#include "texenv/read/stages.h"

#include <string.h>

enum { MAX_ERRORS = 20 };

/* Conversion of one parsed state into GL-side state. */
struct feed {
    struct stages_parser *parser;
    struct texenv *te;
    struct texenv_places *places;
    uint32_t refused; /* errors of the setters, combined with |; 0 unless the parser is wrong */
};

static void set(struct feed *f, unsigned unit, uint32_t pname, uint32_t value, struct texenv_place place)
{
    f->refused |= texenv_tex_env_i(f->te, GL_TEXTURE_ENV, pname, (int32_t)value);
    f->places->slot[unit][texenv_slot_of(pname)] = place;
}

/* Sets SOURCE and OPERAND of one argument. In COMBINE4 the term 1 becomes the complement of ZERO, because
 * NV_texture_env_combine4 has no source ONE. */
static void set_arg(struct feed *f, unsigned unit, unsigned half, unsigned arg,
                    const struct stages_term *term, bool combine4)
{
    static const uint16_t gl_source[TEXENV_SOURCES] = {[TEXENV_S_ZERO] = GL_ZERO,
                                                       [TEXENV_S_ONE] = GL_ONE,
                                                       [TEXENV_S_CONSTANT] = GL_CONSTANT,
                                                       [TEXENV_S_PRIMARY] = GL_PRIMARY_COLOR,
                                                       [TEXENV_S_PREVIOUS] = GL_PREVIOUS};
    uint32_t source = gl_source[term->source];
    bool complement = term->complement, alpha = term->alpha || half == TEXENV_ALPHA;
    if (term->source == TEXENV_S_TEXTURE)
        source = term->unit == unit ? GL_TEXTURE : GL_TEXTURE0 + term->unit;
    if (term->source == TEXENV_S_ONE && combine4) {
        source = GL_ZERO;
        complement = !complement;
    }
    set(f, unit, (half == TEXENV_RGB ? GL_SOURCE0_RGB : GL_SOURCE0_ALPHA) + arg, source, term->place);
    set(f, unit, (half == TEXENV_RGB ? GL_OPERAND0_RGB : GL_OPERAND0_ALPHA) + arg,
        alpha ? (complement ? GL_ONE_MINUS_SRC_ALPHA : GL_SRC_ALPHA)
              : (complement ? GL_ONE_MINUS_SRC_COLOR : GL_SRC_COLOR),
        term->place);
}

static const uint16_t gl_func[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = GL_##gl,
#include "texenv/stages.def"
};

static bool is_combine4(const struct stages_func *func)
{
    return texenv_func_args(func->func) == TEXENV_ARGS;
}

/* Rewrites the function as a0*a1 + a2*a3 (- 1/2), the functions of COMBINE4, with 0 and 1 as additional
 * terms. Returns false if that is not possible. */
static bool lift(struct stages_func *func)
{
    const struct stages_term zero = {.source = TEXENV_S_ZERO, .place = func->place},
                             one = {.source = TEXENV_S_ONE, .place = func->place};
    const struct stages_term a = func->arg[0], b = func->arg[1], c = func->arg[2];
    struct stages_term *to = func->arg;
    switch (func->func) {
    case TEXENV_F_REPLACE: to[1] = one, to[2] = zero, to[3] = zero; break;
    case TEXENV_F_MODULATE: to[2] = zero, to[3] = zero; break;
    case TEXENV_F_ADD:
    case TEXENV_F_ADD_SIGNED: to[1] = one, to[2] = b, to[3] = one; break;
    case TEXENV_F_MODULATE_ADD:
    /* these functions are written a*c+b */
    case TEXENV_F_MODULATE_SIGNED_ADD: to[0] = a, to[1] = c, to[2] = b, to[3] = one; break;
    default: return is_combine4(func);
    }
    bool is_signed = func->func == TEXENV_F_ADD_SIGNED || func->func == TEXENV_F_MODULATE_SIGNED_ADD;
    func->func = is_signed ? TEXENV_F_COMBINE4_ADD_SIGNED : TEXENV_F_COMBINE4_ADD;
    return true;
}

static bool feed_combine(struct feed *f, unsigned unit, struct stages_stage *stage)
{
    unsigned halves = texenv_func_writes_alpha(stage->half[TEXENV_RGB].func) ? 1 : 2;
    bool combine4 = stage->combine4;
    for (unsigned h = 0; h < halves; h++)
        combine4 |= is_combine4(&stage->half[h]);
    set(f, unit, GL_TEXTURE_ENV_MODE, combine4 ? GL_COMBINE4_NV : GL_COMBINE, stage->mode_place);

    for (unsigned h = 0; h < halves; h++) {
        struct stages_func *func = &stage->half[h];
        /* A function that cannot be rewritten is allowed only with an explicit @combine4: it is then a
         * function that the extension leaves undefined in COMBINE4 mode. */
        if (combine4 && !lift(func) && !stage->combine4)
            return STAGES_FAIL(f->parser, func->place, (int)unit, "combine4",
                               "a*b+c*d makes this a COMBINE4 unit, where only a, a*b, a+b, a+b-0.5, a*b+c "
                               "and a*b+c-0.5 can stand beside it, not this %s function",
                               h == TEXENV_RGB ? "rgb" : "alpha");
        set(f, unit, h == TEXENV_RGB ? GL_COMBINE_RGB : GL_COMBINE_ALPHA, gl_func[func->func], func->place);
        for (unsigned a = 0; a < texenv_func_args(func->func); a++)
            set_arg(f, unit, h, a, &func->arg[a], combine4);
    }
    set(f, unit, GL_RGB_SCALE, stage->scale[TEXENV_RGB], stage->scale_place[TEXENV_RGB]);
    set(f, unit, GL_ALPHA_SCALE, stage->scale[TEXENV_ALPHA], stage->scale_place[TEXENV_ALPHA]);
    return true;
}

static bool feed_stage(struct feed *f, unsigned unit, struct stages_stage *stage)
{
    static const uint16_t gl_mode[] = {
#define STAGE_CLASSIC(id, word) [TEXENV_##id] = GL_##id,
#include "texenv/stages.def"
    };
    static const uint16_t gl_target[TEXENV_TARGETS] = {
#define STAGE_TARGET(id, gl, word) [TEXENV_##id] = GL_##gl,
#include "texenv/stages.def"
    };
    struct texenv_place *slot = f->places->slot[unit];
    slot[TEXENV_AT_ENABLE] = slot[TEXENV_AT_MODE] = slot[TEXENV_AT_IMAGE] = stage->place;
    if (stage->mode == TEXENV_OFF)
        return true;
    f->refused |= texenv_active_texture(f->te, GL_TEXTURE0 + unit);
    f->refused |= texenv_bind_texture(f->te, gl_target[stage->target], &stage->texture);
    f->refused |= texenv_enable(f->te, gl_target[stage->target], true);
    if (stage->texture_place.line)
        slot[TEXENV_AT_IMAGE] = stage->texture_place;
    if (stage->target_place.line)
        slot[TEXENV_AT_ENABLE] = stage->target_place;
    if (stage->mode == TEXENV_COMBINE)
        return feed_combine(f, unit, stage);
    set(f, unit, GL_TEXTURE_ENV_MODE, gl_mode[stage->mode], stage->mode_place);
    return true;
}

/* Adds stages {P} up to unit n if a term Tn refers to a unit beyond the last stage. The founding e-mail uses
 * this notation. */
static void add_stages(struct stages_parser *p)
{
    while (p->nstages <= p->highest) {
        struct stages_stage *stage = &p->stage[p->nstages++];
        memset(stage, 0, sizeof *stage);
        stage->mode = TEXENV_COMBINE;
        stage->texture = (struct texenv_texture){
            .complete = 1, .base = TEXENV_RGBA, .depth_mode = TEXENV_LUMINANCE};
        stage->target = TEXENV_2D;
        stage->place = stage->mode_place = p->highest_place;
        for (unsigned h = 0; h < 2; h++) {
            stage->half[h].func = TEXENV_F_REPLACE;
            stage->half[h].place = stage->scale_place[h] = p->highest_place;
            stage->half[h].arg[0] = (struct stages_term){.source = TEXENV_S_PREVIOUS,
                                                         .place = p->highest_place};
            stage->scale[h] = 1;
        }
    }
}

static void feed_settings(struct feed *f)
{
    const struct stages_parser *p = f->parser;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!p->color_place[u].line)
            continue;
        if (u >= p->nstages || p->stage[u].mode == TEXENV_OFF)
            texenv_emit(p->sink, TEXENV_WARNING, (int)u, p->color_place[u], "color-unused",
                        "unit %u is disabled: its colour has no effect", u);
        f->refused |= texenv_active_texture(f->te, GL_TEXTURE0 + u);
        f->refused |= texenv_tex_env_fv(f->te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, p->color[u]);
        f->places->slot[u][TEXENV_AT_COLOR] = p->color_place[u];
        for (unsigned c = 0; c < 4; c++)
            if (p->color[u][c] != p->color[u][c])
                /* stores NaN for a value that is not known, for which the setter stored 0 */
                f->te->unit[u].env.color[c] = p->color[u][c];
    }
    f->refused |= texenv_active_texture(f->te, GL_TEXTURE0);
    if (p->color_sum)
        f->refused |= texenv_enable(f->te, GL_COLOR_SUM, true);
    if (p->fog != TEXENV_FOG_OFF) {
        static const uint16_t gl_fog[] = {
#define STAGE_FOG(id, gl, word) [TEXENV_FOG_##id] = GL_##gl,
#include "texenv/stages.def"
        };
        f->refused |= texenv_enable(f->te, GL_FOG, true);
        f->refused |= texenv_fog_i(f->te, GL_FOG_MODE, gl_fog[p->fog]);
        f->refused |= texenv_fog_i(f->te, GL_FOG_COORDINATE_SOURCE,
                                   p->fog_coord ? GL_FOG_COORDINATE : GL_FRAGMENT_DEPTH);
    }
    if (p->alpha_test != TEXENV_COMPARE_NONE) {
        f->refused |= texenv_enable(f->te, GL_ALPHA_TEST, true);
        f->refused |= texenv_alpha_func(f->te, GL_NEVER + (uint32_t)(p->alpha_test - TEXENV_NEVER),
                                        p->alpha_ref);
        if (p->alpha_ref != p->alpha_ref)
            f->te->alpha_ref = p->alpha_ref;
    }
}

/* Sets the state that vertex half and environment share: with lighting, the secondary colour is added if
 * specular is separate (3.9); the fog coordinate comes from the fog setting. */
static void feed_vertex(struct feed *f)
{
    struct texenv_vertex *v = &f->parser->vertex;
    if (v->lighting) {
        v->separate_specular |= f->parser->color_sum;
        f->refused |= texenv_enable(f->te, GL_LIGHTING, true);
        f->refused |= texenv_light_model_i(f->te, GL_LIGHT_MODEL_COLOR_CONTROL,
                                           v->separate_specular ? GL_SEPARATE_SPECULAR_COLOR
                                                                : GL_SINGLE_COLOR);
    }
    v->fog_coord = f->te->fog && f->te->fog_coord;
    texenv_vertex_canonicalise(v);
}

static bool feed_state(struct feed *f)
{
    texenv_init(f->te);
    memset(f->places->slot, 0, sizeof f->places->slot);
    add_stages(f->parser);
    for (unsigned u = 0; u < f->parser->nstages; u++)
        if (!feed_stage(f, u, &f->parser->stage[u]))
            return false;
    feed_settings(f);
    feed_vertex(f);
    if (f->refused) /* cannot happen unless grammar and setters disagree */
        return STAGES_FAIL(f->parser, f->places->draw, -1, "internal", "GL refuses this state (0x%x)",
                           f->refused);
    return true;
}

void texenv_read_stages(struct texenv_reader *reader, const char *text, size_t length)
{
    struct stages_parser p = {.sink = &reader->sink};
    struct texenv te;
    struct texenv_places places;
    reader->draws = reader->program_draws = reader->skipped = reader->errors = reader->gl_errors =
        reader->images = 0;
    reader->truncated = false;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* byte order mark */
        text += 3;
        length -= 3;
    }
    text = length ? text : ""; /* text may be NULL then, and C leaves NULL + 0 undefined */
    p.lexer = (struct stages_lexer){.at = text, .end = text + length, .line_start = text, .line = 1};

    while (p.lexer.at < p.lexer.end && p.errors < MAX_ERRORS) {
        const struct stages_lexer start = p.lexer;
        p.token = texenv_stages_lex(&p.lexer);
        if (p.token.kind == STAGES_END) /* an empty line */
            continue;
        places.draw = p.token.place;
        struct feed f = {.parser = &p, .te = &te, .places = &places};
        if (texenv_stages_parse(&p) && feed_state(&f)) {
            const struct texenv_draw draw = {
                .te = &te, .places = &places, .vertex = &p.vertex, .changed = true};
            reader->draws++;
            reader->images += p.nstages; /* the notation defines each texture's format */
            if (reader->on_draw && !reader->on_draw(reader->user, &draw))
                break;
        } else {
            texenv_stages_skip(&p.lexer, &start, &p.token);
        }
    }
    if (reader->draws == 0 && p.errors == 0) {
        p.errors++;
        texenv_emit(&reader->sink, TEXENV_ERROR, -1, (struct texenv_place){.line = 1, .column = 1}, "empty",
                    "no stage in this text");
    }
    reader->errors = p.errors;
}
