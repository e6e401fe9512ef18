/* Makes readers wait for results. Results of categories 1 to 3 are available after some slots, which are left
 * empty if no other instructions fill them; readers of functions and lookups wait by (ss) and (sy). A
 * register that a function or lookup may still read is overwritten only after (ss). */
#include "hwemit/ir3/ir3.h"

#include <string.h>

/* ---- alias tables ---- */

struct fragprog_alias_source hwemit_ir3_source(const struct machine *m, struct machine_src x)
{
    struct fragprog_alias_source source = {hwemit_ir3_place(m, x), FRAGPROG_ALIAS_CONSTANT};
    const float *own = hwemit_machine_value(m, x);
    if (x.file == MACHINE_VALUE)
        source.file = FRAGPROG_ALIAS_REGISTER;
    if (own) {
        memcpy(&source.value, own, sizeof source.value);
        source.file = FRAGPROG_ALIAS_IMMEDIATE;
    }
    return source;
}

/* Makes the alias table of a lookup. Its operands are in the registers where they are computed, and stay live
 * until the lookup reads them through the table. */
static bool alias(struct machine *m, const struct machine_op *op, struct ir3_issue *issue)
{
    struct ir3 *s = m->own;
    struct fragprog_alias_request request = {.how = s->alias};
    struct fragprog_alias_table table = {.n = 0};
    unsigned n = 0;
    for (unsigned a = 0; a < 2; a++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_machine_reads(op, a) >> c & 1) {
                request.source[n++] = hwemit_ir3_source(m, op->arg[a][c]);
                request.size[a]++;
                request.ngroups = (uint8_t)(a + 1);
            }
    if (s->alias == FRAGPROG_ALIAS_NONE) { /* operands are in consecutive registers */
        table.base[0] = (uint16_t)request.source[0].value;
        table.base[1] = (uint16_t)request.source[request.size[0]].value;
    } else if (!fragprog_alias(&table, &request) || s->nalias + table.n > s->maxalias) {
        return hwemit_machine_refuse_long(m, s->maxalias, "entries of alias tables");
    }
    issue->base[0] = table.base[0];
    issue->base[1] = request.ngroups > 1 ? table.base[1] : 0;
    issue->alias = s->nalias;
    issue->naliases = table.n; /* at most five, since a lookup has at most five operands */
    memcpy(&s->table[s->nalias], table.entry, table.n * sizeof *table.entry);
    s->nalias = (uint16_t)(s->nalias + table.n);
    return true;
}

/* ---- waits ---- */

struct waiting {
    struct machine *m;
    struct ir3_issue *issue;
    uint32_t slot;   /* slot of the current operation */
    unsigned ss, sy; /* how many operations precede the last one that waits by (ss), by (sy) */
    /* the arrays are indexed by register */
    uint16_t made_by[256]; /* 1 + the operation that wrote the register last, 0: none */
    uint32_t made_at[256]; /* the slot of that operation */
    uint8_t made_in[256];  /* its category */
    uint16_t read_by[256]; /* 1 + the last function or lookup that reads the register, 0: none */
};

/* Makes an operation wait for the register's value if a function or a lookup makes it. */
static void wait_for(const struct waiting *w, struct ir3_issue *issue, unsigned reg)
{
    issue->ss |= w->made_by[reg] > w->ss && w->made_in[reg] == 4;
    issue->sy |= w->made_by[reg] > w->sy && w->made_in[reg] == 5;
}

/* Adds the empty slots that are missing between the operation that wrote the register and operation i, which
 * reads it as source s. */
static void leave_slots(struct waiting *w, unsigned reg, unsigned i, unsigned s)
{
    if (!w->made_by[reg] || w->made_in[reg] >= 4)
        return;
    const struct machine_op *from = &w->m->op[w->made_by[reg] - 1];
    const uint32_t first = w->made_at[reg] + w->m->target->latency(from, &w->m->op[i], s);
    if (w->slot < first) {
        uint8_t *empty = w->issue[i].before ? &w->issue[i].before : &w->issue[i - 1].nops;
        *empty = (uint8_t)(*empty + first - w->slot);
        w->slot = first;
    }
}

static void operation(struct waiting *w, unsigned i)
{
    const struct machine_op *op = &w->m->op[i];
    const unsigned category = hwemit_ir3_category(op);
    struct ir3_issue *issue = &w->issue[i];
    /* the registers, among them predicates, that are read and written, and the source that reads each */
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
        issue->ss |= w->read_by[to[k]] > w->ss;
    }
    issue->before = category == 5 && issue->ss && !issue->naliases;
    w->slot += issue->before;
    for (unsigned k = 0; k < n; k++)
        leave_slots(w, from[k], i, source[k]);
    w->ss = issue->ss ? i : w->ss;
    w->sy = issue->sy ? i : w->sy;
    for (unsigned k = 0; k < n && category >= 4; k++)
        w->read_by[from[k]] = (uint16_t)(i + 1);
    for (unsigned k = 0; k < written; k++) {
        w->made_by[to[k]] = (uint16_t)(i + 1);
        w->made_at[to[k]] = w->slot;
        w->made_in[to[k]] = (uint8_t)category;
    }
    w->slot += category < 4;
}

bool hwemit_ir3_wait(struct machine *m)
{
    struct ir3 *s = m->own;
    struct waiting w = {.m = m};
    char *at = m->room;
    unsigned last = m->nops; /* the last bary.f */
    s->maxalias = m->maxops / 2;
    s->issue = w.issue = hwemit_machine_take(&at, m->nops, sizeof *s->issue);
    s->table = hwemit_machine_take(&at, s->maxalias, sizeof *s->table);
    memset(s->issue, 0, m->nops * sizeof *s->issue);
    for (unsigned i = 0; i < m->nops; i++) {
        if (hwemit_ir3_category(&m->op[i]) == 5 && !alias(m, &m->op[i], &s->issue[i]))
            return false;
        operation(&w, i);
        if (m->op[i].op == MACHINE_BARY)
            last = i;
    }
    if (last < m->nops)
        s->issue[last].ei = 1;
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (m->output[o].value[c] != MACHINE_NONE)
                wait_for(&w, &s->end, hwemit_ir3_register(m, m->output[o].value[c]));
    return true;
}
