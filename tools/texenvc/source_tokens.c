#include "source.h"

#include <stdlib.h>
#include <string.h>

static void add_token(struct tokens *k, struct token t)
{
    if ((k->n & (k->n - 1)) == 0)
        k->t = xrealloc(k->t, (k->n ? k->n * 2 : 1) * sizeof *k->t);
    t.open = k->open;
    if (t.kind == TEXENV_C_PUNCT && *t.s == '{')
        k->open = (uint32_t)k->n + 1;
    else if (t.kind == TEXENV_C_PUNCT && *t.s == '}' && k->open)
        t.open = k->open = k->t[k->open - 1].open;
    k->t[k->n++] = t;
}

/* Reads the line marker `# 12 "file" flags` at p. *system: the following text is from a system header, of
 * which only macros are needed. Expansions of its macros also have that flag, so the flag is used only where
 * a file begins or is returned to. */
static const char *line_marker(const char *p, const char *path, struct token *at, bool *system)
{
    char *q;
    const char *end = strchr(p, '\n');
    end = end ? end : p + strlen(p);
    unsigned long number = strtoul(p + 1, &q, 10);
    if (q > p + 1 && q < end) {
        at->line = (uint32_t)number - 1;
        const char *name = memchr(q, '"', (size_t)(end - q));
        const char *last = name ? memchr(name + 1, '"', (size_t)(end - name - 1)) : NULL;
        if (last) {
            at->file = name + 1;
            at->file_length = (uint32_t)(last - name - 1);
            at->here = at->file_length == strlen(path) && memcmp(at->file, path, at->file_length) == 0;
            bool moved = memchr(last, '1', (size_t)(end - last)) || memchr(last, '2', (size_t)(end - last));
            *system = moved ? memchr(last, '3', (size_t)(end - last)) != NULL : *system && !at->here;
        }
    }
    return end;
}

void source_lex(struct tokens *k, const char *path)
{
    const char *p = k->text, *start = p, *end = p + strlen(p);
    struct token at = {.line = 1, .here = true};
    bool fresh = true, system = false;
    add_token(k,
              (struct token){.s = ";", .n = 1, .line = 1, .column = 1, .kind = TEXENV_C_PUNCT, .here = true});
    while (p < end) {
        struct token t = at;
        t.s = p;
        t.column = (uint32_t)(p - start) + 1;
        if (*p == '\n') {
            at.line++;
            start = ++p;
            fresh = true;
            continue;
        }
        if (*p == '#' && fresh) {
            p = line_marker(p, path, &at, &system);
            continue;
        }
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') {
            p++;
            continue;
        }
        fresh = false;
        enum texenv_c_token kind;
        p += texenv_scan_token(&kind, p, (size_t)(end - p), true);
        if (system) {
            if (kind == TEXENV_C_NAME && p[*p == ' '] == '(' && strncmp(t.s, "gl", 2) != 0)
                hash_set_add(&k->system, hash_bytes(t.s, (size_t)(p - t.s), 1));
            continue;
        }
        t.kind = kind == TEXENV_C_OPEN_STRING ? TEXENV_C_STRING : kind;
        if (p - t.s > 6 && memcmp(t.s, "__glew", 6) == 0) { /* a macro of GLEW */
            t.s = memcpy(k->text + (t.s - k->text) + 4, "gl", 2);
            t.column += 4;
        }
        t.n = (uint32_t)(p - t.s);
        add_token(k, t);
    }
    at.s = p;
    at.column = 1;
    at.kind = TEXENV_C_END;
    add_token(k, at);
}

size_t source_group(const struct tokens *k, size_t p)
{
    unsigned depth = 0;
    for (; p < k->n - 1; p++) {
        const struct token *t = &k->t[p];
        if (t->kind != TEXENV_C_PUNCT || t->n != 1)
            continue;
        depth += *t->s == '(' || *t->s == '[' || *t->s == '{';
        depth -= *t->s == ')' || *t->s == ']' || *t->s == '}';
        if (depth == 0)
            break;
    }
    return p < k->n - 1 ? p + 1 : p;
}

size_t source_find(const struct tokens *k, size_t p, size_t end, const char *list)
{
    while (p < end && !token_in(&k->t[p], list))
        p = token_in(&k->t[p], " ( [ { ") ? source_group(k, p) : p + 1;
    return p < end ? p : end;
}

bool source_listed(const char *list, const char *s, size_t n, bool begins)
{
    for (const char *p = list; *p && p[1];) {
        const char *const word = ++p;
        while ((size_t)(p - word) < n && *p == s[p - word])
            p++;
        if (*p == ' ' && (begins || (size_t)(p - word) == n))
            return true;
        while (*p != ' ')
            p++;
    }
    return false;
}
