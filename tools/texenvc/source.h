/* Internal: the interpreter of C source, `--from c`. source_cpp.c runs the preprocessor and source_tokens.c
 * splits its output into tokens. source_values.c evaluates expressions, with source_operate.c for arithmetic
 * and source_let.c for --let; source_declare.c interprets declarations, source_structs.c structures,
 * source_follow.c statements, source_calls.c calls. source_effect.c estimates what code that is not
 * interpreted may do. source_run.c has lookups of names; source_ways.c finds the functions and explores each
 * path through conditions that are not known. Every path writes the GL calls that it meets as a script of
 * constants, which the reader of GL calls reads. A value that is not certain is unknown, never guessed. */
#ifndef TEXENVC_SOURCE_H
#define TEXENVC_SOURCE_H

#include "input.h"

#include "texenv/c_token.h"

#include <string.h>

struct token {
    const char *s;
    uint32_t n, line, column, file_length;
    const char *file; /* the file that contains the token */
    uint32_t open;    /* 1 + the index of the enclosing "{"; 0: none */
    uint8_t kind;
    bool here; /* the token is in the input file itself, not in an included file */
};
struct tokens {
    /* begins with an additional ";", so that every token has a predecessor; ends with TEXENV_C_END */
    struct token *t;
    size_t n;
    char *text;
    uint32_t open;
    struct hash_set system; /* names of functions that system headers declare */
};
/* source_cpp.c: returns the text of a file after preprocessing, or NULL after a message. */
char *source_preprocess(struct reading *in, const char *path);
/* Splits a preprocessed text into tokens. path: the name that line markers have for the input file itself. */
void source_lex(struct tokens *tokens, const char *path);
/* With p at a "(", "[" or "{": returns the token after the matching bracket, or the end. */
size_t source_group(const struct tokens *tokens, size_t p);
/* Returns whether s is a word of the list, in which a blank precedes and follows each word. begins: whether s
 * begins with a word of the list. */
bool source_listed(const char *list, const char *s, size_t n, bool begins);
static inline bool token_in(const struct token *t, const char *list)
{
    return t->kind != TEXENV_C_STRING && source_listed(list, t->s, t->n, false);
}
/* Returns the first token from p on that is in the list and not inside brackets opened after p; `end` if
 * there is none. */
size_t source_find(const struct tokens *k, size_t p, size_t end, const char *list);
static inline bool token_is(const struct token *t, const char *s)
{
    return strlen(s) == t->n && memcmp(t->s, s, t->n) == 0 && t->kind != TEXENV_C_STRING;
}

enum value_kind { VALUE_UNKNOWN, VALUE_INT, VALUE_REAL, VALUE_ARRAY, VALUE_FUNCTION };
enum c_type { C_OTHER, C_INT, C_UNSIGNED, C_SMALL, C_BOOL, C_BITS, C_FLOAT, C_DOUBLE };
struct value {
    uint8_t kind;
    bool is_unsigned, single; /* is_unsigned: type of an INT; single: a REAL is a float */
    bool pointer;             /* an ARRAY that represents an object: this value is its address */
    /* the number of an INT; the index of a FUNCTION; for UNKNOWN the identity of the unknown value,
     * complemented (~) for its negated condition, or 0 for no identity */
    int64_t i;
    double r;
    struct array *array;
    int64_t at; /* ARRAY: index of the element that it points to */
};
struct array {
    struct array *next;
    int64_t n;
    uint8_t type;
    bool constant, escaped;    /* escaped: as in struct variable */
    const struct shape *shape; /* for an object, whose elements are its members; else NULL */
    struct value *v;
};
/* Members of a structure or class (struct shape). */
struct field {
    const struct token *name;
    const struct shape *shape;
    int64_t length; /* number of elements of an array; 0: not known */
    uint8_t type;
    bool pointer, reference, array, function; /* function: a pointer to a function */
    bool rows;                                /* an array of arrays */
    size_t initial, initial_end;              /* token range of the initialiser in its declaration */
};
struct shape {
    struct shape *next;
    const struct token *tag; /* NULL if it has no tag */
    struct field *field;
    unsigned nfields;
    unsigned frame;      /* the function that declares it; 0: file scope */
    bool is_union, open; /* open: source_effect.c is currently analysing its constructors */
    uint64_t size;       /* number of elements, including those of nested objects */
    bool odd;            /* some members are not fully understood: initialisers are not interpreted */
    size_t bases, body;  /* token positions: of ":" after the tag, and of "{" */
};
struct variable {
    struct variable *next, *same; /* same: the variable to which a reference refers, if it is one */
    const struct token *name;
    unsigned frame; /* the function; 0: file scope */
    uint8_t type;
    bool constant, escaped; /* escaped: its address was taken, so other code may write it */
    bool stays;             /* a static variable of a function */
    bool pointer, assigned; /* assigned: on this path, so that --let does not apply any more */
    struct value v;
};
/* The result of an expression, and its location if it can be assigned to. */
struct result {
    struct value v;
    struct value *place;
    struct variable *variable; /* the variable that contains place; NULL if it is in an array */
    struct array *in;          /* the array whose element `at` it is, or NULL */
    int64_t at;
    uint8_t type;
    bool constant, let; /* let: a number from --let, which is also the value of each element */
};
struct function {
    const struct token *name, *of; /* of: class of a method, or NULL */
    size_t params, body;
    unsigned active; /* number of calls of the function that are being interpreted */
    uint8_t type;    /* return type */
    uint8_t effect;  /* 0: not computed; 1 + enum effect */
    unsigned order;  /* order of visit while its effect is being computed; 0: not being computed */
    bool called;
};
struct decision {
    unsigned taken, of;
    const struct token *at;
    size_t from, to; /* token range of the condition */
};
enum {
    MOST_WAYS = 64,
    MOST_DECISIONS = 32,
    MOST_STEPS = 1000000,    /* statements of all paths together */
    MOST_ELEMENTS = 1 << 22, /* limit for all arrays of a path together */
    MOST_NESTING = 200,
    MOST_CLASSES = 1 << 20,
    MOST_PLAIN = 1000, /* iterations of a loop that changes no GL state */
    MOST_ARGS = 32
};
/* Where control goes after a statement. EXIT: the program ends. UNKNOWN: not known; the enclosing statement
 * that does not change GL state is then abandoned. */
