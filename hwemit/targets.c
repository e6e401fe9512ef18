/* The list of all targets. This file and targets.def are the only ones in this folder that name chips. */
#include "hwemit/targets.h"

#include <string.h>

const struct hwemit_target *const hwemit_targets[] = {
#define HWEMIT_TARGET(name) &hwemit_##name,
#include "hwemit/targets.def"
    NULL,
};

const struct hwemit_target *hwemit_find_target(const char *name)
{
    for (unsigned i = 0; hwemit_targets[i]; i++)
        if (strcmp(hwemit_targets[i]->name, name) == 0)
            return hwemit_targets[i];
    return NULL;
}
