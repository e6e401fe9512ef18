/* The tables that are made from opcodes.def and names.def, and lookups in them. */
#include "fragprog/names.h"

#include <string.h>

const struct fragprog_op_name fragprog_op_names[FRAGPROG_OPS] = {
#define FRAGPROG_OP(id, name, args, api, formula) [FRAGPROG_##id] = {name, #id},
#include "fragprog/opcodes.def"
};

const char fragprog_op_gl[FRAGPROG_OPS][20] = {
#define API_OP(id, gl) [FRAGPROG_##id] = gl,
#include "fragprog/names.def"
};

const char fragprog_origin_names[3][8] = {"env", "global", "local"};

const struct fragprog_name fragprog_atifs_scales[] = {
#define SCALE(exponent, bit, text, gl) {bit, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_scales[] = {
#define SCALE(exponent, bit, text, gl) {exponent, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_clamps[] = {
#define CLAMP(id, text) {FRAGPROG_##id, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_atifs_mods[] = {
#define ATIFS_MOD(bit, text, gl) {bit, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_atifs_reps[] = {
#define ATIFS_REP(value, text, gl) {value, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_atifs_fixed[] = {
#define ATIFS_FIXED(value, text, gl) {value, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_atifs_swizzles[] = {
#define ATIFS_SWIZZLE(number, text, gl) {number, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_atifs_setups[] = {
#define ATIFS_SETUP(id, text, gl) {FRAGPROG_##id, text, gl},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_mods[] = {
#define IR_MOD(id, text) {FRAGPROG_##id, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_files[] = {
#define IR_FILE(id, text) {FRAGPROG_##id, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_vertex_outs[] = {
#define IR_VERTEX_OUT(id, text) {FRAGPROG_OUT_##id, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_targets[] = {
#define IR_TARGET(value, text) {value, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const struct fragprog_name fragprog_ir_bases[] = {
#define IR_BASE(value, text) {value, text, ""},
#include "fragprog/names.def"
    {0, "", ""}};

const char *fragprog_op_text(unsigned op) { return fragprog_op_names[op].ir; }

bool fragprog_name_is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

const struct fragprog_name *fragprog_name_of(const struct fragprog_name *table, int32_t value)
{
    for (; table->text[0]; table++)
        if (table->value == value)
            return table;
    return NULL;
}

const struct fragprog_name *fragprog_name_find(const struct fragprog_name *table, const char *text,
                                               size_t length)
{
    for (; table->text[0]; table++)
        if (fragprog_name_is(table->text, text, length))
            return table;
    return NULL;
}

const char *fragprog_name_text(const struct fragprog_name *table, int32_t value)
{
    const struct fragprog_name *row = fragprog_name_of(table, value);
    return row ? row->text : "?";
}

int fragprog_op_of_api(unsigned api)
{
    for (int op = 0; api && op < FRAGPROG_OPS; op++)
        if (fragprog_op_api((unsigned)op) == api)
            return op;
    return -1;
}

int fragprog_op_of_atifs(const char *text, size_t length)
{
    for (int op = 0; op < FRAGPROG_OPS; op++)
        if (fragprog_op_api((unsigned)op) && fragprog_name_is(fragprog_op_names[op].atifs, text, length))
            return op;
    return -1;
}

int fragprog_op_of_ir(const char *text, size_t length)
{
    for (int op = 0; op < FRAGPROG_OPS; op++)
        if (fragprog_name_is(fragprog_op_names[op].ir, text, length))
            return op;
    return -1;
}

int fragprog_atifs_reg(const struct fragprog_atifs_arg *arg)
{
    int n = arg->source - FRAGPROG_ATI_REG_0;
    return n >= 0 && n < FRAGPROG_REGISTERS ? n : -1;
}

int fragprog_atifs_con(const struct fragprog_atifs_arg *arg)
{
    int n = arg->source - FRAGPROG_ATI_CON_0;
    return n >= 0 && n < FRAGPROG_ATI_CONSTANTS ? n : -1;
}

bool fragprog_atifs_same(const struct fragprog_atifs_op *a, const struct fragprog_atifs_op *b)
{
    if (a->op != b->op || a->dst != b->dst || a->mod != b->mod || a->nargs != b->nargs)
        return false;
    for (unsigned i = 0; i < a->nargs && i < 3; i++)
        if (a->arg[i].source != b->arg[i].source || a->arg[i].rep != b->arg[i].rep ||
            a->arg[i].mods != b->arg[i].mods)
            return false;
    return true;
}
