#include "compile.h"
#include "vertex.h"
#include "fragprog/fixed_vertex.h"

#include <stdlib.h>
#include <string.h>

const char *const base_names[TEXENV_BASES] = {"rgba",      "rgb", "alpha", "luminance", "luminance_alpha",
                                              "intensity", "red", "rg",    "depth"};
const char *const target_names[TEXENV_TARGETS] = {"1d", "2d", "rect", "3d", "cube"};
const char *const fog_names[4] = {"off", "linear", "exp", "exp2"};
const char *const compare_names[TEXENV_COMPARES] = {"off",     "never",    "less",   "equal", "lequal",
                                                    "greater", "notequal", "gequal", "always"};

/* ---- texts ---- */

enum { TEXT = 1 << 17 }; /* initial size, larger than any text of a texture environment */

static char *scratch;
static size_t scratch_size;

/* Returns a buffer for the text of one program of at least `size` bytes. */
static struct texenv_text scratch_text(size_t size)
{
    struct texenv_text text;
    size = size < TEXT ? TEXT : size;
    if (size > scratch_size)
        scratch = xrealloc(scratch, scratch_size = size);
    texenv_text_init(&text, scratch, scratch_size);
    return text;
}

static void add_scratch(struct buffer *b, const struct texenv_text *text)
{
    if (text->length >= text->size)
        die_internal("a text of %zu bytes is longer than any should be", text->length);
    buffer_add(b, text->data, text->length);
}

#define ADD(b, print) \
    do { \
        struct texenv_text text = scratch_text(0); \
        print; \
        if (text.length >= text.size) { \
            text = scratch_text(text.length + 1); \
            print; \
        } \
        add_scratch(b, &text); \
    } while (0)

void add_ir(struct buffer *b, const struct fragprog *p) { ADD(b, fragprog_print_ir(&text, p)); }
void add_machine(struct buffer *b, const struct fragprog_step *step)
{
    ADD(b, hwemit_print_machine(&text, step->machine));
}
void add_atifs(struct buffer *b, const struct fragprog_atifs *program)
{
    ADD(b, fragprog_print_atifs(&text, program));
}
void add_atifs_c(struct buffer *b, const struct fragprog_atifs *program, const char *name)
{
    ADD(b, fragprog_print_atifs_c(&text, program, name));
}
void add_stages(struct buffer *b, const struct texenv_state *state)
{
    ADD(b, texenv_print_stages(&text, state));
}
void add_stage(struct buffer *b, const struct texenv_state *state, unsigned unit)
{
    ADD(b, texenv_print_stage(&text, state, unit));
}
void add_formula(struct buffer *b, const struct texenv_state *state, unsigned unit, unsigned half)
{
    ADD(b, texenv_print_formula(&text, state, unit, half));
}
static const struct texenv_vertex initial;
void add_item_stages(struct buffer *b, const struct item *item)
{
    ADD(b, texenv_print_stages_vertex(&text, item->state, item->vertex ? item->vertex : &initial));
}
void add_item_gl(struct buffer *b, const struct item *item)
{
    const struct texenv_vertex *vertex = item->vertex ? item->vertex : &initial;
    ADD(b, texenv_print_gl_values(&text, item->state, vertex, &item->raster, NULL, NULL));
}

/* ---- --rule-counts ---- */

static struct {
    const char *rule;
    uint64_t count;
} rule_counts[128];

static void count_rule(void *user, const char *rule, int unit)
{
    (void)user, (void)unit;
    for (size_t i = 0; i < sizeof rule_counts / sizeof *rule_counts; i++) {
        if (!rule_counts[i].rule)
            rule_counts[i].rule = rule;
        if (strcmp(rule_counts[i].rule, rule) == 0) {
            rule_counts[i].count++;
            return;
        }
    }
}

void print_rule_counts(void)
{
    for (size_t i = 0; i < sizeof rule_counts / sizeof *rule_counts && rule_counts[i].rule; i++)
        fprintf(stderr, "rule %s %llu\n", rule_counts[i].rule, (unsigned long long)rule_counts[i].count);
}

/* ---- compilation with the library ---- */

static void check(const struct fragprog *p, const char *after, const struct item *item)
{
    unsigned where = 0;
    const char *broken = fragprog_check(p, &where);
    if (broken)
        die_internal("%s, state %llu: after '%s' the intermediate program breaks a rule at %%%u: %s",
                     item->source->name, (unsigned long long)item->number, after, where, broken);
}

