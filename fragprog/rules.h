/* The rewrite rules as data. Internal to fragprog. */
#ifndef FRAGPROG_RULES_H
#define FRAGPROG_RULES_H

#include "fragprog/fragprog.h"

/* Tokens of a term in prefix form; the numbers of operations are those of fragprog_op. */
enum fragprog_term {
    FRAGPROG_T_VAR = 0x40,                /* + 0..3: A..D */
    FRAGPROG_T_ZERO = 0x50, FRAGPROG_T_ONE, FRAGPROG_T_HALF,
    FRAGPROG_T_MOD = 0x80                 /* | FRAGPROG_COMP, _BIAS, _2X or _NEG: one modifier */
};

enum { FRAGPROG_RULE_TERMS = 10 };

struct fragprog_rule {
    const char *name;
    uint8_t pattern[FRAGPROG_RULE_TERMS], replacement[FRAGPROG_RULE_TERMS];
    int8_t scale;
    uint8_t unit_var; /* variable that has to be in [0,1], + 1; 0: none */
};

extern const struct fragprog_rule fragprog_rules[];
extern const unsigned fragprog_nrules;

#endif
