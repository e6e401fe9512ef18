/* texenvc convert: compiles every item of the input and prints it in the requested format. */
#include "chip.h"
#include "compile.h"
#include "embed.h"
#include "embed_js.h"
#include "fit.h"

#include "json.h"
#include "oracle.h"
#include "vertex.h"
#include "writer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct convert {
    const struct options *o;
    struct writer writer;
    struct compiled compiled;
    /* vertex: the vertex program, if --stage writes it to a file of its own, and for --embed */
    struct buffer body, vertex;
    struct buffer reflection, table; /* output of --reflect and --reflect-c for all states */
    struct reflection reflected;     /* inputs of the current state's program */
    struct pending {
        struct buffer text; /* JSON of --reflect for one state, up to its name */
        char *name;
    } * pending; /* states of the current input, whose file names are known only at its end */
    size_t npending;
    uint64_t refused, pairs;
    bool step_seen; /* --print-after has printed something */
    /* for a JavaScript module: names of the pairs written, and hashes of their contents */
    struct hash_set names, seen;
    /* The last state: scripts often draw many times with the same state, whose text is then not compiled
     * again. */
    bool have_last;
    struct texenv_state last;
    bool last_has_vertex;
    struct texenv_raster last_raster;
    struct texenv_vertex last_vertex;
};

/* ---- --print-after ---- */

struct printing {
    struct convert *c;
    const struct item *item;
};

/* Returns whether --print-after requests this step. A program that is read counts as the step "lower". */
static bool is_asked(const struct options *o, const char *step)
{
    if (o->print_after >= 0)
        return strcmp(step, fragprog_passes[o->print_after].name) == 0;
    if (o->print_after == PRINT_LOWER)
        return strcmp(step, "lower") == 0 || strcmp(step, "import") == 0 || strcmp(step, "read") == 0;
    return o->print_after == PRINT_ALL || strcmp(step, o->print_step) == 0;
}

static void add_step(struct buffer *b, const struct fragprog_step *step)
{
    if (step->machine)
        add_machine(b, step);
    else
        add_ir(b, step->p);
}

static void print_after(void *user, const struct fragprog_step *step)
{
    struct printing *printing = user;
    const struct options *o = printing->c->o;
    if (!is_asked(o, step->name))
        return;
    printing->c->step_seen = true;
    struct buffer text = {0};
    if (o->to == FORM_IR) { /* then the intermediate program is the output */
        if (o->print_after == PRINT_ALL)
            buffer_printf(&printing->c->body, "# after %s\n", step->name);
        add_step(&printing->c->body, step);
        return;
    }
    buffer_printf(&text, "# after %s, state %" PRIu64 " %s\n", step->name, printing->item->number,
                  printing->item->source->name);
    add_step(&text, step);
    progress_clear();
    fwrite(text.data, 1, text.length, stderr);
    buffer_free(&text);
}

/* ---- one item ---- */

static void check_forms(const struct item *item, enum form to)
{
    if (!item->state && !item->refused && (to == FORM_GL || to == FORM_STAGES))
        die_usage("%s: a program cannot be turned back into a texture environment, which --to %s needs",
                  item->source->name, form_names[to]);
}

/* Notes lookups whose coordinate set is not that of their texture. This happens only with --bind compact and
 * units 6 and 7. */
static void note_coordinates(const struct item *item, const struct fragprog_atifs *program)
{
    struct texenv_sink sink = diag_sink(item->source);
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        const struct fragprog_atifs_setup *setup = &program->pass[program->npasses - 1].setup[r];
        if (setup->op == FRAGPROG_SAMPLE && setup->texture >= 0 && !setup->from_reg &&
            setup->texture != setup->source)
            texenv_emit(&sink, TEXENV_NOTE, setup->texture, item->place, "coordinates",
                        "the texture of unit %d is looked up with coordinate set %u: supply that unit's "
                        "coordinates there",
                        setup->texture, setup->source);
    }
}

/* A vertex program is always converted alone, whatever --stage says. */
static bool is_vertex_program(const struct item *item) { return item->ir && item->ir->vertex; }

