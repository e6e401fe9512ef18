#include "sentence.h"

/* The result of each function, in words; %n is replaced by argument n. */
static const char *const sentences[TEXENV_FUNCS] = {
    [TEXENV_F_REPLACE] = "%0",
    [TEXENV_F_MODULATE] = "%0 times %1",
    [TEXENV_F_ADD] = "%0 plus %1",
    [TEXENV_F_ADD_SIGNED] = "%0 plus %1, minus one half",
    [TEXENV_F_INTERPOLATE] = "a mix of %0 and %1; the share of %0 is %2",
    [TEXENV_F_SUBTRACT] = "%0 minus %1",
    [TEXENV_F_DOT3_RGB] = "the dot product of %0 and %1, read as vectors from -1 to 1",
    [TEXENV_F_DOT3_RGBA] = "the dot product of %0 and %1, read as vectors from -1 to 1",
    [TEXENV_F_DOT3_RGB_EXT] = "a quarter of the dot product of %0 and %1, read as vectors from -1 to 1",
    [TEXENV_F_DOT3_RGBA_EXT] = "a quarter of the dot product of %0 and %1, read as vectors from -1 to 1",
    [TEXENV_F_MODULATE_ADD] = "%0 times %2, plus %1",
    [TEXENV_F_MODULATE_SIGNED_ADD] = "%0 times %2, plus %1, minus one half",
    [TEXENV_F_MODULATE_SUBTRACT] = "%0 times %2, minus %1",
    [TEXENV_F_COMBINE4_ADD] = "%0 times %1, plus %2 times %3",
    [TEXENV_F_COMBINE4_ADD_SIGNED] = "%0 times %1, plus %2 times %3, minus one half",
};

void add_previous(struct buffer *b, const struct analysis *a, unsigned unit)
{
    while (unit > 0 && !(a->on >> (unit - 1) & 1 && !(a->through >> (unit - 1) & 1)))
        unit--;
    if (unit)
        buffer_printf(b, "the result of unit %u", unit - 1);
    else
        buffer_puts(b, "the primary colour");
}

/* of_alpha: the sentence is about alpha only, so that "the alpha of" is left out. */
static void add_argument(struct buffer *b, const struct analysis *a, const struct texenv_arg *arg,
                         unsigned unit, bool of_alpha)
{
    buffer_puts(b, arg->complement ? "(1 minus " : "");
    buffer_puts(b, arg->alpha && !of_alpha ? "the alpha of " : "");
    switch (arg->source) {
    case TEXENV_S_ZERO: buffer_puts(b, "0"); break;
    case TEXENV_S_ONE: buffer_puts(b, "1"); break;
    case TEXENV_S_TEXTURE: buffer_printf(b, "texture %u", arg->unit); break;
    case TEXENV_S_CONSTANT: buffer_puts(b, "the unit's constant"); break;
    case TEXENV_S_PRIMARY: buffer_puts(b, "the primary colour"); break;
    default: add_previous(b, a, unit); break;
    }
    buffer_puts(b, arg->complement ? ")" : "");
}

void add_sentence(struct buffer *b, const struct texenv_state *state, const struct analysis *a, unsigned unit,
                  unsigned half)
{
    struct texenv_half halves[2];
    texenv_stage_halves(halves, state, unit);
    const bool from_rgb = half == TEXENV_ALPHA &&
        texenv_func_writes_alpha((enum texenv_func)halves[TEXENV_RGB].func);
    const struct texenv_half *from = &halves[from_rgb ? TEXENV_RGB : half];
    for (const char *p = sentences[from->func]; *p; p++)
        if (*p == '%')
            add_argument(b, a, &from->arg[*++p - '0'], unit, half == TEXENV_ALPHA && !from_rgb);
        else
            buffer_add(b, p, 1);
    if (halves[half].scale > 1)
        buffer_printf(b, ", all times %u", halves[half].scale);
}
