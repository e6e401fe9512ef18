/* A fast list scheduler. It computes what the first descent of the search (pass_search.c) and the first
 * register assignment (pass_registers.c) would find, but without building a graph and without backtracking.
 * If the search would have to backtrack, or the program has a rare operation or lookup that is not supported
 * here, it gives up, and the search starts from the beginning. The result and the counted work are the same
 * as those of the search (tests/unit/first_descent.c). */
#include "fragprog/names.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

enum { NODES = 2 * FRAGPROG_PAIRS, NO_NODE = NODES, NO_OP = 0xff };
/* Numbers of value halves: the colour of register r's texel is r, the colour result of node n is FIRST_NODE +
 * n; those of alpha are ALPHA higher. NOTHING is a dummy value that is never computed and always live. */
enum { FIRST_NODE = FRAGPROG_REGISTERS, NOTHING = FIRST_NODE + NODES, ALPHA = 32, VALUES = ALPHA + NOTHING };
/* A pseudo-node in sets of readers. It is never scheduled, so that the value stays live. */
#define KEPT (UINT32_C(1) << NODES)

struct descent_node {
    uint32_t preds;
    uint8_t op[2]; /* instruction in each half, or NO_OP */
    uint8_t height;
};

/* An instruction of ATI_fragment_shader, before registers are assigned. */
struct descent_op {
    const struct fragprog_inst *inst;
    struct fragprog_atifs_op op;
    uint8_t makes, reads[3]; /* numbers of values; NOTHING for an argument that reads no value */
    bool crosses;            /* some argument reads channels that are not in the result's mask */
};

struct descent {
    const struct fragprog *p;
    unsigned nnodes, nops, nslots;
    uint32_t takes[2];             /* nodes that occupy each half */
    uint32_t of_height[NODES + 2]; /* set of nodes of each height */
    uint32_t readers[VALUES];      /* nodes that read the value; KEPT for results, and after its live range */
    uint8_t reg[VALUES];
    uint8_t value_of[FRAGPROG_TEXENV_INSTS]; /* number of the colour half of each value */
    const struct fragprog_inst *texel[FRAGPROG_REGISTERS];
    struct descent_node node[NODES];
    struct descent_op op[NODES];
    uint8_t slot[FRAGPROG_PAIRS][2]; /* instruction in each half, or NO_OP */
};

/* ---- the program ---- */

/* Adds a fixed-function texture in the register of its own number. */
static bool add_lookup(struct descent *d, unsigned i)
{
    const struct fragprog_inst *tex = &d->p->inst[i];
    const struct fragprog_src *at = &tex->src[0];
    const unsigned r = tex->texture;
    if (r >= FRAGPROG_REGISTERS || d->texel[r] || tex->shadow || tex->undivided || tex->clamp || tex->scale ||
        at->file != FRAGPROG_COORD || at->index != r ||
        fragprog_lane_word(at->lane, 15) != fragprog_lane_word(fragprog_in_place, 15))
        return false;
    d->texel[r] = tex;
    d->value_of[i] = (uint8_t)r;
    return true;
}

/* Encodes argument k. Returns the channels that it reads, or NOT_SAID if it cannot be encoded. */
enum { NOT_SAID = 16 };
static unsigned encode_rare(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned k)
{
    const struct fragprog_src *src = &inst->src[k];
    const unsigned lanes = fragprog_lanes(inst, k), lane = src->lane[fragprog_first_lane(lanes)];
    if (src->file != FRAGPROG_LITERAL || src->mods || src->negate || lane > FRAGPROG_ONE ||
        fragprog_lane_word(src->lane, lanes) != fragprog_same_lanes(lane, lanes))
        return fragprog_encode_arg(arg, inst, k) ? NOT_SAID : fragprog_channels_read(inst, k);
    arg->source = lane == FRAGPROG_ONE ? FRAGPROG_ATI_ONE : FRAGPROG_ATI_ZERO;
    return 0;
}

