/* What an operand may be. Instructions of category 2 read at most one constant or immediate, those of
 * category 3 one as first or last operand, those of category 4 none (as in Qualcomm's compiler, by Mesa's
 * ir3_valid_flags). Lookups and outputs read consecutive registers: values are computed there if possible,
 * else moved, or named by an alias table. */
#include "fragprog/alias.h"
#include "fragprog/alloc/immediate.h"
#include "hwemit/ir3/ir3.h"

#include <string.h>

/* ---- dead operations ---- */

static void read(uint8_t *live, struct ir3_src x)
{
    if (x.file == IR3_VALUE)
        live[x.index] = 1;
}

/* Components of a lookup that are read; its values lie side by side up to the last of these. */
static unsigned texels(struct ir3 *s, const struct ir3_op *op, const uint8_t *live)
{
    unsigned mask = 0, last = 0;
    for (unsigned c = 0; c < 4; c++)
        if (live[op->value + c])
            mask |= 1u << c, last = c;
    for (unsigned c = 1; c <= last; c++) {
        s->value[op->value + c].follows = (uint16_t)(op->value + c - 1);
        s->value[op->value + c - 1].followed = (uint16_t)(op->value + c);
    }
    return mask;
}

static void trim(struct ir3 *s)
{
    uint8_t *const live = (uint8_t *)s->room;
    unsigned kept = s->nops;
    memset(live, 0, s->nvalues);
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            read(live, s->output[o].chan[c]);
    for (unsigned i = s->nops; i-- > 0;) {
        struct ir3_op *op = &s->op[i];
        if (op->kind == IR3_LOOKUP)
            op->mask = (uint8_t)texels(s, op, live);
        if (op->kind == IR3_LOOKUP ? !op->mask : hwemit_ir3_pure(op) && !live[op->value])
            continue;
        for (unsigned n = 0; n < op->n; n++)
            read(live, op->src[n]);
        s->op[--kept] = *op;
    }
    memmove(s->op, s->op + kept, (s->nops - kept) * sizeof *s->op);
    s->nops = (uint16_t)(s->nops - kept);
}

/* ---- moves ---- */

static struct ir3_op *append(struct ir3 *s, const struct ir3_op *op)
{
    if (s->failed || s->nops == s->maxops) {
        hwemit_ir3_refuse_long(s);
        return NULL;
    }
    s->scheduled[s->nops] = *op;
    return &s->scheduled[s->nops++];
}

/* A value of its own. */
static struct ir3_src move(struct ir3 *s, struct ir3_src x)
{
    struct ir3_op op = {.kind = IR3_MOVE, .n = 1, .unit = -1, .src = {x}};
    if (x.neg || x.abs) {
        op.kind = IR3_TWO;
        op.code = IR3_ABSNEG;
    } else
        s->moves++;
    op.value = hwemit_ir3_new_value(s);
    append(s, &op);
    return (struct ir3_src){.file = IR3_VALUE, .index = op.value};
}

/* A number from outside in a register, one for all that read it. */
static struct ir3_src moved(struct ir3 *s, struct ir3_src x)
{
    uint16_t *const value = &s->moved[x.index];
    struct ir3_src made = {.file = IR3_VALUE, .neg = x.neg, .abs = x.abs};
    x.neg = x.abs = 0;
    if (*value == IR3_NO_VALUE)
        *value = move(s, x).index;
    made.index = *value;
    return made;
}

static struct ir3_src in_register(struct ir3 *s, struct ir3_src x)
{
    return x.file == IR3_SCALAR ? moved(s, x) : x;
}

static struct ir3_src unsigned_(struct ir3 *s, struct ir3_src x) { return x.neg || x.abs ? move(s, x) : x; }

static void three(struct ir3 *s, struct ir3_op *op)
{
    if (op->code == IR3_MAD && op->src[1].file != IR3_VALUE && op->src[0].file == IR3_VALUE) {
        const struct ir3_src t = op->src[0];
        op->src[0] = op->src[1];
        op->src[1] = t;
    }
    op->src[1] = in_register(s, op->src[1]);
    for (unsigned n = 0; n < 3; n++)
        if (op->src[n].abs || (op->code == IR3_SEL && op->src[n].neg))
            op->src[n] = move(s, op->src[n]);
}

