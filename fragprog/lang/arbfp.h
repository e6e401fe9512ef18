/* Shared by the two parts of the printer of ARB programs. Internal to fragprog. */
#ifndef FRAGPROG_ARBFP_H
#define FRAGPROG_ARBFP_H

#include "fragprog/lang/language.h"

enum { FRAGPROG_ARBFP_TEMPS = FRAGPROG_TEXENV_INSTS, FRAGPROG_ARBFP_RESULT = 0xff };

struct fragprog_arbfp {
    struct texenv_text *text;
    const struct fragprog *p;
    const struct fragprog_language_options *options;
    uint8_t temp[FRAGPROG_TEXENV_INSTS];  /* of each value; FRAGPROG_ARBFP_RESULT: result.color */
    uint16_t last[FRAGPROG_TEXENV_INSTS]; /* the instruction that reads it last; ninst: the end */
    uint8_t busy[FRAGPROG_ARBFP_TEMPS];   /* channels in use */
    unsigned temps, scratch;              /* how many were used */
};

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

/* ".xz", or nothing for all channels; the name of a parameter. */
void fragprog_arbfp_mask(struct texenv_text *text, unsigned mask);
void fragprog_arbfp_origin(struct texenv_text *text, int origin);
/* "NAME s0.xz, ": a scratch register as destination. */
void fragprog_arbfp_begin_scratch(struct fragprog_arbfp *a, const char *name, unsigned scratch,
                                  unsigned mask);
/* Argument s of the instruction, its modifiers computed into scratch register s where the language has none;
 * and its text. */
struct fragprog_arbfp_operand fragprog_arbfp_prepare(struct fragprog_arbfp *a,
                                                     const struct fragprog_inst *inst, unsigned s);
void fragprog_arbfp_operand(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o);

#endif
