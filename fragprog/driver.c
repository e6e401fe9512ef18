/* The way of every compilation, from a state or a program to a back end. Nothing else puts these steps
 * together. */
#include "fragprog/inst.h"
#include "fragprog/reason.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* What stands at the beginning of the scratch memory. */
struct front {
    struct fragprog plain, best;
    struct fragprog_storage plain_storage, best_storage;
    uint64_t passes[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
};
_Static_assert(sizeof(struct front) <= FRAGPROG_FRONT_SCRATCH, "FRAGPROG_FRONT_SCRATCH is too small");

/* What the extension's back end has there. */
struct back {
    struct fragprog p;
    struct fragprog_storage storage;
    struct fragprog_assignment assignment;
    uint64_t schedule[FRAGPROG_SCHEDULE_SCRATCH / sizeof(uint64_t)];
};
_Static_assert(sizeof(struct back) <= FRAGPROG_BACK_SCRATCH, "FRAGPROG_BACK_SCRATCH is too small");

bool fragprog_spend(struct fragprog_budget *budget, uint32_t work)
{
    if (budget->most - budget->spent < work) {
        budget->spent = budget->most;
        budget->ended = true;
        return false;
    }
    budget->spent += work;
    return true;
}

bool fragprog_refuse_work(struct fragprog_reason *why, const struct fragprog_budget *budget, int unit,
                          const char *what)
{
    why->fit[0] = 0;
    return fragprog_refuse(why, unit, "work", "searched to its limit (%u): %s", (unsigned)budget->most, what);
}

void fragprog_step(const struct fragprog_options *options, const char *name, const struct fragprog *p,
                   const struct fragprog_assignment *assignment)
{
    if (options->hooks && options->hooks->after)
        options->hooks->after(options->hooks->user, &(struct fragprog_step){name, p, assignment});
}

static void after_pass(void *user, const struct fragprog_pass *pass, const struct fragprog *p)
{
    fragprog_step(user, pass->name, p, NULL);
}

static void fired(void *user, const char *rule, int unit)
{
    const struct fragprog_options *options = user;
    options->hooks->fired(options->hooks->user, rule, unit);
}

/* The program as it comes in. */
static bool take(struct fragprog_compilation *c, struct front *front, const struct fragprog_source *source,
                 const struct fragprog_options *options, struct fragprog_reason *why)
{
    struct fragprog *p = &front->plain;
    if (source->state) {
        fragprog_lower(p, source->state);
        fragprog_step(options, "lower", p, NULL);
    } else if (source->atifs) {
        fragprog_import_atifs(p, source->atifs, &c->undefined, front->passes);
        fragprog_step(options, "import", p, NULL);
    } else if (fragprog_copy(p, source->ir)) {
        fragprog_step(options, "read", p, NULL);
    } else {
        fragprog_refuse(why, -1, "length",
                        "the program has %u instructions and %u constants; %d and %d is what one compilation "
                        "is prepared for",
                        source->ir->ninst, source->ir->nkonst, FRAGPROG_TEXENV_INSTS, FRAGPROG_TEXENV_CONSTS);
        return false;
    }
    return true;
}

bool fragprog_begin(struct fragprog_compilation *c, const struct fragprog_source *source,
                    const struct fragprog_options *options, bool canonical, void *scratch,
                    struct fragprog_reason *why)
{
    struct front *front = scratch;
    struct fragprog_opt opt = {.fold_constants = options->fold_constants,
                               .skip = options->skip,
                               .after = options->level ? NULL : after_pass,
                               .user = (void *)(uintptr_t)options};
    *c = (struct fragprog_compilation){.atifs = source->atifs,
                                       .scratch = (char *)scratch + FRAGPROG_FRONT_SCRATCH};
    c->budget.most = options->most_work ? options->most_work : FRAGPROG_MOST_WORK;
    fragprog_init(&front->plain, &front->plain_storage);
    fragprog_init(&front->best, &front->best_storage);
    if (!take(c, front, source, options, why))
        return false;
    fragprog_optimise(&front->plain, &opt, front->passes);
    if (canonical)
        fragprog_canonicalise(&front->plain);
    c->best = c->plain = &front->plain;
    if (!options->level)
        return true;
    opt.level = options->level;
    opt.after = after_pass;
    opt.fired = options->hooks && options->hooks->fired ? fired : NULL;
    fragprog_copy(&front->best, &front->plain);
    fragprog_optimise(&front->best, &opt, front->passes);
    c->best = &front->best;
    return true;
}

bool fragprog_compile_language(struct texenv_text *text, const struct fragprog_source *source,
                               const struct fragprog_options *options,
                               const struct fragprog_language_options *language, void *scratch,
                               struct fragprog_reason *why)
{
    struct fragprog_compilation c;
    return fragprog_begin(&c, source, options, false, scratch, why) &&
        fragprog_print_language(text, c.best, language, why);
}

/* One pass of the extension by the e-mail's register assignment. */
static bool assign(struct back *b, struct fragprog_atifs *out, const struct fragprog *p,
                   const struct fragprog_options *options, struct fragprog_reason *why)
{
    fragprog_init(&b->p, &b->storage);
    fragprog_copy(&b->p, p); /* assignment changes it */
    if (!fragprog_assign(&b->p, options, &b->assignment, why))
        return false;
    fragprog_step(options, "assign", &b->p, &b->assignment);
    fragprog_emit_atifs(out, &b->p, &b->assignment, options);
    return true;
}

bool fragprog_compile_atifs(struct fragprog_atifs *out, const struct fragprog_source *source,
                            const struct fragprog_options *options, void *scratch,
                            struct fragprog_reason *why)
{
    struct fragprog_compilation c;
    struct fragprog_options o = *options;
    if (source->state)
        o.color_sum = source->state->color_sum;
    if (!fragprog_begin(&c, source, options, false, scratch, why))
        return false;
    struct back *b = c.scratch;
    const struct fragprog_means means = {&c.budget, b->schedule};
    const struct fragprog_schedule_options how = fragprog_schedule_text(&o);
    const bool two = c.best != c.plain;
    if (assign(b, out, c.best, &o, why)) {
        if (two && b->assignment.npairs == FRAGPROG_PAIRS &&
            fragprog_schedule_shorter(out, c.best, c.plain, &how, &means))
            fragprog_step(options, "schedule", c.best, NULL);
        return true;
    }
    /* A fused instruction reads more values at once. Where that costs the last register, the plain program
     * may still fit. */
    o.level = 0;
    if (two && assign(b, out, c.plain, &o, why))
        return true;
    if (!fragprog_schedule_either(out, c.best, two ? c.plain : NULL, &how, &means, why))
        return false;
    fragprog_step(options, "schedule", c.best, NULL);
    return true;
}
