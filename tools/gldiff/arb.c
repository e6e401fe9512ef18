#include "arb.h"
#include "arb_guard.h"
#include "arb_scene.h"
#include "arb_vertex.h"
#include "fragprog/arb_program.h"
#include "reasons.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws each ARB program as it is, and again after conversion, and compares the two results. A value is left
 * out of the comparison in two cases:
 *
 * Undefined: the value is not finite, or it changes when the results that the specification leaves undefined
 * are replaced by other numbers (arb_guard.h).
 * Unsteady: the value changes by more than STEADY when all inputs change by 2^-18 of themselves
 * (arb_scene.h). Such a program amplifies rounding errors too much: it has comparisons, kills, FLR or texel
 * lookups near a threshold.
 * Any other value may differ by TOLERANCE plus the change that was measured for it. */
#define TOLERANCE 1e-5
#define STEADY 1e-3

enum { LANGUAGES = 2, SHOWN = 50 };
static const enum via vias[LANGUAGES] = {VIA_ARBFP, VIA_GLSL};
/* The numbers that replace undefined results, one row for each drawing. In each channel another row has the
 * largest magnitude, so that a texture lookup with any swizzle of these numbers gives different texels. The
 * fractions differ, too, for programs that compute array indices from them. */
static const float junks[][4] = {{0.3125f, -0.7f, 1.9f, 0.11f},    {-7.25f, 3.45f, -0.4f, 12.27f},
                                 {1500.59f, -210.95f, -90.5f, 23}, {-0.023f, 0.017f, 0.0031f, -0.039f},
                                 {0.61f, 2.38f, -1.1f, -0.83f},    {31.82f, -16.86f, 64.66f, -71.3f}};

struct figures {
    /* empty: programs of which no value could be compared */
    uint64_t programs, over, refused, failed, empty;
    /* compared, undefined and unsteady count values; kills counts fragments that both drawings kill */
    uint64_t compared, undefined, unsteady, kills;
    /* the largest difference of all values, and of those that move by at most 1e-6 when the inputs change
     * by 2^-18 of themselves */
    double most, most_steady;
};

struct stored {
    char *name, *text;
    size_t length;
    uint64_t number, line;
};
static struct {
    struct stored *program;
    size_t count;
} kept;

enum verdict { COMPARED, UNDEFINED, UNSTEADY };

/* One program with its drawing and the verdict on each value. */
struct subject {
    const struct stored *stored;
    const char *text; /* the text that is drawn; for a vertex program it is vertex.text */
    size_t length;
    struct arb_vertex vertex;
    struct fragprog p;
    bool reads_undefined;
    unsigned outputs;
    uint8_t written[ARB_OUTPUTS + 1]; /* the channels that the program writes, as a mask for each output */
    struct arb_shot direct;
    uint8_t verdict[ARB_OUTPUTS + 1][ARB_POINTS][4];
    double moved[ARB_OUTPUTS + 1][ARB_POINTS][4];
};

struct found {
    struct figures figures; /* counts of this program only */
    double most, allowed;   /* the difference that exceeds its allowance the most */
    unsigned output, point, channel;
    float converted;
    bool over, kill;
};

struct arb_diff {
    const struct options *o;
    const struct draw_options *draw;
    struct figures figures[LANGUAGES];
    struct reasons why;
    uint64_t drawn, not_drawn, shown;
    struct buffer out, *json;
    bool first;
};

static char words[1024];

static const char *complain(const char *what, const char *log)
{
    snprintf(words, sizeof words, "%s: %.*s", what, (int)strcspn(log, "\n"), log);
    return words;
}

void arb_add(const struct item *item)
{
    kept.program = xrealloc(kept.program, (kept.count + 1) * sizeof *kept.program);
    kept.program[kept.count++] = (struct stored){xstrndup(item->source->name, strlen(item->source->name)),
                                                 xstrndup(item->text, item->length), item->length,
                                                 item->number, item->place.line};
}

bool arb_any(void) { return kept.count; }

/* ---- reading ---- */

