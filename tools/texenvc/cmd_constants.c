/* texenvc constants: prints where the allocator of constants places each component of a
 * program's constants. */
#include "compile.h"
#include "fragprog/constants.h"
#include "input.h"
#include "output.h"

#include <stdlib.h>

struct command_state {
    const struct options *o;
    struct buffer out;
    uint64_t refused;
};

/* A layout together with the allocator's input. */
struct layout {
    const struct fragprog *p;
    struct fragprog_constants_slot *slot;
    struct fragprog_constants_read *read;
    uint32_t nreads;
    struct fragprog_constants made;
    struct fragprog_reason why;
    bool fits;
};

static void lay_out(struct layout *l, const struct fragprog *p, const struct options *o)
{
    l->p = p;
    l->nreads = fragprog_constants_reads(NULL, 0, p);
    l->slot = xcalloc(p->nkonst + 1u, sizeof *l->slot);
    l->read = xcalloc(l->nreads + 1u, sizeof *l->read);
    fragprog_constants_slots(l->slot, p);
    fragprog_constants_reads(l->read, l->nreads, p);
    const struct fragprog_constants_request request = {.slot = l->slot,
                                                       .read = l->read,
                                                       .nslots = p->nkonst,
                                                       .nreads = l->nreads,
                                                       .target = &fragprog_constants_pairs,
                                                       .layout = o->constants_layout,
                                                       .mix = o->mix,
                                                       .limit = o->constants_limit};
    l->made.slot = xcalloc(p->nkonst + l->nreads + 1u, sizeof *l->made.slot);
    l->made.use = xcalloc(l->nreads + 1u, sizeof *l->made.use);
    void *scratch = xrealloc(NULL, fragprog_constants_scratch(p->nkonst, l->nreads) + 1);
    l->fits = fragprog_constants_compact(&l->made, &request, scratch, &l->why);
    free(scratch);
}

static void layout_free(struct layout *l)
{
    free(l->slot);
    free(l->read);
    free(l->made.slot);
    free(l->made.use);
}

/* ---- rows, in the format of the founding document ---- */

static void add_row_value(struct buffer *b, float value)
{
    char text[64];
    snprintf(text, sizeof text, "%.6f", (double)value);
    if (strtof(text, NULL) != value)
        snprintf(text, sizeof text, "%.9g", (double)value);
    buffer_printf(b, "%11s", text);
}

static void add_rows(struct buffer *b, const struct layout *l)
{
    for (uint32_t s = 0; s < l->made.nslots; s++) {
        bool external = false;
        for (unsigned lane = 0; lane < 4; lane++)
            external |= l->made.slot[s][lane].kind == FRAGPROG_CONSTANTS_EXTERNAL;
        buffer_printf(b, "CONST[%u] = {", (unsigned)s);
        for (unsigned lane = 0; lane < 4; lane++) {
            const struct fragprog_constants_lane *from = &l->made.slot[s][lane];
            buffer_puts(b, lane ? " " : "");
            if (from->kind == FRAGPROG_CONSTANTS_IMMEDIATE)
                add_row_value(b, from->value);
            else if (from->kind == FRAGPROG_CONSTANTS_EXTERNAL)
                buffer_printf(b, "CONST[%d].%c", from->slot, "xyzw"[from->lane]);
            else
                buffer_puts(b, external ? "CONST[-1].u" : "     unused");
        }
        buffer_puts(b, external ? "  }\n" : " }\n");
    }
}

/* ---- operands that are read component by component ---- */

static uint32_t add_scalarised(struct buffer *b, const struct layout *l, const char *quote)
{
    uint32_t n = 0;
    for (uint32_t s = 0; s < l->p->nkonst; s++) {
        unsigned lanes = 0;
        for (uint32_t i = 0; i < l->nreads; i++)
            for (unsigned c = 0; c < 4; c++)
                if (l->made.use[i].scalarised && l->read[i].slot == s && l->read[i].channels >> c & 1 &&
                    l->read[i].lane[c] <= FRAGPROG_W)
                    lanes |= 1u << l->read[i].lane[c];
        if (!lanes)
            continue;
        buffer_printf(b, "%s%sCONST[%u].", n++ ? ", " : "", quote, (unsigned)s);
        for (unsigned lane = 0; lane < 4; lane++)
            if (lanes >> lane & 1)
                buffer_printf(b, "%c", "xyzw"[lane]);
        buffer_puts(b, quote);
    }
    return n;
}

/* ---- JSON ---- */

