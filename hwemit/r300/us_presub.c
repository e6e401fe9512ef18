/* If all readers of 1 - x, 1 - 2x, 2x, x + y or x - y can read it through a presubtract, makes them do so,
 * and removes the operation that computes it unless it writes an output. A presubtract is a sum of the first
 * two source addresses of the colour or the alpha part (notes/facts/r300.md 2.2).
 *
 * That is not possible if the operation clamps or takes absolute values, if its sources are in different
 * lanes and neither is a constant that can move, if a lookup reads it, or if a reader is a DOT4, reads other
 * values in the same operand, has two presubtracts already, or does not fit a pair any more. */
#include "hwemit/r300/us.h"

#include <string.h>

enum { READERS = 8 }; /* a sum that more operations read is not replaced */

/* A sum that a presubtract can compute: the number of its operation, its sources src0 and src1 (equal for
 * 1 - x, 1 - 2x and 2x), and its sign. */
struct sum {
    unsigned op;
    uint8_t presub;
    bool negative;
    struct us_chan source[2][4];
    /* what gives the sources the same lanes, and is taken back if the sum stays: numbers with a fixed lane,
     * and what a slot (NONE: none) will hold */
    uint8_t nfixed;
    uint16_t fixed[6], slot;
    struct constant constant;
};

/* ---- sums ---- */

enum shape { OTHER, SOURCE, IS_ZERO, IS_ONE, IS_HALF };

/* Classifies operand s: a source, 0, 1 or 1/2 in all channels. *neg: its sign. */
static enum shape shape_of(const struct us_op *op, unsigned s, bool *neg)
{
    enum shape shape = OTHER;
    bool seen = false;
    for (unsigned c = 0; c < 3; c++) {
        const struct us_chan *x = &op->arg[s][c];
        if (!(hwemit_us_channels(op) >> c & 1))
            continue;
        const enum shape own = x->file != US_LITERAL ? SOURCE
            : x->lane == FRAGPROG_ONE                ? IS_ONE
            : x->lane == FRAGPROG_ZERO               ? IS_ZERO
            : x->lane == FRAGPROG_HALF               ? IS_HALF
                                                     : OTHER;
        if (x->abs || (seen && (own != shape || x->neg != *neg)))
            return OTHER;
        shape = own;
        *neg = x->neg;
        seen = true;
    }
    return shape;
}

/* Returns whether operation i is such a sum. */
static bool find_sum(const struct us_program *a, unsigned i, struct sum *sum)
{
    const struct us_op *op = &a->op[i];
    bool neg[3] = {false, false, false};
    if (op->code != OP_MAD || (op->kind != US_VECTOR && op->kind != US_SCALAR) || op->clamp ||
        op->presub[0].op || op->gone || a->value[op->value].components != op->mask)
        return false;
    if (shape_of(op, 1, &neg[1]) != IS_ONE || neg[1])
        return false;
    const enum shape shape[3] = {shape_of(op, 0, &neg[0]), IS_ONE, shape_of(op, 2, &neg[2])};
    if (shape[0] == OTHER || shape[2] == OTHER)
        return false;
    if (shape[0] == SOURCE && shape[2] == IS_ZERO && op->scale == 1) { /* x + x */
        *sum = (struct sum){.op = i, .presub = 1 + PRE_ADD, .negative = neg[0]};
        memcpy(sum->source[0], op->arg[0], sizeof sum->source[0]);
        memcpy(sum->source[1], op->arg[0], sizeof sum->source[1]);
        return true;
    }
    if (shape[0] == IS_ZERO || shape[2] == IS_ZERO)
        return false;
    const unsigned x = shape[0] == SOURCE ? 0 : 2, y = 2 - x; /* x is a source; y may be a number */
    const bool half = shape[y] == IS_HALF, two = shape[y] == SOURCE || (half && !op->scale);
    if (shape[x] != SOURCE || (!two && neg[x] == neg[y]) || op->scale != (half && !two))
        return false;
    *sum = (struct sum){.op = i, .negative = two ? neg[x] && neg[y] : neg[y]};
    sum->presub = 1 + (!two ? half ? PRE_1_MINUS_2X : PRE_1_MINUS_X : neg[x] == neg[y] ? PRE_ADD : PRE_SUB);
    const unsigned first = !two ? x : neg[x] != neg[y] && !neg[x] ? y : x; /* SUB is src1 - src0 */
    memcpy(sum->source[0], op->arg[first], sizeof sum->source[0]);
    memcpy(sum->source[1], op->arg[two ? 2 - first : first], sizeof sum->source[1]);
    return true;
}

/* ---- lanes of the sources: the same in both ---- */

static unsigned lane_of(const struct us_program *a, const struct us_chan *c)
{
    return c->file == US_VALUE ? hwemit_us_lane(a, c) : c->file == US_SLOT ? c->lane : US_ANY_LANE;
}

