/* Reduces GL-side state (struct texenv) to canonical state (struct texenv_state), which describes what a draw
 * computes and nothing else. The policies of notes/choices.md are applied here and nowhere later. */
#include "texenv/gl.h"
#include "texenv/texenv.h"

#include <string.h>

/* For each function: the number of arguments, and the GL enumerant that selects it in COMBINE and in COMBINE4
 * (0 if none does). */
static const struct {
    uint8_t args;
    uint16_t combine, combine4;
} functions[TEXENV_FUNCS] = {
    [TEXENV_F_REPLACE] = {1, GL_REPLACE, 0},
    [TEXENV_F_MODULATE] = {2, GL_MODULATE, 0},
    [TEXENV_F_ADD] = {2, GL_ADD, 0},
    [TEXENV_F_ADD_SIGNED] = {2, GL_ADD_SIGNED, 0},
    [TEXENV_F_INTERPOLATE] = {3, GL_INTERPOLATE, 0},
    [TEXENV_F_SUBTRACT] = {2, GL_SUBTRACT, 0},
    [TEXENV_F_DOT3_RGB] = {2, GL_DOT3_RGB, 0},
    [TEXENV_F_DOT3_RGBA] = {2, GL_DOT3_RGBA, 0},
    [TEXENV_F_DOT3_RGB_EXT] = {2, GL_DOT3_RGB_EXT, 0},
    [TEXENV_F_DOT3_RGBA_EXT] = {2, GL_DOT3_RGBA_EXT, 0},
    [TEXENV_F_MODULATE_ADD] = {3, GL_MODULATE_ADD_ATI, 0},
    [TEXENV_F_MODULATE_SIGNED_ADD] = {3, GL_MODULATE_SIGNED_ADD_ATI, 0},
    [TEXENV_F_MODULATE_SUBTRACT] = {3, GL_MODULATE_SUBTRACT_ATI, 0},
    [TEXENV_F_COMBINE4_ADD] = {4, 0, GL_ADD},
    [TEXENV_F_COMBINE4_ADD_SIGNED] = {4, 0, GL_ADD_SIGNED},
};

unsigned texenv_func_args(enum texenv_func func) { return functions[func].args; }

bool texenv_func_writes_alpha(enum texenv_func func)
{
    return func == TEXENV_F_DOT3_RGBA || func == TEXENV_F_DOT3_RGBA_EXT;
}

static uint8_t func_of(uint32_t combine, bool combine4)
{
    for (unsigned f = 0; combine4 && f < TEXENV_FUNCS; f++)
        if (functions[f].combine4 == combine)
            return (uint8_t)f;
    for (unsigned f = 0; f < TEXENV_FUNCS; f++)
        if (functions[f].combine == combine)
            return (uint8_t)f;
    return TEXENV_F_REPLACE; /* not reached: the setters accept known functions only */
}

unsigned texenv_stage_color_unknown(const struct texenv_stage *stage)
{
    unsigned use = texenv_stage_color_use(stage), unknown = 0;
    for (unsigned c = 0; c < 4; c++)
        if (use & (c < 3 ? 1u : 2u) && stage->color[c] != stage->color[c])
            unknown |= 1u << c;
    return unknown;
}

/* Returns what the arguments of a combiner stage read of this source: of the constant bit 0 for its colour
 * and 1 for its alpha, of textures a bit for each unit. */
static unsigned reads_of(const struct texenv_stage *stage, unsigned source)
{
    unsigned use = 0;
    for (unsigned h = 0; h < 2; h++) {
        if (h == TEXENV_ALPHA && texenv_func_writes_alpha(stage->half[TEXENV_RGB].func))
            continue;
        for (unsigned a = 0; a < functions[stage->half[h].func].args; a++) {
            const struct texenv_arg *arg = &stage->half[h].arg[a];
            if (arg->source == source)
                use |= 1u << (source == TEXENV_S_CONSTANT ? arg->alpha : arg->unit);
        }
    }
    return use;
}

unsigned texenv_stage_color_use(const struct texenv_stage *stage)
{
    /* table 3.22: alpha textures read no Cc, intensity textures also read Ac, all others read Cc only */
    if (stage->mode == TEXENV_BLEND)
        return stage->base == TEXENV_BASE_ALPHA ? 0 : stage->base == TEXENV_INTENSITY ? 3 : 1;
    if (stage->mode < TEXENV_COMBINE)
        return 0;
    return reads_of(stage, TEXENV_S_CONSTANT);
}

