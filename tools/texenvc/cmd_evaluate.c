/* texenvc evaluate: prints the colour that a texture environment computes from given texels and colours. */
#include "evaluate.h"
#include "input.h"
#include "json.h"
#include "output.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct evaluation {
    const struct options *o;
    struct evaluate_inputs in;
    struct buffer out;
    uint64_t states, refused;
};

/* ---- reading --input ---- */

/* Reads a number in [0,1], which may be a quotient: 128/255. Returns the position after it, or NULL if there
 * is none. */
static const char *read_number(const char *text, double *value)
{
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.')
        return NULL;
    *value = strtod(text, &end);
    if (*end == '/' && isdigit((unsigned char)end[1])) {
        const double divisor = strtod(end + 1, &end);
        *value = divisor > 0 ? *value / divisor : -1;
    }
    return *value >= 0 && *value <= 1 ? end : NULL;
}

/* Returns the vector with this name, or NULL if the name is unknown. */
static double *named(struct evaluate_inputs *in, const char *name, size_t length)
{
    if (length == 2 && (*name == 'T' || *name == 'C') && name[1] >= '0' && name[1] < '0' + TEXENV_UNITS)
        return (*name == 'T' ? in->texel : in->color)[name[1] - '0'];
    if (length == strlen("primary") && strncmp(name, "primary", length) == 0)
        return in->primary;
    if (length == strlen("secondary") && strncmp(name, "secondary", length) == 0)
        return in->secondary;
    return NULL;
}

/* Reads NAME=r,g,b,a. */
static void read_input(struct evaluate_inputs *in, const char *text)
{
    const size_t length = strcspn(text, "=");
    double *const to = named(in, text, length);
    if (!to || !text[length])
        die_usage("--input '%s': T0=r,g,b,a to T7, C0 to C7, primary or secondary is expected", text);
    const unsigned needed = to == in->secondary ? 3 : 4;
    const char *p = text + length;
    unsigned n = 0;
    while (p && *p && n < 4) {
        p = read_number(p + 1, &to[n]);
        n += p != NULL;
        if (p && *p && *p != ',')
            p = NULL;
    }
    if (!p || *p || n < needed)
        die_usage("--input '%s': %u numbers in [0,1] are expected, with commas between them", text, needed);
}

static void read_given(struct evaluation *e)
{
    double *const all[] = {e->in.texel[0], e->in.color[0], e->in.primary, e->in.secondary};
    const size_t numbers[] = {4 * TEXENV_UNITS, 4 * TEXENV_UNITS, 4, 4};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < numbers[i]; k++)
            all[i][k] = NAN;
    for (size_t i = 0; i < e->o->nvalue; i++)
        read_input(&e->in, e->o->value[i]);
}

/* ---- results ---- */

static bool known(const double *color)
{
    return !isnan(color[0]) && !isnan(color[1]) && !isnan(color[2]) && !isnan(color[3]);
}

/* Reports the inputs that the state reads but --input does not give. */
static _Noreturn void die_missing(const struct evaluation *e, const struct item *item)
{
    const struct texenv_state *s = item->state;
    struct buffer b = {0};
    bool primary = s->nstages == 0;
    unsigned textures = 0, colors = 0;
    for (unsigned u = 0; u < s->nstages; u++) {
        struct texenv_half half[2];
        texenv_stage_halves(half, s, u);
        textures |= texenv_stage_textures(s, u);
        if (texenv_stage_color_unknown(&s->stage[u]))
            colors |= 1u << u;
        for (unsigned i = 0; i < 2 * TEXENV_ARGS; i++) {
            const unsigned source = half[i / TEXENV_ARGS].arg[i % TEXENV_ARGS].source;
            primary |= source == TEXENV_S_PRIMARY || (u == 0 && source == TEXENV_S_PREVIOUS);
        }
    }
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (textures >> u & 1 && !known(e->in.texel[u]))
            buffer_printf(&b, "%sT%u", b.length ? ", " : "", u);
        if (colors >> u & 1 && !known(e->in.color[u]))
            buffer_printf(&b, "%sC%u", b.length ? ", " : "", u);
    }
    if (primary && !known(e->in.primary))
        buffer_printf(&b, "%sprimary", b.length ? ", " : "");
    if (s->color_sum && isnan(e->in.secondary[0]))
        buffer_printf(&b, "%ssecondary", b.length ? ", " : "");
    die_usage("%s: state %" PRIu64 " reads %s: --input gives it", item->source->name, item->number,
              b.data ? b.data : "what is not given");
}

