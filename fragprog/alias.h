/* Alias tables: the operands of a lookup that have to lie in consecutive registers are renamed instead of
 * moved (ir3's alias.tex; notes/alloc.md). At most sixteen entries precede the lookup, each a name and what
 * it stands for: another register, a constant, or a number. A name in the table hides the register of that
 * name; any other name is the register itself. Plain data in and out; no allocation; any number of threads.
 */
#ifndef FRAGPROG_ALIAS_H
#define FRAGPROG_ALIAS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Registers and constants are numbered by component: r1.y is 5. */
enum fragprog_alias_file { FRAGPROG_ALIAS_REGISTER, FRAGPROG_ALIAS_CONSTANT, FRAGPROG_ALIAS_IMMEDIATE };
struct fragprog_alias_source {
    uint32_t value; /* number of the register or constant, bits of the immediate */
    uint8_t file;   /* enum fragprog_alias_file */
};

enum {
    FRAGPROG_ALIAS_GROUPS = 3,
    FRAGPROG_ALIAS_SOURCES = 24, /* of all groups */
    FRAGPROG_ALIAS_ENTRIES = 16,
    FRAGPROG_ALIAS_NAMES = 48 * 4, /* r0.x to r47.w */
    FRAGPROG_ALIAS_FIRST = 40 * 4  /* the first register of names that we choose, or another that is free */
};

/* NONE: moves. PLAIN: an entry for every source, groups after one another, as the document lists them. BEST:
 * the fewest entries: a group may lie where a source of it already is, and groups may share names that stand
 * for the same. */
enum fragprog_alias_how { FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_PLAIN, FRAGPROG_ALIAS_BEST };

struct fragprog_alias_request {
    struct fragprog_alias_source source[FRAGPROG_ALIAS_SOURCES]; /* group after group */
    uint8_t size[FRAGPROG_ALIAS_GROUPS], ngroups;
    uint8_t how; /* enum fragprog_alias_how */
};

/* What has to be done before the lookup, by ascending name: entries of the table, or moves into the register
 * of that name where the table has no room or none is wanted. */
struct fragprog_alias_entry {
    struct fragprog_alias_source source;
    uint16_t name;
    bool move;
};
struct fragprog_alias_table {
    struct fragprog_alias_entry entry[FRAGPROG_ALIAS_SOURCES];
    uint8_t n;                            /* entries and moves */
    uint8_t entries;                      /* of these, not moves */
    uint16_t base[FRAGPROG_ALIAS_GROUPS]; /* the name of each group's first source */
};

/* False if the names do not suffice, the request has more groups or sources than there may be, or a register
 * is none of FRAGPROG_ALIAS_NAMES. A name that is made never hides a register that is read. The search is
 * complete: no choice of names has fewer entries (that a name may be any register that no source is, is
 * assumed). */
TEXENV_API bool fragprog_alias(struct fragprog_alias_table *table,
                               const struct fragprog_alias_request *request);

#ifdef __cplusplus
}
#endif
#endif
