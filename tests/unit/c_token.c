/* Tests the tokens of C source (texenv/c_token.h). Expected lengths are those of preprocessing tokens in C11,
 * 6.4. */
#include "check.h"
#include "texenv/c_token.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    size_t length;
    enum texenv_c_token kind;
} cases[] = {
    {"", 0, TEXENV_C_END},
    {"a", 1, TEXENV_C_NAME},
    {"_x1(", 3, TEXENV_C_NAME},
    {"GL_TEXTURE0+1", 11, TEXENV_C_NAME},
    {"0", 1, TEXENV_C_NUMBER},
    {"1.5f,", 4, TEXENV_C_NUMBER},
    {".5.", 3, TEXENV_C_NUMBER}, /* one token, though no number */
    {"1e-5-3", 4, TEXENV_C_NUMBER},
    {"1E+2", 4, TEXENV_C_NUMBER},
    {"2-1", 1, TEXENV_C_NUMBER},
    {"0x1F|", 4, TEXENV_C_NUMBER},
    {"0x1p-3;", 6, TEXENV_C_NUMBER},
    {"0xe+1", 3, TEXENV_C_NUMBER}, /* for C one token, which is no number; readers add 1 */
    {"\"a\"b", 3, TEXENV_C_STRING},
    {"\"a\\\"b\" c", 6, TEXENV_C_STRING},
    {"\"\\\\\"b\"", 4, TEXENV_C_STRING},
    {"'\\''x", 4, TEXENV_C_STRING},
    {"\"a", 2, TEXENV_C_OPEN_STRING},
    {"\"", 1, TEXENV_C_OPEN_STRING},
    {"\"a\\", 3, TEXENV_C_OPEN_STRING},
    {"'a\n'", 2, TEXENV_C_OPEN_STRING},
    {"\"a\\\n\"", 3, TEXENV_C_OPEN_STRING},
    {".x", 1, TEXENV_C_PUNCT},
    {"...", 3, TEXENV_C_PUNCT},
    {"..", 1, TEXENV_C_PUNCT},
    {"<<=1", 3, TEXENV_C_PUNCT},
    {"<<1", 2, TEXENV_C_PUNCT},
    {"->x", 2, TEXENV_C_PUNCT},
    {"-1", 1, TEXENV_C_PUNCT},
    {"::", 2, TEXENV_C_PUNCT},
    {")=", 1, TEXENV_C_PUNCT},
    {"@", 1, TEXENV_C_PUNCT},
};

/* Each text stands in memory of its own size, so that the address sanitizer sees what is read behind it. */
static size_t length(enum texenv_c_token *kind, const char *text, size_t n, bool utf8)
{
    char *copy = malloc(n + !n);
    memcpy(copy, text, n);
    const size_t found = texenv_scan_token(kind, copy, n, utf8);
    free(copy);
    return found;
}

int main(void)
{
    enum texenv_c_token kind;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t n = length(&kind, cases[i].text, strlen(cases[i].text), false);
        CHECK_SAY(n == cases[i].length && kind == cases[i].kind, "'%s': %u bytes of kind %u", cases[i].text,
                  (unsigned)n, (unsigned)kind);
    }
    CHECK(length(&kind, "a\xc3\xa9z", 4, true) == 4 && kind == TEXENV_C_NAME);
    CHECK(length(&kind, "\xc3\xa9", 2, true) == 2 && kind == TEXENV_C_NAME);
    CHECK(length(&kind, "a\xc3\xa9", 3, false) == 1 && kind == TEXENV_C_NAME);
    CHECK(length(&kind, "\xc3\xa9", 2, false) == 1 && kind == TEXENV_C_PUNCT);
    CHECK(length(&kind, "\0", 1, false) == 1 && kind == TEXENV_C_PUNCT);
    return check_report("c_token");
}
