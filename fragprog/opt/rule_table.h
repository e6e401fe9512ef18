/* The rewrite rules of rules.def as data. Internal to fragprog. */
#ifndef FRAGPROG_RULES_H
#define FRAGPROG_RULES_H

#include "fragprog/operand.h"

/* Tokens of a term in prefix form. Operations are represented by their number (enum fragprog_op). */
enum fragprog_term {
    FRAGPROG_T_VAR = 0x40, /* + 0..3: A..D */
    FRAGPROG_T_ZERO = 0x50,
    FRAGPROG_T_ONE,
    FRAGPROG_T_HALF,
    FRAGPROG_T_MOD = 0x80 /* | FRAGPROG_COMP, _BIAS, _2X or _NEG: one modifier */
};

enum { FRAGPROG_RULE_TERMS = 10 };

/* Marks are features of instructions that preselect rules cheaply. Each rule has one mark, and applies only
 * to instructions with that mark. The inner operation of a pattern is the operation whose value an argument
 * reads. */
enum fragprog_mark {
    FRAGPROG_BY_ZERO, /* one of the arguments is this literal */
    FRAGPROG_BY_ONE,
    FRAGPROG_BY_HALF,
    FRAGPROG_BY_MINUS_ONE,
    FRAGPROG_BY_MINUS_HALF,
    FRAGPROG_BY_DOUBLED,
    FRAGPROG_BY_SAME,       /* two arguments are A and A */
    FRAGPROG_BY_NEGATED,    /* two arguments are A and -A */
    FRAGPROG_BY_COMPLEMENT, /* two arguments are A and 1-A */
    FRAGPROG_BY_BIASED,     /* two arguments are A and 1/2-A */
    FRAGPROG_BY_TWO,        /* only in `shares`: two variables are shared */
    /* + FRAGPROG_INNER_MARKS * (op - FRAGPROG_ADD) + k: an argument has the inner operation op with the k-th
     * of the sets of modifiers that occur in rules */
    FRAGPROG_BY_INNER,
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

/* Tells which of the operations in rules are commutative in their first two arguments. */
#define FRAGPROG_RULE_COMMUTES(op) ((op) == FRAGPROG_ADD || (op) == FRAGPROG_MUL || (op) == FRAGPROG_MAD)

struct fragprog_rule {
    uint8_t mark;
    /* relation of a variable that occurs both inside and outside the inner operation: FRAGPROG_BY_SAME ...,
     * or 0 */
    uint8_t shares;
    uint8_t orders; /* number of orders of the arguments of all commutative operations in the pattern */
    uint8_t pattern[FRAGPROG_RULE_TERMS], replacement[FRAGPROG_RULE_TERMS];
    int8_t scale;
    uint8_t unit_var; /* 1 + the variable that must be in [0,1], or 0 */
    const char *name;
};

/* The rules of an operation begin at fragprog_first_rule[op] and end where pattern[0] is another
 * operation. */
extern const struct fragprog_rule fragprog_rules[];
extern const uint8_t fragprog_first_rule[FRAGPROG_LERP + 1];
/* The set of marks of each operation's rules. */
extern const uint64_t fragprog_rule_marks[FRAGPROG_LERP + 1];
/* Marks of rules whose result is a copy. They apply even if the inner value has other uses. */
extern const uint64_t fragprog_rule_marks_of_copies;

/* Marks of operands that may both match one variable. */
enum {
    FRAGPROG_BY_PAIRS = 1 << FRAGPROG_BY_SAME | 1 << FRAGPROG_BY_NEGATED | 1 << FRAGPROG_BY_COMPLEMENT |
        1 << FRAGPROG_BY_BIASED
};
/* For each operation: the inner operations of its rules (bits as in fragprog_ops_read), and whether its rules
 * have literals. */
extern const uint32_t fragprog_rule_reads[FRAGPROG_LERP + 1];
/* Quick test: returns false if fragprog_marks_of would find no mark. read: the result of
 * fragprog_ops_read. */
static inline bool fragprog_may_have_marks(const struct fragprog_inst *inst, uint32_t read)
{
    if (inst->op > FRAGPROG_LERP)
        return false;
    const uint64_t marks = fragprog_rule_marks[inst->op];
    return read & fragprog_rule_reads[inst->op] ||
        (marks >> FRAGPROG_BY_DOUBLED & 1 && inst->src[0].mods & FRAGPROG_2X) ||
        (marks & FRAGPROG_BY_PAIRS && fragprog_reads_twice(inst));
}

/* Returns the set of the instruction's marks that occur in rules of its operation; if it is empty, no rule
 * matches. each: the marks of each argument alone (its literal, or its inner operation, unless other uses of
 * that value prevent the rewrite). */
uint64_t fragprog_marks_of(const struct fragprog *p, const struct fragprog_ranges *ranges,
                           const struct fragprog_inst *inst, uint64_t each[3]);
/* Returns the relations (bits, as in `shares`) between other arguments of the instruction and the arguments
 * of those inner operations that have one of the given marks. */
unsigned fragprog_shared_marks(const struct fragprog *p, const struct fragprog_inst *inst,
                               const uint64_t each[3], uint64_t marks);

#endif
