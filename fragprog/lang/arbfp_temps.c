/* Assigns temporaries of ARB programs by register classes and graph colouring. Operands have swizzles and
 * destinations have masks, so that a value's channels may be in any lanes of a temporary. The exceptions are
 * instructions that write fixed lanes (texels, light coefficients, ...), and results. A vec and the arguments
 * that it reads unswizzled share a temporary if possible, which saves moves. Finally the program is
 * rewritten. */
#include "fragprog/lang/arbfp.h"

#include "fragprog/alloc/bits.h"
#include "fragprog/alloc/colour.h"

#include <string.h>

/* A group of values that share a temporary component by component. It is identified by its first value. */
struct group {
    uint32_t begin[4], end[4];
    uint32_t before[4];  /* end of the live range of the component's earlier contents, or 0 */
    uint16_t content[4]; /* for each component: the value that it contains at the end */
    uint8_t components;
    bool own; /* components must be in their own lanes */
};

struct temps {
    struct fragprog_arbfp *a;
    struct group *group;        /* indexed by value */
    uint16_t *parent;           /* union-find parents */
    uint32_t *number;           /* index of a group among the values to be coloured */
    struct fragprog_inst *inst; /* the rewritten program */
    struct fragprog_colour_value *value;
    struct fragprog_colour_place *place;
    char *scratch; /* scratch memory of graph colouring */
};

enum { EDGES = 128 }; /* the memory suffices for this number of interferences per value */

/* Returns the bytes for graph colouring. A program with more interferences keeps its temporaries. */
static size_t room(size_t n) { return n * (200 + 4 * EDGES) + 4096; }

static size_t carve(struct temps *t, char *at, size_t n)
{
    struct fragprog_arena a = {.at = at};
    t->group = fragprog_take(&a, n, sizeof *t->group);
    t->parent = fragprog_take(&a, n, sizeof *t->parent);
    t->number = fragprog_take(&a, n, sizeof *t->number);
    t->inst = fragprog_take(&a, n, sizeof *t->inst);
    t->value = fragprog_take(&a, n, sizeof *t->value);
    t->place = fragprog_take(&a, n, sizeof *t->place);
    t->scratch = fragprog_take(&a, room(n), 1);
    return a.used;
}

size_t fragprog_arbfp_temps_scratch(unsigned insts)
{
    struct temps t;
    return carve(&t, NULL, insts);
}

static bool in_temporary(const struct temps *t, unsigned i)
{
    return t->a->value[i].temp != FRAGPROG_ARBFP_RESULT;
}

/* Returns true if the instruction writes channels to fixed lanes, independently of the mask. */
static bool has_places(unsigned op)
{
    return fragprog_op_is_lookup(op) || op == FRAGPROG_PROJ || op == FRAGPROG_LIT || op == FRAGPROG_DST ||
        op == FRAGPROG_XPD || op == FRAGPROG_SCS || op >= FRAGPROG_EXP;
}

/* Returns true if channel c of the result depends on lane c of each argument only. */
static bool by_channel(unsigned op)
{
    return !has_places(op) && !fragprog_op_is_dot(op) && !fragprog_op_has_effect(op);
}

/* ---- live ranges ---- */

static void begin_groups(struct temps *t)
{
    const struct fragprog *p = t->a->p;
    for (unsigned i = 0; i < p->ninst; i++) {
        struct group *g = &t->group[i];
        *g = (struct group){.components = p->inst[i].mask, .own = has_places(p->inst[i].op)};
        t->parent[i] = (uint16_t)i;
        for (unsigned c = 0; c < 4; c++) {
            g->begin[c] = i;
            g->end[c] = i + 1; /* a component is live when it is written, even if it is never read */
            g->content[c] = (uint16_t)i;
        }
    }
    for (unsigned i = 0; i < p->ninst; i++) {
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
            if (p->inst[i].src[s].file != FRAGPROG_VALUE)
                continue;
            unsigned read = fragprog_channels_read(&p->inst[i], s);
            struct group *g = &t->group[p->inst[i].src[s].index];
            /* a vec may write a part of its result before it has read all its arguments */
            uint32_t end = i + (p->inst[i].op == FRAGPROG_VEC);
            for (unsigned c = 0; c < 4; c++)
                if (read >> c & 1 && g->end[c] < end)
                    g->end[c] = end;
        }
    }
    for (unsigned h = 0; h < 2; h++) {
        struct group *g = &t->group[p->result[h]];
        g->own = true;
        for (unsigned c = 0; c < 4; c++)
            g->end[c] = p->ninst + 1u;
    }
}

static unsigned find(struct temps *t, unsigned i)
{
    while (t->parent[i] != i) {
        t->parent[i] = t->parent[t->parent[i]];
        i = t->parent[i];
    }
    return i;
}

/* ---- merging of vecs with their arguments ---- */

/* Returns true if the vec copies channel c of argument s without moving it. */
static bool takes(const struct fragprog_inst *vec, unsigned s, unsigned c)
{
    return vec->mask >> c & 1 && vec->src[s].lane[c] == c;
}

/* Tries to merge the group of the argument and that of the vec into one temporary. The channels that the vec
 * copies from the argument are shared. */
