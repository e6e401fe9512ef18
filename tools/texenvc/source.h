/* Internal: C source as it stands, `--from c`. source_cpp.c runs the preprocessor; source_tokens.c cuts its
 * text into tokens; source_values.c computes expressions; source_run.c follows statements and functions, each
 * way through conditions that are not known in a run of its own, and writes the GL calls that it meets as a
 * script of constants, which the reader of GL calls reads. What is not certain is unknown, never guessed. */
#ifndef TEXENVC_SOURCE_H
#define TEXENVC_SOURCE_H

#include "input.h"

#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT };
struct token {
    const char *s;
    uint32_t n, line, column, file_length;
    const char *file; /* that it stands in */
    uint8_t kind;
    bool here; /* in the file itself, not in one that it includes */
};
struct tokens {
    struct token *t; /* ends with TOKEN_END */
    size_t n;
    char *text;
};
/* source_cpp.c: the text of a file after the preprocessor. False after a message. */
bool source_preprocess(struct tokens *tokens, struct reading *in, const char *path);
/* The tokens of a text that was preprocessed; path: the file itself in its line markers. */
void source_lex(struct tokens *tokens, const char *path);
/* After a "(", "[" or "{" at p: the token behind its partner, or the end. */
size_t source_group(const struct tokens *tokens, size_t p);
static inline bool token_is(const struct token *t, const char *s)
{
    return strlen(s) == t->n && memcmp(t->s, s, t->n) == 0 && t->kind != TOKEN_STRING;
}

enum value_kind { VALUE_UNKNOWN, VALUE_INT, VALUE_REAL, VALUE_ARRAY };
enum c_type { C_OTHER, C_INT, C_UNSIGNED, C_SMALL, C_FLOAT, C_DOUBLE };
struct value {
    uint8_t kind;
    bool is_unsigned, single; /* INT: by its type; REAL: a float */
    int64_t i;
    double r;
    struct array *array;
    int64_t at; /* ARRAY: of its element */
};
struct array {
    struct array *next;
    int64_t n;
    uint8_t type;
    bool constant;
    struct value *v;
};
struct variable {
    struct variable *next;
    const struct token *name;
    unsigned frame; /* 0: of the file */
    uint8_t type;
    bool constant, escaped; /* escaped: its address was taken, others may write it */
    struct value v;
};
/* What an expression gave, and where it lies if that can be assigned to. */
struct result {
    struct value v;
    struct value *place;
    struct variable *variable; /* that place is in, NULL: of an array */
    uint8_t type;
    bool constant;
};
struct function {
    const struct token *name;
    size_t params, body;
    unsigned nparams;
    uint8_t type;    /* of what it returns */
    uint8_t matters; /* 0: not looked at, 1: being looked at, 2: no, 3: yes */
    bool called;
};
struct decision {
    unsigned taken, of;
    const struct token *at;
    size_t from, to; /* tokens of the condition */
};
enum { MOST_WAYS = 64, MOST_DECISIONS = 32, MOST_STEPS = 1000000, MOST_NESTING = 200, MOST_TURNS = 2 };
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN };

struct run {
    struct reading *in;
    const struct options *o;
    struct tokens tokens;
    size_t p;
    struct variable *variables;
    struct array *arrays;
    struct function *function;
    size_t nfunctions;
    struct token *typedef_name;
    uint8_t *typedef_type;
    size_t ntypedefs;
    unsigned frame, frames, nesting, skip, maybe;
    uint64_t steps;
    bool quiet;                /* what goes wrong is not said */
    bool failed, references;   /* references: C++, whose functions may write what they are given */
    bool no_function, states;  /* states: some way had one */
    const struct token *empty; /* the function of a way that had none */
    enum flow flow;
    struct value returned;
    struct decision decision[MOST_DECISIONS];
    unsigned ndecisions, used;
    struct buffer script;
    struct script_place *place; /* of the script */
    size_t nplaces, line_start;
    uint32_t lines;
};
const struct token *source_at(const struct run *r);
bool source_take(struct run *r, const char *s);
void source_expect(struct run *r, const char *s);
void source_fail(struct run *r, const struct token *at, const char *code, const char *format, ...)
    PRINTF_LIKE(4, 5);
void source_warn(struct run *r, const struct token *at, const char *code, const char *format, ...)
    PRINTF_LIKE(4, 5);
struct result source_expression(struct run *r); /* with commas */
struct result source_assignment(struct run *r);
struct value source_braces(struct run *r, uint8_t type, int64_t least); /* an initialiser in braces */
struct value source_convert(struct value v, uint8_t type);
bool source_is_type(const struct run *r, size_t p);
uint8_t source_type(struct run *r, bool *constant, bool *is_typedef);
int source_truth(struct value v);                          /* -1: not known */
void source_forget(struct run *r, size_t from, size_t to); /* what may be written there is not known */
void source_forget_file(struct run *r);
void source_forget_array(struct array *a);
struct variable *source_declare(struct run *r, const struct token *name, uint8_t type, struct value v);
struct variable *source_variable(const struct run *r, const struct token *name);
struct array *source_array(struct run *r, int64_t n, uint8_t type);
/* The name that a call stands for by the rules of wrappers; its length is put into *n. */
const char *source_call_name(const struct options *o, const struct token *t, size_t *n);
/* At the "(" behind a name that is called. */
struct value source_call(struct run *r, const struct token *callee);

/* A call of a function of the file. */
struct arg {
    struct value v;
    size_t from, to; /* tokens */
};
struct value source_enter(struct run *r, const struct function *f, const struct arg *arg, unsigned n);
/* Behind the "<...>" of C++ at p, or p where there is none. */
size_t source_angles(const struct tokens *k, size_t p);
/* source_follow.c: the statement at p; the declaration at p */
void source_statement(struct run *r);
void source_declaration(struct run *r);
/* The token behind the statement at p, which is not run. */
size_t source_end_of_statement(const struct run *r, size_t p);
/* Whether what stands in these tokens may change texturing or where control goes. */
bool source_matters(struct run *r, size_t from, size_t to);
void source_drop(struct run *r, const struct variable *to); /* the variables that were declared after `to` */
struct function *source_function(const struct run *r, const struct token *name);
/* What is put into the script next is of this token. */
void source_add_place(struct run *r, const struct token *t);

#endif
