/* Instruction selection for vertex programs. Copies and `vec` are propagated by operand channel, so they need
 * no operation. Facts: notes/facts/r300-vertex.md 1 and 4. */
#include "hwemit/r300/pvs.h"

#include <string.h>

bool hwemit_pvs_refuse_long(struct pvs *p)
{
    if (!p->failed)
        hwemit_refuse(p->why, -1, "instructions", "a shorter program",
                      "the program needs more than the %u instructions that there are",
                      (unsigned)p->chip->instructions);
    p->failed = true;
    return false;
}

static bool refuse_constants(struct pvs *p)
{
    if (!p->failed)
        hwemit_refuse(p->why, -1, "constants", "fewer constants",
                      "the program needs more than the %u constants that there are",
                      (unsigned)p->chip->constants);
    p->failed = true;
    return false;
}

/* ---- slots, operations ---- */

uint16_t hwemit_pvs_new_slots(struct pvs *p, unsigned n, bool own)
{
    if (p->nslots + 4u > PVS_SLOTS) {
        hwemit_pvs_refuse_long(p);
        return 0;
    }
    struct pvs_var *v = &p->var[p->nvars];
    *v = (struct pvs_var){.slot = {NONE, NONE, NONE, NONE}, .own = own};
    for (unsigned c = 0; c < n; c++) {
        v->slot[c] = p->nslots;
        p->slot[p->nslots++] = (struct pvs_slot){.var = p->nvars, .component = (uint8_t)c};
    }
    p->nvars++;
    return (uint16_t)(p->nslots - n);
}

struct pvs_op *hwemit_pvs_append(struct pvs *p, const struct pvs_op *op)
{
    if (p->failed || p->nops == PVS_OPS) {
        hwemit_pvs_refuse_long(p);
        return NULL;
    }
    p->op[p->nops] = *op;
    return &p->op[p->nops++];
}

unsigned hwemit_pvs_channels(const struct pvs_op *op)
{
    return op->kind == PVS_EACH ? op->components : op->kind == PVS_SUM ? 4 : 1;
}

/* ---- what channels read ---- */

static struct pvs_chan literal(unsigned lane)
{
    return (struct pvs_chan){.file = PVS_LITERAL, .lane = (uint8_t)lane};
}

static struct pvs_chan negated(struct pvs_chan c)
{
    c.neg = !c.neg;
    return c;
}

static bool same(const struct pvs_chan *a, const struct pvs_chan *b)
{
    return a->file == b->file && a->lane == b->lane && a->neg == b->neg && a->index == b->index;
}

/* Returns a literal, adding it to the constants; four literals share a constant. */
static struct pvs_chan number(struct pvs *p, float value)
{
    unsigned n = 0;
    if (p->first_number == NONE)
        p->first_number = p->nconsts;
    while (n < p->numbers && p->konst[p->first_number + n / 4].value[n % 4] != value)
        n++;
    if (n == p->numbers) {
        if (p->first_number + n / 4 >= PVS_CONSTS) {
            refuse_constants(p);
            return literal(FRAGPROG_ZERO);
        }
        struct pvs_const *k = &p->konst[p->first_number + n / 4];
        if (n % 4 == 0) {
            *k = (struct pvs_const){.value = {0}};
            for (unsigned c = 0; c < 4; c++)
                k->origin[c] = FRAGPROG_ORIGIN_IMMEDIATE;
            p->nconsts++;
        }
        k->value[n % 4] = value;
        p->numbers++;
    }
    return (struct pvs_chan){
        .file = PVS_CONST, .lane = (uint8_t)(n % 4), .index = (uint16_t)(p->first_number + n / 4)};
}

