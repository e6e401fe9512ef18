/* Executes one call (struct texenv_op). Most calls end in a setter of texenv.h or change a texture object.
 * This file adds the GL state around them (texture names, Begin and End, draws) and the texts of
 * GL errors. */
#include "texenv/read/calls.h"
#include "texenv/gl.h"

bool texenv_calls_tell(struct texenv_calls *calls, struct texenv_op *op)
{
    bool first = !op->said;
    op->said = true;
    calls->reader->gl_errors++;
    return first;
}

int texenv_calls_unit(const struct texenv_calls *calls, const struct texenv_op *op)
{
    switch (op->kind) {
    case TEXENV_CALL_TEX_ENV:
    case TEXENV_CALL_TEX_PARAMETER:
    case TEXENV_CALL_BIND_TEXTURE:
    case TEXENV_CALL_TEX_IMAGE:
    case TEXENV_CALL_TEX_STORAGE:
    case TEXENV_CALL_BUILD_MIPMAPS: return calls->context ? calls->context->te.active : -1;
    default: return -1;
    }
}

/* ---- messages ---- */

const char *texenv_calls_name_of(struct texenv_name_buffer *buffer, uint32_t value)
{
    const char *name = texenv_token_name(value);
    if (name)
        return name;
    struct texenv_text text;
    texenv_text_init(&text, buffer->data, sizeof buffer->data);
    texenv_printf(&text, value < 0x100 ? "%u" : "0x%x", value);
    return buffer->data;
}

/* Returns the value of a call as its author wrote it, shortened to one line. In a display list, which does
 * not keep the text, returns the result of texenv_calls_name_of(). */
const char *texenv_calls_value_of(struct texenv_name_buffer *buffer, const struct texenv_op *op,
                                  uint32_t value)
{
    if (!op->text)
        return texenv_calls_name_of(buffer, value);
    unsigned n = op->length < sizeof buffer->data ? op->length : (unsigned)sizeof buffer->data - 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned char c = (unsigned char)op->text[i];
        buffer->data[i] = c >= 0x20 && c < 0x7f ? (char)c : ' ';
    }
    buffer->data[n] = 0;
    return buffer->data;
}

static uint32_t integer_of(const struct texenv_op *op)
{
    if (op->info->form == TEXENV_FORM_I || op->info->form == TEXENV_FORM_IV)
        return (uint32_t)op->v.i[0];
    return texenv_enum_of(op->v.f[0]);
}

#define STAYS "; the state stays as it was"

void texenv_calls_inside_begin(struct texenv_calls *calls, struct texenv_op *op)
{
    TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_OPERATION,
                          "gl%s between glBegin and glEnd; the call is ignored", op->info->name);
}

static void tex_env_error(struct texenv_calls *calls, struct texenv_op *op, uint32_t error)
{
    struct texenv_name_buffer b, c;
    const char *call = op->info->name;
    if (op->a != GL_TEXTURE_ENV && op->a != GL_TEXTURE_FILTER_CONTROL && op->a != GL_POINT_SPRITE)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no target of gl%s" STAYS,
                              texenv_calls_name_of(&b, op->a), call);
    else if (op->a != GL_TEXTURE_ENV || texenv_slot_of(op->b) < 0)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no parameter of %s" STAYS,
                              texenv_calls_name_of(&b, op->b), texenv_calls_name_of(&c, op->a));
    else if (op->b == GL_TEXTURE_ENV_COLOR)
        TEXENV_CALLS_GL_ERROR(calls, op, error,
                              "GL_TEXTURE_ENV_COLOR is no parameter of gl%s, but of gl%sv" STAYS, call, call);
    else if (error == TEXENV_INVALID_VALUE)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of %s, which is 1, 2 or 4" STAYS,
                              texenv_calls_value_of(&b, op, integer_of(op)), texenv_calls_name_of(&c, op->b));
    else
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of %s" STAYS,
                              texenv_calls_value_of(&b, op, integer_of(op)), texenv_calls_name_of(&c, op->b));
}

/* Reports an invalid value in a call that has one value, alone (ActiveTexture, Enable) or after a pname
 * (LightModel, Fog). */
