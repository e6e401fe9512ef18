/* Expresses a polynomial as one instruction: finds an operation, scale and modifiers that compute it. */
#include "fragprog/opt/say.h"
#include "fragprog/operand.h"

#include <string.h>

enum { VARS = FRAGPROG_SOURCES, TERMS = (VARS + 1) * (VARS + 2) / 2 };

/* A polynomial of degree 2. Variables are numbered from 0: c[0] is the constant, c[1 + v] the coefficient of
 * variable v, c[square(v, w)] that of v*w. */
typedef struct {
    double c[TERMS];
} quadratic;

/* The index of the product of two variables, numbered from 1; variable 0 is the number 1. */
static const uint8_t term[VARS + 1][VARS + 1] = {
    {0, 1, 2, 3, 4}, {1, 5, 6, 7, 8}, {2, 6, 9, 10, 11}, {3, 7, 10, 12, 13}, {4, 8, 11, 13, 14}};

static unsigned square(unsigned v, unsigned w) { return term[1 + v][1 + w]; }

/* Converts a polynomial. Returns false if its degree is higher than 2. */
static bool make_quadratic(quadratic *out, const struct fragprog_poly *f)
{
    memset(out, 0, sizeof *out);
    for (unsigned i = 0; i < f->n; i++) {
        if (f->m[i] << 16)
            return false;
        out->c[term[f->m[i] >> 56][f->m[i] >> 48 & 0xff]] = (double)f->c[i];
    }
    return true;
}

/* Returns the number of variables with a linear term; *first and *second are the first two. */
static unsigned linear_vars(const quadratic *f, unsigned *first, unsigned *second)
{
    unsigned n = 0;
    for (unsigned v = 0; v < VARS; v++)
        if (f->c[1 + v] != 0) {
            *(n == 0 ? first : second) = v;
            n++;
        }
    return n;
}

/* Makes *out the operand m*x_v + t, which is a literal if m is 0. Returns false if there is no such
 * operand. */
static bool say_source(const struct fragprog_sources *vars, unsigned v, double m, double t,
                       struct fragprog_src *out)
{
    if (m == 0)
        return fragprog_literal_source(out, t);
    int mods = fragprog_mods_of((struct fragprog_affine){m, t});
    if (mods < 0)
        return false;
    *out = vars->src[v];
    out->mods = (uint8_t)mods;
    return true;
}

#define maps fragprog_maps
enum { MAPS = FRAGPROG_MAPS, MAPS_OF_SLOPE = 3 };
const struct fragprog_affine fragprog_maps[MAPS] = {{1, 0}, {1, -0.5}, {1, -1}, {-1, 1}, {-1, 0.5}, {-1, 0},
                                                    {2, 0}, {2, -1},   {2, -2}, {-2, 2}, {-2, 1},   {-2, 0}};

static bool try_sum(const struct fragprog_sources *vars, const quadratic *f, struct fragprog_inst *out)
{
    unsigned v = 0, w = 0, n = linear_vars(f, &v, &w);
    if (n <= 1 && say_source(vars, v, n ? f->c[1 + v] : 0, f->c[0], &out->src[0])) {
        out->op = FRAGPROG_MOV;
        return true;
    }
    if (n == 0 || n > 2)
        return false;
    if (n == 1)
        w = v; /* x + x */
    for (unsigned k = 0; k < MAPS; k++) {
        struct fragprog_affine a = maps[k];
        double m = n == 1 ? f->c[1 + v] - a.m : f->c[1 + w];
        if (n == 2 && a.m != f->c[1 + v])
            continue;
        if (say_source(vars, w, m, f->c[0] - a.t, &out->src[1]) &&
            say_source(vars, v, a.m, a.t, &out->src[0])) {
            out->op = FRAGPROG_ADD;
            return true;
        }
    }
    return false;
}

/* Tries A*L + C with a literal L, for polynomials such as 4*x + y that are not the sum of two operands. */
static bool try_multiple(const struct fragprog_sources *vars, const quadratic *f, struct fragprog_inst *out)
{
    static const double literal[] = {2, -2, 0.5, -0.5};
    unsigned first = 0, second = 0, linear = linear_vars(f, &first, &second);
    if (linear == 0 || linear > 2)
        return false;
    for (unsigned turn = 0; turn < linear; turn++) {
        const unsigned v = turn ? second : first, w = linear == 1 ? v : first + second - v;
        for (unsigned k = 0; k < MAPS; k++) {
            /* C must supply the part of the coefficient of x_v that A*L does not have. It must be 0 if C has
             * another variable, and otherwise a slope that modifiers can express. Few literals satisfy
             * this. */
            for (unsigned n = 0; n < sizeof literal / sizeof *literal; n++) {
                const double left = f->c[1 + v] - literal[n] * maps[k].m;
                if (linear == 2 ? left != 0 : left > 2 || left < -2)
                    continue;
                if (say_source(vars, w, linear == 2 ? f->c[1 + w] : left, f->c[0] - literal[n] * maps[k].t,
                               &out->src[2]) &&
                    say_source(vars, v, maps[k].m, maps[k].t, &out->src[0])) {
                    out->op = FRAGPROG_MAD;
                    return fragprog_literal_source(&out->src[1], literal[n]);
                }
            }
        }
    }
    return false;
}

