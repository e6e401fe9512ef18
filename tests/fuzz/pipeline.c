#include "pipeline.h"
#include "fragprog/backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool pipeline_thorough;

static uint64_t hash_of(const void *data, size_t size)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * UINT64_C(1099511628211);
    return h >> 20;
}

_Noreturn void pipeline_broken(const char *what, const char *text)
{
    fprintf(stderr, "broken: %s\n%s\n", what, text);
    abort();
}

void *pipeline_resize(void *user, void *p, size_t size)
{
    struct pipeline_memory *memory = user;
    if (size == 0) {
        memory->in_use -= p != NULL;
        free(p);
        return NULL;
    }
    if (memory->left == 0)
        return NULL;
    if (memory->left > 0)
        memory->left--;
    void *q = realloc(p, size);
    memory->in_use += !p && q;
    return q;
}

void pipeline_emit(void *user, const struct texenv_diag *diag)
{
    (void)user;
    if (!diag->text[0] || strlen(diag->text) >= sizeof diag->text || strchr(diag->text, '\n'))
        pipeline_broken("the text of a diagnostic is not one line", diag->text);
    if (!diag->code || !diag->code[0])
        pipeline_broken("a diagnostic without a code", diag->text);
    if (diag->unit < -1 || diag->unit >= TEXENV_UNITS)
        pipeline_broken("a diagnostic of a unit that does not exist", diag->text);
}

static const struct texenv_sink sink = {pipeline_emit, NULL};

/* ---- states as text ---- */

struct expected {
    const struct texenv_state *state;
    const struct texenv_vertex *vertex;
    const char *form, *text;
    unsigned draws;
};

static bool compare_draw(void *user, const struct texenv_draw *draw)
{
    struct expected *e = user;
    struct texenv_state state;
    memset(&state, 0x5a, sizeof state);
    if (!texenv_canonicalise(&state, draw->te, NULL, false, draw->places, &sink))
        pipeline_broken("the text of a state is refused when it is read", e->text);
    if (memcmp(&state, e->state, sizeof state) != 0)
        pipeline_broken(e->form, e->text);
    struct texenv_vertex_reads reads;
    if (!draw->vertex)
        pipeline_broken("the vertex half of a text is refused when it is read", e->text);
    struct texenv_vertex vertex = *draw->vertex;
    texenv_vertex_reads_of(&reads, &state);
    texenv_vertex_restrict(&vertex, &reads);
    if (memcmp(&vertex, e->vertex, sizeof vertex) != 0)
        pipeline_broken("the text of a vertex half reads back as another one", e->text);
    e->draws++;
    return true;
}

static void state_as_text(const struct texenv_state *state, const struct texenv_vertex *vertex)
{
    static char text[TEXENV_TEXT_MAX];
    struct texenv_text out;
    struct pipeline_memory memory = {.left = -1};
    for (unsigned gl = 0; gl < 2; gl++) {
        struct expected e = {state, vertex,
                             gl ? "print as gl, read: another state" : "print as stages, read: another state",
                             text, 0};
        struct texenv_reader reader = {
            .memory = {pipeline_resize, &memory}, .sink = sink, .on_draw = compare_draw, .user = &e};
        texenv_text_init(&out, text, sizeof text);
        if (gl)
            texenv_print_gl_vertex(&out, state, vertex);
        else
            texenv_print_stages_vertex(&out, state, vertex);
        if (out.length >= sizeof text || strlen(text) != out.length)
            pipeline_broken("the text of a state does not fit TEXENV_TEXT_MAX", text);
        if (gl)
            texenv_read_gl(&reader, text, out.length);
        else
            texenv_read_stages(&reader, text, out.length);
        if (reader.errors || e.draws != 1)
            pipeline_broken("the text of a state does not read back as one state", text);
        const char *form = texenv_guess_form(text, out.length);
        if (strcmp(form, gl ? "gl" : "stages") != 0)
            pipeline_broken("the form of a printed text is not recognised", text);
    }
    if (memory.in_use)
        pipeline_broken("the gl reader keeps memory", text);
}

/* ---- programs as text ---- */

/* Every language must print the program within `room` bytes or refuse it with a reason. A second call must
 * give the same result. */
