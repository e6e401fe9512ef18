/* Makes values, numbers and operations for selection. On scalar chips, an operation with the same operands as
 * an earlier one is not repeated: the earlier result is used. */
#include "hwemit/machine/machine.h"

#include "fragprog/algebra/derived.h"

#include <string.h>

const struct machine_info hwemit_machine_info[MACHINE_OPS] = {
#define MACHINE_OP(id, name, args, kind) {name, args, MACHINE_##kind},
#include "hwemit/machine/machine_ops.def"
};

/* ---- values and numbers ---- */

uint16_t hwemit_machine_new_value(struct machine *m, unsigned kind, unsigned components)
{
    if (m->nvalues == m->maxvalues) {
        hwemit_machine_refuse_long(m, m->maxvalues, "values");
        return 0;
    }
    m->value[m->nvalues] = (struct machine_value){.kind = (uint8_t)kind,
                                                  .components = (uint8_t)components,
                                                  .follows = MACHINE_NONE,
                                                  .followed = MACHINE_NONE,
                                                  .lane = {0, 1, 2, 3}};
    return m->nvalues++;
}

struct machine_src hwemit_machine_outside(struct machine *m, const struct machine_number *x)
{
    unsigned n = 0;
    while (n < m->nnumbers &&
           (m->number[n].origin != x->origin ||
            (x->origin == FRAGPROG_ORIGIN_IMMEDIATE ? m->number[n].value != x->value
                                                    : m->number[n].component != x->component)))
        n++;
    if (n == MACHINE_NUMBERS) {
        MACHINE_REFUSE(m, -1, "constants", "fewer constants",
                       "the program reads more than %d different numbers", MACHINE_NUMBERS);
        n = 0;
    } else if (n == m->nnumbers) {
        m->number[n] = *x;
        m->number[n].place = m->number[n].moved = MACHINE_NONE;
        m->nnumbers++;
    }
    return (struct machine_src){.file = MACHINE_NUMBER, .index = (uint16_t)n};
}

struct machine_src hwemit_machine_immediate(struct machine *m, float value)
{
    const struct machine_number x = {.origin = FRAGPROG_ORIGIN_IMMEDIATE, .value = value == 0 ? 0 : value};
    return hwemit_machine_outside(m, &x);
}

const float *hwemit_machine_value(const struct machine *m, struct machine_src x)
{
    return x.file == MACHINE_NUMBER && x.index < MACHINE_NUMBERS &&
            m->number[x.index].origin == FRAGPROG_ORIGIN_IMMEDIATE
        ? &m->number[x.index].value
        : NULL;
}

bool hwemit_machine_is(const struct machine *m, struct machine_src x, float value)
{
    const float *own = hwemit_machine_value(m, x);
    return own && *own == value;
}

bool hwemit_machine_one_or_zero(const struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x);
    return own && (*own == 0 || *own == 1 || *own == -1);
}

/* Negates an operand. For a constant of the program this gives another constant, not a sign, so that fewer
 * operands have signs. */
struct machine_src hwemit_machine_negated(struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x);
    if (own)
        return hwemit_machine_immediate(m, -*own);
    x.neg = !x.neg;
    return x;
}

/* Returns whether the operand is known to be in [0,1], so that a clamp changes nothing. Of the numbers
 * that the driver uploads for unbounded programs (struct fragprog), only environment colours and values
 * derived from them can be. */
bool hwemit_machine_is_unit(const struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x);
    const int32_t colours = m->ir->unbounded ? TEXENV_UNITS : FRAGPROG_ORIGINS;
    if (own)
        return *own >= 0 && *own <= 1;
    if (x.neg || (x.file == MACHINE_NUMBER && x.index >= MACHINE_NUMBERS))
        return false;
    if (x.file == MACHINE_VALUE)
        return m->value[x.index].unit >> x.lane & 1;
    const int32_t origin = m->number[x.index].origin;
    if (origin < FRAGPROG_ORIGIN_DERIVED)
        return origin < colours;
    const struct fragprog_interval range = fragprog_derived_range(origin);
    return range.lo >= 0 && range.hi <= 1;
}

