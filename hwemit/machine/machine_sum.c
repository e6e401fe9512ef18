/* Operands with modifiers: reads them and applies 1 - x, x - 1/2 and 2x; on chips with halves, adds two such
 * operands by as few operations as the sum of their terms needs. */
#include "hwemit/machine/machine.h"

/* Applies the modifiers 1 - x, x - 1/2 and 2x, as k*x + b. Constants of the program are folded if that is
 * exact and, on chips with halves, gives 0, 1/2 or 1 up to sign, which need no constant register. */
static void affine(struct machine *m, unsigned mods, unsigned lanes, struct machine_src arg[4])
{
    float k = mods & FRAGPROG_COMP ? -1 : 1, b = mods & FRAGPROG_COMP ? 1 : 0;
    struct machine_src factor[4] = {{0}}, term[4] = {{0}}, x[4] = {{0}};
    unsigned rest = lanes;
    const bool scales = m->target->halves && mods & FRAGPROG_2X;
    b -= mods & FRAGPROG_BIAS ? 0.5f : 0;
    if (mods & FRAGPROG_2X && !scales)
        k *= 2, b *= 2;
    for (unsigned c = 0; c < 4; c++) {
        const float *own = lanes >> c & 1 ? hwemit_machine_value(m, arg[c]) : NULL;
        const double exact = own ? ((double)k * *own + b) * (scales ? 2 : 1) : 0;
        if (own && (float)exact == exact && (hwemit_machine_needs_no_constant(exact) || !m->target->halves)) {
            arg[c] = hwemit_machine_immediate(m, (float)exact);
            rest &= ~(1u << c);
        } else if (lanes >> c & 1) {
            x[c] = k == -1 ? hwemit_machine_negated(m, arg[c]) : arg[c];
            factor[c] = hwemit_machine_immediate(m, k);
            term[c] = hwemit_machine_immediate(m, b);
        }
    }
    struct machine_op op = k == 1 || k == -1 ? hwemit_machine_make(MACHINE_ADD, x, term, NULL)
                                             : hwemit_machine_make(MACHINE_MAD, x, factor, term);
    op.scale = scales;
    hwemit_machine_channels(m, op, rest, arg);
}

/* Reads an operand without the modifiers that affine() applies and without the sign. */
static unsigned read_operand(struct machine *m, const struct fragprog_inst *inst, unsigned s,
                             struct machine_src arg[4])
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes_read(inst, s);
    for (unsigned c = 0; c < 4; c++) {
        if (!(lanes >> c & 1))
            continue;
        arg[c] = hwemit_machine_read(m, src, c);
        if (src->mods & FRAGPROG_ABS)
            arg[c] = hwemit_machine_absolute(m, arg[c]);
    }
    return lanes;
}

void hwemit_machine_operand(struct machine *m, const struct fragprog_inst *inst, unsigned s,
                            struct machine_src arg[4])
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = read_operand(m, inst, s, arg);
    if (src->mods & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X))
        affine(m, src->mods, lanes, arg);
    for (unsigned c = 0; c < 4; c++)
        if (src->mods & FRAGPROG_NEG && lanes >> c & 1)
            arg[c] = hwemit_machine_negated(m, arg[c]);
}

/* ---- sums of operands with modifiers, on chips with halves ---- */

/* Reads source s as x or -x and an offset, which is added to *offset. minus: the source is subtracted.
 * Returns whether it is -x. */
static bool read_term(struct machine *m, const struct fragprog_inst *inst, unsigned s, bool minus,
                      float *offset, struct machine_src x[4])
{
    const unsigned mods = inst->src[s].mods;
    const float own = (mods & FRAGPROG_COMP ? 1 : 0) - (mods & FRAGPROG_BIAS ? 0.5f : 0);
    minus = minus != ((mods & FRAGPROG_NEG) != 0);
    *offset += minus ? -own : own;
    read_operand(m, inst, s, x);
    const bool negative = minus != ((mods & FRAGPROG_COMP) != 0);
    for (unsigned c = 0; c < 4; c++)
        if (negative && inst->mask >> c & 1)
            x[c] = hwemit_machine_negated(m, x[c]);
    return negative;
}

/* Computes ADD, SUB, and LERP as x*(y - z) + z. Adds the offset last if both terms are read from the same
 * lanes, so that one presubtract can compute their sum; else adds it to one of them, also if that makes 1 - x
 * or x - 1, for which a presubtract needs no constant. */
bool hwemit_machine_sum(struct machine *m, const struct fragprog_inst *inst, struct machine_src result[4])
{
    const bool lerp = inst->op == FRAGPROG_LERP;
    const unsigned y = lerp ? 1 : 0, mods = inst->src[y].mods | inst->src[y + 1].mods;
    struct machine_src x[2][4] = {{{0}}}, b[4], factor[4] = {{0}}, rest[4] = {{0}};
    float offset = 0;
    bool same = true;
    if (!m->target->halves || (!lerp && inst->op != FRAGPROG_ADD && inst->op != FRAGPROG_SUB) ||
        !(mods & (FRAGPROG_COMP | FRAGPROG_BIAS)) || mods & FRAGPROG_2X)
        return false;
    const bool negative[2] = {
        read_term(m, inst, y, false, &offset, x[0]),
        read_term(m, inst, y + 1, inst->op != FRAGPROG_ADD, &offset, x[1]),
    };
    const unsigned first = offset != 0 && negative[0] != (offset > 0) && negative[1] == (offset > 0);
    for (unsigned c = 0; c < 4; c++) {
        same &= !(inst->mask >> c & 1) || (x[0][c].file == x[1][c].file && x[0][c].lane == x[1][c].lane);
        b[c] = hwemit_machine_immediate(m, offset);
    }
    same = same && offset != 0 && offset != -1 && (offset != 1 || !negative[first]);
    struct machine_op add = hwemit_machine_make(MACHINE_ADD, x[first], same ? x[!first] : b, NULL);
    if (offset != 0)
        hwemit_machine_channels(m, add, inst->mask, x[first]);
    add = hwemit_machine_make(MACHINE_ADD, x[first], same ? b : x[!first], NULL);
    hwemit_machine_channels(m, add, inst->mask, lerp ? x[first] : result);
    if (lerp) {
        hwemit_machine_operand(m, inst, 0, factor);
        hwemit_machine_operand(m, inst, 2, rest);
        hwemit_machine_channels(m, hwemit_machine_make(MACHINE_MAD, factor, x[first], rest), inst->mask,
                                result);
    }
    return true;
}
