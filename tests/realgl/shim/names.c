/* Random sequences of GL calls that use names of lists, ARB programs, ATI and GLSL shaders, textures and
 * buffers chosen by the program, mixed with names from Gen*, in two contexts that share objects and one that
 * does not. For each sequence it prints a line with its number and the observable results of each step (a
 * pixel after a draw, an error, a query). The shim must not change any of them.
 *
 * Sequence 0 is not random: see lost_object.
 *
 * usage: names FIRST COUNT */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 10, CONTEXTS = 3, STEPS = 40 };
enum kind { LIST, PROGRAM, SHADER, TEXTURE, BUFFER, GLSL, KINDS };

static uint32_t state;

static unsigned below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % n;
}

/* ---- names ---- */

/* The name of a slot is a small number (possibly 0), a big number, or from Gen*, which returns other names
 * with the shim than without it. Since both runs must refer to the same objects, a name from Gen* must not
 * have been used for a slot before, and no list may still call it. Contexts 0 and 1 share names, context 2
 * has its own. */
static GLuint names[2][KINDS][SLOTS];
static int context;
static EGLDisplay display;
static EGLContext contexts[CONTEXTS];

static GLuint *slot(enum kind kind) { return &names[context == 2][kind][below(SLOTS)]; }

static GLuint made[2][KINDS][STEPS * 8]; /* names from Gen* for slots */
static unsigned n_made[2][KINDS];

static GLuint generate(enum kind kind)
{
    GLuint name = 0;
    switch (kind) {
    case LIST: return glGenLists(1);
    case SHADER: return glGenFragmentShadersATI(1);
    case GLSL: return glCreateProgram();
    case PROGRAM: glGenProgramsARB(1, &name); break;
    case TEXTURE: glGenTextures(1, &name); break;
    default: glGenBuffers(1, &name); break;
    }
    return name;
}

static void drop(enum kind kind, GLuint name)
{
    switch (kind) {
    case LIST: glDeleteLists(name, 1); break;
    case SHADER: glDeleteFragmentShaderATI(name); break;
    case GLSL: glDeleteProgram(name); break;
    case PROGRAM: glDeleteProgramsARB(1, &name); break;
    case TEXTURE: glDeleteTextures(1, &name); break;
    default: glDeleteBuffers(1, &name); break;
    }
}

static int was_used(enum kind kind, GLuint name)
{
    const unsigned s = context == 2;
    for (unsigned i = 0; i < n_made[s][kind]; i++)
        if (made[s][kind][i] == name)
            return 1;
    return name <= SLOTS || name == 70000U + kind;
}

/* Gives a slot a name from Gen*. */
static GLuint generated(enum kind kind)
{
    const unsigned s = context == 2;
    GLuint passed[STEPS * 8 + SLOTS + 1], name = generate(kind);
    unsigned n = 0;
    for (; name && was_used(kind, name); name = generate(kind))
        passed[n++] = name;
    while (n)
        drop(kind, passed[--n]);
    *slot(kind) = made[s][kind][n_made[s][kind]++] = name;
    return name;
}

static void reset_names(void)
{
    for (unsigned s = 0; s < 2; s++)
        for (unsigned k = 0; k < KINDS; k++)
            for (unsigned i = 0; i < SLOTS; i++)
                names[s][k][i] = i == SLOTS - 1 ? 70000 + k : i;
    memset(n_made, 0, sizeof n_made);
}

/* ---- steps ---- */

static GLenum in_list; /* mode of the list being compiled, 0 if none */
/* Whether the list being compiled calls a list. Only one call is allowed: lists that call lists twice each
 * could draw 2^64 times (GL stops only at a depth of 64). */
static int called_in_list;

static void say(unsigned value) { printf("%x", value); }

static GLfloat part(void) { return (GLfloat)below(6) * 0.2f; }

static void vertices(void)
{
    glVertex2f(-1, -1);
    glVertex2f(1, -1);
    glVertex2f(1, 1);
    glVertex2f(-1, 1);
}

