/* An order of the operations in which few slots stay empty: of those that can go next the one with the
 * longest way to the end; when many values are alive, the one that ends most. */
#include "hwemit/ir3/ir3.h"

#include <string.h>

/* Slots after which a result is there, for want of anything better: the facts give none for functions and
 * lookups, which (ss) and (sy) wait for. */
enum { FUNCTION_TIME = 10, LOOKUP_TIME = 60, MANY = 100 };

struct edge {
    uint16_t to, time;
};
struct schedule {
    struct ir3 *s;
    struct edge *edge;
    uint32_t *first; /* of an operation's edges */
    uint32_t *height, *ready_at;
    uint16_t *waits, *ready; /* for so many operations; those that wait for none */
    uint16_t *maker;         /* by value: the operation + 1 */
    uint16_t *uses;          /* by value: reads still to come */
    unsigned nready, live;
};

unsigned hwemit_ir3_delay(const struct ir3_op *from, const struct ir3_op *to, unsigned n)
{
    enum { ALU_TO_ALU = 3, ALU_TO_LAST = 1, ALU_TO_OTHERS = 6 };
    if (from->kind == IR3_FUNCTION || from->kind == IR3_LOOKUP)
        return 0;
    if (to->kind == IR3_FUNCTION || to->kind == IR3_LOOKUP || to->kind == IR3_DO_KILL)
        return ALU_TO_OTHERS;
    /* Of mad alone: Mesa's ir3_delayslots has no exception for sel, which is of the same category. */
    return to->kind == IR3_THREE && to->code == IR3_MAD && n == 2 ? ALU_TO_LAST : ALU_TO_ALU;
}

static unsigned latency(const struct ir3_op *from, const struct ir3_op *to, unsigned n)
{
    return from->kind == IR3_FUNCTION ? FUNCTION_TIME
        : from->kind == IR3_LOOKUP    ? LOOKUP_TIME
                                      : 1 + hwemit_ir3_delay(from, to, n);
}

