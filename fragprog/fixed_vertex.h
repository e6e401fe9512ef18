/* fixed_vertex - vertex programs for the vertex half of fixed function (texenv/vertex.h).
 *
 * Fixed-function vertex processing is printed as an ARB vertex program. fragprog_read_arbfp
 * (fragprog/arb_program.h) reads it into the intermediate program, from which the passes, languages and
 * targets continue. GL's values (colours, planes, matrices) are parameters: the state that ARB programs bind
 * by name. Conventions are those of fragprog.h. Section numbers refer to the OpenGL 2.1 specification.
 *
 * Simplifications: w of the vertex in eye coordinates, and of the positions of positional lights, is assumed
 * to be 1 where directions are computed (lights, spheres, reflections). The eye's z is used as the distance
 * for fog and points, as 3.10 allows and implementations do. Texture coordinates from planes, texture
 * matrices and fog handle any w. */
#ifndef FRAGPROG_FIXED_VERTEX_H
#define FRAGPROG_FIXED_VERTEX_H

#include "fragprog/fragprog.h"
#include "fragprog/ir.h"
#include "texenv/vertex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The maximum length of text that fragprog_print_fixed_vertex prints, including its terminating 0. */
#define FRAGPROG_FIXED_VERTEX_TEXT (40u << 10)

/* Prints the ARB vertex program of a vertex half. It computes the position (2.11); those colours (2.14),
 * channels of texture coordinates (2.11.4) and the fog coordinate (3.10) that are set in `reads`; back
 * colours for two-sided lighting; and the point size if it depends on the distance (3.3). GL uses back
 * colours only with VERTEX_PROGRAM_TWO_SIDE enabled, and the point size only with VERTEX_PROGRAM_POINT_SIZE.
 * `vertex` need not be canonical. With `invariant`, fixed function computes the position, so that depths are
 * the same as without a program (OPTION ARB_position_invariant); this requires a language whose GL has fixed
 * function. Otherwise the program is meant for an engine that fills the constants as ARB_vertex_program
 * defines them, including w of light products. Colours are not clamped, because GL clamps them after vertex
 * programs. */
TEXENV_API void fragprog_print_fixed_vertex(struct texenv_text *text, const struct texenv_vertex *vertex,
                                            const struct texenv_vertex_reads *reads, bool invariant);

/* Finds the outputs of a vertex program that fragment program p reads when it is printed with these language
 * options (color_sum and fog add reads). Each component of a texture coordinate is found separately. */
TEXENV_API void fragprog_find_vertex_reads(struct texenv_vertex_reads *reads, const struct fragprog *p,
                                           const struct fragprog_language_options *options);

#ifdef __cplusplus
}
#endif
#endif
