/* Describes the colour and the alpha half of each instruction of the intermediate program as a polynomial
 * over its sources (struct node), the input of fusion and of operation selection. */
#include "fragprog/algebra/formula.h"
#include "hwemit/r300/r300_choose.h"

#include <string.h>

/* Returns whether an immediate constant may be a coefficient of a polynomial: sums and products of multiples
 * of 1/16 up to 8 are exact. Other immediate constants are treated as sources. */
static bool is_short(float x) { return x >= -8 && x <= 8 && x * 16 == (float)(int)(x * 16); }

/* Returns whether a channel of an operand is a number that may be a coefficient (0, 1, 1/2 or an immediate
 * constant with is_short); *value: the number. */
static bool immediate(const struct chooser *c, const struct fragprog_src *src, unsigned channel, float *value)
{
    static const float literal[] = {0, 1, 0.5f};
    unsigned lane = src->lane[channel];
    float v;
    if (lane > FRAGPROG_W)
        v = literal[lane - FRAGPROG_ZERO];
    else if (src->file == FRAGPROG_CONST && c->ir->konst[src->index].origin[lane].unit < 0 &&
             is_short(c->ir->konst[src->index].value[lane]))
        v = c->ir->konst[src->index].value[lane];
    else
        return false;
    *value = src->negate >> channel & 1 ? -v : v;
    return true;
}

/* Returns whether the channels read different numbers of one immediate constant. The constant is then treated
 * as a source, not as a coefficient. */
static bool several_numbers(const struct chooser *c, const struct fragprog_src *src, unsigned mask)
{
    float first = 0, value;
    bool known = false, several = false;
    for (unsigned i = 0; i < 4; i++) {
        if (!(mask >> i & 1))
            continue;
        if (src->lane[i] > FRAGPROG_W || !immediate(c, src, i, &value))
            return false;
        several |= known && value != first;
        first = value;
        known = true;
    }
    return several;
}

static void modify(struct affine *a, unsigned mods)
{
    if (mods & FRAGPROG_ABS) {
        if (a->leaf.file == FILE_NONE)
            a->offset = a->offset < 0 ? -a->offset : a->offset;
        else
            a->abs = true, a->factor = 1;
    }
    if (mods & FRAGPROG_COMP)
        a->factor = -a->factor, a->offset = 1 - a->offset;
    if (mods & FRAGPROG_BIAS)
        a->offset -= 0.5f;
    if (mods & FRAGPROG_2X)
        a->factor *= 2, a->offset *= 2;
    if (mods & FRAGPROG_NEG)
        a->factor = -a->factor, a->offset = -a->offset;
}

/* Sets *is_number if all channels are the same number, and *number to that number. Returns false if they are
 * different numbers, or numbers and other values. */
static bool find_number(const struct chooser *c, const struct fragprog_src *src, unsigned mask,
                        bool *is_number, float *number)
{
    bool any = false;
    *is_number = false;
    if (several_numbers(c, src, mask))
        return true;
    for (unsigned i = 0; i < 4; i++) {
        float value = 0;
        if (!(mask >> i & 1))
            continue;
        const bool is = immediate(c, src, i, &value);
        if (any && (is != *is_number || (is && value != *number)))
            return false;
        any = true;
        *is_number = is;
        *number = value;
    }
    return true;
}

/* Returns whether the chip has a swizzle that reads these lanes in the channels of `mask`. Sets the lanes of
 * the other channels so that the whole swizzle is one that the chip has. */
static bool select_lanes(const struct chooser *c, uint8_t lane[3], unsigned mask)
{
    static const uint8_t selects[][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {3, 2, 1}};
    if (!hwemit_r300_native(c->p->chip, lane, mask))
        return false;
    for (unsigned s = 0; mask != 7 && s < 4; s++) {
        bool equal = true;
        for (unsigned i = 0; i < 3; i++)
            equal &= !(mask >> i & 1) || lane[i] == selects[s][i];
        if (equal) {
            memcpy(lane, selects[s], 3);
            break;
        }
    }
    return true;
}

