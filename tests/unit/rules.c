/* Tests that each row of rules.def is applied: an instruction made from the pattern of a row is rewritten by
 * that row, in each order of commutative arguments, unless the result of an inner operation has another use.
 * tests/optimiser/prove_rules.py proves that the rewrites are right. */
#include "check.h"
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/rule_table.h"

#include <string.h>

enum { VARIABLES = 4 };

static const char *applied;
static bool by_scale; /* whether the modifier X2 of an inner operation is expressed by its scale */

static void note(void *user, const char *rule, int unit)
{
    (void)user, (void)unit;
    applied = rule;
}

static void instruction_of(struct fragprog *p, const uint8_t **t, unsigned *swaps,
                           struct fragprog_inst *inst);

/* Makes a term of the pattern; returns the operand that reads it. Bit 0 of *swaps: whether to swap the
 * arguments of the next commutative operation. */
static struct fragprog_src source_of(struct fragprog *p, const uint8_t **t, unsigned *swaps)
{
    unsigned mods = 0;
    struct fragprog_src src;
    struct fragprog_inst inner;
    for (; **t & FRAGPROG_T_MOD; (*t)++)
        mods |= **t & ~(unsigned)FRAGPROG_T_MOD;
    if (**t >= FRAGPROG_T_ZERO) {
        src = fragprog_src_replicate(FRAGPROG_LITERAL, 0, *(*t)++ - FRAGPROG_T_ZERO + FRAGPROG_ZERO);
        src.negate = mods & FRAGPROG_NEG ? 15 : 0;
        return src;
    }
    if (**t >= FRAGPROG_T_VAR) {
        src = fragprog_src_value(*(*t)++ - FRAGPROG_T_VAR);
    } else {
        instruction_of(p, t, swaps, &inner);
        if (by_scale && mods == FRAGPROG_2X)
            mods = 0, inner.scale = 1;
        src = fragprog_src_value(fragprog_append(p, &inner));
    }
    src.mods = (uint8_t)mods;
    return src;
}

static void instruction_of(struct fragprog *p, const uint8_t **t, unsigned *swaps, struct fragprog_inst *inst)
{
    *inst = (struct fragprog_inst){.op = *(*t)++, .mask = FRAGPROG_MASK_XYZ};
    const bool swapped = FRAGPROG_RULE_COMMUTES(inst->op) && *swaps & 1;
    *swaps >>= FRAGPROG_RULE_COMMUTES(inst->op);
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        inst->src[s < 2 && swapped ? 1 - s : s] = source_of(p, t, swaps);
}

/* Returns the name of the row that is applied to the pattern of `rule`. again: the inner operation has
 * another use. */
static const char *row_for(const struct fragprog_rule *rule, unsigned swaps, bool again)
{
    static uint64_t scratch[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
    const uint8_t *t = rule->pattern;
    struct fragprog_storage storage;
    struct fragprog_inst inst;
    struct fragprog p;
    fragprog_init(&p, &storage);
    for (unsigned v = 0; v < VARIABLES; v++) {
        inst = (struct fragprog_inst){
            .op = FRAGPROG_TEX, .mask = FRAGPROG_MASK_XYZ, .texture = (uint8_t)v, .base = TEXENV_RGBA};
        inst.src[0] = fragprog_src_value(v);
        inst.src[0].file = FRAGPROG_COORD;
        fragprog_append(&p, &inst);
    }
    instruction_of(&p, &t, &swaps, &inst);
    const unsigned i = fragprog_append(&p, &inst);
    p.result[0] = p.result[1] = (uint16_t)i;
    if (again) {
        inst = (struct fragprog_inst){.op = FRAGPROG_MOV, .mask = FRAGPROG_MASK_XYZ};
        inst.src[0] = fragprog_src_value(VARIABLES);
        p.result[1] = (uint16_t)fragprog_append(&p, &inst);
    }
    CHECK_SAY(fragprog_may_have_marks(&p.inst[i], fragprog_ops_read(&p, &p.inst[i])),
              "%s is not seen to match", rule->name);
    struct fragprog_opt opt = {.level = 1, .fired = note, .ranges = fragprog_ranges_over(scratch, &p)};
    fragprog_find_ranges(opt.ranges, &p);
    fragprog_count_uses(opt.ranges, &p);
    applied = NULL;
    return fragprog_opt_rules(&p, &opt, i) ? applied : NULL;
}

static bool has_inner(const struct fragprog_rule *rule)
{
    for (unsigned n = 1; n < FRAGPROG_RULE_TERMS; n++)
        if (rule->pattern[n] && rule->pattern[n] < FRAGPROG_T_VAR)
            return true;
    return false;
}

int main(void)
{
    unsigned last = 0;
    for (const struct fragprog_rule *rule = fragprog_rules; rule->name; rule++) {
        CHECK_SAY(rule->pattern[0] >= last, "%s stands behind rows of later operations", rule->name);
        last = rule->pattern[0];
        for (unsigned way = 0; way < 2u * rule->orders; way++) {
            by_scale = way & 1;
            const char *row = row_for(rule, way / 2, false);
            CHECK_SAY(row && !strcmp(row, rule->name), "to the pattern of %s, order %u, %s is applied",
                      rule->name, way / 2, row ? row : "no row");
        }
        const char *row = has_inner(rule) ? row_for(rule, 0, true) : NULL;
        if (has_inner(rule))
            CHECK_SAY((row != NULL) == (rule->replacement[0] == FRAGPROG_MOV),
                      "what %s matches is read again, and %s is applied", rule->name, row ? row : "no row");
    }
    return check_report("rules");
}
