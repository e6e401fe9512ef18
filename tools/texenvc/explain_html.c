/* texenvc explain --html: shows the units as a picture and in words, and the program for every target. */
#include "explain_html.h"

#include "analysis.h"
#include "chip.h"
#include "fit.h"
#include "halves.h"
#include "html.h"
#include "output.h"
#include "sentence.h"
#include "stages_svg.h"
#include "web/web.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct explain {
    const struct options *o;
    struct compiled compiled;
    struct buffer out;
    uint64_t refused;
};

static void add_escaped(struct buffer *b, const char *text) { add_html(b, text, strlen(text)); }

/* ---- one unit, in words ---- */

static bool is_dead(const struct analysis *a, unsigned unit)
{
    return !((a->live[0] | a->live[1]) >> unit & 1);
}

static void add_half(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                     unsigned unit, unsigned half)
{
    struct buffer formula = {0}, why = {0};
    const bool dead = !(a->live[half] >> unit & 1);
    buffer_printf(b, "<p data-half=\"%s\"%s><b>%s:</b> ", half == TEXENV_RGB ? "rgb" : "alpha",
                  dead ? " class=\"dead\"" : "", half == TEXENV_RGB ? "Colour" : "Alpha");
    if (dead) {
        add_dead_reason(&why, state, a, unit, is_dead(a, unit) ? 3 : 1u << half);
        buffer_puts(b, "not used: ");
        add_html_formula(b, "span", why.data, why.length);
        buffer_puts(b, ". It would be ");
    }
    add_sentence(b, state, a, unit, half);
    add_formula(&formula, state, unit, half);
    buffer_puts(b, ". <code>");
    add_html_formula(b, "span", formula.data, formula.length);
    buffer_puts(b, "</code></p>\n");
    buffer_free(&formula);
    buffer_free(&why);
}

/* Appends which other units read the texel of this unit: " Unit 0 reads it." */
static void add_readers(struct buffer *b, const struct texenv_state *state, unsigned unit)
{
    if (texenv_stage_textures(state, unit) >> unit & 1)
        return;
    for (unsigned u = 0; u < state->nstages; u++)
        if (texenv_stage_textures(state, u) >> unit & 1)
            buffer_printf(b, " Unit %u reads it, this one does not.", u);
}

static void add_texture(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                        unsigned unit)
{
    static const char *const fixed[TEXENV_BASES] = {[TEXENV_BASE_RGB] = ": its alpha is 1",
                                                    [TEXENV_BASE_ALPHA] = ": its colour is 0",
                                                    [TEXENV_LUMINANCE] = ": its alpha is 1",
                                                    [TEXENV_RED] = ": g and b are 0, alpha is 1",
                                                    [TEXENV_RG] = ": b is 0, alpha is 1"};
    static const char *const depth[] = {"", " depth", " shadow"};
    const struct texenv_stage *stage = &state->stage[unit];
    if (!(a->sampled >> unit & 1)) {
        buffer_printf(b,
                      "<p class=\"dead\"><span class=\"t\">T%u</span> is not looked up: nothing that counts "
                      "reads it.</p>\n",
                      unit);
        return;
    }
    buffer_printf(b, "<p data-unit=\"%u\" data-base=\"%s\" data-target=\"%s\">", unit,
                  base_names[stage->base], target_names[stage->target]);
    buffer_printf(b, "<span class=\"t\">T%u</span> is a texel of a %s%s texture, format %s%s.", unit,
                  target_names[stage->target], depth[stage->depth], base_names[stage->base],
                  fixed[stage->base] ? fixed[stage->base] : "");
    add_readers(b, state, unit);
    buffer_puts(b, "</p>\n");
}

static void add_components(struct buffer *b, const float color[4], const char *between, const char *unknown)
{
    for (unsigned i = 0; i < 4; i++) {
        buffer_puts(b, i ? between : "");
        if (color[i] != color[i])
            buffer_puts(b, unknown);
        else
            buffer_float(b, color[i]);
    }
}

static void add_constant(struct buffer *b, const struct texenv_stage *stage, unsigned unit)
{
    if (!texenv_stage_color_use(stage))
        return;
    buffer_printf(b, "<p data-unit=\"%u\" data-color=\"", unit);
    add_components(b, stage->color, " ", "unknown");
    buffer_puts(b, "\"><span class=\"c\">C</span> is (");
    add_components(b, stage->color, ", ", "not known");
    buffer_puts(b, ").</p>\n");
}

