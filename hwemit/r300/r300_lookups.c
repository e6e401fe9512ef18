/* Emits texture lookups with their coordinates, and finds which interpolated inputs and which parts of values
 * a program reads. */
#include "hwemit/r300/r300_choose.h"

#include <string.h>

uint16_t hwemit_r300_input(const struct chooser *c, const struct fragprog_src *src)
{
    return c->input[src->file == FRAGPROG_PRIMARY ? 0 : src->file == FRAGPROG_SECONDARY ? 1 : 2 + src->index];
}

static uint16_t use_input(struct chooser *c, unsigned what, unsigned index)
{
    uint16_t *v = &c->input[what == HWEMIT_COLOR ? index : 2 + index];
    if (*v == NONE) {
        *v = hwemit_r300_new_vreg(c, V_INPUT, RGB);
        struct program *p = c->p;
        p->vreg[*v].source = p->ninputs;
        if (what == HWEMIT_COORD) {
            p->vreg[*v].low = -1e6f;
            p->vreg[*v].high = 1e6f;
        }
        p->input[p->ninputs].what = (uint8_t)what;
        p->input[p->ninputs].index = (uint8_t)index;
        p->input[p->ninputs++].vreg = *v;
    }
    return *v;
}

/* Assigns interpolated inputs, which arrive in temporaries 0, 1, ...: colours first, then coordinates
 * (notes/facts/r300.md 1). At least one must be interpolated even if none is read. */
void hwemit_r300_find_inputs(struct chooser *c)
{
    unsigned colors = 0, coords = 0;
    for (unsigned i = 0; i < 2 + TEXENV_UNITS; i++)
        c->input[i] = NONE;
    for (unsigned i = 0; i < c->ir->ninst; i++)
        for (unsigned s = 0; c->read[i] && s < fragprog_op_args(c->ir->inst[i].op); s++) {
            const struct fragprog_src *src = &c->ir->inst[i].src[s];
            colors |= src->file == FRAGPROG_PRIMARY ? 1 : src->file == FRAGPROG_SECONDARY ? 2 : 0;
            if (src->file == FRAGPROG_COORD)
                coords |= 1u << src->index;
        }
    if (!colors && !coords)
        colors = 1;
    for (unsigned i = 0; i < 2; i++)
        if (colors >> i & 1)
            use_input(c, HWEMIT_COLOR, i);
    for (unsigned i = 0; i < TEXENV_UNITS; i++)
        if (coords >> i & 1)
            use_input(c, HWEMIT_COORD, i);
}

static const uint8_t dimensions[TEXENV_TARGETS] = {
    [TEXENV_1D] = 1, [TEXENV_2D] = 2, [TEXENV_RECT] = 2, [TEXENV_3D] = 3, [TEXENV_CUBE] = 3};

static bool divides(const struct fragprog_inst *inst)
{
    return !inst->undivided && inst->target != TEXENV_CUBE;
}

/* Returns the register with the lookup's coordinate: the source's own register if the lookup can read it
 * directly (r300: channels in order; r500: any channels of one temporary), else a copy, after division by q
 * if the lookup projects. */
