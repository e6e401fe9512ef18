/* Compiles a program to a plan of stages: reads it, searches for a cover with the allowed features and, if
 * there is none, explains why. */
#include "hwemit/stages/stages_cover.h"
#include "hwemit/words.h"

#include <stddef.h>
#include <string.h>

_Static_assert(sizeof(struct stages_cover) <= STAGES_SCRATCH, "STAGES_SCRATCH is too small");
_Static_assert(STAGES_SCRATCH <= HWEMIT_SCRATCH - FRAGPROG_FRONT_SCRATCH, "more scratch than there is");

enum { HINT_VALUES = 60, HINT_WORK = 2000000 };
enum result { UNREADABLE, NO_COVER, COVERED };

struct attempt {
    const struct hwemit_source *source;
    bool hint;       /* this is a short search that only explains a refusal */
    uint32_t assume; /* assumptions of the features that are allowed */
    unsigned max;
};

/* Returns whether two texels are of the same texture: its colour and its alpha are different atoms. */
static bool same_texture(const struct stages_atom *a, const struct stages_atom *b)
{
    return a->index == b->index && a->coord == b->coord;
}

static bool too_many_textures(const struct stages_cover *c, const uint16_t root[2])
{
    const struct stages_atom *texel[STAGES_ATOMS]; /* one of each texture that the result depends on */
    unsigned n = 0;
    for (unsigned i = 1; i < c->natoms; i++) {
        unsigned k = 0;
        if (c->atom[i].kind != STAGES_TEXEL ||
            !((c->value[root[0]].leaves[i / 32] | c->value[root[1]].leaves[i / 32]) >> i % 32 & 1))
            continue;
        while (k < n && !same_texture(texel[k], &c->atom[i]))
            k++;
        texel[k] = &c->atom[i];
        n += k == n;
    }
    return n > c->chip->textures;
}

/* Sets which features may be used, and clears the memoised results that depend on them. */
static void allow(struct stages_cover *c, uint32_t assume)
{
    c->ops = c->chip->ops;
    c->second = c->chip->delayed || c->chip->second;
    for (const struct stages_feature *f = c->chip->feature; f->name; f++)
        if (assume & f->assumption) {
            c->ops |= f->ops;
            c->second |= f->second;
        }
    for (unsigned i = 0; i < c->nvalues; i++)
        memset(c->value[i].yes, 0, sizeof c->value[i].yes), memset(c->value[i].no, 0, sizeof c->value[i].no);
}

/* Reads the optimised and the plain program, which compute the same result. Its colour and alpha may be taken
 * from either program; equal values are entered once. Returns false, with the reason for the optimised
 * program, if neither can be read. */
static bool read_roots(struct stages_cover *c, const struct hwemit_source *source)
{
    const struct fragprog *const program[2] = {source->best,
                                               source->plain == source->best ? NULL : source->plain};
    uint16_t from[2][2], (*root)[2] = c->root;
    unsigned n = 0;
    struct stages_reason reason = {NULL, "", NULL, -1};
    c->nroots = 0;
    for (unsigned i = 0; i < 2 && program[i]; i++) {
        if (hwemit_stages_read(c, program[i], from[n]))
            n++;
        else if (!reason.code)
            reason = c->reason;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) {
            bool known = false;
            const uint16_t pair[2] = {from[i][0], from[k][1]};
            for (unsigned r = 0; r < c->nroots; r++)
                known |= root[r][0] == pair[0] && root[r][1] == pair[1];
            if (known)
                continue;
            if (!too_many_textures(c, pair))
                root[c->nroots][0] = pair[0], root[c->nroots++][1] = pair[1];
            else if (!reason.code)
                reason = (struct stages_reason){"textures", "fewer textures", c->chip->too_many, -1};
        }
    c->reason = reason;
    return c->nroots > 0;
}

static enum result cover(struct stages_cover *c, const struct attempt *a, struct stages_plan *plan)
{
    hwemit_stages_cover_init(c);
    allow(c, a->assume);
    c->most_values = a->hint ? HINT_VALUES : STAGES_VALUES;
    c->until = a->hint ? a->source->budget->spent + HINT_WORK : UINT32_MAX;
    c->any_constants = c->frozen = false;
    c->own = true;
    c->nroots = 1;
    if (hwemit_stages_read(c, a->source->best, c->root[0]) && !too_many_textures(c, c->root[0]) &&
        hwemit_stages_search(c, 1)) { /* most programs need one stage, and then no further search is needed */
        *plan = c->plan;
        return COVERED;
    }
    if (!read_roots(c, a->source))
        return UNREADABLE;
    unsigned max = a->max;
    enum result result = NO_COVER;
    /* searches first only plans with the operations of the program, which is fast; then also others, which
     * may need fewer stages */
    for (unsigned round = 0; round < 2; round++, c->own = false) {
        allow(c, a->assume);
        if (hwemit_stages_search(c, max)) {
            *plan = c->plan;
            max = plan->nstages - 1u;
            result = COVERED;
        }
    }
    return result;
}

