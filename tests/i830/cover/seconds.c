/* Makes the colour values of at most two stages, the second of which may read an alpha value of one stage
 * (borrow.h). */
#include "borrow.h"

struct table_of of_seconds;
struct second *second_value;
int seconds;
struct ops reading, reading_last;

void read_by(struct ops *o, const double *v, int points)
{
    for (int i = 0; i < AT; i++)
        in[accum_at].v[i] = v[i], in[accum_at + 1].v[i] = 1 - v[i];
    coefficients_again(o, points);
}

void read_again(struct ops *o, int op) { coefficients_of(o, op, AT); }

/* Computes a value at all points; returns false if it is clamped at some point. */
bool values_of(const struct second *s, double *v)
{
    const double *p = value[s->value].v;
    if (s->op == NONE)
        return memcpy(v, p, sizeof value->v);
    if (s->a1 == NONE)
        return forward(&ops, s->op, p, v);
    for (int i = 0; i < AT; i++) {
        v[i] = read_at(&reading.op[s->op], i, lent[s->a1].v[i], p[i]);
        if (!in_range(v[i]))
            return false;
    }
    return true;
}

static bool add(struct second s, const double *v, int room)
{
    static int held;
    if (!add_to_seen(hash_of(v, AT)))
        return true;
    if (seconds == held)
        second_value = realloc(second_value,
                               (size_t)(held = held ? 2 * held : 1 << 14) * sizeof *second_value);
    if (!second_value)
        exit(2);
    second_value[seconds] = s;
    put_near(&of_seconds, v[0], v[1], (uint32_t)seconds++);
    return seconds <= room;
}

/* Adds the values whose second stage reads alpha value e to the table. */
void seconds_of(int e, bool itself)
{
    double v[AT];
    static bool small;
    if (!small)
        open_table(&of_seconds, 18);
    small = true;
    empty_table(&of_seconds);
    clear_seen();
    seconds = 0;
    add((struct second){e, NONE, NONE}, value[e].v, 1);
    for (int op = 0; op < ops.n && !itself; op++)
        if (forward(&ops, op, value[e].v, v))
            add((struct second){e, op, NONE}, v, 1);
}

/* Makes the table of all these values; returns false if there are more than `room` or time is up. */
bool make_seconds(int room)
{
    double v[AT];
    open_table(&of_seconds, room > 2000000 ? 27 : 25);
    clear_seen();
    for (int e = 0; e < values; e++)
        if (!add((struct second){e, NONE, NONE}, value[e].v, room))
            return false;
    for (int e = 0; e < values && !out_of_time(); e++)
        for (int op = 0; op < ops.n; op++)
            if (forward(&ops, op, value[e].v, v) && !add((struct second){e, op, NONE}, v, room))
                return false;
    for (int a = 0; a < ones && !out_of_time(); a++) {
        read_by(&reading, lent[a].v, AT);
        for (int e = 0; e < values; e++)
            for (int op = 0; op < reading.n; op++)
                if (forward(&reading, op, value[e].v, v) && !add((struct second){e, op, a}, v, room))
                    return false;
    }
    return !out_of_time();
}