static void check_machine(const struct fragprog_step *step, const struct item *item)
{
    unsigned where = 0;
    const char *broken = hwemit_check_machine(step->machine, &where);
    if (broken)
        die_internal("%s, state %llu: after '%s' operation %u of the chip breaks a rule: %s",
                     item->source->name, (unsigned long long)item->number, step->name, where, broken);
}

struct running {
    struct compiled *c;
    const struct item *item;
    const struct compile_hook *hook;
};

/* Copies a program into c->ir. */
static void keep(struct compiled *c, const struct fragprog *p)
{
    fragprog_init(&c->ir, &c->storage);
    if (fragprog_copy(&c->ir, p))
        return;
    const size_t unit = sizeof *p->konst; /* aligns the constants, which follow the instructions */
    const size_t insts = (p->ninst * sizeof *p->inst + unit - 1) / unit * unit;
    c->long_storage = xrealloc(c->long_storage, insts + p->nkonst * unit);
    c->ir = (struct fragprog){.inst = c->long_storage,
                              .konst = (void *)((char *)c->long_storage + insts),
                              .maxinst = p->ninst,
                              .maxkonst = p->nkonst};
    fragprog_copy(&c->ir, p);
}

/* Returns memory for one compilation. */
static void *memory(struct compiled *c, size_t size)
{
    if (size <= sizeof c->scratch)
        return c->scratch;
    return c->long_scratch = xrealloc(c->long_scratch, size);
}

void compile_end(struct compiled *c)
{
    free(c->long_scratch);
    free(c->long_storage);
    c->long_scratch = c->long_storage = NULL;
}

/* Called after each step of the compiler: checks the program, keeps a copy, and calls the hook. */
static void after_step(void *user, const struct fragprog_step *step)
{
    struct running *r = user;
    struct compiled *c = r->c;
    if (step->machine) {
        check_machine(step, r->item);
        if (r->hook)
            r->hook->after(r->hook->user, step);
        return;
    }
    check(step->p, step->name, r->item);
    keep(c, step->p);
    if (step->assignment)
        c->assignment = *step->assignment;
    c->scheduled = strcmp(step->name, "schedule") == 0;
    if (r->hook && !c->scheduled)
        r->hook->after(r->hook->user, step);
}

/* Converts a program of ATI_fragment_shader to an intermediate program. */
static const struct fragprog *import(struct compiled *c, const struct item *item)
{
    const char *undefined;
    fragprog_init(&c->imported, &c->imported_storage);
    fragprog_import_atifs(&c->imported, item->atifs, &undefined, c->scratch);
    if (undefined) {
        struct texenv_sink sink = diag_sink(item->source);
        texenv_emit(&sink, TEXENV_WARNING, -1, item->place, "undefined", "%s", undefined);
    }
    return &c->imported;
}

/* Returns the options that all compilations of the item share. */
static struct fragprog_options options_of(const struct options *o, struct fragprog_hooks *hooks,
                                          struct running *running)
{
    struct fragprog_options passes = o->target;
    *hooks = (struct fragprog_hooks){
        .after = after_step, .fired = o->rule_counts ? count_rule : NULL, .user = running};
    passes.hooks = hooks;
    return passes;
}

static void start(struct compiled *c)
{
    c->scheduled = false;
    c->why = (struct fragprog_reason){.unit = -1, .code = "target"};
}

static struct fragprog_source source_of(struct compiled *c, const struct item *item)
{
    if (item->state)
        return (struct fragprog_source){.state = item->state};
    if (item->atifs)
        return (struct fragprog_source){.ir = import(c, item), .atifs = item->atifs};
    return (struct fragprog_source){.ir = item->ir};
}

void compile_ir(struct compiled *c, const struct item *item, const struct options *o,
                const struct compile_hook *hook)
{
    struct running running = {c, item, hook};
    struct fragprog_hooks hooks;
    const struct fragprog_options passes = options_of(o, &hooks, &running);
    const struct fragprog_source source = source_of(c, item);
    struct fragprog_compilation compilation;
    start(c);
    c->ok = fragprog_begin(&compilation, &source, &passes, o->chip != NULL,
                           memory(c, fragprog_scratch(&source)), &c->why);
}

static void check_program(const struct compiled *c, const struct item *item)
{
    unsigned pass = 0, pair = 0;
    const char *broken = fragprog_check_atifs(&c->program, &pass, &pair);
    if (broken)
        die_internal("%s, state %llu: the program breaks a rule of the extension in pass %u, pair %u: %s",
                     item->source->name, (unsigned long long)item->number, pass, pair, broken);
}