/* Fixes the lane of a number. Returns false if its operation cannot write there. */
static bool fix(struct us_program *a, struct sum *sum, const struct us_chan *c, unsigned lane)
{
    struct us_value *v = &a->value[c->index];
    const struct us_op *op = &a->op[v->writer[0]];
    if (lane == 3 ? op->out[RGB] : op->kind != US_SCALAR || op->out[ALPHA] || op->depth)
        return false;
    v->lane = (uint8_t)lane;
    a->unit[v->unit].lanes = (uint8_t)(1u << lane);
    sum->fixed[sum->nfixed++] = c->index;
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
                        struct us_chan number[4], const struct us_chan other[4])
{
    unsigned lanes = 0, first = 0;
    while (!(channels >> first & 1))
        first++;
    for (unsigned c = first; c < 3; c++)
        if (channels >> c & 1) {
            if (number[c].index != number[first].index || number[c].lane != number[first].lane)
                return false;
            lanes |= 1u << lane_of(a, &other[c]);
        }
    struct us_chan to = {.file = US_SLOT};
    if (number[first].file == US_LITERAL) {
        const struct constant half = {.value = {0.5f}, .origin = {-1, -1, -1, -1}};
        const int32_t code = fragprog_immediate(a->p.chip->immediates, 0.5f, NULL);
        to.index = code < 0 ? put_constant(a, sum, &half, 0, lanes) : (uint16_t)code;
        to.file = code < 0 ? US_SLOT : US_INLINE;
    } else
        to.index = put_constant(a, sum, &a->slot[number[first].index], number[first].lane, lanes);
    for (unsigned c = 0; c < 3; c++)
        if (channels >> c & 1) {
            number[c] = to;
            number[c].lane = (uint8_t)(to.file == US_INLINE ? US_ANY_LANE : lane_of(a, &other[c]));
        }
    return to.index != NONE;
}

/* Gives both sources of each channel the same lane. Returns false if that is not possible. */
static bool align(struct us_program *a, struct sum *sum)
{
    const struct us_op *op = &a->op[sum->op];
    const unsigned channels = hwemit_us_channels(op);
    const bool two = sum->presub == 1 + PRE_ADD || sum->presub == 1 + PRE_SUB;
    bool equal = true, number[2] = {true, true};
    sum->slot = NONE;
    for (unsigned c = 0; c < 3; c++)
        for (unsigned k = 0; k < 2 && channels >> c & 1; k++) {
            sum->source[k][c].neg = 0;
            number[k] &= sum->source[k][c].file != US_VALUE;
        }
    if (number[0] && !two)
        return lane_of(a, &sum->source[0][0]) != US_ANY_LANE; /* a literal has no lane */
    if ((number[0] && number[1]) || !two)
        return !two;
    for (unsigned c = 0; c < 3; c++)
        for (unsigned k = 0; k < 2 && channels >> c & 1; k++) {
            const struct us_chan *x = &sum->source[k][c], *y = &sum->source[1 - k][c];
            if (x->file == US_VALUE && lane_of(a, x) == US_ANY_LANE &&
                !fix(a, sum, x, lane_of(a, y) != US_ANY_LANE ? lane_of(a, y) : 3))
                return false;
        }
    for (unsigned c = 0; c < 3; c++)
        if (channels >> c & 1)
            equal &= lane_of(a, &sum->source[0][c]) == lane_of(a, &sum->source[1][c]) ||
                sum->source[0][c].file == US_INLINE || sum->source[1][c].file == US_INLINE;
    for (unsigned k = 0; k < 2 && !equal; k++)
        if (number[k])
            return move_number(a, sum, channels, sum->source[k], sum->source[1 - k]);
    return equal;
}

/* ---- readers ---- */

static bool is_of(const struct us_program *a, const struct us_chan *c, const struct sum *sum)
{
    return c->file == US_VALUE && c->index == a->op[sum->op].value;
}

static unsigned channel_of(const struct us_program *a, const struct sum *sum, const struct us_chan *c)
{
    return a->op[sum->op].kind == US_SCALAR ? 0 : c->lane;
}

/* Returns the lane that this channel of the sum is computed in: that of a source which has one. */
static unsigned lane_of_sum(const struct us_program *a, const struct us_chan source[2][4], unsigned channel)
{
    return lane_of(a, &source[source[0][channel].file == US_INLINE][channel]);
}

/* Returns whether the operand reads the sum. *all: whether all of its channels do, with one sign and as xyz
 * or one lane replicated. */
static bool reads(const struct us_program *a, const struct us_op *op, unsigned s, const struct sum *sum,
                  bool *all)
{
    const struct us_chan *first = NULL;
    unsigned lane = 0;
    bool some = false, equal = true, own = true;
    *all = op->kind != US_DOT4;
    for (unsigned c = 0; c < 4; c++) {
        const struct us_chan *x = &op->arg[s][c];
        if (!(hwemit_us_channels(op) >> c & 1))
            continue;
        if (!is_of(a, x, sum)) {
            *all = false;
            continue;
        }
        some = true;
        const unsigned at = lane_of_sum(a, sum->source, channel_of(a, sum, x));
        if (first)
            *all = *all && x->neg == first->neg && x->abs == first->abs;
        equal &= !first || at == lane;
        own &= at == c;
        lane = first ? lane : at;
        first = first ? first : x;
    }
    *all = *all && (equal || own);
    return some;
}

