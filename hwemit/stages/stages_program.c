/* Reads the intermediate program as values and tiles (stages_cover.h). A value that the chip cannot compute
 * makes the values that read it unusable, with a reason. */
#include "hwemit/stages/stages_cover.h"

#include "fragprog/algebra/affine.h"

#include <string.h>

typedef struct fragprog_poly poly;

struct reading {
    struct stages_cover *c;
    const struct fragprog *p;
};

enum {
    RGB,
    ALPHA,
    OPENED = 6 /* a value with more terms becomes an atom in the polynomials of its readers */
};

/* fit: what would make the program fit. */
static bool fail(struct reading *r, const struct fragprog_inst *inst, const char *code, const char *fit,
                 const char *text)
{
    if (!r->c->reason.code)
        r->c->reason = (struct stages_reason){code, fit, text, inst->unit};
    return false;
}

/* ---- sources ---- */

/* Returns the lane that all channels read; LANE_SAME if x reads x, y reads y and z reads z; else -1. */
enum { LANE_SAME = 8 };
static int common_lane(const struct fragprog_src *src, unsigned lanes)
{
    int one = -1;
    bool same = true, equal = true;
    for (unsigned i = 0; i < 4; i++)
        if (lanes & 1u << i) {
            same &= src->lane[i] == i && i < 3;
            equal &= one < 0 || one == src->lane[i];
            one = src->lane[i];
        }
    return equal && !(same && lanes != 0) ? one : same ? LANE_SAME : -1;
}

/* Returns the atom of a constant, or 0 if the chip cannot hold it. lane: LANE_SAME or a component. */
static unsigned konst(struct reading *r, const struct fragprog_inst *inst, unsigned index, int lane)
{
    struct stages_cover *c = r->c;
    const struct fragprog_const *from = &r->p->konst[index];
    struct stages_konst k;
    memset(&k, 0, sizeof k);
    k.scalar = lane != LANE_SAME;
    k.unit = (int8_t)from->origin[k.scalar ? lane : 0].unit;
    memcpy(k.color, from->value, sizeof k.color);
    for (unsigned i = 0; i < (k.scalar ? 1u : 3u); i++) {
        const unsigned channel = k.scalar ? (unsigned)lane : i;
        const double x = (double)from->value[channel] * 255, off = x - (double)(int)(x + 0.5);
        const bool immediate = from->origin[channel].unit < 0;
        k.value[i] = from->value[channel];
        /* must not be swizzled: a driver that uploads another colour later does not know about swizzles */
        if (!immediate && from->origin[channel].component != (k.scalar ? 3 : i))
            return fail(r, inst, "constant", "",
                        "a constant's channels are not read where a factor has them");
        if (from->origin[channel].unit != k.unit)
            return fail(r, inst, "constant", "", "a constant's channels are of several environment colours");
        if (!(x >= 0 && x <= 255))
            return fail(r, inst, "constant", "", "a constant is outside of [0,1]");
        if (c->strict_constants && immediate && (off > 1e-3 || off < -1e-3))
            return fail(r, inst, "constant", "", "a folded constant is no multiple of 1/255");
    }
    unsigned n = 0;
    while (n < c->nkonsts && memcmp(&c->konst[n], &k, sizeof k) != 0)
        n++;
    if (n == STAGES_KONSTS)
        return fail(r, inst, "constants", "fewer constants", "the program has too many constants");
    if (n == c->nkonsts)
        c->konst[c->nkonsts++] = k;
    return hwemit_stages_atom(
        c, &(struct stages_atom){.kind = STAGES_KONST, .scalar = k.scalar, .index = (uint16_t)n});
}

