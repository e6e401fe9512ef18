/* Reports GL features that the readers do not interpret. Calls and enumerants of later versions and
 * extensions that change what texturing computes are errors. Fixed-function features outside of texturing are
 * notes, or warnings if the reader's output cannot express them. */
#include "texenv/gl.h"
#include "texenv/read/calls.h"

/* ---- features that change texturing but are not followed ---- */

/* Reports, once for each `number`, that a feature changes texturing but is not interpreted. This is an error,
 * or a warning in traces and lenient readers. */
static void say_not_followed(struct texenv_calls *calls, unsigned number, struct texenv_place place,
                             const char *what, const char *advice)
{
    uint8_t *said = &calls->said_not_followed[number / 8], bit = (uint8_t)(1u << number % 8);
    if (!calls->trace && !calls->reader->lenient)
        TEXENV_CALLS_ERROR(calls, place, "not-followed", "%s changes texturing, but is not supported%s", what,
                           advice);
    else if (!(*said & bit))
        texenv_emit(&calls->reader->sink, TEXENV_WARNING, -1, place, "not-followed",
                    "%s is not supported: what it changes is not known from here on", what);
    *said |= bit;
}

/* Enumerants of later versions and extensions that change what texturing computes. */
static const struct {
    uint8_t kind; /* enum texenv_call_kind: the call that takes the enumerant */
    uint16_t token;
    /* the value (first element of a vector) that does not change texturing; 0xffff if every value does */
    uint16_t harmless;
    const char *name;
} open_tokens[] = {
    {TEXENV_CALL_TEX_PARAMETER, 0x8E42, GL_RED, "GL_TEXTURE_SWIZZLE_R"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8E43, GL_GREEN, "GL_TEXTURE_SWIZZLE_G"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8E44, GL_BLUE, "GL_TEXTURE_SWIZZLE_B"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8E45, GL_ALPHA, "GL_TEXTURE_SWIZZLE_A"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8E46, GL_RED, "GL_TEXTURE_SWIZZLE_RGBA"},
    {TEXENV_CALL_TEX_PARAMETER, 0x90EA, GL_DEPTH_COMPONENT, "GL_DEPTH_STENCIL_TEXTURE_MODE"},
    {TEXENV_CALL_TEX_PARAMETER, 0x819A, 0, "GL_TEXTURE_COMPARE_SGIX"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8124, 0xffff, "GL_DUAL_TEXTURE_SELECT_SGIS"},
    {TEXENV_CALL_TEX_PARAMETER, 0x8125, 0xffff, "GL_QUAD_TEXTURE_SELECT_SGIS"},
    {TEXENV_CALL_ENABLE, 0x8134, 0xffff, "GL_TEXTURE_4D_SGIS"},
    {TEXENV_CALL_ENABLE, 0x80BC, 0xffff, "GL_TEXTURE_COLOR_TABLE_SGI"},
    {TEXENV_CALL_ENABLE, 0x8D65, 0xffff, "GL_TEXTURE_EXTERNAL_OES"},
    {TEXENV_CALL_ENABLE, 0x8400, 0xffff, "GL_FRAGMENT_LIGHTING_SGIX"},
    {TEXENV_CALL_TEX_ENV, 0x80BE, 0xffff, "GL_TEXTURE_ENV_BIAS_SGIX"},
    {TEXENV_CALL_TEX_ENV, 0x877B, 0xffff, "GL_BUMP_ENVMAP_ATI"},
    {TEXENV_CALL_TEX_ENV, 0x8747, 0xffff, "GL_SECONDARY_COLOR_ATIX"},
    {TEXENV_CALL_TEX_ENV, 0x8748, 0xffff, "GL_TEXTURE_OUTPUT_RGB_ATIX"},
    {TEXENV_CALL_TEX_ENV, 0x8749, 0xffff, "GL_TEXTURE_OUTPUT_ALPHA_ATIX"},
    {TEXENV_CALL_TEX_ENV, 0x8C04, 0xffff, "GL_MODULATE_COLOR_IMG"},
    {TEXENV_CALL_TEX_ENV, 0x8C05, 0xffff, "GL_RECIP_ADD_SIGNED_ALPHA_IMG"},
    {TEXENV_CALL_TEX_ENV, 0x8C06, 0xffff, "GL_TEXTURE_ALPHA_MODULATE_IMG"},
    {TEXENV_CALL_TEX_ENV, 0x8C07, 0xffff, "GL_FACTOR_ALPHA_MODULATE_IMG"},
    {TEXENV_CALL_TEX_ENV, 0x8C08, 0xffff, "GL_FRAGMENT_ALPHA_MODULATE_IMG"},
    {TEXENV_CALL_TEX_ENV, 0x8C09, 0xffff, "GL_ADD_BLEND_IMG"},
};
enum { OPEN_TOKENS = sizeof open_tokens / sizeof open_tokens[0] };
_Static_assert(TEXENV_CALL_ROWS + OPEN_TOKENS + 32 <= 8 * sizeof((struct texenv_calls *)0)->said_not_followed,
               "said_not_followed is too small");

