/* The rows of rules.def as tables. */
#include "fragprog/opt/rule_table.h"

enum {
    MOV = FRAGPROG_MOV,
    ADD = FRAGPROG_ADD,
    SUB = FRAGPROG_SUB,
    MUL = FRAGPROG_MUL,
    MAD = FRAGPROG_MAD,
    LERP = FRAGPROG_LERP,
    A = FRAGPROG_T_VAR,
    B,
    C,
    D,
    ZERO = FRAGPROG_T_ZERO,
    ONE = FRAGPROG_T_ONE,
    HALF = FRAGPROG_T_HALF,
    COMP = FRAGPROG_T_MOD | FRAGPROG_COMP,
    BIAS = FRAGPROG_T_MOD | FRAGPROG_BIAS,
    X2 = FRAGPROG_T_MOD | FRAGPROG_2X,
    NEG = FRAGPROG_T_MOD | FRAGPROG_NEG
};

#define TERMS(...) \
    { \
        __VA_ARGS__ \
    }
#define ALWAYS 0
#define UNIT(var) (var - A + 1)

/* What the terms of a pattern say, as constant expressions: X(what) for the terms behind the first, joined.
 */
#define FIRST(t0, ...) t0
#define FOLD_(each, join, v, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ...) \
    (each(t1, v) join each(t2, v) join each(t3, v) join each(t4, v) join each(t5, v) join each(t6, v) \
         join each(t7, v) join each(t8, v) join each(t9, v))
#define FOLD(each, join, v, ...) FOLD_(each, join, v, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
/* Of the operation inside, the modifiers before it: one or two terms. */
#define FOLD3_(each, t0, t1, t2, t3, t4, t5, t6, t7, ...) \
    (each(0, t0, t1) | each(t0, t1, t2) | each(t1, t2, t3) | each(t2, t3, t4) | each(t3, t4, t5) | \
     each(t4, t5, t6) | each(t5, t6, t7))
#define FOLD3(each, ...) FOLD3_(each, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define OPERATION(x, y, t) ((t) > 0 && (t) < A ? (t) : 0)
#define MODIFIER(t) ((t)&FRAGPROG_T_MOD ? (t) & ~FRAGPROG_T_MOD : 0)
#define MODIFIERS(x, y, t) ((t) > 0 && (t) < A ? MODIFIER(y) | (MODIFIER(y) ? MODIFIER(x) : 0) : 0)
#define INNER(t, v) ((t) > 0 && (t) < A ? 1u << ((t)&31) : 0u)
#define LITERAL(t, v) ((t) >= ZERO && (t) <= HALF)
#define IS(t, v) ((t) == (v))
#define COMMUTES(t, v) FRAGPROG_RULE_COMMUTES((int)(t))
#define TWICE(v, ...) (FOLD(IS, +, v, __VA_ARGS__) > 1)
#define MODIFIES(t, v) (((t)&FRAGPROG_T_MOD) != 0)
#define NEEDS(...) \
    (NEEDS_INSIDE(__VA_ARGS__) | (FOLD(MODIFIES, +, 0, __VA_ARGS__) ? FRAGPROG_NEEDS_MODIFIED : 0u))
#define NEEDS_INSIDE(...) \
    (FOLD(INNER, |, 0, __VA_ARGS__) \
         ? FOLD(INNER, |, 0, __VA_ARGS__) | (REPEATS(__VA_ARGS__) ? FRAGPROG_NEEDS_SHARED : 0u) \
         : (FOLD(LITERAL, +, 0, __VA_ARGS__) ? FRAGPROG_NEEDS_LITERAL : 0u) | \
             (REPEATS(__VA_ARGS__) ? FRAGPROG_NEEDS_TWICE : 0u))
#define REPEATS(...) (TWICE(A, __VA_ARGS__) || TWICE(B, __VA_ARGS__) || TWICE(C, __VA_ARGS__))
#define INSIDE(...) FOLD3(OPERATION, __VA_ARGS__)
#define MODIFIERS_INSIDE(...) FOLD3(MODIFIERS, __VA_ARGS__)
#define ORDERS(...) (1 << (FOLD(COMMUTES, +, 0, __VA_ARGS__) + COMMUTES(FIRST(__VA_ARGS__, 0), 0)))

const struct fragprog_rule fragprog_rules[] = {
#define RULE(name, pattern, scale, replacement, condition) \
    {NEEDS pattern,     ORDERS pattern, INSIDE pattern, MODIFIERS_INSIDE pattern, #name, TERMS pattern, \
     TERMS replacement, scale,          condition},
#define CLAMP(name, condition)
#include "fragprog/opt/rules.def"
#undef CLAMP
#undef RULE
};

const uint32_t fragprog_rules_need = 0
#define RULE(name, pattern, scale, replacement, condition) | NEEDS pattern
#define CLAMP(name, condition)
#include "fragprog/opt/rules.def"
#undef CLAMP
#undef RULE
    ;

/* How many rows there are of operations before this one. */
#define CLAMP(name, condition)
enum {
    FIRST_ADD = 0
#define RULE(name, pattern, scale, replacement, condition) +((int)(FIRST pattern) < (int)FRAGPROG_ADD)
#include "fragprog/opt/rules.def"
#undef RULE
    ,
    FIRST_MUL = 0
#define RULE(name, pattern, scale, replacement, condition) +((int)(FIRST pattern) < (int)FRAGPROG_MUL)
#include "fragprog/opt/rules.def"
#undef RULE
    ,
    FIRST_SUB = 0
#define RULE(name, pattern, scale, replacement, condition) +((int)(FIRST pattern) < (int)FRAGPROG_SUB)
#include "fragprog/opt/rules.def"
#undef RULE
    ,
    FIRST_MAD = 0
#define RULE(name, pattern, scale, replacement, condition) +((int)(FIRST pattern) < (int)FRAGPROG_MAD)
#include "fragprog/opt/rules.def"
#undef RULE
    ,
    FIRST_LERP = 0
#define RULE(name, pattern, scale, replacement, condition) +((int)(FIRST pattern) < (int)FRAGPROG_LERP)
#include "fragprog/opt/rules.def"
#undef RULE
    ,
    END = sizeof fragprog_rules / sizeof *fragprog_rules
};
#undef CLAMP
const uint8_t fragprog_first_rule[FRAGPROG_DOT2ADD + 2] = {
    [FRAGPROG_ADD] = FIRST_ADD,   [FRAGPROG_MUL] = FIRST_MUL,  [FRAGPROG_SUB] = FIRST_SUB,
    [FRAGPROG_DOT3] = FIRST_MAD,  [FRAGPROG_DOT4] = FIRST_MAD, [FRAGPROG_MAD] = FIRST_MAD,
    [FRAGPROG_LERP] = FIRST_LERP, [FRAGPROG_CND] = END,        [FRAGPROG_CND0] = END,
    [FRAGPROG_DOT2ADD] = END,     [FRAGPROG_DOT2ADD + 1] = END};
_Static_assert(FRAGPROG_MOV < FRAGPROG_ADD && FRAGPROG_ADD < FRAGPROG_MUL && FRAGPROG_MUL < FRAGPROG_SUB &&
                   FRAGPROG_SUB < FRAGPROG_MAD && FRAGPROG_MAD < FRAGPROG_LERP,
               "rows stand in the order of operations");
