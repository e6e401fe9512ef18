/* Memory management of the readers: hash maps, texture objects, share groups, contexts. */
#include "texenv/read/calls.h"

void *texenv_calls_resize(struct texenv_calls *calls, void *p, size_t size)
{
    const struct texenv_memory *memory = &calls->reader->memory;
    return memory->resize ? memory->resize(memory->user, p, size) : NULL;
}

/* ---- hash map ---- */

/* The value of a removed entry (a tombstone), at which a search continues. Only the address matters. */
static const char removed_mark;
#define REMOVED ((void *)(uintptr_t)&removed_mark)

static size_t slot_of(const struct texenv_map *map, uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return (size_t)(key ^ key >> 32) & (map->capacity - 1);
}

static struct texenv_map_entry *find_entry(const struct texenv_map *map, uint64_t key)
{
    if (!map->capacity)
        return NULL;
    for (size_t i = slot_of(map, key);; i = (i + 1) & (map->capacity - 1)) {
        struct texenv_map_entry *e = &map->entry[i];
        if (!e->value)
            return NULL;
        if (e->key == key && e->value != REMOVED)
            return e;
    }
}

void *texenv_map_get(const struct texenv_map *map, uint64_t key)
{
    struct texenv_map_entry *e = find_entry(map, key);
    return e ? e->value : NULL;
}

static void insert(struct texenv_map *map, uint64_t key, void *value)
{
    size_t i = slot_of(map, key);
    while (map->entry[i].value)
        i = (i + 1) & (map->capacity - 1);
    map->entry[i].key = key;
    map->entry[i].value = value;
    map->filled++;
    map->used++;
}

bool texenv_map_put(struct texenv_calls *calls, struct texenv_map *map, uint64_t key, void *value)
{
    struct texenv_map_entry *e = find_entry(map, key);
    if (e) {
        e->value = value;
        return true;
    }
    if ((map->filled + 1) * 4 > map->capacity * 3) {
        /* The new capacity depends on the entries in use, so removed entries do not make the map grow. */
        struct texenv_map bigger = {.capacity = 16};
        while (bigger.capacity < map->used * 3)
            bigger.capacity *= 2;
        bigger.entry = texenv_calls_resize(calls, NULL, bigger.capacity * sizeof *bigger.entry);
        if (!bigger.entry)
            return false;
        memset(bigger.entry, 0, bigger.capacity * sizeof *bigger.entry);
        for (size_t i = 0; i < map->capacity; i++)
            if (texenv_map_at(map, i))
                insert(&bigger, map->entry[i].key, map->entry[i].value);
        texenv_map_free(calls, map);
        *map = bigger;
    }
    insert(map, key, value);
    return true;
}

void *texenv_map_remove(struct texenv_map *map, uint64_t key)
{
    struct texenv_map_entry *e = find_entry(map, key);
    if (!e)
        return NULL;
    void *value = e->value;
    e->value = REMOVED;
    map->used--;
    return value;
}

void *texenv_map_at(const struct texenv_map *map, size_t slot)
{
    void *value = map->entry[slot].value;
    return value == REMOVED ? NULL : value;
}

void texenv_map_free(struct texenv_calls *calls, struct texenv_map *map)
{
    if (map->entry)
        texenv_calls_resize(calls, map->entry, 0);
    memset(map, 0, sizeof *map);
}

/* ---- texture objects ---- */

static void init_object(struct texenv_object *object, uint32_t name, int target)
{
    memset(object, 0, sizeof *object);
    object->name = name;
    object->target = target;
    object->references = 1;
    object->texture.depth_mode = TEXENV_LUMINANCE; /* table 6.21 */
    object->info.name = name;
}

struct texenv_object *texenv_calls_object_new(struct texenv_calls *calls, uint32_t name, int target)
{
    struct texenv_object *object = texenv_calls_resize(calls, NULL, sizeof *object);
    if (object)
        init_object(object, name, target);
    return object;
}

struct texenv_object *texenv_calls_object(struct texenv_calls *calls, uint32_t name, int target)
{
    if (name == 0)
        return &calls->context->zero[target];
    struct texenv_map *map = &calls->context->share->textures;
    struct texenv_object *object = texenv_map_get(map, name);
    if (object)
        return object;
    object = texenv_calls_object_new(calls, name, target);
    if (!object)
        return NULL;
    if (!texenv_map_put(calls, map, name, object)) {
        texenv_calls_resize(calls, object, 0);
        return NULL;
    }
    return object;
}

void texenv_calls_release(struct texenv_calls *calls, struct texenv_object *object)
{
    if (--object->references == 0)
        texenv_calls_resize(calls, object, 0);
}

void texenv_calls_bind(struct texenv_calls *calls, unsigned unit, int target, struct texenv_object *object)
{
    struct texenv_object **bound = &calls->context->bound[unit][target];
    object->references++;
    texenv_calls_release(calls, *bound);
    *bound = object;
}

/* ---- share groups ---- */

void texenv_calls_list_free(struct texenv_calls *calls, struct texenv_list *list)
{
    if (!list)
        return;
    calls->listed -= list->count;
    if (list->op)
        texenv_calls_resize(calls, list->op, 0);
    texenv_calls_resize(calls, list, 0);
}

