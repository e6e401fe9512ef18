/* Prints a canonical state in stage notation (notes/formats/stages.md), or as formulas for people. Reading
 * the notation back gives the same bytes. */
#include "texenv/vertex.h"

#include <string.h>

static const char *const func_text[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = text,
#include "texenv/stages.def"
};
static const char *const func_formula[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = formula,
#include "texenv/stages.def"
};
static const char *const classic_word[] = {
#define STAGE_CLASSIC(id, word) [TEXENV_##id] = word,
#include "texenv/stages.def"
};
static const char *const base_word[TEXENV_BASES] = {
#define STAGE_BASE(id, gl, word) [TEXENV_##id] = word,
#include "texenv/stages.def"
};
static const char *const target_word[TEXENV_TARGETS] = {
#define STAGE_TARGET(id, gl, word) [TEXENV_##id] = word,
#include "texenv/stages.def"
};
static const char *const compare_word[TEXENV_COMPARES] = {
#define STAGE_COMPARE(id, word) [TEXENV_##id] = word,
#include "texenv/stages.def"
};
static const char *const fog_word[] = {
#define STAGE_FOG(id, gl, word) [TEXENV_FOG_##id] = word,
#include "texenv/stages.def"
};

/* ---- terms and functions ---- */

enum style { NOTATION, FORMULA };

/* Prints an argument: ~T0.a in notation, (1-T0.a) in a formula. In an alpha half of the notation `.a` would
 * be redundant and is left out. */
static void print_term(struct texenv_text *text, const struct texenv_arg *arg, unsigned half,
                       enum style style)
{
    static const char letter[TEXENV_SOURCES] = {
        [TEXENV_S_ZERO] = '0',     [TEXENV_S_ONE] = '1',     [TEXENV_S_TEXTURE] = 'T',
        [TEXENV_S_CONSTANT] = 'C', [TEXENV_S_PRIMARY] = 'F', [TEXENV_S_PREVIOUS] = 'P'};
    if (arg->complement)
        texenv_printf(text, style == NOTATION ? "~" : "(1-");
    texenv_printf(text, "%c", letter[arg->source]);
    if (arg->source == TEXENV_S_TEXTURE)
        texenv_printf(text, "%u", arg->unit);
    if (arg->alpha && (half == TEXENV_RGB || style == FORMULA))
        texenv_printf(text, ".a");
    if (arg->complement && style == FORMULA)
        texenv_printf(text, ")");
}

/* Prints the function's template with each $n replaced by argument n. */
static void print_function(struct texenv_text *text, const struct texenv_half *function, unsigned half,
                           enum style style)
{
    const char *form = style == NOTATION ? func_text[function->func] : func_formula[function->func];
    for (; *form; form++) {
        if (*form == '$')
            print_term(text, &function->arg[*++form - '0'], half, style);
        else
            texenv_printf(text, "%c", *form);
    }
}

static bool is_dot3(unsigned func) { return func >= TEXENV_F_DOT3_RGB && func <= TEXENV_F_DOT3_RGBA_EXT; }

static bool same_term(const struct texenv_arg *a, const struct texenv_arg *b)
{
    return a->source == b->source && a->unit == b->unit && a->complement == b->complement;
}

/* Returns whether the reader derives this alpha half by itself if only the rgb function of the stage is
 * written. */
static bool alpha_is_implied(const struct texenv_stage *stage)
{
    const struct texenv_half *rgb = &stage->half[TEXENV_RGB], *alpha = &stage->half[TEXENV_ALPHA];
    if (texenv_func_writes_alpha((enum texenv_func)rgb->func))
        return true;
    if (is_dot3(rgb->func)) { /* the implied alpha half is P, in COMBINE4 mode written P*1+0*0 */
        static const uint8_t lifted[TEXENV_ARGS] = {TEXENV_S_PREVIOUS, TEXENV_S_ONE, TEXENV_S_ZERO,
                                                    TEXENV_S_ZERO};
        bool combine4 = stage->mode == TEXENV_COMBINE4;
        if (alpha->func != (combine4 ? TEXENV_F_COMBINE4_ADD : TEXENV_F_REPLACE))
            return false;
        for (unsigned a = 0; a < texenv_func_args((enum texenv_func)alpha->func); a++)
            if (alpha->arg[a].source != lifted[a] || alpha->arg[a].complement)
                return false;
        return true;
    }
    if (rgb->func != alpha->func)
        return false;
    for (unsigned a = 0; a < texenv_func_args((enum texenv_func)rgb->func); a++)
        if (!same_term(&rgb->arg[a], &alpha->arg[a]))
            return false;
    return true;
}

/* Returns whether the stage needs the word @combine4. Four arguments already identify a COMBINE4 unit, so
 * only units with a function that the extension leaves undefined in COMBINE4 mode need it. */
static bool needs_combine4(const struct texenv_stage *stage)
{
    return stage->mode == TEXENV_COMBINE4 &&
        (texenv_func_args((enum texenv_func)stage->half[TEXENV_RGB].func) != TEXENV_ARGS ||
         texenv_func_args((enum texenv_func)stage->half[TEXENV_ALPHA].func) != TEXENV_ARGS);
}

