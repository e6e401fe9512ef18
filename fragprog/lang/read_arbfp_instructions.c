/* Reads the instructions of ARB programs. */
#include "fragprog/lang/arbfp_read.h"

#include <string.h>

enum arguments { VECTORS, SCALARS, SWIZZLED, LOOKUP, KILL, ADDRESS };
enum targets { FRAGMENT = 1, VERTEX = 2, BOTH = 3 };
struct operation {
    char name[4];
    uint8_t op, args, arguments, targets; /* enum fragprog_op, enum arguments, enum targets */
};
static const struct operation operations[] = {
    {"ABS", FRAGPROG_MOV, 1, VECTORS, BOTH},     {"ADD", FRAGPROG_ADD, 2, VECTORS, BOTH},
    {"ARL", FRAGPROG_FLR, 1, ADDRESS, VERTEX},   {"CMP", FRAGPROG_CND0, 3, VECTORS, FRAGMENT},
    {"COS", FRAGPROG_COS, 1, SCALARS, FRAGMENT}, {"DP3", FRAGPROG_DOT3, 2, VECTORS, BOTH},
    {"DP4", FRAGPROG_DOT4, 2, VECTORS, BOTH},    {"DPH", FRAGPROG_DPH, 2, VECTORS, BOTH},
    {"DST", FRAGPROG_DST, 2, VECTORS, BOTH},     {"EX2", FRAGPROG_EX2, 1, SCALARS, BOTH},
    {"EXP", FRAGPROG_EXP, 1, SCALARS, VERTEX},   {"FLR", FRAGPROG_FLR, 1, VECTORS, BOTH},
    {"FRC", FRAGPROG_FRC, 1, VECTORS, BOTH},     {"KIL", FRAGPROG_KIL, 1, KILL, FRAGMENT},
    {"LG2", FRAGPROG_LG2, 1, SCALARS, BOTH},     {"LIT", FRAGPROG_LIT, 1, VECTORS, BOTH},
    {"LOG", FRAGPROG_LOG, 1, SCALARS, VERTEX},   {"LRP", FRAGPROG_LERP, 3, VECTORS, FRAGMENT},
    {"MAD", FRAGPROG_MAD, 3, VECTORS, BOTH},     {"MAX", FRAGPROG_MAX, 2, VECTORS, BOTH},
    {"MIN", FRAGPROG_MIN, 2, VECTORS, BOTH},     {"MOV", FRAGPROG_MOV, 1, VECTORS, BOTH},
    {"MUL", FRAGPROG_MUL, 2, VECTORS, BOTH},     {"POW", FRAGPROG_POW, 2, SCALARS, BOTH},
    {"RCP", FRAGPROG_RCP, 1, SCALARS, BOTH},     {"RSQ", FRAGPROG_RSQ, 1, SCALARS, BOTH},
    {"SCS", FRAGPROG_SCS, 1, SCALARS, FRAGMENT}, {"SGE", FRAGPROG_SGE, 2, VECTORS, BOTH},
    {"SIN", FRAGPROG_SIN, 1, SCALARS, FRAGMENT}, {"SLT", FRAGPROG_SLT, 2, VECTORS, BOTH},
    {"SUB", FRAGPROG_SUB, 2, VECTORS, BOTH},     {"SWZ", FRAGPROG_MOV, 1, SWIZZLED, BOTH},
    {"TEX", FRAGPROG_TEX, 1, LOOKUP, FRAGMENT},  {"TXB", FRAGPROG_TXB, 1, LOOKUP, FRAGMENT},
    {"TXP", FRAGPROG_TEX, 1, LOOKUP, FRAGMENT},  {"XPD", FRAGPROG_XPD, 2, VECTORS, BOTH}};

/* Operations of NVIDIA's extensions. They are not supported, but get a better error message. */
static const char *const foreign[] = {
    "BRA", "BRK",  "CAL", "DDX",  "DDY",   "DIV",  "DP2",   "DP2A",  "ELSE", "ENDIF", "ENDLOOP", "ENDREP",
    "IF",  "LOOP", "NRM", "PK2H", "PK2US", "PK4B", "PK4UB", "REP",   "RET",  "RFL",   "SEQ",     "SFL",
    "SGT", "SLE",  "SNE", "STR",  "TXD",   "TXL",  "UP2H",  "UP2US", "UP4B", "UP4UB", "X2D"};

