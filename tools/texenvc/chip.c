#include "chip.h"
#include "json.h"

#include "hwemit/targets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_string(struct buffer *b, const char *s) { buffer_json_string(b, s, strlen(s)); }

/* ---- words ---- */

void add_hex(struct buffer *b, const struct hwemit_word *word)
{
    char data[40];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    hwemit_print_hex(&text, word);
    buffer_printf(b, "%s\n", data);
}

/* Prints the words as a program in the language of the chip's public tools, then as comments. Returns false
 * if there is no such language, or if it cannot express the words. */
static bool add_program(struct buffer *b, const struct hwemit_registers *registers,
                        const struct hwemit_word *word, uint32_t n)
{
    static char data[1 << 16];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    if (!registers->print || !registers->print(&text, word, n) || text.length >= sizeof data)
        return false;
    buffer_puts(b, data);
    for (uint32_t i = 0; i < n; i++) {
        buffer_puts(b, "# ");
        add_hex(b, &word[i]);
    }
    return true;
}

void add_lines(struct buffer *b, const struct hwemit_word *word, uint32_t n, const struct options *o)
{
    const struct hwemit_registers *registers = hwemit_find_registers(o->chip);
    if (!o->fields && add_program(b, registers, word, n))
        return;
    for (uint32_t i = 0, count; i < n; i += count) {
        static char data[HWEMIT_LINES_SIZE];
        struct texenv_text text;
        texenv_text_init(&text, data, sizeof data);
        count = o->fields ? 0 : hwemit_print_assembly(&text, registers, word, i, n);
        if (!count) {
            hwemit_print_word(&text, registers, word, i, n);
            count = 1;
        }
        if (text.length >= sizeof data)
            die_internal("the text of a word has %zu bytes", text.length);
        buffer_printf(b, "%s\n", data);
    }
}

const struct hwemit_word *words_or_packets(const struct options *o, const struct hwemit_word *word,
                                           uint32_t *n)
{
    static struct hwemit_word stream[2 * HWEMIT_MAX_WORDS];
    static uint32_t dword[2 * HWEMIT_MAX_WORDS];
    if (!o->packets)
        return word;
    *n = hwemit_packets(dword, 2 * HWEMIT_MAX_WORDS, o->chip, word, *n);
    for (uint32_t i = 0; i < *n; i++)
        stream[i] = (struct hwemit_word){HWEMIT_STREAM, dword[i]};
    return stream;
}

/* ---- what accompanies the words ---- */

void add_stats(struct buffer *b, const struct hwemit_code *code)
{
    for (unsigned i = 0; i < code->nstats; i++)
        buffer_printf(b, "%s%s %" PRIu32, i ? ", " : "", code->stat[i].name, code->stat[i].value);
}

/* Appends the JSON name of an attribute or output of a vertex program, or of an additional output of a
 * fragment program. */
static void add_attribute(struct buffer *b, unsigned attribute)
{
    static const char *const names[] = {"position",  "weight",   "normal",     "color",
                                        "secondary", "fogcoord", "matrixindex"};
    if (attribute >= FRAGPROG_ATTRIB_GENERIC)
        buffer_printf(b, "attrib%u", attribute - FRAGPROG_ATTRIB_GENERIC);
    else if (attribute >= FRAGPROG_ATTRIB_TEXCOORD)
        buffer_printf(b, "texcoord%u", attribute - FRAGPROG_ATTRIB_TEXCOORD);
    else
        buffer_puts(b, names[attribute]);
}

static void add_output(struct buffer *b, unsigned what)
{
    static const char *const names[] = {"position",    "color0",   "color1",   "back_color0",
                                        "back_color1", "fogcoord", "pointsize"};
    if (what == HWEMIT_DEPTH)
        buffer_puts(b, "depth");
    else if (what >= HWEMIT_TARGET_COLOR)
        buffer_printf(b, "target%u", what - HWEMIT_TARGET_COLOR);
    else if (what >= FRAGPROG_OUT_TEXCOORD)
        buffer_printf(b, "texcoord%u", what - FRAGPROG_OUT_TEXCOORD);
    else
        buffer_puts(b, names[what]);
}

