/* Register allocation for fragment programs: assigns temporaries to units by graph colouring
 * (fragprog/alloc/colour.h), with a live range for each lane. Scalars may get any lane of the part
 * (colour or alpha) that their operation writes; other values keep their lanes. */
#include "hwemit/r300/us.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

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
    return first_begin(&a->value[x]) < first_begin(&a->value[y]);
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
    memcpy(v->begin, u->begin, sizeof v->begin);
    memcpy(v->end, u->end, sizeof v->end);
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