enum flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_EXIT, FLOW_UNKNOWN };
/* What a range of tokens may do at most. MAY_DRAW: calls unknown functions, which may draw. SETS: may change
 * GL state that a draw depends on, or leave the range. */
enum effect { EFFECT_NONE, EFFECT_MAY_DRAW, EFFECT_DRAWS, EFFECT_SETS };

struct run {
    struct reading *in;
    const struct options *o;
    struct tokens tokens;
    size_t p;
    struct variable *variables;
    struct array *arrays;
    struct function *function;
    size_t nfunctions, root; /* root: 1 + the index of the function to interpret */
    struct typename
    {
        const struct token *name;
        const struct shape *shape;
        uint8_t type;
    }
    *typename;
    size_t ntypenames;
    struct shape *shapes;
    const struct shape *shape;     /* structure of the type that was read last, or NULL */
    const struct function *inside; /* the current function */
    struct array **let;            /* values of --let that are arrays, created when needed */
    /* bit i: the name of --let i was assigned on this path; --let i was used */
    uint64_t let_over, let_used;
    uint64_t let_pointed;       /* bit i: the address of that name was taken on this path */
    bool lets_ended;            /* assignments of the whole file have been applied to let_over */
    uint64_t elements;          /* total number of array elements on this path */
    size_t statement, operand;  /* start of the current statement; start of an operator's left operand */
    uint64_t hash;              /* hash of this path's GL calls that matter */
    struct buffer not_followed; /* names of calls that are not interpreted */
    /* virtuals: names of virtual methods; operators: operators that are not only declared for classes */
    struct hash_set names, virtuals, operators;
    int64_t generated; /* number of generated names of textures and lists */
    unsigned frame, frames, nesting, skip, maybe;
    uint64_t steps, most_steps;
    unsigned order, lowest;   /* for the computation of effects (Tarjan's algorithm) */
    unsigned classes;         /* number of classes analysed on this path */
    bool quiet;               /* suppress error messages */
    bool failed, references;  /* references: the language is C++, where functions may write their arguments */
    bool no_function, states; /* states: some path delivered a state */
    bool drawless, all;       /* drawless: some path draws nothing; all: deliver such paths, too */
    /* lists: the file creates display lists; plain: the code being interpreted changes no GL state, so that
     * it is abandoned at an unknown condition */
    bool lists, plain;
    const struct token *main; /* the last statement in the input file itself */
    /* the class of the object whose method is called, if it is known exactly, or NULL */
    const struct token *object;
    uint8_t given;             /* result of source_given: 0: not computed, 1: no, 2: yes */
    const struct token *empty; /* the function of a path without GL calls */
    enum flow flow;
    struct value returned;
    struct decision decision[MOST_DECISIONS];
    unsigned ndecisions, used;
    uint64_t epoch,
        /* epoch: counter for identities of unknown values; changes: number of events that may have changed
         * memory without a known variable */
        changes;
    int64_t asked[MOST_DECISIONS]; /* identities of the values that the decisions are about */
    struct buffer script;
    struct script_place *place;       /* positions of the script */
    size_t nplaces, line_start, told; /* told: length of the script's part that comes from --enable */
    uint32_t lines;
};
const struct token *source_at(const struct run *r);
bool source_take(struct run *r, const char *s);
void source_expect(struct run *r, const char *s);
void source_fail(struct run *r, const struct token *at, const char *code, const char *format, ...)
    PRINTF_LIKE(4, 5);
