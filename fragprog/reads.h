/* Register assignment for stages that are given as lists of reads, without separating colour and alpha, as in
 * the hand-written examples of `texenvc registers` (notes/pipeline.md). */
#ifndef FRAGPROG_READS_H
#define FRAGPROG_READS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FRAGPROG_READ_PREVIOUS = 0x40, FRAGPROG_READ_OTHER = 0x50 /* + index of F, C, 0, 1 */ };
struct fragprog_reads {
    uint8_t nstages;
    struct {
        uint8_t n;
        uint8_t read[8];
    } stage[TEXENV_UNITS]; /* T0..T7 are 0..7 */
};
struct fragprog_reads_assignment {
    uint8_t first;                    /* earlier stages are dead (pass 1) */
    uint8_t texture_reg[8];           /* register of each texture (pass 2.1), 0xff if not read */
    uint8_t result_reg[TEXENV_UNITS]; /* register of each stage's result (pass 2.2), 0xff for dead stages */
    uint8_t blocked;                  /* the stage for whose result no register was free, or 0xff */
};
/* Removes dead stages (pass 1), then assigns the given number of registers (1..8) to textures (2.1) and
 * results (2.2). Returns false if they do not suffice for the textures or for a result (a->blocked). */
TEXENV_API bool fragprog_assign_reads(struct fragprog_reads_assignment *a, const struct fragprog_reads *reads,
                                      unsigned registers);

#ifdef __cplusplus
}
#endif
#endif
