/* The forms of one multiply-add for a wanted polynomial: 2^omod * (A*B + C), each of A, B, C a leaf, 0, 1/2, 1, a number, or the pair's presubtract value, with a sign
 * (facts: section 2). Wanted is q; so q * 2^-omod - A*B has to be something that C can be. */
#include "hwemit/r300/program.h"

#include <string.h>

enum { N = QUAD_LEAVES + 1 };

struct search {
    struct form *form;
    unsigned n;
    const struct leaf *leaf;
    unsigned nleaves;
    const struct chip *chip;
    bool rgb;
    bool numbers;          /* this round looks for forms with a number */
    struct quad q;         /* wanted, over the output modifier */
    int8_t omod;
    unsigned nquadratic, nlinear;
    uint8_t quadratic[QUAD_TERMS][2], linear[N];
    struct quad pre;       /* what the presubtract value is in the current try */
    const struct quad *pre2; /* the second one, or NULL: then C is it */
    float sign2;
    struct form base;      /* with the presubtract values */
};

bool hwemit_r300_native(const struct chip *chip, const uint8_t lane[3], unsigned mask)
{
    static const uint8_t selects[][3] = {{0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {1, 2, 0}, {2, 0, 1}, {3, 2, 1}};
    if (chip->generation == R500)
        return true;
    for (unsigned s = 0; s < sizeof selects / sizeof *selects; s++) {
        bool equal = true;
        for (unsigned c = 0; c < 3; c++)
            if (mask & 1u << c && lane[c] != selects[s][c])
                equal = false;
        if (equal)
            return true;
    }
    return false;
}

/* The presubtract value of two leaves is one source of its own: both lie in the same part, and r300 selects only some channels of it. */
static bool presubtracts(const struct search *s, unsigned a, unsigned b)
{
    const uint8_t *x = s->leaf[a - 1].lane, *y = s->leaf[b - 1].lane;
    if (!s->rgb)
        return x[0] == y[0];
    if (memcmp(x, y, 3) != 0)
        return false;
    return s->chip->generation == R500 || (x[0] == 0 && x[1] == 1 && x[2] == 2) || (x[0] == x[1] && x[1] == x[2]);
}

/* Sources that a form reads, each once: leaves by number, the number as one more. */
static unsigned sources_of(const struct form *f, uint8_t source[7])
{
    unsigned n = 0;
    for (unsigned a = 0; a < 7; a++) {
        const struct presub *pre = &f->pre[a >= 5];
        const uint8_t arg = a < 3 ? f->arg[a] : pre->op != PRE_NONE ? pre->arg[(a - 3) % 2] : (uint8_t)ARG_ZERO;
        bool again = arg != ARG_NUMBER && arg < ARG_LEAF;
        for (unsigned i = 0; i < n; i++)
            again |= source[i] == arg;
        if (!again)
            source[n++] = arg;
    }
    return n;
}

unsigned hwemit_r300_sources(const struct form *f)
{
    uint8_t source[7];
    return sources_of(f, source);
}

bool hwemit_r300_fits(const struct form *f, const struct leaf *leaf, bool rgb, const struct chip *chip)
{
    uint8_t source[7];
    struct leaf seen[2][7];
    unsigned n = sources_of(f, source), parts[2] = {0, 0}, constants = 0, anywhere = 0;
    for (unsigned p = 0; p < 2; p++) /* x + x takes two addresses */
        if (f->pre[p].op == PRE_ADD && f->pre[p].arg[0] == f->pre[p].arg[1]) {
            unsigned part = leaf[f->pre[p].arg[0] - ARG_LEAF].lane[0] == 3;
            seen[part][parts[part]++] = (struct leaf){.file = FILE_NONE};
        }
    if (!chip->part_presub && f->pre[1].op != PRE_NONE && f->pre[0].op != f->pre[1].op)
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (source[i] == ARG_NUMBER) {
            bool placed = false;
            constants++;
            for (unsigned p = 0; p < 2; p++) /* in a presubtract it must be in the part of the other source */
                for (unsigned s = 0; f->pre[p].op != PRE_NONE && s < 2; s++)
                    if (f->pre[p].arg[s] == ARG_NUMBER) {
                        unsigned part = leaf[f->pre[p].arg[1 - s] - ARG_LEAF].lane[0] == 3;
                        seen[part][parts[part]++] = (struct leaf){.file = FILE_NUMBER};
                        placed = true;
                    }
            anywhere += !placed;
            continue;
        }
        const struct leaf *l = &leaf[source[i] - ARG_LEAF];
        bool first = true;
        for (unsigned k = 0; k < i; k++)
            first &= source[k] == ARG_NUMBER || leaf[source[k] - ARG_LEAF].file != l->file || leaf[source[k] - ARG_LEAF].index != l->index;
        constants += first && l->file == FILE_CONST;
        for (unsigned part = 0; part < 2; part++) {
            bool reads = false, again = false;
            for (unsigned c = 0; c < (rgb ? 3u : 1u); c++)
                reads |= (l->lane[c] == 3) == part;
            for (unsigned k = 0; k < parts[part]; k++)
                again |= seen[part][k].file == l->file && seen[part][k].index == l->index;
            if (reads && !again)
                seen[part][parts[part]++] = *l;
        }
    }
    return constants <= chip->pair_consts && parts[RGB] <= 3 && parts[ALPHA] <= 3 && parts[RGB] + parts[ALPHA] + anywhere <= 6;
}

