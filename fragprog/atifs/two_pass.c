/* Schedules a program into one or two passes: finds the shortest schedule, or the reason why there is
 * none. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

_Static_assert(sizeof(struct fragprog_schedule_scratch) <= FRAGPROG_SCHEDULE_SCRATCH,
               "FRAGPROG_SCHEDULE_SCRATCH is too small");

/* Finding the reason of a refusal has its own budget, this fraction of the whole. */
enum { PART_FOR_REASON = 4 };
enum { WORK_OF_INSTRUCTION = 11 /* for building the graph */ };
/* The fraction of the work that the search without flexible mode leaves for flexible mode (pass_search.c). */
enum { PART_FOR_FLEXIBLE = 2 };

bool fragprog_search_spend(struct fragprog_search *search, uint32_t work)
{
    if (!search->gave_up && !fragprog_spend(search->budget, work))
        search->gave_up = true;
    return !search->gave_up;
}

/* Lets the result of a half be computed in any register and moved to register 0 at the end. */
static void move_result(struct fragprog_slots *s, unsigned half)
{
    unsigned inst = s->g->p.result[half], v = s->result[half];
    s->value[v].keep = 0;
    fragprog_slots_move(s, inst, half, half, true);
}

/* Schedules one pass. Results are computed directly in register 0 or, where that fails, moved there at the
 * end. */
static bool one_pass(struct fragprog_slots *s, const struct fragprog_graph *g, struct fragprog_search *search)
{
    for (unsigned moved = 0; moved < 4 && !search->gave_up; moved++) {
        fragprog_slots_begin(s, g, (UINT64_C(1) << g->nnodes) - 1, true);
        for (unsigned h = 0; h < 2; h++)
            if (moved >> h & 1)
                move_result(s, h);
        unsigned bound = fragprog_slots_bound(s, search->flexible);
        if (bound <= search->slots && fragprog_slots_search(s, search, bound))
            return true;
    }
    return false;
}

/* ---- reasons for refusals ---- */

/* Returns the texture unit of an instruction in this slot, or -1. */
static int unit_at(const struct fragprog_slots *s, unsigned slot)
{
    for (unsigned h = 0; h < 2; h++)
        if (s->slot[slot][h] != FRAGPROG_NO_NODE && s->slot[slot][h] < s->g->nnodes)
            return s->g->p
                .inst[s->g->node[s->slot[slot][h]]
                          .inst[s->g->node[s->slot[slot][h]].inst[h] == FRAGPROG_NO_INST ? 1 - h : h]]
                .unit;
    return -1;
}

static const char *why_not_two(const struct fragprog_graph *g,
                               const struct fragprog_schedule_options *options)
{
    if (options->max_passes < 2)
        return "";
    return (g->primary[0] | g->primary[1]) && !options->interpolators_first
        ? "; no two passes are found, since the first cannot read the primary colour"
        : "; no two passes are found";
}

