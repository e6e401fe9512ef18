/* Executes calls of the vertex half: converts their arguments into an op, and the op into calls of the
 * setters of texenv/values.h and texenv/vertex.h.
 *
 * A number that the input does not contain becomes NaN, which means "not known" to the setters. If an unknown
 * name or number selects a mode, later draws have no vertex half. Neither case is an error, because the
 * fragment half does not depend on it. */
#include "texenv/gl.h"
#include "texenv/read/calls.h"

#define STAYS "; the state stays as it was"

void texenv_calls_lose_vertex(struct texenv_calls *calls, struct texenv_place place, const char *name,
                              size_t length)
{
    struct texenv_context *x = calls->context;
    struct texenv_text text;
    if (!x || x->vertex_lost[0])
        return;
    texenv_text_init(&text, x->vertex_lost, sizeof x->vertex_lost);
    texenv_printf(&text, "what gl%.*s does at line %u is not known here", (int)(length < 40 ? length : 40),
                  name, place.line);
    x->vertex_stamp++;
}

/* ---- values ---- */

static double double_of(const struct texenv_value *v)
{
    return v->kind == TEXENV_V_REAL ? v->real
        : v->kind == TEXENV_V_INT   ? (double)v->integer
                                    : (double)texenv_unknown();
}

static float number_of(const struct texenv_value *v) { return texenv_float(double_of(v)); }

/* Returns element i of an array. In traces an array of one element may be printed as a scalar. */
static float item_of(const struct texenv_calls *calls, const struct texenv_value *v, unsigned i)
{
    if (v->kind != TEXENV_V_ARRAY)
        return i == 0 ? number_of(v) : texenv_unknown();
    if (i < v->count)
        return number_of(&calls->items[v->first + i]);
    return i < v->declared ? 0 : texenv_unknown();
}

/* Converts args[n] into op->v; at least `count` values must be given. Returns false after reporting that an
 * array is too short. */
static bool values(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args,
                   unsigned n, unsigned count)
{
    const struct texenv_value *v = &args[n];
    const struct texenv_place place = texenv_value_place(op->place, v);
    if (count && v->kind == TEXENV_V_MISSING) {
        TEXENV_CALLS_ERROR(calls, place, "missing-argument", "gl%s: its argument '%s' is missing",
                           op->info->name, op->info->param[n]);
        return false;
    }
    if (v->kind == TEXENV_V_ARRAY && v->count < count && v->declared < count) {
        TEXENV_CALLS_ERROR(calls, place, "too-few-values", "'%s' of gl%s has %u values, %u are needed",
                           op->info->param[n], op->info->name, (unsigned)v->count, count);
        return false;
    }
    if (count == 1 && v->kind != TEXENV_V_ARRAY) {
        op->text = v->text;
        op->length = v->length;
    }
    for (unsigned i = 0; i < 4; i++)
        op->v.f[i] = item_of(calls, v, i);
    return true;
}

/* Reads an enumerant that selects a mode. Returns false if its value is not known; the vertex half is then
 * lost. */