static struct pvs_chan constant(const struct pvs *p, const struct fragprog_src *src, unsigned lane)
{
    const struct pvs_const *k = &p->konst[src->index];
    if (k->origin[lane] == FRAGPROG_ORIGIN_IMMEDIATE && (k->value[lane] == 0 || k->value[lane] == 1))
        return literal(k->value[lane] == 0 ? FRAGPROG_ZERO : FRAGPROG_ONE);
    return (struct pvs_chan){.file = PVS_CONST, .lane = (uint8_t)lane, .index = src->index};
}

static struct pvs_chan read_channel(struct pvs *p, const struct fragprog_src *src, unsigned channel)
{
    const uint8_t lane = src->lane[channel];
    struct pvs_chan c = {.file = PVS_INPUT, .lane = lane, .index = src->index};
    if (lane == FRAGPROG_HALF)
        c = number(p, 0.5f);
    else if (lane > FRAGPROG_W || src->file == FRAGPROG_LITERAL)
        c = literal(lane);
    else if (src->file == FRAGPROG_VALUE)
        c = p->result[src->index].chan[lane];
    else if (src->file == FRAGPROG_CONST)
        c = constant(p, src, lane);
    if (src->negate >> channel & 1)
        c.neg = !c.neg;
    return c;
}

/* ---- operations with results ---- */

/* Emits an operation with a scalar result, which is the result in all channels of the mask. */
static void emit_number(struct pvs *p, struct pvs_op *op, unsigned mask, struct pvs_chan result[4])
{
    op->components = 1;
    op->out = -1;
    op->second = NONE;
    op->slot[0] = hwemit_pvs_new_slots(p, 1, false);
    op->slot[1] = op->slot[2] = op->slot[3] = NONE;
    hwemit_pvs_append(p, op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result[c] = (struct pvs_chan){.file = PVS_SLOT, .index = op->slot[0]};
}

/* Emits an operation that acts on each channel of the mask. Channels with equal operands share one component.
 */
static void emit_each(struct pvs *p, const struct pvs_op *from, unsigned mask, struct pvs_chan result[4])
{
    struct pvs_op op = *from;
    uint8_t component[4] = {0};
    op.kind = PVS_EACH;
    op.components = 0;
    op.out = -1;
    op.second = NONE;
    for (unsigned c = 0; c < 4; c++) {
        unsigned n = 0;
        if (!(mask >> c & 1))
            continue;
        for (; n < op.components; n++) {
            bool alike = true;
            for (unsigned s = 0; s < op.args; s++)
                alike = alike && same(&op.arg[s][n], &from->arg[s][c]);
            if (alike)
                break;
        }
        for (unsigned s = 0; s < op.args; s++)
            op.arg[s][n] = from->arg[s][c];
        component[c] = (uint8_t)n;
        op.components += n == op.components;
    }
    if (!op.components)
        return;
    const uint16_t first = hwemit_pvs_new_slots(p, op.components, false);
    for (unsigned n = 0; n < 4; n++)
        op.slot[n] = n < op.components ? (uint16_t)(first + n) : NONE;
    hwemit_pvs_append(p, &op);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result[c] = (struct pvs_chan){.file = PVS_SLOT, .index = op.slot[component[c]]};
}

/* Emits an operation whose results have fixed lanes. */
static void emit_lanes(struct pvs *p, struct pvs_op *op, unsigned mask, struct pvs_chan result[4])
{
    if (!mask)
        return;
    const uint16_t first = hwemit_pvs_new_slots(p, 4, true);
    op->kind = PVS_LANES;
    op->components = 4;
    op->out = -1;
    op->second = NONE;
    for (unsigned c = 0; c < 4; c++) {
        op->slot[c] = mask >> c & 1 ? (uint16_t)(first + c) : NONE;
        if (!(mask >> c & 1))
            p->var[p->slot[first].var].slot[c] = NONE;
        else
            result[c] = (struct pvs_chan){.file = PVS_SLOT, .index = (uint16_t)(first + c)};
    }
    hwemit_pvs_append(p, op);
}

static struct pvs_op binary(unsigned code)
{
    return (struct pvs_op){.kind = PVS_EACH, .code = (uint8_t)code, .args = 2};
}

/* ---- modifiers ---- */

static bool all_literal(const struct pvs_chan arg[4], unsigned lanes)
{
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1 && arg[c].file != PVS_LITERAL)
            return false;
    return true;
}