static const char *const target_names[TEXENV_TARGETS] = {"1d", "2d", "rect", "3d", "cube"};
static unsigned texel(struct reading *r, const struct fragprog_inst *inst, bool alpha)
{
    /* true also if the texel's colour equals its alpha */
    const bool scalar = alpha || inst->base == TEXENV_INTENSITY || inst->shadow;
    if (inst->src[0].file != FRAGPROG_COORD)
        return fail(r, inst, "dependent", "", "a lookup whose coordinates the program computes");
    for (unsigned i = 0; i < 4; i++)
        if (fragprog_lanes_read(inst, 0) >> i & 1 && inst->src[0].lane[i] != i)
            return fail(r, inst, "coordinates", "", "a lookup with other coordinates than fixed function's");
    const uint8_t targets = r->c->chip->targets[inst->texture];
    if (!targets)
        return fail(r, inst, "unit", "the texture on a lower unit", "the chip has no such texture unit");
    if (!(targets >> inst->target & 1))
        return fail(r, inst, target_names[inst->target], "a 2D texture",
                    inst->target == TEXENV_3D ? "the chip has no 3D textures"
                                              : "the chip's texture unit takes no texture of this kind");
    if (r->c->chip->own_units && inst->src[0].index != inst->texture)
        return fail(r, inst, "coordinates", "", "a texture unit takes the coordinate set of its number");
    if (inst->shadow && !r->c->chip->shadow)
        return fail(r, inst, "shadow", "no comparison", "the chip has no shadow comparison");
    const uint8_t assumed = inst->undivided && inst->target != TEXENV_CUBE ? r->c->chip->undivided : 0;
    if (assumed & ~r->c->assume)
        return fail(r, inst, "undivided", "--assume undivided",
                    "the words cannot say that a lookup does not divide by q (--assume undivided)");
    const struct stages_atom atom = {.kind = STAGES_TEXEL,
                                     .scalar = scalar,
                                     .index = inst->texture,
                                     .coord = (uint8_t)inst->src[0].index,
                                     .target = inst->target,
                                     .intensity = inst->base == TEXENV_INTENSITY,
                                     .shadow = inst->shadow,
                                     .assumed = assumed};
    return hwemit_stages_atom(r->c, &atom);
}

static bool is_scalar(const struct stages_cover *c, const poly *p)
{
    for (unsigned i = 0; i < p->n; i++)
        for (fragprog_monomial m = p->m[i]; m; m <<= 8)
            if (!c->atom[m >> 56].scalar)
                return false;
    return true;
}

static bool modified(poly *p, const struct fragprog_src *src, unsigned lanes)
{
    const double sign = src->negate & lanes ? -1 : 1;
    if (src->mods & FRAGPROG_ABS || (src->negate & lanes && (src->negate & lanes) != lanes))
        return false;
    const struct fragprog_affine a = fragprog_affine_of(src->mods);
    *p = stages_affine(a.m * sign, p, a.t);
    return true;
}

/* Computes the polynomial of a source in the lanes that the instruction reads, without the source's
 * modifiers. opened: substitutes the polynomials of values whose clamp cannot act. */
static bool named(struct reading *r, const struct fragprog_inst *inst, const struct fragprog_src *src,
                  int lane, bool opened, poly *out)
{
    struct stages_cover *c = r->c;
    const bool scalar = lane == FRAGPROG_W;
    unsigned atom = 0;
    if (lane >= FRAGPROG_ZERO && lane <= FRAGPROG_HALF) {
        *out = stages_constant(lane == FRAGPROG_ZERO ? 0 : lane == FRAGPROG_ONE ? 1 : 0.5);
        return true;
    }
    if (lane < 0 ||
        (lane < FRAGPROG_W && src->file != FRAGPROG_CONST &&
         (src->file != FRAGPROG_VALUE || r->p->inst[src->index].op == FRAGPROG_TEX)))
        return fail(r, inst, "swizzle", "", "the chip cannot exchange colour channels");
    switch (src->file) {
    case FRAGPROG_VALUE:
        if (r->p->inst[src->index].op != FRAGPROG_TEX) {
            const struct stages_form_of_half *f = &c->half[src->index][scalar ? ALPHA : RGB];
            if (!f->known)
                return false;
            *out = opened || !f->atom ? f->p : stages_variable(f->atom);
            return lane >= FRAGPROG_W || is_scalar(c, out) ||
                fail(r, inst, "swizzle", "", "the chip cannot exchange colour channels");
        }
        atom = texel(r, &r->p->inst[src->index], scalar);
        break;
    case FRAGPROG_CONST: atom = konst(r, inst, src->index, lane); break;
    case FRAGPROG_PRIMARY:
        atom = hwemit_stages_atom(c, &(struct stages_atom){.kind = STAGES_PRIMARY, .scalar = scalar});
        break;
    case FRAGPROG_SECONDARY:
        if (!c->chip->secondary)
            return fail(r, inst, "secondary", "", "the chip has no secondary colour");
        if (scalar)
            return fail(r, inst, "secondary", "", "the secondary colour's alpha is not defined");
        atom = hwemit_stages_atom(c, &(struct stages_atom){.kind = STAGES_SECONDARY});
        break;
    default: return fail(r, inst, "coordinate", "", "texture coordinates as a colour");
    }
    if (atom)
        *out = stages_variable(atom);
    return atom != 0;
}

