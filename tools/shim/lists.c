/* Display lists. A list can change state and draw, in any order, but the generated program of a draw depends
 * on the state at the time when the list is called. So each list of the application is stored as a sequence
 * of items: real GL lists ("segments", which end before and after each draw), and calls that the shim repeats
 * when the list is called. Applications choose any names for lists, so all their names are mapped here. The
 * names of the real GL lists are never visible to the application. */
#include "shim.h"

#include <stdlib.h>
#include <string.h>

enum kind { SEGMENT, CALLS, DEFERRED };
struct item {
    enum kind kind;
    /* opens: a draw (or Begin) starts before the item; closes: the draw ends after it */
    bool opens, closes;
    bool materials; /* with opens: materials are set between Begin and End */
    bool from_base; /* CALLS: the names are offsets from LIST_BASE */
    GLuint name;    /* SEGMENT: name of the real GL list */
    GLuint *called; /* CALLS: the n names */
    GLsizei n;
    void (*run)(const struct deferred *); /* DEFERRED: the call to repeat */
    struct deferred arguments;
};
struct list {
    unsigned group;
    GLuint name;
    struct item *item;
    size_t n;
    struct list *next;
};

enum { BUCKETS = 1024, DEPTH = 64 /* the smallest MAX_LIST_NESTING that GL allows */, MANY = 4096 };
static struct list *buckets[BUCKETS];
static GLuint highest; /* the largest name in use */

/* The list that a context is compiling. */
struct compiling {
    struct list list; /* its name is not defined before EndList */
    GLenum mode;
    struct item segment; /* the segment that is being compiled */
    /* GL_COMPILE_AND_EXECUTE: GL executes the segment while compiling it; the segment is no part of a draw
     * then */
    GLenum segment_mode;
    bool in_begin;
    /* if in_begin: index of the item that opened the draw, once that item is no longer `segment` */
    size_t opener;
};
/* some list sets a material outside of Begin and End; its caller may call it between them */
static bool called_lists_set_materials;

static struct list **find(GLuint name)
{
    const unsigned group = context_now()->group;
    struct list **at = &buckets[name % BUCKETS];
    while (*at && ((*at)->name != name || (*at)->group != group))
        at = &(*at)->next;
    return at;
}

static void clear(struct list *l, bool delete_segments)
{
    for (size_t i = 0; i < l->n; i++) {
        if (l->item[i].kind == SEGMENT && delete_segments)
            CALL(glDeleteLists, l->item[i].name, 1);
        free(l->item[i].called);
    }
    free(l->item);
    l->item = NULL;
    l->n = 0;
}

/* Returns the list of this name, and creates it if needed. Returns NULL if memory is exhausted. */
static struct list *define(GLuint name)
{
    struct list **at = find(name);
    if (!*at && (*at = calloc(1, sizeof **at))) {
        (*at)->name = name;
        (*at)->group = context_now()->group;
        if (name > highest)
            highest = name;
    }
    return *at;
}

static void undefine(struct list **at)
{
    struct list *l = *at;
    clear(l, true);
    *at = l->next;
    free(l);
}

bool list_compiling(void) { return context_now()->list != NULL; }

void lists_forget(struct context *context)
{
    if (context->list)
        clear(&context->list->list, false);
    free(context->list);
    context->list = NULL;
}

/* ---- compiling ---- */

static void run_item(const struct item *item, unsigned depth);

static void add(struct compiling *c, const struct item *item, bool execute)
{
    struct item *bigger = realloc(c->list.item, (c->list.n + 1) * sizeof *bigger);
    if (!bigger)
        return;
    c->list.item = bigger;
    bigger[c->list.n++] = *item;
    if (!execute)
        return;
    struct context *context = context_now();
    context->list = NULL;
    run_item(item, 1);
    context->list = c;
}

static void end_real_list(void) { CALL(glEndList, ); }

static void open_segment(struct compiling *c, GLenum mode)
{
    c->segment_mode = mode;
    c->segment = (struct item){.kind = SEGMENT, .name = CALL(glGenLists, 1)};
    CALL(glNewList, c->segment.name, mode);
}

