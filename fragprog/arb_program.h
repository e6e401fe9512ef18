/* Reading ARB fragment and vertex programs into the intermediate program.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. */
#ifndef FRAGPROG_ARB_PROGRAM_H
#define FRAGPROG_ARB_PROGRAM_H

#include "fragprog/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Upper bounds on what reading a given ARB program needs: room for instructions and constants in the program,
 * and bytes of scratch memory. */
struct fragprog_bound {
    uint16_t insts, consts;
    size_t scratch;
};
TEXENV_API struct fragprog_bound fragprog_bound_arbfp(const char *text, size_t length);
/* Reads either one !!ARBfp1.0 text (GL_ARB_fragment_program with its options, GL_ARB_fragment_program_shadow
 * and GL_ARB_draw_buffers) or one !!ARBvp1.0 text (GL_ARB_vertex_program; p->vertex is then true). A fog
 * option is expanded into instructions. Indices of GL state must be within GL's limits
 * (fragprog/bindings.def), and coordinate sets below TEXENV_UNITS. Other limits of GL implementations are not
 * checked, but numbers of textures and colour outputs must be below FRAGPROG_MOST_TEXTURES, those of
 * parameters below FRAGPROG_MOST_PARAMETERS, and a program has at most 65534 instructions. A WARNING (code
 * "undefined") reports each read of a value that the specification leaves undefined; such a value is 0 in *p.
 * Returns false after an ERROR diagnostic; *p is then empty. scratch: fragprog_bound.scratch bytes, aligned
 * as for any object. */
TEXENV_API bool fragprog_read_arbfp(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                    const struct texenv_sink *sink, void *scratch);

#ifdef __cplusplus
}
#endif
#endif
