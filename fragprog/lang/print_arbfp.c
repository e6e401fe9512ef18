/* Prints programs of ARB_fragment_program. "The specification" is that extension, revision 26.
 *
 * A value is in one temporary, in the channels of its mask. Each channel of a temporary is free again after
 * the last use of its value. Instructions keep their order. Independent lookups come first in it, so that a
 * texture environment has one texture indirection. */
#include "fragprog/lang/arbfp.h"

#include <string.h>

static size_t small(unsigned insts)
{
    size_t n = insts * (sizeof(struct fragprog_arbfp_value) + sizeof(struct fragprog_arbfp_temp));
    return (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
}

size_t fragprog_arbfp_scratch(unsigned insts) { return small(insts) + fragprog_arbfp_temps_scratch(insts); }

/* ---- temporaries ---- */

static void use(struct fragprog_arbfp *a, unsigned value, unsigned reader)
{
    struct fragprog_arbfp_value *v = &a->value[value];
    v->last = (uint16_t)reader;
    v->uses += v->uses < 3;
}

bool fragprog_arbfp_in_place(const struct fragprog_inst *vec, unsigned s)
{
    const struct fragprog_src *src = &vec->src[s];
    if (src->file != FRAGPROG_VALUE)
        return false;
    for (unsigned c = 0; c < 4; c++)
        if (vec->mask >> c & 1 && src->lane[c] != FRAGPROG_ZERO && src->lane[c] != c)
            return false;
    return fragprog_channels_read(vec, s) != 0;
}

static void find_uses(struct fragprog_arbfp *a)
{
    memset(a->value, 0, a->p->ninst * sizeof *a->value);
    memset(a->temp, 0, a->p->ninst * sizeof *a->temp);
    a->full = 0;
    for (unsigned i = 0; i < a->p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(a->p->inst[i].op); s++)
            if (a->p->inst[i].src[s].file == FRAGPROG_VALUE)
                use(a, a->p->inst[i].src[s].index, i);
    for (unsigned h = 0; h < 2; h++)
        use(a, a->p->result[h], a->p->ninst);
    for (unsigned i = a->p->ninst; i-- > 0;)
        for (unsigned s = 0; a->p->inst[i].op == FRAGPROG_VEC && s < 2; s++)
            if (fragprog_arbfp_in_place(&a->p->inst[i], s)) {
                struct fragprog_arbfp_value *v = &a->value[a->p->inst[i].src[s].index];
                if (!v->leader)
                    v->leader = a->value[i].leader ? a->value[i].leader : (uint16_t)(i + 1);
            }
}

static void occupy(struct fragprog_arbfp *a, unsigned value, unsigned temp)
{
    struct fragprog_arbfp_value *v = &a->value[value];
    v->temp = (uint16_t)temp;
    for (unsigned c = 0; c < 4; c++)
        a->temp[temp].users[c] += a->p->inst[value].mask >> c & 1;
    if (temp >= a->temps)
        a->temps = temp + 1;
    if (v->leader)
        a->value[v->leader - 1].hint = (uint16_t)(temp + 1);
}

static void release(struct fragprog_arbfp *a, unsigned value)
{
    const unsigned temp = a->value[value].temp;
    if (temp == FRAGPROG_ARBFP_RESULT)
        return;
    for (unsigned c = 0; c < 4; c++)
        a->temp[temp].users[c] -= a->p->inst[value].mask >> c & 1;
    a->full = temp < a->full ? temp : a->full;
}

static void free_sources(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        const unsigned j = inst->src[s].index;
        bool again = false;
        for (unsigned t = 0; t < s; t++)
            again |= inst->src[t].file == FRAGPROG_VALUE && inst->src[t].index == j;
        if (inst->src[s].file == FRAGPROG_VALUE && a->value[j].last == i && !again)
            release(a, j);
    }
}

/* Returns true if instruction i may write the result itself: it is a single instruction of the language, and
 * its value has no other use. */
