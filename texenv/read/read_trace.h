/* Internal: the parts of the reader of apitrace dumps. read_trace.c cuts the text into records,
 * read_trace_args.c reads their arguments, read_trace_context.c follows contexts and threads. */
#ifndef TEXENV_READ_TRACE_H
#define TEXENV_READ_TRACE_H

#include "texenv/read/calls.h"

struct texenv_trace_thread {
    struct texenv_context *context; /* NULL: released */
};

struct texenv_trace {
    struct texenv_calls calls;

    /* Records. One that the last piece of text did not end is kept until it ends. */
    char *kept;
    size_t kept_length, kept_capacity;
    bool open; /* a record has begun and not ended */
    /* where its text ends: inside a comment, a string, after a backslash */
    bool comment, in_string, escape;
    /* bytes of a byte order mark that were met at the start; 3: that is over */
    uint8_t mark;
    bool dropped;            /* it grew too long to be kept */
    bool backtrace;          /* lines after "Backtrace:" are no records */
    uint32_t newlines;       /* inside its strings */
    uint32_t line;           /* where it begins */
    struct texenv_place cut; /* the record before was cut off; line 0: it was not */

    /* The record at hand. */
    const char *start, *p, *end;
    uint64_t number;

    /* Contexts. */
    /* struct texenv_context by handle, struct texenv_trace_thread by id */
    struct texenv_map contexts, threads;
    struct texenv_trace_thread *thread; /* the one of the record at hand */
    uint64_t thread_id;
    struct texenv_context *initial; /* for calls before any make-current */
    bool said_copy;
};

/* CUT: the record ends too early. BAD: an error was said */
enum texenv_trace_status { TEXENV_TRACE_OK, TEXENV_TRACE_CUT, TEXENV_TRACE_BAD };

/* read_trace.c */
struct texenv_place texenv_trace_place(const struct texenv_trace *t, const char *at);

/* read_trace_args.c: from after "(" to after ")". The values behind the last of the params are not looked at,
 * unless `all`. */
enum texenv_trace_status texenv_trace_args(struct texenv_trace *t, const struct texenv_call_info *info,
                                           struct texenv_value *args, bool all);
/* From anywhere between arguments to after the closing ")". */
enum texenv_trace_status texenv_trace_rest(struct texenv_trace *t);
/* " = VALUE" after the arguments; MISSING if there is none. */
enum texenv_trace_status texenv_trace_result(struct texenv_trace *t, struct texenv_value *v);

/* read_trace_context.c */
const struct texenv_call_info *texenv_trace_find_context_call(const char *name, size_t length);
enum texenv_trace_status texenv_trace_context_call(struct texenv_trace *t,
                                                   const struct texenv_call_info *info);
void texenv_trace_use_thread(struct texenv_trace *t, uint64_t id);
void texenv_trace_free_contexts(struct texenv_trace *t);

#endif
