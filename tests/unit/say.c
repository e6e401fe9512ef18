/* Tests the combination of two instructions as polynomials: the polynomial of degree 2 equals the polynomial
 * of any degree for the same pair, a pair is reported as higher degree only if it is one, and fragprog_say
 * finds an instruction for every polynomial that one instruction computes. */
#include "check.h"
#include "fragprog/algebra/replace.h"
#include "fragprog/operand.h"
#include "fragprog/opt/say.h"

#include <string.h>

enum { VARIABLES = 4, LITERALS = 3, ARGUMENTS = VARIABLES * FRAGPROG_MAPS + LITERALS };

static struct fragprog program;
static struct fragprog_storage storage;
static struct fragprog_ranges *ranges;

/* Lookups, whose results are the variables. */
static void make_program(void)
{
    static uint64_t scratch[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    fragprog_init(&program, &storage);
    for (unsigned v = 0; v < VARIABLES; v++) {
        struct fragprog_inst inst = {
            .op = FRAGPROG_TEX, .mask = FRAGPROG_MASK_XYZ, .texture = (uint8_t)v, .base = TEXENV_RGBA};
        inst.src[0] = fragprog_src_value(v);
        inst.src[0].file = FRAGPROG_COORD;
        fragprog_append(&program, &inst);
    }
    ranges = fragprog_ranges_over(scratch, &program);
    fragprog_find_ranges(ranges, &program);
}

/* Argument n: a variable with modifiers, or a literal. */
static struct fragprog_src argument(unsigned n)
{
    struct fragprog_src src;
    if (n >= VARIABLES * FRAGPROG_MAPS)
        return fragprog_src_replicate(FRAGPROG_LITERAL, 0, FRAGPROG_ZERO + (n - VARIABLES * FRAGPROG_MAPS));
    src = fragprog_src_value(n % VARIABLES);
    src.mods = (uint8_t)fragprog_mods_of(fragprog_maps[n / VARIABLES]);
    return src;
}

static uint32_t state = 1;
static unsigned below(unsigned n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

static struct fragprog_inst random_instruction(void)
{
    static const uint8_t ops[] = {FRAGPROG_MOV, FRAGPROG_ADD, FRAGPROG_SUB,
                                  FRAGPROG_MUL, FRAGPROG_MAD, FRAGPROG_LERP};
    struct fragprog_inst inst = {.op = ops[below(sizeof ops)],
                                 .mask = FRAGPROG_MASK_XYZ,
                                 .clamp = FRAGPROG_SAT,
                                 .scale = (int8_t)(below(7) - 3)};
    const bool few = below(2); /* use few different operands, and no literals */
    for (unsigned s = 0; s < fragprog_op_args(inst.op); s++)
        inst.src[s] = argument(few ? below(FRAGPROG_MAPS) * VARIABLES + below(2) : below(ARGUMENTS));
    if (inst.op == FRAGPROG_LERP) /* the weight must be in [0,1] */
        inst.src[0] = fragprog_src_value(below(few ? 2 : VARIABLES));
    return inst;
}

static unsigned degree(const struct fragprog_poly *a)
{
    unsigned most = 0;
    for (unsigned i = 0; i < a->n; i++) {
        unsigned factors = 0;
        for (fragprog_monomial m = a->m[i]; m; m <<= 8)
            factors++;
        most = factors > most ? factors : most;
    }
    return most;
}

/* Checks an instruction that reads value VARIABLES, computed by `inner`, up to three times. */
static void check_pair(const struct fragprog_inst *inner, struct fragprog_inst *outer)
{
    struct fragprog_sources sources = {.p = &program, .lanes = FRAGPROG_MASK_XYZ}, again = sources;
    struct fragprog_poly x, f, as_poly;
    struct fragprog_degree2 of_inner, of_both;
    const unsigned one = below(fragprog_op_args(outer->op));
    for (unsigned s = 0; s < fragprog_op_args(outer->op); s++)
        if (s == one || below(3) == 0) {
            const uint8_t mods = outer->src[s].mods;
            outer->src[s] = fragprog_src_value(VARIABLES);
            outer->src[s].mods = mods;
        }
    CHECK(fragprog_expand(&sources, inner, NULL, ARGUMENTS, NULL, &x) &&
          fragprog_expand2(&again, inner, NULL, ARGUMENTS, NULL, &of_inner));
    const bool is_poly = fragprog_expand(&sources, outer, NULL, VARIABLES, &x, &f),
               found = fragprog_expand2(&again, outer, NULL, VARIABLES, &of_inner, &of_both);
    if (is_poly) /* the number of terms is within the limit */
        CHECK_SAY(found == (degree(&f) <= 2), "ops %u, %u: degree %u", inner->op, outer->op, degree(&f));
    CHECK_SAY(!found || !fragprog_is_cubic(outer, inner, VARIABLES), "ops %u, %u: taken for degree 3",
              inner->op, outer->op);
    if (is_poly && found) {
        fragprog_poly_of_degree2(&as_poly, &of_both);
        CHECK_SAY(fragprog_poly_equal(&as_poly, &f), "ops %u, %u: other polynomials", inner->op, outer->op);
    }
}

/* Constants are skipped: not every number can be an operand. */
static bool is_constant(const struct fragprog_degree2 *f)
{
    for (unsigned t = 1; t < FRAGPROG_DEGREE2_TERMS; t++)
        if (f->c[t] != 0)
            return false;
    return true;
}

/* fragprog_say finds an instruction for the polynomial of `inst`, and that instruction has the same
 * polynomial. */
static void check_said(const struct fragprog_inst *inst)
{
    struct fragprog_sources sources = {.p = &program, .lanes = FRAGPROG_MASK_XYZ};
    struct fragprog_inst out = *inst;
    struct fragprog_degree2 f, g;
    if (!fragprog_acceptable(&program, ranges, inst) ||
        !fragprog_expand2(&sources, inst, NULL, ARGUMENTS, NULL, &f) || is_constant(&f))
        return;
    if (!CHECK_SAY(fragprog_say(&program, ranges, &sources, &f, &out),
                   "op %u, scale %d, %u(%x) %u(%x) %u(%x): nothing says it", inst->op, inst->scale,
                   inst->src[0].index, inst->src[0].mods, inst->src[1].index, inst->src[1].mods,
                   inst->src[2].index, inst->src[2].mods))
        return;
    CHECK(fragprog_expand2(&sources, &out, NULL, ARGUMENTS, NULL, &g) && !memcmp(&f, &g, sizeof f));
}

int main(void)
{
    make_program();
    for (unsigned n = 0; n < 100000; n++) {
        const struct fragprog_inst inner = random_instruction();
        struct fragprog_inst outer = random_instruction();
        check_said(&inner);
        check_pair(&inner, &outer);
    }
    return check_report("say");
}
