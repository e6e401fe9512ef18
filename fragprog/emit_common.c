/* What both ways of assignment print alike. */
#include "fragprog/assign.h"
#include "fragprog/names.h"

uint8_t fragprog_result_modifier(const struct fragprog_inst *inst)
{
    static const uint8_t scale[] = {0x20, 0x10, 0x08, 0, 0x01, 0x02, 0x04}; /* EIGHTH QUARTER HALF - 2X 4X 8X */
    return (uint8_t)(scale[inst->scale + 3] | (inst->clamp == FRAGPROG_SAT ? ATIFS_SATURATE : 0));
}

/* An alpha instruction joins the pair of a colour instruction just before it (extension, pairing rule). Where it must not, because it reads what that one
 * writes, a move of a colour channel onto itself opens its pair. */
void fragprog_separate(struct fragprog_atifs_op *filler, const struct fragprog_atifs_op *color, const struct fragprog_atifs_op *alpha)
{
    unsigned read = 0;
    for (unsigned s = 0; s < alpha->nargs; s++)
        if (alpha->arg[s].source == ATIFS_REG_0 + color->dst && alpha->arg[s].rep >= ATIFS_RED && alpha->arg[s].rep < ATIFS_ALPHA)
            read |= 1u << (alpha->arg[s].rep - ATIFS_RED);
    unsigned free = color->mask & ~read, channel = 2; /* of those that it wrote, rather one that the alpha instruction does not read */
    while (channel > 0 && !((free ? free : color->mask) & 1u << channel))
        channel--;
    *filler = (struct fragprog_atifs_op){.op = ATIFS_MOV, .dst = color->dst, .mask = (uint8_t)(1u << channel), .mod = color->mod & ATIFS_SATURATE, .nargs = 1, .unit = alpha->unit};
    filler->arg[0] = (struct fragprog_atifs_arg){.source = (uint16_t)(ATIFS_REG_0 + color->dst), .rep = (uint16_t)(ATIFS_RED + channel)};
}

void fragprog_emit_constants(struct fragprog_atifs *out, const struct fragprog *p, bool local)
{
    for (unsigned k = 0; k < p->nkonst; k++) {
        struct fragprog_atifs_const *konst = &out->konst[k];
        konst->used = 1;
        konst->kind = local ? FRAGPROG_CONST_LOCAL : FRAGPROG_CONST_LITERAL;
        konst->index = (uint8_t)(local ? k : 0);
        int origin = p->konst[k].origin[0].unit;
        konst->unit = (int8_t)(origin < TEXENV_UNITS ? origin : -1);
        if (origin >= FRAGPROG_ORIGIN_GLOBAL) {
            konst->kind = origin >= FRAGPROG_ORIGIN_LOCAL ? FRAGPROG_CONST_LOCAL : FRAGPROG_CONST_ENV;
            konst->index = (uint8_t)(origin % TEXENV_UNITS);
        }
        for (unsigned c = 0; c < 4; c++)
            konst->value[c] = p->konst[k].value[c] + 0.0f; /* no -0 */
    }
}
