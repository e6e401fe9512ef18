/* Encodes a vertex program as words: instructions of four words, constants, and the registers that depend on
 * the program. Facts: notes/facts/r300-vertex.md 1 and 2.5. */
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_registers.h"

#include <string.h>

enum { DST_TEMP = 0, DST_ADDRESS = 1, DST_OUT = 2, DST_ALTERNATE = 4 };
enum { SRC_TEMP, SRC_INPUT, SRC_CONST, SRC_ALTERNATE };
enum { SELECT_ZERO = 4, SELECT_ONE };
enum { MACRO_MAD = 0, SHORTEST = 4, CONSTANTS = 512, CONSTANTS_R500 = 1024 };

/* The register that a source word names. */
struct place {
    uint8_t type, relative;
    uint16_t offset;
};

static struct place place_of(const struct pvs *p, const struct pvs_chan *c)
{
    struct place at = {.type = SRC_TEMP};
    if (!c)
        return at;
    if (c->file == PVS_SLOT) {
        const struct pvs_var *v = &p->var[p->slot[c->index].var];
        at.type = v->alternate ? SRC_ALTERNATE : SRC_TEMP;
        at.offset = v->reg;
    } else if (c->file == PVS_INPUT) {
        at.type = SRC_INPUT;
        at.offset = p->input_slot[c->index];
    } else if (c->file == PVS_CONST) {
        at.type = SRC_CONST;
        at.offset = p->konst[c->index].slot;
    } else {
        const struct pvs_load *l = &p->load[c->index];
        unsigned first = 0;
        while (p->konst[first].array != l->array)
            first++;
        at = (struct place){SRC_CONST, 1, (uint16_t)(p->konst[first].slot + l->offset)};
    }
    return at;
}

static unsigned lane_of(const struct pvs *p, const struct pvs_chan *c)
{
    if (c->file == PVS_LITERAL)
        return c->lane == FRAGPROG_ONE ? SELECT_ONE : SELECT_ZERO;
    if (c->file == PVS_SLOT)
        return p->var[p->slot[c->index].var].lane[p->slot[c->index].component];
    return c->lane;
}

static uint32_t source(const struct place *at, const unsigned select[4], unsigned negate)
{
    return IN(PVS_WORD_SRC, TYPE, at->type) | IN(PVS_WORD_SRC, MODE_0, at->relative) |
        IN(PVS_WORD_SRC, OFFSET, at->offset) | IN(PVS_WORD_SRC, X, select[0]) |
        IN(PVS_WORD_SRC, Y, select[1]) | IN(PVS_WORD_SRC, Z, select[2]) | IN(PVS_WORD_SRC, W, select[3]) |
        (uint32_t)negate << R_PVS_WORD_SRC_NEG_X;
}

/* Returns the mask of destination lanes that component c is written to. */
static unsigned written(const struct pvs *p, const struct pvs_op *op, unsigned c)
{
    if (op->out >= 0)
        return op->lanes[c];
    return op->slot[c] == NONE ? 0
                               : 1u << p->var[p->slot[op->slot[c]].var].lane[p->slot[op->slot[c]].component];
}

/* Encodes argument s. Unused lanes and arguments select 0; unused arguments name a register that the
 * instruction reads anyway (spare). */
static uint32_t argument(const struct pvs *p, const struct pvs_op *op, unsigned s, const struct place *spare)
{
    const struct pvs_chan *reg = s < op->args ? hwemit_pvs_register(op, s) : NULL;
    const struct place at = reg ? place_of(p, reg) : *spare;
    unsigned select[4] = {SELECT_ZERO, SELECT_ZERO, SELECT_ZERO, SELECT_ZERO}, negate = 0;
    for (unsigned c = 0; s < op->args && c < hwemit_pvs_channels(op); c++) {
        const struct pvs_chan *chan = &op->arg[s][c];
        const unsigned lanes = op->kind == PVS_EACH ? written(p, op, c) : op->kind == PVS_SUM ? 1u << c : 15;
        for (unsigned l = 0; l < 4; l++)
            if (lanes >> l & 1) {
                select[l] = lane_of(p, chan);
                negate |= (unsigned)chan->neg << l;
            }
    }
    return source(&at, select, negate);
}

