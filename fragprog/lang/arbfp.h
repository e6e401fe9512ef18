/* Interface between the parts of the printer of ARB programs. Internal to fragprog. */
#ifndef FRAGPROG_ARBFP_H
#define FRAGPROG_ARBFP_H

#include "fragprog/lang/language.h"

enum { FRAGPROG_ARBFP_RESULT = 0xffff };

/* Properties of a value while it is printed. */
struct fragprog_arbfp_value {
    uint16_t temp; /* temporary; FRAGPROG_ARBFP_RESULT: result.color */
    uint16_t last; /* the last instruction that reads it; ninst: the end of the program */
    uint16_t uses; /* number of sources and results that read it, at most 3 */
    /* 1 + the number of a vec that copies channels of this value unswizzled, so that both should share a
     * temporary; 0: none */
    uint16_t leader;
    uint16_t hint; /* for a vec that is a leader: its temporary + 1, or 0 */
};
/* Number of values in each channel of a temporary; a vec shares channels with its arguments. */
struct fragprog_arbfp_temp {
    uint16_t users[4];
};

struct fragprog_arbfp {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    struct fragprog_arbfp_value *value; /* indexed by instruction */
    struct fragprog_arbfp_temp *temp;   /* indexed by temporary; as many elements as instructions */
    unsigned temps, scratch;            /* number of temporaries and scratch registers used */
    unsigned full;                      /* all channels of temporaries with lower numbers are in use */
    unsigned instructions;              /* number of instructions in the text so far */
    bool coloured;                      /* values already have their temporaries */
    bool loaded;                        /* the address register holds the value of this source */
    struct fragprog_src address;
};

/* print_arbfp.c. Returns true if argument s of the vec is a value that it reads unswizzled. */
bool fragprog_arbfp_in_place(const struct fragprog_inst *vec, unsigned s);
/* arbfp_temps.c: tries to use fewer temporaries than assignment in program order did. Returns false if it
 * cannot. Otherwise a->value[].temp are the new temporaries, and *rewritten is the program whose operands and
 * masks use the lanes in which the values are there. scratch: fragprog_arbfp_temps_scratch bytes, in which
 * *rewritten is stored. */
size_t fragprog_arbfp_temps_scratch(unsigned insts);
bool fragprog_arbfp_colour(struct fragprog_arbfp *a, struct fragprog *rewritten, void *scratch);

/* print_arbvp.c: print an enum fragprog_vertex_out ("result.color.back"), an enum fragprog_attrib
 * ("vertex.normal"), and the declarations of the arrays that are addressed relatively and of the address
 * register. */
void fragprog_arbvp_output(struct texenv_text *text, unsigned output);
void fragprog_arbvp_attribute(struct texenv_text *text, unsigned attribute);
void fragprog_arbvp_arrays(struct texenv_text *text, const struct fragprog *p);
/* Prints a constant that is an element of an array: "array1[3]". */
void fragprog_arbvp_element(struct texenv_text *text, const struct fragprog *p, unsigned konst);

extern const char fragprog_arbfp_channels[5]; /* "xyzw" */

/* An operand that is ready to be printed. */
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
/* Prepare argument s of the instruction, computing modifiers that the language lacks into scratch register s;
 * and print the operand. */
struct fragprog_arbfp_operand fragprog_arbfp_prepare(struct fragprog_arbfp *a,
                                                     const struct fragprog_inst *inst, unsigned s);
void fragprog_arbfp_operand(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o);
/* fragprog_arbfp_is_extended returns true if the lanes are channels of one name with individual signs, 0 and
 * 1, which only SWZ supports. fragprog_arbfp_extended prints the operand of SWZ. */
bool fragprog_arbfp_is_extended(const struct fragprog_arbfp *a, const struct fragprog_src *src,
                                unsigned lanes);
void fragprog_arbfp_extended(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes);

#endif
