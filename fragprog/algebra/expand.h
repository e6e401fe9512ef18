/* Instructions as polynomials in the sources that they read. Internal to fragprog. */
#ifndef FRAGPROG_ALGEBRA_EXPAND_H
#define FRAGPROG_ALGEBRA_EXPAND_H

#include "fragprog/algebra/bernstein.h"
#include "fragprog/algebra/range.h"

enum { FRAGPROG_SOURCES = 4 };

/* The sources that polynomials are about: variable v + 1 is src[v], without modifiers, the same in every lane
 * of `lanes` (bits). */
struct fragprog_sources {
    const struct fragprog *p;
    unsigned n, lanes;
    struct fragprog_src src[FRAGPROG_SOURCES];
    /* NULL, or: a source that can only be one number is that number, and box[v + 1] is the range of src[v] in
     * the first lane. */
    const struct fragprog_ranges *ranges;
    struct fragprog_interval box[FRAGPROG_SOURCES + 1];
};

/* It reads a literal in none of these lanes. */
static inline bool fragprog_is_variable(const struct fragprog_src *src, unsigned lanes)
{
    return !(fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE);
}

/* None yet. */
static inline void fragprog_no_sources(struct fragprog_sources *sources, const struct fragprog *p,
                                       unsigned lanes)
{
    sources->p = p;
    sources->n = 0;
    sources->lanes = lanes;
    sources->ranges = NULL;
}

/* m*x + t, x variable v; v and m are 0 where it is the number t. */
struct fragprog_linear {
    unsigned v;
    double m, t;
};
/* A source, which becomes one of `sources`. False: there are too many, or it is not of this form. */
bool fragprog_expand_source(struct fragprog_sources *sources, const struct fragprog_src *src,
                            struct fragprog_linear *out);

/* The result of inst with its scale, without its clamp; what it reads of value j is *x (NULL: as any other).
 * through: the source by which another instruction reads inst (NULL: none). False: no polynomial of so few
 * sources. */
bool fragprog_expand(struct fragprog_sources *sources, const struct fragprog_inst *inst,
                     const struct fragprog_src *through, unsigned j, const struct fragprog_poly *x,
                     struct fragprog_poly *out);

#endif
