/* What must hold for every state and every program, whoever made it: used by the fuzz targets and by the
 * round trips of random states. A broken promise prints what it was and aborts, so that a fuzzer keeps the
 * input. */
#ifndef TESTS_FUZZ_PIPELINE_H
#define TESTS_FUZZ_PIPELINE_H

#include "fragprog/atifs.h"
#include "fragprog/ir.h"
#include "texenv/vertex.h"

/* Options and levels of optimisation: all of them if this is set, else for each input some that its content
 * picks (fuzzers need speed more than they need each input in every way). */
extern bool pipeline_thorough;

/* With a canonical state: print -> read is the identity for `stages` and `gl`; every step of the compiler
 * keeps its invariants; `ir` and `atifs` texts read back and print the same. True if the target can do the
 * state with some of the options. */
bool pipeline_state(const struct texenv_state *state);
/* With an intermediate program that obeys fragprog_check: text and back; the passes keep it legal; assignment
 * succeeds or says why. */
void pipeline_ir(const struct fragprog *p);
/* With a program that was read: text and back. */
void pipeline_atifs(const struct fragprog_atifs *program);
/* The same program as an intermediate one. */
void pipeline_imported(const struct fragprog_atifs *program);

/* Words of the vertex half (notes/formats/vertex.md), if they are: print -> read is the identity. */
void pipeline_words(const char *words, size_t length);
/* Canonicalises each draw by several policies and runs pipeline_state; the texts of both halves. For struct
 * texenv_reader.on_draw. */
bool pipeline_draw(void *user, const struct texenv_draw *draw);

/* Memory for readers: counts what is in use, and fails after `left` allocations (negative: never). */
struct pipeline_memory {
    long left, in_use;
};
void *pipeline_resize(void *user, void *p, size_t size);

/* Looks at each diagnostic: one line of text, a place within the input. user: not used. */
void pipeline_emit(void *user, const struct texenv_diag *diag);

_Noreturn void pipeline_broken(const char *what, const char *text);

#endif
