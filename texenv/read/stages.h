/* Internal: lexer (stages_lex.c) and parser (stages_func.c, stages_parse.c) of the stage notation,
 * notes/formats/stages.md. They have no notion of GL state: read_stages.c feeds what they find to the
 * setters. */
#ifndef TEXENV_STAGES_H
#define TEXENV_STAGES_H

#include "texenv/vertex.h"

#include <string.h>

struct stages_token {
    enum stages_kind {
        STAGES_END,    /* of the state: of its line, or of the text */
        STAGES_NAME,   /* letters, digits and underscores, not beginning with a digit */
        STAGES_NUMBER, /* decimal, without sign */
        STAGES_ATTR,   /* @ and a word; text is the word */
        STAGES_PUNCT,  /* one character */
        STAGES_BAD     /* a byte that no token begins with */
    } kind;
    const char *text;
    size_t length;
    struct texenv_place place;
};

struct stages_lexer {
    const char *at, *end; /* the next byte, the end of the text */
    const char *line_start;
    uint32_t line;
    int depth;  /* open braces and parentheses: inside, a newline is a blank */
    bool comma; /* the last token was a comma: likewise */
};

/* One written term, such as ~T3.a. */
struct stages_term {
    uint8_t source; /* enum texenv_source; ZERO and ONE as written */
    uint8_t unit;   /* of a texture */
    bool complement, alpha;
    struct texenv_place place;
};

/* One half: function and its arguments in GL's slots. */
struct stages_func {
    enum texenv_func func;
    struct stages_term arg[TEXENV_ARGS];
    struct texenv_place place;
};

struct stages_stage {
    enum texenv_mode mode;      /* OFF, classic or COMBINE */
    struct stages_func half[2]; /* of COMBINE; [ALPHA] is filled in where the text leaves it out */
    bool combine4;              /* @combine4 stands there */
    uint8_t scale[2];
    struct texenv_texture texture;
    enum texenv_target target;
    struct texenv_place place, mode_place, texture_place, target_place, scale_place[2];
};

struct stages_parser {
    struct stages_lexer lexer;
    struct stages_token token; /* the one to look at */
    const struct texenv_sink *sink;
    uint64_t errors;
    bool open; /* inside the braces of the last stage */
    /* the state that is being read */
    struct stages_stage stage[TEXENV_UNITS];
    unsigned nstages;
    float color[TEXENV_UNITS][4];
    struct texenv_place color_place[TEXENV_UNITS]; /* line 0: not set */
    struct texenv_place highest_place;             /* the term with the highest Tn */
    unsigned highest;                              /* its n */
    enum texenv_fog fog;
    bool fog_coord, color_sum;
    enum texenv_compare alpha_test;
    float alpha_ref;
    struct texenv_vertex vertex; /* as written */
    bool has_vertex;
};

/* The token at the lexer's position; the position moves behind it. At the end of a state the newline is taken
 * too. */
struct stages_token texenv_stages_lex(struct stages_lexer *lexer);
/* Where to go on after an error at `token`, the last one read, in the state that began as `start`. If the
 * braces of the state balance, that is behind it, so that a state over several lines gives one error. If not,
 * a brace is missing: then it is the line after the error, or the error's own line if that begins with the
 * brace of a new state. */
void texenv_stages_skip(struct stages_lexer *lexer, const struct stages_lexer *start,
                        const struct stages_token *token);
/* Parses one state, whose first token is p->token (not END). False after an error, which has been emitted. */
bool texenv_stages_parse(struct stages_parser *p);

/* Emits an error; the value is false. Arguments: place, unit, code, format ... */
#define STAGES_FAIL(p, place, unit, ...) \
    ((p)->errors++, texenv_emit((p)->sink, TEXENV_ERROR, unit, place, __VA_ARGS__), false)

/* ---- for the two files of the parser ---- */

/* A token for a message; long ones are cut. */
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

/* Fails at the token because something else was expected. unit: -1 outside the stages. */
bool texenv_stages_expected(struct stages_parser *p, int unit, const char *what);
/* Takes the punctuation or fails. */
bool texenv_stages_take(struct stages_parser *p, int unit, char punct, const char *what);
/* The classic mode of this name; -1: none. */
int texenv_stages_classic(const struct stages_token *t);
/* Parses one function (func of the grammar). */
bool texenv_stages_parse_func(struct stages_parser *p, unsigned unit, struct stages_func *func);

#endif