/* Computes the polynomial of source s in the lanes that the instruction reads. */
static bool source(struct reading *r, const struct fragprog_inst *inst, unsigned s, unsigned lanes,
                   bool opened, poly *out)
{
    const struct fragprog_src *src = &inst->src[s];
    return named(r, inst, src, common_lane(src, lanes), opened, out) &&
        (modified(out, src, lanes) ||
         fail(r, inst, "modifier", "", "an absolute value, or channels of different sign"));
}

/* ---- instructions ---- */

static bool is_unit(const struct stages_cover *c, const poly *p) { return hwemit_stages_is_unit(c, p); }

/* The value that an instruction computes, its scale, and how its arguments are represented. */
struct own {
    struct stages_cover *c;
    unsigned value, scale;
    bool named;     /* arguments are values of the program's instructions, including their clamps */
    unsigned lanes; /* lanes that the instruction reads */
};

/* Adds a tile with these arguments (NULL: none), if the scale is possible. Returns false if one of them is
 * not in [0,1]. */
#define ARGS(...) ((const poly *const[STAGES_ARGS]){__VA_ARGS__})
static bool tile(const struct own *o, unsigned op, unsigned scale, const poly *const from[STAGES_ARGS])
{
    struct stages_tile t = {.op = (uint8_t)op, .scale = (uint8_t)scale};
    for (unsigned i = 0; i < STAGES_ARGS; i++)
        if (from[i] && !is_unit(o->c, from[i]))
            return false;
    if (scale > 2 || !(o->c->ops >> op & 1))
        return true;
    for (unsigned i = 0; i < STAGES_ARGS; i++)
        t.arg[i] = from[i] ? hwemit_stages_arg(o->c, from[i]) : (struct stages_arg){STAGES_NONE, 0};
    hwemit_stages_tile(o->c, o->value, t);
    return true;
}

/* Returns p / 2^shift. */
static poly less(const poly *p, unsigned shift) { return stages_affine(1.0 / (1 << shift), p, 0); }

static void sum_tiles(const struct own *o, const poly *u, const poly *v)
{
    for (unsigned k = 0; k < 2; k++) {
        const poly *a = k ? v : u, *b = k ? u : v, minus = stages_affine(-1, b, 0),
                   half = stages_affine(1, b, 0.5);
        if (!is_unit(o->c, a))
            continue;
        if (k == 0)
            tile(o, STAGES_ADD, o->scale, ARGS(NULL, a, b));
        tile(o, STAGES_SUBTRACT, o->scale, ARGS(NULL, a, &minus));
        tile(o, STAGES_ADDSIGNED, o->scale, ARGS(NULL, k ? &half : a, k ? a : &half));
    }
}

