/* The input of compaction: the slots and operands of a program, and the swizzles of R300 to R420. */
#include "fragprog/constants.h"
#include "fragprog/ir.h"

#include <string.h>

/* The native swizzles of three channels on R300 to R420; the alpha half selects any lane ("native rgb
 * swizzles" in the facts on the chip). */
static const uint8_t rgb[11][3] = {
    {FRAGPROG_X, FRAGPROG_Y, FRAGPROG_Z},          {FRAGPROG_X, FRAGPROG_X, FRAGPROG_X},
    {FRAGPROG_Y, FRAGPROG_Y, FRAGPROG_Y},          {FRAGPROG_Z, FRAGPROG_Z, FRAGPROG_Z},
    {FRAGPROG_W, FRAGPROG_W, FRAGPROG_W},          {FRAGPROG_Y, FRAGPROG_Z, FRAGPROG_X},
    {FRAGPROG_Z, FRAGPROG_X, FRAGPROG_Y},          {FRAGPROG_W, FRAGPROG_Z, FRAGPROG_Y},
    {FRAGPROG_ZERO, FRAGPROG_ZERO, FRAGPROG_ZERO}, {FRAGPROG_ONE, FRAGPROG_ONE, FRAGPROG_ONE},
    {FRAGPROG_HALF, FRAGPROG_HALF, FRAGPROG_HALF}};

const struct fragprog_constants_target fragprog_constants_pairs = {
    .native = rgb, .nnative = 11, .inlined = 7, .negate = 1};

/* Returns true if the operand cannot be negated: with COMP or BIAS, the negation of the constant is not the
 * negation of the operand. */
static bool keeps_sign(const struct fragprog_src *src)
{
    return (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS)) != 0;
}

uint32_t fragprog_constants_reads(struct fragprog_constants_read *read, uint32_t room,
                                  const struct fragprog *p)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
            const struct fragprog_src *src = &p->inst[i].src[s];
            unsigned channels = fragprog_lanes_read(&p->inst[i], s);
            if (src->file != FRAGPROG_CONST || !fragprog_channels_read(&p->inst[i], s))
                continue;
            if (n < room) {
                read[n] = (struct fragprog_constants_read){
                    .slot = src->index, .channels = (uint8_t)channels, .keep_sign = keeps_sign(src)};
                memcpy(read[n].lane, src->lane, sizeof read[n].lane);
            }
            n++;
        }
    }
    return n;
}

void fragprog_constants_slots(struct fragprog_constants_slot *slot, const struct fragprog *p)
{
    for (unsigned k = 0; k < p->nkonst; k++) {
        bool external = false; /* derived constants are in single channels */
        for (unsigned c = 0; c < 4; c++)
            external |= p->konst[k].origin[c].unit >= 0;
        slot[k] = (struct fragprog_constants_slot){.external = external};
        memcpy(slot[k].value, p->konst[k].value, sizeof slot[k].value);
    }
}
