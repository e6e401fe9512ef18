/* Operations as instructions of two words; what alias.rt binds in a preamble before them; constants after
 * them. Facts: notes/facts/ir3.md B.2, B.3. */
#include "hwemit/ir3/ir3.h"

#include <string.h>

enum {
    SPARE_NOPS = 3,
    NOP_SLOTS = 6,
    FULL_TYPE = 1,
    UNSIGNED_TYPE = 3,
    FROM_GPR = 0,
    FROM_CONSTANT = 1,
    FROM_IMMEDIATE = 2
};

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void emit(struct ir3 *s, uint32_t category, uint32_t low, uint32_t high)
{
    hwemit_add(s->code, HWEMIT_STREAM, low);
    hwemit_add(s->code, HWEMIT_STREAM, high | at(category, IR3_CAT0_HI_CAT) | at(s->landing, IR3_CAT0_HI_JP));
    s->landing = false;
    s->words++;
}

static uint32_t waits(const struct ir3_op *op)
{
    return at(op->ss, IR3_CAT2_HI_SS) | at(op->sy, IR3_CAT2_HI_SY);
}

static uint32_t destination(const struct ir3 *s, const struct ir3_op *op)
{
    return hwemit_ir3_pure(op) ? s->value[op->value].reg : IR3_P0 + op->predicate;
}

/* The operand goes on with the repeats. */
static uint32_t steps(const struct ir3 *s, const struct ir3_op *op, unsigned n)
{
    const struct ir3_src *x = &op[0].src[n], *y = &op[1].src[n];
    if (!op->repeat)
        return 0;
    if (x->file == IR3_VALUE)
        return s->value[x->index].reg != s->value[y->index].reg;
    return x->index != y->index;
}

/* An operand of categories 2 and 4, 16 bits. */
static uint32_t operand(const struct ir3 *s, const struct ir3_op *op, unsigned n)
{
    const struct ir3_src x = op->src[n];
    const uint32_t mods = at(x.neg, IR3_CAT2_LO_SRC1_MOD) | at(x.abs, IR3_CAT2_LO_SRC1_MOD + 1);
    bool neg;
    if (x.file == IR3_VALUE)
        return s->value[x.index].reg | mods;
    if (x.file == IR3_UNREAD) /* the place of a varying number */
        return x.index | at(4, IR3_CAT2_LO_SRC1_KIND);
    const int number = hwemit_ir3_inline(s, op, n, &neg);
    if (number >= 0)
        return (uint32_t)number | at(IR3_TABLE, IR3_CAT2_LO_SRC1_KIND) | at(neg, IR3_CAT2_LO_SRC1_MOD);
    return s->scalar[x.index].slot | at(IR3_CONSTANT, IR3_CAT2_LO_SRC1_KIND) | mods;
}

/* Of category 3, 13 bits; the sign is elsewhere. */
static uint32_t plain_operand(const struct ir3 *s, struct ir3_src x)
{
    return x.file == IR3_VALUE ? s->value[x.index].reg
                               : s->scalar[x.index].slot | at(IR3_CONSTANT, IR3_CAT3_LO_SRC1_KIND);
}

static void nops(struct ir3 *s, unsigned n, bool ss)
{
    s->empty = (uint16_t)(s->empty + n);
    while (n) {
        const unsigned now = n < NOP_SLOTS ? n : NOP_SLOTS;
        emit(s, 0, 0, at(now - 1, IR3_CAT0_HI_RPT) | at(ss, IR3_CAT0_HI_SS));
        n -= now;
        ss = false;
    }
}

/* Empty slots after an instruction that can have some of its own. */
static uint32_t spare(struct ir3 *s, const struct ir3_op *op, unsigned *left)
{
    const unsigned last = op[op->repeat].nops;
    *left = last;
    if (op->repeat || !last)
        return 0;
    const unsigned own = last < SPARE_NOPS ? last : SPARE_NOPS;
    *left = last - own;
    s->empty = (uint16_t)(s->empty + own);
    return own;
}

