/* Encodes the program: a preamble if alias.rt binds outputs to constants, then the operations as instructions
 * of two words, then the constants. Makes readers wait for results: those of categories 1 to 3 are available
 * after some slots, which are left empty if no other instructions fill them; readers of functions and lookups
 * wait by (ss) and (sy). A register that a function or lookup may still read is overwritten only after (ss).
 * Facts: notes/facts/ir3.md B.1 to B.3. */
#include "hwemit/ir3/ir3.h"
#include "hwemit/words.h"

enum { SPARE_NOPS = 3, NOP_SLOTS = 6, MOST_REPEATS = 3, FULL_TYPE = 1, UNSIGNED_TYPE = 3 };

/* The fields of categories 1 to 4. place: the lowest bits of the n operands; sign: those of their signs;
 * again: their bits (r): in a repeated instruction, each repetition reads the next register or constant. Of
 * an instruction of category 2 or 3 that is not repeated, the first two bits (r) are the number of empty
 * slots after it. */
static const struct fields {
    uint8_t n, place[3], sign[3], again[3], code;
} fields[6] = {
    [1] = {1, {IR3_CAT1_LO_SRC}, {0}, {32 + IR3_CAT1_HI_SRC_R}, 0},
    [2] = {2,
           {IR3_CAT2_LO_SRC1, IR3_CAT2_LO_SRC2},
           {IR3_CAT2_LO_SRC1_MOD, IR3_CAT2_LO_SRC2_MOD},
           {32 + IR3_CAT2_HI_SRC1_R, 32 + IR3_CAT2_HI_SRC2_R},
           IR3_CAT2_HI_OPC},
    [3] = {3,
           {IR3_CAT3_LO_SRC1, 32 + IR3_CAT3_HI_SRC2, IR3_CAT3_LO_SRC3},
           {IR3_CAT3_LO_SRC1_NEG, IR3_CAT3_LO_SRC2_NEG, IR3_CAT3_LO_SRC3_NEG},
           {32 + IR3_CAT3_HI_SRC1_R, IR3_CAT3_LO_SRC2_R, IR3_CAT3_LO_SRC3_R},
           IR3_CAT3_HI_OPC},
    [4] = {1, {IR3_CAT4_LO_SRC}, {IR3_CAT4_LO_SRC_MOD}, {32 + IR3_CAT4_HI_SRC_R}, IR3_CAT4_HI_OPC}};

struct encoding {
    struct machine *m;
    const struct ir3 *s;
    unsigned preamble;           /* number of instructions of the preamble */
    unsigned all_empty, entries; /* figures: the empty slots, the entries of alias tables */
    const struct machine_op *op;
    struct fragprog_alias_table table; /* of a lookup: its alias table, or where its operands are */
    /* How the operation waits. before: slots of a nop before a lookup, which cannot have (ss) itself. */
    bool ss, sy;
    unsigned before;
    uint32_t slot;             /* slot of the operation */
    unsigned ss_from, sy_from; /* how many operations precede the last one that waits by (ss), by (sy) */
    /* These arrays are indexed by register. */
    uint16_t made_by[256]; /* 1 + the operation that wrote the register last, 0: none */
    uint32_t made_at[256]; /* the slot of that operation */
    uint8_t made_in[256];  /* its category */
    uint16_t read_by[256]; /* 1 + the last function or lookup that reads the register, 0: none */
    /* The instruction that is to be emitted next, if `any`, and the number of empty slots after it. more:
     * bits that are not the same in each repetition; last: the word of the last repetition; step: the
     * difference between these. */
    bool any;
    unsigned category, repeat, empty;
    uint64_t word, more, last, step;
};

/* Returns the number that an operand is encoded by, and that (rptN) increments: that of a register, the
 * position of a number in the constant file, or a varying of bary.f. */
static unsigned place_of(const struct machine *m, struct machine_src x)
{
    return x.file == MACHINE_VALUE ? hwemit_ir3_register(m, x.index)
        : x.file == MACHINE_NUMBER ? m->number[x.index].place
                                   : x.index;
}

/* Return a value of a field of the first, of the second word. */
static uint64_t low(uint32_t value, unsigned shift) { return (uint64_t)value << shift; }
static uint64_t high(uint32_t value, unsigned shift) { return (uint64_t)value << 32 << shift; }

static void emit(const struct encoding *e, unsigned category, uint64_t word)
{
    const bool landing = e->preamble && e->m->code->nwords == 2 * e->preamble; /* the first one after it */
    word |= high(category, IR3_CAT0_HI_CAT) | high(landing, IR3_CAT0_HI_JP);
    hwemit_add(e->m->code, HWEMIT_STREAM, (uint32_t)word);
    hwemit_add(e->m->code, HWEMIT_STREAM, (uint32_t)(word >> 32));
}

