/* Instruction selection: converts the intermediate program to operations of the chip. Copies and `vec` need
 * no operations, since they are propagated into each channel of the operands that read them. */
#include "hwemit/machine/machine.h"

#include <string.h>

/* ---- operands ---- */

/* Returns the number of an input, which is added if the program has not read it before. */
static unsigned input(struct machine *m, unsigned what, unsigned index)
{
    unsigned n = 0;
    while (n < m->ninputs && (m->input[n].what != what || m->input[n].index != index))
        n++;
    if (n < m->ninputs)
        return n;
    if (n == HWEMIT_INPUTS) {
        MACHINE_REFUSE(m, -1, "inputs", "fewer inputs", "the program reads more than %d inputs",
                       HWEMIT_INPUTS);
        return 0;
    }
    m->input[m->ninputs++] = (struct machine_input){(uint8_t)what, (uint8_t)index, MACHINE_NONE};
    return n;
}

static struct machine_src read_input(struct machine *m, const struct fragprog_src *src, unsigned lane)
{
    static const uint8_t what[] = {
        [FRAGPROG_PRIMARY] = HWEMIT_COLOR,     [FRAGPROG_SECONDARY] = HWEMIT_COLOR,
        [FRAGPROG_COORD] = HWEMIT_COORD,       [FRAGPROG_FOGCOORD] = HWEMIT_FOGCOORD,
        [FRAGPROG_POSITION] = HWEMIT_POSITION, [FRAGPROG_ATTRIB] = HWEMIT_ATTRIB};
    const bool many = src->file == FRAGPROG_COORD || src->file == FRAGPROG_ATTRIB;
    const unsigned index = many ? src->index : src->file == FRAGPROG_SECONDARY;
    if (src->file == FRAGPROG_SECONDARY && lane == FRAGPROG_W && m->target->no_secondary_alpha)
        MACHINE_REFUSE(m, -1, "inputs", "no alpha of the secondary colour",
                       "the alpha of the secondary colour: the chip has something else in its place");
    if (what[src->file] == HWEMIT_POSITION && m->target->position)
        return m->target->position(m, lane);
    const unsigned n = input(m, what[src->file], index);
    if (m->target->varying)
        return m->target->varying(m, n, lane);
    if (m->input[n].value == MACHINE_NONE) {
        m->input[n].value = hwemit_machine_new_value(m, MACHINE_INPUT, FRAGPROG_MASK_XYZW);
        m->value[m->input[n].value].unit = what[src->file] == HWEMIT_COLOR ? FRAGPROG_MASK_XYZW : 0;
    }
    return (struct machine_src){.file = MACHINE_VALUE,
                                .lane = (what[src->file] == HWEMIT_FOGCOORD ? m->target->fog_lane : lane) & 3,
                                .index = m->input[n].value};
}

struct machine_src hwemit_machine_read(struct machine *m, const struct fragprog_src *src, unsigned channel)
{
    static const float literal[] = {[FRAGPROG_ZERO] = 0, [FRAGPROG_ONE] = 1, [FRAGPROG_HALF] = 0.5f};
    const uint8_t lane = src->lane[channel];
    struct machine_src x;
    if (lane > FRAGPROG_W || src->file == FRAGPROG_LITERAL)
        x = hwemit_machine_immediate(m, literal[lane]);
    else if (src->file == FRAGPROG_VALUE)
        x = m->result[src->index].chan[lane];
    else if (src->file == FRAGPROG_CONST && m->target->halves)
        x = (struct machine_src){.file = MACHINE_NUMBER,
                                 .index = (uint16_t)(MACHINE_NUMBERS + 4 * src->index + lane)};
    else if (src->file == FRAGPROG_CONST) {
        const struct fragprog_const *k = &m->ir->konst[src->index];
        const struct machine_number n = {
            .origin = k->origin[lane].unit, .component = k->origin[lane].component, .value = k->value[lane]};
        x = n.origin == FRAGPROG_ORIGIN_IMMEDIATE ? hwemit_machine_immediate(m, n.value)
                                                  : hwemit_machine_outside(m, &n);
    } else
        x = read_input(m, src, lane);
    return src->negate >> channel & 1 ? hwemit_machine_negated(m, x) : x;
}

/* ---- lookups ---- */

