/* Tests printing and reading of numbers, against the C library: the shortest decimal that reads back is
 * printed, and reading rounds correctly. Also tests that text is cut off correctly at the end of a buffer. */
#include "check.h"
#include "texenv/texenv.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 20050723;

static uint64_t random64(void) /* a pseudo-random number (xorshift64*) */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static float float_of(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static unsigned digits_of(const char *s) /* number of significant digits */
{
    unsigned n = 0, zeros = 0;
    for (; *s && *s != 'e'; s++)
        if (*s == '0')
            zeros++;
        else if (*s > '0' && *s <= '9') {
            n += n ? zeros + 1 : 1;
            zeros = 0;
        }
    return n;
}

static void prints_and_reads(float x)
{
    char data[64], other[64];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    texenv_printf(&text, "%f", (double)x);
    CHECK_SAY(text.length == strlen(data) && text.length > 0 && text.length < 40, "'%s'", data);
    float back = strtof(data, NULL);
    CHECK_SAY(memcmp(&back, &x, sizeof x) == 0, "%a prints as '%s'", (double)x, data);
    double value = -1;
    const char *number = data[0] == '-' ? data + 1 : data;
    CHECK_SAY(texenv_scan_number(&value, number, strlen(number)) == strlen(number) &&
                  (float)value == fabsf(x),
              "%a prints as '%s', which reads as %a", (double)x, data, value);
    float nearest = -1;
    CHECK_SAY(texenv_scan_float(&nearest, number, strlen(number)) == strlen(number) && nearest == fabsf(x),
              "%a prints as '%s', which reads as the float %a", (double)x, data, (double)nearest);
    unsigned n = digits_of(data);
    if (n > 1) { /* one digit less must not read back */
        snprintf(other, sizeof other, "%.*e", (int)n - 2, (double)x);
        CHECK_SAY(strtof(other, NULL) != x, "'%s' is not the shortest: %s", data, other);
    }
}

static void floats(void)
{
    static const float special[] = {0.0f,        1.0f,        0.5f,       0.25f,       0.1f,
                                    1.0f / 3,    FLT_MAX,     FLT_MIN,    FLT_EPSILON, 0.99999994f,
                                    16777216.0f, 1e-7f,       9.9999e-8f, 1e9f,        999999936.0f,
                                    1.5e-10f,    123456.789f, 8388608.5f, 33554432.0f, 9.5367431640625e-7f};
    for (unsigned i = 0; i < sizeof special / sizeof *special; i++)
        prints_and_reads(special[i]);
    prints_and_reads(float_of(1)); /* the smallest subnormal */
    prints_and_reads(float_of(0x7fffff));
    /* powers of two and their neighbours, where the distances of floats differ */
    for (uint32_t e = 1; e < 255; e++)
        for (uint32_t d = 0; d < 3; d++)
            prints_and_reads(float_of((e << 23) - 1 + d));
    for (unsigned k = 0; k <= 255; k++) /* colours of 8 bits, as programs pass them */
        prints_and_reads((float)(k / 255.0));
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)random64() & 0x7fffffff;
        if (bits < 0x7f800000)
            prints_and_reads(float_of(bits));
        prints_and_reads((float)(random64() >> 40) / 16777216.0f); /* in [0,1] */
    }
    float largest = 0, beyond = 0;
    CHECK(texenv_scan_float(&largest, "3.402823567797336e38", 20) == 20 && largest == FLT_MAX);
    CHECK(texenv_scan_float(&beyond, "3.4028235677973367e38", 21) == 21 && isinf(beyond));
    static const struct {
        float x;
        const char *text;
    } rows[] = {{0.25f, "0.25"},       {1, "1"},    {0.1f, "0.1"},       {-0.5f, "-0.5"}, {12, "12"},
                {1.5e-10f, "1.5e-10"}, {0.0f, "0"}, {1e-7f, "0.0000001"}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char data[64];
        struct texenv_text text;
        texenv_text_init(&text, data, sizeof data);
        texenv_printf(&text, "%f", (double)rows[i].x);
        CHECK_SAY(!strcmp(data, rows[i].text), "%s printed as '%s'", rows[i].text, data);
    }
}

