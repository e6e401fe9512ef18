/* The words of the vertex half's text form (notes/formats.md 10), shared by its printer and its reader. */
#ifndef TEXENV_VERTEX_WORDS_H
#define TEXENV_VERTEX_WORDS_H

#include "texenv/vertex.h"

enum texenv_vertex_flag {
    TEXENV_VERTEX_LIGHTING,
    TEXENV_VERTEX_TWO_SIDE,
    TEXENV_VERTEX_LOCAL_VIEWER,
    TEXENV_VERTEX_SEPARATE_SPECULAR,
    TEXENV_VERTEX_RESCALE,
    TEXENV_VERTEX_NORMALIZE,
    TEXENV_VERTEX_FOG_COORD,
    TEXENV_VERTEX_POINT_ATTENUATION,
    TEXENV_VERTEX_FLAGS
};
extern const char *const texenv_vertex_flags[TEXENV_VERTEX_FLAGS];
extern const char *const texenv_vertex_lights[3];
extern const char *const texenv_vertex_texgens[TEXENV_TEXGENS];
extern const char *const texenv_vertex_tracked[4];
extern const char *const texenv_vertex_sides[3];
extern const char texenv_vertex_coordinates[5];

#endif