static uint32_t second_half(const struct pvs *p, const struct pvs_op *m, const struct place *spare)
{
    const struct pvs_chan *reg = hwemit_pvs_register(m, 0);
    const struct place at = reg ? place_of(p, reg) : *spare;
    const struct pvs_var *v = &p->var[p->slot[m->slot[0]].var];
    const struct pvs_chan *b = &m->arg[m->args > 1][0];
    return IN(PVS_WORD_MATH, TYPE, at.type) | IN(PVS_WORD_MATH, OPCODE_4, m->code >> 4) |
        IN(PVS_WORD_MATH, OFFSET, at.offset) | IN(PVS_WORD_MATH, A, lane_of(p, &m->arg[0][0])) |
        IN(PVS_WORD_MATH, B, lane_of(p, b)) | IN(PVS_WORD_MATH, ALTERNATE, v->reg) |
        IN(PVS_WORD_MATH, OPCODE, m->code & 15) | IN(PVS_WORD_MATH, NEGATE_A, m->arg[0][0].neg) |
        IN(PVS_WORD_MATH, NEGATE_B, b->neg) | IN(PVS_WORD_MATH, LANE, v->lane[p->slot[m->slot[0]].component]);
}

/* Returns whether the operation is a MAD of three different temporaries, which needs the two-clock macro
 * form. */
static bool is_macro(const struct pvs *p, const struct pvs_op *op)
{
    struct place at[3];
    if (op->kind != PVS_EACH || op->code != PVS_MAD)
        return false;
    for (unsigned s = 0; s < 3; s++) {
        const struct pvs_chan *c = hwemit_pvs_register(op, s);
        at[s] = place_of(p, c);
        if (!c || at[s].type != SRC_TEMP)
            return false;
    }
    return at[0].offset != at[1].offset && at[0].offset != at[2].offset && at[1].offset != at[2].offset;
}

static uint32_t destination(const struct pvs *p, const struct pvs_op *op)
{
    unsigned type = DST_TEMP, offset = 0, lanes = 0;
    for (unsigned c = 0; c < op->components; c++) {
        lanes |= written(p, op, c);
        if (op->out < 0 && op->slot[c] != NONE) {
            const struct pvs_var *v = &p->var[p->slot[op->slot[c]].var];
            type = v->alternate ? DST_ALTERNATE : DST_TEMP;
            offset = v->reg;
        }
    }
    if (op->out >= 0) {
        type = DST_OUT;
        offset = p->output[op->out];
    }
    if (op->kind == PVS_ADDRESS) {
        type = DST_ADDRESS;
        lanes = 1;
    }
    const bool macro = is_macro(p, op);
    return IN(PVS_WORD_DST, OPCODE, macro ? MACRO_MAD : op->code) |
        IN(PVS_WORD_DST, MATH, op->kind == PVS_NUMBER || op->kind == PVS_LANES) |
        IN(PVS_WORD_DST, MACRO, macro) | IN(PVS_WORD_DST, TYPE, type) | IN(PVS_WORD_DST, OFFSET, offset) |
        IN(PVS_WORD_DST, WRITE, lanes) | IN(PVS_WORD_DST, DUAL, op->second != NONE);
}

/* Returns a register that one of the halves reads, or NULL if there are only literals. */
static const struct pvs_chan *any_register(const struct pvs *p, const struct pvs_op *op)
{
    const struct pvs_chan *any = op->second == NONE ? NULL : hwemit_pvs_register(&p->math[op->second], 0);
    for (unsigned s = op->args; s-- > 0;)
        any = hwemit_pvs_register(op, s) ? hwemit_pvs_register(op, s) : any;
    return any;
}

static void instruction(const struct pvs *p, const struct pvs_op *op, struct hwemit_code *code)
{
    const struct pvs_op *m = op->second == NONE ? NULL : &p->math[op->second];
    const struct place spare = place_of(p, any_register(p, op));
    hwemit_add(code, R_PVS_WORD_DST, destination(p, op));
    for (unsigned s = 0; s < 3; s++)
        hwemit_add(code, R_PVS_WORD_SRC,
                   s == 2 && m ? second_half(p, m, &spare) : argument(p, op, s, &spare));
}

/* ---- register numbers ---- */

static bool reads_input(const struct pvs_op *op)
{
    for (unsigned s = 0; s < op->args; s++) {
        const struct pvs_chan *c = hwemit_pvs_register(op, s);
        if (c && c->file == PVS_INPUT)
            return true;
    }
    return false;
}

static void use(struct pvs *p, const struct pvs_op *op)
{
    for (unsigned s = 0; s < op->args; s++) {
        const struct pvs_chan *c = hwemit_pvs_register(op, s);
        if (c && c->file == PVS_INPUT)
            p->input_slot[c->index] = 0;
    }
}

/* Numbers the constants. Arrays come last, at addresses so high that no relative offset is negative. Returns
 * the number of slots. */
