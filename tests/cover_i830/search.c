/* Is there a program of at most K blend stages of the i830 that computes given values? (i830.md section 2; used by tests/cover_i830.py.)
 *
 * Backwards from the wanted values: whatever the last stage is, of all operations, arguments and scales, the values that its one unknown argument, CURRENT,
 * would need are an interval at each of the sample points. An empty interval anywhere excludes the stage; what remains is asked again, with a stage less. The
 * first stage knows all its arguments. So "none" is a proof over the alphabet: a program would have to satisfy these conditions at every point (computed
 * in double with an error that is allowed for). What is found is only claimed for the points; the caller executes it.
 *
 * Alphabet: the leaves given and their complements, 0, 1; ARG1, MODULATE, ADD, ADDSIGNED, SUBTRACT, BLEND, DOT3, in the alpha pipe DOT4 with one half as its
 * alpha term; scales 1, 2, 4; CURRENT in any arguments, also twice; "full": MODULATE_AND_ADD with 1x, 2x, 4x, and ACCUM holding any value of one stage ("second").
 * The colour pipe may read as a further leaf any one value of one stage of the alpha pipe ("borrowed", from its second stage on).
 *
 * stdin:  which (0 colour, 1 alpha) points colour_leaves alpha_leaves stages full second borrowed seconds; the leaves: name mask avail values...; the target:
 * mask values... mask: the inputs that a leaf reads, that the target depends on; avail: first stage that may read the leaf. Colour values are r, g, b of each
 * point. The alpha pipe tries dots only if there are colour leaves.
 * stdout: "none", "budget", or the number of stages and the program.
 */
#include "forms.h"

int points;
bool full;
static struct pipe colour, alpha_pipe;
static int max_stages;
static bool second, borrowed;
static clock_t deadline;
static bool late;

/* The program under construction, last stage first. */
struct step {
    int form, k, s; /* form -1: a dot with x, or of CURRENT with itself */
    const struct leaf *x, *y;
    bool to_alpha, from_alpha; /* from the colour pipe to the alpha pipe, or back */
};
static struct step step[STAGES];
static char line[STAGES][400], found[STAGES * 400];
static int depth;
static const struct pipe *root; /* whose target it is */
static unsigned long mismatches;
static int offset; /* the search's stage 1 is the chip's stage offset + 1, so that the last one is the last */
static unsigned serial, serials; /* of the extra leaf in use, 0 without */

static const char *const scale_text[3] = {"", "*2", "*4"};

static bool out_of_time(void)
{
    static unsigned count;
    if (!late && !(++count & 255) && clock() > deadline)
        late = true;
    return late;
}

/* Inputs that j stages can still read: two leaves a stage, three in the first; a borrowed value brings three in the place of one. */
static int capacity(const struct pipe *p, int j, bool may_borrow)
{
    int sum = j >= 2 && may_borrow && borrowed && !p->alpha ? 2 : 0;
    for (int stage = 1; stage <= j; stage++)
        sum += (stage == 1 ? 3 : 2) * p->widest[stage + offset];
    return sum;
}

static void set_widest(struct pipe *p)
{
    for (int stage = 0; stage <= STAGES; stage++) {
        p->widest[stage] = 1;
        for (int i = 0; i < p->nleaf; i++)
            if (p->leaf[i].avail <= stage && bits(p->leaf[i].mask) > p->widest[stage])
                p->widest[stage] = bits(p->leaf[i].mask);
    }
}

/* ---- goals that are known to have no program, so that none is searched twice ---- */

enum { KNOWN = 1 << 20 };
static uint64_t known[KNOWN][2];

