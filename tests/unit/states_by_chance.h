/* Random states for tests, in stage notation: chains of units with random functions. The sequence is the same
 * in each run. */
#ifndef TESTS_STATES_BY_CHANCE_H
#define TESTS_STATES_BY_CHANCE_H

#include "check.h"
#include "texenv/texenv.h"

static inline unsigned draw_number(unsigned n)
{
    static uint32_t x = 1;
    x = x * 1664525u + 1013904223u;
    return (x >> 16) % n;
}

static inline void add_argument(struct texenv_text *text, bool alpha)
{
    static const char *const names[] = {"T0", "T1", "T2", "T3", "P", "P", "C", "F", "1", "0"};
    const unsigned n = draw_number(10);
    texenv_printf(text, "%s%s%s", n < 8 && draw_number(4) == 0 ? "~" : "", names[n],
                  !alpha && n < 8 && draw_number(4) == 0 ? ".a" : "");
}

/* Appends the text of a random half. Returns false if it is a colour half that also computes alpha. */
static inline bool add_half(struct texenv_text *text, bool alpha, bool combine4)
{
    unsigned kind = draw_number(combine4 ? 4 : alpha ? 4 : 6);
    /* kind 3 is a*b+c*d, in a unit of COMBINE4, which has no lerp and no dot3 */
    kind += kind == 3 && !combine4 ? 1 : kind > 3;
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

static inline void add_state(struct texenv_text *text, unsigned most)
{
    static const char *const scales[] = {"", "", "", "*2", "*4", "*2;1"};
    const unsigned units = 1 + draw_number(most);
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

/* Passes `states` random states of at most `units` units to the reader. */
static inline void read_states_by_chance(struct texenv_reader *reader, unsigned states, unsigned units)
{
    static char storage[1 << 20];
    struct texenv_text text;
    texenv_text_init(&text, storage, sizeof storage);
    for (unsigned n = 0; n < states; n++)
        add_state(&text, units);
    CHECK(text.length < sizeof storage);
    texenv_read_stages(reader, storage, text.length);
}

#endif
