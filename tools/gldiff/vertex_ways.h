/* Draws a vertex half by the vertex programs that are generated for it. */
#ifndef GLDIFF_VERTEX_WAYS_H
#define GLDIFF_VERTEX_WAYS_H

#include "vertex_scene.h"

#include "fragprog/fragprog.h"

/* The languages of vertex programs, in the order of --via from VIA_GLSL on. */
enum vertex_way { WAY_GLSL, WAY_ARBVP, WAY_GLSL_110, WAY_GLSL_330, WAY_GLSL_ES, WAY_GLSL_ES_300, WAYS };
extern const char *const vertex_ways[WAYS];

/* Returns what the current GL lacks for this way, or NULL. */
const char *vertex_way_lacks(enum vertex_way way);

/* Draws the subject by a program. The caller has set GL's state to the values v. Returns NULL, or the reason
 * of a failure: *refused is true if the way cannot express the state, and false after a GL error. */
struct vertex_draw {
    enum vertex_way way;
    const struct fragprog_options *passes;
};
const char *vertex_way_draw(struct vertex_shot *shot, const struct vertex_draw *how,
                            const struct vertex_values *v, const struct vertex_subject *subject,
                            bool *refused);
/* Returns the text of the program, valid until the next call; or NULL if the way cannot express the state,
 * with the reason in *why. */
const char *vertex_way_text(const struct vertex_draw *how, const struct vertex_subject *subject,
                            const char **why);
/* Changes a state a little, as an error in the generator would (--sabotage). */
void vertex_sabotage(struct texenv_vertex *vertex);

#endif
