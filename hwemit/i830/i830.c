/* The target i830: Intel's i830, 845, 85x, 865 (fact sheet i830.md). Four blend stages, each with a colour
 * and an alpha pipe. */
#include "hwemit/stages/stages_tiles.h"

#include <string.h>

/* The caller's memory (hwemit_source.scratch). */
struct scratch {
    struct stages_cover cover;
    struct stages_equation equation;
};
_Static_assert(sizeof(struct scratch) <= HWEMIT_SCRATCH - FRAGPROG_FRONT_SCRATCH,
               "i830: more scratch than there is");

enum { FULL, MAD, ACCUM, DOT4_HALF, DOT4_SCALE };
static const struct hwemit_assumption assumptions[] = {
    {"full", "both of the next two"},
    {"modulate-and-add",
     "MODULATE_AND_ADD, known by name only, is a1*a2+a0, its 2X and 4X forms with the product twice and four "
     "times"},
    {"accum", "ACCUM is a second CURRENT, each pipe selecting its own output"},
    {"dot4-half",
     "the alpha term of DOT4 is 0 where both of its arguments are 0x80; used unasked wherever a dot product "
     "goes to alpha"},
    {"dot4-scale",
     "the alpha of DOT4 takes the scale of the colour operation; used unasked wherever a scaled dot product "
     "goes to alpha"},
    {NULL, NULL},
};

enum { HINT_VALUES = 60, HINT_WORK = 2000000 };
enum result { UNREADABLE, NO_COVER, COVERED };

struct attempt {
    const struct hwemit_source *source;
    bool fold; /* constants are folded values */
    bool mad, accum;
    bool hint; /* only to say what would help: not for long */
    unsigned max;
};

static bool too_many_textures(const struct stages_cover *c, const uint16_t root[2])
{
    unsigned n = 0;
    for (unsigned i = 1; i < c->natoms; i++) {
        bool first = c->atom[i].kind == STAGES_TEXEL &&
            (c->value[root[0]].leaves[i / 32] | c->value[root[1]].leaves[i / 32]) >> i % 32 & 1;
        for (unsigned k = 1; k < i; k++)
            first &= !(c->atom[k].kind == STAGES_TEXEL && c->atom[k].index == c->atom[i].index &&
                       c->atom[k].coord == c->atom[i].coord &&
                       (c->value[root[0]].leaves[k / 32] | c->value[root[1]].leaves[k / 32]) >> k % 32 & 1);
        n += first;
    }
    return n > STAGES_TEXTURE_SLOTS;
}

/* The optimised program and the plain one compute the same: the halves of their results may come from either,
 * and what both name is one value. */
static enum result try(struct stages_cover *c, const struct attempt *a)
{
    const struct fragprog *const program[2] = {a->source->best,
                                               a->source->plain == a->source->best ? NULL : a->source->plain};
    uint16_t from[2][2], (*root)[2] = c->root;
    unsigned n = 0, nroots = 0;
    const char *code = NULL, *text = NULL; /* why the optimised one is none */
    int unit = -1;
    hwemit_stages_cover_init(c);
    c->strict_constants = a->fold;
    c->mad = a->mad;
    c->accum = a->accum;
    c->most_values = a->hint ? HINT_VALUES : STAGES_VALUES;
    c->until = a->hint ? a->source->budget->spent + HINT_WORK : UINT32_MAX;
    c->any_constants = c->frozen = false;
    for (unsigned i = 0; i < 2; i++) {
        if (!program[i])
            continue;
        if (hwemit_stages_read(c, program[i], from[n]))
            n++;
        else if (!code)
            code = c->code, text = c->text, unit = c->unit;
    }
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < n; k++) {
            bool known = false;
            const uint16_t pair[2] = {from[i][0], from[k][1]};
            for (unsigned r = 0; r < nroots; r++)
                known |= root[r][0] == pair[0] && root[r][1] == pair[1];
            if (known)
                continue;
            if (!too_many_textures(c, pair))
                root[nroots][0] = pair[0], root[nroots++][1] = pair[1];
            else if (!code)
                code = "textures", text = "more than 4 textures contribute";
        }
    c->nroots = (uint8_t)nroots;
    c->late = true;
    c->natoms_read = c->natoms;
    if (nroots)
        return hwemit_stages_search(c, a->max) ? COVERED : NO_COVER;
    c->code = code;
    c->text = text;
    c->unit = unit;
    return UNREADABLE;
}

static enum result cover(struct stages_cover *c, struct attempt a, unsigned assume, unsigned max, bool hint,
                         struct stages_plan *plan)
{
    a.mad = assume >> MAD & 1;
    a.accum = assume >> ACCUM & 1;
    a.max = max;
    a.hint = hint;
    const enum result result = try(c, &a);
    if (result == COVERED)
        *plan = c->plan;
    return result;
}

