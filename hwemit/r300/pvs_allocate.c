/* Register allocation of vertex programs: decides which variables go to alternate temporaries, and colours
 * both register files (fragprog/alloc/colour.h). An instruction can read one alternate temporary at most. The
 * fewer registers of each file are used, the more vertices can be processed at the same time (each by one of
 * the chip's controllers). The option `atrm` selects a strategy: none, eager() or search(). */
#include "hwemit/r300/pvs.h"

#include "fragprog/alloc/colour.h"
#include "fragprog/alloc/sort.h"

#include <string.h>

enum { CLASS_MATH = 4, CLASSES = 8, MOST_COREADS = 8 * PVS_OPS };

struct coread {
    uint16_t var[2];
};
struct allocation {
    struct pvs *p;
    struct fragprog_classes *classes;
    struct fragprog_colour_value *value;
    struct fragprog_colour_place *place;
    uint32_t *number, *sorting;
    uint32_t *first, *last; /* live range of each variable */
    uint8_t *size;          /* number of components of each variable; 0: unused */
    /* the variables that some instruction reads together with var are edge[edges[var]] ..
     * edge[edges[var + 1] - 1] */
    uint16_t *edge;
    uint32_t *edges;
    /* the numbers of live components of temporaries and of alternate temporaries at each time */
    int32_t *live[2];
    char *room;
    size_t nroom;
    uint32_t ncoreads;
    struct coread *coread;
};

unsigned hwemit_pvs_controllers(const struct pvs_chip *chip, unsigned temps, unsigned alternates)
{
    unsigned n = PVS_CONTROLLERS;
    if (temps && chip->memory / temps < n)
        n = chip->memory / temps;
    if (alternates && PVS_ALTERNATES / alternates < n)
        n = PVS_ALTERNATES / alternates;
    return n;
}

/* ---- live ranges ---- */

static void read_at(struct pvs *p, const struct pvs_op *op, uint32_t time)
{
    for (unsigned s = 0; s < op->args; s++)
        for (unsigned c = 0; c < hwemit_pvs_channels(op); c++)
            if (op->arg[s][c].file == PVS_SLOT)
                p->slot[op->arg[s][c].index].end = time;
}

static void write_at(struct pvs *p, const struct pvs_op *op, uint32_t time)
{
    for (unsigned c = 0; c < op->components; c++)
        if (op->slot[c] != NONE) {
            p->slot[op->slot[c]].begin = time;
            p->slot[op->slot[c]].end = time + 1;
        }
}

/* Finds live ranges. Reads come before writes, so a value that is read for the last time may share its lane
 * with a result of that instruction. */
static void find_lives(struct allocation *a)
{
    struct pvs *p = a->p;
    for (unsigned i = 0; i < p->nops; i++) {
        const struct pvs_op *op = &p->op[i], *m = op->second == NONE ? NULL : &p->math[op->second];
        read_at(p, op, i + 1);
        if (m)
            read_at(p, m, i + 1);
        write_at(p, op, i + 1);
        if (m)
            write_at(p, m, i + 1);
    }
    for (unsigned v = 0; v < p->nvars; v++) {
        a->first[v] = UINT32_MAX;
        a->last[v] = a->size[v] = 0;
        for (unsigned c = 0; c < 4; c++) {
            if (p->var[v].slot[c] == NONE)
                continue;
            const struct pvs_slot *s = &p->slot[p->var[v].slot[c]];
            a->size[v]++;
            a->first[v] = s->begin < a->first[v] ? s->begin : a->first[v];
            a->last[v] = s->end > a->last[v] ? s->end : a->last[v];
        }
    }
}

/* ---- variables that are read together ---- */

