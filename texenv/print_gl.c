/* Prints a canonical state as the GL calls that produce it from the initial GL
 * state (notes/formats/gl.md). */
#include "texenv/print_values.h"
#include "texenv/vertex_words.h"

static const char *const func_token[TEXENV_FUNCS] = {
#define STAGE_FUNC(id, gl, text, formula) [TEXENV_F_##id] = "GL_" #gl,
#include "texenv/stages.def"
};
static const char *const classic_token[] = {
#define STAGE_CLASSIC(id, word) [TEXENV_##id] = "GL_" #id,
#include "texenv/stages.def"
};
static const char *const base_token[TEXENV_BASES] = {
#define STAGE_BASE(id, gl, word) [TEXENV_##id] = "GL_" #gl,
#include "texenv/stages.def"
};
static const char *const target_token[TEXENV_TARGETS] = {
#define STAGE_TARGET(id, gl, word) [TEXENV_##id] = "GL_" #gl,
#include "texenv/stages.def"
};
static const char *const compare_token[TEXENV_COMPARES] = {
#define STAGE_COMPARE(id, word) [TEXENV_##id] = "GL_" #id,
#include "texenv/stages.def"
};
static const char *const fog_token[] = {
#define STAGE_FOG(id, gl, word) [TEXENV_FOG_##id] = "GL_" #gl,
#include "texenv/stages.def"
};

static unsigned dimensions_of(const struct texenv_stage *stage)
{
    return stage->target == TEXENV_1D ? 1 : stage->target == TEXENV_3D ? 3 : 2;
}

/* Returns whether size and format of the image are known and the format has the stage's base format. */
static bool is_known(const struct texenv_texture_info *info, const struct texenv_stage *stage)
{
    bool known = info && texenv_base_of(info->internal_format) == (stage->depth ? TEXENV_DEPTH : stage->base);
    for (unsigned i = 0; i < dimensions_of(stage) && known; i++)
        known = info->size[i] && info->size[i] != TEXENV_NOT_KNOWN;
    return known;
}

/* Prints the image with its known size and format, or else a single texel of the base format. INTENSITY is
 * only an internal format (table 3.3): the pixel data of such an image is LUMINANCE. */
static void print_image(struct texenv_text *text, const struct texenv_stage *stage, const char *image_target,
                        const struct texenv_texture_info *info)
{
    const char *base = stage->depth ? "GL_DEPTH_COMPONENT" : base_token[stage->base];
    const char *format = !stage->depth && stage->base == TEXENV_INTENSITY ? "GL_LUMINANCE" : base;
    const bool known = is_known(info, stage);
    const char *internal = !known   ? base
        : info->internal_format > 4 ? texenv_token_name(info->internal_format)
                                    : NULL;
    texenv_printf(text, "glTexImage%uD(%s, 0, ", dimensions_of(stage), image_target);
    if (internal)
        texenv_printf(text, "%s", internal);
    else
        texenv_printf(text, "%u", info->internal_format);
    for (unsigned i = 0; i < dimensions_of(stage); i++)
        texenv_printf(text, ", %u", known ? info->size[i] : 1);
    texenv_printf(text, ", 0, %s, GL_UNSIGNED_BYTE, NULL);\n", format);
}

static void print_parameters(struct texenv_text *text, const char *target,
                             const struct texenv_texture_info *info)
{
    static const char *const names[TEXENV_TEXTURE_PARAMETERS] = {"MIN_FILTER", "MAG_FILTER", "WRAP_S",
                                                                 "WRAP_T", "WRAP_R"};
    for (unsigned i = 0; i < TEXENV_TEXTURE_PARAMETERS; i++)
        if (texenv_filter_name(info->parameter[i]))
            texenv_printf(text, "glTexParameteri(%s, GL_TEXTURE_%s, %s);\n", target, names[i],
                          texenv_filter_name(info->parameter[i]));
}

