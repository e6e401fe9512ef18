#define _POSIX_C_SOURCE 200809L
#include "input.h"
#include "vertex.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 16, DIAG_LIMIT = 50 };

/* ---- files ---- */

const char *input_name(const struct input *input)
{
    return !input->path ? "<text>" : strcmp(input->path, "-") == 0 ? "<stdin>" : input->path;
}

/* Returns a file in the same folder with a similar name, or NULL. */
static char *nearest_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrndup("./", 2);
    DIR *dir = opendir(folder);
    struct nearest n;
    nearest_init(&n, base);
    char *best = NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *before = n.best;
        nearest_try(&n, entry->d_name);
        if (n.best != before) { /* the entry is invalid after the next readdir */
            free(best);
            best = xstrndup(entry->d_name, strlen(entry->d_name));
            n.best = best;
        }
    }
    if (dir)
        closedir(dir);
    free(folder);
    if (!nearest_get(&n)) {
        free(best);
        return NULL;
    }
    if (!slash)
        return best;
    char *joined = xprintf("%.*s/%s", (int)(slash - path), path, best);
    free(best);
    return joined;
}

static FILE *open_input(const struct input *input)
{
    if (strcmp(input->path, "-") == 0)
        return stdin;
    FILE *f = fopen(input->path, "r");
    struct stat st;
    if (f && fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        fclose(f);
        f = NULL;
        errno = EISDIR;
    }
    if (f)
        return f;
    int reason = errno;
    char *hint = reason == ENOENT ? nearest_file(input->path) : NULL;
    if (hint)
        message(TEXENV_ERROR, "file", "cannot read '%s': %s; did you mean '%s'?", input->path,
                strerror(reason), hint);
    else if (strpbrk(input->path, "{;\n"))
        message(TEXENV_ERROR, "file", "cannot read '%s': %s; did you mean -e '%s'?", input->path,
                strerror(reason), input->path);
    else
        message(TEXENV_ERROR, "file", "cannot read '%s': %s", input->path, strerror(reason));
    free(hint);
    return NULL;
}

bool read_more(struct buffer *b, FILE *f, const char *name, size_t want)
{
    while (b->length < want) {
        buffer_reserve(b, PIECE);
        size_t n = fread(b->data + b->length, 1, b->capacity - b->length - 1, f);
        b->length += n;
        b->data[b->length] = '\0';
        if (n == 0 && ferror(f)) {
            message(TEXENV_ERROR, "file", "cannot read '%s': %s", name, strerror(errno));
            return false;
        }
        if (n == 0)
            break;
    }
    return true;
}

char *input_text(const struct input *input, size_t *length)
{
    struct buffer b = {0};
    if (input->text) {
        *length = strlen(input->text);
        return xstrndup(input->text, *length);
    }
    FILE *f = open_input(input);
    if (!f)
        return NULL;
    bool ok = read_more(&b, f, input_name(input), SIZE_MAX);
    if (f != stdin)
        fclose(f);
    if (!ok)
        buffer_free(&b);
    *length = b.length;
    return b.data;
}

/* ---- states ---- */

static void *resize(void *user, void *p, size_t size)
{
    (void)user;
    if (size == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, size);
}
const struct texenv_memory tool_memory = {resize, NULL};

void deliver(struct reading *in, struct item *item)
{
    struct reader *r = in->r;
    item->number = ++r->items;
    in->items++;
    item->form = in->form;
    item->source = &in->source;
    if (r->options->state && r->options->state != item->number)
        return;
    r->selected++;
    r->item(r->user, item);
}

/* Stores an error of canonicalisation in `why`, because it means that the state is refused, not that the
 * input is wrong. Other diagnostics are passed on. */
