#define _POSIX_C_SOURCE 200809L
#include "options.h"
#include "compile.h"
#include "diag.h"
#include "fragprog/alias.h"
#include "fragprog/constants.h"

#include <stdio.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const form_names[FORMS] = {NULL,          "gl",    "apitrace", "stages", "ir",   "atifs",
                                       "atifs-calls", "arbfp", "atifs-c",  "json",   "chip", "language"};

/* ---- setters of options ---- */

/* Returns the index of value among names[first..last]. Any other value is wrong usage. */
static int choose(const char *option, const char *value, const char *const *names, int first, int last)
{
    struct nearest n;
    struct buffer all = {0};
    nearest_init(&n, value);
    for (int i = first; i <= last; i++)
        if (strcasecmp(value, names[i]) == 0)
            return i;
    for (int i = first; i <= last; i++) {
        nearest_try(&n, names[i]);
        buffer_printf(&all, "%s%s", i > first ? ", " : "", names[i]);
    }
    if (nearest_get(&n))
        die_usage("%s does not take '%s'; did you mean '%s'?", option, value, nearest_get(&n));
    die_usage("%s does not take '%s'; it takes %s", option, value, all.data);
}

static void add_input(struct options *o, const char *path, const char *text)
{
    o->input = xrealloc(o->input, (o->ninput + 1) * sizeof *o->input);
    o->input[o->ninput++] = (struct input){path, text};
}

/* Translates common names of languages; returns any other name unchanged. */
static const char *language_of_alias(const char *value)
{
    static const char *const alias[][2] = {
        {"webgl", "glsl-es"},        {"webgl1", "glsl-es"},       {"gles2", "glsl-es"},
        {"gles", "glsl-es"},         {"essl", "glsl-es"},         {"glsl-100", "glsl-es"},
        {"glsl-es-100", "glsl-es"},  {"webgl2", "glsl-es-300"},   {"gles3", "glsl-es-300"},
        {"glsl-300", "glsl-es-300"}, {"essl-300", "glsl-es-300"}, {"glsl-120", "glsl"},
        {"glsl110", "glsl-110"},     {"glsl120", "glsl"},         {"glsl330", "glsl-330"},
        {"glsl450", "glsl-450"},     {"vulkan", "glsl-450"},      {"arbfp1", "arbfp"},
        {"arbfp1.0", "arbfp"},       {"arb-fp", "arbfp"},         {"arbvp", "arbfp"},
        {"arbvp1.0", "arbfp"},       {"atifs1.0", "atifs"}};
    for (size_t i = 0; i < sizeof alias / sizeof *alias; i++)
        if (strcasecmp(value, alias[i][0]) == 0)
            return alias[i][1];
    return value;
}
static void set_from(struct options *o, const char *value)
{
    o->source = strcmp(value, "c") == 0;
    o->words = strcmp(value, "vertex") == 0;
    o->combiners = strcmp(value, "rc") == 0;
    if (o->combiners && strcmp(o->command->name, "convert") != 0)
        die_usage("--from rc: only 'texenvc convert' reads programs of register combiners");
    if (o->combiners)
        return;
    if (o->source || o->words) {
        o->from = o->source ? FORM_GL : FORM_ARBFP;
        return;
    }
    value = language_of_alias(value);
    o->from = (enum form)choose("--from", value, form_names, FORM_GL, FORM_ARBFP);
}
static void set_target(struct options *o, const char *value)
{
    const char *names[32];
    int n = 0;
    for (; hwemit_targets[n] && n < 32; n++)
        names[n] = hwemit_targets[n]->name;
    o->chip = hwemit_targets[choose("--target", value, names, 0, n - 1)];
}
static void set_to(struct options *o, const char *value)
{
    o->webgl = strncasecmp(value, "webgl", 5) == 0;
    value = language_of_alias(value);
    const char *names[FORMS + 32 + FRAGPROG_LANGUAGES];
    int n = 0;
    if (strcasecmp(value, "apitrace") == 0)
        die_usage("--to does not take 'apitrace': traces are only read; '--to gl' prints calls");
    if (strcasecmp(value, form_names[FORM_ATIFS_CALLS]) == 0)
        die_usage("--to does not take 'atifs-calls': it is only read; '--to atifs-c' prints calls");
    for (int form = FORM_GL; form < FORM_CHIP; form++)
        names[n++] = form_names[form];
    for (int chip = 0; hwemit_targets[chip] && chip < 32; chip++)
        names[n++] = hwemit_targets[chip]->name;
    int languages = n;
    /* FORM_ARBFP is already among the forms */
    for (int language = FRAGPROG_ARBFP + 1; language < FRAGPROG_LANGUAGES; language++)
        names[n++] = fragprog_language_name((enum fragprog_language)language);
    int i = choose("--to", value, names, 0, n - 1);
    bool is_chip = i >= FORM_CHIP - FORM_GL;
    o->chip = NULL;
    if (i >= languages || i == FORM_ARBFP - FORM_GL) {
        o->to = FORM_LANGUAGE;
        o->language.language = (uint8_t)(i >= languages ? i - languages + FRAGPROG_ARBFP + 1
                                                        : FRAGPROG_ARBFP);
        return;
    }
    o->to = is_chip ? FORM_CHIP : (enum form)(FORM_GL + i);
    o->chip = is_chip ? hwemit_targets[i - (FORM_CHIP - FORM_GL)] : NULL;
}
/* Reads UNIT=TARGET. */
static void set_unit(uint8_t *units, const char *option, const char *value)
{
    if (value[0] < '0' || value[0] >= '0' + TEXENV_UNITS || value[1] != '=')
        die_usage("%s takes UNIT=TARGET, such as 0=cube, not '%s'", option, value);
    units[value[0] - '0'] = (uint8_t)(choose(option, value + 2, target_names, 0, TEXENV_TARGETS - 1) + 1);
}
static void set_texture(struct options *o, const char *value) { set_unit(o->texture, "--texture", value); }
static void set_enable(struct options *o, const char *value)
{
    if (value[0] >= '0' && value[0] < '0' + TEXENV_UNITS && strcmp(value + 1, "=none") == 0)
        o->enable[value[0] - '0'] = TEXENV_TARGETS + 1;
    else
        set_unit(o->enable, "--enable", value);
}
static void set_fog(struct options *o, const char *value)
{
    /* in the order of enum texenv_fog */
    static const char *const names[] = {"off", "linear", "exp", "exp2", "state"};
    int i = choose("--fog", value, names, 0, 4);
    o->language.fog = (uint8_t)(i == 4 ? SAYS_STATE : i);
}
static void set_alpha_test(struct options *o, const char *value)
{
    /* in the order of enum texenv_compare */
    static const char *const names[] = {"off",     "never",    "less",   "equal",  "lequal",
                                        "greater", "notequal", "gequal", "always", "state"};
    int i = choose("--alpha-test", value, names, 0, 9);
    o->language.alpha_test = (uint8_t)(i == 9 ? SAYS_STATE : i);
}
static void set_stage(struct options *o, const char *value)
{
    static const char *const names[] = {"fragment", "vertex", "both"}; /* bits of enum stage, minus one */
    o->stages = (unsigned)choose("--stage", value, names, 0, 2) + 1;
}
static void set_vertex_state(struct options *o, const char *value) { o->vertex_state = value; }
static void set_affine(struct options *o, const char *value)
{
    (void)value;
    o->affine = true;
}
static void set_precision(struct options *o, const char *value)
{
    /* in the order of enum fragprog_precision */
    static const char *const names[] = {"best", "mediump", "highp"};
    o->language.precision = (uint8_t)choose("--precision", value, names, 0, 2);
}
static void set_reflect(struct options *o, const char *value) { o->reflect = value; }
static void set_reflect_c(struct options *o, const char *value) { o->reflect_c = value; }
static void set_embed(struct options *o, const char *value)
{
    (void)value;
    o->embed = true;
}
static void set_page(struct options *o, const char *value) { o->page = value; }
static void check_identifier(const char *option, const char *value)
{
    if (!fragprog_is_prefix(value))
        die_usage("%s takes letters, digits and single '_', a letter first, no 'gl_' in front, at most %d "
                  "characters, not '%s'",
                  option, FRAGPROG_PREFIX_MAX, value);
}
static void set_prefix(struct options *o, const char *value)
{
    check_identifier("--prefix", value);
    o->language.prefix = value;
}
static void set_name(struct options *o, const char *value)
{
    check_identifier("--name", value);
    o->name = value;
}
static void set_color_sum(struct options *o, const char *value)
{
    static const char *const names[] = {"off", "on", "state"};
    int i = choose("--color-sum", value, names, 0, 2);
    o->language.color_sum = (uint8_t)(i == 2 ? SAYS_STATE : i);
}
static void set_format(struct options *o, const char *value)
{
    static const char *const names[] = {"text", "hex", "json", "c"};
    o->format = (enum format)choose("--format", value, names, FORMAT_TEXT, FORMAT_C);
}
static void set_packets(struct options *o, const char *value)
{
    (void)value;
    o->packets = true;
}
static void set_fields(struct options *o, const char *value)
{
    (void)value;
    o->fields = true;
}
static void set_html(struct options *o, const char *value)
{
    (void)value;
    o->html = true;
}
static void set_json(struct options *o, const char *value)
{
    (void)value;
    o->json = true;
}
static void set_assume(struct options *o, const char *value)
{
    o->assume = xrealloc(o->assume, (o->nassume + 1) * sizeof *o->assume);
    o->assume[o->nassume++] = value;
}
static void set_chip_option(struct options *o, const char *value)
{
    o->chip_option = xrealloc(o->chip_option, (o->nchip_option + 1) * sizeof *o->chip_option);
    o->chip_option[o->nchip_option++] = value;
}
static void set_i830(struct options *o, const char *value)
{
    static const char *const names[] = {"documented", "full"};
    if (choose("--i830", value, names, 0, 1))
        set_assume(o, "full");
}
static void add_text(const char ***list, size_t *n, const char *text)
{
    *list = xrealloc(*list, (*n + 1) * sizeof **list);
    (*list)[(*n)++] = text;
}
static void set_include(struct options *o, const char *value)
{
    add_text(&o->cpp, &o->ncpp, "-I");
    add_text(&o->cpp, &o->ncpp, value);
}
static void set_define(struct options *o, const char *value)
{
    add_text(&o->cpp, &o->ncpp, "-D");
    add_text(&o->cpp, &o->ncpp, value);
}
static void set_function(struct options *o, const char *value) { o->function = value; }
static void set_draw(struct options *o, const char *value) { add_text(&o->draw, &o->ndraw, value); }
static void set_ignore(struct options *o, const char *value) { add_text(&o->ignore, &o->nignore, value); }
static bool has_equals(const char *value)
{
    const char *equals = strchr(value, '=');
    return equals && equals > value && equals[1];
}
static void set_input(struct options *o, const char *value) { add_text(&o->value, &o->nvalue, value); }

