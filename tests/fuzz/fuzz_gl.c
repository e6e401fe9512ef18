/* GL-call scripts; then once more with memory that runs out. */
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pipeline_memory memory = {.left = -1};
    struct texenv_reader reader = {.memory = {pipeline_resize, &memory}, .sink = {pipeline_emit, NULL}, .on_draw = pipeline_draw};
    (void)texenv_guess_form((const char *)data, size);
    texenv_read_gl(&reader, (const char *)data, size);
    if (memory.in_use)
        pipeline_broken("the gl reader keeps memory", "");
    for (memory.left = (long)(size % 5); memory.left < 25; memory.left += 10) {
        struct texenv_reader poor = {.memory = {pipeline_resize, &memory}, .sink = {pipeline_emit, NULL}};
        long left = memory.left;
        texenv_read_gl(&poor, (const char *)data, size);
        if (memory.left == 0 && !poor.errors && left == 0 && reader.images)
            pipeline_broken("no memory, and no error", "");
        memory.left = left;
        if (memory.in_use)
            pipeline_broken("the gl reader keeps memory after an allocation failed", "");
    }
    return 0;
}
