/* Encodes the program: a preamble if alias.rt binds outputs to constants, then the operations as instructions
 * of two words, then the constants. Facts: notes/facts/ir3.md B.2, B.3. */
#include "hwemit/ir3/ir3.h"

enum { SPARE_NOPS = 3, NOP_SLOTS = 6, FULL_TYPE = 1, UNSIGNED_TYPE = 3 };

struct encoding {
    struct machine *m;
    struct ir3 *s;
    const struct machine_op *op;
    const struct machine_row *row;
    const struct ir3_issue *issue;
    unsigned spare; /* how many of the empty slots after the instruction it encodes itself */
};

static uint32_t at(uint32_t value, unsigned shift) { return value << shift; }

static void emit(const struct encoding *e, uint32_t category, uint32_t low, uint32_t high)
{
    hwemit_add(e->m->code, HWEMIT_STREAM, low);
    hwemit_add(e->m->code, HWEMIT_STREAM,
               high | at(category, IR3_CAT0_HI_CAT) | at(e->s->landing, IR3_CAT0_HI_JP));
    e->s->landing = false;
    e->s->words++;
}

static uint32_t waits(const struct encoding *e)
{
    return at(e->issue->ss, IR3_CAT2_HI_SS) | at(e->issue->sy, IR3_CAT2_HI_SY);
}

static uint32_t destination(const struct encoding *e)
{
    return e->op->mask ? hwemit_ir3_register(e->m, e->op->value) : (uint32_t)IR3_P0 + e->op->texture;
}

/* Returns the (r) bit of operand s: 1 if each repeat of the instruction reads the next register or constant.
 * If there are no repeats, these bits of the first two operands are the number of empty slots. */
static uint32_t again(const struct encoding *e, unsigned s)
{
    if (!e->issue->repeat)
        return s < 2 ? e->spare >> s & 1 : 0;
    return s < hwemit_machine_args(e->op->op) && hwemit_ir3_step(e->m, &e->op[0], &e->op[1], s);
}

/* Returns the bits that categories 1 to 4 have in common; only 2 and 3 saturate. */
static uint32_t common(const struct encoding *e)
{
    return destination(e) | at(e->issue->repeat, IR3_CAT2_HI_RPT) | at(e->op->sat, IR3_CAT2_HI_SAT) |
        at(again(e, 0), IR3_CAT2_HI_SRC1_R) | waits(e);
}

/* Encodes an operand of category 3 in 13 bits, without its sign, which is in other bits. */
static uint32_t plain_operand(const struct encoding *e, unsigned s)
{
    const struct machine_src x = e->op->arg[s][0];
    const uint32_t kind = x.file == MACHINE_VALUE ? IR3_GPR
        : x.file == MACHINE_NUMBER                ? IR3_CONSTANT
                                                  : IR3_IMMEDIATE;
    return hwemit_ir3_place(e->m, x) | at(kind, IR3_CAT2_LO_SRC1_KIND);
}

/* Encodes an operand of category 2 or 4 in 16 bits. */
static uint32_t operand(const struct encoding *e, unsigned s)
{
    const struct machine_src x = e->op->arg[s][0];
    bool neg;
    const int number = hwemit_ir3_inline(e->m, e->op, s, &neg);
    if (number >= 0)
        return (uint32_t)number | at(IR3_TABLE, IR3_CAT2_LO_SRC1_KIND) | at(neg, IR3_CAT2_LO_SRC1_MOD);
    return plain_operand(e, s) | at(x.neg, IR3_CAT2_LO_SRC1_MOD) | at(x.abs, IR3_CAT2_LO_SRC1_MOD + 1);
}

static void nops(const struct encoding *e, unsigned n, bool ss)
{
    while (n) {
        const unsigned now = n < NOP_SLOTS ? n : NOP_SLOTS;
        emit(e, 0, 0, at(now - 1, IR3_CAT0_HI_RPT) | at(ss, IR3_CAT0_HI_SS));
        n -= now;
        ss = false;
    }
}

static void category_1(const struct encoding *e)
{
    const struct fragprog_alias_source x = hwemit_ir3_source(e->m, e->op->arg[0][0]);
    emit(e, 1, x.value,
         common(e) | at(FULL_TYPE, IR3_CAT1_HI_DST_TYPE) |
             at(e->op->op == MACHINE_U2F ? UNSIGNED_TYPE : FULL_TYPE, IR3_CAT1_HI_SRC_TYPE) |
             at(x.file, IR3_CAT1_HI_SRC_KIND));
}

static void category_2(const struct encoding *e)
{
    uint32_t low = operand(e, 0);
    if (e->op->op == MACHINE_TEST) /* compares with 0, which is entry 0 of the table of inline numbers */
        low |= at(IR3_TABLE, IR3_CAT2_LO_SRC2_KIND);
    else if (hwemit_machine_args(e->op->op) > 1)
        low |= operand(e, 1) << IR3_CAT2_LO_SRC2;
    emit(e, 2, low,
         common(e) | at(again(e, 1), IR3_CAT2_HI_SRC2_R) | at(e->issue[e->issue->repeat].ei, IR3_CAT2_HI_EI) |
             at(e->row->cond + (uint32_t)e->op->cond, IR3_CAT2_HI_COND) | at(1, IR3_CAT2_HI_FULL) |
             at(e->row->code, IR3_CAT2_HI_OPC));
}

