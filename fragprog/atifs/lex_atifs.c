/* Tokens of !!ATIfs1.0 texts (ATI_text_fragment_shader, 3.10.1): white space and comments separate tokens and
 * are otherwise free, also around the dots. Which words may begin with a digit depends on the place, so that
 * every word is lexed alike and the grammar decides. */
#include "fragprog/atifs/lex_atifs.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool fragprog_lex_fail(const struct fragprog_lex *lex, struct texenv_place place, const char *code,
                       const char *message)
{
    texenv_emit(lex->sink, TEXENV_ERROR, -1, place, code, "%s", message);
    return false;
}

bool fragprog_lex_expected(const struct fragprog_lex *lex, const char *what)
{
    const char *s = lex->text + lex->start;
    if (lex->kind == FRAGPROG_LEX_END)
        texenv_emit(lex->sink, TEXENV_ERROR, -1, lex->place, "syntax",
                    "expected %s, found the end of the text", what);
    else if (lex->kind == FRAGPROG_LEX_WORD)
        texenv_emit(lex->sink, TEXENV_ERROR, -1, lex->place, "syntax", "expected %s, found \"%.*s\"", what,
                    lex->size < 40 ? (int)lex->size : 40, s);
    else if (*s > ' ' && *s <= '~')
        texenv_emit(lex->sink, TEXENV_ERROR, -1, lex->place, "syntax", "expected %s, found \"%c\"", what, *s);
    else
        texenv_emit(lex->sink, TEXENV_ERROR, -1, lex->place, "syntax",
                    "expected %s, found the character 0x%x", what, (unsigned)(unsigned char)*s);
    return false;
}

/* ------------------------------------------------------------------------------------------------
 * Comments that are meant for programs: "# bind", "# const", "# color-sum" (notes/formats.md 5)
 */

/* Whether s is like the pattern, where "#" is a number, put into *number++, and a blank is one or more
 * blanks. Numbers stop at 99. */
static bool matches(const char *s, size_t n, const char *pattern, int *number)
{
    size_t at = 0;
    for (; *pattern; pattern++) {
        size_t from = at;
        if (*pattern == '#') {
            *number = 0;
            for (; at < n && s[at] >= '0' && s[at] <= '9'; at++)
                *number = *number < 10 ? *number * 10 + (s[at] - '0') : 99;
            number++;
        } else if (*pattern == ' ') {
            while (at < n && (s[at] == ' ' || s[at] == '\t'))
                at++;
        } else if (at < n && s[at] == *pattern) {
            at++;
        }
        if (at == from)
            return false;
    }
    return at == n;
}

static bool begins(const char *s, size_t n, const char *with, bool then_digit)
{
    size_t length = strlen(with);
    return n > length && memcmp(s, with, length) == 0 &&
        (!then_digit || (s[length] >= '0' && s[length] <= '9'));
}

/* " target=NAME" at the end of a "# bind": as fragprog_atifs_setup.target, and *n without it. */
static int take_target(const char *s, size_t *n)
{
    for (const struct fragprog_name *row = fragprog_ir_targets; row->text[0]; row++) {
        size_t name = strlen(row->text), all = strlen(" target=") + name;
        if (*n > all && memcmp(s + *n - name, row->text, name) == 0 &&
            memcmp(s + *n - all, " target=", all - name) == 0) {
            *n -= all;
            return row->value == TEXENV_2D ? 0 : row->value + 1;
        }
    }
    return 0;
}

