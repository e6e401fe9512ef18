/* The picture of examples/gles.c by a GL that has fixed function: what it is compared with
 * (tests/web/gles.py).
 */
#include <GL/gl.h>

#define fixed(call) gl##call
#define PICTURE_API EGL_OPENGL_API
#define PICTURE_BIT EGL_OPENGL_BIT
#include "../../examples/gles_picture.h"

int main(void) { return picture(); }
