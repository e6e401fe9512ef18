/* Internal: what the parts of the script reader share. read_gl.c reads statements, read_gl_args.c arguments,
 * read_gl_directives.c preprocessor conditionals. */
#ifndef TEXENV_READ_GL_H
#define TEXENV_READ_GL_H

#include "texenv/read/calls.h"

struct texenv_script {
    struct texenv_calls calls;
    const char *p, *end; /* what is to be read */
    const char *line_start;
    uint32_t line;
    struct texenv_script_conditional *conditional; /* those of `#if 0`, in the order of the text */
    size_t conditional_count, conditional_capacity;
    /* those that name calls or tokens of texturing: struct texenv_script_macro by hash of the name */
    struct texenv_map macros;
    size_t macro_count;
    const char *callee; /* what stands at p is an argument of this call, which is skipped; NULL: of none */
    size_t callee_length;
    bool failed; /* this statement has an error: go on with the next one */
};

enum { TEXENV_SCRIPT_NESTING = 100 }; /* of parentheses in an argument */

struct texenv_place texenv_script_place(const struct texenv_script *s, const char *at);

/* An error at a place: the statement has failed. */
#define TEXENV_SCRIPT_ERROR(s, place, code, ...) \
    (TEXENV_CALLS_ERROR(&(s)->calls, place, code, __VA_ARGS__), (void)((s)->failed = true))
/* "%s" for what stands at p, in a message. */
struct texenv_script_found {
    char data[48];
};
const char *texenv_script_found(const struct texenv_script *s, struct texenv_script_found *found);

/* Finds the conditionals from p to the end, and warns of those that are not followed. */
void texenv_script_conditionals(struct texenv_script *s);
/* At a "#" or "//" that begins a comment: the end of its last line (a backslash at the end of a line joins
 * the next one), of `#if 0` that of the line of its #else or #endif. */
const char *texenv_script_passed_over(const struct texenv_script *s);

/* Skips white space and comments. between: between statements, where "#" always begins a comment. */
void texenv_script_blank(struct texenv_script *s, bool between);
/* Skips a string or character literal at p. */
void texenv_script_string(struct texenv_script *s);
/* Skips "(...)", "[...]" or "{...}" at p. statements: ";" may stand inside. */
void texenv_script_group(struct texenv_script *s, bool statements);
/* Skips the identifier at p and returns its length. */
size_t texenv_script_identifier(struct texenv_script *s);

/* read_gl_skipped.c: what is skipped is judged, and complained of if it may change texturing. */

/* At a "#" line from..to: keeps what it defines. */
void texenv_script_define(struct texenv_script *s, const char *from, const char *to);
void texenv_script_free_macros(struct texenv_script *s);
/* The name that a macro of this name stands for (*n: its length), or the name itself. */
const char *texenv_script_alias(const struct texenv_script *s, const char *name, size_t *n);
/* A call of this name is skipped; it becomes s->callee unless there is one. False: its arguments do not
 * matter. */
bool texenv_script_skipped_call(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place);
/* At the "(" after this name: the parameters of a function that is defined without a type, "name(u) {". */
bool texenv_script_is_definition(const struct texenv_script *s, const char *name, size_t n);
/* A name among the arguments of s->callee; a name elsewhere that is no call. */
void texenv_script_argument(struct texenv_script *s, const char *name, size_t n, struct texenv_place place);
void texenv_script_skipped_name(struct texenv_script *s, const char *name, size_t n,
                                struct texenv_place place);
/* A call that would be followed stands where it is not. */
void texenv_script_inside(struct texenv_script *s, const char *name, size_t n, struct texenv_place place);

/* The arguments of a call, from "(" to after ")". The first info->params ones go into args. Returns how many
 * there are. */
unsigned texenv_script_args(struct texenv_script *s, const struct texenv_call_info *info,
                            struct texenv_value *args);

static inline bool texenv_script_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool texenv_script_is_digit(char c) { return c >= '0' && c <= '9'; }

#endif
