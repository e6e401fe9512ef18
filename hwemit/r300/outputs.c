/* What goes to the output. A clamp that cannot act is left out. Under the assumption plain-outputs it is as recorded words of the driver: a result is written to the output without clamp and output modifier, and not to a temporary at the
 * same time (facts: section 2); one that needs one of them goes to a temporary, and a copy to the output. */
#include "hwemit/r300/program.h"

#include <string.h>

static bool is_read(const struct program *p, unsigned v)
{
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned l = 0; l < p->op[i].nleaves; l++)
            if (p->op[i].leaf[l].file == FILE_VREG && p->op[i].leaf[l].index == v)
                return true;
    for (unsigned t = 0; t < p->ntex; t++)
        if (p->tex[t].coord == v)
            return true;
    return false;
}

/* Forms without output modifier come first; false if there is none. */
static bool without_omod(struct program *p, struct op *op)
{
    unsigned n = 0;
    for (unsigned i = 0; i < op->nforms; i++)
        if (p->forms[op->form + i].omod == 0)
            p->forms[op->form + n++] = p->forms[op->form + i];
    if (n)
        op->nforms = (uint8_t)n;
    return n > 0;
}

static bool is_plain(struct program *p, struct op *op, unsigned half)
{
    const bool companion = op->where == AT_BOTH && half == ALPHA;
    if (is_read(p, op->result[half]))
        return false;
    return companion ? op->alpha_omod == 0 && !op->alpha_clamp : !op->clamp && without_omod(p, op);
}

bool hwemit_r300_outputs(struct program *p, struct fragprog_reason *why)
{
    for (unsigned i = 0, n = p->nops; i < n; i++)
        for (unsigned half = 0; half < 2; half++) {
            struct op *op = &p->op[i];
            if (!op->out[half])
                continue;
            if (!op->clamp_acts)
                op->clamp = 0;
            if (!p->plain_outputs) {
                p->output_modifiers |= !is_plain(p, op, half);
                continue;
            }
            if (is_plain(p, op, half))
                continue;
            if (p->nops == MAX_OPS || p->nforms == MAX_POOL)
                return hwemit_refuse(why, op->unit, "alu", "a shorter program", "the program needs more than %u ALU instructions", (unsigned)p->chip->alu);
            op->out[half] = false;
            struct op *copy = &p->op[p->nops++];
            *copy = (struct op){.op = OP_MAD, .where = half == RGB ? AT_RGB : AT_ALPHA, .mask = half == RGB ? op->mask : 1, .unit = op->unit, .nleaves = 1, .nforms = 1,
                                .result = {NONE, NONE}, .form = p->nforms, .pair = NONE};
            copy->leaf[0] = (struct leaf){.file = FILE_VREG, .index = op->result[half], .lane = {0, 1, 2}};
            if (half == ALPHA)
                memset(copy->leaf[0].lane, 3, 3);
            copy->out[half] = true;
            p->forms[p->nforms++] = (struct form){.arg = {ARG_LEAF, ARG_ONE, ARG_ZERO}, NO_PRESUB};
        }
    return true;
}
