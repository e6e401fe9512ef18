#include "arb_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    /* SPAN: texels along each axis, except the depth of 3D textures, which is THIN. Textures repeat mirrored.
     * As SPAN is odd, coordinates that are whole numbers or binary fractions, which programs often compute
     * (x/x), fall inside a texel, where a rounding error does not matter. As it is a prime above 2 *
     * ARB_COLUMNS, quotients of two window coordinates do so, too. */
    SPAN = 37,
    THIN = 5,
    ROWS = ARB_POINTS / ARB_COLUMNS
};

/* The purpose of a random number. Each purpose has its own sequence. */
enum use {
    USE_POSITION,
    USE_PRIMARY,
    USE_SECONDARY,
    USE_FOGCOORD,
    USE_COORD,
    USE_TEXEL = USE_COORD + ARB_SETS,
    USE_PARAMETER = USE_TEXEL + FRAGPROG_MOST_TEXTURES,
    USE_STATE,
    USE_GENERIC,
    USE_NORMAL = USE_GENERIC + 16
};

static float position[ARB_POINTS][4], primary[ARB_POINTS][4], secondary[ARB_POINTS][3],
    secondary_alpha[ARB_POINTS][3], fogcoord[ARB_POINTS], coord[ARB_SETS][ARB_POINTS][4];
/* generic attributes and normals of vertex programs; attribute 0 is the position */
static float generic[16][ARB_POINTS][4], normal[ARB_POINTS][3];
static GLuint texture[FRAGPROG_MOST_TEXTURES][TEXENV_TARGETS][2][ARB_VARIATIONS];

/* ---- numbers ---- */

