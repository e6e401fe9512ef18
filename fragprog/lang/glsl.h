/* Shared by the parts of the printer of GLSL. Internal to fragprog. */
#ifndef FRAGPROG_GLSL_H
#define FRAGPROG_GLSL_H

#include "fragprog/lang/language.h"

/* What the versions call things. */
struct fragprog_glsl_dialect {
    uint16_t version;
    bool es, core; /* core: without the fixed-function inputs; ES never has them */
    const char *coord, *coord_end, *env, *result, *fog_coord;
};

/* How tightly operators bind: what stands where more is wanted is put in parentheses. */
enum fragprog_glsl_level {
    FRAGPROG_GLSL_ANY, /* an argument of a function; ?: */
    FRAGPROG_GLSL_SUM,
    FRAGPROG_GLSL_PRODUCT,
    FRAGPROG_GLSL_SIGN,
    FRAGPROG_GLSL_NAME /* names and calls */
};

/* A value of a program of texturing. */
struct fragprog_glsl_value {
    uint8_t size;  /* components; 1: a float, which is in all channels */
    bool folded;   /* written where it is read, which is once */
    bool named;    /* it cannot be */
    uint8_t nth;   /* of those of its name, from 0 on */
    uint16_t uses; /* by sources and results */
    uint16_t length;
};

struct fragprog_glsl {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    const struct fragprog_glsl_dialect *d;
    struct fragprog_glsl_value *value;                /* NULL: none is folded (programs of any length) */
    uint8_t coord_size[TEXENV_UNITS], secondary_size; /* components of inputs */
    bool unit_color;                                  /* the result is in [0,1] */
    char result[80];                                  /* where the colour goes */
};

/* fold_glsl.c: makes p, which is g->p, simpler, and decides what is folded. scratch: FRAGPROG_GLSL_SCRATCH
 * bytes. */
#define FRAGPROG_GLSL_SCRATCH \
    (FRAGPROG_PASSES_SCRATCH + FRAGPROG_TEXENV_INSTS * sizeof(struct fragprog_glsl_value))
void fragprog_glsl_simplify(struct fragprog *p, struct fragprog_glsl *g, void *scratch);

/* print_glsl.c */
void fragprog_glsl_color(const struct fragprog_glsl *g, const char *name);
bool fragprog_glsl_is_sprite(const struct fragprog_glsl *g, unsigned set);
void fragprog_glsl_value_name(const struct fragprog_glsl *g, unsigned i);
bool fragprog_glsl_same_name(const struct fragprog_glsl *g, unsigned i, unsigned j);
/* Colour and alpha are one value and nothing follows them. */
bool fragprog_glsl_is_one_result(const struct fragprog_glsl *g);
unsigned fragprog_glsl_result_length(const struct fragprog_glsl *g);

/* A name of the dialect: those that are not built in with the prefix. */
void fragprog_glsl_name(const struct fragprog_glsl *g, const char *name);

/* print_glsl_expression.c. Words as they stand; float, vec2 ...; a number as GLSL writes floats. */
void fragprog_glsl_say(const struct fragprog_glsl *g, const char *words);
const char *fragprog_glsl_type(unsigned n);
void fragprog_glsl_number(struct texenv_text *text, double value);
/* Components of a value; the channels of an instruction, of which it gives how many. */
unsigned fragprog_glsl_size(const struct fragprog_glsl *g, unsigned value);
unsigned fragprog_glsl_channels(const struct fragprog_inst *inst, uint8_t *lane);
/* In the n lanes the source can be a float. */
bool fragprog_glsl_is_float(const struct fragprog_glsl *g, const struct fragprog_src *src,
                            const uint8_t *lane, unsigned n);
/* A comparison gives one number, which is in all channels of the value. */
bool fragprog_glsl_gives_one(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
bool fragprog_glsl_is_all_depth(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* As a vector of n or a float, where at least an operator of `level` is wanted: lanes of a source without its
 * modifiers; argument s; what the instruction computes, clamped; a value. */
void fragprog_glsl_lanes(struct fragprog_glsl *g, const struct fragprog_src *src, const uint8_t *lane,
                         unsigned n, unsigned level);
void fragprog_glsl_argument(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned s,
                            const uint8_t *lane, unsigned n, unsigned level);
void fragprog_glsl_computation(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                               unsigned n, unsigned level);
void fragprog_glsl_expression(struct fragprog_glsl *g, unsigned value, unsigned level);
/* Arguments in a form: "$0 + @1"; N is the type, $ may be a float where others are vectors, @ may not. */
void fragprog_glsl_form(struct fragprog_glsl *g, const struct fragprog_inst *inst, const char *form,
                        const uint8_t *lane, unsigned n);

/* Operations of assembly programs, as a vector of n or a float; in them selections, too: an argument that is
 * not taken may be infinite, so that they are no blend. */
bool fragprog_glsl_is_assembly(const struct fragprog_glsl *g, const struct fragprog_inst *inst);
void fragprog_glsl_assembly(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                            unsigned n);
void fragprog_glsl_kill(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n);
/* "    gl_FragDepth = " */
void fragprog_glsl_output(struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* Uniforms for state that the version has no name for. The size of the array of parameters from `first` on,
 * at least `size`. */
void fragprog_glsl_state(struct fragprog_glsl *g);
bool fragprog_glsl_has_state(const struct fragprog_glsl *g);
unsigned fragprog_glsl_parameters(const struct fragprog_glsl *g, int32_t first, unsigned size);

/* print_glsl_vertex.c. Whether GLSL can express this vertex program; else *why. */
bool fragprog_glsl_has_vertex(const struct fragprog *p, const struct fragprog_language_options *options,
                              struct fragprog_reason *why);
/* What stands before main; the name of an attribute, of which the fog coordinate is a float; "    name.xy = "
 * of a result; what gives gl_Position. */
void fragprog_glsl_vertex_head(struct fragprog_glsl *g);
void fragprog_glsl_attribute(const struct fragprog_glsl *g, unsigned attribute);
void fragprog_glsl_vertex_output(struct fragprog_glsl *g, const struct fragprog_inst *inst);
/* An element of an array. */
void fragprog_glsl_load(struct fragprog_glsl *g, const struct fragprog_inst *inst, const uint8_t *lane,
                        unsigned n);
void fragprog_glsl_vertex_position(struct fragprog_glsl *g);

#endif
