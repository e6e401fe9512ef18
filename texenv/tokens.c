/* Looks up GL tokens by name and by value. The rows are those of tokens.def and formats.def; name lengths and
 * hash slots are derived from them. gl_tokens.def has all other names, for lookups by name only. */
#include "texenv/gl_names.h"
#include "texenv/texenv.h"

static const struct {
    const char *name;
    uint32_t value;
} rows[] = {
#define TOKEN(name, value) {#name, value},
#include "texenv/tokens.def"
#define FORMAT(name, value, base) {#name, value},
#include "texenv/formats.def"
};

enum {
#define TOKEN(name, value) TOKEN_ROW_##name,
#include "texenv/tokens.def"
    TOKEN_ROWS, /* the rows from here on are formats */
    ROWS = sizeof rows / sizeof rows[0]
};

/* Lengths and values of all rows again, in dense arrays, because they are searched linearly. */
static const uint8_t lengths[] = {
#define TOKEN(name, value) sizeof #name - 1,
#include "texenv/tokens.def"
#define FORMAT(name, value, base) sizeof #name - 1,
#include "texenv/formats.def"
};

static const uint32_t values[] = {
#define TOKEN(name, value) value,
#include "texenv/tokens.def"
#define FORMAT(name, value, base) value,
#include "texenv/formats.def"
};

_Static_assert(ROWS < TEXENV_TOKEN_SLOTS * 2 / 3, "TEXENV_TOKEN_SLOTS is too small");

/* ---- vendor suffixes ---- */

size_t texenv_names_suffix(const char *name, size_t length, bool underscore)
{
    static const char suffix[][8] = {
        "ARB",  "EXT",  "ATI", "NV",    "SGIX",  "SGIS",    "OES",  "ATIX",  "APPLE", "SGI", "IBM",
        "AMD",  "KHR",  "HP",  "INTEL", "MESA",  "SUN",     "3DFX", "IMG",   "QCOM",  "WIN", "PGI",
        "INGR", "REND", "S3",  "OML",   "ANGLE", "GREMEDY", "SUNX", "MESAX", "NVX",   "VIV", "ARM"};
    if (length < 4 || ((name[length - 1] < 'A' || name[length - 1] > 'Z') && name[length - 1] != '3'))
        return 0;
    if (underscore) {
        char last[8] = {0};
        size_t n = 0;
        while (n < 8 && n < length && name[length - n - 1] != '_')
            n++;
        if (n == 8 || n + 1 >= length)
            return 0;
        memcpy(last, name + length - n, n);
        for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++)
            if (memcmp(last, suffix[i], 8) == 0)
                return n + 1;
        return 0;
    }
    for (size_t i = 0; i < sizeof suffix / sizeof suffix[0]; i++) {
        size_t n = strlen(suffix[i]);
        if (length > n + 1 && memcmp(name + length - n, suffix[i], n) == 0)
            return n;
    }
    return 0;
}

/* ---- names of gl_tokens.def ---- */

/* Returns the value of a name of gl_tokens.def, or -1. */
static int64_t registered(const char *name, size_t length)
{
    static const char *const groups[] = {
#define R(group) group,
#include "texenv/gl_tokens.def"
#undef R
    };
    size_t low = 0, count = sizeof groups / sizeof groups[0], high = count, word = 0;
    while (word < length && name[word] != '_')
        word++;
    size_t rest = length > word ? length - word - 1 : 0;
    if (length == word + 1)
        return -1;
    while (low < high) { /* binary search for the first group of this word */
        size_t middle = low + (high - low) / 2;
        int order = strncmp(groups[middle], name, word);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && strncmp(groups[low], name, word) == 0 && groups[low][word] == ' '; low++) {
        uint32_t value = 0;
        for (const char *p = groups[low] + word; *p; value++) {
            size_t n = strcspn(++p, " =");
            bool found = n == rest && memcmp(p, name + length - rest, n) == 0;
            p += n;
            if (*p == '=')
                for (value = 0, p++; *p && *p != ' '; p++)
                    value = value << 4 | (unsigned)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
            if (found)
                return value;
        }
    }
    return -1;
}

/* ---- name -> value ----
 *
 * A name is looked up as written, then without its vendor suffix, and then, for internal formats, with the
 * suffix _ARB or _EXT: the table has RGBA16F_ARB, which GL 3.0 promoted to RGBA16F. ATIX names of
 * ATI_texture_env_combine3 have the values of the ATI names. */

typedef int find_row(const struct texenv_names *names, const char *name, size_t length);

/* Returns the row with exactly this name, or -1. Only few of the 400 rows have the same length, so the length
 * is compared first. */
static int find_by_length(const struct texenv_names *names, const char *name, size_t length)
{
    (void)names;
    if (length == 0 || length > UINT8_MAX)
        return -1;
    for (const uint8_t *p = lengths; (p = memchr(p, (int)length, (size_t)(lengths + ROWS - p))) != NULL; p++)
        if (memcmp(rows[p - lengths].name, name, length) == 0)
            return (int)(p - lengths);
    return -1;
}

