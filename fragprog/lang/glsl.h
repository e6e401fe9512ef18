/* Shared by the parts of the printer of GLSL. Internal to fragprog. */
#ifndef FRAGPROG_GLSL_H
#define FRAGPROG_GLSL_H

#include "fragprog/lang/language.h"

/* What the versions call things. */
struct fragprog_glsl_dialect {
    uint16_t version;
    bool es, core; /* core: without the fixed-function inputs; ES never has them */
    const char *primary, *secondary, *coord, *coord_end, *env, *result, *fog_coord;
};

struct fragprog_glsl {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    const struct fragprog_glsl_dialect *d;
    char result[80]; /* where the colour goes */
};

/* A name of the dialect: those that are not built in with the prefix. */
void fragprog_glsl_name(const struct fragprog_glsl *g, const char *name);
/* float, vec2 ...; a number as GLSL writes floats. */
const char *fragprog_glsl_type(unsigned n);
void fragprog_glsl_number(struct texenv_text *text, double value);
/* Argument s in these lanes, modifiers included, as a vector of n or a float. */
void fragprog_glsl_argument(struct fragprog_glsl *g, const struct fragprog_inst *inst, unsigned s,
                            const uint8_t *lane, unsigned n);
/* Arguments in a form: "$0 + $1"; N is the type. */
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
/* The name of a parameter of an assembly program, a vector of four. */
void fragprog_glsl_parameter(struct fragprog_glsl *g, int32_t origin);
/* Uniforms for state that the version has no name for. The size of the array of parameters from `first` on,
 * at least `size`. */
void fragprog_glsl_state(struct fragprog_glsl *g);
bool fragprog_glsl_has_state(const struct fragprog_glsl *g);
unsigned fragprog_glsl_parameters(const struct fragprog_glsl *g, int32_t first, unsigned size);

/* Of vertex programs (print_glsl_vertex.c). False with *why if GLSL cannot say one. */
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
