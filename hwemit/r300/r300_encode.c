/* Encodes a program as the words of r300 and r400 (notes/facts/r300.md 3), in the order in which the driver
 * uploads them. Inputs, textures, the list of constants and statistics are shared with r500_encode.c. */
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
    hwemit_code_init(code, code->word, code->maxwords); /* discards what another variant has left */
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
                           const struct constant_file *file)
{
    code->constant_word = file->word;
    code->constant_words = 4;
    for (unsigned slot = 0; slot < p->nconsts; slot++) {
        const struct constant *k = &p->constant[slot];
        if (hwemit_r300_external(k) == immediate)
            continue;
        if (immediate || origin_of(k) >= 0)
            hwemit_add_constant(code, slot, origin_of(k), k->value);
        else
            hwemit_add_lanes(code, slot, k->value, k->origin, k->component);
        code->constant[code->nconstants - 1].channels = k->used;
        for (unsigned c = 0; c < 4; c++)
            hwemit_add(code, file->address + file->step * (4 * slot + c), file->word(k->value, c));
    }
}

static uint32_t constant_word(const float rgba[4], unsigned n) { return float24(rgba[n]); }
static const struct constant_file parameters = {R_PFS_PARAM_X, 4, constant_word};

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

/* Encodes the registers of one part, which have the same bit positions in the colour and the alpha address
 * word. On r400 temporaries have six bits; the sixth bits are collected in *ext. */
static uint32_t addresses(const struct port port[3], const struct half *half, uint32_t *ext)
{
    static const uint8_t low[3] = {R_US_ALU_RGB_ADDR_SRC0, R_US_ALU_RGB_ADDR_SRC1, R_US_ALU_RGB_ADDR_SRC2};
    const unsigned to = half->temp == NONE ? 0 : half->temp;
    uint32_t word = IN(US_ALU_RGB_ADDR, DST, to) | IN(US_ALU_RGB_ADDR, WRITE, half->mask);
    *ext = (to >> 5 & 1) << 3;
    for (unsigned s = 0; s < 3; s++) {
        const unsigned index = port[s].index;
        if (port[s].file == FILE_VREG) {
            word |= (index & 31u) << low[s];
            *ext |= (index >> 5 & 1u) << s;
        } else if (port[s].file != FILE_NONE)
            word |= index << low[s] | 32u << low[s];
    }
    return word;
}

/* Encodes what one half computes; its operands are selected by `select`. */
static uint32_t operation(const struct half *half, unsigned op, unsigned pre,
                          unsigned (*select)(const struct operand *))
{
    const struct operand *arg = half->arg;
    return IN(US_ALU_RGB_INST, A, select(&arg[0])) | IN(US_ALU_RGB_INST, A_MOD, arg[0].mod) |
        IN(US_ALU_RGB_INST, B, select(&arg[1])) | IN(US_ALU_RGB_INST, B_MOD, arg[1].mod) |
        IN(US_ALU_RGB_INST, C, select(&arg[2])) | IN(US_ALU_RGB_INST, C_MOD, arg[2].mod) |
        IN(US_ALU_RGB_INST, PRE, pre == PRE_NONE ? 0 : pre) | IN(US_ALU_RGB_INST, OP, op) |
        IN(US_ALU_RGB_INST, OMOD, hwemit_r300_omod(half->omod)) | IN(US_ALU_RGB_INST, CLAMP, half->clamp);
}

/* The words of one pair, in the order in which they are uploaded. */
enum { RGB_INST, RGB_ADDR, ALPHA_INST, ALPHA_ADDR, EXT_ADDR, FILES };
struct alu {
    uint32_t file[FILES];
};

static struct alu alu_words(const struct pair *pair)
{
    struct alu a;
    const struct half *rgb = &pair->half[RGB], *alpha = &pair->half[ALPHA];
    uint32_t rgb_ext, alpha_ext;
    a.file[RGB_ADDR] = addresses(pair->port[RGB], rgb, &rgb_ext) | IN(US_ALU_RGB_ADDR, OUT, rgb->out) |
        IN(US_ALU_RGB_ADDR, TARGET, rgb->target);
    a.file[ALPHA_ADDR] = addresses(pair->port[ALPHA], alpha, &alpha_ext) |
        IN(US_ALU_ALPHA_ADDR, OUT, alpha->out) | IN(US_ALU_ALPHA_ADDR, TARGET, alpha->target) |
        IN(US_ALU_ALPHA_ADDR, DEPTH, alpha->depth);
    a.file[RGB_INST] = operation(rgb, rgb->code, pair->pre[RGB], rgb_select) |
        IN(US_ALU_RGB_INST, NOP, pair->nop);
    a.file[ALPHA_INST] = operation(alpha, hwemit_r300_alpha_op(alpha), pair->pre[ALPHA], alpha_select);
    a.file[EXT_ADDR] = rgb_ext | alpha_ext << 4;
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
    for (unsigned n = 0; n < p->npairs; n++) {
        const struct pair *pair = &p->pair[n];
        k.alu_size[pair->phase]++;
        k.out[pair->phase] |= pair->half[RGB].out || pair->half[ALPHA].out;
        k.depth[pair->phase] |= pair->half[ALPHA].depth;
    }
    for (unsigned t = 0; t < p->ntex; t++)
        k.tex_size[p->tex[t].phase]++;
    for (unsigned i = 0; i + 1 < k.n; i++) {
        k.alu_start[i + 1] = k.alu_start[i] + k.alu_size[i];
        k.tex_start[i + 1] = k.tex_start[i] + k.tex_size[i];
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
    uint32_t range[4] = {0};
    bool known[4] = {false};
    for (unsigned reading = 0; reading < 2; reading++)
        for (unsigned i = 0; i < k->n; i++) {
            const unsigned field = reading == 0 ? 3 - i : k->n - 1 - i;
            const uint32_t own = IN(US_CODE_EXT, START0, k->alu_start[i] >> 6) |
                IN(US_CODE_EXT, SIZE0, (k->alu_size[i] - 1) >> 6);
            if (known[field] && range[field] != own)
                return false;
            known[field] = true;
            range[field] = own;
        }
    *word = IN(US_CODE_EXT, ALU_SIZE, (p->npairs - 1u) >> 6);
    for (unsigned field = 0; field < 4; field++)
        *word |= range[field] << (R_US_CODE_EXT_START1 - R_US_CODE_EXT_START0) * field;
    return true;
}

static void tex_words(struct hwemit_code *code, const struct program *p, unsigned first)
{
    for (unsigned t = first; t < p->ntex && t < first + 32; t++) {
        const struct lookup *l = &p->tex[t];
        const unsigned src = l->src, dst = l->dst;
        hwemit_add(code, R_US_TEX_INST + 4 * (t - first),
                   IN(US_TEX_INST, SRC, src) | IN(US_TEX_INST, DST, dst) |
                       IN(US_TEX_INST, TEXTURE, l->texture) | IN(US_TEX_INST, OP, l->op) |
                       IN(US_TEX_INST, SRC_EXT, src >> 5) | IN(US_TEX_INST, DST_EXT, dst >> 5));
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
    tex_words(code, p, number * 32);
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
    hwemit_r300_constants(code, p, true, &parameters);
    hwemit_r300_depth(code, p);
    hwemit_r300_constants(code, p, false, &parameters);
    return true;
}