static bool writes_result(const struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    unsigned uses = a->value[i].uses;
    bool color = a->p->result[TEXENV_RGB] == i,
         whole = color && a->p->result[TEXENV_ALPHA] == i && inst->mask == FRAGPROG_MASK_XYZW;
    if (uses != (whole ? 2 : 1) || fragprog_op_is_lookup(inst->op) || inst->op == FRAGPROG_VEC ||
        inst->scale || inst->clamp == FRAGPROG_SAT8)
        return false;
    return color ? !a->options->color_sum && (whole || inst->mask == FRAGPROG_MASK_XYZ)
                 : a->p->result[TEXENV_ALPHA] == i && inst->mask == FRAGPROG_MASK_W;
}

static bool is_free(const struct fragprog_arbfp *a, unsigned temp, unsigned mask)
{
    unsigned busy = 0;
    for (unsigned c = 0; c < 4; c++)
        busy |= (a->temp[temp].users[c] ? 1u : 0) << c;
    return !(busy & mask);
}

/* Returns a temporary for the value: that of the vec that will read it, or the first one with free
 * channels. */
static unsigned find_temp(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_arbfp_value *v = &a->value[i];
    unsigned mask = a->p->inst[i].mask, t = a->full;
    if (v->leader) {
        const unsigned hint = a->value[v->leader - 1].hint;
        if (hint && is_free(a, hint - 1, mask))
            return hint - 1;
        mask |= a->p->inst[v->leader - 1].mask;
    }
    while (!is_free(a, t, mask)) {
        bool full = true;
        for (unsigned c = 0; c < 4; c++)
            full &= a->temp[t].users[c] != 0;
        a->full += full && t == a->full;
        t++;
    }
    return t;
}

/* Finds a temporary that holds the channels of one argument, and whose other channels are free or hold the
 * other argument. The vec then takes at most one instruction. */
static bool share_temp(struct fragprog_arbfp *a, unsigned i, unsigned *temp)
{
    const struct fragprog_inst *vec = &a->p->inst[i];
    for (unsigned s = 0; s < 2; s++) {
        unsigned rest = vec->mask;
        if (!fragprog_arbfp_in_place(vec, s) || a->value[vec->src[s].index].temp == FRAGPROG_ARBFP_RESULT)
            continue;
        *temp = a->value[vec->src[s].index].temp;
        for (unsigned t = 0; t < 2; t++)
            if (fragprog_arbfp_in_place(vec, t) && a->value[vec->src[t].index].temp == *temp)
                rest &= ~fragprog_channels_read(vec, t);
        if (is_free(a, *temp, rest))
            return true;
    }
    return false;
}

static void place_value(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    unsigned temp;
    if (a->coloured)
        return;
    if (fragprog_op_has_effect(inst->op)) {
        free_sources(a, i);
        a->value[i].temp = FRAGPROG_ARBFP_RESULT;
        return;
    }
    if (inst->op != FRAGPROG_VEC) /* a vec may write before it has read all arguments */
        free_sources(a, i);
    if (writes_result(a, i))
        a->value[i].temp = FRAGPROG_ARBFP_RESULT;
    else if (inst->op == FRAGPROG_VEC && share_temp(a, i, &temp))
        occupy(a, i, temp);
    else
        occupy(a, i, find_temp(a, i));
    if (inst->op == FRAGPROG_VEC)
        free_sources(a, i);
    if (!a->value[i].uses) /* it is never read */
        release(a, i);
}

static void print_destination(const struct fragprog_arbfp *a, unsigned value, unsigned mask)
{
    const struct fragprog_inst *inst = &a->p->inst[value];
    if (inst->op == FRAGPROG_OUT && a->p->vertex)
        fragprog_arbvp_output(a->text, inst->texture);
    else if (inst->op == FRAGPROG_OUT && inst->texture)
        texenv_printf(a->text, "result.color[%u]", (unsigned)inst->texture);
    else if (inst->op == FRAGPROG_OUT)
        texenv_printf(a->text, "result.depth");
    else if (a->value[value].temp == FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, a->p->vertex ? "result.position" : "result.color");
    else
        texenv_printf(a->text, "r%u", (unsigned)a->value[value].temp);
    fragprog_arbfp_mask(a->text, mask);
}

