/* Tests that each change of state affects the next draw, although all other state is that of the previous
 * draw. Runs with libtexenv-es (if built with OVER_ES) or with Mesa's GL. Exit status: 1 if a colour is
 * wrong, 77 if there is no context. */
#include "open_gl.h"

#include <stdio.h>

enum { SIDE = 8, RED = 0xF00, GREEN = 0x0F0, BLUE = 0x00F, BLACK = 0 };
static int bad;
static GLuint textures[2], positions; /* a buffer with `corners` */

static const float corners[2][8] = {{-1, -1, 1, -1, -1, 1, 1, 1},
                                    {-1, -1, -0.9f, -1, -1, -0.9f, -0.9f, -0.9f}};
static const GLubyte red[4][4] = {{255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}},
                     green[4][4] = {{0, 255, 0, 255}, {0, 255, 0, 255}, {0, 255, 0, 255}, {0, 255, 0, 255}};

static void fail(const char *what)
{
    puts(what);
    bad++;
}

/* Draws from the arrays, and compares a pixel near the middle. Each digit of color is 0 or F. */
static void draw(int color, const char *what)
{
    GLubyte p[4] = {0, 0, 0, 0};
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
    const int got = (p[0] > 127 ? RED : 0) | (p[1] > 127 ? GREEN : 0) | (p[2] > 127 ? BLUE : 0);
    if (got == color)
        return;
    printf("%s: %03x, not %03x\n", what, (unsigned)got, (unsigned)color);
    bad++;
}

static GLuint buffer_of(const void *data, GLsizeiptr size)
{
    GLuint name;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, size, data, GL_STATIC_DRAW);
    return name;
}

static void uniforms(void)
{
    static const float blue[4] = {0, 0, 1, 1}, green_color[4] = {0, 1, 0, 1};
    glDisable(GL_LIGHTING);
    glColor3f(1, 0, 0);
    draw(RED, "a colour");
    glEnable(GL_LIGHTING);
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, green_color);
    glMaterialfv(GL_FRONT, GL_AMBIENT, (const float[]){1, 1, 1, 1});
    draw(GREEN, "light");
    glDisable(GL_LIGHTING);
    draw(RED, "the first program again");
    glLightModelfv(GL_LIGHT_MODEL_AMBIENT, blue);
    draw(RED, "a light that is off");
    glEnable(GL_LIGHTING);
    draw(BLUE, "light that changed while another program was used");
    glDisable(GL_LIGHTING);
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glTranslatef(8, 0, 0);
    draw(BLACK, "a matrix");
    glEnable(GL_LIGHTING);
    draw(BLACK, "a matrix that changed while another program was used");
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
    draw(BLUE, "the matrix before");
    glDisable(GL_LIGHTING);
    draw(RED, "the matrix before, in another program");
}