static void add_color(struct buffer *b, const double *color, const char *between)
{
    for (unsigned c = 0; c < 4; c++) {
        buffer_puts(b, c ? between : "");
        buffer_float(b, (float)color[c]);
    }
}

/* Appends the components as bytes, rounded to the nearest of 0 to 255. */
static void add_bytes(struct buffer *b, const double *color, const char *between)
{
    for (unsigned c = 0; c < 4; c++)
        buffer_printf(b, "%s%u", c ? between : "", (unsigned)(color[c] * 255 + 0.5));
}

static void add_json_result(struct evaluation *e, const struct item *item, const struct evaluated *v)
{
    struct buffer *b = &e->out;
    buffer_puts(b, e->states > 1 ? ",\n" : "");
    add_json_source(b, item);
    buffer_puts(b, ",\n  \"units\": [");
    for (unsigned u = 0; u < item->state->nstages; u++) {
        buffer_puts(b, u ? ", [" : "[");
        add_color(b, v->unit[u], ", ");
        buffer_puts(b, "]");
    }
    buffer_puts(b, "],\n  \"color\": [");
    add_color(b, v->color, ", ");
    buffer_puts(b, "], \"rgba8\": [");
    add_bytes(b, v->color, ", ");
    buffer_puts(b, "]}");
}

static void add_result(struct evaluation *e, const struct item *item, const struct evaluated *v)
{
    struct buffer *b = &e->out;
    buffer_printf(b, "State %" PRIu64 ", %s ", item->number, item->source->name);
    if (item->place.call)
        buffer_printf(b, "call %" PRIu64 "\n", item->place.call);
    else
        buffer_printf(b, "line %" PRIu32 "\n", item->place.line);
    for (unsigned u = 0; u < item->state->nstages; u++) {
        buffer_printf(b, "  unit %u  ", u);
        add_color(b, v->unit[u], " ");
        buffer_puts(b, "\n");
    }
    buffer_puts(b, "  colour  ");
    add_color(b, v->color, " ");
    buffer_puts(b, "\n  bytes   ");
    add_bytes(b, v->color, " ");
    buffer_puts(b, "\n");
}

static void on_item(void *user, const struct item *item)
{
    struct evaluation *e = user;
    struct evaluated v;
    if (item->refused) {
        e->refused++;
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
        return;
    }
    if (!item->state) {
        e->refused++;
        diag_refused(item->source, item->place, -1, "program",
                     "this is a program; evaluate needs a texture environment");
        return;
    }
    evaluate_state(&v, item->state, &e->in);
    if (!known(v.color))
        die_missing(e, item);
    e->states++;
    (e->o->json ? add_json_result : add_result)(e, item, &v);
}

int cmd_evaluate(const struct options *o)
{
    struct evaluation *e = xcalloc(1, sizeof *e);
    struct reader reader = {.options = o, .user = e, .item = on_item};
    e->o = o;
    read_given(e);
    if (o->json)
        buffer_puts(&e->out, "{\"states\": [\n");
    read_inputs(&reader);
    if (o->json)
        buffer_puts(&e->out, "\n]}\n");
    if (!reader.failed && e->out.length)
        output_stdout(e->out.data, e->out.length);
    const int status = reader.failed ? STATUS_INPUT : e->refused ? STATUS_REFUSED : STATUS_OK;
    buffer_free(&e->out);
    free(e);
    return status;
}
