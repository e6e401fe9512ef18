/* Verifies that operations are valid, after a step of a back end. */
#include "hwemit/machine/machine.h"

enum { LANES = 4 * 64 }; /* number of lanes of the largest register file of any chip */
struct lanes {
    const struct machine *m;
    /* for each lane of temporaries, then inputs, then outputs: which component() it holds; 0: none */
    uint32_t owner[3 * LANES];
};

static uint32_t *lane_of(struct lanes *l, struct machine_src x)
{
    const struct machine_value *v = &l->m->value[x.index];
    const bool in_file = hwemit_machine_in_file(l->m, x.index);
    const unsigned file = !in_file ? 0 : v->kind == MACHINE_INPUT ? LANES : 2 * LANES;
    return v->reg < (in_file ? LANES / 4 : l->m->temps) ? &l->owner[file + 4 * v->reg + (v->lane[x.lane] & 3)]
                                                        : NULL;
}
static uint32_t component(struct machine_src x) { return 4u * x.index + x.lane + 1; }

static bool is_there(struct lanes *l, struct machine_src x)
{
    const uint32_t *lane = l->m->allocated ? lane_of(l, x) : NULL;
    return l->m->value[x.index].read >> x.lane & 1 && (!l->m->allocated || (lane && *lane == component(x)));
}

/* Records that a component was written. Returns false if its register does not exist on the chip. */
static bool write_component(struct lanes *l, struct machine_src x)
{
    uint32_t *lane = l->m->allocated ? lane_of(l, x) : NULL;
    l->m->value[x.index].read |= (uint8_t)(1u << x.lane);
    if (lane)
        *lane = component(x);
    return lane || !l->m->allocated;
}

static void write_inputs(struct lanes *l)
{
    for (unsigned v = 0; v < l->m->nvalues; v++) {
        l->m->value[v].read = 0;
        for (unsigned c = 0; l->m->value[v].kind == MACHINE_INPUT && l->m->value[v].components >> c; c++)
            if (l->m->value[v].components >> c & 1)
                write_component(l, (struct machine_src){.lane = c & 3, .index = (uint16_t)v});
    }
}

static bool is_placed(const struct machine *m, const struct machine_op *op, unsigned s, unsigned c)
{
    const unsigned number = op->arg[s][c].index, slot = op->slot[s];
    if (!m->numbered || (!m->target->selects && m->target->inlined(m, op, s) >> c & 1))
        return true;
    if (m->target->numbers)
        return m->number[number].place < 4u * m->nslots;
    for (unsigned before = 0; before < s && m->one_slot; before++)
        if (hwemit_machine_from_slots(m, op, before) && op->slot[before] != slot)
            return false;
    return slot < m->nslots && m->slot[slot].number[hwemit_machine_lane(m, slot, number)] == number;
}

static const char *check_operand(struct lanes *l, const struct machine_op *op, unsigned s)
{
    const unsigned channels = hwemit_machine_reads(op, s);
    const struct machine_src *first = NULL;
    for (unsigned c = 0; channels >> c; c++) {
        const struct machine_src *x = &op->arg[s][c];
        if (!(channels >> c & 1))
            continue;
        if (hwemit_machine_selected(l->m, *x))
            continue;
        first = first ? first : x;
        if (x->file == MACHINE_VALUE && !is_there(l, *x))
            return "what it reads is not there";
        if (x->file == MACHINE_NUMBER && !is_placed(l->m, op, s, c))
            return "a number has no place in the constant file, or not where the operation reads";
        if (l->m->legal &&
            (x->file != first->file || (x->file == MACHINE_VALUE && x->index != first->index) ||
             (!l->m->target->selects && (x->neg != first->neg || x->abs != first->abs))))
            return "an operand is not of one register with one sign";
    }
    return NULL;
}

/* Records what the operation writes. Returns false if a register does not exist on the chip. */
static bool write_result(struct lanes *l, const struct machine_op *op)
{
    bool exist = true;
    for (unsigned c = 0; op->mask >> c; c++)
        if (op->mask >> c & 1)
            exist &= write_component(l, hwemit_machine_component(l->m, op, c));
    return exist;
}

/* Returns whether all that the presubtracts of an operation read is written. */
static bool sums_are_there(struct lanes *l, const struct machine_presub presub[2])
{
    for (unsigned k = 0; k < 16 && presub[k / 8].op; k++) {
        const struct machine_src x = presub[k / 8].source[k / 4 % 2][k % 4];
        if (x.file == MACHINE_VALUE && !is_there(l, x))
            return false;
    }
    return true;
}

const char *hwemit_check_machine(const struct machine *m, unsigned *where)
{
    struct lanes l = {.m = m};
    write_inputs(&l);
    for (unsigned i = 0; i < m->nops && m->converted; i++) /* they are in no order */
        write_result(&l, &m->op[i]);
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        const char *broken = NULL;
        *where = i;
        for (unsigned s = 0; s < hwemit_machine_args(op->op) && !broken; s++)
            broken = check_operand(&l, op, s);
        if (broken)
            return broken;
        if (m->converted && !sums_are_there(&l, m->presub[i]))
            return "what a presubtract reads is not there";
        if (!m->target->row[op->op].form)
            return "the chip does not have the operation";
        if (op->sat && !m->target->row[op->op].sat && !m->target->halves)
            return "the operation cannot clamp";
        if (!write_result(&l, op))
            return "the chip does not have the register";
    }
    for (unsigned o = 0; o < m->noutputs && !m->converted; o++)
        for (unsigned c = 0; c < 4; c++) {
            const struct machine_src x = {.lane = (m->target->numbers ? 0 : c) & 3,
                                          .index = m->output[o].value[c]};
            if (x.index != MACHINE_NONE && !is_there(&l, x))
                return "an output is not there";
        }
    return NULL;
}