/* Prints the words of the vertex engine, of the fragment unit, or both. */
static bool convert_to_chip(struct convert *c, const struct item *item, const struct compile_hook *use)
{
    const unsigned stages = is_vertex_program(item) ? STAGE_FRAGMENT : c->o->stages;
    if (stages & STAGE_VERTEX) {
        compile_vertex_chip(&c->compiled, item, c->o);
        add_chip(&c->body, item, &c->compiled, c->o);
        if (!c->compiled.ok || !(stages & STAGE_FRAGMENT))
            return c->compiled.ok;
        buffer_puts(&c->body,
                    c->o->format == FORMAT_JSON
                        ? ",\n"
                        : "# the vertex engine's words end here, the fragment unit's follow\n");
    }
    compile_chip(&c->compiled, item, c->o, use);
    if (!c->compiled.ok && c->o->format == FORMAT_JSON)
        find_fit(&c->compiled, item, c->o);
    add_chip(&c->body, item, &c->compiled, c->o);
    return c->compiled.ok;
}

/* Prints a program as text of ATI_fragment_shader. Calls can express programs that the text cannot. */
static bool convert_to_text(struct convert *c, const struct fragprog_atifs *program)
{
    struct fragprog_atifs text = *program;
    const char *why = fragprog_atifs_as_text(&text);
    if (!why) {
        add_atifs(&c->body, &text);
        return true;
    }
    c->compiled.why = (struct fragprog_reason){.unit = -1, .code = "text"};
    snprintf(c->compiled.why.text, sizeof c->compiled.why.text, "%s", why);
    return false;
}

/* Fills body (and vertex). Returns false if the target cannot express the item. */
static bool convert_item(struct convert *c, const struct item *item)
{
    enum form to = c->o->to;
    struct buffer *b = &c->body;
    struct printing printing = {c, item};
    struct compile_hook hook = {print_after, &printing};
    struct compile_hook *use = c->o->print_after != PRINT_NONE ? &hook : NULL;
    const struct fragprog_atifs *program = item->atifs;

    if (to == FORM_STAGES) {
        add_item_stages(b, item);
    } else if (to == FORM_GL) {
        add_item_gl(b, item);
    } else if (to == FORM_IR && item->form == FORM_IR && !use) {
        add_ir(b, item->ir); /* the input is already an intermediate program: print it unchanged */
    } else if (to == FORM_LANGUAGE) {
        struct options o = *c->o;
        o.stages = is_vertex_program(item) ? STAGE_FRAGMENT : o.stages;
        compile_language(&c->compiled, b, c->writer.folder || o.embed ? &c->vertex : NULL, item, &o, use);
        return c->compiled.ok;
    } else if (to == FORM_CHIP) {
        return convert_to_chip(c, item, use);
    } else if (!program || to == FORM_IR || to == FORM_JSON) {
        const bool only_ir = to == FORM_IR &&
            ((item->ir && item->ir->unbounded) ||
             (c->o->print_after != PRINT_STEP && c->o->print_after != PRINT_ALL));
        if (only_ir || program)
            compile_ir(&c->compiled, item, c->o, use);
        else
            compile_target(&c->compiled, item, c->o, use);
        if (only_ir && !use && c->compiled.ok)
            add_ir(b, &c->compiled.ir);
        if (program)
            /* the input is already a program of ATI_fragment_shader: print it as written */
            c->compiled.program = *program;
        if (to == FORM_JSON)
            add_json(b, item, &c->compiled);
        if (!c->compiled.ok)
            return false;
        if (to != FORM_IR) {
            program = &c->compiled.program;
            note_coordinates(item, program);
        }
    }
    if (to == FORM_ATIFS) {
        return convert_to_text(c, program);
    } else if (to == FORM_ATIFS_C) {
        char name[32];
        snprintf(name, sizeof name, "texenv_%" PRIu64, item->number);
        add_atifs_c(b, program, name);
    }
    if (to != FORM_JSON && b->length && b->data[b->length - 1] != '\n')
        buffer_puts(b, "\n");
    return true;
}

static void refuse(struct convert *c, const struct item *item, const struct fragprog_reason *why)
{
    c->refused++;
    diag_refused(item->source, item->place, why->unit, why->code, why->text);
    writer_refused(&c->writer, item, why->text, &c->body);
}

static bool is_reflected(const struct options *o) { return o->reflect || o->reflect_c || o->embed; }

/* Chooses the name of a pair in a module: that of --name, or of the file, with a number appended if it is
 * taken. */