static void add_unit(struct buffer *b, const struct item *item, const struct analysis *a, unsigned unit)
{
    const struct texenv_state *state = item->state;
    const bool on = a->on >> unit & 1, through = a->through >> unit & 1;
    buffer_printf(b, "<section class=\"unit%s\" data-unit=\"%u\">\n<h3>Unit %u",
                  !on || through || is_dead(a, unit) ? " dead" : "", unit, unit);
    if (on) {
        struct buffer stage = {0};
        add_stage(&stage, state, unit);
        buffer_puts(b, " <code>");
        add_html_formula(b, "span", stage.data, stage.length);
        buffer_puts(b, "</code>");
        buffer_free(&stage);
    }
    buffer_puts(b, "</h3>\n");
    if (!on || through) {
        buffer_puts(b, on ? "<p>Passes on " : "<p>Off (");
        buffer_printf(b, "%s", on ? "" : off_reason(item, unit));
        buffer_puts(b, on ? "" : "): passes on ");
        add_previous(b, a, unit);
        buffer_puts(b, ".</p>\n");
    } else {
        for (unsigned h = 0; h < 2; h++)
            add_half(b, state, a, unit, h);
        add_constant(b, &state->stage[unit], unit);
    }
    if (on)
        add_texture(b, state, a, unit);
    buffer_puts(b, "</section>\n");
}

static void add_after(struct buffer *b, const struct texenv_state *state)
{
    if (state->color_sum)
        buffer_puts(b, "<p data-color-sum>After the units the secondary colour is added (colour sum).</p>\n");
    if (state->fog != TEXENV_FOG_OFF)
        buffer_printf(b, "<p data-after>Then fog is applied (%s, by the %s).</p>\n",
                      fog_names[state->fog & 3], state->fog_coord ? "fog coordinate" : "depth");
    if (!state->alpha_test)
        return;
    buffer_puts(b, "<p data-after>Then the alpha test keeps fragments whose alpha is ");
    add_escaped(b, compare_names[state->alpha_test]);
    buffer_puts(b, " ");
    if (state->alpha_ref == state->alpha_ref)
        buffer_float(b, state->alpha_ref);
    else
        buffer_puts(b, "a reference that is not known");
    buffer_puts(b, ".</p>\n");
}

static void add_read(struct buffer *b, const char *name, unsigned unit, unsigned channels)
{
    if (!channels)
        return;
    buffer_printf(b, " %s", name);
    if (unit < TEXENV_UNITS)
        buffer_printf(b, "%u", unit);
    buffer_puts(b, ".");
    for (unsigned c = 0; c < 4; c++)
        if (channels >> c & 1)
            buffer_printf(b, "%c", "rgba"[c]);
}

/* Appends the inputs that reach the result, by the names of `texenvc evaluate`: " T0.rgb C1.a primary.rgba".
 */
static void add_reads(struct buffer *b, const struct texenv_state *state, const struct analysis *a)
{
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        add_read(b, "T", u, a->texel[u]);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        add_read(b, "C", u, a->color[u]);
    add_read(b, "primary", TEXENV_UNITS, a->primary);
    add_read(b, "secondary", TEXENV_UNITS, state->color_sum ? FRAGPROG_MASK_XYZ : 0u);
}

static void add_units(struct buffer *b, const struct item *item, const struct analysis *a)
{
    struct buffer vertex = {0};
    buffer_puts(b, "<section class=\"units\" aria-label=\"What each unit computes\" data-reads=\"");
    add_reads(b, item->state, a);
    buffer_puts(b, "\">\n");
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (u < item->state->nstages || (item->te && item->te->unit[u].enabled))
            add_unit(b, item, a, u);
    if (!a->on)
        buffer_puts(b, "<p>No unit is on: the primary colour is the result.</p>\n");
    add_after(b, item->state);
    explain_vertex(&vertex, item);
    for (char *line = vertex.length ? strtok(vertex.data, "\n") : NULL; line; line = strtok(NULL, "\n")) {
        buffer_puts(b, "<p class=\"vertex\">");
        add_escaped(b, line + strspn(line, " "));
        buffer_puts(b, "</p>\n");
    }
    buffer_free(&vertex);
    buffer_puts(b, "</section>\n");
}

/* ---- targets ---- */

struct target {
    const char *name, *help;
    const struct hwemit_target *chip; /* the chip; NULL if the target is a language */
    struct buffer text;               /* the program's text; empty if the target refuses the state */
    struct buffer verdict;
};

/* Appends a target, and the text that is visible while it is selected. Targets are radio buttons, so that no
 * script is needed. */
