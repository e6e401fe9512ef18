#include "analysis.h"

/* Determines which units the instructions of p come from, for each half, and which textures p looks up. */
static void present(const struct fragprog *p, uint8_t half[2], uint8_t *sampled)
{
    half[TEXENV_RGB] = half[TEXENV_ALPHA] = *sampled = 0;
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (inst->op == FRAGPROG_TEX)
            *sampled |= (uint8_t)(1u << inst->texture);
        else if (inst->unit >= 0) {
            if (inst->mask & FRAGPROG_MASK_XYZ)
                half[TEXENV_RGB] |= (uint8_t)(1u << inst->unit);
            if (inst->mask & FRAGPROG_MASK_W)
                half[TEXENV_ALPHA] |= (uint8_t)(1u << inst->unit);
        }
    }
}

/* Determines which channels of the inputs the instructions of p read. */
static void find_channels(struct analysis *a, const struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        if (inst->op == FRAGPROG_TEX)
            a->texel[inst->texture] |= inst->mask;
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            const unsigned channels = fragprog_channels_read(inst, s);
            if (inst->src[s].file == FRAGPROG_PRIMARY)
                a->primary |= (uint8_t)channels;
            else if (inst->src[s].file == FRAGPROG_CONST)
                a->color[p->konst[inst->src[s].index].origin[0].unit] |= (uint8_t)channels;
        }
    }
}

/* Returns the halves (bit mask) of the unit that read the given half of the previous result. */
static unsigned reads_previous(const struct texenv_state *state, unsigned unit, unsigned previous_half)
{
    struct texenv_half half[2];
    unsigned readers = 0;
    texenv_stage_halves(half, state, unit);
    for (unsigned h = 0; h < 2; h++) {
        unsigned from = h == TEXENV_ALPHA && texenv_func_writes_alpha(half[TEXENV_RGB].func) ? TEXENV_RGB : h;
        for (unsigned a = 0; a < texenv_func_args(half[from].func); a++)
            if (half[from].arg[a].source == TEXENV_S_PREVIOUS && half[from].arg[a].alpha == previous_half)
                readers |= 1u << h;
    }
    return readers;
}

unsigned live_before(const struct texenv_state *state, const struct analysis *a, unsigned unit)
{
    unsigned found = 0;
    if (unit >= state->nstages)
        return 3;
    for (unsigned h = 0; h < 2; h++) {
        const unsigned readers = reads_previous(state, unit, h);
        for (unsigned k = 0; k < 2; k++)
            if (readers >> k & 1 && a->live[k] >> unit & 1)
                found |= 1u << h;
    }
    return found;
}

/* Compares the literal translation of the state with the same program after removal of dead code: what the
 * removal deletes is dead. */
void analyse(struct analysis *a, const struct texenv_state *state)
{
    struct fragprog_storage storage;
    struct fragprog p;
    uint8_t before[2], after[2], sampled;
    *a = (struct analysis){0};
    fragprog_init(&p, &storage);
    fragprog_lower(&p, state);
    present(&p, before, &sampled);
    static const struct fragprog_opt plain;
    fragprog_opt_dead(&p, &plain);
    present(&p, after, &a->sampled);
    find_channels(a, &p);
    for (unsigned u = 0; u < state->nstages; u++)
        if (state->stage[u].mode != TEXENV_OFF)
            a->on |= (uint8_t)(1u << u);
    a->through = a->on & (uint8_t) ~(before[0] | before[1]);
    for (unsigned h = 0; h < 2; h++)
        a->dead_half[h] = before[h] & (uint8_t)~after[h];
    a->dead = (uint8_t)(before[0] | before[1]) & (uint8_t) ~(after[0] | after[1]);
    for (unsigned u = state->nstages; u-- > 0;)
        for (unsigned h = 0; h < 2; h++)
            a->live[h] |= (uint8_t)((live_before(state, a, u + 1) >> h & 1) << u);
}

/* ---- why a unit does not contribute ---- */

static const char *const half_names[] = {"colour", "alpha"};

/* Returns the next unit after `unit` that computes something. */
static unsigned next_unit(const struct texenv_state *state, const struct analysis *a, unsigned unit)
{
    unsigned next = unit + 1;
    while (next < state->nstages && (!(a->on >> next & 1) || a->through >> next & 1))
        next++;
    return next;
}

void add_dead_reason(struct buffer *b, const struct texenv_state *state, const struct analysis *a,
                     unsigned unit, unsigned halves)
{
    unsigned next = next_unit(state, a, unit), readers = 0;
    for (unsigned h = 0; h < 2; h++)
        if (halves >> h & 1)
            readers |= reads_previous(state, next, h);
    if (!readers)
        buffer_printf(b, "unit %u does not read %s", next,
                      halves == 3       ? "P"
                          : halves == 1 ? "the colour of P"
                                        : "the alpha of P");
    else if (readers == 3)
        buffer_printf(b, "only unit %u reads it, and the result of unit %u is not used", next, next);
    else
        buffer_printf(b, "only the %s of unit %u reads it, and that does not reach the result",
                      half_names[readers >> 1 & 1], next);
}

/* Returns why the unit is off, as far as that can be determined. */
const char *off_reason(const struct item *item, unsigned unit)
{
    if (!item->te || !item->te->unit[unit].enabled)
        return "disabled";
    unsigned target = TEXENV_TARGETS - 1;
    while (target && !(item->te->unit[unit].enabled >> target & 1))
        target--;
    if (!item->assumed && !item->te->unit[unit].texture[target].complete)
        return "its texture has no image at level 0";
    return "it reads the texture of a unit that is off";
}
