/* Draws the shader pairs of a header of `texenvc convert --embed`, as a program that embeds them would, and
 * compares colours, fog and alpha test with fixed function on the same GL. PAIRS names the header; LIST names
 * a file with a line PAIR(name) for each state on standard input (stage notation), in the same order. Prints
 * the differences; exit status 1 if there are any. */
#include PAIRS

#include "draw.h"
#include "gl.h"
#include "scene.h"
#include "compare.h"
#include "texenv/vertex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct texenvc_pair *const pairs[] = {
#define PAIR(name) &name##_pair,
#include LIST
#undef PAIR
};
static void (*const setters[])(const struct texenvc_gl *, unsigned, const struct texenvc_values *) = {
#define PAIR(name) name##_set,
#include LIST
#undef PAIR
};
#ifdef BLOCKS
static void (*const fillers[])(void *, const struct texenvc_values *) = {
#define PAIR(name) name##_fill,
#include LIST
#undef PAIR
};
#endif
enum { PAIRS_HERE = sizeof pairs / sizeof *pairs };

static const struct texenvc_fog fog_of_frame = {
    .color = {0.25f, 0.5f, 0.75f, 1}, .density = 0.75f, .start = 0.125f, .end = 1.5f};
static struct texenvc_values frame;
static float fog_coord[POINTS];
static unsigned drawn, failures;
#define EYE 0.5f /* the distance of all points from the eye */

static void complain(const char *name, const char *what, const char *log)
{
    printf("%s: %s: %s\n", name, what, log);
    failures++;
}

/* ---- fixed function ---- */

static void set_fixed(const struct texenv_state *state, bool alpha_test)
{
    static const GLint modes[] = {GL_EXP, GL_LINEAR, GL_EXP, GL_EXP2};
    (state->fog ? gl.glEnable : gl.glDisable)(GL_FOG);
    gl.glFogi(GL_FOG_MODE, modes[state->fog]);
    gl.glFogi(GL_FOG_COORDINATE_SOURCE, state->fog_coord ? GL_FOG_COORDINATE : GL_FRAGMENT_DEPTH);
    gl.glFogf(GL_FOG_DENSITY, frame.fog.density);
    gl.glFogf(GL_FOG_START, frame.fog.start);
    gl.glFogf(GL_FOG_END, frame.fog.end);
    gl.glFogfv(GL_FOG_COLOR, frame.fog.color);
    (alpha_test && state->alpha_test ? gl.glEnable : gl.glDisable)(GL_ALPHA_TEST);
    if (state->alpha_test)
        gl.glAlphaFunc(GL_NEVER + (GLenum)(state->alpha_test - TEXENV_NEVER), state->alpha_ref);
}

/* ---- shaders ---- */

