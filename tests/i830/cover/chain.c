/* Searches for programs in which each stage reads the previous one: solves the last stages for CURRENT until
 * a value that they require equals a value that one or two stages can compute. */
#include "table.h"

struct table_of of_values;
struct ending *goal;
int goals;
static int goal_room;

/* Finds values of one stage that meet requirement g and that stage `avail` can read; tests each
 * program. */
bool match_values(const struct wanted *g, int avail, finish f, const void *how)
{
    for (int i = 0; i < g->n[0]; i++)
        for (int j = 0; j < g->n[1]; j++) {
            uint32_t key = key_at(&of_values, g->v[0][i], g->v[1][j]);
            if (!has(&of_values, key))
                continue;
            for (uint32_t at = of_values.head[key >> 3]; at; at = of_values.place[at].next) {
                const struct value *e = &value[of_values.place[at].what];
                struct program p;
                if (e->avail <= avail && meets(g, e->v)) {
                    p = of_value(e);
                    if (f(&p, how))
                        return true;
                }
            }
        }
    return false;
}

bool finish_chain(struct program *p, const void *how)
{
    const struct last *l = how;
    p->u = l->u;
    for (int i = 0; i < l->n; i++)
        then(p, l->link[i].ops, l->link[i].op);
    return judge(p);
}

static void make_goals(void)
{
    struct wanted g;
    goals = 0;
    for (int i = 0; i < ops.n; i++)
        if (backward(&ops, i, &target, &g)) {
            if (goals == goal_room)
                goal = realloc(goal, (size_t)(goal_room = goal_room ? 2 * goal_room : 1024) * sizeof *goal);
            if (!goal)
                exit(2);
            goal[goals++] = (struct ending){g, i};
        }
}

bool chain_of_3(void)
{
    struct wanted g;
    for (int i = 0; i < goals && !out_of_time(); i++)
        for (int j = 0; j < ops.n; j++)
            if (ops.op[j].avail <= 3 && backward(&ops, j, &goal[i].w, &g)) {
                struct last l = {NONE, {{&ops, j}, {&ops, goal[i].op}}, 2};
                if (match_values(&g, 2, finish_chain, &l))
                    return true;
            }
    return false;
}

/* The values that the last two stages require are collected in batches; then all values that two stages can
 * compute are compared with the batch. */
enum { ASKS = 6000000 };
static struct ask *ask;
static uint32_t asks, most_asks;
static struct table_of of_asks;

static bool wanted_by(const struct ask *a, struct wanted *g, struct last *l)
{
    l->u = a->u;
    if (!a->before) {
        l->n = 1;
        l->link[0] = (struct link){&aops, a->op};
        return backward(&aops, a->op, &target, g);
    }
    l->n = 2;
    l->link[0] = (struct link){a->before, a->op};
    l->link[1] = (struct link){&ops, goal[a->goal].op};
    return backward(a->before, a->op, &goal[a->goal].w, g);
}

static bool answer(int e, const struct ops *o, int op, const double *v)
{
    uint32_t key = key_at(&of_asks, v[0], v[1]);
    for (uint32_t at = of_asks.head[key >> 3]; at && !out_of_time(); at = of_asks.place[at].next) {
        const struct ask *a = &ask[of_asks.place[at].what];
        struct wanted g;
        struct last l;
        if (a->u < 0 &&
            (value[e].avail > 1 ||
             o->op[op].avail > 2)) /* too late for stages 1 and 2; no stage writes ACCUM here */
            continue;
        if (a->u == KEPT) {
            if (is_kept(a, v) && judge_kept(a, e, op))
                return true;
            continue;
        }
        if (a->u != NONE)
            hold(a->u);
        if (wanted_by(a, &g, &l) && meets(&g, v)) {
            struct program p = of_value(&value[e]);
            then(&p, o, op);
            if (finish_chain(&p, &l))
                return true;
        }
    }
    return false;
}

/* Compares all values of two stages whose second operation is in o with the current batch of requests. */
bool answer_with(const struct ops *o)
{
    double v[AT];
    for (int e = 0; e < values && !out_of_time(); e++) {
        if (value[e].avail > 2)
            continue;
        double p = value[e].v[0], q = value[e].v[1];
        for (int i = 0; i < o->n && !((i & 1023) == 1023 && out_of_time()); i++) {
            double a = at(o, i, 0, p), b = at(o, i, 1, q);
            if (in_range(a) && in_range(b) && has(&of_asks, key_at(&of_asks, a, b)) && o->op[i].avail <= 3 &&
                forward(o, i, value[e].v, v) && answer(e, o, i, v))
                return true;
        }
    }
    return false;
}

static bool answer_all(void)
{
    bool end = answer_with(&ops);
    empty_table(&of_asks);
    asks = 0;
    return end;
}

bool add_ask(struct ask a, const struct wanted *g)
{
    ask[asks] = a;
    put_wanted(&of_asks, g, asks++);
    return asks == most_asks && answer_all();
}

bool answer_rest(void) { return asks && answer_all(); }

bool chain_of_4(void)
{
    struct wanted g;
    for (int i = 0; i < goals && !out_of_time(); i++)
        for (int j = 0; j < ops.n; j++)
            if (ops.op[j].avail <= 3 && backward(&ops, j, &goal[i].w, &g) &&
                add_ask((struct ask){&ops, i, j, NONE}, &g))
                return true;
    return answer_rest();
}

void start_chains(void)
{
    bool few = inputs <= 12;
    open_table(&of_values, few ? 18 : 24);
    open_table(&of_asks, few ? 21 : 27);
    most_asks = few ? ASKS / 20 : ASKS;
    for (int i = 0; i < values; i++)
        put_near(&of_values, value[i].v[0], value[i].v[1], (uint32_t)i);
    ask = malloc((size_t)most_asks * sizeof *ask);
    make_goals();
}
