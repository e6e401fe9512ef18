/* The table of optimisation passes, and the driver that runs them until nothing changes. */
#include "fragprog/operand.h"
#include "fragprog/opt/opt.h"
#include "fragprog/opt/rule_table.h"

enum { DEAD, FOLD, CONSTANT, FORWARD, RULES, ABSORB, WINDOW, CSE, ROWS };

const struct fragprog_pass fragprog_passes[] = {
    [DEAD] = {"dead",
              "dead code: stages and texture reads that do not reach the result, colour and alpha apart", 0,
              fragprog_opt_dead, NULL},
    [FOLD] = {"fold", "with --fold-constants: values of environment colours instead of their names", 1,
              fragprog_opt_fold, NULL},
    [CONSTANT] = {"constant", "values that can only be 0, 1/2 or 1 become literals", 1, NULL,
                  fragprog_opt_constant},
    [FORWARD] = {"forward", "copy propagation, with the modifiers of copies", 1, NULL, fragprog_opt_forward},
    [RULES] = {"rules", "the rewrite rules of rules.def", 1, NULL, fragprog_opt_rules},
    [ABSORB] = {"absorb", "copies that scale or clamp become part of the instruction that they copy", 1, NULL,
                fragprog_opt_absorb},
    [WINDOW] = {"window", "two instructions become one that computes the same polynomial", 2, NULL,
                fragprog_opt_window},
    [CSE] = {"cse", "equal instructions become one", 1, fragprog_opt_cse, NULL},
    [ROWS] = {NULL, NULL, 0, NULL, NULL}};

/* Index after the last row of each group. All rows of a group that work on single instructions process an
 * instruction before the next one is visited. */
static const uint8_t ends[] = {DEAD + 1, FOLD + 1, ABSORB + 1, WINDOW + 1, CSE + 1};

/* Every rewrite leaves fewer instructions, cheaper operations or fewer uses of copies, so the iteration
 * terminates. The limit is only a safeguard for programs that were read as text. */
enum { MOST_ROUNDS = 64 };

/* State of fragprog_optimise. */
struct rows {
    struct fragprog *p;
    struct fragprog_opt opt;
    uint32_t on;          /* bit n: row n runs at this level */
    unsigned first, last; /* the current group: first <= row < last */
    uint32_t walking;     /* bits: rows of the current group that run at this level */
    uint32_t changed;     /* bits: rows of the current group that changed the program */
    bool found;           /* the ranges of values are up to date */
    bool counted;         /* the use counts are up to date */
    bool clean;           /* there is no dead code, so "dead" is skipped once */
};

/* Returns the rows (bits) of the current group that may apply to instruction i. */
static uint32_t rows_due(const struct rows *r, unsigned i)
{
    const struct fragprog_inst *inst = &r->p->inst[i];
    uint32_t due = r->walking;
    if (!(due & 1u << FORWARD))
        return due;
    const uint32_t read = fragprog_ops_read(r->p, inst);
    if (!(read & (1u << FRAGPROG_MOV | 1u << FRAGPROG_VEC)))
        due &= ~(1u << FORWARD);
    if (!(r->opt.ranges->flags[i] & FRAGPROG_POINT))
        due &= ~(1u << CONSTANT);
    if (!fragprog_may_have_marks(inst, read))
        due &= ~(1u << RULES);
    return inst->op == FRAGPROG_MOV && read & ~FRAGPROG_READS_LITERAL ? due : due & ~(1u << ABSORB);
}

/* Runs the rows of the group on one instruction in turn, until none of them changes it. */
static void run_at(struct rows *r, unsigned i)
{
    bool changed = true;
    for (unsigned n = r->first, round = 0; changed && round < MOST_ROUNDS; round++) {
        changed = false;
        for (uint32_t due = rows_due(r, i); due && !changed; n = n + 1 < r->last ? n + 1 : r->first) {
            if (!(due >> n & 1))
                continue;
            due &= ~(1u << n);
            changed = fragprog_passes[n].at(r->p, &r->opt, i);
            if (changed)
                r->changed |= 1u << n;
        }
    }
}

static void count(struct rows *r)
{
    if (!r->counted)
        fragprog_count_uses(r->opt.ranges, r->p);
    r->counted = true;
}

/* Visits the instructions in order, so that the operands of an instruction and their ranges are final when it
 * is visited. A change that would allow a rewrite of an earlier instruction takes effect in the next
 * round. */