static bool can_look_up(struct machine *m, const struct fragprog_inst *inst)
{
    if (inst->shadow && !m->target->shadow)
        return MACHINE_REFUSE(m, inst->unit, "shadow", "a lookup without comparison",
                              "texture %u: no comparison in lookups is known of the chip",
                              (unsigned)inst->texture);
    if (inst->target == TEXENV_RECT && !m->target->rectangles)
        return MACHINE_REFUSE(m, inst->unit, "target", "a 2D texture",
                              "texture %u: no coordinates in texels are known of the chip, and the texture's "
                              "size is not part of the program",
                              (unsigned)inst->texture);
    return inst->texture < m->samplers ||
        MACHINE_REFUSE(m, inst->unit, "textures", "fewer textures",
                       "texture %u: there are %u samplers for fragments", (unsigned)inst->texture,
                       (unsigned)m->samplers);
}

static void bind(struct machine *m, const struct fragprog_inst *inst)
{
    const uint8_t coord = inst->src[0].file == FRAGPROG_COORD ? (uint8_t)inst->src[0].index : inst->texture;
    for (unsigned n = 0; n < m->ntextures; n++)
        if (m->texture[n].slot == inst->texture)
            return;
    m->texture[m->ntextures++] = (struct hwemit_texture){inst->texture, inst->texture, coord, inst->target};
}

/* Sets the coordinates of a lookup. On some chips a 1D lookup is done as a 2D lookup in a texture of
 * height 1. */
static void coordinates(struct machine *m, const struct fragprog_inst *inst, struct machine_src arg[4],
                        struct machine_op *op)
{
    static const uint8_t count[TEXENV_TARGETS] = {
        [TEXENV_1D] = 1, [TEXENV_2D] = 3, [TEXENV_RECT] = 3, [TEXENV_3D] = 7, [TEXENV_CUBE] = 7};
    struct machine_src by[4] = {{0}}, *const x = op->arg[0];
    op->terms = inst->shadow ? count[inst->target] | FRAGPROG_MASK_Z : count[inst->target];
    memcpy(x, arg, 4 * sizeof *x);
    const bool divided = inst->op == FRAGPROG_TEX && !inst->undivided && inst->target != TEXENV_CUBE &&
        !hwemit_machine_is(m, arg[3], 1);
    if (divided && m->target->row[MACHINE_TXP].form) {
        op->op = MACHINE_TXP;
        op->terms |= FRAGPROG_MASK_W;
    } else if (divided) {
        by[0] = hwemit_machine_do(m, MACHINE_RCP, arg[3], by[1], by[1], false);
        by[1] = by[2] = by[3] = by[0];
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_MUL, arg, by, NULL), op->terms, x);
    }
    if (inst->target == TEXENV_1D && m->target->lines_are_2d) {
        op->terms |= FRAGPROG_MASK_Y;
        x[1] = hwemit_machine_immediate(m, 0.5f);
    }
    if (inst->target == TEXENV_1D && m->target->whole_lookups) { /* a texture of height 1, so any y will do */
        op->terms |= FRAGPROG_MASK_Y;
        x[1] = x[0];
        if (x[0].file == MACHINE_VALUE && x[0].lane == 0 && m->value[x[0].index].kind == MACHINE_INPUT)
            x[1].lane = 1; /* so that the lookup can read the input's register */
    }
    if (inst->op == FRAGPROG_TXB) {
        op->arg[1][0] = arg[3];
        op->terms |= m->target->bias_in_w ? FRAGPROG_MASK_W : 0;
    }
}

static bool lookup(struct machine *m, const struct fragprog_inst *inst, struct machine_src arg[4],
                   struct machine_src result[4])
{
    struct machine_op op = {.op = inst->op == FRAGPROG_TXB ? MACHINE_TXB : MACHINE_TEX,
                            .cond = inst->shadow,
                            .texture = inst->texture,
                            .mask = FRAGPROG_MASK_XYZW,
                            .texel = {0, 1, 2, 3}};
    const bool numbers = m->target->numbers;
    if (!can_look_up(m, inst))
        return false;
    bind(m, inst);
    coordinates(m, inst, arg, &op);
    for (unsigned c = 0; c < (numbers ? 4 : 1); c++) {
        const uint16_t v = hwemit_machine_new_value(m, MACHINE_RESULT, numbers ? 1 : FRAGPROG_MASK_XYZW);
        op.value = c ? op.value : v;
        m->value[v].unit = m->ir->unbounded ? 0 : FRAGPROG_MASK_XYZW;
        m->value[v].own = m->target->whole_lookups;
    }
    for (unsigned c = 0; c < 4; c++)
        result[c] = hwemit_machine_component(m, &op, c);
    return hwemit_machine_append(m, &op);
}

