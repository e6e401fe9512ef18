/* Pass "cse", common subexpression elimination: removes instructions that are equal to an earlier one. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

#include <stddef.h>
#include <string.h>

static uint32_t mix(uint32_t h, uint32_t x)
{
    h = (h ^ x) * UINT32_C(0x9E3779B1);
    return h ^ h >> 15;
}

static uint32_t hash_source(const struct fragprog_src *src, unsigned lanes)
{
    double value;
    if (fragprog_literal_value(src, lanes, &value))
        return mix(1, (uint32_t)(int32_t)(value * 4));
    uint32_t h = mix(mix(src->file, src->index), src->mods);
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1)
            h = mix(h, (uint32_t)src->lane[i] << 1 | (src->negate >> i & 1));
    return h;
}

/* Returns a hash. Equal instructions have equal hashes; the hashes of commutative arguments are added. */
static uint32_t hash_instruction(const struct fragprog_inst *inst)
{
    uint32_t h = mix(inst->op, (uint32_t)inst->clamp << 8 | (uint8_t)inst->scale), sum = 0;
    h = mix(h, fragprog_op_is_lookup(inst->op) ? inst->texture : inst->mask);
    if (inst->op == FRAGPROG_LOAD)
        h = mix(h, (uint32_t)inst->target << 8 | inst->texture);
    const bool swaps = fragprog_op_commutes(inst->op);
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const uint32_t x = hash_source(&inst->src[s], fragprog_lanes_read(inst, s));
        if (swaps && s < 2)
            sum += x;
        else
            h = mix(h, x);
    }
    return mix(h, sum);
}

/* swapped: exchange the first two arguments of b before the comparison */
static bool same_sources(const struct fragprog_inst *a, const struct fragprog_inst *b, bool swapped)
{
    const unsigned n = fragprog_op_args(a->op);
    for (unsigned s = 0; s < n; s++)
        if (!fragprog_same_source(&a->src[s], &b->src[swapped && s < 2 ? 1 - s : s],
                                  fragprog_lanes_read(a, s)))
            return false;
    return true;
}

static bool same_instruction(const struct fragprog_inst *a, const struct fragprog_inst *b)
{
    if (a->op != b->op || a->scale != b->scale || a->clamp != b->clamp)
        return false;
    if (fragprog_op_is_lookup(a->op) ? a->texture != b->texture || a->target != b->target ||
                a->base != b->base || a->shadow != b->shadow || a->undivided != b->undivided
                                     : a->mask != b->mask)
        return false;
    if (a->op == FRAGPROG_LOAD && (a->target != b->target || a->texture != b->texture))
        return false;
    return same_sources(a, b, false) || (fragprog_op_commutes(a->op) && same_sources(a, b, true));
}

/* If lookup i is replaced by an equal lookup j, lookup j must compute the channels of both masks. */
static void add_channels(struct fragprog *p, unsigned i, unsigned j) { p->inst[j].mask |= p->inst[i].mask; }

/* CSE of unbounded programs, which may be long: one pass with a hash table of the instructions so far. A
 * duplicate stays in the program, but its uses refer to the first occurrence from then on. */
static bool by_table(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges *r = opt->ranges;
    bool changed = false;
    memset(r->table, 0, (r->table_mask + 1) * sizeof *r->table);
    for (unsigned i = 0; i < p->ninst; i++)
        p->inst[i].scratch = (uint16_t)i;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst *inst = &p->inst[i];
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
            if (inst->src[s].file == FRAGPROG_VALUE)
                inst->src[s].index = p->inst[inst->src[s].index].scratch;
        if (fragprog_op_has_effect(inst->op))
            continue;
        uint32_t at = hash_instruction(inst) & r->table_mask;
        while (r->table[at] && !same_instruction(inst, &p->inst[r->table[at] - 1]))
            at = (at + 1) & r->table_mask;
        if (!r->table[at]) {
            r->table[at] = i + 1;
            continue;
        }
        const unsigned j = r->table[at] - 1;
        inst->scratch = (uint16_t)j;
        add_channels(p, i, j);
        if (r->uses[i]) {
            fragprog_fired(opt, "cse", inst->unit);
            changed = true;
        }
    }
    for (unsigned h = 0; h < 2; h++)
        p->result[h] = p->inst[p->result[h]].scratch;
    for (unsigned i = 0; i < p->ninst; i++)
        p->inst[i].scratch = 0;
    return changed;
}

