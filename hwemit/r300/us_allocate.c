/* Register allocation for fragment programs: assigns temporaries to units by graph colouring
 * (fragprog/alloc/colour.h), with a live range for each lane. Scalars may get any lane of the part
 * (colour or alpha) that their operation writes; other values keep their lanes. */
#include "hwemit/r300/us.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

/* ---- live ranges of lanes ---- */

/* Operation i reads values. A number whose lane is not fixed counts as lane 0. */
static void reads(struct us_program *a, uint32_t time, unsigned i)
{
    struct machine_src x[US_READS];
    for (unsigned k = 0, n = hwemit_us_values(a, i, x); k < n; k++) {
        const unsigned lane = hwemit_us_lane(a, &x[k]);
        a->value[hwemit_us_unit(a, x[k].index)].end[lane == US_ANY_LANE ? 0 : lane] = time;
    }
}

static void writes(struct us_program *a, uint32_t time, unsigned unit, unsigned lanes)
{
    struct us_value *u = &a->value[unit];
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1 && u->begin[c] == UINT32_MAX) {
            u->begin[c] = time;
            u->end[c] = time + 1;
        }
}

/* Returns the lanes of the temporary that half of op writes. */
static unsigned written(const struct us_program *a, const struct machine_op *op, unsigned half)
{
    const struct us_value *v = &a->value[op->value];
    const unsigned read = a->m->value[op->value].read;
    if (op->kind == US_VECTOR)
        return half == RGB ? op->mask & read : 0;
    const unsigned part = v->lane == US_ANY_LANE ? v->part : v->lane == 3 ? ALPHA : RGB;
    return !read || part != half ? 0 : v->lane == US_ANY_LANE ? 1 : 1u << v->lane;
}

static void pair_lives(struct us_program *a, uint32_t time, const struct pair *pair)
{
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE)
            reads(a, time, pair->half[half].op);
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE) {
            const struct machine_op *op = &a->m->op[pair->half[half].op];
            writes(a, time, hwemit_us_unit(a, op->value), written(a, op, half));
        }
}

/* Finds live ranges. In each texture block the lookups are executed first, then the pairs; each lookup or
 * pair reads before it writes. */
static void find_lives(struct us_program *a)
{
    const struct program *p = &a->p;
    uint32_t time = 0;
    for (unsigned u = 0; u < a->m->nvalues; u++)
        for (unsigned c = 0; c < 4; c++) {
            a->value[u].begin[c] = UINT32_MAX;
            a->value[u].end[c] = 0;
        }
    for (unsigned i = 0; i < a->m->ninputs; i++)
        writes(a, time, a->m->input[i].value, FRAGPROG_MASK_XYZW);
    unsigned n = 0;
    for (unsigned phase = 0; phase <= a->phases; phase++) {
        for (unsigned t = 0; t < a->nlookups; t++) {
            const struct machine_op *k = &a->m->op[t];
            if (k->phase != phase)
                continue;
            time++;
            reads(a, time, t);
            if (k->op != MACHINE_KILL) /* r500 writes only the channels that are read */
                writes(a, time, k->value,
                       p->chip->generation == R500 ? a->m->value[k->value].read : FRAGPROG_MASK_XYZW);
        }
        for (; n < p->npairs && p->pair[n].phase == phase; n++) {
            time++;
            pair_lives(a, time, &p->pair[n]);
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

bool hwemit_us_allocate(struct us_program *a)
{
    struct machine *m = a->m;
    char *at = m->room;
    struct machine_lives lives = {.n = 0};
    lives.value = hwemit_machine_take(&at, m->nvalues, sizeof *lives.value);
    lives.place = hwemit_machine_take(&at, m->nvalues, sizeof *lives.place);
    lives.number = hwemit_machine_take(&at, m->nvalues, sizeof *lives.number);
    uint32_t *room = hwemit_machine_take(&at, m->nvalues, sizeof *room);
    lives.room = at;
    find_lives(a);
    for (unsigned v = 0; v < m->nvalues; v++)
        if (first_begin(&a->value[v]) != UINT32_MAX)
            lives.number[lives.n++] = v;
    fragprog_sort(lives.number, lives.n, room, earlier, a);
    for (unsigned i = 0; i < lives.n; i++)
        describe(a, lives.number[i], &lives.value[i]);
    if (!hwemit_machine_colour(m, &lives, a->p.chip->temps)) {
        /* colour again with as many registers as needed, to report their number */
        hwemit_machine_colour(m, &lives, m->registers);
        return hwemit_refuse(m->why, -1, "temporaries", "fewer values at once",
                             "the program needs %u temporaries, the chip has %u", (unsigned)m->registers,
                             (unsigned)a->p.chip->temps);
    }
    a->p.temps = m->registers;
    return true;
}
