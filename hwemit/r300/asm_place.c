/* Assigns source addresses to the operands of a pair: three colour and three alpha addresses, which both
 * halves share (notes/facts/r300.md 2). An operand that reads colour and alpha lanes needs the colour and the
 * alpha address of the same number. */
#include "hwemit/r300/asm.h"

#include <string.h>

unsigned hwemit_asm_args(const struct asm_op *op, unsigned half)
{
    return op->kind == (half == RGB ? ASM_FUNCTION : ASM_DOT3) ? 0 : hwemit_asm_operands(op);
}

/* Returns ASM_UNREAD if the half does not read that channel. Colour channels are 0 to 2; the alpha half has
 * channel 0 only. */
struct asm_chan hwemit_asm_reads(const struct asm_op *op, unsigned half, unsigned s, unsigned channel)
{
    if (op->kind == ASM_SCALAR || op->kind == ASM_FUNCTION)
        return op->arg[s][0];
    if (half == ALPHA)
        return op->arg[s][3];
    if (op->kind == ASM_VECTOR && !(op->mask >> channel & 1))
        return (struct asm_chan){0};
    return op->arg[s][channel];
}

/* The addresses that an operand needs in the colour and the alpha part. */
struct want {
    struct port port[2];
    uint8_t half, arg;
};

static struct port port_of(const struct asm_program *a, const struct asm_chan *c, unsigned *part)
{
    if (c->file == ASM_VALUE) {
        const unsigned lane = hwemit_asm_lane(a, c);
        *part = lane == 0xff ? a->value[c->index].part : lane == 3 ? ALPHA : RGB;
        return (struct port){FILE_VREG, (uint16_t)hwemit_asm_unit(a, c->index)};
    }
    if (c->file == ASM_SLOT) {
        *part = c->lane == 3 ? ALPHA : RGB;
        return (struct port){FILE_SLOT, c->index};
    }
    *part = ALPHA;
    return (struct port){FILE_CODE, c->index};
}

static unsigned find_wants(const struct asm_program *a, unsigned op, unsigned half, struct want *want)
{
    unsigned n = 0;
    if (op == NONE)
        return 0;
    for (unsigned s = 0; s < hwemit_asm_args(&a->op[op], half); s++) {
        struct want *w = &want[n];
        *w = (struct want){.half = (uint8_t)half, .arg = (uint8_t)s};
        for (unsigned c = 0; c < (half == RGB ? 3u : 1u); c++) {
            const struct asm_chan chan = hwemit_asm_reads(&a->op[op], half, s, c);
            unsigned part;
            if (chan.file == ASM_UNREAD || chan.file == ASM_LITERAL)
                continue;
            const struct port port = port_of(a, &chan, &part);
            w->port[part] = port;
        }
        n += w->port[RGB].file || w->port[ALPHA].file;
    }
    return n;
}

static bool equal(const struct port *x, const struct port *y)
{
    return x->file == y->file && x->index == y->index;
}

static bool assign(struct pair *pair, const struct want *want, unsigned n)
{
    if (n == 0)
        return true;
    for (unsigned s = 0; s < 3; s++) {
        bool fits = true, added[2] = {false, false};
        for (unsigned part = 0; part < 2; part++)
            fits &= !want->port[part].file || !pair->port[part][s].file ||
                equal(&want->port[part], &pair->port[part][s]);
        if (!fits)
            continue;
        for (unsigned part = 0; part < 2; part++)
            if (want->port[part].file && !pair->port[part][s].file) {
                pair->port[part][s] = want->port[part];
                added[part] = true;
            }
        pair->half[want->half].arg[want->arg].from = (uint8_t)s;
        if (assign(pair, want + 1, n - 1))
            return true;
        for (unsigned part = 0; part < 2; part++)
            if (added[part])
                pair->port[part][s] = (struct port){0};
    }
    return false;
}

static unsigned constants(const struct want *want, unsigned n)
{
    uint16_t slot[12];
    unsigned slots = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned part = 0; part < 2; part++) {
            bool seen = want[i].port[part].file != FILE_SLOT;
            for (unsigned k = 0; k < slots && !seen; k++)
                seen = slot[k] == want[i].port[part].index;
            if (!seen)
                slot[slots++] = want[i].port[part].index;
        }
    return slots;
}

bool hwemit_asm_place(const struct asm_program *a, struct pair *pair, unsigned rgb, unsigned alpha)
{
    struct want want[6];
    memset(pair, 0, sizeof *pair);
    pair->half[RGB].op = (uint16_t)rgb;
    pair->half[ALPHA].op = (uint16_t)alpha;
    pair->pre[RGB] = pair->pre[ALPHA] = PRE_NONE;
    for (unsigned half = 0; half < 2; half++) {
        pair->half[half].temp = NONE;
        for (unsigned s = 0; s < 3; s++)
            pair->half[half].arg[s].from = SRC_ZERO;
    }
    unsigned n = find_wants(a, rgb, RGB, want);
    n += find_wants(a, alpha, ALPHA, want + n);
    return constants(want, n) <= a->p->chip->pair_consts && assign(pair, want, n);
}
