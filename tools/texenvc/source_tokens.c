#define _POSIX_C_SOURCE 200809L
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a header of GL where the system has none: behind all folders of the compiler ---- */

static const char *const header_names[] = {"gl.h", "glext.h", "glu.h", "glut.h"};
enum { HEADERS = sizeof header_names / sizeof *header_names };

static void put_header(const char *path)
{
    static const char types[] =
        "typedef unsigned int GLenum, GLuint, GLbitfield;\ntypedef int GLint, GLsizei;\n"
        "typedef float GLfloat, GLclampf;\ntypedef double GLdouble, GLclampd;\n"
        "typedef unsigned char GLubyte, GLboolean;\ntypedef signed char GLbyte;\n"
        "typedef short GLshort;\ntypedef unsigned short GLushort;\n"
        "typedef void GLvoid;\n#define GL_TRUE 1\n#define GL_FALSE 0\n";
    FILE *f = fopen(path, "w");
    if (!f)
        die_file("cannot write '%s': %s", path, strerror(errno));
    fprintf(f, "#ifndef TEXENVC_GL\n#define TEXENVC_GL\n%s", types);
    /* Other spellings are known where values are computed: texenv_token(). */
    for (uint32_t value = 2; value < 0xa000; value++)
        if (texenv_token_name(value))
            fprintf(f, "#define %s 0x%x\n", texenv_token_name(value), (unsigned)value);
    fprintf(f, "#endif\n");
    if (fclose(f) != 0)
        die_file("cannot write '%s': %s", path, strerror(errno));
}

