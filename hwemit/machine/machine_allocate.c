/* Register allocation, with the register classes of fragprog/alloc. A result may be in any lanes of a
 * register, as sources and destinations have swizzles and masks. On scalar chips, values that need
 * consecutive registers are allocated together. Each component has its own live range. */
#include "hwemit/machine/machine.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

struct lives {
    struct machine *m;
    uint32_t *begin; /* for each value: the first write of a component; UINT32_MAX: it is not used */
    uint32_t *place; /* for each value: its index in `value` */
    struct fragprog_colour_value *value;
};

static uint32_t smaller(uint32_t x, uint32_t y) { return x < y ? x : y; }

/* Finds the beginnings of live ranges. Operations read before they write; the first one is at time 1. Values
 * in consecutive registers begin at the same time. */
static void find_begins(const struct lives *l)
{
    const struct machine *m = l->m;
    for (unsigned v = 0; v < m->nvalues; v++)
        l->begin[v] = m->value[v].kind == MACHINE_INPUT && m->value[v].components && !m->target->files
            ? 0
            : UINT32_MAX;
    for (unsigned i = 0; i < m->nops; i++)
        for (unsigned c = 0; m->op[i].mask >> c; c++) {
            const unsigned v = hwemit_machine_component(m, &m->op[i], c).index;
            l->begin[v] = m->op[i].mask >> c & 1 && !hwemit_machine_in_file(m, v)
                ? smaller(l->begin[v], i + 1)
                : l->begin[v];
        }
    for (unsigned v = 0; v < m->nvalues; v++) {
        uint32_t begin = l->begin[v];
        if (m->value[v].follows != MACHINE_NONE || m->value[v].followed == MACHINE_NONE)
            continue;
        for (unsigned u = v; u != MACHINE_NONE; u = m->value[u].followed)
            begin = smaller(begin, l->begin[u]);
        for (unsigned u = v; u != MACHINE_NONE; u = m->value[u].followed)
            l->begin[u] = begin;
    }
}

static bool earlier(const void *user, uint32_t x, uint32_t y)
{
    const uint32_t *begin = user;
    return begin[x] < begin[y];
}

/* Lists the values that are used, sorted by `begin`. Values in consecutive registers stay in order, since the
 * sort is stable. */
static unsigned list(const struct lives *l, uint32_t *number)
{
    const struct machine *m = l->m;
    unsigned n = 0;
    for (unsigned v = 0; v < m->nvalues; v++)
        if (m->value[v].follows == MACHINE_NONE && l->begin[v] != UINT32_MAX)
            for (unsigned u = v; u != MACHINE_NONE; u = m->value[u].followed)
                number[n++] = u;
    return n;
}

static void describe(const struct lives *l, unsigned v)
{
    const struct machine_value *from = &l->m->value[v];
    struct fragprog_colour_value *to = &l->value[l->place[v]];
    const bool fixed = from->kind == MACHINE_INPUT, numbers = l->m->target->numbers;
    *to = (struct fragprog_colour_value){.class_ = (uint8_t)l->m->target->class_(from),
                                         .components = from->components,
                                         .order = FRAGPROG_COLOUR_ANY,
                                         .begin = {l->begin[v]},
                                         .reg = fixed ? from->reg : FRAGPROG_COLOUR_NONE,
                                         .copy_of = FRAGPROG_COLOUR_NONE,
                                         .follows = from->follows == MACHINE_NONE ? FRAGPROG_COLOUR_NONE
                                                                                  : l->place[from->follows]};
    if (from->own || (!numbers && (fixed || from->kind == MACHINE_OUTPUT)))
        to->order = FRAGPROG_COLOUR_OWN;
    else if (from->kind == MACHINE_FACTORS)
        to->order = FRAGPROG_COLOUR_ASCENDING;
}

static void read_at(const struct lives *l, struct machine_src x, uint32_t time)
{
    if (!hwemit_machine_in_file(l->m, x.index))
        l->value[l->place[x.index]].end[x.lane] = time;
}

/* Sets the ends of live ranges. Reads are visited in order, so the last one remains. */
static void find_ends(const struct lives *l, unsigned n)
{
    const struct machine *m = l->m;
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        for (unsigned r = op->reads; r; r &= r - 1)
            read_at(l, hwemit_machine_at(op, r), i + 1);
        for (unsigned c = 0; op->mask >> c && !m->target->numbers; c++)
            if (op->mask >> c & 1 && !hwemit_machine_in_file(m, op->value))
                l->value[l->place[op->value]].begin[c] = i + 1;
    }
    for (unsigned o = 0; o < m->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (m->output[o].value[c] != MACHINE_NONE)
                read_at(l,
                        (struct machine_src){.lane = (m->target->numbers ? 0 : c) & 3,
                                             .index = m->output[o].value[c]},
                        m->nops + 1u);
    for (unsigned i = 0; i < n; i++)
        for (unsigned c = 0; c < (m->target->numbers ? 1 : 4); c++)
            if (l->value[i].end[c] <= l->value[i].begin[c])
                l->value[i].end[c] = l->value[i].begin[c] + 1;
}

bool hwemit_machine_find_lives(struct machine *m, struct machine_lives *lives)
{
    char *at = m->room;
    struct lives l = {.m = m};
    l.begin = hwemit_machine_take(&at, m->nvalues, sizeof *l.begin);
    l.place = hwemit_machine_take(&at, m->nvalues, sizeof *l.place);
    l.value = lives->value = hwemit_machine_take(&at, m->nvalues, sizeof *l.value);
    lives->place = hwemit_machine_take(&at, m->nvalues, sizeof *lives->place);
    lives->number = hwemit_machine_take(&at, m->nvalues, sizeof *lives->number);
    lives->room = at;
    if (at > m->room + m->nroom)
        return hwemit_machine_refuse_long(m, (unsigned)m->nroom, "bytes to allocate registers");
    find_begins(&l);
    lives->n = list(&l, lives->number);
    fragprog_sort(lives->number, lives->n, l.place, earlier, l.begin);
    for (unsigned i = 0; i < lives->n; i++)
        l.place[lives->number[i]] = i;
    for (unsigned i = 0; i < lives->n; i++)
        describe(&l, lives->number[i]);
    find_ends(&l, lives->n);
    return true;
}

bool hwemit_machine_colour(struct machine *m, const struct machine_lives *lives, unsigned most)
{
    const struct fragprog_colour_request request = {.classes = m->target->classes,
                                                    .value = lives->value,
                                                    .n = lives->n,
                                                    .registers = most,
                                                    .work = lives->n < 64 ? m->target->search : 0};
    struct fragprog_colour_result result = {.place = lives->place};
    if (lives->room + fragprog_colour_scratch(&request) > m->room + m->nroom)
        return hwemit_machine_refuse_long(m, (unsigned)m->nroom, "bytes to allocate registers");
    const bool fits = fragprog_colour(&result, &request, lives->room);
    m->registers = (uint16_t)result.registers;
    m->whole = (uint16_t)result.whole;
    for (unsigned i = 0; i < lives->n && fits; i++) {
        struct machine_value *v = &m->value[lives->number[i]];
        v->reg = lives->place[i].reg;
        memcpy(v->lane, lives->place[i].lane, sizeof v->lane);
    }
    return fits;
}

bool hwemit_machine_allocate(struct machine *m)
{
    struct machine_lives lives;
    if (!hwemit_machine_find_lives(m, &lives))
        return false;
    m->allocated = hwemit_machine_colour(m, &lives, m->temps);
    return m->allocated ||
        hwemit_machine_within(m, m->registers, m->temps, "registers", "fewer values at once", "registers");
}
