/* The search's first descent (pass_search.c) and the registers of the first attempt (pass_registers.c), by
 * themselves: no graph is kept, nothing is tried twice. Where the search would have to come back from
 * something, and where the program is not simple, this gives up, and the search does it all. What is made
 * here is what the search would make (tests/unit/first_descent.c), and it takes the same work. */
#include "fragprog/names.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

enum { NODES = 2 * FRAGPROG_PAIRS, NONE = 0xff, READS_ALPHA = 0x40, SWIZZLE_STR = 0, SWIZZLE_STQ_DQ = 3 };
/* A value is a half of register r's texel, number r, or of what node n makes. */
enum { FIRST_NODE = FRAGPROG_REGISTERS, VALUES = FRAGPROG_REGISTERS + NODES };

struct descent_node {
    uint32_t preds;
    uint8_t op[2]; /* what runs in each half, or NONE */
    uint8_t height;
};

/* An instruction in the extension's terms, registers apart. */
struct descent_op {
    struct fragprog_atifs_op op;
    const struct fragprog_inst *inst;
    uint8_t reads[3]; /* the value of each argument, | READS_ALPHA; or NONE */
};

struct descent {
    const struct fragprog *p;
    unsigned nnodes, nops, nslots;
    uint32_t takes[2];                        /* nodes that take each half */
    uint32_t readers[2][VALUES];              /* nodes; by the half of the value */
    uint8_t until[2][VALUES], reg[2][VALUES]; /* the slot of the last reader; the register */
    uint8_t value_of[FRAGPROG_TEXENV_INSTS];
    uint8_t result[2]; /* values */
    const struct fragprog_inst *texel[FRAGPROG_REGISTERS];
    struct descent_node node[NODES];
    struct descent_op op[NODES];
    uint8_t slot[FRAGPROG_PAIRS][2], in_r0[FRAGPROG_PAIRS]; /* in_r0: bits, halves */
};

/* ---- the program ---- */

/* A texture of fixed function in the register of its own number. */
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

/* Argument k, of which these lanes are read. Gives the channels that it reads. */
static bool encode(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned k,
                   unsigned lanes, unsigned *channels)
{
    static const uint8_t mods[32] = {
#define MODS(m) \
    ((m)&FRAGPROG_2X ? ATIFS_2X : 0) | ((m)&FRAGPROG_COMP ? ATIFS_COMP : 0) | \
        ((m)&FRAGPROG_BIAS ? ATIFS_BIAS : 0) | ((m)&FRAGPROG_NEG ? ATIFS_NEGATE : 0)
#define EIGHT(m) \
    MODS(m), MODS(m + 1), MODS(m + 2), MODS(m + 3), MODS(m + 4), MODS(m + 5), MODS(m + 6), MODS(m + 7)
        EIGHT(0), EIGHT(8), EIGHT(16), EIGHT(24)
#undef EIGHT
#undef MODS
    };
    const struct fragprog_src *src = &inst->src[k];
    const unsigned lane = src->lane[fragprog_first_lane(lanes)];
    const uint32_t read = fragprog_lane_word(src->lane, lanes);
    const bool in_place = read == fragprog_lane_word(fragprog_in_place, lanes);
    if (src->negate & lanes || lane > FRAGPROG_W || src->mods & FRAGPROG_ABS ||
        (!in_place && read != fragprog_same_lanes(lane, lanes))) { /* rare, or not to be said */
        *channels = fragprog_channels_read(inst, k);
        return !fragprog_encode_arg(arg, inst, k);
    }
    switch (src->file) {
    case FRAGPROG_VALUE: arg->source = ATIFS_REG_0; break;
    case FRAGPROG_PRIMARY: arg->source = ATIFS_PRIMARY; break;
    case FRAGPROG_SECONDARY: arg->source = ATIFS_SECONDARY; break;
    case FRAGPROG_CONST: arg->source = (uint16_t)(ATIFS_CON_0 + src->index); break;
    default: return false;
    }
    arg->rep = in_place ? 0 : (uint16_t)(ATIFS_RED + lane);
    arg->mods = mods[src->mods & 31];
    *channels = in_place ? lanes : 1u << lane;
    return true;
}

