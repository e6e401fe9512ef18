/* raster_position - where DrawPixels, Bitmap and CopyPixels draw (2.13 of the OpenGL 1.5 specification).
 * Internal. */
#ifndef ES_RASTER_POSITION_H
#define ES_RASTER_POSITION_H

#include "es.h"

struct es_raster_position {
    GLfloat position[4]; /* window coordinates, and the clip coordinate w */
    GLfloat color[4], secondary[4], texcoord[TEXENV_UNITS][4];
    GLfloat distance; /* that fog depends on */
    GLboolean valid;
};
extern struct es_raster_position es_raster_position;

/* The colours of lighting (2.14.1) for a vertex in eye coordinates, on its front side. */
void es_light_vertex(const GLfloat eye[4], const GLfloat normal[3], GLfloat primary[4], GLfloat secondary[4]);

#endif
