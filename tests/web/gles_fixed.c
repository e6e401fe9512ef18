/* Draws the picture of examples/gles.c with OpenGL's fixed function. tests/web/gles.py compares the two
 * pictures. */
#include <GL/gl.h>

#define fixed(call) gl##call
#define PICTURE_API EGL_OPENGL_API
#define PICTURE_BIT EGL_OPENGL_BIT
#include "../../examples/gles_picture.h"

int main(void) { return picture(); }
