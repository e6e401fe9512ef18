#include "compile.h"
#include "fragprog/fragprog.h"

#include <string.h>

const char *const base_names[TEXENV_BASES] = {"rgba", "rgb", "alpha", "luminance", "luminance_alpha", "intensity", "red", "rg", "depth"};
const char *const target_names[TEXENV_TARGETS] = {"1d", "2d", "rect", "3d", "cube"};
const char *const fog_names[4] = {"off", "linear", "exp", "exp2"};

/* ---- texts ---- */

static char scratch[1 << 17]; /* the longest text of one program */

static struct texenv_text scratch_text(void)
{
    struct texenv_text text;
    texenv_text_init(&text, scratch, sizeof scratch);
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
        struct texenv_text text = scratch_text(); \
        print; \
        add_scratch(b, &text); \
    } while (0)

void add_ir(struct buffer *b, const struct fragprog *p) { ADD(b, fragprog_print_ir(&text, p)); }
void add_atifs(struct buffer *b, const struct fragprog_atifs *program) { ADD(b, fragprog_print_atifs(&text, program)); }
void add_atifs_c(struct buffer *b, const struct fragprog_atifs *program, const char *name) { ADD(b, fragprog_print_atifs_c(&text, program, name)); }
void add_stages(struct buffer *b, const struct texenv_state *state) { ADD(b, texenv_print_stages(&text, state)); }
void add_stage(struct buffer *b, const struct texenv_state *state, unsigned unit) { ADD(b, texenv_print_stage(&text, state, unit)); }
void add_formula(struct buffer *b, const struct texenv_state *state, unsigned unit, unsigned half)
{
    ADD(b, texenv_print_formula(&text, state, unit, half));
}
void add_gl(struct buffer *b, const struct texenv_state *state) { ADD(b, texenv_print_gl(&text, state)); }

/* ---- --rule-counts ---- */

static struct { const char *rule; uint64_t count; } rule_counts[128];

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

/* ---- compilation ---- */

static void check(const struct fragprog *p, const char *after, const struct item *item)
{
    unsigned where = 0;
    const char *broken = fragprog_check(p, &where);
    if (broken)
        die_internal("%s, state %llu: after '%s' the intermediate program breaks a rule at %%%u: %s", item->source->name,
                     (unsigned long long)item->number, after, where, broken);
}

static void tell(const struct compile_hook *hook, int pass, const char *name, const struct fragprog *p)
{
    if (hook)
        hook->after(hook->user, pass, name, p);
}

struct running {
    struct compiled *c;
    const struct item *item;
    const struct options *o;
    const struct compile_hook *hook;
};

static void after_pass(void *user, const struct fragprog_pass *pass, const struct fragprog *p)
{
    struct running *r = user;
    check(p, pass->name, r->item);
    tell(r->hook, (int)(pass - fragprog_passes), pass->name, p);
}

/* The intermediate program of a program of the extension, without the constants that it does not use. */
static void import(struct fragprog *p, const struct item *item)
{
    const char *undefined;
    fragprog_import_atifs(p, item->atifs, &undefined);
    if (undefined) {
        struct texenv_sink sink = diag_sink(item->source);
        texenv_emit(&sink, TEXENV_WARNING, -1, item->place, "undefined", "%s", undefined);
    }
}

void compile_ir(struct compiled *c, const struct item *item, const struct options *o, const struct compile_hook *hook)
{
    fragprog_init(&c->ir, &c->storage);
    c->ok = true;
    if (item->state) {
        fragprog_lower(&c->ir, item->state);
    } else if (item->atifs) {
        import(&c->ir, item);
    } else if (!item->ir) {
        c->ok = false;
        c->why = (struct fragprog_reason){.unit = -1, .code = "atifs", .text = "a program of the extension cannot be taken apart yet"};
        return;
    } else if (!fragprog_copy(&c->ir, item->ir)) {
        c->ok = false;
        c->why = (struct fragprog_reason){.unit = -1, .code = "length"};
        snprintf(c->why.text, sizeof c->why.text, "the program has %u instructions and %u constants; %d and %d is what one pass is prepared for",
                 item->ir->ninst, item->ir->nkonst, FRAGPROG_TEXENV_INSTS, FRAGPROG_TEXENV_CONSTS);
        return;
    }
    check(&c->ir, "lower", item);
    tell(hook, PRINT_LOWER, "lower", &c->ir);
    struct running running = {c, item, o, hook};
    const struct fragprog_opt opt = {.fold_constants = o->target.fold_constants, .fired = o->rule_counts ? count_rule : NULL};
    if (o->chip && item->state) { /* as hwemit_compile: words depend on no more than the key */
        fragprog_optimise(&c->ir, &opt, 0, (uint32_t)o->skip, NULL, NULL);
        fragprog_canonicalise(&c->ir);
    }
    fragprog_optimise(&c->ir, &opt, o->target.level, (uint32_t)o->skip, after_pass, &running);
}