static void name_pair(struct convert *c, const struct item *item)
{
    struct reflection *r = &c->reflected;
    char base[FRAGPROG_PREFIX_MAX + 1];
    size_t n = 0;
    const char *path = c->o->name ? c->o->name : item->source->name, *slash = strrchr(path, '/');
    for (const char *p = slash ? slash + 1 : path; *p && *p != '.' && n + 1 < sizeof base; p++)
        base[n++] = isalnum((unsigned char)*p) ? *p : '_';
    base[n] = '\0';
    if (!isalpha((unsigned char)base[0]))
        snprintf(base, sizeof base, "texenv");
    snprintf(r->name, sizeof r->name, "%s", base);
    for (unsigned k = 2; !hash_set_add(&c->names, hash_bytes(r->name, strlen(r->name), 1)); k++)
        snprintf(r->name, sizeof r->name, "%s_%u", base, k);
}

/* Adds a pair to a JavaScript module. Returns false if the module already contains an identical pair under
 * another name. */
static bool embed_script(struct convert *c, const struct item *item)
{
    struct buffer text = {0}, fields = {0};
    add_js_fields(&fields, &c->reflected, item, &c->vertex, &c->body);
    const bool is_new = hash_set_add(&c->seen, hash_bytes(fields.data, fields.length, 1));
    if (is_new) {
        name_pair(c, item);
        add_js_pair(&text, &c->reflected, item, &fields);
        buffer_free(&c->body);
        c->body = text;
        c->vertex.length = 0;
    }
    buffer_free(&fields);
    return is_new;
}

static void embed_c(struct convert *c)
{
    struct buffer header = {0};
    add_c_pair(&header, &c->reflected, &c->vertex, &c->body);
    buffer_free(&c->body);
    c->body = header;
    c->vertex.length = 0;
}

/* Reflects the pair in `vertex` and `body`. With --embed and --page these become the text to write. Returns
 * false if there is nothing to write. */
static bool reflect_item(struct convert *c, const struct item *item)
{
    struct reflection *r = &c->reflected;
    if (c->o->embed && !item->state)
        die_usage("%s: this is a program; %s needs a texture environment", item->source->name,
                  c->o->page ? "--page" : "--embed");
    reflect(r, item, &c->compiled, c->o, ++c->pairs);
    const char *why = c->o->script ? js_refuses(r) : NULL;
    if (why) {
        c->compiled.why = (struct fragprog_reason){.unit = -1, .code = "language"};
        snprintf(c->compiled.why.text, sizeof c->compiled.why.text, "%s", why);
        refuse(c, item, &c->compiled.why);
    }
    if (why || (c->o->script && !embed_script(c, item))) {
        reflection_free(r);
        return false;
    }
    if (c->o->reflect) {
        c->pending = xrealloc(c->pending, (c->npending + 1) * sizeof *c->pending);
        struct pending *p = &c->pending[c->npending++];
        *p = (struct pending){.name = xstrndup(r->name, strlen(r->name))};
        add_reflection(&p->text, r, item);
    }
    if (c->o->reflect_c)
        add_c_pair(&c->table, r, NULL, NULL);
    if (c->o->embed && !c->o->script)
        embed_c(c);
    reflection_free(r);
    return true;
}

/* Returns whether the last converted item has the same text. */
static bool is_last(const struct convert *c, const struct item *item)
{
    return memcmp(item->state, &c->last, sizeof c->last) == 0 &&
        memcmp(&item->raster, &c->last_raster, sizeof c->last_raster) == 0 &&
        c->last_has_vertex == (item->vertex != NULL) &&
        (!item->vertex || memcmp(item->vertex, &c->last_vertex, sizeof c->last_vertex) == 0);
}

/* Notes if the output format includes the vertex half, but this state has none. */
static void note_vertex(const struct convert *c, const struct item *item)
{
    struct texenv_sink sink = diag_sink(item->source);
    const enum form to = c->o->to;
    if (item->vertex_refused && (to == FORM_STAGES || to == FORM_GL || to == FORM_JSON))
        texenv_emit(&sink, TEXENV_NOTE, -1, item->place, "vertex", "the vertex half is left out: %s",
                    item->vertex_refused);
}

