/* For who writes a back end: what a compilation gives it after the passes, the work it may spend, its
 * refusals, and how programs of the extension are made: registers and pairs for one pass, schedules of two.
 *
 * Conventions are those of texenv/texenv.h: no allocation, input, output, writable globals or abort; one
 * thread an object.
 */
#ifndef FRAGPROG_BACKEND_H
#define FRAGPROG_BACKEND_H

#include "fragprog/fragprog.h"
#include "fragprog/ir.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A compilation between the passes and a back end: how a target, a language or the extension gets what it
 * compiles. */
struct fragprog_budget {
    uint32_t most, spent;
    bool ended; /* a search wanted more than there was */
};
struct fragprog_compilation {
    const struct fragprog *best; /* after the passes of the level that is wanted */
    /* after dead stages only, for where the best one does not fit; may equal best */
    const struct fragprog *plain;
    const struct fragprog_atifs *atifs; /* the source's */
    /* the best program without computed constants (fragprog_options.derive); NULL: none were */
    const struct fragprog *underived;
    struct fragprog_budget budget;
    /* of the back end: FRAGPROG_BACK_SCRATCH bytes or what the target asks for */
    void *scratch;
};
/* What fragprog_begin takes of the scratch memory: FRAGPROG_FRONT_SCRATCH but for unbounded programs. */
#define FRAGPROG_FRONT_SCRATCH (48u << 10)
TEXENV_API size_t fragprog_front_scratch(const struct fragprog_source *source);
#define FRAGPROG_BACK_SCRATCH (FRAGPROG_SCRATCH - FRAGPROG_FRONT_SCRATCH)

/* The way of every compilation: lower (or copy), dead stages, the canonical form where `canonical` is set
 * (words do not depend on how a state is written then), passes. *c points into scratch. False with *why if
 * the program is longer than one compilation is prepared for, or there is none. */
TEXENV_API bool fragprog_begin(struct fragprog_compilation *c, const struct fragprog_source *source,
                               const struct fragprog_options *options, bool canonical, void *scratch,
                               struct fragprog_reason *why);
/* The work that is allowed at options->level; `most` is that of level 2. */
TEXENV_API uint32_t fragprog_most_work(uint32_t most, const struct fragprog_options *options);
/* Takes units of work; false if there are not so many left: a search ends then. */
TEXENV_API bool fragprog_spend(struct fragprog_budget *budget, uint32_t work);
/* For a back end: the refusal of a search that came to its end (code "work"): unit and what was not found.
 * Returns false. */
TEXENV_API bool fragprog_refuse_work(struct fragprog_reason *why, const struct fragprog_budget *budget,
                                     int unit, const char *what);
/* For a back end that cannot do unbounded programs: *why says which operation, input or parameter of the
 * program it lacks. Returns false. */
TEXENV_API bool fragprog_refuse_unbounded(struct fragprog_reason *why, const struct fragprog *p);
/* For a back end: calls the hook, if there is one. */
TEXENV_API void fragprog_show_step(const struct fragprog_options *options, const char *name,
                                   const struct fragprog *p, const struct fragprog_assignment *assignment);

/* Register assignment and pairing over time, for explain and tests. Halves apart; 0xff: none. */
struct fragprog_assignment {
    uint8_t npairs;
    uint8_t texture_reg[TEXENV_UNITS];       /* register of unit n's texel, 0xff if not sampled */
    uint16_t pair[FRAGPROG_TEXENV_INSTS][2]; /* instruction in each half of each pair, 0xffff none */
    uint8_t reg[FRAGPROG_TEXENV_INSTS];      /* register of each value */
};

/* Legalises p for one pass of the extension (p is changed: unequal or lone alpha dots, moves into r0,
 * departures to avoid), pairs colour with alpha, and assigns registers: each contributing texture gets its
 * register, then each result the lowest-numbered available register half (one that is unassigned or
 * whose value will not be read again; an instruction may overwrite what it reads). False with *why if 6
 * registers or 8 pairs do not suffice, or the extension cannot express it. */