static uint64_t mixed(uint64_t z)
{
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Returns a random number in [0,1) that depends only on the arguments. */
static double fraction(unsigned use, uint64_t index, unsigned salt)
{
    return (double)(mixed(mixed(mixed(use) ^ index) ^ salt) >> 11) / (double)(UINT64_C(1) << 53);
}

static float varied(double value, unsigned use, uint64_t index, unsigned variation)
{
    if (variation)
        value += value * ARB_STEP * (2 * fraction(use, index, 100 + variation) - 1);
    return (float)value;
}

/* Returns a random colour component of an input: in [0,1], often exactly 0 or 1. */
static float unit(unsigned use, uint64_t index, unsigned variation)
{
    const double kind = fraction(use, index, 1), value = fraction(use, index, 2);
    return varied(kind < 0.1 ? 0 : kind < 0.2 ? 1 : value, use, index, variation);
}

/* Returns a random number, mostly in [-4,4], sometimes 20 times as large or 100 times smaller. */
static float any(unsigned use, uint64_t index, unsigned variation)
{
    const double kind = fraction(use, index, 1), value = 8 * fraction(use, index, 2) - 4;
    return varied(kind < 0.1 ? value * 20 : kind < 0.2 ? value / 100 : value, use, index, variation);
}

/* ---- points ---- */

static void make_points(unsigned variation)
{
    for (unsigned i = 0; i < ARB_POINTS; i++) {
        /* fragment.position.w will be 1/w */
        const float w = 0.5f + (float)(1.5 * fraction(USE_POSITION, i, 3));
        const float x = ((float)(i % ARB_COLUMNS) + 0.5f) / ARB_COLUMNS * 2 - 1,
                    y = ((float)(i / ARB_COLUMNS) + 0.5f) / ROWS * 2 - 1,
                    z = varied(1.8 * fraction(USE_POSITION, i, 4) - 0.9, USE_POSITION, i, variation);
        const float place[4] = {x * w, y * w, z * w, w};
        memcpy(position[i], place, sizeof place);
        fogcoord[i] = fabsf(any(USE_FOGCOORD, i, variation));
        for (unsigned c = 0; c < 4; c++) {
            primary[i][c] = unit(USE_PRIMARY, i * 4 + c, variation);
            if (c < 3)
                secondary[i][c] = unit(USE_SECONDARY, i * 4 + c, variation);
            else
                secondary_alpha[i][0] = unit(USE_SECONDARY, i * 4 + c, variation);
            for (unsigned n = 0; n < ARB_SETS; n++)
                coord[n][i][c] = any(USE_COORD + n, i * 4 + c, variation);
            for (unsigned n = 0; n < 16; n++)
                generic[n][i][c] = any(USE_GENERIC + n, i * 4 + c, variation);
            if (c < 3)
                normal[i][c] = any(USE_NORMAL, i * 4 + c, variation);
        }
        /* q divides coordinates, and a lookup is defined for a positive q only */
        for (unsigned n = 0; n < ARB_SETS; n++)
            coord[n][i][3] = i % 8 ? fabsf(coord[n][i][3]) : coord[n][i][3];
    }
}

void arb_scene_input(float out[4], unsigned file, unsigned index, unsigned point)
{
    make_points(0);
    memset(out, 0, 4 * sizeof *out);
    switch (file) {
    case FRAGPROG_PRIMARY: memcpy(out, primary[point], sizeof primary[point]); break;
    case FRAGPROG_SECONDARY:
        memcpy(out, secondary[point], sizeof secondary[point]);
        out[3] = secondary_alpha[point][0];
        break;
    case FRAGPROG_FOGCOORD: out[0] = fogcoord[point], out[3] = 1; break;
    case FRAGPROG_POSITION:
        out[0] = (float)(point % ARB_COLUMNS) + 0.5f;
        out[1] = (float)(point / ARB_COLUMNS) + 0.5f;
        out[2] = 0.125f + 0.75f * (position[point][2] / position[point][3] * 0.5f + 0.5f);
        out[3] = 1 / position[point][3];
        break;
    default: memcpy(out, coord[index % ARB_SETS][point], sizeof coord[0][point]); break;
    }
}

/* ---- state ---- */

static unsigned next; /* index of the next random number of the state */
static uint64_t state_of;
static unsigned state_variation;

static float state_number(void) { return any(USE_STATE, state_of << 20 | next++, state_variation); }
static float state_unit(void) { return unit(USE_STATE, state_of << 20 | next++, state_variation); }

static void four(float v[4], float (*number)(void))
{
    for (unsigned c = 0; c < 4; c++)
        v[c] = number();
}

/* Sets a random matrix close to the identity, so that its inverse is accurate. */
static void set_matrix(GLenum mode)
{
    float m[16];
    for (unsigned i = 0; i < 16; i++)
        m[i] = state_unit() * 0.25f + (i % 5 == 0 ? 1.0f : 0.0f);
    gl.glMatrixMode(mode);
    gl.glLoadMatrixf(m);
}

static void set_light(GLenum light)
{
    static const GLenum colors[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_POSITION, GL_SPOT_DIRECTION};
    static const GLenum factors[] = {GL_CONSTANT_ATTENUATION, GL_LINEAR_ATTENUATION,
                                     GL_QUADRATIC_ATTENUATION};
    float v[4];
    for (unsigned i = 0; i < sizeof colors / sizeof *colors; i++) {
        four(v, state_number);
        gl.glLightfv(light, colors[i], v);
    }
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++)
        gl.glLightf(light, factors[i], fabsf(state_number()));
    gl.glLightf(light, GL_SPOT_EXPONENT, 20 * state_unit());
    gl.glLightf(light, GL_SPOT_CUTOFF, 80 * state_unit());
}

static void set_state(void)
{
    static const GLenum faces[] = {GL_FRONT, GL_BACK},
                        colors[] = {GL_AMBIENT, GL_DIFFUSE, GL_SPECULAR, GL_EMISSION};
    float v[4];
    set_matrix(GL_PROJECTION);
    set_matrix(GL_MODELVIEW);
    for (unsigned n = 0; n < 8; n++)
        set_matrix(GL_MATRIX0_ARB + n);
    for (unsigned n = 0; n < ARB_SETS; n++) {
        gl.glActiveTexture(GL_TEXTURE0 + n);
        set_matrix(GL_TEXTURE);
        four(v, state_unit);
        gl.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, v);
    }
    gl.glMatrixMode(GL_MODELVIEW); /* GL transforms light positions by the modelview matrix */
    for (unsigned n = 0; n < 8; n++)
        set_light(GL_LIGHT0 + n);
    for (unsigned f = 0; f < 2; f++) {
        for (unsigned i = 0; i < 4; i++) {
            four(v, state_number);
            gl.glMaterialfv(faces[f], colors[i], v);
        }
        gl.glMaterialf(faces[f], GL_SHININESS, 100 * state_unit());
    }
    four(v, state_number);
    gl.glLightModelfv(GL_LIGHT_MODEL_AMBIENT, v);
    four(v, state_unit);
    gl.glFogfv(GL_FOG_COLOR, v);
    gl.glFogf(GL_FOG_DENSITY, fabsf(state_number()));
    gl.glFogf(GL_FOG_START, -1 - state_unit());
    gl.glFogf(GL_FOG_END, 1 + state_unit());
}

