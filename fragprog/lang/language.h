/* Shared by the printers of shading languages. Internal to fragprog. */
#ifndef FRAGPROG_LANGUAGE_H
#define FRAGPROG_LANGUAGE_H

#include "fragprog/fragprog.h"
#include "fragprog/names.h"
#include "fragprog/operand.h"

/* One channel of a constant, as a language has to name it. */
struct fragprog_channel {
    int origin; /* FRAGPROG_ORIGIN_IMMEDIATE: value; else environment colour of this unit, or
                   FRAGPROG_ORIGIN_* */
    unsigned component;
    float value;
};
struct fragprog_channel fragprog_const_channel(const struct fragprog *p, unsigned konst, unsigned channel,
                                               const struct fragprog_language_options *options);

/* Bit n: something that the program reads comes from origin n, from coordinate set n, from lookups of unit n.
 */
struct fragprog_reading {
    uint32_t origins, coords, textures;
    uint32_t outputs; /* bit n: colour output n > 0 is written; bit 0: the depth */
    bool primary, secondary, fog_coord, position, shadow, rect, volume, kills;
    uint8_t coord_size[TEXENV_UNITS],
        secondary_size; /* components of each input: 4, in pairs as many as are read */
    const struct fragprog_inst *lookup[FRAGPROG_MOST_TEXTURES]; /* of a unit, for its target */
};
void fragprog_find_reading(struct fragprog_reading *r, const struct fragprog *p,
                           const struct fragprog_language_options *options);

/* The prefix of names, "" if none. */
const char *fragprog_prefix(const struct fragprog_language_options *options);
/* The q of the coordinate set is known to be 1. */
bool fragprog_is_affine(const struct fragprog_language_options *options, unsigned set);
/* Without fixed function's inputs and uniforms; ES and Vulkan never have them. */
bool fragprog_is_core(const struct fragprog_language_options *options);
/* How many elements of each uniform (1 of those that are no arrays) a fragment program reads, by enum
 * fragprog_uniform. */
void fragprog_count_uniforms(uint16_t *elements, const struct fragprog_reading *r,
                             const struct fragprog_language_options *options);
/* "layout(...) uniform NAME {", which "};" ends. */
void fragprog_open_block(struct texenv_text *text, const char *name,
                         const struct fragprog_language_options *options);
/* A declaration; offset: in a block, with its place there. */
void fragprog_print_uniform(struct texenv_text *text, enum fragprog_uniform uniform, unsigned elements,
                            const struct fragprog_language_options *options, bool offset);
/* "in vec4 " and the prefix, with a location where the language wants one. */
void fragprog_print_varying(struct texenv_text *text, const char *qualifier, unsigned location,
                            const char *type, const struct fragprog_language_options *options);

/* Colour and alpha instructions that are the same become one of four channels. */
void fragprog_join_halves(struct fragprog *p);
/* And where the colour adds something to what is the alpha's product, the products do. */
void fragprog_share_products(struct fragprog *p);

/* Each after the checks of fragprog_print_language. colours: temporaries by colouring, for which scratch has
 * fragprog_arbfp_scratch bytes; else a struct fragprog_arbfp_value and two more an instruction do. */
void fragprog_print_arbfp(struct texenv_text *text, const struct fragprog *p,
                          const struct fragprog_reading *r, const struct fragprog_language_options *options,
                          void *scratch, bool colours);
/* The bytes of its scratch memory. */
size_t fragprog_arbfp_scratch(unsigned insts);
/* What fragprog_print_language touches of its scratch memory for texturing in GLSL. */
enum { FRAGPROG_GLSL_PRINTS_IN = 40 << 10 };
/* scratch: of a program of texturing, which is changed, FRAGPROG_GLSL_SCRATCH bytes; else NULL. */
void fragprog_print_glsl(struct texenv_text *text, struct fragprog *p, const struct fragprog_reading *r,
                         const struct fragprog_language_options *options, void *scratch);

#endif
