/* Two instructions become one, or one a cheaper one, by what they compute: the polynomial of an instruction with the value that it alone reads put in,
 * matched against what one instruction can say. Covers what rows of rules.def cannot: sources that occur in both. */
#include "fragprog/operand.h"
#include "fragprog/opt.h"
#include "fragprog/poly.h"

#include <string.h>

enum { NO_VALUE = 0xffff, VARS = FRAGPROG_POLY_VARS };

/* Sources by name: the same in every lane that the instruction has. */
struct names {
    unsigned n, lanes;
    struct fragprog_src src[VARS]; /* without modifiers */
};

static bool name_source(struct names *names, const struct fragprog_src *src, struct fragprog_poly *out)
{
    double value;
    if (fragprog_literal_value(src, names->lanes, &value)) {
        *out = fragprog_poly_constant(value);
        return true;
    }
    if (src->mods & FRAGPROG_ABS || src->negate & names->lanes)
        return false;
    struct fragprog_affine a = fragprog_affine_of(src->mods);
    struct fragprog_src plain = *src;
    plain.mods = 0;
    unsigned v = 0;
    while (v < names->n && !fragprog_same_source(&names->src[v], &plain, names->lanes))
        v++;
    if (v == names->n) {
        if (v == VARS)
            return false;
        names->src[names->n++] = plain;
    }
    *out = fragprog_poly_constant(a.t);
    out->c[fragprog_poly_var[v]] = a.m;
    return true;
}

/* The polynomial of inst, scale included; what it reads of value j is *x (NULL: nothing special). through: the source by which another reads inst (NULL: none). */
static bool expand(struct names *names, const struct fragprog_inst *inst, const struct fragprog_src *through, unsigned j, const struct fragprog_poly *x, struct fragprog_poly *out)
{
    struct fragprog_poly v[3];
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        struct fragprog_src src = through ? fragprog_through(through, &inst->src[s]) : inst->src[s];
        if (x && src.file == FRAGPROG_VALUE && src.index == j) {
            struct fragprog_affine a = fragprog_affine_of(src.mods);
            struct fragprog_poly t = fragprog_poly_constant(a.t);
            if (src.mods & FRAGPROG_ABS || src.negate & names->lanes)
                return false;
            v[s] = fragprog_poly_sum(a.m, x, 1, &t);
        } else if (!name_source(names, &src, &v[s])) {
            return false;
        }
    }
    if (!fragprog_poly_apply(inst->op, v, out))
        return false;
    *out = fragprog_poly_sum(fragprog_power(inst->scale), out, 0, out);
    return true;
}

/* ---- one instruction for a polynomial ---- */

/* Constant, linear and quadratic part. */
struct quadratic {
    unsigned n;
    double c, l[VARS], q[VARS][VARS]; /* q[v][w] for v <= w */
};

static bool as_quadratic(struct quadratic *f, const struct fragprog_poly *p, unsigned n)
{
    struct fragprog_poly rest = *p;
    memset(f, 0, sizeof *f);
    f->n = n;
    f->c = p->c[0];
    rest.c[0] = 0;
    for (unsigned v = 0; v < n; v++) {
        f->l[v] = p->c[fragprog_poly_var[v]];
        rest.c[fragprog_poly_var[v]] = 0;
        for (unsigned w = v; w < n; w++) {
            unsigned at = fragprog_poly_var[v] + fragprog_poly_var[w];
            f->q[v][w] = p->c[at];
            rest.c[at] = 0;
        }
    }
    for (unsigned i = 0; i < FRAGPROG_POLY_TERMS; i++)
        if (rest.c[i] != 0)
            return false;
    return true;
}

static unsigned linear_vars(const struct quadratic *f, unsigned *first, unsigned *second)
{
    unsigned n = 0;
    for (unsigned v = 0; v < f->n; v++)
        if (f->l[v] != 0) {
            *(n == 0 ? first : second) = v;
            n++;
        }
    return n;
}

/* The source m*x_v + t; a literal if m is 0. */
static bool say(const struct names *names, unsigned v, double m, double t, struct fragprog_src *out)
{
    if (m == 0)
        return fragprog_literal_source(out, t);
    int mods = fragprog_mods_of((struct fragprog_affine){m, t});
    if (mods < 0)
        return false;
    *out = names->src[v];
    out->mods = (uint8_t)mods;
    return true;
}

