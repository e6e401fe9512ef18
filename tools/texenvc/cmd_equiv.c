/* texenvc equiv: two inputs compared by the oracle. */
#include "input.h"
#include "oracle.h"

#include <string.h>

int cmd_equiv(const struct options *o)
{
    if (o->ninput != 2)
        die_usage("equiv compares two inputs; %zu are given", o->ninput);
    const char *words[9] = {"equiv"};
    size_t n = 1;
    if (o->from_a) {
        words[n++] = "--from-a";
        words[n++] = o->from_a;
    }
    if (o->from_b) {
        words[n++] = "--from-b";
        words[n++] = o->from_b;
    }
    /* The oracle reads these from files of its own. */
    static const char *const names[] = {"--name-a", "--name-b"};
    for (size_t i = 0; i < 2; i++)
        if (!o->input[i].path || strcmp(o->input[i].path, "-") == 0) {
            words[n++] = names[i];
            words[n++] = input_name(&o->input[i]);
        }
    return oracle_run(o, words, n, false);
}
