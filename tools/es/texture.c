/* Texture objects and bindings (3.8.11, 3.8.12 of the OpenGL 1.5 specification). */
#include "texture.h"

#include <stdlib.h>
#include <string.h>

static struct es_names names;
static struct es_texture defaults[TEXENV_TARGETS];
static struct es_texture *bound[TEXENV_UNITS][TEXENV_TARGETS];

/* ES's state: the active unit, and the textures that are bound to the targets 2D, CUBE_MAP and 3D of each
 * unit. */
static struct {
    unsigned unit;
    GLuint bound[TEXENV_UNITS][3];
} ours;

static const GLenum es_targets[3] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D};

static unsigned place_of(enum texenv_target target)
{
    return target == TEXENV_CUBE ? 1 : target == TEXENV_3D ? 2 : 0;
}

/* ---- objects ---- */

/* Initialises a texture object. target is TEXENV_TARGETS if the object was not bound yet. */
static void init_texture(struct es_texture *t, GLuint name, enum texenv_target target)
{
    memset(t, 0, sizeof *t);
    t->name = name;
    t->target = target;
    es_texture_parameters_init(&t->parameters, target);
    t->parameters_new = true;
}

static struct es_texture *find(GLuint name) { return es_names_get(&names, name); }

static struct es_texture *add(GLuint name)
{
    struct es_texture *t = malloc(sizeof *t);
    if (es_fails(!t, GL_OUT_OF_MEMORY))
        return NULL;
    init_texture(t, name, TEXENV_TARGETS);
    if (es_names_put(&names, name, t))
        return t;
    free(t);
    return NULL;
}

static struct es_texture *bound_to(unsigned unit, enum texenv_target target)
{
    if (!bound[unit][target]) {
        if (!defaults[target].parameters_new && !defaults[target].es)
            init_texture(&defaults[target], 0, target);
        bound[unit][target] = &defaults[target];
    }
    return bound[unit][target];
}

struct es_texture *es_texture_of(GLenum target, bool image)
{
    const int t = texenv_target_of(target);
    if (t < 0)
        return NULL;
    const bool face = target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z;
    if (t == TEXENV_CUBE && face != image)
        return NULL;
    return bound_to(es.te.active, (enum texenv_target)t);
}

unsigned es_texture_face(GLenum target)
{
    return target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
        ? target - GL_TEXTURE_CUBE_MAP_POSITIVE_X
        : 0;
}

/* ---- completeness (3.8.10) ---- */

bool es_is_mipmap(GLenum filter) { return filter != GL_NEAREST && filter != GL_LINEAR; }

static bool power_of_two(GLsizei n) { return (n & (n - 1)) == 0; }

bool es_texture_limited(const struct es_texture *t)
{
    const struct es_level *l = &t->level[0][0];
    const GLsizei b = 2 * l->border;
    return !es.limits.npot && !(power_of_two(l->size[0] - b) && power_of_two(l->size[1] - b));
}

/* Returns the size of a level along one axis, without its border. */
static GLsizei inner(const struct es_level *l, unsigned axis, enum texenv_target target)
{
    const unsigned axes = target == TEXENV_1D ? 1 : target == TEXENV_3D ? 3 : 2;
    return l->size[axis] - (axis < axes ? 2 * l->border : 0);
}

/* Returns the smallest level that the base level wants. */
static GLint smallest_level(const struct es_texture *t)
{
    const GLint first = t->parameters.base_level;
    GLsizei most = 1;
    GLint last = first;
    for (unsigned axis = 0; axis < 3; axis++) {
        const GLsizei n = inner(&t->level[0][first], axis, t->target);
        most = n > most ? n : most;
    }
    for (; most > 1; most /= 2)
        last++;
    return last < ES_LEVELS ? last : ES_LEVELS - 1;
}

GLint es_texture_last_level(const struct es_texture *t)
{
    const GLint last = smallest_level(t);
    return last < t->parameters.max_level ? last : t->parameters.max_level;
}

