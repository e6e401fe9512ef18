/* Random rectangles of pixels (DrawPixels, Bitmap, CopyPixels, GetTexImage), for Mesa's GL and for
 * libtexenv-es. Compared by calls.py, as calls.c is.
 *
 * usage: pixels SEED FRAMES PICTURES.rgba > ANSWERS.txt
 *
 * Without fog and textures: there Mesa 22.3 ignores the raster position's fog and texture coordinates and its
 * secondary colour. */
#include "open_gl.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 96 };
static uint64_t seed;
static uint32_t bits(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (uint32_t)(seed * UINT64_C(2685821657736338717) >> 32);
}
static int upto(int n) { return (int)(bits() % (uint32_t)n); }
static float step(float low, float high) { return low + (high - low) * (float)upto(33) / 32; }
static void enable(GLenum cap, int yes) { (yes ? glEnable : glDisable)(cap); }

static const struct {
    GLenum format, type;
} kinds[] = {{GL_RGBA, GL_UNSIGNED_BYTE},
             {GL_BGRA, GL_UNSIGNED_BYTE},
             {GL_RGB, GL_UNSIGNED_BYTE},
             {GL_LUMINANCE, GL_UNSIGNED_BYTE},
             {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE},
             {GL_ALPHA, GL_UNSIGNED_BYTE},
             {GL_GREEN, GL_UNSIGNED_SHORT},
             {GL_BGR, GL_UNSIGNED_INT},
             {GL_RGB, GL_UNSIGNED_SHORT_5_6_5},
             {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4},
             {GL_BGRA, GL_UNSIGNED_SHORT_1_5_5_5_REV},
             {GL_RGBA, GL_UNSIGNED_INT_8_8_8_8},
             {GL_RGB, GL_UNSIGNED_BYTE_3_3_2}};
static GLubyte image[64 * 64 * 16];
static unsigned kind;
static int transfers;

static const GLenum scales[] = {GL_RED_SCALE, GL_GREEN_SCALE, GL_BLUE_SCALE, GL_ALPHA_SCALE};
static const GLenum biases[] = {GL_RED_BIAS, GL_GREEN_BIAS, GL_BLUE_BIAS, GL_ALPHA_BIAS};

/* Makes an image of random pixels and random PixelStore and PixelTransfer. */
static void make_image(void)
{
    kind = (unsigned)upto(sizeof kinds / sizeof *kinds);
    for (unsigned i = 0; i < sizeof image; i++)
        image[i] = (GLubyte)(upto(2) ? bits() : image[i / 2]);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1 << upto(4));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, upto(2) ? 0 : 41);
    /* Mesa 22.3 does not skip pixels of textures if there are transfers, and reads what is not there if bytes
     * are swapped */
    transfers = upto(2);
    const int swaps = upto(4) == 0, skips = !transfers && !swaps;
    glPixelStorei(GL_UNPACK_SWAP_BYTES, swaps);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, skips ? upto(3) : 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, skips ? upto(3) : 0);
    glPixelStorei(GL_UNPACK_LSB_FIRST, upto(2));
    for (int c = 0; c < 4; c++) {
        glPixelTransferf(scales[c], !transfers || upto(2) ? 1 : step(0.5f, 2));
        glPixelTransferf(biases[c], !transfers || upto(2) ? 0 : step(-0.5f, 0.5f));
    }
}