static void add(struct search *s, const struct form *f)
{
    bool number = false, pre[2] = {false, false};
    for (unsigned a = 0; a < 3; a++) {
        number |= f->arg[a] == ARG_NUMBER;
        pre[0] |= f->arg[a] == ARG_PRE;
        pre[1] |= f->arg[a] == ARG_PRE2;
    }
    for (unsigned p = 0; p < 2; p++) {
        number |= f->pre[p].op != PRE_NONE && (f->pre[p].arg[0] == ARG_NUMBER || f->pre[p].arg[1] == ARG_NUMBER);
        if (pre[p] != (f->pre[p].op != PRE_NONE))
            return;
    }
    if (number != s->numbers || s->n == MAX_FORMS || !hwemit_r300_fits(f, s->leaf, s->rgb, s->chip))
        return;
    s->form[s->n] = *f;
    s->form[s->n++].omod = s->omod;
}

/* A constant as an operand. A form has one number. */
static bool constant(struct form *f, unsigned arg, float value)
{
    float magnitude = value < 0 ? -value : value;
    f->mod[arg] = value < 0 ? MOD_NEG : 0;
    if (magnitude == 0 || magnitude == 0.5f || magnitude == 1) {
        f->arg[arg] = magnitude == 0 ? ARG_ZERO : magnitude == 1 ? ARG_ONE : ARG_HALF;
        return true;
    }
    if (f->number != 0 && f->number != magnitude)
        return false;
    f->number = magnitude;
    f->arg[arg] = ARG_NUMBER;
    return true;
}

/* The rest as operand C. */
static void finish(struct search *s, struct form f, const struct quad *rest)
{
    unsigned count = hwemit_r300_quad_count(rest);
    if (s->pre2) { /* it is C already */
        f.arg[2] = ARG_PRE2;
        f.mod[2] = s->sign2 < 0 ? MOD_NEG : 0;
        if (count == 0)
            add(s, &f);
        return;
    }
    if (count == 0 || (count == 1 && rest->c[0] != 0)) {
        if (constant(&f, 2, rest->c[0]))
            add(s, &f);
        return;
    }
    if (count == 1)
        for (unsigned i = 1; i <= s->nleaves; i++) {
            float c = rest->c[quad_term(0, i)];
            if (c == 1 || c == -1) {
                f.arg[2] = (uint8_t)(ARG_LEAF + i - 1);
                f.mod[2] = c < 0 ? MOD_NEG : 0;
                add(s, &f);
                return;
            }
        }
    if (f.pre[0].op == PRE_NONE)
        return;
    struct quad minus = hwemit_r300_quad_sum(-1, &s->pre, 0, &s->pre);
    bool equal = hwemit_r300_quad_equal(rest, &s->pre);
    if (equal || hwemit_r300_quad_equal(rest, &minus)) {
        f.arg[2] = ARG_PRE;
        f.mod[2] = equal ? 0 : MOD_NEG;
        add(s, &f);
    }
}

