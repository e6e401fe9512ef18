/* Interface between the parts of the GLSL printer. Internal to fragprog. */
#ifndef FRAGPROG_GLSL_H
#define FRAGPROG_GLSL_H

#include "fragprog/lang/language.h"

/* Names that differ between GLSL versions. */
struct fragprog_glsl_dialect {
    uint16_t version;
    bool es, core; /* core: core: the language has no fixed-function inputs; always true in ES */
    const char *coord, *coord_end, *env, *result, *fog_coord;
};

/* Operator precedence. An expression is put in parentheses if its level is below the required one. */
enum fragprog_glsl_level {
    FRAGPROG_GLSL_ANY, /* an argument of a function, or ?: */
    FRAGPROG_GLSL_SUM,
    FRAGPROG_GLSL_PRODUCT,
    FRAGPROG_GLSL_SIGN,
    FRAGPROG_GLSL_NAME /* names and calls */
};

/* Properties of a value in a program of texturing. */
struct fragprog_glsl_value {
    uint8_t size;  /* number of components; 1: a float, the same in all channels */
    bool folded;   /* the value's expression is printed at its only use */
    bool named;    /* must not be folded */
    uint8_t nth;   /* index among the values with the same name */
    uint16_t uses; /* number of uses by sources and results */
    uint16_t length;
};

struct fragprog_glsl {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    const struct fragprog_glsl_dialect *d;
    struct fragprog_glsl_value *value;                /* NULL: no folding (programs of any length) */
    uint8_t coord_size[TEXENV_UNITS], secondary_size; /* number of components of inputs */
    bool unit_color;                                  /* the result is in [0,1] */
    char result[80];                                  /* name of the output variable */
};

/* fold_glsl.c: simplifies p, which is g->p, and decides which values are folded. scratch:
 * FRAGPROG_GLSL_SCRATCH bytes. */
#define FRAGPROG_GLSL_SCRATCH \
    (FRAGPROG_PASSES_SCRATCH + FRAGPROG_TEXENV_INSTS * sizeof(struct fragprog_glsl_value))
void fragprog_glsl_simplify(struct fragprog *p, struct fragprog_glsl *g, void *scratch);

/* print_glsl.c. Print the first line; return the number of a language's version, 0 if it is no GLSL. */
void fragprog_glsl_open(struct texenv_text *text, unsigned version);
unsigned fragprog_glsl_version(unsigned language);
void fragprog_glsl_color(const struct fragprog_glsl *g, const char *name);
bool fragprog_glsl_is_sprite(const struct fragprog_glsl *g, unsigned set);
void fragprog_glsl_value_name(const struct fragprog_glsl *g, unsigned i);
bool fragprog_glsl_same_name(const struct fragprog_glsl *g, unsigned i, unsigned j);
/* Returns true if colour and alpha are the same value and no operation follows. */
bool fragprog_glsl_is_one_result(const struct fragprog_glsl *g);
unsigned fragprog_glsl_result_length(const struct fragprog_glsl *g);

/* Prints a name of the dialect, with the prefix unless it is built in. */
void fragprog_glsl_name(const struct fragprog_glsl *g, const char *name);

/* print_glsl_expression.c. Print words verbatim; return "float", "vec2" ...; print a floating-point
 * literal. */
void fragprog_glsl_say(const struct fragprog_glsl *g, const char *words);
const char *fragprog_glsl_type(unsigned n);
extern const char *const fragprog_glsl_targets[TEXENV_TARGETS];
void fragprog_glsl_number(struct texenv_text *text, double value);
/* Return the number of components of a value; store the channels in an instruction's mask, and return their
 * number. */
unsigned fragprog_glsl_size(const struct fragprog_glsl *g, unsigned value);
unsigned fragprog_glsl_channels(const struct fragprog_inst *inst, uint8_t *lane);
/* Returns true if the source may be printed as a float in the n lanes. */
bool fragprog_glsl_is_float(const struct fragprog_glsl *g, const struct fragprog_src *src,
                            const uint8_t *lane, unsigned n);
/* fragprog_glsl_gives_one returns true if the lookup is a comparison that returns a float;
 * fragprog_glsl_is_all_depth, if also all channels of the value are that float. */
bool fragprog_glsl_gives_one(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
bool fragprog_glsl_is_all_depth(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* Print an expression with n components, or a float, in parentheses if its level is below `level`: lanes of a
 * source without modifiers; argument s; the clamped result of an instruction; a value. */
void fragprog_glsl_lanes(struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                         unsigned n, unsigned level);
void fragprog_glsl_argument(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned s,
                            const uint8_t *lane, unsigned n, unsigned level);
void fragprog_glsl_computation(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                               unsigned n, unsigned level);
void fragprog_glsl_expression(struct fragprog_glsl *g, unsigned value, unsigned level);
/* Prints a template such as "$0 + @1". N is replaced by the type. An argument marked $ may be a float
 * although others are vectors, an argument marked @ may not. */
void fragprog_glsl_form(struct fragprog_glsl *g, const struct fragprog_inst *inst, const char *form,
                        const uint8_t *lane, unsigned n);

/* Operations of assembly programs, with n components or as a float. In assembly programs selections are
 * printed here as well, since a blend would be wrong if the argument that is not selected is infinite. */
bool fragprog_glsl_is_assembly(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
void fragprog_glsl_assembly(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                            unsigned n);
void fragprog_glsl_kill(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n);
/* Prints the assignment to an output: "    gl_FragDepth = ". */
void fragprog_glsl_output(struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* Print the uniforms for GL state that this version has no name for. fragprog_glsl_parameters returns the
 * size of the array of parameters whose origins begin at `first`, at least `size`. */
void fragprog_glsl_state(struct fragprog_glsl *g);
bool fragprog_glsl_has_state(const struct fragprog_glsl *g);
unsigned fragprog_glsl_parameters(const struct fragprog_glsl *g, int32_t first, unsigned size);

/* print_glsl_vertex.c. Returns whether GLSL can express this vertex program; else fills in *why. */
bool fragprog_glsl_has_vertex(const struct fragprog *p, const struct fragprog_language_options *options,
                              struct fragprog_reason *why);
/* Print the declarations; the name of an attribute (the fog coordinate is a float); the assignment to an
 * output, "    name.xy = "; the statements that set gl_Position. */
void fragprog_glsl_vertex_head(struct fragprog_glsl *g);
void fragprog_glsl_attribute(const struct fragprog_glsl *g, unsigned attribute);
void fragprog_glsl_vertex_output(struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* Prints the read of an array element. */
void fragprog_glsl_load(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n);
void fragprog_glsl_vertex_position(struct fragprog_glsl *g);

#endif
