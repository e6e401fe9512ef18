/* Finds the register tables of a target. This is a separate file so that programs that only look up targets
 * do not link the tables. */
#include "hwemit/targets.h"

const struct hwemit_registers *hwemit_find_registers(const struct hwemit_target *target)
{
    static const struct hwemit_registers *const all[] = {
#define HWEMIT_TARGET(name) &hwemit_##name##_registers,
#include "hwemit/targets.def"
        NULL,
    };
    unsigned n = 0;
    while (all[n] && all[n]->target != target)
        n++;
    return all[n];
}
