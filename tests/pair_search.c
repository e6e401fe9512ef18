/* One-unit states on the pair unit of r300, r400 and r500: for each distinct function of a half, whether any single pair computes it, by exhaustive
 * search over an alphabet. What no pair computes needs two or more: a lower bound that shares nothing with the compiler.
 *
 *     pair_search rgb|alpha [combine4] [same]
 *
 * prints "function NUMBER PORTS" for each distinct function: PORTS are the ways to set up the alpha ports (a bit each, hexadecimal) with which some pair computes
 * it, 0 if none does, one of these pairs in words, and "dot" where a dot product without output modifier does (the alpha half can take that over); then "half FUNC SOURCE:OPERAND ... SCALE NUMBER" for each half. The halves of a state fit into one pair only if they have a bit in common: the
 * rgb half reads alpha channels through the ports of the alpha half, while the rgb ports are the rgb half's alone (a function of alpha needs none of them).
 *
 * The alphabet (r300.md section 2). Sources: texture, environment colour, primary colour (which is also the previous result of unit 0), and one constant
 * of the program's own, 1/2, 3/2 or 2. Ports: three rgb and three alpha addresses, each any source; presubtraction from the first two, its own operation
 * in either word, of rgb and of alpha channels. Operands: the channels of the ports (xyz and www), zero, one half, one, both presubtracted values; negated, absolute.
 * Operations MAD, DP3, and with no constant of the program's own MIN, MAX, CND, CMP. All output modifiers; clamp.
 * With "same", an rgb half that reads both presubtracted values has the same operation in both words: what r300 does otherwise is not known (hw-open.md).
 * Left out without loss: other swizzles (a function that is the same in every channel cannot profit from another channel's independent inputs), DP4 (its fourth product is of the alpha half's own operands,
 * which that half needs), D2A (not known on
 * r300), alpha DP (the rgb half has to deliver its own result), not clamping (all values lie in [0,1]).
 *
 * Equality is judged at POINTS points, all combinations of 0, 1/2 and 1 among them; all arithmetic on them is exact in doubles, as the inputs are multiples of 1/64.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOME = 40, POINTS = SOME + 729 + 300, VALUES = 3 * POINTS, FEW = 3 * SOME, QUICK = 6, TEXTURE = 0, COLOUR, PRIMARY, OWN, SOURCES };
static double literal[3][3 * POINTS];
static const char *const source_name[] = {"T0", "C", "F", "0", "1"};
static const char *const operand_name[] = {"c", "~c", "a", "~a"};
enum { REPLACE, MODULATE, ADD, ADD_SIGNED, SUBTRACT, INTERPOLATE, MODULATE_ADD, MODULATE_SIGNED_ADD, MODULATE_SUBTRACT, DOT3, DOT3_EXT, COMBINE4_ADD, COMBINE4_ADD_SIGNED, FUNCS };
static const char *const func_name[] = {"replace", "modulate", "add", "add_signed", "subtract", "interpolate", "modulate_add", "modulate_signed_add",
                                        "modulate_subtract", "dot3_rgb", "dot3_rgb_ext", "combine4_add", "combine4_add_signed"};
static const int func_args[] = {1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 2, 4, 4};

static bool alpha_half, same_op;
static double input[SOURCES][2][VALUES]; /* [source][0: its own channel, 1: its alpha]; value v is channel v % 3 of point v / 3 */

static uint32_t seed = 12345;
static uint32_t next(void) { return seed = seed * 1664525u + 1013904223u, seed >> 8; }

static double component(int p, int s, int c)
{
    static const int corner[] = {0, 64, 32, 16, 48};
    int combination = p - SOME, power = 1;
    if (combination >= 0 && combination < 729 && (c == 0 || c == 3)) { /* red and alpha of the three sources: every combination */
        for (int k = 2 * s + (c == 3); k; k--)
            power *= 3;
        return combination / power % 3 / 2.0;
    }
    if (p >= SOME + 729 && p % 2) /* where scaled functions are not clamped */
        return (s & p / 2 ? 64 - (int)(next() % 12) : (int)(next() % 12)) / 64.0;
    return (p >= 8 && next() % 4 == 0 ? corner[next() % 5] : (int)(next() % 65)) / 64.0;
}

