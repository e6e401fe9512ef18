/* Helper functions on instructions for the passes. */
#include "fragprog/inst.h"

/* Returns the lanes that a lookup reads: the coordinates, and the reference value of a comparison. */
static unsigned lookup_lanes(const struct fragprog_inst *inst)
{
    static const uint8_t coordinates[TEXENV_TARGETS] = {
        [TEXENV_1D] = 1, [TEXENV_2D] = 3, [TEXENV_RECT] = 3, [TEXENV_3D] = 7, [TEXENV_CUBE] = 7};
    return coordinates[inst->target] | (inst->shadow ? 4u : 0);
}

unsigned fragprog_lanes_read(const struct fragprog_inst *inst, unsigned s)
{
    switch (inst->op) {
    case FRAGPROG_TEX: return lookup_lanes(inst) | (inst->undivided || inst->target == TEXENV_CUBE ? 0 : 8u);
    case FRAGPROG_PROJ: return inst->mask | 8u;
    case FRAGPROG_TXB: return lookup_lanes(inst) | 8u;
    case FRAGPROG_LIT: /* result y reads x; result z reads x, y and w */
        return (inst->mask & 6 ? 1u : 0) | (inst->mask & 4 ? 10u : 0);
    case FRAGPROG_DST: return inst->mask & (s ? 10u : 6u);
    case FRAGPROG_XPD: /* each channel reads the other two */
        return (inst->mask & 6 ? 1u : 0) | (inst->mask & 5 ? 2u : 0) | (inst->mask & 3 ? 4u : 0);
    case FRAGPROG_SCS: return inst->mask & 3u;
    default: return fragprog_op_is_dot(inst->op) ? fragprog_op_lanes(inst->op, s) : inst->mask;
    }
}

unsigned fragprog_channels_read(const struct fragprog_inst *inst, unsigned s)
{
    static const uint8_t channel[] = {FRAGPROG_MASK_X, FRAGPROG_MASK_Y, FRAGPROG_MASK_Z,
                                      FRAGPROG_MASK_W, [FRAGPROG_HALF] = 0};
    const uint8_t *lane = inst->src[s].lane;
    const unsigned lanes = fragprog_lanes_read(inst, s);
    return (lanes & 1 ? channel[lane[0]] : 0u) | (lanes & 2 ? channel[lane[1]] : 0u) |
        (lanes & 4 ? channel[lane[2]] : 0u) | (lanes & 8 ? channel[lane[3]] : 0u);
}

#define LANE(lanes, i) ((lanes) >> (i)&1 ? 255 : 0)
#define LANES(lanes) \
    { \
        LANE(lanes, 0), LANE(lanes, 1), LANE(lanes, 2), LANE(lanes, 3) \
    }
#define FOUR(lanes) LANES(lanes), LANES((lanes) + 1), LANES((lanes) + 2), LANES((lanes) + 3)
const uint8_t fragprog_lane_masks[16][4] = {FOUR(0), FOUR(4), FOUR(8), FOUR(12)};

unsigned fragprog_append(struct fragprog *p, const struct fragprog_inst *inst)
{
    p->inst[p->ninst] = *inst;
    return p->ninst++;
}

unsigned fragprog_insert(struct fragprog *p, unsigned at, const struct fragprog_inst *inst)
{
    struct fragprog_inst copy = *inst; /* inst may point into the array that is shifted */
    for (unsigned i = p->ninst; i > at; i--) {
        p->inst[i] = p->inst[i - 1];
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_VALUE && p->inst[i].src[s].index >= at)
                p->inst[i].src[s].index++;
    }
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] >= at)
            p->result[h]++;
    p->inst[at] = copy;
    p->ninst++;
    return at;
}

void fragprog_replace_value(struct fragprog *p, unsigned from, unsigned to)
{
    for (unsigned k = from + 1; k < p->ninst; k++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[k].op); s++)
            if (p->inst[k].src[s].file == FRAGPROG_VALUE && p->inst[k].src[s].index == from)
                p->inst[k].src[s].index = (uint16_t)to;
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] == from)
            p->result[h] = (uint16_t)to;
}

struct fragprog_src fragprog_src_value(unsigned value)
{
    return (struct fragprog_src){.file = FRAGPROG_VALUE,
                                 .index = (uint16_t)value,
                                 .lane = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W}};
}

struct fragprog_src fragprog_src_replicate(unsigned file, unsigned index, unsigned lane)
{
    uint8_t l = (uint8_t)lane;
    return (struct fragprog_src){.file = (uint8_t)file, .index = (uint16_t)index, .lane = {l, l, l, l}};
}
