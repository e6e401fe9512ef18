/* What the programs of a language take from outside: --reflect, --reflect-c, --embed. */
#ifndef TEXENVC_REFLECT_H
#define TEXENVC_REFLECT_H

#include "compile.h"

enum kind { KIND_SAMPLER, KIND_UNIFORM, KIND_ATTRIBUTE, KIND_VARYING, KINDS };
enum { VARIABLE_BINDING = FRAGPROG_UNIFORMS, VARIABLES = 96 + 512 };
/* Numbers that are not there are -1, texts NULL. */
struct variable {
    enum kind kind;
    char name[FRAGPROG_PREFIX_MAX + 40], type[20], is[64];
    int uniform; /* enum fragprog_uniform, or VARIABLE_BINDING: what `is` names, as ARB programs do */
    int unit, location, binding, offset;
    unsigned stages; /* bits of enum stage that read a uniform or sampler */
    bool built_in;   /* GL fills it; of a sampler: its name is a part of the language */
    const char *format, *swizzle;
    uint32_t target; /* GL's name */
    const char *target_name;
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
    unsigned n;
    const struct texenv_values *values; /* of the item */
    struct variable v[VARIABLES];
};

/* Of an item that compile_language could do; number: which pair of the output it is, from 1. c is
 * overwritten. */
void reflect(struct reflection *r, const struct item *item, struct compiled *c, const struct options *o,
             uint64_t number);
void reflection_free(struct reflection *r);
/* The JSON object (notes/formats.md 8) up to its name. */
void add_reflection(struct buffer *b, const struct reflection *r, const struct item *item);
/* Its end. files: strings with commas between them, or NULL. */
void add_reflection_end(struct buffer *b, const char *name, const char *files);

#endif
