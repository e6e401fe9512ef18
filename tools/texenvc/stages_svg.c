#include "stages_svg.h"

#include "compile.h"
#include "html.h"

#include <stdio.h>
#include <string.h>

/* Sizes in SVG user units. A letter of a formula is 7.8 wide. */
enum {
    WIDTH = 480,
    SOURCE_WIDTH = 118,
    SOURCE_HEIGHT = 26,
    BOX_X = 150,
    BOX_WIDTH = WIDTH - BOX_X - 1,
    CENTRE = BOX_X + BOX_WIDTH / 2,
    TITLE = 26,
    LINE = 19,
    LETTERS = 39, /* letters of a formula that fit in a line */
    GAP = 34      /* space between boxes for an arrow */
};

struct picture {
    struct buffer text;
    const struct texenv_state *state;
    const struct item *item;
    const struct analysis *a;
    int y; /* top of the next element */
};

static const char *class_if(bool dead) { return dead ? " dead" : ""; }

static void add_text(struct buffer *b, int x, int y, const char *class, const char *text)
{
    buffer_printf(b, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    add_html(b, text, strlen(text));
    buffer_puts(b, "</text>\n");
}

static void add_box(struct buffer *b, int x, int y, int width, int height, const char *class)
{
    buffer_printf(b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"7\" class=\"%s\"/>\n", x, y,
                  width, height, class);
}

/* ---- arrows from above ---- */

/* Draws an arrow to the box of this unit, or to the end (unit nstages). */
static void add_arrow_down(struct picture *p, unsigned unit)
{
    static const char *const names[] = {"not read", "P, its colour only", "P, its alpha only", "P"};
    const unsigned read = live_before(p->state, p->a, unit);
    const int end = p->y + GAP;
    buffer_printf(&p->text, "<path d=\"M%d %dV%d\" class=\"arrow%s\"/>\n", CENTRE, p->y, end - 7,
                  class_if(!read));
    buffer_printf(&p->text, "<path d=\"M%d %dl5 -9h-10z\" class=\"head%s\"/>\n", CENTRE, end,
                  class_if(!read));
    add_text(&p->text, CENTRE + 12, p->y + GAP / 2 + 4, read ? "label p" : "label dead", names[read]);
    p->y = end;
}

/* ---- one unit ---- */

struct reads {
    struct texenv_arg arg[2 * TEXENV_ARGS];
    bool used[2 * TEXENV_ARGS]; /* whether a half that reaches the result reads it */
    unsigned n;
};

/* Lists textures, constants and the primary colour that the unit reads, each once. */
static void find_reads(struct reads *r, const struct picture *p, unsigned unit)
{
    struct texenv_half half[2];
    texenv_stage_halves(half, p->state, unit);
    r->n = 0;
    const bool one = texenv_func_writes_alpha((enum texenv_func)half[TEXENV_RGB].func);
    for (unsigned h = 0; h < (one ? 1u : 2u); h++) {
        const bool live = (p->a->live[h] | (one ? p->a->live[TEXENV_ALPHA] : 0)) >> unit & 1;
        for (unsigned k = 0; k < texenv_func_args((enum texenv_func)half[h].func); k++) {
            const struct texenv_arg arg = {half[h].arg[k].source, half[h].arg[k].unit, 0, 0};
            unsigned i = 0;
            if (arg.source < TEXENV_S_TEXTURE || arg.source > TEXENV_S_PRIMARY)
                continue;
            while (i < r->n && memcmp(&r->arg[i], &arg, sizeof arg) != 0)
                i++;
            if (i == r->n) {
                r->arg[r->n] = arg;
                r->used[r->n++] = false;
            }
            r->used[i] |= live;
        }
    }
}

/* Draws a square in the constant's colour, if that is known. */
static void add_swatch(struct buffer *b, const float color[4], int y)
{
    for (unsigned i = 0; i < 3; i++)
        if (color[i] != color[i])
            return;
    buffer_printf(b,
                  "<rect x=\"%d\" y=\"%d\" width=\"16\" height=\"16\" rx=\"3\" class=\"swatch\" "
                  "fill=\"rgb(%d,%d,%d)\"/>\n",
                  SOURCE_WIDTH - 22, y + 5, (int)(255 * color[0] + 0.5f), (int)(255 * color[1] + 0.5f),
                  (int)(255 * color[2] + 0.5f));
}

static void add_sources(struct picture *p, const struct reads *r, unsigned unit, int y)
{
    for (unsigned i = 0; i < r->n; i++, y += SOURCE_HEIGHT + 6) {
        char class[20], name[40];
        const struct texenv_arg *arg = &r->arg[i];
        const char *const dead = class_if(!r->used[i]);
        const bool texture = arg->source == TEXENV_S_TEXTURE, constant = arg->source == TEXENV_S_CONSTANT;
        snprintf(class, sizeof class, "source %c%s", texture ? 't' : constant ? 'c' : 'f', dead);
        if (texture)
            snprintf(name, sizeof name, "T%u texture %u", arg->unit, arg->unit);
        else
            snprintf(name, sizeof name, "%s", constant ? "C constant" : "F primary");
        add_box(&p->text, 1, y, SOURCE_WIDTH - 1, SOURCE_HEIGHT, class);
        snprintf(class, sizeof class, "label %c%s", texture ? 't' : constant ? 'c' : 'f', dead);
        add_text(&p->text, 10, y + 17, class, name);
        if (constant)
            add_swatch(&p->text, p->state->stage[unit].color, y);
        buffer_printf(&p->text, "<path d=\"M%d %dH%d\" class=\"arrow%s\"/>\n", SOURCE_WIDTH,
                      y + SOURCE_HEIGHT / 2, BOX_X - 7, dead);
        buffer_printf(&p->text, "<path d=\"M%d %dl-9 5v-10z\" class=\"head%s\"/>\n", BOX_X,
                      y + SOURCE_HEIGHT / 2, dead);
    }
}

/* Draws the formula of one half, broken into lines at blanks. */
static void add_formula_lines(struct picture *p, unsigned unit, unsigned half)
{
    struct buffer formula = {0};
    const bool dead = !(p->a->live[half] >> unit & 1);
    add_formula(&formula, p->state, unit, half);
    for (const char *rest = formula.data; *rest; p->y += LINE) {
        const bool first = rest == formula.data;
        const size_t room = first ? LETTERS : LETTERS - 4;
        size_t n = strlen(rest);
        if (n > room) {
            n = room;
            while (n > 1 && rest[n] != ' ')
                n--;
        }
        buffer_printf(&p->text, "<text x=\"%d\" y=\"%d\" class=\"formula%s\">", BOX_X + (first ? 12 : 42),
                      p->y + 14, class_if(dead));
        add_html_formula(&p->text, "tspan", rest, n);
        buffer_puts(&p->text, "</text>\n");
        rest += n + strspn(rest + n, " ");
    }
    buffer_free(&formula);
}

/* Draws a box with one line that says why the unit has no effect. */
static void add_idle_unit(struct picture *p, unsigned unit)
{
    char text[120];
    if (p->a->on >> unit & 1)
        snprintf(text, sizeof text, "Unit %u passes P on unchanged", unit);
    else
        snprintf(text, sizeof text, "Unit %u is off: %s", unit, off_reason(p->item, unit));
    add_box(&p->text, BOX_X, p->y, BOX_WIDTH, TITLE + 4, "box dead");
    add_text(&p->text, BOX_X + 12, p->y + 19, "title dead", text);
    p->y += TITLE + 4;
}

static void add_unit(struct picture *p, unsigned unit)
{
    char title[60];
    struct reads reads;
    const bool dead = !((p->a->live[0] | p->a->live[1]) >> unit & 1);
    const int top = p->y;
    const size_t box = p->text.length;
    find_reads(&reads, p, unit);
    snprintf(title, sizeof title, "Unit %u%s", unit, dead ? ": not used" : "");
    add_text(&p->text, BOX_X + 12, top + 19, dead ? "title dead" : "title", title);
    p->y += TITLE;
    for (unsigned h = 0; h < 2; h++)
        add_formula_lines(p, unit, h);
    const int needed = 5 + (int)reads.n * (SOURCE_HEIGHT + 6);
    p->y = top + needed > p->y + 8 ? top + needed : p->y + 8;
    /* the box must be drawn before its text, but its height is known only now */
    struct buffer text = {0};
    add_box(&text, BOX_X, top, BOX_WIDTH, p->y - top, dead ? "box dead" : "box");
    buffer_add(&text, p->text.data + box, p->text.length - box);
    p->text.length = box;
    buffer_add(&p->text, text.data, text.length);
    buffer_free(&text);
    add_sources(p, &reads, unit, top + 5);
}

/* ---- the picture ---- */

static void add_pill(struct picture *p, const char *class, const char *text)
{
    add_box(&p->text, BOX_X + 20, p->y, BOX_WIDTH - 40, TITLE, class);
    add_text(&p->text, CENTRE, p->y + 18, "title middle", text);
    p->y += TITLE;
}

static void add_after(struct picture *p)
{
    const struct texenv_state *state = p->state;
    char text[100];
    if (state->color_sum)
        add_pill(p, "pill", "the secondary colour is added"), p->y += 6;
    if (state->fog != TEXENV_FOG_OFF) {
        snprintf(text, sizeof text, "fog (%s)", fog_names[state->fog & 3]);
        add_pill(p, "pill", text), p->y += 6;
    }
    if (state->alpha_test) {
        snprintf(text, sizeof text, "alpha test: %s", compare_names[state->alpha_test]);
        add_pill(p, "pill", text), p->y += 6;
    }
    add_pill(p, "pill result", "Result");
}

void add_stages_svg(struct buffer *b, const struct item *item, const struct analysis *a)
{
    struct picture p = {.state = item->state, .item = item, .a = a, .y = 1};
    if (live_before(p.state, a, 0)) {
        add_pill(&p, "pill f", "F: primary colour");
        add_arrow_down(&p, 0);
    }
    for (unsigned u = 0; u < item->state->nstages; u++) {
        if (u)
            add_arrow_down(&p, u);
        if (a->on >> u & 1 && !(a->through >> u & 1))
            add_unit(&p, u);
        else
            add_idle_unit(&p, u);
    }
    if (item->state->nstages)
        add_arrow_down(&p, item->state->nstages);
    add_after(&p);
    buffer_printf(b,
                  "<svg class=\"stages\" viewBox=\"0 0 %d %d\" role=\"img\" "
                  "aria-label=\"The units as a picture; the text about each unit says the same\">\n",
                  WIDTH, p.y + 1);
    buffer_add(b, p.text.data, p.text.length);
    buffer_puts(b, "</svg>\n");
    buffer_free(&p.text);
}