static void parameter(float v[4], uint64_t number, int32_t origin, unsigned variation)
{
    for (unsigned c = 0; c < 4; c++)
        v[c] = any(USE_PARAMETER, number << 32 | (uint64_t)origin << 2 | c, variation);
}

/* Calls f for each parameter that p's constants refer to and whose origin is in [first, first +
 * FRAGPROG_MOST_PARAMETERS). */
static void each_parameter(const struct fragprog *p, int32_t first, uint64_t number, unsigned variation,
                           void (*f)(unsigned n, const float v[4]))
{
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++) {
            const int32_t origin = p->konst[k].origin[c].unit;
            float v[4];
            if (origin < first || origin >= first + FRAGPROG_MOST_PARAMETERS)
                continue;
            parameter(v, number, origin, variation);
            f((unsigned)(origin - first), v);
        }
}

static GLenum parameters_of;
static void set_env(unsigned n, const float v[4]) { gl.glProgramEnvParameter4fvARB(parameters_of, n, v); }
static void set_local(unsigned n, const float v[4]) { gl.glProgramLocalParameter4fvARB(parameters_of, n, v); }

void arb_scene_locals(const struct fragprog *p, uint64_t number, unsigned variation)
{
    parameters_of = p->vertex ? GL_VERTEX_PROGRAM_ARB : GL_FRAGMENT_PROGRAM_ARB;
    each_parameter(p, FRAGPROG_ORIGIN_PARAMETER, number, variation, set_local);
}

/* ---- textures ---- */

static const GLenum targets[TEXENV_TARGETS] = {GL_TEXTURE_1D, GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE,
                                               GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP};

/* Tells whether texel i is at the border of a cube map's face. Where two coordinates have the same magnitude,
 * GL may choose either of two faces. */
static bool at_edge(unsigned i)
{
    const unsigned x = i % SPAN, y = i / SPAN % SPAN;
    return x == 0 || x == SPAN - 1 || y == 0 || y == SPAN - 1;
}

/* Returns the texels of unit n. In odd units they exceed [0,1], except depths. All border texels of a cube
 * map have the same colour. */
static const float *texels(unsigned n, unsigned kind, bool shadow, unsigned variation)
{
    static float data[SPAN * SPAN * 6][4];
    for (unsigned i = 0; i < SPAN * SPAN * 6; i++)
        for (unsigned c = 0; c < 4; c++) {
            const unsigned from = kind == TEXENV_CUBE && at_edge(i) ? 0 : i;
            const float v = unit(USE_TEXEL + n, from * 4 + c, variation);
            if (shadow)
                (&data[0][0])[i] = c ? (&data[0][0])[i] : v;
            else
                data[i][c] = n % 2 ? v * 4 - 1.5f : v;
        }
    return &data[0][0];
}

