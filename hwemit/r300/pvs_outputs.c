/* Makes operations write a result directly to an output if nothing else reads it; other outputs get a move as
 * early as possible. Also removes dead code. */
#include "hwemit/r300/pvs.h"

#include <string.h>

static bool is_slot(const struct pvs_chan *c, unsigned slot)
{
    return c->file == PVS_SLOT && c->index == slot;
}

static void count(uint16_t *reads, const struct pvs_op *op, int by)
{
    for (unsigned s = 0; s < op->args; s++)
        for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
            if (op->arg[s][c].file == PVS_SLOT)
                reads[op->arg[s][c].index] = (uint16_t)(reads[op->arg[s][c].index] + by);
}

/* Dead code elimination. reads: how often operations and outputs read each slot. */
static void trim(struct pvs *p, uint16_t *reads)
{
    unsigned n = 0;
    memset(reads, 0, p->nslots * sizeof *reads);
    for (unsigned i = 0; i < p->nops; i++)
        count(reads, &p->op[i], 1);
    for (unsigned l = 0; l < p->nloads; l++) /* the address of a relative read is a use */
        if (p->load[l].address.file == PVS_SLOT)
            reads[p->load[l].address.index]++;
    for (unsigned o = 0; o < FRAGPROG_VERTEX_OUTS; o++)
        for (unsigned c = 0; c < 4; c++)
            if (p->output[o].mask >> c & 1 && p->output[o].chan[c].file == PVS_SLOT)
                reads[p->output[o].chan[c].index]++;
    for (unsigned i = p->nops; i-- > 0;) {
        struct pvs_op *op = &p->op[i];
        op->gone = true;
        for (unsigned c = 0; c < op->components; c++) {
            if (op->slot[c] != NONE && !reads[op->slot[c]]) {
                p->var[p->slot[op->slot[c]].var].slot[p->slot[op->slot[c]].component] = NONE;
                op->slot[c] = NONE;
            }
            op->gone = op->gone && op->slot[c] == NONE;
        }
        if (op->gone)
            count(reads, op, -1);
    }
    for (unsigned i = 0; i < p->nops; i++)
        if (!p->op[i].gone)
            p->op[n++] = p->op[i];
    p->nops = (uint16_t)n;
}

/* Returns the lanes of the output that get this slot, unnegated. */
static unsigned wanted(const struct pvs_output *out, unsigned slot)
{
    unsigned lanes = 0;
    for (unsigned c = 0; c < 4; c++)
        if (out->mask >> c & 1 && is_slot(&out->chan[c], slot) && !out->chan[c].neg)
            lanes |= 1u << c;
    return lanes;
}

static unsigned bits(unsigned mask)
{
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
}

static bool writes_output(const struct pvs_op *op, const struct pvs_output *out, const uint16_t *reads)
{
    for (unsigned c = 0; c < op->components; c++) {
        if (op->slot[c] == NONE)
            continue;
        const unsigned lanes = wanted(out, op->slot[c]);
        if (bits(lanes) != reads[op->slot[c]] || (op->kind == PVS_LANES && lanes != 1u << c))
            return false;
    }
    return true;
}

static void take(struct pvs *p, struct pvs_op *op, unsigned o)
{
    op->out = (int8_t)o;
    for (unsigned c = 0; c < op->components; c++) {
        op->lanes[c] = 0;
        if (op->slot[c] == NONE)
            continue;
        op->lanes[c] = (uint8_t)wanted(&p->output[o], op->slot[c]);
        p->output[o].mask &= (uint8_t)~op->lanes[c];
        p->var[p->slot[op->slot[c]].var].slot[p->slot[op->slot[c]].component] = NONE;
        op->slot[c] = NONE;
    }
}

/* ---- moves ---- */

static bool move(const struct pvs *p, unsigned o, struct pvs_op *op)
{
    const struct pvs_output *out = &p->output[o];
    *op = (struct pvs_op){.kind = PVS_EACH,
                          .code = PVS_ADD,
                          .args = 2,
                          .slot = {NONE, NONE, NONE, NONE},
                          .out = (int8_t)o,
                          .second = NONE};
    for (unsigned c = 0; c < 4; c++)
        if (out->mask >> c & 1) {
            op->arg[0][op->components] = out->chan[c];
            op->arg[1][op->components] = (struct pvs_chan){.file = PVS_LITERAL, .lane = FRAGPROG_ZERO};
            op->lanes[op->components++] = (uint8_t)(1u << c);
            const struct pvs_chan *at = &out->chan[c];
            if (at->file == PVS_LOADED)
                at = &p->load[at->index].address;
            if (at->file == PVS_SLOT && p->slot[at->index].writer + 1u > op->order)
                op->order = p->slot[at->index].writer + 1u;
        }
    return op->components != 0;
}

static void add_moves(struct pvs *p)
{
    unsigned n = 0;
    struct pvs_op moves[FRAGPROG_VERTEX_OUTS];
    unsigned nmoves = 0;
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned c = 0; c < p->op[i].components; c++)
            if (p->op[i].slot[c] != NONE)
                p->slot[p->op[i].slot[c]].writer = (uint16_t)i;
    for (unsigned o = 0; o < FRAGPROG_VERTEX_OUTS; o++)
        nmoves += move(p, o, &moves[nmoves]);
    for (unsigned i = 0; i <= p->nops; i++) {
        for (unsigned m = 0; m < nmoves; m++)
            if (moves[m].order == i && n < PVS_OPS)
                p->next[n++] = moves[m];
        if (i < p->nops && n < PVS_OPS)
            p->next[n++] = p->op[i];
    }
    if (p->nops + nmoves > PVS_OPS)
        hwemit_pvs_refuse_long(p);
    memcpy(p->op, p->next, n * sizeof *p->op);
    p->nops = (uint16_t)n;
}

void hwemit_pvs_outputs(struct pvs *p)
{
    uint16_t *reads = (uint16_t *)(void *)p->room;
    trim(p, reads);
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned o = 0; o < FRAGPROG_VERTEX_OUTS; o++)
            if (p->op[i].out < 0 && p->output[o].mask && writes_output(&p->op[i], &p->output[o], reads)) {
                take(p, &p->op[i], o);
                break;
            }
    add_moves(p);
}
