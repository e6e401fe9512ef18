/* Simplifies texturing programs so that their GLSL looks as if written by hand: removes redundant clamps and
 * copies, merges halves, and folds values that are used once into the expression that uses them. */
#include "fragprog/algebra/clamp.h"
#include "fragprog/algebra/replace.h"
#include "fragprog/lang/glsl.h"

enum { MOST_COLUMNS = 80 }; /* limit for an expression, without the surrounding " vec4 name = ;" */

/* ---- the program ---- */

/* Returns the copy that defines the value, or NULL. */
static const struct fragprog_inst *copy_of(const struct fragprog *p, unsigned value)
{
    const struct fragprog_inst *inst = &p->inst[value];
    return inst->op == FRAGPROG_MOV && !inst->clamp && !inst->scale ? inst : NULL;
}

static void read_through(const struct fragprog *p, struct fragprog_inst *inst, unsigned s)
{
    const struct fragprog_src *src = &inst->src[s];
    const struct fragprog_inst *mov = src->file == FRAGPROG_VALUE ? copy_of(p, src->index) : NULL;
    const unsigned lanes = fragprog_lanes_read(inst, s);
    if (!mov || src->mods & FRAGPROG_ABS || src->negate & lanes ||
        fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE)
        return;
    struct fragprog_src changed = fragprog_through(src, &mov->src[0]);
    if (fragprog_apply(&changed, lanes, fragprog_affine_of(src->mods)))
        inst->src[s] = changed;
}

/* Makes users of copies read the source directly. Lookups and vecs are excluded, because their operands have
 * no modifiers. */
static void drop_copies(struct fragprog *p)
{
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (!fragprog_op_is_lookup(p->inst[i].op) && p->inst[i].op != FRAGPROG_VEC)
                read_through(p, &p->inst[i], s);
    for (unsigned half = 0; half < 2; half++) {
        const struct fragprog_inst *mov = copy_of(p, p->result[half]);
        const unsigned lanes = half == TEXENV_ALPHA ? FRAGPROG_MASK_W : FRAGPROG_MASK_XYZ;
        if (mov && mov->src[0].file == FRAGPROG_VALUE && !mov->src[0].mods && !(mov->src[0].negate & lanes) &&
            fragprog_lanes_in_place(mov->src[0].lane, lanes))
            p->result[half] = mov->src[0].index;
    }
}

/* Reads q as 1 where it is known to be 1, and does not divide by it. Coordinates of point sprites have no r
 * and no q. */
static void know_coordinates(struct fragprog *p, const struct fragprog_glsl *g)
{
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++) {
            struct fragprog_src *src = &p->inst[i].src[s];
            if (src->file != FRAGPROG_COORD)
                continue;
            const bool affine = fragprog_is_affine(g->options, src->index);
            if (p->inst[i].op == FRAGPROG_TEX && affine && src->lane[3] == FRAGPROG_W)
                p->inst[i].undivided = 1;
            for (unsigned c = 0; c < 4; c++)
                if (affine && src->lane[c] == FRAGPROG_W)
                    src->lane[c] = FRAGPROG_ONE;
                else if (fragprog_glsl_is_sprite(g, src->index) && src->lane[c] == FRAGPROG_Z)
                    src->lane[c] = FRAGPROG_ZERO;
        }
}

/* ---- values ---- */

/* Returns true if all channels are equal, so that a float suffices. */
static bool is_float(const struct fragprog_glsl *g, const struct fragprog_inst *inst)
{
    uint8_t lane[4];
    const unsigned n = fragprog_glsl_channels(inst, lane);
    if (n == 1 || fragprog_op_is_dot(inst->op))
        return true;
    if (inst->op == FRAGPROG_TEX)
        return fragprog_glsl_is_all_depth(g, inst);
    bool all = inst->op != FRAGPROG_VEC && inst->op != FRAGPROG_PROJ;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        all = all && fragprog_glsl_is_float(g, &inst->src[s], lane, n);
    return all;
}

/* Counts a use of a value by a source or result. The value can be folded only if the use reads it unchanged.
 * place: false if the using instruction can only read variables. This applies to selections, because a lookup
 * that is folded into one branch would have an undefined level of detail. */
static void count_use(struct fragprog_glsl *g, const struct fragprog_src *src, unsigned lanes, bool place)
{
    if (src->file != FRAGPROG_VALUE)
        return;
    struct fragprog_glsl_value *v = &g->value[src->index];
    const unsigned mask = g->p->inst[src->index].mask;
    v->uses++;
    if (v->size == 1)
        v->named |= !place ||
            fragprog_lane_word(src->lane, lanes) & FRAGPROG_LITERAL_LANE * FRAGPROG_EACH_LANE;
    else
        v->named |= !place || lanes != mask || !fragprog_lanes_in_place(src->lane, lanes);
}

