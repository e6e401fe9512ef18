/* A scene of 500 draws with 12 states: by OpenGL 1 and libtexenv-es; and, with HAND, by shaders that were
 * written by hand for OpenGL ES 2, each with the uniforms that it needs. Both draw small cubes from a buffer.
 */
#ifndef SCENE_H
#define SCENE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef HAND
#include <GLES2/gl2.h>
#else
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#endif

enum { DRAWS = 500, STATES = 12, SIZE = 64, VERTICES = 24, TEXTURES = 2 };

/* The features of the states, which both ways of drawing use. */
enum { LIT = 1, TEX = 2, TWO = 4, FOG = 8, TEST = 16 };
enum blend { MODULATE, DECAL, BLEND, INTERPOLATE, ADD_SIGNED };
static const struct {
    unsigned flags;
    enum blend blend; /* function of the last texture */
} states[STATES] = {{TEX, MODULATE},
                    {LIT | TEX, MODULATE},
                    {LIT | TEX | FOG, MODULATE},
                    {0, MODULATE},
                    {LIT, MODULATE},
                    {TEX | FOG, MODULATE},
                    {TEX, INTERPOLATE},
                    {TEX | TWO, ADD_SIGNED},
                    {LIT | TEX | TWO, ADD_SIGNED},
                    {LIT | TEX, DECAL},
                    {TEX, BLEND},
                    {LIT | TEX | FOG | TEST, MODULATE}};

static const float light_direction[4] = {0.3f, 0.5f, 0.8f, 0}, ambient[4] = {0.3f, 0.3f, 0.3f, 1},
                   white[4] = {1, 1, 1, 1}, fog_color[4] = {0.5f, 0.6f, 0.7f, 1},
                   constant[4] = {0.2f, 0.7f, 0.4f, 0.5f};
#define FOG_START 4.0f
#define FOG_END 10.0f

struct vertex {
    float position[3], normal[3], coord[2];
};
static struct vertex cube[VERTICES];
static GLushort indices[VERTICES / 4 * 6];
static GLuint textures[TEXTURES], buffers[2];
static int sorted; /* draws of a state follow one another; else each draw has another state */

static void make_cube(void)
{
    for (int face = 0; face < 6; face++)
        for (int i = 0; i < 4; i++) {
            struct vertex *v = &cube[4 * face + i];
            const float a = i == 1 || i == 2 ? 1 : -1, b = i > 1 ? 1 : -1, side = face < 3 ? 1 : -1;
            v->position[face % 3] = side;
            v->position[(face + 1) % 3] = a * side;
            v->position[(face + 2) % 3] = b;
            v->normal[face % 3] = side;
            v->coord[0] = a, v->coord[1] = b;
        }
    for (int i = 0; i < VERTICES / 4 * 6; i++)
        indices[i] = (GLushort)(i / 6 * 4 + (const int[]){0, 1, 2, 0, 2, 3}[i % 6]);
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof cube, cube, GL_STATIC_DRAW);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
}

static void make_textures(void)
{
    GLubyte texel[8][8][4];
    glGenTextures(TEXTURES, textures);
    for (int n = 0; n < TEXTURES; n++) {
        for (int i = 0; i < 256; i++)
            (&texel[0][0][0])[i] = (GLubyte)((i + n) * 7919 % 251);
        glBindTexture(GL_TEXTURE_2D, textures[n]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    }
}

/* Computes the position and the rotation of draw number i. */
static void place(float out[3], float *angle, int i, int time)
{
    out[0] = (float)(i % 25) * 0.4f - 4.8f;
    out[1] = (float)(i / 25) * 0.4f - 3.8f;
    out[2] = -8 - (float)(i % 7) * 0.3f;
    *angle = (float)(i * 37 + time);
}

static void color_of(float out[4], int i)
{
    out[0] = (float)(i % 5) / 4, out[1] = (float)(i % 7) / 6, out[2] = (float)(i % 3) / 2, out[3] = 1;
}

static int state_of(int i) { return sorted ? i * STATES / DRAWS : i % STATES; }

/* ---- by OpenGL 1 ---- */
#ifndef HAND

static void enable(GLenum what, int on) { (on ? glEnable : glDisable)(what); }

static void set_environment(enum blend blend)
{
    static const GLint modes[] = {GL_MODULATE, GL_DECAL, GL_BLEND, GL_COMBINE, GL_COMBINE};
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, modes[blend]);
    if (blend == INTERPOLATE)
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_INTERPOLATE);
    if (blend == ADD_SIGNED)
        glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, GL_ADD_SIGNED);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant);
}