static void category_1(struct ir3 *s, const struct ir3_op *op)
{
    const struct ir3_src x = op->src[0];
    const float *own = hwemit_ir3_own(s, x);
    const uint32_t kind = x.file == IR3_VALUE ? FROM_GPR : own ? FROM_IMMEDIATE : FROM_CONSTANT;
    const uint32_t low = x.file == IR3_VALUE ? s->value[x.index].reg
        : own                                ? bits_of(*own)
                                             : s->scalar[x.index].slot;
    emit(s, 1, low,
         destination(s, op) | at(op->repeat, IR3_CAT1_HI_RPT) | at(steps(s, op, 0), IR3_CAT1_HI_SRC_R) |
             waits(op) | at(FULL_TYPE, IR3_CAT1_HI_DST_TYPE) |
             at(op->code ? UNSIGNED_TYPE : FULL_TYPE, IR3_CAT1_HI_SRC_TYPE) | at(kind, IR3_CAT1_HI_SRC_KIND));
    nops(s, op[op->repeat].nops, false);
}

static void category_2(struct ir3 *s, const struct ir3_op *op)
{
    unsigned left;
    uint32_t low = operand(s, op, 0), r = 0;
    for (unsigned n = 0; n < op->n; n++)
        r |= steps(s, op, n) << n;
    r |= spare(s, op, &left);
    if (op->n > 1)
        low |= operand(s, op, 1) << IR3_CAT2_LO_SRC2;
    emit(s, 2, low,
         destination(s, op) | at(op->repeat, IR3_CAT2_HI_RPT) | at(op->sat, IR3_CAT2_HI_SAT) | waits(op) |
             at(r & 1, IR3_CAT2_HI_SRC1_R) | at(r >> 1, IR3_CAT2_HI_SRC2_R) |
             at(op[op->repeat].ei, IR3_CAT2_HI_EI) | at(op->cond, IR3_CAT2_HI_COND) |
             at(1, IR3_CAT2_HI_FULL) | at(op->code, IR3_CAT2_HI_OPC));
    nops(s, left, false);
}

static void category_3(struct ir3 *s, const struct ir3_op *op)
{
    unsigned left;
    const uint32_t own = spare(s, op, &left);
    const uint32_t low = plain_operand(s, op->src[0]) | at(op->src[0].neg, IR3_CAT3_LO_SRC1_NEG) |
        at(steps(s, op, 1) | own >> 1, IR3_CAT3_LO_SRC2_R) |
        plain_operand(s, op->src[2]) << IR3_CAT3_LO_SRC3 | at(steps(s, op, 2), IR3_CAT3_LO_SRC3_R) |
        at(op->src[1].neg, IR3_CAT3_LO_SRC2_NEG) | at(op->src[2].neg, IR3_CAT3_LO_SRC3_NEG);
    emit(s, 3, low,
         destination(s, op) | at(op->repeat, IR3_CAT3_HI_RPT) | at(op->sat, IR3_CAT3_HI_SAT) |
             at(steps(s, op, 0) | (own & 1), IR3_CAT3_HI_SRC1_R) | waits(op) |
             at(s->value[op->src[1].index].reg, IR3_CAT3_HI_SRC2) | at(op->code, IR3_CAT3_HI_OPC));
    nops(s, left, false);
}

static void category_4(struct ir3 *s, const struct ir3_op *op)
{
    emit(s, 4, operand(s, op, 0),
         destination(s, op) | at(op->repeat, IR3_CAT4_HI_RPT) | at(steps(s, op, 0), IR3_CAT4_HI_SRC_R) |
             waits(op) | at(1, IR3_CAT4_HI_FULL) | at(op->code, IR3_CAT4_HI_OPC));
    nops(s, op[op->repeat].nops, false);
}

