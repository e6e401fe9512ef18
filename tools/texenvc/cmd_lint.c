/* texenvc lint: reports every problem of every state. Readers and canonicalisation report most problems; this
 * file adds those that only the whole state shows. */
#include "analysis.h"
#include "compile.h"
#include "halves.h"

#include <inttypes.h>
#include <stdlib.h>

struct lint {
    const struct options *o;
    struct compiled compiled;
    uint64_t refused;
};

static struct texenv_place place_of(const struct item *item, unsigned unit, int slot)
{
    struct texenv_place place = item->places ? item->places->slot[unit][slot] : (struct texenv_place){0};
    return place.line ? place : item->place;
}

static void report(const struct item *item, enum texenv_severity severity, unsigned unit, int slot,
                   const char *code, const char *text)
{
    struct texenv_sink sink = diag_sink(item->source);
    texenv_emit(&sink, severity, (int)unit, place_of(item, unit, slot), code, "unit %u: %s", unit, text);
}

static void lint_unit(const struct item *item, const struct analysis *a, unsigned unit)
{
    const struct texenv_state *state = item->state;
    struct buffer text = {0};
    unsigned dead = (a->dead_half[0] >> unit & 1u) | (a->dead_half[1] >> unit & 1u) << 1;
    if (a->dead >> unit & 1) {
        buffer_puts(&text, "nothing of this stage reaches the result: ");
        add_dead_reason(&text, state, a, unit, dead);
        report(item, TEXENV_WARNING, unit, TEXENV_AT_MODE, "dead-stage", text.data);
    } else if (dead) {
        buffer_printf(&text,
                      "the %s of this stage does not reach the result: ", dead == 1 ? "colour" : "alpha");
        add_dead_reason(&text, state, a, unit, dead);
        report(item, TEXENV_NOTE, unit, dead == 1 ? TEXENV_AT_COMBINE_RGB : TEXENV_AT_COMBINE_ALPHA,
               "dead-half", text.data);
    }
    bool through = a->through >> unit & 1, sampled = a->sampled >> unit & 1;
    if (through && !sampled) /* a unit whose texture is read must stay enabled */
        report(item, TEXENV_NOTE, unit, TEXENV_AT_MODE, "pass-through",
               "this stage passes the previous result on unchanged: the unit could be off");
    else if (a->on >> unit & 1 && !(a->dead >> unit & 1) && !sampled)
        report(item, TEXENV_NOTE, unit, TEXENV_AT_ENABLE, "texture-unused",
               "the texture is enabled, and nothing that reaches the result reads it");
    buffer_free(&text);
}

static void on_item(void *user, const struct item *item)
{
    struct lint *l = user;
    if (item->refused) {
        l->refused++;
        diag_refused(item->source, item->place, item->refused->unit, item->refused->code,
                     item->refused->text);
        return;
    }
    if (item->state) {
        struct analysis a;
        analyse(&a, item->state);
        for (unsigned u = 0; u < TEXENV_UNITS; u++) {
            if (u < item->state->nstages)
                lint_unit(item, &a, u);
            bool used = u < item->state->nstages && texenv_stage_color_use(&item->state->stage[u]);
            if (!used && item->places && item->places->slot[u][TEXENV_AT_COLOR].line)
                report(item, TEXENV_NOTE, u, TEXENV_AT_COLOR, "color-unused",
                       "the environment colour is set, and nothing reads it");
        }
        lint_vertex(item);
    }
    if (item->atifs || (item->ir && item->ir->unbounded))
        return; /* the program's reader has reported all problems */
    compile_target(&l->compiled, item, l->o, NULL);
    if (!l->compiled.ok) {
        const struct fragprog_reason *why = &l->compiled.why;
        l->refused++;
        diag_refused(item->source, item->place, why->unit, why->code, why->text);
    }
}

int cmd_lint(const struct options *o)
{
    struct lint *l = xcalloc(1, sizeof *l);
    struct reader reader = {.options = o, .user = l, .item = on_item, .keep = true, .all_diags = true};
    l->o = o;
    read_inputs(&reader);
    message(TEXENV_NOTE, "counts",
            "states %" PRIu64 ", errors %" PRIu64 ", warnings %" PRIu64 ", notes %" PRIu64
            ", refused %" PRIu64,
            reader.items, reader.errors, reader.warnings, reader.notes, l->refused);
    bool errors = reader.failed || reader.gl_errors || (o->werror && reader.warnings);
    int status = errors ? STATUS_INPUT : l->refused ? STATUS_REFUSED : STATUS_OK;
    compile_end(&l->compiled);
    free(l);
    return status;
}