struct refusal_filter {
    const struct texenv_sink *next;
    struct fragprog_reason *why;
};
static void filter_emit(void *user, const struct texenv_diag *diag)
{
    struct refusal_filter *filter = user;
    if (diag->severity == TEXENV_ERROR) {
        filter->why->unit = diag->unit;
        filter->why->code = diag->code;
        snprintf(filter->why->text, sizeof filter->why->text, "%.*s", (int)sizeof filter->why->text - 1,
                 diag->text);
    } else if (filter->next && filter->next->report) {
        filter->next->report(filter->next->user, diag);
    }
}

bool canonicalise(struct texenv_state *state, struct fragprog_reason *why, const struct texenv_draw *draw,
                  const struct texenv_policy *policy, bool complete, const struct texenv_sink *sink)
{
    struct refusal_filter filter = {sink, why};
    struct texenv_sink own = {filter_emit, &filter};
    *why = (struct fragprog_reason){.unit = -1, .code = "policy", .text = "refused by a policy"};
    return texenv_canonicalise(state, draw->te, policy, complete, draw->places, &own);
}

/* Keeps those parts of the raster state that the command's output expresses. */
static void put_raster(struct texenv_raster *out, const struct texenv_raster *raster, const struct reader *r)
{
    out->flat = raster->flat & r->raster.flat;
    out->clip_planes = raster->clip_planes & r->raster.clip_planes;
    out->points = raster->points & r->raster.points;
    out->sprites = raster->sprites & r->raster.sprites;
    out->lower_left = raster->lower_left & r->raster.lower_left;
    out->radial_fog = raster->radial_fog & r->raster.radial_fog;
}

const char *vertex_half(struct texenv_vertex *vertex, struct texenv_raster *raster, const struct reader *r,
                        const struct texenv_draw *draw, const struct texenv_state *state)
{
    struct texenv_vertex_reads reads;
    put_raster(raster, &draw->raster, r);
    if (!draw->vertex)
        return draw->vertex_refused ? draw->vertex_refused : "";
    if (draw->raster.clip_planes != raster->clip_planes)
        return "user clip planes are enabled, which vertex programs have not";
    if (draw->raster.radial_fog != raster->radial_fog)
        return "fog is of the distance from the eye, which vertex programs have not";
    if (raster->lower_left == 0xff && r->options->to != FORM_GL)
        return "where coordinates of point sprites begin is not known here";
    *vertex = *draw->vertex;
    texenv_vertex_reads_of(&reads, state);
    texenv_vertex_restrict(vertex, &reads);
    return NULL;
}

void copy_textures(struct texenv_texture_info *out, const struct texenv_draw *draw)
{
    memset(out, 0, TEXENV_UNITS * sizeof *out);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (draw->textures && draw->textures[u])
            out[u] = *draw->textures[u];
}

static bool any_texture_enabled(const struct texenv *te)
{
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (te->unit[u].enabled)
            return true;
    return false;
}

/* Maps a position in the script that was generated from C source to the source. */
struct script_place place_in_source(const struct reading *in, struct texenv_place place)
{
    size_t low = 0, high = in->place ? in->nplaces : 0;
    while (low < high) { /* find the first place after the position */
        size_t middle = low + (high - low) / 2;
        const struct texenv_place *at = &in->place[middle].script;
        if (at->line < place.line || (at->line == place.line && at->column <= place.column))
            low = middle + 1;
        else
            high = middle;
    }
    return low ? in->place[low - 1] : (struct script_place){.source = place};
}

void report_in_source(struct reading *in, const struct script_place *at, const struct texenv_diag *diag)
{
    struct texenv_diag d = *diag;
    d.place = at->source;
    if (!at->file) {
        diag_report(&in->source, &d);
        return;
    }
    char *name = xstrndup(at->file, at->file_length);
    in->included.name = name;
    diag_report(&in->included, &d);
    in->source.count[d.severity] += in->included.count[d.severity];
    in->source.hidden += in->included.hidden;
    in->included.count[d.severity] = in->included.hidden = 0;
    in->included.name = NULL;
    free(name);
}