/* ---- numbers side by side ---- */

static bool may_follow(const struct ir3 *s, uint16_t before, uint16_t v)
{
    uint16_t head = before;
    if (s->value[v].follows == before)
        return true;
    while (s->value[head].follows != IR3_NO_VALUE)
        head = s->value[head].follows;
    return s->value[v].follows == IR3_NO_VALUE && s->value[before].followed == IR3_NO_VALUE && head != v &&
        !s->value[v].fixed && !s->value[before].fixed;
}

static void follow(struct ir3 *s, uint16_t before, uint16_t v)
{
    s->value[v].follows = before;
    s->value[before].followed = v;
}

static uint16_t gap(struct ir3 *s)
{
    const uint16_t v = hwemit_ir3_new_value(s);
    s->value[v].gap = 1;
    return v;
}

static uint16_t copy_of(struct ir3 *s, uint16_t v)
{
    if (s->value[v].gap)
        return gap(s);
    return move(s, (struct ir3_src){.file = IR3_VALUE, .index = v}).index;
}

/* Value i goes after the one before it, as it is or as a copy. */
static void put_after(struct ir3 *s, uint16_t *v, unsigned i)
{
    if (!may_follow(s, v[i - 1], v[i]))
        v[i] = copy_of(s, v[i]);
    follow(s, v[i - 1], v[i]);
}

/* Puts values into consecutive registers: each itself if possible, else a copy. */
static void side_by_side(struct ir3 *s, uint16_t *v, unsigned n)
{
    if (n && s->value[v[0]].fixed)
        v[0] = copy_of(s, v[0]);
    for (unsigned i = 1; i < n && !s->failed; i++) {
        const uint16_t taken = s->value[v[i - 1]].followed;
        if (taken != IR3_NO_VALUE && taken != v[i])
            for (unsigned k = 0; k < i; k++) {
                v[k] = copy_of(s, v[k]);
                if (k)
                    follow(s, v[k - 1], v[k]);
            }
        put_after(s, v, i);
    }
}

/* What alias tables may name differently is put in a row only where that costs nothing. */
static void group(struct ir3 *s, struct ir3_src *src, unsigned n)
{
    uint16_t v[IR3_LOOKUP_SOURCES];
    for (unsigned i = 0; i < n; i++) {
        src[i] = unsigned_(s, src[i]);
        if (s->alias == FRAGPROG_ALIAS_NONE)
            v[i] = src[i].file == IR3_SCALAR ? move(s, src[i]).index : src[i].index;
        else if (s->alias == FRAGPROG_ALIAS_BEST && i && src[i].file == IR3_VALUE &&
                 src[i - 1].file == IR3_VALUE && may_follow(s, src[i - 1].index, src[i].index))
            follow(s, src[i - 1].index, src[i].index);
    }
    if (s->alias != FRAGPROG_ALIAS_NONE)
        return;
    side_by_side(s, v, n);
    for (unsigned i = 0; i < n; i++)
        src[i] = (struct ir3_src){.file = IR3_VALUE, .index = v[i]};
}

static void legalise(struct ir3 *s, struct ir3_op *op)
{
    switch (op->kind) {
    case IR3_TWO:
    case IR3_COMPARE_KILL:
        if (op->n == 2 && op->src[0].file == IR3_SCALAR && op->src[1].file == IR3_SCALAR) {
            bool neg;
            const unsigned n = hwemit_ir3_inline(s, op, 0, &neg) >= 0;
            op->src[n] = moved(s, op->src[n]);
        }
        break;
    case IR3_THREE: three(s, op); break;
    case IR3_FUNCTION: op->src[0] = in_register(s, op->src[0]); break;
    case IR3_LOOKUP:
        group(s, op->src, op->first);
        group(s, op->src + op->first, op->n - op->first);
        break;
    default: break;
    }
    append(s, op);
}

/* ---- outputs ---- */

static bool bound(const struct ir3 *s, const struct ir3_output *o, unsigned c)
{
    const struct ir3_src x = o->chan[c];
    return o->target < IR3_TARGETS && s->alias != FRAGPROG_ALIAS_NONE && x.file == IR3_SCALAR && !x.neg &&
        !x.abs;
}

