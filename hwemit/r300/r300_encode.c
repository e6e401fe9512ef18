/* Encodes a program as the words of r300 and r400 (notes/facts/r300.md 3), in the order in which the driver
 * uploads them. Inputs, textures, the list of constants and statistics are shared with r500_encode.c. */
#include "hwemit/r300/r300_encode.h"
#include "hwemit/r300/r300_registers.h"
#include "hwemit/r300/r300_target.h"

#include <string.h>

/* ---- routing of the rasteriser (notes/facts/r300.md 5). Assumes that the vertex stage outputs colours, then
 * coordinates, in the order of the inputs. ---- */

void hwemit_r300_routing(struct hwemit_code *code, const struct program *p, hwemit_r300_route *route,
                         uint32_t ip_address, uint32_t inst_address)
{
    uint32_t ip[16] = {0}, inst[16] = {0};
    unsigned n[2] = {0, 0}; /* numbers of coordinates and of colours */
    for (unsigned i = 0; i < p->ninputs; i++) {
        const bool color = p->input[i].what == HWEMIT_COLOR;
        hwemit_add_input(code, i, p->input[i].what, p->input[i].index); /* temporaries are 0, 1, ... */
        route(&ip[n[color]], &inst[n[color]], color, n[color], i);
        n[color]++;
    }
    const unsigned last = n[0] > n[1] ? n[0] : n[1];
    hwemit_add(code, R_RS_COUNT,
               IN(RS_COUNT, COMPONENTS, 4 * n[0]) | IN(RS_COUNT, COLORS, n[1]) | IN(RS_COUNT, HIRES, 1));
    hwemit_add(code, R_RS_INST_COUNT, IN(RS_INST_COUNT, LAST, last - 1));
    for (unsigned i = 0; i < last; i++)
        hwemit_add(code, ip_address + 4 * i, ip[i]);
    for (unsigned i = 0; i < last; i++)
        hwemit_add(code, inst_address + 4 * i, inst[i]);
}

static void route(uint32_t *ip, uint32_t *inst, bool color, unsigned n, unsigned temp)
{
    if (color) {
        *ip |= IN(RS_IP, COL_PTR, n);
        *inst |= IN(RS_INST, COL_ID, n) | IN(RS_INST, COL_WRITE, 1) | IN(RS_INST, COL_ADDR, temp);
        return;
    }
    *ip |= IN(RS_IP, TEX_PTR, 4 * n) | IN(RS_IP, S, 0) | IN(RS_IP, T, 1) | IN(RS_IP, R, 2) | IN(RS_IP, Q, 3);
    *inst |= IN(RS_INST, TEX_ID, n) | IN(RS_INST, TEX_WRITE, 1) | IN(RS_INST, TEX_ADDR, temp);
}

void hwemit_r300_lists(struct hwemit_code *code, const struct program *p)
{
    uint32_t enable = 0;
    for (unsigned t = 0; t < p->ntex; t++) {
        const struct lookup *l = &p->tex[t];
        if (l->op == TEX_KIL)
            continue;
        if (!(enable >> l->texture & 1))
            hwemit_add_texture(code, l->texture, l->texture, l->set, l->target);
        enable |= 1u << l->texture;
    }
    hwemit_add(code, R_TX_ENABLE, enable);
    hwemit_add_stat(code, "pairs", p->npairs);
    hwemit_add_stat(code, "tex", p->ntex);
    hwemit_add_stat(code, "temporaries", p->temps);
    hwemit_add_stat(code, "constants", p->nconsts);
    hwemit_add_stat(code, "nodes", p->phases + 1u);
    code->assumed |= (uint32_t)p->relies_on_constants << ASSUME_THREE_CONSTANTS |
        (uint32_t)p->relies_on_part_presub << ASSUME_PRESUB_PART |
        (uint32_t)p->relies_on_dot_copy << ASSUME_DOT_COPY;
}

/* ---- constants ---- */

/* Converts as the driver does, by truncation (notes/facts/r300.md 1.1). */
static uint32_t float24(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 23 & 0xff) - 127 + 63;
    if (exponent <= 0) /* zero, and underflow */
        return 0;
    if (exponent > 127) /* overflow: the largest value */
        return (bits >> 31) << 23 | 0x7fffff;
    return (bits >> 31) << 23 | (uint32_t)exponent << 16 | (bits >> 7 & 0xffff);
}

/* Returns whether the magnitudes of the program's own numbers are below 2^65, where 24-bit floats end
 * (notes/facts/r300.md 1.1). That numbers below 2^-62 may become 0 is assumed: the driver's conversion has no
 * rule for them. */
