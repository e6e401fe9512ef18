/* A program for tests/package/single_file.py, built with a selection of the parts of the single file. It
 * compiles one state (a texture with MODULATE) for each chip of the selection and, with LANGUAGES, to each
 * language, and prints the results, which the test compares between selections. */
#include TEXENV_HEADER

#include <stdio.h>

enum { TEXTURE_2D = 0x0DE1, TEXTURE_ENV = 0x2300, TEXTURE_ENV_MODE = 0x2200, MODULATE = 0x2100 };

static max_align_t scratch[HWEMIT_SCRATCH / sizeof(max_align_t)];

static int words(const struct fragprog_source *source)
{
    static struct hwemit_word storage[HWEMIT_TEXENV_WORDS];
    static struct hwemit_code code;
    static const struct hwemit_options options = {.passes = {.level = 2}};
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        struct fragprog_reason why;
        hwemit_code_init(&code, storage, HWEMIT_TEXENV_WORDS);
        if (!hwemit_compile(&code, hwemit_targets[t], source, &options, scratch, &why))
            return 1;
        printf("%s:", hwemit_targets[t]->name);
        for (uint32_t i = 0; i < code.nwords; i++)
            printf(" %x=%x", (unsigned)code.word[i].address, (unsigned)code.word[i].value);
        printf("\n");
    }
    return 0;
}

#ifdef LANGUAGES
static int languages(const struct fragprog_source *source)
{
    static char out[1 << 14];
    for (int i = 0; i < FRAGPROG_LANGUAGES; i++) {
        const struct fragprog_language_options language = {.language = (enum fragprog_language)i};
        const struct fragprog_options options = {.level = 2};
        struct fragprog_reason why;
        struct texenv_text text;
        texenv_text_init(&text, out, sizeof out);
        if (!fragprog_compile_language(&text, source, &options, &language, scratch, &why))
            return 1;
        printf("== %s\n%s", fragprog_language_name((enum fragprog_language)i), out);
    }
    return 0;
}
#endif

#ifdef READERS
static void said(void *user, const struct texenv_diag *diag) { (void)user, (void)diag; }

static int readers(void)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    fragprog_init(&p, &storage);
    const char text[] = "nonsense";
    const struct texenv_sink sink = {.report = said};
    return fragprog_read_ir(&p, text, sizeof text - 1, 1, &sink); /* refused */
}
#endif

int main(void)
{
    struct texenv te;
    struct texenv_state state;
    const struct texenv_texture texture = {.complete = 1, .base = TEXENV_RGBA};
    texenv_init(&te);
    texenv_enable(&te, TEXTURE_2D, true);
    texenv_tex_env_i(&te, TEXTURE_ENV, TEXTURE_ENV_MODE, MODULATE);
    texenv_bind_texture(&te, TEXTURE_2D, &texture);
    if (!texenv_canonicalise(&state, &te, NULL, false, NULL, NULL))
        return 1;
    const struct fragprog_source source = {.state = &state};
    int bad = words(&source);
#ifdef LANGUAGES
    bad |= languages(&source);
#endif
#ifdef READERS
    bad |= readers();
#endif
    return bad;
}