/* The first entry says how many there are, and waits for what the lookup waits for. */
static void table(struct ir3 *s, const struct ir3_op *op)
{
    for (unsigned i = 0; i < op->naliases; i++) {
        const struct ir3_alias *a = &s->table[op->alias + i];
        emit(s, 7, a->value,
             a->name | at(i ? 0 : op->naliases - 1u, IR3_CAT7_HI_SIZE_1) | (i ? 0 : waits(op)) |
                 at(1, IR3_CAT7_HI_FULL) | at(a->file, IR3_CAT7_HI_KIND) | at(8, IR3_CAT7_HI_OPC));
    }
    s->nentries = (uint16_t)(s->nentries + op->naliases);
}

static void lookup(struct ir3 *s, const struct ir3_op *op)
{
    if (op->naliases)
        table(s, op);
    else
        nops(s, op->before, true);
    emit(s, 5,
         at(1, IR3_CAT5_LO_FULL) | at(op->base[0], IR3_CAT5_LO_SRC1) | at(op->base[1], IR3_CAT5_LO_SRC2) |
             at(op->texture, IR3_CAT5_LO_SAMP) | at(op->texture, IR3_CAT5_LO_TEX),
         s->value[op->value].reg | at(op->mask, IR3_CAT5_HI_WRMASK) | at(FULL_TYPE, IR3_CAT5_HI_TYPE) |
             at(op->three, IR3_CAT5_HI_3D) | at(op->cond, IR3_CAT5_HI_SHADOW) |
             at(op->code, IR3_CAT5_HI_OPC) | at(op->sy && !op->naliases, IR3_CAT5_HI_SY));
    nops(s, op->nops, false);
}

static void do_kill(struct ir3 *s, const struct ir3_op *op)
{
    emit(s, 0, 0, at(IR3_KILL, IR3_CAT0_HI_OPC) | at(op->predicate, IR3_CAT0_HI_COMP) | waits(op));
    nops(s, op->nops, false);
}

/* The components that alias.rt binds; the last thing in a preamble. */
static void preamble(struct ir3 *s)
{
    unsigned n = 0;
    for (unsigned m = 0; m < 4 * IR3_TARGETS; m++)
        n += s->aliased >> m & 1;
    if (!n)
        return;
    emit(s, 0, n + 2, at(IR3_SHPS, IR3_CAT0_HI_OPC) | at(1, IR3_CAT0_HI_OPC_HI));
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned component = 4 * s->output[o].target + c;
            if (s->output[o].target == IR3_DEPTH || !(s->aliased >> component & 1))
                continue;
            const struct ir3_src x = s->output[o].chan[c];
            const float *own = hwemit_ir3_own(s, x);
            emit(s, 7, own ? bits_of(*own) : s->scalar[x.index].slot,
                 component | at(1, IR3_CAT7_HI_RT) | at(1, IR3_CAT7_HI_FULL) |
                     at(own ? FROM_IMMEDIATE : FROM_CONSTANT, IR3_CAT7_HI_KIND) | at(8, IR3_CAT7_HI_OPC));
        }
    /* Mesa waits for all at each (ir3_legalize.c), though here there is nothing to wait for */
    emit(s, 0, 0,
         at(IR3_SHPE, IR3_CAT0_HI_OPC) | at(1, IR3_CAT0_HI_OPC_HI) | at(1, IR3_CAT0_HI_SS) |
             at(1, IR3_CAT0_HI_SY));
    s->preamble = s->words;
    s->landing = true;
}

/* ---- constants and the rest ---- */

static uint32_t constant_word(const float value[4], unsigned n) { return bits_of(value[n]); }

