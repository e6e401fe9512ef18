/* Encodes a program of ATI_fragment_shader as words: routing of coordinates, constants, stages, control
 * registers.
 */
#include "hwemit/r200/r200.h"
#include "hwemit/words.h"

#include "fragprog/alloc/bits.h"

#include <string.h>

enum { SWIZZLE_STR, SWIZZLE_STQ, SWIZZLE_STR_DR, SWIZZLE_STQ_DQ };

/* ---- lookups and passed coordinates ---- */

/* Returns the coordinate type that a setup needs: three components, divided or not, if the coordinate itself
 * is passed to the register; else the one of the lookup's texture target. */
static unsigned coordinate_type(const struct fragprog_atifs_setup *setup)
{
    bool divided = setup->swizzle == SWIZZLE_STR_DR || setup->swizzle == SWIZZLE_STQ_DQ;
    if (setup->op == FRAGPROG_PASS_COORD)
        return divided ? R200_COORD_PROJ : R200_COORD_VOLUME;
    if (setup->target == TEXENV_3D + 1)
        return R200_COORD_VOLUME;
    if (setup->target == TEXENV_CUBE + 1)
        return R200_COORD_CUBIC_ENV;
    return divided ? R200_COORD_PROJ : R200_COORD_NONPROJ;
}

struct routing {
    uint32_t format, format_x, multi;
};

/* Sets the routing of a unit's coordinates; first: in the first of two passes, else in the last or only pass.
 */
static void route(struct routing *to, const struct fragprog_atifs_setup *setup, bool first)
{
    uint32_t disable = setup->op == FRAGPROG_PASS_COORD, set = setup->from_reg ? 0 : setup->source,
             type = coordinate_type(setup);
    if (first) {
        to->multi |= disable << R200_TXMULTI_CTL_PASS1_LOOKUP_DISABLE |
            type << R200_TXMULTI_CTL_PASS1_TEXCOORD | set << R200_TXMULTI_CTL_PASS1_ST_ROUTE;
        return;
    }
    to->format = disable << R200_TXFORMAT_LOOKUP_DISABLE | set << R200_TXFORMAT_ST_ROUTE;
    to->format_x = type << R200_TXFORMAT_X_TEXCOORD;
    if (setup->from_reg)
        to->multi |= (setup->source + 2u) << R200_TXMULTI_CTL_PASS2_COORDS_REG;
}

/* Lists the texture of unit n, twice if the passes use different coordinate sets. */
static void list_textures(struct hwemit_code *code, const struct fragprog_atifs *p, unsigned n)
{
    const struct fragprog_atifs_setup *first = NULL;
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        const struct fragprog_atifs_setup *s = &p->pass[pass].setup[n];
        if (s->op != FRAGPROG_SAMPLE || (first && (s->from_reg || s->source == first->source)))
            continue;
        hwemit_add_texture(code, n, s->texture < 0 ? n : (unsigned)s->texture, s->from_reg ? n : s->source,
                           s->target ? s->target - 1u : TEXENV_2D);
        first = s;
    }
}

/* For each pass, the set of registers that it sets up (any), and the set of those that lookups fill. */
struct setups {
    unsigned any[2], lookups[2];
};

/* Adds the words of the texture units. Unit n fills register n. */
static void add_units(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    uint32_t third_is_r = 0;
    for (unsigned n = 0; n < R200_UNITS; n++) {
        struct routing to = {0, 0, 0};
        if (!((setups->any[0] | setups->any[1]) >> n & 1))
            continue;
        for (unsigned pass = 0; pass < p->npasses; pass++) {
            const struct fragprog_atifs_setup *setup = &p->pass[pass].setup[n];
            if (!setup->op)
                continue;
            route(&to, setup, pass + 1 < p->npasses);
            if (!setup->from_reg && (setup->swizzle == SWIZZLE_STR || setup->swizzle == SWIZZLE_STR_DR))
                third_is_r |= UINT32_C(1)
                    << (R200_RE_CNTL_VTX_STQ0_D3D +
                        setup->source * (R200_RE_CNTL_VTX_STQ1_D3D - R200_RE_CNTL_VTX_STQ0_D3D));
        }
        hwemit_put(code, R200_TXFORMAT + n * R200_TXFORMAT_STRIDE, to.format);
        hwemit_put(code, R200_TXFORMAT_X + n * R200_TXFORMAT_X_STRIDE, to.format_x);
        hwemit_put(code, R200_TXMULTI_CTL + n * R200_TXMULTI_CTL_STRIDE, to.multi);
        list_textures(code, p, n);
    }
    hwemit_put(code, R200_RE_CNTL, third_is_r);
}

