/* Why things were not compared, counted by their texts. */
#ifndef GLDIFF_REASONS_H
#define GLDIFF_REASONS_H

#include "tools/texenvc/output.h"

struct reasons {
    struct {
        char *text;
        uint64_t count;
    } why[64];
};
void reasons_count(struct reasons *r, const char *text);
/* "  3 not compared: TEXT", a line each. */
void reasons_add(struct buffer *b, const struct reasons *r);
void reasons_free(struct reasons *r);

#endif
