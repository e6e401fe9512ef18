/* texenvc report: says for each state whether a chip can compute it, with which resources, or why not. */
#define _POSIX_C_SOURCE 200809L
#include "chip.h"
#include "fit.h"
#include "json.h"
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- folders ---- */

static const char *const extensions[] = {".gl", ".c",     ".txt",   ".stages", ".trace",
                                         ".ir", ".atifs", ".arbfp", ".arbvp"};

struct inputs {
    struct input *input;
    size_t n;
    char **made; /* strings to free */
    size_t nmade;
    bool failed;
};

static void add_path(struct inputs *in, struct input input)
{
    in->input = xrealloc(in->input, (in->n + 1) * sizeof *in->input);
    in->input[in->n++] = input;
}

static bool is_input(const char *name)
{
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(dot, extensions[i]) == 0)
            return true;
    return false;
}

/* Adds the files below the folder in alphabetical order, without following links to folders. */
static void add_folder(struct inputs *in, const char *path)
{
    struct dirent **entry;
    int n = scandir(path, &entry, NULL, alphasort);
    if (n < 0) {
        message(TEXENV_ERROR, "file", "cannot read '%s': %s", path, strerror(errno));
        in->failed = true;
        return;
    }
    for (int i = 0; i < n; i++) {
        struct stat st;
        char *child = xprintf("%s%s%s", path, path[strlen(path) - 1] == '/' ? "" : "/", entry[i]->d_name);
        in->made = xrealloc(in->made, (in->nmade + 1) * sizeof *in->made);
        in->made[in->nmade++] = child;
        if (entry[i]->d_name[0] != '.' && lstat(child, &st) == 0) {
            if (S_ISDIR(st.st_mode))
                add_folder(in, child);
            else if (is_input(child))
                add_path(in, (struct input){child, NULL});
        }
        free(entry[i]);
    }
    free(entry);
}

static void expand(struct inputs *in, const struct options *o)
{
    for (size_t i = 0; i < o->ninput; i++) {
        struct stat st;
        const char *path = o->input[i].path;
        if (path && strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
            size_t before = in->n;
            add_folder(in, path);
            if (in->n == before && !in->failed)
                message(TEXENV_WARNING, "empty",
                        "%s: this folder contains no input (files ending in .gl .c .txt .stages .trace .ir "
                        ".atifs .arbfp "
                        ".arbvp)",
                        path);
        } else {
            add_path(in, o->input[i]);
        }
    }
}

/* ---- states ---- */

struct total {
    const char *name;
    uint64_t sum, most, states;
};

struct report {
    const struct options *o;
    struct compiled compiled;
    struct buffer out;
    /* totals of the states that fit; for those that do not, counts of each refusal's code */
    struct total stat[HWEMIT_STATS], code[32];
    uint64_t states, fits, assumed;
};

static void count(struct total *total, size_t n, const char *name, uint64_t value)
{
    for (size_t i = 0; i < n; i++) {
        if (!total[i].name)
            total[i].name = name;
        if (strcmp(total[i].name, name) != 0)
            continue;
        total[i].sum += value;
        total[i].most = value > total[i].most ? value : total[i].most;
        total[i].states++;
        return;
    }
}

static void add_line(struct buffer *b, const struct item *item, const struct compiled *c,
                     const struct fragprog_reason *why)
{
    buffer_puts(b, item->source->name);
    if (item->place.call)
        buffer_printf(b, ":call %" PRIu64, item->place.call);
    else
        buffer_printf(b, ":%" PRIu32, item->place.line);
    buffer_printf(b, ": state %" PRIu64 ": ", item->number);
    if (!why) {
        buffer_puts(b, "fits: ");
        add_stats(b, &c->code);
        if (c->code.assumed)
            buffer_puts(b, " (by assumption)");
    } else {
        buffer_printf(b, "%s: %s",
                      strcmp(why->code, "work") == 0 ? "not decided (--most-work)" : "does not fit",
                      why->text);
        if (why->fit[0])
            buffer_printf(b, "; would fit if %s", why->fit);
    }
    buffer_puts(b, "\n");
}

/* Prints each state's line immediately, because a single state may take long. */
static void print_lines(struct report *r)
{
    progress_clear();
    output_stdout(r->out.data ? r->out.data : "", r->out.length);
    output_flush();
    r->out.length = 0;
}

