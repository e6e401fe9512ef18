/* Tests what the headers promise for bad arguments: no storage, too small buffers, exactly the scratch memory
 * that was requested, values outside of an enumeration, missing registers, colours that are NaN, level 255,
 * and a work limit of one step. Also run with sanitizers. */
#include "hwemit/hwemit.h"
#include "fragprog/alias.h"
#include "fragprog/arb_program.h"
#include "texenv/vertex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures, checks;
#define CHECK(condition) \
    (checks++, (condition) || (failures++, printf("%s:%d: %s\n", __func__, __LINE__, #condition)))

static const char STATES[] = "{modulate}\n"
                             "{T0*C} {P+T1}*2 C0=(0.2,0.3,0.4,0.5)\n"
                             "{lerp(T0,C,F.a); T0*C} {dot3(P,T1)}*4 {P*F} C0=(1,0.5,0.25,1)\n"
                             "{blend @rgb} {decal} {add @luminance} {T3*P; P.a} C0=(0.1,0.9,0.3,0.7)\n"
                             "{T0*T1+C*P} {P-T1; P+C} {lerp(P,T2,C)} {T3*P+P} {P*C+T4} "
                             "C0=(1,1,0,0) C1=(0,0,0,0.5) C2=(0.3,0.3,0.3,0.3) C4=(0.6,0.7,0.8,0.9)\n";

static void *scratch(size_t size)
{
    void *p = malloc(size);
    if (!p)
        abort();
    return p;
}

/* ---- one chip ---- */

static bool compile(struct hwemit_code *code, struct hwemit_word *word, uint32_t room,
                    const struct hwemit_target *target, const struct texenv_state *state, unsigned level,
                    uint32_t most_work)
{
    const struct fragprog_source source = {.state = state};
    const struct hwemit_options options = {.passes = {.level = (uint8_t)level, .most_work = most_work}};
    struct fragprog_reason why = {.code = NULL};
    void *memory = scratch(hwemit_scratch(target));
    hwemit_code_init(code, word, room);
    const bool done = hwemit_compile(code, target, &source, &options, memory, &why);
    CHECK(done || (why.code && why.text[0] && why.unit >= -1 && why.unit < TEXENV_UNITS));
    free(memory);
    return done;
}

static void words(const struct hwemit_target *target, const struct texenv_state *state)
{
    static const float wild[TEXENV_UNITS][4] = {{NAN, INFINITY, -INFINITY, 3e38f}, {-1, 2, NAN, 0}};
    static struct hwemit_word all[HWEMIT_TEXENV_WORDS], again[HWEMIT_TEXENV_WORDS];
    static struct hwemit_code code, other;
    const bool hard = compile(&code, all, HWEMIT_TEXENV_WORDS, target, state, 255, 1);
    CHECK(compile(&other, again, HWEMIT_TEXENV_WORDS, target, state, 3, 1) == hard);
    CHECK(!hard || (code.nwords == other.nwords && !memcmp(all, again, code.nwords * sizeof *all)));
    if (!compile(&code, all, HWEMIT_TEXENV_WORDS, target, state, 1, 0))
        return;
    CHECK(code.nwords <= HWEMIT_TEXENV_WORDS);
    for (uint32_t room = 0; room < code.nwords; room += 1 + room / 2) {
        struct hwemit_word *few = room ? scratch(room * sizeof *few) : NULL;
        CHECK(compile(&other, few, room, target, state, 1, 0) && other.nwords == code.nwords);
        free(few);
    }
    const uint32_t n = hwemit_packets(NULL, 0, target, all, code.nwords);
    CHECK((n == 0) == target->no_packets);
    for (uint32_t room = 1; room < n; room += 1 + room / 2) {
        uint32_t *few = scratch(room * sizeof *few);
        CHECK(hwemit_packets(few, room, target, all, code.nwords) == n);
        free(few);
    }
    hwemit_set_colors(&code, wild[0]);
}

/* ---- texts and keys ---- */

struct printing {
    const struct texenv_state *state;
    unsigned what;
};

static void print(struct texenv_text *text, const struct printing *p)
{
    const struct fragprog_source source = {.state = p->state};
    const struct fragprog_options options = {.level = 2};
    struct fragprog_reason why;
    switch (p->what) {
    case FRAGPROG_LANGUAGES: texenv_print_gl(text, p->state); return;
    case FRAGPROG_LANGUAGES + 1: texenv_print_stages(text, p->state); return;
    case FRAGPROG_LANGUAGES + 2: texenv_print_formula(text, p->state, 0, TEXENV_ALPHA); return;
    default: break;
    }
    const struct fragprog_language_options language = {
        .language = (uint8_t)p->what, .fog = TEXENV_FOG_EXP2, .alpha_test = TEXENV_GEQUAL, .color_sum = true};
    void *memory = scratch(FRAGPROG_SCRATCH);
    CHECK(fragprog_compile_language(text, &source, &options, &language, memory, &why));
    free(memory);
}

static void texts(const struct texenv_state *state)
{
    static char whole[TEXENV_TEXT_MAX];
    struct texenv_text text;
    for (struct printing p = {state, 0}; p.what < FRAGPROG_LANGUAGES + 3; p.what++) {
        texenv_text_init(&text, whole, sizeof whole);
        print(&text, &p);
        const size_t length = text.length;
        CHECK(length > 0 && length < sizeof whole);
        for (size_t room = 0; room <= length; room += 1 + room / 2) {
            char *few = room ? scratch(room) : NULL;
            texenv_text_init(&text, few, room);
            print(&text, &p);
            CHECK(text.length == length);
            CHECK(!room || (few[room - 1] == '\0' && memcmp(few, whole, room - 1) == 0));
            free(few);
        }
    }
    const uint32_t n = fragprog_key(NULL, 0, state, false);
    CHECK(n > 0 && n <= FRAGPROG_KEY_MAX);
    for (uint32_t room = 1; room < n; room += 1 + room / 2) {
        uint8_t *few = scratch(room);
        CHECK(fragprog_key(few, room, state, false) == n);
        free(few);
    }
}

/* ---- values outside of enumerations ---- */

static void refused(const struct texenv_state *state, struct fragprog_language_options language)
{
    static const char kept[] = "as it was";
    static char data[TEXENV_TEXT_MAX];
    const struct fragprog_source source = {.state = state};
    const struct fragprog_options options = {.level = 1};
    struct fragprog_reason why;
    struct texenv_text text;
    void *memory = scratch(FRAGPROG_SCRATCH);
    texenv_text_init(&text, data, sizeof data);
    texenv_printf(&text, "%s", kept);
    CHECK(!fragprog_compile_language(&text, &source, &options, &language, memory, &why));
    CHECK(strcmp(why.code, "options") == 0 && strcmp(data, kept) == 0);
    free(memory);
}

static void numbers(const struct texenv_state *state)
{
    refused(state, (struct fragprog_language_options){.language = FRAGPROG_LANGUAGES});
    refused(state, (struct fragprog_language_options){.language = 255});
    refused(state, (struct fragprog_language_options){.language = FRAGPROG_GLSL_ES_300, .fog = 4});
    refused(state,
            (struct fragprog_language_options){.language = FRAGPROG_ARBFP, .alpha_test = TEXENV_COMPARES});
    CHECK(!fragprog_language_name(FRAGPROG_LANGUAGES) &&
          !fragprog_language_help((enum fragprog_language)255));
    CHECK(strcmp(texenv_error_name(TEXENV_INVALID_ENUM), "GL_INVALID_ENUM") == 0 && !texenv_error_name(1));
}

static void setters(void)
{
    static const float wild[4] = {NAN, -INFINITY, 3e38f, 0.5f};
    struct texenv te, before;
    texenv_init(&te);
    CHECK(texenv_tex_env_fv(&te, 0x2300, 0x2201, wild) == TEXENV_OK); /* TEXTURE_ENV, TEXTURE_ENV_COLOR */
    const float *color = te.unit[0].env.color;
    CHECK(color[0] == 0 && color[1] == 0 && color[2] == 1 && color[3] == 0.5f);
    CHECK(texenv_alpha_func(&te, 0x0204, NAN) == TEXENV_OK && te.alpha_ref == 0); /* GREATER */
    before = te;
    CHECK(texenv_tex_env_f(&te, 0x2300, 0x2200, NAN) == TEXENV_INVALID_ENUM); /* TEXTURE_ENV_MODE */
    CHECK(texenv_tex_env_i(&te, 0x2300, 0x2200, INT32_MIN) == TEXENV_INVALID_ENUM);
    CHECK(texenv_tex_env_i(&te, 0x2300, 0x8573, 3) == TEXENV_INVALID_VALUE); /* RGB_SCALE */
    CHECK(texenv_active_texture(&te, 0x84C0 + TEXENV_IMAGE_UNITS) == TEXENV_INVALID_ENUM);
    CHECK(memcmp(&te, &before, sizeof te) == 0);
    CHECK(texenv_active_texture(&te, 0x84C0 + TEXENV_IMAGE_UNITS - 1) == TEXENV_OK);
    CHECK(texenv_tex_env_i(&te, 0x2300, 0x2200, 0x2100) == TEXENV_INVALID_OPERATION);
    CHECK(texenv_enable(&te, 0x0DE1, true) == TEXENV_INVALID_OPERATION); /* TEXTURE_2D */
}

static void aliases(void)
{
    struct fragprog_alias_table table;
    struct fragprog_alias_request request = {.size = {1}, .ngroups = 1};
    for (request.how = FRAGPROG_ALIAS_NONE; request.how <= FRAGPROG_ALIAS_BEST; request.how++)
        /* register numbers up to 2^31, and each number minus one */
        for (uint32_t name = 1; name; name <<= 1) {
            request.source[0].value = name;
            CHECK(fragprog_alias(&table, &request) == (name < FRAGPROG_ALIAS_NAMES));
            request.source[0].value = name - 1;
            CHECK(fragprog_alias(&table, &request) == (name - 1 < FRAGPROG_ALIAS_NAMES));
        }
}

/* A text of no bytes may be NULL; adding an offset to it would be undefined behaviour, which clang's
 * sanitizer reports. */
static void no_text(void)
{
    static struct fragprog program;
    static struct fragprog_atifs atifs;
    static struct texenv_vertex vertex;
    const struct texenv_sink sink = {.report = NULL};
    struct hwemit_words read = {.n = 0};
    struct texenv_reader reader = {.on_draw = NULL};
    int32_t origin;
    CHECK(strcmp(texenv_guess_form(NULL, 0), "gl") == 0);
    texenv_read_stages(&reader, NULL, 0);
    CHECK(reader.errors == 1 && reader.draws == 0);
    texenv_read_gl(&reader, NULL, 0);
    CHECK(reader.draws == 0);
    CHECK(texenv_token(NULL, 0) == -1 && fragprog_read_origin(&origin, NULL, 0) == 0);
    CHECK(!fragprog_read_ir(&program, NULL, 0, 1, &sink) && !fragprog_read_atifs(&atifs, NULL, 0, 1, &sink));
    void *memory = scratch(fragprog_bound_arbfp(NULL, 0).scratch);
    CHECK(!fragprog_read_arbfp(&program, NULL, 0, 1, &sink, memory));
    free(memory);
    CHECK(texenv_read_vertex(&vertex, NULL, NULL, 0, 1, &sink));
    const struct hwemit_registers *registers = hwemit_find_registers(hwemit_targets[0]);
    CHECK(!hwemit_read_asm(&read, registers, NULL, 0, &sink) && read.n == 0);
    CHECK(!hwemit_read_hex(&read, registers, NULL, 0, &sink) && read.n == 0);
}

static bool state(void *user, const struct texenv_draw *draw)
{
    struct texenv_state canonical;
    ++*(unsigned *)user;
    CHECK(texenv_canonicalise(&canonical, draw->te, NULL, true, NULL, NULL));
    for (const struct hwemit_target *const *t = hwemit_targets; *t; t++)
        words(*t, &canonical);
    texts(&canonical);
    numbers(&canonical);
    return true;
}

int main(void)
{
    unsigned states = 0;
    struct texenv_reader reader = {.on_draw = state, .user = &states};
    texenv_read_stages(&reader, STATES, strlen(STATES));
    CHECK(reader.errors == 0 && states == 5);
    aliases();
    setters();
    no_text();
    printf("edges: %d checks, %d failed\n", checks, failures);
    return failures != 0 || checks < 500;
}
