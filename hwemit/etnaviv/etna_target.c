/* The target etnaviv: what can be told of a core, and the way from a program to words. */
#include "hwemit/etnaviv/etnaviv.h"

#include <stddef.h>
#include <string.h>

static const struct hwemit_option options[] = {
    [ETNA_HALTI] = {"halti", 0, 5, "level of the core; from 1 on 16 samplers, from 2 on immediates"},
    [ETNA_N_UNIFORMS] = {"uniforms", 16, ETNA_MOST_UNIFORMS, "uniform registers of fragments (64)"},
    [ETNA_N_INSTRUCTIONS] = {"instructions", 16, ETNA_MOST_INSTRUCTIONS, "instructions of fragments (256)"},
    [ETNA_N_TEMPS] = {"temps", 8, ETNA_MOST_TEMPS, "temporaries (64)"},
    [ETNA_ONE] = {"one-uniform", 0, 1, "an instruction reads one uniform register only (1)"},
    [ETNA_PAIRS] = {"new-transcendentals", 0, 1, "LOG, SIN and COS give two factors of their result (0)"},
    {NULL, 0, 0, NULL},
};

/* Bytes of scratch: operations twice, the values that these and their moves have, results by instruction of
 * the source, colouring. */
enum { ALIGN = 64, EDGES = 80 }; /* EDGES: about how many interferences an operation may have */
#define VALUES(ops) (2 * (ops) + HWEMIT_INPUTS)
#define COLOURING(ops) ((ops) * (160u + 4 * EDGES) + 4096)
#define BYTES(ops, insts) \
    (sizeof(struct etna) + 2 * (ops) * sizeof(struct etna_op) + VALUES(ops) * sizeof(struct etna_value) + \
     (insts) * sizeof(struct etna_result) + COLOURING(ops) + 6 * ALIGN)

static size_t unbounded_scratch(unsigned insts) { return BYTES(ETNA_OPS, insts); }

static void *take(char **at, size_t size)
{
    char *const p = *at + (ALIGN - (uintptr_t)*at % ALIGN) % ALIGN;
    *at = p + size;
    return p;
}

static void set_up(struct etna *e, char *at, const struct fragprog *ir, const struct hwemit_options *o)
{
    memset(e, 0, offsetof(struct etna, input));
    e->ir = ir;
    e->halti = (uint16_t)hwemit_option_value(o, ETNA_HALTI, 0);
    e->uniforms = (uint16_t)hwemit_option_value(o, ETNA_N_UNIFORMS, 64);
    e->instructions = (uint16_t)hwemit_option_value(o, ETNA_N_INSTRUCTIONS, 256);
    e->temps = (uint16_t)hwemit_option_value(o, ETNA_N_TEMPS, ETNA_MOST_TEMPS);
    e->one = hwemit_option_value(o, ETNA_ONE, 1) == 1;
    e->pairs = hwemit_option_value(o, ETNA_PAIRS, 0) == 1;
    e->maxops = ir->unbounded ? ETNA_OPS : ETNA_SMALL;
    e->maxvalues = (uint16_t)VALUES(e->maxops);
    e->op = take(&at, e->maxops * sizeof *e->op);
    e->next = take(&at, e->maxops * sizeof *e->next);
    e->value = take(&at, e->maxvalues * sizeof *e->value);
    e->result = take(&at, ir->ninst * sizeof *e->result);
    memset(e->result, 0, ir->ninst * sizeof *e->result);
    e->nroom = COLOURING(e->maxops);
    e->room = take(&at, e->nroom);
}

static bool make(struct etna *e)
{
    if (!hwemit_etna_select(e))
        return false;
    hwemit_etna_trim(e);
    hwemit_etna_combine(e);
    if (!hwemit_etna_operands(e))
        return false;
    hwemit_etna_place(e);
    if (e->nops > e->instructions)
        return hwemit_refuse(e->why, -1, "instructions", "a shorter program",
                             "the program needs %u instructions, the chip has %u", (unsigned)e->nops,
                             (unsigned)e->instructions);
    return hwemit_etna_uniforms(e) && hwemit_etna_allocate(e);
}

/* Compiles the optimised program, with merged uniform registers; if it needs too many of these, with moves
 * instead; if that does not fit either, the plain program. */
static bool compile(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *o, struct fragprog_reason *why)
{
    char *at = source->scratch;
    struct etna *const e = take(&at, sizeof *e);
    struct fragprog_reason other;
    for (unsigned way = 0; way < 4; way++) {
        const struct fragprog *ir = way < 2 ? source->best : source->plain;
        if (way >= 2 && (!source->plain || source->plain == source->best))
            break;
        set_up(e, at, ir, o);
        e->code = code;
        e->why = way ? &other : why;
        e->merge = way % 2 == 0;
        if (!make(e))
            continue;
        hwemit_etna_encode(e);
        return true;
    }
    return false;
}

static uint32_t length(const struct hwemit_code *code) { return code->stat[0].value; }

const struct hwemit_target hwemit_etnaviv = {
    .name = "etnaviv",
    .help = "Vivante GC2000 and later: fragment programs of their unified shader core",
    .options = options,
    .scratch = BYTES(ETNA_SMALL, FRAGPROG_TEXENV_INSTS),
    .most_work = 1,
    .compile = compile,
    .derive = fragprog_derive,
    .length = length,
    .no_packets = true,
    .unbounded_scratch = unbounded_scratch,
};
