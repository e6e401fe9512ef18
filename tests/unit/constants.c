/* Tests hwemit_set_constant and hwemit_set_colors: if they replace the colours of a compiled state, its words
 * must equal those of a compilation with the new colours, clamped to [0,1] as GL does (NaN becomes 0). The
 * test must run in the source folder, since it reads the corpora. */
#include "check.h"
#include "hwemit/hwemit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = HWEMIT_TEXENV_WORDS };
static struct hwemit_word word[2][WORDS];
static struct hwemit_code code[2];
static unsigned changed[16]; /* [target]: number of constants that were set */

static uint64_t seed = 88172645463325252u;
static unsigned below(unsigned n)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (unsigned)(seed >> 33) % n;
}

static bool compile(unsigned which, const struct hwemit_target *target, const struct texenv_state *state)
{
    static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    const struct hwemit_options options = {.passes = {.level = 2}};
    const struct fragprog_source source = {.state = state};
    struct fragprog_reason why;
    hwemit_code_init(&code[which], word[which], WORDS);
    return hwemit_compile(&code[which], target, &source, &options, scratch, &why) &&
        CHECK(code[which].nwords <= WORDS);
}

/* Returns the state with other colours, in every channel. given: the same colours before GL clamps them, as a
 * driver may pass them. */
static struct texenv_state recoloured(const struct texenv_state *state, float given[TEXENV_UNITS][4])
{
    static const float wild[] = {-3, 2, 1e30f, INFINITY, -INFINITY, NAN, -0.0f, 1.25f},
                       tame[] = {0, 1, 1, 1, 0, 0, 0, 1};
    struct texenv_state other = *state;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        for (unsigned c = 0; c < 4; c++) {
            given[u][c] = NAN;
            if (u >= other.nstages || !texenv_stage_color_use(&other.stage[u]))
                continue;
            const unsigned n = below(24);
            given[u][c] = n < 8 ? wild[n] : (float)below(1001) / 1000;
            other.stage[u].color[c] = n < 8 ? tame[n] : given[u][c];
        }
    return other;
}

/* Sets the colours; returns the number of constants that depend on them. */
static unsigned set(float color[TEXENV_UNITS][4])
{
    unsigned n = 0;
    hwemit_set_colors(&code[0], color[0]);
    for (unsigned i = 0; i < code[0].nconstants; i++)
        n += code[0].constant[i].unit != -1;
    return n;
}

/* Sets the constants of code[0] one by one to these colours. Returns false if some are no plain colours. */
static bool set_each(float color[TEXENV_UNITS][4])
{
    bool plain = true;
    for (unsigned i = 0; i < code[0].nconstants; i++) {
        const int unit = code[0].constant[i].unit;
        plain = plain && unit != HWEMIT_BY_LANES;
        if (unit >= 0)
            hwemit_set_constant(&code[0], i, color[unit]);
    }
    return plain;
}

static void one_state(const struct texenv_state *state)
{
    float given[TEXENV_UNITS][4];
    const struct texenv_state other = recoloured(state, given);
    for (unsigned t = 0; hwemit_targets[t]; t++) {
        const char *const name = hwemit_targets[t]->name;
        if (!compile(0, hwemit_targets[t], state))
            continue;
        if (!CHECK_SAY(compile(1, hwemit_targets[t], &other), "%s: refused for its colours", name))
            continue;
        CHECK(code[0].nwords == code[1].nwords && code[0].nconstants == code[1].nconstants);
        changed[t] += set(given);
        for (unsigned i = 0; i < code[0].nwords; i++)
            CHECK_SAY(word[0][i].value == word[1][i].value && word[0][i].address == word[1][i].address,
                      "%s: word %u is 0x%x, compiled 0x%x", name, i, word[0][i].value, word[1][i].value);
        for (unsigned i = 0; i < code[0].nconstants; i++)
            CHECK_SAY(memcmp(code[0].constant[i].value, code[1].constant[i].value, 16) == 0,
                      "%s: value of %u", name, i);
        if (compile(0, hwemit_targets[t], state) && set_each(given))
            CHECK_SAY(memcmp(word[0], word[1], code[0].nwords * sizeof *word[0]) == 0, "%s: each by itself",
                      name);
    }
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct texenv_state state;
    (void)user;
    if (texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        one_state(&state);
    return true;
}

static uint64_t all_of(const char *stages, size_t length)
{
    struct texenv_reader reader = {.on_draw = on_draw};
    texenv_read_stages(&reader, stages, length);
    CHECK_SAY(reader.errors == 0, "%.60s", stages);
    return reader.draws;
}

static void corpus(const char *path)
{
    static char text[1 << 20];
    FILE *const file = fopen(path, "rb");
    if (!CHECK_SAY(file, "no %s", path))
        return;
    CHECK(all_of(text, fread(text, 1, sizeof text, file)) > 50);
    fclose(file);
}

static void random_states(unsigned count)
{
    static const char *const term[] = {"T0", "T1", "P", "F", "C", "~C", "C.a", "T0.a"};
    static const char *const form[] = {"%s*%s", "%s+%s", "%s-%s", "lerp(%s,%s,%s)", "%s*%s+%s", "%s+%s-0.5"};
    for (unsigned n = 0; n < count; n++) {
        char text[400] = "";
        for (unsigned u = 0, units = 1 + below(4); u < units; u++) {
            char half[2][64];
            for (unsigned h = 0; h < 2; h++)
                sprintf(half[h], form[below(6)], term[below(8)], term[below(8)], term[below(8)]);
            sprintf(text + strlen(text), "{%s; %s} ", half[0], half[1]);
        }
        CHECK(all_of(text, strlen(text)) == 1);
    }
}

/* Tests colours that a driver passes before GL has clamped them to [0,1]. */
static void out_of_range(void)
{
    static const float wild[4] = {-3, 7, NAN, -0.0f}, tame[4] = {0, 1, 0, 0};
    static const char text[] = "{T0*C}";
    struct texenv_reader reader = {.on_draw = on_draw};
    texenv_read_stages(&reader, text, strlen(text)); /* leaves code for the last target */
    if (!CHECK(code[0].nconstants >= 1))
        return;
    hwemit_set_constant(&code[0], 0, wild);
    hwemit_set_constant(&code[1], 0, tame);
    CHECK(memcmp(word[0], word[1], code[0].nwords * sizeof *word[0]) == 0);
}

int main(void)
{
    corpus("tests/corpus/recorded.stages");
    corpus("tests/corpus/public.stages");
    random_states(300);
    static const char halves[] = "{T0*C; T0} {P; P*C}"; /* one register holds parts of two colours */
    CHECK(all_of(halves, sizeof halves - 1) == 1);
    out_of_range();
    for (unsigned t = 0; hwemit_targets[t]; t++)
        CHECK_SAY(changed[t] > 200, "%s: only %u constants set", hwemit_targets[t]->name, changed[t]);
    return check_report("constants");
}
