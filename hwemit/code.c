/* Functions on the result of a compilation (struct hwemit_code): adding words, changing constants and
 * colours. */
#include "hwemit/hwemit.h"
#include "hwemit/words.h"

#include <stdarg.h>
#include <string.h>

void hwemit_code_init(struct hwemit_code *code, struct hwemit_word *storage, uint32_t maxwords)
{
    code->word = storage;
    code->maxwords = maxwords;
    code->nwords = 0;
    code->nconstants = code->ntextures = code->ninputs = code->noutputs = code->nstats = 0;
    code->assumed = 0;
    code->follows = 0;
    code->output = -1;
    code->constant_word = NULL;
    code->constant_words = 0;
}

void hwemit_add(struct hwemit_code *code, uint32_t address, uint32_t value)
{
    hwemit_put(code, address, value);
}

void hwemit_add_constant(struct hwemit_code *code, unsigned slot, int unit, const float value[4])
{
    struct hwemit_constant *c = &code->constant[code->nconstants++];
    *c = (struct hwemit_constant){
        .slot = (uint16_t)slot, .unit = (int8_t)unit, .channels = 15, .word = code->nwords};
    memcpy(c->value, value, sizeof c->value);
}

void hwemit_add_lanes(struct hwemit_code *code, unsigned slot, const float value[4], const int32_t origin[4],
                      const uint8_t component[4])
{
    hwemit_add_constant(code, slot, HWEMIT_BY_LANES, value);
    struct hwemit_constant *c = &code->constant[code->nconstants - 1];
    memcpy(c->origin, origin, sizeof c->origin);
    memcpy(c->component, component, sizeof c->component);
}

uint32_t hwemit_float_word(const float value[4], unsigned n)
{
    uint32_t bits;
    memcpy(&bits, &value[n], sizeof bits);
    return bits;
}

uint32_t hwemit_argb_word(const float rgba[4], unsigned n)
{
    (void)n; /* a constant has one word */
    return hwemit_unorm8(rgba[3]) << 24 | hwemit_unorm8(rgba[0]) << 16 | hwemit_unorm8(rgba[1]) << 8 |
        hwemit_unorm8(rgba[2]);
}

void hwemit_set_constant(struct hwemit_code *code, unsigned i, const float rgba[4])
{
    struct hwemit_constant *const changed = &code->constant[i];
    for (unsigned c = 0; c < 4 && changed->unit == HWEMIT_BY_LANES; c++)
        if (changed->origin[c] >= 0 && changed->origin[c] < FRAGPROG_ORIGINS)
            changed->value[c] = fragprog_limited(rgba[c]);
        else if (changed->origin[c] != FRAGPROG_ORIGIN_IMMEDIATE)
            changed->value[c] = rgba[c];
    for (unsigned k = 0; k < code->nconstants; k++) {
        if (changed->unit == HWEMIT_BY_LANES || /* two entries may share words */
            code->constant[k].word != changed->word)
            continue;
        for (unsigned c = 0; c < 4; c++)
            if (changed->channels >> c & 1)
                code->constant[k].value[c] = fragprog_limited(rgba[c]);
    }
    for (unsigned n = 0; n < code->constant_words; n++)
        code->word[changed->word + n].value = code->constant_word(changed->value, n);
}

float hwemit_constant_lane(const struct hwemit_constant *constant, unsigned c, const float *color)
{
    const bool lanes = constant->unit == HWEMIT_BY_LANES;
    const int32_t origin = lanes ? constant->origin[c] : constant->unit;
    if (!(constant->channels >> c & 1) || origin < 0 ||
        (origin >= FRAGPROG_ORIGIN_GLOBAL && origin < FRAGPROG_ORIGIN_DERIVED))
        return constant->value[c];
    return origin >= FRAGPROG_ORIGIN_DERIVED
        ? fragprog_derived_value(origin, color)
        : fragprog_limited(color[4 * origin + (int)(lanes ? constant->component[c] : c)]);
}

void hwemit_set_colors(struct hwemit_code *code, const float *color)
{
    for (unsigned i = 0; i < code->nconstants; i++) {
        float value[4];
        bool any = false;
        for (unsigned c = 0; c < 4; c++) {
            value[c] = hwemit_constant_lane(&code->constant[i], c, color);
            any = any || value[c] != code->constant[i].value[c];
        }
        if (any)
            hwemit_set_constant(code, i, value);
    }
}

void hwemit_add_texture(struct hwemit_code *code, unsigned slot, unsigned unit, unsigned coord,
                        unsigned target)
{
    code->texture[code->ntextures++] = (struct hwemit_texture){(uint8_t)slot, (uint8_t)unit, (uint8_t)coord,
                                                               (uint8_t)target};
}

void hwemit_add_input(struct hwemit_code *code, unsigned temp, unsigned what, unsigned index)
{
    code->input[code->ninputs++] = (struct hwemit_input){
        .temp = (uint8_t)temp, .what = (uint8_t)what, .index = (uint8_t)index};
}

void hwemit_add_output(struct hwemit_code *code, unsigned slot, unsigned what)
{
    code->outputs[code->noutputs++] = (struct hwemit_output){.slot = (uint8_t)slot, .what = (uint8_t)what};
}

void hwemit_add_stat(struct hwemit_code *code, const char *name, uint32_t value)
{
    code->stat[code->nstats++] = (struct hwemit_stat){name, value};
}

uint32_t hwemit_unorm8(float x)
{
    /* in single precision 0.7 would give 179 */
    return x <= 0 ? 0 : x >= 1 ? 255 : (uint32_t)((double)x * 255 + 0.5);
}

bool hwemit_refuse(struct fragprog_reason *why, int unit, const char *code, const char *fit,
                   const char *format, ...)
{
    struct texenv_text text;
    va_list args;
    why->unit = unit;
    why->code = code;
    texenv_text_init(&text, why->fit, sizeof why->fit);
    texenv_printf(&text, "%s", fit);
    texenv_text_init(&text, why->text, sizeof why->text);
    va_start(args, format);
    texenv_vprintf(&text, format, args);
    va_end(args);
    return false;
}
