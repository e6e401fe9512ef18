#include "fragprog/alloc/bits.h"
#include "fragprog/alloc/classes.h"
#include "fragprog/ir.h"

#include <string.h>

/* Sets of masks, one bit for each mask: the masks that contain lane n, and the masks of n lanes. */
static const uint16_t has_lane[4] = {0xaaaa, 0xcccc, 0xf0f0, 0xff00};
static const uint16_t with_lanes[5] = {0, 0x0116, 0x1668, 0x6880, 0x8000};

static unsigned members(unsigned masks)
{
    masks -= masks >> 1 & 0x5555;
    masks = (masks & 0x3333) + (masks >> 2 & 0x3333);
    masks = (masks + (masks >> 4)) & 0x0f0f;
    return (masks + (masks >> 8)) & 31;
}

/* Returns the mask with the fewest lanes among the masks of the set that contain all of `lanes` (the lowest
 * number of several such masks); 0 if there is none. */
static unsigned smallest(unsigned masks, unsigned lanes)
{
    if (masks >> lanes & 1)
        return lanes;
    for (unsigned c = 0; c < 4; c++)
        if (lanes >> c & 1)
            masks &= has_lane[c];
    for (unsigned n = 1; n <= 4; n++)
        for (unsigned m = 1, of = masks & with_lanes[n]; of; m++)
            if (of >> m & 1)
                return m;
    return 0;
}

static void fill(struct fragprog_classes *to, unsigned a)
{
    const unsigned masks = to->class_[a].masks & 0xfffeu;
    uint8_t conflicts[16]; /* number of masks of class a that mask m conflicts with */
    for (unsigned m = 1; m < 16; m++) {
        unsigned met = 0;
        for (unsigned c = 0; c < 4; c++)
            if (m >> c & 1)
                met |= masks & has_lane[c];
        conflicts[m] = (uint8_t)members(met);
    }
    to->nmasks[a] = (uint8_t)members(masks);
    for (unsigned b = 0; b < to->n; b++) {
        to->q[a][b] = 0;
        for (unsigned m = 1; m < 16; m++)
            if (to->class_[b].masks >> m & 1 && conflicts[m] > to->q[a][b])
                to->q[a][b] = conflicts[m];
    }
    for (unsigned lanes = 0; lanes < 16; lanes++)
        to->cover[a][lanes] = (uint8_t)smallest(masks, lanes);
}

void fragprog_classes_build(struct fragprog_classes *to, const struct fragprog_class *classes, unsigned n)
{
    if (to->builds && to->n == n && memcmp(to->class_, classes, n * sizeof *classes) == 0)
        return;
    to->n = n;
    to->builds++;
    memcpy(to->class_, classes, n * sizeof *classes);
    for (unsigned a = 0; a < n; a++)
        fill(to, a);
}

void fragprog_classes_vec4(struct fragprog_class to[4], unsigned first, unsigned end)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (struct fragprog_class){.first = (uint16_t)first, .end = (uint16_t)end};
        for (unsigned m = 1; m < 16; m++)
            if (fragprog_lanes_of(m) == i + 1)
                to[i].masks |= (uint16_t)(1u << m);
    }
}

#define ANY_REGISTER 0, 0xffff
const struct fragprog_classes fragprog_classes_lanes = {
    .n = FRAGPROG_CLASSES_LANES,
    .class_ = {{0x0116, ANY_REGISTER},
               {0x1668, ANY_REGISTER},
               {0x6880, ANY_REGISTER},
               {0x8000, ANY_REGISTER},
               {1u << FRAGPROG_MASK_X | 1u << FRAGPROG_MASK_Y | 1u << FRAGPROG_MASK_Z, ANY_REGISTER},
               {1u << FRAGPROG_MASK_X, ANY_REGISTER},
               {1u << FRAGPROG_MASK_Y, ANY_REGISTER},
               {1u << FRAGPROG_MASK_Z, ANY_REGISTER},
               {1u << FRAGPROG_MASK_W, ANY_REGISTER}},
    .nmasks = {4, 6, 4, 1, 3, 1, 1, 1, 1},
    .q = {{1, 2, 3, 4, 1, 1, 1, 1, 1},
          {3, 5, 6, 6, 3, 3, 3, 3, 3},
          {3, 4, 4, 4, 3, 3, 3, 3, 3},
          {1, 1, 1, 1, 1, 1, 1, 1, 1},
          {1, 2, 3, 3, 1, 1, 1, 1, 0},
          {1, 1, 1, 1, 1, 1, 0, 0, 0},
          {1, 1, 1, 1, 1, 0, 1, 0, 0},
          {1, 1, 1, 1, 1, 0, 0, 1, 0},
          {1, 1, 1, 1, 0, 0, 0, 0, 1}},
    .cover = {{1, 1, 2, 0, 4, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0},
              {3, 3, 3, 3, 5, 5, 6, 0, 9, 9, 10, 0, 12, 0, 0, 0},
              {7, 7, 7, 7, 7, 7, 7, 7, 11, 11, 11, 11, 13, 13, 14, 0},
              {15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15},
              {1, 1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              {2, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              {4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
              {8, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}},
    .builds = 1};
