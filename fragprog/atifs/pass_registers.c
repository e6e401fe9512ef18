/* Assigns registers in a scheduled pass. The search has counted live values, so that a register is always
 * available, and has made sure that the result can be in register 0. Assignment can fail only because of two
 * additional constraints: in the text form a dot product and its companion must share a register, and the
 * result should not depend on the order in which a slot's halves run. Because of these, assignment is a
 * bounded backtracking search. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* Bounds on the number of steps: MOST_STEPS if the constraints are required, MOST_TO_PREFER if they are only
 * preferred. */
enum { MOST_STEPS = 4096, MOST_TO_PREFER = 128, WORK_OF_STEP = 2 };

struct placing {
    struct fragprog_slots *s;
    struct fragprog_search *search;
    bool strict;
    unsigned steps, most_steps;
    uint8_t group_reg[256];
    uint8_t until[FRAGPROG_MAX_VALUES]; /* slot of the last reader; nslots: live to the end */
    uint8_t held[2]
                /* slot until which each register half is in use by the values placed so far */
                [FRAGPROG_REGISTERS];
    struct {
        uint8_t n, value[3];
    } alpha_reads[FRAGPROG_MAX_SLOTS]; /* values in colour halves that the slot's alpha instruction reads */
};

static void find_ends(struct placing *p)
{
    const struct fragprog_slots *s = p->s;
    uint64_t in_slot[FRAGPROG_MAX_SLOTS] = {0}; /* sets of nodes */
    for (unsigned slot = 0; slot < s->nslots; slot++)
        for (unsigned h = 0; h < 2; h++)
            if (s->slot[slot][h] != FRAGPROG_NO_NODE)
                in_slot[slot] |= UINT64_C(1) << s->slot[slot][h];
    for (unsigned v = 0; v < s->nvalues; v++) {
        unsigned end = s->value[v].keep ? s->nslots : s->nslots ? s->nslots - 1 : 0;
        while (!s->value[v].keep && end > 0 && !(s->value[v].readers & in_slot[end]))
            end--;
        p->until[v] = (uint8_t)end;
    }
    for (unsigned v = 0; v < s->nvalues; v++) /* the live ranges of a group end together */
        for (unsigned w = 0; s->value[v].group != FRAGPROG_NO_GROUP && w < s->nvalues; w++)
            if (s->value[v].group == s->value[w].group && p->until[w] > p->until[v])
                p->until[v] = p->until[w];
}

static void find_alpha_reads(struct placing *p)
{
    const struct fragprog_slots *s = p->s;
    for (unsigned slot = 0; slot < s->nslots; slot++) {
        const unsigned n = s->slot[slot][TEXENV_ALPHA];
        p->alpha_reads[slot].n = 0;
        for (unsigned v = 0; v < s->nvalues && n != FRAGPROG_NO_NODE && p->alpha_reads[slot].n < 3; v++)
            if (s->value[v].half == TEXENV_RGB && s->value[v].readers >> n & 1)
                p->alpha_reads[slot].value[p->alpha_reads[slot].n++] = (uint8_t)v;
    }
}

/* Assigns register r to value v. Returns the argument for give_back, which undoes this. */
static unsigned give(struct placing *p, unsigned v, unsigned r)
{
    uint8_t *held = &p->held[p->s->value[v].half][r];
    const unsigned before = *held;
    p->s->reg[v] = (uint8_t)r;
    if (p->until[v] > before)
        *held = p->until[v];
    return before;
}

static void give_back(struct placing *p, unsigned v, unsigned before)
{
    p->held[p->s->value[v].half][p->s->reg[v]] = (uint8_t)before;
    p->s->reg[v] = FRAGPROG_NO_REG;
}

/* Returns the registers whose half is in use after this slot. */
static unsigned held_after(const struct placing *p, unsigned half, unsigned slot)
{
    unsigned regs = 0;
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        regs |= (unsigned)(p->held[half][r] > slot) << r;
    return regs;
}

/* Returns the registers whose rgb the slot's alpha instruction reads. If the colour instruction wrote one of
 * them, the result would depend on the order of the halves. */
static unsigned read_by_alpha(const struct placing *p, unsigned slot)
{
    unsigned regs = 0;
    for (unsigned i = 0; i < p->alpha_reads[slot].n; i++) {
        const unsigned reg = p->s->reg[p->alpha_reads[slot].value[i]];
        regs |= reg != FRAGPROG_NO_REG ? 1u << reg : 0;
    }
    return regs;
}

/* Returns all registers that the node reads. */
static unsigned read_by(const struct fragprog_slots *s, unsigned n)
{
    unsigned regs = 0;
    for (unsigned v = 0; v < s->nvalues; v++)
        if (s->value[v].readers >> n & 1 && s->reg[v] != FRAGPROG_NO_REG)
            regs |= 1u << s->reg[v];
    return regs;
}

/* Returns the registers that are not allowed for value v, which this half of the slot computes. */
static unsigned registers_barred(const struct placing *p, unsigned slot, unsigned half, unsigned v)
{
    const struct fragprog_slots *s = p->s;
    const struct fragprog_value *value = &s->value[v];
    const unsigned c = s->slot[slot][TEXENV_RGB], a = s->slot[slot][TEXENV_ALPHA];
    const bool both = half == TEXENV_ALPHA && c == a && s->made[c][TEXENV_RGB] != FRAGPROG_NO_VALUE;
    unsigned barred = held_after(p, value->half, slot);
    if (s->result[value->half] == v)
        barred |= ~1u;
    if (p->search->shared_dot && both)
        barred |= ~(1u << s->reg[s->made[c][TEXENV_RGB]]);
    if (p->strict && p->search->in_any_order && c != FRAGPROG_NO_NODE && c == a)
        barred |= read_by(s, c); /* the companion reads its arguments after the colour half has written */
    if (p->strict && half == TEXENV_RGB && c != a)
        barred |= read_by_alpha(p, slot);
    return barred;
}

