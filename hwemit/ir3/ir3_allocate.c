/* Registers by the classes of fragprog/alloc: each value is one number, in any lane of r0 to r47; values that
 * a lookup reads or writes side by side, and the colour, follow one another. */
#include "hwemit/ir3/ir3.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

enum { CLASS_ANY, CLASS_LANE, CLASSES = CLASS_LANE + 4 };

#define ANY_REGISTER 0, 0xffff
const struct fragprog_classes hwemit_ir3_classes = {
    .n = CLASSES,
    .class_ = {{1u << 1 | 1u << 2 | 1u << 4 | 1u << 8, ANY_REGISTER},
               {1u << 1, ANY_REGISTER},
               {1u << 2, ANY_REGISTER},
               {1u << 4, ANY_REGISTER},
               {1u << 8, ANY_REGISTER}},
    .nmasks = {4, 1, 1, 1, 1},
    .q = {{1, 1, 1, 1, 1}, {1, 1, 0, 0, 0}, {1, 0, 1, 0, 0}, {1, 0, 0, 1, 0}, {1, 0, 0, 0, 1}},
    .cover = {{1, 1, 2, 0, 4, 0, 0, 0, 8}, {1, 1}, {2, 0, 2}, {4, 0, 0, 0, 4}, {8, 0, 0, 0, 0, 0, 0, 0, 8}},
    .builds = 1};

/* ---- lives: an operation reads before it writes; the first is at time 1 ---- */

static void live_at(struct ir3_value *v, uint32_t time) { v->end = v->end > time ? v->end : time; }

static void lives_of_operations(struct ir3 *s)
{
    for (unsigned i = 0; i < s->nops; i++) {
        const struct ir3_op *op = &s->op[i];
        for (unsigned n = 0; n < op->n; n++)
            if (op->src[n].file == IR3_VALUE)
                live_at(&s->value[op->src[n].index], i + 1);
        if (op->kind == IR3_TWO && op->code == IR3_BARY)
            live_at(&s->value[s->ij + 1], i + 1);
        for (unsigned c = 0; c < hwemit_ir3_results(op); c++) {
            s->value[op->value + c].begin = i + 1;
            live_at(&s->value[op->value + c], i + 2);
        }
    }
}

/* Values that follow one another are placed together, so they begin together. */
static void find_lives(struct ir3 *s)
{
    const uint32_t end = s->nops + 1u;
    for (unsigned v = 0; v < s->nvalues; v++) {
        s->value[v].begin = s->value[v].fixed ? 0 : UINT32_MAX;
        s->value[v].end = s->value[v].fixed;
    }
    lives_of_operations(s);
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (s->output[o].value[c] != IR3_NO_VALUE)
                live_at(&s->value[s->output[o].value[c]], end);
    for (unsigned v = 0; v < s->nvalues; v++) {
        uint32_t begin = s->value[v].begin;
        if (s->value[v].follows != IR3_NO_VALUE)
            continue;
        for (unsigned u = v; s->value[u].followed != IR3_NO_VALUE; u = s->value[u].followed)
            begin = s->value[s->value[u].followed].begin < begin ? s->value[s->value[u].followed].begin
                                                                 : begin;
        for (unsigned u = v;; u = s->value[u].followed) {
            s->value[u].begin = begin;
            live_at(&s->value[u], begin + 1);
            if (s->value[u].followed == IR3_NO_VALUE)
                break;
        }
    }
}

/* Of what begins together, chains in their order. */
static bool earlier(const void *user, uint32_t x, uint32_t y)
{
    const struct ir3_value *value = user;
    return value[x].begin < value[y].begin;
}

/* Values that exist, chains in their order, which the sorting keeps. */
static unsigned list(const struct ir3 *s, uint32_t *number)
{
    unsigned n = 0;
    for (unsigned v = 0; v < s->nvalues; v++)
        if (s->value[v].follows == IR3_NO_VALUE && s->value[v].begin != UINT32_MAX)
            for (unsigned u = v; u != IR3_NO_VALUE; u = s->value[u].followed)
                number[n++] = u;
    return n;
}

static void describe(const struct ir3 *s, const uint32_t *place_of, unsigned v,
                     struct fragprog_colour_value *to)
{
    const struct ir3_value *from = &s->value[v];
    *to = (struct fragprog_colour_value){.class_ = CLASS_ANY,
                                         .components = 1,
                                         .order = FRAGPROG_COLOUR_ANY,
                                         .begin = {from->begin},
                                         .end = {from->end},
                                         .reg = FRAGPROG_COLOUR_NONE,
                                         .copy_of = FRAGPROG_COLOUR_NONE,
                                         .follows = FRAGPROG_COLOUR_NONE};
    if (from->follows != IR3_NO_VALUE)
        to->follows = place_of[from->follows];
    if (from->fixed) {
        to->class_ = (uint8_t)(CLASS_LANE + from->reg % 4);
        to->reg = from->reg / 4;
    }
}

static void *take(char **at, size_t n, size_t size)
{
    void *p = *at;
    *at += (n * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

bool hwemit_ir3_allocate(struct ir3 *s)
{
    char *at = s->room;
    struct fragprog_colour_value *value = take(&at, s->nvalues, sizeof *value);
    struct fragprog_colour_place *place = take(&at, s->nvalues, sizeof *place);
    uint32_t *number = take(&at, s->nvalues, sizeof *number), *other = take(&at, s->nvalues, sizeof *other);
    if (at > s->room + s->nroom)
        return hwemit_ir3_refuse_long(s);
    find_lives(s);
    const unsigned n = list(s, number);
    fragprog_sort(number, n, other, earlier, s->value);
    for (unsigned i = 0; i < n; i++)
        other[number[i]] = i;
    for (unsigned i = 0; i < n; i++)
        describe(s, other, number[i], &value[i]);
    const struct fragprog_colour_request request = {
        .classes = &hwemit_ir3_classes, .value = value, .n = n, .registers = IR3_REGISTERS, .work = 0};
    struct fragprog_colour_result result = {.place = place};
    if (at + fragprog_colour_scratch(&request) > s->room + s->nroom)
        return hwemit_ir3_refuse_long(s);
    const bool fits = fragprog_colour(&result, &request, at);
    s->registers = (uint16_t)result.registers;
    if (!fits) {
        s->failed = true;
        return hwemit_refuse(s->why, -1, "registers", "fewer values at once",
                             "the program needs %u registers, the chip has %d", (unsigned)result.registers,
                             IR3_REGISTERS);
    }
    for (unsigned i = 0; i < n; i++)
        s->value[number[i]].reg = (uint16_t)(4 * place[i].reg + place[i].lane[0]);
    return true;
}