/* Fast version of encode_rare. The argument reads these lanes; *arg must be 0. */
static inline unsigned encode(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned k,
                              unsigned lanes)
{
    static const uint8_t mods[32] = {
#define MODS(m) \
    ((m)&FRAGPROG_2X ? FRAGPROG_ATI_2X : 0) | ((m)&FRAGPROG_COMP ? FRAGPROG_ATI_COMP : 0) | \
        ((m)&FRAGPROG_BIAS ? FRAGPROG_ATI_BIAS : 0) | ((m)&FRAGPROG_NEG ? FRAGPROG_ATI_NEGATE : 0)
#define EIGHT(m) \
    MODS(m), MODS(m + 1), MODS(m + 2), MODS(m + 3), MODS(m + 4), MODS(m + 5), MODS(m + 6), MODS(m + 7)
        EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
#undef EIGHT
#undef MODS
    };
    static const uint16_t sources[16] = {[FRAGPROG_VALUE] = FRAGPROG_ATI_REG_0,
                                         [FRAGPROG_PRIMARY] = FRAGPROG_ATI_PRIMARY,
                                         [FRAGPROG_SECONDARY] = FRAGPROG_ATI_SECONDARY,
                                         [FRAGPROG_CONST] = FRAGPROG_ATI_CON_0};
    const struct fragprog_src *src = &inst->src[k];
    const unsigned source = sources[src->file & 15];
    if (!source || src->negate || src->mods & FRAGPROG_ABS)
        return encode_rare(arg, inst, k);
    arg->source = (uint16_t)(src->file == FRAGPROG_VALUE ? source : source + src->index);
    if (src->mods)
        arg->mods = mods[src->mods & 31];
    if (fragprog_lanes_in_place(src->lane, lanes))
        return lanes;
    const unsigned lane = src->lane[fragprog_first_lane(lanes)];
    if (lane > FRAGPROG_W || fragprog_lane_word(src->lane, lanes) != fragprog_same_lanes(lane, lanes))
        return encode_rare(arg, inst, k);
    arg->rep = (uint16_t)(FRAGPROG_ATI_RED + lane);
    return 1u << lane;
}

/* Adds the arguments of op, which node n executes. */
static bool add_arguments(struct descent *d, struct descent_op *op, unsigned n)
{
    const struct fragprog_inst *inst = op->inst;
    const struct fragprog_src *src = inst->src;
    const unsigned lanes = inst->op == FRAGPROG_DOT3 ? FRAGPROG_MASK_XYZ : inst->mask, nargs = op->op.nargs;
    uint32_t preds = 0;
    for (unsigned k = 0; k < nargs; k++) {
        const unsigned channels = encode(&op->op.arg[k], inst, k, lanes);
        if (src[k].file != FRAGPROG_VALUE && channels != NOT_SAID)
            continue;
        if (!channels || channels == NOT_SAID)
            return false;
        const unsigned v = d->value_of[src[k].index], u = channels == FRAGPROG_MASK_W ? v + ALPHA : v;
        op->reads[k] = (uint8_t)u;
        op->crosses |= channels != lanes;
        d->readers[u] |= 1u << n;
        preds |= (1u << v) >> FIRST_NODE;
    }
    d->node[n].preds |= preds;
    /* an instruction must not read three different constants */
    return nargs < 3 || src[0].file != FRAGPROG_CONST || src[1].file != FRAGPROG_CONST ||
        src[2].file != FRAGPROG_CONST || src[0].index == src[1].index || src[0].index == src[2].index ||
        src[1].index == src[2].index;
}

/* Returns the node of the colour dot product that an alpha dot product can accompany: the first one with the
 * same arguments. */
static unsigned node_of_dot(const struct descent *d, const struct fragprog_inst *dot)
{
    for (unsigned n = 0; n < d->nnodes; n++) {
        const unsigned color = d->node[n].op[TEXENV_RGB];
        const struct fragprog_inst *inst = color != NO_OP ? d->op[color].inst : NULL;
        if (!inst || !fragprog_same_operation(inst, dot))
            continue;
        return d->node[n].op[TEXENV_ALPHA] == NO_OP && inst->mask == FRAGPROG_MASK_XYZ &&
                inst->scale == dot->scale && inst->clamp == dot->clamp
            ? n
            : NO_NODE;
    }
    return NO_NODE;
}

