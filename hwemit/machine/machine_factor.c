/* Rewrites products and sums so that fewer operations remain, on chips that can add two sources while they
 * read them ("presubtract"): x*y + z*y becomes (x + z)*y, and x*y + z in two operations becomes one. In ARB
 * programs values can have any size, so rules are left out there that could lose precision: those that
 * regroup sums, and the one that makes x - x*y of x*(1 - y). */
#include "hwemit/machine/machine.h"

#include <string.h>

/* For each value, in `room`: the operation that writes it (each is written by one), and how many operands
 * read it. */
static uint16_t *writers(const struct machine *m) { return (uint16_t *)(void *)m->room; }
static uint16_t *readers(const struct machine *m) { return writers(m) + m->maxvalues; }

/* Counts again after operations have changed. */
static void count(struct machine *m)
{
    uint16_t *const writer = writers(m), *const reads = readers(m), *const last = reads + m->maxvalues;
    for (unsigned v = 0; v < m->nvalues; v++) {
        writer[v] = last[v] = MACHINE_NONE;
        reads[v] = 0;
    }
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        if (op->mask)
            writer[op->value] = (uint16_t)i;
        for (unsigned r = op->reads; r; r &= r - 1) {
            const unsigned v = hwemit_machine_at(op, r).index, operand = 3 * i + hwemit_machine_lowest(r) / 4;
            reads[v] = (uint16_t)(reads[v] + (last[v] != operand));
            last[v] = (uint16_t)operand;
        }
    }
}

/* Returns the operation whose whole result is operand s of op, or NULL. With `spread`, the result is one
 * number, which all channels read. */
static struct machine_op *made_by(struct machine *m, const struct machine_op *op, unsigned s, bool spread)
{
    const unsigned mask = spread ? 1 : op->mask;
    const struct machine_src first = op->arg[s][hwemit_machine_lowest(op->mask)];
    const uint16_t i = first.file == MACHINE_VALUE && !first.abs ? writers(m)[first.index] : MACHINE_NONE;
    if (i == MACHINE_NONE || m->op[i].mask != mask || hwemit_machine_kind(m->op[i].op) != MACHINE_CHANNELS)
        return NULL;
    for (unsigned c = 0; c < 4; c++) {
        struct machine_src x = first;
        x.lane = (spread ? 0 : c) & 3;
        if (op->mask >> c & 1 && !hwemit_machine_same(op->arg[s][c], x))
            return NULL;
    }
    return &m->op[i];
}

/* As made_by, if nothing else reads the result, and it is neither scaled nor clamped. */
static struct machine_op *only_for(struct machine *m, const struct machine_op *op, unsigned s)
{
    struct machine_op *from = made_by(m, op, s, false);
    return from && readers(m)[from->value] == 1 && !from->scale && !from->sat ? from : NULL;
}

static bool equal(const struct machine_op *x, unsigned s, const struct machine_op *y, unsigned t)
{
    for (unsigned c = 0; c < 4; c++)
        if (x->mask >> c & 1 && !hwemit_machine_same(x->arg[s][c], y->arg[t][c]))
            return false;
    return true;
}

/* Copies operand t of `from` to the channels of the mask; that of a number to all of them. */
static void copy(struct machine *m, unsigned mask, struct machine_src to[4], const struct machine_op *from,
                 unsigned t, bool negated)
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1) {
            const struct machine_src x = from->arg[t][from->mask == 1 ? 0 : c];
            to[c] = negated ? hwemit_machine_negated(m, x) : x;
        }
}

static bool is_negative(const struct machine_op *op, unsigned s)
{
    return op->arg[s][hwemit_machine_lowest(op->mask)].neg;
}

/* ---- x + offset: sums with numbers ---- */

struct shifted {
    struct machine_src x[4]; /* with sign */
    float offset;
    struct machine_op *from; /* the operation that adds the offset, or NULL */
};

/* Returns the number that operand s is in all channels, or NULL. */
static const float *number_of(const struct machine *m, const struct machine_op *op, unsigned s)
{
    const struct machine_src first = op->arg[s][hwemit_machine_lowest(op->mask)];
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1 && !hwemit_machine_same(op->arg[s][c], first))
            return NULL;
    return hwemit_machine_value(m, first);
}

