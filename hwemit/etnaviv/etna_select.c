/* From the intermediate program to operations of the chip. What a channel of an operand reads is followed
 * through copies and through `vec`, so that neither takes an operation of its own. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

bool hwemit_etna_refuse_long(struct etna *e)
{
    if (!e->failed)
        hwemit_refuse(e->why, -1, "instructions", "a shorter program",
                      "the program needs more than the %u instructions that there are",
                      (unsigned)e->instructions);
    e->failed = true;
    return false;
}

/* ---- values, numbers, operations ---- */

uint16_t hwemit_etna_new_value(struct etna *e, unsigned kind, unsigned components)
{
    if (e->nvalues == e->maxvalues) {
        hwemit_etna_refuse_long(e);
        return 0;
    }
    e->value[e->nvalues] = (struct etna_value){.kind = (uint8_t)kind, .components = (uint8_t)components};
    return e->nvalues++;
}

struct etna_op *hwemit_etna_append(struct etna *e, const struct etna_op *op)
{
    if (e->failed || e->nops == e->maxops) {
        hwemit_etna_refuse_long(e);
        return NULL;
    }
    e->op[e->nops] = *op;
    return &e->op[e->nops++];
}

static struct etna_chan scalar(struct etna *e, const struct etna_scalar *s)
{
    unsigned n = 0;
    while (n < e->nscalars &&
           (e->scalar[n].origin != s->origin ||
            (s->origin == FRAGPROG_ORIGIN_IMMEDIATE ? e->scalar[n].value != s->value
                                                    : e->scalar[n].component != s->component)))
        n++;
    if (n == ETNA_SCALARS) {
        if (!e->failed)
            hwemit_refuse(e->why, -1, "constants", "fewer constants",
                          "the program reads more than %d different numbers", ETNA_SCALARS);
        e->failed = true;
        n = 0;
    } else if (n == e->nscalars) {
        e->scalar[e->nscalars++] = *s;
    }
    return (struct etna_chan){.file = ETNA_SCALAR, .index = (uint16_t)n};
}

struct etna_chan hwemit_etna_immediate(struct etna *e, float value)
{
    const struct etna_scalar s = {.origin = FRAGPROG_ORIGIN_IMMEDIATE, .value = value == 0 ? 0 : value};
    return scalar(e, &s);
}

static bool is_immediate(const struct etna *e, struct etna_chan c)
{
    return c.file == ETNA_SCALAR && e->scalar[c.index].origin == FRAGPROG_ORIGIN_IMMEDIATE;
}

/* Of the program's own values the negative is another one, so that an operand has one sign. */
struct etna_chan hwemit_etna_negated(struct etna *e, struct etna_chan c)
{
    if (is_immediate(e, c))
        return hwemit_etna_immediate(e, -e->scalar[c.index].value);
    c.neg = !c.neg;
    return c;
}

static bool same(struct etna_chan x, struct etna_chan y)
{
    return x.file == y.file && x.lane == y.lane && x.neg == y.neg && x.index == y.index;
}

struct etna_chan hwemit_etna_number(struct etna *e, const struct etna_op *op)
{
    struct etna_op one = *op;
    one.mask = 1;
    one.value = hwemit_etna_new_value(e, ETNA_RESULT, 1);
    hwemit_etna_append(e, &one);
    return (struct etna_chan){.file = ETNA_VALUE, .index = one.value};
}

void hwemit_etna_channels(struct etna *e, const struct etna_op *op, unsigned mask, struct etna_chan result[4])
{
    struct etna_op made = *op;
    unsigned first = 0;
    bool alike = true;
    if (!mask)
        return;
    while (!(mask >> first & 1))
        first++;
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0; c < 4; c++)
            if (op->used >> s & 1 && mask >> c & 1)
                alike = alike && same(op->arg[s][c], op->arg[s][first]);
    if (alike) {
        for (unsigned s = 0; s < 3; s++)
            made.arg[s][0] = op->arg[s][first];
        const struct etna_chan number = hwemit_etna_number(e, &made);
        for (unsigned c = 0; c < 4; c++)
            if (mask >> c & 1)
                result[c] = number;
        return;
    }
    made.mask = (uint8_t)mask;
    made.value = hwemit_etna_new_value(e, ETNA_RESULT, mask);
    hwemit_etna_append(e, &made);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result[c] = (struct etna_chan){.file = ETNA_VALUE, .lane = (uint8_t)c, .index = made.value};
}