/* Applies |x|: as max(x, -x), or by the operand modifier of r500. */
static void absolute(struct pvs *p, struct pvs_op *op, unsigned s, unsigned lanes)
{
    struct pvs_op max = binary(PVS_MAX);
    if (all_literal(op->arg[s], lanes)) {
        for (unsigned c = 0; c < 4; c++)
            op->arg[s][c].neg = 0;
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        max.arg[0][c] = op->arg[s][c];
        max.arg[1][c] = negated(op->arg[s][c]);
    }
    if (p->chip->r500) { /* a copy of |x|, by adding 0 */
        max.code = PVS_ADD;
        max.abs = 1;
        for (unsigned c = 0; c < 4; c++) {
            max.arg[0][c].neg = 0; /* the sign is applied after the modifier */
            max.arg[1][c] = literal(FRAGPROG_ZERO);
        }
    }
    emit_each(p, &max, lanes, op->arg[s]);
}

/* Applies the modifiers 1 - x, x - 1/2 and 2x as k*x + b. */
static void affine(struct pvs *p, const struct fragprog_src *src, unsigned lanes, struct pvs_chan arg[4])
{
    const float k = (src->mods & FRAGPROG_COMP ? -1.0f : 1.0f) * (src->mods & FRAGPROG_2X ? 2.0f : 1.0f);
    const float b = ((src->mods & FRAGPROG_COMP ? 1.0f : 0) - (src->mods & FRAGPROG_BIAS ? 0.5f : 0)) *
        (src->mods & FRAGPROG_2X ? 2.0f : 1.0f);
    struct pvs_op mad = {.kind = PVS_EACH, .code = PVS_MAD, .args = 3};
    for (unsigned c = 0; c < 4; c++) {
        mad.arg[0][c] = arg[c];
        mad.arg[1][c] = number(p, k);
        mad.arg[2][c] = number(p, b);
        if (lanes >> c & 1 && arg[c].file == PVS_LITERAL) {
            const float x = arg[c].lane == FRAGPROG_ONE ? 1.0f : 0;
            arg[c] = number(p, (arg[c].neg ? -x : x) * k + b);
            lanes &= ~(1u << c);
        }
    }
    emit_each(p, &mad, lanes, arg);
}

static void operand(struct pvs *p, const struct fragprog_inst *inst, unsigned s, struct pvs_op *op)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes_read(inst, s);
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1)
            op->arg[s][c] = read_channel(p, src, c);
    if (src->mods & FRAGPROG_ABS)
        absolute(p, op, s, lanes);
    if (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X))
        affine(p, src, lanes, op->arg[s]);
    for (unsigned c = 0; c < 4; c++)
        if (src->mods & FRAGPROG_NEG && lanes >> c & 1)
            op->arg[s][c].neg = !op->arg[s][c].neg;
}

/* ---- expansion of instructions ---- */

static void sum(struct pvs *p, const struct fragprog_inst *inst, struct pvs_op *op, struct pvs_chan result[4])
{
    op->kind = PVS_SUM;
    op->code = PVS_DOT;
    op->args = 2;
    if (inst->op == FRAGPROG_DOT3)
        op->arg[0][3] = op->arg[1][3] = literal(FRAGPROG_ZERO);
    else if (inst->op == FRAGPROG_DPH)
        op->arg[0][3] = literal(FRAGPROG_ONE);
    else if (inst->op == FRAGPROG_DOT2ADD) { /* + C.z */
        op->arg[0][2] = op->arg[2][2];
        op->arg[1][2] = literal(FRAGPROG_ONE);
        op->arg[0][3] = op->arg[1][3] = literal(FRAGPROG_ZERO);
    }
    emit_number(p, op, inst->mask, result);
}