static bool token(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *v,
                  uint32_t *out)
{
    const char *near;
    *out = (uint32_t)(uint64_t)v->integer;
    if (v->kind == TEXENV_V_INT)
        return true;
    if (v->kind == TEXENV_V_NAME && !calls->trace) {
        near = texenv_names_nearest_token(v->text, v->length);
        texenv_emit(&calls->reader->sink, TEXENV_WARNING, -1,
                    (struct texenv_place){.call = op->place.call, .line = v->line, .column = v->column},
                    "unknown-name", "unknown GL name %.*s of gl%s%s%s%s",
                    (int)(v->length < 60 ? v->length : 60), v->text, op->info->name,
                    near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    }
    texenv_calls_lose_vertex(calls, op->place, op->info->name, op->info->length);
    return false;
}

/* ---- matrices ---- */

/* Computes the matrix by which one of the calls ORTHO .. PERSPECTIVE multiplies. Returns false if the call is
 * a GL error. */
static bool view_of(const struct texenv_op *op, const struct texenv_value *args, float *m)
{
    double n[9] = {0, 0, 0, 0, -1, 1}; /* near and far of gluOrtho2D are -1 and 1 */
    for (unsigned i = 0; i < op->info->params && i < 9; i++)
        n[i] = double_of(&args[i]);
    switch (op->kind) {
    case TEXENV_CALL_FRUSTUM: return texenv_matrix_frustum(m, n) == TEXENV_OK;
    case TEXENV_CALL_PERSPECTIVE: return texenv_matrix_perspective(m, n[0], n[1], n[2], n[3]) == TEXENV_OK;
    case TEXENV_CALL_LOOK_AT: texenv_matrix_look_at(m, n); return true;
    case TEXENV_CALL_PICK_MATRIX: /* depends on the viewport, which is not known */
        texenv_matrix_identity(m);
        m[0] = m[5] = m[12] = m[13] = texenv_unknown();
        return true;
    default: return texenv_matrix_ortho(m, n) == TEXENV_OK;
    }
}

/* Computes the matrix of a call, column by column, with NaN for unknown elements. Returns false if the call
 * is a GL error. */
static bool matrix_of(const struct texenv_calls *calls, const struct texenv_op *op,
                      const struct texenv_value *args, float *m)
{
    float n[4] = {0, 0, 0, 0}, given[16];
    for (unsigned i = 0; i < 4 && i < op->info->params; i++)
        n[i] = number_of(&args[i]);
    switch (op->kind) {
    case TEXENV_CALL_LOAD_MATRIX:
    case TEXENV_CALL_MULT_MATRIX:
    case TEXENV_CALL_LOAD_TRANSPOSE:
    case TEXENV_CALL_MULT_TRANSPOSE:
        for (unsigned i = 0; i < 16; i++)
            given[i] = item_of(calls, &args[0], i);
        if (op->kind == TEXENV_CALL_LOAD_TRANSPOSE || op->kind == TEXENV_CALL_MULT_TRANSPOSE)
            texenv_matrix_transpose(m, given);
        else
            memcpy(m, given, sizeof given);
        return true;
    case TEXENV_CALL_LOAD_IDENTITY: texenv_matrix_identity(m); return true;
    case TEXENV_CALL_TRANSLATE: texenv_matrix_translate(m, n[0], n[1], n[2]); return true;
    case TEXENV_CALL_SCALE: texenv_matrix_scale(m, n[0], n[1], n[2]); return true;
    case TEXENV_CALL_ROTATE: texenv_matrix_rotate(m, n[0], n[1], n[2], n[3]); return true;
    default: return view_of(op, args, m);
    }
}

/* Stores the matrix in op->v; op->a is set if it is the identity. */
static bool put_matrix(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args)
{
    bool identity = true;
    if (!matrix_of(calls, op, args, op->v.f)) {
        if (op->kind != TEXENV_CALL_PERSPECTIVE) /* in this case gluPerspective calls no GL function */
            TEXENV_CALLS_GL_ERROR(calls, op, TEXENV_INVALID_VALUE,
                                  "gl%s has two sides that are equal, or one that is not above 0" STAYS,
                                  op->info->name);
        return false;
    }
    for (unsigned i = 0; i < 16; i++)
        identity &= op->v.f[i] == (i % 5 == 0);
    op->a = identity;
    return true;
}

/* ---- from arguments to an op ---- */

static unsigned light_values(uint32_t pname)
{
    return pname == GL_POSITION ? 4 : pname >= GL_SPOT_EXPONENT && pname <= GL_QUADRATIC_ATTENUATION ? 1 : 0;
}

/* Marks `count` values as not known, because it is not known which of them a call sets. Returns false. */
static bool forget(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = texenv_unknown();
    return false;
}

static bool prepare_clip_plane(struct texenv_calls *calls, struct texenv_op *op,
                               const struct texenv_value *args)
{
    struct texenv_values *now = &calls->context->gl.values;
    if (args[0].kind != TEXENV_V_INT)
        return forget(now->clip_plane[0], sizeof now->clip_plane / sizeof(float));
    op->a = (uint32_t)(uint64_t)args[0].integer;
    return values(calls, op, args, 1, 0);
}

static bool prepare_material(struct texenv_calls *calls, struct texenv_op *op,
                             const struct texenv_value *args)
{
    struct texenv_values *now = &calls->context->gl.values;
    if (args[0].kind != TEXENV_V_INT || args[1].kind != TEXENV_V_INT)
        return forget((float *)now->material, sizeof now->material / (sizeof(float)));
    op->a = (uint32_t)(uint64_t)args[0].integer;
    op->b = (uint32_t)(uint64_t)args[1].integer;
    return values(calls, op, args, 2, op->b == GL_SHININESS);
}

bool texenv_calls_prepare_vertex(struct texenv_calls *calls, struct texenv_op *op,
                                 const struct texenv_value *args)
{
    switch (op->kind) {
    case TEXENV_CALL_MATRIX_MODE: return token(calls, op, &args[0], &op->a);
    case TEXENV_CALL_TEX_GEN:
        return token(calls, op, &args[0], &op->a) && token(calls, op, &args[1], &op->b) &&
            (op->b != GL_TEXTURE_GEN_MODE || args[2].kind != TEXENV_V_NAME ||
             token(calls, op, &args[2], &op->a)) &&
            values(calls, op, args, 2, op->b == GL_TEXTURE_GEN_MODE);
    case TEXENV_CALL_LIGHT:
        return token(calls, op, &args[0], &op->a) && token(calls, op, &args[1], &op->b) &&
            values(calls, op, args, 2, light_values(op->b));
    case TEXENV_CALL_VERTEX_LIGHT_MODEL:
        return token(calls, op, &args[0], &op->b) &&
            values(calls, op, args, 1, op->b != GL_LIGHT_MODEL_AMBIENT);
    case TEXENV_CALL_COLOR_MATERIAL:
        return token(calls, op, &args[0], &op->a) && token(calls, op, &args[1], &op->b);
    case TEXENV_CALL_MATERIAL: return prepare_material(calls, op, args);
    case TEXENV_CALL_CLIP_PLANE: return prepare_clip_plane(calls, op, args);
    case TEXENV_CALL_POINT_SIZE: return values(calls, op, args, 0, 1);
    /* an unknown mode has been reported already; the shade model is left unchanged */
    case TEXENV_CALL_SHADE_MODEL:
        op->text = args[0].text;
        op->length = args[0].length;
        return args[0].kind != TEXENV_V_OTHER && token(calls, op, &args[0], &op->a);
    case TEXENV_CALL_VERTEX_FOG:
        op->b = (uint32_t)(uint64_t)args[0].integer;
        return values(calls, op, args, 1, op->b != GL_FOG_COLOR);
    case TEXENV_CALL_POINT_PARAMETER:
        return token(calls, op, &args[0], &op->b) &&
            values(calls, op, args, 1, op->b == GL_POINT_DISTANCE_ATTENUATION ? 3 : 1);
    case TEXENV_CALL_PUSH_MATRIX:
    case TEXENV_CALL_POP_MATRIX: return true;
    case TEXENV_CALL_VERTEX_NOT_FOLLOWED:
        texenv_calls_lose_vertex(calls, op->place, op->info->name, op->info->length);
        return false;
    default: return put_matrix(calls, op, args);
    }
}

/* ---- errors ---- */

static void report(struct texenv_calls *calls, struct texenv_op *op, uint32_t error)
{
    const char *name = op->info->name;
    struct texenv_name_buffer a, b;
    if (error == TEXENV_OK)
        return;
    if (error == TEXENV_INVALID_OPERATION && calls->context->te.inside_begin)
        texenv_calls_inside_begin(calls, op);
    else if (error == TEXENV_INVALID_OPERATION)
        TEXENV_CALLS_GL_ERROR(calls, op, error,
                              "gl%s: the active unit GL_TEXTURE%d has no texture coordinates, only "
                              "GL_TEXTURE0 to GL_TEXTURE%d have" STAYS,
                              name, calls->context->te.active, TEXENV_UNITS - 1);
    else if (error == TEXENV_STACK_OVERFLOW)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s: the stack of matrices is full" STAYS, "glPushMatrix");
    else if (error == TEXENV_STACK_UNDERFLOW)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s without a glPushMatrix before it" STAYS, "glPopMatrix");
    else if (op->text && !op->b)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of gl%s" STAYS,
                              texenv_calls_value_of(&a, op, 0), name);
    else if (op->text)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of %s in gl%s" STAYS,
                              texenv_calls_value_of(&a, op, 0), texenv_calls_name_of(&b, op->b), name);
    else if (op->b)
        TEXENV_CALLS_GL_ERROR(calls, op, error, "gl%s has no such parameters as %s and %s" STAYS, name,
                              texenv_calls_name_of(&a, op->a), texenv_calls_name_of(&b, op->b));
    else
        TEXENV_CALLS_GL_ERROR(calls, op, error, "%s is no value of gl%s" STAYS,
                              texenv_calls_name_of(&a, op->a), name);
}