static void set_state(int n)
{
    const unsigned flags = states[n].flags;
    enable(GL_LIGHTING, flags & LIT);
    enable(GL_FOG, flags & FOG);
    enable(GL_ALPHA_TEST, flags & TEST);
    glActiveTexture(GL_TEXTURE1);
    enable(GL_TEXTURE_2D, flags & TWO);
    if (flags & TWO)
        set_environment(states[n].blend);
    glActiveTexture(GL_TEXTURE0);
    enable(GL_TEXTURE_2D, flags & TEX);
    set_environment(flags & TWO ? MODULATE : states[n].blend);
}

static void open_scene(void)
{
    glMatrixMode(GL_PROJECTION);
    glFrustum(-0.5, 0.5, -0.5, 0.5, 1, 20);
    glMatrixMode(GL_MODELVIEW);
    glEnable(GL_LIGHT0);
    glLightfv(GL_LIGHT0, GL_POSITION, light_direction);
    glLightfv(GL_LIGHT0, GL_DIFFUSE, white);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, ambient);
    glEnable(GL_COLOR_MATERIAL);
    glEnable(GL_NORMALIZE);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, FOG_START);
    glFogf(GL_FOG_END, FOG_END);
    glFogfv(GL_FOG_COLOR, fog_color);
    glAlphaFunc(GL_GREATER, 0.3f);
    glVertexPointer(3, GL_FLOAT, sizeof *cube, NULL);
    glNormalPointer(GL_FLOAT, sizeof *cube, (const void *)12);
    glEnableClientState(GL_VERTEX_ARRAY);
    glEnableClientState(GL_NORMAL_ARRAY);
    for (int u = 0; u < 2; u++) {
        glClientActiveTexture(GL_TEXTURE0 + u);
        glTexCoordPointer(2, GL_FLOAT, sizeof *cube, (const void *)24);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    }
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glActiveTexture(GL_TEXTURE0);
}

static void draw_scene(int time)
{
    for (int i = 0, last = -1; i < DRAWS; i++) {
        float at[3], angle, color[4];
        if (state_of(i) != last)
            set_state(last = state_of(i));
        place(at, &angle, i, time);
        color_of(color, i);
        glBindTexture(GL_TEXTURE_2D, textures[i % TEXTURES]);
        glColor4fv(color);
        glPushMatrix();
        glTranslatef(at[0], at[1], at[2]);
        glRotatef(angle, 0.6f, 0.8f, 0);
        glScalef(0.15f, 0.15f, 0.15f);
        glDrawElements(GL_TRIANGLES, VERTICES / 4 * 6, GL_UNSIGNED_SHORT, NULL);
        glPopMatrix();
    }
}

/* ---- by shaders ---- */
#else

static const char vertex_text[] = "attribute vec3 position, normal; attribute vec2 coord;\n"
                                  "uniform mat4 modelview, projection; uniform mat3 turn; uniform vec4 "
                                  "color, ambient; uniform vec3 light;\n"
                                  "varying vec4 c; varying vec2 t; varying float depth;\n"
                                  "void main() {\n"
                                  "    vec4 eye = modelview * vec4(position, 1.0);\n"
                                  "    gl_Position = projection * eye;\n"
                                  "    c = color; t = coord; depth = -eye.z;\n"
                                  "#ifdef LIT\n"
                                  "    float d = max(dot(normalize(turn * normal), light), 0.0);\n"
                                  "    c = vec4(min(color.rgb * (ambient.rgb + d), 1.0), color.a);\n"
                                  "#endif\n"
                                  "}\n";
static const char fragment_text[] =
    "precision mediump float;\n"
    "uniform sampler2D one, two; uniform vec4 constant, fog; uniform vec2 range;\n"
    "varying vec4 c; varying vec2 t; varying float depth;\n"
    "void main() {\n"
    "    vec4 r = c;\n"
    "#ifdef TEX\n"
    "    vec4 a = texture2D(one, t);\n"
    "#if BLEND == 0 || defined TWO\n"
    "    r *= a;\n"
    "#elif BLEND == 1\n"
    "    r.rgb = mix(r.rgb, a.rgb, a.a);\n"
    "#elif BLEND == 2\n"
    "    r = vec4(mix(r.rgb, constant.rgb, a.rgb), r.a * a.a);\n"
    "#elif BLEND == 3\n"
    "    r = vec4(mix(r.rgb, a.rgb, constant.a), r.a * a.a);\n"
    "#endif\n"
    "#endif\n"
    "#ifdef TWO\n"
    "    vec4 b = texture2D(two, t);\n"
    "    r = vec4(clamp(r.rgb + b.rgb - 0.5, 0.0, 1.0), r.a * b.a);\n"
    "#endif\n"
    "#ifdef TEST\n"
    "    if (r.a <= 0.3) discard;\n"
    "#endif\n"
    "#ifdef FOG\n"
    "    r.rgb = mix(fog.rgb, r.rgb, clamp((range.y - depth) / (range.y - range.x), 0.0, 1.0));\n"
    "#endif\n"
    "    gl_FragColor = r;\n"
    "}\n";

