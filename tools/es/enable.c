/* Enable, Disable, IsEnabled. */
#include "draw.h"

enum how { PASS, KEEP, TELL };
static const struct {
    const char *name;
    GLenum cap;
    GLbitfield groups;
    enum how how;
} row[] = {
#define ES_CAP(name, groups, how) {"Enable(GL_" #name ")", GL_##name, groups, how},
#include "enable.def"
#undef ES_CAP
};

static int row_of(GLenum cap)
{
    for (int i = 0; i < ES_CAP_COUNT; i++)
        if (row[i].cap == cap)
            return i;
    return -1;
}

bool es_enabled(GLenum cap)
{
    const int i = row_of(cap);
    return i >= 0 && es.caps >> i & 1;
}

uint64_t es_caps_of(GLbitfield mask)
{
    uint64_t caps = 0;
    for (unsigned i = 0; i < ES_CAP_COUNT; i++)
        if (mask & (row[i].groups | GL_ENABLE_BIT))
            caps |= (uint64_t)1 << i;
    return caps;
}

static void set(unsigned i, bool on)
{
    const uint64_t bit = (uint64_t)1 << i;
    if (on && row[i].how == TELL)
        es_missing(row[i].name, "ES has no such thing: it changes nothing");
    if (on == ((es.caps & bit) != 0))
        return;
    es.caps ^= bit;
    if (row[i].how == PASS)
        (on ? ES(Enable) : ES(Disable))(row[i].cap);
}

void es_caps_set(uint64_t caps)
{
    for (unsigned i = 0; i < ES_CAP_COUNT; i++)
        set(i, caps >> i & 1);
}

/* Tells whether a capability that the core keeps (struct texenv, struct texenv_values_gl) is enabled; -1: the
 * core has no such capability. */
static int core_enabled(GLenum cap)
{
    const struct texenv_vertex_gl *v = &es.values.vertex;
    const unsigned unit = es.te.active;
    switch (cap) {
    case GL_TEXTURE_1D:
    case GL_TEXTURE_2D:
    case GL_TEXTURE_3D:
    case GL_TEXTURE_CUBE_MAP:
    case GL_TEXTURE_RECTANGLE: return es.te.unit[unit].enabled >> texenv_target_of(cap) & 1;
    case GL_ALPHA_TEST: return es.te.alpha_test;
    case GL_COLOR_MATERIAL: return v->color_material;
    case GL_COLOR_SUM: return es.te.color_sum;
    case GL_FOG: return es.te.fog;
    case GL_LIGHTING: return es.te.lighting;
    case GL_NORMALIZE: return v->normalize;
    case GL_RESCALE_NORMAL: return v->rescale;
    case GL_POINT_SPRITE: return v->point_sprite;
    case GL_TEXTURE_GEN_S:
    case GL_TEXTURE_GEN_T:
    case GL_TEXTURE_GEN_R:
    case GL_TEXTURE_GEN_Q: return v->generated[unit] >> (cap - GL_TEXTURE_GEN_S) & 1;
    default: break;
    }
    if (cap >= GL_LIGHT0 && cap < GL_LIGHT0 + TEXENV_LIGHTS)
        return v->light[cap - GL_LIGHT0].enabled;
    if (cap >= GL_CLIP_PLANE0 && cap < GL_CLIP_PLANE0 + ES_CLIP_PLANES)
        return v->clip_planes >> (cap - GL_CLIP_PLANE0) & 1;
    return -1;
}

static bool is_evaluator(GLenum cap)
{
    return (cap >= GL_MAP1_COLOR_4 && cap <= GL_MAP1_VERTEX_4) ||
        (cap >= GL_MAP2_COLOR_4 && cap <= GL_MAP2_VERTEX_4);
}

ES_COMMAND(enable)
{
    const GLenum cap = a[0].u;
    const bool on = a[1].u != 0;
    const int i = row_of(cap);
    if (i >= 0) {
        set((unsigned)i, on);
        return;
    }
    if (is_evaluator(cap))
        es_missing("evaluators", "there are none");
    if (es_fails(core_enabled(cap) < 0, GL_INVALID_ENUM))
        return;
    if (es_error(texenv_enable(&es.te, cap, on)) ||
        es_error(texenv_values_enable(&es.values, &es.te, cap, on)))
        return;
    es.dirty |= ES_DIRTY_STATE | ES_DIRTY_VALUES;
}

void glEnable(GLenum cap) { ES_CALL(enable, {.u = cap}, {.u = 1}); }
void glDisable(GLenum cap) { ES_CALL(enable, {.u = cap}, {.u = 0}); }

bool es_is_enabled(GLenum cap, bool *on)
{
    const int i = row_of(cap);
    const int core = core_enabled(cap);
    *on = i >= 0 ? es.caps >> i & 1 : core > 0;
    return i >= 0 || core >= 0 || is_evaluator(cap) || es_arrays_enabled(cap, on);
}

GLboolean glIsEnabled(GLenum cap)
{
    bool on = false;
    if (es_outside() && !es_is_enabled(cap, &on))
        es_error(GL_INVALID_ENUM);
    return on;
}
