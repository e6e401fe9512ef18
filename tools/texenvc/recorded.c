#include "recorded.h"

#include <string.h>

/* One value, named group[index].member. index -1 or member NULL: absent. */
struct value {
    const char *group, *member;
    int index;
    const float *now;
    unsigned count;
};
struct writer {
    void (*write)(struct writer *w, const struct value *v);
    struct buffer *b;
    bool unknown;
    struct value last; /* the last value written, whose objects are still open */
};

static bool is_known(const struct value *v)
{
    bool known = true;
    for (unsigned i = 0; i < v->count; i++)
        known &= v->now[i] == v->now[i];
    return known;
}

static void value(struct writer *w, struct value v, const float *first)
{
    if (memcmp(v.now, first, v.count * sizeof *first) != 0 && (w->unknown || is_known(&v)))
        w->write(w, &v);
}

#define VALUE(group, index, member, path, count) \
    value(w, (struct value){group, member, index, path_of(now, path), count}, path_of(first, path))
#define path_of(values, path) (&(values)->path)

static void walk_lights(struct writer *w, const struct texenv_values *now, const struct texenv_values *first)
{
    for (int n = 0; n < TEXENV_LIGHTS; n++) {
        VALUE("light", n, "ambient", light[n].ambient[0], 4);
        VALUE("light", n, "diffuse", light[n].diffuse[0], 4);
        VALUE("light", n, "specular", light[n].specular[0], 4);
        VALUE("light", n, "position", light[n].position[0], 4);
        VALUE("light", n, "spot_direction", light[n].spot_direction[0], 3);
        VALUE("light", n, "spot_exponent", light[n].spot_exponent, 1);
        VALUE("light", n, "spot_cutoff", light[n].spot_cutoff, 1);
        VALUE("light", n, "attenuation", light[n].attenuation[0], 3);
    }
    VALUE("light_model_ambient", -1, NULL, light_model_ambient[0], 4);
    for (int side = 0; side < 2; side++) {
        const char *name = side ? "back" : "front";
        VALUE(name, -1, "ambient", material[side].ambient[0], 4);
        VALUE(name, -1, "diffuse", material[side].diffuse[0], 4);
        VALUE(name, -1, "specular", material[side].specular[0], 4);
        VALUE(name, -1, "emission", material[side].emission[0], 4);
        VALUE(name, -1, "shininess", material[side].shininess, 1);
    }
}

static void walk(struct writer *w, const struct texenv_values *now)
{
    static const char *const lanes[] = {"s", "t", "r", "q"};
    struct texenv_values initial;
    const struct texenv_values *first = &initial;
    texenv_values_init(&initial);
    VALUE("projection", -1, NULL, projection[0], 16);
    VALUE("modelview", -1, NULL, modelview[0], 16);
    for (int u = 0; u < TEXENV_UNITS; u++)
        VALUE("texture_matrix", u, NULL, texture_matrix[u][0], 16);
    walk_lights(w, now, first);
    for (int i = 0; i < TEXENV_UNITS * 4; i++)
        VALUE("object_plane", i / 4, lanes[i % 4], object_plane[i / 4][i % 4][0], 4);
    for (int i = 0; i < TEXENV_UNITS * 4; i++)
        VALUE("eye_plane", i / 4, lanes[i % 4], eye_plane[i / 4][i % 4][0], 4);
    for (int n = 0; n < TEXENV_CLIP_PLANES; n++)
        VALUE("clip_plane", n, NULL, clip_plane[n][0], 4);
    VALUE("fog", -1, "color", fog.color[0], 4);
    VALUE("fog", -1, "density", fog.density, 1);
    VALUE("fog", -1, "start", fog.start, 1);
    VALUE("fog", -1, "end", fog.end, 1);
    VALUE("point", -1, "size", point.size, 1);
    VALUE("point", -1, "min", point.min, 1);
    VALUE("point", -1, "max", point.max, 1);
    VALUE("point", -1, "attenuation", point.attenuation[0], 3);
}

/* ---- JSON ---- */

/* Closes the objects that do not contain the next value; next NULL: closes all. */
static void leave(struct writer *w, const struct value *next)
{
    const struct value *last = &w->last;
    if (!last->group)
        return;
    const bool same = next && strcmp(last->group, next->group) == 0;
    if (last->index >= 0 && last->member && !(same && last->index == next->index))
        buffer_puts(w->b, "}");
    if ((last->index >= 0 || last->member) && !same)
        buffer_puts(w->b, "}");
    if (next)
        buffer_puts(w->b, ", ");
}

static void write_json(struct writer *w, const struct value *v)
{
    const bool same = w->last.group && strcmp(w->last.group, v->group) == 0;
    leave(w, v);
    if (!same)
        buffer_printf(w->b, "\"%s\": %s", v->group, v->index >= 0 || v->member ? "{" : "");
    if (v->index >= 0 && !(same && v->member && w->last.index == v->index))
        buffer_printf(w->b, "\"%d\": %s", v->index, v->member ? "{" : "");
    if (v->member)
        buffer_printf(w->b, "\"%s\": ", v->member);
    if (!is_known(v))
        buffer_puts(w->b, "null");
    for (unsigned i = 0; i < v->count && is_known(v); i++) {
        buffer_puts(w->b, i ? ", " : v->count > 1 ? "[" : "");
        buffer_float(w->b, v->now[i]);
    }
    buffer_puts(w->b, v->count > 1 && is_known(v) ? "]" : "");
    w->last = *v;
}

void add_recorded_members(struct buffer *b, const struct texenv_values *values, bool unknown)
{
    struct writer w = {.write = write_json, .b = b, .unknown = unknown};
    walk(&w, values);
    leave(&w, NULL);
}

/* ---- C ---- */

static void write_c(struct writer *w, const struct value *v)
{
    for (unsigned i = 0; i < v->count; i++) {
        buffer_printf(w->b, "    v->%s", v->group);
        if (v->index >= 0)
            buffer_printf(w->b, "[%d]", v->index);
        if (v->member)
            buffer_printf(w->b, ".%s", v->member);
        if (v->count > 1)
            buffer_printf(w->b, "[%u]", i);
        buffer_puts(w->b, " = (float)");
        buffer_float(w->b, v->now[i]);
        buffer_puts(w->b, ";\n");
    }
}

void add_recorded_statements(struct buffer *b, const struct texenv_values *values)
{
    struct writer w = {.write = write_c, .b = b};
    walk(&w, values);
}