static void make_texture(unsigned n, unsigned kind, bool shadow, unsigned variation)
{
    const GLenum target = targets[kind], format = shadow ? GL_DEPTH_COMPONENT : GL_RGBA,
                 wrap = kind == TEXENV_RECT || kind == TEXENV_CUBE ? GL_CLAMP_TO_EDGE : GL_MIRRORED_REPEAT;
    const GLint internal = shadow ? GL_DEPTH_COMPONENT32F : GL_RGBA32F_ARB;
    const float *data = texels(n, kind, shadow, variation);
    gl.glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_S, (GLint)wrap);
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_T, (GLint)wrap);
    gl.glTexParameteri(target, GL_TEXTURE_WRAP_R, (GLint)wrap);
    if (shadow)
        gl.glTexParameteri(target, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_R_TO_TEXTURE);
    switch (kind) {
    case TEXENV_1D: gl.glTexImage1D(target, 0, internal, SPAN, 0, format, GL_FLOAT, data); break;
    case TEXENV_3D: gl.glTexImage3D(target, 0, internal, SPAN, SPAN, THIN, 0, format, GL_FLOAT, data); break;
    case TEXENV_CUBE:
        for (unsigned face = 0; face < 6; face++)
            gl.glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, internal, SPAN, SPAN, 0, format,
                            GL_FLOAT, data + face * SPAN * SPAN * (shadow ? 1u : 4u));
        break;
    default: gl.glTexImage2D(target, 0, internal, SPAN, SPAN, 0, format, GL_FLOAT, data); break;
    }
}

static void bind_textures(const struct fragprog *p, unsigned variation)
{
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (!fragprog_op_is_lookup(inst->op))
            continue;
        GLuint *name = &texture[inst->texture][inst->target][inst->shadow][variation];
        const bool made = *name;
        gl.glActiveTexture(GL_TEXTURE0 + inst->texture);
        if (!made)
            gl.glGenTextures(1, name);
        gl.glBindTexture(targets[inst->target], *name);
        if (!made)
            make_texture(inst->texture, inst->target, inst->shadow, variation);
    }
}

void arb_scene_set(const struct fragprog *p, uint64_t number, unsigned variation)
{
    next = 0;
    state_of = number;
    state_variation = variation;
    make_points(variation);
    set_state();
    bind_textures(p, variation);
    parameters_of = p->vertex ? GL_VERTEX_PROGRAM_ARB : GL_FRAGMENT_PROGRAM_ARB;
    each_parameter(p, FRAGPROG_ORIGIN_ENV, number, variation, set_env);
}

/* ---- programs ---- */

GLuint arb_program_new(GLenum target, const char *text, size_t length, const char **why)
{
    GLuint name = 0;
    /* a new object for each text: Mesa 22.3.6 crashes when a bound program gets another string */
    gl.glGenProgramsARB(1, &name);
    gl.glBindProgramARB(target, name);
    gl.glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)length, text);
    if (gl.glGetError() == GL_NO_ERROR)
        return name;
    *why = (const char *)gl.glGetString(GL_PROGRAM_ERROR_STRING_ARB);
    *why = *why ? *why : "";
    arb_program_delete(target, name);
    return 0;
}

static GLuint passing; /* the vertex program that copies vertex attributes to fragment inputs */

void arb_program_delete(GLenum target, GLuint name)
{
    gl.glBindProgramARB(target, target == GL_VERTEX_PROGRAM_ARB ? passing : 0);
    gl.glDeleteProgramsARB(1, &name);
}

/* Reads the value that the GL has for an ARB binding, by drawing with a program that outputs it. */
static bool look_up(const char *binding, float v[4])
{
    static struct arb_shot shot;
    char text[160];
    const char *why;
    snprintf(text, sizeof text, "!!ARBfp1.0\nMOV result.color, %s;\nEND\n", binding);
    const GLuint name = arb_program_new(GL_FRAGMENT_PROGRAM_ARB, text, strlen(text), &why);
    if (!name)
        return false;
    gl.glEnable(GL_FRAGMENT_PROGRAM_ARB);
    const bool ok = arb_scene_draw(&shot, 1);
    gl.glDisable(GL_FRAGMENT_PROGRAM_ARB);
    arb_program_delete(GL_FRAGMENT_PROGRAM_ARB, name);
    memcpy(v, shot.value[0][0], sizeof shot.value[0][0]);
    return ok;
}

/* Sets the uniform of a binding that has no GLSL variable; the uniform is named after the binding
 * (notes/formats/arbfp.md). */
