/* Tests hwemit/cache.h: the cache must return what compilation returns, after every setter call. Covers
 * random calls, snapshots of states, changes without setters, small caches, and failing allocations.
 *
 * usage: cache CALLS TARGET [ENTRIES] */
#include "hwemit/cache.h"
#include "texenv/gl.h"

#include "tests/unit/check.h"

#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;
static unsigned random_below(unsigned n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((seed >> 33) % n);
}

/* ---- every packed field of a unit, and its values ---- */

static const uint32_t functions[] = {GL_REPLACE,
                                     GL_MODULATE,
                                     GL_ADD,
                                     GL_ADD_SIGNED,
                                     GL_INTERPOLATE,
                                     GL_SUBTRACT,
                                     GL_MODULATE_ADD_ATI,
                                     GL_MODULATE_SIGNED_ADD_ATI,
                                     GL_MODULATE_SUBTRACT_ATI,
                                     GL_DOT3_RGB,
                                     GL_DOT3_RGBA,
                                     GL_DOT3_RGB_EXT,
                                     GL_DOT3_RGBA_EXT};
static const uint32_t modes[] = {GL_MODULATE, GL_REPLACE, GL_DECAL,       GL_BLEND,
                                 GL_ADD,      GL_COMBINE, GL_COMBINE4_NV, GL_REPLACE_EXT};
static const uint32_t sources[] = {GL_TEXTURE,      GL_CONSTANT,     GL_PRIMARY_COLOR, GL_PREVIOUS,
                                   GL_ZERO,         GL_ONE,          GL_TEXTURE0,      GL_TEXTURE0 + 1,
                                   GL_TEXTURE0 + 2, GL_TEXTURE0 + 3, GL_TEXTURE0 + 4,  GL_TEXTURE0 + 5,
                                   GL_TEXTURE0 + 6, GL_TEXTURE0 + 7};
static const uint32_t operands[] = {GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_SRC_COLOR,
                                    GL_ONE_MINUS_SRC_COLOR};
static const uint32_t scales[] = {1, 2, 4};
#define VALUES(list) list, sizeof list / sizeof list[0]
static const struct {
    uint32_t pname;
    const uint32_t *value;
    unsigned values;
} slots[] = {
    {GL_TEXTURE_ENV_MODE, VALUES(modes)},    {GL_COMBINE_RGB, VALUES(functions)},
    {GL_COMBINE_ALPHA, functions, 9},        {GL_RGB_SCALE, VALUES(scales)},
    {GL_ALPHA_SCALE, VALUES(scales)},        {GL_SOURCE0_RGB, VALUES(sources)},
    {GL_SOURCE0_RGB + 1, VALUES(sources)},   {GL_SOURCE0_RGB + 2, VALUES(sources)},
    {GL_SOURCE0_RGB + 3, VALUES(sources)},   {GL_SOURCE0_ALPHA, VALUES(sources)},
    {GL_SOURCE0_ALPHA + 1, VALUES(sources)}, {GL_SOURCE0_ALPHA + 2, VALUES(sources)},
    {GL_SOURCE0_ALPHA + 3, VALUES(sources)}, {GL_OPERAND0_RGB, VALUES(operands)},
    {GL_OPERAND0_RGB + 1, VALUES(operands)}, {GL_OPERAND0_RGB + 2, VALUES(operands)},
    {GL_OPERAND0_RGB + 3, VALUES(operands)}, {GL_OPERAND0_ALPHA, operands, 2},
    {GL_OPERAND0_ALPHA + 1, operands, 2},    {GL_OPERAND0_ALPHA + 2, operands, 2},
    {GL_OPERAND0_ALPHA + 3, operands, 2},
};
enum { SLOTS = sizeof slots / sizeof slots[0] };
static const uint32_t targets[] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE, GL_TEXTURE_3D,
                                   GL_TEXTURE_CUBE_MAP};

/* Different values of a field have different codes, and fields do not share bits. */
static void slots_and_bits(void)
{
    uint64_t taken[2] = {0, 0};
    for (unsigned i = 0; i < SLOTS; i++) {
        uint64_t seen[16][2], bits[2] = {0, 0};
        unsigned n = 0;
        struct texenv te;
        texenv_init(&te);
        texenv_enable(&te, GL_TEXTURE_2D, true);
        for (unsigned v = 0; v < slots[i].values; v++) {
            if (texenv_tex_env_i(&te, GL_TEXTURE_ENV, slots[i].pname, (int32_t)slots[i].value[v]))
                continue; /* a fourth source cannot be ONE */
            texenv_pack(&te);
            for (unsigned k = 0; k < n; k++)
                CHECK_SAY(seen[k][0] != te.code[0][0] || seen[k][1] != te.code[0][1],
                          "0x%x: value 0x%x has the code of another", slots[i].pname, slots[i].value[v]);
            memcpy(seen[n++], te.code[0], sizeof seen[0]);
            for (unsigned w = 0; w < 2; w++)
                bits[w] |= seen[0][w] ^ te.code[0][w];
        }
        CHECK_SAY(!(taken[0] & bits[0]) && !(taken[1] & bits[1]), "0x%x: bits of another slot",
                  slots[i].pname);
        taken[0] |= bits[0], taken[1] |= bits[1];
    }
}