/* Properties of a polynomial that do not depend on its scale. Sets of variables are bit masks. */
struct shape {
    unsigned nproducts, v, w; /* number of quadratic terms, and the variables of one of them */
    unsigned alone;           /* variables with a linear term */
    bool is_product;          /* the polynomial may be A*B + C */
    unsigned weights;         /* variables v such that the polynomial may be v*A + (1-v)*B */
};

static bool is_one(unsigned set) { return (set & (set - 1)) == 0; }

/* Returns the single variable of a set, or `none` if the set is empty. */
static unsigned only_of(unsigned set, unsigned none)
{
    return set == 0 ? none : set & 1 ? 0 : set & 2 ? 1 : set & 4 ? 2 : 3;
}

/* Returns true if modifiers can express the slope. */
static bool is_slope(double m) { return m * m == 1 || m * m == 4; }

/* Tries A*B + C, for a polynomial with exactly one quadratic term. */
static bool try_product(const struct fragprog_sources *vars, const quadratic *f, const struct shape *shape,
                        struct fragprog_inst *out)
{
    /* other: the variable of C if it occurs neither in A nor in B */
    const unsigned v = shape->v, w = shape->w, other = only_of(shape->alone & ~(1u << v | 1u << w), VARS);
    const double of_square = f->c[square(v, w)];
    for (unsigned i = 0, from = MAPS; i < MAPS; i++) {
        const struct fragprog_affine a = maps[i];
        const double slope = of_square / a.m; /* slope of B */
        if (i % MAPS_OF_SLOPE == 0)
            from = slope == 1 ? 0
                : slope == -1 ? MAPS_OF_SLOPE
                : slope == 2  ? 2 * MAPS_OF_SLOPE
                : slope == -2 ? 3 * MAPS_OF_SLOPE
                              : MAPS;
        if (from == MAPS)
            continue;
        const double of_w = v == w ? 0 : f->c[1 + w] - slope * a.t; /* linear term that C must supply */
        if (of_w != 0 && (other != VARS || !is_slope(of_w)))
            continue;
        for (unsigned k = from; k < from + MAPS_OF_SLOPE; k++) {
            const struct fragprog_affine b = maps[k];
            const double of_v = f->c[1 + v] - a.m * b.t - (v == w ? b.m * a.t : 0), t = f->c[0] - a.t * b.t;
            if (of_v != 0 && (of_w != 0 || other != VARS || !is_slope(of_v)))
                continue;
            const bool product = of_v == 0 && of_w == 0 && other == VARS && t == 0;
            const unsigned x = of_v != 0 ? v : of_w != 0 ? w : other;
            const double of_x = of_v != 0 ? of_v : of_w != 0 ? of_w : x == VARS ? 0 : f->c[1 + x];
            if ((!product && !say_source(vars, x, of_x, t, &out->src[2])) ||
                !say_source(vars, v, a.m, a.t, &out->src[0]) || !say_source(vars, w, b.m, b.t, &out->src[1]))
                continue;
            out->op = product ? FRAGPROG_MUL : FRAGPROG_MAD;
            return true;
        }
    }
    return false;
}

/* Returns the variables other than w that are multiplied with x_v. */
static unsigned factors_of(const struct fragprog_sources *vars, const quadratic *f, unsigned v, unsigned w)
{
    unsigned set = 0;
    for (unsigned x = 0; x < vars->n; x++)
        if (x != w && f->c[square(v, x)] != 0)
            set |= 1u << x;
    return set;
}

/* Tries f*A + (1-f)*B with f = x_v, which occurs in all quadratic terms: B is the polynomial F at x_v = 0,
 * and A = (F - B + x_v*B) / x_v. (f = 1 - x_v is the same with A and B exchanged.) */
static bool try_lerp(const struct fragprog_sources *vars, const quadratic *f, const struct shape *shape,
                     unsigned v, struct fragprog_inst *out)
{
    static const double literal[] = {0, 1, 0.5, -0.5, -1, 2, -2};
    enum { LITERALS = sizeof literal / sizeof *literal };
    if (f->c[0] > 2 || f->c[0] < -2 || f->c[0] * 2 != (int)(f->c[0] * 2))
        return false; /* the offset of B must be a multiple of 1/2 */
    /* w: the variable of B, or v; other: a variable that only A has. */
    const unsigned w = only_of(shape->alone & ~(1u << v), v),
                   other = only_of(factors_of(vars, f, v, w), VARS);
    /* B is m*x_w + t. If B has no variable but x_v, several B with offset t are possible, literals
     * included. */
    for (unsigned k = 0; k < MAPS + LITERALS; k++) {
        const struct fragprog_affine b = k < MAPS ? maps[k] : (struct fragprog_affine){0, literal[k - MAPS]};
        if (b.t != f->c[0] || (w != v && b.m != f->c[1 + w]))
            continue;
        const double of_w = f->c[square(v, w)] + b.m, t = f->c[1 + v] + b.t - (w == v ? b.m : 0);
        if (of_w != 0 && other != VARS)
            continue;
        const unsigned x = of_w != 0 ? w : other;
        const double of_x = of_w != 0 ? of_w : x == VARS ? 0 : f->c[square(v, x)];
        if (say_source(vars, x, of_x, t, &out->src[1]) && say_source(vars, w, b.m, b.t, &out->src[2]) &&
            say_source(vars, v, 1, 0, &out->src[0])) {
            out->op = FRAGPROG_LERP;
            return true;
        }
    }
    return false;
}