/* A product of two leaves, or of a leaf and a constant, that takes part of q; C is the rest, or the presubtract value where that must appear. */
static void plain(struct search *s, const struct form *base, const struct quad *q, bool c_is_pre)
{
    unsigned nquadratic = s->nquadratic;
    if (nquadratic > 1)
        return;
    if (nquadratic == 1) {
        unsigned i = s->quadratic[0][0], j = s->quadratic[0][1];
        float c = q->c[quad_term(i, j)];
        if (c != 1 && c != -1)
            return;
        struct form f = *base;
        f.arg[0] = (uint8_t)(ARG_LEAF + i - 1);
        f.arg[1] = (uint8_t)(ARG_LEAF + j - 1);
        f.mod[0] = c < 0 ? MOD_NEG : 0;
        f.mod[1] = 0;
        struct quad rest = *q;
        rest.c[quad_term(i, j)] = 0;
        if (c_is_pre && hwemit_r300_quad_count(&rest))
            return;
        if (c_is_pre)
            add(s, &f);
        else
            finish(s, f, &rest);
        return;
    }
    bool any = false;
    for (unsigned i = 1; i <= s->nleaves; i++) {
        float c = q->c[quad_term(0, i)];
        if (c == 0)
            continue;
        any = true;
        struct form f = *base;
        struct quad rest = *q;
        rest.c[quad_term(0, i)] = 0;
        if (!constant(&f, 1, c))
            continue;
        f.arg[0] = (uint8_t)(ARG_LEAF + i - 1);
        f.mod[0] = f.mod[1];
        f.mod[1] = 0;
        if (!c_is_pre)
            finish(s, f, &rest);
        else if (!hwemit_r300_quad_count(&rest))
            add(s, &f);
    }
    if (!any && !c_is_pre) { /* a constant */
        struct form f = *base;
        f.arg[0] = f.arg[1] = ARG_ZERO;
        f.mod[0] = f.mod[1] = 0;
        finish(s, f, q);
    }
}

/* A = the presubtract value. */
static void times_pre(struct search *s)
{
    /* by a leaf: its quadratic terms must be all of q's */
    for (unsigned j = 1; j <= s->nleaves; j++) {
        float sign = 0;
        unsigned terms = 0;
        bool equal = true;
        for (unsigned i = 1; i <= s->nleaves; i++) {
            float c = s->pre.c[quad_term(0, i)], have = s->q.c[quad_term(i, j)];
            if (c == 0)
                continue;
            terms++;
            if (sign == 0)
                sign = have == c ? 1 : -1;
            equal &= have == sign * c;
        }
        if (!equal || terms != s->nquadratic)
            continue;
        struct quad leaf = hwemit_r300_quad_affine(sign, j, 0), product;
        struct form f = s->base;
        if (!hwemit_r300_quad_product(&product, &s->pre, &leaf))
            continue;
        product = hwemit_r300_quad_sum(1, &s->q, -1, &product);
        f.arg[0] = ARG_PRE;
        f.arg[1] = (uint8_t)(ARG_LEAF + j - 1);
        f.mod[0] = sign < 0 ? MOD_NEG : 0;
        finish(s, f, &product);
    }
    if (s->nquadratic == 1 || s->nquadratic == 3) { /* by itself */
        struct quad product;
        if (hwemit_r300_quad_product(&product, &s->pre, &s->pre))
            for (int sign = 1; sign >= -1; sign -= 2) {
                struct quad rest = hwemit_r300_quad_sum(1, &s->q, (float)-sign, &product);
                struct form f = s->base;
                f.arg[0] = f.arg[1] = ARG_PRE;
                f.mod[0] = sign < 0 ? MOD_NEG : 0;
                finish(s, f, &rest);
            }
    }
    if (s->nquadratic)
        return;
    for (unsigned i = 1; i <= s->nleaves; i++) { /* by a constant, that one which takes leaf i away */
        float c = s->pre.c[quad_term(0, i)];
        if (c == 0 || s->q.c[quad_term(0, i)] == 0)
            continue;
        float factor = s->q.c[quad_term(0, i)] / c;
        struct form f = s->base;
        if (!constant(&f, 1, factor))
            continue;
        f.arg[0] = ARG_PRE;
        f.mod[0] = f.mod[1];
        f.mod[1] = 0;
        struct quad rest = hwemit_r300_quad_sum(1, &s->q, -factor, &s->pre);
        finish(s, f, &rest);
        if (c == 1 || c == -1)
            break; /* the other leaf has the same or the opposite factor, and leaves a rest of one leaf */
    }
}