static void set_let(struct options *o, const char *value)
{
    bool ok = has_equals(value);
    /* elements of an array are separated by commas */
    for (const char *p = ok ? strchr(value, '=') + 1 : NULL; ok && p;) {
        char *end = NULL;
        size_t n = strcspn(p, ",");
        /* else it may be an enumerator */
        if (texenv_token(p, n) < 0 && !isalpha((unsigned char)*p) && *p != '_') {
            strtod(p, &end);
            ok = end > p && end + strspn(end, "fFuU") == p + n;
        }
        p = p[n] ? p + n + 1 : NULL;
    }
    if (!ok)
        die_usage("--let takes NAME=NUMBER, NAME=GL_TOKEN, NAME=CONSTANT, or several of them with commas, "
                  "not '%s'",
                  value);
    add_text(&o->let, &o->nlet, value);
}
static void set_call_alias(struct options *o, const char *value)
{
    static const char *const tables[][2] = {{"none", "alias=0"}, {"plain", "alias=1"}, {"best", "alias=2"}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(value, tables[i][0]) == 0) {
            set_chip_option(o, tables[i][1]);
            return;
        }
    if (!has_equals(value) || (strncmp(strchr(value, '=') + 1, "gl", 2) != 0 && !strstr(value, "::")))
        die_usage("--alias takes NAME=glNAME, NAME=CLASS::NAME, or of ir3 none, plain or best, not '%s'",
                  value);
    add_text(&o->wrapper, &o->nwrapper, value);
}
static void set_output(struct options *o, const char *value) { o->output = value; }
static void set_text(struct options *o, const char *value) { add_input(o, NULL, value); }
static void set_bind(struct options *o, const char *value)
{
    static const char *const names[] = {"keep", "compact"};
    o->target.bind_compact = (uint8_t)choose("--bind", value, names, 0, 1);
}
static void set_constants(struct options *o, const char *value)
{
    static const char *const names[] = {"literal", "local"};
    o->target.constants_local = (uint8_t)choose("--constants", value, names, 0, 1);
}
static void set_avoid(struct options *o, const char *value)
{
    static const char *const names[] = {"mesa"};
    choose("--avoid", value, names, 0, 0);
    o->target.avoid_mesa = 1;
}