static bool is_known(const struct pipe *p, const struct goal *g, int stage, uint32_t used, int seconds, bool may_borrow, bool add)
{
    uint64_t a = 1469598103934665603u, b = 88172645463325252u;
    uint64_t head[4] = {(uint64_t)(stage * 8 + seconds * 4 + may_borrow * 2 + p->alpha), used & p->essential, serial, p->essential};
    for (int i = -4; i < 4 * p->samples; i++) {
        uint64_t v = i < 0 ? head[i + 4] : (uint64_t)(int64_t)((i & 1 ? g->hi : g->lo)[i >> 1 & 1][i >> 2] * 1e8 + 4e8);
        a = (a ^ v) * 1099511628211u;
        a ^= a >> 29;
        b = (b + v) * 0x9E3779B97F4A7C15u;
        b ^= b >> 32;
    }
    for (uint64_t at = a % KNOWN, tries = 0; tries < 64; at = (at + 1) % KNOWN, tries++) {
        if (known[at][0] == a && known[at][1] == b)
            return true;
        if (!known[at][0] && !known[at][1]) {
            if (add)
                known[at][0] = a, known[at][1] = b;
            return false;
        }
    }
    return false;
}

/* ---- a program that is complete ---- */

/* What the first stage is: an entry, or a dot of two leaves. */
struct start { const struct entry *entry; const struct leaf *x, *y; int s; };

static double dot_value(const double *x, const double *y, int s)
{
    double d = 0;
    for (int c = 0; c < 3; c++)
        d += (x[c] - .5) * (y[c] - .5);
    return clamp(4 * (1 << s) * d);
}

/* The values of a point: one, or three. */
static void start_values(const struct pipe *p, const struct start *start, int point, double *v)
{
    int n = p->alpha ? 1 : 3;
    for (int c = 0; c < n; c++) {
        int i = n * point + c;
        const struct entry *e = start->entry;
        v[c] = !e ? dot_value(&start->x->v[3 * point], &start->y->v[3 * point], start->s)
                  : clamp((1 << e->s) * leaf_value(e->op, e->k, p->leaf[e->x].v[i], p->leaf[e->y].v[i], p->leaf[e->z].v[i]));
    }
}

/* Goals are sometimes wider than what led to them (dots, more than two intervals): a program counts only if its values are the wanted ones. */
static bool keep(const struct pipe *first, const struct start *start)
{
    for (int point = 0; point < points; point++) {
        int n = first->alpha ? 1 : 3;
        double v[3];
        start_values(first, start, point, v);
        for (int i = depth; i-- > 0;) {
            const struct step *t = &step[i];
            if (t->form < 0) {
                double d = dot_value(v, t->x ? &t->x->v[3 * point] : v, t->s);
                n = t->to_alpha ? 1 : 3;
                v[0] = v[1] = v[2] = d;
                continue;
            }
            if (t->from_alpha) {
                n = 3;
                v[1] = v[2] = v[0];
            }
            for (int c = 0; c < n; c++) {
                double a, b, k;
                coefficients(t->form, 1 << t->k, t->x ? t->x->v[n * point + c] : 0, t->y ? t->y->v[n * point + c] : 0, &a, &b, &k);
                v[c] = clamp((1 << t->s) * ((a * v[c] + b) * v[c] + k));
            }
        }
        for (int c = 0; c < n; c++)
            if (fabs(v[c] - root->target[n * point + c]) > 1e-7) {
                mismatches++;
                return false;
            }
    }
    if (start->entry)
        entry_text(line[depth], sizeof line[0], first->leaf, start->entry);
    else
        sprintf(line[depth], "dot(%s,%s)%s", start->x->name, start->y->name, scale_text[start->s]);
    char *out = found;
    for (int i = depth; i >= 0; i--)
        out += snprintf(out, 400, "{%.390s}%s", line[i], i ? " " : "");
    return true;
}

/* ---- the first stage ---- */

/* What a point's three channels allow if they are to be the same. */
static bool fold_point(const struct goal *g, int point, struct goal *out, int at)
{
    struct pieces now = {1, {0}, {1}};
    for (int i = 3 * point; i < 3 * point + 3; i++) {
        struct pieces both;
        both.n = 0;
        for (int a = 0; a < now.n; a++)
            for (int b = 0; b < 2; b++) {
                double lo = fmax(now.lo[a], g->lo[b][i]), hi = fmin(now.hi[a], g->hi[b][i]);
                if (lo <= hi + EPS)
                    add_piece(&both, fmin(lo, hi), fmax(lo, hi));
            }
        if (!settle(&both, out, at))
            return false;
        now.n = 0;
        for (int b = 0; b < 2; b++)
            if (out->lo[b][at] <= out->hi[b][at] + EPS)
                add_piece(&now, out->lo[b][at], out->hi[b][at]);
    }
    return true;
}

