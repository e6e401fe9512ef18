/* Ranges and counts of readers, kept right while passes change the program. */
#include "fragprog/algebra/known.h"

/* Bytes of each instruction, but for the hash table. */
enum {
    EACH = 2 * sizeof(struct fragprog_interval[4]) + sizeof(struct fragprog_known) + sizeof(uint32_t) +
        sizeof(uint8_t)
};
_Static_assert(sizeof(struct fragprog_ranges) + 64 + FRAGPROG_TEXENV_INSTS * EACH <= FRAGPROG_PASSES_SCRATCH,
               "FRAGPROG_PASSES_SCRATCH is too small");

static unsigned table_size(unsigned insts)
{
    unsigned size = 16;
    while (size < 2 * insts)
        size *= 2;
    return size;
}

size_t fragprog_passes_scratch(unsigned insts)
{
    const size_t n = insts < FRAGPROG_TEXENV_INSTS ? FRAGPROG_TEXENV_INSTS : insts;
    return sizeof(struct fragprog_ranges) + 64 + n * EACH + table_size((unsigned)n) * sizeof(uint32_t);
}

/* Where struct fragprog_known of the values lie. */
static struct fragprog_known *known_of(const struct fragprog_ranges *r)
{
    return (void *)(r->out + r->insts);
}

struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p)
{
    struct fragprog_ranges *r = scratch;
    const unsigned n = p->ninst < FRAGPROG_TEXENV_INSTS ? FRAGPROG_TEXENV_INSTS : p->ninst;
    char *at = (char *)scratch + ((sizeof *r + 15) & ~(size_t)15);
    *r = (struct fragprog_ranges){.insts = n};
    r->raw = (void *)at;
    r->out = r->raw + n;
    r->uses = (void *)(known_of(r) + n);
    if (p->unbounded) {
        r->table = (void *)r->uses;
        r->table_mask = table_size(n) - 1;
        r->uses = (void *)(r->table + r->table_mask + 1);
    }
    r->flags = (void *)(r->uses + n);
    return r;
}

void fragprog_follow_changes(struct fragprog_ranges *r, const struct fragprog *p)
{
    r->known = known_of(r);
    memset(r->known, 0, p->ninst * sizeof *r->known);
}

void fragprog_forget_ranges(struct fragprog_ranges *r, const struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        fragprog_mark_changed(r, i);
}

void fragprog_touch_sources(struct fragprog_ranges *r, const struct fragprog_inst *inst)
{
    r->now++;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            r->known[inst->src[s].index].touched = r->now;
}

static uint32_t later(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* The last change at i or what it reads. */
static uint32_t touched_around(const struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    uint32_t last = r->known[i].touched;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = later(last, r->known[inst->src[s].index].touched);
    return last;
}

bool fragprog_is_settled(const struct fragprog_ranges *r, const struct fragprog *p, unsigned walk, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    uint32_t last = touched_around(r, p, i);
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = later(last, touched_around(r, p, inst->src[s].index));
    return last <= r->known[i].settled[walk];
}

void fragprog_move_range(struct fragprog_ranges *r, unsigned from, unsigned to)
{
    memcpy(r->raw[to], r->raw[from], sizeof r->raw[to]);
    memcpy(r->out[to], r->out[from], sizeof r->out[to]);
    r->flags[to] = r->flags[from];
    r->uses[to] = r->uses[from];
    r->known[to] = r->known[from];
}

void fragprog_find_unknown_range(struct fragprog_ranges *r, const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    struct fragprog_known *known = &r->known[i];
    const bool before = known->found != 0;
    uint32_t last = 0;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            last = later(last, r->known[inst->src[s].index].changed);
    if (before && last <= known->found)
        return;
    if (!before)
        fragprog_touch_sources(r, inst);
    else
        r->now++;
    const bool changed = fragprog_renew_range(r, p, i, before);
    if (changed || !before)
        known->touched = r->now;
    if (changed)
        known->changed = r->now;
    known->found = r->now;
}

static void add_uses(struct fragprog_ranges *r, const struct fragprog_inst *inst)
{
    uint32_t *const uses = r->uses;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++)
        if (inst->src[s].file == FRAGPROG_VALUE)
            uses[inst->src[s].index]++;
}

void fragprog_count_uses(struct fragprog_ranges *r, const struct fragprog *p)
{
    memset(r->uses, 0, p->ninst * sizeof *r->uses);
    for (const struct fragprog_inst *inst = p->inst, *end = inst + p->ninst; inst < end; inst++)
        add_uses(r, inst);
    for (unsigned h = 0; h < 2; h++)
        r->uses[p->result[h]]++;
}

/* Gives a value that nobody reads since, or -1. */
static int stop_reading(struct fragprog_ranges *r, const struct fragprog_inst *inst)
{
    int dead = -1;
    for (unsigned s = 0, args = fragprog_op_args(inst->op); s < args; s++) {
        const unsigned v = inst->src[s].index;
        if (inst->src[s].file == FRAGPROG_VALUE && r->uses[v] && !--r->uses[v])
            dead = (int)v;
    }
    return dead;
}

void fragprog_drop_uses(struct fragprog_ranges *r, const struct fragprog *p, const struct fragprog_inst *inst)
{
    for (int dead = stop_reading(r, inst); dead >= 0;)
        dead = stop_reading(r, &p->inst[dead]);
}

/* Without the range of i. */
static void replace(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                    const struct fragprog_inst *inst)
{
    add_uses(r, inst);
    fragprog_drop_uses(r, p, &p->inst[i]);
    if (r->known) {
        fragprog_touch_sources(r, &p->inst[i]);
        fragprog_touch_sources(r, inst);
        r->known[i].touched = r->known[i].found = r->now;
    }
    p->inst[i] = *inst;
}

void fragprog_put(struct fragprog *p, struct fragprog_ranges *r, unsigned i, const struct fragprog_inst *inst)
{
    replace(p, r, i, inst);
    if (fragprog_renew_range(r, p, i, r->known != NULL) && r->known)
        r->known[i].changed = r->now;
}

void fragprog_put_number(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                         const struct fragprog_inst *inst, double x)
{
    replace(p, r, i, inst);
    if (fragprog_put_range(r, p, i, r->known != NULL, fragprog_point(x)) && r->known)
        r->known[i].changed = r->now;
}