static struct shifted read_shifted(struct machine *m, const struct machine_op *op, unsigned s)
{
    struct shifted t = {.from = made_by(m, op, s, false)};
    t.from = t.from ? t.from : made_by(m, op, s, true);
    const bool sum = t.from && t.from->op == MACHINE_ADD && !t.from->scale && !t.from->sat;
    const float *offset = sum ? number_of(m, t.from, 1) : NULL;
    const bool negative = offset && is_negative(op, s);
    t.from = offset ? t.from : NULL;
    t.offset = !offset ? 0 : negative ? -*offset : *offset;
    copy(m, op->mask, t.x, offset ? t.from : op, offset ? 0 : s, negative);
    return t;
}

/* Returns 1 if x and y are shifts of the same operand, -1 if one is of the other's negative, otherwise 0. */
static int sign_between(const struct machine_op *op, const struct shifted *x, const struct shifted *y)
{
    const bool opposite = x->x[hwemit_machine_lowest(op->mask)].neg !=
        y->x[hwemit_machine_lowest(op->mask)].neg;
    for (unsigned c = 0; c < 4; c++) {
        struct machine_src other = y->x[c];
        other.neg = opposite != other.neg;
        if (op->mask >> c & 1 && !hwemit_machine_same(x->x[c], other))
            return 0;
    }
    return opposite ? -1 : 1;
}

/* x*(y - 1) + (x + c) becomes x*y + c, and similarly with other signs and with x = u + a. */
static void absorb(struct machine *m, struct machine_op *op)
{
    for (unsigned s = 0; s < 2 && op->op == MACHINE_MAD; s++) {
        const struct shifted z = read_shifted(m, op, 2);
        if (!z.from)
            return;
        const struct shifted x = read_shifted(m, op, s), y = read_shifted(m, op, 1 - s);
        const int sign = sign_between(op, &x, &z);
        const float c = z.offset - (float)sign * x.offset;
        if (!sign || y.offset + (float)sign != 0 || !hwemit_machine_needs_no_constant(c))
            continue;
        for (unsigned k = 0; k < 4; k++)
            if (op->mask >> k & 1) {
                op->arg[1 - s][k] = y.x[k];
                op->arg[2][k] = hwemit_machine_immediate(m, c);
            }
        hwemit_machine_find_reads(op);
        count(m);
        return;
    }
}

/* ---- products ---- */

/* Returns the operation that computes -y + 1 if operand s is its result, with either sign, else NULL. */
static struct machine_op *complement(struct machine *m, const struct machine_op *op, unsigned s)
{
    const struct shifted x = read_shifted(m, op, s);
    return x.from && is_negative(x.from, 0) && x.offset == (is_negative(op, s) ? -1 : 1) ? x.from : NULL;
}

/* x*y + (z*y + w): the earlier product becomes x + z. It moves to the later one, since it may now read what
 * is computed in between. Not if x and z are both 1 - .., since a presubtract can compute each but not their
 * sum. */
static bool factor(struct machine *m, struct machine_op *op)
{
    struct machine_op *product = op->op == MACHINE_MAD ? only_for(m, op, 2) : NULL;
    if (!product || (product->op != MACHINE_MUL && (product->op != MACHINE_MAD || m->ir->unbounded)))
        return false;
    for (unsigned n = 0; n < 4; n++) {
        const unsigned s = n / 2, t = n % 2;
        if (!equal(op, s, product, t) || (complement(m, op, 1 - s) && complement(m, product, 1 - t)))
            continue;
        struct machine_op sum = *product;
        const struct machine_op old = *op;
        const bool negative = is_negative(op, 2);
        sum.op = MACHINE_ADD;
        copy(m, sum.mask, sum.arg[0], &old, 1 - s, false);
        copy(m, sum.mask, sum.arg[1], product, 1 - t, negative);
        memset(sum.arg[2], 0, sizeof sum.arg[2]);
        hwemit_machine_find_reads(&sum);
        op->op = product->op;
        copy(m, op->mask, op->arg[0], &old, s, false);
        copy(m, op->mask, op->arg[1], &old, 2, false);
        for (unsigned c = 0; c < 4; c++)
            op->arg[1][c].neg = 0;
        memset(op->arg[2], 0, sizeof op->arg[2]);
        if (op->op == MACHINE_MAD)
            copy(m, op->mask, op->arg[2], product, 2, negative);
        hwemit_machine_find_reads(op);
        m->value[sum.value].unit = 0;
        memmove(product, product + 1, (size_t)(op - product - 1) * sizeof *op);
        op[-1] = sum;
        count(m);
        return true;
    }
    return false;
}

