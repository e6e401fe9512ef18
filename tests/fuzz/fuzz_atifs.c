/* Fuzzes programs of the text form of ATI_fragment_shader. An accepted program must obey the restrictions of
 * ATI_fragment_shader and print as text that reads back. */
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fragprog_atifs program;
    struct texenv_sink sink = {pipeline_emit, NULL};
    if (fragprog_read_atifs(&program, (const char *)data, size, 1, &sink)) {
        pipeline_atifs(&program);
        pipeline_imported(&program);
    }
    return 0;
}
