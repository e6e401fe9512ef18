/* State that ES has, too: blending, depth, stencil, masks, viewport and so on. It is passed on to ES, and
 * kept for queries and the attribute stack. */
#include "draw.h"

#include <string.h>

#define R es.raster

static bool invalid(bool is) { return is && es_error(GL_INVALID_ENUM); }
static bool is_compare(GLenum func) { return func >= GL_NEVER && func <= GL_ALWAYS; }
static bool is_face(GLenum face) { return face == GL_FRONT || face == GL_BACK || face == GL_FRONT_AND_BACK; }

static bool is_winding(GLenum mode) { return mode == GL_CW || mode == GL_CCW; }
static bool is_logic_op(GLenum op) { return op >= GL_CLEAR && op <= GL_SET; }

/* Defines a call with one enumerant. */
#define ENUM(Name, member, is, pass) \
    ES_COMMAND(member) \
    { \
        if (!invalid(!is(a[0].u))) \
            pass(R.member = a[0].u); \
    } \
    void gl##Name(GLenum value) { ES_CALL(member, {.u = value}); }
ENUM(DepthFunc, depth_func, is_compare, ES(DepthFunc))
ENUM(CullFace, cull_face, is_face, ES(CullFace))
ENUM(FrontFace, front_face, is_winding, ES(FrontFace))
ENUM(LogicOp, logic_op, is_logic_op, )

/* ---- blending ---- */

static bool is_factor(GLenum factor, bool of_source)
{
    return factor == GL_ZERO || factor == GL_ONE ||
        (factor >= GL_SRC_COLOR && factor <= GL_ONE_MINUS_DST_COLOR) ||
        (factor == GL_SRC_ALPHA_SATURATE && of_source) ||
        (factor >= GL_CONSTANT_COLOR && factor <= GL_ONE_MINUS_CONSTANT_ALPHA);
}

static void apply_blending(void)
{
    ES(BlendFuncSeparate)
    (R.blend_source[0], R.blend_destination[0], R.blend_source[1], R.blend_destination[1]);
    ES(BlendEquationSeparate)(R.blend_equation[0], R.blend_equation[1]);
    ES(BlendColor)(R.blend_color[0], R.blend_color[1], R.blend_color[2], R.blend_color[3]);
}

ES_COMMAND(blend_func)
{
    if (invalid(!is_factor(a[0].u, true) || !is_factor(a[1].u, false) || !is_factor(a[2].u, true) ||
                !is_factor(a[3].u, false)))
        return;
    for (unsigned i = 0; i < 2; i++) {
        R.blend_source[i] = a[2 * i].u;
        R.blend_destination[i] = a[2 * i + 1].u;
    }
    ES(BlendFuncSeparate)(a[0].u, a[1].u, a[2].u, a[3].u);
}

static bool is_equation(GLenum mode)
{
    return mode == GL_FUNC_ADD || mode == GL_FUNC_SUBTRACT || mode == GL_FUNC_REVERSE_SUBTRACT ||
        ((mode == GL_MIN || mode == GL_MAX) && es.limits.min_max);
}

ES_COMMAND(blend_equation)
{
    if (invalid(!is_equation(a[0].u) || !is_equation(a[1].u)))
        return;
    R.blend_equation[0] = a[0].u;
    R.blend_equation[1] = a[1].u;
    ES(BlendEquationSeparate)(a[0].u, a[1].u);
}

ES_COMMAND(blend_color)
{
    for (unsigned c = 0; c < 4; c++)
        R.blend_color[c] = es_clamp(a[c].f);
    ES(BlendColor)(R.blend_color[0], R.blend_color[1], R.blend_color[2], R.blend_color[3]);
}

void glBlendFuncSeparate(GLenum s, GLenum d, GLenum source_alpha, GLenum destination_alpha)
{
    ES_CALL(blend_func, {.u = s}, {.u = d}, {.u = source_alpha}, {.u = destination_alpha});
}
void glBlendFunc(GLenum s, GLenum d) { glBlendFuncSeparate(s, d, s, d); }
void glBlendEquationSeparate(GLenum color, GLenum alpha)
{
    ES_CALL(blend_equation, {.u = color}, {.u = alpha});
}
void glBlendEquation(GLenum mode) { glBlendEquationSeparate(mode, mode); }
void glBlendColor(GLclampf r, GLclampf g, GLclampf b, GLclampf alpha)
{
    ES_CALL(blend_color, {.f = r}, {.f = g}, {.f = b}, {.f = alpha});
}

