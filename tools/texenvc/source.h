/* Internal: C source as it stands, `--from c`. source_cpp.c runs the preprocessor; source_tokens.c cuts its
 * text into tokens; source_values.c computes expressions, by source_operate.c and what --let gives
 * (source_let.c); source_declare.c follows declarations, source_structs.c what structures hold,
 * source_follow.c statements, source_calls.c calls; source_run.c finds functions and what matters;
 * source_ways.c goes each way through conditions that are not known in a run of its own, and writes the GL
 * calls that it meets as a script of constants, which the reader of GL calls reads. What is not certain is
 * unknown, never guessed. */
#ifndef TEXENVC_SOURCE_H
#define TEXENVC_SOURCE_H

#include "input.h"

#include <string.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_PUNCT };
struct token {
    const char *s;
    uint32_t n, line, column, file_length;
    const char *file; /* that it stands in */
    uint32_t open;    /* 1 + the row of the "{" around it; 0: none */
    uint8_t kind;
    bool here; /* in the file itself, not in one that it includes */
};
struct tokens {
    struct token *t; /* begins with a ";", so that each has one before it; ends with TOKEN_END */
    size_t n;
    char *text;
    uint32_t open;
    struct hash_set system; /* functions that headers of the system declare */
};
/* source_cpp.c: the text of a file after the preprocessor. NULL after a message. */
char *source_preprocess(struct reading *in, const char *path);
/* The tokens of a text that was preprocessed; path: the file itself in its line markers. */
void source_lex(struct tokens *tokens, const char *path);
/* After a "(", "[" or "{" at p: the token behind its partner, or the end. */
size_t source_group(const struct tokens *tokens, size_t p);
/* Whether a list of words, each with a blank before and behind it, has s; begins: or what s begins with. */
bool source_listed(const char *list, const char *s, size_t n, bool begins);
static inline bool token_in(const struct token *t, const char *list)
{
    return t->kind != TOKEN_STRING && source_listed(list, t->s, t->n, false);
}
/* The first token of the list from p on that stands in no brackets which begin there; else `end`. */
size_t source_find(const struct tokens *k, size_t p, size_t end, const char *list);
static inline bool token_is(const struct token *t, const char *s)
{
    return strlen(s) == t->n && memcmp(t->s, s, t->n) == 0 && t->kind != TOKEN_STRING;
}