static void add_json_lane(struct buffer *b, const struct layout *l,
                          const struct fragprog_constants_lane *from)
{
    if (from->kind == FRAGPROG_CONSTANTS_UNUSED) {
        buffer_puts(b, "null");
    } else if (from->kind == FRAGPROG_CONSTANTS_IMMEDIATE) {
        buffer_printf(b, "{\"value\": %.9g}", (double)from->value);
    } else {
        char name[100];
        struct texenv_text text;
        const struct fragprog_const *k = &l->p->konst[from->slot];
        texenv_text_init(&text, name, sizeof name);
        fragprog_print_origin(&text, k->origin[from->lane].unit);
        buffer_printf(b, "{\"from\": \"%s\", \"lane\": \"%c\"}", name,
                      "xyzw"[k->origin[from->lane].component]);
    }
}

static void add_object(struct buffer *b, const struct layout *l)
{
    buffer_puts(b, "{\"slots\": [");
    for (uint32_t s = 0; s < l->made.nslots; s++) {
        buffer_puts(b, s ? ", [" : "[");
        for (unsigned lane = 0; lane < 4; lane++) {
            buffer_puts(b, lane ? ", " : "");
            add_json_lane(b, l, &l->made.slot[s][lane]);
        }
        buffer_puts(b, "]");
    }
    buffer_printf(b, "], \"lower_bound\": %u, \"scalarised\": [", (unsigned)l->made.lower_bound);
    add_scalarised(b, l, "\"");
    buffer_printf(b, "], \"plain\": %u, \"lanes\": %u, \"proved\": %s}\n", (unsigned)l->p->nkonst,
                  (unsigned)l->made.lanes, l->made.proved ? "true" : "false");
}

/* ---- the command ---- */

static void say(const struct layout *l)
{
    struct buffer b = {0};
    if (!add_scalarised(&b, l, ""))
        buffer_puts(&b, "none");
    buffer_puts(&b, "");
    message(TEXENV_NOTE, "constants",
            "%u constants in %u slots; no layout has fewer than %u (%u lanes); read lane by lane: %s",
            (unsigned)l->p->nkonst, (unsigned)l->made.nslots, (unsigned)l->made.lower_bound,
            (unsigned)l->made.lanes, b.data);
    buffer_free(&b);
}

static bool has_arrays(const struct fragprog *p)
{
    unsigned k = 0;
    while (k < p->nkonst && !p->konst[k].array)
        k++;
    return k < p->nkonst;
}

static void on_item(void *user, const struct item *item)
{
    struct command_state *state = user;
    const struct fragprog *p = item->ir;
    struct compiled *c = NULL;
    struct layout l = {.fits = false};
    if (!p && !item->refused) {
        struct options o = *state->o;
        /* compile without optimisation, so that the constants are those of the input program */
        o.target.level = 0;
        c = xcalloc(1, sizeof *c);
        compile_ir(c, item, &o, NULL);
        p = c->ok ? &c->ir : NULL;
    }
    if (!p) {
        const struct fragprog_reason *why = c ? &c->why : item->refused;
        state->refused++;
        diag_refused(item->source, item->place, why->unit, why->code, why->text);
        free(c);
        return;
    }
    if (has_arrays(p)) {
        state->refused++;
        diag_refused(item->source, item->place, -1, "arrays",
                     "constants that are addressed relatively cannot be laid out anew");
        free(c);
        return;
    }
    lay_out(&l, p, state->o);
    if (!l.fits) {
        state->refused++;
        diag_refused(item->source, item->place, -1, l.why.code, l.why.text);
    } else if (state->o->format == FORMAT_JSON) {
        add_object(&state->out, &l);
    } else {
        if (item->number > 1)
            buffer_puts(&state->out, "\n");
        add_rows(&state->out, &l);
    }
    if (l.fits)
        say(&l);
    layout_free(&l);
    free(c);
}

static void on_end(void *user, const struct input *input, uint64_t items, bool failed)
{
    struct command_state *state = user;
    (void)input, (void)items;
    if (!failed && state->out.length)
        output_stdout(state->out.data, state->out.length);
    state->out.length = 0;
}

int cmd_constants(const struct options *o)
{
    struct command_state state = {.o = o};
    struct reader reader = {.options = o, .user = &state, .item = on_item, .end = on_end};
    read_inputs(&reader);
    buffer_free(&state.out);
    return reader.failed ? STATUS_INPUT : state.refused ? STATUS_REFUSED : STATUS_OK;
}
