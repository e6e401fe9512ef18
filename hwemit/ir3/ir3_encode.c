/* Encodes the program: a preamble if alias.rt binds outputs to constants, then the operations as instructions
 * of two words, then the constants. Facts: notes/facts/ir3.md B.2, B.3. */
#include "hwemit/ir3/ir3.h"

enum { SPARE_NOPS = 3, NOP_SLOTS = 6, MOST_REPEATS = 3, FULL_TYPE = 1, UNSIGNED_TYPE = 3 };

/* The lowest bits of the operands of categories 1 to 4, and the bits (r) of these: in a repeated instruction,
 * each repetition reads the next register or constant. Of an instruction of category 2 or 3 that is not
 * repeated, the first two bits (r) are the number of empty slots after it. */
static const struct {
    uint8_t n, place[3], again[3];
} operands[6] = {
    [1] = {1, {IR3_CAT1_LO_SRC}, {32 + IR3_CAT1_HI_SRC_R}},
    [2] = {2, {IR3_CAT2_LO_SRC1, IR3_CAT2_LO_SRC2}, {32 + IR3_CAT2_HI_SRC1_R, 32 + IR3_CAT2_HI_SRC2_R}},
    [3] = {3,
           {IR3_CAT3_LO_SRC1, 32 + IR3_CAT3_HI_SRC2, IR3_CAT3_LO_SRC3},
           {32 + IR3_CAT3_HI_SRC1_R, IR3_CAT3_LO_SRC2_R, IR3_CAT3_LO_SRC3_R}},
    [4] = {1, {IR3_CAT4_LO_SRC}, {32 + IR3_CAT4_HI_SRC_R}}};

struct encoding {
    struct machine *m;
    struct ir3 *s;
    const struct machine_op *op;
    const struct machine_row *row;
    const struct ir3_issue *issue;
    /* The instruction that is to be emitted next, if `any`. more: bits that are not the same in each
     * repetition; last: the word of the last repetition; step: the difference between these. */
    bool any;
    unsigned category, repeat, empty;
    uint64_t word, more, last, step;
};

/* Return a value of a field of the first, of the second word. */
static uint64_t low(uint32_t value, unsigned shift) { return (uint64_t)value << shift; }
static uint64_t high(uint32_t value, unsigned shift) { return (uint64_t)value << 32 << shift; }

static void emit(const struct encoding *e, unsigned category, uint64_t word)
{
    word |= high(category, IR3_CAT0_HI_CAT) | high(e->s->landing, IR3_CAT0_HI_JP);
    hwemit_add(e->m->code, HWEMIT_STREAM, (uint32_t)word);
    hwemit_add(e->m->code, HWEMIT_STREAM, (uint32_t)(word >> 32));
    e->s->landing = false;
    e->s->words++;
}

static void nops(const struct encoding *e, unsigned n, bool ss)
{
    while (n) {
        const unsigned now = n < NOP_SLOTS ? n : NOP_SLOTS;
        emit(e, 0, high(now - 1, IR3_CAT0_HI_RPT) | high(ss, IR3_CAT0_HI_SS));
        n -= now;
        ss = false;
    }
}

/* ---- repeated instructions ---- */

/* Emits the instruction that is known to have no more repetitions, and the empty slots after it. */
static void finish(struct encoding *e)
{
    const bool can = (e->category == 2 || e->category == 3) && !e->repeat;
    const unsigned spare = !can ? 0 : e->empty < SPARE_NOPS ? e->empty : SPARE_NOPS;
    if (!e->any)
        return;
    for (unsigned s = 0; s < operands[e->category].n; s++)
        if (e->repeat ? e->step >> operands[e->category].place[s] & 1 : spare >> s & 1)
            e->word |= low(1, operands[e->category].again[s]);
    emit(e, e->category, e->word | e->more | high(e->repeat, IR3_CAT2_HI_RPT));
    nops(e, e->empty - spare, false);
    e->any = false;
}

/* Returns whether the operation, encoded as `word`, can be a repetition of the last instruction: its result
 * is in the next register, each operand is the same or in the next register or constant. */
static bool repeats(const struct encoding *e, unsigned category, uint64_t word)
{
    const uint64_t step = word - e->last;
    uint64_t rest = step - high(1, IR3_CAT2_HI_DST);
    if (!e->any || category != e->category || e->repeat == MOST_REPEATS || e->empty || e->issue->ss ||
        e->issue->sy || e->more & high(1, IR3_CAT2_HI_EI) || !e->op->mask)
        return false;
    for (unsigned s = 0; s < operands[category].n; s++)
        if (!e->m->target->inlined(e->m, e->op, s))
            rest &= ~low(1, operands[category].place[s]);
    return e->repeat ? step == e->step : !rest;
}

/* ---- the categories ---- */

static uint64_t waits(const struct ir3_issue *issue)
{
    return high(issue->ss, IR3_CAT2_HI_SS) | high(issue->sy, IR3_CAT2_HI_SY);
}

