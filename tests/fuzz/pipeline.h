/* Checks of properties that hold for every state and every program, used by the fuzz targets and by round
 * trips of random states. A violation prints its input and aborts, so that a fuzzer keeps the input. */
#ifndef TESTS_FUZZ_PIPELINE_H
#define TESTS_FUZZ_PIPELINE_H

#include "fragprog/atifs.h"
#include "fragprog/ir.h"
#include "texenv/vertex.h"

/* If set, all options and levels of optimisation are tried for each input; else a few that the input's
 * content selects, because fuzzers need speed. */
extern bool pipeline_thorough;

/* Checks a canonical state: printing and reading `stages` and `gl` gives it back; every step of the compiler
 * keeps its invariants; `ir` and `atifs` texts read back and print the same. Returns true if the target can
 * compile the state with some of the options. */
bool pipeline_state(const struct texenv_state *state);
/* Checks an intermediate program that obeys fragprog_check: its text reads back, the passes keep it legal,
 * and assignment succeeds or gives a reason. */
void pipeline_ir(const struct fragprog *p);
/* Checks a program that was read: its text reads back. */
void pipeline_atifs(const struct fragprog_atifs *program);
/* Checks the intermediate program made from the same program. */
void pipeline_imported(const struct fragprog_atifs *program);

/* Checks words of the vertex half (notes/formats/vertex.md), if the text is valid: printing and reading gives
 * them back. */
void pipeline_words(const char *words, size_t length);
/* Canonicalises each draw by several policies and checks each state, and the texts of both halves. Can be
 * used as texenv_reader.on_draw. */
bool pipeline_draw(void *user, const struct texenv_draw *draw);

/* Memory for readers: counts the bytes in use, and fails after `left` allocations (negative: never). */
struct pipeline_memory {
    long left, in_use;
};
void *pipeline_resize(void *user, void *p, size_t size);

/* Checks each diagnostic: one line of text, and a place within the input. `user` is not used. */
void pipeline_emit(void *user, const struct texenv_diag *diag);

_Noreturn void pipeline_broken(const char *what, const char *text);

#endif
