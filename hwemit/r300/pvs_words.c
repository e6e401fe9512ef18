/* Finds the register row that a word belongs to: by its address, or, for code and constants of the vertex
 * engine (which are all written to DATA), by its distance from the preceding write to INDEX. */
#include "hwemit/r300/r300_target.h"
#include "hwemit/words.h"

enum { INDEX = 0x2200, DATA = 0x2208, FIRST_CONSTANT = 512 };

const struct hwemit_register *hwemit_r300_classify(const struct hwemit_register *registers,
                                                   const struct hwemit_word *word, uint32_t i)
{
    enum { DST, SRC, MATH, PARAM }; /* the rows of DATA, in the order of pvs_registers.def */
    const struct hwemit_register *row = hwemit_find_register(registers, &word[i]);
    uint32_t place = 0;
    if (word[i].address != DATA)
        return row;
    while (place < i && word[i - place - 1].address == DATA)
        place++;
    if (place == i || word[i - place - 1].address != INDEX)
        return NULL; /* data without an index */
    if (word[i - place - 1].value >= FIRST_CONSTANT)
        return row + PARAM;
    if (place % 4 == 3 && word[i - 3].value >> 28 & 1)
        return row + MATH;
    return row + (place % 4 ? SRC : DST);
}
