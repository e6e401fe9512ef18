/* Compiles a state or program for a target: runs the front end and the target, and chooses between programs
 * with and without computed constants. */
#include "hwemit/targets.h"

#include <string.h>

bool hwemit_set_option(struct hwemit_options *options, const struct hwemit_target *target, const char *name,
                       int value)
{
    for (unsigned n = 0; target->options && target->options[n].name; n++) {
        const struct hwemit_option *o = &target->options[n];
        if (strcmp(o->name, name) != 0)
            continue;
        if (value < o->low || value > o->high)
            return false;
        options->given |= (uint8_t)(1u << n);
        options->value[n] = (int16_t)value;
        return true;
    }
    return false;
}

int hwemit_option_value(const struct hwemit_options *options, unsigned n, int otherwise)
{
    return options->given >> n & 1 ? options->value[n] : otherwise;
}

size_t hwemit_scratch(const struct hwemit_target *target) { return FRAGPROG_FRONT_SCRATCH + target->scratch; }

size_t hwemit_scratch_of(const struct hwemit_target *target, const struct fragprog_source *source)
{
    size_t back = target->scratch;
    if (source->ir && target->unbounded_scratch && hwemit_is_large(source->ir)) {
        const size_t unbounded = target->unbounded_scratch + source->ir->ninst * target->instruction_scratch;
        back = unbounded > back ? unbounded : back;
    }
    return fragprog_front_scratch(source) + back;
}

bool hwemit_is_optimised(const struct hwemit_source *source)
{
    const struct fragprog *a = source->best, *b = source->plain;
    return b && b != a &&
        (a->ninst != b->ninst || a->nkonst != b->nkonst ||
         memcmp(a->result, b->result, sizeof a->result) != 0 ||
         memcmp(a->inst, b->inst, a->ninst * sizeof *a->inst) != 0 ||
         memcmp(a->konst, b->konst, a->nkonst * sizeof *a->konst) != 0);
}

/* The state of a compilation. */
struct making {
    struct hwemit_code *code;
    const struct hwemit_target *target;
    const struct hwemit_options *options;
    struct fragprog_compilation c;
    struct fragprog_reason *why;
};

/* Runs the target, perhaps again for another program, into the same code. */
static bool emit(struct making *m, const struct fragprog *best)
{
    const struct hwemit_target *target = m->target;
    m->c.budget.spent = 0;
    m->c.budget.ended = false;
    hwemit_code_init(m->code, m->code->word, m->code->maxwords);
    if (best->unbounded && (!target->unbounded_scratch || (best->vertex && !target->vertex_steps)))
        return fragprog_refuse_unbounded(m->why, best);
    const struct hwemit_source made = {.best = best,
                                       .plain = m->c.plain,
                                       .atifs = m->c.atifs,
                                       .budget = &m->c.budget,
                                       .scratch = m->c.scratch};
    return target->compile(m->code, target, &made, m->options, m->why);
}

static uint32_t length(const struct making *m)
{
    return m->target->length ? m->target->length(m->code) : m->code->stat[0].value;
}

/* Emits the program with computed constants, or the one without them if that is shorter. Sets *derived to
 * whether constants are computed. */
static bool emit_shorter(struct making *m, bool *derived)
{
    const uint32_t most = emit(m, m->c.underived) ? length(m) : UINT32_MAX;
    *derived = emit(m, m->c.best) && length(m) <= most;
    return *derived || emit(m, m->c.underived);
}

bool hwemit_compile(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct fragprog_source *source, const struct hwemit_options *options, void *scratch,
                    struct fragprog_reason *why)
{
    struct hwemit_options with = *options;
    struct making m = {.code = code, .target = target, .options = &with, .why = why};
    bool derived = target->derive && !options->no_derived;
    const bool compares = derived && (target->length || options->passes.level > 2);
    if (compares)
        with.passes.hooks = NULL;
    with.passes.most_work = options->passes.most_work ? options->passes.most_work
                                                      : fragprog_most_work(target->most_work, &with.passes);
    with.passes.derive = derived ? target->derive : NULL;
    if (!fragprog_begin(&m.c, source, &with.passes, true, scratch, why))
        return false;
    const bool fits = compares && m.c.underived ? emit_shorter(&m, &derived) : emit(&m, m.c.best);
    if (!compares || !options->passes.hooks)
        return fits;
    /* hooks are called only for the program that is kept, which is known only now: it is made again */
    with.passes.hooks = options->passes.hooks;
    with.passes.derive = derived ? target->derive : NULL;
    return fragprog_begin(&m.c, source, &with.passes, true, scratch, why) && emit(&m, m.c.best);
}