static int open_token(unsigned kind, int64_t token)
{
    for (int i = 0; i < OPEN_TOKENS; i++)
        if (open_tokens[i].kind == kind && open_tokens[i].token == token)
            return i;
    return -1;
}

bool texenv_calls_is_open(struct texenv_calls *calls, const struct texenv_op *op, int64_t token,
                          const struct texenv_value *values)
{
    const int i = open_token(op->kind, token);
    if (i < 0)
        return false;
    bool harmless = values != NULL;
    const size_t count = harmless && values->kind == TEXENV_V_ARRAY ? values->count : 1;
    for (size_t k = 0; k < count && harmless; k++) {
        const struct texenv_value *v = values->kind == TEXENV_V_ARRAY ? texenv_value_element(calls, values, k)
                                                                      : values;
        /* the default of SWIZZLE_RGBA */
        const uint16_t rgba[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA};
        harmless = texenv_value_is_number(v) &&
            texenv_value_integer(v) == (count == 4 ? rgba[k] : open_tokens[i].harmless);
    }
    if (!harmless)
        say_not_followed(calls, TEXENV_CALL_ROWS + (unsigned)i, op->place, open_tokens[i].name, "");
    return true;
}

bool texenv_calls_open_format(struct texenv_calls *calls, const struct texenv_op *op)
{
    static const struct {
        uint16_t first, last;
    } formats[] = {{0x1900, 0x1901}, {0x8D46, 0x8D49},                   /* colour and stencil indexes */
                   {0x80E2, 0x80E7}, {0x80ED, 0x80ED},                   /* EXT_paletted_texture */
                   {0x8110, 0x8123},                                     /* SGIS_texture_select */
                   {0x8231, 0x823C}, {0x8D70, 0x8D93}, {0x906F, 0x906F}, /* integer formats */
                   {0x86F4, 0x870D},                                     /* NV_texture_shader */
                   {0x8880, 0x888B}};                                    /* NV_float_buffer */
    struct texenv_name_buffer b;
    for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (op->b >= formats[i].first && op->b <= formats[i].last) {
            say_not_followed(calls, TEXENV_CALL_ROWS + OPEN_TOKENS + i, op->place,
                             texenv_calls_value_of(&b, op, op->b),
                             ": it has no base format of fixed function");
            return true;
        }
    return false;
}

/* Returns whether this call changes texturing, by the condition in its table row. Unknown arguments are
 * assumed to change it. */
static bool call_changes(const struct texenv_op *op, const struct texenv_value *args)
{
    const struct texenv_value *second = &args[1], *last = &args[op->info->params - 1u];
    switch (op->info->form) {
    case TEXENV_FORM_WHEN_PNAME:
        for (unsigned i = 1; i < 3; i++)
            if (args[i].kind == TEXENV_V_INT &&
                (args[i].integer == GL_DEPTH_TEXTURE_MODE || args[i].integer == GL_TEXTURE_COMPARE_MODE ||
                 open_token(TEXENV_CALL_TEX_PARAMETER, args[i].integer) >= 0))
                return true;
        return second->kind != TEXENV_V_INT ||
            (texenv_target_of((uint32_t)second->integer) >= 0 && args[2].kind != TEXENV_V_INT);
    case TEXENV_FORM_WHEN_NAME: return last->kind != TEXENV_V_INT || last->integer != 0;
    case TEXENV_FORM_WHEN_OFF: return last->kind != TEXENV_V_INT || last->integer == 0;
    case TEXENV_FORM_WHEN_TARGET:
        return args[0].kind != TEXENV_V_INT || texenv_target_of((uint32_t)args[0].integer) >= 0 ||
            (args[0].integer >= GL_TEXTURE_GEN_S && args[0].integer <= GL_TEXTURE_GEN_Q);
    default: return true;
    }
}

void texenv_calls_not_followed(struct texenv_calls *calls, const struct texenv_op *op,
                               const struct texenv_value *args)
{
    const struct texenv_call_info *info = op->info;
    char name[48];
    struct texenv_text text;
    calls->reader->skipped++;
    if (!call_changes(op, args))
        return;
    texenv_text_init(&text, name, sizeof name);
    texenv_printf(&text, "gl%s", info->name);
    say_not_followed(calls, texenv_calls_row(info), op->place, name,
                     ": write the calls that do the same to the active unit");
}

/* ---- fixed-function features outside of texturing ---- */

enum { ALPHA_TEST, TEXGEN, TEXTURE_MATRIX, LIGHTING, SPRITE, FLAT, SIZE, CLIP };

static const struct {
    const char *what, *lost;
} besides[] = {
    [ALPHA_TEST] = {"is enabled: the program does not contain the alpha test", ""},
    [TEXGEN] = {"is enabled: the program does not contain the generation of texture coordinates",
                ": generate them in the vertex shader"},
    [TEXTURE_MATRIX] = {"changes a texture matrix: the program does not contain texture matrices",
                        ": multiply the coordinates in the vertex shader"},
    [LIGHTING] = {"is enabled: the program does not contain lighting",
                  ": compute it in the vertex shader, as the primary colour"},
    [SPRITE] = {"replaces the texture coordinates of points: the program does not contain that",
                ": take gl_PointCoord for them where points are drawn"},
    [FLAT] = {"gives each polygon the colours of one vertex: the program does not contain flat shading",
              ": declare the colours flat in both shaders, which OpenGL ES 2 cannot"},
    [SIZE] = {"sets the size of points: the program does not contain it",
              ": OpenGL ES and Vulkan have no such call, there the vertex shader writes gl_PointSize"},
    [CLIP] = {"is enabled: the program does not contain user clip planes",
              ": write gl_ClipDistance in the vertex shader, or discard fragments"},
};