/* ---- from an op to the setters ---- */

static uint32_t set_matrix(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    const float *m = op->v.f;
    const bool load = op->kind == TEXENV_CALL_LOAD_IDENTITY || op->kind == TEXENV_CALL_LOAD_MATRIX ||
        op->kind == TEXENV_CALL_LOAD_TRANSPOSE;
    const uint32_t error = load ? texenv_values_load_matrix(&x->gl, &x->te, m)
                                : texenv_values_mult_matrix(&x->gl, &x->te, m);
    if (error == TEXENV_OK && !op->a && x->gl.vertex.matrix_mode == TEXENV_MATRIX_TEXTURE)
        texenv_calls_matrix_beside(calls, op);
    return error;
}

/* Returns whether the parameter is a colour, whose integers are scaled as in table 2.9. */
static bool is_color(const struct texenv_op *op)
{
    switch (op->b) {
    case GL_AMBIENT:
    case GL_DIFFUSE:
    case GL_SPECULAR:
    case GL_EMISSION:
    case GL_AMBIENT_AND_DIFFUSE:
    case GL_LIGHT_MODEL_AMBIENT:
    case GL_FOG_COLOR: return op->kind != TEXENV_CALL_TEX_GEN && op->kind != TEXENV_CALL_POINT_PARAMETER;
    default: return false;
    }
}