/* Tells whether a face has the levels from the base level to `last`. */
static bool has_levels(const struct es_texture *t, unsigned face, GLint last)
{
    const GLint first = t->parameters.base_level;
    const struct es_level *base = &t->level[face][first];
    for (GLint i = first + 1; i <= last; i++) {
        const struct es_level *l = &t->level[face][i];
        if (!l->size[0] || l->internal != base->internal || l->border != base->border)
            return false;
        for (unsigned axis = 0; axis < 3; axis++) {
            const GLsizei n = inner(base, axis, t->target) >> (i - first);
            if (inner(l, axis, t->target) != (n > 1 ? n : 1))
                return false;
        }
    }
    return true;
}

/* Tells whether all faces have the levels from the base level to `last`. */
static bool faces_have_levels(const struct es_texture *t, GLint last)
{
    for (unsigned face = 0; face < (t->target == TEXENV_CUBE ? ES_FACES : 1); face++)
        if (!has_levels(t, face, last))
            return false;
    return true;
}

bool es_texture_uses_mipmaps(const struct es_texture *t)
{
    if (!es_is_mipmap(t->parameters.min_filter))
        return false;
    if (es_texture_limited(t)) {
        es_missing("mipmaps of textures whose size is no power of two",
                   "not in this context: level 0 is used");
        return false;
    }
    if (!es.limits.es3 && t->parameters.max_level < ES_LEVELS && !faces_have_levels(t, smallest_level(t))) {
        es_missing("TEXTURE_MAX_LEVEL", "fewer levels than OpenGL ES 2 wants: level 0 is used");
        return false;
    }
    return true;
}

static bool complete(const struct es_texture *t)
{
    const GLint first = t->parameters.base_level;
    if (first >= ES_LEVELS || first > t->parameters.max_level || !t->level[0][first].size[0])
        return false;
    if (first > 0 && !es.limits.es3) {
        es_missing("TEXTURE_BASE_LEVEL", "above 0 it needs OpenGL ES 3; the texture is not used");
        return false;
    }
    const struct es_level *x = &t->level[0][first];
    const bool mipmaps = es_is_mipmap(t->parameters.min_filter) && !es_texture_limited(t);
    for (unsigned face = 0; face < (t->target == TEXENV_CUBE ? ES_FACES : 1); face++) {
        const struct es_level *l = &t->level[face][first];
        if (t->target == TEXENV_CUBE &&
            (l->size[0] != x->size[0] || l->size[1] != x->size[0] || l->internal != x->internal ||
             l->border != x->border))
            return false;
    }
    return !mipmaps || faces_have_levels(t, es_texture_last_level(t));
}

/* Gives the core the state of the texture that is bound to a unit. */
static void tell(unsigned unit, enum texenv_target target, const struct texenv_texture *te)
{
    es.dirty |= ES_DIRTY_TEXTURES;
    if (memcmp(&es.te.unit[unit].texture[target], te, sizeof *te) == 0)
        return;
    es.te.unit[unit].texture[target] = *te;
    es.te.packed = 0;
    es.dirty |= ES_DIRTY_STATE;
}

void es_texture_changed(struct es_texture *t)
{
    const struct es_texture_parameters *p = &t->parameters;
    memset(&t->te, 0, sizeof t->te);
    t->te.complete = complete(t);
    if (t->te.complete)
        t->te.base = (uint8_t)t->level[0][p->base_level].base;
    texenv_texture_parameter_i(&t->te, GL_DEPTH_TEXTURE_MODE, (GLint)p->depth_mode);
    texenv_texture_parameter_i(&t->te, GL_TEXTURE_COMPARE_MODE, (GLint)p->compare_mode);
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
        if (bound_to(unit, t->target) == t)
            tell(unit, t->target, &t->te);
}

/* ---- ES ---- */

