/* Joins operations on different channels (for example those of the colour and the alpha half of a stage). On
 * chips whose operands can select 0 and 1 in any channel, also different ones: as multiply-adds a product is
 * a*b + 0, a sum a*1 + b, a move 0*0 + a. Each operand of the joint operation must read one register; values
 * in different registers are put into one if there is room. Operands that were legal stay so. */
#include "hwemit/machine/machine.h"

#include <string.h>

enum {
    WINDOW = 48, /* number of following operations that each operation is tried with */
    JOINED = 8,  /* maximum number of values that one attempt moves to other registers */
    FEW = 2, /* the same on chips whose operands select no numbers: more would take more registers there */
    WAYS = 4
};

/* Ways to write operation `from` as operation `as`. way[n]: its operands in order: a, b or c (an operand of
 * `from`), or the number 0 or 1. */
struct form {
    uint8_t from, as;
    char way[WAYS][4];
};

_Static_assert(MACHINE_MAX == MACHINE_ADD + 4, "add, mul, mad, min and max are adjacent");
static const struct form *form(const struct machine *m, unsigned from, unsigned as)
{
    static const struct form same = {.way = {"abc"}}, exchanged = {.way = {"abc", "bac"}};
    static const struct form forms[] = {
        {MACHINE_MOV, MACHINE_ADD, {"a0", "0a"}},   {MACHINE_MOV, MACHINE_MAD, {"00a", "a10", "1a0"}},
        {MACHINE_MOV, MACHINE_MIN, {"aa"}},         {MACHINE_MOV, MACHINE_MAX, {"aa"}},
        {MACHINE_MUL, MACHINE_MAD, {"ab0", "ba0"}}, {MACHINE_ADD, MACHINE_MAD, {"a1b", "1ab", "b1a", "1ba"}},
    };
    if (from == as) /* the first two operands of add, mul, mad, min and max can be exchanged */
        return from >= MACHINE_ADD && from <= MACHINE_MAX ? &exchanged : &same;
    for (unsigned n = 0; n < sizeof forms / sizeof *forms && m->target->selects; n++)
        if (forms[n].from == from && forms[n].as == as)
            return &forms[n];
    return NULL;
}

/* Writes op in the given way of the form. Returns false if the form has no such way. */
static bool write_as(struct machine *m, const struct machine_op *op, unsigned as, const struct form *form,
                     unsigned way, struct machine_op *made)
{
    if (way == WAYS || !form->way[way][0])
        return false;
    *made = *op;
    made->op = (uint8_t)as;
    memset(made->arg, 0, sizeof made->arg);
    for (unsigned s = 0; s < hwemit_machine_args(as); s++) {
        const char what = form->way[way][s];
        const float number = what == '1';
        for (unsigned c = 0; c < 4; c++)
            if (op->mask >> c & 1)
                made->arg[s][c] = what >= 'a' ? op->arg[what - 'a'][c] : hwemit_machine_immediate(m, number);
    }
    return true;
}

/* ---- values in one register ---- */

/* An attempt to put values into one register: value from[k] becomes components of value to[k]. */
struct joined {
    const struct machine *m;
    unsigned n;
    uint16_t from[JOINED], to[JOINED];
};

static unsigned found(const struct joined *j, unsigned value)
{
    for (unsigned k = 0; k < j->n; k++)
        if (j->from[k] == value)
            value = j->to[k];
    return value;
}

static unsigned components(const struct joined *j, unsigned value)
{
    unsigned n = hwemit_machine_count(j->m->value[value].components);
    for (unsigned k = 0; k < j->n; k++)
        if (found(j, j->from[k]) == value)
            n += hwemit_machine_count(j->m->value[j->from[k]].components);
    return n;
}

static bool join(struct joined *j, unsigned a, unsigned b)
{
    const struct machine_value *value = j->m->value;
    a = found(j, a);
    b = found(j, b);
    if (a == b)
        return true;
    if (value[a].kind != MACHINE_RESULT || value[b].kind != MACHINE_RESULT ||
        (value[a].own && value[b].own) || j->n == (j->m->target->selects ? JOINED : FEW) ||
        components(j, a) + components(j, b) > 4)
        return false;
    j->from[j->n] = (uint16_t)(value[b].own ? a : b);
    j->to[j->n++] = (uint16_t)(value[b].own ? b : a);
    return true;
}

/* ---- two operations ---- */

/* Returns whether operand s of the joint operation reads only one register. *seen: the constants that the
 * operands have read so far; one instruction can read four. */