static unsigned number_constants(struct pvs *p)
{
    unsigned n = 0;
    for (unsigned k = 0; k < p->nconsts; k++)
        if (!p->konst[k].array)
            p->konst[k].slot = (uint16_t)n++;
    for (unsigned k = 0; k < p->nconsts; k++) {
        if (!p->konst[k].array)
            continue;
        for (unsigned l = 0; l < p->nloads; l++)
            if (p->load[l].array == p->konst[k].array && (!k || p->konst[k - 1].array != p->konst[k].array) &&
                (int)n + p->load[l].offset < 0)
                n = (unsigned)-p->load[l].offset;
        p->konst[k].slot = (uint16_t)n++;
    }
    return n;
}

static bool offsets_fit(const struct pvs *p)
{
    for (unsigned l = 0; l < p->nloads; l++)
        for (unsigned k = 0; k < p->nconsts; k++)
            if (p->konst[k].array == p->load[l].array && (!k || p->konst[k - 1].array != p->konst[k].array) &&
                p->konst[k].slot + p->load[l].offset > 255)
                return false;
    return true;
}

static bool number_inputs(struct pvs *p, struct hwemit_code *code)
{
    for (unsigned a = 0; a < FRAGPROG_ATTRIBS; a++) {
        if (p->input_slot[a] == 0xff)
            continue;
        if (p->ninputs == HWEMIT_INPUTS)
            return hwemit_refuse(p->why, -1, "inputs", "fewer attributes",
                                 "the program reads more than the %d attributes that there are",
                                 HWEMIT_INPUTS);
        hwemit_add_input(code, p->ninputs, HWEMIT_ATTRIB, a);
        p->input_slot[a] = (uint8_t)p->ninputs++;
    }
    return true;
}

/* Numbers the outputs: position, point size, colours, texture coordinates; fog is passed as a further texture
 * coordinate. With the secondary colour or a back colour, the primary colour must be present; with a back
 * colour, all four colours (notes/facts/r300-vertex.md 2.5). */
static bool number_outputs(struct pvs *p, struct hwemit_code *code, uint32_t format[2])
{
    static const uint8_t order[] = {0,
                                    FRAGPROG_OUT_POINTSIZE,
                                    FRAGPROG_OUT_COLOR0,
                                    FRAGPROG_OUT_COLOR1,
                                    FRAGPROG_OUT_BACK_COLOR0,
                                    FRAGPROG_OUT_BACK_COLOR1};
    uint32_t outs = 1;
    unsigned texcoords = 0, reg = 0;
    for (unsigned i = 0; i < p->nops; i++)
        if (p->op[i].out >= 0)
            outs |= UINT32_C(1) << p->op[i].out;
    if (outs & (1u << FRAGPROG_OUT_BACK_COLOR0 | 1u << FRAGPROG_OUT_BACK_COLOR1))
        outs |= 1u << FRAGPROG_OUT_COLOR1 | 1u << FRAGPROG_OUT_BACK_COLOR0 | 1u << FRAGPROG_OUT_BACK_COLOR1;
    if (outs & 1u << FRAGPROG_OUT_COLOR1)
        outs |= 1u << FRAGPROG_OUT_COLOR0;
    format[0] = format[1] = 0;
    for (unsigned n = 0; n < sizeof order + FRAGPROG_VERTEX_OUTS - FRAGPROG_OUT_TEXCOORD + 1; n++) {
        const unsigned o = n < sizeof order ? order[n]
            : n < sizeof order + FRAGPROG_VERTEX_OUTS - FRAGPROG_OUT_TEXCOORD
            ? FRAGPROG_OUT_TEXCOORD + n - (unsigned)sizeof order
            : FRAGPROG_OUT_FOGCOORD;
        if (!(outs >> o & 1))
            continue;
        if (n >= sizeof order && texcoords == 8)
            return hwemit_refuse(p->why, -1, "outputs", "fewer texture coordinates",
                                 "the program writes more than 8 texture coordinates, the fog's among them");
        if (n >= sizeof order)
            format[1] |= 4u << 3 * texcoords++;
        else
            format[0] |= o == 0 ? IN(VAP_OUT_VTX_FMT_0, POSITION, 1)
                : o == FRAGPROG_OUT_POINTSIZE
                ? IN(VAP_OUT_VTX_FMT_0, POINT_SIZE, 1)
                : IN(VAP_OUT_VTX_FMT_0, COLORS, 1u << (o - FRAGPROG_OUT_COLOR0));
        hwemit_add_output(code, reg, o);
        p->output[o] = (uint8_t)reg++;
    }
    return true;
}

/* ---- the words ---- */

static uint32_t constant_word(const float value[4], unsigned n)
{
    uint32_t bits;
    memcpy(&bits, &value[n], sizeof bits);
    return bits;
}