static void make_inputs(void)
{
    for (int s = 0; s < OWN; s++)
        for (int p = 0; p < POINTS; p++) {
            double x[4];
            for (int c = 0; c < 4; c++)
                x[c] = component(p, s, c);
            for (int c = 0; c < 3; c++) {
                input[s][0][3 * p + c] = x[alpha_half ? 3 : c];
                input[s][1][3 * p + c] = x[3];
            }
        }
}

static double unit(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static uint64_t hash(const double *v, int n)
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int i = 0; i < n; i++) {
        double x = v[i] + 0.0; /* one zero */
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        h = (h ^ bits) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h ? h : 1;
}

/* ---- the functions that are looked for ---- */

enum { ROOM = 1 << 17, FILTER = 1 << 24, PORT_WORDS = 8 };
struct target { uint64_t few, whole, ports[PORT_WORDS]; unsigned number; uint8_t func, arg[4], scale; char pair[80]; bool dot; int told; /* where it differed from another */ };
static struct target *table;
static uint8_t *filter; /* a bit for each quick hash */
static unsigned ntargets, port_bit; /* the alpha ports that are being searched */
static char *halves;               /* text that is printed at the end */
static size_t nhalves, halves_room;

/* The first target from place i on that has these values at the first points, or an empty place. */
static struct target *find(uint64_t few, unsigned *i)
{
    while (table[*i].few && table[*i].few != few)
        *i = (*i + 1) & (ROOM - 1);
    return &table[*i];
}

static double argument(int arg, int v)
{
    int source = arg / 4, op = arg % 4;
    double x = source == 3 ? 0 : source == 4 ? 1 : input[source][op >= 2][v];
    return op & 1 ? 1 - x : x;
}

static double formula(int func, const double *a)
{
    switch (func) {
    case REPLACE: return a[0];
    case MODULATE: return a[0] * a[1];
    case ADD: return a[0] + a[1];
    case ADD_SIGNED: return a[0] + a[1] - 0.5;
    case SUBTRACT: return a[0] - a[1];
    case INTERPOLATE: return a[0] * a[2] + a[1] * (1 - a[2]);
    case MODULATE_ADD: return a[0] * a[2] + a[1];
    case MODULATE_SIGNED_ADD: return a[0] * a[2] + a[1] - 0.5;
    case MODULATE_SUBTRACT: return a[0] * a[2] - a[1];
    case COMBINE4_ADD: return a[0] * a[1] + a[2] * a[3];
    default: return a[0] * a[1] + a[2] * a[3] - 0.5;
    }
}

static double half_value(int func, const uint8_t *arg, int scale, int v)
{
    double a[4];
    if (func == DOT3 || func == DOT3_EXT) {
        double sum = 0;
        for (int c = 0; c < 3; c++)
            sum += (argument(arg[0], v / 3 * 3 + c) - 0.5) * (argument(arg[1], v / 3 * 3 + c) - 0.5);
        return unit(4 * sum * scale);
    }
    for (int k = 0; k < func_args[func]; k++)
        a[k] = argument(arg[k], v);
    return unit(formula(func, a) * scale);
}

static void add_target(int func, const uint8_t *arg, int scale)
{
    static double v[VALUES];
    for (int i = 0; i < VALUES; i++)
        v[i] = half_value(func, arg, scale, i);
    uint64_t few = hash(v, FEW), whole = hash(v, VALUES);
    unsigned i = (unsigned)few & (ROOM - 1);
    struct target *t = find(few, &i);
    while (t->few && t->whole != whole) {
        i = (i + 1) & (ROOM - 1);
        t = find(few, &i);
    }
    if (!t->few) {
        *t = (struct target){.few = few, .whole = whole, .number = ntargets, .func = (uint8_t)func, .scale = (uint8_t)scale};
        memcpy(t->arg, arg, (size_t)func_args[func]);
        uint64_t q = hash(v, QUICK) % FILTER;
        filter[q / 8] |= (uint8_t)(1 << q % 8);
        if (++ntargets > ROOM / 2)
            exit(2);
    }
    if (nhalves + 100 > halves_room && !(halves = realloc(halves, halves_room = 2 * halves_room + 4096)))
        exit(2);
    nhalves += (size_t)sprintf(halves + nhalves, "half %s", func_name[func]);
    for (int k = 0; k < func_args[func]; k++)
        nhalves += (size_t)sprintf(halves + nhalves, " %s:%s", source_name[arg[k] / 4], operand_name[arg[k] % 4]);
    nhalves += (size_t)sprintf(halves + nhalves, " %d %u\n", scale, t->number);
}

