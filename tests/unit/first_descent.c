/* The first descent by itself (fragprog/atifs/first_descent.c) makes what the search makes, and takes the
 * same work: over states of all kinds, at all levels, and with little work, too. */
#include "check.h"
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

/* ---- states: chains of random functions in stage notation ---- */

static unsigned draw_number(unsigned n)
{
    static uint32_t x = 1;
    x = x * 1664525u + 1013904223u;
    return (x >> 16) % n;
}

static void add_argument(struct texenv_text *text, bool alpha)
{
    static const char *const names[] = {"T0", "T1", "T2", "T3", "P", "P", "C", "F", "1", "0"};
    const unsigned n = draw_number(10);
    texenv_printf(text, "%s%s%s", n < 8 && draw_number(4) == 0 ? "~" : "", names[n],
                  !alpha && n < 8 && draw_number(4) == 0 ? ".a" : "");
}

/* False: the colour gives the alpha, too. */
static bool add_half(struct texenv_text *text, bool alpha, bool combine4)
{
    unsigned kind = draw_number(combine4 ? 4 : alpha ? 4 : 6);
    kind += kind == 3 && !combine4 ? 1 : kind > 3; /* 3: a*b+c*d, with which lerp and dot3 cannot stand */
    if (kind == 4)
        texenv_printf(text, "lerp(");
    else if (kind > 4)
        texenv_printf(text, kind == 5 ? "dot3(" : "dot3a(");
    add_argument(text, alpha);
    for (unsigned a = 1; a < (kind == 0 ? 1u : kind == 3 ? 4u : kind == 4 ? 3u : 2u); a++) {
        texenv_printf(text, "%s", kind >= 4 ? "," : kind == 1 ? "*" : kind == 2 ? "+" : a == 2 ? "+" : "*");
        add_argument(text, alpha);
    }
    texenv_printf(text, "%s", kind >= 4 ? ")" : "");
    return kind != 6;
}

static void add_state(struct texenv_text *text)
{
    static const char *const scales[] = {"", "", "", "*2", "*4", "*2;1"};
    const unsigned units = 1 + draw_number(6);
    for (unsigned u = 0; u < units; u++) {
        texenv_printf(text, "{");
        const bool combine4 = draw_number(3) == 0;
        if (add_half(text, false, combine4)) {
            texenv_printf(text, "; ");
            add_half(text, true, combine4);
        }
        texenv_printf(text, "}%s ", scales[draw_number(6)]);
    }
    texenv_printf(text, "\n");
}

int main(void)
{
    static char storage[1 << 20];
    struct texenv_text text;
    struct texenv_reader reader = {.on_draw = on_draw};
    texenv_text_init(&text, storage, sizeof storage);
    for (unsigned n = 0; n < 1500; n++)
        add_state(&text);
    CHECK(text.length < sizeof storage);
    texenv_read_stages(&reader, storage, text.length);
    CHECK_SAY(reader.draws > 1000, "%u states", (unsigned)reader.draws);
    CHECK_SAY(compared > 10000 && quick > compared / 2, "%u schedules, %u by the first descent", compared,
              quick);
    return check_report("first_descent");
}
