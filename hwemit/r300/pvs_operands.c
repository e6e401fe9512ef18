/* Legalises operands. An operand must come from one register, so scalars that are read together are merged
 * into one variable or copied into one. An instruction can read one input, one constant, and two temporaries
 * (three if it is a MAD; notes/facts/r300-vertex.md 2.1). */
#include "hwemit/r300/pvs.h"

#include <string.h>

/* A copy of a channel of an input, constant or array element: the slot, and the time when it was made. */
struct copy {
    struct pvs_chan of;
    uint16_t slot;
    uint32_t at;
};
enum { COPIES = 256 };
struct rewriting {
    struct pvs *p;
    uint16_t n; /* length of next[] */
    unsigned ncopies;
    uint16_t oldest; /* copies in slots before this one are not reused */
    struct copy *copy;
};

bool hwemit_pvs_same_register(const struct pvs *p, const struct pvs_chan *a, const struct pvs_chan *b)
{
    if (a->file == PVS_LITERAL || b->file == PVS_LITERAL)
        return true;
    if (a->file != b->file)
        return false;
    return a->file == PVS_SLOT ? p->slot[a->index].var == p->slot[b->index].var : a->index == b->index;
}

const struct pvs_chan *hwemit_pvs_register(const struct pvs_op *op, unsigned s)
{
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
        if (op->arg[s][c].file != PVS_LITERAL)
            return &op->arg[s][c];
    return NULL;
}

/* ---- variables ---- */

static unsigned lanes_of(const struct pvs_var *v)
{
    unsigned lanes = 0;
    for (unsigned c = 0; c < 4; c++)
        lanes |= (v->slot[c] != NONE ? 1u : 0) << c;
    return lanes;
}

static unsigned size_of(const struct pvs_var *v)
{
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        n += v->slot[c] != NONE;
    return n;
}

static void put(struct pvs *p, unsigned var, unsigned component, unsigned slot)
{
    p->var[var].slot[component] = (uint16_t)slot;
    p->slot[slot].var = (uint16_t)var;
    p->slot[slot].component = (uint8_t)component;
}

bool hwemit_pvs_join(struct pvs *p, unsigned a, unsigned b)
{
    if (a == b)
        return true;
    if (p->var[b].own && !p->var[a].own) {
        const unsigned t = a;
        a = b;
        b = t;
    }
    struct pvs_var *to = &p->var[a];
    const struct pvs_var from = p->var[b];
    if (size_of(to) + size_of(&from) > 4 || (from.own && lanes_of(to) & lanes_of(&from)))
        return false;
    unsigned free = 0;
    for (unsigned c = 0; c < 4; c++) {
        if (from.slot[c] == NONE)
            continue;
        while (!from.own && to->slot[free] != NONE)
            free++;
        put(p, a, from.own ? c : free, from.slot[c]);
        p->var[b].slot[c] = NONE;
    }
    return true;
}

/* ---- copies ---- */

static void append(struct rewriting *r, const struct pvs_op *op)
{
    if (r->n == PVS_OPS)
        hwemit_pvs_refuse_long(r->p);
    else
        r->p->next[r->n++] = *op;
}

static struct copy *copy_of(struct rewriting *r, const struct pvs_chan *c)
{
    for (unsigned n = r->ncopies; n-- > 0;) {
        struct copy *k = &r->copy[n % COPIES];
        if (n + COPIES < r->ncopies || k->at + r->p->reuse < r->n)
            return NULL;
        if (k->slot >= r->oldest && k->of.file == c->file && k->of.lane == c->lane && k->of.index == c->index)
            return k;
    }
    return NULL;
}

/* Makes the operand's channels that are in the register of `like` read copies, emitting a move if needed.
 * Refuses the program if it gets too long. */
static void move_register(struct rewriting *r, struct pvs_op *op, unsigned s, struct pvs_chan like)
{
    struct pvs *p = r->p;
    struct pvs_op mov = {.kind = PVS_EACH, .code = PVS_ADD, .args = 2, .out = -1, .second = NONE};
    uint16_t slot[4] = {NONE, NONE, NONE, NONE};
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++) {
        const struct pvs_chan *at = &op->arg[s][c];
        unsigned n = 0;
        if (at->file == PVS_LITERAL || !hwemit_pvs_same_register(p, at, &like) || copy_of(r, at))
            continue;
        while (n < mov.components &&
               mov.arg[0][n].lane + 4u * mov.arg[0][n].index != at->lane + 4u * at->index)
            n++;
        if (n < mov.components)
            continue;
        mov.arg[0][n] = *at;
        mov.arg[0][n].neg = 0;
        mov.arg[1][n] = (struct pvs_chan){.file = PVS_LITERAL, .lane = FRAGPROG_ZERO};
        mov.components++;
    }
    if (mov.components) {
        const uint16_t first = hwemit_pvs_new_slots(p, mov.components, false);
        for (unsigned n = 0; n < mov.components; n++) {
            slot[n] = (uint16_t)(first + n);
            r->copy[r->ncopies++ % COPIES] = (struct copy){.of = mov.arg[0][n], .slot = slot[n], .at = r->n};
        }
        memcpy(mov.slot, slot, sizeof slot);
        append(r, &mov);
    }
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++) {
        struct pvs_chan *at = &op->arg[s][c];
        if (at->file == PVS_LITERAL || !hwemit_pvs_same_register(p, at, &like))
            continue;
        const uint8_t neg = at->neg;
        const struct copy *k = copy_of(r, at);
        *at = (struct pvs_chan){.file = PVS_SLOT, .neg = neg, .index = k ? k->slot : 0};
    }
}

