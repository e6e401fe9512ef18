/* Values in consecutive registers, on scalar chips: a value follows another one if it is to be in the
 * register after it. */
#include "hwemit/machine/machine.h"

struct machine_src hwemit_machine_move(struct machine *m, struct machine_src x)
{
    const struct machine_op op = {
        .op = MACHINE_MOV, .mask = 1, .arg = {{x}}, .value = hwemit_machine_new_value(m, MACHINE_RESULT, 1)};
    m->moves = (uint16_t)(m->moves + (!x.neg && !x.abs));
    hwemit_machine_append_to(m, m->next, &op);
    return hwemit_machine_component(m, &op, 0);
}

struct machine_src hwemit_machine_loaded(struct machine *m, struct machine_src x)
{
    const struct machine_src plain = {.file = x.file, .index = x.index};
    if (x.file != MACHINE_NUMBER)
        return x;
    if (m->number[x.index].moved == MACHINE_NONE)
        m->number[x.index].moved = hwemit_machine_move(m, plain).index;
    x.file = MACHINE_VALUE;
    x.index = m->number[x.index].moved;
    return x;
}

bool hwemit_machine_may_follow(const struct machine *m, uint16_t before, uint16_t v)
{
    uint16_t head = before;
    if (m->value[v].follows == before)
        return true;
    while (m->value[head].follows != MACHINE_NONE)
        head = m->value[head].follows;
    return m->value[v].follows == MACHINE_NONE && m->value[before].followed == MACHINE_NONE && head != v &&
        m->value[v].kind != MACHINE_INPUT && m->value[before].kind != MACHINE_INPUT;
}

void hwemit_machine_follow(struct machine *m, uint16_t before, uint16_t v)
{
    m->value[v].follows = before;
    m->value[before].followed = v;
}

static uint16_t copy_of(struct machine *m, uint16_t v)
{
    if (m->value[v].kind == MACHINE_GAP)
        return hwemit_machine_new_value(m, MACHINE_GAP, 1);
    return hwemit_machine_move(m, (struct machine_src){.file = MACHINE_VALUE, .index = v}).index;
}

void hwemit_machine_side_by_side(struct machine *m, struct machine_src *const x[4], unsigned n)
{
    uint16_t v[4];
    for (unsigned i = 0; i < n; i++)
        v[i] = !x[i] ? hwemit_machine_new_value(m, MACHINE_GAP, 1)
            : x[i]->file == MACHINE_NUMBER || x[i]->neg || x[i]->abs ? hwemit_machine_move(m, *x[i]).index
                                                                     : x[i]->index;
    if (n && m->value[v[0]].kind == MACHINE_INPUT)
        v[0] = copy_of(m, v[0]);
    for (unsigned i = 1; i < n && !m->failed; i++) {
        const uint16_t taken = m->value[v[i - 1]].followed;
        for (unsigned k = 0; k < i && taken != MACHINE_NONE && taken != v[i]; k++) {
            v[k] = copy_of(m, v[k]);
            if (k)
                hwemit_machine_follow(m, v[k - 1], v[k]);
        }
        if (!hwemit_machine_may_follow(m, v[i - 1], v[i]))
            v[i] = copy_of(m, v[i]);
        hwemit_machine_follow(m, v[i - 1], v[i]);
    }
    for (unsigned i = 0; i < n; i++)
        if (x[i])
            *x[i] = (struct machine_src){.file = MACHINE_VALUE, .index = v[i]};
}
