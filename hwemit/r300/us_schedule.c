/* Schedules operations as lookups and pairs by list scheduling. Each texture block begins with all lookups
 * whose coordinates are there, which makes the number of blocks minimal; then each pair has the first waiting
 * operation that is ready, and the next one that fits into the other half. Assigns temporaries on the way: a
 * unit gets the first one whose lanes are free when it is first written, and each lane is free again after
 * its last read. */
#include "hwemit/r300/us.h"

#include <string.h>

enum { FAR = 64 }; /* among how many waiting operations one is sought for the other half of a pair */

/* ---- temporaries: each lookup or pair reads before it writes ---- */

static bool ready(const struct us_program *a, unsigned i)
{
    const struct us_reads *reads = &a->reads[i];
    for (unsigned k = 0; k < reads->n; k++)
        if (!(a->value[reads->place[k] / 4].written >> reads->place[k] % 4 & 1))
            return false;
    return true;
}

/* Marks a lane of a unit as free in its temporary. */
static void release(struct us_program *a, unsigned unit, unsigned lane)
{
    const struct machine_value *v = &a->m->value[unit];
    a->taken[v->reg] &= (uint8_t) ~(1u << v->lane[lane]);
}

static void reads(struct us_program *a, unsigned i)
{
    for (unsigned k = 0; k < a->reads[i].n; k++) {
        const unsigned unit = a->reads[i].place[k] / 4, lane = a->reads[i].place[k] % 4;
        if (--a->value[unit].left[lane] == 0)
            release(a, unit, lane);
    }
}

/* Gives a unit the first temporary that has these lanes free. A number whose lane is not fixed gets a free
 * lane of this part in the last one in use that has one, so that the first ones stay free for vectors. */
static void take(struct us_program *a, unsigned unit, unsigned lanes, unsigned part)
{
    struct machine_value *v = &a->m->value[unit];
    const bool any = a->value[unit].number && a->value[unit].lane == US_ANY_LANE;
    unsigned reg = v->kind == MACHINE_INPUT ? v->reg : 0;
    if (any) {
        lanes = part == ALPHA ? 8 : 7;
        reg = a->p.temps;
        while (reg > 0 && (a->taken[reg - 1] & lanes) == lanes)
            reg--;
        reg = reg ? reg - 1 : a->p.temps;
        lanes = 1u << hwemit_machine_lowest(lanes & ~a->taken[reg]);
    }
    while (a->taken[reg] & lanes)
        reg++;
    for (unsigned c = 0; c < 4; c++)
        v->lane[c] = (uint8_t)(any ? hwemit_machine_lowest(lanes) : c);
    v->reg = (uint16_t)reg;
    a->taken[reg] |= (uint8_t)lanes;
    a->p.temps = a->p.temps > reg ? a->p.temps : (uint16_t)(reg + 1);
}

static void writes(struct us_program *a, unsigned value, unsigned lanes, unsigned part)
{
    const unsigned unit = hwemit_us_unit(a, value);
    struct us_value *u = &a->value[unit];
    unsigned needs = lanes;
    for (unsigned c = 0; c < 4; c++)
        needs |= (unsigned)(u->left[c] > 0) << c;
    if (lanes && !u->written)
        take(a, unit, needs, part);
    u->written |= (uint8_t)lanes;
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1 && !u->left[c])
            release(a, unit, c);
}

/* ---- pairs ---- */

/* Returns the part of a temporary (RGB or ALPHA) that holds a result whose lane is not fixed, if its
 * operation runs in `half`. */
static unsigned part_of(const struct machine_op *op, unsigned half)
{
    switch (op->kind) {
    case US_DOT3: return op->out[ALPHA] || op->depth ? ALPHA : RGB;
    case US_DOT4:
    case US_FUNCTION: return op->out[RGB] && (op->scale || op->sat) ? RGB : ALPHA;
    default: return half;
    }
}

/* Returns the mask of halves that an operation needs; 0 if it can run in either. */
static unsigned halves_of(const struct us_program *a, const struct machine_op *op)
{
    unsigned wants = (unsigned)hwemit_us_wants(a, op, RGB) | (unsigned)hwemit_us_wants(a, op, ALPHA) << 1;
    switch (op->kind) {
    case US_VECTOR: return 1;
    case US_SCALAR: return wants;
    default: break;
    }
    if (a->m->value[op->value].read && a->value[op->value].lane == US_ANY_LANE)
        wants |= 1u << part_of(op, RGB);
    return wants | (op->kind == US_DOT3 ? 1 : op->kind == US_DOT4 ? 3 : 2);
}

/* Returns the place of the first waiting operation from place k on that is ready. */
static unsigned next(const struct us_program *a, unsigned k)
{
    while (k < a->nwaiting && !ready(a, a->waiting[k]))
        k++;
    return k;
}