static void nops(const struct encoding *e, unsigned n, bool ss)
{
    for (unsigned now; n; n -= now, ss = false) {
        now = n < NOP_SLOTS ? n : NOP_SLOTS;
        emit(e, 0, high(now - 1, IR3_CAT0_HI_RPT) | high(ss, IR3_CAT0_HI_SS));
    }
}

/* ---- waits ---- */

static void wait_for(struct encoding *e, unsigned reg)
{
    e->ss |= e->made_by[reg] > e->ss_from && e->made_in[reg] == 4;
    e->sy |= e->made_by[reg] > e->sy_from && e->made_in[reg] == 5;
}

/* Adds the empty slots that are missing between the operation that wrote the register and this one, which
 * reads it as source s. */
static void leave_slots(struct encoding *e, unsigned reg, unsigned s)
{
    if (!e->made_by[reg] || e->made_in[reg] >= 4)
        return;
    const struct machine_op *from = &e->m->op[e->made_by[reg] - 1];
    const uint32_t first = e->made_at[reg] + e->m->target->latency(from, e->op, s);
    if (e->slot < first) {
        unsigned *empty = e->before ? &e->before : &e->empty;
        *empty += first - e->slot;
        e->slot = first;
    }
}

/* Makes operation i wait for what it reads and overwrites. */
static void wait(struct encoding *e, unsigned i, unsigned category)
{
    const struct machine_op *op = e->op;
    /* the registers, among them predicates, that are read and written, and the source that reads each */
    unsigned from[12], source[12] = {0}, n = 0, to[4], written = 0;
    for (unsigned r = op->reads; r; r &= r - 1, n++) {
        from[n] = hwemit_ir3_register(e->m, hwemit_machine_at(op, r).index);
        source[n] = hwemit_machine_lowest(r) / 4;
    }
    for (unsigned mask = op->mask; mask; mask &= mask - 1)
        to[written++] = hwemit_ir3_register(e->m, op->value + hwemit_machine_lowest(mask));
    if (op->op == MACHINE_KILL)
        from[n++] = (unsigned)IR3_P0 + op->texture;
    if (op->op == MACHINE_TEST)
        to[written++] = (unsigned)IR3_P0 + op->texture;
    e->ss = e->sy = false;
    for (unsigned k = 0; k < n; k++)
        wait_for(e, from[k]);
    for (unsigned k = 0; k < written; k++) {
        wait_for(e, to[k]);
        e->ss |= e->read_by[to[k]] > e->ss_from;
    }
    e->before = category == 5 && e->ss && !e->table.n;
    e->slot += e->before;
    for (unsigned k = 0; k < n; k++)
        leave_slots(e, from[k], source[k]);
    e->ss_from = e->ss ? i : e->ss_from;
    e->sy_from = e->sy ? i : e->sy_from;
    for (unsigned k = 0; k < n && category >= 4; k++)
        e->read_by[from[k]] = (uint16_t)(i + 1);
    for (unsigned k = 0; k < written; k++) {
        e->made_by[to[k]] = (uint16_t)(i + 1);
        e->made_at[to[k]] = e->slot;
        e->made_in[to[k]] = (uint8_t)category;
    }
    e->slot += category < 4;
}

static uint64_t waits(const struct encoding *e)
{
    return high(e->ss, IR3_CAT2_HI_SS) | high(e->sy, IR3_CAT2_HI_SY);
}

/* ---- repeated instructions ---- */

/* Emits the instruction that is known to have no more repetitions, and the empty slots after it. */
static void finish(struct encoding *e)
{
    const bool can = (e->category == 2 || e->category == 3) && !e->repeat;
    const unsigned spare = !can ? 0 : e->empty < SPARE_NOPS ? e->empty : SPARE_NOPS;
    if (!e->any)
        return;
    for (unsigned s = 0; s < fields[e->category].n; s++)
        if (e->repeat ? e->step >> fields[e->category].place[s] & 1 : spare >> s & 1)
            e->word |= low(1, fields[e->category].again[s]);
    emit(e, e->category, e->word | e->more | high(e->repeat, IR3_CAT2_HI_RPT));
    nops(e, e->empty - spare, false);
    e->all_empty += e->empty;
    e->empty = 0;
    e->any = false;
}

/* Returns whether the operation, encoded as `word`, can be a repetition of the last instruction: its result
 * is in the next register, each operand is the same or in the next register or constant. */
