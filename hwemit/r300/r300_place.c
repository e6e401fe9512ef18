/* Makes one pair of two operations, if one form of each can be found such that their sources fit the six
 * addresses (notes/facts/r300.md 2). Presubtracts are placed first because they need src0 and src1; other
 * sources use an address that already holds them, or any free one. */
#include "hwemit/r300/r300_encode.h"

#include <string.h>

static bool same(const struct port *a, const struct port *b) { return memcmp(a, b, sizeof *a) == 0; }

/* Returns the mask of parts that a source is read from; lane: its swizzle. A scalar is in an alpha part or in
 * all three channels of a colour part, depending on the half that its operation was scheduled in. */
static unsigned lanes_of(const struct program *p, const struct leaf *leaf, unsigned half, uint8_t lane[3])
{
    if (half == ALPHA)
        memset(lane, leaf->lane[0], 3);
    else
        memcpy(lane, leaf->lane, 3);
    if (leaf->file == FILE_VREG && p->vreg[leaf->index].uniform) {
        const bool alpha = p->vreg[leaf->index].part == ALPHA;
        for (unsigned i = 0; i < 3; i++)
            lane[i] = alpha ? 3 : lane[i] == 3 ? 0 : lane[i];
    }
    if (lane[0] == lane[1] && lane[0] == lane[2])
        return lane[0] == 3 ? 1 << ALPHA : 1 << RGB;
    return lane[0] < 3 && lane[1] < 3 && lane[2] < 3 ? 1 << RGB : 1 << RGB | 1 << ALPHA;
}

static bool number(struct program *p, float value, struct port *port)
{
    unsigned n = 0;
    while (n < p->nnumbers && p->number[n] != value)
        n++;
    if (n == MAX_NUMBERS)
        return false;
    if (n == p->nnumbers)
        p->number[p->nnumbers++] = value;
    *port = (struct port){FILE_NUMBER, (uint16_t)n};
    return true;
}

/* Finds an address of this part that already holds the source, or a free one. */
static bool take(struct pair *pair, unsigned part, const struct port *source, unsigned *slot)
{
    struct port *port = pair->port[part];
    unsigned s = 0;
    while (s < 3 && !same(&port[s], source))
        s++;
    for (unsigned free = 0; s == 3 && free < 3; free++)
        if (port[free].file == FILE_NONE)
            port[s = free] = *source;
    *slot = s;
    return s < 3;
}

/* Puts the sources of presubtract k into the first addresses of its part. Returns false if the part already
 * has another presubtract. */
static bool presubtract(struct program *p, struct pair *pair, unsigned half, unsigned k, uint8_t lane[3])
{
    const struct op *op = &p->op[pair->half[half].op];
    const struct form *f = &p->forms[pair->half[half].form];
    const struct presub *pre = &f->pre[k];
    struct port source[2];
    const bool two = pre->op == PRE_SUB || pre->op == PRE_ADD;
    bool known = false;
    memset(lane, 0, 3); /* a presubtract of two literals uses the colour part */
    for (unsigned s = 0; s < 2; s++) {
        if (pre->arg[s] < ARG_LEAF) {
            if (!number(p, f->number[pre->arg[s] - ARG_NUMBER], &source[s]))
                return false;
            continue;
        }
        if (s && pre->arg[1] == pre->arg[0]) {
            source[1] = source[0];
            break;
        }
        const struct leaf *leaf = &op->leaf[pre->arg[s] - ARG_LEAF];
        uint8_t own[3];
        const unsigned parts = lanes_of(p, leaf, half, known ? own : lane);
        if (parts == (1 << RGB | 1 << ALPHA) || (known && memcmp(own, lane, 3) != 0))
            return false;
        known = true;
        source[s] = (struct port){leaf->file, leaf->index};
    }
    const unsigned part = lane[0] == 3;
    struct port *port = pair->port[part];
    if (pair->pre[part] == PRE_NONE) {
        pair->pre[part] = pre->op;
        port[0] = source[0];
        if (two)
            port[1] = source[1];
        return true;
    }
    bool equal = same(&port[0], &source[0]) && (!two || same(&port[1], &source[1]));
    bool swapped = pre->op == PRE_ADD && same(&port[0], &source[1]) && same(&port[1], &source[0]);
    return pair->pre[part] == pre->op && (equal || swapped);
}