/* ---- one register per operand ---- */

static bool is_one(const struct pvs *p, const struct pvs_op *op, unsigned s)
{
    const struct pvs_chan *first = hwemit_pvs_register(op, s);
    for (unsigned c = 0; first && c < hwemit_pvs_channels(op); c++)
        if (!hwemit_pvs_same_register(p, first, &op->arg[s][c]))
            return false;
    return true;
}

static void join_slots(struct pvs *p, const struct pvs_op *op, unsigned s)
{
    const struct pvs_chan *first = NULL;
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++) {
        const struct pvs_chan *at = &op->arg[s][c];
        if (at->file == PVS_SLOT && first)
            hwemit_pvs_join(p, p->slot[first->index].var, p->slot[at->index].var);
        else if (at->file == PVS_SLOT)
            first = at;
    }
}

/* Makes operand s come from one register: moves everything but temporaries next to the temporary that is
 * read; if there is no room, or there are several temporaries, moves everything. */
static void gather(struct rewriting *r, struct pvs_op *op, unsigned s)
{
    struct pvs *p = r->p;
    join_slots(p, op, s);
    for (unsigned c = 0; c < hwemit_pvs_channels(op) && !is_one(p, op, s); c++)
        if (op->arg[s][c].file != PVS_SLOT && op->arg[s][c].file != PVS_LITERAL)
            move_register(r, op, s, op->arg[s][c]);
    join_slots(p, op, s);
    if (is_one(p, op, s))
        return;
    const uint16_t first = r->oldest =
        p->nslots; /* copy all into new slots, which are not merged with others yet */
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++) {
        const struct pvs_chan at = op->arg[s][c];
        if (at.file == PVS_SLOT && at.index < first)
            move_register(r, op, s, at);
    }
    r->oldest = 0;
    join_slots(p, op, s);
    if (!is_one(p, op, s))
        hwemit_pvs_refuse_long(p); /* cannot happen: at most four lanes, each with its own slot */
}

/* ---- one input, one constant, two temporaries ---- */

static unsigned port_of(const struct pvs_chan *c)
{
    return c->file == PVS_LOADED ? (unsigned)PVS_CONST : c->file;
}

/* Returns whether operands s and t read different registers of a memory that allows one read per instruction.
 */
static bool collide(const struct pvs *p, const struct pvs_op *op, unsigned s, unsigned t)
{
    const struct pvs_chan *a = hwemit_pvs_register(op, s), *b = hwemit_pvs_register(op, t);
    if (!a || !b || a->file == PVS_SLOT || port_of(a) != port_of(b))
        return false;
    return a->file == PVS_LOADED || !hwemit_pvs_same_register(p, a, b);
}

/* Returns whether all channels of the operand have copies already. */
static bool is_copied(struct rewriting *r, const struct pvs_op *op, unsigned s)
{
    for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
        if (op->arg[s][c].file != PVS_LITERAL && !copy_of(r, &op->arg[s][c]))
            return false;
    return true;
}

static void read_ports(struct rewriting *r, struct pvs_op *op)
{
    for (unsigned s = 0; s < op->args; s++)
        for (unsigned t = s + 1; t < op->args; t++)
            if (collide(r->p, op, s, t)) {
                const unsigned moved = is_copied(r, op, s) ? s : t;
                move_register(r, op, moved, *hwemit_pvs_register(op, moved));
                gather(r, op, moved);
            }
}

/* ---- moves to outputs ---- */

/* Splits a move to an output into one per source register. */
static void split(struct rewriting *r, const struct pvs_op *op)
{
    struct pvs *p = r->p;
    unsigned left = (1u << op->components) - 1;
    join_slots(p, op, 0);
    while (left) {
        struct pvs_op part = *op;
        const struct pvs_chan *first = NULL;
        part.components = 0;
        for (unsigned c = 0; c < op->components; c++) {
            if (!(left >> c & 1) || (first && !hwemit_pvs_same_register(p, first, &op->arg[0][c])))
                continue;
            if (op->arg[0][c].file != PVS_LITERAL)
                first = &op->arg[0][c];
            part.arg[0][part.components] = op->arg[0][c];
            part.lanes[part.components++] = op->lanes[c];
            left &= ~(1u << c);
        }
        append(r, &part);
    }
}

bool hwemit_pvs_is_move(const struct pvs_op *op)
{
    if (op->kind != PVS_EACH || op->code != PVS_ADD || op->out < 0)
        return false;
    for (unsigned c = 0; c < op->components; c++)
        if (op->arg[1][c].file != PVS_LITERAL || op->arg[1][c].lane != FRAGPROG_ZERO)
            return false;
    return true;
}

bool hwemit_pvs_operands(struct pvs *p)
{
    struct rewriting r = {.p = p, .copy = (struct copy *)(void *)p->room};
    for (unsigned i = 0; i < p->nops && !p->failed; i++) {
        struct pvs_op op = p->op[i];
        if (hwemit_pvs_is_move(&op)) {
            split(&r, &op);
            continue;
        }
        for (unsigned s = 0; s < op.args; s++)
            if (!is_one(p, &op, s))
                gather(&r, &op, s);
        read_ports(&r, &op);
        append(&r, &op);
    }
    memcpy(p->op, p->next, r.n * sizeof *p->op);
    p->nops = r.n;
    return !p->failed;
}
