/* Display lists. A list may change state and draw, in any order; the program of a draw depends on the state
 * when the list is called. So each list is kept as a sequence of GL's own lists, cut before and after each
 * draw, and of calls of other lists. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

enum kind { STATE, DRAW, CALLED };
struct item {
    enum kind kind;
    GLuint list;
    bool materials; /* set between Begin and End */
};
struct list {
    GLuint name;
    struct item *item;
    size_t n;
    struct list *next;
};

enum { BUCKETS = 1024, DEPTH = 64 /* GL's least MAX_LIST_NESTING */ };
static struct list *buckets[BUCKETS];

static struct {
    struct list *list; /* NULL: none */
    enum kind kind;    /* of the segment that is open */
    GLuint segment;
    bool materials; /* of the segment */
    GLenum mode;
} now;

static struct list *find(GLuint name)
{
    for (struct list *l = buckets[name % BUCKETS]; l; l = l->next)
        if (l->name == name)
            return l;
    return NULL;
}

static void clear(struct list *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->item[i].kind != CALLED)
            CALL(glDeleteLists, l->item[i].list, 1);
    free(l->item);
    l->item = NULL;
    l->n = 0;
}

static void run_item(const struct item *item);

static void add(enum kind kind, GLuint list)
{
    struct item *bigger = realloc(now.list->item, (now.list->n + 1) * sizeof *bigger);
    if (!bigger)
        return;
    now.list->item = bigger;
    bigger[now.list->n++] = (struct item){kind, list, kind == DRAW && now.materials};
}

static void end_real_list(void)
{
    static void (*real)(void);
    if (!real)
        real = (void (*)(void))(GLintptr)real_function("glEndList");
    real();
}

static void open_segment(enum kind kind)
{
    now.kind = kind;
    now.materials = false;
    now.segment = CALL(glGenLists, 1);
    CALL(glNewList, now.segment, GL_COMPILE);
}

static void close_segment(void)
{
    end_real_list();
    add(now.kind, now.segment);
    if (now.mode == GL_COMPILE_AND_EXECUTE && now.list->n)
        run_item(&now.list->item[now.list->n - 1]);
}

void list_note_material(void) { now.materials = true; }

bool list_compiling(void) { return now.list != NULL; }

void list_open_draw(void)
{
    close_segment();
    open_segment(DRAW);
}

void list_close_draw(void)
{
    close_segment();
    open_segment(STATE);
}

EXPORT void glNewList(GLuint name, GLenum mode)
{
    if (now.list || name == 0 || draw_in_begin || (mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE)) {
        CALL(glNewList, name, mode); /* GL says what is wrong */
        return;
    }
    struct list *l = find(name);
    if (!l) {
        l = calloc(1, sizeof *l);
        if (!l)
            return;
        l->name = name;
        l->next = buckets[name % BUCKETS];
        buckets[name % BUCKETS] = l;
    }
    clear(l);
    now.list = l;
    now.mode = mode;
    open_segment(STATE);
}

EXPORT void glEndList(void)
{
    if (!now.list) {
        end_real_list();
        return;
    }
    close_segment();
    GLuint name = now.list->name;
    now.list = NULL;
    CALL(glNewList, name, GL_COMPILE); /* the name is taken, and the list empty */
    end_real_list();
}

static void call(GLuint name, unsigned depth);

static void run_item(const struct item *item)
{
    struct list *compiling = now.list;
    now.list = NULL; /* of COMPILE_AND_EXECUTE */
    if (item->kind == CALLED) {
        call(item->list, 1);
    } else if (item->kind == DRAW && !draw_in_begin) {
        draw_sets_materials = item->materials;
        struct draw draw = draw_begin();
        draw_sets_materials = false;
        CALL(glCallList, item->list);
        draw_end(draw);
    } else {
        CALL(glCallList, item->list);
    }
    now.list = compiling;
}

static void call(GLuint name, unsigned depth)
{
    const struct list *l = find(name);
    if (depth > DEPTH)
        return;
    if (!l) { /* made behind our back: it may draw */
        run_item(&(struct item){.kind = DRAW, .list = name});
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->item[i].kind == CALLED)
            call(l->item[i].list, depth + 1);
        else
            run_item(&l->item[i]);
    }
}

EXPORT void glCallList(GLuint name)
{
    if (!now.list) {
        call(name, 1);
        return;
    }
    close_segment();
    add(CALLED, name);
    if (now.mode == GL_COMPILE_AND_EXECUTE)
        run_item(&now.list->item[now.list->n - 1]);
    open_segment(STATE);
}

/* Number i of an array of list offsets (GL 2.1, 5.4). */
static GLuint offset(GLenum type, const void *lists, GLsizei i)
{
    const GLubyte *b = lists;
    GLfloat f;
    switch (type) {
    case GL_BYTE: return (GLuint)((const GLbyte *)lists)[i];
    case GL_UNSIGNED_BYTE: return b[i];
    case GL_SHORT: return (GLuint)((const GLshort *)lists)[i];
    case GL_UNSIGNED_SHORT: return ((const GLushort *)lists)[i];
    case GL_INT:
    case GL_UNSIGNED_INT: return ((const GLuint *)lists)[i];
    case GL_FLOAT: memcpy(&f, b + (size_t)i * sizeof f, sizeof f); return (GLuint)(GLint)f;
    case GL_2_BYTES: return (GLuint)b[2 * i] << 8 | b[2 * i + 1];
    case GL_3_BYTES: return (GLuint)b[3 * i] << 16 | (GLuint)b[3 * i + 1] << 8 | b[3 * i + 2];
    default:
        return (GLuint)b[4 * i] << 24 | (GLuint)b[4 * i + 1] << 16 | (GLuint)b[4 * i + 2] << 8 | b[4 * i + 3];
    }
}

static GLint base_in_begin; /* it cannot change between Begin and End */

void list_before_begin(void) { CALL(glGetIntegerv, GL_LIST_BASE, &base_in_begin); }

EXPORT void glCallLists(GLsizei n, GLenum type, const void *lists)
{
    GLint base = base_in_begin;
    if (n < 0 || type < GL_BYTE || type > GL_4_BYTES) {
        CALL(glCallLists, n, type, lists);
        return;
    }
    if (!draw_in_begin)
        /* a list that sets the base itself counts from its call on, as here */
        CALL(glGetIntegerv, GL_LIST_BASE, &base);
    for (GLsizei i = 0; i < n; i++)
        glCallList((GLuint)base + offset(type, lists, i));
}

EXPORT void glDeleteLists(GLuint first, GLsizei n)
{
    for (GLsizei i = 0; i < n; i++) {
        struct list **at = &buckets[(first + (GLuint)i) % BUCKETS];
        while (*at && (*at)->name != first + (GLuint)i)
            at = &(*at)->next;
        if (!*at || *at == now.list)
            continue;
        struct list *l = *at;
        clear(l);
        *at = l->next;
        free(l);
    }
    CALL(glDeleteLists, first, n);
}
