/* Internal: what the two halves of the script reader share. read_gl.c reads statements, read_gl_args.c arguments. */
#ifndef TEXENV_READ_GL_H
#define TEXENV_READ_GL_H

#include "texenv/calls.h"

struct texenv_script {
    struct texenv_calls calls;
    const char *p, *end; /* what is to be read */
    const char *line_start;
    uint32_t line;
    bool failed; /* this statement has an error: go on with the next one */
};

enum { TEXENV_SCRIPT_NESTING = 100 }; /* of parentheses in an argument */

struct texenv_place texenv_script_place(const struct texenv_script *s, const char *at);

/* An error at a place: the statement has failed. */
#define TEXENV_SCRIPT_ERROR(s, place, code, ...) (TEXENV_CALLS_ERROR(&(s)->calls, place, code, __VA_ARGS__), (void)((s)->failed = true))
/* "%s" for what stands at p, in a message. */
struct texenv_script_found {
    char data[48];
};
const char *texenv_script_found(const struct texenv_script *s, struct texenv_script_found *found);

/* Over white space and comments. between: between statements, where "#" always begins a comment. */
void texenv_script_blank(struct texenv_script *s, bool between);
/* Over a string or character literal at p. */
void texenv_script_string(struct texenv_script *s);
/* Over "(...)", "[...]" or "{...}" at p. statements: ";" may stand inside. */
void texenv_script_group(struct texenv_script *s, bool statements);
/* Over the identifier at p: its length. */
size_t texenv_script_identifier(struct texenv_script *s);

/* The arguments of a call, from "(" to after ")". The first info->params ones go into args. Returns how many there are. */
unsigned texenv_script_args(struct texenv_script *s, const struct texenv_call_info *info, struct texenv_value *args);

static inline bool texenv_script_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool texenv_script_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

#endif
