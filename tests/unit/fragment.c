/* Tests the texts of GLSL fragment programs, which depend on what is known of the vertex stage, against texts
   written by hand. */
#include "check.h"
#include "fragprog/fragprog.h"

#include <string.h>

static bool take(void *user, const struct texenv_draw *draw)
{
    return texenv_canonicalise(user, draw->te, NULL, true, NULL, NULL);
}

/* Returns the text of the program for a state given in stage notation. */
static const char *print(const char *stages, const struct fragprog_language_options *language)
{
    static char data[4096];
    static uint64_t scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];
    struct texenv_state state;
    struct texenv_text text;
    struct fragprog_reason why;
    struct texenv_reader reader = {.on_draw = take, .user = &state};
    const struct fragprog_source source = {.state = &state};
    texenv_read_stages(&reader, stages, strlen(stages));
    texenv_text_init(&text, data, sizeof data);
    if (!fragprog_compile_language(&text, &source, &(struct fragprog_options){.level = 2}, language, scratch,
                                   &why))
        return "refused";
    return data;
}

static void check_text(const char *stages, const struct fragprog_language_options *language,
                       const char *wanted)
{
    const char *text = print(stages, language);
    CHECK_SAY(strcmp(text, wanted) == 0, "%s: wanted\n%sand not\n%s", stages, wanted, text);
}

static void pairs(void)
{
    check_text("{modulate}",
               &(struct fragprog_language_options){.language = FRAGPROG_GLSL_ES_300, .pair = 1, .affine = 1},
               "#version 300 es\n"
               "precision highp float;\n"
               "uniform highp sampler2D texture0;\n"
               "in vec4 primary_color;\n"
               "in vec2 texcoord0;\n"
               "out vec4 fragment_color;\n"
               "\n"
               "void main()\n"
               "{\n"
               "    fragment_color = primary_color * texture(texture0, texcoord0);\n"
               "}\n");
    check_text("{}",
               &(struct fragprog_language_options){.language = FRAGPROG_GLSL_ES_100,
                                                   .pair = 1,
                                                   .two_side = 1,
                                                   .clip_planes = 2,
                                                   .precision = FRAGPROG_PRECISION_MEDIUMP},
               "#version 100\n"
               "precision mediump float;\n"
               "varying vec4 primary_color;\n"
               "varying vec4 back_color;\n"
               "varying float clip_distance1;\n"
               "\n"
               "void main()\n"
               "{\n"
               "    vec4 primary = gl_FrontFacing ? primary_color : back_color;\n"
               "    gl_FragColor = primary;\n"
               "    if (clip_distance1 < 0.0)\n"
               "        discard;\n"
               "}\n");
    check_text("{modulate}",
               &(struct fragprog_language_options){
                   .language = FRAGPROG_GLSL_330, .pair = 1, .sprites = 1, .flat = 1, .color_sum = 1},
               "#version 330 core\n"
               "uniform sampler2D texture0;\n"
               "flat in vec4 primary_color;\n"
               "flat in vec3 secondary_color;\n"
               "out vec4 fragment_color;\n"
               "\n"
               "void main()\n"
               "{\n"
               "    vec4 color = primary_color * texture(texture0, gl_PointCoord);\n"
               "    fragment_color = vec4(clamp(color.rgb + secondary_color, 0.0, 1.0), color.a);\n"
               "}\n");
    /* with GLSL 1.20, point sprites, flat shading and two-sided colours are GL state and not in the text */
    check_text("{modulate}",
               &(struct fragprog_language_options){
                   .language = FRAGPROG_GLSL_120, .pair = 1, .sprites = 1, .flat = 1, .two_side = 1},
               "#version 120\n"
               "uniform sampler2D texture0;\n"
               "\n"
               "void main()\n"
               "{\n"
               "    gl_FragColor = gl_Color * texture2D(texture0, gl_TexCoord[0].xy);\n"
               "}\n");
}

static void vulkan(void)
{
    struct fragprog_language_options options = {
        .language = FRAGPROG_GLSL_450, .pair = 1, .two_side = 1, .fog = TEXENV_FOG_EXP};
    check_text("{modulate}", &options,
               "#version 450\n"
               "layout(binding = 1) uniform sampler2D texture0;\n"
               "layout(std140, binding = 0) uniform fragment_state {\n"
               "    layout(offset = 1024) vec4 fog_color;\n"
               "    layout(offset = 1040) float fog_density;\n"
               "};\n"
               "layout(location = 0) in vec4 primary_color;\n"
               "layout(location = 11) in vec4 back_color;\n"
               "layout(location = 3) in vec4 texcoord0;\n"
               "layout(location = 2) in float fog_coord;\n"
               "layout(location = 0) out vec4 fragment_color;\n"
               "\n"
               "void main()\n"
               "{\n"
               "    vec4 primary = gl_FrontFacing ? primary_color : back_color;\n"
               "    vec4 color = primary * textureProj(texture0, texcoord0);\n"
               "    float fog = exp(-fog_density * fog_coord);\n"
               "    fragment_color = vec4(mix(fog_color.rgb, color.rgb, fog), color.a);\n"
               "}\n");
    /* a fog coordinate that the application supplies may be negative */
    options.fog_coord = 1;
    CHECK(strstr(print("{modulate}", &options), "float fog = min(exp(-fog_density * fog_coord), 1.0);"));
}

/* Tests that parentheses are left out where another order of the float operations has the same result, and
 * only there. */
static void parentheses(void)
{
    const struct fragprog_language_options options = {.language = FRAGPROG_GLSL_120};
    CHECK_SAY(
        strstr(print("{modulate} {P+T1; P}*2;1", &options),
               "    vec4 unit0 = gl_Color * texture2DProj(texture0, gl_TexCoord[0]);\n"
               "    vec3 color = clamp((unit0.rgb + texture2DProj(texture1, gl_TexCoord[1]).rgb) * 2.0, "
               "0.0, 1.0);\n"
               "    gl_FragColor = vec4(color, unit0.a);\n"),
        "%s", print("{modulate} {P+T1; P}*2;1", &options));
    CHECK_SAY(strstr(print("{~T0*P}", &options),
                     "gl_FragColor = (1.0 - texture2DProj(texture0, gl_TexCoord[0])) * gl_Color;"),
              "%s", print("{~T0*P}", &options));
}

int main(void)
{
    pairs();
    vulkan();
    parentheses();
    return check_report("fragment");
}
