/* Makes the results of ARB vertex programs visible: each vertex is drawn as a point, and each result as a
 * colour. */
#ifndef GLDIFF_ARB_VERTEX_H
#define GLDIFF_ARB_VERTEX_H

#include "arb_scene.h"

/* A rewritten vertex program. It writes its position to an additional set of texture coordinates, where it
 * can be read back. The actual position comes from a generic attribute that the program does not use, so that
 * every point is in view. OPTION ARB_position_invariant is removed: the position that it computes is not
 * compared. */
struct arb_vertex {
    char *text; /* allocated; the caller frees it */
    size_t length;
    unsigned place; /* the generic attribute with the actual position */
    /* for each colour: the vertex result that it shows (enum fragprog_vertex_out), and the channels that are
     * written */
    uint8_t shown[ARB_OUTPUTS], mask[ARB_OUTPUTS];
    unsigned count;
};

/* Rewrites text, whose IR is p. Returns NULL, or why the program cannot be made visible. */
const char *arb_vertex_prepare(struct arb_vertex *v, const struct fragprog *p, const char *text,
                               size_t length);
/* Chooses the results that are shown, at most one for each colour, among those that reach fragment programs.
 * p is the IR of v->text. */
void arb_vertex_find(struct arb_vertex *v, const struct fragprog *p);
/* Draws v with the scene that is set (arb_scene_set): by the ARB program that is bound, or by the GLSL
 * `program`, whose uniforms are set and whose fragment shader is that of arb_vertex_fragment. Returns NULL,
 * or the reason of a failure. */
const char *arb_vertex_draw(struct arb_shot *shot, const struct arb_vertex *v, GLuint program);
/* Writes the fragment program or shader that outputs the results as colours. */
void arb_vertex_fragment(char *text, size_t size, const struct arb_vertex *v, bool glsl);

#endif
