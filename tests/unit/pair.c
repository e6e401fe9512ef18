/* Tests shader pairs (fragprog/pair.h): the declarations in their texts, their keys, and that structures of
 * random bytes are refused or compiled safely.
 *
 * pair                     runs the tests
 * pair LANGUAGE COUNT DIR  instead writes COUNT random pairs as DIR/n.vert and DIR/n.frag
 */
#include "pairs_by_chance.h"

#include <stdlib.h>
#include <string.h>

static char texts[FRAGPROG_PAIR_TEXTS + 1], other_texts[FRAGPROG_PAIR_TEXTS + 1];
static union {
    max_align_t align;
    char bytes[FRAGPROG_PAIR_SCRATCH + 1];
} scratch;
static struct fragprog_pair pair, other;
static struct fragprog_reason why;

static bool compile(const struct fragprog_pair_source *source, const struct fragprog_pair_options *options)
{
    texts[FRAGPROG_PAIR_TEXTS] = scratch.bytes[FRAGPROG_PAIR_SCRATCH] = 0x5A;
    const bool ok = fragprog_compile_pair(&pair, source, options, texts, &scratch, &why);
    CHECK(texts[FRAGPROG_PAIR_TEXTS] == 0x5A && scratch.bytes[FRAGPROG_PAIR_SCRATCH] == 0x5A);
    return ok;
}

/* ---- checks ---- */

/* Returns whether one of the texts declares the uniform with this name. */
static bool is_declared(const struct fragprog_pair_options *o, const struct fragprog_pair_uniform *uniform)
{
    char name[128], declaration[160];
    struct texenv_text text;
    texenv_text_init(&text, name, sizeof name);
    fragprog_print_pair_uniform(&text, uniform, o);
    const char *type = fragprog_pair_uniform_type(uniform->id), *member = strchr(name, '.');
    name[strcspn(name, "[")] = '\0';
    snprintf(declaration, sizeof declaration, "%s %s", type, member ? member + 1 : name);
    return strstr(pair.vertex, declaration) || strstr(pair.fragment, declaration);
}

static void check_uniforms(const struct fragprog_pair_options *o)
{
    static uint8_t taken[FRAGPROG_PAIR_UNIFORMS * 16];
    memset(taken, 0, sizeof taken);
    CHECK(pair.nuniforms <= FRAGPROG_PAIR_UNIFORMS && pair.floats <= sizeof taken);
    for (unsigned n = 0; n < pair.nuniforms; n++) {
        const struct fragprog_pair_uniform *uniform = &pair.uniform[n];
        const char *type = fragprog_pair_uniform_type(uniform->id);
        const unsigned columns = type[0] == 'm' ? (unsigned)(type[3] - '0') : 1,
                       rows = type[0] == 'f' ? 1 : (unsigned)(type[3] - '0'),
                       step = o->language == FRAGPROG_GLSL_450 ? 4 : rows;
        CHECK_SAY(is_declared(o, uniform), "uniform row %u is declared nowhere", (unsigned)uniform->id);
        for (unsigned i = 0; i < columns * rows; i++) {
            const unsigned at = uniform->offset + i / rows * step + i % rows;
            CHECK_SAY(at < pair.floats && !taken[at], "two uniforms at %u of %u", at, (unsigned)pair.floats);
            taken[at] = 1;
        }
    }
}

static void check_random(unsigned count)
{
    struct fragprog_pair_source s;
    struct fragprog_pair_options o;
    unsigned compiled = 0;
    for (unsigned n = 0; n < count; n++) {
        random_source(&s);
        random_options(&o);
        const bool ok = compile(&s, &o);
        if (!ok && CHECK_SAY(why.text[0] && why.code, "refused without a reason"))
            continue;
        compiled++;
        check_uniforms(&o);
        /* texts contain no values of GL, so the key does not depend on these */
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            s.state.stage[u].color[u % 4] += 0.25f;
        s.state.alpha_ref = 0.5f;
        CHECK(fragprog_compile_pair(&other, &s, &o, other_texts, &scratch, &why));
        CHECK(memcmp(pair.key, other.key, sizeof pair.key) == 0 && strcmp(pair.vertex, other.vertex) == 0 &&
              strcmp(pair.fragment, other.fragment) == 0);
    }
    CHECK_SAY(compiled > count / 3, "only %u of %u compiled", compiled, count);
}

/* Checks that sources with equal keys give equal pairs, and that unused settings do not change the key. */
static void check_keys(unsigned count)
{
    struct fragprog_pair_source s, t;
    struct fragprog_pair_options o;
    unsigned equal = 0;
    for (unsigned n = 0; n < count; n++) {
        random_source(&s);
        random_options(&o);
        t = s;
        const size_t first = offsetof(struct fragprog_pair_source, vertex);
        ((uint8_t *)&t)[first + draw_number(sizeof t - first)] ^= 1;
        if (!compile(&s, &o) || !fragprog_compile_pair(&other, &t, &o, other_texts, &scratch, &why))
            continue;
        const bool same = strcmp(pair.vertex, other.vertex) == 0 &&
            strcmp(pair.fragment, other.fragment) == 0;
        const bool keys = memcmp(pair.key, other.key, sizeof pair.key) == 0;
        CHECK_SAY(!keys || same, "one key, two pairs");
        CHECK_SAY(!keys ||
                      (pair.nuniforms == other.nuniforms &&
                       memcmp(pair.uniform, other.uniform, sizeof pair.uniform) == 0),
                  "one key, two interfaces");
        equal += keys;
    }
    CHECK_SAY(equal > count / 20 && equal < count, "%u of %u keys are equal", equal, count);
}

