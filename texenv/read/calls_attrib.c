/* PushAttrib and PopAttrib (6.1.15, tables 6.5 to 6.34), for the attribute groups that texturing
 * depends on. */
#include "texenv/read/calls.h"
#include "texenv/gl.h"

/* One entry of the attribute stack. It always saves all groups, because entries are small and pushes are
 * rare; `mask` selects the groups to restore. */
struct texenv_attrib {
    uint32_t mask;
    uint32_t list_base;
    struct texenv te;
    struct texenv_values_gl gl;
    struct texenv_places places;
    struct {
        uint32_t name;
        uint8_t depth_mode, compare;
        uint32_t parameter[TEXENV_TEXTURE_PARAMETERS];
    } bound[TEXENV_IMAGE_UNITS][TEXENV_TARGETS];
};

/* Bits of struct texenv.programs that are capabilities. The GLSL program or pipeline in use belongs to no
 * attribute group. */
enum {
    /* these belong to the groups texture and enable (NV_register_combiners, NV_texture_shader) */
    COMBINERS = TEXENV_PROGRAM_COMBINERS | TEXENV_PROGRAM_TEXTURE_SHADER,
    CAPABILITIES = COMBINERS | TEXENV_PROGRAM_ARB | TEXENV_PROGRAM_ATI
};

void texenv_calls_push_attrib(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (x->attribs == TEXENV_ATTRIB_DEPTH) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_STACK_OVERFLOW,
                              "glPushAttrib: %d groups are pushed already; nothing is saved",
                              TEXENV_ATTRIB_DEPTH);
        return;
    }
    struct texenv_attrib *f = x->attrib[x->attribs];
    if (!f) {
        f = x->attrib[x->attribs] = texenv_calls_resize(calls, NULL, sizeof *f);
        if (!f) {
            texenv_calls_no_memory(calls, op->place);
            return;
        }
    }
    x->attribs++;
    f->mask = op->a;
    f->list_base = x->list_base;
    f->te = x->te;
    f->gl = x->gl;
    f->places = x->places;
    for (unsigned u = 0; u < TEXENV_IMAGE_UNITS; u++)
        for (unsigned t = 0; t < TEXENV_TARGETS; t++) {
            const struct texenv_object *o = x->bound[u][t];
            f->bound[u][t].name = o->name;
            f->bound[u][t].depth_mode = o->texture.depth_mode;
            f->bound[u][t].compare = o->texture.compare;
            memcpy(f->bound[u][t].parameter, o->info.parameter, sizeof o->info.parameter);
        }
}

/* Restores the binding of unit u and target t by name. A texture deleted since the push is created again
 * without an image, as BindTexture would do. */
static void pop_binding(struct texenv_calls *calls, const struct texenv_attrib *f, unsigned u, int t)
{
    struct texenv_context *x = calls->context;
    if (x->bound[u][t]->name != f->bound[u][t].name) {
        struct texenv_object *o = texenv_calls_object(calls, f->bound[u][t].name, t);
        if (!o) {
            texenv_calls_no_memory(calls, (struct texenv_place){0});
            return;
        }
        if (o->target != t)
            return; /* the texture was deleted, and its name now belongs to a texture of another target */
        texenv_calls_bind(calls, u, t, o);
    }
    struct texenv_texture *texture = &x->bound[u][t]->texture;
    memcpy(x->bound[u][t]->info.parameter, f->bound[u][t].parameter, sizeof f->bound[u][t].parameter);
    if (texture->depth_mode != f->bound[u][t].depth_mode || texture->compare != f->bound[u][t].compare) {
        texture->depth_mode = f->bound[u][t].depth_mode;
        texture->compare = f->bound[u][t].compare;
        x->share->generation++;
    }
}

static void pop_programs(struct texenv *te, const struct texenv *old, unsigned bits)
{
    te->programs = (uint8_t)((te->programs & ~bits) | (old->programs & bits));
}

void texenv_calls_pop_attrib(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    if (x->attribs == 0) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_STACK_UNDERFLOW, "%s without a glPushAttrib before it",
                              "glPopAttrib");
        return;
    }
    const struct texenv_attrib *f = x->attrib[--x->attribs];
    const struct texenv *old = &f->te;
    struct texenv *te = &x->te;
    te->packed = 0;
    texenv_values_pop_attrib(&x->gl, &f->gl, f->mask);
    x->vertex_stamp++;
    if (f->mask & GL_TEXTURE_BIT) {
        te->active = old->active;
        pop_programs(te, old, COMBINERS);
        for (unsigned u = 0; u < TEXENV_UNITS; u++) {
            te->unit[u].env = old->unit[u].env;
            te->unit[u].enabled = old->unit[u].enabled;
        }
        for (unsigned u = 0; u < TEXENV_IMAGE_UNITS; u++)
            for (int t = 0; t < TEXENV_TARGETS; t++)
                pop_binding(calls, f, u, t);
        memcpy(x->places.slot, f->places.slot, sizeof x->places.slot);
    }
    if (f->mask & GL_ENABLE_BIT) {
        pop_programs(te, old, CAPABILITIES);
        for (unsigned u = 0; u < TEXENV_UNITS; u++) {
            te->unit[u].enabled = old->unit[u].enabled;
            x->places.slot[u][TEXENV_AT_ENABLE] = f->places.slot[u][TEXENV_AT_ENABLE];
        }
    }
    if (f->mask & (GL_ENABLE_BIT | GL_FOG_BIT)) {
        te->fog = old->fog;
        te->color_sum = old->color_sum; /* belongs to the groups fog and enable (table 6.8) */
    }
    if (f->mask & GL_FOG_BIT) {
        te->fog_mode = old->fog_mode;
        te->fog_coord = old->fog_coord;
    }
    if (f->mask & (GL_ENABLE_BIT | GL_COLOR_BUFFER_BIT))
        te->alpha_test = old->alpha_test;
    if (f->mask & GL_COLOR_BUFFER_BIT) {
        te->alpha_func = old->alpha_func;
        te->alpha_ref = old->alpha_ref;
    }
    if (f->mask & (GL_ENABLE_BIT | GL_LIGHTING_BIT))
        te->lighting = old->lighting;
    if (f->mask & GL_LIGHTING_BIT)
        te->separate_specular = old->separate_specular;
    if (f->mask & GL_LIST_BIT)
        x->list_base = f->list_base;
}
