/* When results are there: of categories 1 to 3 after some slots, which are left empty where nothing else
 * fills them; of functions and lookups when (ss) and (sy) have waited for them. A register that one of these
 * still reads is written after (ss) only. Then operations that are the same instruction on registers in a row
 * become one that repeats. */
#include "hwemit/ir3/ir3.h"

#include <string.h>

enum { MOST_REPEATS = 3 };

struct waiting {
    struct ir3 *s;
    uint32_t slot;            /* of the operation that is looked at */
    uint16_t made_by[256];    /* the operation + 1 that wrote a register */
    uint32_t made_at[256];    /* its slot */
    bool ss[256], sy[256];    /* not waited for yet */
    bool read_by_others[256]; /* by a function or lookup that may not have read it yet */
};

static unsigned register_of(const struct ir3 *s, struct ir3_src x) { return s->value[x.index].reg; }

static void wait_for(struct waiting *w, struct ir3_op *op, unsigned reg)
{
    op->ss |= w->ss[reg];
    op->sy |= w->sy[reg];
}

static void wait_to_write(struct waiting *w, struct ir3_op *op, unsigned reg)
{
    wait_for(w, op, reg);
    op->ss |= w->read_by_others[reg];
}

static void waited(struct waiting *w, const struct ir3_op *op)
{
    if (op->ss) {
        memset(w->ss, 0, sizeof w->ss);
        memset(w->read_by_others, 0, sizeof w->read_by_others);
    }
    if (op->sy)
        memset(w->sy, 0, sizeof w->sy);
}

/* Slots that are still missing between what made the register and this operation. */
static void leave_slots(struct waiting *w, unsigned reg, struct ir3_op *ops, unsigned i, unsigned n)
{
    if (!w->made_by[reg])
        return;
    const struct ir3_op *from = &ops[w->made_by[reg] - 1];
    const uint32_t first = w->made_at[reg] + 1 + hwemit_ir3_delay(from, &ops[i], n);
    if (w->slot < first && hwemit_ir3_delay(from, &ops[i], n)) {
        uint8_t *empty = ops[i].before ? &ops[i].before : &ops[i - 1].nops;
        *empty = (uint8_t)(*empty + first - w->slot);
        w->slot = first;
    }
}

static void made(struct waiting *w, unsigned reg, unsigned i)
{
    const struct ir3_op *op = &w->s->op[i];
    w->made_by[reg] = (uint16_t)(i + 1);
    w->made_at[reg] = w->slot;
    w->ss[reg] = op->kind == IR3_FUNCTION;
    w->sy[reg] = op->kind == IR3_LOOKUP;
}

static void operation(struct waiting *w, unsigned i)
{
    const struct ir3 *s = w->s;
    struct ir3_op *op = &s->op[i];
    for (unsigned n = 0; n < op->n; n++)
        if (op->src[n].file == IR3_VALUE)
            wait_for(w, op, register_of(s, op->src[n]));
    for (unsigned c = 0; c < hwemit_ir3_results(op); c++)
        if (op->kind != IR3_LOOKUP || op->mask >> c & 1)
            wait_to_write(w, op, s->value[op->value + c].reg);
    op->before = op->kind == IR3_LOOKUP && op->ss && !op->naliases;
    w->slot += op->before;
    for (unsigned n = 0; n < op->n; n++)
        if (op->src[n].file == IR3_VALUE)
            leave_slots(w, register_of(s, op->src[n]), s->op, i, n);
    if (op->kind == IR3_DO_KILL)
        leave_slots(w, IR3_P0 + op->predicate, s->op, i, 0);
    waited(w, op);
    for (unsigned n = 0; n < op->n; n++)
        if (op->src[n].file == IR3_VALUE && (op->kind == IR3_FUNCTION || op->kind == IR3_LOOKUP))
            w->read_by_others[register_of(s, op->src[n])] = true;
    for (unsigned c = 0; c < hwemit_ir3_results(op); c++)
        if (op->kind != IR3_LOOKUP || op->mask >> c & 1)
            made(w, s->value[op->value + c].reg, i);
    if (op->kind == IR3_COMPARE_KILL)
        made(w, IR3_P0 + op->predicate, i);
    w->slot += hwemit_ir3_takes_slot(op);
}

static void at_the_end(struct waiting *w)
{
    struct ir3 *s = w->s;
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (s->output[o].value[c] != IR3_NO_VALUE) {
                s->end_ss |= w->ss[s->value[s->output[o].value[c]].reg];
                s->end_sy |= w->sy[s->value[s->output[o].value[c]].reg];
            }
}

static void mark_last_bary(struct ir3 *s)
{
    for (unsigned i = s->nops; i-- > 0;)
        if (s->op[i].kind == IR3_TWO && s->op[i].code == IR3_BARY) {
            s->op[i].ei = 1;
            return;
        }
}

/* ---- repeats ---- */

/* The number of an operand that (rptN) would increment: of a register, a constant or a varying of bary.f.
 * False: the operand has no such number. */
static bool counted(const struct ir3 *s, const struct ir3_op *op, unsigned n, unsigned *place)
{
    const struct ir3_src x = op->src[n];
    bool neg;
    *place = x.file == IR3_VALUE ? s->value[x.index].reg
        : x.file == IR3_SCALAR   ? s->scalar[x.index].slot
                                 : x.index;
    if (x.file != IR3_SCALAR)
        return true;
    if (op->kind == IR3_MOVE)
        return !hwemit_ir3_own(s, x);
    return hwemit_ir3_inline(s, op, n, &neg) < 0;
}

/* How operand n goes on from one operation to the next: 0 the same, 1 the next place, -1 neither. */
static int step(const struct ir3 *s, const struct ir3_op *x, const struct ir3_op *y, unsigned n)
{
    const struct ir3_src *a = &x->src[n], *b = &y->src[n];
    unsigned from, to;
    if (a->file != b->file || a->neg != b->neg || a->abs != b->abs)
        return -1;
    if (!counted(s, x, n, &from) || !counted(s, y, n, &to))
        return a->index == b->index ? 0 : -1;
    return to == from ? 0 : to == from + 1 ? 1 : -1;
}

static bool continues(const struct ir3 *s, const struct ir3_op *first, const struct ir3_op *x,
                      const struct ir3_op *y)
{
    if (x->kind != y->kind || x->code != y->code || x->cond != y->cond || x->sat != y->sat || x->n != y->n ||
        x->nops || x->ei || y->ss || y->sy || x->kind > IR3_FUNCTION)
        return false;
    if (s->value[y->value].reg != s->value[x->value].reg + 1u)
        return false;
    for (unsigned n = 0; n < x->n; n++) {
        const int now = step(s, x, y, n);
        if (now < 0 || (x != first && now != step(s, first, first + 1, n)))
            return false;
    }
    return true;
}

static void find_repeats(struct ir3 *s)
{
    for (unsigned i = 0; i < s->nops; i += s->op[i].repeat + 1u)
        while (s->op[i].repeat < MOST_REPEATS && i + s->op[i].repeat + 1u < s->nops &&
               continues(s, &s->op[i], &s->op[i + s->op[i].repeat], &s->op[i + s->op[i].repeat + 1]))
            s->op[i].repeat++;
}

bool hwemit_ir3_wait(struct ir3 *s)
{
    struct waiting w = {.s = s};
    for (unsigned i = 0; i < s->nops; i++)
        operation(&w, i);
    at_the_end(&w);
    mark_last_bary(s);
    find_repeats(s);
    return true;
}