/* Returns whether the reader's output expresses this feature. */
static bool has(const struct texenv_reader *reader, unsigned which)
{
    switch (which) {
    case ALPHA_TEST: return reader->has_alpha_test;
    case SPRITE: return reader->has_raster.sprites;
    case FLAT: return reader->has_raster.flat;
    case SIZE: return reader->has_raster.points;
    case CLIP: return reader->has_raster.clip_planes;
    default: return reader->has_vertex;
    }
}

static void say(struct texenv_calls *calls, unsigned which, struct texenv_place place, const char *who)
{
    const struct texenv_reader *reader = calls->reader;
    if (!(calls->said_beside >> which & 1))
        texenv_emit(&reader->sink, reader->lost_beside ? TEXENV_WARNING : TEXENV_NOTE, -1, place, "beside",
                    "%s %s%s", who, besides[which].what,
                    reader->lost_beside ? besides[which].lost
                                        : ", which stays with what draws it: GL, or the driver");
    calls->said_beside |= 1u << which;
}

static void beside(struct texenv_calls *calls, unsigned which, struct texenv_place place, const char *who)
{
    struct texenv_place *first = which == SPRITE ? &calls->sprite_place
        : which == FLAT                          ? &calls->flat_place
                                                 : &calls->size_place;
    const bool later = which == FLAT ? !has(calls->reader, FLAT)
                                     : has(calls->reader, which) && (which == SPRITE || which == SIZE);
    if (later && !first->line)
        *first = place; /* only a draw shows whether the feature is used */
    else if (!later && !has(calls->reader, which))
        say(calls, which, place, who);
}

void texenv_calls_sprite_beside(struct texenv_calls *calls, unsigned bit, bool known,
                                struct texenv_place place)
{
    calls->sprites |= bit;
    if (!known)
        say(calls, SPRITE, place, "GL_COORD_REPLACE");
    else if (calls->sprites == 3)
        beside(calls, SPRITE, place, "GL_COORD_REPLACE");
}

void texenv_calls_draw_beside(struct texenv_calls *calls, bool known)
{
    const struct texenv_values_gl *gl = &calls->context->gl;
    if (calls->flat_place.line && gl->vertex.flat)
        say(calls, FLAT, calls->flat_place, "glShadeModel");
    if (known)
        return;
    if (calls->sprite_place.line && gl->vertex.point_sprite && gl->vertex.coord_replace)
        say(calls, SPRITE, calls->sprite_place, "GL_COORD_REPLACE");
    if (calls->size_place.line && gl->values.point.size != 1)
        say(calls, SIZE, calls->size_place, "glPointSize");
}

void texenv_calls_enable_beside(struct texenv_calls *calls, int64_t cap, struct texenv_place place)
{
    switch (cap) {
    case GL_ALPHA_TEST: beside(calls, ALPHA_TEST, place, "GL_ALPHA_TEST"); break;
    case GL_TEXTURE_GEN_S:
    case GL_TEXTURE_GEN_T:
    case GL_TEXTURE_GEN_R:
    case GL_TEXTURE_GEN_Q: beside(calls, TEXGEN, place, texenv_token_name((uint32_t)cap)); break;
    case GL_LIGHTING: beside(calls, LIGHTING, place, "GL_LIGHTING"); break;
    case GL_POINT_SPRITE: texenv_calls_sprite_beside(calls, 1, true, place); break;
    default:
        if (cap >= GL_CLIP_PLANE0 && cap <= GL_CLIP_PLANE0 + 7)
            beside(calls, CLIP, place, "A user clip plane");
        break;
    }
}

void texenv_calls_matrix_beside(struct texenv_calls *calls, const struct texenv_op *op)
{
    char name[32] = "gl";
    memcpy(name + 2, op->info->name, op->info->length);
    beside(calls, TEXTURE_MATRIX, op->place, name);
}

void texenv_calls_beside(struct texenv_calls *calls, const struct texenv_call_info *info,
                         const struct texenv_value *arg, struct texenv_place place)
{
    const bool flat = info->name[0] == 'S';
    calls->reader->skipped++;
    if (flat && arg->kind == TEXENV_V_OTHER) /* it is not known whether shading is flat */
        say(calls, FLAT, place, "glShadeModel");
    else if (!texenv_value_is_number(arg) ? !flat
                 : flat                   ? texenv_value_integer(arg) == GL_FLAT
                        : (arg->kind == TEXENV_V_REAL ? arg->real : (double)arg->integer) != 1)
        beside(calls, flat ? FLAT : SIZE, place, flat ? "glShadeModel" : "glPointSize");
}
