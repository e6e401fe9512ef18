/* Each value of the alpha pipe alone beside inputs, of one to three stages: the stages of the colour pipe after these may read it, any number of them. */
#include "table.h"

static struct ops of_alpha;
static struct deep { int from, op, avail; double v[AT]; } *deep; /* from: a deep one, or NONE - 1 - input */
static int deeps, deep_room;

static bool add(int from, int op, int avail, const double *v, int room)
{
    double c[AT];
    for (int i = 0; i < AT; i++)
        c[i] = 1 - v[i];
    if (!add_to_seen(hash_of(v, AT)) || !add_to_seen(hash_of(c, AT)))
        return true;
    if (deeps == deep_room)
        deep = realloc(deep, (size_t)(deep_room = deep_room ? 2 * deep_room : 1024) * sizeof *deep);
    if (!deep)
        exit(2);
    deep[deeps] = (struct deep){from, op, avail, {0}};
    memcpy(deep[deeps++].v, v, sizeof deep->v);
    return deeps <= room;
}

/* Numbers of stages all of whose values are there. room 1: those of one stage. */
int start_deep(int room)
{
    double v[AT];
    make_ops(&of_alpha, OF_ALPHA);
    clear_seen();
    for (int i = 0; i < inputs; i++)
        add_to_seen(hash_of(in[i].v, AT));
    for (int i = 0; i < inputs; i++)
        for (int op = 0; op < of_alpha.n && in[i].alpha; op++)
            if (forward(&of_alpha, op, in[i].v, v) && !add(NONE - 1 - i, op, 2, v, room == 1 ? 4000 : room))
                return 0;
    if (room == 1)
        return 1;
    for (int avail = 3, from = 0; avail <= 4; avail++)
        for (int end = deeps; from < end; from++)
            for (int op = 0; op < of_alpha.n; op++) {
                double w[AT];
                memcpy(w, deep[from].v, sizeof w);
                if (forward(&of_alpha, op, w, v) && !add(from, op, avail, v, room))
                    return avail - 2;
            }
    return 3;
}

const double *deep_value(int i)
{
    return deep[i].v;
}

void deep_everywhere(int i, int sample, double *v)
{
    if (deep[i].from < NONE)
        memcpy(v, &in[NONE - 1 - deep[i].from].everywhere[sample], (size_t)width * sizeof *v);
    else
        deep_everywhere(deep[i].from, sample, v);
    everywhere(&of_alpha.op[deep[i].op], v, sample);
}

int deep_name(int i, char *out)
{
    if (deep[i].from < NONE)
        return say(out, &of_alpha.op[deep[i].op], in[NONE - 1 - deep[i].from].name);
    int n = deep_name(deep[i].from, out);
    out[n++] = '|';
    return n + say(out + n, &of_alpha.op[deep[i].op], "P");
}

/* The stage before last, which is fourth; g: what it has to give. */
static bool thirds(int u, const struct ops *o, int fourth, const struct wanted *g, struct link last)
{
    static int *some;
    static struct wanted h;
    if (!some)
        some = malloc((size_t)(ops.n + aops.n) * sizeof *some);
    for (int j = 0, n = hopeful_of(o, g, some); j < n; j++)
        if (o->op[some[j]].avail <= 3 && backward(o, some[j], g, &h)) {
            struct last l = {u, {{o, some[j]}, last}, 2};
            if (match_values(&h, 2, finish_chain, &l) || add_ask((struct ask){o, fourth, some[j], u}, &h))
                return true;
            hold(u);
        }
    return false;
}

bool deep_of_any(void)
{
    static struct wanted g;
    for (int w = 0; w < deeps && !out_of_time(); w++) {
        int u = DEEP + w;
        hold(u);
        for (int i = 0; i < aops.n; i++)
            if (backward(&aops, i, &target, &g)) {
                struct last l = {u, {{&aops, i}}, 1};
                if (match_values(&g, 3, finish_chain, &l) || thirds(u, &ops, NONE - 1 - i, &g, (struct link){&aops, i}) ||
                    (deep[w].avail <= 3 && thirds(u, &aops, NONE - 1 - i, &g, (struct link){&aops, i})))
                    return true;
            }
        for (int m = 0; m < goals && deep[w].avail <= 3; m++)
            if (thirds(u, &aops, m, &goal[m].w, (struct link){&ops, goal[m].op}) ||
                (deep[w].avail == 2 && thirds(u, &ops, m, &goal[m].w, (struct link){&ops, goal[m].op})))
                return true;
        if (deep[w].avail == 2 && (answer_with(&aops) || answer_rest())) /* the second stage reads it, too */
            return true;
    }
    return answer_rest();
}
