#include "picture.h"

enum { LOOKUP = 0, NEVER = -1 }; /* columns: 0 the lookups, n after pair n */

/* When each half of each value is made and read for the last time, as columns. */
struct life {
    int made[FRAGPROG_TEXENV_INSTS];
    int last[FRAGPROG_TEXENV_INSTS][2];
};

/* Channels of argument `arg` that the instruction reads, as a mask of the source's channels. */
static unsigned channels_read(const struct fragprog_inst *inst, unsigned arg)
{
    unsigned reads = inst->mask, channels = 0;
    if (inst->op == FRAGPROG_DOT3 || inst->op == FRAGPROG_DOT2ADD)
        reads = FRAGPROG_MASK_XYZ;
    else if (inst->op == FRAGPROG_DOT4)
        reads = FRAGPROG_MASK_XYZW;
    for (unsigned lane = 0; lane < 4; lane++)
        if (reads >> lane & 1 && inst->src[arg].lane[lane] <= FRAGPROG_W)
            channels |= 1u << inst->src[arg].lane[lane];
    return channels;
}

static unsigned args_of(unsigned op)
{
    static const uint8_t args[] = {
#define FRAGPROG_OP(id, name, count, dot, api) count,
#include "fragprog/opcodes.def"
#undef FRAGPROG_OP
    };
    return args[op];
}

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
            for (unsigned a = 0; a < args_of(p->inst[i].op); a++) {
                const struct fragprog_src *src = &p->inst[i].src[a];
                unsigned channels = src->file == FRAGPROG_VALUE ? channels_read(&p->inst[i], a) : 0;
                if (channels & FRAGPROG_MASK_XYZ)
                    life->last[src->index][TEXENV_RGB] = (int)pair + 1;
                if (channels & FRAGPROG_MASK_W)
                    life->last[src->index][TEXENV_ALPHA] = (int)pair + 1;
            }
        }
    for (unsigned h = 0; h < 2; h++)
        life->last[p->result[h]][h] = c->assignment.npairs + 1;
}

static bool same_half(const struct fragprog_inst *a, const struct fragprog_inst *b)
{
    return (a->mask & FRAGPROG_MASK_W) == (b->mask & FRAGPROG_MASK_W);
}

/* T0: texel; V1: the result of unit 1; v1: a step on the way to it. */
static void add_value(struct buffer *b, const struct fragprog *p, unsigned value)
{
    const struct fragprog_inst *inst = &p->inst[value];
    bool step = false;
    if (inst->op == FRAGPROG_TEX) {
        buffer_printf(b, "T%u", inst->texture);
        return;
    }
    for (unsigned i = value + 1; i < p->ninst; i++)
        step |= p->inst[i].op != FRAGPROG_TEX && p->inst[i].unit == inst->unit && same_half(&p->inst[i], inst);
    if (inst->unit >= 0)
        buffer_printf(b, step ? "v%d" : "V%d", inst->unit);
    else
        buffer_puts(b, step ? "v" : "V");
}

/* The value in register half h of r at a column, or -1. */
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
                    add_value(b, &c->ir, (unsigned)value);
                else
                    buffer_puts(b, ".");
            }
            buffer_puts(b, "\n");
        }
    }
}
