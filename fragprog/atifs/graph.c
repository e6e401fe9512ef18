/* Builds the dependency graph for the scheduler from a legalised program, with textures assigned to
 * registers. */
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* ---- dot products in the alpha half ---- */

/* Returns the colour dot product with the same arguments, or FRAGPROG_NO_INST. */
static unsigned color_dot(const struct fragprog *p, unsigned alpha)
{
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].mask != FRAGPROG_MASK_W && fragprog_same_operation(&p->inst[i], &p->inst[alpha]))
            return i;
    return FRAGPROG_NO_INST;
}

static bool is_accompanied(const struct fragprog *p, const uint16_t *companion, unsigned color)
{
    for (unsigned k = 0; k < p->ninst; k++)
        if (companion[k] == color)
            return true;
    return false;
}

/* Returns true if `to` can be a scaled move of `from`. sat(2^a x) = sat(2^(a-b) sat(2^b x)) holds if a >= b;
 * if `from` has no clamp, the move is possible for all a and b. */
static bool follows(const struct fragprog_inst *from, const struct fragprog_inst *to)
{
    int shift = to->scale - from->scale;
    return shift >= -3 && shift <= 3 &&
        (from->clamp == FRAGPROG_NO_CLAMP ||
         (from->clamp == FRAGPROG_SAT && to->clamp == FRAGPROG_SAT && shift >= 0));
}

static void become_move(struct fragprog_inst *inst, const struct fragprog_inst *from, unsigned value,
                        unsigned lane)
{
    inst->op = FRAGPROG_MOV;
    inst->scale = (int8_t)(inst->scale - from->scale);
    memset(inst->src, 0, sizeof inst->src);
    inst->src[0] = fragprog_src_replicate(FRAGPROG_VALUE, value, lane);
}

/* Returns true if both dot products may share a slot. Unless each half has its own scale and clamp
 * (own_modifiers), it is undefined which of the two apply. */
static bool may_accompany(const struct fragprog_inst *alpha, const struct fragprog_inst *color,
                          bool own_modifiers)
{
    return color->mask == FRAGPROG_MASK_XYZ &&
        (own_modifiers || (color->scale == alpha->scale && color->clamp == alpha->clamp));
}

/* In the alpha half, a dot product must accompany the colour dot product of the same slot. Where the two may
 * not share a slot, one of them becomes a move of the other. companion[i]: the colour dot product that alpha
 * dot product i accompanies. */
static bool legalise_alpha_dot(struct fragprog *p, unsigned i, uint16_t *companion, bool own_modifiers,
                               struct fragprog_reason *why)
{
    unsigned j = color_dot(p, i);
    if (j != FRAGPROG_NO_INST) {
        struct fragprog_inst *alpha = &p->inst[i], *color = &p->inst[j];
        if (j < i && !is_accompanied(p, companion, j) && may_accompany(alpha, color, own_modifiers)) {
            companion[i] = (uint16_t)j;
            return true;
        }
        if (j < i && follows(color, alpha)) {
            /* alpha instructions can read blue without replication */
            become_move(alpha, color, j, FRAGPROG_Z);
            return true;
        }
    }
    /* Inserts a separate colour dot product, so that the original colour dot product may become a move of the
     * new one. */
    struct fragprog_inst dot = p->inst[i];
    dot.mask = FRAGPROG_MASK_XYZ;
    if (p->ninst >= p->maxinst || p->ninst >= FRAGPROG_TEXENV_INSTS)
        return fragprog_refuse(why, dot.unit, "pairs", "the program does not fit two passes");
    unsigned at = j < i ? j : i;
    memmove(&companion[at + 1], &companion[at], (p->ninst - at) * sizeof companion[0]);
    for (unsigned k = 0; k <= p->ninst; k++)
        if (companion[k] != FRAGPROG_NO_INST && companion[k] >= at)
            companion[k]++;
    fragprog_insert(p, at, &dot);
    companion[at] = FRAGPROG_NO_INST;
    companion[i + 1] = (uint16_t)at;
    if (j != FRAGPROG_NO_INST && follows(&dot, &p->inst[j + 1]) && !is_accompanied(p, companion, j + 1))
        become_move(&p->inst[j + 1], &dot, at, FRAGPROG_Z);
    return true;
}

