/* Checks whether one pass of ATI_fragment_shader can express an intermediate program, and rewrites the
 * program so that it can. */
#include "fragprog/atifs/assign.h"
#include "fragprog/names.h"
#include "fragprog/operand.h"

#include <string.h>

/* Encodes a literal. 0 and 1 get modifiers only where needed: 1/2 is 1-1/2, -1 is -(1). ZERO never gets
 * modifiers, because some implementations ignore them in a second or third argument. */
static const char *encode_literal(struct fragprog_atifs_arg *arg, double value)
{
    const double magnitude = value < 0 ? -value : value;
    arg->source = magnitude == 0 ? FRAGPROG_ATI_ZERO : FRAGPROG_ATI_ONE;
    arg->mods = value < 0 ? FRAGPROG_ATI_NEGATE : 0;
    if (magnitude == 0.5)
        arg->mods |= FRAGPROG_ATI_BIAS;
    else if (magnitude == 2)
        arg->mods |= FRAGPROG_ATI_2X;
    else if (magnitude != 0 && magnitude != 1)
        return "a literal other than 0, 1/2, 1, 2 and their negatives";
    return NULL;
}

const char *fragprog_encode_arg(struct fragprog_atifs_arg *arg, const struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src *src = &inst->src[s];
    const unsigned lanes = fragprog_lanes_read(inst, s), negated = src->negate & lanes,
                   first = fragprog_first_lane(lanes);
    const uint32_t read = fragprog_lane_word(src->lane, lanes);
    const bool identity = read == fragprog_lane_word(fragprog_in_place, lanes),
               same = read == fragprog_same_lanes(src->lane[first], lanes) && (!negated || negated == lanes),
               alpha_half = inst->mask == FRAGPROG_MASK_W && !fragprog_op_is_dot(inst->op);
    *arg = (struct fragprog_atifs_arg){0};
    if (read & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE) {
        double value;
        if (!same || !fragprog_literal_value(src, lanes, &value))
            return "an argument that mixes literals with other channels";
        return encode_literal(arg, value);
    }
    if (!identity && !same)
        return "a swizzle other than one channel everywhere";
    if (negated && (negated != lanes || src->mods & ~FRAGPROG_NEG))
        return "a negation of single channels, or before other modifiers";
    if (src->mods & FRAGPROG_ABS)
        return "an absolute value";
    switch (src->file) {
    case FRAGPROG_VALUE: arg->source = FRAGPROG_ATI_REG_0; break;
    case FRAGPROG_PRIMARY: arg->source = FRAGPROG_ATI_PRIMARY; break;
    case FRAGPROG_SECONDARY: arg->source = FRAGPROG_ATI_SECONDARY; break;
    case FRAGPROG_CONST: arg->source = (uint16_t)(FRAGPROG_ATI_CON_0 + src->index); break;
    default: return "texture coordinates as an argument";
    }
    if (alpha_half ? src->lane[first] != FRAGPROG_W : !identity)
        arg->rep = (uint16_t)(FRAGPROG_ATI_RED + src->lane[first]);
    arg->mods = (uint8_t)((src->mods & FRAGPROG_2X ? FRAGPROG_ATI_2X : 0) |
                          (src->mods & FRAGPROG_COMP ? FRAGPROG_ATI_COMP : 0) |
                          (src->mods & FRAGPROG_BIAS ? FRAGPROG_ATI_BIAS : 0) |
                          (!(src->mods & FRAGPROG_NEG) != !negated ? FRAGPROG_ATI_NEGATE : 0));
    return NULL;
}

/* Returns true for fixed-function lookups. emit_atifs.c emits lookups of three coordinates with swizzle class
 * STR, and lookups that divide by q with class STQ. */
static bool is_fixed_function(const struct fragprog_inst *tex)
{
    for (unsigned lane = 0; lane < 4; lane++)
        if (tex->src[0].lane[lane] != lane)
            return false;
    return !tex->undivided;
}
static bool divides(const struct fragprog_inst *tex)
{
    return tex->target != TEXENV_3D && tex->target != TEXENV_CUBE;
}

