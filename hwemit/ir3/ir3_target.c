/* The target ir3: its options, and the way from a program to words. */
#include "hwemit/ir3/ir3.h"
#include "fragprog/alias.h"

#include <stddef.h>
#include <string.h>

static const struct hwemit_option options[] = {
    [IR3_LEVEL] = {"level", 6, 7, "a6xx, or a7xx, which has alias tables (6)"},
    [IR3_ALIAS] = {"alias", FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_BEST,
                   "level 7: alias tables: 0 none, 1 plain, an entry for each operand, 2 the fewest (2)"},
    {NULL, 0, 0, NULL},
};

/* Bytes of scratch: operations twice, values, results by instruction of the source, alias tables, and what
 * scheduling and colouring take. */
enum { ALIGN = 64, EDGES = 48 }; /* EDGES: about how many interferences an operation may have */
#define VALUES(ops) (2 * (ops) + 2)
#define ROOM(ops) ((ops) * (200u + 4 * EDGES) + 8192)
#define ALIASES(ops) ((ops) / 2)
#define BYTES(ops, insts) \
    (sizeof(struct ir3) + 2 * (ops) * sizeof(struct ir3_op) + VALUES(ops) * sizeof(struct ir3_value) + \
     (insts) * sizeof(struct ir3_result) + ALIASES(ops) * sizeof(struct ir3_alias) + ROOM(ops) + 7 * ALIGN)

_Static_assert(BYTES(IR3_SMALL, FRAGPROG_TEXENV_INSTS) <= HWEMIT_SCRATCH - FRAGPROG_FRONT_SCRATCH,
               "more scratch than there is");

static size_t unbounded_scratch(unsigned insts) { return BYTES(IR3_OPS, insts); }

static void *take(char **at, size_t size)
{
    char *const p = *at + (ALIGN - (uintptr_t)*at % ALIGN) % ALIGN;
    *at = p + size;
    return p;
}

static void set_up(struct ir3 *s, char *at, const struct fragprog *ir, const struct hwemit_options *o)
{
    memset(s, 0, offsetof(struct ir3, input));
    s->ir = ir;
    s->level = (uint8_t)hwemit_option_value(o, IR3_LEVEL, 6);
    s->alias = (uint8_t)(s->level < 7 ? FRAGPROG_ALIAS_NONE
                                      : hwemit_option_value(o, IR3_ALIAS, FRAGPROG_ALIAS_BEST));
    s->maxops = ir->unbounded ? IR3_OPS : IR3_SMALL;
    s->maxvalues = (uint16_t)VALUES(s->maxops);
    s->maxalias = (uint16_t)ALIASES(s->maxops);
    s->op = take(&at, s->maxops * sizeof *s->op);
    s->scheduled = take(&at, s->maxops * sizeof *s->scheduled);
    s->value = take(&at, s->maxvalues * sizeof *s->value);
    s->table = take(&at, s->maxalias * sizeof *s->table);
    s->result = take(&at, ir->ninst * sizeof *s->result);
    memset(s->result, 0, ir->ninst * sizeof *s->result);
    s->nroom = ROOM(s->maxops);
    s->room = take(&at, s->nroom);
}

static bool make(struct ir3 *s)
{
    return hwemit_ir3_select(s) && hwemit_ir3_operands(s) && hwemit_ir3_schedule(s) &&
        hwemit_ir3_allocate(s) && hwemit_ir3_alias_lookups(s) && hwemit_ir3_wait(s);
}

/* The program after all passes in a good order; if it does not fit so, in its own; then the plain program. */
static bool compile(struct hwemit_code *code, const struct hwemit_source *source,
                    const struct hwemit_options *o, struct fragprog_reason *why)
{
    char *at = source->scratch;
    struct ir3 *const s = take(&at, sizeof *s);
    struct fragprog_reason other;
    for (unsigned way = 0; way < 4; way++) {
        const struct fragprog *ir = way < 2 ? source->best : source->plain;
        if (way >= 2 && (!source->plain || source->plain == source->best))
            break;
        set_up(s, at, ir, o);
        s->code = code;
        s->why = way ? &other : why;
        s->ordered = way % 2 == 0;
        if (!make(s))
            continue;
        hwemit_ir3_encode(s);
        return code->nwords <= HWEMIT_MAX_WORDS || hwemit_ir3_refuse_long(s);
    }
    return false;
}

/* The length of a program without its preamble, which runs once for each draw. */
static uint32_t length(const struct hwemit_code *code)
{
    uint32_t n = code->stat[0].value;
    for (unsigned i = 1; i < code->nstats; i++)
        if (strcmp(code->stat[i].name, "preamble") == 0)
            n -= code->stat[i].value;
    return n;
}

const struct hwemit_target hwemit_ir3 = {
    .name = "ir3",
    .help = "Qualcomm Adreno a6xx and a7xx: fragment programs",
    .options = options,
    .scratch = BYTES(IR3_SMALL, FRAGPROG_TEXENV_INSTS),
    .most_work = 1,
    .compile = compile,
    .derive = fragprog_derive,
    .length = length,
    .no_packets = true,
    .unbounded_scratch = unbounded_scratch,
};
