/* Packs the environment of a unit into a code of 16 bytes (texenv_pack). Caches of compiled environments use
 * the codes as keys. */
#include "texenv/pack.h"

#include <string.h>

/* For each set of enabled targets: 1 + the target that the unit uses, the highest one (enum texenv_target); 0
 * for none. */
static const uint8_t used[1 << TEXENV_TARGETS] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
                                                  5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};

/* Layout of a code. Word 0 holds the sources, 8 bits each. Word 1 holds functions (8 bits each), mode (8),
 * texture (16), scales (4 each) and operands (2 each), starting at these bits. The low byte of an enumerant
 * tells sources and functions apart; modes (REPLACE 0x1E01, DECAL 0x2101) need both bytes.
 * tests/library/cache.c tries all values and so proves that no two collide. */
enum { FUNCTIONS = 0, MODE = 16, TEXEL = 24, TEXEL_BITS = 16, SCALES = 40, OPERANDS = 48 };

static uint64_t mode_of(uint32_t mode) { return mode ^ mode >> 8; }

/* Returns the texture's part of a code; 0 if no target is enabled. */
static uint64_t texel_of(const struct texenv_unit *unit)
{
    const unsigned target = used[unit->enabled & (sizeof used - 1)];
    if (!target)
        return 0;
    const struct texenv_texture *texture = &unit->texture[target - 1];
    return target | (texture->complete ? 8u : 0) | (texture->compare ? 16u : 0) |
        (uint32_t)texture->base << 8 | (uint32_t)texture->depth_mode << 12;
}

static void pack(const struct texenv_unit *unit, uint64_t code[2])
{
    const struct texenv_env *env = &unit->env;
    const uint64_t texel = texel_of(unit);
    code[0] = code[1] = 0;
    if (!texel)
        return;
    code[1] = texel << TEXEL | (mode_of(env->mode) & 0xFF) << MODE;
    for (unsigned half = 0; half < 2; half++) {
        code[1] |= (uint64_t)(env->combine[half] & 0xFF) << (FUNCTIONS + 8 * half) |
            (uint64_t)env->scale[half] << (SCALES + 4 * half);
        for (unsigned n = 0; n < TEXENV_ARGS; n++) {
            code[0] |= (uint64_t)(env->source[half][n] & 0xFF) << 8 * (TEXENV_ARGS * half + n);
            code[1] |= (uint64_t)(env->operand[half][n] & 3) << (OPERANDS + 2 * (TEXENV_ARGS * half + n));
        }
    }
}

/* Returns the hash of one code, 0 for an empty code. The hash of a struct texenv is the sum over all units.
 */
static uint64_t mixed(const uint64_t code[2], unsigned unit)
{
    const uint64_t h = (code[0] * UINT64_C(0x9E3779B97F4A7C15) ^ code[1]) *
        (UINT64_C(0xD6E8FEB86659FD93) + 2 * unit);
    return h ^ h >> 32;
}

/* Writes `value` to the given bits of the active unit's code and updates the hash. */
static void put(struct texenv *te, unsigned word, unsigned shift, unsigned bits, uint64_t value)
{
    uint64_t *code = te->code[te->active];
    const uint64_t mask = (((uint64_t)1 << bits) - 1) << shift, change = (code[word] ^ value << shift) & mask;
    if (!change)
        return;
    const uint64_t before = mixed(code, te->active);
    code[word] ^= change;
    te->hash += mixed(code, te->active) - before;
}

void texenv_pack_slot(struct texenv *te, int slot, uint32_t value)
{
    const uint64_t *code = te->code[te->active];
    /* texenv_pack will repack the whole unit, or no target is enabled */
    if (!(te->packed >> te->active & 1) || !code[1])
        return;
    const unsigned n = slot < TEXENV_AT_SOURCE_RGB ? 0 : (unsigned)slot - TEXENV_AT_SOURCE_RGB;
    switch (slot) {
    case TEXENV_AT_MODE: put(te, 1, MODE, 8, mode_of(value)); break;
    case TEXENV_AT_COMBINE_RGB: put(te, 1, FUNCTIONS, 8, value); break;
    case TEXENV_AT_COMBINE_ALPHA: put(te, 1, FUNCTIONS + 8, 8, value); break;
    case TEXENV_AT_SCALE_RGB: put(te, 1, SCALES, 4, value); break;
    case TEXENV_AT_SCALE_ALPHA: put(te, 1, SCALES + 4, 4, value); break;
    default:
        if (n < 2 * TEXENV_ARGS)
            put(te, 0, 8 * n, 8, value);
        else
            put(te, 1, OPERANDS + 2 * (n - 2 * TEXENV_ARGS), 2, value);
        break;
    }
}

void texenv_pack_texture(struct texenv *te)
{
    const uint64_t *code = te->code[te->active];
    const uint64_t texel = texel_of(&te->unit[te->active]);
    if (texel && code[1])
        put(te, 1, TEXEL, TEXEL_BITS, texel);
    else if (texel || code[1]) /* the unit has just been enabled or disabled */
        te->packed &= (uint8_t) ~(1u << te->active);
}

void texenv_pack(struct texenv *te)
{
    if (te->packed == 0xFF)
        return;
    for (unsigned u = 0, old = ~(unsigned)te->packed & 0xFF; old; u++, old >>= 1) {
        if (!(old & 1))
            continue;
        const uint64_t before = mixed(te->code[u], u);
        pack(&te->unit[u], te->code[u]);
        te->hash += mixed(te->code[u], u) - before;
        if (te->code[u][1] && te->units <= u)
            te->units = (uint8_t)(u + 1);
    }
    te->packed = 0xFF;
    while (te->units && !te->code[te->units - 1][1])
        te->units--;
}
