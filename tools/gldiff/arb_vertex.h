/* ARB vertex programs, so that they can be seen: each vertex is a point of its own, and each result a colour.
 */
#ifndef GLDIFF_ARB_VERTEX_H
#define GLDIFF_ARB_VERTEX_H

#include "arb_scene.h"

/* A program of which the position is one more set of texture coordinates, and the point's place comes from an
 * attribute that it does not read; so that what it computes for a position can be read, and leaves no point
 * outside of the view. OPTION ARB_position_invariant is taken away: that position is not seen. */
struct arb_vertex {
    char *text; /* to be freed */
    size_t length;
    unsigned place;                                /* generic attribute */
    uint8_t shown[ARB_OUTPUTS], mask[ARB_OUTPUTS]; /* enum fragprog_vertex_out, channels that are written */
    unsigned count;
};

/* p: what text is. NULL, or why it cannot be seen. */
const char *arb_vertex_prepare(struct arb_vertex *v, const struct fragprog *p, const char *text,
                               size_t length);
/* p: what v->text is. Which results are shown: as many as there are colours, of those that the fragment side
 * sees. */
void arb_vertex_find(struct arb_vertex *v, const struct fragprog *p);
/* Draws v by an ARB vertex program, or a GLSL shader of which `program` is made with
 * arb_vertex_fragment's; the scene is set (arb_scene_set), and its uniforms. NULL, or why not. */
const char *arb_vertex_draw(struct arb_shot *shot, const struct arb_vertex *v, GLuint program);
/* The fragment program, or shader, that shows the results. */
void arb_vertex_fragment(char *text, size_t size, const struct arb_vertex *v, bool glsl);

#endif