static void state(void)
{
    const float color[4] = {step(0, 1), step(0, 1), step(0, 1), step(0, 1)}, x = step(-0.8f, 0.6f);
    switch (upto(9)) {
    case 0: /* Mesa 22.3 compares bytes; with these numbers, that makes no difference */
        enable(GL_ALPHA_TEST, upto(2));
        upto(2) ? glAlphaFunc(GL_GREATER, 0.432f) : glAlphaFunc(GL_LESS, 0.43f);
        break;
    case 1: enable(GL_BLEND, upto(2)), glBlendFunc(GL_SRC_ALPHA, GL_ONE); break;
    case 2: enable(GL_SCISSOR_TEST, upto(2)), glScissor(10, 10, 40 + upto(40), 40 + upto(40)); break;
    case 3: enable(GL_DEPTH_TEST, upto(2)), glDepthRange(step(0, 0.3f), step(0.7f, 1)); break;
    case 4: enable(GL_LIGHTING, upto(2)), enable(GL_LIGHT0, upto(2)); break;
    case 5: glMaterialfv(GL_FRONT, upto(2) ? GL_EMISSION : GL_DIFFUSE, color); break;
    case 6: glColor4fv(color); break;
    case 7:
        enable(GL_CULL_FACE, upto(2));
        glPolygonMode(GL_FRONT_AND_BACK, upto(2) ? GL_FILL : GL_LINE);
        break;
    default: glViewport(upto(9), upto(9), SIDE - upto(20), SIDE - upto(20));
    }
    float at[4];
    glRasterPos3f(x, step(-0.8f, 0.6f), step(-0.9f, 0.9f));
    glGetFloatv(GL_CURRENT_RASTER_POSITION, at);
    if (upto(2)) /* lit, but not near half pixels and whole ones, where rounding decides */
        glBitmap(0, 0, 0, 0, floorf(at[0] + 0.013f) + 0.25f - at[0], floorf(at[1] + 0.013f) + 0.25f - at[1],
                 image);
    else
        glWindowPos3f((float)upto(80) + 0.25f, (float)upto(80) + 0.25f, step(0, 1));
}

static GLubyte texels[SIDE * SIDE * 4]; /* of the textures of a frame; written as a picture, too */
static size_t at;

/* Reads a texture whose images were given, copied, or replaced in part. */
static void texture(void)
{
    static const GLint internal[] = {GL_RGBA8,  GL_RGB8,      GL_LUMINANCE8, GL_LUMINANCE8_ALPHA8,
                                     GL_ALPHA8, GL_INTENSITY8};
    static const GLenum asked[] = {GL_RGBA, GL_LUMINANCE, GL_BLUE, GL_ALPHA, GL_LUMINANCE_ALPHA};
    const GLint format = internal[upto(6)];
    glTexImage2D(GL_TEXTURE_2D, 0, format, 16, 8, 0, kinds[kind].format, kinds[kind].type, image);
    if (upto(2) && !transfers) /* with these, Mesa 22.3 gives a copy other colours at each run */
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 3, 2, upto(40), upto(40), 9, 5);
    if (upto(2))
        glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, 7, 5, kinds[kind].format, kinds[kind].type, image);
    glGetTexImage(GL_TEXTURE_2D, 0, asked[upto(5)], GL_UNSIGNED_BYTE, &texels[at]);
    at = (at + 512) % sizeof texels;
}

static void rectangle(void)
{
    static const float zooms[] = {1, 1, 1, 2, 3, -1, -2};
    const int width = 1 + upto(30), height = 1 + upto(30);
    make_image();
    glPixelZoom(zooms[upto(7)], zooms[upto(7)]);
    switch (upto(5)) {
    case 0:
    case 1: glDrawPixels(width, height, kinds[kind].format, kinds[kind].type, image); break;
    case 2: /* apart, as Mesa 22.3 draws several at once */
        glBitmap(width, height, (float)upto(6), (float)upto(6), 50, -20, image);
        glBitmap(9, 9, 0, 0, 1, 1, image);
        break;
    case 3: glCopyPixels(upto(60), upto(60), width, height, GL_COLOR); break;
    default: texture();
    }
}

int main(int argc, char **argv)
{
    static GLubyte pixels[SIDE * SIDE * 4];
    FILE *pictures = argc > 3 ? fopen(argv[3], "wb") : NULL;
    if (!pictures)
        return 2;
    if (!open_gl(SIDE)) {
        fprintf(stderr, "there is no context\n");
        return 77;
    }
    seed = strtoull(argv[1], NULL, 10) * 2654435769u + 1;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (int frame = 0, frames = atoi(argv[2]); frame < frames; frame++) {
        at = 0;
        for (int i = 0; i < 30; i++) {
            state();
            rectangle();
        }
        for (int c = 0; c < 4; c++)
            glPixelTransferf(scales[c], 1), glPixelTransferf(biases[c], 0);
        glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
        fwrite(pixels, 1, sizeof pixels, pictures);
        fwrite(texels, 1, sizeof texels, pictures);
        GLfloat position[4];
        glGetFloatv(GL_CURRENT_RASTER_POSITION, position);
        printf("frame %d: %g %g %g error %x\n", frame, position[0], position[1], position[2], glGetError());
    }
    return fclose(pictures) != 0;
}