/* (1 - x)*y becomes y - x*y, so that an operand of its own can read y through a presubtract. */
static void multiply_out(struct machine *m, struct machine_op *op)
{
    for (unsigned s = 0; s < 2 && op->op == MACHINE_MUL && op->mask; s++) {
        const struct machine_op *from = complement(m, op, s);
        if (!from)
            continue;
        const bool negative = is_negative(op, s);
        op->op = MACHINE_MAD;
        copy(m, op->mask, op->arg[2], op, 1 - s, negative);
        copy(m, op->mask, op->arg[s], from, 0, negative);
        hwemit_machine_find_reads(op);
        count(m);
    }
}

/* x*(1 - y) + z, where y is one number, becomes -x*y + (x + z): the sum of colours takes the presubtract of
 * the colour part, which leaves that of the alpha part to the alpha operation. */
static void move_out(struct machine *m, struct machine_op *op)
{
    for (unsigned s = 0; s < 2 && op->op == MACHINE_MAD && op->mask & (op->mask - 1); s++) {
        const struct machine_op *from = complement(m, op, s);
        const bool negative = is_negative(op, s);
        struct machine_op sum = {.op = MACHINE_ADD, .mask = op->mask};
        if (!from || from->mask != 1 || m->nops == m->maxops || m->nvalues == m->maxvalues)
            continue;
        copy(m, sum.mask, sum.arg[0], op, 1 - s, negative);
        copy(m, sum.mask, sum.arg[1], op, 2, false);
        hwemit_machine_find_reads(&sum);
        bool good = sum.reads && !read_shifted(m, op, 1 - s).from && !read_shifted(m, op, 2).from;
        for (unsigned n = 0; n < 8; n++) { /* a presubtract reads each channel from its own lane */
            const struct machine_src x = sum.arg[n / 4][n % 4];
            const unsigned lane = x.file == MACHINE_VALUE ? x.lane : x.index % 4;
            good = good && (!(op->mask >> n % 4 & 1) || lane == n % 4);
        }
        if (!good)
            continue;
        sum.value = hwemit_machine_new_value(m, MACHINE_RESULT, op->mask);
        copy(m, op->mask, op->arg[s], from, 0, negative);
        for (unsigned c = 0; c < 4; c++)
            op->arg[2][c] = op->mask >> c & 1 ? hwemit_machine_component(m, &sum, c) : op->arg[2][c];
        hwemit_machine_find_reads(op);
        memmove(op + 1, op, (size_t)(m->op + m->nops - op) * sizeof *op);
        *op = sum;
        m->nops++;
        count(m);
        return;
    }
}

/* x*y, then + z: one operation. */
static bool add_product(struct machine *m, struct machine_op *op)
{
    for (unsigned s = 0; s < 2 && op->op == MACHINE_ADD; s++) {
        struct machine_op *product = only_for(m, op, s);
        if (!product || product->op != MACHINE_MUL)
            continue;
        const struct machine_op old = *op;
        op->op = MACHINE_MAD;
        copy(m, op->mask, op->arg[2], &old, 1 - s, false);
        copy(m, op->mask, op->arg[0], product, 0, is_negative(&old, s));
        copy(m, op->mask, op->arg[1], product, 1, false);
        hwemit_machine_find_reads(op);
        product->mask = 0;
        product->reads = 0;
        count(m);
        return true;
    }
    return false;
}

bool hwemit_machine_factor(struct machine *m)
{
    count(m);
    for (unsigned i = 0; i < m->nops; i++) {
        struct machine_op *op = &m->op[i];
        if (!op->mask || hwemit_machine_kind(op->op) != MACHINE_CHANNELS ||
            m->value[op->value].kind != MACHINE_RESULT)
            continue;
        if (!m->ir->unbounded)
            absorb(m, op);
        if (!add_product(m, op) && !m->expanded)
            factor(m, op);
    }
    for (unsigned i = 0; i < m->nops && !m->ir->unbounded; i++) {
        multiply_out(m, &m->op[i]);
        move_out(m, &m->op[i]);
    }
    return hwemit_machine_trim(m);
}
