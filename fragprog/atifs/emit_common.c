/* Emission of constants and of pair separators, shared by both emitters. */
#include "fragprog/atifs/assign.h"
#include "fragprog/names.h"

/* Returns the colour channels of register r that are defined before pair n. */
static unsigned defined_channels(const struct fragprog_atifs_pass *pass, unsigned n, unsigned r)
{
    unsigned channels = pass->setup[r].op ? 7 : 0;
    for (unsigned i = 0; i < n; i++)
        if (pass->pair[i].half[TEXENV_RGB].op && pass->pair[i].half[TEXENV_RGB].dst == r)
            channels |= pass->pair[i].half[TEXENV_RGB].mask;
    return channels;
}

static unsigned channels_read(const struct fragprog_atifs_op *alpha, unsigned r)
{
    unsigned channels = 0;
    for (unsigned s = 0; s < alpha->nargs; s++)
        if (alpha->arg[s].source == FRAGPROG_ATI_REG_0 + r && alpha->arg[s].rep >= FRAGPROG_ATI_RED &&
            alpha->arg[s].rep < FRAGPROG_ATI_ALPHA)
            channels |= 1u << (alpha->arg[s].rep - FRAGPROG_ATI_RED);
    return channels;
}

/* An alpha instruction directly after a colour instruction joins its pair (extension, pairing rule). If it
 * must not join, because it reads the colour instruction's result, a move of a colour channel to itself is
 * inserted between the two. It preferably moves a channel that the colour instruction wrote, and never one
 * that the alpha instruction reads. */
void fragprog_separate(struct fragprog_atifs_pass *pass, unsigned n)
{
    const struct fragprog_atifs_op *color = &pass->pair[n - 1].half[TEXENV_RGB],
                                   *alpha = &pass->pair[n].half[TEXENV_ALPHA];
    unsigned r = color->dst, free = color->mask & ~channels_read(alpha, r), channel = 2;
    for (unsigned i = 1; !free && i <= FRAGPROG_REGISTERS;
         i++) { /* tries r0 last, because the last write to r0 clamps */
        r = i % FRAGPROG_REGISTERS;
        free = defined_channels(pass, n, r) & ~channels_read(alpha, r);
    }
    while (channel > 0 && !(free & 1u << channel))
        channel--;
    struct fragprog_atifs_op *filler = &pass->pair[n].half[TEXENV_RGB];
    *filler = (struct fragprog_atifs_op){.op = FRAGPROG_ATI_MOV,
                                         .dst = (uint8_t)r,
                                         .mask = (uint8_t)(1u << channel),
                                         .mod = r == color->dst ? color->mod & FRAGPROG_ATI_SATURATE : 0,
                                         .nargs = 1,
                                         .unit = alpha->unit};
    filler->arg[0] = (struct fragprog_atifs_arg){.source = (uint16_t)(FRAGPROG_ATI_REG_0 + r),
                                                 .rep = (uint16_t)(FRAGPROG_ATI_RED + channel)};
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
            konst->value[c] = p->konst[k].value[c] + 0.0f; /* -0 becomes 0 */
    }
}
