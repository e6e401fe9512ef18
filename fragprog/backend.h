/* The interface for back ends: the result of the passes, the bound on work, refusals, and the construction of
 * programs of GL_ATI_fragment_shader (register assignment and pairing for one pass, schedules of up to two
 * passes).
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; an
 * object may be used by one thread at a time. */
#ifndef FRAGPROG_BACKEND_H
#define FRAGPROG_BACKEND_H

#include "fragprog/fragprog.h"
#include "fragprog/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* fragprog_budget is the work that a compilation may spend and has spent. fragprog_compilation is its state
 * between the passes and the back end of a target or language. */
struct fragprog_budget {
    uint32_t most, spent;
    bool ended; /* a search stopped because it needed more work than was left */
};
struct fragprog_compilation {
    const struct fragprog *best; /* the program after the passes of the requested level */
    /* The program after dead code elimination only, for use if the best one does not fit; may equal best. */
    const struct fragprog *plain;
    const struct fragprog_atifs *atifs; /* the source's program, or NULL */
    /* the best program without computed constants (fragprog_options.derive), or NULL if it has none */
    const struct fragprog *underived;
    struct fragprog_budget budget;
    /* for the back end: FRAGPROG_BACK_SCRATCH bytes, or the size that the target asks for */
    void *scratch;
};
/* Returns the scratch memory that fragprog_begin uses: FRAGPROG_FRONT_SCRATCH, or more for unbounded
 * programs. */
#define FRAGPROG_FRONT_SCRATCH (48u << 10)
TEXENV_API size_t fragprog_front_scratch(const struct fragprog_source *source);
#define FRAGPROG_BACK_SCRATCH (FRAGPROG_SCRATCH - FRAGPROG_FRONT_SCRATCH)

/* The first half of every compilation: lowers the state (or copies the program), removes dead code, brings
 * the program into canonical form if `canonical` is set (so that the words do not depend on the notation of a
 * state), and runs the passes. *c points into scratch. Returns false with *why if the program is too long, or
 * the source is empty. */
TEXENV_API bool fragprog_begin(struct fragprog_compilation *c, const struct fragprog_source *source,
                               const struct fragprog_options *options, bool canonical, void *scratch,
                               struct fragprog_reason *why);
/* Returns the work that options->level allows, where `most` is the work at level 2. */
TEXENV_API uint32_t fragprog_most_work(uint32_t most, const struct fragprog_options *options);
/* Takes units of work from the budget. Returns false if there is less left; the search then stops. */
TEXENV_API bool fragprog_spend(struct fragprog_budget *budget, uint32_t work);
/* For a back end: fills in the refusal of a search that ran out of work (code "work"). what: a description of
 * the result that was not found. Returns false. */
TEXENV_API bool fragprog_refuse_work(struct fragprog_reason *why, const struct fragprog_budget *budget,
                                     int unit, const char *what);
/* For a back end that does not support unbounded programs: names in *why the operation, input or parameter
 * that is not supported. Returns false. */
TEXENV_API bool fragprog_refuse_unbounded(struct fragprog_reason *why, const struct fragprog *p);
/* For a back end: calls the hook of the options, if there is one. */
TEXENV_API void fragprog_show_step(const struct fragprog_options *options, const char *name,
                                   const struct fragprog *p, const struct fragprog_assignment *assignment);

/* Register assignment and pairing, for `explain` and tests. Colour and alpha are separate instructions. */
struct fragprog_assignment {
    uint8_t npairs;
    uint8_t texture_reg[TEXENV_UNITS];       /* register of unit n's texel, 0xff if not sampled */
    uint16_t pair[FRAGPROG_TEXENV_INSTS][2]; /* the instruction in each half of each pair, 0xffff if none */
    uint8_t reg[FRAGPROG_TEXENV_INSTS];      /* register of each value, 0xff if it has none */
};

/* Legalises p for one pass of ATI_fragment_shader, pairs colour with alpha instructions, and assigns
 * registers. Legalisation changes p: it rewrites alpha dot products that have no equal colour dot product,
 * adds moves into r0, and avoids what Mesa implements differently. Each texture that contributes gets its
 * register; then each result gets the lowest register whose half is free: never assigned, or its value is not
 * read again. An instruction may overwrite its operands. Returns false with *why if 6 registers or 8 pairs do
 * not suffice, or ATI_fragment_shader cannot express the program. */
