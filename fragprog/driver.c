/* The steps of every compilation, from a state or a program to the back end: lowering, passes, and for
 * GL_ATI_fragment_shader register assignment or scheduling. */
#include "fragprog/inst.h"
#include "fragprog/opt/opt.h"
#include "fragprog/reason.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* The beginning of the scratch memory. */
struct front {
    struct fragprog plain, best, derived;
    void *passes;
};
enum { FRONT = (sizeof(struct front) + 15) & ~15u };
_Static_assert(FRONT + 3 * sizeof(struct fragprog_storage) + FRAGPROG_PASSES_SCRATCH <=
                   FRAGPROG_FRONT_SCRATCH,
               "FRAGPROG_FRONT_SCRATCH is too small");

/* Capacity of a program. Passes add no instructions to unbounded programs, but they may add constants that
 * are computed from other constants. */
struct room {
    uint16_t insts, consts;
};

static struct room room_of(const struct fragprog_source *source)
{
    struct room room = {FRAGPROG_TEXENV_INSTS, FRAGPROG_TEXENV_CONSTS};
    if (source->ir && source->ir->unbounded) {
        const uint32_t consts = (uint32_t)source->ir->nkonst + source->ir->ninst;
        room.insts = source->ir->ninst;
        room.consts = (uint16_t)(consts < UINT16_MAX ? consts : UINT16_MAX);
    }
    return room;
}

static size_t room_for(size_t n, size_t size) { return (n * size + 15) & ~(size_t)15; }

static size_t room_for_program(struct room room)
{
    return room_for(room.insts, sizeof(struct fragprog_inst)) +
        room_for(room.consts, sizeof(struct fragprog_const));
}

size_t fragprog_front_scratch(const struct fragprog_source *source)
{
    if (!source->ir || !source->ir->unbounded)
        return FRAGPROG_FRONT_SCRATCH;
    const struct room room = room_of(source);
    return FRONT + 2 * room_for_program(room) + room_for(fragprog_passes_scratch(room.insts), 1);
}

static char *lay_program(struct fragprog *p, char *at, struct room room)
{
    *p = (struct fragprog){.inst = (void *)at, .maxinst = room.insts, .maxkonst = room.consts};
    p->konst = (void *)(at + room_for(room.insts, sizeof *p->inst));
    return at + room_for_program(room);
}

static struct front *lay_out(void *scratch, const struct fragprog_source *source)
{
    struct front *front = scratch;
    const struct room room = room_of(source);
    char *at = lay_program(&front->plain, (char *)scratch + FRONT, room);
    at = lay_program(&front->best, at, room);
    if (!source->ir || !source->ir->unbounded) /* unbounded programs have no derived constants */
        at = lay_program(&front->derived, at, room);
    front->passes = at;
    return front;
}

/* The part of the scratch memory that the back end of ATI_fragment_shader uses. */
struct back {
    struct fragprog p;
    struct fragprog_storage storage;
    struct fragprog_assignment assignment;
    uint64_t schedule[FRAGPROG_SCHEDULE_SCRATCH / sizeof(uint64_t)];
};
_Static_assert(sizeof(struct back) <= FRAGPROG_BACK_SCRATCH, "FRAGPROG_BACK_SCRATCH is too small");

uint32_t fragprog_most_work(uint32_t most, const struct fragprog_options *options)
{
    const uint32_t times = options->level > 2 ? FRAGPROG_OFFLINE : 1;
    return most > UINT32_MAX / times ? UINT32_MAX : most * times;
}

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

void fragprog_show_step(const struct fragprog_options *options, const char *name, const struct fragprog *p,
                        const struct fragprog_assignment *assignment)
{
    if (options->hooks && options->hooks->after)
        options->hooks->after(options->hooks->user,
                              &(struct fragprog_step){.name = name, .p = p, .assignment = assignment});
}

static void after_pass(void *user, const struct fragprog_pass *pass, const struct fragprog *p)
{
    fragprog_show_step(user, pass->name, p, NULL);
}

static void fired(void *user, const char *rule, int unit)
{
    const struct fragprog_options *options = user;
    options->hooks->fired(options->hooks->user, rule, unit);
}

/* Lowers the state, or copies the program. */
static bool take(struct front *front, const struct fragprog_source *source,
                 const struct fragprog_options *options, bool canonical, struct fragprog_reason *why)
{
    struct fragprog *p = &front->plain;
    if (source->state) {
        fragprog_lower_for(p, source->state, canonical);
        fragprog_show_step(options, "lower", p, NULL);
    } else if (!source->ir) {
        return fragprog_refuse(why, -1, "source", "neither a state nor a program is given");
    } else if (fragprog_copy(p, source->ir)) {
        fragprog_show_step(options, source->atifs ? "import" : "read", p, NULL);
        return fragprog_has_one_target(why, p);
    } else {
        fragprog_refuse(why, -1, "length",
                        "the program has %u instructions and %u constants; %d and %d is what one compilation "
                        "is prepared for",
                        source->ir->ninst, source->ir->nkonst, FRAGPROG_TEXENV_INSTS, FRAGPROG_TEXENV_CONSTS);
        return false;
    }
    return true;
}