/* Returns the channel that all lanes of a scalar operand read. */
static struct pvs_chan scalar(const struct fragprog_inst *inst, const struct pvs_op *op, unsigned s)
{
    const unsigned lanes = fragprog_lanes_read(inst, s);
    unsigned c = 0;
    while (!(lanes >> c & 1))
        c++;
    return op->arg[s][c];
}

static void function(struct pvs *p, const struct fragprog_inst *inst, const struct pvs_op *in,
                     struct pvs_chan result[4])
{
    static const uint8_t codes[FRAGPROG_OPS] = {[FRAGPROG_RCP] = PVS_RCP,
                                                [FRAGPROG_RSQ] = PVS_RSQ,
                                                [FRAGPROG_EX2] = PVS_EX2,
                                                [FRAGPROG_LG2] = PVS_LG2,
                                                [FRAGPROG_POW] = PVS_POW};
    struct pvs_op op = {.kind = PVS_NUMBER, .code = codes[inst->op], .args = 1};
    op.arg[0][0] = scalar(inst, in, 0);
    if (inst->op == FRAGPROG_POW) { /* sources disagree about which operand is the exponent, so both are */
        op.args = 3;
        op.arg[1][0] = op.arg[2][0] = scalar(inst, in, 1);
    }
    emit_number(p, &op, inst->mask, result);
}

static void floor_of(struct pvs *p, struct pvs_op *in, unsigned mask, struct pvs_chan result[4])
{
    struct pvs_op fraction = {.kind = PVS_EACH, .code = PVS_FRC, .args = 1}, rest = binary(PVS_ADD);
    struct pvs_chan part[4] = {{0}};
    memcpy(fraction.arg[0], in->arg[0], sizeof fraction.arg[0]);
    emit_each(p, &fraction, mask, part);
    memcpy(rest.arg[0], in->arg[0], sizeof rest.arg[0]);
    for (unsigned c = 0; c < 4; c++)
        rest.arg[1][c] = negated(part[c]);
    emit_each(p, &rest, mask, result);
}

/* EXP: (2^floor x, x - floor x, 2^x, 1). LOG: (floor log2|x|, |x| / 2^floor log2|x|, log2|x|, 1). The chip's
 * own instruction is less exact in z, so it is used only if x or y is read. */
static void exp_or_log(struct pvs *p, const struct fragprog_inst *inst, const struct pvs_op *in,
                       struct pvs_chan result[4])
{
    const bool exp = inst->op == FRAGPROG_EXP;
    struct pvs_op op = {.code = exp ? PVS_EXP : PVS_LOG, .args = 1};
    op.arg[0][0] = scalar(inst, in, 0);
    result[3] = literal(FRAGPROG_ONE);
    if ((inst->mask & 7) == FRAGPROG_MASK_Z) {
        op.kind = PVS_NUMBER;
        op.code = exp ? PVS_EX2 : PVS_LG2;
        emit_number(p, &op, FRAGPROG_MASK_Z, result);
    } else if (exp && (inst->mask & 7) == FRAGPROG_MASK_Y) {
        struct pvs_op fraction = {.kind = PVS_EACH, .code = PVS_FRC, .args = 1};
        fraction.arg[0][1] = op.arg[0][0];
        emit_each(p, &fraction, FRAGPROG_MASK_Y, result);
    } else {
        emit_lanes(p, &op, inst->mask & 7u, result);
    }
}

static bool is_nonzero(const struct pvs *p, const struct pvs_chan *c)
{
    if (c->file == PVS_LITERAL)
        return c->lane == FRAGPROG_ONE;
    const struct pvs_const *k = &p->konst[c->index];
    return c->file == PVS_CONST && k->origin[c->lane] == FRAGPROG_ORIGIN_IMMEDIATE && k->value[c->lane] != 0;
}

