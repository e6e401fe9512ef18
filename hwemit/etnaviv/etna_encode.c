/* Operations as instructions of four words, uniforms as registers after them. Facts: notes/facts/etnaviv.md
 * A.2, A.3. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

enum { WORDS = 4 };

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

/* Register, swizzle, signs, address mode and group of a source. */
struct source {
    uint32_t reg, swizzle, neg, abs, amode, group;
};

/* Position p of the swizzle selects what channel[p] reads; positions that are not read what the first does.
 */
static uint32_t swizzle(const struct etna *e, const struct etna_op *op, unsigned s, const uint8_t channel[4])
{
    uint32_t bits = 0, lane[4];
    unsigned first = 4;
    for (unsigned p = 4; p-- > 0;) {
        if (channel[p] > 3)
            continue;
        const struct etna_chan *c = &op->arg[s][channel[p]];
        lane[p] = c->file == ETNA_VALUE ? e->value[c->index].lane[c->lane]
                                        : hwemit_etna_lane(e, op->slot[s], c->index);
        first = p;
    }
    for (unsigned p = 0; p < 4; p++)
        bits |= lane[channel[p] > 3 ? first : p] << 2 * p;
    return bits;
}

/* Which channel of the source each position of its swizzle is for; 0xff: none. */
static void positions(const struct etna *e, const struct etna_op *op, unsigned s, uint8_t channel[4])
{
    const unsigned reads = hwemit_etna_reads(op, s);
    memset(channel, 0xff, 4);
    for (unsigned c = 0; c < 4; c++)
        if (reads >> c & 1)
            channel[op->kind == ETNA_CHANNELS ? e->value[op->value].lane[c] : c] = (uint8_t)c;
}

static struct source source_of(const struct etna *e, const struct etna_op *op, unsigned s)
{
    uint8_t channel[4];
    unsigned first = 0;
    const int32_t inlined = hwemit_etna_inline(e, op, s);
    if (inlined >= 0) { /* 20 bits: the upper ones of a float; type 0 */
        const uint32_t bits = (uint32_t)inlined;
        return (struct source){bits & 0x1ff,   bits >> 9 & 0xff, bits >> 17 & 1,
                               bits >> 18 & 1, bits >> 19,       ETNA_IMMEDIATE};
    }
    while (!(hwemit_etna_reads(op, s) >> first & 1))
        first++;
    const struct etna_chan *c = &op->arg[s][first];
    positions(e, op, s, channel);
    struct source source = {.swizzle = swizzle(e, op, s, channel), .neg = c->neg, .abs = op->abs >> s & 1};
    source.group = c->file == ETNA_VALUE ? ETNA_TEMP : ETNA_UNIFORM0;
    source.reg = c->file == ETNA_VALUE ? e->value[c->index].reg : op->slot[s];
    return source;
}

static void sources(const struct etna *e, const struct etna_op *op, uint32_t word[WORDS])
{
    if (op->used & 1) {
        const struct source s = source_of(e, op, 0);
        word[1] |= at(1, ETNA_INST1_SRC0) | at(s.reg, ETNA_INST1_SRC0_REG) |
            at(s.swizzle, ETNA_INST1_SRC0_SWIZ) | at(s.neg, ETNA_INST1_SRC0_NEG) |
            at(s.abs, ETNA_INST1_SRC0_ABS);
        word[2] |= at(s.amode, ETNA_INST2_SRC0_AMODE) | at(s.group, ETNA_INST2_SRC0_GROUP);
    }
    if (op->used & 2) {
        const struct source s = source_of(e, op, 1);
        word[2] |= at(1, ETNA_INST2_SRC1) | at(s.reg, ETNA_INST2_SRC1_REG) |
            at(s.swizzle, ETNA_INST2_SRC1_SWIZ) | at(s.neg, ETNA_INST2_SRC1_NEG) |
            at(s.abs, ETNA_INST2_SRC1_ABS) | at(s.amode, ETNA_INST2_SRC1_AMODE);
        word[3] |= at(s.group, ETNA_INST3_SRC1_GROUP);
    }
    if (op->used & 4) {
        const struct source s = source_of(e, op, 2);
        word[3] |= at(1, ETNA_INST3_SRC2) | at(s.reg, ETNA_INST3_SRC2_REG) |
            at(s.swizzle, ETNA_INST3_SRC2_SWIZ) | at(s.neg, ETNA_INST3_SRC2_NEG) |
            at(s.abs, ETNA_INST3_SRC2_ABS) | at(s.amode, ETNA_INST3_SRC2_AMODE) |
            at(s.group, ETNA_INST3_SRC2_GROUP);
    }
}