/* ---- clearing and masks ---- */

ES_COMMAND(clear_color)
{
    for (unsigned c = 0; c < 4; c++)
        R.clear_color[c] = es_clamp(a[c].f);
    ES(ClearColor)(R.clear_color[0], R.clear_color[1], R.clear_color[2], R.clear_color[3]);
}
ES_COMMAND(clear_depth) { ES(ClearDepthf)(R.clear_depth = es_clamp(a[0].f)); }
ES_COMMAND(clear_stencil) { ES(ClearStencil)(R.clear_stencil = a[0].i); }
ES_COMMAND(clear_accum)
{
    for (unsigned c = 0; c < 4; c++)
        R.clear_accum[c] = a[c].f < -1 ? -1 : a[c].f > 1 ? 1 : a[c].f;
}
ES_COMMAND(clear_index) { R.clear_index = a[0].f; }
ES_COMMAND(clear)
{
    const GLbitfield there = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    if (es_fails(a[0].u & ~(there | GL_ACCUM_BUFFER_BIT), GL_INVALID_VALUE))
        return;
    if (a[0].u & GL_ACCUM_BUFFER_BIT)
        es_missing("Clear(GL_ACCUM_BUFFER_BIT)", "there is no accumulation buffer");
    ES(Clear)(a[0].u & there);
}

void glClearColor(GLclampf r, GLclampf g, GLclampf b, GLclampf alpha)
{
    ES_CALL(clear_color, {.f = r}, {.f = g}, {.f = b}, {.f = alpha});
}
void glClearDepth(GLclampd depth) { ES_CALL(clear_depth, {.f = (GLfloat)depth}); }
void glClearDepthf(GLclampf depth) { ES_CALL(clear_depth, {.f = depth}); }
void glClearStencil(GLint s) { ES_CALL(clear_stencil, {.i = s}); }
void glClearAccum(GLfloat r, GLfloat g, GLfloat b, GLfloat alpha)
{
    ES_CALL(clear_accum, {.f = r}, {.f = g}, {.f = b}, {.f = alpha});
}
void glClearIndex(GLfloat c) { ES_CALL(clear_index, {.f = c}); }
void glClear(GLbitfield mask) { ES_CALL(clear, {.u = mask}); }

/* Sets ES's colour mask. DrawBuffer(NONE) means that no colour is written. */
static void apply_color_mask(void)
{
    const GLboolean on = R.draw_buffer != GL_NONE;
    ES(ColorMask)(R.color_mask[0] & on, R.color_mask[1] & on, R.color_mask[2] & on, R.color_mask[3] & on);
}
ES_COMMAND(color_mask)
{
    for (unsigned c = 0; c < 4; c++)
        R.color_mask[c] = a[c].u != 0;
    apply_color_mask();
}
ES_COMMAND(depth_mask) { ES(DepthMask)(R.depth_mask = a[0].u != 0); }
ES_COMMAND(index_mask) { R.index_mask = a[0].u; }
ES_COMMAND(draw_buffer)
{
    const GLenum buffer = a[0].u;
    if (es_fails(buffer >= GL_AUX0 && buffer <= GL_AUX3, GL_INVALID_OPERATION))
        return;
    if (invalid(buffer != GL_NONE && (buffer < GL_FRONT_LEFT || buffer > GL_FRONT_AND_BACK)))
        return;
    if (buffer == GL_FRONT || buffer == GL_FRONT_LEFT || buffer == GL_FRONT_RIGHT)
        es_missing("DrawBuffer(GL_FRONT)", "there is only the buffer that ES draws to");
    R.draw_buffer = buffer;
    apply_color_mask();
}

void glColorMask(GLboolean r, GLboolean g, GLboolean b, GLboolean alpha)
{
    ES_CALL(color_mask, {.u = r}, {.u = g}, {.u = b}, {.u = alpha});
}
void glDepthMask(GLboolean on) { ES_CALL(depth_mask, {.u = on}); }
void glIndexMask(GLuint mask) { ES_CALL(index_mask, {.u = mask}); }
void glDrawBuffer(GLenum buffer) { ES_CALL(draw_buffer, {.u = buffer}); }

ES_COMMAND(read_buffer)
{
    if (a[0].u >= GL_AUX0 && a[0].u <= GL_AUX3)
        es_error(GL_INVALID_OPERATION);
    else if (!invalid(a[0].u < GL_FRONT_LEFT || a[0].u > GL_RIGHT))
        R.read_buffer = a[0].u;
}
void glReadBuffer(GLenum buffer) { ES_CALL(read_buffer, {.u = buffer}); }

