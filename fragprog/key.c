/* The canonical form of a program, and the cache key of a texture environment. Environments with equal keys
 * compile to equal words. */
#include "fragprog/inst.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* ---- canonical form ---- */

/* Writes to `out` a description of the channels that a source reads in these lanes, and returns the number of
 * bytes. Bytes without influence are 0. */
static unsigned describe(const struct fragprog_src *src, unsigned lanes, uint8_t out[16])
{
    unsigned n = 0;
    out[n++] = src->file;
    out[n++] = (uint8_t)(src->file == FRAGPROG_LITERAL ? 0 : src->index >> 8);
    out[n++] = (uint8_t)(src->file == FRAGPROG_LITERAL ? 0 : src->index);
    for (unsigned i = 0; i < 4; i++)
        out[n++] = lanes >> i & 1 ? src->lane[i] : 0;
    out[n++] = (uint8_t)(src->negate & lanes);
    out[n++] = src->mods;
    return n;
}

static uint32_t in_order(const uint8_t byte[4])
{
    return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

/* Returns the description of source s as one number that defines the sort order. */
static uint64_t order_of(const struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes(inst, s);
    const uint64_t x = (uint64_t)src->file << 16 | (src->file == FRAGPROG_LITERAL ? 0 : src->index);
    return x << 41 | (uint64_t)(in_order(src->lane) & in_order(fragprog_lane_masks[lanes])) << 9 |
        (src->negate & lanes) << 5 | src->mods;
}

/* Returns true if the second source sorts before the first. */
static inline bool wrong_order(const struct fragprog_inst *inst)
{
    const struct fragprog_src *a = &inst->src[0], *b = &inst->src[1];
    if (a->file != b->file)
        return b->file < a->file;
    if (a->file != FRAGPROG_LITERAL && a->index != b->index)
        return b->index < a->index;
    return order_of(inst, 1) < order_of(inst, 0);
}

static void swap(struct fragprog_inst *inst, unsigned s, unsigned t)
{
    struct fragprog_src src = inst->src[s];
    inst->src[s] = inst->src[t];
    inst->src[t] = src;
}

static bool plain_or_complement(const struct fragprog_src *src)
{
    return src->file != FRAGPROG_LITERAL && !(src->mods & ~(unsigned)(FRAGPROG_COMP | FRAGPROG_BIAS)) &&
        !src->negate;
}

void fragprog_order_arguments(struct fragprog_inst *inst)
{
    switch (inst->op) {
    case FRAGPROG_ADD: {
        /* a - 1/2 + b is a + b - 1/2: the bias always goes to the second argument. */
        bool moves = plain_or_complement(&inst->src[0]) && plain_or_complement(&inst->src[1]),
             bias = (inst->src[0].mods ^ inst->src[1].mods) & FRAGPROG_BIAS;
        if (moves && bias)
            inst->src[0].mods &= (uint8_t)~FRAGPROG_BIAS, inst->src[1].mods &= (uint8_t)~FRAGPROG_BIAS;
        if (wrong_order(inst))
            swap(inst, 0, 1);
        if (moves && bias)
            inst->src[1].mods |= FRAGPROG_BIAS;
        break;
    }
    case FRAGPROG_MUL:
    case FRAGPROG_MAD:
    case FRAGPROG_DOT3:
    case FRAGPROG_DOT4:
        if (wrong_order(inst))
            swap(inst, 0, 1);
        break;
    case FRAGPROG_LERP: /* (1-f)*a + f*b is f*b + (1-f)*a */
        if (inst->src[0].mods == FRAGPROG_COMP && !inst->src[0].negate) {
            inst->src[0].mods = 0;
            swap(inst, 1, 2);
        }
        break;
    default: break;
    }
}

/* Base formats differ only in channels that are 0 or 1, and lowering has replaced these by literals. Two
 * formats remain different from RGBA: channels that RED and RG lack may still be read from the texel; and in
 * an intensity texture colour and alpha are equal, so that a chip may read either of the two. */
void fragprog_forget_format(struct fragprog_inst *tex)
{
    if (tex->shadow)
        return;
    bool counts = (tex->base == TEXENV_RED && tex->mask & (FRAGPROG_MASK_Y | FRAGPROG_MASK_Z)) ||
        (tex->base == TEXENV_RG && tex->mask & FRAGPROG_MASK_Z) || tex->base == TEXENV_INTENSITY;
    if (!counts)
        tex->base = TEXENV_RGBA;
}

void fragprog_canonicalise(struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_TEX)
            fragprog_forget_format(&p->inst[i]);
        else
            fragprog_order_arguments(&p->inst[i]);
    fragprog_order_products(p);
}

/* ---- key ---- */

struct writer {
    uint8_t *data;
    uint32_t room, n;
};
static void put_all(struct writer *w, const uint8_t *bytes, unsigned n)
{
    const uint32_t left = w->n < w->room ? w->room - w->n : 0;
    if (left)
        memcpy(w->data + w->n, bytes, n < left ? n : left);
    w->n += n;
}

static void put(struct writer *w, unsigned byte) { put_all(w, &(uint8_t){(uint8_t)byte}, 1); }

static void put_inst(struct writer *w, const struct fragprog_inst *inst)
{
    uint8_t bytes[64] = {inst->op, inst->mask, (uint8_t)((unsigned)(inst->scale + 8) << 4 | inst->clamp)};
    unsigned n = 3;
    if (inst->op == FRAGPROG_TEX) {
        bytes[n++] = inst->texture;
        bytes[n++] = inst->target;
        bytes[n++] = inst->base;
        bytes[n++] = (uint8_t)(inst->shadow | (unsigned)inst->undivided << 1);
    }
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        n += describe(&inst->src[s], fragprog_lanes_read(inst, s), bytes + n);
    put_all(w, bytes, n);
}

static void put_const(struct writer *w, const struct fragprog_const *konst, bool values)
{
    for (unsigned c = 0; c < 4; c++) {
        uint8_t bytes[2 + sizeof konst->value[c]] = {(uint8_t)konst->origin[c].unit,
                                                     konst->origin[c].component};
        const float value = konst->value[c] + 0.0f; /* -0 becomes 0 */
        memcpy(bytes + 2, &value, sizeof value);
        put_all(w, bytes, values || konst->origin[c].unit < 0 ? sizeof bytes : 2);
    }
}

uint32_t fragprog_key(uint8_t *key, uint32_t room, const struct texenv_state *state, bool fold_constants)
{
    struct fragprog_storage storage;
    struct fragprog p;
    struct writer w = {key, room, 0};
    fragprog_init(&p, &storage);
    fragprog_lower_for(&p, state, true);
    put(&w, p.ninst);
    put(&w, p.nkonst);
    put(&w, fold_constants);
    for (unsigned i = 0; i < p.ninst; i++)
        put_inst(&w, &p.inst[i]);
    for (unsigned k = 0; k < p.nkonst; k++)
        put_const(&w, &p.konst[k], fold_constants);
    put(&w, p.result[0]);
    put(&w, p.result[1]);
    return w.n;
}

uint64_t fragprog_key_hash(const uint8_t *key, uint32_t length)
{
    /* FNV-1a, followed by mixing, so that the last bytes affect all bits */
    uint64_t h = UINT64_C(0xCBF29CE484222325);
    for (uint32_t i = 0; i < length; i++)
        h = (h ^ key[i]) * UINT64_C(0x100000001B3);
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}
