/* Prints the text of the intermediate program (notes/formats/ir.md), which read_ir.c reads back. */
#include "fragprog/names.h"

static const char lane_names[] = "xyzw01h";

static void print_mods(struct texenv_text *text, const struct fragprog_name *table, unsigned mods)
{
    for (; table->text[0]; table++)
        if (mods & (unsigned)table->value)
            texenv_printf(text, ".%s", table->text);
}

/* Prints "coord3" or "%5.xyzw" for coordinates that are divided by the fourth lane, "coord3.xyz" for
 * undivided ones. */
static void print_coordinate(struct texenv_text *text, const struct fragprog_inst *inst)
{
    const struct fragprog_src *src = &inst->src[0];
    texenv_printf(text, "%s%u", src->file == FRAGPROG_VALUE ? "%" : "coord", (unsigned)src->index);
    bool plain = src->file == FRAGPROG_COORD && !inst->undivided;
    for (unsigned lane = 0; lane < 4; lane++)
        plain &= src->lane[lane] == lane;
    if (plain)
        return; /* the short form for the lookups of fixed function */
    texenv_printf(text, ".");
    for (unsigned lane = 0; lane < (inst->undivided ? 3 : 4); lane++)
        texenv_printf(text, "%c", src->lane[lane] <= FRAGPROG_HALF ? lane_names[src->lane[lane]] : '?');
}

static void print_src(struct texenv_text *text, const struct fragprog_src *src)
{
    texenv_printf(text, "%s", fragprog_name_text(fragprog_ir_files, src->file));
    if (src->file == FRAGPROG_VALUE || src->file == FRAGPROG_COORD || src->file == FRAGPROG_CONST ||
        src->file == FRAGPROG_ATTRIB)
        texenv_printf(text, "%u", (unsigned)src->index);
    texenv_printf(text, ".");
    for (unsigned lane = 0; lane < 4; lane++)
        texenv_printf(text, "%s%c", src->negate >> lane & 1 ? "-" : "",
                      src->lane[lane] <= FRAGPROG_HALF ? lane_names[src->lane[lane]] : '?');
    print_mods(text, fragprog_ir_mods, src->mods);
}

static void print_vertex_out(struct texenv_text *text, unsigned output)
{
    if (output >= FRAGPROG_OUT_TEXCOORD)
        texenv_printf(text, " texcoord%u,", output - FRAGPROG_OUT_TEXCOORD);
    else
        texenv_printf(text, " %s,", fragprog_name_text(fragprog_ir_vertex_outs, (int32_t)output));
}

static void print_inst(struct texenv_text *text, const struct fragprog_inst *inst, unsigned number,
                       bool vertex)
{
    bool known = inst->op < FRAGPROG_OPS;
    texenv_printf(text, "%%%u = %s.", number, known ? fragprog_op_names[inst->op].ir : "?");
    for (unsigned channel = 0; channel < 4; channel++)
        if (inst->mask >> channel & 1)
            texenv_printf(text, "%c", lane_names[channel]);

    if (known && fragprog_op_is_lookup(inst->op)) {
        texenv_printf(text, " ");
        print_coordinate(text, inst);
        texenv_printf(text, ", t%u, %s, %s%s", (unsigned)inst->texture,
                      fragprog_name_text(fragprog_ir_targets, inst->target),
                      fragprog_name_text(fragprog_ir_bases, inst->base), inst->shadow ? ", shadow" : "");
    } else {
        if (inst->scale)
            texenv_printf(text, ".%s", fragprog_name_text(fragprog_ir_scales, inst->scale));
        if (inst->clamp)
            texenv_printf(text, ".%s", fragprog_name_text(fragprog_ir_clamps, inst->clamp));
        if (known && inst->op == FRAGPROG_LOAD)
            texenv_printf(text, " array%u, %d,", (unsigned)inst->target,
                          (int)inst->texture - FRAGPROG_LOAD_ZERO);
        if (known && inst->op == FRAGPROG_OUT && vertex)
            print_vertex_out(text, inst->texture);
        else if (known && inst->op == FRAGPROG_OUT && inst->texture)
            texenv_printf(text, " color%u,", (unsigned)inst->texture);
        else if (known && inst->op == FRAGPROG_OUT)
            texenv_printf(text, " depth,");
        for (unsigned arg = 0; known && arg < fragprog_op_args(inst->op); arg++) {
            texenv_printf(text, arg ? ", " : " ");
            print_src(text, &inst->src[arg]);
        }
    }
    if (inst->unit >= 0)
        texenv_printf(text, "  @%d\n", (int)inst->unit);
    else
        texenv_printf(text, "  @-\n");
}

void fragprog_print_ir(struct texenv_text *text, const struct fragprog *p)
{
    texenv_printf(text, "!!texir1.0\n%s%s",
                  p->vertex          ? "vertex\n"
                      : p->unbounded ? "unbounded\n"
                                     : "",
                  p->invariant ? "invariant\n" : "");
    for (unsigned k = 0; k < p->nkonst; k++) {
        texenv_printf(text, "const c%u = (", k);
        for (unsigned c = 0; c < 4; c++) {
            int unit = p->konst[k].origin[c].unit;
            texenv_printf(text, c ? ", " : "");
            if (unit >= FRAGPROG_ORIGIN_DERIVED) { /* never in a program that is read back */
                fragprog_print_lane(text, unit, 0);
            } else if (unit >= FRAGPROG_ORIGINS) {
                fragprog_print_origin(text, unit);
                texenv_printf(text, ".%c %f", "rgba"[p->konst[k].origin[c].component & 3],
                              (double)p -> konst[k].value[c]);
            } else if (unit >= 0)
                texenv_printf(text, "%s%d.%c %f", fragprog_origin_names[unit / TEXENV_UNITS % 3],
                              unit % TEXENV_UNITS, "rgba"[p->konst[k].origin[c].component & 3],
                              (double)p -> konst[k].value[c]);
            else
                texenv_printf(text, "imm %f", (double)p->konst[k].value[c]);
        }
        if (p->konst[k].array)
            texenv_printf(text, ") array%u\n", (unsigned)p->konst[k].array);
        else
            texenv_printf(text, ")\n");
    }
    for (unsigned i = 0; i < p->ninst; i++)
        print_inst(text, &p->inst[i], i, p->vertex);
    texenv_printf(text, "result %%%u, %%%u\n", (unsigned)p->result[0], (unsigned)p->result[1]);
}
