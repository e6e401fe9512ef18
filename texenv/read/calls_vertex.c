/* Calls of the vertex half: from their values to an op, and from an op to the setters of texenv/vertex.h.
 *
 * A number that a setter needs and the input does not say is NaN, which is what setters call not known. A
 * name or number that says which state is meant, and is not known, loses the vertex half: draws have none
 * from there on. Neither is an error, since the fragment half does not depend on it. */
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

/* NaN. */
static float not_known(void)
{
    static const uint32_t bits = 0x7fc00000u;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static float number_of(const struct texenv_value *v)
{
    if (v->kind != TEXENV_V_REAL && v->kind != TEXENV_V_INT)
        return not_known();
    const double x = v->kind == TEXENV_V_REAL ? v->real : (double)v->integer;
    /* beyond the range of float conversion is undefined in C */
    return x > 1e30 ? 1e30f : x < -1e30 ? -1e30f : (float)x;
}

/* Element i of an array; a scalar stands for its first (traces). */
static float item_of(const struct texenv_calls *calls, const struct texenv_value *v, unsigned i)
{
    if (v->kind != TEXENV_V_ARRAY)
        return i == 0 ? number_of(v) : not_known();
    if (i < v->count)
        return number_of(&calls->items[v->first + i]);
    return i < v->declared ? 0 : not_known();
}

/* The values of args[n] into op->v. False after an error: an array that is too short. */
static bool values(struct texenv_calls *calls, struct texenv_op *op, const struct texenv_value *args,
                   unsigned n, unsigned count)
{
    const struct texenv_value *v = &args[n];
    struct texenv_place place = op->place;
    if (v->line) {
        place.line = v->line;
        place.column = v->column;
    }
    if (count && v->kind == TEXENV_V_MISSING) {
        TEXENV_CALLS_ERROR(calls, place, "missing-argument", "gl%s without its argument '%s'", op->info->name,
                           op->info->param[n]);
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
    for (unsigned i = 0; i < count; i++)
        op->v.f[i] = item_of(calls, v, i);
    return true;
}

/* A token that says which state is meant. False: it is not known, and with it the vertex half. */
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

/* The matrix of the call, column by column; elements that are not known, and do not matter, are NaN. */
static void matrix_of(const struct texenv_calls *calls, const struct texenv_op *op,
                      const struct texenv_value *args, float *m)
{
    const bool projective = op->kind == TEXENV_CALL_PROJECTIVE;
    for (unsigned i = 0; i < 16; i++)
        m[i] = i % 4 < 3 ? not_known() : (i == (projective ? 11 : 15)) ? (projective ? -1.0f : 1.0f) : 0;
    switch (op->kind) {
    case TEXENV_CALL_LOAD_MATRIX:
    case TEXENV_CALL_MULT_MATRIX:
        for (unsigned i = 0; i < 16; i++)
            m[i] = item_of(calls, &args[0], i);
        break;
    case TEXENV_CALL_LOAD_TRANSPOSE:
    case TEXENV_CALL_MULT_TRANSPOSE:
        for (unsigned i = 0; i < 16; i++)
            m[i] = item_of(calls, &args[0], i % 4 * 4 + i / 4);
        break;
    case TEXENV_CALL_LOAD_IDENTITY:
    case TEXENV_CALL_TRANSLATE:
    case TEXENV_CALL_SCALE:
        for (unsigned i = 0; i < 16; i++)
            m[i] = i % 5 == 0;
        for (unsigned i = 0; i < 3 && op->kind != TEXENV_CALL_LOAD_IDENTITY; i++)
            m[op->kind == TEXENV_CALL_SCALE ? 5 * i : 12 + i] = number_of(&args[i]);
        break;
    case TEXENV_CALL_ROTATE:
        for (unsigned i = 0; i < 16 && number_of(&args[0]) == 0; i++)
            m[i] = i % 5 == 0;
        break;
    default: break;
    }
}

/* a: it is the identity. */
static void put_matrix(const struct texenv_calls *calls, struct texenv_op *op,
                       const struct texenv_value *args)
{
    bool identity = true;
    matrix_of(calls, op, args, op->v.f);
    for (unsigned i = 0; i < 16; i++)
        identity &= op->v.f[i] == (i % 5 == 0);
    op->a = identity;
}

/* ---- from values to an op ---- */

static unsigned light_values(uint32_t pname)
{
    return pname == GL_POSITION ? 4 : pname >= GL_SPOT_EXPONENT && pname <= GL_QUADRATIC_ATTENUATION ? 1 : 0;
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
    case TEXENV_CALL_MATERIAL: /* values only: what is not known is no loss */
        if (args[0].kind != TEXENV_V_INT || args[1].kind != TEXENV_V_INT)
            return false;
        op->a = (uint32_t)(uint64_t)args[0].integer;
        op->b = (uint32_t)(uint64_t)args[1].integer;
        return values(calls, op, args, 2, op->b == GL_SHININESS) && !calls->context->compile_only;
    case TEXENV_CALL_POINT_PARAMETER:
        return token(calls, op, &args[0], &op->b) &&
            values(calls, op, args, 1, op->b == GL_POINT_DISTANCE_ATTENUATION ? 3 : 1);
    case TEXENV_CALL_PUSH_MATRIX:
    case TEXENV_CALL_POP_MATRIX: return true;
    case TEXENV_CALL_VERTEX_NOT_FOLLOWED:
        texenv_calls_lose_vertex(calls, op->place, op->info->name, op->info->length);
        return false;
    default: put_matrix(calls, op, args); return true;
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
    const uint32_t error = load ? texenv_load_matrix(&x->vertex, &x->te, m)
                                : texenv_mult_matrix(&x->vertex, &x->te, m);
    if (error == TEXENV_OK && !op->a && x->vertex.matrix_mode == TEXENV_MATRIX_TEXTURE)
        texenv_calls_matrix_beside(calls, op);
    return error;
}

static uint32_t set_values(struct texenv_context *x, struct texenv_op *op)
{
    const bool vector = op->info->form == TEXENV_FORM_IV || op->info->form == TEXENV_FORM_FV;
    struct texenv_vertex_gl *v = &x->vertex;
    const float *f = op->v.f;
    switch (op->kind) {
    case TEXENV_CALL_TEX_GEN:
        return vector ? texenv_tex_gen_fv(v, &x->te, op->a, op->b, f)
                      : texenv_tex_gen_f(v, &x->te, op->a, op->b, f[0]);
    case TEXENV_CALL_LIGHT:
        return vector ? texenv_light_fv(v, &x->te, op->a, op->b, f)
                      : texenv_light_f(v, &x->te, op->a, op->b, f[0]);
    case TEXENV_CALL_MATERIAL:
        return vector ? texenv_material_fv(op->a, op->b, f) : texenv_material_f(op->a, op->b, f[0]);
    case TEXENV_CALL_POINT_PARAMETER:
        return vector ? texenv_point_parameter_fv(v, &x->te, op->b, f)
                      : texenv_point_parameter_f(v, &x->te, op->b, f[0]);
    default:
        return vector ? texenv_vertex_light_model_fv(v, &x->te, op->b, f)
                      : texenv_vertex_light_model_f(v, &x->te, op->b, f[0]);
    }
}

void texenv_calls_run_vertex(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    float w_row[4];
    memcpy(w_row, x->vertex.w_row[x->vertex.modelview], sizeof w_row);
    switch (op->kind) {
    case TEXENV_CALL_MATRIX_MODE: report(calls, op, texenv_matrix_mode(&x->vertex, &x->te, op->a)); break;
    case TEXENV_CALL_PUSH_MATRIX: report(calls, op, texenv_push_matrix(&x->vertex, &x->te)); break;
    case TEXENV_CALL_POP_MATRIX: report(calls, op, texenv_pop_matrix(&x->vertex, &x->te)); break;
    case TEXENV_CALL_COLOR_MATERIAL:
        report(calls, op, texenv_color_material(&x->vertex, &x->te, op->a, op->b));
        break;
    case TEXENV_CALL_TEX_GEN:
    case TEXENV_CALL_LIGHT:
    case TEXENV_CALL_VERTEX_LIGHT_MODEL:
    case TEXENV_CALL_MATERIAL:
    case TEXENV_CALL_POINT_PARAMETER: report(calls, op, set_values(x, op)); break;
    default: report(calls, op, set_matrix(calls, op)); break;
    }
    /* what most matrices are has no effect on a state */
    if (op->kind > TEXENV_CALL_POP_MATRIX || x->vertex.matrix_mode == TEXENV_MATRIX_TEXTURE ||
        memcmp(w_row, x->vertex.w_row[x->vertex.modelview], sizeof w_row) != 0)
        x->vertex_stamp++;
}

void texenv_calls_enable_vertex(struct texenv_calls *calls, struct texenv_op *op)
{
    struct texenv_context *x = calls->context;
    x->vertex_stamp++;
    report(calls, op, texenv_vertex_enable(&x->vertex, &x->te, op->a, op->info->form == TEXENV_FORM_1));
}

/* ---- draws ---- */

bool texenv_calls_draw_vertex(struct texenv_context *x)
{
    struct texenv_vertex now;
    const char *refused;
    const uint64_t stamp = x->vertex_stamp + x->stamp + 1; /* both only grow */
    if (stamp == x->drawn_vertex_stamp)
        return false;
    x->drawn_vertex_stamp = stamp;
    texenv_vertex_of(&now, &x->vertex, &x->te, &refused);
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
