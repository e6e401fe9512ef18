/* Makes the alias table of a lookup, after register allocation. ir3_operands.c has left the operands of
 * lookups in the registers where they are computed; there they stay live until the lookup reads them through
 * its table. */
#include "hwemit/ir3/ir3.h"

#include <string.h>

struct fragprog_alias_source hwemit_ir3_source(const struct machine *m, struct machine_src x)
{
    struct fragprog_alias_source source = {hwemit_ir3_place(m, x), FRAGPROG_ALIAS_CONSTANT};
    const float *own = hwemit_machine_value(m, x);
    if (x.file == MACHINE_VALUE)
        source.file = FRAGPROG_ALIAS_REGISTER;
    if (own) {
        memcpy(&source.value, own, sizeof source.value);
        source.file = FRAGPROG_ALIAS_IMMEDIATE;
    }
    return source;
}

bool hwemit_ir3_alias(struct machine *m, const struct machine_op *op, struct ir3_issue *issue)
{
    struct ir3 *s = m->own;
    struct fragprog_alias_request request = {.how = s->alias};
    struct fragprog_alias_table table = {.n = 0};
    unsigned n = 0;
    for (unsigned a = 0; a < 2; a++)
        for (unsigned c = 0; c < 4; c++)
            if (hwemit_machine_reads(op, a) >> c & 1) {
                request.source[n++] = hwemit_ir3_source(m, op->arg[a][c]);
                request.size[a]++;
                request.ngroups = (uint8_t)(a + 1);
            }
    if (s->alias == FRAGPROG_ALIAS_NONE) { /* operands are in consecutive registers */
        table.base[0] = (uint16_t)request.source[0].value;
        table.base[1] = (uint16_t)request.source[request.size[0]].value;
    } else if (!fragprog_alias(&table, &request) || s->nalias + table.n > s->maxalias) {
        return hwemit_machine_refuse_long(m, s->maxalias, "entries of alias tables");
    }
    issue->base[0] = table.base[0];
    issue->base[1] = request.ngroups > 1 ? table.base[1] : 0;
    issue->alias = s->nalias;
    issue->naliases = table.n; /* at most five, since a lookup has at most five operands */
    for (unsigned i = 0; i < table.n; i++)
        s->table[s->nalias++] = table.entry[i];
    return true;
}
