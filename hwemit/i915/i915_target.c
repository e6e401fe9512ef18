/* The target i915: describes its operations, registers and steps to hwemit/machine. */
#include "hwemit/i915/i915.h"

static void begin(struct machine *m, const struct hwemit_options *o)
{
    (void)o;
    m->samplers = 16;
    m->slots = 32;
    m->temps = 16;
    m->one_slot = true;
}

/* Returns the register of an input: coordinate sets, colours and fog have fixed ones (sections 2, 3). Drivers
 * pass the position in a coordinate set that the program does not use. */
static uint16_t input(struct machine *m, const struct machine_input *in)
{
    unsigned used = 0, set = 0;
    for (unsigned i = 0; i < m->ninputs; i++)
        used |= m->input[i].what == HWEMIT_COORD ? 1u << m->input[i].index : 0;
    if (in->what == HWEMIT_COLOR)
        return (uint16_t)(I915_DIFFUSE + in->index);
    if (in->what == HWEMIT_FOGCOORD)
        return I915_FOG;
    while (in->what == HWEMIT_POSITION && used >> set & 1)
        set++;
    set = in->what == HWEMIT_POSITION ? set : in->index;
    if (set >= I915_SETS)
        MACHINE_REFUSE(m, -1, "inputs", "fewer coordinate sets",
                       "the program reads more than the %d coordinate sets, one of which the position takes",
                       I915_SETS);
    return (uint16_t)set;
}

static unsigned class_of(const struct machine_value *v) { return hwemit_machine_count(v->components) - 1; }

static unsigned lookups(const struct machine *m)
{
    unsigned n = 0;
    for (unsigned i = 0; i < m->nops; i++)
        n += hwemit_machine_looks_up(&m->op[i]);
    return n;
}

static bool fits(struct machine *m)
{
    const unsigned textures = lookups(m), rest = m->nops - textures;
    return hwemit_machine_within(m, textures, I915_LOOKUPS, "instructions", "fewer lookups", "lookups") &&
        hwemit_machine_within(m, rest, I915_INSTRUCTIONS, "instructions", "a shorter program",
                              "arithmetic instructions");
}

static void encode(struct machine *m)
{
    const unsigned textures = lookups(m);
    hwemit_i915_encode(m);
    hwemit_add_stat(m->code, "alu", m->nops - textures);
    hwemit_add_stat(m->code, "tex", textures);
    hwemit_add_stat(m->code, "phases", m->phases);
    hwemit_add_stat(m->code, "temporaries", m->registers);
    hwemit_add_stat(m->code, "constants", m->nslots);
}

static uint32_t length(const struct hwemit_code *code) { return code->stat[0].value + code->stat[1].value; }

static const struct hwemit_step steps[] = {{"select", hwemit_machine_select},
                                           {"trim", hwemit_machine_trim},
                                           {"combine", hwemit_machine_combine},
                                           {"mix", hwemit_machine_mix},
                                           {"operands", hwemit_machine_operands},
                                           {"place", hwemit_machine_place},
                                           {"mix_moves", hwemit_machine_mix},
                                           {"fits", fits},
                                           {"numbers", hwemit_machine_numbers},
                                           {"order", hwemit_machine_order_phases},
                                           {"allocate", hwemit_machine_allocate},
                                           {"phases", hwemit_machine_count_phases},
                                           {NULL, NULL}};

/* The description of the chip (sections 4.1, 4.2). */
static const struct machine_target i915 = {
    .row = {[MACHINE_MOV] = {1, true, I915_MOV, 0, {0}},      [MACHINE_ADD] = {1, true, I915_ADD, 0, {0}},
            [MACHINE_MUL] = {1, true, I915_MUL, 0, {0}},      [MACHINE_MAD] = {1, true, I915_MAD, 0, {0}},
            [MACHINE_MIN] = {1, true, I915_MIN, 0, {0}},      [MACHINE_MAX] = {1, true, I915_MAX, 0, {0}},
            [MACHINE_SGE] = {1, true, I915_SGE, 0, {0}},      [MACHINE_SLT] = {1, true, I915_SLT, 0, {0}},
            [MACHINE_CGE] = {1, true, I915_CMP, 0, {0}},      [MACHINE_FRC] = {1, true, I915_FRC, 0, {0}},
            [MACHINE_FLR] = {1, true, I915_FLR, 0, {0}},      [MACHINE_DP3] = {1, true, I915_DP3, 0, {0}},
            [MACHINE_DP4] = {1, true, I915_DP4, 0, {0}},      [MACHINE_RCP] = {1, true, I915_RCP, 0, {0}},
            [MACHINE_RSQ] = {1, true, I915_RSQ, 0, {0}},      [MACHINE_EX2] = {1, true, I915_EXP, 0, {0}},
            [MACHINE_LG2] = {1, true, I915_LOG, 0, {0}},      [MACHINE_TEX] = {1, false, I915_TEXLD, 0, {0}},
            [MACHINE_TXB] = {1, false, I915_TEXLDB, 0, {0}},  [MACHINE_TXP] = {1, false, I915_TEXLDP, 0, {0}},
            [MACHINE_KILL] = {1, false, I915_TEXKILL, 0, {0}}},
    .rectangles = true,
    .outputs = true,
    .bias_in_w = true,
    .selects = true,
    .files = true,
    .whole_lookups = true,
    .no_secondary_alpha = true, /* it holds the fog factor (section 2) */
    .fog_lane = 3,
    .phases = I915_PHASES,
    .ops = I915_OPS,
    .small = I915_SMALL,
    .search = 100,
    .classes = &fragprog_classes_lanes,
    .begin = begin,
    .input = input,
    .class_ = class_of,
    .encode = encode,
};

const struct hwemit_target hwemit_i915 = {
    .name = "i915",
    .help = "Intel 915G to Pineview (GMA 900 to 3150): fragment programs",
    .inputs = "T register",
    MACHINE_TARGET(i915, I915_OPS, I915_SMALL, 0),
    .length = length,
    .steps = steps,
};