/* ---- instructions ---- */

/* Begins an instruction: NAME[_SAT] destination. Only the last instruction of a value has its clamp. */
static void begin(struct fragprog_arbfp *a, const char *name, unsigned i, unsigned mask)
{
    a->instructions++;
    const struct fragprog_inst *inst = &a->p->inst[i];
    texenv_printf(a->text, "%s%s ", name, inst->clamp == FRAGPROG_SAT && !inst->scale ? "_SAT" : "");
    print_destination(a, i, mask);
}

static void finish(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    if (inst->scale) {
        texenv_printf(a->text, inst->clamp == FRAGPROG_SAT ? "MUL_SAT " : "MUL ");
        print_destination(a, i, inst->mask);
        texenv_printf(a->text, ", r%u, %f;\n", (unsigned)a->value[i].temp, fragprog_power(inst->scale));
    }
    for (unsigned n = 0; n < 2 && inst->clamp == FRAGPROG_SAT8; n++) {
        texenv_printf(a->text, n ? "MAX " : "MIN ");
        print_destination(a, i, inst->mask);
        texenv_printf(a->text, n ? ", r%u, -8;\n" : ", r%u, 8;\n", (unsigned)a->value[i].temp);
    }
}

static void print_tex(struct fragprog_arbfp *a, unsigned i)
{
    static const char *const targets[TEXENV_TARGETS] = {"1D", "2D", "RECT", "3D", "CUBE"};
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, inst, 0);
    texenv_printf(a->text,
                  inst->op == FRAGPROG_TXB               ? "TXB "
                      : fragprog_lanes_read(inst, 0) & 8 ? "TXP "
                                                         : "TEX ");
    print_destination(a, i, inst->mask);
    texenv_printf(a->text, ", ");
    fragprog_arbfp_operand(a, &o);
    texenv_printf(a->text, ", texture[%u], %s%s;\n", (unsigned)inst->texture, inst->shadow ? "SHADOW" : "",
                  targets[inst->target]);
}

/* Prints an operation of one instruction, with the arguments in the order of the IR. CMP tests its first
 * argument for < 0. */
static void print_plain(struct fragprog_arbfp *a, unsigned i, const char *name,
                        const struct fragprog_arbfp_operand *o, unsigned n)
{
    begin(a, name, i, a->p->inst[i].mask);
    for (unsigned s = 0; s < n; s++) {
        texenv_printf(a->text, ", ");
        fragprog_arbfp_operand(a, &o[s]);
    }
    texenv_printf(a->text, ";\n");
}

/* Returns one lane of an argument, replicated to all channels. */
static struct fragprog_arbfp_operand one_lane(struct fragprog_arbfp *a, const struct fragprog_inst *inst,
                                              unsigned s, unsigned lane)
{
    struct fragprog_inst one = *inst;
    one.op = FRAGPROG_MOV;
    one.mask = (uint8_t)(1u << lane);
    return fragprog_arbfp_prepare(a, &one, s);
}

static void print_scalar(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o, unsigned lane)
{
    fragprog_arbfp_operand(a, o);
    if (o->kind == FRAGPROG_ARBFP_SCRATCHED)
        texenv_printf(a->text, ".%c", fragprog_arbfp_channels[lane]);
}