static void make_targets(bool combine4)
{
    int list[20], n = 0;
    for (int s = 0; s < 5; s++)
        for (int op = 0; op < 4; op++)
            if (s < 3 ? !alpha_half || op >= 2 : op == (alpha_half ? 2 : 0))
                list[n++] = 4 * s + op;
    for (int func = combine4 ? COMBINE4_ADD : 0; func < (combine4 ? FUNCS : COMBINE4_ADD); func++) {
        if (alpha_half && (func == DOT3 || func == DOT3_EXT))
            continue;
        int count = 1;
        for (int k = 0; k < func_args[func]; k++)
            count *= n;
        for (int i = 0; i < count; i++) {
            uint8_t arg[4];
            int rest = i;
            for (int k = 0; k < func_args[func]; k++, rest /= n)
                arg[k] = (uint8_t)list[rest % n];
            for (int scale = 1; scale <= (func == DOT3_EXT ? 1 : 4); scale *= 2)
                add_target(func, arg, scale);
        }
    }
}

/* ---- single pairs ---- */

/* What the ports of one part offer: which sources can be read, and one presubtracted value (op 4: none). */
struct ports { unsigned readable; int op, a, b; };
static const char *port_name[SOURCES][2] = {{"T", "T.a"}, {"C", "C.a"}, {"F", "F.a"}, {"", ""}};

static int list_ports(struct ports *out, bool own)
{
    int n = 0, top = own ? SOURCES : OWN;
    for (int i = 0; i < top * top * top; i++) {
        int s[3] = {i % top, i / top % top, i / top / top};
        for (int op = 0; op < 5; op++) {
            struct ports p = {1u << s[0] | 1u << s[1] | 1u << s[2], op, op == 4 ? 0 : s[0], op == 1 || op == 2 ? s[1] : 0};
            bool known = false;
            for (int k = 0; k < n && !known; k++)
                known = out[k].op == p.op && out[k].a == p.a && out[k].b == p.b && (out[k].readable & p.readable) == p.readable;
            if (known)
                continue;
            for (int k = 0; k < n; k++) /* what this one includes goes */
                if (out[k].op == p.op && out[k].a == p.a && out[k].b == p.b && (out[k].readable & p.readable) == out[k].readable)
                    out[k--] = out[--n];
            out[n++] = p;
        }
    }
    return n;
}

static void presubtract(double *out, const struct ports *p, int part)
{
    const double *a = input[p->a][part], *b = input[p->b][part];
    for (int i = 0; i < VALUES; i++)
        out[i] = p->op == 0 ? 1 - 2 * a[i] : p->op == 1 ? b[i] - a[i] : p->op == 2 ? b[i] + a[i] : 1 - a[i];
}

enum { OPERANDS = 20, RGB_PRESUB = 1, ALPHA_PRESUB = 2, BOTH = 3 };
static const double *operand[OPERANDS];
static int uses[OPERANDS], noperands; /* which presubtracted value an operand is */
static bool scalar[OPERANDS];         /* the same in all three channels */
static const char *name[OPERANDS];
static const double modifier[] = {1, 2, 4, 8, 0.5, 0.25, 0.125};

enum { MAD, DP3, MIN, MAX, CND, CMP };
struct pair { int op, a, b, c; double sa, sb, sc; };

static double value(const struct pair *p, int v)
{
    const double *A = operand[p->a], *B = operand[p->b], *C = operand[p->c];
    if (p->op == DP3) {
        int base = v / 3 * 3;
        return p->sa * (A[base] * B[base] + A[base + 1] * B[base + 1] + A[base + 2] * B[base + 2]);
    }
    double a = p->sa * A[v], b = p->sb * B[v], c = p->sc * C[v];
    switch (p->op) {
    case MAD: return a * B[v] + c;
    case MIN: return a < b ? a : b;
    case MAX: return a >= b ? a : b;
    case CND: return c > 0.5 ? a : b;
    default: return c >= 0 ? a : b;
    }
}

