/* Replaces oracle.c and the reader of C source on WebAssembly (WASI), which cannot run other programs.
 * CMakeLists.txt leaves those files out. */
#ifdef __wasi__
#include "diag.h"
#include "input.h"
#include "oracle.h"

int oracle_run(const struct options *o, const char *const *words, size_t nwords, bool to_stderr)
{
    (void)words, (void)nwords, (void)to_stderr;
    die_internal("%s: the Python oracle cannot be run here", o->command->name);
}

bool is_c_source(const struct options *o, const struct input *input)
{
    (void)input;
    return o->source;
}

bool read_c_source(struct reading *in, const char *path)
{
    message(TEXENV_ERROR, "preprocessor", "%s: no preprocessor of C can be run here", path);
    in->source.count[TEXENV_ERROR]++;
    return true;
}
#endif
