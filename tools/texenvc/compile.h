/* From an item to a program, step by step. */
#ifndef TEXENVC_COMPILE_H
#define TEXENVC_COMPILE_H

#include "input.h"
#include "fragprog/pair.h"

/* A compilation, kept together because its parts point into each other. */
struct compiled {
    struct fragprog_storage storage;
    struct fragprog ir;                    /* after the passes; after assign also legalised */
    struct fragprog_assignment assignment; /* not if scheduled */
    /* the program comes from fragprog_schedule: it may have two passes */
    bool scheduled;
    struct fragprog_atifs program;
    struct fragprog_storage imported_storage;
    struct fragprog imported; /* of a program of the extension, as it comes in */
    uint64_t scratch[HWEMIT_SCRATCH / sizeof(uint64_t)];
    /* where a program is too long for storage and scratch */
    void *long_scratch, *long_storage;
    struct fragprog_pair pair; /* of both shaders of GLSL, with the vertex half that they were made of */
    struct texenv_vertex switches;
    struct hwemit_word word[HWEMIT_MAX_WORDS];
    struct hwemit_code code; /* over word */
    bool ok;
    struct fragprog_reason why; /* if not */
};

/* Called after each step of the library's driver but the schedule, with its name. */
struct compile_hook {
    void (*after)(void *user, const char *name, const struct fragprog *p);
    void *user;
};

/* Frees what a compilation took for a long program; c can be used again. */
void compile_end(struct compiled *c);

/* Each compiles the item from its beginning: c->ok says whether it can be done. hook may be NULL. */

/* The intermediate program through the passes. */
void compile_ir(struct compiled *c, const struct item *item, const struct options *o,
                const struct compile_hook *hook);
/* A program of the extension. */
void compile_target(struct compiled *c, const struct item *item, const struct options *o,
                    const struct compile_hook *hook);

/* What a program of options->language does after texturing, and how, for this item. */
struct fragprog_language_options language_of(const struct item *item, const struct options *o);
struct fragprog_pair_options pair_options_of(const struct options *o);
/* A text in options->language, appended to b: the stages of options->stages, or (split: not NULL) the vertex
 * program to split and the fragment program to b. With the vertex stage of GLSL c->pair is filled. */
void compile_language(struct compiled *c, struct buffer *b, struct buffer *split, const struct item *item,
                      const struct options *o, const struct compile_hook *hook);

/* Words of options->chip. */
void compile_chip(struct compiled *c, const struct item *item, const struct options *o,
                  const struct compile_hook *hook);

/* Words of its vertex engine for the vertex half of the item. */
void compile_vertex_chip(struct compiled *c, const struct item *item, const struct options *o);

/* What --rule-counts shows: a line `rule NAME COUNT` for each rule that was applied, on standard error. */
void print_rule_counts(void);

/* Texts appended to b. */
void add_ir(struct buffer *b, const struct fragprog *p);
void add_atifs(struct buffer *b, const struct fragprog_atifs *program);
void add_atifs_c(struct buffer *b, const struct fragprog_atifs *program, const char *name);
void add_stages(struct buffer *b, const struct texenv_state *state);
void add_stage(struct buffer *b, const struct texenv_state *state, unsigned unit);
void add_formula(struct buffer *b, const struct texenv_state *state, unsigned unit, unsigned half);
/* The state of an item with its vertex half, where it has one. */
void add_item_stages(struct buffer *b, const struct item *item);
void add_item_gl(struct buffer *b, const struct item *item);

extern const char *const base_names[TEXENV_BASES],
    *const target_names[TEXENV_TARGETS], *const fog_names[4], *const compare_names[TEXENV_COMPARES];

#endif