static void value_error(struct texenv_calls *calls, struct texenv_op *op, uint32_t error)
{
    struct texenv_name_buffer b, c;
    if (op->kind == TEXENV_CALL_ALPHA_FUNC)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no comparison of glAlphaFunc" STAYS,
                              texenv_calls_name_of(&b, op->a));
    else if (op->kind == TEXENV_CALL_ENABLE)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no capability of gl%s" STAYS,
                              texenv_calls_value_of(&b, op, op->a), op->info->name);
    else if (op->kind == TEXENV_CALL_LIGHT_MODEL || op->kind == TEXENV_CALL_FOG)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of %s" STAYS,
                              texenv_calls_value_of(&b, op, (uint32_t)op->v.i[0]),
                              texenv_calls_name_of(&c, op->b));
    else
        TEXENV_CALLS_GL_ERROR(
            calls, op, error, "%s is no texture unit of gl%s, which are GL_TEXTURE0 to GL_TEXTURE%d" STAYS,
            texenv_calls_value_of(&b, op, op->a), op->info->name,
            (op->kind == TEXENV_CALL_ACTIVE_TEXTURE ? TEXENV_IMAGE_UNITS : TEXENV_UNITS) - 1);
}

static void report(struct texenv_calls *calls, struct texenv_op *op, uint32_t error)
{
    if (error == TEXENV_OK)
        return;
    if (error == TEXENV_INVALID_OPERATION && calls->context->te.inside_begin)
        texenv_calls_inside_begin(calls, op);
    else if (error == TEXENV_INVALID_OPERATION)
        TEXENV_CALLS_GL_ERROR(calls, op, error,
                              "gl%s: the active unit GL_TEXTURE%d has no texture environment, only "
                              "GL_TEXTURE0 to GL_TEXTURE%d have" STAYS,
                              op->info->name, calls->context->te.active, TEXENV_UNITS - 1);
    else if (op->kind == TEXENV_CALL_TEX_ENV)
        tex_env_error(calls, op, error);
    else
        value_error(calls, op, error);
}

/* ---- textures ---- */

static bool is_proxy(uint32_t target)
{
    return target == GL_PROXY_TEXTURE_1D || target == GL_PROXY_TEXTURE_2D || target == GL_PROXY_TEXTURE_3D ||
        target == GL_PROXY_TEXTURE_RECTANGLE || target == GL_PROXY_TEXTURE_CUBE_MAP;
}

/* Targets of later versions and extensions. GL accepts them, and fixed-function texturing ignores them unless
 * they are enabled. */
static bool is_aside(uint32_t target, bool image)
{
    switch (target) {
    case 0x8134: /* 4D_SGIS */
    case 0x8C18: /* 1D_ARRAY */
    case 0x8C1A: /* 2D_ARRAY */
    case 0x8C2A: /* BUFFER */
    case 0x9009: /* CUBE_MAP_ARRAY */
    case 0x9100: /* 2D_MULTISAMPLE */
    case 0x9102: /* 2D_MULTISAMPLE_ARRAY */
    case 0x8D65: /* EXTERNAL_OES */ return true;
    /* proxies of these targets */
    case 0x8135:
    case 0x8C19:
    case 0x8C1B:
    case 0x900B:
    case 0x9101:
    case 0x9103: return image;
    default: return false;
    }
}

/* Returns the target of BindTexture or TexParameter. Returns -1 if the call has no effect, after reporting
 * GL's error if there is one. */
static int object_target(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_name_buffer b;
    if (calls->context->te.inside_begin) {
        texenv_calls_inside_begin(calls, op);
        return -1;
    }
    int target = texenv_target_of(op->a);
    if (target >= 0 && (target != TEXENV_CUBE || op->a == GL_TEXTURE_CUBE_MAP))
        return target;
    if (!is_aside(op->a, false))
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_ENUM, "%s is no target of gl%s" STAYS,
                              texenv_calls_name_of(&b, op->a), op->info->name);
    return -1;
}

/* Remembers the place in the input where a setting (TEXENV_AT_...) of the active unit was made. Units that
 * only shaders can use have no settings. */
static void set_place(struct texenv_context *x, int slot, struct texenv_place place)
{
    if (x->te.active < TEXENV_UNITS)
        x->places.slot[x->te.active][slot] = place;
}

static void bind_texture(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    int target = object_target(calls, op);
    if (target < 0)
        return;
    struct texenv_object *object = texenv_calls_object(calls, op->b, target);
    if (!object) {
        texenv_calls_no_memory(calls, op->place);
        return;
    }
    if (object->target != target) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_OPERATION,
                              "texture %u was first bound to another target" STAYS, op->b);
        return;
    }
    unsigned unit = x->te.active;
    if (object == x->bound[unit][target])
        return;
    texenv_calls_bind(calls, unit, target, object);
    set_place(x, TEXENV_AT_IMAGE, object->texture.complete ? object->image : op->place);
}

