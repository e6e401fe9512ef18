/* Tests the tables of GL names: every name is found, with and without GL_, and every value prints as a name
 * that reads back as the value. */
#include "check.h"
#include "texenv/texenv.h"

#include <string.h>

static int64_t token(const char *name) { return texenv_token(name, strlen(name)); }

static void row(const char *name, uint32_t value)
{
    char full[80];
    snprintf(full, sizeof full, "GL_%s", name);
    CHECK_SAY(token(name) == value, "%s", name);
    CHECK_SAY(token(full) == value, "%s", full);
    snprintf(full, sizeof full, "%sX", name); /* only `length` bytes are read */
    CHECK_SAY(texenv_token(full, strlen(name)) == value, "%s", name);
    const char *back = texenv_token_name(value);
    CHECK_SAY(!back || (!strncmp(back, "GL_", 3) && token(back) == value), "0x%x prints as %s", value,
              back ? back : "nothing");
}

int main(void)
{
#define TOKEN(name, value) row(#name, value);
#include "texenv/tokens.def"
#undef TOKEN
#define FORMAT(name, value, base) \
    if (value > 4) \
        row(#name, value); \
    CHECK_SAY(texenv_base_of(value) == TEXENV_##base, "%s", #name);
#include "texenv/formats.def"
#undef FORMAT

    /* The names that printers print for values that have several. */
    static const struct {
        uint32_t value;
        const char *name;
    } names[] = {{0x2300, "GL_TEXTURE_ENV"},      {0x8570, "GL_COMBINE"},     {0x8503, "GL_COMBINE4_NV"},
                 {0x1E01, "GL_REPLACE"},          {0x8580, "GL_SOURCE0_RGB"}, {0x858B, "GL_SOURCE3_ALPHA_NV"},
                 {0x84C7, "GL_TEXTURE7"},         {0x86AF, "GL_DOT3_RGBA"},   {0x8741, "GL_DOT3_RGBA_EXT"},
                 {0x8744, "GL_MODULATE_ADD_ATI"}, {0x0D1C, "GL_ALPHA_SCALE"}, {0x1908, "GL_RGBA"}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        CHECK_SAY(texenv_token_name(names[i].value) &&
                      !strcmp(texenv_token_name(names[i].value), names[i].name),
                  "%s", names[i].name);

    /* A vendor suffix is ignored unless the name with it has a meaning of its own. */
    static const struct {
        const char *name;
        int64_t value;
    } suffixes[] = {{"GL_COMBINE_ARB", 0x8570},
                    {"GL_COMBINE_EXT", 0x8570},
                    {"GL_TEXTURE3_ARB", 0x84C3},
                    {"GL_DOT3_RGB_ARB", 0x86AE},
                    {"GL_DOT3_RGB_EXT", 0x8740},
                    {"GL_DOT3_RGBA_EXT", 0x8741},
                    {"GL_SOURCE1_RGB_EXT", 0x8581},
                    {"GL_TEXTURE_CUBE_MAP_ARB", 0x8513},
                    {"GL_TEXTURE_RECTANGLE_NV", 0x84F5},
                    {"GL_MODULATE_ADD_ATIX", 0x8744},
                    {"GL_COLOR_SUM_EXT", 0x8458},
                    {"GL_RGBA16F", 0x881A},
                    {"GL_REPLACE_EXT", 0x8062},
                    {"GL_NO_SUCH_THING", -1},
                    {"GL_", -1},
                    {"", -1},
                    {"GL_COMBINE_FOO", -1},
                    {"gl_combine", -1},
                    {"1", -1},
                    {"GL_GL_COMBINE", -1},
                    {"_ARB", -1},
                    {"GL_ARB", -1}};
    for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        CHECK_SAY(token(suffixes[i].name) == suffixes[i].value, "%s: 0x%llx", suffixes[i].name,
                  (unsigned long long)token(suffixes[i].name));
    CHECK(texenv_token_name(0x12345) == NULL);
    static const struct {
        uint32_t error;
        const char *name;
    } errors[] = {{TEXENV_OK, "GL_NO_ERROR"},
                  {0x0500, "GL_INVALID_ENUM"},
                  {0x0501, "GL_INVALID_VALUE"},
                  {0x0502, "GL_INVALID_OPERATION"},
                  {0x0503, "GL_STACK_OVERFLOW"},
                  {0x0504, "GL_STACK_UNDERFLOW"},
                  {0x0505, "GL_OUT_OF_MEMORY"},
                  {0x0506, "GL_INVALID_FRAMEBUFFER_OPERATION"},
                  {0x0507, "GL_CONTEXT_LOST"},
                  {0x8031, "GL_TABLE_TOO_LARGE"},
                  {0x04FF, NULL},
                  {0x0508, NULL},
                  {0x8030, NULL}};
    for (unsigned i = 0; i < sizeof errors / sizeof *errors; i++) {
        const char *name = texenv_error_name(errors[i].error);
        CHECK_SAY(name && errors[i].name ? !strcmp(name, errors[i].name) : name == errors[i].name, "0x%x: %s",
                  errors[i].error, name ? name : "none");
    }
    char long_name[300];
    memset(long_name, 'A', sizeof long_name);
    CHECK(texenv_token(long_name, sizeof long_name) == -1);
    return check_report("names");
}
