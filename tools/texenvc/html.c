#include "html.h"

#include <ctype.h>
#include <string.h>

/* The length of the well-formed UTF-8 character at s, or 0 if there is none. */
static size_t utf8_length(const char *s, size_t n)
{
    const unsigned char c = (unsigned char)s[0];
    const size_t length = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (!length || length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    const unsigned char next = length > 1 ? (unsigned char)s[1] : 0;
    const bool wrong = (c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) ||
        (c == 0xf0 && next < 0x90) || (c == 0xf4 && next > 0x8f);
    return wrong ? 0 : length;
}

void add_html(struct buffer *b, const char *text, size_t length)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = utf8_length(text + i, length - i);
        const bool control = (unsigned char)text[i] < 0x20 && text[i] != '\n' && text[i] != '\t';
        if (!n || control || text[i] == 0x7f)
            buffer_puts(b, "\xef\xbf\xbd");
        else if (strchr("&<>\"'", text[i]))
            buffer_printf(b, "&#%d;", text[i]);
        else
            buffer_add(b, text + i, n);
        n = n ? n : 1;
    }
}

void add_html_formula(struct buffer *b, const char *element, const char *text, size_t length)
{
    for (size_t i = 0, n; i < length; i += n) {
        n = 1;
        const bool starts = !i || !isalnum((unsigned char)text[i - 1]);
        while (starts && i + n < length && isdigit((unsigned char)text[i + n]))
            n++;
        const bool ends = i + n == length || !isalpha((unsigned char)text[i + n]);
        if (starts && ends && strchr("TCFPS", text[i]))
            buffer_printf(b, "<%s class=\"%c\">%.*s</%s>", element, tolower((unsigned char)text[i]), (int)n,
                          text + i, element);
        else
            add_html(b, text + i, n);
    }
}