static void on_diag(void *user, const struct texenv_diag *diag)
{
    struct subject *s = user;
    s->reads_undefined |= strcmp(diag->code, "undefined") == 0;
}

static bool read_text(struct fragprog *p, const char *text, size_t length, struct texenv_sink sink)
{
    const struct fragprog_bound bound = fragprog_bound_arbfp(text, length);
    void *scratch = xrealloc(NULL, bound.scratch);
    *p = (struct fragprog){.inst = xcalloc(bound.insts, sizeof *p->inst),
                           .konst = xcalloc(bound.consts, sizeof *p->konst),
                           .maxinst = bound.insts,
                           .maxkonst = bound.consts};
    const bool ok = fragprog_read_arbfp(p, text, length, 1, &sink, scratch);
    free(scratch);
    return ok;
}

static void close_program(struct fragprog *p)
{
    free(p->inst);
    free(p->konst);
}

/* Reads the program again, because the IR that the input reader delivered is no longer valid. */
static void open_subject(struct subject *s, const struct stored *stored)
{
    memset(s, 0, sizeof *s);
    s->stored = stored;
    s->text = stored->text;
    s->length = stored->length;
    if (!read_text(&s->p, stored->text, stored->length, (struct texenv_sink){on_diag, s}))
        die_internal("%s: a program that was read is not read again", stored->name);
    s->outputs = 1;
    s->written[0] = FRAGPROG_MASK_XYZW;
    for (unsigned i = 0; i < s->p.ninst; i++) {
        const struct fragprog_inst *inst = &s->p.inst[i];
        if (inst->op != FRAGPROG_OUT)
            continue;
        if (inst->texture < ARB_OUTPUTS)
            s->written[inst->texture ? inst->texture : ARB_OUTPUTS] = FRAGPROG_MASK_XYZW;
        s->outputs = inst->texture >= s->outputs ? inst->texture + 1u : s->outputs;
    }
    s->written[ARB_OUTPUTS] = FRAGPROG_MASK_X; /* a program that writes no depth keeps that of the fragment */
}

/* Rewrites a vertex program so that its results become visible. Returns NULL, or the reason why it cannot. */
static const char *open_vertex(struct subject *s)
{
    const struct texenv_sink silent = {0};
    const char *why = arb_vertex_prepare(&s->vertex, &s->p, s->text, s->length);
    if (why)
        return why;
    close_program(&s->p);
    s->text = s->vertex.text;
    s->length = s->vertex.length;
    if (!read_text(&s->p, s->text, s->length, silent))
        return "a vertex program that binds an attribute which it does not read";
    arb_vertex_find(&s->vertex, &s->p);
    memset(s->written, 0, sizeof s->written);
    for (unsigned n = 0; n < s->vertex.count; n++)
        s->written[n] = s->vertex.mask[n];
    s->outputs = s->vertex.count;
    return NULL;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

/* Reads the program so that the divisors of all lookups are in the IR. The reader drops the divisor of a cube
 * map lookup because only the direction counts; but a divisor that is not positive makes the lookup
 * undefined. Therefore CUBE is replaced by 3D in the text, and the targets are set back to CUBE in the IR. */
static bool read_divisors(struct fragprog *p, const struct subject *s)
{
    const struct texenv_sink silent = {0};
    const size_t length = s->length;
    char *text = xstrndup(s->text, length);
    bool cube[FRAGPROG_MOST_TEXTURES] = {false};
    for (size_t i = 1; i + 4 < length; i++)
        if (memcmp(text + i, "CUBE", 4) == 0 && !in_name(text[i - 1]) && !in_name(text[i + 4]))
            memcpy(text + i, "3D  ", 4);
    const bool ok = read_text(p, text, length, silent);
    free(text);
    for (unsigned i = 0; i < s->p.ninst; i++)
        if (fragprog_op_is_lookup(s->p.inst[i].op))
            cube[s->p.inst[i].texture] = s->p.inst[i].target == TEXENV_CUBE;
    for (unsigned i = 0; i < p->ninst; i++)
        if (fragprog_op_is_lookup(p->inst[i].op) && cube[p->inst[i].texture])
            p->inst[i].target = TEXENV_CUBE;
    return ok;
}

/* ---- drawing ---- */

/* Draws with the text of an ARB program and the inputs of `variation`. Returns NULL, or the reason of a
 * failure. */
static const char *draw_text(struct arb_shot *shot, const struct subject *s, const char *text, size_t length,
                             unsigned variation)
{
    const GLenum target = s->p.vertex ? GL_VERTEX_PROGRAM_ARB : GL_FRAGMENT_PROGRAM_ARB;
    const char *why;
    arb_scene_set(&s->p, s->stored->number, variation);
    const GLuint name = arb_program_new(target, text, length, &why);
    if (!name)
        return complain("the GL refuses the ARB program", why);
    arb_scene_locals(&s->p, s->stored->number, variation);
    if (s->p.vertex) {
        why = arb_vertex_draw(shot, &s->vertex, 0);
        arb_program_delete(target, name);
        return why;
    }
    gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
    const bool ok = arb_scene_draw(shot, s->outputs);
    gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
    arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, name);
    return ok ? NULL : "the GL reports an error while drawing by an ARB program";
}

