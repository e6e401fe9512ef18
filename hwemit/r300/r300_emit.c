/* Operations for polynomials: one instruction where one form matches, else two by splitting, else more. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

static void too_long(struct chooser *c, int unit)
{
    if (!c->failed)
        hwemit_refuse(c->why, unit, "alu", "a shorter program",
                      "the program needs more than %d ALU instructions", (int)c->p->chip->alu);
    c->failed = true;
}

uint16_t hwemit_r300_new_vreg(struct chooser *c, unsigned kind, unsigned part)
{
    struct program *p = c->p;
    if (p->nvregs == MAX_VREGS) {
        too_long(c, -1);
        return 0;
    }
    p->vreg[p->nvregs] = (struct vreg){.kind = (uint8_t)kind, .part = (uint8_t)part, .low = 0, .high = 1};
    return p->nvregs++;
}

struct op *hwemit_r300_new_op(struct chooser *c, const struct target *t, unsigned code)
{
    struct program *p = c->p;
    if (p->nops == MAX_OPS) {
        too_long(c, t->unit);
        return NULL;
    }
    struct op *op = &p->op[p->nops++];
    *op = (struct op){.op = (uint8_t)code,
                      .where = t->half == ALPHA ? AT_ALPHA : AT_RGB,
                      .mask = t->mask,
                      .clamp = t->clamp,
                      .unit = t->unit,
                      .result = {NONE, NONE},
                      .form = p->nforms,
                      .pair = NONE};
    if (t->out)
        op->out[t->half] = true;
    return op;
}

struct form *hwemit_r300_new_form(struct chooser *c, struct op *op)
{
    struct program *p = c->p;
    if (p->nforms == MAX_POOL) {
        too_long(c, op->unit);
        return NULL;
    }
    p->forms[p->nforms] = (struct form){NO_PRESUB};
    op->nforms++;
    return &p->forms[p->nforms++];
}

static bool replicated(const struct leaf *leaf)
{
    return leaf->lane[0] == leaf->lane[1] && leaf->lane[1] == leaf->lane[2];
}

bool hwemit_r300_uniform(const struct chooser *c, const struct leaf *leaf)
{
    if (replicated(leaf))
        return true;
    return leaf->file == FILE_VREG && c->p->vreg[leaf->index].uniform;
}

void hwemit_r300_leaf_range(const struct chooser *c, const struct leaf *leaf, float *low, float *high)
{
    *low = 0;
    *high = 1;
    if (leaf->file == FILE_VREG) {
        *low = c->p->vreg[leaf->index].low;
        *high = c->p->vreg[leaf->index].high;
    } else if (leaf->file == FILE_CONST) {
        const struct fragprog_const *k = &c->ir->konst[leaf->index];
        for (unsigned i = 0; i < 4; i++)
            if (k->origin[i].unit < 0) {
                *low = k->value[i] < *low ? k->value[i] : *low;
                *high = k->value[i] > *high ? k->value[i] : *high;
            }
    }
}

unsigned hwemit_r300_add_leaf(struct leaf *leaves, unsigned *n, const struct leaf *leaf)
{
    for (unsigned i = 0; i < *n; i++)
        if (leaves[i].file == leaf->file && leaves[i].index == leaf->index &&
            memcmp(leaves[i].lane, leaf->lane, 3) == 0)
            return i + 1;
    if (*n == MAX_LEAVES)
        return 0;
    leaves[*n] = *leaf;
    return ++*n;
}

/* Leaves that do not occur go; the others move up. */
static void compact(struct quad *q, struct leaf *leaf, unsigned *nleaves)
{
    unsigned n = 0, from[QUAD_LEAVES + 1] = {0};
    for (unsigned i = 1; i <= *nleaves; i++)
        if (hwemit_r300_quad_has(q, i)) {
            leaf[n++] = leaf[i - 1];
            from[n] = i;
        }
    struct quad moved = {{0}};
    for (unsigned j = 0; j <= n; j++)
        for (unsigned i = 0; i <= j; i++)
            moved.c[quad_term(i, j)] = q->c[quad_term(from[i], from[j])];
    *q = moved;
    *nleaves = n;
}

/* A presubtract of two leaves wants both in one part, and a part has three sources. Where every form may fail
 * by that, uniform leaves go where their readers here say. */