/* info is NULL if nothing is known about the texture. */
static void print_texture(struct texenv_text *text, const struct texenv_stage *stage, unsigned unit,
                          const struct texenv_texture_info *info)
{
    static const char *const faces[] = {"GL_TEXTURE_CUBE_MAP_POSITIVE_X", "GL_TEXTURE_CUBE_MAP_NEGATIVE_X",
                                        "GL_TEXTURE_CUBE_MAP_POSITIVE_Y", "GL_TEXTURE_CUBE_MAP_NEGATIVE_Y",
                                        "GL_TEXTURE_CUBE_MAP_POSITIVE_Z", "GL_TEXTURE_CUBE_MAP_NEGATIVE_Z"};
    const char *target = target_token[stage->target];
    texenv_printf(text, "glBindTexture(%s, %u);\n", target,
                  info && info->name != TEXENV_NOT_KNOWN ? info->name : 100 * (unit + 1));
    if (stage->target != TEXENV_CUBE)
        print_image(text, stage, target, info);
    for (unsigned f = 0; stage->target == TEXENV_CUBE && f < 6; f++)
        print_image(text, stage, faces[f], info);
    if (info)
        print_parameters(text, target, info);
    if (stage->depth)
        texenv_printf(text, "glTexParameteri(%s, GL_DEPTH_TEXTURE_MODE, %s);\n", target,
                      base_token[stage->base]);
    if (stage->depth == 2)
        texenv_printf(text, "glTexParameteri(%s, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);\n",
                      target);
    texenv_printf(text, "glEnable(%s);\n", target);
}

static void print_env(struct texenv_text *text, const char *pname, const char *value)
{
    texenv_printf(text, "glTexEnvi(GL_TEXTURE_ENV, %s, %s);\n", pname, value);
}

static void print_arg(struct texenv_text *text, const struct texenv_stage *stage, unsigned unit,
                      unsigned half, unsigned number)
{
    static const char *const source[TEXENV_SOURCES] = {[TEXENV_S_ZERO] = "GL_ZERO",
                                                       [TEXENV_S_ONE] = "GL_ONE",
                                                       [TEXENV_S_TEXTURE] = "GL_TEXTURE",
                                                       [TEXENV_S_CONSTANT] = "GL_CONSTANT",
                                                       [TEXENV_S_PRIMARY] = "GL_PRIMARY_COLOR",
                                                       [TEXENV_S_PREVIOUS] = "GL_PREVIOUS"};
    const struct texenv_arg *arg = &stage->half[half].arg[number];
    const char *channels = half == TEXENV_RGB ? "RGB" : "ALPHA", *suffix = number == 3 ? "_NV" : "",
               *name = source[arg->source];
    bool complement = arg->complement;
    /* NV_texture_env_combine4 has no source ONE: print the complement of ZERO */
    if (arg->source == TEXENV_S_ONE && stage->mode == TEXENV_COMBINE4) {
        name = source[TEXENV_S_ZERO];
        complement = true;
    }
    texenv_printf(text, "glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE%u_%s%s, %s", number, channels, suffix, name);
    if (arg->source == TEXENV_S_TEXTURE && arg->unit != unit)
        texenv_printf(text, "%u", arg->unit);
    texenv_printf(text, ");\nglTexEnvi(GL_TEXTURE_ENV, GL_OPERAND%u_%s%s, GL_%sSRC_%s);\n", number, channels,
                  suffix, complement ? "ONE_MINUS_" : "",
                  half == TEXENV_ALPHA || arg->alpha ? "ALPHA" : "COLOR");
}