static void on_item(void *user, const struct item *item)
{
    struct convert *c = user;
    check_forms(item, c->o->to);
    if (item->refused) {
        c->body.length = 0;
        c->have_last = false;
        if (c->o->to == FORM_JSON)
            add_json(&c->body, item, NULL);
        else if (c->o->to == FORM_CHIP)
            add_chip(&c->body, item, NULL, c->o);
        refuse(c, item, item->refused);
        return;
    }
    note_vertex(c, item);
    bool numbered = options_json(c->o) || c->o->to == FORM_ATIFS_C || c->o->embed ||
        (c->o->to == FORM_CHIP && c->o->format == FORMAT_C);
    bool same_text = !numbered && c->o->print_after == PRINT_NONE;
    if (!(same_text && c->have_last && item->state && is_last(c, item))) {
        c->body.length = c->vertex.length = 0;
        c->have_last = false;
        if (!convert_item(c, item)) {
            refuse(c, item, &c->compiled.why);
            return;
        }
        if (item->state) {
            memcpy(&c->last, item->state, sizeof c->last);
            c->have_last = true;
            c->last_raster = item->raster;
            c->last_has_vertex = item->vertex != NULL;
            if (item->vertex)
                c->last_vertex = *item->vertex;
        }
    }
    if (is_reflected(c->o) && !reflect_item(c, item))
        return;
    writer_state(&c->writer, item, &c->body, &c->vertex);
}

/* Adds the JSON objects of one input, with the names of their files. */
static void end_reflections(struct convert *c)
{
    struct buffer file = {0};
    if (c->writer.file)
        buffer_json_string(&file, c->o->output, strlen(c->o->output));
    for (size_t i = 0; i < c->npending; i++) {
        struct pending *p = &c->pending[i];
        const bool named = c->writer.folder && i < c->writer.nfiles;
        buffer_puts(&c->reflection, c->reflection.length ? ",\n" : "[\n");
        buffer_add(&c->reflection, p->text.data, p->text.length);
        add_reflection_end(&c->reflection, named && !c->o->embed ? c->writer.common[i].data : p->name,
                           named ? c->writer.files[i].data : file.data);
        buffer_free(&p->text);
        free(p->name);
    }
    c->npending = 0;
    buffer_free(&file);
}

static void on_end(void *user, const struct input *input, uint64_t items, bool failed)
{
    struct convert *c = user;
    (void)items;
    writer_end_input(&c->writer, input, failed);
    end_reflections(c);
}

static int verify_each(const struct options *o)
{
    static const char *const level[] = {"0", "1", "2", "3"};
    const char *words[8] = {"check", "--each", "-O", level[o->target.level]};
    size_t n = 4;
    if (o->from == FORM_IR || o->from == FORM_ATIFS || o->from == FORM_ARBFP || o->from == FORM_ATIFS_CALLS)
        die_usage("--verify-each needs a texture environment, not a program");
    if (o->from != FORM_GUESS) {
        words[n++] = "--from";
        words[n++] = form_names[o->from];
    }
    return oracle_run(o, words, n, true);
}

static void check_options(const struct options *o)
{
    const struct {
        const char *name;
        bool given, in_language;
    } rows[] = {
        {"--reflect", o->reflect != NULL, true},
        {"--reflect-c", o->reflect_c != NULL, true},
        {"--embed", o->embed, true},
        {"--name", o->name != NULL, true},
        {"--affine", o->affine, o->language.language != FRAGPROG_ARBFP},
        {"--precision", o->language.precision != FRAGPROG_PRECISION_BEST,
         o->language.language == FRAGPROG_GLSL_ES_100 || o->language.language == FRAGPROG_GLSL_ES_300},
        {"--prefix", o->language.prefix != NULL, o->language.language != FRAGPROG_ARBFP},
        {"--binding and --location", o->places, o->language.language == FRAGPROG_GLSL_450},
        {"--stage", o->stages != STAGE_FRAGMENT && o->to != FORM_CHIP, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].given && o->to != FORM_LANGUAGE)
            die_usage("%s works only with a shading language: --to LANGUAGE", rows[i].name);
        if (rows[i].given && !rows[i].in_language)
            die_usage("%s does not work with --to %s", rows[i].name,
                      fragprog_language_name((enum fragprog_language)o->language.language));
    }
    if (o->stages != STAGE_FRAGMENT && o->to == FORM_CHIP && o->format == FORMAT_C && o->chip->vertex_steps)
        die_usage("--format c writes the fragment's words only: leave --stage out");
    if (o->vertex_state && !(o->stages & STAGE_VERTEX))
        die_usage("--vertex-state works only with --stage vertex or --stage both");
    if (o->affine && !(o->stages & STAGE_VERTEX))
        die_usage("--affine works only with --stage vertex or --stage both");
    check_vertex_state(o);
    const char *files[] = {o->reflect, o->reflect_c, o->output};
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < i; k++)
            if (files[i] && files[k] && strcmp(files[i], files[k]) == 0 && strcmp(files[i], "/dev/null") != 0)
                die_usage("two outputs would be written to '%s'", files[i]);
}

