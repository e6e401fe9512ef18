#define _GNU_SOURCE
#include "environments.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUCKETS = 1024,
    /* limit of environments; colours are not distinguished, and no known application has more
     * than hundreds */
    MOST = 8192,
    FIGURE_LINE = 80
};
static struct {
    const char *folder, *program;
    environments_query *query;
    struct environment *bucket[BUCKETS], *all[MOST];
    unsigned count;
    unsigned number; /* number in the name of the script written last */
} store;

bool environments_open(const char *folder, const char *program, environments_query *query)
{
    store.query = query;
    store.folder = folder;
    store.program = program;
    struct stat found;
    char *path = malloc(strlen(folder) + 2); /* room for "." */
    if (path)
        strcpy(path, folder);
    while (path && stat(path, &found) != 0 && errno == ENOENT && strcmp(path, ".") != 0) {
        char *end = strrchr(path, '/');
        strcpy(end == path ? path + 1 : end ? end : path, end ? "" : ".");
    }
    const bool there = path && stat(path, &found) == 0;
    if (there && !S_ISDIR(found.st_mode))
        errno = ENOTDIR;
    const bool usable = there && S_ISDIR(found.st_mode) && access(path, W_OK | X_OK) == 0;
    free(path);
    return usable;
}

/* Creates a folder and its missing parents. */
static void make_folder(const char *folder)
{
    char *path = strdup(folder);
    for (char *end = path; end && (end = strchr(end + 1, '/'));) {
        *end = '\0';
        mkdir(path, 0777);
        *end = '/';
    }
    free(path);
    mkdir(folder, 0777);
}

unsigned environments_count(void) { return store.count; }

/* FNV-1a. */
static uint32_t hash(uint32_t h, const void *data, size_t size)
{
    const unsigned char *b = data;
    for (size_t i = 0; i < size; i++)
        h = (h ^ b[i]) * 16777619u;
    return h;
}

/* Prints the first line of a script. Its length is fixed, so that the figures can be overwritten. */
static void print_figures(struct texenv_text *text, const struct environment *e)
{
    const size_t start = text->length;
    texenv_printf(text, "// %u draws, environment colours changed %u times", e->draws, e->recolours);
    while (text->length - start < FIGURE_LINE)
        texenv_printf(text, " ");
    texenv_printf(text, "\n");
}

/* Creates a new file for a script, without overwriting any. Returns -1 if that fails. */
static int new_file(char **path)
{
    make_folder(store.folder);
    for (int file = -1;; free(*path)) {
        if (asprintf(path, "%s/%s-%03u.gl", store.folder, store.program, ++store.number) < 0) {
            *path = NULL;
            return -1;
        }
        file = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
}

static void write_script(struct environment *e, const char *why, unsigned frame)
{
    static char data[2 * TEXENV_TEXT_MAX + (1 << 14)];
    static struct texenv_values values;
    struct texenv_texture_info textures[TEXENV_UNITS] = {0};
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    print_figures(&text, e);
    texenv_printf(&text, "// %s, first drawn in frame %u\n", store.program, frame);
    if (!e->half)
        texenv_printf(&text, "// the vertex half is left out: %s\n", why);
    stack_print(&text);
    const bool known = store.query(&values, textures, &e->drawn);
    texenv_print_gl_values(&text, &e->drawn, &e->vertex, &e->raster, textures, known ? &values : NULL);
    const int file = new_file(&e->path);
    const ssize_t length = (ssize_t)strlen(data);
    const bool done = file >= 0 && write(file, data, (size_t)length) == length;
    if (file >= 0)
        close(file);
    e->written = e->draws;
    if (done)
        return;
    fprintf(stderr, "texenv-record: %s: %s\n", e->path ? e->path : store.folder, strerror(errno));
    if (file >= 0)
        unlink(e->path);
    free(e->path);
    e->path = NULL;
}

/* Returns the state without the values that generated programs read as uniforms. */
static struct texenv_state colourless(const struct texenv_state *state)
{
    struct texenv_state key = *state;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memset(key.stage[u].color, 0, sizeof key.stage[u].color);
    key.alpha_ref = 0;
    return key;
}

static struct environment *find_or_add(const struct texenv_state *state, const struct texenv_vertex *vertex,
                                       const struct texenv_raster *raster, bool half)
{
    const struct texenv_state key = colourless(state);
    const uint32_t h = hash(hash(2166136261u, &key, sizeof key), vertex, sizeof *vertex);
    struct environment **bucket = &store.bucket[h % BUCKETS], *e = *bucket;
    while (e &&
           (memcmp(&e->state, &key, sizeof key) != 0 || memcmp(&e->vertex, vertex, sizeof *vertex) != 0 ||
            e->half != half || memcmp(&e->raster, raster, sizeof *raster) != 0))
        e = e->next;
    if (e || store.count == MOST || !(e = calloc(1, sizeof *e)))
        return e;
    e->state = key;
    e->vertex = *vertex;
    e->half = half;
    e->raster = *raster;
    e->drawn = *state;
    e->next = *bucket;
    *bucket = e;
    store.all[store.count++] = e;
    return e;
}

struct environment *environments_draw(const struct texenv_state *state, const struct texenv_vertex *vertex,
                                      const struct texenv_raster *raster, const char *why, unsigned frame,
                                      bool *fresh)
{
    struct texenv_vertex half;
    struct texenv_vertex_reads reads;
    memset(&half, 0, sizeof half);
    if (vertex) {
        half = *vertex;
        texenv_vertex_reads_of(&reads, state);
        texenv_vertex_restrict(&half, &reads);
    }
    struct environment *e = find_or_add(state, &half, raster, vertex != NULL);
    *fresh = e && e->draws == 0;
    if (!e)
        return NULL;
    e->draws++;
    if (*fresh) {
        write_script(e, why, frame);
    } else if (memcmp(&e->drawn, state, sizeof *state) != 0) {
        e->drawn = *state;
        e->recolours++;
    }
    return e;
}

void environments_flush(void)
{
    char line[FIGURE_LINE + 2];
    struct texenv_text text;
    for (unsigned i = 0; i < store.count; i++) {
        struct environment *e = store.all[i];
        if (!e->path || e->written == e->draws)
            continue;
        texenv_text_init(&text, line, sizeof line);
        print_figures(&text, e);
        const int file = open(e->path, O_WRONLY | O_CLOEXEC);
        if (file < 0)
            continue;
        if (pwrite(file, line, strlen(line), 0) > 0)
            e->written = e->draws;
        close(file);
    }
}