static void set_policy(struct options *o, const char *value)
{
    static const char *const all[] = {"crossbar-off=pass",   "crossbar-off=one", "crossbar-off=zero",
                                      "crossbar-off=refuse", "dot3-alpha=alpha", "dot3-alpha=rgb"};
    if (!texenv_policy_set(&o->policy, value))
        choose("--policy", value, all, 0, (int)(sizeof all / sizeof *all) - 1);
    o->policy_text = xrealloc(o->policy_text, (o->npolicy + 1) * sizeof *o->policy_text);
    o->policy_text[o->npolicy++] = value;
}

static unsigned long number(const char *option, const char *value, unsigned long low, unsigned long high)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*value < '0' || *value > '9' || *end || n < low || n > high)
        die_usage("%s takes a number from %lu to %lu, not '%s'", option, low, high, value);
    return n;
}
static void set_state(struct options *o, const char *value)
{
    o->state = number("--state", value, 1, 999999999);
}
static void set_level(struct options *o, const char *value)
{
    o->target.level = (uint8_t)number("-O", value, 0, 3);
}
static void set_most_work(struct options *o, const char *value)
{
    o->target.most_work = (uint32_t)number("--most-work", value, 1, UINT32_MAX);
}
static void set_layout_format(struct options *o, const char *value)
{
    static const char *const names[] = {"text", "json"};
    o->format = choose("--format", value, names, 0, 1) ? FORMAT_JSON : FORMAT_TEXT;
}
static void set_constants_layout(struct options *o, const char *value)
{
    static const char *const names[] = {"seed", "vectors-first", "best"};
    o->constants_layout = (uint8_t)choose("--constants-layout", value, names, FRAGPROG_CONSTANTS_SEED,
                                          FRAGPROG_CONSTANTS_BEST);
    o->constants_layout_given = true;
}
static void set_atrm(struct options *o, const char *value)
{
    static const char *const names[] = {"none", "eager", "search"};
    o->atrm = choose("--atrm", value, names, 0, 2) + 1;
}
static void set_alias(struct options *o, const char *value)
{
    static const char *const names[] = {"none", "plain", "best"};
    o->alias = (uint8_t)choose("--alias", value, names, FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_BEST);
}
static void set_limit(struct options *o, const char *value)
{
    o->constants_limit = (uint32_t)number("--limit", value, 1, 65535);
}
static void set_mix(struct options *o, const char *value)
{
    (void)value;
    o->mix = true;
}
static void set_registers(struct options *o, const char *value)
{
    o->registers = (unsigned)number("--registers", value, 1, 8);
}

/* Limits that implementations of Vulkan have (maxPerStageDescriptor..., maxFragmentInputComponents = 128). */
enum { MOST_BINDING = 65000, MOST_LOCATION = 31 - FRAGPROG_LOCATION_TEXCOORD - (TEXENV_UNITS - 1) };
static void set_binding(struct options *o, const char *value)
{
    o->language.binding = (uint16_t)number("--binding", value, 0, MOST_BINDING);
    o->places = true;
}
static void set_location(struct options *o, const char *value)
{
    o->language.location = (uint8_t)number("--location", value, 0, MOST_LOCATION);
    o->places = true;
}

/* Returns the steps of a chip for fragment or for vertex programs, or NULL. */
static const struct hwemit_step *steps_of(const struct hwemit_target *target, bool vertex)
{
    return vertex ? target->vertex_steps : target->steps;
}

/* Returns the index of the pass with this name. Names that are no passes have negative indexes. */
static int find_pass(const char *option, const char *value, bool with_ends)
{
    struct nearest n;
    nearest_init(&n, value);
    if (strcmp(value, "all") == 0)
        return PRINT_ALL;
    if (with_ends && strcmp(value, "lower") == 0)
        return PRINT_LOWER;
    if (with_ends && strcmp(value, "assign") == 0)
        return PRINT_STEP;
    for (int i = 0; fragprog_passes[i].name; i++) {
        if (strcmp(fragprog_passes[i].name, value) == 0)
            return i;
        nearest_try(&n, fragprog_passes[i].name);
    }
    for (int i = 0; with_ends && hwemit_targets[i]; i++)
        for (unsigned vertex = 0; vertex < 2; vertex++)
            for (const struct hwemit_step *s = steps_of(hwemit_targets[i], vertex); s && s->name; s++) {
                if (strcmp(s->name, value) == 0)
                    return PRINT_STEP;
                nearest_try(&n, s->name);
            }
    if (nearest_get(&n))
        die_usage("%s: there is no pass '%s'; did you mean '%s'?", option, value, nearest_get(&n));
    die_usage("%s: there is no pass '%s' ('texenvc convert --help' lists them)", option, value);
}
static void set_skip(struct options *o, const char *value)
{
    int pass = find_pass("--skip", value, false);
    o->target.skip |= pass == PRINT_ALL ? UINT32_MAX : UINT32_C(1) << pass;
}
static void set_print_after(struct options *o, const char *value)
{
    if (o->print_after != PRINT_NONE)
        die_usage("--print-after is given twice; '--print-after all' prints after every pass and step");
    o->print_after = find_pass("--print-after", value, true);
    o->print_step = value;
}

/* Refuses a step of --print-after that the target does not have. */
static void resolve_print_step(const struct options *o)
{
    if (o->print_after != PRINT_STEP || strcmp(o->print_step, "assign") == 0)
        return;
    for (unsigned vertex = 0; vertex < 2 && o->chip; vertex++)
        for (const struct hwemit_step *s = steps_of(o->chip, vertex); s && s->name; s++)
            if (strcmp(s->name, o->print_step) == 0)
                return;
    die_usage(o->chip ? "--print-after: '%s' is no step of %s" : "--print-after: '%s' is a step of a chip",
              o->print_step, o->chip ? o->chip->name : "");
}

