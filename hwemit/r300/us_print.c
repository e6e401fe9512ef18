/* Prints operations for --print-after: `v4.xyz out0.xyz = mad*2.sat v1.x v1.y v1.z, 1, -c0.w`. v: a value,
 * k: a constant of the program or, after those, an added literal, c: a slot, p: a presubtract. */
#include "hwemit/r300/us.h"

#include <string.h>
#include "hwemit/r300/r300_value_names.h"

static void print_channel(struct texenv_text *text, const struct us_program *a, const struct us_chan *c)
{
    static const char files[] = {[US_VALUE] = 'v', [US_CONST] = 'k', [US_SLOT] = 'c', [US_PRESUB] = 'p'};
    static const char *const literal[] = {
        [FRAGPROG_ZERO] = "0", [FRAGPROG_ONE] = "1", [FRAGPROG_HALF] = "0.5"};
    const char *sign = c->neg ? "-" : "", *bar = c->abs ? "|" : "";
    if (c->file == US_LITERAL)
        texenv_printf(text, "%s%s", sign, literal[c->lane]);
    else if (c->file == US_INLINE)
        texenv_printf(text, "%s#%u", sign, (unsigned)c->index);
    else if (c->file == US_VALUE && a->value[c->index].number)
        texenv_printf(text, "%s%sv%u%s", sign, bar, (unsigned)c->index, bar);
    else
        texenv_printf(text, "%s%s%c%u.%s%s", sign, bar, files[c->file], (unsigned)c->index,
                      pvs_masks[1 << (c->lane & 3)], bar);
}

/* Prints the channels of an operand, or only one if all are the same. */
static void print_channels(struct texenv_text *text, const struct us_program *a, const struct us_chan c[4],
                           unsigned channels)
{
    unsigned first = 0;
    bool differ = false;
    while (!(channels >> first & 1))
        first++;
    for (unsigned n = first; n < 4; n++)
        differ |= channels >> n & 1 && memcmp(&c[n], &c[first], sizeof *c) != 0;
    for (unsigned n = first; n < 4 && (n == first || differ); n++)
        if (channels >> n & 1) {
            texenv_printf(text, "%s", n == first ? "" : " ");
            print_channel(text, a, &c[n]);
        }
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
    const bool number = a->value[op->value].number;
    texenv_printf(text, "v%u%s%s", (unsigned)op->value, number ? "" : ".", number ? "" : pvs_masks[op->mask]);
    if (op->out[RGB] || op->out[ALPHA])
        texenv_printf(text, " out%u.%s", (unsigned)op->target, pvs_masks[op->out[RGB] | op->out[ALPHA] << 3]);
    texenv_printf(text, "%s = %s", op->depth ? " depth" : "",
                  op->kind == US_FUNCTION ? functions[op->code] : names[op->code]);
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