/* Reads an optional mask, a subset of the components in order. */
static bool read_mask(struct arbfp_reader *r, unsigned *mask)
{
    const char *set = NULL;
    int last = -1;
    *mask = FRAGPROG_MASK_XYZW;
    if (!fragprog_arbfp_accept(r, '.'))
        return true;
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "a mask");
    *mask = 0;
    for (size_t i = 0; i < r->length; i++) {
        const int c = fragprog_arbfp_component(r, r->token, i, &set);
        if (c <= last)
            return fragprog_arbfp_fail(r, "mask",
                                       r->vertex
                                           ? "\"%.*s\": a mask is some of x y z w, in order"
                                           : "\"%.*s\": a mask is some of x y z w, or of r g b a, in order");
        last = c;
        *mask |= 1u << c;
    }
    fragprog_arbfp_next(r);
    return true;
}

/* ---- destinations ---- */

struct destination {
    struct arbfp_register *reg;
    uint64_t output; /* bit of the output, or 0 */
    unsigned mask;
};

static bool destination(struct arbfp_reader *r, struct destination *d)
{
    uint32_t output;
    d->output = 0;
    if (fragprog_arbfp_is(r, "result")) {
        if (!fragprog_arbfp_result(r, &output))
            return false;
        d->reg = &r->output[output];
        d->output = UINT64_C(1) << output;
        return read_mask(r, &d->mask);
    }
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "a destination");
    const struct arbfp_symbol *s = fragprog_arbfp_find(r);
    if (!s)
        return fragprog_arbfp_fail(
            r, "name", fragprog_arbfp_is_reserved(r) ? "%.*s cannot be written" : "%.*s is not declared");
    if (s->kind == ARBFP_ADDRESS)
        return fragprog_arbfp_fail(r, "write", "%.*s is an address register: ARL writes it");
    if (s->kind != ARBFP_TEMP && s->kind != ARBFP_OUTPUT)
        return fragprog_arbfp_fail(r, "write", "%.*s cannot be written");
    d->reg = s->kind == ARBFP_TEMP ? &r->temp[s->index] : &r->output[s->index];
    d->output = s->kind == ARBFP_TEMP ? 0 : UINT64_C(1) << s->index;
    fragprog_arbfp_next(r);
    return read_mask(r, &d->mask);
}

/* Assigns the value of the instruction to the destination. Channels that the operation leaves undefined
 * (XPD.w, SCS.zw) become unwritten. */
static void assign(struct arbfp_reader *r, const struct destination *d, unsigned mask, unsigned value)
{
    fragprog_arbfp_write(d->reg, d->mask, ARBFP_UNWRITTEN);
    if (mask)
        fragprog_arbfp_write(d->reg, mask, value);
    r->outputs |= d->output;
}

/* ---- instructions ---- */

/* texture[n], target */
static bool texture(struct arbfp_reader *r, struct fragprog_inst *inst)
{
    static const char names[TEXENV_TARGETS][8] = {"1D", "2D", "RECT", "3D", "CUBE"};
    uint32_t unit = 0;
    if (!fragprog_arbfp_expect_word(r, "texture"))
        return false;
    const struct texenv_place at = r->place;
    if (!fragprog_arbfp_optional_index(r, FRAGPROG_MOST_TEXTURES, "the number of a texture unit", &unit) ||
        !fragprog_arbfp_expect(r, ','))
        return false;
    /* the scanner splits "2D" into a number directly followed by a word */
    const struct arbfp_reader first = *r;
    if (r->kind == ARBFP_NUMBER && r->at < r->end && *r->at == 'D') {
        fragprog_arbfp_next(r);
        r->token = first.token;
        r->place = first.place;
        r->length = (size_t)(r->at - r->token);
    }
    const bool shadow = r->length > 6 && memcmp(r->token, "SHADOW", 6) == 0;
    const char *name = r->token + (shadow ? 6 : 0);
    const size_t length = (size_t)(r->at - name);
    unsigned target = 0;
    while (target < TEXENV_TARGETS &&
           !(strlen(names[target]) == length && memcmp(names[target], name, length) == 0))
        target++;
    if (target == TEXENV_TARGETS || (shadow && (target == TEXENV_3D || target == TEXENV_CUBE)))
        return fragprog_arbfp_fail(r, "target", "\"%.*s\" is no texture target");
    if (shadow && !(r->options & ARBFP_SHADOW))
        return fragprog_arbfp_fail(r, "option", "%.*s needs OPTION ARB_fragment_program_shadow");
    inst->texture = (uint8_t)unit;
    inst->target = (uint8_t)target;
    inst->shadow = shadow;
    const uint8_t used = (uint8_t)(target + 1 + (shadow ? 16 : 0));
    if (r->target[unit] && r->target[unit] != used)
        return fragprog_arbfp_fail_at(r, at, "target", "the texture unit is looked up with two targets");
    r->target[unit] = used;
    fragprog_arbfp_next(r);
    return true;
}

