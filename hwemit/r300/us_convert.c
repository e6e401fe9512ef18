/* Instruction selection: hwemit/machine selects operations, which are then converted to those of the paired
 * unit. */
#include "hwemit/r300/us.h"

/* ---- the operations of the unit: codes, and which argument each operand A, B, C gets (notes/facts/r300.md
 * 2.1). Operands without an argument are 1 in the product and 0 in the sum A*B + C. ---- */

const struct hwemit_step hwemit_us_steps[] = {{"select", hwemit_machine_select},
                                              {"combine", hwemit_machine_combine},
                                              {"factor", hwemit_machine_factor},
                                              {NULL, NULL}};

/* r300 and r400 have neither SIN nor COS (MACHINE_POLYNOMIAL). */
static const struct machine_target target = {
    .row =
        {[MACHINE_MOV] = {1, true, OP_MAD, 0, {1}},        [MACHINE_ADD] = {1, false, OP_MAD, 0, {1, 0, 2}},
         [MACHINE_MUL] = {1, false, OP_MAD, 0, {1, 2}},    [MACHINE_MAD] = {1, false, OP_MAD, 0, {1, 2, 3}},
         [MACHINE_MIN] = {1, false, OP_MIN, 0, {1, 2}},    [MACHINE_MAX] = {1, false, OP_MAX, 0, {1, 2}},
         [MACHINE_CGE] = {1, false, OP_CMP, 0, {2, 3, 1}}, [MACHINE_FRC] = {1, false, OP_FRC, 0, {1}},
         [MACHINE_DP3] = {1, false, OP_DP3, 0, {1, 2}},    [MACHINE_DP4] = {1, false, OP_DP4, 0, {1, 2}},
         [MACHINE_EX2] = {1, false, US_EX2, 0, {1}},       [MACHINE_LG2] = {1, false, US_LG2, 0, {1}},
         [MACHINE_RCP] = {1, false, US_RCP, 0, {1}},       [MACHINE_RSQ] = {1, false, US_RSQ, 0, {1}},
         [MACHINE_SIN] = {1, false, US_SIN, 0, {1}},       [MACHINE_COS] = {1, false, US_COS, 0, {1}},
         [MACHINE_TEX] = {1, false, TEX_LD, 0, {1}},       [MACHINE_TXB] = {1, false, TEX_TXB, 0, {1}},
         [MACHINE_TXP] = {1, false, TEX_TXP, 0, {1}},      [MACHINE_KILL] = {1, false, TEX_KIL, 0, {1}}},
    .rectangles = true,
    .outputs = true,
    .bias_in_w = true,
    .halves = true,
    .ops = US_OPS,
    .small = US_SMALL_OPS,
    .steps = hwemit_us_steps,
};

/* ---- values and operations ---- */

bool hwemit_us_refuse_long(struct us_program *a)
{
    a->failed = true;
    return hwemit_refuse(a->why, -1, "alu", "a shorter program",
                         "the program needs more ALU instructions than the chip has (%u)",
                         (unsigned)a->p.chip->alu);
}

static uint16_t new_value(struct us_program *a, unsigned source, unsigned components, unsigned from)
{
    if (a->nvalues == a->maxvalues) {
        hwemit_us_refuse_long(a);
        return 0;
    }
    const bool fixed = source != US_RESULT;
    a->value[a->nvalues] = (struct us_value){.source = (uint8_t)source,
                                             .components = (uint8_t)components,
                                             .from = (uint16_t)from,
                                             .unit = a->nvalues,
                                             .lane = 0xff,
                                             .writer = {NONE, NONE, NONE, NONE}};
    a->unit[a->nvalues] = (struct us_unit){
        .parent = a->nvalues, .lanes = fixed ? FRAGPROG_MASK_XYZW : 0, .fixed = fixed};
    return a->nvalues++;
}

struct us_op *hwemit_us_emit(struct us_program *a, const struct us_op *op)
{
    if (a->nops == a->maxops || a->failed) {
        hwemit_us_refuse_long(a);
        return NULL;
    }
    struct us_op *to = &a->op[a->nops];
    const bool number = op->kind != US_VECTOR;
    *to = *op;
    to->value = new_value(a, US_RESULT, number ? 1 : op->mask, 0);
    struct us_value *v = &a->value[to->value];
    v->number = number;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1)
            v->writer[c] = a->nops;
    a->unit[to->value].lanes = number ? 0 : op->mask;
    a->nops++;
    return to;
}