/* Adds a tile for the product of u and v, plus w if that is not NULL. */
static void product_tiles(const struct own *o, const poly *u, const poly *v, const poly *w)
{
    for (unsigned su = 0; su < 3; su++)
        for (unsigned sv = 0; su + sv < 3; sv++) {
            const poly a = less(u, su), b = less(v, sv);
            if (w ? tile(o, STAGES_MODULATE_AND_ADD + su + sv, o->scale, ARGS(w, &a, &b))
                  : tile(o, STAGES_MODULATE, o->scale + su + sv, ARGS(NULL, &a, &b)))
                return;
        }
}

/* Returns the product u*v, and enters it in the table of values if it is in [0,1]. */
static poly product(const struct own *o, const poly *u, const poly *v)
{
    const poly p = stages_product(u, v);
    if (o->named && is_unit(o->c, &p)) {
        const struct own inner = {o->c, hwemit_stages_value(o->c, &p), 0, false, 0};
        product_tiles(&inner, u, v, NULL);
    }
    return p;
}

/* Returns whether source s is a product of two values, perhaps minus 1/2 (*biased). */
static bool is_product(struct reading *r, const struct fragprog_inst *inst, unsigned s, unsigned lanes,
                       poly factor[2], bool *biased)
{
    const struct fragprog_src *src = &inst->src[s];
    const int lane = common_lane(src, lanes);
    const struct fragprog_inst *inner = &r->p->inst[src->file == FRAGPROG_VALUE ? src->index : 0];
    if (src->file != FRAGPROG_VALUE || inner->op != FRAGPROG_MUL || inner->scale ||
        src->mods & ~FRAGPROG_BIAS || src->negate & lanes || (lane != LANE_SAME && lane != FRAGPROG_W))
        return false;
    *biased = src->mods != 0;
    for (unsigned i = 0; i < 2; i++)
        if (!source(r, inner, i, lane == LANE_SAME ? lanes : 8, false, &factor[i]))
            return false;
    return true;
}

/* Adds tiles that compute the product of both factors plus w, which is source s (negated for SUB). */
static void products_tiles(struct reading *r, const struct fragprog_inst *inst, unsigned s,
                           const struct own *o, const poly *factor, const poly *w)
{
    const poly minus = stages_affine(-1, w, 0), half = stages_affine(1, w, 0.5), *a = factor, *b = factor + 1;
    poly other[2];
    bool biased;
    tile(o, STAGES_MODULATE_AND_ADD, o->scale, ARGS(w, a, b));
    tile(o, STAGES_MODULATE_AND_SUBTRACT, o->scale, ARGS(&minus, a, b));
    tile(o, STAGES_MODULATE_AND_ADDSIGNED, o->scale, ARGS(&half, a, b));
    if (inst->op != FRAGPROG_SUB && is_product(r, inst, s, o->lanes, other, &biased) &&
        (!biased || o->scale < 2))
        tile(o, biased ? STAGES_PRODUCTS_SIGNED : STAGES_PRODUCTS, o->scale,
             ARGS(&other[0], a, b, &other[1]));
}

/* Adds tiles for a sum of products, if the chip has such operations. */
static void sums_of_products(struct reading *r, const struct fragprog_inst *inst, const struct own *o,
                             const poly *v)
{
    poly factor[2];
    bool biased;
    if (!(o->c->ops & STAGES_OP(PRODUCTS)))
        return;
    if (inst->op == FRAGPROG_MAD)
        products_tiles(r, inst, 2, o, v, &v[2]);
    const bool sub = inst->op == FRAGPROG_SUB;
    for (unsigned s = 0; s < (sub ? 1u : inst->op == FRAGPROG_ADD ? 2u : 0u); s++)
        if (is_product(r, inst, s, o->lanes, factor, &biased) && !biased) {
            const poly rest = stages_affine(sub ? -1 : 1, &v[1 - s], 0);
            products_tiles(r, inst, 1 - s, o, factor, &rest);
        }
}