void emit_in_source(void *user, const struct texenv_diag *diag)
{
    struct reading *in = user;
    struct script_place at = place_in_source(in, diag->place);
    struct texenv_diag d = *diag;
    const char *write = in->place && strcmp(d.code, "wrapper") == 0 ? strstr(d.text, ": write") : NULL;
    const int n = (int)strcspn(diag->text, " ");
    if (write)
        snprintf(d.text + (write - d.text), sizeof d.text - (size_t)(write - d.text),
                 ": if it is a GL call, say --alias %.*s=glNAME; if it neither draws nor sets GL state, "
                 "--ignore '%.*s'",
                 n, diag->text, n, diag->text);
    const char *found = at.expression ? strstr(diag->text, UNKNOWN_VALUE) : NULL;
    if (found)
        snprintf(d.text, sizeof d.text, "%.*s%.*s%s%s", (int)(found - diag->text), diag->text,
                 (int)at.expression_length, at.expression, at.expression_cut ? "..." : "",
                 found + strlen(UNKNOWN_VALUE));
    report_in_source(in, &at, &d);
}

/* ---- colours that are not known ---- */

/* Returns whether the command needs the values of environment colours, because its output cannot contain them
 * as uniforms. */
static bool needs_colors(const struct options *o)
{
    return o->target.fold_constants || o->command->bit == CMD_GLDIFF ||
        (o->command->bit == CMD_CONVERT && (o->to == FORM_CHIP || o->to == FORM_IR));
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Finds the last name of an expression at a position in the text: "x" of "&a->b.x". Returns its length, or
 * 0 if there is none. */
static int name_at(struct source *s, struct texenv_place place, const char **name)
{
    size_t length = 0, n = 0;
    const char *line = source_line(s, place.line, &length);
    size_t i = line && place.column && place.column <= length ? place.column - 1 : length;
    while (line && i < length && n < 60) {
        for (; i < length && !is_word(line[i]) && strchr("&(*.->: ", line[i]); i++)
            ;
        *name = line + i;
        for (n = 0; i < length && is_word(line[i]); i++)
            n++;
        if (i + 1 >= length || !(line[i] == '.' || (line[i] == '-' && line[i + 1] == '>')))
            break;
    }
    return (int)n;
}

/* Returns false if a colour is needed but not known; *why then says so, and *place where. */
static bool colors_known(struct reading *in, const struct texenv_draw *draw, const struct texenv_state *state,
                         struct fragprog_reason *why, struct texenv_place *place)
{
    for (unsigned u = 0; u < state->nstages; u++) {
        if (!texenv_stage_color_unknown(&state->stage[u]) || !needs_colors(in->r->options))
            continue;
        struct script_place at = place_in_source(in, draw->places->slot[u][TEXENV_AT_COLOR]);
        const char *name = "";
        int n = at.file ? 0 : name_at(&in->source, at.source, &name);
        *why = (struct fragprog_reason){.unit = (int)u, .code = "open-value"};
        *place = at.file ? at.main : at.source;
        if (in->form == FORM_STAGES)
            snprintf(why->text, sizeof why->text,
                     "the environment colour is needed, but its value is not known");
        else
            snprintf(why->text, sizeof why->text,
                     "the environment colour is needed, but its value is not known here: give it with --let "
                     "%.*s=R,G,B,A",
                     n ? n : 4, n ? name : "NAME");
        return false;
    }
    return true;
}

/* Delivers each draw of a script or of stage notation as an item. */
static bool on_draw(void *user, const struct texenv_draw *draw)
{
    struct reading *in = user;
    const struct options *o = in->r->options;
    struct texenv_state state;
    struct fragprog_reason why;
    struct texenv_sink sink = {emit_in_source, in};
    bool complete = in->form == FORM_GL && draw->no_images;
    bool ok = true;
    const char *no_vertex = "";
    struct texenv_raster raster = {0};
    struct texenv_vertex half;
    const struct script_place drawn = place_in_source(in, draw->places->draw);
    struct texenv_place place = drawn.file ? drawn.main : drawn.source;
    if (!o->state || o->state == in->r->items + 1) { /* states not selected by --state are only counted */
        ok = canonicalise(&state, &why, draw, &o->policy, complete, &sink);
        no_vertex = ok ? vertex_half(&half, &raster, in->r, draw, &state) : "";
        ok = ok && colors_known(in, draw, &state, &why, &place);
    }
    struct texenv_places places = *draw->places;
    for (unsigned u = 0; u < TEXENV_UNITS && in->place; u++)
        for (unsigned k = 0; k < TEXENV_SLOTS; k++)
            if (places.slot[u][k].line) {
                const struct script_place at = place_in_source(in, places.slot[u][k]);
                places.slot[u][k] = at.file ? at.main : at.source;
            }
    struct item item = {.place = place,
                        .draws = in->draws ? in->draws : 1,
                        .assumed = complete && any_texture_enabled(draw->te),
                        .refused = ok ? NULL : &why,
                        .state = ok ? &state : NULL,
                        .te = draw->te,
                        .places = &places,
                        .vertex = no_vertex ? NULL : &half,
                        .vertex_refused = no_vertex && *no_vertex ? no_vertex : NULL,
                        .raster = raster,
                        .vertex_drawn = no_vertex ? NULL : draw->vertex};
    struct texenv_texture_info textures[TEXENV_UNITS];
    copy_textures(textures, draw);
    for (unsigned u = 0; u < TEXENV_UNITS && in->place; u++)
        /* the names come from interpreting glGenTextures, and are not those of the real program */
        textures[u].name = 0;
    item.textures = textures;
    struct texenv_values values;
    if (draw->values) {
        texenv_values_of(&values, draw->values, draw->te);
        item.values = &values;
    }
    deliver(in, &item);
    if (in->items % 256 == 0)
        progress(in->source.name, 0, in->r->items);
    return true;
}

static bool no_draw(void *user, const struct texenv_draw *draw)
{
    (void)user, (void)draw;
    return true;
}

static void is_it_empty(void *user, const struct texenv_diag *diag)
{
    bool *empty = user;
    *empty |= strcmp(diag->code, "empty") == 0;
}

bool is_empty_script(const char *text, size_t length)
{
    bool empty = false;
    struct texenv_reader reader = {
        .memory = tool_memory, .sink = {is_it_empty, &empty}, .on_draw = no_draw, .lenient = true};
    texenv_read_gl(&reader, text, length);
    return empty;
}

/* ---- checks of a script that was generated from C source ---- */

/* State of look_at_script. The first reading of the script collects the states of the draws that are certain.
 * The second reading also takes possible draws, which are calls that are not followed, and looks for those
 * with another state. */
struct look {
    struct reading *in;
    struct hash_set drawn;
    bool possible, draws;
    uint32_t lines, line;           /* lines of a possible draw, with a state that no certain draw has */
    uint32_t without[TEXENV_UNITS]; /* for each unit, a line that sets its environment */
    unsigned told;                  /* units in which the script enables or disables textures */
};

static bool on_look(void *user, const struct texenv_draw *draw)
{
    struct look *l = user;
    struct texenv_state state;
    struct fragprog_reason why;
    const struct texenv_sink none = {0};
    char room[4000];
    /* otherwise it is the state at the end of the script, where nothing is drawn */
    l->draws |= draw->places->draw.line <= l->lines;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        const struct texenv_place *at = draw->places->slot[u];
        l->told |= (unsigned)(draw->te->unit[u].enabled || at[TEXENV_AT_ENABLE].line) << u;
        l->without[u] = l->without[u] ? l->without[u] : at[TEXENV_AT_MODE].line;
    }
    if (!canonicalise(&state, &why, draw, &l->in->r->options->policy, draw->no_images, &none))
        return true;
    struct texenv_text text;
    texenv_text_init(&text, room, sizeof room);
    texenv_print_stages(&text, &state);
    bool fresh = hash_set_add(&l->drawn, hash_bytes(room, strlen(room), 1));
    if (l->possible && fresh && any_texture_enabled(draw->te) && !l->line)
        l->line = draw->places->draw.line;
    return true;
}