static uint32_t set_values(struct texenv_context *x, struct texenv_op *op)
{
    const bool vector = op->info->form == TEXENV_FORM_IV || op->info->form == TEXENV_FORM_FV;
    const bool integers = vector && op->info->name[op->info->length - 2] == 'i';
    struct texenv_values_gl *gl = &x->gl;
    float f[4];
    for (unsigned c = 0; c < 4; c++)
        f[c] = integers && is_color(op) ? (float)((2.0 * (double)op->v.f[c] + 1) / 4294967295.0) : op->v.f[c];
    switch (op->kind) {
    case TEXENV_CALL_TEX_GEN:
        return vector ? texenv_values_tex_gen_fv(gl, &x->te, op->a, op->b, f)
                      : texenv_values_tex_gen_f(gl, &x->te, op->a, op->b, f[0]);
    case TEXENV_CALL_LIGHT:
        return vector ? texenv_values_light_fv(gl, &x->te, op->a, op->b, f)
                      : texenv_values_light_f(gl, &x->te, op->a, op->b, f[0]);
    case TEXENV_CALL_MATERIAL:
        return vector ? texenv_values_material_fv(gl, op->a, op->b, f)
                      : texenv_values_material_f(gl, op->a, op->b, f[0]);
    case TEXENV_CALL_POINT_PARAMETER:
        return vector ? texenv_values_point_parameter_fv(gl, &x->te, op->b, f)
                      : texenv_values_point_parameter_f(gl, &x->te, op->b, f[0]);
    case TEXENV_CALL_POINT_SIZE: return texenv_values_point_size(gl, &x->te, f[0]);
    case TEXENV_CALL_CLIP_PLANE: return texenv_values_clip_plane(gl, &x->te, op->a, f);
    case TEXENV_CALL_VERTEX_FOG:
        return vector ? texenv_values_fog_fv(gl, &x->te, op->b, f)
                      : texenv_values_fog_f(gl, &x->te, op->b, f[0]);
    default:
        return vector ? texenv_values_light_model_fv(gl, &x->te, op->b, f)
                      : texenv_values_light_model_f(gl, &x->te, op->b, f[0]);
    }
}

