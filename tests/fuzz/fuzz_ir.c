/* Fuzzes intermediate programs. An accepted program must obey fragprog_check and pass the optimiser and
   register assignment. */
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct fragprog_storage storage;
    struct fragprog p;
    struct texenv_sink sink = {pipeline_emit, NULL};
    unsigned where;
    fragprog_init(&p, &storage);
    if (!fragprog_read_ir(&p, (const char *)data, size, 1, &sink)) {
        if (p.ninst || p.nkonst)
            pipeline_broken("a program that could not be read is not empty", "");
        return 0;
    }
    const char *rule = fragprog_check(&p, &where);
    if (rule)
        pipeline_broken("the reader lets through a program that breaks a rule", rule);
    pipeline_ir(&p);
    return 0;
}
