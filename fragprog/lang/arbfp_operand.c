/* Operands of ARB programs: names with swizzles, and instructions that compute operands which the language
 * cannot express. */
#include "fragprog/lang/arbfp.h"

const char fragprog_arbfp_channels[5] = "xyzw";

void fragprog_arbfp_mask(struct texenv_text *text, unsigned mask)
{
    if (mask == FRAGPROG_MASK_XYZW)
        return;
    texenv_printf(text, ".");
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            texenv_printf(text, "%c", fragprog_arbfp_channels[c]);
}

void fragprog_arbfp_origin(struct texenv_text *text, int origin)
{
    if (origin < FRAGPROG_ORIGIN_GLOBAL)
        texenv_printf(text, "env%d", origin);
    else if (origin >= FRAGPROG_ORIGINS)
        fragprog_print_origin(text, origin);
    else
        texenv_printf(text, "%s%d", origin < FRAGPROG_ORIGIN_LOCAL ? "global" : "local",
                      origin % TEXENV_UNITS);
}

static void print_literal(struct fragprog_arbfp *a, unsigned lane)
{
    static const char *const names[] = {"0", "1", "0.5"};
    texenv_printf(a->text, "%s", names[lane - FRAGPROG_ZERO]);
}

/* Returns true if the lanes are channels of one register with one sign, which is an operand NAME.SWIZZLE.
 * Otherwise the source must be gathered. */
static bool one_name(const struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes,
                     uint8_t swizzle[4])
{
    int origin = 0, first = -1;
    for (unsigned i = 0; i < 4; i++) {
        if (!(lanes >> i & 1))
            continue;
        unsigned c = src->lane[i];
        if ((src->file == FRAGPROG_FOGCOORD ||
             (src->file == FRAGPROG_ATTRIB && src->index == FRAGPROG_ATTRIB_FOGCOORD)) &&
            c != FRAGPROG_HALF) /* the fog coordinate is (f, 0, 0, 1) */
            c = c == FRAGPROG_ZERO ? FRAGPROG_Y : c == FRAGPROG_ONE ? FRAGPROG_W : c;
        if (c >= FRAGPROG_ZERO)
            return false;
        int from = 0;
        if (src->file == FRAGPROG_CONST) {
            struct fragprog_channel k = fragprog_const_channel(a->p, src->index, c, a->options);
            from = k.origin;
            c = from < 0 ? c : k.component;
        }
        if (first < 0) {
            first = (int)i;
            origin = from;
        }
        if (from != origin || !(src->negate >> i & 1) != !(src->negate >> first & 1))
            return false;
        swizzle[i] = (uint8_t)c;
    }
    for (unsigned i = 0; i < 4; i++) /* unread lanes repeat the preceding lane, or are the identity */
        if (!(lanes >> i & 1))
            swizzle[i] = i > 0 && lanes & ((1u << i) - 1) ? swizzle[i - 1] : swizzle[first];
    if (fragprog_lanes_in_place(swizzle, lanes) && lanes & (lanes - 1))
        memcpy(swizzle, fragprog_in_place, sizeof fragprog_in_place);
    return true;
}

/* Prints the register, attribute or parameter of these lanes. */
static void print_register(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes)
{
    switch (src->file) {
    case FRAGPROG_VALUE: texenv_printf(a->text, "r%u", (unsigned)a->value[src->index].temp); break;
    case FRAGPROG_PRIMARY: texenv_printf(a->text, "fragment.color"); break;
    case FRAGPROG_SECONDARY: texenv_printf(a->text, "fragment.color.secondary"); break;
    case FRAGPROG_FOGCOORD: texenv_printf(a->text, "fragment.fogcoord"); break;
    case FRAGPROG_POSITION: texenv_printf(a->text, "fragment.position"); break;
    case FRAGPROG_ATTRIB: fragprog_arbvp_attribute(a->text, src->index); break;
    case FRAGPROG_COORD: texenv_printf(a->text, "fragment.texcoord[%u]", (unsigned)src->index); break;
    default: {
        const unsigned lane = src->lane[fragprog_first_lane(lanes)];
        const struct fragprog_channel k = fragprog_const_channel(a->p, src->index, lane, a->options);
        if (a->p->konst[src->index].array)
            fragprog_arbvp_element(a->text, a->p, src->index);
        else if (k.origin < 0)
            texenv_printf(a->text, "c%u", (unsigned)src->index);
        else
            fragprog_arbfp_origin(a->text, k.origin);
    }
    }
}

static void print_name(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes,
                       const uint8_t swizzle[4])
{
    print_register(a, src, lanes);
    if (fragprog_all_lanes(swizzle) == fragprog_same_lanes(swizzle[0], FRAGPROG_MASK_XYZW))
        texenv_printf(a->text, ".%c", fragprog_arbfp_channels[swizzle[0]]);
    else if (!fragprog_lanes_in_place(swizzle, FRAGPROG_MASK_XYZW))
        texenv_printf(a->text, ".%c%c%c%c", fragprog_arbfp_channels[swizzle[0]],
                      fragprog_arbfp_channels[swizzle[1]], fragprog_arbfp_channels[swizzle[2]],
                      fragprog_arbfp_channels[swizzle[3]]);
}

void fragprog_arbfp_operand(struct fragprog_arbfp *a, const struct fragprog_arbfp_operand *o)
{
    if (o->kind == FRAGPROG_ARBFP_LITERAL) {
        texenv_printf(a->text, "%f", o->literal);
        return;
    }
    if (o->negative)
        texenv_printf(a->text, "-");
    if (o->kind == FRAGPROG_ARBFP_SCRATCHED)
        texenv_printf(a->text, "s%u", o->scratch);
    else
        print_name(a, &o->src, o->lanes, o->swizzle);
}

