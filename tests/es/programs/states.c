/* Draws 108 texture environments of OpenGL ES 1.1 with one unit (specification, 3.7.12), each in a cell of 24
 * by 24 pixels, 12 cells to a row, from the lower left. A cell consists of 8 by 8 squares, each with one
 * primary colour and one texel, which are the same in all cells. ES_STATE=N draws only state N, in its cell;
 * -l lists the states. */
#include <GL/glut.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 108, ROW = 12, CELL = 24, SQUARES = 8, FORMATS = 5 };

static const GLenum formats[FORMATS] = {GL_RGBA, GL_RGB, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA};
static const GLenum rgb_functions[8] = {GL_REPLACE,     GL_MODULATE, GL_ADD,      GL_ADD_SIGNED,
                                        GL_INTERPOLATE, GL_SUBTRACT, GL_DOT3_RGB, GL_DOT3_RGBA};
static const GLenum sources[4] = {GL_TEXTURE, GL_CONSTANT, GL_PRIMARY_COLOR, GL_PREVIOUS};
static const GLenum operands[4] = {GL_SRC_COLOR, GL_ONE_MINUS_SRC_COLOR, GL_SRC_ALPHA,
                                   GL_ONE_MINUS_SRC_ALPHA};

struct state {
    GLenum format, mode, function[2], source[2][3], operand[2][3];
    int scale[2];
};
static struct state states[STATES];
static int count;

static GLubyte colors[SQUARES * SQUARES][4], texels[SQUARES * SQUARES][4];

static struct state *add(GLenum mode, GLenum rgb, GLenum alpha)
{
    struct state *s = &states[count++];
    *s = (struct state){GL_RGBA, mode, {rgb, alpha}, {{0}}, {{0}}, {1, 1}};
    for (int i = 0; i < 3; i++) { /* texture, primary colour, constant */
        s->source[0][i] = s->source[1][i] = (const GLenum[]){GL_TEXTURE, GL_PRIMARY_COLOR, GL_CONSTANT}[i];
        s->operand[0][i] = GL_SRC_COLOR;
        s->operand[1][i] = GL_SRC_ALPHA;
    }
    return s;
}

static void make_states(void)
{
    const GLenum classic[4] = {GL_REPLACE, GL_MODULATE, GL_BLEND, GL_ADD};
    /* Numbers in the comments are the number of states after each step. */
    for (int mode = 0; mode < 4; mode++) /* 20 */
        for (int f = 0; f < FORMATS; f++)
            add(classic[mode], 0, 0)->format = formats[f];
    add(GL_DECAL, 0, 0); /* DECAL is defined for RGBA and RGB only: 22 */
    add(GL_DECAL, 0, 0)->format = GL_RGB;
    for (int f = 0; f < 8; f++) /* each source in each place: 54 */
        for (int turn = 0; turn < 4; turn++) {
            struct state *s = add(GL_COMBINE, rgb_functions[f], GL_REPLACE);
            for (int i = 0; i < 3; i++)
                s->source[0][i] = sources[(turn + i) % 4];
        }
    for (int f = 0; f < 8; f++) /* each operand in each place, together with the states above: 78 */
        for (int turn = 1; turn < 4; turn++) {
            struct state *s = add(GL_COMBINE, rgb_functions[f], GL_REPLACE);
            for (int i = 0; i < 3; i++)
                s->operand[0][i] = operands[(turn + i) % 4];
        }
    for (int f = 0; f < 6; f++) /* 90 */
        for (int turn = 0; turn < 2; turn++) {
            struct state *s = add(GL_COMBINE, GL_REPLACE, rgb_functions[f]);
            for (int i = 0; i < 3; i++) {
                s->source[1][i] = sources[(2 * turn + i) % 4];
                s->operand[1][i] = operands[2 + (turn + i) % 2];
            }
        }
    for (int scale = 2; scale <= 4; scale *= 2) { /* 102 */
        add(GL_COMBINE, GL_MODULATE, GL_REPLACE)->scale[0] = scale;
        add(GL_COMBINE, GL_ADD_SIGNED, GL_REPLACE)->scale[0] = scale;
        add(GL_COMBINE, GL_SUBTRACT, GL_REPLACE)->scale[0] = scale;
        add(GL_COMBINE, GL_REPLACE, GL_MODULATE)->scale[1] = scale;
        add(GL_COMBINE, GL_REPLACE, GL_ADD)->scale[1] = scale;
        add(GL_COMBINE, GL_DOT3_RGBA, GL_REPLACE)->scale[0] = scale;
    }
    for (int f = 1; f < FORMATS; f++) /* 106 */
        add(GL_COMBINE, GL_MODULATE, GL_MODULATE)->format = formats[f];
    add(GL_COMBINE, GL_MODULATE, GL_REPLACE)->source[0][0] = GL_TEXTURE0; /* OES_texture_env_crossbar: 108 */
    add(GL_COMBINE, GL_REPLACE, GL_MODULATE)->source[1][0] = GL_TEXTURE0;
}

