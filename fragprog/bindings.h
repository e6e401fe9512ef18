/* The origins of parameters: conversions between their encoding as numbers and their names in ARB programs
 * and GLSL. Internal to fragprog. */
#ifndef FRAGPROG_BINDINGS_H
#define FRAGPROG_BINDINGS_H

#include "fragprog/ir.h"

enum fragprog_binding {
#define BINDING(id, binding, glsl) FRAGPROG_BINDING_##id,
#define MATRIX(id, binding, glsl) BINDING(id, binding, glsl)
#include "fragprog/bindings.def"
    FRAGPROG_BINDINGS
};

/* Names of one row of bindings.def; '#' is the index. The matrices are the rows from
 * FRAGPROG_BINDING_MODELVIEW on. */
struct fragprog_binding_name {
    const char *arb, *glsl;
};
const struct fragprog_binding_name *fragprog_binding_name(unsigned row);
/* Returns the limit of a binding's index, or 1 if it has no index. *what: description of the index for
 * messages. */
unsigned fragprog_binding_limit(const char *arb, const char **what);

static inline int32_t fragprog_origin_of_state(unsigned row, unsigned index)
{
    return FRAGPROG_ORIGIN_STATE + (int32_t)(row << 16 | index << 4);
}
static inline bool fragprog_origin_is_state(int32_t origin) { return origin >= FRAGPROG_ORIGIN_STATE; }
static inline unsigned fragprog_origin_row(int32_t origin) { return (unsigned)origin >> 16 & 0xff; }
static inline unsigned fragprog_origin_index(int32_t origin) { return (unsigned)origin >> 4 & 0xfff; }
static inline unsigned fragprog_origin_matrix(int32_t origin) { return (unsigned)origin >> 2 & 3; }
static inline unsigned fragprog_origin_matrix_row(int32_t origin) { return (unsigned)origin & 3; }

/* Returns true if the origin is valid: its row and index exist, and it has a matrix modifier or matrix row
 * only if it is a matrix. */
bool fragprog_origin_exists(int32_t origin);
/* Prints a name of the table with '#' replaced by the index. */
void fragprog_print_indexed(struct texenv_text *text, const char *name, unsigned index);

#endif
