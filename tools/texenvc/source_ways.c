/* Finds the functions of a file, selects the one to interpret, and explores every path through it. */
#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ---- */

/* Returns whether the token may occur between a function's parameters and its body. */
static bool before_body(const struct token *t)
{
    return token_in(t, " { const : noexcept override final throw __attribute__ -> try volatile ");
}

/* Returns the name of the function defined in the tokens head..p, where p is its "{", or 0. Unknown macros
 * and types of C++ before the name may look like calls. */
static size_t defined(const struct run *r, size_t head, size_t p)
{
    size_t first = 0;
    for (size_t i = head; i + 1 < p; i++) {
        const struct token *t = &r->tokens.t[i];
        if (token_in(t, " = if for while switch ")) /* an initialiser or a statement, not a function */
            break;
        const size_t open = r->references ? source_angles(&r->tokens, i + 1) : i + 1;
        if (t->kind != TEXENV_C_NAME || token_in(t, " struct union enum __attribute__ ") ||
            !token_is(&r->tokens.t[open], "("))
            continue;
        size_t behind = source_group(&r->tokens, open);
        if (before_body(&r->tokens.t[behind]))
            return i;
        first = first ? first : i;
        i = behind - 1;
    }
    return first;
}

/* Returns the function's return type, as far as types are known. */
static uint8_t type_of_function(struct run *r, size_t head, size_t name)
{
    bool constant = false, is_typedef;
    r->p = head;
    uint8_t type = name > head ? source_type(r, &constant, &is_typedef) : C_INT;
    return r->p == name ? type : C_OTHER;
}

void source_add_function(struct run *r, size_t head, size_t name, size_t body, const struct token *of)
{
    const struct token *t = &r->tokens.t[name];
    if (name > head + 1 && token_is(t - 1, "::") && t[-2].kind == TEXENV_C_NAME)
        of = t - 2;
    struct function f = {.name = t,
                         .of = of,
                         .params = source_angles(&r->tokens, name + 1),
                         .body = body,
                         .type = type_of_function(r, head, name)};
    r->function = xrealloc(r->function, (r->nfunctions + 1) * sizeof *r->function);
    r->function[r->nfunctions++] = f;
}

/* Returns whether the "{" at p begins the body of a function without a name, that is, of an operator. */
static bool is_body(const struct tokens *k, size_t head, size_t p)
{
    return token_is(&k->t[p], "{") && p > head &&
        (token_is(&k->t[p - 1], ")") || before_body(&k->t[p - 1])) &&
        !token_in(&k->t[head], " struct class union enum typedef ");
}

/* Returns the token after the declaration at head, whose first ";" or "{" is at p. */
static size_t end_of_declaration(const struct run *r, size_t head, size_t p)
{
    return is_body(&r->tokens, head, p) ? source_group(&r->tokens, p) : source_end_of_statement(r, head);
}

/* Interprets the declaration, and returns its end (end_of_declaration). Outside of functions, a declaration
 * that cannot be interpreted is no error: its names stay unknown. */
static size_t over_declaration(struct run *r, size_t head, size_t p)
{
    const struct tokens *k = &r->tokens;
    const struct variable *before = r->variables;
    size_t ntypenames = r->ntypenames;
    r->p = head;
    r->quiet = true;
    while (token_is(&k->t[head], "template"))
        r->p = head = source_angles(k, head + 1);
    bool none = is_body(k, head, p) || k->t[head].kind == TEXENV_C_END ||
        token_in(&k->t[head], " using static_assert friend ");
    if (!none && (source_is_type(r, head) || k->t[head + 1].kind == TEXENV_C_NAME))
        source_declaration(r);
    r->quiet = false;
    if (!r->failed && r->p > head && token_is(&k->t[r->p - 1], ";"))
        return r->p;
    if (r->failed) { /* undo the part of the declaration that was interpreted */
        source_drop(r, before);
        r->ntypenames = ntypenames;
    }
    r->failed = false;
    r->nesting = r->skip = r->maybe = 0;
    r->frame = 0;
    return end_of_declaration(r, head, p);
}

/* Reads everything outside of function bodies. The first call (functions set) finds the functions, because
 * constants may contain their addresses; the second one reads types, enumerators and constants. */
