/* Converts the operations of hwemit/machine to operations on slots and variables (pvs.h). */
#include "hwemit/r300/pvs.h"

#include <string.h>

bool hwemit_pvs_refuse_long(struct pvs *p, size_t most, const char *what)
{
    if (!p->failed)
        hwemit_refuse(p->why, -1, "instructions", "a shorter program",
                      "to compile the program takes more than %zu %s", most, what);
    p->failed = true;
    return false;
}

unsigned hwemit_pvs_channels(const struct pvs_op *op)
{
    return op->kind == PVS_EACH ? op->components : op->kind == PVS_SUM ? 4 : 1;
}

bool hwemit_pvs_same_register(const struct pvs *p, const struct pvs_chan *a, const struct pvs_chan *b)
{
    if (a->file == PVS_LITERAL || b->file == PVS_LITERAL)
        return true;
    if (a->file != b->file)
        return false;
    return a->file == PVS_SLOT ? p->slot[a->index].var == p->slot[b->index].var : a->index == b->index;
}

const struct pvs_chan *hwemit_pvs_register(const struct pvs_op *op, unsigned s)
{
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
        if (op->arg[s][c].file != PVS_LITERAL)
            return &op->arg[s][c];
    return NULL;
}

static const struct pvs_chan zero = {.file = PVS_LITERAL, .lane = FRAGPROG_ZERO};

/* Makes a variable for each value and a slot for each of its components. Stores the variable's number in
 * machine_value.reg. */
static bool make_variables(struct pvs *p, struct machine *m)
{
    for (unsigned v = 0; v < m->nvalues; v++) {
        struct machine_value *from = &m->value[v];
        struct pvs_var *to = &p->var[p->nvars];
        if (from->kind != MACHINE_RESULT || !from->components)
            continue;
        if (p->nslots + 4u > PVS_SLOTS)
            return hwemit_pvs_refuse_long(p, PVS_SLOTS, "results");
        *to = (struct pvs_var){.slot = {NONE, NONE, NONE, NONE}, .own = from->own};
        from->reg = p->nvars++;
        for (unsigned c = 0; c < 4; c++)
            if (from->components >> c & 1) {
                to->slot[c] = p->nslots;
                p->slot[p->nslots++] = (struct pvs_slot){.var = from->reg, .component = (uint8_t)c};
            }
    }
    return true;
}

static struct pvs_chan channel(const struct pvs *p, struct machine *m, const struct machine_op *op,
                               unsigned s, unsigned c)
{
    const struct machine_src x = op->arg[s][c];
    const struct machine_value *v = &m->value[x.index];
    const float *own = hwemit_machine_value(m, x);
    struct pvs_chan to = {.file = PVS_CONST, .neg = x.neg, .index = op->slot[s]};
    if (hwemit_machine_selected(m, x)) {
        to = (struct pvs_chan){.file = PVS_LITERAL, .neg = x.neg != (*own < 0)};
        to.lane = *own == 0 ? FRAGPROG_ZERO : FRAGPROG_ONE;
    } else if (x.file == MACHINE_NUMBER)
        to.lane = (uint8_t)hwemit_machine_lane(m, op->slot[s], x.index);
    else if (v->kind == MACHINE_RESULT) {
        to.file = PVS_SLOT;
        to.index = p->var[v->reg].slot[x.lane];
    } else if (v->kind == MACHINE_OUTPUT) { /* machine_target.write_only */
        m->failed = true;
        hwemit_refuse(m->why, -1, "instructions", "another program",
                      "the compiler made an instruction that reads an output: please report this");
        to = zero;
    } else {
        to.file = v->kind == MACHINE_INPUT ? PVS_INPUT : PVS_LOADED;
        to.lane = x.lane;
        to.index = v->reg;
    }
    return to;
}

static bool load(struct pvs *p, struct machine *m, const struct machine_op *op)
{
    if (p->nloads == PVS_LOADS)
        return hwemit_pvs_refuse_long(p, PVS_LOADS, "relative reads");
    m->value[op->value].reg = p->nloads;
    p->load[p->nloads++] = (struct pvs_load){.address = channel(p, m, op, 0, 0),
                                             .array = op->cond,
                                             .offset = (int16_t)(op->texture - FRAGPROG_LOAD_ZERO)};
    return true;
}

