/* Search for the schedule of a pass. Depth-first; ready nodes of greatest height are tried first, so that the
 * first descent is a list schedule. States (nodes done, placement of numbers, contents of register 0) that
 * failed are memoised.
 *
 * In flexible mode a number (an alpha value, or a colour with equal channels) may be computed in either half;
 * in the colour half it takes one channel of a register, which other numbers may share. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

static inline uint64_t bit(unsigned n) { return UINT64_C(1) << n; }

enum { FAILED = FRAGPROG_FAILURES, PROBES = 8, HOMES = FRAGPROG_HOMES };
enum { WORK_OF_STATE = 10, WORK_OF_PAIR = 3 };
struct run {
    struct fragprog_slots *s;
    struct fragprog_search *search;
    unsigned limit;
    uint64_t to_color, to_alpha; /* nodes that may run in the other half, too */
    uint64_t numbers;            /* nodes whose value may share a register */
    /* the table of failures is in use and was cleared; the first descent works without it */
    bool remembers;
    struct fragprog_failure *failed; /* table of FAILED entries */
};

/* ---- memoised failures ---- */

/* Builds the key of a state. Returns false if it has more displaced numbers than the key can hold. */
static bool describe(const struct run *r, struct fragprog_failed_state *state, uint64_t done,
                     const uint8_t r0[2])
{
    unsigned n = 0;
    memset(state, 0, sizeof *state);
    state->done = done;
    state->r0[0] = r0[0], state->r0[1] = r0[1];
    for (unsigned v = 0; (r->numbers || r->to_alpha) && v < r->s->nvalues; v++) {
        const struct fragprog_value *value = &r->s->value[v];
        if (value->node == FRAGPROG_NO_NODE || !fragprog_slots_live(value, done) ||
            !((r->numbers | r->to_alpha) & bit(value->node)))
            continue;
        if (n == HOMES)
            return false;
        /* `with`: the first live value of the same group, which shares a register with this one */
        unsigned with = 0;
        while (with < v &&
               !(fragprog_slots_live(&r->s->value[with], done) && r->s->value[with].group == value->group &&
                 value->group != FRAGPROG_NO_GROUP))
            with++;
        state->home[n++] = (uint8_t)(value->half == TEXENV_ALPHA ? 0xff : 1 + with);
    }
    return true;
}

static unsigned home(const struct fragprog_failed_state *state)
{
    uint64_t x = state->done ^ (uint64_t)state->r0[0] << 48 ^ (uint64_t)state->r0[1] << 56;
    for (unsigned i = 0; i < HOMES; i++)
        x = x * 31 + state->home[i];
    return (unsigned)(x * UINT64_C(0x9E3779B97F4A7C15) >> 32) % FAILED;
}

static bool known_to_fail(const struct run *r, const struct fragprog_failed_state *state, unsigned left)
{
    for (unsigned i = 0, at = home(state); i < PROBES; i++, at = (at + 1) % FAILED)
        if (r->failed[at].used && memcmp(&r->failed[at].state, state, sizeof *state) == 0)
            return r->failed[at].left >= left;
    return false;
}

static void remember(struct run *r, const struct fragprog_failed_state *state, unsigned left)
{
    if (!r->remembers)
        for (unsigned i = 0; i < FAILED; i++)
            r->failed[i].used = 0;
    r->remembers = true;
    unsigned at = home(state), first = at;
    for (unsigned i = 0; i < PROBES; i++, at = (at + 1) % FAILED)
        if (!r->failed[at].used || memcmp(&r->failed[at].state, state, sizeof *state) == 0)
            break;
    if (r->failed[at].used && memcmp(&r->failed[at].state, state, sizeof *state) != 0)
        at = first; /* the table is full here: overwrite an entry */
    r->failed[at].used = 1;
    r->failed[at].state = *state;
    r->failed[at].left = (uint8_t)left;
}

/* ---- placement of values ---- */

/* Returns true if the register half of value v is still live; for a group, if any of its numbers is. */
static bool is_held(const struct fragprog_slots *s, unsigned v, uint64_t done)
{
    if (s->value[v].group == FRAGPROG_NO_GROUP)
        return fragprog_slots_live(&s->value[v], done);
    for (unsigned i = 0; i < s->nvalues; i++)
        if (s->value[i].group == s->value[v].group && fragprog_slots_live(&s->value[i], done))
            return true;
    return false;
}