/* Returns the fields of the result; only that of categories 2 and 3 can be clamped. */
static uint64_t result(const struct encoding *e)
{
    const unsigned reg = e->op->mask ? hwemit_ir3_register(e->m, e->op->value)
                                     : (unsigned)IR3_P0 + e->op->texture;
    return high(reg, IR3_CAT2_HI_DST) | high(e->op->sat, IR3_CAT2_HI_SAT);
}

/* Encodes an operand of category 3 in 13 bits, without its sign, which is in other bits. */
static uint32_t plain_operand(const struct encoding *e, unsigned s)
{
    const struct machine_src x = e->op->arg[s][0];
    const uint32_t kind = x.file == MACHINE_VALUE ? IR3_GPR
        : x.file == MACHINE_NUMBER                ? IR3_CONSTANT
                                                  : IR3_IMMEDIATE;
    return hwemit_ir3_place(e->m, x) | kind << IR3_CAT2_LO_SRC1_KIND;
}

/* Encodes an operand of category 2 or 4 in 16 bits. */
static uint32_t operand(const struct encoding *e, unsigned s)
{
    const struct machine_src x = e->op->arg[s][0];
    bool neg;
    const int number = hwemit_ir3_inline(e->m, e->op, s, &neg);
    if (number >= 0)
        return (uint32_t)number | IR3_TABLE << IR3_CAT2_LO_SRC1_KIND | (uint32_t)neg << IR3_CAT2_LO_SRC1_MOD;
    return plain_operand(e, s) | (uint32_t)(x.neg | x.abs << 1) << IR3_CAT2_LO_SRC1_MOD;
}

static uint64_t control(unsigned code)
{
    return high(code & 15, IR3_CAT0_HI_OPC) | high(code >> 4, IR3_CAT0_HI_OPC_HI);
}

static uint64_t do_kill(struct encoding *e)
{
    return control(IR3_KILL) | high(e->op->texture, IR3_CAT0_HI_COMP);
}

static uint64_t category_1(struct encoding *e)
{
    const struct fragprog_alias_source x = hwemit_ir3_source(e->m, e->op->arg[0][0]);
    return x.value | result(e) | high(FULL_TYPE, IR3_CAT1_HI_DST_TYPE) |
        high(e->op->op == MACHINE_U2F ? UNSIGNED_TYPE : FULL_TYPE, IR3_CAT1_HI_SRC_TYPE) |
        high(x.file, IR3_CAT1_HI_SRC_KIND);
}

/* Encodes an instruction of category 2 or 4; those of category 4 have one operand. */
static uint64_t category_2(struct encoding *e)
{
    uint64_t second = 0;
    if (e->op->op == MACHINE_TEST) /* compares with 0, which is entry 0 of the table of inline numbers */
        second = low(IR3_TABLE, IR3_CAT2_LO_SRC2_KIND);
    else if (hwemit_machine_args(e->op->op) > 1)
        second = low(operand(e, 1), IR3_CAT2_LO_SRC2);
    return operand(e, 0) | second | result(e) | high(e->row->cond + (uint32_t)e->op->cond, IR3_CAT2_HI_COND) |
        high(1, IR3_CAT2_HI_FULL) | high(e->row->code, IR3_CAT2_HI_OPC);
}

static uint64_t category_3(struct encoding *e)
{
    const struct machine_src *x = e->op->arg[0], *y = e->op->arg[1], *z = e->op->arg[2];
    return plain_operand(e, 0) | low(x->neg, IR3_CAT3_LO_SRC1_NEG) |
        high(hwemit_ir3_place(e->m, *y), IR3_CAT3_HI_SRC2) | low(y->neg, IR3_CAT3_LO_SRC2_NEG) |
        low(plain_operand(e, 2), IR3_CAT3_LO_SRC3) | low(z->neg, IR3_CAT3_LO_SRC3_NEG) | result(e) |
        high(e->row->code, IR3_CAT3_HI_OPC);
}

/* Emits an entry of the alias table of a lookup, or an alias.rt; bits: what only one of these has. */
static void alias(const struct encoding *e, unsigned name, struct fragprog_alias_source x, uint64_t bits)
{
    emit(e, 7,
         x.value | high(name, IR3_CAT7_HI_DST) | bits | high(1, IR3_CAT7_HI_FULL) |
             high(x.file, IR3_CAT7_HI_KIND) | high(IR3_ALIAS, IR3_CAT7_HI_OPC));
}

/* Encodes a lookup. Emits its alias table, whose first entry contains the number of entries and the waits of
 * the lookup. */