/* The arguments of op, which node n runs. */
static bool add_arguments(struct descent *d, struct descent_op *op, unsigned n)
{
    const struct fragprog_inst *inst = op->inst;
    unsigned konst[2], nkonst = 0, channels;
    for (unsigned k = 0; k < op->op.nargs; k++) {
        const struct fragprog_src *src = &inst->src[k];
        if (!encode(&op->op.arg[k], inst, k, fragprog_lanes(inst, k), &channels))
            return false;
        op->reads[k] = NONE;
        if (src->file == FRAGPROG_CONST && !(nkonst && konst[0] == src->index) &&
            !(nkonst > 1 && konst[1] == src->index)) {
            if (nkonst == 2)
                return false;
            konst[nkonst++] = src->index;
        }
        if (src->file != FRAGPROG_VALUE)
            continue;
        const unsigned v = d->value_of[src->index];
        if (!channels)
            return false;
        op->reads[k] = (uint8_t)(v | (channels == FRAGPROG_MASK_W ? READS_ALPHA : 0));
        d->readers[TEXENV_RGB][v] |= channels & FRAGPROG_MASK_XYZ ? 1u << n : 0;
        d->readers[TEXENV_ALPHA][v] |= channels & FRAGPROG_MASK_W ? 1u << n : 0;
        d->node[n].preds |= v >= FIRST_NODE ? 1u << (v - FIRST_NODE) : 0;
    }
    return true;
}

/* The node of the colour dot that an alpha dot goes with: the first one of the same arguments. */
static unsigned node_of_dot(const struct descent *d, const struct fragprog_inst *dot)
{
    for (unsigned n = 0; n < d->nnodes; n++) {
        const unsigned color = d->node[n].op[TEXENV_RGB];
        const struct fragprog_inst *inst = color != NONE ? d->op[color].inst : NULL;
        if (!inst || inst->op != dot->op ||
            memcmp(inst->src, dot->src, fragprog_op_args(dot->op) * sizeof inst->src[0]) != 0)
            continue;
        return d->node[n].op[TEXENV_ALPHA] == NONE && inst->mask == FRAGPROG_MASK_XYZ &&
                inst->scale == dot->scale && inst->clamp == dot->clamp
            ? n
            : NONE;
    }
    return NONE;
}

/* An instruction; gives the value that it makes, or NONE. */
static unsigned add_op(struct descent *d, const struct fragprog_inst *inst)
{
    const unsigned half = fragprog_half_of(inst), api = fragprog_op_api(inst->op),
                   n = fragprog_is_companion(inst) ? node_of_dot(d, inst) : d->nnodes;
    if (d->nops == NODES || n == NONE || !api || (half == TEXENV_RGB && inst->mask & FRAGPROG_MASK_W))
        return NONE;
    struct descent_op *op = &d->op[d->nops];
    struct descent_node *node = &d->node[n];
    memset(&op->op, 0, sizeof op->op);
    op->inst = inst;
    op->op.op = (uint16_t)api;
    op->op.nargs = (uint8_t)fragprog_op_args(inst->op);
    op->op.unit = inst->unit;
    op->op.mod = fragprog_result_modifier(inst);
    op->op.mask = half == TEXENV_ALPHA ? 0 : inst->mask;
    if (n == d->nnodes) {
        *node = (struct descent_node){.op = {NONE, NONE}};
        d->nnodes++;
        d->readers[TEXENV_RGB][FIRST_NODE + n] = d->readers[TEXENV_ALPHA][FIRST_NODE + n] = 0;
    }
    node->op[half] = (uint8_t)d->nops++;
    d->takes[half] |= 1u << n;
    if (inst->op == FRAGPROG_DOT4)
        d->takes[TEXENV_ALPHA] |= 1u << n;
    return add_arguments(d, op, n) ? FIRST_NODE + n : NONE;
}