/* Prepares the coordinate of a lookup, which must read channels of one value or coordinate set without
 * modifiers; anything else is computed by a separate instruction first. */
static bool coordinate(struct arbfp_reader *r, const struct arbfp_operand *o, struct fragprog_inst *inst)
{
    const unsigned lanes = fragprog_lanes_read(inst, 0);
    struct fragprog_src *src = &inst->src[0];
    bool plain;
    if (!fragprog_arbfp_source(r, o, lanes, src))
        return false;
    plain = (src->file == FRAGPROG_COORD || src->file == FRAGPROG_VALUE) && !src->negate && !src->mods;
    for (unsigned i = 0; i < 4; i++)
        plain &= !(lanes >> i & 1) || src->lane[i] <= FRAGPROG_W;
    if (!plain) {
        struct fragprog_inst mov = arbfp_operation(FRAGPROG_MOV, lanes);
        unsigned value;
        mov.src[0] = *src;
        if (!fragprog_arbfp_append(r, &mov, &value))
            return false;
        *src = (struct fragprog_src){.file = FRAGPROG_VALUE, .index = (uint16_t)value};
        for (unsigned i = 0; i < 4; i++)
            src->lane[i] = (uint8_t)i;
    }
    for (unsigned i = 0; i < 4; i++) /* lanes that are not read must be valid, too */
        if (!(lanes >> i & 1))
            src->lane[i] = (uint8_t)i;
    return true;
}

static bool lookup(struct arbfp_reader *r, const struct operation *op, const struct destination *d, bool sat)
{
    struct fragprog_inst inst = arbfp_operation(op->op, d->mask);
    struct arbfp_operand o;
    unsigned value;
    inst.undivided = op->name[1] == 'E';
    if (!fragprog_arbfp_read_operand(r, false, &o) || !fragprog_arbfp_expect(r, ',') || !texture(r, &inst) ||
        !coordinate(r, &o, &inst) || !fragprog_arbfp_append(r, &inst, &value))
        return false;
    if (sat) {
        struct fragprog_inst mov = arbfp_operation(FRAGPROG_MOV, d->mask);
        mov.clamp = FRAGPROG_SAT;
        mov.src[0] = fragprog_src_value(value);
        if (!fragprog_arbfp_append(r, &mov, &value))
            return false;
    }
    assign(r, d, d->mask, value);
    return true;
}

static bool kill(struct arbfp_reader *r)
{
    struct arbfp_operand o;
    unsigned none;
    if (!fragprog_arbfp_read_operand(r, false, &o))
        return false;
    const bool one = o.lane[0] == o.lane[1] && o.lane[0] == o.lane[2] && o.lane[0] == o.lane[3];
    struct fragprog_inst inst = arbfp_operation(FRAGPROG_KIL, one ? FRAGPROG_MASK_X : FRAGPROG_MASK_XYZW);
    return fragprog_arbfp_source(r, &o, inst.mask, &inst.src[0]) && fragprog_arbfp_append(r, &inst, &none);
}

