/* Register allocation of vertex programs: decides which values go to alternate temporaries, and colours
 * both register files (fragprog/alloc/colour.h). An instruction can read one alternate temporary at most. The
 * fewer registers of each file are used, the more vertices can be processed at the same time (each by one of
 * the chip's controllers). The option `atrm` selects a strategy: none, eager() or search(). */
#include "hwemit/r300/pvs.h"

#include "fragprog/alloc/colour.h"

#include <string.h>

enum { CLASS_MATH = 4, CLASSES = 8 };

/* The numbers of values below are indexes of `all`. */
struct allocation {
    struct machine *m;
    struct pvs *p;
    struct machine_lives all, some; /* all values; those in the file that is coloured */
    uint8_t *barred;                /* see hwemit_pvs_bar */
    /* the numbers of live components of temporaries and of alternate temporaries at each time */
    int32_t *live[2];
};

unsigned hwemit_pvs_controllers(const struct pvs *p)
{
    unsigned n = PVS_CONTROLLERS;
    if (p->temps && p->chip->memory / p->temps < n)
        n = p->chip->memory / p->temps;
    if (p->alternates && PVS_ALTERNATES / p->alternates < n)
        n = PVS_ALTERNATES / p->alternates;
    return n;
}

void hwemit_pvs_classes(struct fragprog_classes *to)
{
    struct fragprog_class class_[CLASSES];
    fragprog_classes_vec4(class_, 0, 0xffff);
    fragprog_classes_vec4(class_ + CLASS_MATH, 0, PVS_MATH_ALTERNATES);
    memset(to, 0, sizeof *to);
    fragprog_classes_build(to, class_, CLASSES);
}

unsigned hwemit_pvs_class(const struct machine_value *value)
{
    return (value->file == PVS_IN_MATH_ALTERNATE ? CLASS_MATH : 0) + hwemit_machine_count(value->components) -
        1;
}

static uint8_t *file_of(const struct allocation *a, unsigned n)
{
    return &a->m->value[a->all.number[n]].file;
}

/* Finds the live range of a value as a whole. */
static void extent(const struct fragprog_colour_value *v, uint32_t *first, uint32_t *last)
{
    *first = UINT32_MAX;
    *last = 0;
    for (unsigned c = 0; c < 4; c++)
        if (v->components >> c & 1) {
            *first = v->begin[c] < *first ? v->begin[c] : *first;
            *last = v->end[c] > *last ? v->end[c] : *last;
        }
}

/* Returns the maximum number of values that are live at once, for statistics: so many temporaries would be
 * needed if no two values shared one and there were no alternate temporaries. */
static unsigned whole(const struct allocation *a)
{
    int32_t *live = a->live[0], most = 0;
    memset(live, 0, (a->m->nops + 3u) * sizeof *live);
    for (unsigned n = 0; n < a->all.n; n++) {
        uint32_t t, last;
        for (extent(&a->all.value[n], &t, &last); t < last; t++)
            most = ++live[t] > most ? live[t] : most;
    }
    return (unsigned)most;
}

/* ---- colouring one file ---- */

/* Colours the values of one register file of size `most`. Sets *used to the number of registers needed. */
static bool colour(struct allocation *a, bool alternate, unsigned most, uint16_t *used)
{
    struct machine_lives *some = &a->some;
    some->n = 0;
    for (unsigned n = 0; n < a->all.n; n++)
        if ((*file_of(a, n) != PVS_IN_TEMPORARY) == alternate) {
            some->number[some->n] = a->all.number[n];
            some->value[some->n++] = a->all.value[n];
        }
    const bool fits = hwemit_machine_colour(a->m, some, most);
    *used = a->m->registers;
    return fits;
}

static bool both(struct allocation *a, unsigned temps, unsigned alternates)
{
    return colour(a, false, temps, &a->p->temps) && colour(a, true, alternates, &a->p->alternates);
}

/* ---- which values are in alternate temporaries ---- */

/* Adds `by` to the numbers of live components. */
static void count(struct allocation *a, unsigned n, int by)
{
    const struct fragprog_colour_value *v = &a->all.value[n];
    int32_t *live = a->live[*file_of(a, n) != PVS_IN_TEMPORARY];
    for (unsigned c = 0; v->components >> c; c++)
        for (uint32_t t = v->begin[c]; v->components >> c & 1 && t < v->end[c]; t++)
            live[t] += by;
}

static void make_alternate(struct allocation *a, unsigned n)
{
    count(a, n, -1);
    *file_of(a, n) = PVS_IN_ALTERNATE;
    count(a, n, 1);
    hwemit_pvs_bar(a->m, a->barred);
}

/* Puts all values, except results of the math half of dual instructions, into temporaries. */
static void begin(struct allocation *a)
{
    memset(a->barred, 0, a->m->nvalues);
    for (unsigned f = 0; f < 2; f++)
        memset(a->live[f], 0, (a->m->nops + 3u) * sizeof *a->live[f]);
    for (unsigned n = 0; n < a->all.n; n++) {
        if (*file_of(a, n) == PVS_IN_ALTERNATE)
            *file_of(a, n) = PVS_IN_TEMPORARY;
        count(a, n, 1);
    }
    hwemit_pvs_bar(a->m, a->barred);
}

