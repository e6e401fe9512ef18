/* Converts scheduled passes to ATI_fragment_shader's instructions. */
#include "fragprog/names.h"
#include "fragprog/atifs/two_pass.h"

#include <string.h>

/* Sets the register and replication of an argument that reads a value. It was encoded on the
 * assumption that both the instruction and the value are in the half that the instruction's mask names. */
static void point_to(struct fragprog_atifs_arg *arg, const struct fragprog_slots *s, unsigned v,
                     unsigned value_half, unsigned runs_in)
{
    const struct fragprog_value *value = &s->value[v];
    arg->source = (uint16_t)(FRAGPROG_ATI_REG_0 + s->reg[v]);
    if (value->group != FRAGPROG_NO_GROUP) /* one channel of a group */
        arg->rep = (uint16_t)(FRAGPROG_ATI_RED + value->channel);
    else if (value->half == TEXENV_ALPHA && (value_half == TEXENV_RGB || runs_in == TEXENV_RGB))
        arg->rep = FRAGPROG_ATI_ALPHA;
    else if (value->half == TEXENV_RGB && runs_in == TEXENV_ALPHA && !arg->rep)
        arg->rep = FRAGPROG_ATI_RED + 2; /* all channels are equal */
}

/* Encodes argument k of an instruction that runs in this half. */
static void emit_arg(struct fragprog_atifs_arg *arg, const struct fragprog_slots *s,
                     const struct fragprog_inst *inst, unsigned k, unsigned runs_in)
{
    const struct fragprog_src *src = &inst->src[k];
    unsigned half = fragprog_channels_read(inst, k) == FRAGPROG_MASK_W ? TEXENV_ALPHA : TEXENV_RGB;
    if (fragprog_op_is_dot(inst->op))
        runs_in = TEXENV_RGB; /* its alpha half has the same arguments */
    fragprog_encode_arg(arg, inst, k);
    if (arg->source == FRAGPROG_ATI_ZERO || arg->source == FRAGPROG_ATI_ONE)
        return;
    if (src->file == FRAGPROG_VALUE)
        point_to(arg, s, s->where[src->index][half], half, runs_in);
    else if (src->file == FRAGPROG_PRIMARY && s->primary != FRAGPROG_NO_VALUE)
        point_to(arg, s, s->primary, half, runs_in);
    else if (runs_in == TEXENV_RGB && inst->mask == FRAGPROG_MASK_W && !fragprog_op_is_dot(inst->op) &&
             !arg->rep)
        arg->rep = FRAGPROG_ATI_ALPHA; /* an alpha read needs a replication in a colour instruction */
}

/* Returns the mask of an instruction that writes these colour channels, or one channel of a group. */
static uint8_t mask_of(const struct fragprog_value *value, unsigned half, unsigned channels)
{
    return (uint8_t)(half == TEXENV_ALPHA                    ? 0
                         : value->group != FRAGPROG_NO_GROUP ? 1u << value->channel
                                                             : channels);
}

static void emit_inst(struct fragprog_atifs_op *op, const struct fragprog_slots *s, unsigned n, unsigned half)
{
    const struct fragprog_node *node = &s->g->node[n];
    unsigned v = s->made[n][half];
    const struct fragprog_inst
        *inst = &s->g->p.inst[node->inst[half] != FRAGPROG_NO_INST ? node->inst[half] : node->inst[1 - half]];
    *op = fragprog_op_of(inst);
    op->dst = s->reg[v];
    op->mask = mask_of(&s->value[v], half, op->mask);
    for (unsigned k = 0; k < op->nargs; k++)
        emit_arg(&op->arg[k], s, inst, k, half);
}

static void emit_move(struct fragprog_atifs_op *op, const struct fragprog_slots *s, unsigned n, unsigned half)
{
    const struct fragprog_move *move = &s->move[n - s->g->nnodes];
    unsigned v = s->made[n][half];
    *op = (struct fragprog_atifs_op){.op = FRAGPROG_ATI_MOV,
                                     .dst = s->reg[v],
                                     .mod = move->last ? FRAGPROG_ATI_SATURATE : 0,
                                     .nargs = 1,
                                     .unit = s->g->p.inst[move->inst].unit};
    op->mask = mask_of(&s->value[v], half, FRAGPROG_MASK_XYZ);
    point_to(&op->arg[0], s, s->where[move->inst][move->from], move->from, half);
}

/* ---- setups ---- */

static void emit_lookups(struct fragprog_atifs_pass *pass, const struct fragprog_slots *s)
{
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++)
        if (s->textures & 1u << r)
            pass->setup[r] = fragprog_lookup_of(&s->g->p.inst[s->g->texel[r]], s->g->coord[r]);
}

/* Emits the setups (PassTexCoord) of registers that keep a value of the first pass in the second. */
static void emit_passed(struct fragprog_atifs_pass *pass, const struct fragprog_slots *s,
                        const struct fragprog_slots *before)
{
    for (unsigned v = 0; v < s->nvalues; v++)
        if (s->value[v].node == FRAGPROG_NO_NODE && s->value[v].from != FRAGPROG_NO_VALUE)
            pass->setup[s->reg[v]] = (struct fragprog_atifs_setup){.op = FRAGPROG_PASS_COORD,
                                                                   .from_reg = 1,
                                                                   .source = before->reg[s->value[v].from],
                                                                   .swizzle = FRAGPROG_STR,
                                                                   .texture = -1};
}

void fragprog_emit_slots(struct fragprog_atifs_pass *pass, const struct fragprog_slots *s,
                         const struct fragprog_slots *before, const struct fragprog_schedule_options *options)
{
    memset(pass, 0, sizeof *pass);
    emit_lookups(pass, s);
    if (before)
        emit_passed(pass, s, before);
    if (s->primary != FRAGPROG_NO_VALUE)
        pass->setup[s->reg[s->primary]] = (struct fragprog_atifs_setup){
            .op = FRAGPROG_PASS_COORD,
            .source = (uint8_t)options->primary_texcoord,
            .texture = -1,
            .swizzle = s->value[s->primary].group == FRAGPROG_NO_GROUP ? FRAGPROG_STR : FRAGPROG_STQ};
    pass->npairs = (uint8_t)s->nslots;
    for (unsigned i = 0; i < s->nslots; i++)
        for (unsigned h = 0; h < 2; h++) {
            unsigned n = s->slot[i][h];
            struct fragprog_atifs_op *half = pass->pair[i].half;
            if (n == FRAGPROG_NO_NODE ||
                (h == TEXENV_ALPHA &&
                 s->made[n][h] == FRAGPROG_NO_VALUE)) /* a DOT4 alone occupies the alpha half, too */
                continue;
            if (n < s->g->nnodes)
                emit_inst(&half[h], s, n, h);
            else
                emit_move(&half[h], s, n, h);
        }
    for (unsigned i = 1; i < s->nslots && options->text_form; i++) {
        struct fragprog_atifs_op *half = pass->pair[i].half, *last = pass->pair[i - 1].half;
        if (!half[TEXENV_RGB].op && !last[TEXENV_ALPHA].op)
            fragprog_separate(pass, i);
    }
}