/* ---- operands ---- */

static uint16_t input(struct etna *e, unsigned what, unsigned index)
{
    for (unsigned i = 0; i < e->ninputs; i++)
        if (e->input[i].what == what && e->input[i].index == index)
            return e->input[i].value;
    if (e->ninputs == HWEMIT_INPUTS) {
        if (!e->failed)
            hwemit_refuse(e->why, -1, "inputs", "fewer coordinate sets",
                          "the program reads more than %d colours and coordinates", HWEMIT_INPUTS);
        e->failed = true;
        return 0;
    }
    const uint16_t v = hwemit_etna_new_value(e, ETNA_INPUT, FRAGPROG_MASK_XYZW);
    e->input[e->ninputs++] = (struct etna_input){(uint8_t)what, (uint8_t)index, v};
    return v;
}

static struct etna_chan read_channel(struct etna *e, const struct fragprog_src *src, unsigned channel)
{
    static const uint8_t what[] = {[FRAGPROG_PRIMARY] = HWEMIT_COLOR,
                                   [FRAGPROG_SECONDARY] = HWEMIT_COLOR,
                                   [FRAGPROG_COORD] = HWEMIT_COORD,
                                   [FRAGPROG_FOGCOORD] = HWEMIT_FOGCOORD,
                                   [FRAGPROG_POSITION] = HWEMIT_POSITION};
    static const float literal[] = {[FRAGPROG_ZERO] = 0, [FRAGPROG_ONE] = 1, [FRAGPROG_HALF] = 0.5f};
    const uint8_t lane = src->lane[channel];
    struct etna_chan c = {.file = ETNA_VALUE, .lane = lane};
    if (lane > FRAGPROG_W || src->file == FRAGPROG_LITERAL)
        c = hwemit_etna_immediate(e, literal[lane]);
    else if (src->file == FRAGPROG_VALUE)
        c = e->result[src->index].chan[lane];
    else if (src->file == FRAGPROG_CONST) {
        const struct fragprog_const *k = &e->ir->konst[src->index];
        const struct etna_scalar s = {k->origin[lane].unit, k->origin[lane].component, k->value[lane]};
        c = s.origin == FRAGPROG_ORIGIN_IMMEDIATE ? hwemit_etna_immediate(e, s.value) : scalar(e, &s);
    } else
        c.index = input(e, what[src->file],
                        src->file == FRAGPROG_COORD           ? src->index
                            : src->file == FRAGPROG_SECONDARY ? 1u
                                                              : 0u);
    return src->negate >> channel & 1 ? hwemit_etna_negated(e, c) : c;
}

/* |x|: of the program's own values at once; of the rest by the operand's bit, or where an operand has both by
 * a move. */
static void absolute(struct etna *e, struct etna_op *op, unsigned s, unsigned lanes)
{
    struct etna_op move = {.code = ETNA_MOV, .used = 4, .abs = 4, .unit = op->unit};
    unsigned rest = 0;
    for (unsigned c = 0; c < 4; c++) {
        struct etna_chan *const at = &op->arg[s][c];
        if (!(lanes >> c & 1))
            continue;
        if (!is_immediate(e, *at))
            rest |= 1u << c;
        else if (e->scalar[at->index].value < 0)
            *at = hwemit_etna_negated(e, *at);
        at->neg = 0;
    }
    if (rest == lanes) {
        op->abs |= (uint8_t)(1u << s);
        return;
    }
    memcpy(move.arg[2], op->arg[s], sizeof move.arg[2]);
    struct etna_chan moved[4] = {{0}};
    hwemit_etna_channels(e, &move, rest, moved);
    for (unsigned c = 0; c < 4; c++)
        if (rest >> c & 1)
            op->arg[s][c] = moved[c];
}

