/* Encodes a program as the words of r500 (notes/facts/r300.md 4): six words per instruction; lookups and ALU
 * instructions form one sequence. */
#include "hwemit/r300/r300_program.h"
#include "hwemit/r300/r300_registers.h"
#include "hwemit/words.h"

enum { TYPE_ALU, TYPE_OUT, TYPE_FC, TYPE_TEX, UNUSED_SOURCE = 0x80 };

static void route(uint32_t *ip, uint32_t *inst, bool color, unsigned n, unsigned temp)
{
    if (color) {
        *ip |= IN500(RS_IP, COL_PTR, n);
        *inst |= IN500(RS_INST, COL_ID, n) | IN500(RS_INST, COL_WRITE, 1) | IN500(RS_INST, COL_ADDR, temp);
        return;
    }
    *ip |= IN500(RS_IP, S, 4 * n) | IN500(RS_IP, T, 4 * n + 1) | IN500(RS_IP, R, 4 * n + 2) |
        IN500(RS_IP, Q, 4 * n + 3);
    *inst |= IN500(RS_INST, TEX_ID, n) | IN500(RS_INST, TEX_WRITE, 1) | IN500(RS_INST, TEX_ADDR, temp);
}

/* the chip numbers the constants in order of arrival */
static const struct constant_file file = {R500_US_CONST, 0, hwemit_float_word};

static uint32_t address(const struct port *port)
{
    if (port->file == FILE_NONE)
        return UNUSED_SOURCE;
    return port->file == FILE_SLOT ? 0x100u | port->index : port->index;
}

static uint32_t addresses(const struct pair *pair, unsigned part)
{
    const struct port *port = pair->port[part];
    return address(&port[0]) | address(&port[1]) << 10 | address(&port[2]) << 20 |
        IN500(US_ALU_RGB_ADDR, PRE, pair->pre[part] == PRE_NONE ? 0 : pair->pre[part]);
}

static unsigned swizzle(const struct operand *o, unsigned channel)
{
    static const uint8_t codes[] = {0, 1, 2, 3, [FRAGPROG_ZERO] = 4, [FRAGPROG_HALF] = 5, [FRAGPROG_ONE] = 6};
    return o->from == SRC_ZERO ? 4
        : o->from == SRC_HALF  ? 5
        : o->from == SRC_ONE   ? 6
                               : codes[o->lane[channel]];
}

/* Encodes an operand of the colour and of the alpha half, as it is in the field A or RGB_C, and in the field
 * A or ALPHA_C, and those behind it. */
static uint32_t three(const struct operand *o)
{
    return IN500(US_ALU_RGB_INST, A, o->from < SRC_ZERO ? o->from : 0) |
        IN500(US_ALU_RGB_INST, A_R, swizzle(o, 0)) | IN500(US_ALU_RGB_INST, A_G, swizzle(o, 1)) |
        IN500(US_ALU_RGB_INST, A_B, swizzle(o, 2)) | IN500(US_ALU_RGB_INST, A_MOD, o->mod);
}

static uint32_t one(const struct operand *o)
{
    return (IN500(US_ALU_ALPHA_INST, A, o->from < SRC_ZERO ? o->from : 0) |
            IN500(US_ALU_ALPHA_INST, A_SWZ, swizzle(o, 0)) | IN500(US_ALU_ALPHA_INST, A_MOD, o->mod)) >>
        R500_US_ALU_ALPHA_INST_A;
}

/* Encodes a pair. The last instruction must have type OUT even if it writes no output (notes/facts/r300.md
 * 4). */
