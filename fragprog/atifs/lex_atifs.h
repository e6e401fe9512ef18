/* Scanner of the machine-readable comments in !!ATIfs1.0 texts (private to the reader). */
#ifndef FRAGPROG_LEX_ATIFS_H
#define FRAGPROG_LEX_ATIFS_H

#include "fragprog/atifs.h"
#include "fragprog/lex.h"
#include "fragprog/names.h"

struct fragprog_atifs_lex {
    struct fragprog_lex lex; /* must be the first member */
    struct {
        bool seen;
        int texture, coord, target;
        struct texenv_place place;
        /* "# bind"; coord -1 and target 0 mean that the comment does not specify them */
    } bind[FRAGPROG_REGISTERS];
    struct {
        bool seen;
        int unit;
        struct texenv_place place;
    } konst[FRAGPROG_ATI_CONSTANTS]; /* "# const" */
    bool color_sum;
};

/* The callback fragprog_lex.comment for a struct fragprog_atifs_lex. */
void fragprog_atifs_comment(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place);

#endif
