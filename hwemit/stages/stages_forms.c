/* The forms of operations (stages_forms.def) as linear functions of an unknown argument U, and the test at
 * sample points whether such a function can produce a value. */
#include "hwemit/stages/stages_tiles.h"

enum { _ = STAGES_NO_ARG, U = STAGES_U, V = STAGES_V, X = STAGES_X, Y = STAGES_Y };
const struct stages_form hwemit_stages_forms[] = {
#define FORM(op, arg0, arg1, arg2, x, y, scales) {STAGES_##op, {arg0, arg1, arg2}, x, y, scales},
#include "hwemit/stages/stages_forms.def"
#undef FORM
    {0}};

/* The linear function c + u*U + x*X + y*Y. */
struct linear {
    float c, u, x, y;
};

static struct linear at_place(unsigned place)
{
    static const struct linear is[] = {
        [_] = {0, 0, 0, 0}, [U] = {0, 1, 0, 0}, [V] = {1, -1, 0, 0}, [X] = {0, 0, 1, 0}, [Y] = {0, 0, 0, 1}};
    return is[place];
}

/* Adds m*s*t to f. X occurs in at most one of s and t, and so does Y. */
static void add_product(struct stages_linear *f, float m, struct linear s, struct linear t)
{
    f->ac += m * (s.u * t.c + s.c * t.u);
    f->ax += m * (s.u * t.x + s.x * t.u);
    f->ay += m * (s.u * t.y + s.y * t.u);
    f->bc += m * s.c * t.c;
    f->bx += m * (s.c * t.x + s.x * t.c);
    f->by += m * (s.c * t.y + s.y * t.c);
    f->bxy += m * (s.x * t.y + s.y * t.x);
}

struct stages_linear hwemit_stages_of_form(const struct stages_form *form, unsigned multiple)
{
    struct stages_linear f = {0, 0, 0, 0, 0, 0, 0};
    const struct linear one = {1, 0, 0, 0}, a0 = at_place(form->arg[0]), a1 = at_place(form->arg[1]),
                        a2 = at_place(form->arg[2]);
    switch (form->op) {
    case STAGES_ARG1: add_product(&f, 1, one, a1); break;
    case STAGES_MODULATE: add_product(&f, 1, a1, a2); break;
    case STAGES_ADDSIGNED: f.bc = -0.5f; /* fall through */
    case STAGES_ADD: add_product(&f, 1, one, a1), add_product(&f, 1, one, a2); break;
    case STAGES_SUBTRACT: add_product(&f, 1, one, a1), add_product(&f, -1, one, a2); break;
    case STAGES_BLEND:
        add_product(&f, 1, a0, a1), add_product(&f, -1, a0, a2), add_product(&f, 1, one, a2);
        break;
    default: add_product(&f, (float)(1u << multiple), a1, a2), add_product(&f, 1, one, a0); break;
    }
    return f;
}

unsigned hwemit_stages_possible(struct stages_equation *e, const struct stages_choice *k, unsigned scales)
{
    const struct stages_linear f = k->f;
    const float *const x = k->x->at, *const y = k->y->at;
    bool counts = false; /* whether the result depends on U at some sample point */
    for (unsigned n = 0; n < STAGES_POINTS; n++) {
        const unsigned i = (e->decisive + n) % STAGES_POINTS;
        const float a = f.ac + f.ax * x[i] + f.ay * y[i],
                    b = f.bc + f.bx * x[i] + f.by * y[i] + f.bxy * x[i] * y[i], end = a + b;
        const float lo = b < end ? b : end, hi = b < end ? end : b;
        for (unsigned s = 0; s < 3; s++)
            if (scales >> s & 1 && (lo > e->hi[s][i] || hi < e->lo[s][i]))
                scales &= ~(1u << s);
        if (!scales) {
            e->decisive = i; /* is tested first for the next arguments, since the same point often decides */
            return 0;
        }
        counts |= a > STAGES_NEAR || a < -STAGES_NEAR;
    }
    return counts ? scales : 0;
}

bool hwemit_stages_gives(const struct stages_equation *e, const struct stages_choice *k, const float *u)
{
    const struct stages_linear f = k->f;
    const float *const x = k->x->at, *const y = k->y->at;
    for (unsigned i = 0; i < STAGES_POINTS; i++) {
        const float a = f.ac + f.ax * x[i] + f.ay * y[i],
                    b = f.bc + f.bx * x[i] + f.by * y[i] + f.bxy * x[i] * y[i], r = a * u[i] + b;
        if (r < e->lo[k->scale][i] || r > e->hi[k->scale][i])
            return false;
    }
    return true;
}