/* 1 - x, x - 1/2, 2x: k*x + b. Of the program's own values at once where that is exact. */
static void affine(struct etna *e, const struct fragprog_src *src, unsigned lanes, struct etna_op *op,
                   unsigned s)
{
    float k = 1, b = 0;
    unsigned rest = lanes;
    if (src->mods & FRAGPROG_COMP)
        k = -1, b = 1;
    b -= src->mods & FRAGPROG_BIAS ? 0.5f : 0;
    if (src->mods & FRAGPROG_2X)
        k *= 2, b *= 2;
    struct etna_op made = {.code = ETNA_MAD, .used = 7, .unit = op->unit};
    made.abs = op->abs >> s & 1;
    op->abs &= (uint8_t) ~(1u << s);
    for (unsigned c = 0; c < 4; c++) {
        struct etna_chan *const at = &op->arg[s][c];
        const double exact = is_immediate(e, *at) ? (double)k * e->scalar[at->index].value + b : 0;
        if (!(lanes >> c & 1))
            continue;
        if (is_immediate(e, *at) && (float)exact == exact) {
            *at = hwemit_etna_immediate(e, (float)exact);
            rest &= ~(1u << c);
            continue;
        }
        made.arg[0][c] = *at;
        made.arg[1][c] = hwemit_etna_immediate(e, k);
        made.arg[2][c] = hwemit_etna_immediate(e, b);
        if (k == -1)
            made.arg[0][c] = hwemit_etna_negated(e, *at);
        if (b == 0 && k == 2)
            made.arg[2][c] = *at;
    }
    if (k == 1 || k == -1 || (b == 0 && k == 2)) {
        made.code = ETNA_ADD;
        made.used = 5;
        if (b == 0)
            made.abs = (uint8_t)(made.abs * 5);
    }
    hwemit_etna_channels(e, &made, rest, op->arg[s]);
}

static void operand(struct etna *e, const struct fragprog_inst *inst, unsigned s, struct etna_op *op)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes_read(inst, s);
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1)
            op->arg[s][c] = read_channel(e, src, c);
    if (src->mods & FRAGPROG_ABS)
        absolute(e, op, s, lanes);
    if (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X))
        affine(e, src, lanes, op, s);
    for (unsigned c = 0; c < 4; c++)
        if (src->mods & FRAGPROG_NEG && lanes >> c & 1)
            op->arg[s][c] = hwemit_etna_negated(e, op->arg[s][c]);
}

/* ---- lookups ---- */

static bool can_look_up(struct etna *e, const struct fragprog_inst *inst)
{
    const unsigned samplers = e->halti ? 16 : 8;
    if (inst->shadow)
        hwemit_refuse(e->why, inst->unit, "shadow", "a lookup without comparison",
                      "texture %u: no comparison in lookups is known of the chip", (unsigned)inst->texture);
    else if (inst->target == TEXENV_RECT)
        hwemit_refuse(e->why, inst->unit, "target", "a 2D texture",
                      "texture %u: no coordinates in texels are known of the chip, and the texture's size is "
                      "not part of the program",
                      (unsigned)inst->texture);
    else if (inst->texture >= samplers)
        hwemit_refuse(e->why, inst->unit, "textures", "fewer textures",
                      "texture %u: there are %u samplers for fragments", (unsigned)inst->texture, samplers);
    else
        return true;
    e->failed = true;
    return false;
}

static void bind(struct etna *e, const struct fragprog_inst *inst)
{
    const uint8_t coord = inst->src[0].file == FRAGPROG_COORD ? (uint8_t)inst->src[0].index : inst->texture;
    for (unsigned n = 0; n < e->textures; n++)
        if (e->texture[n].slot == inst->texture)
            return;
    e->texture[e->textures++] = (struct hwemit_texture){inst->texture, inst->texture, coord, inst->target};
}

