/* Tests fragprog_say, which finds an instruction for a polynomial: it finds one for every polynomial that one
 * instruction computes, and the instruction found always has that polynomial, also for polynomials of two
 * instructions. */
#include "check.h"
#include "fragprog/algebra/replace.h"
#include "fragprog/operand.h"
#include "fragprog/opt/say.h"

#include <string.h>

enum { VARIABLES = 4, LITERALS = 3, ARGUMENTS = VARIABLES * FRAGPROG_MAPS + LITERALS };

static struct fragprog program;
static struct fragprog_storage storage;
static struct fragprog_ranges *ranges;

/* Makes a program of lookups, whose results are the variables. */
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

/* Returns argument number n: a variable with modifiers, or a literal. */
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

static bool is_constant(const struct fragprog_poly *f) { return !f->n || (f->n == 1 && !f->m[0]); }

/* Checks that the instruction that fragprog_say finds for f has the polynomial f. Returns false if it finds
 * none. */
static bool check_said(struct fragprog_sources *sources, const struct fragprog_poly *f,
                       const struct fragprog_inst *like)
{
    struct fragprog_inst out = *like;
    struct fragprog_poly g;
    if (!fragprog_say(&program, ranges, sources, f, &out))
        return false;
    return CHECK(fragprog_expand(sources, &out, NULL, ARGUMENTS, NULL, &g) && fragprog_poly_equal(f, &g));
}

/* Checks that fragprog_say finds an instruction for the polynomial of `inst`, unless that is constant (not
 * every number can be an operand). */
static void check_one(const struct fragprog_inst *inst)
{
    struct fragprog_sources sources = {.p = &program, .lanes = FRAGPROG_MASK_XYZ};
    struct fragprog_poly f;
    if (!fragprog_acceptable(&program, ranges, inst) ||
        !fragprog_expand(&sources, inst, NULL, ARGUMENTS, NULL, &f) || is_constant(&f))
        return;
    CHECK_SAY(check_said(&sources, &f, inst), "op %u, scale %d, %u(%x) %u(%x) %u(%x): nothing says it",
              inst->op, inst->scale, inst->src[0].index, inst->src[0].mods, inst->src[1].index,
              inst->src[1].mods, inst->src[2].index, inst->src[2].mods);
}

static unsigned said;

/* Checks what fragprog_say finds for the polynomial of two instructions: `outer` is changed to read the
 * result of `inner`, up to three times. For most such polynomials no instruction exists. */
static void check_pair(const struct fragprog_inst *inner, struct fragprog_inst *outer)
{
    struct fragprog_sources sources = {.p = &program, .lanes = FRAGPROG_MASK_XYZ};
    struct fragprog_poly x, f;
    const unsigned one = below(fragprog_op_args(outer->op));
    for (unsigned s = 0; s < fragprog_op_args(outer->op); s++)
        if (s == one || below(3) == 0) {
            const uint8_t mods = outer->src[s].mods;
            outer->src[s] = fragprog_src_value(VARIABLES);
            outer->src[s].mods = mods;
        }
    CHECK(fragprog_expand(&sources, inner, NULL, ARGUMENTS, NULL, &x));
    if (fragprog_expand(&sources, outer, NULL, VARIABLES, &x, &f))
        said += check_said(&sources, &f, outer);
}

int main(void)
{
    make_program();
    for (unsigned n = 0; n < 100000; n++) {
        const struct fragprog_inst inner = random_instruction();
        struct fragprog_inst outer = random_instruction();
        check_one(&inner);
        check_pair(&inner, &outer);
    }
    CHECK(said > 1000);
    return check_report("say");
}
