/* Registers of stages as lists of reads, colour and alpha not separated, by hand-written examples
 * (`texenvc registers`; notes/pipeline.md)
 */
#ifndef FRAGPROG_READS_H
#define FRAGPROG_READS_H

#include "texenv/texenv.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FRAGPROG_READ_PREVIOUS = 0x40, FRAGPROG_READ_OTHER = 0x50 /* + index: F, C, 0, 1 */ };
struct fragprog_reads {
    uint8_t nstages;
    struct {
        uint8_t n;
        uint8_t read[8];
    } stage[TEXENV_UNITS]; /* T0..T7: 0..7 */
};
struct fragprog_reads_assignment {
    uint8_t first;                    /* stages before this one are dead (pass 1) */
    uint8_t texture_reg[8];           /* pass 2.1; 0xff: not read */
    uint8_t result_reg[TEXENV_UNITS]; /* pass 2.2: where each live stage's result lies; 0xff for dead ones */
    uint8_t blocked;                  /* 0xff, or the stage whose result finds no available register */
};
/* Dead stages (pass 1), then registers of textures (2.1) and of results (2.2), of the given number of them
 * (1..8). False: textures or a result (->blocked) find none. */
TEXENV_API bool fragprog_assign_reads(struct fragprog_reads_assignment *a, const struct fragprog_reads *reads,
                                      unsigned registers);

#ifdef __cplusplus
}
#endif
#endif
