/* A program like a real renderer, linked with libtexenv-record for tests/realgl/record.py, which has the
 * expected states. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>

#include <stdlib.h>
#include <string.h>

static const GLenum mode = GL_COMBINE;

/* Two RGB textures; the product is multiplied by `scale`. */
static void lightmap(int scale)
{
    for (unsigned unit = 0; unit < 2; unit++) {
        GLuint texture;
        glGenTextures(1, &texture);
        glActiveTexture(GL_TEXTURE0 + unit);
        glEnable(GL_TEXTURE_2D);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, NULL);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    }
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, (GLint)mode);
    glTexEnvf(GL_TEXTURE_ENV, GL_RGB_SCALE, (GLfloat)scale);
}

/* State of newer GL versions: texture storage is recorded; samplers and swizzles are reported as not
 * supported. */
static void newer(void)
{
    glEnable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 9);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_ALPHA8, 4, 4);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glRectf(0, 0, 1, 1);
    glBindSampler(0, 3);
    glBindSampler(0, 4);
    glTextureParameteri(9, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA,
                     (const GLint[]){GL_BLUE, GL_GREEN, GL_RED, GL_ALPHA});
    glRectf(0, 0, 1, 1);
}

/* State that belongs to neither half. */
static void raster(void)
{
    static const GLdouble plane[] = {0, 1, 0, 0.5};
    glShadeModel(GL_FLAT);
    glEnable(GL_TEXTURE_2D);
    glEnable(GL_POINT_SPRITE);
    glTexEnvi(GL_POINT_SPRITE, GL_COORD_REPLACE, GL_TRUE);
    glPointParameteri(GL_POINT_SPRITE_COORD_ORIGIN, GL_LOWER_LEFT);
    glClipPlane(GL_CLIP_PLANE1, plane);
    glEnable(GL_CLIP_PLANE1);
    glEnable(GL_FOG);
    glFogi(GL_FOG_DISTANCE_MODE_NV, GL_EYE_RADIAL_NV);
    glPointSize(3);
    glDrawArrays(GL_POINTS, 0, 1);
    glRectf(0, 0, 1, 1);
}

/* With an argument the program draws nothing. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "newer") == 0) {
        newer();
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "raster") == 0) {
        raster();
        return 0;
    }
    lightmap(argc > 1 ? atoi(argv[1]) : 2);
    if (argc > 1)
        return 0;
    glBegin(GL_TRIANGLES);
    glVertex3f(0, 0, 0);
    glEnd();
    const GLuint list = glGenLists(1);
    glNewList(list, GL_COMPILE);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_ADD);
    glRectf(0, 0, 1, 1);
    glEndList();
    glCallList(list);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, 77); /* GL_INVALID_ENUM */
    glCallLists(1, GL_UNSIGNED_INT, &list);
    glPushAttrib(GL_TEXTURE_BIT);
    glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_REPLACE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glPopAttrib();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const GLfloat near_by[4] = {1, 2, 3, 1};
    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT1);
    glLightfv(GL_LIGHT1, GL_POSITION, near_by);
    glLightf(GL_LIGHT1, GL_SPOT_CUTOFF, 30);
    glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_SPHERE_MAP);
    glEnable(GL_TEXTURE_GEN_S);
    glMatrixMode(GL_TEXTURE);
    glTranslated(0.5, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glMaterialf(GL_FRONT, GL_SHININESS, 3); /* is not recorded, but the stub must have it */
    return 0;
}
