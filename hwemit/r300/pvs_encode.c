/* Encodes a vertex program as words: instructions of four words, constants, and the registers that depend on
 * the program. Facts: notes/facts/r300-vertex.md 1 and 2.5. */
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_registers.h"

enum { DST_TEMP = 0, DST_ADDRESS = 1, DST_OUT = 2, DST_ALTERNATE = 4 };
enum { SRC_TEMP, SRC_INPUT, SRC_CONST, SRC_ALTERNATE };
enum { SELECT_ZERO = 4, SELECT_ONE };
enum { MACRO_MAD = 0, SHORTEST = 4, CONSTANTS = 512, CONSTANTS_R500 = 1024 };

/* The register that a source word names. */
struct place {
    uint8_t type, relative;
    uint16_t offset;
};

static struct place place_of(const struct machine *m, struct pvs_port port)
{
    static const uint8_t types[] = {[PVS_ALTERNATE] = SRC_ALTERNATE,
                                    [PVS_INPUT] = SRC_INPUT,
                                    [PVS_CONST] = SRC_CONST,
                                    [PVS_ELEMENT] = SRC_CONST};
    struct place at = {.type = types[port.file], .relative = port.file == PVS_ELEMENT};
    if (port.file != PVS_NOWHERE)
        at.offset = port.file == PVS_CONST ? port.index : m->value[port.index].reg;
    return at;
}

/* Returns the lane of a register, 0 or 1 that channel c of source s selects. Sets *neg to its sign. */
static unsigned lane_of(const struct machine *m, const struct machine_op *op, unsigned s, unsigned c,
                        unsigned *neg)
{
    const struct machine_src x = op->arg[s][c];
    *neg = x.neg;
    if (hwemit_machine_selected(m, x)) {
        const float number = *hwemit_machine_value(m, x);
        *neg = x.neg != (number < 0);
        return number == 0 ? SELECT_ZERO : SELECT_ONE;
    }
    if (x.file == MACHINE_NUMBER)
        return hwemit_machine_lane(m, op->slot[s], x.index);
    return m->value[x.index].kind == MACHINE_RESULT ? m->value[x.index].lane[x.lane] : x.lane;
}

/* Returns the destination lane that component c is written to. */
static unsigned written(const struct machine *m, const struct machine_op *op, unsigned c)
{
    const struct machine_value *v = &m->value[op->value];
    return v->kind == MACHINE_RESULT ? v->lane[c] : c;
}

/* Encodes argument s. Unused lanes and arguments select 0; unused arguments name a register that the
 * instruction reads anyway (spare). */
static uint32_t argument(const struct machine *m, const struct machine_op *op, unsigned s,
                         const struct place *spare)
{
    const unsigned kind = hwemit_machine_kind(op->op);
    if (op->op == MACHINE_POW && s == 2) /* sources disagree about which operand is the exponent: both are */
        s = 1;
    const struct pvs_port port = hwemit_pvs_port(m, op, s);
    const struct place at = port.file ? place_of(m, port) : *spare;
    unsigned select[4] = {SELECT_ZERO, SELECT_ZERO, SELECT_ZERO, SELECT_ZERO}, negate = 0, neg;
    for (unsigned c = 0, channels = hwemit_machine_reads(op, s); channels >> c; c++) {
        if (!(channels >> c & 1))
            continue;
        const unsigned lanes = kind == MACHINE_CHANNELS ? 1u << written(m, op, c)
            : kind == MACHINE_DOT                       ? 1u << c
                                                        : 15;
        for (unsigned l = 0; l < 4; l++)
            if (lanes >> l & 1) {
                select[l] = lane_of(m, op, s, c, &neg);
                negate |= neg << l;
            }
    }
    return IN(PVS_WORD_SRC, TYPE, at.type) | IN(PVS_WORD_SRC, MODE_0, at.relative) |
        IN(PVS_WORD_SRC, OFFSET, at.offset) | IN(PVS_WORD_SRC, X, select[0]) |
        IN(PVS_WORD_SRC, Y, select[1]) | IN(PVS_WORD_SRC, Z, select[2]) | IN(PVS_WORD_SRC, W, select[3]) |
        (uint32_t)negate << R_PVS_WORD_SRC_NEG_X;
}