static void read_file(struct run *r, bool functions)
{
    const struct tokens *k = &r->tokens;
    for (size_t p = 0; k->t[p].kind != TEXENV_C_END && !r->failed;) {
        size_t head = p, name;
        if (token_in(&k->t[p], " } ; ")) {
            p++;
            continue;
        }
        p = source_find(k, p, k->n - 1, " ; { ");
        if (token_is(&k->t[head], "namespace") || token_is(&k->t[head + 1], "namespace") ||
            (token_is(&k->t[head], "extern") && k->t[head + 1].kind == TEXENV_C_STRING && p == head + 2)) {
            p += k->t[p].kind != TEXENV_C_END;
        } else if (token_is(&k->t[p], "{") && (name = defined(r, head, p)) != 0) {
            if (functions)
                source_add_function(r, head, name, p, NULL);
            /* type_of_function may add functions and so move the array */
            uint8_t type = type_of_function(r, head, name);
            for (size_t i = 0; i < r->nfunctions; i++)
                r->function[i].type = r->function[i].name == &k->t[name] ? type : r->function[i].type;
            size_t open = p;
            p = source_group(k, p);
            if (k->t[p].kind == TEXENV_C_END && k->t[p].open > open)
                source_fail(r, &k->t[open], "source-syntax", "this '{' is not closed");
        } else {
            p = functions ? end_of_declaration(r, head, p) : over_declaration(r, head, p);
        }
    }
}

bool source_is_named(const struct function *f, const char *name)
{
    const char *colons = NULL;
    for (const char *p = name; (p = strstr(p, "::")); p += 2)
        colons = p;
    if (!token_is(f->name, colons ? colons + 2 : name))
        return false;
    return !colons ||
        (f->of && f->of->n <= (size_t)(colons - name) && memcmp(colons - f->of->n, f->of->s, f->of->n) == 0);
}

bool source_is_given(const struct run *r, size_t p)
{
    const struct token *t = &r->tokens.t[p];
    if (token_is(t + 1, "(") || token_is(t + 1, "="))
        return false;
    bool inside = false;
    for (size_t i = 0; i < r->nfunctions; i++)
        inside |= p > r->function[i].params && p < source_group(&r->tokens, r->function[i].body);
    return token_in(t - 1, inside ? " = & " : " = & , { ( ");
}

static void mark_called(struct run *r)
{
    for (size_t p = 1; p + 1 < r->tokens.n; p++)
        for (size_t i = 0; r->tokens.t[p].kind == TEXENV_C_NAME && i < r->nfunctions; i++) {
            struct function *f = &r->function[i];
            const bool calls = token_is(&r->tokens.t[p + 1], "(") && p > f->body;
            if (f->name != &r->tokens.t[p] && source_same(f->name, &r->tokens.t[p]) &&
                (calls || source_is_given(r, p)))
                f->called = true; /* also set if the function's address is used */
        }
}

static void add_name(struct buffer *b, const struct function *f)
{
    if (b->length < 160)
        buffer_printf(b, "%s%.*s%s%.*s", b->length ? ", " : "", f->of ? (int)f->of->n : 0,
                      f->of ? f->of->s : "", f->of ? "::" : "", (int)f->name->n, f->name->s);
}

/* Selects the function to interpret: the one named by --function, or the only function of the file that
 * matters and is not called by others. */
static const struct function *root(struct run *r)
{
    const struct function *found = NULL;
    const struct token *end = &r->tokens.t[r->tokens.n - 1];
    struct buffer names = {0}, all = {0};
    unsigned n = 0;
    if (!r->o->function)
        mark_called(r);
    for (size_t i = 0; i < r->nfunctions && !r->failed; i++) {
        struct function *f = &r->function[i];
        bool named = r->o->function && source_is_named(f, r->o->function);
        const enum effect effect = source_body_effect(r, f);
        if (r->o->function && effect >= EFFECT_DRAWS && f->name->here)
            add_name(&all, f);
        if (!named && (r->o->function || !f->name->here || f->called || effect < EFFECT_DRAWS))
            continue;
        if (named && found && !found->of == !f->of && (!f->of || source_same(found->of, f->of))) {
            if (source_body_effect(r, f) > source_body_effect(r, &r->function[found - r->function]))
                found = f; /* several functions with this name: choose the one with the greatest effect */
            continue;
        }
        found = f;
        n++;
        add_name(&names, f);
    }
    if (r->failed) {
    } else if (n == 0 && r->o->function)
        source_fail(r, end, "source-function",
                    "there is no function %s here that is defined; what draws or sets "
                    "up texturing: %s",
                    r->o->function, all.length ? all.data : "none");
    else if (n == 0)
        source_fail(r, end, "source-function",
                    "no function here calls what sets up texturing; calls outside of functions: --from gl");
    else if (n > 1 && !r->o->function)
        source_fail(r, found->name, "source-function",
                    "several functions set up texturing: --function takes one of %s", names.data);
    else if (n > 1)
        source_fail(r, found->name, "source-function", "there are several, of different classes: %s",
                    names.data);
    buffer_free(&names);
    buffer_free(&all);
    return n == 1 ? found : NULL;
}

/* ---- paths ---- */

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

/* Prints a note with the conditions of a path, preceded by text and followed by behind. */
static void note_way(struct run *r, const char *text, const char *behind)
{
    struct buffer b = {0};
    put_conditions(r, &b);
    if (b.length)
        message(TEXENV_NOTE, "source-way", "%s where %s%s", text, b.data, behind);
    buffer_free(&b);
}

