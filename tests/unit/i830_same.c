/* i830: proofs that two values are equal piece by piece. Each side is a small text: assignments to capital letters are clamped values, the last expression is the one
 * that is compared; small letters are inputs, u to z dot products; ~x is 1-x; B(a,b,c) is a*b + (1-a)*c; D(a,b) the dot product of two numbers, in all channels, E(a,b) that of a and ~b. */
#include "check.h"
#include "hwemit/i830/cover.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct i830_cover cover;
static _Alignas(16) unsigned char memory[I830_PROOF];

/* ---- the texts ---- */

static const char *at;
static struct i830_poly kept[26];

static struct i830_poly sum(void);

static struct i830_poly factor(void)
{
    struct i830_poly p;
    const char c = *at++;
    if (c == '~') {
        p = factor();
        return hwemit_i830_poly_affine(-1, &p, 1);
    }
    if (c == '(') {
        p = sum();
        at++;
        return p;
    }
    if (c == 'B') {
        struct i830_poly a[3], rest;
        for (unsigned i = 0; i < 3; i++)
            at++, a[i] = sum();
        at++;
        rest = hwemit_i830_poly_affine(-1, &a[0], 1);
        rest = hwemit_i830_poly_product(&rest, &a[2]);
        p = hwemit_i830_poly_product(&a[0], &a[1]);
        return hwemit_i830_poly_sum(1, &p, 1, &rest);
    }
    if (c == 'D' || c == 'E') {
        struct i830_atom atom = {.kind = I830_DOT, .scalar = 1, .inv = c == 'E'};
        for (unsigned i = 0; i < 2; i++) {
            at++, p = sum();
            atom.value[i] = (uint16_t)hwemit_i830_value(&cover, &p);
            CHECK(hwemit_i830_of_value(&cover, (struct i830_arg){atom.value[i], 0}, &p));
        }
        at++;
        return hwemit_i830_poly_atom(hwemit_i830_atom(&cover, &atom));
    }
    if (c >= 'A' && c <= 'Z')
        return kept[c - 'A'];
    if (c >= 'a' && c <= 'z') {
        struct i830_atom atom = {.kind = c >= 'u' ? I830_DOT : I830_TEXEL, .scalar = 1, .index = (uint16_t)c, .value = {(uint16_t)c}};
        return hwemit_i830_poly_atom(hwemit_i830_atom(&cover, &atom));
    }
    char *end;
    p = hwemit_i830_poly_constant(strtod(at - 1, &end));
    at = end;
    return p;
}

static struct i830_poly product(void)
{
    struct i830_poly p = factor();
    while (*at == '*') {
        at++;
        const struct i830_poly q = factor();
        p = hwemit_i830_poly_product(&p, &q);
    }
    return p;
}

static struct i830_poly sum(void)
{
    struct i830_poly p = product();
    while (*at == '+' || *at == '-') {
        const double sign = *at++ == '+' ? 1 : -1;
        const struct i830_poly q = product();
        p = hwemit_i830_poly_sum(1, &p, sign, &q);
    }
    return p;
}

static struct i830_poly text(const char *s)
{
    for (at = s; at[1] == '='; at++) {
        struct i830_poly *const p = &kept[*at - 'A'];
        at += 2;
        *p = sum();
        CHECK_SAY(*at == ';' && !p->bad, "%s: at %s", s, at);
        CHECK(hwemit_i830_of_value(&cover, (struct i830_arg){(uint16_t)hwemit_i830_value(&cover, p), 0}, p));
    }
    const struct i830_poly p = sum();
    CHECK_SAY(*at == 0 && !p.bad, "%s: at %s", s, at);
    return p;
}

static void compare(const char *left, const char *right, bool *is, bool *proved)
{
    cover.most_values = I830_VALUES;
    hwemit_i830_cover_init(&cover);
    const struct i830_poly a = text(left), b = text(right);
    const unsigned value = hwemit_i830_value(&cover, &a);
    *is = hwemit_i830_is(&cover, value, &b);
    *proved = hwemit_i830_proves(&cover, value, &b, memory, sizeof memory);
}