void texenv_calls_delete_textures(struct texenv_calls *calls, struct texenv_op *op,
                                  const struct texenv_value *array)
{
    struct texenv_context *x = calls->context;
    if (x->te.inside_begin) {
        texenv_calls_inside_begin(calls, op);
        return;
    }
    for (size_t i = 0; i < array->count && i < op->a; i++) {
        uint32_t name = (uint32_t)calls->items[array->first + i].integer;
        struct texenv_object *object = name ? texenv_map_remove(&x->share->textures, name) : NULL;
        if (!object)
            continue; /* names without a texture are ignored (3.8.12) */
        /* This context's bindings revert to texture 0; bindings of other contexts keep the object alive. */
        for (unsigned u = 0; u < TEXENV_IMAGE_UNITS; u++)
            if (x->bound[u][object->target] == object)
                texenv_calls_bind(calls, u, object->target, &x->zero[object->target]);
        texenv_calls_release(calls, object);
    }
    x->stamp++;
}

unsigned texenv_calls_parameter(uint32_t pname)
{
    switch (pname) {
    case 0x2800: return TEXENV_MAG_FILTER;
    case 0x2801: return TEXENV_MIN_FILTER;
    case 0x2802: return TEXENV_WRAP_S;
    case 0x2803: return TEXENV_WRAP_T;
    case 0x8072: return TEXENV_WRAP_R;
    default: return TEXENV_TEXTURE_PARAMETERS;
    }
}

/* Returns whether a parameter accepts the value for this target (3.8.4, table 3.18, texture_rectangle). */
static bool takes(unsigned parameter, int target, uint32_t value)
{
    const bool mipmaps = value >= 0x2700 && value <= 0x2703, filter = value <= 0x2601 || mipmaps;
    if (value == TEXENV_NOT_KNOWN)
        return true;
    if (!texenv_filter_name(value) || filter != (parameter <= TEXENV_MAG_FILTER))
        return false;
    /* REPEAT, MIRRORED_REPEAT */
    if (target == TEXENV_RECT && (mipmaps || value == 0x2901 || value == 0x8370))
        return false;
    return parameter != TEXENV_MAG_FILTER || !mipmaps;
}

/* Executes FILTER and BIND_UNKNOWN. BIND_UNKNOWN occurs only in inputs without images, so the unknown texture
 * gets the properties of the texture bound before, but filter parameters of its own. GL errors are not
 * reported, because they make no difference for texturing. */
static void follow_texture(struct texenv_calls *calls, const struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    const int target = texenv_target_of(op->a);
    if (target < 0 || x->te.inside_begin || (target == TEXENV_CUBE && op->a != GL_TEXTURE_CUBE_MAP))
        return;
    struct texenv_object *bound = x->bound[x->te.active][target];
    if (op->kind == TEXENV_CALL_FILTER) {
        const unsigned parameter = texenv_calls_parameter(op->b);
        if (takes(parameter, target, (uint32_t)op->v.i[0]))
            bound->info.parameter[parameter] = (uint32_t)op->v.i[0];
        return;
    }
    struct texenv_object *object = texenv_calls_object_new(calls, TEXENV_NOT_KNOWN, target);
    if (!object) {
        texenv_calls_no_memory(calls, op->place);
        return;
    }
    object->texture = bound->texture;
    texenv_calls_bind(calls, x->te.active, target, object);
    texenv_calls_release(calls, object);
}

/* Returns whether an image of this call's dimensions is possible for the target (3.8.1). TexStorage takes the
 * whole cube map, TexImage one of its faces. */
static bool image_target(const struct texenv_op *op, int target)
{
    switch (op->info->form) {
    case TEXENV_FORM_1: return target == TEXENV_1D;
    case TEXENV_FORM_3: return target == TEXENV_3D;
    default:
        return target == TEXENV_2D || target == TEXENV_RECT ||
            (target == TEXENV_CUBE &&
             (op->a == GL_TEXTURE_CUBE_MAP) == (op->kind == TEXENV_CALL_TEX_STORAGE));
    }
}

/* Executes the definition of an image of size 0, which removes the existing image (3.8.1), or that of one
 * cube face. */
static void remove_image(struct texenv_object *object, uint32_t target)
{
    struct texenv_texture *t = &object->texture;
    t->complete = t->base = 0;
    if (object->target != TEXENV_CUBE)
        return;
    object->face[target - GL_TEXTURE_CUBE_MAP_POSITIVE_X] = 0;
    for (unsigned i = 0; i < 6 && !t->complete; i++)
        if (object->face[i]) {
            t->complete = 1;
            t->base = object->face[i] - 1;
        }
}

