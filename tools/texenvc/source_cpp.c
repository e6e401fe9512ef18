/* Runs the C preprocessor. Headers that are not found are replaced by empty ones, so that a single file of a
 * program can be read without the rest. */
#define _DEFAULT_SOURCE 1
#define _XOPEN_SOURCE 700
#include "source.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- headers ---- */

enum {
    DEPTH = 6, /* nesting of `folder` in the temporary folder; limits "../" */
    MOST_MISSING = 256,
    /* limits the output, as MOST_SECONDS the time, because macros can expand without end */
    MOST_TEXT = 8 << 20,
    MOST_SECONDS = 2
};

struct headers {
    char *root, *folder; /* root: temporary folder; folder: in it, for the empty headers */
    struct buffer missing;
    unsigned nmissing;
};

/* Creates the folder for empty headers if it does not exist yet, deep enough that "../" stays inside root. */
static void make_folder(struct headers *h)
{
    const char *tmp = getenv("TMPDIR");
    if (h->root)
        return;
    h->root = xprintf("%s/texenvcXXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(h->root))
        die_file("cannot make '%s': %s", h->root, strerror(errno));
    h->folder = xprintf("%s/d/d/d/d/d/d", h->root);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path), 0;
}

static void remove_headers(struct headers *h)
{
    if (h->root)
        nftw(h->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(h->root);
    free(h->folder);
    buffer_free(&h->missing);
}

/* Creates an empty header with this name, if possible and if it does not exist yet. */
static void make_missing(struct headers *h, const char *name, size_t n)
{
    unsigned up = 0;
    for (size_t i = 0; i + 1 < n; i++)
        up += name[i] == '.' && name[i + 1] == '.';
    if (n == 0 || n > 200 || *name == '/' || up > DEPTH || h->nmissing == MOST_MISSING)
        return;
    make_folder(h);
    char *path = xprintf("%s/%.*s", h->folder, (int)n, name);
    for (char *slash = path + strlen(h->root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "wx");
    free(path);
    if (!f)
        return;
    fclose(f);
    buffer_printf(&h->missing, "%s%.*s", h->nmissing++ ? ", " : "", h->missing.length < 400 ? (int)n : 0,
                  name);
}

/* Returns the position at which the file includes the first missing header. */
static struct texenv_place place_of_missing(const struct headers *h, const char *text)
{
    struct texenv_place place = {.line = 1, .column = 1};
    char *first = xstrndup(h->missing.data, strcspn(h->missing.data, ","));
    const char *at = text ? strstr(text, first) : NULL, *line = text;
    free(first);
    for (const char *end; at && (end = strchr(line, '\n')) < at && end; line = end + 1)
        place.line++;
    place.column = at > line ? (uint32_t)(at - line) : 1;
    return place;
}

/* ---- the compiler ---- */

struct cpp {
    const struct options *o;
    const char *path;
    bool spent; /* the preprocessor used up its time, or its output is too long */
    struct headers h;
};

static void add_args(char **argv, size_t *n, const char *const *args)
{
    for (; *args; args++)
        argv[(*n)++] = xstrndup(*args, strlen(*args));
}

/* Extensions whose language cc knows, and others. */
static const char *const known[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C",
                                    ".h", ".hh", ".hpp", ".hxx", NULL},
                         *const with_classes[] = {".mm", ".inl", NULL}, *const without[] = {".m", NULL};

static bool ends_in(const char *path, const char *const *ends)
{
    const char *dot = strrchr(path, '.');
    while (dot && *ends && strcmp(dot, *ends) != 0)
        ends++;
    return dot && *ends;
}

static _Noreturn void run_cc(const struct cpp *c, bool dependencies)
{
    const char *cc = getenv("CC");
    char **argv = xcalloc(c->o->ncpp + 16, sizeof *argv);
    size_t n = 0;
    const struct rlimit limit = {MOST_SECONDS, MOST_SECONDS};
    /* assert expands to code that is not standard C; all headers of GL define its versions */
    const char *const first[] = {
        cc && *cc ? cc : "cc", "-E", "-w", "-DNDEBUG", "-DGL_VERSION_1_1=1", "-DGL_VERSION_1_2=1",
        "-DGL_VERSION_1_3=1",  NULL};
    /* print names of all headers, including missing ones */
    static const char *const names[] = {"-M", "-MG", NULL},
                             *const languages[2][3] = {{"-x", "c"}, {"-x", "c++"}};
    const char *const last[] = {"-idirafter", c->h.folder ? c->h.folder : ".", c->path, NULL};
    add_args(argv, &n, first);
    add_args(argv, &n, dependencies ? names : names + 2);
    if (!ends_in(c->path, known)) /* Objective-C is read as C; cc would ignore files with other extensions */
        add_args(argv, &n, languages[ends_in(c->path, with_classes)]);
    for (size_t i = 0; i < c->o->ncpp; i++)
        add_args(argv, &n, (const char *const[]){c->o->cpp[i], NULL});
    add_args(argv, &n, c->h.folder ? last : last + 2);
    setrlimit(RLIMIT_CPU, &limit);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: cannot run '%s' ($CC): %s\n", message_name, argv[0], strerror(errno));
    _exit(127);
}

/* Runs the compiler once, to get the preprocessed text or the names of headers. Returns whether
 * it succeeded. */
static bool run_once(struct cpp *c, bool dependencies, bool quiet, struct buffer *text)
{
    int ends[2], status = -1;
    struct rusage used = {0};
    if (pipe(ends) != 0)
        die_file("no pipe to the preprocessor: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        if (quiet && !freopen("/dev/null", "w", stderr))
            _exit(127);
        close(ends[0]);
        close(ends[1]);
        run_cc(c, dependencies);
    }
    close(ends[1]);
    text->length = 0;
    FILE *made = fdopen(ends[0], "r");
    read_more(text, made, c->path, MOST_TEXT + 1);
    fclose(made);
    if (child > 0)
        wait4(child, &status, 0, &used);
    const double seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
        1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    c->spent = seconds > MOST_SECONDS - 0.2 || text->length > MOST_TEXT;
    return child > 0 && status == 0;
}

/* Finds all missing headers in one run and creates empty ones. */
static void find_missing(struct cpp *c)
{
    struct buffer text = {0};
    run_once(c, true, true, &text);
    for (char *p = strstr(text.data, ": "); p && *p;) {
        p += strcspn(p, " \n") + 1;
        size_t n = strcspn(p, " \n");
        char *name = xstrndup(p, n);
        if (n && *name != '\\' && access(name, F_OK) != 0)
            make_missing(&c->h, name, n);
        free(name);
        p = p[n] ? p + n : NULL;
    }
    buffer_free(&text);
}

char *source_preprocess(struct reading *in, const char *path)
{
    struct cpp c = {.o = in->r->options, .path = path};
    struct buffer text = {0};
    struct texenv_sink sink = diag_sink(&in->source);
    bool ok = run_once(&c, false, true, &text);
    if (!ok && !c.spent)
        find_missing(&c);
    if (!ok && !c.spent)
        ok = run_once(&c, false, false, &text);
    if (ok && c.h.nmissing)
        texenv_emit(&sink, TEXENV_WARNING, -1, place_of_missing(&c.h, in->source.text), "source-header",
                    "%u header%s not found, taken as empty: %s; -I names folders", c.h.nmissing,
                    c.h.nmissing > 1 ? "s are" : " is", c.h.missing.data);
    remove_headers(&c.h);
    if (text.length > MOST_TEXT) {
        message(TEXENV_ERROR, "preprocessor", "%s: its preprocessed text is longer than %d MB", path,
                MOST_TEXT >> 20);
        ok = false;
    } else if (!ok) {
        message(TEXENV_ERROR, "preprocessor",
                "%s: the preprocessor did not finish within %d seconds; -I names folders of headers, -D "
                "defines macros, CC names the compiler",
                path, MOST_SECONDS);
    } else if (strlen(text.data) != text.length) {
        message(TEXENV_ERROR, "binary", "%s contains a byte of value 0", path);
        ok = false;
    }
    if (!ok)
        buffer_free(&text);
    return text.data;
}

bool is_c_source(const struct options *o, const struct input *input)
{
    const char *path = o->from == FORM_GUESS && input->path ? input->path : "";
    return o->source || ends_in(path, known) || ends_in(path, with_classes) || ends_in(path, without);
}
