/* From the intermediate program to operations of the chip on single numbers. What a channel of an operand
 * reads is followed through copies and `vec`, so that neither takes an operation; an operation that was done
 * before on the same operands is not done again. */
#include "hwemit/ir3/ir3.h"
#include "fragprog/algebra/derived.h"

#include <string.h>

bool hwemit_ir3_refuse_long(struct ir3 *s)
{
    if (!s->failed)
        hwemit_refuse(s->why, -1, "instructions", "a shorter program",
                      "the program has more operations than the %u that are worked on here",
                      (unsigned)s->maxops);
    s->failed = true;
    return false;
}

/* ---- values and numbers ---- */

uint16_t hwemit_ir3_new_value(struct ir3 *s)
{
    if (s->nvalues == s->maxvalues) {
        hwemit_ir3_refuse_long(s);
        return 0;
    }
    s->value[s->nvalues] = (struct ir3_value){.follows = IR3_NO_VALUE, .followed = IR3_NO_VALUE};
    return s->nvalues++;
}

static struct ir3_src scalar(struct ir3 *s, const struct ir3_scalar *x)
{
    unsigned n = 0;
    while (n < s->nscalars &&
           (s->scalar[n].origin != x->origin ||
            (x->origin == FRAGPROG_ORIGIN_IMMEDIATE ? s->scalar[n].value != x->value
                                                    : s->scalar[n].component != x->component)))
        n++;
    if (n == IR3_SCALARS) {
        if (!s->failed)
            hwemit_refuse(s->why, -1, "constants", "fewer constants",
                          "the program reads more than %d different numbers", IR3_SCALARS);
        s->failed = true;
        n = 0;
    } else if (n == s->nscalars) {
        s->scalar[n] = *x;
        s->scalar[s->nscalars++].slot = IR3_NO_SLOT;
    }
    return (struct ir3_src){.file = IR3_SCALAR, .index = (uint16_t)n};
}

struct ir3_src hwemit_ir3_immediate(struct ir3 *s, float value)
{
    const struct ir3_scalar x = {.origin = FRAGPROG_ORIGIN_IMMEDIATE, .value = value == 0 ? 0 : value};
    return scalar(s, &x);
}

const float *hwemit_ir3_own(const struct ir3 *s, struct ir3_src x)
{
    return x.file == IR3_SCALAR && s->scalar[x.index].origin == FRAGPROG_ORIGIN_IMMEDIATE
        ? &s->scalar[x.index].value
        : NULL;
}

bool hwemit_ir3_is_number(const struct ir3 *s, struct ir3_src x, float value)
{
    const float *own = hwemit_ir3_own(s, x);
    return own && *own == value;
}

struct ir3_src hwemit_ir3_negated(struct ir3 *s, struct ir3_src x)
{
    const float *own = hwemit_ir3_own(s, x);
    if (own)
        return hwemit_ir3_immediate(s, -*own);
    x.neg = !x.neg;
    return x;
}

struct ir3_src hwemit_ir3_absolute(struct ir3 *s, struct ir3_src x)
{
    const float *own = hwemit_ir3_own(s, x);
    if (own)
        return *own < 0 ? hwemit_ir3_immediate(s, -*own) : x;
    x.neg = 0;
    x.abs = 1;
    return x;
}

/* ---- operations ---- */

static bool same_src(const struct ir3_src *x, const struct ir3_src *y)
{
    return x->file == y->file && x->neg == y->neg && x->abs == y->abs && x->index == y->index;
}

static bool same_op(const struct ir3_op *x, const struct ir3_op *y)
{
    if (x->kind != y->kind || x->code != y->code || x->cond != y->cond || x->sat != y->sat || x->n != y->n)
        return false;
    for (unsigned n = 0; n < x->n; n++)
        if (!same_src(&x->src[n], &y->src[n]))
            return false;
    return true;
}

static unsigned hash(const struct ir3_op *op)
{
    uint32_t h = op->kind * 31u + op->code * 7u + op->cond + op->sat * 3u;
    for (unsigned n = 0; n < op->n; n++)
        h = h * 0x9e3779b1u +
            (op->src[n].index * 8u + op->src[n].file * 4u + op->src[n].neg * 2u + op->src[n].abs);
    return h >> 7 & (IR3_HASH - 1);
}

