/* The environment of a unit in 16 bytes (texenv_pack), for tables of what was compiled. */
#include "texenv/texenv.h"

#include <string.h>

/* Of some enabled targets the one that is used, + 1 (enum texenv_target: the highest). */
static const uint8_t used[1 << TEXENV_TARGETS] = {0, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4,
                                                  5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};

/* The low bits of two enumerants beside each other. Pairs because this is what a draw pays. */
static uint64_t pair(const uint32_t *value, unsigned bits)
{
    uint64_t both;
    memcpy(&both, value, sizeof both);
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    return (both & mask) | (both >> (32 - bits) & mask << bits);
}

static uint64_t four(const uint32_t value[TEXENV_ARGS], unsigned bits)
{
    return pair(value, bits) | pair(value + 2, bits) << 2 * bits;
}

/* Sources and functions differ in the low bytes of their enumerants, modes (REPLACE 0x1E01, DECAL 0x2101) in
 * the two bytes together. tests/cache.c proves it by trying all. */
static void pack(const struct texenv_unit *unit, uint64_t code[2])
{
    const struct texenv_env *env = &unit->env;
    const unsigned target = used[unit->enabled & (sizeof used - 1)];
    code[0] = code[1] = 0;
    if (!target)
        return;
    const struct texenv_texture *texture = &unit->texture[target - 1];
    code[0] = four(env->source[TEXENV_RGB], 8) | four(env->source[TEXENV_ALPHA], 8) << 32;
    const uint32_t texel = target | (texture->complete ? 8u : 0) | (texture->compare ? 16u : 0) |
        (uint32_t)texture->base << 8 | (uint32_t)texture->depth_mode << 12 |
        (uint32_t)env->scale[TEXENV_RGB] << 16 | (uint32_t)env->scale[TEXENV_ALPHA] << 20;
    code[1] = pair(env->combine, 8) | ((env->mode ^ env->mode >> 8) & 0xFF) << 16 |
        (uint64_t)(texel | (uint32_t)four(env->operand[TEXENV_RGB], 2) << 24) << 24 |
        four(env->operand[TEXENV_ALPHA], 2) << 56;
}

/* 0 of an empty code; the sum of all units' is the hash. */
static uint64_t mixed(const uint64_t code[2], unsigned unit)
{
    const uint64_t h = (code[0] * UINT64_C(0x9E3779B97F4A7C15) ^ code[1]) *
        (UINT64_C(0xD6E8FEB86659FD93) + 2 * unit);
    return h ^ h >> 32;
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
