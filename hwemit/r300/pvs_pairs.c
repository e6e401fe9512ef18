/* Puts two operations into one instruction ("dual math", notes/facts/r300-vertex.md 1.2): a vector operation
 * of at most two operands and a math function, whose scalar result goes to an alternate temporary. Both
 * operations read before either writes. Also inserts loads of the address register before relative reads that
 * need another address than the one loaded. */
#include "hwemit/r300/pvs.h"

#include <string.h>

enum { FAR = 48 }; /* maximum distance between the two operations */

static bool reads_slot(const struct pvs_op *op, unsigned slot)
{
    for (unsigned s = 0; s < op->args; s++)
        for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
            if (op->arg[s][c].file == PVS_SLOT && op->arg[s][c].index == slot)
                return true;
    return false;
}

static const struct pvs_op *second_of(const struct pvs *p, const struct pvs_op *op)
{
    return op->second == NONE ? NULL : &p->math[op->second];
}

static bool either_reads(const struct pvs *p, const struct pvs_op *op, unsigned slot)
{
    const struct pvs_op *m = second_of(p, op);
    return reads_slot(op, slot) || (m && reads_slot(m, slot));
}

static bool is_alternate(const struct pvs *p, const struct pvs_chan *c)
{
    return c->file == PVS_SLOT && p->var[p->slot[c->index].var].alternate;
}

/* Sets *itself if the operation reads the variable, and *another if it reads another variable that is an
 * alternate temporary. */
static void looks(const struct pvs *p, const struct pvs_op *op, unsigned var, bool *itself, bool *another)
{
    for (unsigned s = 0; op && s < op->args; s++) {
        const struct pvs_chan *c = hwemit_pvs_register(op, s);
        const bool same = c && c->file == PVS_SLOT && p->slot[c->index].var == var;
        *itself = *itself || same;
        *another = *another || (c && !same && is_alternate(p, c));
    }
}

/* Returns whether some instruction reads the variable together with an alternate temporary. */
static bool is_barred(const struct pvs *p, unsigned var)
{
    for (unsigned i = 0; i < p->nops; i++) {
        bool itself = false, another = false;
        if (p->op[i].gone)
            continue;
        looks(p, &p->op[i], var, &itself, &another);
        looks(p, second_of(p, &p->op[i]), var, &itself, &another);
        if (itself && another)
            return true;
    }
    return false;
}

static bool is_address(const struct pvs *p, unsigned slot)
{
    for (unsigned l = 0; l < p->nloads; l++)
        if (p->load[l].address.file == PVS_SLOT && p->load[l].address.index == slot)
            return true;
    return false;
}

/* Returns whether the operation can be the math half: it reads one register, and its result can be an
 * alternate temporary. */
static bool can_be_second(const struct pvs *p, const struct pvs_op *m)
{
    if (m->gone || m->kind != PVS_NUMBER || m->out >= 0 || m->slot[0] == NONE || m->second != NONE ||
        m->components > 1)
        return false;
    const struct pvs_chan *a = hwemit_pvs_register(m, 0), *b = m->args > 1 ? hwemit_pvs_register(m, 1) : NULL;
    if ((a && a->file == PVS_LOADED) || (b && (!a || !hwemit_pvs_same_register(p, a, b))))
        return false;
    return !is_address(p, m->slot[0]) && !is_barred(p, p->slot[m->slot[0]].var);
}

/* Returns the position of the first instruction that reads the slot. */
static unsigned first_reader(const struct pvs *p, unsigned slot)
{
    unsigned i = 0;
    while (i < p->nops && (p->op[i].gone || !either_reads(p, &p->op[i], slot)))
        i++;
    return i;
}

static unsigned last_writer(const struct pvs *p, const struct pvs_op *m)
{
    unsigned after = 0; /* the earliest position at which all operands have been written */
    for (unsigned s = 0; s < m->args; s++)
        if (m->arg[s][0].file == PVS_SLOT && p->slot[m->arg[s][0].index].writer + 1u > after)
            after = p->slot[m->arg[s][0].index].writer + 1u;
    return after;
}

/* Returns whether both operations together read at most one input, one constant and two temporaries. */
static bool fits(const struct pvs *p, const struct pvs_op *v, const struct pvs_op *m)
{
    unsigned temps = 0;
    const struct pvs_chan *reads[3] = {NULL, NULL, hwemit_pvs_register(m, 0)};
    if (v->gone || v->second != NONE || v->args > 2 || (v->kind != PVS_EACH && v->kind != PVS_SUM))
        return false;
    for (unsigned s = 0; s < v->args; s++)
        reads[s] = hwemit_pvs_register(v, s);
    for (unsigned s = 0; s < 3; s++) {
        if (!reads[s])
            continue;
        if (reads[s]->file == PVS_LOADED)
            return false;
        bool again = false;
        for (unsigned t = 0; t < s; t++) {
            if (!reads[t] || reads[t]->file != reads[s]->file ||
                is_alternate(p, reads[t]) != is_alternate(p, reads[s]))
                continue;
            const bool same = hwemit_pvs_same_register(p, reads[t], reads[s]);
            if (!same && (reads[s]->file != PVS_SLOT || is_alternate(p, reads[s])))
                return false;
            again = again || same;
        }
        temps += reads[s]->file == PVS_SLOT && !is_alternate(p, reads[s]) && !again;
    }
    return temps <= 2;
}

