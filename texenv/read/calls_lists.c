/* Display lists (5.4). A list stores the calls that texturing depends on. Consecutive draws without a state
 * change between them are stored as one draw, so a list with a thousand glBegin ... glEnd pairs
 * stays short. */
#include "texenv/read/calls.h"
#include "texenv/gl.h"

enum { NESTING = 64 }; /* MAX_LIST_NESTING: the minimum that GL demands; deeper calls are ignored (5.4) */

void texenv_calls_record(struct texenv_calls *calls, const struct texenv_op *op)
{
    struct texenv_list *list = calls->context->compiling;
    bool closes = op->kind == TEXENV_CALL_END && list->begun == 1;
    if (op->kind == TEXENV_CALL_BEGIN)
        list->begun++;
    else if (op->kind == TEXENV_CALL_END)
        list->begun = 0;
    if (list->count) {
        struct texenv_op *last = &list->op[list->count - 1];
        if (op->kind == TEXENV_CALL_DRAW && last->kind == TEXENV_CALL_DRAW && last->a == op->a)
            return;
        if (closes && last->kind == TEXENV_CALL_BEGIN) {
            last->kind = TEXENV_CALL_DRAW;
            if (list->count > 1 && last[-1].kind == TEXENV_CALL_DRAW && last[-1].a == last->a)
                list->count--, calls->listed--;
            return;
        }
    }
    if (calls->listed == TEXENV_MOST_LISTED) {
        TEXENV_CALLS_ERROR(calls, op->place, "limit", "more than %d calls in display lists",
                           TEXENV_MOST_LISTED);
        return;
    }
    calls->listed++;
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 8;
        void *ops = texenv_calls_resize(calls, list->op, capacity * sizeof *list->op);
        if (!ops) {
            calls->listed--;
            texenv_calls_no_memory(calls, op->place);
            return;
        }
        list->op = ops;
        list->capacity = capacity;
    }
    list->op[list->count] = *op;
    list->op[list->count++].text = NULL; /* the input text does not outlive the call */
}

void texenv_calls_new_list(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (op->a == 0) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                              "%s: a display list cannot be named 0; the call is ignored", "glNewList");
    } else if (op->b != GL_COMPILE && op->b != GL_COMPILE_AND_EXECUTE) {
        TEXENV_CALLS_GL_ERROR(
            calls, op, TEXENV_INVALID_ENUM,
            "glNewList: mode 0x%x is neither GL_COMPILE nor GL_COMPILE_AND_EXECUTE; the call is ignored",
            op->b);
    } else if (x->compiling) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_OPERATION,
                              "glNewList while list %u is being compiled; the call is ignored",
                              x->compiling_name);
    } else {
        x->compiling = texenv_calls_resize(calls, NULL, sizeof *x->compiling);
        if (!x->compiling) {
            texenv_calls_no_memory(calls, op->place);
            return;
        }
        memset(x->compiling, 0, sizeof *x->compiling);
        x->compiling_name = op->a;
        x->compiling_from = op->place;
        x->compile_only = op->b == GL_COMPILE;
    }
}

/* Stores the compiled list. An older list with the same name is replaced only now, because
 * COMPILE_AND_EXECUTE may have called the older list. */
void texenv_calls_end_list(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (!x->compiling) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_OPERATION, "%s without a glNewList before it",
                              "glEndList");
        return;
    }
    struct texenv_list *list = x->compiling, *old = texenv_map_get(&x->share->lists, x->compiling_name);
    x->compiling = NULL;
    if (texenv_map_put(calls, &x->share->lists, x->compiling_name, list)) {
        texenv_calls_list_free(calls, old);
    } else {
        texenv_calls_list_free(calls, list);
        texenv_calls_no_memory(calls, op->place);
    }
}

void texenv_calls_delete_lists(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_map *map = &calls->context->share->lists;
    if (op->v.i[0] < 0) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                              "glDeleteLists: range %d is negative; the call is ignored", op->v.i[0]);
        return;
    }
    uint64_t from = op->a, to = from + (uint32_t)op->v.i[0];
    if (to - from <= map->capacity) {
        for (uint64_t name = from; name < to; name++)
            texenv_calls_list_free(calls, texenv_map_remove(map, name));
    } else {
        for (size_t i = 0; i < map->capacity; i++)
            if (texenv_map_at(map, i) && map->entry[i].key >= from && map->entry[i].key < to)
                texenv_calls_list_free(calls, texenv_map_remove(map, map->entry[i].key));
    }
}

void texenv_calls_enter_lists(struct texenv_calls *calls, struct texenv_place place)
{
    if (calls->list_depth++ == 0) {
        calls->list_drawn = false;
        calls->list_place = place;
        calls->list_budget += 4000;
        calls->context->program_stamp = 0;
    }
}

void texenv_calls_leave_lists(struct texenv_calls *calls) { calls->list_depth--; }

void texenv_calls_call_list(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (calls->list_depth >= NESTING)
        return;
    struct texenv_list *list = texenv_map_get(&x->share->lists, op->a + (op->b ? x->list_base : 0));
    if (!list)
        return; /* calling an undefined list is not an error */
    /* Lists that call lists can expand to 2^64 calls from a few lines. Real programs stay far below this
     * budget. */
    uint64_t cost = calls->list_depth ? list->count + 1 : list->count / 16;
    if (cost > calls->list_budget) {
        if (!calls->said_budget)
            TEXENV_CALLS_ERROR(
                calls, calls->list_place, "lists-too-long",
                "display lists that call each other expand to too many calls; the rest of them is not run");
        calls->said_budget = true;
        return;
    }
    calls->list_budget -= cost;
    texenv_calls_enter_lists(calls, op->place);
    for (size_t i = 0; i < list->count && !calls->stopped; i++)
        texenv_calls_run(calls, &list->op[i]);
    texenv_calls_leave_lists(calls);
}
