#include "reasons.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = sizeof((struct reasons *)0)->why / sizeof *((struct reasons *)0)->why };

void reasons_count(struct reasons *r, const char *text)
{
    for (size_t i = 0; i < ROOM; i++) {
        if (i + 1 == ROOM)
            text = "for other reasons";
        if (!r->why[i].text)
            r->why[i].text = xstrndup(text, strlen(text));
        if (strcmp(r->why[i].text, text) != 0)
            continue;
        r->why[i].count++;
        return;
    }
}

void reasons_add(struct buffer *b, const struct reasons *r)
{
    for (size_t i = 0; i < ROOM && r->why[i].text; i++)
        buffer_printf(b, "  %" PRIu64 " not compared: %s\n", r->why[i].count, r->why[i].text);
}

void reasons_free(struct reasons *r)
{
    for (size_t i = 0; i < ROOM; i++)
        free(r->why[i].text);
}
