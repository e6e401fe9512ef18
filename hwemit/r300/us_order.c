/* Puts the operations in an order in which each comes before those that read its result, and removes those
 * whose result nothing reads. */
#include "hwemit/r300/us.h"

#include "fragprog/alloc/sort.h"

enum { LOOKUP_LATENCY = 8 }; /* what a lookup counts in a chain of operations */

/* Finds what an operation reads of values: at most two sums and an operand. Returns the number of reads. */
static unsigned find_reads(const struct us_program *a, unsigned i, struct machine_src x[US_READS])
{
    struct machine_op *op = &a->m->op[i];
    const struct machine_presub *presub = a->m->presub[i];
    unsigned n = 0;
    hwemit_machine_find_reads(op);
    for (unsigned places = op->reads; places; places &= places - 1)
        x[n++] = hwemit_machine_at(op, places);
    for (unsigned k = 0; k < 16 && presub[k / 8].op; k++)
        if (presub[k / 8].source[k / 4 % 2][k % 4].file == MACHINE_VALUE)
            x[n++] = presub[k / 8].source[k / 4 % 2][k % 4];
    return n;
}

static bool before(const void *user, uint32_t x, uint32_t y)
{
    const struct us_program *a = user;
    return a->m->op[x].order < a->m->op[y].order;
}

/* Returns the length of the longest chain of operations that depend on this one. */
static unsigned height(const struct us_program *a, unsigned i)
{
    return a->m->op[i].op == MACHINE_KILL ? 0 : a->value[a->m->op[i].value].height;
}

static bool higher(const void *user, uint32_t x, uint32_t y) { return height(user, x) > height(user, y); }

void hwemit_us_order(struct us_program *a, bool in_order)
{
    struct machine *m = a->m;
    char *at = m->room;
    uint32_t *list = hwemit_machine_take(&at, m->nops, sizeof *list);
    uint32_t *room = hwemit_machine_take(&at, m->nops, sizeof *room);
    a->reads = hwemit_machine_take(&at, m->nops, sizeof *a->reads);
    a->taken = hwemit_machine_take(&at, m->nvalues, sizeof *a->taken);
    unsigned first = m->nops;
    for (unsigned i = 0; i < m->nops; i++)
        list[i] = i;
    fragprog_sort(list, m->nops, room, before, a);
    for (unsigned v = 0; v < m->nvalues; v++) {
        m->value[v].read = a->value[v].height = 0;
        memset(a->value[v].left, 0, sizeof a->value[v].left);
    }
    for (unsigned k = m->nops; k-- > 0;) {
        struct machine_op *op = &m->op[list[k]];
        struct machine_src x[US_READS];
        const bool looks_up = list[k] < a->nlookups;
        if (!looks_up && !(op->mask & m->value[op->value].read) && !op->out[RGB] && !op->out[ALPHA] &&
            !op->depth) {
            op->mask = 0;
            continue;
        }
        if (op->kind == US_VECTOR && !looks_up) /* presubtracts read some of its channels no more */
            op->mask &= (uint8_t)(m->value[op->value].read | op->out[RGB]);
        const unsigned next = height(a, list[k]) + (looks_up ? LOOKUP_LATENCY : 1u);
        struct us_reads *reads = &a->reads[list[k]];
        reads->n = (uint8_t)find_reads(a, list[k], x);
        for (unsigned i = 0; i < reads->n; i++) {
            uint16_t *own = &a->value[x[i].index].height;
            const unsigned unit = hwemit_us_unit(a, x[i].index), lane = hwemit_us_lane(a, &x[i]) & 3;
            reads->place[i] = (uint16_t)(4 * unit + lane);
            a->value[unit].left[lane]++;
            m->value[x[i].index].read |= (uint8_t)(1u << x[i].lane);
            *own = *own < next ? (uint16_t)next : *own;
        }
        if (!looks_up)
            list[--first] = list[k];
    }
    a->waiting = &list[first];
    a->nwaiting = (uint16_t)(m->nops - first);
    if (!in_order)
        fragprog_sort(a->waiting, a->nwaiting, room, higher, a);
}
