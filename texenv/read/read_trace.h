/* Internal: declarations shared by the files of the trace reader. read_trace.c splits the text into records,
 * read_trace_args.c parses their arguments, read_trace_context.c tracks contexts and threads. */
#ifndef TEXENV_READ_TRACE_H
#define TEXENV_READ_TRACE_H

#include "texenv/read/calls.h"

struct texenv_trace_thread {
    struct texenv_context *context; /* NULL: the thread has released its context */
};

struct texenv_trace {
    struct texenv_calls calls;

    /* The current record. If a piece of text ends within a record, the beginning is kept. */
    char *kept;
    size_t kept_length, kept_capacity;
    bool open; /* a record has begun and not yet ended */
    /* state at the end of the text so far: inside a comment, inside a string, after a backslash */
    bool comment, in_string, escape;
    /* number of bytes of a byte order mark found at the start of the input; 3: the start has been read */
    uint8_t mark;
    bool dropped;            /* the record is too long and is not kept */
    bool backtrace;          /* the text is in a backtrace, whose lines are no records */
    uint32_t newlines;       /* number of newlines in the record's strings */
    uint32_t line;           /* number of the record's first line */
    struct texenv_place cut; /* where the previous record was cut off; line 0: it was complete */

    /* The record that is being parsed. */
    const char *start, *p, *end;
    uint64_t number;

    /* Contexts. */
    /* struct texenv_context by handle, struct texenv_trace_thread by id */
    struct texenv_map contexts, threads;
    struct texenv_trace_thread *thread; /* the thread of the current record */
    uint64_t thread_id;
    struct texenv_context *initial; /* current until the first make-current call */
    bool said_copy;
};

/* CUT: the record ends too early. BAD: an error has been reported. */
enum texenv_trace_status { TEXENV_TRACE_OK, TEXENV_TRACE_CUT, TEXENV_TRACE_BAD };

/* read_trace.c */
struct texenv_place texenv_trace_place(const struct texenv_trace *t, const char *at);

/* read_trace_args.c. Parses arguments from after "(" to after ")". Unless `all` is set, arguments after the
 * last parameter that info names are skipped. */
enum texenv_trace_status texenv_trace_args(struct texenv_trace *t, const struct texenv_call_info *info,
                                           struct texenv_value *args, bool all);
/* Skips from any position between arguments to after the closing ")". */
enum texenv_trace_status texenv_trace_rest(struct texenv_trace *t);
/* Parses the result " = VALUE" after the arguments; the kind is MISSING if there is none. */
enum texenv_trace_status texenv_trace_result(struct texenv_trace *t, struct texenv_value *v);

/* read_trace_context.c */
const struct texenv_call_info *texenv_trace_find_context_call(const char *name, size_t length);
enum texenv_trace_status texenv_trace_context_call(struct texenv_trace *t,
                                                   const struct texenv_call_info *info);
void texenv_trace_use_thread(struct texenv_trace *t, uint64_t id);
void texenv_trace_free_contexts(struct texenv_trace *t);

#endif