/* Tests each different number by a separate operation, or, where kills read registers, all channels by one;
 * channels that need no test read 0 then. A test of their minimum would not do, since it is not known what
 * the chip's minimum returns for NaN. */
static void kill(struct machine *m, const struct fragprog_inst *inst, const struct machine_src arg[4])
{
    struct machine_op all = {.op = MACHINE_KILL, .terms = FRAGPROG_MASK_XYZW, .value = MACHINE_NONE};
    struct machine_src number[4];
    const bool tests = m->target->row[MACHINE_TEST].form;
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++) {
        const float *own = inst->mask >> c & 1 ? hwemit_machine_value(m, arg[c]) : NULL;
        bool tested = inst->mask >> c & 1 && !(own && *own >= 0);
        all.arg[0][c] = tested ? arg[c] : hwemit_machine_immediate(m, 0);
        for (unsigned k = 0; k < n; k++)
            tested = tested && !hwemit_machine_same(number[k], arg[c]);
        if (tested)
            number[n++] = arg[c];
    }
    if (n && (m->target->whole_lookups || m->target->halves)) {
        hwemit_machine_append(m, &all);
        return;
    }
    for (unsigned k = 0; k < (tests ? 2 * n : n); k++) { /* first all tests */
        struct machine_op op = {.op = tests && k < n ? MACHINE_TEST : MACHINE_KILL, .value = MACHINE_NONE};
        op.texture = (uint8_t)(k % n);
        if (k < n)
            op.arg[0][0] = number[k];
        hwemit_machine_append(m, &op);
    }
}

/* ---- vertex programs ---- */

static void load(struct machine *m, const struct fragprog_inst *inst, const struct machine_src arg[4],
                 struct machine_src result[4])
{
    struct machine_op op = {
        .op = MACHINE_LOAD, .cond = inst->target, .texture = inst->texture, .mask = FRAGPROG_MASK_XYZW};
    op.arg[0][0] = arg[hwemit_machine_lowest(fragprog_lanes_read(inst, 0))];
    op.value = hwemit_machine_new_value(m, MACHINE_ELEMENT, FRAGPROG_MASK_XYZW);
    hwemit_machine_append(m, &op);
    for (unsigned c = 0; c < 4; c++)
        result[c] = hwemit_machine_component(m, &op, c);
}

/* Computes the position as fixed function does: the rows of the modelview-projection matrix times the vertex.
 */
static void fixed_position(struct machine *m)
{
    static const char row[] = "state.matrix.mvp.row[0]";
    const struct fragprog_src vertex = {.file = FRAGPROG_ATTRIB, .index = FRAGPROG_ATTRIB_POSITION};
    struct machine_number number = {0};
    fragprog_read_origin(&number.origin, row, sizeof row - 1);
    for (unsigned r = 0; r < 4; r++, number.origin++) {
        struct machine_op dot = {.op = MACHINE_DP4, .terms = FRAGPROG_MASK_XYZW};
        for (unsigned c = 0; c < 4; c++) {
            number.component = (uint8_t)c;
            dot.arg[0][c] = hwemit_machine_outside(m, &number);
            dot.arg[1][c] = read_input(m, &vertex, c);
        }
        m->output[0].chan[r] = hwemit_machine_number(m, &dot);
    }
}

/* ---- instructions ---- */

/* Returns the operation that computes x if it belongs to the current instruction (whose operations begin at
 * `first`), none of them reads x, and the chip can clamp its result; else NULL. */
static struct machine_op *last_of(const struct machine *m, unsigned first, struct machine_src x)
{
    unsigned i = m->nops;
    if (x.file != MACHINE_VALUE || x.neg || x.abs)
        return NULL;
    for (; i > first && m->op[i - 1].value != x.index; i--)
        for (unsigned r = m->op[i - 1].reads; r; r &= r - 1)
            if (hwemit_machine_at(&m->op[i - 1], r).index == x.index)
                return NULL;
    struct machine_op *op = i > first ? &m->op[i - 1] : NULL;
    const bool can = op && !op->scale && hwemit_machine_kind(op->op) < MACHINE_LOOKUP &&
        (m->target->halves || m->target->row[op->op].sat);
    return can ? op : NULL;
}

/* Makes the operations that compute the results of an instruction scale and clamp them; on chips with halves,
 * whose later steps join fewer operations that clamp, without clamps that change nothing. Returns the
 * channels for which that is not possible. */