static char *make_headers(void)
{
    const char *tmp = getenv("TMPDIR");
    char *folder = xprintf("%s/texenvcXXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        die_file("cannot make '%s': %s", folder, strerror(errno));
    char *gl = xprintf("%s/GL", folder);
    mkdir(gl, 0700);
    for (int i = 0; i < HEADERS; i++) {
        char *path = xprintf("%s/%s", gl, header_names[i]);
        put_header(path);
        free(path);
    }
    free(gl);
    return folder;
}

static void remove_headers(char *folder)
{
    for (int i = 0; i < HEADERS; i++) {
        char *path = xprintf("%s/GL/%s", folder, header_names[i]);
        unlink(path);
        free(path);
    }
    char *gl = xprintf("%s/GL", folder);
    rmdir(gl);
    rmdir(folder);
    free(gl);
    free(folder);
}

/* ---- the preprocessor ---- */

static char *own(const char *s) { return xstrndup(s, strlen(s)); }

static _Noreturn void run_cc(const struct options *o, const char *folder, const char *path)
{
    const char *cc = getenv("CC");
    char **argv = xcalloc(o->ncpp + 9, sizeof *argv);
    size_t n = 0;
    argv[n++] = own(cc && *cc ? cc : "cc");
    argv[n++] = own("-E");
    argv[n++] = own("-DNDEBUG"); /* what assert becomes is no C of the standard */
    for (size_t i = 0; i < o->ncpp; i++)
        argv[n++] = own(o->cpp[i]);
    argv[n++] = own("-idirafter");
    argv[n++] = own(folder);
    argv[n++] = own(path);
    execvp(argv[0], argv);
    fprintf(stderr, "%s: cannot run '%s' ($CC): %s\n", message_name, argv[0], strerror(errno));
    _exit(127);
}

bool source_preprocess(struct tokens *tokens, const struct options *o, const char *path)
{
    int ends[2], status = -1;
    char *folder = make_headers();
    if (pipe(ends) != 0)
        die_file("no pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        run_cc(o, folder, path);
    }
    close(ends[1]);
    struct buffer b = {0};
    buffer_puts(&b, "");
    for (ssize_t n = 1; n > 0 || (n < 0 && errno == EINTR);) {
        buffer_reserve(&b, 1 << 16);
        n = read(ends[0], b.data + b.length, 1 << 16);
        b.length += n > 0 ? (size_t)n : 0;
    }
    close(ends[0]);
    if (child > 0)
        waitpid(child, &status, 0);
    remove_headers(folder);
    buffer_reserve(&b, 1);
    b.data[b.length] = '\0';
    tokens->text = b.data;
    if (status == 0)
        return true;
    message(TEXENV_ERROR, "preprocessor",
            "%s: the preprocessor gives no text of it: -I names folders of "
            "headers, -D defines, CC the compiler",
            path);
    return false;
}

/* ---- tokens ---- */

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static const char *end_of_number(const char *p)
{
    while (is_name(*p) || is_digit(*p) || *p == '.' || ((*p == '+' || *p == '-') && strchr("eEpP", p[-1])))
        p++;
    return p;
}

static const char *end_of_string(const char *p)
{
    char quote = *p++;
    while (*p && *p != quote && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static size_t punct(const char *p)
{
    static const char *const long_ones[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^=", "::"};
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        if (strncmp(p, long_ones[i], strlen(long_ones[i])) == 0)
            return strlen(long_ones[i]);
    return 1;
}

static void add_token(struct tokens *k, struct token t)
{
    if ((k->n & (k->n - 1)) == 0)
        k->t = xrealloc(k->t, (k->n ? k->n * 2 : 1) * sizeof *k->t);
    k->t[k->n++] = t;
}

/* `# 12 "file" flags` at p. */
static const char *line_marker(const char *p, const char *path, uint32_t *line, bool *here)
{
    char *q;
    const char *end = strchr(p, '\n');
    end = end ? end : p + strlen(p);
    unsigned long number = strtoul(p + 1, &q, 10);
    if (q > p + 1 && q < end) {
        *line = (uint32_t)number - 1;
        const char *name = memchr(q, '"', (size_t)(end - q));
        const char *last = name ? memchr(name + 1, '"', (size_t)(end - name - 1)) : NULL;
        if (last)
            *here = (size_t)(last - name - 1) == strlen(path) && memcmp(name + 1, path, strlen(path)) == 0;
    }
    return end;
}

void source_lex(struct tokens *k, const char *path)
{
    const char *p = k->text, *start = p;
    uint32_t line = 1;
    bool here = true, fresh = true;
    while (*p) {
        struct token t = {.s = p, .line = line, .column = (uint32_t)(p - start) + 1, .here = here};
        if (*p == '\n') {
            line++;
            start = ++p;
            fresh = true;
            continue;
        }
        if (*p == '#' && fresh) {
            p = line_marker(p, path, &line, &here);
            continue;
        }
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') {
            p++;
            continue;
        }
        fresh = false;
        if (is_name(*p)) {
            while (is_name(*p) || is_digit(*p))
                p++;
            t.kind = TOKEN_NAME;
            if (p - t.s > 6 && memcmp(t.s, "__glew", 6) == 0) { /* GLEW's macros of GL's names */
                t.s = memcpy(k->text + (t.s - k->text) + 4, "gl", 2);
                t.column += 4;
            }
        } else if (is_digit(*p) || (*p == '.' && is_digit(p[1]))) {
            p = end_of_number(p + 1);
            t.kind = TOKEN_NUMBER;
        } else if (*p == '"' || *p == '\'') {
            p = end_of_string(p);
            t.kind = TOKEN_STRING;
        } else {
            p += punct(p);
            t.kind = TOKEN_PUNCT;
        }
        t.n = (uint32_t)(p - t.s);
        add_token(k, t);
    }
    add_token(k, (struct token){.s = p, .line = line, .column = 1, .kind = TOKEN_END, .here = here});
}

size_t source_group(const struct tokens *k, size_t p)
{
    unsigned depth = 0;
    for (; p < k->n - 1; p++) {
        const struct token *t = &k->t[p];
        if (t->kind != TOKEN_PUNCT || t->n != 1)
            continue;
        depth += *t->s == '(' || *t->s == '[' || *t->s == '{';
        depth -= *t->s == ')' || *t->s == ']' || *t->s == '}';
        if (depth == 0)
            return p + 1;
    }
    return p;
}