/* Adds an instruction. Returns the number of its value, or NOTHING on failure. */
static unsigned add_op(struct descent *d, const struct fragprog_inst *inst)
{
    static const uint32_t said = 1u << FRAGPROG_MOV | 1u << FRAGPROG_ADD | 1u << FRAGPROG_MUL |
        1u << FRAGPROG_SUB | 1u << FRAGPROG_DOT3 | 1u << FRAGPROG_MAD | 1u << FRAGPROG_LERP |
        1u << FRAGPROG_CND | 1u << FRAGPROG_CND0; /* operations that run in the half of their result */
    const unsigned half = fragprog_half_of(inst);
    if (d->nops == NODES || inst->op > FRAGPROG_CND0 || !(said >> inst->op & 1) ||
        inst->mask > FRAGPROG_MASK_W)
        return NOTHING;
    const unsigned n = half == TEXENV_ALPHA && inst->op == FRAGPROG_DOT3 ? node_of_dot(d, inst) : d->nnodes;
    if (n == NO_NODE)
        return NOTHING;
    struct descent_op *op = &d->op[d->nops];
    struct descent_node *node = &d->node[n];
    *op = (struct descent_op){.inst = inst,
                              .op = fragprog_op_of(inst),
                              .makes = (uint8_t)(FIRST_NODE + n + (half == TEXENV_ALPHA ? ALPHA : 0)),
                              .reads = {NOTHING, NOTHING, NOTHING}};
    if (n == d->nnodes) {
        *node = (struct descent_node){.op = {NO_OP, NO_OP}, .height = 1};
        d->nnodes++;
    }
    node->op[half] = (uint8_t)d->nops++;
    d->takes[half] |= 1u << n;
    return add_arguments(d, op, n) ? FIRST_NODE + n : NOTHING;
}

static bool constants_fit(const struct fragprog *p)
{
    bool fit = p->nkonst <= FRAGPROG_ATI_CONSTANTS;
    for (unsigned k = 0; k < p->nkonst && fit; k++) {
        fit = fragprog_is_whole_constant(&p->konst[k]) && p->konst[k].origin[0].unit < FRAGPROG_ORIGIN_GLOBAL;
        for (unsigned c = 0; c < 4; c++)
            fit &= p->konst[k].value[c] >= 0.0f && p->konst[k].value[c] <= 1.0f;
    }
    return fit;
}

/* Adds a move for a result that is a texel. */
static bool add_results(struct descent *d, struct fragprog_inst move[2])
{
    for (unsigned h = 0; h < 2; h++) {
        unsigned v = d->value_of[d->p->result[h]];
        if (fragprog_moves_result(d->p, h, &move[h]) && (v = add_op(d, &move[h])) == NOTHING)
            return false;
        d->readers[v + (h == TEXENV_ALPHA ? ALPHA : 0)] |= KEPT;
    }
    return true;
}

/* Adds the whole program. move: storage for added moves. */
static bool take_program(struct descent *d, const struct fragprog *p, struct fragprog_inst move[2])
{
    d->p = p;
    d->nnodes = d->nops = 0;
    d->takes[0] = d->takes[1] = 0;
    memset(d->texel, 0, sizeof d->texel);
    memset(d->readers, 0, sizeof d->readers);
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        d->reg[r] = d->reg[ALPHA + r] = (uint8_t)r;
    d->readers[NOTHING] = KEPT;
    d->reg[NOTHING] = 0;
    if (!constants_fit(p))
        return false;
    for (unsigned i = 0; i < p->ninst; i++) {
        if (p->inst[i].op == FRAGPROG_TEX) {
            if (!add_lookup(d, i))
                return false;
            continue;
        }
        d->value_of[i] = (uint8_t)add_op(d, &p->inst[i]);
        if (d->value_of[i] == NOTHING)
            return false;
    }
    return add_results(d, move);
}

