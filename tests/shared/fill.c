/* Memory that a caller lends to the library must not affect results, whatever an earlier compilation left in
 * it. This file is linked into programs with --wrap (tests/CMakeLists.txt) and fills that memory with 0xA5
 * before every call; a read of a byte that was not written then gives a wrong result, or, under valgrind or
 * with -fsanitize=memory, an error report. */
#include "fragprog/pair.h"
#include "hwemit/hwemit.h"
#include "fragprog/arb_program.h"
#include "fragprog/constants.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define UNKNOWN(p, size) __msan_allocated_memory(p, size)
#endif
#endif
#if !defined(UNKNOWN) && defined(__has_include)
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#define UNKNOWN(p, size) (void)VALGRIND_MAKE_MEM_UNDEFINED(p, size)
#endif
#endif
#ifndef UNKNOWN
#define UNKNOWN(p, size) ((void)0)
#endif

enum { FILL = 0xA5, LONG = 1 << 14 };

static void fill(void *p, size_t size)
{
    if (!p || !size)
        return;
    memset(p, FILL, size);
    UNKNOWN(p, size);
}

/* Begins the definition of the wrapper of a function: its name and parameters, which the body follows. */
#define WRAP(type, name, parameters) \
    type __real_##name parameters; \
    type __wrap_##name parameters; \
    type __wrap_##name parameters

/* ---- storage of results ---- */

WRAP(void, fragprog_init, (struct fragprog * p, struct fragprog_storage *storage))
{
    fill(p, sizeof *p);
    fill(storage, sizeof *storage);
    __real_fragprog_init(p, storage);
}

WRAP(void, hwemit_code_init, (struct hwemit_code * code, struct hwemit_word *storage, uint32_t maxwords))
{
    fill(code, sizeof *code);
    fill(storage, maxwords * sizeof *storage);
    __real_hwemit_code_init(code, storage, maxwords);
}

WRAP(void, texenv_text_init, (struct texenv_text * text, char *storage, size_t size))
{
    fill(text, sizeof *text);
    fill(storage, size < LONG ? size : LONG); /* texts are never read by the library */
    __real_texenv_text_init(text, storage, size);
}

/* ---- scratch memory ---- */

WRAP(void, fragprog_optimise, (struct fragprog * p, const struct fragprog_opt *opt, void *scratch))
{
    fill(scratch, p->unbounded ? fragprog_passes_scratch(p->ninst) : FRAGPROG_PASSES_SCRATCH);
    __real_fragprog_optimise(p, opt, scratch);
}

WRAP(void, fragprog_import_atifs,
     (struct fragprog * p, const struct fragprog_atifs *program, const char **undefined, void *scratch))
{
    fill(scratch, FRAGPROG_PASSES_SCRATCH);
    __real_fragprog_import_atifs(p, program, undefined, scratch);
}

WRAP(bool, fragprog_begin,
     (struct fragprog_compilation * c, const struct fragprog_source *source,
      const struct fragprog_options *options, bool canonical, void *scratch, struct fragprog_reason *why))
{
    fill(c, sizeof *c);
    fill(scratch, fragprog_front_scratch(source));
    return __real_fragprog_begin(c, source, options, canonical, scratch, why);
}

WRAP(bool, fragprog_compile_atifs,
     (struct fragprog_atifs * out, const struct fragprog_source *source,
      const struct fragprog_options *options, void *scratch, struct fragprog_reason *why))
{
    fill(scratch, FRAGPROG_SCRATCH);
    return __real_fragprog_compile_atifs(out, source, options, scratch, why);
}

WRAP(bool, fragprog_schedule,
     (struct fragprog_atifs * out, const struct fragprog *p, const struct fragprog_schedule_options *options,
      const struct fragprog_means *means, struct fragprog_reason *why,
      struct fragprog_schedule_effort *effort))
{
    fill(means->scratch, FRAGPROG_SCHEDULE_SCRATCH);
    return __real_fragprog_schedule(out, p, options, means, why, effort);
}

WRAP(bool, fragprog_compile_language,
     (struct texenv_text * text, const struct fragprog_source *source, const struct fragprog_options *options,
      const struct fragprog_language_options *language, void *scratch, struct fragprog_reason *why))
{
    fill(scratch, fragprog_scratch(source));
    return __real_fragprog_compile_language(text, source, options, language, scratch, why);
}

WRAP(bool, fragprog_print_language,
     (struct texenv_text * text, const struct fragprog *p, const struct fragprog_language_options *options,
      void *scratch, struct fragprog_reason *why))
{
    fill(scratch, fragprog_language_scratch(p->ninst));
    return __real_fragprog_print_language(text, p, options, scratch, why);
}

WRAP(bool, fragprog_compile_pair,
     (struct fragprog_pair * pair, const struct fragprog_pair_source *source,
      const struct fragprog_pair_options *options, char *texts, void *scratch, struct fragprog_reason *why))
{
    fill(pair, sizeof *pair);
    fill(texts, FRAGPROG_PAIR_TEXTS);
    fill(scratch, FRAGPROG_PAIR_SCRATCH);
    return __real_fragprog_compile_pair(pair, source, options, texts, scratch, why);
}

WRAP(bool, fragprog_read_arbfp,
     (struct fragprog * p, const char *text, size_t length, uint32_t first_line,
      const struct texenv_sink *sink, void *scratch))
{
    fill(scratch, fragprog_bound_arbfp(text, length).scratch);
    fill(p->inst, p->maxinst * sizeof *p->inst);
    fill(p->konst, p->maxkonst * sizeof *p->konst);
    return __real_fragprog_read_arbfp(p, text, length, first_line, sink, scratch);
}

WRAP(bool, fragprog_constants_compact,
     (struct fragprog_constants * out, const struct fragprog_constants_request *request, void *scratch,
      struct fragprog_reason *why))
{
    fill(scratch, fragprog_constants_scratch(request->nslots, request->nreads));
    return __real_fragprog_constants_compact(out, request, scratch, why);
}

WRAP(bool, hwemit_compile,
     (struct hwemit_code * code, const struct hwemit_target *target, const struct fragprog_source *source,
      const struct hwemit_options *options, void *scratch, struct fragprog_reason *why))
{
    fill(scratch, hwemit_scratch_of(target, source));
    return __real_hwemit_compile(code, target, source, options, scratch, why);
}
