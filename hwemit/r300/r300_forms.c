/* Checks what one form of an operation needs of a pair: source addresses, constants, swizzles. */
#include "hwemit/r300/r300_encode.h"

const uint8_t *hwemit_r300_select(const uint8_t lane[3], unsigned mask)
{
    static const uint8_t selects[][3] = {{0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {2, 2, 2},
                                         {3, 3, 3}, {1, 2, 0}, {2, 0, 1}, {3, 2, 1}};
    for (unsigned s = 0; s < sizeof selects / sizeof *selects; s++) {
        bool equal = true;
        for (unsigned c = 0; c < 3; c++)
            if (mask & 1u << c && lane[c] != selects[s][c])
                equal = false;
        if (equal)
            return selects[s];
    }
    return NULL;
}

bool hwemit_r300_native(const struct chip *chip, const uint8_t lane[3], unsigned mask)
{
    return chip->generation == R500 || (lane[0] == lane[1] && lane[1] == lane[2]) ||
        hwemit_r300_select(lane, mask);
}

bool hwemit_r300_presubtracts(const struct chip *chip, const uint8_t lane[3])
{
    if (chip->generation == R500)
        return (lane[0] == 3) == (lane[1] == 3) && (lane[0] == 3) == (lane[2] == 3);
    return (lane[0] == 0 && lane[1] == 1 && lane[2] == 2) || (lane[0] == lane[1] && lane[1] == lane[2]);
}

bool hwemit_r300_constant(struct form *f, unsigned arg, float value)
{
    const float magnitude = value < 0 ? -value : value;
    f->mod[arg] = value < 0 ? MOD_NEG : 0;
    f->arg[arg] = magnitude == 0 ? ARG_ZERO : magnitude == 1 ? ARG_ONE : ARG_HALF;
    return magnitude == 0 || magnitude == 0.5f || magnitude == 1 ||
        hwemit_r300_number(f, magnitude, &f->arg[arg]);
}

bool hwemit_r300_number(struct form *f, float value, uint8_t *arg)
{
    for (unsigned n = 0; n < FORM_NUMBERS; n++)
        if (f->number[n] == value || f->number[n] == 0) {
            f->number[n] = value;
            *arg = (uint8_t)(ARG_NUMBER + n);
            return true;
        }
    return false;
}

/* Lists the sources that a form reads (literals and sources of the operation), each once. */
static unsigned sources_of(const struct form *f, uint8_t source[7])
{
    unsigned n = 0;
    for (unsigned a = 0; a < 7; a++) {
        const struct presub *pre = &f->pre[a >= 5];
        const uint8_t arg = a < 3 ? f->arg[a]
            : pre->op != PRE_NONE ? pre->arg[(a - 3) % 2]
                                  : (uint8_t)ARG_ZERO;
        bool again = arg < ARG_NUMBER;
        for (unsigned i = 0; i < n; i++)
            again |= source[i] == arg;
        if (!again)
            source[n++] = arg;
    }
    return n;
}

unsigned hwemit_r300_sources(const struct form *f)
{
    unsigned read = 0, n = 0;
    for (unsigned a = 0; a < 3; a++)
        read |= 1u << f->arg[a];
    for (unsigned k = 0; k < 2; k++)
        if (f->pre[k].op != PRE_NONE)
            read |= 1u << f->pre[k].arg[0] | 1u << f->pre[k].arg[1];
    for (read >>= ARG_NUMBER; read; read &= read - 1)
        n++;
    return n;
}

struct parts {
    struct port seen[2][8];
    unsigned n[2], anywhere, constants, numbers[2],
        others; /* literals in slots: read by presubtracts of each part; other ones */
};

static void count(struct parts *p, unsigned part, struct port port)
{
    for (unsigned i = 0; i < p->n[part]; i++)
        if (p->seen[part][i].file == port.file && p->seen[part][i].index == port.index)
            return;
    p->seen[part][p->n[part]++] = port;
}

unsigned hwemit_r300_presub_part(const struct presub *pre, const struct leaf *leaf)
{
    const unsigned arg = pre->arg[0] >= ARG_LEAF ? pre->arg[0] : pre->arg[1];
    return arg >= ARG_LEAF && leaf[arg - ARG_LEAF].lane[0] == 3;
}

/* Counts a literal. In a presubtract it must be in the part of the other source; otherwise it can be in
 * either. */
static void count_number(struct parts *p, const struct form *f, const struct leaf *leaf, unsigned arg,
                         const struct chip *chip)
{
    const unsigned n = arg - ARG_NUMBER;
    bool placed = false;
    const bool slot = fragprog_immediate(chip->immediates, f->number[n], NULL) < 0;
    bool counted[2] = {false, false};
    for (unsigned k = 0; k < 2; k++)
        for (unsigned s = 0; f->pre[k].op != PRE_NONE && s < 2; s++)
            if (f->pre[k].arg[s] == arg) {
                const unsigned part = hwemit_r300_presub_part(&f->pre[k], leaf);
                count(p, part, (struct port){FILE_NUMBER, (uint16_t)n});
                p->numbers[part] += slot && !counted[part];
                counted[part] = placed = true;
            }
    p->anywhere += !placed;
    p->others += slot && !placed;
}

void hwemit_r300_note_packing(const struct chip *chip)
{
    if (*chip->packing == PACKING_NONE)
        *chip->packing = PACKING_MORE;
}

/* Quick test: at most three sources, at most two of them constants, and no literals; these fit any pair. */
static bool fits_any(const struct form *f, const struct leaf *leaf)
{
    unsigned read = 0, others = 0, constants = 0;
    for (unsigned a = 0; a < 3; a++)
        read |= 1u << f->arg[a];
    for (unsigned k = 0; k < 2; k++)
        if (f->pre[k].op != PRE_NONE) {
            if (f->pre[k].op == PRE_ADD && f->pre[k].arg[0] == f->pre[k].arg[1])
                return false;
            read |= 1u << f->pre[k].arg[0] | 1u << f->pre[k].arg[1];
        }
    if (read & ((1u << ARG_LEAF) - (1u << ARG_NUMBER)))
        return false;
    read >>= ARG_LEAF;
    for (unsigned i = 0; read >> i; i++)
        if (read >> i & 1) {
            constants += leaf[i].file == FILE_CONST;
            others += leaf[i].file != FILE_CONST;
        }
    return constants + others <= 3 && constants <= 2;
}

bool hwemit_r300_fits(const struct form *f, const struct leaf *leaf, bool rgb, const struct chip *chip)
{
    uint8_t source[7];
    struct parts p;
    if (!chip->part_presub && f->pre[1].op != PRE_NONE && f->pre[0].op != f->pre[1].op)
        return false;
    if (chip->pair_consts >= 2 && fits_any(f, leaf))
        return true;
    const unsigned n = sources_of(f, source);
    p = (struct parts){.n = {0, 0}};
    for (unsigned k = 0; k < 2; k++) /* x + x by a presubtract takes two addresses */
        if (f->pre[k].op == PRE_ADD && f->pre[k].arg[0] == f->pre[k].arg[1])
            count(&p, hwemit_r300_presub_part(&f->pre[k], leaf), (struct port){FILE_NONE, (uint16_t)k});
    for (unsigned i = 0; i < n; i++) {
        if (source[i] < ARG_LEAF) {
            count_number(&p, f, leaf, source[i], chip);
            continue;
        }
        const struct leaf *l = &leaf[source[i] - ARG_LEAF];
        bool first = true;
        for (unsigned k = 0; k < i; k++)
            first &= source[k] < ARG_LEAF || leaf[source[k] - ARG_LEAF].file != l->file ||
                leaf[source[k] - ARG_LEAF].index != l->index;
        p.constants += first && l->file == FILE_CONST;
        for (unsigned c = 0; c < (rgb ? 3u : 1u); c++)
            count(&p, l->lane[c] == 3, (struct port){l->file, l->index});
    }
    if (p.n[RGB] > 3 || p.n[ALPHA] > 3 || p.n[RGB] + p.n[ALPHA] + p.anywhere > 6)
        return false;
    const unsigned numbers = p.numbers[RGB] + p.numbers[ALPHA] + p.others,
                   more = p.numbers[RGB] > p.numbers[ALPHA] ? p.numbers[RGB] : p.numbers[ALPHA],
                   half = (numbers + 1) / 2;
    const bool packed = p.constants + (more > half ? more : half) <= chip->pair_consts,
               apart = p.constants + numbers <= chip->pair_consts;
    if (packed && !apart)
        hwemit_r300_note_packing(chip);
    return chip->packs ? packed : apart;
}