static bool say_linear(const struct names *names, const struct quadratic *f, struct fragprog_src *out)
{
    unsigned v = 0, w = 0, n = linear_vars(f, &v, &w);
    return n <= 1 && say(names, v, n ? f->l[v] : 0, f->c, out);
}

/* What modifiers can make of a source: every set of COMP, BIAS, 2X and NEG. */
enum { MAPS = 12 };
static const struct fragprog_affine maps[MAPS] = {{1, 0}, {1, -0.5}, {1, -1}, {-1, 1}, {-1, 0.5}, {-1, 0}, {2, 0}, {2, -1}, {2, -2}, {-2, 2}, {-2, 1}, {-2, 0}};

static bool try_sum(const struct names *names, const struct quadratic *f, struct fragprog_inst *out)
{
    unsigned v = 0, w = 0, n = linear_vars(f, &v, &w);
    if (n <= 1 && say_linear(names, f, &out->src[0])) {
        out->op = FRAGPROG_MOV;
        return true;
    }
    if (n == 0 || n > 2)
        return false;
    if (n == 1)
        w = v; /* x twice */
    for (unsigned k = 0; k < MAPS; k++) {
        struct fragprog_affine a = maps[k];
        double m = n == 1 ? f->l[v] - a.m : f->l[w];
        if (n == 2 && a.m != f->l[v])
            continue;
        if (say(names, v, a.m, a.t, &out->src[0]) && say(names, w, m, f->c - a.t, &out->src[1])) {
            out->op = FRAGPROG_ADD;
            return true;
        }
    }
    return false;
}

/* A*L + C with a literal L: what a sum of two modified sources cannot say, such as 4*x + y. */
static bool try_multiple(const struct names *names, const struct quadratic *f, struct fragprog_inst *out)
{
    static const double literal[] = {2, -2, 0.5, -0.5};
    for (unsigned v = 0; v < f->n; v++)
        for (unsigned k = 0; k < MAPS && f->l[v] != 0; k++)
            for (unsigned n = 0; n < sizeof literal / sizeof *literal; n++) {
                struct quadratic rest = *f;
                rest.l[v] -= literal[n] * maps[k].m;
                rest.c -= literal[n] * maps[k].t;
                if (say(names, v, maps[k].m, maps[k].t, &out->src[0]) && say_linear(names, &rest, &out->src[2])) {
                    out->op = FRAGPROG_MAD;
                    return fragprog_literal_source(&out->src[1], literal[n]);
                }
            }
    return false;
}

/* A*B + C: exactly one quadratic monomial. */
static bool try_product(const struct names *names, const struct quadratic *f, unsigned v, unsigned w, struct fragprog_inst *out)
{
    for (unsigned i = 0; i < MAPS; i++)
        for (unsigned k = 0; k < MAPS; k++) {
            struct fragprog_affine a = maps[i], b = maps[k];
            if (a.m * b.m != f->q[v][w])
                continue;
            struct quadratic rest = *f;
            rest.c -= a.t * b.t;
            rest.l[v] -= a.m * b.t;
            rest.l[w] -= b.m * a.t;
            if (!say(names, v, a.m, a.t, &out->src[0]) || !say(names, w, b.m, b.t, &out->src[1]))
                continue;
            unsigned x, y;
            if (linear_vars(&rest, &x, &y) == 0 && rest.c == 0) {
                out->op = FRAGPROG_MUL;
                return true;
            }
            if (say_linear(names, &rest, &out->src[2])) {
                out->op = FRAGPROG_MAD;
                return true;
            }
        }
    return false;
}