struct result source_expression(struct run *r); /* including the comma operator */
struct result source_assignment(struct run *r);
/* source_operate.c: arithmetic. The result is unknown if i is outside the range of int or unsigned. */
struct value source_integer(int64_t i, bool is_unsigned);
/* Returns whether the value is an object itself, not a pointer. A class may define its own operators. */
static inline bool source_is_object(struct value v)
{
    return v.kind == VALUE_ARRAY && v.array->shape && !v.pointer;
}
struct value source_real(double r, bool single);
bool source_is_number(struct value v);
double source_as_real(struct value v);
struct value source_number(const struct token *t); /* value of a literal in the source */
/* Computes a op b. n: the length of the operator without the "=" of an assignment. */
struct value source_operate(const struct token *op, size_t n, struct value a, struct value b);
/* source_let.c: gets the --let value of the expression from..to, followed by "[*index]" if index is not NULL.
 * Returns false if there is none. */
bool source_let_value(struct run *r, size_t from, size_t to, const int64_t *index, struct result *e);
void source_say_lets(const struct run *r); /* warns about each --let without effect */
/* Call when the variable named by these tokens is assigned: its --let, and those of names that may be the
 * same variable, do not apply any more. */
void source_end_let(struct run *r, size_t from, size_t to);
/* Calls source_end_let for every variable that these tokens assign or take the address of. */
void source_end_lets(struct run *r, size_t from, size_t to);
bool source_assigns(const struct token *t);
/* Call when the address of the variable named by these tokens is taken. */
void source_point_let(struct run *r, size_t from, size_t to);
/* Sets the unknown elements of an array to the --let value of its name. */
void source_let_array(struct run *r, const struct token *name, struct array *a);
struct value source_convert(struct value v, uint8_t type);
bool source_is_type(const struct run *r, size_t p);
uint8_t source_type(struct run *r, bool *constant, bool *is_typedef);
int source_truth(struct value v); /* 1 or 0, or -1 if unknown */
/* marks variables that the tokens may write as unknown */
void source_forget(struct run *r, size_t from, size_t to);
void source_forget_file(struct run *r);
void source_forget_array(struct array *a);
/* itself: also the pointer, not only the array it points to */
void source_forget_variable(struct variable *v, bool itself);
void source_escape(struct value v); /* other code may write the array from now on */
struct variable *source_declare(struct run *r, const struct token *name, uint8_t type, struct value v);
struct variable *source_variable(const struct run *r, const struct token *name);
struct array *source_array(struct run *r, int64_t n, uint8_t type);
/* Returns the name under which a call is known after removal of prefixes and --alias; *n: its length. */
const char *source_call_name(const struct options *o, const struct token *t, size_t *n);
/* Returns the same for --alias only; NULL if there is none. *drop: number of arguments to remove before those
 * of GL. */
const char *source_alias(const struct options *o, const struct token *t, size_t *n, unsigned *drop);
bool source_same(const struct token *a, const struct token *b); /* whether both tokens have the same text */
bool source_is_gl(const char *name, size_t n);
/* Returns whether a GL call (name with "gl") can neither draw nor change a state. */
bool source_is_beside(const char *name, size_t n);
/* source_calls.c: interprets a call; the next token is the "(" after the name. f: the function that a called
 * pointer contains, or NULL. */
struct value source_call(struct run *r, const struct token *callee, const struct function *f);

/* An argument of a call of a function in the file. */
struct arg {
    struct value v;
    size_t from, to; /* token range */
};
struct value source_enter(struct run *r, const struct function *f, const struct arg *arg, unsigned n);
/* Returns the token after the "<...>" of C++ at p, or p if there is none. */
size_t source_angles(const struct tokens *k, size_t p);
/* source_structs.c: reads the members of a structure at its "{". tag may be NULL. */
struct shape *source_read_shape(struct run *r, const struct token *tag, bool is_union);
/* Returns the structure with this tag, or NULL if there is none, or several and it is not known which one
 * is meant. */