static void with_pre(struct search *s, unsigned pre, unsigned a, unsigned b, const struct quad *value, float number)
{
    s->base = (struct form){.pre = {{(uint8_t)pre, {(uint8_t)a, (uint8_t)b}}, {PRE_NONE, {0}}}, .number = number};
    s->pre = *value;
    times_pre(s);
    for (int sign = 1; sign >= -1; sign -= 2) { /* C = the presubtract value */
        struct quad rest = hwemit_r300_quad_sum(1, &s->q, (float)-sign, value);
        struct form f = s->base;
        f.arg[2] = ARG_PRE;
        f.mod[2] = sign < 0 ? MOD_NEG : 0;
        plain(s, &f, &rest, true);
    }
}

static void leaves_with_pre(struct search *s)
{
    for (unsigned i = 1; i <= s->nleaves; i++) {
        if (!hwemit_r300_quad_has(&s->q, i) || !presubtracts(s, i, i))
            continue;
        const unsigned x = ARG_LEAF + i - 1;
        struct quad value = hwemit_r300_quad_affine(-1, i, 1);
        with_pre(s, PRE_1_MINUS_X, x, x, &value, 0);
        value = hwemit_r300_quad_affine(-2, i, 1);
        with_pre(s, PRE_1_MINUS_2X, x, x, &value, 0);
        value = hwemit_r300_quad_affine(2, i, 0);
        with_pre(s, PRE_ADD, x, x, &value, 0);
        for (unsigned j = i + 1; j <= s->nleaves; j++) {
            if (!hwemit_r300_quad_has(&s->q, j) || !presubtracts(s, i, j))
                continue;
            const unsigned y = ARG_LEAF + j - 1;
            struct quad other = hwemit_r300_quad_affine(1, j, 0);
            value = hwemit_r300_quad_affine(1, i, 0);
            value = hwemit_r300_quad_sum(1, &value, 1, &other);
            with_pre(s, PRE_ADD, x, y, &value, 0);
            value = hwemit_r300_quad_sum(1, &value, -2, &other);
            with_pre(s, PRE_SUB, y, x, &value, 0);
        }
    }
}

/* Presubtract of a leaf and a number: x + k, k - x, x - k. Which k may help is read off q. */
static void numbers_with_pre(struct search *s)
{
    static const float shift[] = {0, 1, -1, 0.5f, -0.5f};
    float tried[64];
    unsigned ntried = 0;
    for (unsigned t = 0; t <= s->nleaves; t++)
        for (unsigned d = 0; d < 5; d++) {
            float c = s->q.c[quad_term(0, t)], k = (c < 0 ? -c : c) + shift[d];
            bool again = k <= 0 || ntried == 64;
            for (unsigned n = 0; n < ntried; n++)
                again |= tried[n] == k;
            if (again)
                continue;
            tried[ntried++] = k;
            for (unsigned i = 1; i <= s->nleaves; i++) {
                if (!hwemit_r300_quad_has(&s->q, i) || !presubtracts(s, i, i))
                    continue;
                const unsigned x = ARG_LEAF + i - 1;
                struct quad value = hwemit_r300_quad_affine(1, i, k);
                with_pre(s, PRE_ADD, x, ARG_NUMBER, &value, k);
                value = hwemit_r300_quad_affine(1, i, -k);
                with_pre(s, PRE_SUB, ARG_NUMBER, x, &value, k);
            }
        }
}

