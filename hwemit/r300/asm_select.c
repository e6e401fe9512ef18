/* Instruction selection for ARB fragment programs. Copies and `vec` are propagated by operand channel, so
 * they need no operation. */
#include "hwemit/r300/asm.h"

#include <string.h>

bool hwemit_asm_refuse_long(struct asm_program *a)
{
    a->failed = true;
    return hwemit_refuse(a->why, -1, "alu", "a shorter program",
                         "the program needs more ALU instructions than the chip has (%u)",
                         (unsigned)a->p->chip->alu);
}

/* ---- values and operations ---- */

uint16_t hwemit_asm_new_value(struct asm_program *a, unsigned source, unsigned components)
{
    if (a->nvalues == ASM_VALUES) {
        hwemit_asm_refuse_long(a);
        return 0;
    }
    struct asm_value *v = &a->value[a->nvalues];
    *v = (struct asm_value){.source = (uint8_t)source,
                            .components = (uint8_t)components,
                            .unit = a->nvalues,
                            .lane = 0xff,
                            .writer = {NONE, NONE, NONE, NONE}};
    a->unit[a->nvalues] = (struct asm_unit){.parent = a->nvalues};
    return a->nvalues++;
}

struct asm_op *hwemit_asm_emit(struct asm_program *a, const struct asm_op *op)
{
    if (a->nops == ASM_OPS || a->failed) {
        hwemit_asm_refuse_long(a);
        return NULL;
    }
    struct asm_op *to = &a->op[a->nops];
    const bool number = op->kind != ASM_VECTOR;
    *to = *op;
    to->order = a->nops;
    to->value = hwemit_asm_new_value(a, ASM_RESULT, number ? 1 : op->mask);
    struct asm_value *v = &a->value[to->value];
    v->number = number;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1)
            v->writer[c] = a->nops;
    a->unit[to->value].lanes = number ? 0 : op->mask;
    a->nops++;
    return to;
}

struct asm_chan hwemit_asm_literal(unsigned lane)
{
    return (struct asm_chan){.file = ASM_LITERAL, .lane = (uint8_t)lane};
}

struct asm_chan hwemit_asm_negated(struct asm_chan c)
{
    c.neg = !c.neg;
    return c;
}

/* Literals of this compiler are numbered after the constants of the program. */
struct asm_chan hwemit_asm_constant(struct asm_program *a, float value)
{
    unsigned n = 0;
    while (n < a->nnumbers && a->number[n] != value)
        n++;
    if (n == a->nnumbers)
        a->number[a->nnumbers++] = value;
    return (struct asm_chan){.file = ASM_CONST, .index = (uint16_t)(a->ir->nkonst + n)};
}

void hwemit_asm_number(struct asm_program *a, const struct asm_op *op, struct asm_chan *result)
{
    const struct asm_op *made = hwemit_asm_emit(a, op);
    *result = (struct asm_chan){.file = ASM_VALUE, .index = made ? made->value : 0};
}

static bool same(const struct asm_chan *x, const struct asm_chan *y)
{
    return x->file == y->file && x->lane == y->lane && x->index == y->index && x->neg == y->neg;
}

/* Returns whether all channels compute the same. */
static bool uniform(const struct asm_op *op, unsigned mask)
{
    unsigned first = 0;
    while (!(mask >> first & 1))
        first++;
    for (unsigned s = 0; s < 3; s++)
        for (unsigned c = 0; c < 4; c++)
            if (mask >> c & 1 && !same(&op->arg[s][c], &op->arg[s][first]))
                return false;
    return true;
}

static void one_channel(struct asm_program *a, const struct asm_op *op, unsigned channel,
                        struct asm_chan *result)
{
    struct asm_op number = *op;
    number.kind = ASM_SCALAR;
    number.mask = 1;
    for (unsigned s = 0; s < 3; s++)
        number.arg[s][0] = op->arg[s][channel];
    hwemit_asm_number(a, &number, result);
}

