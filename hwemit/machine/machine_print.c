/* Prints operations as text, and verifies that they are valid, for examining the steps of a back end. */
#include "hwemit/machine/machine.h"

static const char channels_xyzw[] = "xyzw";

static void print_channel(struct texenv_text *text, const struct machine *m, struct machine_src x)
{
    static const char *const literals[] = {
        [FRAGPROG_ZERO] = "0", [FRAGPROG_ONE] = "1", [FRAGPROG_HALF] = "0.5"};
    const struct machine_value *v = &m->value[x.index];
    const char *bar = x.abs ? "|" : "";
    const float *own = hwemit_machine_value(m, x);
    texenv_printf(text, "%s%s", x.neg ? "-" : "", bar);
    if (own)
        texenv_printf(text, "%f", (double)*own);
    else if (x.file == MACHINE_LITERAL)
        texenv_printf(text, "%s", literals[x.index]);
    else if (x.file == MACHINE_SLOT || x.file == MACHINE_PRESUB)
        texenv_printf(text, "%c%u.%c", x.file == MACHINE_SLOT ? 's' : 'p', (unsigned)x.index,
                      channels_xyzw[x.lane]);
    else if (x.file == MACHINE_NUMBER && x.index >= MACHINE_NUMBERS)
        texenv_printf(text, "c%u.%c", (x.index - MACHINE_NUMBERS) / 4u, channels_xyzw[x.index % 4]);
    else if (x.file == MACHINE_NUMBER)
        fragprog_print_lane(text, m->number[x.index].origin, m->number[x.index].component);
    else if (x.file == MACHINE_VALUE && m->allocated)
        texenv_printf(text, "%c%u.%c",
                      !hwemit_machine_in_file(m, x.index) ? 'r'
                          : v->kind == MACHINE_INPUT      ? 't'
                                                          : 'o',
                      (unsigned)v->reg, channels_xyzw[v->lane[x.lane] & 3]);
    else
        texenv_printf(text, "%s%u.%c", x.file == MACHINE_VALUE ? "v" : "in",
                      (unsigned)(x.file == MACHINE_VALUE ? x.index : x.index / 4),
                      channels_xyzw[x.file == MACHINE_VALUE ? x.lane : x.index % 4]);
    texenv_printf(text, "%s", bar);
}

/* Prints the channels of an operand, or only one if all are the same. */
static void print_channels(struct texenv_text *text, const struct machine *m, const struct machine_src x[4],
                           unsigned mask)
{
    unsigned first = 0;
    bool same = true;
    while (!(mask >> first & 1))
        first++;
    for (unsigned c = first; mask >> c; c++)
        same = same && (!(mask >> c & 1) || hwemit_machine_same(x[c], x[first]));
    for (unsigned c = first; mask >> c && (c == first || !same); c++)
        if (mask >> c & 1) {
            texenv_printf(text, "%s", c == first ? "" : " ");
            print_channel(text, m, x[c]);
        }
}

/* Prints the outputs that an operation writes, for example `out0.xyz `. */
static void print_outputs(struct texenv_text *text, const struct machine_op *op)
{
    const unsigned out = op->out[0] | (unsigned)op->out[1] << 3;
    if (out)
        texenv_printf(text, "out%u.", (unsigned)op->target);
    for (unsigned c = 0; out >> c; c++)
        if (out >> c & 1)
            texenv_printf(text, "%c", channels_xyzw[c]);
    texenv_printf(text, "%s%s", out ? " " : "", op->depth ? "depth " : "");
}

/* Prints presubtracts, for example `; p0 = 1-x of v1.x v1.y v1.z`. */
static void print_presubs(struct texenv_text *text, const struct machine *m,
                          const struct machine_presub presub[2])
{
    static const char *const sums[] = {NULL, "1-2x", "y-x", "x+y", "1-x"};
    for (unsigned n = 0; n < 2 && presub[n].op; n++) {
        const char *sum = sums[presub[n].op];
        unsigned read = 0;
        for (unsigned c = 0; c < 4; c++)
            read |= (unsigned)(presub[n].source[0][c].file != MACHINE_UNREAD) << c;
        texenv_printf(text, "; p%u = %s of ", n, sum);
        print_channels(text, m, presub[n].source[0], read);
        if (strchr(sum, 'y')) {
            texenv_printf(text, ", ");
            print_channels(text, m, presub[n].source[1], read);
        }
    }
}

void hwemit_print_machine(struct texenv_text *text, const struct machine *m)
{
    for (unsigned i = 0; i < m->nops; i++) {
        const struct machine_op *op = &m->op[i];
        const enum machine_kind kind = hwemit_machine_kind(op->op);
        const bool looks_up = kind == MACHINE_LOOKUP || kind == MACHINE_EFFECT;
        struct machine_src to[4];
        if (m->converted && !op->mask && !looks_up)
            continue;
        for (unsigned c = 0; c < 4; c++)
            to[c] = hwemit_machine_component(m, op, c);
        if (op->mask) {
            print_channels(text, m, to, op->mask);
            texenv_printf(text, " ");
            if (m->converted && !looks_up)
                print_outputs(text, op);
            texenv_printf(text, "= ");
        }
        texenv_printf(text, "%s", hwemit_machine_info[op->op].name);
        if (op->scale)
            texenv_printf(text, "*%f", op->scale < 0 ? 1.0 / (1 << -op->scale) : (double)(1 << op->scale));
        texenv_printf(text, "%s", op->sat ? ".sat" : "");
        if (looks_up)
            texenv_printf(text, " #%u", (unsigned)op->texture);
        for (unsigned s = 0; s < hwemit_machine_args(op->op); s++)
            if (hwemit_machine_reads(op, s) &&
                op->arg[s][0].file + op->arg[s][1].file + op->arg[s][2].file + op->arg[s][3].file) {
                texenv_printf(text, "%s", s ? ", " : " ");
                print_channels(text, m, op->arg[s], hwemit_machine_reads(op, s));
            }
        if (m->converted)
            print_presubs(text, m, m->presub[i]);
        texenv_printf(text, op->joined ? " + the next\n" : "\n");
    }
}

/* ---- rules ---- */

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
    if (!m->numbered || !(hwemit_machine_from_slots(m, op, s) >> c & 1))
        return true;
    if (m->target->numbers)
        return m->number[number].place < 4u * m->nslots;
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
            return "a number has no place in the constant file";
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