static void describe(char *text, size_t room, const struct pair *p, double scale)
{
    static const char *const op[] = {"MAD", "DP3", "MIN", "MAX", "CND", "CMP"};
    const char *const sign[] = {p->sa < 0 ? "-" : "", p->sb < 0 ? "-" : "", p->sc < 0 ? "-" : ""};
    if (p->op == DP3)
        snprintf(text, room, "%s(%s%s,%s)*%g", op[p->op], sign[0], name[p->a], name[p->b], scale);
    else
        snprintf(text, room, "%s(%s%s,%s%s,%s%s)*%g", op[p->op], sign[0], name[p->a], sign[1], name[p->b], sign[2], name[p->c], scale);
}

static bool equal(struct target *t, const struct pair *p, double scale)
{
    for (int k = FEW - 1; k < VALUES; k++) {
        int v = k < FEW ? t->told : k;
        if (unit(value(p, v) * scale) != half_value(t->func, t->arg, t->scale, v)) {
            t->told = v;
            return false;
        }
    }
    return true;
}

static void look(const struct pair *p)
{
    double quick[QUICK], v[FEW], few[FEW];
    for (int i = 0; i < QUICK; i++)
        quick[i] = value(p, i);
    bool all = false;
    for (int m = 0; m < 7; m++) {
        double scaled[QUICK];
        for (int i = 0; i < QUICK; i++)
            scaled[i] = unit(quick[i] * modifier[m]);
        uint64_t q = hash(scaled, QUICK) % FILTER;
        if (!(filter[q / 8] >> q % 8 & 1))
            continue;
        for (int i = 0; i < FEW && !all; i++)
            v[i] = value(p, i);
        all = true;
        for (int i = 0; i < FEW; i++)
            few[i] = unit(v[i] * modifier[m]);
        q = hash(few, FEW);
        unsigned i = (unsigned)q & (ROOM - 1);
        for (struct target *t = find(q, &i); t->few; i = (i + 1) & (ROOM - 1), t = find(q, &i)) {
            bool known = t->ports[port_bit / 64] >> port_bit % 64 & 1, dot = m == 0 && p->op == DP3;
            if ((known && (t->dot || !dot)) || !equal(t, p, modifier[m]))
                continue;
            t->dot |= dot;
            if (!t->pair[0])
                describe(t->pair, sizeof t->pair, p, modifier[m]);
            t->ports[port_bit / 64] |= (uint64_t)1 << port_bit % 64;
        }
    }
}

static void put(const char *text, const double *v, int use, bool is_scalar)
{
    name[noperands] = text;
    operand[noperands] = v;
    scalar[noperands] = is_scalar;
    uses[noperands++] = use;
}

static void put_presub(const struct ports *p, int part, int use)
{
    static char plain[2][40], absolute[2][44];
    static const char *const form[][2] = {{"1-2", ""}, {"", "-"}, {"", "+"}, {"1-", ""}};
    static double v[2][2][VALUES];
    if (p->op == 4)
        return;
    bool two = p->op == 1 || p->op == 2; /* the second source stands first */
    snprintf(plain[part], sizeof plain[part], "(%s%s%s%s)", form[p->op][0], port_name[two ? p->b : p->a][part], form[p->op][1], two ? port_name[p->a][part] : "");
    snprintf(absolute[part], sizeof absolute[part], "|%s|", plain[part]);
    presubtract(v[part][0], p, part);
    for (int i = 0; i < VALUES; i++)
        v[part][1][i] = v[part][0][i] < 0 ? -v[part][0][i] : v[part][0][i];
    put(plain[part], v[part][0], use, part);
    put(absolute[part], v[part][1], use, part);
}

