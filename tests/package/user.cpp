// A program in C++ that includes the header of each layer and uses something of each.
#include <cstdio>
#include <cstring>

#include "fragprog/fragprog.h"
#include "hwemit/hwemit.h"
#include "texenv/texenv.h"

int main()
{
    const hwemit_target *r200 = hwemit_find_target("r200");
    if (!r200 || !fragprog_passes[0].name || !hwemit_targets[0])
        return 1;
    if (texenv_version_number() != TEXENV_VERSION_NUMBER || std::strcmp(texenv_version(), TEXENV_VERSION) != 0)
        return 2;
    std::printf("%s %s %s\n", texenv_version(), fragprog_language_name(FRAGPROG_ARBFP), r200->name);
    return 0;
}
