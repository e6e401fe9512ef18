/* Tests names and layout of shader pairs: which prefixes of names are valid, that others are refused, and
 * that the uniform block has the layout std140. */
#include "check.h"
#include "fragprog/fragprog.h"

#include <string.h>

static void prefixes(void)
{
    static const char *const good[] = {"a", "A_", "my_", "g1", "gl", "glx_", "Gl_a", "a_b_c", "x9_"},
                             *const bad[] = {"",    "_a", "1a",  "a__b", "gl_",      "gl_a",
                                             "a b", "a;", "a-b", "a\n",  "\xc3\xa4", "a__"};
    char longest[FRAGPROG_PREFIX_MAX + 2];
    for (unsigned i = 0; i < sizeof good / sizeof *good; i++)
        CHECK_SAY(fragprog_is_prefix(good[i]), "%s", good[i]);
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_SAY(!fragprog_is_prefix(bad[i]), "%s", bad[i]);
    memset(longest, 'a', sizeof longest);
    longest[FRAGPROG_PREFIX_MAX + 1] = '\0';
    CHECK(!fragprog_is_prefix(longest));
    longest[FRAGPROG_PREFIX_MAX] = '\0';
    CHECK(fragprog_is_prefix(longest));
}

/* Prints a shader for {modulate} with this prefix of names; returns whether it was not refused. */
static bool print(char *data, size_t size, const char *prefix, struct fragprog_reason *why)
{
    static uint64_t scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];
    struct texenv te;
    struct texenv_state state;
    struct texenv_text text;
    const struct fragprog_source source = {.state = &state};
    const struct fragprog_options options = {.level = 2};
    const struct fragprog_language_options language = {.language = FRAGPROG_GLSL_450, .prefix = prefix};
    texenv_init(&te);
    texenv_enable(&te, 0x0DE1 /* GL_TEXTURE_2D */, true);
    texenv_bind_texture(&te, 0x0DE1, &(struct texenv_texture){.complete = 1, .base = TEXENV_RGBA});
    texenv_canonicalise(&state, &te, NULL, false, NULL, NULL);
    texenv_text_init(&text, data, size);
    return fragprog_compile_language(&text, &source, &options, &language, scratch, why);
}

static void refusals(void)
{
    static char data[4096];
    struct fragprog_reason why;
    CHECK(print(data, sizeof data, "my_", &why) && strstr(data, "sampler2D my_texture0;"));
    CHECK(print(data, sizeof data, NULL, &why) && strstr(data, "sampler2D texture0;"));
    CHECK(!print(data, sizeof data, "gl_", &why) && strcmp(why.code, "prefix") == 0);
    CHECK(!print(data, sizeof data, "", &why) && strcmp(why.code, "prefix") == 0);
}

/* Tests the layout of the uniform block (OpenGL 4.6, 7.6.2.2): a vec4, and each element of an array, is
 * aligned to 16 bytes; members do not overlap. */
static void block(void)
{
    unsigned end = 0;
    for (unsigned u = 0; u < FRAGPROG_UNIFORMS; u++) {
        const struct fragprog_uniform_info *i = fragprog_uniform_of((enum fragprog_uniform)u);
        const unsigned size = strcmp(i->type, "mat4") == 0 ? 64 : strcmp(i->type, "vec4") == 0 ? 16 : 4;
        CHECK_SAY(i->offset % (size < 16 ? 4 : 16) == 0 && i->offset >= end, "%s at %u", i->name,
                  (unsigned)i->offset);
        CHECK_SAY(size >= 16 || i->elements == 1, "%s: floats of arrays lie 16 bytes apart", i->name);
        end = i->offset + size * i->elements;
    }
    CHECK_SAY(end <= FRAGPROG_BLOCK_SIZE && FRAGPROG_BLOCK_SIZE % 16 == 0 && FRAGPROG_BLOCK_SIZE < end + 16,
              "%u bytes", end);
}

int main(void)
{
    prefixes();
    refusals();
    block();
    return check_report("shader_names");
}