void texenv_calls_run_vertex(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    float w_row[4];
    memcpy(w_row, x->gl.vertex.w_row[x->gl.vertex.modelview], sizeof w_row);
    switch (op->kind) {
    case TEXENV_CALL_MATRIX_MODE: report(calls, op, texenv_values_matrix_mode(&x->gl, &x->te, op->a)); break;
    case TEXENV_CALL_PUSH_MATRIX: report(calls, op, texenv_values_push_matrix(&x->gl, &x->te)); break;
    case TEXENV_CALL_POP_MATRIX: report(calls, op, texenv_values_pop_matrix(&x->gl, &x->te)); break;
    case TEXENV_CALL_COLOR_MATERIAL:
        report(calls, op, texenv_values_color_material(&x->gl, &x->te, op->a, op->b));
        break;
    case TEXENV_CALL_SHADE_MODEL: report(calls, op, texenv_shade_model(&x->gl.vertex, &x->te, op->a)); break;
    case TEXENV_CALL_TEX_GEN:
    case TEXENV_CALL_LIGHT:
    case TEXENV_CALL_VERTEX_LIGHT_MODEL:
    case TEXENV_CALL_MATERIAL:
    case TEXENV_CALL_POINT_PARAMETER:
    case TEXENV_CALL_POINT_SIZE:
    case TEXENV_CALL_CLIP_PLANE:
    case TEXENV_CALL_VERTEX_FOG: report(calls, op, set_values(x, op)); break;
    default: report(calls, op, set_matrix(calls, op)); break;
    }
    /* most matrices have no effect on the canonical state */
    if (op->kind > TEXENV_CALL_POP_MATRIX || x->gl.vertex.matrix_mode == TEXENV_MATRIX_TEXTURE ||
        memcmp(w_row, x->gl.vertex.w_row[x->gl.vertex.modelview], sizeof w_row) != 0)
        x->vertex_stamp++;
}

void texenv_calls_enable_vertex(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    x->vertex_stamp++;
    report(calls, op, texenv_values_enable(&x->gl, &x->te, op->a, op->info->form == TEXENV_FORM_1));
}

/* ---- draws ---- */

static bool draw_half(struct texenv_context *x)
{
    struct texenv_vertex now;
    struct texenv_vertex_gl gl = x->gl.vertex;
    const char *refused;
    /* clip planes and radial fog are part of struct texenv_raster, so they do not prevent a vertex half */
    gl.clip_planes = 0;
    if (gl.fog_distance == TEXENV_FOG_RADIAL)
        gl.fog_distance = TEXENV_FOG_PLANE_ABSOLUTE;
    texenv_vertex_of(&now, &gl, &x->te, &refused);
    if (x->vertex_lost[0]) {
        refused = x->vertex_lost;
        memset(&now, 0, sizeof now);
    }
    if (refused == x->last_refused && memcmp(&now, &x->last_vertex, sizeof now) == 0)
        return false;
    x->last_vertex = now;
    x->last_refused = refused;
    return true;
}

bool texenv_calls_draw_vertex(struct texenv_context *x, bool points)
{
    const struct texenv_raster last = x->last_raster;
    const uint64_t stamp = x->vertex_stamp + x->stamp +
        1; /* increases with each change, as both counters only increase */
    const bool half = stamp != x->drawn_vertex_stamp && draw_half(x);
    x->drawn_vertex_stamp = stamp;
    texenv_raster_of(&x->last_raster, &x->gl.vertex, &x->te, points);
    return half || memcmp(&last, &x->last_raster, sizeof last) != 0;
}
