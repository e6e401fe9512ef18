/* Merges moves to an output into other operations that write other lanes of the same output, if one of their
 * operands already reads the moved register, or no register. x is computed as x + 0, x * 1, x * 1 + 0 or 0 *
 * 0 + x. */
#include "hwemit/r300/pvs.h"

/* Returns the literal for operand t of a component whose operand s is the moved value. */
static struct pvs_chan beside(unsigned code, unsigned s, unsigned t)
{
    const bool one = code == PVS_MUL || (code == PVS_MAD && s < 2 && t < 2);
    return (struct pvs_chan){.file = PVS_LITERAL, .lane = one ? FRAGPROG_ONE : FRAGPROG_ZERO};
}

static bool is_port(const struct pvs_chan *c)
{
    return c && (c->file == PVS_INPUT || c->file == PVS_CONST || c->file == PVS_LOADED);
}

/* Returns whether operand s of the operation can read what the move reads. */
static bool can_read(const struct pvs *p, const struct pvs_op *op, unsigned s, const struct pvs_op *move)
{
    const struct pvs_chan *now = hwemit_pvs_register(op, s), *want = hwemit_pvs_register(move, 0);
    if (want && (op->abs >> s & 1) != (move->abs & 1))
        return false;
    if (now || !want)
        return !want || hwemit_pvs_same_register(p, now, want);
    for (unsigned t = 0; t < op->args; t++) {
        const struct pvs_chan *other = hwemit_pvs_register(op, t);
        if (is_port(other) && is_port(want) &&
            (want->file == PVS_LOADED || other->file == PVS_LOADED ||
             (other->file == want->file && !hwemit_pvs_same_register(p, other, want))))
            return false;
    }
    return op->args == 2;
}

static bool is_host(const struct pvs_op *op)
{
    return op->kind == PVS_EACH && op->out >= 0 &&
        (op->code == PVS_ADD || op->code == PVS_MUL || op->code == PVS_MAD);
}

/* Makes the move further components of the operation. Returns false if that is not possible. */
static bool join(const struct pvs *p, struct pvs_op *op, const struct pvs_op *move)
{
    unsigned s = 0;
    if (!is_host(op) || op->out != move->out || op->components + move->components > 4)
        return false;
    while (s < op->args && !can_read(p, op, s, move))
        s++;
    if (s == op->args)
        return false;
    for (unsigned c = 0; c < move->components; c++) {
        const unsigned to = op->components++;
        op->slot[to] = NONE;
        op->lanes[to] = move->lanes[c];
        for (unsigned t = 0; t < op->args; t++)
            op->arg[t][to] = t == s ? move->arg[0][c] : beside(op->code, s, t);
    }
    return true;
}

/* Returns whether all that the move reads is computed before position i. */
static bool is_there(const struct pvs *p, const struct pvs_op *move, unsigned i)
{
    for (unsigned c = 0; c < move->components; c++) {
        const struct pvs_chan *at = &move->arg[0][c];
        if (at->file == PVS_LOADED || (at->file == PVS_SLOT && p->slot[at->index].writer >= i))
            return false;
    }
    return true;
}

void hwemit_pvs_moves(struct pvs *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned c = 0; c < p->op[i].components; c++)
            if (p->op[i].slot[c] != NONE)
                p->slot[p->op[i].slot[c]].writer = (uint16_t)i;
    for (unsigned m = 0; m < p->nops; m++) {
        struct pvs_op *move = &p->op[m];
        if (!hwemit_pvs_is_move(move))
            continue;
        for (unsigned i = 0; i < p->nops && !move->gone; i++)
            move->gone = p->op[i].out == move->out && i != m && !p->op[i].gone && is_there(p, move, i) &&
                join(p, &p->op[i], move);
    }
    for (unsigned i = 0; i < p->nops; i++)
        if (!p->op[i].gone)
            p->op[n++] = p->op[i];
    p->nops = (uint16_t)n;
}