static bool has_numbers(const struct program *p, struct fragprog_reason *why)
{
    for (unsigned i = 0; i < 4u * p->nconsts; i++) {
        const struct constant *k = &p->constant[i / 4];
        const float value = k->value[i % 4], beyond = 3.6893488e19f; /* 2^65 */
        if (k->used >> i % 4 & 1 && k->origin[i % 4] == FRAGPROG_ORIGIN_IMMEDIATE &&
            !(value > -beyond && value < beyond))
            return hwemit_refuse(why, -1, "constant", "a smaller number",
                                 "the number %f is out of the range of the chip's constants", (double)value);
    }
    return true;
}

bool hwemit_r300_external(const struct constant *k)
{
    for (unsigned c = 0; c < 4; c++)
        if (k->origin[c] != FRAGPROG_ORIGIN_IMMEDIATE)
            return true;
    return false;
}

/* Returns the origin whose channels of the same names the slot holds, or -1. */
static int32_t origin_of(const struct constant *k)
{
    int32_t origin = -1;
    for (unsigned c = 0; c < 4; c++) {
        if (!(k->used >> c & 1))
            continue;
        if (k->origin[c] < 0 || k->origin[c] >= FRAGPROG_ORIGINS || k->component[c] != c ||
            (origin >= 0 && k->origin[c] != origin))
            return -1;
        origin = k->origin[c];
    }
    return origin;
}

void hwemit_r300_constants(struct hwemit_code *code, const struct program *p, bool immediate,
                           void (*write)(struct hwemit_code *, unsigned slot, const float value[4]))
{
    for (unsigned slot = 0; slot < p->nconsts; slot++) {
        const struct constant *k = &p->constant[slot];
        if (hwemit_r300_external(k) == immediate)
            continue;
        if (immediate || origin_of(k) >= 0)
            hwemit_add_constant(code, slot, origin_of(k), k->value);
        else
            hwemit_add_lanes(code, slot, k->value, k->origin, k->component);
        code->constant[code->nconstants - 1].channels = k->used;
        write(code, slot, k->value);
    }
}

static uint32_t constant_word(const float rgba[4], unsigned n) { return float24(rgba[n]); }

static void write_constant(struct hwemit_code *code, unsigned slot, const float value[4])
{
    static const uint32_t address[4] = {R_PFS_PARAM_X, R_PFS_PARAM_Y, R_PFS_PARAM_Z, R_PFS_PARAM_W};
    code->constant_word = constant_word;
    code->constant_words = 4;
    for (unsigned c = 0; c < 4; c++)
        hwemit_add(code, address[c] + 16 * slot, constant_word(value, c));
}

/* ---- ALU words (notes/facts/r300.md 2.3, 3.1) ---- */

static unsigned rgb_select(const struct operand *o)
{
    const uint8_t *l = o->lane;
    if (o->from >= SRC_ZERO)
        return o->from == SRC_ZERO ? 20 : o->from == SRC_ONE ? 21 : 22;
    /* swizzles in the order xyz xxx yyy zzz www yzx zxy wzy */
    unsigned channels = l[0] == 3 && l[1] == 3 ? 4
        : l[0] == l[1]                         ? 1u + l[0]
        : l[0] == 0                            ? 0
        : l[0] == 1                            ? 5
        : l[0] == 2                            ? 6
                                               : 7;
    if (o->from == SRC_PRE)
        return 15 + channels;
    return channels < 4 ? 4u * o->from + channels
        : channels == 4 ? 12u + o->from
                        : 23u + 3 * (channels - 5) + o->from;
}

static unsigned alpha_select(const struct operand *o)
{
    if (o->from >= SRC_ZERO)
        return o->from == SRC_ZERO ? 16 : o->from == SRC_ONE ? 17 : 18;
    if (o->from == SRC_PRE)
        return 12u + o->lane[0];
    return o->lane[0] < 3 ? 3u * o->from + o->lane[0] : 9u + o->from;
}

unsigned hwemit_r300_omod(int omod) { return omod >= 0 ? (unsigned)omod : (unsigned)(3 - omod); }

unsigned hwemit_r300_alpha_op(const struct half *h)
{
    static const uint8_t codes[] = {[OP_MAD] = 0, [OP_MIN] = 2, [OP_MAX] = 3, [OP_CMP] = 6, [OP_FRC] = 7};
    return h->code == ALPHA_DP ? 1 : h->code >= CODE_FUNCTION ? h->code - CODE_FUNCTION : codes[h->code];
}