enum { BUCKETS = 64 };
_Static_assert(FRAGPROG_TEXENV_INSTS < 256, "numbers of instructions are bytes");

/* Returns the first four bytes of a source: file, modifiers and index. */
static uint32_t head(const struct fragprog_src *src)
{
    uint32_t word;
    memcpy(&word, src, sizeof word);
    return word;
}
_Static_assert(offsetof(struct fragprog_src, index) == 2, "what is compared comes first");

/* Returns a cheap hash. Equal instructions have equal hashes. A source whose first lane is a literal is left
 * out, since equal literals can be written in several ways. */
static uint32_t signature(const struct fragprog_inst *inst)
{
    if (fragprog_op_is_lookup(inst->op))
        return inst->texture;
    const bool own = fragprog_op_reads_own(inst->op);
    const unsigned first = fragprog_first_lane(inst->mask), args = fragprog_op_args(inst->op);
    uint32_t sum = inst->op | (uint32_t)inst->mask << 8;
    for (unsigned s = 0; s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        const unsigned lane = own ? first : fragprog_first_lane(fragprog_lanes_read(inst, s));
        /* added, so that the order of commutative arguments does not matter */
        if (src->lane[lane] <= FRAGPROG_W)
            sum += head(src) * UINT32_C(0x9E3779B1);
    }
    return sum;
}

/* Replaces all uses of value i with the equal, earlier value j. */
static void merge(struct fragprog *p, struct fragprog_ranges *r, unsigned i, unsigned j)
{
    add_channels(p, i, j);
    for (unsigned k = i + 1; k < p->ninst; k++)
        for (unsigned s = 0, args = fragprog_op_args(p->inst[k].op); s < args; s++)
            if (p->inst[k].src[s].file == FRAGPROG_VALUE && p->inst[k].src[s].index == i)
                p->inst[k].src[s].index = (uint16_t)j;
    for (unsigned h = 0; h < 2; h++)
        if (p->result[h] == i)
            p->result[h] = (uint16_t)j;
    if (!r->uses[j]) { /* j was dead */
        fragprog_count_uses(r, p);
        return;
    }
    r->uses[j] += r->uses[i];
    r->uses[i] = 0;
    fragprog_drop_uses(r, p, &p->inst[i]);
}

bool fragprog_opt_cse(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges *r = opt->ranges;
    bool changed = false;
    if (p->unbounded)
        return by_table(p, opt);
    uint32_t sign[FRAGPROG_TEXENV_INSTS];
    uint8_t first[BUCKETS] = {0}, next[FRAGPROG_TEXENV_INSTS]; /* elements are indices + 1, or 0 */
    for (unsigned i = 0; i < p->ninst; i++) {
        sign[i] = signature(&p->inst[i]);
        uint8_t *const bucket = &first[(sign[i] ^ sign[i] >> 24) % BUCKETS];
        unsigned j = *bucket;
        while (j && !(sign[j - 1] == sign[i] && same_instruction(&p->inst[i], &p->inst[j - 1])))
            j = next[j - 1];
        if (!j) {
            next[i] = *bucket;
            *bucket = (uint8_t)(i + 1);
        } else if (r->uses[i]) {
            fragprog_fired(opt, "cse", p->inst[i].unit);
            merge(p, r, i, j - 1);
            changed = true;
        }
    }
    return changed;
}