/* f*A + (1-f)*B with f = x_v: B is guessed, then A = (F - B + x_v*B) / x_v. complement: f = 1 - x_v, where A and B change places. */
static bool try_lerp(const struct names *names, const struct quadratic *f, unsigned v, bool complement, struct fragprog_inst *out)
{
    for (unsigned x = 0; x < f->n; x++)
        for (unsigned y = x; y < f->n; y++)
            if (f->q[x][y] != 0 && x != v && y != v)
                return false;
    for (unsigned w = 0; w <= f->n; w++) /* the variable of B; n: none, a literal */
        for (unsigned k = 0; k < MAPS; k++) {
            static const double literal[] = {0, 1, 0.5, -0.5, -1, 2, -2};
            struct fragprog_affine b = w < f->n ? maps[k] : (struct fragprog_affine){0, k < sizeof literal / sizeof *literal ? literal[k] : 0};
            struct quadratic r = *f;
            r.c -= b.t;
            if (w < f->n)
                r.l[w] -= b.m;
            r.l[v] += b.t;
            if (w < f->n)
                r.q[v < w ? v : w][v < w ? w : v] += b.m;
            /* r = x_v * A: nothing without x_v, and A linear in one variable */
            struct quadratic a = {.n = f->n, .c = r.l[v]};
            bool divides = r.c == 0;
            for (unsigned x = 0; x < f->n; x++) {
                divides &= x == v || r.l[x] == 0;
                for (unsigned y = x; y < f->n; y++) {
                    if (x == v || y == v)
                        a.l[x == v ? y : x] = r.q[x][y];
                    else
                        divides &= r.q[x][y] == 0;
                }
            }
            unsigned fa = complement ? 2 : 1, fb = complement ? 1 : 2;
            if (divides && say_linear(names, &a, &out->src[fa]) && say(names, w < f->n ? w : 0, b.m, b.t, &out->src[fb]) &&
                say(names, v, complement ? -1 : 1, complement ? 1 : 0, &out->src[0])) {
                out->op = FRAGPROG_LERP;
                return true;
            }
            if (w == f->n && k + 1 >= sizeof literal / sizeof *literal)
                break;
        }
    return false;
}

static bool factor_is_unit(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct fragprog_inst *lerp)
{
    for (unsigned lane = 0; lane < 4; lane++)
        if (lerp->mask & 1u << lane) {
            struct fragprog_interval x = fragprog_src_range(ranges, p, &lerp->src[0], lane);
            if (x.lo < 0 || x.hi > 1)
                return false;
        }
    return true;
}

static void scale_quadratic(struct quadratic *f, const struct quadratic *g, double by)
{
    f->n = g->n;
    f->c = g->c * by;
    for (unsigned x = 0; x < g->n; x++) {
        f->l[x] = g->l[x] * by;
        for (unsigned y = x; y < g->n; y++)
            f->q[x][y] = g->q[x][y] * by;
    }
}

/* Slopes are 1 or 2 with a sign: their products and differences are whole numbers up to 4, sums of them and of literals multiples of 1/2 up to 16. */
static bool is_sayable(const struct quadratic *f)
{
    for (unsigned x = 0; x < f->n; x++) {
        if (f->l[x] * 2 != (int)(f->l[x] * 2) || f->l[x] > 16 || f->l[x] < -16)
            return false;
        for (unsigned y = x; y < f->n; y++)
            if (f->q[x][y] != (int)f->q[x][y] || f->q[x][y] > 4 || f->q[x][y] < -4)
                return false;
    }
    return true;
}

static bool find_instruction(const struct fragprog *p, const struct fragprog_ranges *ranges, const struct names *names, const struct fragprog_poly *poly, struct fragprog_inst *out)
{
    static const int8_t scales[] = {0, 1, 2, 3, -1, -2, -3};
    const struct fragprog_inst like = *out;
    struct quadratic unscaled, f;
    unsigned monomials = 0, v = 0, w = 0;
    if (!as_quadratic(&unscaled, poly, names->n))
        return false;
    for (unsigned x = 0; x < names->n; x++)
        for (unsigned y = x; y < names->n; y++)
            if (unscaled.q[x][y] != 0)
                monomials++, v = x, w = y;
    if (monomials > 2)
        return false;
    for (unsigned n = 0; n < sizeof scales; n++) {
        scale_quadratic(&f, &unscaled, fragprog_power(-scales[n]));
        if (!is_sayable(&f))
            continue;
        for (unsigned attempt = 0; attempt < 2 + 2 * f.n; attempt++) {
            *out = like;
            memset(out->src, 0, sizeof out->src);
            out->scale = scales[n];
            bool found = attempt == 0   ? monomials == 0 && (try_sum(names, &f, out) || try_multiple(names, &f, out))
                         : attempt == 1 ? monomials == 1 && try_product(names, &f, v, w, out)
                                        : monomials > 0 && try_lerp(names, &f, (attempt - 2) / 2, attempt % 2, out);
            if (found && out->op == FRAGPROG_MOV)
                memset(&out->src[1], 0, 2 * sizeof out->src[1]);
            if (found && (out->op == FRAGPROG_ADD || out->op == FRAGPROG_MUL))
                memset(&out->src[2], 0, sizeof out->src[2]);
            if (found && (out->op != FRAGPROG_LERP || factor_is_unit(p, ranges, out)) && fragprog_acceptable(p, ranges, out))
                return true;
        }
    }
    return false;
}