/* If a half reads the presubtract of the other part, it is not known which part's presubtract operation r300
 * uses (notes/facts/hw-open.md r300.11), so both parts get the same operation. Returns false if that is not
 * possible. */
static bool across(const struct program *p, struct pair *pair)
{
    if (p->chip->part_presub || (pair->pre[RGB] == PRE_NONE && pair->pre[ALPHA] == PRE_NONE))
        return true;
    for (unsigned half = 0; half < 2; half++)
        for (unsigned a = 0; a < 3; a++) {
            const struct operand *o = &pair->half[half].arg[a];
            const unsigned part = o->lane[0] == 3;
            if (o->from != SRC_PRE || part == half)
                continue;
            if (pair->pre[half] == PRE_NONE)
                pair->pre[half] = pair->pre[part];
            else if (pair->pre[half] != pair->pre[part])
                return false;
        }
    return true;
}

static bool leaf_operand(const struct program *p, struct pair *pair, unsigned half, struct operand *o,
                         const struct leaf *leaf)
{
    const struct port source = {leaf->file, leaf->index};
    const unsigned parts = lanes_of(p, leaf, half, o->lane);
    unsigned slot;
    if (parts != (1 << RGB | 1 << ALPHA)) {
        if (!take(pair, parts >> ALPHA, &source, &slot))
            return false;
        o->from = (uint8_t)(SRC_0 + slot);
        return true;
    }
    for (slot = 0; slot < 3; slot++) { /* use the colour and the alpha address with the same number */
        struct port *x = &pair->port[RGB][slot], *y = &pair->port[ALPHA][slot];
        if ((x->file == FILE_NONE || same(x, &source)) && (y->file == FILE_NONE || same(y, &source))) {
            *x = *y = source;
            o->from = (uint8_t)(SRC_0 + slot);
            return true;
        }
    }
    return false;
}

/* Places an operand other than a literal of the form (form.number; number_operand places those). */
static bool operand(const struct program *p, struct pair *pair, unsigned half, unsigned arg,
                    uint8_t pre_lane[2][3])
{
    const struct op *op = &p->op[pair->half[half].op];
    const struct form *f = &p->forms[pair->half[half].form];
    struct operand *o = &pair->half[half].arg[arg];
    o->mod = f->mod[arg];
    if (f->arg[arg] >= ARG_LEAF)
        return leaf_operand(p, pair, half, o, &op->leaf[f->arg[arg] - ARG_LEAF]);
    switch (f->arg[arg]) {
    case ARG_HALF: o->from = SRC_HALF; break;
    case ARG_ONE: o->from = SRC_ONE; break;
    case ARG_PRE:
    case ARG_PRE2:
        o->from = SRC_PRE;
        memcpy(o->lane, pre_lane[f->arg[arg] == ARG_PRE2], 3);
        break;
    default: o->from = SRC_ZERO; break;
    }
    return true;
}

/* Places an operand that is a literal, which a colour or an alpha address can read. first: the part whose
 * addresses are tried first. */
static bool number_operand(struct program *p, struct pair *pair, unsigned half, unsigned arg, unsigned first)
{
    static const uint8_t lanes[2][3] = {{0, 1, 2}, {3, 3, 3}};
    const struct form *f = &p->forms[pair->half[half].form];
    struct operand *o = &pair->half[half].arg[arg];
    struct port source;
    unsigned slot, part = first;
    if (!number(p, f->number[f->arg[arg] - ARG_NUMBER], &source))
        return false;
    if (!take(pair, part, &source, &slot)) {
        part = 1 - first;
        if (!take(pair, part, &source, &slot))
            return false;
    }
    o->mod = f->mod[arg];
    o->from = (uint8_t)(SRC_0 + slot);
    memcpy(o->lane, lanes[part], 3);
    if (half == ALPHA && part == RGB)
        o->lane[1] = o->lane[2] = o->lane[0];
    return true;
}