static bool refuse_unreadable(const struct stages_cover *c, struct fragprog_reason *why)
{
    static const struct {
        const char *code, *fit;
    } fits[] = {{"textures", "one texture fewer"},
                {"3d", "a 2D texture"},
                {"shadow", "no comparison"},
                {"constants", "fewer constants"},
                {NULL, ""}};
    unsigned i = 0;
    while (fits[i].code && strcmp(fits[i].code, c->code) != 0)
        i++;
    if (c->unit < 0)
        return hwemit_refuse(why, c->unit, c->code, fits[i].fit, "%s", c->text);
    return hwemit_refuse(why, c->unit, c->code, fits[i].fit, "unit %d: %s", c->unit, c->text);
}

static unsigned uses(const struct stages_plan *plan)
{
    unsigned assumed = 0;
    for (unsigned s = 0; s < plan->nstages; s++)
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            const struct stages_half *h = &plan->stage[s][pipe];
            assumed |= h->op >= STAGES_MODULATE_AND_ADD ? 1u << MAD : 0;
            assumed |= h->out == STAGES_ACCUM ? 1u << ACCUM : 0; /* what nothing writes, nothing reads */
            assumed |= h->op == STAGES_DOT4 ? 1u << DOT4_HALF | (h->scale ? 1u << DOT4_SCALE : 0) : 0;
        }
    return assumed;
}

/* c: the search that failed. */
static bool refuse(struct stages_cover *c, const struct attempt *a, unsigned assume,
                   struct fragprog_reason *why)
{
    struct stages_plan plan;
    static const unsigned both = 1u << MAD | 1u << ACCUM;
    int unit = -1;
    const struct fragprog *p = a->source->best;
    for (unsigned half = 0; half < 2; half++)
        if (p->inst[p->result[half]].unit > unit)
            unit = p->inst[p->result[half]].unit;
    if (a->source->budget->ended)
        return fragprog_refuse_work(why, a->source->budget, unit, "no cover in 4 stages was found");
    c->any_constants = true;
    if (c->nkonsts > 2 && hwemit_stages_search(c, STAGES_STAGES))
        return hwemit_refuse(why, unit, "constants", "fewer environment colours",
                             "unit %d: a stage reads one constant of its own and one that all stages share: "
                             "no cover in %d stages gets by with that",
                             unit, STAGES_STAGES);
    const bool limited = c->overflow;
    if (assume != both && cover(c, *a, both, STAGES_STAGES, true, &plan) == COVERED) {
        const unsigned used = uses(&plan) & both;
        return hwemit_refuse(why, unit, "full", "--i830 full",
                             "unit %d: a cover in %d stages needs %s, known by name only (--i830 full)", unit,
                             STAGES_STAGES,
                             used == both            ? "MODULATE_AND_ADD and the accumulator"
                                 : used == 1u << MAD ? "MODULATE_AND_ADD"
                                                     : "the accumulator");
    }
    if (assume != both)
        cover(c, *a, assume, 0, true, &plan); /* back to what is allowed */
    c->any_constants = c->frozen = true;
    c->until = a->source->budget->spent + HINT_WORK;
    if (hwemit_stages_search(c, STAGES_MOST_STAGES)) {
        char fit[40];
        struct texenv_text text;
        texenv_text_init(&text, fit, sizeof fit);
        texenv_printf(&text, c->plan.nstages == STAGES_STAGES + 1 ? "one stage fewer" : "%d stages fewer",
                      c->plan.nstages - STAGES_STAGES);
        return hwemit_refuse(why, unit, "stages", fit,
                             "unit %d: the cover that was found takes %d stages and the chip has %d", unit,
                             c->plan.nstages, STAGES_STAGES);
    }
    if (limited)
        return hwemit_refuse(why, unit, "search", "fewer or simpler functions",
                             "unit %d: no cover in %d stages was found within the bounds of the search", unit,
                             STAGES_STAGES);
    return hwemit_refuse(why, unit, "stages", "fewer or simpler functions",
                         "unit %d: there is no cover in %d stages", unit, STAGES_STAGES);
}

static bool compile(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct scratch *scratch = source->scratch;
    struct stages_cover *c = &scratch->cover;
    struct stages_plan plan;
    c->equation = &scratch->equation;
    c->budget = source->budget;
    const struct attempt a = {.source = source, .fold = options->passes.fold_constants};
    const unsigned assume = options->assume & 1u << FULL ? 1u << MAD | 1u << ACCUM
                                                         : options->assume & (1u << MAD | 1u << ACCUM);
    enum result result = cover(c, a, 0, STAGES_STAGES, false, &plan);
    if (result == UNREADABLE)
        return refuse_unreadable(c, why);
    if (assume && (result == NO_COVER || plan.nstages > 1)) /* only where it saves a stage */
        if (cover(c, a, assume, result == COVERED ? plan.nstages - 1u : STAGES_STAGES, false, &plan) == COVERED)
            result = COVERED;
    if (result == NO_COVER)
        return refuse(c, &a, assume, why);
    hwemit_i830_emit(code, c, &plan);
    code->assumed = uses(&plan);
    return true;
}

const struct hwemit_target hwemit_i830 = {.name = "i830",
                                          .help = "Intel i830 to 865: packets of four blend stages",
                                          .assumptions = assumptions,
                                          .scratch = sizeof(struct scratch),
                                          .most_work = 36000,
                                          .compile = compile,
                                          .registers = hwemit_i830_registers,
                                          .classify = hwemit_i830_classify};