unsigned texenv_stage_textures(const struct texenv_state *state, unsigned unit)
{
    const struct texenv_stage *stage = &state->stage[unit];
    if (stage->mode == TEXENV_OFF)
        return 0;
    if (stage->mode < TEXENV_COMBINE)
        return 1u << unit;
    return reads_of(stage, TEXENV_S_TEXTURE);
}

/* Short names for the tables in texenv_stage_halves, which express the classic modes as functions
 * of COMBINE. */
enum { T = TEXENV_S_TEXTURE, P = TEXENV_S_PREVIOUS, C = TEXENV_S_CONSTANT };

static void set_half(struct texenv_half *half, unsigned func, const uint8_t *source, unsigned unit,
                     bool alpha)
{
    *half = (struct texenv_half){.func = (uint8_t)func, .scale = 1};
    for (unsigned a = 0; a < functions[func].args; a++)
        half->arg[a] = (struct texenv_arg){
            .source = source[a], .unit = (uint8_t)(source[a] == T ? unit : 0), .alpha = alpha};
}

void texenv_stage_halves(struct texenv_half half[2], const struct texenv_state *state, unsigned unit)
{
    const struct texenv_stage *stage = &state->stage[unit];
    if (stage->mode >= TEXENV_COMBINE) {
        memcpy(half, stage->half, sizeof stage->half);
        return;
    }
    static const uint8_t previous[] = {P}, texel[] = {T}, both[] = {P, T}, blend[] = {C, P, T},
                         decal[] = {T, P, T};
    bool has_rgb = stage->base != TEXENV_BASE_ALPHA;
    bool has_alpha = stage->base == TEXENV_RGBA || stage->base == TEXENV_BASE_ALPHA ||
        stage->base == TEXENV_LUMINANCE_ALPHA || stage->base == TEXENV_INTENSITY;
    bool intensity = stage->base == TEXENV_INTENSITY;
    bool has[2] = {has_rgb, has_alpha};
    for (unsigned h = 0; h < 2; h++)
        set_half(&half[h], TEXENV_F_REPLACE, previous, unit, h);
    for (unsigned h = 0; h < 2; h++) {
        if (!has[h])
            continue; /* tables 3.22, 3.23: a half that the texture lacks keeps the previous result */
        /* BLEND and ADD treat the alpha of an intensity texture as they treat its colour */
        bool as_color = h == TEXENV_RGB || intensity;
        switch (stage->mode) {
        case TEXENV_REPLACE: set_half(&half[h], TEXENV_F_REPLACE, texel, unit, h); break;
        case TEXENV_MODULATE: set_half(&half[h], TEXENV_F_MODULATE, both, unit, h); break;
        case TEXENV_BLEND:
            set_half(&half[h], as_color ? TEXENV_F_INTERPOLATE : TEXENV_F_MODULATE, as_color ? blend : both,
                     unit, h);
            break;
        case TEXENV_ADD:
            set_half(&half[h], as_color ? TEXENV_F_ADD : TEXENV_F_MODULATE, both, unit, h);
            break;
        default: break;
        }
    }
    if (stage->mode == TEXENV_DECAL && stage->base == TEXENV_RGBA) {
        set_half(&half[TEXENV_RGB], TEXENV_F_INTERPOLATE, decal, unit, false);
        half[TEXENV_RGB].arg[2].alpha = 1; /* Cp*(1-As) + Cs*As */
    } else if (stage->mode == TEXENV_DECAL &&
               (stage->base == TEXENV_BASE_RGB || stage->base == TEXENV_RED || stage->base == TEXENV_RG)) {
        set_half(&half[TEXENV_RGB], TEXENV_F_REPLACE, texel, unit, false);
    }
}

bool texenv_policy_set(struct texenv_policy *policy, const char *text)
{
    static const struct {
        const char *text;
        uint8_t is_dot3, value;
    } rows[] = {
        {"crossbar-off=pass", 0, TEXENV_CROSSBAR_PASS},   {"crossbar-off=one", 0, TEXENV_CROSSBAR_ONE},
        {"crossbar-off=zero", 0, TEXENV_CROSSBAR_ZERO},   {"crossbar-off=refuse", 0, TEXENV_CROSSBAR_REFUSE},
        {"dot3-alpha=alpha", 1, TEXENV_DOT3_ALPHA_SCALE}, {"dot3-alpha=rgb", 1, TEXENV_DOT3_RGB_SCALE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].text, text) == 0) {
            *(rows[i].is_dot3 ? &policy->dot3_alpha : &policy->crossbar_off) = rows[i].value;
            return true;
        }
    return false;
}

