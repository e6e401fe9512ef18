/* Turns the operations that hwemit/machine has selected into operations of the paired unit. Also the
 * functions by which later steps append operations. */
#include "hwemit/r300/us.h"

#include <string.h>

/* ---- values and operations ---- */

bool hwemit_us_refuse_long(struct us_program *a)
{
    a->m->failed = true;
    return hwemit_refuse(a->m->why, -1, "alu", "a shorter program",
                         "the program needs more ALU instructions than the chip has (%u)",
                         (unsigned)a->p.chip->alu);
}

/* Describes a value. writer: the operation that writes it; NONE: an input. */
static void describe(struct us_program *a, unsigned value, unsigned lanes, bool number, bool fixed,
                     unsigned writer)
{
    struct us_value *v = &a->value[value];
    *v = (struct us_value){.number = number,
                           .fixed = fixed,
                           .lane = US_ANY_LANE,
                           .lanes = (uint8_t)(number ? 0 : lanes),
                           .parent = (uint16_t)value};
    for (unsigned c = 0; c < 4; c++)
        v->writer[c] = lanes >> c & 1 ? (uint16_t)writer : NONE;
    a->m->value[value].components = (uint8_t)lanes;
}

struct machine_op *hwemit_us_append(struct us_program *a, const struct machine_op *op)
{
    struct machine *m = a->m;
    if (m->nops == m->maxops || m->failed) {
        hwemit_us_refuse_long(a);
        return NULL;
    }
    memset(m->presub[m->nops], 0, sizeof *m->presub);
    m->op[m->nops] = *op;
    return &m->op[m->nops++];
}

struct machine_src hwemit_us_emit(struct us_program *a, const struct machine_op *op)
{
    struct machine_src result = {.file = MACHINE_VALUE};
    struct machine_op *to = hwemit_us_append(a, op);
    if (to) {
        result.index = to->value = hwemit_machine_new_value(a->m, MACHINE_RESULT, op->mask);
        describe(a, to->value, op->mask, op->kind != US_VECTOR, false, a->m->nops - 1u);
    }
    return result;
}

struct machine_op hwemit_us_copy(const struct machine_src x[4], unsigned channels, unsigned order)
{
    const bool one = !(channels & (channels - 1));
    struct machine_op op = {.op = MACHINE_MAD,
                            .kind = one ? US_SCALAR : US_VECTOR,
                            .mask = (uint8_t)(one ? 1 : channels),
                            .order = (uint16_t)order};
    for (unsigned c = 0; c < 4; c++) {
        op.arg[0][c] = x[one ? hwemit_machine_lowest(channels) : c];
        op.arg[1][c] = hwemit_us_literal(FRAGPROG_ONE);
        op.arg[2][c] = hwemit_us_literal(FRAGPROG_ZERO);
    }
    return op;
}

void hwemit_us_copy_operand(struct us_program *a, struct machine_op *op, unsigned s)
{
    for (unsigned half = 0; half < 2; half++) {
        const unsigned channels = hwemit_machine_reads(op, s) &
            (half == RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W);
        if (!channels)
            continue;
        const struct machine_op copy = hwemit_us_copy(op->arg[s], channels, op->order - 1u);
        const struct machine_src made = hwemit_us_emit(a, &copy);
        for (unsigned c = 0; c < 4; c++)
            if (channels >> c & 1) {
                op->arg[s][c] = made;
                op->arg[s][c].lane = copy.kind == US_VECTOR ? c & 3 : 0;
            }
    }
}

struct machine_src hwemit_us_literal(unsigned lane)
{
    return (struct machine_src){.file = MACHINE_LITERAL, .index = (uint16_t)lane};
}

/* ---- operands ---- */

static struct machine_src channel(struct us_program *a, struct machine_src x)
{
    const float *own = hwemit_machine_value(a->m, x);
    uint16_t *place = own ? &a->m->number[x.index].place : NULL;
    if (own && hwemit_machine_needs_no_constant(*own)) {
        const bool neg = x.neg != (*own < 0);
        x = hwemit_us_literal(*own == 0 ? FRAGPROG_ZERO : *own * *own == 1 ? FRAGPROG_ONE : FRAGPROG_HALF);
        x.neg = neg;
    } else if (own && *place == MACHINE_NONE) {
        if (a->nnumbers == US_NUMBERS && !hwemit_us_refuse_long(a))
            return x;
        *place = a->nnumbers++;
    } else if (x.file == MACHINE_VALUE && a->value[x.index].number)
        x.lane = 0;
    return x;
}

/* ---- operations ---- */

/* Makes A*B + C of sums, products and moves, and C >= 0 ? A : B of comparisons. Operands without an argument
 * (machine_row.from) are 1 in the product and 0 in the sum. */
