/* Counts the reasons for which inputs were not compared, by their texts. */
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
/* Adds a line " 3 not compared: TEXT" for each reason. */
void reasons_add(struct buffer *b, const struct reasons *r);
void reasons_free(struct reasons *r);

#endif