/* ---- control ---- */

static uint32_t stage_enables(unsigned n)
{
    uint32_t low = (UINT32_C(1) << (n < 7 ? n : 7)) - 1;
    return low << R200_CNTL_TEX_BLEND_0_ENABLE | (n > 7 ? UINT32_C(1) << R200_CNTL_TEX_BLEND_7_ENABLE : 0);
}

static void add_control(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    const struct fragprog_atifs_pass *last = &p->pass[p->npasses - 1];
    uint32_t first = 0;
    if (p->npasses == 2) {
        first = setups->any[0] << R200_CNTL_X_TEX_0_ENABLE |
            ((UINT32_C(1) << p->pass[0].npairs) - 1) << R200_CNTL_X_INST_0_ENABLE;
        for (unsigned n = 0; n < R200_UNITS; n++)
            if (last->setup[n].op && last->setup[n].from_reg)
                first |= UINT32_C(1) << (R200_CNTL_X_OUTPUT_REG_0 + last->setup[n].source);
    }
    hwemit_put(code, R200_CNTL,
               setups->any[p->npasses - 1] << R200_CNTL_TEX_0_ENABLE | stage_enables(last->npairs) |
                   (uint32_t)(p->npasses == 2) << R200_CNTL_MULTI_PASS_ENABLE);
    hwemit_put(code, R200_CNTL_X, first);
}

/* ---- constants ---- */

static void add_constants(struct hwemit_code *code, const struct fragprog_atifs *p)
{
    code->constant_word = hwemit_argb_word;
    code->constant_words = 1;
    for (unsigned k = 0; k < 8; k++) {
        const struct fragprog_atifs_const *c = &p->konst[k];
        if (!c->used)
            continue;
        float value[4]; /* parameters without a value are 0; the driver sets them */
        for (unsigned i = 0; i < 4; i++)
            value[i] = c->value[i] >= 0 && c->kind != FRAGPROG_CONST_ENV ? c->value[i] : 0;
        hwemit_add_constant(code, k, fragprog_atifs_const_origin(c), value);
        hwemit_put(code, R200_TFACTOR + k * R200_TFACTOR_STRIDE, hwemit_argb_word(value, 0));
    }
}

/* ---- stages ---- */

/* Return the masks of channels (red 1, green 2, blue 4, alpha 8) of register 0 that a half writes, and reads.
 */
static unsigned written(const struct fragprog_atifs_op *op, unsigned half)
{
    return !op->op || op->dst ? 0 : half == TEXENV_ALPHA ? 8 : op->mask;
}

static unsigned read(const struct fragprog_atifs_op *op, unsigned half)
{
    unsigned channels = 0;
    for (unsigned i = 0; op->op && i < op->nargs; i++)
        if (op->arg[i].source == FRAGPROG_ATI_REG_0)
            channels |= op->arg[i].rep        ? 1u << (op->arg[i].rep - FRAGPROG_ATI_RED)
                : half == TEXENV_ALPHA        ? 8
                : op->op == FRAGPROG_ATI_DOT4 ? 15
                                              : 7;
    return channels;
}

/* Returns whether this is the last write of the result in its half and nothing reads that value afterwards.
 * Such a write is clamped to [0,1]. */
static bool is_last_write(const struct fragprog_atifs_pass *pass, unsigned pair, unsigned half)
{
    unsigned live = written(&pass->pair[pair].half[half], half);
    for (unsigned n = pair + 1; n < pass->npairs && live; n++) {
        for (unsigned h = 0; h < 2; h++)
            if (read(&pass->pair[n].half[h], h) & live)
                return false;
        live &= ~written(&pass->pair[n].half[half], half);
    }
    return live != 0;
}

