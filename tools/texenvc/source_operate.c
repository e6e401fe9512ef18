#include "source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct value unknown;

/* Unknown if i is outside the range of int or unsigned, because the widths of other types are not tracked. */
struct value source_integer(int64_t i, bool is_unsigned)
{
    if (i > UINT32_MAX || i < INT32_MIN || (i < 0 && is_unsigned) || (i > INT32_MAX && !is_unsigned))
        return unknown;
    return (struct value){.kind = VALUE_INT, .i = i, .is_unsigned = is_unsigned};
}

struct value source_real(double r, bool single)
{
    return (struct value){.kind = VALUE_REAL, .r = single ? (float)r : r, .single = single};
}

bool source_is_number(struct value v) { return v.kind == VALUE_INT || v.kind == VALUE_REAL; }
double source_as_real(struct value v) { return v.kind == VALUE_INT ? (double)v.i : v.r; }

int source_truth(struct value v)
{
    if ((v.kind == VALUE_ARRAY && !source_is_object(v)) || v.kind == VALUE_FUNCTION) /* an address is true */
        return 1;
    return source_is_number(v) ? source_as_real(v) != 0 : -1;
}

struct value source_convert(struct value v, uint8_t type)
{
    if (v.kind == VALUE_UNKNOWN && v.i && type != C_OTHER)
        return source_same_value("()", 2, v.i, type);
    if (!source_is_number(v) || type == C_OTHER)
        return v;
    if (type == C_FLOAT || type == C_DOUBLE)
        return source_real(source_as_real(v), type == C_FLOAT);
    if (type == C_BOOL)
        return source_integer(source_as_real(v) != 0, false);
    if (type == C_BITS && source_as_real(v) != 0) /* the width of a bit-field is not tracked */
        return unknown;
    if (v.kind == VALUE_REAL && !(fabs(v.r) < 2147483648.0))
        return unknown;
    int64_t i = v.kind == VALUE_INT ? v.i : (int64_t)v.r;
    if (type == C_SMALL && (i < 0 || i > 127))
        return unknown;
    return source_integer(i, type == C_UNSIGNED);
}

static bool compare(const char *op, size_t n, double a, double b)
{
    if (n == 1)
        return *op == '<' ? a < b : a > b;
    return *op == '<' ? a <= b : *op == '>' ? a >= b : *op == '=' ? a == b : a != b;
}

static struct value of_integers(const struct token *op, struct value a, struct value b)
{
    bool u = a.is_unsigned || b.is_unsigned;
    int64_t x = a.i, y = b.i;
    if ((a.i < 0 || b.i < 0) && u)
        return unknown;
    switch (*op->s) {
    case '+': return source_integer(x + y, u);
    case '-': return source_integer(x - y, u);
    case '*': return (x > INT32_MAX || y > INT32_MAX) ? unknown : source_integer(x * y, u);
    case '/': return y ? source_integer(x / y, u) : unknown;
    case '%': return y ? source_integer(x % y, u) : unknown;
    case '&': return source_integer(x & y, u);
    case '|': return source_integer(x | y, u);
    case '^': return source_integer(x ^ y, u);
    case '<': return y < 0 || y > 31 || x < 0 ? unknown : source_integer(x << y, a.is_unsigned);
    case '>': return y < 0 || y > 31 || x < 0 ? unknown : source_integer(x >> y, a.is_unsigned);
    default: return unknown;
    }
}

struct value source_same_value(const void *text, size_t n, int64_t a, int64_t b)
{
    const int64_t both[] = {a, b};
    const uint64_t hash = hash_bytes(both, sizeof both, hash_bytes(text, n, 1));
    return (struct value){.kind = VALUE_UNKNOWN, .i = (int64_t)(hash >> 2 | 1)}; /* greater than 0 */
}

struct value source_inverse(struct value v)
{
    return (struct value){.kind = VALUE_UNKNOWN, .i = v.kind == VALUE_UNKNOWN && v.i ? ~v.i : 0};
}

/* Returns the result of an operation with unknown operands: unknown, but equal operands give an equal
 * identity. */
static struct value not_known(const struct token *op, size_t n, struct value a, struct value b)
{
    int64_t id[2] = {0};
    for (unsigned i = 0; i < 2; i++) {
        const struct value *v = i ? &b : &a;
        if (v->kind == VALUE_UNKNOWN)
            id[i] = v->i;
        else if (source_is_number(*v))
            id[i] = (int64_t)(hash_bytes(&(double){source_as_real(*v)}, sizeof(double), 7) | 1);
    }
    if (!id[0] || !id[1])
        return unknown;
    /* "<" and ">=" cannot be treated in this way, since both are false for NaN */
    const bool unequal = n == 2 && memcmp(op->s, "!=", 2) == 0;
    const struct value v = source_same_value(unequal ? "==" : op->s, n, id[0], id[1]);
    return unequal ? source_inverse(v) : v;
}

struct value source_operate(const struct token *op, size_t n, struct value a, struct value b)
{
    bool compares = (n == 2 && op->s[1] == '=') || (n == 1 && (*op->s == '<' || *op->s == '>'));
    if (a.kind == VALUE_ARRAY && a.array->shape)
        return unknown;
    if (a.kind == VALUE_ARRAY && b.kind == VALUE_INT && n == 1 && (*op->s == '+' || *op->s == '-')) {
        a.at += *op->s == '+' ? b.i : -b.i;
        return a;
    }
    if (!source_is_number(a) || !source_is_number(b))
        return not_known(op, n, a, b);
    if (compares) {
        bool u = a.kind == VALUE_INT && b.kind == VALUE_INT && (a.is_unsigned || b.is_unsigned);
        if (u && (a.i < 0 || b.i < 0))
            return unknown;
        return source_integer(compare(op->s, n, source_as_real(a), source_as_real(b)), false);
    }
    if (a.kind == VALUE_INT && b.kind == VALUE_INT)
        return of_integers(op, a, b);
    bool single = (a.kind == VALUE_INT || a.single) && (b.kind == VALUE_INT || b.single);
    double x = single ? (float)source_as_real(a) : source_as_real(a),
           y = single ? (float)source_as_real(b) : source_as_real(b);
    switch (*op->s) {
    case '+': return source_real(x + y, single);
    case '-': return source_real(x - y, single);
    case '*': return source_real(x * y, single);
    case '/': return y != 0 ? source_real(x / y, single) : unknown;
    default: return unknown;
    }
}

struct value source_number(const struct token *t)
{
    char text[64], *end;
    if (t->n >= sizeof text)
        return unknown;
    memcpy(text, t->s, t->n);
    text[t->n] = '\0';
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!hex && strpbrk(text, ".eE")) {
        double r = strtod(text, &end);
        bool single = *end == 'f' || *end == 'F';
        if (single) /* rounded only once, from the decimal text */
            return source_real(strtof(text, NULL), true);
        return *end ? unknown : source_real(r, false);
    }
    if (hex && strpbrk(text, ".pP"))
        return unknown;
    unsigned long long i = strtoull(text, &end, 0);
    bool u = *end && strpbrk(end, "uU");
    if (strspn(end, "uUlL") != strlen(end) || i > UINT32_MAX)
        return unknown;
    return source_integer((int64_t)i, u || i > INT32_MAX);
}