static void note_states(struct run *r)
{
    char text[60];
    snprintf(text, sizeof text, "states from %llu on:", (unsigned long long)r->in->r->items + 1);
    note_way(r, text, "");
}

/* Reads the script of a path, unless an equal script has been read. */
static void read_way(struct run *r, const struct function *f, struct hash_set *seen)
{
    source_add_place(r, &r->tokens.t[source_group(&r->tokens, f->body) - 1]);
    buffer_puts(&r->script, "");
    const char *text = r->script.data ? r->script.data : "";
    if (!hash_set_add(seen, r->hash))
        return;
    r->in->place = r->place;
    r->in->nplaces = r->nplaces;
    if (strstr(text, "glBeginFragmentShader")) { /* the script defines a program, no state */
        note_states(r);
        r->states = true;
        read_calls(r->in, false, NULL, text, r->script.length);
        r->in->place = NULL;
        return;
    }
    bool empty = is_empty_script(text + r->told, r->script.length - r->told);
    bool draws = false;
    if (!empty && !look_at_script(r->in, text, r->script.length, r->lines, &draws)) {
        r->failed = true;
        return;
    }
    r->drawless |= !empty && !draws;
    if (!empty && !draws && !r->all) /* such paths are delivered later if no path draws */
        return;
    if (empty && !r->all)
        note_way(r, "no state", ": no call there sets up texturing");
    if (empty) {
        r->empty = f->name;
        return;
    }
    note_states(r);
    r->states = true;
    read_script(r->in, text, r->script.length);
    r->in->place = NULL;
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
    source_forget_shapes(r);
    free(r->let);
    r->let = NULL;
}

/* Reports operators of C++ that matter, because their uses have no name and are not interpreted. */
static void check_operators(struct run *r)
{
    const struct tokens *k = &r->tokens;
    for (size_t p = 0; p + 1 < k->n && r->references && !r->failed; p++) {
        const bool counts = token_is(&k->t[p], "operator") && !source_is_ignored(r, &k->t[p]);
        const size_t body = counts ? source_find(k, p, k->n - 1, " { ; ") : k->n - 1;
        if (token_is(&k->t[body], "{") &&
            source_effect(r, body, source_group(k, body), false) >= EFFECT_DRAWS)
            source_fail(r, &k->t[p], "source-operator",
                        "this operator draws or sets GL state, and its uses are not interpreted: say "
                        "--ignore operator if none of them does");
    }
}

/* Writes the calls for --enable. */
static void put_enabled(struct run *r, const struct function *f)
{
    static const char *const targets[] = {"1D", "2D", "RECTANGLE", "3D", "CUBE_MAP", "2D"};
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!r->o->enable[u])
            continue;
        source_add_place(r, f->name);
        buffer_printf(
            &r->script, "glActiveTexture(GL_TEXTURE%u); gl%s(GL_TEXTURE_%s); glActiveTexture(GL_TEXTURE0);\n",
            u, r->o->enable[u] > TEXENV_TARGETS ? "Disable" : "Enable", targets[r->o->enable[u] - 1]);
        r->line_start = r->script.length;
        r->lines++;
    }
    r->told = r->script.length;
}

/* Explores one path through the function and reads its script. */
static void run_way(struct run *r, struct hash_set *seen)
{
    r->variables = NULL;
    r->ntypenames = r->nfunctions = 0;
    r->frame = r->frames = r->used = r->nesting = r->skip = r->maybe = 0;
    r->plain = false;
    r->elements = r->statement = 0;
    r->generated = 0;
    r->let_over = r->let_pointed = r->lets_ended = 0;
    r->order = r->classes = 0;
    r->lowest = UINT32_MAX;
    r->inside = NULL;
    r->flow = FLOW_ON;
    read_file(r, true);
    if (!r->failed)
        read_file(r, false);
    r->hash = 1;
    /* text written for initialisers of constants does not belong to the path */
    r->script.length = r->nplaces = r->line_start = r->lines = 0;
    if (!r->nfunctions && !r->failed && !r->o->source) {
        r->no_function = true;
        return;
    }
    const struct function *f = r->failed ? NULL : r->root ? &r->function[r->root - 1] : root(r);
    r->root = f ? (size_t)(f - r->function) + 1 : 0; /* stays the same on all paths */
    if (f) {
        check_operators(r);
        put_enabled(r, f);
        source_enter(r, f, NULL, 0);
    }
    if (f && !r->failed)
        read_way(r, f, seen);
    if (f && r->failed && r->used)
        note_way(r, "on the way", "");
}