/* Turns constants whose values are not known into parameters, which are set outside of the program. */
static void open_constants(struct fragprog_atifs *program, const struct texenv_state *state)
{
    for (unsigned k = 0; state && k < sizeof program->konst / sizeof *program->konst; k++) {
        struct fragprog_atifs_const *konst = &program->konst[k];
        if (!konst->used || konst->unit < 0 || !texenv_stage_color_unknown(&state->stage[konst->unit]))
            continue;
        if (konst->kind == FRAGPROG_CONST_LITERAL)
            konst->index = (uint8_t)k;
        konst->kind = FRAGPROG_CONST_LOCAL;
        for (unsigned i = 0; i < 4; i++)
            konst->value[i] = -1; /* marks the value as not known */
    }
}

void compile_target(struct compiled *c, const struct item *item, const struct options *o,
                    const struct compile_hook *hook)
{
    struct running running = {c, item, hook};
    struct fragprog_hooks hooks;
    const struct fragprog_options passes = options_of(o, &hooks, &running);
    const struct fragprog_source source = source_of(c, item);
    start(c);
    c->ok = fragprog_compile_atifs(&c->program, &source, &passes, memory(c, fragprog_scratch(&source)),
                                   &c->why);
    if (c->ok) {
        check_program(c, item);
        open_constants(&c->program, item->state);
    }
}

static bool has_fixed_function(const struct options *o)
{
    return o->language.language == FRAGPROG_ARBFP || o->language.language == FRAGPROG_GLSL_110 ||
        o->language.language == FRAGPROG_GLSL_120;
}

/* Returns whether a vertex program is printed alone, so that fixed function may process the fragments. */
static bool is_alone(const struct options *o)
{
    return o->stages == STAGE_VERTEX && o->to == FORM_LANGUAGE && has_fixed_function(o);
}

struct fragprog_language_options language_of(const struct item *item, const struct options *o)
{
    struct fragprog_language_options language = o->language;
    if (language.fog == SAYS_STATE)
        language.fog = item->state ? item->state->fog : TEXENV_FOG_OFF;
    if (language.color_sum == SAYS_STATE)
        language.color_sum = item->state && item->state->color_sum;
    if (language.alpha_test == SAYS_STATE)
        language.alpha_test = item->state ? item->state->alpha_test : TEXENV_COMPARE_NONE;
    if (is_alone(o) && item->state) {
        language.color_sum |= item->state->color_sum;
        language.fog = language.fog ? language.fog : item->state->fog;
    }
    language.fog_coord = item->state && item->state->fog_coord;
    language.fold_constants = o->target.fold_constants;
    return language;
}

/* Appends a comment between the two programs of one text. */
static void add_border(struct buffer *b, const struct options *o)
{
    buffer_printf(b, "%s the vertex program ends here, the fragment program follows\n",
                  o->language.language == FRAGPROG_ARBFP ? "#" : "//");
}

/* Returns whether the vertex program must write a secondary colour of 0. Fixed function adds a secondary
 * colour after any vertex program while GL_COLOR_SUM is enabled (2.1, 3.9), even if lighting gives none. The
 * canonical state does not contain this, and states of a trace that differ only in it are merged. */
static bool adds_zero(const struct texenv_vertex *vertex, const struct item *item, const struct options *o)
{
    const struct texenv *te = item->te;
    return is_alone(o) && te && (te->color_sum || item->form == FORM_APITRACE) &&
        (o->vertex_state ? vertex->lighting && !vertex->separate_specular
                         : te->lighting && !te->separate_specular);
}

/* Appends the vertex program, with comments after its first line about what GL must enable to use its
 * results. */
static void add_with_switches(struct buffer *b, const char *text, const struct texenv_vertex *v,
                              const struct options *o)
{
    const struct {
        bool needed;
        const char *name;
    } switches[] = {
        {is_alone(o) && v->separate_specular, "GL_COLOR_SUM, where fixed function is behind it"},
        {v->two_side && has_fixed_function(o), "GL_VERTEX_PROGRAM_TWO_SIDE"},
        {v->point_attenuation && has_fixed_function(o), "GL_VERTEX_PROGRAM_POINT_SIZE"},
        {v->point_attenuation && o->language.language == FRAGPROG_GLSL_330, "GL_PROGRAM_POINT_SIZE"}};
    const size_t line = strcspn(text, "\n") + 1;
    buffer_add(b, text, line);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (switches[i].needed)
            buffer_printf(b, "%s enable %s\n", o->language.language == FRAGPROG_ARBFP ? "#" : "//",
                          switches[i].name);
    buffer_puts(b, text + line);
}

