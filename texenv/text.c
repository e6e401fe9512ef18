/* Bounded printf and decimal number parsing, without stdio and independent of the locale.
 *
 * Numbers are exact on purpose. Canonical texts are compared byte by byte and hashed, and the oracle, which
 * is written in another language, reads them. So a float is printed as the shortest decimal that reads back
 * to the same float, and reading is correctly rounded. Both directions use plain big integers. This is slower
 * than the well-known table-driven algorithms, but the code is small enough to verify by reading.
 */
#include "texenv/texenv.h"

#include <float.h>
#include <stdarg.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------
 * Decimal to double
 */

static double double_of_bits(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

/* Returns the double nearest to top * 2^exponent, ties to even. Bit 63 of top must be set. sticky: the true
 * value is slightly greater than top. */
static double round_to_double(uint64_t top, int exponent, bool sticky)
{
    int biased = exponent + 63 + 1023; /* the exponent field if bit 63 becomes the hidden bit */
    unsigned drop = 11;                /* 64 - 53 bits are dropped */
    if (biased >= 2047)
        return double_of_bits((uint64_t)2047 << 52);
    if (biased < 1) { /* subnormal: fewer bits are kept */
        if (biased < -52)
            return 0;
        drop += (unsigned)(1 - biased);
        biased = 0;
    }
    uint64_t kept = drop < 64 ? top >> drop : 0;
    uint64_t rest = drop < 64 ? top << (64 - drop) : top;
    const uint64_t half = (uint64_t)1 << 63;
    if (rest > half || (rest == half && (sticky || (kept & 1))))
        kept++;
    /* A carry out of the 53 bits increments the exponent field, which is the correct result. */
    if (biased)
        return double_of_bits(((uint64_t)(biased - 1) << 52) + kept);
    return double_of_bits(kept);
}

enum { LIMBS = 44 }; /* 32-bit words for 64 bits of digits, 1180 bits of 10^355, 64 bits of quotient */

/* Divides limb by 10^power, rounding down, and returns whether the remainder was not zero. Rounding down
 * after each step gives the same result as rounding down once. */
static bool divide_by_ten(uint32_t limb[LIMBS], int power)
{
    bool dropped = false;
    while (power > 0) {
        uint32_t by = 1;
        for (int i = 0; i < 9 && power > 0; i++, power--)
            by *= 10;
        uint64_t rest = 0;
        for (unsigned i = LIMBS; i-- > 0;) {
            rest = rest << 32 | limb[i];
            limb[i] = (uint32_t)(rest / by);
            rest %= by;
        }
        dropped |= rest != 0;
    }
    return dropped;
}

static void multiply_by_ten(uint32_t limb[LIMBS], int power)
{
    for (; power > 0; power--) {
        uint64_t carry = 0;
        for (unsigned i = 0; i < LIMBS; i++) {
            carry += (uint64_t)limb[i] * 10;
            limb[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
}

/* Returns limb * 2^point, correctly rounded. limb must not be zero. */
static double round_limbs(const uint32_t limb[LIMBS], int point, bool sticky)
{
    unsigned high = LIMBS - 1; /* the highest word that is not zero */
    while (high > 0 && limb[high] == 0)
        high--;
    unsigned lead = 0; /* number of zero bits above its highest set bit */
    while (lead < 31 && !(limb[high] << lead >> 31))
        lead++;
    uint64_t top = (uint64_t)limb[high] << 32 | (high >= 1 ? limb[high - 1] : 0);
    uint32_t next = high >= 2 ? limb[high - 2] : 0;
    if (lead) {
        top = top << lead | next >> (32 - lead);
        next <<= lead;
    }
    sticky |= next != 0;
    for (unsigned i = 0; i + 2 < high; i++)
        sticky |= limb[i] != 0;
    return round_to_double(top, point + 32 * ((int)high - 1) - (int)lead, sticky);
}

/* Returns digits * 10^exponent, correctly rounded. sticky: the true value is slightly greater. */
static double decimal_to_double(uint64_t digits, int exponent, bool sticky)
{
    static const double exact[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (digits == 0)
        return 0;
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD == 0
    /* Both operands are exact doubles, so the single operation rounds only once. */
    if (!sticky && digits <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)digits / exact[-exponent] : (double)digits * exact[exponent];
#else
    (void)exact;
#endif
    if (exponent > 310)
        return double_of_bits((uint64_t)2047 << 52);
    if (exponent < -350)
        return 0;

    uint32_t limb[LIMBS] = {0}; /* little endian */
    const unsigned first = exponent < 0 ? LIMBS - 3 : 0;
    limb[first] = (uint32_t)digits;
    limb[first + 1] = (uint32_t)(digits >> 32);
    if (exponent < 0)
        sticky |= divide_by_ten(limb, -exponent);
    else
        multiply_by_ten(limb, exponent);
    return round_limbs(limb, -32 * (int)first, sticky);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t texenv_scan_number(double *value, const char *s, size_t n)
{
    uint64_t digits = 0;
    int exponent = 0;
    bool any = false, point = false, sticky = false;
    size_t i = 0;
    for (; i < n; i++) {
        if (s[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!is_digit(s[i]))
            break;
        any = true;
        if (digits <= (UINT64_MAX - 9) / 10) { /* 19 digits always fit */
            digits = digits * 10 + (uint64_t)(s[i] - '0');
            exponent -= point;
        } else {
            sticky |= s[i] != '0';
            exponent += !point;
        }
        if (exponent > 100000 || exponent < -100000)
            /* the text has more than 100000 zeros: the value is out of range in any case */
            exponent = exponent > 0 ? 100000 : -100000;
    }
    if (!any)
        return 0;
    if (i < n && (s[i] == 'e' || s[i] == 'E')) {
        size_t at = i + 1;
        bool minus = false;
        if (at < n && (s[at] == '+' || s[at] == '-'))
            minus = s[at++] == '-';
        if (at < n && is_digit(s[at])) { /* otherwise the e does not belong to the number */
            int written = 0;
            for (; at < n && is_digit(s[at]); at++)
                written = written < 100000 ? written * 10 + (s[at] - '0') : written;
            exponent += minus ? -written : written;
            i = at;
        }
    }
    *value = decimal_to_double(digits, exponent, sticky);
    return i;
}

size_t texenv_scan_float(float *value, const char *s, size_t n)
{
    /* The shortest decimal of FLT_MAX is greater than FLT_MAX. */
    const double half_a_step_above = 3.4028235677973366e38; /* between FLT_MAX and 2^128, exactly */
    double number = 0;
    const size_t taken = texenv_scan_number(&number, s, n);
    *value = number <= (double)FLT_MAX ? (float)number
        : number < half_a_step_above   ? FLT_MAX
                                       : (float)double_of_bits((uint64_t)2047 << 52);
    return taken;
}

/* ------------------------------------------------------------------------------------------------
 * Float to decimal
 */

enum { CHUNKS = 14, FLOAT_DIGITS = 9 * CHUNKS }; /* 2^-149 * (2^24 - 1) has 112 significant digits */

/* Writes all decimal digits of mantissa * 2^exponent, most significant first, without leading zeros. The
 * value is 0.DIGITS * 10^*scale. */
static unsigned exact_digits(char digit[FLOAT_DIGITS], uint32_t mantissa, int exponent, int *scale)
{
    const uint32_t base = 1000000000;
    uint32_t chunk[CHUNKS] = {mantissa}; /* little endian, 9 digits each */
    unsigned used = 1;
    /* 2^-n is 5^n / 10^n. Multiplies by as many factors at once as fit into 64 bits. */
    for (int left = exponent < 0 ? -exponent : exponent; left > 0;) {
        uint64_t by = 1;
        for (int i = 0; i < 12 && left > 0; i++, left--)
            by *= exponent < 0 ? 5 : 2;
        uint64_t carry = 0;
        for (unsigned i = 0; i < used; i++) {
            carry += chunk[i] * by;
            chunk[i] = (uint32_t)(carry % base);
            carry /= base;
        }
        while (carry && used < CHUNKS) {
            chunk[used++] = (uint32_t)(carry % base);
            carry /= base;
        }
    }
    unsigned n = 0;
    for (unsigned i = used; i-- > 0;) {
        for (uint32_t unit = base / 10; unit; unit /= 10) {
            unsigned d = chunk[i] / unit % 10;
            if (n || d)
                digit[n++] = (char)d;
        }
    }
    *scale = (int)n + (exponent < 0 ? exponent : 0);
    return n;
}

/* Writes the shortest decimal that reads back as x (positive, finite), and of several with that length the
 * one nearest to x. The value is 0.DIGITS * 10^*scale. */
static unsigned shortest_digits(char out[10], float x, int *scale)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 23);
    uint32_t mantissa = bits & 0x7FFFFF;
    if (exponent)
        mantissa |= 0x800000;
    else
        exponent = 1;

    char digit[FLOAT_DIGITS];
    int point;
    unsigned n = exact_digits(digit, mantissa, exponent - 150, &point);
    uint64_t down = 0;
    for (unsigned count = 1;; count++) {
        down = down * 10 + (count <= n ? (uint64_t)digit[count - 1] : 0);
        int half = count < n ? digit[count] - 5 : -1;
        for (unsigned i = count + 1; half == 0 && i < n; i++)
            half = digit[i] != 0;
        bool up = half > 0 || (half == 0 && (down & 1));
        /* Tries the nearer decimal first, then the farther one: floats are closer together below a power of
         * two than above, so it is possible that only the farther decimal reads back as x. Nine digits always
         * suffice. */
        for (unsigned attempt = 0; attempt < 2; attempt++, up = !up) {
            uint64_t value = down + up;
            if (count < 9 && (float)decimal_to_double(value, point - (int)count, false) != x)
                continue;
            *scale = point;
            for (unsigned i = count; i-- > 0; value /= 10)
                out[i] = (char)('0' + value % 10);
            if (value) { /* carry: 9.99 became 10.0 */
                memmove(out + 1, out, count - 1);
                out[0] = '1';
                ++*scale;
            }
            while (count > 1 && out[count - 1] == '0')
                count--;
            return count;
        }
    }
}

/* ------------------------------------------------------------------------------------------------
 * Formatting
 */

void texenv_text_add(struct texenv_text *text, const char *s, size_t n)
{
    if (text->length + 1 < text->size) {
        size_t room = text->size - 1 - text->length;
        size_t fits = n < room ? n : room;
        memcpy(text->data + text->length, s, fits);
        text->data[text->length + fits] = '\0';
    }
    text->length += n;
}

static void put_number(struct texenv_text *text, uint64_t value, unsigned base)
{
    char digit[20];
    size_t n = sizeof digit;
    do
        digit[--n] = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    texenv_text_add(text, digit + n, sizeof digit - n);
}

static void put_signed(struct texenv_text *text, int64_t value)
{
    if (value < 0)
        texenv_text_add(text, "-", 1);
    put_number(text, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, 10);
}

/* Prints positional digits (0.25, 12) for 1e-7 <= |x| < 1e9, otherwise scientific notation (1.5e-10). */
static void put_float(struct texenv_text *text, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) {
        texenv_text_add(text, "nan", 3);
        return;
    }
    if (bits >> 31) {
        texenv_text_add(text, "-", 1);
        x = -x;
    }
    if ((bits & 0x7FFFFFFF) == 0x7F800000) {
        texenv_text_add(text, "inf", 3);
        return;
    }
    if (x == 0) {
        texenv_text_add(text, "0", 1);
        return;
    }
    char digit[10];
    int scale;
    size_t n = shortest_digits(digit, x, &scale); /* x is 0.DIGITS * 10^scale */
    if (scale > 9 || scale < -6) {
        texenv_text_add(text, digit, 1);
        if (n > 1) {
            texenv_text_add(text, ".", 1);
            texenv_text_add(text, digit + 1, n - 1);
        }
        texenv_text_add(text, "e", 1);
        put_signed(text, scale - 1);
    } else if (scale <= 0) {
        texenv_text_add(text, "0.", 2);
        texenv_text_add(text, "000000", (size_t)-scale);
        texenv_text_add(text, digit, n);
    } else {
        size_t whole = (size_t)scale;
        texenv_text_add(text, digit, n < whole ? n : whole);
        if (n < whole)
            texenv_text_add(text, "00000000", whole - n);
        if (n > whole) {
            texenv_text_add(text, ".", 1);
            texenv_text_add(text, digit + whole, n - whole);
        }
    }
}

static size_t bounded_length(const char *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

/* Supports %s %.*s %c %d %u %x %f %%, and the length modifiers l, ll and z for %d, %u and %x. Any other
 * conversion ends the formatting. */
void texenv_vprintf(struct texenv_text *text, const char *format, va_list args)
{
    for (;;) {
        const char *plain = format;
        while (*format && *format != '%')
            format++;
        texenv_text_add(text, plain, (size_t)(format - plain));
        if (!*format)
            return;
        format++;
        size_t most = SIZE_MAX;
        if (format[0] == '.' && format[1] == '*') {
            int n = va_arg(args, int);
            most = n < 0 ? SIZE_MAX : (size_t)n;
            format += 2;
        }
        unsigned longs = 0;
        bool size = false;
        for (; *format == 'l'; format++)
            longs++;
        if (*format == 'z')
            size = true, format++;
        switch (*format++) {
        case 's': {
            const char *s = va_arg(args, const char *);
            texenv_text_add(text, s, bounded_length(s, most));
            break;
        }
        case 'c': {
            char c = (char)va_arg(args, int);
            texenv_text_add(text, &c, 1);
            break;
        }
        case 'd':
            put_signed(text,
                       size            ? (int64_t)va_arg(args, size_t)
                           : longs > 1 ? va_arg(args, long long)
                           : longs     ? va_arg(args, long)
                                       : va_arg(args, int));
            break;
        case 'u':
        case 'x':
            put_number(text,
                       size            ? va_arg(args, size_t)
                           : longs > 1 ? va_arg(args, unsigned long long)
                           : longs     ? va_arg(args, unsigned long)
                                       : va_arg(args, unsigned),
                       format[-1] == 'x' ? 16 : 10);
            break;
        case 'f': put_float(text, (float)va_arg(args, double)); break;
        case '%': texenv_text_add(text, "%", 1); break;
        default: return;
        }
    }
}

void texenv_text_init(struct texenv_text *text, char *data, size_t size)
{
    text->data = data;
    text->size = size;
    text->length = 0;
    if (size > 0)
        data[0] = '\0';
}

void texenv_printf(struct texenv_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    texenv_vprintf(text, format, args);
    va_end(args);
}

void texenv_emit(const struct texenv_sink *sink, enum texenv_severity severity, int unit,
                 struct texenv_place place, const char *code, const char *format, ...)
{
    if (!sink || !sink->report)
        return;
    struct texenv_diag diag = {.severity = severity, .unit = unit, .place = place, .code = code};
    struct texenv_text text;
    texenv_text_init(&text, diag.text, sizeof diag.text);
    va_list args;
    va_start(args, format);
    texenv_vprintf(&text, format, args);
    va_end(args);
    sink->report(sink->user, &diag);
}