/* Writes p in `language` to *out, which the caller frees. Returns NULL, or why the language cannot express
 * it. */
static const char *translate(char **out, const struct fragprog *p, enum fragprog_language language,
                             const struct fragprog_options *passes)
{
    static struct fragprog_reason why;
    struct texenv_text text;
    const struct fragprog_source source = {.ir = p};
    const struct fragprog_language_options how = {.language = (uint8_t)language};
    const size_t size = 4096 + 2048 * ((size_t)p->ninst + p->nkonst); /* an upper bound: no line is as long */
    void *scratch = xrealloc(NULL, fragprog_scratch(&source));
    *out = xrealloc(NULL, size);
    texenv_text_init(&text, *out, size);
    const bool ok = fragprog_compile_language(&text, &source, passes, &how, scratch, &why);
    free(scratch);
    if (ok && text.length >= text.size)
        die_internal("a text of %zu bytes is longer than any should be", text.length);
    return ok ? NULL : why.text;
}

static const char *draw_shader(struct arb_shot *shot, const struct subject *s, const char *text)
{
    char log[512] = "", fragment[1024];
    arb_vertex_fragment(fragment, sizeof fragment, &s->vertex, true);
    const GLuint program = s->p.vertex ? program_of_shaders(text, fragment, log, sizeof log)
                                       : program_of_shader(text, log, sizeof log);
    if (!program)
        return complain("the GL refuses the shader", log);
    gl.glUseProgram(program);
    arb_scene_set(&s->p, s->stored->number, 0);
    arb_scene_uniforms(program, &s->p, s->stored->number, 0);
    const bool ok = s->p.vertex ? !arb_vertex_draw(shot, &s->vertex, program)
                                : arb_scene_draw(shot, s->outputs);
    gl.glUseProgram(0);
    gl.glDeleteProgram(program);
    return ok ? NULL : "the GL reports an error while drawing by a shader";
}

/* ---- which values are compared ---- */

/* Returns the value on the scale on which differences are measured: fragment results are clamped as GL clamps
 * them. Vertex results can be large; on a logarithmic scale their differences are relative. */
static double shown(const struct subject *s, float v)
{
    if (s->p.vertex)
        return copysign(log1p(fabs((double)v)), (double)v);
    return v < 0 ? 0.0 : v > 1 ? 1.0 : (double)v;
}

static void mark(struct subject *s, unsigned n, unsigned point, unsigned c, enum verdict verdict)
{
    if (s->verdict[n][point][c] != UNDEFINED)
        s->verdict[n][point][c] = (uint8_t)verdict;
}

static void mark_point(struct subject *s, unsigned point, enum verdict verdict)
{
    for (unsigned n = 0; n <= ARB_OUTPUTS; n++)
        for (unsigned c = 0; c < 4; c++)
            mark(s, n, point, c, verdict);
}

