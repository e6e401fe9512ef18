/* Joins different operations on different channels, on chips whose operands can select 0 and 1 in any
 * channel: as multiply-adds a product is a*b + 0, a sum a*1 + b, a move 0*0 + a. Each operand of the joint
 * operation must read one register; values in different registers are put into one if there is room. Operands
 * are legal before and after this step. */
#include "hwemit/machine/machine.h"

#include <string.h>

enum {
    WINDOW = 48, /* number of following operations that each operation is tried with */
    JOINED = 8,  /* maximum number of values that one attempt moves to other registers */
    WAYS = 4
};

/* Ways to write operation `from` as operation `as`. way[n]: its operands in order: a, b or c (an operand of
 * `from`), or the number 0, 1 or -1 (written -). */
struct form {
    uint8_t from, as;
    char way[WAYS][4];
};

static const struct form *form(unsigned from, unsigned as)
{
    static const struct form same = {.way = {"abc"}}, exchanged = {.way = {"abc", "bac"}};
    static const struct form forms[] = {
        {MACHINE_MOV, MACHINE_ADD, {"a0", "0a"}},   {MACHINE_MOV, MACHINE_MAD, {"00a", "a10", "1a0"}},
        {MACHINE_MOV, MACHINE_MIN, {"aa"}},         {MACHINE_MOV, MACHINE_MAX, {"aa"}},
        {MACHINE_MOV, MACHINE_CGE, {"1a0", "-0a"}}, {MACHINE_ADD, MACHINE_MAD, {"a1b", "1ab", "b1a", "1ba"}},
        {MACHINE_MUL, MACHINE_MAD, {"ab0", "ba0"}},
    };
    if (from == as) /* the first two operands of add, mul, mad, min and max can be exchanged */
        return from >= MACHINE_ADD && from <= MACHINE_MAX ? &exchanged : &same;
    for (unsigned n = 0; n < sizeof forms / sizeof *forms; n++)
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
        const float number = what == '0' ? 0 : what == '1' ? 1 : -1;
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
        (value[a].own && value[b].own) || j->n == JOINED || components(j, a) + components(j, b) > 4)
        return false;
    j->from[j->n] = (uint16_t)(value[a].own ? b : a);
    j->to[j->n++] = (uint16_t)(value[a].own ? a : b);
    return true;
}

static void move(struct machine *m, unsigned from, unsigned to)
{
    uint8_t map[4];
    hwemit_machine_fit(map, m->value[from].components, m->value[to].components, false);
    hwemit_machine_rename(m, from, to, map);
}

/* ---- two operations ---- */

/* Returns whether operand s of the joint operation reads only one register. seen, *n: the different constants
 * that the operands have read so far; one instruction can read four. */
static bool one_register(struct joined *j, const struct machine_op *x, const struct machine_op *y, unsigned s,
                         uint16_t seen[5], unsigned *n)
{
    unsigned value = MACHINE_NONE, outside = 0;
    for (unsigned i = 0; i < 8; i++) {
        const struct machine_op *op = i < 4 ? x : y;
        const struct machine_src at = op->arg[s][i % 4];
        if (!(op->mask >> i % 4 & 1) || hwemit_machine_selected(j->m, at))
            continue;
        if (at.file == MACHINE_VALUE) {
            if (value != MACHINE_NONE && !join(j, value, at.index))
                return false;
            value = at.index;
            continue;
        }
        bool known = false;
        for (unsigned k = 0; k < *n && !known; k++)
            known = seen[k] == at.index;
        if (!known && *n == 4)
            return false;
        if (!known)
            seen[(*n)++] = at.index;
        outside++;
    }
    return value == MACHINE_NONE || !outside;
}

/* Returns whether the two operations can be joined. Sets *j to the values that must then share registers. */
static bool fits(struct joined *j, const struct machine_op *x, const struct machine_op *y)
{
    uint16_t seen[5];
    unsigned n = 0;
    j->n = 0;
    if (!join(j, x->value, y->value))
        return false;
    for (unsigned s = 0; s < hwemit_machine_args(x->op); s++)
        if (!one_register(j, x, y, s, seen, &n))
            return false;
    return true;
}

/* Returns whether a clamp of the result changes nothing. */
static bool may_clamp(const struct machine *m, const struct machine_op *op)
{
    const struct machine_value *v = &m->value[op->value];
    return op->sat || v->kind == MACHINE_OUTPUT || !(op->mask & ~v->unit);
}

/* Returns whether one operation can replace both with regard to clamps. Sets *sat to whether it must clamp.
 */