static void tex_image(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    struct texenv_name_buffer b;
    if (x->te.inside_begin) {
        texenv_calls_inside_begin(calls, op);
        return;
    }
    if (is_proxy(op->a) || is_aside(op->a, true))
        return;
    int target = texenv_target_of(op->a);
    if (target < 0 || !image_target(op, target)) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_ENUM, "%s is no target of gl%s; no image is made",
                              texenv_calls_name_of(&b, op->a), op->info->name);
        return;
    }
    bool storage = op->kind == TEXENV_CALL_TEX_STORAGE;
    if (op->v.i[0] < storage) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE, "%s %d of gl%s; no image is made",
                              storage ? "levels" : "level", op->v.i[0], op->info->name);
        return;
    }
    if (op->v.i[1] < (storage || op->kind == TEXENV_CALL_BUILD_MIPMAPS)) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                              "a width, height or depth of gl%s is %s; no image is made", op->info->name,
                              op->v.i[1] < 0 ? "negative" : "0");
        return;
    }
    struct texenv_object *object = x->bound[x->te.active][target];
    struct texenv_texture old = object->texture;
    if (texenv_texture_image(&object->texture, storage ? 0 : op->v.i[0], op->b) != TEXENV_OK) {
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                              "%s is no internal format known here; no image is made",
                              texenv_calls_value_of(&b, op, op->b));
        return;
    }
    if ((storage || op->v.i[0] == 0) && target == TEXENV_CUBE)
        for (unsigned i = 0; i < 6; i++)
            if (storage || op->a == GL_TEXTURE_CUBE_MAP_POSITIVE_X + i)
                object->face[i] = object->texture.base + 1;
    if (op->v.i[0] == 0 && op->v.i[1] == 0)
        remove_image(object, op->a);
    if (memcmp(&old, &object->texture, sizeof old) != 0)
        x->share->generation++;
    if (storage || op->v.i[0] == 0) {
        const bool there = object->texture.complete;
        object->info.internal_format = there ? op->b : 0;
        for (unsigned i = 0; i < 3; i++)
            object->info.size[i] = there ? (uint32_t)op->v.i[2 + i] : 0;
        object->image = op->place;
        set_place(x, TEXENV_AT_IMAGE, op->place);
    }
}

static void tex_parameter(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    struct texenv_name_buffer b, c;
    int target = object_target(calls, op);
    if (target < 0)
        return;
    struct texenv_texture *texture = &x->bound[x->te.active][target]->texture, old = *texture;
    if (texenv_texture_parameter_i(texture, op->b, op->v.i[0]) != TEXENV_OK)
        TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_ENUM, "%s is no value of %s" STAYS,
                              texenv_calls_value_of(&b, op, (uint32_t)op->v.i[0]),
                              texenv_calls_name_of(&c, op->b));
    else if (memcmp(&old, texture, sizeof old) != 0)
        x->share->generation++;
}

/* ---- texture environment ---- */

static void tex_env(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    uint32_t error;
    if (op->info->form == TEXENV_FORM_I)
        error = texenv_tex_env_i(&x->te, op->a, op->b, op->v.i[0]);
    else if (op->info->form == TEXENV_FORM_F)
        error = texenv_tex_env_f(&x->te, op->a, op->b, op->v.f[0]);
    else if (op->info->form == TEXENV_FORM_IV)
        error = texenv_tex_env_iv(&x->te, op->a, op->b, op->v.i);
    else
        error = texenv_tex_env_fv(&x->te, op->a, op->b, op->v.f);
    if (error != TEXENV_OK) {
        report(calls, op, error);
        return;
    }
    int slot = texenv_slot_of(op->b);
    if (op->a == GL_POINT_SPRITE) {
        texenv_coord_replace(&x->gl.vertex, &x->te, op->v.i[0]);
        x->vertex_stamp++;
    }
    if (op->a != GL_TEXTURE_ENV || slot < 0)
        return;
    set_place(x, slot, op->value.line ? op->value : op->place);
    for (unsigned c = 0; c < 4 && op->value.line; c++)
        if (op->v.f[c] != op->v.f[c])
            x->te.unit[x->te.active].env.color[c] = op->v.f[c]; /* the setter changed NaN to 0 */
}

