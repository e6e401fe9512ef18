/* Adds values of the alpha pipe to the inputs of the colour pipe: stage n + 1 and later ones can read a value
 * that the alpha pipe computes in n stages. */
#include "local.h"

static bool is_known(const double *v)
{
    double c[AT];
    for (int i = 0; i < AT; i++)
        c[i] = 1 - v[i];
    bool known = !add_to_seen(hash_of(v, AT)); /* before c is added, since 1/2 is its own complement */
    add_to_seen(hash_of(c, AT));
    return known;
}

static void complement_of(struct input *c, const struct input *l)
{
    *c = *l;
    sprintf(c->name, "~%.190s", l->name);
    c->everywhere = malloc((size_t)samples * sizeof(double));
    for (int i = 0; i < AT; i++)
        c->v[i] = 1 - l->v[i];
    for (int i = 0; i < samples; i++)
        c->everywhere[i] = 1 - l->everywhere[i];
}

static void add(int from, const struct op *e, const double *v, int avail)
{
    struct input *l = &in[inputs];
    char text[160], *out = text;
    memset(l, 0, sizeof *l);
    if (in[from].lent) /* an alpha value: its name without the brackets, then the new stage */
        out += sprintf(out, "%.*s|", (int)strlen(in[from].name) - 2, in[from].name + 1);
    if (strlen(in[from].name) > 90)
        return;
    say(out, e, in[from].lent ? "P" : in[from].name);
    snprintf(l->name, sizeof l->name, "<%.150s>", text);
    l->avail = avail, l->lent = true;
    memcpy(l->v, v, sizeof l->v);
    l->everywhere = malloc((size_t)samples * sizeof(double));
    memcpy(l->everywhere, in[from].everywhere, (size_t)samples * sizeof(double));
    for (int i = 0; i < samples; i += width)
        everywhere(e, &l->everywhere[i], i);
    complement_of(l + 1, l);
    inputs += 2;
}

/* Adds the alpha values of one stage, if there are at most `room`; then those of two and of three stages, if
 * there are at most `more_room` each. Returns the largest number of stages whose values were all added. */
int add_lent_values(int room, int more_room)
{
    struct ops o = {0};
    int first = 0, last = inputs, done = 0;
    make_ops(&o, OF_ALPHA);
    clear_seen();
    for (int i = 0; i < inputs; i++)
        add_to_seen(hash_of(in[i].v, AT));
    for (; done < 3; done++) {
        int n = 0;
        for (int from = first; from < last; from++) {
            double v[AT];
            if (done ? in[from].avail != done + 1 : !in[from].alpha)
                continue;
            if (in[from].name[0] == '~' && in[from].lent) /* its complement is an input, too, and is enough */
                continue;
            for (int i = 0; i < o.n; i++)
                if (forward(&o, i, in[from].v, v) && !is_known(v)) {
                    if (++n > (done ? more_room : room) || inputs + 4 > INPUTS)
                        return done;
                    add(from, &o.op[i], v, done + 2);
                }
        }
        first = last, last = inputs;
    }
    return done;
}