static void alu(struct hwemit_code *code, const struct program *p, const struct pair *pair, bool wait)
{
    const struct half *rgb = &pair->half[RGB], *alpha = &pair->half[ALPHA];
    const struct operand *r = rgb->arg, *a = alpha->arg;
    const bool out = rgb->out || alpha->out || alpha->depth || pair + 1 == p->pair + p->npairs;
    hwemit_add(code, R500_US_CMN_INST,
               IN500(US_CMN_INST, TYPE, out ? TYPE_OUT : TYPE_ALU) | IN500(US_CMN_INST, TEX_SEM_WAIT, wait) |
                   IN500(US_CMN_INST, NOP, pair->nop) | IN500(US_CMN_INST, RGB_WMASK, rgb->mask) |
                   IN500(US_CMN_INST, ALPHA_WMASK, alpha->mask) | IN500(US_CMN_INST, RGB_OMASK, rgb->out) |
                   IN500(US_CMN_INST, ALPHA_OMASK, alpha->out) | IN500(US_CMN_INST, RGB_CLAMP, rgb->clamp) |
                   IN500(US_CMN_INST, ALPHA_CLAMP, alpha->clamp));
    hwemit_add(code, R500_US_ALU_RGB_ADDR, addresses(pair, RGB));
    hwemit_add(code, R500_US_ALU_ALPHA_ADDR, addresses(pair, ALPHA));
    hwemit_add(code, R500_US_ALU_RGB_INST,
               three(&r[0]) | three(&r[1]) << R500_US_ALU_RGB_INST_B |
                   IN500(US_ALU_RGB_INST, OMOD, hwemit_r300_omod(rgb->omod)) |
                   IN500(US_ALU_RGB_INST, TARGET, rgb->target));
    hwemit_add(code, R500_US_ALU_ALPHA_INST,
               IN500(US_ALU_ALPHA_INST, OP, hwemit_r300_alpha_op(alpha)) |
                   IN500(US_ALU_ALPHA_INST, DST, alpha->temp == NONE ? 0 : alpha->temp) |
                   one(&a[0]) << R500_US_ALU_ALPHA_INST_A | one(&a[1]) << R500_US_ALU_ALPHA_INST_B |
                   IN500(US_ALU_ALPHA_INST, OMOD, hwemit_r300_omod(alpha->omod)) |
                   IN500(US_ALU_ALPHA_INST, TARGET, alpha->target) |
                   IN500(US_ALU_ALPHA_INST, DEPTH, alpha->depth));
    hwemit_add(code, R500_US_ALU_RGBA_INST,
               IN500(US_ALU_RGBA_INST, OP, rgb->code) |
                   IN500(US_ALU_RGBA_INST, DST, rgb->temp == NONE ? 0 : rgb->temp) |
                   three(&r[2]) << R500_US_ALU_RGBA_INST_RGB_C | one(&a[2]) << R500_US_ALU_RGBA_INST_ALPHA_C);
}

static void tex(struct hwemit_code *code, const struct lookup *l, bool last, bool wait)
{
    hwemit_add(code, R500_US_CMN_INST,
               IN500(US_CMN_INST, TYPE, TYPE_TEX) | IN500(US_CMN_INST, TEX_SEM_WAIT, wait || last) |
                   IN500(US_CMN_INST, RGB_WMASK, l->mask & 7) |
                   IN500(US_CMN_INST, ALPHA_WMASK, l->mask >> 3));
    hwemit_add(code, R500_US_TEX_INST,
               IN500(US_TEX_INST, TEXTURE, l->texture) | IN500(US_TEX_INST, OP, l->op) |
                   IN500(US_TEX_INST, SEM_ACQUIRE, last) |
                   IN500(US_TEX_INST, UNSCALED, l->op != TEX_KIL && l->target == TEXENV_RECT));
    hwemit_add(code, R500_US_TEX_ADDR,
               IN500(US_TEX_ADDR, SRC, l->src) | IN500(US_TEX_ADDR, S, l->lane[0]) |
                   IN500(US_TEX_ADDR, T, l->lane[1]) | IN500(US_TEX_ADDR, R, l->lane[2]) |
                   IN500(US_TEX_ADDR, Q, l->lane[3]) | IN500(US_TEX_ADDR, DST, l->dst) |
                   IN500(US_TEX_ADDR, DST_R, 0) | IN500(US_TEX_ADDR, DST_G, 1) |
                   IN500(US_TEX_ADDR, DST_B, 2) | IN500(US_TEX_ADDR, DST_A, 3));
    hwemit_add(code, R500_US_TEX_ADDR_DXDY, 0);
    hwemit_add(code, R500_US_CONST, 0); /* dwords 4 and 5 of a lookup are unused */
    hwemit_add(code, R500_US_CONST, 0);
}

