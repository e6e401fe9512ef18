/* Converts programs of ATI_fragment_shader 1.8 to the intermediate program. For each
 * channel of a register, the importer tracks the value that was written last. Moves of coordinates and masked
 * writes therefore need no instruction; where an operand reads channels of several values, a VEC combines
 * them. */
#include "fragprog/names.h"
#include "fragprog/operand.h"
#include "fragprog/algebra/clamp.h"
#include "fragprog/algebra/replace.h"

#include <string.h>

/* The contents of one channel of a register: a lane of a source. */
struct channel {
    uint16_t index;
    uint8_t file, lane;
    bool undefined;
};

struct import {
    struct fragprog *p;
    const struct fragprog_atifs *program;
    struct channel reg[FRAGPROG_REGISTERS][4];
    const char **undefined;
};

static const struct channel zero = {.file = FRAGPROG_LITERAL, .lane = FRAGPROG_ZERO};
static const struct channel nothing = {.file = FRAGPROG_LITERAL, .lane = FRAGPROG_ZERO, .undefined = true};

static unsigned append(struct import *m, const struct fragprog_inst *inst)
{
    for (unsigned i = 0; i < m->p->ninst && inst->op == FRAGPROG_VEC; i++) /* reuse an equal VEC */
        if (memcmp(&m->p->inst[i], inst, sizeof *inst) == 0)
            return i;
    return fragprog_append(m->p, inst);
}

/* ---- operands from channels ---- */

static bool is_number(const struct channel *c) { return c->lane >= FRAGPROG_ZERO; }
static bool same_place(const struct channel *a, const struct channel *b)
{
    return a->file == b->file && a->index == b->index;
}

/* Returns an operand that reads channel[i] in lane i, for lanes from one source (or numbers). The unused
 * lanes are filled to give the simplest swizzle. */
static struct fragprog_src read_from(const struct channel channel[4], unsigned lanes,
                                     const struct channel *place)
{
    struct fragprog_src src = {.file = place->file, .index = place->index};
    bool identity = true;
    unsigned first = 4;
    for (unsigned i = 4; i-- > 0;)
        if (lanes >> i & 1) {
            src.lane[i] = channel[i].lane;
            identity &= channel[i].lane == i;
            first = i;
        }
    for (unsigned i = 0; i < 4; i++)
        if (!(lanes >> i & 1))
            src.lane[i] = identity && lanes & (lanes - 1) && place->file != FRAGPROG_LITERAL
                ? (uint8_t)i
                : src.lane[first];
    return src;
}

/* Returns an operand that reads channel[i] in lane i. Emits VECs if the channels come from several values. */
static struct fragprog_src collect(struct import *m, const struct channel channel[4], unsigned lanes)
{
    struct channel have[4];
    unsigned done = 0;
    const struct channel *place = NULL;
    memcpy(have, channel, sizeof have);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1) {
            if (have[i].undefined)
                *m->undefined = "a register is read that nothing has written (the extension leaves its value "
                                "undefined): it is 0 here";
            if (is_number(&have[i]))
                done |= 1u << i;
            else if (!place)
                place = &have[i];
        }
    if (!place)
        return read_from(have, lanes, &zero);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1 && !is_number(&have[i]) && same_place(&have[i], place))
            done |= 1u << i;
    while (done != lanes) { /* combine with a further source */
        const struct channel *other = NULL;
        struct fragprog_inst vec = {.op = FRAGPROG_VEC, .unit = -1};
        vec.src[0] = (struct fragprog_src){
            .file = place->file,
            .index = place->index,
            .lane = {FRAGPROG_ZERO, FRAGPROG_ZERO, FRAGPROG_ZERO, FRAGPROG_ZERO}};
        vec.src[1] = vec.src[0];
        for (unsigned i = 0; i < 4; i++) {
            if (!(lanes >> i & 1) || is_number(&have[i]))
                continue;
            if (done >> i & 1) {
                vec.src[0].lane[i] = have[i].lane;
            } else if (!other || same_place(&have[i], other)) {
                other = &have[i];
                vec.src[1].file = have[i].file;
                vec.src[1].index = have[i].index;
                vec.src[1].lane[i] = have[i].lane;
            } else {
                continue;
            }
            vec.mask |= (uint8_t)(1u << i);
        }
        done |= vec.mask;
        unsigned value = append(m, &vec);
        for (unsigned i = 0; i < 4; i++)
            if (vec.mask >> i & 1) {
                have[i] = (struct channel){
                    .file = FRAGPROG_VALUE, .index = (uint16_t)value, .lane = (uint8_t)i};
                place = &have[i];
            }
    }
    return read_from(have, lanes, place);
}

