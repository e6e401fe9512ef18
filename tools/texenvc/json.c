#include "json.h"
#include "analysis.h"

#include <inttypes.h>
#include <string.h>

static void add_string(struct buffer *b, const char *s) { buffer_json_string(b, s, strlen(s)); }

static void add_floats(struct buffer *b, const float value[4])
{
    for (unsigned i = 0; i < 4; i++) {
        buffer_puts(b, i ? ", " : "[");
        buffer_float(b, value[i]);
    }
    buffer_puts(b, "]");
}

static void add_text(struct buffer *b, const char *name, struct buffer *text)
{
    buffer_printf(b, ",\n  \"%s\": ", name);
    buffer_json_string(b, text->data ? text->data : "", text->length);
    buffer_free(text);
}

void add_json_source(struct buffer *b, const struct item *item)
{
    buffer_printf(b, "  {\"state\": %" PRIu64 ", \"source\": {\"file\": ", item->number);
    add_string(b, item->source->name);
    if (item->place.call)
        buffer_printf(b, ", \"call\": %" PRIu64, item->place.call);
    buffer_printf(b, ", \"line\": %" PRIu32 ", \"column\": %" PRIu32 "}, \"draws\": %" PRIu64,
                  item->place.line, item->place.column, item->draws);
    buffer_printf(b, ", \"textures_assumed\": %s", item->assumed ? "true" : "false");
}

static void add_reason(struct buffer *b, const struct fragprog_reason *why)
{
    buffer_puts(b, ",\n  \"status\": \"refused\", \"reason\": ");
    add_string(b, why->text);
    buffer_puts(b, ", \"code\": ");
    add_string(b, why->code);
    if (why->unit >= 0)
        buffer_printf(b, ", \"unit\": %d", why->unit);
    else
        buffer_puts(b, ", \"unit\": null");
}

static const char *const mode_names[] = {"off",   "replace", "modulate", "decal",
                                         "blend", "add",     "combine",  "combine4"};

static void add_units(struct buffer *b, const struct texenv_state *state, const struct analysis *a)
{
    buffer_puts(b, ",\n  \"units\": [");
    for (unsigned u = 0; u < state->nstages; u++) {
        const struct texenv_stage *stage = &state->stage[u];
        buffer_printf(b, "%s\n    {\"unit\": %u, \"mode\": \"%s\"", u ? "," : "", u, mode_names[stage->mode]);
        if (stage->mode != TEXENV_OFF) {
            struct buffer text = {0};
            buffer_printf(b, ", \"target\": \"%s\", \"format\": \"%s\", \"depth\": %s, \"shadow\": %s",
                          target_names[stage->target], base_names[stage->base],
                          stage->depth ? "true" : "false", stage->depth == 2 ? "true" : "false");
            add_stage(&text, state, u);
            buffer_puts(b, ", \"stage\": ");
            buffer_json_string(b, text.data, text.length);
            for (unsigned h = 0; h < 2; h++) {
                text.length = 0;
                add_formula(&text, state, u, h); /* the formula as text: "rgb = T0*P" */
                const char *formula = text.data + strcspn(text.data, "=") + 2;
                buffer_puts(b, h == TEXENV_RGB ? ", \"rgb\": " : ", \"alpha\": ");
                add_string(b, formula);
            }
            buffer_free(&text);
            if (texenv_stage_color_use(stage)) {
                buffer_puts(b, ", \"color\": ");
                add_floats(b, stage->color);
            }
            const char *fate = a->through >> u & 1 ? "pass-through" : a->dead >> u & 1 ? "dead" : "live";
            buffer_printf(b, ", \"fate\": \"%s\"", fate);
        }
        buffer_puts(b, "}");
    }
    buffer_puts(b, state->nstages ? "\n  ]" : "]");
    buffer_printf(b, ",\n  \"color_sum\": %s, \"fog\": \"%s\", \"fog_coord\": %s",
                  state->color_sum ? "true" : "false", fog_names[state->fog & 3],
                  state->fog_coord ? "true" : "false");
    if (state->alpha_test) {
        buffer_printf(
            b, ",\n  \"alpha_test\": {\"func\": \"%s\", \"reference\": ", compare_names[state->alpha_test]);
        if (state->alpha_ref == state->alpha_ref)
            buffer_printf(b, "%.9g}", (double)state->alpha_ref);
        else
            buffer_puts(b, "null}");
    }
}