static bool repeats(const struct encoding *e, unsigned category, uint64_t word)
{
    const uint64_t step = word - e->last;
    uint64_t rest = step - high(1, IR3_CAT2_HI_DST);
    if (!e->any || category != e->category || e->repeat == MOST_REPEATS || e->empty || e->ss || e->sy ||
        e->more & high(1, IR3_CAT2_HI_EI) || !e->op->mask)
        return false;
    for (unsigned s = 0; s < fields[category].n && rest && !e->repeat; s++)
        if (!e->m->target->inlined(e->m, e->op, s))
            rest &= ~low(1, fields[category].place[s]);
    return e->repeat ? step == e->step : !rest;
}

/* ---- alias tables ---- */

/* Returns what a move, alias.tex or alias.rt reads: a register, a constant, or an immediate number. */
static struct fragprog_alias_source source_of(const struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x);
    const unsigned file = x.file == MACHINE_VALUE ? FRAGPROG_ALIAS_REGISTER
        : own                                     ? FRAGPROG_ALIAS_IMMEDIATE
                                                  : FRAGPROG_ALIAS_CONSTANT;
    return (struct fragprog_alias_source){own ? hwemit_float_word(own, 0) : place_of(m, x), (uint8_t)file};
}

/* Makes the alias table of a lookup. Its operands are in the registers where they are computed, and stay live
 * until the lookup reads them through the table. */
static void make_table(struct encoding *e)
{
    struct fragprog_alias_request request = {.how = e->s->alias};
    unsigned n = 0;
    for (unsigned a = 0; a < 2; a++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_machine_reads(e->op, a) >> c & 1) {
                request.source[n++] = source_of(e->m, e->op->arg[a][c]);
                request.size[a]++;
                request.ngroups = (uint8_t)(a + 1);
            }
    if (e->s->alias != FRAGPROG_ALIAS_NONE) { /* at most five operands always have a table */
        e->m->failed |= !fragprog_alias(&e->table, &request);
    } else { /* operands are in consecutive registers */
        e->table.base[0] = (uint16_t)request.source[0].value;
        e->table.base[1] = (uint16_t)request.source[request.size[0]].value;
    }
    e->entries += e->table.n;
}

/* ---- the categories ---- */

/* Returns the fields of the result; only that of categories 2 and 3 can be clamped. */
static uint64_t result(const struct encoding *e)
{
    const unsigned reg = e->op->mask ? hwemit_ir3_register(e->m, e->op->value)
                                     : (unsigned)IR3_P0 + e->op->texture;
    return high(reg, IR3_CAT2_HI_DST) | high(e->op->sat, IR3_CAT2_HI_SAT);
}

static uint64_t control(unsigned code)
{
    return high(code & 15, IR3_CAT0_HI_OPC) | high(code >> 4, IR3_CAT0_HI_OPC_HI);
}

static uint64_t do_kill(struct encoding *e)
{
    return control(IR3_KILL) | high(e->op->texture, IR3_CAT0_HI_COMP);
}

static uint64_t move(struct encoding *e)
{
    const struct fragprog_alias_source x = source_of(e->m, e->op->arg[0][0]);
    return x.value | result(e) | high(FULL_TYPE, IR3_CAT1_HI_DST_TYPE) |
        high(e->op->op == MACHINE_U2F ? UNSIGNED_TYPE : FULL_TYPE, IR3_CAT1_HI_SRC_TYPE) |
        high(x.file, IR3_CAT1_HI_SRC_KIND);
}

/* Encodes operand s of category 2, 3 or 4. */
static uint64_t operand(const struct encoding *e, const struct fields *at, unsigned s)
{
    const struct machine_src x = e->op->arg[s][0];
    const uint32_t kind = x.file == MACHINE_VALUE ? IR3_GPR
        : x.file == MACHINE_NUMBER                ? IR3_CONSTANT
                                                  : IR3_IMMEDIATE;
    bool neg;
    const int number = hwemit_ir3_inline(e->m, e->op, s, &neg);
    if (number >= 0)
        return low((uint32_t)number | IR3_TABLE << IR3_CAT2_LO_SRC1_KIND, at->place[s]) |
            low(neg, at->sign[s]);
    return low(place_of(e->m, x) | kind << IR3_CAT2_LO_SRC1_KIND, at->place[s]) |
        low(x.neg | x.abs << 1, at->sign[s]);
}

