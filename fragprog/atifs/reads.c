/* The algorithm of the founding e-mail in its own notation: stages are lists of reads (T#, P), without
 * separating colour and alpha. Rules that the e-mail leaves open follow its two worked examples: registers
 * are assigned to textures in texture order, a result may overwrite a register that the same stage reads, and
 * the lowest-numbered available register is taken. */
#include "fragprog/reads.h"

#include <string.h>

static bool reads_previous(const struct fragprog_reads *reads, unsigned stage)
{
    for (unsigned i = 0; i < reads->stage[stage].n; i++)
        if (reads->stage[stage].read[i] == FRAGPROG_READ_PREVIOUS)
            return true;
    return false;
}

static bool read_after(const struct fragprog_reads *reads, unsigned stage, unsigned texture)
{
    for (unsigned s = stage + 1; s < reads->nstages; s++)
        for (unsigned i = 0; i < reads->stage[s].n; i++)
            if (reads->stage[s].read[i] == texture)
                return true;
    return false;
}

bool fragprog_assign_reads(struct fragprog_reads_assignment *a, const struct fragprog_reads *reads,
                           unsigned registers)
{
    memset(a, 0xff, sizeof *a);

    /* Pass 1, dead stages. Only a stage that reads P keeps its predecessor alive, so the dead stages are a
     * prefix. */
    a->first = 0;
    for (unsigned s = reads->nstages; s-- > 1;)
        if (!reads_previous(reads, s)) {
            a->first = (uint8_t)s;
            break;
        }

    /* Pass 2.1, textures */
    bool live[8] = {false};
    for (unsigned s = a->first; s < reads->nstages; s++)
        for (unsigned i = 0; i < reads->stage[s].n; i++)
            if (reads->stage[s].read[i] < 8)
                live[reads->stage[s].read[i]] = true;
    unsigned next = 0;
    for (unsigned t = 0; t < 8; t++)
        if (live[t])
            a->texture_reg[t] = (uint8_t)next++;
    if (next > registers)
        return false;

    /* Pass 2.2, results. The previous result occupies a register until stage s, its last reader, so that
     * register is available for the result of s. */
    for (unsigned s = a->first; s < reads->nstages; s++) {
        bool taken[8] = {false};
        for (unsigned t = 0; t < 8; t++)
            if (live[t] && read_after(reads, s, t))
                taken[a->texture_reg[t]] = true;
        unsigned r = 0;
        while (r < registers && taken[r])
            r++;
        if (r == registers) {
            a->blocked = (uint8_t)s;
            return false;
        }
        a->result_reg[s] = (uint8_t)r;
    }
    return true;
}
