#include "shim.h"

void (*provide_wrapper(const char *name))(void) { (void)name; return NULL; }
bool provide_use(void) { return false; }
void provide_done(void) {}
