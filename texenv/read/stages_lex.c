/* Lexer of the stage notation (notes/formats/stages.md), by longest match. */
#include "texenv/read/stages.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Returns the character n bytes ahead, or NUL after the end. A NUL in the text is no valid token either, so
 * the caller need not distinguish the two. */
static char peek(const struct stages_lexer *lexer, size_t n)
{
    return (size_t)(lexer->end - lexer->at) > n ? lexer->at[n] : '\0';
}

/* Returns the length of a line end at the current position: LF or CRLF; 0 if there is none. */
static size_t line_end(const struct stages_lexer *lexer)
{
    if (peek(lexer, 0) == '\n')
        return 1;
    return peek(lexer, 0) == '\r' && peek(lexer, 1) == '\n' ? 2 : 0;
}

static void next_line(struct stages_lexer *lexer, size_t length)
{
    lexer->at += length;
    lexer->line_start = lexer->at;
    lexer->line++;
}

/* Skips what separates tokens. Returns true if it skipped the newline that ends the state. */
static bool skip_blanks(struct stages_lexer *lexer)
{
    while (lexer->at < lexer->end) {
        size_t newline = line_end(lexer);
        if (newline) {
            next_line(lexer, newline);
            if (lexer->depth <= 0 && !lexer->comma)
                return true;
        } else if (*lexer->at == ' ' || *lexer->at == '\t') {
            lexer->at++;
        } else if (*lexer->at == '#') {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (*lexer->at == '\\') {
            struct stages_lexer after = *lexer;
            after.at++;
            newline = line_end(&after);
            if (!newline && after.at < after.end)
                return false; /* a backslash not before a newline is an invalid token */
            *lexer = after;
            if (newline)
                next_line(lexer, newline);
        } else {
            return false;
        }
    }
    return false;
}

/* Returns the length of a number: digits, point, digits, exponent. A point before a letter does not belong to
 * the number: 0.a is a term. */
static size_t number_length(const struct stages_lexer *lexer)
{
    size_t n = 0;
    while (is_digit(peek(lexer, n)))
        n++;
    if (peek(lexer, n) == '.' && !is_letter(peek(lexer, n + 1)) && (n > 0 || is_digit(peek(lexer, n + 1)))) {
        n++;
        while (is_digit(peek(lexer, n)))
            n++;
    }
    if (n > 0 && (peek(lexer, n) == 'e' || peek(lexer, n) == 'E')) {
        size_t digits = n + 1;
        if (peek(lexer, digits) == '+' || peek(lexer, digits) == '-')
            digits++;
        if (is_digit(peek(lexer, digits))) {
            for (n = digits; is_digit(peek(lexer, n));)
                n++;
        }
    }
    return n;
}

static size_t word_length(const struct stages_lexer *lexer)
{
    size_t n = 0;
    while (is_letter(peek(lexer, n)) || is_digit(peek(lexer, n)))
        n++;
    return n;
}

struct stages_token texenv_stages_lex(struct stages_lexer *lexer)
{
    struct stages_token token = {.kind = STAGES_END};
    const struct stages_lexer before = *lexer;
    bool newline = skip_blanks(lexer);
    if (newline || lexer->at == lexer->end) { /* the place of END is right after the last token */
        token.text = before.at;
        token.place.line = before.line;
        token.place.column = (uint32_t)(before.at - before.line_start) + 1;
        return token;
    }
    token.text = lexer->at;
    token.place.line = lexer->line;
    token.place.column = (uint32_t)(lexer->at - lexer->line_start) + 1;
    lexer->comma = false;

    char c = *lexer->at;
    token.length = 1;
    if (is_letter(c)) {
        token.kind = STAGES_NAME;
        token.length = word_length(lexer);
    } else if (number_length(lexer) > 0) {
        token.kind = STAGES_NUMBER;
        token.length = number_length(lexer);
    } else if (c == '@') {
        token.kind = STAGES_ATTR;
        lexer->at++;
        while (peek(lexer, 0) == ' ' || peek(lexer, 0) == '\t')
            lexer->at++;
        token.text = lexer->at;
        token.length = word_length(lexer);
    } else {
        token.kind = STAGES_BAD;
        for (const char *p = "{}()*+-~.,;:=?"; *p; p++)
            if (c == *p)
                token.kind = STAGES_PUNCT;
        if (c == '{' || c == '(')
            lexer->depth++;
        if ((c == '}' || c == ')') && lexer->depth > 0)
            lexer->depth--;
        lexer->comma = c == ',';
    }
    lexer->at += token.length;
    return token;
}

void texenv_stages_skip(struct stages_lexer *lexer, const struct stages_lexer *start,
                        const struct stages_token *token)
{
    struct stages_lexer to = *start;
    while (texenv_stages_lex(&to).kind != STAGES_END)
        ;
    if (to.depth > 0 || to.at < lexer->at) {
        to = *lexer; /* right after the token */
        size_t indent = (size_t)(token->text - to.line_start);
        bool opens_line = token->length == 1 && token->text[0] == '{' && token->place.line > start->line;
        for (size_t i = 0; opens_line && i < indent; i++)
            opens_line = to.line_start[i] == ' ' || to.line_start[i] == '\t';
        if (opens_line)
            to.at = token->text;
        else if (token->kind != STAGES_END) {
            while (to.at < to.end && *to.at != '\n')
                to.at++;
            if (to.at < to.end)
                next_line(&to, 1);
        }
    }
    to.depth = 0;
    to.comma = false;
    *lexer = to;
}
