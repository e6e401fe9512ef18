/* From a state or program to the words of a target. */
#include "hwemit/hwemit.h"

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

int hwemit_option(const struct hwemit_options *options, unsigned n, int otherwise)
{
    return options->given >> n & 1 ? options->value[n] : otherwise;
}

size_t hwemit_scratch(const struct hwemit_target *target) { return FRAGPROG_FRONT_SCRATCH + target->scratch; }

size_t hwemit_scratch_of(const struct hwemit_target *target, const struct fragprog_source *source)
{
    size_t back = target->scratch;
    if (source->ir && source->ir->unbounded && target->unbounded_scratch) {
        const size_t unbounded = target->unbounded_scratch(source->ir->ninst);
        back = unbounded > back ? unbounded : back;
    }
    return fragprog_front_scratch(source) + back;
}

/* The back end's part. */
static bool emit(struct hwemit_code *code, const struct hwemit_target *target, struct fragprog_compilation *c,
                 const struct hwemit_options *options, struct fragprog_reason *why)
{
    if (c->best->unbounded && (!target->unbounded_scratch || (c->best->vertex && !target->vertex)))
        return fragprog_refuse_unbounded(why, c->best);
    const struct hwemit_source made = {
        .best = c->best, .plain = c->plain, .atifs = c->atifs, .budget = &c->budget, .scratch = c->scratch};
    return target->compile(code, &made, options, why);
}

/* Once more from the beginning; what was told to hooks is not told again. */
static bool again(struct hwemit_code *code, const struct hwemit_target *target,
                  const struct fragprog_source *source, const struct hwemit_options *options, void *scratch,
                  struct fragprog_reason *why)
{
    struct fragprog_compilation c;
    struct fragprog_options passes = options->passes;
    passes.hooks = NULL;
    hwemit_code_init(code, code->word, code->maxwords);
    return fragprog_begin(&c, source, &passes, true, scratch, why) && emit(code, target, &c, options, why);
}

static uint32_t length(const struct hwemit_code *code, const struct hwemit_target *target)
{
    return target->length ? target->length(code) : code->stat[0].value;
}

bool hwemit_compile(struct hwemit_code *code, const struct hwemit_target *target,
                    const struct fragprog_source *source, const struct hwemit_options *options, void *scratch,
                    struct fragprog_reason *why)
{
    struct fragprog_compilation c;
    struct hwemit_options with = *options;
    with.passes.most_work = options->passes.most_work ? options->passes.most_work
                                                      : fragprog_most_work(target->most_work, &with.passes);
    with.passes.derive = target->derives && !options->no_derived;
    if (!fragprog_begin(&c, source, &with.passes, true, scratch, why))
        return false;
    if (!c.derived || !(target->length || with.passes.level > 2))
        return emit(code, target, &c, &with, why);
    struct hwemit_options plain = with;
    plain.passes.derive = 0;
    const uint32_t most = again(code, target, source, &plain, scratch, why) ? length(code, target)
                                                                            : UINT32_MAX;
    if (again(code, target, source, &with, scratch, why) && length(code, target) <= most)
        return true;
    return again(code, target, source, &plain, scratch, why);
}