/* LIT: (1, max(x,0), x > 0 ? max(y,0)^w : 0, 1). The engine computes 0^0 as 0 and GL requires 1. So the base
 * is replaced by max(y, smallest normal number), unless the exponent is known to be nonzero. */
static void lit(struct pvs *p, const struct fragprog_inst *inst, const struct pvs_op *in,
                struct pvs_chan result[4])
{
    struct pvs_op op = {.code = PVS_LIT, .args = 3}, max = binary(PVS_MAX);
    result[0] = result[3] = literal(FRAGPROG_ONE);
    if ((inst->mask & 6) == FRAGPROG_MASK_Y) {
        max.arg[0][1] = in->arg[0][0];
        max.arg[1][1] = literal(FRAGPROG_ZERO);
        emit_each(p, &max, FRAGPROG_MASK_Y, result);
        return;
    }
    op.arg[0][0] = in->arg[0][1];
    op.arg[1][0] = in->arg[0][0];
    op.arg[2][0] = in->arg[0][3];
    if (inst->mask & FRAGPROG_MASK_Z && !is_nonzero(p, &in->arg[0][3])) {
        struct pvs_chan base[4] = {{0}};
        max.arg[0][0] = in->arg[0][1];
        max.arg[1][0] = number(p, 0x1p-126f);
        emit_each(p, &max, FRAGPROG_MASK_X, base);
        op.arg[0][0] = base[0];
    }
    emit_lanes(p, &op, inst->mask & 6u, result);
}

/* DST: (1, A.y*B.y, A.z, B.w). */
static void dst(struct pvs *p, const struct fragprog_inst *inst, const struct pvs_op *in,
                struct pvs_chan result[4])
{
    struct pvs_op op = binary(PVS_MUL);
    result[0] = literal(FRAGPROG_ONE);
    result[2] = in->arg[0][2];
    result[3] = in->arg[1][3];
    op.arg[0][1] = in->arg[0][1];
    op.arg[1][1] = in->arg[1][1];
    emit_each(p, &op, inst->mask & FRAGPROG_MASK_Y, result);
}

static void cross(struct pvs *p, unsigned mask, const struct pvs_op *in, struct pvs_chan result[4])
{
    struct pvs_op mul = binary(PVS_MUL), mad = {.kind = PVS_EACH, .code = PVS_MAD, .args = 3};
    struct pvs_chan part[4] = {{0}};
    for (unsigned c = 0; c < 3; c++) {
        mul.arg[0][c] = in->arg[0][(c + 2) % 3];
        mul.arg[1][c] = in->arg[1][(c + 1) % 3];
        mad.arg[0][c] = in->arg[0][(c + 1) % 3];
        mad.arg[1][c] = in->arg[1][(c + 2) % 3];
    }
    emit_each(p, &mul, mask & 7, part);
    for (unsigned c = 0; c < 3; c++)
        mad.arg[2][c] = negated(part[c]);
    emit_each(p, &mad, mask & 7, result);
}

/* LRP: A*B + (1-A)*C = A*(B-C) + C. */
static void lerp(struct pvs *p, unsigned mask, const struct pvs_op *in, struct pvs_chan result[4])
{
    struct pvs_op sub = binary(PVS_ADD), mad = {.kind = PVS_EACH, .code = PVS_MAD, .args = 3};
    memcpy(sub.arg[0], in->arg[1], sizeof sub.arg[0]);
    for (unsigned c = 0; c < 4; c++)
        sub.arg[1][c] = negated(in->arg[2][c]);
    emit_each(p, &sub, mask, mad.arg[1]);
    memcpy(mad.arg[0], in->arg[0], sizeof mad.arg[0]);
    memcpy(mad.arg[2], in->arg[2], sizeof mad.arg[2]);
    emit_each(p, &mad, mask, result);
}

