/* Converts registers of ARB programs to values. For each channel of a register the reader tracks the value
 * that was written last, so masked writes need no instruction. An operand whose channels come from several
 * values reads a vec of them. */
#include "fragprog/fragprog.h"
#include "fragprog/lang/arbfp_read.h"
#include "fragprog/operand.h"

#include <string.h>

void fragprog_arbfp_clear(struct arbfp_register *reg)
{
    for (unsigned c = 0; c < 4; c++)
        reg->value[c] = ARBFP_UNWRITTEN;
    reg->mask = 0;
}

void fragprog_arbfp_write(struct arbfp_register *reg, unsigned mask, unsigned value)
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            reg->value[c] = (uint16_t)value;
    if (reg->mask & mask)
        reg->mask = 0;
}

bool fragprog_arbfp_append(struct arbfp_reader *r, const struct fragprog_inst *inst, unsigned *value)
{
    if (r->p->ninst == r->p->maxinst || r->p->ninst == ARBFP_UNWRITTEN - 1)
        return fragprog_arbfp_fail(r, "size", "more instructions than there is room for");
    *value = fragprog_append(r->p, inst);
    return true;
}

/* ---- reading registers ---- */

/* Adds a vec that combines channels of one more value with the value *made, which has the channels `done`. */
static bool gather_one(struct arbfp_reader *r, unsigned value, unsigned channels, unsigned *made,
                       unsigned done)
{
    struct fragprog_inst vec = arbfp_operation(FRAGPROG_VEC, channels | done);
    vec.src[0] = fragprog_src_value(*made);
    vec.src[1] = fragprog_src_value(value);
    for (unsigned c = 0; c < 4; c++) {
        if (!(done >> c & 1))
            vec.src[0].lane[c] = FRAGPROG_ZERO;
        if (!(channels >> c & 1))
            vec.src[1].lane[c] = FRAGPROG_ZERO;
    }
    return fragprog_arbfp_append(r, &vec, made);
}

/* Combines these channels of the register (a set of bits; all were written) in one value. */
static bool gather(struct arbfp_reader *r, struct arbfp_register *reg, unsigned channels, unsigned *value)
{
    unsigned done = 0, made = ARBFP_UNWRITTEN;
    if (reg->mask && (channels & ~(unsigned)reg->mask) == 0) {
        *value = reg->gathered;
        return true;
    }
    for (unsigned c = 0; c < 4; c++) {
        unsigned same = 0;
        if (!(channels & ~done & 1u << c))
            continue;
        for (unsigned d = c; d < 4; d++)
            if (channels >> d & 1 && reg->value[d] == reg->value[c])
                same |= 1u << d;
        if (made == ARBFP_UNWRITTEN)
            made = reg->value[c];
        else if (!gather_one(r, reg->value[c], same, &made, done))
            return false;
        done |= same;
    }
    if (made != reg->value[0] && made != reg->value[1] && made != reg->value[2] && made != reg->value[3]) {
        reg->gathered = (uint16_t)made;
        reg->mask = (uint8_t)channels;
    }
    *value = made;
    return true;
}

static void warn_undefined(const struct arbfp_reader *r, const struct arbfp_place *from, unsigned channels)
{
    char names[5];
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1)
            names[n++] = "xyzw"[c];
    names[n] = 0;
    texenv_emit(r->sink, TEXENV_WARNING, -1, from->at, "undefined",
                "undefined: channel%s %s of %.*s %s no value here; taken as 0", n > 1 ? "s" : "", names,
                (int)(from->length < 60 ? from->length : 60), from->name, n > 1 ? "have" : "has");
}

/* Makes *src read lanes of a register. Channels that were never written are 0. */
static bool from_register(struct arbfp_reader *r, const struct arbfp_operand *o, unsigned lanes,
                          struct fragprog_src *src)
{
    struct arbfp_register *reg = o->from.reg;
    unsigned channels = 0, undefined = 0, value;
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1 && o->lane[i] <= FRAGPROG_W) {
            if (reg->value[o->lane[i]] == ARBFP_UNWRITTEN) {
                undefined |= 1u << o->lane[i];
                src->lane[i] = FRAGPROG_ZERO;
            } else {
                channels |= 1u << o->lane[i];
            }
        }
    if (undefined)
        warn_undefined(r, &o->from, undefined);
    src->file = FRAGPROG_LITERAL;
    if (!channels)
        return true;
    if (!gather(r, reg, channels, &value))
        return false;
    src->file = FRAGPROG_VALUE;
    src->index = (uint16_t)value;
    return true;
}

