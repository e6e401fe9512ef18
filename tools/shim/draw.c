/* Wraps everything that draws. Before a draw, queries what it computes and makes the generated GL program
 * current; after the draw, restores the application's state. */
#include "shim.h"

bool draw_in_begin, draw_sets_materials;
int draw_mode;
/* an earlier Begin outside of lists set materials, so the next ones may set some, too */
static bool begins_set_materials;

/* Makes the generated programs for this draw current. Returns NULL, or why there are none. */
static const char *replace_halves(const struct texenv_state *state, bool with_vertex)
{
    struct texenv_vertex vertex;
    const char *vertex_why = draw_sets_materials ? "materials are set between Begin and End"
        : with_vertex                            ? query_vertex(&vertex, state)
                                                 : NULL;
    const char *why = program_use(state, with_vertex && !vertex_why ? &vertex : NULL);
    if (!why && with_vertex)
        count_vertex(vertex_why ? vertex_why : program_vertex_why());
    return why;
}

/* Makes the generated program for this draw current, or records the draw. */
static struct draw replace(const struct settings *s)
{
    struct texenv_state state;
    struct draw draw = {DRAW_AS_IS, false};
    if (s->provide && provide_use()) {
        count_draw(NULL);
        draw.by = DRAW_PROVIDED;
        return draw;
    }
    if (!s->replace && !s->record) {
        count_draw(s->provide ? "no ATI fragment shader is enabled" : "TEXENV_SHIM is not set");
        return draw;
    }
    const char *why = query_state(&state);
    if (!why && s->record)
        record_draw(&state);
    else if (!why)
        why = replace_halves(&state, s->vertex);
    count_draw(why);
    draw.by = why ? DRAW_AS_IS : s->record ? DRAW_RECORDED : DRAW_REPLACED;
    return draw;
}

/* Works around a crash in Mesa 22.3.6. When another context deletes a GL program, its shaders stay in this
 * context until this context is flushed. Mesa then frees the shaders and unbinds them, but still assumes that
 * those of the last draw are bound, so that a draw with the same shaders crashes. Mesa binds shaders again
 * after a clear of a part of the framebuffer, which it implements by shaders of its own. Therefore this
 * function flushes and clears an empty part. */
static void bind_again(void)
{
    const bool scissor = CALL(glIsEnabled, GL_SCISSOR_TEST);
    GLint box[4] = {0, 0, 0, 0};
    CALL(glGetIntegerv, GL_SCISSOR_BOX, box);
    CALL(glFinish, );
    CALL(glScissor, 0, 0, 0, 0);
    CALL(glEnable, GL_SCISSOR_TEST);
    CALL(glClear, GL_COLOR_BUFFER_BIT);
    CALL(glScissor, box[0], box[1], box[2], box[3]);
    if (!scissor)
        CALL(glDisable, GL_SCISSOR_TEST);
    context_now()->lost_object = false;
}

struct draw draw_begin(void)
{
    const struct settings *s = settings();
    if (list_compiling())
        return (struct draw){DRAW_AS_IS, list_open_draw(false)};
    /* an error of the application, or a list called between Begin and End; GL handles both */
    if (draw_in_begin)
        return (struct draw){DRAW_AS_IS, false};
    report_on_signals();
    if (!query_fixed_function()) {
        count_draw("the context has no fixed function (a core profile, or OpenGL ES)");
        return (struct draw){DRAW_AS_IS, false};
    }
    errors_hold();
    if (context_now()->lost_object)
        bind_again();
    struct draw draw = replace(s);
    if (s->replace || s->provide)
        program_renew_values();
    errors_release();
    return draw;
}

void draw_end(struct draw draw)
{
    if (draw.segment)
        list_close_draw();
    if (draw.by == DRAW_AS_IS)
        return;
    errors_hold();
    if (draw.by == DRAW_PROVIDED)
        provide_done();
    else if (draw.by == DRAW_RECORDED)
        record_drawn();
    else
        program_done();
    errors_release();
}

