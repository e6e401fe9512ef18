/* Searches for programs in which each stage reads the previous one: matches the values of the first two
 * stages with those that the last two stages need (point.c). */
#include "point.h"

/* A value of two stages: `value` is the first stage's value, which is computed from inputs (FLAT: it is 0
 * near the point, FLAT + 1: it is 1), and `op` the second stage's operation on it, or NONE. */
enum { NONE = 0xFFFFFF, SLOTS = 1 << 23, FLAT = 0x7FFFFFFE };
static struct made {
    uint32_t cell;
    uint32_t op : 24;
    uint32_t value;
} * made;
static int mades;

static struct values start; /* values of the first stage */

static field field_at(const struct made *m)
{
    return m->op == NONE ? first.v[m->value].v.f
                         : field_of(&plain[2].op[m->op],
                                    m->value >= FLAT ? (field)(m->value - FLAT) : start.v[m->value].v.f, 0);
}

static bool enter_cell(uint32_t c, int value, int op, field f)
{
    uint32_t i = (c * 2654435769u) >> 9;
    for (; made[i].cell; i = (i + 1) & (SLOTS - 1))
        if (made[i].cell == c && !samples && field_at(&made[i]) == f)
            return true;
    made[i] = (struct made){c, (uint32_t)op & NONE, (uint32_t)value};
    return ++mades < SLOTS / 2;
}

static bool enter(double r, int value, int op, field f)
{
    uint32_t c = cell(r - NEAR), d = cell(r + NEAR);
    return enter_cell(c, value, op, f) && (c == d || enter_cell(d, value, op, f));
}

static bool right_as_it_is(const struct made *m, const struct op *op1, const struct op *op3,
                           const struct op *op4)
{
    bool right = true;
    for (int i = 0; i < samples && right; i++) {
        leaf_now = &leaf_samples[i * LEAVES];
        double p = clamped(op1, 0, 0);
        if (m->op != NONE)
            p = clamped(&plain[2].op[m->op], p, 0);
        right = fabs(clamped(op4, clamped(op3, p, 0), 0) - target_samples[i]) < 1e-9;
    }
    leaf_now = leaf_at_point;
    return right;
}

static bool right_at_samples(const struct made *m, const struct op *op3, const struct op *op4)
{
    if (m->op == NONE)
        return right_as_it_is(m, &first.v[m->value].op, op3, op4);
    if (m->value < FLAT)
        return right_as_it_is(m, &start.v[m->value].op, op3, op4);
    const struct values *v = &beyond[1][m->value - FLAT];
    for (int i = 0; i < v->n; i++)
        if (right_as_it_is(m, &v->v[i].op, op3, op4))
            return true;
    return false;
}

static bool found(double r, const struct op *op3, const struct op *op4)
{
    uint32_t c = cell(r);
    for (uint32_t i = (c * 2654435769u) >> 9; made[i].cell; i = (i + 1) & (SLOTS - 1))
        if (made[i].cell == c && field_of(op4, field_of(op3, field_at(&made[i]), 0), 0) == target.f &&
            right_at_samples(&made[i], op3, op4)) {
            char text[4][300] = {{0}};
            if (made[i].op == NONE || made[i].value < FLAT)
                say_op(text[0], made[i].op == NONE ? &first.v[made[i].value].op : &start.v[made[i].value].op,
                       "?", "?");
            if (made[i].op != NONE)
                say_op(text[1], &plain[2].op[made[i].op], "P", "?");
            say_op(text[2], op3, "P", "?"), say_op(text[3], op4, "P", "?");
            printf("reached {%s} {%s} {%s} {%s}\n", text[0], text[1], text[2], text[3]);
            return true;
        }
    return false;
}

bool find_chain(void)
{
    const int n = 2 * (plain[3].n + plain[4].n) + 16;
    double *need = malloc((size_t)n * sizeof *need), *before = malloc((size_t)n * sizeof *before);
    int *of = malloc((size_t)n * sizeof *of), *op3 = malloc((size_t)n * sizeof *op3);
    bool is = false, room = true;
    made = calloc(SLOTS, sizeof *made), mades = 0;
    if (!need || !before || !of || !op3 || !made)
        exit(2);
    make_values(&start, 1);
    room = first.n < FLAT;
    for (int v = 0; v < first.n && room; v++)
        room = enter(first.v[v].v.r, v, NONE, first.v[v].v.f);
    for (int v = 0; v < start.n && room && stages > 3; v++) {
        const struct number *p = &start.v[v].v;
        for (int i = 0; i < plain[2].n && room; i++) {
            double r = at(&plain[2], i, p->r);
            if (in_range(r))
                room = enter(r, v, i, field_of(&plain[2].op[i], p->f, 0));
        }
    }
    for (int end = 0; end < 2 && stages > 3; end++)
        for (int i = 0; i < plain[2].n && room; i++) {
            double r = at(&plain[2], i, end);
            if (in_range(r))
                room = enter(r, FLAT + end, i, field_of(&plain[2].op[i], (field)end, 0));
        }
    if (!room)
        deadline = clock();
    const int needs = solve(&plain[4], target.r, need, of);
    for (int i = 0; i < needs && !is && clock() < deadline; i++)
        for (int j = solve(&plain[3], need[i], before, op3); j-- > 0 && !is;)
            is = found(before[j], &plain[3].op[op3[j]], &plain[4].op[of[i]]);
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "made %d needs %d\n", mades, needs);
    free(need), free(before), free(of), free(op3), free(made);
    return is;
}
