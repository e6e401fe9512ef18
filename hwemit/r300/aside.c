/* A source taken aside: where the ports of two halves collide, an operation more, in a half that would do nothing, can make 1 - x, x - 1/2 or 1 - 2x; what reads x then reads that and
 * has its presubtract, or an address of the other part, free. */
#include "hwemit/r300/choose.h"

#include <string.h>

/* t = factor*x + offset */
static const struct { float factor, offset; } kinds[ALL_ASIDE_KINDS] = {{-1, 1}, {1, -0.5f}, {-2, 1}, {-2, 2}, {-2, 4}, {-1, 2}};

/* What does not change from try to try: inputs, texels and constants, by their numbers there. */
static bool identify(const struct chooser *c, struct aside *a, const struct leaf *leaf)
{
    *a = (struct aside){.file = leaf->file, .index = leaf->index, .alpha = leaf->lane[0] == 3};
    if (leaf->file == FILE_VREG) {
        const struct vreg *v = &c->p->vreg[leaf->index];
        a->vreg_kind = v->kind;
        a->index = v->source;
        return v->kind != V_OP;
    }
    return true;
}

static bool same(const struct aside *a, const struct aside *b) { return a->file == b->file && a->vreg_kind == b->vreg_kind && a->index == b->index && a->alpha == b->alpha; }

void hwemit_r300_note_leaves(struct chooser *c, const struct leaf *leaf, unsigned nleaves, unsigned half)
{
    struct aside a;
    for (unsigned i = 0; i < nleaves; i++) {
        if (!identify(c, &a, &leaf[i]))
            continue;
        unsigned k = 0;
        while (k < c->nasides && !same(&c->asides[k], &a))
            k++;
        if (k == MAX_ASIDES)
            continue;
        if (k == c->nasides) {
            c->asides[c->nasides++] = a;
            c->asides[k].halves = 0;
        }
        c->asides[k].halves |= (uint8_t)(1u << half);
    }
}

/* q with x = (t - offset) / factor in place of leaf number n. */
static void substitute(struct quad *q, unsigned n, float factor, float offset)
{
    const float g = 1 / factor, h = -offset / factor, square = q->c[quad_term(n, n)];
    q->c[0] += q->c[quad_term(0, n)] * h + square * h * h;
    for (unsigned j = 1; j <= QUAD_LEAVES; j++)
        if (j != n) {
            q->c[quad_term(0, j)] += q->c[quad_term(n, j)] * h;
            q->c[quad_term(n, j)] *= g;
        }
    q->c[quad_term(0, n)] = q->c[quad_term(0, n)] * g + 2 * square * g * h;
    q->c[quad_term(n, n)] = square * g * g;
}

void hwemit_r300_take_aside(struct chooser *c, const struct target *target, struct quad *q, struct leaf *leaf, unsigned nleaves)
{
    const struct aside *wanted = &c->p->aside;
    struct aside a;
    c->taken.vreg = NONE;
    for (unsigned i = 0; i < nleaves && !c->aside && wanted->halves >> target->half & 1; i++) {
        if (!identify(c, &a, &leaf[i]) || !same(&a, wanted))
            continue;
        const bool replicated = target->half == ALPHA || (leaf[i].lane[0] == leaf[i].lane[1] && leaf[i].lane[1] == leaf[i].lane[2]);
        const struct target t = {.vreg = NONE, .half = target->half, .mask = target->half == ALPHA ? 1 : replicated ? 7 : target->mask, .unit = target->unit};
        const struct quad value = hwemit_r300_quad_affine(kinds[wanted->kind].factor, 1, kinds[wanted->kind].offset);
        c->aside = true;
        const uint16_t v = hwemit_r300_emit_quad(c, &t, &value, &leaf[i], 1);
        c->aside = false;
        if (c->failed)
            return;
        substitute(q, i + 1, kinds[wanted->kind].factor, kinds[wanted->kind].offset);
        if (c->p->chip->splitting == SPLIT_ALL)
            c->taken = (struct taken){v, kinds[wanted->kind].factor, kinds[wanted->kind].offset, leaf[i]};
        leaf[i] = (struct leaf){.file = FILE_VREG, .index = v, .lane = {0, 1, 2}};
        if (replicated)
            memset(leaf[i].lane, 3, 3);
        hwemit_r300_settle(c, &leaf[i], target->half == RGB);
    }
}

void hwemit_r300_give_back(const struct taken *taken, struct quad *q, struct leaf *leaf, unsigned nleaves)
{
    for (unsigned i = 0; i < nleaves && taken->vreg != NONE; i++)
        if (leaf[i].file == FILE_VREG && leaf[i].index == taken->vreg) {
            substitute(q, i + 1, 1 / taken->factor, -taken->offset / taken->factor);
            leaf[i] = taken->x;
        }
}