/* ---- textures ---- */

/* Puts texture n into register n. Textures above the number of registers, or all with bind_compact, use free
 * registers, the highest first, because register 0 is needed for the result. */
static bool bind_textures(struct fragprog_graph *g, const struct fragprog_schedule_options *options,
                          struct fragprog_reason *why)
{
    unsigned sampled = 0, sets = options->primary_texcoord >= 0 ? 1u << options->primary_texcoord : 0,
             count = 0, high = 0;
    uint8_t reg[TEXENV_UNITS];
    uint16_t lookup[TEXENV_UNITS]; /* indexed by unit; each unit has at most one lookup (legalise.c) */
    for (unsigned i = 0; i < g->p.ninst; i++)
        if (g->p.inst[i].op == FRAGPROG_TEX) {
            sampled |= 1u << g->p.inst[i].texture;
            lookup[g->p.inst[i].texture] = (uint16_t)i;
            sets |= 1u << g->p.inst[i].src[0].index;
            if (g->p.inst[i].texture > high)
                high = g->p.inst[i].texture;
            count++;
        }
    if (count > FRAGPROG_REGISTERS) {
        fragprog_refuse(why, (int)high, "textures",
                        "%u textures contribute and there are %d registers for them", count,
                        FRAGPROG_REGISTERS);
        return fragprog_would_fit(why, "%u textures fewer", count - FRAGPROG_REGISTERS);
    }
    if (high >= FRAGPROG_REGISTERS && !options->rebind && !options->bind_compact)
        return fragprog_refuse(
            why, (int)high, "textures",
            "unit %u: register n samples unit n and there are only r0..r%d; --bind compact fits", high,
            FRAGPROG_REGISTERS - 1);
    unsigned next = 0, free = FRAGPROG_REGISTERS;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (!(sampled & 1u << u))
            continue;
        if (options->bind_compact)
            reg[u] = (uint8_t)next++;
        else if (u < FRAGPROG_REGISTERS)
            reg[u] = (uint8_t)u;
        else {
            do
                free--;
            while (sampled & 1u << free);
            reg[u] = (uint8_t)free;
        }
    }
    memset(g->texel, 0xff, sizeof g->texel);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) { /* free coordinate sets are assigned in this order */
        if (!(sampled & 1u << u))
            continue;
        unsigned set = g->p.inst[lookup[u]].src[0].index;
        if (set >= FRAGPROG_REGISTERS) /* chip and text form have six coordinate sets */
            for (set = 0; sets & 1u << set; set++) {
            }
        if (set >= FRAGPROG_REGISTERS)
            return fragprog_refuse(why, (int)u, "coordinates",
                                   "unit %u: no coordinate set is free for its texture", u);
        sets |= 1u << set;
        g->texel[reg[u]] = lookup[u];
        g->coord[reg[u]] = (uint8_t)set;
    }
    return true;
}

/* ---- nodes ---- */

static bool is_scalar(const struct fragprog_graph *g, unsigned i)
{
    const struct fragprog_inst *inst = &g->p.inst[i];
    if (fragprog_op_is_dot(inst->op))
        return true;
    for (unsigned k = 0; k < fragprog_op_args(inst->op); k++) {
        const struct fragprog_src *src = &inst->src[k];
        unsigned node = src->file == FRAGPROG_VALUE ? g->node_of[src->index] : FRAGPROG_NO_NODE;
        bool one_lane = src->lane[0] == src->lane[1] && src->lane[1] == src->lane[2];
        if (src->lane[0] <= FRAGPROG_W && !one_lane && !(node != FRAGPROG_NO_NODE && g->scalar >> node & 1))
            return false;
        if (!one_lane &&
            (src->lane[0] > FRAGPROG_W || src->lane[1] > FRAGPROG_W || src->lane[2] > FRAGPROG_W))
            return false;
    }
    return true;
}