/* Generates the vertex program for an item's fragment program. Returns false, with the reason in c->why, if
 * there is none. */
static bool generate(struct vertex_program *program, struct compiled *c, const struct item *item,
                     const struct options *o, const struct texenv_vertex *vertex)
{
    struct texenv_vertex_reads reads;
    struct texenv_vertex v = *vertex;
    const struct fragprog_language_options language = language_of(item, o);
    compile_ir(c, item, o, NULL);
    if (!c->ok)
        return false;
    if (c->ir.unbounded) {
        c->why = (struct fragprog_reason){
            .unit = -1, .code = "stage", .text = "an ARB program contains no vertex half"};
        return c->ok = false;
    }
    fragprog_find_vertex_reads(&reads, &c->ir, &language);
    reads.secondary |= adds_zero(vertex, item, o);
    v.fog_coord |= language.fog_coord;
    if (!vertex_generate(program, &v, &reads, o))
        die_internal("%s, state %llu: the generated vertex program is no ARB program", item->source->name,
                     (unsigned long long)item->number);
    return true;
}

/* Appends the ARB vertex program for the item's fragment program. */
static void add_generated(struct compiled *c, struct buffer *b, const struct item *item,
                          const struct options *o)
{
    struct texenv_vertex vertex;
    struct vertex_program program = {0};
    struct fragprog_hooks hooks;
    struct running running = {c, item, NULL};
    struct fragprog_language_options language = o->language;
    start(c);
    c->ok = vertex_of_item(&vertex, item, o, &c->why);
    vertex.lighting |= adds_zero(&vertex, item, o);
    if (c->ok && generate(&program, c, item, o, &vertex)) {
        const struct fragprog_source source = {.ir = &program.p};
        const struct fragprog_options passes = options_of(o, &hooks, &running);
        struct texenv_text text = scratch_text(2048 * (size_t)(program.p.ninst + program.p.nkonst));
        language.fog = language.color_sum = language.alpha_test = 0;
        c->ok = fragprog_compile_language(&text, &source, &passes, &language,
                                          memory(c, fragprog_scratch(&source)), &c->why);
        if (c->ok && text.length < text.size)
            add_with_switches(b, text.data, &vertex, o);
        else if (c->ok)
            add_scratch(b, &text);
    }
    vertex_free(&program);
}

/* ---- pairs of GLSL ---- */

struct fragprog_pair_options pair_options_of(const struct options *o)
{
    return (struct fragprog_pair_options){.language = o->language.language,
                                          .level = o->target.level,
                                          .precision = o->language.precision,
                                          .location = o->language.location,
                                          .binding = o->language.binding,
                                          .prefix = o->language.prefix};
}

/* --fold-constants: turns environment colours into numbers. */
static void fold_colors(struct fragprog *p)
{
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned i = 0; i < 4; i++)
            if (p->konst[k].origin[i].unit < FRAGPROG_ORIGIN_GLOBAL)
                p->konst[k].origin[i].unit = FRAGPROG_ORIGIN_IMMEDIATE;
}

/* Compiles both shaders of a GLSL pair. */
static void compile_pair(struct compiled *c, const struct item *item, const struct options *o,
                         const struct compile_hook *hook)
{
    static char texts[FRAGPROG_PAIR_TEXTS];
    const struct fragprog_language_options language = language_of(item, o);
    struct fragprog_pair_source source = {.state = {.color_sum = language.color_sum,
                                                    .fog = language.fog,
                                                    .fog_coord = language.fog_coord,
                                                    .alpha_test = language.alpha_test}};
    struct fragprog_pair_options options = pair_options_of(o);
    compile_ir(c, item, o, hook);
    c->ok = c->ok && vertex_of_item(&source.vertex, item, o, &c->why);
    if (!c->ok)
        return;
    const bool zero = adds_zero(&source.vertex, item, o);
    source.vertex.lighting |= zero;
    source.state.color_sum |= zero;
    source.points = item->raster.points || source.vertex.point_attenuation;
    source.flat = item->raster.flat;
    source.clip_planes = item->raster.clip_planes;
    source.sprites = item->raster.sprites;
    source.lower_left = item->raster.lower_left;
    source.radial_fog = item->raster.radial_fog;
    /* fixed function after the vertex program would divide by q */
    source.affine = o->affine && !is_alone(o) ? 0xff : 0;
    if (language.fold_constants)
        fold_colors(&c->ir);
    options.fragment = &c->ir;
    c->ok = fragprog_compile_pair(&c->pair, &source, &options, texts, memory(c, FRAGPROG_PAIR_SCRATCH),
                                  &c->why);
    c->switches = source.vertex;
    c->switches.point_attenuation |= source.points;
}

