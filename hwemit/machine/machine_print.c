/* Prints operations as text, for examining the steps of a back end. */
#include "hwemit/machine/machine.h"

static const char channels_xyzw[] = "xyzw";

static void print_channel(struct texenv_text *text, const struct machine *m, struct machine_src x)
{
    static const float literals[] = {[FRAGPROG_ZERO] = 0, [FRAGPROG_ONE] = 1, [FRAGPROG_HALF] = 0.5f};
    const struct machine_value *v = &m->value[x.index];
    const char *bar = x.abs ? "|" : "";
    const float *own = x.file == MACHINE_LITERAL ? &literals[x.index] : hwemit_machine_value(m, x);
    unsigned number = x.index, lane = x.lane;
    const char *file = x.file == MACHINE_SLOT ? "s" : x.file == MACHINE_PRESUB ? "p" : "v";
    texenv_printf(text, "%s%s", x.neg ? "-" : "", bar);
    if (x.file == MACHINE_VALUE && m->allocated) {
        file = !hwemit_machine_in_file(m, x.index) ? "r" : v->kind == MACHINE_INPUT ? "t" : "o";
        number = v->reg, lane = v->lane[x.lane] & 3;
    } else if (x.file == MACHINE_NUMBER || x.file == MACHINE_VARYING) {
        file = x.file == MACHINE_NUMBER ? "c" : "in";
        number = x.index % MACHINE_NUMBERS / 4, lane = x.index % 4;
    }
    if (own)
        texenv_printf(text, "%f", (double)*own);
    else if (x.file == MACHINE_NUMBER && x.index < MACHINE_NUMBERS)
        fragprog_print_lane(text, m->number[x.index].origin, m->number[x.index].component);
    else
        texenv_printf(text, "%s%u.%c", file, number, channels_xyzw[lane]);
    texenv_printf(text, "%s", bar);
}

/* Prints the channels of an operand, or only one if all are the same. */
static void print_channels(struct texenv_text *text, const struct machine *m, const struct machine_src x[4],
                           unsigned mask)
{
    const unsigned first = hwemit_machine_lowest(mask);
    bool same = true;
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
        if (!op->mask && !looks_up)
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