static void languages(const struct fragprog *p, uint64_t picked, size_t room)
{
    static char text[2][1 << 17];
    static uint64_t scratch[1 << 16];
    if (fragprog_language_scratch(p->ninst) > sizeof scratch)
        pipeline_broken("a program needs more scratch memory than there is", "");
    for (unsigned language = 0; language < FRAGPROG_LANGUAGES; language++) {
        const struct fragprog_language_options options = {.language = (uint8_t)language,
                                                          .color_sum = picked & 1,
                                                          .fog = (uint8_t)(picked >> 1 & 3),
                                                          .fold_constants = picked >> 3 & 1};
        struct fragprog_reason why = {.unit = -7};
        struct texenv_text out[2];
        for (unsigned n = 0; n < 2; n++) {
            texenv_text_init(&out[n], text[n], room);
            if (fragprog_print_language(&out[n], p, &options, scratch, &why)
                    ? out[n].length >= room || why.unit != -7
                    : out[n].length || !why.code || !why.text[0])
                pipeline_broken("a program of a language is neither printed nor refused", text[n]);
        }
        if (out[0].length != out[1].length || memcmp(text[0], text[1], out[0].length) != 0)
            pipeline_broken("a program of a language prints differently", text[0]);
    }
}

static char ir_text[2][1 << 17], atifs_text[2][1 << 15];

static void ir_as_text(const struct fragprog *p)
{
    struct texenv_text out;
    struct fragprog_storage storage;
    struct fragprog back;
    texenv_text_init(&out, ir_text[0], sizeof ir_text[0]);
    fragprog_print_ir(&out, p);
    if (out.length >= sizeof ir_text[0])
        pipeline_broken("the text of an intermediate program is too long", ir_text[0]);
    fragprog_init(&back, &storage);
    if (!fragprog_read_ir(&back, ir_text[0], out.length, 1, &sink))
        pipeline_broken("the text of an intermediate program does not read back", ir_text[0]);
    if (back.ninst != p->ninst || back.nkonst != p->nkonst ||
        memcmp(back.inst, p->inst, p->ninst * sizeof *p->inst) != 0 || back.result[0] != p->result[0] ||
        back.result[1] != p->result[1])
        pipeline_broken("print as ir, read: another program", ir_text[0]);
    texenv_text_init(&out, ir_text[1], sizeof ir_text[1]);
    fragprog_print_ir(&out, &back);
    if (strcmp(ir_text[0], ir_text[1]) != 0)
        pipeline_broken("print as ir, read, print: another text", ir_text[0]);
    if (strcmp(texenv_guess_form(ir_text[0], strlen(ir_text[0])), "ir") != 0)
        pipeline_broken("ir is not recognised", ir_text[0]);
}

/* Removes what the text form cannot express: the unit of an instruction, and the values of local and
 * environment parameters. */
static void only_text(struct fragprog_atifs *to, const struct fragprog_atifs *from)
{
    memcpy(to, from, sizeof *to);
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned pair = 0; pair < FRAGPROG_PAIRS; pair++)
            for (unsigned h = 0; h < 2; h++)
                to->pass[pass].pair[pair].half[h].unit = -1;
    for (unsigned k = 0; k < 8; k++)
        if (to->konst[k].kind != FRAGPROG_CONST_LITERAL)
            memset(to->konst[k].value, 0, sizeof to->konst[k].value);
}

void pipeline_atifs(const struct fragprog_atifs *program)
{
    struct texenv_text out;
    struct fragprog_atifs back;
    unsigned pass, pair;
    texenv_text_init(&out, atifs_text[0], sizeof atifs_text[0]);
    fragprog_print_atifs(&out, program);
    const char *rule = fragprog_check_atifs(program, &pass, &pair);
    if (rule)
        pipeline_broken(rule, atifs_text[0]);
    if (out.length >= sizeof atifs_text[0])
        pipeline_broken("the text of a program is too long", atifs_text[0]);
    if (fragprog_check_atifs_text(program, &pass, &pair))
        return; /* the text form cannot express coordinate sets 6 and 7 */
    if (!fragprog_read_atifs(&back, atifs_text[0], out.length, 1, &sink))
        pipeline_broken("the text of a program does not read back", atifs_text[0]);
    struct fragprog_atifs said[2];
    only_text(&said[0], program);
    only_text(&said[1], &back);
    if (memcmp(&said[0], &said[1], sizeof said[0]) != 0)
        pipeline_broken("print as atifs, read: another program", atifs_text[0]);
    texenv_text_init(&out, atifs_text[1], sizeof atifs_text[1]);
    fragprog_print_atifs(&out, &back);
    if (strcmp(atifs_text[0], atifs_text[1]) != 0)
        pipeline_broken("print as atifs, read, print: another text", atifs_text[0]);
    if (strcmp(texenv_guess_form(atifs_text[0], strlen(atifs_text[0])), "atifs") != 0)
        pipeline_broken("atifs is not recognised", atifs_text[0]);
    texenv_text_init(&out, atifs_text[1], sizeof atifs_text[1]);
    fragprog_print_atifs_c(&out, program, "name");
    if (out.length >= sizeof atifs_text[1])
        pipeline_broken("the C text of a program is too long", atifs_text[0]);
}

/* ---- the compiler ---- */