/* Appends; the values of a lookup are its caller's. */
static struct ir3_op *append(struct ir3 *s, const struct ir3_op *op)
{
    if (s->failed || s->nops == s->maxops) {
        hwemit_ir3_refuse_long(s);
        return NULL;
    }
    s->op[s->nops] = *op;
    return &s->op[s->nops++];
}

/* In [0,1]: what a clamp need not change (fragprog.h: struct fragprog, unbounded; FRAGPROG_ORIGINS). */
static bool is_unit(const struct ir3 *s, struct ir3_src x)
{
    const float *own = hwemit_ir3_own(s, x);
    const int32_t colours = s->ir->unbounded ? TEXENV_UNITS : FRAGPROG_ORIGINS;
    if (own)
        return *own >= 0 && *own <= 1;
    if (x.neg)
        return false;
    if (x.file == IR3_VALUE)
        return s->value[x.index].unit;
    const int32_t origin = s->scalar[x.index].origin;
    if (origin < FRAGPROG_ORIGIN_DERIVED)
        return origin < colours;
    const struct fragprog_interval range = fragprog_derived_range(origin);
    return range.lo >= 0 && range.hi <= 1;
}

/* So is the result, whatever the inputs are. */
static bool gives_unit(const struct ir3 *s, const struct ir3_op *op)
{
    if (op->sat)
        return true;
    switch (op->kind == IR3_TWO ? op->code : op->kind == IR3_THREE && op->code == IR3_SEL ? 0xffu : 0xfeu) {
    case IR3_BARY: return s->input[op->src[0].index / 4].what == HWEMIT_COLOR;
    case IR3_MIN:
    case IR3_MAX:
    case IR3_MUL: return is_unit(s, op->src[0]) && is_unit(s, op->src[1]);
    case IR3_ADD: /* 1 - x */
        for (unsigned n = 0; n < 2; n++) {
            struct ir3_src x = op->src[!n];
            const bool negative = x.neg;
            x.neg = 0;
            if (hwemit_ir3_is_number(s, op->src[n], 1) && negative && is_unit(s, x))
                return true;
        }
        return false;
    case 0xff: return is_unit(s, op->src[0]) && is_unit(s, op->src[2]);
    default: return false;
    }
}

struct ir3_src hwemit_ir3_do(struct ir3 *s, const struct ir3_op *op)
{
    uint16_t *const bucket = &s->bucket[hash(op)];
    for (uint16_t i = *bucket; i; i = s->op[i - 1].next)
        if (same_op(&s->op[i - 1], op))
            return (struct ir3_src){.file = IR3_VALUE, .index = s->op[i - 1].value};
    struct ir3_op *made = append(s, op);
    if (!made)
        return (struct ir3_src){.file = IR3_VALUE};
    made->value = hwemit_ir3_new_value(s);
    s->value[made->value].op = s->nops;
    s->value[made->value].unit = gives_unit(s, made);
    made->next = *bucket;
    *bucket = s->nops;
    return (struct ir3_src){.file = IR3_VALUE, .index = made->value};
}

const struct ir3_op *hwemit_ir3_made(const struct ir3 *s, struct ir3_src x)
{
    const unsigned op = s->value[x.index].op;
    return op && x.file == IR3_VALUE ? &s->op[op - 1] : NULL;
}

/* The smaller operand first where the order does not matter, so that equal operations are found. */
static void commute(struct ir3_src *x, struct ir3_src *y)
{
    if (x->file * 65536u + x->index > y->file * 65536u + y->index) {
        const struct ir3_src t = *x;
        *x = *y;
        *y = t;
    }
}

struct ir3_src hwemit_ir3_two(struct ir3 *s, unsigned code, struct ir3_src x, struct ir3_src y, bool sat)
{
    if (code == IR3_MUL && !sat && hwemit_ir3_is_number(s, y, 1))
        return x;
    if (code == IR3_ADD && !sat && hwemit_ir3_is_number(s, y, 0))
        return x;
    commute(&x, &y);
    const struct ir3_op op = {
        .kind = IR3_TWO, .code = (uint8_t)code, .n = 2, .sat = sat, .unit = -1, .src = {x, y}};
    return hwemit_ir3_do(s, &op);
}