void hwemit_r300_pin(struct chooser *c, const struct op *op)
{
    struct program *p = c->p;
    unsigned pinned = 0;
    for (unsigned i = 0; i < op->nforms; i++) {
        const struct form *f = &p->forms[op->form + i];
        unsigned here = 0;
        for (unsigned k = 0; k < 2; k++)
            for (unsigned s = 0; f->pre[k].op != PRE_NONE && s < 2; s++)
                if (f->pre[1].op != PRE_NONE ||
                    (f->pre[k].arg[s] >= ARG_LEAF && f->pre[k].arg[1 - s] >= ARG_LEAF &&
                     f->pre[k].arg[0] != f->pre[k].arg[1]))
                    here |= f->pre[k].arg[s] >= ARG_LEAF ? 1u << (f->pre[k].arg[s] - ARG_LEAF) : 0;
        if (hwemit_r300_sources(f) > 3)
            here = ~0u;
        for (unsigned l = 0; l < 32; l++)
            if (l >= op->nleaves || op->leaf[l].file != FILE_VREG || !p->vreg[op->leaf[l].index].uniform)
                here &= ~(1u << l);
        if (!here)
            return;
        pinned |= here;
    }
    for (unsigned l = 0; l < op->nleaves; l++)
        if (pinned >> l & 1 && p->op[p->vreg[op->leaf[l].index].source].where == AT_EITHER)
            p->op[p->vreg[op->leaf[l].index].source].where = op->leaf[l].lane[0] == 3 ? AT_ALPHA : AT_RGB;
}

unsigned hwemit_r300_cost(struct chooser *c, const struct quad *q, const struct leaf *leaf, unsigned nleaves,
                          bool rgb, unsigned limit)
{
    if (hwemit_r300_matches(q, leaf, nleaves, rgb, c->p->chip))
        return 1;
    return limit > 1 && hwemit_r300_splits(c, q, leaf, nleaves, rgb, 1, 1)->n ? 2 : 3;
}

/* One step that always works: a term taken off, or made one with factor 1. */
static void peel(const struct quad *q, unsigned nleaves, struct quad *t, struct quad *rest)
{
    const struct quad new_leaf = hwemit_r300_quad_affine(1, nleaves + 1, 0);
    for (unsigned j = 1; j <= nleaves; j++)
        for (unsigned i = 0; i <= j; i++) {
            float c = q->c[quad_term(i, j)];
            if (c == 0)
                continue;
            if (i == 0 || c == 1 || c == -1) {
                *t = *q;
                t->c[quad_term(i, j)] = 0;
                *rest = new_leaf;
                rest->c[quad_term(i, j)] += c;
            } else {
                *t = hwemit_r300_quad_affine(c, i, 0);
                *rest = *q;
                rest->c[quad_term(i, j)] = 0;
                rest->c[quad_term(j, nleaves + 1)] += 1;
            }
            return;
        }
}

/* A uniform leaf of which it is already known in which part it lies is read there. */
void hwemit_r300_settle(const struct chooser *c, struct leaf *leaf, bool rgb)
{
    if (leaf->file != FILE_VREG || !c->p->vreg[leaf->index].uniform)
        return;
    const unsigned where = c->p->op[c->p->vreg[leaf->index].source].where;
    for (unsigned i = 0; where != AT_EITHER && i < 3; i++)
        leaf->lane[i] = where == AT_ALPHA ? 3 : rgb ? (uint8_t)i : 0;
}

void hwemit_r300_settle_clamp(struct quad *q, unsigned clamp, float low, float high)
{
    if (clamp == FRAGPROG_SAT && (low >= 1 || high <= 0))
        *q = hwemit_r300_quad_affine(0, 0, low >= 1 ? 1 : 0);
}

static const struct known *find_known(const struct chooser *c, const struct quad *q, const struct leaf *leaf,
                                      unsigned nleaves)
{
    for (unsigned i = 0; i < c->nknown; i++) {
        const struct known *k = &c->known[i];
        if (k->nleaves == nleaves && memcmp(k->leaf, leaf, nleaves * sizeof *leaf) == 0 &&
            hwemit_r300_quad_equal(&k->q, q))
            return k;
    }
    return NULL;
}

static const struct matched *match(struct chooser *c, const struct quad *q, const struct leaf *leaf,
                                   unsigned nleaves, bool rgb)
{
    const struct chip *chip = c->p->chip;
    for (unsigned i = 0; i < KEPT_FORMS && i < c->nmatched; i++) {
        const struct matched *m = &c->matched[i];
        if (m->nleaves == nleaves && m->rgb == rgb && m->thorough == chip->thorough &&
            m->packs == chip->packs && memcmp(m->leaf, leaf, nleaves * sizeof *leaf) == 0 &&
            hwemit_r300_quad_equal(&m->q, q))
            return m;
    }
    struct matched *m = &c->matched[c->nmatched++ % KEPT_FORMS];
    m->q = *q;
    memcpy(m->leaf, leaf, nleaves * sizeof *leaf);
    m->nleaves = (uint8_t)nleaves;
    m->rgb = rgb;
    m->thorough = chip->thorough;
    m->packs = chip->packs;
    hwemit_r300_match(m->form, &m->n, q, leaf, nleaves, rgb, chip);
    return m;
}

