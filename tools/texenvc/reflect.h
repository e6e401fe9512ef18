/* Describes the inputs of a program in a language: --reflect, --reflect-c, --embed. */
#ifndef TEXENVC_REFLECT_H
#define TEXENVC_REFLECT_H

#include "compile.h"

enum kind { KIND_SAMPLER, KIND_UNIFORM, KIND_ATTRIBUTE, KIND_VARYING, KINDS };
/* Kinds of uniforms that shader pairs do not have: state that an ARB program binds by name (in `is`), program
 * parameters, and the matrix for position-invariant ARB vertex programs. */
enum {
    VARIABLE_BINDING = FRAGPROG_PAIR_VALUES,
    VARIABLE_ENV,
    VARIABLE_LOCAL,
    VARIABLE_MODELVIEW_PROJECTION,
    VARIABLE_UNIFORMS
};
/* A variable of a program. Absent numbers are -1, absent texts NULL. */
struct variable {
    enum kind kind;
    char name[160], type[20], is[128];
    int uniform; /* enum fragprog_pair_value or one of the above */
    int unit;    /* the index of the uniform's light, unit or plane */
    int location, binding, offset;
    unsigned stages; /* bits of enum stage that read a uniform or sampler */
    bool built_in;   /* GL sets it; for a sampler: its name belongs to the language */
    const char *format, *swizzle;
    uint32_t target; /* the enumerant of target_name */
    const char *target_name;
    /* for a sampler: what is known of the texture; NULL: nothing */
    const struct texenv_texture_info *texture;
    unsigned values;
    bool unknown;    /* the uniform's value is not known */
    float value[16]; /* the current value, if the state determines it */
};
/* The description of one state's program or pair. */
struct reflection {
    struct fragprog_language_options how;
    char name[FRAGPROG_PREFIX_MAX + 24];      /* name of the pair */
    struct buffer fog_formula, alpha_formula; /* empty if there is none */
    bool core, vertex;                        /* vertex: there is a vertex program with its own attributes */
    unsigned block;                           /* glsl-450: size of the uniform block in bytes */
    const struct texenv_values *values;       /* values of the item */
    struct variable *v;
    unsigned n;
};

/* Describes an item that compile_language has compiled. number: the index of the pair in the output, from 1.
 * c is overwritten. */
void reflect(struct reflection *r, const struct item *item, struct compiled *c, const struct options *o,
             uint64_t number);
void reflection_free(struct reflection *r);
/* Describes an ARB program, which may read any state, textures and attributes (reflect_arb.c). p: after the
 * passes. */
void reflect_program(struct reflection *r, const struct item *item, const struct fragprog *p);

/* Returns the number of floats in a uniform. */
unsigned variable_numbers(const struct variable *v);
/* Adds the varyings between the stages. coords: one bit for each set of coordinates. */
void reflect_varyings(struct reflection *r, bool primary, bool secondary, bool fog, unsigned coords);

/* Add a variable, with a name and a description `is` formatted as in printf; reflect_element adds an element
 * of a uniform, reflect_sampler the texture of a unit. The pointer is valid until the next one is added. */
PRINTF_LIKE(4, 5)
struct variable *reflect_add(struct reflection *r, enum kind kind, const char *type, const char *format, ...);
PRINTF_LIKE(2, 3) void reflect_means(struct variable *v, const char *format, ...);
struct variable *reflect_element(struct reflection *r, const struct item *item, unsigned uniform, unsigned n,
                                 unsigned stages);
struct variable *reflect_sampler(struct reflection *r, unsigned unit, unsigned target, bool shadow);
/* Appends the JSON object (notes/formats/languages.md) up to its name. */
void add_reflection(struct buffer *b, const struct reflection *r, const struct item *item);
/* Appends the end of the object. files: strings separated by commas, or NULL. */
void add_reflection_end(struct buffer *b, const char *name, const char *files);

#endif