enum value_kind { VALUE_UNKNOWN, VALUE_INT, VALUE_REAL, VALUE_ARRAY, VALUE_FUNCTION };
enum c_type { C_OTHER, C_INT, C_UNSIGNED, C_SMALL, C_BOOL, C_BITS, C_FLOAT, C_DOUBLE };
struct value {
    uint8_t kind;
    bool is_unsigned, single; /* INT: by its type; REAL: a float */
    bool pointer;             /* ARRAY that is an object: its address */
    int64_t i; /* FUNCTION: its row; UNKNOWN: which value it is, ~ of a condition: not it; 0: any */
    double r;
    struct array *array;
    int64_t at; /* ARRAY: of its element */
};
struct array {
    struct array *next;
    int64_t n;
    uint8_t type;
    bool constant, escaped;    /* escaped: as of a variable */
    const struct shape *shape; /* of an object: an element is a member; else NULL */
    struct value *v;
};
/* A structure or class. */
struct field {
    const struct token *name;
    const struct shape *shape;
    int64_t length; /* of an array; 0: not known */
    uint8_t type;
    bool pointer, reference, array, function; /* function: a pointer to one */
    bool rows;                                /* an array of arrays */
    size_t initial, initial_end;              /* tokens of what it is given where it is declared */
};
struct shape {
    struct shape *next;
    const struct token *tag; /* NULL: there is none */
    struct field *field;
    unsigned nfields;
    unsigned frame;      /* of the function that declares it; 0: of the file */
    bool is_union, open; /* open: what making one does is being looked at */
    uint64_t size;       /* elements, with all that lies in it */
    bool odd;            /* not all of its members are known as they are: no initialiser is followed */
    size_t bases, body;  /* tokens: ":" behind the tag, "{" */
};
struct variable {
    struct variable *next, *same; /* same: what a reference is of, if that is a variable */
    const struct token *name;
    unsigned frame; /* 0: of the file */
    uint8_t type;
    bool constant, escaped; /* escaped: its address was taken, others may write it */
    bool stays;             /* a static one of a function */
    bool pointer, assigned; /* assigned: on this way, so that --let says it no more */
    struct value v;
};
/* What an expression gave, and where it lies if that can be assigned to. */
struct result {
    struct value v;
    struct value *place;
    struct variable *variable; /* that place is in, NULL: of an array */
    struct array *in;          /* that it is element `at` of; NULL */
    int64_t at;
    uint8_t type;
    bool constant, let; /* let: a number by --let, which is that of each element */
};
struct function {
    const struct token *name, *of; /* of: its class, or NULL */
    size_t params, body;
    unsigned active; /* calls that are being followed */
    uint8_t type;    /* of what it returns */
    uint8_t effect;  /* 0: not looked at; 1 + enum effect */
    unsigned order;  /* of those that are being looked at; 0: it is none */
    bool called;
};
struct decision {
    unsigned taken, of;
    const struct token *at;
    size_t from, to; /* tokens of the condition */
};
enum {
    MOST_WAYS = 64,
    MOST_DECISIONS = 32,
    MOST_STEPS = 1000000,    /* statements of all ways */
    MOST_ELEMENTS = 1 << 22, /* of all arrays of a way */
    MOST_NESTING = 200,
    MOST_CLASSES = 1 << 20,
    MOST_PLAIN = 1000, /* turns of a loop that sets nothing */
    MOST_ARGS = 32
};
/* EXIT: the program ends here. UNKNOWN: what the statement that does not matter outside goes on with is not
 * known. */
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_EXIT, FLOW_UNKNOWN };
/* What tokens may do, of which the greatest counts; SETS: set what is drawn with, or go elsewhere. */
enum effect { EFFECT_NONE, EFFECT_MAY_DRAW, EFFECT_DRAWS, EFFECT_SETS };

struct run {
    struct reading *in;
    const struct options *o;
    struct tokens tokens;
    size_t p;
    struct variable *variables;
    struct array *arrays;
    struct function *function;
    size_t nfunctions, root; /* root: row + 1 of the one that is followed */
    struct typename
    {
        const struct token *name;
        const struct shape *shape;
        uint8_t type;
    }
    *typename;
    size_t ntypenames;
    struct shape *shapes;
    const struct shape *shape;     /* of the type that was read last, or NULL */
    const struct function *inside; /* the function at hand */
    struct array **let;            /* lists of --let, as they are needed */
    uint64_t let_over, let_used;   /* bit i: what --let i names was assigned on this way; was used */
    uint64_t let_pointed;          /* its address was taken on this way */
    bool lets_ended;               /* of all that the file assigns */
    uint64_t elements;             /* of all arrays */
    size_t statement, operand;     /* where the one at hand begins; the left side of an operator */
    uint64_t hash;                 /* of the calls that count */
    struct buffer not_followed;    /* names of calls */
    struct hash_set names, virtuals, operators; /* virtuals: names of virtual methods; operators: those that
                                                   are declared for what may be no class */
    int64_t generated;                          /* names of textures and lists */
    unsigned frame, frames, nesting, skip, maybe;
    uint64_t steps, most_steps;
    unsigned order, lowest;   /* of functions that are being looked at */
    unsigned classes;         /* that were looked at on this way */
    bool quiet;               /* what goes wrong is not said */
    bool failed, references;  /* references: C++, whose functions may write what they are given */
    bool no_function, states; /* states: some way had one */
    bool drawless, all;       /* drawless: some way draws nothing; all: those are wanted, too */
    bool lists, plain; /* lists: some are made here; plain: what is followed sets nothing, so that it is left
                          where a condition is not known */
    const struct token *main;   /* the last statement of the file itself */
    const struct token *object; /* the class of what is called, itself and none derived from it; or NULL */
    uint8_t given;              /* 0: not looked for, 1: no, 2: yes */
    const struct token *empty;  /* the function of a way that had none */
    enum flow flow;
    struct value returned;
    struct decision decision[MOST_DECISIONS];
    unsigned ndecisions, used;
    uint64_t epoch,
        changes; /* of values that are not known; changes: how often what has no variable may have */
    int64_t asked[MOST_DECISIONS]; /* the values of the decisions */
    struct buffer script;
    struct script_place *place;       /* of the script */
    size_t nplaces, line_start, told; /* told: so much of the script is by --enable */
    uint32_t lines;
};
const struct token *source_at(const struct run *r);
bool source_take(struct run *r, const char *s);
void source_expect(struct run *r, const char *s);
void source_fail(struct run *r, const struct token *at, const char *code, const char *format, ...)
    PRINTF_LIKE(4, 5);
