/* texenvc explain: explains a texture environment unit by unit, as text. */
#include "analysis.h"
#include "compile.h"
#include "explain_html.h"
#include "halves.h"
#include "optimised.h"
#include "output.h"
#include "picture.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct explain {
    const struct options *o;
    struct compiled compiled, plain; /* plain: compiled without the optimiser */
    struct buffer out;
    size_t mark;
    bool any;
    uint64_t refused;
};

static const char *const half_names[] = {"colour", "alpha"};

/* ---- one unit ---- */

/* Appends the instructions that come from the unit. To get their text, prints a program that contains only
 * the current pair, and takes the indented lines. */
static void add_instructions(struct buffer *b, const struct fragprog_atifs *program, int unit)
{
    unsigned all = program->pass[0].npairs + (program->npasses == 2 ? program->pass[1].npairs : 0u);
    for (unsigned n = 0; n < all; n++) {
        const struct fragprog_atifs_pass *pass = &program->pass[n >= program->pass[0].npairs];
        unsigned i = n >= program->pass[0].npairs ? n - program->pass[0].npairs : n;
        struct fragprog_atifs only = {.npasses = 1};
        struct fragprog_atifs_pass *to = &only.pass[0];
        struct buffer text = {0};
        to->npairs = 1;
        for (unsigned h = 0; h < 2; h++)
            if (pass->pair[i].half[h].op && pass->pair[i].half[h].unit == unit)
                to->pair[0].half[h] = pass->pair[i].half[h];
        if (!to->pair[0].half[0].op && !to->pair[0].half[1].op)
            continue;
        add_atifs(&text, &only);
        for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
            if (*line == ' ') /* only instructions are indented */
                buffer_printf(b, "    pair %u   %s\n", n + 1, line + strspn(line, " "));
        buffer_free(&text);
    }
}

static void add_texture(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                        const struct compiled *c, unsigned unit)
{
    const struct texenv_stage *stage = &state->stage[unit];
    if (!(a->sampled >> unit & 1)) {
        buffer_printf(b, "    T%u is not looked up: nothing that counts reads it\n", unit);
        return;
    }
    static const char *const fixed[TEXENV_BASES] = {[TEXENV_BASE_RGB] = " (alpha is 1)",
                                                    [TEXENV_BASE_ALPHA] = " (colour is 0)",
                                                    [TEXENV_LUMINANCE] = " (alpha is 1)",
                                                    [TEXENV_RED] = " (g, b are 0, alpha is 1)",
                                                    [TEXENV_RG] = " (b is 0, alpha is 1)"};
    buffer_printf(b, "    T%u is a texel of a %s%s texture, base format %s%s", unit,
                  target_names[stage->target],
                  stage->depth == 2  ? " shadow"
                      : stage->depth ? " depth"
                                     : "",
                  base_names[stage->base], fixed[stage->base] ? fixed[stage->base] : "");
    if (c->ok && !c->scheduled)
        buffer_printf(b, ", looked up into r%u", c->assignment.texture_reg[unit]);
    buffer_puts(b, "\n");
}

static void add_color(struct buffer *b, const struct texenv_stage *stage, const struct compiled *c,
                      unsigned unit)
{
    if (!texenv_stage_color_use(stage))
        return;
    buffer_puts(b, "    C is (");
    for (unsigned i = 0; i < 4; i++) {
        buffer_puts(b, i ? ", " : "");
        if (stage->color[i] != stage->color[i])
            buffer_puts(b, "not known");
        else
            buffer_float(b, stage->color[i]);
    }
    buffer_puts(b, ")");
    for (unsigned k = 0; c->ok && k < 8; k++)
        if (c->program.konst[k].used && c->program.konst[k].unit == (int)unit)
            buffer_printf(b, ", constant c%u", k);
    buffer_puts(b, "\n");
}