/* Records a relative load; operands that read its result read the array element directly. */
static void load(struct pvs *p, const struct fragprog_inst *inst, const struct pvs_op *in,
                 struct pvs_chan result[4])
{
    struct pvs_load l = {.address = scalar(inst, in, 0),
                         .array = inst->target,
                         .offset = (int16_t)(inst->texture - FRAGPROG_LOAD_ZERO)};
    if (p->nloads == PVS_LOADS) {
        hwemit_pvs_refuse_long(p);
        return;
    }
    if (l.address.file == PVS_LOADED) { /* the address register cannot be loaded relative to itself */
        struct pvs_op copy = binary(PVS_ADD);
        struct pvs_chan copied[4] = {{0}};
        copy.arg[0][0] = l.address;
        copy.arg[1][0] = literal(FRAGPROG_ZERO);
        emit_each(p, &copy, FRAGPROG_MASK_X, copied);
        l.address = copied[0];
    }
    for (unsigned c = 0; c < 4; c++)
        result[c] = (struct pvs_chan){.file = PVS_LOADED, .lane = (uint8_t)c, .index = p->nloads};
    p->load[p->nloads++] = l;
}

/* ---- instructions ---- */

static void scale(struct pvs *p, const struct fragprog_inst *inst, struct pvs_chan result[4])
{
    struct pvs_op op = binary(PVS_MUL);
    const float k = inst->scale < 0 ? 1 / (float)(1 << -inst->scale) : (float)(1 << inst->scale);
    for (unsigned c = 0; inst->scale && c < 4; c++) {
        op.arg[0][c] = result[c];
        op.arg[1][c] = number(p, k);
    }
    if (inst->scale)
        emit_each(p, &op, inst->mask, result);
}

/* Translates instructions that act on each channel. Returns false for others. */
static bool by_channel(struct pvs *p, const struct fragprog_inst *inst, struct pvs_op *in,
                       struct pvs_chan result[4])
{
    static const uint8_t codes[FRAGPROG_OPS] = {
        [FRAGPROG_ADD] = PVS_ADD, [FRAGPROG_SUB] = PVS_ADD, [FRAGPROG_MUL] = PVS_MUL,
        [FRAGPROG_MAD] = PVS_MAD, [FRAGPROG_MIN] = PVS_MIN, [FRAGPROG_MAX] = PVS_MAX,
        [FRAGPROG_SGE] = PVS_SGE, [FRAGPROG_SLT] = PVS_SLT, [FRAGPROG_FRC] = PVS_FRC};
    if (!codes[inst->op])
        return false;
    for (unsigned c = 0; inst->op == FRAGPROG_SUB && c < 4; c++)
        in->arg[1][c].neg = !in->arg[1][c].neg;
    in->code = codes[inst->op];
    in->args = (uint8_t)fragprog_op_args(inst->op);
    emit_each(p, in, inst->mask, result);
    return true;
}

static bool compute(struct pvs *p, const struct fragprog_inst *inst, struct pvs_op *in,
                    struct pvs_chan result[4])
{
    switch (inst->op) {
    case FRAGPROG_MOV: memcpy(result, in->arg[0], sizeof in->arg[0]); break;
    case FRAGPROG_VEC: /* in each channel one of the arguments is 0 */
        for (unsigned c = 0; c < 4; c++)
            result[c] = in->arg[inst->src[0].lane[c] == FRAGPROG_ZERO][c];
        break;
    case FRAGPROG_DOT3:
    case FRAGPROG_DOT4:
    case FRAGPROG_DOT2ADD:
    case FRAGPROG_DPH: sum(p, inst, in, result); break;
    case FRAGPROG_RCP:
    case FRAGPROG_RSQ:
    case FRAGPROG_EX2:
    case FRAGPROG_LG2:
    case FRAGPROG_POW: function(p, inst, in, result); break;
    case FRAGPROG_EXP:
    case FRAGPROG_LOG: exp_or_log(p, inst, in, result); break;
    case FRAGPROG_FLR: floor_of(p, in, inst->mask, result); break;
    case FRAGPROG_LIT: lit(p, inst, in, result); break;
    case FRAGPROG_DST: dst(p, inst, in, result); break;
    case FRAGPROG_XPD: cross(p, inst->mask, in, result); break;
    case FRAGPROG_LERP: lerp(p, inst->mask, in, result); break;
    case FRAGPROG_LOAD: load(p, inst, in, result); break;
    default: return by_channel(p, inst, in, result);
    }
    return true;
}