static void legal(const struct fragprog *p, const char *after)
{
    unsigned where = 0;
    const char *rule = fragprog_check(p, &where);
    if (!rule)
        return;
    struct texenv_text out;
    texenv_text_init(&out, ir_text[0], sizeof ir_text[0]);
    texenv_printf(&out, "after %s, %%%u:\n", after, where);
    fragprog_print_ir(&out, p);
    pipeline_broken(rule, ir_text[0]);
}

/* Returns the n-th combination of the target's options and level of optimisation. */
static struct fragprog_options options_of(unsigned n)
{
    return (struct fragprog_options){.level = (uint8_t)(n / 8),
                                     .bind_compact = n & 1,
                                     .avoid_mesa = n >> 1 & 1,
                                     .constants_local = n >> 2 & 1};
}
enum { LEVELS = 3, OPTIONS = 8 * LEVELS };

static void reason_is_good(const struct fragprog_reason *why)
{
    if (!why->code || !why->code[0] || !why->text[0] || strlen(why->text) >= sizeof why->text - 1 ||
        strchr(why->text, '\n') || why->unit < -1 || why->unit >= TEXENV_UNITS)
        pipeline_broken("a refusal without a good reason", why->text);
}

static void after_pass(void *user, const struct fragprog_pass *pass, const struct fragprog *p)
{
    (void)user;
    legal(p, pass->name);
}

static void rule_fired(void *user, const char *rule, int unit)
{
    (void)user;
    if (!rule || !rule[0] || unit < -1 || unit >= TEXENV_UNITS)
        pipeline_broken("a rewrite without a name or a place", rule ? rule : "");
}

static uint64_t scratch[FRAGPROG_SCRATCH / sizeof(uint64_t)];

/* Runs the scheduler with one and two passes, for text and for a chip. */
static void schedule(const struct fragprog *p)
{
    for (unsigned text = 0; text < 2; text++) {
        struct fragprog_options options = {.bind_compact = text};
        struct fragprog_schedule_options how = fragprog_schedule_text(&options);
        struct fragprog_reason why = {.unit = -7};
        struct fragprog_atifs program;
        how.text_form = (uint8_t)text;
        how.rebind = !text;
        struct fragprog_budget budget = {.most = FRAGPROG_MOST_WORK};
        const struct fragprog_means means = {&budget, scratch};
        if (!fragprog_schedule(&program, p, &how, &means, &why, NULL))
            reason_is_good(&why);
        else if (text)
            pipeline_atifs(&program);
    }
}

/* Runs register assignment and emission, with every combination of options. */
static void assign(const struct fragprog *p, unsigned level)
{
    static struct fragprog_storage storage;
    struct fragprog q;
    fragprog_init(&q, &storage);
    uint64_t picked = hash_of(p->inst, p->ninst * sizeof *p->inst) % 8;
    for (unsigned n = 8 * level; n < 8 * level + 8; n++) {
        if (!pipeline_thorough && n % 8 != picked)
            continue;
        struct fragprog_options options = options_of(n);
        struct fragprog_assignment a;
        struct fragprog_atifs program;
        struct fragprog_reason why = {.unit = -7};
        fragprog_copy(&q, p);
        options.color_sum = n % 8 == 3;
        if (!fragprog_assign(&q, &options, &a, &why)) {
            reason_is_good(&why);
            continue;
        }
        legal(&q, "assign");
        fragprog_emit_atifs(&program, &q, &a, &options);
        pipeline_atifs(&program);
    }
    schedule(p);
}

void pipeline_ir(const struct fragprog *given)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    if (given->ninst > FRAGPROG_TEXENV_INSTS || given->nkonst > FRAGPROG_TEXENV_CONSTS)
        return;
    if (given->unbounded) { /* fuzz_arbfp.c has the other checks of ARB programs */
        ir_as_text(given);
        return;
    }
    fragprog_init(&p, &storage);
    if (!fragprog_copy(&p, given))
        pipeline_broken("fragprog_copy fails", "");
    ir_as_text(&p);
    languages(&p, hash_of(p.inst, p.ninst * sizeof *p.inst), 1 << 17);
    uint64_t picked = hash_of(p.inst, p.ninst * sizeof *p.inst) % (2 * LEVELS);
    for (unsigned level = 0; level < LEVELS; level++)
        for (unsigned fold = 0; fold < 2; fold++) {
            if (!pipeline_thorough && picked != level * 2 + fold)
                continue;
            const struct fragprog_opt opt = {
                .fold_constants = fold, .level = (uint8_t)level, .fired = rule_fired, .after = after_pass};
            fragprog_copy(&p, given);
            fragprog_optimise(&p, &opt, scratch);
            ir_as_text(&p);
            assign(&p, level);
        }
}