TEXENV_API bool fragprog_assign(struct fragprog *p, const struct fragprog_options *options,
                                struct fragprog_assignment *a, struct fragprog_reason *why);

/* Converts p and a, the result of fragprog_assign, to a program of ATI_fragment_shader. Cannot fail. */
TEXENV_API void fragprog_emit_atifs(struct fragprog_atifs *out, const struct fragprog *p,
                                    const struct fragprog_assignment *a,
                                    const struct fragprog_options *options);

/* Options of a schedule of up to two passes of 8 pairs: for chips that are programmed like
 * ATI_fragment_shader, and for programs that do not fit into one pass. */
struct fragprog_schedule_options {
    uint8_t max_passes; /* 1 or 2 */
    uint8_t min_passes; /* 2: do not try a single pass; 0 and 1: try both */
    /* textures 6 and 7 may use free texture units; if 0, they are refused unless bind_compact is set */
    uint8_t rebind;
    uint8_t bind_compact; /* this field and the next three: as in fragprog_options */
    uint8_t avoid_mesa;
    uint8_t constants_local;
    uint8_t color_sum;
    /* the text form must be able to express the program: both halves of a dot product write the same
     * register */
    uint8_t text_form;
    /* the alpha half of a dot product may have its own scale and clamp, which the text form cannot express */
    uint8_t alpha_dot_modifiers;
    /* the first of two passes may read the primary and secondary colours, which the extension forbids */
    uint8_t interpolators_first;
    int8_t primary_texcoord; /* coordinate set (0..5) that also holds the primary colour, or -1 */
    /* run the complete search even if its first descent, without backtracking, succeeds */
    uint8_t whole_search;
};
/* Resources of a schedule: work, and FRAGPROG_SCHEDULE_SCRATCH bytes of memory. */
#define FRAGPROG_SCHEDULE_SCRATCH (112u << 10)
struct fragprog_means {
    struct fragprog_budget *budget;
    void *scratch;
};
/* Statistics of a search for a schedule. */
struct fragprog_schedule_effort {
    /* Partial schedules that were visited; at most the number of slots if the first descent succeeded. */
    uint32_t states;
    uint32_t splits;   /* ways of splitting the program into two passes */
    uint8_t gave_up;   /* the work was used up, so that a refusal is not proven */
    uint32_t unplaced; /* schedules whose registers could not be assigned as the text form requires */
};
/* Schedules p (after any passes) into one pass if possible, else into two, with the fewest pairs and then the
 * fewest lookups. Returns false with *why if no schedule exists under the rules of notes/pipeline.md; *out is
 * then unchanged. effort may be NULL. */
TEXENV_API bool fragprog_schedule(struct fragprog_atifs *out, const struct fragprog *p,
                                  const struct fragprog_schedule_options *options,
                                  const struct fragprog_means *means, struct fragprog_reason *why,
                                  struct fragprog_schedule_effort *effort);
/* Schedules the optimised program or, failing that, the plain one (unless plain is NULL or equal to best);
 * one pass is preferred to two. *why is the reason for the optimised program. why may be NULL, which saves
 * the search for a reason. */
TEXENV_API bool fragprog_schedule_either(struct fragprog_atifs *out, const struct fragprog *best,
                                         const struct fragprog *plain,
                                         const struct fragprog_schedule_options *options,
                                         const struct fragprog_means *means, struct fragprog_reason *why);
/* Replaces a program of one pass by a shorter one that the complete search finds for best or plain (may be
 * NULL). Returns true if it did. Useful if the fast assignment used all pairs: the search may find a shorter
 * order of best, or plain may be shorter than what the fast assignment found for best. */
TEXENV_API bool fragprog_schedule_shorter(struct fragprog_atifs *program, const struct fragprog *best,
                                          const struct fragprog *plain,
                                          const struct fragprog_schedule_options *options,
                                          const struct fragprog_means *means);
/* Returns the options of fragprog_schedule for a program that will be printed as text of ATI_fragment_shader.
 */
TEXENV_API struct fragprog_schedule_options fragprog_schedule_text(const struct fragprog_options *options);

#ifdef __cplusplus
}
#endif
#endif
