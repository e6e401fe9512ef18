/* Programs of ARB_fragment_program. "The specification" is that extension's, revision 26.
 *
 * A value lies in one temporary, in the channels of its mask; temporaries are reused channel by channel once
 * a value has been read for the last time. The instructions keep their order, lookups that depend on nothing
 * stand first, so a texture environment has one texture indirection. */
#include "fragprog/lang/arbfp.h"

#include <string.h>

/* ---- temporaries ---- */

static void find_last_reads(struct fragprog_arbfp *a)
{
    memset(a->last, 0, sizeof a->last);
    for (unsigned i = 0; i < a->p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(a->p->inst[i].op); s++)
            if (a->p->inst[i].src[s].file == FRAGPROG_VALUE)
                a->last[a->p->inst[i].src[s].index] = (uint16_t)i;
    for (unsigned h = 0; h < 2; h++)
        a->last[a->p->result[h]] = a->p->ninst;
}

static void free_sources(struct fragprog_arbfp *a, unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (a->last[j] == i && a->temp[j] < FRAGPROG_ARBFP_TEMPS)
            a->busy[a->temp[j]] &= (uint8_t)~a->p->inst[j].mask;
}

/* The last instruction of a half may write the result itself, if that is one instruction of the language and
 * nobody reads it. */
static bool writes_result(const struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    unsigned uses = fragprog_uses(a->p, i);
    bool color = a->p->result[TEXENV_RGB] == i,
         whole = color && a->p->result[TEXENV_ALPHA] == i && inst->mask == FRAGPROG_MASK_XYZW;
    if (uses != (whole ? 2 : 1) || inst->op == FRAGPROG_TEX || inst->op == FRAGPROG_VEC || inst->scale ||
        inst->clamp == FRAGPROG_SAT8)
        return false;
    return color ? !a->options->color_sum && (whole || inst->mask == FRAGPROG_MASK_XYZ)
                 : a->p->result[TEXENV_ALPHA] == i && inst->mask == FRAGPROG_MASK_W;
}

static void place_value(struct fragprog_arbfp *a, unsigned i)
{
    const struct fragprog_inst *inst = &a->p->inst[i];
    if (inst->op != FRAGPROG_VEC) /* which writes before it has read everything */
        free_sources(a, i);
    if (writes_result(a, i)) {
        a->temp[i] = FRAGPROG_ARBFP_RESULT;
    } else {
        unsigned t = 0;
        while (a->busy[t] & inst->mask)
            t++;
        a->busy[t] |= inst->mask;
        a->temp[i] = (uint8_t)t;
        if (t >= a->temps)
            a->temps = t + 1;
    }
    if (inst->op == FRAGPROG_VEC)
        free_sources(a, i);
    if (a->last[i] == 0 && a->temp[i] < FRAGPROG_ARBFP_TEMPS) /* nobody reads it */
        a->busy[a->temp[i]] &= (uint8_t)~inst->mask;
}

static void print_destination(const struct fragprog_arbfp *a, unsigned value, unsigned mask)
{
    if (a->temp[value] == FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, "result.color");
    else
        texenv_printf(a->text, "r%u", (unsigned)a->temp[value]);
    fragprog_arbfp_mask(a->text, mask);
}

/* ---- instructions ---- */

/* NAME[_SAT] destination; the clamp belongs to the last instruction of a value. */
static void begin(struct fragprog_arbfp *a, const char *name, unsigned i, unsigned mask)
{
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
        texenv_printf(a->text, ", r%u, %f;\n", (unsigned)a->temp[i], fragprog_power(inst->scale));
    }
    for (unsigned n = 0; n < 2 && inst->clamp == FRAGPROG_SAT8; n++) {
        texenv_printf(a->text, n ? "MAX " : "MIN ");
        print_destination(a, i, inst->mask);
        texenv_printf(a->text, n ? ", r%u, -8;\n" : ", r%u, 8;\n", (unsigned)a->temp[i]);
    }
}

static void print_tex(struct fragprog_arbfp *a, unsigned i)
{
    static const char *const targets[TEXENV_TARGETS] = {"1D", "2D", "RECT", "3D", "CUBE"};
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, inst, 0);
    texenv_printf(a->text, fragprog_lanes_read(inst, 0) & 8 ? "TXP " : "TEX ");
    print_destination(a, i, inst->mask);
    texenv_printf(a->text, ", ");
    fragprog_arbfp_operand(a, &o);
    texenv_printf(a->text, ", texture[%u], %s%s;\n", (unsigned)inst->texture, inst->shadow ? "SHADOW" : "",
                  targets[inst->target]);
}

/* Operations of one instruction, in the order of the IR's arguments; CMP tests its first for < 0. */
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

/* The lane of an argument, everywhere. */
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
        if (!part.mask)
            continue;
        left &= ~(unsigned)part.mask;
        struct fragprog_arbfp_operand o = fragprog_arbfp_prepare(a, &part, 0);
        begin(a, "MOV", i, part.mask);
        texenv_printf(a->text, ", ");
        fragprog_arbfp_operand(a, &o);
        texenv_printf(a->text, ";\n");
    }
}