static void arrays(void)
{
    const GLuint first = buffer_of(red, sizeof red), second = buffer_of(green, sizeof green);
    glEnableClientState(GL_COLOR_ARRAY);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, NULL);
    draw(GREEN, "an array in a buffer");
    glBindBuffer(GL_ARRAY_BUFFER, first);
    draw(GREEN, "BindBuffer does not change the array");
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, NULL);
    draw(RED, "another buffer");
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof green, green);
    draw(GREEN, "BufferSubData");
    glBufferData(GL_ARRAY_BUFFER, sizeof red, red, GL_STATIC_DRAW);
    draw(RED, "BufferData");
    *(GLubyte *)glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY) = 255;
    glUnmapBuffer(GL_ARRAY_BUFFER);
    draw(RED, "MapBuffer");
    glColor3f(0, 0, 1);
    glDisableClientState(GL_COLOR_ARRAY);
    draw(BLUE, "no array");
    glEnableClientState(GL_COLOR_ARRAY);
    draw(RED, "the array again");
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, green);
    draw(GREEN, "an array in memory");
    glBindBuffer(GL_ARRAY_BUFFER, second);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, NULL);
    glPushClientAttrib(GL_CLIENT_VERTEX_ARRAY_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, positions);
    glVertexPointer(2, GL_FLOAT, 0, (const void *)sizeof corners[0]);
    draw(BLACK, "a smaller figure");
    glPopClientAttrib();
    draw(GREEN, "PopClientAttrib");
    glBegin(GL_TRIANGLES); /* uses other arrays of ES at the same locations */
    glColor3f(0, 0, 1);
    glVertex2f(-1, -1), glVertex2f(-0.9f, -1), glVertex2f(-1, -0.9f);
    glEnd();
    draw(GREEN, "arrays after vertices");
    glDeleteBuffers(1, &first);
    draw(GREEN, "a buffer that is deleted, and not used");
    glBindBuffer(GL_ARRAY_BUFFER, second);
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, NULL);
    draw(GREEN, "an array before its buffer is deleted");
    glDeleteBuffers(1, &second);
    const GLuint third = buffer_of(red, sizeof red); /* ES may give it the name of the one before */
    glColorPointer(4, GL_UNSIGNED_BYTE, 0, NULL);
    draw(RED, "an array in a buffer made after another one was deleted");
    glDisableClientState(GL_COLOR_ARRAY);
    glColor3f(0, 0, 1);
    draw(BLUE, "a colour after arrays");
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDeleteBuffers(1, &third);
}

/* Draws with indices in two buffers, and changes the contents of one. Vertices are in buffers, too. Nothing
 * is drawn with the second list of indices. */
static void indices(void)
{
    static const GLushort order[2][4] = {{0, 1, 2, 3}, {0, 0, 0, 0}};
    GLubyte p[4];
    GLuint names[2];
    glColor3f(1, 0, 0);
    glGenBuffers(2, names);
    for (int i = 0; i < 6; i++) {
        const int drawn = i != 1 && i != 3;
        if (i < 3)
            glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, names[i % 2]);
        if (i < 2)
            glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof order[i], order[i], GL_STATIC_DRAW);
        if (i == 3 || i == 4)
            glBufferSubData(GL_ELEMENT_ARRAY_BUFFER, 0, sizeof *order, order[i == 3]);
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
        glReadPixels(SIDE / 2, SIDE / 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
        if ((p[0] > 127) != drawn) {
            printf("indices %d\n", i);
            bad++;
        }
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDeleteBuffers(2, names);
}