struct ir3_src hwemit_ir3_mad(struct ir3 *s, struct ir3_src x, struct ir3_src y, struct ir3_src z, bool sat)
{
    if (hwemit_ir3_is_number(s, x, 1) || hwemit_ir3_is_number(s, y, 1))
        return hwemit_ir3_two(s, IR3_ADD, hwemit_ir3_is_number(s, x, 1) ? y : x, z, sat);
    commute(&x, &y);
    const struct ir3_op op = {
        .kind = IR3_THREE, .code = IR3_MAD, .n = 3, .sat = sat, .unit = -1, .src = {x, y, z}};
    return hwemit_ir3_do(s, &op);
}

struct ir3_src hwemit_ir3_function(struct ir3 *s, unsigned code, struct ir3_src x)
{
    const struct ir3_op op = {.kind = IR3_FUNCTION, .code = (uint8_t)code, .n = 1, .unit = -1, .src = {x}};
    return hwemit_ir3_do(s, &op);
}

struct ir3_src hwemit_ir3_floor(struct ir3 *s, struct ir3_src x, bool sat)
{
    const struct ir3_op op = {.kind = IR3_TWO, .code = IR3_FLOOR, .n = 1, .sat = sat, .unit = -1, .src = {x}};
    return hwemit_ir3_do(s, &op);
}

struct ir3_src hwemit_ir3_saturated(struct ir3 *s, struct ir3_src x)
{
    const float *own = hwemit_ir3_own(s, x);
    if (own)
        return hwemit_ir3_immediate(s, *own < 0 ? 0 : *own > 1 ? 1 : *own);
    if (is_unit(s, x))
        return x;
    return hwemit_ir3_two(s, IR3_MAX, x, x, true);
}

struct ir3_src hwemit_ir3_choose(struct ir3 *s, unsigned cond, struct ir3_src x, struct ir3_src y,
                                 struct ir3_src a, struct ir3_src b)
{
    const struct ir3_op compare = {
        .kind = IR3_TWO, .code = IR3_CMPS, .cond = (uint8_t)cond, .n = 2, .unit = -1, .src = {x, y}};
    if (same_src(&a, &b))
        return a;
    const struct ir3_op select = {
        .kind = IR3_THREE, .code = IR3_SEL, .n = 3, .unit = -1, .src = {a, hwemit_ir3_do(s, &compare), b}};
    return hwemit_ir3_do(s, &select);
}

/* ---- operands ---- */

/* Component `lane` of an input, by way of bary.f. */
static struct ir3_src varying(struct ir3 *s, unsigned what, unsigned index, unsigned lane)
{
    unsigned n = 0;
    while (n < s->ninputs && (s->input[n].what != what || s->input[n].index != index))
        n++;
    if (n == HWEMIT_INPUTS) {
        if (!s->failed)
            hwemit_refuse(s->why, -1, "inputs", "fewer coordinate sets",
                          "the program reads more than %d colours and coordinates", HWEMIT_INPUTS);
        s->failed = true;
        n = 0;
    } else if (n == s->ninputs) {
        s->input[n].what = (uint8_t)what;
        s->input[s->ninputs++].index = (uint8_t)index;
    }
    const struct ir3_op op = {
        .kind = IR3_TWO,
        .code = IR3_BARY,
        .n = 2,
        .unit = -1,
        .src = {{.index = (uint16_t)(4 * n + lane)}, {.file = IR3_VALUE, .index = s->ij}}};
    return hwemit_ir3_do(s, &op);
}

static void fix(struct ir3 *s, uint16_t *first, unsigned reg, unsigned n)
{
    for (unsigned c = 0; c < n; c++) {
        const uint16_t v = hwemit_ir3_new_value(s);
        *first = c ? *first : v;
        s->value[v].fixed = 1;
        s->value[v].reg = (uint16_t)(reg + c);
    }
}

