/* struct fragprog: initialisation, copying, and the check of the invariants that all passes rely on. */
#include "fragprog/bindings.h"
#include "fragprog/fragprog.h"
#include "fragprog/names.h"

#include <string.h>

void fragprog_init(struct fragprog *p, struct fragprog_storage *storage)
{
    *p = (struct fragprog){.inst = storage->inst,
                           .konst = storage->konst,
                           .maxinst = FRAGPROG_TEXENV_INSTS,
                           .maxkonst = FRAGPROG_TEXENV_CONSTS};
}

bool fragprog_copy(struct fragprog *to, const struct fragprog *from)
{
    if (from->ninst > to->maxinst || from->nkonst > to->maxkonst)
        return false;
    if (from->ninst)
        memmove(to->inst, from->inst, from->ninst * sizeof *to->inst);
    if (from->nkonst)
        memmove(to->konst, from->konst, from->nkonst * sizeof *to->konst);
    to->ninst = from->ninst;
    to->nkonst = from->nkonst;
    to->result[0] = from->result[0];
    to->result[1] = from->result[1];
    to->unbounded = from->unbounded;
    to->vertex = from->vertex;
    to->invariant = from->invariant;
    return true;
}

static bool is_unit(int unit) { return unit >= -1 && unit < TEXENV_UNITS; }

/* Returns the number of texture units that the program may use. */
static unsigned textures(const struct fragprog *p)
{
    return p->unbounded ? FRAGPROG_MOST_TEXTURES : TEXENV_UNITS;
}

static bool one_lane(const struct fragprog_src *src, unsigned lanes)
{
    int first = -1;
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1) {
            first = first < 0 ? (int)i : first;
            if (src->lane[i] != src->lane[first] || ((src->negate >> i ^ src->negate >> first) & 1))
                return false;
        }
    return true;
}

/* Checks rules for a lane. They must hold even for a lane that is not read, because the text form prints all
 * four. channels: the channels of the source, or 0 if the lane is not read. */
static const char *check_lane(const struct fragprog *p, const struct fragprog_src *src, unsigned lane,
                              unsigned channels)
{
    unsigned channel = src->lane[lane];
    if (channel > FRAGPROG_HALF)
        return "a lane is none of x y z w 0 1 h";
    if (channel >= FRAGPROG_ZERO)
        return NULL;
    if (src->file == FRAGPROG_LITERAL)
        return "a literal has a lane other than 0 1 h";
    if (src->file == FRAGPROG_SECONDARY && channel == FRAGPROG_W && channels && !p->unbounded)
        return "the secondary colour has no channel w";
    if ((src->file == FRAGPROG_FOGCOORD ||
         (src->file == FRAGPROG_ATTRIB && src->index == FRAGPROG_ATTRIB_FOGCOORD)) &&
        channel != FRAGPROG_X && channels)
        return "the fog coordinate has channel x only";
    if (!channels)
        return NULL;
    if (!(channels >> channel & 1))
        return "a source reads a channel that the value does not have";
    return NULL;
}

static const char *check_src(const struct fragprog *p, unsigned i, unsigned arg)
{
    const struct fragprog_inst *inst = &p->inst[i];
    const struct fragprog_src *src = &inst->src[arg];
    unsigned channels = FRAGPROG_MASK_XYZW;

    if (p->vertex && src->file != FRAGPROG_VALUE && src->file != FRAGPROG_CONST &&
        src->file != FRAGPROG_LITERAL && src->file != FRAGPROG_ATTRIB)
        return "a vertex program has no inputs of a fragment";
    switch (src->file) {
    case FRAGPROG_VALUE:
        if (src->index >= i)
            return "a source names a value that is not earlier";
        channels = p->inst[src->index].mask;
        if (fragprog_op_has_effect(p->inst[src->index].op))
            return "a source names an instruction that gives no value";
        break;
    case FRAGPROG_PRIMARY:
    case FRAGPROG_SECONDARY:
    case FRAGPROG_LITERAL:
        if (src->index != 0)
            return "a source without a number has one";
        break;
    case FRAGPROG_FOGCOORD:
    case FRAGPROG_POSITION:
        if (src->index != 0)
            return "a source without a number has one";
        if (!p->unbounded)
            return "an input of assembly programs only";
        break;
    case FRAGPROG_COORD:
        if (src->index >= TEXENV_UNITS)
            return "no such texture coordinate set";
        break;
    case FRAGPROG_ATTRIB:
        if (!p->vertex || src->index >= FRAGPROG_ATTRIBS || src->index == 7)
            return "no such attribute of a vertex";
        break;
    case FRAGPROG_CONST:
        if (src->index >= p->nkonst)
            return "a source names a constant that is not in the pool";
        break;
    default: return "unknown kind of source";
    }
    if (src->mods & ~(FRAGPROG_ABS | FRAGPROG_COMP | FRAGPROG_BIAS | FRAGPROG_2X | FRAGPROG_NEG))
        return "unknown argument modifier";
    if (src->negate & ~15)
        return "the sign of a lane that does not exist";

    unsigned read = fragprog_lanes_read(inst, arg);
    for (unsigned lane = 0; lane < 4; lane++) {
        const char *rule = check_lane(p, src, lane, read >> lane & 1 ? channels : 0);
        if (rule)
            return rule;
    }
    if (fragprog_op_is_scalar(inst->op) && !one_lane(src, read))
        return "an argument of a function of numbers reads several lanes";
    return NULL;
}

