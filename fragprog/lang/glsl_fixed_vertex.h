/* Shared by what makes shader pairs: what they declare, and how it is printed. Internal to fragprog. */
#ifndef FRAGPROG_GLSL_FIXED_VERTEX_H
#define FRAGPROG_GLSL_FIXED_VERTEX_H

#include "fragprog/pair.h"

#include <string.h>

/* What the vertex shader writes beside the position. Back colours of secondary size. */
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

/* A vertex shader while it is printed. */
struct fragprog_glsl_fixed {
    struct texenv_text *text;
    const struct fragprog_pair_source *source; /* canonical, without what nothing reads */
    const struct fragprog_pair_options *options;
    struct texenv_vertex_reads reads;
    uint8_t coord_size[TEXENV_UNITS]; /* components of the varyings; 0: none */
    uint16_t version;
    bool built_in; /* GL's state has names */
    bool es;
    bool diffuse, specular;             /* sums of lights that are read (2.14.1) */
    bool power;                         /* the function is called */
    uint32_t outs;                      /* bits by enum fragprog_pair_out */
    uint16_t attributes;                /* bits by enum fragprog_attrib */
    uint8_t used[FRAGPROG_PAIR_VALUES]; /* bit n: the uniform of index n; of those without one bit 0 */
    /* while it is printed: indentation; indices of uniforms; lights that a loop goes over, else 0 */
    uint8_t depth, unit, plane, light, loop;
};

/* A line of main: a template in which stand for arguments: # a uniform (enum fragprog_pair_value), @ an
 * attribute (enum fragprog_attrib), $ an output (enum fragprog_pair_out), % a string. & is the direction of
 * the light at hand. */
void fragprog_glsl_line(struct fragprog_glsl_fixed *g, const char *form, ...);
/* The same, beginning or inside of one: no indentation, no line break. */
void fragprog_glsl_part(struct fragprog_glsl_fixed *g, const char *form, ...);
void fragprog_glsl_indent(struct fragprog_glsl_fixed *g);
static inline void fragprog_glsl_add(const struct fragprog_glsl_fixed *g, const char *s)
{
    texenv_text_add(g->text, s, strlen(s));
}
void fragprog_glsl_print_out(const struct fragprog_glsl_fixed *g, unsigned out);

/* Whether one of the lights is enabled (and positional), and what of them is read. */
bool fragprog_glsl_has_light(const struct fragprog_glsl_fixed *g, bool positional);
/* Colours (2.14). */
void fragprog_glsl_lighting(struct fragprog_glsl_fixed *g);
/* The body of main. */
void fragprog_glsl_fixed_main(struct fragprog_glsl_fixed *g);
/* What stands before main, after that was made; *pair has the locations of attributes. */
void fragprog_glsl_fixed_head(const struct fragprog_glsl_fixed *g, const struct fragprog_pair *pair);

/* What programs of all kinds have under the same name (enum fragprog_uniform), of an enum
 * fragprog_pair_value; -1: pairs alone have it. */
int fragprog_pair_common_uniform(unsigned id);
/* The uniforms of `used`, in order, each with its place. */
void fragprog_pair_lay_out(struct fragprog_pair *pair, const uint8_t used[FRAGPROG_PAIR_VALUES]);
/* Their rows. */
enum { FRAGPROG_PAIR_NONE, FRAGPROG_PAIR_LIGHT, FRAGPROG_PAIR_UNIT, FRAGPROG_PAIR_PLANE };
struct fragprog_pair_row {
    const char *name, *type, *built_in;
    uint8_t index; /* FRAGPROG_PAIR_NONE ... */
};
extern const struct fragprog_pair_row fragprog_pair_rows[FRAGPROG_PAIR_VALUES];

#endif