void hwemit_asm_channels(struct asm_program *a, const struct asm_op *op, unsigned mask,
                         struct asm_chan result[4])
{
    const unsigned colour = mask & 7;
    if (!mask)
        return;
    if (uniform(op, mask)) {
        struct asm_chan r;
        unsigned first = 0;
        while (!(mask >> first & 1))
            first++;
        one_channel(a, op, first, &r);
        for (unsigned c = 0; c < 4; c++)
            if (mask >> c & 1)
                result[c] = r;
        return;
    }
    if (colour & (colour - 1)) {
        struct asm_op vector = *op;
        vector.kind = ASM_VECTOR;
        vector.mask = (uint8_t)colour;
        const struct asm_op *made = hwemit_asm_emit(a, &vector);
        for (unsigned c = 0; c < 3 && made; c++)
            if (colour >> c & 1)
                result[c] = (struct asm_chan){.file = ASM_VALUE, .lane = (uint8_t)c, .index = made->value};
    } else
        for (unsigned c = 0; c < 3; c++)
            if (colour >> c & 1)
                one_channel(a, op, c, &result[c]);
    if (mask & FRAGPROG_MASK_W)
        one_channel(a, op, 3, &result[3]);
}

/* ---- operands ---- */

static uint16_t input(struct asm_program *a, unsigned what, unsigned index)
{
    for (unsigned i = 0; i < a->ninputs; i++)
        if (a->input[i].what == what && a->input[i].index == index)
            return a->input[i].value;
    if (a->ninputs == HWEMIT_INPUTS) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "inputs", "fewer coordinate sets",
                      "the program reads more than %d colours and coordinates", HWEMIT_INPUTS);
        return 0;
    }
    const uint16_t v = hwemit_asm_new_value(a, ASM_INPUT, FRAGPROG_MASK_XYZW);
    a->value[v].from = a->ninputs;
    a->unit[v].lanes = FRAGPROG_MASK_XYZW;
    a->unit[v].fixed = true;
    a->input[a->ninputs].what = (uint8_t)what;
    a->input[a->ninputs].index = (uint8_t)index;
    a->input[a->ninputs++].value = v;
    return v;
}

static struct asm_chan read_channel(struct asm_program *a, const struct fragprog_src *src, unsigned channel)
{
    const uint8_t lane = src->lane[channel];
    struct asm_chan c = {.lane = lane};
    if (lane > FRAGPROG_W || src->file == FRAGPROG_LITERAL)
        c.file = ASM_LITERAL;
    else if (src->file == FRAGPROG_VALUE)
        c = a->result[src->index].chan[lane];
    else if (src->file == FRAGPROG_CONST) {
        c.file = ASM_CONST;
        c.index = src->index;
    } else {
        static const uint8_t what[] = {[FRAGPROG_PRIMARY] = HWEMIT_COLOR,
                                       [FRAGPROG_SECONDARY] = HWEMIT_COLOR,
                                       [FRAGPROG_COORD] = HWEMIT_COORD,
                                       [FRAGPROG_FOGCOORD] = HWEMIT_FOGCOORD,
                                       [FRAGPROG_POSITION] = HWEMIT_POSITION};
        c.file = ASM_VALUE;
        c.index = input(a, what[src->file],
                        src->file == FRAGPROG_COORD           ? src->index
                            : src->file == FRAGPROG_SECONDARY ? 1u
                                                              : 0u);
    }
    c.neg ^= src->negate >> channel & 1;
    return c;
}

/* Applies the modifiers 1 - x, x - 1/2 and 2x by an operation. */
static void affine(struct asm_program *a, const struct fragprog_src *src, unsigned lanes, struct asm_op *op,
                   unsigned s)
{
    struct asm_op add = {.code = OP_MAD, .unit = op->unit, .scale = src->mods & FRAGPROG_2X ? 1 : 0};
    const bool comp = src->mods & FRAGPROG_COMP, bias = src->mods & FRAGPROG_BIAS;
    for (unsigned c = 0; c < 4; c++) {
        if (!(lanes >> c & 1))
            continue;
        struct asm_chan offset = hwemit_asm_literal(bias       ? FRAGPROG_HALF
                                                        : comp ? FRAGPROG_ONE
                                                               : FRAGPROG_ZERO);
        offset.neg = bias && !comp;
        add.arg[0][c] = comp ? hwemit_asm_negated(op->arg[s][c]) : op->arg[s][c];
        add.arg[1][c] = hwemit_asm_literal(FRAGPROG_ONE);
        add.arg[2][c] = offset;
    }
    add.abs = op->abs >> s & 1;
    op->abs &= (uint8_t) ~(1u << s);
    hwemit_asm_channels(a, &add, lanes, op->arg[s]);
}