/* ---- setup instructions ---- */

/* Finds the channels that a setup instruction reads: s, t, and r or q. */
static void read_setup(const struct import *m, const struct fragprog_atifs_setup *setup,
                       struct channel from[4])
{
    for (unsigned i = 0; i < 4; i++)
        from[i] = setup->from_reg
            ? m->reg[setup->source][i]
            : (struct channel){.file = FRAGPROG_COORD, .index = setup->source, .lane = (uint8_t)i};
    if (setup->swizzle == FRAGPROG_STQ ||
        setup->swizzle == FRAGPROG_STQ_DQ) /* never of a register, which GL refuses */
        from[2] = from[3];
    if (setup->from_reg)
        from[3] = nothing;
}

/* Emits s/r, t/r, 1/r as a value. */
static unsigned project(struct import *m, const struct channel from[4])
{
    struct fragprog_inst inst = {.op = FRAGPROG_PROJ, .mask = FRAGPROG_MASK_XYZ, .unit = -1};
    inst.src[0] = collect(m, (struct channel[4]){from[0], from[1], from[2], from[2]}, 15);
    inst.src[0].lane[3] = inst.src[0].lane[2];
    inst.src[0].lane[2] = FRAGPROG_ONE;
    return append(m, &inst);
}

static void pass_coord(struct import *m, const struct fragprog_atifs_setup *setup, struct channel to[4])
{
    struct channel from[4];
    read_setup(m, setup, from);
    if (setup->swizzle == FRAGPROG_STR_DR || setup->swizzle == FRAGPROG_STQ_DQ) {
        unsigned value = project(m, from);
        for (unsigned i = 0; i < 3; i++)
            to[i] = (struct channel){.file = FRAGPROG_VALUE, .index = (uint16_t)value, .lane = (uint8_t)i};
        return;
    }
    for (unsigned i = 0; i < 3; i++)
        to[i] = from[i];
}

/* Returns an operand that is valid for a lookup: a coordinate set or a value. */
static struct fragprog_src coordinates(struct import *m, const struct channel from[4], unsigned lanes)
{
    struct fragprog_src src = collect(m, from, lanes);
    bool numbers = src.file != FRAGPROG_VALUE && src.file != FRAGPROG_COORD;
    for (unsigned i = 0; i < 4; i++)
        numbers |= lanes >> i & 1 && src.lane[i] > FRAGPROG_W;
    if (numbers) {
        struct fragprog_inst mov = {.op = FRAGPROG_MOV, .mask = (uint8_t)lanes, .unit = -1};
        mov.src[0] = src;
        src = fragprog_src_value(append(m, &mov));
    }
    return src;
}

static void sample(struct import *m, const struct fragprog_atifs_setup *setup, unsigned reg,
                   struct channel to[4])
{
    struct fragprog_inst tex = {.op = FRAGPROG_TEX, .mask = FRAGPROG_MASK_XYZW, .base = TEXENV_RGBA};
    struct channel from[4];
    bool divided = setup->swizzle == FRAGPROG_STR_DR || setup->swizzle == FRAGPROG_STQ_DQ;
    tex.texture = (uint8_t)(setup->texture >= 0 ? setup->texture : (int)reg);
    tex.target = (uint8_t)(setup->target ? setup->target - 1 : TEXENV_2D);
    tex.unit = (int8_t)tex.texture;
    read_setup(m, setup, from);
    bool three = tex.target == TEXENV_3D || tex.target == TEXENV_CUBE;
    if (!setup->from_reg &&
        ((tex.target == TEXENV_CUBE && setup->swizzle == FRAGPROG_STR) ||
         (!three && setup->swizzle == FRAGPROG_STQ_DQ))) {
        tex.src[0] = fragprog_src_value(setup->source); /* a fixed-function lookup */
        tex.src[0].file = FRAGPROG_COORD;
    } else if (three && divided) { /* undefined in ATI_fragment_shader; this is the literal meaning */
        tex.src[0] = fragprog_src_value(project(m, from));
        tex.undivided = 1;
    } else {
        tex.undivided = !divided;
        from[3] = from[2];
        unsigned lanes = (tex.target == TEXENV_1D ? 1u : three ? 7u : 3u) | (divided ? 8u : 0u);
        tex.src[0] = coordinates(m, from, lanes);
        for (unsigned i = 0; i < 4; i++) /* normalise the lanes that are not read */
            if (!(lanes >> i & 1))
                tex.src[0].lane[i] = (uint8_t)i;
    }
    unsigned value = append(m, &tex);
    for (unsigned i = 0; i < 4; i++)
        to[i] = (struct channel){.file = FRAGPROG_VALUE, .index = (uint16_t)value, .lane = (uint8_t)i};
}