static void set_diag(struct options *o, const char *value)
{
    static const char *const names[] = {"text", "json"};
    o->diag_json = choose("--diag", value, names, 0, 1);
    diag_setup(o->diag_json, o->quiet);
}
static void set_lenient(struct options *o, const char *value)
{
    (void)value;
    o->lenient = true;
}
static void set_quiet(struct options *o, const char *value)
{
    (void)value;
    o->quiet = true;
}
static void set_werror(struct options *o, const char *value)
{
    (void)value;
    o->werror = true;
}
static const char *input_form(const char *option, const char *value)
{
    const char *names[FORM_ATIFS_CALLS - FORM_GL + 3];
    const int last = FORM_ATIFS_CALLS - FORM_GL + 2;
    memcpy(names, form_names + FORM_GL, (last - 1) * sizeof *names);
    names[last - 1] = "c";
    names[last] = "vertex"; /* words of the vertex half */
    return names[choose(option, value, names, 0, last)];
}
static void set_from_a(struct options *o, const char *value) { o->from_a = input_form("--from-a", value); }
static void set_from_b(struct options *o, const char *value) { o->from_b = input_form("--from-b", value); }
static void set_verify_each(struct options *o, const char *value)
{
    (void)value;
    o->verify_each = true;
}
static void set_rule_counts(struct options *o, const char *value)
{
    (void)value;
    o->rule_counts = true;
}
static void set_fold(struct options *o, const char *value)
{
    (void)value;
    o->target.fold_constants = 1;
}
static void set_derive(struct options *o, const char *value)
{
    (void)value;
    o->chip_options.no_derived = 0;
}
static void set_no_derive(struct options *o, const char *value)
{
    (void)value;
    o->chip_options.no_derived = 1;
}
static void set_primary(struct options *o, const char *value) { o->primary_texcoord = value; }
static void set_via(struct options *o, const char *value)
{
    static const char *const names[] = {"atifs",    "arbfp",    "glsl",    "arbvp",
                                        "glsl-110", "glsl-330", "glsl-es", "glsl-es-300"};
    o->gldiff->via |= 1u << choose("--via", value, names, 0, 7);
}
static void set_platform(struct options *o, const char *value)
{
    static const char *const names[] = {"auto", "surfaceless", "device", "display", "osmesa"};
    o->gldiff->platform = choose("--platform", value, names, 0, 4);
}
static void set_random(struct options *o, const char *value)
{
    o->gldiff->random = number("--random", value, 1, 999999999);
}
static void set_seed(struct options *o, const char *value)
{
    o->gldiff->seed = number("--seed", value, 0, 999999999);
}
static void set_count(struct options *o, const char *value)
{
    o->count = number("--count", value, 1, 100000);
}
static void set_tags(struct options *o, const char *value) { o->tags = value; }
static void set_vectors_seed(struct options *o, const char *value)
{
    o->seed = number("--seed", value, 1, 999999999);
}
static void set_progress(struct options *o, const char *value)
{
    (void)o;
    (void)value;
    progress_force();
}
static void set_png(struct options *o, const char *value) { o->gldiff->png = value; }
static void set_png_all(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->png_all = true;
}
static void set_eight_bit(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->eight_bit = true;
}
static void set_samples(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->samples = true;
}
static void set_vertex(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->vertex = true;
}
static void set_both(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->both = true;
}
static void set_sabotage(struct options *o, const char *value)
{
    (void)value;
    o->gldiff->sabotage = true;
}
static void set_version(struct options *o, const char *value)
{
    (void)value;
    o->version = true;
}
static void set_manual(struct options *o, const char *value)
{
    (void)value;
    o->manual = true;
}
static void set_help(struct options *o, const char *value)
{
    (void)value;
    o->help = true;
}

/* ---- the table ---- */