/* Sets `verdict` for each value that differs by more than `most` between two drawings. */
static void mark_changes(struct subject *s, const struct arb_shot *a, const struct arb_shot *b, double most,
                         enum verdict verdict)
{
    for (unsigned i = 0; i < ARB_POINTS; i++) {
        if (arb_killed(a, i) != arb_killed(b, i))
            mark_point(s, i, verdict);
        if (arb_killed(a, i) || arb_killed(b, i))
            continue;
        for (unsigned n = 0; n <= ARB_OUTPUTS; n++)
            for (unsigned c = 0; c < 4; c++) {
                const float x = a->value[n][i][c], y = b->value[n][i][c];
                const double moved = fabs(shown(s, x) - shown(s, y));
                if (!isfinite(x) || !isfinite(y))
                    mark(s, n, i, c, UNDEFINED);
                else if (!(moved <= most))
                    mark(s, n, i, c, verdict);
                if (verdict == UNSTEADY && moved > s->moved[n][i][c])
                    s->moved[n][i][c] = moved;
            }
    }
}

static const char *find_undefined(struct subject *s)
{
    static const struct fragprog_options plain = {.level = 0};
    static struct arb_shot first, other;
    struct fragprog whole;
    const char *why = read_divisors(&whole, s) ? NULL : "the program has CUBE as a name";
    struct fragprog guarded = {
        .inst = xcalloc(ARB_GUARDS * (size_t)whole.ninst + 1, sizeof *guarded.inst),
        .konst = xcalloc((size_t)whole.nkonst + whole.ninst + 2, sizeof *guarded.konst)};
    /* vertex programs have no CMP for the guards */
    const enum fragprog_language language = s->p.vertex ? FRAGPROG_GLSL_120 : FRAGPROG_ARBFP;
    for (unsigned k = 0; !why && k < sizeof junks / sizeof *junks; k++) {
        char *text = NULL;
        if (!arb_guard(&guarded, &whole, junks[k]))
            why = "the program is too long to find out what it leaves undefined";
        else
            why = translate(&text, &guarded, language, &plain);
        if (!why)
            why = s->p.vertex ? draw_shader(k ? &other : &first, s, text)
                              : draw_text(k ? &other : &first, s, text, strlen(text), 0);
        if (!why && k)
            mark_changes(s, &first, &other, 0, UNDEFINED);
        free(text);
    }
    close_program(&guarded);
    close_program(&whole);
    return why;
}

/* Draws the program itself in all variations and finds the verdict on each value. Returns NULL, or why it
 * cannot be compared. */
static const char *judge(struct subject *s)
{
    static struct arb_shot other;
    if (s->reads_undefined)
        return "the program reads what is undefined: it was warned of";
    if (s->outputs > ARB_OUTPUTS && !s->p.vertex)
        return "more colours than are drawn";
    const char *why = s->p.vertex ? open_vertex(s) : NULL;
    if (!why)
        why = draw_text(&s->direct, s, s->text, s->length, 0);
    for (unsigned v = 1; !why && v < ARB_VARIATIONS; v++) {
        why = draw_text(&other, s, s->text, s->length, v);
        if (!why)
            mark_changes(s, &s->direct, &other, STEADY, UNSTEADY);
    }
    return why ? why : find_undefined(s);
}

/* ---- comparison ---- */

static void compare_value(struct found *f, const struct subject *s, unsigned at[3], float converted)
{
    const unsigned n = at[0], i = at[1], c = at[2];
    const double moved = s->moved[n][i][c], allowed = TOLERANCE + moved;
    double e = fabs(shown(s, s->direct.value[n][i][c]) - shown(s, converted));
    struct figures *g = &f->figures;
    if (s->verdict[n][i][c] != COMPARED) {
        *(s->verdict[n][i][c] == UNDEFINED ? &g->undefined : &g->unsteady) += 1;
        return;
    }
    e = isfinite(converted) ? e : INFINITY;
    g->compared++;
    g->most = e > g->most ? e : g->most;
    if (moved <= 1e-6 && e > g->most_steady)
        g->most_steady = e;
    if (f->kill || e - allowed <= f->most - f->allowed)
        return;
    f->most = e, f->allowed = allowed, f->converted = converted;
    f->output = n, f->point = i, f->channel = c;
}

