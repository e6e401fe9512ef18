/* Shared by the two parts of the printer of ARB programs. Internal to fragprog. */
#ifndef FRAGPROG_ARBFP_H
#define FRAGPROG_ARBFP_H

#include "fragprog/lang/language.h"

enum { FRAGPROG_ARBFP_RESULT = 0xffff };

/* What is known of a value. */
struct fragprog_arbfp_value {
    uint16_t temp; /* FRAGPROG_ARBFP_RESULT: result.color */
    uint16_t last; /* the instruction that reads it last; ninst: the end */
    uint16_t uses; /* sources and results that read it, at most 3 */
    /* number + 1 of a vec that collects this value in place: the vec and all values that it collects should
     * share a temporary. 0: none */
    uint16_t leader;
    uint16_t hint; /* of such a vec: the temporary + 1 */
};
/* How many values lie in each channel of a temporary; a vec shares channels with what it collects. */
struct fragprog_arbfp_temp {
    uint16_t users[4];
};

struct fragprog_arbfp {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    struct fragprog_arbfp_value *value; /* of each instruction */
    struct fragprog_arbfp_temp *temp;   /* as many */
    unsigned temps, scratch;            /* how many were used */
    unsigned full;                      /* all channels of the temporaries below it are in use */
    unsigned instructions;              /* of the text, so far */
    bool coloured;                      /* values have their temporaries already */
    bool loaded;                        /* the address register has a value: that of this source */
    struct fragprog_src address;
};

/* arbfp_temps.c: after values were put into temporaries in the order of the program, puts them into fewer, if
 * it can: false, or *rewritten reads and writes the lanes of a->value[].temp where they are then. scratch:
 * bytes of fragprog_arbfp_temps_scratch; *rewritten lies in it. */
size_t fragprog_arbfp_temps_scratch(unsigned insts);
bool fragprog_arbfp_colour(struct fragprog_arbfp *a, struct fragprog *rewritten, void *scratch);

/* print_arbvp.c: "result.color.back" of enum fragprog_vertex_out; "vertex.normal" of enum fragprog_attrib;
 * the declarations of arrays that are addressed relatively, and of the address register. */
void fragprog_arbvp_output(struct texenv_text *text, unsigned output);
void fragprog_arbvp_attribute(struct texenv_text *text, unsigned attribute);
void fragprog_arbvp_arrays(struct texenv_text *text, const struct fragprog *p);
/* Prints a constant that is an element of an array: "array1[3]". */
void fragprog_arbvp_element(struct texenv_text *text, const struct fragprog *p, unsigned konst);

extern const char fragprog_arbfp_channels[5]; /* "xyzw" */

/* An operand ready to be printed. */
struct fragprog_arbfp_operand {
    enum { FRAGPROG_ARBFP_LITERAL, FRAGPROG_ARBFP_NAMED, FRAGPROG_ARBFP_SCRATCHED } kind;
    double literal;
    bool negative;
    unsigned scratch;
    struct fragprog_src src;
    unsigned lanes;
    uint8_t swizzle[4];
};

/* Print a mask (".xz", nothing for all channels), and the name of a parameter. */
void fragprog_arbfp_mask(struct texenv_text *text, unsigned mask);
void fragprog_arbfp_origin(struct texenv_text *text, int origin);
/* Prints "NAME s0.xz, ", with a scratch register as destination. */
void fragprog_arbfp_begin_scratch(struct fragprog_arbfp *a, const char *name, unsigned scratch,
                                  unsigned mask);
/* Argument s of the instruction, its modifiers computed into scratch register s where the language has none;
 * and its text. */
struct fragprog_arbfp_operand fragprog_arbfp_prepare(struct fragprog_arbfp *a,
                                                     const struct fragprog_inst *inst, unsigned s);
void fragprog_arbfp_operand(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o);
/* Lanes of one name with signs of their own, 0 and 1 between them, which SWZ takes and other instructions do
 * not; and the operand of SWZ. */
bool fragprog_arbfp_is_extended(const struct fragprog_arbfp *a, const struct fragprog_src *src,
                                unsigned lanes);
void fragprog_arbfp_extended(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes);

#endif