/* Imports the setup instructions of a pass. All of them read the registers as the previous pass left them;
 * registers without a setup become undefined (extension, "between passes"). */
static void import_setups(struct import *m, const struct fragprog_atifs_pass *pass)
{
    struct channel after[FRAGPROG_REGISTERS][4];
    for (unsigned reg = 0; reg < FRAGPROG_REGISTERS; reg++) {
        for (unsigned i = 0; i < 4; i++)
            after[reg][i] = nothing;
        if (pass->setup[reg].op == FRAGPROG_SAMPLE)
            sample(m, &pass->setup[reg], reg, after[reg]);
        else if (pass->setup[reg].op == FRAGPROG_PASS_COORD)
            pass_coord(m, &pass->setup[reg], after[reg]);
    }
    memcpy(m->reg, after, sizeof after);
}

/* ---- arithmetic ---- */

/* Returns the channel that lane i of an argument reads, before modifiers. */
static struct channel read_lane(const struct import *m, const struct fragprog_atifs_arg *arg, unsigned i)
{
    unsigned c = arg->rep ? arg->rep - (unsigned)FRAGPROG_ATI_RED : i;
    int reg = fragprog_atifs_reg(arg), con = fragprog_atifs_con(arg);
    if (reg >= 0)
        return m->reg[reg][c];
    if (con >= 0)
        return (struct channel){.file = FRAGPROG_CONST, .index = (uint16_t)con, .lane = (uint8_t)c};
    switch (arg->source) {
    case FRAGPROG_ATI_PRIMARY: return (struct channel){.file = FRAGPROG_PRIMARY, .lane = (uint8_t)c};
    case FRAGPROG_ATI_SECONDARY: return (struct channel){.file = FRAGPROG_SECONDARY, .lane = (uint8_t)c};
    case FRAGPROG_ATI_ONE: return (struct channel){.file = FRAGPROG_LITERAL, .lane = FRAGPROG_ONE};
    default: return zero;
    }
}

static struct fragprog_src import_arg(struct import *m, const struct fragprog_atifs_arg *arg, unsigned lanes)
{
    struct channel channel[4] = {zero, zero, zero, zero};
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            channel[i] = read_lane(m, arg, i);
    struct fragprog_src src = collect(m, channel, lanes);
    src.mods = (uint8_t)((arg->mods & FRAGPROG_ATI_2X ? FRAGPROG_2X : 0) |
                         (arg->mods & FRAGPROG_ATI_COMP ? FRAGPROG_COMP : 0) |
                         (arg->mods & FRAGPROG_ATI_BIAS ? FRAGPROG_BIAS : 0) |
                         (arg->mods & FRAGPROG_ATI_NEGATE ? FRAGPROG_NEG : 0));
    return src;
}

/* Emits one half of a pair. The arguments of an alpha dot product are those of its colour half (extension,
 * "dot product instructions"). */
static unsigned import_op(struct import *m, const struct fragprog_atifs_op *op,
                          const struct fragprog_atifs_op *color, bool alpha)
{
    struct fragprog_inst inst = {.op = (uint8_t)fragprog_op_of_api(op->op), .unit = op->unit};
    const struct fragprog_atifs_op *arguments = fragprog_op_is_dot(inst.op) ? color : op;
    unsigned scale = op->mod & ~(unsigned)FRAGPROG_ATI_SATURATE;
    inst.mask = alpha ? FRAGPROG_MASK_W : op->mask;
    for (unsigned row = 0; fragprog_atifs_scales[row].text[0]; row++) /* both tables have the same rows */
        if (scale == (unsigned)fragprog_atifs_scales[row].value)
            inst.scale = (int8_t)fragprog_ir_scales[row].value;
    inst.clamp = op->mod & FRAGPROG_ATI_SATURATE ? FRAGPROG_SAT : FRAGPROG_SAT8;
    for (unsigned s = 0; s < fragprog_op_args(inst.op); s++)
        inst.src[s] = import_arg(m, &arguments->arg[s], fragprog_lanes_read(&inst, s));
    return append(m, &inst);
}

