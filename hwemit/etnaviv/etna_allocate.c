/* Temporaries by register classes: a result lies in any lanes of a temporary, since sources and destinations
 * have swizzles and masks. Inputs fill their temporaries at first, from 1 on; temporary 0 is the position's
 * (notes/facts/etnaviv.md A.1). The two numbers that a new transcendental function gives lie in xy or zw. */
#include "hwemit/etnaviv/etnaviv.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

enum { CLASS_HALVES = 4, CLASS_INPUT, CLASS_POSITION, CLASSES };

#define NOT_OF_POSITION 1, 0xffff
#define WHOLE 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15
const struct fragprog_classes hwemit_etna_classes = {
    .n = CLASSES,
    .class_ = {{0x0116, NOT_OF_POSITION},
               {0x1668, NOT_OF_POSITION},
               {0x6880, NOT_OF_POSITION},
               {0x8000, NOT_OF_POSITION},
               {1u << 3 | 1u << 12, NOT_OF_POSITION},
               {1u << 15, NOT_OF_POSITION},
               {1u << 15, 0, 1}},
    .nmasks = {4, 6, 4, 1, 2, 1, 1},
    .q = {{1, 2, 3, 4, 2, 4, 4},
          {3, 5, 6, 6, 5, 6, 6},
          {3, 4, 4, 4, 4, 4, 4},
          {1, 1, 1, 1, 1, 1, 1},
          {1, 2, 2, 2, 1, 2, 2},
          {1, 1, 1, 1, 1, 1, 1},
          {1, 1, 1, 1, 1, 1, 1}},
    .cover = {{1, 1, 2, 0, 4, 0, 0, 0, 8},
              {3, 3, 3, 3, 5, 5, 6, 0, 9, 9, 10, 0, 12},
              {7, 7, 7, 7, 7, 7, 7, 7, 11, 11, 11, 11, 13, 13, 14},
              {WHOLE},
              {3, 3, 3, 3, 12, 0, 0, 0, 12, 0, 0, 0, 12},
              {WHOLE},
              {WHOLE}},
    .builds = 1};

/* ---- lives: an operation reads before it writes; the first is at time 1 ---- */

/* What is read at the end goes on living. */
static void read_at(uint32_t *end, uint32_t time) { *end = *end > time ? *end : time; }

static void find_lives(struct etna *e)
{
    for (unsigned v = 0; v < e->nvalues; v++)
        for (unsigned c = 0; c < 4; c++) {
            e->value[v].begin[c] = e->value[v].kind == ETNA_INPUT ? 0 : UINT32_MAX;
            e->value[v].end[c] = e->value[v].kind == ETNA_OUTPUT ? e->nops + 1u : 0;
        }
    for (unsigned i = 0; i < e->nops; i++) {
        const struct etna_op *op = &e->op[i];
        for (unsigned s = 0; s < 3; s++) {
            const unsigned channels = hwemit_etna_reads(op, s);
            for (unsigned c = 0; channels >> c; c++)
                if (channels >> c & 1 && op->arg[s][c].file == ETNA_VALUE)
                    read_at(&e->value[op->arg[s][c].index].end[op->arg[s][c].lane], i + 1);
        }
        for (unsigned c = 0; c < 4; c++)
            if (op->mask >> c & 1)
                e->value[op->value].begin[c] = i + 1;
    }
}

static uint32_t first_begin(const struct etna_value *v)
{
    uint32_t first = UINT32_MAX;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1 && v->begin[c] < first)
            first = v->begin[c];
    return first;
}

static bool earlier(const void *user, uint32_t x, uint32_t y)
{
    const struct etna_value *value = user;
    return first_begin(&value[x]) < first_begin(&value[y]);
}

static void describe(const struct etna_value *from, struct fragprog_colour_value *v)
{
    *v = (struct fragprog_colour_value){.class_ = (uint8_t)(hwemit_etna_count(from->components) - 1),
                                        .components = from->components,
                                        .order = FRAGPROG_COLOUR_ANY,
                                        .reg = FRAGPROG_COLOUR_NONE,
                                        .copy_of = FRAGPROG_COLOUR_NONE,
                                        .follows = FRAGPROG_COLOUR_NONE};
    memcpy(v->begin, from->begin, sizeof v->begin);
    for (unsigned c = 0; c < 4; c++)
        v->end[c] = from->end[c] > from->begin[c] ? from->end[c] : from->begin[c] + 1;
    if (from->kind == ETNA_INPUT) {
        v->class_ = from->reg ? CLASS_INPUT : CLASS_POSITION;
        v->order = FRAGPROG_COLOUR_OWN;
        v->reg = from->reg;
    } else if (from->kind == ETNA_OUTPUT) {
        v->order = FRAGPROG_COLOUR_OWN;
    } else if (from->kind == ETNA_HALVES) {
        v->class_ = CLASS_HALVES;
        v->order = FRAGPROG_COLOUR_ASCENDING;
    }
}

static void *take(char **at, size_t n, size_t size)
{
    void *p = *at;
    *at += (n * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

bool hwemit_etna_allocate(struct etna *e)
{
    char *at = e->room;
    struct fragprog_colour_value *value = take(&at, e->nvalues, sizeof *value);
    struct fragprog_colour_place *place = take(&at, e->nvalues, sizeof *place);
    uint32_t *number = take(&at, e->nvalues, sizeof *number), *room = take(&at, e->nvalues, sizeof *room);
    unsigned n = 0;
    find_lives(e);
    for (unsigned v = 0; v < e->nvalues; v++)
        if (e->value[v].components)
            number[n++] = v;
    fragprog_sort(number, n, room, earlier, e->value);
    for (unsigned i = 0; i < n; i++)
        describe(&e->value[number[i]], &value[i]);
    const struct fragprog_colour_request request = {.classes = &hwemit_etna_classes,
                                                    .value = value,
                                                    .n = n,
                                                    .registers = e->temps,
                                                    .work = n < 64 ? 500 : 0};
    struct fragprog_colour_result result = {.place = place};
    if (at + fragprog_colour_scratch(&request) > e->room + e->nroom)
        return hwemit_etna_refuse_long(e);
    const bool fits = fragprog_colour(&result, &request, at);
    e->registers = (uint16_t)result.registers;
    e->whole = (uint16_t)result.whole;
    if (!fits) {
        e->failed = true;
        return hwemit_refuse(e->why, -1, "temporaries", "fewer values at once",
                             "the program needs %u temporaries, the chip has %u", (unsigned)result.registers,
                             (unsigned)e->temps);
    }
    for (unsigned i = 0; i < n; i++) {
        e->value[number[i]].reg = place[i].reg;
        memcpy(e->value[number[i]].lane, place[i].lane, 4);
    }
    return true;
}