/* ---- depth, stencil, coverage ---- */

ES_COMMAND(depth_range)
{
    R.depth_range[0] = es_clamp(a[0].f);
    R.depth_range[1] = es_clamp(a[1].f);
    if (es.limits.webgl && R.depth_range[0] > R.depth_range[1])
        es_missing("DepthRange", "WebGL wants the near value to be the smaller one");
    ES(DepthRangef)(R.depth_range[0], R.depth_range[1]);
}
ES_COMMAND(stencil_func)
{
    if (invalid(!is_compare(a[0].u)))
        return;
    R.stencil_func = a[0].u;
    R.stencil_reference = a[1].i;
    R.stencil_mask = a[2].u;
    ES(StencilFunc)(a[0].u, a[1].i, a[2].u);
}
ES_COMMAND(stencil_write_mask) { ES(StencilMask)(R.stencil_write_mask = a[0].u); }
static bool is_stencil_op(GLenum op)
{
    return op == GL_ZERO || op == GL_INVERT || (op >= GL_KEEP && op <= GL_DECR) || op == GL_INCR_WRAP ||
        op == GL_DECR_WRAP;
}
ES_COMMAND(stencil_op)
{
    if (invalid(!is_stencil_op(a[0].u) || !is_stencil_op(a[1].u) || !is_stencil_op(a[2].u)))
        return;
    R.stencil_fail = a[0].u;
    R.stencil_depth_fail = a[1].u;
    R.stencil_pass = a[2].u;
    ES(StencilOp)(a[0].u, a[1].u, a[2].u);
}
ES_COMMAND(coverage)
{
    R.coverage = es_clamp(a[0].f);
    R.coverage_invert = a[1].u != 0;
    ES(SampleCoverage)(R.coverage, R.coverage_invert);
}

void glDepthRangef(GLclampf n, GLclampf f) { ES_CALL(depth_range, {.f = n}, {.f = f}); }
void glDepthRange(GLclampd n, GLclampd f) { glDepthRangef((GLfloat)n, (GLfloat)f); }
void glStencilFunc(GLenum func, GLint reference, GLuint mask)
{
    ES_CALL(stencil_func, {.u = func}, {.i = reference}, {.u = mask});
}
void glStencilMask(GLuint mask) { ES_CALL(stencil_write_mask, {.u = mask}); }
void glStencilOp(GLenum fail, GLenum depth_fail, GLenum pass)
{
    ES_CALL(stencil_op, {.u = fail}, {.u = depth_fail}, {.u = pass});
}
void glSampleCoverage(GLclampf value, GLboolean invert) { ES_CALL(coverage, {.f = value}, {.u = invert}); }

/* ---- polygons and lines ---- */

ES_COMMAND(polygon_mode)
{
    if (invalid(!is_face(a[0].u) || a[1].u < GL_POINT || a[1].u > GL_FILL))
        return;
    if (a[1].u != GL_FILL)
        es_missing("PolygonMode", "where polygons are clipped, no lines and points are added");
    if (a[0].u != GL_BACK)
        R.polygon_mode[0] = a[1].u;
    if (a[0].u != GL_FRONT)
        R.polygon_mode[1] = a[1].u;
}
ES_COMMAND(polygon_offset) { ES(PolygonOffset)(R.offset_factor = a[0].f, R.offset_units = a[1].f); }
ES_COMMAND(line_width)
{
    if (es_fails(!(a[0].f > 0), GL_INVALID_VALUE))
        return;
    ES(LineWidth)(R.line_width = a[0].f);
}
ES_COMMAND(line_stipple)
{
    R.stipple_factor = a[0].i < 1 ? 1 : a[0].i > 256 ? 256 : a[0].i;
    R.stipple_pattern = (GLushort)a[1].u;
}
ES_COMMAND(polygon_stipple) { memcpy(R.polygon_stipple, data, sizeof R.polygon_stipple); }

void glPolygonMode(GLenum face, GLenum mode) { ES_CALL(polygon_mode, {.u = face}, {.u = mode}); }
void glPolygonOffset(GLfloat factor, GLfloat units) { ES_CALL(polygon_offset, {.f = factor}, {.f = units}); }
void glLineWidth(GLfloat width) { ES_CALL(line_width, {.f = width}); }
void glLineStipple(GLint factor, GLushort pattern) { ES_CALL(line_stipple, {.i = factor}, {.u = pattern}); }
void glPolygonStipple(const GLubyte *mask)
{
    es_call(polygon_stipple, 0, NULL, mask, sizeof R.polygon_stipple);
}
void glGetPolygonStipple(GLubyte *mask)
{
    if (es_outside())
        memcpy(mask, R.polygon_stipple, sizeof R.polygon_stipple);
}

