/* The target ir3: describes its options, operations, registers and steps to hwemit/machine. */
#include "hwemit/ir3/ir3.h"

static const struct hwemit_option options[] = {
    [IR3_LEVEL] = {"level", 6, 7, "a6xx, or a7xx, which has alias tables (6)"},
    [IR3_TABLES] = {"alias", FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_BEST,
                    "level 7: alias tables: 0 none, 1 plain, an entry for each operand, 2 the fewest (2)"},
    {NULL, 0, 0, NULL},
};

/* Makes n input values, in registers from `reg` (4*n + component) on, and returns the first one. */
static uint16_t fixed(struct machine *m, unsigned reg, unsigned n)
{
    uint16_t first = 0;
    for (unsigned c = 0; c < n; c++) {
        const uint16_t v = hwemit_machine_new_value(m, MACHINE_INPUT, 1);
        first = c ? first : v;
        m->value[v].reg = (uint16_t)((reg + c) / 4);
        m->value[v].lane[0] = (uint8_t)((reg + c) % 4);
    }
    return first;
}

static void begin(struct machine *m, const struct hwemit_options *o)
{
    struct ir3 *s = m->own;
    s->level = (uint8_t)hwemit_option_value(o, IR3_LEVEL, 6);
    s->alias = (uint8_t)(s->level < 7 ? FRAGPROG_ALIAS_NONE
                                      : hwemit_option_value(o, IR3_TABLES, FRAGPROG_ALIAS_BEST));
    m->samplers = HWEMIT_TEXTURES;
    m->slots = HWEMIT_CONSTANTS;
    m->temps = IR3_REGISTERS;
    m->angle = MACHINE_HALF_TURN; /* Mesa, ir3_nir_trig.py */
    s->ij = fixed(m, 0, 2);
    s->position = MACHINE_NONE;
}

/* ---- inputs ---- */

static struct machine_src varying(struct machine *m, unsigned n, unsigned lane)
{
    const struct ir3 *s = m->own;
    const struct machine_src place = {.file = MACHINE_VARYING, .index = (uint16_t)(4 * n + lane)};
    const struct machine_src i = {.file = MACHINE_VALUE, .index = s->ij};
    const struct machine_src j = {.file = MACHINE_VALUE, .index = (uint16_t)(s->ij + 1)};
    return hwemit_machine_do(m, MACHINE_BARY, place, i, j, false);
}

/* The chip gives window x and y as integers, in sixteenths of a pixel, and depth and 1/w as floats (Mesa,
 * ir3_compiler_nir.c, get_frag_coord). */
static struct machine_src position(struct machine *m, unsigned lane)
{
    const struct machine_src none = {0};
    struct ir3 *s = m->own;
    if (s->position == MACHINE_NONE)
        s->position = fixed(m, IR3_FIRST_OF_POSITION, 4);
    const struct machine_src x = {.file = MACHINE_VALUE, .index = (uint16_t)(s->position + lane)};
    if (lane > 1)
        return x;
    return hwemit_machine_do(m, MACHINE_MUL, hwemit_machine_do(m, MACHINE_U2F, x, none, none, false),
                             hwemit_machine_immediate(m, 0.0625f), none, false);
}

/* ---- operands, registers, latencies ---- */

static unsigned inlined(const struct machine *m, const struct machine_op *op, unsigned s)
{
    const unsigned category = hwemit_ir3_category(op);
    unsigned mask = 0;
    bool neg;
    if (category != 1 && category != 5)
        return hwemit_ir3_inline(m, op, s, &neg) >= 0;
    for (unsigned c = 0; c < 4; c++)
        mask |= hwemit_machine_value(m, op->arg[s][c]) ? 1u << c : 0;
    return mask;
}

/* Returns the register class of a value: any lane, or that of an input. */
static unsigned class_of(const struct machine_value *v)
{
    return v->kind == MACHINE_INPUT ? FRAGPROG_CLASS_X + v->lane[0] : 0;
}

/* Functions and lookups do not count as slots: the rule is from Mesa, which counts only instructions of
 * categories 0 to 3 (count_instruction in ir3_delay.c, later in ir3_legalize.c). */
static bool takes_slot(const struct machine_op *op) { return hwemit_ir3_category(op) < 4; }

/* For functions and lookups, which readers wait for by (ss) and (sy), the facts give no latency; those here
 * are guesses for the scheduler. */