static bool merge(struct temps *t, unsigned vec, unsigned s)
{
    const struct fragprog_inst *inst = &t->a->p->inst[vec];
    unsigned from = inst->src[s].index, x = find(t, from), y = find(t, vec);
    if (x == y || !in_temporary(t, from) || !in_temporary(t, vec))
        return x == y;
    struct group *a = &t->group[x], *b = &t->group[y];
    struct group both = {.components = a->components | b->components, .own = a->own || b->own};
    for (unsigned c = 0; c < 4; c++) {
        const bool in_a = a->components >> c & 1, in_b = b->components >> c & 1;
        const bool shared = in_a && in_b && takes(inst, s, c) && b->content[c] == vec &&
            a->content[c] == from;
        const bool first = in_a && (!in_b || a->begin[c] <= b->begin[c]);
        const struct group *one = first ? a : b, *two = first ? b : a;
        if (in_a && in_b && (shared ? b->before[c] > a->begin[c] : one->end[c] > two->begin[c]))
            return false;
        both.before[c] = in_a && in_b && !shared ? one->end[c] : 0;
        for (unsigned g = 0; g < 2; g++) {
            const struct group *part = g ? b : a;
            if ((g ? in_b : in_a) && part->before[c] > both.before[c])
                both.before[c] = part->before[c];
        }
        both.begin[c] = one->begin[c];
        both.end[c] = in_a && in_b && two->end[c] > one->end[c] ? two->end[c] : one->end[c];
        both.content[c] = in_a && in_b && !shared ? two->content[c]
            : shared                              ? (uint16_t)vec
                                                  : one->content[c];
    }
    t->parent[x > y ? x : y] = (uint16_t)(x < y ? x : y);
    t->group[x < y ? x : y] = both;
    return true;
}

static void merge_vecs(struct temps *t)
{
    const struct fragprog *p = t->a->p;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < 2 && p->inst[i].op == FRAGPROG_VEC; s++)
            if (fragprog_arbfp_in_place(&p->inst[i], s))
                merge(t, i, s);
}

/* ---- colouring ---- */

static bool colour(struct temps *t, unsigned temps)
{
    const struct fragprog *p = t->a->p;
    struct fragprog_colour_request request = {.classes = &fragprog_classes_lanes,
                                              .value = t->value,
                                              .registers = temps - 1,
                                              .work = p->ninst < 64 ? 500 : 0};
    struct fragprog_colour_result result = {.place = t->place};
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct group *g = &t->group[i];
        if (t->parent[i] != i || !in_temporary(t, i))
            continue;
        const unsigned lanes = fragprog_lanes_of(g->components);
        struct fragprog_colour_value *v = &t->value[request.n];
        *v = (struct fragprog_colour_value){.class_ = (uint8_t)(lanes - 1),
                                            .components = g->components,
                                            .order = g->own ? FRAGPROG_COLOUR_OWN : FRAGPROG_COLOUR_ANY,
                                            .reg = FRAGPROG_COLOUR_NONE,
                                            .copy_of = FRAGPROG_COLOUR_NONE,
                                            .follows = FRAGPROG_COLOUR_NONE};
        memcpy(v->begin, g->begin, sizeof v->begin);
        memcpy(v->end, g->end, sizeof v->end);
        t->number[i] = request.n++;
    }
    if (fragprog_colour_scratch(&request) > room(p->ninst))
        return false;
    return fragprog_colour(&result, &request, t->scratch);
}

/* ---- rewriting the program ---- */

static const struct fragprog_colour_place *place_of(struct temps *t, unsigned value)
{
    return in_temporary(t, value) ? &t->place[t->number[find(t, value)]] : NULL;
}

static void rewrite_inst(struct temps *t, unsigned i)
{
    const struct fragprog_inst *old = &t->a->p->inst[i];
    struct fragprog_inst *inst = &t->inst[i];
    const struct fragprog_colour_place *to = fragprog_op_has_effect(old->op) ? NULL : place_of(t, i);
    *inst = *old;
    if (to)
        inst->mask = 0;
    for (unsigned c = 0; c < 4 && to; c++)
        if (old->mask >> c & 1)
            inst->mask |= (uint8_t)(1u << to->lane[c]);
    for (unsigned s = 0; s < fragprog_op_args(old->op); s++) {
        const struct fragprog_src *src = &old->src[s];
        const struct fragprog_colour_place *from = src->file == FRAGPROG_VALUE ? place_of(t, src->index)
                                                                               : NULL;
        for (unsigned c = 0; c < 4; c++) {
            unsigned at = to && by_channel(old->op) ? to->lane[c] : c;
            if (at > 3 || (to && by_channel(old->op) && !(old->mask >> c & 1)))
                continue;
            uint8_t lane = src->lane[c];
            if (from && lane <= FRAGPROG_W && from->lane[lane] <= 3)
                lane = from->lane[lane];
            inst->src[s].lane[at] = lane;
            inst->src[s].negate &= (uint8_t) ~(1u << at);
            inst->src[s].negate |= (uint8_t)((src->negate >> c & 1) << at);
        }
    }
}

bool fragprog_arbfp_colour(struct fragprog_arbfp *a, struct fragprog *rewritten, void *scratch)
{
    struct temps t = {.a = a};
    carve(&t, scratch, a->p->ninst);
    if (a->temps < 2)
        return false;
    begin_groups(&t);
    merge_vecs(&t);
    if (!colour(&t, a->temps))
        return false;
    for (unsigned i = 0; i < a->p->ninst; i++)
        rewrite_inst(&t, i);
    a->temps = 0;
    for (unsigned i = 0; i < a->p->ninst; i++) {
        const struct fragprog_colour_place *place = place_of(&t, i);
        if (!place)
            continue;
        a->value[i].temp = place->reg;
        a->temps = a->temps > place->reg ? a->temps : place->reg + 1u;
    }
    *rewritten = *a->p;
    rewritten->inst = t.inst;
    return true;
}
