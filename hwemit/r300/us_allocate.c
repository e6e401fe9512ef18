/* Register allocation for fragment programs: assigns temporaries to units by graph colouring
 * (fragprog/alloc/colour.h), with a live range for each lane. Scalars may get any lane of the part
 * (colour or alpha) that their operation writes; other values keep their lanes. */
#include "hwemit/r300/us.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

struct line {
    struct us_program *a;
    uint32_t time;
    struct fragprog_colour_value *value;
    struct fragprog_colour_place *place;
    uint32_t *unit, *room; /* unit: all units, sorted by first write */
    char *scratch;
};

/* ---- live ranges of lanes ---- */

/* Returns the lane of a channel. A number whose lane is not fixed counts as lane 0. */
static unsigned lane_of(const struct us_program *a, const struct machine_src *c)
{
    const unsigned lane = hwemit_us_lane(a, c);
    return lane == 0xff ? 0 : lane;
}

static void reads(struct line *l, const struct machine_src *c)
{
    if (c->file != MACHINE_VALUE)
        return;
    struct us_value *u = &l->a->value[hwemit_us_unit(l->a, c->index)];
    const unsigned lane = lane_of(l->a, c);
    if (u->end[lane] < l->time)
        u->end[lane] = l->time;
}

static void writes(struct line *l, unsigned unit, unsigned lanes)
{
    struct us_value *u = &l->a->value[unit];
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1 && u->begin[c] == UINT32_MAX) {
            u->begin[c] = l->time;
            u->end[c] = l->time + 1;
        }
}

/* Returns the lanes of the temporary that half of op writes. */
static unsigned written(const struct us_program *a, const struct machine_op *op, unsigned half)
{
    const struct us_value *v = &a->value[op->value];
    const unsigned read = a->m->value[op->value].read;
    if (op->kind == US_VECTOR)
        return half == RGB ? op->mask & read : 0;
    const unsigned part = v->lane == 0xff ? v->part : v->lane == 3 ? ALPHA : RGB;
    return !read || part != half ? 0 : v->lane == 0xff ? 1 : 1u << v->lane;
}

static void pair_lives(struct line *l, const struct pair *pair)
{
    for (unsigned half = 0; half < 2; half++) {
        if (pair->half[half].op == NONE)
            continue;
        const struct machine_op *op = &l->a->m->op[pair->half[half].op];
        for (unsigned s = 0; s < hwemit_us_args(op, half); s++)
            for (unsigned c = 0; c < hwemit_us_read_channels(op, half); c++) {
                const struct machine_src chan = hwemit_us_reads(op, half, s, c);
                reads(l, &chan);
            }
        const struct machine_presub *presub = l->a->m->presub[pair->half[half].op];
        for (unsigned k = 0; k < 16 && presub[k / 8].op; k++)
            reads(l, &presub[k / 8].source[k / 4 % 2][k % 4]);
    }
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE) {
            const struct machine_op *op = &l->a->m->op[pair->half[half].op];
            writes(l, hwemit_us_unit(l->a, op->value), written(l->a, op, half));
        }
}

/* Finds live ranges. In each texture block the lookups are executed first, then the pairs; each lookup or
 * pair reads before it writes. */
static void find_lives(struct line *l)
{
    struct us_program *a = l->a;
    struct program *p = &a->p;
    for (unsigned u = 0; u < a->m->nvalues; u++)
        for (unsigned c = 0; c < 4; c++) {
            a->value[u].begin[c] = UINT32_MAX;
            a->value[u].end[c] = 0;
        }
    l->time = 0;
    for (unsigned i = 0; i < a->m->ninputs; i++)
        writes(l, a->m->input[i].value, FRAGPROG_MASK_XYZW);
    unsigned n = 0;
    for (unsigned phase = 0; phase <= a->phases; phase++) {
        for (unsigned t = 0; t < a->nlookups; t++) {
            const struct machine_op *k = &a->m->op[t];
            if (k->phase != phase)
                continue;
            l->time++;
            for (unsigned c = 0; c < 4; c++)
                if (k->terms >> c & 1)
                    reads(l, &k->arg[0][c]);
            if (k->op !=
                MACHINE_KILL) /* r300 and r400 write all four channels, r500 only those that are read */
                writes(l, k->value,
                       p->chip->generation == R500 ? a->m->value[k->value].read : FRAGPROG_MASK_XYZW);
        }
        for (; n < p->npairs && p->pair[n].phase == phase; n++) {
            l->time++;
            pair_lives(l, &p->pair[n]);
        }
    }
}

