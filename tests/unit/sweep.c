/* Tests the incremental optimiser (fragprog/passes.c), which skips unchanged instructions and passes that
 * cannot apply, and updates value ranges and use counts. The test instead applies all passes to all
 * instructions, with ranges and use counts computed anew each time, until nothing changes. This must not
 * change an optimised program any more; from the original program, it must lead to a program of the same
 * length. */
#include "states_by_chance.h"
#include "fragprog/backend.h"
#include "fragprog/opt/opt.h"

static uint64_t scratch[FRAGPROG_FRONT_SCRATCH / sizeof(uint64_t)],
    memory[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
static unsigned states, others, rewrites;
static const char *applied;

static void note(void *user, const char *rule, int unit)
{
    (void)user, (void)unit;
    applied = rule;
    rewrites++;
}

/* Computes value ranges and use counts anew. */
static void find(const struct fragprog *p, struct fragprog_opt *opt)
{
    opt->ranges = fragprog_ranges_over(memory, p);
    fragprog_find_ranges(opt->ranges, p);
    uint32_t *const uses = opt->ranges->uses;
    memset(uses, 0, p->ninst * sizeof *uses);
    uses[p->result[0]]++;
    uses[p->result[1]]++;
    for (unsigned i = p->ninst; i-- > 0;)
        for (unsigned s = 0; uses[i] && s < fragprog_op_args(p->inst[i].op); s++)
            uses[p->inst[i].src[s].index] += p->inst[i].src[s].file == FRAGPROG_VALUE;
}

/* Applies the passes from `row` to before `end`, which rewrite single instructions, to each instruction until
 * nothing changes; or applies one pass that works on the whole program. Returns whether something changed. */
static bool sweep_rows(struct fragprog *p, const struct fragprog_pass *row, const struct fragprog_pass *end,
                       struct fragprog_opt *opt)
{
    bool changed = false;
    find(p, opt);
    if (!row->at)
        return row->run(p, opt);
    for (unsigned i = 0; i < p->ninst; i++)
        for (const struct fragprog_pass *r = row; r < end; r++) {
            find(p, opt);
            if (opt->ranges->uses[i] && r->at(p, opt, i)) {
                changed = true;
                r = row - 1;
            }
        }
    return changed;
}

/* Applies all passes of the level once; those of level 2 only if the others change nothing. */
static bool sweep_once(struct fragprog *p, unsigned level)
{
    struct fragprog_opt opt = {.level = (uint8_t)level, .fired = note};
    bool changed = false;
    for (const struct fragprog_pass *row = fragprog_passes, *end; row->name; row = end) {
        end = row + 1;
        while (row->at && row->level < 2 && end->at && end->level == row->level)
            end++;
        if (row->level < 2 || (level == 2 && !changed))
            changed |= sweep_rows(p, row, end, &opt);
    }
    return changed;
}

/* Applies the passes until nothing changes; returns whether something changed. */
static bool sweep(struct fragprog *p, unsigned level)
{
    bool ever = false;
    if (level == 1) {
        ever = sweep_once(p, 1);
        fragprog_opt_dead(p, &(struct fragprog_opt){0});
        return ever;
    }
    while (sweep_once(p, level))
        ever = true;
    return ever;
}

static void copy(struct fragprog *to, struct fragprog_storage *storage, const struct fragprog *from)
{
    fragprog_init(to, storage);
    CHECK(fragprog_copy(to, from));
}

static bool same(const struct fragprog *a, const struct fragprog *b)
{
    return a->ninst == b->ninst && !memcmp(a->inst, b->inst, a->ninst * sizeof *a->inst);
}

/* Returns whether an instruction computes the same as an earlier one. */
static bool repeats(const struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned j = 0; j < i; j++) {
            struct fragprog_inst a = p->inst[i], b = p->inst[j];
            a.unit = b.unit = 0;
            if (!memcmp(&a, &b, sizeof a))
                return true;
        }
    return false;
}

static void compare(const struct texenv_state *state, unsigned level)
{
    static struct fragprog_storage storage[2];
    struct fragprog made, swept;
    struct fragprog_compilation c;
    struct fragprog_reason why;
    const struct fragprog_options options = {.level = (uint8_t)level};
    const struct fragprog_source source = {.state = state};
    CHECK(fragprog_begin(&c, &source, &options, true, scratch, &why));
    copy(&swept, &storage[0], c.plain);
    copy(&made, &storage[1], c.best);
    sweep(&swept, level);
    CHECK_SAY(swept.ninst == made.ninst, "-O%u, state %u: %u instructions, by sweeps %u", level, states,
              made.ninst, swept.ninst);
    others += !same(&made, &swept);
    if (level == 1)
        return;
    CHECK_SAY(!repeats(&made), "state %u: an instruction occurs twice", states);
    CHECK_SAY(!sweep(&made, level), "state %u: %s is left", states, applied);
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_state state;
    (void)user;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    compare(&state, 1);
    compare(&state, 2);
    states++;
    return true;
}

int main(void)
{
    struct texenv_reader reader = {.on_draw = on_draw};
    read_states_by_chance(&reader, 4000, 8);
    CHECK_SAY(states > 3000 && rewrites > states, "%u states, %u rewrites", states, rewrites);
    /* a few may differ, since the passes are applied in another order */
    CHECK_SAY(others < 10, "%u other programs of the same length", others);
    return check_report("sweep");
}
