/* Sets of expressions (sets.h): a hash table with open addressing, by the first two keys. */
#include <stdlib.h>
#include <string.h>
#include "sets.h"

enum { FILTER = 1 << 27 };

static uint64_t hash(int64_t k0, int64_t k1)
{
    uint64_t h = (uint64_t)k0 * 0x9e3779b97f4a7c15u ^ (uint64_t)k1 * 0xff51afd7ed558ccdu;
    return (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
}

unsigned set_slot(const struct set *s, int64_t k0, int64_t k1)
{
    return (unsigned)(hash(k0, k1) >> 24) & (s->room - 1);
}

void *set_grown(void *old, int n, size_t size)
{
    if (n & (n - 1) || (n && n < 64)) /* the array has room for the next power of two, at least 64 */
        return old;
    void *new = realloc(old, (n ? 2 * (size_t)n : 64) * size);
    if (!new)
        exit(2);
    return new;
}

static void grow_slots(struct set *s)
{
    free(s->slot);
    s->room = s->room ? 2 * s->room : 1 << 12;
    if (!(s->slot = malloc(s->room * sizeof *s->slot)))
        exit(2);
    memset(s->slot, -1, s->room * sizeof *s->slot);
    for (int i = 0; i < s->n; i++) {
        unsigned k = set_slot(s, s->entry[i].key[0], s->entry[i].key[1]);
        while (s->slot[k] >= 0)
            k = (k + 1) & (s->room - 1);
        s->slot[k] = i;
    }
}

void set_add(struct set *s, const int64_t *key, int kind, const struct form *form, int half)
{
    if (2 * (unsigned)s->n >= s->room)
        grow_slots(s);
    unsigned k = set_slot(s, key[0], key[1]);
    struct entry *e = NULL;
    for (; s->slot[k] >= 0; k = (k + 1) & (s->room - 1), e = NULL)
        if (e = &s->entry[s->slot[k]], e->kind == kind && !memcmp(e->key, key, sizeof e->key))
            break;
    if (!e) {
        s->entry = set_grown(s->entry, s->n, sizeof *s->entry);
        s->slot[k] = s->n;
        e = &s->entry[s->n++];
        *e = (struct entry){.kind = kind, .first = -1};
        memcpy(e->key, key, sizeof e->key);
    }
    struct need need = need_of(form, half);
    for (int *i = &e->first; *i >= 0;) {
        struct node *o = &s->node[*i];
        if (no_more(&o->need, &need))
            return;
        if (no_more(&need, &o->need))
            *i = o->next;
        else
            i = &o->next;
    }
    s->node = set_grown(s->node, s->nnodes, sizeof *s->node);
    s->node[s->nnodes] = (struct node){*form, need, e->first};
    e->first = s->nnodes++;
}

void set_clear(struct set *s)
{
    s->n = s->nnodes = 0;
    if (s->room)
        memset(s->slot, -1, s->room * sizeof *s->slot);
}

void set_filter(struct set *s)
{
    if (!(s->filter = calloc(FILTER / 8, 1)))
        exit(2);
    for (int i = 0; i < s->n; i++) {
        uint64_t h = hash(s->entry[i].key[0], s->entry[i].key[1]) >> 37;
        s->filter[h / 8] |= (uint8_t)(1 << h % 8);
    }
}

void set_prefetch(const struct set *s, int64_t key0, int64_t key1)
{
#ifdef __GNUC__
    __builtin_prefetch(&s->filter[(hash(key0, key1) >> 37) / 8]);
#endif
}

bool set_may_have(const struct set *s, int64_t key0, int64_t key1)
{
    uint64_t h = hash(key0, key1) >> 37;
    return s->filter[h / 8] >> h % 8 & 1;
}
