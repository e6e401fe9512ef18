/* Encodes programs of register combiners as words, and decodes them (notes/facts/nv2a.md 1 and 2). */
#include "hwemit/nv2a/nv2a.h"
#include "hwemit/words.h"

/* Methods of a general stage: inputs of colour and alpha, outputs of both, the two constants. */
static const uint16_t of_stage[6] = {NV2A_COLOR_ICW, NV2A_ALPHA_ICW, NV2A_COLOR_OCW,
                                     NV2A_ALPHA_OCW, NV2A_FACTOR0,   NV2A_FACTOR1};
enum { OWN_FACTORS = 1 << NV2A_CONTROL_FACTOR0_EACH_STAGE | 1 << NV2A_CONTROL_FACTOR1_EACH_STAGE };

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

/* Encodes four inputs, the first one in the highest byte. */
static uint32_t input_word(const uint8_t in[4])
{
    return at(in[0], 24) | at(in[1], 16) | at(in[2], 8) | in[3];
}

static uint32_t output_word(const struct fragprog_rc_half *h)
{
    return at(h->out[0], NV2A_COLOR_OCW_AB) | at(h->out[1], NV2A_COLOR_OCW_CD) |
        at(h->out[2], NV2A_COLOR_OCW_SUM) | at(h->dot[0], NV2A_COLOR_OCW_AB_DOT) |
        at(h->dot[1], NV2A_COLOR_OCW_CD_DOT) | at(h->mux, NV2A_COLOR_OCW_MUX) | at(h->op, NV2A_COLOR_OCW_OP) |
        at(h->blue, NV2A_COLOR_OCW_AB_BLUE_TO_ALPHA);
}

/* The control word makes mux test the highest bit, as the language of struct fragprog_rc does. If both words
 * of the final combiner were 0, the hardware might do something else (notes/facts/nv2a.md 4); a flag without
 * effect avoids that. */
uint32_t hwemit_nv2a_words(struct hwemit_word word[NV2A_WORDS], const struct fragprog_rc *rc)
{
    struct hwemit_word *w = word;
    const uint32_t final[2] = {input_word(rc->final), input_word(rc->final + 4)};
    uint32_t modes = 0;
    bool mux = false;
    for (unsigned k = 0; k < 6; k++)
        for (unsigned s = 0; s < rc->stages; s++) {
            const struct fragprog_rc_half *h = &rc->stage[s].half[k % 2];
            const struct fragprog_rc_constants *c = &rc->stage[s].constants;
            if (k < 4 || c->given[k - 4])
                *w++ = (struct hwemit_word){of_stage[k] + 4 * s,
                                            k < 2       ? input_word(h->in)
                                                : k < 4 ? output_word(h)
                                                        : hwemit_argb_word(c->value[k - 4], 0)};
            mux |= h->mux;
        }
    for (unsigned k = 0; k < 2; k++)
        if (rc->constants.given[k])
            *w++ = (struct hwemit_word){NV2A_FINAL_FACTOR + 4 * k,
                                        hwemit_argb_word(rc->constants.value[k], 0)};
    for (unsigned i = 0; i < RC_TEXTURES; i++)
        modes |= at(rc->texture[i], NV2A_TEXTURE_MODES_TEXTURE1 * i);
    *w++ = (struct hwemit_word){NV2A_CW0, final[0]};
    *w++ = (struct hwemit_word){NV2A_CW1, final[0] | final[1] ? final[1] : RC_CLAMP_SUM};
    *w++ = (struct hwemit_word){NV2A_CONTROL,
                                rc->stages | at(mux, NV2A_CONTROL_MUX_SELECT_MSB) | OWN_FACTORS};
    *w++ = (struct hwemit_word){NV2A_TEXTURE_MODES, modes};
    return (uint32_t)(w - word);
}

/* ---- decoding ---- */

static void read_inputs(uint8_t in[4], uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        in[i] = (uint8_t)(word >> (24 - 8 * i));
}