bool look_at_script(struct reading *in, const char *text, size_t length, uint32_t lines, bool *draws)
{
    struct look l = {.in = in, .lines = lines};
    const struct texenv_sink sink = {emit_in_source, in};
    struct texenv_reader reader = {
        .memory = tool_memory, .on_draw = on_look, .user = &l, .lenient = true, .open_values = true};
    texenv_read_gl(&reader, text, length);
    char *other = xstrndup(text, length);
    for (char *p = other; (p = strstr(p, POSSIBLE_DRAW)); l.possible = true) {
        memcpy(p, "   ", 3);
        memcpy(p + strlen(POSSIBLE_DRAW) - 2, "  ", 2);
    }
    if (l.possible)
        texenv_read_gl(&reader, other, length);
    *draws = l.draws || l.possible;
    const char *name = other;
    for (uint32_t i = 1; i < l.line; i++)
        name = strchr(name, '\n') + 1;
    const char *comment = strstr(name, "//");
    const int n = comment ? (int)strcspn(comment + 2, "\n") : 0;
    name = comment ? comment + 2 : name;
    unsigned u = 0;
    while (u < TEXENV_UNITS && (!l.without[u] || l.told >> u & 1))
        u++;
    const struct texenv_place place = {.line = u < TEXENV_UNITS ? l.without[u] : l.line, .column = 1};
    if (u < TEXENV_UNITS)
        texenv_emit(&sink, TEXENV_ERROR, (int)u, place, "source-enable",
                    "this sets the environment of unit %u, but nothing enables a texture there: say --enable "
                    "%u=2d if one is enabled, --enable %u=none if none is",
                    u, u, u);
    else if (l.line)
        texenv_emit(&sink, TEXENV_ERROR, -1, place, "source-draw",
                    "%.*s is not defined in the file, and may draw with the state that is set here: say "
                    "--draw '%.*s' if it draws, --ignore '%.*s' if it does not",
                    n, name, n, name, n, name);
    free(other);
    hash_set_free(&l.drawn);
    return u == TEXENV_UNITS && !l.line;
}

