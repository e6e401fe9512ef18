/* Parses the words of the vertex half (notes/formats/vertex.md) into a struct texenv_vertex. */
#include "texenv/vertex_words.h"

#include <string.h>

struct vertex_reader {
    const char *at, *end, *line_start;
    uint32_t line;
    const struct texenv_sink *sink;
    struct texenv_vertex *v;
    struct texenv_vertex_reads *reads;
};

static bool fail(struct vertex_reader *r, const char *what, const char *from)
{
    const struct texenv_place place = {.line = r->line, .column = (uint32_t)(from - r->line_start) + 1};
    size_t n = 0;
    while (from + n < r->end && n < 40 && from[n] > ' ' && from[n] < 0x7f)
        n++;
    if (n)
        texenv_emit(r->sink, TEXENV_ERROR, -1, place, "vertex", "expected %s, found '%.*s'", what, (int)n,
                    from);
    else
        texenv_emit(r->sink, TEXENV_ERROR, -1, place, "vertex", "expected %s", what);
    return false;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* Skips blanks and comments up to the next word. */
static void skip(struct vertex_reader *r)
{
    while (r->at < r->end && (is_blank(*r->at) || *r->at == '#')) {
        if (*r->at == '#')
            while (r->at + 1 < r->end && r->at[1] != '\n')
                r->at++;
        if (*r->at++ == '\n') {
            r->line++;
            r->line_start = r->at;
        }
    }
}

static bool at_end(const struct vertex_reader *r) { return r->at == r->end || is_blank(*r->at); }

static bool accept(struct vertex_reader *r, const char *text)
{
    const size_t n = strlen(text);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0)
        return false;
    r->at += n;
    return true;
}

/* Returns whether a name ends at the current position. */
static bool is_whole(const struct vertex_reader *r)
{
    const char c = r->at < r->end ? *r->at : ' ';
    return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
}

/* Reads one of the names as a whole and returns its index, or n if none matches. */
static unsigned name(struct vertex_reader *r, const char *const *names, unsigned n)
{
    const char *from = r->at;
    for (unsigned i = 0; i < n; i++) {
        if (accept(r, names[i]) && is_whole(r))
            return i;
        r->at = from;
    }
    return n;
}

/* Reads "a+b" as bits. */
static bool bits(struct vertex_reader *r, const char *const *names, unsigned n, const char *what,
                 unsigned *got)
{
    do {
        const unsigned i = name(r, names, n);
        if (i == n)
            return fail(r, what, r->at);
        *got |= 1u << i;
    } while (accept(r, "+"));
    return true;
}

static bool digit(struct vertex_reader *r, unsigned *n)
{
    if (r->at == r->end || *r->at < '0' || *r->at > '7')
        return fail(r, "a number from 0 to 7", r->at);
    *n = (unsigned)(*r->at++ - '0');
    return is_whole(r) || fail(r, "a number from 0 to 7", r->at - 1);
}

/* Reads ".st" as a mask of s, t, r, q; without ".", the mask is `all`. */
static bool coordinates(struct vertex_reader *r, unsigned *mask)
{
    *mask = 15;
    if (!accept(r, "."))
        return true;
    const char *from = r->at;
    *mask = 0;
    while (r->at < r->end && *r->at && strchr(texenv_vertex_coordinates, *r->at))
        *mask |= 1u << (strchr(texenv_vertex_coordinates, *r->at++) - texenv_vertex_coordinates);
    return (*mask && is_whole(r)) || fail(r, "coordinates, of s, t, r and q", from);
}

static bool flag(struct vertex_reader *r, bool *is)
{
    struct texenv_vertex *v = r->v;
    uint8_t *const simple[TEXENV_VERTEX_FLAGS] = {[TEXENV_VERTEX_LIGHTING] = &v->lighting,
                                                  [TEXENV_VERTEX_TWO_SIDE] = &v->two_side,
                                                  [TEXENV_VERTEX_LOCAL_VIEWER] = &v->local_viewer,
                                                  [TEXENV_VERTEX_SEPARATE_SPECULAR] = &v->separate_specular,
                                                  [TEXENV_VERTEX_FOG_COORD] = &v->fog_coord,
                                                  [TEXENV_VERTEX_POINT_ATTENUATION] = &v->point_attenuation};
    const unsigned n = name(r, texenv_vertex_flags, TEXENV_VERTEX_FLAGS);
    *is = n < TEXENV_VERTEX_FLAGS;
    if (!*is)
        return true;
    if (simple[n])
        *simple[n] = 1;
    else if (n == TEXENV_VERTEX_NORMALIZE)
        v->normals = TEXENV_NORMALS_NORMALIZED;
    else if (v->normals == TEXENV_NORMALS_PLAIN)
        v->normals = TEXENV_NORMALS_RESCALED;
    return true;
}