/* If all lanes of a constant that are read are the same 0, 1 or 1/2, makes the source a literal. */
static void to_literal(const struct arbfp_reader *r, unsigned lanes, struct fragprog_src *src)
{
    struct fragprog_src literal = *src;
    for (unsigned i = 0; i < 4; i++) {
        float v = 0;
        const unsigned c = src->lane[i];
        if (!(lanes >> i & 1)) {
            literal.lane[i] = FRAGPROG_ZERO;
            continue;
        }
        if (c <= FRAGPROG_W) {
            if (src->file != FRAGPROG_CONST || r->p->konst[src->index].origin[c].unit >= 0)
                return;
            v = r->p->konst[src->index].value[c];
            const float magnitude = v < 0 ? -v : v;
            if (magnitude != 0 && magnitude != 0.5f && magnitude != 1)
                return;
            literal.lane[i] = magnitude == 0 ? FRAGPROG_ZERO : magnitude == 1 ? FRAGPROG_ONE : FRAGPROG_HALF;
            if (v < 0)
                literal.negate ^= (uint8_t)(1u << i);
        }
    }
    double value;
    literal.file = FRAGPROG_LITERAL;
    literal.index = 0;
    if (fragprog_literal_value(&literal, lanes, &value) && fragprog_literal_source(src, value))
        return; /* else the source remains a constant */
}

bool fragprog_arbfp_source(struct arbfp_reader *r, const struct arbfp_operand *o, unsigned lanes,
                           struct fragprog_src *src)
{
    *src = (struct fragprog_src){
        .file = o->from.file, .index = o->from.index, .negate = (uint8_t)(o->negate & lanes)};
    for (unsigned i = 0; i < 4; i++)
        src->lane[i] = lanes >> i & 1 ? o->lane[i] : FRAGPROG_ZERO;
    if (o->abs)
        src->mods = FRAGPROG_ABS, src->negate = 0;
    else if (o->negate == 15) /* the whole operand is negated */
        src->mods = FRAGPROG_NEG, src->negate = 0;
    if (o->from.file == ARBFP_REGISTER && !from_register(r, o, lanes, src))
        return false;
    for (unsigned i = 0; i < 4; i++) /* the fog coordinate is (f, 0, 0, 1) */
        if ((src->file == FRAGPROG_FOGCOORD ||
             (src->file == FRAGPROG_ATTRIB && src->index == FRAGPROG_ATTRIB_FOGCOORD)) &&
            src->lane[i] <= FRAGPROG_W && src->lane[i] != FRAGPROG_X)
            src->lane[i] = src->lane[i] == FRAGPROG_W ? FRAGPROG_ONE : FRAGPROG_ZERO;
    if (src->file != FRAGPROG_VALUE && src->file != FRAGPROG_LITERAL)
        to_literal(r, lanes, src);
    return true;
}

/* ---- the end ---- */

static bool append(struct arbfp_reader *r, struct fragprog_inst inst, unsigned *value)
{
    return fragprog_arbfp_append(r, &inst, value);
}

/* 1/ln 2 */
static const float log2_of_e = 1.44269504f;

/* Computes the fog factor, that is the weight of the fragment's colour in the blend with the fog colour (the
 * specification, 3.11.4.5.1). */
static bool fog_factor(struct arbfp_reader *r, unsigned *f)
{
    const struct fragprog_src coord = fragprog_src_replicate(FRAGPROG_FOGCOORD, 0, FRAGPROG_X);
    struct fragprog_inst inst = arbfp_operation(FRAGPROG_MUL, FRAGPROG_MASK_X);
    struct fragprog_const k = {.value = {log2_of_e, log2_of_e, log2_of_e, log2_of_e}};
    uint16_t params;
    unsigned t = 0;
    if (!fragprog_arbfp_uploaded(r, fragprog_origin_of_state(FRAGPROG_BINDING_FOG_PARAMS, 0), &params))
        return false;
    inst.src[0] = fragprog_src_replicate(FRAGPROG_CONST, params, FRAGPROG_X);
    inst.src[1] = coord;
    if (r->fog == TEXENV_FOG_LINEAR) { /* (end - c) / (end - start) */
        inst.op = FRAGPROG_SUB;
        inst.src[0] = fragprog_src_replicate(FRAGPROG_CONST, params, FRAGPROG_Z);
        if (!append(r, inst, &t))
            return false;
        inst = arbfp_operation(FRAGPROG_MUL, FRAGPROG_MASK_X);
        inst.clamp = FRAGPROG_SAT;
        inst.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, t, FRAGPROG_X);
        inst.src[1] = fragprog_src_replicate(FRAGPROG_CONST, params, FRAGPROG_W);
        return append(r, inst, f);
    }
    if (!append(r, inst, &t))
        return false;
    inst.src[0] = inst.src[1] = fragprog_src_replicate(FRAGPROG_VALUE, t, FRAGPROG_X);
    if (r->fog == TEXENV_FOG_EXP2 && !append(r, inst, &t))
        return false;
    for (unsigned c = 0; c < 4; c++)
        k.origin[c].unit = FRAGPROG_ORIGIN_IMMEDIATE;
    if (r->p->nkonst == r->p->maxkonst)
        return fragprog_arbfp_fail(r, "size", "more constants than there is room for");
    inst.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, t, FRAGPROG_X);
    inst.src[1] = fragprog_src_replicate(FRAGPROG_CONST, r->p->nkonst, FRAGPROG_X);
    r->p->konst[r->p->nkonst++] = k;
    if (!append(r, inst, &t))
        return false;
    inst = arbfp_operation(FRAGPROG_EX2, FRAGPROG_MASK_X);
    inst.clamp = FRAGPROG_SAT;
    inst.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, t, FRAGPROG_X);
    inst.src[0].mods = FRAGPROG_NEG;
    return append(r, inst, f);
}

