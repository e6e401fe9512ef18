/* Encodes operations as instructions of three words in one packet, and constants in another (2 to 4). */
#include "hwemit/i915/i915.h"

/* Returns the file and the number of a value's register, at these places of a word. */
static uint32_t file_of(const struct machine *m, unsigned value, unsigned file, unsigned number)
{
    const struct machine_value *v = &m->value[value];
    if (v->kind == MACHINE_OUTPUT)
        return (uint32_t)(v->reg == MACHINE_DEPTH ? I915_OD : I915_OC) << file;
    return (uint32_t)(v->kind == MACHINE_INPUT ? I915_T : I915_R) << file | (uint32_t)v->reg << number;
}

static void put(struct machine *m, uint32_t x, uint32_t y, uint32_t z)
{
    hwemit_add(m->code, HWEMIT_STREAM, x);
    hwemit_add(m->code, HWEMIT_STREAM, y);
    hwemit_add(m->code, HWEMIT_STREAM, z);
}

/* ---- arithmetic ---- */

static uint32_t select(const struct machine *m, const struct machine_op *op, unsigned s, unsigned c)
{
    const struct machine_src x = op->arg[s][c];
    const float *own = hwemit_machine_value(m, x);
    if (hwemit_machine_selected(m, x))
        return (*own == 0 ? I915_ZERO : I915_ONE) | (x.neg != (*own < 0) ? I915_NEGATED : 0u);
    return hwemit_machine_lane_of(m, op, s, c) | (x.neg ? I915_NEGATED : 0u);
}

/* Returns source s in 24 bits: register file, register number and four selects, as source 2 has them in word
 * A2. */
static uint64_t source(const struct machine *m, const struct machine_op *op, unsigned s)
{
    uint32_t bits = 0, selects = 0;
    uint8_t channel[4];
    if (!hwemit_machine_reads(op, s))
        return 0;
    hwemit_machine_positions(m, op, s, channel);
    for (unsigned p = 0; p < 4; p++) {
        const struct machine_src x = op->arg[s][channel[p]];
        selects |= select(m, op, s, channel[p]) << (I915_A2_SRC2_X - 4 * p);
        if (x.file == MACHINE_VALUE)
            bits = file_of(m, x.index, I915_A2_SRC2_FILE, I915_A2_SRC2);
        else if (!hwemit_machine_selected(m, x))
            bits = (uint32_t)I915_CONST << I915_A2_SRC2_FILE | (uint32_t)op->slot[s] << I915_A2_SRC2;
    }
    return bits | selects;
}

static void arithmetic(struct machine *m, const struct machine_op *op)
{
    const struct machine_value *value = &m->value[op->value];
    /* the selects of source 0, then the sources 1 and 2; file and number of source 0 are in word A0 */
    const uint64_t x = source(m, op, 0), rest = x << 48 | source(m, op, 1) << 24 | source(m, op, 2);
    uint32_t word = (uint32_t)m->target->row[op->op].code << I915_A0_OP | (uint32_t)op->sat << I915_A0_SAT |
        file_of(m, op->value, I915_A0_DST_FILE, I915_A0_DST) | (uint32_t)(x >> I915_A2_SRC2) << I915_A0_SRC0;
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1)
            word |= 1u << (I915_A0_MASK + value->lane[c]);
    put(m, word, (uint32_t)(rest >> 32), (uint32_t)rest);
}

/* ---- lookups and declarations ---- */

/* Encodes a lookup or a kill. A kill names the destination U0 without writing it, as in Mesa (section 9). */
static void lookup(struct machine *m, const struct machine_op *op)
{
    const bool kill = op->op == MACHINE_KILL;
    unsigned c = 0;
    while (!(op->terms >> c & 1))
        c++;
    put(m,
        (uint32_t)m->target->row[op->op].code << I915_T0_OP |
            (kill ? (uint32_t)I915_U << I915_T0_DST_FILE
                  : file_of(m, op->value, I915_T0_DST_FILE, I915_T0_DST) | op->texture),
        file_of(m, op->arg[0][c].index, I915_T1_COORD_FILE, I915_T1_COORD), 0);
}

static void declaration(struct machine *m, unsigned file, unsigned number, unsigned sampler, unsigned mask)
{
    put(m,
        (uint32_t)I915_DCL << I915_D0_OP | sampler << I915_D0_SAMPLER | file << I915_D0_FILE |
            number << I915_D0_REGISTER | mask << I915_D0_MASK,
        0, 0);
}

/* Encodes declarations of samplers and inputs, with the channels that drivers declare (sections 4.3, 5). */
static void declare(struct machine *m)
{
    static const uint8_t sampler[TEXENV_TARGETS] = {[TEXENV_CUBE] = 1, [TEXENV_3D] = 2};
    for (unsigned n = 0; n < m->ntextures; n++)
        declaration(m, I915_S, m->texture[n].slot, sampler[m->texture[n].target], 0);
    for (unsigned n = 0; n < m->ninputs; n++) {
        const struct machine_value *v = &m->value[m->input[n].value];
        declaration(m, I915_T, v->reg, 0,
                    v->reg == I915_FOG            ? FRAGPROG_MASK_W
                        : v->reg == I915_SPECULAR ? FRAGPROG_MASK_XYZ
                                                  : FRAGPROG_MASK_XYZW);
    }
}

void hwemit_i915_encode(struct machine *m)
{
    const uint32_t first = m->code->nwords;
    hwemit_machine_drop_unread(m);
    hwemit_add(m->code, HWEMIT_STREAM, 0);
    declare(m);
    for (unsigned i = 0; i < m->nops; i++)
        if (hwemit_machine_kind(m->op[i].op) < MACHINE_LOOKUP)
            arithmetic(m, &m->op[i]);
        else
            lookup(m, &m->op[i]);
    if (first < m->code->maxwords)
        m->code->word[first].value = I915_PROGRAM | (m->code->nwords - first - 2);
    if (m->nslots) {
        hwemit_add(m->code, HWEMIT_STREAM, I915_CONSTANTS | 4u * m->nslots);
        hwemit_add(m->code, HWEMIT_STREAM, UINT32_MAX >> (32 - m->nslots));
    }
    hwemit_machine_constants(m, HWEMIT_STREAM, 0);
    hwemit_machine_interface(m);
}