/* Advances to the next path. Returns false if there is none. */
static bool next_way(struct run *r, unsigned ways)
{
    while (r->used > 0 && r->decision[r->used - 1].taken + 1 == r->decision[r->used - 1].of)
        r->used--;
    r->ndecisions = r->used;
    if (r->used == 0)
        return false;
    r->decision[r->used - 1].taken++;
    if (ways == MOST_WAYS)
        source_fail(
            r, r->decision[0].at, "source-ways",
            "more than %d paths through conditions that are not known: give names their values with --let",
            MOST_WAYS);
    return ways < MOST_WAYS;
}

static void free_run(struct run *r)
{
    hash_set_free(&r->names);
    hash_set_free(&r->virtuals);
    hash_set_free(&r->operators);
    buffer_free(&r->not_followed);
    buffer_free(&r->script);
    free(r->place);
    free(r->function);
    free(r->typename);
    free(r->tokens.t);
    free(r->tokens.text);
    hash_set_free(&r->tokens.system);
}

static void run_ways(struct run *r)
{
    struct hash_set seen = {0};
    for (unsigned ways = 1;; ways++) {
        run_way(r, &seen);
        forget_way(r);
        if (r->failed || r->no_function || !next_way(r, ways))
            break;
    }
    r->ndecisions = 0;
    hash_set_free(&seen);
}

/* Finds the names of methods that classes in other files may override. */
static void find_virtuals(struct run *r)
{
    for (size_t p = 1; p + 1 < r->tokens.n; p++) {
        const struct token *t = &r->tokens.t[p];
        if (t->kind != TEXENV_C_NAME || !token_is(t + 1, "("))
            continue;
        size_t q = source_group(&r->tokens, p + 1), head = p;
        while (token_in(&r->tokens.t[q], " const noexcept "))
            q++;
        while (!strchr(";{}:(", *r->tokens.t[head - 1].s))
            head--;
        if (token_is(&r->tokens.t[head], "virtual") || token_is(&r->tokens.t[q], "override"))
            hash_set_add(&r->virtuals, hash_bytes(t->s, t->n, 1));
    }
}

/* Finds operators that are declared for enums or unknown types. Operators for classes are left out, because
 * nothing is computed with objects. */
static void find_operators(struct run *r)
{
    const struct token *t = r->tokens.t, *end = t + r->tokens.n - 1;
    struct hash_set classes = {0};
    for (const struct token *x = t + 2; x < end; x++)
        if (token_in(x - 1, " class struct ") && !token_is(x - 2, "enum"))
            hash_set_add(&classes, hash_bytes(x->s, x->n, 1));
    for (const struct token *op = t; op + 3 < end; op++) {
        if (!token_is(op, "operator") || op[1].kind != TEXENV_C_PUNCT || !token_is(op + 2, "(") ||
            source_is_of_class(r, op))
            continue;
        bool is_class = false; /* a type name is not followed by "," */
        for (const struct token *x = op + 3; x < &t[source_group(&r->tokens, (size_t)(op + 2 - t))]; x++)
            is_class |= hash_set_has(&classes, hash_bytes(x->s, x->n, 1)) && !token_in(x + 1, " , ) = ");
        if (!is_class)
            hash_set_add(&r->operators, hash_bytes(op[1].s, op[1].n, 1));
    }
    hash_set_free(&classes);
}

bool read_c_text(struct reading *in, char *text, const char *path, uint64_t steps)
{
    struct run r = {.in = in, .o = in->r->options, .tokens.text = text, .most_steps = steps};
    size_t n = strlen(path);
    r.references = n < 2 || strcmp(path + n - 2, ".c") != 0;
    source_lex(&r.tokens, path);
    for (size_t i = 0; i < r.tokens.n; i++)
        r.lists |= token_is(&r.tokens.t[i], "glNewList");
    if (r.references) {
        find_virtuals(&r);
        find_operators(&r);
    }
    run_ways(&r);
    if (!r.failed && !r.no_function && !r.states &&
        r.drawless) { /* then deliver states that are set up without a draw */
        r.all = true;
        run_ways(&r);
    }
    if (!r.failed && !r.no_function && !r.states)
        source_fail(&r, r.empty ? r.empty : r.tokens.t + 1, "empty",
                    "no way through this function calls what sets up texturing%s%s",
                    r.not_followed.length ? "; not followed are calls of " : "",
                    r.not_followed.length ? r.not_followed.data : "");
    if (r.states && !r.failed && r.not_followed.length)
        message(TEXENV_NOTE, "source-calls",
                "%s: these functions are not in the file, and their calls are not interpreted: %s", path,
                r.not_followed.data);
    if (r.states && !r.failed)
        source_say_lets(&r);
    free_run(&r);
    return !r.no_function;
}

bool read_c_source(struct reading *in, const char *path)
{
    char *text = source_preprocess(in, path);
    if (text)
        return read_c_text(in, text, path, MOST_STEPS);
    in->source.count[TEXENV_ERROR]++;
    return true;
}