/* Encodes the source addresses of one part, which have the same bit positions in the colour and the alpha
 * address word. On r400 temporaries have six bits; the sixth bits are collected in *ext. */
static uint32_t sources(const struct port port[3], uint32_t *ext)
{
    static const uint8_t low[3] = {R_US_ALU_RGB_ADDR_SRC0, R_US_ALU_RGB_ADDR_SRC1, R_US_ALU_RGB_ADDR_SRC2};
    uint32_t word = 0;
    for (unsigned s = 0; s < 3; s++) {
        unsigned index = port[s].index;
        if (port[s].file == FILE_NONE)
            continue;
        if (port[s].file == FILE_VREG) {
            word |= (index & 31u) << low[s];
            *ext |= (index >> 5 & 1u) << s;
        } else
            word |= index << low[s] | 32u << low[s];
    }
    return word;
}

/* The words of one pair, in the order in which they are uploaded. */
enum { RGB_INST, RGB_ADDR, ALPHA_INST, ALPHA_ADDR, EXT_ADDR, FILES };
struct alu {
    uint32_t file[FILES];
};

static struct alu alu_words(const struct pair *pair)
{
    struct alu a = {0};
    const struct half *rgb = &pair->half[RGB], *alpha = &pair->half[ALPHA];
    uint32_t rgb_ext = 0, alpha_ext = 0;
    const unsigned rgb_temp = rgb->temp == NONE ? 0 : rgb->temp,
                   alpha_temp = alpha->temp == NONE ? 0 : alpha->temp;
    a.file[RGB_ADDR] = sources(pair->port[RGB], &rgb_ext) | IN(US_ALU_RGB_ADDR, DST, rgb_temp) |
        IN(US_ALU_RGB_ADDR, WRITE, rgb->mask) | IN(US_ALU_RGB_ADDR, OUT, rgb->out) |
        IN(US_ALU_RGB_ADDR, TARGET, rgb->target);
    a.file[ALPHA_ADDR] = sources(pair->port[ALPHA], &alpha_ext) | IN(US_ALU_ALPHA_ADDR, DST, alpha_temp) |
        IN(US_ALU_ALPHA_ADDR, WRITE, alpha->mask) | IN(US_ALU_ALPHA_ADDR, OUT, alpha->out) |
        IN(US_ALU_ALPHA_ADDR, TARGET, alpha->target) | IN(US_ALU_ALPHA_ADDR, DEPTH, alpha->depth);
    a.file[RGB_INST] = IN(US_ALU_RGB_INST, A, rgb_select(&rgb->arg[0])) |
        IN(US_ALU_RGB_INST, A_MOD, rgb->arg[0].mod) | IN(US_ALU_RGB_INST, B, rgb_select(&rgb->arg[1])) |
        IN(US_ALU_RGB_INST, B_MOD, rgb->arg[1].mod) | IN(US_ALU_RGB_INST, C, rgb_select(&rgb->arg[2])) |
        IN(US_ALU_RGB_INST, C_MOD, rgb->arg[2].mod) |
        IN(US_ALU_RGB_INST, PRE, pair->pre[RGB] == PRE_NONE ? 0 : pair->pre[RGB]) |
        IN(US_ALU_RGB_INST, OP, rgb->code) | IN(US_ALU_RGB_INST, OMOD, hwemit_r300_omod(rgb->omod)) |
        IN(US_ALU_RGB_INST, CLAMP, rgb->clamp) | IN(US_ALU_RGB_INST, NOP, pair->nop);
    a.file[ALPHA_INST] = IN(US_ALU_ALPHA_INST, A, alpha_select(&alpha->arg[0])) |
        IN(US_ALU_ALPHA_INST, A_MOD, alpha->arg[0].mod) |
        IN(US_ALU_ALPHA_INST, B, alpha_select(&alpha->arg[1])) |
        IN(US_ALU_ALPHA_INST, B_MOD, alpha->arg[1].mod) |
        IN(US_ALU_ALPHA_INST, C, alpha_select(&alpha->arg[2])) |
        IN(US_ALU_ALPHA_INST, C_MOD, alpha->arg[2].mod) |
        IN(US_ALU_ALPHA_INST, PRE, pair->pre[ALPHA] == PRE_NONE ? 0 : pair->pre[ALPHA]) |
        IN(US_ALU_ALPHA_INST, OP, hwemit_r300_alpha_op(alpha)) |
        IN(US_ALU_ALPHA_INST, OMOD, hwemit_r300_omod(alpha->omod)) |
        IN(US_ALU_ALPHA_INST, CLAMP, alpha->clamp);
    a.file[EXT_ADDR] = rgb_ext | (rgb_temp >> 5 & 1) << 3 | (alpha_ext | (alpha_temp >> 5 & 1) << 3) << 4;
    return a;
}

