/* Converts words to packets. The default is type-0 packets of a Radeon: a header and the values of
 * consecutive registers, or, with bit 15 set, of one register. */
#include "hwemit/hwemit.h"

enum { MAX_RUN = 1 << 14 };

static uint32_t put(uint32_t *dword, uint32_t room, uint32_t n, uint32_t value)
{
    if (n < room)
        dword[n] = value;
    return n + 1;
}

/* Returns the number of words from word i on that form one packet. Sets *one to whether all write one
 * register. */
static uint32_t run_of(const struct hwemit_word *word, uint32_t i, uint32_t n, bool *one)
{
    uint32_t k = 1;
    *one = i + 1 < n && word[i + 1].address == word[i].address;
    while (i + k < n && k < MAX_RUN) {
        bool again = i + k + 1 < n && word[i + k + 1].address == word[i + k].address;
        if (*one ? word[i + k].address != word[i].address
                 : (word[i + k].address != word[i].address + 4 * k || again))
            break;
        k++;
    }
    return k;
}

uint32_t hwemit_packets(uint32_t *dword, uint32_t room, const struct hwemit_target *target,
                        const struct hwemit_word *word, uint32_t n)
{
    uint32_t out = 0;
    if (target->no_packets)
        return 0;
    if (target->pack)
        return target->pack(dword, room, word, n);
    for (uint32_t i = 0; i < n;) {
        if (word[i].address == HWEMIT_STREAM) {
            out = put(dword, room, out, word[i++].value);
            continue;
        }
        bool one;
        uint32_t run = run_of(word, i, n, &one);
        out = put(dword, room, out, (run - 1) << 16 | (one ? UINT32_C(1) << 15 : 0) | word[i].address >> 2);
        while (run--)
            out = put(dword, room, out, word[i++].value);
    }
    return out;
}