static void alpha_func(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv *te = &calls->context->te;
    uint32_t error = texenv_alpha_func(te, op->a, op->v.f[0]);
    report(calls, op, error);
    if (error == TEXENV_OK && op->value.line)
        te->alpha_ref = op->v.f[0];
}

/* Returns whether Enable accepts the value, with all extensions. */
static bool is_capability(uint32_t cap)
{
    static const uint32_t caps[] = {
#define CAP(name, value) value,
#include "texenv/read/gl_caps.def"
    };
    unsigned found = 0;
    for (unsigned i = 0; i < sizeof caps / sizeof caps[0]; i++)
        found |= caps[i] == cap;
    return found;
}

static void enable(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    uint32_t error = TEXENV_INVALID_ENUM;
    if (x->te.inside_begin || is_capability(op->a))
        error = texenv_enable(&x->te, op->a, op->info->form == TEXENV_FORM_1);
    if (error != TEXENV_OK)
        report(calls, op, error);
    else if (texenv_target_of(op->a) >= 0)
        set_place(x, TEXENV_AT_ENABLE, op->place);
    else
        texenv_calls_enable_vertex(calls, op);
}

/* ---- draws ---- */

/* Returns whether two states are equal except for the active units, on which no draw depends. */
static bool same_state(const struct texenv *a, const struct texenv *b)
{
    const size_t rest = offsetof(struct texenv, inside_begin), end = offsetof(struct texenv, packed);
    return memcmp(a->unit, b->unit, sizeof a->unit) == 0 &&
        memcmp((const char *)a + rest, (const char *)b + rest, end - rest) == 0;
}

/* The enumerants for points as a primitive of Begin (POINTS) and as a mode of EvalMesh (POINT). */
enum { POINTS = 0, POINT = 0x1B00 };

/* Finds for each unit the enabled texture target with the highest priority (3.8.15). */
static void find_textures(const struct texenv_texture_info **textures, const struct texenv_context *x)
{
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        textures[u] = NULL;
        for (unsigned t = 0; t < TEXENV_TARGETS; t++)
            if (x->te.unit[u].enabled >> t & 1)
                textures[u] = &x->bound[u][t]->info;
    }
}

void texenv_calls_draw(struct texenv_calls *calls, struct texenv_place place, uint32_t mode)
{
    struct texenv_context *x = calls->context;
    if (x->te.programs) {
        if (!(calls->list_depth && x->program_stamp == x->stamp))
            calls->reader->program_draws++;
        x->program_stamp = x->stamp;
        calls->after_draw.line = 0;
        return;
    }
    bool changed = false;
    if (!x->drawn || x->stamp != x->drawn_stamp || x->share->generation != x->drawn_generation) {
        for (unsigned u = 0; u < TEXENV_UNITS; u++)
            for (unsigned t = 0; t < TEXENV_TARGETS; t++)
                x->te.unit[u].texture[t] = x->bound[u][t]->texture, x->te.packed = 0;
        changed = !x->drawn || !same_state(&x->te, &x->last);
        x->drawn_stamp = x->stamp;
        x->drawn_generation = x->share->generation;
    }
    changed |= texenv_calls_draw_vertex(x, mode == POINTS || mode == POINT);
    if (!x->last_raster.points)
        texenv_calls_draw_beside(calls, mode != TEXENV_DRAWS_UNKNOWN);
    calls->after_draw.line = 0;
    if (calls->list_depth) {
        if (calls->list_drawn && !changed)
            return;
        calls->list_drawn = true;
    }
    if (changed)
        x->last = x->te;
    x->drawn = true;
    x->places.draw = place;
    const struct texenv_texture_info *textures[TEXENV_UNITS];
    find_textures(textures, x);
    struct texenv_draw draw = {.te = &x->te,
                               .places = &x->places,
                               .textures = textures,
                               .vertex = x->last_refused ? NULL : &x->last_vertex,
                               .vertex_refused = x->last_refused,
                               .raster = x->last_raster,
                               .values = x->vertex_lost[0] ? NULL : &x->gl,
                               .changed = changed,
                               .no_images = calls->trace ? calls->reader->images == 0 : !calls->has_images};
    calls->reader->draws++;
    if (calls->reader->on_draw && !calls->reader->on_draw(calls->reader->user, &draw))
        calls->stopped = true;
}

static void draw(struct texenv_calls *calls, struct texenv_op *op)
{
    if (calls->context->te.inside_begin)
        texenv_calls_inside_begin(calls, op);
    else
        texenv_calls_draw(calls, calls->list_depth ? calls->list_place : op->place, op->a);
}