/* Encodes an instruction of category 2, 3 or 4. */
static uint64_t arithmetic(struct encoding *e)
{
    const unsigned category = hwemit_ir3_category(e->op);
    const struct fields *at = &fields[category];
    const struct machine_row *row = &e->m->target->row[e->op->op];
    uint64_t word = result(e) | high(row->code, at->code);
    for (unsigned s = 0; s < at->n && s < hwemit_machine_args(e->op->op); s++)
        word |= operand(e, at, s);
    if (e->op->op == MACHINE_TEST) /* compares with 0, which is entry 0 of the table of inline numbers */
        word |= low(IR3_TABLE, IR3_CAT2_LO_SRC2_KIND);
    return category == 3
        ? word
        : word | high(1, IR3_CAT2_HI_FULL) | high(row->cond + (uint32_t)e->op->cond, IR3_CAT2_HI_COND);
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
    const struct fragprog_alias_entry *entry = e->table.entry;
    finish(e);
    for (unsigned i = 0, n = e->table.n; i < n; i++)
        alias(e, entry[i].name, entry[i].source, i ? 0 : high(n - 1, IR3_CAT7_HI_SIZE_1) | waits(e));
    nops(e, e->before, true);
    e->all_empty += e->before;
    return low(1, IR3_CAT5_LO_FULL) | low(e->table.base[0], IR3_CAT5_LO_SRC1) |
        low(e->table.base[1], IR3_CAT5_LO_SRC2) | low(op->texture, IR3_CAT5_LO_SAMP) |
        low(op->texture, IR3_CAT5_LO_TEX) | result(e) | high(op->mask, IR3_CAT5_HI_WRMASK) |
        high(FULL_TYPE, IR3_CAT5_HI_TYPE) | high(op->terms >> 2 & !op->cond, IR3_CAT5_HI_3D) |
        high(op->cond, IR3_CAT5_HI_SHADOW) | high(e->m->target->row[op->op].code, IR3_CAT5_HI_OPC) |
        high(e->sy && !e->table.n, IR3_CAT5_HI_SY);
}

/* Emits a preamble that binds constant components of outputs by alias.rt, if there are any. */
static void preamble(const struct encoding *e)
{
    const struct machine *m = e->m;
    if (!e->preamble)
        return;
    emit(e, 0, control(IR3_SHPS) | e->preamble);
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < m->output[o].components; c++)
            if (m->output[o].value[c] == MACHINE_NONE)
                alias(e, 4u * m->output[o].target + c, source_of(m, m->output[o].chan[c]),
                      high(1, IR3_CAT7_HI_RT));
    /* Mesa sets (ss) and (sy) at each end of a preamble (ir3_legalize.c), even if there is nothing to wait
     * for. */
    emit(e, 0, control(IR3_SHPE) | high(1, IR3_CAT0_HI_SS) | high(1, IR3_CAT0_HI_SY));
}

static void code(struct encoding *e)
{
    static uint64_t (*const encode[])(struct encoding *) = {do_kill,    move,       arithmetic,
                                                            arithmetic, arithmetic, lookup};
    unsigned last = e->m->nops; /* the last bary.f */
    while (last && e->m->op[last - 1].op != MACHINE_BARY)
        last--;
    preamble(e);
    for (unsigned i = 0; i < e->m->nops; i++) {
        e->op = &e->m->op[i];
        const unsigned category = hwemit_ir3_category(e->op);
        if (category == 5)
            make_table(e);
        wait(e, i, category);
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
            e->more = category == 5 ? 0 : waits(e);
        }
        e->more |= high(i + 1 == last, IR3_CAT2_HI_EI);
        e->last = word;
    }
    finish(e);
    e->ss = e->sy = false;
    for (unsigned o = 0; o < e->m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (e->m->output[o].value[c] != MACHINE_NONE)
                wait_for(e, hwemit_ir3_register(e->m, e->m->output[o].value[c]));
    emit(e, 0, control(IR3_END) | waits(e));
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
    const struct ir3 *s = m->own;
    struct encoding e = {.m = m, .s = s, .preamble = s->bound ? s->bound + 2u : 0};
    struct hwemit_code *to = m->code;
    to->output = (int16_t)first_register(m, &m->output[0]);
    code(&e);
    hwemit_add_stat(to, "instructions", to->nwords / 2);
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
    hwemit_add_stat(to, "nops", e.all_empty);
    hwemit_add_stat(to, "registers", m->registers);
    hwemit_add_stat(to, "constants", m->nslots);
    hwemit_add_stat(to, "moves", m->moves);
    hwemit_add_stat(to, "aliases", e.entries);
    hwemit_add_stat(to, "preamble", e.preamble);
    hwemit_add_stat(to, "aliased", s->aliased);
}