/* ---- stages ---- */

static void print_attributes(struct texenv_text *text, const struct texenv_stage *stage)
{
    if (stage->depth) {
        texenv_printf(text, stage->depth == 2 ? " @shadow" : " @depth");
        if (stage->base != TEXENV_LUMINANCE)
            texenv_printf(text, ":%s", base_word[stage->base]);
    } else if (stage->base != TEXENV_RGBA) {
        texenv_printf(text, " @%s", base_word[stage->base]);
    }
    if (stage->target != TEXENV_2D)
        texenv_printf(text, " @%s", target_word[stage->target]);
    if (needs_combine4(stage))
        texenv_printf(text, " @combine4");
}

void texenv_print_stage(struct texenv_text *text, const struct texenv_state *state, unsigned unit)
{
    const struct texenv_stage *stage = &state->stage[unit];
    const struct texenv_half *rgb = &stage->half[TEXENV_RGB], *alpha = &stage->half[TEXENV_ALPHA];
    texenv_printf(text, "{");
    if (stage->mode == TEXENV_OFF) {
        texenv_printf(text, "}");
        return;
    }
    if (stage->mode < TEXENV_COMBINE) {
        texenv_printf(text, "%s", classic_word[stage->mode]);
        print_attributes(text, stage);
        texenv_printf(text, "}");
        return;
    }
    print_function(text, rgb, TEXENV_RGB, NOTATION);
    if (!alpha_is_implied(stage)) {
        texenv_printf(text, "; ");
        print_function(text, alpha, TEXENV_ALPHA, NOTATION);
    }
    print_attributes(text, stage);
    texenv_printf(text, "}");
    if (rgb->scale != alpha->scale)
        texenv_printf(text, "*%u;%u", rgb->scale, alpha->scale);
    else if (rgb->scale != 1)
        texenv_printf(text, "*%u", rgb->scale);
}

void texenv_print_stages(struct texenv_text *text, const struct texenv_state *state)
{
    static const struct texenv_vertex initial;
    texenv_print_stages_vertex(text, state, &initial);
}

/* Prints the part of the vertex half that the environment's own settings do not already express. */
static void print_vertex(struct texenv_text *text, const struct texenv_vertex *vertex)
{
    static const struct texenv_vertex initial;
    struct texenv_vertex rest = *vertex;
    rest.fog_coord = 0; /* printed as fog=MODE:coord */
    if (memcmp(&rest, &initial, sizeof rest) == 0)
        return;
    texenv_printf(text, " vertex(");
    texenv_print_vertex(text, &rest);
    texenv_printf(text, ")");
}

/* Prints a value, or "?" if it is NaN (not known). */
static void print_open(struct texenv_text *text, float value)
{
    texenv_printf(text, value != value ? "?" : "%f", (double)value);
}

void texenv_print_stages_vertex(struct texenv_text *text, const struct texenv_state *state,
                                const struct texenv_vertex *vertex)
{
    for (unsigned u = 0; u < state->nstages; u++) {
        if (u > 0)
            texenv_printf(text, " ");
        texenv_print_stage(text, state, u);
    }
    if (state->nstages == 0)
        texenv_printf(text, "{}");
    for (unsigned u = 0; u < state->nstages; u++) {
        const float *c = state->stage[u].color;
        if (!texenv_stage_color_use(&state->stage[u]))
            continue;
        texenv_printf(text, " C%u=(", u);
        for (unsigned i = 0; i < 4; i++) {
            print_open(text, c[i]);
            texenv_printf(text, i < 3 ? "," : ")");
        }
    }
    if (state->fog != TEXENV_FOG_OFF)
        texenv_printf(text, " fog=%s%s", fog_word[state->fog], state->fog_coord ? ":coord" : "");
    if (state->color_sum)
        texenv_printf(text, " colorsum");
    if (state->alpha_test) {
        texenv_printf(text, " alphatest=%s:", compare_word[state->alpha_test]);
        print_open(text, state->alpha_ref);
    }
    print_vertex(text, vertex);
    texenv_printf(text, "\n");
}

/* ---- formulas ---- */

void texenv_print_formula(struct texenv_text *text, const struct texenv_state *state, unsigned unit,
                          unsigned half)
{
    struct texenv_half halves[2];
    texenv_stage_halves(halves, state, unit);
    /* A dot product that also writes alpha sets alpha to the rgb function's value times alpha's scale. */
    bool from_rgb = half == TEXENV_ALPHA &&
        texenv_func_writes_alpha((enum texenv_func)halves[TEXENV_RGB].func);
    unsigned scale = halves[half].scale;
    texenv_printf(text, half == TEXENV_RGB ? "rgb = " : "alpha = ");
    if (scale > 1)
        texenv_printf(text, "%u*(", scale);
    print_function(text, &halves[from_rgb ? TEXENV_RGB : half], half, FORMULA);
    if (scale > 1)
        texenv_printf(text, ")");
}