static void close_segment(struct compiling *c)
{
    end_real_list();
    if (c->segment.opens)
        c->opener = c->list.n;
    add(c, &c->segment, c->mode != c->segment_mode);
}

static void add_between(struct compiling *c, const struct item *item)
{
    close_segment(c);
    add(c, item, c->mode == GL_COMPILE_AND_EXECUTE);
    open_segment(c, c->in_begin ? GL_COMPILE : c->mode);
}

bool list_defer(void (*run)(const struct deferred *), struct deferred arguments)
{
    struct compiling *c = context_now()->list;
    if (c)
        add_between(c, &(struct item){.kind = DEFERRED, .run = run, .arguments = arguments});
    return c;
}

bool list_open_draw(bool begin)
{
    struct compiling *c = context_now()->list;
    if (c->in_begin)
        return false;
    close_segment(c);
    open_segment(c, GL_COMPILE);
    c->segment.opens = true;
    c->in_begin = begin;
    return true;
}

void list_close_draw(void)
{
    struct compiling *c = context_now()->list;
    c->segment.closes = true;
    c->in_begin = false;
    close_segment(c);
    open_segment(c, c->mode);
}

void list_note_material(void)
{
    struct compiling *c = context_now()->list;
    if (!c->in_begin)
        called_lists_set_materials = true;
    else if (c->segment.opens)
        c->segment.materials = true;
    else if (c->opener < c->list.n)
        c->list.item[c->opener].materials = true;
}

EXPORT void glNewList(GLuint name, GLenum mode)
{
    struct context *context = context_now();
    if (context->list || name == 0 || draw_refuses() ||
        (mode != GL_COMPILE && mode != GL_COMPILE_AND_EXECUTE)) {
        CALL(glNewList, context->list ? name : 0, mode); /* let GL report the error */
        return;
    }
    struct compiling *c = calloc(1, sizeof *c);
    if (!c)
        return;
    c->list.name = name;
    c->mode = mode;
    context->list = c;
    open_segment(c, c->mode);
}

EXPORT void glEndList(void)
{
    struct context *context = context_now();
    struct compiling *c = context->list;
    if (!c) {
        end_real_list();
        return;
    }
    close_segment(c);
    context->list = NULL;
    struct list *l = define(c->list.name);
    if (l) {
        clear(l, true);
        l->item = c->list.item;
        l->n = c->list.n;
    }
    free(c);
}

/* ---- calling ---- */

static void call(GLuint name, unsigned depth)
{
    const struct list *l = *find(name);
    for (size_t i = 0; l && depth <= DEPTH && i < l->n; i++)
        run_item(&l->item[i], depth);
}

static void run_segment(const struct item *item)
{
    const bool opens = item->opens && !draw_in_begin, whole = opens && item->closes;
    struct draw draw = {DRAW_AS_IS, false};
    /* lists called between Begin and End may set materials, too */
    draw_mode = DRAW_UNKNOWN;
    draw_sets_materials = item->materials || (!item->closes && called_lists_set_materials);
    if (whole)
        draw = draw_begin();
    else if (opens)
        draw_open();
    draw_sets_materials = false;
    CALL(glCallList, item->name);
    if (whole)
        draw_end(draw);
    else if (item->closes && !item->opens)
        draw_close();
}

static GLint base_in_begin; /* LIST_BASE as of the last Begin; it cannot change before End */

void list_before_begin(void) { CALL(glGetIntegerv, GL_LIST_BASE, &base_in_begin); }

/* Returns the current LIST_BASE. A list that sets the base itself uses it only for calls after that. */
static GLuint list_base(void)
{
    GLint base = base_in_begin;
    if (!draw_in_begin)
        CALL(glGetIntegerv, GL_LIST_BASE, &base);
    return (GLuint)base;
}

static void run_item(const struct item *item, unsigned depth)
{
    if (item->kind == SEGMENT) {
        run_segment(item);
    } else if (item->kind == DEFERRED) {
        item->run(&item->arguments);
    } else {
        const GLuint base = item->from_base ? list_base() : 0;
        for (GLsizei i = 0; i < item->n; i++)
            call(base + item->called[i], depth + 1);
    }
}