const struct option_row option_rows[] = {
    {'e', NULL, "TEXT", CMD_ALL, "take TEXT instead of a file", set_text},
    {0, "--from", "gl|c|apitrace|stages|ir|atifs|atifs-calls|arbfp|vertex|rc", CMD_STATES,
     "form of the input (default: by its name or by looking at it); c: C source through the preprocessor, "
     "whose constants, branches, loops and functions are followed, also by the extensions .c, .cc, .cpp, "
     ".cxx, .C, .h, .hpp and .m where functions are defined in it; vertex: words of a vertex half "
     "(texenv-formats(5)), also by the extension .vertex",
     set_from},
    {'I', NULL, "DIR", CMD_STATES, "C source: a folder in which the preprocessor looks for headers",
     set_include},
    {'D', NULL, "NAME[=TEXT]", CMD_STATES, "C source: a macro for the preprocessor", set_define},
    {0, "--function", "NAME", CMD_STATES, "C source: the function to follow (in C++ also CLASS::NAME)",
     set_function},
    {0, "--let", "NAME=VALUE", CMD_STATES,
     "C source: the value of a name that the source does not tell (a number, a GL token, an enumerator or "
     "constant of the source; several with commas for an array)",
     set_let},
    {0, "--draw", "NAME", CMD_STATES,
     "C source: calls of NAME, which the file does not define, draw and set nothing; NAME*: all names that "
     "begin so (may be repeated)",
     set_draw},
    {0, "--ignore", "NAME", CMD_STATES,
     "C source: calls of NAME, or NAME*, neither draw nor set anything "
     "(may be repeated)",
     set_ignore},
    {0, "--enable", "UNIT=TARGET", CMD_STATES,
     "C source: the texture target that is enabled in this unit before the function runs (1d, 2d, rect, "
     "3d, cube, none)",
     set_enable},
    {0, "--alias", "NAME=glNAME", CMD_STATES,
     "C source: calls of NAME are calls of glNAME; with glNAME@2 their first argument is left out",
     set_call_alias},
    {0, "--from-a", "FORM", CMD_EQUIV, "form of A (default: by looking at it)", set_from_a},
    {0, "--from-b", "FORM", CMD_EQUIV, "form of B", set_from_b},
    {0, "--to", "FORM|LANGUAGE|CHIP", CMD_CONVERT,
     "form of the output: atifs (default), atifs-c, ir, gl, stages, json, a shading language, or words of a "
     "chip (both below); webgl and webgl2 are glsl-es and glsl-es-300",
     set_to},
    {0, "--texture", "UNIT=TARGET", CMD_CONVERT | CMD_REPORT,
     "programs of ATI_fragment_shader, which do not tell texture targets: the target in this unit (1d, 2d, "
     "rect, 3d, cube; default: that of \"# bind\", else 2d)",
     set_texture},
    {0, "--fog", "state|off|linear|exp|exp2", CMD_CONVERT,
     "fog in programs of a language: as in the state (default), or this", set_fog},
    {0, "--color-sum", "state|off|on", CMD_CONVERT,
     "whether programs of a language add the secondary colour: as in the state (default), or this",
     set_color_sum},
    {0, "--alpha-test", "state|off|never|less|...", CMD_CONVERT,
     "the comparison of the alpha test in languages of a GL without one (glsl-330, glsl-es, ...), by GL's "
     "names: as the state says (default), or this",
     set_alpha_test},
    {0, "--stage", "fragment|vertex|both", CMD_CONVERT,
     "with a language: the fragment program (default), the vertex program that goes before it (position, "
     "lighting, generated coordinates, matrices, fog coordinate), or both: one text after the other, or "
     "with -o DIR/ two files for each state; with r300, r400 and r500 words of both engines",
     set_stage},
    {0, "--vertex-state", "WORDS", CMD_CONVERT,
     "the vertex half of --stage vertex and both, instead of what the input says: 'lighting light0 "
     "texgen0=sphere ...' (texenv-formats(5))",
     set_vertex_state},
    {0, "--affine", NULL, CMD_CONVERT,
     "with GLSL and --stage vertex or both: no vertex has a texture coordinate q (glTexCoord2f, arrays of "
     "two or three), so lookups divide only where generated coordinates or a texture matrix give a q",
     set_affine},
    {0, "--precision", "best|mediump|highp", CMD_CONVERT,
     "with glsl-es and glsl-es-300: precision of fragment shaders; best (default): highp where the device "
     "has it, which is optional in OpenGL ES 2",
     set_precision},
    {0, "--reflect", "FILE.json", CMD_CONVERT,
     "with a language: also write the inputs of the programs, and which GL state each uniform holds",
     set_reflect},
    {0, "--reflect-c", "FILE.h", CMD_CONVERT, "with a language: the same as tables of C", set_reflect_c},
    {0, "--embed", NULL, CMD_CONVERT,
     "with a language: a C header, without a library, of both shaders, those tables, and functions that set "
     "every uniform from a plain structure of GL's values; with webgl and webgl2, and if OUT ends in .js or "
     ".mjs, a module of JavaScript with create(gl), set(gl, program, values) and functions for matrices, "
     "lights and materials, and its declarations (OUT.d.ts, OUT.d.mts)",
     set_embed},
    {0, "--page", "OUT.html", CMD_CONVERT,
     "with webgl and webgl2: one page, without other files, that draws every state on a sphere, a quad and a "
     "torus, with sliders for the uniforms",
     set_page},
    {0, "--name", "STATE", CMD_CONVERT,
     "with a language: name of the pair of shaders in these tables and in C (default: texenv) and of its "
     "files (default: the input's name); the second pair is STATE_2",
     set_name},
    {0, "--prefix", "P", CMD_CONVERT,
     "with GLSL: put P before the names of uniforms, samplers, inputs and outputs", set_prefix},
    {0, "--binding", "N", CMD_CONVERT,
     "with glsl-450: the binding of the uniform block (default 0); the sampler of unit n has N + 1 + n",
     set_binding},
    {0, "--location", "N", CMD_CONVERT,
     "with glsl-450: the first location of the variables between the two stages (default 0)", set_location},
    {0, "--target", "CHIP", CMD_REPORT | CMD_WORDS, "the chip: see 'texenvc convert --help'", set_target},
    {0, "--format", "text|hex|json|c", CMD_CONVERT,
     "how a chip's words are written: by name and with comments (default), hexadecimal numbers, JSON, or "
     "arrays of C",
     set_format},
    {0, "--format", "text|json", CMD_CONSTANTS, "rows (default), or an object for each program",
     set_layout_format},
    {0, "--constants-layout", "seed|vectors-first|best", CMD_CONSTANTS | CMD_CONVERT,
     "the layout of constants (convert: of ARB programs for r300 to r500): vectors of uniforms, then "
     "scalars, then immediates in the order of their reads; the same with vectors of immediates before "
     "scalars; or the fewest slots (default; convert: if the second does not fit)",
     set_constants_layout},
    {0, "--atrm", "none|eager|search", CMD_CONVERT | CMD_REPORT,
     "with vertex programs for r300 to r500: no alternate temporaries; as many as there are; or as many as "
     "let most vertices be processed at one time (default)",
     set_atrm},
    {0, "--alias", "none|plain|best", CMD_ALIAS,
     "no table, but moves; a table with an entry for every source; or the fewest entries (default)",
     set_alias},
    {0, "--limit", "N", CMD_CONSTANTS,
     "number of slots: refuse programs that need more; read vectors lane by lane only where the program "
     "does not fit otherwise",
     set_limit},
    {0, "--mix", NULL, CMD_CONSTANTS, "uniforms and immediates may share a slot", set_mix},
    {0, "--packets", NULL, CMD_CONVERT | CMD_ASM,
     "words as the packets of a command stream, not as registers", set_packets},
    {0, "--fields", NULL, CMD_CONVERT | CMD_DISASM,
     "words as registers and bit fields also where the chip has assembly or a language", set_fields},
    {0, "--assume", "NAME", CMD_CONVERT | CMD_REPORT,
     "rely on a property of the chip that no document confirms (may be repeated; names below)", set_assume},
    {0, "--chip-option", "NAME=N", CMD_CONVERT | CMD_REPORT,
     "a property in which chips of this kind differ (may be repeated; names below)", set_chip_option},
    {0, "--i830", "documented|full", CMD_CONVERT | CMD_REPORT,
     "operations that the old driver used (default), or also those that are known by name only", set_i830},
    {0, "--primary-texcoord", "N", CMD_CONVERT | CMD_REPORT,
     "r200: the primary colour also comes in as texture coordinate set N", set_primary},
    {0, "--via", "atifs|arbfp|glsl|LANGUAGE", CMD_GLDIFF,
     "compare with this conversion (may be repeated; default: all; an ARB program has arbfp and glsl; with "
     "--vertex arbvp, glsl, glsl-110, glsl-330, glsl-es and glsl-es-300)",
     set_via},
    {0, "--platform", "auto|surfaceless|device|display|osmesa", CMD_GLDIFF,
     "where the GL comes from: EGL without a surface, EGL on the first device or on the display, OSMesa, "
     "or the first of these that works (default)",
     set_platform},
    {0, "--random", "N", CMD_GLDIFF, "draw N random states", set_random},
    {0, "--seed", "N", CMD_GLDIFF, "seed of the random states (default 1)", set_seed},
    {0, "--input", "NAME=R,G,B,A", CMD_EVALUATE,
     "what a fragment brings, numbers in [0,1], also as quotients (128/255): the texel of a unit (T0 to T7; "
     "of luminance, intensity and depth textures the first number counts, of depth textures of mode ALPHA "
     "the fourth; with comparison it is the result), primary, secondary, or the environment colour of a unit "
     "instead of the state's (C0 "
     "to C7); may be repeated",
     set_input},
    {0, "--count", "N", CMD_VECTORS,
     "N environments, and a tenth as many vertices (default: all classes and pairs of classes, below 200 "
     "KB)",
     set_count},
    {0, "--tags", "TAG,...", CMD_VECTORS,
     "only vectors that have one of these tags and none of those with a minus before it (names below)",
     set_tags},
    {0, "--seed", "N", CMD_VECTORS, "seed of the pairs and inputs (default 1)", set_vectors_seed},
    {0, "--progress", NULL, CMD_GLDIFF,
     "show progress, a line each, also where standard error is no terminal", set_progress},
    {0, "--version", NULL, CMD_GLDIFF, "print the version", set_version},
    {0, "--manual", NULL, CMD_GLDIFF, "print the manual page, for man", set_manual},
    {0, "--png", "DIR", CMD_GLDIFF,
     "write pictures of states that differ, into a folder that is made if missing: direct, converted, "
     "difference",
     set_png},
    {0, "--png-all", NULL, CMD_GLDIFF, "with --png: of all states", set_png_all},
    {0, "--8bit", NULL, CMD_GLDIFF, "textures and framebuffer of 8 bits, and a tolerance of one step",
     set_eight_bit},
    {0, "--samples", NULL, CMD_GLDIFF,
     "only print inputs and fixed-function results, for comparison with another evaluator", set_samples},
    {0, "--vertex", NULL, CMD_GLDIFF,
     "draw vertex halves (texgen, lighting, matrices, fog coordinates, sizes of points): each FILE and -e "
     "has the words of one (texenv-formats(5))",
     set_vertex},
    {0, "--both", NULL, CMD_GLDIFF,
     "draw whole states, by the vertex and the fragment program (arbfp, glsl, glsl-es-300)", set_both},
    {0, "--sabotage", NULL, CMD_GLDIFF,
     "convert wrongly on purpose (ADD_SIGNED as ADD, in programs ADD as SUB), to see that differences are "
     "found",
     set_sabotage},
    {0, "--json", NULL, CMD_REPORT | CMD_EVALUATE | CMD_GLDIFF, "print JSON", set_json},
    {'o', "--output", "OUT|DIR/", CMD_CONVERT, "write to the file OUT, or a file for each state into DIR/",
     set_output},
    {'o', "--output", "DIR", CMD_VECTORS, "write into this folder, which is made if missing (default: here)",
     set_output},
    {'o', "--output", "OUT", CMD_WORDS, "write to the file OUT", set_output},
    {0, "--html", NULL, CMD_EXPLAIN,
     "a page of HTML that needs no other file: the units as a picture and in words, the program in every "
     "language, the words of every chip, or why it cannot do the state",
     set_html},
    {'o', "--output", "OUT.html", CMD_EXPLAIN, "with --html: write to the file OUT.html", set_output},
    {0, "--bind", "keep|compact", CMD_CONVERT | CMD_EXPLAIN | CMD_LINT | CMD_GLDIFF,
     "texture n lies in register n (default), or textures take the next registers in order, so that units "
     "6 and 7 can be used",
     set_bind},
    {0, "--constants", "literal|local", CMD_CONVERT | CMD_EXPLAIN,
     "constants are literals (default) or program.local[n]", set_constants},
    {0, "--avoid", "mesa", CMD_CONVERT | CMD_EXPLAIN | CMD_LINT,
     "avoid what Mesa does differently from the specification of ATI_fragment_shader", set_avoid},
    {0, "--policy", "NAME=VALUE", CMD_STATES | CMD_EQUIV,
     "another reading of the specifications: crossbar-off=pass|one|zero|refuse, dot3-alpha=alpha|rgb",
     set_policy},
    {0, "--registers", "N", CMD_REGISTERS, "number of registers (1 to 8, default 6)", set_registers},
    {0, "--state", "N", CMD_STATES, "only state number N of the input", set_state},
    {'O', NULL, "0|1|2|3", CMD_CONVERT | CMD_EXPLAIN | CMD_LINT | CMD_REPORT | CMD_GLDIFF,
     "level of optimisation (default 2): 0 removes dead stages only, 1 is fast enough for a driver at draw "
     "time, 3 searches longest",
     set_level},
    {0, "--most-work", "N", CMD_CONVERT | CMD_EXPLAIN | CMD_LINT | CMD_REPORT | CMD_GLDIFF,
     "searches end after N units of work of about 100 machine instructions (default: 200 times the "
     "library's, which is 12000 for r200 and ATI_fragment_shader)",
     set_most_work},
    {0, "--fold-constants", NULL, CMD_CONVERT | CMD_EXPLAIN | CMD_LINT | CMD_REPORT | CMD_GLDIFF | CMD_KEY,
     "the environment colours will not change: use their values (from -O1 on)", set_fold},
    {0, "--derive-constants", NULL, CMD_CONVERT | CMD_REPORT,
     "chips with constants of floats: what depends on environment colours alone (1-c, 2c-1, c*d) becomes a "
     "constant, which whoever uploads the colours computes (default, from -O1 on; for etnaviv, ir3 and i915, "
     "and at -O3, only where the program does not become longer)",
     set_derive},
    {0, "--no-derive-constants", NULL, CMD_CONVERT | CMD_REPORT,
     "all constants are environment colours themselves", set_no_derive},
    {0, "--skip", "PASS|all", CMD_CONVERT | CMD_EXPLAIN, "leave out a pass (may be repeated)", set_skip},
    {0, "--print-after", "PASS|STEP|lower|assign|all", CMD_CONVERT,
     "print the intermediate program after a pass, or the operations after a step of a chip (names below), "
     "on standard error; with --to ir as the output",
     set_print_after},
    {0, "--verify-each", NULL, CMD_CONVERT,
     "compare the intermediate program after each pass with the texture environment, by the Python oracle",
     set_verify_each},
    {0, "--rule-counts", NULL, CMD_CONVERT, "print on standard error how often each rewrite rule was applied",
     set_rule_counts},
    {0, "--werror", NULL, CMD_LINT, "warnings count as errors", set_werror},
    {0, "--lenient", NULL, CMD_STATES | CMD_GLDIFF,
     "only warn about calls, macros and names in C source that may change texturing and are not interpreted, "
     "which else are errors",
     set_lenient},
    {0, "--diag", "text|json", CMD_ALL & ~CMD_EQUIV,
     "diagnostics as text (default) or as JSON, one object a line", set_diag},
    {'q', "--quiet", NULL, CMD_ALL & ~CMD_EQUIV, "no warnings, notes, progress or summary", set_quiet},
    {'h', "--help", NULL, CMD_ALL | CMD_VECTORS, "this text", set_help},
    {0, NULL, NULL, 0, NULL, NULL},
};
enum { ROWS = sizeof option_rows / sizeof *option_rows - 1 };

