/* Enumerates the expressions that one half of a pair can compute, and which operand ports each one needs. */
#include <stdio.h>
#include "forms.h"

const double number[NUMBERS] = {0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};
const double modifier[7] = {1, 2, 4, 8, 0.5, 0.25, 0.125};
struct presub presub[40];
int npresubs, nfirst;
static bool same_op, narrow;

void forms_begin(bool with_presubs, bool same_operation, bool narrow_constants)
{
    same_op = same_operation;
    narrow = narrow_constants;
    npresubs = 1;
    for (int places = FIRST_PLACES; places <= PLACES; places++) {
        for (int a = 0; a < places && with_presubs; a++)
            for (int b = a; b < places; b++)
                for (int op = 0; op < 4; op++)
                    /* b - a is the negative of a - b, so one of them is enough */
                    if ((places == FIRST_PLACES || b == HELPER) && (op == 2 || (op == 1 ? a != b : a == b)))
                        presub[npresubs++] = (struct presub){op, a, b};
        if (places == FIRST_PLACES)
            nfirst = npresubs;
    }
}

double presubtract(int op, double a, double b)
{
    return op == 0 ? 1 - 2 * a : op == 1 ? b - a : op == 2 ? a + b : 1 - a;
}

unsigned places_of(int p) { return p ? 1u << presub[p].a | 1u << presub[p].b : 0; }

static bool reads(const struct form *f, int code)
{
    return f->a == code || f->b == code || (f->op == MAD && f->c == code);
}

struct need need_of(const struct form *f, int half)
{
    struct need n = {{f->presub[0], f->presub[1]},
                     {0, 0},
                     {f->own[0], f->own[1]},
                     reads(f, half == RGB ? PRESUB_ALPHA : PRESUB_RGB)};
    for (int part = RGB; part <= ALPHA; part++) {
        unsigned mask = places_of(f->presub[part]);
        for (int s = 0; s < PLACES; s++)
            if (reads(f, part * PLACES + s))
                mask |= 1u << s;
        n.read[part] = (uint8_t)mask;
    }
    return n;
}

/* Returns whether one constant may have these numbers (indices of `number`; 0: unused) in its rgb and alpha
 * parts. */
static bool constant_allowed(const uint8_t *own)
{
    bool plain = true;
    for (int part = RGB; part <= ALPHA; part++)
        plain &= !own[part] || number[own[part]] == 0.5 || number[own[part]] == 1.5 || number[own[part]] == 2;
    return !narrow || (plain && (own[RGB] == own[ALPHA] || !own[RGB] || !own[ALPHA]));
}

/* Returns the number of bits that are set: one for each address. */
static int count(unsigned m) { return (m & 1) + (m >> 1 & 1) + (m >> 2 & 1) + (m >> 3 & 1) + (m >> 4 & 1); }

bool merge(const struct need *x, const struct need *y)
{
    int p[2];
    for (int part = RGB; part <= ALPHA; part++) {
        unsigned m = x->read[part] | y->read[part];
        p[part] = x->presub[part] | y->presub[part];
        const struct presub *sum = &presub[p[part]];
        /* the presubtraction x + x takes two addresses */
        bool doubled = p[part] && sum->op == 2 && sum->a == sum->b;
        if ((x->presub[part] && y->presub[part] && x->presub[part] != y->presub[part]) ||
            (x->own[part] && y->own[part] && x->own[part] != y->own[part]) || count(m) + doubled > 3)
            return false;
    }
    if (!constant_allowed((uint8_t[]){x->own[RGB] | y->own[RGB], x->own[ALPHA] | y->own[ALPHA]}))
        return false;
    return !(same_op && (x->across || y->across) && p[RGB] && p[ALPHA] &&
             presub[p[RGB]].op != presub[p[ALPHA]].op);
}

bool no_more(const struct need *x, const struct need *y)
{
    for (int part = RGB; part <= ALPHA; part++)
        if ((x->presub[part] && x->presub[part] != y->presub[part]) ||
            (x->own[part] && x->own[part] != y->own[part]) || x->read[part] & ~y->read[part])
            return false;
    return x->across <= y->across;
}