void say_beside(struct texenv_reader *reader, const struct reading *in)
{
    const struct options *o = in->r->options;
    const bool text = o->to == FORM_STAGES || o->to == FORM_GL || o->to == FORM_JSON;
    const bool explain = o->command->bit == CMD_EXPLAIN;
    reader->lost_beside = o->to == FORM_LANGUAGE && o->language.language != FRAGPROG_ARBFP &&
        o->language.language != FRAGPROG_GLSL_110 && o->language.language != FRAGPROG_GLSL_120;
    reader->has_vertex = in->r->vertex || (explain && in->form != FORM_APITRACE);
    reader->has_raster = in->r->raster;
    reader->has_alpha_test = text || explain || reader->lost_beside;
}

void read_script(struct reading *in, const char *text, size_t length)
{
    struct texenv_reader reader = {.memory = tool_memory,
                                   .sink = {emit_in_source, in},
                                   .on_draw = on_draw,
                                   .user = in,
                                   .lenient = in->r->options->lenient,
                                   .open_values = in->open_values};
    say_beside(&reader, in);
    if (in->form == FORM_GL)
        texenv_read_gl(&reader, text, length);
    else
        texenv_read_stages(&reader, text, length);
    in->skipped += reader.skipped;
    in->program_draws += reader.program_draws;
    in->r->gl_errors += reader.gl_errors;
    /* Makes sure that an error that was not reported to any sink is not mistaken for success. */
    if (reader.errors && !in->source.count[TEXENV_ERROR])
        in->source.count[TEXENV_ERROR] = reader.errors;
}

/* Returns the number of draws of a script that texenv-record wrote, which its first line contains; 0 for any
 * other script. */
