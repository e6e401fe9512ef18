/* Makes operands that read 1 - x, 1 - 2x, 2x, x + y or x - y, computed by another operation, read it through
 * a presubtract, which is a sum of the first two source addresses of the colour or the alpha part
 * (notes/facts/r300.md 2.2). us_order.c drops the other operation if nothing reads it any more.
 *
 * That is not possible if the other operation clamps or takes absolute values, if its sources are in
 * different lanes and neither is a constant that can move, or if the reader is a lookup or a DOT4, reads
 * other values in the same operand, has two presubtracts already, or does not fit a pair any more. */
#include "hwemit/r300/us.h"

#include <string.h>

/* A sum that a presubtract can compute: the number of its operation, its sources src0 and src1 (equal for
 * 1 - x, 1 - 2x and 2x), and its sign. */
struct sum {
    unsigned op;
    uint8_t presub;
    bool negative;
    struct machine_src source[2][4];
    /* so that both sources are in the same lanes: the slot that a constant is put into if the sum is
     * replaced, or NONE, and what it then holds */
    uint16_t slot;
    struct constant constant;
};

/* ---- sums ---- */

/* What all channels of an operand are: FRAGPROG_ZERO, ONE or HALF, or one of these. */
enum { OTHER = 0x100, SOURCE };

static unsigned shape(const struct machine_src *x)
{
    return x->abs ? OTHER : x->file == MACHINE_LITERAL ? x->index : SOURCE;
}

/* Classifies operand s. *neg: its sign. */
static unsigned shape_of(const struct machine_op *op, unsigned s, bool *neg)
{
    const struct machine_src *first = &op->arg[s][hwemit_machine_lowest(op->mask)];
    *neg = first->neg;
    for (unsigned c = 0; c < 4; c++) {
        const struct machine_src *x = &op->arg[s][c];
        if (op->mask >> c & 1 && (x->neg != first->neg || shape(x) != shape(first)))
            return OTHER;
    }
    return shape(first);
}

/* Returns whether a presubtract can compute operation i, and describes it in *sum. */
static bool find_sum(const struct us_program *a, unsigned i, struct sum *sum)
{
    const struct machine_op *op = &a->m->op[i];
    bool neg[3] = {false, false, false};
    if (op->op != MACHINE_MAD || op->sat || a->m->presub[i][0].op ||
        a->m->value[op->value].components != op->mask)
        return false;
    if (shape_of(op, 1, &neg[1]) != FRAGPROG_ONE || neg[1])
        return false;
    const unsigned shapes[3] = {shape_of(op, 0, &neg[0]), FRAGPROG_ONE, shape_of(op, 2, &neg[2])};
    if (shapes[0] == OTHER || shapes[2] == OTHER)
        return false;
    if (shapes[0] == SOURCE && shapes[2] == FRAGPROG_ZERO && op->scale == 1) { /* x + x */
        *sum = (struct sum){.op = i, .slot = NONE, .presub = 1 + PRE_ADD, .negative = neg[0]};
        memcpy(sum->source[0], op->arg[0], sizeof sum->source[0]);
        memcpy(sum->source[1], op->arg[0], sizeof sum->source[1]);
        return true;
    }
    const unsigned x = shapes[0] == SOURCE ? 0 : 2, y = 2 - x; /* x is a source; y may be a number */
    const bool half = shapes[y] == FRAGPROG_HALF, two = shapes[y] == SOURCE || (half && !op->scale);
    if (shapes[x] != SOURCE || shapes[y] == FRAGPROG_ZERO || (!two && neg[x] == neg[y]) ||
        op->scale != (half && !two))
        return false;
    *sum = (struct sum){.op = i, .slot = NONE, .negative = two ? neg[x] && neg[y] : neg[y]};
    sum->presub = 1 + (!two ? half ? PRE_1_MINUS_2X : PRE_1_MINUS_X : neg[x] == neg[y] ? PRE_ADD : PRE_SUB);
    const unsigned first = !two ? x : neg[x] != neg[y] && !neg[x] ? y : x; /* SUB is src1 - src0 */
    memcpy(sum->source[0], op->arg[first], sizeof sum->source[0]);
    memcpy(sum->source[1], op->arg[two ? 2 - first : first], sizeof sum->source[1]);
    return true;
}