EXPORT void glCallList(GLuint name)
{
    struct compiling *c = context_now()->list;
    if (!name) {
        CALL(glCallList, name); /* let GL report the error */
        return;
    }
    if (!c) {
        call(name, 1);
        return;
    }
    struct item item = {.kind = CALLS, .called = malloc(sizeof name), .n = 1};
    if (!item.called)
        return;
    *item.called = name;
    add_between(c, &item);
}

/* Returns element i of an array of list offsets (GL 2.1, 5.4). */
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

EXPORT void glCallLists(GLsizei n, GLenum type, const void *lists)
{
    struct compiling *c = context_now()->list;
    if (n < 0 || type < GL_BYTE || type > GL_4_BYTES || !lists) {
        CALL(glCallLists, n, type, lists); /* let GL report the error */
        return;
    }
    struct item item = {
        .kind = CALLS, .from_base = true, .called = malloc(((size_t)n + 1) * sizeof(GLuint)), .n = n};
    for (GLsizei i = 0; item.called && i < n; i++)
        item.called[i] = offset(type, lists, i);
    if (!item.called)
        return;
    if (c) {
        add_between(c, &item);
        return;
    }
    run_item(&item, 0);
    free(item.called);
}

/* ---- names ---- */

EXPORT GLboolean glIsList(GLuint name) { return draw_refuses() ? CALL(glIsList, 0) : *find(name) != NULL; }

/* Returns the first of `range` consecutive unused names, or 0 if there are none. */
static GLuint free_names(GLuint range)
{
    GLuint first = 1, n = 0;
    if (highest < UINT32_MAX - range)
        return highest + 1;
    while (n < range && first + n != 0) {
        if (*find(first + n)) {
            first += n + 1;
            n = 0;
        } else {
            n++;
        }
    }
    return n == range ? first : 0;
}

EXPORT GLuint glGenLists(GLsizei range)
{
    if (range <= 0 || draw_refuses())
        return CALL(glGenLists, range); /* let GL report the error */
    const GLuint first = free_names((GLuint)range);
    for (GLuint i = 0; first && i < (GLuint)range; i++)
        define(first + i);
    return first;
}

EXPORT void glDeleteLists(GLuint first, GLsizei range)
{
    if (range < 0 || draw_refuses()) {
        CALL(glDeleteLists, first, range); /* let GL report the error */
        return;
    }
    for (GLuint i = 0; range <= MANY && i < (GLuint)range; i++) {
        struct list **at = find(first + i);
        if (*at)
            undefine(at);
    }
    const unsigned group = context_now()->group;
    for (size_t b = 0; range > MANY && b < BUCKETS; b++)
        for (struct list **at = &buckets[b]; *at;)
            if ((*at)->group == group && (*at)->name - first < (GLuint)range)
                undefine(at);
            else
                at = &(*at)->next;
}

/* Answers queries for the list being compiled, as GL would if the application's lists were real. */
bool list_answers(GLenum pname, GLint *value)
{
    const struct compiling *c = context_now()->list;
    if (pname != GL_LIST_INDEX && pname != GL_LIST_MODE)
        return false;
    *value = !c ? 0 : pname == GL_LIST_INDEX ? (GLint)c->list.name : (GLint)c->mode;
    return true;
}

/* Creates one list for each character of a font; each draws a bitmap. */
EXPORT void glXUseXFont(unsigned long font, int first, int count, int base)
{
    const GLuint real = count > 0 ? CALL(glGenLists, count) : 0;
    CALL(glXUseXFont, font, first, count, (int)real);
    for (int i = 0; real && i < count; i++) {
        struct list *l = define((GLuint)base + (GLuint)i);
        struct item *item = l ? calloc(1, sizeof *item) : NULL;
        if (!item)
            return;
        *item = (struct item){.kind = SEGMENT, .opens = true, .closes = true, .name = real + (GLuint)i};
        clear(l, true);
        l->item = item;
        l->n = 1;
    }
}