static void arithmetic(struct us_program *a, struct machine_op *to, const struct machine_op *op)
{
    const struct machine_row *row = &a->m->target->row[op->op];
    const enum machine_kind kind = hwemit_machine_kind(op->op);
    *to = *op;
    to->op = op->op == MACHINE_CGE                        ? MACHINE_CHOOSE
        : kind == MACHINE_CHANNELS && row->code == OP_MAD ? MACHINE_MAD
                                                          : op->op;
    to->kind = kind == MACHINE_FUNCTION ? US_FUNCTION
        : op->op == MACHINE_DP3         ? US_DOT3
        : op->op == MACHINE_DP4         ? US_DOT4
        : !(op->mask & (op->mask - 1))  ? US_SCALAR
                                        : US_VECTOR;
    to->mask = to->kind == US_VECTOR ? op->mask : 1;
    to->out[RGB] = to->out[ALPHA] = to->target = to->depth = 0;
    memset(to->arg, 0, sizeof to->arg);
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned arg = row->from[s] - 1u, k = to->kind == US_SCALAR ? 0 : c;
            if (!row->from[s])
                to->arg[s][k] = hwemit_us_literal(s == 1 ? FRAGPROG_ONE : FRAGPROG_ZERO);
            else if (hwemit_machine_reads(op, arg) >> c & 1)
                to->arg[s][k] = channel(a, op->arg[arg][c]);
        }
    describe(a, op->value, to->mask, to->kind != US_VECTOR, false, (unsigned)(to - a->m->next));
}

/* Copies a lookup or an output, which reads its first operand only. */
static void copy(struct us_program *a, struct machine_op *to, const struct machine_op *op, unsigned channels)
{
    *to = *op;
    memset(to->arg, 0, sizeof to->arg); /* a bias is in channel w, too */
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1)
            to->arg[0][c] = channel(a, op->arg[0][c]);
}

const struct hwemit_texture *hwemit_us_texture(const struct us_program *a, const struct machine_op *op)
{
    for (unsigned n = 0; n < a->m->ntextures && op->op != MACHINE_KILL; n++)
        if (a->m->texture[n].slot == op->texture)
            return &a->m->texture[n];
    return NULL;
}

static bool lookup(struct us_program *a, struct machine_op *to, const struct machine_op *op)
{
    const struct hwemit_texture *texture = hwemit_us_texture(a, op);
    const unsigned n = (unsigned)(to - a->m->next);
    if (n == a->p.chip->tex)
        return hwemit_refuse(a->m->why, -1, "textures", "fewer lookups",
                             "the program needs more than %u texture instructions", n);
    /* for texture environments, the driver scales the coordinates of rectangle textures */
    if (texture && texture->target == TEXENV_RECT && a->p.chip->generation != R500 && a->m->ir->unbounded)
        return hwemit_refuse(a->m->why, -1, "target", "a 2D texture",
                             "texture %u: the chip has no coordinates in texels, and their size is not part "
                             "of the program",
                             (unsigned)op->texture);
    copy(a, to, op, op->terms);
    if (texture)
        describe(a, op->value, FRAGPROG_MASK_XYZW, false, true, n);
    return true;
}

static bool output(struct us_program *a, const struct machine_op *op)
{
    const unsigned number = a->m->value[op->value].reg;
    if (number >= US_TARGETS && number != MACHINE_DEPTH)
        return hwemit_refuse(a->m->why, -1, "outputs", "fewer colour outputs",
                             "the chip has %d colour outputs", US_TARGETS);
    copy(a, &a->output[number == MACHINE_DEPTH ? US_TARGETS : number], op, op->mask);
    return true;
}

/* Inputs arrive in temporaries 0, 1, ...: colours, coordinates, fog, position (notes/facts/r300.md 1). At
 * least one input must be interpolated, even if the program reads none. */
static bool inputs(struct us_program *a)
{
    struct machine *m = a->m;
    const unsigned most = a->p.chip->generation == R500 ? 16 : 8;
    unsigned interpolated = 0;
    if (!m->ninputs)
        m->input[m->ninputs++] = (struct machine_input){
            HWEMIT_COLOR, 0, hwemit_machine_new_value(m, MACHINE_INPUT, FRAGPROG_MASK_XYZW)};
    for (unsigned i = 0; i < m->ninputs; i++) {
        describe(a, m->input[i].value, FRAGPROG_MASK_XYZW, false, true, NONE);
        m->value[m->input[i].value].reg = (uint16_t)i;
        interpolated += m->input[i].what != HWEMIT_COLOR;
    }
    return interpolated <= most ||
        hwemit_refuse(m->why, -1, "inputs", "fewer coordinate sets",
                      "the program reads %u coordinates, the chip interpolates %u", interpolated, most);
}

bool hwemit_us_convert(struct us_program *a)
{
    struct machine *m = a->m;
    unsigned lookups = 0, others = 0;
    bool fits = inputs(a);
    hwemit_machine_drop_unread(m);
    for (unsigned i = 0; i < m->nops; i++)
        a->nlookups += hwemit_machine_looks_up(&m->op[i]);
    for (unsigned i = 0; i < m->nops && fits && !m->failed; i++) {
        const struct machine_op *op = &m->op[i];
        const bool looks_up = hwemit_machine_looks_up(op);
        struct machine_op *to = &m->next[looks_up ? lookups : a->nlookups + others];
        if (!looks_up && m->value[op->value].kind == MACHINE_OUTPUT) {
            fits = output(a, op);
            continue;
        }
        if (looks_up)
            fits = lookup(a, to, op);
        else
            arithmetic(a, to, op);
        to->order = (uint16_t)(US_STEP * (i + 1));
        lookups += looks_up;
        others += !looks_up;
    }
    m->nops = (uint16_t)(lookups + others);
    m->converted = true;
    memcpy(m->op, m->next, m->nops * sizeof *m->op);
    memset(m->presub, 0, m->nops * sizeof *m->presub);
    return fits && !m->failed;
}