static unsigned modify(struct machine *m, unsigned mask, unsigned first, int scale, bool sat,
                       struct machine_src result[4])
{
    struct machine_op *op[4] = {NULL};
    unsigned left = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1 && (scale || !m->target->halves || !hwemit_machine_is_unit(m, result[c]))) {
            op[c] = last_of(m, first, result[c]);
            left |= op[c] ? 0 : 1u << c;
        }
    for (unsigned c = 0; c < 4; c++)
        if (op[c]) {
            op[c]->scale = (int8_t)scale;
            op[c]->sat = sat;
            m->value[op[c]->value].unit = sat ? FRAGPROG_MASK_XYZW : 0;
            const struct machine_op *earlier = hwemit_machine_earlier(m, op[c]);
            if (earlier)
                result[c] = hwemit_machine_component(m, earlier, 0);
        }
    return left;
}

/* Applies the same operation with a number to the results of an instruction. */
static void with_number(struct machine *m, unsigned op, unsigned mask, float k, struct machine_src result[4])
{
    struct machine_src number[4];
    for (unsigned c = 0; c < 4; c++)
        number[c] = hwemit_machine_immediate(m, k);
    hwemit_machine_channels(m, hwemit_machine_make(op, result, number, NULL), mask, result);
}

/* Scales and clamps the results of an instruction, whose operations begin at `first`. */
static void finish(struct machine *m, const struct fragprog_inst *inst, unsigned first,
                   struct machine_src result[4])
{
    const bool sat = inst->clamp == FRAGPROG_SAT;
    int scale = inst->scale;
    if (scale && !m->target->halves) {
        if (scale == 1)
            hwemit_machine_channels(m, hwemit_machine_make(MACHINE_ADD, result, result, NULL), inst->mask,
                                    result);
        else
            with_number(m, MACHINE_MUL, inst->mask,
                        scale < 0 ? 1 / (float)(1 << -scale) : (float)(1 << scale), result);
        scale = 0;
    }
    const unsigned left = scale || sat ? modify(m, inst->mask, first, scale, sat, result) : 0;
    if (scale) {
        struct machine_op move = hwemit_machine_make(MACHINE_MOV, result, NULL, NULL);
        move.scale = (int8_t)scale;
        move.sat = sat;
        hwemit_machine_channels(m, move, left, result);
    } else
        hwemit_machine_saturate(m, left, result);
    if (inst->clamp == FRAGPROG_SAT8) {
        with_number(m, MACHINE_MIN, inst->mask, 8, result);
        with_number(m, MACHINE_MAX, inst->mask, -8, result);
    }
}

/* Records the operands that an output instruction writes. The depth is in channel z. */
static void output(struct machine *m, const struct fragprog_inst *inst, const struct machine_src arg[4])
{
    const bool many = m->target->outputs && !m->target->files, depth = !m->ir->vertex && !inst->texture;
    if (!m->ir->vertex && (depth ? !m->target->outputs : !many || inst->texture >= MACHINE_COLOURS)) {
        MACHINE_REFUSE(m, inst->unit, "outputs", many ? "eight colour outputs" : "one colour output",
                       depth      ? "the depth: no output for it is known of the chip"
                           : many ? "colour output %u: there are 8"
                                  : "colour output %u: one is known of the chip",
                       (unsigned)inst->texture);
        return;
    }
    struct machine_output *o = &m->output[m->noutputs++];
    *o = (struct machine_output){.target = depth ? MACHINE_DEPTH : inst->texture,
                                 .components = depth ? 1 : 4};
    for (unsigned c = 0; c < o->components; c++)
        if (depth || inst->mask >> c & 1)
            o->chan[c] = arg[depth ? 2 : c];
}

