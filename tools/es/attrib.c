/* PushAttrib and PopAttrib, for server state and for client state (6.1.15). */
#include "draw.h"
#include "list.h"

#include <stdlib.h>
#include <string.h>

/* The state that a push saves. All groups are saved; the mask says which are restored. */
struct frame {
    GLbitfield mask;
    struct texenv te;
    struct texenv_values_gl values;
    struct es_raster raster;
    uint64_t caps;
    GLfloat current[ES_ATTRIBUTES][4], current_index, lod_bias[TEXENV_UNITS];
    GLboolean edge_flag;
    GLuint list_base;
};
struct client_frame {
    GLbitfield mask;
    struct es_arrays arrays;
    uint8_t active;
};
static struct frame *stack[ES_ATTRIB_DEPTH];
static struct client_frame client_stack[ES_ATTRIB_DEPTH];

/* The offset of each group's first member in struct es_raster. The group ends where the next row's begins. */
static const struct {
    GLbitfield mask;
    size_t at;
} group[] = {{GL_COLOR_BUFFER_BIT, offsetof(struct es_raster, blend_source)},
             {GL_DEPTH_BUFFER_BIT, offsetof(struct es_raster, depth_func)},
             {GL_ACCUM_BUFFER_BIT, offsetof(struct es_raster, clear_accum)},
             {GL_STENCIL_BUFFER_BIT, offsetof(struct es_raster, stencil_func)},
             {GL_POLYGON_BIT, offsetof(struct es_raster, cull_face)},
             {GL_LINE_BIT, offsetof(struct es_raster, line_width)},
             {GL_POLYGON_STIPPLE_BIT, offsetof(struct es_raster, polygon_stipple)},
             {GL_VIEWPORT_BIT, offsetof(struct es_raster, viewport)},
             {GL_SCISSOR_BIT, offsetof(struct es_raster, scissor)},
             {GL_HINT_BIT, offsetof(struct es_raster, hint)},
             {GL_MULTISAMPLE_BIT, offsetof(struct es_raster, coverage)},
             {GL_PIXEL_MODE_BIT, offsetof(struct es_raster, read_buffer)},
             {0, sizeof(struct es_raster)}};

ES_COMMAND(push)
{
    const unsigned depth = es.attrib_depth;
    if (es_fails(depth == ES_ATTRIB_DEPTH, GL_STACK_OVERFLOW))
        return;
    if (es_fails(!stack[depth] && !(stack[depth] = malloc(sizeof *stack[depth])), GL_OUT_OF_MEMORY))
        return;
    struct frame *f = stack[depth];
    f->mask = a[0].u;
    f->te = es.te;
    f->values = es.values;
    f->raster = es.raster;
    f->caps = es.caps;
    memcpy(f->current, es.current, sizeof f->current);
    memcpy(f->lod_bias, es.lod_bias, sizeof f->lod_bias);
    f->current_index = es.current_index;
    f->edge_flag = es.edge_flag;
    f->list_base = es.list_base;
    if (f->mask & GL_TEXTURE_BIT)
        es_texture_push(depth);
    es_pixels_push(depth, f->mask);
    es.attrib_depth++;
}

static void pop_environment(const struct texenv *old, GLbitfield mask)
{
    struct texenv *te = &es.te;
    te->packed = 0;
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        if (mask & (GL_TEXTURE_BIT | GL_ENABLE_BIT))
            te->unit[u].enabled = old->unit[u].enabled;
        if (!(mask & GL_TEXTURE_BIT))
            continue;
        te->unit[u].env = old->unit[u].env;
        memcpy(es.values.values.texenv_color[u], te->unit[u].env.color, sizeof te->unit[u].env.color);
    }
    if (mask & GL_TEXTURE_BIT)
        te->active = old->active;
    if (mask & (GL_ENABLE_BIT | GL_FOG_BIT)) {
        te->fog = old->fog;
        te->color_sum = old->color_sum; /* table 6.8 */
    }
    if (mask & GL_FOG_BIT) {
        te->fog_mode = old->fog_mode;
        te->fog_coord = old->fog_coord;
    }
    if (mask & (GL_ENABLE_BIT | GL_COLOR_BUFFER_BIT))
        te->alpha_test = old->alpha_test;
    if (mask & GL_COLOR_BUFFER_BIT) {
        te->alpha_func = old->alpha_func;
        es.values.values.alpha_reference = te->alpha_ref = old->alpha_ref;
    }
    if (mask & (GL_ENABLE_BIT | GL_LIGHTING_BIT))
        te->lighting = old->lighting;
    if (mask & GL_LIGHTING_BIT)
        te->separate_specular = old->separate_specular;
}

ES_COMMAND(pop)
{
    if (es_fails(!es.attrib_depth, GL_STACK_UNDERFLOW))
        return;
    const struct frame *f = stack[--es.attrib_depth];
    if (f->mask & GL_CURRENT_BIT) {
        memcpy(es.current, f->current, sizeof es.current);
        es.arrays_changed = true;
        es.current_index = f->current_index;
        es.edge_flag = f->edge_flag;
    }
    texenv_values_pop_attrib(&es.values, &f->values, f->mask);
    pop_environment(&f->te, f->mask);
    for (unsigned i = 0; group[i].mask; i++)
        if (f->mask & group[i].mask)
            memcpy((char *)&es.raster + group[i].at, (const char *)&f->raster + group[i].at,
                   group[i + 1].at - group[i].at);
    es_raster_apply(f->mask);
    const uint64_t caps = es_caps_of(f->mask);
    es_caps_set((es.caps & ~caps) | (f->caps & caps));
    if (f->mask & GL_TEXTURE_BIT) {
        memcpy(es.lod_bias, f->lod_bias, sizeof es.lod_bias);
        es_texture_pop(es.attrib_depth);
    }
    if (f->mask & GL_LIST_BIT)
        es.list_base = f->list_base;
    es_pixels_pop(es.attrib_depth, f->mask);
    es.dirty |= ES_DIRTY_STATE | ES_DIRTY_VALUES;
}

void glPushAttrib(GLbitfield mask) { ES_CALL(push, {.u = mask}); }
void glPopAttrib(void) { es_call(pop, 0, NULL, NULL, 0); }

void glPushClientAttrib(GLbitfield mask)
{
    if (es_fails(es.client_attrib_depth == ES_ATTRIB_DEPTH, GL_STACK_OVERFLOW))
        return;
    client_stack[es.client_attrib_depth] = (struct client_frame){mask, es.arrays, es.te.client_active};
    if (mask & GL_CLIENT_PIXEL_STORE_BIT)
        es_pixels_push_client(es.client_attrib_depth);
    es.client_attrib_depth++;
}

void glPopClientAttrib(void)
{
    if (es_fails(!es.client_attrib_depth, GL_STACK_UNDERFLOW))
        return;
    const struct client_frame *f = &client_stack[--es.client_attrib_depth];
    if (f->mask & GL_CLIENT_VERTEX_ARRAY_BIT) {
        es.arrays = f->arrays;
        es.arrays_changed = true;
        es.te.client_active = f->active;
    }
    if (f->mask & GL_CLIENT_PIXEL_STORE_BIT)
        es_pixels_pop_client(es.client_attrib_depth);
}
