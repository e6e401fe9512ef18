/* Converts the scheduled pairs and lookups to struct program, which the encoders read: fills in temporaries,
 * lanes, swizzles and modifiers. */
#include "hwemit/r300/us.h"

#include <string.h>

/* ---- operands ---- */

/* Chooses the lanes that are not read. On r300 and r400 the whole swizzle must be one that the chip has. */
static void complete(const struct chip *chip, uint8_t lane[3], unsigned mask)
{
    const uint8_t *select = chip->generation == R500 ? NULL : hwemit_us_swizzle(lane, mask);
    if (select)
        memcpy(lane, select, 3);
    for (unsigned c = 0; c < 3; c++)
        if (!select && !(mask >> c & 1))
            lane[c] = lane[hwemit_machine_lowest(mask)];
}

static const uint8_t literals[] = {
    [FRAGPROG_ZERO] = SRC_ZERO, [FRAGPROG_ONE] = SRC_ONE, [FRAGPROG_HALF] = SRC_HALF};

static void operand(const struct us_program *a, const struct machine_op *op, unsigned half, unsigned s,
                    struct operand *to)
{
    unsigned mask = 0, first = 0;
    bool same = true;
    uint8_t file = MACHINE_LITERAL;
    const struct machine_presub *presub = a->m->presub[op - a->m->op];
    for (unsigned c = 0; c < (half == RGB ? 3u : 1u); c++) {
        const struct machine_src chan = hwemit_us_reads(op, half, s, c);
        if (chan.file == MACHINE_UNREAD)
            continue;
        first = mask ? first : c;
        mask |= 1u << c;
        same &= chan.file == MACHINE_LITERAL && (first == c || chan.index == to->lane[first]);
        file = chan.file != MACHINE_LITERAL ? chan.file : file;
        to->lane[c] = (uint8_t)(chan.file == MACHINE_LITERAL ? chan.index
                                    : chan.file == MACHINE_PRESUB
                                    ? hwemit_us_lane_now(a, &presub[chan.index].source[0][chan.lane])
                                    : hwemit_us_lane_now(a, &chan));
        to->mod = (uint8_t)((chan.neg ? MOD_NEG : 0) | (chan.abs ? MOD_ABS : 0));
    }
    if (file == MACHINE_LITERAL)
        to->from = same ? literals[to->lane[first]] : SRC_0; /* r500: all lanes are 0, 1/2 or 1 */
    if (half == RGB)
        complete(a->p.chip, to->lane, mask);
    else
        to->lane[1] = to->lane[2] = to->lane[0];
}

/* ---- halves ---- */

static void result(const struct us_program *a, const struct machine_op *op, unsigned half, struct half *to)
{
    const struct us_value *v = &a->value[op->value];
    const struct machine_value *root = &a->m->value[hwemit_us_unit(a, op->value)];
    unsigned lanes = op->mask & a->m->value[op->value].read;
    if (lanes && op->kind != US_VECTOR)
        lanes = 1u << root->lane[v->lane & 3];
    to->mask = (uint8_t)(half == RGB ? lanes & 7 : op->kind == US_VECTOR ? 0 : lanes >> 3);
    to->temp = to->mask ? root->reg : NONE;
    to->out = op->out[half];
    to->target = op->target;
    to->depth = half == ALPHA && op->depth;
    if (to->mask || to->out || to->depth) {
        to->omod = op->scale;
        to->clamp = op->sat;
    }
}

static void fill_half(const struct us_program *a, struct half *to, unsigned half)
{
    const struct machine_op *op = &a->m->op[to->op];
    to->code = a->m->target->row[op->op].code;
    if (op->kind == US_FUNCTION)
        to->code = half == RGB ? OP_REPL_ALPHA : (uint8_t)(CODE_FUNCTION | to->code);
    else if (half == ALPHA && (op->kind == US_DOT3 || op->kind == US_DOT4))
        to->code = ALPHA_DP;
    for (unsigned s = 0; s < hwemit_us_args(op, half); s++)
        operand(a, op, half, s, &to->arg[s]);
    result(a, op, half, to);
}