/* Compares a fragment that at least one of the two drawings kills. It counts as one value. */
static void compare_kill(struct found *f, const struct subject *s, unsigned i, bool killed)
{
    if (s->verdict[0][i][0] != COMPARED) {
        uint64_t *left_out = s->verdict[0][i][0] == UNDEFINED ? &f->figures.undefined : &f->figures.unsteady;
        for (unsigned n = 0; n <= ARB_OUTPUTS; n++)
            for (unsigned c = 0; c < 4; c++)
                *left_out += s->written[n] >> c & 1;
        return;
    }
    f->figures.compared++;
    f->figures.kills += killed && arb_killed(&s->direct, i);
    if (killed == arb_killed(&s->direct, i))
        return;
    f->figures.most = f->figures.most_steady = f->most = 1;
    f->kill = true, f->allowed = 0, f->point = i;
}

static void compare_shots(struct found *f, const struct subject *s, const struct arb_shot *converted)
{
    *f = (struct found){.allowed = INFINITY};
    for (unsigned i = 0; i < ARB_POINTS; i++) {
        const bool killed = arb_killed(converted, i);
        if (killed || arb_killed(&s->direct, i)) {
            compare_kill(f, s, i, killed);
            continue;
        }
        for (unsigned n = 0; n <= ARB_OUTPUTS; n++)
            for (unsigned c = 0; c < 4; c++)
                if (s->written[n] >> c & 1)
                    compare_value(f, s, (unsigned[]){n, i, c}, converted->value[n][i][c]);
    }
    f->over = f->most > f->allowed;
}

/* ---- output ---- */

static void add_vector(struct buffer *b, const char *name, const float v[4])
{
    buffer_printf(b, "  %-22s %.9g %.9g %.9g %.9g\n", name, (double)v[0], (double)v[1], (double)v[2],
                  (double)v[3]);
}

/* Adds the inputs of the point with the largest difference. */
static void add_inputs(struct buffer *b, const struct fragprog *p, unsigned point)
{
    static const char *const names[] = {[FRAGPROG_PRIMARY] = "fragment.color",
                                        [FRAGPROG_SECONDARY] = "color.secondary",
                                        [FRAGPROG_COORD] = "fragment.texcoord",
                                        [FRAGPROG_FOGCOORD] = "fragment.fogcoord",
                                        [FRAGPROG_POSITION] = "fragment.position"};
    uint32_t done[FRAGPROG_POSITION + 1] = {0};
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned k = 0; k < fragprog_op_args(p->inst[i].op); k++) {
            const struct fragprog_src *src = &p->inst[i].src[k];
            char name[40];
            float v[4];
            if (src->file > FRAGPROG_POSITION || !names[src->file] || done[src->file] >> src->index & 1)
                continue;
            done[src->file] |= UINT32_C(1) << src->index;
            snprintf(name, sizeof name, src->file == FRAGPROG_COORD ? "%s[%u]" : "%s", names[src->file],
                     (unsigned)src->index);
            arb_scene_input(v, src->file, src->index, point);
            add_vector(b, name, v);
        }
}

static void add_place(struct buffer *b, const struct stored *p, const char *via)
{
    buffer_printf(b, "%s:%" PRIu64 ": program %" PRIu64 ": %s%s", p->name, p->line, p->number, via ? via : "",
                  via ? ": " : "");
}

static void show_difference(struct arb_diff *d, const struct subject *s, const struct found *f)
{
    struct buffer *b = &d->out;
    const bool killed = arb_killed(&s->direct, f->point);
    buffer_printf(b, "  at pixel %u,%u, ", f->point % ARB_COLUMNS, f->point / ARB_COLUMNS);
    if (f->kill)
        buffer_printf(b, "which only the %s kills\n", killed ? "program itself" : "conversion");
    else if (s->p.vertex)
        buffer_printf(b, "result %u (in the order fogcoord, colours, texcoord), .%c",
                      (unsigned)s->vertex.shown[f->output], "xyzw"[f->channel]);
    else if (f->output == ARB_OUTPUTS)
        buffer_puts(b, "the depth");
    else
        buffer_printf(b, "result.color[%u].%c", f->output, "xyzw"[f->channel]);
    if (!f->kill)
        buffer_printf(b, ": direct %.9g, converted %.9g, allowed %.3g\n",
                      (double)s->direct.value[f->output][f->point][f->channel], (double)f->converted,
                      f->allowed);
    add_inputs(b, &s->p, f->point);
}