static unsigned reads(const struct pvs *p, const struct pvs_op *op, uint16_t *var, unsigned n)
{
    for (unsigned s = 0; op && s < op->args; s++) {
        const struct pvs_chan *c = hwemit_pvs_register(op, s);
        if (!c || c->file != PVS_SLOT)
            continue;
        const uint16_t v = p->slot[c->index].var;
        unsigned k = 0;
        while (k < n && var[k] != v)
            k++;
        var[k] = v;
        n += k == n;
    }
    return n;
}

static void find_coreads(struct allocation *a)
{
    struct pvs *p = a->p;
    a->ncoreads = 0;
    memset(a->edges, 0, (p->nvars + 2u) * sizeof *a->edges);
    for (unsigned i = 0; i < p->nops; i++) {
        uint16_t var[6];
        const struct pvs_op *op = &p->op[i];
        unsigned n = reads(p, op, var, 0);
        n = reads(p, op->second == NONE ? NULL : &p->math[op->second], var, n);
        for (unsigned x = 0; x < n; x++)
            for (unsigned y = 0; y < x; y++) {
                a->coread[a->ncoreads++] = (struct coread){{var[x], var[y]}};
                a->edges[var[x] + 2]++;
                a->edges[var[y] + 2]++;
            }
    }
    for (unsigned v = 2; v < p->nvars + 2u; v++)
        a->edges[v] += a->edges[v - 1];
    for (uint32_t k = 0; k < a->ncoreads; k++)
        for (unsigned h = 0; h < 2; h++)
            a->edge[a->edges[a->coread[k].var[h] + 1]++] = a->coread[k].var[1 - h];
}

/* Returns whether some instruction reads the variable together with an alternate temporary. */
static bool is_barred(const struct allocation *a, unsigned var)
{
    for (uint32_t e = a->edges[var]; e < a->edges[var + 1]; e++)
        if (a->edge[e] != var && a->p->var[a->edge[e]].alternate)
            return true;
    return false;
}

/* ---- colouring one file ---- */

static bool earlier(const void *user, uint32_t x, uint32_t y)
{
    const uint32_t *first = user;
    return first[x] < first[y];
}

static void describe(const struct allocation *a, unsigned var, struct fragprog_colour_value *to)
{
    const struct pvs_var *v = &a->p->var[var];
    *to = (struct fragprog_colour_value){
        .class_ = (uint8_t)((v->alternate && v->math ? CLASS_MATH : 0) + a->size[var] - 1),
        .order = v->own ? FRAGPROG_COLOUR_OWN : FRAGPROG_COLOUR_ANY,
        .reg = FRAGPROG_COLOUR_NONE,
        .copy_of = FRAGPROG_COLOUR_NONE,
        .follows = FRAGPROG_COLOUR_NONE};
    for (unsigned c = 0; c < 4; c++)
        if (v->slot[c] != NONE) {
            to->components |= (uint8_t)(1u << c);
            to->begin[c] = a->p->slot[v->slot[c]].begin;
            to->end[c] = a->p->slot[v->slot[c]].end;
        }
}

/* Colours the variables of one register file of size `most`. Sets *used to the number of registers needed. */
static bool colour(struct allocation *a, bool alternate, unsigned most, unsigned *used)
{
    struct pvs *p = a->p;
    unsigned n = 0;
    for (unsigned v = 0; v < p->nvars; v++)
        if (a->size[v] && p->var[v].alternate == alternate)
            a->number[n++] = v;
    fragprog_sort(a->number, n, a->sorting, earlier, a->first);
    for (unsigned i = 0; i < n; i++)
        describe(a, a->number[i], &a->value[i]);
    const struct fragprog_colour_request request = {
        .classes = a->classes, .value = a->value, .n = n, .registers = most, .work = n < 64 ? 200 : 0};
    struct fragprog_colour_result result = {.place = a->place};
    *used = most + 1;
    if (fragprog_colour_scratch(&request) > a->nroom)
        return hwemit_pvs_refuse_long(p, a->nroom, "bytes to allocate registers");
    const bool fits = fragprog_colour(&result, &request, a->room);
    *used = result.registers;
    if (!p->whole)
        p->whole = (uint16_t)result.whole;
    for (unsigned i = 0; fits && i < n; i++) {
        p->var[a->number[i]].reg = a->place[i].reg;
        memcpy(p->var[a->number[i]].lane, a->place[i].lane, 4);
    }
    return fits;
}

