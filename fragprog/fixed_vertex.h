/* fixed_vertex - programs of the vertex half of fixed function (texenv/vertex.h).
 *
 * What fixed function computes at a vertex, written as a program: an ARB vertex program, which
 * fragprog_read_arbfp (fragprog.h) makes the intermediate program, and the passes, languages and targets that
 * take vertex programs go on from there. GL's values (colours, planes, matrices) are parameters: the state
 * that ARB programs bind by name. Conventions are those of fragprog.h. Section numbers are of the OpenGL 2.1
 * specification.
 *
 * Taken, and not computed: w of the vertex in eye coordinates and of the positions of positional lights is 1
 * where directions are made of them (lights, spheres, reflections). The eye's z stands for the distance of
 * fog and of points, as 3.10 allows and implementations have it. Texture coordinates by planes, texture
 * matrices and fog have all of w.
 */
#ifndef FRAGPROG_FIXED_VERTEX_H
#define FRAGPROG_FIXED_VERTEX_H

#include "fragprog/fragprog.h"
#include "fragprog/ir.h"
#include "texenv/vertex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The longest text that fragprog_print_fixed_vertex prints, with its 0. */
#define FRAGPROG_FIXED_VERTEX_TEXT (40u << 10)

/* Prints the ARB vertex program of a vertex half: the position (2.11), and of colours (2.14), texture
 * coordinates (2.11.4) and the fog coordinate (3.10) what is read behind it, of coordinates channel by
 * channel; back colours with two-sided lighting; the size of points if it depends on the distance (3.3),
 * which a GL takes only with VERTEX_PROGRAM_POINT_SIZE, as it takes back colours with
 * VERTEX_PROGRAM_TWO_SIDE. vertex need not be canonical. invariant: fixed function makes the position, so
 * that depths are the same as without a program (OPTION ARB_position_invariant), which languages of a GL with
 * fixed function can say; else the program is one for an engine whose constants are filled as
 * ARB_vertex_program says, w of products of lights included. Colours are not limited: GL does that behind
 * vertex programs. */
TEXENV_API void fragprog_print_fixed_vertex(struct texenv_text *text, const struct texenv_vertex *vertex,
                                            const struct texenv_vertex_reads *reads, bool invariant);

/* What a fragment program reads behind a vertex program, as it is printed in a language with these options
 * (color_sum and fog are of them): coordinates lane by lane. */
TEXENV_API void fragprog_find_vertex_reads(struct texenv_vertex_reads *reads, const struct fragprog *p,
                                           const struct fragprog_language_options *options);

#ifdef __cplusplus
}
#endif
#endif