static GLenum bind_in_es(struct es_texture *t, unsigned unit)
{
    const unsigned place = place_of(t->target);
    if (!t->es)
        ES(GenTextures)(1, &t->es);
    if (ours.unit != unit)
        ES(ActiveTexture)(GL_TEXTURE0 + unit);
    ours.unit = unit;
    if (ours.bound[unit][place] != t->es)
        ES(BindTexture)(es_targets[place], t->es);
    ours.bound[unit][place] = t->es;
    return es_targets[place];
}

GLenum es_texture_edit(struct es_texture *t)
{
    es.dirty |= ES_DIRTY_TEXTURES;
    return bind_in_es(t, 0);
}

void es_texture_use(unsigned unit, enum texenv_target target)
{
    struct es_texture *t = bound_to(unit, target);
    if (t->es && ours.bound[unit][place_of(t->target)] == t->es && !t->parameters_new)
        return;
    const GLenum es_target = bind_in_es(t, unit);
    if (t->parameters_new)
        es_texture_parameters_apply(t, es_target);
    t->parameters_new = false;
}

void es_texture_scale(unsigned unit, float scale[2])
{
    const struct es_level *l = &bound_to(unit, TEXENV_RECT)->level[0][0];
    for (unsigned axis = 0; axis < 2; axis++)
        scale[axis] = l->size[axis] > 0 ? 1 / (float)l->size[axis] : 1;
}

/* ---- BindTexture, names ---- */

static void bind(unsigned unit, enum texenv_target target, struct es_texture *t)
{
    bound[unit][target] = t;
    t = bound_to(unit, target);
    tell(unit, target, &t->te);
}

struct es_texture *es_texture_exchange(unsigned unit, enum texenv_target target, struct es_texture *t)
{
    struct es_texture *before = bound[unit][target];
    bound[unit][target] = t;
    return before;
}

ES_COMMAND(bind_texture)
{
    const int target = texenv_target_of(a[0].u);
    (void)data;
    if (es_fails(target < 0 || es_texture_face(a[0].u) || a[0].u == GL_TEXTURE_CUBE_MAP_POSITIVE_X ||
                     (target == TEXENV_3D && !es.limits.es3),
                 GL_INVALID_ENUM))
        return;
    struct es_texture *t = find(a[1].u);
    if (!t && a[1].u && !(t = add(a[1].u)))
        return;
    if (t && t->target == TEXENV_TARGETS)
        init_texture(t, a[1].u, (enum texenv_target)target);
    if (es_fails(t && t->target != (enum texenv_target)target, GL_INVALID_OPERATION))
        return;
    bind(es.te.active, (enum texenv_target)target, t);
}

void glBindTexture(GLenum target, GLuint texture) { ES_CALL(bind_texture, {.u = target}, {.u = texture}); }

void glGenTextures(GLsizei n, GLuint *textures)
{
    static GLuint last;
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++) {
        while (!++last || find(last))
            continue;
        if (!add(last))
            return;
        textures[i] = last;
    }
}

static void remove_texture(struct es_texture *t)
{
    for (unsigned unit = 0; unit < TEXENV_UNITS && t->target < TEXENV_TARGETS; unit++)
        if (bound[unit][t->target] == t)
            bind(unit, t->target, NULL);
    es_names_remove(&names, t->name);
    if (t->es) {
        ES(DeleteTextures)(1, &t->es);
        for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
            for (unsigned place = 0; place < 3; place++)
                if (ours.bound[unit][place] == t->es)
                    ours.bound[unit][place] = 0;
    }
    free(t);
}

void glDeleteTextures(GLsizei n, const GLuint *textures)
{
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++) {
        struct es_texture *t = find(textures[i]);
        if (t)
            remove_texture(t);
    }
}

GLboolean glIsTexture(GLuint texture)
{
    const struct es_texture *t = es_outside() ? find(texture) : NULL;
    return t && t->target != TEXENV_TARGETS;
}

