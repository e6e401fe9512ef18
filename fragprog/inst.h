/* What passes ask of instructions. Internal to fragprog. */
#ifndef FRAGPROG_INST_H
#define FRAGPROG_INST_H

#include "fragprog/algebra/formula.h"

#include <string.h>

/* The enumerant of an operation in the extension (0: none). */
static inline unsigned fragprog_op_api(unsigned op)
{
    static const uint16_t enumerant[FRAGPROG_OPS] = {
#define FRAGPROG_OP(id, name, args, api, formula) [FRAGPROG_##id] = api,
#include "fragprog/opcodes.def"
#undef FRAGPROG_OP
    };
    return enumerant[op];
}

/* fragprog_lower; canonical: what it and then fragprog_opt_dead and fragprog_canonicalise make. */
void fragprog_lower_for(struct fragprog *p, const struct texenv_state *state, bool canonical);
/* Parts of fragprog_canonicalise, for one instruction that is no lookup, and for one that is. */
void fragprog_order_arguments(struct fragprog_inst *inst);
void fragprog_forget_format(struct fragprog_inst *tex);

/* Appends; inserts before number `at` and renumbers what follows. The program must have room. Both give the
 * new value's number. */
unsigned fragprog_append(struct fragprog *p, const struct fragprog_inst *inst);
unsigned fragprog_insert(struct fragprog *p, unsigned at, const struct fragprog_inst *inst);
/* What reads value `from` reads value `to`, the result included. */
void fragprog_replace_value(struct fragprog *p, unsigned from, unsigned to);

/* The four lanes of a source as one word, to compare and ask of them all at once; of those of `lanes` (bits),
 * the others 0. FRAGPROG_EACH_LANE: the word in which each of them is 1. */
#define FRAGPROG_EACH_LANE UINT32_C(0x01010101)
extern const uint8_t fragprog_lane_masks[16][4];
static inline uint32_t fragprog_all_lanes(const uint8_t lane[4])
{
    uint32_t word;
    memcpy(&word, lane, sizeof word);
    return word;
}
static inline uint32_t fragprog_lane_word(const uint8_t lane[4], unsigned lanes)
{
    return fragprog_all_lanes(lane) & fragprog_all_lanes(fragprog_lane_masks[lanes]);
}
/* The lanes x y z w. */
static const uint8_t fragprog_in_place[4] = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W};
/* Each of these lanes is the one of its own name. */
static inline bool fragprog_lanes_in_place(const uint8_t lane[4], unsigned lanes)
{
    const uint32_t others = fragprog_all_lanes(lane) ^ fragprog_all_lanes(fragprog_in_place);
    return !(others & fragprog_all_lanes(fragprog_lane_masks[lanes]));
}
/* The same lane everywhere. */
static inline uint32_t fragprog_same_lanes(unsigned lane, unsigned lanes)
{
    return lane * FRAGPROG_EACH_LANE & fragprog_all_lanes(fragprog_lane_masks[lanes]);
}
/* Lanes ZERO, ONE and HALF have this bit, and channels do not. */
enum { FRAGPROG_LITERAL_LANE = FRAGPROG_ZERO };
_Static_assert(FRAGPROG_ZERO == 4 && FRAGPROG_HALF < 8, "lanes that are literals share a bit");
/* The lowest of some lanes. */
static inline unsigned fragprog_first_lane(unsigned lanes)
{
    static const uint8_t first[16] = {3, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    return first[lanes];
}

/* Each channel of the result reads the lane of its name; false: not so, or it may not be so. */
static inline bool fragprog_op_reads_own(unsigned op)
{
    static const uint32_t own = 1u << FRAGPROG_VEC | 1u << FRAGPROG_MOV | 1u << FRAGPROG_ADD |
        1u << FRAGPROG_MUL | 1u << FRAGPROG_SUB | 1u << FRAGPROG_MAD | 1u << FRAGPROG_LERP |
        1u << FRAGPROG_CND | 1u << FRAGPROG_CND0;
    return op <= FRAGPROG_CND0 && own >> op & 1;
}
/* fragprog_lanes_read and fragprog_channels_read where they are asked often. */
static inline unsigned fragprog_lanes(const struct fragprog_inst *inst, unsigned s)
{
    return fragprog_op_reads_own(inst->op) ? inst->mask : fragprog_lanes_read(inst, s);
}
static inline unsigned fragprog_channels(const struct fragprog_inst *inst, unsigned s)
{
    const uint8_t *lane = inst->src[s].lane;
    const unsigned lanes = fragprog_lanes(inst, s);
    if (fragprog_lanes_in_place(lane, lanes))
        return lanes;
    return ((lanes & 1) << lane[0] | (lanes >> 1 & 1) << lane[1] | (lanes >> 2 & 1) << lane[2] |
            lanes >> 3 << lane[3]) &
        FRAGPROG_MASK_XYZW; /* lanes that are literals are above that */
}

/* A source that reads all of a value in place, and one that reads one channel everywhere. */
struct fragprog_src fragprog_src_value(unsigned value);
struct fragprog_src fragprog_src_replicate(unsigned file, unsigned index, unsigned lane);

/* Bits 1 << op of the instructions whose values inst reads, and one bit if it may read a literal. */
#define FRAGPROG_READS_LITERAL (UINT32_C(1) << 31)
static inline uint32_t fragprog_ops_read(const struct fragprog *p, const struct fragprog_inst *inst)
{
    const unsigned args = fragprog_op_args(inst->op);
    uint32_t ops = 0, lanes = 0;
    for (unsigned s = 0; s < args; s++) {
        lanes |= fragprog_all_lanes(inst->src[s].lane);
        if (inst->src[s].file == FRAGPROG_VALUE)
            ops |= UINT32_C(1) << (p->inst[inst->src[s].index].op & 31);
    }
    return lanes & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE ? ops | FRAGPROG_READS_LITERAL : ops;
}

#endif