struct result source_expression(struct run *r); /* with commas */
struct result source_assignment(struct run *r);
/* source_operate.c: numbers. Unknown where an int, or an unsigned one, may not hold i. */
struct value source_integer(int64_t i, bool is_unsigned);
/* An object itself, of which a class may have operators of its own. */
static inline bool source_is_object(struct value v)
{
    return v.kind == VALUE_ARRAY && v.array->shape && !v.pointer;
}
struct value source_real(double r, bool single);
bool source_is_number(struct value v);
double source_as_real(struct value v);
struct value source_number(const struct token *t); /* of a constant in the source */
/* a op b; n: the length of the operator, without the "=" of an assignment. */
struct value source_operate(const struct token *op, size_t n, struct value a, struct value b);
/* source_let.c: what --let says of the expression from..to, with "[*index]" behind it. False: nothing. */
bool source_let_value(struct run *r, size_t from, size_t to, const int64_t *index, struct result *e);
void source_say_lets(const struct run *r); /* which had no effect */
/* What these tokens name is assigned: what --let says of it, and of what may be it, is over. */
void source_end_let(struct run *r, size_t from, size_t to);
void source_end_lets(struct run *r, size_t from, size_t to); /* of all that is assigned in these */
bool source_assigns(const struct token *t);
/* The address of what these tokens name is taken. */
void source_point_let(struct run *r, size_t from, size_t to);
/* Gives the elements of an array that are not known what --let says of its name. */
void source_let_array(struct run *r, const struct token *name, struct array *a);
struct value source_convert(struct value v, uint8_t type);
bool source_is_type(const struct run *r, size_t p);
uint8_t source_type(struct run *r, bool *constant, bool *is_typedef);
int source_truth(struct value v);                          /* -1: not known */
void source_forget(struct run *r, size_t from, size_t to); /* what may be written there is not known */
void source_forget_file(struct run *r);
void source_forget_array(struct array *a);
void source_forget_variable(struct variable *v, bool itself); /* itself: a pointer, what it points to, too */
void source_escape(struct value v);                           /* others may write it from now on */
struct variable *source_declare(struct run *r, const struct token *name, uint8_t type, struct value v);
struct variable *source_variable(const struct run *r, const struct token *name);
struct array *source_array(struct run *r, int64_t n, uint8_t type);
/* The name that a call stands for by the rules of wrappers; its length is put into *n. */
const char *source_call_name(const struct options *o, const struct token *t, size_t *n);
/* The same by --alias alone, or NULL; *drop: how many arguments stand before those of GL. */
const char *source_alias(const struct options *o, const struct token *t, size_t *n, unsigned *drop);
bool source_same(const struct token *a, const struct token *b); /* the same text */
bool source_is_gl(const char *name, size_t n);
/* Whether a GL call (name with "gl") can neither draw nor change a state. */
bool source_is_beside(const char *name, size_t n);
/* source_calls.c. At the "(" behind a name that is called; f: the function that a pointer holds, or NULL. */
struct value source_call(struct run *r, const struct token *callee, const struct function *f);

/* A call of a function of the file. */
struct arg {
    struct value v;
    size_t from, to; /* tokens */
};
struct value source_enter(struct run *r, const struct function *f, const struct arg *arg, unsigned n);
/* Behind the "<...>" of C++ at p, or p where there is none. */
size_t source_angles(const struct tokens *k, size_t p);
/* source_structs.c. At the "{" behind a tag, or NULL: its members. */
struct shape *source_read_shape(struct run *r, const struct token *tag, bool is_union);
/* NULL: there is none of this tag, or there are several, and it is not known which. */
struct shape *source_shape_of(const struct run *r, const struct token *tag);
void source_forget_shapes(struct run *r);
struct value source_object(struct run *r, const struct shape *s); /* nothing is known of it */
/* What is declared so, if nothing or zeros are known of it. */
struct value source_make(struct run *r, const struct field *f, bool zero);
/* What is declared so, by the initialiser at p. */
struct value source_initial(struct run *r, const struct field *f);
/* At p, a declarator: *f and *constant have what its type says before, and what it says then; p is behind its
 * name and lengths. NULL: it has no name. */