/* Window x and y come as whole numbers of a sixteenth of a pixel, depth and 1/w as they are (Mesa,
 * ir3_compiler_nir.c, get_frag_coord). */
static struct ir3_src position(struct ir3 *s, unsigned lane)
{
    if (s->position == IR3_NO_VALUE)
        fix(s, &s->position, IR3_FIRST_OF_POSITION, 4);
    const struct ir3_src x = {.file = IR3_VALUE, .index = (uint16_t)(s->position + lane)};
    const struct ir3_op op = {.kind = IR3_MOVE, .code = IR3_FROM_UNSIGNED, .n = 1, .unit = -1, .src = {x}};
    return lane > 1
        ? x
        : hwemit_ir3_two(s, IR3_MUL, hwemit_ir3_do(s, &op), hwemit_ir3_immediate(s, 0.0625f), false);
}

static struct ir3_src input(struct ir3 *s, const struct fragprog_src *src, unsigned lane)
{
    switch (src->file) {
    case FRAGPROG_PRIMARY: return varying(s, HWEMIT_COLOR, 0, lane);
    case FRAGPROG_SECONDARY: return varying(s, HWEMIT_COLOR, 1, lane);
    case FRAGPROG_COORD: return varying(s, HWEMIT_COORD, src->index, lane);
    case FRAGPROG_FOGCOORD: return varying(s, HWEMIT_FOGCOORD, 0, lane);
    default: return position(s, lane);
    }
}

static struct ir3_src read_channel(struct ir3 *s, const struct fragprog_src *src, unsigned channel)
{
    static const float literal[] = {[FRAGPROG_ZERO] = 0, [FRAGPROG_ONE] = 1, [FRAGPROG_HALF] = 0.5f};
    const uint8_t lane = src->lane[channel];
    struct ir3_src x;
    if (lane > FRAGPROG_W || src->file == FRAGPROG_LITERAL)
        x = hwemit_ir3_immediate(s, literal[lane]);
    else if (src->file == FRAGPROG_VALUE)
        x = s->result[src->index].chan[lane];
    else if (src->file == FRAGPROG_CONST) {
        const struct fragprog_const *k = &s->ir->konst[src->index];
        const struct ir3_scalar number = {
            .origin = k->origin[lane].unit, .component = k->origin[lane].component, .value = k->value[lane]};
        x = number.origin == FRAGPROG_ORIGIN_IMMEDIATE ? hwemit_ir3_immediate(s, number.value)
                                                       : scalar(s, &number);
    } else
        x = input(s, src, lane);
    return src->negate >> channel & 1 ? hwemit_ir3_negated(s, x) : x;
}

/* 1 - x, x - 1/2, 2x: k*x + b. Of the program's own values at once where that is exact. */
static struct ir3_src affine(struct ir3 *s, struct ir3_src x, unsigned mods)
{
    const float *own = hwemit_ir3_own(s, x);
    float k = mods & FRAGPROG_COMP ? -1 : 1, b = mods & FRAGPROG_COMP ? 1 : 0;
    b -= mods & FRAGPROG_BIAS ? 0.5f : 0;
    if (mods & FRAGPROG_2X)
        k *= 2, b *= 2;
    if (own && (float)((double)k * *own + b) == (double)k * *own + b)
        return hwemit_ir3_immediate(s, (float)((double)k * *own + b));
    if (b == 0 && k == 2)
        return hwemit_ir3_two(s, IR3_ADD, x, x, false);
    if (k == 1 || k == -1)
        return hwemit_ir3_two(s, IR3_ADD, k < 0 ? hwemit_ir3_negated(s, x) : x, hwemit_ir3_immediate(s, b),
                              false);
    return hwemit_ir3_mad(s, x, hwemit_ir3_immediate(s, k), hwemit_ir3_immediate(s, b), false);
}