/* ---- the same texts with numbers ---- */

static double input[26], number_of[26];

static double number_sum(void);
static double clamped(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double number_factor(void)
{
    const char c = *at++;
    double x;
    if (c == '~')
        return 1 - number_factor();
    if (c == '(') {
        x = number_sum();
        at++;
        return x;
    }
    if (c == 'B') {
        double a[3];
        for (unsigned i = 0; i < 3; i++)
            at++, a[i] = number_sum();
        at++;
        return a[0] * a[1] + (1 - a[0]) * a[2];
    }
    if (c == 'D' || c == 'E') {
        double a[2];
        for (unsigned i = 0; i < 2; i++)
            at++, a[i] = 2 * clamped(number_sum()) - 1;
        at++;
        return (c == 'D' ? 3 : -3) * a[0] * a[1];
    }
    if (c >= 'A' && c <= 'Z')
        return number_of[c - 'A'];
    if (c >= 'a' && c <= 'z')
        return input[c - 'a'];
    char *end;
    x = strtod(at - 1, &end);
    at = end;
    return x;
}

static double number_product(void)
{
    double x = number_factor();
    while (*at == '*')
        at++, x *= number_factor();
    return x;
}

static double number_sum(void)
{
    double x = number_product();
    while (*at == '+' || *at == '-')
        x += *at++ == '+' ? number_product() : -number_product();
    return x;
}

static double number(const char *s)
{
    for (at = s; at[1] == '='; at++) {
        double *const x = &number_of[*at - 'A'];
        at += 2;
        *x = clamped(number_sum());
    }
    return clamped(number_sum());
}

static uint32_t seed = 1;
static double next(void)
{
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (1 << 24);
}

static bool differ(const char *left, const char *right, unsigned points)
{
    for (unsigned i = 0; i < points; i++) {
        for (unsigned k = 0; k < 26; k++) {
            const double r = next(), u = next();
            input[k] = r < 0.2 ? 0 : r < 0.4 ? 1 : r < 0.5 ? u / 8 : r < 0.6 ? 1 - u / 8 : u;
            if (k >= 'u' - 'a')
                input[k] = 6 * input[k] - 3;
        }
        const double off = number(left) - number(right);
        if (off > 1e-6 || off < -1e-6)
            return true;
    }
    return false;
}

/* ---- what is to be proven ---- */

static const char *const equal[][2] = {
    /* States and their covers, of one channel (notes/i830.md). */
    {"P=2*(c*~f+~c*~c);4*(P*P+~f*P)", "P=2*B(c,~f,~c);P=P+1-.5;P=2*B(P,~P,~f);2*(~P+~f-.5)"},
    {"P=c*t-.5;4*(P*~d+P*t-.5)", "K=B(~t,1,~c);P=2*K*t+d;P=2*~d*K+P;2*(~P-~t)"},
    {"P=4*(b*a-.5);P=f*P+P-.5;4*(f*P+~f)", "P=2*B(~b,1,~a);P=4*~P*f;P=~P*f+~P;2*(2*~f+~P)"},
    {"P=~f*c+f-.5;P=4*(~t*P-~a);P=P+s;~P*P+~r*~P", "P=~c*~f+~a;K=1+~a-.5;P=2*B(~t,P,K);P=2*~P+s;B(P,~P,~r)"},
    {"P=~a*f+1-.5;P=4*(t*P+c-.5);B(s,d,P)", "P=2*f*~a;K=c+t-.5;P=P*t+K;P=2*(P+c-.5);B(~s,P,d)"},
    {"P=4*(f*t+f*f-.5);~P*~c+~c-.5", "P=f*t+f;P=2*(f*~f+~P);P=2*~P*~c+c;~P+~c-.5"},
    {"P=4*(~c+~t);P=b*P-~P;~t*t+P*b", "P=4*(~c+~t);P=b*P;P=b*~P+~P;t*~t+~P"},
    {"P=2*(a+f*t-.5);P=P*b;~c*P+c*d-.5", "P=t*f+a;P=2*~P*b+~b;P=B(~c,P,~d);~P-.5"},
    {"P=4*u;P=b*P-~P;~t*t+P*b", "P=4*u;P=b*P;P=b*~P+~P;t*~t+~P"}, /* a dot product */
    {"P=D(a,b);B(P,c,d)", "P=3*(2*a-1)*(2*b-1);P*c+~P*d"}, /* of numbers */
    {"P=a+b-.5;Q=2*D(P,c);B(Q,d,e)", "P=a+b-.5;Q=6*(2*P-1)*(2*c-1);Q*d+~Q*e"},
    {"P=E(a,b);P=4*(P+c-.5);P*d", "P=3*(2*a-1)*(1-2*b);P=4*(P+c)-2;P*d"},
    {"A=4*u;C=v;P=~a*f+1-.5;P=4*(A*P+C-.5);B(s,d,P)", "A=4*u;C=v;P=2*f*~a;K=C+A-.5;P=P*A+K;P=2*(P+C-.5);B(~s,P,d)"}, /* two */
};

/* Differences in a small part of the inputs. */
static const char *const unequal[][2] = {
    {"d*~a", "P=a+b+c-2.875;d*~a+P"},
    {"B(d,a,b)", "P=8*(b+c-1.875);B(d,a,b)+P*c"},
    {"d*c", "P=.00390625-(a-.5)*(a-.5)-(b-.5)*(b-.5)-(c-.5)*(c-.5);d*c+P"}, /* a ball of radius 1/16 */
    {"P=480*(.00390625-(a-.5)*(a-.5)-(b-.5)*(b-.5)-(c-.5)*(c-.5));P*d", /* only where the first clamp is at its upper end */
     "P=480*(.00390625-(a-.5)*(a-.5)-(b-.5)*(b-.5)-(c-.5)*(c-.5));K=480*(.00390625-(a-.5)*(a-.5)-(b-.5)*(b-.5)-(c-.5)*(c-.5))-1;P*d+K*e"},
    {"P=a-b;P*d", "P=a-b;K=4*(.00390625-(a-.5)*(a-.5)-(b-.25)*(b-.25)-(c-.5)*(c-.5));P*d+K"},
};

/* Each text with one sign, inversion, factor or name changed. */
static unsigned change(const char *left, const char *right)
{
    char other[200];
    unsigned n = 0;
    for (unsigned i = 0; right[i]; i++) {
        const char c = right[i], to = c == '+' ? '-' : c == '2' ? '4' : c == '4' ? '2' : c == '5' ? '0' : c == 'f' ? 'c' : c >= 'a' && c <= 't' ? 'f' : 0;
        if (!to && c != '~')
            continue;
        strcpy(other, right);
        if (to)
            other[i] = to;
        else
            memmove(other + i, other + i + 1, strlen(other + i));
        if (!differ(left, other, 3000))
            continue;
        bool is, proved;
        compare(left, other, &is, &proved);
        CHECK_SAY(!proved, "%s and %s differ", left, other);
        n++;
    }
    return n;
}

int main(void)
{
    for (unsigned i = 0; i < sizeof equal / sizeof equal[0]; i++) {
        bool is, ok;
        CHECK(!differ(equal[i][0], equal[i][1], 20000));
        compare(equal[i][0], equal[i][1], &is, &ok);
        CHECK_SAY(ok, "%s and %s are equal", equal[i][0], equal[i][1]);
        CHECK_SAY(change(equal[i][0], equal[i][1]) > 5, "%s changes nothing", equal[i][1]);
    }
    for (unsigned i = 0; i < sizeof unequal / sizeof unequal[0]; i++) {
        bool is, ok;
        compare(unequal[i][0], unequal[i][1], &is, &ok);
        CHECK_SAY(!ok && !is, "%s and %s differ", unequal[i][0], unequal[i][1]);
    }
    return check_report("i830_same");
}
