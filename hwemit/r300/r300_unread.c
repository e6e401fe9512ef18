/* Dead code elimination. The optimiser leaves little dead code, but a polynomial may lose a term (0 times a
 * value), and fusion leaves values without readers. */
#include "hwemit/r300/r300_program.h"

struct read {
    bool vreg[MAX_VREGS];
};

static void find(const struct program *p, struct read *r)
{
    for (unsigned v = 0; v < p->nvregs; v++)
        r->vreg[v] = false;
    for (unsigned i = 0; i < p->nops; i++)
        for (unsigned l = 0; l < p->op[i].nleaves; l++)
            if (p->op[i].leaf[l].file == FILE_VREG)
                r->vreg[p->op[i].leaf[l].index] = true;
    for (unsigned t = 0; t < p->ntex; t++)
        r->vreg[p->tex[t].coord] = true;
}

void hwemit_r300_drop_unread(struct program *p)
{
    struct read r;
    unsigned before;
    do {
        before = p->nops + p->ntex;
        find(p, &r);
        unsigned n = 0;
        for (unsigned i = 0; i < p->nops; i++) {
            struct op *op = &p->op[i];
            for (unsigned h = 0; h < 2; h++)
                if (op->result[h] != NONE && !r.vreg[op->result[h]])
                    op->result[h] = NONE;
            if (op->out[0] || op->out[1] || op->result[0] != NONE || op->result[1] != NONE)
                p->op[n++] = *op;
        }
        p->nops = (uint16_t)n;
        n = 0;
        for (unsigned t = 0; t < p->ntex; t++)
            if (r.vreg[p->tex[t].result])
                p->tex[n++] = p->tex[t];
        p->ntex = (uint16_t)n;
    } while (p->nops + p->ntex < before);

    unsigned n = 0;
    /* at least one input must be interpolated (notes/facts/r300.md 3.2b) */
    for (unsigned i = 0; i < p->ninputs; i++)
        if (r.vreg[p->input[i].vreg] || (i + 1u == p->ninputs && n == 0)) {
            p->vreg[p->input[i].vreg].source = (uint16_t)n;
            p->input[n++] = p->input[i];
        }
    p->ninputs = (uint16_t)n;
}
