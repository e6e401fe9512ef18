/* Finds the outputs of the vertex program that a fragment program reads, and what they need. */
#include "fragprog/fixed_vertex.h"
#include "fragprog/lang/vertex_needs.h"

#include <string.h>

enum { S = 1, T = 2, R = 4, Q = 8 };

/* Returns the lanes of a coordinate that a lookup uses (struct fragprog_inst, target). */
static unsigned looked_up(const struct fragprog_inst *inst)
{
    static const uint8_t lanes[TEXENV_TARGETS] = {[TEXENV_1D] = S,
                                                  [TEXENV_2D] = S | T,
                                                  [TEXENV_RECT] = S | T,
                                                  [TEXENV_3D] = S | T | R,
                                                  [TEXENV_CUBE] = S | T | R};
    const bool divides = inst->op == FRAGPROG_TXB || (!inst->undivided && inst->target != TEXENV_CUBE);
    return lanes[inst->target] | (inst->shadow ? R : 0u) | (divides ? Q : 0u);
}

/* Returns the channels of a coordinate set that source s of an instruction reads. */
static unsigned read_by(const struct fragprog_inst *inst, unsigned s)
{
    if (!fragprog_op_is_lookup(inst->op))
        return fragprog_channels_read(inst, s);
    unsigned channels = 0;
    for (unsigned c = 0; c < 4; c++)
        if (looked_up(inst) >> c & 1 && inst->src[s].lane[c] < FRAGPROG_ZERO)
            channels |= 1u << inst->src[s].lane[c];
    return channels;
}

void fragprog_find_vertex_reads(struct texenv_vertex_reads *reads, const struct fragprog *p,
                                const struct fragprog_language_options *options)
{
    memset(reads, 0, sizeof *reads);
    reads->secondary = options->color_sum;
    reads->fog = options->fog != TEXENV_FOG_OFF;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
            const struct fragprog_src *src = &p->inst[i].src[s];
            const unsigned channels = read_by(&p->inst[i], s);
            if (!channels)
                continue;
            reads->primary |= src->file == FRAGPROG_PRIMARY;
            reads->secondary |= src->file == FRAGPROG_SECONDARY;
            reads->fog |= src->file == FRAGPROG_FOGCOORD;
            if (src->file == FRAGPROG_COORD && src->index < TEXENV_UNITS)
                reads->coord[src->index] |= (uint8_t)channels;
        }
}

void fragprog_find_vertex_needs(struct fragprog_vertex_needs *needs, const struct texenv_vertex *v,
                                const struct texenv_vertex_reads *reads)
{
    unsigned modes = 0; /* set of enum texenv_texgen */
    memset(needs, 0, sizeof *needs);
    needs->diffuse = v->lighting && reads->primary;
    needs->specular = v->lighting && (v->separate_specular ? reads->secondary : reads->primary);
    for (unsigned n = 0; n < TEXENV_LIGHTS && (needs->diffuse || needs->specular); n++) {
        needs->lights |= v->light[n].enabled;
        needs->positional |= v->light[n].enabled && v->light[n].positional;
    }
    for (unsigned u = 0; u < TEXENV_UNITS; u++) {
        needs->made[u] = reads->coord[u] && v->texture_matrix[u] ? 15 : reads->coord[u];
        for (unsigned c = 0; c < 4; c++)
            if (needs->made[u] >> c & 1)
                modes |= 1u << v->texgen[u][c];
    }
    needs->planes = modes >> TEXENV_TEXGEN_EYE & 1;
    needs->sphere = modes >> TEXENV_TEXGEN_SPHERE & 1;
    needs->reflection = needs->sphere || modes >> TEXENV_TEXGEN_REFLECTION & 1;
    needs->normal = needs->lights || needs->reflection || modes >> TEXENV_TEXGEN_NORMAL & 1;
    needs->view = needs->reflection || (v->local_viewer && needs->specular && needs->lights);
    needs->distance = reads->fog && !v->fog_coord;
}
