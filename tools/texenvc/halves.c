#include "halves.h"
#include "output.h"

#include <string.h>

static const struct texenv_vertex initial;
static const char coordinates[] = "strq";
static const char *const hows[] = {"positional", "spot", "attenuated"};
static const char *const tracked[] = {"ambient", "diffuse", "specular", "emission"};
static const char *const texgens[TEXENV_TEXGENS] = {"off", "object", "eye", "sphere", "reflection", "normal"};

/* Appends the words of a vertex half or of a part of it. */
static void add_words(struct buffer *b, const struct texenv_vertex *v)
{
    char data[2048];
    struct texenv_text text;
    texenv_text_init(&text, data, sizeof data);
    texenv_print_vertex(&text, v);
    buffer_puts(b, data);
}

/* Determines the part of the draw's vertex half that the state does not read. Returns false if that is
 * nothing. */
static bool not_read(struct texenv_vertex *rest, const struct item *item)
{
    static const struct texenv_vertex *const none = &initial;
    const struct texenv_vertex *all = item->vertex_drawn ? item->vertex_drawn : none;
    const struct texenv_vertex *read = item->vertex ? item->vertex : none;
    *rest = *all;
    if (read->lighting || !all->lighting) {
        memset(rest, 0, sizeof *rest);
        memcpy(rest->texgen, all->texgen, sizeof rest->texgen);
        memcpy(rest->texture_matrix, all->texture_matrix, sizeof rest->texture_matrix);
    }
    rest->normals = TEXENV_NORMALS_PLAIN;
    rest->point_attenuation = rest->fog_coord = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        rest->texture_matrix[u] &= !read->texture_matrix[u];
        for (unsigned c = 0; c < 4; c++)
            if (read->texgen[u][c])
                rest->texgen[u][c] = TEXENV_TEXGEN_OFF;
    }
    return memcmp(rest, &initial, sizeof *rest) != 0;
}

/* ---- colours ---- */

static unsigned add_lights(struct buffer *b, const struct texenv_vertex *v)
{
    unsigned count = 0;
    for (unsigned n = 0; n < TEXENV_LIGHTS; n++) {
        const struct texenv_light *light = &v->light[n];
        const uint8_t how[3] = {light->positional, light->spot, light->attenuated};
        if (!light->enabled)
            continue;
        buffer_printf(b, "%slight%u", count++ ? ", " : "", n);
        bool any = false;
        for (unsigned i = 0; i < 3; i++)
            if (how[i]) {
                buffer_printf(b, "%s%s", any ? ", " : " (", hows[i]);
                any = true;
            }
        buffer_puts(b, any ? ")" : "");
    }
    return count;
}

static void add_tracked(struct buffer *b, const struct texenv_vertex *v)
{
    for (unsigned side = 0; side < 2; side++) {
        if (!v->tracks[side])
            continue;
        buffer_printf(b, "    the %s material's", side ? "back" : "front");
        bool any = false;
        for (unsigned i = 0; i < 4; i++)
            if (v->tracks[side] >> i & 1) {
                buffer_printf(b, "%s %s", any ? " and" : "", tracked[i]);
                any = true;
            }
        buffer_puts(b, " follow the vertex's colour\n");
    }
}

static void add_colours(struct buffer *b, const struct texenv_vertex *v)
{
    struct buffer lights = {0};
    if (!v->lighting)
        return;
    buffer_puts(b, "    primary colour: emission + ambient light of the scene");
    if (add_lights(&lights, v))
        buffer_printf(b, " + ambient%s light of %s",
                      v->separate_specular ? " and diffuse" : ", diffuse and specular", lights.data);
    if (v->separate_specular)
        buffer_puts(b, "\n    secondary colour: specular light of these");
    buffer_printf(b, "%s\n", v->local_viewer ? ", seen from the eye's place" : "");
    buffer_free(&lights);
    if (v->two_side)
        buffer_puts(b, "    back sides have colours of their own, with -n and the back material\n");
    add_tracked(b, v);
}

/* ---- normals, coordinates, fog, points ---- */

static void add_coordinates(struct buffer *b, const struct texenv_vertex *v, unsigned unit)
{
    bool any = false;
    if (memcmp(v->texgen[unit], initial.texgen[unit], 4) == 0 && !v->texture_matrix[unit])
        return;
    buffer_printf(b, "    coordinates %u:", unit);
    for (unsigned mode = 1; mode < TEXENV_TEXGENS; mode++) {
        bool first = true;
        for (unsigned c = 0; c < 4; c++)
            if (v->texgen[unit][c] == mode) {
                buffer_printf(b, "%s %c", !first ? "," : any ? ";" : "", coordinates[c]);
                first = false;
                any = true;
            }
        if (!first)
            buffer_printf(b, " %s", texgens[mode]);
    }
    if (v->texture_matrix[unit])
        buffer_printf(b, "%s times texture matrix %u", any ? ", then" : "", unit);
    buffer_puts(b, "\n");
}

static void add_results(struct buffer *b, const struct texenv_vertex *v)
{
    add_colours(b, v);
    if (v->normals != TEXENV_NORMALS_PLAIN)
        buffer_printf(b, "    normals are %s\n",
                      v->normals == TEXENV_NORMALS_RESCALED ? "rescaled" : "normalised");
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        add_coordinates(b, v, u);
    if (v->fog_coord)
        buffer_puts(b, "    fog coordinate: the vertex's\n");
    if (v->point_attenuation)
        buffer_puts(b, "    points are smaller the farther away they are\n");
}

void explain_vertex(struct buffer *b, const struct item *item)
{
    struct texenv_vertex rest;
    const bool unread = not_read(&rest, item);
    if (item->vertex_refused) {
        buffer_printf(b, "\n  The vertex half is left out: %s\n", item->vertex_refused);
        return;
    }
    if (!unread && (!item->vertex || memcmp(item->vertex, &initial, sizeof initial) == 0))
        return;
    buffer_puts(b, "\n  The vertex half: ");
    const size_t start = b->length;
    add_words(b, item->vertex);
    buffer_puts(b, b->length == start ? "as in the initial state\n" : "\n");
    add_results(b, item->vertex);
    if (unread) {
        buffer_puts(b, "    dropped, since nothing reads it: ");
        add_words(b, &rest);
        buffer_puts(b, "\n");
    }
}

static void note(const struct item *item, const char *code, const char *text)
{
    struct texenv_sink sink = diag_sink(item->source);
    texenv_emit(&sink, TEXENV_NOTE, -1, item->place, code, "%s", text);
}

void lint_vertex(const struct item *item)
{
    struct texenv_vertex rest;
    struct buffer text = {0};
    if (item->vertex_refused) {
        buffer_printf(&text, "the vertex half is left out: %s", item->vertex_refused);
        note(item, "vertex", text.data);
    } else if (not_read(&rest, item)) {
        buffer_puts(&text, "nothing reads this of the vertex half: ");
        add_words(&text, &rest);
        note(item, "vertex-unread", text.data);
    }
    buffer_free(&text);
    if (item->vertex && item->vertex->lighting && !add_lights(&text, item->vertex))
        note(item, "no-light",
             "lighting without a light: emission and ambient light of the scene are all there is");
    buffer_free(&text);
}