static void make_colors(void)
{
    unsigned long random = 12345;
    for (int i = 0; i < SQUARES * SQUARES; i++)
        for (int c = 0; c < 4; c++) {
            random = (random * 1103515245u + 12345) & 0x7fffffff;
            colors[i][c] = i < 8 ? i >> c & 1 ? 255 : 0 : random >> 16 & 255;
            random = (random * 1103515245u + 12345) & 0x7fffffff;
            texels[i][c] = i % 8 == 0 ? i / 8 >> c & 1 ? 255 : 0 : random >> 16 & 255;
        }
}

static void set_texture(GLenum format)
{
    GLubyte data[SQUARES * SQUARES * 4], *to = data;
    for (int i = 0; i < SQUARES * SQUARES; i++) {
        if (format != GL_ALPHA)
            *to++ = texels[i][0];
        if (format == GL_RGB || format == GL_RGBA)
            *to++ = texels[i][1], *to++ = texels[i][2];
        if (format == GL_RGBA || format == GL_ALPHA || format == GL_LUMINANCE_ALPHA)
            *to++ = texels[i][3];
    }
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, SQUARES, SQUARES, 0, format, GL_UNSIGNED_BYTE, data);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void set_state(const struct state *s)
{
    static const GLenum names[2][3] = {{GL_SOURCE0_RGB, GL_SOURCE1_RGB, GL_SOURCE2_RGB},
                                       {GL_SOURCE0_ALPHA, GL_SOURCE1_ALPHA, GL_SOURCE2_ALPHA}};
    static const GLenum operand_names[2][3] = {{GL_OPERAND0_RGB, GL_OPERAND1_RGB, GL_OPERAND2_RGB},
                                               {GL_OPERAND0_ALPHA, GL_OPERAND1_ALPHA, GL_OPERAND2_ALPHA}};
    const GLfloat constant[4] = {0.8f, 0.4f, 0.2f, 0.6f};
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (GLint)s->mode);
    glTexEnvfv(GL_TEXTURE_ENV, GL_TEXTURE_ENV_COLOR, constant);
    if (s->mode != GL_COMBINE)
        return;
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_RGB, (GLint)s->function[0]);
    glTexEnvi(GL_TEXTURE_ENV, GL_COMBINE_ALPHA, (GLint)s->function[1]);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 3; i++) {
            glTexEnvi(GL_TEXTURE_ENV, names[half][i], (GLint)s->source[half][i]);
            glTexEnvi(GL_TEXTURE_ENV, operand_names[half][i], (GLint)s->operand[half][i]);
        }
    glTexEnvi(GL_TEXTURE_ENV, GL_RGB_SCALE, s->scale[0]);
    glTexEnvi(GL_TEXTURE_ENV, GL_ALPHA_SCALE, s->scale[1]);
}

/* Gives all attributes with each vertex, which emscripten's LEGACY_GL_EMULATION needs. */
static void square(float x, float y, float size, int number)
{
    const float s = ((float)(number % SQUARES) + 0.5f) / SQUARES,
                t = ((float)(number / SQUARES) + 0.5f) / SQUARES;
    for (int i = 0; i < 4; i++) {
        glColor4ubv(colors[number]);
        glTexCoord2f(s, t);
        glVertex2f(x + (i == 1 || i == 2 ? size : 0), y + (i > 1 ? size : 0));
    }
}

/* The cell is blended with white, so that the colour on the screen depends on alpha, too. */
static void draw_cell(int i)
{
    const float size = (float)CELL / SQUARES, left = (float)(i % ROW * CELL),
                bottom = (float)(i / ROW * CELL);
    set_texture(states[i].format);
    set_state(&states[i]);
    glBegin(GL_QUADS);
    for (int j = 0; j < SQUARES * SQUARES; j++) {
        square(left + size * (float)(j % SQUARES), bottom + size * (float)(j / SQUARES), size, j);
    }
    glEnd();
}

static void display(void)
{
    const char *only = getenv("ES_STATE");
    GLuint texture;
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glMatrixMode(GL_PROJECTION);
    glLoadIdentity();
    glOrtho(0, ROW * CELL, 0, (double)STATES / ROW * CELL, -1, 1);
    glMatrixMode(GL_MODELVIEW);
    glLoadIdentity();
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    for (int i = 0; i < STATES; i++)
        if (!only || !*only || atoi(only) == i)
            draw_cell(i);
    glDeleteTextures(1, &texture);
    glutSwapBuffers();
}

static void list(void)
{
    for (int i = 0; i < count; i++) {
        const struct state *s = &states[i];
        printf("%d format=%04x mode=%04x functions=%04x,%04x scales=%d,%d", i, s->format, s->mode,
               s->function[0], s->function[1], s->scale[0], s->scale[1]);
        for (int j = 0; j < 6; j++)
            printf(" %04x:%04x", s->source[j / 3][j % 3], s->operand[j / 3][j % 3]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    make_states();
    make_colors();
    if (argc > 1 && strcmp(argv[1], "-l") == 0) {
        list();
        return count != STATES;
    }
    glutInit(&argc, argv);
    glutInitDisplayMode(GLUT_RGB | GLUT_DOUBLE);
    glutInitWindowSize(ROW * CELL, STATES / ROW * CELL);
    glutCreateWindow("states");
    glutDisplayFunc(display);
    glutMainLoop();
    return 0;
}
