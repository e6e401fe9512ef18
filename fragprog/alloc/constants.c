/* Constant compaction: collects the reads, computes a layout, and rewrites the operands. Which
 * constants share a slot is decided by lay_out(): by constants_greedy.c, or for the smallest number of slots
 * by constants_search.c. notes/alloc.md describes the layouts. */
#include "fragprog/alloc/bits.h"
#include "fragprog/alloc/constants_run.h"
#include "fragprog/alloc/immediate.h"
#include "fragprog/fragprog.h"
#include "fragprog/ir.h"

#include "fragprog/alloc/sort.h"

/* ---- storage ---- */

static void carve(struct constants_run *r, struct fragprog_arena *a, uint32_t nslots, uint32_t nreads)
{
    uint32_t lanes = 4 * nslots, ids = lanes + 3, most = nslots + nreads + 1;
    uint32_t wide = lanes > nreads ? lanes : nreads;
    r->nids = ids;
    r->id = fragprog_take(a, lanes, sizeof *r->id);
    r->sorted = fragprog_take(a, lanes, sizeof *r->sorted);
    r->used = fragprog_take(a, nslots, 1);
    r->vector = fragprog_take(a, nslots, 1);
    r->new_slot = fragprog_take(a, nslots, sizeof *r->new_slot);
    r->demand = fragprog_take(a, nreads, sizeof *r->demand);
    r->demand_of = fragprog_take(a, nreads, sizeof *r->demand_of);
    r->list = fragprog_take(a, wide, sizeof *r->list);
    r->order = fragprog_take(a, nreads, sizeof *r->order);
    r->room = fragprog_take(a, wide, sizeof *r->room);
    r->cell = fragprog_take(a, most, sizeof *r->cell);
    r->external = fragprog_take(a, most, 1);
    r->where = fragprog_take(a, 2 * (size_t)ids, sizeof *r->where);
    r->need = fragprog_take(a, ids, sizeof *r->need);
    r->count = fragprog_take(a, ids, sizeof *r->count);
    r->todo = fragprog_take(a, ids, sizeof *r->todo);
    r->mark = fragprog_take(a, ids, 1);
    r->best = fragprog_take(a, most, sizeof *r->best);
    r->level = fragprog_take(a, nreads + 1, sizeof *r->level);
}

size_t fragprog_constants_scratch(uint32_t nslots, uint32_t nreads)
{
    struct fragprog_arena a = {0};
    struct constants_run r;
    carve(&r, &a, nslots, nreads);
    return a.used;
}

/* ---- what is read ---- */

/* Returns true if the slot must not be changed. */
static bool pinned(const struct constants_run *r, uint32_t slot)
{
    return r->relative && (r->q->slot[slot].external || r->q->slot[slot].relative);
}

static bool less_value(const void *user, uint32_t a, uint32_t b)
{
    const struct constants_run *r = user;
    return fragprog_constants_key(r, r->q->slot[a / 4].value[a % 4]) <
        fragprog_constants_key(r, r->q->slot[b / 4].value[b % 4]);
}

/* Numbers the scalars that are read. */
static void number(struct constants_run *r)
{
    for (uint32_t s = 0; s < r->q->nslots; s++)
        r->used[s] = pinned(r, s) ? 15 : 0;
    for (uint32_t i = 0; i < r->q->nreads; i++)
        for (unsigned c = 0; c < 4; c++)
            if (r->q->read[i].channels >> c & 1 && r->q->read[i].lane[c] <= FRAGPROG_W)
                r->used[r->q->read[i].slot] |= (uint8_t)(1u << r->q->read[i].lane[c]);
    r->nsorted = 0;
    for (uint32_t l = 0; l < 4 * r->q->nslots; l++) {
        r->id[l] = CONSTANTS_NONE;
        if (!(r->used[l / 4] >> l % 4 & 1))
            continue;
        if (r->q->slot[l / 4].external)
            r->id[l] = l;
        else
            r->sorted[r->nsorted++] = l;
    }
    fragprog_sort(r->sorted, r->nsorted, r->room, less_value, r);
    for (uint32_t i = 0; i < r->nsorted; i++) {
        uint32_t l = r->sorted[i], literal = fragprog_constants_literal_of(r, r->q->slot[l / 4].value[l % 4]);
        bool again = i && !less_value(r, r->sorted[i - 1], l);
        r->id[l] = literal != CONSTANTS_NONE ? literal : again ? r->id[r->sorted[i - 1]] : l;
    }
}

