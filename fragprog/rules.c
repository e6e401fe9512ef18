/* The rows of rules.def as tables. */
#include "fragprog/rules.h"

enum {
    MOV = FRAGPROG_MOV, ADD = FRAGPROG_ADD, SUB = FRAGPROG_SUB, MUL = FRAGPROG_MUL, MAD = FRAGPROG_MAD, LERP = FRAGPROG_LERP,
    A = FRAGPROG_T_VAR, B, C, D,
    ZERO = FRAGPROG_T_ZERO, ONE = FRAGPROG_T_ONE, HALF = FRAGPROG_T_HALF,
    COMP = FRAGPROG_T_MOD | FRAGPROG_COMP, BIAS = FRAGPROG_T_MOD | FRAGPROG_BIAS, X2 = FRAGPROG_T_MOD | FRAGPROG_2X, NEG = FRAGPROG_T_MOD | FRAGPROG_NEG
};

#define TERMS(...) {__VA_ARGS__}
#define ALWAYS 0
#define UNIT(var) (var - A + 1)

const struct fragprog_rule fragprog_rules[] = {
#define RULE(name, pattern, scale, replacement, condition) {#name, TERMS pattern, TERMS replacement, scale, condition},
#define CLAMP(name, condition)
#include "fragprog/rules.def"
#undef CLAMP
#undef RULE
};

const unsigned fragprog_nrules = sizeof fragprog_rules / sizeof *fragprog_rules;
