/* The two greedy layouts: FRAGPROG_CONSTANTS_SEED, as in the founding document, and
 * FRAGPROG_CONSTANTS_VECTORS_FIRST. Slots that are read as vectors are copied as a whole with unchanged
 * lanes; scalars that are read separately fill free lanes. */
#include "fragprog/alloc/constants_run.h"

/* Copies these lanes of a slot, unchanged, to a new slot. */
static void put_slot(struct constants_run *r, uint32_t slot, unsigned lanes)
{
    if (r->new_slot[slot] != CONSTANTS_NONE)
        return;
    const struct fragprog_constants_slot *old = &r->q->slot[slot];
    uint32_t to = fragprog_constants_new_slot(r, r->q->mix ? 2 : old->external);
    r->new_slot[slot] = to;
    for (unsigned lane = 0; lane < 4; lane++) {
        uint32_t id = r->id[4 * slot + lane];
        if (lanes >> lane & 1)
            fragprog_constants_put(r, to, lane, 2 * id + constants_sign(r, slot, lane));
    }
}

static bool many(unsigned lanes) { return lanes & (lanes - 1); }

/* Places external slots: a slot with several lanes that are read is a vector, one with a single lane a
 * scalar. */
static void place_external(struct constants_run *r)
{
    uint32_t first = 0;
    for (uint32_t s = 0; s < r->q->nslots; s++)
        if (r->q->slot[s].external && (many(r->used[s]) || r->vector[s]))
            put_slot(r, s, r->used[s]);
    for (uint32_t s = 0; s < r->q->nslots; s++)
        for (unsigned lane = 0; lane < 4; lane++)
            if (r->q->slot[s].external && r->used[s] >> lane & 1 &&
                r->where[2 * r->id[4 * s + lane]] == CONSTANTS_NONE)
                fragprog_constants_put_anywhere(r, &first, 2 * r->id[4 * s + lane], r->q->mix ? 2 : 1);
}

static void place_scalar(struct constants_run *r, uint32_t *first, const struct constants_demand *d)
{
    for (unsigned c = 0; c < 4; c++)
        if (d->channels >> c & 1 && !fragprog_constants_present(r, d, d->cell[c]))
            fragprog_constants_put_anywhere(r, first, d->cell[c], r->q->mix ? 2 : 0);
}

void fragprog_constants_in_order(struct constants_run *r, bool vectors_first)
{
    uint32_t first = 0;
    place_external(r);
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < r->q->nreads; i++) {
            const struct constants_demand *d = &r->demand[r->demand_of[i]];
            uint32_t slot = r->q->read[d->read].slot;
            bool scalar = d->kind == CONSTANTS_SINGLE || !r->vector[slot];
            if (r->q->slot[slot].external || d->kind == CONSTANTS_PINNED || d->kind == CONSTANTS_INLINE ||
                round != (vectors_first && scalar))
                continue;
            if (scalar)
                place_scalar(r, &first, d);
            else
                put_slot(r, slot, r->vector[slot]);
        }
    }
}
