/* Tests the C code for which tests/optimiser/prove_rules.py proves the formulas: modifiers as m*x + t, value
 * ranges, when a clamp may be removed; and all passes on random programs. All numbers are small dyadic
 * fractions, so that doubles are exact.
 *
 * usage: optimiser_sides [PROGRAMS [SEED]] */
#include <stdio.h>
#include <stdlib.h>

#include "fragprog/algebra/clamp.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"

enum { INPUTS = 3, STEPS = 5, POINTS = STEPS * STEPS * STEPS };

static unsigned long failures, seed;

static unsigned chance(unsigned n)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(seed >> 33) % n;
}

static double clamped(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

static double modified(double x, unsigned mods)
{
    if (mods & FRAGPROG_ABS)
        x = x < 0 ? -x : x;
    if (mods & FRAGPROG_COMP)
        x = 1 - x;
    if (mods & FRAGPROG_BIAS)
        x = x - 0.5;
    if (mods & FRAGPROG_2X)
        x = x * 2;
    if (mods & FRAGPROG_NEG)
        x = -x;
    return x;
}

static double source(const struct fragprog_src *s, const double *value)
{
    static const double literal[] = {0, 1, 0.5};
    double x = s->lane[0] >= FRAGPROG_ZERO ? literal[s->lane[0] - FRAGPROG_ZERO] : value[s->index];
    return modified(s->negate & 1 ? -x : x, s->mods);
}

/* Returns the value of channel x before the clamp. Sets *undefined for a LERP whose weight is not in [0,1].
 */
static double raw(const struct fragprog_inst *inst, const double v[3], bool *undefined)
{
    static const double power[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};
    double x = 0;
    switch (inst->op) {
    case FRAGPROG_MOV: x = v[0]; break;
    case FRAGPROG_ADD: x = v[0] + v[1]; break;
    case FRAGPROG_SUB: x = v[0] - v[1]; break;
    case FRAGPROG_MUL: x = v[0] * v[1]; break;
    case FRAGPROG_MAD: x = v[0] * v[1] + v[2]; break;
    case FRAGPROG_LERP:
        x = v[0] * v[1] + (1 - v[0]) * v[2];
        if (undefined && (v[0] < 0 || v[0] > 1))
            *undefined = true;
        break;
    default: abort();
    }
    return x * power[inst->scale + 3];
}

static double finish(const struct fragprog_inst *inst, double x)
{
    return inst->clamp == FRAGPROG_SAT ? clamped(x, 0, 1) : clamped(x, -8, 8);
}

static void inputs(unsigned point, double *value)
{
    for (unsigned i = 0; i < INPUTS; i++, point /= STEPS)
        value[i] = (double)(point % STEPS) / (STEPS - 1);
}

static void arguments(const struct fragprog_inst *inst, const double *value, double v[3])
{
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        v[s] = source(&inst->src[s], value);
}

/* Computes all values of the program, and all values before their clamps; returns false if one is undefined.
 */
static bool evaluate(const struct fragprog *p, double *value, double *before)
{
    bool undefined = false;
    for (unsigned i = INPUTS; i < p->ninst; i++) {
        double v[3];
        arguments(&p->inst[i], value, v);
        before[i] = raw(&p->inst[i], v, &undefined);
        value[i] = finish(&p->inst[i], before[i]);
    }
    return !undefined;
}

static void random_source(struct fragprog_src *s, unsigned values)
{
    static const uint8_t mods[] = {0,
                                   0,
                                   0,
                                   FRAGPROG_COMP,
                                   FRAGPROG_COMP,
                                   FRAGPROG_BIAS,
                                   FRAGPROG_2X,
                                   FRAGPROG_NEG,
                                   FRAGPROG_BIAS | FRAGPROG_2X,
                                   FRAGPROG_COMP | FRAGPROG_NEG};
    unsigned n = chance(values + 1);
    if (n == values)
        *s = fragprog_src_replicate(FRAGPROG_LITERAL, 0, FRAGPROG_ZERO + chance(3));
    else
        *s = fragprog_src_replicate(FRAGPROG_VALUE, n >= INPUTS && chance(2) ? values - 1 : n, FRAGPROG_X);
    s->mods = mods[chance(sizeof mods)];
}

static void random_instruction(struct fragprog_inst *inst, unsigned values)
{
    static const uint8_t ops[] = {FRAGPROG_MOV, FRAGPROG_ADD, FRAGPROG_SUB,
                                  FRAGPROG_MUL, FRAGPROG_MAD, FRAGPROG_LERP};
    *inst = (struct fragprog_inst){.op = ops[chance(sizeof ops)],
                                   .mask = FRAGPROG_MASK_X,
                                   .clamp = chance(4) ? FRAGPROG_SAT : FRAGPROG_NO_CLAMP};
    inst->scale = (int8_t)(chance(3) ? 0 : (int)chance(5) - 2);
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        random_source(&inst->src[s], values);
}

/* Makes a program of INPUTS lookups and `count` random instructions, the last of which is the result of both
 * halves. Only channel x is computed. */
static void random_program(struct fragprog *p, struct fragprog_storage *storage, unsigned count)
{
    fragprog_init(p, storage);
    for (unsigned i = 0; i < INPUTS; i++) {
        struct fragprog_inst tex = {
            .op = FRAGPROG_TEX, .mask = FRAGPROG_MASK_X, .texture = (uint8_t)i, .base = TEXENV_RGBA};
        tex.src[0] = fragprog_src_replicate(FRAGPROG_COORD, i, FRAGPROG_X);
        fragprog_append(p, &tex);
    }
    while (count--) {
        struct fragprog_inst inst;
        random_instruction(&inst, p->ninst);
        fragprog_append(p, &inst);
    }
    p->result[0] = p->result[1] = (uint16_t)(p->ninst - 1);
}

/* Makes the program A*B + C*~B with a random instruction B, which may become a LERP only if B is in [0,1]. */
static void random_blend(struct fragprog *p, struct fragprog_storage *storage)
{
    random_program(p, storage, 1);
    struct fragprog_inst part = {.op = FRAGPROG_MUL, .mask = FRAGPROG_MASK_X},
                         sum = {.op = FRAGPROG_MAD, .mask = FRAGPROG_MASK_X, .clamp = FRAGPROG_SAT};
    part.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, chance(INPUTS), FRAGPROG_X);
    part.src[1] = fragprog_src_replicate(FRAGPROG_VALUE, INPUTS, FRAGPROG_X);
    part.src[1].mods = FRAGPROG_COMP;
    sum.src[0] = fragprog_src_replicate(FRAGPROG_VALUE, chance(INPUTS), FRAGPROG_X);
    sum.src[1] = fragprog_src_replicate(FRAGPROG_VALUE, INPUTS, FRAGPROG_X);
    sum.src[2] = fragprog_src_replicate(FRAGPROG_VALUE, fragprog_append(p, &part), FRAGPROG_X);
    p->result[0] = p->result[1] = (uint16_t)fragprog_append(p, &sum);
}