static void read_outputs(struct fragprog_rc_half *h, uint32_t word)
{
    h->out[0] = word >> NV2A_COLOR_OCW_AB & 15;
    h->out[1] = word >> NV2A_COLOR_OCW_CD & 15;
    h->out[2] = word >> NV2A_COLOR_OCW_SUM & 15;
    h->dot[0] = word >> NV2A_COLOR_OCW_AB_DOT & 1;
    h->dot[1] = word >> NV2A_COLOR_OCW_CD_DOT & 1;
    h->mux = word >> NV2A_COLOR_OCW_MUX & 1;
    h->op = word >> NV2A_COLOR_OCW_OP & 7;
    h->blue = word >> NV2A_COLOR_OCW_AB_BLUE_TO_ALPHA & 1;
}

static void read_constant(struct fragprog_rc_constants *c, unsigned k, uint32_t word)
{
    c->given[k] = true;
    for (unsigned i = 0; i < 4; i++)
        c->value[k][i] = (float)(word >> (i < 3 ? 16 - 8 * i : 24) & 0xff) / 255;
}

/* Decodes the bits of a word that struct fragprog_rc can express; the caller checks that no others are set.
 */
static void read_word(struct fragprog_rc *rc, uint32_t method, uint32_t value)
{
    for (unsigned k = 0; k < 6; k++) {
        const uint32_t s = (method - of_stage[k]) / 4;
        if (s < RC_STAGES && k < 2)
            read_inputs(rc->stage[s].half[k].in, value);
        else if (s < RC_STAGES && k < 4)
            read_outputs(&rc->stage[s].half[k - 2], value);
        else if (s < RC_STAGES)
            read_constant(&rc->stage[s].constants, k - 4, value);
    }
    for (unsigned k = 0; k < 2; k++)
        if (method == NV2A_FINAL_FACTOR + 4 * k)
            read_constant(&rc->constants, k, value);
    if (method == NV2A_CW0)
        read_inputs(rc->final, value);
    if (method == NV2A_CW1)
        read_inputs(rc->final + 4, value);
    if (method == NV2A_CONTROL)
        rc->stages = value >> NV2A_CONTROL_COUNT & 15;
    for (unsigned i = 0; i < RC_TEXTURES && method == NV2A_TEXTURE_MODES; i++)
        rc->texture[i] = value >> NV2A_TEXTURE_MODES_TEXTURE1 * i & 31;
}

/* Prints words as a program. Returns false if reading the text back does not give the same words. */
bool hwemit_nv2a_print(struct texenv_text *text, const struct hwemit_word *word, uint32_t n)
{
    struct hwemit_word again[NV2A_WORDS];
    struct fragprog_rc rc = {.stages = 0};
    const size_t start = text->length;
    for (uint32_t i = 0; i < n; i++)
        read_word(&rc, word[i].address, word[i].value);
    if (rc.stages == 0 || rc.stages > RC_STAGES)
        return false;
    fragprog_print_rc(text, &rc);
    if (text->length >= text->size ||
        !fragprog_read_rc(&rc, text->data + start, text->length - start, NULL) ||
        hwemit_nv2a_words(again, &rc) != n)
        return false;
    for (uint32_t i = 0, k; i < n; i++) {
        for (k = 0; k < n && again[k].address != word[i].address; k++)
            ;
        if (k == n || again[k].value != word[i].value)
            return false;
    }
    return true;
}

bool hwemit_nv2a_read(struct hwemit_words *out, const char *text, size_t length,
                      const struct texenv_sink *sink)
{
    struct fragprog_rc rc;
    if (!fragprog_read_rc(&rc, text, length, sink))
        return false;
    if (out->max < NV2A_WORDS)
        texenv_emit(sink, TEXENV_ERROR, -1, (struct texenv_place){0}, "length",
                    "there is no room for the %d words of a program", NV2A_WORDS);
    out->n = out->max < NV2A_WORDS ? 0 : hwemit_nv2a_words(out->word, &rc);
    return out->n;
}
