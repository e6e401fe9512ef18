/* From a program that is right near the special point to those of all inputs that are the same there. */
#include "hwemit/i830/every.h"

#include <string.h>

static double clamped(double v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

bool hwemit_i830_every_alike(const struct every *e, const struct every_program *p)
{
    for (unsigned i = 0; i < EVERY_SAMPLES; i++) {
        double v[5] = {0};
        if (p->lent)
            v[4] = clamped(hwemit_i830_every_real(&e->table[EVERY_OF_LENT].function[p->lent_function].step, e->like[i], 0, 0));
        for (unsigned k = p->first; k < 4; k++)
            v[k] = clamped(hwemit_i830_every_real(&e->table[p->table[k]].function[p->function[k]].step, e->like[i], v[p->p[k]], v[p->w[k]]));
        if (v[3] - e->like_target[i] > 1e-9 || v[3] - e->like_target[i] < -1e-9)
            return false;
    }
    return true;
}

/* ---- at samples of all inputs ---- */

static double of_channel(const struct every_step *s, const double leaf[][3], double v[5][3], unsigned p, unsigned w, unsigned channel)
{
    double one[EVERY_ARGS];
    for (unsigned i = 0; i < 3; i++)
        one[s->arg[i]] = s->arg[i] < EVERY_P ? leaf[s->arg[i]][channel] : 0;
    return hwemit_i830_every_real(s, one, v[p][channel], v[w][channel]);
}

static double dot(const struct every_step *s, const double leaf[][3], double v[5][3], unsigned p, unsigned w)
{
    double sum = 0;
    for (unsigned k = 0; k < 3; k++) {
        double arg[2];
        for (unsigned i = 0; i < 2; i++) {
            const struct every_step read = {.op = I830_ARG1, .arg = {0, s->arg[i + 1], 0}};
            arg[i] = of_channel(&read, leaf, v, p, w, k);
        }
        sum += 4 * (arg[0] - 0.5) * (arg[1] - 0.5);
    }
    return sum * (double)(1u << s->scale);
}

/* leaf: of one sample. What each stage makes there; [4]: what is lent. */
static void stages_at(const struct every *e, const struct every_program *p, const double leaf[][3], double v[5][3])
{
    memset(v, 0, 5 * sizeof *v);
    for (unsigned channel = 0; channel < e->channels && p->lent; channel++)
        v[4][channel] = clamped(of_channel(&p->lend, leaf, v, 0, 0, channel));
    for (unsigned k = p->first; k < 4; k++)
        for (unsigned channel = 0; channel < e->channels; channel++)
            v[k][channel] = clamped(p->step[k].op == I830_DOT3 ? dot(&p->step[k], leaf, v, p->p[k], p->w[k]) : of_channel(&p->step[k], leaf, v, p->p[k], p->w[k], channel));
}

static bool is_near(double a, double b) { return a - b < 1e-9 && a - b > -1e-9; }

static bool right_at(const struct every *e, const struct every_program *p, const double leaf[][3], double target)
{
    double v[5][3];
    stages_at(e, p, leaf, v);
    return is_near(v[3][0], target);
}

void hwemit_i830_every_pass(const struct every *e, struct every_program *p)
{
    bool same[4][EVERY_LEAVES], inverse[4][EVERY_LEAVES], any = e->nthrough > 0;
    memset(p->passes, 0, sizeof p->passes);
    memset(same, true, sizeof same);
    memset(inverse, true, sizeof inverse);
    for (unsigned i = 0; i < EVERY_SAMPLES && any; i++) {
        double v[5][3];
        stages_at(e, p, (const double(*)[3])e->sample[i], v);
        any = false;
        for (unsigned k = p->first; k < 3; k++)
            for (unsigned n = 0; n < e->nthrough; n++) {
                same[k][n] &= is_near(v[k][0], e->through_sample[i][n]);
                inverse[k][n] &= is_near(1 - v[k][0], e->through_sample[i][n]);
                any |= same[k][n] || inverse[k][n];
            }
    }
    for (unsigned k = p->first; k < 3 && any; k++)
        for (unsigned n = 0; n < e->nthrough; n++)
            if (same[k][n] || inverse[k][n])
                p->passes[k] = (uint8_t)(n + 1);
}

bool hwemit_i830_every_right(const struct every *e, const struct every_program *p)
{
    bool right = true;
    for (unsigned i = 0; i < e->nsamples && right; i++)
        right = right_at(e, p, (const double(*)[3])e->sample[i], e->target_at[i]);
    return right;
}

static void learn(struct every *e, const double leaf[][3], double target)
{
    if (e->nsamples == EVERY_SAMPLES + EVERY_LEARNT)
        return;
    memcpy(e->sample[e->nsamples], leaf, e->nleaves * sizeof *leaf);
    e->target_at[e->nsamples++] = target;
}

bool hwemit_i830_every_is_wrong(struct every *e, const struct every_program *p)
{
    bool right = hwemit_i830_every_right(e, p);
    if (!e->stock) {
        e->stock_target = hwemit_i830_every_lend(e, EVERY_DOUBTS * sizeof *e->stock_target);
        e->stock = hwemit_i830_every_lend(e, (size_t)EVERY_DOUBTS * e->nleaves * sizeof *e->stock);
        if (!e->stock_target || !e->stock) {
            e->stock = NULL;
            return false;
        }
        for (unsigned i = 0; i < EVERY_DOUBTS; i++)
            e->stock_target[i] = hwemit_i830_every_one_sample(e, i, &e->stock[(size_t)i * e->nleaves], NULL);
    }
    for (unsigned i = 0; i < EVERY_DOUBTS && right; i++)
        if (!(right = right_at(e, p, (const double(*)[3])&e->stock[(size_t)i * e->nleaves], e->stock_target[i])))
            learn(e, (const double(*)[3])&e->stock[(size_t)i * e->nleaves], e->stock_target[i]);
    return !right;
}

/* ---- all that stand for it ---- */

static bool reads_arg(const struct every_step *s, unsigned what)
{
    bool is = false;
    for (unsigned i = 0; i < 3; i++)
        is |= (s->arg[i] & ~1u) == what;
    return is;
}

/* Constants in the lower half, leaves of the other pipe above, what is lent at the top. */
static uint64_t asks_of(const struct every *e, const struct every_program *p, unsigned stage)
{
    const struct every_step *const s = &p->step[stage];
    uint64_t asks = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (s->arg[i] >= EVERY_P)
            continue;
        const struct i830_value *const v = &e->c->value[e->leaf[s->arg[i]].value];
        if (!v->leaf && !v->number)
            asks |= UINT64_C(1) << (I830_KONSTS + s->arg[i] / 2);
        else if (v->leaf && e->c->atom[v->leaf].kind == I830_KONST)
            asks |= UINT64_C(1) << e->c->atom[v->leaf].index;
    }
    return asks | (uint64_t)(p->lent && (reads_arg(s, EVERY_W) ? p->w[stage] == 4 : reads_arg(s, EVERY_P) && p->p[stage] == 4)) << 63;
}
_Static_assert(I830_KONSTS + EVERY_LEAVES / 2 < 63, "bits of what a stage asks for");