static void *take(char **at, size_t n, size_t size)
{
    void *p = *at;
    *at += (n * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    return p;
}

static bool carve(struct schedule *c, struct ir3 *s)
{
    char *at = s->room;
    c->s = s;
    c->edge = take(&at, (IR3_LOOKUP_SOURCES + 1) * s->nops, sizeof *c->edge);
    c->first = take(&at, s->nops + 1u, sizeof *c->first);
    c->height = take(&at, s->nops, sizeof *c->height);
    c->ready_at = take(&at, s->nops, sizeof *c->ready_at);
    c->waits = take(&at, s->nops, sizeof *c->waits);
    c->ready = take(&at, s->nops, sizeof *c->ready);
    c->maker = take(&at, s->nvalues, sizeof *c->maker);
    c->uses = take(&at, s->nvalues, sizeof *c->uses);
    return at <= s->room + s->nroom;
}

static bool kills(const struct ir3_op *op) { return op->kind == IR3_COMPARE_KILL || op->kind == IR3_DO_KILL; }

/* Calls of one round count, those of the other write: edges from each operation to those that read it. */
static void link(struct schedule *c, bool write)
{
    const struct ir3 *s = c->s;
    unsigned killer = 0;
    for (unsigned i = 0; i < s->nops; i++) {
        const struct ir3_op *op = &s->op[i];
        for (unsigned n = 0; n <= op->n; n++) {
            const unsigned from = n < op->n ? (op->src[n].file == IR3_VALUE ? c->maker[op->src[n].index] : 0u)
                : kills(op)                 ? killer
                                            : 0;
            if (!from)
                continue;
            if (write) {
                const struct ir3_op *maker = &s->op[from - 1];
                const unsigned time = n == op->n && op->kind == maker->kind ? 1 : latency(maker, op, n);
                c->edge[c->first[from - 1]] = (struct edge){(uint16_t)i, (uint16_t)time};
                c->waits[i]++;
            }
            c->first[from - 1]++;
        }
        if (kills(op))
            killer = i + 1;
    }
}

static void build(struct schedule *c)
{
    const struct ir3 *s = c->s;
    memset(c->maker, 0, s->nvalues * sizeof *c->maker);
    memset(c->uses, 0, s->nvalues * sizeof *c->uses);
    memset(c->waits, 0, s->nops * sizeof *c->waits);
    memset(c->first, 0, (s->nops + 1u) * sizeof *c->first);
    for (unsigned i = 0; i < s->nops; i++) {
        for (unsigned v = 0; v < hwemit_ir3_results(&s->op[i]); v++)
            c->maker[s->op[i].value + v] = (uint16_t)(i + 1);
        for (unsigned n = 0; n < s->op[i].n; n++)
            if (s->op[i].src[n].file == IR3_VALUE)
                c->uses[s->op[i].src[n].index]++;
    }
    for (unsigned o = 0; o < s->noutputs; o++)
        for (unsigned n = 0; n < 4; n++)
            if (s->output[o].value[n] != IR3_NO_VALUE)
                c->uses[s->output[o].value[n]]++;
    link(c, false);
    for (uint32_t i = 0, sum = 0; i <= s->nops; i++) {
        const uint32_t n = i < s->nops ? c->first[i] : 0;
        c->first[i] = sum;
        sum += n;
    }
    link(c, true); /* moves each `first` to its end, which is the next one's begin */
    for (unsigned i = s->nops; i-- > 0;)
        c->first[i + 1] = c->first[i];
    c->first[0] = 0;
    for (unsigned i = s->nops; i-- > 0;) {
        c->height[i] = 0;
        for (uint32_t e = c->first[i]; e < c->first[i + 1]; e++)
            if (c->height[c->edge[e].to] + c->edge[e].time > c->height[i])
                c->height[i] = c->height[c->edge[e].to] + c->edge[e].time;
    }
}

/* How many live ranges the operation ends, less how many it begins. */
static int relief(const struct schedule *c, const struct ir3_op *op)
{
    int n = 0;
    for (unsigned i = 0; i < op->n; i++)
        n += op->src[i].file == IR3_VALUE && c->uses[op->src[i].index] == 1;
    return n - (int)hwemit_ir3_results(op);
}

static bool better(const struct schedule *c, unsigned x, unsigned y, uint32_t now)
{
    const struct ir3_op *a = &c->s->op[x], *b = &c->s->op[y];
    const uint32_t at_x = c->ready_at[x] > now ? c->ready_at[x] : now,
                   at_y = c->ready_at[y] > now ? c->ready_at[y] : now;
    if (c->live > MANY && relief(c, a) != relief(c, b))
        return relief(c, a) > relief(c, b);
    if (at_x != at_y)
        return at_x < at_y;
    if (c->height[x] != c->height[y])
        return c->height[x] > c->height[y];
    return x < y;
}

static void issue(struct schedule *c, unsigned i, uint32_t now)
{
    const struct ir3_op *op = &c->s->op[i];
    for (unsigned n = 0; n < op->n; n++)
        if (op->src[n].file == IR3_VALUE)
            c->live -= --c->uses[op->src[n].index] == 0;
    for (unsigned v = 0; v < hwemit_ir3_results(op); v++)
        c->live += c->uses[op->value + v] > 0;
    for (uint32_t e = c->first[i]; e < c->first[i + 1]; e++) {
        const struct edge edge = c->edge[e];
        if (c->ready_at[edge.to] < now + edge.time)
            c->ready_at[edge.to] = now + edge.time;
        if (--c->waits[edge.to] == 0)
            c->ready[c->nready++] = edge.to;
    }
}

bool hwemit_ir3_schedule(struct ir3 *s)
{
    struct schedule c = {0};
    uint32_t now = 0;
    if (!s->ordered)
        return true;
    if (!carve(&c, s))
        return hwemit_ir3_refuse_long(s);
    build(&c);
    memset(c.ready_at, 0, s->nops * sizeof *c.ready_at);
    for (unsigned i = 0; i < s->nops; i++)
        if (!c.waits[i])
            c.ready[c.nready++] = (uint16_t)i;
    c.live = 2;
    for (unsigned done = 0; done < s->nops; done++) {
        unsigned best = 0;
        for (unsigned r = 1; r < c.nready; r++)
            if (better(&c, c.ready[r], c.ready[best], now))
                best = r;
        const unsigned i = c.ready[best];
        c.ready[best] = c.ready[--c.nready];
        now = c.ready_at[i] > now ? c.ready_at[i] : now;
        s->scheduled[done] = s->op[i];
        issue(&c, i, now);
        now += hwemit_ir3_takes_slot(&s->op[i]);
    }
    struct ir3_op *const t = s->op;
    s->op = s->scheduled;
    s->scheduled = t;
    return true;
}