static struct program {
    GLuint name;
    GLint modelview, turn, color;
} programs[STATES];

static void add_shader(GLuint program, GLenum type, const char *defines, const char *text)
{
    const GLuint shader = glCreateShader(type);
    const char *const all[2] = {defines, text};
    glShaderSource(shader, 2, all, NULL);
    glCompileShader(shader);
    glAttachShader(program, shader);
}

static void make_program(int n)
{
    static const float projection[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -21.f / 19, -1, 0, 0, -40.f / 19, 0};
    const unsigned flags = states[n].flags;
    struct program *p = &programs[n];
    char defines[128];
    snprintf(defines, sizeof defines, "#define BLEND %d\n%s%s%s%s%s", (int)states[n].blend,
             flags & LIT ? "#define LIT\n" : "", flags & TEX ? "#define TEX\n" : "",
             flags & TWO ? "#define TWO\n" : "", flags & FOG ? "#define FOG\n" : "",
             flags & TEST ? "#define TEST\n" : "");
    p->name = glCreateProgram();
    add_shader(p->name, GL_VERTEX_SHADER, defines, vertex_text);
    add_shader(p->name, GL_FRAGMENT_SHADER, defines, fragment_text);
    glBindAttribLocation(p->name, 0, "position");
    glBindAttribLocation(p->name, 1, "normal");
    glBindAttribLocation(p->name, 2, "coord");
    glLinkProgram(p->name);
    glUseProgram(p->name);
#define AT(uniform) glGetUniformLocation(p->name, #uniform)
    p->modelview = AT(modelview), p->turn = AT(turn), p->color = AT(color);
    const float length = sqrtf(0.3f * 0.3f + 0.5f * 0.5f + 0.8f * 0.8f);
    glUniformMatrix4fv(AT(projection), 1, GL_FALSE, projection);
    glUniform3f(AT(light), 0.3f / length, 0.5f / length, 0.8f / length);
    glUniform4fv(AT(ambient), 1, ambient);
    glUniform1i(AT(one), 0);
    glUniform1i(AT(two), 1);
    glUniform4fv(AT(constant), 1, constant);
    glUniform4fv(AT(fog), 1, fog_color);
    glUniform2f(AT(range), FOG_START, FOG_END);
}

static void open_scene(void)
{
    for (int n = 0; n < STATES; n++)
        make_program(n);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof *cube, NULL);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof *cube, (const void *)12);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, sizeof *cube, (const void *)24);
    for (GLuint i = 0; i < 3; i++)
        glEnableVertexAttribArray(i);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glActiveTexture(GL_TEXTURE0);
}

/* A rotation about (0.6, 0.8, 0), with a scale and a translation. */
static void make_matrix(float m[16], float turn[9], const float at[3], float degrees, float scale)
{
    const float a = degrees * 0.017453293f, c = cosf(a), s = sinf(a), x = 0.6f, y = 0.8f, d = 1 - c;
    const float r[9] = {x * x * d + c, x * y * d, -y * s, x * y * d, y * y * d + c, x * s, y * s, -x * s, c};
    memcpy(turn, r, sizeof r);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            m[4 * i + k] = r[3 * i + k] * scale;
        m[4 * i + 3] = 0;
        m[12 + i] = at[i];
    }
    m[15] = 1;
}

static void draw_scene(int time)
{
    struct program *p = NULL;
    for (int i = 0, last = -1; i < DRAWS; i++) {
        float at[3], angle, color[4], m[16], turn[9];
        if (state_of(i) != last) {
            p = &programs[last = state_of(i)];
            glUseProgram(p->name);
        }
        place(at, &angle, i, time);
        color_of(color, i);
        make_matrix(m, turn, at, angle, 0.15f);
        if (states[last].flags & TEX)
            glBindTexture(GL_TEXTURE_2D, textures[i % TEXTURES]);
        glUniform4fv(p->color, 1, color);
        glUniformMatrix4fv(p->modelview, 1, GL_FALSE, m);
        if (states[last].flags & LIT)
            glUniformMatrix3fv(p->turn, 1, GL_FALSE, turn);
        glDrawElements(GL_TRIANGLES, VERTICES / 4 * 6, GL_UNSIGNED_SHORT, NULL);
    }
}
#endif

static void make_scene(void)
{
    make_cube();
    make_textures();
    open_scene();
    glViewport(0, 0, SIZE, SIZE);
    glClearColor(0.5f, 0.6f, 0.7f, 1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_CULL_FACE);
}

#endif