GLboolean glAreTexturesResident(GLsizei n, const GLuint *textures, GLboolean *residences)
{
    (void)residences; /* is written only if the result is FALSE */
    if (!es_outside() || es_fails(n < 0, GL_INVALID_VALUE))
        return GL_FALSE;
    for (GLsizei i = 0; i < n; i++)
        if (es_fails(!find(textures[i]) || find(textures[i])->target == TEXENV_TARGETS, GL_INVALID_VALUE))
            return GL_FALSE;
    return GL_TRUE;
}

ES_COMMAND(prioritize)
{
    struct es_texture *t = find(a[0].u);
    (void)data;
    if (t)
        t->parameters.priority = es_clamp(a[1].f);
}

void glPrioritizeTextures(GLsizei n, const GLuint *textures, const GLclampf *priorities)
{
    if (es_fails(n < 0, GL_INVALID_VALUE))
        return;
    for (GLsizei i = 0; i < n; i++)
        ES_CALL(prioritize, {.u = textures[i]}, {.f = priorities[i]});
}

/* ---- the attribute stack (6.1.14) and queries ---- */

struct pushed {
    GLuint name[TEXENV_UNITS][TEXENV_TARGETS];
    struct es_texture_parameters parameters[TEXENV_UNITS][TEXENV_TARGETS];
};
static struct pushed *stack[ES_ATTRIB_DEPTH];

void es_texture_push(unsigned depth)
{
    struct pushed *p = stack[depth] ? stack[depth] : malloc(sizeof *p);
    stack[depth] = p;
    if (es_fails(!p, GL_OUT_OF_MEMORY))
        return;
    for (unsigned unit = 0; unit < TEXENV_UNITS; unit++)
        for (unsigned target = 0; target < TEXENV_TARGETS; target++) {
            const struct es_texture *t = bound_to(unit, (enum texenv_target)target);
            p->name[unit][target] = t->name;
            p->parameters[unit][target] = t->parameters;
        }
}

void es_texture_pop(unsigned depth)
{
    const struct pushed *p = stack[depth];
    for (unsigned unit = 0; p && unit < TEXENV_UNITS; unit++)
        for (unsigned target = 0; target < TEXENV_TARGETS; target++) {
            const GLuint name = p->name[unit][target];
            struct es_texture *t = name ? find(name) : &defaults[target];
            if (!t || t->target != (enum texenv_target)target) /* was deleted in the meantime */
                t = &defaults[target];
            else if (memcmp(&t->parameters, &p->parameters[unit][target], sizeof t->parameters) != 0) {
                t->parameters = p->parameters[unit][target];
                t->parameters_new = true;
                es_texture_changed(t);
            }
            if (bound[unit][target] != t)
                bind(unit, (enum texenv_target)target, t == &defaults[target] ? NULL : t);
        }
}

GLuint es_texture_bound(enum texenv_target target) { return bound_to(es.te.active, target)->name; }

/* Answers queries of the compressed formats, of which it tells as many as struct es_value has room for. */
bool es_texture_get(GLenum pname, struct es_value *value)
{
    GLint count = 0, formats[256];
    if (pname != GL_NUM_COMPRESSED_TEXTURE_FORMATS && pname != GL_COMPRESSED_TEXTURE_FORMATS)
        return false;
    ES(GetIntegerv)(GL_NUM_COMPRESSED_TEXTURE_FORMATS, &count);
    if (count > 0 && count <= 256)
        ES(GetIntegerv)(GL_COMPRESSED_TEXTURE_FORMATS, formats);
    else
        count = 0;
    count = count > 16 ? 16 : count;
    value->count = 1;
    value->v[0] = count;
    if (pname == GL_NUM_COMPRESSED_TEXTURE_FORMATS)
        return true;
    value->count = (unsigned)count;
    for (GLint i = 0; i < count; i++)
        value->v[i] = formats[i];
    return true;
}