/* apart: by two instructions, though one would do. */
static uint16_t emit(struct chooser *c, const struct target *target, const struct quad *wanted,
                     const struct leaf *wanted_leaf, unsigned wanted_n, bool apart)
{
    struct program *p = c->p;
    struct quad q = *wanted;
    struct leaf leaf[MAX_LEAVES];
    unsigned nleaves = wanted_n;
    const bool rgb = target->half == RGB;
    hwemit_r300_spend(p->chip, 40);
    memcpy(leaf, wanted_leaf, nleaves * sizeof *leaf);
    compact(&q, leaf, &nleaves);
    for (unsigned i = 0; i < nleaves; i++)
        hwemit_r300_settle(c, &leaf[i], rgb);

    float low[MAX_LEAVES + 1] = {0}, high[MAX_LEAVES + 1] = {0}, least, most;
    for (unsigned i = 0; i < nleaves; i++)
        hwemit_r300_leaf_range(c, &leaf[i], &low[i + 1], &high[i + 1]);
    hwemit_r300_quad_range(&q, low, high, &least, &most);
    hwemit_r300_settle_clamp(&q, target->clamp, least, most);
    compact(&q, leaf, &nleaves);

    bool uniform = !target->fixed && (!rgb || target->mask == 7);
    for (unsigned i = 0; i < nleaves; i++)
        uniform &= hwemit_r300_uniform(c, &leaf[i]);
    const bool shared = uniform && target->vreg == NONE && !target->out && !target->clamp;
    const struct known *known = shared ? find_known(c, &q, leaf, nleaves) : NULL;
    if (known)
        return known->vreg;
    uint16_t vreg = target->vreg != NONE ? target->vreg : hwemit_r300_new_vreg(c, V_OP, target->half);
    if (c->failed)
        return 0;

    const struct matched *m = match(c, &q, leaf, nleaves, rgb);
    unsigned nforms = apart ? 0 : m->n;
    if (nforms) {
        struct op *op = hwemit_r300_new_op(c, target, OP_MAD);
        if (!op)
            return 0;
        if (p->nops > FUSED) /* long programs: one form each */
            nforms = 1;
        for (unsigned i = 0; i < nforms; i++) {
            struct form *f = hwemit_r300_new_form(c, op);
            if (!f)
                return 0;
            *f = m->form[i];
        }
        memcpy(op->leaf, leaf, nleaves * sizeof *leaf);
        op->nleaves = (uint8_t)nleaves;
        op->result[target->half] = vreg;
        struct vreg *v = &p->vreg[vreg];
        if (target->clamp) {
            least = least < 0 ? 0 : least > 1 ? 1 : least;
            most = most < 0 ? 0 : most > 1 ? 1 : most;
        }
        v->low = v->writers && v->low < least ? v->low : least;
        v->high = v->writers && v->high > most ? v->high : most;
        v->writers++;
        if (uniform && !target->out) {
            op->where = !p->pinned ? AT_EITHER : rgb ? AT_RGB : AT_ALPHA;
            op->result[0] = vreg;
            op->result[1] = NONE;
            v->uniform = true;
            v->source = (uint16_t)(op - p->op);
            if (shared && c->nknown < MAX_KNOWN) {
                struct known *k = &c->known[c->nknown++];
                *k = (struct known){.q = q, .nleaves = (uint8_t)nleaves, .vreg = vreg};
                memcpy(k->leaf, leaf, nleaves * sizeof *leaf);
            }
        }
        hwemit_r300_pin(c, op);
        return vreg;
    }

    struct quad first, rest;
    struct leaf as = {.file = FILE_VREG, .index = NONE, .lane = {0, 1, 2}}; /* how the rest reads the first */
    if (!rgb)
        memset(as.lane, 3, 3);
    const unsigned variety = p->variety[target->half];
    const struct splits *s = hwemit_r300_splits(c, &q, leaf, nleaves, rgb, 1, variety + 1);
    if (s->n)
        p->varied[target->half] |= s->n > variety;
    else if (!hwemit_r300_spent(p->chip))
        s = hwemit_r300_splits(c, &q, leaf, nleaves, rgb, 2, 1);
    if (s->n) {
        const unsigned k = s->level == 2 ? 0 : variety < s->n ? variety : s->n - 1u;
        first = s->way[k].t;
        rest = s->way[k].rest;
        as = s->way[k].as;
    } else if (nleaves == MAX_LEAVES) {
        too_long(c, target->unit);
        return 0;
    } else
        peel(&q, nleaves, &first, &rest);
    p->nsplit++;
    const bool scalar = as.lane[0] == 3; /* it is the same in all channels, and may lie in either part */
    const struct target inner = {.vreg = NONE,
                                 .half = target->half,
                                 .mask = !rgb ? 1
                                     : scalar ? 7
                                              : target->mask,
                                 .unit = target->unit};
    const uint16_t t = emit(c, &inner, &first, leaf, nleaves, false);
    if (c->failed)
        return 0;
    as.index = t;
    leaf[nleaves++] = as;
    struct target last = *target;
    last.vreg = vreg;
    return emit(c, &last, &rest, leaf, nleaves, false);
}

uint16_t hwemit_r300_emit_quad(struct chooser *c, const struct target *target, const struct quad *q,
                               const struct leaf *leaf, unsigned nleaves)
{
    return emit(c, target, q, leaf, nleaves, ++c->npolynomials == c->p->apart);
}
