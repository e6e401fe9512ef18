/* Compiles an item with the library, and prints programs and states. */
#ifndef TEXENVC_COMPILE_H
#define TEXENVC_COMPILE_H

#include "input.h"
#include "fragprog/pair.h"
#include "hwemit/targets.h"

/* A compilation. Its parts point into each other, so they are kept in one structure. */
struct compiled {
    struct fragprog_storage storage;
    struct fragprog ir;                    /* after all passes; after register assignment also legalised */
    struct fragprog_assignment assignment; /* not set if scheduled */
    /* fragprog_schedule made the program, which may have two passes */
    bool scheduled;
    struct fragprog_atifs program;
    struct fragprog_storage imported_storage;
    struct fragprog imported; /* the input, if that is a program of ATI_fragment_shader */
    uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    /* used if a program is too long for storage and scratch */
    void *long_scratch, *long_storage;
    struct fragprog_pair pair;     /* a GLSL pair */
    struct texenv_vertex switches; /* the vertex half from which the pair was compiled */
    struct hwemit_word word[HWEMIT_MAX_WORDS];
    struct hwemit_code code; /* its words are in `word` */
    bool ok;
    struct fragprog_reason why; /* the reason if ok is false */
};

/* Called after each step of the compiler except the scheduler. */
struct compile_hook {
    void (*after)(void *user, const struct fragprog_step *step);
    void *user;
};

/* Frees the memory of a long program; c can be used again. */
void compile_end(struct compiled *c);

/* Each function compiles the item from the start and sets c->ok, which says whether the target can express
 * it. hook may be NULL. */

/* Compiles to an intermediate program and runs the passes. */
void compile_ir(struct compiled *c, const struct item *item, const struct options *o,
                const struct compile_hook *hook);
/* Compiles to a program of ATI_fragment_shader. */
void compile_target(struct compiled *c, const struct item *item, const struct options *o,
                    const struct compile_hook *hook);

/* Return what a program in options->language does after texturing, and how its text is printed, for this
 * item. */
struct fragprog_language_options language_of(const struct item *item, const struct options *o);
struct fragprog_pair_options pair_options_of(const struct options *o);
/* Appends a program in options->language to b: the stages of options->stages, or, if split is not NULL, the
 * vertex program to split and the fragment program to b. For a vertex stage in GLSL c->pair is set. */
void compile_language(struct compiled *c, struct buffer *b, struct buffer *split, const struct item *item,
                      const struct options *o, const struct compile_hook *hook);

/* Compiles to words of options->chip. */
void compile_chip(struct compiled *c, const struct item *item, const struct options *o,
                  const struct compile_hook *hook);

/* Compiles the item's vertex half to words of the chip's vertex engine. */
void compile_vertex_chip(struct compiled *c, const struct item *item, const struct options *o);

/* Prints the output of --rule-counts on standard error: a line `rule NAME COUNT` for each rule that was
 * applied. */
void print_rule_counts(void);

/* Append programs and states as text to b. */
void add_ir(struct buffer *b, const struct fragprog *p);
void add_machine(struct buffer *b, const struct fragprog_step *step);
void add_atifs(struct buffer *b, const struct fragprog_atifs *program);
void add_atifs_c(struct buffer *b, const struct fragprog_atifs *program, const char *name);
void add_stages(struct buffer *b, const struct texenv_state *state);
void add_stage(struct buffer *b, const struct texenv_state *state, unsigned unit);
void add_formula(struct buffer *b, const struct texenv_state *state, unsigned unit, unsigned half);
/* Append the state of an item, including its vertex half if it has one. */
void add_item_stages(struct buffer *b, const struct item *item);
void add_item_gl(struct buffer *b, const struct item *item);

extern const char *const base_names[TEXENV_BASES],
    *const target_names[TEXENV_TARGETS], *const fog_names[4], *const compare_names[TEXENV_COMPARES];

#endif
