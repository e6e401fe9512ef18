#include "arb_guard.h"

#include <string.h>

struct guarding {
    struct fragprog *out;
    uint16_t value[ARB_GUARDED]; /* maps an instruction of the program to its guarded value in out */
    /* index of the constant with the junk; the next constant has 1e30 in x and pi in y */
    uint16_t konst;
};

static struct fragprog_src src_of(unsigned file, unsigned index)
{
    return (struct fragprog_src){.file = (uint8_t)file,
                                 .index = (uint16_t)index,
                                 .lane = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W}};
}

static struct fragprog_src replicated(struct fragprog_src src, unsigned lane)
{
    const unsigned sign = src.negate >> lane & 1;
    memset(src.lane, src.lane[lane], sizeof src.lane);
    src.negate = sign ? 15 : 0;
    return src;
}

static unsigned append(struct guarding *g, const struct fragprog_inst *inst)
{
    g->out->inst[g->out->ninst] = *inst;
    return g->out->ninst++;
}

/* Appends a selection: the result of instruction `value` where at < 0, otherwise the constant with the junk,
 * which is the number that replaces undefined results. */
static unsigned select(struct guarding *g, unsigned value, struct fragprog_src at)
{
    struct fragprog_inst inst = {.op = FRAGPROG_CND0, .mask = g->out->inst[value].mask, .unit = -1};
    inst.src[0] = src_of(FRAGPROG_CONST, g->konst);
    inst.src[1] = src_of(FRAGPROG_VALUE, value);
    inst.src[2] = at;
    return append(g, &inst);
}

/* Appends |x| - k, where k is the given lane of the constant after the junk. */
static struct fragprog_src excess(struct guarding *g, struct fragprog_src x, unsigned lane, unsigned mask)
{
    struct fragprog_inst inst = {.op = FRAGPROG_SUB, .mask = (uint8_t)mask, .unit = -1};
    x.mods = (uint8_t)((x.mods & ~FRAGPROG_NEG) | FRAGPROG_ABS);
    inst.src[0] = x;
    inst.src[1] = replicated(src_of(FRAGPROG_CONST, g->konst + 1u), lane);
    return src_of(FRAGPROG_VALUE, append(g, &inst));
}

static struct fragprog_src negative(struct fragprog_src x)
{
    x.mods ^= FRAGPROG_NEG;
    return x;
}

static struct fragprog_src negative_size(struct fragprog_src x)
{
    x.mods |= FRAGPROG_ABS | FRAGPROG_NEG;
    return x;
}

static unsigned first_channel(unsigned mask)
{
    unsigned c = 0;
    while (!(mask >> c & 1))
        c++;
    return c;
}

/* Guards an array element: it becomes junk unless the index is within the array. */
static unsigned guard_load(struct guarding *g, unsigned value, struct fragprog_src index)
{
    const struct fragprog_inst load = g->out->inst[value];
    const int added = (int)load.texture - FRAGPROG_LOAD_ZERO;
    struct fragprog_const *k = &g->out->konst[g->out->nkonst];
    struct fragprog_inst inst = {.op = FRAGPROG_FLR, .mask = load.mask, .unit = -1};
    int size = 0;
    for (unsigned i = 0; i < g->out->nkonst; i++)
        size += g->out->konst[i].array == load.target;
    *k = (struct fragprog_const){.value = {(float)-added - 0.5f, (float)(size - added) - 0.5f}};
    for (unsigned c = 0; c < 4; c++)
        k->origin[c].unit = FRAGPROG_ORIGIN_IMMEDIATE;
    inst.src[0] = index;
    const struct fragprog_src floor = src_of(FRAGPROG_VALUE, append(g, &inst)),
                              ends = src_of(FRAGPROG_CONST, g->out->nkonst++);
    inst.op = FRAGPROG_SUB;
    /* select where low - index < 0, then where index - high < 0 */
    for (unsigned high = 0; high < 2; high++) {
        inst.src[high] = replicated(ends, high);
        inst.src[!high] = floor;
        const unsigned beyond = append(g, &inst);
        value = select(g, value, src_of(FRAGPROG_VALUE, beyond));
    }
    return value;
}

