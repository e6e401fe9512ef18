/* Register assignment (pass 2 of the founding e-mail). Each texture that contributes gets its register; then
 * each result gets the lowest-numbered available one: a register that is unassigned, or whose value is not
 * read again. An instruction may overwrite its operands, because a pair reads its operands before it writes
 * (extension, "color and alpha pairs"). Colour (rgb) and alpha halves of a register are assigned
 * separately. */
#include "fragprog/atifs/assign.h"

#include <string.h>

/* For each value and half, the last pair that reads it: -1 for none, npairs for the program's results. */
struct liveness {
    int8_t last[FRAGPROG_TEXENV_INSTS][2];
};

static void find_liveness(const struct fragprog_assigning *s, struct liveness *live)
{
    memset(live, -1, sizeof *live);
    for (unsigned pair = 0; pair < s->a->npairs; pair++)
        for (unsigned h = 0; h < 2; h++) {
            unsigned i = s->a->pair[pair][h];
            if (i == FRAGPROG_NO_INST)
                continue;
            const struct fragprog_inst *inst = &s->p->inst[i];
            for (unsigned k = 0; k < fragprog_op_args(inst->op); k++) {
                unsigned channels = inst->src[k].file == FRAGPROG_VALUE ? fragprog_channels_read(inst, k) : 0;
                if (channels & FRAGPROG_MASK_XYZ)
                    live->last[inst->src[k].index][TEXENV_RGB] = (int8_t)pair;
                if (channels & FRAGPROG_MASK_W)
                    live->last[inst->src[k].index][TEXENV_ALPHA] = (int8_t)pair;
            }
        }
    for (unsigned h = 0; h < 2; h++)
        live->last[s->p->result[h]][h] = (int8_t)s->a->npairs;
}

/* The value in each register half, and the last pair that reads it. */
struct holding {
    int8_t until[2][FRAGPROG_REGISTERS];
    uint16_t value[2][FRAGPROG_REGISTERS];
};

/* Assigns registers to textures (pass 2.1). */
static bool assign_textures(const struct fragprog_assigning *s, const struct liveness *live,
                            struct holding *hold)
{
    const struct fragprog *p = s->p;
    unsigned sampled = 0, count = 0, high = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_TEX)
            sampled |= 1u << p->inst[i].texture, count++;
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (sampled & 1u << u)
            high = u;
    if (count > FRAGPROG_REGISTERS)
        return fragprog_refuse(s->why, (int)high, "textures",
                               "%u textures contribute and there are %d registers", count,
                               FRAGPROG_REGISTERS);
    if (high >= FRAGPROG_REGISTERS && !s->options->bind_compact)
        return fragprog_refuse(
            s->why, (int)high, "textures",
            "unit %u: register n samples unit n and there are only r0..r%d; --bind compact fits", high,
            FRAGPROG_REGISTERS - 1);
    unsigned next = 0;
    memset(s->a->texture_reg, FRAGPROG_NO_REG, sizeof s->a->texture_reg);
    for (unsigned u = 0; u < TEXENV_UNITS; u++)
        if (sampled & 1u << u)
            s->a->texture_reg[u] = (uint8_t)(s->options->bind_compact ? next++ : u);
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_TEX) {
            unsigned r = s->a->texture_reg[p->inst[i].texture];
            s->a->reg[i] = (uint8_t)r;
            for (unsigned h = 0; h < 2; h++) {
                hold->until[h][r] = live->last[i][h];
                hold->value[h][r] = (uint16_t)i;
            }
        }
    return true;
}

/* Returns the registers (bits) of which the instruction reads any of these channels. */
static unsigned registers_read(const struct fragprog_assigning *s, const struct fragprog_inst *inst,
                               unsigned channels)
{
    unsigned regs = 0;
    for (unsigned k = 0; k < fragprog_op_args(inst->op); k++)
        if (inst->src[k].file == FRAGPROG_VALUE && fragprog_channels_read(inst, k) & channels)
            regs |= 1u << s->a->reg[inst->src[k].index];
    return regs;
}