/* Makes a pair of the operation at place k and the first later one that fits into the other half. */
static bool find_pair(const struct us_program *a, unsigned k, struct pair *pair)
{
    const struct machine_op *op = a->m->op;
    const unsigned first = a->waiting[k], halves = halves_of(a, &op[first]);
    if (halves == 3)
        return hwemit_us_place(a, pair, first, first);
    const unsigned end = k + FAR < a->nwaiting ? k + FAR : a->nwaiting;
    for (k = next(a, k + 1); k < end; k = next(a, k + 1)) {
        const unsigned second = a->waiting[k], other = halves_of(a, &op[second]);
        if (other != 3 && halves != 2 && other != 1 && hwemit_us_place(a, pair, first, second))
            return true;
        if (other != 3 && halves != 1 && other != 2 && hwemit_us_place(a, pair, second, first))
            return true;
    }
    return halves == 1 ? hwemit_us_place(a, pair, first, NONE) : hwemit_us_place(a, pair, NONE, first);
}

/* Returns the lanes of its temporary that an operation writes in this half. */
static unsigned written(const struct us_program *a, const struct machine_op *op, unsigned half)
{
    const unsigned lane = a->value[op->value].lane, read = a->m->value[op->value].read;
    if (op->kind == US_VECTOR)
        return half == RGB ? op->mask & read : 0;
    const unsigned part = lane == US_ANY_LANE ? part_of(op, half) : lane == 3 ? ALPHA : RGB;
    return read && part == half ? 1u << (lane & 3) : 0;
}

static void issue(struct us_program *a, const struct pair *pair)
{
    unsigned left = 0;
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE && (half == RGB || pair->half[ALPHA].op != pair->half[RGB].op))
            reads(a, pair->half[half].op);
    for (unsigned half = 0; half < 2; half++)
        if (pair->half[half].op != NONE) {
            const struct machine_op *op = &a->m->op[pair->half[half].op];
            writes(a, op->value, written(a, op, half), half);
        }
    for (unsigned k = 0; k < a->nwaiting; k++)
        if (a->waiting[k] != pair->half[RGB].op && a->waiting[k] != pair->half[ALPHA].op)
            a->waiting[left++] = a->waiting[k];
    a->nwaiting = (uint16_t)left;
}

/* ---- texture blocks ---- */

static void begin_block(struct us_program *a)
{
    for (unsigned i = 0; i < a->nlookups; i++)
        if (a->m->op[i].phase == NONE && ready(a, i))
            a->m->op[i].phase = a->p.phases;
    for (unsigned i = 0; i < a->nlookups; i++) {
        const struct machine_op *op = &a->m->op[i];
        if (op->phase != a->p.phases)
            continue;
        reads(a, i);
        if (op->op != MACHINE_KILL) /* r500 writes only the channels that are read */
            writes(a, op->value,
                   a->p.chip->generation == R500 ? a->m->value[op->value].read : FRAGPROG_MASK_XYZW, RGB);
        a->p.tex[a->p.ntex++].number = (uint16_t)i;
    }
}

static bool pairs(struct us_program *a)
{
    struct program *p = &a->p;
    for (const unsigned begin = p->npairs;;) {
        const unsigned k = next(a, 0);
        struct pair *pair = &p->pair[p->npairs];
        if (k == a->nwaiting && p->npairs > begin)
            return true;
        if (p->npairs == a->most)
            return hwemit_us_refuse_long(a);
        if (k == a->nwaiting) /* every block needs an instruction (notes/facts/r300.md 3.2) */
            hwemit_us_place(a, pair, NONE, NONE);
        else if (!find_pair(a, k, pair))
            return hwemit_refuse(a->m->why, -1, "sources", "a simpler operation",
                                 "an operation reads more than the source addresses of a pair");
        pair->phase = p->phases;
        p->npairs++;
        issue(a, pair);
    }
}

bool hwemit_us_schedule(struct us_program *a)
{
    struct program *p = &a->p;
    const unsigned blocks = p->chip->nodes;
    p->npairs = p->ntex = p->phases = p->temps = 0;
    for (unsigned v = 0; v < a->m->nvalues; v++)
        a->value[v].written = a->taken[v] = 0;
    for (unsigned i = 0; i < a->m->ninputs; i++)
        writes(a, a->m->input[i].value, FRAGPROG_MASK_XYZW, RGB);
    for (unsigned i = 0; i < a->nlookups; i++)
        a->m->op[i].phase = NONE;
    for (;; p->phases++) {
        begin_block(a);
        if (!pairs(a))
            return false;
        if (!a->nwaiting && p->ntex == a->nlookups)
            break;
    }
    if (blocks && p->phases >= blocks)
        return hwemit_refuse(
            a->m->why, -1, "indirections", "fewer dependent lookups",
            "the program needs %u blocks of lookups that depend on each other, the chip has %u",
            p->phases + 1u, blocks);
    if (p->temps > p->chip->temps)
        return hwemit_refuse(a->m->why, -1, "temporaries", "fewer values at once",
                             "the program needs %u temporaries, the chip has %u", (unsigned)p->temps,
                             (unsigned)p->chip->temps);
    return p->npairs <= p->chip->alu ||
        hwemit_refuse(a->m->why, -1, "alu", "a shorter program",
                      "the program needs %u ALU instructions, the chip has %u; its constants would fit "
                      "(%u of %u)",
                      (unsigned)p->npairs, (unsigned)p->chip->alu, (unsigned)a->nslots,
                      (unsigned)p->chip->consts);
}
