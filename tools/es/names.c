/* Tables of objects by name: a hash table with open addressing. */
#include "es.h"

#include <stdlib.h>

static uint32_t place(const struct es_names *names, GLuint name)
{
    uint32_t i = name * 2654435769u & (names->room - 1);
    while (names->slot[i].name && names->slot[i].name != name)
        i = (i + 1) & (names->room - 1);
    return i;
}

bool es_names_has(const struct es_names *names, GLuint name)
{
    return name && names->room && names->slot[place(names, name)].name == name;
}

/* Free slots have no object (see es_names_remove), so the result is NULL for a name that is not used. */
void *es_names_get(const struct es_names *names, GLuint name)
{
    return name && names->room ? names->slot[place(names, name)].object : NULL;
}

static bool grow(struct es_names *names)
{
    const struct es_names old = *names;
    names->room = old.room ? old.room * 2 : 64;
    names->slot = calloc(names->room, sizeof *names->slot);
    if (!names->slot) {
        *names = old;
        return !es_error(GL_OUT_OF_MEMORY);
    }
    for (uint32_t i = 0; i < old.room; i++)
        if (old.slot[i].name)
            names->slot[place(names, old.slot[i].name)] = old.slot[i];
    free(old.slot);
    return true;
}

bool es_names_put(struct es_names *names, GLuint name, void *object)
{
    if (names->count * 2 >= names->room && !grow(names))
        return false;
    struct es_name *slot = &names->slot[place(names, name)];
    names->count += !slot->name;
    *slot = (struct es_name){name, object};
    return true;
}

void es_names_remove(struct es_names *names, GLuint name)
{
    if (!es_names_has(names, name))
        return;
    uint32_t i = place(names, name);
    names->count--;
    names->slot[i] = (struct es_name){0, NULL};
    /* the removed entry may have displaced the entries after it: they are inserted again */
    for (i = (i + 1) & (names->room - 1); names->slot[i].name; i = (i + 1) & (names->room - 1)) {
        const struct es_name moved = names->slot[i];
        names->slot[i] = (struct es_name){0, NULL};
        names->slot[place(names, moved.name)] = moved;
    }
}

GLuint es_names_unused(const struct es_names *names, GLuint n)
{
    GLuint run = 0;
    for (GLuint name = 1; name < UINT32_MAX - 1; name++) {
        run = es_names_has(names, name) ? 0 : run + 1;
        if (run == n)
            return name - n + 1;
    }
    return 0;
}