/* Whether a goal can be met by one value for all channels; what that is. */
static bool fold(const struct goal *g, struct goal *scalar)
{
    for (int point = 0; point < points; point++)
        if (!fold_point(g, point, scalar, point))
            return false;
    return true;
}

static bool like_dot(const struct pipe *p, const struct goal *g, struct goal *scalar)
{
    if (colour.nleaf <= 2)
        return false;
    if (p->alpha)
        *scalar = *g;
    return p->alpha || fold(g, scalar);
}

/* Dots of two leaves; in the alpha pipe DOT4's, of the colour pipe's leaves. */
static bool first_dot(const struct pipe *p, const struct goal *g, int stage, uint32_t used)
{
    struct goal scalar;
    if (!like_dot(p, g, &scalar))
        return false;
    for (int x = 0; x < colour.nleaf; x++)
        for (int y = x; y < colour.nleaf; y++) {
            if (colour.leaf[x].avail > stage + offset || colour.leaf[y].avail > stage + offset || p->essential & ~(used | colour.leaf[x].mask | colour.leaf[y].mask))
                continue;
            for (int s = 0; s < 3; s++) {
                struct start start = {NULL, &colour.leaf[x], &colour.leaf[y], s};
                int i = 0, per = p->alpha ? 1 : 3;
                while (i < p->samples && allowed(g, i, dot_value(&start.x->v[i / per * 3], &start.y->v[i / per * 3], s)))
                    i++;
                if (i == p->samples && keep(p, &start))
                    return true;
            }
        }
    return false;
}

/* With the extra leaf q or its complement. */
static bool first_with(const struct pipe *p, const struct goal *g, int stage, uint32_t used, int q)
{
    int n = p->nleaf;
    uint32_t missing = p->essential & ~used;
    for (int op = 0; op < (full ? LOPS : L_MAA); op++)
        for (int x = 0; x < n; x++)
            for (int y = op == L_SUB || op == L_BLEND ? 0 : x; y < (op == L_ARG ? x + 1 : n); y++)
                for (int z = 0; z < (op < L_BLEND ? 1 : n); z++) {
                    const struct leaf *l[3] = {&p->leaf[x], &p->leaf[y], &p->leaf[op < L_BLEND ? y : z]};
                    if ((x < q && y < q && (op < L_BLEND || z < q)) || missing & ~(l[0]->mask | l[1]->mask | l[2]->mask) || l[0]->avail > stage + offset ||
                        l[1]->avail > stage + offset || l[2]->avail > stage + offset)
                        continue;
                    for (int k = 0; k < (op == L_MAA ? 3 : 1); k++)
                        for (int s = 0; s < 3; s++) {
                            struct entry e = {(uint8_t)op, (uint8_t)k, (uint8_t)s, (uint8_t)x, (uint8_t)y, (uint8_t)(op < L_BLEND ? y : z), 0, 0, {0}};
                            if (entry_within(p, g, &e) && keep(p, &(struct start){&e, NULL, NULL, 0}))
                                return true;
                        }
                }
    return false;
}

static bool first_stage(const struct pipe *p, const struct goal *g, int stage, uint32_t used, int q)
{
    struct cursor cursor = {0};
    const struct entry *e;
    while ((e = next_entry(p, g, &cursor, stage + offset, p->essential & ~used)))
        if (keep(p, &(struct start){e, NULL, NULL, 0}))
            return true;
    return first_dot(p, g, stage, used) || (q && first_with(p, g, stage, used, q));
}

/* ---- stages before ---- */

/* q: index of the extra leaf in use, or 0; may_borrow: one may still be taken; seconds: 1 if it is ACCUM, whose own stage is the chip's first. */
struct how { int q, seconds; bool may_borrow; };
static bool search(struct pipe *p, const struct goal *g, int stage, uint32_t used, struct how how);