/* Fills in *why with the number of slots or registers that would suffice. Returns false. */
static bool explain(struct fragprog_schedule_scratch *m, const struct fragprog_schedule_options *options,
                    uint32_t most, struct fragprog_reason *why)
{
    struct fragprog_slots *s = &m->pass[0];
    const struct fragprog_graph *g = &m->graph;
    struct fragprog_budget budget = {.most = most};
    struct fragprog_search search = {
        .slots = FRAGPROG_MAX_SLOTS, .registers = FRAGPROG_REGISTERS, .budget = &budget, .failed = m->failed};
    why->fit[0] = 0;
    if (one_pass(s, g, &search)) {
        int unit = s->nslots > FRAGPROG_PAIRS ? unit_at(s, FRAGPROG_PAIRS) : -1;
        if (s->nslots > FRAGPROG_PAIRS) {
            fragprog_refuse(why, unit, "pairs",
                            "%u instruction pairs are needed and one pass has %d; unit %d is the first that "
                            "does not fit%s",
                            s->nslots, FRAGPROG_PAIRS, unit, why_not_two(g, options));
            return fragprog_would_fit(why, "%u pairs fewer", s->nslots - FRAGPROG_PAIRS);
        }
        return fragprog_refuse(why, unit, "registers",
                               "no assignment of registers was found that the text form can express");
    }
    for (search.registers = FRAGPROG_REGISTERS + 1; search.registers <= 2 * FRAGPROG_REGISTERS;
         search.registers++) {
        search.gave_up = false;
        if (!one_pass(s, g, &search))
            continue;
        uint64_t done = 0;
        unsigned slot = 0;
        for (; slot < s->nslots; slot++) {
            unsigned count[2];
            for (unsigned h = 0; h < 2; h++)
                done |= s->slot[slot][h] == FRAGPROG_NO_NODE ? 0 : UINT64_C(1) << s->slot[slot][h];
            fragprog_slots_count(s, done, 0, count);
            if (count[0] > FRAGPROG_REGISTERS || count[1] > FRAGPROG_REGISTERS)
                break;
        }
        int unit = slot < s->nslots ? unit_at(s, slot) : -1;
        fragprog_refuse(why, unit, "registers",
                        "%u registers are needed and there are %d; unit %d is the first that finds none%s",
                        search.registers, FRAGPROG_REGISTERS, unit, why_not_two(g, options));
        return fragprog_would_fit(why, "%u textures that are read later fewer",
                                  search.registers - FRAGPROG_REGISTERS);
    }
    if (budget.ended)
        return fragprog_refuse(why, -1, "pairs",
                               "one pass has %d instruction pairs and %d registers, which do not suffice; "
                               "how many would is not known%s",
                               FRAGPROG_PAIRS, FRAGPROG_REGISTERS, why_not_two(g, options));
    return fragprog_refuse(why, -1, "pairs",
                           "more than %d instruction pairs are needed and one pass has %d%s",
                           FRAGPROG_MAX_SLOTS, FRAGPROG_PAIRS, why_not_two(g, options));
}

/* Returns true if no setup overwrites a register before it is passed on, when setups are executed in
 * ascending order. */
static bool setups_in_order(const struct fragprog_atifs_pass *pass)
{
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        if (pass->setup[r].op && pass->setup[r].from_reg && pass->setup[r].source < r &&
            pass->setup[pass->setup[r].source].op)
            return false;
    return true;
}

/* Sums of two products are first ordered by depth (product_order.c). If the program then does not fit, all
 * orders of the products of up to MOST_TURNS sums are tried. */
enum { MOST_TURNS = 5 };
static unsigned choices(const struct fragprog *p)
{
    const unsigned products = fragprog_products(p);
    return products ? 1 + (1u << (products < MOST_TURNS ? products : MOST_TURNS)) : 1;
}

/* Builds the graph for choice n. Returns false with *why if an instruction cannot be expressed. */
static bool make_choice(struct fragprog_schedule_scratch *m, const struct fragprog *p, unsigned n,
                        const struct fragprog_schedule_options *options, struct fragprog_reason *why)
{
    fragprog_init(&m->q, &m->storage);
    if (!fragprog_copy(&m->q, p))
        return fragprog_refuse(why, -1, "pairs", "%u instructions: two passes have 32", p->ninst);
    if (n)
        fragprog_turn_products(&m->q, n - 1);
    else
        fragprog_turn_by_depth(&m->q, &m->q);
    return fragprog_make_graph(&m->graph, &m->q, options, n > 0, why);
}

/* Returns a lower bound on slots for all orders of products. It is computed from the program before
 * legalisation, which never removes instructions. */
static unsigned least_slots(const struct fragprog *p, bool flexible)
{
    unsigned color = 0, alpha = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op != FRAGPROG_TEX)
            *(p->inst[i].mask == FRAGPROG_MASK_W ? &alpha : &color) += 1;
    return flexible ? (color + alpha + 1) / 2 : color > alpha ? color : alpha;
}