static void release_share(struct texenv_calls *calls, struct texenv_share *share)
{
    if (--share->references)
        return;
    for (size_t i = 0; i < share->textures.capacity; i++)
        if (texenv_map_at(&share->textures, i))
            texenv_calls_release(calls, texenv_map_at(&share->textures, i));
    for (size_t i = 0; i < share->lists.capacity; i++)
        texenv_calls_list_free(calls, texenv_map_at(&share->lists, i));
    texenv_map_free(calls, &share->textures);
    texenv_map_free(calls, &share->lists);
    texenv_calls_resize(calls, share, 0);
}

/* ---- contexts ---- */

struct texenv_context *texenv_calls_context_new(struct texenv_calls *calls, struct texenv_context *share)
{
    struct texenv_context *x = texenv_calls_resize(calls, NULL, sizeof *x);
    if (!x)
        return NULL;
    memset(x, 0, sizeof *x);
    if (share) {
        x->share = share->share;
    } else {
        x->share = texenv_calls_resize(calls, NULL, sizeof *x->share);
        if (!x->share) {
            texenv_calls_resize(calls, x, 0);
            return NULL;
        }
        memset(x->share, 0, sizeof *x->share);
    }
    x->share->references++;
    texenv_init(&x->te);
    texenv_values_gl_init(&x->gl);
    for (unsigned c = 0; c < 4; c++)
        x->gl.color[c] = texenv_unknown();
    /* The textures named 0 belong to a context, because they have no name by which contexts could share them
     * (3.8.12). */
    for (int t = 0; t < TEXENV_TARGETS; t++) {
        init_object(&x->zero[t], 0, t);
        for (unsigned u = 0; u < TEXENV_IMAGE_UNITS; u++) {
            x->bound[u][t] = &x->zero[t];
            x->zero[t].references++;
        }
    }
    x->stamp = 1;
    x->next = calls->contexts;
    calls->contexts = x;
    calls->context_count++;
    return x;
}

void texenv_calls_context_free(struct texenv_calls *calls, struct texenv_context *context)
{
    struct texenv_context **link = &calls->contexts;
    while (*link && *link != context)
        link = &(*link)->next;
    if (*link)
        *link = context->next;
    for (unsigned u = 0; u < TEXENV_IMAGE_UNITS; u++)
        for (unsigned t = 0; t < TEXENV_TARGETS; t++)
            texenv_calls_release(calls, context->bound[u][t]);
    for (unsigned i = 0; i < TEXENV_ATTRIB_DEPTH; i++)
        if (context->attrib[i])
            texenv_calls_resize(calls, context->attrib[i], 0);
    texenv_calls_list_free(calls, context->compiling);
    release_share(calls, context->share);
    texenv_calls_resize(calls, context, 0);
    calls->context_count--;
}

void texenv_calls_context_share(struct texenv_calls *calls, struct texenv_context *from,
                                struct texenv_context *to)
{
    if (from->share == to->share)
        return;
    struct texenv_share *old = to->share;
    to->share = from->share;
    to->share->references++;
    to->stamp++;
    release_share(calls, old);
}

/* ---- struct texenv_calls ---- */

bool texenv_calls_init(struct texenv_calls *calls, struct texenv_reader *reader, bool trace)
{
    memset(calls, 0, sizeof *calls);
    calls->reader = reader;
    calls->trace = trace;
    calls->list_budget = 1000000;
    reader->draws = reader->program_draws = reader->skipped = reader->errors = reader->gl_errors =
        reader->images = 0;
    reader->truncated = false;
    texenv_names_index_tokens(&calls->names);
    texenv_names_index_calls(&calls->names);
    calls->context = texenv_calls_context_new(calls, NULL);
    if (!calls->context)
        texenv_calls_no_memory(calls, (struct texenv_place){0});
    return calls->context != NULL;
}

void texenv_calls_free(struct texenv_calls *calls)
{
    while (calls->contexts)
        texenv_calls_context_free(calls, calls->contexts);
    if (calls->items)
        texenv_calls_resize(calls, calls->items, 0);
    calls->items = NULL;
}

struct texenv_value *texenv_calls_item(struct texenv_calls *calls, struct texenv_place place)
{
    if (calls->item_count == TEXENV_MOST_ITEMS) {
        TEXENV_CALLS_ERROR(calls, place, "limit", "an array of more than %d elements", TEXENV_MOST_ITEMS);
        return NULL;
    }
    if (calls->item_count == calls->item_capacity) {
        size_t capacity = calls->item_capacity ? calls->item_capacity * 2 : 16;
        void *items = texenv_calls_resize(calls, calls->items, capacity * sizeof *calls->items);
        if (!items) {
            texenv_calls_no_memory(calls, place);
            return NULL;
        }
        calls->items = items;
        calls->item_capacity = capacity;
    }
    struct texenv_value *v = &calls->items[calls->item_count++];
    memset(v, 0, sizeof *v);
    return v;
}

void texenv_calls_count_error(struct texenv_calls *calls)
{
    if (++calls->reader->errors == 20 && !calls->stopped) {
        texenv_emit(&calls->reader->sink, TEXENV_NOTE, -1, (struct texenv_place){0}, "too-many-errors",
                    "too many errors: the rest is not read");
        calls->stopped = true;
    }
}

void texenv_calls_no_memory(struct texenv_calls *calls, struct texenv_place place)
{
    if (!calls->no_memory)
        TEXENV_CALLS_ERROR(calls, place, "no-memory", "out of memory");
    calls->no_memory = calls->stopped = true;
}