static void say(int form, int k, int s, const struct leaf *x, const struct leaf *y, bool alpha)
{
    char *out = line[depth];
    for (const char *t = forms[form].text; *t; t++) {
        if (*t == 'k') {
            if (k)
                *out++ = k == 1 ? '2' : '4';
        } else if (x && (*t == 'x' || (*t == 'y' && y)))
            out += sprintf(out, "%s", (*t == 'x' ? x : y)->name);
        else if (*t == 'P' && alpha)
            out += sprintf(out, "P.a");
        else
            *out++ = *t;
    }
    sprintf(out, "%s", scale_text[s]);
}

/* A form with given leaves at a stage: what CURRENT has to be, then on with the stages before. */
static bool try_form(struct pipe *p, const struct goal *g, int form, int k, int s, const struct leaf *x, const struct leaf *y, int stage, uint32_t used, struct how how)
{
    struct goal before, one;
    double scale = 1 << s, a, b, c, lo, hi;
    bool same = true, may_switch = borrowed && !p->alpha && !how.seconds;
    used |= (x ? x->mask : 0) | (y ? y->mask : 0);
    for (int i = 0; i < p->samples; i++) {
        struct pieces pieces;
        pieces.n = 0;
        coefficients(form, 1 << k, x ? x->v[i] : 0, y ? y->v[i] : 0, &a, &b, &c);
        same &= a == 0 && b * scale == 1 && c == 0;
        for (int which = 0; which < 2; which++)
            if (unclamp(g, which, i, scale, &lo, &hi))
                inverse(a, b, c, lo, hi, &pieces);
        if (!settle(&pieces, &before, i))
            return false;
        if (i == KEYS - 1 && stage - how.seconds == 2 && !how.q && !may_switch && !some_entry(p, &before, stage - 1 + offset, p->essential & ~used) &&
            (p->alpha ? colour.nleaf <= 2 : !fold_point(&before, 0, &one, 0)))
            return false; /* most first stages are excluded by a few samples */
    }
    if (same && !may_switch) /* nothing happens: a stage less */
        return false;
    say(form, k, s, x, y, false);
    step[depth++] = (struct step){form, k, s, x, y, false, false};
    bool ok = !same && search(p, &before, stage - 1, used, how);
    struct goal scalar;
    if (!ok && may_switch && fold(&before, &scalar)) { /* the same with the alpha of CURRENT, P.a */
        uint32_t own = alpha_pipe.essential;
        alpha_pipe.essential = p->essential;
        step[depth - 1].from_alpha = true;
        depth--;
        say(form, k, s, x, y, true);
        depth++;
        ok = search(&alpha_pipe, &scalar, stage - 1, used, (struct how){0, 0, false});
        alpha_pipe.essential = own;
    }
    depth--;
    return ok;
}

/* All forms; from: with a leaf from there on (0: any). */
static bool try_forms(struct pipe *p, const struct goal *g, int stage, uint32_t used, int from, struct how how)
{
    const struct leaf *l = p->leaf;
    int n = p->nleaf, room = capacity(p, stage - 1 - how.seconds, how.may_borrow);
    uint32_t missing = p->essential & ~used;
    for (int form = 0; form < FORMS; form++) {
        if (forms[form].full && !full)
            continue;
        for (int k = 0; k < (forms[form].full ? 3 : 1); k++)
            for (int s = 0; s < 3; s++) {
                if (forms[form].leaves == 0) {
                    if (from == 0 && bits(missing) <= room && try_form(p, g, form, k, s, NULL, NULL, stage, used, how))
                        return true;
                    continue;
                }
                for (int x = forms[form].leaves == 1 ? from : 0; x < n; x++) {
                    if (l[x].avail > stage + offset)
                        continue;
                    uint32_t mx = missing & ~l[x].mask;
                    if (forms[form].leaves == 1) {
                        if (bits(mx) <= room && try_form(p, g, form, k, s, &l[x], NULL, stage, used, how))
                            return true;
                        continue;
                    }
                    for (int y = forms[form].same ? x : 0; y < n; y++)
                        if (l[y].avail <= stage + offset && (x >= from || y >= from) && bits(mx & ~l[y].mask) <= room &&
                            try_form(p, g, form, k, s, &l[x], &l[y], stage, used, how))
                            return true;
                }
                if (out_of_time())
                    return false;
            }
    }
    return false;
}