static uint16_t coordinate(struct chooser *c, const struct fragprog_inst *inst, struct lookup *l)
{
    const struct fragprog_src *src = &inst->src[0];
    const unsigned n = dimensions[inst->target];
    const bool result = src->file == FRAGPROG_VALUE && c->ir->inst[src->index].op != FRAGPROG_TEX,
               any = c->p->chip->generation == R500;
    bool direct = src->file == FRAGPROG_VALUE || src->file == FRAGPROG_COORD ||
        src->file == FRAGPROG_PRIMARY || src->file == FRAGPROG_SECONDARY;
    direct &= !src->mods && !src->negate;
    for (unsigned i = 0; i < 4; i++) {
        /* as in the driver, unused coordinates read channel 3, the divisor q */
        l->lane[i] = (uint8_t)(i < n || n == 3 ? i : 3);
        if (i < n || (i == 3 && divides(inst))) {
            direct &= any ? src->lane[i] <= FRAGPROG_W : src->lane[i] == i;
            /* colour and alpha of an ALU result are different virtual registers */
            direct &= !result || src->lane[i] < FRAGPROG_W;
            if (any)
                l->lane[i] = src->lane[i];
        }
    }
    l->op = divides(inst) ? TEX_TXP : TEX_LD;
    if (direct) {
        if (any && n < 3)
            l->lane[2] = l->lane[3] = divides(inst) ? src->lane[3] : l->lane[n - 1];
        return src->file == FRAGPROG_VALUE ? c->vreg[src->index][RGB] : hwemit_r300_input(c, src);
    }
    for (unsigned i = 0; i < 4; i++)
        l->lane[i] = (uint8_t)(i < n ? i : n - 1);
    l->op = TEX_LD;
    if (!divides(inst))
        return hwemit_r300_collect(c, src, (1u << n) - 1, RGB, inst->unit);
    struct fragprog_inst proj = {
        .op = FRAGPROG_PROJ, .mask = (uint8_t)((1u << n) - 1), .unit = inst->unit, .src = {*src}};
    struct target t = {
        .vreg = hwemit_r300_new_vreg(c, V_OP, RGB), .half = RGB, .unit = inst->unit, .fixed = true};
    c->reciprocal = hwemit_r300_emit_reciprocal(c, src, inst->unit);
    hwemit_r300_emit_groups(c, &proj, &t, (1u << n) - 1);
    return t.vreg;
}

void hwemit_r300_emit_lookup(struct chooser *c, unsigned i)
{
    struct program *p = c->p;
    const struct fragprog_inst *inst = &c->ir->inst[i];
    if (inst->shadow) {
        hwemit_refuse(c->why, inst->unit, "shadow", "that unit without comparison",
                      "unit %d: the chip does not compare depths in its lookup, and the comparison's "
                      "function is not part of the program",
                      inst->unit);
        c->failed = true;
        return;
    }
    if (p->ntex == MAX_TEX) {
        hwemit_refuse(c->why, inst->unit, "textures", "fewer lookups",
                      "the program needs more than %d texture instructions", (int)p->chip->tex);
        c->failed = true;
        return;
    }
    struct lookup l = {.texture = inst->texture, .target = inst->target, .unit = inst->unit};
    l.coord = coordinate(c, inst, &l);
    l.result = hwemit_r300_new_vreg(c, V_TEX, RGB);
    if (c->failed)
        return;
    c->vreg[i][RGB] = c->vreg[i][ALPHA] = l.result;
    p->vreg[l.result].source = p->ntex;
    p->tex[p->ntex++] = l;
}

/* Finds which parts of each value are read (c->read), from the result backwards. */
void hwemit_r300_find_readers(struct chooser *c)
{
    const struct fragprog *ir = c->ir;
    memset(c->read, 0, sizeof c->read);
    for (unsigned h = 0; h < 2; h++)
        c->read[ir->result[h]] |= (uint8_t)(1u << h);
    for (unsigned i = ir->ninst; i-- > 0;) {
        const struct fragprog_inst *inst = &ir->inst[i];
        if (!c->read[i])
            continue;
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            if (inst->src[s].file != FRAGPROG_VALUE)
                continue;
            struct fragprog_inst one = *inst;
            unsigned channels = 0;
            if (inst->op == FRAGPROG_TEX || inst->op == FRAGPROG_PROJ) {
                unsigned lanes = inst->op == FRAGPROG_PROJ
                    ? 15
                    : (1u << dimensions[inst->target]) - 1 + (divides(inst) ? 8 : 0);
                for (unsigned k = 0; k < 4; k++)
                    if (lanes >> k & 1 && inst->src[s].lane[k] <= FRAGPROG_W)
                        channels |= 1u << inst->src[s].lane[k];
                if (inst->op == FRAGPROG_TEX)
                    c->read[inst->src[s].index] |= 4;
            }
            for (unsigned half = 0; half < 2 && inst->op != FRAGPROG_TEX && inst->op != FRAGPROG_PROJ; half++)
                if (c->read[i] >> half & 1) {
                    one.mask = (uint8_t)(inst->mask & (half == RGB ? 7 : 8));
                    channels |= one.mask ? fragprog_channels_read(&one, s) : 0;
                }
            c->read[inst->src[s].index] |= (uint8_t)((channels & 7 ? 1 : 0) | (channels & 8 ? 2 : 0));
        }
    }
}