static void add_input(struct buffer *b, const struct hwemit_input *input)
{
    if (input->what == HWEMIT_ATTRIB) {
        add_attribute(b, input->index);
        return;
    }
    if (input->what == HWEMIT_FOGCOORD || input->what == HWEMIT_POSITION)
        buffer_puts(b, input->what == HWEMIT_FOGCOORD ? "fogcoord" : "position");
    else
        buffer_printf(b, "%s%u", input->what == HWEMIT_COLOR ? "color" : "coord", input->index);
}

/* Returns the channels of an entry that fills only a part of a slot. */
static const char *channels_of(const struct hwemit_constant *k)
{
    return k->channels == FRAGPROG_MASK_W ? "a" : "rgb";
}

/* Returns whether the entry is only the colour or only the alpha of its slot; another entry may have the
 * rest. */
static bool is_part(const struct hwemit_constant *k)
{
    return k->unit != HWEMIT_BY_LANES && (k->channels == FRAGPROG_MASK_XYZ || k->channels == FRAGPROG_MASK_W);
}

static const char *parameter_of(const struct hwemit_constant *k)
{
    return k->unit < FRAGPROG_ORIGIN_LOCAL ? "env" : "local";
}

/* Determines where component c of a constant comes from: its origin, and the component of that. Returns false
 * if the value is the program's own. */
static bool lane_of(const struct hwemit_constant *k, unsigned c, int32_t *origin, unsigned *component)
{
    const bool by_lanes = k->unit == HWEMIT_BY_LANES;
    *component = by_lanes ? k->component[c] : c;
    *origin = by_lanes                     ? k->origin[c]
        : k->unit < 0                      ? FRAGPROG_ORIGIN_IMMEDIATE
        : k->unit < FRAGPROG_ORIGIN_GLOBAL ? k->unit
        : k->unit < FRAGPROG_ORIGIN_LOCAL  ? FRAGPROG_ORIGIN_ENV + k->unit - FRAGPROG_ORIGIN_GLOBAL
                                           : FRAGPROG_ORIGIN_PARAMETER + k->unit - FRAGPROG_ORIGIN_LOCAL;
    return *origin != FRAGPROG_ORIGIN_IMMEDIATE;
}

static void add_origin(struct buffer *b, int32_t origin)
{
    char name[100];
    struct texenv_text text;
    texenv_text_init(&text, name, sizeof name);
    fragprog_print_origin(&text, origin);
    buffer_puts(b, name);
}

/* Appends "program.local[3].x", or the expression of a component that is computed. */
static void add_lane(struct buffer *b, int32_t origin, unsigned component)
{
    char name[200];
    struct texenv_text text;
    texenv_text_init(&text, name, sizeof name);
    fragprog_print_lane(&text, origin, component);
    buffer_puts(b, name);
}

/* Appends "program.local[3].x, 0.5, -, -". */
static void add_lanes(struct buffer *b, const struct hwemit_constant *k)
{
    int32_t origin;
    unsigned component;
    for (unsigned c = 0; c < 4; c++) {
        buffer_puts(b, c ? ", " : "");
        if (!(k->channels >> c & 1))
            buffer_puts(b, "-");
        else if (lane_of(k, c, &origin, &component)) {
            add_lane(b, origin, component);
        } else
            buffer_float(b, k->value[c]);
    }
}

/* Appends the name of a register of a chip whose registers hold one number each, 4*register + channel. */
static void add_register(struct buffer *b, unsigned n) { buffer_printf(b, "r%u.%c: ", n / 4, "xyzw"[n % 4]); }