static bool legal_texture(struct fragprog_assigning *s, unsigned i, unsigned *seen)
{
    const struct fragprog_inst *inst = &s->p->inst[i];
    int unit = inst->texture;
    if (inst->shadow) {
        fragprog_refuse(s->why, unit, "shadow",
                        "unit %d: shadow comparison cannot be expressed (the extension treats "
                        "TEXTURE_COMPARE_MODE as NONE)",
                        unit);
        return fragprog_would_fit(s->why, "unit %d without comparison", unit);
    }
    if (inst->src[0].file != FRAGPROG_COORD)
        return fragprog_refuse(s->why, unit, "dependent",
                               "unit %d: a dependent texture read needs a second pass", unit);
    if (!is_fixed_function(inst))
        return fragprog_refuse(
            s->why, unit, "coordinates",
            "unit %d: a lookup with other coordinates than fixed function's is not scheduled", unit);
    if (inst->clamp == FRAGPROG_SAT || inst->scale)
        return fragprog_refuse(s->why, unit, "form", "%%%u: a texture lookup has no scale and no clamp", i);
    if (*seen & 1u << unit)
        return fragprog_refuse(s->why, unit, "textures",
                               "unit %d is looked up twice; one register holds one lookup", unit);
    *seen |= 1u << unit;
    for (unsigned j = 0; j < i; j++)
        if (s->p->inst[j].op == FRAGPROG_TEX && s->p->inst[j].src[0].index == inst->src[0].index &&
            divides(&s->p->inst[j]) != divides(inst))
            return fragprog_refuse(s->why, unit, "coordinates",
                                   "coordinate set %u is looked up with and without division by q; the "
                                   "extension allows one of them",
                                   inst->src[0].index);
    return true;
}

static bool legal_constants(struct fragprog_assigning *s)
{
    if (s->p->nkonst > 8)
        return fragprog_refuse(s->why, -1, "constants", "%u constants: the extension has 8", s->p->nkonst);
    for (unsigned k = 0; k < s->p->nkonst; k++) {
        if (!fragprog_is_whole_constant(&s->p->konst[k]))
            return fragprog_refuse(s->why, -1, "constants", "constant c%u mixes parameters", k);
        for (unsigned c = 0; c < 4; c++)
            if (!(s->p->konst[k].value[c] >= 0.0f && s->p->konst[k].value[c] <= 1.0f))
                return fragprog_refuse(s->why, -1, "constants",
                                       "constant c%u is %f: the extension's constants are in [0,1]", k,
                                       (double)s->p->konst[k].value[c]);
    }
    return true;
}

bool fragprog_legal(struct fragprog_assigning *s)
{
    unsigned seen = 0;
    if (s->p->ninst > FRAGPROG_TEXENV_INSTS)
        return fragprog_refuse(s->why, -1, "pairs", "%u instructions: one pass has %d pairs", s->p->ninst,
                               FRAGPROG_PAIRS);
    if (!legal_constants(s))
        return false;
    for (unsigned i = 0; i < s->p->ninst; i++) {
        const struct fragprog_inst *inst = &s->p->inst[i];
        if (inst->op == FRAGPROG_TEX) {
            if (!legal_texture(s, i, &seen))
                return false;
            continue;
        }
        if (inst->mask != FRAGPROG_MASK_W && inst->mask & FRAGPROG_MASK_W)
            return fragprog_refuse(s->why, inst->unit, "form",
                                   "%%%u writes colour and alpha: they are two instructions of a pair", i);
        if (!fragprog_op_api(inst->op))
            return fragprog_refuse(s->why, inst->unit, "form",
                                   "%%%u: no instruction of the extension does that", i);
        unsigned konst[3], nkonst = 0;
        for (unsigned k = 0; k < fragprog_op_args(inst->op); k++) {
            struct fragprog_atifs_arg arg;
            const char *problem = fragprog_encode_arg(&arg, inst, k);
            if (problem)
                return fragprog_refuse(s->why, inst->unit, "form",
                                       "%%%u has %s, which the extension cannot express", i, problem);
            bool known = inst->src[k].file != FRAGPROG_CONST;
            for (unsigned j = 0; j < nkonst; j++)
                known |= konst[j] == inst->src[k].index;
            if (!known)
                konst[nkonst++] = inst->src[k].index;
        }
        if (nkonst > 2)
            return fragprog_refuse(s->why, inst->unit, "constants",
                                   "%%%u reads 3 constants: an instruction of the extension reads at most 2",
                                   i);
    }
    return true;
}

bool fragprog_insert_checked(struct fragprog_assigning *s, unsigned at, const struct fragprog_inst *inst)
{
    unsigned n = s->p->ninst;
    if (n >= s->p->maxinst || n >= FRAGPROG_TEXENV_INSTS)
        return fragprog_refuse(s->why, inst->unit, "pairs",
                               "the program does not fit the %d pairs of one pass", FRAGPROG_PAIRS);
    memmove(&s->alone[at + 1], &s->alone[at], (n - at) * sizeof s->alone[0]);
    s->alone[at] = false;
    fragprog_insert(s->p, at, inst);
    return true;
}