static void lookup(struct etna *e, const struct fragprog_inst *inst, struct etna_op *op,
                   struct etna_chan result[4])
{
    static const uint8_t coordinates[TEXENV_TARGETS] = {
        [TEXENV_1D] = 1, [TEXENV_2D] = 3, [TEXENV_3D] = 7, [TEXENV_CUBE] = 7};
    if (!can_look_up(e, inst))
        return;
    bind(e, inst);
    op->kind = ETNA_LOOKUP;
    op->code = inst->op == FRAGPROG_TXB ? ETNA_TEXLDB : ETNA_TEXLD;
    op->used = 1;
    op->texture = inst->texture;
    op->terms = coordinates[inst->target];
    const bool one = is_immediate(e, op->arg[0][3]) && e->scalar[op->arg[0][3].index].value == 1;
    if (inst->op == FRAGPROG_TEX && !inst->undivided && inst->target != TEXENV_CUBE && !one) {
        struct etna_op divide = {.kind = ETNA_FUNCTION, .code = ETNA_RCP, .used = 4, .unit = inst->unit};
        struct etna_op times = {.code = ETNA_MUL, .used = 3, .unit = inst->unit};
        divide.arg[2][0] = op->arg[0][3];
        times.arg[1][0] = hwemit_etna_number(e, &divide);
        for (unsigned c = 0; c < 4; c++)
            times.arg[1][c] = times.arg[1][0];
        memcpy(times.arg[0], op->arg[0], sizeof times.arg[0]);
        hwemit_etna_channels(e, &times, op->terms, op->arg[0]);
    }
    if (inst->op == FRAGPROG_TXB) { /* in the second source, and in the last channel of the coordinates */
        op->used = 3;
        op->terms |= FRAGPROG_MASK_W;
        op->arg[1][0] = op->arg[0][3];
    }
    op->mask = FRAGPROG_MASK_XYZW;
    op->value = hwemit_etna_new_value(e, ETNA_RESULT, FRAGPROG_MASK_XYZW);
    for (unsigned c = 0; c < 4; c++) {
        op->texel[c] = (uint8_t)c;
        result[c] = (struct etna_chan){.file = ETNA_VALUE, .lane = (uint8_t)c, .index = op->value};
    }
    hwemit_etna_append(e, op);
    hwemit_etna_finish(e, inst, result);
}

/* Each number by itself: whether one channel or all of them end the fragment does not matter then. */
static void kill(struct etna *e, const struct fragprog_inst *inst, const struct etna_op *in)
{
    for (unsigned c = 0; c < 4; c++) {
        struct etna_op op = {.kind = ETNA_KILL, .code = ETNA_TEXKILL, .cond = ETNA_LZ, .used = 1};
        bool seen = !(inst->mask >> c & 1) ||
            (is_immediate(e, in->arg[0][c]) && e->scalar[in->arg[0][c].index].value >= 0);
        for (unsigned k = 0; k < c; k++)
            seen = seen || (inst->mask >> k & 1 && same(in->arg[0][k], in->arg[0][c]));
        op.arg[0][0] = in->arg[0][c];
        op.abs = in->abs & 1;
        op.unit = inst->unit;
        if (!seen)
            hwemit_etna_append(e, &op);
    }
}

/* ---- instructions ---- */

void hwemit_etna_finish(struct etna *e, const struct fragprog_inst *inst, struct etna_chan result[4])
{
    struct etna_op op = {.code = ETNA_MOV, .used = 4, .sat = inst->clamp == FRAGPROG_SAT, .unit = inst->unit};
    const float k = inst->scale < 0 ? 1 / (float)(1 << -inst->scale) : (float)(1 << inst->scale);
    memcpy(op.arg[2], result, sizeof op.arg[2]);
    memcpy(op.arg[0], result, sizeof op.arg[0]);
    if (inst->scale) {
        op.code = inst->scale == 1 ? ETNA_ADD : ETNA_MUL;
        op.used = inst->scale == 1 ? 5 : 3;
        for (unsigned c = 0; c < 4; c++)
            op.arg[1][c] = hwemit_etna_immediate(e, k);
    }
    if (inst->scale || inst->clamp == FRAGPROG_SAT)
        hwemit_etna_channels(e, &op, inst->mask, result);
    for (int bound = 8; bound >= -8 && inst->clamp == FRAGPROG_SAT8; bound -= 16) {
        struct etna_op limit = {.code = ETNA_SELECT, .used = 7, .unit = inst->unit};
        limit.cond = bound > 0 ? ETNA_GT : ETNA_LT;
        memcpy(limit.arg[0], result, sizeof limit.arg[0]);
        memcpy(limit.arg[2], result, sizeof limit.arg[2]);
        for (unsigned c = 0; c < 4; c++)
            limit.arg[1][c] = hwemit_etna_immediate(e, (float)bound);
        hwemit_etna_channels(e, &limit, inst->mask, result);
    }
}