void fragprog_arbfp_begin_scratch(struct fragprog_arbfp *a, const char *name, unsigned scratch, unsigned mask)
{
    if (scratch >= a->scratch)
        a->scratch = scratch + 1;
    a->instructions++;
    texenv_printf(a->text, "%s s%u", name, scratch);
    fragprog_arbfp_mask(a->text, mask);
    texenv_printf(a->text, ", ");
}

/* Returns the lanes that are channels of one name, if all others are 0 or 1; else 0. */
static unsigned lanes_of_name(const struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes,
                              uint8_t swizzle[4])
{
    struct fragprog_src named = *src;
    unsigned names = 0;
    named.negate = 0;
    for (unsigned i = 0; i < 4; i++)
        if (lanes >> i & 1) {
            if (src->lane[i] == FRAGPROG_HALF)
                return 0;
            names |= (src->lane[i] <= FRAGPROG_W ? 1u : 0) << i;
        }
    return names && one_name(a, &named, names, swizzle) ? names : 0;
}

bool fragprog_arbfp_is_extended(const struct fragprog_arbfp *a, const struct fragprog_src *src,
                                unsigned lanes)
{
    uint8_t swizzle[4];
    return !one_name(a, src, lanes, swizzle) && lanes_of_name(a, src, lanes, swizzle);
}

void fragprog_arbfp_extended(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes)
{
    uint8_t swizzle[4];
    const unsigned names = lanes_of_name(a, src, lanes, swizzle);
    print_register(a, src, names);
    for (unsigned i = 0; i < 4; i++) {
        const bool one = src->lane[i] == FRAGPROG_ONE && lanes >> i & 1;
        texenv_printf(a->text, ", %s%c", lanes >> i & src->negate >> i & 1 ? "-" : "",
                      names >> i & 1 ? fragprog_arbfp_channels[swizzle[i]]
                          : one      ? '1'
                                     : '0');
    }
}

/* Computes a source whose lanes come from several names into a scratch register, with one instruction for
 * each name. */
static void gather(struct fragprog_arbfp *a, const struct fragprog_src *src, unsigned lanes, unsigned scratch)
{
    if (a->p->unbounded && fragprog_arbfp_is_extended(a, src, lanes)) {
        fragprog_arbfp_begin_scratch(a, "SWZ", scratch, lanes);
        fragprog_arbfp_extended(a, src, lanes);
        texenv_printf(a->text, ";\n");
        return;
    }
    while (lanes) {
        const unsigned i = fragprog_first_lane(lanes);
        unsigned together = 1u << i;
        uint8_t swizzle[4];
        for (unsigned j = i + 1; j < 4; j++)
            if (lanes >> j & 1 && one_name(a, src, together | 1u << j, swizzle))
                together |= 1u << j;
        fragprog_arbfp_begin_scratch(a, "MOV", scratch, together);
        texenv_printf(a->text, src->negate >> i & 1 ? "-" : "");
        if (one_name(a, src, together, swizzle))
            print_name(a, src, together, swizzle);
        else
            print_literal(a, src->lane[i]);
        texenv_printf(a->text, ";\n");
        lanes &= ~together;
    }
}

struct fragprog_arbfp_operand fragprog_arbfp_prepare(struct fragprog_arbfp *a,
                                                     const struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src *src = &inst->src[s];
    struct fragprog_arbfp_operand o = {.src = *src, .lanes = fragprog_lanes_read(inst, s), .scratch = s};
    double value;
    if (!o.lanes) /* result x of LIT reads nothing */
        return o;
    if (fragprog_literal_value(src, o.lanes, &value)) {
        o.kind = FRAGPROG_ARBFP_LITERAL;
        o.literal = value + 0.0; /* -0 becomes 0 */
        return o;
    }
    struct fragprog_affine m = fragprog_affine_of(src->mods);
    if (one_name(a, src, o.lanes, o.swizzle)) {
        o.kind = FRAGPROG_ARBFP_NAMED;
        o.negative = src->negate >> fragprog_first_lane(o.lanes) & 1;
    } else {
        gather(a, src, o.lanes, s);
        o.kind = FRAGPROG_ARBFP_SCRATCHED;
    }
    if (src->mods & FRAGPROG_ABS) {
        struct fragprog_arbfp_operand from = o;
        from.negative = false;
        fragprog_arbfp_begin_scratch(a, "ABS", s, o.lanes);
        fragprog_arbfp_operand(a, &from);
        texenv_printf(a->text, ";\n");
        o.kind = FRAGPROG_ARBFP_SCRATCHED;
        o.negative = false;
    }
    if (m.t == 0 && (m.m == 1 || m.m == -1)) {
        o.negative ^= m.m < 0;
        return o;
    }
    if (m.m == 1 || m.m == -1) {
        fragprog_arbfp_begin_scratch(a, m.m < 0 ? "SUB" : "ADD", s, o.lanes);
        if (m.m < 0)
            texenv_printf(a->text, "%f, ", m.t);
        fragprog_arbfp_operand(a, &o);
        texenv_printf(a->text, m.m < 0 ? ";\n" : ", %f;\n", m.t);
    } else {
        fragprog_arbfp_begin_scratch(a, m.t != 0 ? "MAD" : "MUL", s, o.lanes);
        fragprog_arbfp_operand(a, &o);
        texenv_printf(a->text, m.t != 0 ? ", %f, %f;\n" : ", %f;\n", m.m, m.t);
    }
    o.kind = FRAGPROG_ARBFP_SCRATCHED;
    o.negative = false;
    return o;
}