static bool place_slot(struct placing *p, unsigned slot, unsigned half);

/* Places value v in register r and continues with the next half. */
static bool try_register(struct placing *p, unsigned slot, unsigned half, unsigned v, unsigned r)
{
    const struct fragprog_value *value = &p->s->value[v];
    const unsigned before = give(p, v, r);
    if (value->group != FRAGPROG_NO_GROUP)
        p->group_reg[value->group] = (uint8_t)r;
    if (place_slot(p, slot, half + 1))
        return true;
    give_back(p, v, before);
    if (value->group != FRAGPROG_NO_GROUP)
        p->group_reg[value->group] = FRAGPROG_NO_REG;
    return false;
}

static bool place_slot(struct placing *p, unsigned slot, unsigned half)
{
    struct fragprog_slots *s = p->s;
    if (half == 2)
        return place_slot(p, slot + 1, 0);
    if (slot == s->nslots)
        return true;
    if (++p->steps > p->most_steps || !fragprog_search_spend(p->search, WORK_OF_STEP))
        return false;
    unsigned n = s->slot[slot][half], v = n == FRAGPROG_NO_NODE ? FRAGPROG_NO_VALUE : s->made[n][half];
    if (v == FRAGPROG_NO_VALUE)
        return place_slot(p, slot, half + 1);
    const struct fragprog_value *value = &s->value[v];
    if (value->group != FRAGPROG_NO_GROUP &&
        p->group_reg[value->group] != FRAGPROG_NO_REG) { /* the group already has a register */
        unsigned taken = p->group_reg[value->group];
        if (p->strict &&
            ((half == TEXENV_RGB && n != s->slot[slot][TEXENV_ALPHA] &&
              read_by_alpha(p, slot) >> taken & 1) ||
             (p->search->in_any_order && n == s->slot[slot][TEXENV_ALPHA] && read_by(s, n) >> taken & 1)))
            return false;
        const unsigned before = give(p, v, taken);
        if (place_slot(p, slot, half + 1))
            return true;
        give_back(p, v, before);
        return false;
    }
    const unsigned barred = registers_barred(p, slot, half, v);
    /* As the search decided, its in_r0 values get register 0. Other values get the lowest free register, and
     * register 0 only if no other is free. */
    if (s->last && value->in_r0)
        return !(barred & 1) && try_register(p, slot, half, v, 0);
    /* Mesa executes setups in ascending order of registers. Values for the second pass are therefore placed
     * in high registers, so that their setups come late. */
    const bool high = !s->last && value->keep && p->search->in_any_order;
    for (unsigned i = s->last ? 1 : 0; i < FRAGPROG_REGISTERS; i++) {
        const unsigned r = high ? FRAGPROG_REGISTERS - 1 - i : i;
        if (!(barred >> r & 1) && try_register(p, slot, half, v, r))
            return true;
    }
    return s->last && !(barred & 1) && try_register(p, slot, half, v, 0);
}

/* Places values that are available at the start of the pass without a lookup. They get registers that no
 * lookup fills. */
static bool place_start(struct placing *p)
{
    struct fragprog_slots *s = p->s;
    unsigned taken = s->textures;
    memset(p->held, 0, sizeof p->held);
    for (unsigned v = 0; v < s->nvalues; v++) {
        const struct fragprog_value *value = &s->value[v];
        s->reg[v] = FRAGPROG_NO_REG;
        if (value->node != FRAGPROG_NO_NODE)
            continue;
        if (value->group != FRAGPROG_NO_GROUP && p->group_reg[value->group] != FRAGPROG_NO_REG) {
            give(p, v, p->group_reg[value->group]);
            continue;
        }
        unsigned r = value->reg;
        if (r == FRAGPROG_NO_REG)
            for (r = 1; r < FRAGPROG_REGISTERS && taken >> r & 1; r++) {
            }
        if (r == FRAGPROG_REGISTERS)
            r = 0;
        if (value->reg == FRAGPROG_NO_REG && taken >> r & 1)
            return false;
        taken |= 1u << r;
        give(p, v, r);
        if (value->group != FRAGPROG_NO_GROUP)
            p->group_reg[value->group] = (uint8_t)r;
    }
    return true;
}

bool fragprog_place(struct fragprog_slots *s, struct fragprog_search *search)
{
    struct placing p = {.s = s,
                        .search = search,
                        .strict = true,
                        .most_steps = search->must_place ? MOST_STEPS : MOST_TO_PREFER};
    find_ends(&p);
    find_alpha_reads(&p);
    for (;;) {
        memset(p.group_reg, FRAGPROG_NO_REG, sizeof p.group_reg);
        p.steps = 0;
        if (!place_start(&p))
            return false;
        if (place_slot(&p, 0, 0))
            return true;
        if (!p.strict || search->must_place)
            return false;
        p.strict = false;
        p.most_steps = MOST_STEPS;
    }
}
