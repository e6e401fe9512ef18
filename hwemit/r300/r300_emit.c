/* Emits operations that compute a polynomial: one operation if a form matches (r300_match.c), else two by a
 * split (r300_two.c), else one term at a time. */
#include "hwemit/r300/r300_choose.h"
#include "fragprog/algebra/derived.h"

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
        for (unsigned i = 0; i < 4; i++) {
            struct fragprog_interval x = {0, 1};
            if (k->origin[i].unit < 0)
                x = fragprog_point(k->value[i]);
            else if (k->origin[i].unit >= FRAGPROG_ORIGIN_DERIVED)
                x = fragprog_derived_range(k->origin[i].unit);
            *low = (float)x.lo < *low ? (float)x.lo : *low;
            *high = (float)x.hi > *high ? (float)x.hi : *high;
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

/* Removes sources that do not occur in q and renumbers the others. */
static void compact(struct fragprog_quad *q, struct leaf *leaf, unsigned *nleaves)
{
    unsigned n = 0, from[FRAGPROG_QUAD_LEAVES + 1] = {0}, used = 0;
    for (unsigned j = 1, term = 1; j <= *nleaves; j++)
        for (unsigned i = 0; i <= j; i++, term++)
            if (q->c[term] != 0)
                used |= 1u << i | 1u << j;
    for (unsigned i = 1; i <= *nleaves; i++)
        if (used >> i & 1) {
            leaf[n++] = leaf[i - 1];
            from[n] = i;
        }
    if (n == *nleaves)
        return;
    struct fragprog_quad moved = {{0}};
    for (unsigned j = 0; j <= n; j++)
        for (unsigned i = 0; i <= j; i++)
            moved.c[fragprog_quad_term(i, j)] = q->c[fragprog_quad_term(from[i], from[j])];
    *q = moved;
    *nleaves = n;
}

/* Scalar sources may be computed in either half, but a presubtract needs both sources in one part, and a part
 * has only three addresses. If every form of the operation may fail because of that, fixes scalar sources to
 * the half whose part the operation reads them from. */
void hwemit_r300_pin(struct chooser *c, struct op *op)
{
    struct program *p = c->p;
    unsigned pinned = 0, uniform = 0;
    for (unsigned l = 0; l < op->nleaves; l++)
        if (op->leaf[l].file == FILE_VREG && p->vreg[op->leaf[l].index].uniform)
            uniform |= 1u << l;
    if (!uniform)
        return;
    for (unsigned i = 0; i < hwemit_r300_forms(p, op, i); i++) {
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
        here &= uniform;
        if (!here)
            return;
        pinned |= here;
    }
    for (unsigned l = 0; l < op->nleaves; l++)
        if (pinned >> l & 1 && p->op[p->vreg[op->leaf[l].index].source].where == AT_EITHER)
            p->op[p->vreg[op->leaf[l].index].source].where = op->leaf[l].lane[0] == 3 ? AT_ALPHA : AT_RGB;
}

/* Splits q into t and `rest`, which adds one term to t. If that term is a product with a coefficient other
 * than 1 or -1, t is instead the coefficient times the product's first factor. This is possible for every q.
 */
static void peel(const struct fragprog_quad *q, unsigned nleaves, struct fragprog_quad *t,
                 struct fragprog_quad *rest)
{
    const struct fragprog_quad new_leaf = fragprog_quad_affine(1, nleaves + 1, 0);
    for (unsigned j = 1; j <= nleaves; j++)
        for (unsigned i = 0; i <= j; i++) {
            float c = q->c[fragprog_quad_term(i, j)];
            if (c == 0)
                continue;
            if (i == 0 || c == 1 || c == -1) {
                *t = *q;
                t->c[fragprog_quad_term(i, j)] = 0;
                *rest = new_leaf;
                rest->c[fragprog_quad_term(i, j)] += c;
            } else {
                *t = fragprog_quad_affine(c, i, 0);
                *rest = *q;
                rest->c[fragprog_quad_term(i, j)] = 0;
                rest->c[fragprog_quad_term(j, nleaves + 1)] += 1;
            }
            return;
        }
}

/* If it is known in which part a scalar source is computed, makes the source read that part. */
void hwemit_r300_settle(const struct chooser *c, struct leaf *leaf, bool rgb)
{
    if (leaf->file != FILE_VREG || !c->p->vreg[leaf->index].uniform)
        return;
    const unsigned where = c->p->op[c->p->vreg[leaf->index].source].where;
    for (unsigned i = 0; where != AT_EITHER && i < 3; i++)
        leaf->lane[i] = where == AT_ALPHA ? 3 : rgb ? (uint8_t)i : 0;
}

bool hwemit_r300_settle_clamp(struct fragprog_quad *q, unsigned clamp, float low, float high)
{
    const bool settled = clamp == FRAGPROG_SAT && (low >= 1 || high <= 0);
    if (settled)
        *q = fragprog_quad_affine(0, 0, low >= 1 ? 1 : 0);
    return settled;
}

static const struct known *find_known(const struct chooser *c, const struct fragprog_quad *q,
                                      const struct leaf *leaf, unsigned nleaves)
{
    for (unsigned i = 0; i < c->nknown; i++) {
        const struct known *k = &c->known[i];
        if (k->nleaves == nleaves && memcmp(k->leaf, leaf, nleaves * sizeof *leaf) == 0 &&
            fragprog_quad_equal(&k->q, q))
            return k;
    }
    return NULL;
}

static struct matched *find_matched(struct chooser *c, const struct fragprog_quad *q,
                                    const struct question *asked)
{
    const struct chip *chip = c->p->chip;
    for (unsigned i = 0; i < KEPT_FORMS && i < c->nmatched; i++) {
        struct matched *m = &c->matched[i];
        if (m->q.c[0] == q->c[0] && m->q.c[1] == q->c[1] && m->nleaves == asked->nleaves &&
            m->rgb == asked->rgb && m->thorough == chip->thorough && m->packs == chip->packs &&
            memcmp(m->leaf, asked->leaf, m->nleaves * sizeof *m->leaf) == 0 && fragprog_quad_equal(&m->q, q))
            return m;
    }
    return NULL;
}

static struct matched *keep_matched(struct chooser *c, const struct fragprog_quad *q,
                                    const struct question *asked)
{
    struct matched *m = &c->matched[c->nmatched++ % KEPT_FORMS];
    m->q = *q;
    memcpy(m->leaf, asked->leaf, sizeof m->leaf);
    m->nleaves = asked->nleaves;
    m->rgb = asked->rgb;
    m->thorough = c->p->chip->thorough;
    m->packs = c->p->chip->packs;
    m->n = 0;
    m->answer = (struct answer){.more = true};
    return m;
}

/* Returns the forms of q, from the cache or by matching: all of them if `all` is true, else at least the
 * first. */
static const struct matched *match(struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                                   unsigned nleaves, bool rgb, bool all)
{
    struct question question, colour;
    if (c->p->chip->hasty) { /* fast mode tries one variant only, so caching does not pay */
        struct matched *m = &c->matched[0];
        const struct asked asked = {.chip = c->p->chip, .rgb = rgb, .first = !all};
        m->n = hwemit_r300_match(m->form, q, leaf, nleaves, &asked, &m->answer);
        return m;
    }
    hwemit_r300_question(&question, leaf, nleaves, rgb);
    struct matched *m = hwemit_r300_of_colour(&colour, &question) ? find_matched(c, q, &colour) : NULL;
    if (!m || m->answer.sided || (m->answer.more && all)) {
        m = find_matched(c, q, &question);
        if (!m)
            m = keep_matched(c, q, &question);
    }
    const struct asked asked = {.chip = c->p->chip, .rgb = question.rgb, .first = !all};
    if (m->answer.more && (all || m->n == 0))
        m->n = hwemit_r300_match(m->form, q, question.leaf, nleaves, &asked, &m->answer);
    return m;
}

static void note_packing(const struct chip *chip, const struct matched *m)
{
    if (*chip->packing < m->answer.packing)
        *chip->packing = m->answer.packing;
}

unsigned hwemit_r300_cost(struct chooser *c, const struct fragprog_quad *q, const struct leaf *leaf,
                          unsigned nleaves, bool rgb, unsigned limit)
{
    const struct asked asked = {.chip = c->p->chip, .rgb = rgb};
    bool sided = false;
    if (hwemit_r300_matches(q, leaf, nleaves, &asked, &sided))
        return 1;
    return limit > 1 && hwemit_r300_splits(c, q, leaf, nleaves, rgb, 1)->n ? 2 : 3;
}

/* A polynomial that is being emitted, after simplification by known facts about its sources. */
struct wanted {
    struct fragprog_quad q;
    struct leaf leaf[MAX_LEAVES];
    unsigned nleaves;
    float least, most; /* range of its values */
    bool uniform;      /* equal in all channels */
    bool shared;       /* its result may be reused (struct known) */
};

static void find_range(const struct chooser *c, unsigned clamp, struct wanted *w)
{
    float low[MAX_LEAVES + 1] = {0}, high[MAX_LEAVES + 1] = {0};
    /* saves time: the optimiser has already replaced results that a clamp makes constant */
    if (c->p->chip->hasty && clamp == FRAGPROG_SAT) {
        w->least = 0;
        w->most = 1;
        return;
    }
    for (unsigned i = 0; i < w->nleaves; i++)
        hwemit_r300_leaf_range(c, &w->leaf[i], &low[i + 1], &high[i + 1]);
    fragprog_quad_range(&w->q, low, high, &w->least, &w->most);
}

static void prepare(struct chooser *c, const struct target *target, struct wanted *w)
{
    const bool rgb = target->half == RGB;
    compact(&w->q, w->leaf, &w->nleaves);
    for (unsigned i = 0; i < w->nleaves; i++)
        hwemit_r300_settle(c, &w->leaf[i], rgb);
    find_range(c, target->clamp, w);
    if (hwemit_r300_settle_clamp(&w->q, target->clamp, w->least, w->most))
        w->nleaves = 0;
    w->uniform = !target->fixed && (!rgb || target->mask == 7);
    for (unsigned i = 0; i < w->nleaves; i++)
        w->uniform &= hwemit_r300_uniform(c, &w->leaf[i]);
    w->shared = w->uniform && target->vreg == NONE && !target->out && !target->clamp;
}

/* Records the result register of op and its range. */
static void set_result(struct chooser *c, const struct target *target, const struct wanted *w, struct op *op,
                       uint16_t vreg)
{
    struct program *p = c->p;
    struct vreg *v = &p->vreg[vreg];
    const bool rgb = target->half == RGB;
    float least = w->least, most = w->most;
    op->result[target->half] = vreg;
    if (target->clamp) {
        least = least < 0 ? 0 : least > 1 ? 1 : least;
        most = most < 0 ? 0 : most > 1 ? 1 : most;
    }
    v->low = v->writers && v->low < least ? v->low : least;
    v->high = v->writers && v->high > most ? v->high : most;
    v->writers++;
    if (!w->uniform || target->out)
        return;
    op->where = !p->pinned ? AT_EITHER : rgb ? AT_RGB : AT_ALPHA;
    op->result[0] = vreg;
    op->result[1] = NONE;
    v->uniform = true;
    v->source = (uint16_t)(op - p->op);
    if (w->shared && c->nknown < MAX_KNOWN) {
        struct known *k = &c->known[c->nknown++];
        *k = (struct known){.q = w->q, .nleaves = (uint8_t)w->nleaves, .vreg = vreg};
        memcpy(k->leaf, w->leaf, w->nleaves * sizeof *w->leaf);
    }
}

static uint16_t emit_one(struct chooser *c, const struct target *target, const struct wanted *w,
                         const struct matched *m, uint16_t vreg)
{
    struct op *op = hwemit_r300_new_op(c, target, OP_MAD);
    if (!op)
        return 0;
    const unsigned number = c->p->nops;
    const unsigned nforms = number > FUSED ? 1 : m->n; /* only one form each in long programs */
    for (unsigned i = 0; i < nforms; i++) {
        struct form *f = hwemit_r300_new_form(c, op);
        if (!f)
            return 0;
        *f = m->form[i];
    }
    if (m->answer.more && number <= FUSED) {
        op->quad = (uint16_t)number;
        op->rgb = target->half == RGB;
        c->p->quad[number - 1] = w->q;
    }
    memcpy(op->leaf, w->leaf, w->nleaves * sizeof *w->leaf);
    op->nleaves = (uint8_t)w->nleaves;
    set_result(c, target, w, op, vreg);
    hwemit_r300_pin(c, op);
    return vreg;
}

static void all_of(struct program *p, struct op *op)
{
    const struct matched *m = match(p->chooser, &p->quad[op->quad - 1], op->leaf, op->nleaves, op->rgb, true);
    note_packing(p->chip, m);
    op->quad = 0;
    if (p->nforms + m->n > MAX_POOL)
        return; /* no room: keep only the first form */
    op->form = p->nforms;
    op->nforms = (uint8_t)m->n;
    memcpy(&p->forms[p->nforms], m->form, m->n * sizeof *m->form);
    p->nforms += m->n;
}

unsigned hwemit_r300_forms(struct program *p, struct op *op, unsigned i)
{
    if (i && op->quad)
        all_of(p, op);
    return op->nforms;
}

static uint16_t emit(struct chooser *c, const struct target *target, struct wanted *w, bool apart);

static uint16_t emit_two(struct chooser *c, const struct target *target, struct wanted *w, uint16_t vreg)
{
    struct program *p = c->p;
    const bool rgb = target->half == RGB;
    const unsigned variety = p->variety[target->half];
    struct split way = {.as = {.file = FILE_VREG, .index = NONE, .lane = {0, 1, 2}}};
    if (!rgb)
        memset(way.as.lane, 3, 3);
    const struct splits *s = hwemit_r300_splits(c, &w->q, w->leaf, w->nleaves, rgb, variety + 1);
    if (s->n) {
        p->varied[target->half] |= s->n > variety;
        way = s->way[variety < s->n ? variety : s->n - 1u];
        if (!rgb)
            memset(way.as.lane, 3, 3);
    } else if (w->nleaves == MAX_LEAVES) {
        too_long(c, target->unit);
        return 0;
    } else
        peel(&w->q, w->nleaves, &way.t, &way.rest);
    p->nsplit++;
    const bool scalar = way.as.lane[0] == 3; /* t is a scalar, which either half can compute */
    const struct target inner = {.vreg = NONE,
                                 .half = target->half,
                                 .mask = !rgb ? 1
                                     : scalar ? 7
                                              : target->mask,
                                 .unit = target->unit};
    struct wanted first = *w;
    first.q = way.t;
    way.as.index = emit(c, &inner, &first, false);
    if (c->failed)
        return 0;
    w->leaf[w->nleaves++] = way.as;
    struct target last = *target;
    last.vreg = vreg;
    w->q = way.rest;
    return emit(c, &last, w, false);
}

/* Emits w; with `apart`, by two instructions even if one would do. */
static uint16_t emit(struct chooser *c, const struct target *target, struct wanted *w, bool apart)
{
    hwemit_r300_spend(c->p->chip, 40);
    prepare(c, target, w);
    const struct known *known = w->shared ? find_known(c, &w->q, w->leaf, w->nleaves) : NULL;
    if (known)
        return known->vreg;
    const uint16_t vreg = target->vreg != NONE ? target->vreg : hwemit_r300_new_vreg(c, V_OP, target->half);
    if (c->failed)
        return 0;
    const struct matched *m = match(c, &w->q, w->leaf, w->nleaves, target->half == RGB, false);
    note_packing(c->p->chip, m);
    /* a constant cannot be split */
    return m->n && !(apart && w->nleaves) ? emit_one(c, target, w, m, vreg) : emit_two(c, target, w, vreg);
}

uint16_t hwemit_r300_emit_quad(struct chooser *c, const struct target *target, const struct fragprog_quad *q,
                               const struct leaf *leaf, unsigned nleaves)
{
    struct wanted w = {.q = *q, .nleaves = nleaves};
    memcpy(w.leaf, leaf, nleaves * sizeof *leaf);
    return emit(c, target, &w, ++c->npolynomials == c->p->apart);
}