static int find_by_hash(const struct texenv_names *names, const char *name, size_t length)
{
    for (uint32_t h = texenv_names_hash(name, length);; h++) {
        unsigned row = names->token[h % TEXENV_TOKEN_SLOTS];
        if (row-- == 0)
            return -1;
        if (lengths[row] == length && memcmp(rows[row].name, name, length) == 0)
            return (int)row;
    }
}

static int64_t find(find_row *row_of, const struct texenv_names *names, const char *name, size_t length)
{
    if (length >= 3 && memcmp(name, "GL_", 3) == 0) {
        name += 3;
        length -= 3;
    }
    /* the formats 1 to 4 have no names, only numbers */
    if (length == 0 || length > 72 || (length == 1 && name[0] >= '0' && name[0] <= '9'))
        return -1;
    int row = row_of(names, name, length);
    int64_t value = row >= 0 ? rows[row].value : registered(name, length);
    if (value >= 0)
        return value;
    size_t suffix = texenv_names_suffix(name, length, true);
    char other[80];
    if (suffix == 5 && memcmp(name + length - 5, "_ATIX", 5) == 0) {
        row = row_of(names, name, length - 1);
        if (row >= 0)
            return rows[row].value;
    }
    if (suffix) {
        row = row_of(names, name, length - suffix);
        if (row >= 0)
            return rows[row].value;
        length -= suffix;
    }
    if (length > sizeof other - 4)
        return -1;
    memcpy(other, name, length);
    for (unsigned i = 0; i < 2; i++) {
        memcpy(other + length, i ? "_EXT" : "_ARB", 4);
        row = row_of(names, other, length + 4);
        if (row >= TOKEN_ROWS)
            return rows[row].value;
    }
    return suffix ? registered(name, length) : -1;
}

int64_t texenv_token(const char *name, size_t length) { return find(find_by_length, NULL, name, length); }

int64_t texenv_names_token(const struct texenv_names *names, const char *name, size_t length)
{
    return find(find_by_hash, names, name, length);
}

void texenv_names_index_tokens(struct texenv_names *names)
{
    memset(names->token, 0, sizeof names->token);
    for (unsigned row = 0; row < ROWS; row++) {
        uint32_t h = texenv_names_hash(rows[row].name, lengths[row]);
        while (names->token[h % TEXENV_TOKEN_SLOTS])
            h++;
        names->token[h % TEXENV_TOKEN_SLOTS] = (uint16_t)(row + 1);
    }
}

/* ---- value -> name ---- */

static const char *const names[] = {
#define TOKEN(name, value) "GL_" #name,
#include "texenv/tokens.def"
#define FORMAT(name, value, base) "GL_" #name,
#include "texenv/formats.def"
};

const char *texenv_token_name(uint32_t value)
{
    /* these values are counts, primitives and attribute bits, which the texture environment does not have */
    if (value >= 2 && value < 0x100)
        return NULL;
    for (unsigned i = 0; i < ROWS;) {
        /* Compares eight values at a time without a branch. */
        if (i + 8 <= ROWS) {
            unsigned hit = 0;
            for (unsigned j = 0; j < 8; j++)
                hit |= values[i + j] == value;
            if (!hit) {
                i += 8;
                continue;
            }
        }
        size_t n = lengths[i];
        if (values[i] == value && !(n > 4 && memcmp(rows[i].name + n - 4, "_BIT", 4) == 0))
            return names[i];
        i++;
    }
    return NULL;
}

/* ---- suggestions for misspelt names ---- */

enum { LONGEST = 48 }; /* longest name for which a suggestion is searched */

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - ('a' - 'A')) : c; }

/* Edit distance: the number of characters to insert, delete, replace or swap with the next one, ignoring
 * case. n and m are at most LONGEST. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
    uint8_t row[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        row[0][j] = (uint8_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint8_t *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (uint8_t)i;
        for (size_t j = 1; j <= m; j++) {
            unsigned best = last[j - 1] + (upper(a[i - 1]) != upper(b[j - 1]));
            best = last[j] + 1u < best ? last[j] + 1u : best;
            best = now[j - 1] + 1u < best ? now[j - 1] + 1u : best;
            if (i > 1 && j > 1 && upper(a[i - 1]) == upper(b[j - 2]) && upper(a[i - 2]) == upper(b[j - 1]))
                best = before[j - 2] + 1u < best ? before[j - 2] + 1u : best;
            now[j] = (uint8_t)best;
        }
    }
    return row[n % 3][m];
}

const char *texenv_names_nearest(const char *const *candidates, size_t count, const char *name, size_t length)
{
    unsigned least = length >= 8 ? 3 : length >= 4 ? 2 : 1; /* a suggestion must have fewer edits than this */
    const char *best = NULL;
    for (size_t i = 0; i < count && length <= LONGEST; i++) {
        size_t n = strlen(candidates[i]);
        if (n > LONGEST || n + least <= length || length + least <= n)
            continue;
        unsigned d = distance(name, length, candidates[i], n);
        if (d < least) {
            least = d;
            best = candidates[i];
        }
    }
    return best;
}

const char *texenv_names_nearest_token(const char *name, size_t length)
{
    return texenv_names_nearest(names, ROWS, name, length);
}
