/* Searches for input values for which a clamp is not redundant. Runs before a proof is attempted, because it
 * is cheaper. */
#include "fragprog/algebra/counterexample.h"

/* Sample points. Each row is a list of octal digits, indexed by source from the right; digit n selects the
 * lower end of the source's range plus n quarters of its width. The rows were chosen greedily from a thousand
 * random ones, so that each refutes as many as possible of the queries that no earlier row refutes; together
 * they refute 99 % of the refutable queries on random states. */
static const uint32_t points[] = {024313333, 001143311, 011310124, 043011222, 010233130, 031332401,
                                  043142042, 004433110, 004112303, 001224114, 023334014, 012111011};

/* An argument m*x + t, where x is the result of the preceding instruction (if `inner`) or a number from lo to
 * lo + 4*step. */
struct argument {
    double m, t, lo, step;
    unsigned digit; /* index of the octal digit that selects x; equal sources have equal digits */
    bool inner;
};

/* An instruction in one lane. */
struct function {
    const struct fragprog_inst *inst;
    struct argument arg[3];
};

/* Returns false if the instruction is no polynomial, or its arguments are so large that double precision may
 * be inexact. */
static bool make_function(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_reader *reader, struct function *f)
{
    const unsigned args = fragprog_op_args(reader->inst->op), lane = reader->lane;
    f->inst = reader->inst;
    if (!fragprog_op_is_polynomial(f->inst->op))
        return false;
    for (unsigned s = 0; s < args; s++) {
        struct fragprog_src src = f->inst->src[s];
        const struct fragprog_affine a = fragprog_affine_of(src.mods);
        struct argument *arg = &f->arg[s];
        *arg = (struct argument){.m = src.negate >> lane & 1 ? -a.m : a.m, .t = a.t};
        arg->inner = src.file == FRAGPROG_VALUE && src.index == reader->value;
        if (src.mods & FRAGPROG_ABS)
            return false;
        if (arg->inner)
            continue;
        src.mods = src.negate = 0;
        const struct fragprog_interval x = fragprog_src_range(r, p, &src, lane);
        if (x.lo < -16 || x.hi > 16)
            return false;
        arg->lo = x.lo;
        arg->step = (x.hi - x.lo) / 4;
        arg->digit = (src.index + 3u * src.lane[lane] + 5u * src.file) & 7;
    }
    return true;
}

static double value_of(const struct function *f, double inner, uint32_t point)
{
    double v[FRAGPROG_FACTOR_NOT_A + 1], sum = 0;
    for (unsigned s = 0, args = fragprog_op_args(f->inst->op); s < args; s++) {
        const struct argument *a = &f->arg[s];
        const double x = a->inner ? inner : a->lo + (int)(point >> 3 * a->digit & 7) * a->step;
        v[s] = a->m * x + a->t;
    }
    v[FRAGPROG_FACTOR_ONE] = 1;
    v[FRAGPROG_FACTOR_NOT_A] = 1 - v[FRAGPROG_FACTOR_A];
    for (const struct fragprog_product *q = fragprog_formula(f->inst->op); q->sign; q++)
        sum += q->sign * v[q->factor[0]] * v[q->factor[1]];
    return sum * fragprog_power(f->inst->scale);
}

static double limited(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Returns the channel of the value that the reader reads, or 4 if it reads several or none. */
static unsigned channel_read(const struct fragprog_reader *reader)
{
    const struct fragprog_inst *inst = reader->inst;
    unsigned channels = 0;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE && inst->src[s].index == reader->value)
            channels |= 1u << inst->src[s].lane[reader->lane];
    return channels == 1 ? 0 : channels == 2 ? 1 : channels == 4 ? 2 : channels == 8 ? 3 : 4;
}

bool fragprog_clamp_shows(const struct fragprog_ranges *r, const struct fragprog *p,
                          const struct fragprog_reader *reader, const struct fragprog_reader *last)
{
    const unsigned channel = channel_read(reader);
    const struct fragprog_reader source = {&p->inst[reader->value], FRAGPROG_TEXENV_INSTS, channel};
    struct function made, then, after;
    if (channel > FRAGPROG_W || !make_function(r, p, &source, &made) || !make_function(r, p, reader, &then) ||
        (last && !make_function(r, p, last, &after)))
        return false;
    for (unsigned n = 0; n < sizeof points / sizeof *points; n++) {
        const double x = value_of(&made, 0, points[n]), kept = limited(x);
        if (x == kept)
            continue;
        double with = limited(value_of(&then, kept, points[n]));
        double without = limited(value_of(&then, x, points[n]));
        if (last && with != without) {
            with = limited(value_of(&after, with, points[n]));
            without = limited(value_of(&after, without, points[n]));
        }
        if (with - without > 1.0 / 1024 || without - with > 1.0 / 1024)
            return true;
    }
    return false;
}