/* Returns which raster state the output expresses: GL calls express everything; shader pairs in GLSL 1.10 and
 * 1.20 leave points and flat shading to GL, and in OpenGL the origin of sprite coordinates is GL state. */
static struct texenv_raster raster_of(const struct options *o)
{
    const unsigned language = o->language.language;
    struct texenv_raster raster = {0};
    if (o->to == FORM_GL) {
        memset(&raster, 0xff, sizeof raster);
        return raster;
    }
    if (o->to != FORM_LANGUAGE || o->stages != (STAGE_VERTEX | STAGE_FRAGMENT) || language == FRAGPROG_ARBFP)
        return raster;
    raster.clip_planes = raster.radial_fog = 0xff;
    if (language == FRAGPROG_GLSL_110 || language == FRAGPROG_GLSL_120)
        return raster;
    raster.points = raster.sprites = 0xff;
    raster.lower_left = language == FRAGPROG_GLSL_330 ? 0 : 0xff;
    raster.flat = language == FRAGPROG_GLSL_ES_100 ? 0 : 0xff;
    return raster;
}

int cmd_convert(const struct options *o)
{
    check_options(o);
    if (o->combiners)
        return convert_combiners(o);
    struct convert *c = xcalloc(1, sizeof *c);
    struct buffer types = {0};
    struct reader reader = {
        .options = o,
        .user = c,
        .item = on_item,
        .end = on_end,
        .keep = (o->to == FORM_CHIP && o->format == FORMAT_JSON) || o->stages == STAGE_VERTEX,
        .raster = raster_of(o),
        .vertex = o->to == FORM_STAGES || o->to == FORM_GL || o->to == FORM_JSON || o->stages & STAGE_VERTEX};
    c->o = o;
    writer_open(&c->writer, o);
    if (o->script && c->writer.folder)
        die_usage("a JavaScript module contains all states: give -o a file (FILE.js), not a folder");
    if (o->script) {
        add_js_preamble(&c->writer.preamble, o->page != NULL);
        add_js_end(&c->writer.end, o->page != NULL);
        add_js_types(&types);
    } else if (o->embed) {
        add_c_preamble(&c->writer.preamble, true);
    }
    add_c_preamble(&c->table, false);
    read_inputs(&reader);
    if (o->reflect)
        buffer_puts(&c->reflection, c->reflection.length ? "\n]\n" : "[]\n");
    char *types_name = options_types(o);
    const struct writer_side sides[] = {
        {o->reflect, &c->reflection}, {o->reflect_c, &c->table}, {types_name, &types}};
    writer_close(&c->writer, reader.failed, sides, 3);
    free(types_name);
    buffer_free(&types);
    buffer_free(&c->reflection);
    buffer_free(&c->table);
    int status = reader.failed ? STATUS_INPUT : c->refused ? STATUS_REFUSED : STATUS_OK;
    if (o->print_after != PRINT_NONE && !c->step_seen && status == STATUS_OK)
        fprintf(stderr, "texenvc: warning: --print-after %s: no input has this step\n", o->print_step);
    buffer_free(&c->body);
    buffer_free(&c->vertex);
    free(c->pending);
    hash_set_free(&c->names);
    hash_set_free(&c->seen);
    compile_end(&c->compiled);
    free(c);
    if (o->rule_counts)
        print_rule_counts();
    if (o->verify_each && status != STATUS_INPUT && verify_each(o) != STATUS_OK)
        return STATUS_INPUT;
    return status;
}