/* ---- help ---- */

/* Appends text with line breaks at blanks. Every line except the first is indented. */
static void add_wrapped(struct buffer *b, const char *text, size_t indent)
{
    size_t line = b->length;
    while (line > 0 && b->data[line - 1] != '\n')
        line--;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (b->length - line + word > 100) {
            b->length--; /* remove the blank */
            buffer_puts(b, "\n");
            line = b->length;
            buffer_pad(b, line, indent);
        }
        buffer_add(b, text, word);
        text += word;
        if (*text) {
            buffer_puts(b, " ");
            text++;
        }
    }
    buffer_puts(b, "\n");
}

static void add_row(struct buffer *b, size_t indent, const char *name, const char *help)
{
    size_t start = b->length;
    buffer_pad(b, start, indent);
    buffer_puts(b, name);
    buffer_puts(b, " ");
    buffer_pad(b, start, 30);
    add_wrapped(b, help, 30);
}

static void add_chip_option(struct buffer *b, const struct hwemit_option *option)
{
    char name[40];
    snprintf(name, sizeof name, "%s=%d..%d", option->name, option->low, option->high);
    add_row(b, 8, name, option->help);
}

static void add_steps(struct buffer *b, const struct hwemit_target *target, bool vertex)
{
    const struct hwemit_step *const steps = steps_of(target, vertex);
    char name[40];
    struct buffer names = {0};
    snprintf(name, sizeof name, "%s%s", target->name, vertex ? " (vertex)" : "");
    for (const struct hwemit_step *s = steps; s && s->name; s++)
        buffer_printf(&names, "%s%s", s == steps ? "" : ", ", s->name);
    if (names.length)
        add_row(b, 6, name, names.data);
    buffer_free(&names);
}

