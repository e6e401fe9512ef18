/* In GL calls, the alpha half of a dot product may have its own register and modifiers; in the text form it
 * is part of the colour instruction (ATI_text_fragment_shader, restriction 10). For the text form the alpha
 * half is replaced by a dot product into an unused colour channel and a move from that channel. */
#include "fragprog/names.h"

#include <string.h>

/* Returns true if the channel is live at pair n, or pair n writes it. */
static bool is_needed(const struct fragprog_atifs *program, unsigned pass, unsigned n, unsigned reg,
                      unsigned channel)
{
    const struct fragprog_atifs_pass *p = &program->pass[pass];
    for (unsigned i = n; i < p->npairs; i++) {
        const struct fragprog_atifs_op *half = p->pair[i].half;
        for (unsigned h = 0; h < 2; h++)
            for (unsigned a = 0; a < half[h].nargs; a++) /* without replication any channel may be read */
                if (fragprog_atifs_reg(&half[h].arg[a]) == (int)reg &&
                    (!half[h].arg[a].rep || half[h].arg[a].rep == FRAGPROG_ATI_RED + channel))
                    return true;
        if (half[TEXENV_RGB].op && half[TEXENV_RGB].dst == reg && half[TEXENV_RGB].mask >> channel & 1)
            return i == n;
    }
    if (pass + 1u == program->npasses)
        return reg == 0; /* r0 holds the result of the program */
    for (unsigned i = 0; i < FRAGPROG_REGISTERS; i++)
        if (program->pass[1].setup[i].op && program->pass[1].setup[i].from_reg &&
            program->pass[1].setup[i].source == reg)
            return true;
    return false;
}

static struct fragprog_atifs_op move(const struct fragprog_atifs_op *like, unsigned from, unsigned channel)
{
    struct fragprog_atifs_op op = {.op = FRAGPROG_ATI_MOV, .dst = like->dst, .nargs = 1, .unit = like->unit};
    op.arg[0] = (struct fragprog_atifs_arg){.source = (uint16_t)(FRAGPROG_ATI_REG_0 + from),
                                            .rep = (uint16_t)(FRAGPROG_ATI_RED + channel)};
    return op;
}

/* Splits the dot product of pair n. Returns false if no channel or no pair is free. */
static bool part(struct fragprog_atifs *program, unsigned pass, unsigned n)
{
    struct fragprog_atifs_pass *p = &program->pass[pass];
    const bool four = p->pair[n].half[TEXENV_RGB].op ==
        FRAGPROG_ATI_DOT4; /* it must not be directly followed by another alpha instruction */
    const unsigned more = four ? 2 : 1, channels = 3 * FRAGPROG_REGISTERS;
    unsigned at = 0;
    while (at < channels && is_needed(program, pass, n, at / 3, at % 3))
        at++;
    if (at == channels || p->npairs + more > FRAGPROG_PAIRS)
        return false;
    memmove(&p->pair[n + more], &p->pair[n], (p->npairs - n) * sizeof p->pair[0]);
    p->npairs = (uint8_t)(p->npairs + more);
    struct fragprog_atifs_op *dot = p->pair[n].half, *color = p->pair[n + 1].half,
                             *last = p->pair[n + more].half;
    const struct fragprog_atifs_op alpha = last[TEXENV_ALPHA];
    dot[TEXENV_RGB] = last[TEXENV_RGB];
    color[TEXENV_RGB] = last[TEXENV_RGB];
    dot[TEXENV_RGB].dst = (uint8_t)(at / 3);
    dot[TEXENV_RGB].mask = (uint8_t)(1u << at % 3);
    dot[TEXENV_RGB].mod = alpha.mod;
    memset(&dot[TEXENV_ALPHA], 0, sizeof alpha);
    memset(&color[TEXENV_ALPHA], 0, sizeof alpha);
    last[TEXENV_ALPHA] = move(&alpha, at / 3, at % 3);
    if (four) { /* a move to itself, which begins a new pair */
        last[TEXENV_RGB] = move(&dot[TEXENV_RGB], at / 3, at % 3);
        last[TEXENV_RGB].mask = dot[TEXENV_RGB].mask;
    }
    return true;
}

const char *fragprog_atifs_as_text(struct fragprog_atifs *program)
{
    for (unsigned pass = 0; pass < program->npasses; pass++)
        for (unsigned n = 0; n < program->pass[pass].npairs; n++) {
            const struct fragprog_atifs_op *half = program->pass[pass].pair[n].half;
            if (fragprog_atifs_is_dot(&half[TEXENV_ALPHA]) &&
                !fragprog_atifs_same(&half[TEXENV_RGB], &half[TEXENV_ALPHA]) && !part(program, pass, n))
                return "the alpha of a dot product with a register or modifiers of its own: the text form "
                       "has "
                       "none, and for a move no pair or register is left (ATI_text_fragment_shader, "
                       "restriction 10)";
        }
    return fragprog_check_atifs_text(program, NULL, NULL);
}
