/* texenvc vectors: writes conformance vectors, which the oracle generates. */
#include "diag.h"
#include "oracle.h"

#include <stdlib.h>

int cmd_vectors(const struct options *o)
{
    const char *words[9] = {"vectors"};
    size_t n = 1;
    char *count = NULL, *seed = NULL;
    if (o->ninput)
        die_usage("vectors reads no file; -o DIR names the folder to write to");
    if (o->output) {
        words[n++] = "-o";
        words[n++] = o->output;
    }
    if (o->count) {
        words[n++] = "--count";
        words[n++] = count = xprintf("%lu", o->count);
    }
    if (o->seed) {
        words[n++] = "--seed";
        words[n++] = seed = xprintf("%lu", o->seed);
    }
    /* one word, because a list that begins with '-' would be taken for an option */
    char *tags = o->tags ? xprintf("--tags=%s", o->tags) : NULL;
    if (tags)
        words[n++] = tags;
    const int status = oracle_run(o, words, n, false);
    free(count);
    free(seed);
    free(tags);
    return status;
}