/* Tries schedules of n passes for all orders of products. */
static bool find_choice(struct fragprog_schedule_scratch *m, const struct fragprog *p,
                        const struct fragprog_schedule_options *options, struct fragprog_search *search,
                        unsigned n, uint32_t *splits)
{
    struct fragprog_reason why;
    const unsigned nchoices = choices(p);
    if (least_slots(p, search->flexible) > n * FRAGPROG_PAIRS)
        return false;
    for (unsigned choice = 0; choice < nchoices && !search->gave_up; choice++) {
        if (!fragprog_search_spend(search, WORK_OF_INSTRUCTION * p->ninst) ||
            !make_choice(m, p, choice, options, &why))
            return false;
        if (n == 1 ? one_pass(&m->pass[0], &m->graph, search) : fragprog_split(m, options, search, splits))
            return true;
    }
    return false;
}

/* Finds a schedule of one or two passes. Flexible mode is used only if the search without it fails or exceeds
 * its share of the work. Returns the number of passes, or 0 if none was found. */
static unsigned find(struct fragprog_schedule_scratch *m, const struct fragprog *p,
                     const struct fragprog_schedule_options *options, struct fragprog_search *search,
                     uint32_t *splits)
{
    struct fragprog_budget *all = search->budget;
    bool ended = false;
    for (unsigned n = options->min_passes > 1 ? options->min_passes : 1; n <= options->max_passes; n++)
        for (unsigned flexible = 0; flexible < 2; flexible++) {
            const uint32_t left = all->most - all->spent;
            struct fragprog_budget part = {.most = flexible ? left : left - left / PART_FOR_FLEXIBLE};
            search->budget = &part;
            search->flexible = flexible;
            search->gave_up = false;
            const bool found = find_choice(m, p, options, search, n, splits);
            all->spent += part.spent;
            ended |= search->gave_up;
            search->budget = all;
            if (found)
                return n;
        }
    search->gave_up = ended;
    all->ended |= ended;
    return 0;
}

/* Writes the program of the schedule to m->made. */
static bool write_program(struct fragprog_schedule_scratch *m, unsigned npasses,
                          const struct fragprog_schedule_options *options, struct fragprog_reason *why)
{
    struct fragprog_atifs *made = &m->made;
    memset(made, 0, sizeof *made);
    for (unsigned i = 0; i < npasses; i++)
        fragprog_emit_slots(&made->pass[i], &m->pass[i], i ? &m->pass[0] : NULL, options);
    if (options->avoid_mesa && !setups_in_order(&made->pass[1]))
        return fragprog_refuse(why, -1, "registers",
                               "no assignment of registers was found in which the second pass could be set "
                               "up one register after the other, as Mesa does");
    made->npasses = (uint8_t)npasses;
    made->color_sum = options->avoid_mesa && options->color_sum;
    fragprog_emit_constants(made, &m->graph.p, options->constants_local);
    return true;
}

/* Fills in the reason for a program without a schedule. */
static bool say_why(const struct fragprog *p, const struct fragprog_schedule_options *options,
                    const struct fragprog_means *means, struct fragprog_reason *why)
{
    struct fragprog_schedule_scratch *m = means->scratch;
    if (means->budget->ended)
        return fragprog_refuse_work(why, means->budget, -1, "no schedule was found");
    return make_choice(m, p, 0, options, why) &&
        explain(m, options, means->budget->most / PART_FOR_REASON, why);
}

/* Tries the fast list schedule (first_descent.c) with the first order of products, which often succeeds. */
static bool schedule_quickly(struct fragprog_atifs *out, const struct fragprog *p,
                             const struct fragprog_schedule_options *options,
                             const struct fragprog_means *means, struct fragprog_schedule_effort *effort)
{
    struct fragprog_schedule_scratch *m = means->scratch;
    const uint32_t left = means->budget->most - means->budget->spent,
                   of_graph = WORK_OF_INSTRUCTION * p->ninst;
    uint32_t work = of_graph;
    if (options->min_passes > 1 || options->bind_compact || options->avoid_mesa || options->text_form ||
        options->alpha_dot_modifiers || options->whole_search || p->ninst > FRAGPROG_TEXENV_INSTS)
        return false;
    fragprog_init(&m->q, &m->storage);
    p = fragprog_turn_by_depth(p, &m->q);
    if (!p || !fragprog_schedule_first(out, p, options, left - left / PART_FOR_FLEXIBLE, &work))
        return false;
    means->budget->spent += work;
    effort->states = (work - of_graph) / FRAGPROG_WORK_OF_SLOT;
    return true;
}