void help_command(struct buffer *b, const struct command *command)
{
    buffer_printf(b, "Usage: %s%s %s\n%s.\n\nOptions:\n", command->bit == CMD_GLDIFF ? "" : "texenvc ",
                  command->name, command->usage, command->summary);
    for (int i = 0; i < ROWS; i++) {
        if (!(option_rows[i].commands & command->bit))
            continue;
        size_t start = b->length;
        if (option_rows[i].letter)
            buffer_printf(b, "  -%c%s", option_rows[i].letter, option_rows[i].name ? ", " : "");
        else
            buffer_puts(b, "      ");
        if (option_rows[i].name)
            buffer_puts(b, option_rows[i].name);
        if (option_rows[i].value)
            buffer_printf(b, " %s", option_rows[i].value);
        if (b->length > start + 28) {
            buffer_puts(b, "\n");
            start = b->length;
        }
        buffer_pad(b, start, 30);
        add_wrapped(b, option_rows[i].help, 30);
    }
    if (command->bit & (CMD_CONVERT | CMD_REPORT | CMD_WORDS)) {
        if (command->bit == CMD_CONVERT) {
            buffer_puts(b, "\nLanguages:\n");
            for (int i = 0; i < FRAGPROG_LANGUAGES; i++)
                add_row(b, 6, fragprog_language_name((enum fragprog_language)i),
                        fragprog_language_help((enum fragprog_language)i));
        }
        buffer_puts(b, "\nChips:\n");
        for (int i = 0; hwemit_targets[i]; i++) {
            add_row(b, 6, hwemit_targets[i]->name, hwemit_targets[i]->help);
            for (const struct hwemit_assumption *a = hwemit_targets[i]->assumptions;
                 a && a->name && command->bit & (CMD_CONVERT | CMD_REPORT); a++)
                add_row(b, 8, a->name, a->help);
            for (const struct hwemit_option *a = hwemit_targets[i]->options;
                 a && a->name && command->bit & (CMD_CONVERT | CMD_REPORT); a++)
                add_chip_option(b, a);
        }
    }
    if (command->bit == CMD_CONVERT) {
        buffer_puts(b, "\nPasses, in order:\n");
        for (int i = 0; fragprog_passes[i].name; i++)
            add_row(b, 6, fragprog_passes[i].name, fragprog_passes[i].help);
        buffer_puts(b, "\nSteps after them, which --print-after also takes:\n");
        for (int i = 0; hwemit_targets[i]; i++)
            for (unsigned vertex = 0; vertex < 2; vertex++)
                add_steps(b, hwemit_targets[i], vertex);
    }
    if (command->help)
        buffer_printf(b, "\n%s", command->help);
}

/* ---- parsing ---- */

/* Returns a hint for an option that this command has under another name. */
static const char *instead(const struct options *o, const char *name)
{
    if (strcmp(name, "--to") == 0 && o->command->bit & (CMD_REPORT | CMD_WORDS))
        return ": --target names the chip";
    if (strcmp(name, "--target") == 0 && o->command->bit & CMD_CONVERT)
        return ": --to names the chip";
    return "";
}

static _Noreturn void unknown_option(const struct options *o, const char *name)
{
    struct nearest n;
    nearest_init(&n, name);
    for (int i = 0; i < ROWS; i++) {
        if (!option_rows[i].name)
            continue;
        if (strcasecmp(option_rows[i].name, name) == 0 && option_rows[i].commands & o->command->bit)
            die_usage("unknown option '%s'; did you mean '%s'?", name, option_rows[i].name);
        if (strcmp(option_rows[i].name, name) == 0)
            die_usage("'%s' does not take %s%s", o->command->name, name, instead(o, name));
        if (option_rows[i].commands & o->command->bit)
            nearest_try(&n, option_rows[i].name);
    }
    if (nearest_get(&n))
        die_usage("unknown option '%s'; did you mean '%s'?", name, nearest_get(&n));
    die_usage("unknown option '%s' ('%s%s --help' lists them)", name,
              o->command->bit == CMD_GLDIFF ? "" : "texenvc ", o->command->name);
}

/* Returns the table row of the option at the start of arg. *value: the value that follows in the same
 * argument, or NULL. */
static const struct option_row *find_row(const struct options *o, const char *arg, const char **value)
{
    *value = NULL;
    if (arg[1] != '-') {
        for (int i = 0; i < ROWS; i++)
            if (option_rows[i].letter && option_rows[i].letter == arg[1] &&
                (option_rows[i].commands & o->command->bit)) {
                *value = arg[2] ? arg + 2 : NULL;
                return &option_rows[i];
            }
        unknown_option(o, arg);
    }
    size_t length = strcspn(arg, "=");
    if (arg[length])
        *value = arg + length + 1;
    for (int i = 0; i < ROWS; i++)
        if (option_rows[i].name && strlen(option_rows[i].name) == length &&
            strncmp(option_rows[i].name, arg, length) == 0 && (option_rows[i].commands & o->command->bit))
            return &option_rows[i];
    unknown_option(o, xstrndup(arg, length));
}

/* Returns the chip's option with this name. Wrong usage if there is none. */
static const struct hwemit_option *find_option(const struct options *o, const char *given, const char *name)
{
    const struct hwemit_option *row = o->chip ? o->chip->options : NULL;
    struct buffer all = {0};
    for (; row && row->name && strcmp(row->name, name) != 0; row++)
        buffer_printf(&all, "%s%s", all.length ? ", " : "; these are: ", row->name);
    if (!row || !row->name)
        die_usage(o->chip ? "%s is no option of %s%s" : "%s is an option of a chip, but no chip is given",
                  given, o->chip ? o->chip->name : "", all.data ? all.data : "");
    buffer_free(&all);
    return row;
}

