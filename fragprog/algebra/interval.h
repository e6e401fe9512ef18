/* Interval arithmetic: bounds of sums, products and clamps. Internal to the library. It is exact, because all
 * bounds are dyadic fractions with few bits. */
#ifndef FRAGPROG_ALGEBRA_INTERVAL_H
#define FRAGPROG_ALGEBRA_INTERVAL_H

struct fragprog_interval {
    double lo, hi;
};

static inline struct fragprog_interval fragprog_point(double x) { return (struct fragprog_interval){x, x}; }

static inline struct fragprog_interval fragprog_interval_sum(struct fragprog_interval a,
                                                             struct fragprog_interval b)
{
    return (struct fragprog_interval){a.lo + b.lo, a.hi + b.hi};
}

/* Returns the range of m*x + t for x in a. */
static inline struct fragprog_interval fragprog_interval_affine(double m, struct fragprog_interval a,
                                                                double t)
{
    return m < 0 ? (struct fragprog_interval){m * a.hi + t, m * a.lo + t}
                 : (struct fragprog_interval){m * a.lo + t, m * a.hi + t};
}

/* Returns the smallest interval that contains a and b. */
static inline struct fragprog_interval fragprog_hull(struct fragprog_interval a, struct fragprog_interval b)
{
    return (struct fragprog_interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static inline struct fragprog_interval fragprog_interval_product(struct fragprog_interval a,
                                                                 struct fragprog_interval b)
{
    if (a.lo >= 0 && b.lo >= 0)
        return (struct fragprog_interval){a.lo * b.lo, a.hi * b.hi};
    return fragprog_hull(fragprog_hull(fragprog_point(a.lo * b.lo), fragprog_point(a.lo * b.hi)),
                         fragprog_hull(fragprog_point(a.hi * b.lo), fragprog_point(a.hi * b.hi)));
}

static inline struct fragprog_interval fragprog_interval_clamp(struct fragprog_interval a, double lo,
                                                               double hi)
{
    return (struct fragprog_interval){a.lo < lo       ? lo
                                          : a.lo > hi ? hi
                                                      : a.lo,
                                      a.hi < lo       ? lo
                                          : a.hi > hi ? hi
                                                      : a.hi};
}

#endif