static GLuint shader(const struct texenvc_pair *pair, GLenum kind, const char *source)
{
    char log[512] = "";
    GLint ok = 0;
    GLuint name = gl.glCreateShader(kind);
    gl.glShaderSource(name, 1, &source, NULL);
    gl.glCompileShader(name);
    gl.glGetShaderiv(name, GL_COMPILE_STATUS, &ok);
    gl.glGetShaderInfoLog(name, sizeof log, NULL, log);
    if (!ok)
        complain(pair->name, kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
    return name;
}

static GLuint link_pair(const struct texenvc_pair *pair)
{
    char log[512] = "";
    GLint ok = 0;
    GLuint vertex = shader(pair, GL_VERTEX_SHADER, pair->vertex),
           fragment = shader(pair, GL_FRAGMENT_SHADER, pair->fragment), program = gl.glCreateProgram();
    gl.glAttachShader(program, vertex);
    gl.glAttachShader(program, fragment);
    for (int i = 0; i < pair->nvariables; i++)
        if (pair->variable[i].kind == TEXENVC_ATTRIBUTE)
            gl.glBindAttribLocation(program, (GLuint)pair->variable[i].location, pair->variable[i].name);
    gl.glLinkProgram(program);
    gl.glGetProgramiv(program, GL_LINK_STATUS, &ok);
    gl.glGetProgramInfoLog(program, sizeof log, NULL, log);
    if (!ok)
        complain(pair->name, "link", log);
    gl.glDeleteShader(vertex);
    gl.glDeleteShader(fragment);
    return program;
}

/* Enables or disables the attributes of the pair. They use the vertex arrays that the scene has set for fixed
 * function. */
static void set_attributes(const struct texenvc_pair *pair, bool on)
{
    static const struct {
        const char *is;
        GLenum array;
        GLint size;
    } rows[] = {{"glVertex", GL_VERTEX_ARRAY_POINTER, 2},
                {"glColor", GL_COLOR_ARRAY_POINTER, 4},
                {"glSecondaryColor", GL_SECONDARY_COLOR_ARRAY_POINTER, 3},
                {"glFogCoord", GL_FOG_COORDINATE_ARRAY_POINTER, 1},
                {"glMultiTexCoord of GL_TEXTURE", GL_TEXTURE_COORD_ARRAY_POINTER, 4}};
    for (int i = 0; i < pair->nvariables; i++) {
        const GLuint at = (GLuint)pair->variable[i].location;
        const char *is = pair->variable[i].is;
        void *array = NULL;
        unsigned row = 0;
        if (pair->variable[i].kind != TEXENVC_ATTRIBUTE)
            continue;
        if (!on) {
            gl.glDisableVertexAttribArray(at);
            continue;
        }
        while (strncmp(is, rows[row].is, strlen(rows[row].is)) != 0)
            row++;
        gl.glClientActiveTexture(GL_TEXTURE0 + (row == 4 ? (GLenum)(is[strlen(is) - 1] - '0') : 0));
        gl.glGetPointerv(rows[row].array, &array);
        gl.glVertexAttribPointer(at, rows[row].size, GL_FLOAT, GL_FALSE, 0, array);
        gl.glEnableVertexAttribArray(at);
    }
}

static void set_uniforms(const struct texenvc_pair *pair, GLuint program, const struct texenv *te)
{
    const struct texenvc_gl functions = {gl.glGetUniformLocation, gl.glUniform1i,  gl.glUniform1f,
                                         gl.glUniform3fv,         gl.glUniform4fv, gl.glUniformMatrix3fv,
                                         gl.glUniformMatrix4fv};
    const unsigned n = drawn - 1;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        memcpy(frame.texenv_color[u], te->unit[u].env.color, sizeof frame.texenv_color[u]);
    frame.alpha_reference = te->alpha_ref;
    (void)pair; /* used only with uniform blocks */
    setters[n](&functions, program, &frame);
#ifdef BLOCKS
    static GLuint buffer;
    char *block = malloc((size_t)pair->block_size);
    memset(block, 0x7f, (size_t)pair->block_size);
    fillers[n](block, &frame);
    if (!buffer)
        gl.glGenBuffers(1, &buffer);
    gl.glBindBufferBase(GL_UNIFORM_BUFFER, (GLuint)pair->block_binding, buffer);
    gl.glBufferData(GL_UNIFORM_BUFFER, pair->block_size, block, GL_STREAM_DRAW);
    gl.glBindBuffer(GL_UNIFORM_BUFFER, 0);
    free(block);
#endif
}

static void draw_glsl_pair(const struct texenvc_pair *pair, const struct texenv *te, unsigned n)
{
    GLuint program = link_pair(pair);
    gl.glUseProgram(program);
    set_uniforms(pair, program, te);
    set_attributes(pair, true);
    scene_draw(n);
    set_attributes(pair, false);
    gl.glUseProgram(0);
    gl.glDeleteProgram(program);
}

static void draw_arb_pair(const struct texenvc_pair *pair, unsigned n)
{
    static const GLenum targets[] = {GL_VERTEX_PROGRAM_ARB, GL_FRAGMENT_PROGRAM_ARB};
    const char *texts[] = {pair->vertex, pair->fragment};
    GLuint names[2];
    gl.glGenProgramsARB(2, names);
    for (unsigned i = 0; i < 2; i++) {
        gl.glBindProgramARB(targets[i], names[i]);
        gl.glProgramStringARB(targets[i], GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)strlen(texts[i]), texts[i]);
        gl.glEnable(targets[i]);
    }
    scene_draw(n);
    for (unsigned i = 0; i < 2; i++) {
        gl.glDisable(targets[i]);
        gl.glBindProgramARB(targets[i], 0);
    }
    gl.glDeleteProgramsARB(2, names);
}

static void draw_pair(const struct texenvc_pair *pair, const struct texenv *te,
                      const struct texenv_state *state, unsigned bank, unsigned n)
{
    const bool arb = strcmp(pair->language, "arbfp") == 0,
               old = arb || strcmp(pair->language, "glsl") == 0 || strcmp(pair->language, "glsl-110") == 0;
    set_fixed(state, old); /* these languages have no alpha test of their own: GL's stays enabled */
    scene_bind(state, &scene_as_is, bank, true);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        gl.glActiveTexture(GL_TEXTURE0 + u);
        gl.glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, te->unit[u].env.color);
    }
    scene_color_sum(false);
    if (arb)
        draw_arb_pair(pair, n);
    else
        draw_glsl_pair(pair, te, n);
}

/* ---- comparison ---- */

/* True for a point that passed the alpha test in only one of the two images, where its alpha equals the
 * reference value up to rounding. */
static bool is_on_edge(const struct texenv_state *state, const float *a, const float *b)
{
    const float alpha = a[3] < 0 ? b[3] : a[3];
    return state->alpha_test && (a[3] < 0) != (b[3] < 0) && fabsf(alpha - state->alpha_ref) < 1e-5f;
}