static bool refuse_unreadable(const struct stages_cover *c, struct fragprog_reason *why)
{
    const struct stages_reason *r = &c->reason;
    if (r->unit < 0)
        return hwemit_refuse(why, r->unit, r->code, r->fit, "%s", r->text);
    return hwemit_refuse(why, r->unit, r->code, r->fit, "unit %d: %s", r->unit, r->text);
}

/* Returns the assumptions that the plan relies on. */
static uint32_t uses(const struct stages_chip *chip, const struct stages_plan *plan)
{
    uint32_t assumed = 0;
    for (unsigned s = 0; s < plan->nstages; s++)
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            const struct stages_half *h = &plan->stage[s][pipe];
            for (const struct stages_feature *f = chip->feature; f->name; f++)
                /* only writes of the second register are checked: if it is read, a stage has written it */
                if (f->ops >> h->op & 1 || (f->second && h->out))
                    assumed |= f->assumption;
            if (h->op == STAGES_DOT4)
                assumed |= chip->dot4 | (h->scale ? chip->scaled_dot4 : 0);
        }
    return assumed;
}

/* Refuses, naming the features that the plan needs. */
static bool refuse_features(const struct stages_chip *chip, const struct stages_plan *plan, int unit,
                            struct fragprog_reason *why)
{
    char names[80];
    struct texenv_text text;
    const char *between = "";
    const uint32_t used = uses(chip, plan);
    texenv_text_init(&text, names, sizeof names);
    for (const struct stages_feature *f = chip->feature; f->name; f++)
        if (used & f->assumption) {
            texenv_printf(&text, "%s%s", between, f->name);
            between = " and ";
        }
    return hwemit_refuse(why, unit, "full", chip->fit, "unit %d: a cover in %d stages needs %s, %s (%s)",
                         unit, chip->stages, names, chip->unsettled, chip->fit);
}

/* Refuses a program for which the search has failed. Returns true if the short search for an explanation
 * finds a plan after all. */
static bool refuse(struct stages_cover *c, struct attempt *a, uint32_t all, struct fragprog_reason *why,
                   struct stages_plan *plan)
{
    /* two stages more are tried to say how many the program would need */
    const unsigned stages = c->chip->stages, more = stages + 2 < STAGES_MOST ? stages + 2 : STAGES_MOST;
    const struct fragprog *p = a->source->best;
    const uint32_t assume = a->assume;
    int unit = -1;
    for (unsigned half = 0; half < 2; half++)
        if (p->inst[p->result[half]].unit > unit)
            unit = p->inst[p->result[half]].unit;
    if (a->source->budget->ended) {
        char what[40];
        struct texenv_text text;
        texenv_text_init(&text, what, sizeof what);
        texenv_printf(&text, "no cover in %u stages was found", stages);
        return fragprog_refuse_work(why, a->source->budget, unit, what);
    }
    c->any_constants = true;
    if (c->nkonsts > 2 && hwemit_stages_search(c, stages))
        return hwemit_refuse(why, unit, "constants", "fewer environment colours",
                             "unit %d: a stage reads one constant of its own and one that all stages share: "
                             "no cover in %u stages gets by with that",
                             unit, stages);
    const bool limited = c->overflow;
    a->hint = true;
    if (assume != all) {
        a->assume = all;
        a->max = stages;
        if (cover(c, a, plan) == COVERED)
            return !(uses(c->chip, plan) & all & ~assume) || refuse_features(c->chip, plan, unit, why);
        allow(c, assume);
    }
    c->any_constants = c->frozen = true;
    c->until = a->source->budget->spent + HINT_WORK;
    if (hwemit_stages_search(c, more))
        return hwemit_refuse(why, unit, "stages",
                             c->plan.nstages == stages + 1 ? "one stage fewer" : "2 stages fewer",
                             "unit %d: the cover that was found takes %d stages and the chip has %u", unit,
                             c->plan.nstages, stages);
    return hwemit_refuse(why, unit, limited ? "search" : "stages", "fewer or simpler functions",
                         limited ? "unit %d: no cover in %u stages was found within the bounds of the search"
                                 : "unit %d: there is no cover in %u stages",
                         unit, stages);
}

/* Returns the one of the chip's n texture units that has the texture or can take it, or n. own: takes only
 * the unit of GL's number. */
