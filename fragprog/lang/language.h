/* Interface between the printers of shading languages. Internal to fragprog. */
#ifndef FRAGPROG_LANGUAGE_H
#define FRAGPROG_LANGUAGE_H

#include "fragprog/fragprog.h"
#include "fragprog/names.h"
#include "fragprog/operand.h"

/* The contents of one channel of a constant. */
struct fragprog_channel {
    /* FRAGPROG_ORIGIN_IMMEDIATE: `value`; else the unit of an environment colour, or FRAGPROG_ORIGIN_* */
    int origin;
    unsigned component;
    float value;
};
struct fragprog_channel fragprog_const_channel(const struct fragprog *p, unsigned konst, unsigned channel,
                                               const struct fragprog_language_options *options);

/* The inputs that a program reads. Bit n of a set means origin n, coordinate set n, or the texture of unit
 * n. */
struct fragprog_reading {
    uint32_t origins, coords, textures;
    uint32_t outputs; /* bit n: colour output n > 0 is written; bit 0: the depth */
    bool primary, secondary, fog_coord, position, shadow, rect, volume, kills;
    uint8_t coord_size[TEXENV_UNITS],
        secondary_size; /* components of each input: 4, or in shader pairs those that are read */
    const struct fragprog_inst *lookup[FRAGPROG_MOST_TEXTURES]; /* a lookup of each unit, for its target */
};
void fragprog_find_reading(struct fragprog_reading *r, const struct fragprog *p,
                           const struct fragprog_language_options *options);

/* Returns the prefix of names, or "". */
const char *fragprog_prefix(const struct fragprog_language_options *options);
/* Returns true if q of the coordinate set is known to be 1. */
bool fragprog_is_affine(const struct fragprog_language_options *options, unsigned set);
/* Returns true for languages without the inputs and uniforms of fixed function, such as ES and Vulkan. */
bool fragprog_is_core(const struct fragprog_language_options *options);
/* Counts for each enum fragprog_uniform how many elements a fragment program reads (1 if it is no array). */
void fragprog_count_uniforms(uint16_t *elements, const struct fragprog_reading *r,
                             const struct fragprog_language_options *options);
/* Prints "layout(...) uniform NAME {", which "};" ends. */
void fragprog_open_block(struct texenv_text *text, const char *name,
                         const struct fragprog_language_options *options);
/* Prints the name of a vertex attribute (enum fragprog_attrib; not the weight or matrix index), and returns
 * its type. core: the language has no built-in attributes. */
void fragprog_print_attribute(struct texenv_text *text, unsigned attribute, bool core, const char *prefix);
const char *fragprog_attribute_type(unsigned attribute);
/* Prints the declaration of a uniform. offset: inside a block, with its offset. */
void fragprog_print_uniform(struct texenv_text *text, enum fragprog_uniform uniform, unsigned elements,
                            const struct fragprog_language_options *options, bool offset);
/* Prints the beginning of a varying's declaration, "in vec4 " and the prefix, with a location if the language
 * requires one. */
void fragprog_print_varying(struct texenv_text *text, const char *qualifier, unsigned location,
                            const char *type, const struct fragprog_language_options *options);

/* Merges equal colour and alpha instructions into one instruction with four channels. */
void fragprog_join_halves(struct fragprog *p);
/* Merges the product of a colour multiply-add with an equal alpha product, so that the colour instruction
 * becomes an addition. */
void fragprog_share_products(struct fragprog *p);

/* Prints an ARB program, after the checks of fragprog_print_language. colours: assigns temporaries by graph
 * colouring, which needs fragprog_arbfp_scratch bytes of scratch memory; otherwise a struct
 * fragprog_arbfp_value and a struct fragprog_arbfp_temp for each instruction suffice. */
void fragprog_print_arbfp(struct texenv_text *text, const struct fragprog *p,
                          const struct fragprog_reading *r, const struct fragprog_language_options *options,
                          void *scratch, bool colours);
/* Returns the bytes of scratch memory for fragprog_print_arbfp. */
size_t fragprog_arbfp_scratch(unsigned insts);
/* Scratch memory that fragprog_print_language uses for texturing programs in GLSL. */
enum { FRAGPROG_GLSL_PRINTS_IN = 40 << 10 };
/* scratch: FRAGPROG_GLSL_SCRATCH bytes for a texturing program, which is modified; else NULL. */
void fragprog_print_glsl(struct texenv_text *text, struct fragprog *p, const struct fragprog_reading *r,
                         const struct fragprog_language_options *options, void *scratch);

#endif
