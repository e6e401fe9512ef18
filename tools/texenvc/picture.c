#include "picture.h"

enum { LOOKUP = 0, NEVER = -1 }; /* column 0 is the lookups, column n the time after pair n */

/* The live range of each half of each value, in columns: where it is computed and where it is last read. */
struct life {
    int made[FRAGPROG_TEXENV_INSTS];
    int last[FRAGPROG_TEXENV_INSTS][2];
};

static void find_lives(struct life *life, const struct compiled *c)
{
    const struct fragprog *p = &c->ir;
    for (unsigned i = 0; i < p->ninst; i++) {
        life->made[i] = LOOKUP;
        life->last[i][0] = life->last[i][1] = NEVER;
    }
    for (unsigned pair = 0; pair < c->assignment.npairs; pair++)
        for (unsigned h = 0; h < 2; h++) {
            unsigned i = c->assignment.pair[pair][h];
            if (i >= p->ninst)
                continue;
            life->made[i] = (int)pair + 1;
            for (unsigned a = 0; a < fragprog_op_args(p->inst[i].op); a++) {
                const struct fragprog_src *src = &p->inst[i].src[a];
                unsigned channels = src->file == FRAGPROG_VALUE ? fragprog_channels_read(&p->inst[i], a) : 0;
                if (channels & FRAGPROG_MASK_XYZ)
                    life->last[src->index][TEXENV_RGB] = (int)pair + 1;
                if (channels & FRAGPROG_MASK_W)
                    life->last[src->index][TEXENV_ALPHA] = (int)pair + 1;
            }
        }
    for (unsigned h = 0; h < 2; h++)
        life->last[p->result[h]][h] = c->assignment.npairs + 1;
}

/* Appends T0 for a texel or V1 for the result of pair 1. */
static void add_value(struct buffer *b, const struct compiled *c, const struct life *life, unsigned value)
{
    if (c->ir.inst[value].op == FRAGPROG_TEX)
        buffer_printf(b, "T%u", c->ir.inst[value].texture);
    else
        buffer_printf(b, "V%d", life->made[value]);
}

/* Returns the value in half h of register r at a column, or -1. */
static int value_at(const struct compiled *c, const struct life *life, unsigned r, unsigned h, int column)
{
    for (unsigned i = 0; i < c->ir.ninst; i++) {
        bool has_half = c->ir.inst[i].mask & (h == TEXENV_RGB ? FRAGPROG_MASK_XYZ : FRAGPROG_MASK_W);
        if (has_half && c->assignment.reg[i] == r && life->made[i] <= column && life->last[i][h] > column)
            return (int)i;
    }
    return -1;
}

void add_picture(struct buffer *b, const struct compiled *c, unsigned indent)
{
    enum { WIDTH = 8 };
    struct life life;
    int columns = c->assignment.npairs + 1;
    find_lives(&life, c);
    size_t line = b->length;
    buffer_pad(b, line, indent + WIDTH);
    buffer_puts(b, "lookup");
    for (int column = 1; column < columns; column++) {
        buffer_pad(b, line, indent + (size_t)WIDTH * ((unsigned)column + 1));
        buffer_printf(b, "pair %d", column);
    }
    buffer_puts(b, "\n");
    for (unsigned r = 0; r < FRAGPROG_REGISTERS; r++) {
        bool used = false;
        for (unsigned h = 0; h < 2; h++)
            for (int column = 0; column < columns; column++)
                used |= value_at(c, &life, r, h, column) >= 0;
        for (unsigned h = 0; h < 2 && used; h++) {
            line = b->length;
            buffer_pad(b, line, indent);
            buffer_printf(b, h == TEXENV_RGB ? "r%u rgb" : "   a", r);
            for (int column = 0; column < columns; column++) {
                int value = value_at(c, &life, r, h, column);
                buffer_pad(b, line, indent + (size_t)WIDTH * ((unsigned)column + 1));
                if (value >= 0)
                    add_value(b, c, &life, (unsigned)value);
                else
                    buffer_puts(b, ".");
            }
            buffer_puts(b, "\n");
        }
    }
}