static void print_dot2add(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o[3];
    for (unsigned s = 0; s < 2; s++)
        o[s] = one_lane(a, inst, s, 1);
    o[2] = one_lane(a, inst, 2, 2);
    fragprog_arbfp_begin_scratch(a, "MAD", 2, 1);
    for (unsigned s = 0; s < 3; s++) {
        print_scalar(a, &o[s], s == 2 ? 2 : 1);
        texenv_printf(a->text, s < 2 ? ", " : ";\n");
    }
    for (unsigned s = 0; s < 2; s++)
        o[s] = one_lane(a, inst, s, 0);
    begin(a, "MAD", i, inst->mask);
    for (unsigned s = 0; s < 2; s++) {
        texenv_printf(a->text, ", ");
        print_scalar(a, &o[s], 0);
    }
    texenv_printf(a->text, ", s2.x;\n");
}

static void print_vec(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    unsigned left = inst->mask;
    for (unsigned s = 0; s < 2; s++) {
        struct fragprog_inst part = *inst;
        part.op = FRAGPROG_MOV;
        part.src[0] = inst->src[s];
        for (unsigned c = 0; c < 4; c++)
            if (!(left >> c & 1) || (inst->src[s].lane[c] == FRAGPROG_ZERO && s == 0))
                part.mask &= (uint8_t) ~(1u << c);
        left &= ~(unsigned)part.mask;
        if (fragprog_arbfp_in_place(inst, s) && a->value[inst->src[s].index].temp == a->value[i].temp)
            for (unsigned c = 0; c < 4; c++) /* removes the channels that are already in the temporary */
                if (inst->src[s].lane[c] == c)
                    part.mask &= (uint8_t) ~(1u << c);
        if (!part.mask)
            continue;
        struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, &part, 0);
        begin(a, "MOV", i, part.mask);
        texenv_printf(a->text, ", ");
        fragprog_arbfp_operand(a, &o);
        texenv_printf(a->text, ";\n");
    }
}

/* Prints PROJ, which divides by a channel, as a product with the reciprocal. */
static void print_proj(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand divisor = one_lane(a, inst, 0, 3), o;
    struct fragprog_inst rest = *inst;
    unsigned ones = 0;
    fragprog_arbfp_begin_scratch(a, "RCP", 1, FRAGPROG_MASK_W);
    print_scalar(a, &divisor, 3);
    texenv_printf(a->text, ";\n");
    for (unsigned c = 0; c < 4; c++)
        if (inst->mask >> c & 1 && inst->src[0].lane[c] == FRAGPROG_ONE && !inst->src[0].mods &&
            !(inst->src[0].negate >> c & 1))
            ones |= 1u << c;
    rest.op = FRAGPROG_MOV;
    rest.mask &= (uint8_t)~ones;
    if (rest.mask) {
        o = fragprog_arbfp_prepare(a, &rest, 0);
        begin(a, "MUL", i, rest.mask);
        texenv_printf(a->text, ", ");
        fragprog_arbfp_operand(a, &o);
        texenv_printf(a->text, ", s1.w;\n");
    }
    if (ones) {
        begin(a, "MOV", i, ones);
        texenv_printf(a->text, ", s1.w;\n");
    }
}

/* Prints an operand of which the instruction reads one component. */
static void print_component(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o)
{
    if (o->kind == FRAGPROG_ARBFP_LITERAL)
        texenv_printf(a->text, "{%f}.x", o->literal);
    else
        print_scalar(a, o, fragprog_first_lane(o->lanes));
}

/* Prints a scalar function, whose operands have one component. */
static void print_function(struct fragprog_arbfp *a, unsigned i, const char *name)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o[2];
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        o[s] = fragprog_arbfp_prepare(a, inst, s);
    begin(a, name, i, inst->mask);
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
        texenv_printf(a->text, ", ");
        print_component(a, &o[s]);
    }
    texenv_printf(a->text, ";\n");
}

static void print_kill(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, inst, 0);
    const unsigned lane = fragprog_first_lane(inst->mask);
    texenv_printf(a->text, "KIL ");
    fragprog_arbfp_operand(a, &o);
    if (o.kind == FRAGPROG_ARBFP_SCRATCHED && inst->mask != FRAGPROG_MASK_XYZW) {
        texenv_printf(a->text, "."); /* replace the channels that were not computed */
        for (unsigned c = 0; c < 4; c++)
            texenv_printf(a->text, "%c", fragprog_arbfp_channels[inst->mask >> c & 1 ? c : lane]);
    }
    texenv_printf(a->text, ";\n");
}

