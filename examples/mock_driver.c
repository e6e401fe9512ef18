/* A driver's draw loop without the hardware: the draws of a recorded trace, each with the words of an r200
 * that its texture environment needs. Words are kept by the key of the state; what only changes a colour is
 * uploaded without compiling. At the end it says how often that was so.
 *
 *   apitrace dump game.trace >game.txt
 *   cc mock_driver.c $(pkg-config --cflags --libs texenv) -o mock_driver && ./mock_driver [--check] game.txt
 *
 * --check compiles every draw afresh, too, and compares: a cache must never give other words.
 */
#ifdef TEXENVC_SINGLE_FILE
#include "texenvc.h"
#else
#include "hwemit/hwemit.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, WORDS = HWEMIT_TEXENV_WORDS };

/* One compiled environment, or one that the chip refuses. */
struct entry {
    uint8_t key[FRAGPROG_KEY_MAX];
    uint32_t length; /* of the key; 0: free */
    uint64_t used;   /* when last */
    bool refused;
    struct hwemit_code code;
    struct hwemit_word word[WORDS];
};

struct driver {
    const struct hwemit_target *chip;
    bool check;
    struct entry entry[ENTRIES];
    const struct entry *current; /* what the chip holds */
    max_align_t scratch[HWEMIT_SCRATCH / sizeof(max_align_t)];
    uint64_t draws, same, hits, misses, refused, colors, uploaded, stale;
};

static bool compile(struct driver *d, struct hwemit_code *code, struct hwemit_word *word,
                    const struct texenv_state *state)
{
    struct fragprog_reason why;
    const struct fragprog_source source = {.state = state};
    const struct hwemit_options options = {.passes = {.level = 2}};
    hwemit_code_init(code, word, WORDS);
    return hwemit_compile(code, d->chip, &source, &options, d->scratch, &why) && code->nwords <= WORDS;
}

/* The entry of this state: found, or made in the place of the one that was not used for longest. */
static struct entry *look_up(struct driver *d, const struct texenv_state *state)
{
    uint8_t key[FRAGPROG_KEY_MAX];
    const uint32_t length = fragprog_key(key, sizeof key, state, false);
    struct entry *oldest = &d->entry[0];
    for (int i = 0; i < ENTRIES; i++) {
        struct entry *e = &d->entry[i];
        if (e->length == length && memcmp(e->key, key, length) == 0) {
            d->hits++;
            return e;
        }
        if (e->used < oldest->used)
            oldest = e;
    }
    d->misses++;
    memcpy(oldest->key, key, length);
    oldest->length = length;
    oldest->refused = !compile(d, &oldest->code, oldest->word, state);
    d->current = d->current == oldest ? NULL : d->current;
    return oldest;
}

/* Gives the kept words the colours of this state; only those that differ are uploaded. */
static void set_colors(struct driver *d, struct entry *e, const struct texenv_state *state)
{
    for (unsigned i = 0; i < e->code.nconstants; i++) {
        const struct hwemit_constant *c = &e->code.constant[i];
        if (c->unit < 0)
            continue; /* the program's own */
        const float *color = state->stage[c->unit].color;
        bool equal = true;
        for (int k = 0; k < 4; k++)
            equal = equal && (!(c->channels >> k & 1) || c->value[k] == color[k]);
        if (equal)
            continue;
        hwemit_set_constant(&e->code, i, color);
        d->colors++;
        if (d->current == e) /* else all words go anyway */
            d->uploaded += e->code.constant_words;
    }
}

/* 0 stale, or the cache is wrong. */
static void check(struct driver *d, const struct entry *e, const struct texenv_state *state)
{
    static struct hwemit_word word[WORDS];
    static struct hwemit_code code;
    if (compile(d, &code, word, state) == e->refused)
        d->stale++;
    else if (!e->refused)
        d->stale += code.nwords != e->code.nwords || memcmp(word, e->word, code.nwords * sizeof *word) != 0;
}

static bool draw(void *user, const struct texenv_draw *now)
{
    struct driver *d = user;
    struct texenv_state state;
    d->draws++;
    if (!now->changed && d->current) { /* nothing was set since the last draw */
        d->same++;
        return true;
    }
    if (!texenv_canonicalise(&state, now->te, NULL, now->no_images, NULL, NULL))
        return true;
    struct entry *e = look_up(d, &state);
    e->used = d->draws;
    if (e->refused) {
        d->refused++; /* a driver falls back to software here */
    } else {
        set_colors(d, e, &state);
        if (d->current != e)
            d->uploaded += e->code.nwords;
        d->current = e;
    }
    if (d->check)
        check(d, e, &state);
    return true;
}

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size)
        return realloc(p, size);
    free(p);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct driver d;
    d.check = argc > 2 && strcmp(argv[1], "--check") == 0;
    FILE *f = argc > 1 ? fopen(argv[argc - 1], "rb") : NULL;
    d.chip = hwemit_find_target("r200");
    struct texenv_reader reader = {.memory = {resize, NULL}, .on_draw = draw, .user = &d};
    struct texenv_trace *trace = f && d.chip ? texenv_trace_open(&reader) : NULL;
    if (!trace) {
        fprintf(stderr, "usage: mock_driver [--check] FILE (the text of apitrace dump)\n");
        return 2;
    }
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, f)) && texenv_trace_feed(trace, piece, n))
        ;
    const bool read = texenv_trace_close(trace);
    fclose(f);
    printf("%llu draws: %llu unchanged, %llu hits, %llu misses, %llu refused\n", (unsigned long long)d.draws,
           (unsigned long long)d.same, (unsigned long long)d.hits, (unsigned long long)d.misses,
           (unsigned long long)d.refused);
    printf("%llu words uploaded, %llu colours changed without compiling\n", (unsigned long long)d.uploaded,
           (unsigned long long)d.colors);
    if (d.check)
        printf("%llu stale\n", (unsigned long long)d.stale);
    return !read || reader.errors || d.stale;
}