static void show(void)
{
    GLubyte p[4] = {0};
    if (in_list)
        return;
    glReadPixels(2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    printf("p%d,%d,%d,%d", p[0], p[1], p[2], p[3]);
}

/* Prints the current colour; called before every draw. */
static void tell_color(void)
{
    GLfloat now[4];
    if (in_list)
        return;
    glGetFloatv(GL_CURRENT_COLOR, now);
    printf("c%.4g,%.4g,%.4g,%.4g", (double)now[0], (double)now[1], (double)now[2], (double)now[3]);
}

static void draw(void)
{
    static const GLfloat corners[] = {-1, -1, 1, -1, 1, 1, -1, 1};
    unsigned way = below(4);
    tell_color();
    /* Avoids setting a colour between Begin and End in a list. If GL refuses that Begin, Mesa 22.3.6 sets the
     * colour when it compiles the list, but not when the list is called; after a list that sets another
     * colour before Begin, it draws with that colour; and a list that draws by arrays is no error between
     * Begin and End. The shim, which splits lists at their draws, follows the GL specification. */
    if (in_list && way == 3)
        way = 0;
    switch (way) {
    case 0: glRectf(-1, -1, 1, 1); break;
    case 1:
        glVertexPointer(2, GL_FLOAT, 0, corners);
        glEnableClientState(GL_VERTEX_ARRAY);
        glDrawArrays(GL_QUADS, 0, 4);
        break;
    case 2: /* a list may contain vertices, or this may be an error; in lists it crashes Mesa 22.3.6 */
        glBegin(GL_QUADS);
        vertices();
        if (!in_list)
            glCallList(*slot(LIST));
        glEnd();
        break;
    default:
        glBegin(GL_QUADS);
        glColor4f(part(), part(), part(), part());
        vertices();
        glEnd();
        break;
    }
    show();
}

static void environment(void)
{
    static const GLint modes[] = {GL_MODULATE, GL_REPLACE, GL_ADD, GL_BLEND, GL_DECAL, GL_COMBINE};
    static const GLint functions[] = {GL_MODULATE, GL_REPLACE, GL_ADD, GL_INTERPOLATE};
    static const GLint sources[] = {GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS};
    const GLfloat color[4] = {part(), part(), part(), part()};
    glActiveTexture(GL_TEXTURE0 + below(2));
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, modes[below(6)]);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, functions[below(4)]);
    glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB + below(3), sources[below(4)]);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, color);
}

static void texture(void)
{
    static const GLenum formats[] = {GL_RGB, GL_RGBA, GL_LUMINANCE, GL_ALPHA};
    const GLubyte texel[4] = {(GLubyte)below(256), (GLubyte)below(256), (GLubyte)below(256),
                              (GLubyte)below(256)};
    const GLenum format = formats[below(4)];
    GLuint *name = slot(TEXTURE);
    glActiveTexture(GL_TEXTURE0 + below(2));
    switch (below(6)) {
    case 0: glDisable(GL_TEXTURE_2D); return;
    case 1: glDeleteTextures(1, name); return;
    case 2: generated(TEXTURE); return;
    default: break;
    }
    glBindTexture(GL_TEXTURE_2D, *name);
    if (in_list)
        return;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, 1, 1, 0, format, GL_UNSIGNED_BYTE, texel);
    glEnable(GL_TEXTURE_2D);
}

static void buffer(void)
{
    GLuint *name = slot(BUFFER);
    switch (below(4)) {
    case 0: generated(BUFFER); break;
    case 1: glDeleteBuffers(1, name); break;
    default:
        glBindBuffer(GL_ARRAY_BUFFER, *name);
        glBufferData(GL_ARRAY_BUFFER, 16, NULL, GL_STATIC_DRAW);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        break;
    }
}

static void program(void)
{
    char text[128];
    const GLenum target = below(8) ? GL_FRAGMENT_PROGRAM_ARB : GL_VERTEX_PROGRAM_ARB;
    GLuint *name = slot(PROGRAM);
    switch (below(9)) {
    case 0: generated(PROGRAM); break;
    case 1: glDeleteProgramsARB(1, name); break;
    case 2: say(glIsProgramARB(*name)); break;
    case 3: glEnable(GL_FRAGMENT_PROGRAM_ARB); break;
    case 4:
    case 5: glDisable(GL_FRAGMENT_PROGRAM_ARB); break;
    default:
        glBindProgramARB(target, *name);
        if (in_list || target != GL_FRAGMENT_PROGRAM_ARB || !below(4))
            break;
        snprintf(text, sizeof text, "!!ARBfp1.0\nMOV result.color, {%g, %g, %g, %g};\nEND", (double)part(),
                 (double)part(), (double)part(), (double)part());
        glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(text), text);
        break;
    }
}

