/* Moves vanish where a result can be written in place: all that read the one read the other. What nobody
 * reads goes. A component is written by one operation. */
#include "hwemit/etnaviv/etnaviv.h"

#include <string.h>

void hwemit_etna_trim(struct etna *e)
{
    uint16_t n = e->nops;
    for (unsigned v = 0; v < e->nvalues; v++)
        e->value[v].read = e->value[v].kind == ETNA_OUTPUT ? FRAGPROG_MASK_XYZW : 0;
    for (unsigned i = e->nops; i-- > 0;) {
        struct etna_op *op = &e->op[i];
        if (op->kind != ETNA_KILL) {
            op->mask &= e->value[op->value].read;
            if (!op->mask)
                continue;
        }
        for (unsigned s = 0; s < 3; s++) {
            const unsigned channels = hwemit_etna_reads(op, s);
            for (unsigned c = 0; channels >> c; c++)
                if (channels >> c & 1 && op->arg[s][c].file == ETNA_VALUE)
                    e->value[op->arg[s][c].index].read |= (uint8_t)(1u << op->arg[s][c].lane);
        }
        e->op[--n] = *op;
    }
    memmove(e->op, &e->op[n], (size_t)(e->nops - n) * sizeof *e->op);
    e->nops -= n;
    for (unsigned v = 0; v < e->nvalues; v++)
        e->value[v].components = e->value[v].read;
}

/* Where components of `from` go if the move vanishes. False: they cannot. */
static bool destination(const struct etna *e, const struct etna_op *move, uint8_t map[4])
{
    const unsigned from = move->arg[2][0].index;
    const struct etna_value *to = &e->value[move->value], *source = &e->value[from];
    unsigned taken = to->components;
    memset(map, 0, 4);
    for (unsigned c = 0; c < 4; c++)
        if (move->mask >> c & 1)
            map[move->arg[2][c].lane] |= (uint8_t)(1u << c);
    for (unsigned c = 0; c < 4; c++) {
        if (!(source->components >> c & 1) || map[c])
            continue;
        unsigned k = 0;
        while (k < 4 && taken >> k & 1)
            k++;
        if (k == 4 || to->kind != ETNA_RESULT)
            return false;
        taken |= 1u << k;
        map[c] = (uint8_t)(1u << k);
    }
    return true;
}

/* Nothing but the move reads the value, and what writes it can saturate. (Of lookups the facts do not say
 * that they can.) */
static bool can_saturate(const struct etna *e, const struct etna_op *move, unsigned value)
{
    unsigned moved = 0;
    for (unsigned c = 0; c < 4; c++)
        if (move->mask >> c & 1)
            moved |= 1u << move->arg[2][c].lane;
    for (unsigned i = 0; i < e->nops; i++) {
        const struct etna_op *op = &e->op[i];
        if (op->mask && op->value == value && (op->kind == ETNA_LOOKUP || op->round))
            return false;
        for (unsigned s = 0; s < 3; s++)
            for (unsigned c = 0; c < 4; c++)
                if (op != move && hwemit_etna_reads(op, s) >> c & 1 && op->arg[s][c].file == ETNA_VALUE &&
                    op->arg[s][c].index == value)
                    return false;
    }
    return moved == e->value[value].components;
}

static bool vanishes(const struct etna *e, const struct etna_op *move, uint8_t map[4])
{
    const struct etna_chan *first = NULL;
    if (move->kind != ETNA_CHANNELS || move->code != ETNA_MOV || move->abs)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        const struct etna_chan *at = &move->arg[2][c];
        if (!(move->mask >> c & 1))
            continue;
        if (at->file != ETNA_VALUE || at->neg || (first && at->index != first->index))
            return false;
        first = first ? first : at;
    }
    struct etna_op read = *move; /* also in a channel that is not written, the operand reads the source */
    read.arg[2][0].index = first->index;
    return first->index != move->value && e->value[first->index].kind == ETNA_RESULT &&
        e->value[move->value].kind != ETNA_HALVES && (!move->sat || can_saturate(e, move, first->index)) &&
        destination(e, &read, map);
}

void hwemit_etna_place(struct etna *e)
{
    for (unsigned i = 0; i < e->nops; i++) {
        uint8_t map[4];
        struct etna_op *move = &e->op[i];
        if (!vanishes(e, move, map))
            continue;
        unsigned from = 0, to = move->value;
        for (unsigned c = 0; c < 4; c++)
            if (move->mask >> c & 1)
                from = move->arg[2][c].index;
        for (unsigned k = 0; k < e->nops && move->sat; k++)
            if (e->op[k].mask && e->op[k].value == from)
                e->op[k].sat = true;
        *move = (struct etna_op){.unit = move->unit};
        hwemit_etna_rename(e, from, to, map);
    }
    hwemit_etna_trim(e);
}