void hwemit_r300_depth(struct hwemit_code *code, const struct program *p)
{
    bool depth = false;
    for (unsigned n = 0; n < p->npairs; n++)
        depth |= p->pair[n].half[ALPHA].depth;
    hwemit_add(code, R_FG_DEPTH_SRC, IN(FG_DEPTH_SRC, SHADER, depth));
    hwemit_add(code, R_US_W_FMT, IN(US_W_FMT, FORMAT, depth)); /* W24 */
}

/* ---- nodes, i.e. texture blocks (notes/facts/r300.md 3.2): the last one is in CODE_ADDR_3, the one before
 * it in CODE_ADDR_2, and so on ---- */

struct nodes {
    unsigned n, alu_start[4], alu_size[4], tex_start[4], tex_size[4];
    bool out[4], depth[4];
};

static struct nodes find_nodes(const struct program *p)
{
    struct nodes k = {.n = p->phases + 1u};
    for (unsigned i = 0; i < k.n; i++) {
        for (unsigned n = 0; n < p->npairs; n++) {
            k.alu_start[i] += p->pair[n].phase < i;
            k.alu_size[i] += p->pair[n].phase == i;
            k.out[i] |= p->pair[n].phase == i && (p->pair[n].half[RGB].out || p->pair[n].half[ALPHA].out);
            k.depth[i] |= p->pair[n].phase == i && p->pair[n].half[ALPHA].depth;
        }
        for (unsigned t = 0; t < p->ntex; t++) {
            k.tex_start[i] += p->tex[t].phase < i;
            k.tex_size[i] += p->tex[t].phase == i;
        }
    }
    return k;
}

/* Computes US_CODE_EXT, which has high bits of each node's range. The driver assigns its fields from 3 down,
 * starting with the first node, even if there are fewer than four, while the last node is always in
 * CODE_ADDR_3. It is not known which of these orders the chip expects here for fewer nodes
 * (notes/facts/hw-open.md r300.2). So the fields are filled for both orders, which is possible for one, two
 * and four nodes, and for three if both orders give the same values. Returns false if it is not possible. */
static bool code_ext(uint32_t *word, const struct program *p, const struct nodes *k)
{
    unsigned start[4] = {0}, size[4] = {0};
    bool known[4] = {false};
    for (unsigned reading = 0; reading < 2; reading++)
        for (unsigned i = 0; i < k->n; i++) {
            unsigned field = reading == 0 ? 3 - i : k->n - 1 - i, s = k->alu_start[i] >> 6,
                     z = (k->alu_size[i] - 1) >> 6;
            if (known[field] && (start[field] != s || size[field] != z))
                return false;
            known[field] = true;
            start[field] = s;
            size[field] = z;
        }
    *word = IN(US_CODE_EXT, ALU_SIZE, (p->npairs - 1u) >> 6) | IN(US_CODE_EXT, START0, start[0]) |
        IN(US_CODE_EXT, SIZE0, size[0]) | IN(US_CODE_EXT, START1, start[1]) |
        IN(US_CODE_EXT, SIZE1, size[1]) | IN(US_CODE_EXT, START2, start[2]) |
        IN(US_CODE_EXT, SIZE2, size[2]) | IN(US_CODE_EXT, START3, start[3]) | IN(US_CODE_EXT, SIZE3, size[3]);
    return true;
}

static void tex_words(struct hwemit_code *code, const struct program *p, unsigned first, unsigned end)
{
    unsigned n = 0;
    for (unsigned phase = 0; phase <= p->phases; phase++)
        for (unsigned t = 0; t < p->ntex; t++) {
            const struct lookup *l = &p->tex[t];
            if (l->phase != phase)
                continue;
            if (n >= first && n < end) {
                const unsigned src = l->src, dst = l->dst;
                hwemit_add(code, R_US_TEX_INST + 4 * (n - first),
                           IN(US_TEX_INST, SRC, src) | IN(US_TEX_INST, DST, dst) |
                               IN(US_TEX_INST, TEXTURE, l->texture) | IN(US_TEX_INST, OP, l->op) |
                               IN(US_TEX_INST, SRC_EXT, src >> 5) | IN(US_TEX_INST, DST_EXT, dst >> 5));
            }
            n++;
        }
}