bool fragprog_schedule(struct fragprog_atifs *out, const struct fragprog *p,
                       const struct fragprog_schedule_options *options, const struct fragprog_means *means,
                       struct fragprog_reason *why, struct fragprog_schedule_effort *effort)
{
    if (p->unbounded)
        return fragprog_refuse_unbounded(why, p);
    struct fragprog_schedule_effort none;
    struct fragprog_reason unwanted;
    const bool wanted = why != NULL;
    why = wanted ? why : &unwanted;
    effort = effort ? effort : &none;
    memset(effort, 0, sizeof *effort);
    if (schedule_quickly(out, p, options, means, effort))
        return true;
    struct fragprog_schedule_scratch *m = means->scratch;
    struct fragprog_search search = {.slots = FRAGPROG_PAIRS,
                                     .registers = FRAGPROG_REGISTERS,
                                     .budget = means->budget,
                                     .failed = m->failed,
                                     .shared_dot = options->text_form,
                                     .in_any_order = options->avoid_mesa,
                                     .must_place = options->text_form || options->avoid_mesa};
    if (p->ninst > FRAGPROG_TEXENV_INSTS)
        return fragprog_refuse(why, -1, "pairs", "%u instructions: two passes have 32", p->ninst);
    const unsigned npasses = find(m, p, options, &search, &effort->splits);
    effort->states = search.states;
    effort->gave_up = search.gave_up;
    effort->unplaced = search.unplaced;
    if (!npasses)
        return wanted && say_why(p, options, means, why);
    if (!write_program(m, npasses, options, why))
        return false;
    *out = m->made;
    return true;
}

bool fragprog_schedule_either(struct fragprog_atifs *out, const struct fragprog *best,
                              const struct fragprog *plain, const struct fragprog_schedule_options *options,
                              const struct fragprog_means *means, struct fragprog_reason *why)
{
    struct fragprog_schedule_options o = *options;
    const bool two = plain && plain != best;
    for (o.max_passes = 1; o.max_passes <= options->max_passes; o.max_passes++) {
        o.min_passes = o.max_passes;
        if (fragprog_schedule(out, best, &o, means, NULL, NULL) ||
            (two && fragprog_schedule(out, plain, &o, means, NULL, NULL)))
            return true;
    }
    return why && say_why(best, options, means, why);
}

bool fragprog_schedule_shorter(struct fragprog_atifs *program, const struct fragprog *best,
                               const struct fragprog *plain, const struct fragprog_schedule_options *options,
                               const struct fragprog_means *means)
{
    struct fragprog_schedule_options o = *options;
    struct fragprog_schedule_scratch *m = means->scratch;
    const struct fragprog *tried[2] = {best, plain};
    bool shorter = false;
    o.max_passes = 1;
    for (unsigned i = 0; i < 2 && tried[i]; i++)
        if (fragprog_schedule(&m->other, tried[i], &o, means, NULL, NULL) &&
            m->other.pass[0].npairs < program->pass[0].npairs) {
            *program = m->other;
            shorter = true;
        }
    return shorter;
}

struct fragprog_schedule_options fragprog_schedule_text(const struct fragprog_options *options)
{
    return (struct fragprog_schedule_options){.max_passes = 2,
                                              .bind_compact = options->bind_compact,
                                              .avoid_mesa = options->avoid_mesa,
                                              .constants_local = options->constants_local,
                                              .color_sum = options->color_sum,
                                              .text_form = 1,
                                              .primary_texcoord = -1};
}