/* Removes companions that are not read, computes heights, and returns a lower bound on the slots. */
static unsigned bound(struct descent *d)
{
    unsigned most = 0;
    memset(d->of_height, 0, sizeof d->of_height);
    for (unsigned n = d->nnodes; n-- > 0;) {
        struct descent_node *node = &d->node[n];
        if (node->op[TEXENV_RGB] != NO_OP && node->op[TEXENV_ALPHA] != NO_OP &&
            !d->readers[ALPHA + FIRST_NODE + n]) {
            d->takes[TEXENV_ALPHA] &= ~(1u << n);
            node->op[TEXENV_ALPHA] = NO_OP;
        }
        d->of_height[node->height] |= 1u << n;
        if (node->height > most)
            most = node->height;
        for (uint32_t preds = node->preds; preds; preds &= preds - 1) {
            struct descent_node *pred = &d->node[fragprog_lowest(preds)];
            if (pred->height <= node->height)
                pred->height = (uint8_t)(node->height + 1);
        }
    }
    for (unsigned h = 0; h < 2; h++) {
        const unsigned count = fragprog_count(d->takes[h]);
        most = count > most ? count : most;
    }
    return most;
}

/* ---- schedule ---- */

/* Returns the ready node of greatest height in the set, or NO_NODE. `left` is an upper bound on heights. */
static unsigned pick(const struct descent *d, uint32_t nodes, uint32_t done, unsigned left)
{
    for (unsigned height = left; height; height--)
        for (uint32_t some = d->of_height[height] & nodes; some; some &= some - 1) {
            const unsigned n = fragprog_lowest(some);
            if (!(d->node[n].preds & ~done))
                return n;
        }
    return NO_NODE;
}

/* State of a half while slots are filled: registers in use, number of live values, and the value intended for
 * register 0 (or NOTHING). */
struct half {
    unsigned held, live, r0;
};

/* Ends the live ranges of values whose last reader is this instruction. */
static void end_values(struct descent *d, struct half half[2], const struct descent_op *op, uint32_t done)
{
    for (unsigned k = 0, nargs = op->op.nargs; k < nargs; k++) {
        const unsigned u = op->reads[k];
        if (d->readers[u] & ~done)
            continue;
        struct half *const of = &half[u / ALPHA];
        d->readers[u] = KEPT;
        of->live--;
        of->held &= ~(1u << d->reg[u]);
        if (of->r0 == u)
            of->r0 = NOTHING;
    }
}

/* Assigns to value u the lowest free register that is not in `barred`. Register 0 is kept for the result, so
 * it is used only if necessary. */
static bool put(struct descent *d, struct half *half, unsigned u, unsigned barred)
{
    const bool result = d->readers[u] & KEPT, needed = d->readers[u] != 0;
    const unsigned taken = half->held | barred, free = ~taken & ((1u << FRAGPROG_REGISTERS) - 2);
    unsigned r = 0;
    if (result || half->live + 1 - (half->r0 != NOTHING) >= FRAGPROG_REGISTERS) {
        if (half->r0 != NOTHING || half->live >= FRAGPROG_REGISTERS)
            return false;
        half->r0 = needed ? u : NOTHING;
    } else if (free) {
        r = fragprog_lowest(free);
    }
    if (r == 0 && taken & 1)
        return false;
    d->reg[u] = (uint8_t)r;
    half->held |= (unsigned)needed << r;
    half->live += needed;
    return true;
}

/* Returns the registers whose colour the alpha instruction reads; the colour instruction of the same slot
 * must not write them. */
static unsigned read_by_alpha(const struct descent *d, const struct descent_op *alpha)
{
    unsigned regs = 0;
    for (unsigned k = 0; k < 3; k++)
        if (alpha->reads[k] < NOTHING)
            regs |= 1u << d->reg[alpha->reads[k]];
    return regs;
}

/* Ends the live ranges of values whose last readers are the slot's nodes, and assigns registers to the values
 * that the nodes compute. */
static bool fill_slot(struct descent *d, struct half half[2], const unsigned n[2], uint32_t done)
{
    const struct descent_op *op[2];
    for (unsigned h = 0; h < 2; h++) {
        const unsigned number = n[h] == NO_NODE ? NO_OP : d->node[n[h]].op[h];
        d->slot[d->nslots][h] = (uint8_t)number;
        op[h] = number == NO_OP ? NULL : &d->op[number];
        if (op[h])
            end_values(d, half, op[h], done);
    }
    unsigned barred = op[TEXENV_ALPHA] && op[TEXENV_ALPHA]->crosses && n[TEXENV_RGB] != n[TEXENV_ALPHA]
        ? read_by_alpha(d, op[TEXENV_ALPHA])
        : 0;
    for (unsigned h = 0; h < 2; h++, barred = 0)
        if (op[h] ? !put(d, &half[h], op[h]->makes, barred)
                  : half[h].live - (half[h].r0 != NOTHING) >= FRAGPROG_REGISTERS)
            return false;
    return true;
}