/* Sets a constant of all shaders. Mesa 22.3.6 does not pass it to the shader that drew last until a parameter
 * of ARB programs is set as well. */
static void set_constant(GLuint constant, const GLfloat *value)
{
    glSetFragmentShaderConstantATI(constant, value);
    glProgramEnvParameter4fARB(GL_FRAGMENT_PROGRAM_ARB, 0, 0, 0, 0, 0);
}

static void define_shader(void)
{
    const GLfloat inside[4] = {part(), part(), part(), part()};
    const GLuint source = below(3) ? GL_CON_0_ATI + below(3) : GL_PRIMARY_COLOR;
    glBeginFragmentShaderATI();
    if (below(2))
        glSetFragmentShaderConstantATI(GL_CON_0_ATI, inside);
    glColorFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, source, GL_NONE, GL_NONE);
    glAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, source, GL_NONE, GL_NONE);
    glEndFragmentShaderATI();
}

static void shader(void)
{
    const GLfloat outside[4] = {part(), part(), part(), part()};
    GLuint *name = slot(SHADER);
    switch (below(9)) {
    case 0: generated(SHADER); break;
    case 1: glDeleteFragmentShaderATI(*name); break;
    case 2: glEnable(GL_FRAGMENT_SHADER_ATI); break;
    case 3:
    case 4: glDisable(GL_FRAGMENT_SHADER_ATI); break;
    case 5: set_constant(GL_CON_0_ATI + below(3), outside); break;
    default:
        glBindFragmentShaderATI(*name);
        if (!in_list && below(4))
            define_shader();
        break;
    }
}

/* A constant of all shaders must be unchanged after a draw with an environment's colour, which the shim may
 * pass to its own shader by such a constant. */
static void constants(void)
{
    const GLfloat outside[4] = {part(), part(), part(), part()}, inside[4] = {part(), part(), part(), part()};
    const GLubyte texel[4] = {0};
    glBindTexture(GL_TEXTURE_2D, *slot(TEXTURE));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_COMBINE);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_REPLACE);
    glTexEnvi(GL_TEXTURE_ENV, GL_SOURCE0_RGB, GL_CONSTANT);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, inside);
    for (unsigned i = 0; i < 8; i++)
        set_constant(GL_CON_0_ATI + i, outside);
    draw();
    glBindFragmentShaderATI(*slot(SHADER));
    glBeginFragmentShaderATI();
    glColorFragmentOp2ATI(GL_ADD_ATI, GL_REG_0_ATI, GL_NONE, GL_NONE, GL_CON_0_ATI, GL_NONE, GL_NONE,
                          GL_CON_0_ATI + below(8), GL_NONE, GL_NONE);
    glAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_0_ATI, GL_NONE, GL_CON_0_ATI, GL_NONE, GL_NONE);
    glEndFragmentShaderATI();
    glEnable(GL_FRAGMENT_SHADER_ATI);
    draw();
    glDisable(GL_FRAGMENT_SHADER_ATI);
}

static void glsl(void)
{
    static const char text[] = "void main() { gl_FragColor = gl_Color.brga; }";
    const char *texts = text;
    GLuint *name = slot(GLSL), program, part_of;
    switch (below(6)) {
    case 0: say(glIsProgram(*name)); break;
    case 1:
        glDeleteProgram(*name); /* an error if the program does not exist */
        break;
    case 2: glUseProgram(*name); break;
    case 3:
    case 4: glUseProgram(0); break;
    default:
        program = generated(GLSL);
        part_of = glCreateShader(GL_FRAGMENT_SHADER);
        glShaderSource(part_of, 1, &texts, NULL);
        glCompileShader(part_of);
        glAttachShader(program, part_of);
        glLinkProgram(program);
        glDetachShader(program, part_of); /* so that its name is free again: no slot may keep it */
        glDeleteShader(part_of);
        break;
    }
}

static void step(unsigned depth);

/* Deletes the lists of one or two slots; as a range if their names are adjacent both with and without the
 * shim. */