static bool constants_fit(const struct fragprog *p)
{
    bool fit = p->nkonst <= ATIFS_CONSTANTS;
    for (unsigned k = 0; k < p->nkonst && fit; k++)
        for (unsigned c = 0; c < 4; c++)
            fit &= p->konst[k].origin[c].unit < FRAGPROG_ORIGIN_GLOBAL && p->konst[k].value[c] >= 0.0f &&
                p->konst[k].value[c] <= 1.0f;
    return fit;
}

/* A result that is a texel is moved. */
static bool add_results(struct descent *d, struct fragprog_inst move[2])
{
    for (unsigned h = 0; h < 2; h++) {
        const struct fragprog_inst *made = &d->p->inst[d->p->result[h]];
        d->result[h] = d->value_of[d->p->result[h]];
        if (made->op != FRAGPROG_TEX && made->mask == (h == TEXENV_RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W))
            continue;
        move[h] = (struct fragprog_inst){.op = FRAGPROG_MOV, .unit = made->unit, .clamp = FRAGPROG_SAT};
        move[h].mask = h == TEXENV_RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W;
        move[h].src[0] = h == TEXENV_RGB
            ? fragprog_src_value(d->p->result[h])
            : fragprog_src_replicate(FRAGPROG_VALUE, d->p->result[h], FRAGPROG_W);
        d->result[h] = (uint8_t)add_op(d, &move[h]);
        if (d->result[h] == NONE)
            return false;
    }
    return true;
}

/* move: instructions that the program has not, and needs. */
static bool take_program(struct descent *d, const struct fragprog *p, struct fragprog_inst move[2])
{
    d->p = p;
    d->nnodes = d->nops = 0;
    d->takes[0] = d->takes[1] = 0;
    memset(d->texel, 0, sizeof d->texel);
    for (unsigned h = 0; h < 2; h++)
        memset(d->readers[h], 0, FRAGPROG_REGISTERS * sizeof d->readers[h][0]);
    if (!constants_fit(p))
        return false;
    for (unsigned i = 0; i < p->ninst; i++) {
        if (p->inst[i].op == FRAGPROG_TEX) {
            if (!add_lookup(d, i))
                return false;
            continue;
        }
        d->value_of[i] = (uint8_t)add_op(d, &p->inst[i]);
        if (d->value_of[i] == NONE)
            return false;
    }
    return add_results(d, move);
}