struct us_op hwemit_us_copy(const struct us_chan x[4], unsigned order)
{
    struct us_op op = {.kind = US_SCALAR, .code = OP_MAD, .mask = 1, .order = (uint16_t)order};
    for (unsigned c = 0; c < 4; c++) {
        op.arg[0][c] = x[c];
        op.arg[1][c] = hwemit_us_literal(FRAGPROG_ONE);
        op.arg[2][c] = hwemit_us_literal(FRAGPROG_ZERO);
    }
    return op;
}

struct us_chan hwemit_us_literal(unsigned lane)
{
    return (struct us_chan){.file = US_LITERAL, .lane = (uint8_t)lane};
}

void hwemit_us_number(struct us_program *a, const struct us_op *op, struct us_chan *result)
{
    const struct us_op *made = hwemit_us_emit(a, op);
    *result = (struct us_chan){.file = US_VALUE, .index = made ? made->value : 0};
}

/* ---- operands ---- */

/* Returns the index of an added literal. Such literals are numbered after the constants of the program. */
static uint16_t own_number(struct us_program *a, float value)
{
    unsigned n = 0;
    while (n < a->nnumbers && a->number[n] != value)
        n++;
    if (n == US_NUMBERS) {
        hwemit_us_refuse_long(a);
        return 0;
    }
    a->number[n] = value;
    a->nnumbers += n == a->nnumbers;
    return (uint16_t)(a->ir->nkonst + n);
}

static struct us_chan channel(struct us_program *a, const struct machine *m, struct machine_src x)
{
    const float *own = hwemit_machine_value(m, x), magnitude = own && *own < 0 ? -*own : own ? *own : 0;
    struct us_chan c = {.neg = x.neg, .abs = x.abs};
    if (x.file == MACHINE_VALUE) {
        c.file = US_VALUE;
        c.index = m->value[x.index].reg;
        c.lane = a->value[c.index].number ? 0 : x.lane;
    } else if (own && (magnitude == 0 || magnitude == 0.5f || magnitude == 1)) {
        c = hwemit_us_literal(magnitude == 0 ? FRAGPROG_ZERO : magnitude == 1 ? FRAGPROG_ONE : FRAGPROG_HALF);
        c.neg = x.neg != (*own < 0);
    } else if (x.file == MACHINE_NUMBER) {
        c.file = US_CONST;
        c.index = own ? own_number(a, *own) : (uint16_t)((x.index - MACHINE_NUMBERS) / 4);
        c.lane = own ? 0 : x.index % 4;
    }
    return c;
}

/* ---- operations ---- */

static void arithmetic(struct us_program *a, struct machine *m, const struct machine_op *op)
{
    const struct machine_row *row = &m->target->row[op->op];
    const enum machine_kind kind = hwemit_machine_kind(op->op);
    const bool one = !(op->mask & (op->mask - 1));
    struct us_op to = {.kind = kind == MACHINE_FUNCTION ? US_FUNCTION
                           : op->op == MACHINE_DP3      ? US_DOT3
                           : op->op == MACHINE_DP4      ? US_DOT4
                           : one                        ? US_SCALAR
                                                        : US_VECTOR,
                       .code = row->code,
                       .mask = op->mask,
                       .clamp = op->sat,
                       .scale = op->scale,
                       .order = a->nops};
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0, k; c < 4; c++) {
            const unsigned arg = row->from[s] - 1u;
            k = to.kind == US_SCALAR ? 0 : c;
            if (!row->from[s])
                to.arg[s][k] = hwemit_us_literal(s == 1 ? FRAGPROG_ONE : FRAGPROG_ZERO);
            else if (hwemit_machine_reads(op, arg) >> c & 1)
                to.arg[s][k] = channel(a, m, op->arg[arg][c]);
        }
    const struct us_op *made = hwemit_us_emit(a, &to);
    m->value[op->value].reg = made ? made->value : 0;
}