static void start(const struct program *p, struct half *h, unsigned number_of_op, unsigned half,
                  uint32_t form)
{
    const struct op *op = &p->op[number_of_op];
    h->op = (uint16_t)number_of_op;
    h->form = form;
    h->code = p->forms[form].dot ? OP_DP3 : op->op;
    h->clamp = op->clamp;
    h->omod = p->forms[form].omod;
    h->out = op->out[half];
    h->temp = op->where == AT_BOTH ? op->result[half] : op->result[0] != NONE ? op->result[0] : op->result[1];
    h->mask = half == ALPHA ? 1 : h->temp != NONE && p->vreg[h->temp].uniform ? 7 : op->mask;
    if (half == RGB && op->out[RGB])
        h->out = op->mask; /* the channels of a colour output */
    if (op->where == AT_BOTH && half == ALPHA) {
        h->code = ALPHA_DP;
        h->omod = op->alpha_omod;
        h->clamp = op->alpha_clamp;
    }
    if (h->temp == NONE)
        h->mask = 0;
    for (unsigned a = 0; a < 3; a++)
        h->arg[a].from = SRC_ZERO;
}

/* Returns the number of operands that the instruction reads. */
static unsigned args_of(const struct op *op, const struct form *f)
{
    if (op->op == OP_RCP)
        return 1;
    return op->op == OP_DP3 || op->op == OP_MIN || op->op == OP_MAX || f->dot ? 2 : 3;
}

static bool is_number(unsigned arg) { return arg >= ARG_NUMBER && arg < ARG_LEAF; }

/* Places the operands of a half except literals. Sets *numbers if there are literals. */
static bool operands(struct program *p, struct pair *pair, unsigned half, uint8_t pre_lane[2][3],
                     bool *numbers)
{
    const struct form *f = &p->forms[pair->half[half].form];
    const unsigned args = args_of(&p->op[pair->half[half].op], f);
    for (unsigned a = 0; a < args; a++)
        if (is_number(f->arg[a]))
            *numbers = true;
        else if (!operand(p, pair, half, a, pre_lane))
            return false;
    return true;
}

/* Places the operands of a half that are literals. first: the part whose addresses are tried first. */
static bool numbers_of(struct program *p, struct pair *pair, unsigned half, unsigned first)
{
    const struct form *f = &p->forms[pair->half[half].form];
    const unsigned args = args_of(&p->op[pair->half[half].op], f);
    for (unsigned a = 0; a < args; a++)
        if (is_number(f->arg[a]) && !number_operand(p, pair, half, a, first))
            return false;
    return true;
}

/* Makes the pair with one given form of each operation. first: the part whose addresses are tried first for
 * literals. */
static bool build(struct program *p, struct pair *pair, const unsigned op[2], const uint32_t form[2],
                  unsigned first)
{
    uint8_t pre_lane[2][2][3];
    const bool both = op[RGB] != NONE && op[RGB] == op[ALPHA];
    const bool reads[2] = {op[RGB] != NONE, op[ALPHA] != NONE && !both};
    bool numbers = false;
    hwemit_r300_spend(p->chip, 30);
    memset(pair, 0, sizeof *pair);
    pair->pre[0] = pair->pre[1] = PRE_NONE;
    for (unsigned half = 0; half < 2; half++) {
        if (op[half] == NONE) {
            pair->half[half].op = pair->half[half].temp = NONE;
            for (unsigned a = 0; a < 3; a++)
                pair->half[half].arg[a].from = SRC_ZERO;
            continue;
        }
        if (half == ALPHA && p->forms[form[half]].dot)
            return false;
        start(p, &pair->half[half], op[half], half, form[half]);
    }
    for (unsigned half = 0; half < 2; half++) {
        const struct presub *pre = p->forms[form[half]].pre;
        for (unsigned k = 0; reads[half] && k < 2 && pre[k].op != PRE_NONE; k++)
            if (!presubtract(p, pair, half, k, pre_lane[half][k]))
                return false;
    }
    for (unsigned half = 0; half < 2; half++)
        if (reads[half] && !operands(p, pair, half, pre_lane[half], &numbers))
            return false;
    for (unsigned half = 0; half < 2; half++) /* literals last, because they fit either part */
        if (numbers && reads[half] && !numbers_of(p, pair, half, first))
            return false;
    return across(p, pair) && hwemit_r300_few_constants(p, pair);
}

