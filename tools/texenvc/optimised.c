/* Prints an optimised program in a form similar to stage notation, and the rewrites that were not valid. */
#include "optimised.h"

#include <string.h>

enum { NO_INST = 0xffff };

static unsigned pair_of(const struct compiled *c, unsigned value)
{
    for (unsigned pair = 0; pair < c->assignment.npairs; pair++)
        for (unsigned h = 0; h < 2; h++)
            if (c->assignment.pair[pair][h] == value)
                return pair + 1;
    return 0;
}

/* ---- terms ---- */

static void add_name(struct buffer *b, const struct compiled *c, const struct fragprog_src *src)
{
    const struct fragprog_const *k;
    switch (src->file) {
    case FRAGPROG_VALUE:
        if (c->ir.inst[src->index].op == FRAGPROG_TEX)
            buffer_printf(b, "T%u", c->ir.inst[src->index].texture);
        else
            buffer_printf(b, "V%u", pair_of(c, src->index));
        break;
    case FRAGPROG_CONST:
        k = &c->ir.konst[src->index];
        if (k->origin[0].unit >= 0)
            buffer_printf(b, "C%d", k->origin[0].unit);
        else
            buffer_printf(b, "K%u", src->index); /* folded constant */
        break;
    default: buffer_puts(b, src->file == FRAGPROG_SECONDARY ? "S" : "F"); break;
    }
}

/* Prints a source of an instruction whose first component that is read is `lane`. Returns true if it printed
 * a sum, which a product has to put in parentheses. */
static void add_term(struct buffer *b, const struct compiled *c, const struct fragprog_src *src,
                     unsigned lane, bool alpha, bool dot)
{
    static const char *const literal[] = {
        [FRAGPROG_ZERO] = "0", [FRAGPROG_ONE] = "1", [FRAGPROG_HALF] = "0.5"};
    unsigned mods = src->mods;
    if (dot && (mods & (FRAGPROG_BIAS | FRAGPROG_2X)) == (FRAGPROG_BIAS | FRAGPROG_2X))
        mods &= ~(unsigned)(FRAGPROG_BIAS | FRAGPROG_2X); /* dot3() already includes this modifier */
    bool negative = !(mods & FRAGPROG_NEG) != !(src->negate & 1u << lane);
    if (negative)
        buffer_puts(b, "-");
    if (mods & (FRAGPROG_BIAS | FRAGPROG_2X))
        buffer_puts(b, mods & FRAGPROG_BIAS ? mods & FRAGPROG_2X ? "(2*" : "(" : "2*");
    buffer_puts(b, mods & FRAGPROG_COMP ? "~" : "");
    if (src->lane[lane] >= FRAGPROG_ZERO) {
        buffer_puts(b, literal[src->lane[lane]]);
    } else {
        add_name(b, c, src);
        bool own = alpha ? src->lane[lane] == FRAGPROG_W : src->lane[lane] == lane;
        if (!own)
            buffer_printf(b, ".%c", "rgba"[src->lane[lane]]);
    }
    if (mods & FRAGPROG_BIAS)
        buffer_puts(b, mods & FRAGPROG_2X ? "-1)" : "-0.5)");
}

static void add_function(struct buffer *b, const struct compiled *c, const struct fragprog_inst *inst)
{
    bool dot = inst->op == FRAGPROG_DOT3, alpha = inst->mask == FRAGPROG_MASK_W && !dot;
    unsigned lane = alpha ? 3 : 0;
    struct buffer t[3] = {{0}, {0}, {0}};
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        add_term(&t[s], c, &inst->src[s], lane, alpha, dot);
    const char *a = t[0].data, *d = t[1].data, *e = t[2].data;
    const char *plus_d = d && *d == '-' ? "" : "+", *plus_e = e && *e == '-' ? "" : "+";
    switch (inst->op) {
    case FRAGPROG_ADD: buffer_printf(b, "%s%s%s", a, plus_d, d); break;
    case FRAGPROG_SUB: buffer_printf(b, "%s-%s", a, d); break;
    case FRAGPROG_MUL: buffer_printf(b, "%s*%s", a, d); break;
    case FRAGPROG_MAD: buffer_printf(b, "%s*%s%s%s", a, d, plus_e, e); break;
    case FRAGPROG_LERP: buffer_printf(b, "lerp(%s,%s,%s)", d, e, a); break;
    case FRAGPROG_DOT3: buffer_printf(b, "dot3(%s,%s)", a, d); break;
    case FRAGPROG_MOV: buffer_puts(b, a); break;
    default: buffer_printf(b, "op(%s%s%s%s%s)", a, d ? "," : "", d ? d : "", e ? "," : "", e ? e : ""); break;
    }
    for (unsigned s = 0; s < 3; s++)
        buffer_free(&t[s]);
}