static void add_unit(struct buffer *b, const struct item *item, const struct analysis *a,
                     const struct compiled *c, unsigned unit)
{
    const struct texenv_state *state = item->state;
    buffer_printf(b, "\n  Unit %u: ", unit);
    if (!(a->on >> unit & 1)) {
        buffer_printf(b, "off (%s), passes the previous result on\n", off_reason(item, unit));
        return;
    }
    add_stage(b, state, unit);
    buffer_puts(b, "\n");
    add_texture(b, state, a, c, unit);
    add_color(b, &state->stage[unit], c, unit);
    if (a->through >> unit & 1) {
        buffer_puts(b, "    dropped: passes the previous result on unchanged\n");
        return;
    }
    unsigned dead = (a->dead_half[0] >> unit & 1u) | (a->dead_half[1] >> unit & 1u) << 1;
    if (a->dead >> unit & 1) {
        buffer_puts(b, "    dropped: ");
        add_dead_reason(b, state, a, unit, dead);
        buffer_puts(b, "\n");
        return;
    }
    for (unsigned h = 0; h < 2; h++) {
        buffer_puts(b, "    ");
        if (!(dead >> h & 1)) {
            struct buffer formula = {0}; /* "rgb = ...", printed so that the equals signs are aligned */
            add_formula(&formula, state, unit, h);
            buffer_printf(b, "%-5s %s", h == TEXENV_RGB ? "rgb" : "alpha",
                          formula.data + strcspn(formula.data, "="));
            buffer_free(&formula);
        } else {
            buffer_printf(b, "%s dropped: ", half_names[h]);
            add_dead_reason(b, state, a, unit, dead);
        }
        buffer_puts(b, "\n");
    }
    size_t start = b->length;
    if (c->ok)
        add_instructions(b, &c->program, (int)unit);
    if (c->ok && b->length == start)
        buffer_puts(b, "    no instruction of its own: it became part of other units' instructions\n");
}

/* ---- one state ---- */

/* Appends what belongs to no unit, and what GL does with the result afterwards. */
static void add_after(struct buffer *b, const struct texenv_state *state, const struct compiled *c)
{
    static const char title[] = "\n  At the end:\n";
    bool in_program = c->ok && c->program.color_sum;
    buffer_puts(b, title);
    size_t start = b->length;
    if (c->ok)
        add_instructions(b, &c->program, -1);
    if (b->length == start)
        b->length -= sizeof title - 1;
    else if (in_program)
        buffer_puts(b,
                    "    the program adds the secondary colour (colour sum) itself: disable GL_COLOR_SUM\n");
    if (state->color_sum && !in_program)
        buffer_puts(b, "\n  Then GL adds the secondary colour (colour sum).\n");
    if (state->fog != TEXENV_FOG_OFF)
        buffer_printf(b, "\n  Then GL applies fog (%s, by the %s).\n", fog_names[state->fog & 3],
                      state->fog_coord ? "fog coordinate" : "depth");
    if (state->alpha_test)
        buffer_printf(b, "\n  Then GL's alpha test drops fragments (%s ", compare_names[state->alpha_test]);
    if (state->alpha_test && state->alpha_ref == state->alpha_ref)
        buffer_printf(b, "%f keeps them).\n", (double)state->alpha_ref);
    else if (state->alpha_test)
        buffer_puts(b, "what is not known keeps them).\n");
}

static void add_title(struct explain *e, const struct item *item)
{
    struct buffer *b = &e->out;
    if (!e->any) {
        buffer_puts(b,
                    "T0 ... T7 are the texels of the units, P is the result of the unit before (the primary "
                    "colour in the first),\n"
                    "F the primary colour, C the unit's own constant. Every result is clamped to [0,1].\n");
        e->any = true;
    }
    buffer_printf(b, "\nState %" PRIu64 ", %s", item->number, item->source->name);
    if (item->place.call)
        buffer_printf(b, " call %" PRIu64 " (%" PRIu64 " draw%s)", item->place.call, item->draws,
                      item->draws == 1 ? "" : "s");
    else
        buffer_printf(b, " line %" PRIu32, item->place.line);
    if (item->assumed)
        buffer_puts(b, " (no texture images in the input: textures are assumed complete RGBA)");
    buffer_puts(b, "\n  ");
}