/* Mesa does not clamp the colour sum before it blends fog, against OpenGL 2.1, 3.9. Where both are enabled,
 * the draw has no fog, and this function blends it into the result, by section 3.10. */
static void blend_fog(const struct texenv_state *state, float (*color)[4])
{
    for (unsigned i = 0; i < POINTS; i++) {
        const float c = state->fog_coord ? fog_coord[i] : EYE, d = frame.fog.density * c;
        float f = state->fog == TEXENV_FOG_LINEAR ? (frame.fog.end - c) / (frame.fog.end - frame.fog.start)
            : state->fog == TEXENV_FOG_EXP        ? expf(-d)
                                                  : expf(-d * d);
        f = f < 0 ? 0 : f > 1 ? 1 : f;
        for (unsigned k = 0; k < 3 && color[i][3] >= 0; k++)
            color[i][k] = f * color[i][k] + (1 - f) * frame.fog.color[k];
    }
}

/* Gives each unit whose texture matrix the vertex half enables a matrix that moves the coordinates to other
 * texels, so that a wrong vertex shader shows. The pair's uniforms get the matrices of all units. */
static void set_texture_matrices(const struct texenv_vertex *vertex)
{
    gl.glMatrixMode(GL_TEXTURE);
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        /* column-major: a translation of s and t by whole texels of the 2D textures */
        const float matrix[16] = {
            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, (float)(u % 7 + 1) / POINTS, (float)(u % 3 + 1) / BANKS,
            0, 1};
        memcpy(frame.texture_matrix[u], matrix, sizeof matrix);
        gl.glActiveTexture(GL_TEXTURE0 + u);
        gl.glLoadIdentity();
        if (vertex->texture_matrix[u])
            gl.glLoadMatrixf(matrix);
    }
    gl.glMatrixMode(GL_MODELVIEW);
}

static bool on_draw(void *user, const struct texenv_draw *draw)
{
    static float fixed[1][POINTS][4], converted[1][POINTS][4];
    struct texenv_state state;
    const unsigned n = drawn++, bank = n % BANKS;
    (void)user;
    if (n >= PAIRS_HERE) {
        complain("input", "states", "more than pairs");
        return false;
    }
    texenv_canonicalise(&state, draw->te, NULL, false, NULL, NULL);
    set_texture_matrices(draw->vertex);
    scene_clear();
    struct texenv_state sum = state;
    sum.fog = state.color_sum ? TEXENV_FOG_OFF : state.fog;
    set_fixed(&sum, true);
    const char *why = draw_fixed(&state, bank, 0);
    scene_read(fixed, 1);
    if (sum.fog != state.fog)
        blend_fog(&state, fixed[0]);
    scene_clear();
    draw_pair(pairs[n], draw->te, &state, bank, 0);
    if (!scene_read(converted, 1) || why)
        complain(pairs[n]->name, "GL", why ? why : "an error");
    for (unsigned i = 0; i < POINTS; i++)
        if (is_on_edge(&state, fixed[0][i], converted[0][i]))
            memcpy(converted[0][i], fixed[0][i], sizeof fixed[0][i]);
    /* In a float framebuffer fixed function does not clamp the colour sum; the input of fog is clamped. */
    const struct difference d = compare(fixed[0], converted[0], state.color_sum);
    if (d.most > tolerance(&state, 1e-5)) {
        printf("%s: point %u channel %u: %g by fixed function, %g by the pair\n", pairs[n]->name, d.point,
               d.channel, (double)fixed[0][d.point][d.channel], (double)converted[0][d.point][d.channel]);
        failures++;
    }
    return true;
}

static void make_frame(void)
{
    const float modelview[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, -EYE, 1};
    gl.glLoadMatrixf(modelview);
    frame.fog = fog_of_frame;
    gl.glGetFloatv(GL_PROJECTION_MATRIX, frame.projection);
    gl.glGetFloatv(GL_MODELVIEW_MATRIX, frame.modelview);
    for (unsigned i = 0; i < POINTS; i++)
        fog_coord[i] = (float)i / 8;
    gl.glEnableClientState(GL_FOG_COORDINATE_ARRAY);
    gl.glFogCoordPointer(GL_FLOAT, 0, fog_coord);
}

int main(void)
{
    static char text[1 << 20];
    enum platform platform;
    const size_t length = fread(text, 1, sizeof text, stdin);
    struct texenv_reader reader = {.on_draw = on_draw};
    const char *why = gl_open(PLATFORM_SURFACELESS, &platform);
    if (!why)
        why = scene_open(false);
    if (why) {
        fprintf(stderr, "no GL: %s\n", why);
        return 77;
    }
    gl.glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE); /* clamps as for a framebuffer of 8 bits a channel */
    make_frame();
    texenv_read_stages(&reader, text, length);
    if (reader.errors || drawn != PAIRS_HERE)
        complain("input", "states", "not as many as pairs");
    printf("%u pairs drawn, %u differ\n", drawn, failures);
    return failures != 0;
}
