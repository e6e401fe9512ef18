/* Internal: lexer (stages_lex.c) and parser (stages_func.c, stages_parse.c) of the stage notation,
 * notes/formats/stages.md. They know nothing about GL state: read_stages.c passes their results to the
 * setters. */
#ifndef TEXENV_STAGES_H
#define TEXENV_STAGES_H

#include "texenv/vertex.h"

#include <string.h>

struct stages_token {
    enum stages_kind {
        STAGES_END,    /* end of the state: of its line, or of the text */
        STAGES_NAME,   /* letters, digits and underscores, not beginning with a digit */
        STAGES_NUMBER, /* decimal, without sign */
        STAGES_ATTR,   /* @ and a word; text is the word */
        STAGES_PUNCT,  /* one character */
        STAGES_BAD     /* a byte that begins no token */
    } kind;
    const char *text;
    size_t length;
    struct texenv_place place;
};

struct stages_lexer {
    const char *at, *end; /* the next byte, and the end of the text */
    const char *line_start;
    uint32_t line;
    int depth;  /* number of open braces and parentheses; inside them a newline is a blank */
    bool comma; /* the last token was a comma, after which a newline is a blank */
};

/* A term as written, such as ~T3.a. */
struct stages_term {
    uint8_t source; /* enum texenv_source */
    uint8_t unit;   /* the unit of a TEXTURE source */
    bool complement, alpha;
    struct texenv_place place;
};

/* One half of a stage: its function, with the arguments in GL's order. */
struct stages_func {
    enum texenv_func func;
    struct stages_term arg[TEXENV_ARGS];
    struct texenv_place place;
};

struct stages_stage {
    enum texenv_mode mode; /* OFF, classic or COMBINE */
    /* valid for mode COMBINE; half[TEXENV_ALPHA] is derived if the text does not contain it */
    struct stages_func half[2];
    bool combine4; /* the attribute @combine4 is present */
    uint8_t scale[2];
    struct texenv_texture texture;
    enum texenv_target target;
    struct texenv_place place, mode_place, texture_place, target_place, scale_place[2];
};

struct stages_parser {
    struct stages_lexer lexer;
    struct stages_token token; /* the next token */
    const struct texenv_sink *sink;
    uint64_t errors;
    bool open; /* the parser is inside the braces of the last stage */
    /* The current state. */
    struct stages_stage stage[TEXENV_UNITS];
    unsigned nstages;
    float color[TEXENV_UNITS][4];
    struct texenv_place color_place[TEXENV_UNITS]; /* line 0: the colour is not set */
    struct texenv_place highest_place;             /* position of the term Tn with the highest n */
    unsigned highest;                              /* the highest n */
    enum texenv_fog fog;
    bool fog_coord, color_sum;
    enum texenv_compare alpha_test;
    float alpha_ref;
    struct texenv_vertex vertex; /* the vertex half as written, before canonicalisation */
    bool has_vertex;
};

/* Returns the token at the lexer's position and moves past it, for END also past the newline. */
struct stages_token texenv_stages_lex(struct stages_lexer *lexer);
/* Finds where to continue after an error at `token`, the last token read, in the state that began at `start`.
 * If the braces of the state balance, parsing continues after the state, so that a state on several lines
 * gives only one error. Otherwise a brace is missing, and parsing continues on the next line, or on the
 * error's own line if that line begins with the brace of a new state. */
void texenv_stages_skip(struct stages_lexer *lexer, const struct stages_lexer *start,
                        const struct stages_token *token);
/* Parses one state, whose first token is p->token (not END). Returns false after reporting an error. */
bool texenv_stages_parse(struct stages_parser *p);

/* Reports an error and evaluates to false. Arguments: place, unit, code, format ... */
#define STAGES_FAIL(p, place, unit, ...) \
    ((p)->errors++, texenv_emit((p)->sink, TEXENV_ERROR, unit, place, __VA_ARGS__), false)

/* ---- shared by stages_func.c and stages_parse.c ---- */

/* A token as arguments of "%.*s", at most 40 characters. */
#define STAGES_SHOWN(t) (int)((t).length < 40 ? (t).length : 40), (t).text

static inline void stages_advance(struct stages_parser *p) { p->token = texenv_stages_lex(&p->lexer); }

static inline bool stages_is(const struct stages_parser *p, char punct)
{
    return p->token.kind == STAGES_PUNCT && p->token.text[0] == punct;
}

static inline bool stages_is_word(const struct stages_token *t, const char *word)
{
    return t->length > 0 && strncmp(t->text, word, t->length) == 0 && word[t->length] == '\0';
}

/* Reports that `what` was expected at the current token. Returns false. unit: -1 outside the stages. */
bool texenv_stages_expected(struct stages_parser *p, int unit, const char *what);
/* Consumes the given punctuation, or reports an error and returns false. */
bool texenv_stages_take(struct stages_parser *p, int unit, char punct, const char *what);
/* Returns the classic mode with this name, or -1 if there is none. */
int texenv_stages_classic(const struct stages_token *t);
/* Parses one function (func in the grammar). */
bool texenv_stages_parse_func(struct stages_parser *p, unsigned unit, struct stages_func *func);

#endif