static void check_program(const struct compiled *c, const struct item *item)
{
    unsigned pass = 0, pair = 0;
    const char *broken = fragprog_check_atifs(&c->program, &pass, &pair);
    if (broken)
        die_internal("%s, state %llu: the program breaks a rule of the extension in pass %u, pair %u: %s", item->source->name,
                     (unsigned long long)item->number, pass, pair, broken);
}

void compile_target(struct compiled *c, const struct item *item, const struct options *o, const struct compile_hook *hook)
{
    if (!c->ok)
        return;
    struct fragprog_options target = o->target;
    target.color_sum = item->state && item->state->color_sum;
    /* As fragprog_compile_atifs: where the optimised program does not fit the plain one may, and where one pass does not do two may. */
    static struct fragprog_storage storage;
    struct fragprog best;
    fragprog_init(&best, &storage);
    fragprog_copy(&best, &c->ir);
    c->scheduled = false;
    c->ok = fragprog_assign(&c->ir, &target, &c->assignment, &c->why);
    if (!c->ok) {
        struct options plain = *o;
        plain.target.level = 0;
        c->ok = true;
        compile_ir(c, item, &plain, NULL);
        struct fragprog_storage plain_storage = c->storage;
        struct fragprog before = c->ir;
        before.inst = plain_storage.inst, before.konst = plain_storage.konst;
        c->ok = target.level > 0 && fragprog_assign(&c->ir, &target, &c->assignment, &c->why);
        if (!c->ok) {
            const struct fragprog_schedule_options schedule = fragprog_schedule_text(&target);
            c->ok = c->scheduled = fragprog_schedule_either(&c->program, &best, target.level > 0 ? &before : NULL, &schedule, &c->why);
        }
    }
    if (!c->ok)
        return;
    if (c->scheduled) {
        check_program(c, item);
        return;
    }
    check(&c->ir, "assign", item);
    tell(hook, PRINT_ASSIGN, "assign", &c->ir);
    fragprog_emit_atifs(&c->program, &c->ir, &c->assignment, &target);
    if (c->assignment.npairs == FRAGPROG_PAIRS && target.level > 0 && item->state) {
        struct fragprog plain;
        const struct fragprog_opt opt = {.fold_constants = target.fold_constants};
        fragprog_init(&plain, &c->plain_storage);
        fragprog_lower(&plain, item->state);
        fragprog_optimise(&plain, &opt, 0, 0, NULL, NULL);
        c->scheduled = fragprog_schedule_shorter(&c->program, &best, &plain, &target);
    }
    check_program(c, item);
}

void compile_language(struct compiled *c, struct buffer *b, const struct item *item, const struct options *o)
{
    struct fragprog_language_options language = o->language;
    if (!c->ok)
        return;
    if (language.fog == SAYS_STATE)
        language.fog = item->state ? item->state->fog : TEXENV_FOG_OFF;
    if (language.color_sum == SAYS_STATE)
        language.color_sum = item->state && item->state->color_sum;
    language.fold_constants = o->target.fold_constants;
    struct texenv_text text = scratch_text();
    c->ok = fragprog_print_language(&text, &c->ir, &language, &c->why);
    if (c->ok)
        add_scratch(b, &text);
}

void compile_chip(struct compiled *c, const struct item *item, const struct options *o)
{
    if (!c->ok)
        return;
    const struct fragprog_opt opt = {.fold_constants = o->target.fold_constants};
    struct hwemit_source source = {.best = &c->ir, .plain = &c->plain, .atifs = item->atifs};
    fragprog_init(&c->plain, &c->plain_storage);
    if (item->state) {
        fragprog_lower(&c->plain, item->state);
        fragprog_optimise(&c->plain, &opt, 0, 0, NULL, NULL);
    } else if (item->atifs) {
        fragprog_import_atifs(&c->plain, item->atifs, NULL);
        fragprog_optimise(&c->plain, &opt, 0, 0, NULL, NULL);
        fragprog_canonicalise(&c->plain);
    } else {
        source.plain = NULL;
    }
    hwemit_code_init(&c->code, c->word, HWEMIT_MAX_WORDS);
    c->why = (struct fragprog_reason){.unit = -1, .code = "target"};
    c->ok = o->chip->compile(&c->code, &source, &o->chip_options, &c->why);
    if (!c->ok)
        return;
    if (c->code.nwords > HWEMIT_MAX_WORDS)
        die_internal("%s, state %llu: %u words of %s are more than there can be", item->source->name, (unsigned long long)item->number, c->code.nwords, o->chip->name);
    for (uint32_t i = 0; i < c->code.nwords; i++) {
        uint32_t bits;
        const char *wrong = hwemit_check_word(o->chip, c->word, i, c->code.nwords, &bits);
        if (wrong)
            die_internal("%s, state %llu: word %u (0x%x at 0x%x) of %s: %s (0x%x)", item->source->name, (unsigned long long)item->number, i, c->word[i].value,
                         c->word[i].address, o->chip->name, wrong, bits);
    }
}