static void bank(struct hwemit_code *code, const struct program *p, unsigned number, bool extended)
{
    const unsigned first = number * 64, end = p->npairs < first + 64 ? p->npairs : first + 64;
    static const uint32_t address[FILES] = {R_US_ALU_RGB_INST, R_US_ALU_RGB_ADDR, R_US_ALU_ALPHA_INST,
                                            R_US_ALU_ALPHA_ADDR, R_US_ALU_EXT_ADDR};
    struct alu word[64];
    for (unsigned n = first; n < end; n++)
        word[n - first] = alu_words(&p->pair[n]);
    for (unsigned file = 0; file < (extended ? (unsigned)FILES : (unsigned)EXT_ADDR); file++)
        for (unsigned n = first; n < end; n++)
            hwemit_add(code, address[file] + 4 * (n - first), word[n - first].file[file]);
    tex_words(code, p, number * 32, number * 32 + 32);
}

bool hwemit_r300_encode(struct hwemit_code *code, const struct program *p, struct fragprog_reason *why)
{
    if (p->chip->generation == R500) {
        hwemit_r300_encode500(code, p);
        return true;
    }
    if (!has_numbers(p, why))
        return false;
    const bool r400 = p->chip->generation == R400,
               extended = r400 && (p->npairs > 64 || p->ntex > 32 || p->temps > 32);
    const struct nodes k = find_nodes(p);
    uint32_t ext = 0;
    if (extended && !code_ext(&ext, p, &k))
        return hwemit_refuse(
            why, -1, "code-ext", "one block of dependent lookups more or less",
            "more than 64 ALU instructions in three nodes: which bits of US_CODE_EXT are whose is not known");
    hwemit_r300_lists(code, p);
    hwemit_r300_routing(code, p, route, R_RS_IP, R_RS_INST);
    const unsigned tex_end = p->ntex ? p->ntex - 1u : 0, tex_msb = extended ? tex_end >> 5 : 0;
    hwemit_add(code, R_US_CONFIG,
               IN(US_CONFIG, LAST_NODE, k.n - 1) | IN(US_CONFIG, FIRST_NODE_HAS_TEX, k.tex_size[0] > 0));
    hwemit_add(code, R_US_PIXSIZE, IN(US_PIXSIZE, LAST_TEMP, p->temps - 1u));
    hwemit_add(code, R_US_CODE_OFFSET,
               IN(US_CODE_OFFSET, ALU_END, p->npairs - 1u) | IN(US_CODE_OFFSET, TEX_END, tex_end) |
                   IN(US_CODE_OFFSET, TEX_END_MSB, tex_msb));
    if (r400)
        hwemit_add(code, R_US_CODE_EXT, ext);
    for (unsigned i = 0; i < 4; i++) {
        uint32_t word = 0;
        if (i + k.n >= 4) {
            const unsigned n = i + k.n - 4, size = k.tex_size[n] ? k.tex_size[n] - 1 : 0,
                           start = k.tex_size[n] ? k.tex_start[n] : 0;
            word = IN(US_CODE_ADDR, ALU_START, k.alu_start[n]) |
                IN(US_CODE_ADDR, ALU_SIZE, k.alu_size[n] - 1) | IN(US_CODE_ADDR, TEX_START, start) |
                IN(US_CODE_ADDR, TEX_SIZE, size) | IN(US_CODE_ADDR, RGBA_OUT, k.out[n]) |
                IN(US_CODE_ADDR, W_OUT, k.depth[n]) | IN(US_CODE_ADDR, TEX_START_MSB, start >> 5) |
                IN(US_CODE_ADDR, TEX_SIZE_MSB, size >> 5);
        }
        hwemit_add(code, R_US_CODE_ADDR + 4 * i, word);
    }
    unsigned banks = extended ? (p->npairs + 63u) / 64 : 1;
    if (extended && (p->ntex + 31u) / 32 > banks)
        banks = (p->ntex + 31u) / 32;
    for (unsigned b = 0; b < banks; b++) {
        if (extended)
            hwemit_add(code, R_US_CODE_BANK, IN(US_CODE_BANK, BANK, b) | IN(US_CODE_BANK, R390_MODE, 1));
        bank(code, p, b, extended);
    }
    if (extended)
        hwemit_add(code, R_US_CODE_BANK, IN(US_CODE_BANK, R390_MODE, 1)); /* back to bank 0 */
    hwemit_r300_constants(code, p, true, write_constant);
    hwemit_r300_depth(code, p);
    hwemit_r300_constants(code, p, false, write_constant);
    return true;
}