static void instruction(struct machine *m, unsigned i)
{
    struct fragprog_inst inst = m->ir->inst[i];
    struct machine_src arg[3][4] = {{{0}}}, *result = m->result[i].chan;
    unsigned first = m->nops;
    /* x*(1 - y) is x - x*y */
    for (unsigned rest = 0; rest < 2 && inst.op == FRAGPROG_MUL && (!m->target->halves || m->expanded);
         rest++) {
        if ((inst.src[rest].mods & ~FRAGPROG_ABS) != FRAGPROG_COMP)
            continue;
        inst.op = FRAGPROG_MAD;
        inst.src[2] = inst.src[!rest];
        inst.src[rest].mods ^= FRAGPROG_COMP | FRAGPROG_NEG;
    }
    /* lerp(1 - x, y, z) is lerp(x, z, y); on chips that cannot select 0 and 1 this would take more registers
     */
    if ((m->target->selects || m->target->halves) && inst.op == FRAGPROG_LERP &&
        inst.src[0].mods == FRAGPROG_COMP) {
        const struct fragprog_src y = inst.src[1];
        inst.src[0].mods = 0;
        inst.src[1] = inst.src[2];
        inst.src[2] = y;
    }
    const bool sum = hwemit_machine_sum(m, &inst, result);
    for (unsigned s = 0; s < fragprog_op_args(inst.op) && !sum; s++)
        hwemit_machine_operand(m, &inst, s, arg[s]);
    if (!m->target->halves) /* 1 - x as an operand is in [0,1], and not clamped by drivers either */
        first = m->nops;
    if (inst.op == FRAGPROG_OUT)
        output(m, &inst, arg[0]);
    else if (inst.op == FRAGPROG_KIL)
        kill(m, &inst, arg[0]);
    else if (inst.op == FRAGPROG_LOAD)
        load(m, &inst, arg[0], result);
    else if (sum ||
             (fragprog_op_is_lookup(inst.op) ? lookup(m, &inst, arg[0], result)
                                             : hwemit_machine_expand(m, &inst, arg, result)))
        finish(m, &inst, first, result);
    else
        MACHINE_REFUSE(m, inst.unit, "operation", "a program without it", "operation %s: not on this chip",
                       fragprog_op_text(inst.op));
}

/* Assigns registers to inputs, in the order colours, coordinates, fog. */
static void order_inputs(struct machine *m)
{
    uint16_t reg = m->target->first_input;
    for (unsigned i = 1; i < m->ninputs; i++)
        for (unsigned k = i; k > 0 &&
             (m->input[k].what << 8 | m->input[k].index) <
                 (m->input[k - 1].what << 8 | m->input[k - 1].index);
             k--) {
            const struct machine_input t = m->input[k];
            m->input[k] = m->input[k - 1];
            m->input[k - 1] = t;
        }
    for (unsigned i = 0; i < m->ninputs; i++)
        m->value[m->input[i].value].reg = m->target->input ? m->target->input(m, &m->input[i])
            : m->input[i].what == HWEMIT_POSITION          ? 0
                                                           : reg++;
}

/* On chips with registers of four channels: appends a move for each output, so that an output is one value.
 */
static void move_outputs(struct machine *m)
{
    for (unsigned n = 0; n < m->noutputs; n++) {
        struct machine_output *o = &m->output[n];
        struct machine_op move = hwemit_machine_make(MACHINE_MOV, o->chan, NULL, NULL);
        for (unsigned c = 0; c < o->components; c++)
            move.mask |= (uint8_t)((o->chan[c].file != MACHINE_UNREAD) << c);
        move.value = hwemit_machine_new_value(m, MACHINE_OUTPUT, move.mask);
        m->value[move.value].reg = o->target;
        if (o->target == MACHINE_DEPTH)
            m->value[move.value].lane[0] = 3;
        hwemit_machine_append(m, &move);
        for (unsigned c = 0; c < 4; c++)
            o->value[c] = move.mask >> c & 1 ? move.value : MACHINE_NONE;
        memset(o->chan, 0, sizeof o->chan);
    }
}

bool hwemit_machine_select(struct machine *m)
{
    m->noutputs = 1; /* colour 0, or the position */
    m->output[0] = (struct machine_output){.target = 0, .components = 4};
    if (m->ir->invariant)
        fixed_position(m);
    for (unsigned i = 0; i < m->ir->ninst && !m->failed; i++)
        instruction(m, i);
    if (m->failed)
        return false;
    for (unsigned c = 0; c < 4 && !m->ir->invariant; c++)
        m->output[0].chan[c] = m->result[m->ir->result[c == 3]].chan[c];
    for (unsigned n = 0; n < 4u * m->noutputs; n++) {
        struct machine_src *x = &m->output[n / 4].chan[n % 4];
        m->output[n / 4].value[n % 4] = MACHINE_NONE;
        if (x->file == MACHINE_UNREAD && !m->ir->vertex) /* the program does not write it */
            *x = hwemit_machine_immediate(m, 0);
    }
    if (!m->target->varying)
        order_inputs(m);
    if (!m->target->numbers)
        move_outputs(m);
    return !m->failed;
}