static void set_state_uniform(GLuint program, int32_t origin)
{
    char binding[80], name[80];
    struct texenv_text text;
    unsigned n = 0;
    float v[4];
    texenv_text_init(&text, binding, sizeof binding);
    fragprog_print_origin(&text, origin);
    for (const char *c = binding; *c; c++)
        if (*c != ']')
            name[n++] = *c == '.' || *c == '[' ? '_' : *c;
    name[n] = '\0';
    if (gl.glGetUniformLocation(program, name) < 0)
        return;
    gl.glUseProgram(0);
    const bool known = look_up(binding, v);
    gl.glUseProgram(program);
    if (known)
        gl.glUniform4fv(gl.glGetUniformLocation(program, name), 1, v);
}

static GLuint uniforms_of;
static void set_named(const char *array, unsigned n, const float v[4])
{
    char name[40];
    snprintf(name, sizeof name, "%s[%u]", array, n);
    gl.glUniform4fv(gl.glGetUniformLocation(uniforms_of, name), 1, v); /* GL ignores location -1 */
}
static void set_env_uniform(unsigned n, const float v[4]) { set_named("program_env", n, v); }
static void set_local_uniform(unsigned n, const float v[4]) { set_named("program_local", n, v); }

void arb_scene_uniforms(GLuint program, const struct fragprog *p, uint64_t number, unsigned variation)
{
    uniforms_of = program;
    for (unsigned n = 0; n < FRAGPROG_MOST_TEXTURES; n++) {
        char name[16];
        snprintf(name, sizeof name, "texture%u", n);
        gl.glUniform1i(gl.glGetUniformLocation(program, name), (GLint)n);
    }
    each_parameter(p, FRAGPROG_ORIGIN_ENV, number, variation, set_env_uniform);
    each_parameter(p, FRAGPROG_ORIGIN_PARAMETER, number, variation, set_local_uniform);
    for (unsigned k = 0; k < p->nkonst; k++)
        for (unsigned c = 0; c < 4; c++)
            if (p->konst[k].origin[c].unit >= FRAGPROG_ORIGIN_STATE)
                set_state_uniform(program, p->konst[k].origin[c].unit);
}

/* ---- framebuffer ---- */

/* Enables a vertex program that copies attributes. The matrices do not affect it, so they can hold any
 * numbers. */
static const char *open_vertex_program(void)
{
    static const char start[] = "!!ARBvp1.0\n"
                                "MOV result.position, vertex.position;\n"
                                "MOV result.color, vertex.color;\n"
                                "MOV result.color.secondary, vertex.color.secondary;\n"
                                "MOV result.color.secondary.w, vertex.normal.x;\n"
                                "MOV result.fogcoord, vertex.fogcoord;\n";
    char text[1024];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", start);
    for (unsigned i = 0; i < ARB_SETS; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "MOV result.texcoord[%u], vertex.texcoord[%u];\n", i,
                              i);
    n += (size_t)snprintf(text + n, sizeof text - n, "END\n");
    gl.glGenProgramsARB(1, &passing);
    gl.glBindProgramARB(GL_VERTEX_PROGRAM_ARB, passing);
    gl.glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)n, text);
    gl.glEnable(GL_VERTEX_PROGRAM_ARB);
    return gl.glGetError() == GL_NO_ERROR ? NULL : "the GL refuses the vertex program of the scene";
}

static void open_arrays(void)
{
    gl.glEnableClientState(GL_VERTEX_ARRAY);
    gl.glVertexPointer(4, GL_FLOAT, 0, position);
    gl.glEnableClientState(GL_COLOR_ARRAY);
    gl.glColorPointer(4, GL_FLOAT, 0, primary);
    gl.glEnableClientState(GL_SECONDARY_COLOR_ARRAY);
    gl.glSecondaryColorPointer(3, GL_FLOAT, 0, secondary);
    gl.glEnableClientState(GL_NORMAL_ARRAY);
    gl.glNormalPointer(GL_FLOAT, 0, secondary_alpha);
    gl.glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    gl.glFogCoordPointer(GL_FLOAT, 0, fogcoord);
    for (unsigned n = 0; n < ARB_SETS; n++) {
        gl.glClientActiveTexture(GL_TEXTURE0 + n);
        gl.glEnableClientState(GL_TEXTURE_COORD_ARRAY);
        gl.glTexCoordPointer(4, GL_FLOAT, 0, coord[n]);
    }
}

