/* The rewrite rules as data. Internal to fragprog. */
#ifndef FRAGPROG_RULES_H
#define FRAGPROG_RULES_H

#include "fragprog/fragprog.h"

/* Tokens of a term in prefix form; the numbers of operations are those of fragprog_op. */
enum fragprog_term {
    FRAGPROG_T_VAR = 0x40, /* + 0..3: A..D */
    FRAGPROG_T_ZERO = 0x50,
    FRAGPROG_T_ONE,
    FRAGPROG_T_HALF,
    FRAGPROG_T_MOD = 0x80 /* | FRAGPROG_COMP, _BIAS, _2X or _NEG: one modifier */
};

enum { FRAGPROG_RULE_TERMS = 10 };

/* What a row asks of an instruction, to pass over most rows without a closer look: 1 << op for every
 * operation inside the pattern, and where there is none of those literals and sources that occur twice.
 */
enum {
    FRAGPROG_NEEDS_MODIFIED = 1 << 15, /* some modifier, here or in what is read; a literal stands for any */
    FRAGPROG_NEEDS_LITERAL = 1 << 16,
    FRAGPROG_NEEDS_TWICE = 1 << 17, /* a source in two arguments */
    FRAGPROG_NEEDS_SHARED = 1 << 18 /* a source, or a literal, here and in what is read */
};

/* Of the operations that stand in rows, those whose first two arguments may change places. */
#define FRAGPROG_RULE_COMMUTES(op) ((op) == FRAGPROG_ADD || (op) == FRAGPROG_MUL || (op) == FRAGPROG_MAD)

struct fragprog_rule {
    uint32_t needs;
    uint8_t orders;            /* in which the arguments of its commutative operations can stand */
    uint8_t inner, inner_mods; /* the operation inside and the modifiers before it; 0: there is none */
    const char *name;
    uint8_t pattern[FRAGPROG_RULE_TERMS], replacement[FRAGPROG_RULE_TERMS];
    int8_t scale;
    uint8_t unit_var; /* variable that has to be in [0,1], + 1; 0: none */
};

extern const struct fragprog_rule fragprog_rules[];
/* Rows of an operation: from fragprog_first_rule[op] on, below that of the next. */
extern const uint8_t fragprog_first_rule[FRAGPROG_DOT2ADD + 2];
/* All that rows need besides their own operation: what has nothing of it matches none. */
extern const uint32_t fragprog_rules_need;

#endif