/* Sources 0, 1, 2 are arguments number form[0..2] - 1; 0: not used. Facts: notes/facts/etnaviv.md A.3. */
struct form {
    uint8_t code, cond, from[3];
};
static const struct form forms[FRAGPROG_OPS] = {[FRAGPROG_MOV] = {ETNA_MOV, 0, {0, 0, 1}},
                                                [FRAGPROG_ADD] = {ETNA_ADD, 0, {1, 0, 2}},
                                                [FRAGPROG_SUB] = {ETNA_ADD, 0, {1, 0, 2}},
                                                [FRAGPROG_MUL] = {ETNA_MUL, 0, {1, 2, 0}},
                                                [FRAGPROG_MAD] = {ETNA_MAD, 0, {1, 2, 3}},
                                                [FRAGPROG_CND] = {ETNA_SELECT, ETNA_GZ, {3, 1, 2}},
                                                [FRAGPROG_CND0] = {ETNA_SELECT, ETNA_GEZ, {3, 1, 2}},
                                                [FRAGPROG_MIN] = {ETNA_SELECT, ETNA_GT, {1, 2, 1}},
                                                [FRAGPROG_MAX] = {ETNA_SELECT, ETNA_LT, {1, 2, 1}},
                                                [FRAGPROG_SGE] = {ETNA_SET, ETNA_GE, {1, 2, 0}},
                                                [FRAGPROG_SLT] = {ETNA_SET, ETNA_LT, {1, 2, 0}},
                                                [FRAGPROG_FRC] = {ETNA_FRC, 0, {0, 0, 1}},
                                                [FRAGPROG_FLR] = {ETNA_FLOOR, 0, {0, 0, 1}}};

static void arrange(struct etna_op *op, const struct etna_op *in, const struct form *form)
{
    *op = (struct etna_op){.code = form->code, .cond = form->cond, .unit = in->unit};
    for (unsigned s = 0; s < 3; s++) {
        if (!form->from[s])
            continue;
        op->used |= (uint8_t)(1u << s);
        op->abs |= (uint8_t)((in->abs >> (form->from[s] - 1) & 1) << s);
        memcpy(op->arg[s], in->arg[form->from[s] - 1], sizeof op->arg[s]);
    }
}

/* x*(1 - y) is x - x*y */
static bool times_rest(const struct fragprog_inst *inst, unsigned *rest)
{
    for (*rest = 0; *rest < 2 && inst->op == FRAGPROG_MUL; ++*rest)
        if ((inst->src[*rest].mods & ~FRAGPROG_ABS) == FRAGPROG_COMP)
            return true;
    return false;
}

static void by_channel(struct etna *e, const struct fragprog_inst *inst, struct etna_op *in,
                       struct etna_chan result[4])
{
    struct etna_op op;
    unsigned rest;
    for (unsigned c = 0; c < 4; c++) {
        if (inst->op == FRAGPROG_SUB && inst->mask >> c & 1)
            in->arg[1][c] = hwemit_etna_negated(e, in->arg[1][c]);
    }
    if (inst->op == FRAGPROG_CND) { /* C > 1/2 */
        struct etna_op less = {.code = ETNA_ADD, .used = 5, .abs = in->abs >> 2 & 1, .unit = inst->unit};
        memcpy(less.arg[0], in->arg[2], sizeof less.arg[0]);
        for (unsigned c = 0; c < 4; c++)
            less.arg[2][c] = hwemit_etna_immediate(e, -0.5f);
        hwemit_etna_channels(e, &less, inst->mask, in->arg[2]);
        in->abs &= 3;
    }
    arrange(&op, in, &forms[inst->op]);
    if (times_rest(inst, &rest)) {
        op.code = ETNA_MAD;
        op.used = 7;
        op.abs |= (uint8_t)((in->abs >> (1 - rest) & 1) << 2);
        memcpy(op.arg[2], in->arg[1 - rest], sizeof op.arg[2]);
        for (unsigned c = 0; c < 4; c++)
            if (inst->mask >> c & 1)
                op.arg[rest][c] = hwemit_etna_negated(e, op.arg[rest][c]);
    }
    op.sat = !inst->scale && inst->clamp == FRAGPROG_SAT;
    hwemit_etna_channels(e, &op, inst->mask, result);
    if (!op.sat)
        hwemit_etna_finish(e, inst, result);
}