struct shape *source_shape_of(const struct run *r, const struct token *tag);
void source_forget_shapes(struct run *r);
struct value source_object(struct run *r, const struct shape *s); /* a new object with unknown members */
/* Returns the value of a variable declared like f, either zero or unknown. */
struct value source_make(struct run *r, const struct field *f, bool zero);
/* Returns the value of a variable declared like f with the initialiser at p. */
struct value source_initial(struct run *r, const struct field *f);
/* Reads the declarator at p: *f and *constant contain the type before the call and are updated. Leaves p
 * after the name and array lengths. Returns NULL if there is no name. */
const struct token *source_declarator(struct run *r, struct field *f, bool *constant);
struct result source_member(const struct result *e, const struct token *name);
struct value source_copy(struct run *r, struct value v);
void source_make_constant(struct array *a);
bool source_is_function_member(const struct run *r, const struct token *name);
/* Returns a member of the class whose method is being interpreted; NULL if there is none or it is not known.
 */
const struct field *source_own_field(const struct run *r, const struct token *name);
bool source_is_class(const struct run *r, const struct token *tag);
/* Returns whether the function's name is `name`: "f" or "A::f". */
bool source_is_named(const struct function *f, const char *name);
/* source_ways.c: records a function whose head, name and "{" are at these tokens. */
void source_add_function(struct run *r, size_t head, size_t name, size_t body, const struct token *of);

/* source_follow.c: interprets the statement at p; source_declare.c: the declaration at p. */
void source_statement(struct run *r);
void source_declaration(struct run *r);
bool source_declares(const struct run *r, size_t p); /* whether a declaration begins at p */
/* Returns the token after the statement at p, which is not interpreted. */
size_t source_end_of_statement(const struct run *r, size_t p);
/* source_effect.c: compute the effect of tokens, of the call whose name is at t, and of a function's body
 * (whose return statements do not matter outside). */
/* leaving: leaving the range counts as SETS */
enum effect source_effect(struct run *r, size_t from, size_t to, bool leaving);
enum effect source_call_effect(struct run *r, const struct token *t);
enum effect source_body_effect(struct run *r, struct function *f);
bool source_is_ignored(const struct run *r, const struct token *t); /* because of --ignore */
bool source_is_of_library(const struct run *r, const struct token *t);
/* returns whether the name at p is not called, but its address is used */
bool source_is_given(const struct run *r, size_t p);
/* returns whether an unknown function pointer may point to a function that matters */
bool source_given(struct run *r);
/* Writes a draw to the script, or a mark if it is not certain. */
void source_put_draw(struct run *r, const struct token *t, bool certain);
/* Skips tokens that change no GL state: writes a draw if they draw, and marks what they write as unknown. */
void source_leave_out(struct run *r, size_t from, size_t to, enum effect effect);
/* Moves over tokens that cannot be interpreted; an error if they have an effect. */
void source_pass_over(struct run *r, size_t to);
/* Reports an error if constructors or destructors that matter are called in the tokens from p on. */
void source_check_implied(struct run *r, size_t to);
/* Returns whether the method may be virtual, so far as the file shows, and the call does not say of which
 * class it is. */
bool source_is_virtual(const struct run *r, const struct token *callee);
/* Returns whether the call may be of this function, judged by the class where that is known. */
bool source_may_be(const struct run *r, const struct function *f, const struct token *callee);
void source_drop(struct run *r, const struct variable *to); /* frees the variables declared after `to` */
/* Returns the nesting depth, from 1 on, in namespaces and classes of a declaration at `name`, if the name at
 * `use` may refer to it; else 0. */
unsigned source_depth(const struct run *r, const struct token *name, const struct token *use);
/* Returns whether the name is declared in a class, or as `A::name`. */
bool source_is_of_class(const struct run *r, const struct token *name);
struct function *source_function(const struct run *r, const struct token *name);
/* Returns the function that is called, as a method of r->object if that is set. NULL if it is none of the
 * file; if there are several candidates, NULL and *several. */
struct function *source_called(struct run *r, const struct token *callee, bool *several);
/* Decides which of `of` paths to take at a condition, given by the tokens from..to, whose value
 * is unknown. */
unsigned source_decide(struct run *r, const struct token *at, size_t from, size_t to, unsigned of);
/* Decides whether v is true; consistent with earlier decisions on this path about the same value. */
bool source_ask(struct run *r, const struct token *at, size_t from, size_t to, struct value v);
/* Returns an unknown value with an identity that depends only on the arguments. */
struct value source_same_value(const void *text, size_t n, int64_t a, int64_t b);
struct value source_inverse(struct value v);
/* Records that the following text of the script comes from this token. */
void source_add_place(struct run *r, const struct token *t);

#endif