static void add_node(struct fragprog_graph *g, unsigned i, unsigned companion)
{
    const struct fragprog_inst *inst = &g->p.inst[i];
    unsigned n = g->nnodes++, half = fragprog_half_of(inst);
    uint64_t bit = UINT64_C(1) << n;
    struct fragprog_node *node = &g->node[n];
    node->inst[half] = (uint16_t)i;
    node->inst[1 - half] = (uint16_t)companion;
    node->preds = 0;
    g->node_of[i] = (uint8_t)n;
    g->takes[half] |= bit;
    if (companion != FRAGPROG_NO_INST)
        g->node_of[companion] = (uint8_t)n;
    if (companion != FRAGPROG_NO_INST || inst->op == FRAGPROG_DOT4)
        g->takes[TEXENV_ALPHA] |= bit;
    for (unsigned k = 0; k < fragprog_op_args(inst->op); k++) {
        unsigned channels = fragprog_channels_read(inst, k), file = inst->src[k].file;
        uint64_t *rgb = file == FRAGPROG_VALUE ? &g->readers[inst->src[k].index][TEXENV_RGB]
                                               : &g->primary[TEXENV_RGB];
        uint64_t *alpha = file == FRAGPROG_VALUE ? &g->readers[inst->src[k].index][TEXENV_ALPHA]
                                                 : &g->primary[TEXENV_ALPHA];
        if (file == FRAGPROG_SECONDARY)
            rgb = alpha = &g->secondary;
        if (file != FRAGPROG_VALUE && file != FRAGPROG_PRIMARY && file != FRAGPROG_SECONDARY)
            continue;
        *rgb |= channels & FRAGPROG_MASK_XYZ ? bit : 0;
        *alpha |= channels & FRAGPROG_MASK_W ? bit : 0;
        if (file == FRAGPROG_VALUE && g->node_of[inst->src[k].index] != FRAGPROG_NO_NODE)
            node->preds |= UINT64_C(1) << g->node_of[inst->src[k].index];
    }
    if (half == TEXENV_RGB && is_scalar(g, i))
        g->scalar |= bit;
}

bool fragprog_make_graph(struct fragprog_graph *g, const struct fragprog *p,
                         const struct fragprog_schedule_options *options, bool known_legal,
                         struct fragprog_reason *why)
{
    uint16_t companion[FRAGPROG_TEXENV_INSTS + 1];
    const struct fragprog_options legalising = {.avoid_mesa = options->avoid_mesa,
                                                .color_sum = options->color_sum};
    memset(&g->nnodes, 0, sizeof *g - offsetof(struct fragprog_graph, nnodes));
    memset(companion, 0xff, sizeof companion);
    fragprog_init(&g->p, &g->storage);
    if (!fragprog_copy(&g->p, p))
        return fragprog_refuse(why, -1, "pairs", "%u instructions: two passes have 32", p->ninst);
    struct fragprog_assigning s = {.p = &g->p, .options = &legalising, .why = why};
    if ((!known_legal && !fragprog_legal(&s)) || !fragprog_legalise_results(&s))
        return false;
    for (unsigned i = 0; i < g->p.ninst; i++)
        if (fragprog_is_companion(&g->p.inst[i]) && companion[i] == FRAGPROG_NO_INST) {
            unsigned before = g->p.ninst;
            if (!legalise_alpha_dot(&g->p, i, companion, options->alpha_dot_modifiers, why))
                return false;
            i += g->p.ninst - before;
        }
    if (!bind_textures(g, options, why))
        return false;
    memset(g->node_of, FRAGPROG_NO_NODE, sizeof g->node_of);
    for (unsigned i = 0; i < g->p.ninst; i++) {
        if (g->p.inst[i].op == FRAGPROG_TEX || companion[i] != FRAGPROG_NO_INST)
            continue;
        if (g->nnodes == FRAGPROG_MAX_NODES - 16) /* the last 16 nodes are reserved for moves */
            return fragprog_refuse(why, g->p.inst[i].unit, "pairs", "%u instructions: two passes have 32",
                                   g->p.ninst);
        unsigned with = FRAGPROG_NO_INST;
        for (unsigned k = i + 1; k < g->p.ninst && fragprog_op_is_dot(g->p.inst[i].op); k++)
            if (companion[k] == i)
                with = k;
        add_node(g, i, with);
    }
    return true;
}