/* Encodes the math half of a dual instruction. */
static uint32_t second_half(const struct machine *m, const struct machine_op *op, const struct place *spare)
{
    const struct pvs_port port = hwemit_pvs_port(m, op, 0);
    const struct place at = port.file ? place_of(m, port) : *spare;
    const unsigned code = m->target->row[op->op].code;
    unsigned neg[2];
    const unsigned a = lane_of(m, op, 0, 0, &neg[0]),
                   b = lane_of(m, op, hwemit_machine_args(op->op) > 1, 0, &neg[1]);
    return IN(PVS_WORD_MATH, TYPE, at.type) | IN(PVS_WORD_MATH, OPCODE_4, code >> 4) |
        IN(PVS_WORD_MATH, OFFSET, at.offset) | IN(PVS_WORD_MATH, A, a) | IN(PVS_WORD_MATH, B, b) |
        IN(PVS_WORD_MATH, ALTERNATE, m->value[op->value].reg) | IN(PVS_WORD_MATH, OPCODE, code & 15) |
        IN(PVS_WORD_MATH, NEGATE_A, neg[0]) | IN(PVS_WORD_MATH, NEGATE_B, neg[1]) |
        IN(PVS_WORD_MATH, LANE, written(m, op, hwemit_machine_lowest(op->mask)));
}

/* Returns whether the operation is a MAD of three different temporaries, which needs the two-clock macro
 * form. */
static bool is_macro(const struct machine *m, const struct machine_op *op)
{
    unsigned reg[3];
    for (unsigned s = 0; s < 3; s++) {
        const struct pvs_port port = hwemit_pvs_port(m, op, s);
        if (op->op != MACHINE_MAD || port.file != PVS_TEMP)
            return false;
        reg[s] = m->value[port.index].reg;
    }
    return reg[0] != reg[1] && reg[0] != reg[2] && reg[1] != reg[2];
}

static uint32_t destination(const struct machine *m, const struct machine_op *op, bool dual)
{
    const struct machine_value *v = &m->value[op->value];
    const unsigned kind = hwemit_machine_kind(op->op);
    const bool macro = is_macro(m, op), address = op->op == MACHINE_LOAD;
    const unsigned type = address     ? DST_ADDRESS
        : v->kind == MACHINE_OUTPUT   ? DST_OUT
        : v->file == PVS_IN_TEMPORARY ? DST_TEMP
                                      : DST_ALTERNATE;
    const struct pvs *p = m->own;
    const unsigned offset = address ? 0 : v->kind == MACHINE_OUTPUT ? p->output[v->reg] : v->reg;
    unsigned lanes = address;
    for (unsigned c = 0; op->mask >> c && !address; c++)
        lanes |= op->mask >> c & 1 ? 1u << written(m, op, c) : 0;
    return IN(PVS_WORD_DST, OPCODE, macro ? MACRO_MAD : m->target->row[op->op].code) |
        IN(PVS_WORD_DST, MATH, !address && (kind == MACHINE_FUNCTION || kind == MACHINE_LANES)) |
        IN(PVS_WORD_DST, MACRO, macro) | IN(PVS_WORD_DST, TYPE, type) | IN(PVS_WORD_DST, OFFSET, offset) |
        IN(PVS_WORD_DST, WRITE, lanes) | IN(PVS_WORD_DST, DUAL, dual);
}

/* Returns a register that one of the halves reads, if there is one. */
static struct pvs_port any_register(const struct machine *m, unsigned i)
{
    const struct machine_op *second = hwemit_pvs_second(m, i);
    for (unsigned s = 0; s < 3; s++) {
        const struct pvs_port port = hwemit_pvs_port(m, &m->op[i], s);
        if (port.file)
            return port;
    }
    return second ? hwemit_pvs_port(m, second, 0) : (struct pvs_port){PVS_NOWHERE, 0};
}

