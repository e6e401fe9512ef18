/* Programs that were found, as tiles: each is shown to be right everywhere first, or kept aside. */
#include "hwemit/i830/every.h"

enum { MOST_DOUBTS = 500 }; /* programs that neither can be shown to be right nor are wrong at any vector: each takes up to a tenth of a second. The others are not looked into */
enum entered { NO_ROOM, DOUBTFUL, ENTERED };

static struct i830_arg arg_of(const struct every *e, unsigned arg, const uint16_t *value, const struct every_program *p, unsigned stage)
{
    if (arg < EVERY_P)
        return (struct i830_arg){e->leaf[arg].value, e->leaf[arg].inv};
    return (struct i830_arg){value[arg < EVERY_W ? p->p[stage] : p->w[stage]], arg & 1};
}

/* opaque: what it reads is not looked into. */
static bool polynomial_of(struct i830_cover *c, const struct every_step *s, const struct i830_arg *arg, bool opaque, struct i830_poly *out)
{
    struct i830_poly a[3], t;
    const bool three = s->op == I830_BLEND || s->op >= I830_MODULATE_AND_ADD;
    for (unsigned i = three ? 0 : 1; i < (s->op == I830_ARG1 ? 2u : 3u); i++)
        if (!(opaque ? hwemit_i830_of_opaque(c, arg[i], &a[i]) : hwemit_i830_of_value(c, arg[i], &a[i])))
            return false;
    switch (s->op) {
    case I830_ARG1: t = a[1]; break;
    case I830_MODULATE: t = hwemit_i830_poly_product(&a[1], &a[2]); break;
    case I830_ADD: t = hwemit_i830_poly_sum(1, &a[1], 1, &a[2]); break;
    case I830_ADDSIGNED:
        t = hwemit_i830_poly_sum(1, &a[1], 1, &a[2]);
        t = hwemit_i830_poly_affine(1, &t, -0.5);
        break;
    case I830_SUBTRACT: t = hwemit_i830_poly_sum(1, &a[1], -1, &a[2]); break;
    case I830_BLEND:
        t = hwemit_i830_poly_sum(1, &a[1], -1, &a[2]);
        t = hwemit_i830_poly_product(&a[0], &t);
        t = hwemit_i830_poly_sum(1, &t, 1, &a[2]);
        break;
    case I830_DOT3: return false; /* its atom is made by who reads it */
    default:
        t = hwemit_i830_poly_product(&a[1], &a[2]);
        t = hwemit_i830_poly_sum(1 << (s->op - I830_MODULATE_AND_ADD), &t, 1, &a[0]);
        break;
    }
    *out = hwemit_i830_poly_affine(1 << s->scale, &t, 0);
    return !out->bad;
}

/* What the stage makes: its value, I830_NONE if the tables are full. *shown: that of the last stage is the result. */
static unsigned value_of(struct every *e, const struct every_program *p, unsigned stage, const struct i830_arg arg[3], bool prove, bool *shown)
{
    struct i830_cover *const c = e->c;
    const struct every_step *const s = &p->step[stage];
    struct i830_poly q;
    bool is = true;
    if (s->op == I830_DOT3) {
        struct i830_atom atom = {.kind = I830_DOT, .scalar = 1, .value = {arg[1].value, arg[2].value}, .inv = arg[1].inv ^ arg[2].inv};
        const unsigned n = hwemit_i830_atom(c, &atom);
        q = hwemit_i830_poly_atom(n);
        q = hwemit_i830_poly_affine(1 << s->scale, &q, 0);
        is = n != 0;
    } else {
        is = polynomial_of(c, s, arg, false, &q) || polynomial_of(c, s, arg, true, &q);
    }
    if (stage < 3)
        return is ? hwemit_i830_value(c, &q) : I830_NONE;
    *shown = is && (hwemit_i830_is(c, e->root, &q) || (prove && hwemit_i830_proves(c, e->root, &q, e->memory, (size_t)(e->end - e->memory))));
    return e->root;
}