/* Returns true if A and B of a LERP with weight x_v have at most one variable each. */
static bool may_be_weight(const struct fragprog_sources *vars, const quadratic *f, const struct shape *shape,
                          unsigned v)
{
    const unsigned others = shape->alone & ~(1u << v);
    return is_one(others) && is_one(factors_of(vars, f, v, only_of(others, v)));
}

static bool factor_is_unit(const struct fragprog *p, const struct fragprog_ranges *ranges,
                           const struct fragprog_inst *lerp)
{
    for (unsigned lane = 0; lane < 4; lane++)
        if (lerp->mask & 1u << lane) {
            struct fragprog_interval x = fragprog_src_range(ranges, p, &lerp->src[0], lane);
            if (x.lo < 0 || x.hi > 1)
                return false;
        }
    return true;
}

/* Determines the shape. Returns false if no instruction can compute the polynomial. */
static bool find_shape(const struct fragprog_sources *vars, const quadratic *f, struct shape *shape)
{
    unsigned multiplied = 0, common = 15, used = 0;
    *shape = (struct shape){.nproducts = 0};
    for (unsigned x = 0; x < vars->n; x++) {
        shape->alone |= f->c[1 + x] != 0 ? 1u << x : 0;
        for (unsigned y = x; y < vars->n; y++)
            if (f->c[square(x, y)] != 0) {
                shape->nproducts++, shape->v = x, shape->w = y;
                multiplied |= 1u << x | 1u << y;
                common &= 1u << x | 1u << y;
            }
    }
    for (unsigned set = shape->alone | multiplied; set; set &= set - 1)
        used++;
    if (shape->nproducts > 2 || used > (shape->nproducts ? 3 : 2))
        return false;
    shape->is_product = shape->nproducts == 1 && is_one(shape->alone & ~(1u << shape->v | 1u << shape->w));
    for (unsigned v = 0; shape->nproducts && v < vars->n; v++)
        if (common >> v & 1 && may_be_weight(vars, f, shape, v))
            shape->weights |= 1u << v;
    return !shape->nproducts || shape->is_product || shape->weights;
}

/* Tries one kind of operation: 0 a sum, 1 a product, 2 + v a LERP with variable v as its weight. */
static bool try_kind(const struct fragprog_sources *vars, const quadratic *f, const struct shape *shape,
                     unsigned kind, struct fragprog_inst *out)
{
    memset(out->src, 0, sizeof out->src);
    const bool found = kind == 0 ? try_sum(vars, f, out) || try_multiple(vars, f, out)
        : kind == 1              ? try_product(vars, f, shape, out)
                                 : try_lerp(vars, f, shape, kind - 2, out);
    if (found) /* clears unused sources, which a failed attempt may have set */
        memset(&out->src[fragprog_op_args(out->op)], 0, (3 - fragprog_op_args(out->op)) * sizeof out->src[0]);
    return found;
}

bool fragprog_say(const struct fragprog *p, const struct fragprog_ranges *ranges,
                  const struct fragprog_sources *vars, const struct fragprog_poly *wanted,
                  struct fragprog_inst *out)
{
    static const int8_t scales[] = {0, 1, 2, 3, -1, -2, -3};
    const struct fragprog_inst like = *out;
    struct shape shape;
    quadratic f, scaled;
    if (!make_quadratic(&f, wanted) || !find_shape(vars, &f, &shape))
        return false;
    const unsigned kinds = (shape.nproducts == 0) | shape.is_product << 1 | shape.weights << 2;
    for (unsigned n = 0; n < sizeof scales; n++) {
        const double by = fragprog_power(-scales[n]);
        for (unsigned i = 0; i < TERMS; i++)
            scaled.c[i] = by * f.c[i];
        for (unsigned kind = 0; kinds >> kind; kind++) {
            if (!(kinds >> kind & 1))
                continue;
            *out = like;
            out->scale = scales[n];
            if (try_kind(vars, &scaled, &shape, kind, out) &&
                (out->op != FRAGPROG_LERP || factor_is_unit(p, ranges, out)) &&
                fragprog_acceptable(p, ranges, out))
                return true;
        }
    }
    return false;
}
