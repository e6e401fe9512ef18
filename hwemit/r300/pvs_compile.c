/* Compiles a vertex program for the vertex engine of r300, r400 or r500: describes the engine's operations
 * and limits to hwemit/machine, which tries several variants and keeps the best. */
#include "hwemit/r300/pvs.h"
#include "hwemit/r300/r300_target.h"

/* Limits of the chips (notes/facts/r300-vertex.md 2.2). */
static const struct pvs_chip old = {.instructions = 256, .memory = 72, .constants = 256};
static const struct pvs_chip r500 = {.r500 = true, .instructions = 1024, .memory = 128, .constants = 256};

static void begin(struct machine *m, const struct pvs_chip *chip, const struct hwemit_options *options)
{
    struct pvs *p = m->own;
    p->chip = chip;
    p->atrm = (uint8_t)hwemit_option_value(options, OPTION_ATRM, PVS_ATRM_SEARCH);
    m->one_slot = true;
    m->slots = MACHINE_SLOTS;        /* numbers() checks the limit of the chip */
    for (unsigned n = 0; n < 3; n++) /* adds -1, 0 and 1 first, since the search for numbers is linear */
        hwemit_machine_immediate(m, (float)n - 1);
}

static void begin_old(struct machine *m, const struct hwemit_options *options) { begin(m, &old, options); }
static void begin_r500(struct machine *m, const struct hwemit_options *options) { begin(m, &r500, options); }

static bool numbers(struct machine *m)
{
    const struct pvs *p = m->own;
    return hwemit_machine_numbers(m) &&
        hwemit_machine_within(m, m->nslots, p->chip->constants, "constants", "fewer constants", "constants");
}

/* Prefers most vertices at the same time (controllers), then fewest instructions, then fewest temporaries.
 * The search ends when the maximum of controllers is reached, since earlier attempts have fewer instructions.
 */
static uint32_t cost(const struct machine *m)
{
    const struct pvs *p = m->own;
    const unsigned lacking = PVS_CONTROLLERS - hwemit_pvs_controllers(p);
    return lacking ? lacking * 1000000u + p->instructions * 100u + p->temps : 0;
}

const struct hwemit_step hwemit_pvs_steps[] = {
    {"select", hwemit_machine_select},     {"trim", hwemit_machine_trim},
    {"combine", hwemit_machine_combine},   {"gather", hwemit_pvs_gather},
    {"operands", hwemit_machine_operands}, {"repeat", hwemit_pvs_repeat},
    {"place", hwemit_machine_place},       {"mix", hwemit_machine_mix},
    {"early", hwemit_pvs_early},           {"ports", hwemit_pvs_ports},
    {"arrays", hwemit_pvs_arrays},         {"numbers", numbers},
    {"addresses", hwemit_pvs_addresses},   {"pairs", hwemit_pvs_pairs},
    {"allocate", hwemit_pvs_allocate},     {NULL, NULL}};

static const struct machine_target engine_of_old = {
    .row =
        {[MACHINE_MOV] = {1, false, PVS_ADD, 0, {0}}, [MACHINE_ADD] = {1, false, PVS_ADD, 0, {0}},
         [MACHINE_MUL] = {1, false, PVS_MUL, 0, {0}}, [MACHINE_MAD] = {1, false, PVS_MAD, 0, {0}},
         [MACHINE_MIN] = {1, false, PVS_MIN, 0, {0}}, [MACHINE_MAX] = {1, false, PVS_MAX, 0, {0}},
         [MACHINE_SGE] = {1, false, PVS_SGE, 0, {0}}, [MACHINE_SLT] = {1, false, PVS_SLT, 0, {0}},
         [MACHINE_FRC] = {1, false, PVS_FRC, 0, {0}}, [MACHINE_DP3] = {1, false, PVS_DOT, 0, {0}},
         [MACHINE_DP4] = {1, false, PVS_DOT, 0, {0}}, [MACHINE_RCP] = {1, false, PVS_RCP, 0, {0}},
         [MACHINE_RSQ] = {1, false, PVS_RSQ, 0, {0}}, [MACHINE_EX2] = {1, false, PVS_EX2, 0, {0}},
         [MACHINE_LG2] = {1, false, PVS_LG2, 0, {0}}, [MACHINE_POW] = {1, false, PVS_POW, 0, {0}},
         [MACHINE_EXP] = {1, false, PVS_EXP, 0, {0}}, [MACHINE_LOG] = {1, false, PVS_LOG, 0, {0}},
         [MACHINE_LIT] = {1, false, PVS_LIT, 0, {0}}, [MACHINE_LOAD] = {1, false, PVS_FLOOR_ADDRESS, 0, {0}}},
    .selects = true,
    .files = true,
    .ops = PVS_OPS,
    .search = 100,
    .small = PVS_OPS,
    .begin = begin_old,
    .class_ = hwemit_pvs_class,
    .own = sizeof(struct pvs),
    .encode = hwemit_pvs_encode,
    .cost = cost,
};

bool hwemit_pvs_compile(struct hwemit_code *code, const struct chip *chip, const struct hwemit_source *source,
                        const struct hwemit_options *options, struct fragprog_reason *why)
{
    struct machine_target engine = engine_of_old;
    const struct hwemit_target target = {.chip = &engine, .vertex_steps = hwemit_pvs_steps};
    struct fragprog_classes classes;
    hwemit_pvs_classes(&classes);
    engine.classes = &classes;
    if (chip->generation == R500)
        engine.begin = begin_r500;
    return hwemit_machine_compile(code, &target, source, options, why);
}
