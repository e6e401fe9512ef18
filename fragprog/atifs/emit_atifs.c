/* Converts a program with assigned registers to ATI_fragment_shader's instructions. fragprog_assign has made
 * sure that everything can be expressed. */
#include "fragprog/atifs/assign.h"
#include "fragprog/names.h"

#include <string.h>

static void emit_setups(struct fragprog_atifs_pass *pass, const struct fragprog *p,
                        const struct fragprog_assignment *a)
{
    unsigned sets = 0; /* set of the coordinate sets that lookups use */
    for (unsigned i = 0; i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_TEX)
            sets |= 1u << p->inst[i].src[0].index;
    for (unsigned u = 0; u < TEXENV_UNITS;
         u++) /* visits textures in order, so that free coordinate sets are assigned in this order */
        for (unsigned i = 0; i < p->ninst; i++) {
            const struct fragprog_inst *inst = &p->inst[i];
            if (inst->op != FRAGPROG_TEX || inst->texture != u)
                continue;
            unsigned set = inst->src[0].index;
            if (set >= FRAGPROG_REGISTERS) /* the text form has only t0..t5 */
                for (set = 0; sets & 1u << set; set++) {
                }
            sets |= 1u << set;
            pass->setup[a->reg[i]] = fragprog_lookup_of(inst, set);
        }
}

static void emit_op(struct fragprog_atifs_op *op, const struct fragprog *p,
                    const struct fragprog_assignment *a, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];
    *op = fragprog_op_of(inst);
    op->dst = a->reg[i];
    for (unsigned s = 0; s < op->nargs; s++) {
        fragprog_encode_arg(&op->arg[s], inst, s);
        if (op->arg[s].source == FRAGPROG_ATI_REG_0)
            op->arg[s].source = (uint16_t)(FRAGPROG_ATI_REG_0 + a->reg[inst->src[s].index]);
    }
}

void fragprog_emit_atifs(struct fragprog_atifs *out, const struct fragprog *p,
                         const struct fragprog_assignment *a, const struct fragprog_options *options)
{
    memset(out, 0, sizeof *out);
    out->npasses = 1;
    out->color_sum = options->avoid_mesa && options->color_sum;
    struct fragprog_atifs_pass *pass = &out->pass[0];
    emit_setups(pass, p, a);
    pass->npairs = a->npairs;
    for (unsigned pair = 0; pair < a->npairs; pair++) {
        for (unsigned h = 0; h < 2; h++)
            if (a->pair[pair][h] != FRAGPROG_NO_INST)
                emit_op(&pass->pair[pair].half[h], p, a, a->pair[pair][h]);
        struct fragprog_atifs_op *half = pass->pair[pair].half;
        if (pair > 0 && !half[TEXENV_RGB].op && !pass->pair[pair - 1].half[TEXENV_ALPHA].op)
            fragprog_separate(pass, pair);
    }
    fragprog_emit_constants(out, p, options->constants_local);
}
