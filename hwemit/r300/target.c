/* The targets r300 and r400: rows, and the way from a program to words. */
#include "hwemit/r300/target.h"
#include "hwemit/r300/value_names.h"

static const char *const coordinate_selects[8] = {NULL, "C1", "C2", "C3", "0", "1", NULL, NULL};
static const char *const rgb_ops[16] = {NULL, "DP3", "DP4", "D2A", "MIN", "MAX", NULL, "CND", "CMP", "FRC", "REPL_ALPHA", NULL, NULL, NULL, NULL, NULL};
static const char *const alpha_ops[16] = {NULL, "DP", "MIN", "MAX", NULL, "CND", "CMP", "FRC", "EX2", "LG2", "RCP", "RSQ", NULL, NULL, NULL, NULL};
static const char *const rgb_selects[32] = {"src0.xyz", "src0.xxx", "src0.yyy", "src0.zzz", "src1.xyz", "src1.xxx", "src1.yyy", "src1.zzz", "src2.xyz", "src2.xxx", "src2.yyy",
                                            "src2.zzz", "src0.www", "src1.www", "src2.www", "srcp.xyz", "srcp.xxx", "srcp.yyy", "srcp.zzz", "srcp.www", "0", "1", "half",
                                            "src0.yzx", "src1.yzx", "src2.yzx", "src0.zxy", "src1.zxy", "src2.zxy", "src0.wzy", "src1.wzy", "src2.wzy"};
static const char *const alpha_selects[32] = {"src0.x", "src0.y", "src0.z", "src1.x", "src1.y", "src1.z", "src2.x", "src2.y", "src2.z", "src0.w", "src1.w", "src2.w", "srcp.x",
                                              "srcp.y", "srcp.z", "srcp.w", "0", "1", "half", NULL};

#define FIELD(id, field, low, width) {#field, low, width, NULL},
#define NAMED(id, field, low, width, names) {#field, low, width, names},
#define ROW(id, text, at, n, step) {text, at, n, step, 0, 0, FIELDS(id), sizeof FIELDS(id) / sizeof *FIELDS(id)},

/* ---- r300 ---- */
#define TEMP_BITS 5
#define R400_FIELD(id, field, low, width)
#define R400_REGISTER(...)
#define REGISTER(id, text, at, n, step, ...) static const struct hwemit_field r300_##id[] = {__VA_ARGS__};
#include "hwemit/r300/registers.def"
#undef REGISTER
#define FIELDS(id) r300_##id
#define REGISTER(id, text, at, n, step, ...) ROW(id, text, at, n, step)
static const struct hwemit_register r300_registers[] = {
#include "hwemit/r300/registers.def"
    {NULL, 0, 0, 0, 0, 0, NULL, 0}};
#undef REGISTER
#undef FIELDS
#undef R400_FIELD
#undef R400_REGISTER
#undef TEMP_BITS

/* ---- r400 ---- */
#define TEMP_BITS 6
#define R400_FIELD FIELD
#define R400_REGISTER REGISTER
#define REGISTER(id, text, at, n, step, ...) static const struct hwemit_field r400_##id[] = {__VA_ARGS__};
#include "hwemit/r300/registers.def"
#undef REGISTER
#define FIELDS(id) r400_##id
#define REGISTER(id, text, at, n, step, ...) ROW(id, text, at, n, step)
static const struct hwemit_register r400_registers[] = {
#include "hwemit/r300/registers.def"
    {NULL, 0, 0, 0, 0, 0, NULL, 0}};

static const struct chip r300_chip = {.generation = R300, .alu = 64, .tex = 32, .temps = 32, .consts = 32, .nodes = 4, .pair_consts = 2};
static const struct chip r400_chip = {.generation = R400, .alu = 512, .tex = 512, .temps = 64, .consts = 32, .nodes = 4, .pair_consts = 2};

static bool compile_r300(struct hwemit_code *code, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &r300_chip, source, options, why);
}

static bool compile_r400(struct hwemit_code *code, const struct hwemit_source *source, const struct hwemit_options *options, struct fragprog_reason *why)
{
    return hwemit_r300_compile(code, &r400_chip, source, options, why);
}

const struct hwemit_target hwemit_r300_target = {
    .name = "r300", .help = "ATI R300..R360, RV350..RV380", .assumptions = hwemit_r300_assumptions, .compile = compile_r300, .registers = r300_registers};
const struct hwemit_target hwemit_r400_target = {
    .name = "r400", .help = "ATI R420..R480", .assumptions = hwemit_r300_assumptions, .compile = compile_r400, .registers = r400_registers};