static bool has_colors(const struct fragprog *p)
{
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[k].origin[c].unit >= 0 && p->konst[k].origin[c].unit < FRAGPROG_ORIGIN_GLOBAL)
                return true;
    return false;
}

/* Makes front->derived from the best program by replacing values that depend on environment colours only with
 * derived constants. Returns false if there are no such values. */
static bool derive(struct front *front, const struct fragprog_options *options,
                   const struct fragprog_opt *opt)
{
    bool any = false;
    if (front->best.unbounded || !has_colors(&front->best))
        return false;
    fragprog_copy(&front->derived, &front->best);
    for (unsigned n = 0; n < 2 && options->derive(&front->derived, &front->plain); n++) {
        fragprog_optimise(&front->derived, opt, front->passes);
        any = true;
    }
    return any;
}

bool fragprog_begin(struct fragprog_compilation *c, const struct fragprog_source *source,
                    const struct fragprog_options *options, bool canonical, void *scratch,
                    struct fragprog_reason *why)
{
    struct front *front = lay_out(scratch, source);
    void (*const after)(void *, const struct fragprog_pass *,
                        const struct fragprog *) = options->hooks && options->hooks->after ? after_pass
                                                                                           : NULL;
    struct fragprog_opt opt = {.fold_constants = options->fold_constants,
                               .skip = options->skip,
                               .after = options->level ? NULL : after,
                               .user = (void *)(uintptr_t)options};
    *c = (struct fragprog_compilation){.atifs = source->atifs,
                                       .scratch = (char *)scratch + fragprog_front_scratch(source)};
    c->budget.most = options->most_work ? options->most_work
                                        : fragprog_most_work(FRAGPROG_MOST_WORK, options);
    /* if no hook observes the steps, lowering produces the canonical form directly */
    const bool at_once = canonical && source->state && !options->hooks && !(options->skip & 1);
    if (!take(front, source, options, at_once, why))
        return false;
    if (!at_once)
        fragprog_optimise(&front->plain, &opt, front->passes);
    if (canonical && !at_once && !front->plain.unbounded)
        fragprog_canonicalise(&front->plain);
    c->best = c->plain = &front->plain;
    if (!options->level)
        return true;
    opt.level = options->level;
    opt.after = after;
    opt.fired = options->hooks && options->hooks->fired ? fired : NULL;
    fragprog_copy(&front->best, &front->plain);
    opt.clean = !(opt.skip & 1);
    fragprog_optimise(&front->best, &opt, front->passes);
    opt.after = NULL;
    opt.clean = false;
    c->best = &front->best;
    if (options->derive && derive(front, options, &opt)) {
        c->underived = &front->best;
        c->best = &front->derived;
    }
    return true;
}

/* Compiles to one pass of ATI_fragment_shader with the register assignment of the founding e-mail. */
static bool assign(struct back *b, struct fragprog_atifs *out, const struct fragprog *p,
                   const struct fragprog_options *options, struct fragprog_reason *why)
{
    fragprog_init(&b->p, &b->storage);
    fragprog_copy(&b->p, p); /* fragprog_assign changes it */
    if (!fragprog_assign(&b->p, options, &b->assignment, why))
        return false;
    fragprog_show_step(options, "assign", &b->p, &b->assignment);
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
    if (c.best->unbounded)
        return fragprog_refuse_unbounded(why, c.best);
    struct back *b = c.scratch;
    const struct fragprog_means means = {&c.budget, b->schedule};
    const struct fragprog_schedule_options how = fragprog_schedule_text(&o);
    const bool two = c.best != c.plain;
    if (assign(b, out, c.best, &o, why)) {
        if (two && b->assignment.npairs == FRAGPROG_PAIRS &&
            fragprog_schedule_shorter(out, c.best, c.plain, &how, &means))
            fragprog_show_step(options, "schedule", c.best, NULL);
        return true;
    }
    /* A fused instruction reads more values at once, which may need one register too many; then the plain
     * program may still fit. */
    o.level = 0;
    if (two && assign(b, out, c.plain, &o, why))
        return true;
    if (!fragprog_schedule_either(out, c.best, two ? c.plain : NULL, &how, &means, why))
        return false;
    fragprog_show_step(options, "schedule", c.best, NULL);
    return true;
}