static uint32_t cell_of(const struct constants_run *r, const struct fragprog_constants_read *read, unsigned c)
{
    if (read->lane[c] > FRAGPROG_W)
        return 2 * (constants_literal(r) + read->lane[c] - FRAGPROG_ZERO);
    return 2 * r->id[4 * read->slot + read->lane[c]] + constants_sign(r, read->slot, read->lane[c]);
}

/* Returns true if the demand reads a single scalar, which may then be in any lane. Either all channels read
 * it, or the other channels are inline literals and the target supports any swizzle. */
static bool is_single(const struct constants_run *r, const struct constants_demand *d)
{
    const struct fragprog_constants_target *t = r->q->target;
    uint32_t stored = CONSTANTS_NONE, all = CONSTANTS_NONE;
    bool same = true, beside = !t->native && !t->negate;
    if (d->keep_sign)
        return false;
    for (unsigned c = 0; c < 4; c++) {
        if (!(d->channels >> c & 1))
            continue;
        uint32_t cell = d->cell[c];
        same &= all == CONSTANTS_NONE || all == cell;
        all = cell;
        if (constants_inline(r, cell / 2) && !(cell & 1))
            continue;
        beside &= stored == CONSTANTS_NONE || stored / 2 == cell / 2;
        stored = cell;
    }
    return same || beside;
}

static void describe(struct constants_run *r, struct constants_demand *d, uint32_t i)
{
    const struct fragprog_constants_read *read = &r->q->read[i];
    *d = (struct constants_demand){.channels = read->channels & 15,
                                   .keep_sign = read->keep_sign != 0,
                                   .external = r->q->slot[read->slot].external != 0,
                                   .read = i,
                                   .slot = CONSTANTS_NONE,
                                   .best = CONSTANTS_NONE};
    for (unsigned c = 0; c < 4; c++)
        d->cell[c] = d->channels >> c & 1 ? cell_of(r, read, c) : 0;
    struct constants_placed placed;
    if (pinned(r, read->slot))
        d->kind = CONSTANTS_PINNED;
    else if (is_single(r, d))
        d->kind = CONSTANTS_SINGLE;
    else
        d->kind = fragprog_constants_place_free(r, d, fragprog_constants_empty, &placed) ? CONSTANTS_INLINE
                                                                                         : CONSTANTS_VECTOR;
}

/* Compares operands so that operands with equal demands become adjacent. */
static int compare_reads(const struct constants_run *r, uint32_t a, uint32_t b)
{
    const struct fragprog_constants_read *x = &r->q->read[a], *y = &r->q->read[b];
    uint32_t p, q;
    const int flags[2][3] = {
        {x->channels & 15, !x->keep_sign, pinned(r, x->slot) ? x->slot : -1 - r->q->slot[x->slot].external},
        {y->channels & 15, !y->keep_sign, pinned(r, y->slot) ? y->slot : -1 - r->q->slot[y->slot].external}};
    for (unsigned i = 0; i < 3; i++)
        if (flags[0][i] != flags[1][i])
            return flags[0][i] < flags[1][i] ? -1 : 1;
    for (unsigned c = 0; c < 4; c++) {
        if (!(x->channels >> c & 1))
            continue;
        if (pinned(r, x->slot) && x->lane[c] != y->lane[c])
            return x->lane[c] < y->lane[c] ? -1 : 1;
        p = cell_of(r, x, c);
        q = cell_of(r, y, c);
        if (p != q)
            return p < q ? -1 : 1;
    }
    return 0;
}

static bool before_read(const void *user, uint32_t a, uint32_t b) { return compare_reads(user, a, b) < 0; }