static void constants(const struct pvs *p, struct hwemit_code *code, unsigned n)
{
    static const float zero[4];
    hwemit_add(code, R_PVS_CONST_CNTL, IN(PVS_CONST_CNTL, LAST, n ? n - 1 : 0));
    if (!n)
        return;
    hwemit_add(code, R_VAP_PVS_VECTOR_INDX_REG,
               IN(VAP_PVS_VECTOR_INDX_REG, ADDRESS, p->chip->r500 ? CONSTANTS_R500 : CONSTANTS));
    for (unsigned slot = 0; slot < n; slot++) {
        const struct pvs_const *k = NULL;
        for (unsigned i = 0; i < p->nconsts; i++)
            k = p->konst[i].slot == slot ? &p->konst[i] : k;
        if (k)
            hwemit_add_lanes(code, slot, k->value, k->origin, k->component);
        for (unsigned c = 0; c < 4; c++)
            hwemit_add(code, R_PVS_WORD_PARAM, constant_word(k ? k->value : zero, c));
    }
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Computes how many vertices are processed at the same time, from the memory for temporaries, inputs and
 * outputs. */
static uint32_t concurrency(const struct pvs *p, const struct hwemit_code *code)
{
    const unsigned outputs = code->noutputs, inputs = p->ninputs ? p->ninputs : 1;
    const unsigned slots = least(10, least(p->chip->memory / inputs, p->chip->memory / outputs));
    return IN(VAP_CNTL, SLOTS, slots) |
        IN(VAP_CNTL, CONTROLLERS, hwemit_pvs_controllers(p->chip, p->temps, p->alternates));
}

static void program(const struct pvs *p, struct hwemit_code *code)
{
    unsigned input_end = 0, position_end = 0;
    const unsigned n = p->nops < SHORTEST ? SHORTEST : p->nops;
    for (unsigned i = 0; i < p->nops; i++) {
        const struct pvs_op *op = &p->op[i];
        if (reads_input(op) || (op->second != NONE && reads_input(&p->math[op->second])))
            input_end = i;
        if (op->out == 0)
            position_end = i;
    }
    hwemit_add(code, R_VAP_PVS_STATE_FLUSH, 0);
    hwemit_add(code, R_PVS_CODE_CNTL_0,
               IN(PVS_CODE_CNTL_0, POSITION_END, position_end) | IN(PVS_CODE_CNTL_0, LAST, n - 1));
    hwemit_add(code, R_PVS_CODE_CNTL_1, IN(PVS_CODE_CNTL_1, INPUT_END, input_end));
    hwemit_add(code, R_VAP_PVS_VECTOR_INDX_REG, 0);
    for (unsigned i = 0; i < p->nops; i++)
        instruction(p, &p->op[i], code);
    for (unsigned i = 4 * p->nops; i < 4 * n; i++)
        hwemit_add(code, i % 4 ? R_PVS_WORD_SRC : R_PVS_WORD_DST, 0);
}

bool hwemit_pvs_encode(struct pvs *p, struct hwemit_code *code)
{
    uint32_t format[2];
    for (unsigned i = 0; i < p->nops; i++) {
        /* an instruction with only literals names temporary 0 */
        if (!any_register(p, &p->op[i]) && !p->temps)
            p->temps = 1;
        use(p, &p->op[i]);
        if (p->op[i].second != NONE)
            use(p, &p->math[p->op[i].second]);
        p->duals += p->op[i].second != NONE;
    }
    const unsigned n = number_constants(p);
    if (n > p->chip->constants)
        return hwemit_refuse(p->why, -1, "constants", "fewer constants",
                             "the program needs %u constants, the chip has %u", n,
                             (unsigned)p->chip->constants);
    if (!offsets_fit(p))
        return hwemit_refuse(p->why, -1, "constants", "fewer constants, or smaller offsets",
                             "an array is addressed beyond constant 255");
    if (!number_inputs(p, code) || !number_outputs(p, code, format))
        return false;
    code->constant_word = constant_word;
    code->constant_words = 4;
    program(p, code);
    hwemit_add(code, R_VAP_CNTL, concurrency(p, code));
    hwemit_add(code, R_VAP_OUT_VTX_FMT_0, format[0]);
    hwemit_add(code, R_VAP_OUT_VTX_FMT_1, format[1]);
    hwemit_add(code, R_PVS_FLOW_CNTL_OPC, 0);
    constants(p, code, n);
    hwemit_add_stat(code, "instructions", p->nops);
    hwemit_add_stat(code, "temporaries", p->temps);
    hwemit_add_stat(code, "alternates", p->alternates);
    hwemit_add_stat(code, "controllers", hwemit_pvs_controllers(p->chip, p->temps, p->alternates));
    hwemit_add_stat(code, "dual", p->duals);
    hwemit_add_stat(code, "constants", n);
    hwemit_add_stat(code, "whole", p->whole);
    return true;
}