/* Returns whether the pair reads or writes a register that lookups of this block read or write; the first
 * such pair must wait for them. */
static bool touches(const struct program *p, const struct pair *pair, unsigned phase)
{
    for (unsigned t = 0; t < p->ntex; t++) {
        if (p->tex[t].phase != phase)
            continue;
        const unsigned coord = p->tex[t].src, result = p->tex[t].mask ? p->tex[t].dst : NONE;
        for (unsigned half = 0; half < 2; half++) {
            if (pair->half[half].temp != NONE &&
                (pair->half[half].temp == coord || pair->half[half].temp == result))
                return true;
            for (unsigned s = 0; s < 3; s++)
                if (pair->port[half][s].file == FILE_VREG && pair->port[half][s].index == result)
                    return true;
        }
    }
    return false;
}

static void instructions(struct hwemit_code *code, const struct program *p)
{
    unsigned t = 0, n = 0;
    bool in_flight = false;
    for (unsigned phase = 0; phase <= p->phases; phase++) {
        for (; t < p->ntex && p->tex[t].phase == phase; t++) {
            const bool last = t + 1 == p->ntex || p->tex[t + 1].phase != phase;
            tex(code, &p->tex[t], last, in_flight);
            in_flight = last;
        }
        for (; n < p->npairs && p->pair[n].phase == phase; n++) {
            bool wait = in_flight && touches(p, &p->pair[n], phase);
            in_flight &= !wait;
            alu(code, p, &p->pair[n], wait || n + 1u == p->npairs);
        }
    }
}

void hwemit_r300_encode500(struct hwemit_code *code, const struct program *p)
{
    const unsigned n = p->npairs + p->ntex;
    hwemit_r300_lists(code, p);
    hwemit_r300_routing(code, p, route, R500_RS_IP, R500_RS_INST);
    hwemit_add(code, R500_US_CONFIG, IN500(US_CONFIG, ZERO_TIMES_ANYTHING_EQUALS_ZERO, 1));
    hwemit_add(code, R500_US_PIXSIZE, IN500(US_PIXSIZE, LAST_TEMP, p->temps > 2 ? p->temps - 1u : 1));
    hwemit_add(code, R500_US_FC_CTRL, 0);
    hwemit_add(code, R500_US_CODE_ADDR, IN500(US_CODE_ADDR, START, 0) | IN500(US_CODE_ADDR, END, n - 1));
    hwemit_add(code, R500_US_CODE_RANGE, IN500(US_CODE_RANGE, ADDR, 0) | IN500(US_CODE_RANGE, SIZE, n - 1));
    hwemit_add(code, R500_US_CODE_OFFSET, 0);
    hwemit_add(code, R500_GA_US_VECTOR_INDEX, 0);
    instructions(code, p);
    unsigned state = 0; /* number of constants that GL state sets; they come before the program's own */
    for (unsigned k = 0; k < p->nconsts; k++)
        state += hwemit_r300_external(&p->constant[k]);
    if (p->nconsts > state) {
        hwemit_add(code, R500_GA_US_VECTOR_INDEX,
                   IN500(GA_US_VECTOR_INDEX, INDEX, state) | IN500(GA_US_VECTOR_INDEX, TYPE, 1));
        hwemit_r300_constants(code, p, true, &file);
    }
    hwemit_r300_depth(code, p);
    if (state) {
        hwemit_add(code, R500_GA_US_VECTOR_INDEX, IN500(GA_US_VECTOR_INDEX, TYPE, 1));
        hwemit_r300_constants(code, p, false, &file);
    }
}