static uint64_t lookup(struct encoding *e)
{
    const struct machine_op *op = e->op;
    const struct fragprog_alias_entry *entry = &e->s->table[e->issue->alias];
    finish(e);
    for (unsigned i = 0, n = e->issue->naliases; i < n; i++)
        alias(e, entry[i].name, entry[i].source, i ? 0 : high(n - 1, IR3_CAT7_HI_SIZE_1) | waits(e->issue));
    nops(e, e->issue->before, true);
    return low(1, IR3_CAT5_LO_FULL) | low(e->issue->base[0], IR3_CAT5_LO_SRC1) |
        low(e->issue->base[1], IR3_CAT5_LO_SRC2) | low(op->texture, IR3_CAT5_LO_SAMP) |
        low(op->texture, IR3_CAT5_LO_TEX) | result(e) | high(op->mask, IR3_CAT5_HI_WRMASK) |
        high(FULL_TYPE, IR3_CAT5_HI_TYPE) | high(op->terms >> 2 & !op->cond, IR3_CAT5_HI_3D) |
        high(op->cond, IR3_CAT5_HI_SHADOW) | high(e->row->code, IR3_CAT5_HI_OPC) |
        high(e->issue->sy && !e->issue->naliases, IR3_CAT5_HI_SY);
}

/* Emits a preamble that binds constant components of outputs by alias.rt, if there are any. */
static void preamble(const struct encoding *e)
{
    const struct machine *m = e->m;
    if (!e->s->bound)
        return;
    emit(e, 0, control(IR3_SHPS) | (e->s->bound + 2u));
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < m->output[o].components; c++)
            if (m->output[o].value[c] == MACHINE_NONE)
                alias(e, 4u * m->output[o].target + c, hwemit_ir3_source(m, m->output[o].chan[c]),
                      high(1, IR3_CAT7_HI_RT));
    /* Mesa sets (ss) and (sy) at each end of a preamble (ir3_legalize.c), even if there is nothing to wait
     * for. */
    emit(e, 0, control(IR3_SHPE) | high(1, IR3_CAT0_HI_SS) | high(1, IR3_CAT0_HI_SY));
    e->s->preamble = e->s->words;
    e->s->landing = true;
}

static void code(struct encoding *e)
{
    static uint64_t (*const encode[])(struct encoding *) = {do_kill,    category_1, category_2,
                                                            category_3, category_2, lookup};
    preamble(e);
    for (unsigned i = 0; i < e->m->nops; i++) {
        e->op = &e->m->op[i];
        e->row = &e->m->target->row[e->op->op];
        e->issue = &e->s->issue[i];
        const unsigned category = hwemit_ir3_category(e->op);
        const uint64_t word = encode[category](e);
        if (repeats(e, category, word)) {
            e->step = word - e->last;
            e->repeat++;
        } else {
            finish(e);
            e->any = true;
            e->category = category;
            e->repeat = 0;
            e->word = word;
            e->more = category == 5 ? 0 : waits(e->issue);
        }
        e->more |= high(e->issue->ei, IR3_CAT2_HI_EI);
        e->last = word;
        e->empty = e->issue->nops;
        e->s->empty = (uint16_t)(e->s->empty + e->issue->before + e->empty);
    }
    finish(e);
    emit(e, 0, control(IR3_END) | waits(&e->s->end));
}

/* Returns the register of component x of the output. Derives it from any component that is in a register, as
 * the components are in consecutive registers. */
static unsigned first_register(const struct machine *m, const struct machine_output *o)
{
    for (unsigned c = 0; c < 4; c++)
        if (o->value[c] != MACHINE_NONE)
            return hwemit_ir3_register(m, o->value[c]) - c;
    return 0;
}

void hwemit_ir3_encode(struct machine *m)
{
    struct encoding e = {.m = m, .s = m->own};
    const struct ir3 *s = m->own;
    struct hwemit_code *to = m->code;
    to->output = (int16_t)first_register(m, &m->output[0]);
    code(&e);
    hwemit_machine_constants(m, IR3_CONSTANTS, 4);
    if (s->level >= 7) {
        hwemit_add(to, IR3_ALIASED_CONTROL, s->aliased != 0);
        hwemit_add(to, IR3_ALIASED, s->aliased);
    }
    hwemit_machine_interface(m);
    if (s->position != MACHINE_NONE)
        hwemit_add_input(to, IR3_FIRST_OF_POSITION, HWEMIT_POSITION, 0);
    for (unsigned o = 1; o < m->noutputs; o++)
        hwemit_add_output(to, first_register(m, &m->output[o]),
                          m->output[o].target == MACHINE_DEPTH ? HWEMIT_DEPTH
                                                               : HWEMIT_TARGET_COLOR + m->output[o].target);
    hwemit_add_stat(to, "instructions", s->words);
    hwemit_add_stat(to, "nops", s->empty);
    hwemit_add_stat(to, "registers", m->registers);
    hwemit_add_stat(to, "constants", m->nslots);
    hwemit_add_stat(to, "moves", m->moves);
    hwemit_add_stat(to, "aliases", s->nalias);
    hwemit_add_stat(to, "preamble", s->preamble);
    hwemit_add_stat(to, "aliased", s->aliased);
}