/* Makes operand s read the sum through presubtract n. */
static void fold(const struct us_program *a, struct us_op *op, unsigned s, const struct sum *sum, unsigned n)
{
    for (unsigned c = 0; c < 4; c++) {
        struct us_chan *x = &op->arg[s][c];
        if (!(hwemit_us_channels(op) >> c & 1))
            continue;
        x->lane = (uint8_t)channel_of(a, sum, x);
        x->file = US_PRESUB;
        x->index = (uint16_t)n;
        x->neg ^= sum->negative && !x->abs;
        for (unsigned k = 0; k < 2; k++)
            op->presub[n].source[k][x->lane] = sum->source[k][x->lane];
    }
    op->presub[n].op = sum->presub;
}

/* Returns whether the operands that read the presubtract read it from one part. */
static bool in_one_part(const struct us_program *a, const struct us_presub *presub)
{
    bool part[2] = {false, false};
    for (unsigned c = 0; c < 4; c++)
        if (presub->source[0][c].file != US_UNREAD)
            part[lane_of_sum(a, presub->source, c) == 3] = true;
    return !part[RGB] || !part[ALPHA];
}

/* Returns whether the operation fits an instruction of its own, whatever part its scalar sources are in. */
static bool fits(struct us_program *a, unsigned i)
{
    struct pair pair;
    const bool alpha = a->op[i].kind == US_FUNCTION;
    for (unsigned part = 0; part < 2; part++) {
        for (unsigned n = 0; n < a->nvalues; n++)
            a->value[n].part = (uint8_t)part;
        if (!hwemit_us_place(a, &pair, alpha ? NONE : i, alpha ? i : NONE))
            return false;
    }
    return true;
}

static bool is_coordinate(const struct us_program *a, const struct sum *sum)
{
    for (unsigned t = 0; t < a->nlookups; t++)
        for (unsigned c = 0; c < 4; c++)
            if (a->lookup[t].needs >> c & 1 && is_of(a, &a->lookup[t].coord[c], sum))
                return true;
    return false;
}

/* Makes operation k read the sum through a presubtract, if it reads it. Returns false if it cannot. */
static bool replace(struct us_program *a, unsigned k, const struct sum *sum)
{
    struct us_op *op = &a->op[k];
    const bool second = op->presub[0].op, full = op->presub[1].op;
    bool some = false, all;
    for (unsigned s = 0; s < 16 && op->presub[s / 8].op; s++)
        if (is_of(a, &op->presub[s / 8].source[s / 4 % 2][s % 4], sum))
            return false;
    for (unsigned s = 0; s < hwemit_us_operands(op); s++)
        if (reads(a, op, s, sum, &all)) {
            if (!all || full)
                return false;
            some = true;
            fold(a, op, s, sum, second);
        }
    return !some || (in_one_part(a, &op->presub[second]) && fits(a, k));
}

static bool mentions(const struct us_program *a, const struct us_op *op, const struct sum *sum)
{
    for (unsigned k = 0; k < 12; k++)
        if (is_of(a, &op->arg[k / 4][k % 4], sum))
            return true;
    for (unsigned k = 0; k < 16 && op->presub[k / 8].op; k++)
        if (is_of(a, &op->presub[k / 8].source[k / 4 % 2][k % 4], sum))
            return true;
    return false;
}

static void remove_sum(struct us_program *a, unsigned i)
{
    struct sum sum = {.nfixed = 0};
    struct us_op kept[READERS];
    uint16_t reader[READERS];
    unsigned n = 0;
    bool good = find_sum(a, i, &sum) && !is_coordinate(a, &sum) && align(a, &sum);
    for (unsigned k = 0; k < a->nops && good; k++) {
        if (a->op[k].gone || !mentions(a, &a->op[k], &sum))
            continue;
        if (n == READERS) {
            good = false;
            break;
        }
        reader[n] = (uint16_t)k;
        kept[n++] = a->op[k];
        good = replace(a, k, &sum);
    }
    good = good && n > 0;
    for (unsigned k = 0; k < n && !good; k++)
        a->op[reader[k]] = kept[k];
    for (unsigned k = 0; k < sum.nfixed && !good; k++) {
        a->value[sum.fixed[k]].lane = US_ANY_LANE;
        a->unit[a->value[sum.fixed[k]].unit].lanes = 0;
    }
    if (good && sum.slot != NONE) {
        a->slot[sum.slot] = sum.constant;
        a->nslots += sum.slot == a->nslots;
    }
    a->op[i].gone |= good && !a->op[i].out[RGB] && !a->op[i].out[ALPHA] && !a->op[i].depth;
}

bool hwemit_us_presubtract(struct us_program *a)
{
    for (unsigned i = 0; i < a->nops; i++)
        remove_sum(a, i);
    return true;
}
