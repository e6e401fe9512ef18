/* Internal: declarations shared by the files of the script reader. read_gl.c reads statements, read_gl_args.c
 * arguments, read_gl_directives.c preprocessor conditionals; read_gl_skipped.c handles skipped calls and
 * macros. */
#ifndef TEXENV_READ_GL_H
#define TEXENV_READ_GL_H

#include "texenv/c_token.h"
#include "texenv/read/calls.h"

struct texenv_script {
    struct texenv_calls calls;
    const char *p, *end; /* the remaining text */
    const char *line_start;
    uint32_t line;
    struct texenv_script_conditional *conditional; /* text ranges removed by `#if 0`, in order */
    size_t conditional_count, conditional_capacity;
    /* Macros that name calls or enumerants of texturing: maps the hash of a macro's name to its struct
     * texenv_script_macro. */
    struct texenv_map macros;
    size_t macro_count;
    const char *callee; /* the skipped call whose arguments contain p, or NULL */
    size_t callee_length;
    bool failed; /* the current statement has an error: continue with the next one */
};

enum { TEXENV_SCRIPT_NESTING = 100 }; /* maximum nesting of parentheses in an argument */

struct texenv_place texenv_script_place(const struct texenv_script *s, const char *at);

/* Reports an error and marks the statement as failed. */
#define TEXENV_SCRIPT_ERROR(s, place, code, ...) \
    (TEXENV_CALLS_ERROR(&(s)->calls, place, code, __VA_ARGS__), (void)((s)->failed = true))
/* A buffer for the text at p, quoted for a message. */
struct texenv_script_found {
    char data[48];
};
const char *texenv_script_found(const struct texenv_script *s, struct texenv_script_found *found);

/* Finds all conditionals from p to the end, and warns about those whose branches are all read. */
void texenv_script_conditionals(struct texenv_script *s);
/* Returns the end of the comment that begins at p with "#" or "//", where a backslash at the end of a line
 * continues the comment. If p is at `#if 0`, returns the end of the line with its #else or #endif. */
const char *texenv_script_passed_over(const struct texenv_script *s);

/* Skips white space and comments. between: s->p is between statements, where "#" always begins a comment. */
void texenv_script_blank(struct texenv_script *s, bool between);
/* Skip white space and comments; return whether the next character is c. take: skips it, too. */
bool texenv_script_at(struct texenv_script *s, char c);
bool texenv_script_take(struct texenv_script *s, char c);
/* Skips the token at p, reports it if it is a literal without an end, and returns its length. */
size_t texenv_script_token(struct texenv_script *s);
/* Skips "(...)", "[...]" or "{...}" at p. statements: ";" is allowed inside. */
void texenv_script_group(struct texenv_script *s, bool statements);

/* read_gl_skipped.c: reports skipped calls that may change texturing. */

/* Processes the "#" line from..to: records the macro that it defines. */
void texenv_script_define(struct texenv_script *s, const char *from, const char *to);
void texenv_script_free_macros(struct texenv_script *s);
/* Returns the name to which a macro expands, with its length in *n, if the macro is an alias; else `name`
 * itself. */
const char *texenv_script_alias(const struct texenv_script *s, const char *name, size_t *n);
/* Handles a skipped call; it becomes s->callee unless there is one. Returns false if its arguments do not
 * matter. */
bool texenv_script_skipped_call(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place);
/* Called at the "(" after a name. Returns whether this is a function definition without a return type,
 * "name(u) {". */
bool texenv_script_is_definition(const struct texenv_script *s, const char *name, size_t n);
/* Handle a name among the arguments of s->callee, and a name elsewhere that is no call. */
void texenv_script_argument(struct texenv_script *s, const char *name, size_t n, struct texenv_place place);
void texenv_script_skipped_name(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place);
/* Reports a call that is not interpreted because it is inside another statement. */
void texenv_script_inside(struct texenv_script *s, const char *name, size_t n, struct texenv_place place);

/* Parses the arguments of a call from "(" to after ")". Stores the first info->params of them in args.
 * Returns the number of arguments in the text. */
unsigned texenv_script_args(struct texenv_script *s, const struct texenv_call_info *info,
                            struct texenv_value *args);
/* Returns whether the name is one of a list, which ends with NULL. */
bool texenv_script_listed(const char *name, size_t n, const char *const *list);

/* Returns the kind of the token at p; literals with and without an end are not told apart. */
static inline enum texenv_c_token texenv_script_kind(const struct texenv_script *s)
{
    enum texenv_c_token kind;
    texenv_scan_token(&kind, s->p, s->end - s->p < 2 ? (size_t)(s->end - s->p) : 2, false);
    return kind;
}

/* Returns the length of the name or number at p; 0 if there is none. */
static inline size_t texenv_script_word(const char *p, const char *end)
{
    enum texenv_c_token kind;
    const size_t n = texenv_scan_token(&kind, p, (size_t)(end - p), false);
    return kind == TEXENV_C_NAME || kind == TEXENV_C_NUMBER ? n : 0;
}

#endif
