/* A program as a whole (local.h): executed at the samples with all clamps, printed, judged. */
#include "local.h"

static double clamped(const struct op *e, double p, double x, double y)
{
    double a, b, c;
    coefficients(e->form, 1 << e->k, x, y, &a, &b, &c);
    return clamp((1 << e->s) * ((a * p + b) * p + c));
}

double everywhere(const struct op *e, double p, int sample)
{
    return clamped(e, p, e->x < 0 ? 0 : in[e->x].everywhere[sample], e->y < 0 ? 0 : in[e->y].everywhere[sample]);
}

int say(char *out, const struct op *e, const char *p)
{
    static const char *const scale[3] = {"", "*2", "*4"};
    char *begin = out;
    for (const char *t = forms[e->form].text; *t; t++)
        if (*t == 'k')
            out += sprintf(out, "%s", e->k == 2 ? "4" : e->k ? "2" : "");
        else if (*t == 'x' || *t == 'y')
            out += sprintf(out, "%s", in[*t == 'x' ? e->x : e->y].name);
        else if (*t == 'P')
            out += sprintf(out, "%s", p);
        else
            *out++ = *t;
    return (int)(out - begin) + sprintf(out, "%s", scale[e->s]);
}

static void set_accum_name(int u)
{
    char text[64];
    if (value[u].op == NONE)
        sprintf(text, "%.60s", in[value[u].start].name);
    else
        say(text, &ops.op[value[u].op], in[value[u].start].name);
    sprintf(in[accum_at].name, "[%.60s]", text);
    sprintf(in[accum_at + 1].name, "~[%.60s]", text);
}

/* Whether a program is right at all samples. */
bool right_everywhere(const struct program *p)
{
    for (int i = 0; i < samples; i++) {
        double u = 0;
        if (p->u != NONE) {
            const struct value *e = &value[p->u];
            u = in[e->start].everywhere[i];
            if (e->op != NONE)
                u = everywhere(&ops.op[e->op], u, i);
            in[accum_at].everywhere[i] = u, in[accum_at + 1].everywhere[i] = 1 - u;
        }
        double v = in[p->start].everywhere[i];
        for (int j = 0; j < p->n; j++)
            v = everywhere(&p->link[j].ops->op[p->link[j].op], v, i);
        if (fabs(v - target_everywhere[i]) > 1e-9)
            return false;
    }
    return true;
}

bool print_cover(const struct program *p)
{
    if (p->u != NONE)
        set_accum_name(p->u);
    char text[4096], *out = text;
    for (int j = 0; j < p->n; j++) {
        *out++ = '{';
        out += say(out, &p->link[j].ops->op[p->link[j].op], j ? "P" : in[p->start].name);
        out += sprintf(out, j + 1 < p->n ? "} " : "}");
    }
    if (!p->n)
        sprintf(text, "{%s}", in[p->start].name);
    printf("cover %d %s\n", p->n + (p->u != NONE) + !p->n, text);
    return ++covers >= wanted_covers;
}

/* Judges a program as a whole; true if that ends the search. */
bool judge(const struct program *p)
{
    if (right_everywhere(p))
        return print_cover(p);
    int n = p->n + (p->u != NONE) + !p->n;
    local_only++;
    if (n < shortest_local)
        shortest_local = n;
    return p->u == NONE && n < most && shortest_local >= most - 2 && behind_constants(p);
}

/* The program of a value, then links. */
struct program of_value(const struct value *e)
{
    struct program p = {NONE, e->start, 0, {{NULL, 0}}};
    if (e->op != NONE)
        p.link[p.n++] = (struct link){&ops, e->op};
    return p;
}

void then(struct program *p, const struct ops *o, int op)
{
    p->link[p->n++] = (struct link){o, op};
}