bool hwemit_i830_every_as_good(const struct every_program *a, const struct every_program *b)
{
    if (a->first < b->first || a->lent != b->lent || (a->lent && memcmp(&a->lend, &b->lend, sizeof a->lend) != 0))
        return false;
    bool is = true;
    for (unsigned k = b->first; k < 4 && is; k++)
        if (k < a->first)
            is = !b->passes[k] && b->step[k].op != I830_DOT3; /* DOT3: the other pipe may want it as DOT4 */
        else
            is = !(a->asks[k] & ~b->asks[k]) && (!b->passes[k] || a->passes[k] == b->passes[k]) && (a->step[k].op == I830_DOT3) == (b->step[k].op == I830_DOT3);
    return is;
}

bool hwemit_i830_every_wanted(struct every *e, struct every_program *p)
{
    p->key = p->first;
    for (unsigned i = 0; i < 3 && p->lent; i++)
        p->key = (p->key ^ p->lend.arg[i] ^ (uint64_t)p->lend.op << 8 ^ (uint64_t)p->lend.scale << 16) * 0x9e3779b97f4a7c15u;
    for (unsigned k = p->first; k < 4; k++) {
        p->asks[k] = asks_of(e, p, k);
        p->key = (p->key ^ p->asks[k] ^ p->key >> 29) * 0xbf58476d1ce4e5b9u;
        p->key = (p->key ^ p->passes[k] ^ (uint64_t)(p->step[k].op == I830_DOT3) << 9 ^ p->key >> 32) * 0x94d049bb133111ebu;
    }
    p->key |= 1;
    unsigned n = 0;
    for (p->slot = (uint32_t)(p->key >> 40) & (EVERY_ASKED - 1); e->asked[p->slot] && n < EVERY_SAME; p->slot = (p->slot + 1) & (EVERY_ASKED - 1))
        n += e->asked[p->slot] == p->key;
    n = n < EVERY_SAME ? 0 : n;
    for (uint32_t i = 0; i < e->nfound && n < EVERY_SAME && !e->accum; i++)
        n += hwemit_i830_every_as_good(&e->found[i], p);
    return n < EVERY_SAME;
}