static unsigned unit_for(const struct stages_plan *plan, unsigned n, const struct stages_atom *texel,
                         bool own)
{
    unsigned lowest = n;
    for (unsigned s = n; s-- > 0;)
        if (!plan->texture[s])
            lowest = s;
        else if (same_texture(&plan->atom[plan->texture[s]], texel))
            return s;
    return !own ? lowest : texel->index < n && !plan->texture[texel->index] ? texel->index : n;
}

/* Assigns textures to the chip's n units, and lists them. The texture of GL's unit k stays in unit k if that
 * exists; others get free units. */
static void assign_textures(struct hwemit_code *code, struct stages_plan *plan, unsigned n)
{
    memset(plan->texture, 0, sizeof plan->texture);
    for (unsigned own = 2; own-- > 0;)
        for (unsigned i = 0; i < (plan->nstages + 1u) * 2 * STAGES_ARGS; i++) {
            struct stages_operand *arg = &plan->stage[i / (2 * STAGES_ARGS)][i / STAGES_ARGS % 2]
                                              .arg[i % STAGES_ARGS];
            if (!arg->used || arg->source != STAGES_TEXEL)
                continue;
            const struct stages_atom *a = &plan->atom[arg->atom];
            const unsigned slot = unit_for(plan, n, a, own);
            if (slot == n)
                continue;
            arg->slot = (uint8_t)slot;
            code->assumed |= a->assumed;
            if (!plan->texture[slot])
                plan->texture[slot] = arg->atom;
        }
    for (unsigned slot = 0; slot < n; slot++) {
        const struct stages_atom *a = &plan->atom[plan->texture[slot]];
        if (plan->texture[slot])
            hwemit_add_texture(code, slot, a->index, a->coord, a->target);
    }
}

bool hwemit_stages_compile(struct hwemit_code *code, const struct hwemit_target *target,
                           const struct hwemit_source *source, const struct hwemit_options *options,
                           struct fragprog_reason *why)
{
    const struct stages_chip *chip = target->chip;
    struct stages_cover *c = source->scratch;
    struct attempt a = {.source = source, .max = chip->stages};
    struct stages_plan plan;
    uint32_t all = 0;
    memset(c, 0, offsetof(struct stages_cover, box));
    c->chip = chip;
    c->budget = source->budget;
    c->assume = options->assume;
    c->strict_constants = options->passes.fold_constants;
    c->last = chip->last[options->follows & 3];
    for (const struct stages_feature *f = chip->feature; f->name; f++)
        all |= f->assumption;
    enum result result = cover(c, &a, &plan);
    if (result == UNREADABLE)
        return refuse_unreadable(c, why);
    a.assume = options->assume & chip->full ? all : options->assume & all;
    /* use assumptions only if that saves a stage */
    if (a.assume && (result == NO_COVER || plan.nstages > 1)) {
        a.max = result == COVERED ? plan.nstages - 1u : chip->stages;
        if (cover(c, &a, &plan) == COVERED)
            result = COVERED;
    }
    if (result == NO_COVER && !refuse(c, &a, all, why, &plan))
        return false;
    code->assumed = uses(chip, &plan);
    code->follows = chip->last[0] ? options->follows : 0;
    plan.atom = c->atom;
    plan.konst = c->konst;
    assign_textures(code, &plan, chip->textures);
    code->constant_word = hwemit_argb_word;
    code->constant_words = 1;
    hwemit_add_stat(code, "stages", plan.nstages);
    chip->emit(code, &plan);
    return true;
}

uint32_t hwemit_stages_constant(struct hwemit_code *code, const struct stages_plan *plan, unsigned slot,
                                const uint16_t part[2])
{
    int unit[2]; /* the unit that each part's colour is from; -1: an immediate */
    float rgba[4];
    for (unsigned i = 0; i < 4; i++) {
        /* A part that is not read gets the rest of the environment colour of the other part; if the other
         * part is a literal, it gets the same literal, as in drivers. */
        const bool is_read = part[i / 3] != STAGES_NONE;
        const uint16_t from = part[is_read ? i / 3 : 1 - i / 3];
        const struct stages_konst *k = from < STAGES_ONE ? &plan->konst[from] : NULL;
        unit[i / 3] = k ? k->unit : -1;
        rgba[i] = !k  ? (from == STAGES_HALF ? 128.0f / 255.0f : 1.0f)
            : is_read ? k->value[i % 3]
                      : k->color[i];
    }
    hwemit_add_constant(code, slot, unit[0], rgba);
    if (unit[0] != unit[1]) {
        code->constant[code->nconstants - 1].channels = FRAGPROG_MASK_XYZ;
        hwemit_add_constant(code, slot, unit[1], rgba);
        code->constant[code->nconstants - 1].channels = FRAGPROG_MASK_W;
    }
    return code->constant_word(rgba, 0);
}
