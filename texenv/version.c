/* Returns the version of texenv.h with which this library was built. */
#include "texenv/texenv.h"

uint32_t texenv_version_number(void) { return TEXENV_VERSION_NUMBER; }

const char *texenv_version(void) { return TEXENV_VERSION; }