static uint64_t recorded_draws(const char *text)
{
    static const char what[] = " draws, environment colours changed ";
    char *end;
    if (strncmp(text, "// ", 3) != 0 || text[3] < '0' || text[3] > '9')
        return 0;
    const uint64_t draws = strtoull(text + 3, &end, 10);
    return strncmp(end, what, sizeof what - 1) == 0 ? draws : 0;
}

static enum form guess(const char *text, size_t length)
{
    const char *name = texenv_guess_form(text, length);
    for (int f = FORM_GL; f <= FORM_ARBFP; f++)
        if (name && strcmp(name, form_names[f]) == 0)
            return (enum form)f;
    return FORM_GL;
}

/* Returns whether the text starts like a binary trace of apitrace: chunks of snappy ("at" and the length of
 * the first chunk, four bytes little endian, which no text contains), gzip or zstd. */
static bool is_binary_trace(const char *text, size_t length)
{
    const unsigned char *p = (const unsigned char *)text;
    if (length >= 6 && p[0] == 'a' && p[1] == 't')
        return p[5] < 9 && p[2] + p[3] + p[4] + p[5] > 0;
    return (length >= 3 && p[0] == 0x1f && p[1] == 0x8b && p[2] == 8) ||
        (length >= 4 && p[0] == 0x28 && p[1] == 0xb5 && p[2] == 0x2f && p[3] == 0xfd);
}

/* Returns whether there are many bytes that texts do not contain. A few are reported at their positions. */
static bool is_binary(const char *text, size_t length)
{
    size_t looked = length < 512 ? length : 512, odd = 0;
    for (size_t i = 0; i < looked; i++)
        odd += (unsigned char)text[i] < 0x20 && !(text[i] >= '\t' && text[i] <= '\r');
    return odd >= 8 && odd * 16 > looked;
}

/* Returns whether the first piece of an input can be text. If not, prints a message that says what the input
 * is and what to do. */
static bool is_text(const struct reading *in, const struct input *input, const struct buffer *b)
{
    static const char
        *const forms = "GL calls, an apitrace dump, stages, programs of GL_ATI_fragment_shader, ARB "
                       "programs";
    const char *path = input->path && strcmp(input->path, "-") != 0 ? input->path : "FILE";
    size_t length = b->length;
    const size_t n = strlen(path);
    const bool named = n > 6 && strcmp(path + n - 6, ".trace") == 0 && is_binary(b->data, length);
    if (is_binary_trace(b->data, length) || named)
        message(TEXENV_ERROR, "binary", "%s is a %s: read the text that 'apitrace dump %s' prints",
                in->source.name,
                named || b->data[0] == 'a' ? "binary trace"
                                           : "compressed file: unpack it; or, if it is a binary trace",
                path);
    else if (is_binary(b->data, length))
        message(TEXENV_ERROR, "binary", "%s is a binary file; texenvc reads texts: %s", in->source.name,
                forms);
    else if (length >= 9 && memcmp(b->data, "#version ", 9) == 0)
        message(TEXENV_ERROR, "form",
                "%s is a program in a language that texenvc prints but cannot read; it reads: %s",
                in->source.name, forms);
    else
        return true;
    return false;
}

