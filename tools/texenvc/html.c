#include "html.h"

#include <ctype.h>
#include <string.h>

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