/* Wrappers of draws: with the given primitives, with the primitives of parameter `mode`, and of areas. */
#define DRAWS_OF(primitives, name, parameters, ...) \
    EXPORT void name parameters \
    { \
        draw_mode = (int)(primitives); \
        struct draw draw = draw_begin(); \
        CALL(name, __VA_ARGS__); \
        draw_end(draw); \
    }
#define DRAWS(name, parameters, ...) DRAWS_OF(mode, name, parameters, __VA_ARGS__)
#define DRAWS_AREA(name, parameters, ...) DRAWS_OF(GL_TRIANGLES, name, parameters, __VA_ARGS__)

DRAWS(glDrawArrays, (GLenum mode, GLint first, GLsizei count), mode, first, count)
DRAWS(glDrawArraysEXT, (GLenum mode, GLint first, GLsizei count), mode, first, count)
DRAWS(glDrawArraysInstanced, (GLenum mode, GLint first, GLsizei count, GLsizei n), mode, first, count, n)
DRAWS(glDrawElements, (GLenum mode, GLsizei count, GLenum type, const void *indices), mode, count, type,
      indices)
DRAWS(glDrawElementsInstanced, (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n),
      mode, count, type, indices, n)
DRAWS(glDrawElementsBaseVertex, (GLenum mode, GLsizei count, GLenum type, const void *indices, GLint base),
      mode, count, type, indices, base)
DRAWS(glDrawArraysInstancedARB, (GLenum mode, GLint first, GLsizei count, GLsizei n), mode, first, count, n)
DRAWS(glDrawArraysInstancedEXT, (GLenum mode, GLint first, GLsizei count, GLsizei n), mode, first, count, n)
DRAWS(glDrawElementsInstancedARB, (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n),
      mode, count, type, indices, n)
DRAWS(glDrawElementsInstancedEXT, (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n),
      mode, count, type, indices, n)
DRAWS(glDrawElementsInstancedBaseVertex,
      (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n, GLint base), mode, count,
      type, indices, n, base)
DRAWS(glDrawArraysInstancedBaseInstance,
      (GLenum mode, GLint first, GLsizei count, GLsizei n, GLuint instance), mode, first, count, n, instance)
DRAWS(glDrawElementsInstancedBaseInstance,
      (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n, GLuint instance), mode, count,
      type, indices, n, instance)
DRAWS(glDrawElementsInstancedBaseVertexBaseInstance,
      (GLenum mode, GLsizei count, GLenum type, const void *indices, GLsizei n, GLint base, GLuint instance),
      mode, count, type, indices, n, base, instance)
DRAWS(glDrawRangeElementsBaseVertex,
      (GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void *indices, GLint base),
      mode, start, end, count, type, indices, base)
DRAWS(glMultiDrawElementsBaseVertex,
      (GLenum mode, const GLsizei *count, GLenum type, const void *const *indices, GLsizei n,
       const GLint *base),
      mode, count, type, indices, n, base)
DRAWS(glDrawArraysIndirect, (GLenum mode, const void *at), mode, at)
DRAWS(glDrawElementsIndirect, (GLenum mode, GLenum type, const void *at), mode, type, at)
DRAWS(glMultiDrawArraysIndirect, (GLenum mode, const void *at, GLsizei n, GLsizei stride), mode, at, n,
      stride)
DRAWS(glMultiDrawElementsIndirect, (GLenum mode, GLenum type, const void *at, GLsizei n, GLsizei stride),
      mode, type, at, n, stride)
DRAWS(glDrawTransformFeedback, (GLenum mode, GLuint id), mode, id)
DRAWS(glDrawRangeElements,
      (GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void *indices), mode, start,
      end, count, type, indices)
DRAWS(glDrawRangeElementsEXT,
      (GLenum mode, GLuint start, GLuint end, GLsizei count, GLenum type, const void *indices), mode, start,
      end, count, type, indices)
DRAWS(glMultiDrawArrays, (GLenum mode, const GLint *first, const GLsizei *count, GLsizei n), mode, first,
      count, n)
DRAWS(glMultiDrawArraysEXT, (GLenum mode, const GLint *first, const GLsizei *count, GLsizei n), mode, first,
      count, n)
