/* Converts the rows of rules.def to tables, at compile time. */
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

/* Macros that inspect the terms of a pattern in constant expressions. FOLD joins each(x, y, t) over all terms
 * t but the first, where x and y are the two preceding terms. */
#define FIRST_(t0, ...) t0
#define FIRST(...) FIRST_(__VA_ARGS__, 0)
#define FOLD_(each, join, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, ...) \
    (each(0, 0, t1) join each(0, t1, t2) join each(t1, t2, t3) join each(t2, t3, t4) join each(t3, t4, t5) \
         join each(t4, t5, t6) join each(t5, t6, t7) join each(t6, t7, t8) join each(t7, t8, t9))
#define FOLD(each, join, ...) FOLD_(each, join, __VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
#define IS_OPERATION(t) ((t) > 0 && (t) < A)
#define IS_LITERAL(t) ((t) >= ZERO && (t) <= HALF)
#define IS_MODIFIER(t) (((t)&FRAGPROG_T_MOD) != 0)
#define MODIFIER(t) (IS_MODIFIER(t) ? (t) & ~FRAGPROG_T_MOD : 0)

#define OPERATION(x, y, t) (IS_OPERATION(t) ? (t) : 0)
#define ITS_MODIFIERS(x, y, t) (IS_OPERATION(t) ? MODIFIER(y) | (IS_MODIFIER(y) ? MODIFIER(x) : 0) : 0)
#define LITERAL(x, y, t) \
    (!IS_LITERAL(t)   ? 0 \
         : (y) != NEG ? 1 + FRAGPROG_BY_ZERO + (t)-ZERO \
         : (t) == ONE ? 1 + FRAGPROG_BY_MINUS_ONE \
                      : 1 + FRAGPROG_BY_MINUS_HALF)
#define IS_VARIABLE(t) ((t) >= A && (t) < ZERO)
#define ON_VARIABLES(x, y, t) (IS_VARIABLE(t) ? MODIFIER(y) | (IS_MODIFIER(y) ? MODIFIER(x) : 0) : 0)
#define COMMUTES(x, y, t) FRAGPROG_RULE_COMMUTES((int)(t))
#define IS_A(x, y, t) ((t) == A)
#define IS_B(x, y, t) ((t) == B)
#define IS_C(x, y, t) ((t) == C)
/* The number of variables that occur more than once. */
#define REPEATS(...) \
    ((FOLD(IS_A, +, __VA_ARGS__) > 1) + (FOLD(IS_B, +, __VA_ARGS__) > 1) + (FOLD(IS_C, +, __VA_ARGS__) > 1))

#define INNER(...) FOLD(OPERATION, |, __VA_ARGS__)
#define INNER_MODIFIERS(...) FRAGPROG_INNER_MARK(FOLD(ITS_MODIFIERS, |, __VA_ARGS__))
#define MARK_OF_INNER(...) \
    (FRAGPROG_BY_INNER + FRAGPROG_INNER_MARKS * (INNER(__VA_ARGS__) - ADD) + INNER_MODIFIERS(__VA_ARGS__))
/* For a variable that occurs twice: the mark of the relation between the modifiers of its two occurrences,
 * without the modifiers of the inner operation. mods: the modifiers of both occurrences. */
#define PAIR_OF(mods) \
    ((mods) == 0                                     ? FRAGPROG_BY_SAME \
         : (mods) == FRAGPROG_NEG                    ? FRAGPROG_BY_NEGATED \
         : (mods) == FRAGPROG_COMP                   ? FRAGPROG_BY_COMPLEMENT \
         : (mods) == (FRAGPROG_BIAS | FRAGPROG_COMP) ? FRAGPROG_BY_BIASED \
                                                     : FRAGPROG_MARKS)
#define PAIR(...) PAIR_OF(FOLD(ON_VARIABLES, |, __VA_ARGS__))
#define MARK(...) \
    (INNER(__VA_ARGS__)                  ? MARK_OF_INNER(__VA_ARGS__) \
         : FOLD(LITERAL, +, __VA_ARGS__) ? FOLD(LITERAL, +, __VA_ARGS__) - 1 \
         : REPEATS(__VA_ARGS__)          ? PAIR(__VA_ARGS__) \
                                         : FRAGPROG_BY_DOUBLED)
#define SHARES(...) \
    (INNER(__VA_ARGS__) == 0 || REPEATS(__VA_ARGS__) == 0 ? 0 \
         : REPEATS(__VA_ARGS__) > 1                       ? FRAGPROG_BY_TWO \
                                                          : PAIR(__VA_ARGS__))
#define ORDERS(...) (1 << (FOLD(COMMUTES, +, __VA_ARGS__) + FRAGPROG_RULE_COMMUTES((int)FIRST(__VA_ARGS__))))

#define CLAMP(name, condition)

const struct fragprog_rule fragprog_rules[] = {
#define ROWS(op)
#define RULE(name, pattern, scale, replacement, condition) \
    {MARK pattern, SHARES pattern, ORDERS pattern, TERMS pattern, TERMS replacement, scale, condition, #name},
#include "fragprog/opt/rules.def"
    {0}};

const uint64_t fragprog_rule_marks[FRAGPROG_LERP + 1] = {0
#define ROWS(op) , [FRAGPROG_##op] = 0
#define RULE(name, pattern, scale, replacement, condition) | UINT64_C(1) << (MARK pattern)
#include "fragprog/opt/rules.def"
};

const uint32_t fragprog_rule_reads[FRAGPROG_LERP + 1] = {0
#define ROWS(op) , [FRAGPROG_##op] = 0
#define RULE(name, pattern, scale, replacement, condition) \
    | (INNER pattern ? UINT32_C(1) << (INNER pattern & 31) : 0) | \
        (MARK pattern < FRAGPROG_BY_DOUBLED ? FRAGPROG_READS_LITERAL : 0)
#include "fragprog/opt/rules.def"
};

const uint64_t fragprog_rule_marks_of_copies = 0
#define ROWS(op)
#define RULE(name, pattern, scale, replacement, condition) \
    | (uint64_t)(INNER pattern && FIRST replacement == MOV) << (MARK pattern)
#include "fragprog/opt/rules.def"
    ;

/* ROW_...: numbers of the rows; FIRST_...: number of the first row of an operation. */
enum {
#define ROWS(op) FIRST_##op, BEFORE_##op = FIRST_##op - 1,
#define RULE(name, pattern, scale, replacement, condition) ROW_##name,
#include "fragprog/opt/rules.def"
};

const uint8_t fragprog_first_rule[FRAGPROG_LERP + 1] = {
#define ROWS(op) [FRAGPROG_##op] = FIRST_##op,
#define RULE(name, pattern, scale, replacement, condition)
#include "fragprog/opt/rules.def"
};

#define ROWS(op)
#define RULE(name, pattern, scale, replacement, condition) \
    _Static_assert(INNER_MODIFIERS pattern < FRAGPROG_INNER_MARKS && MARK pattern < FRAGPROG_MARKS && \
                       SHARES pattern < FRAGPROG_BY_INNER, \
                   #name ": no mark for these modifiers");
#include "fragprog/opt/rules.def"