static void operand(struct asm_program *a, const struct fragprog_inst *inst, unsigned s, struct asm_op *op)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes_read(inst, s);
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1) {
            op->arg[s][c] = read_channel(a, src, c);
            if (src->mods & FRAGPROG_ABS)
                op->arg[s][c].neg = false;
        }
    if (src->mods & FRAGPROG_ABS)
        op->abs |= (uint8_t)(1u << s);
    if (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X))
        affine(a, src, lanes, op, s);
    if (src->mods & FRAGPROG_NEG)
        for (unsigned c = 0; c < 4; c++)
            op->arg[s][c].neg ^= 1;
}

/* ---- lookups ---- */

static bool refuse_lookup(struct asm_program *a, const struct fragprog_inst *inst)
{
    const enum generation g = a->p->chip->generation;
    if (inst->op != FRAGPROG_KIL && inst->shadow)
        return hwemit_refuse(a->why, inst->unit, "shadow", "a lookup without comparison",
                             "texture %u: the chip does not compare depths in its lookup, and the "
                             "comparison's function is not part of the program",
                             (unsigned)inst->texture);
    if (inst->op != FRAGPROG_KIL && inst->target == TEXENV_RECT && g != R500)
        return hwemit_refuse(a->why, inst->unit, "target", "a 2D texture",
                             "texture %u: the chip has no coordinates in texels, and their size is not part "
                             "of the program",
                             (unsigned)inst->texture);
    if (inst->op != FRAGPROG_KIL && inst->texture >= HWEMIT_TEXTURES)
        return hwemit_refuse(a->why, inst->unit, "textures", "fewer textures", "texture %u: the chip has %d",
                             (unsigned)inst->texture, HWEMIT_TEXTURES);
    return hwemit_refuse(a->why, inst->unit, "textures", "fewer lookups",
                         "the program needs more than %u texture instructions", (unsigned)a->p->chip->tex);
}

/* Copies the operand of a KIL, which cannot be |x|. The copy x*1 + 0 also turns -0 into 0, because r500 would
 * kill at -0 (notes/facts/r300.md 2.1). */
static void copy_killer(struct asm_program *a, struct asm_lookup *l, unsigned mask, unsigned abs)
{
    struct asm_op sum = {.code = OP_MAD, .unit = -1, .abs = (uint8_t)abs};
    for (unsigned c = 0; c < 4; c++) {
        sum.arg[0][c] = l->coord[c];
        sum.arg[1][c] = hwemit_asm_literal(FRAGPROG_ONE);
        sum.arg[2][c] = hwemit_asm_literal(FRAGPROG_ZERO);
    }
    hwemit_asm_channels(a, &sum, mask, l->coord);
    l->order = a->nops;
}

static void lookup(struct asm_program *a, unsigned i, const struct asm_op *op)
{
    static const uint8_t coordinates[TEXENV_TARGETS] = {
        [TEXENV_1D] = 1, [TEXENV_2D] = 3, [TEXENV_RECT] = 3, [TEXENV_3D] = 7, [TEXENV_CUBE] = 7};
    const struct fragprog_inst *inst = &a->ir->inst[i];
    const bool kil = inst->op == FRAGPROG_KIL;
    if (a->nlookups == a->p->chip->tex ||
        (!kil &&
         (inst->shadow || inst->texture >= HWEMIT_TEXTURES ||
          (inst->target == TEXENV_RECT && a->p->chip->generation != R500)))) {
        a->failed = true;
        refuse_lookup(a, inst);
        return;
    }
    struct asm_lookup *l = &a->lookup[a->nlookups++];
    *l = (struct asm_lookup){.unit = inst->unit, .value = NONE, .order = a->nops};
    memcpy(l->coord, op->arg[0], sizeof l->coord);
    if (kil) { /* KIL compares all four channels; set unused ones to 1 */
        l->op = TEX_KIL;
        l->needs = FRAGPROG_MASK_XYZW;
        for (unsigned c = 0; c < 4; c++)
            if (!(inst->mask >> c & 1))
                l->coord[c] = hwemit_asm_literal(FRAGPROG_ONE);
        if (a->p->chip->generation == R500 || op->abs)
            copy_killer(a, l, inst->mask, op->abs);
        return;
    }
    const bool divides = inst->op == FRAGPROG_TEX && !inst->undivided && inst->target != TEXENV_CUBE;
    l->op = inst->op == FRAGPROG_TXB ? TEX_TXB : divides ? TEX_TXP : TEX_LD;
    l->texture = inst->texture;
    l->target = inst->target;
    l->needs = coordinates[inst->target] | (l->op == TEX_LD ? 0 : FRAGPROG_MASK_W);
    l->set = inst->src[0].file == FRAGPROG_COORD ? (uint8_t)inst->src[0].index : inst->texture;
    l->value = hwemit_asm_new_value(a, ASM_TEXEL, FRAGPROG_MASK_XYZW);
    a->value[l->value].from = (uint16_t)(a->nlookups - 1);
    a->unit[l->value].lanes = FRAGPROG_MASK_XYZW;
    a->unit[l->value].fixed = true;
    for (unsigned c = 0; c < 4; c++)
        a->result[i].chan[c] = (struct asm_chan){.file = ASM_VALUE, .lane = (uint8_t)c, .index = l->value};
}