static GLint enabled[16];
static unsigned nenabled;

void arb_scene_vertices(const GLint at[16], unsigned place)
{
    gl.glVertexPointer(4, GL_FLOAT, 0, generic[0]);
    gl.glNormalPointer(GL_FLOAT, 0, normal);
    for (unsigned n = 1; n < 16; n++) {
        if (at[n] < 0)
            continue;
        gl.glVertexAttribPointer((GLuint)at[n], 4, GL_FLOAT, GL_FALSE, 0,
                                 n == place ? position[0] : generic[n][0]);
        gl.glEnableVertexAttribArray((GLuint)at[n]);
        enabled[nenabled++] = at[n];
    }
}

void arb_scene_points(void)
{
    gl.glVertexPointer(4, GL_FLOAT, 0, position);
    gl.glNormalPointer(GL_FLOAT, 0, secondary_alpha);
    while (nenabled)
        gl.glDisableVertexAttribArray((GLuint)enabled[--nenabled]);
}

static void attach(GLenum point, GLint internal, GLenum format)
{
    GLuint name;
    gl.glGenTextures(1, &name);
    gl.glBindTexture(GL_TEXTURE_2D, name);
    gl.glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl.glTexImage2D(GL_TEXTURE_2D, 0, internal, ARB_COLUMNS, ROWS, 0, format, GL_FLOAT, NULL);
    gl.glFramebufferTexture2D(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, name, 0);
}

const char *arb_scene_open(void)
{
    GLuint framebuffer;
    if (!gl.glProgramEnvParameter4fvARB || !gl.glProgramLocalParameter4fvARB || !gl.glSecondaryColorPointer ||
        !gl.glFogCoordPointer || !gl.glDrawBuffers || !gl.glGetAttribLocation ||
        !gl_has("GL_ARB_vertex_program"))
        return "the GL lacks GL_ARB_vertex_program, secondary colours, fog coordinates or glDrawBuffers";
    gl.glActiveTexture(GL_TEXTURE0);
    gl.glGenFramebuffers(1, &framebuffer);
    gl.glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (unsigned n = 0; n < ARB_OUTPUTS; n++)
        attach(GL_COLOR_ATTACHMENT0 + n, GL_RGBA32F_ARB, GL_RGBA);
    attach(GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT);
    if (gl.glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return "the GL cannot draw into 8 textures of floats and a depth texture";
    if (gl.glClampColor)
        gl.glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
    gl.glViewport(0, 0, ARB_COLUMNS, ROWS);
    gl.glDepthRange(0.125, 0.875);
    gl.glEnable(GL_DEPTH_TEST); /* without the depth test, GL writes no depth */
    gl.glDepthFunc(GL_ALWAYS);
    open_arrays();
    (void)gl.glGetError(); /* some GLs do not know GL_CLAMP_FRAGMENT_COLOR */
    return open_vertex_program();
}

bool arb_scene_draw(struct arb_shot *shot, unsigned outputs)
{
    static float depth[ARB_POINTS];
    static GLenum buffers[ARB_OUTPUTS];
    for (unsigned n = 0; n < ARB_OUTPUTS; n++)
        buffers[n] = GL_COLOR_ATTACHMENT0 + n;
    gl.glDrawBuffers((GLsizei)outputs, buffers);
    gl.glClearColor(ARB_NOTHING, ARB_NOTHING, ARB_NOTHING, ARB_NOTHING);
    gl.glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    gl.glDrawArrays(GL_POINTS, 0, ARB_POINTS);
    memset(shot, 0, sizeof *shot);
    for (unsigned n = 0; n < outputs; n++) {
        gl.glReadBuffer(buffers[n]);
        gl.glReadPixels(0, 0, ARB_COLUMNS, ROWS, GL_RGBA, GL_FLOAT, shot->value[n]);
    }
    gl.glReadPixels(0, 0, ARB_COLUMNS, ROWS, GL_DEPTH_COMPONENT, GL_FLOAT, depth);
    for (unsigned i = 0; i < ARB_POINTS; i++)
        shot->value[ARB_OUTPUTS][i][0] = depth[i];
    return gl.glGetError() == GL_NO_ERROR;
}