/* Returns a channel of the group that is not live after `done`, or 3 if there is none. It also returns 3 for
 * a group with fixed channels if this is a first pass that computes numbers of the group. For the text form,
 * no number joins a group that comes from a first pass, because that would leave fewer registers for dot
 * products and companions. */
static unsigned free_channel(const struct run *r, unsigned group, uint64_t done)
{
    const struct fragprog_slots *s = r->s;
    const bool may_come = group >= FRAGPROG_FIXED_GROUP && (!s->last || r->search->shared_dot);
    unsigned used = 0;
    for (unsigned i = 0; i < s->nvalues; i++) {
        if (s->value[i].group != group)
            continue;
        if (may_come && s->value[i].node != FRAGPROG_NO_NODE)
            return 3;
        if (fragprog_slots_live(&s->value[i], done))
            used |= 1u << s->value[i].channel;
    }
    for (unsigned c = 3; c-- > 0;)
        if (!(used & 1u << c))
            return c;
    return 3;
}

static bool search_from(struct run *r, uint64_t done, unsigned slot, const uint8_t r0[2]);

/* Decides for each value that this slot computes whether it is placed in register 0. Results always are. */
static bool try_homes(struct run *r, uint64_t done, uint64_t now, unsigned slot, const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    uint64_t after = done | now;
    unsigned count[2], born[2] = {FRAGPROG_NO_VALUE, FRAGPROG_NO_VALUE};
    uint8_t held[2];
    fragprog_slots_count(s, after, now, count);
    if (count[0] > r->search->registers || count[1] > r->search->registers)
        return false;
    if (!s->last)
        return search_from(r, after, slot + 1, r0);
    for (unsigned h = 0; h < 2; h++)
        held[h] = r0[h] != FRAGPROG_NO_VALUE && is_held(s, r0[h], after) ? r0[h] : (uint8_t)FRAGPROG_NO_VALUE;
    for (unsigned h = 0; h < 2; h++) {
        unsigned n = s->slot[slot][h], v = n == FRAGPROG_NO_NODE ? FRAGPROG_NO_VALUE : s->made[n][h];
        bool joins = false; /* whether the value joins a live group */
        for (unsigned i = 0;
             v != FRAGPROG_NO_VALUE && s->value[v].group != FRAGPROG_NO_GROUP && i < s->nvalues; i++)
            joins |= i != v && s->value[i].group == s->value[v].group &&
                fragprog_slots_live(&s->value[i], after) &&
                !(s->value[i].node != FRAGPROG_NO_NODE && now & bit(s->value[i].node));
        if (!joins)
            born[h] = v;
    }
    /* Bit h of `in`: the value of half h is placed in register 0. Placements outside of register 0 are tried
     * first, so that register 0 stays free for the result. */
    for (unsigned in = 0; in < 4; in++) {
        uint8_t next[2] = {held[0], held[1]};
        bool fits = true;
        for (unsigned h = 0; h < 2 && fits; h++) {
            bool zero = in >> h & 1;
            if (born[h] == FRAGPROG_NO_VALUE) {
                fits = !zero;
            } else {
                fits = (born[h] == s->result[h] ? zero : true) && (!zero || held[h] == FRAGPROG_NO_VALUE);
                if (zero)
                    next[h] = (uint8_t)born[h];
            }
            fits &= count[h] - (next[h] != FRAGPROG_NO_VALUE) <= r->search->registers - 1u;
        }
        if (!fits)
            continue;
        for (unsigned h = 0; h < 2; h++)
            if (born[h] != FRAGPROG_NO_VALUE)
                s->value[born[h]].in_r0 = in >> h & 1;
        /* a value without readers is dead immediately */
        for (unsigned h = 0; h < 2; h++)
            if (next[h] != FRAGPROG_NO_VALUE && !is_held(s, next[h], after))
                next[h] = FRAGPROG_NO_VALUE;
        if (search_from(r, after, slot + 1, next))
            return true;
        if (r->search->gave_up)
            return false;
    }
    return false;
}