static uint32_t extra_channels(const struct constants_demand *d)
{
    uint32_t n = 0;
    for (unsigned c = 0; c < 4; c++) {
        bool first = d->channels >> c & 1;
        for (unsigned e = 0; e < c; e++)
            first &= !(d->channels >> e & 1) || d->cell[e] != d->cell[c];
        n += first;
    }
    return n ? n - 1 : 0;
}

static void find_demands(struct constants_run *r)
{
    for (uint32_t i = 0; i < r->q->nreads; i++)
        r->list[i] = i;
    fragprog_sort(r->list, r->q->nreads, r->room, before_read, r);
    r->ndemands = 0;
    for (uint32_t i = 0; i < r->q->nreads; i++) {
        if (!i || compare_reads(r, r->list[i - 1], r->list[i]))
            describe(r, &r->demand[r->ndemands++], r->list[i]);
        struct constants_demand *d = &r->demand[r->ndemands - 1];
        r->demand_of[r->list[i]] = r->ndemands - 1;
        d->cost += extra_channels(d);
    }
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->q->nreads; i++)
        if (r->demand[r->demand_of[i]].read == i)
            r->order[n++] = i;
    memset(r->vector, 0, r->q->nslots);
    for (uint32_t i = 0; i < r->q->nreads; i++)
        for (unsigned c = 0; c < 4; c++)
            if (r->demand[r->demand_of[i]].kind == CONSTANTS_VECTOR && r->q->read[i].channels >> c & 1 &&
                r->q->read[i].lane[c] <= FRAGPROG_W)
                r->vector[r->q->read[i].slot] |= (uint8_t)(1u << r->q->read[i].lane[c]);
}

/* Initialises a layout with the pinned slots. */
static void begin_layout(struct constants_run *r)
{
    r->nslots = 0;
    memset(r->where, 0xff, 2 * (size_t)r->nids * sizeof *r->where);
    memset(r->new_slot, 0xff, r->q->nslots * sizeof *r->new_slot);
    for (uint32_t s = 0; s < r->q->nslots; s++) {
        if (!pinned(r, s))
            continue;
        r->new_slot[s] = fragprog_constants_new_slot(r, r->q->slot[s].external);
        for (unsigned lane = 0; lane < 4; lane++)
            fragprog_constants_put(r, r->new_slot[s], lane,
                                   2 * r->id[4 * s + lane] + constants_sign(r, s, lane));
    }
    for (uint32_t i = 0; i < r->ndemands; i++)
        r->demand[i].slot = r->demand[i].best = CONSTANTS_NONE;
}

/* ---- the best ---- */

static uint32_t quarter(uint32_t lanes) { return (lanes + 3) / 4; }

/* Searches layouts of external and immediate slots separately. Vectors are read lane by lane only if the
 * limit requires it, immediates first, because their scalars may be inline or already stored. */
static struct constants_found search_apart(struct constants_run *r, uint32_t limit)
{
    /* limits for immediates and externals */
    uint32_t most[2] = {limit ? UINT32_MAX : 0, limit ? UINT32_MAX : 0};
    struct constants_found found[2];
    for (unsigned attempt = 0;; attempt++) {
        begin_layout(r);
        for (unsigned external = 2; external-- > 0;)
            found[external] = fragprog_constants_search(r, external, most[external],
                                                        quarter(fragprog_constants_least_lanes(r, external)));
        uint32_t slots = found[0].slots + found[1].slots;
        if (slots <= limit || !limit || attempt == 2)
            break;
        unsigned other = attempt; /* immediates are reduced first */
        most[other] = found[1 - other].slots < limit ? limit - found[1 - other].slots : 0;
    }
    return (struct constants_found){.slots = found[0].slots + found[1].slots,
                                    .cost = found[0].cost + found[1].cost,
                                    .proved = found[0].proved && found[1].proved};
}

static struct constants_found search(struct constants_run *r, uint32_t limit)
{
    if (!r->q->mix)
        return search_apart(r, limit);
    begin_layout(r);
    return fragprog_constants_search(r, 2, limit, quarter(fragprog_constants_least_lanes(r, 2)));
}