static void constant(struct ir3 *s, unsigned c)
{
    int32_t origin[4] = {FRAGPROG_ORIGIN_IMMEDIATE, FRAGPROG_ORIGIN_IMMEDIATE, FRAGPROG_ORIGIN_IMMEDIATE,
                         FRAGPROG_ORIGIN_IMMEDIATE};
    uint8_t component[4] = {0}, channels = 0;
    float value[4] = {0};
    for (unsigned n = 0; n < s->nscalars; n++) {
        const struct ir3_scalar *x = &s->scalar[n];
        if (x->slot / 4 != c || x->slot == IR3_NO_SLOT)
            continue;
        origin[x->slot % 4] = x->origin;
        component[x->slot % 4] = x->component;
        value[x->slot % 4] = x->value;
        channels |= (uint8_t)(1u << x->slot % 4);
    }
    hwemit_add_lanes(s->code, c, value, origin, component);
    s->code->constant[s->code->nconstants - 1].channels = channels;
    for (unsigned n = 0; n < 4; n++)
        hwemit_add(s->code, IR3_CONSTANTS + 16 * c + 4 * n, bits_of(value[n]));
}

static void code(struct ir3 *s)
{
    preamble(s);
    for (unsigned i = 0; i < s->nops; i += s->op[i].repeat + 1u) {
        const struct ir3_op *op = &s->op[i];
        switch (op->kind) {
        case IR3_MOVE: category_1(s, op); break;
        case IR3_TWO:
        case IR3_COMPARE_KILL: category_2(s, op); break;
        case IR3_THREE: category_3(s, op); break;
        case IR3_FUNCTION: category_4(s, op); break;
        case IR3_LOOKUP: lookup(s, op); break;
        default: do_kill(s, op); break;
        }
    }
    emit(s, 0, 0,
         at(IR3_END, IR3_CAT0_HI_OPC) | at(s->end_ss, IR3_CAT0_HI_SS) | at(s->end_sy, IR3_CAT0_HI_SY));
}

/* The register of the first component, whether or not that is in one. */
static unsigned first_register(const struct ir3 *s, const struct ir3_output *o)
{
    for (unsigned c = 0; c < 4; c++)
        if (o->value[c] != IR3_NO_VALUE)
            return s->value[o->value[c]].reg - c;
    return 0;
}

void hwemit_ir3_encode(struct ir3 *s)
{
    struct hwemit_code *to = s->code;
    to->constant_word = constant_word;
    to->constant_words = 4;
    to->output = (int16_t)first_register(s, &s->output[0]);
    code(s);
    for (unsigned c = 0; 4 * c < s->nconstants; c++)
        constant(s, c);
    if (s->level >= 7) {
        hwemit_add(to, IR3_ALIASED_CONTROL, s->aliased != 0);
        hwemit_add(to, IR3_ALIASED, s->aliased);
    }
    for (unsigned n = 0; n < s->textures; n++)
        hwemit_add_texture(to, s->texture[n].slot, s->texture[n].unit, s->texture[n].coord,
                           s->texture[n].target);
    for (unsigned i = 0; i < s->ninputs; i++)
        hwemit_add_input(to, i, s->input[i].what, s->input[i].index);
    if (s->position != IR3_NO_VALUE)
        hwemit_add_input(to, IR3_FIRST_OF_POSITION, HWEMIT_POSITION, 0);
    for (unsigned o = 1; o < s->noutputs; o++)
        hwemit_add_output(to, first_register(s, &s->output[o]),
                          s->output[o].target == IR3_DEPTH ? HWEMIT_DEPTH
                                                           : HWEMIT_TARGET_COLOR + s->output[o].target);
    hwemit_add_stat(to, "instructions", s->words);
    hwemit_add_stat(to, "nops", s->empty);
    hwemit_add_stat(to, "registers", s->registers);
    hwemit_add_stat(to, "constants", (s->nconstants + 3u) / 4);
    hwemit_add_stat(to, "moves", s->moves);
    hwemit_add_stat(to, "aliases", s->nentries);
    hwemit_add_stat(to, "preamble", s->preamble);
    hwemit_add_stat(to, "aliased", s->aliased);
}
