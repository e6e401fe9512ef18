/* Merges equal colour and alpha instructions, for languages of four-component vectors. Chips with separate
 * colour and alpha instructions do not use this. */
#include "fragprog/inst.h"
#include "fragprog/lang/language.h"

/* Finds an operand of one source and one sign that reads the colour's operand in lanes 0..2 and the alpha's
 * in lane 3. Returns false if there is none. */
static bool join_sources(struct fragprog_src *out, const struct fragprog_src *color,
                         const struct fragprog_src *alpha)
{
    double x, y;
    if (fragprog_literal_value(color, 7, &x) && fragprog_literal_value(alpha, 8, &y)) {
        *out = *color;
        out->lane[3] = color->lane[0];
        out->negate = color->negate & 1 ? 15 : 0;
        return x == y && color->lane[0] == color->lane[1] && color->lane[0] == color->lane[2];
    }
    if (color->mods != alpha->mods || color->file != alpha->file || color->index != alpha->index ||
        !(color->negate & 7) != !(alpha->negate & 8) || alpha->lane[3] > FRAGPROG_W)
        return false;
    for (unsigned i = 0; i < 3; i++)
        if (color->lane[i] > FRAGPROG_W || !(color->negate >> i & 1) != !(color->negate & 1))
            return false;
    *out = *color;
    out->lane[3] = alpha->lane[3];
    out->negate = (uint8_t)((color->negate & 7) | (alpha->negate & 8));
    return true;
}

static bool join(struct fragprog_inst *out, const struct fragprog_inst *color,
                 const struct fragprog_inst *alpha)
{
    if (color->mask != FRAGPROG_MASK_XYZ || alpha->mask != FRAGPROG_MASK_W || color->op != alpha->op ||
        color->scale != alpha->scale || color->clamp != alpha->clamp || color->op == FRAGPROG_TEX ||
        color->op == FRAGPROG_VEC || color->op == FRAGPROG_PROJ)
        return false;
    *out = *color;
    out->mask = FRAGPROG_MASK_XYZW;
    for (unsigned s = 0; s < fragprog_op_args(color->op); s++)
        if (fragprog_op_is_dot(color->op)
                ? !fragprog_same_source(&color->src[s], &alpha->src[s], fragprog_lanes_read(color, s))
                : !join_sources(&out->src[s], &color->src[s], &alpha->src[s]))
            return false;
    return true;
}

/* Merges instruction `second` into `first`, if possible. Both read the same values, so the operands are
 * already defined at `first`. */
static bool join_at(struct fragprog *p, unsigned first, unsigned second)
{
    const struct fragprog_inst *a = &p->inst[first], *b = &p->inst[second];
    struct fragprog_inst both;
    if (!(a->mask == FRAGPROG_MASK_W ? join(&both, b, a) : join(&both, a, b)))
        return false;
    p->inst[first] = both;
    fragprog_replace_value(p, second, first);
    return true;
}

/* Visits instructions in order, so that instructions which read two merged halves can be merged as well. A
 * merged second instruction stays in the program as dead code. */
void fragprog_join_halves(struct fragprog *p)
{
    for (unsigned first = 0; first < p->ninst; first++)
        for (unsigned second = first + 1; second < p->ninst; second++)
            if (join_at(p, first, second))
                fragprog_opt_dead(p, &(struct fragprog_opt){0});
}

/* Given a colour a*b + c and an earlier alpha a*b, replaces them by one product of four channels and an
 * addition of c to its colour. */
static void share_product(struct fragprog *p, unsigned alpha, unsigned color)
{
    struct fragprog_inst both, product = p->inst[color];
    if (product.op != FRAGPROG_MAD)
        return;
    const struct fragprog_inst sum = {.op = FRAGPROG_ADD,
                                      .mask = FRAGPROG_MASK_XYZ,
                                      .scale = product.scale,
                                      .clamp = product.clamp,
                                      .unit = product.unit,
                                      .src = {fragprog_src_value(alpha), product.src[2]}};
    product.op = FRAGPROG_MUL;
    product.scale = product.clamp = 0;
    if (!join(&both, &product, &p->inst[alpha]))
        return;
    both.unit = p->inst[alpha].unit;
    p->inst[alpha] = both;
    p->inst[color] = sum;
}

void fragprog_share_products(struct fragprog *p)
{
    for (unsigned color = 1; color < p->ninst; color++)
        for (unsigned alpha = 0; alpha < color; alpha++)
            share_product(p, alpha, color);
}
