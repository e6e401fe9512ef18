/* Interface between the parts that make shader pairs. Internal to fragprog. */
#ifndef FRAGPROG_GLSL_FIXED_VERTEX_H
#define FRAGPROG_GLSL_FIXED_VERTEX_H

#include "fragprog/lang/vertex_needs.h"
#include "fragprog/pair.h"

#include <string.h>

/* Outputs of the vertex shader besides the position. Back colours have as many components as front
 * colours. */
enum fragprog_pair_out {
    FRAGPROG_PAIR_PRIMARY,
    FRAGPROG_PAIR_SECONDARY,
    FRAGPROG_PAIR_BACK,
    FRAGPROG_PAIR_BACK_SECONDARY,
    FRAGPROG_PAIR_FOG,
    FRAGPROG_PAIR_COORD,                                     /* + unit */
    FRAGPROG_PAIR_CLIP = FRAGPROG_PAIR_COORD + TEXENV_UNITS, /* + plane */
    FRAGPROG_PAIR_OUTS = FRAGPROG_PAIR_CLIP + TEXENV_CLIP_PLANES
};

/* State of the printer of a vertex shader. */
struct fragprog_glsl_fixed {
    struct texenv_text *text;
    const struct fragprog_pair_source *source; /* canonical, reduced to what the fragment shader reads */
    const struct fragprog_pair_options *options;
    struct texenv_vertex_reads reads;
    uint8_t coord_size[TEXENV_UNITS]; /* number of components of the varyings, or 0 */
    uint16_t version;
    bool built_in; /* GL state has built-in names */
    bool es;
    struct fragprog_vertex_needs needs;
    bool power;          /* a helper function for powers is called */
    uint32_t outs;       /* bits by enum fragprog_pair_out */
    uint16_t attributes; /* bits by enum fragprog_attrib */
    /* bit n: the uniform of index n is used; bit 0 for those without an index */
    uint8_t used[FRAGPROG_PAIR_VALUES];
    /* state while main is printed: indentation; current indices of uniforms; number of lights in the current
     * loop, or 0 */
    uint8_t depth, unit, plane, light, loop;
};

/* Prints a line of main from a template, in which these characters are replaced by arguments: # a uniform
 * (enum fragprog_pair_value), @ an attribute (enum fragprog_attrib), $ an output (enum fragprog_pair_out), %
 * a string. & is the direction to the current light. */
void fragprog_glsl_line(struct fragprog_glsl_fixed *g, const char *form, ...);
/* Like fragprog_glsl_line, for a part of a line: without indentation and line break. */
void fragprog_glsl_part(struct fragprog_glsl_fixed *g, const char *form, ...);
void fragprog_glsl_indent(struct fragprog_glsl_fixed *g);
static inline void fragprog_glsl_add(const struct fragprog_glsl_fixed *g, const char *s)
{
    texenv_text_add(g->text, s, strlen(s));
}
void fragprog_glsl_print_out(const struct fragprog_glsl_fixed *g, unsigned out);

/* Prints the computation of colours (2.14). */
void fragprog_glsl_lighting(struct fragprog_glsl_fixed *g);
/* Prints the body of main. */
void fragprog_glsl_fixed_main(struct fragprog_glsl_fixed *g);
/* Prints the declarations, after main was printed to a buffer. *pair has the locations of attributes. */
void fragprog_glsl_fixed_head(const struct fragprog_glsl_fixed *g, const struct fragprog_pair *pair);

/* Returns the enum fragprog_uniform that has the same name and meaning as an enum fragprog_pair_value, or
 * -1. */
int fragprog_pair_common_uniform(unsigned id);
/* Stores the uniforms of `used`, in order, and their offsets. */
void fragprog_pair_lay_out(struct fragprog_pair *pair, const uint8_t used[FRAGPROG_PAIR_VALUES]);
/* The rows of pair_uniforms.def. */
enum { FRAGPROG_PAIR_NONE, FRAGPROG_PAIR_LIGHT, FRAGPROG_PAIR_UNIT, FRAGPROG_PAIR_PLANE };
struct fragprog_pair_row {
    const char *name, *type, *built_in;
    uint8_t index; /* kind of index: FRAGPROG_PAIR_NONE ... */
};
extern const struct fragprog_pair_row fragprog_pair_rows[FRAGPROG_PAIR_VALUES];

#endif
