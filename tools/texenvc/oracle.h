/* Runs the Python oracle. */
#ifndef TEXENVC_ORACLE_H
#define TEXENVC_ORACLE_H

#include "options.h"

/* Runs `python3 -m oracle WORDS... [--policy ...] INPUT...` and passes its output through. Returns STATUS_OK
 * or STATUS_INPUT (different, or bad input). Ends the program if python3 or the oracle is missing. */
int oracle_run(const struct options *o, const char *const *words, size_t nwords, bool to_stderr);

#endif