/* A dot of CURRENT and a leaf: what the other channels do not reach, this one has to. False if nothing does. */
static bool before_dot(const struct goal *scalar, const struct leaf *x, int s, struct goal *before)
{
    for (int point = 0; point < points; point++) {
        double lo, hi, l, h; /* the hull of the intervals */
        unclamp(scalar, 0, point, 4 << s, &lo, &hi);
        if (unclamp(scalar, 1, point, 4 << s, &l, &h))
            hi = h;
        for (int c = 0; c < 3; c++) {
            struct pieces pieces = {0};
            if (x) {
                const double *v = &x->v[3 * point];
                double others = .5 * (fabs(v[(c + 1) % 3] - .5) + fabs(v[(c + 2) % 3] - .5));
                inverse(0, v[c] - .5, -.5 * (v[c] - .5), lo - others, hi + others, &pieces);
            } else if (lo <= .75 + EPS && hi >= -EPS) { /* a sum of squares */
                double r = hi > .25 ? .5 : sqrt(fmax(hi, 0)) + 1e-7;
                add_piece(&pieces, .5 - r, .5 + r);
            }
            if (!settle(&pieces, before, 3 * point + c))
                return false;
        }
    }
    return true;
}

static bool try_dots(struct pipe *p, const struct goal *g, int stage, uint32_t used, struct how how)
{
    struct goal before, scalar;
    if (!like_dot(p, g, &scalar))
        return false;
    for (int i = -1; i < colour.nleaf; i++) {
        const struct leaf *x = i < 0 ? NULL : &colour.leaf[i];
        uint32_t mask = x ? x->mask : 0;
        if ((x && x->avail > stage + offset) || bits(p->essential & ~(used | mask)) > capacity(&colour, stage - 1 - how.seconds, true))
            continue;
        for (int s = 0; s < 3; s++) {
            if (!before_dot(&scalar, x, s, &before))
                continue;
            sprintf(line[depth], "dot(P,%s)%s", x ? x->name : "P", scale_text[s]);
            step[depth++] = (struct step){-1, 0, s, x, NULL, p->alpha, false};
            uint32_t own = colour.essential;
            colour.essential = p->essential;
            bool ok = search(&colour, &before, stage - 1, used | mask, p->alpha ? (struct how){0, 0, true} : how);
            colour.essential = own;
            depth--;
            if (ok)
                return true;
        }
    }
    return false;
}

/* A value of one stage as a further leaf: ACCUM's (costs a stage), or the alpha pipe's (does not). */
static bool try_extra(struct pipe *p, const struct goal *g, int stage, uint32_t used, bool accum)
{
    const struct pipe *from = accum ? p : &alpha_pipe;
    int own = p->nleaf, room = accum ? capacity(p, stage - 2, false) + p->widest[stage + offset] : 99;
    struct leaf *q = &p->leaf[own];
    for (uint32_t i = 0; i < from->table.n && !out_of_time(); i++) {
        const struct entry *e = &from->table.entry[i];
        if (e->avail > 1 || (e->op == L_ARG && !e->s && (accum || from->leaf[e->x].mask)) || bits(p->essential & ~(used | e->mask)) > room)
            continue;
        entry_values(from, e, p->samples, accum || p->alpha ? 1 : 3, q->v);
        q->name[0] = accum ? '[' : '<';
        int at = 1 + entry_text(q->name + 1, sizeof q->name - 2, from->leaf, e);
        at = at > (int)sizeof q->name - 2 ? (int)sizeof q->name - 2 : at;
        q->name[at] = accum ? ']' : '>';
        q->name[at + 1] = 0;
        q->mask = e->mask;
        q->avail = 2;
        q[1] = q[0];
        q[1].name[0] = '~';
        for (int j = 0; j < p->samples; j++)
            q[1].v[j] = 1 - q->v[j];
        p->nleaf = own + 2;
        set_widest(p);
        serial = ++serials;
        struct how how = {own, accum, false};
        bool ok = stage >= 2 + accum && try_forms(p, g, stage, used, own, how);
        serial = 0;
        p->nleaf = own;
        set_widest(p);
        if (ok)
            return true;
    }
    return false;
}

