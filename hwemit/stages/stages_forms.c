/* The forms of operations with an unknown argument U and known arguments X and Y as functions of U, and the
 * test at sample points whether such a function can produce a value. V is 1-U. Forms that are equivalent to
 * another one with U or X inverted, or with X and Y exchanged, are omitted. All are linear in U. */
#include "hwemit/stages/stages_cover.h"

enum { _ = STAGES_NO_ARG, U = STAGES_U, V = STAGES_V, X = STAGES_X, Y = STAGES_Y };
const struct stages_form hwemit_stages_forms[] = {
    {STAGES_ARG1, {_, U, _}, 0, 0, 6},
    {STAGES_ARG1, {_, V, _}, 0, 0, 7},
    {STAGES_MODULATE, {_, U, X}, 0, 0, 7},
    {STAGES_ADD, {_, U, X}, 0, 0, 7},
    {STAGES_SUBTRACT, {_, U, X}, 0, 0, 7},
    {STAGES_SUBTRACT, {_, X, U}, 0, 0, 7},
    {STAGES_ADDSIGNED, {_, U, X}, 3, 0, 7},
    {STAGES_BLEND, {X, U, Y}, 0, 2, 7},
    {STAGES_BLEND, {U, X, Y}, 2, 2, 7},
    /* Forms in which U occurs twice and which are linear in U. */
    {STAGES_ADD, {_, U, U}, 0, 0, 4},
    {STAGES_ADDSIGNED, {_, U, U}, 0, 0, 7},
    {STAGES_SUBTRACT, {_, U, V}, 0, 0, 7},
    {STAGES_BLEND, {X, U, V}, 0, 0, 7},
    /* Forms of MODULATE_AND_ADD, for chips that have it. */
    {STAGES_MODULATE_AND_ADD, {U, X, Y}, 2, 2, 7},
    {STAGES_MODULATE_AND_ADD, {Y, U, X}, 2, 2, 7},
    {STAGES_MODULATE_AND_ADD, {U, U, X}, 2, 0, 7},
    {STAGES_MODULATE_AND_ADD, {V, U, X}, 2, 0, 7},
    {STAGES_MODULATE_AND_ADD, {U, V, X}, 2, 0, 7},
    {0}};

/* The result of the operation for numbers U, X and Y. */
static float result(const struct stages_form *form, unsigned multiple, float u, float x, float y)
{
    const float at[] = {[_] = 0, [U] = u, [V] = 1 - u, [X] = x, [Y] = y};
    const float a0 = at[form->arg[0]], a1 = at[form->arg[1]], a2 = at[form->arg[2]];
    switch (form->op) {
    case STAGES_ARG1: return a1;
    case STAGES_MODULATE: return a1 * a2;
    case STAGES_ADD: return a1 + a2;
    case STAGES_ADDSIGNED: return a1 + a2 - 0.5f;
    case STAGES_SUBTRACT: return a1 - a2;
    case STAGES_BLEND: return a0 * a1 + (1 - a0) * a2;
    default: return (float)(1u << multiple) * a1 * a2 + a0;
    }
}

struct stages_linear hwemit_stages_of_form(const struct stages_form *form, unsigned multiple)
{
    struct stages_linear f;
    f.bc = result(form, multiple, 0, 0, 0);
    f.bx = result(form, multiple, 0, 1, 0) - f.bc;
    f.by = result(form, multiple, 0, 0, 1) - f.bc;
    f.bxy = result(form, multiple, 0, 1, 1) - f.bx - f.by - f.bc;
    f.ac = result(form, multiple, 1, 0, 0) - f.bc;
    f.ax = result(form, multiple, 1, 1, 0) - f.bx - f.ac - f.bc;
    f.ay = result(form, multiple, 1, 0, 1) - f.by - f.ac - f.bc;
    return f;
}

/* a*U + b at a sample point. */
struct line {
    float a, b;
};
static inline struct line at_point(const struct stages_choice *k, unsigned i)
{
    const struct stages_linear *f = &k->f;
    const float x = k->x->at[i], y = k->y->at[i];
    return (struct line){f->ac + f->ax * x + f->ay * y, f->bc + f->bx * x + f->by * y + f->bxy * x * y};
}

unsigned hwemit_stages_possible(struct stages_equation *e, const struct stages_choice *k, unsigned scales)
{
    bool counts = false; /* whether the result depends on U at some sample point */
    for (unsigned n = 0, i = e->decisive; n < STAGES_POINTS; n++, i = i + 1 < STAGES_POINTS ? i + 1 : 0) {
        const struct line f = at_point(k, i);
        const float end = f.a + f.b, lo = f.b < end ? f.b : end, hi = f.b < end ? end : f.b;
        for (unsigned s = 0; s < 3; s++)
            if (scales >> s & 1 && (lo > e->hi[s][i] || hi < e->lo[s][i]))
                scales &= ~(1u << s);
        if (!scales) {
            e->decisive = i; /* is tested first for the next arguments, since the same point often decides */
            return 0;
        }
        counts |= f.a > STAGES_NEAR || f.a < -STAGES_NEAR;
    }
    return counts ? scales : 0;
}

bool hwemit_stages_gives(const struct stages_equation *e, const struct stages_choice *k, const float *u)
{
    for (unsigned i = 0; i < STAGES_POINTS; i++) {
        const struct line f = at_point(k, i);
        const float r = f.a * u[i] + f.b;
        if (r < e->lo[k->scale][i] || r > e->hi[k->scale][i])
            return false;
    }
    return true;
}