static inline bool is_last(const struct fragprog_atifs_pass *pass, unsigned pair, unsigned half)
{
    return written(&pass->pair[pair].half[half], half) && is_last_write(pass, pair, half);
}

unsigned hwemit_r200_unlimited(const struct fragprog_atifs_pass *pass)
{
    /* passed coordinates may exceed [0,1], texels do not */
    unsigned mask = pass->setup[0].op == FRAGPROG_PASS_COORD ? 7 : 0;
    for (unsigned n = 0; n < pass->npairs; n++) {
        const struct fragprog_atifs_op *pair = pass->pair[n].half;
        bool limited[2] = {is_last(pass, n, TEXENV_RGB), is_last(pass, n, TEXENV_ALPHA)};
        hwemit_r200_limits_of_dot(pair, limited);
        for (unsigned h = 0; h < 2; h++)
            if (limited[h] || pair[h].mod & FRAGPROG_ATI_SATURATE)
                mask &= ~written(&pair[h], h);
            else
                mask |= written(&pair[h], h);
    }
    return mask;
}

static void add_stages(struct hwemit_code *code, const struct fragprog_atifs *p)
{
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        const struct fragprog_atifs_pass *of = &p->pass[pass];
        const bool last = pass + 1 == p->npasses;
        for (unsigned n = 0; n < of->npairs; n++) {
            uint32_t word[4], address = R200_TXCBLEND + (n + (last ? 0 : R200_STAGES)) * R200_TXCBLEND_STRIDE;
            const bool limited[2] = {last && is_last(of, n, TEXENV_RGB),
                                     last && is_last(of, n, TEXENV_ALPHA)};
            hwemit_r200_encode_stage(word, of->pair[n].half, limited);
            hwemit_put_four(code, address, word);
        }
    }
}

/* ---- the whole program ---- */

static void add_stats(struct hwemit_code *code, const struct fragprog_atifs *p, const struct setups *setups)
{
    unsigned stages = 0, registers = setups->any[0] | setups->any[1];
    for (unsigned pass = 0; pass < p->npasses; pass++) {
        stages += p->pass[pass].npairs;
        for (unsigned n = 0; n < p->pass[pass].npairs; n++)
            for (unsigned h = 0; h < 2; h++)
                if (p->pass[pass].pair[n].half[h].op)
                    registers |= 1u << p->pass[pass].pair[n].half[h].dst;
    }
    hwemit_add_stat(code, "passes", p->npasses);
    hwemit_add_stat(code, "stages", stages);
    hwemit_add_stat(code, "lookups", fragprog_count(setups->lookups[0]) + fragprog_count(setups->lookups[1]));
    hwemit_add_stat(code, "registers", fragprog_count(registers));
    hwemit_add_stat(code, "constants", code->nconstants);
}

bool hwemit_r200_encode(struct hwemit_code *code, const struct fragprog_atifs *p, struct fragprog_reason *why)
{
    struct setups setups = {{0, 0}, {0, 0}};
    for (unsigned pass = 0; pass < p->npasses; pass++)
        for (unsigned n = 0; n < R200_UNITS; n++) {
            const struct fragprog_atifs_setup *setup = &p->pass[pass].setup[n];
            if (!setup->op)
                continue;
            if (!setup->from_reg && setup->source >= R200_UNITS)
                return hwemit_refuse(why, -1, "coordinates", "coordinates of sets 0 to 5 only",
                                     "r%u takes coordinate set %u: the chip has 6 sets", n,
                                     (unsigned)setup->source);
            setups.any[pass] |= 1u << n;
            setups.lookups[pass] |= (unsigned)(setup->op == FRAGPROG_SAMPLE) << n;
        }
    add_control(code, p, &setups);
    add_units(code, p, &setups);
    add_constants(code, p);
    add_stages(code, p);
    add_stats(code, p, &setups);
    return true;
}
