/* texenvc equiv: two inputs compared by the oracle. */
#include "diag.h"
#include "oracle.h"

int cmd_equiv(const struct options *o)
{
    if (o->ninput != 2)
        die_usage("equiv compares two inputs; %zu are given", o->ninput);
    const char *words[5] = {"equiv"};
    size_t n = 1;
    if (o->from_a) {
        words[n++] = "--from-a";
        words[n++] = o->from_a;
    }
    if (o->from_b) {
        words[n++] = "--from-b";
        words[n++] = o->from_b;
    }
    return oracle_run(o, words, n, false);
}