/* Returns true for copies with ABS, which is an instruction of the language and needs no scratch register. */
static bool is_abs(const struct fragprog_inst *inst)
{
    return inst->op == FRAGPROG_MOV && inst->src[0].mods == FRAGPROG_ABS && !inst->scale;
}

static void print_arithmetic(struct fragprog_arbfp *a, unsigned i)
{
    static const char names[FRAGPROG_OPS][4] = {
        [FRAGPROG_MOV] = "MOV",  [FRAGPROG_ADD] = "ADD",  [FRAGPROG_MUL] = "MUL", [FRAGPROG_SUB] = "SUB",
        [FRAGPROG_DOT3] = "DP3", [FRAGPROG_DOT4] = "DP4", [FRAGPROG_MAD] = "MAD", [FRAGPROG_LERP] = "LRP",
        [FRAGPROG_MIN] = "MIN",  [FRAGPROG_MAX] = "MAX",  [FRAGPROG_SGE] = "SGE", [FRAGPROG_SLT] = "SLT",
        [FRAGPROG_FRC] = "FRC",  [FRAGPROG_FLR] = "FLR",  [FRAGPROG_RCP] = "RCP", [FRAGPROG_RSQ] = "RSQ",
        [FRAGPROG_EX2] = "EX2",  [FRAGPROG_LG2] = "LG2",  [FRAGPROG_POW] = "POW", [FRAGPROG_SIN] = "SIN",
        [FRAGPROG_COS] = "COS",  [FRAGPROG_SCS] = "SCS",  [FRAGPROG_LIT] = "LIT", [FRAGPROG_DST] = "DST",
        [FRAGPROG_XPD] = "XPD",  [FRAGPROG_DPH] = "DPH",  [FRAGPROG_OUT] = "MOV", [FRAGPROG_EXP] = "EXP",
        [FRAGPROG_LOG] = "LOG"};
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o[3];
    if (fragprog_op_is_scalar(inst->op)) {
        print_function(a, i, names[inst->op]);
        return;
    }
    if (a->p->unbounded && inst->op == FRAGPROG_MOV && !inst->src[0].mods &&
        fragprog_arbfp_is_extended(a, &inst->src[0], inst->mask)) {
        begin(a, "SWZ", i, inst->mask);
        texenv_printf(a->text, ", ");
        fragprog_arbfp_extended(a, &inst->src[0], inst->mask);
        texenv_printf(a->text, ";\n");
        return;
    }
    if (is_abs(inst)) {
        struct fragprog_inst plain = *inst;
        plain.src[0].mods = plain.src[0].negate = 0;
        o[0] = fragprog_arbfp_prepare(a, &plain, 0);
        print_plain(a, i, "ABS", o, 1);
        return;
    }
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        o[s] = fragprog_arbfp_prepare(a, inst, s);
    if (inst->op == FRAGPROG_CND) { /* c > 1/2 ? a : b is 1/2 - c < 0 ? a : b */
        fragprog_arbfp_begin_scratch(a, "SUB", 2, inst->mask);
        texenv_printf(a->text, "0.5, ");
        fragprog_arbfp_operand(a, &o[2]);
        texenv_printf(a->text, ";\n");
        o[2].kind = FRAGPROG_ARBFP_SCRATCHED;
        o[2].negative = false;
        print_plain(a, i, "CMP", (struct fragprog_arbfp_operand[3]){o[2], o[0], o[1]}, 3);
    } else if (inst->op == FRAGPROG_CND0) { /* c >= 0 ? a : b is c < 0 ? b : a */
        print_plain(a, i, "CMP", (struct fragprog_arbfp_operand[3]){o[2], o[1], o[0]}, 3);
    } else {
        print_plain(a, i, names[inst->op], o, fragprog_op_args(inst->op));
    }
}

