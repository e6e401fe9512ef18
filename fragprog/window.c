/* Two instructions become one, or one a cheaper one, by what they compute: the polynomial of an instruction with the value that it alone reads put in,
 * matched against what one instruction can say. Covers what rows of rules.def cannot: sources that occur in both. */
#include "fragprog/operand.h"
#include "fragprog/opt.h"
#include "fragprog/poly.h"
#include "fragprog/say.h"
#include "fragprog/window.h"

enum { NO_VALUE = 0xffff };

/* What an instruction costs where the number of instructions is the same. */
static unsigned rank(unsigned op) { return op == FRAGPROG_MOV ? 0 : op == FRAGPROG_ADD || op == FRAGPROG_SUB || op == FRAGPROG_MUL ? 1 : 2; }

/* The clamp of value j acts in the channel that lane `lane` of src reads. */
static bool acts(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned j, const struct fragprog_src *src, unsigned lane)
{
    const struct fragprog_interval raw = ranges->raw[j][src->lane[lane]];
    return p->inst[j].clamp == FRAGPROG_SAT ? raw.lo < 0 || raw.hi > 1 : raw.lo < -8 || raw.hi > 8;
}

/* The instruction that alone reads value i; NULL: there is none. *read: a source by which it does. */
static const struct fragprog_inst *only_reader(const struct fragprog *p, unsigned i, const struct fragprog_src **read)
{
    const struct fragprog_inst *reader = NULL;
    if (p->result[0] == i || p->result[1] == i)
        return NULL;
    for (unsigned k = i + 1; k < p->ninst; k++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[k].op); s++)
            if (p->inst[k].src[s].file == FRAGPROG_VALUE && p->inst[k].src[s].index == i) {
                if (reader && reader != &p->inst[k])
                    return NULL;
                reader = &p->inst[k];
                *read = &p->inst[k].src[s];
            }
    return reader && fragprog_is_polynomial(reader) ? reader : NULL;
}

bool fragprog_clamp_may_go(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, unsigned j, const struct fragprog_src *through, unsigned reads)
{
    const struct fragprog_inst *inst = &p->inst[i], *last;
    const struct fragprog_src *read = NULL;
    bool may = true;
    for (unsigned lane = 0; lane < 4 && may; lane++)
        if (inst->mask & 1u << lane && acts(p, ranges, j, through, lane) && !fragprog_as_lane_before(p, ranges, inst, &p->inst[j], lane))
            may = p->inst[j].clamp == FRAGPROG_SAT && fragprog_poly_both_droppable(ranges, p, j, i, NULL, lane);
    if (may || p->inst[j].clamp != FRAGPROG_SAT)
        return may;
    if (reads == 1 && fragprog_clamp_droppable(ranges, p, j, inst, (unsigned)(through - inst->src)))
        return true;
    if ((last = only_reader(p, i, &read)) == NULL)
        return false;
    for (unsigned lane = 0; lane < 4; lane++)
        if (last->mask & 1u << lane) {
            const unsigned c = read->lane[lane];
            if (c > FRAGPROG_W || !(inst->mask & 1u << c))
                return false;
            if (c == lane && fragprog_as_lane_before(p, ranges, inst, &p->inst[j], lane) && fragprog_as_lane_before(p, ranges, last, last, lane))
                continue;
            if (acts(p, ranges, j, through, c) && !fragprog_poly_both_droppable(ranges, p, j, i, last, lane))
                return false;
        }
    return true;
}

/* Value j, read by instruction i alone, put into it. */
static bool merge(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, unsigned j, struct fragprog_inst *out)
{
    const struct fragprog_inst *inst = &p->inst[i], *inner = &p->inst[j];
    const struct fragprog_src *through = NULL;
    unsigned reads = 0;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE && inst->src[s].index == j) {
            struct fragprog_src a = inst->src[s], b = through ? *through : a;
            a.mods = b.mods = 0;
            if (!fragprog_same_source(&a, &b, inst->mask))
                return false;
            through = &inst->src[s];
            reads++;
        }
    if (!fragprog_is_polynomial(inner) || fragprog_uses(p, j) != reads || inner->clamp == FRAGPROG_SAT8)
        return false;
    /* First what the two compute together, which is rarely one instruction; then whether the clamp between them may go, which costs more to know. */
    struct fragprog_vars vars = {.lanes = inst->mask};
    struct fragprog_quadratic x, f;
    for (unsigned lane = 0; lane < 4; lane++)
        if (inst->mask & 1u << lane && through->lane[lane] > FRAGPROG_W)
            return false;
    *out = *inst;
    if (!fragprog_expand(&vars, inner, through, NO_VALUE, NULL, &x) || !fragprog_expand(&vars, inst, NULL, j, &x, &f) || !fragprog_say(p, ranges, &vars, &f, out))
        return false;
    return fragprog_clamp_may_go(p, ranges, i, j, through, reads);
}

/* The instruction by itself, if a cheaper one says the same. */
static bool cheapen(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, struct fragprog_inst *out)
{
    struct fragprog_vars vars = {.lanes = p->inst[i].mask};
    struct fragprog_quadratic f;
    *out = p->inst[i];
    return fragprog_reads_twice(out) && fragprog_expand(&vars, &p->inst[i], NULL, NO_VALUE, NULL, &f) && fragprog_say(p, ranges, &vars, &f, out) &&
           rank(out->op) < rank(p->inst[i].op);
}

bool fragprog_opt_window(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges own, *ranges = fragprog_ranges_of(opt, &own);
    bool changed = false;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst out;
        bool found = false;
        fragprog_find_range(ranges, p, i);
        if (!fragprog_is_polynomial(&p->inst[i]) || fragprog_is_settled(ranges, p, FRAGPROG_WINDOW, i))
            continue;
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op) && !found; s++)
            found = p->inst[i].src[s].file == FRAGPROG_VALUE && merge(p, ranges, i, p->inst[i].src[s].index, &out);
        if (found)
            fragprog_fired(opt, "window", p->inst[i].unit);
        else if ((found = cheapen(p, ranges, i, &out)))
            fragprog_fired(opt, "cheapen", p->inst[i].unit);
        if (!found) {
            fragprog_settle(ranges, FRAGPROG_WINDOW, i);
            continue;
        }
        p->inst[i] = out;
        fragprog_find_range(ranges, p, i);
        changed = true;
    }
    return changed;
}
