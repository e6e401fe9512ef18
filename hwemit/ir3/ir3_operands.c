/* Legalises operands. Instructions of category 2 may read one constant or immediate, those of category 3
 * constants as first and as last operand, those of category 4 none (as in Qualcomm's compiler, according to
 * Mesa's ir3_valid_flags). Lookups and outputs read consecutive registers: their values are allocated there
 * if possible, else moved; for lookups, an alias table may map the registers instead. */
#include "hwemit/ir3/ir3.h"

/* ---- moves ---- */

/* Appends a move to a new value, and returns that value. */
static struct machine_src move(struct machine *m, struct machine_src x)
{
    const struct machine_op op = {
        .op = MACHINE_MOV, .mask = 1, .arg = {{x}}, .value = hwemit_machine_new_value(m, MACHINE_RESULT, 1)};
    m->moves = (uint16_t)(m->moves + (hwemit_ir3_category(&op) == 1));
    hwemit_machine_append_to(m, m->next, &op);
    return hwemit_machine_component(m, &op, 0);
}

/* Returns an operand in a register that replaces x. A constant is moved only once; all its readers share the
 * value. */
static struct machine_src moved(struct machine *m, struct machine_src x)
{
    const struct machine_src plain = {.file = x.file, .index = x.index};
    if (x.file != MACHINE_NUMBER)
        return x;
    if (m->number[x.index].moved == MACHINE_NONE)
        m->number[x.index].moved = move(m, plain).index;
    x.file = MACHINE_VALUE;
    x.index = m->number[x.index].moved;
    return x;
}

static void three(struct machine *m, struct machine_op *op)
{
    struct machine_src *x = &op->arg[0][0], *y = &op->arg[1][0];
    if (op->op == MACHINE_MAD && y->file != MACHINE_VALUE && x->file == MACHINE_VALUE) {
        const struct machine_src t = *x;
        *x = *y;
        *y = t;
    }
    *y = moved(m, *y);
    for (unsigned n = 0; n < 3; n++)
        if (op->arg[n][0].abs || (op->op == MACHINE_SEL && op->arg[n][0].neg))
            op->arg[n][0] = move(m, op->arg[n][0]);
}

/* ---- values in consecutive registers ---- */

static bool may_follow(const struct machine *m, uint16_t before, uint16_t v)
{
    uint16_t head = before;
    if (m->value[v].follows == before)
        return true;
    while (m->value[head].follows != MACHINE_NONE)
        head = m->value[head].follows;
    return m->value[v].follows == MACHINE_NONE && m->value[before].followed == MACHINE_NONE && head != v &&
        m->value[v].kind != MACHINE_INPUT && m->value[before].kind != MACHINE_INPUT;
}

static void follow(struct machine *m, uint16_t before, uint16_t v)
{
    m->value[v].follows = before;
    m->value[before].followed = v;
}

static uint16_t copy_of(struct machine *m, uint16_t v)
{
    if (m->value[v].kind == MACHINE_GAP)
        return hwemit_machine_new_value(m, MACHINE_GAP, 1);
    return move(m, (struct machine_src){.file = MACHINE_VALUE, .index = v}).index;
}

/* Makes n operands read consecutive registers; NULL: a gap between them. Their values are allocated there if
 * that is possible, else copied. */
static void side_by_side(struct machine *m, struct machine_src *const x[4], unsigned n)
{
    uint16_t v[4];
    for (unsigned i = 0; i < n; i++)
        v[i] = !x[i] ? hwemit_machine_new_value(m, MACHINE_GAP, 1)
            : x[i]->file == MACHINE_NUMBER || x[i]->neg || x[i]->abs ? move(m, *x[i]).index
                                                                     : x[i]->index;
    if (n && m->value[v[0]].kind == MACHINE_INPUT)
        v[0] = copy_of(m, v[0]);
    for (unsigned i = 1; i < n && !m->failed; i++) {
        const uint16_t taken = m->value[v[i - 1]].followed;
        for (unsigned k = 0; k < i && taken != MACHINE_NONE && taken != v[i]; k++) {
            v[k] = copy_of(m, v[k]);
            if (k)
                follow(m, v[k - 1], v[k]);
        }
        if (!may_follow(m, v[i - 1], v[i]))
            v[i] = copy_of(m, v[i]);
        follow(m, v[i - 1], v[i]);
    }
    for (unsigned i = 0; i < n; i++)
        if (x[i])
            *x[i] = (struct machine_src){.file = MACHINE_VALUE, .index = v[i]};
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
        side_by_side(m, read, n);
    for (unsigned i = 0; i < n && s->alias != FRAGPROG_ALIAS_NONE; i++) {
        if (read[i]->neg || read[i]->abs)
            *read[i] = move(m, *read[i]);
        if (s->alias == FRAGPROG_ALIAS_BEST && i && read[i]->file == MACHINE_VALUE &&
            read[i - 1]->file == MACHINE_VALUE && may_follow(m, read[i - 1]->index, read[i]->index))
            follow(m, read[i - 1]->index, read[i]->index);
    }
}

/* Makes the components of the texel occupy consecutive registers, up to the last one that is read. */
static void lookup(struct machine *m, struct machine_op *op)
{
    for (unsigned c = 1; op->mask >> c; c++) {
        follow(m, (uint16_t)(op->value + c - 1), (uint16_t)(op->value + c));
        m->value[op->value + c].components = m->value[op->value + c - 1].components = 1;
    }
    group(m, op->arg[0], hwemit_machine_reads(op, 0));
    group(m, op->arg[1], hwemit_machine_reads(op, 1));
}

/* The chip's table of inline numbers (notes/facts/ir3.md B.2): 0, 1/2, 1, 2, e, pi, 1/pi, 1/log2(e), log2(e),
 * 1/log2(10), log2(10), 4. Only the exact ones are used. */
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
        *x = moved(m, *x);
    else if (category == 5)
        lookup(m, op);
    else if (category == 2 && x->file == MACHINE_NUMBER && y->file == MACHINE_NUMBER) {
        struct machine_src *const other = hwemit_ir3_inline(m, op, 0, &neg) < 0 ? x : y;
        *other = moved(m, *other);
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
    side_by_side(m, x, n);
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