/* Sets a chip's option. given: the option as written on the command line, for messages. */
static void resolve_option(struct options *o, const char *given, const char *name, const char *value)
{
    const struct hwemit_option *row = find_option(o, given, name);
    hwemit_set_option(&o->chip_options, o->chip, row->name, (int)number(given, value, row->low, row->high));
}

/* Applies --chip-option NAME=N, after the chip is known. */
static void resolve_chip_options(struct options *o)
{
    for (size_t i = 0; i < o->nchip_option; i++) {
        const char *const value = strchr(o->chip_option[i], '=');
        if (!value)
            die_usage("--chip-option '%s': NAME=N is expected", o->chip_option[i]);
        char *const name = xstrndup(o->chip_option[i], (size_t)(value - o->chip_option[i]));
        char *const given = xprintf("--chip-option %s", name);
        resolve_option(o, given, name, value + 1);
        free(given);
        free(name);
    }
}

/* Applies --assume after the chip is known, because the names belong to it. */
static void resolve_assumptions(struct options *o)
{
    for (size_t i = 0; i < o->nassume; i++) {
        const char *names[32];
        int n = 0;
        if (!o->chip)
            die_usage("'%s' is an assumption about a chip, but no chip is given", o->assume[i]);
        for (const struct hwemit_assumption *a = o->chip->assumptions; a && a->name; a++)
            names[n++] = a->name;
        if (!n)
            die_usage("%s has no assumptions", o->chip->name);
        o->chip_options.assume |= UINT32_C(1) << choose("--assume", o->assume[i], names, 0, n - 1);
    }
}

static _Noreturn void die_no_target(const struct options *o)
{
    struct buffer all = {0};
    for (int i = 0; hwemit_targets[i]; i++)
        buffer_printf(&all, "%s%s", i ? ", " : "", hwemit_targets[i]->name);
    die_usage("%s needs --target CHIP, which is one of %s", o->command->name, all.data);
}

enum { PATIENCE = 200 }; /* searches may be longer than in a driver, where a draw call would wait */

uint32_t options_patience(const struct hwemit_target *chip)
{
    return PATIENCE * (chip && chip->most_work ? chip->most_work : FRAGPROG_MOST_WORK);
}

bool options_json(const struct options *o)
{
    return o->to == FORM_JSON || (o->to == FORM_CHIP && o->format == FORMAT_JSON);
}

static const char *extension_of(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && !strchr(dot, '/') ? dot : "";
}

char *options_types(const struct options *o)
{
    const char *dot = extension_of(o->output);
    if (!o->script || o->page || (strcmp(dot, ".js") != 0 && strcmp(dot, ".mjs") != 0))
        return NULL;
    return xprintf("%.*s.d.%sts", (int)(dot - o->output), o->output, dot[1] == 'm' ? "m" : "");
}

/* Determines whether --embed or --page writes JavaScript, and checks the language. */
static void resolve_script(struct options *o)
{
    const bool es = o->to == FORM_LANGUAGE &&
        (o->language.language == FRAGPROG_GLSL_ES_100 || o->language.language == FRAGPROG_GLSL_ES_300);
    const char *extension = extension_of(o->output);
    const bool module = strcmp(extension, ".js") == 0 || strcmp(extension, ".mjs") == 0;
    if (o->page && (o->output || o->embed))
        die_usage("--page names its own output file: leave -o and --embed out");
    if (o->page) {
        o->embed = true;
        o->output = o->page;
    }
    o->script = o->embed && (o->page || module || (o->webgl && !*extension));
    if (o->script && !es)
        die_usage("%s works only with WebGL: --to webgl or webgl2",
                  o->page ? "--page" : "a module of JavaScript");
}

void options_parse(struct options *o, int argc, char **argv)
{
    o->to = FORM_ATIFS;
    o->registers = 6;
    o->constants_layout = FRAGPROG_CONSTANTS_BEST;
    o->alias = FRAGPROG_ALIAS_BEST;
    o->language.fog = o->language.color_sum = o->language.alpha_test = SAYS_STATE;
    o->print_after = PRINT_NONE;
    o->target.level = 2;
    bool only_files = false;
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i], *value;
        if (only_files || arg[0] != '-' || !arg[1]) {
            add_input(o, arg, NULL);
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_files = true;
            continue;
        }
        const struct option_row *row = find_row(o, arg, &value);
        if (row->value && !value) {
            if (++i >= argc)
                die_usage("%.*s needs a value: %s", (int)strcspn(arg, "="), arg, row->value);
            value = argv[i];
        } else if (!row->value && value) {
            die_usage("%.*s takes no value", (int)(row->name ? strlen(row->name) : 2), arg);
        }
        row->set(o, value);
    }
    resolve_script(o);
    if (o->command->bit == CMD_EXPLAIN && o->output && !o->html)
        die_usage("-o is of --html");
    if (o->embed && o->stages && o->stages != STAGE_BOTH)
        die_usage("--embed writes both stages: leave --stage out, or say --stage both");
    if (!o->stages)
        o->stages = o->embed ? STAGE_BOTH : STAGE_FRAGMENT;
    resolve_assumptions(o);
    o->patient = !o->target.most_work;
    if (o->patient)
        o->target.most_work = options_patience(o->chip);
    resolve_chip_options(o);
    if (o->primary_texcoord)
        resolve_option(o, "--primary-texcoord", "primary-texcoord", o->primary_texcoord);
    if (o->command->bit == CMD_CONVERT && o->constants_layout_given)
        hwemit_set_option(&o->chip_options, o->chip,
                          find_option(o, "--constants-layout", "constants-layout")->name,
                          o->constants_layout);
    if (o->atrm)
        hwemit_set_option(&o->chip_options, o->chip, find_option(o, "--atrm", "atrm")->name, o->atrm - 1);
    if (o->command->bit & (CMD_REPORT | CMD_WORDS) && !o->chip && !o->help)
        die_no_target(o);
    resolve_print_step(o);
    if (o->packets && o->chip && o->chip->no_packets)
        die_usage("--packets: the packets of %s are not known", o->chip->name);
    if (o->command->bit == CMD_CONVERT && (o->format != FORMAT_TEXT || o->packets) && o->to != FORM_CHIP)
        die_usage("--format and --packets work only with a chip's words: --to CHIP");
    diag_setup(o->diag_json, o->quiet);
}

void options_free(struct options *o)
{
    free(o->input);
    free(o->cpp);
    free(o->let);
    free(o->draw);
    free(o->ignore);
    free(o->wrapper);
    free(o->policy_text);
    free(o->assume);
    free(o->chip_option);
    free(o->value);
}