/* ---- two presubtract values: srcp of the colour and of the alpha part ---- */

enum { NUMBERS = 5, MAX_PRES = (3 + 2 * NUMBERS) * QUAD_LEAVES + QUAD_LEAVES * QUAD_LEAVES };
struct values { unsigned n; struct presub pre[MAX_PRES]; struct quad value[MAX_PRES]; float number[MAX_PRES]; };

/* All that part `part` can presubtract of q's leaves, and with the numbers that turn up most. */
static void all_presubs(const struct search *s, unsigned part, struct values *v)
{
    static const float number[NUMBERS] = {0.5f, 1, 1.5f, 2, 3};
    memset(v, 0, sizeof *v);
    for (unsigned i = 1; i <= s->nleaves; i++) {
        if (!hwemit_r300_quad_has(&s->q, i) || !presubtracts(s, i, i) || (s->leaf[i - 1].lane[0] == 3) != part)
            continue;
        const uint8_t x = (uint8_t)(ARG_LEAF + i - 1);
        v->pre[v->n] = (struct presub){PRE_1_MINUS_X, {x, x}};
        v->value[v->n++] = hwemit_r300_quad_affine(-1, i, 1);
        v->pre[v->n] = (struct presub){PRE_1_MINUS_2X, {x, x}};
        v->value[v->n++] = hwemit_r300_quad_affine(-2, i, 1);
        v->pre[v->n] = (struct presub){PRE_ADD, {x, x}};
        v->value[v->n++] = hwemit_r300_quad_affine(2, i, 0);
        for (unsigned k = 0; s->numbers && k < NUMBERS; k++) {
            v->pre[v->n] = (struct presub){PRE_ADD, {x, ARG_NUMBER}};
            v->number[v->n] = number[k];
            v->value[v->n++] = hwemit_r300_quad_affine(1, i, number[k]);
            v->pre[v->n] = (struct presub){PRE_SUB, {ARG_NUMBER, x}};
            v->number[v->n] = number[k];
            v->value[v->n++] = hwemit_r300_quad_affine(1, i, -number[k]);
        }
        for (unsigned j = i + 1; j <= s->nleaves; j++) {
            if (!hwemit_r300_quad_has(&s->q, j) || !presubtracts(s, i, j))
                continue;
            const uint8_t y = (uint8_t)(ARG_LEAF + j - 1);
            const struct quad a = hwemit_r300_quad_affine(1, i, 0), b = hwemit_r300_quad_affine(1, j, 0);
            v->pre[v->n] = (struct presub){PRE_ADD, {x, y}};
            v->value[v->n++] = hwemit_r300_quad_sum(1, &a, 1, &b);
            v->pre[v->n] = (struct presub){PRE_SUB, {y, x}};
            v->value[v->n++] = hwemit_r300_quad_sum(1, &a, -1, &b);
        }
    }
}

