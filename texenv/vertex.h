/* vertex - the vertex half of fixed function: what it does before texturing, as modes.
 *
 * Lighting, generation of texture coordinates, texture matrices, fog coordinates and sizes of points. Values
 * (colours, planes, matrices) are no part of it: programs take them as parameters. Section numbers are of the
 * OpenGL 2.1 specification. Conventions are those of texenv.h.
 */
#ifndef TEXENV_VERTEX_H
#define TEXENV_VERTEX_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { TEXENV_LIGHTS = 8 };

/* Generation of one texture coordinate (2.11.4). SPHERE is of s and t, REFLECTION and NORMAL of s, t and r.
 */
enum texenv_texgen {
    TEXENV_TEXGEN_OFF,
    TEXENV_TEXGEN_OBJECT,
    TEXENV_TEXGEN_EYE,
    TEXENV_TEXGEN_SPHERE,
    TEXENV_TEXGEN_REFLECTION,
    TEXENV_TEXGEN_NORMAL,
    TEXENV_TEXGENS
};

/* What becomes of normals (2.11.3). With both enabled the result is that of NORMALIZE. */
enum texenv_normals { TEXENV_NORMALS_PLAIN, TEXENV_NORMALS_RESCALED, TEXENV_NORMALS_NORMALIZED };

/* Properties of a material that follow the vertex's colour (2.14.3), bits. */
enum {
    TEXENV_TRACKS_AMBIENT = 1,
    TEXENV_TRACKS_DIFFUSE = 2,
    TEXENV_TRACKS_SPECULAR = 4,
    TEXENV_TRACKS_EMISSION = 8
};

/* One byte a mode; all zero is GL's initial state, but that no light is positional there either. */
struct texenv_light {
    uint8_t enabled;
    uint8_t positional; /* w of its position is not 0 */
    uint8_t spot;       /* its cutoff is not 180 */
    uint8_t attenuated; /* its attenuation is not (1,0,0); of positional ones only */
};
struct texenv_vertex {
    uint8_t lighting;
    uint8_t two_side;          /* back colours of their own */
    uint8_t local_viewer;      /* of specular reflection */
    uint8_t separate_specular; /* it becomes the secondary colour */
    uint8_t normals;           /* enum texenv_normals */
    uint8_t tracks[2];         /* TEXENV_TRACKS_* of the front and back material */
    uint8_t fog_coord;         /* fog uses the fog coordinate, not the distance from the eye (3.10) */
    uint8_t point_attenuation; /* points are smaller far away (3.3): their size is computed */
    struct texenv_light light[TEXENV_LIGHTS];
    uint8_t texgen[TEXENV_UNITS][4];      /* enum texenv_texgen of s, t, r, q */
    uint8_t texture_matrix[TEXENV_UNITS]; /* it is not the identity */
};

/* Brings a state into the form that says what is computed, and no more: no lights without lighting, nothing
 * of a disabled light, no attenuation of a directional one, one side's materials where there is one side.
 * Values that no enumeration has become 0. Equal forms compute the same. */
TEXENV_API void texenv_vertex_canonicalise(struct texenv_vertex *vertex);

/* What is read of a vertex program's results behind it. */
struct texenv_vertex_reads {
    uint8_t primary, secondary; /* colours */
    uint8_t fog;
    uint8_t coord[TEXENV_UNITS]; /* of each coordinate set: bit 0 s, 1 t, 2 r, 3 q */
};

/* Words, as notes/formats.md 10 has them: "lighting light0=positional+spot texgen1.st=sphere". Reads to the
 * end of the text; '#' begins a comment. False after an ERROR diagnostic at its place, and *vertex is then
 * all zero. reads: what the words "reads=..." say; NULL
 * allows no such word. first_line: of text, for places. */
TEXENV_API bool texenv_read_vertex(struct texenv_vertex *vertex, struct texenv_vertex_reads *reads,
                                   const char *text, size_t length, uint32_t first_line,
                                   const struct texenv_sink *sink);
/* Prints the words of a state, one space between them; nothing for the initial state. */
TEXENV_API void texenv_print_vertex(struct texenv_text *text, const struct texenv_vertex *vertex);

#ifdef __cplusplus
}
#endif
#endif