static void complain(const char *what, const struct fragprog *p)
{
    char text[4096];
    struct texenv_text out;
    if (failures++ >= 5)
        return;
    texenv_text_init(&out, text, sizeof text);
    fragprog_print_ir(&out, p);
    printf("failed: %s\n%s\n", what, text);
}

static void modifiers(void)
{
    for (unsigned mods = 0; mods < 32; mods += 2) {
        struct fragprog_affine a = fragprog_affine_of(mods);
        for (double x = -2; x <= 2; x += 0.25)
            if (modified(x, mods) != a.m * x + a.t)
                failures++, printf("failed: modifiers %u at %g\n", mods, x);
        if (fragprog_mods_of(a) < 0)
            failures++, printf("failed: no modifiers for those of %u\n", mods);
    }
    for (double m = -4; m <= 4; m += 0.5)
        for (double t = -4; t <= 4; t += 0.5) {
            int mods = fragprog_mods_of((struct fragprog_affine){m, t});
            if (mods >= 0 && (modified(0, (unsigned)mods) != t || modified(1, (unsigned)mods) != m + t))
                failures++, printf("failed: modifiers %d are not %g*x + %g\n", mods, m, t);
        }
}

static unsigned long asked, allowed, biting, missed;

/* Checks that ranges contain all values, and that a clamp that the optimiser would remove has no effect. */
static void clamps(struct fragprog *p)
{
    static uint64_t memory[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    struct fragprog_ranges *ranges = fragprog_ranges_over(memory, p);
    fragprog_find_ranges(ranges, p);
    unsigned last = p->ninst - 1u, j = last - 1u;
    const struct fragprog_inst *reader = &p->inst[last], *made = &p->inst[j];
    bool reads = false, may[3] = {false, false, false}, same[3] = {true, true, true}, acts = false;
    for (unsigned s = 0; s < fragprog_op_args(reader->op); s++)
        if (reader->src[s].file == FRAGPROG_VALUE && reader->src[s].index == j)
            reads = true, may[s] = fragprog_clamp_droppable(ranges, p, j, reader, s);
    for (unsigned point = 0; point < POINTS; point++) {
        double value[FRAGPROG_TEXENV_INSTS], before[FRAGPROG_TEXENV_INSTS], v[3];
        inputs(point, value);
        bool defined = evaluate(p, value, before);
        for (unsigned i = INPUTS; i < p->ninst && defined; i++)
            if (before[i] < ranges->raw[i][0].lo || before[i] > ranges->raw[i][0].hi ||
                value[i] < ranges->out[i][0].lo || value[i] > ranges->out[i][0].hi) {
                complain("a value outside its range", p);
                return;
            }
        if (!reads || !defined || made->clamp != FRAGPROG_SAT)
            continue;
        acts |= before[j] != value[j];
        double with = value[last], kept = value[j];
        for (unsigned s = 0; s < 3; s++) {
            if (reader->src[s].file != FRAGPROG_VALUE || reader->src[s].index != j ||
                s >= fragprog_op_args(reader->op))
                continue;
            bool undefined = false;
            arguments(reader, value, v);
            value[j] = before[j];
            v[s] = source(&reader->src[s], value);
            value[j] = kept;
            bool equal = finish(reader, raw(reader, v, &undefined)) == with && !undefined;
            same[s] &= equal;
            if (may[s] && !equal) {
                complain("a clamp that may go makes a difference", p);
                return;
            }
        }
    }
    for (unsigned s = 0; s < fragprog_op_args(reader->op) && reads && made->clamp == FRAGPROG_SAT; s++)
        if (reader->src[s].file == FRAGPROG_VALUE && reader->src[s].index == j) {
            asked++;
            allowed += may[s];
            biting += may[s] && acts;
            missed += !may[s] && same[s];
        }
}

static unsigned long proved;

/* Checks a program of two instructions, the second of which reads the first: if the first's clamp is proved
 * redundant, it must have no effect for any input, even where a value is undefined, since the proof is about
 * polynomials. */
static void proofs(const struct fragprog *p)
{
    static uint64_t memory[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    struct fragprog_ranges *ranges = fragprog_ranges_over(memory, p);
    const unsigned j = INPUTS;
    const struct fragprog_inst *last = &p->inst[j + 1];
    const struct fragprog_reader reader = {last, j, FRAGPROG_X};
    bool reads = false, same = true;
    for (unsigned s = 0; s < fragprog_op_args(last->op); s++)
        reads |= last->src[s].file == FRAGPROG_VALUE && last->src[s].index == j;
    if (!reads || p->inst[j].clamp != FRAGPROG_SAT || last->clamp != FRAGPROG_SAT)
        return;
    fragprog_find_ranges(ranges, p);
    for (unsigned point = 0; point < POINTS; point++) {
        double value[FRAGPROG_TEXENV_INSTS], before[FRAGPROG_TEXENV_INSTS], v[3];
        inputs(point, value);
        evaluate(p, value, before);
        value[j] = before[j];
        arguments(last, value, v);
        same &= finish(last, raw(last, v, NULL)) == value[j + 1];
    }
    const bool idle = fragprog_clamp_is_proved_idle(ranges, p, &reader, NULL);
    proved += idle;
    if (idle && !same)
        complain("a clamp that is proved to be idle makes a difference", p);
}

static unsigned long changed;

/* Checks that the program has the same result after all passes, where the original result is defined. */
static void passes(struct fragprog *p)
{
    struct fragprog_storage storage;
    struct fragprog after;
    static const struct fragprog_opt all = {.level = 2};
    static uint64_t scratch[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    fragprog_init(&after, &storage);
    if (!fragprog_copy(&after, p))
        abort();
    fragprog_optimise(&after, &all, scratch);
    /* Lookups that are no longer read are gone, so the others are found by their texture's number. */
    unsigned first = 0;
    while (first < after.ninst && after.inst[first].op == FRAGPROG_TEX)
        first++;
    changed += after.ninst - first + INPUTS < (unsigned)p->ninst;
    for (unsigned point = 0; point < POINTS; point++) {
        double value[FRAGPROG_TEXENV_INSTS], before[FRAGPROG_TEXENV_INSTS], small[FRAGPROG_TEXENV_INSTS];
        bool undefined = false;
        inputs(point, value);
        if (!evaluate(p, value, before))
            continue;
        for (unsigned i = 0; i < after.ninst; i++) {
            const struct fragprog_inst *inst = &after.inst[i];
            double v[3];
            if (inst->op == FRAGPROG_TEX) {
                small[i] = value[inst->texture];
                continue;
            }
            arguments(inst, small, v);
            small[i] = finish(inst, raw(inst, v, &undefined));
        }
        if (undefined || small[after.result[0]] != value[p->result[0]]) {
            complain("the passes change the result of", p);
            complain("into", &after);
            return;
        }
    }
}

int main(int argc, char **argv)
{
    unsigned long programs = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    seed = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    modifiers();
    for (unsigned long n = 0; n < programs; n++) {
        struct fragprog_storage storage;
        struct fragprog p;
        if (n % 16 == 0)
            random_blend(&p, &storage);
        else
            random_program(&p, &storage, 2 + (n & 1 ? chance(4) : 0));
        clamps(&p);
        if (p.ninst == INPUTS + 2)
            proofs(&p);
        passes(&p);
    }
    printf("%lu programs: %lu clamps asked for, %lu may go, of these %lu act; %lu more could go on the grid; "
           "%lu are proved idle; %lu programs got shorter; %lu failures\n",
           programs, asked, allowed, biting, missed, proved, changed, failures);
    if (programs >= 10000 && (biting < programs / 100 || proved < programs / 100 || changed < programs / 100))
        failures++, printf("failed: too few cases\n");
    return failures != 0;
}
