#include "texenv/c_token.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c, bool utf8)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (utf8 && (unsigned char)c >= 0x80);
}

static size_t number(const char *s, size_t n, bool utf8)
{
    const bool hex = n > 1 && *s == '0' && (s[1] | 0x20) == 'x';
    size_t i = 1;
    while (i < n &&
           (is_letter(s[i], utf8) || is_digit(s[i]) || s[i] == '.' ||
            ((s[i] == '+' || s[i] == '-') && (s[i - 1] | 0x20) == (hex ? 'p' : 'e'))))
        i++;
    return i;
}

/* Returns the length of the literal without the quote at its end. */
static size_t string(const char *s, size_t n)
{
    size_t i = 1;
    while (i < n && s[i] != *s && s[i] != '\n')
        i += s[i] == '\\' && i + 1 < n && s[i + 1] != '\n' ? 2 : 1;
    return i;
}

static size_t punctuator(const char *s, size_t n)
{
    static const char longer[][4] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                     "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                     "*=",  "/=",  "%=",  "&=", "|=", "^=", "::"};
    for (size_t i = 0; n > 1 && strchr("=<>&|+-:.", s[1]) && i < sizeof longer / sizeof *longer; i++)
        if (strlen(longer[i]) <= n && memcmp(s, longer[i], strlen(longer[i])) == 0)
            return strlen(longer[i]);
    return 1;
}

size_t texenv_scan_token(enum texenv_c_token *kind, const char *s, size_t n, bool utf8)
{
    *kind = TEXENV_C_END;
    if (n == 0)
        return 0;
    if (is_letter(*s, utf8)) {
        size_t i = 1;
        while (i < n && (is_letter(s[i], utf8) || is_digit(s[i])))
            i++;
        *kind = TEXENV_C_NAME;
        return i;
    }
    if (is_digit(*s) || (*s == '.' && n > 1 && is_digit(s[1]))) {
        *kind = TEXENV_C_NUMBER;
        return number(s, n, utf8);
    }
    if (*s == '"' || *s == '\'') {
        const size_t i = string(s, n);
        *kind = i < n && s[i] == *s ? TEXENV_C_STRING : TEXENV_C_OPEN_STRING;
        return i + (*kind == TEXENV_C_STRING);
    }
    *kind = TEXENV_C_PUNCT;
    return punctuator(s, n);
}