static void delete_lists(GLuint *name)
{
    GLuint *const all = names[context == 2][LIST];
    GLuint *const next = below(2) && name + 1 < all + SLOTS ? name + 1 : NULL;
    const int range = next && *next == *name + 1;
    glDeleteLists(*name, range ? 2 : 1);
    if (next && !range)
        glDeleteLists(*next, 1);
}

static void list(unsigned depth)
{
    GLuint *name = slot(LIST), some[3];
    GLint index = 0;
    int only_vertices;
    GLenum mode;
    switch (below(8)) {
    case 0: generated(LIST); break;
    case 1: delete_lists(name); break;
    case 2: say(glIsList(*name)); break;
    case 3:
        for (unsigned i = 0; i < 3; i++)
            some[i] = *slot(LIST) - 2;
        if (in_list && called_in_list++)
            break;
        glListBase(2);
        tell_color();
        glCallLists(in_list ? 1 : 3, GL_UNSIGNED_INT, some);
        break;
    case 4:
    case 5:
        if (in_list && called_in_list++)
            break;
        tell_color();
        glCallList(*name);
        show();
        break;
    default:
        if (depth && below(6)) /* mostly skips a NewList within a list, which is an error */
            break;
        only_vertices = !depth && !below(4); /* a list to be called between Begin and End */
        mode = only_vertices || below(3) ? GL_COMPILE : GL_COMPILE_AND_EXECUTE;
        glNewList(*name, mode);
        glGetIntegerv(GL_LIST_INDEX, &index);
        say(depth ? 0 : (GLuint)index == *name);
        if (depth)
            break;
        in_list = mode;
        called_in_list = 0;
        if (only_vertices)
            vertices();
        else
            for (unsigned n = 1 + below(6); n; n--)
                step(1);
        in_list = 0;
        glEndList();
        show();
        break;
    }
}

/* Uses all texture units: Mesa 22.3.6 saves only units that draw, or that something was bound to since the
 * last draw, although PopAttrib must restore all. */
static void use_units(void)
{
    GLint active, bound;
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    glActiveTexture(GL_TEXTURE1);
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    glBindTexture(GL_TEXTURE_2D, bound ? 0 : 70000 + TEXTURE);
    glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
    glActiveTexture((GLenum)active);
}

/* Mesa 22.3.6 restores only what was set since the push, and forgets settings made inside an inner PushAttrib
 * of another group: after PushAttrib(ENABLE), Rect, PushAttrib(LIST), Enable, PopAttrib, PopAttrib everything
 * stays enabled. So pushes that may have other steps in between all use one group, and a step that pushes the
 * colour or textures pops them itself. */
static void push(void)
{
    static const GLbitfield both = GL_ENABLE_BIT | GL_LIST_BIT;
    const GLbitfield masks[] = {both, both, GL_CURRENT_BIT, GL_TEXTURE_BIT};
    const GLbitfield mask = masks[below(in_list ? 2 : 4)];
    GLfloat now[4];
    if (mask == both) {
        glPushAttrib(mask);
        return;
    }
    glGetFloatv(GL_CURRENT_COLOR, now);
    if (mask == GL_TEXTURE_BIT)
        use_units();
    glPushAttrib(mask);
    if (mask == GL_CURRENT_BIT) {
        glColor4f(part(), part(), part(), part());
        draw(); /* draw() queries the state first */
        glGetFloatv(GL_CURRENT_COLOR, now);
        glPopAttrib();
        return;
    }
    for (unsigned n = 1 + below(3); n; n--)
        below(2) ? environment() : texture();
    glPopAttrib();
    glColor4fv(now);
}

static void step(unsigned depth)
{
    GLenum error;
    GLfloat now[4];
    const unsigned kind = below(16);
    printf(" %c", 'A' + (int)kind);
    switch (kind) {
    case 0: glColor4f(part(), part(), part(), part()); break;
    case 1: push(); break;
    case 2: glPopAttrib(); break;
    case 3:
    case 4: environment(); break;
    case 5:
    case 6: texture(); break;
    case 7: buffer(); break;
    case 8: program(); break;
    case 9: shader(); break;
    case 10: glsl(); break;
    case 11:
    case 12:
    case 13: list(depth); break;
    default: draw(); break;
    }
    /* GL does not specify when COMPILE_AND_EXECUTE draws vertices and reports errors (Mesa: at the end of the
     * list) */
    if (in_list)
        return;
    glGetFloatv(GL_CURRENT_COLOR, now);
    error = glGetError();
    if (error && kind >= 11 && kind <= 13)
        printf("e"); /* which error of a list comes first is unspecified, too */
    else if (error)
        printf("e%x", error);
}