const struct token *source_declarator(struct run *r, struct field *f, bool *constant);
struct result source_member(const struct result *e, const struct token *name);
struct value source_copy(struct run *r, struct value v);
void source_make_constant(struct array *a);
bool source_is_function_member(const struct run *r, const struct token *name);
/* A member of the class whose method is followed; NULL: none, or not known. */
const struct field *source_own_field(const struct run *r, const struct token *name);
bool source_is_class(const struct run *r, const struct token *tag);
/* Whether it is "f" or "A::f". */
bool source_is_named(const struct function *f, const char *name);
/* source_ways.c: a function whose head, name and "{" are at these tokens. */
void source_add_function(struct run *r, size_t head, size_t name, size_t body, const struct token *of);

/* source_follow.c: the statement at p; source_declare.c: the declaration at p. */
void source_statement(struct run *r);
void source_declaration(struct run *r);
bool source_declares(const struct run *r, size_t p); /* whether a declaration begins at p */
/* The token behind the statement at p, which is not run. */
size_t source_end_of_statement(const struct run *r, size_t p);
/* source_effect.c: of tokens, of the call whose name is at t, of a function's body (where control goes inside
 * does not matter outside). */
enum effect source_effect(struct run *r, size_t from, size_t to, bool leaving); /* leaving: where control
                                                                                  goes counts, too */
enum effect source_call_effect(struct run *r, const struct token *t);
enum effect source_body_effect(struct run *r, struct function *f);
bool source_is_ignored(const struct run *r, const struct token *t); /* by --ignore */
bool source_is_of_library(const struct run *r, const struct token *t);
bool source_is_given(const struct run *r, size_t p); /* the name at p is no call, but an address */
bool source_given(struct run *r); /* whether a pointer that is not known may be of a function that matters */
/* A draw in the script, or a mark where one may be. */
void source_put_draw(struct run *r, const struct token *t, bool certain);
/* Tokens that set nothing are not followed: what they draw is drawn, what they write is not known. */
void source_leave_out(struct run *r, size_t from, size_t to, enum effect effect);
/* Moves over tokens that are not understood: an error if that matters. */
void source_pass_over(struct run *r, size_t to);
/* Constructors and destructors that matter in the tokens from p on are an error. */
void source_check_implied(struct run *r, size_t to);
/* Whether a method of this name is virtual by what is here, and it is not said of which class it is called.
 */
bool source_is_virtual(const struct run *r, const struct token *callee);
/* Whether a function may be what is called: by its class, where that can be told. */
bool source_may_be(const struct run *r, const struct function *f, const struct token *callee);
void source_drop(struct run *r, const struct variable *to); /* the variables that were declared after `to` */
/* How deep what the file declares at `name` lies in namespaces and classes, from 1 on, if it may be what is
 * named at `use`; else 0. */
unsigned source_depth(const struct run *r, const struct token *name, const struct token *use);
/* Whether it is declared in a class, or as `A::name`. */
bool source_is_of_class(const struct run *r, const struct token *name);
struct function *source_function(const struct run *r, const struct token *name);
/* The function that is called, of r->object. NULL: none of the file, or *several may be. */
struct function *source_called(struct run *r, const struct token *callee, bool *several);
/* Which of `of` ways is taken where the tokens from..to are not known. */
unsigned source_decide(struct run *r, const struct token *at, size_t from, size_t to, unsigned of);
/* The same, whether v is true: as it was decided before on this way, if it was. */
bool source_ask(struct run *r, const struct token *at, size_t from, size_t to, struct value v);
/* A value that is not known, but is the same wherever these are. */
struct value source_same_value(const void *text, size_t n, int64_t a, int64_t b);
struct value source_inverse(struct value v);
/* What is put into the script next is of this token. */
void source_add_place(struct run *r, const struct token *t);

#endif
