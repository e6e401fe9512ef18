/* Completes programs that are correct only in the searched part of the input space by prepending stages that
 * are constant there. */
#include "table.h"

/* A program that is correct in the part, and whose first stage can be an operation on 0 or 1 as CURRENT, may
 * be the end of a longer program, whose preceding stages compute a value that is clamped to 0 or 1 everywhere
 * in the part but not elsewhere. A `constant` is one or two such stages. */
struct constant {
    struct program p;
    bool one;
};
static struct constant *constant;
static int constants, constants_of_one;
/* of one stage; key: its result if CURRENT is constantly 0 or 1; entry: 2 * operation + CURRENT */
static struct table_of of_constants;
static bool constants_made;

static bool constant_here(const double *v, bool *one)
{
    *one = v[0] > .5;
    for (int i = 0; i < AT; i++)
        if (v[i] != *one)
            return false;
    return true;
}

static void keep_constant(const struct program *p, bool one)
{
    static int room;
    if (constants == room)
        constant = realloc(constant, (size_t)(room = room ? 2 * room : 4096) * sizeof *constant);
    if (!constant)
        exit(2);
    constant[constants++] = (struct constant){*p, one};
}

static void add_constant(const struct program *p, const double *v)
{
    double some[3 * 64];
    bool one;
    if (!constant_here(v, &one))
        return;
    for (int i = 0; i < 64; i++) {
        int sample = i % (samples / width) * width;
        double *now = &some[i * width];
        memcpy(now, &in[p->start].everywhere[sample], (size_t)width * sizeof *now);
        for (int j = 0; j < p->n; j++)
            everywhere(&p->link[j].ops->op[p->link[j].op], now, sample);
    }
    if (add_to_seen(hash_of(some, 64 * width)))
        keep_constant(p, one);
}

static void clamped_values(int op, const double *p, double *v)
{
    for (int i = 0; i < AT; i++)
        v[i] = clamp(at(&ops, op, i, p[i]));
}

enum { CONSTANTS = 60000 };
static void make_constants(void)
{
    double v[AT], w[AT];
    constants_made = true;
    clear_seen();
    open_table(&of_constants, 20);
    for (int i = 0; i < ops.n; i++)
        for (int one = 0; one < 2; one++) {
            for (int j = 0; j < AT; j++)
                w[j] = one;
            if (forward(&ops, i, w, v))
                put_near(&of_constants, v[0], v[1], (uint32_t)(2 * i + one));
        }
    for (int i = 0; i < ops.n; i++)
        for (int start = 0; start < inputs; start++) {
            if (in[start].avail > 1 || ops.op[i].avail > 1)
                continue;
            clamped_values(i, in[start].v, v);
            add_constant(&(struct program){NONE, start, 1, {{&ops, i}}}, v);
        }
    constants_of_one = constants;
    for (int e = 0; e < values; e++)
        for (int i = 0; i < ops.n && value[e].avail == 1 && value[e].op != NONE && ops.op[i].avail <= 2 &&
             constants < CONSTANTS;
             i++) {
            clamped_values(i, value[e].v, v);
            add_constant(&(struct program){NONE, value[e].start, 2, {{&ops, value[e].op}, {&ops, i}}}, v);
        }
}

bool behind_constants(const struct program *p)
{
    double first[AT], v[AT], w[AT];
    if (!constants_made)
        make_constants();
    memcpy(first, in[p->start].v, sizeof first);
    if (p->n && !forward(p->link[0].ops, p->link[0].op, in[p->start].v, first))
        return false;
    uint32_t key = key_at(&of_constants, first[0], first[1]);
    if (!has(&of_constants, key))
        return false;
    for (uint32_t at = of_constants.head[key >> 3]; at && !out_of_time(); at = of_constants.place[at].next) {
        int op = (int)of_constants.place[at].what / 2, one = of_constants.place[at].what & 1, same = 0;
        for (int j = 0; j < AT; j++)
            w[j] = one;
        if (!forward(&ops, op, w, v))
            continue;
        while (same < AT && fabs(v[same] - first[same]) < TOLERANCE)
            same++;
        int rest = p->n > 1 ? p->n - 1 : 0,
            limit = rest + 3 <= most ? constants
            : rest + 2 <= most       ? constants_of_one
                                     : 0;
        for (int c = 0; c < limit && same == AT; c++) {
            struct program longer = constant[c].p;
            if (constant[c].one != one)
                continue;
            longer.link[longer.n++] = (struct link){&ops, op};
            for (int j = 0; j < rest; j++)
                longer.link[longer.n++] = p->link[j + 1];
            if (right_everywhere(&longer) && print_cover(&longer))
                return true;
        }
    }
    return false;
}

bool too_many_constants(void) { return constants >= CONSTANTS; }