/* Adds tiles for the instruction itself, with arguments v. */
static void own_tiles(const struct own *o, unsigned op, const poly *v)
{
    poly q, r;
    switch (op) {
    case FRAGPROG_MOV:
        for (unsigned s = 0; s < 3; s++)
            if (q = less(&v[0], s), tile(o, STAGES_ARG1, o->scale + s, ARGS(NULL, &q)))
                return;
        return;
    case FRAGPROG_ADD:
    case FRAGPROG_VEC: sum_tiles(o, &v[0], &v[1]); return;
    case FRAGPROG_SUB:
        q = stages_affine(-1, &v[1], 0);
        sum_tiles(o, &v[0], &q);
        return;
    case FRAGPROG_MUL: product_tiles(o, &v[0], &v[1], NULL); return;
    case FRAGPROG_MAD:
        product_tiles(o, &v[0], &v[1], &v[2]);
        q = product(o, &v[0], &v[1]);
        sum_tiles(o, &q, &v[2]);
        return;
    case FRAGPROG_LERP:
        if (fragprog_poly_equal(&v[1], &v[2]))
            own_tiles(o, FRAGPROG_MOV, &v[1]);
        tile(o, STAGES_BLEND, o->scale, ARGS(&v[0], &v[1], &v[2]));
        r = stages_affine(-1, &v[0], 1);
        q = product(o, &v[0], &v[1]);
        r = product(o, &r, &v[2]);
        sum_tiles(o, &q, &r);
        return;
    default: return;
    }
}

static bool apply(unsigned op, const poly *v, double scale, poly *out)
{
    return fragprog_poly_formula(out, op == FRAGPROG_VEC ? FRAGPROG_ADD : op, v, scale);
}

/* Computes the polynomial of a dot product, the sum of (2x-1)(2y-1). The chip's DOT3 subtracts 1/2 and
 * multiplies by 4 itself; the program's arguments are 2x-1 and 2y-1. */
static bool dot(struct reading *r, const struct fragprog_inst *inst, poly *out)
{
    struct stages_atom atom = {.kind = STAGES_DOT, .scalar = 1};
    for (unsigned s = 0; s < 2; s++) {
        poly u;
        if (!source(r, inst, s, 7, false, &u))
            return false;
        u = stages_affine(0.5, &u, 0.5);
        if (!is_unit(r->c, &u))
            return fail(r, inst, "dot", "", "a dot product of numbers outside of [-1,1]");
        struct stages_arg arg = hwemit_stages_arg(r->c, &u);
        if (arg.value == STAGES_NONE)
            return false;
        atom.value[s] = arg.value;
        atom.inv ^= arg.inv; /* two inversions cancel */
    }
    /* stages expand u to 2u-1, and 1-u to 1-2u: their dot product is never positive */
    if (atom.value[0] == atom.value[1] && atom.inv && inst->clamp == FRAGPROG_SAT) {
        *out = stages_constant(0);
        return true;
    }
    unsigned n = hwemit_stages_atom(r->c, &atom);
    *out = stages_variable(n);
    return n != 0;
}

/* The polynomials of an instruction: arguments (v), arguments without clamps that cannot act (opened), and
 * the result before its own clamp (p). */
struct result {
    poly v[3], opened[3], p;
    bool same; /* v and opened are equal */
    double scale;
};

static bool compute(struct reading *r, const struct fragprog_inst *inst, unsigned lanes, struct result *x)
{
    x->same = true;
    x->scale = inst->scale < 0 ? 1.0 / (1 << -inst->scale) : (double)(1 << inst->scale);
    if (inst->op == FRAGPROG_DOT3) {
        if (!dot(r, inst, &x->p))
            return false;
        x->p = stages_affine(x->scale, &x->p, 0);
    } else {
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++) {
            if (!source(r, inst, s, lanes, false, &x->v[s]) ||
                !source(r, inst, s, lanes, true, &x->opened[s]))
                return false;
            x->same &= fragprog_poly_equal(&x->v[s], &x->opened[s]);
        }
        if (inst->op != FRAGPROG_VEC && !fragprog_op_is_polynomial(inst->op))
            return fail(r, inst, "operation", "", "the chip has no such operation");
        if (!apply(inst->op, x->opened, x->scale, &x->p))
            apply(inst->op, x->v, x->scale, &x->p);
    }
    return !x->p.bad || fail(r, inst, "length", "", "a value is too complex");
}