/* ---- lanes of the sources: the same in both ---- */

static unsigned lane_of(const struct us_program *a, const struct machine_src *c)
{
    return c->file == MACHINE_VALUE ? hwemit_us_lane(a, c) : c->file == MACHINE_SLOT ? c->lane : US_ANY_LANE;
}

/* Fixes the lane of a number. Returns false if its operation cannot write there. */
static bool fix(struct us_program *a, const struct machine_src *c, unsigned lane)
{
    struct us_value *v = &a->value[c->index];
    const struct machine_op *op = &a->m->op[v->writer[0]];
    if (lane == 3 ? op->out[RGB] : op->kind != US_SCALAR || op->out[ALPHA] || op->depth)
        return false;
    v->lane = (uint8_t)lane;
    v->lanes = (uint8_t)(1u << lane);
    return true;
}

static bool holds(const struct constant *slot, unsigned lane, const struct constant *x, unsigned own)
{
    return slot->used >> lane & 1 && slot->origin[lane] == x->origin[own] &&
        slot->component[lane] == x->component[own] &&
        (x->origin[own] >= 0 || slot->value[lane] == x->value[own]);
}

/* Puts lane `own` of a constant into these lanes of a slot, if the sum is removed. Returns the slot, or NONE
 * if no slot has room. */
static uint16_t put_constant(const struct us_program *a, struct sum *sum, const struct constant *x,
                             unsigned own, unsigned lanes)
{
    unsigned n = 0;
    for (; n < a->nslots; n++) {
        bool good = true;
        for (unsigned l = 0; l < 4; l++)
            good = good &&
                (!(lanes >> l & 1) || !(a->slot[n].used >> l & 1) || holds(&a->slot[n], l, x, own));
        if (good)
            break;
    }
    if (n == a->p.chip->consts)
        return NONE;
    sum->slot = (uint16_t)n;
    sum->constant = n < a->nslots ? a->slot[n] : (struct constant){.origin = {-1, -1, -1, -1}};
    for (unsigned l = 0; l < 4; l++)
        if (lanes >> l & 1) {
            sum->constant.value[l] = x->value[own];
            sum->constant.origin[l] = x->origin[own];
            sum->constant.component[l] = x->component[own];
            sum->constant.used |= (uint8_t)(1u << l);
        }
    return (uint16_t)n;
}

/* Makes a source that is a number (a literal 1/2 or the same constant in all channels) read the lanes of the
 * other source. */
static bool move_number(const struct us_program *a, struct sum *sum, unsigned channels,
                        struct machine_src number[4], const struct machine_src other[4])
{
    const unsigned first = hwemit_machine_lowest(channels);
    unsigned lanes = 0;
    for (unsigned c = first; c < 3; c++)
        if (channels >> c & 1) {
            if (number[c].index != number[first].index || number[c].lane != number[first].lane)
                return false;
            lanes |= 1u << lane_of(a, &other[c]);
        }
    const struct constant half = {.value = {0.5f}, .origin = {-1, -1, -1, -1}};
    const bool literal = number[first].file == MACHINE_LITERAL;
    const uint16_t slot = put_constant(a, sum, literal ? &half : &a->slot[number[first].index],
                                       literal ? 0 : number[first].lane, lanes);
    for (unsigned c = 0; c < 3; c++)
        if (channels >> c & 1)
            number[c] = (struct machine_src){
                .file = MACHINE_SLOT, .index = slot, .lane = lane_of(a, &other[c]) & 3};
    return slot != NONE;
}