/* ---- random calls ---- */

static void random_texture(struct texenv *te)
{
    const struct texenv_texture texture = {
        .complete = random_below(12) != 0,
        .base = (uint8_t)(random_below(2) ? TEXENV_RGBA : random_below(TEXENV_BASES)),
        .depth_mode = (uint8_t[]){TEXENV_LUMINANCE, TEXENV_INTENSITY, TEXENV_BASE_ALPHA}[random_below(3)],
        .compare = random_below(8) == 0};
    texenv_bind_texture(te, random_below(4) ? GL_TEXTURE_2D : targets[random_below(5)], &texture);
}

static void random_call(struct texenv *te, struct texenv *kept)
{
    const unsigned slot = random_below(SLOTS);
    float color[4];
    switch (random_below(16)) {
    case 0:
    case 1:
        texenv_active_texture(te, GL_TEXTURE0 + (random_below(8) ? random_below(3) : random_below(10)));
        break;
    case 2:
        texenv_enable(te, random_below(6) ? GL_TEXTURE_2D : targets[random_below(5)], random_below(8) > 2);
        break;
    case 3: random_texture(te); break;
    case 4:
    case 5:
        for (unsigned c = 0; c < 4; c++)
            color[c] = (float)random_below(5) / 4;
        texenv_tex_env_fv(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
        break;
    case 6: /* snapshots, like those of glPushAttrib */
        if (random_below(4))
            *kept = *te;
        else
            *te = *kept;
        break;
    case 7: /* a change without a setter, and a setter that fails */
        if (te->active < TEXENV_UNITS && random_below(2)) {
            te->unit[te->active].env.mode = modes[random_below(8)];
            te->packed = 0;
        }
        texenv_tex_env_i(te, GL_TEXTURE_ENV, GL_COMBINE_ALPHA, GL_DOT3_RGB);
        break;
    case 8: texenv_tex_env_i(te, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (int32_t)modes[random_below(8)]); break;
    default:
        texenv_tex_env_f(te, GL_TEXTURE_ENV, slots[slot].pname,
                         (float)slots[slot].value[random_below(slots[slot].values)]);
        break;
    }
}

/* Returns whether the code that the setters update equals the code packed from scratch. */
static bool packed_well(const struct texenv *te)
{
    struct texenv kept = *te, anew = *te;
    anew.packed = anew.units = 0;
    anew.hash = 0;
    memset(anew.code, 0, sizeof anew.code);
    texenv_pack(&kept);
    texenv_pack(&anew);
    return kept.hash == anew.hash && kept.units == anew.units &&
        memcmp(kept.code, anew.code, sizeof kept.code) == 0;
}

/* ---- the cache, used as a driver would use it ---- */

struct driver {
    struct hwemit_cache_use use;
    const struct hwemit_code *last;
    struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    const struct hwemit_cache_options *options;
};

static bool draw(struct driver *d, struct texenv *te, struct fragprog_reason *why)
{
    struct hwemit_cache_upload upload[HWEMIT_CACHE_UPLOADS];
    const struct hwemit_code *code = hwemit_cache_get(&d->use, te, why);
    if (code && code != d->last)
        memcpy(d->word, code->word, code->nwords * sizeof *d->word);
    const uint32_t n = hwemit_cache_colors(&d->use, te, upload, HWEMIT_CACHE_UPLOADS);
    CHECK(n <= HWEMIT_CACHE_UPLOADS);
    for (uint32_t i = 0; i < n; i++)
        d->word[upload[i].word].value = upload[i].value;
    d->last = code;
    return code != NULL;
}

/* Returns false if the cached words are stale. */
static bool right(struct driver *d, struct texenv *te)
{
    static struct hwemit_word word[HWEMIT_TEXENV_WORDS];
    static struct hwemit_code code;
    static uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    struct texenv_state state;
    struct fragprog_reason why, wanted;
    const struct fragprog_source source = {.state = &state};
    const bool fits = draw(d, te, &why);
    if (!texenv_canonicalise(&state, te, &d->options->policy, d->options->no_images, NULL, NULL))
        return !fits && strcmp(why.code, "policy") == 0;
    hwemit_code_init(&code, word, HWEMIT_TEXENV_WORDS);
    if (!hwemit_compile(&code, d->options->target, &source, &d->options->options, scratch, &wanted))
        return !fits && strcmp(why.code, wanted.code) == 0;
    return fits && d->last->nwords == code.nwords && memcmp(d->word, word, code.nwords * sizeof *word) == 0 &&
        d->last->ntextures == code.ntextures &&
        memcmp(d->last->texture, code.texture, code.ntextures * sizeof *code.texture) == 0;
}

/* ---- memory ---- */

static long left_to_allocate = -1, blocks;
static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (!size) {
        blocks -= p != NULL;
        free(p);
        return NULL;
    }
    if (left_to_allocate == 0)
        return NULL;
    left_to_allocate -= left_to_allocate > 0;
    blocks += p == NULL;
    return realloc(p, size);
}