static bool clamps_agree(const struct machine *m, const struct machine_op *x, const struct machine_op *y,
                         bool *sat)
{
    *sat = x->sat || y->sat;
    if (x->sat == y->sat || (may_clamp(m, x) && may_clamp(m, y)))
        return true;
    *sat = false; /* the output clamps */
    return m->value[x->value].kind == MACHINE_OUTPUT && m->value[y->value].kind == MACHINE_OUTPUT;
}

/* Returns the position at which the joint operation can be executed: j, else i. MACHINE_NONE: neither. */
static unsigned place_of(const struct machine *m, unsigned i, unsigned j)
{
    bool up = true, down = true;
    for (unsigned k = i; k < j; k++) {
        up = up && !hwemit_machine_follows(&m->op[j], &m->op[k]);
        down = down && !hwemit_machine_follows(&m->op[k + 1], &m->op[i]);
    }
    return down ? j : up ? i : MACHINE_NONE;
}

/* Returns whether the operation is a move to an output that a later step (place) may delete: before that step
 * such moves are only combined with each other, and move no value to another register. */
static bool waits(const struct machine *m, const struct machine_op *op)
{
    return !m->placed && m->value[op->value].kind == MACHINE_OUTPUT;
}

static bool mix_as(struct machine *m, unsigned i, unsigned k, unsigned as)
{
    const struct form *of_x = form(m->op[i].op, as), *of_y = form(m->op[k].op, as);
    struct machine_op x, y[WAYS];
    struct joined j = {.m = m};
    unsigned ways = 0;
    bool sat;
    const unsigned at = of_x && of_y && clamps_agree(m, &m->op[i], &m->op[k], &sat) ? place_of(m, i, k)
                                                                                    : MACHINE_NONE;
    if (at == MACHINE_NONE)
        return false;
    while (ways < WAYS && write_as(m, &m->op[k], as, of_y, ways, &y[ways]))
        ways++;
    for (unsigned a = 0; write_as(m, &m->op[i], as, of_x, a, &x); a++)
        for (unsigned b = 0; b < ways; b++) {
            if (!fits(&j, &x, &y[b]) || (j.n && waits(m, &m->op[i])))
                continue;
            for (unsigned n = 0; n < j.n; n++)
                move(m, j.from[n], j.to[n]);
            write_as(m, &m->op[i], as, of_x, a, &x);
            write_as(m, &m->op[k], as, of_y, b, &y[b]);
            for (unsigned s = 0; s < 3; s++)
                for (unsigned c = 0; c < 4; c++)
                    if (y[b].mask >> c & 1)
                        x.arg[s][c] = y[b].arg[s][c];
            x.mask |= y[b].mask;
            x.sat = sat;
            hwemit_machine_find_reads(&x);
            m->op[i] = m->op[k] = (struct machine_op){0};
            m->op[at] = x;
            return true;
        }
    return false;
}

static bool selects(const struct machine *m, const struct machine_op *op)
{
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1 && hwemit_machine_selected(m, op->arg[0][c]))
            return true;
    return false;
}

/* Tries to join operations i and k. */
static bool mix(struct machine *m, unsigned i, unsigned k)
{
    const unsigned x = m->op[i].op, y = m->op[k].op;
    if (!m->op[i].mask || !m->op[k].mask || hwemit_machine_kind(x) != MACHINE_CHANNELS ||
        hwemit_machine_kind(y) != MACHINE_CHANNELS || waits(m, &m->op[i]) != waits(m, &m->op[k]) ||
        hwemit_machine_count(m->op[i].mask) + hwemit_machine_count(m->op[k].mask) > 4)
        return false;
    const struct machine_value *a = &m->value[m->op[i].value], *b = &m->value[m->op[k].value];
    if (a != b &&
        (a->kind != MACHINE_RESULT || b->kind != MACHINE_RESULT ||
         hwemit_machine_count(a->components) + hwemit_machine_count(b->components) > 4))
        return false; /* as in join */
    if (waits(m, &m->op[i]))
        return selects(m, &m->op[i]) == selects(m, &m->op[k]) && mix_as(m, i, k, x);
    return mix_as(m, i, k, x) || (x != y && mix_as(m, i, k, y)) ||
        (x != MACHINE_MAD && y != MACHINE_MAD && mix_as(m, i, k, MACHINE_MAD));
}

bool hwemit_machine_mix(struct machine *m)
{
    for (unsigned i = 0; i < m->nops && !m->second; i++)
        for (unsigned k = i + 1; k < m->nops && k <= i + WINDOW; k++)
            if (mix(m, i, k))
                k = i;
    return hwemit_machine_trim(m);
}