/* ---- instructions ---- */

static void fill(struct asm_op *op, unsigned s, unsigned literal)
{
    for (unsigned c = 0; c < 4; c++)
        op->arg[s][c] = hwemit_asm_literal(literal);
}

static void negate(struct asm_op *op, unsigned s)
{
    for (unsigned c = 0; c < 4; c++)
        op->arg[s][c].neg ^= 1;
}

/* Translates an operation that acts on each channel (notes/facts/r300.md 2.1). Returns false if it does not.
 */
static bool by_channel(struct asm_op *op, unsigned ir_op)
{
    static const uint8_t codes[FRAGPROG_OPS] = {
        [FRAGPROG_MIN] = OP_MIN,  [FRAGPROG_MAX] = OP_MAX, [FRAGPROG_CND] = OP_CND,
        [FRAGPROG_CND0] = OP_CMP, [FRAGPROG_FRC] = OP_FRC, [FRAGPROG_MAD] = OP_MAD};
    op->code = codes[ir_op];
    switch (ir_op) {
    case FRAGPROG_MOV:
        fill(op, 1, FRAGPROG_ONE);
        fill(op, 2, FRAGPROG_ZERO);
        return true;
    case FRAGPROG_MUL: fill(op, 2, FRAGPROG_ZERO); return true;
    case FRAGPROG_SUB: negate(op, 1); /* fall through */
    case FRAGPROG_ADD:
        memcpy(op->arg[2], op->arg[1], sizeof op->arg[2]);
        op->abs = (uint8_t)((op->abs & 1) | (op->abs & 2) << 1);
        fill(op, 1, FRAGPROG_ONE);
        return true;
    default: return op->code != OP_MAD || ir_op == FRAGPROG_MAD;
    }
}

static bool copies(unsigned ir_op, const struct asm_op *op)
{
    return ir_op == FRAGPROG_MOV && !op->scale && !op->clamp && !op->abs;
}

/* In each channel of a `vec` one of the two arguments is 0, so it is a copy of the other (with |x|: their
 * sum). */
static unsigned collect(const struct fragprog_inst *inst, struct asm_op *op)
{
    if (op->abs)
        return FRAGPROG_ADD;
    for (unsigned c = 0; c < 4; c++)
        if (inst->src[0].lane[c] == FRAGPROG_ZERO)
            op->arg[0][c] = op->arg[1][c];
    return FRAGPROG_MOV;
}

static void dot(struct asm_program *a, struct asm_op *op, unsigned ir_op, struct asm_chan chan[4])
{
    op->kind = ir_op == FRAGPROG_DOT3 ? ASM_DOT3 : ASM_DOT4;
    op->code = ir_op == FRAGPROG_DOT3 ? OP_DP3 : OP_DP4;
    if (ir_op == FRAGPROG_DPH) /* A.w is 1 */
        op->arg[0][3] = hwemit_asm_literal(FRAGPROG_ONE);
    hwemit_asm_number(a, op, &chan[0]);
    chan[1] = chan[2] = chan[3] = chan[0];
}

