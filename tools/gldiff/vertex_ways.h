/* The vertex programs of a vertex half, drawn. */
#ifndef GLDIFF_VERTEX_WAYS_H
#define GLDIFF_VERTEX_WAYS_H

#include "vertex_scene.h"

#include "fragprog/fragprog.h"

/* In the order of --via, from VIA_GLSL on. */
enum vertex_way { WAY_GLSL, WAY_ARBVP, WAY_GLSL_110, WAY_GLSL_330, WAY_GLSL_ES, WAY_GLSL_ES_300, WAYS };
extern const char *const vertex_ways[WAYS];

/* What the current GL lacks for this way, or NULL. */
const char *vertex_way_lacks(enum vertex_way way);

/* Draws it by a program of this way; the values are GL's state already. NULL, or why not: *refused tells a
 * state that the way cannot do from an error of the GL. */
struct vertex_draw {
    enum vertex_way way;
    const struct fragprog_options *passes;
};
const char *vertex_way_draw(struct vertex_shot *shot, const struct vertex_draw *how,
                            const struct vertex_values *v, const struct vertex_subject *subject,
                            bool *refused);
/* The text of its program; valid until the next call. NULL: the way cannot do it, *why says why. */
const char *vertex_way_text(const struct vertex_draw *how, const struct vertex_subject *subject,
                            const char **why);
/* Changes a state a little, as a wrong generator would. */
void vertex_sabotage(struct texenv_vertex *vertex);

#endif
