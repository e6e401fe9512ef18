/* Names of field values (notes/facts/r300.md 2, 3, 4). */
#ifndef HWEMIT_R300_VALUE_NAMES_H
#define HWEMIT_R300_VALUE_NAMES_H

#include "hwemit/words.h"

static const char *const modifiers[4] = {NULL, "neg", "abs", "neg_abs"};
static const char *const presubtracts[4] = {NULL, "src1_minus_src0", "src1_plus_src0", "1_minus_src0"};
static const char *const output_modifiers[8] = {NULL, "x2", "x4", "x8", "div2", "div4", "div8", "disabled"};
static const char *const pvs_destinations[16] = {"TEMP", "ADDRESS", "OUT", "OUT_X", "ALT_TEMP", "INPUT",
                                                 NULL,   NULL,      NULL,  NULL,    NULL,       NULL,
                                                 NULL,   NULL,      NULL,  NULL};
static const char *const pvs_sources[4] = {"TEMP", "INPUT", "CONST", "ALT_TEMP"};
static const char *const pvs_selects[8] = {"x", "y", "z", "w", "0", "1", NULL, NULL};
static const char *const tex_ops[8] = {NULL, "LD", "KIL", "TXP", "TXB", "LOD", "DXDY", NULL};
static const char *const color_formats[16] = {NULL,   "RGB0", "RGB1", NULL, "000A", "0000", "0001", NULL,
                                              "111A", "1110", "1111", NULL, NULL,   NULL,   NULL,   NULL};

#endif