static void operand(struct ir3 *s, const struct fragprog_inst *inst, unsigned n, struct ir3_src arg[4])
{
    const struct fragprog_src *src = &inst->src[n];
    const unsigned lanes = fragprog_lanes_read(inst, n);
    for (unsigned c = 0; c < 4; c++) {
        if (!(lanes >> c & 1))
            continue;
        arg[c] = read_channel(s, src, c);
        if (src->mods & FRAGPROG_ABS)
            arg[c] = hwemit_ir3_absolute(s, arg[c]);
        if (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X))
            arg[c] = affine(s, arg[c], src->mods);
        if (src->mods & FRAGPROG_NEG)
            arg[c] = hwemit_ir3_negated(s, arg[c]);
    }
}

/* ---- lookups ---- */

static bool can_look_up(struct ir3 *s, const struct fragprog_inst *inst)
{
    if (inst->texture >= HWEMIT_TEXTURES)
        hwemit_refuse(s->why, inst->unit, "textures", "fewer textures", "texture %u: there are %u samplers",
                      (unsigned)inst->texture, HWEMIT_TEXTURES);
    else
        return true;
    s->failed = true;
    return false;
}

static void bind(struct ir3 *s, const struct fragprog_inst *inst)
{
    const uint8_t coord = inst->src[0].file == FRAGPROG_COORD ? (uint8_t)inst->src[0].index : inst->texture;
    for (unsigned n = 0; n < s->textures; n++)
        if (s->texture[n].slot == inst->texture)
            return;
    s->texture[s->textures++] = (struct hwemit_texture){inst->texture, inst->texture, coord, inst->target};
}

/* A lookup in one dimension is one in two, of a texture of height 1 (Mesa, ir3_compiler_nir.c). */
static void coordinates(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[4],
                        struct ir3_op *op)
{
    static const uint8_t count[TEXENV_TARGETS] = {
        [TEXENV_1D] = 1, [TEXENV_2D] = 2, [TEXENV_RECT] = 2, [TEXENV_3D] = 3, [TEXENV_CUBE] = 3};
    const bool divided = inst->op == FRAGPROG_TEX && !inst->undivided && inst->target != TEXENV_CUBE &&
        !hwemit_ir3_is_number(s, arg[3], 1);
    const unsigned n = count[inst->target];
    struct ir3_src by = {0};
    if (divided)
        by = hwemit_ir3_function(s, IR3_RCP, arg[3]);
    for (unsigned c = 0; c < 3; c++)
        if (c < n || (c == 2 && inst->shadow))
            op->src[op->n++] = divided ? hwemit_ir3_two(s, IR3_MUL, arg[c], by, false) : arg[c];
        else if (c == 1)
            op->src[op->n++] = hwemit_ir3_immediate(s, 0.5f);
    op->three = n == 3;
    op->first = op->n;
    if (inst->op == FRAGPROG_TXB)
        op->src[op->n++] = arg[3];
}

static void lookup(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src arg[4],
                   struct ir3_src result[4])
{
    struct ir3_op op = {.kind = IR3_LOOKUP, .unit = inst->unit, .texture = inst->texture};
    if (!can_look_up(s, inst))
        return;
    bind(s, inst);
    op.code = inst->op == FRAGPROG_TXB ? IR3_SAMB : IR3_SAM;
    op.cond = inst->shadow;
    coordinates(s, inst, arg, &op);
    for (unsigned c = 0; c < 4; c++) {
        const uint16_t v = hwemit_ir3_new_value(s);
        op.value = c ? op.value : v;
        s->value[v].unit = !s->ir->unbounded;
        result[c] = (struct ir3_src){.file = IR3_VALUE, .index = v};
    }
    append(s, &op);
}

/* Each different number by a predicate of its own: the smallest of them would not do, as what min.f makes of
 * one that is no number is not known. */
static void kill(struct ir3 *s, const struct fragprog_inst *inst, const struct ir3_src arg[4])
{
    unsigned predicates = 0;
    for (unsigned c = 0; c < 4; c++) {
        struct ir3_op op = {
            .kind = IR3_COMPARE_KILL, .code = IR3_CMPS, .cond = IR3_LT, .n = 2, .unit = inst->unit};
        const float *own = hwemit_ir3_own(s, arg[c]);
        bool seen = !(inst->mask >> c & 1) || (own && *own >= 0);
        for (unsigned k = 0; k < c; k++)
            seen = seen || (inst->mask >> k & 1 && same_src(&arg[k], &arg[c]));
        op.value = IR3_NO_VALUE;
        op.predicate = (uint8_t)predicates;
        op.src[0] = arg[c];
        op.src[1] = hwemit_ir3_immediate(s, 0);
        if (!seen && append(s, &op))
            predicates++;
    }
    for (unsigned n = 0; n < predicates; n++) {
        const struct ir3_op op = {
            .kind = IR3_DO_KILL, .value = IR3_NO_VALUE, .predicate = (uint8_t)n, .unit = inst->unit};
        append(s, &op);
    }
}

