/* Pass "window": merges two instructions into one, or replaces one by a cheaper one. The polynomial of an
 * instruction (combined with that of an operand if the instruction is the operand's only reader) is matched
 * against the polynomials that one instruction can compute. Unlike rules.def, this handles sources that occur
 * in both instructions. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/say.h"

enum { NO_VALUE = 0xffff };

/* Returns the cost of an operation, which decides between programs of the same length. */
static unsigned rank(unsigned op)
{
    return op == FRAGPROG_MOV ? 0 : op == FRAGPROG_ADD || op == FRAGPROG_SUB || op == FRAGPROG_MUL ? 1 : 2;
}

/* Returns how often instruction i reads value j, and sets *through to one of the operands. Returns 0 if j has
 * other uses or cannot be substituted. */
static unsigned reads_alone(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i,
                            unsigned j, const struct fragprog_src **through)
{
    const struct fragprog_inst *inst = &p->inst[i], *inner = &p->inst[j];
    const unsigned args = fragprog_op_args(inst->op);
    unsigned reads = 0;
    if (ranges->uses[j] > args || !fragprog_is_polynomial(inner) || inner->clamp == FRAGPROG_SAT8)
        return 0;
    for (unsigned s = 0; s < args; s++) {
        const struct fragprog_src *src = &inst->src[s];
        if (src->file != FRAGPROG_VALUE || src->index != j)
            continue;
        if (reads &&
            ((src->negate ^ (*through)->negate) & inst->mask ||
             fragprog_lane_word(src->lane, inst->mask) != fragprog_lane_word((*through)->lane, inst->mask)))
            return 0;
        *through = src;
        reads++;
    }
    return reads == ranges->uses[j] && fragprog_is_variable(*through, inst->mask) ? reads : 0;
}

/* Merges instruction j into instruction i, the only reader of its value. */
static bool merge(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, unsigned j,
                  struct fragprog_inst *out)
{
    const struct fragprog_inst *inst = &p->inst[i], *inner = &p->inst[j];
    const struct fragprog_src *through = NULL;
    const unsigned reads = reads_alone(p, ranges, i, j, &through);
    struct fragprog_sources vars;
    struct fragprog_poly x, f;
    if (!reads)
        return false;
    /* First test whether one instruction computes the combined polynomial, which is rare. The test whether
     * the clamp between the two is redundant is more expensive. */
    fragprog_no_sources(&vars, p, inst->mask);
    if (!fragprog_expand(&vars, inner, through, NO_VALUE, NULL, &x) ||
        !fragprog_expand(&vars, inst, NULL, j, &x, &f))
        return false;
    *out = *inst;
    return fragprog_say(p, ranges, &vars, &f, out) && fragprog_clamp_may_go(p, ranges, i, j, through, reads);
}

/* Replaces an instruction by a cheaper one that computes the same. */
static bool cheapen(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i,
                    struct fragprog_inst *out)
{
    struct fragprog_sources vars;
    struct fragprog_poly f;
    const unsigned now = rank(p->inst[i].op);
    if (!now || !fragprog_reads_twice(&p->inst[i]))
        return false;
    fragprog_no_sources(&vars, p, p->inst[i].mask);
    if (!fragprog_expand(&vars, &p->inst[i], NULL, NO_VALUE, NULL, &f))
        return false;
    *out = p->inst[i];
    return fragprog_say(p, ranges, &vars, &f, out) && rank(out->op) < now;
}

bool fragprog_opt_window(struct fragprog *p, const struct fragprog_opt *opt, unsigned i)
{
    struct fragprog_inst out;
    bool found = false;
    if (!fragprog_is_polynomial(&p->inst[i]))
        return false;
    for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op) && !found; s++)
        found = p->inst[i].src[s].file == FRAGPROG_VALUE &&
            merge(p, opt->ranges, i, p->inst[i].src[s].index, &out);
    if (found)
        fragprog_fired(opt, "window", p->inst[i].unit);
    else if ((found = cheapen(p, opt->ranges, i, &out)))
        fragprog_fired(opt, "cheapen", p->inst[i].unit);
    if (found)
        fragprog_put(p, opt->ranges, i, &out);
    return found;
}