static void random_calls(const struct hwemit_cache_options *options, unsigned long calls)
{
    static struct driver d;
    struct hwemit_cache_stats stats;
    struct texenv te, kept;
    unsigned long stale = 0, badly = 0;
    struct hwemit_cache *cache = hwemit_cache_create(options);
    CHECK(cache && hwemit_cache_join(&d.use, cache));
    d.options = options;
    texenv_init(&te);
    kept = te;
    for (unsigned long i = 0; i < calls; i++) {
        random_call(&te, &kept);
        badly += !packed_well(&te);
        stale += !right(&d, &te);
    }
    CHECK_SAY(badly == 0, "after %lu of %lu calls the packed code is another", badly, calls);
    hwemit_cache_statistics(&stats, cache);
    printf("%lu calls, %lu stale; %lu same, %lu hits, %lu equal, %lu compiled, %lu refused, %lu evicted\n",
           calls, stale, (unsigned long)d.use.same, (unsigned long)stats.hits, (unsigned long)stats.equal,
           (unsigned long)stats.compiled, (unsigned long)stats.refused, (unsigned long)stats.evicted);
    CHECK_SAY(stale == 0, "%lu of %lu calls leave stale words", stale, calls);
    CHECK(stats.hits > 0 && stats.equal > 0 && stats.compiled > 0);
    hwemit_cache_leave(&d.use);
    hwemit_cache_destroy(cache);
    CHECK_SAY(blocks == 0, "%ld blocks are left", blocks);
}

/* Lets each allocation fail once: every call must still return an answer and lose no memory. */
static void no_memory(const struct hwemit_cache_options *options)
{
    unsigned created = 0;
    for (long n = 0; n < 12; n++) {
        left_to_allocate = n;
        struct hwemit_cache *cache = hwemit_cache_create(options);
        if (cache) {
            static struct driver d;
            struct fragprog_reason why;
            struct texenv te;
            created++;
            memset(&d, 0, sizeof d);
            d.options = options;
            CHECK(hwemit_cache_join(&d.use, cache));
            texenv_init(&te);
            if (!draw(&d, &te, &why))
                CHECK_SAY(strcmp(why.code, "memory") == 0, "%s", why.code);
            left_to_allocate = -1;
            CHECK(right(&d, &te));
            hwemit_cache_leave(&d.use);
            hwemit_cache_destroy(cache);
        }
        left_to_allocate = -1;
        CHECK_SAY(blocks == 0, "%ld blocks are left", blocks);
    }
    CHECK(created > 1 && created < 12);
}

/* Entries that another user holds are not evicted, however small the cache is. */
static void held(struct hwemit_cache_options options)
{
    static struct driver a, b;
    struct hwemit_cache_use third;
    struct texenv te, other;
    options.entries = 3;
    struct hwemit_cache *cache = hwemit_cache_create(&options);
    CHECK(hwemit_cache_join(&a.use, cache) && hwemit_cache_join(&b.use, cache));
    CHECK(!hwemit_cache_join(&third, cache));
    a.options = b.options = &options;
    texenv_init(&te);
    texenv_enable(&te, GL_TEXTURE_2D, true);
    texenv_bind_texture(&te, GL_TEXTURE_2D, &(struct texenv_texture){.complete = 1});
    other = te;
    CHECK(right(&a, &te));
    for (unsigned i = 0; i < 200; i++) {
        texenv_tex_env_i(&other, GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (int32_t)modes[i % 7]);
        texenv_tex_env_i(&other, GL_TEXTURE_ENV, slots[5 + i % 8].pname, (int32_t)sources[i / 8 % 4]);
        CHECK(right(&b, &other) && right(&a, &te));
    }
    hwemit_cache_leave(&a.use);
    hwemit_cache_leave(&b.use);
    hwemit_cache_destroy(cache);
}

int main(int argc, char **argv)
{
    if (argc < 3 || !hwemit_find_target(argv[2])) {
        fprintf(stderr, "usage: cache CALLS TARGET [ENTRIES]\n");
        return 2;
    }
    struct hwemit_cache_options options = {.target = hwemit_find_target(argv[2]),
                                           .options.passes.level = 2,
                                           .entries = argc > 3 ? (uint32_t)atoi(argv[3]) : 64,
                                           .memory = {resize, NULL}};
    CHECK(!hwemit_cache_create(&(struct hwemit_cache_options){.target = options.target, .entries = 1}));
    slots_and_bits();
    random_calls(&options, strtoul(argv[1], NULL, 10));
    options.policy.crossbar_off = TEXENV_CROSSBAR_REFUSE;
    random_calls(&options, strtoul(argv[1], NULL, 10) / 16);
    no_memory(&options);
    held(options);
    return check_report("cache");
}
