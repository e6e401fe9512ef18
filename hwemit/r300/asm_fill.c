/* Converts the scheduled pairs and lookups to struct program, which the encoders read: fills in temporaries,
 * lanes, swizzles and modifiers. */
#include "hwemit/r300/asm.h"

#include <string.h>

/* ---- operands ---- */

/* Returns the lane of a channel in its temporary or slot. */
static unsigned lane_of(const struct asm_program *a, const struct asm_chan *c)
{
    if (c->file == ASM_SLOT)
        return c->lane;
    if (c->file != ASM_VALUE)
        return 3; /* all lanes of a literal in the address field are equal */
    const unsigned lane = hwemit_asm_lane(a, c);
    return lane == 0xff ? a->unit[hwemit_asm_unit(a, c->index)].place[0] : lane;
}

/* Chooses the lanes that are not read. On r300 and r400 the whole swizzle must be one that the chip has. */
static void complete(const struct chip *chip, uint8_t lane[3], unsigned mask)
{
    const uint8_t *select = chip->generation == R500 ? NULL : hwemit_r300_select(lane, mask);
    unsigned first = 0;
    while (!(mask >> first & 1))
        first++;
    if (select)
        memcpy(lane, select, 3);
    for (unsigned c = 0; c < 3; c++)
        if (!select && !(mask >> c & 1))
            lane[c] = lane[first];
}

static const uint8_t literals[] = {
    [FRAGPROG_ZERO] = SRC_ZERO, [FRAGPROG_ONE] = SRC_ONE, [FRAGPROG_HALF] = SRC_HALF};

static void operand(const struct asm_program *a, const struct asm_op *op, unsigned half, unsigned s,
                    struct operand *to)
{
    unsigned mask = 0, first = 0;
    bool same = true;
    uint8_t file = ASM_LITERAL;
    for (unsigned c = 0; c < (half == RGB ? 3u : 1u); c++) {
        const struct asm_chan chan = hwemit_asm_reads(op, half, s, c);
        if (chan.file == ASM_UNREAD)
            continue;
        first = mask ? first : c;
        mask |= 1u << c;
        same &= chan.file == ASM_LITERAL && chan.lane == hwemit_asm_reads(op, half, s, first).lane;
        file = chan.file != ASM_LITERAL ? chan.file : file;
        to->lane[c] = chan.file == ASM_LITERAL ? chan.lane : (uint8_t)lane_of(a, &chan);
        to->mod = (uint8_t)((chan.neg ? MOD_NEG : 0) | (chan.abs ? MOD_ABS : 0));
    }
    if (file == ASM_LITERAL)
        to->from = same ? literals[to->lane[first]] : SRC_0; /* r500: all lanes are 0, 1/2 or 1 */
    if (half == RGB)
        complete(a->p->chip, to->lane, mask);
}

/* ---- halves ---- */

static void result(const struct asm_program *a, const struct asm_op *op, unsigned half, struct half *to)
{
    const struct asm_value *v = &a->value[op->value];
    const struct asm_unit *u = &a->unit[hwemit_asm_unit(a, op->value)];
    unsigned lanes = v->read ? op->mask & v->read : 0;
    if (op->kind != ASM_VECTOR && v->read)
        lanes = 1u << (v->lane != 0xff ? v->lane : u->place[0]);
    to->mask = (uint8_t)(half == RGB ? lanes & 7 : op->kind == ASM_VECTOR ? 0 : lanes >> 3);
    to->temp = to->mask ? u->reg : NONE;
    to->out = op->out[half];
    to->target = op->target;
    to->depth = half == ALPHA && op->depth;
    if (to->mask || to->out || to->depth) {
        to->omod = op->scale;
        to->clamp = op->clamp;
    }
}

static void fill_half(const struct asm_program *a, struct half *to, unsigned half)
{
    const struct asm_op *op = &a->op[to->op];
    to->code = op->code;
    if (op->kind == ASM_FUNCTION)
        to->code = half == RGB ? OP_REPL_ALPHA : (uint8_t)(CODE_FUNCTION | op->code);
    else if (half == ALPHA && (op->kind == ASM_DOT3 || op->kind == ASM_DOT4))
        to->code = ALPHA_DP;
    for (unsigned s = 0; s < hwemit_asm_args(op, half); s++)
        operand(a, op, half, s, &to->arg[s]);
    result(a, op, half, to);
}

static void fill_pair(const struct asm_program *a, struct pair *pair)
{
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE)
            fill_half(a, &pair->half[half], half);
    for (unsigned part = 0; part < 2; part++)
        for (unsigned s = 0; s < 3; s++)
            if (pair->port[part][s].file == FILE_VREG)
                pair->port[part][s].index = a->unit[pair->port[part][s].index].reg;
}

/* ---- lookups ---- */

static void fill_lookup(const struct asm_program *a, unsigned t, struct lookup *to)
{
    const struct asm_lookup *from = &a->lookup[t];
    unsigned first = 0;
    while (!(from->needs >> first & 1))
        first++;
    *to = (struct lookup){.phase = a->node[a->nops + t].phase,
                          .texture = from->texture,
                          .target = from->target,
                          .op = from->op,
                          .set = from->set};
    to->src = a->unit[hwemit_asm_unit(a, from->coord[first].index)].reg;
    for (unsigned c = 0; c < 4; c++)
        to->lane[c] = (uint8_t)(from->needs >> c & 1 ? lane_of(a, &from->coord[c])
                                                     : lane_of(a, &from->coord[first]));
    if (from->value != NONE) {
        to->dst = a->unit[from->value].reg;
        to->mask = a->value[from->value].read;
    }
}

void hwemit_asm_fill(struct asm_program *a)
{
    struct program *p = a->p;
    for (unsigned n = 0; n < p->npairs; n++)
        fill_pair(a, &p->pair[n]);
    for (unsigned t = 0; t < a->nlookups; t++)
        fill_lookup(a, t, &p->tex[p->ntex++]);
    p->phases = a->phases;
    p->ninputs = a->ninputs;
    for (unsigned i = 0; i < a->ninputs; i++) {
        p->input[i].what = a->input[i].what;
        p->input[i].index = a->input[i].index;
    }
    p->nconsts = a->nslots;
    p->constant = a->slot;
}