/* Everything with these ports that uses the presubtracted rgb value, if there is one: what does not is found with other ports. */
static void search(const struct ports *rgb, const struct ports *alpha, bool choices)
{
    noperands = 0;
    for (int s = 0; s < SOURCES; s++) {
        if (!alpha_half && rgb->readable >> s & 1)
            put(port_name[s][0], input[s][0], 0, s == OWN);
        if (alpha->readable >> s & 1)
            put(port_name[s][1], input[s][1], 0, true);
    }
    put("0", literal[0], 0, true), put("1/2", literal[1], 0, true), put("1", literal[2], 0, true);
    put_presub(rgb, 0, RGB_PRESUB);
    put_presub(alpha, 1, ALPHA_PRESUB);
    int need = rgb->op != 4 ? RGB_PRESUB : 0;
    bool both = !same_op || rgb->op == alpha->op;
#define FITS(used) (((used) & RGB_PRESUB) == need && (both || (used) != BOTH))
    for (int a = 0; a < noperands; a++)
        for (int b = a; b < noperands; b++) {
            int used = uses[a] | uses[b];
            if (!alpha_half && FITS(used))
                for (int sign = 1; sign >= -1; sign -= 2)
                    look(&(struct pair){.op = DP3, .a = a, .b = b, .sa = sign});
            for (int c = 0; c < noperands; c++) {
                if (FITS(used | uses[c]))
                    for (int signs = 0; signs < 4; signs++)
                        look(&(struct pair){.op = MAD, .a = a, .b = b, .c = c, .sa = signs & 1 ? -1 : 1, .sc = signs & 2 ? -1 : 1});
            }
        }
    for (int a = 0; choices && a < noperands; a++)
        for (int b = 0; b < noperands; b++)
            for (int signs = 0; signs < 8; signs++) {
                double sa = signs & 1 ? -1 : 1, sb = signs & 2 ? -1 : 1, sc = signs & 4 ? -1 : 1;
                if (signs < 4 && FITS(uses[a] | uses[b]))
                    for (int op = MIN; op <= MAX; op++)
                        look(&(struct pair){.op = op, .a = a, .b = b, .sa = sa, .sb = sb});
                for (int c = 0; c < noperands; c++)
                    if (FITS(uses[a] | uses[b] | uses[c]))
                        for (int op = CND; op <= CMP; op++)
                            look(&(struct pair){.op = op, .a = a, .b = b, .c = c, .sa = sa, .sb = sb, .sc = sc});
            }
}

int main(int argc, char **argv)
{
    if (argc < 2 || (strcmp(argv[1], "rgb") && strcmp(argv[1], "alpha"))) {
        fprintf(stderr, "usage: pair_search rgb|alpha [combine4] [same]\n");
        return 2;
    }
    alpha_half = argv[1][0] == 'a';
    table = calloc(ROOM, sizeof *table);
    filter = calloc(FILTER / 8, 1);
    if (!table || !filter)
        return 2;
    make_inputs();
    for (int i = 0; i < VALUES; i++)
        literal[1][i] = 0.5, literal[2][i] = 1;
    bool combine4 = false;
    for (int i = 2; i < argc; i++) {
        combine4 |= !strcmp(argv[i], "combine4");
        same_op |= !strcmp(argv[i], "same");
    }
    make_targets(combine4);
    unsigned first_bit = 0;
    for (int own = 0; own < 4; own++) { /* no constant of its own, or one */
        static const double constant[] = {0, 0.5, 1.5, 2};
        static const char *const constant_name[] = {"", "k.5", "k1.5", "k2"};
        port_name[OWN][0] = port_name[OWN][1] = constant_name[own];
        static struct ports ports[512];
        for (int i = 0; i < VALUES; i++)
            input[OWN][0][i] = input[OWN][1][i] = constant[own];
        unsigned n = (unsigned)list_ports(ports, own > 0);
        if (first_bit + n > 64 * PORT_WORDS)
            return 2;
        for (unsigned r = 0; r < n; r++) {
            if (alpha_half && ports[r].op != 4)
                continue; /* nothing of the rgb part helps a function of alpha alone */
            for (unsigned a = 0; a < n; a++) {
                port_bit = first_bit + a;
                if (!own || (ports[r].readable | ports[a].readable) >> OWN & 1)
                    search(&ports[r], &ports[a], !own);
            }
        }
        first_bit += n;
    }
    for (unsigned i = 0; i < ROOM; i++) {
        const struct target *t = &table[i];
        if (!t->few)
            continue;
        printf("function %u ", t->number);
        for (unsigned w = PORT_WORDS; w--;)
            printf("%016llx", (unsigned long long)t->ports[w]);
        printf(" %s %s\n", t->pair[0] ? t->pair : "-", t->dot ? "dot" : "-");
    }
    fwrite(halves, 1, nhalves, stdout);
    return 0;
}