/* Prints ARL A0.x, scalar; MOV destination, arrayN[A0.x+n]. ARL is omitted if the register already has the
 * value. */
static void print_load(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    const int offset = (int)inst->texture - FRAGPROG_LOAD_ZERO;
    struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, inst, 0);
    if (!a->loaded || !fragprog_same_source(&inst->src[0], &a->address, inst->mask)) {
        a->instructions++;
        texenv_printf(a->text, "ARL A0.x, ");
        print_component(a, &o);
        texenv_printf(a->text, ";\n");
    }
    begin(a, "MOV", i, inst->mask);
    texenv_printf(a->text, ", array%u[A0.x", (unsigned)inst->target);
    if (offset)
        texenv_printf(a->text, "%s%d", offset > 0 ? "+" : "", offset);
    texenv_printf(a->text, "];\n");
    a->loaded = true;
    a->address = inst->src[0];
    const unsigned lane = fragprog_first_lane(o.lanes); /* it is stored in all four lanes */
    memset(a->address.lane, inst->src[0].lane[lane], sizeof a->address.lane);
    a->address.negate = inst->src[0].negate >> lane & 1 ? FRAGPROG_MASK_XYZW : 0;
}

static void print_inst(struct fragprog_arbfp *a, unsigned i)
{
    switch (a->p->inst[i].op) {
    case FRAGPROG_TEX:
    case FRAGPROG_TXB: print_tex(a, i); return;
    case FRAGPROG_KIL: print_kill(a, i); return;
    case FRAGPROG_LOAD: print_load(a, i); return;
    case FRAGPROG_DOT2ADD: print_dot2add(a, i); break;
    case FRAGPROG_VEC: print_vec(a, i); break;
    case FRAGPROG_PROJ: print_proj(a, i); break;
    default: print_arithmetic(a, i);
    }
    finish(a, i);
}

/* ---- the program ---- */

/* Prints the position, whose two halves may be two values. */
static void print_position(struct fragprog_arbfp *a)
{
    const unsigned xyz = a->value[a->p->result[0]].temp, w = a->value[a->p->result[1]].temp;
    if (xyz == w && xyz != FRAGPROG_ARBFP_RESULT) {
        texenv_printf(a->text, "MOV result.position, r%u;\n", xyz);
        return;
    }
    if (xyz != FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, "MOV result.position.xyz, r%u;\n", xyz);
    if (w != FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, "MOV result.position.w, r%u;\n", w);
}

static void print_result(struct fragprog_arbfp *a)
{
    unsigned color = a->p->result[TEXENV_RGB], alpha = a->p->result[TEXENV_ALPHA];
    if (a->options->color_sum) {
        texenv_printf(a->text, "ADD_SAT result.color.xyz, r%u, fragment.color.secondary;\n",
                      (unsigned)a->value[color].temp);
    } else if (a->value[color].temp != FRAGPROG_ARBFP_RESULT &&
               a->value[color].temp == a->value[alpha].temp) {
        texenv_printf(a->text, "MOV result.color, r%u;\n", (unsigned)a->value[color].temp);
        return;
    } else if (a->value[color].temp != FRAGPROG_ARBFP_RESULT) {
        texenv_printf(a->text, "MOV result.color.xyz, r%u;\n", (unsigned)a->value[color].temp);
    }
    if (a->value[alpha].temp != FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, "MOV result.color.w, r%u;\n", (unsigned)a->value[alpha].temp);
}

static void print_body(struct fragprog_arbfp *a)
{
    int unit = -1;
    a->instructions = 0;
    a->loaded = false;
    if (!a->coloured)
        find_uses(a);
    for (unsigned i = 0; i < a->p->ninst; i++) {
        if (a->p->inst[i].op != FRAGPROG_TEX && a->p->inst[i].unit != unit && a->p->inst[i].unit >= 0)
            texenv_printf(a->text, "# unit %d\n", (int)a->p->inst[i].unit);
        unit = a->p->inst[i].op != FRAGPROG_TEX ? a->p->inst[i].unit : unit;
        place_value(a, i);
        if (!a->p->invariant || (i != a->p->result[0] && i != a->p->result[1]))
            print_inst(a, i);
    }
    if (!a->p->vertex)
        print_result(a);
    else if (!a->p->invariant)
        print_position(a);
}