static bool result(struct reading *r, const struct fragprog_inst *inst, unsigned half,
                   struct stages_form_of_half *f)
{
    struct stages_cover *c = r->c;
    struct result x;
    poly p;
    if (!compute(r, inst, half == RGB ? inst->mask & 7u : 8u, &x))
        return false;
    const bool unit = is_unit(c, &x.p);
    f->atom = 0;
    f->p = x.p;
    if (inst->clamp != FRAGPROG_SAT && !unit) {
        const struct fragprog_interval range = hwemit_stages_range(c, &x.p);
        return inst->clamp != FRAGPROG_SAT8 || (range.lo >= -8 && range.hi <= 8) ||
            fail(r, inst, "range", "", "a value outside of [-8,8]");
    }
    /* Inner clamps are kept here even if the value's own clamp makes them redundant; they are removed only in
     * a sum of two values that have them. */
    struct own own = {c, hwemit_stages_value(c, &x.p), (unsigned)inst->scale, true,
                      half == RGB ? inst->mask & 7u : 8u};
    if (own.value == STAGES_NONE)
        return fail(r, inst, "length", "", "a value is too complex");
    if (inst->op != FRAGPROG_DOT3) {
        if (x.same || apply(inst->op, x.v, x.scale, &p))
            hwemit_stages_also(c, own.value, x.same ? &x.p : &p);
        if (inst->scale >= 0 && inst->scale < 3) {
            own_tiles(&own, inst->op, x.v);
            sums_of_products(r, inst, &own, x.v);
            own.named = false;
            if (!x.same)
                own_tiles(&own, inst->op, x.opened);
        }
    }
    double number;
    f->p = c->value[own.value].p; /* in canonical form */
    if (stages_is_constant(&f->p, &number))
        return true;
    f->atom = (uint8_t)hwemit_stages_atom_of(c, own.value);
    if (!f->atom)
        return fail(r, inst, "length", "", "the program has too many values");
    if (!is_unit(c, &f->p) || stages_length(&f->p) > OPENED)
        f->p = unit && stages_length(&x.p) <= OPENED ? x.p : stages_variable(f->atom);
    return true;
}

/* Enters a tile for the number 1/2, which no stage can read: ADDSIGNED computes it as 1 + 0 - 1/2. */
static void enter_half(struct stages_cover *c)
{
    const poly zero = stages_constant(0), one = stages_constant(1), half = stages_constant(0.5);
    const struct own own = {c, hwemit_stages_value(c, &half), 0, false, 0};
    tile(&own, STAGES_ADDSIGNED, 0, ARGS(NULL, &one, &zero));
}

bool hwemit_stages_read(struct stages_cover *c, const struct fragprog *p, uint16_t root[2])
{
    struct reading r = {c, p};
    c->reason = (struct stages_reason){NULL, "", NULL, -1};
    if (p->ninst > FRAGPROG_TEXENV_INSTS) {
        c->reason = (struct stages_reason){"length", "", "the program is too long", -1};
        return false;
    }
    enter_half(c);
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned half = 0; half < 2; half++) {
            c->half[i][half].known = 0;
            if (p->inst[i].op != FRAGPROG_TEX && p->inst[i].mask & (half == RGB ? 7 : 8))
                c->half[i][half].known = result(&r, &p->inst[i], half, &c->half[i][half]);
        }
    for (unsigned half = 0; half < 2; half++) {
        const struct fragprog_src of = {.file = FRAGPROG_VALUE, .index = p->result[half]};
        poly x;
        if (!named(&r, &p->inst[of.index], &of, half == RGB ? LANE_SAME : FRAGPROG_W, true, &x))
            return false;
        const unsigned value = hwemit_stages_value(c, &x);
        if (value == STAGES_NONE)
            return false;
        root[half] = (uint16_t)value;
    }
    return true;
}
