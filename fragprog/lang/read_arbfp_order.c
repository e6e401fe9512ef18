/* Sorts the constant pool of an ARB program by its declarations, so that the numbering follows the text:
 * arrays that are addressed relatively; declared parameters and elements of arrays; parameters that occur
 * only in instructions; immediates. */
#include "fragprog/lang/arbfp_read.h"

/* Redirects the uses of a constant that is also an element of an array to this element. Returns the number of
 * constants that remain. */
static uint16_t forward(struct fragprog *p)
{
    uint16_t forwarded = 0;
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_CONST && p->konst[p->inst[i].src[s].index].scratch)
                p->inst[i].src[s].index = (uint16_t)(p->konst[p->inst[i].src[s].index].scratch - 1);
    for (unsigned k = 0; k < p->nkonst; k++)
        forwarded += p->konst[k].scratch != 0;
    const uint16_t left = (uint16_t)(p->nkonst - forwarded);
    uint16_t next = left;
    for (unsigned k = 0; k < p->nkonst; k++)
        if (p->konst[k].scratch)
            p->konst[k].scratch = ++next;
    return left;
}

/* Sets `scratch` of each constant to its new index + 1; 0: none yet. */
static void number_constants(struct arbfp_reader *r)
{
    struct fragprog *p = r->p;
    uint16_t next = 0, uploaded = 0, konst;
    for (unsigned k = 0; k < p->nkonst; k++)
        uploaded += p->konst[k].origin[0].unit >= 0 && !p->konst[k].array && !p->konst[k].scratch;
    for (unsigned k = 0; k < p->nkonst; k++)
        if (p->konst[k].array)
            p->konst[k].scratch = ++next;
    uploaded += next;
    for (uint32_t i = 0; i < r->items && next < uploaded; i++)
        for (uint32_t e = 0; e < r->item[i].count && r->item[i].origin >= 0 && next < uploaded; e++)
            if (fragprog_arbfp_find_uploaded(r, r->item[i].origin + (int32_t)e, &konst) &&
                !p->konst[konst].scratch)
                p->konst[konst].scratch = ++next;
    for (unsigned immediate = 0; immediate < 2; immediate++)
        for (unsigned k = 0; k < p->nkonst; k++)
            if (!p->konst[k].scratch && (p->konst[k].origin[0].unit < 0) == immediate)
                p->konst[k].scratch = ++next;
}

void fragprog_arbfp_order(struct arbfp_reader *r)
{
    struct fragprog *p = r->p;
    const uint16_t left = forward(p);
    number_constants(r);
    for (unsigned i = 0; i < p->ninst; i++)
        for (unsigned s = 0; s < fragprog_op_args(p->inst[i].op); s++)
            if (p->inst[i].src[s].file == FRAGPROG_CONST)
                p->inst[i].src[s].index = (uint16_t)(p->konst[p->inst[i].src[s].index].scratch - 1);
    for (unsigned k = 0; k < p->nkonst; k++)
        while (p->konst[k].scratch != k + 1) {
            const struct fragprog_const moved = p->konst[k];
            p->konst[k] = p->konst[moved.scratch - 1];
            p->konst[moved.scratch - 1] = moved;
        }
    for (unsigned k = 0; k < p->nkonst; k++)
        p->konst[k].scratch = 0;
    p->nkonst = left;
}