/* Lets a number in the colour half join a group or begin a new one. */
static bool try_groups(struct run *r, uint64_t done, uint64_t now, unsigned slot, const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    unsigned c = s->slot[slot][TEXENV_RGB],
             v = c == FRAGPROG_NO_NODE ? FRAGPROG_NO_VALUE : s->made[c][TEXENV_RGB];
    if (v == FRAGPROG_NO_VALUE || !(r->numbers & bit(c)))
        return try_homes(r, done, now, slot, r0);
    struct fragprog_value *value = &s->value[v], before = *value;
    for (unsigned i = 0; i < s->nvalues; i++) { /* try each group once */
        unsigned group = s->value[i].group;
        if (i == v || group == FRAGPROG_NO_GROUP || !fragprog_slots_live(&s->value[i], done | now))
            continue;
        bool first = true;
        for (unsigned j = 0; j < i; j++)
            first &= !(s->value[j].group == group && fragprog_slots_live(&s->value[j], done | now));
        unsigned channel = first ? free_channel(r, group, done | now) : 3;
        if (channel == 3)
            continue;
        value->group = (uint8_t)group;
        value->channel = (uint8_t)channel;
        if (try_homes(r, done, now, slot, r0))
            return true;
        *value = before;
        if (r->search->gave_up)
            return false;
    }
    value->group = (uint8_t)v;
    value->channel = 2; /* alpha instructions can read blue without replication */
    if (try_homes(r, done, now, slot, r0))
        return true;
    *value = before;
    return false;
}

/* Moves a node to the other half. */
static void turn(struct fragprog_slots *s, unsigned n, unsigned to)
{
    unsigned v = s->made[n][1 - to];
    s->made[n][to] = (uint8_t)v;
    s->made[n][1 - to] = FRAGPROG_NO_VALUE;
    s->value[v].half = (uint8_t)to;
}

static bool try_nodes(struct run *r, uint64_t done, unsigned c, unsigned a, unsigned slot,
                      const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    bool c_turns = c != FRAGPROG_NO_NODE && !(s->takes[TEXENV_RGB] & bit(c)),
         a_turns = a != FRAGPROG_NO_NODE && a != c && !(s->takes[TEXENV_ALPHA] & bit(a));
    uint64_t now = (c == FRAGPROG_NO_NODE ? 0 : bit(c)) | (a == FRAGPROG_NO_NODE ? 0 : bit(a));
    s->slot[slot][TEXENV_RGB] = (uint8_t)c;
    s->slot[slot][TEXENV_ALPHA] = (uint8_t)a;
    if (c_turns)
        turn(s, c, TEXENV_RGB);
    if (a_turns)
        turn(s, a, TEXENV_ALPHA);
    if (try_groups(r, done, now, slot, r0))
        return true;
    if (c_turns)
        turn(s, c, TEXENV_ALPHA);
    if (a_turns)
        turn(s, a, TEXENV_RGB);
    return false;
}

/* ---- slots ---- */

/* Appends the ready nodes of `kind` to the list, sorted by descending height. */
static unsigned list_ready(const struct fragprog_slots *s, uint64_t kind, uint64_t done,
                           uint8_t list[FRAGPROG_MAX_NODES], unsigned n)
{
    unsigned begin = n;
    for (uint64_t rest = kind & s->todo & ~done; rest; rest &= rest - 1) {
        unsigned i = fragprog_lowest(rest);
        if (s->preds[i] & ~done)
            continue;
        unsigned at = n++;
        for (; at > begin && s->heights[list[at - 1]] < s->heights[i]; at--)
            list[at] = list[at - 1];
        list[at] = (uint8_t)i;
    }
    return n;
}

static bool enough_slots(const struct run *r, uint64_t done, unsigned slot)
{
    const struct fragprog_slots *s = r->s;
    uint64_t rest = s->todo & ~done, color = s->takes[0] & rest, alpha = s->takes[1] & rest;
    unsigned left = r->limit - slot;
    if (fragprog_count(color & ~r->to_alpha) > left || fragprog_count(alpha & ~r->to_color) > left ||
        fragprog_count(color) + fragprog_count(alpha) > 2 * left)
        return false;
    for (; rest; rest &= rest - 1)
        if (s->heights[fragprog_lowest(rest)] > left)
            return false;
    return true;
}

