/* Computes the possible placements of a demand in a slot: the lanes that each native swizzle implies, and the
 * lanes where scalars are stored. */
#include "fragprog/alloc/constants_run.h"
#include "fragprog/alloc/immediate.h"
#include "fragprog/ir.h"

#include <string.h>

/* Returns true if the row selects the same lanes for these channels as one of the first n rows. */
static bool repeats(const struct fragprog_constants_target *t, const uint8_t *row, unsigned n,
                    unsigned channels)
{
    for (unsigned m = 0; m < n; m++) {
        bool same = true;
        for (unsigned c = 0; c < 3; c++)
            same &= !(channels >> c & 1) || t->native[m][c] == row[c];
        if (same)
            return true;
    }
    return false;
}

static unsigned signs(const struct constants_run *r, const struct constants_demand *d)
{
    return r->q->target->negate && !d->keep_sign && !d->external ? 2 : 1;
}

/* Returns the number of swizzles to try: the native rows and, last, the operand's own swizzle, which is
 * native by definition. */
static unsigned rows(const struct constants_run *r) { return r->q->target->nnative + 1u; }

unsigned fragprog_constants_variants(const struct constants_run *r, const struct constants_demand *d)
{
    if (!r->q->target->native)
        return signs(r, d);
    return signs(r, d) * rows(r) * (d->channels & 8 ? 5 : 1);
}

/* Makes the channel read this lane, which must hold the cell or be empty. */
static bool fit(struct constants_placed *to, unsigned channel, unsigned lane, uint32_t wanted)
{
    uint32_t *cell = &to->cell[lane];
    if (*cell == CONSTANTS_NONE) {
        *cell = wanted;
        to->added++;
    } else if (*cell != wanted) {
        return false;
    }
    to->lane[channel] = (uint8_t)lane;
    return true;
}

/* Makes the channel read the inline literal 0, 1 or 1/2. lane: the required literal, or CONSTANTS_NONE for
 * any. */
static bool fit_inline(const struct constants_run *r, struct constants_placed *to, unsigned channel,
                       uint32_t wanted, uint32_t lane)
{
    uint32_t id = wanted / 2;
    if (!constants_inline(r, id) || wanted & 1)
        return false;
    uint32_t literal = FRAGPROG_ZERO + (id - constants_literal(r));
    if (lane != CONSTANTS_NONE && lane != literal)
        return false;
    to->lane[channel] = (uint8_t)literal;
    return true;
}

/* Makes the channel read an inline literal, or a lane that already holds the cell. */
static bool fit_present(const struct constants_run *r, struct constants_placed *to, unsigned channel,
                        uint32_t wanted)
{
    if (fit_inline(r, to, channel, wanted, CONSTANTS_NONE))
        return true;
    for (unsigned lane = 0; lane < 4; lane++)
        if (to->cell[lane] != CONSTANTS_NONE && fit(to, channel, lane, wanted))
            return true;
    return false;
}

/* Makes the channel read any lane: if possible as in fit_present, else its own lane, else the first empty
 * one. */
static bool fit_anywhere(const struct constants_run *r, struct constants_placed *to, unsigned channel,
                         uint32_t wanted)
{
    if (fit_present(r, to, channel, wanted))
        return true;
    for (unsigned n = 0; n < 5; n++) {
        unsigned lane = n ? n - 1 : channel;
        if (to->cell[lane] == CONSTANTS_NONE)
            return fit(to, channel, lane, wanted);
    }
    return false;
}

bool fragprog_constants_place(const struct constants_run *r, const struct constants_demand *d,
                              const uint32_t cell[4], unsigned n, struct constants_placed *to)
{
    const struct fragprog_constants_target *t = r->q->target;
    unsigned sign = n % signs(r, d), rest = n / signs(r, d);
    unsigned n_row = rest % rows(r), fourth = rest / rows(r);
    const uint8_t *row = !t->native ? NULL : n_row < t->nnative ? t->native[n_row] : r->q->read[d->read].lane;
    memcpy(to->cell, cell, sizeof to->cell);
    to->negate = sign ? d->channels : 0;
    to->added = 0;
    if (t->native && repeats(t, row, n_row, d->channels))
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(d->channels >> c & 1))
            continue;
        uint32_t wanted = d->cell[c] ^ sign;
        bool ok;
        if (!t->native)
            ok = fit_anywhere(r, to, c, wanted);
        else if (c < 3)
            ok = row[c] >= FRAGPROG_ZERO ? fit_inline(r, to, c, wanted, row[c]) : fit(to, c, row[c], wanted);
        else if (!fourth)
            ok = fit_present(r, to, c, wanted);
        else
            ok = to->cell[fourth - 1] == CONSTANTS_NONE && fit(to, c, fourth - 1, wanted);
        if (!ok)
            return false;
    }
    return true;
}

const uint32_t fragprog_constants_empty[4] = {CONSTANTS_NONE, CONSTANTS_NONE, CONSTANTS_NONE, CONSTANTS_NONE};

bool fragprog_constants_place_free(const struct constants_run *r, const struct constants_demand *d,
                                   const uint32_t cell[4], struct constants_placed *to)
{
    for (unsigned n = 0; n < fragprog_constants_variants(r, d); n++)
        if (fragprog_constants_place(r, d, cell, n, to) && !to->added)
            return true;
    return false;
}

bool fragprog_constants_present(const struct constants_run *r, const struct constants_demand *d,
                                uint32_t cell)
{
    return constants_inline(r, cell / 2) || r->where[cell] != CONSTANTS_NONE ||
        (r->q->target->negate && !d->keep_sign && r->where[cell ^ 1] != CONSTANTS_NONE);
}

void fragprog_constants_put(struct constants_run *r, uint32_t slot, unsigned lane, uint32_t cell)
{
    r->cell[slot][lane] = cell;
    if (r->where[cell] == CONSTANTS_NONE)
        r->where[cell] = 4 * slot + lane;
}

uint32_t fragprog_constants_new_slot(struct constants_run *r, unsigned external)
{
    memset(r->cell[r->nslots], 0xff, sizeof r->cell[0]);
    r->external[r->nslots] = (uint8_t)external;
    return r->nslots++;
}

void fragprog_constants_put_anywhere(struct constants_run *r, uint32_t *first, uint32_t cell,
                                     unsigned external)
{
    for (;; (*first)++) {
        if (*first == r->nslots)
            fragprog_constants_new_slot(r, external);
        for (unsigned lane = 0; lane < 4 && r->external[*first] == external; lane++) {
            if (r->cell[*first][lane] == CONSTANTS_NONE) {
                fragprog_constants_put(r, *first, lane, cell);
                return;
            }
        }
    }
}

uint32_t fragprog_constants_key(const struct constants_run *r, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return r->q->target->negate ? bits & 0x7fffffff : bits;
}

uint32_t fragprog_constants_literal_of(const struct constants_run *r, float value)
{
    bool neg;
    const int32_t lane = fragprog_immediate(&fragprog_immediate_lanes, value,
                                            r->q->target->negate ? &neg : NULL);
    return lane < 0 ? CONSTANTS_NONE : constants_literal(r) + (uint32_t)lane - FRAGPROG_ZERO;
}
