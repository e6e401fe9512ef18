/* Whole programs whose colour pipe reads the alpha pipe (borrow.h), as text. */
#include "borrow.h"

static int name_of(const struct lent *l, char *out)
{
    if (l->op == NONE)
        return sprintf(out, "dot or what is made of it");
    if (l->from < NONE)
        return say(out, &of_alpha.op[l->op], in[NONE - 1 - l->from].name);
    int n = name_of(&lent[l->from], out);
    out[n++] = '|';
    return n + say(out + n, &of_alpha.op[l->op], "P");
}

static int say_stage(char *out, const struct lent *read, int op, const char *p)
{
    char text[180];
    if (op == NONE)
        return sprintf(out, "%s", p);
    if (!read)
        return say(out, &ops.op[op], p);
    name_of(read, text);
    snprintf(in[accum_at].name, sizeof in->name, "<%s>", text);
    snprintf(in[accum_at + 1].name, sizeof in->name, "~<%s>", text);
    return say(out, &reading.op[op], p);
}

static int say_whole(char *out, const struct whole *w)
{
    const struct value *first = &value[w->first.value];
    const struct lent *read[3] = {w->first.op == NONE || w->first.a1 == NONE ? NULL : &lent[w->first.a1],
                                  w->a2, w->a3};
    const int op[3] = {w->first.op, w->third, w->fourth};
    int n = sprintf(out, "{");
    n += say_stage(out + n, NULL, first->op, in[first->start].name);
    for (int s = 0; s < 3; s++) {
        n += sprintf(out + n, "} {");
        n += say_stage(out + n, read[s], op[s], "P");
    }
    return n + sprintf(out + n, "}");
}

/* Counts a program that is correct in the part; prints it to stderr if COVER_VERBOSE is set. Returns true,
 * which ends the search: it shows only whether there is such a program. */
bool judge_whole(const struct whole *w)
{
    char text[2000];
    local_only++;
    say_whole(text, w);
    if (getenv("COVER_VERBOSE"))
        fprintf(stderr, "%s\n", text);
    return true;
}