/* ---- sequences ---- */

static void use(int number)
{
    context = number;
    if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, contexts[number])) {
        printf("cannot: context\n");
        exit(77);
    }
}

/* Mesa 22.3.6 crashes even without the shim if one context deletes or redefines a program that another
 * context has drawn with, and the latter then flushes and draws with its last program: the shaders of the
 * deleted program are freed and none is bound. Clearing an empty part of the picture binds the shaders of the
 * last draw again. Textures that another context changed become visible when they are bound again (GL 2.1,
 * D.3). */
static void use_after_others(int number)
{
    GLint active, bound;
    use(number);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    for (GLenum unit = GL_TEXTURE0; unit <= GL_TEXTURE1; unit++) {
        glActiveTexture(unit);
        glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
        glBindTexture(GL_TEXTURE_2D, (GLuint)bound);
    }
    glActiveTexture((GLenum)active);
    glFinish();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

static void open_contexts(EGLConfig config, int count)
{
    GLuint name;
    for (int i = 0; i < count; i++) {
        contexts[i] = eglCreateContext(display, config, i == 1 ? contexts[0] : EGL_NO_CONTEXT, NULL);
        use(i);
        glGenFramebuffers(1, &name);
        glBindFramebuffer(GL_FRAMEBUFFER, name);
        glGenRenderbuffers(1, &name);
        glBindRenderbuffer(GL_RENDERBUFFER, name);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, name);
        glViewport(0, 0, 4, 4);
        glClear(GL_COLOR_BUFFER_BIT);
    }
}

/* Draws with two environments, then uses, in another context, the names of ARB programs that the shim may
 * have chosen for them, and deletes that context's own programs. */
static void lost_object(void)
{
    static const char text[] = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND";
    for (GLuint lost = 1; lost < 4; lost++)
        for (int i = 0; i < 2; i++) {
            use(0);
            i ? glEnable(GL_COLOR_SUM) : glDisable(GL_COLOR_SUM);
            draw();
            if (!i)
                continue;
            use(1);
            glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, lost);
            glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof text - 1, text);
            use(0);
            use(1);
            use(0);
            draw();
        }
}

/* If GL refuses a Begin, here because the bound ARB program has no text, the calls after it are not between
 * Begin and End. There this test binds objects, also such whose names the shim may use. */
static void refused_begin(void)
{
    constants(); /* used by this draw, but not by the draws without constants */
    glDisable(GL_TEXTURE_2D);
    for (GLuint name = 1; name < 8; name++) {
        glEnable(GL_FRAGMENT_PROGRAM_ARB);
        glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, 60000);
        glBegin(GL_QUADS);
        glBindFragmentShaderATI(name);
        glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, name);
        say(glIsList(name));
        glEnd();
        glDisable(GL_FRAGMENT_PROGRAM_ARB);
        glEnable(GL_FRAGMENT_SHADER_ATI);
        glColor4f(part(), part(), part(), part());
        draw();
        glDisable(GL_FRAGMENT_SHADER_ATI);
        draw();
    }
}

static void sequence(unsigned number, EGLConfig config)
{
    const int count = number % 4 ? 1 : CONTEXTS;
    state = number * 2654435761u + 1;
    reset_names();
    open_contexts(config, count);
    use(0);
    printf("%u:", number);
    if (!number) {
        lost_object();
        refused_begin();
    } else if (number % 3 == 0) {
        constants();
    }
    for (unsigned i = 0; number && i < STEPS; i++) {
        if (!below(8))
            use_after_others((int)below((unsigned)count));
        step(0);
    }
    printf("\n");
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    for (int i = 0; i < count; i++)
        eglDestroyContext(display, contexts[i]);
}

int main(int argc, char **argv)
{
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (argc != 3 || !eglInitialize(display, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, &config, 1, &n) || n < 1) {
        printf("cannot: EGL\n");
        return 77;
    }
    for (unsigned i = 0; i < (unsigned)atoi(argv[2]); i++)
        sequence((unsigned)atoi(argv[1]) + i, config);
    return 0;
}
