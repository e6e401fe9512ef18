/* Alias tables for ir3 (alias.tex; notes/alloc.md). The operands of a texture lookup must be in consecutive
 * registers. Instead of moving them there, a table of at most sixteen entries in front of the lookup maps
 * register names to other registers, constants or immediates. Inside the lookup, a name in the table hides
 * the register of that name; every other name is the register itself. Input and output are plain data;
 * nothing is allocated; all functions are reentrant. */
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
    FRAGPROG_ALIAS_SOURCES = 24, /* sources of all groups together */
    FRAGPROG_ALIAS_ENTRIES = 16,
    FRAGPROG_ALIAS_NAMES = 48 * 4, /* r0.x to r47.w */
    FRAGPROG_ALIAS_FIRST = 40 * 4  /* preferred first register for new names */
};

/* NONE: only moves. PLAIN: one entry for each source, with consecutive groups, as the chip's documentation
 * shows it. BEST: as few entries as possible. A group may be placed so that one of its sources is already in
 * the right register, and groups may share the names of equal sources. */
enum fragprog_alias_how { FRAGPROG_ALIAS_NONE, FRAGPROG_ALIAS_PLAIN, FRAGPROG_ALIAS_BEST };

struct fragprog_alias_request {
    /* the sources of all groups, one group after the other */
    struct fragprog_alias_source source[FRAGPROG_ALIAS_SOURCES];
    uint8_t size[FRAGPROG_ALIAS_GROUPS], ngroups;
    uint8_t how; /* enum fragprog_alias_how */
};

/* One step before the lookup: an entry of the table, or, where the table is full or not used, a move into the
 * register with that name. Steps are sorted by ascending name. */
struct fragprog_alias_entry {
    struct fragprog_alias_source source;
    uint16_t name;
    bool move;
};
struct fragprog_alias_table {
    struct fragprog_alias_entry entry[FRAGPROG_ALIAS_SOURCES];
    uint8_t n;                            /* number of entries and moves */
    uint8_t entries;                      /* number of entries without moves */
    uint16_t base[FRAGPROG_ALIAS_GROUPS]; /* the name of the first source of each group; 0: no group */
};

/* Returns false if there are not enough names, the request has too many groups or sources, or a register is
 * outside of FRAGPROG_ALIAS_NAMES. New names never hide a register that is read. BEST searches completely: no
 * choice of names has fewer entries. (Any register that is not a source may be used as a name.) */
TEXENV_API bool fragprog_alias(struct fragprog_alias_table *table,
                               const struct fragprog_alias_request *request);

#ifdef __cplusplus
}
#endif
#endif