/* ---- the pass ---- */

/* What an instruction costs where the number of instructions is the same. */
static unsigned rank(unsigned op) { return op == FRAGPROG_MOV ? 0 : op == FRAGPROG_ADD || op == FRAGPROG_SUB || op == FRAGPROG_MUL ? 1 : 2; }

static bool readable(const struct fragprog_inst *inst) { return inst->op >= FRAGPROG_MOV && inst->op <= FRAGPROG_LERP && !fragprog_op_is_dot(inst->op); }

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
    if (!readable(inner) || fragprog_uses(p, j) != reads || inner->clamp == FRAGPROG_SAT8)
        return false;
    /* First what the two compute together, which is rarely one instruction; then whether the clamp between them may go, which costs more to know. */
    struct names names = {.lanes = inst->mask};
    struct fragprog_poly x, f;
    for (unsigned lane = 0; lane < 4; lane++)
        if (inst->mask & 1u << lane && through->lane[lane] > FRAGPROG_W)
            return false;
    *out = *inst;
    if (!expand(&names, inner, through, NO_VALUE, NULL, &x) || !expand(&names, inst, NULL, j, &x, &f) || !find_instruction(p, ranges, &names, &f, out))
        return false;
    for (unsigned lane = 0; lane < 4; lane++)
        if (inst->mask & 1u << lane) {
            unsigned c = through->lane[lane];
            struct fragprog_interval raw = ranges->raw[j][c];
            bool acts = inner->clamp == FRAGPROG_SAT ? raw.lo < 0 || raw.hi > 1 : raw.lo < -8 || raw.hi > 8;
            if (acts && (inner->clamp != FRAGPROG_SAT || !fragprog_poly_both_droppable(ranges, p, j, inst, lane)))
                return false;
        }
    return true;
}

/* The instruction by itself, if a cheaper one says the same. */
static bool cheapen(const struct fragprog *p, const struct fragprog_ranges *ranges, unsigned i, struct fragprog_inst *out)
{
    struct names names = {.lanes = p->inst[i].mask};
    struct fragprog_poly f;
    *out = p->inst[i];
    return fragprog_reads_twice(out) && expand(&names, &p->inst[i], NULL, NO_VALUE, NULL, &f) && find_instruction(p, ranges, &names, &f, out) && rank(out->op) < rank(p->inst[i].op);
}

bool fragprog_opt_window(struct fragprog *p, const struct fragprog_opt *opt)
{
    struct fragprog_ranges own, *ranges = fragprog_ranges_of(opt, &own);
    bool changed = false;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct fragprog_inst out;
        bool found = false;
        fragprog_find_range(ranges, p, i);
        if (!readable(&p->inst[i]))
            continue;
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op) && !found; s++)
            found = p->inst[i].src[s].file == FRAGPROG_VALUE && merge(p, ranges, i, p->inst[i].src[s].index, &out);
        if (found)
            fragprog_fired(opt, "window", p->inst[i].unit);
        else if ((found = cheapen(p, ranges, i, &out)))
            fragprog_fired(opt, "cheapen", p->inst[i].unit);
        if (!found)
            continue;
        p->inst[i] = out;
        fragprog_find_range(ranges, p, i);
        changed = true;
    }
    return changed;
}