static void start_json(struct arb_diff *d, const struct stored *p, const char *via)
{
    buffer_printf(d->json, "%s    {\"program\": %" PRIu64 ", \"file\": ", d->first ? "" : ",\n", p->number);
    d->first = false;
    buffer_json_string(d->json, p->name, strlen(p->name));
    buffer_printf(d->json, ", \"line\": %" PRIu64, p->line);
    if (via)
        buffer_printf(d->json, ", \"via\": \"%s\"", via);
}

static double json_number(double v) { return isinf(v) ? 1e30 : v; }

static void add_json_figures(struct buffer *b, const struct figures *f)
{
    buffer_printf(b,
                  "\"values\": %" PRIu64 ", \"undefined\": %" PRIu64 ", \"unsteady\": %" PRIu64
                  ", \"kills\": %" PRIu64 ", \"most\": %.9g, \"most_steady\": %.9g",
                  f->compared, f->undefined, f->unsteady, f->kills, json_number(f->most),
                  json_number(f->most_steady));
}

static void report_skipped(struct arb_diff *d, const struct stored *p, const char *via, const char *why)
{
    reasons_count(&d->why, why);
    if (d->json) {
        start_json(d, p, via);
        buffer_puts(d->json, ", \"skipped\": ");
        buffer_json_string(d->json, why, strlen(why));
        buffer_puts(d->json, "}");
    } else if (!d->o->quiet) {
        add_place(&d->out, p, via);
        buffer_printf(&d->out, "not compared: %s\n", why);
    }
}

static void report(struct arb_diff *d, const struct subject *s, const char *via, const struct found *f)
{
    const struct figures *g = &f->figures;
    if (d->json) {
        start_json(d, s->stored, via);
        buffer_puts(d->json, ", ");
        add_json_figures(d->json, g);
        buffer_printf(d->json, ", \"equal\": %s}", f->over ? "false" : "true");
        return;
    }
    if ((!f->over && d->o->quiet) || (f->over && ++d->shown > SHOWN))
        return;
    add_place(&d->out, s->stored, via);
    buffer_printf(&d->out,
                  "largest difference %.3g in %" PRIu64 " values; left out %" PRIu64 " undefined, %" PRIu64
                  " unsteady%s\n",
                  g->most, g->compared, g->undefined, g->unsteady, f->over ? " DIFFERS" : "");
    if (f->over)
        show_difference(d, s, f);
}

static void add_figures(struct figures *to, const struct found *f)
{
    const struct figures *g = &f->figures;
    to->programs++;
    to->over += f->over;
    to->empty += !g->compared;
    to->compared += g->compared;
    to->undefined += g->undefined;
    to->unsteady += g->unsteady;
    to->kills += g->kills;
    to->most = g->most > to->most ? g->most : to->most;
    to->most_steady = g->most_steady > to->most_steady ? g->most_steady : to->most_steady;
}

/* ---- one program ---- */

/* Implements --sabotage: replaces ADD by SUB in the program that is converted, so that the comparison must
 * fail. */
static void sabotage(struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_ADD)
            p->inst[i].op = FRAGPROG_SUB;
}

static void draw_via(struct arb_diff *d, struct subject *s, unsigned k)
{
    static struct arb_shot converted;
    const bool glsl = vias[k] == VIA_GLSL;
    const char *via = via_names[vias[k]];
    struct figures *f = &d->figures[k];
    struct found found;
    char *text = NULL;
    const char *why = translate(&text, &s->p, glsl ? FRAGPROG_GLSL_120 : FRAGPROG_ARBFP, &d->draw->passes);
    if (why) {
        f->refused++;
    } else {
        why = glsl ? draw_shader(&converted, s, text) : draw_text(&converted, s, text, strlen(text), 0);
        f->failed += why != NULL;
    }
    free(text);
    if (why) {
        report_skipped(d, s->stored, via, why);
        return;
    }
    compare_shots(&found, s, &converted);
    add_figures(f, &found);
    report(d, s, via, &found);
}

