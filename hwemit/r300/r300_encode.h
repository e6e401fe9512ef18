/* Helpers shared by the encoders of r300 and r400 (r300_encode.c) and of r500 (r500_encode.c). */
#ifndef HWEMIT_R300_ENCODE_H
#define HWEMIT_R300_ENCODE_H

#include "hwemit/r300/r300_program.h"

/* Appends the list of textures, the statistics, and the word that enables texture units. */
void hwemit_r300_lists(struct hwemit_code *code, const struct program *p);
/* Adds what colour or coordinate n, which arrives in a temporary, needs in the words RS_IP and RS_INST. */
typedef void hwemit_r300_route(uint32_t *ip, uint32_t *inst, bool color, unsigned n, unsigned temp);
/* Appends the list of inputs, and the words that route them: RS_IP and RS_INST, which are at these addresses
 * and filled by `route`, and their numbers. */
void hwemit_r300_routing(struct hwemit_code *code, const struct program *p, hwemit_r300_route *route,
                         uint32_t ip_address, uint32_t inst_address);
/* Appends the words that say whether the program writes the depth. */
void hwemit_r300_depth(struct hwemit_code *code, const struct program *p);
/* Where constants are uploaded to: channel c of slot n to address + step * (4 * n + c). word: its word. */
struct constant_file {
    uint32_t address, step;
    uint32_t (*word)(const float value[4], unsigned channel);
};
/* Writes the constants that the program itself defines (`immediate` true), or those that GL state sets
 * (false). */
void hwemit_r300_constants(struct hwemit_code *code, const struct program *p, bool immediate,
                           const struct constant_file *file);
/* Returns whether GL state sets any channel of the constant. */
bool hwemit_r300_external(const struct constant *k);
unsigned hwemit_r300_omod(int omod); /* the hardware code of 2^omod */
unsigned hwemit_r300_alpha_op(const struct half *h);

#endif