static void print_inst(struct fragprog_arbfp *a, unsigned i)
{
    static const char names[FRAGPROG_OPS][4] = {
        [FRAGPROG_MOV] = "MOV",  [FRAGPROG_ADD] = "ADD",  [FRAGPROG_MUL] = "MUL", [FRAGPROG_SUB] = "SUB",
        [FRAGPROG_DOT3] = "DP3", [FRAGPROG_DOT4] = "DP4", [FRAGPROG_MAD] = "MAD", [FRAGPROG_LERP] = "LRP"};
    const struct fragprog_inst *inst = &a->p->inst[i];
    struct fragprog_arbfp_operand o[3];
    if (inst->op == FRAGPROG_TEX) {
        print_tex(a, i);
        return;
    }
    if (inst->op == FRAGPROG_DOT2ADD) {
        print_dot2add(a, i);
    } else if (inst->op == FRAGPROG_VEC) {
        print_vec(a, i);
    } else if (inst->op == FRAGPROG_PROJ) {
        struct fragprog_arbfp_operand divisor = one_lane(a, inst, 0, 3);
        fragprog_arbfp_begin_scratch(a, "RCP", 1, FRAGPROG_MASK_W);
        print_scalar(a, &divisor, 3);
        texenv_printf(a->text, ";\n");
        struct fragprog_inst rest = *inst;
        unsigned ones = 0;
        for (unsigned c = 0; c < 4; c++)
            if (inst->mask >> c & 1 && inst->src[0].lane[c] == FRAGPROG_ONE && !inst->src[0].mods &&
                !(inst->src[0].negate >> c & 1))
                ones |= 1u << c;
        rest.op = FRAGPROG_MOV;
        rest.mask &= (uint8_t)~ones;
        if (rest.mask) {
            o[0] = fragprog_arbfp_prepare(a, &rest, 0);
            begin(a, "MUL", i, rest.mask);
            texenv_printf(a->text, ", ");
            fragprog_arbfp_operand(a, &o[0]);
            texenv_printf(a->text, ", s1.w;\n");
        }
        if (ones) {
            begin(a, "MOV", i, ones);
            texenv_printf(a->text, ", s1.w;\n");
        }
    } else {
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
            o[s] = fragprog_arbfp_prepare(a, inst, s);
        if (inst->op == FRAGPROG_CND) { /* c > 1/2 ? a : b: 1/2 - c < 0 ? a : b */
            fragprog_arbfp_begin_scratch(a, "SUB", 2, inst->mask);
            texenv_printf(a->text, "0.5, ");
            fragprog_arbfp_operand(a, &o[2]);
            texenv_printf(a->text, ";\n");
            o[2].kind = FRAGPROG_ARBFP_SCRATCHED;
            o[2].negative = false;
            print_plain(a, i, "CMP", (struct fragprog_arbfp_operand[3]){o[2], o[0], o[1]}, 3);
        } else if (inst->op == FRAGPROG_CND0) { /* c >= 0 ? a : b: c < 0 ? b : a */
            print_plain(a, i, "CMP", (struct fragprog_arbfp_operand[3]){o[2], o[1], o[0]}, 3);
        } else {
            print_plain(a, i, names[inst->op], o, fragprog_op_args(inst->op));
        }
    }
    finish(a, i);
}

/* ---- the program ---- */

static void print_result(struct fragprog_arbfp *a)
{
    unsigned color = a->p->result[TEXENV_RGB], alpha = a->p->result[TEXENV_ALPHA];
    if (a->options->color_sum) {
        texenv_printf(a->text, "ADD_SAT result.color.xyz, r%u, fragment.color.secondary;\n",
                      (unsigned)a->temp[color]);
    } else if (a->temp[color] != FRAGPROG_ARBFP_RESULT && a->temp[color] == a->temp[alpha]) {
        texenv_printf(a->text, "MOV result.color, r%u;\n", (unsigned)a->temp[color]);
        return;
    } else if (a->temp[color] != FRAGPROG_ARBFP_RESULT) {
        texenv_printf(a->text, "MOV result.color.xyz, r%u;\n", (unsigned)a->temp[color]);
    }
    if (a->temp[alpha] != FRAGPROG_ARBFP_RESULT)
        texenv_printf(a->text, "MOV result.color.w, r%u;\n", (unsigned)a->temp[alpha]);
}

static void print_body(struct fragprog_arbfp *a)
{
    int unit = -1;
    memset(a->busy, 0, sizeof a->busy);
    for (unsigned i = 0; i < a->p->ninst; i++) {
        if (a->p->inst[i].op != FRAGPROG_TEX && a->p->inst[i].unit != unit && a->p->inst[i].unit >= 0)
            texenv_printf(a->text, "# unit %d\n", (int)a->p->inst[i].unit);
        unit = a->p->inst[i].op != FRAGPROG_TEX ? a->p->inst[i].unit : unit;
        place_value(a, i);
        print_inst(a, i);
    }
    print_result(a);
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
            any |= channel.origin < 0;
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
                          const struct fragprog_reading *r, const struct fragprog_language_options *options)
{
    static const char *const fog[] = {
        [TEXENV_FOG_LINEAR] = "linear", [TEXENV_FOG_EXP] = "exp", [TEXENV_FOG_EXP2] = "exp2"};
    struct texenv_text none;
    struct fragprog_arbfp a = {.text = &none, .p = p, .options = options};
    texenv_text_init(&none, NULL, 0);
    find_last_reads(&a);
    print_body(&a); /* to know how many temporaries there are */
    a.text = text;
    texenv_printf(text, "!!ARBfp1.0\n");
    if (options->fog)
        texenv_printf(text, "OPTION ARB_fog_%s;\n", fog[options->fog]);
    if (r->shadow)
        texenv_printf(text, "OPTION ARB_fragment_program_shadow;\n");
    print_params(&a, r);
    print_temps(text, "r", a.temps);
    print_temps(text, "s", a.scratch);
    print_body(&a);
    texenv_printf(text, "END\n");
}