static void add_comments(struct buffer *b, const struct hwemit_code *code, const struct options *o,
                         const char *open, const char *close)
{
    buffer_printf(b, "%s%s: ", open, o->chip->name);
    add_stats(b, code);
    buffer_puts(b, close);
    for (unsigned i = 0; o->chip->assumptions && o->chip->assumptions[i].name; i++)
        if (code->assumed >> i & 1)
            buffer_printf(b, "%sassumed: %s (%s)%s", open, o->chip->assumptions[i].name,
                          o->chip->assumptions[i].help, close);
    for (unsigned i = 0; i < code->ntextures; i++) {
        const struct hwemit_texture *t = &code->texture[i];
        buffer_printf(b, "%stexture slot %u: unit %u, coordinate set %u, %s%s", open, t->slot, t->unit,
                      t->coord, target_names[t->target], close);
    }
    for (unsigned i = 0; i < code->nconstants; i++) {
        const struct hwemit_constant *k = &code->constant[i];
        buffer_printf(b, "%sconstant slot %u: ", open, k->slot);
        if (k->unit == HWEMIT_BY_LANES)
            add_lanes(b, k);
        else if (k->unit >= FRAGPROG_ORIGIN_GLOBAL)
            buffer_printf(b, "program.%s[%d]", parameter_of(k), k->unit % TEXENV_UNITS);
        else if (k->unit >= 0)
            buffer_printf(b, "environment colour of unit %d", k->unit);
        else
            buffer_puts(b, "the program's own value");
        if (is_part(k))
            buffer_printf(b, ", %s", channels_of(k));
        buffer_printf(b, " (word %" PRIu32 ")%s", k->word, close);
    }
    for (unsigned i = 0; i < code->ninputs; i++) {
        const struct hwemit_input *in = &code->input[i];
        const char *const inputs = o->chip->inputs ? o->chip->inputs : "temporary";
        buffer_puts(b, open);
        if (o->chip->scalars && in->what == HWEMIT_POSITION)
            add_register(b, in->temp);
        else
            buffer_printf(b, "%s %u: ", in->what == HWEMIT_ATTRIB ? "input" : inputs, in->temp);
        add_input(b, &code->input[i]);
        buffer_puts(b, close);
    }
    for (unsigned i = 0; i < code->noutputs; i++) {
        buffer_printf(b, "%soutput %u: ", open, code->outputs[i].slot);
        add_output(b, code->outputs[i].what);
        buffer_puts(b, close);
    }
    if (code->follows)
        buffer_printf(b, "%safter texturing:%s%s%s", open,
                      code->follows & HWEMIT_COLOR_SUM ? " colour sum" : "",
                      code->follows & HWEMIT_FOG ? " fog" : "", close);
    if (code->output < 0)
        return;
    buffer_puts(b, open);
    if (o->chip->scalars)
        add_register(b, (unsigned)code->output);
    else
        buffer_printf(b, "temporary %d: ", code->output);
    buffer_printf(b, "the colour, at the end%s", close);
}

/* ---- JSON ---- */

void add_chip_fit(struct buffer *b, const struct hwemit_code *code, const struct fragprog_reason *why)
{
    if (!why) {
        buffer_puts(b, "\"fits\": true, \"stats\": {");
        for (unsigned i = 0; i < code->nstats; i++)
            buffer_printf(b, "%s\"%s\": %" PRIu32, i ? ", " : "", code->stat[i].name, code->stat[i].value);
        buffer_puts(b, "}");
        return;
    }
    buffer_puts(b, "\"fits\": false, \"reason\": ");
    add_string(b, why->text);
    buffer_puts(b, ", \"code\": ");
    add_string(b, why->code);
    buffer_printf(b, why->unit >= 0 ? ", \"unit\": %d" : ", \"unit\": null", why->unit);
    buffer_puts(b, ", \"would_fit_if\": ");
    if (why->fit[0])
        add_string(b, why->fit);
    else
        buffer_puts(b, "null");
}

static void add_json_words(struct buffer *b, const struct hwemit_word *word, uint32_t n)
{
    buffer_puts(b, ", \"words\": [");
    for (uint32_t i = 0; i < n; i++) {
        buffer_puts(b, i ? ", [" : "[");
        if (word[i].address == HWEMIT_STREAM)
            buffer_puts(b, "null");
        else
            buffer_printf(b, "\"0x%04" PRIx32 "\"", word[i].address);
        buffer_printf(b, ", \"0x%08" PRIx32 "\"]", word[i].value);
    }
    buffer_puts(b, "]");
}