static void both_presubs(struct search *s)
{
    struct values v[2];
    const struct quad q = s->q;
    all_presubs(s, RGB, &v[RGB]);
    all_presubs(s, ALPHA, &v[ALPHA]);
    for (unsigned a = 0; a < v[RGB].n; a++)
        for (unsigned b = 0; b < v[ALPHA].n; b++) {
            const unsigned at[2] = {a, b};
            const float number = v[RGB].number[a] != 0 ? v[RGB].number[a] : v[ALPHA].number[b];
            if (!s->chip->part_presub && v[RGB].pre[a].op != v[ALPHA].pre[b].op)
                continue;
            if (v[RGB].number[a] != 0 && v[ALPHA].number[b] != 0 && v[RGB].number[a] != v[ALPHA].number[b])
                continue;
            for (unsigned first = 0; first < 2; first++) { /* C is the second, A the first */
                const struct quad *x = &v[first].value[at[first]], *y = &v[1 - first].value[at[1 - first]];
                s->base = (struct form){.pre = {v[first].pre[at[first]], v[1 - first].pre[at[1 - first]]}, .number = number};
                s->pre = *x;
                s->pre2 = y;
                for (int sign = 1; sign >= -1; sign -= 2) {
                    s->sign2 = (float)sign;
                    s->q = hwemit_r300_quad_sum(1, &q, (float)-sign, y);
                    times_pre(s);
                }
                s->q = q;
                s->pre2 = NULL;
            }
            struct quad product; /* A*B is of the two */
            if (!hwemit_r300_quad_product(&product, &v[RGB].value[a], &v[ALPHA].value[b]))
                continue;
            for (int sign = 1; sign >= -1; sign -= 2) {
                struct quad rest = hwemit_r300_quad_sum(1, &q, (float)-sign, &product), minus;
                struct form f = {.arg = {ARG_PRE, ARG_PRE2}, .mod = {sign < 0 ? MOD_NEG : 0}, .pre = {v[RGB].pre[a], v[ALPHA].pre[b]}, .number = number};
                s->pre = v[RGB].value[a];
                finish(s, f, &rest);
                minus = hwemit_r300_quad_sum(-1, &v[ALPHA].value[b], 0, &rest);
                bool equal = hwemit_r300_quad_equal(&rest, &v[ALPHA].value[b]);
                if (equal || hwemit_r300_quad_equal(&rest, &minus)) {
                    f.arg[2] = ARG_PRE2;
                    f.mod[2] = equal ? 0 : MOD_NEG;
                    add(s, &f);
                }
            }
        }
}

static bool prepare(struct search *s, const struct quad *q, int omod)
{
    static const float over[] = {8, 4, 2, 1, 0.5f, 0.25f, 0.125f}; /* 2^-omod for omod -3.. */
    s->q = hwemit_r300_quad_sum(over[omod + 3], q, 0, q);
    s->omod = (int8_t)omod;
    s->nquadratic = s->nlinear = 0;
    for (unsigned j = 1; j < N; j++) {
        if (s->q.c[quad_term(0, j)] != 0)
            s->linear[s->nlinear++] = (uint8_t)j;
        for (unsigned i = 1; i <= j; i++) {
            float c = s->q.c[quad_term(i, j)];
            if (c == 0)
                continue;
            if (c != 1 && c != -1 && c != 2 && c != -2 && c != 4 && c != -4)
                return false; /* no product of two operands has such a factor */
            s->quadratic[s->nquadratic][0] = (uint8_t)i;
            s->quadratic[s->nquadratic++][1] = (uint8_t)j;
        }
    }
    return s->nquadratic <= 4;
}

bool hwemit_r300_match(struct form *forms, unsigned *n, const struct quad *q, const struct leaf *leaf, unsigned nleaves, bool rgb, const struct chip *chip)
{
    static const int8_t omods[] = {0, 1, 2, 3, -1, -2, -3};
    static const struct form none = {NO_PRESUB};
    struct search s = {.form = forms, .leaf = leaf, .nleaves = nleaves, .rgb = rgb, .chip = chip};
    bool parts[2] = {false, false};
    for (unsigned i = 0; i < nleaves; i++)
        parts[leaf[i].lane[0] == 3] = true;
    /* Without a number; with one; both presubtract values; with one and a presubtract value; a number in the presubtract value; in one of both. The later ones where the others
     * give nothing, or nothing that fits its neighbours. */
    for (unsigned round = 0; round < 6; round++) {
        s.numbers = round == 1 || round >= 3;
        if (s.n && (round == 5 || (round >= 2 && !chip->thorough)))
            break;
        if ((round == 2 || round == 5) && (!rgb || !parts[RGB] || !parts[ALPHA]))
            continue;
        for (unsigned o = 0; o < sizeof omods; o++) {
            if (!prepare(&s, q, omods[o]))
                continue;
            if (round < 2)
                plain(&s, &none, &s.q, false);
            if (round == 0 || round == 3)
                leaves_with_pre(&s);
            if (round == 2 || round == 5)
                both_presubs(&s);
            if (round == 4)
                numbers_with_pre(&s);
        }
    }
    *n = s.n;
    return s.n > 0;
}
