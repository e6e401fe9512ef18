/* Reading ARB programs, of fragments and of vertices, as intermediate programs.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; one
 * thread an object.
 */
#ifndef FRAGPROG_ARB_PROGRAM_H
#define FRAGPROG_ARB_PROGRAM_H

#include "fragprog/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What reading an ARB program of this text needs at most: a program with room for so many
 * instructions and constants, and bytes of memory while it is read. */
struct fragprog_bound {
    uint16_t insts, consts;
    size_t scratch;
};
TEXENV_API struct fragprog_bound fragprog_bound_arbfp(const char *text, size_t length);
/* Reads one !!ARBfp1.0 text, as GL_ARB_fragment_program has it, with its options, those of
 * GL_ARB_fragment_program_shadow and of GL_ARB_draw_buffers, or one !!ARBvp1.0 text, as GL_ARB_vertex_program
 * has it (p->vertex is true then). Fog of an option becomes instructions. Indices of GL's
 * state are below what GL has (fragprog/bindings.def), those of coordinate sets below TEXENV_UNITS. How much
 * a GL has of anything else is no limit here, but numbers of textures and colour outputs are
 * below FRAGPROG_MOST_TEXTURES, those of parameters below FRAGPROG_MOST_PARAMETERS, and there are at most
 * 65534 instructions. A WARNING (code "undefined") names each read of what the specification leaves
 * undefined, which is 0 then. False after an ERROR diagnostic; *p is then empty. scratch: bytes of the bound,
 * aligned as for any object. */
TEXENV_API bool fragprog_read_arbfp(struct fragprog *p, const char *text, size_t length, uint32_t first_line,
                                    const struct texenv_sink *sink, void *scratch);

#ifdef __cplusplus
}
#endif
#endif
