/* The search of all programs (hwemit/i830/every*.c) asked about states that the target covers without it, too: what it must not miss (exhaustive_i830.py --alone).
 * Reads states, one a line, and prints for each what the search says of it. */
#include "hwemit/hwemit.h"
#include "hwemit/i830/cover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct i830_cover cover;
static void *memory;
static bool full;

static const char *tried(const struct fragprog *best, const struct fragprog *plain)
{
    static const char *const said[] = {[I830_COVER_FOUND] = "covered", [I830_NO_COLOR] = "colour", [I830_NO_OWN] = "own", [I830_NO_ALPHA] = "alpha", [I830_NO_SHORT_COLOR] = "short colour", [I830_NO_SHORT_ALPHA] = "short alpha", [I830_NOT_TOGETHER] = "together",
                                       [I830_SHORT_NOT_TOGETHER] = "short together", [I830_NOT_ALL_TRIED] = "not all"};
    const struct fragprog *const program[2] = {best, plain};
    unsigned n = 0;
    hwemit_i830_cover_init(&cover);
    cover.mad = cover.accum = full;
    for (unsigned i = 0; i < 2; i++)
        n += hwemit_i830_read(&cover, program[i], cover.root[n]);
    if (!n)
        return "unreadable";
    cover.nroots = (uint8_t)n;
    cover.late = true;
    cover.natoms_read = cover.natoms;
    hwemit_i830_search(&cover, 0); /* of no stages: no tiles are known but those of what is read */
    return said[hwemit_i830_every(&cover, memory, HWEMIT_SEARCH_MEMORY)];
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    static struct texenv_state state;
    struct fragprog_storage storage[2];
    struct fragprog best, plain;
    const struct fragprog_opt opt = {0};
    (void)user;
    if (!texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL))
        return false;
    fragprog_init(&plain, &storage[0]);
    fragprog_lower(&plain, &state);
    fragprog_optimise(&plain, &opt, 0, 0, NULL, NULL);
    fragprog_canonicalise(&plain);
    fragprog_init(&best, &storage[1]);
    if (fragprog_copy(&best, &plain))
        fragprog_optimise(&best, &opt, 2, 0, NULL, NULL);
    puts(tried(&best, &plain));
    fflush(stdout);
    return true;
}

int main(int argc, char **argv)
{
    static char text[1 << 16];
    struct texenv_reader reader = {.on_draw = on_draw};
    full = argc > 1 && strcmp(argv[1], "full") == 0;
    memory = malloc(HWEMIT_SEARCH_MEMORY);
    if (!memory)
        return 2;
    while (fgets(text, sizeof text, stdin))
        texenv_read_stages(&reader, text, strlen(text));
    free(memory);
    return 0;
}