static bool compute(struct arbfp_reader *r, const struct operation *op, const struct destination *d, bool sat)
{
    /* CMP a, b, c is a < 0 ? b : c; cnd0 is C >= 0 ? A : B */
    static const uint8_t compared[] = {2, 1, 0};
    const unsigned given = op->op == FRAGPROG_XPD ? 7 : op->op == FRAGPROG_SCS ? 3 : FRAGPROG_MASK_XYZW;
    struct fragprog_inst inst = arbfp_operation(op->op, d->mask & given);
    struct arbfp_operand o[3];
    unsigned value = 0;
    inst.clamp = sat ? FRAGPROG_SAT : FRAGPROG_NO_CLAMP;
    for (unsigned s = 0; s < op->args; s++) {
        if (s && !fragprog_arbfp_expect(r, ','))
            return false;
        if (op->arguments == SWIZZLED ? !fragprog_arbfp_read_extended(r, &o[s])
                                      : !fragprog_arbfp_read_operand(r, op->arguments == SCALARS, &o[s]))
            return false;
        o[s].abs = op->name[0] == 'A' && op->name[1] == 'B';
    }
    for (unsigned s = 0; s < op->args && inst.mask; s++) {
        const unsigned to = inst.op == FRAGPROG_CND0 ? compared[s] : s;
        if (!fragprog_arbfp_source(r, &o[s], fragprog_lanes_read(&inst, to), &inst.src[to]))
            return false;
    }
    if (inst.mask && !fragprog_arbfp_append(r, &inst, &value))
        return false;
    assign(r, d, inst.mask, value);
    return true;
}

/* Reads "ARL ADDRESS.x, scalar". It emits no instruction: later loads refer to the scalar directly, because
 * values are immutable. */
static bool address(struct arbfp_reader *r)
{
    struct arbfp_operand o;
    const struct arbfp_symbol *s = r->kind == ARBFP_WORD ? fragprog_arbfp_find(r) : NULL;
    if (!s || s->kind != ARBFP_ADDRESS)
        return fragprog_arbfp_expected(r, "an address register");
    fragprog_arbfp_next(r);
    if (!fragprog_arbfp_expect(r, '.') || !fragprog_arbfp_expect_word(r, "x") ||
        !fragprog_arbfp_expect(r, ',') || !fragprog_arbfp_read_operand(r, true, &o))
        return false;
    return fragprog_arbfp_source(r, &o, FRAGPROG_MASK_XYZW, &r->address[s->index]);
}

static const struct operation *find_operation(const struct arbfp_reader *r, bool *sat)
{
    *sat = !r->vertex && r->kind == ARBFP_WORD && r->length == 7 && memcmp(r->token + 3, "_SAT", 4) == 0;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (r->kind == ARBFP_WORD && r->length == (*sat ? 7 : 3) &&
            memcmp(operations[i].name, r->token, 3) == 0 &&
            operations[i].targets & (r->vertex ? VERTEX : FRAGMENT) &&
            !(*sat && operations[i].arguments == KILL))
            return &operations[i];
    return NULL;
}

bool fragprog_arbfp_is_instruction(const struct arbfp_reader *r)
{
    bool sat;
    return find_operation(r, &sat) != NULL;
}

static bool unknown(struct arbfp_reader *r)
{
    if (r->kind != ARBFP_WORD)
        return fragprog_arbfp_expected(r, "an instruction, a declaration or END");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (fragprog_arbfp_is(r, foreign[i]))
            return fragprog_arbfp_fail(r, "instruction",
                                       "%.*s is of extensions by NVIDIA, which are not read");
    if (fragprog_arbfp_is(r, "OPTION"))
        return fragprog_arbfp_fail(r, "order", "%.*s stands before all instructions and declarations");
    return fragprog_arbfp_fail(
        r, "instruction", r->vertex ? "%.*s is no instruction of vertex programs" : "%.*s is no instruction");
}

bool fragprog_arbfp_instruction(struct arbfp_reader *r)
{
    struct destination d = {0};
    bool sat, done;
    const struct operation *op = find_operation(r, &sat);
    if (!op)
        return unknown(r);
    fragprog_arbfp_next(r);
    if (op->arguments == KILL)
        return kill(r) && fragprog_arbfp_expect(r, ';');
    if (op->arguments == ADDRESS)
        return address(r) && fragprog_arbfp_expect(r, ';');
    if (!destination(r, &d) || !fragprog_arbfp_expect(r, ','))
        return false;
    done = op->arguments == LOOKUP ? lookup(r, op, &d, sat) : compute(r, op, &d, sat);
    return done && fragprog_arbfp_expect(r, ';');
}