/* ---- which variables are alternate temporaries ---- */

static void forget(struct allocation *a)
{
    for (unsigned v = 0; v < a->p->nvars; v++)
        a->p->var[v].alternate = a->p->var[v].math;
}

static bool both(struct allocation *a, unsigned temps, unsigned alternates)
{
    unsigned t, n;
    if (!colour(a, true, alternates, &n) || !colour(a, false, temps, &t))
        return false;
    a->p->temps = (uint16_t)t;
    a->p->alternates = (uint16_t)n;
    return true;
}

/* The simple strategy: goes through the variables in program order and makes each an alternate temporary if
 * the chip's limits still allow it. */
static bool eager(struct allocation *a)
{
    struct pvs *p = a->p;
    unsigned used;
    for (unsigned v = 0; v < p->nvars; v++) {
        if (!a->size[v] || p->var[v].alternate || is_barred(a, v))
            continue;
        p->var[v].alternate = true;
        if (!colour(a, true, PVS_ALTERNATES, &used))
            p->var[v].alternate = false;
    }
    return both(a, PVS_TEMPS, PVS_ALTERNATES);
}

/* Returns the time of the highest register pressure: when most components of temporaries are live. */
static uint32_t most_crowded(struct allocation *a)
{
    struct pvs *p = a->p;
    for (unsigned f = 0; f < 2; f++)
        memset(a->live[f], 0, (p->nops + 3u) * sizeof *a->live[f]);
    for (unsigned s = 0; s < p->nslots; s++) {
        const struct pvs_var *v = &p->var[p->slot[s].var];
        if (v->slot[p->slot[s].component] != s)
            continue;
        a->live[v->alternate][p->slot[s].begin]++;
        a->live[v->alternate][p->slot[s].end]--;
    }
    for (unsigned f = 0; f < 2; f++)
        for (unsigned t = 1; t < p->nops + 3u; t++)
            a->live[f][t] += a->live[f][t - 1];
    uint32_t crowded = 1;
    for (uint32_t t = 1; t <= p->nops; t++)
        if (a->live[0][t] > a->live[0][crowded])
            crowded = t;
    return crowded;
}

/* Estimates whether the file of alternate temporaries has room for the variable. */
static bool has_room(const struct allocation *a, unsigned var, unsigned alternates)
{
    for (uint32_t t = a->first[var]; t < a->last[var]; t++)
        if (a->live[1][t] + a->size[var] > (int32_t)(4 * alternates))
            return false;
    return true;
}

/* Criterion for which of the variables that are live at the point of highest pressure becomes an alternate
 * temporary. */
enum choice { LONGEST, LAST_READ, LEAST_READ, CHOICES };

static bool relieve(struct allocation *a, uint32_t crowded, unsigned alternates, unsigned choice)
{
    struct pvs *p = a->p;
    uint32_t best = 0;
    unsigned chosen = 0;
    for (unsigned v = 0; v < p->nvars; v++) {
        if (!a->size[v] || p->var[v].alternate || a->first[v] > crowded || a->last[v] <= crowded ||
            is_barred(a, v) || !has_room(a, v, alternates))
            continue;
        const uint32_t length = a->last[v] - a->first[v], readers = a->edges[v + 1] - a->edges[v];
        const uint32_t worth = a->size[v] *
            (choice == LONGEST         ? length
                 : choice == LAST_READ ? a->last[v]
                                       : 64 * length / (readers + 1));
        if (worth > best) {
            best = worth;
            chosen = v;
        }
    }
    if (best)
        p->var[chosen].alternate = true;
    return best != 0;
}

