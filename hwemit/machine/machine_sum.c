/* Operands with modifiers: reads them and applies 1 - x, x - 1/2 and 2x; on chips with halves, computes sums
 * of two such operands together. */
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
    const bool twice = b == 0 && k == 2;
    for (unsigned c = 0; c < 4; c++) {
        const float *own = lanes >> c & 1 ? hwemit_machine_value(m, arg[c]) : NULL;
        const double exact = own ? ((double)k * *own + b) * (scales ? 2 : 1) : 0;
        if (own && (float)exact == exact && (hwemit_machine_needs_no_constant(exact) || !m->target->halves)) {
            arg[c] = hwemit_machine_immediate(m, (float)exact);
            rest &= ~(1u << c);
        } else if (lanes >> c & 1) {
            x[c] = k == -1 ? hwemit_machine_negated(m, arg[c]) : arg[c];
            factor[c] = hwemit_machine_immediate(m, k);
            term[c] = twice ? arg[c] : hwemit_machine_immediate(m, b);
        }
    }
    const bool sum = twice || k == 1 || k == -1;
    struct machine_op op = sum ? hwemit_machine_make(MACHINE_ADD, x, term, NULL)
                               : hwemit_machine_make(MACHINE_MAD, x, factor, term);
    op.scale = scales;
    hwemit_machine_channels(m, &op, rest, arg);
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

/* An operand of a sum: factor*x + offset. */
struct term {
    struct machine_src x[4];
    float factor, offset;
};

static struct term read_term(struct machine *m, const struct fragprog_inst *inst, unsigned s, float sign)
{
    const unsigned mods = inst->src[s].mods;
    struct term t = {.factor = sign, .offset = 0};
    read_operand(m, inst, s, t.x);
    if (mods & FRAGPROG_COMP)
        t.factor = -sign, t.offset = sign;
    t.offset -= mods & FRAGPROG_BIAS ? sign / 2 : 0;
    if (mods & FRAGPROG_2X)
        t.factor *= 2, t.offset *= 2;
    if (mods & FRAGPROG_NEG)
        t.factor = -t.factor, t.offset = -t.offset;
    return t;
}

/* Sets x to the channels of the mask of a term, with its sign. */
static void read_signed(struct machine *m, unsigned mask, const struct term *term, struct machine_src x[4])
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            x[c] = term->factor < 0 ? hwemit_machine_negated(m, term->x[c]) : term->x[c];
}

static void each(struct machine *m, float value, struct machine_src to[4])
{
    for (unsigned c = 0; c < 4; c++)
        to[c] = hwemit_machine_immediate(m, value);
}

static void add(struct machine *m, unsigned mask, const struct machine_src x[4],
                const struct machine_src y[4], struct machine_src result[4])
{
    const struct machine_op op = hwemit_machine_make(MACHINE_ADD, x, y, NULL);
    hwemit_machine_channels(m, &op, mask, result);
}

/* Computes a sum of two terms. Adds the offset last if both are read from the same lanes, so that one
 * presubtract can compute their sum; else adds it to one of them, also if that makes 1 - x or x - 1, for
 * which a presubtract needs no constant. A factor of 2 is left to the scale of the result, *scale. */
static void sum(struct machine *m, unsigned mask, const struct term term[2], int8_t *scale,
                struct machine_src result[4])
{
    struct machine_src x[4] = {{0}}, y[4] = {{0}}, b[4] = {{0}}, half[4];
    float offset = term[0].offset + term[1].offset;
    unsigned first = 0;
    bool same = true;
    const bool twice[2] = {term[0].factor * term[0].factor == 4, term[1].factor * term[1].factor == 4};
    if (twice[0] != twice[1])
        first = twice[0]; /* the term without the factor is halved */
    else if (offset != 0 && (term[0].factor < 0) != (offset > 0))
        first = (term[1].factor < 0) == (offset > 0);
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            same &= term[0].x[c].file == term[1].x[c].file && term[0].x[c].lane == term[1].x[c].lane;
    read_signed(m, mask, &term[first], x);
    read_signed(m, mask, &term[!first], y);
    if (twice[0] && twice[1])
        offset /= 2;
    same = same && (offset != 1 || term[first].factor > 0) && offset != -1;
    *scale = (int8_t)(*scale + (twice[0] || twice[1]));
    each(m, offset, b);
    if (twice[0] != twice[1]) { /* x + offset + 2y = 2*((x + offset)/2 + y) */
        if (offset != 0)
            add(m, mask, x, b, x);
        each(m, 0.5f, half);
        const struct machine_op mad = hwemit_machine_make(MACHINE_MAD, x, half, y);
        hwemit_machine_channels(m, &mad, mask, result);
        return;
    }
    if (offset != 0)
        add(m, mask, x, same ? y : b, x);
    add(m, mask, x, same && offset != 0 ? b : y, result);
}

/* Computes ADD, SUB, and LERP as x*(y - z) + z. */
bool hwemit_machine_sum(struct machine *m, struct fragprog_inst *inst, struct machine_src result[4])
{
    const bool lerp = inst->op == FRAGPROG_LERP;
    struct term term[2];
    int8_t scale = lerp ? 0 : inst->scale;
    const unsigned y = lerp ? 1 : 0, z = y + 1;
    if (!m->target->halves || (!lerp && inst->op != FRAGPROG_ADD && inst->op != FRAGPROG_SUB) ||
        !((inst->src[y].mods | inst->src[z].mods) & (FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X)) ||
        (lerp && (inst->src[y].mods | inst->src[z].mods) & FRAGPROG_2X) || scale == 3)
        return false;
    term[0] = read_term(m, inst, y, 1);
    term[1] = read_term(m, inst, z, inst->op == FRAGPROG_ADD ? 1 : -1);
    if (lerp) {
        struct machine_src x[4] = {{0}}, rest[4] = {{0}}, difference[4] = {{0}};
        sum(m, inst->mask, term, &scale, difference);
        hwemit_machine_operand(m, inst, 0, x);
        hwemit_machine_operand(m, inst, 2, rest);
        const struct machine_op mad = hwemit_machine_make(MACHINE_MAD, x, difference, rest);
        hwemit_machine_channels(m, &mad, inst->mask, result);
    } else {
        sum(m, inst->mask, term, &scale, result);
        inst->scale = scale;
    }
    return true;
}