/* ---- dispatch ---- */

static bool changes_state(unsigned kind)
{
    return (kind < TEXENV_CALL_PUSH_ATTRIB && kind != TEXENV_CALL_CLIENT_ACTIVE_TEXTURE) ||
        kind == TEXENV_CALL_POP_ATTRIB || kind == TEXENV_CALL_USE_PROGRAM ||
        kind == TEXENV_CALL_BIND_PIPELINE;
}

/* The calls of End may have been filtered out or left out (notes/formats/gl.md). As long as the input
 * contained no End, any call that is not allowed between Begin and End ends the primitive. */
static void end_begun(struct texenv_calls *calls, unsigned kind)
{
    if (!calls->ends && kind != TEXENV_CALL_END && kind != TEXENV_CALL_CALL_LIST &&
        kind != TEXENV_CALL_MATERIAL)
        calls->context->te.inside_begin = 0;
}

/* Executes a call that may change what texturing computes, or draw. */
static void run_texturing(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    struct texenv *te = &x->te;
    calls->ran = true;
    if (changes_state(op->kind)) {
        x->stamp++;
        if (calls->after_draw.line == 0)
            calls->after_draw = op->place;
    }
    switch (op->kind) {
    case TEXENV_CALL_ACTIVE_TEXTURE: report(calls, op, texenv_active_texture(te, op->a)); break;
    case TEXENV_CALL_CLIENT_ACTIVE_TEXTURE: report(calls, op, texenv_client_active_texture(te, op->a)); break;
    case TEXENV_CALL_ENABLE: enable(calls, op); break;
    case TEXENV_CALL_TEX_ENV: tex_env(calls, op); break;
    case TEXENV_CALL_TEX_PARAMETER: tex_parameter(calls, op); break;
    case TEXENV_CALL_LIGHT_MODEL: report(calls, op, texenv_light_model_i(te, op->b, op->v.i[0])); break;
    case TEXENV_CALL_FOG: report(calls, op, texenv_fog_i(te, op->b, op->v.i[0])); break;
    case TEXENV_CALL_ALPHA_FUNC: alpha_func(calls, op); break;
    case TEXENV_CALL_BIND_TEXTURE: bind_texture(calls, op); break;
    case TEXENV_CALL_TEX_IMAGE:
    case TEXENV_CALL_TEX_STORAGE:
    case TEXENV_CALL_BUILD_MIPMAPS: tex_image(calls, op); break;
    case TEXENV_CALL_USE_PROGRAM: report(calls, op, texenv_use_program(te, op->a)); break;
    case TEXENV_CALL_BIND_PIPELINE: report(calls, op, texenv_bind_pipeline(te, op->a)); break;
    /* allowed between Begin and End (2.6.3) */
    case TEXENV_CALL_CALL_LIST: texenv_calls_call_list(calls, op); break;
    case TEXENV_CALL_DRAW: draw(calls, op); break;
    case TEXENV_CALL_END:
        if (texenv_end(te) != TEXENV_OK)
            TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_OPERATION, "%s without a glBegin before it",
                                  "glEnd");
        break;
    case TEXENV_CALL_BEGIN:
        draw(calls, op);
        texenv_begin(te);
        break;
    default:
        if (te->inside_begin) {
            texenv_calls_inside_begin(calls, op);
            break;
        }
        switch (op->kind) {
        case TEXENV_CALL_PUSH_ATTRIB: texenv_calls_push_attrib(calls, op); break;
        case TEXENV_CALL_POP_ATTRIB: texenv_calls_pop_attrib(calls, op); break;
        case TEXENV_CALL_LIST_BASE: x->list_base = op->a; break;
        case TEXENV_CALL_NEW_LIST: texenv_calls_new_list(calls, op); break;
        case TEXENV_CALL_END_LIST: texenv_calls_end_list(calls, op); break;
        case TEXENV_CALL_DELETE_LISTS: texenv_calls_delete_lists(calls, op); break;
        default: break;
        }
        break;
    }
}

void texenv_calls_run(struct texenv_calls *calls, struct texenv_op *op)
{
    end_begun(calls, op->kind);
    if (op->kind == TEXENV_CALL_FILTER || op->kind == TEXENV_CALL_BIND_UNKNOWN)
        follow_texture(calls, op);
    else if (texenv_calls_is_vertex(op->kind))
        texenv_calls_run_vertex(calls, op);
    else
        run_texturing(calls, op);
}