static bool fit(struct allocation *a, unsigned temps, unsigned alternates, unsigned choice)
{
    unsigned used;
    forget(a);
    for (;;) {
        const uint32_t crowded = most_crowded(a); /* if too many lanes are live then, colouring must fail */
        if (a->live[0][crowded] <= (int32_t)(4 * temps) && colour(a, false, temps, &used))
            return both(a, temps, alternates);
        if (a->p->failed || !relieve(a, crowded, alternates, choice))
            return false;
    }
}

/* Finds an allocation with as many controllers as possible. */
static bool search(struct allocation *a)
{
    const unsigned memory = a->p->chip->memory;
    for (unsigned n = PVS_CONTROLLERS; n > 0; n--) {
        const unsigned temps = memory / n < PVS_TEMPS ? memory / n : PVS_TEMPS;
        for (unsigned choice = 0; choice < CHOICES && !a->p->failed; choice++)
            if (fit(a, temps, PVS_ALTERNATES / n, choice))
                return true;
        if (a->p->failed)
            return false;
    }
    return false;
}

/* ---- entry point ---- */

static void lay_out(struct allocation *a)
{
    char *at = a->p->room;
    const unsigned n = a->p->nvars, times = a->p->nops + 4u;
    a->classes = hwemit_machine_take(&at, 1, sizeof *a->classes);
    a->value = hwemit_machine_take(&at, n, sizeof *a->value);
    a->place = hwemit_machine_take(&at, n, sizeof *a->place);
    a->number = hwemit_machine_take(&at, n, sizeof *a->number);
    a->sorting = hwemit_machine_take(&at, n, sizeof *a->sorting);
    a->first = hwemit_machine_take(&at, n, sizeof *a->first);
    a->last = hwemit_machine_take(&at, n, sizeof *a->last);
    a->size = hwemit_machine_take(&at, n, sizeof *a->size);
    a->edges = hwemit_machine_take(&at, n + 2u, sizeof *a->edges);
    a->edge = hwemit_machine_take(&at, 2 * MOST_COREADS, sizeof *a->edge);
    a->coread = hwemit_machine_take(&at, MOST_COREADS, sizeof *a->coread);
    a->live[0] = hwemit_machine_take(&at, times, sizeof *a->live[0]);
    a->live[1] = hwemit_machine_take(&at, times, sizeof *a->live[1]);
    a->room = at;
    a->nroom = (size_t)(a->p->room + a->p->nroom - at);
}

static void build_classes(struct fragprog_classes *to)
{
    struct fragprog_class class_[CLASSES];
    fragprog_classes_vec4(class_, 0, 0xffff);
    fragprog_classes_vec4(class_ + CLASS_MATH, 0, PVS_MATH_ALTERNATES);
    memset(to, 0, sizeof *to);
    fragprog_classes_build(to, class_, CLASSES);
}

bool hwemit_pvs_allocate(struct pvs *p)
{
    struct allocation a = {.p = p};
    unsigned temps;
    lay_out(&a);
    build_classes(a.classes);
    find_lives(&a);
    find_coreads(&a);
    for (unsigned v = 0; v < p->nvars; v++)
        p->var[v].alternate = false;
    colour(&a, false, 4096, &temps); /* sets p->whole */
    forget(&a);
    const bool fits = p->atrm == PVS_ATRM_NONE ? both(&a, PVS_TEMPS, 0)
        : p->atrm == PVS_ATRM_EAGER            ? eager(&a)
                                               : search(&a);
    if (fits || p->failed)
        return fits;
    forget(&a);
    colour(&a, false, 4096, &temps);
    p->failed = true;
    return hwemit_refuse(p->why, -1, "temporaries", "fewer values at once",
                         p->atrm == PVS_ATRM_NONE
                             ? "the program needs %u temporaries, the chip has %u"
                             : "the program needs %u temporaries, the chip has %u and 20 alternate ones",
                         temps, (unsigned)PVS_TEMPS);
}
