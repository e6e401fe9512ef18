/* Converts words to packets. The default is type-0 packets of a Radeon: a header and the values of
 * consecutive registers, or, with bit 15 set, of one register. */
#include "hwemit/hwemit.h"

enum { MAX_RUN = 1 << 14 };

/* Returns whether words i and i + 1 write one register. */
static bool again(const struct hwemit_word *word, uint32_t i, uint32_t n)
{
    return i + 1 < n && word[i + 1].address == word[i].address;
}

uint32_t hwemit_packets(uint32_t *dword, uint32_t room, const struct hwemit_target *target,
                        const struct hwemit_word *word, uint32_t n)
{
    uint32_t out = 0;
    if (target->no_packets)
        return 0;
    if (target->pack)
        return target->pack(dword, room, word, n);
    for (uint32_t i = 0, run; i < n; i += run) { /* run: number of words that form one packet */
        const uint32_t first = word[i].address, one = again(word, i, n), step = one ? 0 : 4;
        const bool stream = first == HWEMIT_STREAM;
        run = 1;
        while (!stream && i + run < n && run < MAX_RUN && word[i + run].address == first + run * step &&
               (one || !again(word, i + run, n)))
            run++;
        for (uint32_t k = stream; k <= run; k++, out++)
            if (out < room)
                dword[out] = k ? word[i + k - 1].value : (run - 1) << 16 | one << 15 | first >> 2;
    }
    return out;
}
