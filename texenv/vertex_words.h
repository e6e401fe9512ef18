/* The words of the vertex half as text (notes/formats/vertex.md), shared by the printer and the reader of
 * this text. */
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

/* Does the same as texenv_read_vertex for a part of a text: from `text` to `end`, in the line that begins at
 * line_start. */
bool texenv_read_vertex_words(struct texenv_vertex *vertex, const char *text, const char *end,
                              const char *line_start, uint32_t first_line, const struct texenv_sink *sink);
/* Prints the calls that produce the vertex half from the initial GL state (texenv_print_gl_vertex).
 * color_sum: the secondary colour is added. If values is NULL, the calls get the simplest values that select
 * the modes. */
struct texenv_values;
void texenv_print_vertex_calls(struct texenv_text *text, const struct texenv_vertex *v, bool color_sum,
                               const struct texenv_values *values);
/* Prints the calls for the rasterisation state. points: the point size matters. */
void texenv_print_raster_calls(struct texenv_text *text, const struct texenv_raster *raster, bool points,
                               const struct texenv_values *values);

#endif
