/* raster_position - where DrawPixels, Bitmap and CopyPixels draw (2.13 of the OpenGL 1.5 specification).
 * Internal. */
#ifndef ES_RASTER_POSITION_H
#define ES_RASTER_POSITION_H

#include "es.h"

struct es_raster_position {
    GLfloat position[4]; /* window coordinates, and the clip coordinate w */
    GLfloat color[4], secondary[4], texcoord[TEXENV_UNITS][4];
    GLfloat distance; /* the distance for fog */
    GLboolean valid;
};
extern struct es_raster_position es_raster_position;

#endif