/* Tells whether component c of the result lies in [0,1], whatever the inputs are. */
static bool gives_unit(const struct machine *m, const struct machine_op *op, unsigned c)
{
    struct machine_src x = op->arg[0][c];
    const struct machine_src y = op->arg[1][c];
    if (op->scale)
        return false;
    switch (op->op) {
    case MACHINE_BARY: return m->input[x.index / 4].what == HWEMIT_COLOR;
    case MACHINE_MOV: return hwemit_machine_is_unit(m, x);
    case MACHINE_MUL: return hwemit_machine_is_unit(m, x) && hwemit_machine_is_unit(m, y);
    case MACHINE_SGE:
    case MACHINE_SLT: return true;
    case MACHINE_ADD: /* true for 1 - x with x in [0,1] */
        x.neg = 0;
        return op->arg[0][c].neg && hwemit_machine_is(m, y, 1) && hwemit_machine_is_unit(m, x);
    default: return false;
    }
}

/* ---- operations ---- */

bool hwemit_machine_append_to(struct machine *m, struct machine_op *list, const struct machine_op *op)
{
    if (m->failed || m->nops == m->maxops)
        return hwemit_machine_refuse_long(m, m->maxops, "operations");
    list[m->nops] = *op;
    hwemit_machine_find_reads(&list[m->nops++]);
    return true;
}

bool hwemit_machine_append(struct machine *m, const struct machine_op *op)
{
    return hwemit_machine_append_to(m, m->op, op);
}

struct machine_op hwemit_machine_make(unsigned op, const struct machine_src x[4],
                                      const struct machine_src y[4], const struct machine_src z[4])
{
    struct machine_op made = {.op = (uint8_t)op};
    const struct machine_src *const from[3] = {x, y, z};
    for (unsigned s = 0; s < hwemit_machine_args(op); s++)
        memcpy(made.arg[s], from[s], sizeof made.arg[s]);
    return made;
}

static bool same_number(const struct machine_op *x, const struct machine_op *y)
{
    if (x->op != y->op || x->cond != y->cond || x->sat != y->sat)
        return false;
    for (unsigned s = 0; s < hwemit_machine_args(x->op); s++)
        if (!hwemit_machine_same(x->arg[s][0], y->arg[s][0]))
            return false;
    return true;
}

static unsigned hash(const struct machine_op *op)
{
    uint32_t h = op->op * 31u + op->cond;
    for (unsigned s = 0; s < hwemit_machine_args(op->op); s++) {
        const struct machine_src x = op->arg[s][0];
        h = h * 0x9e3779b1u + (x.index * 32u + x.file * 8u + x.lane * 2u + x.neg * 5u + x.abs);
    }
    return h >> 7 & (MACHINE_HASH - 1);
}

const struct machine_op *hwemit_machine_earlier(const struct machine *m, const struct machine_op *op)
{
    uint16_t i = op->next;
    while (i && !same_number(&m->op[i - 1], op))
        i = m->op[i - 1].next;
    return i ? &m->op[i - 1] : NULL;
}

/* Returns whether the operation is x*1 or x + 0. */
static bool is_copy(const struct machine *m, const struct machine_op *op)
{
    return !op->sat && !op->scale &&
        ((op->op == MACHINE_MUL && hwemit_machine_is(m, op->arg[1][0], 1)) ||
         (op->op == MACHINE_ADD && hwemit_machine_is(m, op->arg[1][0], 0)));
}

