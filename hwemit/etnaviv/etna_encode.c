/* Encodes operations as instructions of four words, and then uniforms as registers. Facts:
 * notes/facts/etnaviv.md A.2, A.3. */
#include "hwemit/etnaviv/etnaviv.h"

enum { WORDS = 4 };

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

int32_t hwemit_etna_immediate(const struct machine *m, const struct machine_op *op, unsigned s)
{
    const unsigned channels = hwemit_machine_reads(op, s);
    const struct machine_src *first = NULL;
    if (!m->immediates || hwemit_machine_kind(op->op) == MACHINE_LOOKUP)
        return -1;
    for (unsigned c = 0; c < 4; c++) {
        const struct machine_src *x = &op->arg[s][c];
        if (!(channels >> c & 1))
            continue;
        if (x->neg || x->abs || (first && x->index != first->index))
            return -1;
        first = first ? first : x;
    }
    const float *own = first ? hwemit_machine_value(m, *first) : NULL;
    return own ? fragprog_immediate(m->immediates, *own, NULL) : -1;
}

/* A source; bits: its register, swizzle and signs as they are in INST1 for source 0. They have the same order
 * in the words of sources 1 and 2, but begin at lower bits. */
struct source {
    uint32_t bits, amode, group;
};

static struct source source_of(const struct machine *m, const struct machine_op *op, unsigned s)
{
    uint8_t channel[4];
    uint32_t swizzle = 0;
    const int32_t immediate = hwemit_etna_immediate(m, op, s);
    if (immediate >= 0) { /* type 0: the upper 20 bits of a float */
        const uint32_t low = at((uint32_t)immediate & 0x1ff, ETNA_INST1_SRC0_REG),
                       high = at((uint32_t)immediate >> 9 & 0x3ff, ETNA_INST1_SRC0_SWIZ);
        return (struct source){low | high, (uint32_t)immediate >> 19, ETNA_IMMEDIATE};
    }
    hwemit_machine_positions(m, op, s, channel);
    for (unsigned p = 0; p < 4; p++)
        swizzle |= hwemit_machine_lane_of(m, op, s, channel[p]) << 2 * p;
    const struct machine_src x = op->arg[s][channel[0]];
    const bool temp = x.file == MACHINE_VALUE;
    return (struct source){at(temp ? m->value[x.index].reg : op->slot[s], ETNA_INST1_SRC0_REG) |
                               at(swizzle, ETNA_INST1_SRC0_SWIZ) | at(x.neg, ETNA_INST1_SRC0_NEG) |
                               at(x.abs, ETNA_INST1_SRC0_ABS),
                           0, temp ? ETNA_TEMP : ETNA_UNIFORM0};
}

static void sources(const struct machine *m, const struct machine_op *op, uint32_t word[WORDS])
{
    static const uint8_t begin[3] = {ETNA_INST1_SRC0, ETNA_INST2_SRC1, ETNA_INST3_SRC2};
    const uint8_t *from = m->target->row[op->op].from;
    struct source s[3] = {{0}};
    for (unsigned i = 0; i < 3; i++) {
        if (!from[i])
            continue;
        s[i] = source_of(m, op, from[i] - 1u);
        word[1 + i] |= at(1, begin[i]) | s[i].bits >> (ETNA_INST1_SRC0 - begin[i]);
    }
    word[2] |= at(s[0].amode, ETNA_INST2_SRC0_AMODE) | at(s[0].group, ETNA_INST2_SRC0_GROUP) |
        at(s[1].amode, ETNA_INST2_SRC1_AMODE);
    word[3] |= at(s[1].group, ETNA_INST3_SRC1_GROUP) | at(s[2].amode, ETNA_INST3_SRC2_AMODE) |
        at(s[2].group, ETNA_INST3_SRC2_GROUP);
}

static void instruction(const struct machine *m, const struct machine_op *op)
{
    const struct machine_row *row = &m->target->row[op->op];
    const struct machine_value *value = &m->value[op->mask ? op->value : 0];
    uint32_t word[WORDS] = {
        at(row->code, ETNA_INST0_OP) | at(row->cond, ETNA_INST0_COND) | at(op->sat, ETNA_INST0_SAT), 0, 0, 0};
    sources(m, op, word);
    if (op->mask)
        word[0] |= at(1, ETNA_INST0_DST) | at(value->reg, ETNA_INST0_DST_REG);
    if (op->mask && value->kind == MACHINE_FACTORS)
        word[1] |= at(1, ETNA_INST1_ROUND); /* selects the variant of the function that returns two factors */
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1)
            word[0] |= at(1u << value->lane[c], ETNA_INST0_DST_MASK);
    if (hwemit_machine_kind(op->op) == MACHINE_LOOKUP) {
        uint32_t select[4] = {0, 1, 2, 3};
        for (unsigned c = 0; c < 4; c++)
            if (op->mask >> c & 1)
                select[value->lane[c]] = op->texel[c];
        word[0] |= at(op->texture, ETNA_INST0_TEX_ID);
        for (unsigned p = 0; p < 4; p++)
            word[1] |= at(select[p], ETNA_INST1_TEX_SWIZ + 2 * p);
    }
    for (unsigned i = 0; i < WORDS; i++)
        hwemit_add(m->code, HWEMIT_STREAM, word[i]);
}

void hwemit_etna_encode(struct machine *m)
{
    m->code->output = (int16_t)m->value[m->output[0].value[0]].reg;
    for (unsigned i = 0; i < m->nops; i++)
        instruction(m, &m->op[i]);
    hwemit_machine_constants(m, ETNA_UNIFORMS, 4);
    hwemit_machine_interface(m);
    hwemit_add_stat(m->code, "instructions", m->nops);
    hwemit_add_stat(m->code, "registers", m->registers);
    hwemit_add_stat(m->code, "whole", m->whole);
    hwemit_add_stat(m->code, "constants", m->nslots);
    hwemit_add_stat(m->code, "moves", m->moves);
}
