/* Tests that the first descent (fragprog/atifs/first_descent.c), a shortcut of the search for registers,
 * gives the result that the search would give and counts the same work: for random states, at all levels,
 * also with little work. */
#include "states_by_chance.h"
#include "hwemit/hwemit.h"

#include <stdlib.h>
#include <string.h>

static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
static unsigned compared, quick;

static bool schedule(struct fragprog_atifs *out, const struct fragprog *p, bool whole, uint32_t most,
                     struct fragprog_budget *budget)
{
    static uint64_t memory[FRAGPROG_SCHEDULE_SCRATCH / sizeof(uint64_t)];
    const struct fragprog_schedule_options options = {
        .max_passes = 1, .rebind = 1, .primary_texcoord = -1, .whole_search = whole};
    struct fragprog_schedule_effort effort;
    *budget = (struct fragprog_budget){.most = most};
    const struct fragprog_means means = {budget, memory};
    memset(out, 0, sizeof *out);
    memset(memory, whole ? 0x55 : 0xaa, sizeof memory);
    const bool found = fragprog_schedule(out, p, &options, &means, NULL, &effort);
    quick += found && !whole && effort.states == out->pass[0].npairs;
    return found;
}

static void compare(const struct fragprog *p, uint32_t most)
{
    struct fragprog_atifs by_search, by_descent;
    struct fragprog_budget of_search, of_descent;
    const bool found = schedule(&by_search, p, true, most, &of_search);
    CHECK(schedule(&by_descent, p, false, most, &of_descent) == found);
    CHECK(!memcmp(&by_search, &by_descent, sizeof by_search));
    CHECK(of_search.spent == of_descent.spent && of_search.ended == of_descent.ended);
    compared += found;
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_state state;
    struct fragprog_compilation c;
    struct fragprog_reason why;
    (void)user;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return true;
    for (unsigned level = 0; level < 3; level++) {
        const struct fragprog_options options = {.level = (uint8_t)level};
        const struct fragprog_source source = {.state = &state};
        if (!fragprog_begin(&c, &source, &options, true, scratch, &why))
            continue;
        compare(c.best, FRAGPROG_MOST_WORK);
        for (uint32_t most = 8; most < 1024; most *= 2)
            compare(c.best, most);
    }
    return true;
}

int main(void)
{
    struct texenv_reader reader = {.on_draw = on_draw};
    read_states_by_chance(&reader, 1500, 6);
    CHECK_SAY(reader.draws > 1000, "%u states", (unsigned)reader.draws);
    CHECK_SAY(compared > 10000 && quick > compared / 2, "%u schedules, %u by the first descent", compared,
              quick);
    return check_report("first_descent");
}