/* Compiles sources of random bytes: all bytes are random, or all but those that would cause a refusal. */
static void check_bytes(unsigned count)
{
    static struct fragprog_pair_source s;
    struct fragprog_pair_options o;
    unsigned compiled = 0;
    for (unsigned n = 0; n < count; n++) {
        uint8_t *byte = (uint8_t *)&s;
        for (size_t i = 0; i < sizeof s; i++)
            byte[i] = (uint8_t)(n % 2 ? draw_number(256) : draw_number(3));
        if (n % 2 == 0)
            memset(&s.vertex, 0, draw_number(2) * sizeof s.vertex), s.state.nstages = (uint8_t)draw_number(9);
        random_options(&o);
        o.language = n % 5 ? o.language : (uint8_t)draw_number(256);
        compiled += compile(&s, &o);
    }
    CHECK_SAY(compiled > count / 50 && compiled < count, "%u of %u compiled", compiled, count);
}

/* ---- examples ---- */

static void has(const char *text, const char *part, bool wanted)
{
    CHECK_SAY((strstr(text, part) != NULL) == wanted, "'%s' is %s in:\n%s", part, wanted ? "not" : "", text);
}

static void say(struct fragprog_pair_source *s, const char *words)
{
    const struct texenv_sink none = {NULL, NULL};
    CHECK(texenv_read_vertex(&s->vertex, NULL, words, strlen(words), 1, &none));
}

static void check_examples(void)
{
    struct fragprog_pair_source s = {.affine = 0xff};
    struct fragprog_pair_options o = {.language = FRAGPROG_GLSL_330, .level = 2};
    /* {T0*P} */
    s.state.nstages = 1;
    s.state.stage[0] = (struct texenv_stage){.mode = TEXENV_MODULATE, .target = TEXENV_2D};
    CHECK(compile(&s, &o));
    has(pair.vertex, "gl_Position = projection * (modelview * vertex_position);", true);
    has(pair.vertex, "texture_matrix", false);
    has(pair.vertex, "normal", false);
    CHECK(pair.nuniforms == 2 && pair.floats == 32);
    CHECK(pair.attributes ==
          (1u << FRAGPROG_ATTRIB_POSITION | 1u << FRAGPROG_ATTRIB_COLOR | 1u << FRAGPROG_ATTRIB_TEXCOORD));
    CHECK(pair.location[FRAGPROG_ATTRIB_TEXCOORD] == FRAGPROG_ATTRIB_TEXCOORD);
    s.sprites = 1; /* only affects points, which are not drawn */
    CHECK(compile(&s, &o));
    has(pair.fragment, "gl_PointCoord", false);
    s.points = 1;
    CHECK(compile(&s, &o) && pair.coords == 0);
    has(pair.fragment, "gl_PointCoord", true);
    has(pair.vertex, "gl_PointSize = point_size;", true);
    s.points = s.sprites = 0;
    o.packed = 1;
    CHECK(compile(&s, &o) && pair.location[FRAGPROG_ATTRIB_TEXCOORD] == 2);
    say(&s, "lighting light0 light1 light2 normalize");
    CHECK(compile(&s, &o));
    has(pair.vertex, "for (int i = 0; i < 3; i++)", true);
    has(pair.vertex, "normalize(light", false);
    say(&s, "lighting two-side light0");
    o.language = FRAGPROG_GLSL_ES_300;
    CHECK(compile(&s, &o));
    has(pair.vertex, "out vec4 back_color;", true);
    s.flat = 1;
    CHECK(compile(&s, &o));
    has(pair.vertex, "flat out vec4 primary_color;", true);
    o.language = FRAGPROG_GLSL_ES_100;
    CHECK(!compile(&s, &o) && strcmp(why.code, "flat") == 0);
    s.flat = 0, s.clip_planes = 5;
    CHECK(compile(&s, &o));
    has(pair.vertex, "clip_distance2 = dot(eye_position, clip_plane[2]);", true);
    o.language = FRAGPROG_GLSL_330;
    CHECK(compile(&s, &o));
    has(pair.vertex, "gl_ClipDistance[2] = dot(eye_position, clip_plane[2]);", true);
    o.language = FRAGPROG_ARBFP;
    CHECK(!compile(&s, &o));
}

/* ---- texts for compilers ---- */

static int write_one(const char *dir, unsigned n, const char *ending, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%u.%s", dir, n, ending);
    FILE *f = fopen(path, "w");
    return f && fputs(text, f) >= 0 && fclose(f) == 0;
}

static int write_random(const char *language, unsigned count, const char *dir)
{
    struct fragprog_pair_source s;
    struct fragprog_pair_options o;
    unsigned refused = 0;
    for (unsigned n = 0; n < count; n++) {
        random_source(&s);
        random_options(&o);
        for (o.language = 0; strcmp(fragprog_language_name(o.language), language) != 0; o.language++)
            ;
        if (!fragprog_compile_pair(&pair, &s, &o, texts, &scratch, &why))
            refused++;
        else if (!write_one(dir, n, "vert", pair.vertex) || !write_one(dir, n, "frag", pair.fragment))
            return 1;
    }
    printf("%u pairs, %u refused\n", count, refused);
    return 0;
}

int main(int argc, char **argv)
{
    begin_pairs(4);
    if (argc == 4)
        return write_random(argv[1], (unsigned)atoi(argv[2]), argv[3]);
    check_examples();
    check_random(3000);
    check_keys(2000);
    check_bytes(4000);
    return check_report("pair");
}