bool hwemit_r300_affine(const struct chooser *c, struct affine *out, const struct fragprog_src *src,
                        unsigned mask, unsigned half)
{
    const unsigned negated = src->negate & mask;
    unsigned first = 4, lanes = 0; /* bit mask of the lanes that are read */
    bool is_number = false;
    float number = 0;
    for (unsigned i = 4; i-- > 0;)
        if (mask >> i & 1) {
            first = i;
            lanes |= 1u << src->lane[i];
        }
    const bool alpha = lanes >> FRAGPROG_W & 1, literal = lanes >> (FRAGPROG_W + 1);
    if ((literal || src->file == FRAGPROG_CONST) && !find_number(c, src, mask, &is_number, &number))
        return false;
    *out = (struct affine){.factor = is_number ? 0 : negated ? -1.0f : 1.0f, .offset = number};
    if (is_number) {
        modify(out, src->mods);
        return true;
    }
    if (negated && negated != mask)
        return false;
    if (src->file == FRAGPROG_VALUE && alpha && lanes != 1u << FRAGPROG_W &&
        c->ir->inst[src->index].op != FRAGPROG_TEX)
        return false; /* the colour and the alpha of a result are separate registers */
    out->leaf.file = src->file == FRAGPROG_CONST ? FILE_CONST : FILE_VREG;
    /* bit 15 marks a virtual register (an input), see hwemit_r300_resolve */
    out->leaf.index = src->file == FRAGPROG_CONST ? src->index
        : src->file == FRAGPROG_VALUE ? (uint16_t)(src->index * 2 + (src->lane[first] == FRAGPROG_W))
                                      : hwemit_r300_input(c, src) | 0x8000;
    /* channels that are not written read the same as the first, unless select_lanes changes them */
    for (unsigned i = 0; i < 3; i++)
        out->leaf.lane[i] = half == ALPHA || !(mask >> i & 1) ? src->lane[first] : src->lane[i];
    if (half == RGB && (mask & (mask - 1)) != 0 && !select_lanes(c, out->leaf.lane, mask & 7))
        return false;
    modify(out, src->mods);
    return true;
}

void hwemit_r300_resolve(const struct chooser *c, struct leaf *leaf)
{
    if (leaf->file != FILE_VREG)
        return;
    leaf->index = leaf->index & 0x8000 ? leaf->index & 0x7fff : c->vreg[leaf->index / 2][leaf->index % 2];
}

/* ---- polynomials of instructions ---- */

/* An argument of an operation: factor * leaf + offset, or the literal `offset` if leaf is 0. */
struct argument {
    unsigned leaf;
    float factor, offset;
};

static bool add_argument(struct chooser *c, struct node *n, struct argument *out,
                         const struct fragprog_src *src, unsigned mask, enum abs_mode mode)
{
    struct affine a;
    if (!hwemit_r300_affine(c, &a, src, mask, n->half) || (a.abs && mode == STRICT))
        return false;
    if (a.abs && mode == EMIT)
        hwemit_r300_emit_abs(c, &a, n->half, mask, -1);
    unsigned leaf = 0, count = n->nleaves;
    if (a.leaf.file != FILE_NONE) {
        leaf = hwemit_r300_add_leaf(n->leaf, &count, &a.leaf);
        n->nleaves = (uint8_t)count;
    }
    *out = (struct argument){leaf, leaf ? a.factor : 0, a.offset};
    return true;
}

static struct argument factor_of(const struct argument *s, unsigned factor)
{
    if (factor == FRAGPROG_FACTOR_ONE)
        return (struct argument){0, 0, 1};
    if (factor == FRAGPROG_FACTOR_NOT_A)
        return (struct argument){s[0].leaf, -s[0].factor, 1 - s[0].offset};
    return s[factor];
}

