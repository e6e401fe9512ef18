/* What a program of the vertex half has to compute for its outputs. Internal to fragprog/lang. Section
 * numbers are those of the OpenGL 2.1 specification. */
#ifndef FRAGPROG_VERTEX_NEEDS_H
#define FRAGPROG_VERTEX_NEEDS_H

#include "texenv/vertex.h"

struct fragprog_vertex_needs {
    bool diffuse, specular;     /* the sums of lights (2.14.1) that are read */
    bool lights, positional;    /* an enabled light contributes to these sums; a positional one does */
    uint8_t made[TEXENV_UNITS]; /* the coordinates of each unit before its matrix, which reads all four */
    bool planes;                /* coordinates from eye planes */
    bool sphere, reflection;    /* the sphere map; the reflection vector, also for the sphere map */
    bool normal;
    bool view;     /* the unit vector from the eye to the vertex */
    bool distance; /* fog takes the vertex's distance from the eye */
};
void fragprog_find_vertex_needs(struct fragprog_vertex_needs *needs, const struct texenv_vertex *v,
                                const struct texenv_vertex_reads *reads);

#endif