/* Returns whether vector operation j can move to position i: no instruction in between reads its result or
 * writes its operands. */
static bool can_move(const struct pvs *p, unsigned j, unsigned i)
{
    const struct pvs_op *v = &p->op[j];
    for (unsigned c = 0; c < v->components; c++)
        if (v->slot[c] != NONE && is_address(p, v->slot[c])) /* relative reads use the address, too */
            return false;
    for (unsigned s = 0; i < j && s < v->args; s++)
        for (unsigned c = 0; c < hwemit_pvs_channels(v); c++)
            if (v->arg[s][c].file == PVS_SLOT && p->slot[v->arg[s][c].index].writer >= i)
                return false;
    for (unsigned k = j + 1; k <= i; k++)
        for (unsigned c = 0; c < v->components && !p->op[k].gone; c++)
            if (v->slot[c] != NONE && either_reads(p, &p->op[k], v->slot[c]))
                return false;
    return true;
}

/* Combines the function at position i and the vector operation at j into one instruction, at j if the
 * function can be executed there (j in [first, last)), else at i. Returns false if neither is possible. */
static bool place(struct pvs *p, unsigned i, unsigned j, unsigned first, unsigned last)
{
    if (j >= p->nops || !fits(p, &p->op[j], &p->op[i]))
        return false;
    const bool there = j >= first && j < last;
    if (!there && !can_move(p, j, i))
        return false;
    const unsigned at = there ? j : i;
    const struct pvs_op m = p->op[i], v = p->op[j];
    p->math[p->nmath] = m;
    p->op[i].gone = p->op[j].gone = true;
    p->op[at] = v;
    p->op[at].second = p->nmath++;
    for (unsigned c = 0; c < v.components; c++)
        if (v.slot[c] != NONE)
            p->slot[v.slot[c]].writer = (uint16_t)at;
    p->slot[m.slot[0]].writer = (uint16_t)at;
    return true;
}

static void compact(struct pvs *p)
{
    unsigned n = 0;
    for (unsigned i = 0; i < p->nops; i++)
        if (!p->op[i].gone)
            p->op[n++] = p->op[i];
    p->nops = (uint16_t)n;
}

void hwemit_pvs_pairs(struct pvs *p)
{
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned c = 0; c < p->op[i].components; c++)
            if (p->op[i].slot[c] != NONE)
                p->slot[p->op[i].slot[c]].writer = (uint16_t)i;
    for (unsigned i = 0; i < p->nops; i++) {
        bool done = false;
        if (!can_be_second(p, &p->op[i]) || p->nmath == sizeof p->math / sizeof *p->math)
            continue;
        const unsigned first = last_writer(p, &p->op[i]), last = first_reader(p, p->op[i].slot[0]);
        struct pvs_var *result = &p->var[p->slot[p->op[i].slot[0]].var];
        const bool before = result->math;
        result->alternate = true; /* the checks need it, since either half may read other lanes of it */
        for (unsigned d = 1; d < FAR && !done; d++)
            done = place(p, i, i + d, first, last) || (d <= i && place(p, i, i - d, first, last));
        result->alternate = result->math = done || before;
    }
    compact(p);
}

/* ---- the address register ---- */

bool hwemit_pvs_addresses(struct pvs *p)
{
    unsigned n = 0;
    const struct pvs_chan *now = NULL;
    for (unsigned i = 0; i < p->nops && !p->failed; i++) {
        const struct pvs_op *op = &p->op[i];
        for (unsigned s = 0; s < op->args; s++) {
            const struct pvs_chan *c = hwemit_pvs_register(op, s);
            if (!c || c->file != PVS_LOADED)
                continue;
            const struct pvs_chan *a = &p->load[c->index].address;
            if (now && now->file == a->file && now->lane == a->lane && now->neg == a->neg &&
                now->index == a->index)
                continue;
            if (n == PVS_OPS)
                return hwemit_pvs_refuse_long(p, PVS_OPS, "operations");
            p->next[n] = (struct pvs_op){
                .kind = PVS_ADDRESS, .code = PVS_FLOOR_ADDRESS, .args = 1, .out = -1, .second = NONE};
            p->next[n++].arg[0][0] = *a;
            now = a;
        }
        if (n == PVS_OPS)
            return hwemit_pvs_refuse_long(p, PVS_OPS, "operations");
        p->next[n++] = *op;
    }
    memcpy(p->op, p->next, n * sizeof *p->op);
    p->nops = (uint16_t)n;
    return !p->failed;
}
