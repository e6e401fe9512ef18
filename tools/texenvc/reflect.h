/* What the programs of a language take from outside: --reflect, --reflect-c, --embed. */
#ifndef TEXENVC_REFLECT_H
#define TEXENVC_REFLECT_H

#include "compile.h"

enum kind { KIND_SAMPLER, KIND_UNIFORM, KIND_ATTRIBUTE, KIND_VARYING, KINDS };
/* What a uniform holds that is no row of pairs: state by the name that `is` has, as ARB programs bind it;
 * parameters of a program; what makes the position of ARB vertex programs. */
enum {
    VARIABLE_BINDING = FRAGPROG_PAIR_VALUES,
    VARIABLE_ENV,
    VARIABLE_LOCAL,
    VARIABLE_MODELVIEW_PROJECTION,
    VARIABLE_UNIFORMS
};
/* Numbers that are not there are -1, texts NULL. */
struct variable {
    enum kind kind;
    char name[160], type[20], is[128];
    int uniform; /* enum fragprog_pair_value, or one of those above */
    int unit;    /* of a uniform: its index, of a light, unit or plane */
    int location, binding, offset;
    unsigned stages; /* bits of enum stage that read a uniform or sampler */
    bool built_in;   /* GL fills it; of a sampler: its name is a part of the language */
    const char *format, *swizzle;
    uint32_t target; /* GL's name */
    const char *target_name;
    const struct texenv_texture_info *texture; /* of a sampler: what is known of it; NULL: nothing */
    unsigned values;
    bool unknown;    /* its value is not known */
    float value[16]; /* now, where the state says it */
};
/* Of one state. */
struct reflection {
    struct fragprog_language_options how;
    char name[FRAGPROG_PREFIX_MAX + 24];      /* of the pair */
    struct buffer fog_formula, alpha_formula; /* empty: none */
    bool core, vertex;                        /* vertex: has a vertex program with attributes of its own */
    unsigned block;                           /* glsl-450: bytes of the uniform block */
    const struct texenv_values *values;       /* of the item */
    struct variable *v;
    unsigned n;
};

/* Of an item that compile_language could do; number: which pair of the output it is, from 1. c is
 * overwritten. */
void reflect(struct reflection *r, const struct item *item, struct compiled *c, const struct options *o,
             uint64_t number);
void reflection_free(struct reflection *r);
/* Of an ARB program, which reads any state, textures and attributes (reflect_arb.c): p after its passes. */
void reflect_program(struct reflection *r, const struct item *item, const struct fragprog *p);

/* How many numbers a uniform has. */
unsigned variable_numbers(const struct variable *v);
/* What goes from stage to stage, of coordinates a bit each. */
void reflect_varyings(struct reflection *r, bool primary, bool secondary, bool fog, unsigned coords);

/* Another variable, with this name and what `is` says, both as printf has them; it holds until the next one
 * is added. An element of a uniform; the texture of a unit. */
PRINTF_LIKE(4, 5)
struct variable *reflect_add(struct reflection *r, enum kind kind, const char *type, const char *format, ...);
PRINTF_LIKE(2, 3) void reflect_means(struct variable *v, const char *format, ...);
struct variable *reflect_element(struct reflection *r, const struct item *item, unsigned uniform, unsigned n,
                                 unsigned stages);
struct variable *reflect_sampler(struct reflection *r, unsigned unit, unsigned target, bool shadow);
/* The JSON object (notes/formats/languages.md) up to its name. */
void add_reflection(struct buffer *b, const struct reflection *r, const struct item *item);
/* Its end. files: strings with commas between them, or NULL. */
void add_reflection_end(struct buffer *b, const char *name, const char *files);

#endif