TEXENV_API bool fragprog_assign(struct fragprog *p, const struct fragprog_options *options,
                                struct fragprog_assignment *a, struct fragprog_reason *why);

/* Writes the assigned program in the extension's terms. p and a come from fragprog_assign. Cannot fail. */
TEXENV_API void fragprog_emit_atifs(struct fragprog_atifs *out, const struct fragprog *p,
                                    const struct fragprog_assignment *a,
                                    const struct fragprog_options *options);

/* Up to two passes of 8 pairs, for chips that are programmed like the extension, and for what one pass of it
 * cannot do. */
struct fragprog_schedule_options {
    uint8_t max_passes; /* 1 or 2 */
    uint8_t min_passes; /* 2: fewer need not be tried; 0 and 1: all */
    /* textures 6 and 7 take texture units that are free; else they are refused (without bind_compact) */
    uint8_t rebind;
    uint8_t bind_compact; /* as in fragprog_options, as the next three */
    uint8_t avoid_mesa;
    uint8_t constants_local;
    uint8_t color_sum;
    /* the program must print: a dot product writes its colour and alpha into one register */
    uint8_t text_form;
    uint8_t alpha_dot_modifiers; /* a dot product's alpha has its own scale and limit; no text says so */
    /* the first of two passes may read primary and secondary colour, which the extension forbids */
    uint8_t interpolators_first;
    int8_t primary_texcoord; /* the primary colour also comes in as this coordinate set (0..5), or -1 */
    uint8_t whole_search;    /* the search from its beginning, also where its first descent by itself does */
};
/* What a schedule may use: work, and FRAGPROG_SCHEDULE_SCRATCH bytes of memory. */
#define FRAGPROG_SCHEDULE_SCRATCH (112u << 10)
struct fragprog_means {
    struct fragprog_budget *budget;
    void *scratch;
};
/* What a schedule took, for measurements. */
struct fragprog_schedule_effort {
    /* partial schedules that were visited; no more than slots if the first descent found one */
    uint32_t states;
    uint32_t splits;   /* ways to part the program into two passes */
    uint8_t gave_up;   /* the work was used up: a refusal is then not proven */
    uint32_t unplaced; /* schedules whose registers could not be assigned in the text's terms */
};
/* Schedules p (after any passes) into one pass if it can be done, else into two, with the fewest pairs, then
 * the fewest lookups. False with *why if no schedule exists under the rules of notes/pipeline.md; *out is
 * then as it was. effort may be NULL. */
TEXENV_API bool fragprog_schedule(struct fragprog_atifs *out, const struct fragprog *p,
                                  const struct fragprog_schedule_options *options,
                                  const struct fragprog_means *means, struct fragprog_reason *why,
                                  struct fragprog_schedule_effort *effort);
/* The optimised program or (plain may be NULL or the same) the plain one, in one pass before two. The reason
 * is the optimised program's; why may be NULL: finding the reason is a search of its own. */
TEXENV_API bool fragprog_schedule_either(struct fragprog_atifs *out, const struct fragprog *best,
                                         const struct fragprog *plain,
                                         const struct fragprog_schedule_options *options,
                                         const struct fragprog_means *means, struct fragprog_reason *why);
/* Replaces a program of one pass by what the complete search makes of best or plain (may be NULL) in one
 * pass, if that has fewer pairs; true if it did. For where the quick assignment needs all pairs: the search
 * may find a shorter order, or make a shorter program of the plain one than the quick way does of the
 * optimised one. */
TEXENV_API bool fragprog_schedule_shorter(struct fragprog_atifs *program, const struct fragprog *best,
                                          const struct fragprog *plain,
                                          const struct fragprog_schedule_options *options,
                                          const struct fragprog_means *means);
/* The options of fragprog_schedule for a program that is printed as text of the extension. */
TEXENV_API struct fragprog_schedule_options fragprog_schedule_text(const struct fragprog_options *options);

#ifdef __cplusplus
}
#endif
#endif