static void instruction(const struct machine *m, unsigned i)
{
    const struct machine_op *op = &m->op[i], *second = hwemit_pvs_second(m, i);
    const struct place spare = place_of(m, any_register(m, i));
    hwemit_add(m->code, R_PVS_WORD_DST, destination(m, op, second));
    for (unsigned s = 0; s < 3; s++)
        hwemit_add(m->code, R_PVS_WORD_SRC,
                   s == 2 && second ? second_half(m, second, &spare) : argument(m, op, s, &spare));
}

/* ---- register numbers ---- */

/* Numbers the inputs that are read, in the order of attributes, which machine.input has. */
static void number_inputs(struct machine *m)
{
    for (unsigned i = 0; i < m->ninputs; i++) {
        struct machine_value *v = &m->value[m->input[i].value];
        if (!v->components)
            continue;
        v->reg = (uint16_t)m->code->ninputs;
        hwemit_add_input(m->code, v->reg, HWEMIT_ATTRIB, m->input[i].index);
    }
}

/* Numbers the outputs: position, point size, colours, texture coordinates; fog is passed as a further texture
 * coordinate. With the secondary colour or a back colour, the primary colour must be present; with a back
 * colour, all four colours (notes/facts/r300-vertex.md 2.5). */
static bool number_outputs(struct machine *m, uint32_t format[2])
{
    enum { BACK = 1 << FRAGPROG_OUT_BACK_COLOR0 | 1 << FRAGPROG_OUT_BACK_COLOR1 };
    static const uint8_t order[] = {0,
                                    FRAGPROG_OUT_POINTSIZE,
                                    FRAGPROG_OUT_COLOR0,
                                    FRAGPROG_OUT_COLOR1,
                                    FRAGPROG_OUT_BACK_COLOR0,
                                    FRAGPROG_OUT_BACK_COLOR1};
    enum { COORDS = FRAGPROG_VERTEX_OUTS - FRAGPROG_OUT_TEXCOORD };
    struct pvs *p = m->own;
    uint32_t outs = 1;
    unsigned texcoords = 0, reg = 0;
    for (unsigned i = 0; i < m->nops; i++)
        if (m->value[m->op[i].value].kind == MACHINE_OUTPUT)
            outs |= UINT32_C(1) << m->value[m->op[i].value].reg;
    outs |= outs & BACK ? 1u << FRAGPROG_OUT_COLOR1 | BACK : 0;
    outs |= outs & 1u << FRAGPROG_OUT_COLOR1 ? 1u << FRAGPROG_OUT_COLOR0 : 0;
    format[0] = format[1] = 0;
    for (unsigned n = 0; n < sizeof order + COORDS + 1; n++) {
        const unsigned coord = n - (unsigned)sizeof order;
        const unsigned o = n < sizeof order ? order[n]
            : coord < COORDS                ? FRAGPROG_OUT_TEXCOORD + coord
                                            : FRAGPROG_OUT_FOGCOORD;
        if (!(outs >> o & 1))
            continue;
        if (n >= sizeof order && texcoords == 8)
            return MACHINE_REFUSE(m, -1, "outputs", "fewer texture coordinates",
                                  "the program writes more than 8 texture coordinates, the fog's among them");
        if (n >= sizeof order)
            format[1] |= 4u << 3 * texcoords++;
        else
            format[0] |= o == 0 ? IN(VAP_OUT_VTX_FMT_0, POSITION, 1)
                : o == FRAGPROG_OUT_POINTSIZE
                ? IN(VAP_OUT_VTX_FMT_0, POINT_SIZE, 1)
                : IN(VAP_OUT_VTX_FMT_0, COLORS, 1u << (o - FRAGPROG_OUT_COLOR0));
        hwemit_add_output(m->code, reg, o);
        p->output[o] = (uint8_t)reg++;
    }
    return true;
}

/* ---- the words ---- */