static unsigned latency(const struct machine_op *from, const struct machine_op *to, unsigned s)
{
    enum { ALU_TO_ALU = 4, ALU_TO_LAST = 2, ALU_TO_OTHERS = 7, FUNCTION_TIME = 10, LOOKUP_TIME = 60 };
    if (!takes_slot(from))
        return hwemit_ir3_category(from) == 4 ? FUNCTION_TIME : LOOKUP_TIME;
    if (!takes_slot(to) || to->op == MACHINE_KILL)
        return ALU_TO_OTHERS;
    /* The smaller delay of the last operand is used for mad only: Mesa's ir3_delayslots has no such exception
     * for sel, although it has the same category. */
    return to->op == MACHINE_MAD && s == 2 ? ALU_TO_LAST : ALU_TO_ALU;
}

/* ---- the target ---- */

static const struct hwemit_step steps[] = {{"select", hwemit_machine_select},
                                           {"trim", hwemit_machine_trim},
                                           {"operands", hwemit_ir3_operands},
                                           {"numbers", hwemit_machine_numbers},
                                           {"schedule", hwemit_machine_schedule},
                                           {"allocate", hwemit_machine_allocate},
                                           {NULL, NULL}};

/* Facts: notes/facts/ir3.md B.2. Instructions of category 4, sel, lookups and mov cannot saturate. */
#define ROW(category, sat, code, cond) \
    { \
        (category) + 1, sat, IR3_##code, cond, { 0 } \
    }
const struct machine_target hwemit_ir3_machine = {
    .row = {[MACHINE_MOV] = ROW(1, false, ABSNEG_F, 0),    [MACHINE_ADD] = ROW(2, true, ADD_F, 0),
            [MACHINE_MUL] = ROW(2, true, MUL_F, 0),        [MACHINE_MAD] = ROW(3, true, MAD_F32, 0),
            [MACHINE_MIN] = ROW(2, true, MIN_F, 0),        [MACHINE_MAX] = ROW(2, true, MAX_F, 0),
            [MACHINE_CMP] = ROW(2, false, CMPS_F, IR3_GT), [MACHINE_SEL] = ROW(3, false, SEL_B32, 0),
            [MACHINE_FLR] = ROW(2, true, FLOOR_F, 0),      [MACHINE_BARY] = ROW(2, false, BARY_F, 0),
            [MACHINE_U2F] = ROW(1, false, NOP, 0),         [MACHINE_RCP] = ROW(4, false, RCP, 0),
            [MACHINE_RSQ] = ROW(4, false, RSQ, 0),         [MACHINE_EX2] = ROW(4, false, EXP2, 0),
            [MACHINE_LG2] = ROW(4, false, LOG2, 0),        [MACHINE_SIN] = ROW(4, false, SIN, 0),
            [MACHINE_COS] = ROW(4, false, COS, 0),         [MACHINE_TEX] = ROW(5, false, SAM, 0),
            [MACHINE_TXB] = ROW(5, false, SAMB, 0),        [MACHINE_TEST] = ROW(2, false, CMPS_F, IR3_LT),
            [MACHINE_KILL] = ROW(0, false, KILL, 0)},
    .numbers = true,
    .rectangles = true,
    .shadow = true,
    .outputs = true,
    .lines_are_2d = true,
    .ops = IR3_OPS,
    .small = IR3_SMALL,
    .classes = &fragprog_classes_lanes,
    .own = sizeof(struct ir3),
    .begin = begin,
    .varying = varying,
    .position = position,
    .inlined = inlined,
    .class_ = class_of,
    .latency = latency,
    .takes_slot = takes_slot,
    .encode = hwemit_ir3_encode,
};

/* Returns the length of a program without its preamble, which runs once for each draw. */
static uint32_t length(const struct hwemit_code *code)
{
    return code->stat[0].value - code->stat[IR3_PREAMBLE].value;
}

const struct hwemit_target hwemit_ir3 = {
    .name = "ir3",
    .help = "Qualcomm Adreno a6xx and a7xx: fragment programs",
    .options = options,
    MACHINE_TARGET(hwemit_ir3_machine, IR3_OPS, IR3_SMALL, sizeof(struct ir3)),
    .length = length,
    .scalars = true,
    .inputs = "varyings 4n to 4n+3, n =",
    .no_packets = true,
    .steps = steps,
};