static void walk(struct rows *r)
{
    struct fragprog_ranges *ranges = r->opt.ranges;
    count(r);
    for (unsigned i = 0; i < r->p->ninst; i++) {
        const struct fragprog_inst *inst = &r->p->inst[i];
        if (!r->found || r->changed)
            fragprog_find_range(ranges, r->p, i);
        /* skip dead values, and lookups of input coordinates, which no row rewrites */
        if ((!ranges->uses[i] && !fragprog_op_has_effect(inst->op)) ||
            (inst->op == FRAGPROG_TEX && inst->src[0].file == FRAGPROG_COORD))
            continue;
        run_at(r, i);
    }
    r->found = !r->changed;
}

static uint32_t rows_on(const struct fragprog_opt *opt)
{
    uint32_t on = 0;
    for (unsigned n = 0; n < ROWS; n++)
        if (fragprog_passes[n].level <= opt->level)
            on |= 1u << n;
    return on & ~opt->skip;
}

static void tell(const struct rows *r, uint32_t which)
{
    for (unsigned n = r->first; n < r->last; n++)
        if (r->on & which & 1u << n)
            r->opt.after(r->opt.user, &fragprog_passes[n], r->p);
}

/* Runs a row that processes the whole program. */
static uint32_t run_over(struct rows *r, unsigned n)
{
    if (n == CSE)
        count(r);
    const bool changed = fragprog_passes[n].run(r->p, &r->opt);
    if (n != CSE || (changed && r->p->unbounded)) /* CSE keeps the use counts up to date */
        r->counted = false;
    r->found = r->found && !changed;
    return (uint32_t)changed << n;
}

/* Runs all rows once and returns true if one changed the program. *changes counts the changes so far; idle[n]
 * is the value of *changes at the last time when the group that begins at row n changed nothing. */
static bool run_rows(struct rows *r, bool all, uint32_t *changes, uint32_t idle[ROWS])
{
    const uint32_t before = *changes;
    r->last = 0;
    for (const uint8_t *end = ends; r->last < ROWS; end++) {
        const unsigned n = r->last, constants = r->p->nkonst;
        r->first = n;
        r->last = *end;
        r->walking = r->on & ((1u << r->last) - (1u << n));
        /* expensive rows wait until the others find nothing more to do */
        if (!r->walking || idle[n] == *changes || (fragprog_passes[n].level == 2 && *changes != before))
            continue;
        r->changed = 0;
        if (fragprog_passes[n].at)
            walk(r);
        else if (n == DEAD && r->clean)
            r->clean = false;
        else
            r->changed = run_over(r, n);
        *changes += r->changed != 0;
        idle[n] = r->changed ? 0 : *changes;
        if (r->opt.after)
            tell(r, all || r->p->nkonst != constants ? UINT32_MAX : r->changed);
    }
    return *changes != before;
}

/* Runs dead code elimination, the only row of level 0. */
static void run_dead(struct fragprog *p, const struct fragprog_opt *opt)
{
    if (opt->skip >> DEAD & 1)
        return;
    fragprog_opt_dead(p, opt);
    if (opt->after)
        opt->after(opt->user, &fragprog_passes[DEAD], p);
}

void fragprog_optimise(struct fragprog *p, const struct fragprog_opt *opt, void *scratch)
{
    struct rows rows = {.p = p, .opt = *opt, .clean = opt->clean};
    uint32_t changes = 1, idle[ROWS] = {0};
    if (p->ninst > FRAGPROG_TEXENV_INSTS && !p->unbounded)
        rows.opt.level = 0; /* the rewriting passes have tables of fixed size */
    if (p->unbounded && rows.opt.level > 1)
        rows.opt.level = 1; /* the other passes use polynomials whose variables are in [0,1] */
    if (!rows.opt.level) {
        run_dead(p, &rows.opt);
        return;
    }
    const bool once = rows.opt.level == 1 && !p->unbounded;
    rows.opt.ranges = fragprog_ranges_over(scratch, p);
    rows.on = rows_on(&rows.opt);
    for (unsigned round = 0; round < (once ? 1 : MOST_ROUNDS); round++)
        if (!run_rows(&rows, round == 0, &changes, idle))
            return;
    if (once)
        run_dead(p, &rows.opt);
}