/* Adds to q one product of an operation's formula, times scale; s: the operation's arguments. A dot product
 * of n terms whose arguments have equal channels is n times one product. */
static void add_product(struct fragprog_quad *q, const struct fragprog_product *p, const struct argument *s,
                        float scale)
{
    const struct argument x = factor_of(s, p->factor[0]), y = factor_of(s, p->factor[1]);
    float times = scale * p->sign;
    if (p->lanes)
        times *= (float)((p->lanes & 1) + (p->lanes >> 1 & 1) + (p->lanes >> 2 & 1) + (p->lanes >> 3));
    q->c[0] += times * x.offset * y.offset;
    if (x.leaf)
        q->c[fragprog_quad_term(0, x.leaf)] += times * x.factor * y.offset;
    if (y.leaf)
        q->c[fragprog_quad_term(0, y.leaf)] += times * x.offset * y.factor;
    if (x.leaf && y.leaf)
        q->c[fragprog_quad_term(x.leaf, y.leaf)] += times * x.factor * y.factor;
}

/* Sets the polynomial of the node to x times register c->reciprocal. */
static void divided(struct chooser *c, struct node *n, const struct argument *x, float scale)
{
    static const struct fragprog_product product = {1, {FRAGPROG_FACTOR_A, FRAGPROG_FACTOR_B}, 0};
    unsigned count = n->nleaves;
    const struct leaf leaf = {.file = FILE_VREG, .index = c->reciprocal | 0x8000, .lane = {3, 3, 3}};
    const struct argument s[2] = {*x, {hwemit_r300_add_leaf(n->leaf, &count, &leaf), 1, 0}};
    n->nleaves = (uint8_t)count;
    add_product(&n->q, &product, s, scale);
}

/* Computes the polynomial of an instruction over channels `mask`, including its scale. Returns false if it is
 * not a polynomial, if the channels need different ones, or, with STRICT, if a source is |x|. */
bool hwemit_r300_polynomial(struct chooser *c, struct node *n, const struct fragprog_inst *inst,
                            unsigned mask, enum abs_mode mode)
{
    static const float scale[] = {0.125f, 0.25f, 0.5f, 1, 2, 4, 8};
    const bool known = inst->op == FRAGPROG_DOT3 || inst->op == FRAGPROG_PROJ ||
        fragprog_op_is_polynomial(inst->op);
    struct argument s[3];
    n->nleaves = 0;
    if (inst->op == FRAGPROG_DOT3)
        mask = 7;
    for (unsigned i = 0; i < fragprog_op_args(inst->op); i++)
        if (!add_argument(c, n, &s[i], &inst->src[i], mask, mode))
            return false;
    memset(&n->q, 0, sizeof n->q);
    for (const struct fragprog_product *p = fragprog_formula(inst->op); p->sign && known; p++)
        add_product(&n->q, p, s, scale[inst->scale + 3]);
    if (inst->op == FRAGPROG_PROJ)
        divided(c, n, &s[0], scale[inst->scale + 3]);
    return known;
}

/* Returns the colour instruction of the dot product whose alpha half is instruction i, or NULL. */
static const struct fragprog_inst *colour_of(const struct chooser *c, unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (c->ir->inst[j].op == FRAGPROG_DOT3 && c->read[j] & 1 &&
            hwemit_r300_companion(c, j) == &c->ir->inst[i])
            return &c->ir->inst[j];
    return NULL;
}

/* A dot product of two scalars is three times their product. It is treated as a polynomial if only its colour
 * is needed and one scalar is a literal or both are equal, and also if colour and alpha differ in scale so
 * that they cannot share one pair (r300_dots.c). */