/* Inputs and working state of one canonicalisation. */
struct canon {
    struct texenv_state *out;
    const struct texenv *te;
    struct texenv_policy policy;
    const struct texenv_places *places;
    const struct texenv_sink *sink;
    unsigned live; /* bit u: unit u is enabled and its texture complete */
    /* bit u: unit u is live, but policy crossbar-off makes it pass the previous result through */
    unsigned passed;
    bool refused;
};

static struct texenv_place place_of(const struct canon *c, unsigned unit, int slot)
{
    static const struct texenv_place nowhere;
    if (!c->places)
        return nowhere;
    struct texenv_place p = c->places->slot[unit][slot];
    return p.line ? p : c->places->draw;
}

#define EMIT(c, severity, unit, slot, ...) \
    texenv_emit((c)->sink, severity, (int)(unit), place_of(c, unit, slot), __VA_ARGS__)

/* Stores base format, target and depth of the texture that unit u uses. Returns false if the unit is disabled
 * or its texture incomplete. */
static bool resolve_texture(struct canon *c, unsigned u, bool textures_complete)
{
    const struct texenv_unit *unit = &c->te->unit[u];
    if (!unit->enabled)
        return false;
    unsigned target = TEXENV_TARGETS - 1;
    while (!(unit->enabled & 1u << target))
        target--;
    if (unit->enabled & ((1u << target) - 1))
        EMIT(c, TEXENV_NOTE, u, TEXENV_AT_ENABLE, "target-hidden",
             "unit %d: several texture targets are enabled; the one of highest priority counts", u);
    static const struct texenv_texture rgba = {.complete = 1, .base = TEXENV_RGBA};
    const struct texenv_texture *t = &unit->texture[target];
    if (!t->complete && textures_complete)
        t = &rgba;
    if (!t->complete) {
        EMIT(c, TEXENV_WARNING, u, TEXENV_AT_ENABLE, "incomplete",
             "unit %d: the texture has no image at level 0; the unit counts as disabled", u);
        return false;
    }
    struct texenv_stage *stage = &c->out->stage[u];
    stage->target = (uint8_t)target;
    /* depth_mode is 0, which also means LUMINANCE, if the caller zeroed the struct and never set it */
    uint8_t depth_mode = t->depth_mode == TEXENV_RGBA ? TEXENV_LUMINANCE : t->depth_mode;
    stage->base = t->base == TEXENV_DEPTH ? depth_mode : t->base;
    stage->depth = t->base != TEXENV_DEPTH ? 0 : t->compare ? 2 : 1;
    return true;
}

static struct texenv_arg literal(bool one)
{
    return (struct texenv_arg){.source = one ? TEXENV_S_ONE : TEXENV_S_ZERO};
}

static struct texenv_arg canon_arg(struct canon *c, unsigned u, unsigned h, unsigned a, bool combine4)
{
    const struct texenv_env *env = &c->te->unit[u].env;
    uint32_t source = env->source[h][a], operand = env->operand[h][a];
    bool complement = operand == GL_ONE_MINUS_SRC_COLOR || operand == GL_ONE_MINUS_SRC_ALPHA;
    struct texenv_arg arg = {.complement = complement,
                             .alpha = h == TEXENV_ALPHA || operand == GL_SRC_ALPHA ||
                                 operand == GL_ONE_MINUS_SRC_ALPHA};
    switch (source) {
    case GL_ZERO: return literal(complement);
    case GL_ONE: return literal(!complement);
    case GL_CONSTANT: arg.source = TEXENV_S_CONSTANT; return arg;
    case GL_PRIMARY_COLOR: arg.source = TEXENV_S_PRIMARY; return arg;
    case GL_PREVIOUS: arg.source = TEXENV_S_PREVIOUS; return arg;
    default: break;
    }
    arg.source = TEXENV_S_TEXTURE;
    arg.unit = (uint8_t)(source == GL_TEXTURE ? u : source - GL_TEXTURE0);
    if (c->live & 1u << arg.unit)
        return arg;

