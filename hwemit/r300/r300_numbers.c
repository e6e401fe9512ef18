/* Assigns literals to constant slots. Colour and alpha addresses read different channels of a slot, so each
 * slot holds one literal for colour and one for alpha. Two literals of one slot that a pair reads through a
 * colour and an alpha address count as one constant of the pair. r500 encodes small literals in the address
 * itself. */
#include "hwemit/r300/r300_encode.h"

#include <string.h>

/* The literals that a pair reads through the addresses of each part, and the number of other constants that
 * it reads. */
struct need {
    uint16_t number[2][3];
    unsigned n[2], constants;
};

static void look(const struct program *p, const struct pair *pair, struct need *need)
{
    uint16_t seen[6];
    memset(need, 0, sizeof *need);
    for (unsigned part = 0; part < 2; part++)
        for (unsigned s = 0; s < 3; s++) {
            const struct port *port = &pair->port[part][s];
            bool again = false;
            if (port->file == FILE_CONST) {
                for (unsigned i = 0; i < need->constants; i++)
                    again |= seen[i] == port->index;
                if (!again)
                    seen[need->constants++] = port->index;
            }
            if (port->file != FILE_NUMBER ||
                fragprog_immediate(p->chip->immediates, p->number[port->index], NULL) >= 0)
                continue;
            for (unsigned i = 0; i < need->n[part]; i++)
                again |= need->number[part][i] == port->index;
            if (!again)
                need->number[part][need->n[part]++] = port->index;
        }
}

unsigned hwemit_r300_pair_constants(const struct program *p, const struct pair *pair)
{
    struct need need;
    look(p, pair, &need);
    return need.constants + (need.n[RGB] > need.n[ALPHA] ? need.n[RGB] : need.n[ALPHA]);
}

bool hwemit_r300_few_constants(const struct program *p, const struct pair *pair)
{
    unsigned addresses = 0;
    for (unsigned part = 0; part < 2; part++)
        for (unsigned s = 0; s < 3; s++)
            addresses += pair->port[part][s].file == FILE_CONST || pair->port[part][s].file == FILE_NUMBER;
    return addresses <= p->chip->pair_consts || hwemit_r300_pair_constants(p, pair) <= p->chip->pair_consts;
}

static bool reads_numbers(const struct pair *pair)
{
    for (unsigned s = 0; s < 3; s++)
        if (pair->port[RGB][s].file == FILE_NUMBER || pair->port[ALPHA][s].file == FILE_NUMBER)
            return true;
    return false;
}

/* Returns a slot that holds these literals in its parts (NONE: any), or has room for them, or a new slot. */
static unsigned slot_of(struct program *p, const uint16_t number[2])
{
    for (unsigned room = 0; room < 2; room++)
        for (unsigned k = 0; k < p->nslots && k < MAX_NUMBERS; k++) {
            bool fits = true;
            for (unsigned part = 0; part < 2; part++)
                fits &= number[part] == NONE || p->slot[k][part] == number[part] ||
                    (room && p->slot[k][part] == NONE);
            for (unsigned part = 0; fits && part < 2; part++)
                if (number[part] != NONE)
                    p->slot[k][part] = number[part];
            if (fits)
                return k;
        }
    if (p->nslots < MAX_NUMBERS) {
        p->slot[p->nslots][RGB] = number[RGB];
        p->slot[p->nslots][ALPHA] = number[ALPHA];
    }
    return p->nslots++;
}

/* Assigns slots to a pair's literals, each separately or (together) a colour and an alpha literal in one
 * slot. Returns the number of different slots. */
static unsigned choose_slots(struct program *p, const struct need *need, bool together, uint16_t slot[2][3])
{
    unsigned n = 0;
    bool seen[MAX_NUMBERS + 6] = {false};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned part = 0; part < 2; part++) {
            uint16_t number[2] = {NONE, NONE};
            if (i >= need->n[part])
                continue;
            number[part] = need->number[part][i];
            if (together && i < need->n[1 - part])
                number[1 - part] = need->number[1 - part][i];
            const unsigned k = slot_of(p, number);
            slot[part][i] = (uint16_t)k;
            n += !seen[k];
            seen[k] = true;
        }
    return n;
}

bool hwemit_r300_number_slots(struct program *p)
{
    const unsigned first = p->nconsts;
    p->nslots = 0;
    p->first_slot = (uint16_t)first;
    for (unsigned n = 0; n < p->npairs; n++) {
        struct pair *pair = &p->pair[n];
        struct need need;
        uint16_t slot[2][3], kept[MAX_NUMBERS][2];
        const uint16_t before = p->nslots;
        if (!reads_numbers(pair))
            continue;
        look(p, pair, &need);
        memcpy(kept, p->slot, before * sizeof *kept);
        if (choose_slots(p, &need, false, slot) + need.constants > p->chip->pair_consts) {
            memcpy(p->slot, kept, before * sizeof *kept);
            p->nslots = before;
            choose_slots(p, &need, true, slot);
        }
        if (p->nslots > MAX_NUMBERS)
            return false;
        for (unsigned part = 0; part < 2; part++)
            for (unsigned s = 0; s < 3; s++)
                for (unsigned i = 0; i < need.n[part]; i++)
                    if (pair->port[part][s].file == FILE_NUMBER &&
                        pair->port[part][s].index == need.number[part][i]) {
                        pair->port[part][s] = (struct port){FILE_SLOT, (uint16_t)(first + slot[part][i])};
                        break;
                    }
    }
    p->nconsts = (uint16_t)(first + p->nslots);
    return true;
}