static void output(struct asm_program *a, const struct fragprog_inst *inst, const struct asm_chan chan[4])
{
    if (inst->texture >= ASM_TARGETS) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "outputs", "fewer colour outputs", "the chip has %d colour outputs",
                      ASM_TARGETS);
        return;
    }
    struct asm_output *o = &a->output[inst->texture ? inst->texture : ASM_TARGETS];
    o->mask |= inst->mask;
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            o->chan[c] = chan[c];
}

/* Clamps to [-8,8] by MIN and MAX. */
static void limit(struct asm_program *a, const struct fragprog_inst *inst, struct asm_chan chan[4])
{
    const struct asm_chan most = hwemit_asm_constant(a, 8);
    struct asm_op op = {.unit = inst->unit};
    for (unsigned n = 0; n < 2; n++) {
        op.code = n ? OP_MAX : OP_MIN;
        for (unsigned c = 0; c < 4; c++) {
            op.arg[0][c] = chan[c];
            op.arg[1][c] = n ? hwemit_asm_negated(most) : most;
        }
        hwemit_asm_channels(a, &op, inst->mask, chan);
    }
}

static void instruction(struct asm_program *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->ir->inst[i];
    struct asm_chan *chan = a->result[i].chan;
    struct asm_op op = {.scale = inst->scale, .clamp = inst->clamp == FRAGPROG_SAT, .unit = inst->unit};
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        operand(a, inst, s, &op);
    const unsigned ir_op = inst->op == FRAGPROG_OUT ? FRAGPROG_MOV
        : inst->op == FRAGPROG_VEC                  ? collect(inst, &op)
                                                    : inst->op;
    if (fragprog_op_is_lookup(ir_op) || ir_op == FRAGPROG_KIL)
        lookup(a, i, &op);
    else if (copies(ir_op, &op))
        memcpy(chan, op.arg[0], sizeof op.arg[0]);
    else if (by_channel(&op, ir_op))
        hwemit_asm_channels(a, &op, inst->mask, chan);
    else if (ir_op == FRAGPROG_DOT3 || ir_op == FRAGPROG_DOT4 || ir_op == FRAGPROG_DPH)
        dot(a, &op, ir_op, chan);
    else if (!hwemit_asm_expand(a, inst, &op, chan)) {
        a->failed = true;
        hwemit_refuse(a->why, inst->unit, "operation", "a program without it",
                      "operation %s: not on this chip", fragprog_op_text(inst->op));
    }
    if (inst->clamp == FRAGPROG_SAT8 && !a->failed)
        limit(a, inst, chan);
    if (inst->op == FRAGPROG_OUT)
        output(a, inst, chan);
}

/* Sorts the inputs, which arrive in temporaries 0, 1, ...: colours, coordinates, fog, position
 * (notes/facts/r300.md 1). At least one must be interpolated even if none is read. */
static void sort_inputs(struct asm_program *a)
{
    if (!a->ninputs)
        input(a, HWEMIT_COLOR, 0);
    for (unsigned i = 1; i < a->ninputs; i++)
        for (unsigned k = i; k > 0 &&
             (a->input[k].what << 8 | a->input[k].index) <
                 (a->input[k - 1].what << 8 | a->input[k - 1].index);
             k--) {
            const struct asm_input t = a->input[k];
            a->input[k] = a->input[k - 1];
            a->input[k - 1] = t;
        }
    unsigned interpolated = 0;
    for (unsigned i = 0; i < a->ninputs; i++) {
        a->value[a->input[i].value].from = (uint16_t)i;
        interpolated += a->input[i].what != HWEMIT_COLOR;
    }
    const unsigned most = a->p->chip->generation == R500 ? 16 : 8;
    if (interpolated > most) {
        a->failed = true;
        hwemit_refuse(a->why, -1, "inputs", "fewer coordinate sets",
                      "the program reads %u coordinates, the chip interpolates %u", interpolated, most);
    }
}

bool hwemit_asm_select(struct asm_program *a)
{
    for (unsigned i = 0; i < a->ir->ninst && !a->failed; i++)
        instruction(a, i);
    for (unsigned h = 0; h < 2 && !a->failed; h++)
        for (unsigned c = h ? 3 : 0; c < (h ? 4u : 3u); c++)
            a->output[0].chan[c] = a->result[a->ir->result[h]].chan[c];
    a->output[0].mask = FRAGPROG_MASK_XYZW;
    if (!a->failed)
        sort_inputs(a);
    return !a->failed;
}
