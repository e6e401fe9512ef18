/* What the machine-readable comments of !!ATIfs1.0 texts say (private to the reader). */
#ifndef FRAGPROG_LEX_ATIFS_H
#define FRAGPROG_LEX_ATIFS_H

#include "fragprog/atifs.h"
#include "fragprog/lex.h"
#include "fragprog/names.h"

struct fragprog_atifs_lex {
    struct fragprog_lex lex; /* the first member */
    struct {
        bool seen;
        int texture, coord, target;
        struct texenv_place place;
    } bind[FRAGPROG_REGISTERS]; /* "# bind"; coord -1, target 0: not said */
    struct {
        bool seen;
        int unit;
        struct texenv_place place;
    } konst[FRAGPROG_ATI_CONSTANTS]; /* "# const" */
    bool color_sum;
};

/* fragprog_lex.comment, of the one in a struct fragprog_atifs_lex. */
void fragprog_atifs_comment(struct fragprog_lex *lex, const char *s, size_t n, struct texenv_place place);

#endif