static void append_value_name(struct texenv_text *text, const struct fragprog *p, unsigned value)
{
    if (p->inst[value].op == FRAGPROG_TEX)
        texenv_printf(text, "T%u", p->inst[value].texture);
    else
        texenv_printf(text, "the result of unit %d", p->inst[value].unit);
}

static bool refuse_register(const struct fragprog_assigning *s, const struct holding *hold, unsigned pair,
                            unsigned half, int unit)
{
    char held[140];
    struct texenv_text text;
    texenv_text_init(&text, held, sizeof held);
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        if (hold->until[half][r] > (int)pair) {
            texenv_printf(&text, "%sr%u holds ", text.length ? ", " : "", r);
            append_value_name(&text, s->p, hold->value[half][r]);
        }
    return fragprog_refuse(s->why, unit, "registers",
                           "no register is available for the %s of unit %d: %s; all are read later",
                           half ? "alpha" : "colour", unit, held);
}

enum outcome { DONE, AGAIN, REFUSED };

/* Appends a move to r0, for a result that could not be computed there. */
static enum outcome move_result_at_end(struct fragprog_assigning *s, unsigned half)
{
    /* in another order, r0 may be available when the result is computed */
    if (s->order != FRAGPROG_IN_ORDER) {
        s->order++;
        return AGAIN;
    }
    struct fragprog *p = s->p;
    struct fragprog_inst mov = fragprog_move_of(&p->inst[p->result[half]], p->result[half]);
    mov.unit = p->inst[p->ninst - 1].unit;
    mov.scale = 0;
    if (!fragprog_insert_checked(s, p->ninst, &mov))
        return REFUSED;
    p->result[half] = (uint16_t)(p->ninst - 1);
    return AGAIN;
}

/* Replaces a companion dot product by a move of a channel of the colour dot product in a later pair. */
static enum outcome copy_dot_later(struct fragprog_assigning *s, unsigned alpha)
{
    struct fragprog_inst *inst = &s->p->inst[alpha];
    inst->op = FRAGPROG_MOV;
    inst->src[0] = fragprog_src_replicate(FRAGPROG_VALUE, alpha - 1, FRAGPROG_X);
    memset(&inst->src[1], 0, 2 * sizeof inst->src[1]);
    inst->scale = 0; /* the scale is already applied in the colour dot product */
    return AGAIN;
}

static void put_in(struct fragprog_assigning *s, const struct liveness *live, struct holding *hold,
                   unsigned i, unsigned half, unsigned r)
{
    s->a->reg[i] = (uint8_t)r;
    hold->until[half][r] = live->last[i][half];
    hold->value[half][r] = (uint16_t)i;
}

/* Assigns one register to both halves of a dot product with a companion, because the text form has no
 * separate alpha dot product. */
static enum outcome assign_dot_pair(struct fragprog_assigning *s, const struct liveness *live,
                                    struct holding *hold, unsigned pair)
{
    unsigned color = s->a->pair[pair][TEXENV_RGB], alpha = s->a->pair[pair][TEXENV_ALPHA];
    unsigned forbidden = s->options->avoid_mesa ? registers_read(s, &s->p->inst[alpha], FRAGPROG_MASK_XYZW)
                                                : 0;
    bool is_result[2] = {s->p->result[TEXENV_RGB] == color, s->p->result[TEXENV_ALPHA] == alpha};
    unsigned r = 0;
    while (r < FRAGPROG_REGISTERS &&
           (forbidden & 1u << r || hold->until[TEXENV_RGB][r] > (int)pair ||
            hold->until[TEXENV_ALPHA][r] > (int)pair))
        r++;
    if (r == FRAGPROG_REGISTERS)
        return copy_dot_later(s, alpha);
    enum outcome outcome = DONE;
    for (unsigned half = 0; half < 2 && r > 0; half++)
        if (is_result[half] && (outcome = move_result_at_end(s, half)) == REFUSED)
            return REFUSED;
    if (outcome == DONE) {
        put_in(s, live, hold, color, TEXENV_RGB, r);
        put_in(s, live, hold, alpha, TEXENV_ALPHA, r);
    }
    return outcome;
}

