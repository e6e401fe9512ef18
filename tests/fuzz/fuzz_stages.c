/* Fuzzes stage notation through the whole pipeline, and words of the vertex half. */
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct texenv_reader reader = {.sink = {pipeline_emit, NULL}, .on_draw = pipeline_draw};
    (void)texenv_guess_form((const char *)data, size);
    pipeline_words((const char *)data, size);
    texenv_read_stages(&reader, (const char *)data, size);
    return 0;
}
