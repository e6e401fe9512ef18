/* Which polynomials one stage makes of what stages read: all of them, entered in a filter by what they are where the atoms are integers. Whoever asks for the last but
 * one stage has to find its unknown here, and needs no algebra for what is not. */
#include "hwemit/i830/cover.h"

#include <string.h>

enum { ARGS = 2 * 32 };

struct numbers { double at[I830_WHOLE]; };

/* Where in the filter; false for what is no multiple of 1/2, which no stage makes of integers. */
static bool place(const struct numbers *v, unsigned *word, uint64_t *bit)
{
    uint64_t h = 0;
    for (unsigned i = 0; i < I830_WHOLE; i++) {
        const double twice = 2 * v->at[i];
        if (!(twice > -1e15 && twice < 1e15) || twice != (double)(int64_t)twice)
            return false;
        h = (h ^ (uint64_t)(int64_t)twice) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    *word = (unsigned)(h >> 6) % I830_ONE_STAGE;
    *bit = UINT64_C(1) << (h & 63);
    return true;
}

/* With each scale, and inverted: an argument is what a register holds, or that inverted. */
static void enter(struct i830_cover *c, double at0, double at1)
{
    unsigned word;
    uint64_t bit;
    for (unsigned scale = 1; scale <= 4; scale *= 2) {
        const struct numbers v = {{at0 * scale, at1 * scale}}, inverted = {{1 - v.at[0], 1 - v.at[1]}};
        if (place(&v, &word, &bit))
            c->one[word] |= bit;
        if (place(&inverted, &word, &bit))
            c->one[word] |= bit;
    }
}

/* a0 blends a1 and a2; a0 inverted exchanges them. */
static void blend(struct i830_cover *c, const double *a0, const double *a1, const double *a2)
{
    enter(c, a0[0] * a1[0] + (1 - a0[0]) * a2[0], a0[1] * a1[1] + (1 - a0[1]) * a2[1]);
}

static void add_product(struct i830_cover *c, const double *a0, const double *a1, const double *a2)
{
    for (unsigned times = 1; times <= 4; times *= 2)
        enter(c, times * a1[0] * a2[0] + a0[0], times * a1[1] * a2[1] + a0[1]);
}

static void of_two(struct i830_cover *c, const struct numbers *x, const struct numbers *y)
{
    const double *const a = x->at, *const b = y->at;
    enter(c, a[0] * b[0], a[1] * b[1]);
    enter(c, a[0] + b[0], a[1] + b[1]);
    enter(c, a[0] + b[0] - 0.5, a[1] + b[1] - 0.5);
    enter(c, a[0] - b[0], a[1] - b[1]);
}

static void fill(struct i830_cover *c)
{
    struct numbers arg[ARGS];
    unsigned n = 0;
    memset(c->one, 0, sizeof c->one);
    c->one_known = c->mad ? 2 : 1;
    arg[n++] = (struct numbers){{0, 0}};
    arg[n++] = (struct numbers){{1, 1}};
    for (unsigned i = 1; i < c->natoms; i++) {
        bool read = false;
        for (unsigned r = 0; r < c->nroots; r++)
            for (unsigned pipe = 0; pipe < 2; pipe++)
                read |= c->value[c->root[r][pipe]].leaves[i / 32] >> i % 32 & 1;
        if (!read)
            continue;
        const struct i830_poly p = hwemit_i830_poly_atom(i);
        if (n + 2 > ARGS) { /* then it is not known */
            memset(c->one, 0xff, sizeof c->one);
            return;
        }
        hwemit_i830_whole(&p, arg[n].at);
        for (unsigned k = 0; k < I830_WHOLE; k++)
            arg[n + 1].at[k] = 1 - arg[n].at[k];
        n += 2;
    }
    for (unsigned x = 0; x < n; x++)
        for (unsigned y = 0; y < n; y++) {
            of_two(c, &arg[x], &arg[y]);
            for (unsigned z = 2; z < n; z += 2)
                blend(c, arg[z].at, arg[x].at, arg[y].at);
            for (unsigned z = 0; z < n && c->mad && x <= y; z++)
                add_product(c, arg[z].at, arg[x].at, arg[y].at);
        }
}

bool hwemit_i830_of_one_stage(struct i830_cover *c, const double whole[I830_WHOLE])
{
    const struct numbers v = {{whole[0], whole[1]}};
    unsigned word;
    uint64_t bit;
    if (c->one_known != (c->mad ? 2 : 1))
        fill(c);
    return place(&v, &word, &bit) && (c->one[word] & bit) != 0;
}