static enum outcome assign_result(struct fragprog_assigning *s, const struct liveness *live,
                                  struct holding *hold, unsigned pair, unsigned half)
{
    unsigned i = s->a->pair[pair][half], alpha = s->a->pair[pair][TEXENV_ALPHA], forbidden = 0;
    if (half == TEXENV_RGB && alpha != FRAGPROG_NO_INST)
        forbidden = registers_read(s, &s->p->inst[alpha],
                                   FRAGPROG_MASK_XYZ); /* so that the order of the halves does not matter */

    bool is_result = s->p->result[half] == i, blocked = false;
    unsigned r = 0, limit = is_result ? 1 : FRAGPROG_REGISTERS;
    for (; r < limit; r++) {
        bool available = hold->until[half][r] <= (int)pair;
        if (available && !(forbidden & 1u << r))
            break;
        blocked |= available;
    }
    if (r < limit) {
        put_in(s, live, hold, i, half, r);
        return DONE;
    }
    if (blocked) {
        s->alone[alpha] = true;
        return AGAIN;
    }
    if (is_result)
        return move_result_at_end(s, half);
    refuse_register(s, hold, pair, half, s->p->inst[i].unit);
    return REFUSED;
}

/* Assigns registers to results (pass 2.2). */
static enum outcome assign_results(struct fragprog_assigning *s)
{
    struct liveness live;
    struct holding hold;
    memset(&hold, -1, sizeof hold);
    memset(s->a->reg, FRAGPROG_NO_REG, sizeof s->a->reg);
    find_liveness(s, &live);
    if (!assign_textures(s, &live, &hold))
        return REFUSED;
    for (unsigned pair = 0; pair < s->a->npairs; pair++) {
        unsigned alpha = s->a->pair[pair][TEXENV_ALPHA];
        enum outcome outcome = DONE;
        if (alpha != FRAGPROG_NO_INST && fragprog_is_companion(&s->p->inst[alpha]))
            outcome = assign_dot_pair(s, &live, &hold, pair);
        else
            for (unsigned half = 0; half < 2 && outcome == DONE; half++)
                if (s->a->pair[pair][half] != FRAGPROG_NO_INST)
                    outcome = assign_result(s, &live, &hold, pair, half);
        if (outcome != DONE)
            return outcome;
    }
    return DONE;
}

bool fragprog_assign(struct fragprog *p, const struct fragprog_options *options,
                     struct fragprog_assignment *a, struct fragprog_reason *why)
{
    struct fragprog_assigning s = {.p = p,
                                   .options = options,
                                   .a = a,
                                   .why = why,
                                   .order = options->level < 2 ? FRAGPROG_IN_ORDER : FRAGPROG_SHORTER};
    if (p->unbounded)
        return fragprog_refuse_unbounded(why, p);
    if (!fragprog_legal(&s) || !fragprog_legalise(&s))
        return false;
    /* Each iteration adds an instruction, replaces a dot product by a move, sets an `alone` flag or selects
     * the next order, so there are at most a few dozen. */
    for (unsigned round = 0;; round++) {
        if (round == 4 * FRAGPROG_TEXENV_INSTS)
            return fragprog_refuse(why, -1, "registers", "no assignment of registers was found");
        fragprog_pair_up(&s);
        enum outcome outcome = assign_results(&s);
        if (outcome == DONE)
            break;
        if (outcome == REFUSED && s.order == FRAGPROG_IN_ORDER)
            return false;
        s.order += outcome == REFUSED; /* another order of pairs may need fewer registers */
    }
    if (a->npairs > FRAGPROG_PAIRS) {
        unsigned first = a->pair[FRAGPROG_PAIRS][TEXENV_RGB];
        int unit = p->inst[first != FRAGPROG_NO_INST ? first : a->pair[FRAGPROG_PAIRS][TEXENV_ALPHA]].unit;
        return fragprog_refuse(
            why, unit, "pairs",
            "%u instruction pairs are needed and one pass has %d; unit %d is the first that does not fit",
            a->npairs, FRAGPROG_PAIRS, unit);
    }
    return true;
}
