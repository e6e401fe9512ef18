/* Where parameters come from, as numbers, as ARB programs name it, and in GLSL. Internal to fragprog. */
#ifndef FRAGPROG_BINDINGS_H
#define FRAGPROG_BINDINGS_H

#include "fragprog/ir.h"

enum fragprog_binding {
#define BINDING(id, binding, glsl) FRAGPROG_BINDING_##id,
#define MATRIX(id, binding, glsl) BINDING(id, binding, glsl)
#include "fragprog/bindings.def"
    FRAGPROG_BINDINGS
};

/* '#' in the names is the index. The first matrix is FRAGPROG_BINDING_MODELVIEW. */
struct fragprog_binding_name {
    const char *arb, *glsl;
};
const struct fragprog_binding_name *fragprog_binding_name(unsigned row);
/* Number of indices that a binding can have; 1: it has none. *what: what is numbered, for messages. */
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

/* One that can stand: a row and an index that exist, no modifier of what is no matrix. */
bool fragprog_origin_exists(int32_t origin);
/* Prints a name of the table with the index in it. */
void fragprog_print_indexed(struct texenv_text *text, const char *name, unsigned index);

#endif
