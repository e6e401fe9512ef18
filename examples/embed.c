/* The README's code as a program: one state into a program of GL_ATI_fragment_shader.
 *
 *   cc embed.c $(pkg-config --cflags --libs texenv)
 *
 * or, with the single file, cc -DTEXENVC_SINGLE_FILE embed.c texenvc.c
 */
#ifdef TEXENVC_SINGLE_FILE
#include "texenvc.h"
#else
#include "fragprog/atifs.h"
#include "fragprog/fragprog.h"
#endif

#include <stdio.h>

/* From the registry of OpenGL: its headers are not needed. */
#define GL_TEXTURE_2D 0x0DE1
#define GL_TEXTURE_ENV 0x2300
#define GL_TEXTURE_ENV_MODE 0x2200
#define GL_MODULATE 0x2100

static int convert(char *out, size_t size)
{
    struct texenv te; /* follows GL's state; setters return GL's errors */
    texenv_init(&te);
    texenv_enable(&te, GL_TEXTURE_2D, true);
    texenv_tex_env_i(&te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    texenv_bind_texture(&te, GL_TEXTURE_2D, &(struct texenv_texture){.complete = 1, .base = TEXENV_RGBA});

    struct texenv_state state; /* canonical: equal bytes, equal environment */
    struct fragprog_atifs program;
    struct fragprog_reason why;
    struct fragprog_options options = {.level = 2};
    struct fragprog_source source = {.state = &state};
    static max_align_t scratch[FRAGPROG_SCRATCH / sizeof(max_align_t)]; /* the library allocates nothing */
    if (!texenv_canonicalise(&state, &te, NULL, false, NULL, NULL))
        return 1; /* only if a policy refuses the state */
    if (!fragprog_compile_atifs(&program, &source, &options, scratch, &why)) {
        fprintf(stderr, "unit %d: %s\n", why.unit, why.text);
        return 1;
    }
    struct texenv_text text;
    texenv_text_init(&text, out, size);
    fragprog_print_atifs(&text, &program);
    return text.length >= size;
}

int main(void)
{
    char out[4096];
    if (convert(out, sizeof out))
        return 1;
    printf("%s\n%s", texenv_version(), out);
    return 0;
}
