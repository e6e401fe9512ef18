/* Alias tables of lookups, after registers are known: the second of the founding document's two passes (the
 * first is ir3_operands.c, which leaves the operands as they are). An operand lives until its lookup, since
 * the lookup itself reads it through the table. */
#include "hwemit/ir3/ir3.h"
#include "fragprog/alias.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct fragprog_alias_source source_of(const struct ir3 *s, struct ir3_src x)
{
    const float *own = hwemit_ir3_own(s, x);
    if (x.file == IR3_VALUE)
        return (struct fragprog_alias_source){s->value[x.index].reg, FRAGPROG_ALIAS_REGISTER};
    if (own)
        return (struct fragprog_alias_source){bits_of(*own), FRAGPROG_ALIAS_IMMEDIATE};
    return (struct fragprog_alias_source){s->scalar[x.index].slot, FRAGPROG_ALIAS_CONSTANT};
}

static bool lookup(struct ir3 *s, struct ir3_op *op)
{
    struct fragprog_alias_request request = {.how = s->alias,
                                             .size = {op->first, (uint8_t)(op->n - op->first)}};
    struct fragprog_alias_table table;
    request.ngroups = 1 + (op->n > op->first);
    for (unsigned n = 0; n < op->n; n++)
        request.source[n] = source_of(s, op->src[n]);
    if (!fragprog_alias(&table, &request) || s->nalias + table.n > s->maxalias)
        return hwemit_ir3_refuse_long(s);
    op->base[0] = table.base[0];
    op->base[1] = request.ngroups > 1 ? table.base[1] : 0;
    op->alias = s->nalias;
    op->naliases = table.n; /* at most five, which the table has room for */
    for (unsigned i = 0; i < table.n; i++)
        s->table[s->nalias++] = (struct ir3_alias){table.entry[i].name, table.entry[i].source.file,
                                                   table.entry[i].source.value};
    return true;
}

bool hwemit_ir3_alias_lookups(struct ir3 *s)
{
    for (unsigned i = 0; i < s->nops; i++) {
        struct ir3_op *op = &s->op[i];
        if (op->kind != IR3_LOOKUP)
            continue;
        if (s->alias == FRAGPROG_ALIAS_NONE) { /* operands lie side by side */
            op->base[0] = s->value[op->src[0].index].reg;
            op->base[1] = op->n > op->first ? s->value[op->src[op->first].index].reg : 0;
        } else if (!lookup(s, op))
            return false;
    }
    return true;
}
