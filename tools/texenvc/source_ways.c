/* The functions of a file, which of them is followed, and every way through it. */
#include "source.h"

#include <stdlib.h>
#include <string.h>

/* ---- the file ---- */

/* What may stand between the parameters of a function and its body. */
static bool before_body(const struct token *t)
{
    static const char *const words[] = {"{",     "const",         ":",  "noexcept", "override", "final",
                                        "throw", "__attribute__", "->", "try",      "volatile"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (token_is(t, words[i]))
            return true;
    return false;
}

/* The name of the function that is defined in head..p, where p is its "{", or 0. Macros that the preprocessor
 * does not know, and types of C++, may look like calls before it. */
static size_t defined(const struct run *r, size_t head, size_t p)
{
    size_t first = 0;
    for (size_t i = head; i + 1 < p; i++) {
        const struct token *t = &r->tokens.t[i];
        if (token_is(t, "="))
            break;
        if (token_is(t, "struct") || token_is(t, "union") || token_is(t, "enum") || t->kind != TOKEN_NAME ||
            !token_is(t + 1, "(") || token_is(t, "__attribute__"))
            continue;
        size_t behind = source_group(&r->tokens, i + 1);
        if (before_body(&r->tokens.t[behind]))
            return i;
        first = first ? first : i;
        i = behind - 1;
    }
    return first;
}

static void add_function(struct run *r, size_t head, size_t name, size_t body)
{
    bool constant = false, is_typedef;
    r->p = head;
    uint8_t type = name > head ? source_type(r, &constant, &is_typedef) : C_INT;
    struct function f = {
        .name = &r->tokens.t[name], .params = name + 1, .body = body, .type = r->p == name ? type : C_OTHER};
    r->function = xrealloc(r->function, (r->nfunctions + 1) * sizeof *r->function);
    r->function[r->nfunctions++] = f;
}

/* The token behind the declaration at head, whose first ";" or "{" is at p. What is not understood outside of
 * functions is no error: nothing is known of it. */
static size_t over_declaration(struct run *r, size_t head, size_t p)
{
    const struct tokens *k = &r->tokens;
    r->p = head;
    r->quiet = true;
    if (source_is_type(r, head) || k->t[head + 1].kind == TOKEN_NAME)
        source_declaration(r);
    r->quiet = false;
    if (!r->failed && r->p > head && token_is(&k->t[r->p - 1], ";"))
        return r->p;
    r->failed = false;
    r->nesting = r->skip = r->maybe = 0;
    r->frame = 0;
    if (token_is(&k->t[p], "{") && p > head && (token_is(&k->t[p - 1], ")") || before_body(&k->t[p - 1])))
        return source_group(k, p); /* a function without a name: an operator */
    return source_end_of_statement(r, head);
}

/* Everything outside of functions: types, enumerators, constants. */
static void read_file(struct run *r)
{
    const struct tokens *k = &r->tokens;
    for (size_t p = 0; k->t[p].kind != TOKEN_END && !r->failed;) {
        size_t head = p, name;
        if (token_is(&k->t[p], "}") || token_is(&k->t[p], ";")) {
            p++;
            continue;
        }
        while (k->t[p].kind != TOKEN_END && !token_is(&k->t[p], ";") && !token_is(&k->t[p], "{"))
            p = token_is(&k->t[p], "(") || token_is(&k->t[p], "[") ? source_group(k, p) : p + 1;
        if (token_is(&k->t[head], "namespace") || token_is(&k->t[head + 1], "namespace") ||
            (token_is(&k->t[head], "extern") && k->t[head + 1].kind == TOKEN_STRING && p == head + 2)) {
            p++;
        } else if (token_is(&k->t[p], "{") && (name = defined(r, head, p)) != 0) {
            add_function(r, head, name, p);
            size_t open = p;
            p = source_group(k, p);
            if (!token_is(&k->t[p - 1], "}"))
                source_fail(r, &k->t[open], "source-syntax", "this '{' is not closed");
        } else {
            p = over_declaration(r, head, p);
        }
    }
}

/* The function to follow: the one that was named, or the only one of the file that calls what matters and is
 * called by none. */
static const struct function *root(struct run *r)
{
    const struct function *found = NULL;
    struct buffer names = {0};
    unsigned n = 0;
    for (size_t p = 0; p + 1 < r->tokens.n; p++) {
        struct function *f = token_is(&r->tokens.t[p + 1], "(") ? source_function(r, &r->tokens.t[p]) : NULL;
        if (f && f->name != &r->tokens.t[p] && p > f->body)
            f->called = true;
    }
    for (size_t i = 0; i < r->nfunctions; i++) {
        struct function *f = &r->function[i];
        bool named = r->o->function && token_is(f->name, r->o->function);
        size_t at = (size_t)(f->name - r->tokens.t);
        if (named)
            return f;
        if (r->o->function || !f->name->here || f->called || !source_matters(r, at, at + 1))
            continue;
        found = f;
        if (++n <= 12)
            buffer_printf(&names, "%s%.*s", n > 1 ? ", " : "", (int)f->name->n, f->name->s);
    }
    if (n == 0)
        source_fail(r, n ? found->name : &r->tokens.t[r->tokens.n - 1], "source-function", "%s%s",
                    r->o->function ? "there is no function "
                                   : "no function here calls what sets up texturing",
                    r->o->function ? r->o->function : "");
    else if (n > 1)
        source_fail(r, n ? found->name : &r->tokens.t[r->tokens.n - 1], "source-function",
                    "several functions set up texturing: --function takes "
                    "one of %s",
                    names.data);
    buffer_free(&names);
    return n == 1 ? found : NULL;
}

/* ---- ways ---- */

static void put_conditions(struct run *r, struct buffer *b)
{
    for (unsigned i = 0; i < r->used; i++) {
        const struct decision *d = &r->decision[i];
        buffer_puts(b, i ? ", " : "");
        if (!token_is(d->at, "switch"))
            buffer_puts(b, d->taken ? "not (" : "(");
        else
            buffer_printf(b, "case %u of (", d->taken + 1);
        for (size_t p = d->from; p < d->to; p++)
            buffer_printf(b, "%s%.*s", p > d->from ? " " : "", (int)r->tokens.t[p].n, r->tokens.t[p].s);
        buffer_printf(b, ") in line %u", (unsigned)d->at->line);
    }
}

/* Where the error was met. */
static void note_way_of_error(struct run *r)
{
    struct buffer b = {0};
    put_conditions(r, &b);
    message(TEXENV_NOTE, "source-way", "on the way where %s", b.data);
    buffer_free(&b);
}

/* Says where a way leads. */
static void note_way(struct run *r, bool empty)
{
    struct buffer b = {0};
    put_conditions(r, &b);
    if (b.length && empty)
        message(TEXENV_NOTE, "source-way", "no state where %s: no call there sets up texturing", b.data);
    else if (b.length)
        message(TEXENV_NOTE, "source-way", "states from %llu on: where %s",
                (unsigned long long)r->in->r->items + 1, b.data);
    buffer_free(&b);
}

/* The script of a way is read, if it has not been. */
static void read_way(struct run *r, const struct function *f, struct hash_set *seen)
{
    source_add_place(r, &r->tokens.t[source_group(&r->tokens, f->body) - 1]);
    buffer_puts(&r->script, "");
    const char *text = r->script.data ? r->script.data : "";
    if (!hash_set_add(seen, hash_bytes(text, r->script.length, 1)))
        return;
    bool empty = is_empty_script(text, r->script.length);
    note_way(r, empty);
    if (empty) {
        r->empty = f->name;
        return;
    }
    r->states = true;
    r->in->place = r->place;
    r->in->nplaces = r->nplaces;
    read_script(r->in, text, r->script.length);
    r->in->place = NULL;
}

/* One way through the function: its script is read. */
static void run_way(struct run *r, struct hash_set *seen)
{
    r->variables = NULL;
    r->ntypedefs = r->nfunctions = 0;
    r->frame = r->frames = r->used = r->nesting = r->skip = r->maybe = 0;
    r->flow = FLOW_ON;
    r->script.length = r->nplaces = r->line_start = r->lines = 0;
    read_file(r);
    r->script.length = r->nplaces = 0; /* what constants are made with is no part of a way */
    if (!r->nfunctions && !r->failed && !r->o->source) {
        r->no_function = true;
        return;
    }
    const struct function *f = r->failed ? NULL : root(r);
    if (f)
        source_enter(r, f, NULL, 0);
    if (f && !r->failed)
        read_way(r, f, seen);
    if (f && r->failed && r->used)
        note_way_of_error(r);
}

static void forget_way(struct run *r)
{
    source_drop(r, NULL);
    while (r->arrays) {
        struct array *next = r->arrays->next;
        free(r->arrays->v);
        free(r->arrays);
        r->arrays = next;
    }
}

/* The next way, or false. */
static bool next_way(struct run *r, unsigned ways)
{
    while (r->used > 0 && r->decision[r->used - 1].taken + 1 == r->decision[r->used - 1].of)
        r->used--;
    r->ndecisions = r->used;
    if (r->used == 0)
        return false;
    r->decision[r->used - 1].taken++;
    if (ways == MOST_WAYS)
        source_fail(r, r->decision[0].at, "source-ways",
                    "more than %d ways through what is not known: --let gives names their values", MOST_WAYS);
    return ways < MOST_WAYS;
}

bool read_c_source(struct reading *in, const char *path)
{
    struct run r = {.in = in, .o = in->r->options};
    struct hash_set seen = {0};
    size_t n = strlen(path);
    r.references = n < 2 || strcmp(path + n - 2, ".c") != 0;
    if (!source_preprocess(&r.tokens, in, path)) {
        in->source.count[TEXENV_ERROR]++;
        free(r.tokens.text);
        return true;
    }
    source_lex(&r.tokens, path);
    for (unsigned ways = 1;; ways++) {
        run_way(&r, &seen);
        forget_way(&r);
        if (r.failed || r.no_function || !next_way(&r, ways))
            break;
    }
    if (!r.failed && !r.no_function && !r.states)
        source_fail(&r, r.empty ? r.empty : r.tokens.t, "empty",
                    "no way through this function calls what sets up texturing");
    hash_set_free(&seen);
    buffer_free(&r.script);
    free(r.place);
    free(r.function);
    free(r.typedef_name);
    free(r.typedef_type);
    free(r.tokens.t);
    free(r.tokens.text);
    return !r.no_function;
}