/* ---- new operands ---- */

static void use_scalar(const struct constants_run *r, const struct constants_demand *d, unsigned c,
                       struct fragprog_constants_use *use)
{
    const unsigned signs = r->q->target->negate && !d->keep_sign ? 2 : 1;
    for (uint32_t sign = 0; sign < signs; sign++) {
        const uint32_t cell = d->cell[c] ^ sign, id = cell / 2;
        const bool literal = constants_inline(r, id) && !(cell & 1);
        if (!literal && r->where[cell] == CONSTANTS_NONE)
            continue;
        use->slot[c] = literal ? 0xffff : (uint16_t)(r->where[cell] / 4);
        use->lane[c] = (uint8_t)(literal ? FRAGPROG_ZERO + (id - constants_literal(r)) : r->where[cell] % 4);
        use->negate |= (uint8_t)(sign << c);
        return;
    }
}

/* Makes the operand read the slot with unchanged lanes. */
static void use_in_place(const struct constants_run *r, const struct fragprog_constants_read *read,
                         struct fragprog_constants_use *use)
{
    for (unsigned c = 0; c < 4; c++) {
        if (!(read->channels >> c & 1))
            continue;
        use->lane[c] = read->lane[c];
        use->slot[c] = read->lane[c] > FRAGPROG_W ? 0xffff : (uint16_t)r->new_slot[read->slot];
    }
}

static void use_slot(const struct constants_run *r, const struct constants_demand *d, uint32_t slot,
                     struct fragprog_constants_use *use)
{
    struct constants_placed placed;
    fragprog_constants_place_free(r, d, slot == CONSTANTS_NONE ? fragprog_constants_empty : r->cell[slot],
                                  &placed);
    for (unsigned c = 0; c < 4; c++) {
        if (!(d->channels >> c & 1))
            continue;
        use->lane[c] = placed.lane[c];
        use->slot[c] = placed.lane[c] > FRAGPROG_W ? 0xffff : (uint16_t)slot;
    }
    use->negate = placed.negate & d->channels;
}

/* Makes the operand read each channel separately; used for single scalars and scalarised vectors. */
static void use_single(const struct constants_run *r, const struct constants_demand *d,
                       struct fragprog_constants_use *use)
{
    for (unsigned c = 0; c < 4; c++)
        if (d->channels >> c & 1)
            use_scalar(r, d, c, use);
}

static void use_demand(const struct constants_run *r, const struct constants_demand *d,
                       struct fragprog_constants_use *use)
{
    const struct fragprog_constants_read *read = &r->q->read[d->read];
    memset(use, 0xff, sizeof *use);
    use->negate = use->scalarised = 0;
    if (d->kind == CONSTANTS_PINNED ||
        (d->kind == CONSTANTS_VECTOR && r->new_slot[read->slot] != CONSTANTS_NONE)) {
        use_in_place(r, read, use);
    } else if (d->kind == CONSTANTS_INLINE || (d->kind == CONSTANTS_VECTOR && d->slot != CONSTANTS_NONE)) {
        use_slot(r, d, d->slot, use);
    } else {
        use_single(r, d, use);
        use->scalarised = d->kind == CONSTANTS_VECTOR;
    }
}

/* ---- the call ---- */

static void describe_slots(const struct constants_run *r, struct fragprog_constants *out)
{
    for (uint32_t s = 0; s < r->nslots; s++) {
        for (unsigned lane = 0; lane < 4; lane++) {
            struct fragprog_constants_lane *to = &out->slot[s][lane];
            uint32_t cell = r->cell[s][lane], id = cell / 2;
            *to = (struct fragprog_constants_lane){.kind = FRAGPROG_CONSTANTS_UNUSED, .slot = 0xffff};
            if (cell == CONSTANTS_NONE)
                continue;
            to->kind = constants_is_external(r, id) ? FRAGPROG_CONSTANTS_EXTERNAL
                                                    : FRAGPROG_CONSTANTS_IMMEDIATE;
            if (id >= constants_literal(r)) {
                to->value = fragprog_immediate_lanes.number[id - constants_literal(r)];
            } else {
                to->slot = (uint16_t)(id / 4);
                to->lane = id % 4;
                to->value = to->kind == FRAGPROG_CONSTANTS_EXTERNAL ? 0 : r->q->slot[id / 4].value[id % 4];
                if (constants_sign(r, id / 4, id % 4))
                    to->value = -to->value;
            }
            if (cell & 1)
                to->value = -to->value;
        }
    }
    out->nslots = r->nslots;
}