static void add_target(struct explain *e, const struct item *item, struct target *t, unsigned number)
{
    struct buffer *b = &e->out;
    const bool fits = t->text.length > 0;
    char id[60];
    snprintf(id, sizeof id, "state%" PRIu64 "-%s", item->number, t->name);
    buffer_printf(b, "<input type=\"radio\" name=\"state%" PRIu64 "\" id=\"%s\" data-name=\"%s\"%s>",
                  item->number, id, t->name, number ? "" : " checked");
    buffer_printf(b, "<label for=\"%s\" class=\"%s%s\" title=\"", id, t->chip ? "chip" : "language",
                  fits ? "" : " no");
    add_escaped(b, t->help);
    buffer_printf(b, "\"><b>%s</b> <span>", t->name);
    add_html(b, t->verdict.data, t->verdict.length);
    buffer_printf(b, "</span></label>\n<div class=\"program\">\n<h4>%s</h4>\n", t->name);
    buffer_puts(b, "<p>");
    add_escaped(b, t->help);
    buffer_puts(b, "</p>\n");
    if (fits) {
        buffer_printf(b, "<pre tabindex=\"0\" role=\"region\" aria-label=\"%s\" data-target=\"%s\">", t->name,
                      t->name);
        add_html(b, t->text.data, t->text.length);
        buffer_puts(b, "</pre>\n");
    } else {
        buffer_puts(b, "<p class=\"no\">");
        add_html(b, t->verdict.data, t->verdict.length);
        buffer_puts(b, ".</p>\n");
    }
    buffer_puts(b, "</div>\n");
    buffer_free(&t->text);
    buffer_free(&t->verdict);
}

static void say_refused(struct target *t, const struct fragprog_reason *why)
{
    const bool open = strcmp(why->code, "work") == 0;
    buffer_printf(&t->verdict, "%s: %s", open ? "not decided" : "does not fit", why->text);
    if (why->fit[0])
        buffer_printf(&t->verdict, "; would fit if %s", why->fit);
}

static void do_extension(struct explain *e, const struct item *item, struct target *t)
{
    struct compiled *c = &e->compiled;
    compile_target(c, item, e->o, NULL);
    if (!c->ok) {
        say_refused(t, &c->why);
        return;
    }
    add_atifs(&t->text, &c->program);
    const unsigned n = c->program.pass[0].npairs + (c->program.npasses == 2 ? c->program.pass[1].npairs : 0u);
    buffer_printf(&t->verdict, "fits: passes %u, pairs of instructions %u", c->program.npasses, n);
}

static void do_language(struct explain *e, const struct item *item, struct target *t, int language)
{
    struct options o = *e->o;
    o.to = FORM_LANGUAGE;
    o.language.language = (uint8_t)language;
    o.stages = STAGE_FRAGMENT;
    compile_language(&e->compiled, &t->text, NULL, item, &o, NULL);
    if (e->compiled.ok)
        buffer_puts(&t->verdict, "fits");
    else
        say_refused(t, &e->compiled.why);
}

static void do_chip(struct explain *e, const struct item *item, struct target *t)
{
    struct options o = *e->o;
    struct compiled *c = &e->compiled;
    o.to = FORM_CHIP;
    o.chip = t->chip;
    if (o.patient)
        o.target.most_work = options_patience(t->chip);
    compile_chip(c, item, &o, NULL);
    if (!c->ok) {
        find_fit(c, item, &o);
        say_refused(t, &c->why);
        return;
    }
    add_chip(&t->text, item, c, &o);
    buffer_puts(&t->verdict, "fits: ");
    add_stats(&t->verdict, &c->code);
}

static void add_targets(struct explain *e, const struct item *item)
{
    unsigned n = 0;
    struct target extension = {.name = "atifs", .help = "GL_ATI_fragment_shader, as text"};
    buffer_puts(&e->out,
                "<section class=\"targets\" role=\"radiogroup\" aria-label=\"Programs and chips\">\n"
                "<h3>As a program</h3>\n"
                "<p>&#8220;Fits&#8221;: this target can do the state. Choose a target to see what it is, and "
                "the program or the chip&#39;s words.</p>\n");
    do_extension(e, item, &extension);
    add_target(e, item, &extension, n++);
    for (int i = 0; i < FRAGPROG_LANGUAGES; i++) {
        struct target t = {.name = fragprog_language_name((enum fragprog_language)i),
                           .help = fragprog_language_help((enum fragprog_language)i)};
        do_language(e, item, &t, i);
        add_target(e, item, &t, n++);
    }
    buffer_puts(&e->out, "<h3>On a chip</h3>\n");
    for (int i = 0; hwemit_targets[i]; i++) {
        struct target t = {
            .name = hwemit_targets[i]->name, .help = hwemit_targets[i]->help, .chip = hwemit_targets[i]};
        do_chip(e, item, &t);
        add_target(e, item, &t, n++);
    }
    buffer_puts(&e->out, "</section>\n");
}