static void draw_one(struct arb_diff *d, const struct stored *stored, unsigned wanted)
{
    static struct subject s;
    open_subject(&s, stored);
    const char *why = judge(&s);
    if (why) {
        d->not_drawn++;
        report_skipped(d, stored, NULL, why);
    } else {
        d->drawn++;
        if (d->draw->sabotage)
            sabotage(&s.p);
        for (unsigned k = 0; k < LANGUAGES; k++)
            if (wanted >> vias[k] & 1)
                draw_via(d, &s, k);
    }
    close_program(&s.p);
    free(s.vertex.text);
    progress_clear();
    output_stdout(d->out.data ? d->out.data : "", d->out.length);
    d->out.length = 0;
    progress("drawing programs", 0, d->drawn);
}

/* ---- totals ---- */

static void say_totals(struct arb_diff *d, unsigned wanted, uint64_t *bad)
{
    struct buffer *b = d->json ? d->json : &d->out;
    if (d->json)
        buffer_puts(b, "\n],\n\"program_totals\": {");
    for (unsigned k = 0, n = 0; k < LANGUAGES; k++) {
        const struct figures *f = &d->figures[k];
        if (!(wanted >> vias[k] & 1))
            continue;
        *bad += f->over + f->failed;
        if (d->json) {
            buffer_printf(b,
                          "%s\"%s\": {\"compared\": %" PRIu64 ", \"over\": %" PRIu64 ", \"refused\": %" PRIu64
                          ", \"failed\": %" PRIu64 ", \"empty\": %" PRIu64 ", ",
                          n++ ? ", " : "", via_names[vias[k]], f->programs, f->over, f->refused, f->failed,
                          f->empty);
            add_json_figures(b, f);
            buffer_puts(b, "}");
            continue;
        }
        buffer_printf(b,
                      "%s: %" PRIu64 " programs compared, %" PRIu64 " over; %" PRIu64
                      " the language cannot do, %" PRIu64 " the GL refuses; %" PRIu64
                      " of which nothing counts\n",
                      via_names[vias[k]], f->programs, f->over, f->refused, f->failed, f->empty);
        buffer_printf(
            b,
            "  %" PRIu64 " values compared, %" PRIu64 " left out as undefined, %" PRIu64
            " as unsteady; %" PRIu64
            " fragments killed by both; largest difference %.3g (%.3g where the program is steady to "
            "1e-6)\n",
            f->compared, f->undefined, f->unsteady, f->kills, f->most, f->most_steady);
    }
    if (d->json) {
        buffer_printf(b, "}, \"programs_not_drawn\": %" PRIu64, d->not_drawn);
        return;
    }
    if (d->shown > SHOWN)
        buffer_printf(b, "  %" PRIu64 " more that differ were not shown\n", d->shown - SHOWN);
    reasons_add(b, &d->why);
    output_stdout(b->data ? b->data : "", b->length);
}

uint64_t arb_run(const struct options *o, const struct draw_options *draw, struct buffer *json, uint64_t *bad)
{
    static struct arb_diff d;
    const unsigned wanted = o->gldiff->via;
    d.o = o;
    d.draw = draw;
    d.json = json;
    d.first = true;
    *bad = 0;
    if (json)
        buffer_puts(json, ",\n\"programs\": [\n");
    const char *why = kept.count ? arb_scene_open() : NULL;
    if (why)
        die_file("ARB programs cannot be drawn: %s", why);
    for (size_t i = 0; i < kept.count; i++) {
        draw_one(&d, &kept.program[i], wanted);
        free(kept.program[i].name);
        free(kept.program[i].text);
    }
    progress_clear();
    if (kept.count || json)
        say_totals(&d, wanted, bad);
    reasons_free(&d.why);
    buffer_free(&d.out);
    free(kept.program);
    return d.drawn;
}