static void reads(const char *s, size_t length)
{
    char copy[80], *end;
    CHECK(length < sizeof copy);
    memcpy(copy, s, length);
    copy[length] = '\0';
    double want = strtod(copy, &end), value = -1;
    size_t taken = texenv_scan_number(&value, s, length);
    CHECK_SAY(taken == (size_t)(end - copy), "'%s': took %zu of %zu", copy, taken, (size_t)(end - copy));
    CHECK_SAY(taken == 0 || memcmp(&value, &want, sizeof want) == 0, "'%s' reads as %a, not %a", copy, value,
              want);
}

static void numbers(void)
{
    static const char *const texts[] = {"0",
                                        "1",
                                        ".5",
                                        "5.",
                                        "0.5",
                                        "00012.500",
                                        "1e0",
                                        "1e10",
                                        "1E-10",
                                        "1e+5",
                                        "1.5e",
                                        "1.5e+",
                                        "1.5ex",
                                        "2.2250738585072014e-308",
                                        "4.9406564584124654e-324",
                                        "2.4703282292062327e-324",
                                        "1.7976931348623157e308",
                                        "9007199254740993",
                                        "9007199254740992.5",
                                        "0.1",
                                        "0.3",
                                        "123456789012345678",
                                        "1e23",
                                        "8.5",
                                        "1..5",
                                        "1.2.3",
                                        "0.0000000000000000000000000000001",
                                        "100000000000000000000000",
                                        "3.14159265358979",
                                        "1e-5000",
                                        "0e999999999",
                                        "18446744073709551615"};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        reads(texts[i], strlen(texts[i]));
    double value;
    static const char *const none[] = {"", ".", "e5", "-1", "+1", "x", " 1", "..5"};
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
        CHECK_SAY(texenv_scan_number(&value, none[i], strlen(none[i])) == 0, "'%s'", none[i]);
    CHECK(texenv_scan_number(&value, "1234", 2) == 2 &&
          value == 12); /* only the given number of bytes is read */
    for (unsigned i = 0; i < 20000; i++) {
        char s[64];
        int digits = 1 + (int)(random64() % 19), point = (int)(random64() % (unsigned)(digits + 1)), n = 0;
        for (int d = 0; d < digits; d++) {
            if (d == point)
                s[n++] = '.';
            s[n++] = (char)('0' + random64() % 10);
        }
        if (random64() & 1)
            n += snprintf(s + n, sizeof s - (size_t)n, "e%d", (int)(random64() % 600) - 300);
        reads(s, (size_t)n);
    }
}

static void formatting(void)
{
    char data[100];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    texenv_printf(&text, "%s|%.*s|%d|%u|%x|%c|%%|%zu|%lu|%llu", "ab", 2, "xyz", -7, 4000000000u, 0xbeefu, 'q',
                  (size_t)9, 5ul, 18446744073709551615ull);
    CHECK_SAY(!strcmp(data, "ab|xy|-7|4000000000|beef|q|%|9|5|18446744073709551615"), "%s", data);
    /* With each size of the buffer, the text ends with NUL, its full length is counted, and nothing is
     * written outside of the buffer. */
    for (size_t size = 0; size < 12; size++) {
        memset(data, '#', sizeof data);
        texenv_text_init(&text, data, size);
        texenv_printf(&text, "%s", "hello");
        texenv_printf(&text, "%d", 42);
        CHECK(text.length == 7);
        CHECK(size == 0 ||
              (strlen(data) == (size - 1 < 7 ? size - 1 : 7) && !strncmp(data, "hello42", strlen(data))));
        for (size_t i = size; i < sizeof data; i++)
            CHECK(data[i] == '#');
    }
}

static void cut_message(void *user, const struct texenv_diag *diag)
{
    *(size_t *)user = strlen(diag->text);
    CHECK(diag->unit == 3 && diag->severity == TEXENV_WARNING && diag->place.line == 7 &&
          !strcmp(diag->code, "code"));
}

static void messages(void)
{
    char longer[400];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    size_t length = 0;
    struct texenv_sink sink = {cut_message, &length};
    texenv_emit(&sink, TEXENV_WARNING, 3, (struct texenv_place){.line = 7}, "code", "%s", longer);
    CHECK(length == 239);
    texenv_emit(NULL, TEXENV_WARNING, 3, (struct texenv_place){.line = 7}, "code", "%s", longer);
    sink.report = NULL;
    texenv_emit(&sink, TEXENV_WARNING, 3, (struct texenv_place){.line = 7}, "code", "%s", longer);
}

int main(void)
{
    floats();
    numbers();
    formatting();
    messages();
    return check_report("text");
}