static void add_json_lanes(struct buffer *b, const struct hwemit_constant *k)
{
    int32_t origin;
    unsigned component;
    for (unsigned c = 0; c < 4; c++) {
        buffer_puts(b, c ? ", " : "");
        if (!(k->channels >> c & 1))
            buffer_puts(b, "null");
        else if (lane_of(k, c, &origin, &component)) {
            const bool computed = origin >= FRAGPROG_ORIGIN_DERIVED;
            buffer_puts(b, computed ? "{\"expr\": \"" : "{\"from\": \"");
            if (computed)
                add_lane(b, origin, 0);
            else
                add_origin(b, origin);
            buffer_printf(b, computed ? "\"}" : "\", \"lane\": \"%c\"}", "xyzw"[component]);
        } else {
            buffer_puts(b, "{\"value\": ");
            buffer_float(b, k->value[c]);
            buffer_puts(b, "}");
        }
    }
}

static void add_json_follows(struct buffer *b, const struct hwemit_code *code)
{
    if (code->follows & HWEMIT_COLOR_SUM)
        buffer_puts(b, ", \"color_sum\": true");
    if (code->follows & HWEMIT_FOG)
        buffer_puts(b, ", \"fog\": true");
}

static void add_json_code(struct buffer *b, const struct hwemit_code *code, const struct options *o)
{
    uint32_t n = code->nwords;
    const struct hwemit_word *word = words_or_packets(o, code->word, &n);
    add_json_words(b, word, n);
    buffer_puts(b, ",\n  \"constants\": [");
    for (unsigned i = 0; i < code->nconstants; i++) {
        const struct hwemit_constant *k = &code->constant[i];
        buffer_printf(b, "%s{\"slot\": %u, \"unit\": ", i ? ", " : "", k->slot);
        buffer_printf(b, k->unit >= 0 && k->unit < FRAGPROG_ORIGIN_GLOBAL ? "%d" : "null", k->unit);
        if (k->unit >= FRAGPROG_ORIGIN_GLOBAL)
            buffer_printf(b, ", \"%s\": %d", parameter_of(k), k->unit % TEXENV_UNITS);
        buffer_puts(b, ", \"value\": [");
        for (unsigned c = 0; c < 4; c++) {
            buffer_puts(b, c ? ", " : "");
            buffer_float(b, k->value[c]);
        }
        buffer_puts(b, "], \"lanes\": [");
        add_json_lanes(b, k);
        buffer_puts(b, "]");
        if (is_part(k)) /* the channels of the value that this entry contains */
            buffer_printf(b, ", \"channels\": \"%s\"", channels_of(k));
        if (!o->packets)
            buffer_printf(b, ", \"word\": %" PRIu32, k->word);
        buffer_puts(b, "}");
    }
    buffer_puts(b, "], \"textures\": [");
    for (unsigned i = 0; i < code->ntextures; i++) {
        const struct hwemit_texture *t = &code->texture[i];
        buffer_printf(b, "%s{\"slot\": %u, \"unit\": %u, \"coord\": %u, \"target\": \"%s\"}", i ? ", " : "",
                      t->slot, t->unit, t->coord, target_names[t->target]);
    }
    buffer_puts(b, "], \"inputs\": [");
    for (unsigned i = 0; i < code->ninputs; i++) {
        buffer_printf(b, "%s{\"%s\": %u, \"is\": \"", i ? ", " : "",
                      code->input[i].what == HWEMIT_ATTRIB ? "slot" : "temp", code->input[i].temp);
        add_input(b, &code->input[i]);
        buffer_puts(b, "\"}");
    }
    for (unsigned i = 0; i < code->noutputs; i++) {
        buffer_printf(b, "%s{\"slot\": %u, \"is\": \"", i ? ", " : "], \"outputs\": [",
                      code->outputs[i].slot);
        add_output(b, code->outputs[i].what);
        buffer_puts(b, "\"}");
    }
    if (code->output >= 0)
        buffer_printf(b, "], \"output\": {\"register\": %d", code->output);
    buffer_puts(b, code->output >= 0 ? "}, \"assumed\": [" : "], \"assumed\": [");
    bool first = true;
    for (unsigned i = 0; o->chip->assumptions && o->chip->assumptions[i].name; i++)
        if (code->assumed >> i & 1) {
            buffer_puts(b, first ? "" : ", ");
            add_string(b, o->chip->assumptions[i].name);
            first = false;
        }
    buffer_puts(b, "]");
    add_json_follows(b, code);
}