static const char *check_tex(const struct fragprog *p, const struct fragprog_inst *inst)
{
    const struct fragprog_src *src = &inst->src[0];

    if (src->file != FRAGPROG_COORD && src->file != FRAGPROG_VALUE)
        return "a texture lookup needs a texture coordinate or a value";
    if (src->mods || src->negate)
        return "a texture coordinate takes no modifier";
    for (unsigned lane = 0; lane < 4; lane++)
        if (src->lane[lane] > FRAGPROG_W)
            return "the lanes of a texture coordinate are x y z w";
    if (inst->undivided > 1 || (inst->undivided && src->lane[3] != FRAGPROG_W))
        return "a coordinate that is not divided has three lanes";
    if (inst->op == FRAGPROG_TXB && inst->undivided)
        return "a lookup with a bias of the level of detail has four lanes";
    if (inst->scale || inst->clamp)
        return "a texture lookup has neither scale nor clamp";
    if (inst->texture >= textures(p))
        return "no such texture unit";
    if (p->unbounded && inst->base != TEXENV_RGBA)
        return "the base format of an assembly program's texture is not known";
    if (inst->target >= TEXENV_TARGETS)
        return "unknown texture target";
    if (inst->base >= TEXENV_DEPTH) /* depth textures have the base format of their depth mode instead */
        return "unknown base format, or one that is not resolved";
    if (inst->shadow > 1)
        return "shadow is 0 or 1";
    return NULL;
}

static const char *check_vec(const struct fragprog_inst *inst)
{
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1 && inst->src[0].lane[c] != FRAGPROG_ZERO &&
            inst->src[1].lane[c] != FRAGPROG_ZERO)
            return "each channel of a vec is that of one argument, and 0 in the other";
    if (inst->src[0].mods || inst->src[1].mods || inst->src[0].negate || inst->src[1].negate || inst->scale ||
        inst->clamp)
        return "a vec has neither modifiers nor scale nor clamp";
    return NULL;
}

static unsigned size_of_array(const struct fragprog *p, unsigned array)
{
    unsigned n = 0;
    for (unsigned k = 0; k < p->nkonst; k++)
        n += p->konst[k].array == array;
    return n;
}

/* Checks an instruction of a vertex program. */
static const char *check_vertex(const struct fragprog *p, const struct fragprog_inst *inst)
{
    switch (inst->op) {
    case FRAGPROG_TEX:
    case FRAGPROG_TXB:
    case FRAGPROG_PROJ:
    case FRAGPROG_LERP:
    case FRAGPROG_CND:
    case FRAGPROG_CND0:
    case FRAGPROG_DOT2ADD:
    case FRAGPROG_SIN:
    case FRAGPROG_COS:
    case FRAGPROG_SCS:
    case FRAGPROG_KIL: return "an operation that vertex programs do not have";
    case FRAGPROG_LOAD:
        if (!inst->target || !size_of_array(p, inst->target))
            return "a load names an array that is not in the pool";
        if (inst->texture >= 2 * FRAGPROG_LOAD_ZERO)
            return "what a load adds to the index is within -64..63";
        break;
    case FRAGPROG_OUT:
        if (!inst->texture || inst->texture == FRAGPROG_OUT_POINTSIZE + 1 ||
            inst->texture >= FRAGPROG_VERTEX_OUTS)
            return "no such output";
        if ((inst->texture == FRAGPROG_OUT_FOGCOORD || inst->texture == FRAGPROG_OUT_POINTSIZE) &&
            inst->mask != FRAGPROG_MASK_X)
            return "the fog coordinate and the size of points have channel x only";
        break;
    default: break;
    }
    return inst->scale || inst->clamp ? "a vertex program has neither scales nor clamps" : NULL;
}