static bool read_one(struct reader *r, const struct input *input, struct reading *in)
{
    struct buffer b = {0};
    FILE *f = NULL;
    bool ok = true;
    if (input->text)
        buffer_puts(&b, input->text);
    else if (!(f = open_input(input)) || !read_more(&b, f, input_name(input), PIECE))
        ok = false;
    if (ok && is_text(in, input, &b)) {
        const bool words = is_vertex_words(r->options, input);
        buffer_reserve(&b, 0);
        in->form = words                     ? FORM_ARBFP
            : r->options->from != FORM_GUESS ? r->options->from
                                             : guess(b.data, b.length);
        const bool c = in->form == FORM_GL && is_c_source(r->options, input);
        in->open_values = c;
        in->draws = in->form == FORM_GL && !c ? recorded_draws(b.data) : 0;
        if (c && (!input->path || *input->path == '-'))
            die_usage("--from c reads a file, not standard input, and its name must not begin with '-'");
        bool calls = in->form == FORM_ATIFS_CALLS, dump = calls && guess(b.data, b.length) == FORM_APITRACE;
        if (dump) {
            read_calls(in, true, f, b.data, b.length);
        } else if (in->form == FORM_APITRACE) {
            read_trace(in, f, b.data, b.length);
        } else if (f && !read_more(&b, f, input_name(input), SIZE_MAX)) {
            ok = false;
        } else {
            source_window(&in->source, b.data, b.length, 1, false);
            bool open_form = in->form == FORM_STAGES || r->options->from == FORM_GUESS;
            if (words)
                read_vertex_words(in, b.data, b.length);
            else if (open_form && r->claim && r->claim(in, b.data, b.length))
                in->form = FORM_STAGES;
            else if (calls)
                read_calls(in, false, NULL, b.data, b.length);
            else if (in->form == FORM_IR || in->form == FORM_ATIFS || in->form == FORM_ARBFP)
                read_programs(in, b.data, b.length);
            else if (!c || (!read_c_source(in, input->path) && !r->options->source))
                read_script(in, b.data, b.length);
        }
    } else {
        ok = false;
    }
    if (f && f != stdin)
        fclose(f);
    buffer_free(&b);
    source_window(&in->source, NULL, 0, 1, false);
    return ok;
}

/* Prints messages at the end of an input. */
static void say_result(const struct reading *in)
{
    const char *name = in->source.name;
    if (!in->items && in->program_draws)
        message(TEXENV_WARNING, "empty",
                "%s contains no texture environment: all draws (%" PRIu64 ") were made under programs", name,
                in->program_draws);
    else if (!in->items)
        message(TEXENV_WARNING, "empty", "%s contains no texture environment", name);
    if (in->form == FORM_GL && (in->skipped || in->program_draws)) /* traces have their own summary */
        message(TEXENV_NOTE, "summary",
                "%s: %" PRIu64 " state%s; %" PRIu64 " call%s skipped, %" PRIu64
                " draw%s under programs not converted",
                name, in->items, in->items == 1 ? "" : "s", in->skipped, in->skipped == 1 ? "" : "s",
                in->program_draws, in->program_draws == 1 ? "" : "s");
}

void read_inputs(struct reader *r)
{
    for (size_t i = 0; i < r->options->ninput; i++) {
        const struct input *input = &r->options->input[i];
        struct reading in = {.r = r};
        source_init(&in.source, input_name(input));
        in.included.limit = in.source.limit = r->all_diags ? 0 : DIAG_LIMIT;
        bool read = read_one(r, input, &in);
        bool failed = !read || in.source.count[TEXENV_ERROR] > 0;
        r->errors += in.source.count[TEXENV_ERROR] + !read;
        r->warnings += in.source.count[TEXENV_WARNING];
        r->notes += in.source.count[TEXENV_NOTE];
        r->failed |= failed;
        if (r->end)
            r->end(r->user, input, in.items, failed);
        if (!failed)
            say_result(&in);
        source_close(&in.source);
        source_close(&in.included);
    }
    progress_clear();
    if (r->options->state && !r->selected && !r->failed) {
        message(TEXENV_ERROR, "state", "there is no state %llu: the input has %llu",
                (unsigned long long)r->options->state, (unsigned long long)r->items);
        r->errors++;
        r->failed = true;
    }
}

void check_no_input(const struct options *o, const char *path)
{
    struct stat out, in;
    if (stat(path, &out) != 0 || !S_ISREG(out.st_mode))
        return;
    for (size_t i = 0; i < o->ninput; i++) {
        const char *name = o->input[i].path;
        if (!name || (strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &in) : stat(name, &in)) != 0)
            continue;
        if (in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            die_usage("the output '%s' is the same file as the input '%s'; nothing was written", path,
                      input_name(&o->input[i]));
    }
}