/* ---- one state ---- */

static void add_title(struct explain *e, const struct item *item)
{
    struct buffer *b = &e->out, stages = {0};
    buffer_printf(b, "<article class=\"state\">\n<header>\n<h2>State %" PRIu64 "</h2>\n<p class=\"place\">",
                  item->number);
    add_escaped(b, item->source->name);
    if (item->place.call)
        buffer_printf(b, ", call %" PRIu64, item->place.call);
    else
        buffer_printf(b, ", line %" PRIu32, item->place.line);
    if (item->draws > 1)
        buffer_printf(b, ", %" PRIu64 " draws", item->draws);
    if (item->assumed)
        buffer_puts(b, " (no texture images in the input: textures are taken for complete RGBA ones)");
    buffer_puts(b, "</p>\n");
    if (item->state) {
        add_stages(&stages, item->state);
        while (stages.length && stages.data[stages.length - 1] == '\n')
            stages.length--;
        buffer_puts(b, "<p class=\"notation\"><code>");
        add_html_formula(b, "span", stages.data, stages.length);
        buffer_puts(b, "</code></p>\n");
    }
    buffer_puts(b, "</header>\n");
    buffer_free(&stages);
}

static const char legend[] =
    "<p class=\"legend\"><span class=\"t\">T0</span> to <span class=\"t\">T7</span>: the texels of units 0 "
    "to 7. "
    "<span class=\"p\">P</span>: the result of the unit before. "
    "<span class=\"f\">F</span>: the primary colour, which comes from the vertices. "
    "<span class=\"c\">C</span>: the unit&#39;s own constant colour. "
    "A unit is <code>{colour; alpha}</code>, or <code>{one part}</code> for both. <code>rgb =</code>: the "
    "same "
    "for red, green and blue. <code>lerp(a,b,s)</code>: a mix, of which the share s is a and the rest b. "
    "Every result is clamped to [0,1]. What is grey does not reach the result.</p>\n";

static void on_item(void *user, const struct item *item)
{
    struct explain *e = user;
    struct analysis a;
    if (!item->state && !item->refused)
        die_usage("%s: explain needs a texture environment; this is %s", item->source->name,
                  form_names[item->form]);
    add_title(e, item);
    if (item->refused) {
        e->refused++;
        buffer_puts(&e->out, "<p class=\"no\">Refused: ");
        add_escaped(&e->out, item->refused->text);
        buffer_puts(&e->out, "</p>\n</article>\n");
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
        return;
    }
    analyse(&a, item->state);
    buffer_puts(&e->out, "<div class=\"figure\">\n");
    add_stages_svg(&e->out, item, &a);
    buffer_puts(&e->out, legend);
    buffer_puts(&e->out, "</div>\n");
    add_units(&e->out, item, &a);
    add_targets(e, item);
    buffer_puts(&e->out, "</article>\n");
}

static void add_names(struct buffer *b, const struct options *o)
{
    for (size_t i = 0; i < o->ninput; i++) {
        buffer_puts(b, i ? ", " : "");
        add_escaped(b, input_name(&o->input[i]));
    }
}

static void add_head(struct buffer *b, const struct options *o)
{
    buffer_puts(b,
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    add_names(b, o);
    buffer_puts(b, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n");
    buffer_puts(b, web_explain_css);
    buffer_puts(b, "</style>\n</head>\n<body>\n<h1>Texture environments of ");
    add_names(b, o);
    buffer_puts(b, "</h1>\n");
}

int explain_html(const struct options *o)
{
    struct explain *e = xcalloc(1, sizeof *e);
    struct buffer head = {0};
    struct reader reader = {.options = o, .user = e, .item = on_item, .keep = true};
    const bool file = o->output && strcmp(o->output, "-") != 0;
    if (file)
        check_no_input(o, o->output);
    e->o = o;
    read_inputs(&reader);
    add_head(&head, o);
    buffer_printf(&head, "<main data-states=\"%" PRIu64 "\">\n", reader.items);
    buffer_puts(&e->out, "</main>\n</body>\n</html>\n");
    buffer_add(&head, e->out.data, e->out.length);
    if (!reader.failed && file) {
        output_create(o->output);
        output_write(head.data, head.length);
        output_commit();
    } else if (!reader.failed) {
        output_stdout(head.data, head.length);
    }
    const int status = reader.failed ? STATUS_INPUT : e->refused ? STATUS_REFUSED : STATUS_OK;
    buffer_free(&head);
    buffer_free(&e->out);
    compile_end(&e->compiled);
    free(e);
    return status;
}
