/* Enumerates all instructions over the sources, and makes the table of programs of one instruction. */
#include "program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool in_unit(const struct points *p, const double *v)
{
    for (unsigned i = 0; i < p->n; i++)
        if (v[i] < 0 || v[i] > 1)
            return false;
    return true;
}

void find_args(struct args *a, const struct points *p)
{
    a->n = 0;
    a->at = malloc(MOST_ARGS * sizeof *a->at);
    for (unsigned code = 0; code < MOST_ARGS; code++) {
        if (code < ARG_LITERAL && code / MAPS >= p->sources)
            continue;
        for (unsigned i = 0; i < p->n; i++) {
            double source[SOURCES] = {p->at[0][i], p->at[1][i], p->at[2][i], p->at[3][i]};
            a->at[a->n].v[i] = program_argument(code, source, 0);
        }
        a->code[a->n] = (uint8_t)code;
        a->positive[a->n] = code < ARG_LITERAL ? maps[code % MAPS].m > 0 : literals[code - ARG_LITERAL] >= 0;
        a->factor[a->n] = in_unit(p, a->at[a->n].v);
        a->n++;
    }
}

/* Calls each() for every operation with all arguments, simple ones first. raw: the values before scale and
 * clamp. */
static void each_inst(const struct args *a, const struct points *p,
                      void (*each)(void *user, const struct inst *inst, const double *raw), void *user)
{
    double raw[MOST_POINTS];
    for (unsigned op = OP_MOV; op <= OP_LERP; op++)
        for (unsigned x = 0; x < a->n; x++) {
            if (((op == OP_MUL || op == OP_MAD) && !a->positive[x]) || (op == OP_LERP && !a->factor[x]))
                continue;
            for (unsigned y = 0; y < (op == OP_MOV ? 1 : a->n); y++) {
                if (op == OP_ADD && y < x)
                    continue;
                if ((op == OP_MUL || op == OP_MAD) && a->positive[y] && y < x)
                    continue;
                for (unsigned z = 0; z < (args_of(op) < 3 ? 1 : a->n); z++) {
                    for (unsigned i = 0; i < p->n; i++)
                        raw[i] = operate(op, a->at[x].v[i], a->at[y].v[i], a->at[z].v[i]);
                    struct inst inst = {.op = (uint8_t)op, .arg = {a->code[x], a->code[y], a->code[z]}};
                    each(user, &inst, raw);
                }
            }
        }
}

static void add_one(void *user, const struct inst *inst, const double *raw)
{
    struct search *s = user;
    for (unsigned k = 0; k < SCALES; k++) {
        double v[MOST_POINTS];
        for (unsigned i = 0; i < s->p->n; i++)
            v[i] = unit(raw[i] * powers[k]);
        bool fresh;
        int64_t at = prints_find(&s->one, points_print(s->p, v, NULL), &fresh);
        if (!fresh)
            continue;
        if (s->one.max > s->nfirst)
            s->first = realloc(s->first, (s->nfirst = s->one.max) * sizeof *s->first);
        s->first[at] = *inst;
        s->first[at].scale = (int8_t)exponents[k];
        s->first[at].sat = 1;
    }
}

void search_init(struct search *s, const struct points *p)
{
    struct args a;
    memset(s, 0, sizeof *s);
    s->p = p;
    prints_init(&s->one);
    find_args(&a, p);
    each_inst(&a, p, add_one, s);
    free(a.at);
}

void search_free(struct search *s)
{
    prints_free(&s->one);
    free(s->first);
}

bool search_one(struct search *s, struct print128 k, struct program *found)
{
    int64_t at = prints_find(&s->one, k, NULL);
    if (at < 0)
        return false;
    found->n = 1;
    found->inst[0] = s->first[at];
    return true;
}

/* ---- first instructions of programs of two instructions ---- */

static bool in_range(const struct points *p, const double *v)
{
    for (unsigned i = 0; i < p->n; i++)
        if (fabs(v[i]) > 8)
            return false;
    return true;
}

/* Returns the least fingerprint of v and 1-v under all symmetries. Of the first instructions with the same
 * fingerprint only one needs to be tried, since a second instruction can complement its argument. */
static struct print128 complement_print(const struct points *p, const double *v)
{
    double w[MOST_POINTS];
    for (unsigned i = 0; i < p->n; i++)
        w[i] = 1 - v[i];
    struct print128 k = points_orbit_print(p, v), l = points_orbit_print(p, w);
    return k.a < l.a || (k.a == l.a && k.b < l.b) ? k : l;
}

static void add_first(void *user, const struct inst *inst, const double *raw)
{
    struct firsts *f = user;
    if (inst->op == OP_MOV && inst->arg[0] >= ARG_LITERAL)
        return;
    if (!in_range(f->p, raw))
        return;
    for (unsigned k = 0; k < SCALES; k++)
        for (unsigned sat = 0; sat < 2; sat++) {
            double v[MOST_POINTS];
            for (unsigned i = 0; i < f->p->n; i++)
                v[i] = sat ? unit(raw[i] * powers[k]) : raw[i] * powers[k];
            bool fresh;
            if (!in_range(f->p, v))
                continue;
            prints_find(&f->seen, complement_print(f->p, v), &fresh);
            if (!fresh)
                continue;
            if (f->n == f->max) {
                f->max = f->max ? 2 * f->max : 1024;
                f->inst = realloc(f->inst, f->max * sizeof *f->inst);
                f->at = realloc(f->at, f->max * sizeof *f->at);
            }
            f->inst[f->n] = *inst;
            f->inst[f->n].scale = (int8_t)exponents[k];
            f->inst[f->n].sat = (uint8_t)sat;
            memcpy(f->at[f->n++].v, v, sizeof v);
        }
}

void find_firsts(struct firsts *f, const struct args *a, const struct points *p)
{
    *f = (struct firsts){.p = p};
    prints_init(&f->seen);
    each_inst(a, p, add_first, f);
}