/* Components that alias.rt binds take no register; what lies before the last one that does is left free. */
static void output(struct ir3 *s, struct ir3_output *o)
{
    uint16_t v[4] = {0};
    unsigned n = 0;
    for (unsigned c = 0; c < 4; c++)
        if (o->chan[c].file == IR3_UNREAD) /* nothing has written it */
            o->chan[c] = hwemit_ir3_immediate(s, 0);
    for (unsigned c = 0; c < o->components; c++)
        if (!bound(s, o, c))
            n = c + 1;
    for (unsigned c = 0; c < 4; c++) {
        struct ir3_src x = o->chan[c];
        if (c >= o->components)
            continue;
        if (bound(s, o, c)) {
            s->aliased |= 1u << (4 * o->target + c);
            v[c] = c < n ? gap(s) : 0;
            continue;
        }
        x = unsigned_(s, x);
        v[c] = x.file == IR3_SCALAR ? move(s, x).index : x.index;
    }
    side_by_side(s, v, n);
    for (unsigned c = 0; c < 4; c++)
        o->value[c] = c >= o->components || bound(s, o, c) ? IR3_NO_VALUE : v[c];
}

/* ---- numbers from outside ---- */

/* The chip's table, B.2: 0, 1/2, 1, 2, e, pi, 1/pi, 1/log2(e), log2(e), 1/log2(10), log2(10), 4. */
static const struct fragprog_immediates table = {
    .n = 5, .code = {0, 1, 2, 3, 11}, .number = {0, 0.5f, 1, 2, 4}};

int hwemit_ir3_inline(const struct ir3 *s, const struct ir3_op *op, unsigned n, bool *neg)
{
    const float *own = hwemit_ir3_own(s, op->src[n]);
    return own && op->kind != IR3_THREE ? fragprog_immediate(&table, *own, neg) : -1;
}

static void place(struct ir3 *s, struct ir3_src *x)
{
    struct ir3_scalar *n = &s->scalar[x->index];
    if (n->slot == IR3_NO_SLOT)
        n->slot = s->nconstants++;
}

/* Of the program's own values the sign is the operand's. */
static void place_unsigned(struct ir3 *s, struct ir3_src *x)
{
    const float *own = hwemit_ir3_own(s, *x);
    if (own && *own < 0) {
        *x = hwemit_ir3_immediate(s, -*own);
        x->neg = 1;
    }
    place(s, x);
}

static void constants(struct ir3 *s)
{
    for (unsigned i = 0; i < s->nops; i++)
        for (unsigned n = 0; n < s->op[i].n; n++) {
            struct ir3_op *op = &s->op[i];
            bool neg;
            if (op->src[n].file != IR3_SCALAR)
                continue;
            const bool own = hwemit_ir3_own(s, op->src[n]) != NULL;
            if (op->kind == IR3_MOVE || op->kind == IR3_LOOKUP) {
                if (!own)
                    place(s, &op->src[n]);
            } else if (op->kind == IR3_THREE && op->code == IR3_SEL)
                place(s, &op->src[n]);
            else if (hwemit_ir3_inline(s, op, n, &neg) < 0)
                place_unsigned(s, &op->src[n]);
        }
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned c = 0; c < 4; c++)
            if (bound(s, &s->output[o], c) && !hwemit_ir3_own(s, s->output[o].chan[c]))
                place(s, &s->output[o].chan[c]);
}

bool hwemit_ir3_operands(struct ir3 *s)
{
    trim(s);
    const unsigned n = s->nops;
    s->nops = 0;
    memset(s->moved, 0xff, sizeof s->moved);
    for (unsigned i = 0; i < n && !s->failed; i++)
        legalise(s, &s->op[i]);
    for (unsigned o = 0; o < s->noutputs && !s->failed; o++)
        output(s, &s->output[o]);
    if (s->failed)
        return false;
    struct ir3_op *const t = s->op;
    s->op = s->scheduled;
    s->scheduled = t;
    constants(s);
    return !s->failed;
}
