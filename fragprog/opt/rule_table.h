/* The rewrite rules as data. Internal to fragprog. */
#ifndef FRAGPROG_RULES_H
#define FRAGPROG_RULES_H

#include "fragprog/operand.h"

/* Tokens of a term in prefix form; the numbers of operations are those of fragprog_op. */
enum fragprog_term {
    FRAGPROG_T_VAR = 0x40, /* + 0..3: A..D */
    FRAGPROG_T_ZERO = 0x50,
    FRAGPROG_T_ONE,
    FRAGPROG_T_HALF,
    FRAGPROG_T_MOD = 0x80 /* | FRAGPROG_COMP, _BIAS, _2X or _NEG: one modifier */
};

enum { FRAGPROG_RULE_TERMS = 10 };

/* What a row knows an instruction by. Each row has one such mark; an instruction that has none of those of
 * its operation's rows matches none of them. */
enum fragprog_mark {
    FRAGPROG_BY_ZERO, /* a literal among the arguments */
    FRAGPROG_BY_ONE,
    FRAGPROG_BY_HALF,
    FRAGPROG_BY_MINUS_ONE,
    FRAGPROG_BY_MINUS_HALF,
    FRAGPROG_BY_DOUBLED,
    FRAGPROG_BY_SAME,       /* a source in two arguments: A and A */
    FRAGPROG_BY_NEGATED,    /* A and -A */
    FRAGPROG_BY_COMPLEMENT, /* A and 1-A */
    FRAGPROG_BY_BIASED,     /* A and 1/2-A */
    FRAGPROG_BY_TWO,        /* only as `shares`: two pairs of A and A */
    FRAGPROG_BY_INNER, /* + FRAGPROG_INNER_MARKS * (op - FRAGPROG_ADD) + k: an operation inside, and before it
                          the k-th of the sets of modifiers that stand there in rows: */
    FRAGPROG_INNER_MARKS = 6,
    FRAGPROG_MARKS = FRAGPROG_BY_INNER + FRAGPROG_INNER_MARKS * (FRAGPROG_LERP - FRAGPROG_ADD + 1)
};
#define FRAGPROG_INNER_MARK(mods) \
    ((mods) == 0                                    ? 0 \
         : (mods) == FRAGPROG_COMP                  ? 1 \
         : (mods) == FRAGPROG_BIAS                  ? 2 \
         : (mods) == FRAGPROG_2X                    ? 3 \
         : (mods) == FRAGPROG_NEG                   ? 4 \
         : (mods) == (FRAGPROG_NEG | FRAGPROG_BIAS) ? 5 \
                                                    : FRAGPROG_INNER_MARKS)
_Static_assert(FRAGPROG_MARKS <= 64, "marks are bits of a word");

/* Of the operations that stand in rows, those whose first two arguments may change places. */
#define FRAGPROG_RULE_COMMUTES(op) ((op) == FRAGPROG_ADD || (op) == FRAGPROG_MUL || (op) == FRAGPROG_MAD)

struct fragprog_rule {
    uint8_t mark;
    uint8_t shares; /* there is a variable in the operation inside and outside it: FRAGPROG_BY_SAME ...; 0:
                       none */
    uint8_t orders; /* in which the arguments of its commutative operations can stand */
    uint8_t pattern[FRAGPROG_RULE_TERMS], replacement[FRAGPROG_RULE_TERMS];
    int8_t scale;
    uint8_t unit_var; /* variable that has to be in [0,1], + 1; 0: none */
    const char *name;
};

/* Rows of an operation: from fragprog_first_rule[op] on, while pattern[0] is the operation. */
extern const struct fragprog_rule fragprog_rules[];
extern const uint8_t fragprog_first_rule[FRAGPROG_LERP + 1];
/* The marks (bits) of an operation's rows. */
extern const uint64_t fragprog_rule_marks[FRAGPROG_LERP + 1];
/* Marks of rows whose result is a copy: others may read the operation inside as well. */
extern const uint64_t fragprog_rule_marks_of_copies;

/* Marks of two sources that may match one variable. */
enum {
    FRAGPROG_BY_PAIRS = 1 << FRAGPROG_BY_SAME | 1 << FRAGPROG_BY_NEGATED | 1 << FRAGPROG_BY_COMPLEMENT |
        1 << FRAGPROG_BY_BIASED
};
/* The operations (bits, as fragprog_ops_read) that rows of an operation have inside, or that they have
 * literals. */
extern const uint32_t fragprog_rule_reads[FRAGPROG_LERP + 1];
/* False: fragprog_marks_of would find none, which is seen by the operations that the instruction reads
 * (fragprog_ops_read). */
static inline bool fragprog_may_have_marks(const struct fragprog_inst *inst, uint32_t read)
{
    if (inst->op > FRAGPROG_LERP)
        return false;
    const uint64_t marks = fragprog_rule_marks[inst->op];
    return read & fragprog_rule_reads[inst->op] ||
        (marks >> FRAGPROG_BY_DOUBLED & 1 && inst->src[0].mods & FRAGPROG_2X) ||
        (marks & FRAGPROG_BY_PAIRS && fragprog_reads_twice(inst));
}

/* Which of its operation's rows' marks (bits) the instruction has; 0: no row matches it. each: of them, those
 * of the arguments one by one: the literal that it is, or the operation inside that it reads, if only this
 * instruction does or rows do not mind. */
uint64_t fragprog_marks_of(const struct fragprog *p, const struct fragprog_ranges *ranges,
                           const struct fragprog_inst *inst, uint64_t each[3]);
/* What sources of the instruction are to those of an operation inside that it has one of these marks of, as a
 * row's `shares` (bits). */
unsigned fragprog_shared_marks(const struct fragprog *p, const struct fragprog_inst *inst,
                               const uint64_t each[3], uint64_t marks);

#endif
