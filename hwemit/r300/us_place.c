/* Assigns source addresses to the operands of a pair: three colour and three alpha addresses, which both
 * halves share (notes/facts/r300.md 2). An operand that reads colour and alpha lanes needs the colour and the
 * alpha address of the same number. */
#include "hwemit/r300/us.h"

#include <string.h>

unsigned hwemit_us_args(const struct machine_op *op, unsigned half)
{
    return op->kind == (half == RGB ? US_FUNCTION : US_DOT3) ? 0 : hwemit_machine_args(op->op);
}

unsigned hwemit_us_read_channels(const struct machine_op *op, unsigned half)
{
    return half == RGB && op->kind != US_SCALAR ? 3 : 1;
}

/* Returns MACHINE_UNREAD if the half does not read that channel. Colour channels are 0 to 2; the alpha half
 * has channel 0 only. */
struct machine_src hwemit_us_reads(const struct machine_op *op, unsigned half, unsigned s, unsigned channel)
{
    if (op->kind == US_SCALAR || op->kind == US_FUNCTION)
        return op->arg[s][0];
    if (half == ALPHA)
        return op->arg[s][3];
    if (op->kind == US_VECTOR && !(op->mask >> channel & 1))
        return (struct machine_src){0};
    return op->arg[s][channel];
}

/* The addresses that an operand needs in the colour and the alpha part. */
struct want {
    struct port port[2];
    uint8_t half, arg;
};

static struct port port_of(const struct us_program *a, const struct machine_src *c, unsigned *part)
{
    *part = hwemit_us_lane_now(a, c) == 3 ? ALPHA : RGB;
    if (c->file == MACHINE_VALUE)
        return (struct port){FILE_VREG, (uint16_t)hwemit_us_unit(a, c->index)};
    return (struct port){FILE_SLOT, c->index};
}

static unsigned find_wants(const struct us_program *a, struct pair *pair, unsigned op, unsigned half,
                           struct want *want)
{
    unsigned n = 0;
    if (op == NONE)
        return 0;
    const unsigned channels = hwemit_us_read_channels(&a->m->op[op], half);
    for (unsigned s = 0; s < hwemit_us_args(&a->m->op[op], half); s++) {
        struct want *w = &want[n];
        *w = (struct want){.half = (uint8_t)half, .arg = (uint8_t)s};
        for (unsigned c = 0; c < channels; c++) {
            const struct machine_src chan = hwemit_us_reads(&a->m->op[op], half, s, c);
            unsigned part;
            if (chan.file == MACHINE_PRESUB)
                pair->half[half].arg[s].from = SRC_PRE;
            if (chan.file == MACHINE_UNREAD || chan.file == MACHINE_LITERAL || chan.file == MACHINE_PRESUB)
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

/* Puts the sources of the presubtracts that this half reads into the first addresses of their parts. On r300
 * and r400 it is not known which part's operation a half gets that reads the presubtract of the other part
 * (notes/facts/hw-open.md r300.11), so both parts get the same one. Returns false if a part already has
 * another presubtract. */
static bool presubtract(const struct us_program *a, struct pair *pair, unsigned half)
{
    const unsigned op = pair->half[half].op;
    for (unsigned n = 0; op != NONE && n < 2 && a->m->presub[op][n].op; n++) {
        const struct machine_presub *presub = &a->m->presub[op][n];
        const uint8_t pre = (uint8_t)(presub->op - 1);
        unsigned part = 0, first = 0;
        while (presub->source[0][first].file == MACHINE_UNREAD)
            first++;
        for (unsigned s = 0; s < hwemit_us_summands(pre); s++) {
            const struct port port = port_of(a, &presub->source[s][first], &part);
            struct port *to = &pair->port[part][s];
            if (to->file && !equal(to, &port))
                return false;
            *to = port;
        }
        for (unsigned p = 0; p < 2; p++) {
            if (p != part && (p != half || a->p.chip->generation == R500))
                continue;
            if (pair->pre[p] != PRE_NONE && pair->pre[p] != pre)
                return false;
            pair->pre[p] = pre;
        }
    }
    return true;
}

/* Returns the number of different constant slots that the pair reads. */
static unsigned constants(const struct pair *pair)
{
    uint16_t slot[6];
    unsigned slots = 0;
    for (unsigned i = 0; i < 6; i++) {
        const struct port *port = &pair->port[i / 3][i % 3];
        bool seen = port->file != FILE_SLOT;
        for (unsigned k = 0; k < slots && !seen; k++)
            seen = slot[k] == port->index;
        if (!seen)
            slot[slots++] = port->index;
    }
    return slots;
}

bool hwemit_us_place(const struct us_program *a, struct pair *pair, unsigned rgb, unsigned alpha)
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
    unsigned n = find_wants(a, pair, rgb, RGB, want);
    n += find_wants(a, pair, alpha, ALPHA, want + n);
    return presubtract(a, pair, RGB) && presubtract(a, pair, ALPHA) && assign(pair, want, n) &&
        constants(pair) <= PAIR_CONSTANTS;
}

bool hwemit_us_fits(struct us_program *a, unsigned i)
{
    struct pair pair;
    const unsigned kind = a->m->op[i].kind, rgb = kind == US_FUNCTION ? NONE : i,
                   alpha = kind == US_FUNCTION || kind == US_DOT4 ? i : NONE;
    a->assumed = 0;
    const bool fits = hwemit_us_place(a, &pair, rgb, alpha);
    a->assumed = 3;
    return fits && hwemit_us_place(a, &pair, rgb, alpha);
}
