/* Sets of keys, each with the forms for it: those that no other form of the key can stand for at the ports.
 */
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

/* room for one more than n elements; no room: ends the program */
void *set_grown(void *array, int n, size_t size);
void set_add(struct set *s, const int64_t *key, int kind, const struct form *form, int half);
void set_clear(struct set *s);
void set_filter(struct set *s); /* after the last addition: set_may_have is quick */
bool set_may_have(const struct set *s, int64_t key0, int64_t key1);
void set_prefetch(const struct set *s, int64_t key0, int64_t key1); /* that will be asked soon */

/* The entries with these first two keys: for (unsigned i = set_slot(...); s->room && s->slot[i] >= 0; i = (i
 * + 1) & (s->room - 1)), among others. */
unsigned set_slot(const struct set *s, int64_t key0, int64_t key1);

#endif