void pipeline_imported(const struct fragprog_atifs *program)
{
    static struct fragprog_storage imported;
    struct fragprog p;
    unsigned where;
    const char *undefined;
    fragprog_init(&p, &imported);
    fragprog_import_atifs(&p, program, &undefined, scratch);
    const char *rule = fragprog_check(&p, &where);
    if (rule)
        pipeline_broken(rule, "imported");
    pipeline_ir(&p);
}

bool pipeline_state(const struct texenv_state *state)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    bool can = false;
    static const struct texenv_vertex initial;
    struct texenv_vertex vertex = initial;
    vertex.fog_coord = state->fog_coord; /* the fog coordinate is a setting of both halves */
    state_as_text(state, &vertex);
    fragprog_init(&p, &storage);
    fragprog_lower(&p, state);
    legal(&p, "lower");
    pipeline_ir(&p);
    uint64_t picked = hash_of(state, sizeof *state) % OPTIONS;
    languages(&p, picked, FRAGPROG_LANGUAGE_TEXT);
    for (unsigned n = 0; n < OPTIONS; n++) {
        /* the second option set is compact binding, with which most programs fit */
        if (!pipeline_thorough && n != picked && n != picked / 8 * 8 + 1)
            continue;
        struct fragprog_options options = options_of(n);
        struct fragprog_atifs program;
        struct fragprog_reason why = {.unit = -7};
        if (fragprog_compile_atifs(&program, &(struct fragprog_source){.state = state}, &options, scratch,
                                   &why)) {
            pipeline_atifs(&program);
            can = true;
        } else {
            reason_is_good(&why);
        }
    }
    /* Formulas for people must fit the buffer, whatever the state. */
    char text[400];
    for (unsigned u = 0; u < state->nstages; u++)
        for (unsigned h = 0; h < 2; h++) {
            struct texenv_text out;
            texenv_text_init(&out, text, sizeof text);
            texenv_print_formula(&out, state, u, h);
            if (out.length == 0 || out.length >= sizeof text)
                pipeline_broken("a formula does not fit", text);
        }
    return can;
}

/* Scripts draw many times with few states; states that were checked recently are skipped. */
static bool seen_lately(const struct texenv_state *state)
{
    static uint64_t lately[256];
    uint64_t hash = hash_of(state, sizeof *state);
    bool seen = lately[hash % 256] == hash;
    lately[hash % 256] = hash;
    return seen;
}

/* The vertex half of a draw must be canonical, and both texts of the draw must read back to it. */
static void vertex_as_text(const struct texenv_draw *draw, const struct texenv_state *state)
{
    struct texenv_vertex_reads reads;
    if (!draw->vertex != !!draw->vertex_refused || (draw->vertex_refused && !draw->vertex_refused[0]))
        pipeline_broken("a vertex half that is neither there nor refused", "");
    if (!draw->vertex)
        return;
    struct texenv_vertex vertex = *draw->vertex;
    texenv_vertex_canonicalise(&vertex);
    if (memcmp(&vertex, draw->vertex, sizeof vertex) != 0)
        pipeline_broken("the vertex half of a draw is not canonical", "");
    texenv_vertex_reads_of(&reads, state);
    texenv_vertex_restrict(&vertex, &reads);
    state_as_text(state, &vertex);
}

void pipeline_words(const char *words, size_t length)
{
    static char text[2048];
    struct texenv_vertex vertex, back;
    struct texenv_vertex_reads reads;
    struct texenv_text out;
    if (!texenv_read_vertex(&vertex, &reads, words, length, 1, &sink))
        return;
    texenv_vertex_canonicalise(&vertex);
    texenv_text_init(&out, text, sizeof text);
    texenv_print_vertex(&out, &vertex);
    if (out.length >= sizeof text || !texenv_read_vertex(&back, NULL, text, out.length, 1, &sink) ||
        memcmp(&back, &vertex, sizeof vertex) != 0)
        pipeline_broken("the words of a vertex half do not read back", text);
}

bool pipeline_draw(void *user, const struct texenv_draw *draw)
{
    (void)user;
    if (!draw->changed)
        return true;
    for (unsigned n = 0; n < 5; n++) {
        struct texenv_policy policy = {.crossbar_off = (uint8_t)n, .dot3_alpha = (uint8_t)(n & 1)};
        struct texenv_state state;
        memset(&state, 0xa5, sizeof state);
        if (texenv_canonicalise(&state, draw->te, &policy, draw->no_images, draw->places, &sink)) {
            if (n == 0)
                vertex_as_text(draw, &state);
            if (!seen_lately(&state))
                (void)pipeline_state(&state);
        } else if (n != TEXENV_CROSSBAR_REFUSE) {
            pipeline_broken("a policy other than refuse refuses", "");
        }
    }
    return true;
}
