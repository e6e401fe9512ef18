/* Helper functions on instructions for the passes. Internal to fragprog. */
#ifndef FRAGPROG_INST_H
#define FRAGPROG_INST_H

#include "fragprog/algebra/formula.h"

#include <string.h>

/* Returns the enumerant of an operation in GL_ATI_fragment_shader, or 0 if that extension does not have
 * it. */
static inline unsigned fragprog_op_api(unsigned op)
{
    static const uint16_t enumerant[FRAGPROG_OPS] = {
#define FRAGPROG_OP(id, name, args, api, formula) [FRAGPROG_##id] = api,
#include "fragprog/opcodes.def"
    };
    return enumerant[op];
}

/* Like fragprog_lower; with `canonical` the result is that of fragprog_lower, fragprog_opt_dead and
 * fragprog_canonicalise together. */
void fragprog_lower_for(struct fragprog *p, const struct texenv_state *state, bool canonical);
/* Parts of fragprog_canonicalise: fragprog_order_arguments processes an instruction that is not a lookup,
 * fragprog_forget_format a lookup. */
void fragprog_order_arguments(struct fragprog_inst *inst);
void fragprog_forget_format(struct fragprog_inst *tex);

/* Append an instruction, or insert it before number `at` and renumber the following ones. The program must
 * have room. Both return the number of the new value. */
unsigned fragprog_append(struct fragprog *p, const struct fragprog_inst *inst);
unsigned fragprog_insert(struct fragprog *p, unsigned at, const struct fragprog_inst *inst);
/* Replaces all uses of value `from`, including the program's results, with value `to`. */
void fragprog_replace_value(struct fragprog *p, unsigned from, unsigned to);

/* The four lane selectors of a source as one 32-bit word, so that they can be compared at once.
 * fragprog_lane_word keeps only the selectors of `lanes` (bits); the others are 0. FRAGPROG_EACH_LANE has a 1
 * in each byte. */
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
/* The identity swizzle x y z w. */
static const uint8_t fragprog_in_place[4] = {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_W};
/* Returns true if the swizzle is the identity in these lanes. */
static inline bool fragprog_lanes_in_place(const uint8_t lane[4], unsigned lanes)
{
    const uint32_t others = fragprog_all_lanes(lane) ^ fragprog_all_lanes(fragprog_in_place);
    return !(others & fragprog_all_lanes(fragprog_lane_masks[lanes]));
}
/* Returns the word of a swizzle that selects `lane` in all of `lanes`. */
static inline uint32_t fragprog_same_lanes(unsigned lane, unsigned lanes)
{
    return lane * FRAGPROG_EACH_LANE & fragprog_all_lanes(fragprog_lane_masks[lanes]);
}
/* This bit is set in the selectors ZERO, ONE and HALF, and clear in those of channels. */
enum { FRAGPROG_LITERAL_LANE = FRAGPROG_ZERO };
_Static_assert(FRAGPROG_ZERO == 4 && FRAGPROG_HALF < 8, "lanes that are literals share a bit");
/* Returns the lowest lane of a set. */
static inline unsigned fragprog_first_lane(unsigned lanes)
{
    static const uint8_t first[16] = {3, 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 0, 2, 0, 1, 0};
    return first[lanes];
}

/* Returns true only if each channel of the result depends on no other lane of the arguments than its own. May
 * return false although this is so. */
static inline bool fragprog_op_reads_own(unsigned op)
{
    static const uint32_t own = 1u << FRAGPROG_VEC | 1u << FRAGPROG_MOV | 1u << FRAGPROG_ADD |
        1u << FRAGPROG_MUL | 1u << FRAGPROG_SUB | 1u << FRAGPROG_MAD | 1u << FRAGPROG_LERP |
        1u << FRAGPROG_CND | 1u << FRAGPROG_CND0;
    return op <= FRAGPROG_CND0 && own >> op & 1;
}
/* Inlined versions of fragprog_lanes_read and fragprog_channels_read for hot loops. */
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
        FRAGPROG_MASK_XYZW; /* selectors of literals set bits above these */
}

/* Return a source that reads a value with the identity swizzle, and one that replicates one channel. */
struct fragprog_src fragprog_src_value(unsigned value);
struct fragprog_src fragprog_src_replicate(unsigned file, unsigned index, unsigned lane);

/* Returns the set (1 << op) of the operations that define the values which inst reads, and
 * FRAGPROG_READS_LITERAL if it may read a literal. */
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
