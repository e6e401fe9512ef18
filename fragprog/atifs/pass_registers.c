/* Registers of a scheduled pass. The search has counted: there is always a register, and register 0 is where
 * the result needs it. Only the text form's wish that a dot product and its companion share a register, and
 * independence of the order of a slot's halves, can fail; so this tries all ways, within bounds. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

enum { MOST_STEPS = 4096 };

struct placing {
    struct fragprog_slots *s;
    const struct fragprog_search *search;
    bool strict;
    unsigned steps;
    uint8_t group_reg[256];
    uint8_t until[FRAGPROG_MAX_VALUES]; /* the slot of the last reader; nslots: to the end */
};

/* The slot that node n runs in. */
static unsigned slot_of(const struct fragprog_slots *s, unsigned n)
{
    unsigned i = 0;
    while (s->slot[i][0] != n && s->slot[i][1] != n)
        i++;
    return i;
}

static void find_ends(struct placing *p)
{
    const struct fragprog_slots *s = p->s;
    for (unsigned v = 0; v < s->nvalues; v++) {
        unsigned end = s->value[v].keep ? s->nslots : 0;
        for (uint64_t rest = s->value[v].readers; rest && !s->value[v].keep; rest &= rest - 1) {
            unsigned at = slot_of(s, fragprog_lowest(rest));
            end = at > end ? at : end;
        }
        p->until[v] = (uint8_t)end;
    }
    for (unsigned v = 0; v < s->nvalues; v++) /* a group ends together */
        for (unsigned w = 0; w < s->nvalues; w++)
            if (s->value[v].group != FRAGPROG_NO_GROUP && s->value[v].group == s->value[w].group &&
                p->until[w] > p->until[v])
                p->until[v] = p->until[w];
}

/* Is half of register r free for a value that is written at the end of this slot (-1: at the start)?
 * `placed`: values that have registers. */
static bool is_free(const struct placing *p, unsigned half, unsigned r, int slot)
{
    const struct fragprog_slots *s = p->s;
    for (unsigned v = 0; v < s->nvalues; v++)
        if (s->reg[v] == r && s->value[v].half == half && (int)p->until[v] > slot)
            return false;
    return true;
}

/* Registers whose rgb the alpha instruction of the slot reads: if the colour instruction writes one, the
 * order of the halves counts. */
static unsigned read_by_alpha(const struct fragprog_slots *s, unsigned slot)
{
    unsigned n = s->slot[slot][TEXENV_ALPHA], regs = 0;
    for (unsigned v = 0; v < s->nvalues && n != FRAGPROG_NO_NODE; v++)
        if (s->value[v].half == TEXENV_RGB && s->value[v].readers >> n & 1 && s->reg[v] != FRAGPROG_NO_REG)
            regs |= 1u << s->reg[v];
    return regs;
}

/* All registers that the node reads. */
static unsigned read_by(const struct fragprog_slots *s, unsigned n)
{
    unsigned regs = 0;
    for (unsigned v = 0; v < s->nvalues; v++)
        if (s->value[v].readers >> n & 1 && s->reg[v] != FRAGPROG_NO_REG)
            regs |= 1u << s->reg[v];
    return regs;
}

static bool place_slot(struct placing *p, unsigned slot, unsigned half);

static bool try_register(struct placing *p, unsigned slot, unsigned half, unsigned v, unsigned r)
{
    struct fragprog_slots *s = p->s;
    const struct fragprog_value *value = &s->value[v];
    unsigned c = s->slot[slot][TEXENV_RGB], a = s->slot[slot][TEXENV_ALPHA];
    bool both = half == TEXENV_ALPHA && c == a && s->made[c][TEXENV_RGB] != FRAGPROG_NO_VALUE;
    if (s->result[value->half] == v ? r != 0 : false)
        return false;
    if (!is_free(p, value->half, r, (int)slot))
        return false;
    if (p->search->shared_dot && both && s->reg[s->made[c][TEXENV_RGB]] != r)
        return false;
    if (p->strict && p->search->in_any_order && c != FRAGPROG_NO_NODE && c == a && read_by(s, c) >> r & 1)
        return false; /* the companion is computed again from its own arguments */
    if (p->strict && half == TEXENV_RGB && c != a && read_by_alpha(s, slot) >> r & 1)
        return false;
    s->reg[v] = (uint8_t)r;
    if (value->group != FRAGPROG_NO_GROUP)
        p->group_reg[value->group] = (uint8_t)r;
    if (place_slot(p, slot, half + 1))
        return true;
    s->reg[v] = FRAGPROG_NO_REG;
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
    if (++p->steps > MOST_STEPS)
        return false;
    unsigned n = s->slot[slot][half], v = n == FRAGPROG_NO_NODE ? FRAGPROG_NO_VALUE : s->made[n][half];
    if (v == FRAGPROG_NO_VALUE)
        return place_slot(p, slot, half + 1);
    const struct fragprog_value *value = &s->value[v];
    if (value->group != FRAGPROG_NO_GROUP &&
        p->group_reg[value->group] != FRAGPROG_NO_REG) { /* its register has been chosen */
        unsigned taken = p->group_reg[value->group];
        if (p->strict &&
            ((half == TEXENV_RGB && n != s->slot[slot][TEXENV_ALPHA] &&
              read_by_alpha(s, slot) >> taken & 1) ||
             (p->search->in_any_order && n == s->slot[slot][TEXENV_ALPHA] && read_by(s, n) >> taken & 1)))
            return false;
        s->reg[v] = p->group_reg[value->group];
        if (place_slot(p, slot, half + 1))
            return true;
        s->reg[v] = FRAGPROG_NO_REG;
        return false;
    }
    /* As the search had it, the lowest register first; then register 0 where it had not. */
    if (s->last && value->in_r0)
        return try_register(p, slot, half, v, 0);
    /* What the second pass takes over lies high, where its setups in rising order (Mesa) come late. */
    bool high = !s->last && value->keep && p->search->in_any_order;
    for (unsigned i = s->last ? 1 : 0; i < FRAGPROG_REGISTERS; i++)
        if (try_register(p, slot, half, v, high ? FRAGPROG_REGISTERS - 1 - i : i))
            return true;
    return s->last && try_register(p, slot, half, v, 0);
}

/* What is there from the start and comes from no lookup takes registers that lookups leave. */
static bool place_start(struct placing *p)
{
    struct fragprog_slots *s = p->s;
    unsigned taken = s->textures;
    for (unsigned v = 0; v < s->nvalues; v++) {
        const struct fragprog_value *value = &s->value[v];
        s->reg[v] = FRAGPROG_NO_REG;
        if (value->node != FRAGPROG_NO_NODE)
            continue;
        if (value->group != FRAGPROG_NO_GROUP && p->group_reg[value->group] != FRAGPROG_NO_REG) {
            s->reg[v] = p->group_reg[value->group];
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
        s->reg[v] = (uint8_t)r;
        if (value->group != FRAGPROG_NO_GROUP)
            p->group_reg[value->group] = (uint8_t)r;
    }
    return true;
}

bool fragprog_place(struct fragprog_slots *s, const struct fragprog_search *search)
{
    struct placing p = {.s = s, .search = search, .strict = true};
    find_ends(&p);
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
    }
}