/* s: the comment without "#" and without white space at its ends */
static void read_comment(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place)
{
    int number[3] = {0, 0, -1}, target = begins(s, n, "bind r", true) ? take_target(s, &n) : 0;
    if (matches(s, n, "bind r# texture=# coord=#", number) ||
        (number[2] = -1, matches(s, n, "bind r# texture=#", number))) {
        if (number[0] < FRAGPROG_REGISTERS && number[1] < TEXENV_UNITS && number[2] < TEXENV_UNITS) {
            if (lex->bind[number[0]].seen)
                lex->failed = !fragprog_lex_fail(lex, place, "metadata",
                                                 "a second \"# bind\" of one register");
            lex->bind[number[0]].seen = true;
            lex->bind[number[0]].texture = number[1];
            lex->bind[number[0]].coord = number[2];
            lex->bind[number[0]].target = target;
            lex->bind[number[0]].place = place;
            return;
        }
    } else if (matches(s, n, "const c# unit=# env-color", number)) {
        if (number[0] < ATIFS_CONSTANTS && number[1] < TEXENV_UNITS) {
            if (lex->konst[number[0]].seen)
                lex->failed = !fragprog_lex_fail(lex, place, "metadata",
                                                 "a second \"# const\" of one constant");
            lex->konst[number[0]].seen = true;
            lex->konst[number[0]].unit = number[1];
            lex->konst[number[0]].place = place;
            return;
        }
    } else if (matches(s, n, "color-sum in-program", number)) {
        lex->color_sum = true;
        return;
    } else if (!begins(s, n, "bind r", true) && !begins(s, n, "const c", true) &&
               !begins(s, n, "color-sum ", false)) {
        return; /* for people */
    }
    texenv_emit(lex->sink, TEXENV_WARNING, -1, place, "metadata",
                "this comment looks like one for programs, but is none: it is ignored");
}

/* ------------------------------------------------------------------------------------------------
 * Tokens
 */

static struct texenv_place place_of(const struct fragprog_lex *lex, size_t at)
{
    return (struct texenv_place){.line = lex->line, .column = (uint32_t)(at - lex->line_start) + 1};
}

/* A comment ends at a newline, a carriage return, or the end of the text. */
static void skip_comment(struct fragprog_lex *lex)
{
    const char *s = lex->text;
    size_t at = lex->next + 1, end = at;
    while (end < lex->length && s[end] != '\n' && s[end] != '\r')
        end++;
    struct texenv_place place = place_of(lex, lex->next);
    lex->next = end;
    while (at < end && (s[at] == ' ' || s[at] == '\t'))
        at++;
    while (end > at && (s[end - 1] == ' ' || s[end - 1] == '\t'))
        end--;
    read_comment(lex, s + at, end - at, place);
}

void fragprog_lex_next(struct fragprog_lex *lex)
{
    const char *s = lex->text;
    for (; lex->next < lex->length;) {
        char c = s[lex->next];
        if (c == '#') {
            skip_comment(lex);
        } else if (c == ' ' || c == '\t' || c == '\r') {
            lex->next++;
        } else if (c == '\n') {
            lex->line_start = ++lex->next;
            lex->line++;
        } else {
            break;
        }
    }
    lex->place = place_of(lex, lex->next);
    lex->start = lex->next;
    if (lex->next == lex->length) {
        lex->kind = FRAGPROG_LEX_END;
    } else if (!is_word(s[lex->next])) {
        lex->kind = FRAGPROG_LEX_CHAR;
        lex->next++;
    } else {
        lex->kind = FRAGPROG_LEX_WORD;
        while (lex->next < lex->length && is_word(s[lex->next]))
            lex->next++;
    }
    lex->size = lex->next - lex->start;
}

void fragprog_lex_init(struct fragprog_lex *lex, const char *text, size_t length, size_t next,
                       uint32_t first_line, const struct texenv_sink *sink)
{
    memset(lex, 0, sizeof *lex);
    lex->text = text;
    lex->length = length;
    lex->next = next;
    lex->line = first_line;
    lex->sink = sink;
    fragprog_lex_next(lex);
}

bool fragprog_lex_is(const struct fragprog_lex *lex, const char *token)
{
    return lex->kind != FRAGPROG_LEX_END && fragprog_name_is(token, lex->text + lex->start, lex->size);
}

bool fragprog_lex_accept(struct fragprog_lex *lex, const char *token)
{
    if (!fragprog_lex_is(lex, token))
        return false;
    fragprog_lex_next(lex);
    return true;
}

bool fragprog_lex_number(struct fragprog_lex *lex, double *value)
{
    const char *s = lex->text;
    size_t end = lex->start + texenv_scan_number(s + lex->start, lex->length - lex->start, value);
    if (end == lex->start || (end < lex->length && (is_word(s[end]) || s[end] == '.')))
        return fragprog_lex_expected(lex, "a number from 0 to 1");
    if (!(*value <= 1))
        return fragprog_lex_fail(
            lex, lex->place, "number",
            "a literal constant is in the range from 0 to 1 (ATI_text_fragment_shader, grammar)");
    lex->next = end;
    fragprog_lex_next(lex);
    return true;
}