/* Imports a pair. Both halves read their operands before either writes. */
static void import_pair(struct import *m, const struct fragprog_atifs_op half[2])
{
    unsigned value[2] = {0, 0};
    for (unsigned h = 0; h < 2; h++)
        if (half[h].op)
            value[h] = import_op(m, &half[h], &half[TEXENV_RGB], h == TEXENV_ALPHA);
    for (unsigned h = 0; h < 2; h++)
        for (unsigned c = 0; c < 4 && half[h].op; c++)
            if (h == TEXENV_ALPHA ? c == 3 : half[h].mask >> c & 1)
                m->reg[half[h].dst][c] = (struct channel){
                    .file = FRAGPROG_VALUE, .index = (uint16_t)value[h], .lane = (uint8_t)c};
}

/* ---- the program ---- */

int fragprog_atifs_const_origin(const struct fragprog_atifs_const *konst)
{
    if (konst->unit >= 0)
        return konst->unit;
    switch (konst->kind) {
    case FRAGPROG_CONST_ENV: return FRAGPROG_ORIGIN_GLOBAL + konst->index;
    case FRAGPROG_CONST_LOCAL: return FRAGPROG_ORIGIN_LOCAL + konst->index;
    default: return FRAGPROG_ORIGIN_IMMEDIATE;
    }
}

static void import_const(struct fragprog_const *to, const struct fragprog_atifs_const *from)
{
    const int origin = from->used ? fragprog_atifs_const_origin(from) : FRAGPROG_ORIGIN_IMMEDIATE;
    memset(to, 0, sizeof *to);
    for (unsigned c = 0; c < 4; c++) {
        to->value[c] = from->used && from->value[c] > 0 ? from->value[c] : 0; /* -1: not known */
        to->origin[c].unit = (int8_t)origin;
        to->origin[c].component = (uint8_t)(origin >= 0 ? c : 0);
    }
}

/* Returns a value that contains these channels of r0. */
static unsigned import_result(struct import *m, unsigned mask)
{
    struct fragprog_src src = collect(m, m->reg[0], mask);
    bool in_place = src.file == FRAGPROG_VALUE;
    for (unsigned i = 0; i < 4; i++)
        in_place &= !(mask >> i & 1) || src.lane[i] == i;
    if (in_place)
        return src.index;
    struct fragprog_inst mov = {.op = FRAGPROG_MOV, .mask = (uint8_t)mask, .unit = -1};
    mov.src[0] = src;
    return append(m, &mov);
}

void fragprog_import_atifs(struct fragprog *p, const struct fragprog_atifs *program, const char **undefined,
                           void *scratch)
{
    const char *ignored;
    struct import m = {.p = p, .program = program, .undefined = undefined ? undefined : &ignored};
    *m.undefined = NULL;
    p->ninst = 0;
    p->nkonst = FRAGPROG_ATI_CONSTANTS;
    for (unsigned k = 0; k < FRAGPROG_ATI_CONSTANTS; k++)
        import_const(&p->konst[k], &program->konst[k]);
    for (unsigned pass = 0; pass < program->npasses; pass++) {
        import_setups(&m, &program->pass[pass]);
        for (unsigned pair = 0; pair < program->pass[pass].npairs; pair++)
            import_pair(&m, program->pass[pass].pair[pair].half);
    }
    p->result[TEXENV_RGB] = (uint16_t)import_result(&m, FRAGPROG_MASK_XYZ);
    p->result[TEXENV_ALPHA] = (uint16_t)import_result(&m, FRAGPROG_MASK_W);
    struct fragprog_ranges *ranges = fragprog_ranges_over(scratch, p);
    fragprog_find_ranges(ranges, p);
    fragprog_drop_idle_clamps(p, ranges, 1u << FRAGPROG_SAT8);
}