static void lower_bound(struct constants_run *r, struct fragprog_constants *out)
{
    uint32_t fixed = 0, lanes[2];
    for (uint32_t s = 0; s < r->q->nslots; s++)
        fixed += pinned(r, s);
    for (unsigned kind = 0; kind < 2; kind++)
        lanes[kind] = fragprog_constants_least_lanes(r, kind);
    out->lanes = lanes[0] + lanes[1];
    out->lower_bound = r->q->mix ? quarter(out->lanes) : quarter(lanes[0]) + quarter(lanes[1]);
    if (out->lower_bound < fixed)
        out->lower_bound = fixed;
}

static bool refuse(const struct fragprog_constants *out, const struct fragprog_constants_request *q,
                   struct fragprog_reason *why)
{
    struct texenv_text text;
    why->unit = -1;
    why->code = "constants";
    why->fit[0] = 0;
    texenv_text_init(&text, why->text, sizeof why->text);
    texenv_printf(&text, "%u constants of %u: ", (unsigned)out->nslots, (unsigned)q->limit);
    if (out->lower_bound > q->limit)
        texenv_printf(&text,
                      "the %u different scalars that no operand has inline need %u slots in any layout",
                      (unsigned)out->lanes, (unsigned)out->lower_bound);
    else if (q->layout != FRAGPROG_CONSTANTS_BEST)
        texenv_printf(&text, "of this layout; no layout needs fewer than %u", (unsigned)out->lower_bound);
    else
        texenv_printf(&text, "%s; no layout needs fewer than %u",
                      out->proved ? "no layout has fewer" : "the search found no layout with fewer",
                      (unsigned)out->lower_bound);
    return false;
}

static void lay_out(struct constants_run *r, struct fragprog_constants *out)
{
    const struct fragprog_constants_request *q = r->q;
    begin_layout(r);
    out->proved = false;
    if (q->layout != FRAGPROG_CONSTANTS_BEST) {
        fragprog_constants_in_order(r, q->layout == FRAGPROG_CONSTANTS_VECTORS_FIRST);
        return;
    }
    struct constants_found found = search(r, q->limit);
    out->proved = found.proved;
    uint32_t slots = r->nslots;
    for (unsigned first = 0; first < 2 && !found.proved; first++) {
        begin_layout(r);
        fragprog_constants_in_order(r, first);
        if (r->nslots < slots)
            return;
    }
    if (!found.proved) {
        begin_layout(r);
        search(r, q->limit);
    }
}

bool fragprog_constants_compact(struct fragprog_constants *out,
                                const struct fragprog_constants_request *request, void *scratch,
                                struct fragprog_reason *why)
{
    struct constants_run r = {.q = request};
    struct fragprog_arena a = {.at = scratch};
    carve(&r, &a, request->nslots, request->nreads);
    for (uint32_t s = 0; s < request->nslots; s++)
        r.relative |= request->slot[s].relative;
    number(&r);
    find_demands(&r);
    begin_layout(&r);
    lower_bound(&r, out);
    lay_out(&r, out);
    describe_slots(&r, out);
    out->scalarised = 0;
    for (uint32_t i = 0; i < request->nreads; i++) {
        use_demand(&r, &r.demand[r.demand_of[i]], &out->use[i]);
        out->scalarised += out->use[i].scalarised;
    }
    return !request->limit || out->nslots <= request->limit || refuse(out, request, why);
}