/* last: the last stage, which is no tile yet if the program is doubtful. */
static enum entered enter(struct every *e, const struct every_program *p, bool prove, struct i830_tile *last)
{
    struct i830_cover *const c = e->c;
    uint16_t value[5] = {0};
    bool shown = false;
    if (p->lent) { /* by the alpha pipe */
        struct i830_arg arg[3];
        struct i830_poly q;
        for (unsigned i = 0; i < 3; i++)
            arg[i] = arg_of(e, p->lend.arg[i], value, p, 0);
        if (!polynomial_of(c, &p->lend, arg, false, &q))
            return NO_ROOM;
        value[4] = (uint16_t)hwemit_i830_value(c, &q);
        if (value[4] == I830_NONE)
            return NO_ROOM;
        hwemit_i830_tile(c, value[4], p->lend.op, p->lend.scale, arg[0], arg[1], arg[2]);
    }
    for (unsigned k = p->first; k < 4; k++) {
        struct i830_arg arg[3];
        for (unsigned i = 0; i < 3; i++)
            arg[i] = arg_of(e, p->step[k].arg[i], value, p, k);
        value[k] = (uint16_t)value_of(e, p, k, arg, prove, &shown);
        if (value[k] == I830_NONE)
            return NO_ROOM;
        *last = (struct i830_tile){.op = p->step[k].op, .scale = p->step[k].scale, .arg = {arg[0], arg[1], arg[2]}};
        if (k < 3 || shown)
            hwemit_i830_tile(c, value[k], last->op, last->scale, arg[0], arg[1], arg[2]);
    }
    return shown ? ENTERED : DOUBTFUL;
}

/* False: no room. */
static bool put_aside(struct every *e, const struct i830_tile *last)
{
    struct every_doubts *const d = e->doubts;
    if (d->n == EVERY_DOUBTFUL)
        return false;
    d->of[d->n++] = (struct every_doubt){(uint16_t)e->root, *last};
    return true;
}

/* Whether another is entered that is as good; with ACCUM, where registers count, too, one that asks for the same, unless room has to be spared. */
static bool is_spare(const struct every *e, uint32_t i)
{
    bool is = false;
    for (uint32_t k = 0; k < e->nfound && !is; k++)
        is = k != i && e->found[k].entered && (e->accum && !e->sparing ? e->found[k].key == e->found[i].key : hwemit_i830_every_as_good(&e->found[k], &e->found[i]));
    return is;
}

/* The stage in which it can end: what it reads has to be there in time. */
static unsigned end_of(const struct every_program *p)
{
    unsigned end = 4u - p->first;
    for (unsigned k = p->first; k < 4; k++)
        if (p->step[k].from + 3u - k > end)
            end = p->step[k].from + 3u - k;
    return end;
}

unsigned hwemit_i830_every_enter(struct every *e, bool *filled)
{
    uint8_t *const mark = e->end;
    unsigned least = 0, doubts = 0;
    e->was_wrong = false;
    for (uint32_t i = 0; i < e->nfound; i++)
        if (!least || end_of(&e->found[i]) < least)
            least = end_of(&e->found[i]);
    for (unsigned first = 4; first-- > 0;) /* the shortest before */
        for (uint32_t i = 0; i < e->nfound; i++) {
            struct every_program *const p = &e->found[i];
            struct i830_tile last;
            if (p->first != first || ((!e->accum || e->sparing) && is_spare(e, i)))
                continue;
            const bool prove = doubts < MOST_DOUBTS;
            p->entered = enter(e, p, prove, &last) == ENTERED;
            p->wrong = prove && !p->entered && hwemit_i830_every_is_wrong(e, p);
            doubts += !p->entered && !p->wrong;
            e->was_wrong |= p->wrong;
        }
    for (uint32_t i = 0; i < e->nfound && !e->was_wrong; i++) {
        const struct every_program *const p = &e->found[i];
        struct i830_tile last;
        if (!p->wrong && !p->entered && !is_spare(e, i))
            *filled |= enter(e, p, false, &last) != DOUBTFUL || !put_aside(e, &last);
    }
    e->stock = NULL;
    e->end = mark;
    *filled |= e->c->overflow;
    return least;
}

bool hwemit_i830_every_again(struct every *e, bool *whole)
{
    const bool can = e->nsamples < EVERY_SAMPLES + EVERY_LEARNT && ++e->nrounds < EVERY_ROUNDS;
    *whole &= !e->was_wrong || can;
    return e->was_wrong && can;
}