void hwemit_i830_every_keep(struct every *e, const struct every_program *p)
{
    if (e->nfound == e->most_found) {
        e->too_many = true;
        return;
    }
    e->asked[p->slot] = p->key;
    e->found[e->nfound++] = *p;
}

void hwemit_i830_every_one_of_two(struct every *e)
{
    e->one_of_two = true;
    e->nfound_before = e->nfound;
}

bool hwemit_i830_every_is_enough(const struct every *e) { return e->one_of_two && (e->nfound > e->nfound_before || e->too_many); }

bool hwemit_i830_every_all_after(struct every *e)
{
    const bool is = hwemit_i830_every_is_enough(e);
    while (e->nfound > e->nfound_before)
        e->asked[e->found[--e->nfound].slot] = 0; /* the last to come */
    e->one_of_two = false;
    e->too_many &= !is;
    return is;
}

static void steps_from(struct every *e, struct every_program *p, unsigned stage, field v[5])
{
    const struct every_table *const t = &e->table[p->table[stage]];
    const struct every_function *const f = &t->function[p->function[stage]];
    for (uint32_t i = f->first; i < f->first + f->n && !e->too_many; i++) {
        const struct every_step *const s = &t->step[i];
        if (s->from > stage + 1)
            continue;
        v[stage] = p->flat == stage + 1 ? p->end : hwemit_i830_every_field(s, e->leaf, EVERY_ALL, v[p->p[stage]], v[p->w[stage]]);
        p->step[stage] = *s;
        if (stage < 3)
            steps_from(e, p, stage + 1, v);
        else if (v[3] == e->target.all && hwemit_i830_every_right(e, p)) {
            hwemit_i830_every_pass(e, p);
            if (hwemit_i830_every_wanted(e, p))
                hwemit_i830_every_keep(e, p);
        }
    }
    e->work += stage == 3 ? f->n : 0;
}

void hwemit_i830_every_lift(struct every *e, struct every_program *p)
{
    field v[5] = {0, 0, 0, 0, 0};
    if (!hwemit_i830_every_alike(e, p))
        return;
    e->tried++;
    e->work += EVERY_TRIAL;
    const struct every_table *const lent = &e->table[EVERY_OF_LENT];
    const struct every_function *const f = p->lent ? &lent->function[p->lent_function] : NULL;
    unsigned reader = p->first; /* of what is lent: so many stages come before it */
    while (f && reader < 3 && p->table[reader] != EVERY_OF_BOTH && p->p[reader] != 4)
        reader++;
    for (uint32_t i = 0; i < (f ? f->n : 1) && !e->too_many; i++) {
        if (f) {
            p->lend = lent->step[f->first + i];
            if (p->lend.from > reader)
                continue;
            v[4] = p->flat == EVERY_FLAT_LENT ? p->end : hwemit_i830_every_field(&p->lend, e->leaf, EVERY_ALL, 0, 0);
        }
        steps_from(e, p, p->first, v);
    }
}
