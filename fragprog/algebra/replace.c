/* Replaces instructions while keeping ranges and use counts up to date. */
#include "fragprog/algebra/replace.h"

/* Bytes for each instruction, without the hash table. */
enum { EACH = 2 * sizeof(struct fragprog_interval[4]) + sizeof(uint32_t) + sizeof(uint8_t) };
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

struct fragprog_ranges *fragprog_ranges_over(void *scratch, const struct fragprog *p)
{
    struct fragprog_ranges *r = scratch;
    const unsigned n = p->ninst < FRAGPROG_TEXENV_INSTS ? FRAGPROG_TEXENV_INSTS : p->ninst;
    char *at = (char *)scratch + ((sizeof *r + 15) & ~(size_t)15);
    *r = (struct fragprog_ranges){0};
    r->raw = (void *)at;
    r->out = r->raw + n;
    r->uses = (void *)(r->out + n);
    if (p->unbounded) {
        r->table = (void *)r->uses;
        r->table_mask = table_size(n) - 1;
        r->uses = (void *)(r->table + r->table_mask + 1);
    }
    r->flags = (void *)(r->uses + n);
    return r;
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

/* Removes the uses by an instruction. Returns a value that is no longer used, or -1. */
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

/* Replaces an instruction and updates the use counts, but not the range of i. */
static void replace(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                    const struct fragprog_inst *inst)
{
    add_uses(r, inst);
    fragprog_drop_uses(r, p, &p->inst[i]);
    p->inst[i] = *inst;
}

void fragprog_put(struct fragprog *p, struct fragprog_ranges *r, unsigned i, const struct fragprog_inst *inst)
{
    replace(p, r, i, inst);
    fragprog_find_range(r, p, i);
}

void fragprog_put_number(struct fragprog *p, struct fragprog_ranges *r, unsigned i,
                         const struct fragprog_inst *inst, double x)
{
    replace(p, r, i, inst);
    fragprog_put_range(r, p, i, fragprog_point(x));
}
