/* Tables of names, shared by the printers and readers of fragprog (private to this folder). The rows are in
 * opcodes.def and names.def. */
#ifndef FRAGPROG_NAMES_H
#define FRAGPROG_NAMES_H

#include "fragprog/atifs.h"
#include "fragprog/inst.h"

/* Names of an operation in the IR text, in the text extension and in GL/glext.h. The characters are stored in
 * the rows, so that the tables need no relocation. */
struct fragprog_op_name {
    char ir[8];
    char atifs[8];
};
extern const struct fragprog_op_name fragprog_op_names[FRAGPROG_OPS];
extern const char fragprog_op_gl[FRAGPROG_OPS][20];
/* Return the operation (enum fragprog_op) of an enumerant, or of a name in either text form; -1 if there is
 * none. */
int fragprog_op_of_api(unsigned api);
int fragprog_op_of_atifs(const char *text, size_t length);
int fragprog_op_of_ir(const char *text, size_t length);

struct fragprog_name {
    int32_t value;
    char text[16];
    char gl[32];
};
/* Each table is terminated by a row with an empty text. */
extern const struct fragprog_name fragprog_atifs_scales[], fragprog_atifs_mods[], fragprog_atifs_reps[],
    fragprog_atifs_fixed[], fragprog_atifs_swizzles[], fragprog_atifs_setups[];
/* Names of the origins of constants, indexed by origin / TEXENV_UNITS: "env", "global", "local". */
extern const char fragprog_origin_names[3][8];
extern const struct fragprog_name fragprog_ir_scales[], fragprog_ir_clamps[], fragprog_ir_mods[],
    fragprog_ir_files[], fragprog_ir_vertex_outs[], fragprog_ir_targets[], fragprog_ir_bases[];

/* Return the row with this value or text, or NULL. */
const struct fragprog_name *fragprog_name_of(const struct fragprog_name *table, int32_t value);
const struct fragprog_name *fragprog_name_find(const struct fragprog_name *table, const char *text,
                                               size_t length);
/* Returns the text of a value, or "?" if there is none: a malformed program can be printed, but not read
 * back. */
const char *fragprog_name_text(const struct fragprog_name *table, int32_t value);
bool fragprog_name_is(const char *name, const char *text, size_t length);

enum { FRAGPROG_ATI_TEXT_COORDS = 6 }; /* the text form has t0 to t5, the calls have TEXTURE0 to TEXTURE7 */
/* Return the number of a register or constant argument, or -1 if the argument is something else. */
int fragprog_atifs_reg(const struct fragprog_atifs_arg *arg);
int fragprog_atifs_con(const struct fragprog_atifs_arg *arg);
/* Returns true if operation, destination register, destination modifiers and arguments are equal: two such
 * halves are one instruction of the text form. */
bool fragprog_atifs_same(const struct fragprog_atifs_op *a, const struct fragprog_atifs_op *b);
/* Returns true for dot products, false for other instructions and for an empty half. */
bool fragprog_atifs_is_dot(const struct fragprog_atifs_op *op);

/* Prints the comments "bind", "const" and "color-sum" (notes/formats/atifs.md), each line beginning with
 * `lead`. */
void fragprog_print_atifs_comments(struct texenv_text *text, const struct fragprog_atifs *program,
                                   const char *lead);

/* The place where a program breaks a rule. */
enum fragprog_atifs_part { FRAGPROG_AT_PROGRAM, FRAGPROG_AT_CONST, FRAGPROG_AT_SETUP, FRAGPROG_AT_PAIR };
struct fragprog_atifs_where {
    enum fragprog_atifs_part part;
    unsigned pass, index; /* index: of the constant, register or pair */
    unsigned half, arg;   /* half of a pair and argument; arg 3 means the whole instruction */
};
/* Like fragprog_check_atifs, with a more precise place. */
const char *fragprog_atifs_violation(const struct fragprog_atifs *program,
                                     struct fragprog_atifs_where *where);
struct texenv_place fragprog_atifs_place(const struct fragprog_atifs_places *places,
                                         const struct fragprog_atifs_where *where);
/* The parts of fragprog_check. i: number of an instruction. */
const char *fragprog_check_inst(const struct fragprog *p, unsigned i);
const char *fragprog_check_const(const struct fragprog_const *konst);
const char *fragprog_check_result(const struct fragprog *p);
const char *fragprog_check_arrays(const struct fragprog *p);

#endif