static bool reads_number(const struct form *f)
{
    bool reads = false;
    for (unsigned a = 0; a < 3; a++)
        reads |= is_number(f->arg[a]);
    return reads;
}

/* Finds the part and the sources of a presubtract. Returns false if they are not known before placement,
 * because a source is a literal or a scalar, which may be in either part. */
static bool reads_of(const struct program *p, const struct op *op, const struct presub *pre, unsigned *part,
                     struct port source[2])
{
    for (unsigned s = 0; s < 2; s++) {
        if (pre->arg[s] < ARG_LEAF)
            return false;
        const struct leaf *leaf = &op->leaf[pre->arg[s] - ARG_LEAF];
        if (leaf->file == FILE_VREG && p->vreg[leaf->index].uniform)
            return false;
        source[s] = (struct port){leaf->file, leaf->index};
        *part = leaf->lane[0] == 3;
    }
    return true;
}

/* Quick test: returns whether these forms need different presubtracts of the same part. */
static bool clash(const struct program *p, const unsigned op[2], const uint32_t form[2])
{
    const struct form *f = &p->forms[form[RGB]], *g = &p->forms[form[ALPHA]];
    for (unsigned k = 0; k < 2 && f->pre[k].op != PRE_NONE; k++)
        for (unsigned l = 0; l < 2 && g->pre[l].op != PRE_NONE; l++) {
            struct port x[2], y[2];
            unsigned part, other;
            if (!reads_of(p, &p->op[op[RGB]], &f->pre[k], &part, x) ||
                !reads_of(p, &p->op[op[ALPHA]], &g->pre[l], &other, y) || part != other)
                continue;
            const bool equal = same(&x[0], &y[0]) && same(&x[1], &y[1]),
                       swapped = f->pre[k].op == PRE_ADD && same(&x[0], &y[1]) && same(&x[1], &y[0]);
            if (f->pre[k].op != g->pre[l].op || !(equal || swapped))
                return true;
        }
    return false;
}

/* Returns the number of forms of the operation; an empty half (NONE) counts as one form. */
static unsigned forms_of(struct program *p, unsigned op, unsigned i)
{
    return op == NONE ? 1 : hwemit_r300_forms(p, &p->op[op], i);
}

bool hwemit_r300_place(struct program *p, struct pair *pair, unsigned rgb, unsigned alpha)
{
    const unsigned op[2] = {rgb, alpha};
    const bool both = rgb == alpha;
    for (unsigned i = 0; i < forms_of(p, rgb, i); i++)
        for (unsigned j = 0; j < (both ? 1 : forms_of(p, alpha, j)); j++) {
            uint32_t form[2] = {0, 0};
            if (rgb != NONE)
                form[RGB] = p->op[rgb].form + i;
            if (alpha != NONE)
                form[ALPHA] = both ? form[RGB] : p->op[alpha].form + j;
            if (rgb != NONE && alpha != NONE && !both && clash(p, op, form))
                continue;
            if (build(p, pair, op, form, ALPHA) ||
                (((rgb != NONE && reads_number(&p->forms[form[RGB]])) ||
                  (alpha != NONE && reads_number(&p->forms[form[ALPHA]]))) &&
                 build(p, pair, op, form, RGB)))
                return true;
        }
    return false;
}