/* Companions that nobody reads go, and heights are found. Gives what no schedule is shorter than. */
static unsigned bound(struct descent *d)
{
    unsigned most = 0;
    for (unsigned n = 0; n < d->nnodes; n++)
        d->node[n].height = 1;
    for (unsigned n = d->nnodes; n-- > 0;) {
        struct descent_node *node = &d->node[n];
        const unsigned v = FIRST_NODE + n;
        if (node->op[TEXENV_RGB] != NONE && node->op[TEXENV_ALPHA] != NONE && !d->readers[TEXENV_ALPHA][v] &&
            d->result[TEXENV_ALPHA] != v) {
            if (d->op[node->op[TEXENV_RGB]].inst->op != FRAGPROG_DOT4)
                d->takes[TEXENV_ALPHA] &= ~(1u << n);
            node->op[TEXENV_ALPHA] = NONE;
        }
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

/* ---- the schedule ---- */

/* Of some nodes the one on which most depends of those that are ready, or NONE. False: some has no slot any
 * more, left being those that there are. */
static bool pick(const struct descent *d, uint32_t nodes, uint32_t done, unsigned left, unsigned *best)
{
    unsigned most = 0;
    *best = NONE;
    if (fragprog_count(nodes) > left)
        return false;
    for (; nodes; nodes &= nodes - 1) {
        const unsigned n = fragprog_lowest(nodes), height = d->node[n].height;
        if (height > left)
            return false;
        if (height > most && !(d->node[n].preds & ~done)) {
            most = height;
            *best = n;
        }
    }
    return true;
}

/* Where a half is while slots are filled: values that are needed, and which of them register 0 has (or NONE).
 */
struct half {
    uint32_t live;
    unsigned r0;
};

/* The value that the slot makes in this half, or none, gets its place: not in register 0 first, which keeps
 * it for the result. */
static bool put(struct descent *d, struct half *half, unsigned h, unsigned born, uint32_t done)
{
    unsigned count = 0;
    uint32_t left = 0;
    if (born != NONE)
        half->live |= 1u << born;
    for (uint32_t live = half->live; live; live &= live - 1) {
        const unsigned v = fragprog_lowest(live);
        if (d->readers[h][v] & ~done || v == d->result[h])
            left |= 1u << v;
        else
            d->until[h][v] = (uint8_t)d->nslots;
        count++;
        if (!(left >> v & 1) && v != born)
            count--;
    }
    half->live = left;
    if (half->r0 != NONE && !(left >> half->r0 & 1))
        half->r0 = NONE;
    if (born != d->result[h] && count - (half->r0 != NONE) < FRAGPROG_REGISTERS)
        return true;
    if (born == NONE || half->r0 != NONE || count > FRAGPROG_REGISTERS)
        return false;
    d->in_r0[d->nslots] |= (uint8_t)(1u << h);
    half->r0 = left >> born & 1 ? born : NONE;
    return true;
}

static bool fill_slots(struct descent *d, unsigned slots)
{
    struct half half[2] = {{0, NONE}, {0, NONE}};
    uint32_t done = 0, rest = (1u << d->nnodes) - 1;
    for (unsigned h = 0; h < 2; h++) {
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
            half[h].live |= (uint32_t)(d->readers[h][r] != 0) << r;
        half[h].r0 = half[h].live & 1 ? 0 : NONE;
    }
    for (d->nslots = 0; rest; d->nslots++) {
        unsigned n[2];
        if (!pick(d, d->takes[TEXENV_RGB] & rest, done, slots - d->nslots, &n[TEXENV_RGB]) ||
            !pick(d, d->takes[TEXENV_ALPHA] & rest, done, slots - d->nslots, &n[TEXENV_ALPHA]))
            return false;
        const uint32_t color = n[TEXENV_RGB] == NONE ? 0 : 1u << n[TEXENV_RGB];
        if (color & d->takes[TEXENV_ALPHA]) /* a node of both halves */
            n[TEXENV_ALPHA] = n[TEXENV_RGB];
        else if (n[TEXENV_ALPHA] != NONE && d->takes[TEXENV_RGB] >> n[TEXENV_ALPHA] & 1 &&
                 !pick(d, d->takes[TEXENV_ALPHA] & ~d->takes[TEXENV_RGB] & rest, done, slots - d->nslots,
                       &n[TEXENV_ALPHA]))
            return false;
        done |= color | (n[TEXENV_ALPHA] == NONE ? 0 : 1u << n[TEXENV_ALPHA]);
        rest &= ~done;
        d->in_r0[d->nslots] = 0;
        for (unsigned h = 0; h < 2; h++) {
            d->slot[d->nslots][h] = (uint8_t)n[h];
            const bool makes = n[h] != NONE && d->node[n[h]].op[h] != NONE;
            if (!put(d, &half[h], h, makes ? FIRST_NODE + n[h] : NONE, done))
                return false;
        }
    }
    for (unsigned h = 0; h < 2; h++)
        d->until[h][d->result[h]] = (uint8_t)d->nslots;
    return true;
}

/* ---- registers ---- */

/* Registers whose colour the alpha instruction reads. */
static unsigned read_by_alpha(const struct descent *d, unsigned n)
{
    unsigned regs = 0;
    const struct descent_op *op = &d->op[d->node[n].op[TEXENV_ALPHA]];
    for (unsigned k = 0; k < op->op.nargs; k++)
        if (op->reads[k] != NONE && !(op->reads[k] & READS_ALPHA))
            regs |= 1u << d->reg[TEXENV_RGB][op->reads[k]];
    return regs;
}

/* The lowest register that is free, 0 last; what the alpha half reads is not written beside it. */
static bool place(struct descent *d)
{
    uint8_t held[2][FRAGPROG_REGISTERS];
    for (unsigned h = 0; h < 2; h++)
        for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
            d->reg[h][r] = (uint8_t)r;
            held[h][r] = d->readers[h][r] ? d->until[h][r] : 0;
        }
    for (unsigned slot = 0; slot < d->nslots; slot++)
        for (unsigned h = 0; h < 2; h++) {
            const unsigned n = d->slot[slot][h], alpha = d->slot[slot][TEXENV_ALPHA];
            if (n == NONE || d->node[n].op[h] == NONE)
                continue;
            const unsigned v = FIRST_NODE + n,
                           barred = h == TEXENV_RGB && alpha != n && alpha != NONE ? read_by_alpha(d, alpha)
                                                                                   : 0;
            const bool zero = d->in_r0[slot] >> h & 1;
            unsigned r = zero ? 0 : 1;
            while (r < FRAGPROG_REGISTERS && !zero && (held[h][r] > slot || barred >> r & 1))
                r++;
            r %= FRAGPROG_REGISTERS;
            if (r == 0 && (held[h][0] > slot || barred & 1))
                return false;
            d->reg[h][v] = (uint8_t)r;
            if (d->until[h][v] > held[h][r])
                held[h][r] = d->until[h][v];
        }
    return true;
}

/* ---- the extension's terms ---- */

static void write_lookups(struct fragprog_atifs_pass *pass, const struct descent *d)
{
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        const struct fragprog_inst *tex = d->texel[r];
        if (!(d->readers[TEXENV_RGB][r] | d->readers[TEXENV_ALPHA][r]))
            continue;
        const bool three = tex->target == TEXENV_3D || tex->target == TEXENV_CUBE;
        pass->setup[r] = (struct fragprog_atifs_setup){
            .op = FRAGPROG_SAMPLE,
            .source = (uint8_t)r,
            .swizzle = three ? SWIZZLE_STR : SWIZZLE_STQ_DQ,
            .texture = (int8_t)r,
            .target = (uint8_t)(tex->target == TEXENV_2D ? 0 : tex->target + 1)};
    }
}

static void write_program(struct fragprog_atifs *out, const struct descent *d, bool constants_local)
{
    memset(out, 0, sizeof *out);
    write_lookups(&out->pass[0], d);
    for (unsigned slot = 0; slot < d->nslots; slot++)
        for (unsigned h = 0; h < 2; h++) {
            const unsigned n = d->slot[slot][h];
            if (n == NONE || d->node[n].op[h] == NONE)
                continue;
            const struct descent_op *op = &d->op[d->node[n].op[h]];
            struct fragprog_atifs_op *to = &out->pass[0].pair[slot].half[h];
            *to = op->op;
            to->dst = d->reg[h][FIRST_NODE + n];
            for (unsigned k = 0; k < to->nargs; k++)
                if (op->reads[k] != NONE)
                    to->arg[k].source += d->reg[op->reads[k] & READS_ALPHA ? TEXENV_ALPHA : TEXENV_RGB]
                                               [op->reads[k] & 63];
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
    if (slots > FRAGPROG_PAIRS || *work > most || !fill_slots(&d, slots) || !place(&d))
        return false;
    write_program(out, &d, options->constants_local);
    return true;
}