static void on_item(void *user, const struct item *item)
{
    struct report *r = user;
    const struct fragprog_reason *why = item->refused;
    if (!why) {
        compile_chip(&r->compiled, item, r->o, NULL);
        why = r->compiled.ok ? NULL : &r->compiled.why;
        if (why)
            find_fit(&r->compiled, item, r->o);
    }
    r->states++;
    if (why) {
        count(r->code, sizeof r->code / sizeof *r->code, why->code, 1);
    } else {
        r->fits++;
        r->assumed += r->compiled.code.assumed != 0;
        for (unsigned i = 0; i < r->compiled.code.nstats; i++)
            count(r->stat, HWEMIT_STATS, r->compiled.code.stat[i].name, r->compiled.code.stat[i].value);
    }
    if (!r->o->json) {
        add_line(&r->out, item, &r->compiled, why);
        print_lines(r);
        return;
    }
    buffer_puts(&r->out, r->states > 1 ? ",\n" : "");
    add_json_source(&r->out, item);
    buffer_puts(&r->out, ",\n  ");
    add_chip_fit(&r->out, &r->compiled.code, why);
    buffer_puts(&r->out, "}");
}

static void add_totals(struct buffer *b, const struct report *r)
{
    buffer_printf(b, "%s: %" PRIu64 " state%s, %" PRIu64 " fit", r->o->chip->name, r->states,
                  r->states == 1 ? "" : "s", r->fits);
    if (r->assumed)
        buffer_printf(b, " (%" PRIu64 " by assumption)", r->assumed);
    buffer_printf(b, ", %" PRIu64 " do not", r->states - r->fits);
    for (size_t i = 0; i < sizeof r->code / sizeof *r->code && r->code[i].name; i++)
        buffer_printf(b, "%s%s %" PRIu64, i ? ", " : ": ", r->code[i].name, r->code[i].states);
    buffer_puts(b, "\n");
    if (r->fits) {
        buffer_puts(b, "mean (most)");
        for (size_t i = 0; i < HWEMIT_STATS && r->stat[i].name; i++)
            buffer_printf(b, "%s %s %.2f (%" PRIu64 ")", i ? "," : ":", r->stat[i].name,
                          (double)r->stat[i].sum / (double)r->stat[i].states, r->stat[i].most);
        buffer_puts(b, "\n");
    }
}

static void add_json_totals(struct buffer *b, const struct report *r)
{
    buffer_printf(b,
                  "\n],\n\"totals\": {\"states\": %" PRIu64 ", \"fit\": %" PRIu64 ", \"assumed\": %" PRIu64
                  ", \"refused\": %" PRIu64 ", \"codes\": {",
                  r->states, r->fits, r->assumed, r->states - r->fits);
    for (size_t i = 0; i < sizeof r->code / sizeof *r->code && r->code[i].name; i++)
        buffer_printf(b, "%s\"%s\": %" PRIu64, i ? ", " : "", r->code[i].name, r->code[i].states);
    buffer_puts(b, "}, \"sums\": {");
    for (size_t i = 0; i < HWEMIT_STATS && r->stat[i].name; i++)
        buffer_printf(b, "%s\"%s\": %" PRIu64, i ? ", " : "", r->stat[i].name, r->stat[i].sum);
    buffer_puts(b, "}, \"most\": {");
    for (size_t i = 0; i < HWEMIT_STATS && r->stat[i].name; i++)
        buffer_printf(b, "%s\"%s\": %" PRIu64, i ? ", " : "", r->stat[i].name, r->stat[i].most);
    buffer_puts(b, "}}}\n");
}

int cmd_report(const struct options *o)
{
    struct report *r = xcalloc(1, sizeof *r);
    struct inputs inputs = {0};
    expand(&inputs, o);
    struct options expanded = *o;
    expanded.input = inputs.input;
    expanded.ninput = inputs.n;
    struct reader reader = {.options = &expanded, .user = r, .item = on_item, .keep = true};
    r->o = o;
    if (o->json) {
        buffer_puts(&r->out, "{\"target\": ");
        buffer_json_string(&r->out, o->chip->name, strlen(o->chip->name));
        buffer_puts(&r->out, ", \"states\": [\n");
    }
    read_inputs(&reader);
    bool failed = reader.failed || inputs.failed;
    if (o->json)
        add_json_totals(&r->out, r);
    else
        add_totals(&r->out, r);
    if (!(o->json && failed))
        output_stdout(r->out.data, r->out.length);
    int status = failed ? STATUS_INPUT : r->states > r->fits ? STATUS_REFUSED : STATUS_OK;
    for (size_t i = 0; i < inputs.nmade; i++)
        free(inputs.made[i]);
    free(inputs.made);
    free(inputs.input);
    buffer_free(&r->out);
    compile_end(&r->compiled);
    free(r);
    return status;
}