/* ---- viewport, scissor, hints ---- */

static bool set_box(GLint box[4], const union es_arg *a)
{
    if (a[2].i < 0 || a[3].i < 0)
        return !es_error(GL_INVALID_VALUE);
    for (unsigned i = 0; i < 4; i++)
        box[i] = a[i].i;
    return true;
}
ES_COMMAND(scissor)
{
    es.scissor_set = true;
    if (set_box(R.scissor, a))
        ES(Scissor)(a[0].i, a[1].i, a[2].i, a[3].i);
}
ES_COMMAND(viewport)
{
    es.viewport_set = true;
    if (set_box(R.viewport, a))
        ES(Viewport)(a[0].i, a[1].i, a[2].i, a[3].i);
}
ES_COMMAND(hint)
{
    const GLenum target = a[0].u;
    const unsigned n = target >= GL_PERSPECTIVE_CORRECTION_HINT && target <= GL_FOG_HINT
        ? target - GL_PERSPECTIVE_CORRECTION_HINT
        : target == GL_GENERATE_MIPMAP_HINT     ? 5
        : target == GL_TEXTURE_COMPRESSION_HINT ? 6
                                                : 7;
    if (invalid(n == 7 || a[1].u < GL_DONT_CARE || a[1].u > GL_NICEST))
        return;
    R.hint[n] = a[1].u;
    if (n == 5)
        ES(Hint)(target, a[1].u);
}

void glScissor(GLint x, GLint y, GLsizei w, GLsizei h)
{
    ES_CALL(scissor, {.i = x}, {.i = y}, {.i = w}, {.i = h});
}
void glViewport(GLint x, GLint y, GLsizei w, GLsizei h)
{
    ES_CALL(viewport, {.i = x}, {.i = y}, {.i = w}, {.i = h});
}
void glHint(GLenum target, GLenum mode) { ES_CALL(hint, {.u = target}, {.u = mode}); }

/* ---- the attribute stack ---- */

void es_raster_apply(GLbitfield mask)
{
    if (mask & GL_COLOR_BUFFER_BIT) {
        apply_blending();
        apply_color_mask();
        ES(ClearColor)(R.clear_color[0], R.clear_color[1], R.clear_color[2], R.clear_color[3]);
    }
    if (mask & GL_DEPTH_BUFFER_BIT) {
        ES(DepthFunc)(R.depth_func);
        ES(DepthMask)(R.depth_mask);
        ES(ClearDepthf)(R.clear_depth);
    }
    if (mask & GL_STENCIL_BUFFER_BIT) {
        ES(StencilFunc)(R.stencil_func, R.stencil_reference, R.stencil_mask);
        ES(StencilOp)(R.stencil_fail, R.stencil_depth_fail, R.stencil_pass);
        ES(StencilMask)(R.stencil_write_mask);
        ES(ClearStencil)(R.clear_stencil);
    }
    if (mask & GL_POLYGON_BIT) {
        ES(CullFace)(R.cull_face);
        ES(FrontFace)(R.front_face);
        ES(PolygonOffset)(R.offset_factor, R.offset_units);
    }
    if (mask & GL_LINE_BIT)
        ES(LineWidth)(R.line_width);
    if (mask & GL_VIEWPORT_BIT) {
        ES(Viewport)(R.viewport[0], R.viewport[1], R.viewport[2], R.viewport[3]);
        ES(DepthRangef)(R.depth_range[0], R.depth_range[1]);
    }
    if (mask & GL_SCISSOR_BIT)
        ES(Scissor)(R.scissor[0], R.scissor[1], R.scissor[2], R.scissor[3]);
    if (mask & GL_MULTISAMPLE_BIT)
        ES(SampleCoverage)(R.coverage, R.coverage_invert);
}

ES_ALIAS(glBlendColorEXT, glBlendColor);
ES_ALIAS(glBlendEquationEXT, glBlendEquation);
ES_ALIAS(glBlendFuncSeparateEXT, glBlendFuncSeparate);
ES_ALIAS(glBlendEquationSeparateEXT, glBlendEquationSeparate);
ES_ALIAS(glSampleCoverageARB, glSampleCoverage);