static unsigned count_bits(unsigned bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static void add_program(struct buffer *b, const struct compiled *c, const struct analysis *a)
{
    const struct fragprog_atifs *program = &c->program;
    struct buffer text = {0};
    unsigned pairs = 0, lookups = 0, registers = 0, constants = 0;
    add_atifs(&text, program);
    add_text(b, "program", &text);
    buffer_puts(b, ",\n  \"bind\": [");
    for (unsigned p = 0; p < program->npasses; p++) {
        pairs += program->pass[p].npairs;
        for (unsigned i = 0; i < program->pass[p].npairs; i++)
            for (unsigned h = 0; h < 2; h++)
                if (program->pass[p].pair[i].half[h].op)
                    registers |= 1u << program->pass[p].pair[i].half[h].dst;
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
            const struct fragprog_atifs_setup *setup = &program->pass[p].setup[r];
            if (setup->op)
                registers |= 1u << r;
            if (setup->op != FRAGPROG_SAMPLE || setup->texture < 0)
                continue;
            buffer_printf(b, "%s{\"register\": %u, \"texture\": %d, \"coord\": %u", lookups++ ? ", " : "", r,
                          setup->texture, setup->source);
            for (unsigned i = 0; i < c->ir.ninst; i++)
                if (c->ir.inst[i].op == FRAGPROG_TEX && c->ir.inst[i].texture == setup->texture) {
                    buffer_printf(b, ", \"target\": \"%s\"", target_names[c->ir.inst[i].target]);
                    break;
                }
            buffer_puts(b, "}");
        }
    }
    buffer_puts(b, "],\n  \"constants\": [");
    for (unsigned k = 0; k < 8; k++) {
        const struct fragprog_atifs_const *konst = &program->konst[k];
        if (!konst->used)
            continue;
        buffer_printf(b, "%s{\"slot\": %u, \"unit\": ", constants++ ? ", " : "", k);
        buffer_printf(b, konst->unit >= 0 ? "%d" : "null", konst->unit);
        buffer_puts(b, ", \"value\": ");
        if (konst->value[0] < 0)
            buffer_puts(b, "null");
        else
            add_floats(b, konst->value);
        buffer_puts(b, "}");
    }
    buffer_printf(b, "],\n  \"color_sum_in_program\": %s", program->color_sum ? "true" : "false");
    buffer_printf(b,
                  ",\n  \"stats\": {\"pairs\": %u, \"passes\": %u, \"textures\": %u, \"registers\": %u, "
                  "\"constants\": %u",
                  pairs, program->npasses, lookups, count_bits(registers), constants);
    buffer_printf(b, ", \"units\": %u, \"dropped\": %u}", count_bits(a->on),
                  count_bits(a->through | a->dead));
}

void add_json(struct buffer *b, const struct item *item, const struct compiled *c)
{
    struct analysis a = {0};
    add_json_source(b, item);
    if (!c) {
        add_reason(b, item->refused);
        buffer_puts(b, "}");
        return;
    }
    if (c->ok)
        buffer_puts(b, ",\n  \"status\": \"ok\"");
    else
        add_reason(b, &c->why);
    if (item->state) {
        struct buffer text = {0};
        analyse(&a, item->state);
        add_item_stages(&text, item);
        text.length -= text.data[text.length - 1] == '\n';
        add_text(b, "stages", &text);
        if (item->vertex_refused) {
            buffer_puts(b, ",\n  \"vertex_refused\": ");
            add_string(b, item->vertex_refused);
        }
        add_units(b, item->state, &a);
    }
    if (c->ok)
        add_program(b, c, &a);
    buffer_puts(b, "}");
}