static void instruction(struct pvs *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->ir->inst[i];
    struct pvs_op in = {.kind = PVS_EACH};
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        operand(p, inst, s, &in);
    if (inst->op == FRAGPROG_OUT) {
        struct pvs_output *out = &p->output[inst->texture];
        memcpy(out->chan, in.arg[0], sizeof out->chan);
        out->mask = inst->mask;
    } else if (inst->clamp || !compute(p, inst, &in, p->result[i].chan)) {
        p->failed = true;
        hwemit_refuse(p->why, -1, "operation", "a program without it", "operation %s%s: not on this engine",
                      fragprog_op_text(inst->op), inst->clamp ? " with a clamp" : "");
        return;
    }
    scale(p, inst, p->result[i].chan);
}

/* ---- the program ---- */

static bool constants(struct pvs *p)
{
    if (p->ir->nkonst > PVS_CONSTS - 16)
        return refuse_constants(p);
    p->nconsts = p->ir->nkonst;
    for (unsigned k = 0; k < p->nconsts; k++) {
        struct pvs_const *to = &p->konst[k];
        const struct fragprog_const *from = &p->ir->konst[k];
        *to = (struct pvs_const){.array = from->array};
        for (unsigned c = 0; c < 4; c++) {
            to->value[c] = from->value[c];
            to->origin[c] = from->origin[c].unit;
            to->component[c] = from->origin[c].component;
        }
    }
    return true;
}

/* Computes the position as fixed function does: the rows of the modelview-projection matrix times the vertex.
 */
static void fixed_position(struct pvs *p)
{
    static const char row[] = "state.matrix.mvp.row[0]";
    int32_t first;
    struct pvs_op dot = {.kind = PVS_SUM, .code = PVS_DOT, .args = 2};
    fragprog_read_origin(&first, row, sizeof row - 1);
    for (unsigned r = 0; r < 4; r++) {
        struct pvs_const *k = &p->konst[p->nconsts];
        *k = (struct pvs_const){.array = 0};
        for (unsigned c = 0; c < 4; c++) {
            k->origin[c] = first + (int32_t)r;
            k->component[c] = (uint8_t)c;
            dot.arg[0][c] = (struct pvs_chan){.file = PVS_CONST, .lane = (uint8_t)c, .index = p->nconsts};
            dot.arg[1][c] = (struct pvs_chan){
                .file = PVS_INPUT, .lane = (uint8_t)c, .index = FRAGPROG_ATTRIB_POSITION};
        }
        p->nconsts++;
        emit_number(p, &dot, 1u << r, p->output[0].chan);
    }
}

bool hwemit_pvs_select(struct pvs *p)
{
    if (!constants(p))
        return false;
    if (p->ir->invariant)
        fixed_position(p);
    for (unsigned i = 0; i < p->ir->ninst && !p->failed; i++)
        instruction(p, i);
    if (p->failed)
        return false;
    for (unsigned c = 0; c < 4 && !p->ir->invariant; c++)
        p->output[0].chan[c] = p->result[p->ir->result[c == 3]].chan[c];
    p->output[0].mask = FRAGPROG_MASK_XYZW;
    for (unsigned i = 0; i < p->nops; i++)
        p->op[i].order = 2 * i;
    return true;
}
