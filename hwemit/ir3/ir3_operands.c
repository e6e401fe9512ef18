/* Legalises operands. Instructions of category 2 may read one constant or immediate, those of category 3
 * constants as first and as last operand, those of category 4 none (as in Qualcomm's compiler, according to
 * Mesa's ir3_valid_flags). Lookups and outputs read consecutive registers: their values are allocated there
 * if possible, else moved; for lookups, an alias table may map the registers instead. */
#include "hwemit/ir3/ir3.h"

static void three(struct machine *m, struct machine_op *op)
{
    struct machine_src *x = &op->arg[0][0], *y = &op->arg[1][0];
    if (op->op == MACHINE_MAD && y->file != MACHINE_VALUE && x->file == MACHINE_VALUE) {
        const struct machine_src t = *x;
        *x = *y;
        *y = t;
    }
    *y = hwemit_machine_loaded(m, *y);
    for (unsigned n = 0; n < 3; n++)
        if (op->arg[n][0].abs || (op->op == MACHINE_SEL && op->arg[n][0].neg))
            op->arg[n][0] = hwemit_machine_move(m, op->arg[n][0]);
}

/* Prepares a group of operands that a lookup reads from consecutive registers. With alias tables, values are
 * put into consecutive registers only if this needs no move. */
static void group(struct machine *m, struct machine_src *x, unsigned channels)
{
    const struct ir3 *s = m->own;
    struct machine_src *read[4] = {NULL};
    unsigned n = 0;
    for (; channels; channels &= channels - 1)
        read[n++] = &x[hwemit_machine_lowest(channels)];
    if (s->alias == FRAGPROG_ALIAS_NONE)
        hwemit_machine_side_by_side(m, read, n);
    for (unsigned i = 0; i < n && s->alias != FRAGPROG_ALIAS_NONE; i++) {
        if (read[i]->neg || read[i]->abs)
            *read[i] = hwemit_machine_move(m, *read[i]);
        if (s->alias == FRAGPROG_ALIAS_BEST && i && read[i]->file == MACHINE_VALUE &&
            read[i - 1]->file == MACHINE_VALUE &&
            hwemit_machine_may_follow(m, read[i - 1]->index, read[i]->index))
            hwemit_machine_follow(m, read[i - 1]->index, read[i]->index);
    }
}

/* Makes the components of the texel occupy consecutive registers, up to the last one that is read. */
static void lookup(struct machine *m, struct machine_op *op)
{
    for (unsigned c = 1; op->mask >> c; c++) {
        hwemit_machine_follow(m, (uint16_t)(op->value + c - 1), (uint16_t)(op->value + c));
        m->value[op->value + c].components = m->value[op->value + c - 1].components = 1;
    }
    group(m, op->arg[0], hwemit_machine_reads(op, 0));
    group(m, op->arg[1], hwemit_machine_reads(op, 1));
}

/* The exact ones of the chip's inline numbers (notes/facts/ir3.md B.2; all are in ir3_registers.c). */
static const struct fragprog_immediates table = {
    .n = 5, .code = {0, 1, 2, 3, 11}, .number = {0, 0.5f, 1, 2, 4}};

int hwemit_ir3_inline(const struct machine *m, const struct machine_op *op, unsigned s, bool *neg)
{
    const float *own = hwemit_machine_value(m, op->arg[s][0]);
    return own && hwemit_ir3_category(op) == 2 ? fragprog_immediate(&table, *own, neg) : -1;
}

static void legalise(struct machine *m, struct machine_op *op)
{
    const unsigned category = hwemit_ir3_category(op);
    struct machine_src *x = &op->arg[0][0], *y = &op->arg[1][0];
    bool neg;
    if (category == 3)
        three(m, op);
    else if (category == 4 || op->op == MACHINE_TEST)
        *x = hwemit_machine_loaded(m, *x);
    else if (category == 5)
        lookup(m, op);
    else if (category == 2 && x->file == MACHINE_NUMBER && y->file == MACHINE_NUMBER) {
        struct machine_src *const other = hwemit_ir3_inline(m, op, 0, &neg) < 0 ? x : y;
        *other = hwemit_machine_loaded(m, *other);
    }
    for (unsigned s = 0; s < 3 && (category == 2 || op->op == MACHINE_MAD); s++)
        if (op->arg[s][0].file == MACHINE_NUMBER && hwemit_ir3_inline(m, op, s, &neg) < 0)
            hwemit_machine_own_signs(m, op, s);
    hwemit_machine_append_to(m, m->next, op);
}

/* ---- outputs ---- */

/* Puts an output's components into consecutive registers. Components that are numbers have none where
 * alias.rt binds them, but leave a gap before later components. */
static void output(struct machine *m, struct machine_output *o)
{
    struct ir3 *s = m->own;
    struct machine_src *x[4] = {NULL};
    unsigned n = 0;
    for (unsigned c = 0; c < o->components; c++) {
        struct machine_src *at = &o->chan[c];
        if (o->target == MACHINE_DEPTH || s->alias == FRAGPROG_ALIAS_NONE || at->file != MACHINE_NUMBER ||
            at->neg || at->abs) {
            x[c] = at;
            n = c + 1;
            continue;
        }
        s->aliased |= 1u << (4 * o->target + c);
        s->bound++;
        if (!hwemit_machine_value(m, *at))
            hwemit_machine_give_place(m, at->index);
    }
    hwemit_machine_side_by_side(m, x, n);
    for (unsigned c = 0; c < n; c++)
        if (x[c])
            o->value[c] = x[c]->index;
}

bool hwemit_ir3_operands(struct machine *m)
{
    const unsigned n = m->nops;
    m->nops = 0;
    for (unsigned i = 0; i < n && !m->failed; i++)
        legalise(m, &m->op[i]);
    for (unsigned o = 0; o < m->noutputs && !m->failed; o++)
        output(m, &m->output[o]);
    return hwemit_machine_rewritten(m);
}