/* In each channel one of a vec's arguments is 0: it is a copy of the others, or (of |x|) their sum. */
static bool copies(struct etna *e, const struct fragprog_inst *inst, struct etna_op *in,
                   struct etna_chan result[4])
{
    if ((inst->op != FRAGPROG_MOV && inst->op != FRAGPROG_VEC) || in->abs)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            result[c] = in->arg[inst->op == FRAGPROG_VEC && inst->src[0].lane[c] == FRAGPROG_ZERO][c];
    hwemit_etna_finish(e, inst, result);
    return true;
}

static void output(struct etna *e, const struct fragprog_inst *inst)
{
    hwemit_refuse(e->why, inst->unit, "outputs", "one colour output",
                  inst->texture ? "colour output %u: one is known of the chip"
                                : "the depth: no output for it is known of the chip",
                  (unsigned)inst->texture);
    e->failed = true;
}

static void instruction(struct etna *e, unsigned i)
{
    struct fragprog_inst inst = e->ir->inst[i];
    struct etna_chan *result = e->result[i].chan;
    struct etna_op in = {.unit = inst.unit};
    unsigned rest;
    const bool product = times_rest(&inst, &rest);
    if (product)
        inst.src[rest].mods &= FRAGPROG_ABS;
    for (unsigned s = 0; s < fragprog_op_args(inst.op); s++)
        operand(e, &inst, s, &in);
    if (product)
        inst.src[rest].mods |= FRAGPROG_COMP;
    if (inst.op == FRAGPROG_VEC && in.abs)
        inst.op = FRAGPROG_ADD;
    if (inst.op == FRAGPROG_OUT)
        output(e, &inst);
    else if (fragprog_op_is_lookup(inst.op))
        lookup(e, &inst, &in, result);
    else if (inst.op == FRAGPROG_KIL)
        kill(e, &inst, &in);
    else if (copies(e, &inst, &in, result))
        return;
    else if (forms[inst.op].code)
        by_channel(e, &inst, &in, result);
    else if (!hwemit_etna_expand(e, &inst, &in, result)) {
        e->failed = true;
        hwemit_refuse(e->why, inst.unit, "operation", "a program without it",
                      "operation %s: not on this chip", fragprog_op_text(inst.op));
    }
}

/* The position lies in temporary 0, other inputs follow: colours, coordinates, fog. */
static void number_inputs(struct etna *e)
{
    uint16_t reg = 1;
    for (unsigned i = 1; i < e->ninputs; i++)
        for (unsigned k = i; k > 0 &&
             (e->input[k].what << 8 | e->input[k].index) <
                 (e->input[k - 1].what << 8 | e->input[k - 1].index);
             k--) {
            const struct etna_input t = e->input[k];
            e->input[k] = e->input[k - 1];
            e->input[k - 1] = t;
        }
    for (unsigned i = 0; i < e->ninputs; i++)
        e->value[e->input[i].value].reg = e->input[i].what == HWEMIT_POSITION ? 0 : reg++;
}

bool hwemit_etna_select(struct etna *e)
{
    for (unsigned i = 0; i < e->ir->ninst && !e->failed; i++)
        instruction(e, i);
    if (e->failed)
        return false;
    struct etna_op out = {.code = ETNA_MOV, .used = 4, .mask = FRAGPROG_MASK_XYZW, .unit = -1};
    for (unsigned c = 0; c < 4; c++)
        out.arg[2][c] = e->result[e->ir->result[c == 3]].chan[c];
    out.value = e->output = hwemit_etna_new_value(e, ETNA_OUTPUT, FRAGPROG_MASK_XYZW);
    hwemit_etna_append(e, &out);
    number_inputs(e);
    return !e->failed;
}