struct machine_src hwemit_machine_number(struct machine *m, const struct machine_op *from)
{
    if (is_copy(m, from))
        return from->arg[0][0];
    struct machine_op op = *from;
    uint16_t *const bucket = m->target->numbers ? &m->bucket[hash(&op)] : NULL;
    op.mask = 1;
    op.next = bucket ? *bucket : 0;
    const struct machine_op *earlier = hwemit_machine_earlier(m, &op);
    if (earlier)
        return hwemit_machine_component(m, earlier, 0);
    op.value = hwemit_machine_new_value(m, MACHINE_RESULT, 1);
    m->value[op.value].unit = op.sat || gives_unit(m, &op, 0);
    if (!hwemit_machine_append(m, &op))
        return (struct machine_src){.file = MACHINE_VALUE};
    if (bucket)
        *bucket = m->nops;
    return hwemit_machine_component(m, &op, 0);
}

struct machine_src hwemit_machine_do(struct machine *m, unsigned op, struct machine_src x,
                                     struct machine_src y, struct machine_src z, bool sat)
{
    const struct machine_op made = {.op = (uint8_t)op, .sat = sat, .arg = {{x}, {y}, {z}}};
    return hwemit_machine_number(m, &made);
}

struct machine_src hwemit_machine_absolute(struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x);
    if (own)
        return *own < 0 ? hwemit_machine_immediate(m, -*own) : x;
    if (m->target->selects && !hwemit_machine_is_unit(m, x))
        return hwemit_machine_do(m, MACHINE_MAX, x, hwemit_machine_negated(m, x), x, false);
    x.neg = 0;
    x.abs = !m->target->selects;
    return x;
}

static struct machine_op of_channel(const struct machine_op *op, unsigned c)
{
    struct machine_op one = *op;
    for (unsigned s = 0; s < 3; s++)
        one.arg[s][0] = op->arg[s][c];
    return one;
}

/* Tells whether the operands in all channels of the mask are the same as in channel `first`. */
static bool alike(const struct machine_op *op, unsigned mask, unsigned first)
{
    for (unsigned s = 0; s < hwemit_machine_args(op->op); s++)
        for (unsigned c = first; c < 4; c++)
            if (mask >> c & 1 && !hwemit_machine_same(op->arg[s][c], op->arg[s][first]))
                return false;
    return true;
}

void hwemit_machine_channels(struct machine *m, struct machine_op op, unsigned mask,
                             struct machine_src result[4])
{
    if (!mask)
        return;
    const unsigned first = hwemit_machine_lowest(mask);
    const bool halves = m->target->halves,
               one = (halves && !(mask & (mask - 1))) || (!m->target->numbers && alike(&op, mask, first));
    if (halves && !one && mask & FRAGPROG_MASK_W) {
        hwemit_machine_channels(m, op, mask & FRAGPROG_MASK_XYZ, result);
        hwemit_machine_channels(m, op, FRAGPROG_MASK_W, result);
        return;
    }
    if (one || m->target->numbers) {
        struct machine_src number = {0};
        for (unsigned c = 0; c < 4; c++) {
            if (!(mask >> c & 1))
                continue;
            const struct machine_op single = of_channel(&op, c);
            number = one && c > first ? number : hwemit_machine_number(m, &single);
            result[c] = number;
        }
        return;
    }
    op.mask = (uint8_t)mask;
    op.value = hwemit_machine_new_value(m, MACHINE_RESULT, mask);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && (op.sat || gives_unit(m, &op, c)))
            m->value[op.value].unit |= (uint8_t)(1u << c);
    hwemit_machine_append(m, &op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result[c] = hwemit_machine_component(m, &op, c);
}

void hwemit_machine_saturate(struct machine *m, unsigned mask, struct machine_src result[4])
{
    const bool moves = m->target->row[MACHINE_MOV].sat;
    struct machine_op op = hwemit_machine_make(moves ? MACHINE_MOV : MACHINE_MAX, result, result, NULL);
    op.sat = true;
    for (unsigned c = 0; c < 4; c++)
        mask &= mask >> c & 1 && hwemit_machine_is_unit(m, result[c]) ? ~(1u << c) : FRAGPROG_MASK_XYZW;
    hwemit_machine_channels(m, op, mask, result);
}