    unsigned rule = c->policy.crossbar_off;
    if (rule == TEXENV_CROSSBAR_DEFAULT)
        rule = combine4 ? TEXENV_CROSSBAR_ONE : TEXENV_CROSSBAR_PASS;
    int slot = (h == TEXENV_RGB ? TEXENV_AT_SOURCE_RGB : TEXENV_AT_SOURCE_ALPHA) + (int)a;
    if (rule == TEXENV_CROSSBAR_REFUSE) {
        EMIT(c, TEXENV_ERROR, u, slot, "crossbar-off",
             "unit %d reads the texture of unit %d, which is disabled or incomplete (policy "
             "crossbar-off=refuse)",
             u, arg.unit);
        c->refused = true;
        return literal(false);
    }
    static const char *const taken[] = {"", "the unit passes the previous result through",
                                        "the texel counts as 1", "the texel counts as 0"};
    EMIT(c, TEXENV_WARNING, u, slot, "crossbar-off",
         "unit %d reads the texture of unit %d, which is disabled or incomplete: %s", u, arg.unit,
         taken[rule]);
    if (rule == TEXENV_CROSSBAR_PASS)
        c->passed |= 1u << u;
    return literal((rule == TEXENV_CROSSBAR_ONE) != complement);
}

/* Rewrites a function that NV_texture_env_combine4 leaves undefined in COMBINE4 mode, where it is taken to
 * mean the same as in COMBINE: as the four-argument function with the same value, if there is one. Other
 * functions are left unchanged. */
static void lift(struct texenv_half *half)
{
    struct texenv_arg *a = half->arg, zero = literal(false), one = literal(true), a1 = a[1];
    switch (half->func) {
    case TEXENV_F_REPLACE: a[1] = one, a[2] = zero, a[3] = zero; break;
    case TEXENV_F_MODULATE: a[2] = zero, a[3] = zero; break;
    case TEXENV_F_MODULATE_ADD:
    case TEXENV_F_MODULATE_SIGNED_ADD: a[1] = a[2], a[2] = a1, a[3] = one; break;
    default: return;
    }
    half->func = half->func == TEXENV_F_MODULATE_SIGNED_ADD ? TEXENV_F_COMBINE4_ADD_SIGNED
                                                            : TEXENV_F_COMBINE4_ADD;
}

static void canon_combine(struct canon *c, unsigned u)
{
    const struct texenv_env *env = &c->te->unit[u].env;
    struct texenv_stage *stage = &c->out->stage[u];
    bool combine4 = env->mode == GL_COMBINE4_NV;
    bool alpha_from_rgb = texenv_func_writes_alpha(func_of(env->combine[TEXENV_RGB], combine4));
    bool is4[2] = {false, false};

    for (unsigned h = 0; h < (alpha_from_rgb ? 1u : 2u); h++) {
        struct texenv_half *half = &stage->half[h];
        half->func = func_of(env->combine[h], combine4);
        half->scale = env->scale[h];
        is4[h] = functions[half->func].combine4 != 0;
        if (combine4 && !is4[h])
            EMIT(c, TEXENV_WARNING, u, h ? TEXENV_AT_COMBINE_ALPHA : TEXENV_AT_COMBINE_RGB,
                 "combine4-undefined",
                 "unit %d: COMBINE4 with a function other than ADD and ADD_SIGNED is undefined; taken as in "
                 "COMBINE",
                 u);
        for (unsigned a = 0; a < functions[half->func].args; a++)
            half->arg[a] = canon_arg(c, u, h, a, combine4);
    }
    stage->mode = is4[TEXENV_RGB] || is4[TEXENV_ALPHA] ? TEXENV_COMBINE4 : TEXENV_COMBINE;
    for (unsigned h = 0; h < 2 && stage->mode == TEXENV_COMBINE4; h++)
        if (!is4[h])
            lift(&stage->half[h]);

    struct texenv_half *rgb = &stage->half[TEXENV_RGB], *alpha = &stage->half[TEXENV_ALPHA];
    if (alpha_from_rgb)
        alpha->scale = c->policy.dot3_alpha == TEXENV_DOT3_RGB_SCALE ? env->scale[TEXENV_RGB]
                                                                     : env->scale[TEXENV_ALPHA];
    if (rgb->func == TEXENV_F_DOT3_RGB_EXT || rgb->func == TEXENV_F_DOT3_RGBA_EXT) {
        if (env->scale[TEXENV_RGB] != 1)
            EMIT(c, TEXENV_NOTE, u, TEXENV_AT_SCALE_RGB, "scale-inert",
                 "unit %d: RGB_SCALE has no effect on the dot products of EXT_texture_env_dot3", u);
        rgb->scale = 1;
        if (alpha_from_rgb)
            alpha->scale = 1;
    }
}