static void refuse(struct explain *e, const struct item *item, const struct fragprog_reason *why)
{
    e->refused++;
    buffer_printf(&e->out, "\n  Refused: %s\n", why->text);
    diag_refused(item->source, item->place, why->unit, why->code, why->text);
}

/* Appends the optimised pairs in a form similar to stage notation. Names that stage notation does not have
 * are explained if they occur. */
static void add_shortest(struct explain *e, const struct item *item)
{
    struct buffer *b = &e->out, now = {0}, before = {0};
    const struct compiled *c = &e->compiled;
    struct options plain = *e->o;
    plain.target.level = 0;
    compile_target(&e->plain, item, &plain, NULL);
    add_optimised(&now, c);
    e->plain.ok &= !e->plain.scheduled;
    if (e->plain.ok)
        add_optimised(&before, &e->plain);
    unsigned n = c->assignment.npairs;
    bool same = e->plain.ok && e->plain.assignment.npairs == n && (!n || strcmp(now.data, before.data) == 0);
    buffer_printf(b, "\n  %s %u pair%s", same ? "No shorter form:" : "Optimised to", n, n == 1 ? "" : "s");
    if (now.length) {
        const char *value = strchr(now.data, 'V'), *constant = strchr(now.data, 'C');
        if (value)
            buffer_printf(b, " (V%c: the result of pair %c", value[1], value[1]);
        if (constant)
            buffer_printf(b, "%sC%c: the colour of unit %c", value ? ", " : " (", constant[1], constant[1]);
        buffer_printf(b, "%s%s\n    %s\n", value || constant ? ")" : "", same ? "" : ":", now.data);
    } else {
        buffer_puts(b, "\n");
    }
    add_refused_rewrites(b, c);
    buffer_free(&now);
    buffer_free(&before);
}

static void on_item(void *user, const struct item *item)
{
    struct explain *e = user;
    struct buffer *b = &e->out;
    struct compiled *c = &e->compiled;
    struct analysis a;
    if (!item->state && !item->refused)
        die_usage("%s: explain needs a texture environment; this is %s", item->source->name,
                  form_names[item->form]);
    add_title(e, item);
    if (item->refused) {
        refuse(e, item, item->refused);
        return;
    }
    compile_target(c, item, e->o, NULL);
    analyse(&a, item->state);
    size_t start = b->length;
    add_stages(b, item->state);
    while (b->length > start && b->data[b->length - 1] == '\n')
        b->length--;
    buffer_puts(b, "\n");
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (u < item->state->nstages || (item->te && item->te->unit[u].enabled))
            add_unit(b, item, &a, c, u);
    if (!a.on)
        buffer_puts(b, "\n  No unit is on: the primary colour is the result.\n");
    add_after(b, item->state, c);
    explain_vertex(b, item);
    if (!c->ok) {
        refuse(e, item, &c->why);
        return;
    }
    if (c->scheduled) {
        buffer_printf(b, "\n  In the order of the stages one pass does not do. Scheduled into %u pass%s:\n\n",
                      c->program.npasses, c->program.npasses == 2 ? "es" : "");
        add_atifs(b, &c->program);
        return;
    }
    if (e->o->target.level > 0) {
        add_shortest(e, item);
    }
    buffer_puts(b, "\n  What the registers hold (V1: the result of pair 1, '.': free):\n");
    add_picture(b, c, 4);
}

static void on_end(void *user, const struct input *input, uint64_t items, bool failed)
{
    struct explain *e = user;
    (void)input;
    (void)items;
    if (!failed)
        output_stdout(e->out.data, e->out.length);
    e->out.length = 0;
}

int cmd_explain(const struct options *o)
{
    if (o->html)
        return explain_html(o);
    struct explain *e = xcalloc(1, sizeof *e);
    struct reader reader = {.options = o, .user = e, .item = on_item, .end = on_end, .keep = true};
    e->o = o;
    read_inputs(&reader);
    int status = reader.failed ? STATUS_INPUT : e->refused ? STATUS_REFUSED : STATUS_OK;
    buffer_free(&e->out);
    compile_end(&e->plain);
    compile_end(&e->compiled);
    free(e);
    return status;
}