static bool search_from(struct run *r, uint64_t done, unsigned slot, const uint8_t r0[2])
{
    struct fragprog_slots *s = r->s;
    if (done == s->todo) {
        s->nslots = slot;
        if (r->search->registers > FRAGPROG_REGISTERS || fragprog_place(s, r->search))
            return true;
        r->search->unplaced++;
        return false;
    }
    r->search->states++;
    if (!fragprog_search_spend(r->search, WORK_OF_STATE))
        return false;
    struct fragprog_failed_state state;
    if (!enough_slots(r, done, slot) ||
        (r->remembers && describe(r, &state, done, r0) && known_to_fail(r, &state, r->limit - slot)))
        return false;
    uint8_t color[FRAGPROG_MAX_NODES + 1], alpha[FRAGPROG_MAX_NODES + 1];
    unsigned ncolor = list_ready(s, s->takes[0], done, color, 0),
             nalpha = list_ready(s, s->takes[1] & ~s->takes[0], done, alpha, 0);
    ncolor = list_ready(s, r->to_color, done, color, ncolor);
    nalpha = list_ready(s, r->to_alpha, done, alpha, nalpha);
    color[ncolor] = alpha[nalpha] = FRAGPROG_NO_NODE; /* last choice: leave the half empty */
    for (unsigned i = 0; i <= ncolor; i++)
        for (unsigned j = 0; j <= nalpha; j++) {
            unsigned c = color[i], a = alpha[j];
            bool both = c != FRAGPROG_NO_NODE && s->takes[0] & s->takes[1] & bit(c);
            if (c == a || (both && a != FRAGPROG_NO_NODE)) /* both halves empty, or the same node twice */
                continue;
            if (!fragprog_search_spend(r->search, WORK_OF_PAIR))
                return false;
            if (try_nodes(r, done, c, both ? c : a, slot, r0))
                return true;
            if (r->search->gave_up)
                return false;
        }
    if (describe(r, &state, done, r0))
        remember(r, &state, r->limit - slot);
    return false;
}

/* Finds the nodes whose value is a number that may be computed in either half. It must be no result, and the
 * plan must not fix its channel. */
static void find_numbers(struct run *r)
{
    const struct fragprog_slots *s = r->s;
    const struct fragprog_graph *g = s->g;
    for (unsigned n = 0; n < g->nnodes; n++) {
        bool color = s->takes[TEXENV_RGB] & bit(n), alpha = s->takes[TEXENV_ALPHA] & bit(n);
        unsigned v = s->made[n][color ? TEXENV_RGB : TEXENV_ALPHA];
        if (color == alpha || v == FRAGPROG_NO_VALUE || s->value[v].keep ||
            s->value[v].group != FRAGPROG_NO_GROUP || (color && !(g->scalar & bit(n))))
            continue;
        r->numbers |= bit(n);
        if (alpha)
            r->to_color |= bit(n);
        else if (!fragprog_op_is_dot(g->p.inst[g->node[n].inst[TEXENV_RGB]].op))
            r->to_alpha |= bit(n);
    }
}

bool fragprog_slots_search(struct fragprog_slots *s, struct fragprog_search *search, unsigned from)
{
    struct run r;
    uint8_t r0[2] = {FRAGPROG_NO_VALUE, FRAGPROG_NO_VALUE};
    unsigned count[2];
    r.s = s;
    r.search = search;
    r.failed = search->failed;
    r.remembers = false;
    r.to_color = r.to_alpha = r.numbers = 0;
    fragprog_slots_count(s, 0, 0, count);
    if (count[0] > search->registers || count[1] > search->registers)
        return false;
    if (search->flexible)
        find_numbers(&r);
    for (unsigned i = 0; i < s->nvalues; i++)
        if (s->value[i].node == FRAGPROG_NO_NODE && s->value[i].reg == 0)
            r0[s->value[i].half] = (uint8_t)i;
    for (r.limit = from; r.limit <= search->slots && !search->gave_up; r.limit++)
        if (search_from(&r, 0, 0, r0))
            return true;
    return false;
}