static void category_3(const struct encoding *e)
{
    const struct machine_src *x = e->op->arg[0], *y = e->op->arg[1], *z = e->op->arg[2];
    emit(e, 3,
         plain_operand(e, 0) | at(x->neg, IR3_CAT3_LO_SRC1_NEG) | at(again(e, 1), IR3_CAT3_LO_SRC2_R) |
             plain_operand(e, 2) << IR3_CAT3_LO_SRC3 | at(again(e, 2), IR3_CAT3_LO_SRC3_R) |
             at(y->neg, IR3_CAT3_LO_SRC2_NEG) | at(z->neg, IR3_CAT3_LO_SRC3_NEG),
         common(e) | at(hwemit_ir3_place(e->m, *y), IR3_CAT3_HI_SRC2) | at(e->row->code, IR3_CAT3_HI_OPC));
}

static void category_4(const struct encoding *e)
{
    emit(e, 4, operand(e, 0), common(e) | at(1, IR3_CAT4_HI_FULL) | at(e->row->code, IR3_CAT4_HI_OPC));
}

/* Emits the alias table of a lookup. Its first entry contains the number of entries, and the waits of the
 * lookup. */
static void table(const struct encoding *e)
{
    for (unsigned i = 0; i < e->issue->naliases; i++) {
        const struct fragprog_alias_entry *a = &e->s->table[e->issue->alias + i];
        emit(e, 7, a->source.value,
             a->name | at(i ? 0 : e->issue->naliases - 1u, IR3_CAT7_HI_SIZE_1) | (i ? 0 : waits(e)) |
                 at(1, IR3_CAT7_HI_FULL) | at(a->source.file, IR3_CAT7_HI_KIND) | at(8, IR3_CAT7_HI_OPC));
    }
}

static void lookup(const struct encoding *e)
{
    const struct machine_op *op = e->op;
    table(e);
    nops(e, e->issue->before, true);
    emit(e, 5,
         at(1, IR3_CAT5_LO_FULL) | at(e->issue->base[0], IR3_CAT5_LO_SRC1) |
             at(e->issue->base[1], IR3_CAT5_LO_SRC2) | at(op->texture, IR3_CAT5_LO_SAMP) |
             at(op->texture, IR3_CAT5_LO_TEX),
         destination(e) | at(op->mask, IR3_CAT5_HI_WRMASK) | at(FULL_TYPE, IR3_CAT5_HI_TYPE) |
             at(op->terms >> 2 & !op->cond, IR3_CAT5_HI_3D) | at(op->cond, IR3_CAT5_HI_SHADOW) |
             at(e->row->code, IR3_CAT5_HI_OPC) | at(e->issue->sy && !e->issue->naliases, IR3_CAT5_HI_SY));
}

static void do_kill(const struct encoding *e)
{
    emit(e, 0, 0, at(IR3_KILL, IR3_CAT0_HI_OPC) | at(e->op->texture, IR3_CAT0_HI_COMP) | waits(e));
}

/* Emits a preamble that binds constant components of outputs by alias.rt, if there are any. */
static void preamble(const struct encoding *e)
{
    const struct machine *m = e->m;
    unsigned n = 0;
    for (uint32_t bound = e->s->aliased; bound; bound &= bound - 1)
        n++;
    if (!n)
        return;
    emit(e, 0, n + 2, at(IR3_SHPS, IR3_CAT0_HI_OPC) | at(1, IR3_CAT0_HI_OPC_HI));
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned component = 4 * m->output[o].target + c;
            if (!hwemit_ir3_bound(m, &m->output[o], c))
                continue;
            const struct fragprog_alias_source x = hwemit_ir3_source(m, m->output[o].chan[c]);
            emit(e, 7, x.value,
                 component | at(1, IR3_CAT7_HI_RT) | at(1, IR3_CAT7_HI_FULL) | at(x.file, IR3_CAT7_HI_KIND) |
                     at(8, IR3_CAT7_HI_OPC));
        }
    /* Mesa sets (ss) and (sy) at each end of a preamble (ir3_legalize.c), even if there is nothing to wait
     * for. */
    emit(e, 0, 0,
         at(IR3_SHPE, IR3_CAT0_HI_OPC) | at(1, IR3_CAT0_HI_OPC_HI) | at(1, IR3_CAT0_HI_SS) |
             at(1, IR3_CAT0_HI_SY));
    e->s->preamble = e->s->words;
    e->s->landing = true;
}

static void code(struct encoding *e)
{
    static void (*const encode[])(const struct encoding *) = {do_kill,    category_1, category_2,
                                                              category_3, category_4, lookup};
    const struct ir3 *s = e->s;
    preamble(e);
    for (unsigned i = 0; i < e->m->nops; i += s->issue[i].repeat + 1u) {
        e->op = &e->m->op[i];
        e->row = &e->m->target->row[e->op->op];
        e->issue = &s->issue[i];
        const unsigned category = hwemit_ir3_category(e->op), empty = e->issue[e->issue->repeat].nops;
        const bool can = (category == 2 || category == 3) && !e->issue->repeat;
        e->spare = !can ? 0 : empty < SPARE_NOPS ? empty : SPARE_NOPS;
        e->s->empty = (uint16_t)(e->s->empty + e->issue->before + empty);
        encode[category](e);
        nops(e, empty - e->spare, false);
    }
    e->issue = &s->end;
    emit(e, 0, 0, at(IR3_END, IR3_CAT0_HI_OPC) | waits(e));
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