static bool light(struct vertex_reader *r)
{
    unsigned n, how = 0;
    if (!digit(r, &n) ||
        (accept(r, "=") && !bits(r, texenv_vertex_lights, 3, "positional, spot or attenuated", &how)))
        return false;
    r->v->light[n] = (struct texenv_light){1, how & 1, how >> 1 & 1, how >> 2 & 1};
    return true;
}

static bool texgen(struct vertex_reader *r)
{
    static const uint8_t has[TEXENV_TEXGENS] = {15, 15, 15, 3, 7, 7};
    unsigned unit, mask;
    const char *from;
    if (!digit(r, &unit))
        return false;
    const bool said = r->at < r->end && *r->at == '.';
    if (!coordinates(r, &mask) || !(accept(r, "=") || fail(r, "'=' and a mode", r->at)))
        return false;
    from = r->at;
    const unsigned mode = name(r, texenv_vertex_texgens, TEXENV_TEXGENS);
    if (mode == TEXENV_TEXGENS)
        return fail(r, "a mode: off, object, eye, sphere, reflection or normal", from);
    if (said && mask & ~(unsigned)has[mode])
        return fail(r, mode == TEXENV_TEXGEN_SPHERE ? "a mode that r and q have" : "a mode that q has", from);
    for (unsigned c = 0; c < 4; c++)
        if (mask & has[mode] & 1u << c)
            r->v->texgen[unit][c] = (uint8_t)mode;
    return true;
}

static bool matrix(struct vertex_reader *r)
{
    unsigned unit;
    if (!digit(r, &unit))
        return false;
    r->v->texture_matrix[unit] = 1;
    return true;
}

/* Reads ".front=diffuse". As in GL, the default is both sides, ambient and diffuse. */
static bool color_material(struct vertex_reader *r)
{
    unsigned side = 2, how = 0;
    if (accept(r, ".") && (side = name(r, texenv_vertex_sides, 3)) == 3)
        return fail(r, "front, back or both", r->at);
    if (!accept(r, "="))
        how = TEXENV_TRACKS_AMBIENT | TEXENV_TRACKS_DIFFUSE;
    else if (!bits(r, texenv_vertex_tracked, 4, "ambient, diffuse, specular or emission", &how))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (side == k || side == 2)
            r->v->tracks[k] = (uint8_t)how;
    return true;
}

/* Reads "reads=color+secondary+fog+texcoord1.st". */
static bool reads(struct vertex_reader *r)
{
    do {
        unsigned unit, mask;
        if (accept(r, "color"))
            r->reads->primary = 1;
        else if (accept(r, "secondary"))
            r->reads->secondary = 1;
        else if (accept(r, "fog"))
            r->reads->fog = 1;
        else if (!accept(r, "texcoord"))
            return fail(r, "color, secondary, fog or texcoordN", r->at);
        else if (!digit(r, &unit) || !coordinates(r, &mask))
            return false;
        else
            r->reads->coord[unit] |= (uint8_t)mask;
    } while (accept(r, "+"));
    return true;
}

static bool word(struct vertex_reader *r)
{
    bool is;
    const char *from = r->at;
    if (!flag(r, &is))
        return false;
    const bool ok = is                ? true
        : accept(r, "color-material") ? color_material(r)
        : accept(r, "light")          ? light(r)
        : accept(r, "texgen")         ? texgen(r)
        : accept(r, "matrix")         ? matrix(r)
        : r->reads && accept(r, "reads=")
        ? reads(r)
        : fail(r, "a word of vertex states (lighting, lightN, texgenN=MODE, matrixN, ...)", from);
    return ok && (at_end(r) || fail(r, "a space behind the word", r->at));
}

static bool read_words(struct vertex_reader *r)
{
    memset(r->v, 0, sizeof *r->v);
    if (r->reads)
        memset(r->reads, 0, sizeof *r->reads);
    for (skip(r); r->at < r->end; skip(r))
        if (!word(r)) {
            memset(r->v, 0, sizeof *r->v);
            return false;
        }
    return true;
}

bool texenv_read_vertex(struct texenv_vertex *vertex, struct texenv_vertex_reads *to, const char *text,
                        size_t length, uint32_t first_line, const struct texenv_sink *sink)
{
    text = length ? text : ""; /* text may be NULL then, and C leaves NULL + 0 undefined */
    return read_words(&(struct vertex_reader){text, text + length, text, first_line, sink, vertex, to});
}

bool texenv_read_vertex_words(struct texenv_vertex *vertex, const char *text, const char *end,
                              const char *line_start, uint32_t first_line, const struct texenv_sink *sink)
{
    return read_words(&(struct vertex_reader){text, end, line_start, first_line, sink, vertex, NULL});
}
