/* Fuzzes scripts of GL calls, then reads each again with memory that runs out. */
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pipeline_memory memory = {.left = -1};
    struct texenv_reader reader = {
        .memory = {pipeline_resize, &memory}, .sink = {pipeline_emit, NULL}, .on_draw = pipeline_draw};
    (void)texenv_guess_form((const char *)data, size);
    texenv_read_gl(&reader, (const char *)data, size);
    if (memory.in_use)
        pipeline_broken("the gl reader keeps memory", "");
    struct texenv_reader poor = {.memory = {pipeline_resize, &memory}, .sink = {pipeline_emit, NULL}};
    memory.left = (long)(size % 29);
    texenv_read_gl(&poor, (const char *)data, size);
    if (memory.in_use)
        pipeline_broken("the gl reader keeps memory after an allocation failed", "");
    return 0;
}