static bool fill_slots(struct descent *d, unsigned slots)
{
    struct half half[2] = {{0, 0, NOTHING}, {0, 0, NOTHING}};
    uint32_t done = 0, rest = (1u << d->nnodes) - 1;
    for (unsigned h = 0; h < 2; h++)
        for (unsigned r = FRAGPROG_REGISTERS; r-- > 0;)
            if (d->readers[h * ALPHA + r]) {
                half[h].held |= 1u << r;
                half[h].live++;
                half[h].r0 = r ? NOTHING : h * ALPHA;
            }
    unsigned empty[2] = {slots - fragprog_count(d->takes[TEXENV_RGB]),
                         slots - fragprog_count(d->takes[TEXENV_ALPHA])};
    for (d->nslots = 0; rest; d->nslots++) {
        const unsigned left = slots - d->nslots;
        const uint32_t color = d->takes[TEXENV_RGB] & rest, alpha = d->takes[TEXENV_ALPHA] & rest;
        unsigned n[2] = {pick(d, color, done, left), pick(d, alpha, done, left)};
        if (n[TEXENV_RGB] != NO_NODE && alpha >> n[TEXENV_RGB] & 1) /* a node that occupies both halves */
            n[TEXENV_ALPHA] = n[TEXENV_RGB];
        else if (n[TEXENV_ALPHA] != NO_NODE && color >> n[TEXENV_ALPHA] & 1)
            n[TEXENV_ALPHA] = pick(d, alpha & ~color, done, left);
        if ((n[TEXENV_RGB] == NO_NODE && !empty[TEXENV_RGB]--) ||
            (n[TEXENV_ALPHA] == NO_NODE && !empty[TEXENV_ALPHA]--))
            return false;
        done |= (1u << n[TEXENV_RGB] | 1u << n[TEXENV_ALPHA]) & rest;
        rest &= ~done;
        if (d->of_height[left] & rest || !fill_slot(d, half, n, done))
            return false;
    }
    return true;
}

/* ---- emission ---- */

static void write_lookups(struct fragprog_atifs_pass *pass, const struct descent *d)
{
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        if (d->readers[r] | d->readers[ALPHA + r])
            pass->setup[r] = fragprog_lookup_of(d->texel[r], r);
    }
}

static void write_program(struct fragprog_atifs *out, const struct descent *d, bool constants_local)
{
    memset(out, 0, sizeof *out);
    write_lookups(&out->pass[0], d);
    for (unsigned slot = 0; slot < d->nslots; slot++)
        for (unsigned h = 0; h < 2; h++) {
            if (d->slot[slot][h] == NO_OP)
                continue;
            const struct descent_op *op = &d->op[d->slot[slot][h]];
            struct fragprog_atifs_op *to = &out->pass[0].pair[slot].half[h];
            *to = op->op;
            to->dst = d->reg[op->makes];
            for (unsigned k = 0; k < 3; k++)
                to->arg[k].source += d->reg[op->reads[k]];
        }
    out->pass[0].npairs = (uint8_t)d->nslots;
    out->npasses = 1;
    fragprog_emit_constants(out, d->p, constants_local);
}

bool fragprog_schedule_first(struct fragprog_atifs *out, const struct fragprog *p,
                             const struct fragprog_schedule_options *options, uint32_t most, uint32_t *work)
{
    struct descent d;
    struct fragprog_inst move[2];
    if (!take_program(&d, p, move))
        return false;
    const unsigned slots = bound(&d);
    *work += slots * FRAGPROG_WORK_OF_SLOT;
    if (slots > FRAGPROG_PAIRS || *work > most || !fill_slots(&d, slots))
        return false;
    write_program(out, &d, options->constants_local);
    return true;
}
