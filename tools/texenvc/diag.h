/* Diagnostics: the only place that prints them, either as text with the source line and a caret, or as JSON
 * objects, one on each line. */
#ifndef TEXENVC_DIAG_H
#define TEXENVC_DIAG_H

#include "texenv/texenv.h"
#include "util.h"

/* Sets the format of diagnostics for the whole run. quiet: errors only. */
void diag_setup(bool json, bool quiet);
/* Diagnostics are only counted from now on, for programs that try many inputs. */
void diag_silence(void);

/* The text to which positions refer: a whole file, or the last pieces of a stream. */
struct source {
    const char *name;
    const char *text; /* the part of the text that is available */
    size_t length;
    uint32_t first_line; /* line number at text[0] */
    bool first_is_cut;   /* text[0] is not the first byte of that line */
    /* used by diag.c only */
    uint32_t cursor_line; /* a line whose start is known; 0 if none is */
    size_t cursor;
    struct hash_set seen; /* hashes of diagnostics, each of which is shown only once */
    uint64_t count[3];    /* number for each severity, including those not shown */
    uint64_t hidden;      /* number of diagnostics not shown because of the limit */
    uint64_t refused;
    uint64_t limit; /* maximum number of warnings and notes, and of refusals, to show; 0: all */
};
void source_init(struct source *s, const char *name);
/* Sets the available part of the text. */
void source_window(struct source *s, const char *text, size_t length, uint32_t first_line, bool first_is_cut);
/* Returns a line of the available text, or NULL if it is not available. */
const char *source_line(struct source *s, uint32_t line, size_t *length);
/* Reports how many diagnostics were hidden because of the limit, and frees memory. */
void source_close(struct source *s);

void diag_report(struct source *s, const struct texenv_diag *diag);
/* Reports that the target (or a policy) cannot express a state. It is shown as an error, but is no error of
 * the input. */
void diag_refused(struct source *s, struct texenv_place place, int unit, const char *code, const char *text);
/* Returns a sink that reports to *s. */
struct texenv_sink diag_sink(struct source *s);

/* the program's name, with which messages begin */
extern const char *message_name;
/* Prints a message of the program itself, without a position. */
void message(enum texenv_severity severity, const char *code, const char *format, ...) PRINTF_LIKE(3, 4);

/* End the program: because of a broken invariant or no memory (exit status 4), a file that cannot be read or
 * written (1), or wrong usage (2). Unfinished output files are removed. */
_Noreturn void die_internal(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_file(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void die_memory(void);
_Noreturn void die_usage(const char *format, ...) PRINTF_LIKE(1, 2);

/* Shows the progress of long work in one line on the terminal. Does nothing if standard error is no terminal,
 * unless forced. bytes 0: not counted. */
void progress_force(void);
void progress(const char *name, uint64_t bytes, uint64_t states);
void progress_clear(void);

#endif