static void constants(struct machine *m)
{
    const struct pvs *p = m->own;
    hwemit_add(m->code, R_PVS_CONST_CNTL, IN(PVS_CONST_CNTL, LAST, m->nslots ? m->nslots - 1 : 0));
    if (m->nslots)
        hwemit_add(m->code, R_VAP_PVS_VECTOR_INDX_REG,
                   IN(VAP_PVS_VECTOR_INDX_REG, ADDRESS, p->chip->r500 ? CONSTANTS_R500 : CONSTANTS));
    hwemit_machine_constants(m, R_PVS_WORD_PARAM, 0);
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Computes how many vertices are processed at the same time, from the memory for temporaries, inputs and
 * outputs. */
static uint32_t concurrency(const struct pvs *p, const struct hwemit_code *code)
{
    const unsigned outputs = code->noutputs, inputs = code->ninputs ? code->ninputs : 1;
    const unsigned slots = least(10, least(p->chip->memory / inputs, p->chip->memory / outputs));
    return IN(VAP_CNTL, SLOTS, slots) | IN(VAP_CNTL, CONTROLLERS, hwemit_pvs_controllers(p));
}

static void program(const struct machine *m)
{
    const struct pvs *p = m->own;
    unsigned input_end = 0, position_end = 0, at = 0;
    const unsigned n = p->instructions < SHORTEST ? SHORTEST : p->instructions;
    for (unsigned i = 0; i < m->nops; at += !m->op[i++].joined) {
        const struct machine_value *v = &m->value[m->op[i].value];
        for (unsigned s = 0; s < 3; s++)
            if (hwemit_pvs_port(m, &m->op[i], s).file == PVS_INPUT)
                input_end = at;
        if (v->kind == MACHINE_OUTPUT && v->reg == 0)
            position_end = at;
    }
    hwemit_add(m->code, R_VAP_PVS_STATE_FLUSH, 0);
    hwemit_add(m->code, R_PVS_CODE_CNTL_0,
               IN(PVS_CODE_CNTL_0, POSITION_END, position_end) | IN(PVS_CODE_CNTL_0, LAST, n - 1));
    hwemit_add(m->code, R_PVS_CODE_CNTL_1, IN(PVS_CODE_CNTL_1, INPUT_END, input_end));
    hwemit_add(m->code, R_VAP_PVS_VECTOR_INDX_REG, 0);
    for (unsigned i = 0; i < m->nops; i++)
        if (!m->op[i].joined)
            instruction(m, i);
    for (unsigned i = 4 * at; i < 4 * n; i++)
        hwemit_add(m->code, i % 4 ? R_PVS_WORD_SRC : R_PVS_WORD_DST, 0);
}

void hwemit_pvs_encode(struct machine *m)
{
    struct pvs *p = m->own;
    struct hwemit_code *code = m->code;
    uint32_t format[2];
    unsigned duals = 0;
    for (unsigned i = 0; i < m->nops; i++) {
        /* an instruction with only literals names temporary 0 */
        if (!m->op[i].joined && !any_register(m, i).file && !p->temps)
            p->temps = 1;
        duals += hwemit_pvs_second(m, i) != NULL;
    }
    number_inputs(m);
    if (!number_outputs(m, format))
        return;
    program(m);
    hwemit_add(code, R_VAP_CNTL, concurrency(p, code));
    hwemit_add(code, R_VAP_OUT_VTX_FMT_0, format[0]);
    hwemit_add(code, R_VAP_OUT_VTX_FMT_1, format[1]);
    hwemit_add(code, R_PVS_FLOW_CNTL_OPC, 0);
    constants(m);
    hwemit_add_stat(code, "instructions", p->instructions);
    hwemit_add_stat(code, "temporaries", p->temps);
    hwemit_add_stat(code, "alternates", p->alternates);
    hwemit_add_stat(code, "controllers", hwemit_pvs_controllers(p));
    hwemit_add_stat(code, "dual", duals);
    hwemit_add_stat(code, "constants", m->nslots);
    hwemit_add_stat(code, "whole", p->whole);
}