/* Checks an operation that exists in assembly programs only. */
static const char *check_assembly(const struct fragprog *p, const struct fragprog_inst *inst)
{
    if (!p->unbounded)
        return "an operation of assembly programs only";
    if (inst->op == FRAGPROG_SCS && inst->mask & ~3u)
        return "scs gives x and y only";
    if (inst->op == FRAGPROG_XPD && inst->mask & ~7u)
        return "xpd gives x, y and z only";
    if (inst->op == FRAGPROG_KIL && (inst->scale || inst->clamp))
        return "a kill has neither scale nor clamp";
    if (inst->op >= FRAGPROG_EXP && !p->vertex)
        return "an operation of vertex programs only";
    if (inst->op != FRAGPROG_OUT || p->vertex)
        return NULL;
    if (inst->texture >= FRAGPROG_MOST_TEXTURES)
        return "no such output";
    if (inst->mask != (inst->texture ? FRAGPROG_MASK_XYZW : FRAGPROG_MASK_Z))
        return "a colour output has all channels, the depth has z";
    return inst->scale || inst->clamp != FRAGPROG_SAT ? "an output is limited to [0,1] and not scaled" : NULL;
}

const char *fragprog_check_inst(const struct fragprog *p, unsigned i)
{
    const struct fragprog_inst *inst = &p->inst[i];

    if (inst->op >= FRAGPROG_OPS)
        return "unknown operation";
    if (inst->mask == 0 || inst->mask > FRAGPROG_MASK_XYZW)
        return "the mask is empty or has unknown channels";
    if (inst->scale < -3 || inst->scale > 3)
        return "the scale is not in -3..3";
    if (inst->clamp > FRAGPROG_SAT8)
        return "unknown clamp";
    if (!is_unit(inst->unit))
        return "no such texture unit";
    if (fragprog_op_is_lookup(inst->op)) {
        const char *rule = check_tex(p, inst);
        if (rule)
            return rule;
    }
    if (inst->op > FRAGPROG_DOT2ADD) {
        const char *rule = check_assembly(p, inst);
        if (rule)
            return rule;
    }
    if (p->vertex) {
        const char *rule = check_vertex(p, inst);
        if (rule)
            return rule;
    }
    for (unsigned arg = 0; arg < fragprog_op_args(inst->op); arg++) {
        const char *rule = check_src(p, i, arg);
        if (rule)
            return rule;
    }
    return inst->op == FRAGPROG_VEC ? check_vec(inst) : NULL;
}

const char *fragprog_check_const(const struct fragprog_const *konst)
{
    for (unsigned c = 0; c < 4; c++) {
        float value = konst->value[c];
        if (!(value - value == 0)) /* the condition is true for infinities and NaN */
            return "a constant is not finite";
        if (!fragprog_origin_exists(konst->origin[c].unit))
            return "a constant comes from no texture unit or parameter";
        if (konst->origin[c].unit >= 0 && konst->origin[c].component > 3)
            return "a constant comes from no component of the environment colour";
        if (konst->origin[c].unit >= 0 && konst->origin[c].unit < FRAGPROG_ORIGINS &&
            !(value >= 0 && value <= 1))
            return "an environment colour or parameter is not in [0,1]";
    }
    return NULL;
}

/* Checks that the elements of each array are adjacent. */
const char *fragprog_check_arrays(const struct fragprog *p)
{
    for (unsigned k = 1; p->vertex && k < p->nkonst; k++)
        if (p->konst[k].array && p->konst[k].array != p->konst[k - 1].array)
            for (unsigned j = 0; j + 1 < k; j++)
                if (p->konst[j].array == p->konst[k].array)
                    return "an array has other constants between its elements";
    return NULL;
}

const char *fragprog_check_result(const struct fragprog *p)
{
    uint32_t written = 0;
    for (unsigned i = 0; p->unbounded && i < p->ninst; i++)
        if (p->inst[i].op == FRAGPROG_OUT) {
            if (written >> p->inst[i].texture & 1)
                return "an output is written twice";
            written |= UINT32_C(1) << p->inst[i].texture;
        }
    if (p->result[0] >= p->ninst || p->result[1] >= p->ninst)
        return "the result names a value that does not exist";
    if (fragprog_op_has_effect(p->inst[p->result[0]].op) || fragprog_op_has_effect(p->inst[p->result[1]].op))
        return "the result names an instruction that gives no value";
    if ((p->inst[p->result[0]].mask & FRAGPROG_MASK_XYZ) != FRAGPROG_MASK_XYZ)
        return "the result's colour has not all of x y z";
    if (!(p->inst[p->result[1]].mask & FRAGPROG_MASK_W))
        return "the result's alpha has no w";
    return NULL;
}

const char *fragprog_check(const struct fragprog *p, unsigned *where)
{
    unsigned ignored;
    if (!where)
        where = &ignored;
    *where = p->ninst;
    if (p->ninst > p->maxinst || p->nkonst > p->maxkonst)
        return "more instructions or constants than the storage holds";
    for (unsigned k = 0; k < p->nkonst; k++) {
        const char *rule = fragprog_check_const(&p->konst[k]);
        if (rule)
            return rule;
    }
    if (fragprog_check_arrays(p))
        return fragprog_check_arrays(p);
    for (*where = 0; *where < p->ninst; ++*where) {
        const char *rule = fragprog_check_inst(p, *where);
        if (rule)
            return rule;
    }
    return fragprog_check_result(p);
}