/* ---- instructions ---- */

/* Scale and clamp, as far as the last operation has not done them. */
static struct ir3_src finish(struct ir3 *s, const struct fragprog_inst *inst, struct ir3_src x, bool clamped)
{
    const float k = inst->scale < 0 ? 1 / (float)(1 << -inst->scale) : (float)(1 << inst->scale);
    const bool sat = inst->clamp == FRAGPROG_SAT && !clamped;
    if (inst->scale == 1)
        x = hwemit_ir3_two(s, IR3_ADD, x, x, sat);
    else if (inst->scale)
        x = hwemit_ir3_two(s, IR3_MUL, x, hwemit_ir3_immediate(s, k), sat);
    else if (sat)
        x = hwemit_ir3_saturated(s, x);
    if (inst->clamp == FRAGPROG_SAT8) {
        x = hwemit_ir3_two(s, IR3_MIN, x, hwemit_ir3_immediate(s, 8), false);
        x = hwemit_ir3_two(s, IR3_MAX, x, hwemit_ir3_immediate(s, -8), false);
    }
    return x;
}

static void output(struct ir3 *s, const struct fragprog_inst *inst, const struct ir3_src arg[4])
{
    if (inst->texture >= IR3_TARGETS) {
        hwemit_refuse(s->why, inst->unit, "outputs", "eight colour outputs", "colour output %u: there are 8",
                      (unsigned)inst->texture);
        s->failed = true;
        return;
    }
    struct ir3_output *o = &s->output[s->noutputs++];
    *o = (struct ir3_output){.target = inst->texture, .components = 4};
    if (inst->texture)
        memcpy(o->chan, arg, sizeof o->chan);
    else { /* the depth is component z */
        o->target = IR3_DEPTH;
        o->components = 1;
        o->chan[0] = arg[2];
    }
}

static void instruction(struct ir3 *s, unsigned i)
{
    const struct fragprog_inst *inst = &s->ir->inst[i];
    struct ir3_src arg[3][4] = {{{0}}}, *result = s->result[i].chan;
    const bool sat = inst->clamp == FRAGPROG_SAT && !inst->scale;
    for (unsigned n = 0; n < fragprog_op_args(inst->op); n++)
        operand(s, inst, n, arg[n]);
    if (inst->op == FRAGPROG_OUT) {
        output(s, inst, arg[0]);
        return;
    }
    if (inst->op == FRAGPROG_KIL) {
        kill(s, inst, arg[0]);
        return;
    }
    bool clamped = false;
    if (fragprog_op_is_lookup(inst->op))
        lookup(s, inst, arg[0], result);
    else if (hwemit_ir3_operation(s, inst, arg, sat, result))
        clamped = sat;
    else {
        s->failed = true;
        hwemit_refuse(s->why, inst->unit, "operation", "a program without it",
                      "operation %s: not on this chip", fragprog_op_text(inst->op));
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1)
            result[c] = finish(s, inst, result[c], clamped);
}

bool hwemit_ir3_select(struct ir3 *s)
{
    fix(s, &s->ij, 0, 2);
    s->position = IR3_NO_VALUE;
    s->noutputs = 1; /* target 0 */
    for (unsigned i = 0; i < s->ir->ninst && !s->failed; i++)
        instruction(s, i);
    if (s->failed)
        return false;
    s->output[0] = (struct ir3_output){.target = 0, .components = 4};
    for (unsigned c = 0; c < 4; c++)
        s->output[0].chan[c] = s->result[s->ir->result[c == 3]].chan[c];
    return true;
}
