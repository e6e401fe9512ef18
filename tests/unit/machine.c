/* Tests hwemit_check_machine, the verifier of machine programs: it accepts a valid program and finds each
 * kind of error. */
#include "hwemit/machine/machine.h"
#include "tests/unit/check.h"

#include <string.h>

enum { TEMPS = 4, OPS = 3, VALUES = 4 };

static unsigned inlined(const struct machine *m, const struct machine_op *op, unsigned s)
{
    (void)m, (void)op, (void)s;
    return 0;
}

static const struct machine_target vectors = {
    .row =
        {[MACHINE_MUL] = {.form = 1, .sat = true}, [MACHINE_RCP] = {.form = 1}, [MACHINE_MOV] = {.form = 1}},
    .inlined = inlined};
static const struct machine_target scalars = {
    .row = {[MACHINE_MUL] = {.form = 1, .sat = true}}, .numbers = true, .inlined = inlined};

static struct machine m;
static struct machine_op op[OPS];
static struct machine_value value[VALUES];

static struct machine_src read(unsigned v, unsigned lane)
{
    return (struct machine_src){.file = MACHINE_VALUE, .lane = lane & 3, .index = (uint16_t)v};
}

/* Makes the program v1.x = rcp v0.x; v2.xy = mul v1.xx, numbers 0 and 1; v3.xy = mul v2.xy, v0.xy, with input
 * v0 and output v3. Registers: 0 for v0, 1 for v1 and then for v2, 2 for v3. */
static void make(void)
{
    const struct machine_src number[2] = {{.file = MACHINE_NUMBER}, {.file = MACHINE_NUMBER, .index = 1}};
    memset(&m, 0, sizeof m);
    memset(op, 0, sizeof op);
    memset(value, 0, sizeof value);
    m.target = &vectors;
    m.op = op, m.value = value;
    m.nops = OPS, m.nvalues = VALUES, m.temps = TEMPS, m.noutputs = 1, m.nnumbers = 2, m.nslots = 1;
    m.legal = m.numbered = m.allocated = true;
    m.slot[0] = (struct machine_slot){.number = {0, 1}, .n = 2};
    for (unsigned v = 0; v < VALUES; v++)
        value[v] = (struct machine_value){.kind = v == 0 ? MACHINE_INPUT
                                              : v == 3   ? MACHINE_OUTPUT
                                                         : MACHINE_RESULT,
                                          .components = v == 1 ? 1 : 3,
                                          .lane = {0, 1, 2, 3},
                                          .reg = (uint16_t)(v < 2 ? v : v - 1)};
    op[0] = (struct machine_op){.op = MACHINE_RCP, .mask = 1, .value = 1, .arg = {{read(0, 0)}}};
    op[1] = (struct machine_op){
        .op = MACHINE_MUL, .mask = 3, .value = 2, .arg = {{read(1, 0), read(1, 0)}, {number[0], number[1]}}};
    op[2] = (struct machine_op){.op = MACHINE_MUL,
                                .mask = 3,
                                .value = 3,
                                .sat = 1,
                                .arg = {{read(2, 0), read(2, 1)}, {read(0, 0), read(0, 1)}}};
    for (unsigned c = 0; c < 4; c++)
        m.output[0].value[c] = c < 2 ? 3 : MACHINE_NONE;
}

/* Expects the verifier to report this error (NULL: none) at operation `where`. */
static void finds(const char *rule, unsigned where)
{
    unsigned at = OPS;
    const char *broken = hwemit_check_machine(&m, &at);
    if (!rule)
        CHECK_SAY(!broken, "a good program breaks a rule: %s", broken);
    else
        CHECK_SAY(broken && strcmp(broken, rule) == 0 && at == where, "'%s' at %u instead of '%s' at %u",
                  broken ? broken : "nothing", at, rule, where);
    make();
}

static void reads(void)
{
    static const char not_there[] = "what it reads is not there";
    op[0].arg[0][0] = read(2, 0); /* v2 is written later */
    finds(not_there, 0);
    op[1].arg[0][1] = read(1, 1); /* a component that nothing writes */
    finds(not_there, 1);
    value[2].reg = 0; /* v2 overwrites v0 before it is read */
    finds(not_there, 2);
    value[2].reg = 0, value[2].lane[0] = 2, value[2].lane[1] = 3; /* other lanes of the register are free */
    finds(NULL, 0);
    m.output[0].value[0] = 2, value[3].reg = 1; /* the output is overwritten */
    finds("an output is not there", 2);
    m.output[0].value[2] = 3; /* a component that nothing writes */
    finds("an output is not there", 2);
}

static void operands(void)
{
    static const char one[] = "an operand is not of one register with one sign";
    op[2].arg[0][1] = read(0, 1);
    finds(one, 2);
    op[2].arg[0][1].neg = 1;
    finds(one, 2);
    op[2].arg[0][1].abs = 1;
    finds(one, 2);
    op[1].arg[1][1] = read(0, 1); /* one operand reads a number and a value */
    finds(one, 1);
    op[2].arg[0][1] = read(0, 1);
    m.legal = false; /* before operands are legalised this is allowed */
    finds(NULL, 0);
}

static void numbers(void)
{
    static const char no_place[] =
        "a number has no place in the constant file, or not where the operation reads";
    op[1].slot[1] = 1;
    finds(no_place, 1);
    m.slot[0].number[1] = 2;
    finds(no_place, 1);
    m.slot[0].number[1] = 2, m.numbered = false;
    finds(NULL, 0);
    for (unsigned one_slot = 0; one_slot < 2; one_slot++) { /* two operands, of a slot each */
        op[1].arg[0][0] = op[1].arg[1][0], op[1].arg[0][1] = op[1].arg[1][1];
        op[1].numbers = 0x33;
        m.slot[m.nslots++] = m.slot[0];
        op[1].slot[1] = 1;
        m.one_slot = one_slot;
        finds(one_slot ? no_place : NULL, one_slot);
    }
    m.target = &scalars;
    m.nops = 1;
    m.noutputs = 0;
    op[0] = op[1];
    op[0].mask = 1;
    op[0].arg[0][0] = read(0, 0);
    m.number[0].place = 4;
    finds(no_place, 0);
}

static void chip(void)
{
    op[1].op = MACHINE_ADD;
    finds("the chip does not have the operation", 1);
    op[0].sat = 1;
    finds("the operation cannot clamp", 0);
    value[3].reg = TEMPS;
    finds("the chip does not have the register", 2);
    value[1].reg = 64; /* not the same as register 0 */
    finds("the chip does not have the register", 0);
}

int main(void)
{
    make();
    finds(NULL, 0);
    reads();
    operands();
    numbers();
    chip();
    return check_report("machine");
}
