/* Sets of keys with a list of expressions for each key. An expression that needs more ports than another one
   of the same key is left out. */
#ifndef SETS_H
#define SETS_H

#include <stddef.h>
#include "forms.h"

enum { KEYS = 4 };
struct node {
    struct form form;
    struct need need;
    int next;
};
struct entry {
    int64_t key[KEYS];
    int kind, first;
};
struct set {
    struct entry *entry;
    struct node *node;
    int n, nnodes, *slot;
    unsigned room;
    uint8_t *filter;
};

/* grows an array for at least one more element; exits if memory runs out */
void *set_grown(void *array, int n, size_t size);
void set_add(struct set *s, const int64_t *key, int kind, const struct form *form, int half);
void set_clear(struct set *s);
void set_filter(struct set *s); /* to be called after the last addition; makes set_may_have fast */
bool set_may_have(const struct set *s, int64_t key0, int64_t key1);
/* prefetches keys that will be looked up soon */
void set_prefetch(const struct set *s, int64_t key0, int64_t key1);

/* Returns the first slot for the two keys. All entries with these keys, and perhaps others, are at the slots
 * of for (unsigned i = set_slot(...); s->room && s->slot[i] >= 0; i = (i + 1) & (s->room - 1)). */
unsigned set_slot(const struct set *s, int64_t key0, int64_t key1);

#endif