static bool one_register(struct joined *j, const struct machine_op *x, const struct machine_op *y, unsigned s,
                         struct machine_slot *seen)
{
    const struct machine_src *first = NULL;
    for (unsigned i = 0; i < 8; i++) {
        const struct machine_op *op = i < 4 ? x : y;
        const struct machine_src *at = &op->arg[s][i % 4];
        if (!(op->mask >> i % 4 & 1) || hwemit_machine_selected(j->m, *at))
            continue;
        first = first ? first : at;
        if (at->file != first->file ||
            (!j->m->target->selects && (at->neg != first->neg || at->abs != first->abs)) ||
            !(at->file == MACHINE_VALUE ? join(j, first->index, at->index)
                                        : hwemit_machine_hold(seen, at->index)))
            return false;
    }
    return true;
}

/* Returns whether the two operations can be joined. Sets *j to the values that must then share registers. */
static bool fits(struct joined *j, const struct machine_op *x, const struct machine_op *y)
{
    struct machine_slot seen = {.n = 0};
    j->n = 0;
    if (!join(j, x->value, y->value))
        return false;
    for (unsigned s = 0; s < hwemit_machine_args(x->op); s++)
        if (!one_register(j, x, y, s, &seen))
            return false;
    return true;
}

/* Returns whether a clamp of the result changes nothing. */
static bool may_clamp(const struct machine *m, const struct machine_op *op)
{
    const struct machine_value *v = &m->value[op->value];
    return op->sat || hwemit_machine_clamps(m, v) || !(op->mask & ~v->unit);
}

/* Returns the position at which the joint operation can be executed: k, else i. MACHINE_NONE: neither. */
static unsigned place_of(const struct machine *m, unsigned i, unsigned k)
{
    return hwemit_machine_can_move(m, i, k) ? k : hwemit_machine_can_move(m, k, i) ? i : MACHINE_NONE;
}

/* Tries to join operations i and k as operation `as`. If both are such operations, the operands of one of
 * them need not be exchanged. */
static bool mix_as(struct machine *m, unsigned i, unsigned k, unsigned as)
{
    const struct machine_op *const first = &m->op[i], *const second = &m->op[k];
    const struct form *of_x = form(m, first->op, as), *of_y = form(m, second->op, as);
    const bool sat = first->sat || second->sat;
    struct machine_op x, y[WAYS];
    struct joined j = {.m = m};
    unsigned ways = 0;
    if (!of_x || !of_y || (first->sat != second->sat && !(may_clamp(m, first) && may_clamp(m, second))) ||
        !join(&j, first->value, second->value))
        return false;
    const unsigned at = place_of(m, i, k);
    if (at == MACHINE_NONE)
        return false;
    while (write_as(m, second, as, of_y, ways, &y[ways]))
        ways++;
    for (unsigned a = 0;
         a < (first->op == second->op && first->op == as ? 1 : WAYS) && write_as(m, first, as, of_x, a, &x);
         a++)
        for (unsigned b = 0; b < ways; b++) {
            if (!fits(&j, &x, &y[b]))
                continue;
            for (unsigned n = 0; n < j.n; n++)
                hwemit_machine_merge(m, j.from[n], j.to[n]);
            write_as(m, first, as, of_x, a, &x);
            write_as(m, second, as, of_y, b, &y[b]);
            for (unsigned n = 0; n < 12; n++)
                if (y[b].mask >> n % 4 & 1)
                    x.arg[n / 4][n % 4] = y[b].arg[n / 4][n % 4];
            x.mask |= y[b].mask;
            x.sat = sat;
            hwemit_machine_find_reads(&x);
            m->op[i] = m->op[k] = (struct machine_op){0};
            m->op[at] = x;
            return true;
        }
    return false;
}

static bool can_mix(const struct machine_op *op)
{
    return op->mask && op->mask != FRAGPROG_MASK_XYZW && hwemit_machine_kind(op->op) == MACHINE_CHANNELS;
}

/* Tries to join operations i and k. */
static bool mix(struct machine *m, unsigned i, unsigned k)
{
    const unsigned x = m->op[i].op, y = m->op[k].op;
    if (!can_mix(&m->op[k]) || (x != y && !m->target->selects) ||
        hwemit_machine_count(m->op[i].mask) + hwemit_machine_count(m->op[k].mask) > 4)
        return false;
    return mix_as(m, i, k, x) || (x != y && mix_as(m, i, k, y)) ||
        (x != MACHINE_MAD && y != MACHINE_MAD && mix_as(m, i, k, MACHINE_MAD));
}

bool hwemit_machine_mix(struct machine *m)
{
    for (unsigned i = 0; i < m->nops && !m->second; i++)
        for (unsigned k = i + 1; can_mix(&m->op[i]) && k < m->nops && k <= i + WINDOW; k++)
            if (mix(m, i, k))
                k = i;
    return hwemit_machine_trim(m);
}