bool hwemit_r300_is_scalar_dot(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i], *colour = inst, *alpha;
    struct affine a[2];
    if (inst->op != FRAGPROG_DOT3)
        return false;
    for (unsigned s = 0; s < 2; s++)
        if (!hwemit_r300_affine(c, &a[s], &inst->src[s], 7, RGB) || a[s].abs ||
            a[s].leaf.lane[0] != a[s].leaf.lane[1] || a[s].leaf.lane[1] != a[s].leaf.lane[2])
            return false;
    if (inst->mask == FRAGPROG_MASK_W)
        alpha = inst, colour = colour_of(c, i);
    else
        alpha = hwemit_r300_companion(c, i);
    if (!colour || inst->clamp == FRAGPROG_SAT8)
        return false;
    if (alpha)
        return alpha->clamp != FRAGPROG_SAT8 && colour->clamp != FRAGPROG_SAT8 &&
            colour->mask == FRAGPROG_MASK_XYZ && alpha->scale < colour->scale &&
            !c->p->chip->dot_copies_first;
    return !(c->read[i] & 2) &&
        (a[0].leaf.file == FILE_NONE || a[1].leaf.file == FILE_NONE ||
         memcmp(&a[0].leaf, &a[1].leaf, sizeof a[0].leaf) == 0);
}

static bool is_polynomial(const struct chooser *c, unsigned i)
{
    const struct fragprog_inst *inst = &c->ir->inst[i];
    if (inst->op == FRAGPROG_DOT3)
        return hwemit_r300_is_scalar_dot(c, i);
    return fragprog_op_is_polynomial(inst->op);
}

unsigned hwemit_r300_part_mask(unsigned half, const struct fragprog_inst *inst)
{
    return half == RGB ? inst->mask & 7u : inst->mask & 8u;
}

static void node_range(const struct chooser *c, struct node *n)
{
    float low[MAX_LEAVES + 1], high[MAX_LEAVES + 1];
    for (unsigned i = 0; i < n->nleaves; i++) {
        const struct leaf *leaf = &n->leaf[i];
        low[i + 1] = 0, high[i + 1] = 1;
        if (leaf->file == FILE_VREG && leaf->index & 0x8000) {
            low[i + 1] = c->p->vreg[leaf->index & 0x7fff].low;
            high[i + 1] = c->p->vreg[leaf->index & 0x7fff].high;
        } else if (leaf->file == FILE_VREG && c->ir->inst[leaf->index / 2].op != FRAGPROG_TEX) {
            low[i + 1] = c->node[leaf->index].low;
            high[i + 1] = c->node[leaf->index].high;
        } else if (leaf->file == FILE_CONST)
            hwemit_r300_leaf_range(c, leaf, &low[i + 1], &high[i + 1]);
    }
    fragprog_quad_range(&n->q, low, high, &n->low, &n->high);
}

/* Makes the nodes of a program of at most FRAGPROG_TEXENV_INSTS instructions. Of a half that is not a
 * polynomial, only the clamp bounds the range. */
void hwemit_r300_make_nodes(struct chooser *c)
{
    const struct fragprog *ir = c->ir;
    for (unsigned i = 0; i < ir->ninst; i++)
        for (unsigned half = 0; half < 2; half++) {
            const struct fragprog_inst *inst = &ir->inst[i];
            struct node *n = &c->node[i * 2 + half];
            *n = (struct node){.half = (uint8_t)half, .low = -1e6f, .high = 1e6f, .clamp = inst->clamp};
            n->used = c->read[i] >> half & 1;
            unsigned mask = hwemit_r300_part_mask(half, inst);
            if (!n->used || !mask)
                continue;
            if ((mask == 7 || mask == 8) && is_polynomial(c, i) &&
                hwemit_r300_polynomial(c, n, inst, mask, STRICT)) {
                n->simple = true;
                node_range(c, n);
                hwemit_r300_settle_clamp(&n->q, n->clamp, n->low, n->high);
            }
            if (inst->clamp == FRAGPROG_SAT) {
                n->low = n->low < 0 ? 0 : n->low > 1 ? 1 : n->low;
                n->high = n->high > 1 ? 1 : n->high < 0 ? 0 : n->high;
            }
        }
}
