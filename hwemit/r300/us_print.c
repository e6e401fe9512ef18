/* Prints operations as text, for `texenvc convert --print-after`: `v4.xyz out0.xyz = mad*2.sat v1.xyz, 1,
 * -c0.w`. v: a value, k: a constant of the program or, after those, an added literal, c: a slot, p: a
 * presubtract. */
#include "hwemit/r300/us.h"

static const char lanes[] = "xyzw";

static void print_lane(struct texenv_text *text, const char *what, unsigned index, unsigned lane)
{
    texenv_printf(text, "%s%u", what, index);
    if (lane < 4)
        texenv_printf(text, ".%c", lanes[lane]);
}

static void print_channel(struct texenv_text *text, const struct us_program *a, const struct us_chan *c)
{
    static const char *const literal[] = {
        [FRAGPROG_ZERO] = "0", [FRAGPROG_ONE] = "1", [FRAGPROG_HALF] = "0.5"};
    const char *bar = c->abs ? "|" : "";
    texenv_printf(text, "%s%s", c->neg ? "-" : "", bar);
    switch (c->file) {
    case US_VALUE: print_lane(text, "v", c->index, a->value[c->index].number ? 4 : c->lane); break;
    case US_CONST: print_lane(text, "k", c->index, c->lane); break;
    case US_SLOT: print_lane(text, "c", c->index, c->lane); break;
    case US_INLINE: texenv_printf(text, "#%u", (unsigned)c->index); break;
    case US_PRESUB: print_lane(text, "p", c->index, c->lane); break;
    default: texenv_printf(text, "%s", literal[c->lane]);
    }
    texenv_printf(text, "%s", bar);
}

/* Prints the channels of an operand, or only one if all are the same. */
static void print_channels(struct texenv_text *text, const struct us_program *a, const struct us_chan c[4],
                           unsigned channels)
{
    unsigned first = 0, rest = 0;
    while (!(channels >> first & 1))
        first++;
    for (unsigned n = first; n < 4; n++)
        rest |= (unsigned)(channels >> n & 1 &&
                           (c[n].file != c[first].file || c[n].index != c[first].index ||
                            c[n].lane != c[first].lane || c[n].neg != c[first].neg))
            << n;
    for (unsigned n = first; n < 4 && (n == first || rest); n++)
        if (channels >> n & 1) {
            texenv_printf(text, "%s", n == first ? "" : " ");
            print_channel(text, a, &c[n]);
        }
}

static void print_mask(struct texenv_text *text, unsigned mask)
{
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            texenv_printf(text, "%c", lanes[c]);
}

static void print_result(struct texenv_text *text, const struct us_program *a, const struct us_op *op)
{
    const unsigned out = op->out[RGB] | (op->out[ALPHA] ? FRAGPROG_MASK_W : 0u);
    texenv_printf(text, "v%u", (unsigned)op->value);
    if (!a->value[op->value].number) {
        texenv_printf(text, ".");
        print_mask(text, op->mask);
    }
    if (out) {
        texenv_printf(text, " out%u.", (unsigned)op->target);
        print_mask(text, out);
    }
    texenv_printf(text, "%s = ", op->depth ? " depth" : "");
}

static void print_op(struct texenv_text *text, const struct us_program *a, const struct us_op *op)
{
    static const char *const names[] = {
        [OP_MAD] = "mad", [OP_DP3] = "dp3", [OP_DP4] = "dp4", [OP_MIN] = "min",
        [OP_MAX] = "max", [OP_CMP] = "cmp", [OP_FRC] = "frc"};
    static const char *const functions[] = {[US_EX2] = "ex2", [US_LG2] = "lg2", [US_RCP] = "rcp",
                                            [US_RSQ] = "rsq", [US_SIN] = "sin", [US_COS] = "cos"};
    static const char *const sums[] = {
        [PRE_1_MINUS_2X] = "1-2x", [PRE_SUB] = "y-x", [PRE_ADD] = "x+y", [PRE_1_MINUS_X] = "1-x"};
    const unsigned channels = hwemit_us_channels(op);
    print_result(text, a, op);
    texenv_printf(text, "%s", op->kind == US_FUNCTION ? functions[op->code] : names[op->code]);
    if (op->scale)
        texenv_printf(text, "*%f", op->scale < 0 ? 1.0 / (1 << -op->scale) : (double)(1 << op->scale));
    texenv_printf(text, "%s", op->clamp ? ".sat" : "");
    for (unsigned s = 0; s < hwemit_us_operands(op); s++) {
        texenv_printf(text, "%s", s ? ", " : " ");
        print_channels(text, a, op->arg[s], channels);
    }
    for (unsigned n = 0; n < 2 && op->presub[n].op; n++) {
        const struct us_presub *pre = &op->presub[n];
        unsigned read = 0;
        for (unsigned c = 0; c < 4; c++)
            read |= (unsigned)(pre->source[0][c].file != US_UNREAD) << c;
        texenv_printf(text, "; p%u = %s of ", n, sums[pre->op - 1]);
        print_channels(text, a, pre->source[0], read);
        if (pre->op == 1 + PRE_SUB || pre->op == 1 + PRE_ADD) {
            texenv_printf(text, ", ");
            print_channels(text, a, pre->source[1], read);
        }
    }
    texenv_printf(text, "\n");
}

void hwemit_us_print(struct texenv_text *text, const void *program)
{
    static const char *const names[] = {
        [TEX_LD] = "tex", [TEX_KIL] = "kill", [TEX_TXP] = "txp", [TEX_TXB] = "txb"};
    const struct us_program *a = program;
    for (unsigned t = 0; t < a->nlookups; t++) {
        const struct us_lookup *l = &a->lookup[t];
        if (l->value != NONE)
            texenv_printf(text, "v%u = ", (unsigned)l->value);
        texenv_printf(text, "%s #%u ", names[l->op], (unsigned)l->texture);
        print_channels(text, a, l->coord, l->needs);
        texenv_printf(text, "\n");
    }
    for (unsigned i = 0; i < a->nops; i++)
        if (!a->op[i].gone)
            print_op(text, a, &a->op[i]);
}