static void print_params(struct fragprog_arbfp *a, const struct fragprog_reading *r)
{
    for (int n = 0; n < FRAGPROG_ORIGINS; n++) {
        if (!(r->origins >> n & 1))
            continue;
        texenv_printf(a->text, "PARAM ");
        fragprog_arbfp_origin(a->text, n);
        if (n < FRAGPROG_ORIGIN_GLOBAL)
            texenv_printf(a->text, " = state.texenv[%d].color;\n", n);
        else
            texenv_printf(a->text, " = program.%s[%d];\n", n < FRAGPROG_ORIGIN_LOCAL ? "env" : "local",
                          n % TEXENV_UNITS);
    }
    for (unsigned k = 0; k < a->p->nkonst; k++) {
        bool any = false;
        float value[4];
        for (unsigned c = 0; c < 4; c++) {
            struct fragprog_channel channel = fragprog_const_channel(a->p, k, c, a->options);
            any |= channel.origin < 0 && !a->p->konst[k].array;
            value[c] = channel.origin < 0 ? channel.value + 0.0f : 0;
        }
        if (any)
            texenv_printf(a->text, "PARAM c%u = {%f, %f, %f, %f};\n", k, (double)value[0], (double)value[1],
                          (double)value[2], (double)value[3]);
    }
}

static void print_temps(struct texenv_text *text, const char *name, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        texenv_printf(text, "%s%s%u%s", i ? ", " : "TEMP ", name, i, i + 1 == n ? ";\n" : "");
}

void fragprog_print_arbfp(struct texenv_text *text, const struct fragprog *p,
                          const struct fragprog_reading *r, const struct fragprog_language_options *options,
                          void *scratch, bool colours)
{
    static const char *const fog[] = {
        [TEXENV_FOG_LINEAR] = "linear", [TEXENV_FOG_EXP] = "exp", [TEXENV_FOG_EXP2] = "exp2"};
    struct texenv_text none;
    struct fragprog rewritten;
    struct fragprog_arbfp a = {.text = &none, .p = p, .options = options};
    texenv_text_init(&none, NULL, 0);
    a.value = scratch;
    a.temp = (void *)&a.value[p->ninst];
    print_body(&a); /* find the number of temporaries */
    if (colours && fragprog_arbfp_colour(&a, &rewritten, (char *)scratch + small(p->ninst))) {
        const unsigned instructions = a.instructions;
        a.p = &rewritten;
        a.coloured = true;
        print_body(&a);
        if (a.instructions > instructions) { /* a saved temporary is not worth additional moves */
            a = (struct fragprog_arbfp){
                .text = &none, .p = p, .options = options, .value = a.value, .temp = a.temp};
            print_body(&a);
        }
    }
    a.text = text;
    texenv_printf(text, p->vertex ? "!!ARBvp1.0\n" : "!!ARBfp1.0\n");
    if (p->invariant)
        texenv_printf(text, "OPTION ARB_position_invariant;\n");
    if (options->fog)
        texenv_printf(text, "OPTION ARB_fog_%s;\n", fog[options->fog]);
    if (r->shadow)
        texenv_printf(text, "OPTION ARB_fragment_program_shadow;\n");
    if (r->outputs & ~1u && !p->vertex)
        texenv_printf(text, "OPTION ARB_draw_buffers;\n");
    print_params(&a, r);
    fragprog_arbvp_arrays(text, p);
    print_temps(text, "r", a.temps);
    print_temps(text, "s", a.scratch);
    print_body(&a);
    texenv_printf(text, "END\n");
}