static void instruction(const struct etna *e, const struct etna_op *op)
{
    uint32_t word[WORDS] = {at(op->code, ETNA_INST0_OP) | at(op->cond, ETNA_INST0_COND) |
                                at(op->sat, ETNA_INST0_SAT),
                            at(op->round, ETNA_INST1_ROUND), 0, 0};
    sources(e, op, word);
    if (op->mask)
        word[0] |= at(1, ETNA_INST0_DST) | at(e->value[op->value].reg, ETNA_INST0_DST_REG);
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1)
            word[0] |= at(1u << e->value[op->value].lane[c], ETNA_INST0_DST_MASK);
    if (op->kind == ETNA_LOOKUP) {
        uint32_t select[4] = {0, 1, 2, 3};
        for (unsigned c = 0; c < 4; c++)
            if (op->mask >> c & 1)
                select[e->value[op->value].lane[c]] = op->texel[c];
        word[0] |= at(op->texture, ETNA_INST0_TEX_ID);
        for (unsigned p = 0; p < 4; p++)
            word[1] |= at(select[p], ETNA_INST1_TEX_SWIZ + 2 * p);
    }
    for (unsigned i = 0; i < WORDS; i++)
        hwemit_add(e->code, HWEMIT_STREAM, word[i]);
}

static uint32_t constant_word(const float value[4], unsigned n)
{
    uint32_t bits;
    memcpy(&bits, &value[n], sizeof bits);
    return bits;
}

static void uniform(const struct etna *e, unsigned slot)
{
    const struct etna_uniform *u = &e->slot[slot];
    int32_t origin[4] = {FRAGPROG_ORIGIN_IMMEDIATE, FRAGPROG_ORIGIN_IMMEDIATE, FRAGPROG_ORIGIN_IMMEDIATE,
                         FRAGPROG_ORIGIN_IMMEDIATE};
    uint8_t component[4] = {0};
    float value[4] = {0};
    for (unsigned i = 0; i < u->n; i++) {
        const struct etna_scalar *s = &e->scalar[u->scalar[i]];
        origin[i] = s->origin;
        component[i] = s->component;
        value[i] = s->value;
    }
    hwemit_add_lanes(e->code, slot, value, origin, component);
    e->code->constant[e->code->nconstants - 1].channels = (uint8_t)((1u << u->n) - 1);
    for (unsigned i = 0; i < 4; i++)
        hwemit_add(e->code, ETNA_UNIFORMS + 16 * slot + 4 * i, constant_word(value, i));
}

void hwemit_etna_encode(struct etna *e)
{
    struct hwemit_code *code = e->code;
    code->constant_word = constant_word;
    code->constant_words = 4;
    code->output = (int16_t)e->value[e->output].reg;
    for (unsigned i = 0; i < e->nops; i++)
        instruction(e, &e->op[i]);
    for (unsigned n = 0; n < e->nslots; n++)
        uniform(e, n);
    for (unsigned n = 0; n < e->textures; n++)
        hwemit_add_texture(code, e->texture[n].slot, e->texture[n].unit, e->texture[n].coord,
                           e->texture[n].target);
    for (unsigned i = 0; i < e->ninputs; i++)
        hwemit_add_input(code, e->value[e->input[i].value].reg, e->input[i].what, e->input[i].index);
    hwemit_add_stat(code, "instructions", e->nops);
    hwemit_add_stat(code, "registers", e->registers);
    hwemit_add_stat(code, "whole", e->whole);
    hwemit_add_stat(code, "constants", e->nslots);
    hwemit_add_stat(code, "moves", e->moves);
}
