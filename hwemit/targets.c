/* The list of targets: the one file of this folder that names chips. */
#include "hwemit/hwemit.h"

#include <string.h>

extern const struct hwemit_target hwemit_r200, hwemit_i830, hwemit_r300, hwemit_r400, hwemit_r500,
    hwemit_pica200;

const struct hwemit_target *const hwemit_targets[] = {
    &hwemit_r200, &hwemit_i830, &hwemit_r300, &hwemit_r400, &hwemit_r500, &hwemit_pica200, NULL,
};

const struct hwemit_target *hwemit_find_target(const char *name)
{
    for (unsigned i = 0; hwemit_targets[i]; i++)
        if (strcmp(hwemit_targets[i]->name, name) == 0)
            return hwemit_targets[i];
    return NULL;
}