static void count_uses(struct fragprog_glsl *g)
{
    const struct fragprog *p = g->p;
    for (unsigned i = 0; i < p->ninst; i++) {
        const struct fragprog_inst *inst = &p->inst[i];
        const bool place = !fragprog_op_is_lookup(inst->op) && inst->op != FRAGPROG_CND &&
            inst->op != FRAGPROG_CND0 && inst->op != FRAGPROG_VEC && inst->op != FRAGPROG_PROJ;
        for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
            count_use(g, &inst->src[s], fragprog_lanes_read(inst, s), place);
    }
    const struct fragprog_src color = fragprog_src_value(p->result[TEXENV_RGB]),
                              alpha = fragprog_src_value(p->result[TEXENV_ALPHA]);
    if (fragprog_glsl_is_one_result(g)) {
        count_use(g, &color, FRAGPROG_MASK_XYZW, true);
    } else {
        count_use(g, &color, FRAGPROG_MASK_XYZ, true);
        count_use(g, &alpha, FRAGPROG_MASK_W, true);
    }
}

static unsigned length_of(const struct fragprog_glsl *g, unsigned value)
{
    struct fragprog_glsl quiet = *g;
    struct texenv_text text;
    texenv_text_init(&text, NULL, 0);
    quiet.text = &text;
    fragprog_glsl_expression(&quiet, value, FRAGPROG_GLSL_ANY);
    return (unsigned)text.length;
}

/* Of the values that are folded into an expression, makes the longest one a variable again. Returns false if
 * no value is folded. */
static bool shorten(struct fragprog_glsl *g, const uint16_t *values, unsigned n)
{
    int longest = -1;
    for (unsigned k = 0; k < n; k++)
        if (g->value[values[k]].folded &&
            (longest < 0 || g->value[values[k]].length > g->value[longest].length))
            longest = values[k];
    if (longest >= 0)
        g->value[longest].folded = false;
    return longest >= 0;
}

static void fold_into(struct fragprog_glsl *g, unsigned i)
{
    const struct fragprog_inst *inst = &g->p->inst[i];
    struct fragprog_glsl_value *v = &g->value[i];
    uint16_t read[3];
    unsigned n = 0;
    v->folded = v->uses == 1 && !v->named;
    for (unsigned s = 0; s < fragprog_op_args(inst->op); s++)
        if (inst->src[s].file == FRAGPROG_VALUE && g->value[inst->src[s].index].folded)
            read[n++] = inst->src[s].index;
    if (!n && !v->folded)
        return; /* its length does not matter */
    do
        v->length = (uint16_t)length_of(g, i);
    while (v->length > MOST_COLUMNS && shorten(g, read, n));
}

/* Distinguishes values of the same name by a number. */
static void number(struct fragprog_glsl *g, unsigned i)
{
    for (unsigned j = 0; j < i; j++)
        if (!g->value[j].folded && fragprog_glsl_same_name(g, i, j))
            g->value[i].nth++;
}

/* Layout of the scratch memory. */
struct room {
    struct fragprog_glsl_value value[FRAGPROG_TEXENV_INSTS];
    uint64_t ranges[FRAGPROG_PASSES_SCRATCH / sizeof(uint64_t)];
};
_Static_assert(sizeof(struct room) == FRAGPROG_GLSL_SCRATCH, "as glsl.h says");

void fragprog_glsl_simplify(struct fragprog *p, struct fragprog_glsl *g, void *scratch)
{
    struct room *room = scratch;
    struct fragprog_ranges *r = fragprog_ranges_over(room->ranges, p);
    fragprog_find_ranges(r, p);
    fragprog_drop_idle_clamps(p, r, 1u << FRAGPROG_SAT | 1u << FRAGPROG_SAT8);
    g->unit_color = true;
    for (unsigned c = 0; c < 3; c++)
        g->unit_color &= r->out[p->result[TEXENV_RGB]][c].lo >= 0 && r->out[p->result[TEXENV_RGB]][c].hi <= 1;
    know_coordinates(p, g);
    drop_copies(p);
    fragprog_opt_dead(p, &(struct fragprog_opt){0});
    fragprog_join_halves(p);
    fragprog_share_products(p);
    g->value = room->value;
    for (unsigned i = 0; i < p->ninst; i++) {
        g->value[i] = (struct fragprog_glsl_value){.size = 1};
        if (!is_float(g, &p->inst[i]))
            g->value[i].size = (uint8_t)fragprog_glsl_channels(&p->inst[i], (uint8_t[4]){0});
    }
    count_uses(g);
    for (unsigned i = 0; i < p->ninst; i++)
        fold_into(g, i);
    while (fragprog_glsl_result_length(g) > MOST_COLUMNS && shorten(g, p->result, 2))
        ;
    for (unsigned i = 0; i < p->ninst; i++)
        if (!g->value[i].folded)
            number(g, i);
}