/* Blends the clamped colour xyz with fog. */
static bool add_fog(struct arbfp_reader *r, unsigned *color)
{
    struct fragprog_inst blend = arbfp_operation(FRAGPROG_LERP, FRAGPROG_MASK_XYZ);
    uint16_t fog_color;
    unsigned f = 0;
    if (!fog_factor(r, &f) ||
        !fragprog_arbfp_uploaded(r, fragprog_origin_of_state(FRAGPROG_BINDING_FOG_COLOR, 0), &fog_color))
        return false;
    blend.clamp = FRAGPROG_SAT;
    blend.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, f, FRAGPROG_X);
    blend.src[1] = fragprog_src_value(*color);
    blend.src[2] = fragprog_src_value(fog_color);
    blend.src[2].file = FRAGPROG_CONST;
    return append(r, blend, color);
}

bool fragprog_arbfp_copy_output(struct arbfp_reader *r, unsigned output, const char *name,
                                struct fragprog_inst inst, unsigned *value)
{
    const struct arbfp_operand o = {.from = {.file = ARBFP_REGISTER,
                                             .reg = &r->output[output],
                                             .at = r->place,
                                             .name = name,
                                             .length = strlen(name)},
                                    .lane = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W}};
    return fragprog_arbfp_source(r, &o, inst.mask, &inst.src[0]) && append(r, inst, value);
}

/* Emits the channels of an output, clamped to [0,1], as an instruction. */
static bool limited(struct arbfp_reader *r, unsigned output, struct fragprog_inst inst, unsigned *value)
{
    inst.clamp = FRAGPROG_SAT;
    return fragprog_arbfp_copy_output(r, output, output == ARBFP_DEPTH ? "result.depth" : "result.color",
                                      inst, value);
}

static bool color_result(struct arbfp_reader *r)
{
    const struct arbfp_register *reg = &r->output[0];
    const bool one = reg->value[0] != ARBFP_UNWRITTEN && reg->value[0] == reg->value[1] &&
        reg->value[0] == reg->value[2] && reg->value[0] == reg->value[3] && !r->fog;
    unsigned color, alpha;
    if (!limited(r, 0, arbfp_operation(FRAGPROG_MOV, one ? FRAGPROG_MASK_XYZW : FRAGPROG_MASK_XYZ), &color))
        return false;
    if (r->fog && !add_fog(r, &color))
        return false;
    alpha = color;
    if (!one && !limited(r, 0, arbfp_operation(FRAGPROG_MOV, FRAGPROG_MASK_W), &alpha))
        return false;
    r->p->result[0] = (uint16_t)color;
    r->p->result[1] = (uint16_t)alpha;
    return true;
}

bool fragprog_arbfp_finish(struct arbfp_reader *r)
{
    unsigned none;
    for (unsigned n = 1; n < ARBFP_OUTPUTS; n++) {
        if (!(r->outputs >> n & 1))
            continue;
        if (n < ARBFP_DEPTH && r->fog)
            return fragprog_arbfp_fail(r, "option",
                                       "fog and several colour outputs in one program are not supported: the "
                                       "extensions do not say which colours fog blends");
        struct fragprog_inst out = arbfp_operation(FRAGPROG_OUT,
                                                   n == ARBFP_DEPTH ? FRAGPROG_MASK_Z : FRAGPROG_MASK_XYZW);
        out.texture = (uint8_t)(n == ARBFP_DEPTH ? 0 : n);
        if (!limited(r, n, out, &none))
            return false;
    }
    return color_result(r);
}