static void fill_pair(const struct us_program *a, struct pair *pair, const uint16_t *number)
{
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE)
            fill_half(a, &pair->half[half], half);
    for (unsigned part = 0; part < 2; part++)
        for (unsigned s = 0; s < 3; s++)
            if (pair->port[part][s].file == FILE_VREG)
                pair->port[part][s].index = a->m->value[pair->port[part][s].index].reg;
            else if (pair->port[part][s].file == FILE_SLOT)
                pair->port[part][s].index = number[pair->port[part][s].index];
}

/* ---- constants ---- */

/* Numbers the slots: first those that GL state sets, as the driver uploads them (notes/facts/r300.md 3.2c,
 * upload order), then the others. */
static void order_slots(struct us_program *a, uint16_t number[])
{
    struct constant *slot = (struct constant *)(void *)a->m->room;
    unsigned n = 0;
    for (unsigned own = 0; own < 2; own++)
        for (unsigned k = 0; k < a->nslots; k++)
            if (hwemit_r300_external(&a->slot[k]) != own) {
                number[k] = (uint16_t)n;
                slot[n++] = a->slot[k];
            }
    memcpy(a->slot, slot, n * sizeof *slot);
}

/* ---- lookups ---- */

static void fill_lookup(const struct us_program *a, const struct machine_op *from, struct lookup *to)
{
    const struct hwemit_texture *texture = hwemit_us_texture(a, from);
    const unsigned first = hwemit_machine_lowest(from->terms);
    *to = (struct lookup){.phase = from->phase,
                          .texture = from->texture,
                          .op = a->m->target->row[from->op].code,
                          .src = a->m->value[hwemit_us_unit(a, from->arg[0][first].index)].reg};
    for (unsigned c = 0; c < 4; c++) { /* T of a 1D lookup is q/q, as Mesa's driver has it */
        const bool one = c == 1 && from->terms >> 3;
        const unsigned read = from->terms >> c & 1 ? c : one ? 3 : first;
        to->lane[c] = (uint8_t)hwemit_us_lane_now(a, &from->arg[0][read]);
    }
    if (texture) {
        to->target = texture->target;
        to->set = texture->coord;
        to->dst = a->m->value[from->value].reg;
        to->mask = a->m->value[from->value].read;
    }
}

/* ---- the whole program ---- */

/* Sets the NOP flag of pairs that write a register that the next pair presubtracts (notes/facts/r300.md 2.2).
 * A lookup between the two pairs makes the flag unnecessary. */
static void flag_nops(struct program *p)
{
    for (unsigned n = 0; n + 1 < p->npairs; n++) {
        struct pair *pair = &p->pair[n];
        const struct pair *next = &p->pair[n + 1];
        for (unsigned part = 0; part < 2 && pair->phase == next->phase; part++)
            for (unsigned s = 0; s < hwemit_us_summands(next->pre[part]); s++)
                for (unsigned half = 0; half < 2; half++)
                    if (next->port[part][s].file == FILE_VREG &&
                        pair->half[half].temp == next->port[part][s].index && pair->half[half].mask)
                        pair->nop = true;
    }
}

void hwemit_us_fill(struct us_program *a)
{
    struct program *p = &a->p;
    uint16_t number[HWEMIT_CONSTANTS];
    order_slots(a, number);
    for (unsigned n = 0; n < p->npairs; n++)
        fill_pair(a, &p->pair[n], number);
    for (unsigned t = 0; t < p->ntex; t++)
        fill_lookup(a, &a->m->op[p->tex[t].number], &p->tex[t]);
    p->ninputs = a->m->ninputs;
    p->input = a->m->input;
    p->nconsts = a->nslots;
    p->constant = a->slot;
    flag_nops(p);
}
