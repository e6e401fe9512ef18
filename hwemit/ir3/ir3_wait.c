/* Makes readers wait for results. Results of categories 1 to 3 are available after some slots, which are left
 * empty if no other instructions fill them; readers of functions and lookups wait by (ss) and (sy). A
 * register that a function or lookup may still read is overwritten only after (ss). Then combines equal
 * operations on consecutive registers into one instruction with a repeat count (rptN). */
#include "hwemit/ir3/ir3.h"

#include <string.h>

enum { MOST_REPEATS = 3 };

struct waiting {
    struct machine *m;
    struct ir3_issue *issue;
    uint32_t slot; /* slot of the current operation */
    /* the arrays are indexed by register */
    uint16_t made_by[256]; /* 1 + the operation that wrote the register last, 0: none */
    uint32_t made_at[256]; /* the slot of that operation */
    bool ss[256], sy[256]; /* the register's result needs a wait by (ss), by (sy) that was not issued yet */
    bool read_by_others[256]; /* a function or lookup may not have read the register yet */
};

static void wait_for(const struct waiting *w, struct ir3_issue *op, unsigned reg)
{
    op->ss |= w->ss[reg];
    op->sy |= w->sy[reg];
}

static void waited(struct waiting *w, const struct ir3_issue *op)
{
    if (op->ss) {
        memset(w->ss, 0, sizeof w->ss);
        memset(w->read_by_others, 0, sizeof w->read_by_others);
    }
    if (op->sy)
        memset(w->sy, 0, sizeof w->sy);
}

/* Adds the empty slots that are missing between the operation that wrote the register and operation i, which
 * reads it as source s. */
static void leave_slots(struct waiting *w, unsigned reg, unsigned i, unsigned s)
{
    if (!w->made_by[reg])
        return;
    const unsigned delay = hwemit_ir3_delay(&w->m->op[w->made_by[reg] - 1], &w->m->op[i], s);
    const uint32_t first = w->made_at[reg] + 1 + delay;
    if (w->slot < first && delay) {
        uint8_t *empty = w->issue[i].before ? &w->issue[i].before : &w->issue[i - 1].nops;
        *empty = (uint8_t)(*empty + first - w->slot);
        w->slot = first;
    }
}

static void made(struct waiting *w, unsigned reg, unsigned i)
{
    const unsigned category = hwemit_ir3_category(&w->m->op[i]);
    w->made_by[reg] = (uint16_t)(i + 1);
    w->made_at[reg] = w->slot;
    w->ss[reg] = category == 4;
    w->sy[reg] = category == 5;
}

static void operation(struct waiting *w, unsigned i)
{
    const struct machine_op *op = &w->m->op[i];
    const bool slot = hwemit_ir3_takes_slot(op);
    struct ir3_issue *issue = &w->issue[i];
    /* the registers that are read and written, and the source that reads each; predicates are registers, too
     */
    unsigned from[12], source[12] = {0}, n = 0, to[4], written = 0;
    for (unsigned r = op->reads; r; r &= r - 1, n++) {
        from[n] = hwemit_ir3_register(w->m, hwemit_machine_at(op, r).index);
        source[n] = hwemit_machine_lowest(r) / 4;
    }
    for (unsigned mask = op->mask; mask; mask &= mask - 1)
        to[written++] = hwemit_ir3_register(w->m, op->value + hwemit_machine_lowest(mask));
    if (op->op == MACHINE_KILL)
        from[n++] = (unsigned)IR3_P0 + op->texture;
    if (op->op == MACHINE_TEST)
        to[written++] = (unsigned)IR3_P0 + op->texture;
    for (unsigned k = 0; k < n; k++)
        wait_for(w, issue, from[k]);
    for (unsigned k = 0; k < written; k++) {
        wait_for(w, issue, to[k]);
        issue->ss |= w->read_by_others[to[k]];
    }
    issue->before = hwemit_ir3_category(op) == 5 && issue->ss && !issue->naliases;
    w->slot += issue->before;
    for (unsigned k = 0; k < n; k++)
        leave_slots(w, from[k], i, source[k]);
    waited(w, issue);
    for (unsigned k = 0; k < n && !slot; k++)
        w->read_by_others[from[k]] = true;
    for (unsigned k = 0; k < written; k++)
        made(w, to[k], i);
    w->slot += slot;
}

