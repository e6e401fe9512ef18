/* Reads constant layout problems from standard input and prints the layout that fragprog_constants_compact
 * gives; alloc_constants.py writes the problems and checks the answers.
 *
 * A problem is a sequence of numbers: TARGET LAYOUT MIX LIMIT WORK NSLOTS NREADS; a slot is EXTERNAL RELATIVE
 * and 4 values, a read is SLOT CHANNELS, 4 lanes, KEEP_SIGN. The answer is a line: FITS SLOTS LOWER_BOUND
 * LANES SCALARISED PROVED, then KIND SLOT LANE VALUE for each of the 4 lanes of a slot, then SLOT LANE for
 * each of the 4 lanes of a read and its NEGATE SCALARISED, then a reason. */
#include "fragprog/constants.h"
#include "fragprog/fragprog.h"
#include "fragprog/ir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X = FRAGPROG_X, Y, Z, W, O, I, H };
static const uint8_t r300[][3] = {{X, Y, Z}, {X, X, X}, {Y, Y, Y}, {Z, Z, Z}, {W, W, W}, {Y, Z, X},
                                  {Z, X, Y}, {W, Z, Y}, {O, O, O}, {I, I, I}, {H, H, H}};
static const struct fragprog_constants_target targets[] = {
    {.inlined = 7, .negate = 1},
    {.native = r300, .nnative = 11, .inlined = 7, .negate = 1},
    {.negate = 0},
    {.inlined = 3, .negate = 1}};

static long number(void)
{
    long n;
    if (scanf("%ld", &n) != 1)
        exit(2);
    return n;
}

static void *room(size_t n, size_t size)
{
    void *p = calloc(n + 1, size);
    if (!p)
        exit(2);
    return p;
}

static void read_request(struct fragprog_constants_slot *slot, uint32_t nslots,
                         struct fragprog_constants_read *read, uint32_t nreads)
{
    for (uint32_t i = 0; i < nslots; i++) {
        slot[i].external = (uint8_t)number();
        slot[i].relative = (uint8_t)number();
        for (unsigned c = 0; c < 4; c++)
            if (scanf("%f", &slot[i].value[c]) != 1)
                exit(2);
    }
    for (uint32_t i = 0; i < nreads; i++) {
        read[i].slot = (uint16_t)number();
        read[i].channels = (uint8_t)number();
        for (unsigned c = 0; c < 4; c++)
            read[i].lane[c] = (uint8_t)number();
        read[i].keep_sign = (uint8_t)number();
    }
}

static void print(const struct fragprog_constants *c, uint32_t nreads, bool fits, const char *why)
{
    printf("%d %u %u %u %u %d\n", fits, c->nslots, c->lower_bound, c->lanes, c->scalarised, c->proved);
    for (uint32_t i = 0; i < c->nslots; i++)
        for (unsigned lane = 0; lane < 4; lane++)
            printf("%d %d %d %.9g%s", c->slot[i][lane].kind, c->slot[i][lane].slot, c->slot[i][lane].lane,
                   (double)c->slot[i][lane].value, lane < 3 ? "  " : "\n");
    for (uint32_t i = 0; i < nreads; i++) {
        for (unsigned n = 0; n < 4; n++)
            printf("%d %d  ", c->use[i].slot[n], c->use[i].lane[n]);
        printf("%d %d\n", c->use[i].negate, c->use[i].scalarised);
    }
    printf("%s\n", fits ? "" : why);
}

int main(void)
{
    int target;
    while (scanf("%d", &target) == 1) {
        struct fragprog_constants_request q = {.target = &targets[target]};
        struct fragprog_constants out = {.nslots = 0};
        struct fragprog_reason why;
        q.layout = (uint8_t)number();
        q.mix = (uint8_t)number();
        q.limit = (uint32_t)number();
        q.work = (uint32_t)number();
        q.nslots = (uint32_t)number();
        q.nreads = (uint32_t)number();
        struct fragprog_constants_slot *slot = room(q.nslots, sizeof *slot);
        struct fragprog_constants_read *read = room(q.nreads, sizeof *read);
        read_request(slot, q.nslots, read, q.nreads);
        q.slot = slot;
        q.read = read;
        out.slot = room(q.nslots + q.nreads + 1, sizeof *out.slot);
        out.use = room(q.nreads, sizeof *out.use);
        void *scratch = malloc(fragprog_constants_scratch(
            q.nslots, q.nreads)); /* of the exact size, so that a sanitizer finds writes outside */
        bool fits = fragprog_constants_compact(&out, &q, scratch, &why);
        print(&out, q.nreads, fits, why.text);
        free(scratch);
        free(out.use);
        free(out.slot);
        free(read);
        free(slot);
    }
    return 0;
}