static void add_json_object(struct buffer *b, const struct item *item, const struct compiled *c,
                            const struct options *o)
{
    const struct fragprog_reason *why = !c ? item->refused : c->ok ? NULL : &c->why;
    add_json_source(b, item);
    buffer_printf(b, ",\n  \"target\": \"%s\", ", o->chip->name);
    add_chip_fit(b, c ? &c->code : NULL, why);
    if (!why)
        add_json_code(b, &c->code, o);
    buffer_puts(b, "}");
}

/* ---- C ---- */

static void add_c_words(struct buffer *b, const struct hwemit_word *word, uint32_t n, uint64_t number)
{
    bool stream = n && word[0].address == HWEMIT_STREAM;
    buffer_printf(b,
                  stream ? "static const unsigned int texenv_%" PRIu64 "_words[%" PRIu32 "] = {\n"
                         : "static const unsigned int texenv_%" PRIu64 "_words[%" PRIu32 "][2] = {\n",
                  number, n);
    for (uint32_t i = 0; i < n; i++) {
        if (stream)
            buffer_printf(b, "    0x%08" PRIx32 "u,\n", word[i].value);
        else
            buffer_printf(b, "    {0x%04" PRIx32 "u, 0x%08" PRIx32 "u},\n", word[i].address, word[i].value);
    }
    buffer_puts(b, "};\n");
}

static void add_c(struct buffer *b, const struct item *item, const struct hwemit_code *code,
                  const struct options *o)
{
    uint32_t n = code->nwords;
    const struct hwemit_word *word = words_or_packets(o, code->word, &n);
    add_comments(b, code, o, "/* ", " */\n");
    add_c_words(b, word, n, item->number);
    /* allows an application to upload a changed colour without compiling again */
    if (code->nconstants && !o->packets) {
        buffer_printf(b,
                      "static const struct { int slot, unit, word; } texenv_%" PRIu64 "_constants[%u] = {\n",
                      item->number, code->nconstants);
        for (unsigned i = 0; i < code->nconstants; i++)
            buffer_printf(b, "    {%u, %d, %" PRIu32 "},\n", code->constant[i].slot, code->constant[i].unit,
                          code->constant[i].word);
        buffer_puts(b, "};\n");
    }
}

/* ---- all formats ---- */

static void add_plain(struct buffer *b, const struct hwemit_word *word, uint32_t n, const struct options *o)
{
    if (o->format == FORMAT_TEXT && !o->packets)
        add_lines(b, word, n, o);
    else
        for (uint32_t i = 0; i < n; i++)
            add_hex(b, &word[i]);
}

void add_words(struct buffer *b, const struct hwemit_word *word, uint32_t n, const struct options *o)
{
    word = words_or_packets(o, word, &n);
    if (o->format == FORMAT_JSON) {
        buffer_printf(b, "[\n  {\"target\": \"%s\"", o->chip->name);
        add_json_words(b, word, n);
        buffer_puts(b, "}\n]\n");
    } else if (o->format == FORMAT_C) {
        add_c_words(b, word, n, 1);
    } else {
        add_plain(b, word, n, o);
    }
}

void add_chip(struct buffer *b, const struct item *item, const struct compiled *c, const struct options *o)
{
    if (o->format == FORMAT_JSON) {
        add_json_object(b, item, c, o);
        return;
    }
    if (!c || !c->ok)
        return;
    if (o->format == FORMAT_C) {
        add_c(b, item, &c->code, o);
        return;
    }
    uint32_t n = c->code.nwords;
    const struct hwemit_word *word = words_or_packets(o, c->code.word, &n);
    if (o->format == FORMAT_TEXT)
        add_comments(b, &c->code, o, "# ", "\n");
    add_plain(b, word, n, o);
}