static void lookup(struct us_program *a, struct machine *m, const struct machine_op *op)
{
    const struct chip *chip = a->p.chip;
    struct us_lookup l = {.op = m->target->row[op->op].code,
                          .texture = op->texture,
                          .needs = op->terms,
                          .value = NONE,
                          .order = a->nops};
    if (a->nlookups == chip->tex || a->nlookups == a->maxlookups) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "textures", "fewer lookups",
                      "the program needs more than %u texture instructions", (unsigned)chip->tex);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (op->terms >> c & 1)
            l.coord[c] = channel(a, m, op->arg[0][c]);
    for (unsigned n = 0; n < m->ntextures && l.op != TEX_KIL; n++)
        if (m->texture[n].slot == op->texture) {
            l.target = m->texture[n].target;
            l.set = m->texture[n].coord;
        }
    if (l.op != TEX_KIL)
        l.value = m->value[op->value].reg = new_value(a, US_TEXEL, FRAGPROG_MASK_XYZW, a->nlookups);
    /* of texture environments, the driver scales the coordinates */
    if (l.target == TEXENV_RECT && chip->generation != R500 && a->ir->unbounded) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "target", "a 2D texture",
                      "texture %u: the chip has no coordinates in texels, and their size is not part of the "
                      "program",
                      (unsigned)op->texture);
    }
    a->lookup[a->nlookups++] = l;
}

static void output(struct us_program *a, const struct machine *m, const struct machine_op *op)
{
    const unsigned number = m->value[op->value].reg;
    if (number >= US_TARGETS && number != MACHINE_DEPTH) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "outputs", "fewer colour outputs", "the chip has %d colour outputs",
                      US_TARGETS);
        return;
    }
    struct us_output *o = &a->output[number == MACHINE_DEPTH ? US_TARGETS : number];
    o->mask = op->mask;
    for (unsigned c = 0; c < 4; c++)
        if (op->mask >> c & 1)
            o->chan[c] = channel(a, m, op->arg[0][c]);
}

/* Inputs arrive in temporaries 0, 1, ...: colours, coordinates, fog, position (notes/facts/r300.md 1). At
 * least one input must be interpolated, even if the program reads none. */
static void inputs(struct us_program *a, struct machine *m)
{
    const unsigned most = a->p.chip->generation == R500 ? 16 : 8;
    unsigned interpolated = 0;
    for (unsigned i = 0; i < m->ninputs; i++) {
        m->value[m->input[i].value].reg = new_value(a, US_INPUT, FRAGPROG_MASK_XYZW, i);
        a->input[i] = (struct us_input){m->input[i].what, m->input[i].index, m->value[m->input[i].value].reg};
        interpolated += m->input[i].what != HWEMIT_COLOR;
    }
    a->ninputs = m->ninputs;
    if (!a->ninputs)
        a->input[a->ninputs++] = (struct us_input){HWEMIT_COLOR, 0,
                                                   new_value(a, US_INPUT, FRAGPROG_MASK_XYZW, 0)};
    if (interpolated > most) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "inputs", "fewer coordinate sets",
                      "the program reads %u coordinates, the chip interpolates %u", interpolated, most);
    }
}

bool hwemit_us_select(struct us_program *a, const struct fragprog_hooks *hooks)
{
    char *at = a->room;
    struct machine *m = hwemit_machine_take(&at, 1, sizeof *m);
    hwemit_machine_set_up(m, at, &target, a->ir);
    m->why = a->why;
    m->expanded = a->expanded;
    m->samplers = HWEMIT_TEXTURES;
    m->angle = a->p.chip->generation == R500 ? MACHINE_TURN : MACHINE_POLYNOMIAL;
    if (!hwemit_machine_run(m, hooks))
        return false;
    hwemit_machine_drop_unread(m);
    inputs(a, m);
    for (unsigned i = 0; i < m->nops && !a->failed; i++) {
        const struct machine_op *op = &m->op[i];
        if (hwemit_machine_looks_up(op))
            lookup(a, m, op);
        else if (m->value[op->value].kind == MACHINE_OUTPUT)
            output(a, m, op);
        else
            arithmetic(a, m, op);
    }
    return !a->failed;
}
