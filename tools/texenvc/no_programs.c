/* WebAssembly (WASI) has no other programs to run: what stands here for oracle.c and the reader of C source,
 * which CMakeLists.txt leaves out. */
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