void add_optimised(struct buffer *b, const struct compiled *c)
{
    static const char *const scale[] = {"0.125", "0.25", "0.5", "1", "2", "4", "8"};
    for (unsigned pair = 0; pair < c->assignment.npairs; pair++) {
        struct buffer half[2] = {{0}, {0}};
        int scales[2] = {0, 0};
        for (unsigned h = 0; h < 2; h++) {
            unsigned i = c->assignment.pair[pair][h];
            if (i == NO_INST) {
                buffer_puts(&half[h], "-");
                scales[h] = h ? scales[0] : 0;
                continue;
            }
            add_function(&half[h], c, &c->ir.inst[i]);
            scales[h] = c->ir.inst[i].scale;
        }
        if (c->assignment.pair[pair][0] == NO_INST)
            scales[0] = scales[1];
        buffer_printf(b, "%s{%s", pair ? " " : "", half[0].data);
        if (strcmp(half[0].data, half[1].data) != 0)
            buffer_printf(b, "; %s", half[1].data);
        buffer_puts(b, "}");
        if (scales[0] != scales[1])
            buffer_printf(b, "*%s;%s", scale[scales[0] + 3], scale[scales[1] + 3]);
        else if (scales[0])
            buffer_printf(b, "*%s", scale[scales[0] + 3]);
        buffer_free(&half[0]);
        buffer_free(&half[1]);
    }
}

/* ---- rewrites that were not valid ---- */

/* Returns whether the instruction is X - A, where X is a value or a product. Returns the arguments of X and
 * A. */
static bool is_difference(const struct fragprog_inst *inst, unsigned *nx, const struct fragprog_src **x,
                          const struct fragprog_src **a)
{
    if (inst->scale != 0)
        return false;
    *x = inst->src;
    if (inst->op == FRAGPROG_SUB) {
        *nx = 1;
        *a = &inst->src[1];
        return !inst->src[0].mods && !inst->src[1].mods;
    }
    *nx = 2;
    *a = &inst->src[2];
    return inst->op == FRAGPROG_MAD && inst->src[2].mods == FRAGPROG_NEG && !inst->src[0].mods &&
        !inst->src[1].mods;
}

static void add_plain(struct buffer *b, const struct compiled *c, const struct fragprog_src *src, bool alpha)
{
    struct fragprog_src plain = *src;
    plain.mods = 0;
    add_term(b, c, &plain, alpha ? 3 : 0, alpha, false);
}

static bool same_name(const struct fragprog_src *a, const struct fragprog_src *b)
{
    return a->file == b->file && a->index == b->index && memcmp(a->lane, b->lane, sizeof a->lane) == 0;
}

/* Explains why {X-A} {V+B} is not reordered: with X = 0 and A = B = 1 the result is 1, but adding B first
 * would give 0. Applies only if the sources can have these values independently. */
static void add_swap(struct buffer *b, const struct compiled *c, const struct fragprog_inst *difference,
                     const struct fragprog_inst *sum, unsigned s)
{
    unsigned nx;
    const struct fragprog_src *x, *a, *addend = &sum->src[1 - s];
    bool alpha = sum->mask == FRAGPROG_MASK_W;
    if (!is_difference(difference, &nx, &x, &a) || sum->scale != 0 || addend->mods ||
        addend->lane[alpha ? 3 : 0] > FRAGPROG_W)
        return;
    for (unsigned i = 0; i < nx; i++)
        if (same_name(&x[i], a) || same_name(&x[i], addend) || x[i].lane[alpha ? 3 : 0] > FRAGPROG_W)
            return;
    if (a->lane[alpha ? 3 : 0] > FRAGPROG_W)
        return;
    buffer_puts(b, "    {");
    add_function(b, c, difference);
    buffer_puts(b, "} {");
    add_function(b, c, sum);
    buffer_puts(
        b,
        "} stay in this order. Adding first would be wrong where the clamp between them acts:\n      with ");
    for (unsigned i = 0; i < nx; i++) {
        add_plain(b, c, &x[i], alpha);
        buffer_puts(b, i + 1 < nx ? " = " : " = 0, ");
    }
    add_plain(b, c, a, alpha);
    if (!same_name(a, addend)) {
        buffer_puts(b, " = ");
        add_plain(b, c, addend, alpha);
    }
    buffer_puts(b, " = 1 the result is 1, and would be 0\n");
}

void add_refused_rewrites(struct buffer *b, const struct compiled *c)
{
    static const char title[] = "\n  Not rewritten:\n";
    size_t start = b->length;
    buffer_puts(b, title);
    size_t after = b->length;
    for (unsigned pair = 0; pair < c->assignment.npairs; pair++)
        for (unsigned h = 0; h < 2; h++) {
            unsigned i = c->assignment.pair[pair][h];
            if (i == NO_INST || c->ir.inst[i].op != FRAGPROG_ADD || (h == 1 && b->length > after))
                continue; /* report it once: the alpha half repeats the colour half */
            for (unsigned s = 0; s < 2; s++) {
                const struct fragprog_src *src = &c->ir.inst[i].src[s];
                if (src->file == FRAGPROG_VALUE && !src->mods &&
                    c->ir.inst[src->index].clamp == FRAGPROG_SAT &&
                    c->ir.inst[src->index].mask == c->ir.inst[i].mask)
                    add_swap(b, c, &c->ir.inst[src->index], &c->ir.inst[i], s);
            }
        }
    if (b->length == after)
        b->length = start;
}
