/* Compiles a vertex program for the vertex engine of r300, r400 or r500: describes the engine's operations
 * and limits to hwemit/machine, which tries several variants and keeps the best. */
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_target.h"

#include <stddef.h>
#include <string.h>

/* Limits of the chips (notes/facts/r300-vertex.md 2.2). */
static const struct pvs_chip old = {.instructions = 256, .memory = 72, .constants = 256};
static const struct pvs_chip r500 = {.r500 = true, .instructions = 1024, .memory = 128, .constants = 256};

enum { MACHINE_OPERATIONS = 8000 }; /* so large because register allocation uses the same memory */

static unsigned inlined(const struct machine *m, const struct machine_op *op, unsigned s)
{
    unsigned mask = 0;
    for (unsigned c = 0; c < 4; c++)
        mask |= hwemit_machine_selected(m, op->arg[s][c]) ? 1u << c : 0;
    return mask;
}

static uint16_t input(struct machine *m, const struct machine_input *in)
{
    (void)m;
    return in->index;
}

/* Prepares a compilation. struct pvs takes the end of the scratch memory of steps. */
static void begin(struct machine *m, const struct pvs_chip *chip, const struct hwemit_options *options)
{
    m->nroom = (m->nroom - sizeof(struct pvs)) / MACHINE_ALIGN * MACHINE_ALIGN;
    struct pvs *p = m->own = m->room + m->nroom;
    memset(p, 0, offsetof(struct pvs, konst));
    memset(p->input_slot, 0xff, sizeof p->input_slot);
    p->chip = chip;
    p->why = m->why;
    p->atrm = (uint8_t)hwemit_option_value(options, OPTION_ATRM, PVS_ATRM_SEARCH);
    p->room = m->room;
    p->nroom = m->nroom;
    m->one_slot = m->merge = true;
    m->slots = PVS_CONSTS;           /* pvs_encode.c checks the limit */
    for (unsigned n = 0; n < 3; n++) /* adds -1, 0 and 1 first, since the search for numbers is linear */
        hwemit_machine_immediate(m, (float)n - 1);
}

static void begin_old(struct machine *m, const struct hwemit_options *options) { begin(m, &old, options); }
static void begin_r500(struct machine *m, const struct hwemit_options *options) { begin(m, &r500, options); }

static bool engine(struct machine *m)
{
    struct pvs *p = m->own;
    if (!hwemit_pvs_convert(p, m))
        return false;
    if (p->atrm != PVS_ATRM_NONE && !m->second)
        hwemit_pvs_pairs(p);
    if (!hwemit_pvs_addresses(p))
        return false;
    if (p->nops > p->chip->instructions)
        return hwemit_refuse(p->why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u", (unsigned)p->nops,
                             (unsigned)p->chip->instructions);
    return hwemit_pvs_allocate(p);
}

static void encode(struct machine *m) { m->failed = !hwemit_pvs_encode(m->own, m->code); }

/* Prefers most vertices at the same time (controllers), then fewest instructions, then fewest temporaries.
 * The search ends when the maximum of controllers is reached, since earlier attempts have fewer instructions.
 */
static uint32_t cost(const struct machine *m)
{
    const struct pvs *p = m->own;
    const unsigned lacking = PVS_CONTROLLERS - hwemit_pvs_controllers(p->chip, p->temps, p->alternates);
    return lacking ? lacking * 1000000u + p->nops * 100u + p->temps : 0;
}

enum { OF_FRAGMENTS = 4 }; /* steps that only fragment programs have */
const struct hwemit_step hwemit_r300_steps[] = {{"factor", hwemit_machine_factor},
                                                {"outputs", NULL},
                                                {"constants", NULL},
                                                {"presubtract", NULL},
                                                {"select", hwemit_machine_select},
                                                {"trim", hwemit_machine_trim},
                                                {"combine", hwemit_machine_combine},
                                                {"gather", hwemit_pvs_gather},
                                                {"operands", hwemit_machine_operands},
                                                {"repeat", hwemit_pvs_repeat},
                                                {"place", hwemit_machine_place},
                                                {"mix", hwemit_machine_mix},
                                                {"early", hwemit_pvs_early},
                                                {"ports", hwemit_pvs_ports},
                                                {"arrays", hwemit_pvs_arrays},
                                                {"numbers", hwemit_machine_numbers},
                                                {"engine", engine},
                                                {NULL, NULL}};

static const struct machine_target engine_of_old = {
    .row = {[MACHINE_MOV] = {1, false, PVS_ADD, 0, {0}}, [MACHINE_ADD] = {1, false, PVS_ADD, 0, {0}},
            [MACHINE_MUL] = {1, false, PVS_MUL, 0, {0}}, [MACHINE_MAD] = {1, false, PVS_MAD, 0, {0}},
            [MACHINE_MIN] = {1, false, PVS_MIN, 0, {0}}, [MACHINE_MAX] = {1, false, PVS_MAX, 0, {0}},
            [MACHINE_SGE] = {1, false, PVS_SGE, 0, {0}}, [MACHINE_SLT] = {1, false, PVS_SLT, 0, {0}},
            [MACHINE_FRC] = {1, false, PVS_FRC, 0, {0}}, [MACHINE_DP3] = {1, false, PVS_DOT, 0, {0}},
            [MACHINE_DP4] = {1, false, PVS_DOT, 0, {0}}, [MACHINE_RCP] = {1, false, PVS_RCP, 0, {0}},
            [MACHINE_RSQ] = {1, false, PVS_RSQ, 0, {0}}, [MACHINE_EX2] = {1, false, PVS_EX2, 0, {0}},
            [MACHINE_LG2] = {1, false, PVS_LG2, 0, {0}}, [MACHINE_POW] = {1, false, PVS_POW, 0, {0}},
            [MACHINE_EXP] = {1, false, PVS_EXP, 0, {0}}, [MACHINE_LOG] = {1, false, PVS_LOG, 0, {0}},
            [MACHINE_LIT] = {1, false, PVS_LIT, 0, {0}}, [MACHINE_LOAD] = {1, false, 0, 0, {0}}},
    .selects = true,
    .files = true,
    .write_only = true,
    .ops = MACHINE_OPERATIONS,
    .small = MACHINE_OPERATIONS,
    .begin = begin_old,
    .input = input,
    .inlined = inlined,
    .steps = hwemit_r300_steps + OF_FRAGMENTS,
    .encode = encode,
    .cost = cost,
};

size_t hwemit_pvs_scratch(unsigned insts) { return MACHINE_BYTES(MACHINE_OPERATIONS, insts, 0); }

bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct machine_target target = engine_of_old;
    if (chip->generation == R500)
        target.begin = begin_r500;
    return hwemit_machine_compile(code, &target, source, options, why);
}