static bool search_here(struct pipe *p, const struct goal *g, int stage, uint32_t used, struct how how)
{
    if (first_stage(p, g, stage, used, how.q))
        return true;
    if (stage - how.seconds > 1 && (try_forms(p, g, stage, used, 0, how) || try_dots(p, g, stage, used, how)))
        return true;
    if (!how.may_borrow)
        return false;
    return (borrowed && !p->alpha && stage + offset > 1 && try_extra(p, g, stage, used, false)) || (second && stage >= 3 && try_extra(p, g, stage, used, true));
}

static bool search(struct pipe *p, const struct goal *g, int stage, uint32_t used, struct how how)
{
    if (stage - how.seconds < 1 || out_of_time())
        return false;
    bool remember = stage - how.seconds > 1;
    if (remember && is_known(p, g, stage, used, how.seconds, how.may_borrow, false))
        return false;
    unsigned long before = mismatches;
    if (search_here(p, g, stage, used, how))
        return true;
    if (remember && before == mismatches) /* else another way to the same goal may be another matter */
        is_known(p, g, stage, used, how.seconds, how.may_borrow, true);
    return false;
}

/* ---- input, output ---- */

static void read_pipe(struct pipe *p, int nleaf, bool is_alpha)
{
    p->alpha = is_alpha;
    p->samples = is_alpha ? points : 3 * points;
    p->nleaf = 0;
    for (int i = -1; i < nleaf; i++) {
        struct leaf *l = &p->leaf[p->nleaf], *c = l + 1;
        if (i < 0) {
            strcpy(l->name, "1");
            for (int j = 0; j < p->samples; j++)
                l->v[j] = 1;
            l->mask = 0, l->avail = 1;
        } else {
            if (scanf("%20s %u %d", l->name, &l->mask, &l->avail) != 3)
                exit(2);
            for (int j = 0; j < p->samples; j++)
                if (scanf("%lf", &l->v[j]) != 1)
                    exit(2);
        }
        *c = *l;
        sprintf(c->name, i < 0 ? "0" : "~%.20s", l->name);
        for (int j = 0; j < p->samples; j++)
            c->v[j] = 1 - l->v[j];
        p->nleaf += 2;
        if (p->nleaf > LEAVES)
            exit(2);
    }
    set_widest(p);
    make_table(p);
}

static void run(struct pipe *p, double seconds)
{
    static struct goal g;
    for (int i = 0; i < p->samples; i++) {
        g.lo[0][i] = p->target[i] - EPS, g.hi[0][i] = p->target[i] + EPS;
        g.lo[1][i] = 2, g.hi[1][i] = -1;
    }
    deadline = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    bool ok = false;
    root = p;
    for (int n = 1; n <= max_stages && !ok && !late; n++) { /* shortest first */
        offset = max_stages - n;
        memset(known, 0, sizeof known);
        ok = bits(p->essential) <= capacity(p, n, true) && search(p, &g, n, 0, (struct how){0, 0, true});
        if (ok)
            printf("%d %s\n", n, found);
    }
    if (!ok)
        puts(late ? "budget" : "none");
}

int main(void)
{
    int which, nc, na, f, s, b;
    double seconds;
    if (scanf("%d %d %d %d %d %d %d %d %lf", &which, &points, &nc, &na, &max_stages, &f, &s, &b, &seconds) != 9 || points > POINTS || max_stages > STAGES)
        return 2;
    full = f, second = s, borrowed = b;
    read_pipe(&colour, nc, false);
    read_pipe(&alpha_pipe, na, true);
    struct pipe *p = which ? &alpha_pipe : &colour;
    if (scanf("%u", &p->essential) != 1)
        return 2;
    for (int j = 0; j < p->samples; j++)
        if (scanf("%lf", &p->target[j]) != 1)
            return 2;
    run(p, seconds);
    return 0;
}