/* ---- registers ---- */

static uint32_t first_begin(const struct us_value *u)
{
    uint32_t first = UINT32_MAX;
    for (unsigned c = 0; c < 4; c++)
        first = u->begin[c] < first ? u->begin[c] : first;
    return first;
}

static bool earlier(const void *user, uint32_t x, uint32_t y)
{
    const struct us_program *a = user;
    const uint32_t begin = first_begin(&a->value[x]), other = first_begin(&a->value[y]);
    return begin < other || (begin == other && a->value[x].made < a->value[y].made);
}

static void describe(const struct us_program *a, unsigned unit, struct fragprog_colour_value *v)
{
    const struct us_value *u = &a->value[unit];
    const bool number = u->number && u->lane == US_ANY_LANE;
    unsigned lanes = 0, count = 0;
    for (unsigned c = 0; c < 4; c++)
        if (u->begin[c] != UINT32_MAX) {
            lanes |= 1u << c;
            count++;
        }
    *v = (struct fragprog_colour_value){.class_ = (uint8_t)(!number                ? count - 1
                                                                : u->part == ALPHA ? FRAGPROG_CLASS_ALPHA
                                                                                   : FRAGPROG_CLASS_COLOUR),
                                        .components = (uint8_t)lanes,
                                        .order = number ? FRAGPROG_COLOUR_ANY : FRAGPROG_COLOUR_OWN,
                                        .reg = FRAGPROG_COLOUR_NONE,
                                        .copy_of = FRAGPROG_COLOUR_NONE,
                                        .follows = FRAGPROG_COLOUR_NONE};
    if (a->m->value[unit].kind == MACHINE_INPUT)
        v->reg = a->m->value[unit].reg;
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1) {
            v->begin[c] = u->begin[c];
            v->end[c] = u->end[c] > u->begin[c] ? u->end[c] : u->begin[c] + 1;
        }
}

static bool colour(struct line *l)
{
    struct us_program *a = l->a;
    unsigned n = 0;
    for (unsigned u = 0; u < a->m->nvalues; u++)
        if (first_begin(&a->value[u]) != UINT32_MAX)
            l->unit[n++] = u;
    fragprog_sort(l->unit, n, l->room, earlier, a);
    for (unsigned i = 0; i < n; i++)
        describe(a, l->unit[i], &l->value[i]);
    struct fragprog_colour_request request = {.classes = &fragprog_classes_lanes,
                                              .value = l->value,
                                              .n = n,
                                              .registers = a->p.chip->temps,
                                              .work = a->m->ir->unbounded && n < 64 ? 500 : 0};
    struct fragprog_colour_result result = {.place = l->place};
    const size_t room = (size_t)(a->m->room + a->m->nroom - l->scratch);
    if (fragprog_colour_scratch(&request) > room)
        return hwemit_us_refuse_long(a);
    if (!fragprog_colour(&result, &request, l->scratch)) {
        /* colour again with as many registers as needed, to report their number */
        request.registers = result.registers;
        if (fragprog_colour_scratch(&request) <= room)
            fragprog_colour(&result, &request, l->scratch);
        return hwemit_refuse(a->m->why, -1, "temporaries", "fewer values at once",
                             "the program needs %u temporaries, the chip has %u", (unsigned)result.registers,
                             (unsigned)a->p.chip->temps);
    }
    a->p.temps = (uint16_t)result.registers;
    for (unsigned i = 0; i < n; i++) {
        a->m->value[l->unit[i]].reg = l->place[i].reg;
        memcpy(a->m->value[l->unit[i]].lane, l->place[i].lane, 4);
    }
    return true;
}

bool hwemit_us_allocate(struct us_program *a)
{
    char *at = a->m->room;
    struct line l = {.a = a};
    l.value = hwemit_machine_take(&at, a->m->nvalues, sizeof *l.value);
    l.place = hwemit_machine_take(&at, a->m->nvalues, sizeof *l.place);
    l.unit = hwemit_machine_take(&at, a->m->nvalues, sizeof *l.unit);
    l.room = hwemit_machine_take(&at, a->m->nvalues, sizeof *l.room);
    l.scratch = at;
    find_lives(&l);
    return colour(&l);
}