/* Gives both sources of each channel the same lane. Returns false if that is not possible. */
static bool align(struct us_program *a, struct sum *sum)
{
    const unsigned channels = hwemit_machine_reads(&a->m->op[sum->op], 0);
    bool equal = true, number[2] = {true, true};
    if (hwemit_us_summands(sum->presub - 1u) == 1)
        return true;
    for (unsigned c = 0; c < 3; c++)
        for (unsigned k = 0; k < 2 && channels >> c & 1; k++)
            number[k] &= sum->source[k][c].file != MACHINE_VALUE;
    if (number[0] && number[1])
        return false;
    for (unsigned c = 0; c < 3; c++) {
        for (unsigned k = 0; k < 2 && channels >> c & 1; k++) {
            const struct machine_src *x = &sum->source[k][c], *y = &sum->source[1 - k][c];
            if (x->file == MACHINE_VALUE && lane_of(a, x) == US_ANY_LANE &&
                !fix(a, x, lane_of(a, y) != US_ANY_LANE ? lane_of(a, y) : 3))
                return false;
        }
        if (channels >> c & 1)
            equal &= lane_of(a, &sum->source[0][c]) == lane_of(a, &sum->source[1][c]);
    }
    for (unsigned k = 0; k < 2 && !equal; k++)
        if (number[k])
            return move_number(a, sum, channels, sum->source[k], sum->source[1 - k]);
    return equal;
}

/* ---- readers ---- */

/* Returns whether all channels of the operand read the sum, with one sign and as xyz or one lane replicated.
 */
static bool foldable(const struct us_program *a, const struct machine_op *op, unsigned s,
                     const struct sum *sum)
{
    const unsigned channels = hwemit_machine_reads(op, s), value = a->m->op[sum->op].value;
    const struct machine_src *first = &op->arg[s][hwemit_machine_lowest(channels)];
    bool equal = true, own = true;
    for (unsigned c = 0; channels >> c; c++) {
        const struct machine_src *x = &op->arg[s][c];
        if (!(channels >> c & 1))
            continue;
        if (x->file != MACHINE_VALUE || x->index != value || x->neg != first->neg || x->abs != first->abs)
            return false;
        const unsigned at = lane_of(a, &sum->source[0][x->lane]);
        equal &= at == lane_of(a, &sum->source[0][first->lane]);
        own &= at == c;
    }
    return equal || own;
}

/* Makes operand s of operation k, which is foldable, read the sum through a presubtract. Returns false if the
 * operation then does not fit a pair. */
static bool fold(struct us_program *a, unsigned k, unsigned s, const struct sum *sum)
{
    struct machine_op *op = &a->m->op[k];
    const struct machine_op kept = *op;
    const unsigned n = a->m->presub[k][0].op ? 1 : 0;
    struct machine_presub *presub = &a->m->presub[k][n];
    presub->op = sum->presub;
    for (unsigned c = 0; c < 4; c++) {
        struct machine_src *x = &op->arg[s][c];
        if (!(hwemit_machine_reads(op, s) >> c & 1))
            continue;
        x->file = MACHINE_PRESUB;
        x->index = (uint16_t)n;
        x->neg ^= sum->negative && !x->abs;
        for (unsigned i = 0; i < 2; i++) {
            presub->source[i][x->lane] = sum->source[i][x->lane];
            presub->source[i][x->lane].neg = 0;
        }
    }
    if (hwemit_us_fits(a, k))
        return true;
    *op = kept;
    *presub = (struct machine_presub){0};
    return false;
}

/* Makes operand s of operation k read the sum that it reads now, if it does, through a presubtract. */
static void replace(struct us_program *a, unsigned k, unsigned s)
{
    const struct machine_op *op = &a->m->op[k];
    const struct machine_src *x = &op->arg[s][hwemit_machine_lowest(hwemit_machine_reads(op, s))];
    struct sum sum;
    if (op->kind == US_DOT4 || a->m->presub[k][1].op || x->file != MACHINE_VALUE ||
        a->value[x->index].writer[x->lane] == NONE ||
        !find_sum(a, a->value[x->index].writer[x->lane], &sum) || !align(a, &sum) ||
        !foldable(a, op, s, &sum) || !fold(a, k, s, &sum) || sum.slot == NONE)
        return;
    a->slot[sum.slot] = sum.constant;
    a->nslots += sum.slot == a->nslots;
}

void hwemit_us_presubtract(struct us_program *a)
{
    for (unsigned k = a->nlookups; k < a->m->nops; k++)
        for (unsigned s = 0; s < hwemit_machine_args(a->m->op[k].op); s++)
            replace(a, k, s);
}