static bool can_overflow(unsigned op)
{
    switch (op) {
    case FRAGPROG_ADD:
    case FRAGPROG_SUB:
    case FRAGPROG_MUL:
    case FRAGPROG_MAD:
    case FRAGPROG_LERP:
    case FRAGPROG_DOT3:
    case FRAGPROG_DOT4:
    case FRAGPROG_DPH:
    case FRAGPROG_DST:
    case FRAGPROG_XPD:
    case FRAGPROG_LIT:
    case FRAGPROG_RCP:
    case FRAGPROG_RSQ:
    case FRAGPROG_EX2:
    case FRAGPROG_EXP:
    case FRAGPROG_POW: return true;
    default: return false;
    }
}

/* Appends an instruction, whose operands already refer to out, and its guards. Returns the index of the last
 * one. */
static unsigned guard(struct guarding *g, struct fragprog_inst inst)
{
    const unsigned clamp = inst.clamp, op = inst.op;
    const bool effect = fragprog_op_has_effect(op),
               divided = fragprog_op_is_lookup(op) && op == FRAGPROG_TEX && !inst.undivided;
    const struct fragprog_src argument = fragprog_op_is_scalar(op)
        ? replicated(inst.src[0], first_channel(inst.mask))
        : inst.src[0];
    if (!effect)
        inst.clamp = FRAGPROG_NO_CLAMP; /* the clamp moves to the last guard */
    unsigned value = append(g, &inst);
    if (effect)
        return value;
    if (op == FRAGPROG_RCP || op == FRAGPROG_RSQ || op == FRAGPROG_LOG)
        value = select(g, value, negative_size(argument));
    else if (op == FRAGPROG_LG2 || op == FRAGPROG_POW)
        value = select(g, value, negative(argument));
    else if (op == FRAGPROG_SCS)
        value = select(g, value, excess(g, argument, FRAGPROG_Y, inst.mask));
    else if (op == FRAGPROG_LOAD)
        value = guard_load(g, value, argument);
    else if (divided)
        value = select(g, value, negative(replicated(inst.src[0], FRAGPROG_W)));
    if (can_overflow(op))
        value = select(g, value, excess(g, src_of(FRAGPROG_VALUE, value), FRAGPROG_X, inst.mask));
    g->out->inst[value].clamp = (uint8_t)clamp;
    return value;
}

bool arb_guard(struct fragprog *out, const struct fragprog *p, const float junk[4])
{
    static struct guarding g;
    if (p->ninst > ARB_GUARDED)
        return false;
    out->maxinst = (uint16_t)(ARB_GUARDS * p->ninst);
    out->maxkonst = (uint16_t)(p->nkonst + 2 + p->ninst);
    out->vertex = p->vertex;
    g.out = out;
    out->ninst = 0;
    out->unbounded = &fragprog_unbounded_program;
    memcpy(out->konst, p->konst, p->nkonst * sizeof *p->konst);
    g.konst = p->nkonst;
    out->nkonst = (uint16_t)(p->nkonst + 2);
    out->konst[g.konst] = (struct fragprog_const){.value = {junk[0], junk[1], junk[2], junk[3]}};
    out->konst[g.konst + 1] = (struct fragprog_const){.value = {1e30f, 3.1415927f, 0, 0}};
    for (unsigned c = 0; c < 8; c++)
        out->konst[g.konst + c / 4].origin[c % 4].unit = FRAGPROG_ORIGIN_IMMEDIATE;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst inst = p->inst[i];
        for (unsigned s = 0; s < fragprog_op_args(inst.op); s++)
            if (inst.src[s].file == FRAGPROG_VALUE)
                inst.src[s].index = g.value[inst.src[s].index];
        g.value[i] = (uint16_t)guard(&g, inst);
    }
    for (unsigned h = 0; h < 2; h++)
        out->result[h] = g.value[p->result[h]];
    return true;
}