static void print_combine(struct texenv_text *text, const struct texenv_stage *stage, unsigned unit)
{
    unsigned halves = texenv_func_writes_alpha((enum texenv_func)stage->half[TEXENV_RGB].func) ? 1 : 2;
    print_env(text, "GL_TEXTURE_ENV_MODE", stage->mode == TEXENV_COMBINE4 ? "GL_COMBINE4_NV" : "GL_COMBINE");
    for (unsigned h = 0; h < halves; h++) {
        print_env(text, h == TEXENV_RGB ? "GL_COMBINE_RGB" : "GL_COMBINE_ALPHA",
                  func_token[stage->half[h].func]);
        for (unsigned a = 0; a < texenv_func_args((enum texenv_func)stage->half[h].func); a++)
            print_arg(text, stage, unit, h, a);
    }
    texenv_printf(text, "glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, %u);\n", stage->half[TEXENV_RGB].scale);
    texenv_printf(text, "glTexEnvi(GL_TEXTURE_ENV, GL_ALPHA_SCALE, %u);\n", stage->half[TEXENV_ALPHA].scale);
}

void texenv_print_gl(struct texenv_text *text, const struct texenv_state *state)
{
    static const struct texenv_vertex initial;
    texenv_print_gl_vertex(text, state, &initial);
}

void texenv_print_gl_vertex(struct texenv_text *text, const struct texenv_state *state,
                            const struct texenv_vertex *vertex)
{
    texenv_print_gl_values(text, state, vertex, NULL, NULL, NULL);
}

/* Returns the primitive type to print: triangles if the type is not known and makes no difference. */
static const char *draws(const struct texenv_raster *raster, const struct texenv_values *values)
{
    if (raster->points != 0xff)
        return raster->points ? "GL_POINTS" : "GL_TRIANGLES";
    return raster->sprites || (values && values->point.size != 1) ? "unknown" : "GL_TRIANGLES";
}

void texenv_print_gl_values(struct texenv_text *text, const struct texenv_state *state,
                            const struct texenv_vertex *vertex, const struct texenv_raster *raster,
                            const struct texenv_texture_info *textures, const struct texenv_values *values)
{
    static const struct texenv_raster none;
    const struct texenv_raster *r = raster ? raster : &none;
    for (unsigned u = 0; u < state->nstages; u++) {
        const struct texenv_stage *stage = &state->stage[u];
        if (stage->mode == TEXENV_OFF)
            continue;
        texenv_printf(text, "glActiveTexture(GL_TEXTURE%u);\n", u);
        print_texture(text, stage, u, textures ? &textures[u] : NULL);
        if (stage->mode < TEXENV_COMBINE)
            print_env(text, "GL_TEXTURE_ENV_MODE", classic_token[stage->mode]);
        else
            print_combine(text, stage, u);
        if (!texenv_stage_color_use(stage))
            continue;
        texenv_printf(text, "glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, (const GLfloat[]){");
        texenv_print_values(text, stage->color, 4);
        texenv_printf(text, "});\n");
    }
    if (state->color_sum && !vertex->lighting)
        texenv_printf(text, "glEnable(GL_COLOR_SUM);\n");
    if (state->fog != TEXENV_FOG_OFF) {
        texenv_printf(text, "glEnable(GL_FOG);\nglFogi(GL_FOG_MODE, %s);\n", fog_token[state->fog]);
        if (state->fog_coord)
            texenv_printf(text, "glFogi(GL_FOG_COORDINATE_SOURCE, GL_FOG_COORDINATE);\n");
        if (values)
            texenv_print_fog_values(text, values);
    }
    if (state->alpha_test) {
        texenv_printf(text, "glEnable(GL_ALPHA_TEST);\nglAlphaFunc(%s, ", compare_token[state->alpha_test]);
        texenv_print_value(text, state->alpha_ref);
        texenv_printf(text, ");\n");
    }
    texenv_print_vertex_calls(text, vertex, state->color_sum, values);
    texenv_print_raster_calls(text, r, r->points || vertex->point_attenuation, values);
    if (values)
        texenv_print_matrix_values(text, values);
    texenv_printf(text, "glDrawArrays(%s, 0, 3);\n", draws(r, values));
}