/* The simple strategy: goes through the values in program order and makes each an alternate temporary if the
 * chip's limits still allow it. */
static bool eager(struct allocation *a)
{
    begin(a);
    for (unsigned n = 0; n < a->all.n; n++) {
        if (*file_of(a, n) != PVS_IN_TEMPORARY || a->barred[a->all.number[n]])
            continue;
        *file_of(a, n) = PVS_IN_ALTERNATE;
        if (colour(a, true, PVS_ALTERNATES, &a->p->alternates))
            hwemit_pvs_bar(a->m, a->barred);
        else
            *file_of(a, n) = PVS_IN_TEMPORARY;
    }
    return both(a, PVS_TEMPS, PVS_ALTERNATES);
}

/* Returns the time of the highest register pressure: when most components of temporaries are live. */
static uint32_t most_crowded(const struct allocation *a)
{
    uint32_t crowded = 1;
    for (uint32_t t = 1; t <= a->m->nops; t++)
        if (a->live[0][t] > a->live[0][crowded])
            crowded = t;
    return crowded;
}

/* Criterion for which of the values that are live at the point of highest pressure becomes an alternate
 * temporary. */
enum choice { LONGEST, LAST_READ, FIRST_DEAD, CHOICES };

/* Returns the worth of making the value an alternate temporary: 0 if that is not possible, as far as can be
 * estimated, or does not help. */
static uint32_t worth(const struct allocation *a, unsigned n, uint32_t crowded, unsigned alternates,
                      unsigned choice)
{
    const struct fragprog_colour_value *v = &a->all.value[n];
    const unsigned size = hwemit_machine_count(v->components);
    uint32_t first, last;
    if (*file_of(a, n) != PVS_IN_TEMPORARY || a->barred[a->all.number[n]])
        return 0;
    extent(v, &first, &last);
    if (first > crowded || last <= crowded)
        return 0;
    for (uint32_t t = first; t < last; t++)
        if (a->live[1][t] + (int32_t)size > (int32_t)(4 * alternates))
            return 0;
    return size * (choice == LONGEST ? last - first : choice == LAST_READ ? last : a->m->nops + 3u - last);
}

static bool relieve(struct allocation *a, uint32_t crowded, unsigned alternates, unsigned choice)
{
    uint32_t best = 0;
    unsigned chosen = 0;
    for (unsigned n = 0; n < a->all.n; n++) {
        const uint32_t here = worth(a, n, crowded, alternates, choice);
        chosen = here > best ? n : chosen;
        best = here > best ? here : best;
    }
    if (best)
        make_alternate(a, chosen);
    return best != 0;
}

static bool fit(struct allocation *a, unsigned temps, unsigned alternates, unsigned choice)
{
    begin(a);
    for (;;) {
        const uint32_t crowded = most_crowded(a); /* if too many lanes are live then, colouring must fail */
        if (a->live[0][crowded] <= (int32_t)(4 * temps) && colour(a, false, temps, &a->p->temps))
            return colour(a, true, alternates, &a->p->alternates);
        if (a->m->failed || !relieve(a, crowded, alternates, choice))
            return false;
    }
}

/* Finds an allocation with as many controllers as possible. */
static bool search(struct allocation *a)
{
    const unsigned memory = a->p->chip->memory;
    for (unsigned n = PVS_CONTROLLERS; n > 0; n--) {
        const unsigned temps = memory / n < PVS_TEMPS ? memory / n : PVS_TEMPS;
        for (unsigned choice = 0; choice < CHOICES && !a->m->failed; choice++)
            if (fit(a, temps, PVS_ALTERNATES / n, choice))
                return true;
    }
    return false;
}

/* ---- entry point ---- */

bool hwemit_pvs_allocate(struct machine *m)
{
    struct allocation a = {.m = m, .p = m->own};
    const uint8_t atrm = a.p->atrm;
    if (!hwemit_machine_find_lives(m, &a.all))
        return false;
    char *at = a.all.room;
    a.some.number = hwemit_machine_take(&at, a.all.n, sizeof *a.some.number);
    a.some.value = hwemit_machine_take(&at, a.all.n, sizeof *a.some.value);
    a.some.place = a.all.place;
    a.barred = hwemit_machine_take(&at, m->nvalues, sizeof *a.barred);
    a.live[0] = hwemit_machine_take(&at, m->nops + 3u, sizeof *a.live[0]);
    a.live[1] = hwemit_machine_take(&at, m->nops + 3u, sizeof *a.live[1]);
    a.some.room = at;
    a.p->whole = (uint16_t)whole(&a);
    if (atrm == PVS_ATRM_NONE ? both(&a, PVS_TEMPS, 0) : atrm == PVS_ATRM_EAGER ? eager(&a) : search(&a))
        return true;
    begin(&a);
    if (!m->failed)
        colour(&a, false, 4096, &a.p->temps);
    return MACHINE_REFUSE(m, -1, "temporaries", "fewer values at once",
                          atrm == PVS_ATRM_NONE
                              ? "the program needs %u temporaries, the chip has %u"
                              : "the program needs %u temporaries, the chip has %u and 20 alternate ones",
                          (unsigned)a.p->temps, (unsigned)PVS_TEMPS);
}
