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

/* Returns true if both instructions together read more distinct sources than one instruction can. */
static bool reads_too_much(const struct fragprog_inst *inst, const struct fragprog_inst *inner, unsigned j)
{
    const struct fragprog_src *read[6];
    unsigned n = 0;
    for (unsigned k = 0; k < 2; k++)
        for (unsigned s = 0; s < fragprog_op_args((k ? inner : inst)->op); s++) {
            const struct fragprog_src *src = &(k ? inner : inst)->src[s];
            if (!k && src->file == FRAGPROG_VALUE && src->index == j)
                continue;
            if (!fragprog_is_variable(src, 15))
                return false;
            for (unsigned m = 0; m < n; m++)
                if (read[m]->file == src->file && read[m]->index == src->index)
                    return false;
            read[n++] = src;
        }
    return n > 3;
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
    struct fragprog_degree2 x, f;
    if (!reads || (reads == 1 && reads_too_much(inst, inner, j)) || fragprog_is_cubic(inst, inner, j))
        return false;
    /* First test whether one instruction computes the combined polynomial, which is rare. The test whether
     * the clamp between the two is redundant is more expensive. */
    fragprog_no_sources(&vars, p, inst->mask);
    if (!fragprog_expand2(&vars, inner, through, NO_VALUE, NULL, &x) ||
        !fragprog_expand2(&vars, inst, NULL, j, &x, &f))
        return false;
    *out = *inst;
    return fragprog_say(p, ranges, &vars, &f, out) && fragprog_clamp_may_go(p, ranges, i, j, through, reads);
}

/* Returns true if an operand with modifiers (1-x, x-1/2 ...) can be 0 for this value of its source. */
static bool is_root(double x) { return x == 0 || x == 0.5 || x == 1; }

/* Returns a lower bound on the cost of an instruction that computes this polynomial. */
static unsigned least_rank(const struct fragprog_degree2 *f, unsigned nvars)
{
    unsigned alone = 0, products = 0, v = 0, w = 0;
    for (unsigned x = 1; x <= nvars; x++) {
        alone += f->c[x] != 0;
        for (unsigned y = 1; y <= x; y++)
            if (f->c[fragprog_term[x][y]] != 0)
                products++, v = x, w = y;
    }
    if (products == 0)
        return alone > 1;
    if (products > 1)
        return 2;
    /* tests for q*(v - x)*(w - y), where x and y are 0, 1/2 or 1; if v and w are the same variable, x and y
     * may differ */
    const double q = f->c[fragprog_term[v][w]], x = -f->c[w] / q, y = -f->c[v] / q;
    const bool is_product = v == w
        ? alone == (f->c[v] != 0)
        : is_root(x) && is_root(y) && f->c[0] == q * x * y && alone == (unsigned)(x != 0) + (y != 0);
    return is_product ? 1 : 2;
}

/* Replaces an instruction by a cheaper one that computes the same. */
static bool cheapen(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i,
                    struct fragprog_inst *out)
{
    struct fragprog_sources vars;
    struct fragprog_degree2 f;
    const unsigned now = rank(p->inst[i].op);
    if (!now || !fragprog_reads_twice(&p->inst[i]))
        return false;
    fragprog_no_sources(&vars, p, p->inst[i].mask);
    if (!fragprog_expand2(&vars, &p->inst[i], NULL, NO_VALUE, NULL, &f) || least_rank(&f, vars.n) >= now)
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