DRAWS(glMultiDrawElements,
      (GLenum mode, const GLsizei *count, GLenum type, const void *const *indices, GLsizei n), mode, count,
      type, indices, n)
DRAWS(glMultiDrawElementsEXT,
      (GLenum mode, const GLsizei *count, GLenum type, const void *const *indices, GLsizei n), mode, count,
      type, indices, n)
DRAWS_AREA(glRectd, (GLdouble a, GLdouble b, GLdouble c, GLdouble d), a, b, c, d)
DRAWS_AREA(glRectf, (GLfloat a, GLfloat b, GLfloat c, GLfloat d), a, b, c, d)
DRAWS_AREA(glRecti, (GLint a, GLint b, GLint c, GLint d), a, b, c, d)
DRAWS_AREA(glRects, (GLshort a, GLshort b, GLshort c, GLshort d), a, b, c, d)
DRAWS_AREA(glRectdv, (const GLdouble *a, const GLdouble *b), a, b)
DRAWS_AREA(glRectfv, (const GLfloat *a, const GLfloat *b), a, b)
DRAWS_AREA(glRectiv, (const GLint *a, const GLint *b), a, b)
DRAWS_AREA(glRectsv, (const GLshort *a, const GLshort *b), a, b)
DRAWS_AREA(glDrawPixels, (GLsizei width, GLsizei height, GLenum format, GLenum type, const void *pixels),
           width, height, format, type, pixels)
DRAWS_AREA(glCopyPixels, (GLint x, GLint y, GLsizei width, GLsizei height, GLenum type), x, y, width, height,
           type)
DRAWS_AREA(glBitmap,
           (GLsizei w, GLsizei h, GLfloat xo, GLfloat yo, GLfloat xm, GLfloat ym, const GLubyte *bits), w, h,
           xo, yo, xm, ym, bits)
DRAWS_OF(mode == GL_POINT ? GL_POINTS : GL_LINES, glEvalMesh1, (GLenum mode, GLint a, GLint b), mode, a, b)
DRAWS_OF(mode == GL_POINT ? GL_POINTS : GL_LINES, glEvalMesh2,
         (GLenum mode, GLint a, GLint b, GLint c, GLint d), mode, a, b, c, d)

static struct draw begun;

void draw_open(void)
{
    begun = draw_begin();
    list_before_begin();
    draw_in_begin = true;
}

void draw_close(void)
{
    if (draw_in_begin)
        draw_end(begun);
    draw_in_begin = false;
}

bool draw_refuses(void)
{
    /* GL leaves it unchanged between Begin and End; the error of this query there is the one that the
     * application's call gives, too */
    GLint depth = -1;
    if (draw_in_begin)
        CALL(glGetIntegerv, GL_ATTRIB_STACK_DEPTH, &depth);
    if (depth >= 0)
        draw_close();
    return draw_in_begin;
}

EXPORT void glBegin(GLenum mode)
{
    if (mode > GL_PATCHES) { /* an invalid mode, which GL reports as an error */
        CALL(glBegin, mode);
        return;
    }
    if (list_compiling()) {
        list_open_draw(true);
    } else if (!draw_in_begin) {
        draw_sets_materials = begins_set_materials;
        draw_mode = (int)mode;
        draw_open();
        draw_sets_materials = false;
    }
    CALL(glBegin, mode);
}

EXPORT void glEnd(void)
{
    CALL(glEnd, );
    if (list_compiling())
        list_close_draw();
    else
        draw_close();
}

static void note_material(void)
{
    if (list_compiling())
        list_note_material();
    else if (draw_in_begin)
        begins_set_materials = true;
}

#define MATERIAL(name, type) \
    EXPORT void name(GLenum face, GLenum pname, type value) \
    { \
        note_material(); \
        CALL(name, face, pname, value); \
    }
MATERIAL(glMaterialf, GLfloat)
MATERIAL(glMateriali, GLint)
MATERIAL(glMaterialfv, const GLfloat *)
MATERIAL(glMaterialiv, const GLint *)
