/* Reads what only ARB vertex programs have: attributes and results. "The specification" is
 * GL_ARB_vertex_program, revision 46. */
#include "fragprog/fragprog.h"
#include "fragprog/lang/arbfp_read.h"

/* ---- attributes (table X.1) ---- */

static bool attribute(struct arbfp_reader *r, uint16_t *index)
{
    static const struct {
        char name[16];
        uint8_t index;
    } names[] = {{"position", FRAGPROG_ATTRIB_POSITION},
                 {"normal", FRAGPROG_ATTRIB_NORMAL},
                 {"fogcoord", FRAGPROG_ATTRIB_FOGCOORD}};
    uint32_t n;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fragprog_arbfp_accept_word(r, names[i].name)) {
            *index = names[i].index;
            return true;
        }
    if (fragprog_arbfp_accept_word(r, "color")) {
        *index = fragprog_arbfp_is_secondary(r) ? FRAGPROG_ATTRIB_SECONDARY : FRAGPROG_ATTRIB_COLOR;
        return true;
    }
    if (fragprog_arbfp_accept_word(r, "texcoord")) {
        const bool ok = fragprog_arbfp_optional_index(r, 8, "the number of a texture coordinate set", &n);
        *index = (uint16_t)(FRAGPROG_ATTRIB_TEXCOORD + n);
        return ok;
    }
    if (fragprog_arbfp_accept_word(r, "attrib")) {
        const bool ok = fragprog_arbfp_index(r, 16, "the number of a generic attribute", &n);
        *index = (uint16_t)(FRAGPROG_ATTRIB_GENERIC + n);
        return ok;
    }
    /* Weights and matrix indices belong to GL_ARB_vertex_blend and GL_ARB_matrix_palette; only the first four
     * are supported. */
    *index = fragprog_arbfp_is(r, "weight") ? FRAGPROG_ATTRIB_WEIGHT : FRAGPROG_ATTRIB_MATRIXINDEX;
    if (fragprog_arbfp_accept_word(r, "weight"))
        return fragprog_arbfp_optional_index(r, 1, "the number of the first weight", &n);
    if (fragprog_arbfp_accept_word(r, "matrixindex"))
        return fragprog_arbfp_index(r, 1, "the number of the first matrix index", &n);
    return fragprog_arbfp_expected(
        r, "an attribute: position, weight, normal, color, fogcoord, texcoord, matrixindex or attrib");
}

/* Returns the conventional attribute that aliases a generic attribute (table X.1), or FRAGPROG_ATTRIBS. */
static unsigned twin_of(unsigned generic)
{
    return generic == 6 || generic == 7 ? FRAGPROG_ATTRIBS : generic;
}

bool fragprog_arbvp_read_attribute(struct arbfp_reader *r, struct arbfp_place *from)
{
    from->file = FRAGPROG_ATTRIB;
    if (!fragprog_arbfp_expect_word(r, "vertex") || !fragprog_arbfp_expect(r, '.') ||
        !attribute(r, &from->index))
        return false;
    r->attributes |= UINT32_C(1) << from->index;
    for (unsigned n = 0; n < 16; n++)
        if (twin_of(n) < FRAGPROG_ATTRIBS && r->attributes >> (FRAGPROG_ATTRIB_GENERIC + n) & 1 &&
            r->attributes >> twin_of(n) & 1) {
            texenv_emit(r->sink, TEXENV_ERROR, -1, from->at, "attribute",
                        "vertex.attrib[%u] and the attribute that it is the same as are both bound", n);
            return false;
        }
    return true;
}

/* ---- results (table X.3) ---- */

/* Reads the optional .front or .back, then the optional .primary or .secondary. Any other word after the dot
 * is a mask. */
static uint32_t color_result(struct arbfp_reader *r)
{
    struct arbfp_reader before = *r;
    uint32_t back = 0;
    if (fragprog_arbfp_accept(r, '.')) {
        back = fragprog_arbfp_is(r, "back");
        if (fragprog_arbfp_accept_word(r, "front") || fragprog_arbfp_accept_word(r, "back"))
            before = *r;
        else
            *r = before;
    }
    return FRAGPROG_OUT_COLOR0 + 2 * back + fragprog_arbfp_is_secondary(r);
}

bool fragprog_arbvp_read_result(struct arbfp_reader *r, uint32_t *output)
{
    uint32_t n;
    if (fragprog_arbfp_is(r, "position") && r->options & ARBFP_INVARIANT)
        return fragprog_arbfp_fail(r, "option",
                                   "result.position is not written with OPTION ARB_position_invariant");
    if (fragprog_arbfp_accept_word(r, "position"))
        return true;
    if (fragprog_arbfp_accept_word(r, "color")) {
        *output = color_result(r);
        return true;
    }
    if (fragprog_arbfp_accept_word(r, "texcoord")) {
        const bool ok = fragprog_arbfp_optional_index(r, 8, "the number of a texture coordinate set", &n);
        *output = FRAGPROG_OUT_TEXCOORD + n;
        return ok;
    }
    *output = fragprog_arbfp_is(r, "fogcoord") ? FRAGPROG_OUT_FOGCOORD : FRAGPROG_OUT_POINTSIZE;
    return fragprog_arbfp_accept_word(r, "fogcoord") || fragprog_arbfp_accept_word(r, "pointsize") ||
        fragprog_arbfp_expected(r, "a result: position, color, fogcoord, pointsize or texcoord");
}

/* ---- the end ---- */

static bool copy(struct arbfp_reader *r, unsigned output, unsigned op, unsigned mask, unsigned *value)
{
    struct fragprog_inst inst = arbfp_operation(op, mask);
    inst.texture = (uint8_t)output;
    return fragprog_arbfp_copy_output(r, output, "result.position", inst, value);
}

static bool position(struct arbfp_reader *r, unsigned *value)
{
    struct fragprog_inst zero = arbfp_operation(FRAGPROG_MOV, FRAGPROG_MASK_XYZW);
    zero.src[0] = fragprog_src_replicate(FRAGPROG_LITERAL, 0, FRAGPROG_ZERO);
    return r->p->invariant ? fragprog_arbfp_append(r, &zero, value)
                           : copy(r, 0, FRAGPROG_MOV, FRAGPROG_MASK_XYZW, value);
}

bool fragprog_arbvp_finish(struct arbfp_reader *r)
{
    unsigned value;
    for (unsigned n = 1; n < FRAGPROG_VERTEX_OUTS; n++) {
        unsigned mask = 0;
        for (unsigned c = 0; c < 4; c++)
            mask |= (r->output[n].value[c] != ARBFP_UNWRITTEN ? 1u : 0) << c;
        if (n == FRAGPROG_OUT_FOGCOORD || n == FRAGPROG_OUT_POINTSIZE)
            mask &= FRAGPROG_MASK_X;
        if (mask && !copy(r, n, FRAGPROG_OUT, mask, &value))
            return false;
    }
    if (!position(r, &value))
        return false;
    r->p->result[0] = r->p->result[1] = (uint16_t)value;
    return true;
}
