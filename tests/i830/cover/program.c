/* Whole programs of one pipe (local.h): executes them at the samples with all clamps, compares with the
 * required result, and prints them. */
#include "local.h"

/* Replaces CURRENT (p) by the stage's result, in all channels. */
void everywhere(const struct op *e, double *p, int sample)
{
    double a, b, c, sum = 0;
    for (int i = 0; i < width && forms[e->form].dot; i++)
        sum += (p[i] - .5) * ((e->x < 0 ? p[i] : in[e->x].everywhere[sample + i]) - .5);
    for (int i = 0; i < width; i++) {
        coefficients(e->form, 1 << e->k, e->x < 0 ? 0 : in[e->x].everywhere[sample + i],
                     e->y < 0 ? 0 : in[e->y].everywhere[sample + i], &a, &b, &c);
        p[i] = clamp((1 << e->s) * (forms[e->form].dot ? 4 * sum : (a * p[i] + b) * p[i] + c));
    }
}

/* Stores v in ACCUM at a sample. */
void hold_everywhere(const double *v, int sample)
{
    for (int i = 0; i < width; i++)
        in[accum_at].everywhere[sample + i] = v[i], in[accum_at + 1].everywhere[sample + i] = 1 - v[i];
}

bool is_target(const double *v, int sample)
{
    for (int i = 0; i < width; i++)
        if (fabs(v[i] - target_everywhere[sample + i]) > 1e-9)
            return false;
    return true;
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
    char text[400];
    if (value[u].op == NONE)
        sprintf(text, "%.60s", in[value[u].start].name);
    else
        say(text, &ops.op[value[u].op], in[value[u].start].name);
    sprintf(in[accum_at].name, "[%.60s]", text);
    sprintf(in[accum_at + 1].name, "~[%.60s]", text);
}

/* Returns whether a program gives the right result at all samples. */
bool right_everywhere(const struct program *p)
{
    double v[3];
    for (int i = 0; i < samples; i += width) {
        if (p->u != NONE) {
            const struct value *e = &value[p->u];
            memcpy(v, &in[e->start].everywhere[i], (size_t)width * sizeof *v);
            if (e->op != NONE)
                everywhere(&ops.op[e->op], v, i);
            hold_everywhere(v, i);
        }
        memcpy(v, &in[p->start].everywhere[i], (size_t)width * sizeof *v);
        for (int j = 0; j < p->n; j++)
            everywhere(&p->link[j].ops->op[p->link[j].op], v, i);
        if (!is_target(v, i))
            return false;
    }
    return true;
}

/* Returns whether a program of the alpha pipe reads a colour after its last dot product, which is not
 * possible in the chip. */
static bool reads_colour(const struct program *p)
{
    bool colour = in[p->start].colour;
    for (int j = 0; j < p->n; j++) {
        const struct op *e = &p->link[j].ops->op[p->link[j].op];
        if (forms[e->form].dot)
            colour = false;
        else
            colour |= (e->x >= 0 && in[e->x].colour) || (e->y >= 0 && in[e->y].colour);
    }
    return colour;
}

static int stages_of(const struct program *p) { return p->n + (p->u != NONE) + !p->n; }

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
    printf("cover %d %s\n", stages_of(p), text);
    return ++covers >= wanted_covers;
}

/* Tests a program that is correct in the part; prints it if it is correct at all samples. Returns true to end
 * the search. */
bool judge(const struct program *p)
{
    if (reads_colour(p) && p->u == NONE)
        return false;
    if (!reads_colour(p) && right_everywhere(p))
        return print_cover(p);
    int n = stages_of(p);
    local_only++;
    if (n < shortest_local)
        shortest_local = n;
    return p->u == NONE && n < most && shortest_local >= most - 2 && behind_constants(p);
}

/* Returns the program that computes a value; the caller adds stages. */
struct program of_value(const struct value *e)
{
    struct program p = {NONE, e->start, 0, {{NULL, 0}}};
    if (e->op != NONE)
        p.link[p.n++] = (struct link){&ops, e->op};
    return p;
}

void then(struct program *p, const struct ops *o, int op) { p->link[p->n++] = (struct link){o, op}; }