static void canon_classic(struct canon *c, unsigned u)
{
    const struct texenv_env *env = &c->te->unit[u].env;
    struct texenv_stage *stage = &c->out->stage[u];
    switch (env->mode) {
    case GL_DECAL: stage->mode = TEXENV_DECAL; break;
    case GL_BLEND: stage->mode = TEXENV_BLEND; break;
    case GL_ADD: stage->mode = TEXENV_ADD; break;
    case GL_REPLACE:
    case GL_REPLACE_EXT: stage->mode = TEXENV_REPLACE; break;
    default: stage->mode = TEXENV_MODULATE; break;
    }
    if (stage->mode == TEXENV_DECAL && stage->base != TEXENV_RGBA && stage->base != TEXENV_BASE_RGB &&
        stage->base != TEXENV_RED && stage->base != TEXENV_RG)
        EMIT(c, TEXENV_WARNING, u, TEXENV_AT_MODE, "decal-undefined",
             "unit %d: DECAL is undefined for this base format; the previous result is kept", u);
    for (unsigned h = 0; h < 2; h++)
        if (env->scale[h] != 1)
            EMIT(c, TEXENV_NOTE, u, h ? TEXENV_AT_SCALE_ALPHA : TEXENV_AT_SCALE_RGB, "scale-inert",
                 "unit %d: the scale has no effect in this mode", u);
}

/* Makes a stage pass the previous result through: it becomes OFF, or, if another unit reads this unit's
 * texture, a COMBINE stage REPLACE(PREVIOUS), which keeps the texture enabled. */
static void pass_through(struct texenv_stage *stage, bool texture_read)
{
    struct texenv_stage keep = *stage;
    memset(stage, 0, sizeof *stage);
    if (!texture_read)
        return;
    stage->mode = TEXENV_COMBINE;
    stage->base = keep.base, stage->target = keep.target, stage->depth = keep.depth;
    for (unsigned h = 0; h < 2; h++) {
        stage->half[h].func = TEXENV_F_REPLACE;
        stage->half[h].scale = 1;
        stage->half[h].arg[0] = (struct texenv_arg){.source = TEXENV_S_PREVIOUS, .alpha = h == TEXENV_ALPHA};
    }
}

bool texenv_canonicalise(struct texenv_state *out, const struct texenv *te,
                         const struct texenv_policy *policy, bool textures_complete,
                         const struct texenv_places *places, const struct texenv_sink *sink)
{
    struct canon c = {.out = out, .te = te, .places = places, .sink = sink};
    if (policy)
        c.policy = *policy;
    memset(out, 0, sizeof *out);

    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (resolve_texture(&c, u, textures_complete))
            c.live |= 1u << u;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (c.live & 1u << u) {
            if (te->unit[u].env.mode == GL_COMBINE || te->unit[u].env.mode == GL_COMBINE4_NV)
                canon_combine(&c, u);
            else
                canon_classic(&c, u);
        }

    unsigned read = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (!(c.passed & 1u << u))
            read |= texenv_stage_textures(out, u);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        struct texenv_stage *stage = &out->stage[u];
        if (c.passed & 1u << u)
            pass_through(stage, read & 1u << u);
        if (stage->mode == TEXENV_OFF)
            continue;
        out->nstages = (uint8_t)(u + 1);
        if (!(read & 1u << u)) /* no stage reads this texture: format and target do not matter */
            stage->base = TEXENV_RGBA, stage->target = TEXENV_2D, stage->depth = 0;
        /* copies all four components, even if only some are read, because the colour is uploaded as one
         * constant */
        if (texenv_stage_color_use(stage))
            memcpy(stage->color, te->unit[u].env.color, sizeof stage->color);
    }

    /* Colour sum (3.9). With lighting the sum always takes place, but the secondary colour is 0 unless
     * specular is separate. */
    out->color_sum = te->lighting ? te->separate_specular : te->color_sum;
    if (te->fog) {
        out->fog = te->fog_mode;
        out->fog_coord = te->fog_coord;
    }
    if (te->alpha_test && te->alpha_func != TEXENV_ALWAYS) {
        out->alpha_test = te->alpha_func;
        out->alpha_ref = te->alpha_func == TEXENV_NEVER ? 0 : te->alpha_ref;
    }
    return !c.refused;
}