/* Sets the destination: components of a variable, or lanes of an output. A result of kind SUM or NUMBER is
 * written to all lanes of an output that the operation writes. */
static void result(const struct pvs *p, const struct machine *m, const struct machine_op *op,
                   struct pvs_op *to)
{
    const struct machine_value *v = &m->value[op->value];
    const bool output = v->kind == MACHINE_OUTPUT, same = to->kind == PVS_SUM || to->kind == PVS_NUMBER;
    to->out = (int8_t)(output ? v->reg : -1);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned n = to->kind == PVS_LANES ? c : to->components;
        to->slot[c] = NONE;
        if (!(op->mask >> c & 1))
            continue;
        to->slot[n] = output ? NONE : p->var[v->reg].slot[c];
        to->lanes[n] = (uint8_t)(output ? 1u << c : 0);
        to->components++;
    }
    if (to->kind == PVS_LANES)
        to->components = 4;
    if (output && same) {
        to->components = 1;
        to->lanes[0] = op->mask;
    }
}

static bool convert(struct pvs *p, struct machine *m, const struct machine_op *op)
{
    static const uint8_t kinds[] = {[MACHINE_CHANNELS] = PVS_EACH,
                                    [MACHINE_DOT] = PVS_SUM,
                                    [MACHINE_FUNCTION] = PVS_NUMBER,
                                    [MACHINE_LANES] = PVS_LANES};
    const struct machine_row *row = &m->target->row[op->op];
    struct pvs_op to = {.kind = kinds[hwemit_machine_kind(op->op)], .code = row->code, .second = NONE};
    if (op->op == MACHINE_LOAD)
        return load(p, m, op);
    if (!row->form || op->sat)
        return hwemit_refuse(p->why, -1, "operation", "a program without it",
                             "operation %s%s: not on this engine", hwemit_machine_info[op->op].name,
                             op->sat ? " with a clamp" : "");
    if (p->nops == PVS_OPS)
        return hwemit_pvs_refuse_long(p, PVS_OPS, "operations");
    result(p, m, op, &to);
    to.args = (uint8_t)hwemit_machine_args(op->op);
    for (unsigned s = 0; s < to.args; s++)
        for (unsigned c = 0, n = 0; c < 4; c++)
            if (to.kind == PVS_SUM || (to.kind == PVS_EACH ? op->mask >> c & 1 : !c))
                to.arg[s][n++] = to.kind == PVS_SUM && !(op->terms >> c & 1) ? zero : channel(p, m, op, s, c);
    if (op->op == MACHINE_MOV) { /* encoded as x + 0 */
        to.args = 2;
        for (unsigned c = 0; c < 4; c++)
            to.arg[1][c] = zero;
    } else if (op->op ==
               MACHINE_POW) { /* sources disagree about which operand is the exponent, so both are */
        to.args = 3;
        to.arg[2][0] = to.arg[1][0];
    }
    p->op[p->nops++] = to;
    return true;
}

static void constants(struct pvs *p, const struct machine *m)
{
    unsigned array = 0; /* the first slots hold the arrays, in this order (hwemit_pvs_arrays) */
    p->nconsts = m->nslots;
    for (unsigned n = 0; n < p->nconsts; n++) {
        struct pvs_const *to = &p->konst[n];
        *to = (struct pvs_const){.array = 0};
        for (unsigned c = 0; c < 4; c++)
            to->origin[c] = FRAGPROG_ORIGIN_IMMEDIATE;
        for (unsigned c = 0; c < m->slot[n].n; c++) {
            const struct machine_number *x = &m->number[m->slot[n].number[c]];
            to->value[c] = x->value;
            to->origin[c] = x->origin;
            to->component[c] = x->component;
        }
    }
    for (unsigned k = 0; k < m->ir->nkonst; k++)
        for (unsigned l = 0; l < p->nloads; l++)
            if (m->ir->konst[k].array && m->ir->konst[k].array == p->load[l].array) {
                p->konst[array++].array = p->load[l].array;
                break;
            }
}

bool hwemit_pvs_convert(struct pvs *p, struct machine *m)
{
    if (!make_variables(p, m))
        return false;
    for (unsigned i = 0; i < m->nops; i++)
        if (!convert(p, m, &m->op[i]))
            return false;
    constants(p, m);
    return true;
}