static void at_the_end(const struct waiting *w)
{
    const struct machine *m = w->m;
    struct ir3 *s = m->own;
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (m->output[o].value[c] != MACHINE_NONE)
                wait_for(w, &s->end, hwemit_ir3_register(m, m->output[o].value[c]));
}

static void mark_last_bary(const struct waiting *w)
{
    for (unsigned i = w->m->nops; i-- > 0;)
        if (w->m->op[i].op == MACHINE_BARY) {
            w->issue[i].ei = 1;
            return;
        }
}

/* ---- repeats ---- */

int hwemit_ir3_step(const struct machine *m, const struct machine_op *x, const struct machine_op *y,
                    unsigned s)
{
    const struct machine_src a = x->arg[s][0], b = y->arg[s][0];
    if (a.file != b.file || a.neg != b.neg || a.abs != b.abs)
        return -1;
    if (a.file == MACHINE_NUMBER && (m->target->inlined(m, x, s) || m->target->inlined(m, y, s)))
        return a.index == b.index ? 0 : -1;
    const unsigned from = hwemit_ir3_place(m, a), to = hwemit_ir3_place(m, b);
    return to == from ? 0 : to == from + 1 ? 1 : -1;
}

/* Returns whether operation i + 1 can be a repeat of the instruction that begins with operation `first` and
 * includes all up to i. */
static bool continues(const struct waiting *w, unsigned first, unsigned i)
{
    const struct machine *m = w->m;
    const struct machine_op *x = &m->op[i], *y = &m->op[i + 1];
    if (x->op != y->op || x->cond != y->cond || x->sat != y->sat || w->issue[i].nops || w->issue[i].ei ||
        w->issue[i + 1].ss || w->issue[i + 1].sy || hwemit_machine_kind(x->op) > MACHINE_FUNCTION)
        return false;
    if (hwemit_ir3_register(m, y->value) != hwemit_ir3_register(m, x->value) + 1)
        return false;
    for (unsigned s = 0; s < hwemit_machine_args(x->op); s++) {
        const int now = hwemit_ir3_step(m, x, y, s);
        if (now < 0 || (i != first && now != hwemit_ir3_step(m, &m->op[first], &m->op[first + 1], s)))
            return false;
    }
    return true;
}

bool hwemit_ir3_wait(struct machine *m)
{
    struct ir3 *s = m->own;
    struct waiting w = {.m = m};
    char *at = m->room;
    s->maxalias = m->maxops / 2;
    s->issue = w.issue = hwemit_machine_take(&at, m->nops, sizeof *s->issue);
    s->table = hwemit_machine_take(&at, s->maxalias, sizeof *s->table);
    memset(s->issue, 0, m->nops * sizeof *s->issue);
    for (unsigned i = 0; i < m->nops; i++) {
        if (hwemit_ir3_category(&m->op[i]) == 5 && !hwemit_ir3_alias(m, &m->op[i], &s->issue[i]))
            return false;
        operation(&w, i);
    }
    at_the_end(&w);
    mark_last_bary(&w);
    for (unsigned i = 0; i < m->nops; i += s->issue[i].repeat + 1u)
        while (s->issue[i].repeat < MOST_REPEATS && i + s->issue[i].repeat + 1u < m->nops &&
               continues(&w, i, i + s->issue[i].repeat))
            s->issue[i].repeat++;
    return true;
}

void hwemit_ir3_print_issue(struct texenv_text *text, const struct machine *m, unsigned i)
{
    const struct ir3 *s = m->own;
    const struct ir3_issue *issue = s->issue ? &s->issue[i] : NULL;
    if (!issue)
        return;
    texenv_printf(text, "%s%s%s", issue->sy ? " (sy)" : "", issue->ss ? " (ss)" : "",
                  issue->ei ? " (ei)" : "");
    if (issue->repeat)
        texenv_printf(text, " (rpt%u)", (unsigned)issue->repeat);
    if (issue->before) /* a lookup has no (ss) itself */
        texenv_printf(text, ", after %u nop", (unsigned)issue->before);
    if (issue->nops)
        texenv_printf(text, ", then %u nop", (unsigned)issue->nops);
}