static void make_texture(int n, const void *texels)
{
    glBindTexture(GL_TEXTURE_2D, textures[n]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void texturing(void)
{
    static const float side[8] = {0.9f, 0.5f, 0.9f, 0.5f, 0.9f, 0.5f, 0.9f, 0.5f};
    glGenTextures(2, textures);
    make_texture(0, red);
    make_texture(1, green);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glColor3f(0, 0, 1);
    glEnable(GL_TEXTURE_2D);
    draw(GREEN, "a texture");
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    draw(RED, "another texture");
    glDisable(GL_TEXTURE_2D);
    draw(BLUE, "no texture");
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    draw(BLUE, "a texture that is not read");
    glEnable(GL_TEXTURE_2D);
    draw(GREEN, "a texture that was bound while none was read");
    glActiveTexture(GL_TEXTURE1);
    glEnable(GL_TEXTURE_2D);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    draw(RED, "another unit");
    make_texture(1, green); /* in ES, this uses another unit */
    draw(GREEN, "TexImage in the last unit");
    glActiveTexture(GL_TEXTURE0);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, red);
    draw(RED, "TexSubImage in a unit seen by another");
    glActiveTexture(GL_TEXTURE1);
    glDisable(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    glDeleteTextures(1, &textures[1]);
    draw(BLUE, "a texture that is deleted");
    glGenTextures(1, &textures[1]); /* ES may give it the name of the one before */
    make_texture(1, green);
    draw(GREEN, "a texture made after another one was deleted");
    glDeleteTextures(1, &textures[1]);
    make_texture(0, red);
    draw(RED, "a texture after another one was deleted");
    glPushAttrib(GL_TEXTURE_BIT | GL_CURRENT_BIT);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
    draw(BLACK, "another environment");
    glPopAttrib();
    draw(RED, "PopAttrib");
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 (const GLubyte[16]){255, 0, 0, 255, 0, 255, 0, 255, 255, 0, 0, 255, 0, 255, 0, 255});
    glEnableClientState(GL_TEXTURE_COORD_ARRAY);
    glTexCoordPointer(2, GL_FLOAT, 0, side);
    draw(GREEN, "coordinates without q");
    glTexCoord4f(0.9f, 0, 0, 1);
    glDisableClientState(GL_TEXTURE_COORD_ARRAY);
    draw(GREEN, "current coordinates");
    glTexCoord4f(0.9f, 0, 0, 4);
    draw(RED, "a current q");
    glTexCoord4f(0.9f, 0, 0, 1);
    draw(GREEN, "a current q that is 1 again");
    glDisable(GL_TEXTURE_2D);
    glDeleteTextures(1, &textures[0]);
}

/* Blending and masks that PushAttrib saves, with other values meanwhile. */
static void raster(void)
{
    glColor3f(1, 0, 0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glClearColor(0, 1, 0, 0);
    draw(RED | GREEN, "blending");
    glPushAttrib(GL_COLOR_BUFFER_BIT);
    glBlendFunc(GL_ONE, GL_ZERO);
    glClearColor(0, 0, 1, 0);
    draw(RED, "another blending");
    glColorMask(0, 1, 1, 1);
    glColor3f(0, 1, 0);
    draw(RED | GREEN, "a mask, also for Clear: red is that of the draw before");
    glColor3f(1, 0, 0);
    glPopAttrib();
    draw(RED | GREEN, "blending of PopAttrib");
    glBlendFunc(GL_ONE, GL_ZERO);
    draw(RED, "blending after PopAttrib");
    glClearColor(0, 0, 0, 0);
    glDisable(GL_BLEND);
}

/* Names of deleted objects are no objects, and can be used again. */
static void names(void)
{
    const GLuint buffer = buffer_of(corners, sizeof corners);
    glDeleteBuffers(1, &buffer);
    glDeleteBuffers(1, &buffer);
    if (glIsBuffer(buffer))
        fail("a deleted buffer is one");
    glColor3f(0, 1, 0);
    for (GLuint list = 71; list < 73; list++) {
        glNewList(list, GL_COMPILE);
        glColor3f(1, 0, 0);
        glEndList();
    }
    glDeleteLists(71, 1);
    glDeleteLists(71, 1);
    if (glIsList(71))
        fail("a deleted list is one");
    glCallList(71);
    draw(GREEN, "a deleted list");
    glNewList(71, GL_COMPILE);
    glColor3f(0, 0, 1);
    glEndList();
    glCallList(71);
    draw(BLUE, "a list with the name of a deleted one");
    glCallList(72);
    draw(RED, "the list beside it");
    glDeleteLists(71, 2);
}

int main(void)
{
    if (!open_gl(SIDE)) {
        fprintf(stderr, "there is no context\n");
        return 77;
    }
    glViewport(0, 0, SIDE, SIDE);
    positions = buffer_of(corners, sizeof corners);
    glVertexPointer(2, GL_FLOAT, 0, NULL);
    glEnableClientState(GL_VERTEX_ARRAY);
    names();
    for (int round = 0; round < 2; round++) { /* the second time all programs are known */
        uniforms();
        arrays();
        indices();
        texturing();
        raster();
    }
    if (glGetError() != GL_NO_ERROR)
        fail("there is an error");
    printf("%d changes are not seen\n", bad);
    return bad != 0;
}