static void compile_glsl(struct compiled *c, struct buffer *b, struct buffer *split, const struct item *item,
                         const struct options *o, const struct compile_hook *hook)
{
    compile_pair(c, item, o, hook);
    if (!c->ok)
        return;
    add_with_switches(split ? split : b, c->pair.vertex, &c->switches, o);
    if (!(o->stages & STAGE_FRAGMENT))
        return;
    if (!split)
        add_border(b, o);
    buffer_puts(b, c->pair.fragment);
}

void compile_language(struct compiled *c, struct buffer *b, struct buffer *split, const struct item *item,
                      const struct options *o, const struct compile_hook *hook)
{
    struct running running = {c, item, hook};
    struct fragprog_hooks hooks;
    if (o->stages & STAGE_VERTEX && o->language.language != FRAGPROG_ARBFP) {
        compile_glsl(c, b, split, item, o, hook);
        return;
    }
    if (o->stages & STAGE_VERTEX) {
        add_generated(c, split ? split : b, item, o);
        if (!c->ok || !(o->stages & STAGE_FRAGMENT))
            return;
        if (!split)
            add_border(b, o);
    }
    const struct fragprog_options passes = options_of(o, &hooks, &running);
    const struct fragprog_source source = source_of(c, item);
    const struct fragprog_language_options language = language_of(item, o);
    /* an estimate: one line of the longest language for each instruction and each parameter */
    struct texenv_text text = scratch_text(source.ir ? 2048 * (size_t)(source.ir->ninst + source.ir->nkonst)
                                                     : 0);
    start(c);
    c->ok = fragprog_compile_language(&text, &source, &passes, &language,
                                      memory(c, fragprog_scratch(&source)), &c->why);
    if (c->ok)
        add_scratch(b, &text);
}

void compile_vertex_chip(struct compiled *c, const struct item *item, const struct options *o)
{
    struct texenv_vertex vertex;
    struct vertex_program program = {0};
    start(c);
    c->ok = o->chip->vertex_steps && vertex_of_item(&vertex, item, o, &c->why);
    if (!o->chip->vertex_steps) {
        c->why.code = "stage";
        snprintf(c->why.text, sizeof c->why.text, "%s: words of a vertex engine are made for %s",
                 o->chip->name, "r300, r400 and r500 only");
    }
    if (c->ok && generate(&program, c, item, o, &vertex)) {
        struct item generated = *item;
        generated.state = NULL;
        generated.atifs = NULL;
        generated.ir = &program.p;
        compile_chip(c, &generated, o, NULL);
    }
    vertex_free(&program);
}

void compile_chip(struct compiled *c, const struct item *item, const struct options *o,
                  const struct compile_hook *hook)
{
    struct running running = {c, item, hook};
    struct fragprog_hooks hooks;
    struct hwemit_options options = o->chip_options;
    const struct fragprog_source source = source_of(c, item);
    options.passes = options_of(o, &hooks, &running);
    if (item->state)
        options.follows = (item->state->color_sum ? HWEMIT_COLOR_SUM : 0) |
            (item->state->fog ? HWEMIT_FOG : 0);
    hwemit_code_init(&c->code, c->word, HWEMIT_MAX_WORDS);
    start(c);
    c->ok = hwemit_compile(&c->code, o->chip, &source, &options,
                           memory(c, hwemit_scratch_of(o->chip, &source)), &c->why);
    if (!c->ok)
        return;
    if (c->code.nwords > HWEMIT_MAX_WORDS)
        die_internal("%s, state %llu: %u words of %s are more than there can be", item->source->name,
                     (unsigned long long)item->number, c->code.nwords, o->chip->name);
    for (uint32_t i = 0; i < c->code.nwords; i++) {
        uint32_t bits;
        const char *wrong = hwemit_check_word(hwemit_find_registers(o->chip), c->word, i, c->code.nwords,
                                              &bits);
        if (wrong)
            die_internal("%s, state %llu: word %u (0x%x at 0x%x) of %s: %s (0x%x)", item->source->name,
                         (unsigned long long)item->number, i, c->word[i].value, c->word[i].address,
                         o->chip->name, wrong, bits);
    }
}