struct fragprog_inst fragprog_move_of(const struct fragprog_inst *like, unsigned value)
{
    struct fragprog_inst mov = {.op = FRAGPROG_MOV,
                                .mask = like->mask,
                                .unit = like->unit,
                                .scale = like->scale,
                                .clamp = like->clamp};
    mov.src[0] = like->mask == FRAGPROG_MASK_W ? fragprog_src_replicate(FRAGPROG_VALUE, value, FRAGPROG_W)
                                               : fragprog_src_value(value);
    return mov;
}

/* A dot product in the alpha half may exist only as companion of the same dot product in the directly
 * preceding colour half (extension, "dot product instructions"). If the scales or clamps of the halves
 * differ, ATI_fragment_shader does not define which apply; the dot product then has neither, and moves apply
 * the scales and clamps. */
static bool legalise_alpha_dot(struct fragprog_assigning *s, unsigned i)
{
    struct fragprog_inst *inst = s->p->inst;
    bool companion = i > 0 && inst[i - 1].mask != FRAGPROG_MASK_W &&
        fragprog_same_operation(&inst[i - 1], &inst[i]);
    if (!companion) {
        struct fragprog_inst color = inst[i];
        color.mask = FRAGPROG_MASK_XYZ;
        return fragprog_insert_checked(s, i, &color);
    }
    if (inst[i - 1].scale == inst[i].scale && inst[i - 1].clamp == inst[i].clamp)
        return true;
    struct fragprog_inst plain[2] = {inst[i - 1], inst[i]};
    plain[0].mask = FRAGPROG_MASK_XYZ;
    for (unsigned h = 0; h < 2; h++)
        plain[h].scale = 0, plain[h].clamp = FRAGPROG_NO_CLAMP;
    if (!fragprog_insert_checked(s, i - 1, &plain[0]) || !fragprog_insert_checked(s, i, &plain[1]))
        return false;
    inst[i + 1] = fragprog_move_of(&inst[i + 1], i - 1);
    inst[i + 2] = fragprog_move_of(&inst[i + 2], i);
    return true;
}

bool fragprog_moves_result(const struct fragprog *p, unsigned half, struct fragprog_inst *move)
{
    const struct fragprog_inst *made = &p->inst[p->result[half]];
    const uint8_t mask = half == TEXENV_ALPHA ? FRAGPROG_MASK_W : FRAGPROG_MASK_XYZ;
    if (made->op != FRAGPROG_TEX && made->mask == mask)
        return false;
    *move = (struct fragprog_inst){
        .op = FRAGPROG_MOV, .mask = mask, .unit = made->unit, .clamp = FRAGPROG_SAT};
    move->src[0] = half == TEXENV_ALPHA ? fragprog_src_replicate(FRAGPROG_VALUE, p->result[half], FRAGPROG_W)
                                        : fragprog_src_value(p->result[half]);
    return true;
}

bool fragprog_legalise_results(struct fragprog_assigning *s)
{
    struct fragprog *p = s->p;
    struct fragprog_inst move;
    for (unsigned half = 0; half < 2; half++)
        if (fragprog_moves_result(p, half, &move)) {
            if (!fragprog_insert_checked(s, p->ninst, &move))
                return false;
            p->result[half] = (uint16_t)(p->ninst - 1);
        }
    if (s->options->avoid_mesa && s->options->color_sum) {
        struct fragprog_inst add = {
            .op = FRAGPROG_ADD, .mask = FRAGPROG_MASK_XYZ, .unit = -1, .clamp = FRAGPROG_SAT};
        add.src[0] = fragprog_src_value(p->result[TEXENV_RGB]);
        add.src[1] = fragprog_src_value(0);
        add.src[1].file = FRAGPROG_SECONDARY;
        if (!fragprog_insert_checked(s, p->ninst, &add))
            return false;
        p->result[TEXENV_RGB] = (uint16_t)(p->ninst - 1);
    }
    return true;
}

bool fragprog_legalise(struct fragprog_assigning *s)
{
    struct fragprog *p = s->p;
    if (!fragprog_legalise_results(s))
        return false;
    for (unsigned i = 0; i < p->ninst; i++)
        if (fragprog_op_is_dot(p->inst[i].op) && p->inst[i].mask == FRAGPROG_MASK_W) {
            unsigned before = p->ninst;
            if (!legalise_alpha_dot(s, i))
                return false;
            i += p->ninst - before;
        }
    return true;
}
