/* Tests the cache of shader pairs (fragprog/pair_cache.h): it returns what compilation gives, for pairs that
 * are found, new, or compiled again after eviction; and it writes only to its memory. */
#include "fragprog/ir.h"
#include "fragprog/pair_cache.h"
#include "pairs_by_chance.h"

#include <stdlib.h>

static struct fragprog_pair compiled;
static char texts[FRAGPROG_PAIR_TEXTS];
static uint64_t scratch[FRAGPROG_PAIR_SCRATCH / sizeof(uint64_t)];
static struct fragprog_reason why, why_compiled;

/* ---- the programs that a user of the cache would make, one for each cached pair; here only numbers ---- */

enum { PROGRAMS = 20000 };
static bool alive[PROGRAMS];
static unsigned made, living;

static void gone(void *user, const struct fragprog_cached_pair *found)
{
    CHECK(user == &alive);
    CHECK_SAY(found->user < PROGRAMS && alive[found->user], "program %u goes twice", (unsigned)found->user);
    living--;
    alive[found->user] = false;
}

/* Gets the pair of a source from the cache; returns whether it is new. */
static bool get(struct fragprog_pair_cache *cache, const struct fragprog_pair_source *source,
                const struct fragprog_pair_options *options, struct fragprog_cached_pair **found)
{
    *found = fragprog_pair_cache_get(cache, source, &why);
    const bool fits = fragprog_compile_pair(&compiled, source, options, texts, scratch, &why_compiled);
    CHECK(fits == (*found != NULL));
    if (!*found) {
        CHECK_SAY(strcmp(why.text, why_compiled.text) == 0, "'%s' is not '%s'", why.text, why_compiled.text);
        return false;
    }
    const struct fragprog_pair *pair = &(*found)->pair;
    CHECK(strcmp(pair->vertex, compiled.vertex) == 0 && strcmp(pair->fragment, compiled.fragment) == 0);
    CHECK(memcmp(pair->key, compiled.key, sizeof pair->key) == 0 && pair->nuniforms == compiled.nuniforms &&
          memcmp(pair->uniform, compiled.uniform, sizeof pair->uniform) == 0 &&
          pair->attributes == compiled.attributes && pair->floats == compiled.floats);
    if ((*found)->user)
        return CHECK_SAY(alive[(*found)->user], "a program that is gone is found") && false;
    (*found)->user = ++made;
    alive[made] = true;
    living++;
    return true;
}

static void *open_in(size_t size, struct fragprog_pair_cache **cache, const struct fragprog_pair_options *o)
{
    const struct fragprog_pair_cache_options options = {*o, gone, &alive};
    char *memory = malloc(size + 1);
    memory[size] = 0x5A;
    *cache = fragprog_pair_cache_open(memory, size, &options);
    made = living = 0;
    return memory;
}

/* ---- checks ---- */

static void check_examples(void)
{
    const struct fragprog_pair_options o = {.language = FRAGPROG_GLSL_ES_100, .level = 2};
    struct fragprog_pair_source s = {.state.nstages = 1};
    struct fragprog_pair_cache *cache;
    struct fragprog_cached_pair *first, *found;
    free(open_in(FRAGPROG_PAIR_CACHE_LEAST - 1, &cache, &o));
    CHECK(!cache);
    static const struct fragprog fragment;
    const struct fragprog_pair_options of_one = {.language = FRAGPROG_GLSL_ES_100, .fragment = &fragment};
    free(open_in(FRAGPROG_PAIR_CACHE_LEAST, &cache, &of_one));
    CHECK(!cache);
    void *memory = open_in(FRAGPROG_PAIR_CACHE_LEAST, &cache, &o);
    s.state.stage[0] = (struct texenv_stage){.mode = TEXENV_MODULATE, .target = TEXENV_2D};
    CHECK(get(cache, &s, &o, &first) && !get(cache, &s, &o, &found) && found == first);
    s.state.stage[0].color[2] = 0.5f; /* a value, which is not part of the key */
    CHECK(!get(cache, &s, &o, &found) && found == first);
    s.vertex.fog_coord = s.sprites = 1; /* settings that nothing reads */
    CHECK(!get(cache, &s, &o, &found) && found == first);
    s.points = 1;
    CHECK(get(cache, &s, &o, &found) && found != first);
    s.flat = 1; /* refused for this language, each time */
    CHECK(!get(cache, &s, &o, &found) && !get(cache, &s, &o, &found) && strcmp(why.code, "flat") == 0);
    s.state.nstages = 9;
    CHECK(!fragprog_pair_cache_get(cache, &s, &why));
    s.flat = s.points = 0, s.state.nstages = 1;
    CHECK(!get(cache, &s, &o, &found) && found == first);
    CHECK(made == 2 && living == 2);
    free(memory);
}

/* Makes random sources, half of which differ from the previous one in one bit only. */
static void random_sources(struct fragprog_pair_source *source, unsigned sources)
{
    for (unsigned n = 0; n < sources; n++) {
        const size_t first = one_in(2) ? offsetof(struct fragprog_pair_source, flat)
                                       : offsetof(struct fragprog_pair_source, vertex);
        random_source(&source[n]);
        if (n % 2)
            source[n] = source[n - 1];
        ((uint8_t *)&source[n])[first + draw_number(sizeof source[n] - first)] ^= n % 2;
    }
}

/* Draws with `sources` random sources, some of which are much more frequent than others. */
static void check_random(size_t size, unsigned sources, unsigned draws, bool all_fit)
{
    static struct fragprog_pair_source source[400];
    struct fragprog_pair_options o;
    struct fragprog_pair_cache *cache;
    struct fragprog_cached_pair *found;
    unsigned found_new = 0;
    random_options(&o);
    char *memory = open_in(size, &cache, &o);
    random_sources(source, sources);
    for (unsigned n = 0; n < draws; n++) {
        const unsigned most = one_in(2) ? sources : 8;
        found_new += get(cache, &source[draw_number(most)], &o, &found);
    }
    CHECK(made == found_new && memory[size] == 0x5A);
    CHECK_SAY(all_fit ? living == made && made <= sources : living < made && made > sources,
              "%u programs made, %u living, of %u sources", made, living, sources);
    free(memory);
}

int main(void)
{
    begin_pairs(4);
    check_examples();
    for (unsigned n = 0; n < 6; n++) {
        check_random(4 << 20, 300, 2000, true);
        check_random(FRAGPROG_PAIR_CACHE_LEAST + 16 * n + n, 300, 1500, false);
    }
    return check_report("pair_cache");
}
