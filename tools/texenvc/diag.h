/* Diagnostics: one place that prints them, as text with the source line and a caret, or as JSON objects, one
 * a line. */
#ifndef TEXENVC_DIAG_H
#define TEXENVC_DIAG_H

#include "texenv/texenv.h"
#include "util.h"

/* How diagnostics look, for the whole run. quiet: errors only. */
void diag_setup(bool json, bool quiet);
/* Nothing is shown, only counted: for programs that try many inputs. */
void diag_silence(void);

/* The text that places point into: all of a file, or the last pieces of a stream. */
struct source {
    const char *name;
    const char *text; /* what is at hand of it */
    size_t length;
    uint32_t first_line; /* line number at text[0] */
    bool first_is_cut;   /* text[0] is not the first byte of that line */
    /* of diag.c */
    uint32_t cursor_line; /* a line whose start is known; 0: none */
    size_t cursor;
    struct hash_set seen; /* diagnostics are shown once each */
    uint64_t count[3];    /* by severity, shown or not */
    uint64_t hidden;      /* not shown, being too many */
    uint64_t refused;
    uint64_t limit; /* warnings and notes, and refusals, shown at most; 0: all */
};
void source_init(struct source *s, const char *name);
/* The text at hand is now this. */
void source_window(struct source *s, const char *text, size_t length, uint32_t first_line, bool first_is_cut);
/* A line of the text at hand, NULL if it is not there. */
const char *source_line(struct source *s, uint32_t line, size_t *length);
/* Says how many diagnostics the limit kept back, frees. */
void source_close(struct source *s);

void diag_report(struct source *s, const struct texenv_diag *diag);
/* The target (or a policy) cannot do a state: shown as an error, but not one of the input. */
void diag_refused(struct source *s, struct texenv_place place, int unit, const char *code, const char *text);
/* A sink that reports to *s. */
struct texenv_sink diag_sink(struct source *s);

/* What messages begin with: the program's name. */
extern const char *message_name;
/* A message of the program itself, without a place. */
void message(enum texenv_severity severity, const char *code, const char *format, ...) PRINTF_LIKE(3, 4);

/* Ends the program: a broken invariant, no memory (4); a file that cannot be read or written (1); wrong usage
 * (2). Unfinished output files are removed. */
_Noreturn void die_internal(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_file(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_memory(void);
_Noreturn void die_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* A line on the terminal that shows how far long work is; nothing if standard error is no terminal, unless it
 * is forced. bytes 0: not counted. */
void progress_force(void);
void progress(const char *name, uint64_t bytes, uint64_t states);
void progress_clear(void);

#endif