static void with_operands(struct form *f, const int *code, int n, bool dots,
                          void (*show)(const struct form *))
{
    static const struct need nothing;
    for (int a = 0; a < n; a++)
        for (int b = a; b < n; b++)
            for (int c = 0; c < n; c++) {
                f->a = (uint8_t)code[a], f->b = (uint8_t)code[b], f->c = (uint8_t)code[c];
                if (f->a != f->b && (f->a == ZERO || f->b == ZERO))
                    continue; /* of all products that are 0, 0*0 is enough */
                for (f->op = MAD; f->op <= (dots && c == 0 ? DP3 : MAD); f->op++) {
                    bool used = true;
                    struct need need = need_of(f, RGB);
                    /* with an unread presubtraction or constant this form duplicates another one */
                    for (int part = RGB; part <= ALPHA; part++)
                        used &= (!f->presub[part] || reads(f, PRESUB_RGB + part)) &&
                            (!f->own[part] || need.read[part] >> OWN & 1);
                    if (!used || !merge(&need, &nothing))
                        continue;
                    for (f->signs = 0; f->signs < (f->op == DP3 ? 2 : 4); f->signs++)
                        for (f->modifier = 0; f->modifier < 7; f->modifier++)
                            if ((!(f->signs & 1) || f->a != ZERO) && (!(f->signs & 2) || f->c != ZERO))
                                show(f);
                    f->signs = f->modifier = 0;
                }
            }
}

void each_form(bool second, bool dots, void (*show)(const struct form *))
{
    int presubs = second ? npresubs : nfirst, places = second ? PLACES : FIRST_PLACES;
    for (int own = 0; own < NUMBERS * NUMBERS; own++)
        for (int i = 0; i < presubs * presubs; i++) {
            int p[2] = {i % presubs, i / presubs}, k[2] = {own % NUMBERS, own / NUMBERS}, operands = 0;
            bool numbered = true;
            for (int part = RGB; part <= ALPHA; part++) {
                bool reads_own = places_of(p[part]) >> OWN & 1;
                numbered &= k[part] || !reads_own;
                operands += (p[part] != 0) + (k[part] && !reads_own);
            }
            if (!numbered || operands > 3)
                continue;
            int code[CODES], n = 0;
            for (int c = 0; c < CODES; c++)
                if (c >= PRESUB_RGB
                        ? p[c - PRESUB_RGB] != 0
                        : c >= ZERO || (c % PLACES < places && (c % PLACES != OWN || k[c / PLACES])))
                    code[n++] = c;
            with_operands(&(struct form){.own = {(uint8_t)k[0], (uint8_t)k[1]},
                                         .presub = {(uint8_t)p[0], (uint8_t)p[1]}},
                          code, n, dots, show);
        }
}

/* ---- names ---- */

static void place_name(char *out, size_t room, const struct form *f, int part, int place)
{
    static const char *const plain[2][PLACES] = {{"T", "C", "F", "", "U"}, {"T.a", "C.a", "F.a", "", "V"}};
    if (place == OWN)
        snprintf(out, room, "[%g]%s", number[f->own[part]], part == ALPHA ? ".a" : "");
    else
        snprintf(out, room, "%s", plain[part][place]);
}

static const char *name_of(const struct form *f, int code)
{
    static char text[4][64];
    static int next;
    static const char *const literal[] = {"0", "1/2", "1"};
    if (code >= ZERO && code <= ONE)
        return literal[code - ZERO];
    char *t = text[next++ % 4], a[24], b[24];
    int part = code < ZERO ? code / PLACES : code - PRESUB_RGB;
    const struct presub *p = &presub[f->presub[part]];
    place_name(a, sizeof a, f, part, code < ZERO ? code % PLACES : p->a);
    place_name(b, sizeof b, f, part, p->b);
    if (code < ZERO)
        snprintf(t, sizeof text[0], "%s", a);
    else if (p->op == 0 || p->op == 3)
        snprintf(t, sizeof text[0], "(%s-%s)", p->op ? "1" : "1-2", a);
    else
        snprintf(t, sizeof text[0], "(%s%c%s)", b, p->op == 1 ? '-' : '+', a);
    return t;
}

void print_form(const struct form *f)
{
    const char *const sign = f->signs & 1 ? "-" : "";
    if (f->op == DP3)
        printf("DP3(%s%s,%s)", sign, name_of(f, f->a), name_of(f, f->b));
    else
        printf("MAD(%s%s,%s,%s%s)", sign, name_of(f, f->a), name_of(f, f->b), f->signs & 2 ? "-" : "",
               name_of(f, f->c));
    printf("*%g", modifier[f->modifier]);
}
